"""The command line as a process of its own: pipes, signals, terminals, encodings."""

from __future__ import annotations

import contextlib
import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from octavo.app import Octavo
from tests.cli.conftest import Start

COMMAND = (sys.executable, "-m", "octavo")
OTHER = b"Memory cells wear out. We predict their remaining life from the voltage that a write needs."


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["search", "tiles"], 0),
        (["search", "zzyzx"], 1),
        (["show", "arXiv:2101.99999"], 1),
        (["search", "tiles", "-n", "0"], 2),
        (["serch"], 2),
        (["add", "jsonl", "/nowhere/at-all.jsonl"], 3),
        (["--version"], 0),
        ([], 0),
    ],
)
def test_the_process_ends_with_the_code(start: Start, library: Octavo, args: list[str], code: int) -> None:
    done = start(*args, OCTAVO_HOME=str(library.home))
    assert done.returncode == code, done.stderr
    assert b"Traceback" not in done.stderr


def test_the_console_script_is_the_same_program(start: Start) -> None:
    done = start("--version", text="import sys; sys.argv[0] = 'octavo'; from octavo.cli import main; main()")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"octavo ")


def test_a_reader_that_leaves_is_no_error(library: Octavo) -> None:
    for args in (["search", "year:1900..2100", "-n", "1000"], ["export", "tiles"], ["show", "2101.00010"], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        process = subprocess.Popen(
            [*COMMAND, "--home", str(library.home), *args], stdout=writer, stderr=subprocess.PIPE
        )
        os.close(writer)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("args", [["stats"], ["export", "tiles"], ["search", "--json", "tiles"]])
def test_a_full_disk_is_told(library: Octavo, args: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMMAND, "--home", str(library.home), *args], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False
        )
    assert done.returncode == 3
    assert done.stderr.count(b"\n") == 1
    assert b"The output can't be written" in done.stderr or b'"kind": "system"' in done.stderr


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(
    "args",
    [
        ["search", "tiles"],
        ["show", "2101.00010"],
        ["stats"],
        ["export", "tiles"],
        ["pending"],
        ["identify", "Tiler 2.0"],
        ["rebuild"],
        ["--help"],
        ["--version"],
    ],
    ids=" ".join,
)
def test_a_closed_stream_is_no_fault(library: Octavo, args: list[str], closed: str) -> None:
    line = shlex.join([*COMMAND, "--home", str(library.home), *args])
    done = subprocess.run(["sh", "-c", f"{line} {closed}"], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert bool(done.stdout) == (">&-" not in closed.replace("2>&-", ""))


@pytest.mark.parametrize("args", ["identify", "identify -", "identify --json"])
def test_closed_standard_input_has_no_text_to_identify(library: Octavo, args: str) -> None:
    line = f"{shlex.join([*COMMAND, '--home', str(library.home)])} {args} <&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"There is no text to identify." in done.stderr


def test_files_are_added_whole_when_all_streams_are_closed(world_file: Path, tmp_path: Path) -> None:
    line = shlex.join([*COMMAND, "--home", str(tmp_path / "home"), "add", "jsonl", str(world_file)])
    for _ in range(2):
        assert subprocess.run(["sh", "-c", f"{line} <&- >&- 2>&-"], timeout=60, check=False).returncode == 0
    with Octavo(tmp_path / "home") as octavo:
        assert octavo.search("tiles").total


STOP_AT_ONCE = """
import sys
class Stopped:
    def find_spec(self, name, path=None, target=None):
        if name == "octavo.cli.program": raise KeyboardInterrupt
sys.meta_path.insert(0, Stopped())
from octavo.cli import main
main()
"""


def test_ctrl_c_is_told_while_the_program_starts(start: Start) -> None:
    done = start("stats", text=STOP_AT_ONCE)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"octavo: Stopped. Nothing was changed.\n")


STOP_WHILE_READING = """
import os, signal, sys
class Stdin:
    buffer = property(lambda self: self)
    def isatty(self): return False
    def read(self): os.kill(os.getpid(), signal.SIGINT); signal.pause()
sys.stdin = Stdin()
from octavo.cli import main
main()
"""


