"""Telling what each word of a venue's name is: a venue, a track, an ordinal, a year, a place, or not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from octavo.records.venue_words import CITATION, MAIN, MONTHS, Token, roman, short_year
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
    by_first = phrases()
    last_end, here, of_acl = -1, 0, False
    while here < len(found):
        token = found[here]
        if token.kind == "y":
            reading.years[here] = token.value
        elif token.kind == "o":
            reading.ordinals.append(here)
        elif token.kind == "@":
            reading.signs.append(here)
        elif phrase := _phrase_at(found, here, by_first.get(token.text, ())):
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


def _phrase_at(found: list[Token], here: int, candidates: Sequence[Phrase]) -> Phrase | None:
    for phrase in candidates:
        end = here + 1 + len(phrase.rest)
        if end > len(found) or (phrase.cased and found[here].capitals < 2):
            continue
        if all(found[here + 1 + place].text == word for place, word in enumerate(phrase.rest)):
            return phrase
    return None
