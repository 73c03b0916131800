"""arXiv itself: every kind of answer that it gives, from files and over the network.

* OAI-PMH: `octavo.sources.arxiv_oai`
* announcement feeds: `octavo.sources.arxiv_feed`
* the query API: `octavo.sources.arxiv_api`

Which kind a page is of, its root element tells (`octavo.sources.arxiv_answer`). A page is read whole or not at all.
Over the network it is asked by `octavo.sources.arxiv_harvest` and `octavo.sources.arxiv_queries`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from octavo.records.paper import Record
from octavo.sources.arxiv_answer import Kind, open_answer
from octavo.sources.arxiv_api import parse_api
from octavo.sources.arxiv_feed import parse_feed
from octavo.sources.arxiv_harvest import RATE, fetch_feed, harvest_category
from octavo.sources.arxiv_oai import parse_oai
from octavo.sources.arxiv_queries import harvest_papers, harvest_query
from octavo.sources.arxiv_record import NAME
from octavo.sources.arxiv_wants import WANTS, read_want
from octavo.sources.base import Deleted, Fault, Page, SourceInfo
from octavo.sources.online import Ask, Fetcher, Note
from octavo.sources.streams import Member, fetch_pages, whole_page

MAX_PAGE = 8 * 1024 * 1024
"""Bytes of one answer: arXiv's longest, of 2,000 entries, are below that."""
_PARSERS = {Kind.OAI: parse_oai, Kind.FEED: parse_feed, Kind.API: parse_api}
FEED = "arxiv-feed"
"""The source of what a feed says: less than OAI or the API do, so it must stand beside their claim and not in its
place."""
_ENDINGS = (".xml", ".atom", ".rss", ".xml.gz", ".atom.gz", ".rss.gz")


class ArxivSource:
    """Reads arXiv's own answers, and asks for them."""

    info = SourceInfo(
        name=NAME,
        title="arXiv",
        covers="arXiv's papers, as its OAI-PMH, its announcement feeds and its query API give them",
        reads="an .xml answer, a folder or an archive of them",
        example="octavo add arxiv oai-2031-05-02.xml.gz",
        terms="CC0 1.0 for arXiv's metadata (info.arxiv.org/help/license)",
        seconds_between_requests=RATE,
    )
    addresses: Mapping[str, str] = {
        "oai": "https://oaipmh.arxiv.org/oai",
        "feed": "https://rss.arxiv.org/atom",
        "api": "https://export.arxiv.org/api/query",
    }
    wants = WANTS

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each answer as one page. One that is refused costs the other files of a folder or archive nothing.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`, and `parse`.
        """
        yield from fetch_pages(target, self._pages, _is_answer, kind=".xml file")

    def parse(self, page: Page) -> Iterator[Record | Deleted | Fault]:
        """Yield a Record, a Deleted or a Fault for each entry of the page.

        Raises:
            FormatError: the page is no answer of arXiv's, was cut off, or holds arXiv's word that it refuses.
        """
        kind, root = open_answer(page)
        for found in _PARSERS[kind](root, page):
            if isinstance(found, Deleted):  # what a feed said of it goes too
                yield from (found, replace(found, source=FEED))
            else:
                yield replace(found, source=FEED) if kind is Kind.FEED and isinstance(found, Record) else found

    def want(self, text: str) -> str:
        """What a reader names, in the form that it is stored under: `cs.LG`, `cs`, `id:1706.03762`, `query:...`.

        Raises:
            UsageError: it is nothing that arXiv can be asked for.
        """
        return str(read_want(text))

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
        """Yield what is asked for from behind `ask.cursor` on: the changes of a category since the last time, or all
        of the papers or of the query anew. `ask.options` may hold `metadata` (arXivRaw or arXiv) and `page` (entries
        a request of a query).

        Raises:
            RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
            ShortError: entries that arXiv says it has did not come, after trying again.
            FormatError: arXiv refuses the request.
            UsageError: what is wanted, or an option, is none.
        """
        want = read_want(ask.want)
        if want.category:
            yield from harvest_category(want.category, ask, fetcher)
        elif want.ids:
            yield from harvest_papers(want.ids, ask, fetcher)
        else:
            yield from harvest_query(want.query, ask, fetcher)

    def fetch_feed(self, category: str, ask: Ask, fetcher: Fetcher) -> Page:
        """What was announced last in a category, archive or group; see `arxiv_harvest.fetch_feed`."""
        return fetch_feed(category, ask, fetcher)

    def _pages(self, member: Member) -> Iterator[Page]:
        page = whole_page(member, limit=MAX_PAGE)
        # What is wrong with a page as a whole comes to light here, and `fetch_pages` goes on with the next file.
        next(self.parse(page), None)
        yield page


def _is_answer(name: str) -> bool:
    base = name.rpartition("/")[2].lower()
    return base.endswith(_ENDINGS) and not base.startswith(".")
