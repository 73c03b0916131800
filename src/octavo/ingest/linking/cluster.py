"""Constrained correlation clustering: the partition that agrees best with all pairs at once.

Each two records have a weight, above 0 where they seem one work and below where they seem two; some must not be
together whatever the weight. Of all partitions that respect this, the one is sought whose clusters' inner weights sum
to most (Bansal, Blum and Chawla, "Correlation clustering", Machine Learning 56, 2004, in its weighted form). So a
chain A~B~C does not glue A and C together: where they plainly differ, cutting the weaker link costs less.

Small groups are solved exactly, by dynamic programming over subsets. Finding the best partition is NP-hard, so larger
ones are not: the better of two constructions, then moves of single records while they improve it.

* Pivoting in an order that hashing the names makes as good as random: Ailon, Charikar and Newman, "Aggregating
  inconsistent information: ranking and clustering", Journal of the ACM 55 (5), 2008. For weights of +1 and -1 on all
  pairs the expected disagreement is at most 3 times the least possible; with weights or with constraints, as here, that
  no longer is proved (van Zuylen and Williamson, 2009, need a linear program for the constrained case).
* Joining the two clusters with the greatest weight between them while it is positive: greedy additive edge contraction
  (Keuper et al., "Efficient decomposition of image and mesh graphs by lifted multicuts", ICCV 2015); no guarantee, and
  in practice the better one.

Since the result is at least as good as either, what guarantee there is carries over.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import combinations
from math import inf

MOST_EXACT = 11
"""Nodes up to which the best partition is found for sure: 3 ** 11 / 2 steps, some tens of milliseconds."""
_ROUNDS = 20
_EPSILON = 1e-9

Matrix = Sequence[Sequence[float]]
"""Weights of pairs, symmetric; `-inf` where two must not be together."""


def partition(weights: Matrix, names: Sequence[str]) -> list[list[int]]:
    """Part the nodes 0 to n-1.

    `names` settle every tie, so that the result does not depend on how the nodes are numbered.

    Returns:
        Clusters of nodes, each in the order of names, ordered by their first.
    """
    order = sorted(range(len(names)), key=lambda node: names[node])
    rearranged = [[weights[one][other] for other in order] for one in order]
    if all(weight >= 0 for row in rearranged for weight in row):
        clusters = [list(range(len(order)))]
    elif len(order) <= MOST_EXACT:
        clusters = _best(rearranged)
    else:
        clusters = _approximate(rearranged, [names[node] for node in order])
    return [[order[node] for node in cluster] for cluster in clusters]


def agreement(weights: Matrix, clusters: Sequence[Sequence[int]]) -> float:
    """The sum of the weights inside the clusters: what `partition` makes as great as it can."""
    return sum(weights[one][other] for cluster in clusters for one, other in combinations(cluster, 2))


def _best(weights: Matrix) -> list[list[int]]:
    """The best partition. Among equals the one that a fixed order of trying finds first, larger clusters first."""
    n = len(weights)
    inner = _inner(weights)
    value = [0.0] * (1 << n)
    chosen = [0] * (1 << n)
    for nodes in range(1, 1 << n):
        low = nodes & -nodes
        rest = nodes ^ low
        best, best_part = -inf, low
        part = rest
        while True:
            gain = inner[part | low]
            if gain > -inf:
                gain += value[rest ^ part]
                if gain > best + _EPSILON:
                    best, best_part = gain, part | low
            if not part:
                break
            part = (part - 1) & rest
        value[nodes], chosen[nodes] = best, best_part
    clusters = []
    nodes = (1 << n) - 1
    while nodes:
        part = chosen[nodes]
        clusters.append([node for node in range(n) if part >> node & 1])
        nodes ^= part
    return clusters


def _inner(weights: Matrix) -> list[float]:
    """The weight inside each subset, by its bits."""
    n = len(weights)
    inner = [0.0] * (1 << n)
    for nodes in range(1, 1 << n):
        top = nodes.bit_length() - 1
        rest = nodes ^ (1 << top)
        row = weights[top]
        inner[nodes] = inner[rest] + sum(row[node] for node in range(top) if rest >> node & 1)
    return inner


def _approximate(weights: Matrix, names: Sequence[str]) -> list[list[int]]:
    found = [_improved(weights, start) for start in (_contracted(weights), _pivoted(weights, names))]
    return max(found, key=lambda clusters: agreement(weights, clusters))


def _pivoted(weights: Matrix, names: Sequence[str]) -> list[list[int]]:
    """Take a node, and with it all that fit it and each other's constraints; then the next that is left."""
    left = sorted(range(len(names)), key=lambda node: blake2b(names[node].encode(errors="surrogatepass")).digest())
    clusters = []
    while left:
        cluster = [left[0]]
        for node in left[1:]:
            if weights[left[0]][node] > 0 and all(weights[node][other] > -inf for other in cluster):
                cluster.append(node)
        taken = set(cluster)
        left = [node for node in left if node not in taken]
        clusters.append(sorted(cluster))
    return sorted(clusters)


def _contracted(weights: Matrix) -> list[list[int]]:
    """Join the two clusters that fit best, as long as two fit."""
    clusters = {node: [node] for node in range(len(weights))}
    between = {
        node: {other: weights[node][other] for other in range(len(weights)) if other != node} for node in clusters
    }
    while True:
        best, one, other = max(
            (
                (weight, -first, -second)
                for first, row in between.items()
                for second, weight in row.items()
                if first < second
            ),
            default=(-inf, 0, 0),
        )
        if best <= _EPSILON:
            return sorted(sorted(cluster) for cluster in clusters.values())
        one, other = -one, -other
        clusters[one] += clusters.pop(other)
        for third, weight in between.pop(other).items():
            del between[third][other]
            if third != one:
                between[one][third] += weight
                between[third][one] += weight


def _improved(weights: Matrix, clusters: list[list[int]]) -> list[list[int]]:
    """Move single nodes to where they fit best, while that improves the whole."""
    of = {node: number for number, cluster in enumerate(clusters) for node in cluster}
    free = len(clusters)
    for _ in range(_ROUNDS):
        moved = False
        for node in range(len(weights)):
            gains: dict[int, float] = {}
            for other, number in of.items():
                if other != node:
                    gains[number] = gains.get(number, 0.0) + weights[node][other]
            here = gains.get(of[node], 0.0)
            gains[free] = 0.0
            best = max(gains, key=lambda number: (gains[number], -number))
            if gains[best] > here + _EPSILON:
                of[node] = best
                free += best == free
                moved = True
        if not moved:
            break
    merged: dict[int, list[int]] = {}
    for node in range(len(weights)):
        merged.setdefault(of[node], []).append(node)
    return sorted(merged.values())
