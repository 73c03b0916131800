"""Variants of a name, how common a family name is, and what says who someone is. Nobody here exists."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.names import Author, author, parse_author
from octavo.records.people import (
    RARE,
    UNCOMMON,
    Fit,
    PersonId,
    commonness,
    fit,
    is_uncommon,
    person_ids,
    spelling,
    spelling_of,
    typed_families,
)

SAME = [
    ("Ann Bee", "Bee, Ann"), ("Ann Bee", "ANN BEE"), ("José Ñandú", "Jose Nandu"), ("Łukasz Nguyễn", "Lukasz Nguyen"),
    ("Ludwig van der Meer", "van der Meer, Ludwig"), ("Ludwig van der Meer", "Ludwig Van Der Meer"), ("Ludwig Meer", "Ludwig van der Meer"),
    ("Sara el Example", "Sara El Example"), ("Ann B. Bee", "Ann Bee"), ("Ann B. Bee", "Ann Brigid Bee"), ("Ann B. C. Bee", "Ann C. Bee"),
    ("Ann-Brigid Bee", "Annbrigid Bee"), ("Ann-Brigid Bee", "Ann Brigid Bee"), ("Cy Dee Jr.", "Cy Dee"), ("Cy Dee Jr.", "Dee, Jr., Cy"),
    ("Otto Schölz", "Otto Scholz"), ("Otto Schölz", "Otto Schoelz"), ("Garcia Marca, Gil", "Gil Garcia Marca"),
    ("王伟", "王 伟"), ("OpenTiles", "OpenTiles"), ("Wei Example 0001", "Wei Example"),
]  # fmt: skip
INITIAL = [
    ("A. Bee", "Ann Bee"), ("A Bee", "Ann Bee"), ("Bee, A.", "Ann Bee"), ("A. B. Bee", "Ann Brigid Bee"),
    ("AB Bee", "Ann Brigid Bee"), ("A.B. Bee", "Ann Bee"), ("A.-B. Bee", "Ann-Brigid Bee"), ("A. Bee", "A. Bee"), ("L. Meer", "Ludwig van der Meer"),
]  # fmt: skip
OTHER = [
    ("Ann Bee", "Amy Bee"), ("A. Bee", "Cy Bee"), ("Ann Bee", "Ann Dee"), ("Ann B. Bee", "Ann C. Bee"), ("Cy Dee Jr.", "Cy Dee III"),
    ("Xiao-Ming Example", "Xiao Example"), ("Otto Scholz", "Otto Schoelz"), ("Bee", "Ann Bee"), ("", "Ann Bee"), ("et al.", "et al."),
    # Order and romanisation of Chinese, Japanese and Korean names are left alone.
    ("王伟", "Wei Wang"), ("Wang Wei", "Wei Wang"), ("王伟", "王伟大"), ("김 하나", "Hana Kim"), ("Xue Example", "Xu Example"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "how"),
    [(*pair, how) for how, pairs in ((Fit.FULL, SAME), (Fit.INITIAL, INITIAL), (Fit.NO, OTHER)) for pair in pairs],
)
def test_two_names_fit_each_other_when_they_are_variants(one: str, other: str, how: Fit) -> None:
    assert fit(one, other) is how
    assert fit(other, one) is how


def test_capitals_are_no_initials_when_the_whole_name_is_in_capitals() -> None:
    assert spelling("LI BEE").given == ("li",)
    assert spelling("LI Bee").given == ("l", "i")


names = st.text(st.sampled_from("AaBbé .-'王ß"), min_size=1, max_size=14)


@given(names, names)
def test_fitting_is_mutual_for_any_two_texts(one: str, other: str) -> None:
    assert fit(one, other) is fit(other, one)


@given(names)
def test_a_name_fits_itself(name: str) -> None:
    if parse_author(name).name:
        assert fit(name, name) is not Fit.NO


def test_parts_that_a_source_gives_are_believed() -> None:
    assert spelling_of(author("Ludwig", "Meer", prefix="van der")) == spelling("Ludwig van der Meer")
    assert spelling_of(author("", "The Blue Collaboration")).given == ()


def test_a_family_name_is_looked_for_as_it_is_typed_without_umlauts() -> None:
    assert typed_families("schoelz") == ("schoelz", "scholz")
    assert typed_families("bee") == ("bee",)
    assert spelling("Otto Schölz").families == ("scholz", "schoelz")


@pytest.mark.parametrize(
    ("family", "uncommon"),
    [("wang", False), ("li", False), ("smith", False), ("kim", False), ("bengio", True), ("zyxwv", True), ("xu", False), ("王", False), ("", False)],
)  # fmt: skip
def test_a_family_name_is_uncommon_when_few_given_names_go_with_it(family: str, uncommon: bool) -> None:
    assert is_uncommon(family) is uncommon


def test_the_table_is_ordered_and_has_what_is_not_uncommon() -> None:
    assert commonness("wang") > commonness("smith") > UNCOMMON > RARE > commonness("bengio")


@pytest.mark.parametrize(
    ("ids", "found"),
    [
        (("dblp:Wei Example 0001",), {PersonId("dblp wei example", "Wei Example 0001")}),
        (("dblp:pid/12/34",), {PersonId("dblp", "pid/12/34")}),
        (("openreview:~Wei_Example1",), {PersonId("openreview", "~Wei_Example1")}),
        (("acl:wei-example",), {PersonId("acl", "wei-example")}),
        # The guesses of programs, and what is no id of a person.
        (("openalex:A123", "semanticscholar:77", "openreview:wei@example.org", "dblp:Wei Example", "x"), set()),
    ],
)
def test_ids_say_who_someone_is_when_people_gave_them(ids: tuple[str, ...], found: set[PersonId]) -> None:
    assert person_ids(author("Wei", "Example", ids=ids)) == found


def test_two_numbers_of_dblp_are_two_people_of_one_name() -> None:
    """Pitfall D09."""
    one, two = (next(iter(person_ids(parse_author(f"Wei Example 000{n}")))) for n in (1, 2))
    assert one.kind == two.kind
    assert one.value != two.value
    assert one.scheme == "dblp"


def test_an_orcid_says_who_someone_is_in_any_spelling() -> None:
    """Pitfall C21."""
    spellings = ("https://orcid.org/0000-0009-9990-008x", "0000-0009-9990-008X", "000000099990008X")
    assert {person_ids(author("Ann", "Bee", orcid=way)) for way in spellings} == {
        frozenset({PersonId("orcid", "0000-0009-9990-008X")})
    }
    assert person_ids(author("Ann", "Bee", orcid="0000-0009-9990-0179")) == frozenset()


def test_ids_that_came_with_anothers_profile_are_nobodys() -> None:
    """Pitfall C20: lists of names and of ids in two orders."""
    moved = author("Ann", "Bee", orcid="0000-0009-9990-008X", ids=("openreview:~Cy_Dee1", "dblp:pid/1/2"))
    assert person_ids(moved) == frozenset()
    assert len(person_ids(replace(moved, ids=("openreview:~Ann_B._Bee2", "dblp:pid/1/2")))) == 3
    assert len(person_ids(Author("王伟", "伟", "王", ids=("openreview:~Wei_Wang1",)))) == 1, "other letters may be it"
