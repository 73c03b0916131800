"""Chinese queries, read into the English words that papers have.

A text is parted into terms of `data/terms.tsv`, by the parting that leaves the fewest characters unknown, and of these
the one with the fewest and longest terms. Traditional characters and the words of Taiwan and Hong Kong
(`data/han.tsv`) count as the simplified ones. Words that carry nothing beside others
(`data/fillers.txt`) are passed over.

>>> [(piece.text, piece.english[:2]) for piece in read_chinese("基于強化學習的機械臂控制")]
[('基于', ()), ('強化學習', ('reinforcement learning', 'RL')), ('的', ()), ('機械臂', ('robotic arm', 'robot arm')), \
('控制', ('control', 'controller'))]

The tables are read when the first Chinese text comes; any other text costs one look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HAS_HAN = re.compile(f"[{_HAN}]")
_OTHER_SCRIPT = re.compile("[\u3041-\u30fa\uac00-\ud7a3]")
"""Kana and Hangul: with these beside it, a Han character is Japanese or Korean."""
_RUN = re.compile(rf"[{_HAN}]+|[^\s{_HAN}\u3000-\u303f\uff00-\uffef“”‘’…—·]+")
_UNKNOWN_COSTS = 1_000_000
_PIECE_COSTS = 1_000
_LINKS = frozenset("的和与及或之")
"""Fillers that part words wherever they stand."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text and what was made of it."""

    text: str
    """As typed."""
    english: tuple[str, ...] = ()
    """What English papers call it, the usual names first; none where it is not known."""
    is_han: bool = True
    """Whether it has a Chinese character; other stretches are words as they stand."""
    is_filler: bool = False
    """Whether it says nothing where other words are beside it."""
    is_quoted: bool = False
    """Whether it was in quotes, and thus asked for as it stands."""


class Reading(Enum):
    """Which words of a Chinese text count; a text that has none of one kind is read by the next."""

    TELLING = 1
    """All but fillers."""
    KNOWN = 2
    """All that are known in English, fillers too."""
    EVERY = 3
    """All."""

    def takes(self, piece: Piece) -> bool:
        """Whether a piece counts."""
        return self is Reading.EVERY or not piece.is_filler or (self is Reading.KNOWN and bool(piece.english))

    def wider(self) -> Reading:
        """The next."""
        return Reading.KNOWN if self is Reading.TELLING else Reading.EVERY


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The tables, ready for looking up."""

    english: dict[str, list[str]]
    """English names by their Chinese one, in lower case and simplified characters."""
    simplified: dict[int, int]
    """Traditional characters, for `str.translate`."""
    fillers: frozenset[str]
    """Words of Chinese prose, questions and requests that say nothing about what a paper is on."""
    longest: dict[str, int]
    """The length of the longest term, by its first character."""


def has_chinese(text: str) -> bool:
    """Whether a text may be Chinese: it has Han characters, and neither kana nor Hangul."""
    return not text.isascii() and bool(_HAS_HAN.search(text)) and not _OTHER_SCRIPT.search(text)


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The tables, read once."""
    names: dict[str, list[str]] = {}
    others: list[tuple[str, list[str]]] = []
    for english, also, chinese, _area in _rows("terms.tsv"):
        for name in chinese.lower().split("; "):
            names.setdefault(name, []).append(english)
            if also:
                others.append((name, also.split("; ")))
    for name, said in others:
        names[name] += said
    simplified: dict[int, int] = {}
    for old, new in _rows("han.tsv"):
        if len(old) == 1:
            simplified[ord(old)] = ord(new)
        elif new in names:
            names.setdefault(old, []).extend(names[new])
    fillers = frozenset(_text("fillers.txt").split())
    longest: dict[str, int] = {}
    for name in (*names, *fillers):
        longest[name[0]] = max(len(name), longest.get(name[0], 1))
    return Lexicon(names, simplified, fillers, longest)


def _rows(name: str) -> Iterator[list[str]]:
    """The rows of a table, without its head."""
    return (line.split("\t") for line in _text(name).splitlines()[1:])


