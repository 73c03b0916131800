"""Use cases: the index made anew, what the catalogue holds, and taking papers out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from octavo.app.base import WRITER_WAITS, Progress, silent, told
from octavo.app.finding import MAX_LIMIT, Finding
from octavo.catalogue import storage_errors
from octavo.catalogue.runs import Runs
from octavo.catalogue.stats import by_source, by_status, by_venue, by_year, counts
from octavo.config import catalogue_path, index_path
from octavo.errors import BusyError, SearchIndexError, UsageError
from octavo.export import FORMATS, export_papers
from octavo.index.meaning import Meaning
from octavo.records.codec import decode_record
from octavo.records.paper import Paper
from octavo.sources.streams import size_of
from octavo.views import MeaningState, StatsView


class Keeping(Finding):
    """Rebuild, statistics, export."""

    @told
    def rebuild(self, progress: Progress = silent) -> int:
        """Make the index anew from the catalogue; returns how many papers are in it. Searches go on with the old one
        meanwhile. Waits while another process writes to the index. Vectors of an encoder that takes its time are not
        made anew, only those that are missing.

        Raises:
            IndexBusyError: another process went on writing for two minutes.
            OctavoError: the encoder that is configured can't be had; the index of words was made.
        """
        if not catalogue_path(self.home).exists():
            return 0
        filler = self._filler_with(Meaning(self._vectors_path, None) if self._is_slow else self._meaning)
        with filler.only_indexer(WRITER_WAITS) as indexer:
            indexer.restart()
            filler.catch_up(indexer, progress)
        with suppress(BusyError):  # another process makes them
            self.encode(progress)
        if self._choice and self._choice.fault:
            raise self._choice.fault
        return self._index.n_papers

    @told
    def stats(self) -> StatsView:
        """What the catalogue holds."""
        database = self._catalogue.database
        manifest = self._index.manifest
        if manifest is None or manifest.catalogue != self._catalogue.key:
            state = "none yet"
        elif behind := self._catalogue.count_changed_since(manifest.seq):
            state = f"behind by {behind} papers"
        else:
            state = "up to date"
        return StatsView(
            home=str(self.home),
            **counts(database),
            sources=tuple(by_source(database)),
            years=tuple(by_year(database)),
            venues=tuple(by_venue(database)),
            statuses=tuple(by_status(database)),
            index=state,
            meaning=self._state_of_meaning(),
            catalogue_bytes=sum(size_of(path) for path in self.home.glob("catalogue.db*")),
            index_bytes=size_of(index_path(self.home)),
            runs=tuple(Runs(database).last(5)),
        )

    def _state_of_meaning(self) -> MeaningState:
        """Which encoder made the vectors, how many papers have one, and whether that goes on."""
        name, n_encoded = "", 0
        if self._meaning.is_possible or self._vectors_path.exists():
            with suppress(SearchIndexError, ImportError):
                from octavo.index.vectors import VectorIndex

                vectors = VectorIndex(self._vectors_path)
                if vectors.manifest.catalogue == self._catalogue.key:
                    name, n_encoded = vectors.manifest.encoder, len(vectors)
        wanted = self._meaning.encoder if self._meaning.is_possible else None
        is_of_wanted = wanted is not None and self._meaning.seq(self._catalogue.key) > 0
        n_left = self._count_unencoded()
        if wanted is None:
            state = (self._choice and self._choice.note) or "off"
        elif not n_left:
            state = "up to date"
        else:
            behind = f"{n_left} papers to go" if is_of_wanted else f"{n_left} papers to go with {wanted.id}"
            state = f"being prepared, {behind}" if self.is_encoding() else self._failure() or behind
        return MeaningState(name or (wanted.id if wanted and is_of_wanted else ""), n_encoded, state)

    def export(
        self, form: str, *, query: str | None = None, names: Sequence[str] = (), everything: bool = False
    ) -> Iterator[str]:
        """The papers that a query finds, those named, or all, in `form` (`bibtex` or `jsonl`), as lines or entries.

        Raises:
            UsageError: no such form, or nothing is asked for.
            NotFound: a name that no paper has.
        """
        if form not in FORMATS:
            raise UsageError(f"There is no export format {form!r}.", hint=f"Known are {', '.join(FORMATS)}.")
        chosen = self._chosen(query, names, everything=everything)
        lossless = ((paper, [decode_record(claim) for claim in self._catalogue.claims_of(pk)]) for pk, paper in chosen)
        return self._read_out(export_papers(form, lossless))

    def _chosen(self, query: str | None, names: Sequence[str], *, everything: bool) -> Iterable[tuple[int, Paper]]:
        """The papers that a query finds, those named, or all.

        Raises:
            UsageError: nothing is asked for.
            NotFound: a name that no paper has.
        """
        if query is None and not names and not everything:
            raise UsageError("No paper was named.", hint="Give a query, ids, or ask for all.")
        if everything:
            return self._all()
        return [self._get(name) for name in names] if names else self._all_found(query or "")

    def _read_out(self, lines: Iterator[str]) -> Iterator[str]:
        with storage_errors(self._catalogue.database.path):
            yield from lines

    def _all(self) -> Iterator[tuple[int, Paper]]:
        """Every paper, in the order of their ids, which is the same in every home."""
        pks = self._catalogue.all_papers_pks()
        for start in range(0, len(pks), MAX_LIMIT):
            part = pks[start : start + MAX_LIMIT]
            papers = self._catalogue.get_papers(part)
            yield from ((pk, papers[pk]) for pk in part if pk in papers)

    def _all_found(self, query: str) -> Iterator[tuple[int, Paper]]:
        """What matches all of a query: papers that a search shows after them are near, and not what was asked for."""
        offset = 0
        while True:
            page = self.search(query, MAX_LIMIT, offset, way="words")
            for hit in page.hits[: max(0, page.matching - offset)]:
                yield self._catalogue.get_paper(hit.paper.id)
            offset += MAX_LIMIT
            if offset >= page.matching:
                return
