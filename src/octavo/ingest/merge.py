"""A Paper from its records: one table of precedence, no state, the origin of each field kept.

`PRECEDENCE` orders the sources. Records that say that a venue rejected the paper, or has it under review, come after
all others, since their words are those of an earlier version.

* title, abstract, tldr, comment, journal_ref, categories: the first record that has one;
* summary: Octavo's own, never another's;
* authors: the first list that is whole, else the longest;
* venue, year: by `ingest.appearing`. Where it appeared comes before where it was submitted, a venue before a workshop,
  what lists say before what authors claim; the year is the edition's, else that of the earliest date;
* pages, volume, publisher: of the record that the venue is from, by its origin; exports read them there;
* status, award: by `ingest.appearing`, of the records about that very edition;
* date: the earliest that any record gives, as precisely as any gives it. The dates of submission, of updates, of the
  announcement and of publication stay apart in the records;
* links: for each kind, the first record that has one;
* identifiers, keywords, topics, sources, references: of all records, each once;
* citations: the largest count.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from hashlib import blake2b
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, cast

from octavo.records.dates import PartialDate
from octavo.records.ids import RECORD_SCHEME, SCHEMES, Identifier, also_known_as
from octavo.records.paper import MAX_REFERENCES, NOT_TAKEN, Paper, PaperId, Record

if TYPE_CHECKING:
    from octavo.ingest.appearing import Appeared, Rank

T = TypeVar("T")

PRECEDENCE = (
    "pmlr", "acl", "mlanthology", "octavo", "openreview", "paperlists", "dblp", "crossref",
    "arxiv", "arxiv-snapshot", "arxiv-feed", "openalex", "semanticscholar", "bibtex", "ris", "csl",
)  # fmt: skip
"""Whose word counts first for a field that several records fill: the publisher's own list, then collections of
publishers' lists, then the preprint. A source that is not named comes after these, a reader's page last of all."""
_RANK = {name: rank for rank, name in enumerate(PRECEDENCE)} | {"page": 1000}
_SCHEME_RANK = {scheme: rank for rank, scheme in enumerate(SCHEMES)}
_GET: dict[str, Callable[[Record], Any]] = {
    field: attrgetter(field)
    for field in ("title", "abstract", "summary", "tldr", "categories", "comment", "journal_ref")
}


RULES = "2"
"""Counts on with each change of what `merge` makes of the same records: an older catalogue is then merged anew."""


def paper_id(names: Iterable[tuple[str, str]]) -> PaperId:
    """The id of the paper that the records of these names (source, key) make: of the first of them, so order never
    matters.

    Octavo's own bundled records come before all others: what a newcomer met in the demo keeps its id. Then come those
    of arXiv, whichever way they were had: most works are met there first, and what joins them changes no address.

    Twelve letters and digits (60 bits of a hash) behind a `p`: three million papers collide with a chance of 4 in a
    million.
    """
    source, key = min(map(_known_as, names), key=lambda name: (_FIRST.get(name[0], 9), name))
    return PaperId("p" + _hashed(source, key))


def _hashed(source: str, key: str, person: bytes = b"") -> str:
    digest = blake2b(f"{source}\x00{key}".encode(errors="surrogatepass"), digest_size=8, person=person).digest()
    return base64.b32encode(digest).decode()[:12].lower()


_FIRST = {"octavo": 0, "arxiv": 1}
ARXIV_SOURCES = ("arxiv", "arxiv-feed", "arxiv-snapshot")
"""Sources whose keys are arXiv's ids, so that the same key is the same paper, nearly always."""


def _known_as(name: tuple[str, str]) -> tuple[str, str]:
    """A record's name, the same for all that have the key of one place."""
    return ("arxiv", name[1]) if name[0] in ARXIV_SOURCES else name


def own_id(names: Iterable[tuple[str, str]]) -> PaperId:
    """The id of a paper whose usual one another paper has: records of one arXiv id that are two works' all the same."""
    return PaperId("p" + _hashed(*min(names), person=b"own"))


def rank(record: Record) -> tuple[int, str, str]:
    """Where a record stands among a paper's: lower counts first."""
    return (_RANK.get(record.source, 500), record.source, record.key)


def _standing(record: Record) -> tuple[bool, tuple[int, str, str]]:
    """The order in which records fill a paper's fields: what a venue has not taken comes last."""
    return record.venue is not None and record.status in NOT_TAKEN, rank(record)


