"""Names as a person's variants: which spellings may be one person's, and what says that two are.

`Bengio, Y.`, `Y Bengio` and `Yoshua Bengio` fit each other; whether they are one person, a name alone never says. A
Spelling is compared by its family name (accents and particles folded away) and its given names, word by word: an
initial fits the names that begin with it, a middle name may be missing, two that differ keep apart. Chinese, Japanese
and Korean names are compared as they are written: neither their order nor their romanisation is guessed, so `王伟`,
`Wei Wang` and `Wang Wei` are three names.

>>> [fit("Yoshua Bengio", other).name for other in ("Bengio, Y.", "Yoshua J. Bengio", "Samy Bengio")]
['INITIAL', 'FULL', 'NO']
>>> is_uncommon("bengio"), is_uncommon("wang")
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import NamedTuple

from octavo.records.author_lists import PARTICLES, SUFFIXES
from octavo.records.fold import fold
from octavo.records.names import Author, family_key, parse_author

UNCOMMON = 60
"""Given names that a family name was seen with at most, to be uncommon: `Bengio` with fewer than 10, `Wang` with 4,890.

A count of given names tells how many people could be meant; a count of papers would call the family of one busy author
common.
"""
RARE = 25
"""The same for a rare one, of which a single agreement tells enough."""

ID_KINDS = ("orcid", "dblp", "openreview", "acl")
"""Whose word on who is who counts: people's own profiles, and numbers that editors gave, the most trusted first.

What OpenAlex and Semantic Scholar give are guesses of programs, which split and mix people: they join nobody.
"""

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa", "Ä": "ae", "Ö": "oe", "Ü": "ue"})
_UMLAUTS_WRITTEN = re.compile("[äöüøåÄÖÜØ]")
_AS_TYPED = re.compile("([aou])e|(a)a")
_WORDS = re.compile(r"[^\W_]+(?:['’.-]+[^\W_]+)*\.?")
_DOTTED = re.compile(r"(?:[^\W\d_]\.-?)+")
_LETTERS = re.compile(r"[\W_]+")
_RUN_OF_INITIALS = re.compile("[B-DF-HJ-NP-TV-XZ]{2,3}|[A-Z]{2}")
_FIRST_SIGN = "\u3040"
_NUMBERED = re.compile(r"(.+) ([0-9]{4})")
_PROFILE = re.compile(r"~[^\s/]+[0-9]+")


class Fit(IntEnum):
    """How well two spellings fit each other."""

    NO = 0
    """They are two people's."""
    INITIAL = 1
    """One has an initial where the other has the first given name, or both have the initial alone."""
    FULL = 2
    """The first given name is the same, and nothing contradicts."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """A name, reduced to what its variants share."""

    families: tuple[str, ...]
    """The last word of the family name, folded; where it has umlauts, also as they are typed without: `schoelkopf`."""
    given: tuple[str, ...] = ()
    """What stands before it, word by word, folded, without particles; an initial is one letter."""
    suffix: str = ""

    @property
    def family(self) -> str:
        """The family name as a key."""
        return self.families[0]

    @property
    def is_full(self) -> bool:
        """Whether the first given name is known, not its initial alone."""
        return bool(self.given) and not _is_initial(self.given[0])


class PersonId(NamedTuple):
    """What names a person for good. Two that differ but in `value` are two people's."""

    kind: str
    """One of ID_KINDS; DBLP's numbers count within one name, so that name is part of their kind."""
    value: str

    @property
    def scheme(self) -> str:
        """`dblp` of `dblp wei wang`."""
        return self.kind.partition(" ")[0]

    @property
    def name(self) -> str:
        """The name that the id is made of, where it is made of one: `Wei Wang` of `~Wei_Wang1`."""
        if self.kind == "openreview":
            return _profile_name(self.value)
        return self.value.replace("-", " ") if self.kind == "acl" else ""


# -- spellings --------------------------------------------------------------------------------------------------------


def spelling(name: str) -> Spelling:
    """A name in either order as a Spelling; without families where it names no one."""
    return _spelling_of_name(name)


def spelling_of(person: Author) -> Spelling:
    """An author's name as a Spelling, by the parts that the source gives."""
    return _spelling(person.given, person.family or person.name, person.suffix)


@lru_cache(maxsize=1 << 16)
def _spelling_of_name(name: str) -> Spelling:
    person = parse_author(name)
    return spelling_of(person) if person.name else Spelling(("",))


@lru_cache(maxsize=1 << 16)
def _spelling(given: str, family: str, suffix: str) -> Spelling:
    words = [word for word in family.split() if fold(word) not in PARTICLES] or family.split()[-1:]
    if not given and len(words) > 1:
        return Spelling(_families(family))  # a team, or a mononym of several words
    # What is a middle name to one source is the first of two family names to the other.
    before = [*given.split(), *words[:-1]]
    in_capitals = len(family) > 1 and family.isupper()
    return Spelling(_families(words[-1] if words else ""), tuple(_given(before, in_capitals)), _suffix(suffix))


def _suffix(suffix: str) -> str:
    return SUFFIXES.get(fold(suffix), suffix).rstrip(".").lower()


def _families(family: str) -> tuple[str, ...]:
    key = family_key(Author(family, "", family)) or fold(family)
    if not _UMLAUTS_WRITTEN.search(family):
        return (key,)
    return tuple(dict.fromkeys((key, _LETTERS.sub("", fold(family.translate(_UMLAUTS))))))


