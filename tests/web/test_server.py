"""The command: where it listens, what it says, how it ends; and threads that each have an Octavo of their own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from octavo.app import Octavo
from octavo.errors import BusyError, NotFound, UsageError
from octavo.web.pool import Pool
from octavo.web.server import address_of, listen
from tests.web.gallery import fill


@contextmanager
def started(home: Path, *options: str, as_json: bool = True) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`octavo serve` in a process of its own, and the first line that it writes."""
    words = [sys.executable, "-m", "octavo", "serve", "--home", str(home), "--port", "0", *options]
    process = subprocess.Popen(
        [*words, *(["--json"] if as_json else [])],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert process.stdout
    try:
        yield process, process.stdout.readline()
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGTERM])
def test_the_command_answers_until_it_is_ended(tmp_path: Path, signalled: signal.Signals) -> None:
    fill(tmp_path / "home")
    with started(tmp_path / "home") as (process, line):
        address = json.loads(line)["address"]
        assert address.startswith("http://127.0.0.1:")
        assert "Tiles" in httpx.get(address, trust_env=False, timeout=30).text
        process.send_signal(signalled)
        out, err = process.communicate(timeout=30)
        assert (out, err) == ("", "")
        assert process.returncode == 0


def test_the_command_prints_the_address_and_how_to_end_it(tmp_path: Path) -> None:
    with started(tmp_path / "home", as_json=False) as (_, line):
        assert line.startswith("Octavo is at http://127.0.0.1:")
        assert "Ctrl-C" in line
    assert not (tmp_path / "home").exists(), "looking makes nothing"


def test_a_sync_without_configuration_is_told_and_ends_with_the_pages(tmp_path: Path) -> None:
    with started(tmp_path / "home", "--sync", "daily") as (process, line):
        assert httpx.get(json.loads(line)["address"], trust_env=False, timeout=30).status_code == 200
        assert process.stderr
        assert "names nothing to bring up to date" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(BusyError, match=f"Port {port} of 127.0.0.1 is taken") as caught:
            listen("127.0.0.1", port)
        assert f"--port {port + 1}" in caught.value.hint
        words = [sys.executable, "-m", "octavo", "serve", "--home", str(tmp_path), "--port", str(port)]
        result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
        assert result.returncode == 3
        assert f"Port {port}" in result.stderr
        assert "--port" in result.stderr


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.7", "octavo.example", ""])
def test_an_address_that_others_can_reach_is_refused_with_the_reason(host: str) -> None:
    with pytest.raises(UsageError, match="no password is set") as caught:
        listen(host, 0)
    assert "password" in caught.value.hint


def test_the_configured_port_is_used_where_none_is_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        (tmp_path / "octavo.toml").write_text(f"[serve]\nport = {port}\n", encoding="utf-8")
        words = [sys.executable, "-m", "octavo", "serve", "--home", str(tmp_path), "--json"]
        result = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    error = json.loads(result.stderr)["error"]
    assert error["kind"] == "busy"
    assert f"Port {port} " in error["message"]


def test_an_address_can_be_opened() -> None:
    with listen("localhost", 0) as listener:
        assert address_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}/"
    if socket.has_ipv6:
        with listen("::1", 0) as listener:
            assert address_of(listener).startswith("http://[::1]:")


# -- threads ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[Pool]:
    made = Pool(tmp_path / "home", threads=2)
    yield made
    made.close(30)


def test_each_thread_has_an_octavo_of_its_own(pool: Pool) -> None:
    from threading import Barrier, get_ident

    meeting = Barrier(2)

    def who(octavo: Octavo) -> tuple[int, int]:
        meeting.wait(30)
        return get_ident(), id(octavo)

    found = {future.result(30) for future in [pool.submit(who), pool.submit(who)]}
    assert len({thread for thread, _ in found}) == len({octavo for _, octavo in found}) == 2


def test_a_fault_is_the_askers_alone(pool: Pool) -> None:
    for _ in range(4):
        with pytest.raises(NotFound):
            pool.submit(lambda octavo: octavo.get("2101.00010")).result(30)
    assert pool.submit(lambda octavo: octavo.search("tiles").total).result(30) == 0


def test_a_catalogue_that_is_put_in_the_place_of_another_is_seen(pool: Pool, tmp_path: Path) -> None:
    home = tmp_path / "home"
    asks = [pool.submit(lambda octavo: octavo.newest().total).result(30) for _ in range(4)]
    fill(home)
    counts = {pool.submit(lambda octavo: octavo.newest().total).result(30) for _ in range(4)}
    shutil.rmtree(home)
    gone = {pool.submit(lambda octavo: octavo.newest().total).result(30) for _ in range(4)}
    assert set(asks) == {0} == gone
    assert len(counts) == 1
    assert counts != {0}


def test_what_waits_when_the_pool_is_closed_is_cancelled(tmp_path: Path) -> None:
    from threading import Event

    begun, go = Event(), Event()
    pool = Pool(tmp_path / "home", threads=1)

    def slow(_: Octavo) -> bool:
        begun.set()
        return go.wait(30)

    first, second = pool.submit(slow), pool.submit(slow)
    assert begun.wait(30)
    pool.close(0)
    go.set()
    assert first.result(30)
    assert second.cancelled()


def test_other_commands_do_not_wait_for_the_pages() -> None:
    text = "import sys; import octavo.cli.program, octavo.app; print(*{name.partition('.')[0] for name in sys.modules})"
    result = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60, check=True)
    assert not {"starlette", "uvicorn", "jinja2", "babel", "anyio"} & set(result.stdout.split())
    assert "octavo" in result.stdout.split()
