"""What an OAI-PMH page of arXiv's says has changed, record by record: for grouping by days and for tombstones.

A datestamp is the day on which arXiv's record changed last, bulk edits among them, and tells nothing of when a paper
was new (pitfall A07): that, `created` and `is_revised` do, as far as the metadata go.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier, arxiv_id
from octavo.sources.arxiv_answer import Element, Kind, child, child_text, children, local_name, open_answer
from octavo.sources.arxiv_oai import list_of
from octavo.sources.arxiv_record import categories_of, day_of
from octavo.sources.base import Page

_VERSION = re.compile(r"v[1-9][0-9]{0,3}")


@dataclass(frozen=True, slots=True)
class Change:
    """One record of a page."""

    identifier: Identifier
    day: PartialDate
    """The record's datestamp."""
    is_deleted: bool = False
    created: PartialDate | None = None
    """When the first version was submitted, as the metadata say; None for deleted records and where they don't."""
    is_revised: bool = False
    """Whether there is a later version."""
    updated: PartialDate | None = None
    """When the latest version was submitted, where there is a later one and the metadata say it."""
    categories: tuple[str, ...] = ()
    """In arXiv's order, the primary one first; none for deleted records."""


def changes_of(page: Page) -> list[Change]:
    """What the page says has changed, in order; records without an arXiv id or a day are left out.

    Raises:
        FormatError: no OAI-PMH.
    """
    root = open_answer(page, Kind.OAI)[1]
    part = list_of(root)
    records = [root] if local_name(root) == "record" else list(children(part, "record")) if part is not None else []
    return [change for record in records if (change := _change(record)) is not None]


def _change(record: Element) -> Change | None:
    header = child(record, "header")
    identifier = arxiv_id(child_text(header, "identifier")) if header is not None else None
    day = _day(header, "datestamp") if header is not None else None
    if header is None or identifier is None or day is None:
        return None
    if header.get("status") == "deleted":
        return Change(identifier, day, is_deleted=True)
    metadata = child(record, "metadata")
    body = next(iter(metadata), None) if metadata is not None else None
    if body is None:
        return Change(identifier, day)
    created, is_revised, updated = _raw_dates(body) if local_name(body) == "arXivRaw" else _dates(body, identifier)
    categories = categories_of(child_text(body, "categories").split())
    return Change(identifier, day, False, created, is_revised, updated, categories)


_Dates = tuple[PartialDate | None, bool, PartialDate | None]


def _raw_dates(body: Element) -> _Dates:
    dates = {name: _day(part, "date") for part in children(body, "version") if (name := part.get("version"))}
    later = [name for name in dates if name != "v1" and _VERSION.fullmatch(name)]
    latest = max(later, key=lambda name: int(name[1:]), default=None)
    return dates.get("v1"), latest is not None, dates[latest] if latest else None


def _dates(body: Element, identifier: Identifier) -> _Dates:
    """Of the format `arXiv`. Since 2025 its `created` is the date of the current version, whichever that is; the id
    has the month in which the paper was new, so that a later one betrays it."""
    created, updated = _day(body, "created"), _day(body, "updated")
    if created is not None and created > _latest_first_day(identifier):
        return None, True, updated or created
    return created, updated is not None, updated


def _day(element: Element, name: str) -> PartialDate | None:
    found = day_of(child_text(element, name))
    return found if found is not None and found.precision == "day" else None


def _latest_first_day(identifier: Identifier) -> str:
    """The last day on which the first version can have been submitted: ids follow the month of the submission."""
    digits = identifier.value.rpartition("/")[2][:4]
    year, month = int(digits[:2]), digits[2:]
    century = 19 if "/" in identifier.value and year > 90 else 20
    return f"{century}{year:02}-{month}-31"
