"""CSL-JSON, the format of citation processors, as Zotero, Crossref's `citeproc` and Pandoc write it.

A file is an array of items or a single one. Titles may hold a little HTML (`<i>`, `<sub>`), which is read where it
is plainly that. An item's `id` is a citation key and no identity (`references.Keys`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from octavo.errors import SourceError, TruncatedFileError
from octavo.records.dates import PartialDate, parse_date
from octavo.records.names import Author, author, parse_authors
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources import entries, references
from octavo.sources.arrays import BROKEN, array_entries, array_pages
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry
from octavo.sources.streams import Member, check_encoding, fetch_pages, whole_page

_NAME = "csl"
_ITEM = "item"
_MAX_ITEM = 4 * 1024 * 1024
_MARKED = re.compile(r"<(i|b|sub|sup|sc)>[^<>]*</\1>|<span (?:style|class)=\"[\w:; -]{1,60}\">[^<>]*</span>")
_STATUS = {"withdrawn": "withdrawn", "retracted": "retracted"}
_LANGUAGE = re.compile(r"([a-z]{2,3})(?:[-_][A-Za-z]{2,4})?")
_PREPRINT_TYPES = frozenset({"article", "preprint", "posted-content", "manuscript"})
_HOUSE_TYPES = frozenset({"thesis", "report"})


class CslSource:
    """Reads CSL-JSON files."""

    info = SourceInfo(
        name=_NAME,
        title="CSL-JSON files",
        covers="the papers of a bibliography, with abstracts where it has them",
        reads="a .json of items, plain, gzipped or zipped, or a folder of them",
        example="octavo add csl references.json",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the items in pages of about a megabyte.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_json, kind="file of CSL-JSON (.json)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each item of the page.

        Raises:
            FormatError: the page is no array of items.
        """
        if (_ITEM, "1") in page.context:
            found: Iterator[tuple[int, Any]] = iter([(1, _single(page))])
        else:
            found = array_entries(page)
        keys = references.Keys()
        for one in entries.parse_entries(found, page, "item", "id", _record):
            yield keys.named(one) if isinstance(one, Record) else one


def _is_json(name: str) -> bool:
    return name.lower().endswith((".json", ".csljson", ".json.gz"))


def _pages(member: Member) -> Iterator[Page]:
    check_encoding(member)
    if member.stream.peek(512).lstrip()[:1] != b"{":
        yield from array_pages(member)
        return
    page = whole_page(member, limit=_MAX_ITEM)
    if not page.content.rstrip().endswith(b"}"):
        raise _cut(page)
    yield replace(page, context=((_ITEM, "1"),))


def _cut(page: Page) -> SourceError:
    return TruncatedFileError(f"{page.place} ends too early: its JSON breaks off.", hint="Get the file again.")


def _single(page: Page) -> Any:
    try:
        return json.loads(page.content, strict=False)
    except (ValueError, RecursionError):
        return BROKEN


# Parsing


def _record(entry: Entry) -> Record:
    title = _title(entry)
    authors, incomplete = _authors(entry)
    custom = entry.get("custom")
    custom = custom if isinstance(custom, dict) else {}
    note = entries.line(entry, "note")
    status = _STATUS.get(note.lower().rstrip("."), "")
    published = next((date for name in ("issued", "published") if (date := _date(entry.get(name)))), None)
    container = _line(entry, "container-title")
    address, doi = entries.line(entry, "URL"), entries.line(entry, "DOI")
    language = _LANGUAGE.fullmatch(entries.line(entry, "language"))
    abstract = entries.string(entry, "abstract")
    return Record(
        source=_NAME,
        key="",
        title=title,
        authors=authors,
        authors_incomplete=incomplete or custom.get("authors_incomplete") is True,
        identifiers=references.identifiers_of(
            dois=[doi],
            named=[_joined(custom.get("identifiers"))],
            addresses=[address],
            prose=[*(entries.number_text(entry, name) for name in ("number", "archive_location")), container],
            remarks=[note],
        ),
        abstract=references.plain_or_xml(abstract) if abstract else None,
        venue=_venue(entry, published),
        status=status,
        published_on=published,
        versions=references.versions_of(
            [address, doi, *(entries.number_text(entry, name) for name in ("number", "archive_location"))]
        ),
        keywords=references.keywords_of(filter(None, [_words(entry.get("keyword"))])),
        links=tuple(references.links_of(filter(None, [address])).items()),
        comment="" if status else note,
        language=language[1] if language else "",
    )


