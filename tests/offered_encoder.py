"""Encoders that a package of somebody else offers, made up: put on the path with the entry points that name them."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

import pytest

ENCODERS = '''\
import os, time, zlib
import numpy as np

class Letters:
    """Adds up a direction for each word."""
    id, dimension, at_once = "letters-1", 32, 3
    seed = 0
    fingerprint = "letters"

    def encode_documents(self, texts):
        for text in texts:
            time.sleep(float(os.environ.get("LETTERS_SECONDS", "0")))
            if log := os.environ.get("LETTERS_LOG"):
                with open(log, "a") as file:
                    file.write(text.split("\\n")[0] + "\\n")
        return np.array([self.one(text) for text in texts], np.float32).reshape(len(texts), self.dimension)

    encode_queries = encode_documents

    def one(self, text):
        out = np.zeros(self.dimension)
        for word in text.lower().split():
            out += np.random.default_rng(zlib.crc32(word.encode()) + self.seed).normal(size=self.dimension)
        return out

class Others(Letters):
    id, fingerprint, seed, dimension = "others-1", "others", 7, 16

class Blind(Letters):
    id, fingerprint = "blind-1", "blind"
    def encode_queries(self, texts):
        raise RuntimeError("no light")

class Failing(Letters):
    id, fingerprint = "failing-1", "failing"
    def encode_documents(self, texts):
        raise RuntimeError("no ink")

class Broken:
    def __init__(self):
        raise RuntimeError("no glue")
'''
POINTS = ("letters:Letters", "others:Others", "blind:Blind", "failing:Failing", "broken:Broken", "nothing:time")


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the encoders be installed, for this process and those that it starts."""
    (folder / "letter_encoders.py").write_text(ENCODERS)
    about = folder / "letter_encoders-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: letter-encoders\nVersion: 1.0\n")
    lines = [f"{name} = letter_encoders:{what}" for name, what in (point.split(":") for point in POINTS)]
    (about / "entry_points.txt").write_text("\n".join(["[octavo.encoders]", *lines, ""]))
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(folder), os.environ.get("PYTHONPATH")])))
    importlib.invalidate_caches()
