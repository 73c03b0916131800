"""Typing errors: what a word that hardly any paper has was most likely meant to be, and what a query was.

A word that the catalogue has often is never corrected, nor one that is in somebody's name. Of the words near it, the
likeliest slip of a frequent word wins (`index.slips`): two letters swapped, a letter doubled, the key beside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import log10

from rapidfuzz import process
from rapidfuzz.distance import DamerauLevenshtein

from octavo.index.completion import Completion
from octavo.index.slips import cost
from octavo.index.text import TextIndex
from octavo.index.text_query import any_of, compile_query, phrase
from octavo.query.ast import resolve
from octavo.query.chinese import has_chinese
from octavo.query.fields import Kind, find_field
from octavo.query.parser import parse_lenient
from octavo.query.topic_names import BUNDLED
from octavo.query.words import STOP_WORDS, Word, query_words
from octavo.rank.plan import LibraryLookup
from octavo.records.fold import fold

FEW = 10
"""Fewer finds than this let a query be doubted."""
MAX_QUERY = 200
"""Characters of a query that is; longer ones are pasted, not typed."""
_SHORTEST = 4
"""Letters from which a word is worth correcting: shorter ones are near to everything."""
_RARE = 20
_RARE_SHARE = 0.0003
_MUCH = 100
"""A word that up to _RARE papers have, or that share of all, is an error all the same where one beside it is in _MUCH
times as many."""
_SLIP = 4.0
"""What a slip weighs against the decimal logarithm of how frequent the word is."""
_MOST_NEAR = 20
_SHORTEST_PART = 3
"""Letters of each of two words that were written as one, or of the whole that was written as two."""
_PIECE = re.compile(r'(?P<field>[^\W\d_][\w]*:)?(?P<open>[-!("]*)(?P<word>[^\s"():*]+)')

Replacement = tuple[int, int, str]
"""(where in the query, to where, what instead)."""


def correct(index: TextIndex, word: Word) -> Word | None:
    """The word that an unknown or suspiciously rare one was most likely meant to be; None where nothing is near.

    Near is one edit for words of up to seven letters, two for longer ones (Damerau-Levenshtein: a swap of neighbours
    is one edit). Candidates are words of titles that share its first or its second letter's place.
    """
    if len(word.exact) != 1:
        return None
    (typed,) = word.exact
    if len(typed) < _SHORTEST or not typed.isalpha():
        return None
    seen = _seen(index, word)
    if seen > _rare(index):
        return None
    best = _nearest(index, typed, more_than=max(1, _MUCH * seen))
    return next(iter(query_words(best[1])), None) if best else None


def suggest(
    index: TextIndex,
    query: str,
    completion: Completion | None = None,
    library: LibraryLookup = lambda _node: frozenset(),
) -> str | None:
    """What a query that finds hardly anything was most likely meant to be.

    None where the query as it stands finds enough, or where nothing more is found by what is near. Fields, quotes and
    operators stay as they are; with `completion` names are corrected, too; `library` is what the
    reader saved.
    """
    if len(query) > MAX_QUERY or has_chinese(query):
        return None
    found = _count(index, query, library)
    if found >= FEW:
        return None
    replaced = list(_replacements(index, query, completion))
    if not replaced:
        return None
    meant = query
    for start, end, instead in reversed(replaced):
        meant = meant[:start] + instead + meant[end:]
    return meant if _count(index, meant, library) > found else None


def _count(index: TextIndex, query: str, library: LibraryLookup) -> int:
    node = resolve(parse_lenient(query, names=BUNDLED).node, library)
    return index.search(compile_query(node), 1).total


def _replacements(index: TextIndex, query: str, completion: Completion | None) -> Iterator[Replacement]:
    """The words of a query that stand for others, in their order, each once."""
    pieces = [match for match in _PIECE.finditer(query) if match["word"] not in ("AND", "OR", "NOT", "ANDNOT")]
    at = 0
    while at < len(pieces):
        piece = pieces[at]
        field = find_field(piece["field"][:-1]) if piece["field"] else None
        kind = field.kind if field else Kind.WORDS
        start, end = piece.span("word")
        typed = piece["word"].rstrip(".,;!?")
        end -= len(piece["word"]) - len(typed)
        after = pieces[at + 1] if at + 1 < len(pieces) else None
        at += 1
        if kind is Kind.NAMES:
            if better := _better_name(completion, typed):
                yield start, end, better
        elif kind is Kind.WORDS and not _is_excluded(piece):
            if after and (joined := _joined_with(index, query[start : after.end()], typed, after)):
                yield start, after.end("word"), joined
                at += 1
                continue
            if better := _better_word(index, typed, completion):
                yield start, end, better


def _is_excluded(piece: re.Match[str]) -> bool:
    return "-" in piece["open"] or "!" in piece["open"]


def _better_word(index: TextIndex, typed: str, completion: Completion | None) -> str | None:
    """What a word stands for: another word, several, or a name."""
    word = next(iter(query_words(typed)), None)
    if word is None or len(word.exact) != 1 or not word.exact[0].isalpha():
        return None
    (folded,), seen = word.exact, _seen(index, word)
    if seen > _rare(index) or len(folded) < _SHORTEST:
        return None
    ways = [_split(index, folded), _nearest(index, folded, more_than=max(1, _MUCH * seen))]
    if (name := _better_name(completion, folded)) and completion:
        ways.append((_unlikely(folded, name, completion.count_in_names(name)), name))
    return min(filter(None, ways), default=(0.0, None))[1]


def _better_name(completion: Completion | None, typed: str) -> str | None:
    """The word of a name that one in nobody's name stands for."""
    typed = fold(typed)
    if completion is None or len(typed) < _SHORTEST or not typed.isalpha() or completion.count_in_names(typed):
        return None
    return next(iter(completion.near_in_names(typed, is_open=False)), None)


