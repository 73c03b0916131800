"""Texts as HTML, marks in them, and the piece that shows them best."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from octavo.query.marking import Marker, best_piece
from octavo.records.text import Text
from octavo.web.markup import html, marked, snippet

TILES = Marker.of(("tile", "greedy"))


_EMPTY = ("mspace", "none", "mprescripts")


class Balanced(HTMLParser):
    """Fails on a tag that is closed in the wrong place; keeps the text."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.feed(fragment)
        self.close()
        assert not [tag for tag in self.open if tag not in _EMPTY]

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag != "br":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        # What holds nothing is written `<mspace></mspace>` in one place and `<mspace>` in another.
        while self.open and self.open[-1] != tag and self.open[-1] in _EMPTY:
            self.open.pop()
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Greedy tiles & <b>", "<mark>Greedy</mark> <mark>tiles</mark> &amp; &lt;b&gt;"),
        ("(tiles)", "(<mark>tiles</mark>)"),
        ("textiles", "textiles"),
        ("", ""),
    ],
)
def test_words_are_marked_in_plain_text(text: str, shown: str) -> None:
    assert str(marked(text, TILES)) == shown


def test_words_are_marked_in_html_outside_of_formulas_and_code() -> None:
    text = Text.of(r"**Tiles** of $tile_n$ and `tile` &amp; [a tile](https://tile.example/?tile=1)", "mixed")
    shown = str(html(text, TILES))
    assert shown.count("<mark>") == 2
    assert "<strong><mark>Tiles</mark></strong>" in shown
    assert ">a <mark>tile</mark></a>" in shown
    assert "https://tile.example/?tile=1" in shown
    assert "<code>tile</code>" in shown
    Balanced(shown)


def test_a_title_in_a_link_has_no_link_of_its_own() -> None:
    assert "<a" in html(Text("[a](https://b.example/)", "mixed"))
    assert str(html(Text("[a](https://b.example/)", "mixed"), links=False)) == "a"


@given(
    st.text(alphabet="ab <>&\"'$\\{}*_`[]()tile\u202e\u2066é量\n", max_size=60),
    st.sampled_from(["plain", "mixed", "tex", "xml"]),
)
@example(r"$<\>$", "mixed")
def test_marks_change_nothing_of_a_text_but_add_marks(raw: str, markup: str) -> None:
    text = Text.of(raw, markup)
    without, with_marks = str(html(text)), str(html(text, TILES))
    assert Balanced(with_marks).text == Balanced(without).text
    assert "\u202e" not in with_marks
    assert "<script" not in with_marks


@given(st.text(alphabet="tile. greedy量子,-", max_size=400), st.integers(20, 200))
def test_a_piece_is_a_part_of_its_text(text: str, letters: int) -> None:
    pieces = best_piece(text, TILES, letters)
    shown = "".join(piece for piece, _ in pieces)
    assert shown.removeprefix("… ").removesuffix("…") in text
    assert len(shown) <= letters + 4
    assert "".join(piece for piece, _ in TILES.pieces(text)) == text


def test_a_piece_begins_at_the_sentence_that_has_the_words() -> None:
    text = "Nothing of it is here. " * 20 + "A greedy tile is laid. " + "And nothing after it. " * 20
    assert snippet(text, TILES).startswith("… A <mark>greedy</mark> <mark>tile</mark> is laid.")
    assert snippet(text).startswith("Nothing of it is here.")
    assert snippet(text).endswith("…")


def test_what_turns_a_line_around_is_left_out_and_other_signs_of_direction_are_kept() -> None:
    """Pitfall C13."""
    assert str(marked("a\u202eb\u202c \u2067x\u2069\u200f", TILES)) == "ab \u2067x\u2069\u200f"
    assert "\u202e" not in html(Text("**a\u202eb**", "mixed"))


def test_chinese_words_are_marked_where_they_stand() -> None:
    assert str(marked("量子計算入門", Marker.of(("計算",)))) == "量子<mark>計算</mark>入門"


def test_a_compound_is_marked_whole_when_it_is_found_as_one() -> None:
    assert str(marked("A non-invasive probe", Marker.of(("noninvasive",)))) == "A <mark>non-invasive</mark> probe"
