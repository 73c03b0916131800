"""What a source's claim is when the source makes it again."""

from __future__ import annotations

from dataclasses import replace

from octavo.records.dates import PartialDate
from octavo.records.paper import Record, Version


def succeeded(old: Record, new: Record) -> Record:
    """The claim that holds: the newer one, but for what only the older one can know.

    An older version that comes after a newer one adds its date to the list of versions and changes nothing else
    (pitfall B02). A replacement in a feed has no day of the paper's own announcement: that stays (pitfall G01).
    """
    if not (old.versions or old.announced_on):
        return new
    holds = old if new.versions and _latest(new) < _latest(old) else new
    dates: dict[int, PartialDate | None] = {}
    for version in (*holds.versions, *old.versions, *new.versions):
        dates[version.number] = dates.get(version.number) or version.on
    return replace(
        holds,
        versions=tuple(Version(number, dates[number]) for number in sorted(dates)),
        announced_on=min(filter(None, (old.announced_on, new.announced_on)), default=None),
        submitted_on=holds.submitted_on or old.submitted_on,
    )


def _latest(record: Record) -> int:
    return max((version.number for version in record.versions), default=0)
