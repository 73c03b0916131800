"""How common a stem is in abstracts at large: `data/stems.tsv`, made by `tools/background/build.py`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

RAREST = 0.00015
"""The share of abstracts that a stem is taken to be in where the table has none: half of the table's rarest."""


@cache
def _table() -> dict[str, float]:
    text = (files("octavo.data") / "stems.tsv").read_text(encoding="utf-8")
    return {stem: int(share) / 10_000 for stem, _, share in (line.partition("\t") for line in text.splitlines())}


def share_of(stem: str) -> float:
    """The share of abstracts (0 to 1) that have the stem."""
    return _table().get(stem, RAREST)
