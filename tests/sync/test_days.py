"""arXiv's announcement days, against a made-up arXiv that moves from day to day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.batches import Batches
from octavo.filling import Filler
from octavo.index.meaning import Meaning
from octavo.index.text import TextIndex
from octavo.ingest.adding import Workers
from octavo.settings import load_settings
from octavo.sync.outcome import Outcome
from octavo.sync.syncer import Syncer, jobs_of
from tests.sources.oai_world import World, WorldServer
from tests.sources.server import FakeClock

MORNING = timedelta(hours=11)  # in UTC: six or seven o'clock Eastern, long after the feeds were built


class AwkwardServer(WorldServer):
    """A made-up arXiv whose feeds may be empty or cut, or which may be down."""

    empty = False
    lacking = 0
    """How many entries each feed leaves out."""
    down = False

    def answer(self, path: str) -> tuple[int, bytes, str]:
        """What it says now."""
        if self.down:
            return 503, b"<html><body>Down for maintenance</body></html>", "text/html"
        status, body, media_type = super().answer(path)
        if path.startswith("/atom/") and (self.empty or self.lacking):
            entries = re.findall(rb"<entry>.*?</entry>", body, re.DOTALL)
            for entry in entries if self.empty else entries[-self.lacking :]:
                body = body.replace(entry, b"")
        return status, body, media_type


@dataclass
class Reader:
    """One who syncs a home with a made-up arXiv."""

    home: Path
    server: AwkwardServer
    clock: FakeClock
    catalogue: Catalogue
    categories: tuple[str, ...] = ("cs.LG",)
    first_day: date = date.max
    since: str = ""

    def on(self, day: date | str) -> Reader:
        """Let it be the morning of a day; arXiv announces on weekdays."""
        day = date.fromisoformat(day) if isinstance(day, str) else day
        self.clock.set(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() + MORNING.total_seconds())
        while day.weekday() > 4:
            day -= timedelta(days=1)
        self.server.world.today = day
        self.first_day = min(self.first_day, day)
        return self

    def sync(self) -> list[Outcome]:
        """Do all, due or not."""
        quoted = ", ".join(f'"{name}"' for name in self.categories)
        addresses = "\n".join(f'{role}_address = "{url}"' for role, url in self.server.addresses.items())
        (self.home / "octavo.toml").write_text(
            f'[network]\nallow_private = ["127.0.0.1"]\n[arxiv]\ncategories = [{quoted}]\n{addresses}\n'
            + (f"since = {self.since}\n" if self.since else "")
        )
        settings = load_settings(self.home, {})
        filler = Filler(
            self.catalogue,
            TextIndex(self.home / "index"),
            Meaning(self.home / "vectors", None),
            Workers(0, lambda paper: paper),
        )
        syncer = Syncer(filler, settings, self.home, lambda *_: None, clock=self.clock)
        return list(syncer.run(jobs_of(settings)))

    def stored_keys(self) -> set[str]:
        """The papers that are there, by their arXiv ids."""
        rows = self.catalogue.database.connection.execute("SELECT DISTINCT key FROM records")
        return {row[0] for row in rows}

    def expected_keys(self) -> set[str]:
        """The papers that must be there by then: all whose records changed since the first sync's first day."""
        since = self.first_day - timedelta(days=30)
        world = self.server.world
        found = (paper for _, paper in world.listed(since.isoformat(), set_name="cs:cs:LG"))
        return {paper.id for paper in found if not paper.is_deleted(world.today)}

    def days(self, outcome: Outcome) -> dict[str, str]:
        """The states of the days."""
        return {batch.day: batch.state for batch in outcome.batches}

    def told(self, day: date, kind: str = "new", want: str = "cs.LG") -> set[str]:
        """What is told of a day."""
        rows = self.catalogue.database.connection.execute(
            "SELECT key FROM announced WHERE want = ? AND day = ? AND kind = ?", (want, day.isoformat(), kind)
        )
        return {row[0] for row in rows}


@contextmanager
def reading(home: Path, world: World, page: int = 50) -> Iterator[Reader]:
    database = Database(home / "catalogue.db")
    try:
        with AwkwardServer(world, page=page) as server:
            yield Reader(home, server, FakeClock(), Catalogue(database))
    finally:
        database.close()


def wanted(world: World, day: date, *kinds: str, category: str = "cs.LG") -> set[str]:
    return {paper.id for kind, paper in world.announced(category, day) if kind in kinds}


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    with reading(tmp_path, World(n=600, days=20)) as made:
        yield made


