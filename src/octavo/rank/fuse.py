"""Fusing what words find with what meaning finds, by their scores.

Each candidate has a score by words (BM25) and one by meaning (the cosine of its vector and the query's). The two are
brought to one measure, how many standard deviations above the mean of that list's first hundred they are (z-scores),
and added: `z(words) + weight * z(meaning)`. Merging by rank instead loses what the scores say: on 70,000 papers plain
reciprocal rank fusion was below BM25 on three of four tasks.

What is certain is not left to sums. A paper with the query as its title, with the whole of it in a row, by an author of
that name, or with all of its words gets so much on top that nothing without it comes before it (`GUARDS`).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from octavo.index.text_query import EXACT_ID, EXACT_TITLE

WEIGHT = 0.7
"""What meaning counts against words for a query in English whose vector is fully to be trusted
(`StaticEncoder.trust`). Set on authors' keywords, sentences and words of titles as queries, for papers of machine
learning and of foreign fields, none of them of a labelled set: a fixed weight was below words alone for a few words
of a foreign field, this is nowhere."""
CHINESE_WEIGHT = 0.2
"""The same for the English names of a Chinese query's terms: a row of names is no English sentence."""
LEAST_COSINE = 0.2
"""What only meaning finds must be this near. Of two unrelated papers the cosine is 0.02, give or take 0.08; of a
summary and its paper it is above 0.25 in 95 of 100 cases."""
LEAST_KNOWN = 0.6
"""The share of a query's words that the encoder must know for what only meaning finds to come in."""
WINDOW = 100
"""Candidates of each kind that are compared."""
_LARGEST = 12.0
"""Where z-scores are cut off; with a weight of 1 at most, two sums differ by less than the lowest guard."""

MOST_WORDS, ALL_WORDS, BY_AUTHOR, IN_A_ROW, CALLED, NEAR_TITLE = 50.0, 100.0, 150.0, 200.0, 300.0, 500.0
GUARDS = {
    "most": (MOST_WORDS, "has most of the terms"),
    "words": (ALL_WORDS, "has all the words"),
    "author": (BY_AUTHOR, "is by an author of this name"),
    "row": (IN_A_ROW, "has the whole query in a row"),
    "called": (CALLED, "is called this"),
    "near": (NEAR_TITLE, "the title is nearly this"),
    "title": (EXACT_TITLE, "the title is exactly this"),
    "id": (EXACT_ID, "has the identifier"),
}
"""What is certain of a hit, and what it adds: more than any sum of the guards below it and of z-scores."""


@dataclass(frozen=True, slots=True)
class Fused:
    """A candidate and what speaks for it."""

    pk: int
    score: float
    guard: str
    """The highest of `GUARDS` that it has, or empty."""
    words: float
    """Its BM25, 0 where it has none of the words."""
    z_words: float
    cosine: float | None
    """None where it has no vector or there was no search by meaning."""
    z_meaning: float
    weight: float


def fuse(
    words: Mapping[int, float], cosines: Mapping[int, float], guards: Mapping[int, str], weight: float
) -> list[Fused]:
    """The candidates of `words`, `cosines` and `guards`, the best first; of equal ones the smaller key.

    Args:
        words: BM25 of each candidate that has any of the words.
        cosines: The cosine of each candidate that has a vector.
        guards: The highest guard of each that has one.
        weight: What a z-score of meaning counts against one of words.
    """
    mean_w, spread_w = _spread(words.values())
    mean_m, spread_m = _spread(cosines.values())
    fused = []
    for pk in {**words, **cosines, **guards}:
        bm25, cosine, guard = words.get(pk, 0.0), cosines.get(pk), guards.get(pk, "")
        z_words = _within((bm25 - mean_w) / spread_w)
        z_meaning = 0.0 if cosine is None else _within((cosine - mean_m) / spread_m)
        score = z_words + weight * z_meaning + (GUARDS[guard][0] if guard else 0.0)
        fused.append(Fused(pk, score, guard, bm25, z_words, cosine, z_meaning, weight if cosine is not None else 0.0))
    return sorted(fused, key=lambda one: (-one.score, one.pk))


def _within(z: float) -> float:
    """A z-score that no guard is outweighed by: few candidates that are nearly equal make any distance enormous."""
    return max(-_LARGEST, min(_LARGEST, z))


def _spread(scores: Collection[float]) -> tuple[float, float]:
    """Mean and standard deviation of the best hundred; 1 where there is none, so that nothing is divided by it."""
    best: Sequence[float] = sorted(scores, reverse=True)[:WINDOW]
    if not best:
        return 0.0, 1.0
    return fmean(best), pstdev(best) or 1.0
