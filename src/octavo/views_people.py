"""What is shown of a name and of the people who bear it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from octavo.explain import Explanation
from octavo.rank.parting import Gathered, Ground, Mention
from octavo.rank.people import Bearers, counted
from octavo.records.paper import Paper
from octavo.records.people import RARE, is_uncommon, spelling
from octavo.views import brief

ID_NAMES = {
    "orcid": "ORCID",
    "dblp": "DBLP",
    "openreview": "OpenReview",
    "acl": "ACL Anthology",
}
"""What the schemes of `records.people.ID_KINDS` are called."""


@dataclass(frozen=True, slots=True)
class GroupView:
    """Papers of a name that are one person's, as far as the evidence goes."""

    name: str
    """The fullest of the usual names."""
    names: Mapping[str, int]
    """Each name as papers have it, the usual ones first, with the number of papers."""
    ids: tuple[tuple[str, str], ...]
    """(scheme, value): `("orcid", "0000-0009-9990-008X")`."""
    papers: tuple[Paper, ...]
    """The latest first."""
    grounds: tuple[Ground, ...]

    @property
    def why(self) -> Explanation:
        """Why these papers are one person's."""
        return Explanation(len(self.papers), "one person", tuple(map(_reason, self.grounds)))

    def to_dict(self) -> dict[str, Any]:
        """`docs/people.md`, "JSON"."""
        return {
            "name": self.name,
            "names": dict(self.names),
            "ids": [f"{scheme}:{value}" for scheme, value in self.ids],
            "papers": [brief(paper) for paper in self.papers],
            "why": self.why.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class AuthorView:
    """The papers of a name: groups that are one person's each, and the papers that nothing tells apart."""

    name: str
    names: Mapping[str, int]
    """The variants that were gathered, as papers have them, with the number of papers."""
    total: int
    """How many papers there are, with those that were too many to be read."""
    groups: tuple[GroupView, ...]
    """Papers that are one person's, the most first. Two groups may still be one person's, unless ids differ."""
    rest: tuple[Paper, ...]
    """The latest first."""
    left_out: int = 0
    """Papers that were too many to be read."""
    unsure: Mapping[str, int] = field(default_factory=dict)
    """Names with an initial that may as well stand for someone else, and how many papers; they are not counted."""
    is_rare: bool = False
    """Whether the family name is so rare that its groups are likely one person's; nothing is joined for that."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/people.md`, "JSON"."""
        return {
            "name": self.name,
            "names": dict(self.names),
            "total": self.total,
            "groups": [group.to_dict() for group in self.groups],
            "not_told_apart": [brief(paper) for paper in self.rest],
            "left_out": self.left_out,
            "unsure": dict(self.unsure),
            "is_rare": self.is_rare,
        }


def author_view(bearers: Bearers, papers: Mapping[int, Paper]) -> AuthorView:
    """The view of what was gathered; `papers` are all that it names."""
    groups = sorted((_group(one, papers) for one in bearers.parted.people), key=_order)
    return AuthorView(
        bearers.name,
        bearers.names,
        len(papers) + bearers.left_out,
        tuple(groups),
        _papers_of(bearers.parted.rest, papers),
        bearers.left_out,
        bearers.unsure,
        is_uncommon(spelling(bearers.name).family, RARE),
    )


def _order(group: GroupView) -> tuple[object, ...]:
    """Those with the most papers first, then by what does not depend on when papers came."""
    return -len(group.papers), group.name, not group.ids, group.ids, [paper.title for paper in group.papers]


def _group(one: Gathered, papers: Mapping[int, Paper]) -> GroupView:
    names = counted(mention.name for mention in one.mentions)
    fullest = max(names, key=lambda name: (spelling(name).is_full, names[name], len(name), name))
    ids = tuple((known.scheme, known.value) for known in one.ids)
    return GroupView(fullest, names, ids, _papers_of(one.mentions, papers), one.grounds)


def _papers_of(mentions: Iterable[Mention], papers: Mapping[int, Paper]) -> tuple[Paper, ...]:
    found = {one.paper: papers[one.paper] for one in mentions if one.paper in papers}
    return tuple(sorted(found.values(), key=lambda paper: (-(paper.year or 0), paper.title, paper.id)))


_CARRIED = {
    "orcid": "ORCID",
    "dblp": "DBLP key",
    "openreview": "OpenReview profile",
    "acl": "ACL Anthology id",
}


def _reason(ground: Ground) -> Explanation:
    n, value = ground.papers, ground.value
    papers = f"{n:,} papers" if n != 1 else "1 paper"
    if what := _CARRIED.get(ground.kind):
        return Explanation(n, f"{papers} with the {what} {value}")
    if ground.kind == "coauthors":
        return Explanation(n, f"{papers} with co-authors in common ({value}), and the family name is uncommon")
    if ground.kind == "initials":
        return Explanation(n, f"{papers} as {value}: one whole name fits, and a co-author or an affiliation agrees")
    return Explanation(n, f"{papers} as {value}: one whole name fits, and the family name is rare")
