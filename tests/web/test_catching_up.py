"""Nobody waits for the index: what takes long is done beside the pages."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.config import index_path
from octavo.errors import BusyError
from octavo.web.catching_up import ServingOctavo, stop_catching_up
from tests.web.gallery import EXTRA, fill
from tests.world import RECORDS


def wait_for_index(home: Path) -> ServingOctavo:
    """An Octavo for which nothing is left to do; fails after a minute."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        octavo = ServingOctavo(home, few=0)
        try:
            if not octavo.search("tiles").notes:
                return octavo
        except BusyError:
            pass
        octavo.close()
        time.sleep(0.1)
    raise AssertionError("the index did not catch up")


def test_a_missing_index_is_made_beside_the_pages(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    shutil.rmtree(index_path(home))
    try:
        with ServingOctavo(home, few=0) as octavo:
            with pytest.raises(BusyError, match="being made"):
                octavo.search("tiles")
            assert octavo.newest().total, "papers are there meanwhile"
        with wait_for_index(home) as octavo:
            assert octavo.search("tiles").total
    finally:
        stop_catching_up(home)


def test_an_index_that_is_behind_is_searched_as_it_is(tmp_path: Path) -> None:
    home, kept = tmp_path / "home", tmp_path / "kept"
    fill(home, RECORDS)
    with Octavo(home) as octavo:
        octavo.search("tiles")
    shutil.copytree(index_path(home), kept)
    fill(home, EXTRA)
    shutil.rmtree(index_path(home))
    kept.rename(index_path(home))
    try:
        with ServingOctavo(home, few=0) as octavo:
            found = octavo.search("tiles")
            assert found.total
            assert "catching up" in found.notes[0]
        with wait_for_index(home) as octavo:
            assert octavo.search("Whole Sky").total
    finally:
        stop_catching_up(home)


def test_few_papers_are_indexed_at_once(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    shutil.rmtree(index_path(home))
    with ServingOctavo(home) as octavo:
        found = octavo.search("tiles")
        assert found.total
        assert found.notes == ()
