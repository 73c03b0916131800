"""What to look for besides, where hardly any paper matches: titles with typing errors, and words as they were meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rapidfuzz import fuzz

from octavo.index.text import TextIndex
from octavo.index.text_query import any_of, scored, term
from octavo.query.words import STOP_WORDS, Word, analyse
from octavo.rank.plan import Plan, asks_exactly, either
from octavo.rank.spelling import correct
from octavo.records.fold import fold
from octavo.records.paper import Paper

Lookup = Callable[[Sequence[int]], dict[int, Paper]]
"""Papers by their keys."""

FEW = 10
"""Fewer finds than this let near titles and corrected words in."""
NEAR_TITLE = 0.8
"""Share of common letters (rapidfuzz `ratio`) from which a title counts as the query with typing errors."""
NEAR_SHORT_TITLE = 0.87
"""The same for titles of up to two words, where a word more is another title."""
_CANDIDATES = 60
_RAREST = 12
"""Stems of a title that candidates for a near one are looked for by."""


def widen(index: TextIndex, lookup: Lookup, plan: Plan) -> list[str]:
    """Let a plan that finds hardly anything take in near titles and corrected words. Returns what to say of it."""
    is_title = bool(plan.parsed.as_title) and not asks_exactly(plan.parsed.node)
    plan.read_as = {word: better for word in plan.words if (better := correct(index, word))}
    if plan.words:
        plan.ways = [either(word, plan.read_as.get(word)) for word in plan.words]
        plan.scoring += [part for better in plan.read_as.values() for part in scored(better)]
    if is_title:
        plan.near = near_titles(index, lookup, plan.read_as, plan.plain)
    if not plan.read_as:
        return []
    return ["Read " + ", ".join(f"{old.text} as {new.text}" for old, new in plan.read_as.items()) + " as well."]


def near_titles(index: TextIndex, lookup: Lookup, read_as: dict[Word, Word], plain: str) -> list[tuple[int, float]]:
    """Papers whose title is nearly `plain`, as (key, likeness 0 to 1), the likest first.

    Candidates share the rarest stems of the title; the likeness is rapidfuzz's normalised edit distance of the
    folded titles.
    """
    meant = " ".join([plain, *(better.text for better in read_as.values())])
    counts = {stem: index.document_frequency(stem) for stem in analyse(meant)[1].split() if stem not in STOP_WORDS}
    rare = sorted((stem for stem, count in counts.items() if count), key=lambda stem: (counts[stem], stem))[:_RAREST]
    if not rare:
        return []
    found = index.search(any_of([term("title", stem) for stem in rare]), _CANDIDATES)
    wanted = fold(plain)
    papers = lookup([pk for pk, _ in found.hits])
    near = [(pk, alike(wanted, paper.title)) for pk, paper in papers.items()]
    return sorted(((pk, value) for pk, value in near if value), key=lambda one: (-one[1], one[0]))[:FEW]


def alike(wanted: str, title: str) -> float:
    """How nearly a title is the folded text `wanted`: 0 where it is another title, else `NEAR_TITLE` to 1."""
    likeness = fuzz.ratio(wanted, fold(title)) / 100
    return likeness if likeness >= (NEAR_TITLE if wanted.count(" ") > 1 else NEAR_SHORT_TITLE) else 0.0
