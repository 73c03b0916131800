"""Text to rows of the encoder's table: words, pieces of unknown words, and phrases of two words.

A word is a run of letters and digits, case and accents folded, a Greek letter by its name; other scripts are left out.
A known word has a row of its own. An unknown one is cut into the longest known pieces from its start (a piece inside a
word is written `##piece`), and has rows beside them that it shares with few other words, so that it stays itself. Two
neighbouring words that form a known phrase add the phrase's row to their own. All of it works on many texts at once,
since that is what makes it fast.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import count, takewhile
from threading import Lock
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from octavo.records.fold import fold

Rows = NDArray[np.int32]
Offsets = NDArray[np.int64]

INSIDE = "##"
"""What a piece that can't begin a word is written with."""
SHARE = "#share"
"""What the rows are written with that unknown words share, a number behind it."""
SHARES = 2
"""How many of those rows an unknown word has."""
LONGEST_WORD = 40
"""Longer runs are no words (keys, encoded data) and cost time: they are left out."""

LEARNT = 200
"""How often training has to meet a word to know half of what it means."""
FULL_MASS = 60.0
"""What the words of a full sentence weigh together, each by the logarithm of how rare it is."""
LEAST_MASS = 0.25
"""And the share of it that even a single word is taken for."""

_END = "\x00"  # between texts: it is no part of a word, and no text may hold it
_WORD = re.compile(r"[a-z0-9]+|\x00")
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_KNOWN_LIMIT = 400_000
_NOTHING = -1  # the code of what has no row, whose parts are none


class _Folds(dict[str, str]):
    """ASCII for a character, worked out when first met."""

    def __missing__(self, character: str) -> str:
        name = unicodedata.name(character, "")
        if name.startswith("GREEK") and " LETTER " in name:
            found = f" {name.split(' LETTER ')[1].split()[0].lower()} "
        elif unicodedata.combining(character):
            found = ""
        else:
            found = fold(character)
            found = found if found.isascii() and found.isalnum() else " "
        self[character] = found
        return found


_FOLDS = _Folds()


def folded(text: str) -> str:
    """`text` in lower-case ASCII, with a space for what has no such form."""
    if not text.isascii():
        text = _FOREIGN.sub(lambda match: _FOLDS[match[0]], text)
    return text.lower()


