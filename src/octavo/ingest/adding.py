"""One run of one source: its pages through parsing into the catalogue, in batches, with every fault counted."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import current_process, get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from threading import Thread
from typing import TypeVar

from octavo.catalogue import Catalogue, Changes
from octavo.catalogue.runs import MAX_FAULTS
from octavo.errors import OctavoError, SourceError, UsageError
from octavo.ingest.match import authors_agree
from octavo.ingest.pipeline import Ingest
from octavo.ingest.prepare import Documents, Items, Prepared, prepare, prepare_page
from octavo.ingest.waiting import combined, known_as
from octavo.records.codec import decode_record
from octavo.records.fold import title_key
from octavo.records.paper import Waiting
from octavo.sources.base import Deleted, Fault, Page, Source
from octavo.sources.streams import size_of

T = TypeVar("T")
R = TypeVar("R")

_GUARD = "With `workers`, every helper process reads the script that asked for it once more."
_GUARD_HINT = 'Keep the script\'s own work behind `if __name__ == "__main__":`, or leave `workers` at 0.'
PAGE = "page"
"""The source of saved pages, whose entries come without identifiers."""
BATCH = 2000
"""Records in one transaction: large enough that its cost vanishes, small enough that another writer waits a moment
only."""
LARGE = 4_000_000
"""Bytes of a file from which other processes are worth their start (0.3 seconds)."""


@dataclass(slots=True)
class Tally:
    """What a run did so far. Counts are of the source's entries."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    deleted: int = 0
    """Records that were there and that their source deleted."""
    new_papers: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    faults: list[Fault] = field(default_factory=list)
    """The first MAX_FAULTS of those in `reasons`."""
    waiting: list[Waiting] = field(default_factory=list)
    """Entries that have to be identified; a page's, so a handful."""
    n_waiting: int = 0
    """Entries that wait in all, afterwards."""
    n_identified: int = 0
    """Entries that were identified, with those that had waited."""

    def skip(self, fault: Fault) -> None:
        """Count an entry that was skipped."""
        self.reasons[fault.reason] += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)

    def read_any(self) -> bool:
        """Whether any entry was read."""
        return bool(self.added or self.updated or self.unchanged or self.waiting)

    def counts(self) -> dict[str, int]:
        """For the log of runs."""
        return {
            "added": self.added,
            "updated": self.updated,
            "unchanged": self.unchanged,
            "deleted": self.deleted,
            "skipped": self.reasons.total(),
            "identified": self.n_identified,
            "waiting": self.n_waiting,
        }

    def count(self, changes: Changes) -> None:
        """Count what a batch did."""
        self.added += changes.n_added
        self.updated += changes.n_updated
        self.unchanged += changes.n_unchanged
        self.deleted += changes.n_deleted
        self.new_papers += changes.n_new_papers


def refuse_to_be_started_over() -> None:
    """Let a helper process that runs its script from the beginning end at once.

    It would wait for what its parent has locked, while its parent waits for it.

    Raises:
        UsageError: this is such a process.
    """
    if getattr(current_process(), "_inheriting", False):
        raise UsageError(_GUARD, hint=_GUARD_HINT)


class Workers:
    """Processes that do what takes long, so that reading a large file or indexing many papers uses every core.

    Without any (`n` 0) it is done in this process. They are started when the first large work comes, and end with
    `close`.
    """

    def __init__(self, n: int = 0, documents: Documents | None = None) -> None:
        """Use `n` processes; `documents` makes what an index holds of a paper (it must be a module's function)."""
        self.n = n
        self.documents = documents
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def prepared(self, source: Source, pages: Iterable[Page], *, is_large: bool) -> Iterator[tuple[Page, Items]]:
        """Each page with what `prepare_page` makes of it, in order; at most a few pages are under way at once."""
        prepare_one = partial(prepare_page, source.info.name, documents=self.documents)
        if self.n and is_large:
            yield from self.mapped(prepare_one, pages)
            return
        for page in pages:
            yield page, prepare_one(page)

    def mapped(self, function: Callable[[T], R], parts: Iterable[T]) -> Iterator[tuple[T, R]]:
        """Each part with what `function` makes of it in one of the processes, in order; at most a few are under way at
        once. `function` is a module's, or a `partial` of one.

        Raises:
            SourceError: from `parts`, told when what came before it is through.
            OctavoError: a process was ended from outside.
        """
        # Spawned, not forked: a fork would copy the index writer's threads in whatever state they are.
        self._pool = self._pool or ProcessPoolExecutor(
            self.n, mp_context=get_context("spawn"), initializer=_begin_worker
        )
        under_way: deque[tuple[T, Future[R]]] = deque()
        failure: SourceError | None = None
        iterator = iter(parts)
        while True:
            try:
                while len(under_way) < self.n + 2 and failure is None:
                    part = next(iterator)
                    under_way.append((part, self._pool.submit(function, part)))
            except StopIteration:
                pass
            except SourceError as error:
                failure = error  # told when the pages before it are through
            except BrokenExecutor as error:
                raise self._broken() from error
            if not under_way:
                break
            part, future = under_way.popleft()
            try:
                made = future.result()
            except BrokenExecutor as error:
                raise self._broken() from error
            yield part, made
        if failure:
            raise failure

    def _broken(self) -> OctavoError:
        self._pool = None
        main = sys.modules.get("__main__")
        if getattr(main, "__spec__", None) is None and not hasattr(sys, "ps1"):  # a script, and not `python -m octavo`
            return OctavoError(f"A helper process ended early. {_GUARD}", hint=_GUARD_HINT)
        return OctavoError(
            "A helper process was ended from outside, most likely for want of memory.",
            hint="What was committed is safe; give the same command again.",
        )


