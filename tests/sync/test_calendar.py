"""Announcement days, in arXiv's zone, and when something is due."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.sync.calendar import EASTERN, days_between, is_announcement_day, latest_day, next_due, possible_days


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2031-05-01T12:00:00+00:00", "2031-05-01"),  # a Thursday
        ("2031-05-02T04:20:00+00:00", "2031-05-01"),  # 00:20 Eastern: the feeds may not be built yet
        ("2031-05-02T04:31:00+00:00", "2031-05-02"),
        ("2031-05-02T23:00:00+08:00", "2031-05-02"),
        ("2031-05-03T12:00:00+00:00", "2031-05-02"),  # Saturday
        ("2031-05-05T03:00:00+00:00", "2031-05-02"),  # Sunday evening there
        ("2031-05-05T05:00:00+00:00", "2031-05-05"),
        ("2031-11-03T05:20:00+00:00", "2031-10-31"),  # winter time since the day before: 00:20
        ("2031-11-03T05:31:00+00:00", "2031-11-03"),
    ],
)
def test_the_latest_day_is_that_of_the_newest_feeds(moment: str, day: str) -> None:
    assert latest_day(datetime.fromisoformat(moment)).isoformat() == day


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2031-04-28", {"2031-04-29", "2031-04-30"}),  # Monday
        ("2031-05-01", {"2031-05-02", "2031-05-05"}),  # Thursday: at 15:00 there it is Sunday's (G05)
        ("2031-05-02", {"2031-05-05", "2031-05-06"}),  # Friday
        ("2031-05-03", {"2031-05-06"}),  # Saturday
        ("2031-05-04", {"2031-05-06"}),  # Sunday, and Monday before 14:00
    ],
)
def test_a_paper_is_announced_on_one_of_two_days_at_most(submitted: str, days: set[str]) -> None:
    assert {day.isoformat() for day in possible_days(date.fromisoformat(submitted))} == days


@given(st.dates(date(2000, 1, 1), date(2100, 1, 1)), st.integers(0, 60))
def test_days_are_days_of_announcement_after_the_submission(first: date, length: int) -> None:
    days = days_between(first, first + timedelta(days=length))
    assert days == sorted(set(days))
    assert all(map(is_announcement_day, days))
    assert all(first < day <= first + timedelta(days=4) and is_announcement_day(day) for day in possible_days(first))


@given(st.datetimes(timezones=st.just(UTC)).filter(lambda moment: 1970 <= moment.year <= 2100))
def test_the_latest_day_never_goes_back_and_is_never_ahead(now: datetime) -> None:
    day = latest_day(now)
    assert is_announcement_day(day)
    assert day <= now.astimezone(EASTERN).date()
    assert day <= latest_day(now + timedelta(hours=1))


def test_something_is_due_a_little_before_its_turn_is_over() -> None:
    now = datetime(2031, 5, 1, 7, tzinfo=UTC)
    assert next_due("daily", None, now) == now
    due = next_due("daily", now - timedelta(hours=23), now)  # a timer that fires at about the same hour
    assert due is not None
    assert due <= now
    due = next_due("weekly", now - timedelta(days=3), now)
    assert due is not None
    assert due > now
    assert next_due("never", None, now) is None
