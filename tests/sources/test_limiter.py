"""Turns: the pace of requests to a host, over all threads and processes, whatever happens to clocks and files."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import HomeError
from octavo.sources.limiter import (
    MAX_HOLD,
    FetchCancelledError,
    HostHeldError,
    Limiter,
    SystemClock,
    backoff,
    file_name,
    parse_retry_after,
    pause,
)
from tests.sources.server import FakeClock

HOST = "papers.example"
DATE = "Wed, 01 Jan 2031 00:00:00 GMT"
LATER = "Wed, 01 Jan 2031 00:00:10 GMT"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


def take(limiter: Limiter, rate: float = 3.0, host: str = HOST, patience: float = 120.0) -> float:
    with limiter.turn(host, rate, patience) as turn:
        return turn.started


def hold(limiter: Limiter, seconds: float) -> None:
    with limiter.turn(HOST, 0) as turn:
        turn.hold(seconds)


# Pace


def test_turn_does_not_wait_when_nobody_asked_lately(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    take(limiter)
    clock.pass_by(3.0)
    take(limiter)
    assert clock.slept == []


def test_turns_are_apart_when_asked_for_at_once(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    starts = [take(limiter) for _ in range(5)]
    assert [later - earlier for earlier, later in pairwise(starts)] == pytest.approx([3.0] * 4)
    assert max(clock.slept) <= 0.5, "a longer sleep would not see the cancelling"


def test_turn_does_not_wait_when_the_host_is_another(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    take(limiter)
    take(limiter, host="other.example")
    assert clock.slept == []


def test_turn_counts_from_the_start_when_the_request_took_long(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    with limiter.turn(HOST, 3.0):
        clock.pass_by(10)
    take(limiter)
    assert clock.slept == []


def test_turn_is_shared_when_another_limiter_has_the_folder(tmp_path: Path, clock: FakeClock) -> None:
    first = take(Limiter(tmp_path, clock))
    assert take(Limiter(tmp_path, clock)) - first == pytest.approx(3.0)


def test_turn_is_given_back_when_the_block_raises(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    with pytest.raises(KeyError), limiter.turn(HOST, 0):
        raise KeyError
    take(limiter, 0)


@given(gaps=st.lists(st.floats(0, 20), max_size=15), rates=st.lists(st.floats(0, 10), min_size=16, max_size=16))
def test_turns_keep_the_rate_whatever_comes_between(
    tmp_path_factory: pytest.TempPathFactory, gaps: list[float], rates: list[float]
) -> None:
    clock = FakeClock()
    limiter = Limiter(tmp_path_factory.mktemp("hosts"), clock)
    last = take(limiter, rates[-1])
    for gap, rate in zip(gaps, rates, strict=False):
        clock.pass_by(gap)
        asked = clock.monotonic()
        start = take(limiter, rate)
        assert start - last >= rate
        assert start <= max(asked, last + rate) + 0.002, "it waited longer than it had to"
        last = start


# Threads and processes


def test_one_thread_at_a_time_has_the_turn(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    starts: list[float] = []
    within = 0
    most = 0

    def work() -> None:
        nonlocal within, most
        for _ in range(5):
            with limiter.turn(HOST, 3.0) as turn:
                within += 1
                most = max(most, within)
                starts.append(turn.started)
                within -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert most == 1
    assert len(starts) == 20
    assert all(later - earlier >= 3.0 for earlier, later in pairwise(starts))


PROCESS = """
import sys
from pathlib import Path
from octavo.sources.limiter import Limiter, SystemClock
limiter = Limiter(Path(sys.argv[1]), SystemClock())
print("ready", flush=True)
sys.stdin.readline()
for _ in range(int(sys.argv[2])):
    with limiter.turn("papers.example", float(sys.argv[3])) as turn:
        print(repr(turn.started), flush=True)
        if sys.argv[4] == "stay":
            sys.stdin.readline()
