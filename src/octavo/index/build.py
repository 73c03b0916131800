"""Bringing the index up to the catalogue."""

from __future__ import annotations

from collections.abc import Callable

from octavo.catalogue import Catalogue, Changes, paper_of
from octavo.index.manifest import Manifest
from octavo.index.text import SCHEMA, Held, IndexWriter, TextIndex, held_of

COMMIT_EVERY = 100_000
"""Papers between commits while building: a kill costs at most the work of so many."""

Progress = Callable[[int, int], None]


class Indexer:
    """Feeds one index from one catalogue, under the index's only writer lock.

    Invariant: whatever is committed is written down in the manifest only after the commit, and taking in a paper
    twice changes nothing; so a kill at any moment leaves an index that catches up by itself.
    """

    def __init__(self, catalogue: Catalogue, index: TextIndex, writer: IndexWriter) -> None:
        """Work with a `writer` of `index` that the caller has opened and closes."""
        self.catalogue = catalogue
        self.index = index
        self.writer = writer
        manifest = index.manifest
        self._key = catalogue.key
        # More papers than the manifest says are those of a commit whose manifest was not written; fewer are a loss.
        current = (
            manifest is not None
            and manifest.schema == SCHEMA
            and manifest.catalogue == self._key
            and manifest.seq <= catalogue.seq
            and manifest.papers <= writer.n_papers
        )
        self.seq = manifest.seq if manifest and current else 0
        self._uncommitted = 0
        if not self.seq:
            writer.clear()

    def restart(self) -> None:
        """Forget what the index holds: the next `catch_up` takes in everything. Readers see the old papers until
        then."""
        self.writer.clear()
        self.seq = 0

    def take(self, changes: Changes) -> None:
        """Take in what a batch changed, from memory.

        Where another process has changed the catalogue in between, nothing is taken: `catch_up` reads all of it later.
        """
        if not changes.seq or changes.seq != self.seq + 1:
            return
        for pk in changes.removed:
            self.writer.remove(pk)
        for pk, row in changes.put:
            if pk not in changes.fresh:
                self.writer.remove(pk)
            held = changes.documents.get(pk)
            self.writer.add(pk, held if isinstance(held, Held) else held_of(paper_of(row)))
        self.seq = changes.seq
        self._uncommitted += len(changes.put)
        if self._uncommitted >= COMMIT_EVERY:
            self.commit()

    def catch_up(self, progress: Progress = lambda _done, _total: None) -> int:
        """Take in everything that the catalogue has and the index has not. Returns how many papers that were."""
        done = 0
        while (target := self.catalogue.seq) > self.seq:
            total = done + self.catalogue.count_changed_since(self.seq)
            removing = done > 0 or self.writer.n_papers > 0
            for pk in self.catalogue.removed_since(self.seq):
                self.writer.remove(pk)
            for pk, paper in self.catalogue.changed_since(self.seq):
                if removing:
                    self.writer.remove(pk)
                self.writer.add(pk, held_of(paper))
                done += 1
                if done % 1000 == 0:
                    progress(done, total)
            self.seq = target
            self._uncommitted += done
        if self._uncommitted or not self.index.manifest:
            self.commit()
        return done

    def commit(self) -> None:
        """Make what was taken visible and safe, and write down how far it goes."""
        n_papers = self.writer.commit()
        self.index.save_manifest(Manifest(SCHEMA, self._key, self.seq, n_papers))
        self._uncommitted = 0
