"""The names half of group C: who wrote it, from every format and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.pitfalls import files
from tests.pitfalls.conftest import FILES, Shelf

REFERENCES = ("bibtex", "ris", "csl")


def by(shelf: Shelf, content: str, name: str = "a.file") -> list[str]:
    """The authors of the one paper in a file."""
    shelf.put(name, content)
    return list(shelf.paper()["authors"])


def test_c01_accents_in_names_are_letters(shelf: Shelf) -> None:
    names = r"{\'E}lodie {\v S}imi{\'c} and J\"urg {\L}ozi\'nski and Kal{\=\i}te, Ann and M\H ore, Bo and Dvo{\v r}\'{a}k, Cy"
    assert by(shelf, files.bibtex(author=names)) == [
        "Élodie Šimić",
        "Jürg Łoziński",
        "Ann Kalīte",
        "Bo Mőre",
        "Cy Dvořák",
    ]
    for query in ("Šimić", "simic", "Łoziński", "lozinski", "kalite", '"Cy Dvořák"', "dvorak"):
        assert shelf.octavo.search(f"author:{query}").total == 1


NGUYEN = ["Nguye\u0302\u0303n", "Nguyễn", r"Nguy{\~{\^e}}n", r"Nguy\~{\^{e}}n"]


def test_c02_one_name_in_every_unicode_form(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    for number, name in enumerate(NGUYEN[:2]):
        shelf.put(
            "a.jsonl",
            files.snapshot(id=f"2101.0001{number}", title=f"Tile {number}", authors_parsed=[[name, "An", ""]]),
        )
    for number, name in enumerate(NGUYEN, 2):
        shelf.put("b.bib", files.bibtex(f"Tile {number}", author=f"{name}, An"))
    assert {name for paper in shelf.papers() for name in paper["authors"]} == {"An Nguy\u1ec5n"}
    for query in ("Nguyễn", "Nguye\u0302\u0303n", "nguyen"):
        assert shelf.octavo.search(f"author:{query}").total == 6
    for form in (*REFERENCES, "jsonl"):
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert [paper["authors"] for paper in back.papers()] == [["An Nguy\u1ec5n"]] * 6


MANY = [f"Author Number{number:04}" for number in range(1, 3001)]


def test_c16_three_thousand_authors_are_stored_found_and_exported(
    shelf: Shelf, other_shelf: Callable[[], Shelf]
) -> None:
    parsed = [[name.split()[1], "Author", ""] for name in MANY]
    shelf.put("a.jsonl", files.snapshot(authors_parsed=parsed))
    assert shelf.paper()["authors"] == MANY
    assert not shelf.paper()["authors_incomplete"]
    for query in ('au:"Number2999"', "author:Number2999", '"Author Number2999"'):
        assert shelf.octavo.search(query).total == 1
    for form in (*REFERENCES, "jsonl"):
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert back.paper()["authors"] == MANY


def test_c16_a_list_that_its_source_cut_is_marked(shelf: Shelf) -> None:
    hundred = [{"author": {"display_name": name}} for name in MANY[:100]]
    shelf.put("a.json", files.openalex("Cut", is_authors_truncated=True, authorships=hundred))
    assert shelf.paper()["authors_incomplete"]
    assert len(shelf.paper()["authors"]) == 100
    assert "and others" in shelf.export("bibtex")


@pytest.mark.parametrize(
    ("creator", "names"),
    [
        ("Ann Bee, Cy Dee Jr., Ee Eff (for the Blue Collaboration, Lab X)", ["Ann Bee", "Cy Dee Jr.", "Ee Eff"]),
        ("&lt;a href=&quot;http://arxiv.org/a/bee_a_1&quot;&gt;Ann Bee&lt;/a&gt;, &lt;a href=&quot;x&quot;&gt;Cy Dee&lt;/a&gt; (Lab Y)",
         ["Ann Bee", "Cy Dee"]),
        ("Ann Bee (1 and 2), Cy Dee (2), Ee Eff III ((1) Lab X, Town, (2) Lab Y)", ["Ann Bee", "Cy Dee", "Ee Eff III"]),
        ("Ann Bee, Cy Dee, M.D., Ee Eff, Ph.D.", ["Ann Bee", "Cy Dee", "Ee Eff"]),
        ("Ann Bee, MD, PhD, Cy Dee, Esq.", ["Ann Bee", "Cy Dee"]),
        ("The Blue Collaboration: A. Bee, C. Dee", ["The Blue Collaboration", "A. Bee", "C. Dee"]),
        ("Martin Luther King, Sr., Jos\\'e da Silva, Jr", ["Martin Luther King Sr.", "José da Silva Jr"]),
        ("The Blue Team, Ann Bee, et al. (12 additional authors not shown)", ["The Blue Team", "Ann Bee"]),
    ],
)  # fmt: skip
def test_c17_one_string_of_authors_is_parted(shelf: Shelf, creator: str, names: list[str]) -> None:
    assert by(shelf, files.feed(creator=creator)) == names


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Bee, M.D., Dee, C.", ["M.D. Bee", "C. Dee"]),
        ("van Dyke, M.D.", ["M.D. van Dyke"]),
        ("Ann Bee: Tiles, Cy Dee", ["Ann Bee: Tiles", "Cy Dee"]),
        ("Blue Team: Ann Bee; Cy Dee", ["Blue Team", "Ann Bee", "Cy Dee"]),
    ],
)
def test_c17_initials_are_no_degrees_and_not_every_colon_ends_a_team(
    shelf: Shelf, written: str, names: list[str]
) -> None:
    assert by(shelf, files.feed(creator=written)) == names


def test_c17_the_authors_of_a_fuller_source_go_before_a_feeds(shelf: Shelf) -> None:
    shelf.put("a.xml", files.feed(creator="Ann Bee, Cy Dee Jr., Ee Eff (for the Blue Collaboration, Lab X)"))
    parsed = [["Bee", "Ann", ""], ["Dee", "Cy", "Jr."], ["Eff", "Eve E.", ""]]
    assert by(shelf, files.snapshot(authors_parsed=parsed)) == ["Ann Bee", "Cy Dee Jr.", "Eve E. Eff"]


C18 = {
    "de la Cruz, Jr., Ana": "de la Cruz",
    "{Della Rossa}, Dan": "Della Rossa",
    "Ludwig van der Meer III": "van der Meer",
    "Ramo y Costa, Pere": "Ramo y Costa",
    "De Orin Sands": "Sands",
    "{Barnes and Noble}": "",
    "{van der Aalst}, Wil M. P.": "van der Aalst",
}
WHOLE = [
    "Ana de la Cruz Jr.", "Dan Della Rossa", "Ludwig van der Meer III", "Pere Ramo y Costa", "De Orin Sands",
    "Barnes and Noble", "Wil M. P. van der Aalst",
]  # fmt: skip


def test_c18_family_names_are_found_and_go_out_as_they_came(shelf: Shelf, other_shelf: Callable[[], Shelf]) -> None:
    assert by(shelf, files.bibtex(author=" and ".join(C18))) == WHOLE
    for query in ("cruz", '"de la Cruz"', '"Cruz, Ana"', '"della rossa"', '"van der Meer"', '"Ramo y Costa"', "sands"):
        assert shelf.octavo.search(f"author:{query}").total == 1
    families = [person.get("family", "") for person in json.loads(shelf.export("csl"))[0]["author"]]
    assert families == list(C18.values())
    for form in REFERENCES:
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert back.paper()["authors"] == WHOLE


@pytest.mark.parametrize(
    "content",
    [
        files.bibtex(author="Bee, Ann and others"),
        files.bibtex(author="Bee, Ann and {et al.}"),
        files.semanticscholar(authors=[{"name": "Ann Bee"}, {"name": "et al."}]),
        files.ris("A paper of its kind", "AU  - Bee, Ann", "AU  - et al."),
        files.csl(author=[{"family": "Bee", "given": "Ann"}, {"literal": "others"}], issued={}),
        files.feed(creator="Ann Bee, et al. (3 additional authors not shown)"),
        files.paperlists(author="Ann Bee;et al."),
        files.openreview(authors=["Ann Bee", "et al."]),
    ],
)
def test_c19_others_are_a_mark_and_no_person(shelf: Shelf, other_shelf: Callable[[], Shelf], content: str) -> None:
    assert by(shelf, content) == ["Ann Bee"]
    assert shelf.paper()["authors_incomplete"]
    assert "author = {Bee, Ann and others}" in shelf.export("bibtex")
    for form in (*REFERENCES, "jsonl"):
        back = other_shelf()
        back.put(FILES[form], shelf.export(form))
        assert (back.paper()["authors"], back.paper()["authors_incomplete"]) == (["Ann Bee"], True)


def test_c20_an_affiliation_stays_with_its_author(shelf: Shelf) -> None:
    people = (
        "<author><name>Ann Bee</name><arxiv:affiliation>Lab X</arxiv:affiliation></author>"
        "<author><name>Cy Dee</name></author>"
        "<author><name>Ee Eff</name><arxiv:affiliation>Lab Y</arxiv:affiliation><arxiv:affiliation>Lab Z</arxiv:affiliation></author>"
    )
    shelf.put("a.xml", files.atom(("2101.00010v1", "Tiles"), inside=people))
    (claim,) = shelf.claims("2101.00010")
    assert [person.get("affiliations", []) for person in claim["authors"]] == [["Lab X"], [], ["Lab Y", "Lab Z"]]


@pytest.mark.parametrize(
    ("written", "orcid"),
    [
        ("https://orcid.org/0000-0009-9990-008x", "0000-0009-9990-008X"),
        ("0000-0009-9990-0178", "0000-0009-9990-0178"),
        ("0000-0009-9990-0179", None),
        ("http://orcid.org/000000099990008X", "0000-0009-9990-008X"),
        ("", None),
        ("orcid", None),
    ],
)
def test_c21_an_orcid_has_one_form_or_is_dropped(shelf: Shelf, written: str, orcid: str | None) -> None:
    author: dict[str, Any] = {"given": "Ann", "family": "Bee", "ORCID": written}
    assert by(shelf, files.crossref(author=[author])) == ["Ann Bee"]
    (claim,) = shelf.claims("10.5555/abc")
    assert claim["authors"][0].get("orcid") == orcid
