"""Pairs of records: what is one work, what is not, and what must never be joined by its text alone.

The cases are the ones that readers of paper sites report (pitfalls D01 to D05, D08, B06, C16), with invented papers.
"""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.ingest.linking import Features, compare, features_of
from octavo.records.paper import Record
from tests.ingest.linking.papers import ABSTRACT, OTHER_ABSTRACT, SECOND_ABSTRACT
from tests.world import record

TEAM = "Ann Bee; Cy Dee; Łukasz Nguyễn; Ee Eff"
TITLE = "Tiles Are Sufficient for Fast Hexagonal Floors"


def features(*arguments: str, **fields: object) -> Features:
    return features_of(record(*arguments, **fields))  # type: ignore[arg-type]


def preprint(
    title: str = TITLE, authors: str = TEAM, abstract: str = ABSTRACT, submitted: str = "2031-02-03"
) -> Features:
    return features(
        "arxiv-snapshot", "3102.00010", title, authors, ids="arXiv:3102.00010", abstract=abstract, submitted=submitted
    )


def published(
    title: str = TITLE, authors: str = TEAM, abstract: str = ABSTRACT, venue: str = "TILE", year: int = 2031
) -> Features:
    return features("mlanthology", "x", title, authors, abstract=abstract, venue=venue, year=year)


ONE_WORK = [
    ("the same", preprint(), published()),
    ("without abstracts", preprint(abstract=""), published(abstract="")),
    ("initials", preprint(), published(authors="A. Bee; C. Dee; Ł. Nguyễn; E. Eff", abstract="")),
    ("another order", preprint(abstract=""), published(authors="Ee Eff; Cy Dee; Ann Bee; Łukasz Nguyễn", abstract="")),
    ("an author more", preprint(), published(authors=TEAM + "; Gil Gee")),
    # D03: retitled.
    ("retitled", preprint("Fast floors need no more than tiles"), published()),
    ("a name in front", preprint("TileNet: " + TITLE, abstract=""), published(abstract="")),
    ("a misspelling", preprint("Tiles Are Suficient for Fast Hexagonal Floors", abstract=""), published(abstract="")),
    ("a year later", preprint(abstract=""), published(abstract="", year=2032)),
    ("conference and journal", published(), features(
        "crossref", "j", TITLE, TEAM, abstract=ABSTRACT, venue="Journal of Floors", year=2033)),
    ("two lists of one edition", published(abstract=""), features(
        "paperlists", "p", TITLE, TEAM, venue="TILE", year=2031)),
    ("no authors on one side, but the abstract", preprint(), published(authors="")),
]  # fmt: skip

TWO_WORKS = [
    # D01
    ("like titles, other people", preprint("Walks on sparse lattices", "A. Bee", ""),
     published("Walks on sparse open lattices", "C. Dee", "")),
    ("one title, other people", preprint(abstract=""), published(authors="Wei Wang; Hu Ho; Qi Qin", abstract="")),
    ("namesakes", preprint("Walks on sparse lattices", "Wei Wang", ""),
     published("Walks on sparse lattices", "Lei Wang", "")),
    # D02
    ("prefaces", published("Preface", "Ann Bee", ""), published("Preface", "Cy Dee", "", year=2030)),
    ("prefaces of one editor", published("Preface", "Ann Bee", ""), features(
        "paperlists", "p", "Preface", "Ann Bee", venue="TILE", year=2031)),
    ("a column", published("What Is New in Floors", "Ann Bee", ""), features(
        "crossref", "c", "What Is New in Floors", "Ann Bee", venue="TILE", year=2032)),
    ("parts", preprint("Whale Song, Part I", "Ann Bee", ""), published("Whale Song, Part II", "Ann Bee", "")),
    ("a part and the whole", preprint("The Grammar of Whale Song", "Ann Bee", ""),
     published("The Grammar of Whale Song, Part II", "Ann Bee", "")),
    ("versions of a thing", preprint("TileNet v3 for Hexagonal Floors", TEAM, ""),
     published("TileNet v4 for Hexagonal Floors", TEAM, "")),
    ("years of a task", published("The Floor Challenge 2030", TEAM, "", year=2030),
     published("The Floor Challenge 2031", TEAM, "")),
    ("an erratum", preprint(), published("Erratum: " + TITLE)),
    ("a reply", preprint(), published("Reply to: " + TITLE, "Hu Ho", "")),
    ("a supplement", preprint(), published(TITLE + ": Supplementary Material")),
    ("an extended abstract elsewhere", preprint(abstract=""), published(TITLE + " (Extended Abstract)", abstract="")),
    ("another language", published("Whale Song Identification for Frisian", TEAM, ""),
     preprint("Whale Song Identification for Basque", TEAM, "")),
    ("one team, next paper", preprint(), published("Boats That Sail Uphill", abstract=OTHER_ABSTRACT)),
    ("one team, two papers of one kind", published("Hexagonal floors by greedy search", year=2029),
     published("Hexagonal floors by patient search", abstract=SECOND_ABSTRACT)),
    ("no authors at all", published(authors="", abstract=""), published(authors="", abstract="", venue="BOAT")),
    ("no authors, no year", published("Floors", "", "", "", 0), published("Floors", "Ann Bee", "", "", 0)),
    ("front matter", published("Proceedings of the Conference on Tiles", "", ""),
     published("Proceedings of the Conference on Tiles", "", "", year=2030)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), [case[1:] for case in ONE_WORK], ids=[case[0] for case in ONE_WORK])
