"""A pair's score: what speaks for and against two records' being one work, weighed and added up.

The score is the logarithm of the odds that they are, under a logistic model whose weights `tools/linking/fit.py`
fits; above 0 they more likely are than not. Each part of it is a named level with its weight, and that is the
explanation. What must never be joined by its text alone, however high the score, has a `veto`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp

from octavo.explain import Explanation
from octavo.ingest.linking.evidence import evidence
from octavo.ingest.linking.features import Features
from octavo.ingest.linking.weights import PRIOR, WEIGHTS

VETOED = -0.5
"""The most that a pair with a veto is worth."""

_SAME_ABSTRACT = frozenset({"abstract: the same", "abstract: much in common"})
_OTHER_ABSTRACT = frozenset({
    "abstract: some runs in common", "abstract: few runs in common", "abstract: another",
})  # fmt: skip
_SAME_TITLE = frozenset({"title: equal", "title: equal, of few words", "title: nearly equal"})
_LIKE_TITLE = _SAME_TITLE | {
    "title: very near", "title: one begins with the other", "title: one begins with the other and lacks a field",
    "title: both begin alike and lack fields", "name before the colon: the same",
}  # fmt: skip
_OTHERWISE = frozenset({"words of its own: each title", "numbers: on one side only", "numbers: other ones"})
_UNKNOWN = frozenset({"authors: unknown", "authors: unknown on both sides"})


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing two records."""

    score: float
    """Log odds that they are one work, by what is written alone."""
    publication: float
    """Log odds that they are one publication: of one work, and no two appearances of it."""
    levels: tuple[str, ...]
    """What tells of the work."""
    veto: str = ""
    """Why they are not to be joined by their text, in words; empty where they may."""

    @property
    def work(self) -> float:
        """The score, or what a veto leaves of it."""
        return min(self.score, VETOED) if self.veto else self.score

    def explain(self) -> Explanation:
        """The score with its parts, the weightiest first; a veto before all."""
        parts = [Explanation(WEIGHTS.get(level, 0.0), level) for level in (PRIOR, *self.levels)]
        parts.sort(key=lambda part: (-abs(part.value), part.reason))
        if self.veto:
            parts.insert(0, Explanation(self.work - self.score, f"not joined by text alone: {self.veto}"))
        verdict = "one work" if self.work > 0 else "two works"
        return Explanation(self.work, f"{verdict}, {probability(abs(self.work)):.1%} sure", tuple(parts))


def compare(one: Features, other: Features) -> Comparison:
    """Compare two records by what is written in them; identifiers are `constraints`. Symmetric."""
    work, publication = evidence(one, other)
    score = WEIGHTS[PRIOR] + sum(WEIGHTS.get(level, 0.0) for level in work)
    more = sum(WEIGHTS.get(level, 0.0) for level in publication)
    return Comparison(score, score + more, tuple(work), _veto(frozenset(work)))


_VETOES: tuple[tuple[str, Callable[[frozenset[str]], bool]], ...] = (
    (
        "a title that many works have",
        lambda levels: "title: equal, but generic" in levels or "title: generic both" in levels,
    ),
    ("one is an erratum, a reply or a supplement", lambda levels: "notice: on one side only" in levels),
    (
        "one is an abstract, a review or a talk",
        lambda levels: (
            "form: named on one side only" in levels
            and "edition: the same" not in levels
            and levels.isdisjoint(_SAME_ABSTRACT)
        ),
    ),
    (
        "one is a part",
        lambda levels: "part: named on one side only" in levels and "abstract: the same" not in levels,
    ),
    (
        "a title that recurs in a series",
        lambda levels: (
            "edition: another of the series" in levels
            and "abstract: the same" not in levels
            and "pages: the same" not in levels
        ),
    ),
    (
        "published twice, under two titles",
        lambda levels: (
            "published twice: under two titles" in levels
            and "abstract: the same" not in levels
            and ("title: nearly equal" not in levels or not levels.isdisjoint(_OTHERWISE))
        ),
    ),
    (
        "the titles' numbers differ",
        lambda levels: "numbers: other ones" in levels and levels.isdisjoint(_SAME_ABSTRACT),
    ),
    (
        "the titles differ, and no abstract tells",
        lambda levels: (
            "words of its own: each title" in levels
            and levels.isdisjoint(_LIKE_TITLE)
            and levels.isdisjoint(_SAME_ABSTRACT)
        ),
    ),
    (
        "neither title nor abstract agree",
        lambda levels: not levels.isdisjoint(_OTHER_ABSTRACT) and levels.isdisjoint(_LIKE_TITLE),
    ),
    (
        "no author in common",
        lambda levels: "authors: none in common" in levels and "abstract: the same" not in levels,
    ),
    (
        "authors unknown",
        lambda levels: (
            not levels.isdisjoint(_UNKNOWN)
            and levels.isdisjoint(_SAME_ABSTRACT)
            and (levels.isdisjoint(_SAME_TITLE) or "edition: the same" not in levels)
        ),
    ),
)
"""What keeps two records apart unless an identifier joins them: a reason, and whether it holds for some levels."""


def _veto(levels: frozenset[str]) -> str:
    """The first veto that holds; empty where none does."""
    return next((reason for reason, holds in _VETOES if holds(levels)), "")


def probability(log_odds: float) -> float:
    """The probability that log odds stand for."""
    if log_odds < 0:
        return 1 - probability(-log_odds)
    return 1 / (1 + exp(-log_odds)) if log_odds < 700 else 1.0
