"""Linking: which records are one work.

`features` keeps of a record what linking needs; `keys` finds which records are worth comparing; `evidence` names what
speaks for and against a pair, `weights` what that is worth, `pairs` adds it up; `constraints` says what must be one
work and what must not; `settle` and `cluster` part a connected group of records; `works` puts it together, for all
records (`link`) or around some new ones (`link_near`); `evaluate` measures on labelled pairs. All of it is pure.
"""

from __future__ import annotations

from octavo.ingest.linking.evaluate import LabelledPair, Measure, measure, read_pairs
from octavo.ingest.linking.features import Features, Name, features_of
from octavo.ingest.linking.keys import KEY_BITS, MOST_HOLDERS, keys_of
from octavo.ingest.linking.pairs import Comparison, compare
from octavo.ingest.linking.settle import Doubt, Ruling
from octavo.ingest.linking.works import NEARLY, Linking, explain_pair, link, link_near

__all__ = [
    "KEY_BITS", "MOST_HOLDERS", "NEARLY", "Comparison", "Doubt", "Features", "LabelledPair", "Linking", "Measure",
    "Name", "Ruling", "compare", "explain_pair", "features_of", "keys_of", "link", "link_near", "measure", "read_pairs",
]  # fmt: skip
