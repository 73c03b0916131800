"""The vectors of the catalogue's papers: half-precision rows on disk, mapped, found by paper key or by nearness.

    vectors.json          what is valid, and what it was built from (`VectorManifest`)
    NUMBER.rows           vectors, float16, one after another
    NUMBER.pks            their papers' keys, int64
    NUMBER.dead           places (over all segments) whose paper was removed or has a newer vector, int64
    NUMBER.near           the quantised vectors of the first places (`octavo.index.nearest`)

A file is written once under a new number, brought to the disk, and counts only when the manifest names it. The manifest
is replaced by renaming: a kill at any moment leaves the state before or after, and what no manifest names is deleted by
the next writer. Like every index it may be deleted at any time.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from octavo.errors import SearchIndexError
from octavo.index.nearest import Nearest, load_nearest

Keys = NDArray[np.int64]
Vectors = NDArray[np.float32]

SCHEMA = 1
NAME = "vectors.json"
EXACT_UP_TO = 12_000
"""So many vectors are looked through one by one in about ten milliseconds; more have a quantised copy to look in."""
OVERSAMPLE = 10
"""How many times the wanted hits the quantised copy is asked for, before the true vectors decide."""
LEAST_SAMPLE = 200
FEW = 5_000
"""So many given papers are measured one by one, however many there are in all."""
RELEASED_AFTER = 4_000
"""Rows that are read before the process lets go of their pages. A row brings 64 kB of the file into its memory, so that
a server would soon seem to hold all vectors, as it never has to: the system keeps the pages anyway."""
_BLOCK = 4096
_DIGITS = 5
"""Equal vectors may differ behind these, by where in a block they are multiplied; their keys decide then."""


@dataclass(frozen=True, slots=True)
class VectorManifest:
    """What the store holds and what it was built from."""

    fingerprint: str
    """The encoder's: vectors of another encoder are worth nothing."""
    dimension: int
    catalogue: str
    """The catalogue's own name (`Catalogue.key`)."""
    seq: int
    """The last of the catalogue's changes that is in the store."""
    segments: tuple[tuple[int, int], ...] = ()
    """(number, rows) of each segment, in order."""
    dead: int = 0
    """The number of the file of dead places; 0 for none."""
    near: int = 0
    """The number of the file of quantised vectors; 0 for none."""
    trained: int = 0
    """The rows that there were when the quantiser was fitted: it is fitted again when there are twice as many."""
    next: int = 1
    """The number that the next file gets."""
    encoder: str = ""
    """The encoder's id, for people."""
    schema: int = SCHEMA

    @property
    def rows(self) -> int:
        """Rows on disk, dead ones among them."""
        return sum(rows for _, rows in self.segments)

    @property
    def files(self) -> set[str]:
        """The names of the files that count."""
        names = {f"{number}.{kind}" for number, _ in self.segments for kind in ("rows", "pks")}
        names |= {f"{number}.{kind}" for number, kind in ((self.dead, "dead"), (self.near, "near")) if number}
        return names


