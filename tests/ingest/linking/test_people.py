"""Two lists of authors."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.ingest.linking.people import Agreement, Person, agree, person_of
from octavo.records.names import parse_author


def people(names: str) -> tuple[Person, ...]:
    authors = [parse_author(name) for name in names.split("; ") if name]
    return tuple(person_of(author.family, author.given) for author in authors)


def agreement(one: str, other: str) -> Agreement:
    first, second = people(one), people(other)
    return agree(first, second, len(first), len(second))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann Bee", "Bee, Ann"),
        ("Ann Bee", "A. Bee"),
        ("Ann B. Bee", "AB Bee"),
        ("Łukasz Nguyễn", "Lukasz Nguyen"),
        ("Ludwig van der Meer", "L. Meer"),
        ("Gunagzong Si", "Guangzong Si"),
        ("Rao Qiang", "Qiang Rao"),
        ("Weimin Renard", "Weiming Renard"),
        ("Ann Beekeeper", "Ann Bekeeper"),
        ("J. Eliot Moss", "Eliot Moss"),
    ],
)
def test_one_name_is_matched_when_it_is_written_otherwise(one: str, other: str) -> None:
    assert agreement(one, other).matched >= 0.5
    assert agreement(other, one).matched >= 0.5


@pytest.mark.parametrize(
    ("one", "other"),
    [("Wei Wang", "Lei Wang"), ("Ann Bee", "Ann Boo"), ("A. Bee", "B. Bee"), ("Ann Bee", "Cy Dee"), ("J. Li", "J. Lu")],
)
def test_two_names_are_not_matched_when_only_a_part_is_common(one: str, other: str) -> None:
    assert agreement(one, other).matched == 0


def test_common_names_tell_less_when_all_else_is_equal() -> None:
    assert agreement("W. Wang", "W. Wang").telling < agreement("W. Quill", "W. Quill").telling
    assert agreement("W. Wang", "Wei Wang").telling < agreement("Wei Wang", "Wei Wang").telling


def test_order_is_kept_or_not() -> None:
    assert agreement("Ann Bee; Cy Dee; Ee Eff", "A. Bee; C. Dee; E. Eff").in_order
    assert not agreement("Ann Bee; Cy Dee; Ee Eff", "C. Dee; A. Bee; E. Eff").in_order
    assert agreement("Ann Bee; Cy Dee; Ee Eff", "Ann Bee; Ee Eff").in_order


def test_lengths_before_a_cut_are_told() -> None:
    many = people("; ".join(f"A{n} Number{n:04}" for n in range(60)))
    assert agree(many, many, 3303, 3303).larger == 3303


@given(
    st.lists(
        st.sampled_from(people("Ann Bee; A. Bee; Cy Dee; Wei Wang; Lei Wang; Qiang Rao; Rao Qiang; Ee Eff; Łu Nguyễn")),
        max_size=6,
        unique=True,
    ),
    st.lists(
        st.sampled_from(people("Ann Bee; C. Dee; Wei Wang; W. Wang; Rao Qiang; Ed Eff; Bee Ann; Lu Nguyen")),
        max_size=6,
        unique=True,
    ),
)
def test_agree_never_counts_a_name_twice(one: list[Person], other: list[Person]) -> None:
    found = agree(one, other, len(one), len(other))
    assert 0 <= found.matched <= found.smaller <= found.larger
    assert found.telling <= found.matched + 1e-9 or found.matched == 0
