"""The rule by which a language is told."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.query import languages
from octavo.query.languages import LANGUAGES, language_of


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(languages).failed == 0


@pytest.mark.parametrize(
    ("title", "abstract", "expected"),
    [
        ("Tilings", "", "en"),
        ("FlashTP", "We tile the plane with tiles of glue.", "en"),
        ("Über die Pflasterung der Ebene", "", "de"),
        ("Pavages du plan et des surfaces", "Nous pavons le plan avec une tuile.", "fr"),
        ("La teselación del plano", "Se estudian las teselas y los planos.", "es"),
        ("平面密铺的研究", "", "zh"),
        ("LLM 平面密铺的研究方法", "", "zh"),
        ("平面のタイル張り", "", "ja"),
        ("평면의 타일", "", "ko"),
        ("Замощение плоскости", "", "ru"),
        ("Tiles of 平", "", "en"),
        ("A der-die-das corpus for the tiling of planes", "", "en"),
        ("2.0", "", ""),
        ("", "", ""),
    ],
)
def test_language_of_a_paper(title: str, abstract: str, expected: str) -> None:
    assert language_of(title, abstract) == expected


@given(st.text(max_size=40), st.text(max_size=40))
def test_language_is_a_known_one_or_none(title: str, abstract: str) -> None:
    assert language_of(title, abstract) in {*LANGUAGES.values(), ""}


@given(st.text(max_size=40), st.text(max_size=600))
def test_blanks_around_an_abstract_change_nothing(title: str, abstract: str) -> None:
    """The catalogue's columns are joined with a line's end, a document's text has none around it."""
    assert language_of(title, f"\n{abstract}\n") == language_of(title, abstract.strip())