def _given(before: Iterable[str], in_capitals: bool) -> Iterator[str]:
    for written in before:
        for word in _WORDS.findall(written):
            if _DOTTED.fullmatch(word):
                yield from filter(None, (fold(letter) for letter in re.split("[.-]+", word)))
            elif not in_capitals and _RUN_OF_INITIALS.fullmatch(word):
                yield from word.lower()
            elif fold(word.rstrip(".")) not in PARTICLES:
                # `Xiao-Ming` is one name, and not Xiao with a middle name.
                yield _LETTERS.sub("", fold(word))


def typed_families(family: str) -> tuple[str, ...]:
    """The keys that a family name is looked for under: `schoelkopf` also as `scholkopf`, which `Schölkopf` folds to."""
    plain = _AS_TYPED.sub(lambda found: found[1] or found[2], family)
    return (family,) if plain == family else (family, plain)


def fit(one: str | Spelling, other: str | Spelling) -> Fit:
    """How well two names fit each other; the same either way round."""
    return _fit(
        one if isinstance(one, Spelling) else spelling(one), other if isinstance(other, Spelling) else spelling(other)
    )


@lru_cache(maxsize=1 << 16)
def _fit(one: Spelling, other: Spelling) -> Fit:
    if not one.family or not set(one.families) & set(other.families):
        return Fit.NO
    return fit_given(one, other)


def fit_given(one: Spelling, other: Spelling) -> Fit:
    """How well two names fit each other whose family names are taken to be one: `Scholkopf` and `Schoelkopf`, which
    both fit `Schölkopf`."""
    if one.suffix and other.suffix and one.suffix != other.suffix:
        return Fit.NO
    if not one.given or not other.given:
        return Fit.FULL if one.given == other.given else Fit.NO
    if "".join(one.given) == "".join(other.given) and one.is_full and other.is_full:
        return Fit.FULL  # `Xiao Ming` and `Xiaoming`
    first, other_first = one.given[0], other.given[0]
    if not _agree(first, other_first):
        return Fit.NO
    middle, other_middle = sorted((one.given[1:], other.given[1:]), key=len)
    if not _is_among(middle, other_middle):
        return Fit.NO
    return Fit.FULL if first == other_first and one.is_full else Fit.INITIAL


def _is_initial(word: str) -> bool:
    """Whether a word is one letter; a Chinese, Japanese or Korean sign is a whole name."""
    return len(word) == 1 and word < _FIRST_SIGN


def _agree(one: str, other: str) -> bool:
    return (
        one == other or (_is_initial(one) and other.startswith(one)) or (_is_initial(other) and one.startswith(other))
    )


def _is_among(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    """Whether each of the few agrees with one of the many, in order."""
    left = iter(many)
    return all(any(_agree(word, other) for other in left) for word in few)


# -- how common -------------------------------------------------------------------------------------------------------


@cache
def _commonness() -> dict[str, int]:
    text = (files("octavo.data") / "families.tsv").read_text(encoding="utf-8")
    lines = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {family: int(count) for family, count in lines}


def commonness(family: str) -> int:
    """How many given names a family name (folded, as in `Spelling.families`) was seen with; 0 where hardly any."""
    return _commonness().get(family, 0)


def is_uncommon(family: str, most: int = UNCOMMON) -> bool:
    """Whether hardly more than one person of a given name can be expected to bear the family name.

    Names that are not in Latin letters are not counted, so none of them is uncommon; nor is a name of two letters.
    """
    return family.isascii() and len(family) > 2 and commonness(family) <= most


# -- identity ---------------------------------------------------------------------------------------------------------


def person_ids(person: Author) -> frozenset[PersonId]:
    """The ids of an author that say who it is (`ID_KINDS`).

    None where an OpenReview profile is among them that bears quite another name: the source's lists of names and of ids
    are in two orders then, and all that came with it is someone else's (pitfall C20).
    """
    if not (person.orcid or person.ids):
        return frozenset()
    found = {PersonId("orcid", person.orcid)} if person.orcid else set()
    found.update(filter(None, map(_person_id, person.ids)))
    if any(known.kind == "openreview" and not _names_alike(known.value, person.name) for known in found):
        return frozenset()
    return frozenset(found)


def _names_alike(profile: str, name: str) -> bool:
    """Whether a profile's id, `~Wei_Wang1`, and a name have a word in common; a name in other letters may."""
    ours, theirs = (set(_LETTERS.sub(" ", fold(text)).split()) for text in (name, _profile_name(profile)))
    return bool(ours & theirs) or not all(word.isascii() for word in ours)


def _profile_name(profile: str) -> str:
    return profile.removeprefix("~").rstrip("0123456789").replace("_", " ")


def _person_id(text: str) -> PersonId | None:
    scheme, _, value = text.partition(":")
    if scheme == "dblp" and value.startswith("pid/"):
        return PersonId("dblp", value)
    if scheme == "dblp" and (numbered := _NUMBERED.fullmatch(value)):
        return PersonId(f"dblp {fold(numbered[1])}", value)
    if (scheme == "openreview" and _PROFILE.fullmatch(value)) or (scheme == "acl" and value):
        return PersonId(scheme, value)
    return None