def _title(entry: Entry) -> Text:
    raw = _text(entry, "title")
    title = Text.of(raw, "xml" if _MARKED.search(raw) or "<mml:" in raw else "plain")
    if not title.plain.strip():
        raise BadEntry("no title")
    return title


def _text(entry: Entry, field: str) -> str:
    """A text; Crossref has a list with one in the place of it."""
    value = entry.get(field)
    if isinstance(value, list) and value:
        return entries.string({field: value[0]}, field)
    return entries.string(entry, field)


def _words(value: object) -> str:
    if isinstance(value, list):
        return ";".join(word for word in value if isinstance(word, str))
    return value if isinstance(value, str) else ""


def _joined(value: object) -> str:
    return " ".join(name for name in value if isinstance(name, str)) if isinstance(value, list) else ""


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    value = entry.get("author") or ()
    if not isinstance(value, list | tuple):
        raise BadEntry("author is not a list")
    people: list[Author] = []
    incomplete = False
    for person in value:
        if not isinstance(person, dict):
            raise BadEntry("author holds what is not a name")
        made, others = _author(person)
        incomplete = incomplete or others
        if made.name:
            people.append(made)
    return tuple(people), incomplete


def _author(person: Entry) -> tuple[Author, bool]:
    names = ("given", "family", "dropping-particle", "non-dropping-particle", "suffix", "literal", "ORCID")
    parts = {name: person.get(name) or "" for name in (*names, "name")}
    entries.check_name(parts.values(), "author")
    whole = parts["literal"] or parts["name"]
    if whole and not parts["family"]:
        others = parse_authors([whole])[1]
        return author("", whole), others
    prefix = f"{parts['dropping-particle']} {parts['non-dropping-particle']}".strip()
    made = author(parts["given"], parts["family"], prefix, parts["suffix"], orcid=parts["ORCID"])
    return made, not made.name and parse_authors([parts["family"]])[1]


def _venue(entry: Entry, published: PartialDate | None) -> Venue | None:
    kind = entries.line(entry, "type")
    name = next((found for field in ("container-title", "event-title", "event") if (found := _line(entry, field))), "")
    if not name and kind in _HOUSE_TYPES:
        name = entries.line(entry, "publisher")
    short = _line(entry, "container-title-short") or entries.line(entry, "journalAbbreviation")
    if not name or references.is_preprint_server(name) or (kind in _PREPRINT_TYPES and not short and _is_server(entry)):
        return None
    return Venue(
        name=name,
        short=short if short != name else "",
        year=published.year if published else None,
        volume=references.number_unless_preprint(entries.number_text(entry, "volume")),
        number=entries.number_text(entry, "issue") or entries.number_text(entry, "number"),
        pages=references.pages_of(entries.number_text(entry, "page")),
        publisher=entries.line(entry, "publisher"),
    )


def _line(entry: Entry, field: str) -> str:
    return entries.cleaned(_text(entry, field))


def _is_server(entry: Entry) -> bool:
    return references.is_preprint_server(entries.line(entry, "publisher"))


def _date(value: object) -> PartialDate | None:
    """A date in parts, null ones among them; else as text."""
    if not isinstance(value, dict):
        return references.date_of(value) if isinstance(value, str) else None
    parts = value.get("date-parts")
    first = parts[0] if isinstance(parts, list) and parts else parts
    numbers: list[int] = []
    for part in first if isinstance(first, list) else ():
        if isinstance(part, bool) or not isinstance(part, int | str) or not str(part).strip().isdecimal():
            break
        numbers.append(int(str(part)[:9]))
    if numbers:
        return parse_date(numbers[:3])
    text = value.get("raw") or value.get("literal")
    return references.date_of(text) if isinstance(text, str) else None
