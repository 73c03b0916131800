"""What runs did, announcement days, and where the next run goes on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from octavo.catalogue import Database
from octavo.catalogue.batches import FEED, OAI, Announced, Batch, Batches
from octavo.catalogue.cursors import Cursors
from octavo.catalogue.runs import Runs


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    opened = Database(tmp_path / "catalogue.db")
    yield opened
    opened.close()


def logged(database: Database, *batches: Batch) -> int:
    runs = Runs(database)
    run = runs.begin("arxiv", "cs.LG")
    runs.end(run, "complete", {}, (), batches)
    return run


def batch(day: str, state: str) -> Batch:
    return Batch("arxiv", "cs.LG", day, state, {"new": 3}, ("a note",))


def test_a_day_is_open_until_its_newest_batch_is_good(database: Database) -> None:
    batches = Batches(database)
    assert batches.last_good_day("arxiv", "cs.LG") == ""
    logged(database, batch("2031-05-01", "complete"), batch("2031-05-02", "stale"))
    assert batches.last_good_day("arxiv", "cs.LG") == "2031-05-01"
    assert batches.days_to_mend("arxiv", "cs.LG") == ["2031-05-02"]
    logged(database, batch("2031-05-02", "complete"), batch("2031-05-05", "empty"))
    assert batches.last_good_day("arxiv", "cs.LG") == "2031-05-05"
    assert batches.days_to_mend("arxiv", "cs.LG") == []
    assert batches.days_to_mend("arxiv", "stat.ML") == []


def test_the_batches_of_a_run_are_read_as_they_were_put(database: Database) -> None:
    run = logged(database, batch("2031-05-02", "short"), batch("2031-05-01", "complete"))
    found = Batches(database).of_run(run)
    assert [(one.day, one.state, one.counts, tuple(one.notes)) for one in found] == [
        ("2031-05-01", "complete", {"new": 3}, ("a note",)),
        ("2031-05-02", "short", {"new": 3}, ("a note",)),
    ]
    assert Batches(database).latest("arxiv", "cs.LG") == found[0]  # put last


def test_a_paper_is_told_once_a_day_when_it_is_in_two_feeds(database: Database) -> None:
    """G01: new in cs.LG and cross-listed in stat.ML on one day; replaced on the next."""
    batches = Batches(database)
    with database.write():
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-01", "2101.00010", "new", ("cs.LG",), 1, FEED)])
        batches.announce("arxiv", "stat.ML", [Announced("2031-05-01", "2101.00010", "cross", ("stat.ML",), 1, FEED)])
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-02", "2101.00010", "replace", ("cs.LG",), 2, FEED)])
    (paper,) = batches.announced_on("arxiv", "2031-05-01")
    assert (paper.kind, paper.categories, paper.version) == ("new", ("cs.LG", "stat.ML"), 1)
    assert [one.kind for one in batches.announced_on("arxiv", "2031-05-02")] == ["replace"]
    assert batches.first_announced("arxiv", "cs.LG", ["2101.00010", "x"]) == {"2101.00010": "2031-05-01"}


def test_what_the_feed_says_holds_when_the_other_way_concludes_something_else(database: Database) -> None:
    batches = Batches(database)
    with database.write():
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-01", "a", "new", (), None, OAI)])
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-01", "b", "new", (), None, OAI)])
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-01", "a", "cross", (), 1, FEED)])
        batches.announce("arxiv", "cs.LG", [Announced("2031-05-01", "a", "new", (), None, OAI)])
    assert batches.count_announced("arxiv", "cs.LG", "2031-05-01") == {"new": 1, "cross": 1}
    assert batches.told_by_oai_only("arxiv", "cs.LG", "2031-05-01") == ["b"]


def test_a_cursor_goes_with_its_transaction(database: Database) -> None:
    cursors = Cursors(database)
    with suppress(ZeroDivisionError), database.write():
        cursors.put("arxiv", "cs.LG", "half")
        raise ZeroDivisionError
    assert cursors.get("arxiv", "cs.LG") == ""
    with database.write():
        cursors.put("arxiv", "cs.LG", "one")
        cursors.put("arxiv", "cs.LG", "two")
    assert cursors.get("arxiv", "cs.LG") == "two"
    with database.write():
        cursors.drop("arxiv", "cs.LG")
    assert cursors.get("arxiv", "cs.LG") == ""
