"""Dates as sources give them: a year, a month or a day."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

_ISO = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?(?:[T ].*)?$")


class PartialDate(str):
    """A date with its precision, kept as ISO 8601: `2031`, `2031-05` or `2031-05-09`.

    The text form sorts by time, with a bare year before its months. An unknown date is `None`, never a PartialDate.
    """

    __slots__ = ()

    @property
    def year(self) -> int:
        """The year."""
        return int(self[:4])

    @property
    def precision(self) -> str:
        """`year`, `month` or `day`."""
        return {4: "year", 7: "month"}.get(len(self), "day")


def parse_date(value: object) -> PartialDate | None:
    """Read a date as sources write it; None where it is absent or is no date.

    Takes ISO 8601 with any precision (a time of day is dropped), RFC 822 (`Mon, 2 Apr 2007 19:18:42 GMT`, as arXiv's
    snapshot has), `datetime`/`date`, a year as a number, and `[2031, 5]` or `[[2031, 5]]` as Crossref has.
    """
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, datetime):
        return PartialDate((value.astimezone(UTC) if value.tzinfo else value).date().isoformat())
    if isinstance(value, date):
        return PartialDate(value.isoformat())
    if isinstance(value, list | tuple):
        if value and isinstance(value[0], list | tuple):
            return parse_date(value[0])
        return parse_date("-".join(str(part) for part in value[:3])) if value and value[0] else None
    text = str(value).strip()
    if found := _ISO.match(text):
        year, month, day = (int(part) if part else 0 for part in found.groups())
        return _checked(year, month, day)
    if "," in text or len(text) > 14:
        try:
            return PartialDate(parsedate_to_datetime(text).astimezone(UTC).date().isoformat())
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
    return None


def _checked(year: int, month: int, day: int) -> PartialDate | None:
    """Keep as much of the date as is possible: a month 0 or 13 leaves the year."""
    if not 1000 <= year <= 2999:
        return None
    if not 1 <= month <= 12:
        return PartialDate(f"{year:04d}")
    try:
        date(year, month, day or 1)
    except ValueError:
        day = 0
    return PartialDate(f"{year:04d}-{month:02d}-{day:02d}" if day else f"{year:04d}-{month:02d}")
