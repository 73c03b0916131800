"""arXiv's OAI-PMH answers: records in the formats `arXiv`, `arXivRaw` and `oai_dc`, and what a harvest must know
of a page.

A header's datestamp is the last change of the record, bulk edits by arXiv among them: it is for going on with a
harvest (`newest_datestamp`) and never a date of the paper.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from octavo.errors import FormatError
from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, arxiv_id
from octavo.records.names import Author, author
from octavo.records.paper import Record, Version
from octavo.sources import entries
from octavo.sources.arxiv_answer import (
    Element,
    Kind,
    child,
    child_text,
    children,
    day_in,
    local_name,
    made_at,
    moment,
    open_answer,
    text_of,
)
from octavo.sources.arxiv_record import NAME, day_of, listed_authors, make_record, named_authors, versioned_id
from octavo.sources.base import Deleted, Fault, Page
from octavo.sources.entries import BadEntry, Entry

_NO_RECORDS = "noRecordsMatch"
_LISTS = ("ListRecords", "GetRecord", "ListIdentifiers")
_VERSION = re.compile(r"v?([1-9][0-9]{0,3})")
_SET = re.compile(r"[A-Za-z-]+(?::[A-Za-z-]+){0,2}")
# Archives of several categories: as a set, such a name is the group of them.
_GROUPS = frozenset({"astro-ph", "cond-mat", "nlin", "physics", "math", "cs", "stat", "eess", "econ", "q-bio", "q-fin"})
_TEXTS = {
    "id": "id", "created": "created", "updated": "updated", "title": "title", "comments": "comments", "doi": "doi",
    "journal-ref": "journal-ref", "license": "license", "abstract": "abstract",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Resumption:
    """How a list goes on."""

    token: str | None
    """What to ask for the next page with, and nothing beside it; None at the list's end."""
    complete_size: int | None
    """Records in the whole list, where the server says so; a guess of the server's."""
    cursor: int | None
    """Records before this page, where the server says so."""
    expires: datetime | None = None
    """From when on the token is not good any more: at arXiv the next midnight in UTC."""


@dataclass(frozen=True, slots=True)
class ArxivSet:
    """What a set is of."""

    name: str
    """`cs.LG`, `hep-th`; `cs` or `physics` where it is a group."""
    is_category: bool
    """Whether it is one category; else a group of several."""


def parse_oai(root: Element, page: Page) -> Iterator[Record | Deleted | Fault]:
    """Yield a Record, a Deleted or a Fault for each record of an answer that `open_answer` opened.

    Raises:
        FormatError: an error in place of records (but that there are none), or another verb's answer.
    """
    error = child(root, "error")
    if error is not None:
        if error.get("code") == _NO_RECORDS:
            return
        said = entries.cleaned(text_of(error))[:200]
        raise FormatError(f"{page.place}: arXiv refuses the request: {error.get('code')}. {said}".rstrip())
    if local_name(root) == "record":
        records = [root]
    else:
        found = next((part for part in root if local_name(part) in ("ListRecords", "GetRecord")), None)
        if found is None:
            held = ", ".join(local_name(part) for part in root if local_name(part) not in ("responseDate", "request"))
            raise FormatError(f"{page.place} holds no records but {held[:100] or 'nothing'}.")
        records = list(children(found, "record"))
    made = day_in(made_at(root))
    numbered = enumerate(map(_entry, records), 1)
    yield from entries.parse_entries(numbered, page, "record", "id", partial(_record, seen_on=made))


def resumption(page: Page) -> Resumption:
    """How the list goes on after this page: an empty token ends it as an absent one does.

    Raises:
        FormatError: no OAI-PMH.
    """
    part = list_of(open_answer(page, Kind.OAI)[1])
    token = child(part, "resumptionToken") if part is not None else None
    if token is None:
        return Resumption(None, None, None)
    return Resumption(
        text_of(token).strip() or None,
        _count(token.get("completeListSize")),
        _count(token.get("cursor")),
        moment(token.get("expirationDate") or token.get("expires") or ""),
    )


def oai_error(page: Page) -> str | None:
    """The code of the error that arXiv answers with; None where it answers with none.

    `badResumptionToken` asks for a new start from the last datestamp; `noRecordsMatch` only says that there is
    nothing.

    Raises:
        FormatError: no OAI-PMH.
    """
    error = child(open_answer(page, Kind.OAI)[1], "error")
    return None if error is None else str(error.get("code") or "")


def deleted(page: Page) -> list[Identifier]:
    """The papers whose records arXiv deleted, in order.

    Raises:
        FormatError: no OAI-PMH.
    """
    headers = headers_of(open_answer(page, Kind.OAI)[1])
    found = (arxiv_id(child_text(header, "identifier")) for header in headers if header.get("status") == "deleted")
    return [identifier for identifier in found if identifier is not None]


def newest_datestamp(page: Page) -> PartialDate | None:
    """The latest day on which a record of the page, deleted ones among them, was changed; None where there is none.

    A harvest that must start anew asks from this day on, the day itself included.

    Raises:
        FormatError: no OAI-PMH.
    """
    stamps = (parse_date(child_text(header, "datestamp")) for header in headers_of(open_answer(page, Kind.OAI)[1]))
    return max((stamp for stamp in stamps if stamp is not None), default=None)