def _begin_worker() -> None:
    """Leave Ctrl-C to the main process, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parent := parent_process():
        Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)  # nothing here is worth a tidy end, and the pool's own threads would wait for ever


def read_into(
    ingest: Ingest,
    source: Source,
    target: Path,
    tally: Tally,
    workers: Workers,
    progress: Callable[[int], None],
    *,
    is_many: bool = False,
) -> Iterator[Changes]:
    """Read `target` to its end, yielding what each committed batch changed; `progress` is told the bytes read.
    `is_many` as of `Ingest.put_prepared`: `linked` compares the records afterwards.

    Raises:
        SourceError: where the file can't be read further. What was complete before is in the catalogue by then.
        StorageError: where the catalogue can't be written.
    """
    is_large = size_of(target) >= LARGE
    gathered = Gathered(ingest, tally, is_many=is_many)
    failure: SourceError | None = None
    try:
        for page, items in workers.prepared(source, source.fetch(target), is_large=is_large):
            for item in items:
                gathered.take(item)
                if len(gathered) >= BATCH:
                    yield gathered.commit()
            progress(page.done)
    except SourceError as error:
        failure = error
    if len(gathered):  # also where reading failed: an entry that was read whole is not lost with those after it
        yield gathered.commit()
    if failure:
        raise failure


def linked(ingest: Ingest, tally: Tally, progress: Callable[[int, int], None]) -> Iterator[Changes]:
    """Compare the records that were only stored so far with all others, counting in `tally` the papers that this
    joins; yields what each step changed."""
    for changes in ingest.link_pending(progress):
        tally.new_papers += changes.n_new_papers - len(changes.removed)
        yield changes


class Gathered:
    """Entries on their way into one transaction."""

    def __init__(self, ingest: Ingest, tally: Tally, *, is_many: bool = False) -> None:
        """Gather for `ingest`, and count in `tally`; `is_many` as of `Ingest.put_prepared`."""
        self._is_many = is_many
        self._ingest = ingest
        self._tally = tally
        self._records: dict[tuple[str, str], Prepared] = {}
        self._deleted: dict[tuple[str, str], str] = {}

    def __len__(self) -> int:
        return len(self._records) + len(self._deleted)

    def take(self, item: Prepared | Waiting | Deleted | Fault) -> None:
        """Take one entry; what is said of an entry later holds."""
        if isinstance(item, Prepared):
            self._deleted.pop(item.name, None)
            self._records[item.name] = adopt(self._ingest.catalogue, item)
        elif isinstance(item, Waiting):
            self._tally.waiting.append(item)
        elif isinstance(item, Deleted):
            name = item.source, item.key
            self._records.pop(name, None)
            self._deleted[name] = item.deleted_on
        else:
            self._tally.skip(item)

    def commit(self, also: Callable[[], None] | None = None) -> Changes:
        """Store what was gathered, and what `also` does, in one transaction, and begin anew.

        Raises:
            StorageError: nothing of it is stored.
        """
        changes = self._ingest.put_prepared(
            self._records.values(), deleted=self._deleted, also=also, is_many=self._is_many
        )
        self._tally.count(changes)
        self._records, self._deleted = {}, {}
        return changes


def adopt(catalogue: Catalogue, prepared: Prepared) -> Prepared:
    """Give a page's entry, which has a title and no identifier, those of the paper that it plainly shows; and join
    it with what another page said of the same entry.

    Plainly: the same title (`records.fold.title_key`) and authors that agree, on one paper only.
    """
    if prepared.source != PAGE:
        return prepared
    record = prepared.record()
    if known := catalogue.find_records(PAGE, [prepared.key]):
        return prepare(combined(decode_record(known[prepared.key].claim), record))
    if record.identifiers:
        return prepared
    fits = []
    for stored in catalogue.records_of(catalogue.find_by_title_key(title_key(record.title.plain))):
        other = decode_record(stored.claim)
        if (stored.source, stored.key) != prepared.name and authors_agree(record, other):
            fits.append((stored.paper, other))
    if len({paper for paper, _ in fits}) != 1:
        return prepared
    return prepare(replace(record, identifiers=known_as(fits[0][1])))
