"""The topics and terms whose names are nearest to what was typed."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from octavo.topics.glossary import Term
    from octavo.topics.nodes import Node

_MOST_READ = 80


def near_topics(name: str, most: int = 5) -> list[Node]:
    """Topics, the nearest first."""
    from octavo.topics.tree import bundled_tree

    nodes = bundled_tree().nodes
    names = {known.casefold(): node for node in nodes for known in (node.name, node.name_zh, *node.aliases)}
    found = {names[one].slug: names[one] for one in get_close_matches(name.casefold()[:_MOST_READ], names, most, 0.65)}
    return list(found.values())


def near_terms(name: str, most: int = 5) -> list[Term]:
    """Terms, the nearest first."""
    from octavo.topics.glossary import glossary

    names = {known.casefold(): term for term in glossary() for known in term.names}
    found = {names[one].slug: names[one] for one in get_close_matches(name.casefold()[:_MOST_READ], names, most, 0.65)}
    return list(found.values())