def category_of_set(setspec: str) -> ArxivSet | None:
    """What a set of arXiv's is of: a category, or a group of them; None where it has no known form.

    >>> for spec in ("physics:astro-ph:EP", "cs:cs:LG", "physics:hep-th", "cs"):
    ...     print(category_of_set(spec))
    ArxivSet(name='astro-ph.EP', is_category=True)
    ArxivSet(name='cs.LG', is_category=True)
    ArxivSet(name='hep-th', is_category=True)
    ArxivSet(name='cs', is_category=False)
    """
    spec = setspec.strip()
    if not _SET.fullmatch(spec):
        return None
    parts = spec.split(":")
    if len(parts) == 3 and parts[2] != parts[1]:
        return ArxivSet(f"{parts[1]}.{parts[2]}", is_category=True)
    return ArxivSet(parts[-1], is_category=len(parts) > 1 and parts[-1] not in _GROUPS)


def list_of(root: Element) -> Element | None:
    """The element that holds the records or headers of an open answer; None where it is an error or another verb's."""
    return next((part for part in root if local_name(part) in _LISTS), None)


def headers_of(root: Element) -> Iterator[Element]:
    """The headers of an open answer's records, in order."""
    if local_name(root) == "record":
        yield from children(root, "header")
        return
    part = list_of(root)
    for item in part if part is not None else ():
        yield from [item] if local_name(item) == "header" else children(item, "header")


def _count(text: str | None) -> int | None:
    return int(text) if text and len(text) < 12 and text.isascii() and text.isdigit() else None


# A record


def _entry(record: Element) -> Entry:
    """The fields of a record, under the names that the format `arXiv` has for them; all formats' in one."""
    header = child(record, "header")
    entry: Entry = {"id": child_text(header, "identifier") if header is not None else ""}
    if header is not None and header.get("status") == "deleted":
        entry["deleted"] = day_of(child_text(header, "datestamp")) or ""
        return entry
    metadata = child(record, "metadata")
    body = next(iter(metadata), None) if metadata is not None else None
    if body is None:
        return entry
    entry["format"] = form = local_name(body)
    if form == "dc":
        _read_dc(body, entry)
        return entry
    versions: list[tuple[str, str]] = []
    for part in body:
        name = local_name(part)
        if name in _TEXTS:
            if text := text_of(part):
                entry[name] = text
        elif name == "categories":
            entry[name] = text_of(part).split()
        elif name == "authors":
            entry[name] = (
                text_of(part) if form == "arXivRaw" else [_name_parts(one) for one in children(part, "author")]
            )
        elif name == "version":
            versions.append((part.get("version") or "", child_text(part, "date")))
    entry["versions"] = versions
    return entry


def _name_parts(person: Element) -> tuple[dict[str, str], list[str]]:
    parts: dict[str, str] = {}
    places: list[str] = []
    for part in person:
        name = local_name(part)
        if name == "affiliation":
            places.append(text_of(part))
        else:
            parts[name] = text_of(part)
    return parts, places


def _read_dc(body: Element, entry: Entry) -> None:
    """Dublin Core has one field for abstract and comment, and one for address and DOI."""
    dates: list[str] = []
    names: list[tuple[str, list[str]]] = []
    subjects: list[str] = []
    for part in body:
        name, text = local_name(part), text_of(part).strip()
        if name == "title":
            entry["title"] = text
        elif name == "creator":
            names.append((text, []))
        elif name == "subject":
            subjects.append(text)
        elif name == "date":
            dates.append(text)
        elif name == "description":
            is_comment = text.startswith("Comment:")
            entry.setdefault("comments" if is_comment else "abstract", text.removeprefix("Comment:"))
        elif name == "identifier" and text.lower().startswith("doi:"):
            entry["doi"] = text[4:]
    entry.update(names=names, categories=subjects, dates=dates)


def _record(entry: Entry, seen_on: PartialDate | None) -> Record | Deleted:
    if "deleted" in entry:
        return Deleted(NAME, versioned_id(entries.line(entry, "id"))[0].value, entry["deleted"])
    form = entry.get("format")
    if form is None:
        raise BadEntry("no metadata")
    if form not in ("arXiv", "arXivRaw", "dc"):
        raise BadEntry("metadata in a format that is not known")
    identifier, _ = versioned_id(entries.line(entry, "id"))
    if form == "arXivRaw":
        return _raw_record(entry, identifier, seen_on)
    if form == "dc":
        days = sorted(day for text in entry["dates"] if (day := day_of(text)) is not None)
        first, last = (days[0], days[-1] if len(days) > 1 else None) if days else (None, None)
        people = named_authors(entry["names"])
    else:
        first, last = day_of(entries.line(entry, "created")), day_of(entries.line(entry, "updated"))
        people = _authors(entry.get("authors", ())), False
    return make_record(entry, identifier, people, submitted_on=first, updated_on=last, seen_on=seen_on)


def _raw_record(entry: Entry, identifier: Identifier, seen_on: PartialDate | None) -> Record:
    versions: dict[int, Version] = {}
    for name, date in entry["versions"]:
        number = _VERSION.fullmatch(name)
        if number is None:
            raise BadEntry("a version without a number")
        versions[int(number[1])] = Version(int(number[1]), day_of(date))
    ordered = tuple(versions[number] for number in sorted(versions))
    return make_record(
        entry,
        identifier,
        listed_authors(filter(None, [entry.get("authors", "")])),
        versions=ordered,
        submitted_on=ordered[0].on if ordered and ordered[0].number == 1 else None,
        updated_on=ordered[-1].on if ordered and ordered[-1].number > 1 else None,
        seen_on=seen_on,
    )


def _authors(people: list[tuple[dict[str, str], list[str]]]) -> tuple[Author, ...]:
    found = []
    for parts, places in people:
        entries.check_name((*parts.values(), *places), "authors")
        found.append(
            author(
                parts.get("forenames", ""),
                parts.get("keyname", ""),
                suffix=parts.get("suffix", ""),
                affiliations=places,
            )
        )
    return tuple(person for person in found if person.name)
