"""Nobody waits for the index: what takes long is done beside the pages."""

from __future__ import annotations

import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.app import Octavo, base
from octavo.config import index_path
from octavo.errors import BusyError
from octavo.records.codec import encode_record
from octavo.records.text import Text
from octavo.web.catching_up import ServingOctavo, Shared, stop_catching_up
from octavo.web.pool import Pool
from tests.web.gallery import EXTRA, fill
from tests.web.test_venues import WORLD
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


def test_the_threads_of_a_server_open_the_index_once(tmp_path: Path) -> None:
    """And each other's searches are answered from what one of them opened."""
    home = tmp_path / "home"
    fill(home)
    shared = Shared()
    with ServingOctavo(home, shared=shared) as one, ServingOctavo(home, shared=shared) as other:
        found = one.search("tiles")
        assert other.search("tiles").to_dict() == found.to_dict()
        assert one._index is other._index
        assert one._meaning is other._meaning
        one.close()
        assert other.search("tiles").to_dict() == found.to_dict()
    with ServingOctavo(home) as alone:
        assert alone._index is not shared.index(index_path(home))


def test_many_readers_at_once_get_what_one_gets_while_papers_come_in(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    pool = Pool(home)
    try:
        before = pool.submit(lambda octavo: octavo.search("tiles", 50).total).result(60)
        waiting = [pool.submit(lambda octavo: octavo.search("tiles", 50).total) for _ in range(40)]
        with Octavo(home) as octavo:
            path = tmp_path / "more.jsonl"
            more = [
                replace(RECORDS[0], source="page", key=f"k{n}", title=Text.of(f"More tiles {n}"), identifiers=())
                for n in range(5)
            ]
            path.write_text("".join(f"{encode_record(one)}\n" for one in more))
            octavo.add("jsonl", path)
            after = octavo.search("tiles", 50).total
        waiting += [pool.submit(lambda octavo: octavo.search("tiles", 50).total) for _ in range(40)]
        totals = [one.result(60) for one in waiting]
        assert set(totals) <= {before, after}
        assert totals[-1] == after > before
    finally:
        pool.close()


def test_another_catalogue_in_the_same_place_is_opened_anew(tmp_path: Path) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    fill(home)
    with Octavo(other) as octavo:
        path = tmp_path / "one.jsonl"
        path.write_text(f"{encode_record(RECORDS[0])}\n")
        octavo.add("jsonl", path)
        octavo.search("tiles")
    pool = Pool(home)
    try:
        n_before = pool.submit(lambda octavo: octavo.stats().papers + octavo.search("tiles").total).result(60)
        shutil.rmtree(home)
        other.rename(home)
        found = {
            pool.submit(lambda octavo: octavo.stats().papers + octavo.search("tiles").total).result(60)
            for _ in range(8)
        }
        assert found == {2}, "one paper, and one found"
        assert n_before > 2
    finally:
        pool.close()


def test_what_was_counted_while_there_was_no_index_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    fill(home, WORLD)
    with Octavo(home) as octavo:
        wanted = octavo.venues()
    shutil.rmtree(index_path(home))
    with Octavo(home) as octavo:
        with monkeypatch.context() as patched:
            patched.setattr(octavo, "bring_up_to_date", lambda *_: ())
            assert octavo.venues() == ()
        assert octavo.venues() == wanted != ()


def test_readers_wait_for_the_first_index_and_find_everything(tmp_path: Path) -> None:
    """Whoever comes second neither finds nothing nor fails."""
    home = tmp_path / "home"
    fill(home)
    with Octavo(home) as octavo:
        n = octavo.search("tiles").total
    shutil.rmtree(index_path(home))
    pool = Pool(home)
    try:
        waiting = [pool.submit(lambda octavo: octavo.search("tiles").total) for _ in range(8)]
        assert {one.result(60) for one in waiting} == {n}
    finally:
        pool.close()


def test_a_search_says_that_the_first_index_is_being_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    fill(home)
    shutil.rmtree(index_path(home))
    monkeypatch.setattr(base, "FIRST_WAITS", 0.1)
    with (
        Octavo(home) as writing,
        Octavo(home) as octavo,
        writing._index.write(),
        pytest.raises(BusyError, match="being made"),
    ):
        octavo.search("tiles")
