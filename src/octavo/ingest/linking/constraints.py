"""What must be one work, what must not, and who says so: a reader before identifiers, identifiers before lists.

* A reader's "the same" and "different" hold always. Where they contradict each other, what keeps records apart holds,
  and a doubt says so.
* Records with a common identifier are one work, unless they are so unlike that one of them must have a wrong one
  (sources give a whole volume's DOI to each of its papers), or other identifiers contradict it and the text does not
  bear it out.
* Different identifiers of one kind are different works: two arXiv ids, two ACL ids of one volume, two DOIs that differ
  only in their last number.
* Two entries of one edition's own list are two papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from octavo.ingest.linking.features import Features

DIFFERS_AT_MOST = -5.5
"""A pair's score from which a common identifier is believed."""


def kinds_of(records: Iterable[Features]) -> dict[str, frozenset[str]]:
    """The identifiers of some records by their kind, those that have one."""
    kinds: dict[str, set[str]] = {}
    for record in records:
        for kind, identifier in record.kinds:
            kinds.setdefault(kind, set()).add(identifier)
    return {kind: frozenset(some) for kind, some in kinds.items()}


def contradicted(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> str:
    """The kind of which both have identifiers and none in common; empty where there is none."""
    return min((kind for kind in one.keys() & other.keys() if one[kind].isdisjoint(other[kind])), default="")


def apart(one: Features, other: Features) -> str:
    """Why two records must be two works, in words, identifiers before lists; empty where nothing says so."""
    if one.kinds and other.kinds and (kind := _contradicting(one.kinds, other.kinds)):
        return f"two identifiers of one kind ({kind.partition(':')[0]})"
    if one.appearance.edition and one.appearance.edition == other.appearance.edition:
        return "two entries of one edition's list"
    return ""


def _contradicting(one: tuple[tuple[str, str], ...], other: tuple[tuple[str, str], ...]) -> str:
    """As `contradicted`, and quick: most records have one or two."""
    if len(one) == 1 and len(other) == 1:
        return one[0][0] if one[0][0] == other[0][0] and one[0][1] != other[0][1] else ""
    found = ""
    for kind, identifier in one:
        same = [value for of, value in other if of == kind]
        if same and identifier not in same and (not found or kind < found):
            if not {value for of, value in one if of == kind}.isdisjoint(same):
                continue
            found = kind
    return found


def shared(one: Features, other: Features) -> tuple[str, ...]:
    """The identifiers that two records have in common."""
    if not one.identifiers or not other.identifiers:
        return ()
    return tuple(sorted(set(one.identifiers).intersection(other.identifiers)))


def is_believed(score: float, one: Features, other: Features) -> bool:
    """Whether a common identifier makes two records one work, by their score without it."""
    return score > (0.0 if apart(one, other) else DIFFERS_AT_MOST)
