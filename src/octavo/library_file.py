"""The library as a file: JSON lines that are read into any catalogue, and written the same again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, BinaryIO

from octavo.catalogue import Catalogue
from octavo.catalogue.gone import GonePaper
from octavo.catalogue.library import Acting, Library
from octavo.catalogue.said import MAX_NAME, MAX_QUERY, READ, SAVED, Shelf, note_of, tag_of
from octavo.errors import FormatError, IdentifierError, NotFound, UsageError
from octavo.ingest.merge import own_id
from octavo.records.fold import title_key
from octavo.records.ids import parse_identifier
from octavo.records.paper import PaperId

FORM = 1
"""Of the file; a later Octavo may know more."""
MAX_LINE = 1_000_000
"""Bytes of one line."""
MAX_FAULTS = 50
"""Faults that are told of one file."""
_OWN_ID = re.compile(r"p[a-z2-7]{12}")
_BATCH = 200


def written(library: Library, catalogue: Catalogue) -> Iterator[str]:
    """The lines of the file: one that says what it is, one a paper in the order of their ids, one a saved search."""
    yield _line({"kind": "library", "form": FORM})
    ids = sorted(library.ids("any", limit=-1))
    for start in range(0, len(ids), _BATCH):
        part = ids[start : start + _BATCH]
        keys = library.keys_of(part)
        papers = catalogue.get_papers(list(keys.values()))
        known = {paper.id: GonePaper.of(paper) for paper in papers.values()} | library.gone.get(part)
        shelves = library.shelves(part)
        for paper in part:
            yield _line(_entry(known.get(PaperId(paper), GonePaper(paper)), shelves[paper]))
    for name, (query, at) in library.searches().items():
        yield _line({"kind": "search", "name": name, "query": query, "saved_at": at})


def _entry(paper: GonePaper, shelf: Shelf) -> dict[str, Any]:
    said = {
        "kind": "paper",
        "id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "identifiers": list(paper.identifiers),
        "saved_at": shelf.saved_at,
        "read_at": shelf.read_at,
        "tags": list(shelf.tags),
        "note": shelf.note,
        "noted_at": shelf.noted_at,
    }
    return {name: value for name, value in said.items() if value not in ("", None, [])}


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


# -- reading ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper of the file, with what is said of it."""

    paper: GonePaper
    shelf: Shelf


@dataclass(frozen=True, slots=True)
class Search:
    """A saved search of the file."""

    name: str
    query: str
    at: str


