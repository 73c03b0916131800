"""Parting the papers of one name into people: pure, and the same for every order of the papers.

A mention is one author of one paper. Groups of mentions are joined in steps, each on evidence of one sort:

1. the same id of a person: ORCID, DBLP, OpenReview, ACL Anthology (`records.people.ID_KINDS`);
2. where the family name is uncommon: a common co-author whose own name is whole and uncommon, or two of any; where it
   is rare, one whose name is whole;
3. an initial, where one given name alone fits it in the whole catalogue: co-authors as in step 2, an affiliation, or a
   rare family name of which there is no other group.

Two groups are *at odds*, and never joined, where they have different ids of one kind, are authors of one paper, or (but
for step 1) have given names that do not fit. Where evidence leads from a group at odds to another, the groups between
them go to the one that they are directly beside, if it is the only one, and else stay as they are: near-chains glue
nobody together, and no order of joining decides.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from octavo.records.people import ID_KINDS, RARE, UNCOMMON, Fit, PersonId, Spelling, fit, fit_given, is_uncommon

COMMON = "~"
"""How the key of a co-author begins whose own family name is common."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One author of one paper."""

    paper: int
    place: int
    """Which of its authors, from 0."""
    name: str
    """As the paper has it."""
    spellings: frozenset[Spelling]
    """Of the paper, and of those records that have this author."""
    ids: frozenset[PersonId] = frozenset()
    coauthors: frozenset[str] = frozenset()
    """What a common co-author is known by (`rank.people.coauthor_keys`)."""
    affiliations: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ground:
    """Why mentions are one person's."""

    kind: str
    """One of ID_KINDS, `coauthors`, `initials` (of which co-authors or affiliations agree) or `only` (which are the
    only ones that fit)."""
    value: str
    """The id, co-authors parted by `; `, or the name that the initials stand for."""
    papers: int
    """How many papers it is the reason for."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Mentions that are one person's, as far as the evidence goes."""

    mentions: tuple[Mention, ...]
    grounds: tuple[Ground, ...]

    @property
    def ids(self) -> tuple[PersonId, ...]:
        """The person's ids, the most trusted first."""
        return tuple(sorted({known for one in self.mentions for known in one.ids}, key=_trust))


@dataclass(frozen=True, slots=True)
class Parted:
    """The papers of a name: people, and the mentions that nothing tells apart."""

    people: tuple[Gathered, ...]
    rest: tuple[Mention, ...]


