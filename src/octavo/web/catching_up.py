"""An Octavo for readers who wait: what takes long is done by a process beside the pages, never for a page.

A search lets the index catch up with the catalogue first. That is a moment after a few papers, and minutes after a new
version of Octavo or a large file that somebody added and never searched.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from functools import cached_property
from pathlib import Path
from threading import Lock

from octavo.app import Octavo
from octavo.app.base import Progress
from octavo.catalogue import Catalogue, storage_errors
from octavo.config import index_path
from octavo.errors import BusyError
from octavo.index.meaning import Meaning
from octavo.index.text import TextIndex

FEW = 1_000
"""Papers that are indexed while somebody waits: about a second."""
_PAUSE = 60.0
"""Seconds before what ended and left the index behind is tried again."""
_CACHE_KILOBYTES = 8_000
"""What SQLite keeps of the file for each thread; the system has it in memory once more, for all."""
_BEHIND = "The index is behind the catalogue and is catching up; what came in last is not searched yet."

_lock = Lock()
_processes: dict[Path, tuple[subprocess.Popen[bytes], float]] = {}


class Shared:
    """The index and the vectors of one catalogue, opened once for all threads of a server.

    Each of them would map the whole index anew, and read the quantised vectors into memory of its own.
    """

    def __init__(self) -> None:
        """Open nothing yet."""
        self._lock = Lock()
        self._index: TextIndex | None = None
        self._meaning: Meaning | None = None

    def index(self, folder: Path) -> TextIndex:
        """The index in `folder`, which is the same at every call."""
        with self._lock:
            self._index = self._index or TextIndex(folder)
            return self._index

    def meaning(self, folder: Path) -> Meaning:
        """The vectors in `folder`, which is the same at every call."""
        with self._lock:
            self._meaning = self._meaning or Meaning(folder)
            return self._meaning


class ServingOctavo(Octavo):
    """An Octavo that lets nobody wait for the index."""

    def __init__(
        self, home: str | os.PathLike[str] | None = None, *, few: int = FEW, shared: Shared | None = None
    ) -> None:
        """Use the catalogue in `home`; up to `few` papers are indexed while somebody waits. `shared` is what the
        threads of a server read together."""
        super().__init__(home)
        self._few = few
        self._shared = shared or Shared()

    @cached_property
    def _catalogue(self) -> Catalogue:
        catalogue = super()._catalogue
        with storage_errors(catalogue.database.path):
            catalogue.database.connection.execute(f"PRAGMA cache_size=-{_CACHE_KILOBYTES}")
        return catalogue

    @property
    def is_readonly(self) -> bool:
        """Whether the catalogue is open, and could only be opened to be read: a full disk, a read-only medium."""
        catalogue = self.__dict__.get("_catalogue")
        return catalogue is not None and catalogue.database.is_readonly

    @cached_property
    def _index(self) -> TextIndex:
        return self._shared.index(index_path(self.home))

    @cached_property
    def _meaning(self) -> Meaning:
        return self._choice.meaning if self._choice else self._shared.meaning(self._vectors_path)

    @property
    def _at_once(self) -> int:
        return min(self._few, super()._at_once)

    def _caught_up(self, progress: Progress) -> tuple[str, ...]:
        """Let the index catch up, at once where it is near and else beside the pages.

        Raises:
            BusyError: there is nothing to search yet.
        """
        self._index.refresh()
        manifest, seq, database = self._index.manifest, self._catalogue.seq, self._catalogue.database
        is_mine = manifest is not None and manifest.catalogue == self._catalogue.key and self._index.is_whole()
        indexed = manifest.seq if manifest and is_mine else 0
        is_near = not seq or indexed == seq or self._catalogue.count_changed_since(indexed) <= self._few
        if is_near or database.is_readonly or not _is_catching_up(self.home):
            return super()._caught_up(progress)
        if is_mine:
            return (_BEHIND,)
        raise BusyError(
            "The index is being made: searches and lists of venues wait for it.",
            hint="Load the page again in a minute; papers and daily lists can be read meanwhile.",
        )


def _is_catching_up(home: Path) -> bool:
    """Whether a process lets the index catch up; it is started where none does. False where one did and the index is
    behind still, so that whoever asks is told why."""
    with _lock:
        process, began_at = _processes.get(home, (None, 0.0))
        if process is not None and process.poll() is None:
            return True
        if process is not None and process.returncode not in (0, 1) and time.monotonic() - began_at < _PAUSE:
            return False
        started = subprocess.Popen(  # noqa: S603 - this very program; any search lets the index catch up
            [sys.executable, "-m", "octavo", "--home", str(home), "search", "--json", "--limit", "1", "octavo"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        _processes[home] = (started, time.monotonic())
        return True


def stop_catching_up(home: Path) -> None:
    """End the process that lets the index of `home` catch up; the next one goes on."""
    with _lock:
        process, _ = _processes.pop(home, (None, 0.0))
    if process is not None and process.poll() is None:
        process.terminate()
        process.wait(10)
