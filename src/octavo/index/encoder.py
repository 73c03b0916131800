"""Vectors of meaning: what an encoder is, and the static one that comes with Octavo.

A static encoder has one vector a token and adds them up, so that no network runs: thousands of abstracts a second on
one core, and nothing to download. The model's files lie in `octavo/data/encoder`; `tools/encoder` says what it was
trained on, and how. A larger encoder can take its place: all that is needed is `Encoder`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

import octavo.data
from octavo.errors import SearchIndexError
from octavo.index.tokens import Tokens

Vectors = NDArray[np.float32]

HINT = "Reinstall octavo: the model comes with it."
_BLOCK = 32  # texts cut into tokens at a time
_FEW = 32
"""For so many texts the rows that they need are unpacked, not all of them."""
_PAIRS = np.array([(byte % 16 - 7.5, byte // 16 - 7.5) for byte in range(256)], np.float32)
"""The two numbers that a byte holds, of which the lower half comes first."""


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors whose inner product says how near the texts' meanings are."""

    @property
    def id(self) -> str:
        """A short name for people, such as `octavo-static-2`."""

    @property
    def fingerprint(self) -> str:
        """Another value whenever the same text could get another vector: stored vectors are then made anew."""

    @property
    def dimension(self) -> int:
        """How long a vector is."""

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension): vectors of length one, or zero for a text that the encoder knows nothing of."""

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same for queries; an encoder that wants an instruction before them puts it there itself."""


class StaticEncoder:
    """The encoder that comes with Octavo. Opening it reads the list of tokens; vectors are mapped and read as used.

    A token's vector is kept in four bits a number, with a scale of its own. Threads may share an encoder.
    """

    def __init__(self, folder: Path | None = None) -> None:
        """Open the model in `folder`; the one of this installation where none is given.

        Raises:
            SearchIndexError: a file of the model is absent or damaged.
        """
        self.folder = folder or Path(octavo.data.__path__[0]) / "encoder"
        try:
            self._open()
        except (OSError, ValueError, KeyError, TypeError) as fault:
            raise SearchIndexError(f"The encoder in {self.folder} can't be opened: {fault}.", hint=HINT) from fault

    def _open(self) -> None:
        about = json.loads((self.folder / "model.json").read_text(encoding="utf-8"))
        self._id, self._fingerprint = str(about["id"]), str(about["fingerprint"])
        words = (self.folder / "tokens.txt").read_text(encoding="ascii").split("\n")
        counts = np.expm1(np.load(self.folder / "counts.npy").astype(np.float64))
        self._tokens = Tokens(words, np.load(self.folder / "phrases.npy"), counts)
        self._packed: NDArray[np.uint8] = np.load(self.folder / "vectors.npy", mmap_mode="r")
        self._scales = np.load(self.folder / "scales.npy").astype(np.float32)
        if len({self._tokens.n_rows, len(self._packed), len(self._scales)}) != 1 or self._packed.ndim != 2:
            raise ValueError("its files do not fit together")

    @property
    def id(self) -> str:
        """The model's name."""
        return self._id

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the model's files."""
        return self._fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return int(self._packed.shape[1]) * 2

    @cached_property
    def _table(self) -> Vectors:
        # Only whoever encodes many texts pays for it, in memory; a query unpacks the few rows that it needs.
        return self._unpacked(np.arange(len(self._packed)))

    def _unpacked(self, rows: NDArray[np.integer[Any]]) -> Vectors:
        pairs = _PAIRS.take(self._packed[rows], axis=0)
        found: Vectors = pairs.reshape(len(rows), self.dimension)
        found *= self._scales[rows, None]
        return found

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """(len(texts), dimension), each of length one, or zero where a text holds no word that the model knows."""
        if len(texts) <= _FEW and "_table" not in self.__dict__:
            return self.encode_queries(texts)
        out = np.empty((len(texts), self.dimension), np.float32)
        table = self._table
        for at in range(0, len(texts), _BLOCK):
            rows, offsets = self._tokens.rows(texts[at : at + _BLOCK])
            ends = offsets.tolist()
            for i, (start, end) in enumerate(pairwise(ends), at):
                table.take(rows[start:end], axis=0).sum(axis=0, out=out[i])
        return _unit(out)

    def encode_and_sum(self, texts: Sequence[str], table: Vectors) -> tuple[Vectors, Vectors]:
        """The vectors of documents, and what the rows of another `table` add up to for their tokens.

        `table` has a row for each of the model's, (n_rows, width). The sums, (len(texts), width), are divided by the
        root of one more than the tokens that a text has.
        """
        if table.shape[0] != len(self._packed):
            raise ValueError(f"a table of {table.shape[0]} rows beside one of {len(self._packed)}")
        vectors = np.empty((len(texts), self.dimension), np.float32)
        sums = np.empty((len(texts), table.shape[1]), np.float32)
        own = self._table if len(texts) > _FEW or "_table" in self.__dict__ else None
        for at in range(0, len(texts), _BLOCK):
            rows, offsets = self._tokens.rows(texts[at : at + _BLOCK])
            for i, (start, end) in enumerate(pairwise(offsets.tolist()), at):
                mine = rows[start:end]
                taken = self._unpacked(mine) if own is None else own.take(mine, axis=0)
                taken.sum(axis=0, out=vectors[i])
                table.take(mine, axis=0).sum(axis=0, out=sums[i])
                sums[i] /= np.sqrt(end - start + 1)
        return _unit(vectors), sums

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """The same vectors, reading no more of the model than the texts need."""
        rows, offsets = self._tokens.rows(texts)
        out = np.empty((len(texts), self.dimension), np.float32)
        for i, (start, end) in enumerate(pairwise(offsets.tolist())):
            out[i] = self._unpacked(rows[start:end]).sum(axis=0)
        return _unit(out)

    def coverage(self, text: str) -> float:
        """What share of a text's words have a vector of their own: little of it, little trust in the text's vector."""
        return self._tokens.coverage(text)

    def trust(self, text: str) -> float:
        """From 0 to 1: how much a query's vector should count beside its words (`Tokens.trust`).

        On held-out papers of foreign fields and of our own, 0.7 times this as the weight of z-scored likeness beside
        z-scored BM25 was below BM25 on no task; a fixed 0.5 or 0.7 was, for three-word queries from foreign fields.
        """
        return self._tokens.trust(text)


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths < 1e-9] = 1
    vectors /= lengths[:, None]
    return vectors
