"""Which topics a paper has: what its sources say, what its text says, and the reader's word above both.

* `reader`: what the reader said; nothing else counts then.
* `trail`, `area`, `track`, `keyword`, `category`: what sources state (`octavo.topics.naming`).
* `text`: the classifier's share (`octavo.topics.classify`), of a topic, or of an area where none of its topics stands
  out.
* `name`: the name of a task or method, in the title or, below a topic that the paper has, in the abstract.

What two of them say counts more than what one does. What is too unsure is not said at all: a paper may have no topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from octavo.topics.glossary import Term
from octavo.topics.naming import Assignment
from octavo.topics.recognise import Recogniser
from octavo.topics.tree import Node, Tree, bundled_tree

READER, TEXT, NAME = "reader", "text", "name"
LEAST = 0.2
"""Below this confidence a topic is not said."""
LEAST_AREA = 0.5
"""Below this share an area is not said that has no topic which is."""
MOST_TOPICS = 3
MOST_BELOW = 6
"""Tasks and methods that are said of one paper."""
FAINT = 0.05
"""Shares below are not looked at."""

IN_TITLE, IN_TITLE_OF_TOPIC, IN_ABSTRACT = 0.6, 0.95, 0.65
"""How often a named task or method was among those that two readers gave 430 papers: named in the title; the same below
the paper's topic; named only in the abstract, below its topic. Named only in the abstract, below another topic, it was
0.28, and is not said."""

_SHORT = re.compile(r"[A-Za-z0-9-]*[A-Z][A-Za-z0-9-]*[A-Z][A-Za-z0-9-]*")


def assigned(
    tree: Tree,
    stated: Iterable[Assignment],
    shares: Mapping[str, float],
    named: tuple[Sequence[str], Sequence[str]] = ((), ()),
    corrected: Sequence[str] | None = None,
) -> tuple[Assignment, ...]:
    """The topics of a paper, the surest first: topics and areas, then tasks and methods.

    Args:
        tree: What the slugs are of. What is not in it is passed over: a correction may be older than the tree.
        stated: What the sources say.
        shares: The classifier's share of each topic; those below FAINT may be left out.
        named: Slugs of the tasks and methods that the title names, and of those that the abstract names.
        corrected: The reader's topics; None where the reader said nothing.
    """
    if corrected is not None:
        slugs = dict.fromkeys(tree.canonical(tree[slug]).slug for slug in corrected if slug in tree)
        return tuple(Assignment(slug, READER, 1.0) for slug in slugs)
    ranked = weighed(tree, stated, shares)
    areas = [one for one in ranked if not tree[one.slug].parent]
    topics = [one for one in ranked if tree[one.slug].kind == "topic" and one.confidence >= LEAST][:MOST_TOPICS]
    below = [one for one in ranked if tree[one.slug].kind in ("task", "method")]
    below = _named(tree, below, named, {one.slug for one in topics})
    covered = {tree.area(tree[one.slug]).slug for one in topics}
    topics += [one for one in areas if one.slug not in covered and one.confidence >= LEAST_AREA]
    return (*sorted(topics, key=lambda one: -one.confidence), *below)


def weighed(tree: Tree, stated: Iterable[Assignment], shares: Mapping[str, float]) -> list[Assignment]:
    """What the sources say and what the text says, together, the surest first, however unsure."""
    found: dict[str, Assignment] = {}
    for one in (*_known(tree, stated, bool(shares)), *_told(tree, shares)):
        before = found.get(one.slug)
        found[one.slug] = one if before is None else _both(before, one)
    return sorted(found.values(), key=lambda one: -one.confidence)


def likeliest_area(tree: Tree, weighed: Iterable[Assignment]) -> str:
    """The area for which most speaks; empty where nothing does for any."""
    sums: dict[str, float] = {}
    for one in weighed:
        node = tree[one.slug]
        # An area that the text tells is the sum of its topics, which are here too.
        if node.parent or one.origin != TEXT:
            area = tree.area(node).slug
            sums[area] = sums.get(area, 0.0) + one.confidence
    return max(sums, key=lambda area: sums[area], default="")


def _known(tree: Tree, stated: Iterable[Assignment], is_told: bool) -> Iterator[Assignment]:
    """What the sources say. The classifier knows the categories, and weighs them better."""
    for one in stated:
        if one.slug in tree and not (is_told and one.origin == "category"):
            yield one


def _told(tree: Tree, shares: Mapping[str, float]) -> Iterator[Assignment]:
    areas: dict[str, float] = {}
    for slug, share in shares.items():
        if slug in tree:
            if share >= FAINT:
                yield Assignment(slug, TEXT, round(share, 4))
            area = tree.area(tree[slug]).slug
            areas[area] = areas.get(area, 0.0) + share
    for area, share in areas.items():
        if share >= LEAST_AREA:
            yield Assignment(area, TEXT, round(min(share, 1.0), 4))


def _named(
    tree: Tree, stated: Iterable[Assignment], named: tuple[Sequence[str], Sequence[str]], topics: set[str]
) -> list[Assignment]:
    """The tasks and methods: those that are stated, and those that are named."""
    found = {one.slug: one for one in stated}
    in_title, in_abstract = named
    for slug in dict.fromkeys((*in_title, *in_abstract)):
        if slug not in tree:
            continue
        is_below = any(above.slug in topics for above in tree.ancestors(tree[slug]))
        if slug in in_title:
            confidence = IN_TITLE_OF_TOPIC if is_below else IN_TITLE
        elif is_below:
            confidence = IN_ABSTRACT
        else:
            continue
        one = Assignment(slug, NAME, confidence)
        found[slug] = _both(found[slug], one) if slug in found else one
    ranked = sorted(found.values(), key=lambda one: -one.confidence)
    return [one for one in ranked if one.confidence >= LEAST][:MOST_BELOW]


def _both(one: Assignment, other: Assignment) -> Assignment:
    stronger = one if one.confidence >= other.confidence else other
    return stronger._replace(confidence=round(1 - (1 - one.confidence) * (1 - other.confidence), 4))


def with_ancestors(assignments: Iterable[Assignment], tree: Tree) -> tuple[str, ...]:
    """The slugs of the topics and of all above them, each once: what an index counts."""
    slugs: dict[str, None] = {}
    for one in assignments:
        node = tree[one.slug]
        slugs.update(dict.fromkeys((*(above.slug for above in tree.ancestors(node)), node.slug)))
    return tuple(slugs)


@cache
def bundled_names() -> Recogniser:
    """What finds the names of tasks and methods in texts."""
    return Recogniser(_term(node) for node in bundled_tree() if node.kind in ("task", "method"))


def _term(node: Node) -> Term:
    """A node as a term, so that its names are found in any form."""
    latin = [name for name in node.aliases if name.isascii()]
    return Term(
        slug=node.slug,
        field="",
        english=node.name,
        chinese=node.name_zh,
        meaning="",
        meaning_chinese="",
        also=tuple(name for name in latin if not _SHORT.fullmatch(name)),
        also_chinese=tuple(name for name in node.aliases if not name.isascii()),
        short=tuple(name for name in latin if _SHORT.fullmatch(name)),
    )
