r"""Formulas as a line of text and as MathML. Numbers such as F02 are entries of the project's list of
pitfalls."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records import symbols
from octavo.records.math import MAX_DEPTH, MAX_FORMULA, readable
from octavo.records.mathml import mathml


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        ("x>0", "x>0"),
        ("k", "k"),
        (r"4.2\times", "4.2×"),
        (r"D\Delta_{\max}\log T", "DΔ_max log T"),
        (r"\ell_1", "ℓ₁"),
        (r"\ell_\infty", "ℓ_∞"),
        (r"\mathcal O(n^2)", "O(n²)"),
        (r"\frac{a}{b}", "a/b"),
        (r"{\rm QCH}", "QCH"),
    ],
)
def test_readable_writes_what_papers_are_full_of(tex: str, line: str) -> None:
    assert readable(tex) == line


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"10^{-3}", "10⁻³"),
        (r"n^{1/2}", "n^(1/2)"),
        (r"\mathbb{R}^{n\times d}", "ℝ^(n×d)"),
        (r"x_{i,j}^2", "x_(i,j)²"),
        (r"x_iy_j", "x_i y_j"),
        (r"x^{a_i}", "x^(a_i)"),
        (r"k^{th}", "kth"),
        (r"360^\circ", "360°"),
        (r"\pi^*, f^\star, x'", "π*, f⋆, x′"),
        (r"A^\top B", "A^⊤ B"),
        (r"n_total", "n_total"),
        (r"\lambda_{\min}^{-1}", "λ_min⁻¹"),
        (r"\sum_{i=1}^{n} x_i", "∑_(i=1)ⁿ x_i"),
        (r"_2", "₂"),
    ],
)
def test_readable_sets_scripts(tex: str, line: str) -> None:
    assert readable(tex) == line


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"\alpha x", "αx"),
        (r"\alpha + \beta", "α + β"),
        (r"4\times 4", "4×4"),
        (r"4 \times 4", "4 × 4"),
        (r"\epsilon\leq 0.1", "ε≤0.1"),
        (r"x \in X", "x ∈ X"),
        (r"x = -1", "x = -1"),
        (r"\left[ -1, 1 \right]", "[-1, 1]"),
        (r"\widetilde{O} \left( n \right)", "Õ(n)"),
        (r"n\log n", "n log n"),
        (r"\log\log T + \log^2 n", "log log T + log² n"),
        (r"\log(n)", "log(n)"),
        (r"\min_{x \in X} f(x)", "min_(x∈X) f(x)"),
        (r"\operatorname{rank}(A)\,d", "rank(A) d"),
        (r"x \text{ if } y", "x if y"),
    ],
)
def test_readable_puts_blanks_where_readers_need_them(tex: str, line: str) -> None:
    assert readable(tex) == line


@pytest.mark.parametrize(
    ("tex", "line"),
    [
        (r"\frac{1}{2}x", "(1/2)x"),
        (r"\frac{a+1}{2n}", "(a+1)/(2n)"),
        (r"\frac{\log n}{\sqrt{mn}}", "(log n)/√(mn)"),
        (r"\frac{n}{\epsilon^2}", "n/ε²"),
        (r"\frac12", "1/2"),
        (r"{a \over b}", "a/b"),
        (r"{n \choose k}, \binom{n}{k}", "(n choose k), (n choose k)"),
        (r"\sqrt[3]{n} \sqrt n \sqrt[p]{x+1}", "∛n √n (x+1)^(1/p)"),
        (r"\tilde{\mathcal{O}}(\sqrt{nT})", "Õ(√(nT))"),
        (r"\hat{\theta}_n, \overline{F_1}", "θ̂_n, F̄₁"),
        (r"\|x\|_2 \le \norm{y}", "‖x‖₂ ≤ ‖y‖"),
        (r"x \not\in X, a\not=b", "x ∉ X, a≠b"),
        (r"n \pmod{m}", "n (mod m)"),
        (r"\mathbb{1}_A, \mathbb{EX}", "𝟙_A, EX"),
        (r"\unicode{x2013}", "–"),
        (r"\R^d, \eps, \Otilde(n)", "ℝ^d, ε, Õ(n)"),
        (r"3\\%", "3%"),
        (r"\textcolor{red}{x} \color{blue} y", "x y"),
    ],
)
def test_readable_writes_structure_in_a_line(tex: str, line: str) -> None:
    assert readable(tex) == line


@pytest.mark.parametrize(
    "tex",
    [
        r"\rset",
        r"\begin{matrix}a\end{matrix}",
        r"a & b \\ c",
        r"\widehat{XY}",
        r"\underset{x}{y}",
        r"\hat theta",
        r"\frac{a}",
        r"x^",
        r"a}",
        r"{a",
        r"\text",
        "",
        " ",
        "\\",
        "x" * (MAX_FORMULA + 1),
        "{" * (MAX_DEPTH + 2) + "x" + "}" * (MAX_DEPTH + 2),
        r"\sqrt" * 200 + "x",
    ],
)
def test_readable_gives_none_when_it_can_not_be_a_line(tex: str) -> None:
    assert readable(tex) is None


@pytest.mark.parametrize("part", ["x_{ab}", "x_{0}", "x^{0}", "n(", "\\hat{x}", "x'", "12"])
def test_readable_ends_when_a_fraction_is_long(part: str) -> None:
    # A pattern that goes back and forth over such a fraction would never end.
    line = readable(f"\\frac{{{part * 60}!}}{{{part * 60}!}}")
    assert line is not None
    assert line.count("/") == 1


@pytest.mark.parametrize(
    ("tex", "body"),
    [
        ("a<b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (r"50%", "<mn>50</mn><mi>%</mi>"),
        (r"\eps", "<mi>ε</mi>"),
        (r"\nicefrac{1}{2}", "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>2</mn></mrow></mfrac>"),
        (r"\poly(n)", '<mo>poly</mo><mo stretchy="false">(</mo><mi>n</mi><mo stretchy="false">)</mo>'),
        (r"\text{a<b}", "<mtext>a&lt;b</mtext>"),
        (r"\mathop{\textrm{det}}", "<mrow><mrow><mtext>det</mtext></mrow></mrow>"),
    ],
)
def test_mathml_escapes_and_spells_out(tex: str, body: str) -> None:
    element = mathml(tex)
    assert element is not None
    assert element.endswith(f"<mrow>{body}</mrow></math>")


@pytest.mark.parametrize(
    "tex",
    [
        r"\def\q{zzzzzzzzzzzzzzzzzzzzzzzz}" + r"\q" * 60,  # F02
        r"\rule{700em}{700em}",
        r"\sqrt{" * 200 + "x" + "}" * 200,
        r"\sqrt" * 150 + "x",
        r"\newcommand{\q}{x}\q",
        r"\renewcommand\q{x}",
        r"\let\q=x",
        r"\edef\q{x}",
        r"\href{javascript:alert(1)}{x}",
        r"\rset",
        r"\frac{a",
        "x+" * (MAX_FORMULA // 2 + 1),
    ],
    ids=lambda tex: tex[:16],
)
def test_mathml_gives_none_when_a_formula_is_refused(tex: str) -> None:
    assert mathml(tex) is None


def test_mathml_keeps_no_attribute_that_an_author_chose() -> None:
    element = mathml(r"\style{color:red}{x} \class{a}{y} \hspace{900em} z")
    assert element is not None
    root = ElementTree.fromstring(element)
    assert [node.attrib for node in root if node.attrib] == []
    assert {name for node in root.iter() for name in node.attrib} == {"display", "alttext"}


_FORMULA = st.lists(
    st.sampled_from(
        [*"abxn019(){}[]^_+-=<>|,.'&~$% ", r"\frac", r"\sqrt", r"\alpha ", r"\log ", r"\times", r"\mathcal", r"\text{a}",
         r"\left", r"\right", r"\over ", r"\hat", r"\mathbb", r"\in ", r"\unknown", r"\\", r"\{", "é", r"\operatorname{x}", "<b>"]
    ),
    max_size=20,
).map("".join)  # fmt: skip


@given(_FORMULA | st.text(max_size=40))
def test_readable_never_raises_and_leaves_no_tex(tex: str) -> None:
    line = readable(tex)
    assert line is None or (line == line.strip() and line != "" and r"\frac" not in line)


@given(_FORMULA | st.text(max_size=40))
def test_mathml_never_raises_and_is_well_formed(tex: str) -> None:
    element = mathml(tex.translate(dict.fromkeys(range(32), " ")))
    if element is not None:
        root = ElementTree.fromstring(element)
        assert {node.tag for node in root.iter()} <= symbols.MATHML_TAGS
        assert {name for node in root.iter() for name in node.attrib} <= symbols.MATHML_ATTRIBUTES
