"""The vectors of one home and the encoder that makes them: opened when they are needed, fed while indexing.

Numpy, the model and faiss are loaded by the first use, so that whoever only looks a paper up doesn't wait for them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.errors import SearchIndexError
from octavo.records.paper import Paper

if TYPE_CHECKING:
    from octavo.index.encoder import Encoder, StaticEncoder, Vectors
    from octavo.index.vector_writer import VectorWriter
    from octavo.index.vectors import VectorIndex

BATCH = 256
"""Papers that are encoded at a time."""
_TRUSTED = 0.7


def text_for_meaning(paper: Paper) -> str:
    """What is encoded of a paper. The title stands twice: measured, one sentence then finds its paper better."""
    return f"{paper.title}\n{paper.title}\n{paper.abstract or paper.summary}"


@cache
def static_encoder() -> StaticEncoder:
    """The encoder that comes with Octavo, one for all threads: unpacked for many texts it takes 90 MB."""
    from octavo.index.encoder import StaticEncoder

    return StaticEncoder()


@dataclass(frozen=True, slots=True)
class Sense:
    """An encoder and vectors that it made: what a search by meaning needs."""

    encoder: Encoder
    vectors: VectorIndex

    def coverage(self, text: str) -> float:
        """What share of a text's words the encoder knows; 1 for an encoder that can't tell."""
        tell = getattr(self.encoder, "coverage", None)
        return float(tell(text)) if tell else 1.0

    def trust(self, text: str) -> float:
        """How far a query's vector is to be trusted beside its words, 0 to 1; for an encoder that can't tell, most of
        the way."""
        tell = getattr(self.encoder, "trust", None)
        return float(tell(text)) if tell else _TRUSTED

    def vector(self, text: str) -> Vectors:
        """A query's vector, (dimension,); zero where the encoder knows none of it."""
        found: Vectors = self.encoder.encode_queries([text])[0]
        return found

    def nearest(self, vector: Vectors, k: int, among: Sequence[int] | None = None) -> dict[int, float]:
        """The keys of the `k` papers nearest to a vector, of those of `among` where given, with their cosines, the
        nearest first."""
        import numpy as np

        keys = None if among is None else np.asarray(among, np.int64)
        pks, cosines = self.vectors.search(vector, k, keys)
        return dict(zip(pks.tolist(), cosines.tolist(), strict=True))

    def nearest_where(
        self, vector: Vectors, k: int, fits: Callable[[Collection[int]], Collection[int]], share: float
    ) -> dict[int, float]:
        """The same of the papers that `fits` lets pass, which is about a `share` of all."""
        keys = self.vectors.search_where(vector, k, lambda pks: fits(pks.tolist()), share)
        return self.cosines(vector, keys.tolist())

    def cosines(self, vector: Vectors, pks: Collection[int]) -> dict[int, float]:
        """How near given papers are, as far as they have a vector."""
        import numpy as np

        keys = np.fromiter(pks, np.int64, len(pks))
        found = zip(keys.tolist(), self.vectors.scores(vector, keys).tolist(), strict=True)
        return {pk: cosine for pk, cosine in found if cosine == cosine}  # NaN: no vector


class Meaning:
    """The vectors in one folder. Threads may share it to read: two of them may open the same vectors at once, and one
    of these is dropped. Who feeds an index has its own."""

    def __init__(self, folder: Path, encoder: Callable[[], Encoder] | None = static_encoder) -> None:
        """Use the vectors in `folder`, which need not be there yet, with the encoder that `encoder` opens; None for a
        search by words alone, which leaves the vectors as they are."""
        self.folder = folder
        self._encoder = encoder
        self._opened: VectorIndex | None = None

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder.

        Raises:
            SearchIndexError: there is none, or it can't be opened.
        """
        if self._encoder is None:
            raise SearchIndexError("There is no encoder.", hint="docs/encoders.md says how to choose one.")
        return self._encoder()

    @cached_property
    def is_possible(self) -> bool:
        """Whether there is an encoder, and what vectors need is installed."""
        return self._encoder is not None and find_spec("numpy") is not None

    def seq(self, catalogue: str) -> int:
        """How far the vectors of this encoder go in the changes of a catalogue (`Catalogue.key`); 0: not at all."""
        from octavo.index.vectors import load_vector_manifest

        manifest = load_vector_manifest(self.folder)
        if manifest is None or (manifest.catalogue, manifest.fingerprint) != (catalogue, self.encoder.fingerprint):
            return 0
        return manifest.seq

    def vectors(self, catalogue: str) -> VectorIndex | None:
        """The newest committed vectors; None where there are none of this encoder and catalogue, or they are damaged
        (whatever feeds the index next makes them anew)."""
        from octavo.index.vectors import VectorIndex

        opened = self._opened
        if opened is None or not opened.is_current:
            self._opened = None
            try:
                self._opened = opened = VectorIndex(self.folder)
            except SearchIndexError:
                return None
        made_from = (opened.manifest.catalogue, opened.manifest.fingerprint)
        return opened if made_from == (catalogue, self.encoder.fingerprint) else None

    def sense(self, catalogue: str) -> Sense | None:
        """What a search by meaning needs; None where it is not to be had."""
        vectors = self.vectors(catalogue) if self.is_possible else None
        return Sense(self.encoder, vectors) if vectors is not None and len(vectors) else None

    def feed(self, catalogue: str) -> VectorFeed:
        """The way in, for whoever holds the index's writer lock."""
        from octavo.index.vector_writer import VectorWriter

        encoder = self.encoder
        writer = VectorWriter(
            self.folder,
            fingerprint=encoder.fingerprint,
            dimension=encoder.dimension,
            catalogue=catalogue,
            encoder=encoder.id,
        )
        return VectorFeed(encoder, writer)


class VectorFeed:
    """Encodes papers a batch at a time and hands them on; nothing counts before `commit`."""

    def __init__(self, encoder: Encoder, writer: VectorWriter) -> None:
        """Encode with `encoder`, write with `writer`."""
        self._encoder = encoder
        self._writer = writer
        self._waiting: dict[int, str] = {}
        self.seq = writer.seq
        """The last change of the catalogue that was taken in."""
        self._committed = writer.seq

    def clear(self) -> None:
        """Begin anew; readers see the old vectors until the commit."""
        self._waiting.clear()
        self._writer.clear()
        self.seq = self._committed = 0

    def put(self, pk: int, paper: Paper) -> None:
        """Take in a paper, or what it has become."""
        self._waiting[pk] = text_for_meaning(paper)
        if len(self._waiting) >= BATCH:
            self._encode()

    def remove(self, pk: int) -> None:
        """Let a paper go."""
        self._waiting.pop(pk, None)
        self._writer.remove([pk])

    def commit(self) -> None:
        """Make what was taken in visible and safe."""
        self._encode()
        if self.seq != self._committed:
            self._writer.commit(self.seq)
            self._committed = self.seq

    def close(self) -> None:
        """Let go of what was not committed."""
        self._writer.close()

    def _encode(self) -> None:
        if self._waiting:
            vectors = self._encoder.encode_documents(list(self._waiting.values()))
            self._writer.put(list(self._waiting), vectors)
            self._waiting.clear()
