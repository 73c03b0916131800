"""Ranges of dates and numbers as people write them."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.query.ast import DateRange, Range
from octavo.query.match import Document, compile_predicate
from octavo.query.spans import BACKWARDS, read_date_range, read_days, read_number_range, read_year_range


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2031", "year:2031"),
        ("2031..2033", "year:[2031 TO 2033]"),
        ("2031...2033", "year:[2031 TO 2033]"),
        ("2031…2033", "year:[2031 TO 2033]"),
        ("2031-2033", "year:[2031 TO 2033]"),
        ("2031–2033", "year:[2031 TO 2033]"),
        ("２０３１", "year:2031"),
        ("2031..", "year:[2031 TO *]"),
        ("2031-", "year:[2031 TO *]"),
        ("..2031", "year:[* TO 2031]"),
        ("-2031", "year:[* TO 2031]"),
        ("*..2031", "year:[* TO 2031]"),
        (">=2031", "year:[2031 TO *]"),
        (">2031", "year:[2032 TO *]"),
        ("<=2031", "year:[* TO 2031]"),
        ("< 2031", "year:[* TO 2030]"),
        ("=2031", "year:2031"),
        ("[2031 TO 2033]", "year:[2031 TO 2033]"),
        ("[2031+TO+2033]", "year:[2031 TO 2033]"),
        ("{2031 TO 2035}", "year:[2032 TO 2034]"),
        ("[2031 TO 2035}", "year:[2031 TO 2034]"),
        ("[* TO 2033]", "year:[* TO 2033]"),
        ("[203101010000 TO 203312312359]", "year:[2031 TO 2033]"),
        ("[2031-01-01T00:00:00Z TO 2033-12-31T23:59:59Z]", "year:[2031 TO 2033]"),
        ("[20310601 TO 20331231]", "date:[2031-06 TO 2033]"),
        ("2031-05", "date:2031-05"),
        ("2031-5-9", "date:2031-05-09"),
        ("2031/05/09", "date:2031-05-09"),
        ("20310509", "date:2031-05-09"),
        ("2031-06..2031-08", "date:[2031-06 TO 2031-08]"),
        ("2031.06..2031.08", "date:[2031-06 TO 2031-08]"),
        ("2031-06-2031-08", "date:[2031-06 TO 2031-08]"),
        (">=2031-06-15", "date:[2031-06-15 TO *]"),
        (">2031-06", "date:[2031-07 TO *]"),
        ("<2031-03", "date:[* TO 2031-02]"),
        ("<=2032-02-29", "date:[* TO 2032-02]"),
        ("[203101010600 TO 20320101]", "date:[2031 TO 2032-01-01]"),
        ("", None),
        ("..", None),
        ("-", None),
        ("*", None),
        ("31", None),
        ("20311", None),
        ("2031-13", None),
        ("2031-02-30", None),
        ("spring", None),
        ("2031..spring", None),
        ("[2031 2033]", None),
        ("[* TO *]", None),
        ("4031", None),
    ],
)
def test_years_when_written(text: str, expected: str | None) -> None:
    found = read_year_range(text)
    assert (str(found[0]) if found else None) == expected
    assert found is None or found[1] == ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2033..2031", "year:[2031 TO 2033]"),
        ("[2031-08 TO 2031-06]", "date:[2031-06 TO 2031-08]"),
        ("{2032 TO 2031}", "year:[2031 TO 2032]"),
    ],
)
def test_range_that_runs_backwards_is_turned_and_told(text: str, expected: str) -> None:
    found = read_year_range(text)
    assert found is not None
    assert (str(found[0]), found[1]) == (expected, BACKWARDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("100", "citations:100"),
        (">=100", "citations:[100 TO *]"),
        (">100", "citations:[101 TO *]"),
        ("<1,000", "citations:[* TO 999]"),
        ("10..20", "citations:[10 TO 20]"),
        ("10-20", "citations:[10 TO 20]"),
        ("[0 TO 5}", "citations:[0 TO 4]"),
        ("0", "citations:0"),
        ("-", None),
        ("many", None),
        ("1.5", None),
        ("12345678901", None),
        (">=", None),
    ],
)
def test_numbers_when_written(text: str, expected: str | None) -> None:
    found = read_number_range("citations", text)
    assert (str(found[0]) if found else None) == expected
    assert found is None or found[1] == ""


def test_numbers_that_run_backwards_are_turned_and_told() -> None:
    assert read_number_range("citations", "20..10") == (Range("citations", 10, 20), BACKWARDS)


@given(st.text(st.sampled_from("0123456789.-–…<>=[]{}TO* xZ:²/,+"), max_size=30))
def test_ends_are_in_order_or_there_is_no_range(text: str) -> None:
    if days := read_days(text):
        assert days.first or days.last
        assert days.first is None or days.last is None or days.first <= days.last
    numbers = read_number_range("citations", text)
    if numbers:
        assert isinstance(numbers[0], Range)
        ends = [end for end in (numbers[0].low, numbers[0].high) if end is not None]
        assert ends == sorted(ends) != []


days = st.dates(date(2030, 11, 1), date(2033, 2, 28))


@given(days, days, days, st.sampled_from([4, 7, 10]))
def test_date_is_found_where_all_of_it_lies_within(one: date, other: date, on: date, length: int) -> None:
    low, high = sorted((one, other))
    found = read_date_range(f"{low}..{high}")
    assert found is not None
    known = on.isoformat()[:length]
    first = date.fromisoformat(f"{known}-01-01"[:10])
    if length == 10:
        last = first
    elif length == 7:
        last = (first + timedelta(31)).replace(day=1) - timedelta(1)
    else:
        last = date(first.year, 12, 31)
    assert compile_predicate(found[0])(Document(date=known)) is (low <= first and last <= high)


def test_short_forms_of_a_range_are_one() -> None:
    assert read_date_range("2031-01-01..2031-12-31") == (DateRange("2031", "2031"), "") == read_date_range("2031")
