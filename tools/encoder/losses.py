"""What the training lowers, with its gradients: plain numpy, so that it can be tested against finite differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def unit(vectors: Floats) -> tuple[Floats, Floats]:
    """(each vector at length one, the lengths)."""
    lengths = np.maximum(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)), 1e-6)[:, None]
    return vectors / lengths, lengths


def before_unit(by: Floats, vectors: Floats, lengths: Floats) -> Floats:
    """The gradient by what `unit` was given, out of that by the unit vectors; works in place."""
    by -= vectors * np.einsum("ij,ij->i", vectors, by)[:, None]
    by /= lengths
    return by


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


def spreads(vectors: Floats, temperature: float) -> Floats:
    """What share of a text's likeness falls to each other one: rows that add up to one, nothing for itself."""
    scores = (vectors @ vectors.T) / np.float32(temperature)
    np.fill_diagonal(scores, -1e4)
    scores -= scores.max(1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(1, keepdims=True)
    return scores


def likeness(a: Floats, wanted: Floats, temperature: float) -> tuple[float, Floats]:
    """(loss, gradient by a): the spread of each unit vector's likeness shall be the `wanted` one (relational
    distillation). The loss is the divergence between the two, a text at a time."""
    n = len(a)
    scores = spreads(a, temperature)
    loss = float((wanted * (np.log(wanted + 1e-9) - np.log(scores + 1e-9))).sum() / n)
    scores -= wanted
    scores *= np.float32(1 / (n * temperature))
    return loss, (scores + scores.T) @ a
