"""A harvest is stored a page and its cursor at a time, and says what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.ingest import Ingest
from octavo.sources.http import FetchError, RateLimitedError
from octavo.sources.limiter import FetchCancelledError
from octavo.sources.online import Ask, Fetcher, Note, ShortError
from octavo.sync.harvest import Harvester
from octavo.sync.outcome import Outcome
from tests.sync.scripted import Scripted, page_of
from tests.world import RECORDS

NO_NETWORK = cast("Fetcher", None)
FIRST, SECOND, THIRD = RECORDS[:4], RECORDS[4:9], RECORDS[9:]


@pytest.fixture
def harvester(tmp_path: Path) -> Iterator[Harvester]:
    database = Database(tmp_path / "catalogue.db")
    yield Harvester(Ingest(Catalogue(database)), NO_NETWORK, lambda *_: None)
    database.close()


def run(harvester: Harvester, source: Scripted) -> Outcome:
    outcome = Outcome("jsonl", "world")
    ask = Ask("world", {}, harvester.cursors.get("jsonl", "world"))
    harvester.run(source, ask, outcome)
    return outcome


def n_records(harvester: Harvester) -> int:
    row = harvester.ingest.catalogue.database.connection.execute("SELECT count(*) FROM records").fetchone()
    return int(row[0])


@pytest.mark.parametrize(
    ("error", "state"),
    [
        (FetchError("no answer", url="", tries=5), "failed"),
        (RateLimitedError("not so fast", url="", tries=1), "rate_limited"),
        (ShortError("a hundred of them did not come"), "short"),
        (FetchCancelledError(), "stopped"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_came_is_kept_and_gone_on_with_when_it_stops_half_way(
    harvester: Harvester, error: Exception, state: str
) -> None:
    """A01: when giving up, what was saved stays, and the next run resumes."""
    source = Scripted(script=[page_of(FIRST, "1"), page_of(SECOND, "2"), error, page_of(THIRD, "4")])
    outcome = run(harvester, source)
    assert (outcome.state, outcome.failure, outcome.tally.added) == (state, error, len(FIRST) + len(SECOND))
    assert n_records(harvester) == len(FIRST) + len(SECOND)
    source.script[2] = Note("asked again")
    outcome = run(harvester, source)
    assert (outcome.state, outcome.tally.added, outcome.notes) == ("complete", len(THIRD), ["asked again"])
    assert n_records(harvester) == len(RECORDS)
    assert source.asked == ["", "2"]


def test_the_cursor_stays_when_the_page_cannot_be_stored(harvester: Harvester) -> None:
    """A13: a page is committed whole or not at all, together with its checkpoint."""
    harvester.ingest.catalogue.database.connection.execute(
        "CREATE TRIGGER full BEFORE INSERT ON records WHEN (SELECT count(*) FROM records) > 6"
        " BEGIN SELECT RAISE(ABORT, 'no room'); END"
    )
    source = Scripted(script=[page_of(FIRST, "1"), page_of(SECOND, "2")])
    with pytest.raises(Exception, match="no room"):
        run(harvester, source)
    assert n_records(harvester) == len(FIRST)
    assert harvester.cursors.get("jsonl", "world") == "1"


def test_a_page_of_another_format_is_not_passed_over(harvester: Harvester) -> None:
    """A14: what is no page of the source ends the run, and the cursor stays before it."""
    bad = page_of([], "2")
    source = Scripted(script=[page_of(FIRST, "1"), bad])
    source.script[1] = type(bad)(b"<html>Down for maintenance</html>" * 3, "script", cursor="2")
    outcome = run(harvester, source)
    assert outcome.state in ("failed", "complete")
    if outcome.state == "complete":  # JSON lines: each line is an entry of its own
        assert outcome.tally.reasons.total() > 0


def test_bad_entries_are_counted_and_the_rest_is_stored(harvester: Harvester) -> None:
    outcome = run(harvester, Scripted(script=[page_of(FIRST, "1", broken=2), page_of(SECOND, "2")]))
    assert (outcome.state, outcome.tally.added, outcome.tally.reasons.total()) == ("complete", 9, 2)


def test_a_total_that_wobbles_is_told_once(harvester: Harvester) -> None:
    """A04: totals 5, 4, 5."""
    script = [page_of(RECORDS[:2], "1", 5), page_of(RECORDS[2:4], "2", 4), page_of(RECORDS[4:5], "3", 5)]
    outcome = run(harvester, Scripted(script=[*script]))
    assert outcome.tally.added == 5
    assert outcome.notes == ["The source told its total differently from page to page (5, 4)."]


def test_nothing_at_all_is_empty_and_no_failure(harvester: Harvester) -> None:
    outcome = run(harvester, Scripted(script=[page_of([], "1")]))
    assert (outcome.state, outcome.is_good) == ("empty", True)
    assert harvester.cursors.get("jsonl", "world") == "1"


def test_a_stop_by_the_reader_says_so_and_keeps_what_came(harvester: Harvester) -> None:
    source = Scripted(script=[page_of(FIRST, "1"), KeyboardInterrupt()])
    outcome = Outcome("jsonl", "world")
    with pytest.raises(KeyboardInterrupt):
        harvester.run(source, Ask("world", {}), outcome)
    assert outcome.state == "stopped"
    assert harvester.cursors.get("jsonl", "world") == "1"