def _rare(index: TextIndex) -> float:
    return max(_RARE, index.n_papers * _RARE_SHARE)


def _seen(index: TextIndex, word: Word) -> int:
    """In how many papers a word is, in any of its forms, names included."""
    (exact,), searcher = word.exact, index.searcher()
    named = searcher.doc_freq("authors", exact) if searcher else 0
    stems = (min(map(index.document_frequency, way)) for way in word.alternatives)
    return max(index.count_word(exact), named, *stems)


def _unlikely(typed: str, meant: str, count: int) -> float:
    """How unlikely a word is to have been meant that so many papers have."""
    return cost(typed, meant) * _SLIP - log10(count + 1)


def _nearest(index: TextIndex, typed: str, more_than: int) -> tuple[float, str] | None:
    """The word of titles that was most likely meant, of those that more papers have than `more_than`, and how
    unlikely that is."""
    reach = 1 if len(typed) <= 7 else 2
    for prefix in dict.fromkeys((typed[0], typed[1])):
        known = dict(pair for pair in index.known_words(prefix) if abs(len(pair[0]) - len(typed)) <= reach)
        known.pop(typed, None)
        near = process.extract(
            typed, known.keys(), scorer=DamerauLevenshtein.distance, score_cutoff=reach, limit=_MOST_NEAR
        )
        counts = {text: index.count_word(text) for text, _, _ in near}
        if found := [(_unlikely(typed, text, n), text) for text, n in counts.items() if n > more_than]:
            return min(found)
    return None


def _split(index: TextIndex, typed: str, parts: int = 3) -> tuple[float, str] | None:
    """The words that were written as one (`reinforcementlearning`), and how unlikely that is: all are well known,
    and side by side somewhere."""
    rare, ways = _rare(index), list[tuple[float, str]]()
    for at in range(_SHORTEST_PART, len(typed) - _SHORTEST_PART + 1):
        one, other = typed[:at], typed[at:]
        if index.count_word(one) <= rare:
            continue
        if index.count_word(other) > rare:
            if together := _count_phrase(index, (one, other)):
                ways.append((_SLIP - log10(together + 1), f"{one} {other}"))
        elif parts > 2:
            rest = _split(index, other, parts - 1)
            if rest and _count_phrase(index, (one, *rest[1].split())):
                ways.append((rest[0], f"{one} {rest[1]}"))
    return min(ways, default=None)


def _joined_with(index: TextIndex, both: str, typed: str, after: re.Match[str]) -> str | None:
    """The word that a word and the plain one right behind it make."""
    is_plain = not after["field"] and not after["open"] and both.removeprefix(typed)[:1].isspace()
    return _joined(index, typed, after["word"]) if is_plain else None


def _joined(index: TextIndex, one: str, other: str) -> str | None:
    """The word that was written as two: `re inforcement`. It is well known, and they are hardly ever side by side."""
    first, second = fold(one), fold(other)
    whole = first + second
    if len(whole) < _SHORTEST_PART * 2 or not whole.isalpha() or {first, second} <= STOP_WORDS:
        return None
    if min(index.count_word(first), index.count_word(second)) > _MUCH * _RARE:
        return None
    count = index.count_word(whole)
    return whole if count > _RARE and count > _MUCH * _count_phrase(index, (first, second)) else None


def _count_phrase(index: TextIndex, words: tuple[str, ...]) -> int:
    ways = [phrase(text, words) for text in ("title", "abstract")]
    return index.search(any_of(ways), 1).total
