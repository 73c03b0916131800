"""The most telling words of papers or of a text: often in them, rare elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log

from octavo.index.text import TextIndex
from octavo.index.text_query import Query, any_of, boosted, term
from octavo.query.words import STOP_WORDS, analyse, exact_words, stem_words
from octavo.rank.background import share_of

MOST_WORDS = 40
"""Words that are looked for; 25 and all of them were worse."""
TITLE_BOOST = 0.5
"""What a telling word of a title adds to what the word says anywhere."""
_AT_LARGE = 10_000
"""Abstracts at large that count beside the catalogue, by the table of their words: few papers make any word rare."""
_LOOKED_UP = 400
"""Words whose frequency in the catalogue is asked for, the most telling by their frequency in abstracts at large."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A telling word."""

    stem: str
    shown: str
    """How the text first has it; empty for a form that only the index knows (`noninvas`)."""
    times: float
    """How much its occurrences count: 1 + log of their number, on average over the texts."""
    weight: float
    """`times` by the word's rarity."""


def telling_words(index: TextIndex, texts: Sequence[str], *, least_papers: int = 1) -> list[Telling]:
    """The most telling words of the texts together, the most telling first.

    `least_papers` is how many papers of the catalogue must have a word: one that only the given paper has finds
    nothing.
    """
    times: Counter[str] = Counter()
    for text in texts:
        for stem, count in Counter(stem_words(text)).items():
            if _says_something(stem):
                times[stem] += (1 + log(count)) / len(texts)  # type: ignore[assignment]  # typeshed counts in ints
    likely = sorted(times, key=lambda stem: (times[stem] * log(share_of(stem)), stem))[:_LOOKED_UP]
    n_papers = index.n_papers + _AT_LARGE
    weights: dict[str, float] = {}
    for stem in likely:
        count = index.document_frequency(stem)
        if count >= least_papers:
            weights[stem] = times[stem] * log(n_papers / (count + share_of(stem) * _AT_LARGE))
    best = sorted(weights, key=lambda stem: (-weights[stem], stem))[:MOST_WORDS]
    shown = _spelled(texts, set(best))
    return [Telling(stem, shown.get(stem, ""), times[stem], weights[stem]) for stem in best]


def _says_something(stem: str) -> bool:
    """Whether a stem can be telling: no number, no lone letter, no word that every text has."""
    return (len(stem) > 1 or not stem.isascii()) and stem not in STOP_WORDS and any(map(str.isalpha, stem))


def _spelled(texts: Iterable[str], wanted: set[str]) -> dict[str, str]:
    """How the texts first have each of the wanted stems."""
    found: dict[str, str] = {}
    for text in texts:
        if len(found) == len(wanted):
            break
        for word in dict.fromkeys(exact_words(text)):
            if (stem := analyse(word)[1].partition(" ")[0]) in wanted:
                found.setdefault(stem, word)
    return found


def telling_query(words: Sequence[Telling], at_least: int = 1) -> Query:
    """Papers that have `at_least` of the words, by BM25, each word counting as often as the text has it."""
    if at_least == 1:
        return any_of(word_scores(words))
    return any_of([any_of(word_scores([word])) for word in words], at_least)


def word_scores(words: Sequence[Telling]) -> list[Query]:
    """What the words give a paper, one by one, whether it is to have them or not."""
    return [
        boosted(term(name, word.stem), word.times * factor)
        for name, factor in (("all", 1.0), ("title", TITLE_BOOST))
        for word in words
    ]
