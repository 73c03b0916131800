"""One name at a time. Numbers such as C18 are of the project's list of pitfalls."""

from __future__ import annotations

import doctest
import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records import names
from octavo.records.names import (
    NOBODY,
    Author,
    author,
    family_key,
    initials,
    name_key,
    normal_orcid,
    parse_author,
    split_authors,
)


def test_the_docstrings_hold() -> None:
    result = doctest.testmod(names)
    assert result.attempted > 5
    assert result.failed == 0


@pytest.mark.parametrize(
    "written",
    [r"Nguy{\~{\^e}}n", r"Nguy\~{\^{e}}n", r"Nguy{\~\^e}n", "Nguy\\~ên", "Nguye\u0302\u0303n", "Nguyễn", r"Nguy{\~ê}n"],
)
def test_c02_stacked_accents_and_unicode_forms_are_one_name(written: str) -> None:
    assert parse_author(f"Ann {written}") == Author("Ann Nguyễn", "Ann", "Nguyễn")
    assert author("Ann", written).family == "Nguy\u1ec5n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("{{T}ile} Bee", "Tile Bee"),
        (r"Ann~Bee\thanks{Lab {X}}", "Ann Bee"),
        (r"Ann Bee$^{1,*}$", "Ann Bee"),
        (r"Ann \textsc{Bee}\textsuperscript{2}", "Ann Bee"),
        ("Ann\u200b Be\u00ade\ufeff", "Ann Bee"),
        ("  Ann \u00a0\n Bee\u202e ", "Ann Bee"),
        ("Ann B\ud835e", "Ann B\ufffde"),
        ("Ann Bee*†", "Ann Bee"),
        ("Ann \ue000 Bee", "Ann Bee"),
        ("Ann (Bee", "Ann Bee"),
        ("Ann Bee)", "Ann Bee"),
        ('Yu ("Toni") Bee', 'Yu ("Toni") Bee'),
    ],
)
def test_c03_what_is_no_part_of_a_name_goes(written: str, expected: str) -> None:
    assert parse_author(written).name == expected


@pytest.mark.parametrize(
    ("written", "family"),
    [
        ("de la Cruz, Jr., Ana", "de la Cruz"),
        ("{Della Rossa}, Dan", "Della Rossa"),
        ("Ludwig van der Meer III", "van der Meer"),
        ("Ramo y Costa, Pere", "Ramo y Costa"),
        ("De Orin Sands", "Sands"),
        ("Ana de la Cruz", "de la Cruz"),
        ("Pere Ramo y Costa", "Ramo y Costa"),
        ("Dan {Della Rossa}", "Della Rossa"),
        ("Meer, Ludwig van der", "van der Meer"),
        ("de la Cruz", "de la Cruz"),
        ("Cy Dee, Jr.", "Dee"),
        ("Dee, Cy, Jr.", "Dee"),
        ("Dee Jr., Cy", "Dee"),
        ("Dee, Cy III", "Dee"),
        ("Ann B. C. Bee-Dee", "Bee-Dee"),
        ("J.P.Bee", "Bee"),
        ("Plato", "Plato"),
        ("Blue Collaboration", "Blue Collaboration"),
        ("{Blue Group of Town}", "Blue Group of Town"),
        ("Team Blue 7", "Team Blue 7"),
        ("Tiles Challenge 2031", "2031"),
        ("Ann Bee for the Blue Collaboration", "Bee"),
        ("张三", "张"),
        ("欧阳三四", "欧阳"),
        ("山田太郎", "山田"),
        ("김철수", "김"),
        ("李 四", "李"),
        ("约翰·史密斯", "史密斯"),
    ],
)
def test_c18_the_family_name_is_found(written: str, family: str) -> None:
    assert parse_author(written).family == family


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        (("Ludwig", "Meer", "van der"), Author("Ludwig van der Meer", "Ludwig", "van der Meer")),
        (("Cy", "Dee", "", "Jr."), Author("Cy Dee Jr.", "Cy", "Dee", "Jr.")),
        (("Cy", "Dee,III"), Author("Cy Dee III", "Cy", "Dee", "III")),
        (("", "Plato"), Author("Plato", "", "Plato")),
        (("Plato", ""), Author("Plato", "", "Plato")),
        (("and Ann", "Bee)"), Author("Ann Bee", "Ann", "Bee")),
        (("Zhen ()", "Bee[2]"), Author("Zhen Bee", "Zhen", "Bee")),
        (("三", "张"), Author("张三", "三", "张")),
        (("Brefo De", "Bee"), Author("Brefo De Bee", "Brefo De", "Bee")),
        (("Ann", "others"), Author("Ann others", "Ann", "others")),
        (("", "others"), NOBODY),
        (("", ""), NOBODY),
    ],
)
def test_c18_given_parts_are_believed(parts: tuple[str, ...], expected: Author) -> None:
    assert author(*parts) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("https://orcid.org/0000-0009-9990-008x", "0000-0009-9990-008X"),
        ("0000-0009-9990-0178", "0000-0009-9990-0178"),
        ("0000000999900178", "0000-0009-9990-0178"),
        ("orcid.org/0000-0009-9990-0178/", "0000-0009-9990-0178"),
        ("0000-0009-9990-0179", ""),
        ("10000-0009-9990-0178", ""),
        ("0000-0009-9990", ""),
        ("", ""),
    ],
)
def test_c21_orcids_have_one_form_and_a_right_check_digit(written: str, expected: str) -> None:
    assert normal_orcid(written) == expected


