"""Records into the catalogue: what is new, what changed, and which papers that touches.

A batch is one transaction. It costs work only where it changes something: a record that is known and unchanged is
seen by its digest, one whose identifiers nobody has yet makes a paper of its own, and only the rest is grouped
again, together with all records of the papers that it touches. Grouping and merging are pure functions of the
records, so order, batch size and restarts change nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from octavo.catalogue import Catalogue, Changes, Row, Stored, row_of
from octavo.catalogue.tombstones import Tombstone, Tombstones
from octavo.ingest.match import group
from octavo.ingest.merge import merge, paper_id
from octavo.ingest.prepare import Prepared, identifiers_of, prepare
from octavo.ingest.succession import succeeded
from octavo.records.codec import decode_record, same_claim
from octavo.records.paper import Paper, PaperId, Record


@dataclass(slots=True)
class _Claim:
    """A record on its way in, or one that is stored and touched."""

    name: tuple[str, str]
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

    @property
    def prepared(self) -> Prepared:
        """What is to be written, of a claim on its way in."""
        if self.incoming is None:
            raise LookupError(self.name)
        return self.incoming

    def read(self) -> Record:
        """The record itself."""
        if self.record is None:
            self.record = self.prepared.record()
        return self.record


@dataclass(slots=True)
class _Plan:
    """What grouping anew asks of the catalogue."""

    put: list[tuple[int, Row]] = field(default_factory=list)
    fresh: set[int] = field(default_factory=set)
    moves: list[tuple[int, int]] = field(default_factory=list)
    """(record, paper) of stored records that change their paper."""
    removed: list[int] = field(default_factory=list)
    aliases: list[tuple[PaperId, PaperId]] = field(default_factory=list)


class Ingest:
    """Takes records into a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Work on `catalogue`."""
        self.catalogue = catalogue
        self._tombstones = Tombstones(catalogue.database)

    def put(self, records: Iterable[Record]) -> Changes:
        """Take in one batch of records, in one transaction; see `put_prepared`."""
        return self.put_prepared([prepare(record) for record in records])

    def put_prepared(
        self,
        prepared: Iterable[Prepared],
        *,
        deleted: Mapping[tuple[str, str], str] | None = None,
        also: Callable[[], None] | None = None,
    ) -> Changes:
        """Take in one batch, in one transaction.

        The same (source, key) twice in a batch: the later one holds.

        Args:
            prepared: The records.
            deleted: Names of records that their source deleted, with the day, or empty. One of them that is in
                `prepared` too lives.
            also: What else belongs into the transaction: the cursor behind the batch.

        Raises:
            StorageError: of the kind that fits; then nothing of the batch is in.
        """
        changes = Changes()
        batch = {one.name: one for one in prepared}
        with self.catalogue.database.write():
            if gone := {name: day for name, day in (deleted or {}).items() if name not in batch}:
                self._take_out(gone, changes)
            self._tombstones.drop(batch)
            if also:
                also()
            known = self._known_digests(batch)
            self._succeed(batch, known)
            changed = [
                _Claim(name, one.identifiers, one, is_known=name in known)
                for name, one in batch.items()
                if known.get(name) != one.digest
            ]
            changes.n_unchanged = len(batch) - len(changed)
            if changed:
                self._take_in(changed, changes)
            # Counts of citations grow by themselves: stored, but no news to a reader.
            recounted = sum(
                same_claim(known[claim.name], claim.prepared.digest) for claim in changed if claim.name in known
            )
            changes.n_updated -= recounted
            changes.n_unchanged += recounted
        return changes

    def _succeed(self, batch: dict[tuple[str, str], Prepared], known: dict[tuple[str, str], bytes]) -> None:
        """Let what is made again keep what only the stored claim knows."""
        for old in self._stored(name for name, one in batch.items() if known.get(name, one.digest) != one.digest):
            name = (old.source, old.key)
            new = batch[name].record()
            if (holds := succeeded(decode_record(old.claim), new)) != new:
                batch[name] = prepare(holds)

    def _known_digests(self, batch: Iterable[tuple[str, str]]) -> dict[tuple[str, str], bytes]:
        return {
            (source, key): stored
            for source, keys in _by_source(batch).items()
            for key, stored in self.catalogue.find_digests(source, keys).items()
        }

    def _take_in(self, changed: list[_Claim], changes: Changes) -> None:
        """Write the claims that are new or changed, and bring the papers that they touch up to date."""
        # A number of its own, also after `_take_out`: what both touched, an index reads from the catalogue.
        changes.seq = self.catalogue.next_seq()
        next_record, next_paper = self.catalogue.next_record_pk(), self.catalogue.next_paper_pk()
        holders = self.catalogue.find_holders(list({name for claim in changed for name in claim.identifiers}))
        carried = Counter(name for claim in changed for name in claim.identifiers)
        alone: list[_Claim] = []
        entangled: list[_Claim] = []
        for claim in changed:
            if claim.is_known:
                changes.n_updated += 1
                entangled.append(claim)
                continue
            changes.n_added += 1
            claim.pk, next_record = next_record, next_record + 1
            if any(name in holders or carried[name] > 1 for name in claim.identifiers):
                entangled.append(claim)
            else:
                claim.paper, next_paper = next_paper, next_paper + 1
                alone.append(claim)
        changes.put.extend((claim.paper, claim.prepared.row) for claim in alone)
        changes.documents.update((claim.paper, claim.prepared.document) for claim in alone if claim.prepared.document)
        changes.fresh.update(claim.paper for claim in alone)
        changes.n_new_papers += len(alone)
        plan = _Plan()
        if entangled:
            touched = {paper for claim in entangled for name in claim.identifiers for paper in holders.get(name, ())}
            plan = self._regroup(entangled, touched, next_paper)
        for paper in plan.removed:
            # First, so that an id is free before another row takes it.
            self.catalogue.remove_paper(paper, changes.seq)
        changes.put.extend(plan.put)
        self.catalogue.put_papers(changes.put, changes.seq)  # before the records, which refer to them
        for claim in entangled:
            self.catalogue.drop_identifiers(claim.pk)
        self.catalogue.put_records(
            (
                None if claim.is_known else claim.pk,
                *claim.name,
                claim.paper,
                claim.prepared.digest,
                claim.prepared.claim,
            )
            for claim in (*alone, *entangled)
        )
        self.catalogue.put_identifiers((name, claim.pk) for claim in (*alone, *entangled) for name in claim.identifiers)
        for record, paper in plan.moves:
            self.catalogue.move_record(record, paper)
        for old, new in plan.aliases:
            self.catalogue.put_alias(old, new)
        changes.fresh.update(plan.fresh)
        changes.n_new_papers += len(plan.fresh)
        changes.removed.extend(plan.removed)

    def _take_out(self, gone: Mapping[tuple[str, str], str], changes: Changes) -> None:
        """Forget records that their source deleted, and group what is left of their papers anew."""
        stored = [old for old in self._stored(gone) if (old.source, old.key) in gone]
        if not stored:
            return
        changes.seq = self.catalogue.next_seq()
        papers = self.catalogue.get_papers(sorted({old.paper for old in stored}))
        self.catalogue.drop_records(old.pk for old in stored)
        plan = self._regroup([], set(papers), self.catalogue.next_paper_pk())
        for pk in plan.removed:
            self.catalogue.remove_paper(pk, changes.seq)
        self.catalogue.put_papers(plan.put, changes.seq)
        for record, paper in plan.moves:
            self.catalogue.move_record(record, paper)
        for old_id, new_id in plan.aliases:
            self.catalogue.put_alias(old_id, new_id)
        self._tombstones.put(
            Tombstone(
                old.source,
                old.key,
                identifiers_of(decode_record(old.claim)),
                papers[old.paper].id if old.paper in plan.removed else "",
                gone[old.source, old.key] or None,
            )
            for old in stored
        )
        changes.n_deleted += len(stored)
        changes.put.extend(plan.put)
        changes.fresh.update(plan.fresh)
        changes.n_new_papers += len(plan.fresh)
        changes.removed.extend(plan.removed)

    def _regroup(self, entangled: list[_Claim], touched: set[int], next_paper: int) -> _Plan:
        """Group the claims anew, together with every record of the papers that they touch."""
        incoming = {claim.name: claim for claim in entangled}
        # An updated record touches its own paper too, by whatever it was known before.
        touched = touched | {old.paper for old in self._stored(claim.name for claim in entangled)}
        claims = list(entangled)
        for old in self.catalogue.records_of(sorted(touched)):
            if claim := incoming.get((old.source, old.key)):
                claim.pk, claim.paper = old.pk, old.paper
            else:
                record = decode_record(old.claim)
                claims.append(_Claim((old.source, old.key), identifiers_of(record), None, record, old.pk, old.paper))
        records = [claim.read() for claim in claims]
        groups = group([(record, claim.identifiers) for record, claim in zip(records, claims, strict=True)])
        merged = [merge([records[position] for position in positions]) for positions in groups]
        before = self.catalogue.get_papers(sorted(touched))
        return _assign(
            [[claims[position] for position in positions] for positions in groups], merged, before, next_paper
        )

    def _stored(self, names: Iterable[tuple[str, str]]) -> Iterable[Stored]:
        for source, keys in _by_source(names).items():
            yield from self.catalogue.find_records(source, keys).values()


def _by_source(names: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, key in names:
        found.setdefault(source, []).append(key)
    return found


def _assign(groups: list[list[_Claim]], merged: list[Paper], before: dict[int, Paper], next_paper: int) -> _Plan:
    """Give each group its row: the one whose id it has, else the one that most of its records were in, else a new
    one."""
    plan = _Plan()
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
    for position, claims in enumerate(groups):
        pk = owner[position]
        if before.get(pk) != merged[position]:
            plan.put.append((pk, row_of(merged[position])))
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
        # Where that record is gone too, to the paper that has the old one's place.
        places = {before[pk].id: merged[position].id for position, pk in owner.items() if pk in before}
        plan.aliases = [(old, heir) for old in lost if (heir := heirs.get(old) or places.get(old))]
    return plan
