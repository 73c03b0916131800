"""Papers related to given ones, or to a text, and what relates them.

Candidates are the papers nearest in meaning, those with the most telling words (`rank.telling`) by BM25, and those that
the given papers cite. Each gets

    MEANING · z(nearness) + WORDS · z(BM25) + AUTHOR · authors in common + REFERENCES · ties of references

where z is the number of standard deviations above the candidates' mean. Several papers are taken together: the mean of
their vectors, all their words, all their authors, all their references. MEANING, WORDS and AUTHOR were set on author
keywords of 17,002 papers (`docs/related.md`); references were not to be had, their weights are a judgement.

The given papers, other versions of them, and repeats among the answers are left out (`rank.repeats`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from statistics import fmean, pstdev
from typing import TYPE_CHECKING

from octavo.catalogue.relatives import Relative
from octavo.explain import Explanation
from octavo.index.text import TextIndex
from octavo.index.text_query import any_of, chosen, with_bonus
from octavo.query.words import analyse
from octavo.rank.bonds import Bonds
from octavo.rank.repeats import repeats
from octavo.rank.telling import Telling, telling_query, telling_words, word_scores
from octavo.records.fold import title_key
from octavo.records.paper import Paper

if TYPE_CHECKING:
    # At run time late: where numpy is not installed, papers are compared by all else.
    from octavo.index.vectors import VectorIndex, Vectors

MEANING, WORDS = 1.0, 0.5
CANDIDATES = 200
"""Papers that each way of looking gives."""
MOST = 100
"""Papers of an answer: those further down are hardly related."""
NEAR = 0.25
"""A nearness that 1 in 200 pairs of papers has by chance. A paper less near is related only if it is not FAR and has
LEAST_WORDS of the telling words, or if there is a tie of references."""
FAR = 0.1
LEAST_WORDS = 2
_PLENTY = 2_000
_SHOWN_WORDS = 5
_WHOLE_TEXT = 120
"""Letters of an abstract from which a text that holds them is that paper's."""


@dataclass(frozen=True, slots=True)
class Given:
    """What relatives are sought of: papers, or a text in English, or both."""

    papers: Mapping[int, Paper] = field(default_factory=dict)
    text: str = ""
    vector: Vectors | None = None
    """Where they are in the space of meaning; None where that is not known."""

    @property
    def texts(self) -> list[str]:
        """The texts whose words count, a title's twice."""
        texts = [f"{paper.title}\n{paper.title}\n{_body(paper)}" for paper in self.papers.values()]
        return [*texts, self.text] if self.text else texts


@dataclass(frozen=True, slots=True)
class Kin:
    """A related paper, before it is read whole. What each way of comparing adds to its score stands beside it."""

    relative: Relative
    score: float
    nearness: float
    """To what was given, NaN where that is not known."""
    meaning: float | None
    """None where meaning was not compared."""
    words: float
    bonds: tuple[Explanation, ...] = ()
    """Authors in common, and references."""
    also: tuple[int, ...] = ()
    """Other versions of it, which stand further down and are left out."""


