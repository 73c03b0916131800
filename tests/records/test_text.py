r"""Text in four notations. Numbers such as C05 are entries of the project's list of pitfalls."""

from __future__ import annotations

import gzip
import json
import re
import tarfile
from pathlib import Path

import pytest

from octavo.records.text import MARKUPS, Text, is_placeholder


def _plain(raw: str, markup: str = "tex") -> str:
    return Text.of(raw, markup).plain


# Cleaning


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ("Deep\u0000 nets\u000b and \ufffe trees", "Deep nets and trees"),  # C11
        ("\ud835 bold", "\ufffd bold"),  # C12
        ("\ud835\udd38 whole", "𝔸 whole"),
        ("Graphs \u202egnp.exe", "Graphs gnp.exe"),  # C13
        ("مقدمة في GNN (v2.0)", "مقدمة في GNN (v2.0)"),
        ("a\u2066b\u2069 \u200fc", "a\u2066b\u2069 \u200fc"),
        ("Nguye\u0302\u0303n", "Nguyễn"),  # C02
        ("don\x92t \x93stop\x94 \x85", "don’t “stop” …"),
        ("e\ufb03cient \ufb01ne-tuned \ufb02ow", "efficient fine-tuned flow"),
        ("\ufeff soft\u00adly\u00a0so\u200bon ", "softly soon"),
        ("zero\u200d-width", "zero-width"),
        ("क्\u200dष", "क्\u200dष"),
        ("  two\n  lines\t here  ", "two lines here"),
        ("classi- fication, pre- and post-", "classi- fication, pre- and post-"),
    ],
)
@pytest.mark.parametrize("markup", MARKUPS)
def test_of_cleans_raw(raw: str, cleaned: str, markup: str) -> None:
    assert Text.of(raw, markup).raw == cleaned


def test_of_refuses_an_unknown_notation() -> None:
    with pytest.raises(ValueError, match="no notation of this name: 'rtf'"):
        Text.of("x", "rtf")


@pytest.mark.parametrize(
    ("raw", "markup"),
    [
        ("Tile graphs, revisited: a (short) survey!", "mixed"),
        ("A*-search at 10 * 5 <3 & more; p_i", "mixed"),
        ("an *emphasis* that TeX has not", "tex"),
        ("a ~ b -- {c}", "xml"),
        ("$x$ **y** <b>z</b>", "plain"),
    ],
)
def test_of_marks_text_plain_when_nothing_needs_reading(raw: str, markup: str) -> None:
    assert Text.of(raw, markup) == Text(raw, "plain")


@pytest.mark.parametrize(
    ("raw", "markup"), [("a~b", "tex"), ("an *em*", "mixed"), ("<i>a</i>", "xml"), ("a&amp;b", "xml"), ("$n$", "tex")]
)
def test_of_keeps_the_notation_when_something_needs_reading(raw: str, markup: str) -> None:
    assert Text.of(raw, markup) == Text(raw, markup)


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("a \textit{tile} and $8\times 8$", "a tile and 8×8"),
        ("a extit{tile}, $ extbf{two}$ and 8$ imes$8", "a tile, two and 8×8"),
        ("\x1bmph{so} $\x08eta$ and $\x0crac{a}{b}$, $\rho$", "so β and a/b, ρ"),
    ],
)
def test_of_restores_macros_when_their_first_letter_was_an_escape(raw: str, plain: str) -> None:
    assert _plain(raw, "mixed") == plain


def test_text_is_a_value() -> None:
    assert Text("a") == Text("a", "plain")
    assert len({Text("a"), Text("a"), Text("a", "tex")}) == 2
    assert Text("a")
    assert not Text("")


