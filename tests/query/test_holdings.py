"""What a paper may have."""

from __future__ import annotations

import pytest

from octavo.query.holdings import HOLDINGS, find_holding, holdings_of, is_prize
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("code", "code"), ("PDF", "pdf"), ("codes", "code"), ("keyword", "keywords"), ("DOIs", "doi"), ("prize", "award"),
        ("url", None), ("wings", None), ("", None),
    ],
)  # fmt: skip
def test_name_of_a_holding(name: str, expected: str | None) -> None:
    assert find_holding(name) == expected


def test_every_holding_goes_by_its_own_name() -> None:
    assert [name for name in HOLDINGS if find_holding(name) != name] == []
    assert len(set(HOLDINGS)) == len(HOLDINGS)


@pytest.mark.parametrize(
    ("award", "expected"),
    [
        ("poster", False), ("Oral; Poster", False), ("notable top 5%", False), ("", False), ("Best Paper", True),
        ("outstanding paper; oral", True), ("prize", True),
    ],
)  # fmt: skip
def test_presentation_is_no_prize(award: str, expected: bool) -> None:
    assert is_prize(award) is expected


def test_each_holding_is_named_once() -> None:
    paper = Paper(
        PaperId("p"), "T", (), summary="Ours.", citations=0, links=(("code", "https://example.org"),),
        identifiers=(Identifier("doi", "10.5555/a"), Identifier("doi", "10.5555/b"), Identifier("url", "https://x.org")),
    )  # fmt: skip
    assert holdings_of(paper) == ("summary", "code", "doi", "citations")
    assert holdings_of(Paper(PaperId("p"), "T", ())) == ()
