"""RIS: one reference a paper, for Zotero, EndNote, Mendeley and the like.

A journal's paper is JOUR, another venue's CPAPER, and GEN what has not appeared. Text is plain and in UTF-8, each
value on one line; nothing needs an escape. Identifiers that no tag is made for are in U1, which `octavo.sources.ris`
reads back. A list of authors that its source cut ends with `et al.`. The abstract is never exported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from octavo.export.reference import (
    address_of,
    authors_of,
    first_of,
    is_journal,
    is_published,
    issued,
    note_of,
    one_line,
    other_identifiers,
    venue_name,
    venue_of,
)
from octavo.records.names import Author, parse_author
from octavo.records.paper import Paper, Record

_ET_AL = "et al."

Field = tuple[str, str]
"""A tag and its value."""


def ris_references(papers: Iterable[tuple[Paper, list[Record]]]) -> Iterator[str]:
    """Give a reference for each paper, in order; all but the first have an empty line before them."""
    for n, (paper, records) in enumerate(papers):
        lines = "".join(f"{tag}  - {line}\n" for tag, value in _fields(paper, records) if (line := one_line(value)))
        yield f"{chr(10) if n else ''}{lines}ER  - \n"


def _fields(paper: Paper, records: list[Record]) -> Iterator[Field]:
    published = is_published(paper)
    venue = venue_of(paper, records)
    is_article = published and is_journal(venue)
    yield "TY", "JOUR" if is_article else "CPAPER" if published else "GEN"
    yield "TI", paper.title
    for person in authors_of(paper, records):
        yield "AU", _author(person)
    if paper.authors_incomplete and paper.authors:
        yield "AU", _ET_AL
    yield "PY", str(paper.year or "")
    date = issued(paper, records)
    if date and date.precision != "year":
        yield "DA", date.replace("-", "/")
    if published:
        yield "JO" if is_article else "T2", venue_name(venue)
        yield "J2", venue.short if venue.name else ""
        yield "VL", venue.volume
        yield "IS", venue.number
        yield from _pages(venue.pages)
        yield "PB", venue.publisher
    yield "DO", first_of(paper, "doi")
    eprint = first_of(paper, "arxiv")
    yield "AN", f"arXiv:{eprint}" if eprint else ""
    yield "UR", address_of(paper)
    yield "U1", " ".join(map(str, other_identifiers(paper)))
    yield "N1", note_of(paper)


def _author(person: Author) -> str:
    """`Family, Given, Jr.`; as spoken where that would not be read back as the same name."""
    if person.given and person.family:
        inverted = ", ".join(part for part in (person.family, person.given, person.suffix) if part)
        if ";" not in inverted and parse_author(inverted).name == person.name:
            return inverted
    return person.name.replace(";", ",")


def _pages(pages: str) -> Iterator[Field]:
    first, dash, last = pages.replace("–", "-").replace("--", "-").partition("-")
    if dash and "-" not in last:
        yield "SP", first
        yield "EP", last
    else:
        yield "SP", pages
