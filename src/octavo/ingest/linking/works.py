"""Records into works: candidates, comparison, constraints and clustering put together.

`link` takes all records; `link_near` some new ones and two functions that find and load what is near them, and gives
the same works for the records that it touches as `link` would for all. Both are functions of the set of records (and
of what a reader has said), not of their order.

What makes this so: records are joined by edges (a shared key, and a score above 0 or a believed identifier or a
reader's "the same"), and each connected group of records is settled by itself. An added record can only change the
groups that it has an edge to, and those whose keys it makes too common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octavo.explain import Explanation
from octavo.ingest.linking.constraints import apart, is_believed, shared
from octavo.ingest.linking.features import Features, Name
from octavo.ingest.linking.keys import MOST_HOLDERS, candidates, keys_of
from octavo.ingest.linking.pairs import compare
from octavo.ingest.linking.rarity import tells
from octavo.ingest.linking.settle import Doubt, Ruling, settle

NEARLY = -1.5
"""The score down to which two records that are kept apart are named as doubtful."""


@dataclass(frozen=True, slots=True)
class Linking:
    """What linking found."""

    groups: tuple[tuple[Name, ...], ...]
    """The works, each the names of its records in order; every record is in one."""
    doubts: tuple[Doubt, ...] = ()
    """What a reader might settle."""
    dropped: int = 0
    """Keys that made no candidates because too many records have them."""
    compared: int = 0
    """Pairs that were compared in full."""


@dataclass(slots=True)
class _Graph:
    """Records and the edges between them."""

    rulings: tuple[Ruling, ...]
    edges: dict[Name, set[Name]] = field(default_factory=dict)
    doubts: list[Doubt] = field(default_factory=list)
    compared: int = 0

    def try_pair(self, one: Features, other: Features) -> None:
        """Add the edge between two records, if they have one."""
        common = shared(one, other)
        reason = apart(one, other)
        if not common and (reason or not worth_comparing(one, other)):
            return
        self.compared += 1
        comparison = compare(one, other)
        believed = bool(common) and is_believed(comparison.score, one, other)
        if believed or (comparison.work > 0 and not reason):
            self.join(one.name, other.name)
        elif common:
            self.doubts.append(Doubt.of(one, other, comparison, f"{common[0]} stands in both, and they differ"))
        elif comparison.work > NEARLY:
            self.doubts.append(Doubt.of(one, other, comparison, comparison.veto or "nearly alike"))

    def join(self, one: Name, other: Name) -> None:
        """Add an edge."""
        self.edges.setdefault(one, set()).add(other)
        self.edges.setdefault(other, set()).add(one)

    def groups(self, names: Iterable[Name]) -> Iterator[list[Name]]:
        """The connected groups of some records, each in order of names."""
        seen: set[Name] = set()
        for name in sorted(names):
            if name in seen:
                continue
            seen.add(name)
            group = [name]
            for member in group:
                for other in self.edges.get(member, ()):
                    if other not in seen:
                        seen.add(other)
                        group.append(other)
            yield sorted(group)


def worth_comparing(one: Features, other: Features) -> bool:
    """Whether two records that share a key can come out as one work; cheap, and never wrong by much.

    They can't where their authors have no name in common and their titles differ, nor where neither a telling word
    of the title nor a run of words of the abstract is common.
    """
    if one.title.key == other.title.key:
        return True
    if one.people and other.people:
        names = {person.family for person in one.people}
        if names.isdisjoint(person.family for person in other.people):
            names.update(person.first for person in one.people)
            if names.isdisjoint(person.family for person in other.people):
                return False
    if one.sketch and other.sketch and not set(one.sketch).isdisjoint(other.sketch):
        return True
    words = set(one.title.words)
    return any(word in words and tells(word) for word in other.title.words)


def link(records: Sequence[Features], rulings: Sequence[Ruling] = ()) -> Linking:
    """Link all records."""
    by_name = {record.name: record for record in records}
    ordered = [by_name[name] for name in sorted(by_name)]
    found = candidates([keys_of(record) for record in ordered])
    graph = _Graph(tuple(rulings))
    for one, other in found:
        graph.try_pair(ordered[one], ordered[other])
    for ruling in rulings:
        if ruling.is_same and ruling.one in by_name and ruling.other in by_name:
            graph.join(ruling.one, ruling.other)
    return _settled(graph, by_name, by_name, found.dropped)


def explain_pair(one: Features, other: Features, rulings: Sequence[Ruling] = ()) -> Explanation:
    """Why two records are one work or two: a reader's word, identifiers, lists, and what is written, in this order."""
    comparison = compare(one, other)
    text = comparison.explain()
    pair = {one.name, other.name}
    for ruling in rulings:
        if {ruling.one, ruling.other} == pair:
            said = "you said that they are one work" if ruling.is_same else "you said that they are two works"
            return Explanation(text.value, said, (text,))
    reason = apart(one, other)
    if common := shared(one, other):
        if is_believed(comparison.score, one, other):
            return Explanation(text.value, f"one work: both have {', '.join(common)}", (text,))
        return Explanation(text.value, f"two works: both have {', '.join(common)}, and they differ", (text,))
    return Explanation(text.value, f"two works: {reason}", (text,)) if reason else text


