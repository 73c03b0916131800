"""Ranges as people write them: of dates, to the day, and of numbers.

`2023`, `2023..2025`, `2023-2025`, `2023..`, `2023-`, `..2020`, `-2020`, `>=2023`, `<2020`, `[2023 TO *]`,
`{2022 TO 2026}` (without its ends), arXiv's `[202301010600 TO 202312312359]`; each end of a date may have a month and a
day (`2024-06..2024-08`, `>=2024-06-15`, `20240615`, `2024/6/15`). A time of day is
passed over: dates are known to the day.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from octavo.query.ast import DateRange, Node, Range
from octavo.records.fold import fold

BACKWARDS = "runs backwards"
"""What is odd about a range that ends before it begins."""

_BRACKETED = re.compile(r"([\[{])\s*(\S+?)[\s+]+to[\s+]+(\S+?)\s*([\]}])")
_COMPARED = re.compile(r"(>=|<=|>|<|=)\s*(\S+)")
_PARTED = re.compile(r"\.\.\.?|-")
_SOLID = re.compile(r"([12][0-9]{3})(?:([0-9]{2})(?:([0-9]{2})(?:t?[0-9]{4,6}z?)?)?)?")
_SIGNED = re.compile(r"([12][0-9]{3})[-/.]([0-9]{1,2})(?:[-/.]([0-9]{1,2})(?:t[0-9:.]*z?)?)?")
_NUMBER = re.compile(r"[0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2}")


@dataclass(frozen=True, slots=True)
class _Ends:
    """A range's ends as written; empty where it is open."""

    low: str
    high: str
    after: bool = False
    """Whether the lower end is left out."""
    before: bool = False


def _read_ends(text: str, is_end: Callable[[str], object]) -> Iterator[_Ends]:
    """The ways to read a text as a range; `is_end` says whether a text is an end."""
    if found := _BRACKETED.fullmatch(text):
        opening, low, high, closing = found.groups()
        yield _Ends(low.strip("*"), high.strip("*"), opening == "{", closing == "}")
    elif found := _COMPARED.fullmatch(text):
        sign, end = found.groups()
        if sign == "=":
            yield _Ends(end, end)
        else:
            yield _Ends(end, "", after=sign == ">") if sign[0] == ">" else _Ends("", end, before=sign == "<")
    elif is_end(text):
        yield _Ends(text, text)
    else:
        for sign in _PARTED.finditer(text):
            low, high = text[: sign.start()], text[sign.end() :]
            yield _Ends("" if low == "*" else low, "" if high == "*" else high)


# ------------------------------------------------------------------------------------------------------ dates


def _read_day(text: str) -> tuple[date, date] | None:
    """The first and the last day of a year, a month or a day; None for what is none."""
    found = _SOLID.fullmatch(text) or _SIGNED.fullmatch(text)
    if not found:
        return None
    year, month, day = (int(part) if part else 0 for part in found.groups())
    try:
        if not found[2]:
            return date(year, 1, 1), date(year, 12, 31)
        if not found[3]:
            return date(year, month, 1), date(year, month, monthrange(year, month)[1])
        return date(year, month, day), date(year, month, day)
    except ValueError:  # month 13, 30 February
        return None


@dataclass(frozen=True, slots=True)
class Days:
    """A range of days; None is an open end, and one end is not open."""

    first: date | None
    last: date | None
    is_backwards: bool = False
    """Whether it was written with its end first."""

    @property
    def is_years(self) -> bool:
        """Whether it is of whole years."""
        starts = self.first is None or (self.first.month, self.first.day) == (1, 1)
        return starts and (self.last is None or (self.last.month, self.last.day) == (12, 31))


def read_days(text: str) -> Days | None:
    """Read a date or a range of dates; None where the text is neither."""
    for ends in _read_ends(fold(text), _read_day):
        low, high = _read_day(ends.low), _read_day(ends.high)
        if (ends.low and not low) or (ends.high and not high) or not (low or high):
            continue
        first = (low[1] + timedelta(1) if ends.after else low[0]) if low else None
        last = (high[0] - timedelta(1) if ends.before else high[1]) if high else None
        if low and high and first and last and first > last:
            return Days(min(low[0], high[0]), max(low[1], high[1]), is_backwards=True)
        return Days(first, last)
    return None


def read_year_range(text: str) -> tuple[Node, str] | None:
    """Read years, or dates where months or days are written; with what is odd about them."""
    days = read_days(text)
    if days is None:
        return None
    oddity = BACKWARDS if days.is_backwards else ""
    if days.is_years:
        first, last = (day.year if day else None for day in (days.first, days.last))
        return Range("year", first, last), oddity
    return _date_range(days), oddity


def read_date_range(text: str) -> tuple[Node, str] | None:
    """Read dates; with what is odd about them."""
    days = read_days(text)
    return (_date_range(days), BACKWARDS if days.is_backwards else "") if days else None


def _date_range(days: Days) -> DateRange:
    low = high = None
    if first := days.first:
        low = first.isoformat()[: 4 if (first.month, first.day) == (1, 1) else 7 if first.day == 1 else 10]
    if last := days.last:
        ends_month = last.day == monthrange(last.year, last.month)[1]
        high = last.isoformat()[: 4 if ends_month and last.month == 12 else 7 if ends_month else 10]
    return DateRange(low, high)


# ---------------------------------------------------------------------------------------------------- numbers


def _read_number(text: str) -> int | None:
    return int(text.replace(",", "")) if _NUMBER.fullmatch(text) else None


def read_number_range(field: str, text: str) -> tuple[Node, str] | None:
    """Read whole numbers; with what is odd about them."""
    for ends in _read_ends(fold(text), lambda end: _read_number(end) is not None):
        low, high = _read_number(ends.low), _read_number(ends.high)
        if (ends.low and low is None) or (ends.high and high is None) or (low is None and high is None):
            continue
        if low is not None and high is not None and low > high:
            return Range(field, high, low), BACKWARDS
        first = low + ends.after if low is not None else None
        last = high - ends.before if high is not None else None
        return Range(field, first, last), ""
    return None
