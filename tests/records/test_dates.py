"""Dates with their precision. D10 is an entry of the project's list of pitfalls."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.dates import PartialDate, parse_date


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([[None]], None),
        ([[2031]], "2031"),
        ([[2031, 5]], "2031-05"),
        ([[2031, 5, 9]], "2031-05-09"),
        ([2031, 5], "2031-05"),
        ((2031,), "2031"),
        ([], None),
        ([[]], None),
        ([None], None),
        ([["2031", "05"]], "2031-05"),
    ],
)
def test_d10_date_parts_keep_their_precision(value: object, expected: str | None) -> None:
    assert parse_date(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2031", "2031"),
        (2031, "2031"),
        ("2031-05", "2031-05"),
        ("2031-5", "2031-05"),
        ("2031-05-09", "2031-05-09"),
        (" 2031-05-09 ", "2031-05-09"),
        ("2031-05-09T23:59:59Z", "2031-05-09"),
        ("2031-05-09 10:00:00", "2031-05-09"),
        ("2031-00-00", "2031"),
        ("2031-13-01", "2031"),
        ("2031-02-30", "2031-02"),
        ("2031-05-00", "2031-05"),
        ("Fri, 9 May 2031 19:18:42 GMT", "2031-05-09"),
        ("Fri, 9 May 2031 23:30:00 -0500", "2031-05-10"),
        (date(2031, 5, 9), "2031-05-09"),
        (datetime(2031, 5, 9, 23, 30, tzinfo=timezone(timedelta(hours=-5))), "2031-05-10"),
        (datetime(2031, 5, 9, 23, 30), "2031-05-09"),  # noqa: DTZ001 - sources do give such
    ],
)
def test_d10_dates_are_read_as_far_as_they_go(value: object, expected: str) -> None:
    read = parse_date(value)
    assert read == expected
    assert isinstance(read, PartialDate)


@pytest.mark.parametrize(
    "value",
    [
        None, "", "soon", "May 2031", 0, 12, True, False, "0000", "9999", "20310509", "2031/05/09", {},
        "Mon, 99 Foo 2031 x", 2.5e300,
    ],
)  # fmt: skip
def test_d10_what_is_no_date_is_unknown(value: object) -> None:
    assert parse_date(value) is None


@pytest.mark.parametrize(("text", "precision"), [("2031", "year"), ("2031-05", "month"), ("2031-05-09", "day")])
def test_a_date_knows_its_precision(text: str, precision: str) -> None:
    assert PartialDate(text).precision == precision
    assert PartialDate(text).year == 2031


def test_d10_dates_sort_by_time_a_bare_year_first() -> None:
    written = ["2031-05", "2030-12-31", "2031", "2031-05-09", "2031-10", "2031-01-01"]
    ordered = sorted(PartialDate(text) for text in written)
    assert ordered == ["2030-12-31", "2031", "2031-01-01", "2031-05", "2031-05-09", "2031-10"]


@given(st.dates(date(1000, 1, 1), date(2999, 12, 31)), st.sampled_from([4, 7, 10]))
def test_a_read_date_reads_as_itself(day: date, length: int) -> None:
    text = day.isoformat()[:length]
    read = parse_date(text)
    assert read == text
    assert parse_date(read) == read


@given(st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001
def test_the_two_ways_of_writing_a_time_agree(moment: datetime) -> None:
    mail = moment.strftime("%a, %d %b %Y %H:%M:%S +0000")
    assert parse_date(moment) == parse_date(mail) == parse_date(moment.isoformat())


SCALARS = st.none() | st.text() | st.integers() | st.floats() | st.booleans()


@given(SCALARS | st.lists(SCALARS | st.lists(SCALARS, max_size=4), max_size=4))
def test_any_value_gives_a_date_or_nothing(value: object) -> None:
    read = parse_date(value)
    assert read is None or 1000 <= read.year <= 2999
