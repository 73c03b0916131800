"""The names of the bundled topics and terms, for `topic:` and `term:`. Their tables are read when first asked for."""

from __future__ import annotations

from octavo.query.values import Names


def _find_topic(name: str) -> str | None:
    from octavo.topics.tree import bundled_tree

    node = bundled_tree().find(name)
    return node.slug if node else None


def _find_term(name: str) -> str | None:
    from octavo.topics.glossary import glossary

    term = glossary().find(name)
    return term.slug if term else None


BUNDLED = Names(_find_topic, _find_term)
"""What the parser is given where readers ask."""
