"""What counts say of change: shares with an interval, growth that is told from noise, words that go together. Pure.

* A share (`share`) has Wilson's interval of 95 %: it holds for one paper of three as well as for a thousand of a
  million, and never leaves 0 to 1.
* Growth (`changes`) is the slope of a logistic regression of the share on the year, each year weighing as many papers
  as it has. Shares scatter more from year to year than chance alone would let them (one workshop is enough), so that
  the slope's error is widened by that scatter (quasi-binomial: Pearson's statistic by its degrees of freedom, at least
  1), and its interval is Student's with two degrees of freedom less than there are years. A weak prior on the slope,
  normal around nothing with a deviation of 1 a year (a factor of 2.7), keeps a subject of a single year finite.
* A year of fewer than `LEAST_OF` papers is left out: two papers that are both of a subject are a share of 100 %, whose
  scatter would drown years of thousands. No rate is told beyond `MOST_FACTOR` a year, up or down.
* Of hundreds of subjects some seem to grow by chance. `adjusted` are the p-values after Benjamini and Hochberg: of
  those called rising or falling at 5 %, one in twenty at most is expected to be neither.
* What goes together (`bond`) is measured by Dunning's log-likelihood ratio, and told with its lift.
* What is typical (`nearest_to_middle`) is near to the middle of the papers' vectors.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from octavo.index.vectors import VectorIndex

LEVEL = 0.95
"""Of all intervals here."""
FALSE_RATE = 0.05
"""What share of the changes that are told may be none, in the long run."""
LEAST_YEARS = 3
"""Years that a change can be told from."""
LEAST_OF = 30
"""Papers that a year needs for a share of it to say anything: of fewer, its interval may be wider than a third."""
MOST_FACTOR = 100.0
"""What odds are told to grow or shrink by in a year at most; what is beyond is told as this."""
_Z = 1.959963984540054
_STEPS = 60
_FAR = 3.0
_CLOSE = 1e-10

Numbers = NDArray[np.float64]


class Share(NamedTuple):
    """A part of a whole, and what it may be beside chance."""

    low: float
    value: float
    high: float


@dataclass(frozen=True, slots=True)
class Change:
    """How a share changed from year to year."""

    rate: float
    """What its odds grow by in a year: 0.25 is a quarter more each year, -0.5 half of it each year."""
    low: float
    high: float
    """The interval of the rate; an end that is beyond `MOST_FACTOR` is told as that."""
    p: float
    """How likely so steep a slope is where there is none."""
    scatter: float
    """How many times as much as by chance the shares vary around the slope; 1 where it is no more."""

    @property
    def is_above(self) -> bool:
        """Whether the interval ends beyond what is told."""
        return self.high >= MOST_FACTOR - 1 - _CLOSE

    @property
    def is_below(self) -> bool:
        """Whether the interval begins beyond what is told."""
        return self.low <= 1 / MOST_FACTOR - 1 + _CLOSE


class Bond(NamedTuple):
    """How two words go together."""

    lift: float
    """How many times as often as by chance: 1 where they have nothing to do with each other."""
    strength: float
    """The log-likelihood ratio; below 0 where they shun each other. Above 3.84 it is no chance at 5 %."""


def share(n: int, total: int) -> Share | None:
    """`n` of `total` as a share with Wilson's interval; None of nothing.

    >>> share(0, 10)
    Share(low=0.0, value=0.0, high=0.2775327998628892)
    """
    if total <= 0:
        return None
    value, spread = n / total, _Z * _Z / total
    middle = (value + spread / 2) / (1 + spread)
    reach = math.sqrt(value * (1 - value) * spread + spread * spread / 4) / (1 + spread)
    return Share(max(0.0, middle - reach) if n else 0.0, value, min(1.0, middle + reach) if n < total else 1.0)


def changes(
    counts: Sequence[Sequence[int]], totals: Sequence[Sequence[int]], years: Sequence[int]
) -> list[Change | None]:
    """How each row's share changed over the years; None where too few years have papers enough (`LEAST_OF`) to tell, or
    no paper or every paper of those years is of it.

    Args:
        counts: (rows, years), papers of each subject.
        totals: (rows, years), papers that they are counted among; 0 for a year without any.
        years: In any order.
    """
    if not counts or not years:
        return [None] * len(counts)
    n = np.asarray(counts, np.float64)
    of = np.asarray(totals, np.float64)
    there = of >= LEAST_OF
    n, of = np.where(there, n, 0.0), np.where(there, of, 0.0)
    freedom = there.sum(axis=1) - 2
    all_n, all_of = n.sum(axis=1), of.sum(axis=1)
    fits = (freedom >= LEAST_YEARS - 2) & (all_n > 0) & (all_n < all_of)
    found: list[Change | None] = [None] * len(counts)
    rows = np.flatnonzero(fits)
    if not len(rows):
        return found
    n, of, freedom = n[rows], of[rows], freedom[rows]
    at = np.asarray(years, np.float64)[None, :]
    # Around the middle of the papers, where level and slope hardly depend on each other.
    at = at - (of * at).sum(axis=1, keepdims=True) / of.sum(axis=1, keepdims=True)
    slope, variance, scatter = _slopes(n, of, at, freedom)
    for row, beta, error, spread, df in zip(rows, slope, np.sqrt(variance), scatter, freedom, strict=True):
        reach = quantile(int(df)) * float(error)
        p = 2 * tail(abs(float(beta)) / float(error), int(df))
        rates = (_rate(float(beta)), _rate(float(beta) - reach), _rate(float(beta) + reach))
        found[int(row)] = Change(*rates, p, float(spread))
    return found


def _rate(slope: float) -> float:
    return max(1 / MOST_FACTOR - 1, min(math.expm1(min(slope, 50.0)), MOST_FACTOR - 1))


def _slopes(n: Numbers, of: Numbers, at: Numbers, freedom: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """(slope, its variance, scatter) of each row, by Newton's steps."""
    all_n, all_of = n.sum(axis=1), of.sum(axis=1)
    level = np.log(all_n / (all_of - all_n))
    slope = np.zeros_like(level)
    for _ in range(_STEPS):
        p = _expected(level, slope, at)
        weight = of * p * (1 - p)
        rest = n - of * p
        pull, turn = rest.sum(axis=1), (rest * at).sum(axis=1) - slope
        a, b, c = weight.sum(axis=1), (weight * at).sum(axis=1), (weight * at * at).sum(axis=1) + 1
        determinant = a * c - b * b
        up = np.clip((c * pull - b * turn) / determinant, -_FAR, _FAR)
        steeper = np.clip((a * turn - b * pull) / determinant, -_FAR, _FAR)
        level, slope = level + up, slope + steeper
        if max(np.abs(up).max(), np.abs(steeper).max()) < _CLOSE:
            break
    p = _expected(level, slope, at)
    weight = of * p * (1 - p)
    a, b, c = weight.sum(axis=1), (weight * at).sum(axis=1), (weight * at * at).sum(axis=1) + 1
    pearson = np.where(of > 0, (n - of * p) ** 2 / np.maximum(weight, 1e-12), 0.0).sum(axis=1)
    scatter = np.maximum(1.0, pearson / freedom)
    return slope, scatter * a / (a * c - b * b), scatter


