"""D10: a date is as precise as its source says, and the registry's own days are none of the paper's."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pitfalls import files
from tests.pitfalls.conftest import FILES, Shelf

CASES: list[tuple[Any, str | None]] = [
    ([[None]], None), ([[2031]], "2031"), ([[2031, 5]], "2031-05"), ([[2031, 5, 9]], "2031-05-09"),
    ([], None), (None, None), ([[]], None), ([[2031, 0]], "2031"), ([[2031, 13, 1]], "2031"), ([[2031, 2, 30]], "2031-02"),
    ([["2031", "5"]], "2031-05"), ([[0]], None), ([["soon"]], None), ([[2031, None]], "2031"), ([[2031, 5, None]], "2031-05"),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "date"), CASES)
@pytest.mark.parametrize("source", ["crossref", "csl"])
def test_d10_a_date_keeps_its_precision(shelf: Shelf, source: str, parts: Any, date: str | None) -> None:
    registry = {name: {"date-parts": [[2020, 1, 1]]} for name in ("created", "deposited", "indexed")}
    make = files.crossref if source == "crossref" else files.csl
    shelf.put("a.json", make(issued={"date-parts": parts}, **registry), source)
    paper = shelf.paper()
    assert (paper["date"], paper["year"]) == (date, int(date[:4]) if date else None)
    assert shelf.octavo.search("year:2031").total == (date is not None)
    assert shelf.octavo.search("year:..2030").total == 0
    for form in FILES:
        assert "2020" not in shelf.export(form)


@pytest.mark.parametrize("form", ["bibtex", "ris", "csl"])
@pytest.mark.parametrize(("parts", "date"), CASES[:4])
def test_d10_an_export_makes_no_date_more_precise(shelf: Shelf, form: str, parts: Any, date: str | None) -> None:
    shelf.put("a.json", files.crossref(issued={"date-parts": parts}, **{"container-title": ["Tiles"]}))
    text = shelf.export(form)
    assert ("2031" in text) == (date is not None)
    if form == "csl" and date:
        assert f'"date-parts": [[{", ".join(str(int(part)) for part in date.split("-"))}]]' in text
    if form == "ris":
        assert ("DA  - " in text) == (date is not None and len(date) > 4)


def test_d10_dates_sort_whatever_their_precision(shelf: Shelf) -> None:
    for number, (parts, _) in enumerate(CASES):
        shelf.put("a.json", files.crossref(f"Tile {number}", doi=f"10.5555/{number}", issued={"date-parts": parts}))
    dates = [paper["date"] for paper in shelf.papers()]
    assert sorted(date for date in dates if date) == sorted(date for _, date in CASES if date)
