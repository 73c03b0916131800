"""Gathering the papers of a name, with its variants, and parting them into people (`rank.parting`).

Candidates come from the word index by family name and first letter; each list of authors is read, and of the papers on
which the name or a variant stands, the records: what one source calls `Y. Bengio` another may call by name and ORCID.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from octavo.catalogue.authorships import Authorships
from octavo.index.text import TextIndex
from octavo.index.text_query import any_of, compile_query
from octavo.query.ast import Phrase
from octavo.query.words import exact_words
from octavo.rank.parting import COMMON, Gathered, Ground, Mention, Parted, part
from octavo.records.fold import fold
from octavo.records.names import Author, parse_author
from octavo.records.people import (
    PersonId,
    Spelling,
    fit,
    fit_given,
    is_uncommon,
    person_ids,
    spelling,
    spelling_of,
    typed_families,
)

MOST_CANDIDATES = 20_000
"""Papers whose lists of authors are read: of 230,000 papers `Wei Wang` has 1,374, `Yang Liu` 3,046."""
MOST_PAPERS = 2_000
"""Papers of one name that are parted, those added last; only an initial of a common name has more."""
MOST_COAUTHORS = 50
"""Authors of a paper that know each other; a paper with more says nothing of who is who."""


@dataclass(frozen=True, slots=True)
class Bearers:
    """The papers of a name."""

    name: str
    parted: Parted
    names: Mapping[str, int]
    """The name's variants as papers have them, the usual ones first, with the number of papers."""
    left_out: int = 0
    """Papers that were too many to be read."""
    unsure: Mapping[str, int] = field(default_factory=dict)
    """Names with an initial that may as well stand for another whole name, with the number of papers; these are not
    among the others."""


def gather(index: TextIndex, authorships: Authorships, name: str) -> Bearers:
    """Gather the papers of a name. Its variants are those that fit it; of an initial all the names that it may be."""
    asked = spelling(name)
    shown = parse_author(name).name
    if not asked.family:
        return Bearers(shown, Parted((), ()), {})
    candidates = _candidates(index, name, asked)
    found: dict[int, list[tuple[int, str]]] = {}
    others: set[Spelling] = set()
    lists: dict[int, list[str]] = {}
    for pk, names in authorships.names(candidates):
        places = list(_places(names, asked, others))
        if places:
            found[pk], lists[pk] = places, names
    kept = sorted(found, reverse=True)[:MOST_PAPERS]
    labels: dict[str, str] = {}
    claims = _claims(authorships, kept)
    mentions = []
    for one in (one for pk in kept for one in _mentions(pk, found[pk], lists[pk], claims.get(pk, ()), labels)):
        if all(fit_given(asked, way) for way in one.spellings):
            mentions.append(one)
        else:  # a record gives the whole name, and it is someone else's
            others |= {way for way in one.spellings if way.is_full}
    parted = part(mentions, others)
    unsure: set[Mention] = set()
    if asked.is_full:
        apart = [*parted.people, *(Gathered((one,), ()) for one in parted.rest)]
        unsure = {one for group in apart if _may_be_another(group, others) for one in group.mentions}
    parted = Parted(
        tuple(group for group in _labelled(parted, labels).people if not unsure.intersection(group.mentions)),
        tuple(one for one in parted.rest if one not in unsure),
    )
    names_of = counted(one.name for one in mentions if one not in unsure)
    return Bearers(shown, parted, names_of, len(found) - len(kept), counted(one.name for one in unsure))


def counted(names: Iterable[str]) -> dict[str, int]:
    """How often each name stands there, the usual ones first."""
    return dict(sorted(Counter(names).items(), key=lambda item: (-item[1], item[0])))


def _may_be_another(group: Gathered, others: Iterable[Spelling]) -> bool:
    """Whether it has but initials, and they fit another whole name of the family."""
    ways = {way for one in group.mentions for way in one.spellings}
    return not any(way.is_full for way in ways) and any(fit(way, other) for other in others for way in ways)


def _candidates(index: TextIndex, name: str, asked: Spelling) -> list[int]:
    """The papers of everyone with that family name and first letter."""
    person = parse_author(name)
    phrases = set()
    if not asked.given or not asked.family.isascii():
        # In Chinese letters a name is written with a blank or without one.
        ways = (person.name, person.name.replace(" ", ""), f"{person.family} {person.given}")
        phrases = {tuple(exact_words(way)) for way in ways}
    if asked.given:
        letter = asked.given[0][0]
        typed = ([way] for family in asked.families for way in typed_families(family))
        phrases |= {(*words, letter) for words in (exact_words(person.family.split()[-1]), *typed)}
    query = any_of([compile_query(Phrase("author", words)) for words in sorted(phrases)])
    return [pk for pk, _ in index.search(query, MOST_CANDIDATES).hits]


