"""`octavo sync` as a process of its own: killed, stopped, two at once."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from octavo.app import Octavo
from tests.sources.oai_world import World, WorldServer

KILLS = int(os.environ.get("TORTURE_KILLS", "8"))
"""How often the sync is killed; `make torture` sets 200."""
RECORDS = int(os.environ.get("TORTURE_RECORDS", "2000"))
PAGE = max(50, RECORDS // 200)

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")


@pytest.fixture
def server() -> Iterator[WorldServer]:
    first = (datetime.now(UTC) - timedelta(days=21)).date()
    world = World(n=RECORDS, days=10, first_day=first, changes=False)
    with WorldServer(world, page=PAGE) as made:
        yield made


@pytest.fixture
def home(tmp_path: Path, server: WorldServer) -> Path:
    addresses = "\n".join(f'{role}_address = "{url}"' for role, url in server.addresses.items())
    (tmp_path / "octavo.toml").write_text(
        f'[network]\nallow_private = ["127.0.0.1"]\n[arxiv]\ncategories = ["cs"]\nsince = "all"\n{addresses}\n'
    )
    return tmp_path


def begin(home: Path, *options: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "octavo", "sync", "--all", "--json", *options],
        env={**os.environ, "OCTAVO_HOME": str(home), "PYTHONUNBUFFERED": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def n_asked(server: WorldServer) -> int:
    return sum(path.startswith("/oai") for path in list(server.requests))


def wait_until_asked(server: WorldServer, times: int, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + 60
    while n_asked(server) < times and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)


def test_nothing_is_lost_or_doubled_when_it_is_killed_at_any_moment(home: Path, server: WorldServer) -> None:
    """A06, and H: a page is committed with its cursor or not at all."""
    chance = random.Random(4)
    server.delay = 0.01
    n_killed = 0
    for _ in range(KILLS):
        process = begin(home)
        wait_until_asked(server, n_asked(server) + chance.randrange(3), process)
        time.sleep(chance.random() * 0.05)
        n_killed += process.poll() is None
        process.kill()
        process.communicate()
    server.delay = 0
    process = begin(home)
    out, err = process.communicate(timeout=120)
    assert out, err
    assert json.loads(out)["problem"] is None
    assert n_killed >= KILLS // 2
    with Octavo(home) as octavo:
        records = octavo._catalogue.database.connection.execute(
            "SELECT key, count(*) FROM records WHERE source = 'arxiv' GROUP BY key"
        ).fetchall()
        assert {key for key, _ in records} == server.world.ids("cs")
        assert {count for _, count in records} == {1}
        assert octavo.stats().papers == len(records)
        assert octavo.search("tiles OR floors OR mosaics OR rivers", 1).total > 0
    # No page but the one under way was asked for twice: each kill costs one page at most.
    pages = Counter(
        parse_qs(urlsplit(path).query).get("resumptionToken", ["first"])[0]
        for path in server.requests
        if path.startswith("/oai")
    )
    assert sum(count - 1 for count in pages.values()) <= KILLS


def test_it_stops_within_a_second_and_says_that_it_goes_on(home: Path, server: WorldServer) -> None:
    server.delay = 0.2
    process = begin(home)
    wait_until_asked(server, 3, process)
    stopped = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    took = time.monotonic() - stopped
    assert process.returncode == 130
    assert json.loads(out)["state"] == "stopped"
    assert (
        "the same command goes on from there" in json.loads(err)["error"]["message"] + json.loads(err)["error"]["hint"]
    )
    assert took < 20  # generous: the second is measured in benchmarks
    before = n_asked(server)
    server.delay = 0
    out, _ = begin(home).communicate(timeout=60)
    assert json.loads(out)["counts"]["added"] > 0
    assert n_asked(server) > before


def test_one_works_and_the_other_says_so_when_two_begin_at_once(home: Path, server: WorldServer) -> None:
    server.delay = 0.1
    first = begin(home)
    wait_until_asked(server, 1, first)
    second, third = begin(home), begin(home, "--wait")
    out, err = second.communicate(timeout=60)
    assert second.returncode == 3
    assert out == ""
    error = json.loads(err)["error"]
    assert error["kind"] == "busy"
    assert f"process {first.pid}" in error["message"]
    for process in (first, third):
        out, err = process.communicate(timeout=120)
        assert "locked" not in err.lower(), err
        assert json.loads(out)["problem"] is None
    with Octavo(home) as octavo:
        assert octavo.stats().records >= len(server.world.ids("cs"))
