"""How much words and names tell."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.ingest.linking.rarity import tells, weight_of, weight_of_family

WORDS = ["the", "learning", "tilings", "graph", "neural", "whale", "of", "networks", "x", "quarry", "diffusion"]


def test_words_tell_more_when_they_are_rarer() -> None:
    weights = [weight_of(word) for word in ("of", "learning", "graph", "tilings")]
    assert weights == sorted(weights)
    assert weight_of("tilings") == 1.0
    assert [tells(word) for word in ("learning", "tilings", "of")] == [False, True, False]
    assert weight_of_family("wang") < weight_of_family("smith") < weight_of_family("quillfeather") == 1.0


@given(st.permutations(WORDS))
def test_sums_of_weights_are_the_same_when_the_order_is_another(words: list[str]) -> None:
    # Sets of words are summed, and their order differs from run to run.
    assert sum(map(weight_of, words)) == sum(map(weight_of, WORDS))
