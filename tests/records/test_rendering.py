r"""Text as HTML and BibTeX, and laws for every text. Numbers such as F01 are entries of the list of pitfalls."""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from html.parser import HTMLParser

import nh3
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records import rendering
from octavo.records.text import MARKUPS, Text

# HTML


@pytest.mark.parametrize(
    ("raw", "markup", "html"),
    [
        ("a < b & c", "plain", "a &lt; b &amp; c"),
        ("**a** *b* `c`", "mixed", "<strong>a</strong> <em>b</em> <code>c</code>"),
        ("H<sub>2</sub><br>O", "mixed", "H<sub>2</sub><br>O"),
        (
            r"\href{https://example.org/?a=1\&b=2}{x}",
            "tex",
            '<a href="https://example.org/?a=1&amp;b=2" rel="noopener nofollow">x</a>',
        ),
        (
            r"\href{javascript:alert(1)}{x} [y](javascript:alert(1))",
            "mixed",
            '<a rel="noopener nofollow">x</a> [y](javascript:alert(1))',
        ),
        (r"R&amp;amp;D: &amp;lt;b&amp;gt;", "tex", "R&amp;D: &lt;b&gt;"),  # C08
        (
            "thin <mml:math><mml:msub><mml:mi>WX</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math>",
            "xml",
            "thin WX<sub>2</sub>",
        ),
        ("$\\rset$", "tex", '<code class="tex">\\rset</code>'),
        (
            "$n^2$",
            "tex",
            '<math display="inline" alttext="n^2"><mrow><msup><mi>n</mi><mn>2</mn></msup></mrow></math>',
        ),
    ],
)
def test_html_shows_notation_as_tags(raw: str, markup: str, html: str) -> None:
    assert Text.of(raw, markup).html() == html


@pytest.mark.parametrize(
    "raw",
    [
        r"On $\frac{1}{<svg onload=document.title='x'>}$ bounds",  # F01
        r"$\text{<img src=x onerror=alert(1)>}$ $\href{javascript:alert(1)}{x}$ $\style{color:red}{x}$",
        "<b onmouseover=alert(1)>A</b> <a href='javascript:alert(1)'>x</a> <script>alert(1)</script>",
        '$\\rset<script>alert(1)</script>$ [x](https://a.b/"onclick=alert(1))',
        "&lt;script&gt;alert(1)&lt;/script&gt; <em><script>a</em>",
    ],
)
@pytest.mark.parametrize("markup", MARKUPS)
def test_html_is_safe_when_the_text_attacks(raw: str, markup: str) -> None:
    _assert_safe(Text.of(raw, markup).html())


def test_html_stops_setting_formulas_when_there_are_too_many() -> None:  # C15
    html = Text.of("lorem $x_{1}$ " * (rendering.MAX_FORMULAS + 50), "tex").html()
    assert html.count("<math") == rendering.MAX_FORMULAS
    assert html.count('class="tex"') == 50


# BibTeX


@pytest.mark.parametrize(
    ("raw", "markup", "bibtex"),
    [
        (  # C10
            "<fixed-case>BERT</fixed-case> for <tex-math>\\alpha</tex-math>-trees, said “yes”",
            "xml",
            "{BERT} for $\\alpha$-trees, said ``yes''",
        ),
        (r"The {{Q{u}X}} model and ${\rm QCH}$", "tex", r"The {{Q{u}X}} model and ${\rm QCH}$"),
        (r"Schr{\"o}dinger and Nguy{\~{\^e}}n", "tex", "Schrödinger and Nguyễn"),
        (
            "50% of R&D_1 for $5 #1 a~b^c {d} \\e",
            "plain",
            r"50\% of R\&D\_1 for \$5 \#1 a\textasciitilde{}b\textasciicircum{}c \textbraceleft{}d\textbraceright{} \textbackslash{}e",
        ),
        ("**Tile** *graphs* and `code`", "mixed", r"\textbf{Tile} \emph{graphs} and \texttt{code}"),
        (r"an \emph{open tile", "tex", r"an \emph{open tile}"),
        ("$a$$b$", "tex", "$a${}$b$"),
        ("a–b—c -- d", "plain", "a--b---c -{}- d"),
    ],
)
def test_bibtex_keeps_math_and_case(raw: str, markup: str, bibtex: str) -> None:
    assert Text.of(raw, markup).bibtex() == bibtex


@given(st.text(max_size=60))
def test_bibtex_comes_back_as_the_same_text(raw: str) -> None:  # C02
    text = Text.of(raw)
    assert Text.of(text.bibtex(), "tex").plain == text.plain


@given(st.text("“”‘’\"'`-–—_^~{}\\$&;am:/. x5", max_size=30))
def test_bibtex_comes_back_when_it_is_all_signs(raw: str) -> None:
    text = Text.of(raw)
    assert Text.of(text.bibtex(), "tex").plain == text.plain


# Laws

