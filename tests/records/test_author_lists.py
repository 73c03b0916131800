"""Lists of authors in one string or several. Numbers such as C17 are of the project's list of pitfalls."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.names import NOBODY, Author, author, parse_author, parse_authors, split_authors


def listed(text: str) -> list[str]:
    """The names that a string lists."""
    return [person.name for person in split_authors(text)[0]]


def test_c16_three_thousand_authors_are_all_read() -> None:
    written = [f"Author Number{number:04}" for number in range(1, 3001)]
    people, incomplete = split_authors(", ".join(written))
    assert [person.name for person in people] == written
    assert not incomplete
    assert people[2998].family == "Number2999"


def test_c17_one_string_of_authors_is_parted() -> None:
    people, incomplete = split_authors("Ann Bee, Cy Dee Jr., Ee Eff (for the Blue Collaboration, Lab X)")
    assert [(person.name, person.suffix, person.affiliations) for person in people] == [
        ("Ann Bee", "", ()),
        ("Cy Dee Jr.", "Jr.", ()),
        ("Ee Eff", "", ("Blue Collaboration, Lab X",)),
    ]
    assert not incomplete


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ann Bee, Cy Dee and Ee Eff", ["Ann Bee", "Cy Dee", "Ee Eff"]),
        ("Ann Bee, Cy Dee, and Ee Eff", ["Ann Bee", "Cy Dee", "Ee Eff"]),
        ("Ann Bee and Cy Dee", ["Ann Bee", "Cy Dee"]),
        ("Ann Bee & Cy Dee", ["Ann Bee", "Cy Dee"]),
        ("Bee, Ann and Dee, Cy", ["Ann Bee", "Cy Dee"]),
        ("Bee, Ann and Dee, Jr., Cy and de la Cruz, Ana", ["Ann Bee", "Cy Dee Jr.", "Ana de la Cruz"]),
        ("Ann Bee AND Cy Dee", ["Ann Bee", "Cy Dee"]),
        ("Ann Bee, And Dee", ["Ann Bee", "And Dee"]),
        ("Ann Bee; Dee, Cy;", ["Ann Bee", "Cy Dee"]),
        ("Ann Bee|Cy Dee", ["Ann Bee", "Cy Dee"]),
        ("Ann Bee, Cy Dee, Jr., Ee Eff", ["Ann Bee", "Cy Dee Jr.", "Ee Eff"]),
        ("Bee, A., Dee, C.-D., Eff, E. E.", ["A. Bee", "C.-D. Dee", "E. E. Eff"]),
        ("Bee, Ann", ["Ann Bee"]),
        ("van der Meer, Ludwig", ["Ludwig van der Meer"]),
        ("NVIDIA, Ann Bee", ["NVIDIA", "Ann Bee"]),
        ("OpenTiles-AI, Ann Bee", ["OpenTiles-AI", "Ann Bee"]),
        ("Bee, Ann Brigid", ["Ann Brigid Bee"]),
        ("Ann Bee, Plato", ["Ann Bee", "Plato"]),
        ("Blue Team, :, Ann Bee", ["Blue Team", "Ann Bee"]),
        ("张三、李四", ["张三", "李四"]),
        ("张三，李四", ["张三", "李四"]),
        ("Ann Bee、李四", ["Ann Bee", "李四"]),
        ("{Bee and Dee Company} and Eff, Ee", ["Bee and Dee Company", "Ee Eff"]),
        ("&lt;a href='/bee'&gt;Ann Bee&lt;/a&gt;, Cy Dee", ["Ann Bee", "Cy Dee"]),
        (r"Andr\'e Bee, \and Zo{\"e} Dee \\ Lab", ["André Bee", "Zoë Dee Lab"]),
        ("Anderson Sands, Brandy Land", ["Anderson Sands", "Brandy Land"]),
        ("", []),
        (" , ;", []),
    ],
)
def test_c17_lists_are_parted_where_names_end(written: str, expected: list[str]) -> None:
    assert listed(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("A. Bee (Lab X), C. Dee (Lab Y, Town)", [("Lab X",), ("Lab Y, Town",)]),
        ("A. Bee (1 and 2), C. Dee (2) ((1) Lab X, (2) Lab Y, Town)", [("Lab X", "Lab Y, Town"), ("Lab Y, Town",)]),
        ("A. Bee (1), C. Dee (2)", [(), ()]),
        ("A. Bee (Lab X), C. Dee", [("Lab X",), ()]),
        ("A. Bee (Lab (of) X), C. Dee", [("Lab (of) X",), ()]),
        ("A. Bee, C. Dee, for the Blue Collaboration", [(), ("Blue Collaboration",)]),
        ("A. Bee (eds.), C. Dee (editor)", [(), ()]),
    ],
)
def test_c20_an_affiliation_stays_with_its_author(written: str, expected: list[tuple[str, ...]]) -> None:
    people, _ = split_authors(written)
    assert [person.affiliations for person in people] == expected
    assert [person.family for person in people] == ["Bee", "Dee"]


@pytest.mark.parametrize(
    "written",
    [
        "Ann Bee et al.", "Ann Bee, et al", "Ann Bee and others", "Bee, Ann and others",
        "Ann Bee et al. (+3 more)",
        "Ann Bee, ...", "Ann Bee 等", "Ann Bee等", "Ann Bee, 等", "Ann Bee and 12 others",
        "Ann Bee, et al. (1 additional author not shown)",
        "Ann Bee (+2,990 more)".replace(",", ""), "Ann Bee & others", "Ann Bee, others",
        "Ann Bee et al., et al.", "Ann Bee 等12人", "Ann Bee…",
    ],
)  # fmt: skip
def test_c19_the_sign_of_an_incomplete_list_is_no_person(written: str) -> None:
    assert split_authors(written) == ([Author("Ann Bee", "Ann", "Bee")], True)


def test_c19_a_list_of_strings_is_read_like_one() -> None:
    bee = Author("Ann Bee", "Ann", "Bee")
    assert parse_authors(["Ann Bee", "et al."]) == ([bee], True)
    assert parse_authors(["Ann Bee", "", ":"]) == ([bee], False)
    assert parse_authors([]) == ([], False)


@pytest.mark.parametrize("written", ["Ann Mothers, Thomas More, Al Brothers, Et Allen, Max Others-Bee"])
def test_c19_names_that_look_like_signs_stay(written: str) -> None:
    people, incomplete = split_authors(written)
    assert [person.name for person in people] == written.split(", ")
    assert not incomplete


def test_d08_unnamed_authors_are_an_empty_list_and_a_flag() -> None:
    assert parse_authors(["Anonymous"]) == ([], True)
    assert split_authors("Anonymous Authors") == ([], True)
    assert author("Anonymous", "Authors") == NOBODY


@given(st.lists(st.from_regex(r"[A-Z][a-z]{2,8} [A-Z]\. [A-Z][a-z]{3,8}", fullmatch=True), min_size=2))
def test_a_list_of_plain_names_reads_the_same_however_it_is_joined(written: list[str]) -> None:
    singly = [parse_author(name) for name in written]
    for joined in (", ".join(written), "; ".join(written), " and ".join(written), "、".join(written)):
        assert split_authors(joined) == (singly, False)
    turned = [f"{person.family}, {person.given}" for person in singly]
    assert split_authors(" and ".join(turned)) == (singly, False)
    assert [parse_author(name) for name in turned] == singly


@pytest.mark.parametrize(
    "piece",
    [
        "(",
        "{",
        "(a)",
        ", Jr.",
        " and ",
        ", et al.",
        "\\'",
        "{\\'",
        "$ ",
        "for ",
        "<",
        "for a, ",
        "\\thanks{",
        ")",
        " 等",
        "((1) ",
    ],
)
def test_c15_a_hundred_thousand_characters_are_read_to_their_end(piece: str) -> None:
    text = f"Ann Bee, {piece * (100_000 // len(piece))}, Cy Dee"
    assert listed(text)[0].startswith("Ann Bee")
    assert parse_author(text).name


@pytest.mark.real
def test_real_author_strings_are_parted_at_their_commas(shared: Path) -> None:
    path = shared / "data/arxiv/arxiv-ml-2023-2025-hdshang.kaggle.jsonl.gz"
    different = total = 0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            total += 1
            different += len(split_authors(entry["authors"])[0]) != len(entry["authors_parsed"])
    assert total > 6000
    assert different / total < 0.01