def _text(name: str) -> str:
    return (files("octavo.data") / name).read_text(encoding="utf-8")


@lru_cache(maxsize=256)
def read_chinese(text: str) -> tuple[Piece, ...]:
    """Part a text into terms, words of other scripts, and what is not known; punctuation between them is left out."""
    tables = lexicon()
    plain = text.translate(tables.simplified).lower()
    if len(plain) != len(text):
        plain = text.translate(tables.simplified)  # a letter whose lower case is two
    found: list[tuple[int, int]] = []
    for start, end in _stretches(plain):
        found += _part(plain, start, end, tables)
    pieces = [_piece(text[start:end], plain[start:end], tables) for start, end in found]
    return tuple(_without_crumbs(pieces, found, text))


def _stretches(plain: str) -> Iterator[tuple[int, int]]:
    """Runs of Han with the words of letters and digits that touch them, each to be parted by itself."""
    start = end = -1
    for run in _RUN.finditer(plain):
        if run.start() != end and end >= 0:
            yield start, end
            start = run.start()
        elif end < 0:
            start = run.start()
        end = run.end()
    if end >= 0:
        yield start, end


def _part(plain: str, start: int, end: int, tables: Lexicon) -> list[tuple[int, int]]:
    """The best parting of a stretch, as a path of least cost from its end to its start."""
    costs, nexts = {end: 0}, {end: end}
    word_end = end
    for at in range(end - 1, start - 1, -1):
        if not _is_letter(plain, at):
            costs[at], nexts[at] = costs[at + 1] + _UNKNOWN_COSTS, at + 1
        else:
            if not _is_letter(plain, at + 1):
                word_end = at + 1
            costs[at], nexts[at] = costs[word_end] + _PIECE_COSTS, word_end
        for stop in range(at + 1, min(at + tables.longest.get(plain[at], 0), end) + 1):
            name = plain[at:stop]
            if name not in tables.english and name not in tables.fillers:
                continue
            cost = costs[stop] + _PIECE_COSTS - (stop - at) ** 2
            if cost < costs[at] and not (_is_letter(plain, stop - 1) and _is_letter(plain, stop)):
                costs[at], nexts[at] = cost, stop
    found: list[tuple[int, int]] = []
    while start < end:
        found.append((start, nexts[start]))
        start = nexts[start]
    return found


def _is_letter(plain: str, at: int) -> bool:
    """Whether a part of a word of another script stands there; punctuation left in a run counts."""
    return plain[at : at + 1] < "\u2e80" and at < len(plain) and not plain[at].isspace()


def _piece(text: str, name: str, tables: Lexicon) -> Piece:
    english = tuple(dict.fromkeys(tables.english.get(name, ())))
    if not english and not _HAS_HAN.search(text):
        return Piece(text, is_han=False)
    return Piece(text, english, is_filler=name in tables.fillers)


def _without_crumbs(pieces: list[Piece], found: list[tuple[int, int]], text: str) -> Iterator[Piece]:
    """The pieces, those of one unknown word as one.

    A lone character next to unknown ones is most likely a part of their word, and so is a filler between two.
    """
    strange = [piece.is_han and not piece.english and not piece.is_filler for piece in pieces]
    joined = [first[1] == second[0] for first, second in pairwise(found)]
    held: tuple[int, int] | None = None
    for at, piece in enumerate(pieces):
        start, stop = found[at]
        before = at > 0 and strange[at - 1] and joined[at - 1]
        after = at + 1 < len(pieces) and strange[at + 1] and joined[at]
        is_part = strange[at] or _is_crumb(piece, int(before) + int(after))
        if held and not (is_part and held[1] == start):
            yield Piece(text[held[0] : held[1]])
            held = None
        if is_part:
            held = (held[0] if held else start, stop)
        else:
            yield piece
    if held:
        yield Piece(text[held[0] : held[1]])


def _is_crumb(piece: Piece, n_strange: int) -> bool:
    """Whether a piece beside so many unknown characters is rather a part of their word."""
    if not piece.is_han or len(piece.text) > 1:
        return False
    return n_strange > (1 if piece.is_filler else 0) and piece.text not in _LINKS
