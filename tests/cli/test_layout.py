"""Authors folded, words marked, snippets cut: by columns, not by letters."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.cli.layout import (
    MATCH_STYLE,
    Marker,
    clip,
    clip_words,
    fold_authors,
    shown_ids,
    snippet,
    where_and_ids,
    width_of,
)
from octavo.records.ids import parse_identifier
from octavo.records.paper import Paper, PaperId


def paper(**fields: object) -> Paper:
    return Paper(PaperId("p1"), "Tiles", ("Ann Bee",), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("量子", 4), ("e\u0301", 1), ("\u200d", 0), ("", 0)])
def test_width_is_in_columns(text: str, width: int) -> None:
    assert width_of(text) == width


@given(st.text(max_size=60), st.integers(1, 40))
def test_clipped_text_fits_whatever_it_is(text: str, width: int) -> None:
    assert width_of(clip(text, width)) <= width
    assert width_of(clip_words(text, width)) <= width
    if width_of(text) <= width:
        assert clip(text, width) == clip_words(text, width) == text


@pytest.mark.parametrize(
    ("width", "cut"), [(40, "one two three four"), (15, "one two three…"), (14, "one two three…"), (13, "one two…")]
)
def test_text_is_clipped_between_words_when_they_are_short(width: int, cut: str) -> None:
    assert clip_words("one two three four", width) == cut


def test_a_long_word_is_clipped_inside_when_there_is_no_near_blank() -> None:
    assert clip_words("a " + "b" * 50, 20) == "a " + "b" * 17 + "…"


# Authors.

PEOPLE = ("Ann Bee", "Cy Dee", "Ee Eff", "Gil Gee")


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (80, "Ann Bee, Cy Dee, Ee Eff, Gil Gee"),
        (32, "Ann Bee, Cy Dee, Ee Eff, Gil Gee"),
        (31, "Ann Bee, Cy Dee, Ee Eff … +1"),
        (27, "Ann Bee, Cy Dee … +2"),
        (14, "Ann Bee … +3"),
        (5, "Ann Bee … +3"),
    ],
)
def test_authors_are_folded_when_the_line_is_short(width: int, line: str) -> None:
    assert fold_authors(PEOPLE, width) == line


def test_et_al_is_said_when_the_source_cut_the_list() -> None:
    assert fold_authors(PEOPLE[:2], 80, is_incomplete=True) == "Ann Bee, Cy Dee et al."
    assert fold_authors(PEOPLE, 24, is_incomplete=True) == "Ann Bee … +3 et al."
    assert fold_authors((), 80, is_incomplete=True) == "et al."


def test_thousands_of_authors_fit_on_a_line() -> None:
    line = fold_authors([f"Author Number{n:04}" for n in range(3000)], 80)
    assert width_of(line) <= 80
    assert line.endswith("… +2,997")


@given(st.lists(st.text(st.characters(codec="utf-8"), max_size=15), min_size=1, max_size=6), st.integers(30, 80))
def test_folded_authors_fit_whatever_their_names_are(names: list[str], width: int) -> None:
    assert width_of(fold_authors(names, width)) <= width


# Where and ids.

IDS = tuple(parse_identifier(name)[0] for name in ("2101.00010", "10.5555/tiles", "conf/tile/Bee31"))


def test_ids_are_shown_one_a_scheme_when_a_reader_may_know_them() -> None:
    assert shown_ids(paper(identifiers=IDS)) == ["p1", "arxiv:2101.00010", "doi:10.5555/tiles"]


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"venue": "TILE 2031", "year": 2031}, "TILE 2031 · p1"),
        ({"venue": "Tiles", "year": 2031}, "Tiles 2031 · p1"),
        ({"identifiers": IDS, "year": 2031}, "arXiv 2031 · p1 · arxiv:2101.00010 · doi:10.5555/tiles"),
        ({"year": 2031}, "2031 · p1"),
        ({}, "p1"),
        ({"venue": "TILE 2031", "status": "withdrawn"}, "WITHDRAWN TILE 2031 · p1"),
        ({"venue": "TILE 2031", "status": "accepted"}, "TILE 2031 · p1"),
    ],
)
def test_the_line_below_a_title_says_where_it_appeared(fields: dict[str, object], line: str) -> None:
    assert "".join(text for text, _ in where_and_ids(paper(**fields), 80)) == line


def test_ids_are_left_out_when_the_line_is_full() -> None:
    spans = where_and_ids(paper(identifiers=IDS, year=2031), 34)
    assert "".join(text for text, _ in spans) == "arXiv 2031 · p1 · arxiv:2101.00010"


# Marking.


def marked(words: str, text: str) -> str:
    return "".join(f"[{piece}]" if is_match else piece for piece, is_match in Marker.of(words.split()).pieces(text))


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("tile", "Tiles, tiling and a tile.", "[Tiles], [tiling] and a [tile]."),
        ("resume", "A Résumé", "A [Résumé]"),
        ("non invasive", "Non-invasive (invasive) probes", "[Non]-[invasive] ([invasive]) probes"),
        ("noninvasive", "Non-invasive probes", "[Non-invasive] probes"),
        ("c++", "In C++ and C", "In [C++] and C"),
        ("graph", "hypergraph", "hypergraph"),
        ("量子", "入門量子計算", "入門[量子]計算"),
        ("", "nothing", "nothing"),
        ("x", "", ""),
    ],
)
def test_words_are_marked_by_form_and_stem(words: str, text: str, expected: str) -> None:
    assert marked(words, text) == expected


@given(st.text(), st.lists(st.sampled_from(["tile", "graph", "量子", "c++"]), max_size=3))
def test_marking_loses_no_letter_whatever_the_text_is(text: str, words: list[str]) -> None:
    assert "".join(piece for piece, _ in Marker.of(words).pieces(text)) == text


# Snippets.

ABSTRACT = (
    "Floors are old. Every floor is made of something, and that has been so for long. In this work a greedy layout "
    "of tiles is compared with an exact one. Both are fast. Nothing else is said about floors here, at any length."
)


def shown(words: str, width: int = 70, text: str = ABSTRACT) -> str:
    return "".join(piece for piece, _ in snippet(text, Marker.of(words.split()), width))


def test_the_snippet_is_the_beginning_when_nothing_matches() -> None:
    assert shown("whale") == "Floors are old. Every floor is made of something, and that has been…"


def test_the_snippet_begins_at_the_sentence_when_that_is_near() -> None:
    assert shown("greedy tiles") == "… In this work a greedy layout of tiles is compared with an exact…"


def test_the_snippet_has_the_most_words_when_they_stand_apart() -> None:
    text = shown("floors length tiles greedy", 60)
    assert "greedy" in text
    assert "tiles" in text


def test_a_short_text_is_its_own_snippet() -> None:
    assert shown("tiles", 70, "Fast tiles.") == "Fast tiles."


def test_the_snippet_has_marks() -> None:
    styles = {style for text, style in snippet(ABSTRACT, Marker.of(["greedy"]), 70) if "greedy" in text}
    assert styles == {MATCH_STYLE}


@given(st.text(max_size=400), st.integers(20, 100))
def test_a_snippet_fits_whatever_the_text_is(text: str, width: int) -> None:
    assert width_of(shown("tiles a", width, text)) <= width


def test_a_snippet_of_a_huge_text_is_short() -> None:
    assert width_of(shown("x tiles", 70, "lorem $x_{1}$ tiles " * 10_000)) <= 70
