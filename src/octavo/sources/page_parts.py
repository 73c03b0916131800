"""A saved page in parts: several pages may have been put into one file, and prose may stand between entries.

A page is parted at the headings of its kinds (`ICML 2025 Papers`, `论文检索`) and where a daily reader's entries begin
below another kind's. Each part is read as a page of its own. Prose that no entry has is given out as well, so that
nothing of the size of an abstract is lost without a word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from octavo.sources.page_daily import has_folds
from octavo.sources.page_furniture import is_furniture
from octavo.sources.page_kinds import Content, is_kind_heading, read_lines
from octavo.sources.page_lines import Entry, Line, abstract_of, is_complete, is_prose, join, number_lines

STRAY_WORDS = 40
"""Words from which on prose must belong to an entry; an introduction or a notice has fewer."""
_STRAY_LETTERS = 60
"""The same for Chinese, which has no blanks."""


@dataclass(frozen=True, slots=True)
class Part:
    """One page of those in a file: what it holds, and the first lines of the prose that is in none of its entries."""

    content: Content
    strays: tuple[Line, ...] = ()
    """The text is that of the whole paragraph."""


def read_parts(text: str) -> list[Part]:
    """The pages that a text holds, in order: at least one, whose kind is empty where it is none that is known."""
    return [part for piece in _pieces(number_lines(text)) for part in _parts_of(piece)]


def _pieces(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines cut above each heading of a kind that has prose before it and behind it."""
    # The lines of a daily reader's abstracts may be too short to tell, but the link below them is not.
    prose = [n for n, line in enumerate(lines) if is_prose(line.text) or has_folds([line])]
    start = 0
    for n in range(1, len(lines)):
        if not prose or not prose[0] < n <= prose[-1] or not is_kind_heading(lines[n].text):
            continue
        above = lines[n - 1]
        is_free = lines[n].apart or is_complete(above.text) or is_furniture(above.text) or not is_prose(above.text)
        if is_free and any(start <= place < n for place in prose):
            yield lines[start:n]
            start = n
    yield lines[start:]


def _parts_of(lines: Sequence[Line]) -> list[Part]:
    """A piece as one part, or as two where a daily reader's entries begin below prose of another kind."""
    content = read_lines(lines)
    if content.kind == "arxiv-daily":
        start = _start_of(content.entries[0], lines)
        if find_strays(lines[:start], ()):
            below = Part(content, find_strays(lines[start:], content.entries))
            return [*_parts_of(lines[:start]), below]
    return [Part(content, find_strays(lines, content.entries))]


def _start_of(entry: Entry, lines: Sequence[Line]) -> int:
    """Where an entry begins: on its line, of which an entry of another page may have the first half."""
    return max(
        (n for n, line in enumerate(lines) if line.number == entry.line and not has_folds([line])),
        default=next(n for n, line in enumerate(lines) if line.number >= entry.line),
    )


def find_strays(lines: Sequence[Line], entries: Sequence[Entry]) -> tuple[Line, ...]:
    """The paragraphs of `lines` that are prose of some length and in none of the entries."""
    starts = [entry.line for entry in entries]
    held = [_letters(entry.abstract + entry.title + entry.authors) for entry in entries]
    run: list[Line] = []
    found: list[Line] = []
    for line in lines:
        # An entry ends where the next begins, and in a saved page two may begin on one line.
        near = bisect_right(starts, line.number)
        is_held = any(_is_in(line.text, text) for text in held[max(0, near - 2) : near + 1])
        if is_held or (line.apart and run and _is_over(run[-1].text)):
            found += _as_stray(run)
            run = []
        if not is_held and not is_furniture(line.text) and not has_folds([line]):
            run.append(line)
    return (*found, *_as_stray(run))


def _is_in(line: str, held: str) -> bool:
    letters = _letters(line)
    return letters in held or _letters(abstract_of([line])) in held


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _is_over(line: str) -> bool:
    return is_complete(line) or len(line.split()) < 5


def _as_stray(run: Sequence[Line]) -> list[Line]:
    """The lines as one paragraph, where that is long enough and prose."""
    text = join([line.text for line in run])
    is_long = len(text.split()) >= STRAY_WORDS or sum("\u3400" <= char <= "\u9fff" for char in text) >= _STRAY_LETTERS
    return [replace(run[0], text=text)] if is_long and is_prose(text) else []