@dataclass(frozen=True, slots=True)
class Related:
    """The related papers of an answer, all of them."""

    kin: tuple[Kin, ...]
    """The nearest first."""
    words: tuple[Telling, ...]
    left_out: tuple[int, ...] = ()
    """Other versions of what was given, and the papers that the text is of."""
    named: tuple[int, ...] = ()
    """The papers that the text is of."""

    @property
    def collapsed(self) -> int:
        """How many papers stand behind another of the answer."""
        return sum(len(one.also) for one in self.kin)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where relatives are looked for."""

    index: TextIndex
    vectors: VectorIndex | None
    read: Callable[[Sequence[int]], dict[int, Relative]]
    read_whole: Callable[[Sequence[int]], dict[int, Paper]]
    holders: Callable[[Sequence[str]], Mapping[str, Collection[int]]]
    """The papers that carry identifiers."""


def related(sources: Sources, given: Given) -> Related:
    """Look for the relatives of what is given; at most MOST."""
    own = sources.read(list(given.papers))
    words = telling_words(sources.index, given.texts, least_papers=2 if given.papers and not given.text else 1)
    if not words and not given.papers:
        return Related((), ())
    bm25 = _by_words(sources, words)
    near = _by_meaning(sources, given.vector)
    cited = _by_references(sources, own)
    relatives = sources.read(sorted({*bm25, *near, *cited} - set(own)))
    if not relatives:
        return Related((), tuple(words))
    pks = list(relatives)
    _add_words(sources, words, bm25, pks)
    nearness = _nearness(sources, given.vector, pks)
    z_scores = zip(_standard(nearness), _standard([bm25.get(pk, 0.0) for pk in pks]), strict=True)
    bonds = Bonds(own.values(), relatives.values())
    has_meaning = given.vector is not None
    kin = []
    for pk, near_it, (z_meaning, z_words) in zip(pks, nearness, z_scores, strict=True):
        references = bonds.references(relatives[pk])
        if near_it < FAR and not references:
            continue
        ties = tuple(tie for tie in (bonds.authors(relatives[pk]), references) if tie)
        # Where its vector is still to be made, words stand for both.
        meaning = MEANING * (z_words if isnan(near_it) else z_meaning) if has_meaning else None
        score = (meaning or 0.0) + WORDS * z_words + sum(tie.value for tie in ties)
        kin.append(Kin(relatives[pk], score, near_it, meaning, WORDS * z_words, ties))
    kin.sort(key=lambda one: (-one.score, one.relative.pk))
    return _without_repeats(sources, given, own, kin, words)


# -- looking -----------------------------------------------------------------------------------------------------------


def _by_words(sources: Sources, words: Sequence[Telling]) -> dict[int, float]:
    """The papers with the most of the words."""
    if not words:
        return {}
    found = sources.index.search(telling_query(words), CANDIDATES)
    if found.total < _PLENTY and len(words) > LEAST_WORDS:
        # Few have any, so that some may have only one. (To ask this of many takes long, and they have several.)
        found = sources.index.search(telling_query(words, LEAST_WORDS), CANDIDATES)
    return dict(found.hits)


def _by_meaning(sources: Sources, vector: Vectors | None) -> list[int]:
    if sources.vectors is None or vector is None:
        return []
    pks, scores = sources.vectors.search(vector, CANDIDATES)
    return [int(pk) for pk in pks[scores >= NEAR].tolist()]


def _by_references(sources: Sources, own: Mapping[int, Relative]) -> list[int]:
    """The papers that the given ones cite."""
    cited = sorted({name for one in own.values() for name in one.references})
    if not cited:
        return []
    return sorted({pk for pks in sources.holders(cited).values() for pk in pks})[:CANDIDATES]


def _add_words(sources: Sources, words: Sequence[Telling], bm25: dict[int, float], pks: Sequence[int]) -> None:
    """Score the candidates by words, too, that came in otherwise."""
    others = [pk for pk in pks if pk not in bm25]
    if others and words:
        among = any_of(chosen((pk, 0.0) for pk in others))
        bm25.update(sources.index.search(with_bonus(among, word_scores(words)), len(others)).hits)


def _nearness(sources: Sources, vector: Vectors | None, pks: Sequence[int]) -> list[float]:
    """How near each paper is; NaN where that is not known."""
    if sources.vectors is None or vector is None:
        return [nan] * len(pks)
    import numpy as np

    found: list[float] = sources.vectors.scores(vector, np.array(pks, np.int64)).tolist()
    return found


def _standard(values: Sequence[float]) -> list[float]:
    """Standard deviations above the mean; NaN stays NaN, and equal values are all zero."""
    known = [value for value in values if not isnan(value)]
    middle, spread = (fmean(known), pstdev(known)) if known else (0.0, 0.0)
    return [(value - middle) / spread if spread > 1e-9 else value * 0.0 for value in values]


# -- what relates ------------------------------------------------------------------------------------------------------


def explained(one: Kin, paper: Paper, words: Sequence[Telling]) -> Explanation:
    """Why a paper is related; the values of the parts add up to its score."""
    parts = [Explanation(one.words, _shared(paper, words)), *one.bonds]
    if one.meaning is not None:
        how = "near in meaning" if one.nearness >= NEAR else "hardly near in meaning"
        said = "its meaning is not known yet" if isnan(one.nearness) else f"{how} ({one.nearness:.2f})"
        parts.insert(0, Explanation(one.meaning, said))
    return Explanation(one.score, "; ".join(part.reason for part in parts), tuple(parts))


def _shared(paper: Paper, words: Sequence[Telling]) -> str:
    """Which of the words a paper has, the most telling ones."""
    stems = set(analyse(f"{paper.title}\n{_body(paper)}\n{paper.venue}\n{paper.venue_name}")[1].split())
    shared = list(dict.fromkeys(word.shown for word in words if word.shown and word.stem in stems))[:_SHOWN_WORDS]
    if not shared:
        return "shares no telling word"
    return f"shares the word{'s' * (len(shared) > 1)} {', '.join(f'`{word}`' for word in shared)}"


def _body(paper: Paper) -> str:
    return paper.abstract or paper.summary or paper.tldr


# -- one work, several papers ------------------------------------------------------------------------------------------


def _without_repeats(
    sources: Sources, given: Given, own: Mapping[int, Relative], kin: Sequence[Kin], words: Sequence[Telling]
) -> Related:
    """The first MOST without the versions of what was given, and each work once."""
    named = _papers_of(given.text, sources.read_whole([one.relative.pk for one in kin[:3]])) if given.text else []
    origins = [*own.values(), *(one.relative for one in kin[:3] if one.relative.pk in named)]
    rest = [one for one in kin if one.relative.pk not in named][: 2 * MOST]  # no more than half are repeats
    first = len(origins)
    origin_of = repeats(sources.vectors, [*origins, *(one.relative for one in rest)])
    also: dict[int, list[int]] = {}
    for at, origin in origin_of.items():
        if at >= first:
            also.setdefault(max(origin - first, -1), []).append(rest[at - first].relative.pk)
    kept = [n for n in range(len(rest)) if n + first not in origin_of][:MOST]
    return Related(
        tuple(replace(rest[n], also=tuple(also[n])) if n in also else rest[n] for n in kept),
        tuple(words),
        (*named, *also.get(-1, ())),
        tuple(named),
    )


def _papers_of(text: str, papers: Mapping[int, Paper]) -> list[int]:
    """The papers whose title the text is, or whose abstract it holds."""
    key = title_key(text)
    found = []
    for pk, paper in papers.items():
        body = title_key(paper.abstract)
        is_body = len(body) >= _WHOLE_TEXT and (body in key or (len(key) >= _WHOLE_TEXT and key in body))
        if key == title_key(paper.title) or is_body:
            found.append(pk)
    return found
