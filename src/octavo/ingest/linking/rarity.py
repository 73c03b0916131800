"""How much a word of a title, or a family name, tells: fixed tables, so that no count of a catalogue changes a score.

A word that stands in every fourth title says little about which paper it is, one that stands in hardly any says nearly
all. `rarity.tsv`, made by `tools/linking/count.py`, holds the commoner ones, counted over 250,000 titles and 900,000
names of machine-learning and computational-linguistics papers; what is not in it is rare.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from math import log

STOP_WORDS = frozenset({
    "for", "and", "of", "in", "a", "with", "the", "to", "on", "via", "using", "from", "by", "at", "as",
    "through", "towards", "toward", "an", "is", "are", "be", "not", "its", "it", "into", "or", "under", "over",
    "without", "within", "between", "based", "beyond", "how", "what", "when", "why", "does", "do", "can",
    "you", "we", "your", "our", "their", "de", "des", "la", "le", "et", "der", "die", "das", "und",
})  # fmt: skip
"""Words that tell nothing, however rare they are in a catalogue."""

_OF = 100_000
_RAREST = 10
"""Titles, or names, of `_OF` that a word or family is taken to have where the table has none: half of its rarest."""
_LEAST = 51 / 1024
_TELLING = 0.62
"""The weight from which a word may help to find a paper: rarer than one title in 300 or so."""


@cache
def _table(kind: str) -> dict[str, float]:
    """The weights of one kind of the table's lines, `w` or `f`."""
    text = (files("octavo.ingest.linking") / "rarity.tsv").read_text(encoding="utf-8")
    least = log(_OF / _RAREST)
    lines = (line.split("\t") for line in text.splitlines())
    return {name: _rounded(log(_OF / int(share)) / least) for of, name, share in lines if of == kind}


def _rounded(weight: float) -> float:
    """To 1/1024: such numbers add up to the same sum in any order, so that no set's order shows in a score."""
    return round(weight * 1024) / 1024


@cache
def weight_of(word: str) -> float:
    """What a title's word tells, from 0.05 to 1."""
    return _LEAST if word in STOP_WORDS else _table("w").get(word, 1.0)


@cache
def weight_of_family(family: str) -> float:
    """What a family name tells, from 0.3 (Wang) to 1."""
    return _table("f").get(family, 1.0)


@cache
def tells(word: str) -> bool:
    """Whether a word is rare enough to find a paper by, together with an author's name."""
    return len(word) > 2 and weight_of(word) >= _TELLING
