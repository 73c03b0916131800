"""Topics and terms as what is counted: over years, venues, and beside each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.query.ast import Node as Tree
from octavo.query.ast import Not, StatusNode, TermNode, TopicNode
from octavo.records.paper import NOT_TAKEN

if TYPE_CHECKING:
    from octavo.topics.glossary import Glossary, Term
    from octavo.topics.nodes import Node
    from octavo.topics.tree import Tree as Topics
    from octavo.views_trends import ShareView


@dataclass(slots=True)
class Kept:
    """What was counted of the index as it is."""

    state: object = None
    tables: dict[object, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Subject:
    """A topic or a term as something that is counted."""

    kind: str
    slug: str
    """Under which it is counted."""
    name: str
    name_zh: str
    address: str

    @property
    def node(self) -> Tree:
        """What asks for its papers."""
        return TopicNode(self.slug) if self.kind == "topic" else TermNode(self.slug)


TAKEN: tuple[Tree, ...] = tuple(Not(StatusNode(status)) for status in NOT_TAKEN)
"""What a venue did not take is not counted as its own."""


def share_view(of: str, n: int, total: int) -> ShareView:
    """A share with its interval."""
    from octavo.rank.trends import share
    from octavo.views_trends import ShareView

    found = share(n, total)
    return (
        ShareView(of, n, total, None) if found is None else ShareView(of, n, total, found.value, found.low, found.high)
    )


def topic_subject(tree: Topics, node: Node) -> Subject:
    """A topic to be counted."""
    return Subject("topic", tree.canonical(node).slug, node.name, node.name_zh, tree.address(node))


def term_subject(term: Term) -> Subject:
    """A term to be counted."""
    return Subject("term", term.slug, term.english, term.chinese, f"/glossary/{term.slug}")


def topic_tree() -> Topics:
    """The bundled tree."""
    from octavo.topics.tree import bundled_tree

    return bundled_tree()


def bundled_terms() -> Glossary:
    """The bundled glossary."""
    from octavo.topics.glossary import glossary

    return glossary()
