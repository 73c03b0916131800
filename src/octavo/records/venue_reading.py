"""Telling what each word of a venue's name is: a venue, a track, an ordinal, a year, a place, or not known."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from typing import NamedTuple

from octavo.records.venue_words import CITATION, MAIN, MONTHS, WRITTEN_OUT, Token, roman, short_year
from octavo.records.venues import Phrase, phrases


class Mention(NamedTuple):
    """A venue's name among the tokens."""

    phrase: Phrase
    start: int
    end: int


class Reading(NamedTuple):
    """The tokens of a text, and what each of them is."""

    tokens: list[Token]
    mentions: list[Mention]
    tracks: list[tuple[int, str]]
    ordinals: list[int]
    years: dict[int, int]
    numbers: list[int]
    unknown: list[int]
    signs: list[int]
    """Places of `@`."""
    is_findings_of_acl: bool


_FINDINGS_OF_ACL = ("of", "the", "acl")


def scan(found: list[Token], quiet: frozenset[str] = frozenset()) -> Reading:
    """Tell what each token is; words of `quiet` count as nothing."""
    reading = Reading(found, [], [], [], {}, [], [], [], False)
    by_first = _by_second()
    last_end, here, of_acl = -1, 0, False
    while here < len(found):
        token = found[here]
        if token.kind == "y":
            reading.years[here] = token.value
        elif token.kind == "o":
            reading.ordinals.append(here)
        elif token.kind == "@":
            reading.signs.append(here)
        elif (seconds := by_first.get(token.text)) and (phrase := _phrase_at(found, here, seconds)):
            end = here + len(phrase.rest) + 1
            if phrase.venue:
                reading.mentions.append(Mention(phrase, here, end))
                last_end = end
            elif phrase.track not in ("", MAIN):
                reading.tracks.append((here, phrase.track))
                of_acl = of_acl or phrase.rest == _FINDINGS_OF_ACL
            here = end
            continue
        elif here == last_end and (short := short_year(token)):
            reading.years[here] = short
        elif token.kind == "n" or (roman(token.text) and (here == last_end or found[here - 1].text in CITATION)):
            reading.numbers.append(here)
        elif token.text not in MONTHS and token.text not in CITATION and token.text not in quiet:
            reading.unknown.append(here)
        here += 1
    return reading._replace(is_findings_of_acl=of_acl)


_WORDS = re.compile(r"[a-z]+")


def may_mention(lower: str) -> bool:
    """Whether `scan` can find a venue in a text, in lower case; a quick look at its words, which may say yes for
    nothing."""
    return not lower.isascii() or not _telling_words().isdisjoint(_WORDS.findall(lower))


@cache
def _telling_words() -> frozenset[str]:
    """A word of each venue's name, the one that the fewest names have; none that is also written short."""
    names = [(first, *phrase.rest) for first, found in phrases().items() for phrase in found if phrase.venue]
    counts = Counter(word for name in names for word in set(name))
    telling = set()
    for name in names:
        whole = [part for word in name for part in _WORDS.findall(word) if word.isascii() and word not in WRITTEN_OUT]
        telling.add(min(whole or list(name), key=lambda word: (counts[word], word)))
    return frozenset(telling)


Seconds = dict[str, tuple[Phrase, ...]]
"""Phrases of one first word by their second, the longest first; those of one word under an empty text."""


@cache
def _by_second() -> dict[str, Seconds]:
    """All phrases by their first two words: a hundred begin with `international`."""
    table: dict[str, Seconds] = {}
    for first, found in phrases().items():
        seconds = {phrase.rest[0] if phrase.rest else "" for phrase in found}
        table[first] = {
            second: tuple(phrase for phrase in found if (phrase.rest[0] if phrase.rest else "") == second)
            for second in seconds
        }
    return table


def _phrase_at(found: list[Token], here: int, seconds: Seconds) -> Phrase | None:
    if here + 1 < len(found) and (longer := seconds.get(found[here + 1].text)):
        for phrase in longer:
            end = here + 1 + len(phrase.rest)
            if end > len(found) or (phrase.cased and found[here].capitals < 2):
                continue
            if len(phrase.rest) == 1 or all(
                found[here + 1 + place].text == word for place, word in enumerate(phrase.rest)
            ):
                return phrase
    for phrase in seconds.get("", ()):
        if not (phrase.cased and found[here].capitals < 2):
            return phrase
    return None