def test_two_records_are_one_work_when(one: Features, other: Features) -> None:
    found = compare(one, other)
    assert found.work > 0, found.explain().to_dict()


@pytest.mark.parametrize(("one", "other"), [case[1:] for case in TWO_WORKS], ids=[case[0] for case in TWO_WORKS])
def test_two_records_are_two_works_when(one: Features, other: Features) -> None:
    found = compare(one, other)
    assert found.work < 0, found.explain().to_dict()


def test_a_journal_version_is_one_work_and_another_publication() -> None:
    found = compare(published(), features(
        "crossref", "j", TITLE, TEAM, abstract=ABSTRACT, venue="Journal of Floors", year=2033))  # fmt: skip
    assert found.work > 5
    assert found.publication < found.work - 5


def test_text_in_the_wrong_field_is_put_right() -> None:
    scraped = features("page", "1", f"{TITLE} Ann Bee, Cy Dee, Łukasz Nguyễn, Ee Eff. Conference on Tiles 2031")
    assert "authors: all, in order" in compare(scraped, published(abstract="")).levels
    assert compare(scraped, published(abstract="")).score > 2
    assert compare(scraped, published("Boats That Sail Uphill", abstract="")).score < 0


def test_a_paper_of_3303_authors_is_compared() -> None:
    """Pitfall C16."""
    many = "; ".join(f"A{n} Number{n:04}" for n in range(3303))
    one, other = published(authors=many), preprint(authors=many)
    assert one.n_people == 3303
    assert len(one.people) < 100
    assert compare(one, other).work > 5
    assert (
        compare(one, preprint(authors="A1 Number0001; Hu Ho", abstract=OTHER_ABSTRACT)).work < compare(one, other).work
    )


def test_an_explanation_names_its_parts_and_adds_up() -> None:
    found = compare(preprint(), published())
    why = found.explain()
    assert sum(part.value for part in why.parts) == pytest.approx(found.work)
    assert "title: equal" in [part.reason for part in why.parts]
    vetoed = compare(preprint(), published("Erratum: " + TITLE))
    assert sum(part.value for part in vetoed.explain().parts) == pytest.approx(vetoed.work)
    assert vetoed.veto in str(vetoed.explain())


@given(st.sampled_from([case[1] for case in ONE_WORK + TWO_WORKS]), st.sampled_from([case[2] for case in TWO_WORKS]))
def test_compare_is_symmetric(one: Features, other: Features) -> None:
    assert compare(one, other) == compare(other, one)


@given(st.text(max_size=60), st.lists(st.text(max_size=20), max_size=4), st.text(max_size=80))
def test_any_text_can_be_compared(title: str, names: list[str], abstract: str) -> None:
    one: Record = record("bibtex", "k", title or "x", "; ".join(names), abstract=abstract * 5)
    other = features_of(one)
    for first, second in permutations((other, published(), preprint()), 2):
        compare(first, second)
