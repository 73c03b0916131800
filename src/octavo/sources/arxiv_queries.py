"""Asking arXiv's query API over the network: papers by their ids, and queries.

What arXiv documents (info.arxiv.org/help/api/user-manual): `start` counts from 0, `max_results` is at most 2,000 a
request, one query gives 30,000 in all, and what is refused is answered with status 400. What it does beside that: pages
in the middle of a list come empty or short, and totals differ from call to call (pitfalls A02 to A04). So the next
page begins behind the entries that came, an empty one is asked for again, and no total alone ends a query.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlencode

from octavo.errors import UsageError
from octavo.sources.arxiv_answer import Kind, child, child_text, open_answer
from octavo.sources.arxiv_api import entries_of, query_url, total_of
from octavo.sources.arxiv_cursor import QueryCursor
from octavo.sources.arxiv_harvest import MAX_ANSWER, RATE
from octavo.sources.arxiv_record import versioned_id
from octavo.sources.base import Page
from octavo.sources.entries import BadEntry
from octavo.sources.http import FetchError
from octavo.sources.online import Ask, Fetcher, Note, ShortError

MOST_ENTRIES = 30_000
"""Entries that arXiv gives for one query."""
_PAGE = 100
_LARGEST_PAGE = 2_000
_IDS = 100
"""Ids a request: more make a long address."""
_SHOWN_IDS = 20
# By submission, oldest first: what is submitted while the pages are fetched comes behind them and moves none.
_ORDER = "&sortBy=submittedDate&sortOrder=ascending"


def harvest_papers(ids: tuple[str, ...], ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
    """Yield the papers of these ids, and a Note of those that arXiv does not have; see `OnlineSource.harvest`.

    Raises:
        RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
        ShortError: arXiv says that it has them, and gives none.
        FormatError: arXiv refuses the request.
    """
    cursor = QueryCursor.read(ask.cursor, ask.want)
    while cursor.start < len(ids):
        part = ids[cursor.start : cursor.start + _IDS]
        what = part[0] + (f" and {len(part) - 1} more" if len(part) > 1 else "")
        arguments = urlencode({"id_list": ",".join(part), "max_results": len(part)}, safe=",/")
        page = _fetch(f"{ask.addresses['api']}?{arguments}", _Check(what), fetcher)
        came = {_paper(entry) for entry in entries_of(page)}
        if missing := [name for name in part if name not in came]:
            shown = ", ".join(missing[:_SHOWN_IDS]) + (" and more" if len(missing) > _SHOWN_IDS else "")
            yield Note(f"arXiv has no paper {shown}.")
        start = cursor.start + len(part)
        cursor = replace(cursor, start=start, total=len(ids), complete=start >= len(ids))
        yield replace(page, cursor=str(cursor), total=len(ids))


def harvest_query(query: str, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
    """Yield all that a query finds, the oldest submission first; see `OnlineSource.harvest`.

    `ask.options` may hold `page`, the number of entries a request.

    Raises:
        RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
        ShortError: arXiv says that there are more and gives none, or there are more than it gives for one query.
        FormatError: arXiv refuses the query.
        UsageError: an option is none.
    """
    size = _page_size(ask)
    cursor = QueryCursor.read(ask.cursor, ask.want)
    is_told = False
    while not cursor.complete:
        start, n = cursor.start, min(size, MOST_ENTRIES - cursor.start)
        if n < 1:
            raise _too_many(query, cursor.total)
        check = _Check(repr(query), start, cursor.highest, doubts=2 if start else 1)
        page = _fetch(query_url(ask.addresses["api"], query, start, n) + _ORDER, check, fetcher)
        n_came, total = len(entries_of(page)), total_of(page) or 0
        if total > MOST_ENTRIES:
            raise _too_many(query, total)
        if not is_told and cursor.total not in (-1, total):
            is_told = True
            yield Note(
                f"arXiv's number of papers for {query!r} differs from call to call: {cursor.total:,}, {total:,}."
            )
        highest = max(cursor.highest, total)
        came = start + n_came
        is_end = not n_came or (came >= highest and (n_came < n or came >= MOST_ENTRIES))
        cursor = QueryCursor(ask.want, came, total, highest, is_end)
        yield replace(page, cursor=str(cursor), total=total)


class _Check:
    """Whether an answer of the API's is one to take: an empty page where there must be entries is none."""

    def __init__(self, what: str, start: int = 0, highest: int = 0, *, doubts: int = 0) -> None:
        """`highest` is the largest total that was told so far. An empty page that agrees with its own total, but is
        behind nothing or before `highest`, is asked for again `doubts` times."""
        self.place = f"arXiv's answer to {what}" + (f", from {start:,} on" if start else "")
        self.what = what
        self.start = start
        self.total = 0
        self.is_short = False
        """Whether the last answer had nothing where it said itself that there is something."""
        self._highest = highest
        self._doubts = doubts

    def __call__(self, content: bytes) -> bool:
        root = open_answer(Page(content, self.place), Kind.API)[1]
        self.is_short = False
        if child(root, "entry") is not None:
            return True
        said = child_text(root, "totalResults")
        self.total = int(said) if len(said) < 12 and said.isascii() and said.isdigit() else 0
        if self.start < self.total:
            self.is_short = True
            return False
        if self._doubts and (not self.start or self.start < self._highest):
            self._doubts -= 1
            return False
        return True


def _fetch(url: str, check: _Check, fetcher: Fetcher) -> Page:
    try:
        return Page(fetcher.get(url, rate=RATE, expect=check, max_bytes=MAX_ANSWER).content, check.place)
    except FetchError as error:
        if check.is_short and error.status == 200:
            raise ShortError(
                f"arXiv has {check.total:,} papers for {check.what}, it says, and gives none from {check.start:,} on.",
                hint="What came before is kept; run it again later to go on there.",
            ) from error
        if error.status == 400:
            raise FetchError(
                f"arXiv refuses {check.what}: it answered 400 (Bad Request).",
                url=error.url, status=400, tries=error.tries,
                hint="Check brackets, quotation marks and fields (ti, au, abs, co, jr, cat, rn, all), as in "
                "'query:cat:cs.LG AND ti:tile'.",
            ) from error  # fmt: skip
        raise


def _paper(entry: str) -> str:
    try:
        return versioned_id(entry)[0].value
    except BadEntry:
        return ""


def _page_size(ask: Ask) -> int:
    text = ask.options.get("page", str(_PAGE))
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _LARGEST_PAGE):
        raise UsageError(
            f"{text[:20]!r} is no number of entries a page for arXiv.", hint=f"page is from 1 to {_LARGEST_PAGE:,}."
        )
    return int(text)


def _too_many(query: str, total: int) -> ShortError:
    return ShortError(
        f"arXiv has {total:,} papers for {query!r} and gives at most {MOST_ENTRIES:,} for one query.",
        hint="Ask in parts by date, as in 'query:(...) AND submittedDate:[203101010000 TO 203106302359]'; or ask for "
        "the whole category.",
    )
