"""arXiv, an announcement day at a time: what a feed has, what OAI-PMH has, and whether that is all.

A feed tells a day's papers apart (new, cross-listed, replaced) but may be a day old, cut or empty, and says so in
nothing. OAI-PMH has every change of the last days, whenever one asks, but tells them apart by their dates only. Each
is the other's check: a day is `complete` when the feed is of that day and OAI-PMH knows no paper of it that the feed
lacks. Missed days are filled in from OAI-PMH.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from octavo.catalogue.batches import FEED, GOOD, OAI, Announced, Batch
from octavo.errors import SourceError
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_changes import Change, changes_of
from octavo.sources.arxiv_feed import FeedStatus, announcements, feed_status
from octavo.sources.base import Page
from octavo.sources.online import Ask
from octavo.sync.calendar import EASTERN, FEEDS_READY, days_between, is_announcement_day, latest_day, possible_days
from octavo.sync.harvest import Harvester
from octavo.sync.outcome import Outcome, state_of, worst

FIRST_DAYS = timedelta(days=30)
"""How far back the days are told that lie before the first sync."""


HELD_BACK = timedelta(days=60)
"""How long a submission may have waited for its announcement; what is older and comes for the first time is one whose
record was edited."""


@dataclass(slots=True)
class _Feed:
    """What came of asking for a feed."""

    status: FeedStatus | None = None
    day: date | None = None
    error: SourceError | None = None

    def is_of(self, day: date) -> bool:
        """Whether it was made for that day, be there something in it or not."""
        made = self.status.built_on if self.status else None
        return made is not None and date.fromisoformat(made) >= day and (self.day is None or self.day >= day)


class AnnouncementDays:
    """Brings one category of arXiv up to date."""

    def __init__(self, source: ArxivSource, harvester: Harvester, now: datetime, mark: int) -> None:
        """`now` is aware; the day that is expected follows from it. `mark` is the last record's key before the sync."""
        self._source = source
        self._harvester = harvester
        self._batches = harvester.batches
        self._mark = mark
        self._expected = latest_day(now)
        self._today = (now.astimezone(EASTERN) - FEEDS_READY).date()
        self._first_open = self._expected
        self._has_history = False
        self._feed_day: date | None = None

    def run(self, ask: Ask, outcome: Outcome) -> None:
        """Fetch the feed and all changes, and judge each day that is open.

        Raises:
            StorageError: the catalogue can't be written.
            KeyboardInterrupt: stopped; `outcome` says so.
        """
        feed = self._fetch_feed(ask, outcome)
        self._feed_day = feed.day
        if feed.day and feed.day > self._expected:
            outcome.notes.append(f"The feed is of {feed.day}, which this machine's clock has not reached.")
            self._expected = self._today = feed.day
        days = self._open_days(ask)
        self._first_open = days[0]
        self._harvester.run(self._source, ask, outcome, beside=lambda page: self._note_changes(ask.want, page))
        harvested = outcome.state
        for day in days:
            outcome.batches.append(self._judge(day, ask.want, feed, harvested))
        if feed.status and not feed.status.n_entries and not is_announcement_day(self._today):
            note = f"No announcement: it is {self._today:%A}."
            outcome.batches.append(self._batch(ask.want, self._today, "empty", note))
        if feed.error:
            outcome.end(state_of(feed.error), feed.error)
        if harvested in GOOD and not feed.error:
            outcome.state = worst(batch.state for batch in outcome.batches) if outcome.batches else harvested
            if outcome.state == "empty" and harvested == "complete":
                outcome.state = harvested

    # -- fetching ----------------------------------------------------------------------------------------------------

    def _fetch_feed(self, ask: Ask, outcome: Outcome) -> _Feed:
        try:
            page = self._source.fetch_feed(ask.want, ask, self._harvester.fetcher)
            status = feed_status(page)
        except SourceError as error:
            return _Feed(error=error)
        except KeyboardInterrupt:
            outcome.end("stopped")
            raise
        self._harvester.store(self._source, ask.want, page, outcome, beside=lambda one: self._note_feed(ask.want, one))
        return _Feed(status, date.fromisoformat(status.day) if status.day else None)

    def _note_feed(self, want: str, page: Page) -> None:
        found = announcements(page)
        self._batches.announce(
            self._source.info.name,
            want,
            (
                Announced(str(one.day), one.identifier.value, one.kind, one.categories, one.version, FEED)
                for one in found
                if one.day
            ),
        )

    def _note_changes(self, want: str, page: Page) -> None:
        """Conclude from the dates of what was changed what of it was announced, and on which day."""
        name = self._source.info.name
        changes = [change for change in changes_of(page) if not change.is_deleted]
        keys = [change.identifier.value for change in changes]
        told = self._batches.first_announced(name, want, keys)
        stored = self._harvester.ingest.catalogue.find_records_before(name, keys, self._mark)
        self._batches.announce(
            name,
            want,
            (
                Announced(day.isoformat(), change.identifier.value, kind, change.categories, None, OAI)
                for change in changes
                for day, kind in self._conclude(
                    change,
                    want,
                    was_told=change.identifier.value in told,
                    was_stored=change.identifier.value in stored,
                )
            ),
        )

    def _conclude(self, change: Change, want: str, *, was_told: bool, was_stored: bool) -> Iterator[tuple[date, str]]:
        """The announcements of a paper that its dates imply, as (day, kind).

        OAI-PMH dates a record by its last change of any kind (pitfall A07), so the day follows from when a version was
        submitted, and from the datestamp only where the two agree. What was announced before the first open day was
        told then, or is older than the first sync; a paper that was not stored then was held back until now.
        """
        stamp = date.fromisoformat(change.day)
        side = "" if _is_own(change, want) else "cross"
        if change.created and not was_told:
            submitted = date.fromisoformat(change.created)
            # The stamp of a revised paper is that of its revision.
            day = min(possible_days(submitted)) if change.is_revised else self._day_of(stamp, submitted)
            if day >= self._first_open:
                yield day, side or "new"
            elif self._has_history and not was_stored and not change.is_revised and day > stamp - HELD_BACK:
                yield min(stamp, self._expected), side or "new"
        if change.is_revised and change.updated:
            day = self._day_of(stamp, date.fromisoformat(change.updated))
            if day >= self._first_open:
                yield day, f"replace-{side}" if side else "replace"

    def _day_of(self, stamp: date, submitted: date) -> date:
        """When what was submitted on a day was announced, for a record that was last changed at `stamp`."""
        possible = possible_days(submitted)
        earliest = min(possible)
        if stamp not in possible:
            return min(earliest, self._expected)
        if stamp == self._feed_day and (self._first_open <= earliest or not self._has_history):
            return earliest  # the feed of the later day, which was read before, would have it
        return stamp

    # -- judging -----------------------------------------------------------------------------------------------------

    def _open_days(self, ask: Ask) -> list[date]:
        """The days that are to be judged, the expected one among them, the earliest first."""
        name, want = self._source.info.name, ask.want
        last = self._batches.last_good_day(name, want)
        self._has_history = bool(last)
        first = date.fromisoformat(last) + timedelta(days=1) if last else self._expected - FIRST_DAYS
        if not last and ask.since:
            first = max(first, ask.since)
        days = set(days_between(first, self._expected)) | {self._expected}
        days |= {date.fromisoformat(day) for day in self._batches.days_to_mend(name, want)}
        return sorted(day for day in days if day <= self._expected)

    def _judge(self, day: date, want: str, feed: _Feed, harvested: str) -> Batch:
        if day == self._today:
            return self._judge_today(day, want, feed, harvested)
        n_announced = sum(self._count(want, day).values())
        if harvested not in GOOD:
            note = f"It could not be filled in from OAI-PMH, which ended as {harvested}; the next sync goes on."
            return self._batch(want, day, harvested, note)
        if not n_announced:
            later = self._batches.is_any_announced_after(self._source.info.name, want, day.isoformat())
            if later or feed.is_of(self._expected):
                return self._batch(want, day, "empty", "Nothing was announced.")
            note = "Neither the feed nor OAI-PMH has anything of that day or after it: they may be behind."
            return self._batch(want, day, "stale", note)
        if not self._batches.told_by_oai_only(self._source.info.name, want, day.isoformat()):
            return self._batch(want, day, "complete")
        return self._batch(want, day, "complete", "Filled in from OAI-PMH.")

    def _judge_today(self, day: date, want: str, feed: _Feed, harvested: str) -> Batch:
        lacking = len(self._batches.told_by_oai_only(self._source.info.name, want, day.isoformat()))
        checked = harvested in GOOD
        taken = (
            f"{lacking:,} of its papers were taken from OAI-PMH" if lacking else "OAI-PMH has none of its papers yet"
        )
        if not checked:
            taken = f"OAI-PMH could not be asked in its place ({harvested})"
        again = "the next sync asks for the feed again"
        if feed.status is None:
            return self._batch(want, day, state_of(feed.error or SourceError()), f"The feed failed: {taken}; {again}.")
        if feed.day is not None and feed.day < day:
            note = f"The feed still has the papers of {feed.day}: {taken}; {again}."
            return self._batch(want, day, "stale", note)
        if not feed.status.n_entries:
            if feed.status.built_on and date.fromisoformat(feed.status.built_on) < day:
                note = f"The feed is empty, and was made on {feed.status.built_on}: {taken}; {again}."
                return self._batch(want, day, "stale", note)
            if lacking:
                return self._batch(want, day, "short", f"The feed was empty: {taken}.")
            note = "Nothing was announced." if checked else f"The feed was empty, and {taken}."
            return self._batch(want, day, "empty" if checked else harvested, note)
        if lacking:
            return self._batch(want, day, "short", f"The feed lacked papers: {taken}.")
        note = "" if checked else f"Not compared: {taken}."
        return self._batch(want, day, "complete", note)

    def _count(self, want: str, day: date) -> dict[str, int]:
        return self._batches.count_announced(self._source.info.name, want, day.isoformat())

    def _batch(self, want: str, day: date, state: str, note: str = "") -> Batch:
        notes = (note,) if note else ()
        return Batch(self._source.info.name, want, day.isoformat(), state, self._count(want, day), notes)


def _is_own(change: Change, want: str) -> bool:
    """Whether it is the paper's primary category that was asked for, or the group of it."""
    return bool(change.categories) and (change.categories[0] == want or change.categories[0].startswith(f"{want}."))
