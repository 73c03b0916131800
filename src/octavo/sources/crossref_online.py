"""Asking Crossref's REST API about papers.

Documented at api.crossref.org and crossref.org/documentation/retrieve-metadata/rest-api:

* `/works/{doi}` is one work; 404 where the DOI is of another agency (arXiv's 10.48550 is DataCite's). A DOI that is an
alias of another redirects to it, and is in no list, so what a list lacks is asked for alone.
* `/works?filter=doi:a,doi:b&rows=n` is several works: filters of one name are alternatives. A comma parts filters and
can't be escaped, so a DOI with one is asked for alone.
* `/works?query.bibliographic=...` searches titles and authors.
* `mailto` brings a faster pool. `x-rate-limit-limit` requests are allowed in `x-rate-limit-interval` (`1s`); the
fastest that Octavo asks is what was allowed at the end of 2025: single works 10 a second and lists 3, without `mailto`
5 and 1.
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
from octavo.sources.online import Fetcher, Note

_AT_ONCE = 40
_MAX_FILTER = 4_000
"""Characters of a filter; servers refuse addresses of some 8,000."""
_ROWS = 5
_SECONDS = {"polite": {"work": 0.1, "list": 0.34}, "public": {"work": 0.2, "list": 1.0}}
_MOST_SECONDS = 60.0
_LIMIT = re.compile(r"[1-9][0-9]{0,6}")
_INTERVAL = re.compile(r"([0-9]{1,6})s?")
_ARXIV = "10.48550/"


class CrossrefService:
    """Crossref, asked on one occasion."""

    def __init__(self, source: Source, api: str, fetcher: Fetcher, options: Mapping[str, str]) -> None:
        """Ask at `api`; `options` may hold `contact`."""
        self.source = source
        self._api = api
        self._fetcher = fetcher
        contact = options.get("contact", "")
        self._contact = contact if "@" in contact else ""
        self._seconds = dict(_SECONDS["polite" if self._contact else "public"])
        self._together = Splitting(source.info.title, self._works)
        self._alone = Splitting(source.info.title, self._work)

    def names(self, wanted: Wanted) -> Sequence[Identifier]:
        """The DOIs; never arXiv's (pitfall B06)."""
        return [name for name in wanted.identifiers if name.scheme == "doi" and not name.value.startswith(_ARXIV)]

    def ask(self, names: Sequence[Identifier]) -> Answers:
        """See `Service.ask`."""
        alone = [name for name in names if "," in name.value]
        for chunk in chunks([name for name in names if "," not in name.value], _AT_ONCE, _MAX_FILTER):
            if len(chunk) == 1:
                alone += chunk
                continue
            for item in self._together.ask(chunk):
                if isinstance(item, Note):
                    continue  # what a list refuses may be had alone
                if item[1]:
                    yield item
                else:
                    alone.append(item[0])
        for name in alone:
            yield from self._alone.ask([name])

    def search(self, wanted: Wanted) -> list[Any]:
        """See `Service.search`."""
        text = " ".join([wanted.title[:MAX_QUERY], *wanted.families[:1]])
        return self._list({"query.bibliographic": text, "rows": str(_ROWS)})

    def _works(self, names: Sequence[Identifier]) -> dict[Identifier, list[Entry]]:
        found: dict[Identifier, list[Entry]] = {}
        for entry in self._list({"filter": ",".join(f"doi:{name.value}" for name in names), "rows": str(len(names))}):
            doi = entry.get("DOI") if isinstance(entry, dict) else None
            if isinstance(doi, str) and (name := doi_id(doi)):
                found.setdefault(name, []).append(entry)
        return found

    def _work(self, names: Sequence[Identifier]) -> dict[Identifier, list[Entry]]:
        try:
            return {names[0]: [self._get("work", f"/works/{names[0].path_form}", {})]}
        except FetchError as error:
            if error.status != 404:
                raise
            return {}

    def _list(self, asked: Mapping[str, str]) -> list[Any]:
        items = self._get("list", "/works", asked)["items"]
        return items if isinstance(items, list) else []

    def _get(self, kind: str, path: str, asked: Mapping[str, str]) -> Entry:
        """The `message` of an answer."""
        query = urlencode({**asked, **({"mailto": self._contact} if self._contact else {})}, quote_via=quote, safe="")
        field = "items" if kind == "list" else "DOI"

        def expected(content: bytes) -> bool:
            value = answered(content)
            message = value.get("message") if isinstance(value, dict) and value.get("status") == "ok" else None
            return isinstance(message, dict) and isinstance(message.get(field), list if kind == "list" else str)

        url = f"{self._api}{path}{'?' if query else ''}{query}"
        answer = self._fetcher.get(url, rate=self._seconds[kind], expect=expected)
        self._seconds[kind] = max(self._seconds[kind], allowed(answer.headers))
        message: Entry = answered(answer.content)["message"]
        return message


def allowed(headers: Mapping[str, str]) -> float:
    """Seconds between requests that Crossref's headers allow, at most a minute; 0 where they don't say.

    >>> allowed({"x-rate-limit-limit": "5", "x-rate-limit-interval": "1s"})
    0.2
    """
    limit = _LIMIT.fullmatch(headers.get("x-rate-limit-limit", ""))
    interval = _INTERVAL.fullmatch(headers.get("x-rate-limit-interval", ""))
    return min(int(interval[1]) / int(limit[0]), _MOST_SECONDS) if limit and interval else 0.0