def _places(names: Sequence[str], asked: Spelling, others: set[Spelling]) -> Iterator[tuple[int, str]]:
    """Where variants of the name stand; whole names that only share its first letter are put into `others`."""
    wanted = set(asked.families)
    for place, written in enumerate(names):
        # Reading a name takes a hundred times as long as this.
        if written.isascii() and asked.family.isascii() and not any(key[:3] in written.lower() for key in wanted):
            continue
        way = spelling(written)
        if not wanted.intersection(way.families):
            continue
        if fit(asked, way):
            yield place, written
        elif way.is_full and asked.given and way.given[0][0] == asked.given[0][0]:
            others.add(way)


def _claims(authorships: Authorships, pks: Sequence[int]) -> dict[int, list[list[Author]]]:
    """The lists of authors that the records of papers have."""
    found: dict[int, list[list[Author]]] = defaultdict(list)
    for pk, claim in authorships.claimed(pks):
        found[pk].append([_author(one) for one in json.loads(claim).get("authors", ())])
    return found


def _author(one: Mapping[str, object]) -> Author:
    """An author as `records.codec` writes it; the whole record is not needed, and takes four times as long to read."""
    name, given, family, suffix = (str(one.get(field, "")) for field in ("name", "given", "family", "suffix"))
    places, ids = one.get("affiliations"), one.get("ids")
    return Author(
        name,
        given,
        family,
        suffix,
        tuple(map(str, places)) if isinstance(places, list) else (),
        str(one.get("orcid", "")),
        tuple(map(str, ids)) if isinstance(ids, list) else (),
    )


def _mentions(
    pk: int,
    places: Sequence[tuple[int, str]],
    names: Sequence[str],
    claims: Iterable[list[Author]],
    labels: dict[str, str],
) -> Iterator[Mention]:
    """The mentions of one paper."""
    claims = list(claims)
    for place, written in places:
        own = spelling(written)
        spellings, ids, affiliations = {own}, set[PersonId](), set[str]()
        for authors in claims:
            if (one := _same(authors, place, own, names)) is not None:
                spellings.add(spelling_of(one))
                ids |= person_ids(one)
                affiliations.update(filter(None, map(fold, one.affiliations)))
        # `M. Example` with the id `mia-example` is a whole name.
        spellings |= {way for known in ids if known.name and fit(own, way := spelling(known.name))}
        yield Mention(
            pk,
            place,
            written,
            frozenset(spellings),
            frozenset(ids),
            coauthor_keys([other for at, other in enumerate(names) if at != place], labels),
            frozenset(affiliations),
        )


def _same(authors: Sequence[Author], place: int, own: Spelling, names: Sequence[str]) -> Author | None:
    """The author of a record who is the one at `place` of the paper: by place where both lists are as long, else the
    only one whose name fits."""
    if len(authors) == len(names):
        return authors[place] if fit(spelling_of(authors[place]), own) else None
    fitting = [one for one in authors if fit(spelling_of(one), own)]
    if len(fitting) != 1 or sum(1 for name in names if fit(spelling(name), own)) != 1:
        return None
    return fitting[0]


def coauthor_keys(names: Sequence[str], labels: dict[str, str] | None = None) -> frozenset[str]:
    """What the authors beside one are known by: a whole name alone (with a sign where it is common), and any two
    together by their initials (`a+b`).

    `labels` is given the names of the keys as they are written.

    >>> sorted(coauthor_keys(["Aaron Courville", "Wei Wang", "Li, Y."]))
    ['courville a+li y', 'courville a+wang w', 'courville aaron', 'li y+wang w', '~wang wei']
    """
    if not names or len(names) >= MOST_COAUTHORS:
        return frozenset()
    labels = {} if labels is None else labels
    keys = set()
    weak = {}
    for name in names:
        way = spelling(name)
        if not way.family or not way.given:
            continue
        weak[f"{way.family} {way.given[0][0]}"] = name
        if way.is_full:
            key = f"{way.family} {way.given[0]}"
            keys.add(key := key if is_uncommon(way.family) else COMMON + key)
            labels.setdefault(key, name)
    for one, other in combinations(sorted(weak), 2):
        keys.add(key := f"{one}+{other}")
        labels.setdefault(key, f"{weak[one]} + {weak[other]}")
    return frozenset(keys)


def _labelled(parted: Parted, labels: Mapping[str, str]) -> Parted:
    """Let grounds name co-authors as they are written."""

    def named(ground: Ground) -> Ground:
        if ground.kind != "coauthors":
            return ground
        return replace(ground, value="; ".join(labels.get(key, key) for key in ground.value.split("; ")))

    people = (Gathered(one.mentions, tuple(map(named, one.grounds))) for one in parted.people)
    return replace(parted, people=tuple(people))
