"""Shares, growth told from noise, and words that go together."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.rank.trends import LEAST_OF, MOST_FACTOR, Bond, Change, adjusted, bond, changes, quantile, share, tail

YEARS = tuple(range(2021, 2031))


@pytest.mark.parametrize(
    ("n", "total", "low", "high"),
    [
        # Newcombe, Statistics in Medicine 17 (1998), table I: Wilson's score method without correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_share_has_wilsons_interval(n: int, total: int, low: float, high: float) -> None:
    found = share(n, total)
    assert found is not None
    assert (round(found.low, 4), found.value, round(found.high, 4)) == (low, n / total, high)


def test_share_of_nothing_is_none() -> None:
    assert share(0, 0) is None


@given(st.integers(0, 5_000).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_a_share_is_in_its_interval_and_the_rest_mirrors_it(counted: tuple[int, int]) -> None:
    n, total = counted
    found, rest = share(n, total), share(total - n, total)
    if found is None or rest is None:
        assert total == 0
        return
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert math.isclose(found.low, 1 - rest.high, abs_tol=1e-12)


def one(counts: list[int], totals: list[int], years: tuple[int, ...] = YEARS) -> Change | None:
    return changes([counts], [totals], years[: len(counts)])[0]


def test_growth_is_found_when_shares_double_each_year() -> None:
    found = one([10, 20, 40, 80, 160], [10**6] * 5)
    assert found is not None
    assert found.rate == pytest.approx(1, abs=0.01)
    assert 0 < found.low < found.rate < found.high
    assert found.p < 0.01
    assert found.scatter == 1


def test_growth_backwards_is_the_reciprocal() -> None:
    up, down = one([10, 20, 40, 80, 160], [10**6] * 5), one([160, 80, 40, 20, 10], [10**6] * 5)
    assert up is not None
    assert down is not None
    assert (1 + up.rate) * (1 + down.rate) == pytest.approx(1)
    assert (1 + up.high) * (1 + down.low) == pytest.approx(1)
    assert up.p == pytest.approx(down.p)


def test_scatter_widens_the_interval_when_years_jump() -> None:
    """Papers by the thousand make any jump look certain, unless it is held against the jumps of other years."""
    smooth = one([1000, 1050, 1100, 1150, 1200, 1250], [20_000] * 6)
    jumping = one([1000, 1500, 700, 1400, 800, 1500], [20_000] * 6)
    assert smooth is not None
    assert jumping is not None
    assert smooth.scatter == 1 < 10 < jumping.scatter
    assert smooth.low > 0 > jumping.low


@pytest.mark.parametrize(
    ("counts", "totals"),
    [
        ([1, 2], [10, 10]),
        ([1, 2, 3], [10, 10, 0]),
        ([0, 0, 0, 0], [10, 10, 10, 10]),
        ([10, 10, 10], [10, 10, 10]),
        ([0, 0, 0], [0, 0, 0]),
    ],
)
def test_change_is_none_when_nothing_can_be_told(counts: list[int], totals: list[int]) -> None:
    assert one(counts, totals) is None


def test_a_year_without_papers_says_nothing() -> None:
    with_gap = changes([[1, 2, 0, 8, 9]], [[50, 60, 0, 70, 80]], (2021, 2022, 2023, 2024, 2025))[0]
    without = changes([[1, 2, 8, 9]], [[50, 60, 70, 80]], (2021, 2022, 2024, 2025))[0]
    assert with_gap is not None
    assert without is not None
    assert with_gap.rate == pytest.approx(without.rate)
    assert with_gap.high == pytest.approx(without.high)


def test_years_of_a_few_papers_do_not_drown_those_of_thousands() -> None:
    """Two papers of 2019, both on the topic, once gave an interval of -100 % to +6.6e9 %."""
    large = ([3, 8, 20, 60, 180, 500], [600, 900, 1200, 1800, 3000, 4700])
    small = ([0, 2, 1, 0], [2, 2, 13, LEAST_OF - 1])
    alone = changes([large[0]], [large[1]], range(2020, 2026))[0]
    told = changes([small[0] + large[0]], [small[1] + large[1]], range(2016, 2026))[0]
    assert told is not None
    assert told == alone
    assert told.scatter < 10
    assert 0 < told.low < told.high < 10


def test_fewer_than_three_years_of_enough_papers_tell_nothing() -> None:
    assert one([2, 1, 15, 80], [2, 13, 300, 900]) is None
    assert one([2, 5, 15, 80], [2, LEAST_OF, 300, 900]) is not None


def test_no_rate_is_told_beyond_the_bound() -> None:
    up, down = one([1, 1000, 20], [4000] * 3), one([900, 1, 800], [1000] * 3)
    for found in (up, down):
        assert found is not None
        assert 1 / MOST_FACTOR - 1 <= found.low <= found.rate <= found.high <= MOST_FACTOR - 1
        assert found.is_above
        assert found.is_below


def test_a_subject_of_one_year_has_a_finite_growth() -> None:
    found = one([0, 0, 0, 9], [100] * 4)
    assert found is not None
    assert found.rate > 0
    assert all(math.isfinite(number) for number in (found.rate, found.low, found.high, found.p))


@given(
    st.lists(st.integers(0, 90).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))), max_size=10)
)
def test_any_counts_give_an_ordered_interval(years: list[tuple[int, int]]) -> None:
    found = one([n for n, _ in years], [total for _, total in years]) if years else None
    if found is not None:
        assert -1 <= found.low <= found.rate <= found.high
        assert math.isfinite(found.high)
        assert 0 <= found.p <= 1
        assert found.scatter >= 1


def test_rows_are_told_independently() -> None:
    rows, totals = [[1, 2, 4, 8], [8, 4, 2, 1], [0, 0, 0, 0]], [100] * 4
    together = changes(rows, [totals] * 3, YEARS[:4])
    alone = [one(row, totals) for row in rows]
    assert [found and round(found.rate, 9) for found in together] == [found and round(found.rate, 9) for found in alone]


def test_hardly_anything_is_told_when_all_is_chance() -> None:
    draw = random.Random(7)
    totals = [200 + 40 * at for at in range(10)]
    rows = [[sum(draw.random() < 0.05 for _ in range(total)) for total in totals] for _ in range(200)]
    found = [told for told in changes(rows, [totals] * 200, YEARS) if told is not None]
    assert len(found) == 200
    assert sum(told.p < 0.05 for told in found) <= 16
    assert sum(q < 0.05 for q in adjusted([told.p for told in found])) <= 1


def test_adjusted_follows_the_published_example() -> None:
    """Benjamini and Hochberg, J. R. Stat. Soc. B 57 (1995), section 3.1: of these fifteen, four hold at 5 %."""
    chances = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
        0.7590, 1.0]  # fmt: skip
    assert sum(q <= 0.05 for q in adjusted(chances)) == 4


@given(st.lists(st.floats(0, 1), max_size=30))
def test_adjusted_keeps_the_order_and_makes_nothing_surer(chances: list[float]) -> None:
    found = adjusted(chances)
    assert len(found) == len(chances)
    assert all(p <= q <= 1 for p, q in zip(chances, found, strict=True))
    by_chance = sorted(zip(chances, found, strict=True))
    assert [q for _, q in by_chance] == sorted(found)


@pytest.mark.parametrize(("freedom", "expected"), [(1, 12.7062), (2, 4.3027), (5, 2.5706), (10, 2.2281), (120, 1.9799)])
def test_quantile_is_that_of_the_tables(freedom: int, expected: float) -> None:
    assert quantile(freedom) == pytest.approx(expected, abs=1e-4)


def test_tail_is_a_half_at_nothing() -> None:
    assert tail(0.0, 7) == pytest.approx(0.5)


def test_bond_is_dunnings_ratio() -> None:
    # 2 * sum(n * log(n / expected)) of the table 110, 2442 / 111, 29114 (Dunning 1993, table 2: 270.72).
    found = bond(110, 2552, 221, 31777)
    assert found.strength == pytest.approx(270.72, abs=0.01)
    assert found.lift == pytest.approx(110 * 31777 / (2552 * 221))


@pytest.mark.parametrize(("counted", "sign"), [((0, 50, 50, 100), -1), ((50, 50, 50, 100), 1), ((25, 50, 50, 100), 0)])
def test_bond_is_negative_when_words_shun_each_other(counted: tuple[int, int, int, int], sign: int) -> None:
    strength = bond(*counted).strength
    assert (strength > 0) - (strength < 0) == sign


def test_bond_of_nothing_is_nothing() -> None:
    assert bond(0, 0, 10, 100) == Bond(0.0, 0.0)
