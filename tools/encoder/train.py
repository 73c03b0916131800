"""Train the static encoder on one thread, from a random start.

    OMP_NUM_THREADS=1 python tools/encoder/train.py open.jsonl OUT

Contrastive: a batch is 2,048 pairs (`views.py`), each of whose sides shall be nearer to its partner than to every other
text of the batch, both ways, at temperature 0.05 (InfoNCE). From the second epoch on a batch is made of groups of
neighbours, found by splitting the papers with the table as it stands: they are each other's hard negatives. Words of
one stem share a vector (`stems.py`). Adam with a linear decay works on the rows that a batch touched. All of it is
numpy, and numba for what numpy does not do at once.
OUT receives the packed model (see `pack.py`) and `training.jsonl`, a line an epoch.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from pack import pack
from stems import shared, stem_rows
from views import Mix, Papers, cut, pairs, read_texts
from vocabulary import chosen_phrases, chosen_words, count_words

from octavo.index.tokens import Tokens

Floats = NDArray[np.float32]


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


def unit(vectors: Floats) -> tuple[Floats, Floats]:
    """(each vector at length one, the lengths)."""
    lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), 1e-6)[:, None]
    return vectors / lengths, lengths


def contrast(a: Floats, b: Floats, temperature: float) -> tuple[float, Floats, Floats]:
    """(loss, gradient by a, gradient by b) of the two-way InfoNCE of unit vectors that are partners row by row."""
    n = len(a)
    scores = (a @ b.T) / np.float32(temperature)
    scores -= scores.max()
    np.exp(scores, out=scores)
    across, down = scores.sum(1), scores.sum(0)
    diagonal = np.maximum(scores.diagonal(), 1e-30)
    loss = float(-(np.log(diagonal / across) + np.log(diagonal / down)).mean() / 2)
    wanted = scores * (1 / across)[:, None]
    scores *= (1 / down)[None, :]
    wanted += scores
    wanted[np.arange(n), np.arange(n)] -= 2
    wanted *= np.float32(1 / (2 * n * temperature))
    return loss, wanted @ b, wanted.T @ a


@dataclass
class Trainer:
    """The table and what Adam remembers of it."""

    papers: Papers
    n_rows: int
    width: int
    mix: Mix
    rng: np.random.Generator
    start: float = 0.1
    phrases: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """The first phrase's row, that behind the last, and the share of them hidden."""
    table: Floats = field(init=False)

    def __post_init__(self) -> None:
        shape = (self.n_rows, self.width)
        self.table = (self.rng.standard_normal(shape) * self.start).astype(np.float32)
        self.gradients, self.mean, self.square = (np.zeros(shape, np.float32) for _ in range(3))
        self.steps, self.touched = np.zeros(self.n_rows, np.int64), np.zeros(self.n_rows, np.bool_)
        mix = self.mix
        self.shares = np.cumsum([mix.title, mix.sentence, mix.halves, mix.keywords])

    def step(self, chosen: NDArray[np.int64], rate: float, temperature: float) -> float:
        """Learn from one batch of papers; returns its loss."""
        p, mix = self.papers, self.mix
        seed = int(self.rng.integers(1 << 31))
        sides = pairs(p.rows, p.offsets, p.first, chosen, self.shares, mix.drop, self.phrases, seed)
        short, short_ends, long, long_ends = sides
        a, b = (np.empty((len(chosen), self.width), np.float32) for _ in range(2))
        pooled(self.table, short, short_ends, a)
        pooled(self.table, long, long_ends, b)
        (a, a_length), (b, b_length) = unit(a), unit(b)
        loss, by_a, by_b = contrast(a, b, temperature)
        for vector, length, by, rows, ends in (
            (a, a_length, by_a, short, short_ends),
            (b, b_length, by_b, long, long_ends),
        ):
            by -= vector * np.einsum("ij,ij->i", vector, by)[:, None]
            by /= length
            spread(self.gradients, self.touched, rows, ends, by)
        adam(self.table, self.gradients, self.mean, self.square, self.steps, self.touched, rate, 0.9, 0.99)
        return loss

    def whole(self, papers: Papers) -> Floats:
        """Unit vectors of title and abstract together."""
        out = np.empty((len(papers), self.width), np.float32)
        pooled(self.table, papers.rows, papers.offsets[papers.first], out)
        return unit(out)[0]


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


