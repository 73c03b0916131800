"""Why a paper is among the finds, in words that a reader can check on the paper itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from octavo.explain import Explanation
from octavo.index.text import TextIndex
from octavo.index.text_query import EXACT_ID
from octavo.query.ast import IdNode, leaves
from octavo.query.words import analyse, query_words
from octavo.rank.fuse import GUARDS, LEAST_COSINE, Fused
from octavo.rank.plan import Plan
from octavo.records.fold import title_key
from octavo.records.paper import Paper

_SHOWN = 8


def explain(paper: Paper, score: float, plan: Plan, looked_for: Sequence[str]) -> Explanation:
    """Why a paper matches, where nothing is fused: `score` is BM25, or nothing where another order was asked for."""
    certain, places = list(_certain(paper, plan)), tuple(_places(paper, looked_for))
    said = "; ".join(place.reason for place in places) or ("" if certain else "fits the filters")
    rest = score - sum(part.value for part in certain)
    return _whole(score, [*certain, *([Explanation(rest, said, places)] if said else [])])


def explain_fused(
    paper: Paper, fused: Fused, looked_for: Sequence[str], words: Mapping[str, float] | None = None
) -> Explanation:
    """What a fused score is made of: what is certain, the words, the meaning; their values add up to the score.

    `words`, where given, is what each word adds to BM25.
    """
    parts = []
    if fused.guard:
        value, reason = GUARDS[fused.guard]
        parts.append(Explanation(value, reason))
    places = tuple(_places(paper, looked_for))
    detail = tuple(Explanation(value, word) for word, value in (words or {}).items() if value)
    if places or fused.words:
        said = "; ".join(place.reason for place in places) or "some of the words"
        parts.append(Explanation(fused.z_words, said, (*places, *detail)))
    elif fused.z_words:
        parts.append(Explanation(fused.z_words, "none of the words"))
    if fused.cosine is not None and fused.weight:
        said = f"{'near' if fused.cosine >= LEAST_COSINE else 'far'} in meaning ({fused.cosine:.2f})"
        parts.append(Explanation(fused.weight * fused.z_meaning, said))
    return _whole(fused.score, parts)


def word_scores(index: TextIndex, plan: Plan, pks: Sequence[int]) -> dict[int, dict[str, float]]:
    """What each word of the query adds to each paper's BM25: one small search a word."""
    names = [word.text for word in plan.words] if not plan.chinese else []
    if plan.chinese:
        names = [piece.text for _, piece in plan.parsed.chinese if piece.english]
    found: dict[int, dict[str, float]] = {pk: {} for pk in pks}
    for name, way in zip(names, plan.ways, strict=False):
        for pk, score in index.scores(way, pks).items():
            found[pk][name] = score
    return found


def _whole(score: float, parts: Sequence[Explanation]) -> Explanation:
    return Explanation(score, "; ".join(part.reason for part in parts), tuple(parts))


def _certain(paper: Paper, plan: Plan) -> Iterator[Explanation]:
    key = title_key(plan.plain)
    if key and title_key(paper.title) == key:
        yield Explanation(*GUARDS["title"])
    for leaf in leaves(plan.parsed.node):
        if isinstance(leaf, IdNode) and leaf.identifier in paper.identifiers:
            yield Explanation(EXACT_ID, f"has the identifier {leaf.identifier}")


def _places(paper: Paper, looked_for: Sequence[str]) -> Iterator[Explanation]:
    """Which of the words stand in which text."""
    places = {
        "title": paper.title,
        "authors": "; ".join(paper.authors),
        "venue": paper.venue_name or paper.venue,
        "abstract": paper.abstract,
        "Octavo's summary": paper.summary,
    }
    for place, text in places.items():
        if not text:
            continue
        exact, stems = (set(words.split()) for words in analyse(text))
        has = [word for word in looked_for if word in exact or stems.intersection(_stems(word))]
        if has:
            yield Explanation(0.0, f"{place}: {', '.join(has[:_SHOWN])}{' …' if len(has) > _SHOWN else ''}")


@lru_cache(maxsize=4_096)
def _stems(word: str) -> frozenset[str]:
    return frozenset(stem for reading in query_words(word) for way in reading.alternatives[:1] for stem in way)
