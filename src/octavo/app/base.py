"""What every use case stands on: the catalogue and its index, opened when they are needed, and the index in step."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from octavo.catalogue import Catalogue, Database, storage_errors
from octavo.catalogue.runs import Runs
from octavo.config import catalogue_path, home_path, index_path
from octavo.errors import HomeError, StorageError
from octavo.index.text import TextIndex, held_of

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.filling import Filler
    from octavo.ingest.adding import Workers


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Base")

Progress = Callable[[str, int, int], None]
"""Told (stage, done, total) of a long work; see `filling.Progress`."""
_EMPTY = "The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files."
_BUSY = "Another process is adding papers; what it has not indexed yet is not searched."


def silent(_stage: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def told(method: Callable[Concatenate[S, P], T]) -> Callable[Concatenate[S, P], T]:
    """Let a method's faults of storage be told as errors of `octavo.errors`, wherever in it they arise."""

    @wraps(method)
    def telling(self: S, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with storage_errors(catalogue_path(self.home)):
            return method(self, *args, **kwargs)

    return telling


class Base:
    """Opens what a use case needs, and closes it."""

    def __init__(self, home: str | os.PathLike[str] | None = None, *, workers: int = 0) -> None:
        """Use the catalogue in `home` (see `config.home_path`), which is made by the first `add`.

        `workers` processes help with large files. They are spawned, so a script that asks for them must keep its own
        work behind
        `if __name__ == "__main__"`, as Python's multiprocessing wants.
        """
        self.home = home_path(home)
        self._open = ExitStack()
        self._n_workers = workers

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the catalogue."""
        self._open.close()
        if "_workers" in self.__dict__:
            self._workers.close()
        for name in ("_catalogue", "_index", "_filler", "_workers"):
            self.__dict__.pop(name, None)

    @cached_property
    def _catalogue(self) -> Catalogue:
        path = catalogue_path(self.home)
        # Looking into a home that is not there shows an empty catalogue, and makes nothing.
        database = Database(path) if path.exists() or self.home.is_file() else Database.empty()
        self._open.callback(database.close)
        return Catalogue(database)

    def _make_home(self) -> None:
        """Let there be a catalogue on disk, before something is written."""
        cached = self.__dict__.get("_catalogue")
        if cached is not None and cached.database.path != catalogue_path(self.home):
            # It showed a home that was not there; since then another process may have made one.
            del self.__dict__["_catalogue"]
            self.__dict__.pop("_filler", None)
        if not catalogue_path(self.home).exists():
            Database(catalogue_path(self.home)).close()

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(index_path(self.home))

    @cached_property
    def _filler(self) -> Filler:
        from octavo.filling import Filler  # late: it knows all of ingest, and a search needs none of it

        return Filler(self._catalogue, self._index, self._workers)

    @cached_property
    def _workers(self) -> Workers:
        from octavo.ingest.adding import Workers

        return Workers(self._n_workers, held_of)

    @told
    def bring_up_to_date(self, progress: Progress = silent) -> tuple[str, ...]:
        """Let the index catch up with the catalogue where it is behind. Returns what a reader should know."""
        self._index.refresh()
        manifest, seq, database = self._index.manifest, self._catalogue.seq, self._catalogue.database
        if not seq:
            busy = Runs(database).is_any_running()
            return (_BUSY,) if busy else (_EMPTY,)
        is_mine = manifest is not None and manifest.catalogue == self._catalogue.key
        if manifest and is_mine and manifest.seq == seq and self._index.is_whole():
            return ()
        can_search = is_mine and self._index.is_whole()
        try:
            if database.is_readonly:
                raise HomeError(
                    f"The search index is behind or missing, and can't be made: {self.home} can't be written.",
                    hint="Make the folder writable once; `octavo show` and `octavo export --all` work as it is.",
                )
            with self._filler.indexer() as indexer:
                if indexer is None:
                    return (_BUSY,)
                self._filler.catch_up(indexer, progress)
        except StorageError as error:
            if not can_search:
                raise
            return (f"The index is behind the catalogue and can't catch up now: {error.message}",)
        return ()
