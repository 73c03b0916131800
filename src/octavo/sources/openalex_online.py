"""Asking OpenAlex's API about papers.

Documented at developers.openalex.org:

* `/works?filter=doi:a|b` is several works, 100 names and 100 works a page at most; DOIs that it does not know are left
out without a word. A comma parts filters, a bar and a plus join values, and none of them can be escaped: a DOI with one
is asked for alone, as `/works/doi:{doi}`, 404 where it is unknown.
* A paper on arXiv has the DOI 10.48550/arXiv.{id} there, unless it is joined to what its publisher printed.
* `filter=title.search:...` searches titles; its words are searched for without signs, which have a meaning there.
* `select` names the fields that are wanted. Merged works redirect to the one that is left.
* Lists cost of a daily allowance, which is ten times as much with a free `api_key`, and searches ten times as much as
lists; past it the answer is 429. No more than 100 requests a second.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from octavo.records.ids import Identifier, doi_id
from octavo.sources.base import Source
from octavo.sources.entries import Entry
from octavo.sources.http_errors import FetchError
from octavo.sources.lookup import Wanted
from octavo.sources.lookup_service import MAX_QUERY, Answers, Splitting, answered, chunks
from octavo.sources.online import Fetcher

_AT_ONCE = 100
_MAX_FILTER = 4_000
_ROWS = 5
_SELECTED = (
    "id", "doi", "ids", "title", "display_name", "type", "is_paratext", "is_retracted", "authorships", "biblio",
    "primary_location", "best_oa_location", "locations", "publication_date", "publication_year", "language",
    "abstract_inverted_index", "cited_by_count",
)  # fmt: skip
_SIGNS = re.compile(r"[,|+!\"]")
_WORDS = re.compile(r"\w+")


class OpenAlexService:
    """OpenAlex, asked on one occasion."""

    def __init__(self, source: Source, api: str, fetcher: Fetcher, options: Mapping[str, str]) -> None:
        """Ask at `api`; `options` may hold `contact` and `key`."""
        self.source = source
        self._api = api
        self._fetcher = fetcher
        self._always = {"select": ",".join(_SELECTED)}
        if "@" in (contact := options.get("contact", "")):
            self._always["mailto"] = contact
        if key := options.get("key"):
            self._always["api_key"] = key
        self._together = Splitting(source.info.title, self._works)
        self._alone = Splitting(source.info.title, self._work)

    def names(self, wanted: Wanted) -> Sequence[Identifier]:
        """DOIs, which lead to the printed work, before arXiv ids."""
        return [name for scheme in ("doi", "arxiv") for name in wanted.identifiers if name.scheme == scheme]

    def ask(self, names: Sequence[Identifier]) -> Answers:
        """See `Service.ask`."""
        plain = [name for name in names if not _SIGNS.search(name.value)]
        for chunk in chunks(plain, _AT_ONCE, _MAX_FILTER):
            yield from self._together.ask(chunk)
        for name in names:
            if _SIGNS.search(name.value):
                yield from self._alone.ask([name])

    def search(self, wanted: Wanted) -> list[Any]:
        """See `Service.search`."""
        words = " ".join(_WORDS.findall(wanted.title.lower()))[:MAX_QUERY]
        return self._list({"filter": f"title.search:{words}", "per-page": str(_ROWS)})

    def _works(self, names: Sequence[Identifier]) -> dict[Identifier, list[Entry]]:
        found: dict[Identifier, list[Entry]] = {}
        asked = {"filter": f"doi:{'|'.join(map(doi_of, names))}", "per-page": str(_AT_ONCE)}
        for entry in self._list(asked):
            if isinstance(entry, dict):
                others = entry.get("ids")
                for doi in (entry.get("doi"), others.get("doi") if isinstance(others, dict) else None):
                    name = doi_id(doi)
                    if name and entry not in found.setdefault(name, []):
                        found[name].append(entry)
        return found

    def _work(self, names: Sequence[Identifier]) -> dict[Identifier, list[Entry]]:
        try:
            return {names[0]: [self._get(f"/works/doi:{quote(doi_of(names[0]), safe='')}", {}, "id")]}
        except FetchError as error:
            if error.status != 404:
                raise
            return {}

    def _list(self, asked: Mapping[str, str]) -> list[Any]:
        results: list[Any] = self._get("/works", asked, "results")["results"]
        return results

    def _get(self, path: str, asked: Mapping[str, str], field: str) -> Entry:
        def expected(content: bytes) -> bool:
            value = answered(content)
            # What is no list of works is no word that there are none.
            return isinstance(value, dict) and field in value and (field != "results" or isinstance(value[field], list))

        query = urlencode({**asked, **self._always}, quote_via=quote, safe="")
        rate = self.source.info.seconds_between_requests
        answer = self._fetcher.get(f"{self._api}{path}?{query}", rate=rate, expect=expected)
        value: Entry = answered(answer.content)
        return value


def doi_of(name: Identifier) -> str:
    """The DOI by which OpenAlex knows a paper.

    >>> doi_of(Identifier("arxiv", "2101.00010"))
    '10.48550/arxiv.2101.00010'
    """
    return f"10.48550/arxiv.{name.value}" if name.scheme == "arxiv" else name.value
