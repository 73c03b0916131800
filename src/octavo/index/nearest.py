"""Nearest vectors among very many: faiss, and nothing of it beyond this module.

A product quantiser keeps 4 bits for every two numbers of a vector and compares 32 vectors at a time (`fast scan`),
which is rough and fast: its finds are meant to be measured again by the true vectors. Faiss is loaded when it is
needed; where it is not installed there is no `Nearest`, and whoever asks looks through all vectors instead.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TRAINED_ON = 40_000
"""Vectors that the quantiser is fitted to; more are slower and not better."""


def available() -> bool:
    """Whether faiss is installed."""
    return importlib.util.find_spec("faiss") is not None


class Nearest:
    """Vectors by their place, 0 upwards, quantised."""

    def __init__(self, index: Any) -> None:
        """Wrap what `build` or `load_nearest` made."""
        self._index = index

    def __len__(self) -> int:
        return int(self._index.ntotal)

    @classmethod
    def build(cls, dimension: int, sample: NDArray[np.float32]) -> Nearest:
        """An empty one, fitted to some of the vectors that it shall hold."""
        import faiss

        index = faiss.IndexPQFastScan(dimension, max(1, dimension // 2), 4, faiss.METRIC_INNER_PRODUCT)
        index.train(np.ascontiguousarray(sample))
        return cls(index)

    def add(self, vectors: NDArray[np.float32]) -> None:
        """Take in vectors at the places after the last."""
        self._index.add(np.ascontiguousarray(vectors))

    def search(self, query: NDArray[np.float32], k: int) -> NDArray[np.int64]:
        """The places of about the `k` nearest, roughly the best first."""
        k = min(k, len(self))
        _, places = self._index.search(np.ascontiguousarray(query[None, :]), k)
        found: NDArray[np.int64] = places[0]
        return found[found >= 0]

    def save(self, path: Path) -> None:
        """Write it to a file."""
        import faiss

        faiss.write_index(self._index, str(path))


def load_nearest(path: Path) -> Nearest | None:
    """Read it back; None where the file can't be read, or faiss is not there."""
    if not path.exists() or not available():
        return None
    import faiss

    try:
        return Nearest(faiss.read_index(str(path)))
    except RuntimeError:  # faiss tells every fault of a file so
        return None
