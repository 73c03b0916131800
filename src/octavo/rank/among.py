"""Which papers of a list are near each other in meaning: each is compared with all others, at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from octavo.index.vectors import VectorIndex
from octavo.rank.similar import NEAR

_BLOCK = 1_000
"""Papers that are compared with all others at a time: 200 MB of products with 50,000 others."""


def nearest_among(vectors: VectorIndex, pks: Sequence[int], n: int) -> Iterator[tuple[int, list[tuple[int, float]]]]:
    """For each paper the up to `n` papers of the list that are nearest to it, with how near, the nearest first: none
    that is less near than `rank.similar.NEAR`.

    A paper without a vector has none. Of equally near ones the one that comes earlier in the list is first.
    """
    keys = np.asarray(pks, np.int64)
    rows = vectors.vectors(keys)
    for start in range(0, len(keys), _BLOCK):
        products = rows[start : start + _BLOCK] @ rows.T
        own = np.arange(len(products))
        products[own, start + own] = -1.0
        for at, scores in enumerate(products):
            yield int(keys[start + at]), [(int(keys[place]), float(scores[place])) for place in _best(scores, n)]


def _best(scores: np.ndarray[tuple[int, ...], np.dtype[np.float32]], n: int) -> list[int]:
    places = np.flatnonzero(scores >= NEAR)
    if len(places) > 4 * n:
        # Those that may be equal to the last one are kept, so that the order decides and not the partition.
        least = np.partition(scores[places], len(places) - n)[len(places) - n]
        places = places[scores[places] >= least]
    best: list[int] = places[np.lexsort((places, -scores[places]))][:n].tolist()
    return best
