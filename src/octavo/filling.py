"""Filling a catalogue: a file through its source into the catalogue, the index in step, what waits identified."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from time import perf_counter

from octavo.catalogue import Catalogue, Changes
from octavo.catalogue.runs import Runs
from octavo.catalogue.waiting import WaitingRoom
from octavo.errors import OctavoError, PartlyAddedError, SourceError, UsageError
from octavo.index.build import Indexer
from octavo.index.meaning import Meaning
from octavo.index.text import IndexBusyError, TextIndex
from octavo.ingest import Ingest
from octavo.ingest.adding import LARGE, Tally, Workers, linked, read_into
from octavo.ingest.waiting import as_record, combined, identified_as, waiting_claim
from octavo.rank.identify import SURE, identify
from octavo.records.codec import decode_record
from octavo.records.paper import Record
from octavo.sources.base import Source
from octavo.sources.registry import find_source_for, get_source, start_of
from octavo.sources.streams import size_of
from octavo.views import AddView

Progress = Callable[[str, int, int], None]
"""Told (stage, done, total) of a long work: the stage is `reading` (bytes) or `indexing` (papers); total 0 can't be
told."""
_SHOWN_FAULTS = 20


class Filler:
    """Brings papers into one catalogue and keeps its index in step."""

    def __init__(self, catalogue: Catalogue, index: TextIndex, meaning: Meaning, workers: Workers) -> None:
        """Work on `catalogue`, `index` and the vectors of `meaning`; `workers` may help with large files."""
        self.catalogue = catalogue
        self.index = index
        self.meaning = meaning
        self.workers = workers

    def add(self, source: str | None, path: Path, progress: Progress, *, more_to_come: bool = False) -> AddView:
        """See `app.Octavo.add`."""
        reader = get_source(source or source_of(path))
        runs, tally, started = Runs(self.catalogue.database), Tally(), perf_counter()
        run = runs.begin(reader.info.name, _storable(str(path)))
        failure: OctavoError | None = None
        try:
            failure = self._take_in(reader, path, tally, progress, more_to_come=more_to_come)
        except BaseException as error:
            failure = error if isinstance(error, OctavoError) else OctavoError(f"Stopped ({type(error).__name__}).")
            raise
        finally:
            view = _add_view(reader.info.name, path, tally, perf_counter() - started, failure)
            if failure:
                failure.added = view
            with suppress(OctavoError):  # on a full disk the log of the run is the least of the losses
                faults = [(_storable(one.place), one.reason, _storable(one.entry)) for one in tally.faults]
                runs.end(run, view.state, tally.counts(), faults)
        if failure:
            raise PartlyAddedError(failure.message, view, hint=failure.hint) if tally.read_any() else failure
        return view

    def link(self, progress: Progress) -> None:
        """Compare what was only stored so far."""
        ingest = Ingest(self.catalogue)
        if not ingest.is_any_pending():
            return
        with self.indexer() as indexer:
            self.catch_up(indexer, progress)
            for changes in linked(ingest, Tally(), partial(progress, "comparing")):
                _take(indexer, changes)
            self.catch_up(indexer, progress)

    @contextmanager
    def indexer(self, wait: float = 0.0) -> Iterator[Indexer | None]:
        """The index's writer; None where another process has it, and went on for `wait` seconds: it will then take in
        what this one adds."""
        with ExitStack() as stack:
            try:
                indexer = stack.enter_context(self.only_indexer(wait))
            except IndexBusyError:
                yield None
                return
            yield indexer

    @contextmanager
    def only_indexer(self, wait: float = 0.0) -> Iterator[Indexer]:
        """The index's writer.

        Raises:
            IndexBusyError: another process has it, and went on for `wait` seconds.
        """
        with self.index.write(wait) as writer:
            helpers = self.workers.mapped if self.workers.n else None
            indexer = Indexer(self.catalogue, self.index, writer, self.meaning, helpers)
            try:
                yield indexer
            finally:
                indexer.close()

    def catch_up(self, indexer: Indexer | None, progress: Progress) -> None:
        """Let the index take in what it has not, and look at that from now on."""
        if indexer:
            indexer.catch_up(lambda done, total: progress("indexing", done, total))
            self.index.reload()

    def _take_in(
        self, reader: Source, path: Path, tally: Tally, progress: Progress, *, more_to_come: bool
    ) -> SourceError | None:
        """Read, store, index, and identify what came without a title. Returns what stopped the reading, if anything."""
        size, failure = size_of(path), None
        ingest = Ingest(self.catalogue)
        with self.indexer() as indexer:
            self.catch_up(indexer, progress)
            try:
                for changes in read_into(
                    ingest,
                    reader,
                    path,
                    tally,
                    self.workers,
                    lambda done: progress("reading", done, size),
                    is_many=more_to_come or size >= LARGE or ingest.is_any_pending(),
                ):
                    _take(indexer, changes)
            except SourceError as error:
                failure = error
            for changes in linked(ingest, tally, partial(progress, "comparing")) if not more_to_come else ():
                _take(indexer, changes)
            self.catch_up(indexer, progress)
            self._settle(indexer, ingest, tally)
            self.catch_up(indexer, progress)
        return failure

    def _settle(self, indexer: Indexer | None, ingest: Ingest, tally: Tally) -> None:
        """Identify the entries that came without a title, and try again those that wait, now that more is known."""
        room = WaitingRoom(self.catalogue.database)
        entries: dict[tuple[str, str], Record] = {}
        before = {(source, key): decode_record(claim) for source, key, claim, _ in room.all()}
        for entry in map(as_record, tally.waiting):
            name = (entry.source, entry.key)
            if stored := self.catalogue.find_records(entry.source, [entry.key]):
                changes = ingest.put([combined(decode_record(stored[entry.key].claim), entry)])
                tally.count(changes)
                _take(indexer, changes)
            else:
                entries[name] = combined(entries.get(name) or before.get(name) or entry, entry)
        if tally.added or tally.updated:
            entries = before | entries
        for name, record in entries.items():
            text = record.abstract.plain if record.abstract else ""
            match = identify(self.index, self.catalogue.get_papers, text, [author.name for author in record.authors])
            if match.paper is None or match.confidence < SURE:
                with self.catalogue.database.write():
                    room.put([(*name, waiting_claim(record))])
                continue
            _take(indexer, ingest.put([identified_as(self.catalogue, record, match.pk)]))
            with self.catalogue.database.write():
                room.drop(*name)
            tally.n_identified += 1
        tally.n_waiting = room.count()


def _take(indexer: Indexer | None, changes: Changes) -> None:
    if indexer:
        indexer.take(changes)


def source_of(path: Path) -> str:
    """The name of the source that a file is of.

    Raises:
        UsageError: where that can't be told.
    """
    name = find_source_for(path)
    if name is None:
        raise UsageError(
            f"It can't be told what {path.name} is: {start_of(path)}.",
            hint="`octavo add --help` lists what can be read; name its source if it is one of these.",
        )
    return name


def _add_view(source: str, path: Path, tally: Tally, seconds: float, failure: OctavoError | None) -> AddView:
    return AddView(
        source=source,
        target=str(path),
        added=tally.added,
        updated=tally.updated,
        unchanged=tally.unchanged,
        skipped=tally.reasons.total(),
        new_papers=tally.new_papers,
        waiting=tally.n_waiting,
        identified=tally.n_identified,
        deleted=tally.deleted,
        reasons=tuple(tally.reasons.most_common()),
        faults=tuple((fault.place, fault.reason, fault.entry) for fault in tally.faults[:_SHOWN_FAULTS]),
        seconds=seconds,
        state="failed" if failure else "complete",
        problem=str(failure or ""),
    )


def _storable(text: str) -> str:
    """A text with question marks for what is no UTF-8, as in the name of a file."""
    return text.encode("utf-8", "replace").decode()
