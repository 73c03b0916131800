"""TOML with lines: each key with the line that it stands in, and all faults of a file, not only the first.

`tomllib` tells neither. So the text is cut into statements (a header, or a key with its value, which may take several
lines), each is read by `tomllib` alone, and one that it refuses costs only itself. What is in order statement by
statement is read once more as a whole, so that nothing passes here that is no TOML elsewhere.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

MAX_BYTES = 256 * 1024
"""Thousands of wants are a tenth of that; what is larger was not written as a configuration."""
MOST_FAULTS = 50
"""Faults of form after which reading ends: more of them say that this is no TOML at all."""

Keys = tuple[str, ...]
"""The names that lead to a value: `("arxiv", "categories")`."""

_MOST_NAMES = 8
_SHOWN = 60
_TOKEN = re.compile(
    r"""\#[^\n]* | \"\"\"(?:\\.|[^\\])*?\"{3,5} | '''.*?'{3,5} | "(?:\\[^\n]|[^"\\\n])*" | '[^'\n]*'
    | [^\#"'\[\]{},\n]+ | .""",
    re.VERBOSE | re.DOTALL,
)
_NAMES = re.compile(r"""(?:"(?:\\[^\n]|[^"\\\n])*"|'[^'\n]*'|[^="'\n])*""")
_BEGINS = re.compile(r"^[ \t]*(?:\[\[?[ \t]*[\w.\"'-]+[ \t]*\]\]?[ \t]*(?:\#.*)?$|[\w.-]+[ \t]*=)", re.MULTILINE)
"""How a line looks that begins something, to go on at behind a value that never ends."""
_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")

_QUOTES = 'text stands in quotes: "like this"'
_PLAIN = (
    ("Invalid value", f"the value can't be read; {_QUOTES}"),
    ("Expected '='", "a `=` is missing between a key and its value"),
    ("Invalid date", "there is no such date or time"),
    ("Invalid statement", "this is neither `key = value` nor `[table]`"),
    ("Expected newline", f"there is something behind the value; {_QUOTES}"),
    ("Unclosed array", "the list is not closed by `]`, or a comma is missing in it"),
    ("Unclosed inline table", "the `{` is not closed by `}`, or a comma is missing"),
    ("Unterminated string", "the text is not closed by a quotation mark"),
    ('Expected "', "the text is not closed by a quotation mark"),
    ("Expected '\"", "the text is not closed by a quotation mark"),
    ('Expected "\'"', "the text is not closed by a quotation mark"),
    ("Unescaped '\\'", "a backslash is written twice, or the text put in 'single quotes'"),
    ("Expected ']'", "the table's name is not closed by `]`"),
    ("Exceeds the limit", "the number is too long"),
)
"""What `tomllib` says, as it begins, and what that means to somebody who writes the file."""


@dataclass(frozen=True, slots=True)
class ConfigFault:
    """One thing that is wrong with the configuration."""

    place: str
    """`octavo.toml`, or the name of a variable of the environment."""
    line: int
    """Counted from 1; 0 where it is about no line."""
    text: str
    """What is wrong and what would be right, as the rest of a sentence."""

    def __str__(self) -> str:
        where = f"{self.place}, line {self.line}" if self.line else self.place
        return f"{where}: {self.text}"


@dataclass(frozen=True, slots=True)
class Header:
    """`[arxiv]`."""

    keys: Keys
    line: int
    is_list: bool
    """`[[arxiv]]`."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key and its value."""

    keys: Keys
    value: object
    line: int
    item_lines: tuple[int, ...] = ()

    def line_of(self, item: int | None) -> int:
        """The line of an item of the value, where that is a list."""
        return self.line if item is None or item >= len(self.item_lines) else self.item_lines[item]


@dataclass(slots=True)
class Document:
    """What a file says, in its order, and what in it is no TOML."""

    place: str
    headers: list[Header] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    faults: list[ConfigFault] = field(default_factory=list)

    def fault(self, line: int, text: str) -> None:
        """Note a fault."""
        self.faults.append(ConfigFault(self.place, line, text))


def load_document(path: Path) -> Document:
    """Read a file; one that is not there is an empty document, one that can't be read a document with a fault."""
    document = Document(path.name)
    text = _load_text(path, document)
    return document if text is None else parse_document(text, document)


def shown(name: str) -> str:
    """A name out of a file, as a message may hold it."""
    name = name if name.isprintable() else ascii(name)[1:-1]
    return name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"


def _load_text(path: Path, document: Document) -> str | None:
    try:
        if not path.exists():
            if path.is_symlink():
                document.fault(0, "it is a link to a file that is not there")
            return None
        if not path.is_file():
            document.fault(0, f"it is {'a folder' if path.is_dir() else 'no file'}; it must be a text file")
            return None
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        document.fault(0, f"it can't be read: {getattr(error, 'strerror', None) or error}")
        return None
    if len(content) > MAX_BYTES:
        document.fault(0, f"it is larger than {MAX_BYTES // 1024} kB, which no configuration is")
        return None
    return _decoded(content, document)


def _decoded(content: bytes, document: Document) -> str | None:
    """The text, without the mark that some editors put before it."""
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        document.fault(1, "it is UTF-16; save it as UTF-8")
        return None
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start + 1) + 1
        document.fault(line, "there is a character that is not UTF-8; save the file as UTF-8")
        return None


