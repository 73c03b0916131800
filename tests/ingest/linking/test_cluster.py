"""Constrained correlation clustering, against trying all partitions."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.ingest.linking import cluster
from octavo.ingest.linking.cluster import agreement, partition


def matrix(n: int, pairs: dict[tuple[int, int], float], rest: float = -1.0) -> list[list[float]]:
    weights = [[0.0 if one == other else rest for other in range(n)] for one in range(n)]
    for (one, other), weight in pairs.items():
        weights[one][other] = weights[other][one] = weight
    return weights


def partitions(nodes: list[int]) -> Iterator[list[list[int]]]:
    """All of them."""
    if not nodes:
        yield []
        return
    for rest in partitions(nodes[1:]):
        yield [[nodes[0]], *rest]
        for at, some in enumerate(rest):
            yield [*rest[:at], [nodes[0], *some], *rest[at + 1 :]]


@st.composite
def problems(draw: st.DrawFn, most: int = 6) -> list[list[float]]:
    n = draw(st.integers(1, most))
    # Weights are logarithms of odds: a billionth more or less is no reason for anything.
    rounded = st.floats(-9, 9, allow_nan=False).map(lambda value: round(value, 6))
    weight = st.one_of(st.just(-inf), st.integers(-9, 9).map(float), rounded)
    return matrix(n, {(one, other): draw(weight) for other in range(n) for one in range(other)})


@given(problems())
def test_partition_is_the_best_when_the_group_is_small(weights: list[list[float]]) -> None:
    nodes = list(range(len(weights)))
    found = partition(weights, [f"r{node}" for node in nodes])
    assert sorted(node for some in found for node in some) == nodes
    assert agreement(weights, found) == pytest.approx(
        max(agreement(weights, some) for some in partitions(nodes)), abs=1e-8
    )


@given(problems(), st.randoms())
def test_partition_is_the_same_when_the_nodes_are_numbered_otherwise(weights: list[list[float]], rng: object) -> None:
    order = list(range(len(weights)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    names = [f"r{node}" for node in range(len(weights))]
    shuffled = [[weights[one][other] for other in order] for one in order]
    found = {frozenset(names[node] for node in some) for some in partition(weights, names)}
    again = {
        frozenset(names[order[node]] for node in some) for some in partition(shuffled, [names[node] for node in order])
    }
    assert found == again


@settings(max_examples=60)
@given(problems(most=14))
def test_partition_respects_constraints_and_beats_the_trivial_ones(weights: list[list[float]]) -> None:
    names = [f"r{node:02}" for node in range(len(weights))]
    order = cluster._approximate(weights, names)
    assert sorted(node for some in order for node in some) == list(range(len(weights)))
    assert agreement(weights, order) > -inf
    assert agreement(weights, order) >= -1e-6  # each alone
    if (whole := agreement(weights, [list(range(len(weights)))])) > -inf and all(
        w >= 0 for row in weights for w in row
    ):
        assert agreement(weights, order) == pytest.approx(whole)


def test_a_chain_is_cut_at_its_weaker_link_when_its_ends_differ() -> None:
    weights = matrix(3, {(0, 1): 2.0, (1, 2): 5.0, (0, 2): -4.0})
    assert partition(weights, ["a", "b", "c"]) == [[0], [1, 2]]


def test_a_chain_holds_when_its_ends_hardly_differ() -> None:
    weights = matrix(3, {(0, 1): 2.0, (1, 2): 5.0, (0, 2): -1.0})
    assert partition(weights, ["a", "b", "c"]) == [[0, 1, 2]]


def test_two_are_apart_when_they_must_be_whatever_speaks_for_them() -> None:
    weights = matrix(3, {(0, 1): 50.0, (1, 2): 50.0, (0, 2): -inf})
    assert sorted(map(len, partition(weights, ["a", "b", "c"]))) == [1, 2]


def test_large_groups_come_apart_at_the_seam() -> None:
    pairs = {(one, other): (3.0 if (one < 12) == (other < 12) else -3.0) for other in range(24) for one in range(other)}
    pairs[11, 12] = 4.0
    assert partition(matrix(24, pairs), [f"r{node:02}" for node in range(24)]) == [
        list(range(12)),
        list(range(12, 24)),
    ]
