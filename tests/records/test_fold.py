"""Folding: which spellings count as the same letters."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.fold import fold, title_key


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Bee", "bee"),
        ("Łukasz", "lukasz"),
        ("LUKASZ", "lukasz"),
        ("Nguyễn", "nguyen"),
        ("Nguye\u0302\u0303n", "nguyen"),
        ("Straße", "strasse"),
        ("STRASSE", "strasse"),
        ("Øre Ærlig Þorn", "ore aerlig thorn"),
        ("İnan Işık", "inan isik"),
        ("naïve ﬁne ﬂow", "naive fine flow"),
        ("Ｆｕｌｌ　Ｗｉｄｔｈ", "full width"),
        ("x² H₂O", "x2 h2o"),
        ("“Bee”–Dee’s", '"bee"-dee\'s'),
        ("`Bee´", "'bee'"),
        ("Be\u00ade\u200b", "bee"),
        ("Α-Ω", "α-ω"),
        ("Ёлка", "елка"),
        ("김철수", "김철수"),
        ("论文检索", "论文检索"),
        ("ガラス", "ガラス"),
        ("が か", "が か"),
        ("𝐀𝓑", "ab"),
        ("Octavo™", "octavo"),
        ("", ""),
    ],
)
def test_folding_takes_case_accents_and_width_away(text: str, expected: str) -> None:
    assert fold(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("α-Trees: a Résumé!", "alpha trees - a resume"),
        ("Fast Tiles", "FAST  TILES."),
        ("L∞ norms", "L-infinity norms"),
        ("β-VAE", "Beta VAE"),
        ("“Tiles” are—enough", "Tiles are enough?"),
        ("Co-operation_now", "cooperation now"),
    ],
)
def test_spellings_of_a_title_share_its_key(one: str, other: str) -> None:
    assert title_key(one) == title_key(other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [("Fast Tiles", "Fast Tile"), ("α-Trees", "β-Trees"), ("Tiles 1", "Tiles 2"), ("论文", "检索"), ("김", "감")],
)
def test_other_titles_have_other_keys(one: str, other: str) -> None:
    assert title_key(one) != title_key(other)


@pytest.mark.parametrize("title", ["", " ", "?!", "—", "$$"])
def test_a_title_without_letters_has_no_key(title: str) -> None:
    assert title_key(title) == ""


@pytest.mark.parametrize(
    ("text", "expected"), [("ℝ", "r"), ("𝕊²", "s2"), ("𝑿", "x"), ("™", ""), ("Ǽ", "ae"), ("ℏ", "h")]
)
def test_letters_that_are_symbols_fold_like_letters(text: str, expected: str) -> None:
    assert fold(text) == expected


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    folded = fold(text)
    assert fold(folded) == folded
    assert title_key(title_key(text)) == title_key(text)


@given(st.text())
def test_the_forms_of_unicode_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(st.text(st.characters(max_codepoint=127)))
def test_ascii_is_only_lower_cased(text: str) -> None:
    assert fold(text) == text.lower().replace("`", "'")


@given(st.text(), st.text())
def test_the_key_of_a_title_is_that_of_its_parts(one: str, other: str) -> None:
    assert title_key(f"{one} {other}") == title_key(one) + title_key(other)
