"""Writing to the reader: text made harmless, JSON that is always JSON, styles where there is a terminal for
them."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import click

from octavo.cli.outcome import usable_width

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

Span = tuple[str, str]
"""A piece of text and its style in rich's words (`bold`, `dim`); no style is the empty string."""

MAX_WIDTH = 100
"""Columns that are used at most: longer lines read badly."""

_BLANKS = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028\u2029]+")
_REMOVED = re.compile(r"[\u202a-\u202e\ufffe\uffff]")
_ISOLATES = re.compile(r"[\u2066-\u2069]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_JSON_UNSAFE = re.compile(r"[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def clean(text: str) -> str:
    """Text of a paper or a file name as one line that a terminal can be given.

    Control characters and line ends become blanks, direction overrides vanish, and isolates that are not
    closed too.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text
    text = _SURROGATES.sub("\ufffd", _REMOVED.sub("", text))
    if _ISOLATES.search(text) and not _is_closed(text):
        text = _ISOLATES.sub("", text)
    return _BLANKS.sub(" ", text).strip()


def _is_closed(text: str) -> bool:
    """Whether each direction isolate of the text ends in it."""
    depth = 0
    for sign in _ISOLATES.findall(text):
        depth += -1 if sign == "\u2069" else 1
        if depth < 0:
            return False
    return depth == 0


def dumps(value: object) -> str:
    """A value as one line of JSON, which no terminal and no encoding can be hurt by."""
    line = json.dumps(value, ensure_ascii=not _writes_unicode(), default=str)
    return _JSON_UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def _writes_unicode() -> bool:
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") == "utf8"


def write_json(value: object) -> None:
    """Write a value to stdout as one line of JSON."""
    click.echo(dumps(value))


def plural(number: int, noun: str, nouns: str = "") -> str:
    """`1 paper`, `2,345 papers`."""
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def _end_with_ellipsis(line: Text, width: int) -> None:
    """Cut a line, at a word's end where it can be, so that an ellipsis fits behind it."""
    line.rstrip()
    while line.cell_len >= width and " " in line.plain:
        line.right_crop(len(line.plain) - line.plain.rindex(" "))
    line.truncate(max(1, width - 1), overflow="crop")
    line.append("…")


class Page:
    """Lines for a reader, on stdout: styled on a terminal, plain elsewhere.

    `NO_COLOR` takes all styles away, `FORCE_COLOR` gives a pipe what a terminal gets.
    """

    @cached_property
    def is_terminal(self) -> bool:
        """Whether a person reads this."""
        return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()

    @cached_property
    def has_styles(self) -> bool:
        """Whether bold, dim and colours may be used."""
        return self.is_terminal and not os.environ.get("NO_COLOR")

    @cached_property
    def width(self) -> int:
        """Columns to use."""
        return min(usable_width(self._console.width), MAX_WIDTH)

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console  # late: most of a short command's time

        options: dict[str, Any] = {"force_terminal": True} if self.has_styles else {"color_system": None}
        console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True, **options)
        console.width = usable_width(console.width)
        return console

    def text(self, spans: Iterable[Span]) -> Text:
        """Spans as rich's text, their characters made harmless."""
        from rich.text import Text

        text = Text()
        for piece, style in spans:
            text.append(piece, style if self.has_styles else "")
        return text

    def line(
        self,
        *spans: Span | str,
        label: Span | None = None,
        indent: int = 0,
        most: int = 0,
        is_whole: bool = False,
    ) -> None:
        """Write spans as a paragraph, wrapped to the width.

        Args:
            spans: The pieces of the paragraph; a string is a span without style.
            label: What stands before its first line, as wide as `indent` at most.
            indent: Blanks before each line.
            most: Lines that it may have; what is over is cut with an ellipsis. 0 for any number.
            is_whole: Never wrap: an address or a command is to be copied.
        """
        text = self.text((span, "") if isinstance(span, str) else span for span in spans)
        room = max(10, self.width - indent)
        lines = [text] if is_whole else list(text.wrap(self._console, room, overflow="fold"))
        if most and len(lines) > most:
            _end_with_ellipsis(lines[most - 1], room)
        for n, line in enumerate(lines[: most or len(lines)]):
            line.rstrip()
            before = self.text([label] if label and not n else [])
            before.pad_right(max(0, indent - before.cell_len))
            self._write(before + line)

    def blank(self) -> None:
        """Write an empty line."""
        click.echo()

    def _write(self, line: Text) -> None:
        if not self.has_styles:
            click.echo(line.plain)
            return
        with self._console.capture() as captured:
            self._console.print(line, end="", soft_wrap=True)
        click.echo(captured.get(), color=True)
