"""arXiv itself: every kind of answer that it gives, from files.

* OAI-PMH: `octavo.sources.arxiv_oai`
* announcement feeds: `octavo.sources.arxiv_feed`
* the query API: `octavo.sources.arxiv_api`

Which kind a page is of, its root element tells (`octavo.sources.arxiv_answer`). A page is read whole or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from octavo.records.paper import Record
from octavo.sources.arxiv_answer import Kind, open_answer
from octavo.sources.arxiv_api import parse_api
from octavo.sources.arxiv_feed import parse_feed
from octavo.sources.arxiv_oai import parse_oai
from octavo.sources.arxiv_record import NAME
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.streams import Member, fetch_pages, whole_page

MAX_PAGE = 8 * 1024 * 1024
"""Bytes of one answer: arXiv's longest, of 2,000 entries, are below that."""
_PARSERS = {Kind.OAI: parse_oai, Kind.FEED: parse_feed, Kind.API: parse_api}
FEED = "arxiv-feed"
"""The source of what a feed says: less than OAI or the API do, so it must stand beside their claim and not in its
place."""
_ENDINGS = (".xml", ".atom", ".rss", ".xml.gz", ".atom.gz", ".rss.gz")


class ArxivSource:
    """Reads arXiv's own answers."""

    info = SourceInfo(
        name=NAME,
        title="arXiv",
        covers="arXiv's papers, as its OAI-PMH, its announcement feeds and its query API give them",
        reads="an .xml answer, a folder or an archive of them",
        example="octavo add arxiv oai-2031-05-02.xml.gz",
        terms="CC0 1.0 for arXiv's metadata (info.arxiv.org/help/license)",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each answer as one page. One that is refused costs the other files of a folder or archive nothing.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`, and `parse`.
        """
        yield from fetch_pages(target, self._pages, _is_answer, kind=".xml file")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each entry of the page; a deleted record is a Fault that says so.

        Raises:
            FormatError: the page is no answer of arXiv's, was cut off, or holds arXiv's word that it refuses.
        """
        kind, root = open_answer(page)
        for found in _PARSERS[kind](root, page):
            yield replace(found, source=FEED) if kind is Kind.FEED and isinstance(found, Record) else found

    def _pages(self, member: Member) -> Iterator[Page]:
        page = whole_page(member, limit=MAX_PAGE)
        # What is wrong with a page as a whole comes to light here, and `fetch_pages` goes on with the next file.
        next(self.parse(page), None)
        yield page


def _is_answer(name: str) -> bool:
    base = name.rpartition("/")[2].lower()
    return base.endswith(_ENDINGS) and not base.startswith(".")
