"""What every use case stands on: the catalogue and its index, opened when they are needed, and the index in step."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from functools import cached_property, partial, wraps
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Self, TypeVar

from octavo.catalogue import Catalogue, Database, storage_errors
from octavo.catalogue.runs import Runs
from octavo.config import catalogue_path, home_path, index_path, settings_path
from octavo.errors import BusyError, HomeError, OctavoError, StorageError, UsageError
from octavo.index.meaning import Meaning, Sense, text_for_meaning
from octavo.index.text import IndexBusyError, TextIndex
from octavo.index.topical import held_with_topics
from octavo.locks import held, is_held

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.filling import Filler
    from octavo.index.encoders import ChosenMeaning
    from octavo.ingest.adding import Workers


P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S", bound="Base")

Progress = Callable[[str, int, int], None]
"""Told (stage, done, total) of a long work; see `filling.Progress`."""
AT_ONCE = 5_000
"""So many papers without a vector are encoded before a search answers; more are, in a process of their own, while
searches go on by words."""
FIRST_WAITS = 20.0
"""Seconds that a search waits for another process or thread that makes the first index."""
WRITER_WAITS = 120.0
"""Seconds to wait for another process that writes to the index."""
_SLICE, _SLOW_SLICE = 5_000, 250
"""Papers that are encoded between two commits, by a quick encoder and by a slow one; those of one change of the
catalogue, up to two thousand, stay together. A kill costs the work of so many."""
_MOST_MISSING = 0.1
"""The share of papers without a vector up to which a search goes by meaning: it does not find those by it."""
_ENCODING, _FAILED = "meaning.lock", "meaning.failed"
_CONFIGURED = "OCTAVO_SEARCH__"
_ENCODER = "preparing of search by meaning"
_ENCODES = "Search by meaning is being prepared in the background; until then papers are found by their words alone."
_ENCODES_SOME = (
    "{:,} papers are being prepared for search by meaning in the background; until then they are found by words."
)
_EMPTY = "The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files."
_MAKING = "The index is being made: searches and lists of venues wait for it."
_BUSY = "Another process is adding papers; what it has not indexed yet is not searched."


def silent(_stage: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def text_of(given: object, what: str) -> str:
    """What was given as a text.

    Raises:
        UsageError: it is none.
    """
    if isinstance(given, str):
        return given
    raise UsageError(f"{what} is a text, not {type(given).__name__}.")


def names_of(given: Iterable[str]) -> tuple[str, ...]:
    """What was given as names; a single text is one name, not its letters.

    Raises:
        UsageError: one of them is no text.
    """
    return (given,) if isinstance(given, str) else tuple(text_of(name, "A paper's name") for name in given)


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
        work behind `if __name__ == "__main__"`, as Python's multiprocessing wants.

        Raises:
            UsageError: a script did not, and this is one of its helper processes.
        """
        self.home = home_path(home)
        self._open = ExitStack()
        self._n_workers = workers
        if workers and "multiprocessing.spawn" in sys.modules:
            from octavo.ingest.adding import refuse_to_be_started_over

            refuse_to_be_started_over()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the catalogue."""
        self._open.close()
        if "_workers" in self.__dict__:
            self._workers.close()
        for name in ("_catalogue", "_index", "_meaning", "_choice", "_workers"):
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
        if not catalogue_path(self.home).exists():
            Database(catalogue_path(self.home)).close()

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(index_path(self.home))

    @cached_property
    def _choice(self) -> ChosenMeaning | None:
        """The encoder that the reader chose; None where nothing is configured, which is found out without a look at
        the settings: a search waits for it."""
        is_configured = os.path.lexists(settings_path(self.home)) or any(map(_names_setting, os.environ))
        if not is_configured or find_spec("numpy") is None:
            return None
        from octavo.index.encoders import choose_meaning

        return choose_meaning(self.home, self._vectors_path, os.environ)

    @property
    def _vectors_path(self) -> Path:
        return index_path(self.home) / "vectors"

    @cached_property
    def _meaning(self) -> Meaning:
        return self._choice.meaning if self._choice else Meaning(self._vectors_path)

    @property
    def _is_slow(self) -> bool:
        """Whether the encoder takes so long that nobody should wait for it."""
        return self._choice is not None and self._choice.at_once is not None

    @property
    def _at_once(self) -> int:
        """So many papers are encoded while somebody waits."""
        return (self._choice and self._choice.at_once) or AT_ONCE

    @property
    def _filler(self) -> Filler:
        """What fills the catalogue and the index; and the vectors, where nobody waits longer for that."""
        return self._filler_with(self._meaning if self._is_in_step() else Meaning(self._vectors_path, None))

    def _filler_with(self, meaning: Meaning) -> Filler:
        from octavo.filling import Filler  # late: it knows all of ingest, and a search needs none of it

        return Filler(self._catalogue, self._index, meaning, self._workers)

    def _is_in_step(self) -> bool:
        """Whether the vectors go as far as the index and are made as quickly."""
        if self._is_slow or not self._meaning.is_possible:
            return False
        manifest, key = self._index.manifest, self._catalogue.key
        indexed = manifest.seq if manifest and manifest.catalogue == key else 0
        return self._meaning.seq(key) == indexed or self._count_unencoded() <= AT_ONCE

    @cached_property
    def _workers(self) -> Workers:
        from octavo.ingest.adding import Workers

        return Workers(self._n_workers, partial(held_with_topics, str(index_path(self.home))))

    @told
    def bring_up_to_date(self, progress: Progress = silent) -> tuple[str, ...]:
        """Let the index catch up with the catalogue where it is behind. Returns what a reader should know."""
        notes = self._caught_up(progress)
        return (*notes, self._choice.note) if self._choice and self._choice.note else notes

    def _caught_up(self, progress: Progress) -> tuple[str, ...]:
        self._index.refresh()
        manifest, seq, database = self._index.manifest, self._catalogue.seq, self._catalogue.database
        if not seq:
            busy = Runs(database).is_any_running()
            return (_BUSY,) if busy else (_EMPTY,)
        is_mine = manifest is not None and manifest.catalogue == self._catalogue.key
        n_unencoded = self._count_unencoded()
        if manifest and is_mine and manifest.seq == seq and self._index.is_whole():
            if not n_unencoded or database.is_readonly:
                return ()
            if n_unencoded > self._at_once:
                return (self._encode_in_background(n_unencoded),)
        can_search = is_mine and self._index.is_whole()
        try:
            if database.is_readonly:
                raise HomeError(
                    f"The search index is behind or missing, and can't be made: {self.home} can't be written.",
                    hint="Make the folder writable once; `octavo show` and `octavo export --all` work as it is.",
                )
            filler = self._filler_with(self._meaning) if n_unencoded <= self._at_once else self._filler
            # Where there is nothing to search yet, it is better to wait a while than to find nothing.
            with filler.indexer(0.0 if can_search else FIRST_WAITS) as indexer:
                if indexer is None and not can_search:
                    raise BusyError(
                        _MAKING, hint="Try again in a moment; papers and daily lists can be read meanwhile."
                    )
                if indexer is None:
                    return (_BUSY,)
                filler.catch_up(indexer, progress)
        except StorageError as error:
            if not can_search:
                raise
            return (f"The index is behind the catalogue and can't catch up now: {error.message}",)
        return ()

    def _count_unencoded(self) -> int:
        """How many papers have no vector of meaning yet, or an old one; 0 where vectors can't be made here."""
        if not self._meaning.is_possible:
            return 0
        made = self._meaning.seq(self._catalogue.key)
        return 0 if made == self._catalogue.seq else max(1, self._catalogue.count_changed_since(made))

    def _sense(self, *, is_needed: bool = False) -> Sense | None:
        """What a search by meaning needs; None where it is not to be had, or not yet.

        Raises:
            UsageError: it `is_needed`.
        """
        is_prepared = self._is_prepared()
        if is_needed and (why := (self._choice and self._choice.note) or ("" if is_prepared else _ENCODES)):
            raise UsageError(why)
        return self._meaning.sense(self._catalogue.key) if is_prepared else None

    def _is_prepared(self) -> bool:
        """Whether so many papers have a vector that a search by meaning is worth it."""
        n_unencoded = self._count_unencoded()
        return n_unencoded <= self._at_once or n_unencoded <= _MOST_MISSING * self._catalogue.count_papers()

    def _encode_in_background(self, n_unencoded: int) -> str:
        """Let a process of its own make the vectors, unless one does. Returns what a reader is told."""
        if failed := self._failure():
            return f"Search by meaning could not be prepared: {failed} `octavo rebuild --meaning` tries again."
        if not self.is_encoding():
            process = subprocess.Popen(  # noqa: S603 - this very program
                [sys.executable, "-m", "octavo", "--home", str(self.home), "rebuild", "--meaning"],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
            Thread(target=process.wait, daemon=True).start()  # so that a server keeps no dead children
        return _ENCODES_SOME.format(n_unencoded) if self._is_prepared() else _ENCODES

    def is_encoding(self) -> bool:
        """Whether a process is making vectors of this home."""
        return is_held(index_path(self.home) / _ENCODING)

    def _failure(self) -> str:
        """Why this encoder's vectors could not be made the last time; empty where nothing is known against it."""
        try:
            found = json.loads((index_path(self.home) / _FAILED).read_text(encoding="utf-8"))
            return str(found["message"]) if found["fingerprint"] == self._meaning.encoder.fingerprint else ""
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    @told
    def encode(self, progress: Progress = silent) -> int:
        """Let every paper have its vector of meaning, a slice at a time, so that others come to write in between: who
        adds papers waits for no encoder. A model that is named and is not here is fetched first. Returns how many
        papers got one.

        Raises:
            BusyError: another process does it.
            IndexBusyError: another process went on writing for two minutes.
            SearchIndexError: the encoder can't be had, or fails.
        """
        self._have_encoder()
        if not self._count_unencoded():
            return 0
        with held(index_path(self.home) / _ENCODING, _ENCODER):
            failed = index_path(self.home) / _FAILED
            failed.unlink(missing_ok=True)
            try:
                return self._encode_all(progress)
            except IndexBusyError:
                raise
            except OctavoError as fault:
                told = {"fingerprint": self._meaning.encoder.fingerprint, "message": str(fault)}
                with suppress(OSError):
                    failed.write_text(json.dumps(told), encoding="utf-8")
                raise

    def _have_encoder(self) -> None:
        """Fetch the encoder that is configured, where that has to be.

        Raises:
            OctavoError: it can't be had.
        """
        if self._choice and self._choice.fetches:
            from octavo.index.encoders import fetch

            fetch(self._choice.fetches)
            for name in ("_choice", "_meaning"):
                self.__dict__.pop(name, None)
        if self._choice and self._choice.fault and not self._meaning.is_possible:
            raise self._choice.fault

    def _encode_all(self, progress: Progress) -> int:
        from octavo.index.ahead import Ahead

        self._vectors_path.mkdir(parents=True, exist_ok=True)
        ahead = Ahead(self._meaning.encoder, self._vectors_path, is_slow=self._is_slow)
        filler = self._filler_with(Meaning(self._vectors_path, lambda: ahead))
        n_papers = _SLOW_SLICE if self._is_slow else _SLICE
        n_left = total = self._count_unencoded()
        while n_left:
            done = total - n_left
            progress("meaning", done, total)
            made = self._meaning.seq(self._catalogue.key)
            some = self._catalogue.changed_since(made, self._catalogue.seq_of_next(made, n_papers))
            texts = [text_for_meaning(paper) for _, paper in some]
            ahead.prepare(texts, partial(_told_more, progress, done, total))  # what takes long, under no lock
            with filler.only_indexer(WRITER_WAITS) as indexer:
                n_left = indexer.encode(n_papers)
        ahead.clear()
        progress("meaning", total, total)
        return total


def _told_more(progress: Progress, done: int, total: int, more: int) -> None:
    progress("meaning", done + more, total)


def _names_setting(variable: str) -> bool:
    return variable.startswith(_CONFIGURED)
