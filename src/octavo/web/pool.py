"""Threads that each have an Octavo of their own: an Octavo is for one thread, and a server has many readers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import ExitStack, suppress
from pathlib import Path
from queue import SimpleQueue
from time import monotonic
from typing import TypeVar

from octavo.app import Octavo
from octavo.config import catalogue_path
from octavo.web.catching_up import ServingOctavo, Shared, stop_catching_up

T = TypeVar("T")
_Job = tuple["Future[object]", Callable[[Octavo], object]]

THREADS = 4
"""More would only wait for each other: SQLite and tantivy work outside Python's lock, the rest of a page does not."""


class Pool:
    """Does questions to an Octavo one after the other in a few threads; `close` it."""

    def __init__(self, home: Path, threads: int = THREADS) -> None:
        """Answer from the catalogue in `home`, which need not be there yet."""
        self._home = home
        self._shared: dict[tuple[int, int] | None, Shared] = {}
        self._lock = threading.Lock()
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads = [threading.Thread(target=self._work, name=f"reader-{n}", daemon=True) for n in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, question: Callable[[Octavo], T]) -> Future[T]:
        """Have a question answered in one of the threads."""
        future: Future[T] = Future()
        self._jobs.put((future, question))  # type: ignore[arg-type]  # a future of T takes what gives a T
        return future

    def close(self, timeout: float = 1.0) -> None:
        """End the threads, whatever still waits for them; a question that is under way is waited for so long."""
        with suppress(Exception):
            while True:
                job = self._jobs.get_nowait()
                if job is not None:
                    job[0].cancel()
        for _ in self._threads:
            self._jobs.put(None)
        stop_catching_up(self._home)
        until = monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0.0, until - monotonic()))

    def _work(self) -> None:
        octavo, seen = self._opened(_identity(self._home)), _identity(self._home)
        with ExitStack() as stack:
            stack.callback(lambda: octavo.close())  # whichever it is by then
            while (job := self._jobs.get()) is not None:
                future, question = job
                if not future.set_running_or_notify_cancel():
                    continue
                now = _identity(self._home)
                if now != seen:  # made, or put another in its place, since it was opened
                    octavo.close()
                    octavo, seen = self._opened(now), now
                try:
                    future.set_result(question(octavo))
                except BaseException as error:  # whatever it is, it is for whoever asked
                    future.set_exception(error)
                if octavo.is_readonly:
                    octavo.close()  # as it was opened it keeps others out, or would not see what they write

    def _opened(self, identity: tuple[int, int] | None) -> ServingOctavo:
        """An Octavo of the catalogue that is there now; what threads may share of an earlier one is let go of."""
        with self._lock:
            if identity not in self._shared:
                self._shared = {identity: Shared()}
            return ServingOctavo(self._home, shared=self._shared[identity])


def _identity(home: Path) -> tuple[int, int] | None:
    """Which file the catalogue is; None where there is none."""
    try:
        found = catalogue_path(home).stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
