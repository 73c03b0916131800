"""JSON arrays as pages and pages as entries.

A list of papers is a JSON array, bare (`[{...}, ...]`) or under one key of an object (`{"year": 2031,
"papers": [...]}`). One of a few megabytes is one page as it is. A larger one is cut into pages of some
hundred entries while it is read, and so is one that breaks off, so that what is complete of it is not lost.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from typing import Any

from octavo.errors import (
    EmptyFileError,
    EncodingError,
    FormatError,
    LimitError,
    SourceError,
    TruncatedFileError,
)
from octavo.sources.base import Page
from octavo.sources.packed import CHUNK, Stream
from octavo.sources.streams import MAX_ENTRY, MAX_WHOLE, PAGE_BYTES, Context, Member, check_encoding

FIRST = "first"
"""The key of `Page.context` that says which entry of its array a page begins with, counted from 1."""
MARK = "mark"
"""The key of `Page.context` that holds the key with which the entries of the array begin."""

BROKEN = object()
"""Stands for an entry that is no JSON."""

_HEAD = 512
_BLANKS = re.compile(r"\s*")
_FIRST_KEY = re.compile(r'\{\s*"((?:[^"\\]|\\.)*)"\s*:')
_DECODER = json.JSONDecoder(strict=False)  # Control characters in strings are cleaned later; they cost no entry.
_CLOSING = {"[": "]", "{": "}"}
_AGAIN = "Get the file again."
_HINT = "Is it another source's? `octavo add --help` lists them."


def array_pages(member: Member, key: str = "", *, context: Context = ()) -> Iterator[Page]:
    """Yield a member that holds a JSON array of papers, bare or under `key` of an object.

    Raises:
        EmptyFileError: nothing but blanks.
        EncodingError: not UTF-8; says where. What is before that place is given out.
        FormatError: no such array in it, or an entry is no JSON and no later one can be found.
        LimitError: an entry longer than MAX_ENTRY.
        TruncatedFileError, CompressionError: after all complete entries.
    """
    check_encoding(member)
    reader = _Reader(member.stream, member.place)
    whole = reader.read_whole(key)
    if whole is not None:
        yield Page(content=whole, place=member.place, done=member.done(), context=context)
        return
    mark = reader.enter_array(key)
    first = 1
    entries: list[str] = []
    size = 0
    fault: SourceError | None = None
    entry: str | None = ""
    while entry is not None:
        try:
            entry = reader.next_entry(first + len(entries))
        except SourceError as raised:
            fault, entry = raised, None
        if entry is not None:
            entries.append(entry)
            size += len(entry)
        if entries and (entry is None or size >= PAGE_BYTES):
            content = ("[" + ",\n".join(entries) + "]").encode("utf-8", "surrogatepass")
            about = (*context, (FIRST, str(first)), (MARK, mark))
            yield Page(content=content, place=member.place, done=member.done(), context=about)
            first += len(entries)
            entries, size = [], 0
    fault = fault or reader.finish()
    if fault is not None:
        raise fault


def array_entries(page: Page, key: str = "") -> Iterator[tuple[int, Any]]:
    """Yield (number, entry) for each entry of a page of `array_pages`; BROKEN in place of one that is no
    JSON.

    Raises:
        FormatError: the page holds no such array.
    """
    context = dict(page.context)
    first = int(context.get(FIRST, "1"))
    try:
        value = json.loads(page.content, strict=False)
    except (ValueError, RecursionError):
        yield from _sound_entries(page, key, first, context.get(MARK, ""))
        return
    entries = value.get(key) if isinstance(value, dict) else value
    if not isinstance(entries, list):
        raise _no_list(page.place, key)
    yield from enumerate(entries, first)


def _sound_entries(page: Page, key: str, first: int, mark: str) -> Iterator[tuple[int, Any]]:
    """The entries of a page that is no JSON as a whole: the broken ones are named, the others are read."""
    reader = _Reader(Stream(iter((page.content,))), page.place, mark)
    try:
        reader.read_whole(key)
        reader.enter_array(key)
    except SourceError as fault:
        raise FormatError(fault.message, hint=_HINT) from fault
    number = first
    while True:
        try:
            entry = reader.next_entry(number)
        except SourceError:
            # What follows can't be told apart any more; fetching has said so where the file is cut.
            yield number, BROKEN
            return
        if entry is None:
            return
        try:
            yield number, json.loads(entry, strict=False)
        except (ValueError, RecursionError):
            yield number, BROKEN
        number += 1


def _no_list(place: str, key: str) -> FormatError:
    under = f' under "{key}"' if key else ""
    return FormatError(f"{place} holds no list of papers{under}.", hint=_HINT)


class _Reader:
    """Reads the text of an array as far as is needed; what is before `_at` is used up."""

    def __init__(self, stream: Stream, place: str, mark: str = "") -> None:
        """Read from `stream`. `mark` is the first key of the entries, where it is known."""
        self._stream = stream
        self._place = place
        self._mark = mark
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self._text = ""
        self._at = 0
        self._bytes = 0
        self._fault: SourceError | None = None
        self._ended = False
        self._unfinished = False

    def read_whole(self, key: str) -> bytes | None:
        """All bytes, where they are few and look complete; else None. The text is kept in either case."""
        parts: list[bytes] = []
        size = 0
        while size <= MAX_WHOLE and (chunk := self._read(CHUNK)):
            parts.append(chunk)
            size += len(chunk)
        content = b"".join(parts)
        self._text = text = self._decode(content)
        begins, ends = text[:_HEAD].lstrip()[:1], text[-_HEAD:].rstrip()[-1:]
        if self._ended and not text.strip():
            raise self._fault or EmptyFileError(f"{self._place} is empty.", hint=_AGAIN)
        if begins not in _CLOSING:
            raise FormatError(f"{self._place} is no JSON list: it begins with {text[:20]!r}.", hint=_HINT)
        if not self._ended or self._fault is not None or ends != _CLOSING[begins]:
            return None
        if begins == "{" and f'"{key}"' not in text:
            raise _no_list(self._place, key)
        return content

    def enter_array(self, key: str) -> str:
        """Go behind the bracket that opens the array; return the first key of its entries.

        Raises:
            FormatError: there is no such array.
        """
        if self._next_char() == "{":
            self._at += 1
            while self._next_char() == '"':
                name = self._header(key)
                if self._next_char() != ":":
                    raise self._at_end() or _no_list(self._place, key)
                self._at += 1
                if name == key:
                    break
                self._next_char()
                self._header(key)
                if self._next_char() == ",":
                    self._at += 1
        if self._next_char() != "[":
            raise self._at_end() or _no_list(self._place, key)
        self._at += 1
        self._next_char()
        found = _FIRST_KEY.match(self._text, self._at)
        self._mark = self._mark or (found[1] if found else "")
        return self._mark

    def next_entry(self, number: int) -> str | None:
        """The text of the next entry, as it is where it is broken; None at the end of the array.

        Raises:
            SourceError: see `array_pages`.
        """
        while (char := self._next_char()) == ",":
            self._at += 1
        if char == "]":
            return None
        end = self._end_of_value() if char else None
        if end is None:
            # A cut leaves one entry unfinished; where another begins behind it, this one lost a bracket.
            end = self._next_mark(number)
        entry = self._text[self._at : end].rstrip(", \t\r\n")
        self._at = end
        return entry

    def finish(self) -> SourceError | None:
        """Read what is behind the array, to find out whether the whole was sound."""
        while self._more():
            self._at = len(self._text)
        return self._fault

    def _header(self, key: str) -> Any:
        """A key or a value before the array."""
        end = self._end_of_value()
        if end is None:
            raise self._at_end() or _no_list(self._place, key)
        value, self._at = json.loads(self._text[self._at : end], strict=False), end
        return value

    def _end_of_value(self) -> int | None:
        """Where the JSON value that begins here ends; more is read where it breaks off. None where it is
        none."""
        while True:
            try:
                _, end = _DECODER.raw_decode(self._text, self._at)
            except (ValueError, RecursionError) as fault:
                position = getattr(fault, "pos", self._at)
                self._unfinished = str(fault).startswith("Unterminated") or position >= len(self._text) - 12
                if not self._unfinished or len(self._text) - self._at > MAX_ENTRY or not self._more():
                    return None
            else:
                # A number at the end of what was read may go on.
                closed = self._text[end - 1] in '}]"' or self._text[end : end + 1] in tuple(",]} \t\r\n")
                if closed or not self._more():
                    return end

    def _next_mark(self, number: int) -> int:
        """Where the entry after a broken one begins: at a bracket with the key with which all entries begin.

        Raises:
            SourceError: there is none, because the text was cut, or for good.
        """
        pattern = re.compile(r'\{\s*"' + re.escape(self._mark) + r'"\s*:') if self._mark else None
        found = None
        while pattern and (found := pattern.search(self._text, self._at + 1)) is None:
            if len(self._text) - self._at > MAX_ENTRY:
                raise LimitError(
                    f"{self._place}, entry {number} is longer than {MAX_ENTRY >> 20} MB.",
                    hint="Is it a list of papers?",
                )
            if not self._more():
                break
        if found is None:
            raise self._at_end() or FormatError(
                f"{self._place}, entry {number} is broken JSON, and so is all that follows.", hint=_AGAIN
            )
        return found.start()

    def _next_char(self) -> str:
        """The next character that is no blank, not taken; empty at the end."""
        while True:
            blanks = _BLANKS.match(self._text, self._at)
            self._at = blanks.end() if blanks else self._at
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def _more(self) -> bool:
        """Read on; tell whether there was anything."""
        chunk = self._read(max(CHUNK, len(self._text) - self._at))
        if not chunk:
            return False
        self._text = self._text[self._at :] + self._decode(chunk)
        self._at = 0
        return True

    def _read(self, size: int) -> bytes:
        if self._ended:
            return b""
        try:
            chunk = self._stream.read_exactly(size)
        except SourceError as fault:
            self._fault, chunk = fault, b""
        self._ended = not chunk
        return chunk

    def _decode(self, chunk: bytes) -> str:
        """The chunk as text, as far as it is UTF-8; where it is not, this is the end, and why."""
        try:
            text = self._decoder.decode(chunk)
        except UnicodeDecodeError as fault:
            # The decoder puts the start of a character that the last chunk broke off before this one.
            offset = self._bytes + fault.start - (len(fault.object) - len(chunk))
            text = fault.object[: fault.start].decode()
            self._ended = True
            self._fault = self._fault or EncodingError(
                f"{self._place} is not UTF-8: byte {offset} is 0x{fault.object[fault.start]:02x}.",
                hint="Save it as UTF-8.",
            )
        self._bytes += len(chunk)
        return text

    def _at_end(self) -> SourceError | None:
        """Why the text ends here; None where it does not."""
        if not self._ended or (self._at < len(self._text) and not self._unfinished):
            return None
        return self._fault or TruncatedFileError(f"{self._place} ends too early: its JSON breaks off.", hint=_AGAIN)
