"""Encoding before anybody waits for it: what is slow is done under no lock, and a kill costs little of it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from octavo.index.encoder import Encoder, Vectors

NAME = "ahead.npz"
_EVERY = 64
"""Texts between two moments in which what a slow encoder has done is kept."""


class Ahead:
    """An encoder that has encoded some texts before they are asked for.

    What a slow one has done lies in a file too, by the SHA-256 of each text, until the next texts are prepared.
    """

    def __init__(self, encoder: Encoder, folder: Path, *, is_slow: bool) -> None:
        """Encode with `encoder`; keep in `folder` what a slow one has done."""
        self._encoder = encoder
        self._path = folder / NAME if is_slow else None
        self._known: dict[str, Vectors] = {}

    @property
    def id(self) -> str:
        """The encoder's."""
        return self._encoder.id

    @property
    def fingerprint(self) -> str:
        """The encoder's."""
        return self._encoder.fingerprint

    @property
    def dimension(self) -> int:
        """The encoder's."""
        return self._encoder.dimension

    def prepare(self, texts: Sequence[str], progress: Callable[[int], None] = lambda _done: None) -> None:
        """Encode papers' texts, and forget those before; `progress` is told how many are done."""
        by_digest = {_digest(text): text for text in texts}
        self._known = {by_digest[key]: row for key, row in self._kept().items() if key in by_digest}
        strange = [text for text in by_digest.values() if text not in self._known]
        step = _EVERY if self._path else max(1, len(strange))
        for some in (strange[at : at + step] for at in range(0, len(strange), step)):
            self._known.update(zip(some, self._encoder.encode_documents(some), strict=True))
            self._keep()
            progress(len(self._known))

    def encode_documents(self, texts: Sequence[str]) -> Vectors:
        """As the encoder does; what was prepared costs nothing."""
        strange = [text for text in dict.fromkeys(texts) if text not in self._known]
        if strange:
            self._known.update(zip(strange, self._encoder.encode_documents(strange), strict=True))
        out = np.empty((len(texts), self.dimension), np.float32)
        for n, text in enumerate(texts):
            out[n] = self._known[text]
        return out

    def encode_queries(self, texts: Sequence[str]) -> Vectors:
        """As the encoder does."""
        return self._encoder.encode_queries(texts)

    def clear(self) -> None:
        """Forget everything: all of it is in its place."""
        self._known.clear()
        if self._path:
            with suppress(OSError):
                self._path.unlink()

    def _keep(self) -> None:
        if self._path is None:
            return
        fresh = self._path.with_suffix(".new")
        with suppress(OSError), fresh.open("wb") as file:  # without it, a kill costs more: no reason to stop
            np.savez(
                file,
                fingerprint=np.array(self.fingerprint),
                digests=np.array([_digest(text) for text in self._known]),
                vectors=np.stack(list(self._known.values())),
            )
        with suppress(OSError):
            fresh.replace(self._path)

    def _kept(self) -> dict[str, Vectors]:
        if self._path is None:
            return {}
        try:
            with self._path.open("rb") as file, np.load(file) as found:
                if str(found["fingerprint"]) == self.fingerprint:
                    return dict(zip(found["digests"].tolist(), found["vectors"], strict=True))
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return {}
        return {}


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
