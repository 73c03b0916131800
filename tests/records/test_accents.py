"""TeX's accents. C01 is an entry of the project's list of pitfalls."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records import accents
from octavo.records.accents import decode_tex_accents


def test_the_docstrings_hold() -> None:
    assert doctest.testmod(accents) == doctest.TestResults(failed=0, attempted=1)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (r"{\'E}lodie {\v S}imi{\'c}", "Élodie Šimić"),
        (r"J\"urg {\L}ozi\'nski", "Jürg Łoziński"),
        (r"Kal{\=\i}te", "Kalīte"),
        (r"M\H ore", "Mőre"),
        (r"Dvo{\v r}\'{a}k", "Dvořák"),
        (r"\'{E}lodie \v{S}imi\'{c}", "Élodie Šimić"),
        (r"{\'{E}}lodie", "Élodie"),
        (r"Lu{\'\i}s, Lu\'{\i}s, Lu\'\i s, Lu{\'i}s", "Luís, Luís, Luís, Luís"),
        (r"S{\o}ren, S\o ren, S\o{}ren, M{\aa}rten", "Søren, Søren, Søren, Mårten"),
        (r"Pawe\l Bee, Pawe{\l} Bee, Wei\ss, Stra\ss e", "Paweł Bee, Paweł Bee, Weiß, Straße"),
        (r"\c{S}im\c sekli, {\c c}a, \.{I}nan, \u{g}, \k{a}, \r{u}, \d{o}", "Şimşekli, ça, İnan, ğ, ą, ů, ọ"),
        (r"{\AE}ne {\OE}uvre \TH orn \dj{}", "Æne Œuvre Þorn đ"),
        (r"O\'Dee, D\'Brook", "O'Dee, D'Brook"),
        (r"\textbf{Bee} and \vspace and \'", r"\textbf{Bee} and \vspace and \'"),
        ("no commands {here}", "no commands {here}"),
    ],
)
def test_c01_tex_accents_in_all_their_spellings(written: str, expected: str) -> None:
    assert decode_tex_accents(written) == expected


@given(st.text())
def test_text_without_commands_is_left_alone(text: str) -> None:
    text = text.replace("\\", "")
    assert decode_tex_accents(text) == text


@given(st.lists(st.sampled_from([*"\\\\\\{}'^\"~vcHkoOiLae \n"]) | st.characters()).map("".join))
def test_words_are_never_lost(text: str) -> None:
    # What is decoded becomes a letter; all that is no part of a command stays.
    decoded = decode_tex_accents(text)
    assert sum(char.isdigit() for char in decoded) == sum(char.isdigit() for char in text)
    assert decode_tex_accents(f"Bee {text} Dee").startswith("Bee")
    assert decode_tex_accents(f"Bee {text}; Dee").endswith("; Dee")
