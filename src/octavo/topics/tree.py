"""The tree of topics: areas, their topics, and tasks and methods below them.

`bundled_tree` is Octavo's own, `load_tree` reads one of the reader's (`octavo.topics.nodes` says how it is written).
What is asked by name is answered in any spelling; what is asked by the words of a venue, an author or arXiv is answered
with nodes and a strength, as those words rarely mean one node alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from octavo.topics.nodes import KINDS, MAX_DEFINITION, Node, key_of, keys_of, read_nodes, read_plain_nodes, words_of

__all__ = ["KINDS", "MAX_DEFINITION", "ROOT_ADDRESS", "Match", "Node", "Tree", "bundled_tree", "key_of", "load_tree"]

ROOT_ADDRESS = "/topic"

NAMED, SHARED, VAGUE, PARTLY, WITHIN = 1.0, 0.8, 0.5, 0.7, 0.5
"""How strongly a keyword says a node: by its name or alias; as one of its keywords, of several words or of one, which
means other things too; as one of the names that the keyword joins; by words in it."""

BROAD_CATEGORIES = frozenset({"cs.LG", "cs.AI", "stat.ML"})
"""Categories that half of the catalogue has, and that say little of a paper."""

BROAD_AREAS = frozenset({"machinelearning", "artificialintelligence"})
"""Keys of names of areas that are as broad: sections of readers of arXiv, and half of the tracks of AAAI."""

BROADLY = 0.2
"""How strongly a broad name says each of the nodes that it may mean."""

_LONGEST = 6
_JOINED = re.compile(r"\s*(?:[/,;()+]|\band\b|\bvia\b|\bwith\b|\bfor\b|\bin\b|\bof\b)\s*", re.IGNORECASE)
_STEP = re.compile(r"\s*(?:->|→|·|›|»)\s*")
_PREFIX = re.compile(r"[A-Z]{2,6}\s?[:-]\s+|(?:track|area|section|topic|subject)s?\s?:\s+", re.IGNORECASE)
_NUMERAL = re.compile(r"\s+(?:[IVX]{1,4}|[0-9]{1,2})$")


class Match(NamedTuple):
    """A node that words say, and how strongly, from 0 to 1."""

    node: Node
    strength: float


class Tree:
    """A tree of topics. Never changed once made."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        """`nodes` as `read_nodes` gives them: in order, names and links checked."""
        self.nodes = tuple(nodes)
        self._by_slug = {node.slug: node for node in self.nodes}

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def __contains__(self, slug: object) -> bool:
        return slug in self._by_slug

    def __getitem__(self, slug: str) -> Node:
        """The node of that slug; KeyError where there is none."""
        return self._by_slug[slug]

    def get(self, slug: str) -> Node | None:
        """The node of that slug, if there is one."""
        return self._by_slug.get(slug)

    @cached_property
    def areas(self) -> tuple[Node, ...]:
        """The nodes without a parent, in the tree's order."""
        return tuple(node for node in self.nodes if not node.parent)

    def children(self, node: Node) -> tuple[Node, ...]:
        """The nodes right below, in the tree's order."""
        return self._children.get(node.slug, ())

    def descendants(self, node: Node) -> tuple[Node, ...]:
        """All nodes below, each followed by its own."""
        return tuple(one for child in self.children(node) for one in (child, *self.descendants(child)))

    def ancestors(self, node: Node) -> tuple[Node, ...]:
        """The nodes above, the area first; empty for an area."""
        above: list[Node] = []
        while node.parent:
            node = self._by_slug[node.parent]
            above.append(node)
        return tuple(reversed(above))

    def area(self, node: Node) -> Node:
        """The area that the node is in; an area is in itself."""
        return (*self.ancestors(node), node)[0]

    def topic(self, node: Node) -> Node | None:
        """The topic that the node is or stands below; None for an area."""
        return next(iter((*self.ancestors(node), node)[1:2]), None)

    def neighbours(self, node: Node) -> tuple[Node, ...]:
        """The nodes elsewhere that a reader of this one may want next."""
        return tuple(self._by_slug[slug] for slug in node.neighbours)

    def canonical(self, node: Node) -> Node:
        """The node that this one is counted as: nearly always itself (`Applications · Robotics` is `Robotics`)."""
        return self._by_slug[node.same_as] if node.same_as else node

    def trail(self, node: Node) -> tuple[str, ...]:
        """The way to the node as pages write it: `("Deep Learning", "Large Language Models")`."""
        return tuple(one.trail_name for one in (*self.ancestors(node), node))

    def trail_zh(self, node: Node) -> tuple[str, ...]:
        """The way to the node in Chinese."""
        return tuple(one.name_zh for one in (*self.ancestors(node), node))

    def address(self, node: Node) -> str:
        """The address of its page: `/topic/deep-learning/large-language-models`."""
        return "/".join((ROOT_ADDRESS, *(one.slug for one in self.ancestors(node)), node.slug))

    def at(self, trail: Iterable[str]) -> Node | None:
        """The node that a trail leads to, in English or Chinese, in any spelling; None where none does."""
        return self._by_trail.get("/".join(map(key_of, trail)))

    def find(self, name: str) -> Node | None:
        """The node of a slug, an English or Chinese name, an alias or a written trail (`Theory · Deep Learning`).

        Case, accents, hyphens, plurals and British spelling make no difference.
        """
        key = key_of(name)
        return self._by_slug.get(name) or self._by_name.get(key) or self._by_squeezed_trail.get(key)

    def from_area(self, name: str) -> tuple[Match, ...]:
        """What a venue's own name of an area says: `Deep Learning->Robustness`, `ML: Causal Learning`, `Speech`.

        A way to an area that the tree does not have says what its last known step does: `Theory->Everything Else`.
        """
        steps = [step for step in _STEP.split(name) if step]
        for text in (name, *reversed(steps if len(steps) > 1 else ())):
            if found := self._area(text.strip()):
                return found
        return ()

    def _area(self, name: str) -> tuple[Match, ...]:
        for text in dict.fromkeys((name, _NUMERAL.sub("", name), _NUMERAL.sub("", _PREFIX.sub("", name, count=1)))):
            key = key_of(text)
            if found := self._by_squeezed_trail.get(key):
                return (Match(found, NAMED),)
            if slugs := self._by_area.get(key):
                return self._matches(slugs, BROADLY if key in BROAD_AREAS else NAMED / len(slugs) ** 0.5)
            if found := self._by_name.get(key):
                return (Match(found, NAMED),)
        return ()

    def from_category(self, category: str) -> tuple[Match, ...]:
        """What a category of arXiv says: `cs.CL`; where the tree has no such category, what its archive does."""
        slugs = self._by_category.get(category) or self._by_category.get(category.partition(".")[0], [])
        if category in BROAD_CATEGORIES:
            return self._matches(slugs, BROADLY)
        return self._matches(slugs, SHARED / len(slugs) ** 0.5) if slugs else ()

    def from_keyword(self, text: str) -> tuple[Match, ...]:
        """What a keyword of an author says, the strongest first.

        Its name or alias says a node; else it is among the keywords of one or some; else the parts that it
        joins (`GANs / VAEs`, `Large Language Models (LLMs)`); else the longest names in it.
        """
        words = words_of(text)
        if exact := self._exact(words):
            return exact
        parts = [part for part in _JOINED.split(text) if part and part != text]
        said = [Match(node, strength * PARTLY) for part in parts for node, strength in self._exact(words_of(part))]
        if all(match.node.kind == "area" for match in said):
            said += self._within(words)
        found: dict[str, Match] = {}
        for match in said:
            found.setdefault(match.node.slug, match)
        # What says an area is mostly a word like `learning`, and only counts where nothing else is said.
        finer = [match for match in found.values() if match.node.kind != "area"]
        areas = [Match(node, strength * WITHIN) for node, strength in found.values()]
        return tuple(sorted(finer or areas, key=lambda match: -match.strength))

    def _exact(self, words: Sequence[str]) -> tuple[Match, ...]:
        key = "".join(words)
        if found := self._by_name.get(key):
            return (Match(found, NAMED),)
        slugs = self._by_keyword.get(key, ())
        return self._matches(slugs, (SHARED if len(words) > 1 else VAGUE) / len(slugs) ** 0.5) if slugs else ()

    def _within(self, words: Sequence[str]) -> Iterator[Match]:
        """The longest names in a run of words, none overlapping."""
        position = 0
        while position < len(words):
            for end in range(min(len(words), position + _LONGEST), position, -1):
                part = words[position:end]
                # A single word that is no name says too little in the midst of others.
                if (len(part) > 1 or part[0] in self._by_name) and (found := self._exact(part)):
                    yield from (Match(node, strength * WITHIN) for node, strength in found)
                    position = end - 1
                    break
            position += 1

    def _matches(self, slugs: Iterable[str], strength: float) -> tuple[Match, ...]:
        return tuple(Match(self._by_slug[slug], strength) for slug in slugs)

    @cached_property
    def _children(self) -> MappingProxyType[str, tuple[Node, ...]]:
        found: dict[str, list[Node]] = {}
        for node in self.nodes:
            found.setdefault(node.parent, []).append(node)
        return MappingProxyType({slug: tuple(nodes) for slug, nodes in found.items()})

    @cached_property
    def _by_name(self) -> dict[str, Node]:
        named = [(node, (node.name, node.name_zh, *node.aliases, node.slug)) for node in self.nodes]
        pairs = [(name, node) for node, names in named for name in names]
        keys = keys_of([name for name, _ in pairs])
        found: dict[str, Node] = {}
        for key, (_, node) in zip(keys, pairs, strict=True):
            found.setdefault(key, node)
        return found

    @cached_property
    def _by_trail(self) -> dict[str, Node]:
        trails = ((node, trail) for node in self.nodes for trail in (self.trail(node), self.trail_zh(node)))
        return {"/".join(keys_of(trail)): node for node, trail in trails}

    @cached_property
    def _by_squeezed_trail(self) -> dict[str, Node]:
        return {trail.replace("/", ""): node for trail, node in self._by_trail.items() if "/" in trail}

    @cached_property
    def _by_area(self) -> dict[str, list[str]]:
        return _slugs_by_key([(name, node.slug) for node in self.nodes for name in node.venue_areas])

    @cached_property
    def _by_keyword(self) -> dict[str, list[str]]:
        return _slugs_by_key([(word, node.slug) for node in self.nodes for word in node.keywords])

    @cached_property
    def _by_category(self) -> dict[str, list[str]]:
        return _slugs_by((category, node.slug) for node in self.nodes for category in node.categories)


def _slugs_by_key(pairs: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    keys = keys_of([name for name, _ in pairs])
    return _slugs_by(zip(keys, (slug for _, slug in pairs), strict=True))


def _slugs_by(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, slug in pairs:
        slugs = found.setdefault(key, [])
        if slug not in slugs:
            slugs.append(slug)
    return found


@cache
def bundled_tree() -> Tree:
    """Octavo's own tree, read once. Its checks are a test of it, so that no command waits for them."""
    return Tree(read_plain_nodes(files("octavo.data").joinpath("topics")))


def load_tree(path: Path | str | None = None) -> Tree:
    """Read a tree of the reader's own from a TOML file or a folder of them; the bundled one where no path is given.

    Raises TreeError, with the file and the line, for what is wrong in it.
    """
    return bundled_tree() if path is None else Tree(read_nodes(Path(path)))
