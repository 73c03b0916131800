"""Pasted text, parted into the texts to identify."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.cli import texts
from octavo.cli.texts import split_texts


@pytest.mark.parametrize(
    ("pasted", "parts"),
    [
        ("One abstract\nover two lines.", ["One abstract\nover two lines."]),
        ("First.\n\nSecond.\n \t\n\nThird.", ["First.", "Second.", "Third."]),
        (
            "2101.00010\nP18-1001\nhttps://doi.org/10.5555/abc\n",
            ["2101.00010", "P18-1001", "https://doi.org/10.5555/abc"],
        ),
        ("2101.00010\nand a line of text", ["2101.00010\nand a line of text"]),
        ("2101.00010\n\nA text.\n", ["2101.00010", "A text."]),
        ("First.\r\n\r\nSecond.\r\n", ["First.", "Second."]),
        ("\ufeffA text.", ["A text."]),
        ("p4kq07x2m9abc\np0123456789ab\n", ["p4kq07x2m9abc", "p0123456789ab"]),
        (
            "Bee, A. and Dee, C. Slow floors. In TILE, 2031.\n  Eve Fox, Gus Hay. Fast floors. TILE 2032\narXiv:2101.00010\n",
            [
                "Bee, A. and Dee, C. Slow floors. In TILE, 2031.",
                "Eve Fox, Gus Hay. Fast floors. TILE 2032",
                "arXiv:2101.00010",
            ],
        ),
        (
            "Bee et al. (2031a). Slow floors.\nA. B. Hay and C. Dee. 2029. Loose tiles.\nLoose floors, a history. TILE, 2030.",
            [
                "Bee et al. (2031a). Slow floors.",
                "A. B. Hay and C. Dee. 2029. Loose tiles.",
                "Loose floors, a history. TILE, 2030.",
            ],
        ),
        (
            "[1] A. Bee. Slow floors.\n    TILE, 2031.\n[Dee32] C. Dee. Fast floors. TILE, 2032.",
            ["[1] A. Bee. Slow floors.\nTILE, 2031.", "[Dee32] C. Dee. Fast floors. TILE, 2032."],
        ),
        (
            "1. Bee: Slow floors, 2031\n2. Dee: Fast floors, 2032",
            ["1. Bee: Slow floors, 2031", "2. Dee: Fast floors, 2032"],
        ),
        # What is only wrapped stays whole, years or not.
        (
            "Since 2019 floors have been slow.\nBee et al. (2031) made them faster, and in 2032\nso did others.",
            ["Since 2019 floors have been slow.\nBee et al. (2031) made them faster, and in 2032\nso did others."],
        ),
        (
            "A. Bee, C. Dee. Slow floors\nthat nobody lays. TILE, 2031.",
            ["A. Bee, C. Dee. Slow floors\nthat nobody lays. TILE, 2031."],
        ),
        ("1. a floor\n2. a wall", ["1. a floor\n2. a wall"]),
        ("", []),
        ("\n \n\n", []),
    ],
)
def test_empty_lines_part_texts_and_identifiers_stand_alone(pasted: str, parts: list[str]) -> None:
    assert split_texts(pasted) == parts


def test_examples_of_the_docstring() -> None:
    assert doctest.testmod(texts) == (0, 2)


@given(st.text())
def test_no_text_is_empty_whatever_was_pasted(pasted: str) -> None:
    assert all(text.strip() for text in split_texts(pasted))
