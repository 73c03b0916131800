"""Two lists of authors: who stands in both, in which order, and how much the common names tell.

Sources write one person `J. D. Ullman`, `Jeffrey Ullman`, `ullman, jeffrey d.` or `Ullman Jeffrey`; they sort the list,
cut it behind the third name, and mistype. A family name alone is no person: `Wei Wang` and `Lei Wang` are two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from octavo.ingest.linking.rarity import weight_of_family
from octavo.records.fold import fold
from octavo.records.names import Author, family_key

MOST_PEOPLE = 60
"""Authors of a list that are compared; the number of all is compared too."""
_INITIALS = re.compile("[A-Z]{2,3}|[b-df-hj-np-tv-xz]{2,3}")
"""Initials written together: `JD`, `jd`."""
_MISTYPED = 84.0
"""rapidfuzz ratio of whole names from which one is a mistyped form of the other."""
_MISTYPED_INITIALS = 90.0
"""The same of family names, where given names are initials."""
_LOOSE = 8
"""Names left over on either side up to which mistyped ones are looked for."""


@dataclass(frozen=True, slots=True)
class Person:
    """An author's name as far as sources can be expected to agree on it."""

    family: str
    """Folded, without particles, blanks and hyphens."""
    first: str = ""
    """The first given name, folded; empty where only its initial is known."""
    initials: str = ""
    """First letters of the given names."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What two lists of authors have in common."""

    matched: float
    """Names in common; one that agrees by halves counts so."""
    telling: float
    """What the common names tell: 1 each, common family names less."""
    smaller: int
    larger: int
    in_order: bool
    """The common names stand in one order."""
    first: bool
    """The first author is the same."""


@lru_cache(maxsize=1 << 17)
def person_of(family: str, given: str) -> Person:
    """Reduce a name to what is compared, by the parts that an Author has."""
    key = family_key(Author(family, "", family))
    words = fold(given).replace(".", " ").replace("-", " ").split()
    first = words[0] if words and len(words[0]) > 1 else ""
    if len(words) == 1 and len(first) <= 3 and _INITIALS.fullmatch(given):
        return Person(key, "", first)
    return Person(key, first, "".join(word[0] for word in words))


def agree(ones: Sequence[Person], others: Sequence[Person], n_ones: int, n_others: int) -> Agreement:
    """Hold two lists of authors against each other; `n_ones` and `n_others` are the lengths before any cut."""
    if ones == others:
        return Agreement(len(ones), sum(map(_tells, ones)), *_sizes(n_ones, n_others), in_order=True, first=True)
    places: dict[str, list[int]] = {}
    for place, person in enumerate(others):
        places.setdefault(person.family, []).append(place)
    taken: dict[int, int] = {}
    credit: dict[int, float] = {}
    left = []
    for at, person in enumerate(ones):
        place, part = _best(person, others, places.get(person.family, ()), taken)
        if part:
            taken[place], credit[at] = at, part
        else:
            left.append(at)
    if left and len(taken) < len(others):
        _match_rest(ones, others, left, taken, credit)
    order = [taken[place] for place in sorted(taken)]
    return Agreement(
        sum(credit.values()),
        sum(_tells(ones[at]) * part for at, part in credit.items()),
        *_sizes(n_ones, n_others),
        in_order=order == sorted(order),
        first=taken.get(0) == 0,
    )


def _sizes(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _tells(person: Person) -> float:
    """What it tells that this name stands in both lists, up to 1: a rare family name, or a given name with it."""
    return min(1.0, weight_of_family(person.family) + (0.3 if person.first else 0.1 if person.initials else 0.0))


def _best(person: Person, others: Sequence[Person], among: Sequence[int], taken: dict[int, int]) -> tuple[int, float]:
    """The place, among those of the same family name, of the given name that fits best, and how well it does."""
    best, credit = -1, 0.0
    for place in among:
        if place not in taken and (part := _given(person, others[place])) > credit:
            best, credit = place, part
            if part == 1.0:
                break
    return best, credit


def _given(one: Person, other: Person) -> float:
    """How well the given names of one family's members agree: 0 where they are two people's."""
    if not one.initials or not other.initials:
        return 0.7
    if one.first and other.first:
        if one.first == other.first:
            return 1.0
        if one.first.startswith(other.first) or other.first.startswith(one.first):
            return 0.9
        if fuzz.ratio(one.first, other.first) >= _MISTYPED:
            return 0.9
        if one.first[0] == other.first[0]:
            return 0.5
        # A middle name that is used: `J. Eliot Moss`.
        return 0.5 if one.first[0] in other.initials[1:] or other.first[0] in one.initials[1:] else 0.0
    if one.initials[0] == other.initials[0]:
        return 0.9
    return 0.5 if one.initials[0] in other.initials[1:] or other.initials[0] in one.initials[1:] else 0.0


def _match_rest(
    ones: Sequence[Person],
    others: Sequence[Person],
    left: list[int],
    taken: dict[int, int],
    credit: dict[int, float],
) -> None:
    """Match names with family and given name exchanged, and mistyped ones."""
    free = [place for place in range(len(others)) if place not in taken]
    if len(left) > _LOOSE or len(free) > _LOOSE:
        return
    for at in left:
        one = ones[at]
        for place in free:
            if place not in taken and (part := _other_spelling(one, others[place])):
                taken[place], credit[at] = at, part
                break


def _other_spelling(one: Person, other: Person) -> float:
    """How well two names of other family names agree, as one with its parts exchanged, or mistyped."""
    if one.family == other.family:
        return 0.0
    if one.first and one.first == other.family and (other.first == one.family or not other.first):
        return 0.9
    if other.first and other.first == one.family and not one.first:
        return 0.7
    if weight_of_family(one.family) < 1.0 and weight_of_family(other.family) < 1.0:
        # `Chen` and `Cheng` are two names, and not one mistyped.
        return 0.0
    if one.first and other.first:
        # A slip at the very beginning of both parts is too rare to look for.
        if one.first[0] != other.first[0] and one.family[0] != other.family[0]:
            return 0.0
        written, other_written = one.first + one.family, other.first + other.family
        return 0.8 if len(written) > 5 and fuzz.ratio(written, other_written, score_cutoff=_MISTYPED) else 0.0
    if one.initials[:1] != other.initials[:1] or len(one.family) <= 5:
        return 0.0
    # Initials say nearly nothing of who it is, so the family names have to be very near.
    least = _MISTYPED if one.first or other.first else _MISTYPED_INITIALS
    return 0.7 if fuzz.ratio(one.family, other.family, score_cutoff=least) else 0.0
