"""Versions of one work in a list."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.catalogue.relatives import Relative
from octavo.rank.repeats import repeats, same_work


def paper(pk: int, title: str, *authors: str) -> Relative:
    return Relative(pk, title, authors, "2031")


FIRST = paper(1, "Tiles on the Floor", "Ann Bee", "Cy Dee")


@pytest.mark.parametrize(
    ("other", "cosine", "same"),
    [
        (paper(2, "Tiles on the floor!", "Cy Dée"), 0.0, True),
        (paper(2, "Tiles on the Floor"), 0.0, True),
        (paper(2, "Tiles on the Floor", "Eve Eff"), 1.0, False),
        (paper(2, "Tiles on the Floors of Halls", "Ann Bee"), 0.95, True),
        (paper(2, "Tiles on the Floors of Halls", "Ann Bee"), 0.9, False),
        (paper(2, "How Walls Are Painted", "Ann Bee"), 0.99, False),
        (paper(2, "Tiles on the Floor 2", "Ann Bee"), 0.99, False),
    ],
)
def test_two_papers_are_one_work_when_title_meaning_and_authors_agree(
    other: Relative, cosine: float, same: bool
) -> None:
    assert same_work(FIRST, other, cosine) is same
    assert same_work(other, FIRST, cosine) is same


def test_tasks_with_numbers_stay_apart_when_all_else_is_alike() -> None:
    assert not same_work(paper(1, "The Tile Contest 2030", "Ann Bee"), paper(2, "The Tile Contest 2031", "Ann Bee"), 1)


TITLES = st.sampled_from(["Tiles", "tiles.", "Walls", "Floors 1", "Floors 2"])


@given(st.lists(st.tuples(TITLES, st.sampled_from(["Ann Bee", "Cy Dee", ""]))))
def test_every_repeat_leads_to_a_paper_that_stays_and_stands_before_it(papers: list[tuple[str, str]]) -> None:
    found = repeats(None, [paper(n, title, *([name] if name else [])) for n, (title, name) in enumerate(papers)])
    assert all(origin < at and origin not in found for at, origin in found.items())