"""


def start(folder: Path, turns: int, rate: float, then: str = "") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROCESS, str(folder), str(turns), str(rate), then]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def test_processes_share_the_pace_of_a_host(tmp_path: Path) -> None:
    processes = [start(tmp_path, 6, 0.05) for _ in range(2)]
    for process in processes:
        go(process)
    starts = []
    for process in processes:
        output, _ = process.communicate(timeout=60)
        assert process.returncode == 0
        starts += [float(line) for line in output.split()]
    assert len(starts) == 12
    # The stamps are the limiter's own, so that a busy machine can only make the gaps longer.
    assert all(later - earlier >= 0.05 for earlier, later in pairwise(sorted(starts)))


def test_turn_waits_for_another_process_and_is_free_when_that_was_killed(tmp_path: Path) -> None:
    process = start(tmp_path, 1, 0, "stay")
    go(process)
    assert process.stdout is not None
    process.stdout.readline()  # it has the turn now

    given_up = threading.Event()
    clock = FakeClock()
    clock.on_sleep = lambda: given_up.set() if len(clock.slept) > 20 else None
    with pytest.raises(FetchCancelledError):
        take(Limiter(tmp_path, clock, given_up), 0)

    process.kill()
    process.communicate(timeout=60)
    take(Limiter(tmp_path, SystemClock()), 0)


# Pauses that hosts ask for


def test_hold_is_waited_out_when_it_is_short(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    hold(limiter, 7)
    asked = clock.monotonic()
    assert take(Limiter(tmp_path, clock)) - asked == pytest.approx(7)


def test_hold_is_refused_when_it_is_longer_than_the_patience(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    hold(limiter, 3600)
    clock.pass_by(600)
    with pytest.raises(HostHeldError) as caught:
        take(Limiter(tmp_path, clock))
    assert caught.value.seconds == pytest.approx(3000)
    assert str(caught.value) == "papers.example asked for a pause, of which 3,000 seconds are left."
    assert clock.slept == []
    clock.pass_by(3000)
    take(limiter)
    assert clock.slept == []


def test_hold_ends_at_a_day_when_a_host_asks_for_more(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    hold(limiter, 1e12)
    clock.pass_by(MAX_HOLD)
    take(limiter)
    assert clock.slept == []


# Clocks that jump


@pytest.mark.parametrize("jump", [-10 * 365 * 86400, -3600, 3600, 10 * 365 * 86400])
def test_turn_keeps_the_pace_when_the_wall_clock_is_set(tmp_path: Path, clock: FakeClock, jump: float) -> None:
    limiter = Limiter(tmp_path, clock)
    first = take(limiter)
    clock.set(clock.time() + jump)
    assert take(limiter) - first == pytest.approx(3.0)


def test_turn_goes_by_the_wall_clock_when_the_machine_was_restarted(tmp_path: Path, clock: FakeClock) -> None:
    take(Limiter(tmp_path, clock))
    clock.pass_by(3600)
    clock.restart(monotonic=5)
    take(Limiter(tmp_path, clock))
    assert clock.slept == []


def test_turn_waits_once_when_both_clocks_went_back(tmp_path: Path, clock: FakeClock) -> None:
    take(Limiter(tmp_path, clock))
    clock.restart(monotonic=5)
    clock.set(0)
    limiter = Limiter(tmp_path, clock)
    take(limiter)
    assert sum(clock.slept) == pytest.approx(3.0)


def test_hold_ends_when_the_machine_slept_or_was_restarted(tmp_path: Path, clock: FakeClock) -> None:
    limiter = Limiter(tmp_path, clock)
    hold(limiter, 3600)
    clock.set(clock.time() + 3600)  # asleep: the monotonic clock stood still
    clock.pass_by(3)
    take(limiter)
    assert clock.slept == []


# Files


@pytest.mark.parametrize(
    "content",
    [
        b"\x00" * 256, b"{", b"[]", b"null", b'{"at": 1}', b'{"at": "x", "ticks": []}', b"[" * 250, b"\xff\xfe",
        b'{"at": NaN, "ticks": NaN}', b'{"at": 1e999, "ticks": 5}', b'{"at": 5, "ticks": 5, "hold": 1e9}',
        b'{"at": 5, "ticks": 5, "other": 1}',
    ],
)  # fmt: skip
def test_turn_waits_once_when_the_file_is_damaged(tmp_path: Path, clock: FakeClock, content: bytes) -> None:
    (tmp_path / file_name(HOST)).write_bytes(content)
    limiter = Limiter(tmp_path, clock)
    take(limiter)
    assert sum(clock.slept) == pytest.approx(3.0)
    assert json.loads((tmp_path / file_name(HOST)).read_bytes())["ticks"] == clock.monotonic()


@given(content=st.binary(max_size=400))
def test_turn_comes_whatever_is_in_the_file(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    folder = tmp_path_factory.mktemp("hosts")
    (folder / file_name(HOST)).write_bytes(content)
    clock = FakeClock()
    take(Limiter(folder, clock))
    assert sum(clock.slept) <= 3.001


def test_limiter_says_what_to_do_when_the_folder_is_a_file(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "hosts").write_text("")
    with pytest.raises(HomeError, match=r"can't be noted in .*hosts.*Make the folder writable"):
        take(Limiter(tmp_path / "hosts", clock))


@pytest.mark.parametrize("host", ["papers.example", "::1", "../../outside", "con", "a" * 400, "é.example", "a/b\\c:d"])
def test_file_name_is_a_plain_name_whatever_the_host(tmp_path: Path, clock: FakeClock, host: str) -> None:
    take(Limiter(tmp_path / "hosts", clock), host=host)
    assert [path.name for path in (tmp_path / "hosts").iterdir()] == [file_name(host)]
    assert file_name(host) == file_name(host.upper().replace("É", "é"))


def test_file_name_differs_when_hosts_do() -> None:
    assert len({file_name(host) for host in ("a:b", "a/b", "a_b", "a" * 100, "a" * 101)}) == 5


# Cancelling


def test_pause_ends_within_a_second_when_cancelled(clock: FakeClock) -> None:
    cancelled = threading.Event()
    clock.on_sleep = lambda: cancelled.set() if clock.monotonic() >= 1_002 else None
    with pytest.raises(FetchCancelledError, match=r"cancelled.*is kept"):
        pause(3600, clock, cancelled)
    assert clock.monotonic() <= 1_003


def test_turn_is_not_taken_when_cancelled_while_waiting(tmp_path: Path, clock: FakeClock) -> None:
    cancelled = threading.Event()
    take(Limiter(tmp_path, clock))
    before = (tmp_path / file_name(HOST)).read_bytes()
    clock.on_sleep = cancelled.set
    with pytest.raises(FetchCancelledError):
        take(Limiter(tmp_path, clock, cancelled))
    assert (tmp_path / file_name(HOST)).read_bytes() == before, "who gave up delays nobody"


# Retry-After and backoff


@pytest.mark.parametrize(
    ("value", "date", "expected"),
    [
        ("7", None, 7), (" 7 ", DATE, 7), ("0", None, 0), ("99999999999999999999", None, MAX_HOLD),
        (LATER, DATE, 10),  # A01: by the answer's own clock
        (DATE, LATER, 0),  # past
        (LATER, None, 15), (LATER, "nonsense", 15),  # by ours, which says 23:59:55
        ("Wednesday, 01-Jan-31 00:00:10 GMT", DATE, 10), ("Wed Jan  1 00:00:10 2031", DATE, 10),  # the old forms
        ("Fri, 01 Jan 2049 00:00:00 GMT", DATE, MAX_HOLD),
        (None, DATE, None), ("", None, None), ("soon", None, None), ("-5", None, None), ("7.5", None, None),
        ("1e3", None, None), ("٧", None, None), ("Wed, 99 Jan 2031 00:00:10 GMT", DATE, None),
    ],
)  # fmt: skip
def test_parse_retry_after_reads_both_forms(value: str | None, date: str | None, expected: float | None) -> None:
    assert parse_retry_after(value, date, now=1_924_991_995.0) == expected


@given(st.text(max_size=60), st.text(max_size=60) | st.none())
def test_parse_retry_after_is_within_its_bounds_whatever_it_is_given(value: str, date: str | None) -> None:
    found = parse_retry_after(value, date, 0.0)
    assert found is None or 0 <= found <= MAX_HOLD


def test_backoff_doubles_up_to_its_cap_with_full_jitter() -> None:
    assert [backoff(tries, 1.0) for tries in range(1, 9)] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert backoff(4, 0.25) == 2
    assert backoff(10_000, 0.5) == 30
    assert backoff(5, 0.0) == 0
