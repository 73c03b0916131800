"""Measures of rankings, held to what pytrec_eval gives, and their intervals."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.rank.evaluate import (
    average_precision,
    estimates,
    fused,
    ndcg,
    ndcg_of_pool,
    recall,
    reciprocal_rank,
)

PYTREC_EVAL = (
    (
        "d19 d08 d23 d11 d25 d22 d27 d20 d16 d00 d14 d07 d01 d05 d03 d21 d18 d15 d06 d28 d17 d12 d24 d29 d09",
        "d13:0 d08:0 d05:-1 d24:0 d12:0 d27:-1 d02:0 d04:0 d19:-1 d21:0 d14:1 d22:1",
        (0.0, 0.218407, 0.5, 1.0, 0.166667, 0.174242),
    ),
    (
        "d06 d17 d21 d20 d29 d05 d22 d25 d12 d09 d00 d11 d13 d24 d04 d15 d01 d16 d14 d26 d10 d19 d27 d08 d02",
        "d11:0 d26:3 d09:1 d15:-1 d22:1 d10:0 d05:2 d28:-1 d25:1 d23:1 d01:1 d08:2",
        (0.0, 0.232945, 0.5, 0.875, 0.166667, 0.264146),
    ),
    (
        "d26 d00 d14 d01 d22 d05 d19 d06 d03 d07 d27 d11 d16 d18 d08 d12 d20 d29 d09 d24 d04 d28 d25 d15 d23",
        "d10:1 d16:0 d19:-1 d11:0 d04:3 d29:0 d08:3 d22:3 d17:1 d02:1 d09:0 d24:3",
        (0.143782, 0.132466, 0.142857, 0.571429, 0.2, 0.096259),
    ),
    (
        "d01 d02 d19 d17 d12 d29 d07 d27 d11 d08 d14 d13 d04 d24 d16 d25 d23 d05 d03 d28 d09 d10 d06 d00 d15",
        "d13:1 d11:3 d04:3 d01:1 d29:1 d09:1 d27:1 d14:1 d19:1 d05:0 d16:0 d22:1",
        (0.241534, 0.393927, 0.5, 0.9, 1.0, 0.539497),
    ),
    (
        "d26 d17 d05 d20 d15 d10 d27 d02 d25 d08 d16 d28 d19 d11 d22 d12 d14 d13 d23 d09 d00 d04 d18 d29 d07",
        "d99:2 d98:1 d20:1",
        (0.137555, 0.137555, 0.333333, 0.333333, 0.25, 0.083333),
    ),
    (
        "d16 d20 d21 d25 d11 d26 d08 d28 d24 d13 d27 d05 d14 d19 d10 d23 d02 d17 d22 d03 d18 d07 d04 d09 d00",
        "d21:1 d25:1 d11:1 d26:1 d08:1 d28:1 d24:1 d13:1 d27:1 d05:1 d14:1 d19:1 d10:1 d23:1",
        (0.446854, 0.641046, 0.571429, 1.0, 0.333333, 0.731324),
    ),
)
"""Rankings and grades drawn by chance; then what pytrec_eval-terrier 0.5.11 gives for ndcg_cut_5, ndcg_cut_10, recall_10,
recall_100, recip_rank and map. The fifth has answers that are in no ranking, the sixth more than ten answers."""


def graded(text: str) -> dict[str, float]:
    return {name: float(grade) for name, grade in (pair.split(":") for pair in text.split())}


@pytest.mark.parametrize(("ranking", "grades", "expected"), PYTREC_EVAL)
def test_measures_are_those_of_pytrec_eval(ranking: str, grades: str, expected: tuple[float, ...]) -> None:
    ranked, judged = ranking.split(), graded(grades)
    found = (
        ndcg(ranked, judged, 5),
        ndcg(ranked, judged, 10),
        recall(ranked, judged, 10),
        recall(ranked, judged, 100),
        reciprocal_rank(ranked, judged),
        average_precision(ranked, judged),
    )
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(
    ("ranking", "grades", "expected"),
    [
        ("a b", "a:1", 1.0),
        ("b a", "a:1", 1 / log2(3)),
        ("a b", "a:1 b:3", (1 + 3 / log2(3)) / (3 + 1 / log2(3))),  # 2^grade - 1 would give 7 for 3
        ("", "a:1", 0.0),
        ("a", "a:0", 0.0),
        ("a", "", 0.0),
    ],
)
def test_ndcg_has_linear_gains_when_grades_differ(ranking: str, grades: str, expected: float) -> None:
    assert ndcg(ranking.split(), graded(grades), 10) == pytest.approx(expected)


def test_ndcg_of_pool_looks_at_judged_documents_only_when_others_are_ranked_between() -> None:
    grades = graded("a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:2 i:1 j:0")
    assert ndcg_of_pool(["x", "y", "h", "z", "i"], grades) == 1.0  # the first two of ten are the two answers
    assert ndcg_of_pool(["x", "y", "a", "h", "i"], grades) == pytest.approx(2 / log2(3) / (2 + 1 / log2(3)))
    assert ndcg_of_pool([], grades) == 0.0  # a and b, by id


def test_ndcg_of_pool_cuts_at_one_when_the_pool_is_small() -> None:
    assert ndcg_of_pool(["a"], graded("a:1 b:0")) == 1.0


def test_fused_adds_reciprocal_ranks_when_rankings_differ() -> None:
    # b: 1/62 + 1/61 > a: 1/61 + 1/63 > c: 1/62 > d: 1/63
    assert fused([["a", "b", "d"], ["b", "c", "a"]]) == ["b", "a", "c", "d"]
    assert fused([["a", "b"], ["b", "a"]]) == ["a", "b"]  # equal: as the first has them
    assert fused([["a", "b", "c", "d"], ["d", "c"]], k=0) == ["d", "a", "c", "b"]  # 5/4, 1, 5/6, 1/2
    assert fused([]) == []


def test_fused_is_the_ranking_when_there_is_one() -> None:
    assert fused([["c", "a", "b"]]) == ["c", "a", "b"]


def test_estimates_are_the_same_when_made_again() -> None:
    values = [[float(n % 3), float(n % 2)] for n in range(50)]
    first = estimates(values, seed=7)
    assert first == estimates(values, seed=7)
    assert first != estimates(values, seed=8)


def test_estimates_hold_the_normal_interval_when_there_are_many_queries() -> None:
    (one,) = estimates([[float(n % 2)] for n in range(400)])
    assert one.value == 0.5
    # A mean of 400 draws of 0 and 1 has a standard error of 0.025.
    assert one.low == pytest.approx(0.5 - 1.96 * 0.025, abs=0.008)
    assert one.high == pytest.approx(0.5 + 1.96 * 0.025, abs=0.008)


def test_estimates_are_paired_when_a_column_is_a_difference() -> None:
    values = [[float(n % 2), float(n % 2) + 0.1, 0.1] for n in range(100)]
    base, other, more = estimates(values)
    assert base.high > other.low  # the intervals overlap, and yet the difference is certain
    assert (more.low, more.high) == pytest.approx((0.1, 0.1))


def test_estimates_are_points_when_there_is_one_query() -> None:
    (one,) = estimates([[0.25]])
    assert (one.value, one.low, one.high) == (0.25, 0.25, 0.25)
    assert estimates([]) == ()


IDS = st.lists(st.sampled_from([f"d{n}" for n in range(30)]), unique=True)
GRADES = st.dictionaries(st.sampled_from([f"d{n}" for n in range(30)]), st.integers(-1, 4).map(float), max_size=20)


@given(IDS, GRADES, st.integers(1, 40))
def test_measures_are_shares_whatever_is_ranked(ranking: list[str], grades: dict[str, float], k: int) -> None:
    found = [
        ndcg(ranking, grades, k),
        recall(ranking, grades, k),
        reciprocal_rank(ranking, grades),
        average_precision(ranking, grades),
        ndcg_of_pool(ranking, grades),
    ]
    assert all(0.0 <= value <= 1.0 + 1e-9 for value in found)
    assert any(found[:3]) <= any(grade > 0 for grade in grades.values())


@given(GRADES, st.integers(1, 40))
def test_ndcg_is_one_when_the_order_is_the_best(grades: dict[str, float], k: int) -> None:
    best = sorted(grades, key=lambda document: -grades[document])
    assert ndcg(best, grades, k) == pytest.approx(float(any(grade > 0 for grade in grades.values())))


@given(st.lists(IDS, max_size=4))
def test_fused_holds_each_document_once_whatever_the_rankings(rankings: list[list[str]]) -> None:
    found = fused(rankings)
    assert sorted(found) == sorted({document for ranking in rankings for document in ranking})
