"""RIS: tags, types, and the way back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from octavo.export import export_papers
from octavo.ingest.merge import merge
from octavo.records.dates import PartialDate
from octavo.records.names import Author, parse_author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources.ris import RisSource
from tests.export.round_trip import papers, said_of, there_and_back
from tests.world import RECORDS, record


def written(*groups: Record) -> str:
    return "".join(export_papers("ris", [(merge([claim]), [claim]) for claim in groups]))


def tags(claim: Record) -> list[tuple[str, str]]:
    lines = written(claim).splitlines()
    assert all(line[2:6] == "  - " for line in lines)
    return [(line[:2], line[6:]) for line in lines]


@given(papers())
@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_a_paper_says_the_same_when_it_was_exported_and_read(groups: list[list[Record]]) -> None:
    back = there_and_back("ris", RisSource(), groups)
    assert [said_of(records) for records in back] == [said_of(records) for records in groups]


def test_a_journals_paper_has_all_its_tags() -> None:
    claim = replace(
        record(
            "pmlr",
            "x",
            "Tiles & Floors",
            "Ann Bee; de la Cruz, Jr., Ana; The Blue Team",
            ids="10.5555/x 2101.00010 P18-1001",
        ),
        venue=Venue("Journal of Tiles", "JoT", 2031, "9", "3", "11-19", "Quarry"),
        published_on=PartialDate("2031-07-05"),
        authors_incomplete=True,
    )
    assert tags(claim) == [
        ("TY", "JOUR"), ("TI", "Tiles & Floors"), ("AU", "Bee, Ann"), ("AU", "de la Cruz, Ana, Jr."), ("AU", "The Blue Team"),
        ("AU", "et al."), ("PY", "2031"), ("DA", "2031/07/05"), ("JO", "Journal of Tiles"), ("J2", "JoT"), ("VL", "9"),
        ("IS", "3"), ("SP", "11"), ("EP", "19"), ("PB", "Quarry"), ("DO", "10.5555/x"), ("AN", "arXiv:2101.00010"),
        ("UR", "https://arxiv.org/abs/2101.00010"), ("U1", "acl:P18-1001"), ("ER", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("status", "kind", "note"),
    [
        ("withdrawn", "GEN", "Withdrawn"),
        ("rejected", "GEN", "Submitted to TILE 2031"),
        ("retracted", "CPAPER", "Retracted"),
    ],
)
def test_a_paper_is_not_said_to_be_published_when_its_status_says_otherwise(status: str, kind: str, note: str) -> None:
    found = dict(tags(record("pmlr", "x", "Tiles", "Ann Bee", venue="TILE", year=2031, status=status)))
    assert (found["TY"], found["N1"]) == (kind, note)
    assert ("T2" in found) == (kind == "CPAPER")


def test_the_day_of_a_preprint_is_not_that_of_its_venue() -> None:
    claim = record("pmlr", "x", "Tiles", venue="TILE", year=2031, submitted="2031-02-03")
    assert ("PY", "2031") in tags(claim)
    assert "DA" not in dict(tags(claim))


def test_a_value_stays_on_its_line_when_a_source_broke_it() -> None:  # G06, F01
    claim = replace(RECORDS[3], title=Text("A\nER  - \r\n\x00TY  - <script>alert(1)</script>\u2028x", "plain"))
    text = written(claim)
    assert text.count("\nER  - ") == 1
    assert "TI  - A ER - TY - <script>alert(1)</script> x\n" in text


def test_a_name_is_written_as_spoken_when_its_parts_would_not_come_back() -> None:
    names = [
        Author("小田 花子", "花子", "小田"),
        Author("Bee; Co", "", "Bee; Co"),
        parse_author("Nguye\u0302\u0303n, An"),
    ]
    found = [value for tag, value in tags(replace(RECORDS[3], authors=tuple(names))) if tag == "AU"]
    assert found == ["小田 花子", "Bee, Co", "Nguyễn, An"]  # C02


def test_a_formula_is_not_escaped_when_it_leads_a_value() -> None:  # F03
    assert ("TI", '=HYPERLINK("x")') in tags(replace(RECORDS[3], title=Text('=HYPERLINK("x")')))


def test_a_piece_is_a_paper() -> None:
    pieces = list(export_papers("ris", [(merge([claim]), [claim]) for claim in RECORDS]))
    assert len(pieces) == len(RECORDS)
    assert all(piece.count("TY  - ") == 1 for piece in pieces)


@pytest.mark.parametrize("pages", ["i-i", "7", "11-19", "e0815", "3-4, 7-9", "A-1-A-9"])
def test_pages_come_back_when_they_are_odd(pages: str) -> None:
    claim = replace(RECORDS[3], venue=Venue("Tiles", year=2031, pages=pages))
    ((back,),) = there_and_back("ris", RisSource(), [[claim]])
    assert back.venue
    assert back.venue.pages == pages