# TeX


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (  # C01
            r"{\'E}lodie {\v S}imi{\'c}, J\"urg {\L}ozi\'nski, Kal{\=\i}te, M\H ore, Dvo{\v r}\'{a}k",
            "Élodie Šimić, Jürg Łoziński, Kalīte, Mőre, Dvořák",
        ),
        (r"Nguy{\~{\^e}}n, Gau\ss ian, \c{c}a, na\"{\i}ve, \AA{}rhus, \O re", "Nguyễn, Gaußian, ça, naïve, Århus, Øre"),
        (r"the world\'s tiles, O\'Bee, don\'t", "the world's tiles, O'Bee, don't"),
        (r"{\b{eta}}-tiles of \r{ho} and \k{appa}", "β-tiles of ρ and κ"),
        (r"The {{Q{u}X}} model for sets \{a,b\}", "The QuX model for sets {a,b}"),  # C03
        ("A note } on graphs", "A note } on graphs"),  # C04
        ("A note { on graphs", "A note { on graphs"),
        (r"See \href{https://example.org/a}{the page} for code", "See the page for code"),
        ("ends with a backslash \\", "ends with a backslash \\"),
        (r"\textsc{Bert}-like \mytool{} gives B{\ensuremath{\beta}}x", "Bert-like mytool gives Bβx"),  # C06
        (r"\ourname beats \other{Quokka} and \two{a}{b}", "ourname beats Quokka and a b"),
        (r"R&amp;amp;D for Q\&A: the &amp;lt;b&amp;gt; tag", "R&D for Q&A: the <b> tag"),  # C08
        (r"a \&amp; b, &nbsp;c &mdash; &#151; &beta; &nosuch; AT&T;", "a & b, c — — β &nosuch; AT&T;"),
        (r"\emph{a} \textbf{b} {\em c} {\bf d}e \texttt{f} \underline{G}raph", "a b c de f Graph"),
        (r"``two'' and `one' and ``mixed\" ones", "“two” and ‘one’ and “mixed” ones"),
        ("``straight\" end, a 5''-disc, don't", "“straight” end, a 5''-disc, don't"),
        ("a -- b---c ---- d", "a – b—c ---- d"),
        ("Fig.~3, ~10 tiles, 10~20", "Fig. 3, ~10 tiles, 10~20"),
        (r"50\% of \$5 \& \#1 a\_b \textasciitilde{}c 10\,ms set\-tled", "50% of $5 & #1 a_b ~c 10 ms settled"),
        (r"50\\% of \\textbf{tiles} in one\\line", "50% of tiles in one line"),
        (r"the tiles \cite{bee31}, of \cite{dee32} and \citet{eff33, gee34}.", "the tiles, of dee32 and eff33, gee34."),
        (r"as shown~\citep[see][]{bee31}. And (\cite{x}) or [\cite{y}]", "as shown. And or"),
        (r"by Bee et al. \cite{bee31}. Lately, \cite{dee32} found", "by Bee et al. Lately, dee32 found"),
        (r"code\footnote{At \url{https://example.org/a_b}.}", "code (At https://example.org/a_b.)"),
        (
            r"at \url{https://example.org/a\_b~c} or https://example.org/x_y--z",
            "at https://example.org/a_b~c or https://example.org/x_y--z",
        ),
        (r"We: \begin{itemize} \item tile, \item tile. \end{itemize} Done", "We: tile, tile. Done"),
        (r"\textcolor{red}{Warning} {\color{blue}go} \vspace{2em}on \label{a}now", "Warning go on now"),
        (r"3{,}050 tiles {--} in {0, 1} and Quokka-{7B,13B}", "3,050 tiles – in {0, 1} and Quokka-{7B,13B}"),
        (r"{Learning, Fast} {and} {Slow}", "{Learning, Fast} and Slow"),
        (r"{Tiles, Graphs}", "Tiles, Graphs"),
        (r"(\eg, \ie. \etal) \textsuperscript{th} \LaTeX{}, \ldots", "(e.g., i.e. et al.) th LaTeX, …"),
        ('\\ding{182} one \\ding{51} \\char"0041 \\verb|a_{b}| \\enquote{c}', "❶ one ✓ A a_{b} “c”"),
        (r"in O(n^{1/2}\log n), x_{ij}, 10^{-20}, \|x\|_{2}", "in O(n^(1/2) log n), x_ij, 10⁻²⁰, ‖x‖₂"),
        (r"an \alpha-tile, \sqrt{n} and \frac{a}{b} \mathcal{O}(n)", "an α-tile, √n and a/b O(n)"),
        (
            r"\emphoblivious, \sqrtn, \mathbbR, \widetildeO(\sqrtT), \textscTile, O(\fracNε)",
            "oblivious, √n, ℝ, Õ(√T), Tile, O(N/ε)",
        ),
        (r"\begin{equation*} a = b \end{equation*} holds", "a = b holds"),
    ],
)
def test_plain_reads_tex(raw: str, plain: str) -> None:
    assert _plain(raw) == plain


