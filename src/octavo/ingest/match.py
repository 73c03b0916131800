"""Whether two records that share an identifier are one paper.

The same identifier means the same paper, unless the records themselves contradict it: sources do give a whole
volume's DOI to each of its papers, and copy the line above. Contradicting records are kept apart, each with its
identifier as claimed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from rapidfuzz import fuzz

from octavo.records.fold import fold, title_key
from octavo.records.names import Author
from octavo.records.paper import Record

_SAME_TITLE = 75.0
"""rapidfuzz ratio (0 to 100) of folded titles from which they count as variants of one, whoever the authors are."""
_NEAR_TITLE = 50.0
"""The same, where the authors agree in part."""
_SAME_AUTHORS = 0.5
"""Share of common names (Jaccard) from which a new title is a renaming."""


def compatible(one: Record, other: Record) -> bool:
    """Say whether two records with a common identifier may be one paper. Symmetric.

    They may where the titles agree, or half of the authors do (a paper that was renamed), or some of each.
    """
    first, second = one.title.plain, other.title.plain
    if title_key(first) == title_key(second):
        return True
    likeness = fuzz.token_sort_ratio(fold(first), fold(second))
    if likeness >= _SAME_TITLE:
        return True
    names, others = _names(one.authors), _names(other.authors)
    if not names or not others:
        return likeness >= _NEAR_TITLE
    common = len(names & others) / len(names | others)
    return common >= _SAME_AUTHORS or (common > 0 and likeness >= _NEAR_TITLE)


def authors_agree(one: Record, other: Record) -> bool:
    """Say whether two lists may be one paper's: half of the shorter one's names stand in the other."""
    names, others = _names(one.authors), _names(other.authors)
    if not names or not others:
        return False
    return len(names & others) * 2 >= min(len(names), len(others))


def _names(authors: Sequence[Author]) -> set[tuple[str, str]]:
    """(family, first initial) of each author, folded."""
    return {(fold(author.family or author.name), fold(author.given)[:1]) for author in authors}


def group(records: Sequence[tuple[Record, tuple[str, ...]]]) -> list[list[int]]:
    """Part records into papers: the connected components of "shares an identifier and is compatible".

    `records` are (record, what it is known by). Returns lists of positions in `records`. A pure function of the set:
    the order of `records` changes nothing but the numbering.
    """
    holders: dict[str, list[int]] = defaultdict(list)
    for position, (_, identifiers) in enumerate(records):
        for identifier in identifiers:
            holders[identifier].append(position)
    parent = list(range(len(records)))

    def root(position: int) -> int:
        while parent[position] != position:
            parent[position] = parent[parent[position]]
            position = parent[position]
        return position

    for positions in holders.values():
        for at, first in enumerate(positions):
            for second in positions[at + 1 :]:
                if root(first) != root(second) and compatible(records[first][0], records[second][0]):
                    parent[root(second)] = root(first)
    groups: dict[int, list[int]] = defaultdict(list)
    for position in range(len(records)):
        groups[root(position)].append(position)
    return list(groups.values())
