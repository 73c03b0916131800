"""Words of one stem share a vector while training: what is learnt of `embeddings` is learnt of `embedding` too.

In training a text holds, beside each word's row, the row of its stem. Since a text's vector is a sum, the two are added
up once training is over, and the packed model knows nothing of stems.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numba
import numpy as np
import Stemmer
from numpy.typing import NDArray
from views import Papers

from octavo.index.tokens import INSIDE, SHARE


def stem_rows(words: Sequence[str], n_rows: int) -> NDArray[np.int64]:
    """For each row that of its stem, behind all others; -1 where no other word has that stem."""
    stemmer = Stemmer.Stemmer("english")
    stems = [stemmer.stemWord(word) if len(word) > 3 and not word.startswith((INSIDE, SHARE)) else "" for word in words]
    counts = Counter(stem for stem in stems if stem)
    rows = {stem: n_rows + i for i, stem in enumerate(stem for stem, count in counts.items() if count > 1)}
    found = np.full(n_rows, -1, np.int64)
    found[: len(words)] = [rows.get(stem, -1) for stem in stems]
    return found


def shared(papers: Papers, shares: NDArray[np.int64]) -> Papers:
    """The papers with the stems' rows in them, each behind its word's."""
    rows, offsets = _shared(papers.rows, papers.offsets, shares)
    return Papers(rows, offsets, papers.first)


@numba.njit(cache=True)
def _shared(rows, offsets, shares):  # type: ignore[no-untyped-def]
    out = np.empty(2 * len(rows), np.int32)
    ends = np.zeros(len(offsets), np.int64)
    n = 0
    for s in range(len(offsets) - 1):
        for at in range(offsets[s], offsets[s + 1]):
            out[n] = rows[at]
            n += 1
            if shares[rows[at]] >= 0:
                out[n] = shares[rows[at]]
                n += 1
        ends[s + 1] = n
    return out[:n].copy(), ends