@pytest.mark.parametrize(
    ("raw", "plain", "marked"),
    [
        (  # C05
            "We cut the cost from $5 to $3 per run while $x>0$ holds, a saving of $2.",
            "We cut the cost from $5 to $3 per run while x>0 holds, a saving of $2.",
            "We cut the cost from $5 to $3 per run while $x>0$ holds, a saving of $2.",
        ),
        ("${\\rm QCH}$ for sets \\{a,b\\}", "QCH for sets {a,b}", "${\\rm QCH}$ for sets {a,b}"),  # C03
        ("and $\\rset$", "and $\\rset$", "and $\\rset$"),  # C06
        ("4.2$\\times$ and 2$\\times$3", "4.2× and 2×3", "4.2$\\times$ and 2$\\times$3"),
        (
            "$ n $ and $ \\alpha $ cost $10K or $20K",
            "n and α cost $10K or $20K",
            "$ n $ and $ \\alpha $ cost $10K or $20K",
        ),
        (
            "for $50 per tile. The total is 30$",
            "for $50 per tile. The total is 30$",
            "for $50 per tile. The total is 30$",
        ),
        ("\\(x\\) and \\[y = 2\\] and $$z$$", "x and y = 2 and z", "$x$ and $y = 2$ and $z$"),
        ("so\\[x\\]and", "so x and", "so $x$ and"),
        ("a$\\,$b ($<$5%), $x&lt;1$", "a b (<5%), x<1", "a b ($<$5%), $x<1$"),
        ("$\\url{https://example.org/a_b}$.", "https://example.org/a_b.", "https://example.org/a_b."),
        ("five $ odd", "five $ odd", "five $ odd"),
        ("US$5/US$6", "US$5/US$6", "US$5/US$6"),
        ("$\\textit{tiled graphs}$", "tiled graphs", "$\\textit{tiled graphs}$"),
    ],
)
def test_dollar_signs_are_math_or_money(raw: str, plain: str, marked: str) -> None:
    text = Text.of(raw, "tex")
    assert (text.plain, text.marked) == (plain, marked)


# Markdown and HTML


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        ("**S**hampo**O** with *em*, _em_ and __strong__", "ShampoO with em, em and strong"),
        ("***both*** and **a *b* c** and _**T**ile_", "both and a b c and Tile"),
        ("*T*ile *G*raph-*A*ware", "Tile Graph-Aware"),
        (
            "A*-search, p*, 10 * 5 * 3, 2**8 and 3**4, (3*128*128)",
            "A*-search, p*, 10 * 5 * 3, 2**8 and 3**4, (3*128*128)",
        ),
        ("snake_case, f_i, _private, L*a*b*, **open", "snake_case, f_i, _private, L*a*b*, **open"),
        ("[the code](https://example.org/a_(b)) and [3](4), f[x](y)", "the code and [3](4), f[x](y)"),
        ("*[here](https://example.org/x)*: ![a tile](tile.png)", "here: a tile"),
        ("a `code_x` and a `quote' and ``two''", "a code_x and a ‘quote’ and “two”"),
        ("<em>a</em> <B>b</B> H<sub>2</sub>O 10<sup>6</sup> 1<sup>st</sup><br/>c<p>d</p>", "a b H2O 10⁶ 1st c d"),
        ("<a href='https://example.org'>x</a> <b>open, </i> <SEG> a<b and c>d", "x <b>open, </i> <SEG> a<b and c>d"),
        ("for 0<x and y>1 we show n<m; end", "for 0<x and y>1 we show n<m; end"),  # C07
        ("**cost $x>0$** of *$\\mu$-tiles*", "cost x>0 of μ-tiles"),
    ],
)
def test_plain_reads_markdown_with_caution(raw: str, plain: str) -> None:
    assert _plain(raw, "mixed") == plain


def test_plain_leaves_markdown_and_tags_when_the_notation_is_tex() -> None:
    raw = "*a* **b** [c](https://example.org) <b>d</b>"
    assert _plain(raw, "tex") == raw


@pytest.mark.parametrize("markup", MARKUPS)
def test_less_than_survives_in_every_notation(markup: str) -> None:  # C07
    raw = "for 0<x and y>1 we show n<m; end"
    text = Text.of(raw, markup)
    assert text.plain == raw
    assert text.html() == "for 0&lt;x and y&gt;1 we show n&lt;m; end"


# XML

# JATS gives a formula as a whole TeX document and as MathML; a reader wants it once.
_TWO_SPELLINGS = (
    "<inline-formula><alternatives><tex-math>\\begin{document}$$x^2$$\\end{document}</tex-math>"
    "<mml:math><mml:mi>x</mml:mi></mml:math></alternatives></inline-formula> <inline-formula>y</inline-formula>"
)


