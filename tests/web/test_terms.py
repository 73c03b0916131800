"""Terms as links in HTML: balanced, once, beside marks, and never in links, formulas and code."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup

from octavo.query.marking import Marker
from octavo.records.text import Text
from octavo.topics.glossary import Glossary
from octavo.topics.recognise import Recogniser
from octavo.web.markup import html
from octavo.web.terms import with_terms

MADE_UP = Glossary.of(
    {
        "tiles.toml": """field = "Tiles"
field_chinese = "瓷砖"
[tile]
english = "tile"
chinese = "瓷砖"
meaning = "A <flat> piece & more."
meaning_chinese = "扁平陶片。"
[tile-matrix]
english = "tile matrix"
chinese = "瓷砖矩阵"
meaning = "Tiles in rows."
meaning_chinese = "成行的瓷砖。"
"""
    }
)
KNOWN = (MADE_UP, Recogniser(MADE_UP))
LINK = '<span class="term" tabindex="-1"><a href="/glossary/{0}" aria-describedby="t-{0}">{1}</a>{2}</span>'
TIP = (
    '<span class="tip" role="tooltip" id="t-tile" lang="en"><a href="/glossary/tile" tabindex="-1">tile</a> '
    "A &lt;flat&gt; piece &amp; more.</span>"
)


class Reader(HTMLParser):
    """Keeps what is read outside definitions, and the words of links; fails on a tag that is closed in a wrong place."""

    def __init__(self, fragment: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.linked: list[str] = []
        self.feed(fragment)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        role = dict(attrs).get("class") or ""
        inside = {name.partition(".")[0] for name in self.open}
        assert role != "term" or not inside & {"a", "code", "math"}, "a term where none may be"
        assert tag != "a" or "a" not in inside, "a link in a link"
        if role == "term":
            self.linked.append("")
        self.open.append(f"{tag}.{role}")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop().partition(".")[0] == tag

    def handle_data(self, data: str) -> None:
        if "span.tip" not in self.open:
            self.text += data
            if "span.term" in self.open:
                self.linked[-1] += data


def shown(fragment: str, **how: str) -> str:
    return str(with_terms(Markup(fragment), known=KNOWN, **how))


def test_a_term_is_a_link_with_its_definition() -> None:
    assert shown("A tile.") == "A " + LINK.format("tile", "tile", TIP) + "."


def test_a_definition_is_in_the_language_of_the_page() -> None:
    made = shown("A tile.", language="zh_CN", name="p7")
    assert 'id="p7-tile" lang="zh-CN"' in made
    assert "瓷砖</a> 扁平陶片。" in made
    assert 'describedby="p7-tile"' in made


@pytest.mark.parametrize(
    ("fragment", "linked"),
    [
        ("tile, tile", ["tile"]),
        ("<mark>tile</mark> matrix", ["tile matrix"]),
        ("a <mark>big tile</mark> <mark>matrix</mark>", ["tile matrix"]),
        ("<em>tile</em> matrix", ["tile"]),
        ("<a href='x'>tile</a> and tile", ["tile"]),
        ("<code>tile</code> <math><mi>tile</mi></math>", []),
        ("<math><mi>a</mi></math> tile", ["tile"]),
        ("fish &amp; tile &lt;b&gt;", ["tile"]),
        ("<mark>a<b>tile</b>tile</mark> tile", []),
        ("", []),
    ],
)
def test_terms_are_linked_where_they_may_be(fragment: str, linked: list[str]) -> None:
    made = Reader(shown(fragment))
    assert made.linked == linked
    assert made.text == Reader(fragment).text


def test_a_mark_over_the_border_of_a_term_is_parted() -> None:
    made = shown("<mark>non-tile</mark>")
    assert made == "<mark>non-</mark>" + LINK.format("tile", "<mark>tile</mark>", TIP)


PARTS = st.lists(
    st.sampled_from(
        ["tile", "tiles", " matrix", " ", "-", "greedy", "$x$", "$tile$", "`tile`", "**tile**", "*a tile", "<b>", "&lt;", "&",
         "[tile](https://example.org)", "\\emph{tile}", "<a>tile", "瓷砖", "https://example.org/tile", '"', "'"]
    )
).map("".join)  # fmt: skip


@given(PARTS, st.sampled_from(["plain", "mixed", "tex", "xml"]))
def test_what_is_read_stays_the_same_whatever_is_linked_and_marked(raw: str, markup: str) -> None:
    fragment = html(Text(raw, markup), Marker.of(("tile", "greedy")))
    before, after = Reader(str(fragment)), Reader(str(with_terms(fragment, known=KNOWN)))
    assert after.text == before.text
    assert len(after.linked) <= 2