@dataclass(slots=True)
class _Group:
    mentions: list[Mention]
    grounds: dict[str, list[tuple[str, Mention]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def ids(self) -> set[PersonId]:
        return {known for one in self.mentions for known in one.ids}

    @property
    def spellings(self) -> set[Spelling]:
        return {way for one in self.mentions for way in one.spellings}

    @property
    def papers(self) -> set[int]:
        return {one.paper for one in self.mentions}

    @property
    def is_full(self) -> bool:
        return any(way.is_full for way in self.spellings)

    @property
    def coauthors(self) -> set[str]:
        return {key for one in self.mentions for key in one.coauthors}

    @property
    def telling(self) -> set[str]:
        """Co-authors without those of a common name."""
        return {key for key in self.coauthors if not key.startswith(COMMON)}

    @property
    def agreeing(self) -> set[str]:
        """What agrees with an initial: co-authors and affiliations."""
        return self.telling.union(f"@{key}" for one in self.mentions for key in one.affiliations)

    @property
    def rank(self) -> tuple[tuple[int, int], ...]:
        """What puts groups in order, whatever order they came in."""
        return tuple(sorted((one.paper, one.place) for one in self.mentions))


Keys = Callable[[_Group], Iterable[object]]


def part(mentions: Iterable[Mention], others: Iterable[Spelling] = ()) -> Parted:
    """Part mentions of one name into people; `others` are whole names of the family that are not asked for, but that
    an initial may stand for as well."""
    found = _without_doubled_ids(sorted(set(mentions), key=lambda one: (one.paper, one.place)))
    full = {way for one in found for way in one.spellings if way.is_full} | {way for way in others if way.is_full}
    groups = _by_ids([_Group([one]) for one in found])
    groups = _by_coauthors(groups, full)
    groups = _by_initials(groups, full)
    people = [group for group in groups if len(group.mentions) > 1 or group.ids]
    rest = [one for group in groups if not (len(group.mentions) > 1 or group.ids) for one in group.mentions]
    gathered = [_gathered(group) for group in sorted(people, key=lambda group: (-len(group.papers), group.rank))]
    return Parted(tuple(gathered), tuple(sorted(rest, key=lambda one: (one.paper, one.place))))


def _without_doubled_ids(mentions: Sequence[Mention]) -> list[Mention]:
    """Leave ids out that one paper gives to two of its authors: they are nobody's."""
    given = Counter((one.paper, known) for one in mentions for known in one.ids)
    if not given or max(given.values()) == 1:
        return list(mentions)
    return [
        Mention(
            one.paper,
            one.place,
            one.name,
            one.spellings,
            frozenset(known for known in one.ids if given[one.paper, known] == 1),
            one.coauthors,
            one.affiliations,
        )
        for one in mentions
    ]


# -- the steps --------------------------------------------------------------------------------------------------------


def _by_ids(groups: list[_Group]) -> list[_Group]:
    """Join what has the same ids, then what shares one, kind by kind."""

    def all_of(group: _Group) -> Iterable[object]:
        return (frozenset(group.ids),) if group.ids else ()

    groups = _join(groups, all_of, "", by_spelling=False)
    for scheme in ID_KINDS:

        def of_scheme(group: _Group, scheme: str = scheme) -> Iterable[object]:
            return (known for known in group.ids if known.scheme == scheme)

        groups = _join(groups, of_scheme, "", by_spelling=False)
    return groups


def _by_coauthors(groups: list[_Group], full: set[Spelling]) -> list[_Group]:
    """Join what shares co-authors, where the family name is uncommon: first what is spelled alike, then its variants.
    A name with an initial waits, where the initial may stand for a whole name."""

    def shared(group: _Group) -> Iterable[object]:
        if not _is_uncommon(group) or not (group.is_full or not _meant(frozenset(group.spellings), full)):
            return ()
        return group.coauthors if _is_uncommon(group, RARE) else group.telling

    def alike(group: _Group) -> Iterable[object]:
        given = {way.given for way in group.spellings}
        return ((*given, key) for key in shared(group)) if len(given) == 1 else ()

    return _join(_join(groups, alike, "coauthors"), shared, "coauthors")


def _by_initials(groups: list[_Group], full: set[Spelling]) -> list[_Group]:
    """Let names with an initial join the only whole name that fits."""
    whole = [group for group in groups if group.is_full]
    holders: dict[str, set[int]] = defaultdict(set)
    for at, group in enumerate(whole):
        for key in group.agreeing:
            holders[key].add(at)
    joining: dict[int, list[tuple[_Group, str]]] = defaultdict(list)
    for group in groups:
        if not whole or group.is_full or len(_meant(frozenset(group.spellings), full)) != 1:
            continue
        near = {at for key in group.agreeing for at in holders.get(key, ())}
        beside = [at for at in near if not _odd_groups([group, whole[at]])]
        if len(beside) == 1:
            joining[beside[0]].append((group, "initials"))
        elif not beside and len(whole) == 1 and not _odd_groups([group, whole[0]]) and _is_uncommon(group, RARE):
            joining[0].append((group, "only"))
    gone: set[int] = set()
    for at, found in joining.items():
        odd = _odd_groups([group for group, _ in found])
        for n, (group, kind) in enumerate(found):
            if n not in odd:
                _put_into(whole[at], group, kind)
                gone.add(id(group))
    return [group for group in groups if id(group) not in gone]


def _is_uncommon(group: _Group, most: int = UNCOMMON) -> bool:
    return all(is_uncommon(way.family, most) for way in group.spellings)


def _meant(spellings: frozenset[Spelling], full: set[Spelling]) -> list[Spelling]:
    """The whole names that spellings with initials may stand for: none, one (with its variants), or two of them."""
    fitting = sorted((way for way in full if all(fit(way, one) for one in spellings)), key=repr)
    for n, one in enumerate(fitting):
        for other in fitting[n + 1 :]:
            if not fit(one, other):
                return [one, other]
    return fitting[:1]


# -- joining ----------------------------------------------------------------------------------------------------------


def _join(groups: list[_Group], keys: Keys, ground: str, *, by_spelling: bool = True) -> list[_Group]:
    """Join the groups that share a key, directly or through others, as far as none of them are at odds."""
    found = [set(keys(group)) for group in groups]
    joined: list[_Group] = []
    for component in _components(found):
        if len(component) == 1:
            joined.append(groups[component[0]])
            continue
        odd = {component[at] for at in _odd_groups([groups[at] for at in component], by_spelling=by_spelling)}
        if not odd:
            joined.append(_merged([groups[at] for at in component], ground, [found[at] for at in component]))
            continue
        beside: dict[int, list[int]] = {at: [at] for at in sorted(odd)}
        for at in component:
            if at in odd:
                continue
            near = [other for other in odd if found[at] & found[other]]
            if len(near) == 1:
                beside[near[0]].append(at)
            else:
                joined.append(groups[at])
        joined += [
            _merged([groups[at] for at in members], ground, [found[at] for at in members])
            for members in beside.values()
        ]
    return joined


def _components(keys: Sequence[set[object]]) -> list[list[int]]:
    """The places that are connected by common keys, each list in order."""
    parents = list(range(len(keys)))

    def root(at: int) -> int:
        while parents[at] != at:
            parents[at] = parents[parents[at]]
            at = parents[at]
        return at

    first: dict[object, int] = {}
    for at, own in enumerate(keys):
        for key in own:
            parents[root(at)] = root(first.setdefault(key, at))
    components: dict[int, list[int]] = defaultdict(list)
    for at in range(len(keys)):
        components[root(at)].append(at)
    return list(components.values())


def _odd_groups(groups: Sequence[_Group], *, by_spelling: bool = True) -> set[int]:
    """The places of those groups that are at odds with another of them, or with themselves."""
    odd: set[int] = set()
    holders: dict[str, dict[str, set[int]]] = defaultdict(lambda: defaultdict(set))
    papers: dict[int, set[int]] = defaultdict(set)
    spellings: dict[Spelling, set[int]] = defaultdict(set)
    for at, group in enumerate(groups):
        for known in group.ids:
            holders[known.kind][known.value].add(at)
        for paper in group.papers:
            papers[paper].add(at)
        for way in group.spellings:
            spellings[way].add(at)
    for values in holders.values():
        if len(values) > 1:
            odd.update(*values.values())
    odd.update(*(held for held in papers.values() if len(held) > 1))
    if by_spelling:
        ways = list(spellings)
        for n, one in enumerate(ways):
            for other in ways[n + 1 :]:
                if fit_given(one, other) is Fit.NO:
                    odd |= spellings[one] | spellings[other]
    return odd


def _merged(groups: Sequence[_Group], ground: str, keys: Sequence[set[object]]) -> _Group:
    if len(groups) == 1:
        return groups[0]
    merged = _Group([])
    held = Counter(key for own in keys for key in own)
    for group, own in zip(groups, keys, strict=True):
        merged.mentions += group.mentions
        for kind, reasons in group.grounds.items():
            merged.grounds[kind] += reasons
        if ground:
            common = {str(key[-1] if isinstance(key, tuple) else key) for key in own if held[key] > 1}
            merged.grounds[ground] += [(key, one) for one in group.mentions for key in sorted(common & one.coauthors)]
    return merged


def _put_into(group: _Group, other: _Group, kind: str) -> None:
    for earlier, reasons in other.grounds.items():
        group.grounds[earlier] += reasons
    group.grounds[kind] += [("", one) for one in other.mentions]
    group.mentions += other.mentions


# -- saying why -------------------------------------------------------------------------------------------------------


def _trust(known: PersonId) -> tuple[int, str, str]:
    return ID_KINDS.index(known.scheme), known.kind, known.value


def _gathered(group: _Group) -> Gathered:
    mentions = tuple(sorted(group.mentions, key=lambda one: (one.paper, one.place)))
    carriers = Counter(known for one in mentions for known in one.ids)
    grounds = [Ground(known.scheme, known.value, carriers[known]) for known in sorted(carriers, key=_trust)]
    if reasons := group.grounds.get("coauthors"):
        usual = Counter(key for key, _ in reasons if "+" not in key) or Counter(key for key, _ in reasons)
        named = [key for key, _ in sorted(usual.items(), key=lambda item: (-item[1], item[0]))[:3]]
        grounds.append(Ground("coauthors", "; ".join(named), len({one.paper for _, one in reasons})))
    grounds += [
        Ground(kind, min(one.name for _, one in reasons), len({one.paper for _, one in reasons}))
        for kind in ("initials", "only")
        if (reasons := group.grounds.get(kind))
    ]
    return Gathered(mentions, tuple(grounds))