def test_c21_a_wrong_orcid_is_dropped_and_the_author_kept() -> None:
    assert author("Ann", "Bee", orcid="0000-0009-9990-0179") == Author("Ann Bee", "Ann", "Bee")
    person = author("Ann", "Bee", affiliations=[" Lab  X", ""], orcid="0000-0009-9990-008x", ids=["s2:1"])
    assert person == Author("Ann Bee", "Ann", "Bee", "", ("Lab X",), "0000-0009-9990-008X", ("s2:1",))


@pytest.mark.parametrize("written", ["Anonymous", "anonymous authors", "ANONYMOUS", "", " ", ":", "et al.", "匿名"])
def test_d08_anonymous_is_no_author(written: str) -> None:
    assert parse_author(written) == NOBODY
    assert split_authors(written)[0] == []


def test_d09_the_number_of_a_dblp_name_is_kept_as_an_id() -> None:
    first, second = parse_author("Wei Example 0001"), parse_author("Wei Example 0002")
    assert first.name == second.name == "Wei Example"
    assert first.family == "Example"
    assert (first.ids, second.ids) == (("dblp:Wei Example 0001",), ("dblp:Wei Example 0002",))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ludwig van der Meer", "Meer, L."),
        ("Élodie Šimić", "Simic, E."),
        ("Ann O'Dee", "ann odee"),
        ("Ann Bee-Dee", "Bee Dee, Ann"),
        ("Nguyễn, Łukasz", "Lukasz Nguyen"),
        ("Cy Dee Jr.", "Dee, Cy"),
        ("张三", "张三"),
        ("Blue Team", "BLUE TEAM".title()),
    ],
)
def test_spellings_of_a_name_share_its_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
    assert family_key(one) == family_key(parse_author(other))
    assert name_key(one) == name_key(parse_author(one))


@pytest.mark.parametrize(("one", "other"), [("Ann Bee", "Cy Bee"), ("Ann Bee", "Ann Dee"), ("张三", "李三")])
def test_other_names_have_other_keys(one: str, other: str) -> None:
    assert name_key(one) != name_key(other)


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("Ann-Brigid C. Bee", "abc"),
        ("J.-P. Bee", "jp"),
        ("Élodie Bee", "e"),
        ("Plato", ""),
        ("Blue Team", ""),
        ("", ""),
    ],
)
def test_initials_are_those_of_the_given_names(written: str, expected: str) -> None:
    assert initials(written) == expected


FRAGMENTS = st.sampled_from(
    [
        "Ann", "Bee", "van", "der", "Jr.", "III", ",", ";", " and ", " ", "(", ")", "{", "}", "\\'", "\\v ",
        "\\i", "e", "é",
        "et al.", "others", "等", "张三", "、", "0001", "for the ", "Collaboration", "&", "&lt;", "<", ">", "$",
        "^", "~", "|",
        "(1)", "1", "*", ":", "...", "\ue002", "\u0301", "\u202e", "\ud800", "\\", "\\thanks{", "Anonymous",
        "·",
    ]
)  # fmt: skip
TEXTS = st.text() | st.lists(FRAGMENTS | st.characters(), max_size=15).map("".join)


@given(TEXTS)
def test_any_text_gives_clean_authors(text: str) -> None:
    people, _ = split_authors(text)
    for person in [*people, parse_author(text), author(text, "Bee"), author("", text)]:
        for part in (person.name, person.given, person.family, *person.affiliations):
            assert unicodedata.is_normalized("NFC", part)
            assert part == " ".join(part.split())
            assert not any(char in "\ue000\ue002\u202e\ud800\x00" for char in part)
        assert bool(person.name) == bool(person.family)
        name_key(person)


@pytest.mark.real
def test_real_author_lists_agree_with_their_parsed_form(shared: Path) -> None:
    sample = shared / "data/samples/kaggle/arxiv-metadata-oai-snapshot.head.jsonl"
    wrong = []
    for entry in map(json.loads, sample.read_text("utf-8").splitlines()):
        people = [name_key(person) for person in split_authors(entry["authors"])[0]]
        parsed = [name_key(author(given, family)) for family, given, *_ in entry["authors_parsed"]]
        if people != parsed:
            wrong.append((people, parsed))
    assert wrong == []
