"""Counting by venue and by status."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from octavo.app import Octavo
from octavo.catalogue import Database
from octavo.catalogue.stats import by_status, by_venue
from octavo.config import catalogue_path
from octavo.records.codec import encode_record
from octavo.records.paper import Record, Venue
from tests.world import record

FATES = ["accepted", "accepted", "rejected", "withdrawn", "submitted", "retracted", ""]
TITLES = [
    "Tiles of Jade",
    "Floors of Oak",
    "Walls in Rain",
    "Roofs by Night",
    "Doors to Halls",
    "Stairs of Ice",
    "Windows",
]


def test_a_venue_has_what_appeared_there(tmp_path: Path) -> None:
    records: list[Record] = [
        replace(
            record("openreview", f"k{n}", title, f"Ann Bee{n}", ids=f"10.5555/{n}", status=status),
            venue=Venue(short="TILE", year=2031),
        )
        for n, (title, status) in enumerate(zip(TITLES, FATES, strict=True))
    ]
    records.append(record("arxiv", "2101.00077", "Claims", comment="Accepted at ICML 2025", ids="2101.00077"))
    path = tmp_path / "fates.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in records))
    home = tmp_path / "home"
    with Octavo(home) as octavo:
        octavo.add("jsonl", path)
    database = Database(catalogue_path(home))
    assert by_venue(database) == [("TILE 2031", 4)]
    assert dict(by_status(database)) == {
        "accepted": 2, "rejected": 1, "withdrawn": 1, "submitted": 1, "retracted": 1, "": 2,
    }  # fmt: skip
    database.close()
