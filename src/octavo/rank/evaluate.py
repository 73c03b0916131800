"""Measures of a ranking against judgements, and how sure they are.

Pure. A ranking is the ids of documents, the best first; judgements are a grade for each document that was judged: above
0 means that it answers the query, the higher the better. Unjudged documents count as no answer.

The measures are those of trec_eval and pytrec_eval, to which tests hold them: the gain of a document is its grade
itself (linear, not 2^grade - 1), discounted by log2(rank + 1); negative grades count as 0; judged documents that no
search can find are missed all the same. One thing differs: where a program gives equal scores, trec_eval orders by id,
these keep the order that the reader would see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

Grades = Mapping[str, float]
"""The grade of each judged document of one query."""

RESAMPLES = 2_000
SEED = 1
RRF_K = 60
"""The constant of reciprocal rank fusion, as Cormack, Clarke and Büttcher set it."""
_BLOCK = 2_000_000
"""Numbers in memory at a time while resampling."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over queries with its 95 % interval: in 95 of 100 draws of as many queries it would lie there."""

    value: float
    low: float
    high: float


def ndcg(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Normalised discounted cumulative gain of the first `k`: 1 for the best order there is, 0 for no answer at all."""
    best = _dcg(sorted((grade for grade in grades.values() if grade > 0), reverse=True)[:k])
    return _dcg([max(0.0, grades.get(document, 0.0)) for document in ranking[:k]]) / best if best else 0.0


def _dcg(gains: Sequence[float]) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def recall(ranking: Sequence[str], grades: Grades, k: int) -> float:
    """Which share of the answers is among the first `k`."""
    answers = {document for document, grade in grades.items() if grade > 0}
    return len(answers.intersection(ranking[:k])) / len(answers) if answers else 0.0


def reciprocal_rank(ranking: Sequence[str], grades: Grades) -> float:
    """One over the rank of the first answer; 0 where there is none."""
    return next((1 / rank for rank, document in enumerate(ranking, 1) if grades.get(document, 0.0) > 0), 0.0)


def average_precision(ranking: Sequence[str], grades: Grades) -> float:
    """The mean, over all answers, of the precision at the rank of each; an answer that is not there counts 0."""
    n_answers, n_found, total = sum(grade > 0 for grade in grades.values()), 0, 0.0
    for rank, document in enumerate(ranking, 1):
        if grades.get(document, 0.0) > 0:
            n_found += 1
            total += n_found / rank
    return total / n_answers if n_answers else 0.0


def ndcg_of_pool(ranking: Sequence[str], grades: Grades, share: float = 0.2) -> float:
    """nDCG over the judged documents alone, cut at a share of how many they are: NDCG%20 of CSFCube.

    Judged documents that are not in the ranking come after it, in the order of their ids.
    """
    ordered = [document for document in ranking if document in grades]
    ordered += sorted(grades.keys() - set(ordered))
    return ndcg(ordered, grades, max(1, int(share * len(grades))))


def fused(rankings: Iterable[Sequence[str]], k: int = RRF_K) -> list[str]:
    """Plain reciprocal rank fusion with equal weights: a document's score is the sum of 1 / (k + rank). Of equal ones
    that comes first which an earlier ranking has first."""
    scores: dict[str, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            scores[document] = scores.get(document, 0.0) + 1 / (k + rank)
    return sorted(scores, key=lambda document: -scores[document])


def estimates(
    values: Sequence[Sequence[float]], *, resamples: int = RESAMPLES, seed: int = SEED
) -> tuple[Estimate, ...]:
    """The mean of each column of `values` (one row a query) with its interval by the percentile bootstrap.

    Queries are drawn as a whole, so the column of two ways' difference has the interval of a paired comparison. The
    same values, seed and number give the same intervals.
    """
    table: NDArray[np.float64] = np.asarray(values, np.float64)
    n = len(table)
    if not n:
        return ()
    draws = np.random.default_rng(seed)
    means = []
    block = max(1, _BLOCK // n)
    for start in range(0, resamples, block):
        counts = draws.multinomial(n, np.full(n, 1 / n), size=min(block, resamples - start))
        means.append(counts @ table / n)
    low, high = np.percentile(np.concatenate(means), [2.5, 97.5], axis=0)
    columns = zip(table.mean(axis=0).tolist(), low.tolist(), high.tolist(), strict=True)
    return tuple(Estimate(*column) for column in columns)
