"""Where the time of a search goes, a stage at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter


class Laps:
    """A stopwatch with named laps; one name several times adds up."""

    def __init__(self) -> None:
        """Nothing has taken any time yet."""
        self.seconds: dict[str, float] = {}

    @contextmanager
    def lap(self, name: str) -> Iterator[None]:
        """Count the block's time under `name`."""
        started = perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = self.seconds.get(name, 0.0) + perf_counter() - started
