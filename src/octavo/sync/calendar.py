"""arXiv's announcement days, and when a source is due again.

arXiv announces from Sunday to Thursday at 20:00 US Eastern what was submitted before 14:00 of the day (of Friday
before, on a Sunday or Monday); the feeds are built at the midnight after, and are named by the day that begins then:
Monday to Friday (info.arxiv.org/help/availability). On holidays, which arXiv names a year at a time, nothing is
announced; they can't be computed, and show as days on which neither a feed nor OAI-PMH has anything.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

EASTERN = ZoneInfo("America/New_York")
FEEDS_READY = timedelta(minutes=30)
"""After midnight Eastern: before that the feeds of the day may not be built."""
_DAY = timedelta(days=1)
# How many days lie between a day (Monday first) and the one in whose feed the submissions before its 14:00 are.
_DELAY = (1, 1, 1, 1, 3, 3, 2)

EVERY = {
    "hourly": timedelta(hours=1),
    "daily": timedelta(days=1),
    "weekly": timedelta(days=7),
    "monthly": timedelta(days=30),
}
"""How often a source may be asked for news; `never` is not among them."""
_SLACK = 0.9  # a timer that fires a little early must not wait a whole turn


def is_announcement_day(day: date) -> bool:
    """Whether the feeds of that day have papers, holidays aside."""
    return day.weekday() < 5


def latest_day(now: datetime) -> date:
    """The latest day whose feeds must be there at `now`, holidays aside.

    >>> latest_day(datetime(2031, 5, 3, 12, tzinfo=UTC)).isoformat()  # a Saturday
    '2031-05-02'
    """
    day = (now.astimezone(EASTERN) - FEEDS_READY).date()
    while not is_announcement_day(day):
        day -= _DAY
    return day


def days_between(first: date, last: date) -> list[date]:
    """The announcement days from `first` to `last`, both included."""
    return [day for n in range((last - first).days + 1) if is_announcement_day(day := first + n * _DAY)]


def possible_days(submitted: date) -> frozenset[date]:
    """The days on which a paper can have been announced that was submitted on that day (UTC) and not held back."""
    following = submitted + _DAY
    return frozenset((submitted + _DELAY[submitted.weekday()] * _DAY, following + _DELAY[following.weekday()] * _DAY))


def next_ready(now: datetime) -> datetime:
    """When the next day's feeds are to be there, holidays aside."""
    day = latest_day(now) + _DAY
    while not is_announcement_day(day):
        day += _DAY
    return datetime.combine(day, time(), EASTERN) + FEEDS_READY


def next_due(every: str, last: datetime | None, now: datetime) -> datetime | None:
    """When a source that was last asked at `last` (None: never) is to be asked again; None where never."""
    if every not in EVERY:
        return None
    return now if last is None else last + EVERY[every] * _SLACK
