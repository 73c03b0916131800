"""What an index was built from: a small file beside it, so that an index is never trusted further than it goes."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

NAME = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """States what the index beside it holds."""

    schema: int
    """The form of the index; another form is another index."""
    catalogue: str
    """The catalogue's own name (`Catalogue.key`)."""
    seq: int
    """The last of the catalogue's changes that is in the index."""
    papers: int = 0
    """How many papers it held after that."""


def load_manifest(folder: Path) -> Manifest | None:
    """Read it; None where there is none or it is no manifest, which both mean: build anew."""
    try:
        found = json.loads((folder / NAME).read_text(encoding="utf-8"))
        return Manifest(
            schema=int(found["schema"]),
            catalogue=str(found["catalogue"]),
            seq=int(found["seq"]),
            papers=int(found["papers"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save_manifest(folder: Path, manifest: Manifest) -> None:
    """Write it so that a kill at any moment leaves the old one or the new one."""
    fresh = folder / (NAME + ".new")
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(asdict(manifest), file)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / NAME)
    if os.name == "posix":  # the rename itself is only on disk with its folder
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