def load_vector_manifest(folder: Path) -> VectorManifest | None:
    """Read it; None where there is none, or one of another form: both mean to build anew."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
        if found["schema"] != SCHEMA:
            return None
        found["segments"] = tuple((int(number), int(rows)) for number, rows in found["segments"])
        return VectorManifest(**found)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_vector_manifest(folder: Path, manifest: VectorManifest) -> None:
    """Replace the manifest: this is the moment in which a commit counts."""
    fresh = folder / (NAME + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / NAME)
    sync_folder(folder)


def sync_folder(folder: Path) -> None:
    """Bring the folder's list of files to the disk, where the system has such a thing."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class VectorIndex:
    """One committed state of the store, to read. It stays as it is while a writer goes on; `is_current` tells."""

    def __init__(self, folder: Path, manifest: VectorManifest | None = None) -> None:
        """Open the state that the manifest in `folder` names (or `manifest`); files are mapped, not read.

        Raises:
            SearchIndexError: there is no store, or a file of it is absent or cut off.
        """
        self.folder = folder
        manifest = manifest or load_vector_manifest(folder)
        if manifest is None:
            raise SearchIndexError(f"There are no vectors in {folder}.", hint="`octavo rebuild` makes them.")
        self.manifest = manifest
        self.dimension = manifest.dimension
        try:
            self._open()
        except (OSError, ValueError) as fault:
            raise SearchIndexError(
                f"The vectors in {folder} are damaged: {fault}.", hint="`octavo rebuild` makes them anew."
            ) from fault
        self._near: Nearest | None = None
        self._near_opened = False  # faiss takes a while to load: only a search of many vectors needs it

    def _open(self) -> None:
        self._segments: list[NDArray[np.float16]] = []
        self._mapped: list[mmap.mmap] = []
        self._n_read = 0
        pks: list[Keys] = [np.empty(0, np.int64)]
        for number, rows in self.manifest.segments:
            path = self.folder / f"{number}.rows"
            if path.stat().st_size != rows * self.dimension * 2:
                raise ValueError(f"{path.name} is not {rows} vectors long")
            with path.open("rb") as file:
                mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._mapped.append(mapped)
            self._segments.append(np.frombuffer(mapped, np.float16).reshape(rows, self.dimension))
            some = np.fromfile(self.folder / f"{number}.pks", np.int64)
            if len(some) != rows:
                raise ValueError(f"{number}.pks is not {rows} keys long")
            pks.append(some)
        self.place_pks = np.concatenate(pks)
        """The paper of each place, dead ones among them."""
        self._starts = np.concatenate([[0], np.cumsum([rows for _, rows in self.manifest.segments])]).astype(np.int64)
        self.alive = np.ones(len(self.place_pks), np.bool_)
        if self.manifest.dead:
            self.alive[np.fromfile(self.folder / f"{self.manifest.dead}.dead", np.int64)] = False
        living = np.flatnonzero(self.alive)
        order = np.argsort(self.place_pks[living], kind="stable")
        self._place_of = living[order]
        self.pks = self.place_pks[self._place_of]
        """The papers that have a vector, ascending."""

    def __len__(self) -> int:
        return len(self.pks)

    @property
    def is_current(self) -> bool:
        """Whether no newer state has been committed."""
        return load_vector_manifest(self.folder) == self.manifest

    def places(self, pks: Keys) -> Keys:
        """The place of each paper's vector, -1 for a paper without one."""
        if not len(self.pks):
            return np.full(len(pks), -1, np.int64)
        at = np.searchsorted(self.pks, pks)
        at[at == len(self.pks)] = 0
        return np.where(self.pks[at] == pks, self._place_of[at], -1)

    def rows(self, places: Keys) -> Vectors:
        """The vectors at some places, (len(places), dimension)."""
        out = np.empty((len(places), self.dimension), np.float32)
        which = np.searchsorted(self._starts, places, side="right") - 1
        for start in range(0, len(places), RELEASED_AFTER):
            part = slice(start, start + RELEASED_AFTER)
            for segment in np.flatnonzero(np.bincount(which[part])).tolist():
                mine = start + np.flatnonzero(which[part] == segment)
                out[mine] = self._segments[segment][places[mine] - self._starts[segment]]
            self._n_read += len(out[part])
            if self._n_read >= RELEASED_AFTER:
                self._release()
        return out

    def _release(self) -> None:
        """Let go of the pages that were read, where the system can be told so."""
        self._n_read = 0
        if hasattr(mmap, "MADV_DONTNEED"):
            for mapped in self._mapped:
                mapped.madvise(mmap.MADV_DONTNEED)

    def vectors(self, pks: Keys) -> Vectors:
        """Each paper's vector, zeros for a paper without one."""
        places = self.places(np.asarray(pks, np.int64))
        out = np.zeros((len(places), self.dimension), np.float32)
        out[places >= 0] = self.rows(places[places >= 0])
        return out

    def scores(self, query: Vectors, pks: Keys) -> Vectors:
        """The nearness of each paper to the query, exactly; NaN for a paper without a vector."""
        places = self.places(np.asarray(pks, np.int64))
        out = np.full(len(places), np.nan, np.float32)
        out[places >= 0] = self.rows(places[places >= 0]) @ query
        return out

    def search(self, query: Vectors, k: int, among: Keys | None = None) -> tuple[Keys, Vectors]:
        """The `k` papers nearest to the query, and how near, the best first; only papers of `among` where given.

        Of equally near ones that with the smaller key comes first. With many vectors the hits come from the quantised
        copy, so that one near the end of the list may be missed; scores are always exact.
        """
        if k <= 0 or not len(self) or not np.any(query):
            return np.empty(0, np.int64), np.empty(0, np.float32)
        places, scores = self._candidates(np.ascontiguousarray(query, np.float32), k, among)
        pks = self.place_pks[places]
        order = np.lexsort((pks, -scores.round(_DIGITS)))[:k]
        return pks[order], scores[order]

    def search_where(self, query: Vectors, k: int, fits: Callable[[Keys], Collection[int]], share: float) -> Keys:
        """The `k` papers nearest to the query of those that `fits` lets pass, which is about a `share` of all, the
        best first. For a wide filter, all of whose papers would be many to name; exact as `search` is."""
        if k <= 0 or not len(self) or not np.any(query):
            return np.empty(0, np.int64)
        query = np.ascontiguousarray(query, np.float32)
        near = self._quantised()
        enough = max(k * OVERSAMPLE, LEAST_SAMPLE)
        if near is None:
            places = np.flatnonzero(self.alive)
        else:
            found = near.search(query, int(1.2 * enough / max(share, 1e-6)))
            tail = np.arange(len(near), len(self.place_pks))
            places = np.concatenate([found[self.alive[found]], tail[self.alive[tail]]])
        passing = np.fromiter(fits(self.place_pks[places]), np.int64)
        places = places[np.isin(self.place_pks[places], passing)]
        if near is not None:  # nearest first as they are; the tail is at the end
            places = np.concatenate([places[:enough], places[enough:][places[enough:] >= len(near)]])
        pks = self.place_pks[places]
        return pks[np.lexsort((pks, -self._measured(places, query).round(_DIGITS)))[:k]]

    def _candidates(self, query: Vectors, k: int, among: Keys | None) -> tuple[Keys, Vectors]:
        allowed = self.alive
        near = self._quantised()
        if among is not None:
            places = self.places(_distinct(np.asarray(among, np.int64)))
            places = places[places >= 0]
            if near is None or len(places) <= FEW:
                return places, self._measured(places, query)
            allowed = np.zeros(len(self.place_pks), np.bool_)
            allowed[places] = True
        if near is None:
            return self._all(query)
        enough = max(k * OVERSAMPLE, LEAST_SAMPLE)
        share = np.count_nonzero(allowed) / len(allowed)
        found = near.search(query, int(1.2 * enough / max(share, 1e-6)))
        found = found[allowed[found]][:enough]
        tail = np.arange(len(near), len(self.place_pks))
        places = np.concatenate([found, tail[allowed[tail]]])
        return places, self._measured(places, query)

    def _measured(self, places: Keys, query: Vectors) -> Vectors:
        out = np.empty(len(places), np.float32)
        for at in range(0, len(places), _BLOCK):
            out[at : at + _BLOCK] = self.rows(places[at : at + _BLOCK]) @ query
        return out

    def _all(self, query: Vectors) -> tuple[Keys, Vectors]:
        scores = np.concatenate([block @ query for block in self.blocks()])
        places = np.flatnonzero(self.alive)
        return places, scores[places]

    def blocks(self, start: int = 0) -> Iterator[Vectors]:
        """All vectors from a place on, a few thousand at a time, dead ones among them."""
        for first, segment in zip(self._starts.tolist(), self._segments, strict=False):
            for at in range(max(0, start - first), len(segment), _BLOCK):
                yield np.asarray(segment[at : at + _BLOCK], np.float32)
                self._release()

    def _quantised(self) -> Nearest | None:
        if not self._near_opened:
            if self.manifest.near:
                self._near = load_nearest(self.folder / f"{self.manifest.near}.near")
            self._near_opened = True  # at last: another thread would take none for an answer
        return self._near


def _distinct(keys: Keys) -> Keys:
    """Each key once, ascending: `np.unique` takes ten times as long for integers."""
    keys = np.sort(keys)
    return keys[np.concatenate([[True], keys[1:] != keys[:-1]])] if len(keys) else keys


def discard(folder: Path, keep: set[str]) -> None:
    """Delete the store's files that no manifest names; one that is still open elsewhere may stay for now."""
    for path in folder.iterdir():
        if path.suffix in (".rows", ".pks", ".dead", ".near", ".new") and path.name not in keep:
            with suppress(OSError):
                path.unlink()
