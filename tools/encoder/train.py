"""Train the static encoder on one thread.

    OMP_NUM_THREADS=1 python tools/encoder/train.py open.jsonl definitions.jsonl teacher.npz OUT

Contrastive: a batch is 2,048 pairs (`views.py`), each of whose sides shall be nearer to its partner than to every other
text of the batch, both ways, at temperature 0.05 (InfoNCE). From the second epoch on a batch is made of groups of
neighbours, found by splitting the papers with the table as it stands: they are each other's hard negatives. A part of
each batch is terms with their definitions (`definitions.py`). Beside that, whole papers of the batch shall be as near
to each other as a teacher finds their titles (`teach.py`), less so after the first epochs, and a word's vector starts
from what the teacher makes of the word alone. Words of one stem share a vector (`stems.py`). Adam with a linear decay
works on the rows that a batch touched. All of it is numpy, and numba for what numpy does not do at once.
OUT receives the packed model (see `pack.py`) and `training.jsonl`, a line an epoch.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numba
import numpy as np
from losses import Floats, before_unit, contrast, likeness, spreads, unit
from numpy.typing import NDArray
from pack import pack
from stems import shared, stem_rows
from views import Mix, Papers, cut, pairs, read_texts, whole
from vocabulary import chosen_phrases, chosen_words, count_words

from octavo.index.tokens import INSIDE, SHARE, Tokens

RELATED_ROWS = 1024
"""How many papers of a batch are compared with each other as the teacher does."""
RELATED_DROP = 0.3
DEFINITION_WEIGHT = 0.3
"""What a word in a definition counts for when words are chosen, in words of a paper."""


@numba.njit(fastmath=True, cache=True)
def pooled(table, rows, ends, out):  # type: ignore[no-untyped-def]
    """The sum of the vectors of each text's rows."""
    width = table.shape[1]
    for i in range(len(ends) - 1):
        total = out[i]
        total[:] = 0.0
        for at in range(ends[i], ends[i + 1]):
            vector = table[rows[at]]
            for d in range(width):
                total[d] += vector[d]


@numba.njit(fastmath=True, cache=True)
def spread(gradients, touched, rows, ends, given):  # type: ignore[no-untyped-def]
    """Add each text's gradient to those of its rows."""
    width = gradients.shape[1]
    for i in range(len(ends) - 1):
        one = given[i]
        for at in range(ends[i], ends[i + 1]):
            row = rows[at]
            touched[row] = True
            target = gradients[row]
            for d in range(width):
                target[d] += one[d]


@numba.njit(fastmath=True, cache=True)
def adam(table, gradients, mean, square, steps, touched, rate, b1, b2):  # type: ignore[no-untyped-def]
    """One step of Adam on the touched rows, each with its own count of steps; their gradients are cleared."""
    width = table.shape[1]
    for row in range(len(touched)):
        if not touched[row]:
            continue
        touched[row] = False
        steps[row] += 1
        c1, c2 = 1.0 - b1 ** steps[row], 1.0 - b2 ** steps[row]
        step = np.float32(rate / c1)
        scale = np.float32(1.0 / c2)
        for d in range(width):
            g = gradients[row, d]
            m = np.float32(b1) * mean[row, d] + np.float32(1 - b1) * g
            s = np.float32(b2) * square[row, d] + np.float32(1 - b2) * g * g
            mean[row, d] = m
            square[row, d] = s
            table[row, d] -= step * m / (np.sqrt(s * scale) + np.float32(1e-9))
            gradients[row, d] = 0.0


