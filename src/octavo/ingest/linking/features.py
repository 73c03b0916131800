"""What linking keeps of a record: compact, and made of the record alone, so that it can be stored or made anew.

A third of a million records are held at once, so names and words are interned, and of an abstract only a sketch
stays: the smallest hashes of its runs of three words. The share of common hashes among the smallest of two sketches
estimates the share of common runs (Broder, "On the resemblance and containment of documents", 1997).
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from zlib import crc32

from octavo.ingest.linking.appearances import NOWHERE, Appearance, pages_of, series_of
from octavo.ingest.linking.identity import of_kinds
from octavo.ingest.linking.people import MOST_PEOPLE, Person, person_of
from octavo.ingest.linking.titles import Title, take_apart
from octavo.ingest.prepare import identifiers_of
from octavo.records.names import Author, parse_author
from octavo.records.paper import Record, Venue

Name = tuple[str, str]
"""(source, key) of a record: what names it for good."""

EDITION_LISTS = frozenset({"pmlr", "acl", "mlanthology", "paperlists"})
"""Sources that list an edition's papers, each once: two entries of one edition are two papers."""
SKETCH = 48
"""Hashes kept of an abstract."""
_ABSTRACT_MOST = 2500
"""Letters of an abstract that are read."""
_ABSTRACT_LEAST = 12
"""Runs of words below which an abstract is none."""
_ASCII_WORD = re.compile(rb"[a-z0-9]+")
_ARXIV_YEAR = re.compile(r"(?:[a-z-]+/)?(\d\d)(\d\d)")


@dataclass(slots=True)
class Features:
    """A record as linking sees it. Not to be changed after it is made."""

    name: Name
    title: Title
    people: tuple[Person, ...] = ()
    n_people: int = 0
    is_cut: bool = False
    """The list of authors is known to be shortened."""
    identifiers: tuple[str, ...] = ()
    sketch: Sequence[int] = ()
    """The smallest hashes of the abstract's runs of words, in order; empty where there is no abstract."""
    appearance: Appearance = NOWHERE
    kinds: tuple[tuple[str, str], ...] = ()
    """(kind, identifier) of the identifiers of which a work has but one of a kind; see `constraints`."""
    year: int = 0
    """Of the first appearance that the record knows of: a preprint's own year; 0 where unknown."""


def features_of(record: Record) -> Features:
    """What linking keeps of a record."""
    appearance = _appearance(record)
    identifiers = identifiers_of(record)
    people = tuple(person for author in record.authors[:MOST_PEOPLE] if (person := person_of(*_parts(author))).family)
    return Features(
        (record.source, record.key),
        take_apart(record.title.plain),
        people,
        max(len(record.authors), len(people)) if people else 0,
        record.authors_incomplete,
        identifiers,
        sketch_of(record.abstract.plain) if record.abstract else (),
        appearance,
        of_kinds(identifiers),
        _year(record, appearance, identifiers),
    )


def _parts(author: Author) -> tuple[str, str]:
    """Family and given name; of one that a source gave as a whole, as it reads."""
    return (author.family, author.given) if author.family else _read(author.name)


@lru_cache(maxsize=65_536)
def _read(name: str) -> tuple[str, str]:
    read = parse_author(name)
    return (read.family, read.given) if read.family else (name, "")


def sketch_of(text: str) -> Sequence[int]:
    """The sketch of a plain abstract; empty where it is too short to tell anything."""
    words = _ASCII_WORD.findall(text[:_ABSTRACT_MOST].lower().encode("ascii", "replace"))
    runs = {crc32(run) for run in map(b" ".join, zip(words, words[1:], words[2:], strict=False))}
    return array("I", sorted(runs)[:SKETCH]) if len(runs) >= _ABSTRACT_LEAST else ()


def resemblance(one: Sequence[int], other: Sequence[int]) -> float:
    """Estimate of the share of runs of words that two abstracts have in common, 0 to 1.

    Of the hashes of both, the smallest are looked at, as many as the smaller sketch has.
    """
    hashes = set(one)
    both = hashes.intersection(other)
    if not both:
        return 0.0
    least = min(len(one), len(other))
    smallest = sorted(hashes.union(other))[:least]
    return len(both.intersection(smallest)) / least


_PREPRINT = Appearance(kind="preprint")


def _appearance(record: Record) -> Appearance:
    venue = record.venue
    if venue is None or not (venue.short or venue.name):
        if any(identifier.scheme == "arxiv" for identifier in record.identifiers):
            return _PREPRINT
        return Appearance(year=venue.year or 0) if venue else NOWHERE
    series, kind = series_of(venue.short or venue.name)
    kind = kind or series_of(venue.name)[1]
    first, last = pages_of(venue.pages) if venue.pages else (0, 0)
    return Appearance(series, venue.year or 0, kind, _edition(record.source, venue), first, last)


def _edition(source: str, venue: Venue) -> str:
    """Names an edition, as far as a list's own entries can be told apart by it; empty for other records."""
    if source not in EDITION_LISTS or not venue.year:
        return ""
    return sys.intern(f"{source}/{venue.short or venue.name}/{venue.year}/{venue.name}/{venue.volume}/{venue.track}")


def _year(record: Record, appearance: Appearance, identifiers: Sequence[str]) -> int:
    """The earliest year that the record names."""
    years = [
        int(date[:4]) for date in (record.submitted_on, record.announced_on, record.published_on) if date is not None
    ]
    if appearance.year:
        years.append(appearance.year)
    years += [year for name in identifiers if name.startswith("arxiv:") and (year := arxiv_year(name[6:]))]
    return min(years, default=0)


def arxiv_year(value: str) -> int:
    """The year in an arXiv id.

    >>> arxiv_year("2101.00010"), arxiv_year("math/0309136"), arxiv_year("hep-th/9901001")
    (2021, 2003, 1999)
    """
    found = _ARXIV_YEAR.match(value)
    if not found:
        return 0
    short = int(found[1])
    return 1900 + short if short > 90 else 2000 + short