@pytest.mark.parametrize(
    ("args", "err"),
    [
        (["identify"], b"octavo: Stopped. Nothing was changed.\n"),
        (
            ["identify", "--json"],
            b'{"error": {"kind": "stopped", "message": "Stopped.", "hint": "Nothing was changed."}}\n',
        ),
    ],
)
def test_ctrl_c_is_one_line_and_130(start: Start, args: list[str], err: bytes) -> None:
    done = start(*args, text=STOP_WHILE_READING)
    assert (done.returncode, done.stdout) == (130, b"")
    assert done.stderr.lstrip(b"\n") == err


def test_bytes_that_are_no_utf8_are_read_nevertheless(start: Start, library: Octavo) -> None:
    done = start("identify", stdin=b"\xff\xfe\x80 " + OTHER + b"\xc3", OCTAVO_HOME=str(library.home))
    assert done.returncode == 0
    assert done.stdout.startswith(b"Flash Memory Wear")


def test_a_file_name_that_is_no_utf8_is_told(start: Start, tmp_path: Path) -> None:
    done = start("add", "jsonl", os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))
    assert done.returncode == 3
    assert b"Traceback" not in done.stderr
    assert b"fault of Octavo" not in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_letters_that_the_terminal_lacks_end_nothing(start: Start, library: Octavo, encoding: str) -> None:
    home = str(library.home)
    done = start("search", "greedy layout", OCTAVO_HOME=home, PYTHONIOENCODING=encoding, FORCE_COLOR="1")
    assert done.returncode == 0
    done = start("search", "--json", "quantum OR 量子", OCTAVO_HOME=home, PYTHONIOENCODING=encoding)
    assert done.returncode == 0
    assert done.stdout.isascii()
    done = start("export", "--id", "2101.00010", OCTAVO_HOME=home, PYTHONIOENCODING=encoding)
    assert "Nguyễn".encode() in done.stdout


def on_a_terminal(*args: str, columns: int = 80, **env: str) -> str:
    """What a command writes to a terminal of that width, its line ends as `\\n`."""
    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": str(columns), **env}
    process = subprocess.Popen([*COMMAND, *args], stdin=slave, stdout=slave, stderr=slave, env=environment)
    os.close(slave)
    written = b""
    with contextlib.suppress(OSError):  # how Linux says that the other side is closed
        while piece := os.read(master, 65536):
            written += piece
    os.close(master)
    process.wait(timeout=60)
    return written.decode().replace("\r\n", "\n")


def test_a_terminal_gets_cards_in_colour(library: Octavo) -> None:
    output = on_a_terminal("--home", str(library.home), "search", "greedy layout")
    assert "\x1b[1m" in output
    assert "\x1b[1;35m" in output
    assert "\t" not in output


def test_a_terminal_gets_no_colour_when_that_is_refused(library: Octavo) -> None:
    output = on_a_terminal("--home", str(library.home), "search", "greedy layout", NO_COLOR="1")
    assert "\x1b" not in output
    assert output.startswith(" 1  Tiles ")


@pytest.mark.parametrize("columns", [40, 100])
def test_cards_fit_the_terminal(library: Octavo, columns: int) -> None:
    output = on_a_terminal("--home", str(library.home), "search", "layout tiles", columns=columns, NO_COLOR="1")
    widths = [len(line) for line in output.splitlines()]
    assert max(widths) <= columns
    assert max(widths) > columns // 2


def test_identify_says_what_to_do_when_nothing_is_sent_from_a_terminal(library: Octavo) -> None:
    output = on_a_terminal("--home", str(library.home), "identify", columns=200)
    assert "There is no text to identify. Give it as TEXT" in output


def test_adding_on_a_terminal_leaves_the_result_only(world_file: Path, tmp_path: Path) -> None:
    output = on_a_terminal("--home", str(tmp_path / "home"), "add", "jsonl", str(world_file), NO_COLOR="1")
    assert "world.jsonl: 21 added" in output.splitlines()[-1]


def test_the_start_loads_click_only(start: Start) -> None:
    script = """
import sys
import octavo.cli.program
print(sorted(name for name in ("rich", "octavo.app", "tantivy", "sqlite3", "rapidfuzz") if name in sys.modules))
"""
    assert start(text=script).stdout == b"[]\n"


def test_completion_offers_commands_and_options(start: Start) -> None:
    done = start(_OCTAVO_COMPLETE="bash_complete", COMP_WORDS="octavo se", COMP_CWORD="1")
    assert b"search" in done.stdout
    done = start(_OCTAVO_COMPLETE="bash_complete", COMP_WORDS="octavo search --li", COMP_CWORD="2")
    assert b"--limit" in done.stdout
