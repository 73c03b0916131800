"""A claim that is made again: what the newer one can't know stays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.ingest import Ingest
from octavo.records.codec import decode_record
from octavo.records.dates import PartialDate
from octavo.records.paper import Record, Version
from octavo.records.text import Text
from tests.world import record


@pytest.fixture
def ingest(tmp_path: Path) -> Iterator[Ingest]:
    database = Database(tmp_path / "catalogue.db")
    yield Ingest(Catalogue(database))
    database.close()


def version(number: int) -> Record:
    made = record("arxiv", "2101.00010", f"Tiles, take {number}", "Ann Bee", ids="2101.00010", submitted="2021-01-02")
    return replace(made, versions=(Version(number, PartialDate(f"2021-{number:02}-03")),))


def stored(ingest: Ingest, source: str = "arxiv") -> Record:
    return decode_record(ingest.catalogue.find_records(source, ["2101.00010"])["2101.00010"].claim)


@pytest.mark.parametrize("order", list(permutations((1, 2, 10))))
def test_the_latest_version_holds_whatever_the_order(ingest: Ingest, order: Sequence[int]) -> None:
    """B02: v1, v2, v10 are one paper whose latest version is 10, not 2, nor the one that came last."""
    for number in order:
        ingest.put([version(number)])
    claim = stored(ingest)
    assert claim.title.plain == "Tiles, take 10"
    assert [(one.number, one.on) for one in claim.versions] == [(n, f"2021-{n:02}-03") for n in (1, 2, 10)]
    ((_, paper),) = ingest.catalogue.changed_since(-1)
    assert paper.version == 10
    assert ingest.put([version(2)]).n_unchanged == 1


def test_the_day_of_the_announcement_stays_when_a_replacement_is_announced(ingest: Ingest) -> None:
    """G01."""
    first = record("arxiv-feed", "2101.00010", "Tiles", "Ann Bee", ids="2101.00010")
    first = replace(first, announced_on=PartialDate("2031-05-01"), versions=(Version(1),))
    ingest.put([first])
    ingest.put([replace(first, title=Text("Better Tiles"), announced_on=None, versions=(Version(2),))])
    claim = stored(ingest, "arxiv-feed")
    assert (claim.title.plain, claim.announced_on) == ("Better Tiles", "2031-05-01")
    ((_, paper),) = ingest.catalogue.changed_since(-1)
    assert (paper.date, paper.year, paper.version) == ("2031-05-01", 2031, 2)


def test_a_claim_without_versions_is_replaced_and_keeps_them(ingest: Ingest) -> None:
    ingest.put([version(3)])
    ingest.put([replace(version(3), title=Text("Tiles, mended"), versions=())])
    claim = stored(ingest)
    assert (claim.title.plain, [one.number for one in claim.versions]) == ("Tiles, mended", [3])
