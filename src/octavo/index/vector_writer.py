"""Writing the store of vectors: one writer at a time, under the lock that its caller holds."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from octavo.errors import DiskFullError, HomeError, OctavoError, SearchIndexError
from octavo.index.nearest import TRAINED_ON, Nearest, available, load_nearest
from octavo.index.vectors import (
    EXACT_UP_TO,
    Keys,
    VectorIndex,
    VectorManifest,
    Vectors,
    discard,
    load_vector_manifest,
    save_vector_manifest,
)

MOST_SEGMENTS = 12
"""More are written together as one."""
MOST_DEAD = 0.3
"""The share of dead places beyond which they are left behind."""
TAIL = 4096
"""So many of the newest vectors may be missing in the quantised copy: they are looked through one by one."""
_BLOCK = 8192


class VectorWriter:
    """Takes in vectors by paper key; nothing counts before `commit`, which counts as a whole or not at all.

    Putting a paper twice keeps the later vector, so that replaying changes is harmless. Use it as a context manager, or
    call `close`: what was not committed is then gone.
    """

    def __init__(self, folder: Path, *, fingerprint: str, dimension: int, catalogue: str, encoder: str = "") -> None:
        """Go on with the store in `folder` where it was made by that encoder from that catalogue, else start anew.

        `seq` says how far the store goes: 0 where it starts anew. The old vectors stay readable until the first commit.
        """
        self.folder = folder
        with writing_errors(folder):
            folder.mkdir(parents=True, exist_ok=True)
        empty = VectorManifest(fingerprint, dimension, catalogue, 0, next=_free_number(folder), encoder=encoder)
        self._empty = empty
        found = load_vector_manifest(folder)
        wanted = (fingerprint, dimension, catalogue)
        if found is None or (found.fingerprint, found.dimension, found.catalogue) != wanted:
            found = empty
        self._begin(found)

    def _begin(self, manifest: VectorManifest) -> None:
        self._manifest = manifest
        self._old: VectorIndex | None = None
        if manifest.seq:
            try:
                self._old = VectorIndex(self.folder)
            except SearchIndexError:  # a file of it was deleted: the catalogue has all that is needed
                self._manifest = self._empty
        self._pks: list[Keys] = []
        self._n_new = 0
        self._removed: dict[int, int] = {}
        self._file: BinaryIO | None = None

    @property
    def seq(self) -> int:
        """The last change of the catalogue that is in the store; 0 where all have to be taken in."""
        return self._manifest.seq

    def clear(self) -> None:
        """Forget everything; readers see the old vectors until the next commit."""
        self.close()
        self._begin(replace(self._empty, next=_free_number(self.folder)))

    def put(self, pks: Keys | list[int], vectors: Vectors) -> None:
        """Take in papers' vectors, or newer ones: `vectors` is (len(pks), dimension)."""
        keys = np.asarray(pks, np.int64)
        if vectors.shape != (len(keys), self._manifest.dimension):
            raise ValueError(f"vectors of shape {vectors.shape} for {len(keys)} papers")
        with writing_errors(self.folder):
            if self._file is None:
                self._file = self._path(self._manifest.next, "rows").open("wb")
            self._file.write(np.ascontiguousarray(vectors, np.float16).tobytes())
        self._pks.append(keys)
        self._n_new += len(keys)

    def remove(self, pks: Iterable[int]) -> None:
        """Let papers' vectors go; papers without one are no fault."""
        places = self._manifest.rows + self._n_new
        self._removed.update((int(pk), places) for pk in pks)

    def commit(self, seq: int) -> None:
        """Make what was taken in count, and say that it goes up to the catalogue's change `seq`."""
        with writing_errors(self.folder):
            manifest = self._segment_written(replace(self._manifest, seq=seq))
            manifest = self._dead_written(manifest)
            # From here on the new state is read like any other; it counts only once the manifest is replaced.
            manifest = self._compacted(manifest)
            manifest = self._quantised(manifest)
            save_vector_manifest(self.folder, manifest)
            self._begin(manifest)
            discard(self.folder, manifest.files)

    def close(self) -> None:
        """Let go of what was not committed."""
        if self._file is not None:
            self._file.close()
            with suppress(OSError):
                self._path(self._manifest.next, "rows").unlink()
        self._begin(self._manifest)

    def __enter__(self) -> VectorWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    # -- the parts of a commit ---------------------------------------------------------------------------------------

    def _path(self, number: int, kind: str) -> Path:
        return self.folder / f"{number}.{kind}"

    def _segment_written(self, manifest: VectorManifest) -> VectorManifest:
        if self._file is None:
            return manifest
        number = manifest.next
        _flush(self._file)
        self._file.close()
        self._file = None
        _write(self._path(number, "pks"), np.concatenate(self._pks))
        return replace(manifest, segments=(*manifest.segments, (number, self._n_new)), next=number + 1)

    def _dead_written(self, manifest: VectorManifest) -> VectorManifest:
        """Find the places whose paper has a later vector or was removed after it."""
        old = self._old.place_pks if self._old else np.empty(0, np.int64)
        pks = np.concatenate([old, *self._pks])
        alive = np.ones(len(pks), np.bool_)
        if self._old:
            alive[: len(old)] = self._old.alive
        order = np.argsort(pks, kind="stable")
        later = pks[order][:-1] == pks[order][1:]
        alive[order[:-1][later]] = False
        for pk, before in self._removed.items():
            start, end = np.searchsorted(pks[order], [pk, pk + 1])
            places = order[start:end]
            alive[places[places < before]] = False
        dead = np.flatnonzero(~alive)
        if not len(dead):
            return replace(manifest, dead=0)
        if self._old is not None and len(dead) == int((~self._old.alive).sum()):
            return manifest
        _write(self._path(manifest.next, "dead"), dead)
        return replace(manifest, dead=manifest.next, next=manifest.next + 1)

    def _compacted(self, manifest: VectorManifest) -> VectorManifest:
        index = VectorIndex(self.folder, manifest)
        n_dead = manifest.rows - len(index)
        if len(manifest.segments) <= MOST_SEGMENTS and n_dead <= MOST_DEAD * manifest.rows:
            return manifest
        if not len(index):
            return replace(manifest, segments=(), dead=0, near=0)
        number = manifest.next
        with self._path(number, "rows").open("wb") as file:
            at = 0
            for block in index.blocks():
                kept = block[index.alive[at : at + len(block)]]
                file.write(kept.astype(np.float16).tobytes())
                at += len(block)
            _flush(file)
        _write(self._path(number, "pks"), index.place_pks[index.alive])
        return replace(manifest, segments=((number, len(index)),), dead=0, near=0, next=number + 1)

    def _quantised(self, manifest: VectorManifest) -> VectorManifest:
        if manifest.rows <= EXACT_UP_TO or not available():
            return replace(manifest, near=0)
        near = load_nearest(self._path(manifest.near, "near")) if manifest.near else None
        if near is not None and manifest.rows < 2 * manifest.trained:
            if manifest.rows - len(near) <= TAIL:
                return manifest
        else:
            near = None
        index = VectorIndex(self.folder, manifest)
        if near is None:
            living = np.flatnonzero(index.alive)
            some = np.random.default_rng(0).choice(living, min(len(living), TRAINED_ON), replace=False)
            near = Nearest.build(manifest.dimension, index.rows(np.sort(some)))
            manifest = replace(manifest, trained=manifest.rows)
        for block in index.blocks(len(near)):
            near.add(block)
        path = self._path(manifest.next, "near")
        near.save(path)
        with path.open("rb+") as file:
            os.fsync(file.fileno())
        return replace(manifest, near=manifest.next, next=manifest.next + 1)


def _free_number(folder: Path) -> int:
    """A number above that of every file: readers may still have the old ones open."""
    stems = (path.name.partition(".")[0] for path in folder.iterdir())
    return 1 + max((int(stem) for stem in stems if stem.isdecimal()), default=0)


def _write(path: Path, values: NDArray[np.int64]) -> None:
    with path.open("wb") as file:
        file.write(np.ascontiguousarray(values, np.int64).tobytes())
        _flush(file)


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


@contextmanager
def writing_errors(folder: Path) -> Iterator[None]:
    """Tell the system's faults as ours."""
    try:
        yield
    except OctavoError:
        raise
    except OSError as fault:
        if fault.errno == errno.ENOSPC:
            raise DiskFullError(
                f"No room left on the disk of {folder}.",
                hint="The catalogue is whole; free some space, then the vectors catch up by themselves.",
            ) from fault
        raise HomeError(
            f"The vectors can't be written to {folder}: {fault.strerror or fault}.",
            hint="Check what stands there and its permissions.",
        ) from fault
