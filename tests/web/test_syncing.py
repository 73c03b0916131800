"""Bringing the catalogue up to date beside the pages, with a real server on loopback as the source."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.locks import held
from octavo.sync.syncer import LOCK
from octavo.views_sync import SyncView
from octavo.web.syncing import Syncing, is_time, line_of
from tests.sources.server import FakeClock, Reply, Server

LIST = "/data/cotl-2031.json.gz"
HOUR = 3600.0


def tiles(n: int) -> bytes:
    papers = [
        {"bibtex_key": f"quill2031cotl-tile{k}", "title": f"Tile {k} of many", "authors": [{"given": "Ada", "family": "Quill"}],
         "year": "2031", "venue": "cotl", "abstract": "Tiles are laid."}
        for k in range(n)
    ]  # fmt: skip
    return gzip.compress(json.dumps({"venue": "cotl", "year": "2031", "papers": papers}).encode(), mtime=0)


@pytest.fixture
def source() -> Iterator[Server]:
    with Server(FakeClock()) as server:
        yield server


@pytest.fixture
def home(tmp_path: Path, source: Server) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    (home / "octavo.toml").write_text(
        '[network]\nallow_private = ["127.0.0.1"]\nretry_tries = 1\n'
        '[mlanthology]\neditions = ["cotl-2031"]\n'
        f'data_address = "{source.url("/data")}"\nlist_address = "{source.url("/list")}"\n',
        encoding="utf-8",
    )
    return home


def waits_for(condition: Callable[[], bool], clock: FakeClock) -> bool:
    """Whether it comes to be so while another thread sleeps on the clock, which it does ten thousand times at most."""
    return any(condition() or _rest(clock) for _ in range(3_000))


def _rest(_: FakeClock) -> bool:
    import time

    time.sleep(0.01)
    return False


def test_what_is_due_is_done_and_told_in_a_line(home: Path, source: Server) -> None:
    source.plays(Reply(tiles(3)), on=LIST)
    lines: list[str] = []
    clock = FakeClock()
    syncing = Syncing(home, "daily", lines.append, clock)
    syncing.start()
    assert waits_for(lambda: bool(lines), clock)
    assert syncing.stop(30)
    assert lines == ["mlanthology cotl-2031: complete, 3 new papers"]
    with Octavo(home) as octavo:
        assert octavo.search("tile").total == 3
    assert max(clock.slept, default=0) <= 0.5, "it sleeps in slices, so that it can be ended"


def test_a_failure_is_told_and_tried_again_after_an_hour(home: Path, source: Server) -> None:
    source.always = Reply(b"gone", 404)
    lines: list[str] = []
    clock = FakeClock()
    syncing = Syncing(home, "daily", lines.append, clock)
    syncing.look()
    asked = len(source.requests)
    assert asked
    assert len(lines) == 1
    assert lines[0].startswith("mlanthology cotl-2031: failed, nothing new. The ML Anthology has no list cotl-2031.")
    clock.pass_by(600)
    syncing.look()
    assert len(source.requests) == asked
    clock.pass_by(HOUR)
    source.plays(Reply(tiles(2)), on=LIST)
    syncing.look()
    assert lines[1:] == ["mlanthology cotl-2031: complete, 2 new papers"]


def test_another_sync_is_waited_for(home: Path, source: Server) -> None:
    source.plays(Reply(tiles(2)), on=LIST)
    lines: list[str] = []
    syncing = Syncing(home, "hourly", lines.append, FakeClock())
    with held(home / LOCK, "sync"):
        syncing.look()
        syncing.look()
    assert lines == ["Another sync is at work; this one looks again in ten minutes."], "said once"
    syncing.look()
    assert lines[1:] == ["mlanthology cotl-2031: complete, 2 new papers"]


@pytest.mark.parametrize("said", ["", "[arxiv]\ncategories = 5\n", "not toml ]["])
def test_a_configuration_that_names_nothing_or_is_wrong_is_told_once_and_may_be_mended(
    home: Path, source: Server, said: str
) -> None:
    right = (home / "octavo.toml").read_text(encoding="utf-8")
    (home / "octavo.toml").write_text(said, encoding="utf-8")
    lines: list[str] = []
    syncing = Syncing(home, "daily", lines.append, FakeClock())
    syncing.look()
    syncing.look()
    assert len(lines) == 1
    assert "configuration" in lines[0] or "octavo.toml" in lines[0]
    source.plays(Reply(tiles(1)), on=LIST)
    (home / "octavo.toml").write_text(right, encoding="utf-8")
    syncing.look()
    assert lines[1:] == ["mlanthology cotl-2031: complete, 1 new papers"]


def test_a_sync_that_is_stopped_is_logged_as_such_and_gone_on_with(home: Path, source: Server) -> None:
    source.plays(Reply(tiles(3)), Reply(tiles(3)), on=LIST)
    lines: list[str] = []
    syncing = Syncing(home, "daily", lines.append, FakeClock())
    syncing._stop.set()
    syncing.look()
    with Octavo(home) as octavo:
        assert octavo.log()[0].state == "stopped"
    Syncing(home, "daily", lines.append, FakeClock()).look()
    with Octavo(home) as octavo:
        assert octavo.log()[0].state in ("complete", "empty"), "what was fetched before is not fetched again"
        assert octavo.search("tile").total == 3


@pytest.mark.parametrize(
    ("every", "asked", "was_good", "now", "is_due"),
    [
        ("hourly", "2031-05-05T12:00", True, "2031-05-05T12:50", False),
        ("hourly", "2031-05-05T12:00", True, "2031-05-05T13:00", True),
        ("hourly", "2031-05-05T12:00", False, "2031-05-05T12:50", False),
        ("daily", "2031-05-05T12:00", True, "2031-05-05T23:00", False),
        ("daily", "2031-05-05T12:00", False, "2031-05-05T13:00", True),
        ("daily", "2031-05-06T03:00", True, "2031-05-06T04:40", True),  # half past midnight in New York lies between
        ("daily", "2031-05-03T12:00", True, "2031-05-04T11:50", False),  # a Saturday and a Sunday
        ("daily", "2031-05-03T12:00", True, "2031-05-04T12:00", True),
    ],
)
def test_how_often_sources_are_asked(every: str, asked: str, was_good: bool, now: str, is_due: bool) -> None:
    asked_at, at = (datetime.fromisoformat(text).replace(tzinfo=UTC) for text in (asked, now))
    assert is_time(every, asked_at, was_good, at) is is_due


def test_a_line_says_what_came_of_it() -> None:
    view = SyncView(
        "arxiv", "cs.LG", "rate_limited", {"new_papers": 1_234, "updated": 5}, problem="Too fast.", hint="Wait."
    )
    assert line_of(view) == "arxiv cs.LG: rate limited, 1,234 new papers, 5 updated. Too fast. Wait."
    assert line_of(SyncView("arxiv", "cs.LG", "empty", {})) == "arxiv cs.LG: empty, nothing new"