class Tokens:
    """The words, pieces and phrases that have a row."""

    def __init__(
        self, words: Sequence[str], phrases: NDArray[np.int64], counts: NDArray[np.floating[Any]] | None = None
    ) -> None:
        """Row i is that of `words[i]`; after the words come the rows of `phrases` (`phrase_key`), ascending.

        `counts[i]` says how often training met `words[i]`; without it `trust` takes all for unknown.
        """
        self.n_words = len(words)
        self.n_rows = len(words) + len(phrases)
        self._rows = {word: row for row, word in enumerate(words)}
        self._longest = max(map(len, words), default=0)
        names = (f"{SHARE}{number}" for number in count())
        self._shared = [self._rows[name] for name in takewhile(self._rows.__contains__, names)]
        self._counts = np.zeros(len(words)) if counts is None else np.asarray(counts, np.float64)
        self._met = 1 + float(self._counts.sum())
        self._table = _Table(phrases, self.n_words)
        self._codes = _Codes(self._rows, self.pieces)

    def pieces(self, word: str) -> list[int]:
        """The rows of an unknown word's pieces, none if it can't be cut whole, and those that it shares."""
        found: list[int] = []
        at = 0
        if len(word) > LONGEST_WORD:
            return found
        while at < len(word):
            mark = INSIDE if at else ""
            for end in range(min(len(word), at + self._longest), at, -1):
                row = self._rows.get(mark + word[at:end])
                if row is not None:
                    found.append(row)
                    at = end
                    break
            else:
                found = []
                break
        return found + self.shares(word)

    def shares(self, word: str) -> list[int]:
        """The rows that an unknown word shares with few others: they keep apart what has the same pieces."""
        n = len(self._shared)
        if not n:
            return []
        code = crc32(word.encode())
        return [self._shared[(code >> 16 * i) % n] for i in range(SHARES)]

    def coverage(self, text: str) -> float:
        """The share of a text's words that have a row of their own; 0 for a text without words."""
        words = [word for word in _WORD.findall(folded(text)) if word != _END]
        return sum(word in self._rows for word in words) / len(words) if words else 0.0

    def trust(self, text: str) -> float:
        """From 0 to 1: how far the vector of a query can be trusted beside its words.

        Each word weighs the logarithm of how rare it is. Trust is the share of that weight which training knew well,
        times how much of a full sentence's weight there is at all: a few words are better looked up as words.
        """
        weight = learnt = 0.0
        for word in _WORD.findall(folded(text)):
            if word == _END:
                continue
            row = self._rows.get(word)
            met = 0.0 if row is None else float(self._counts[row])
            rarity = math.log((self._met + 1) / (met + 1))
            weight += rarity
            learnt += rarity * met / (met + LEARNT)
        return learnt / weight * min(1.0, max(LEAST_MASS, weight / FULL_MASS)) if weight > 0 else 0.0

    def rows(self, texts: Sequence[str]) -> tuple[Rows, Offsets]:
        """The rows of each text: those of text i are `rows[offsets[i] : offsets[i + 1]]`, in no given order."""
        known = self._codes
        if len(known) > _KNOWN_LIMIT:  # threads that are at work go on with theirs
            known = self._codes = _Codes(self._rows, self.pieces)
        words = _WORD.findall(folded(_END.join(text.replace(_END, " ") for text in texts)))
        codes = np.fromiter(map(known.__getitem__, words), np.int64, len(words))
        ends = np.fromiter((at for at, word in enumerate(words) if word == _END), np.int64)
        return self._joined(codes, ends, len(texts), known.parts)

    def _joined(
        self, codes: NDArray[np.int64], ends: NDArray[np.int64], n: int, parts_of: list[list[int]]
    ) -> tuple[Rows, Offsets]:
        text_of = np.zeros(len(codes), np.int64)
        text_of[ends] = 1
        text_of = np.cumsum(text_of)
        whole = codes >= 0
        paired, phrase_rows = self._table.find(codes)
        rows, owners = [codes[whole], phrase_rows], [text_of[whole], text_of[paired]]
        cut = np.flatnonzero(codes < -1)
        if len(cut):
            parts = [parts_of[-1 - code] for code in codes[cut].tolist()]
            rows.append(np.fromiter((row for part in parts for row in part), np.int64))
            owners.append(np.repeat(text_of[cut], [len(part) for part in parts]))
        owner = np.concatenate(owners)
        order = np.argsort(owner.astype(np.uint16) if n < 65536 else owner, kind="stable")
        offsets = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(owner, minlength=n), out=offsets[1:])
        return np.concatenate(rows)[order].astype(np.int32), offsets


class _Codes(dict[str, int]):
    """A word's code: its row, or -1 - i where `parts[i]` holds the rows of its pieces, worked out when first met."""

    def __init__(self, rows: dict[str, int], pieces: Callable[[str], list[int]]) -> None:
        super().__init__(rows)
        self.parts: list[list[int]] = [[]]
        self[_END] = _NOTHING
        self._pieces = pieces
        self._lock = Lock()

    def __missing__(self, word: str) -> int:
        rows = self._pieces(word)
        code = _NOTHING
        if rows:
            with self._lock:
                self.parts.append(rows)
                code = -len(self.parts)
        self[word] = code
        return code


def phrase_key(first: int, second: int) -> int:
    """The key of the phrase that two words' rows make."""
    return (first << 20) | second


class _Table:
    """Finds the rows of phrases: a hash table with one place a key, so that a look-up is a few array operations."""

    def __init__(self, keys: NDArray[np.int64], first_row: int) -> None:
        self._keys = np.asarray(keys, np.int64)
        self._first = first_row
        self._bits = max(4, int(len(self._keys) * 16).bit_length())
        # Nearly every look-up finds nothing: one bit a place says so before the keys are searched.
        self._taken = np.zeros(1 << self._bits, np.bool_)
        self._taken[self._place(self._keys)] = True

    def _place(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        mixed = keys.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return (mixed >> np.uint64(64 - self._bits)).astype(np.int64)

    def find(self, codes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(where the first words of known phrases stand, the phrases' rows)."""
        if not len(self._keys) or len(codes) < 2:
            return np.empty(0, np.int64), np.empty(0, np.int64)
        first, second = codes[:-1], codes[1:]
        keys = (first << 20) | second
        at = np.flatnonzero((first >= 0) & (second >= 0) & self._taken[self._place(keys)])
        found = np.searchsorted(self._keys, keys[at])
        found[found == len(self._keys)] = 0
        right = self._keys[found] == keys[at]
        return at[right], found[right] + self._first
