"""Asking arXiv over the network: lists of OAI-PMH by category, and announcement feeds. For papers and queries see
`octavo.sources.arxiv_queries`.

What arXiv documents (info.arxiv.org/help/oa, .../help/api/tou), and what its own server does (github.com/arXiv/oaipmh):

* Sets are `group:archive:CATEGORY`, `group:archive` or `group`. A whole group may take arXiv longer than anybody waits;
  a category takes seconds.
* `from` and `until` are days in UTC of a record's last change, the earliest 2005-09-16; an earlier `from` is refused.
  Lists are in the order of these days. About 1,300 records a page, without a number of all.
* A token holds the day that the next page begins on and how many of its records to skip. So it is good only while
  nothing changes, which is until arXiv announces: it expires at the next midnight in UTC, but the server does not
  refuse it then. A page that was asked with an expired token is therefore thrown away (pitfall A06).
* Not more than one request in three seconds, one connection, for all of OAI-PMH, feeds and API together.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from urllib.parse import urlencode

from octavo.errors import FormatError, UsageError
from octavo.sources import entries
from octavo.sources.arxiv_answer import Element, Kind, child, child_text, day_in, made_at, moment, open_answer, text_of
from octavo.sources.arxiv_categories import set_of
from octavo.sources.arxiv_changes import Change, changes_of
from octavo.sources.arxiv_cursor import ListCursor
from octavo.sources.arxiv_oai import Resumption, headers_of, list_of, oai_error, resumption
from octavo.sources.arxiv_record import day_of
from octavo.sources.base import Page
from octavo.sources.online import Ask, Fetcher, Note, ShortError

__all__ = ["EARLIEST", "MAX_ANSWER", "PREFIXES", "RATE", "Change", "changes_of", "fetch_feed", "harvest_category"]

RATE = 3.0
"""Seconds between two requests, as arXiv's terms ask for."""
MAX_ANSWER = 32 * 1024 * 1024
"""Bytes of one answer; a page of 1,300 records has two or three million."""
PREFIXES = ("arXivRaw", "arXiv")
"""The formats that can be asked for. The first is the default: only that has the dates of all versions. In `arXiv`,
which has authors' names in parts, `created` is the date of the current version."""
EARLIEST = "2005-09-16"
"""arXiv's earliestDatestamp."""
_MOST_RESTARTS = 3


@dataclass(frozen=True, slots=True)
class _Answer:
    """What the harvest must know of a page."""

    error: str | None
    said: str
    resumption: Resumption
    made: datetime | None
    oldest: str
    newest: str
    ordered: bool
    """Whether its records are in the order of their datestamps."""
    digest: str
    """The same for the same records."""


