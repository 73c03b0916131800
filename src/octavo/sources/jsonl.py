"""Octavo's own JSON lines: what an export holds, read back without loss.

A line is a record (`records.codec`), or a paper with the records that it is made of:

    {"source": "pmlr", "key": "v300/bee31a", "title": "Fast Tiles"}
    {"id": "p0123456789", "records": [{"source": "pmlr", "key": "v300/bee31a", "title": "Fast Tiles"}]}

A record keeps the source and key that it has, so that reading one's own export changes nothing. Of a paper's
line only the records count: all else in it follows from them.

A line may be of somebody else's making, so what no source would have let through goes here too: characters that can't
be shown, half a surrogate pair, an abstract that says there is none, an address that is no web address. Identifiers
are brought into their normal form; one that has no known form costs the record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from octavo.errors import FormatError, IdentifierError
from octavo.records.codec import record_from_dict
from octavo.records.ids import RECORD_SCHEME, Identifier, parse_identifier
from octavo.records.paper import LINK_KINDS, Record
from octavo.records.text import MARKUPS, is_placeholder
from octavo.sources.arrays import BROKEN
from octavo.sources.base import MAX_TEXT, Fault, Page, SourceInfo
from octavo.sources.entries import NOT_UTF8, BadEntry, cleaned, is_web_address, line_entries
from octavo.sources.streams import fetch_pages, line_pages

_NAME = "jsonl"
_SUFFIXES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz")
_SHOWN = 80
_FIRST_YEAR, _LAST_YEAR = 1400, 2999  # others are no years of an edition
_UNREADABLE = {id(BROKEN): "broken JSON", id(NOT_UTF8): "not UTF-8"}
# What a message shows of the value at hand; without it the same fault has the same reason.
_VALUE = re.compile(r" (?:the )?(number|string) .*?(?= where |$)", re.DOTALL)
# A message is a sentence, a reason a phrase.
_PHRASES = (
    ("A record is a JSON object, not ", "a record that is not a JSON object but "),
    ("A record has no field ", "unknown field "),
    ("The record has ", ""),
    ("The field ", ""),
    ("The record ", "the record "),
)


class JsonlSource:
    """Reads Octavo's own JSON lines."""

    info = SourceInfo(
        name=_NAME,
        title="Octavo's own JSON lines",
        covers="what an Octavo exported: every record as its source gave it",
        reads="a .jsonl or .jsonl.gz, or a folder of them",
        example="octavo add jsonl octavo-export.jsonl.gz",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the lines in pages.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, line_pages, _is_lines, kind="file of JSON lines (.jsonl or .jsonl.gz)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield the records of each line, or a Fault for a line or a record that can't be read."""
        for number, entry in line_entries(page):
            place = f"{page.place}, line {number}"
            try:
                mappings = _records_of(entry)
            except BadEntry as bad:
                yield Fault(place, str(bad), _name_of(entry))
                continue
            for mapping in mappings:
                try:
                    yield _record(mapping)
                except BadEntry as bad:
                    yield Fault(place, str(bad), _name_of(mapping) or _name_of(entry))


def _is_lines(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES)


def _records_of(entry: Any) -> list[Any]:
    if not isinstance(entry, dict):
        raise BadEntry(_UNREADABLE.get(id(entry), "not a JSON object"))
    if "records" not in entry:
        return [entry]
    records = entry["records"]
    if not isinstance(records, list):
        raise BadEntry("records is not a list")
    if not records:
        raise BadEntry("a paper without records")
    return records


def _record(mapping: Any) -> Record:
    try:
        record = record_from_dict(_fit(mapping))
    except FormatError as fault:
        raise BadEntry(_as_reason(fault.message)) from fault
    except RecursionError as fault:
        raise BadEntry("nested too deeply") from fault
    if not (record.source.strip() and record.key.strip() and record.title.raw.strip()):
        raise BadEntry("no source, key or title")
    for text in (record.title, record.abstract, record.summary, record.tldr):
        if text is not None and len(text.raw) > MAX_TEXT:
            raise BadEntry(f"a text is longer than {MAX_TEXT:,} characters")
        if text is not None and text.markup not in MARKUPS:
            raise BadEntry("a text is in a notation of an unknown name")
    abstract = None if record.abstract and is_placeholder(record.abstract.raw) else record.abstract
    identifiers = tuple(dict.fromkeys(map(_in_normal_form, record.identifiers)))
    links = tuple(link for link in record.links if link[0] in LINK_KINDS and is_web_address(link[1]))
    venue = record.venue
    if venue and venue.year is not None and not _FIRST_YEAR <= venue.year <= _LAST_YEAR:
        venue = replace(venue, year=None)
    if (abstract, identifiers, links, venue) == (record.abstract, record.identifiers, record.links, record.venue):
        return record
    return replace(record, abstract=abstract, identifiers=identifiers, links=links, venue=venue)


def _fit(value: Any) -> Any:
    """The value with every text in it cleaned that holds what can't be shown; others stay as they are."""
    if isinstance(value, str):
        return value if value.isprintable() else cleaned(value)
    if isinstance(value, list):
        return [_fit(part) for part in value]
    if isinstance(value, dict):
        return {name: _fit(part) for name, part in value.items()}
    return value


def _in_normal_form(identifier: Identifier) -> Identifier:
    if identifier.scheme == RECORD_SCHEME:
        return identifier
    try:
        return parse_identifier(str(identifier))[0]
    except IdentifierError as fault:
        raise BadEntry(f"{identifier.scheme} identifier of no known form") from fault


def _as_reason(message: str) -> str:
    for sentence, phrase in _PHRASES:
        if message.startswith(sentence):
            message = phrase + message.removeprefix(sentence)
    return _VALUE.sub(r" a \1", message.rstrip("."))


def _name_of(entry: Any) -> str:
    """A record's key, or its paper's id, as far as it can be told."""
    if isinstance(entry, dict):
        for field in ("key", "id", "title"):
            if isinstance(entry.get(field), str) and (name := cleaned(entry[field])):
                return name[:_SHOWN]
    return ""
