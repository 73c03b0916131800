"""Records into the catalogue: what is new, what changed, and which papers that touches.

A batch is one transaction. It costs work only where it changes something: a record that is known and unchanged is
seen by its digest, one whose identifiers nobody has yet makes a paper of its own, and only the rest is grouped
again, together with all records of the papers that it touches. Grouping and merging are pure functions of the
records, so order, batch size and restarts change nothing.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import chain

from octavo.catalogue import Catalogue, Changes, Stored
from octavo.catalogue.links import Name
from octavo.catalogue.tombstones import Tombstone, Tombstones
from octavo.ingest.assignment import Claim, Plan, assign, bundles
from octavo.ingest.linker import Linker
from octavo.ingest.linking.features import Features, features_of
from octavo.ingest.linking.keys import KEY_BITS, keys_of
from octavo.ingest.merge import ARXIV_SOURCES, RULES, merge
from octavo.ingest.prepare import Prepared, identifiers_of, prepare
from octavo.ingest.succession import succeeded
from octavo.records.codec import decode_record, same_claim
from octavo.records.paper import Record

Progress = Callable[[int, int], None]


class Ingest:
    """Takes records into a catalogue."""

    def __init__(self, catalogue: Catalogue) -> None:
        """Work on `catalogue`."""
        self.catalogue = catalogue
        self._tombstones = Tombstones(catalogue.database)
        self._linker = Linker(catalogue)

    def put(self, records: Iterable[Record]) -> Changes:
        """Take in one batch of records, in one transaction; see `put_prepared`."""
        return self.put_prepared([prepare(record) for record in records])

    def put_prepared(
        self,
        prepared: Iterable[Prepared],
        *,
        deleted: Mapping[Name, str] | None = None,
        also: Callable[[], None] | None = None,
        is_many: bool = False,
    ) -> Changes:
        """Take in one batch, in one transaction.

        The same (source, key) twice in a batch: the later one holds.

        Args:
            prepared: The records.
            deleted: Names of records that their source deleted, with the day, or empty. One of them that is in
                `prepared` too lives.
            also: What else belongs into the transaction: the cursor behind the batch.
            is_many: Only store the records, each new one as a paper of its own: `link_pending` compares them all at
                once, which is quicker where there are very many.

        Raises:
            StorageError: of the kind that fits; then nothing of the batch is in.
        """
        changes = Changes()
        batch = {one.name: one for one in prepared}
        with self.catalogue.database.write():
            self._tombstones.drop(batch)
            if not self.catalogue.seq:
                self.catalogue.put_merge_rules(RULES)
            if also:
                also()
            known = self._known_digests(batch)
            self._succeed(batch, known)
            changed = [
                Claim(name, one.identifiers, one, is_known=name in known)
                for name, one in batch.items()
                if known.get(name) != one.digest
            ]
            changes.n_unchanged = len(batch) - len(changed)
            gone = {name: day for name, day in (deleted or {}).items() if name not in batch}
            self._apply(changed, gone, changes, is_many=is_many)
            # Counts of citations grow by themselves: stored, but no news to a reader.
            recounted = sum(
                same_claim(known[claim.name], claim.prepared.digest) for claim in changed if claim.name in known
            )
            changes.n_updated -= recounted
            changes.n_unchanged += recounted
        return changes

    def _succeed(self, batch: dict[Name, Prepared], known: dict[Name, bytes]) -> None:
        """Let what is made again keep what only the stored claim knows."""
        for old in self._stored(name for name, one in batch.items() if known.get(name, one.digest) != one.digest):
            name = (old.source, old.key)
            new = batch[name].record()
            if (holds := succeeded(decode_record(old.claim), new)) != new:
                batch[name] = prepare(holds)

    def _known_digests(self, batch: Iterable[Name]) -> dict[Name, bytes]:
        return {
            (source, key): stored
            for source, keys in _by_source(batch).items()
            for key, stored in self.catalogue.find_digests(source, keys).items()
        }

    def _apply(self, changed: list[Claim], gone: Mapping[Name, str], changes: Changes, *, is_many: bool) -> None:
        """Write what is new or changed, forget what is gone, and bring the papers that either touches up to date."""
        stored = {(old.source, old.key): old for old in self._stored([*(c.name for c in changed), *gone])}
        leaving = [stored[name] for name in gone if name in stored]
        if not changed and not leaving:
            return
        changes.seq = self.catalogue.next_seq()
        next_record = self.catalogue.next_record_pk()
        for claim in changed:
            if old := stored.get(claim.name):
                claim.pk, claim.paper, claim.is_known = old.pk, old.paper, True
            else:
                claim.pk, next_record = next_record, next_record + 1
        changes.n_added += sum(not claim.is_known for claim in changed)
        changes.n_updated += sum(claim.is_known for claim in changed)
        works = self._works(changed, stored, leaving, is_many=is_many)
        papers = self.catalogue.get_papers(sorted({old.paper for old in leaving}))
        self.catalogue.drop_records(old.pk for old in leaving)
        alone, plan = self._plan(
            changed, works, {old.paper for old in leaving}, {(old.source, old.key) for old in leaving}
        )
        self._write(changed, alone, plan, changes, is_linked=not is_many)
        self._tombstones.put(
            Tombstone(
                old.source,
                old.key,
                identifiers_of(decode_record(old.claim)),
                papers[old.paper].id if old.paper in plan.removed else "",
                gone[old.source, old.key] or None,
            )
            for old in leaving
        )
        changes.n_deleted += len(leaving)

    def _works(
        self, changed: list[Claim], stored: Mapping[Name, Stored], leaving: Sequence[Stored], *, is_many: bool
    ) -> Sequence[Sequence[Name]]:
        """The works of what changed and of all that this may change, as names of records; each is whole.

        A record that says the same as before to linking stays where it is.
        """
        fresh: dict[Name, Features] = {}
        before: list[Features] = []
        staying: set[int] = set()
        for claim in changed:
            if not claim.is_known:
                if not is_many:
                    fresh[claim.name] = features_of(claim.read())
                continue
            features = features_of(claim.read())
            former = features_of(decode_record(stored[claim.name].claim))
            if former == features:
                staying.add(claim.paper)
            elif is_many:
                staying.add(claim.paper)
                # Whose works may change now that it is another is compared anew with it.
                mates = self._stored(self._linker.around([former], {claim.name: claim.pk}))
                self._linker.links.mark_unlinked(old.pk for old in mates)
                self._linker.links.drop_keys((key, claim.pk) for key in keys_of(former))
            else:
                before.append(former)
                fresh[claim.name] = features
        before += [features_of(decode_record(old.claim)) for old in leaving]
        pks = {(old.source, old.key): old.pk for old in stored.values()}
        if before:
            around = self._linker.around(before, pks)
            self._linker.links.drop_keys((key, pks[one.name]) for one in before for key in keys_of(one))
            self._linker.forget(one.name for one in before)
            gone = {(old.source, old.key) for old in leaving}
            fresh.update((one.name, one) for one in self._linker.load(sorted(around - gone - fresh.keys())))
        works = [[(old.source, old.key) for old in self.catalogue.records_of([paper])] for paper in sorted(staying)]
        if not fresh:
            return works
        linking = self._linker.near(list(fresh.values()), pks)
        new = {claim.name: claim.pk for claim in changed}
        self._linker.links.put_keys(
            sorted((key, new[name]) for name, one in fresh.items() if name in new for key in keys_of(one))
        )
        self._linker.put_doubts([name for work in linking.groups for name in work], linking.doubts)
        met = {name for work in linking.groups for name in work}
        return [*linking.groups, *(work for work in works if met.isdisjoint(work))]

    def _plan(
        self, changed: list[Claim], works: Sequence[Sequence[Name]], touched: set[int], leaving: Set[Name] = frozenset()
    ) -> tuple[list[Claim], Plan]:
        """What the works ask of the catalogue: the new claims that make a paper alone, and the plan for the rest.

        `touched` are papers that change otherwise, `leaving` the records that were taken from them.
        """
        incoming = {claim.name: claim for claim in changed}
        joined = {name for work in works if len(work) > 1 for name in work}
        # Records of one arXiv id are one paper, nearly always, and have its id (`merge.paper_id`). Where they are two,
        # each must know of the other.
        considered = incoming.keys() | {name for work in works for name in work} | leaving
        keys = Counter(key for source, key in considered if source in ARXIV_SOURCES)
        namesakes = list(self._stored({(source, key) for key in keys for source in ARXIV_SOURCES} - considered))
        touched = touched | {old.paper for old in namesakes}
        shared = {old.key for old in namesakes} | {key for key, count in keys.items() if count > 1}
        alone = [
            claim
            for claim in changed
            if not claim.is_known
            and claim.name not in joined
            and not (claim.name[0] in ARXIV_SOURCES and claim.name[1] in shared)
        ]
        lone = {claim.name for claim in alone}
        next_paper = self.catalogue.next_paper_pk()
        for claim in alone:
            claim.paper, next_paper = next_paper, next_paper + 1
        groups = [group for work in works if (group := [name for name in work if name not in lone])]
        named = {name for group in groups for name in group}
        groups += [[claim.name] for claim in changed if claim.name not in named and claim.name not in lone]
        named.update(incoming)
        claims = dict(incoming)
        for old in self._stored(name for group in groups for name in group if name not in incoming):
            claims[old.source, old.key] = Claim.of(old)
        # Another process may have deleted a record since the works were found.
        groups = [group for work in groups if (group := [name for name in work if name in claims])]
        touched = touched | {claims[name].paper for group in groups for name in group if claims[name].paper}
        # What linking did not meet has nothing in common with what it met, and stays with the rest of its kind.
        left: dict[int, list[Name]] = {}
        for old in self.catalogue.records_of(sorted(touched)):
            name = (old.source, old.key)
            if name in named:
                continue
            claims[name] = Claim.of(old)
            left.setdefault(old.paper, []).append(name)
        groups += left.values()
        members = [[claims[name] for name in group] for group in groups]
        merged = [merge([claim.read() for claim in group]) for group in members]
        return alone, assign(members, merged, self.catalogue.get_papers(sorted(touched)), next_paper)

    def _write(
        self, changed: list[Claim], alone: list[Claim], plan: Plan, changes: Changes, *, is_linked: bool
    ) -> None:
        """Carry out a plan."""
        changes.put.extend((claim.paper, claim.prepared.row) for claim in alone)
        changes.documents.update((claim.paper, claim.prepared.document) for claim in alone if claim.prepared.document)
        changes.fresh.update(claim.paper for claim in alone)
        for paper in plan.removed:
            # First, so that an id is free before another row takes it.
            self.catalogue.remove_paper(paper, changes.seq)
        self.catalogue.free_ids(plan.renamed)
        changes.put.extend(plan.put)
        self.catalogue.put_papers(changes.put, changes.seq)  # before the records, which refer to them
        for claim in changed:
            if claim.is_known:
                self.catalogue.drop_identifiers(claim.pk)
        self.catalogue.put_records(
            (claim.pk, *claim.name, claim.paper, claim.prepared.digest, claim.prepared.claim, int(is_linked))
            for claim in changed
        )
        self.catalogue.put_identifiers((name, claim.pk) for claim in changed for name in claim.identifiers)
        for record, paper in plan.moves:
            self.catalogue.move_record(record, paper)
        for old, new in plan.aliases:
            self.catalogue.put_alias(old, new)
        changes.fresh.update(plan.fresh)
        changes.n_new_papers += len(alone) + len(plan.fresh)
        changes.removed.extend(plan.removed)

    def relink(self, names: Iterable[Name]) -> Changes:
        """Compare stored records anew, with all that are in one paper with them: after a reader said something of
        them."""
        changes = Changes()
        with self.catalogue.database.write():
            papers = sorted({old.paper for old in self._stored(names)})
            pks = {(old.source, old.key): old.pk for old in self.catalogue.records_of(papers)}
            linking = self._linker.near(list(self._linker.load(sorted(pks))), pks)
            changes.seq = self.catalogue.next_seq()
            self._linker.put_doubts([name for work in linking.groups for name in work], linking.doubts)
            _, plan = self._plan([], linking.groups, set(papers))
            self._write([], [], plan, changes, is_linked=True)
        return changes

    def is_any_pending(self) -> bool:
        """Whether there are records that were only stored, by this process or one that was broken off."""
        return self._linker.links.count_unlinked() > 0 or self._is_merged_otherwise()

    def _is_merged_otherwise(self) -> bool:
        """Whether the papers were merged by the rules of an earlier Octavo."""
        return self.catalogue.merge_rules() != RULES and self.catalogue.count_records() > 0

    def link_pending(self, progress: Progress = lambda _done, _total: None) -> Iterator[Changes]:
        """Compare all records that `is_many` only stored, with each other and with the rest; yields what each step
        changed. Broken off, it goes on or is begun anew the next time.

        Many are compared together with all others at once, few one after the other with those near them; the works
        that this gives are the same.

        Args:
            progress: Told how many records are through, and how many there are.
        """
        n_pending = self._linker.links.count_unlinked()
        if (all_anew := self._is_merged_otherwise()) or n_pending > SHARE_AT_ONCE * self.catalogue.count_records():
            yield from self._link_all(progress, all_anew=all_anew)
        done = 0
        while part := self._linker.links.unlinked(_FEW):
            yield self._link(part)
            done += len(part)
            progress(done, n_pending)

    def _link(self, part: Mapping[Name, int]) -> Changes:
        """Compare some of the records that were only stored."""
        changes = Changes()
        with self.catalogue.database.write():
            fresh = list(self._linker.load(list(part)))
            self._linker.links.put_keys(sorted((key, part[one.name]) for one in fresh for key in keys_of(one)))
            linking = self._linker.near(fresh, part)
            changes.seq = self.catalogue.next_seq()
            self._linker.put_doubts([name for work in linking.groups for name in work], linking.doubts)
            _, plan = self._plan([], linking.groups, set())
            self._write([], [], plan, changes, is_linked=True)
            self._linker.links.mark_linked(part.values())
        return changes

    def _link_all(self, progress: Progress, *, all_anew: bool) -> Iterator[Changes]:
        """Compare all records at once: for a catalogue that is new, or much larger than before. `all_anew` also merges
        those papers anew whose records stay together."""
        features: list[Features] = []
        place: dict[Name, tuple[int, int]] = {}
        rows = array("Q")  # a key and a record in one number: millions of pairs would take half a gigabyte
        more: list[tuple[int, int]] = []
        total = self.catalogue.count_records()
        for pk, claim, paper, is_linked in self._linker.links.all_claims():
            one = features_of(decode_record(claim))
            features.append(one)
            place[one.name] = pk, paper
            if not is_linked:
                if pk < 1 << _PK_BITS:
                    rows.extend(key << _PK_BITS | pk for key in keys_of(one))
                else:
                    more += ((key, pk) for key in keys_of(one))
            if len(features) % 1000 == 0:
                progress(len(features), total)
        linking = self._linker.all(features)
        features.clear()
        papers = {name: paper for name, (_, paper) in place.items()}
        for part in bundles(linking.groups, papers, Counter() if all_anew else Counter(papers.values())):
            changes = Changes()
            with self.catalogue.database.write():
                changes.seq = self.catalogue.next_seq()
                _, plan = self._plan([], part, set())
                self._write([], [], plan, changes, is_linked=True)
            yield changes
        packed = ((row >> _PK_BITS, row & (1 << _PK_BITS) - 1) for row in sorted(rows))
        with self.catalogue.database.write():
            self._linker.links.put_keys(chain(packed, sorted(more)))
            self._linker.links.clear_doubts()
            self._linker.put_doubts((), linking.doubts)
            # What others stored meanwhile was not compared with these.
            self._linker.links.mark_linked_up_to(max((pk for pk, _ in place.values()), default=0))
            self.catalogue.put_merge_rules(RULES)

    def _stored(self, names: Iterable[Name]) -> Iterable[Stored]:
        for source, keys in _by_source(names).items():
            yield from self.catalogue.find_records(source, keys).values()


def _by_source(names: Iterable[Name]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for source, key in names:
        found.setdefault(source, []).append(key)
    return found


_PK_BITS = 64 - KEY_BITS
SHARE_AT_ONCE = 0.1
"""Share of all records from which those that were only stored are compared with all at once."""
_FEW = 500
"""Records that are otherwise compared in one step."""