@pytest.mark.parametrize(
    ("raw", "plain"),
    [
        (  # C09
            "Glow of thin <mml:math><mml:msub><mml:mi>WX</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math> films",
            "Glow of thin WX2 films",
        ),
        (  # C10
            "<title><fixed-case>BERT</fixed-case> for <tex-math>\\alpha</tex-math>-trees, said “yes”</title>",
            "BERT for α-trees, said “yes”",
        ),
        ("<fixed-case>A</fixed-case>dap<fixed-case>T</fixed-case>ile", "AdapTile"),
        ("R&amp;amp;D, R&amp;D, p&lt;0.05, p<0.05 & more", "R&D, R&D, p<0.05, p<0.05 & more"),
        ("<jats:p>One.</jats:p><jats:p>Two <jats:italic>so</jats:italic>.</jats:p>", "One. Two so."),
        (
            "<url>https://example.org/a_b</url>, <ext-link xlink:href='https://example.org'>x</ext-link>",
            "https://example.org/a_b, x",
        ),
        ("10<sup>6</sup> <new tag='1'>kept</new> <!-- a note -->end<?php x?>", "10⁶ kept end"),
        ("<![CDATA[a <b> &amp; c]]> d", "a <b> &amp; c d"),
        (_TWO_SPELLINGS, "x² y"),
        ("<math><mfrac><mi>a</mi><mi>b</mi></mfrac><msqrt><mn>2</mn></msqrt><mtext> if </mtext></math>", "a/b√(2) if"),
        ("<math><msup><mi>n</mi><mn>2</mn></msup><annotation>n^2</annotation></math>", "n²"),
        ("<i>open and </b>stray", "open and stray"),
        ("Tiles--and {braces} $5", "Tiles--and {braces} $5"),
    ],
)
def test_plain_reads_xml(raw: str, plain: str) -> None:
    assert _plain(raw, "xml") == plain


def test_plain_expands_no_entity_of_a_document_type() -> None:
    raw = '<!DOCTYPE x [<!ENTITY a "lol"><!ENTITY b "&a;&a;">]><p>&b;</p>'
    assert _plain(raw, "xml") == "&b;"


# Placeholders


@pytest.mark.parametrize(
    "text",
    [
        "N/A",
        "n/a.",
        "See PDF",
        "Abstract not available.",
        "-",
        "",
        "abstract",
        "Abstract Unavailable",
        "No abstract available",
        " ... ",
    ],
)
def test_is_placeholder_when_there_is_no_abstract(text: str) -> None:  # C14
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["N/A loss functions", "Abstract interpretation", "See PDF files as graphs", "None of us", "Tiles."]
)
def test_is_placeholder_spares_short_texts(text: str) -> None:
    assert not is_placeholder(text)


# Real data

_NO_TEXT = re.compile(
    r"\\[A-Za-z]*[cC]ite[A-Za-z]*\*?\s*(?:\[[^\]]*\]\s*)*(?:\{[^{}]*\}|[^\s{]*)"
    r"|\\(?:ref|label|textcolor|color|begin|end|url|href|hyperref|ding|char)(?![A-Za-z])\s*"
    r"(?:\[[^\]]*\]\s*)*(?:\{[^{}]*\})?"
    r"|\\(?:['\"`^~=.]|[uvHckrdbt](?![A-Za-z]))\s?(?:\{[^{}]*\}|\\?[A-Za-z])"
    r"|\[[^\[\]]*=[^\[\]]*\]|\]\([^)]*\)|</?[a-z]+\b[^<>]*>|&#?\w+;|\\[A-Za-z]+|(?:https?://|www\.)\S+"
)
"""What a reader needn't find again: names of macros, keys of citations, addresses, accents, tags."""


@pytest.mark.real
def test_no_word_is_lost_in_real_abstracts(shared: Path) -> None:
    lost = []
    with tarfile.open(shared / "data/mlanthology/mlanthology-2026-03.tar") as archive:
        for member in archive:
            if not re.search(r"(?:colt|aistats|icml)-20(?:15|24)", member.name):
                continue
            content = archive.extractfile(member)
            assert content is not None
            for paper in json.loads(gzip.decompress(content.read()))["papers"]:
                text = Text.of(paper["abstract"], "mixed")
                words = re.findall("[A-Za-z]{3,}", _NO_TEXT.sub("\x00", text.raw))
                lost += [(paper["bibtex_key"], word) for word in words if word not in text.plain]
    assert lost == []
