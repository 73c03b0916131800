"""One connected group of records into works: must-links contracted, contradictions settled, the rest clustered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import inf

from octavo.ingest.linking.cluster import partition
from octavo.ingest.linking.constraints import apart, contradicted, is_believed, kinds_of, shared
from octavo.ingest.linking.features import Features, Name
from octavo.ingest.linking.pairs import Comparison, compare


@dataclass(frozen=True, slots=True)
class Ruling:
    """A reader's word on two records."""

    one: Name
    other: Name
    is_same: bool


@dataclass(frozen=True, slots=True)
class Doubt:
    """Two records on which the evidence does not agree, for a reader to settle."""

    one: Name
    other: Name
    reason: str
    """In words."""
    score: float
    """What the text says, in log odds."""

    @classmethod
    def of(cls, one: Features, other: Features, comparison: Comparison, reason: str) -> Doubt:
        """The doubt about two records, in the order of their names."""
        first, second = sorted((one.name, other.name))
        return cls(first, second, reason, round(comparison.score, 3))


@dataclass(slots=True)
class _Node:
    """Records that must be one work."""

    members: list[int]
    kinds: dict[str, frozenset[str]] = field(default_factory=dict)


def settle(records: Sequence[Features], rulings: Sequence[Ruling] = ()) -> tuple[list[tuple[Name, ...]], list[Doubt]]:
    """Part a connected group into works.

    Returns:
        The works, each its records' names in order; and the doubts that came up.
    """
    group = _Group(sorted(records, key=lambda record: record.name), rulings)
    group.contract()
    nodes = group.nodes()
    weights = [[0.0] * len(nodes) for _ in nodes]
    for one, other in combinations(range(len(nodes)), 2):
        weights[one][other] = weights[other][one] = group.weight(nodes[one], nodes[other])
    names = ["\x00".join(group.records[node.members[0]].name) for node in nodes]
    clusters = partition(weights, names)
    works = [sorted(member for node in cluster for member in nodes[node].members) for cluster in clusters]
    group.doubt_cuts(works)
    return [tuple(group.records[member].name for member in work) for work in works], group.doubts


class _Group:
    """A group while it is settled."""

    def __init__(self, records: Sequence[Features], rulings: Sequence[Ruling]) -> None:
        self.records = records
        self.doubts: list[Doubt] = []
        place = {record.name: at for at, record in enumerate(records)}
        said = [(place[r.one], place[r.other], r.is_same) for r in rulings if r.one in place and r.other in place]
        self.same = sorted((min(one, other), max(one, other)) for one, other, is_same in said if is_same)
        self.different = {frozenset((one, other)) for one, other, is_same in said if not is_same and one != other}
        self.compared = {
            (one, other): compare(records[one], records[other]) for one, other in combinations(range(len(records)), 2)
        }
        self.of = list(range(len(records)))
        self.node = {at: _Node([at], kinds_of([record])) for at, record in enumerate(records)}

    def nodes(self) -> list[_Node]:
        """The nodes, in order of their first record."""
        return [self.node[at] for at in sorted(self.node)]

    def contract(self) -> None:
        """Join what must be together: by the reader's word first, then by identifiers, the surest first."""
        for one, other in dict.fromkeys(self.same):
            if one != other and not self._unite(one, other, by_reader=True):
                self._doubt(one, other, "the reader's own words contradict each other")
        musts = []
        for (one, other), comparison in self.compared.items():
            first, second = self.records[one], self.records[other]
            if common := shared(first, second):
                if is_believed(comparison.score, first, second):
                    musts.append((-comparison.score, one, other, common[0]))
                elif self.of[one] != self.of[other]:
                    self._doubt(one, other, f"{common[0]} stands in both, and they differ")
        for _, one, other, identifier in sorted(musts):
            if not self._unite(one, other, by_reader=False):
                self._doubt(one, other, f"{identifier} stands in both, and other identifiers contradict it")

    def _unite(self, one: int, other: int, *, by_reader: bool) -> bool:
        """Join two records' nodes, where nothing of the same standing or a higher one keeps them apart."""
        first, second = sorted((self.of[one], self.of[other]))
        if first == second:
            return True
        keep, gone = self.node[first], self.node[second]
        if self._told_apart(keep, gone):
            return False
        if not by_reader and contradicted(keep.kinds, gone.kinds) and not apart(self.records[one], self.records[other]):
            return False
        keep.members = sorted(keep.members + gone.members)
        keep.kinds = kinds_of(self.records[member] for member in keep.members)
        for member in gone.members:
            self.of[member] = first
        del self.node[second]
        return True

    def _told_apart(self, one: _Node, other: _Node) -> bool:
        """Whether the reader told a record of one from a record of the other."""
        return bool(self.different) and any(
            frozenset((first, second)) in self.different for first in one.members for second in other.members
        )

    def weight(self, one: _Node, other: _Node) -> float:
        """What speaks for joining two nodes; `-inf` where they must be apart."""
        if self._told_apart(one, other) or contradicted(one.kinds, other.kinds):
            return -inf
        total = 0.0
        for first in one.members:
            for second in other.members:
                if apart(self.records[first], self.records[second]):
                    return -inf
                total += self.compared[min(first, second), max(first, second)].work
        return total

    def doubt_cuts(self, works: Sequence[Sequence[int]]) -> None:
        """Name the pairs that look like one work and came to be in two."""
        of = {member: number for number, work in enumerate(works) for member in work}
        for (one, other), comparison in self.compared.items():
            if of[one] != of[other] and comparison.work > 0 and frozenset((one, other)) not in self.different:
                reason = apart(self.records[one], self.records[other])
                self._doubt(one, other, reason or "alike, but one of them fits other records better")

    def _doubt(self, one: int, other: int, reason: str) -> None:
        comparison = self.compared[min(one, other), max(one, other)]
        self.doubts.append(Doubt.of(self.records[one], self.records[other], comparison, reason))
