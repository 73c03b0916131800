"""Search over the made-up world: the pitfalls of group E, and what a hit says of itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.errors import QueryError, UsageError


def titles(octavo: Octavo, query: str) -> list[str]:
    """The finds by words alone: in so small a world everything is near in meaning."""
    return [hit.paper.title for hit in octavo.search(query, 20, way="words").hits]


@pytest.mark.parametrize(
    "query",
    ['"', 'a"b', "(", ")", "don't", "title:", "foo:bar", "-x", "^", "{a}: b", "[a TO", "a~", "\\", "   ", "", "*", "?", "**",
     "*tion", "a/b?c", "😀", "\x00", "مقدمة", "'; DROP TABLE papers; --", "[" * 5000, "NOT", "AND OR", "year:2031..2020"],
)  # fmt: skip
def test_anything_typed_gives_an_answer(library: Octavo, query: str) -> None:
    """E01, E08."""
    view = library.search(query)
    assert view.total >= len(view.hits)


@settings(max_examples=150, deadline=None)
@given(query=st.text(max_size=60))
def test_no_text_breaks_the_search(library: Octavo, query: str) -> None:
    assert library.search(query).query == query


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tiles are sufficient for fast layout", "Tiles are sufficient for fast layout"),
        ("TILES ARE SUFFICIENT... FOR FAST LAYOUT?!", "Tiles are sufficient for fast layout"),
        ("On $\\alpha$-Trees: a Résumé", "On α-Trees: a Résumé"),
        ("on alpha trees a resume", "On α-Trees: a Résumé"),
        ("on α-trees: a re\u0301sume\u0301", "On α-Trees: a Résumé"),
        ("Tiler 2.0", "Tiler 2.0"),
        ("量子計算入門", "量子計算入門"),
    ],
)
def test_exact_title_is_first_however_it_is_written(library: Octavo, query: str, expected: str) -> None:
    view = library.search(query)
    assert view.hits[0].paper.title == expected
    assert "title is exactly this" in str(view.hits[0].why)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Tiles are sufficent for fast layuot", "Tiles are sufficient for fast layout"),
        ("Flash Memery Wear in Embeded Recorders", "Flash Memory Wear in Embedded Recorders"),
        ("Gramar of Whale Sogn", "Grammar of Whale Song"),
        ('Sailing "Baots" Seen from Orbti', "Sailing Boats Seen from Orbit"),
    ],
)
def test_title_with_typing_errors_is_first(library: Octavo, query: str, expected: str) -> None:
    assert titles(library, query)[0] == expected


def test_hyphen_is_no_exclusion(library: Octavo) -> None:
    """E02."""
    found = titles(library, "non-invasive")
    assert found[:2] == ["Non-invasive Sensing of Plants", "A Non Invasive Probe for Sap Flow"]
    assert "Invasive Species Found by Drones" not in found[:2]


@pytest.mark.parametrize(
    ("query", "first", "absent"),
    [
        ("C++", "C++ Templates as a Proof Assistant", "A Verified C Kernel"),
        ("C", "A Verified C Kernel", None),
        ("2.0", "Tiler 2.0", "Laying 2 Tiles with 0 Gaps"),
        ("flashtp", "FlashTP: Tensor Products without Regret", "Flash Memory Wear in Embedded Recorders"),
        ("FLASHTP", "FlashTP: Tensor Products without Regret", None),
        ("flash-tp", "FlashTP: Tensor Products without Regret", None),
        ("flash tp", "FlashTP: Tensor Products without Regret", None),
        ("量子", "量子計算入門", None),
        ("計算", "量子計算入門", None),
        ("入門", "量子計算入門", None),
        ("tilin*", None, None),
        ("gramm*", "Grammar of Whale Song", None),
    ],
)
def test_words_are_found_as_typed(library: Octavo, query: str, first: str | None, absent: str | None) -> None:
    """E03, E04, E05, E07, E08."""
    found = titles(library, query)
    if first:
        assert found[0] == first
    assert absent not in found


def test_flash_alone_finds_both(library: Octavo) -> None:
    """E05."""
    assert set(titles(library, "flash")) == {
        "FlashTP: Tensor Products without Regret",
        "Flash Memory Wear in Embedded Recorders",
    }


@pytest.mark.parametrize("query", ["lukasz nguyen xenon", "Łukasz Nguyễn xenon", "ŁUKASZ Nguye\u0302\u0303n bounds"])
def test_accents_are_folded_when_names_and_words_are_mixed(library: Octavo, query: str) -> None:
    """E06."""
    assert titles(library, query)[0] == "Xenon Bounds"
    assert library.search(query).matching == 1


@pytest.mark.parametrize(
    "query", ['au:"de Ruyt Example"', 'author:"Example, T."', 'author:"t o de ruyt example"', "author:ruyt"]
)
def test_an_author_is_found_in_any_form(library: Octavo, query: str) -> None:
    """E10."""
    assert titles(library, query) == ["C++ Templates as a Proof Assistant"]


@pytest.mark.parametrize(
    ("query", "n"),
    [
        ("year:2028", 2), ("year:2028..2029", 3), ("year:2050", 0), ("venue:plant", 3), ("venue:plant year:2027", 1),
        ("cat:cs.LG", 2), ("cat:cs", 2), ("cat:math.GT", 1), ("author:wang", 2), ("title:preface", 2),
        ("id:math.GT/0309136", 1), ("10.5555/tiles.1", 1), ("https://arxiv.org/abs/2101.00010v2", 1), ("arXiv:2101.00010", 1),
        ("author:wang -memory", 1), ("(title:preface OR title:grammar) year:2023", 2),
    ],
)  # fmt: skip
def test_fields_filter(library: Octavo, query: str, n: int) -> None:
    assert library.search(query).total == n


def test_quoted_phrase_is_exact(library: Octavo) -> None:
    assert titles(library, '"embedded recorders"') == ["Flash Memory Wear in Embedded Recorders"]
    assert titles(library, '"recorders embedded"') == []
    assert titles(library, '"Gramar of Whale Song"') == []


def test_long_query_says_what_was_used(library: Octavo) -> None:
    """E09."""
    view = library.search(" ".join(f"w{i}" for i in range(5000)))
    assert view.total == 0
    assert view.notes


def test_partial_matches_say_so(library: Octavo) -> None:
    view = library.search("whale song grammar zebra")
    assert view.hits[0].paper.title == "Grammar of Whale Song"
    assert any("of 4" in note for note in view.notes)


def test_total_and_pages_agree(library: Octavo) -> None:
    whole = library.search("year:2022..2031", 100)
    parts = [hit.paper.id for at in range(0, whole.total, 4) for hit in library.search("year:2022..2031", 4, at).hits]
    assert parts == [hit.paper.id for hit in whole.hits]
    assert len(parts) == whole.total == len(set(parts))


def test_octavos_summary_is_searched_and_named(library: Octavo) -> None:
    view = library.search("cages of ice")
    assert view.hits[0].paper.title == "Xenon Bounds"
    assert "Octavo's summary" in str(view.hits[0].why)


def test_wrong_limits_are_refused(library: Octavo) -> None:
    for arguments in ((0, 0), (1001, 0), (10, -1)):
        with pytest.raises(UsageError):
            library.search("x", *arguments)


def test_strict_refuses_what_lenient_reads(library: Octavo) -> None:
    assert library.search("colour:red").notes
    with pytest.raises(QueryError, match="colour"):
        library.search("colour:red", strict=True)
