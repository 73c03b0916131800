"""arXiv's announcement feeds, in Atom and RSS: what was announced on a day in a category.

An entry is of one of ANNOUNCE_KINDS, and one paper may be in several feeds of a day: new in its own category, a
cross-list in others. Only a new paper is news; `announcements` tells them apart, and `one_a_paper` joins a day's
feeds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import partial
from typing import Literal

from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.paper import Record, Version
from octavo.sources import entries
from octavo.sources.arxiv_answer import (
    Element,
    Kind,
    child,
    child_text,
    children,
    day_in,
    local_name,
    made_at,
    moment,
    open_answer,
    text_of,
)
from octavo.sources.arxiv_record import categories_of, listed_authors, make_record, versioned_id
from octavo.sources.base import Fault, Page
from octavo.sources.entries import BadEntry, Entry

ANNOUNCE_KINDS = ("new", "cross", "replace", "replace-cross")
"""Why an entry is in a feed, the most telling first: a new paper, an old or new one that is listed in one more
category, a new version, a new version of one that is cross-listed."""

_PREFIX = re.compile(r"\s*arXiv:(\S+)\s+Announce Type:\s*(\S*)\s*(?:Abstract:\s*)?")
_FIELDS = {
    "id": "id", "guid": "id", "link": "link", "title": "title", "summary": "abstract", "description": "abstract",
    "published": "published", "pubDate": "published", "announce_type": "kind", "rights": "license", "doi": "doi",
    "DOI": "doi", "journal_reference": "journal-ref", "journal_ref": "journal-ref",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Announcement:
    """One entry of a feed: that a paper was announced."""

    identifier: Identifier
    version: int | None
    kind: str
    """One of ANNOUNCE_KINDS."""
    day: PartialDate | None
    """The day of the announcement, as arXiv counts days (US Eastern)."""
    categories: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """Whether a feed is of the day on which it was built."""

    built_on: PartialDate | None
    """The day on which arXiv built it, in the zone of its entries' days."""
    day: PartialDate | None
    """The latest day of its entries; None where it has none."""
    n_entries: int
    skip_days: tuple[str, ...]
    """Days of the week on which there is no announcement: `Saturday`."""
    is_skipped: bool
    """Whether it was built on one of those."""

    @property
    def state(self) -> Literal["announced", "stale", "empty"]:
        """`empty`: no announcement, as on a weekend or holiday, which is no fault. `stale`: entries of a day before
        that on which it was built, though one was to be announced: ask again later, and don't move on."""
        if not self.n_entries:
            return "empty"
        if self.day and self.built_on and self.day < self.built_on and not self.is_skipped:
            return "stale"
        return "announced"


def parse_feed(root: Element, page: Page) -> Iterator[Record | Fault]:
    """Yield a Record or a Fault for each entry of a feed that `open_answer` opened."""
    numbered = enumerate(map(_entry, _items(root)), 1)
    made = day_in(made_at(root))
    yield from entries.parse_entries(numbered, page, "entry", "id", partial(_record, seen_on=made))


def announcements(page: Page) -> list[Announcement]:
    """What a feed announces, in order; entries without an arXiv id or of an unknown kind are left out.

    Raises:
        FormatError: no feed of arXiv's.
    """
    found = []
    for entry in map(_entry, _items(open_answer(page, Kind.FEED)[1])):
        try:
            identifier, version = _identifier(entry)
        except BadEntry:
            continue
        if entry["kind"] in ANNOUNCE_KINDS:
            categories = categories_of(entry["categories"])
            found.append(Announcement(identifier, version, entry["kind"], _day(entry), categories))
    return found


def one_a_paper(found: Iterable[Announcement]) -> list[Announcement]:
    """Join the announcements of one paper on one day, as from the feeds of several categories: the most telling
    kind, the latest version, all categories; in the order in which they came."""
    joined: dict[tuple[Identifier, PartialDate | None], Announcement] = {}
    for one in found:
        name = (one.identifier, one.day)
        other = joined.setdefault(name, one)
        if other is not one:
            joined[name] = Announcement(
                one.identifier,
                max(other.version or 0, one.version or 0) or None,
                min(other.kind, one.kind, key=ANNOUNCE_KINDS.index),
                one.day,
                tuple(dict.fromkeys(other.categories + one.categories)),
            )
    return list(joined.values())


def feed_status(page: Page) -> FeedStatus:
    """Whether a feed is of the day on which it was built, or empty.

    Raises:
        FormatError: no feed of arXiv's.
    """
    root = open_answer(page, Kind.FEED)[1]
    items = list(_items(root))
    times = [time for item in items if (time := moment(_entry(item)["published"])) is not None]
    newest = max(times, default=None)
    channel = child(root, "channel")
    skipped = child(channel, "skipDays") if channel is not None else None
    skip_days = tuple(text_of(day).strip() for day in children(skipped, "day")) if skipped is not None else ()
    built = _built(root, newest)
    built_on = day_in(built)
    return FeedStatus(
        built_on=built_on,
        day=day_in(newest),
        n_entries=len(items),
        skip_days=skip_days,
        is_skipped=built_on is not None and built is not None and _WEEKDAYS[built.weekday()] in skip_days,
    )


_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _built(root: Element, newest: datetime | None) -> datetime | None:
    """When the feed was built, in arXiv's own zone as far as the feed shows it: midnight in UTC is the evening of
    the day before there."""
    built = made_at(root)
    zone: tzinfo | None = newest.tzinfo if newest else None
    channel = child(root, "channel")
    if zone is None and channel is not None and (published := moment(child_text(channel, "pubDate"))):
        zone = published.tzinfo
    try:
        return built.astimezone(zone) if built and zone else built
    except OverflowError:
        return built


def _items(root: Element) -> Iterator[Element]:
    channel = child(root, "channel")
    return children(root, "entry") if channel is None else children(channel, "item")


def _entry(element: Element) -> Entry:
    entry: Entry = {"id": "", "link": "", "published": "", "kind": "", "abstract": ""}
    creators: list[str] = []
    categories: list[str] = []
    for part in element:
        name = local_name(part)
        if name == "creator":
            creators.append(text_of(part))
        elif name == "category":
            categories.append((part.get("term") or text_of(part)).strip())
        elif name in _FIELDS and (text := text_of(part).strip() or part.get("href")):
            entry[_FIELDS[name]] = text
    found = _PREFIX.match(entry["abstract"])
    if found:
        entry["abstract"] = entry["abstract"][found.end() :]
        entry["kind"] = entry["kind"] or found[2]
    entry.update(creators=creators, categories=categories, said=found[1] if found else "")
    return entry


def _identifier(entry: Entry) -> tuple[Identifier, int | None]:
    """By the entry's id, else by its link; the version may stand in the text only."""
    identifier, version = versioned_id(entries.line(entry, "id") or entries.line(entry, "link"))
    if version is None and entry["said"]:
        try:
            other, said = versioned_id(entry["said"])
        except BadEntry:
            return identifier, None
        version = said if other == identifier else None
    return identifier, version


def _day(entry: Entry) -> PartialDate | None:
    return day_in(moment(entry["published"]))


def _record(entry: Entry, seen_on: PartialDate | None) -> Record:
    identifier, version = _identifier(entry)
    # A replacement's day, and that of a later version's cross-list, is not that of the paper's own announcement.
    first = entry["kind"] == "new" or (entry["kind"] == "cross" and version in (None, 1))
    return make_record(
        entry,
        identifier,
        listed_authors(entry["creators"]),
        versions=(Version(version),) if version is not None else (),
        announced_on=_day(entry) if first else None,
        seen_on=seen_on,
    )