def merge(records: Sequence[Record]) -> Paper:
    """Make the Paper that these records say together. Pure, and the same for any order of them."""
    ordered = sorted(records, key=_standing) if len(records) > 1 else records
    named = [(record, f"{record.source}:{record.key}") for record in ordered]
    origins: dict[str, str] = {}

    def first(field: str) -> Any:
        """The first record's value that is not empty; its origin is kept."""
        get = _GET[field]
        for record, name in named:
            if found := get(record):
                origins[field] = name
                return found
        return None

    def plain(field: str) -> str:
        """The first text that has a word."""
        get = _GET[field]
        for record, name in named:
            if (text := get(record)) is not None and (found := text.plain):
                origins[field] = name
                return cast("str", found)
        return ""

    title = plain("title")
    authors, incomplete = _authors(ordered, origins)
    appeared = _appearing()(ordered, title, origins, rank)
    dates = [
        date for record in ordered for date in (record.submitted_on, record.announced_on, record.published_on) if date
    ]
    citations = _citations(ordered, origins)
    return Paper(
        id=paper_id((record.source, record.key) for record in records),
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        abstract=plain("abstract"),
        summary=plain("summary"),
        tldr=plain("tldr"),
        venue=appeared.venue,
        venue_name=appeared.venue_name,
        year=appeared.year or min([date.year for date in dates], default=None),
        date=_earliest(dates),
        status=appeared.status,
        award=appeared.award,
        identifiers=_identifiers(ordered),
        version=max([version.number for record in ordered for version in record.versions], default=None),
        categories=first("categories") or (),
        keywords=_distinct([keyword for record in ordered for keyword in record.keywords]),
        topics=_distinct([trail for record in ordered for trail in record.topics]),
        links=_links(ordered),
        comment=first("comment") or "",
        journal_ref=first("journal_ref") or "",
        sources=_distinct([record.source for record in ordered]),
        origins=tuple(origins.items()),
        citations=citations,
        references=_references(ordered),
    )


@cache
def _appearing() -> Callable[[Sequence[Record], str, dict[str, str], Rank], Appeared]:
    """`ingest.appearing.appeared`; it needs the table of venues, which takes its time, and a search needs neither."""
    from octavo.ingest.appearing import appeared

    return appeared


def _authors(ordered: Sequence[Record], origins: dict[str, str]) -> tuple[tuple[str, ...], bool]:
    """The first complete list; where all are shortened, the longest of them."""
    best: Record | None = None
    for record in ordered:
        if record.authors and not record.authors_incomplete:
            best = record
            break
        if record.authors and (best is None or len(record.authors) > len(best.authors)):
            best = record
    if best is None:
        return (), any(record.authors_incomplete for record in ordered)
    origins["authors"] = f"{best.source}:{best.key}"
    return tuple([author.name for author in best.authors]), best.authors_incomplete


def _identifiers(ordered: Sequence[Record]) -> tuple[Identifier, ...]:
    """All identifiers, by scheme; a reference to another record (`ingest.adding.known_as`) is none."""
    found = {
        (_SCHEME_RANK.get(name.scheme, 99), name.value, name.scheme): name
        for record in ordered
        for name in record.identifiers
        if name.scheme != RECORD_SCHEME
    }
    return tuple([found[key] for key in sorted(found)]) if len(found) > 1 else tuple(found.values())


def _citations(ordered: Sequence[Record], origins: dict[str, str]) -> int | None:
    """The largest count: no service knows of all that cites a work, and none counts what does not."""
    best: Record | None = None
    for record in ordered:
        if record.citations is not None and (best is None or record.citations > (best.citations or 0)):
            best = record
    if best is None:
        return None
    origins["citations"] = f"{best.source}:{best.key}"
    return best.citations


def _references(ordered: Sequence[Record]) -> tuple[Identifier, ...]:
    """What the records cite, in their order, each work once as far as its identifiers tell (an ACL id and its DOI)."""
    lists = [record.references for record in ordered if record.references]
    if len(lists) <= 1:
        return lists[0] if lists else ()
    found: dict[Identifier, Identifier] = {}
    for name in (name for names in lists for name in names):
        found.setdefault(next(iter(also_known_as(name)), name), name)
    return tuple(found.values())[:MAX_REFERENCES]


def _earliest(dates: Sequence[PartialDate]) -> PartialDate | None:
    """The earliest date, in the most precise form that any record gives it: `2031-01-12` says more than `2031-01`."""
    if len(dates) <= 1:
        return dates[0] if dates else None
    first = min(dates)
    return max(
        (date for date in dates if date.startswith(first)), key=lambda date: (len(date), [-ord(c) for c in date])
    )


def _links(ordered: Sequence[Record]) -> tuple[tuple[str, str], ...]:
    """The first address of each kind."""
    if len(ordered) == 1:
        return ordered[0].links
    links: dict[str, str] = {}
    for record in ordered:
        for kind, address in record.links:
            links.setdefault(kind, address)
    return tuple(links.items())


def _distinct(values: Sequence[T]) -> tuple[T, ...]:
    """The values without repeats, in order."""
    return tuple(dict.fromkeys(values)) if len(values) > 1 else tuple(values)
