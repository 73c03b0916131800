"""Where in a text the looked-for words are, and which piece of it shows them best. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Self

from octavo.query.words import analyse
from octavo.records.fold import fold

Piece = tuple[str, bool]
"""A piece of a text, and whether it was looked for."""

_READ = 6_000
"""Letters of a text that the best piece is looked for in."""
_RUN = re.compile(r"[\w'’+#*]+")
_CJK = re.compile(r"[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]")
_SENTENCE = re.compile(r"(?<=[.?!])\s|(?<=。)")


@dataclass(frozen=True, slots=True)
class Marker:
    """Knows the words that were looked for, by their exact form and by their stems."""

    exact: frozenset[str]
    stems: frozenset[str]
    _initials: frozenset[str] = frozenset()
    """The first letters of both: a plain English word, stemmed or not, keeps its own."""
    _known: dict[str, list[Piece]] = field(default_factory=dict, compare=False, repr=False)
    """Chunks of texts with their pieces, none for one that does not match: the same words come again and again."""

    @classmethod
    def of(cls, words: Iterable[str]) -> Self:
        """Make one of the exact words that a search gives (`views.SearchView.words`)."""
        exact = frozenset(words)
        stems = frozenset(stem for word in exact for stem in analyse(word)[1].split())
        return cls(exact, stems, frozenset(word[0] for word in exact | stems))

    def __bool__(self) -> bool:
        return bool(self.exact)

    def pieces(self, text: str) -> list[Piece]:
        """The text cut into pieces, each with whether it was looked for; joined they are the text."""
        if not self.exact:
            return [(text, False)] if text else []
        pieces: list[Piece] = []
        at = 0
        known = self._known
        words = text.split()
        for word in set(words).difference(known):
            known[word] = self._of_chunk(word) if self._matches(word) else []
        # Most words of a text match nothing: only those that do are looked for again, with what is between them.
        for word in [word for word in words if known[word]]:
            start = _start_of(text, word, at)
            pieces.append((text[at:start], False))
            pieces += known[word]
            at = start + len(word)
        pieces.append((text[at:], False))
        return _coalesced(pieces)

    def _of_chunk(self, chunk: str) -> list[Piece]:
        """The pieces of a chunk that matches."""
        runs = list(_RUN.finditer(chunk))
        if len(runs) > 1 and not any(self._matches(run[0]) for run in runs):
            return [(chunk, True)]  # `non-invasive`, found as `noninvasive`
        pieces: list[Piece] = []
        at = 0
        for run in runs:
            pieces.append((chunk[at : run.start()], False))
            pieces += self._of_cjk(run[0]) if _CJK.search(run[0]) else [(run[0], self._matches(run[0]))]
            at = run.end()
        return [*pieces, (chunk[at:], False)]

    def _matches(self, run: str) -> bool:
        if run.isascii() and run.isalpha() and run[1:].islower() and run[0].lower() not in self._initials:
            return False  # two words in three, without a look at their stems
        exact, stems = _forms(run)
        return not self.exact.isdisjoint(exact) or not self.stems.isdisjoint(stems)

    def _of_cjk(self, run: str) -> list[Piece]:
        """A run of characters without blanks, in which each looked-for word is marked where it stands."""
        folded = fold(run)
        if len(folded) != len(run):
            return [(run, True)]
        is_marked = [False] * len(run)
        for word in self.exact:
            start = folded.find(word)
            while start >= 0:
                is_marked[start : start + len(word)] = [True] * len(word)
                start = folded.find(word, start + 1)
        return list(zip(run, is_marked, strict=True))


@lru_cache(20_000)
def _forms(run: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The exact words and the stems of a run of letters. Kept: the words of one abstract are those of the next."""
    exact, stems = analyse(run)
    return tuple(exact.split()), tuple(stems.split())


def _start_of(text: str, word: str, at: int) -> int:
    """Where a word of `text.split()` begins, at `at` or behind it."""
    start = text.find(word, at)
    while (start and not text[start - 1].isspace()) or text[start + len(word) : start + len(word) + 1].strip():
        start = text.find(word, start + 1)
    return start


def _coalesced(pieces: Iterable[Piece]) -> list[Piece]:
    """Neighbours of a kind as one piece."""
    runs = groupby((piece for piece in pieces if piece[0]), key=itemgetter(1))
    return [("".join(text for text, _ in run), is_match) for is_match, run in runs]


def best_piece(text: str, marker: Marker, letters: int) -> list[Piece]:
    """About so many letters of a text, from the sentence on from which they hold the most of the looked-for words.

    The whole of a text that is no longer; else an ellipsis stands where something was left out.
    """
    text = text[:_READ]
    if len(text) <= letters:
        return marker.pieces(text)
    start = _best_start(text, marker.pieces(text), letters)
    shown = text[start : start + letters]
    end = ""
    if start + letters < len(text):
        shown, end = shown.rpartition(" ")[0].rstrip(" ,;:–—-") or shown, "…"
    pieces = marker.pieces(shown + end)
    return [("… ", False), *pieces] if start else pieces


def _best_start(text: str, pieces: Sequence[Piece], letters: int) -> int:
    """The beginning of the text or near a looked-for word, from where `letters` hold the most of them."""
    places: list[tuple[int, str]] = []
    at = 0
    for piece, is_match in pieces:
        if is_match:
            places.append((at, analyse(piece)[1].partition(" ")[0]))
        at += len(piece)
    sentences = [0, *(found.end() for found in _SENTENCE.finditer(text))]
    best, most = 0, 0
    for start in dict.fromkeys([0, *(_lead(text, sentences, place, letters) for place, _ in places)]):
        count = len({stem for place, stem in places if start <= place < start + letters - 10})
        if count > most:
            best, most = start, count
    return best


def _lead(text: str, sentences: Sequence[int], at: int, letters: int) -> int:
    """Where to begin so that a word at `at` is understood: at its sentence, or, where that is far, a bit before."""
    start = sentences[bisect_right(sentences, at) - 1]
    if at - start <= letters // 2:
        return start
    near = max(0, at - letters // 5)
    blank = text.find(" ", near, at)
    return blank + 1 if blank >= 0 else near
