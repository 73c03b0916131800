"""Which papers of a list are one work in two versions: a preprint that was not linked, an extended journal article."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rapidfuzz import fuzz

from octavo.catalogue.relatives import Relative
from octavo.records.fold import fold, title_key

if TYPE_CHECKING:
    # At run time late: where numpy is not installed, titles alone tell.
    from octavo.index.vectors import VectorIndex

SAME_MEANING = 0.92
SAME_TITLE = 0.7
"""Nearness, and likeness of titles (rapidfuzz `ratio` of the folded ones), from which two papers with an author in
common are one work in two versions (`docs/related.md` says how that was found)."""
_NUMBER = re.compile(r"[0-9]+")


def repeats(vectors: VectorIndex | None, papers: Sequence[Relative]) -> dict[int, int]:
    """For each place of a list whose paper is a version of one before it, the place of the first of them."""
    likeness = _alike(vectors, [one.pk for one in papers])
    namesakes: dict[str, list[int]] = {}
    found: dict[int, int] = {}
    for at, one in enumerate(papers):
        titled = namesakes.setdefault(title_key(one.title), [])
        before = {**dict.fromkeys(titled, 0.0), **likeness.get(at, {})}
        same = next((n for n in sorted(before) if n not in found and same_work(papers[n], one, before[n])), None)
        if same is None:
            titled.append(at)
        else:
            found[at] = same
    return found


def same_work(one: Relative, other: Relative, cosine: float) -> bool:
    """Whether two papers are one work in two versions, as far as a list of related papers is concerned.

    They have an author in common (or one of them has none), and the same title, or vectors and titles almost equal.
    Titles with other numbers (`Task 1`, `Task 2`) are never the same.
    """
    if one.authors and other.authors and {*map(fold, one.authors)}.isdisjoint(map(fold, other.authors)):
        return False
    first, second = fold(one.title), fold(other.title)
    if title_key(one.title) == title_key(other.title):
        return True
    if cosine < SAME_MEANING or sorted(_NUMBER.findall(first)) != sorted(_NUMBER.findall(second)):
        return False
    return fuzz.ratio(first, second) >= 100 * SAME_TITLE


def _alike(vectors: VectorIndex | None, pks: Sequence[int]) -> dict[int, dict[int, float]]:
    """For each place, the places before it whose papers mean almost the same, and how near they are."""
    if vectors is None:
        return {}
    import numpy as np

    rows = vectors.vectors(np.array(pks, np.int64))
    nearness = np.triu(rows @ rows.T, 1)
    found: dict[int, dict[int, float]] = {}
    for n, at in np.argwhere(nearness >= SAME_MEANING).tolist():
        found.setdefault(at, {})[n] = float(nearness[n, at])
    return found
