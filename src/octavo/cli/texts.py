"""What a reader pasted, as the texts to identify. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.errors import IdentifierError
from octavo.records.ids import parse_identifier

_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")
_OWN_ID = re.compile(r"p[0-9a-z]{12}")
_YEAR = re.compile(r"(?<![\d.:/])(?:19|20)\d\d[a-z]?(?![\d/]|\.\d)")
_NUMBERED = re.compile(r"(?:\[\w[\w+-]{0,11}\]|\(\d{1,3}\)|\d{1,3}\.|[-*•])\s+(?=\S)")
_NAME = r"[^\W\d_][\w'’-]*"
_AUTHORS_FIRST = re.compile(
    # `Bee, A.`, `A. Bee`, `Ann Bee, Cy Dee`, `Bee et al.`, `Bee and Dee`
    rf"(?:{_NAME}(?: {_NAME})?, (?:[A-Z]\.|{_NAME} {_NAME})|(?:[A-Z]\.[ -]?)+{_NAME}|{_NAME}(?: {_NAME})? et al\b"
    rf"|{_NAME} (?:and|&) {_NAME}\b)"
)
_LEAST_WORDS = 4


def split_texts(pasted: str) -> list[str]:
    """Part pasted text into the texts that it holds.

    Empty lines part texts. A block whose every line is an identifier or a web address gives one text a line, and so
    does a list of references, each on a line of its own or with a number before it; a text that is only wrapped stays
    whole.

    >>> split_texts("2101.00010\\nP18-1001\\n\\nA floor that is\\nlaid slowly.\\n")
    ['2101.00010', 'P18-1001', 'A floor that is\\nlaid slowly.']
    >>> split_texts("[1] A. Bee. Slow floors. 2031.\\n[2] C. Dee. Fast\\nfloors. 2032.")
    ['[1] A. Bee. Slow floors. 2031.', '[2] C. Dee. Fast\\nfloors. 2032.']
    """
    texts: list[str] = []
    for block in _EMPTY_LINES.split(pasted.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if len(lines) > 1 and (all(map(_is_identifier, lines)) or all(map(_is_reference, lines))):
            texts += lines
        elif len(items := _numbered(lines)) > 1:
            texts += items
        elif lines:
            texts.append(block.strip())
    return texts


def _is_identifier(line: str) -> bool:
    if _OWN_ID.fullmatch(line):
        return True
    try:
        parse_identifier(line)
    except IdentifierError:
        return False
    return True


def _numbered(lines: Sequence[str]) -> list[str]:
    """The items of a list of references with numbers before them, which may go on over lines; none of other texts."""
    if not lines or not _NUMBERED.match(lines[0]):
        return []
    items: list[list[str]] = []
    for line in lines:
        if _NUMBERED.match(line):
            items.append([])
        items[-1].append(line)
    texts = ["\n".join(item) for item in items]
    return texts if all(map(_YEAR.search, texts)) else []


def _is_reference(line: str) -> bool:
    """Whether a line is a reference of its own, or an identifier among them.

    It has a year, and begins with a number or with authors, or ends with a full stop after a capital at its start: a
    line in the middle of a wrapped text does one or the other by chance, but hardly all lines of a text do.
    """
    if _is_identifier(line):
        return True
    if len(line.split()) < _LEAST_WORDS or not _YEAR.search(line):
        return False
    if _NUMBERED.match(line) or _AUTHORS_FIRST.match(line):
        return True
    return line.endswith(".") and line[0].isupper()