@dataclass
class Trainer:
    """The table and what Adam remembers of it. The first `n_papers` texts are papers, those behind them definitions."""

    papers: Papers
    n_papers: int
    table: Floats
    mix: Mix
    rng: np.random.Generator
    phrases: tuple[float, float, float]
    """The first phrase's row, that behind the last, and the share of them hidden."""
    teacher: NDArray[np.float16]
    relate: float = 0.0

    def __post_init__(self) -> None:
        self.gradients, self.mean, self.square = (np.zeros_like(self.table) for _ in range(3))
        self.steps, self.touched = np.zeros(len(self.table), np.int64), np.zeros(len(self.table), np.bool_)
        mix = self.mix
        self.shares = np.cumsum([mix.title, mix.sentence, mix.halves, mix.keywords])

    def step(self, chosen: NDArray[np.int64], rate: float, temperature: float) -> tuple[float, float]:
        """Learn from one batch of texts; returns its losses."""
        p = self.papers
        sides = pairs(p.rows, p.offsets, p.first, chosen, self.shares, self.mix.drop, self.phrases, self._seed())
        (a, a_lengths), (b, b_lengths) = self._vectors(*sides[:2]), self._vectors(*sides[2:])
        loss, by_a, by_b = contrast(a, b, temperature)
        spread(self.gradients, self.touched, *sides[:2], before_unit(by_a, a, a_lengths))
        spread(self.gradients, self.touched, *sides[2:], before_unit(by_b, b, b_lengths))
        related = self._relate(chosen[chosen < self.n_papers][:RELATED_ROWS], temperature) if self.relate else 0.0
        adam(self.table, self.gradients, self.mean, self.square, self.steps, self.touched, rate, 0.9, 0.99)
        return loss, related

    def _relate(self, chosen: NDArray[np.int64], temperature: float) -> float:
        p = self.papers
        rows, ends = whole(p.rows, p.offsets, p.first, chosen, RELATED_DROP, self.phrases, self._seed())
        a, lengths = self._vectors(rows, ends)
        wanted = spreads(self.teacher[chosen].astype(np.float32), temperature)
        loss, by = likeness(a, wanted, temperature)
        by *= np.float32(self.relate)
        spread(self.gradients, self.touched, rows, ends, before_unit(by, a, lengths))
        return loss

    def _seed(self) -> int:
        return int(self.rng.integers(1 << 31))

    def _vectors(self, rows: NDArray[np.int32], ends: NDArray[np.int64]) -> tuple[Floats, Floats]:
        out = np.empty((len(ends) - 1, self.table.shape[1]), np.float32)
        pooled(self.table, rows, ends, out)
        return unit(out)

    def whole_papers(self) -> Floats:
        """Unit vectors of title and abstract together."""
        p = self.papers
        return self._vectors(p.rows, p.offsets[p.first[: self.n_papers + 1]])[0]


