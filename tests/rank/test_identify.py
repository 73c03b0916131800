"""Identify over the made-up world: every kind of text, and an honest no."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.app import Octavo

TILES = "Tiles are sufficient for fast layout"


@pytest.mark.parametrize(
    ("text", "title", "reason"),
    [
        ("arXiv:2101.00010v3", TILES, "identifier"),
        ("https://doi.org/10.5555/TILES.1", TILES, "identifier"),
        ("https://openreview.net/forum?id=AbC12xYz90", TILES, "identifier"),
        ("math/0309136", "Walks on Sparse Lattices", "identifier"),
        ("A. Bee et al. Something mistyped. arXiv:2101.00010, 2031", TILES, "identifier"),
        ("Tiles Are Sufficient for Fast Layout", TILES, "title"),
        ("tiles are sufficent for fast layuot", TILES, "title"),
        ("Q. Qin. Sailing boats seen from orbit. In Proceedings of BOAT, pages 3-14, 2023.", "Sailing Boats Seen from Orbit", "title"),
        ("[12] Roe, R. (2023) Grammar of whale song, BOAT", "Grammar of Whale Song", "title"),
        (
            "Laying out a floor takes long when every tile is tried. A greedy layout with $O(n)$ tiles is enough, and it is $4.2\\times$ quicker on the Quarry benchmark.",
            TILES, "word for word",
        ),
        ("FlashTP fuses the kernels and skips what is zero.", "FlashTP: Tensor Products without Regret", "word for word"),
        (
            "Memory cells do wear out. We predict their remaining life from the voltage that each write needs",
            "Flash Memory Wear in Embedded Recorders", "wording",
        ),
        ("Ice cages hold xenon: the authors give a bound from the size of the cage", "Xenon Bounds", "subject"),
    ],
)  # fmt: skip
def test_text_is_identified(library: Octavo, text: str, title: str, reason: str) -> None:
    (view,) = library.identify([text])
    assert view.paper is not None, view.why
    assert view.paper.title == title
    assert reason in str(view.why)
    assert 0.5 <= view.confidence <= 1


@pytest.mark.parametrize(
    "text",
    [
        "", "   ", "arXiv:2101.09999", "10.5555/nowhere", "Preface",
        "A treatise on the migration of eels across the northern seas in winter",
        "We present a study of something else altogether, in which a camera is used and memory is discussed at some length.",
        "\x00\x01", "(((((", "the of and",
    ],
)  # fmt: skip
def test_no_is_said_when_it_is_not_there(library: Octavo, text: str) -> None:
    (view,) = library.identify([text])
    assert view.paper is None
    assert view.confidence < 0.5
    assert str(view.why)


def test_answers_stand_in_the_order_of_the_texts(library: Octavo) -> None:
    views = library.identify(["Grammar of Whale Song", "nothing of the kind here", "arXiv:2101.00010"])
    assert [view.paper.title if view.paper else None for view in views] == ["Grammar of Whale Song", None, TILES]
    assert [view.input for view in views] == ["Grammar of Whale Song", "nothing of the kind here", "arXiv:2101.00010"]


@settings(max_examples=80, deadline=None)
@given(text=st.text(max_size=300))
def test_no_text_breaks_it(library: Octavo, text: str) -> None:
    (view,) = library.identify([text])
    assert 0 <= view.confidence <= 1