def harvest_category(category: str, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
    """Yield the list of a category, archive or group, from behind `ask.cursor` on; see `OnlineSource.harvest`.

    `ask.options` may hold `metadata`, one of PREFIXES.

    Raises:
        RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
        ShortError: the list goes round in circles, or arXiv ends it again and again at one place.
        FormatError: arXiv refuses the request.
        UsageError: an option is none.
    """
    yield from _List(category, ask, fetcher).pages()


def fetch_feed(category: str, ask: Ask, fetcher: Fetcher) -> Page:
    """The announcement feed of a category, archive or group: what was announced last. `arxiv_feed.feed_status` tells
    whether that is today's (pitfalls A11, A12).

    Raises:
        RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
    """
    place = f"arXiv's feed of {category}"
    answer = fetcher.get(
        f"{ask.addresses['feed']}/{category}",
        rate=RATE,
        expect=lambda content: open_answer(Page(content, place), Kind.FEED)[0] is Kind.FEED,
        max_bytes=MAX_ANSWER,
        conditional=True,
    )
    return Page(answer.content, place)


class _List:
    """One list on its way, over all the tokens and new starts that it takes."""

    def __init__(self, category: str, ask: Ask, fetcher: Fetcher) -> None:
        self._category = category
        self._fetcher = fetcher
        self._notes: list[Note] = []
        self._cursor = self._first(ask)
        self._n_pages = 0
        self._restarts: dict[str, int] = {}
        self._asked: dict[str, str] = {}
        """The digest of the page that each token brought."""
        self._last = ""
        self._stuck = 0
        self._is_moved = False

    def pages(self) -> Iterator[Page | Note]:
        """Yield them to the list's end."""
        while True:
            page = self._fetch()
            yield from self._told()
            answer = _read(page)
            if answer.error is not None:
                if self._is_restart(answer):
                    continue
                yield self._at(page, answer, self._ended(answer))
                return
            if self._is_expired(answer):
                self._restart("The place in arXiv's list of {} expired")
                continue
            if self._is_repeated(answer):
                if self._stuck < 2:
                    continue
                # The next run must not begin with the token that leads nowhere.
                yield self._at(page, answer, self._cursor.anew(self._cursor.safe_start()))
                raise ShortError(
                    f"arXiv's list of {self._category} goes round in circles: the same page came again.",
                    hint="What came before is kept; run it again later.",
                )
            self._cursor = self._advanced(answer)
            yield self._at(page, answer, self._cursor)
            if self._cursor.complete:
                return

    def _first(self, ask: Ask) -> ListCursor:
        prefix = ask.options.get("metadata", PREFIXES[0])
        if prefix not in PREFIXES:
            raise UsageError(
                f"{prefix!r} is no format that Octavo asks arXiv for.", hint=f"metadata is {' or '.join(PREFIXES)}."
            )
        since = ask.since.isoformat() if ask.since and ask.since.isoformat() > EARLIEST else ""
        asked = ListCursor(ask.addresses["oai"], set_of(self._category), prefix, since, since)
        if not ask.cursor:
            return asked
        stored = ListCursor.read(ask.cursor)
        if stored is None:
            self._notes.append(Note(f"How far {self._category} came can't be read any more; it begins anew."))
            return asked
        if since < stored.since:
            self._notes.append(
                Note(f"Earlier changes of {self._category} are wanted than before; its list begins anew.")
            )
            return asked
        if (stored.base, stored.set, stored.prefix) != (asked.base, asked.set, asked.prefix):
            self._notes.append(Note(f"{self._category} is asked for in another way than before; its list begins anew."))
            return replace(asked, since=stored.since, start=stored.start, began=stored.began)
        return replace(stored, complete=False)

    def _fetch(self) -> Page:
        cursor = self._cursor
        arguments = {"verb": "ListRecords"}
        if cursor.token:
            arguments["resumptionToken"] = cursor.token  # and nothing beside it
        else:
            arguments |= {"metadataPrefix": cursor.prefix, "set": cursor.set}
            arguments |= {"from": cursor.start} if cursor.start else {}
        place = f"arXiv's list of {self._category}, page {self._n_pages + 1}"
        answer = self._fetcher.get(
            f"{cursor.base}?{urlencode(arguments)}",
            rate=RATE,
            expect=lambda content: _is_list(open_answer(Page(content, place), Kind.OAI)[1]),
            max_bytes=MAX_ANSWER,
        )
        found_at = answer.final_url.partition("?")[0]
        if found_at and found_at != cursor.base and not self._is_moved:
            self._is_moved = True
            self._notes.append(Note(f"{cursor.base} leads on to {found_at}; name that in the configuration."))
        return Page(answer.content, place)

    def _told(self) -> Iterator[Note]:
        yield from self._notes
        self._notes.clear()

    def _at(self, page: Page, answer: _Answer, cursor: ListCursor) -> Page:
        self._n_pages += 1
        return replace(page, cursor=str(cursor), total=answer.resumption.complete_size)

    def _advanced(self, answer: _Answer) -> ListCursor:
        cursor = self._cursor
        if cursor.token:
            self._asked[cursor.token] = answer.digest
        self._last = answer.digest
        self._stuck = 0
        began = cursor.began or str(day_in(answer.made, UTC) or "")
        if (token := answer.resumption.token) is None:
            return replace(cursor, began=began).ended()
        expires = answer.resumption.expires
        # A moment that has passed already when the token is given says nothing.
        is_told = expires is not None and (answer.made is None or answer.made < expires)
        return replace(
            cursor,
            token=token,
            expires=expires.isoformat() if expires and is_told else "",
            began=began,
            oldest=min(filter(None, (cursor.oldest, answer.oldest)), default=""),
            newest=max(cursor.newest, answer.newest),
            ordered=cursor.ordered and answer.ordered and cursor.newest <= (answer.oldest or cursor.newest),
        )

    def _ended(self, answer: _Answer) -> ListCursor:
        """The cursor behind an answer that there are no records; any other error is raised."""
        if answer.error != "noRecordsMatch" or self._cursor.token:
            raise FormatError(
                f"arXiv refuses to list {self._category}: {answer.error}. {answer.said}".rstrip(),
                hint=f"The set {self._cursor.set} was asked for at {self._cursor.base}; arXiv may have renamed it.",
            )
        return replace(self._cursor, began=self._cursor.began or str(day_in(answer.made, UTC) or "")).ended()

    def _is_expired(self, answer: _Answer) -> bool:
        expires = moment(self._cursor.expires) if self._cursor.token else None
        return expires is not None and answer.made is not None and answer.made >= expires

    def _is_repeated(self, answer: _Answer) -> bool:
        """Whether the token brought what it, or the one before, had brought already, and leads on to one that was
        used (pitfall A05)."""
        token = self._cursor.token
        if not token or answer.digest not in (self._last, self._asked.get(token)):
            return False
        if answer.resumption.token != token and answer.resumption.token not in self._asked:
            return False
        self._stuck += 1
        return True

    def _is_restart(self, answer: _Answer) -> bool:
        """Whether the list was begun anew because of an error that says that its token is no good."""
        if not self._cursor.token or answer.error not in ("badResumptionToken", "noRecordsMatch"):
            return False
        self._restart("arXiv no longer knows the place in its list of {}")
        return True

    def _restart(self, why: str) -> None:
        start = self._cursor.safe_start()
        self._restarts[start] = self._restarts.get(start, 0) + 1
        if self._restarts[start] > _MOST_RESTARTS:
            raise ShortError(
                f"arXiv ended the list of {self._category} {_MOST_RESTARTS + 1} times at the same place.",
                hint="What came before is kept; run it again later.",
            )
        self._cursor = self._cursor.anew(start)
        self._asked.clear()
        self._last, self._stuck = "", 0
        self._notes.append(Note(f"{why.format(self._category)}; it goes on from {start or 'the beginning'}."))


def _is_list(root: Element) -> bool:
    return list_of(root) is not None or child(root, "error") is not None


def _read(page: Page) -> _Answer:
    root = open_answer(page, Kind.OAI)[1]
    error = child(root, "error")
    digest = hashlib.sha256()
    stamps = []
    for header in headers_of(root):
        digest.update(f"{child_text(header, 'identifier')}\n".encode())
        if (stamp := day_of(child_text(header, "datestamp"))) is not None:
            stamps.append(str(stamp))
    return _Answer(
        error=None if error is None else oai_error(page) or "an error without a name",
        said="" if error is None else entries.cleaned(text_of(error))[:200],
        resumption=resumption(page),
        made=made_at(root),
        oldest=min(stamps, default=""),
        newest=max(stamps, default=""),
        ordered=stamps == sorted(stamps),
        digest=digest.hexdigest(),
    )