def grouped(vectors: Floats, size: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Groups of about `size` neighbours: split at the median along the line between two random members, repeatedly."""
    done, waiting = [], [np.arange(len(vectors))]
    while waiting:
        group = waiting.pop()
        if len(group) <= size:
            done.append(group)
            continue
        one, other = vectors[rng.choice(group, 2, replace=False)]
        order = np.argsort(vectors[group] @ (one - other))
        half = len(group) // 2
        waiting += [group[order[:half]], group[order[half:]]]
    return done


def batches(trainer: Trainer, size: int, group: int, n_definitions: int) -> list[NDArray[np.int64]]:
    """Every paper once, `size` texts at a time: at random, or in groups of neighbours where `group` is more than one.
    The last `n_definitions` of each batch are definitions, which take turns."""
    n, rng = trainer.n_papers, trainer.rng
    if group <= 1:
        order = rng.permutation(n)
    else:
        groups = grouped(trainer.whole_papers(), group, rng)
        order = np.concatenate([groups[i] for i in rng.permutation(len(groups))])
    size -= n_definitions
    turns = np.resize(n + rng.permutation(len(trainer.papers) - n), (len(order) // size, n_definitions))
    return [np.concatenate([order[at * size : (at + 1) * size], some]) for at, some in enumerate(turns)]


def held_out(trainer: Trainer, papers: Papers) -> dict[str, float]:
    """Mean reciprocal rank of the right abstract for a title, and of the rest for an abstract's first sentence."""
    sides: dict[str, list[list[NDArray[np.int32]]]] = {"title": [[], []], "sentence": [[], []]}
    for p in range(len(papers)):
        a, c = papers.first[p], papers.first[p + 1]
        o = papers.offsets
        title, first = papers.rows[o[a] : o[a + 1]], papers.rows[o[a + 1] : o[a + 2]]
        sides["title"][0].append(title)
        sides["title"][1].append(papers.rows[o[a + 1] : o[c]])
        sides["sentence"][0].append(first)
        sides["sentence"][1].append(np.concatenate([title, papers.rows[o[a + 2] : o[c]]]))
    out = {}
    for name, both in sides.items():
        vectors = []
        for texts in both:
            ends = np.concatenate([[0], np.cumsum([len(text) for text in texts])])
            found = np.empty((len(texts), trainer.table.shape[1]), np.float32)
            pooled(trainer.table, np.concatenate(texts), ends, found)
            vectors.append(unit(found)[0])
        scores = vectors[0] @ vectors[1].T
        ranks = 1 + (scores > scores.diagonal()[:, None]).sum(1)
        out[name] = float((1 / ranks).mean())
    return out


def main() -> None:
    """Train, write down how it went, and pack the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("texts", "definitions", "teacher", "out"):
        parser.add_argument(name, type=Path)
    for name, kind, default in (
        ("--words", int, 28000), ("--pieces", int, 3500), ("--shares", int, 2048), ("--phrases", int, 11200),
        ("--width", int, 512), ("--batch", int, 2048), ("--group", int, 16), ("--rate", float, 0.015),
        ("--temperature", float, 0.05), ("--start", float, 0.1), ("--word-start", float, 1.5),
        ("--epochs", int, 22), ("--seed", int, 1), ("--drop", float, 0.2), ("--phrase-drop", float, 0.3),
        ("--title", float, 0.40), ("--sentence", float, 0.30), ("--halves", float, 0.15),
        ("--in-batch", int, 320), ("--relate", float, 0.7), ("--relate-late", float, 0.15), ("--early", int, 9),
    ):  # fmt: skip
        parser.add_argument(name, type=kind, default=default)
    run(parser.parse_args())


def vocabulary(
    texts: list[tuple[str, str]], terms: list[tuple[str, str]], a: Any
) -> tuple[list[str], NDArray[np.int64], Counter[str]]:
    """(words, phrases, how often each word was met)."""
    counts, beside = count_words(f"{title} . {abstract}" for title, abstract in texts)
    both = Counter(counts)
    for word, count in count_words(f"{names} . {meaning}" for names, meaning in terms)[0].items():
        both[word] += DEFINITION_WEIGHT * count  # type: ignore[assignment]
    words = [*chosen_words(both, a.words, a.pieces), *(f"{SHARE}{i}" for i in range(a.shares))]
    return words, chosen_phrases(words, counts, beside, a.phrases), both


def first_table(n_rows: int, words: list[str], taught: Any, a: Any, rng: np.random.Generator) -> Floats:
    """Where training starts: a word or piece from the teacher's vector of it, turned at random into as many numbers as
    are wanted, all else from noise."""
    table = (rng.standard_normal((n_rows, a.width)) * a.start).astype(np.float32)
    vectors = taught["word_vectors"].astype(np.float32)
    at = {word: i for i, word in enumerate(taught["words"].tolist())}
    known = [(row, at[word.removeprefix(INSIDE)]) for row, word in enumerate(words) if word.removeprefix(INSIDE) in at]
    rows, places = (np.array(some) for some in zip(*known, strict=True))
    turn = np.linalg.qr(rng.standard_normal((a.width, vectors.shape[1])))[0].T.astype(np.float32)
    table[rows] = 0.2 * table[rows] + a.word_start * unit((vectors[places] - vectors.mean(0)) @ turn)[0]
    return table


def run(a: Any) -> None:
    """All of it, with the parsed arguments."""
    a.out.mkdir(parents=True, exist_ok=True)
    texts, terms = read_texts(a.texts, held=False), read_texts(a.definitions, held=False)
    rng, taught = np.random.default_rng(a.seed), np.load(a.teacher)
    words, phrases, counts = vocabulary(texts, terms, a)
    tokens = Tokens(words, phrases)
    shares = stem_rows(words, tokens.n_rows)
    papers, held = (shared(cut(some, tokens), shares) for some in (texts + terms, read_texts(a.texts, held=True)))
    table = first_table(int(shares.max()) + 1, words, taught, a, rng)
    mix = Mix(a.title, a.sentence, a.halves, 1 - a.title - a.sentence - a.halves, a.drop, a.phrase_drop)
    hidden = (float(len(words)), float(tokens.n_rows), a.phrase_drop)
    trainer = Trainer(papers, len(texts), table, mix, rng, hidden, taught["titles"])
    log = (a.out / "training.jsonl").open("w", encoding="utf-8")
    total, done, started = len(texts) // (a.batch - a.in_batch) * a.epochs, 0, time.process_time()
    for epoch in range(a.epochs):
        losses = []
        trainer.relate = a.relate if epoch < a.early else a.relate_late
        for chosen in batches(trainer, a.batch, a.group if epoch else 1, a.in_batch):
            losses.append(trainer.step(chosen, a.rate * max(0.02, 1 - done / total), a.temperature))
            done += 1
        spent = round(time.process_time() - started, 1)
        loss, related = np.mean(losses, axis=0).tolist()
        line = {"epoch": epoch + 1, "loss": loss, "related": related, "cpu_seconds": spent} | held_out(trainer, held)
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), flush=True)
    settings = {key: value for key, value in vars(a).items() if not isinstance(value, Path)}
    own = trainer.table[: tokens.n_rows] + np.where(shares >= 0, 1, 0)[:, None] * trainer.table[shares]
    pack(a.out, words, phrases, own.astype(np.float32), counts, settings)


if __name__ == "__main__":
    main()
