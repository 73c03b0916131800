"""What was worked out lately, for the threads of a process together."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Answers(Generic[T]):
    """What was found lately, by what was asked for and by the state of the catalogue. Threads may share one."""

    def __init__(self, most: int) -> None:
        """Keep at most so many, those that were asked for last."""
        self._most = most
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable) -> T | None:
        """What was kept under that key."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
            return self._kept.get(key)

    def put(self, key: Hashable, found: T) -> None:
        """Keep what was found."""
        with self._lock:
            self._kept[key] = found
            self._kept.move_to_end(key)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
