"""Authors in common and references."""

from __future__ import annotations

import json

import pytest

from octavo.catalogue.relatives import Relative
from octavo.rank.bonds import AUTHOR, COUPLING, MOST_AUTHORS, MOST_TIES, REFERENCES, Bonds


def paper(pk: int, *, by: str = "", cites: str = "") -> Relative:
    authors = tuple(by.split("; ")) if by else ()
    return Relative(pk, f"Paper {pk}", authors, "2031", json.dumps([f"doi:{pk}"]), json.dumps(cites.split()))


OWN = paper(1, by="Ann Bee; Łukasz Nguyễn; Cy Dee; Di Eff", cites="doi:8 doi:9")


@pytest.mark.parametrize(
    ("by", "value", "said"),
    [
        ("Zoe Yak", None, None),
        ("", None, None),
        ("ann bee; Zoe Yak", AUTHOR, "same author ann bee"),
        ("Lukasz Nguyen", AUTHOR, "same author Lukasz Nguyen"),
        ("Ann Bee; Cy Dee; Di Eff; Łukasz Nguyễn", AUTHOR * MOST_AUTHORS, "same authors Ann Bee, Cy Dee, Di Eff and 1 more"),
    ],
)  # fmt: skip
def test_authors_in_common_count_and_are_named(by: str, value: float | None, said: str | None) -> None:
    bond = Bonds([OWN], []).authors(paper(2, by=by))
    assert (bond.value, bond.reason) == (value, said) if bond else (value, said) == (None, None)


@pytest.mark.parametrize(
    ("other", "value", "said"),
    [
        (paper(2), None, None),
        (paper(2, cites="doi:7"), None, None),
        (paper(2, cites="doi:1"), REFERENCES, "cites it"),
        (paper(8), REFERENCES, "cited by it"),
        (paper(2, cites="doi:9 doi:7"), COUPLING / 2, "1 reference in common"),
        (paper(2, cites="doi:8 doi:9 doi:1"), MOST_TIES, "cites it; 2 references in common"),
    ],
)
def test_references_count_in_both_directions_and_shared(other: Relative, value: float | None, said: str | None) -> None:
    bond = Bonds([OWN], [other]).references(other)
    assert (bond and bond.reason) == said
    if bond:
        assert bond.value == pytest.approx(value)


def test_papers_cited_together_are_tied() -> None:
    citing = [paper(3, cites="doi:1 doi:5"), paper(4, cites="doi:5 doi:1"), paper(6, cites="doi:5")]
    bond = Bonds([OWN], citing).references(paper(5))
    assert bond
    assert bond.reason == "2 related papers cite both"


def test_one_of_several_is_named_as_such() -> None:
    bond = Bonds([OWN, paper(11)], []).references(paper(2, cites="doi:11"))
    assert bond
    assert bond.reason == "cites one of them"