_WORDS = ("tiles", "Quokka", "graphs", "Vermeer", "zigzag")
_NOISE = (
    "\\emph{", "\\textbf{", "\\textsc{", "\\mytool{", "\\footnote{", "\\href{https://example.org/x}{", "\\ensuremath{",
    "{\\em ", "{", "}", "$", "$$", "\\(", "\\)", "\\[", "\\]", "_", "^", "_{", "^{", "\\frac{", "\\sqrt{", "\\hat ", "\\mathcal ",
    "\\mathbb{", "\\left", "\\right", "\\over ", "\\", "\\\\", "\\%", "\\$", "%", "&", "&amp;", "&lt;", "~", "--", "``", "''", "`",
    "'", '"', "*", "**", "***", "__", "[", "](", "](https://example.org)", "<b>", "</b>", "<sup>", "</sup>", "<x>", "<", ">",
    "\\begin{itemize}", "\\item ", "\\end{itemize}", "\\begin{equation}", "\\end{equation}", "\\unknown ", "\\alpha", "\\log ",
    "\\text{", "\\item[", "<tex-math>", "</tex-math>", "<mml:math>", "</mml:math>", "<msub>", "<![CDATA[", "://", "http://a.b/",
    "\u0301", "\u200b", "é", "0", "n", " ", "\n", "\t",
)  # fmt: skip
_pieces = st.lists(st.sampled_from(_NOISE) | st.sampled_from(_WORDS).map(lambda word: f" {word} "), max_size=25)
_anything = st.text() | _pieces.map("".join)


@given(_anything, st.sampled_from(MARKUPS))
def test_nothing_raises_whatever_the_text(raw: str, markup: str) -> None:
    for text in (Text.of(raw, markup), Text(raw, markup)):
        for shown in (text.plain, text.marked, text.html(), text.bibtex()):
            assert isinstance(shown, str)


@given(_pieces, st.sampled_from(MARKUPS))
def test_plain_holds_every_word_of_the_text(pieces: list[str], markup: str) -> None:  # C04
    text = Text.of("".join(pieces), markup)
    for piece in pieces:
        if piece.strip() in _WORDS:
            assert piece.strip() in text.plain
            assert piece.strip() in text.marked


@given(_anything, st.sampled_from(MARKUPS))
def test_of_changes_nothing_the_second_time(raw: str, markup: str) -> None:
    text = Text.of(raw, markup)
    assert Text.of(text.raw, markup) == text
    assert unicodedata.is_normalized("NFC", text.raw)


@given(_anything, st.sampled_from(MARKUPS))
def test_plain_is_clean(raw: str, markup: str) -> None:
    plain = Text.of(raw, markup).plain
    assert not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]|  |^ | $", plain)


@given(_anything, st.sampled_from(MARKUPS))
def test_html_is_safe_whatever_the_text(raw: str, markup: str) -> None:
    _assert_safe(Text.of(raw, markup).html())


class _Reader(HTMLParser):
    """Collects what a page would hold."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def _assert_safe(html: str) -> None:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    inline = {"em", "strong", "code", "sub", "sup", "a", "br"}
    assert {tag for tag in reader.tags if not tag.startswith("m")} <= inline
    assert reader.tags - inline <= set(rendering.symbols.MATHML_TAGS)
    for name, value in reader.attributes:
        assert not name.startswith("on")
        assert name not in ("style", "src", "id")
        if name == "href":
            assert value.startswith(("http://", "https://"))
    # The sanitiser's own parser, a browser's, finds nothing to take away.
    allowed = {tag: set(rendering.symbols.MATHML_ATTRIBUTES) | {"class"} for tag in reader.tags} | {"a": {"href"}}
    again = _Reader()
    again.feed(nh3.clean(html, tags=reader.tags | {"em"}, attributes=allowed, link_rel="noopener nofollow"))
    again.close()
    assert (again.tags, again.attributes, again.text) == (reader.tags, reader.attributes, reader.text)


# Size and speed


@pytest.mark.parametrize(
    "raw",
    [
        "lorem $x_{1}$ " * 10_000,  # C15
        "{" * 20_000 + "x" + "}" * 20_000,
        "$" + "{" * 20_000 + "x" + "}" * 20_000 + "$",
        "\\emph{" * 15_000,
        "$a " * 30_000,
        "**a " * 25_000,
        "[a](" * 25_000,
        "<em>" * 25_000,
        "_" * 50_000,
        "<!--" * 25_000,
        "\\(" * 50_000,
    ],
    ids=lambda raw: raw[:8],
)
@pytest.mark.parametrize("markup", MARKUPS)
def test_long_and_deep_texts_are_shown(raw: str, markup: str) -> None:
    # Deeper than the call stack, and long enough for a quadratic pattern to be noticed by whoever runs
    # the tests.
    text = Text.of(raw, markup)
    assert "x" not in raw or "x" in text.plain
    assert text.html()


def test_import_brings_no_heavy_module() -> None:
    code = "import sys, octavo.records.text; print(sorted(m for m in sys.modules if m.split('.')[0] in (%s)))"
    heavy = "'nh3', 'latex2mathml', 'pylatexenc', 'xml'"
    shown = subprocess.run([sys.executable, "-c", code % heavy], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
