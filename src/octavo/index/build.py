"""Bringing the indexes up to the catalogue: that of the words, and the vectors beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Protocol

from octavo.catalogue import Catalogue, Changes, paper_of
from octavo.catalogue.topics import Corrections
from octavo.index.manifest import Manifest
from octavo.index.meaning import Meaning, VectorFeed
from octavo.index.text import SCHEMA, Held, IndexWriter, TextIndex
from octavo.index.topical import Topical, held_with_topics, read_lessons, stamp_of, write_lessons
from octavo.records.paper import Paper

AT_A_TIME = 256
"""Papers whose topics are told together while building."""
MANY = 5_000
"""So many papers are worth the start of helper processes, which takes a second or two."""
COMMIT_EVERY = 100_000
"""Papers between commits while building: a kill costs at most the work of so many."""

Progress = Callable[[int, int], None]
_Part = list[tuple[int, Paper]]
_Making = Callable[[_Part], list[Held]]


class Helpers(Protocol):
    """Processes that make of each part what a function makes of it, in order."""

    def __call__(self, function: _Making, parts: Iterable[_Part], /) -> Iterator[tuple[_Part, list[Held]]]:
        """Each part with what was made of it."""


class Indexer:
    """Feeds one index, and its vectors, from one catalogue, under the index's only writer lock.

    Invariant: whatever is committed is written down in the manifest only after the commit, and taking in a paper
    twice changes nothing; so a kill at any moment leaves an index that catches up by itself. Words and vectors each
    know how far they go.
    """

    def __init__(
        self,
        catalogue: Catalogue,
        index: TextIndex,
        writer: IndexWriter,
        meaning: Meaning | None = None,
        helpers: Helpers | None = None,
    ) -> None:
        """Work with a `writer` of `index` that the caller has opened and closes; `helpers` do the dear part where there
        are many papers."""
        self._helpers = helpers
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
        self.vectors = meaning.feed(self._key) if meaning and meaning.is_possible else None
        if self.vectors and self.vectors.seq > catalogue.seq:
            self.vectors.clear()
        self._topical = Topical(encoder=(lambda: meaning.encoder) if meaning and meaning.is_possible else None)
        self._corrections = self._learnt()

    def close(self) -> None:
        """Let go of vectors that were not committed."""
        if self.vectors:
            self.vectors.close()

    def restart(self) -> None:
        """Forget what the indexes hold: the next `catch_up` takes in everything. Readers see the old papers until
        then."""
        self.writer.clear()
        self.seq = 0
        if self.vectors:
            self.vectors.clear()

    def take(self, changes: Changes) -> None:
        """Take in what a batch changed, from memory.

        Where another process has changed the catalogue in between, nothing is taken: `catch_up` reads all of it later.
        """
        if not changes.seq:
            return
        words = changes.seq == self.seq + 1
        vectors = self.vectors if self.vectors and changes.seq == self.vectors.seq + 1 else None
        for pk in changes.removed if words or vectors else ():
            self._remove(pk, words=words, vectors=vectors)
        made = self._made_of(changes) if words else {}
        for pk, row in changes.put if words or vectors else ():
            if words:
                if pk not in changes.fresh:
                    self.writer.remove(pk)
                self.writer.add(pk, made[pk])
            if vectors:
                vectors.put(pk, paper_of(row))
        if vectors:
            vectors.seq = changes.seq
        if words:
            self.seq = changes.seq
            self._uncommitted += len(changes.put)
            if self._uncommitted >= COMMIT_EVERY:
                self._commit_words()

    def catch_up(self, progress: Progress = lambda _done, _total: None) -> int:
        """Take in everything that the catalogue has and the index has not, and commit. Returns how many papers that
        were."""
        done = 0
        while (target := self.catalogue.seq) > self.seq:
            together = self.vectors if self.vectors and self.vectors.seq == self.seq else None
            done = self._pass(self.seq, target, progress, done, words=True, vectors=together)
            self.seq = target
            if together:
                together.seq = target
        self._uncommitted += done
        if self._uncommitted or not self.index.manifest:
            self._commit_words()
        if self.vectors:
            if self.vectors.seq < self.seq:
                self._encode(self.vectors, self.seq, progress)
            self.vectors.commit()
        return done

    def encode(self, n_papers: int) -> int:
        """Let the next papers that have no vector yet have one, and commit. Returns how many are left."""
        if self.vectors is None:
            return 0
        upto = self.catalogue.seq_of_next(self.vectors.seq, n_papers)
        self._encode(self.vectors, upto, lambda _done, _total: None)
        self.vectors.commit()
        return self.catalogue.count_changed_since(self.vectors.seq)

    def _encode(self, vectors: VectorFeed, upto: int, progress: Progress) -> None:
        self._pass(vectors.seq, upto, progress, 0, words=False, vectors=vectors)
        vectors.seq = upto

    def _pass(
        self, since: int, upto: int, progress: Progress, done: int, *, words: bool, vectors: VectorFeed | None
    ) -> int:
        """Read what changed after `since`, up to `upto`, into the words, the vectors or both."""
        total = done + self.catalogue.count_changed_since(since)
        replaces = done > 0 or self.writer.n_papers > 0
        for pk in self.catalogue.removed_since(since):
            self._remove(pk, words=words, vectors=vectors)
        helpers = self._helpers if total - done >= MANY else None
        for part, made in self._with_words(_parts(self.catalogue.changed_since(since, upto)), helpers, words=words):
            for (pk, _), held in zip(part, made, strict=False):  # none where words are not asked for
                if replaces:
                    self.writer.remove(pk)
                self.writer.add(pk, held)
            if vectors:
                for pk, paper in part:
                    vectors.put(pk, paper)
            done += len(part)
            progress(done, total)
        return done

    def _with_words(
        self, parts: Iterable[_Part], helpers: Helpers | None, *, words: bool
    ) -> Iterator[tuple[_Part, list[Held]]]:
        """Each part with what the index holds of its papers; with nothing where `words` are not asked for."""
        if not words:
            yield from ((part, []) for part in parts)
        elif helpers is None:
            yield from ((part, self._topical.held([paper for _, paper in part], self._corrections)) for part in parts)
        else:
            for part, made in helpers(partial(_made_by_helper, str(self.index.base)), parts):
                for at, (_, paper) in enumerate(part):
                    if paper.id in self._corrections:  # of which helpers know only the lessons
                        made[at] = self._topical.held([paper], self._corrections)[0]
                yield part, made

    def _made_of(self, changes: Changes) -> dict[int, Held]:
        """What the index holds of what a batch put: helper processes have made most of it, knowing no correction."""
        made: dict[int, Held] = {}
        papers: dict[int, Paper] = {}
        for pk, row in changes.put:
            held = changes.documents.get(pk)
            if isinstance(held, Held) and not (self._corrections and row[1] in self._corrections):
                made[pk] = held
            else:
                papers[pk] = paper_of(row)
        pks = list(papers)
        for start in range(0, len(pks), AT_A_TIME):
            part = pks[start : start + AT_A_TIME]
            held_of_part = self._topical.held([papers[pk] for pk in part], self._corrections)
            made.update(zip(part, held_of_part, strict=True))
        return made

    def _learnt(self) -> dict[str, tuple[str, ...]]:
        """The reader's corrections, by paper id; and their lessons, which are left for helper processes too."""
        known = Corrections(self.catalogue.database)
        corrections = known.all()
        folder = self.index.base
        if not corrections:
            write_lessons(folder, None)
            return {}
        stamp = stamp_of(corrections)
        self._topical.lessons = read_lessons(folder, stamp)
        if self._topical.lessons is None:
            pks = known.keys_of(list(corrections))
            papers = list(self.catalogue.get_papers(list(pks.values())).values())
            self._topical.learn(papers, [corrections[paper.id] for paper in papers])
            write_lessons(folder, self._topical.lessons, stamp)
        return corrections

    def _remove(self, pk: int, *, words: bool, vectors: VectorFeed | None) -> None:
        if words:
            self.writer.remove(pk)
        if vectors:
            vectors.remove(pk)

    def _commit_words(self) -> None:
        """Make what was taken visible and safe, and write down how far it goes."""
        n_papers = self.writer.commit()
        self.index.save_manifest(Manifest(SCHEMA, self._key, self.seq, n_papers))
        self._uncommitted = 0


def _parts(papers: Iterable[tuple[int, Paper]]) -> Iterator[_Part]:
    papers = iter(papers)
    while part := list(islice(papers, AT_A_TIME)):
        yield part


def _made_by_helper(folder: str, part: _Part) -> list[Held]:
    return held_with_topics(folder, [paper for _, paper in part])
