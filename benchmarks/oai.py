"""Generate pages of arXiv's OAI-PMH and read them: records a second, and what a harvest takes a page beside that.

    python -m benchmarks.oai [--records 20000] [--page 1300]

from the checkout's root, since the papers are those of the made-up arXiv of the tests. arXiv's own pages have about
1,300 records, and come three seconds apart at the soonest.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import TypeVar
from urllib.parse import parse_qs, urlsplit

from tests.sources.oai_world import World, oai_page

from octavo.records.paper import Record
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_changes import changes_of
from octavo.sources.base import Page
from octavo.sources.http import Answer
from octavo.sources.online import Ask

Found = TypeVar("Found")


class Fetcher:
    """Answers from memory, so that nothing but the harvest is measured."""

    def __init__(self, world: World, page: int) -> None:
        self.world, self.page = world, page
        self.kept: dict[str, bytes] = {}

    def get(self, url: str, *, expect: Callable[[bytes], bool], **_: object) -> Answer:
        """The list that `url` asks for."""
        if url not in self.kept:
            arguments = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
            self.kept[url] = oai_page(self.world, arguments, self.page)
        if not expect(self.kept[url]):
            raise SystemExit("the answer is not one that is expected")
        return Answer(200, url, {}, self.kept[url], final_url=url.partition("?")[0])

    def post(self, url: str, body: object, **_: object) -> Answer:
        """Nothing is asked by POST."""
        raise SystemExit(f"{url}: {body!r}")


def main() -> None:
    """Generate, harvest, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--page", type=int, default=1_300)
    arguments = parser.parse_args()
    source, world = ArxivSource(), World(arguments.records)
    fetcher = Fetcher(world, arguments.page)
    for metadata in ("arXivRaw", "arXiv"):
        ask = Ask("cs.LG", {"oai": "https://arxiv.example/oai"}, options={"metadata": metadata})
        harvest = lambda ask=ask: [one for one in source.harvest(ask, fetcher) if isinstance(one, Page)]  # noqa: E731
        pages, _ = timed(harvest)
        pages, harvesting = timed(harvest)
        records, parsing = timed(lambda pages=pages: read(source, pages))
        changes, changing = timed(lambda pages=pages: sum(len(changes_of(page)) for page in pages))
        size = sum(len(page.content) for page in pages)
        print(f"{metadata}: {changes:,} records on {len(pages)} pages, {size / 1e6:,.1f} MB")
        print(f"  parse       {parsing:6.2f} s, {records / parsing:,.0f} records/s in one process")
        print(f"  harvest     {harvesting:6.2f} s, {1000 * harvesting / len(pages):,.0f} ms a page without the network")
        print(f"  changes_of  {changing:6.2f} s, {changes / changing:,.0f} records/s")


def read(source: ArxivSource, pages: Iterable[Page]) -> int:
    """Parse all pages; return how many records there are."""
    return sum(isinstance(found, Record) for page in pages for found in source.parse(page))


def timed(work: Callable[[], Found]) -> tuple[Found, float]:
    """What the work gives, and how long it took."""
    started = perf_counter()
    found = work()
    return found, perf_counter() - started


if __name__ == "__main__":
    main()
