"""The trained table as the files that `octavo.index.encoder` opens: four bits a number, the tokens, and how often
training met each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLIPS = (2.2, 2.5, 2.8, 3.1, 3.5, 4.0)
"""Where numbers are cut off, in standard deviations of their row."""
ID = "octavo-static-2"
FILES = ("tokens.txt", "phrases.npy", "counts.npy", "vectors.npy", "scales.npy")

SOURCES = (
    "arXiv metadata, CC0 1.0",
    "ACL Anthology from 2016 on, JMLR, TMLR, DMLR, CC BY 4.0",
    "WordNet 3.1, Copyright 2011 by Princeton University, all rights reserved, WordNet licence",
    "Mondo Disease Ontology, Uberon, CC BY 3.0",
    "Cell Ontology, ChEBI, CC BY 4.0",
    "teacher: sentence-transformers/all-MiniLM-L6-v2, Apache-2.0",
)
"""What the model owes its knowledge to; goes with it wherever it goes."""


def pack(
    out: Path,
    words: Sequence[str],
    phrases: NDArray[np.int64],
    table: NDArray[np.float32],
    counts: Mapping[str, float],
    settings: dict[str, Any],
) -> None:
    """Write the model's files into `out`: the table, and how often training met each word (by logarithm)."""
    packed, scales = four_bits(table)
    (out / "tokens.txt").write_text("\n".join(words), encoding="ascii")
    np.save(out / "phrases.npy", phrases)
    np.save(out / "counts.npy", np.log1p([counts.get(word, 0) for word in words]).astype(np.float16))
    np.save(out / "vectors.npy", packed)
    np.save(out / "scales.npy", scales)
    digest = hashlib.sha256()
    for name in FILES:
        digest.update((out / name).read_bytes())
    about = {
        "id": ID,
        "fingerprint": digest.hexdigest(),
        "dimension": table.shape[1],
        "sources": SOURCES,
        "settings": settings,
    }
    (out / "model.json").write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")


def four_bits(table: NDArray[np.float32]) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """(two numbers a byte, a scale a row): number = (half byte - 7.5) x scale, the scale being that of `CLIPS` with the
    least squared error in that row."""
    deviation = np.maximum(table.std(axis=1, keepdims=True), 1e-6)
    least = np.full(len(table), np.inf)
    scales, codes = np.zeros(len(table), np.float16), np.zeros(table.shape, np.uint8)
    for clip in CLIPS:
        scale = (clip * deviation / 7.5).astype(np.float16)
        wide = scale.astype(np.float32)
        code = np.clip(np.floor(table / wide) + 8, 0, 15)
        error = ((table - (code - 7.5) * wide) ** 2).sum(axis=1)
        better = error < least
        least[better], scales[better], codes[better] = error[better], scale[better, 0], code[better].astype(np.uint8)
    return codes[:, ::2] | codes[:, 1::2] << 4, scales
