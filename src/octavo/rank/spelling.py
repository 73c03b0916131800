"""Typing errors: what a word that no paper has was most likely meant to be."""

from __future__ import annotations

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from octavo.index.text import TextIndex
from octavo.query.words import Word, query_words

_SHORTEST = 4
"""Letters from which a word is worth correcting: shorter ones are near to everything."""
_RARE = 20
_MUCH = 100
"""A word that up to _RARE papers have is an error all the same where one beside it is in _MUCH times as many."""


def correct(index: TextIndex, word: Word) -> Word | None:
    """The word that an unknown or suspiciously rare one was most likely meant to be; None where nothing is near.

    Near is one edit for words of up to seven letters, two for longer ones (Damerau-Levenshtein: a swap of neighbours
    is one edit); of several, the nearest, then the most frequent. Candidates are words of titles that share its
    first or its second letter's place, since errors there are rare.
    """
    if len(word.exact) != 1:
        return None
    (typed,) = word.exact
    if len(typed) < _SHORTEST or not typed.isalpha():
        return None
    seen = max(index.count_word(typed), *(min(map(index.document_frequency, way)) for way in word.alternatives))
    if seen > _RARE:
        return None
    reach = 1 if len(typed) <= 7 else 2
    for prefix in dict.fromkeys((typed[:2], typed[0], typed[1])):
        known = {
            text: count
            for text, count in index.known_words(prefix)
            if abs(len(text) - len(typed)) <= reach and count > max(1, _MUCH * seen)
        }
        near = process.extract(typed, known.keys(), scorer=DamerauLevenshtein.distance, score_cutoff=reach, limit=10)
        if near:
            best = min(near, key=lambda found: (found[1], -known[found[0]]))[0]
            (reading,) = query_words(best)[:1]
            return reading
    return None