def _expected(level: Numbers, slope: Numbers, at: Numbers) -> Numbers:
    odds = np.clip(level[:, None] + slope[:, None] * at, -35, 35)
    p: Numbers = 1 / (1 + np.exp(-odds))
    return p


def adjusted(chances: Sequence[float]) -> list[float]:
    """The p-values after Benjamini and Hochberg, in the order given.

    >>> adjusted([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    order = sorted(range(len(chances)), key=lambda one: chances[one])
    found = [1.0] * len(chances)
    least = 1.0
    for rank in range(len(order), 0, -1):
        one = order[rank - 1]
        least = min(least, chances[one] * (len(order) / rank))
        found[one] = least
    return found


def bond(n_both: int, n_one: int, n_other: int, n_all: int) -> Bond:
    """How two words go together, of which `n_one` and `n_other` of `n_all` papers speak, and `n_both` of both.

    >>> bond(10, 100, 100, 1000)
    Bond(lift=1.0, strength=0.0)
    """
    if min(n_one, n_other, n_all) <= 0:
        return Bond(0.0, 0.0)
    table = (
        (n_both, n_one, n_other),
        (n_one - n_both, n_one, n_all - n_other),
        (n_other - n_both, n_all - n_one, n_other),
        (n_all - n_one - n_other + n_both, n_all - n_one, n_all - n_other),
    )
    lift = n_both * n_all / (n_one * n_other)
    ratio = 2 * sum(n * math.log(n * n_all / (row * column)) for n, row, column in table if n > 0)
    return Bond(lift, math.copysign(max(0.0, ratio), lift - 1) if ratio > 1e-9 else 0.0)


def nearest_to_middle(vectors: VectorIndex, pks: Sequence[int], most: int) -> list[int]:
    """The papers nearest in meaning to the middle of all of these, the nearest first; none where none has a vector."""
    keys = np.asarray(pks, np.int64)
    rows = vectors.vectors(keys)
    known = rows.any(axis=1)
    rows, keys = rows[known], keys[known]
    if not len(keys):
        return []
    order = np.argsort(-(rows @ rows.mean(axis=0)), kind="stable")[:most]
    return [int(key) for key in keys[order]]


def tail(t: float, freedom: int) -> float:
    """How likely Student's t exceeds a number that is not below 0.

    >>> round(tail(2.228139, 10), 6)
    0.025
    """
    return _incomplete_beta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2


@cache
def quantile(freedom: int) -> float:
    """What Student's t exceeds once in forty times.

    >>> [round(quantile(freedom), 3) for freedom in (1, 8, 30)]
    [12.706, 2.306, 2.042]
    """
    low, high = 0.0, 20.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > (1 - LEVEL) / 2 else (low, middle)
    return (low + high) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function, by its continued fraction (Lentz's way)."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-300
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or tiny)
    value = d
    for m in range(1, 300):
        for top in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + top * d) or tiny)
            c = (1 + top / c) or tiny
            value *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * value / a
