"""Saved answers of web services in JSON: one answer, a list, or one a line, and the reading of their fields.

Shared by the sources of services (OpenReview, Crossref, OpenAlex, Semantic Scholar).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from octavo.errors import FormatError, TruncatedFileError
from octavo.records.ids import Identifier
from octavo.records.names import NOBODY, Author, normal_orcid, parse_author
from octavo.records.paper import MAX_REFERENCES, Record
from octavo.sources import entries
from octavo.sources.arrays import BROKEN, FIRST, array_entries, array_pages
from octavo.sources.base import MAX_TEXT, Fault, Page
from octavo.sources.entries import NOT_UTF8, BadEntry, Entry
from octavo.sources.streams import MAX_ENTRY, Member, check_encoding, fetch_pages, line_pages, whole_page

_SUFFIXES = tuple(f"{kind}{packed}" for kind in (".json", ".jsonl", ".ndjson") for packed in ("", ".gz", ".bz2", ".xz"))
_HEAD = 64 * 1024
_MAX_ERROR = 4096
_ERROR_MARKS = ('"error"', '"message"')
_EMPTY = re.compile(rb"[\[\]{},\s]|null")
_ERROR_FIELDS = ("code", "status", "name", "statusCode")
_DECODER = json.JSONDecoder(strict=False)
_BLANKS = re.compile(r"\s*")
_ELEMENT = re.compile(r"<(?:mml:|jats:|math\b)")
_SHOWN = 80


def fetch_answers(target: Path, marks: Sequence[str], site: str) -> Iterator[Page]:
    """Yield the saved answers of a file, or of the files of a folder or archive, in pages.

    `marks` are texts (`"paperId"`) of which an answer of this `site` has one near its start.

    Raises:
        SourceError: of the kind that fits; FormatError where none of the marks is there.
    """

    def split(member: Member) -> Iterator[Page]:
        return answer_pages(member, marks, site)

    kind = "file of JSON answers (.json or .jsonl)"
    yield from fetch_pages(target, split, lambda name: name.lower().endswith(_SUFFIXES), kind=kind)


def answer_pages(member: Member, marks: Sequence[str], site: str) -> Iterator[Page]:
    """Yield the answers of one member in pages; see `fetch_answers`."""
    check_encoding(member)
    head = member.stream.peek(_HEAD)
    text = head.lstrip()
    # A service's error is short; the same word deep in another's answer says nothing.
    known = any(mark.encode() in head for mark in (marks if len(head) > _MAX_ERROR else (*marks, *_ERROR_MARKS)))
    if text and not known and _EMPTY.sub(b"", text):
        raise FormatError(
            f"{member.place} holds no answer of {site}: it begins with {text[:20]!r}.",
            hint="Is it another source's? `octavo add --help` lists them.",
        )
    first, _, rest = text.partition(b"\n")
    if text.startswith(b"["):
        several = first.rstrip().endswith(b"]") and rest.strip().startswith(b"[")
        yield from (_whole(member) if several else array_pages(member))
    elif rest.strip() and first.rstrip()[-1:] in (b"{", b"[", b",", b":"):
        yield from _whole(member)  # one answer on many lines
    else:
        yield from line_pages(member)


def _whole(member: Member) -> Iterator[Page]:
    page = whole_page(member, limit=MAX_ENTRY)
    yield page
    if _breaks_off(page.content.decode("utf-8", "replace").rstrip()):
        raise TruncatedFileError(f"{member.place} ends too early: its JSON breaks off.", hint="Get the file again.")


def _breaks_off(text: str) -> bool:
    """Whether the last JSON value of a text is cut, rather than broken somewhere inside."""
    end = 0
    try:
        while end < len(text):
            _, end = _DECODER.raw_decode(text, _BLANKS.match(text, end).end())  # type: ignore[union-attr]
    except json.JSONDecodeError as fault:
        # A word such as `false` that is cut is blamed on its first letter.
        return fault.msg.startswith("Unterminated") or fault.pos >= len(text) - len("false,")
    except (ValueError, RecursionError):
        return False
    return False


def parse_answers(
    page: Page,
    key: str,
    items: Callable[[Entry], list[Any] | None],
    make: Callable[[Entry], Record],
    passed_over: Callable[[Any], bool] = lambda _: False,
) -> Iterator[Record | Fault]:
    """Yield a Record or a Fault for each paper of a page of answers, as `answer_pages` or a service gave it.

    `items` gives the papers of an answer that holds several, else None; `make` makes a record of a paper or raises
    BadEntry; `passed_over` says what is neither. `key` is the field that names an entry in faults.
    """
    for unit, number, answer in _answers(page):
        within = answer if isinstance(answer, list) else items(answer) if isinstance(answer, dict) else None
        inner, numbered = page, enumerate([answer] if within is None else within, number if within is None else 1)
        if within is not None and unit:
            inner = replace(page, place=f"{page.place}, {unit} {number}")
        unit = (within is None and unit) or "entry"
        for place, item in numbered:
            if item is None:
                yield Fault(f"{inner.place}, {unit} {place}", "not found")
            elif (message := _error(item)) is not None:
                yield Fault(f"{inner.place}, {unit} {place}", "an error in the place of a paper", message)
            elif not passed_over(item):
                yield from entries.parse_entries(((place, item),), inner, unit, key, make)


def _error(item: Any) -> str | None:
    """What a service says in the place of an answer; None where the item is no such thing."""
    if not isinstance(item, dict):
        return None
    if not item.get("error") and not ("message" in item and any(name in item for name in _ERROR_FIELDS)):
        return None
    message = item.get("error") or item.get("message")
    if isinstance(message, list) and message and isinstance(message[0], dict):
        message = message[0].get("message")
    return entries.cleaned(message[:MAX_TEXT])[:_SHOWN] if isinstance(message, str) else ""


def _answers(page: Page) -> Iterator[tuple[str, int, Any]]:
    """Yield (unit, number, answer); no unit where the page is one answer. BROKEN or NOT_UTF8 stands for what can't be
    read."""
    if page.line:
        yield from (("line", number, answer) for number, answer in entries.line_entries(page))
        return
    values = list(_values(page.content))
    is_list = page.content.lstrip().startswith(b"[")
    if is_list and BROKEN in values:
        # A list that is broken in one entry is read but for that.
        try:
            yield from (("entry", number, answer) for number, answer in array_entries(page))
        except FormatError:
            yield "entry", 1, BROKEN
    elif len(values) == 1 and isinstance(values[0], list):
        first = int(dict(page.context).get(FIRST, "1"))  # a page may be a part of a long list
        yield from (("entry", number, answer) for number, answer in enumerate(values[0], first))
    else:
        unit = "answer" if len(values) > 1 else ""
        yield from ((unit, number, value) for number, value in enumerate(values, 1))


def _values(content: bytes) -> Iterator[Any]:
    """The JSON values of a text, one behind the other; BROKEN or NOT_UTF8 last where it can't be read further."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        yield NOT_UTF8
        return
    end = 0
    while (begin := _BLANKS.match(text, end).end()) < len(text):  # type: ignore[union-attr]  # it always matches
        try:
            value, end = _DECODER.raw_decode(text, begin)
        except (ValueError, RecursionError):
            yield BROKEN
            return
        yield value