def _settled(graph: _Graph, names: Iterable[Name], by_name: Mapping[Name, Features], dropped: int) -> Linking:
    """Settle each connected group."""
    works: list[tuple[Name, ...]] = []
    doubts = graph.doubts
    for group in graph.groups(names):
        if len(group) == 1:
            works.append((group[0],))
            continue
        parts, doubtful = settle([by_name[name] for name in group], graph.rulings)
        works += parts
        doubts += doubtful
    doubts.sort(key=lambda doubt: (doubt.one, doubt.other, doubt.reason))
    return Linking(tuple(sorted(works)), tuple(dict.fromkeys(doubts)), dropped, graph.compared)


Holders = Callable[[Sequence[int]], Mapping[int, Sequence[Name]]]
"""Gives for each key the names of the stored records that have it, up to `MOST_HOLDERS` + 1 of them at least."""
Load = Callable[[Sequence[Name]], Iterable[Features]]
"""Gives the features of stored records."""


def link_near(fresh: Sequence[Features], holders: Holders, load: Load, rulings: Sequence[Ruling] = ()) -> Linking:
    """Link new records, and all whose works they may change.

    The new records are stored already, as far as `holders` and `load` are asked. The groups in the answer are whole:
    a stored record that is in none of them keeps the work that it has. `rulings` are those about any of the records;
    a record that a reader joined to another is loaded with it.

    A record that has changed counts as new, together with the other records of the work that it was in; so do two
    records on which the reader has said something. After one is removed, the others of its work count as new, and the
    records of each of its keys that had `MOST_HOLDERS` + 1.
    """
    near = _Neighbourhood(fresh, holders, load, rulings)
    return near.linked()


class _Neighbourhood:
    """The records around some new ones: found key by key, edge by edge, until no edge leads out."""

    def __init__(self, fresh: Sequence[Features], holders: Holders, load: Load, rulings: Sequence[Ruling]) -> None:
        self.holders, self.load = holders, load
        self.fresh = {record.name for record in fresh}
        self.known = {record.name: record for record in fresh}
        self.graph = _Graph(tuple(rulings))
        self.of_key: dict[int, tuple[Name, ...]] = {}
        self.tried: set[tuple[Name, Name]] = set()
        self.same: dict[Name, set[Name]] = {}
        for ruling in rulings:
            if ruling.is_same:
                self.same.setdefault(ruling.one, set()).add(ruling.other)
                self.same.setdefault(ruling.other, set()).add(ruling.one)

    def linked(self) -> Linking:
        """Go out from the new records, then settle all groups that were met whole."""
        done: set[Name] = set()
        frontier = sorted(self.fresh)
        while frontier:
            done.update(frontier)
            frontier = sorted(self._around(frontier) - done)
        return _settled(self.graph, done, self.known, sum(len(some) > MOST_HOLDERS for some in self.of_key.values()))

    def _around(self, frontier: Sequence[Name]) -> set[Name]:
        """Try all pairs of the frontier's records; the records that they have edges to."""
        keys = {name: keys_of(self.known[name]) for name in frontier}
        self._ask({key for some in keys.values() for key in some})
        around = {other for name in frontier for other in self.same.get(name, ())}
        beyond: set[Name] = set()
        for name, some in keys.items():
            for key in some:
                holders = self.of_key[key]
                if len(holders) <= MOST_HOLDERS:
                    around.update(holders)
                elif name in self.fresh and self._is_newly_common(holders):
                    # The key joined its holders until now, so each of them may lose an edge.
                    beyond.update(holders)
        self._get(around | beyond)
        for name, some in keys.items():
            for other in {other for key in some if len(self.of_key[key]) <= MOST_HOLDERS for other in self.of_key[key]}:
                pair = (name, other) if name < other else (other, name)
                if name != other and pair not in self.tried and other in self.known:
                    self.tried.add(pair)
                    self.graph.try_pair(self.known[pair[0]], self.known[pair[1]])
            for other in self.same.get(name, ()):
                if other in self.known:
                    self.graph.join(name, other)
        edges = {other for name in frontier for other in self.graph.edges.get(name, ())}
        return (edges | beyond) & self.known.keys()

    def _is_newly_common(self, holders: Sequence[Name]) -> bool:
        """Whether a key had few enough holders before the new records came."""
        return sum(name not in self.fresh for name in holders) <= MOST_HOLDERS

    def _ask(self, keys: set[int]) -> None:
        unknown = sorted(keys - self.of_key.keys())
        if unknown:
            found = self.holders(unknown)
            self.of_key.update({key: tuple(sorted(found.get(key, ()))) for key in unknown})

    def _get(self, names: set[Name]) -> None:
        unknown = sorted(names - self.known.keys())
        if unknown:
            self.known.update({record.name: record for record in self.load(unknown)})
