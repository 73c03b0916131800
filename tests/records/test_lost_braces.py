r"""Titles whose publisher lost the braces of their formulas: `$\mathcalV$`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.fold import title_key
from octavo.records.lost_braces import with_braces
from octavo.records.text import Text


@pytest.mark.parametrize(
    ("lost", "plain"),
    [
        (r"$\mathcalV$-tilings", "V-tilings"),
        (r"$\mathcalMo\mathcalSAIC$: Tiles", "MoSAIC: Tiles"),
        (r"$\textttTile-Bench$: a Test", "Tile-Bench: a Test"),
        (r"$\textttTile Bench$: a Test", "Tile Bench: a Test"),
        (r"$\textttT$^2$iL$: a Test", "T^2iL: a Test"),
        (r"Tiling in $\mathcalO(n\sqrtT)$ Steps", "Tiling in O(n√T) Steps"),
        (r"$\widetilde\mathcalO(\sqrtNT)$", "Õ(√(NT))"),
        (r"Tiles of $\mathcalW_2$", "Tiles of W₂"),
        (r"$\bfΦ_\textrmTile$", "Φ_Tile"),
        (r"only $\sqrt$T steps", "only √T steps"),
        (r"$\mathbbR^d$ and $\mathbbRd$ and $\mathbbRR$", "ℝ^d and ℝd and RR"),
        (r"\mathttTILE and $\mathttTILE$", "TILE and TILE"),
        (r"$\hattheta$ $\barx$ $\widetildeO(n)$", "θ̂ x̄ Õ(n)"),
        (r"$\logn$ $\bfx$", "log n x"),
        (r"$\operatornameargmax_x$", "argmax_x"),
    ],
)
def test_a_macro_that_ran_into_its_argument_is_read_as_what_it_was(lost: str, plain: str) -> None:
    text = Text.of(lost, "mixed")
    assert text.plain == plain
    assert text.bibtex().count("{") == text.bibtex().count("}")
    assert '<code class="tex">' not in text.html()


@pytest.mark.parametrize(
    ("lost", "whole"),
    [
        (r"$\mathcalMosaic\mathcalDPO$: Tiles", "MosaicDPO: Tiles"),
        (r"$\textttT$^2$iL$: a Test", "T2iL: a Test"),
        (r"Tiling in $\mathcalO(\sqrtT)$ Steps", r"Tiling in $\mathcal{O}(\sqrt{T})$ Steps"),
        (r"only $\sqrt$T steps", r"only $\sqrt{T}$ steps"),
        (r"$\textttTile-Bench$", "Tile-Bench"),
    ],
)
def test_such_a_title_has_the_key_of_its_well_formed_preprint(lost: str, whole: str) -> None:
    assert title_key(Text.of(lost, "mixed").plain) == title_key(Text.of(whole, "tex").plain)


@pytest.mark.parametrize(
    "tex",
    [
        r"\mathcal{V}", r"\mathcal V", r"\emptyset", r"\barrier", r"\textsize", r"\textstyle x", r"\mathbfcal{A}", r"\logarithm",
        r"\sqrt n", r"\sqrt{n}", r"\hat{x}", r"\bfseries", r"\myown", r"\item", r"\textquoteleft", r"\mathbbold", r"\foo{x}",
        r"\operatorname*{argmax}", r"x_{\text{max}}", "", "$",
    ],
)  # fmt: skip
def test_a_macro_that_is_one_stays(tex: str) -> None:
    assert with_braces(tex) == tex


_NAMES = st.sampled_from(
    ["mathcal", "texttt", "text", "sqrt", "hat", "log", "bf", "emph", "mathbb", "alpha", "foo", "operatorname"]
)
_FORMULA = st.lists(
    st.builds(lambda name, rest: rf"\{name}{rest}", _NAMES, st.text("ABnx", max_size=4)) | st.text("ab {}_^-+\\", max_size=5)
).map("".join)  # fmt: skip


@given(_FORMULA)
def test_no_letter_is_lost_or_added(tex: str) -> None:
    mended = with_braces(tex)
    assert re.sub(r"[^A-Za-z]", "", mended.replace(r"\surd", r"\sqrt")) == re.sub(r"[^A-Za-z]", "", tex)
    assert mended.count("{") - tex.count("{") == mended.count("}") - tex.count("}")
    assert with_braces(mended) == mended
