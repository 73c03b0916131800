"""How papers were put together, and a reader's word on it: why, doubts, join, split, undo."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from octavo.catalogue import Catalogue, Changes, Stored
from octavo.catalogue.links import Act, Links, Name
from octavo.errors import NotFound, UsageError
from octavo.ingest import Ingest
from octavo.ingest.linking.constraints import apart, shared
from octavo.ingest.linking.evaluate import FIELDS, measure, read_pairs
from octavo.ingest.linking.features import Features, features_of
from octavo.ingest.linking.pairs import compare
from octavo.ingest.linking.weights import PRIOR
from octavo.records.codec import decode_record
from octavo.records.edition_names import shown_venue
from octavo.records.paper import Paper, Record
from octavo.views import (
    AppearanceView,
    BondView,
    DoubtView,
    MeasureView,
    WhyView,
)

JOIN, SPLIT = "join", "split"
_MOST_PARTS = 6
"""Parts of an explanation that are told."""


def measured(
    path: Path, fields: Sequence[str], splits: Sequence[str], threshold: float, *, with_vetoes: bool, most_wrong: int
) -> tuple[MeasureView, ...]:
    """How well linking tells the labelled pairs of a file (`ingest.linking.evaluate`): all, then each kind of them.

    Raises:
        FormatError: a line is no labelled pair.
        UsageError: no pair is left.
    """
    pairs = [pair for pair in read_pairs(path, fields or FIELDS) if not splits or pair.split in splits]
    if not pairs:
        raise UsageError(f"{path.name} has no pairs{f' of {splits[0]}' if splits else ''}.")
    kinds = sorted({pair.kind for pair in pairs if pair.kind})
    parts = [("all", pairs)] + [(kind, [one for one in pairs if one.kind == kind]) for kind in kinds]
    views = []
    for kind, part in parts:
        found = measure(part, threshold, with_vetoes=with_vetoes)
        worst = sorted(found.wrong, key=lambda one: -abs(one[1]))[: most_wrong if kind == "all" else 0]
        views.append(
            MeasureView(
                kind,
                found.n_pairs,
                found.n_same,
                found.precision,
                found.recall,
                found.f1,
                {str(level): found.recall_at(level) for level in (0.99, 0.995)},
                tuple(
                    (
                        pair.line,
                        pair.label,
                        round(score, 2),
                        " ".join(pair.left.title.words),
                        " ".join(pair.right.title.words),
                    )
                    for pair, score in worst
                ),
            )
        )
    return tuple(views)


class Judge:
    """Tells and changes which records are one paper."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Work on `catalogue`."""
        self._catalogue = catalogue
        self._links = Links(catalogue.database)

    def why(self, pk: int, paper: Paper) -> WhyView:
        """How a paper was put together: each record, and what ties it to the others."""
        stored = self._catalogue.records_of([pk])
        records = {(old.source, old.key): decode_record(old.claim) for old in stored}
        features = {name: features_of(record) for name, record in records.items()}
        said = {frozenset((one, other)): is_same for one, other, is_same in self._links.rulings()}
        bonds = sorted(
            (
                self._bond(features[one], features[other], said.get(frozenset((one, other))))
                for one, other in combinations(sorted(features), 2)
            ),
            key=lambda bond: (-bond.strength, bond.one, bond.other),
        )
        return WhyView(
            paper,
            tuple(_appearance(name, records[name]) for name in sorted(records)),
            tuple(_spanning(bonds)),
            tuple(
                DoubtView(f"{one.one[0]}:{one.one[1]}", f"{one.other[0]}:{one.other[1]}", one.reason, one.score)
                for one in self._links.doubts(10_000)
                if one.one in records or one.other in records
            ),
        )

    @staticmethod
    def _bond(one: Features, other: Features, ruled: bool | None) -> BondView:
        """What speaks for and against two records' being one work."""
        comparison = compare(one, other)
        common = shared(one, other)
        told = comparison.explain()
        against = apart(one, other)
        reasons = [part.reason for part in told.parts if part.value > 0 and part.reason != PRIOR]
        if ruled is not None:
            kind, strength = ("you joined them" if ruled else "you split them"), 1000.0 if ruled else -1000.0
        elif common:
            kind, strength = f"both have {common[0]}", 500.0
        elif against:
            kind, strength = against, -500.0
        else:
            kind, strength = told.reason, comparison.work
        return BondView(
            f"{one.name[0]}:{one.name[1]}",
            f"{other.name[0]}:{other.name[1]}",
            kind,
            tuple(reasons[:_MOST_PARTS]),
            strength,
            comparison.work,
        )

    def join(self, papers: Sequence[int]) -> tuple[Act, Changes]:
        """Let the records of these papers be one work, for good.

        Raises:
            UsageError: they are one paper already.
        """
        stored = self._catalogue.records_of(sorted(set(papers)))
        if len({old.paper for old in stored}) < 2:
            raise UsageError("They are one paper already.", hint="`octavo why` says how it was put together.")
        firsts = [_name(next(old for old in stored if old.paper == pk)) for pk in dict.fromkeys(papers)]
        pairs = [(_name(old), first) for old in stored for first in firsts if _name(old) != first]
        return self._rule(JOIN, pairs)

    def split(self, paper: int, out: Sequence[str]) -> tuple[Act, Changes]:
        """Let the records that are named (`source:key`) be a work of their own, for good.

        Raises:
            NotFound: the paper has no record of that name.
            UsageError: nothing or everything would go out.
        """
        stored = {f"{old.source}:{old.key}": old for old in self._catalogue.records_of([paper])}
        if unknown := [name for name in out if name not in stored]:
            raise NotFound(f"The paper has no record {unknown[0]!r}.", hint=f"It has {', '.join(stored)}.")
        leaving = [_name(stored[name]) for name in dict.fromkeys(out)]
        staying = [_name(old) for name, old in stored.items() if name not in out]
        if not leaving or not staying:
            raise UsageError("A paper can't be split so that one part is empty.", hint=f"It has {', '.join(stored)}.")
        act, changes = self._rule(SPLIT, [(one, other) for one in leaving for other in staying])
        return act, changes

    def undo(self) -> tuple[Act, Changes]:
        """Take the last join or split that is in force back.

        Raises:
            NotFound: there is none.
        """
        act = next((act for act in self._links.acts() if not act.is_undone), None)
        if act is None:
            raise NotFound("Nothing was joined or split that could be undone.")
        with self._catalogue.database.write():
            self._links.undo(act.pk)
        return act, Ingest(self._catalogue).relink({name for pair in act.pairs for name in pair})

    def doubts(self, limit: int) -> tuple[int, tuple[DoubtView, ...]]:
        """How many doubts there are, and the nearest to certain."""
        found = tuple(
            DoubtView(f"{one.one[0]}:{one.one[1]}", f"{one.other[0]}:{one.other[1]}", one.reason, one.score,
                      *self._titles(one.one, one.other))
            for one in self._links.doubts(limit)
        )  # fmt: skip
        return self._links.count_doubts(), found

    def _titles(self, one: Name, other: Name) -> tuple[str, str, str, str]:
        """Titles and papers' ids of two records, as far as they are there."""
        found = []
        for source, key in (one, other):
            stored = self._catalogue.find_records(source, [key]).get(key)
            if stored is None:
                found.append(("", ""))
                continue
            paper = self._catalogue.get_papers([stored.paper])[stored.paper]
            found.append((decode_record(stored.claim).title.plain, paper.id))
        return found[0][0], found[1][0], found[0][1], found[1][1]

    def _rule(self, kind: str, pairs: Sequence[tuple[Name, Name]]) -> tuple[Act, Changes]:
        with self._catalogue.database.write():
            number = self._links.rule(kind, pairs)
        changes = Ingest(self._catalogue).relink({name for pair in pairs for name in pair})
        return next(act for act in self._links.acts() if act.pk == number), changes


def _name(stored: Stored) -> Name:
    return stored.source, stored.key


def _appearance(name: Name, record: Record) -> AppearanceView:
    dates = [date for date in (record.submitted_on, record.announced_on, record.published_on) if date]
    return AppearanceView(
        f"{name[0]}:{name[1]}",
        record.title.plain,
        shown_venue(record.venue) if record.venue else "",
        str(min(dates)) if dates else "",
        record.status,
        record.award,
        dict(record.links).get("page", ""),
        tuple(str(identifier) for identifier in record.identifiers if identifier.scheme != "record"),
    )


def _spanning(bonds: Sequence[BondView]) -> list[BondView]:
    """The strongest bonds that hold all records together, and no more."""
    root: dict[str, str] = {}

    def find(name: str) -> str:
        while root.setdefault(name, name) != name:
            name = root[name]
        return name

    kept = []
    for bond in bonds:
        one, other = find(bond.one), find(bond.other)
        if one != other:
            root[one] = other
            kept.append(bond)
    return kept