def test_a_morning_brings_the_days_papers_each_once(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    (outcome,) = reader.on(days[4]).sync()
    assert outcome.state == "complete"
    assert reader.days(outcome)[days[4].isoformat()] == "complete"
    assert reader.told(days[4]) == wanted(reader.server.world, days[4], "new")
    assert reader.told(days[4], "cross") == wanted(reader.server.world, days[4], "cross")
    assert reader.stored_keys() == reader.expected_keys()
    (outcome,) = reader.sync()  # the same again
    assert (outcome.state, outcome.tally.added, outcome.tally.new_papers) == ("complete", 0, 0)
    assert reader.days(outcome) == {days[4].isoformat(): "complete"}


def test_each_missed_day_is_filled_in_after_ten_days(reader: Reader) -> None:
    world = reader.server.world
    days = world.announcement_days()
    reader.on(days[2]).sync()
    (outcome,) = reader.on(days[12]).sync()
    assert outcome.state == "complete"
    assert reader.days(outcome) == {day.isoformat(): "complete" for day in days[3:13]}
    lasting = {paper.id for paper in world.papers if not paper.is_deleted(world.today)}
    # When a record was edited a day after, nothing tells on which of the two days it was announced.
    unsure = {paper.id for paper in world.papers if paper.edited and paper.edited <= world.today}
    for kind in ("new", "cross"):
        for day in days[3:13]:
            assert reader.told(day, kind) - unsure == (wanted(world, day, kind) & lasting) - unsure, day
        told = [paper for day in days[3:13] for paper in sorted(reader.told(day, kind))]
        assert sorted(told) == sorted(set().union(*(wanted(world, day, kind) for day in days[3:13])) & lasting)
    assert reader.stored_keys() == reader.expected_keys()
    filled = [batch for batch in outcome.batches if "Filled in from OAI-PMH." in batch.notes]
    assert [batch.day for batch in filled] == [day.isoformat() for day in days[3:12]]


def test_a_stale_feed_is_told_and_mended(reader: Reader) -> None:
    """A11: yesterday's items under today's date, on a weekday."""
    world = reader.server.world
    days = world.announcement_days()
    reader.on(days[7]).sync()
    reader.server.stale = {"cs.LG"}
    (outcome,) = reader.on(days[8]).sync()
    assert outcome.state == "stale"
    assert not outcome.is_good
    assert reader.days(outcome) == {days[8].isoformat(): "stale"}
    (note,) = outcome.batches[0].notes
    assert str(days[7]) in note
    assert "from OAI-PMH" in note
    assert reader.told(days[8]) == wanted(world, days[8], "new")  # every paper is there all the same, once
    assert reader.stored_keys() == reader.expected_keys()
    reader.server.stale = set()
    (outcome,) = reader.sync()
    assert reader.days(outcome) == {days[8].isoformat(): "complete"}
    assert outcome.state == "complete"
    assert reader.told(days[8]) == wanted(world, days[8], "new")


def test_a_stale_day_is_complete_on_the_next_day_by_the_other_way(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    reader.on(days[7]).sync()
    reader.server.stale = {"cs.LG"}
    reader.on(days[8]).sync()
    reader.server.stale = set()
    (outcome,) = reader.on(days[9]).sync()
    assert reader.days(outcome) == {days[8].isoformat(): "complete", days[9].isoformat(): "complete"}


def test_one_stale_category_does_not_spoil_the_other(reader: Reader) -> None:
    reader.categories = ("cs.LG", "stat.ML")
    days = reader.server.world.announcement_days()
    reader.on(days[7]).sync()
    reader.server.stale = {"stat.ML"}
    states = {outcome.want: outcome.state for outcome in reader.on(days[8]).sync()}
    assert states == {"cs.LG": "complete", "stat.ML": "stale"}


def test_a_paper_in_two_categories_is_one_line(reader: Reader) -> None:
    """G01: new in one feed and cross-listed in another."""
    reader.categories = ("cs.LG", "stat.ML")
    day = reader.server.world.announcement_days()[5]
    reader.on(day).sync()
    found = Batches(reader.catalogue.database).announced_on("arxiv", day.isoformat())
    assert len({one.key for one in found}) == len(found)
    both = [one for one in found if {"cs.LG", "stat.ML"} <= set(one.categories)]
    assert both
    assert {one.kind for one in both} <= {"new", "replace"}


def test_a_replaced_paper_is_no_news(reader: Reader) -> None:
    """G01, second day; and A07: a bulk edit of an old paper is not new today."""
    world = reader.server.world
    days = world.announcement_days()
    for day in days[3:8]:
        reader.on(day).sync()
    for day in days[3:8]:
        assert reader.told(day) == wanted(world, day, "new"), day
        assert reader.told(day, "replace") >= wanted(world, day, "replace"), day
    old = {paper.id for paper in world.papers if paper.submitted.year == 1999}
    assert not old & set().union(*(reader.told(day) for day in days))
    assert old & reader.stored_keys()


def test_a_weekend_has_no_announcement_and_no_alarm(reader: Reader) -> None:
    """A12."""
    days = reader.server.world.announcement_days()
    friday = next(day for day in days[5:] if day.weekday() == 4)
    reader.on(friday).sync()
    reader.server.empty = True
    (outcome,) = reader.on(friday + timedelta(days=1)).sync()
    assert outcome.is_good
    assert reader.days(outcome)[(friday + timedelta(days=1)).isoformat()] == "empty"
    assert any("No announcement" in note for batch in outcome.batches for note in batch.notes)


def test_friday_is_filled_in_on_saturday(reader: Reader) -> None:
    """G05, in spirit: what was announced is not lost because nobody looked on the day."""
    world = reader.server.world
    days = world.announcement_days()
    friday = next(day for day in days[5:] if day.weekday() == 4)
    reader.on(friday - timedelta(days=1)).sync()
    reader.server.empty = True
    (outcome,) = reader.on(friday + timedelta(days=1)).sync()
    assert reader.days(outcome)[friday.isoformat()] == "complete"
    assert reader.told(friday) == wanted(world, friday, "new")


def test_a_holiday_is_empty_when_nothing_was_announced_anywhere(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    reader.on(days[-1]).sync()
    holiday = days[-1] + timedelta(days=1 if days[-1].weekday() < 4 else 3)
    reader.server.empty = True
    (outcome,) = reader.on(holiday).sync()
    assert reader.days(outcome) == {holiday.isoformat(): "empty"}
    assert outcome.is_good


def test_days_of_an_outage_are_not_taken_for_holidays(reader: Reader) -> None:
    """A11 at large: feed and OAI-PMH both stand still, and go on some days later."""
    world = reader.server.world
    days = world.announcement_days()
    reader.on(days[5]).sync()
    stuck = days[5]
    reader.on(days[8])
    world.today = stuck
    (outcome,) = reader.sync()
    assert reader.days(outcome) == {day.isoformat(): "stale" for day in days[6:9]}
    (outcome,) = reader.on(days[9]).sync()
    assert reader.days(outcome) == {day.isoformat(): "complete" for day in days[6:10]}
    unsure = {paper.id for paper in world.papers if paper.edited and paper.edited <= world.today}
    lasting = {paper.id for paper in world.papers if not paper.is_deleted(world.today)}
    for day in days[6:10]:
        assert reader.told(day) - unsure == (wanted(world, day, "new") & lasting) - unsure, day


def test_older_papers_that_come_later_are_not_todays(reader: Reader) -> None:
    """A wider `since` brings papers that were announced before; the day of the feed stays as it is."""
    world = reader.server.world
    days = world.announcement_days()
    reader.on(days[8]).sync()
    reader.since = '"all"'
    with reader.catalogue.database.write():
        reader.catalogue.database.connection.execute("DELETE FROM cursors")
    (outcome,) = reader.sync()
    assert reader.days(outcome) == {days[8].isoformat(): "complete"}
    assert reader.told(days[8]) == wanted(world, days[8], "new")


def test_an_empty_feed_on_a_day_with_papers_is_short(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    reader.on(days[6]).sync()
    reader.server.empty = True
    (outcome,) = reader.on(days[7]).sync()
    assert reader.days(outcome) == {days[7].isoformat(): "short"}
    assert reader.told(days[7]) == wanted(reader.server.world, days[7], "new")


def test_a_feed_that_lacks_papers_is_short(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    reader.on(days[6]).sync()
    reader.server.lacking = 3
    (outcome,) = reader.on(days[7]).sync()
    assert reader.days(outcome) == {days[7].isoformat(): "short"}
    assert "3 of its papers were taken from OAI-PMH" in outcome.batches[0].notes[0]
    assert reader.told(days[7]) == wanted(reader.server.world, days[7], "new")


def test_an_expired_token_loses_and_doubles_nothing(reader: Reader) -> None:
    """A06."""
    reader.server.refused[3] = 1
    (outcome,) = reader.on(reader.server.world.announcement_days()[-1]).sync()
    assert outcome.state == "complete"
    assert reader.stored_keys() == reader.expected_keys()


def test_a_deleted_paper_is_gone_and_the_rest_stays(reader: Reader) -> None:
    """A08."""
    world = reader.server.world
    gone = next(paper for paper in world.papers if paper.deleted and "cs.LG" in paper.categories)
    assert gone.deleted
    reader.on(gone.announced).sync()
    assert gone.id in reader.stored_keys()
    (outcome,) = reader.on(gone.deleted).sync()
    assert outcome.tally.deleted > 0
    rows = reader.catalogue.database.connection.execute("SELECT key FROM records WHERE source = 'arxiv'").fetchall()
    assert gone.id not in {row[0] for row in rows}


def test_a_server_that_is_down_is_failed_and_gone_on_with(reader: Reader) -> None:
    days = reader.server.world.announcement_days()
    reader.on(days[6]).sync()
    reader.server.down = True
    (outcome,) = reader.on(days[7]).sync()
    assert outcome.state == "failed"
    assert outcome.failure
    assert reader.days(outcome) == {days[7].isoformat(): "failed"}
    reader.server.down = False
    (outcome,) = reader.on(days[8]).sync()
    assert reader.days(outcome) == {days[7].isoformat(): "complete", days[8].isoformat(): "complete"}
    assert reader.stored_keys() == reader.expected_keys()
