"""The contract of a source that can be asked about papers that are known already.

    wanted = [wanted_of(paper) for paper in papers if lacks(paper)]
    for found in source.look_up(wanted, source.addresses, http, {"contact": "ada@papers.example"}):
        ...  # a Page to parse, a Missing, or a Note of what was done about something

Each Wanted is answered once, by a Page or by a Missing, in whatever order. A page holds the one entry that is the
paper's, and its `context` says what was asked: services merge records, so the entry may carry another identifier than
the one it was asked by (`asked_of`), which is then an alias of it.

An answer is believed where it carries the identifier that was asked for, or else where title, authors and year agree
(`agrees`). A title is asked for only where the service knows none of the paper's identifiers, and then nothing but
`agrees` counts, whatever the service believes to be the best match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from rapidfuzz import fuzz

from octavo.records.fold import fold, title_key
from octavo.records.ids import Identifier, also_known_as
from octavo.records.names import parse_author
from octavo.records.paper import Paper, PaperId, Record
from octavo.sources.base import Page, Source

if TYPE_CHECKING:  # they bring the HTTP client, which who only asks `lacks` does without
    from octavo.sources.online import Fetcher, Note

ASKED = "asked"
"""In a page's `context`: what was asked for, an identifier (`doi:10.5555/tiles.1`) or `title: Fast Tiles`."""
PAPER = "paper"
"""In a page's `context`: the id of the paper that it was asked for."""
SCHEMES = ("doi", "arxiv", "acl")
"""What services know papers by."""

_SAME_TITLE = 95.0
_LONG_TITLE = 20
"""Letters of a title from which a slip in it is known for one; `Fast Tiles` and `Fast Titles` are two."""
_YEARS = 2
_MARKS = re.compile(r"\b(?:[ivx]+|[b-z]|\w*\d\w*)\b")
"""What tells the parts of a work from each other: `II`, `3`, `B`, `v2`."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A paper that is looked up: what it can be found by, and what an answer must agree with."""

    paper: PaperId
    """Whose; handed back as it is."""
    identifiers: tuple[Identifier, ...]
    """Of SCHEMES, the one to ask for first."""
    title: str
    """Plain; may be empty."""
    families: tuple[str, ...] = ()
    """The authors' family names."""
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Missing:
    """The service answered, and the paper is not there."""

    wanted: Wanted
    reason: str
    """In plain words, the same for the same cause: `not found`."""
    asked: str = ""
    """By what it was asked for last, as in ASKED; empty where there was nothing to ask by."""


@runtime_checkable
class LookUp(Source, Protocol):
    """A source that can be asked about papers."""

    addresses: Mapping[str, str]
    """Its base addresses by what they are for, without a slash at the end: `{"api": "https://..."}`."""

    def look_up(
        self, wanted: Sequence[Wanted], addresses: Mapping[str, str], fetcher: Fetcher, options: Mapping[str, str]
    ) -> Iterator[Page | Note | Missing]:
        """Yield a Page or a Missing for each of `wanted`, and Notes.

        Options, all of which may be absent: `contact`, an address that the service may write to; `key`, a key of the
        service's.

        Raises:
            RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says; what was yielded
                before stays good.
            FormatError: an answer is not in this source's format.
        """
        ...


def lacks(paper: Paper) -> bool:
    """Whether there is something about the paper that looking it up may bring: an abstract, all of its authors, what
    it cites, or how often it is cited."""
    return not paper.abstract or paper.authors_incomplete or paper.citations is None or not paper.references


def wanted_of(paper: Paper) -> Wanted:
    """What to look a paper up by."""
    people = (parse_author(name) for name in paper.authors)
    return Wanted(
        paper=paper.id,
        identifiers=tuple(name for scheme in SCHEMES for name in paper.identifiers if name.scheme == scheme),
        title=paper.title,
        families=tuple(person.family or person.name for person in people if person.name),
        year=paper.year,
    )


def asked_of(page: Page) -> tuple[PaperId, str]:
    """Which paper a page of `look_up` was asked for, and by what (ASKED)."""
    context = dict(page.context)
    return PaperId(context[PAPER]), context[ASKED]


def is_of(asked: Identifier, wanted: Wanted, record: Record) -> bool:
    """Whether a record that was given for an identifier is the paper's: it carries it, or all else agrees."""
    known = {asked, *also_known_as(asked)}
    carried = {other for name in record.identifiers for other in (name, *also_known_as(name))}
    return bool(known & carried) or agrees(wanted, record)


def agrees(wanted: Wanted, record: Record) -> bool:
    """Whether a record is the paper's by what it says alone: the title is the same but for spelling, an author's
    family name is, and the years are at most two apart. What is unknown agrees with nothing."""
    return (
        titles_agree(wanted.title, record.title.plain)
        and bool(_families(wanted.families) & _families(one.family or one.name for one in record.authors))
        and any(abs(year - (wanted.year or -_YEARS)) <= _YEARS for year in _years(record))
    )


def titles_agree(one: str, other: str) -> bool:
    """Whether two plain titles are one but for spelling and slips; `Part I` and `Part II` are not."""
    keys = title_key(one), title_key(other)
    if keys[0] == keys[1]:
        return bool(keys[0])
    first, second = fold(one), fold(other)
    if min(map(len, keys)) < _LONG_TITLE or fuzz.ratio(first, second) < _SAME_TITLE:
        return False
    return _MARKS.findall(first) == _MARKS.findall(second)


def _families(names: Iterator[str] | Sequence[str]) -> set[str]:
    """The last word of each name, folded: `de la Cruz` and `Cruz` are one."""
    return {words[-1] for name in names if (words := fold(name).split())}


def _years(record: Record) -> set[int]:
    dates = (record.submitted_on, record.announced_on, record.published_on)
    years = {date.year for date in dates if date}
    return years | {record.venue.year} if record.venue and record.venue.year else years
