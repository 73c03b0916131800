"""Fusing scores: what is certain stays first, and sums are what they say."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from octavo.rank.fuse import GUARDS, Fused, fuse

KEYS = st.integers(1, 40)
WORDS = st.dictionaries(KEYS, st.integers(1, 600).map(lambda tenths: tenths / 10), max_size=30)
COSINES = st.dictionaries(KEYS, st.floats(-1, 1), max_size=30)
CERTAIN = st.dictionaries(KEYS, st.sampled_from(sorted(GUARDS)), max_size=30)


@given(WORDS, COSINES, CERTAIN, st.floats(0, 1))
def test_a_higher_guard_always_comes_first(
    words: dict[int, float], cosines: dict[int, float], guards: dict[int, str], weight: float
) -> None:
    fused = fuse(words, cosines, guards, weight)
    heights = [GUARDS[one.guard][0] if one.guard else 0.0 for one in fused]
    assert heights == sorted(heights, reverse=True)


@given(WORDS, COSINES, CERTAIN, st.floats(0, 1))
def test_each_candidate_is_there_once_with_the_sum_of_its_parts(
    words: dict[int, float], cosines: dict[int, float], guards: dict[int, str], weight: float
) -> None:
    fused = fuse(words, cosines, guards, weight)
    assert sorted(one.pk for one in fused) == sorted({*words, *cosines, *guards})
    for one in fused:
        guard = GUARDS[one.guard][0] if one.guard else 0.0
        assert math.isclose(one.score, guard + one.z_words + one.weight * one.z_meaning, abs_tol=1e-9)


@given(WORDS, CERTAIN)
def test_words_alone_decide_where_there_are_no_vectors(words: dict[int, float], guards: dict[int, str]) -> None:
    unguarded = [one for one in fuse(words, {}, guards, 0.5) if not one.guard]
    assert [one.words for one in unguarded] == sorted((one.words for one in unguarded), reverse=True)
    assert all(one.cosine is None and not one.weight for one in unguarded)


def test_meaning_brings_a_paper_up_but_not_past_one_that_has_all_words() -> None:
    words = {1: 9.0, 2: 8.8, 3: 8.0, 4: 2.0}
    cosines = {1: 0.1, 2: 0.7, 3: 0.2, 4: 0.9}
    assert fuse(words, cosines, {}, 0.5)[0].pk == 2
    assert fuse(words, cosines, {3: "words"}, 0.5)[0].pk == 3


def test_equal_papers_come_in_the_order_of_their_keys() -> None:
    assert [one.pk for one in fuse({5: 1.0, 2: 1.0, 9: 1.0}, {}, {}, 0.5)] == [2, 5, 9]


def test_a_paper_without_a_vector_is_neither_near_nor_far() -> None:
    (bare,) = (one for one in fuse({1: 4.0, 2: 4.0}, {2: 0.5, 3: 0.1}, {}, 0.5) if one.pk == 1)
    assert bare == Fused(1, bare.z_words, "", 4.0, bare.z_words, None, 0.0, 0.0)
