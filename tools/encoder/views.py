"""Pairs of texts about one thing, cut out of titles and abstracts: what the encoder learns to bring together."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from octavo.index.tokens import Tokens

SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9$\\(])")


class Papers(NamedTuple):
    """Rows of all texts: paper p has the sentences `first[p]` (its title) to `first[p + 1]`, sentence s the rows
    `rows[offsets[s] : offsets[s + 1]]`."""

    rows: NDArray[np.int32]
    offsets: NDArray[np.int64]
    first: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.first) - 1


class Mix(NamedTuple):
    """How often each kind of pair is made (shares add up to one), and what is hidden of it."""

    title: float = 0.40
    """A title and its abstract."""
    sentence: float = 0.30
    """A sentence, and the title with the other sentences."""
    halves: float = 0.15
    """Every sentence on one side or the other."""
    keywords: float = 0.15
    """Two to eight of a text's rows, and the title with the abstract without the sentence they are from."""
    drop: float = 0.1
    """Share of rows hidden on the longer side."""
    phrase_drop: float = 0.0
    """Share of phrases hidden on both sides, so that their words learn to do without them."""


def read_texts(path: Path, *, held: bool) -> list[tuple[str, str]]:
    """(title, abstract) of the training's or of the held-out papers."""
    with path.open(encoding="utf-8") as lines:
        entries = map(json.loads, lines)
        return [(entry["title"], entry["abstract"]) for entry in entries if entry["held"] is held]


def cut(texts: list[tuple[str, str]], tokens: Tokens) -> Papers:
    """The papers in sentences, and these in rows."""
    rows, sizes, first = [], [], [0]
    for at in range(0, len(texts), 512):
        sentences = []
        for title, abstract in texts[at : at + 512]:
            found = [title, *SENTENCE.split(" ".join(abstract.split()))]
            sentences += found
            first.append(first[-1] + len(found))
        some, offsets = tokens.rows(sentences)
        rows.append(some)
        sizes.append(np.diff(offsets))
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(sizes))])
    return Papers(np.concatenate(rows), offsets, np.array(first))


@numba.njit(cache=True)
def _take(source, start, end, drop, phrases, out, n):  # type: ignore[no-untyped-def]
    for at in range(start, end):
        row = source[at]
        if np.random.random() < drop:
            continue
        if phrases[0] <= row < phrases[1] and np.random.random() < phrases[2]:
            continue
        out[n] = row
        n += 1
    return n


@numba.njit(cache=True)
def pairs(rows, offsets, first, chosen, shares, drop, phrases, seed):  # type: ignore[no-untyped-def]
    """(rows, offsets) of the shorter and of the longer sides of a pair for each paper in `chosen`."""
    np.random.seed(seed)
    room = 0
    for paper in chosen:
        room += offsets[first[paper + 1]] - offsets[first[paper]] + 1
    short, long = np.empty(room, np.int32), np.empty(room, np.int32)
    short_ends, long_ends = np.zeros(len(chosen) + 1, np.int64), np.zeros(len(chosen) + 1, np.int64)
    a = b = 0
    for i, paper in enumerate(chosen):
        title, end = first[paper], first[paper + 1]
        kind = np.random.random()
        sentences = end - title - 1
        if kind < shares[0] or sentences < 2:
            a = _take(rows, offsets[title], offsets[title + 1], 0.0, phrases, short, a)
            b = _take(rows, offsets[title + 1], offsets[end], drop, phrases, long, b)
        elif kind < shares[1]:
            out = np.random.randint(title + 1, end)
            a = _take(rows, offsets[out], offsets[out + 1], 0.0, phrases, short, a)
            if np.random.random() < 0.7:
                b = _take(rows, offsets[title], offsets[title + 1], drop, phrases, long, b)
            for s in range(title + 1, end):
                if s != out:
                    b = _take(rows, offsets[s], offsets[s + 1], drop, phrases, long, b)
        elif kind < shares[2]:
            side = np.random.random(end - title) < 0.5
            for s in range(title, end):
                if side[s - title]:
                    a = _take(rows, offsets[s], offsets[s + 1], 0.0, phrases, short, a)
            for s in range(title, end):
                if not side[s - title]:
                    b = _take(rows, offsets[s], offsets[s + 1], drop, phrases, long, b)
        else:
            out = np.random.randint(title, end)
            size = offsets[out + 1] - offsets[out]
            n = min(size, np.random.randint(2, 9))
            start = offsets[out] + (np.random.randint(0, size - n + 1) if size > n else 0)
            a = _take(rows, start, start + n, 0.0, phrases, short, a)
            for s in range(title, end):
                if s != out or (out == title and np.random.random() < 0.3):
                    b = _take(rows, offsets[s], offsets[s + 1], drop, phrases, long, b)
        short_ends[i + 1], long_ends[i + 1] = a, b
    return short[:a], short_ends, long[:b], long_ends


@numba.njit(cache=True)
def whole(rows, offsets, first, chosen, drop, phrases, seed):  # type: ignore[no-untyped-def]
    """(rows, offsets) of title and abstract of each paper in `chosen`, less the share `drop` of the rows."""
    np.random.seed(seed)
    room = 0
    for paper in chosen:
        room += offsets[first[paper + 1]] - offsets[first[paper]]
    out, ends = np.empty(room, np.int32), np.zeros(len(chosen) + 1, np.int64)
    n = 0
    for i, paper in enumerate(chosen):
        n = _take(rows, offsets[first[paper]], offsets[first[paper + 1]], drop, phrases, out, n)
        ends[i + 1] = n
    return out[:n], ends
