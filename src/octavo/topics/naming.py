"""What the sources themselves say of a paper's topics.

Pages print trails, OpenReview and AAAI have primary areas, PMLR and the ACL tracks, authors write keywords, arXiv has
categories. Each is read with the tree and gives assignments that say where they come from; what two sources say
counts more than what one does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple, Protocol

from octavo.topics.tree import Match, Node, Tree, bundled_tree

ORIGINS = ("trail", "area", "track", "keyword", "category")
"""Where an assignment can come from: a page's trail, a venue's area, its track or section, an author's keyword, a
category of arXiv."""

TRUST = MappingProxyType({"trail": 0.98, "area": 0.9, "track": 0.9, "keyword": 0.7, "category": 0.8})
"""How often what is said there holds of the paper, where the words name one node."""

AREA_KEYWORD = 0.3
"""The same for a keyword that names a whole area: `deep learning` is written on nearly any paper."""

LATER_CATEGORY = 0.5
"""What a category counts that is not the primary one."""

_MAX_MEMORY = 200_000


class Assignment(NamedTuple):
    """A topic of a paper."""

    slug: str
    origin: str
    """One of ORIGINS: the one that says it most strongly."""
    confidence: float
    """From 0 to 1."""
    said: str = ""
    """The words there: `Deep Learning · Robustness`, `cs.CL`."""


class Described(Protocol):
    """What a Paper and a Record both have."""

    @property
    def topics(self) -> tuple[tuple[str, ...], ...]:
        """Trails and primary areas."""

    @property
    def keywords(self) -> tuple[str, ...]:
        """Of the authors."""

    @property
    def categories(self) -> tuple[str, ...]:
        """Of arXiv, the primary one first."""


class Naming:
    """Reads what sources say with one tree, and remembers what words said: 290,000 papers write 100,000 keywords."""

    def __init__(self, tree: Tree) -> None:
        """`tree` is what the words are looked up in."""
        self._tree = tree
        self._keywords: dict[str, tuple[Match, ...]] = {}
        self._areas: dict[str, tuple[Match, ...]] = {}

    def stated(self, paper: Described, track: str = "") -> tuple[Assignment, ...]:
        """The topics that the sources of a paper state, the surest first; empty where they state none.

        `track` is a record's (`Venue.track`), as a paper does not keep it. A node that another is counted as stands
        for both (`Tree.canonical`).
        """
        found: dict[str, Assignment] = {}
        for one in self._claims(paper, track):
            before = found.get(one.slug)
            if before is None:
                found[one.slug] = one
                continue
            both = 1 - (1 - before.confidence) * (1 - one.confidence)
            stronger = one if one.confidence > before.confidence else before
            found[one.slug] = stronger._replace(confidence=both)
        return tuple(sorted(found.values(), key=lambda one: -one.confidence))

    def _claims(self, paper: Described, track: str) -> Iterator[Assignment]:
        for trail in paper.topics:
            node = self._tree.at(trail) if len(trail) > 1 else None
            said = " · ".join(trail)
            if node is not None:
                yield self._assignment(node, "trail", TRUST["trail"], said)
            elif trail:
                yield from self._read("area", self._area(said), said)
        if track:
            yield from self._read("track", self._area(track), track)
        for keyword in dict.fromkeys(paper.keywords):
            yield from self._read("keyword", self._keyword(keyword), keyword)
        for position, category in enumerate(dict.fromkeys(paper.categories)):
            matches = self._tree.from_category(category)
            yield from self._read("category", matches, category, LATER_CATEGORY if position else 1.0)

    def _read(self, origin: str, matches: Iterable[Match], said: str, share: float = 1.0) -> Iterator[Assignment]:
        for node, strength in matches:
            is_vague = origin == "keyword" and node.kind == "area"
            trust = AREA_KEYWORD if is_vague else TRUST[origin]
            yield self._assignment(node, origin, trust * strength * share, said)

    def _assignment(self, node: Node, origin: str, confidence: float, said: str) -> Assignment:
        return Assignment(self._tree.canonical(node).slug, origin, round(confidence, 4), said)

    def _keyword(self, text: str) -> tuple[Match, ...]:
        found = self._keywords.get(text)
        if found is None:
            found = self._tree.from_keyword(text)
            if len(self._keywords) < _MAX_MEMORY:
                self._keywords[text] = found
        return found

    def _area(self, text: str) -> tuple[Match, ...]:
        found = self._areas.get(text)
        if found is None:
            found = self._tree.from_area(text)
            if len(self._areas) < _MAX_MEMORY:
                self._areas[text] = found
        return found


@cache
def bundled_naming() -> Naming:
    """What reads with Octavo's own tree."""
    return Naming(bundled_tree())


def stated(paper: Described, track: str = "") -> tuple[Assignment, ...]:
    """The topics that the sources of a paper state, read with Octavo's own tree; see `Naming.stated`."""
    return bundled_naming().stated(paper, track)


def lifted(assignments: Iterable[Assignment], tree: Tree) -> Mapping[str, float]:
    """The confidence of every node that is assigned or above one that is, by slug.

    A node above is right when any one below it is, so that three faint methods of one topic make it a likely one.

    >>> tree = bundled_tree()
    >>> found = lifted([Assignment("diffusion-models", "keyword", 0.5)], tree)
    >>> sorted(found)
    ['deep-learning', 'diffusion-models', 'generative-models-and-autoencoders']
    """
    wrong: dict[str, float] = {}
    for one in assignments:
        node = tree[one.slug]
        for slug in (node.slug, *(above.slug for above in tree.ancestors(node))):
            wrong[slug] = wrong.get(slug, 1.0) * (1 - one.confidence)
    return {slug: 1 - chance for slug, chance in wrong.items()}
