"""Topics and terms by their bundled names."""

from __future__ import annotations

from octavo.query.parser import parse_lenient, parse_strict
from octavo.query.topic_names import BUNDLED
from octavo.topics.glossary import glossary
from octavo.topics.tree import bundled_tree


def test_every_topic_is_found_by_its_slug_or_name() -> None:
    for node in bundled_tree():
        found = str(parse_strict(f'topic:"{node.name}"', BUNDLED))
        assert found.removeprefix("topic:") in bundled_tree()


def test_every_term_is_found_by_its_slug() -> None:
    for term in glossary():
        assert str(parse_strict(f"term:{term.slug}", BUNDLED)) == f"term:{term.slug}"


def test_unknown_topic_is_read_as_words_and_told() -> None:
    parsed = parse_lenient("topic:zzzz-tiles term:zzzz-planes", BUNDLED)
    assert str(parsed.node) == "(+zzzz-tiles +zzzz-planes)"
    assert len(parsed.notes) == 2
