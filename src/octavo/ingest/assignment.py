"""Which row of the catalogue each work gets: ids that stay, rows that move, former ids that lead on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from octavo.catalogue import Row, Stored, row_of
from octavo.catalogue.links import Name
from octavo.ingest.merge import own_id, paper_id
from octavo.ingest.prepare import Prepared
from octavo.records.codec import decode_record
from octavo.records.paper import Paper, PaperId, Record


@dataclass(slots=True)
class Claim:
    """A record on its way in, or one that is stored and touched."""

    name: Name
    identifiers: tuple[str, ...]
    incoming: Prepared | None = None
    """What is to be written; None where it is in the database already, as it is."""
    record: Record | None = None
    """Read only where it has to be grouped."""
    pk: int = 0
    """Its key in the database; given before the record is written."""
    paper: int = 0
    """The paper that it belongs to; 0 where none yet."""
    is_known: bool = False
    """Its (source, key) is in the database already."""
    stored: Stored | None = None
    """As it is in the database, of a claim that is not on its way in."""

    @classmethod
    def of(cls, stored: Stored) -> Claim:
        """A claim that is in the database, and stays as it is."""
        claim = cls((stored.source, stored.key), (), None, None, stored.pk, stored.paper)
        claim.stored = stored
        return claim

    @property
    def prepared(self) -> Prepared:
        """What is to be written, of a claim on its way in."""
        if self.incoming is None:
            raise LookupError(self.name)
        return self.incoming

    def read(self) -> Record:
        """The record itself."""
        if self.record is None:
            self.record = decode_record(self.stored.claim) if self.stored else self.prepared.record()
        return self.record


@dataclass(slots=True)
class Plan:
    """What grouping anew asks of the catalogue."""

    put: list[tuple[int, Row]] = field(default_factory=list)
    fresh: set[int] = field(default_factory=set)
    moves: list[tuple[int, int]] = field(default_factory=list)
    """(record, paper) of stored records that change their paper."""
    removed: list[int] = field(default_factory=list)
    renamed: list[int] = field(default_factory=list)
    """Papers whose id changes: another may get the one that they had."""
    aliases: list[tuple[PaperId, PaperId]] = field(default_factory=list)


def _give_ids(groups: list[list[Claim]], merged: list[Paper]) -> None:
    """Let no two papers have one id: the one with the first record keeps it, the others have one of their own."""
    claimed: dict[PaperId, list[int]] = {}
    for position, paper in enumerate(merged):
        claimed.setdefault(paper.id, []).append(position)
    for positions in claimed.values():
        ordered = sorted(positions, key=lambda position: min(claim.name for claim in groups[position]))
        for position in ordered[1:]:
            merged[position] = replace(merged[position], id=own_id(claim.name for claim in groups[position]))


def assign(groups: list[list[Claim]], merged: list[Paper], before: dict[int, Paper], next_paper: int) -> Plan:
    """Give each group its row: the one whose id it has, else the one that most of its records were in, else a new
    one."""
    plan = Plan()
    _give_ids(groups, merged)
    rows = {paper.id: pk for pk, paper in before.items()}
    owner = {position: rows[paper.id] for position, paper in enumerate(merged) if paper.id in rows}
    taken = set(owner.values())
    for position, claims in enumerate(groups):
        if position not in owner:
            votes = Counter(claim.paper for claim in claims if claim.paper and claim.paper not in taken)
            if votes:
                pk = min(votes, key=lambda pk: (-votes[pk], pk))
            else:
                pk, next_paper = next_paper, next_paper + 1
                plan.fresh.add(pk)
            owner[position] = pk
            taken.add(pk)
    went: dict[int, Counter[int]] = {}
    for position, claims in enumerate(groups):
        for claim in claims:
            went.setdefault(claim.paper, Counter())[position] += 1
    for position, claims in enumerate(groups):
        pk = owner[position]
        if before.get(pk) != merged[position]:
            plan.put.append((pk, row_of(merged[position])))
            if pk in before and before[pk].id != merged[position].id:
                plan.renamed.append(pk)
        plan.moves.extend((claim.pk, pk) for claim in claims if claim.paper != pk and claim.incoming is None)
        for claim in claims:
            claim.paper = pk
    plan.removed = [pk for pk in before if pk not in taken]
    # An id that no paper has any more leads to the paper that got the record it was made from.
    ids = {paper.id for paper in merged}
    if lost := [paper.id for paper in before.values() if paper.id not in ids]:
        heirs = {
            paper_id([claim.name]): paper.id for claims, paper in zip(groups, merged, strict=True) for claim in claims
        }
        # Where that record is gone too, or had its id by a former rule, to the paper that most of the others went to.
        places = {
            before[pk].id: merged[min(votes, key=lambda position: (-votes[position], position))].id
            for pk, votes in went.items()
            if pk in before
        }
        plan.aliases = [(old, heir) for old in lost if (heir := heirs.get(old) or places.get(old))]
    return plan


_AT_ONCE = 1000
"""Works that are brought into the catalogue in one transaction."""


def bundles(
    works: Iterable[Sequence[Name]], papers: Mapping[Name, int], sizes: Mapping[int, int]
) -> Iterator[list[Sequence[Name]]]:
    """The works that are not just as the papers are, in parts; those that share a paper are in one part."""
    changed = [
        work for work in works if len({papers[name] for name in work}) > 1 or sizes[papers[work[0]]] != len(work)
    ]
    of_paper: dict[int, list[int]] = {}
    for number, work in enumerate(changed):
        for paper in {papers[name] for name in work}:
            of_paper.setdefault(paper, []).append(number)
    done: set[int] = set()
    part: list[Sequence[Name]] = []
    for number in range(len(changed)):
        if number in done:
            continue
        done.add(number)
        bundle = [number]
        for member in bundle:
            for paper in {papers[name] for name in changed[member]}:
                for other in of_paper[paper]:
                    if other not in done:
                        done.add(other)
                        bundle.append(other)
        part += (changed[member] for member in bundle)
        if len(part) >= _AT_ONCE:
            yield part
            part = []
    if part:
        yield part
