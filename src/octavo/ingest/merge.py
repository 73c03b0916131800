"""A Paper from its records: one table of precedence, no state, the origin of each field kept."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import TypeVar

from octavo.records.dates import PartialDate
from octavo.records.ids import RECORD_SCHEME, SCHEMES, Identifier, also_known_as
from octavo.records.paper import MAX_REFERENCES, Paper, PaperId, Record, Venue

T = TypeVar("T")

PRECEDENCE = (
    "pmlr", "acl", "mlanthology", "octavo", "openreview", "paperlists", "dblp", "crossref",
    "arxiv", "arxiv-snapshot", "arxiv-feed", "openalex", "semanticscholar", "bibtex", "ris", "csl",
)  # fmt: skip
"""Whose word counts first for a field that several records fill: the publisher's own list, then collections of
publishers' lists, then the preprint. A source that is not named comes after these, a reader's page last of all."""
_RANK = {name: rank for rank, name in enumerate(PRECEDENCE)} | {"page": 1000}
_SCHEME_RANK = {scheme: rank for rank, scheme in enumerate(SCHEMES)}
_DISPLAY_MAX = 60
"""Letters of a venue's name that are shown where it has no short form."""


def paper_id(names: Iterable[tuple[str, str]]) -> PaperId:
    """The id of the paper that the records of these names (source, key) make: of the first of them, so order never
    matters.

    Octavo's own bundled records come before all others: what a newcomer met in the demo keeps its id.

    Twelve letters and digits (60 bits of a hash) behind a `p`: three million papers collide with a chance of 4 in a
    million.
    """
    source, key = min(names, key=lambda name: (name[0] != "octavo", name))
    digest = blake2b(f"{source}\x00{key}".encode(errors="surrogatepass"), digest_size=8).digest()
    return PaperId("p" + base64.b32encode(digest).decode()[:12].lower())


def rank(record: Record) -> tuple[int, str, str]:
    """Where a record stands among a paper's: lower counts first."""
    return (_RANK.get(record.source, 500), record.source, record.key)


def merge(records: Sequence[Record]) -> Paper:
    """Make the Paper that these records say together. Pure, and the same for any order of them."""
    ordered = sorted(records, key=rank) if len(records) > 1 else records
    origins: dict[str, str] = {}

    def first(field: str, value: Callable[[Record], T]) -> T | None:
        """The first record's value that is not empty; its origin is kept."""
        for record in ordered:
            if found := value(record):
                origins[field] = f"{record.source}:{record.key}"
                return found
        return None

    title = first("title", lambda record: record.title.plain) or ""
    authors, incomplete = _authors(ordered, origins)
    venue = first("venue", lambda record: record.venue) or _NOWHERE
    dates = [
        date for record in ordered for date in (record.submitted_on, record.announced_on, record.published_on) if date
    ]
    year = venue.year or min((date.year for date in dates), default=None)
    date = _earliest(dates)
    citations = _citations(ordered, origins)
    return Paper(
        id=paper_id((record.source, record.key) for record in records),
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        abstract=first("abstract", lambda record: record.abstract.plain if record.abstract else "") or "",
        summary=first("summary", lambda record: record.summary.plain if record.summary else "") or "",
        tldr=first("tldr", lambda record: record.tldr.plain if record.tldr else "") or "",
        venue=shown_venue(venue),
        venue_name=venue.name,
        year=year,
        date=date,
        status=first("status", lambda record: record.status if record.status == "retracted" else "")
        or first("status", lambda record: record.status)
        or "",
        award=first("award", lambda record: record.award) or "",
        identifiers=_identifiers(ordered),
        version=max((version.number for record in ordered for version in record.versions), default=None),
        categories=first("categories", lambda record: record.categories) or (),
        keywords=_distinct(keyword for record in ordered for keyword in record.keywords),
        topics=_distinct(trail for record in ordered for trail in record.topics),
        links=_links(ordered),
        comment=first("comment", lambda record: record.comment) or "",
        journal_ref=first("journal_ref", lambda record: record.journal_ref) or "",
        sources=_distinct(record.source for record in ordered),
        origins=tuple(origins.items()),
        citations=citations,
        references=_references(ordered),
    )


_NOWHERE = Venue()


def shown_venue(venue: Venue) -> str:
    """A venue as readers name it: `ICML 2025`."""
    name = venue.short or venue.name
    if len(name) > _DISPLAY_MAX:
        name = name[: _DISPLAY_MAX - 1].rsplit(" ", 1)[0] + "…"
    return f"{name} {venue.year}" if name and venue.year and str(venue.year) not in name else name


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
    return tuple(author.name for author in best.authors), best.authors_incomplete


def _identifiers(ordered: Sequence[Record]) -> tuple[Identifier, ...]:
    """All identifiers, by scheme; a reference to another record (`ingest.adding.known_as`) is none."""
    found = {name for record in ordered for name in record.identifiers if name.scheme != RECORD_SCHEME}
    return tuple(sorted(found, key=lambda identifier: (_SCHEME_RANK.get(identifier.scheme, 99), identifier.value)))


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
    if not dates:
        return None
    first = min(dates)
    return max(
        (date for date in dates if date.startswith(first)), key=lambda date: (len(date), [-ord(c) for c in date])
    )


def _links(ordered: Sequence[Record]) -> tuple[tuple[str, str], ...]:
    """The first address of each kind."""
    links: dict[str, str] = {}
    for record in ordered:
        for kind, address in record.links:
            links.setdefault(kind, address)
    return tuple(links.items())


def _distinct(values: Iterable[T]) -> tuple[T, ...]:
    """The values without repeats, in order."""
    return tuple(dict.fromkeys(values))
