"""Asking Semantic Scholar's Graph API about papers.

Documented at api.semanticscholar.org/api-docs:

* `POST /paper/batch` with `{"ids": ["DOI:...", "ARXIV:...", "ACL:..."]}` gives a list with a paper or null for each id,
by position; 500 ids, 10 MB and 9,999 citations or references at most, so that 100 papers with their references fit.
* Its answer is 400 for a request that is malformed or would be too large, and (as its users report) for a batch of
which it knows no paper, as one of today's preprints. With a paper that it does know such a batch is answered.
* `GET /paper/search/match?query=...` gives the paper whose title is nearest, 404 where none is near.
* `x-api-key` holds a key; with one, a request a second is allowed, without one all share what there is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, urlencode

from octavo.records.ids import Identifier
from octavo.sources.base import Source
from octavo.sources.entries import Entry
from octavo.sources.http_errors import FetchError
from octavo.sources.lookup import Wanted
from octavo.sources.lookup_service import MAX_QUERY, Answers, Splitting, answered
from octavo.sources.online import Fetcher
from octavo.sources.semanticscholar import aligned

_AT_ONCE = 100
_FIELDS = (
    "externalIds", "title", "abstract", "venue", "publicationVenue", "journal", "year", "publicationDate", "authors",
    "openAccessPdf", "citationCount", "references.externalIds",
)  # fmt: skip
_PREFIXES = {"arxiv": "ARXIV", "doi": "DOI", "acl": "ACL"}
"""By scheme, the one to ask for first."""
_KNOWN = "649def34f8be52c8b66281af98ae884c09aef38b"
"""The paper of their documentation's examples."""


class SemanticScholarService:
    """Semantic Scholar, asked on one occasion."""

    def __init__(self, source: Source, graph: str, fetcher: Fetcher, options: Mapping[str, str]) -> None:
        """Ask at `graph`; `options` may hold `key`."""
        self.source = source
        self._graph = graph
        self._fetcher = fetcher
        self._headers = {"x-api-key": options["key"]} if options.get("key") else {}
        self._also: list[str] = []
        self._splitting = Splitting(source.info.title, self._papers)

    def names(self, wanted: Wanted) -> Sequence[Identifier]:
        """See `Service.names`."""
        return [name for scheme in _PREFIXES for name in wanted.identifiers if name.scheme == scheme]

    def ask(self, names: Sequence[Identifier]) -> Answers:
        """See `Service.ask`."""
        for start in range(0, len(names), _AT_ONCE):
            yield from self._splitting.ask(names[start : start + _AT_ONCE])

    def search(self, wanted: Wanted) -> list[Any]:
        """See `Service.search`."""
        asked = {"query": wanted.title[:MAX_QUERY], "fields": ",".join(_FIELDS)}
        query = urlencode(asked, quote_via=quote, safe="")
        try:
            answer = self._fetcher.get(
                f"{self._graph}/paper/search/match?{query}",
                rate=self.source.info.seconds_between_requests,
                expect=_is_match,
                headers=self._headers,
            )
        except FetchError as error:
            if error.status != 404:
                raise
            return []
        found: list[Any] = answered(answer.content)["data"]
        return found

    def _papers(self, names: Sequence[Identifier]) -> dict[Identifier, list[Entry]]:
        ids = [f"{_PREFIXES[name.scheme]}:{name.value}" for name in names]
        try:
            papers = self._batch([*ids, *self._also])
        except FetchError as error:
            if error.status != 400 or self._also:
                raise
            self._also = [_KNOWN]  # from here on a refusal has another cause than that none is known
            papers = self._batch([*ids, *self._also])
        return {name: [paper] for name, paper in zip(names, papers, strict=False) if paper is not None}

    def _batch(self, ids: Sequence[str]) -> list[Any]:
        """What is given for each id, by position."""

        def expected(content: bytes) -> bool:
            return bool(aligned(ids, answered(content)))

        fields = quote(",".join(_FIELDS), safe="")
        answer = self._fetcher.post(
            f"{self._graph}/paper/batch?fields={fields}",
            {"ids": list(ids)},
            rate=self.source.info.seconds_between_requests,
            expect=expected,
            headers=self._headers,
        )
        papers: list[Any] = answered(answer.content)
        return papers


def _is_match(content: bytes) -> bool:
    value = answered(content)
    return isinstance(value, dict) and isinstance(value.get("data"), list)