def batches(trainer: Trainer, size: int, group: int) -> list[NDArray[np.int64]]:
    """Every paper once, `size` at a time: at random, or in groups of neighbours where `group` is more than one."""
    if group <= 1:
        order = trainer.rng.permutation(len(trainer.papers))
    else:
        groups = grouped(trainer.whole(trainer.papers), group, trainer.rng)
        order = np.concatenate([groups[i] for i in trainer.rng.permutation(len(groups))])
    return [order[at : at + size] for at in range(0, len(order) - size + 1, size)]


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
            found = np.empty((len(texts), trainer.width), np.float32)
            pooled(trainer.table, np.concatenate(texts), ends, found)
            vectors.append(unit(found)[0])
        scores = vectors[0] @ vectors[1].T
        ranks = 1 + (scores > scores.diagonal()[:, None]).sum(1)
        out[name] = float((1 / ranks).mean())
    return out


def main() -> None:
    """Train, write down how it went, and pack the model."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path)
    parser.add_argument("out", type=Path)
    for name, kind, default in (
        ("--words", int, 28000), ("--pieces", int, 4000), ("--phrases", int, 12000), ("--width", int, 512),
        ("--batch", int, 2048), ("--group", int, 16), ("--rate", float, 0.015), ("--temperature", float, 0.05),
        ("--start", float, 0.1), ("--epochs", int, 14), ("--minutes", float, 30.0), ("--seed", int, 1),
        ("--drop", float, 0.2), ("--title", float, 0.40), ("--sentence", float, 0.30),
        ("--halves", float, 0.15), ("--limit", int, 0), ("--phrase-drop", float, 0.3),
    ):  # fmt: skip
        parser.add_argument(name, type=kind, default=default)
    parser.add_argument("--no-stems", action="store_true", help="words of one stem share nothing")
    run(parser.parse_args())


def run(a: Any) -> None:
    """All of it, with the parsed arguments."""
    a.out.mkdir(parents=True, exist_ok=True)
    texts = read_texts(a.texts, held=False)
    rng = np.random.default_rng(a.seed)
    if a.limit:
        texts = [texts[i] for i in rng.permutation(len(texts))[: a.limit]]
    counts, beside = count_words(f"{title} . {abstract}" for title, abstract in texts)
    words = chosen_words(counts, a.words, a.pieces)
    phrases = chosen_phrases(words, counts, beside, a.phrases)
    tokens = Tokens(words, phrases)
    papers, held = cut(texts, tokens), cut(read_texts(a.texts, held=True), tokens)
    mix = Mix(a.title, a.sentence, a.halves, 1 - a.title - a.sentence - a.halves, a.drop, a.phrase_drop)
    shares = stem_rows(words, tokens.n_rows) if not a.no_stems else None
    if shares is not None:
        papers, held = shared(papers, shares), shared(held, shares)
    n_rows = tokens.n_rows if shares is None else int(shares.max()) + 1
    trainer = Trainer(papers, n_rows, a.width, mix, rng, a.start)
    trainer.phrases = (float(len(words)), float(tokens.n_rows), a.phrase_drop)
    log = (a.out / "training.jsonl").open("w", encoding="utf-8")
    per_epoch = len(papers) // a.batch
    total, done, started = per_epoch * a.epochs, 0, time.process_time()
    for epoch in range(a.epochs):
        losses = []
        for chosen in batches(trainer, a.batch, a.group if epoch else 1):
            losses.append(trainer.step(chosen, a.rate * max(0.02, 1 - done / total), a.temperature))
            done += 1
        spent = time.process_time() - started
        line = {"epoch": epoch + 1, "loss": float(np.mean(losses)), "cpu_seconds": round(spent, 1)}
        line |= held_out(trainer, held)
        print(json.dumps(line), file=log, flush=True)
        print(json.dumps(line), flush=True)
        if spent > a.minutes * 60:
            break
    settings = {key: value for key, value in vars(a).items() if not isinstance(value, Path)}
    table = trainer.table[: tokens.n_rows]
    if shares is not None:
        table = table + np.where(shares >= 0, 1, 0)[:, None] * trainer.table[shares]
    pack(a.out, words, phrases, table.astype(np.float32), settings)


if __name__ == "__main__":
    main()