def parse_document(text: str, document: Document) -> Document:
    """Put what a text says into a document, which is returned."""
    text = text.replace("\r\n", "\n")
    if "\r" in text:
        line = text.count("\n", 0, text.index("\r")) + 1
        document.fault(line, "a line ends with a carriage return alone; save the file with this system's line ends")
        text = text.replace("\r", "\n")
    reading = _Reading(document)
    position, line = 0, 1
    while position < len(text):
        if len(document.faults) >= MOST_FAULTS:
            document.fault(line, "nothing was read from here on, as there are so many faults")
            return document
        piece = text[position : _end(text, position)]
        taken = reading.take(piece, line)
        position += taken
        line += piece.count("\n", 0, taken)
    if not document.faults:
        try:
            tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            document.fault(*_told(error, 1, text))
    return document


class _Reading:
    """Takes statements, in order, into a document."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._table: Keys | None = ()
        """The table that keys belong to; None where that can't be told, or can have none."""
        self._lines: dict[tuple[bool, Keys], int] = {}

    def take(self, piece: str, line: int) -> int:
        """Take the statement that `piece` is, or its beginning where it can't be read; returns its length."""
        is_header = piece.lstrip().startswith("[")
        try:
            found = _parse(piece)
        except (ValueError, RecursionError) as error:
            if again := _BEGINS.search(piece, piece.find("\n") + 1 or len(piece)):
                return self.take(piece[: again.start()], line)
            at, text = _told(error, line, piece)
            key = "" if is_header else piece.partition("=")[0].strip()
            named = f"`{shown(key)}`: " if "=" in piece and re.fullmatch(r"[\w.-]+", key) else ""
            self._document.fault(at, named + text)
            if is_header:
                self._table = None
            return len(piece)
        if is_header:
            self._header(found, line)
        elif found and self._table is not None:
            self._entries(found, piece, line)
        return len(piece)

    def _header(self, found: dict[str, object], line: int) -> None:
        keys: list[str] = []
        inner: object = found
        while isinstance(inner, dict) and inner:
            ((key, inner),) = inner.items()
            keys.append(key)
        header = Header(tuple(keys), line, isinstance(inner, list))
        self._document.headers.append(header)
        self._table = None if header.is_list else header.keys
        if not header.is_list:
            self._once(True, header.keys, line, f"[{shown('.'.join(keys))}]", "put its keys together there")

    def _entries(self, found: dict[str, object], piece: str, line: int) -> None:
        for keys, value in _leaves(found):
            whole = (*(self._table or ()), *keys)
            items = tuple(line + n for n in _item_lines(piece)) if isinstance(value, list) else ()
            if not isinstance(value, list) or len(items) != len(value):
                items = ()
            if self._once(False, whole, line, f"`{shown(keys[-1])}`", "keep one of them"):
                self._document.entries.append(Entry(whole, value, line, items))

    def _once(self, is_header: bool, keys: Keys, line: int, name: str, advice: str) -> bool:
        """Whether this is the first of its name; else that is a fault."""
        first = self._lines.setdefault((is_header, keys), line)
        if first == line:
            return True
        self._document.fault(line, f"{name} stands in line {first} already; {advice}")
        return False


def _parse(piece: str) -> dict[str, object]:
    names = _NAMES.match(piece)
    if names and names[0].count(".") > _MOST_NAMES and not piece.lstrip().startswith("#"):
        raise ValueError("the name has too many parts")  # tomllib's time grows with the cube of their number
    return tomllib.loads(piece.removesuffix("\n"))


def _end(text: str, start: int) -> int:
    """Where the statement ends that begins at `start`: behind the end of a line outside of brackets and texts."""
    line_end = text.find("\n", start) + 1 or len(text)
    if text[start:line_end].lstrip().startswith(("[", "#")):
        return line_end
    depth = 0
    for token in _TOKEN.finditer(text, start):
        sign = token[0]
        depth += (sign in ("[", "{")) - (sign in ("]", "}"))
        if sign == "\n" and depth <= 0:
            return token.end()
    return len(text)


def _item_lines(piece: str) -> Iterator[int]:
    """For each item of the list that a statement's value is, how many lines below the statement's first it begins."""
    depth = line = 0
    is_due = False
    for token in _TOKEN.finditer(piece, piece.find("=") + 1):
        sign = token[0]
        if is_due and depth == 1 and sign not in (",", "]") and not sign.startswith("#") and sign.strip():
            yield line
            is_due = False
        depth += (sign in ("[", "{")) - (sign in ("]", "}"))
        is_due = is_due or (depth == 1 and sign in ("[", ","))
        line += sign.count("\n")


def _leaves(found: dict[str, object]) -> Iterator[tuple[Keys, object]]:
    """Every value that is no table with something in it, and the names that lead to it."""
    waiting: list[tuple[Keys, object]] = [((key,), value) for key, value in reversed(found.items())]
    while waiting:
        keys, value = waiting.pop()
        if isinstance(value, dict) and value:
            waiting += [((*keys, key), inner) for key, inner in reversed(value.items())]
        else:
            yield keys, value


def _told(error: Exception, line: int, piece: str) -> tuple[int, str]:
    """The line and the plain words of what `tomllib` says of a statement that begins in `line`."""
    if isinstance(error, RecursionError):
        return line, "the brackets are nested too deeply"
    message = str(error)
    place = _PLACE.search(message)
    message = message[: place.start()] if place else message
    if message.startswith("Expected newline") and re.search(r"=\s*\d{4}-\d", piece):
        message = "Invalid date"
    if message == "Invalid value":
        value = piece.partition("=")[2].strip()
        if not value or value.startswith("#"):
            return line, "there is no value behind the `=`"
        if value.startswith("[") and place and not place[1]:  # it ended where an item should be
            message = "Unclosed array"
    plain = next((text for begins, text in _PLAIN if message.startswith(begins)), None)
    if plain is None and "character '" in message:
        plain = f"there is a character that can't stand here: {message.partition('character ')[2]}"
    if plain is None:
        plain = message[:1].lower() + message[1:]
    return line + (int(place[1]) - 1 if place and place[1] else 0), plain
