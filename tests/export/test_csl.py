"""CSL-JSON: items, types, and the way back."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from octavo.export import export_papers
from octavo.ingest.merge import merge
from octavo.records.dates import PartialDate
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources.csl import CslSource
from tests.export.round_trip import papers, said_of, there_and_back
from tests.world import RECORDS, record


def items(*claims: Record) -> list[dict[str, Any]]:
    found = json.loads("".join(export_papers("csl", [(merge([claim]), [claim]) for claim in claims])))
    assert isinstance(found, list)
    return found


@given(papers())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_paper_says_the_same_when_it_was_exported_and_read(groups: list[list[Record]]) -> None:
    back = there_and_back("csl", CslSource(), groups)
    assert [said_of(records) for records in back] == [said_of(records) for records in groups]


def test_a_journals_paper_has_all_its_variables() -> None:
    claim = replace(
        record(
            "pmlr",
            "x",
            "On $\\rset$ & Floors",
            "Ann Bee; de la Cruz, Jr., Ana; Plato",
            ids="10.5555/x 2101.00010 P18-1001",
        ),
        venue=Venue("Journal of Tiles", "JoT", 2031, "9", "3", "11--19", "Quarry"),
        published_on=PartialDate("2031-07-05"),
        authors_incomplete=True,
    )
    assert items(claim) == [
        {
            "id": "bee2031rset",
            "type": "article-journal",
            "title": "On $\\rset$ & Floors",
            "author": [
                {"family": "Bee", "given": "Ann"},
                {"family": "de la Cruz", "given": "Ana", "suffix": "Jr."},
                {"literal": "Plato"},
            ],
            "issued": {"date-parts": [[2031, 7, 5]]},
            "container-title": "Journal of Tiles",
            "container-title-short": "JoT",
            "volume": "9",
            "issue": "3",
            "page": "11-19",
            "publisher": "Quarry",
            "DOI": "10.5555/x",
            "URL": "https://arxiv.org/abs/2101.00010",
            "archive": "arXiv",
            "archive_location": "arXiv:2101.00010",
            "custom": {"identifiers": ["acl:P18-1001"], "authors_incomplete": True},
        }
    ]


@pytest.mark.parametrize(
    ("status", "kind", "note"),
    [
        ("withdrawn", "article", "Withdrawn"),
        ("submitted", "article", "Submitted to TILE 2031"),
        ("", "paper-conference", None),
    ],
)
def test_a_paper_is_not_said_to_be_published_when_its_status_says_otherwise(
    status: str, kind: str, note: str | None
) -> None:
    (item,) = items(record("pmlr", "x", "Tiles", "Ann Bee", venue="TILE", year=2031, status=status))
    assert (item["type"], item.get("note")) == (kind, note)
    assert ("container-title" in item) == (kind == "paper-conference")


def test_ids_are_distinct_and_a_piece_is_a_paper() -> None:  # B09
    claims = [record("pmlr", f"x{n}", "Tiles", "Ann Bee") for n in range(3)]
    pieces = list(export_papers("csl", [(merge([claim]), [claim]) for claim in claims]))
    assert len(pieces) == 3
    assert {item["id"] for item in json.loads("".join(pieces))} == {"beetilesa", "beetilesb", "beetilesc"}
    assert list(export_papers("csl", [])) == []


def test_text_is_safe_json_whatever_it_holds() -> None:  # F01, C10
    title = 'Said “yes”: <svg onload="x">\ud800\u2028\x00 "q" \\ '
    (item,) = items(replace(RECORDS[3], title=Text(title, "plain")))
    assert item["title"] == 'Said “yes”: <svg onload="x">\ufffd "q" \\'