def parsed(file: BinaryIO) -> Iterator[tuple[int, Entry | Search | str]]:
    """Each line's number, and what it holds: an entry, a search, or what is wrong with it.

    Raises:
        FormatError: the file was made by a later Octavo, or is no such file at all.
    """
    is_any_good = False
    number = 0
    while line := file.readline(MAX_LINE + 1):
        number += 1
        if len(line) > MAX_LINE:
            while line and not line.endswith(b"\n"):
                line = file.readline(MAX_LINE)
            yield number, f"it is longer than {MAX_LINE:,} bytes"
            continue
        if not line.strip():
            continue
        try:
            found = _parsed(json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8")))
        except UnicodeDecodeError:
            yield number, "it is not UTF-8"
        except (json.JSONDecodeError, RecursionError):
            yield number, "it is not JSON"
        except (UsageError, ValueError, TypeError) as error:
            yield number, str(error)
        else:
            is_any_good = True
            if found is not None:
                yield number, found
            continue
        if number >= MAX_FAULTS and not is_any_good:
            break
    if not is_any_good:
        raise FormatError("That is no library file.", hint="`octavo library export FILE` makes one.")


def _parsed(value: object) -> Entry | Search | None:
    """What a line holds; None for the one that says what the file is.

    Raises:
        UsageError, ValueError, TypeError: it holds nothing of the kind, in words for the reader.
        FormatError: it was made by a later Octavo.
    """
    if not isinstance(value, dict):
        raise TypeError("it is no object")
    kind = value.get("kind")
    if kind == "library":
        if value.get("form") != FORM:
            raise FormatError("The file was made by a later Octavo.", hint="Update Octavo, then read it in again.")
        return None
    if kind == "search":
        name, query = _text(value, "name").strip(), _text(value, "query").strip()
        if not name or not query or len(name) > MAX_NAME or len(query) > MAX_QUERY:
            raise ValueError("a saved search needs a name and a query of usual lengths")
        return Search(name, query, _moment(value, "saved_at"))
    if kind != "paper":
        raise ValueError("it is of no kind that is known here")
    paper = GonePaper(
        _text(value, "id"),
        _text(value, "title"),
        tuple(_texts(value, "authors")),
        value.get("year") if isinstance(value.get("year"), int) else None,
        tuple(_texts(value, "identifiers")),
    )
    if not (paper.identifiers or paper.title or _OWN_ID.fullmatch(paper.id)):
        raise ValueError("it names no paper: an id, an identifier or a title is needed")
    tags = tuple(dict.fromkeys(map(tag_of, _texts(value, "tags"))))
    moments = (_moment(value, name) for name in ("saved_at", "read_at", "noted_at"))
    saved_at, read_at, noted_at = moments
    return Entry(paper, Shelf(saved_at, read_at, tags, note_of(_text(value, "note")), noted_at))


def _text(value: dict[str, Any], name: str) -> str:
    found = value.get(name) or ""
    if not isinstance(found, str):
        raise TypeError(f"its {name} is no text")
    return found


def _texts(value: dict[str, Any], name: str) -> list[str]:
    found = value.get(name) or []
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise TypeError(f"its {name} are no list of texts")
    return found


def _moment(value: dict[str, Any], name: str) -> str:
    found = _text(value, name)
    try:
        is_aware = not found or datetime.fromisoformat(found).tzinfo is not None
    except ValueError:
        is_aware = False
    if not is_aware:
        raise ValueError(f"its {name} is no moment with a time zone")
    return found


# -- into a catalogue -------------------------------------------------------------------------------------------------


class Taking:
    """Takes the entries of one file into a library, in one act."""

    def __init__(self, library: Library, catalogue: Catalogue, acting: Acting) -> None:
        """Work inside the transaction of `acting`."""
        self._library, self._catalogue, self._acting = library, catalogue, acting
        self._gone = library.gone.names()

    def take(self, entry: Entry) -> tuple[str, bool]:
        """Let what a file says of a paper be said here too; the paper's id, and whether it is in this catalogue.

        What was said here before stays: marks as they are, all tags, both notes.
        """
        here = found_here(self._catalogue, entry.paper)
        paper = here or self._not_here(entry.paper)
        self._say(paper, entry.shelf)
        return paper, bool(here)

    def _not_here(self, named: GonePaper) -> str:
        """The id of a paper that only the library knows, from now on at least."""
        names = (named.id, *named.identifiers)
        if known := next((self._gone[name] for name in names if name in self._gone), ""):
            return known
        first = (*named.identifiers, title_key(named.title))[0]
        paper = named.id if _OWN_ID.fullmatch(named.id) else own_id([("library", first)])
        self._library.gone.put(replace(named, id=paper))
        self._gone.update(dict.fromkeys((paper, *named.identifiers), paper))
        return paper

    def _say(self, paper: str, shelf: Shelf) -> None:
        acting = self._acting
        if shelf.saved_at:
            acting.mark(paper, SAVED, shelf.saved_at)
        if shelf.read_at:
            acting.mark(paper, READ, shelf.read_at)
        for tag in shelf.tags:
            acting.tag(paper, tag, shelf.saved_at or shelf.noted_at)
        if shelf.note:
            before = self._library.shelves([paper]).get(paper, Shelf()).note
            if shelf.note not in before:
                both = shelf.note if before in shelf.note else f"{before}\n\n{shelf.note}"
                acting.note(paper, both, shelf.noted_at if not before else "")


def found_here(catalogue: Catalogue, named: GonePaper) -> str:
    """The id of the paper of this catalogue that a file means; empty where it has none: by Octavo's id, by
    identifiers, else by a title that only one paper has."""
    if _OWN_ID.fullmatch(named.id):
        try:
            return catalogue.get_paper(PaperId(named.id))[1].id
        except NotFound:
            pass
    key = title_key(named.title)
    for identifier in _identifiers(named.identifiers):
        if holders := sorted(catalogue.find_holders([identifier]).get(identifier, ())):
            papers = catalogue.get_papers(holders).values()
            same = [paper for paper in papers if title_key(paper.title) == key]
            return (same or list(papers))[0].id
    papers = catalogue.get_papers(catalogue.find_by_title_key(key)).values()
    fits = [paper for paper in papers if not named.year or not paper.year or abs(paper.year - named.year) <= 1]
    return fits[0].id if len(fits) == 1 else ""


def _identifiers(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        try:
            yield str(parse_identifier(name)[0])
        except IdentifierError:
            continue
