"""Commands that only read, where nothing at all can be written: what a full disk and a read-only home leave."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.config import index_path
from octavo.locks import held, is_held
from tests.cli.conftest import Start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this system sets no limit to files")

NO_ROOM = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # each byte that is written to a file is refused
from octavo.cli import main
main()
"""
READING = (
    ["stats"], ["stats", "--json"], ["search", "tiles"], ["show", "2101.00010"], ["why", "2101.00010"], ["topics"],
    ["terms"], ["trends"], ["author", "Tova Example"], ["library"], ["searches"], ["sources"], ["log"], ["pending"],
    ["doubts"], ["complete", "til"], ["similar", "2101.00010"], ["identify", "Tiler 2.0"], ["export", "--all"],
    ["export", "tiles"], ["library", "export", "-"], ["config"],
)  # fmt: skip


@pytest.fixture(params=("all is made", "no vectors"))
def home(request: pytest.FixtureRequest, library: Octavo, tmp_path: Path) -> Path:
    """A copy of the world's home, with its vectors and before they are made."""
    library.stats()
    home = tmp_path / "home"
    shutil.copytree(library.home, home)
    with Octavo(home) as octavo:  # so that no log is left beside the catalogue
        octavo.stats()
    if request.param == "no vectors":
        shutil.rmtree(index_path(home) / "vectors")
    return home


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_what_only_reads_works_where_nothing_can_be_written(start: Start, home: Path, args: list[str]) -> None:
    done = start("--home", home, *args, text=NO_ROOM)
    assert done.returncode in (0, 1), done.stderr
    assert b"No room" not in done.stderr
    assert b"can't be" not in done.stderr


def test_what_writes_says_that_it_cannot(start: Start, home: Path) -> None:
    done = start("--home", home, "save", "2101.00010", text=NO_ROOM)
    assert done.returncode == 3
    assert b"can't be written" in done.stderr


def test_asking_who_holds_a_lock_makes_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.lock"
    assert not is_held(path)
    assert not path.exists()
    with held(path, "test"):
        assert is_held(path)
    assert not is_held(path)
