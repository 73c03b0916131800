"""Reading the entries of a page: from JSON values to fields that a Record may hold.

What a source sends may be of any type and hold anything. These functions give clean text or raise BadEntry,
which costs the one entry and is counted by its reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from octavo.records.cleaning import cleaned as cleaned  # other sources clean by it too
from octavo.records.text import Text, is_placeholder
from octavo.sources.arrays import BROKEN
from octavo.sources.base import MAX_TEXT, Fault, Page

Entry = dict[str, Any]
T = TypeVar("T")

_URL = re.compile(r"https?://[^\s/?#<>\"]+\.[^\s<>\"]*", re.IGNORECASE)
_WORD = re.compile(r"(?<![\\A-Za-z</])[A-Za-z]{2}|[0-9]|[^\x00-\x7f]")
"""What shows something in every notation; macros and tags may not."""
_SHORT = 150
"""A longer text is no placeholder, be it all tags but for that."""
_SHOWN = 80


class BadEntry(Exception):  # noqa: N818 - reads as a statement
    """An entry that makes no record; its only argument is the reason, the same for the same fault."""


def parse_entries(
    entries: Iterable[tuple[int, Any]], page: Page, unit: str, key: str, make: Callable[[Entry], T]
) -> Iterator[T | Fault]:
    """Yield what `make` makes of each entry, or a Fault where it raises BadEntry.

    `unit` (`entry`, `line`) and the number say where a fault is, the field `key` or the title which entry it
    is.
    """
    for number, entry in entries:
        try:
            yield make(_checked(entry))
        except BadEntry as bad:
            yield Fault(f"{page.place}, {unit} {number}", str(bad), _name_of(entry, key))


def line_entries(page: Page) -> Iterator[tuple[int, Any]]:
    """Yield (line, entry) for each line of a page of JSON lines; BROKEN or NOT_UTF8 in place of one that
    can't be read."""
    # A line ends at a line feed and nowhere else: JSON may hold U+2028 as it is.
    for number, line in enumerate(page.content.split(b"\n"), page.line or 1):
        if not line or line.isspace():
            continue
        try:
            yield number, json.loads(line, strict=False)
        except UnicodeDecodeError:
            yield number, NOT_UTF8
        except (ValueError, RecursionError):
            yield number, BROKEN


NOT_UTF8 = object()
"""Stands for a line that is not UTF-8."""


def _checked(entry: Any) -> Entry:
    if isinstance(entry, dict):
        return entry
    if entry is BROKEN:
        raise BadEntry("broken JSON")
    raise BadEntry("not UTF-8" if entry is NOT_UTF8 else "not a JSON object")


def _name_of(entry: object, key: str) -> str:
    if not isinstance(entry, dict):
        return ""
    for field in (key, "title"):
        value = entry.get(field)
        if isinstance(value, str | int | float) and not isinstance(value, bool) and (name := cleaned(str(value))):
            return name[:_SHOWN]
    return ""


def string(entry: Entry, field: str) -> str:
    """A field as it is; empty where it is absent or null.

    Raises:
        BadEntry: it is no text, or longer than MAX_TEXT.
    """
    value = entry.get(field)
    if isinstance(value, str):
        if len(value) > MAX_TEXT:
            raise BadEntry(f"{field} is longer than {MAX_TEXT:,} characters")
        return value
    if value is None or value == []:
        return ""
    raise BadEntry(f"{field} is not text")


def line(entry: Entry, field: str) -> str:
    """A field as clean text on one line; empty where it is absent. Raises BadEntry as `string` does."""
    value = string(entry, field)
    return cleaned(value) if value else ""


def check_name(parts: Iterable[object], field: str) -> None:
    """Check the parts of an author's name, which `octavo.records.names` cleans.

    Raises:
        BadEntry: one is no text, or all together are longer than MAX_TEXT.
    """
    length = 0
    for part in parts:
        if not isinstance(part, str):
            raise BadEntry(f"{field} holds a name that is not text")
        length += len(part)
    if length > MAX_TEXT:
        raise BadEntry(f"{field} holds a name longer than {MAX_TEXT:,} characters")


def number_text(entry: Entry, field: str) -> str:
    """A field that may be a whole number or text (a volume, a page), as clean text.

    Raises:
        BadEntry: it is neither.
    """
    value = entry.get(field)
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**9:
        return str(value)
    return line(entry, field)


def year(entry: Entry, field: str) -> int | None:
    """A field that holds a year, as a number or as text; None where it is absent or no year."""
    text = number_text(entry, field)
    return int(text) if len(text) == 4 and text.isascii() and text.isdigit() and 1000 <= int(text) <= 2999 else None


def title(entry: Entry, markup: str, field: str = "title") -> Text:
    """The title.

    Raises:
        BadEntry: there is none, or as `string` does.
    """
    value = string(entry, field)
    made = Text.of(value, markup) if value else None
    # Reading a notation takes long, and only what has no word in it can come to nothing.
    if not made or (made.markup != "plain" and not _WORD.search(made.raw) and not made.plain):
        raise BadEntry("no title")
    return made


def text(entry: Entry, field: str, markup: str) -> Text | None:
    """A text such as an abstract; None where it is absent or stands for an absent one. Raises BadEntry as
    `string` does."""
    value = string(entry, field)
    return said(Text.of(value, markup)) if value else None


def said(text: Text) -> Text | None:
    """A text, or None where it is empty or stands for an absent one, whatever notation that is in."""
    if not text or is_placeholder(text.raw):
        return None
    is_short = text.markup != "plain" and len(text.raw) < _SHORT
    return None if is_short and is_placeholder(text.plain) else text


def url(entry: Entry, field: str) -> str:
    """A field's web address, http or https; empty where it is absent or anything else."""
    value = line(entry, field)
    return value if is_web_address(value) else ""


def is_web_address(text: str) -> bool:
    """Whether a text is an address that a page may link to: http or https, with a host, without blanks."""
    return bool(text) and _URL.fullmatch(text) is not None