# What fields of answers hold. Each raises BadEntry, as those of `octavo.sources.entries` do.


def part(entry: Entry, field: str) -> Entry:
    """A field that is an object; an empty one where it is absent or null."""
    value = entry.get(field)
    if isinstance(value, dict):
        return value
    if value is None or value == []:
        return {}
    raise BadEntry(f"{field} is not an object")


def objects(entry: Entry, field: str) -> list[Entry]:
    """A field that is a list of objects; an empty one where it is absent or null."""
    value = entry.get(field)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise BadEntry(f"{field} is not a list of objects")
    return value


def count(entry: Entry, field: str) -> int | None:
    """A field that is a number of things; None where it is absent or no such number."""
    value = entry.get(field)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9 else None


def cited(entry: Entry, field: str, read: Callable[[Entry], Identifier | None]) -> tuple[Identifier, ...]:
    """The works that a list of references names, each once, in order, MAX_REFERENCES at most.

    `read` gives the identifier of one; where it raises BadEntry, and where the list is none, nothing is said of the
    paper itself, which is kept.
    """
    listed = entry.get(field)
    found: dict[Identifier, None] = {}
    for one in listed if isinstance(listed, list) else ():
        try:
            identifier = read(one) if isinstance(one, dict) else None
        except BadEntry:
            continue
        if identifier is not None:
            found[identifier] = None
            if len(found) == MAX_REFERENCES:
                break
    return tuple(found)


def distinct(identifiers: Iterable[Identifier | None]) -> tuple[Identifier, ...]:
    """The identifiers that are there, each once, in order."""
    return tuple(dict.fromkeys(one for one in identifiers if one is not None))


def named(name: str, *, ids: tuple[str, ...] = (), orcid: str = "", affiliations: Iterable[str] = ()) -> Author:
    """An author whose whole name is given; NOBODY where it names no one or is an e-mail address."""
    person = NOBODY if "@" in name else parse_author(name)
    if not person.name or not (ids or orcid or affiliations):
        return person
    places = tuple(filter(None, map(entries.cleaned, affiliations))) or person.affiliations
    return replace(person, ids=person.ids + ids, orcid=normal_orcid(orcid), affiliations=places)


def people(authors: Iterable[Author]) -> tuple[tuple[Author, ...], bool]:
    """The authors, and whether a name that names no one (`et al.`, `Anonymous`) says that some are missing."""
    given = tuple(authors)
    known = tuple(person for person in given if person.name)
    return known, len(known) < len(given)


def markup(entry: Entry, field: str) -> str:
    """The notation of a text that a service hands on as publishers and preprint servers gave it: XML where it has
    elements of MathML or JATS, else a mix."""
    return "xml" if _ELEMENT.search(entries.string(entry, field)) else "mixed"
