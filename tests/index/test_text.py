"""The index: what it finds, that it catches up by itself, and that nothing breaks it for good."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.config import index_path
from octavo.errors import HomeError, SearchIndexError
from octavo.index.faults import index_errors
from octavo.index.manifest import Manifest, load_manifest, save_manifest
from octavo.index.text import SCHEMA, IndexBusyError, TextIndex
from octavo.index.text_query import compile_query
from octavo.query.ast import Everything
from octavo.records.codec import encode_record
from tests.world import RECORDS, record


def titles(octavo: Octavo, query: str, limit: int = 20) -> list[str]:
    return [hit.paper.title for hit in octavo.search(query, limit).hits]


def lines(path: Path, *records: object) -> Path:
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")  # type: ignore[arg-type]
    return path


def test_manifest_is_none_when_it_is_absent_or_broken(tmp_path: Path) -> None:
    assert load_manifest(tmp_path) is None
    save_manifest(tmp_path, Manifest(1, "abc", 7))
    assert load_manifest(tmp_path) == Manifest(1, "abc", 7)
    (tmp_path / "manifest.json").write_text("{half", encoding="utf-8")
    assert load_manifest(tmp_path) is None


def test_index_is_made_again_when_its_folder_is_deleted(octavo: Octavo, world_file: Path) -> None:
    octavo.add("jsonl", world_file)
    shutil.rmtree(index_path(octavo.home))
    octavo.close()
    assert titles(octavo, "FlashTP") == ["FlashTP: Tensor Products without Regret"]


def test_index_is_made_again_when_half_of_it_was_deleted(octavo: Octavo, world_file: Path, tmp_path: Path) -> None:
    """An index that holds less than its manifest says is not trusted, neither for reading nor for adding to."""
    octavo.add("jsonl", world_file)
    n = octavo.stats().papers
    for reopen in (
        lambda: octavo.search("x"),
        lambda: octavo.add("jsonl", lines(tmp_path / "m.jsonl", record("a", "1", "More"))),
    ):
        octavo.close()
        (index_path(octavo.home) / f"text-{SCHEMA}" / "meta.json").unlink()
        reopen()
        assert octavo.search("year:2000..2100").total >= n - 2
        assert titles(octavo, "FlashTP") == ["FlashTP: Tensor Products without Regret"]


@pytest.mark.parametrize("suffix", ["idx", "pos", "term", "fast", "fieldnorm"])
def test_a_damaged_file_of_the_index_is_told_and_mended(octavo: Octavo, world_file: Path, suffix: str) -> None:
    octavo.add("jsonl", world_file)
    octavo.close()
    path = next((index_path(octavo.home) / f"text-{SCHEMA}").glob(f"*.{suffix}"))
    whole = path.read_bytes()
    for broken in (bytes(len(whole)), whole[: len(whole) // 2], whole[::-1], b""):
        path.write_bytes(broken)
        with pytest.raises(SearchIndexError, match="octavo rebuild"):
            octavo.search("tiles")
        octavo.close()
    octavo.rebuild()
    assert titles(octavo, "FlashTP") == ["FlashTP: Tensor Products without Regret"]


def test_a_panic_of_the_engine_is_told_as_an_error(library: Octavo) -> None:
    searcher = library._index.searcher()
    assert searcher is not None
    with pytest.raises(SearchIndexError), index_errors(library.home):
        searcher.search(compile_query(Everything()), limit=1, offset=2**63 - 1)


@pytest.mark.parametrize("offset", [50, 10**11, 2**63 - 1, 10**30])
def test_an_offset_beyond_the_end_gives_the_total_and_no_hits(library: Octavo, offset: int) -> None:
    view = library.search("year:2000..2100", 10, offset)
    assert view.total > 0
    assert view.hits == ()


def test_index_outlives_its_catalogue_without_being_searched(octavo: Octavo, world_file: Path) -> None:
    octavo.add("jsonl", world_file)
    octavo.close()
    for path in octavo.home.glob("catalogue.db*"):
        path.unlink()
    view = octavo.search("FlashTP")
    assert (view.total, view.hits) == (0, ())
    assert "empty" in view.notes[0]


def test_a_plain_file_in_the_indexs_place_is_told(octavo: Octavo, world_file: Path) -> None:
    octavo.add("jsonl", world_file)
    octavo.close()
    shutil.rmtree(index_path(octavo.home))
    index_path(octavo.home).write_text("in the way", encoding="utf-8")
    with pytest.raises(HomeError, match="index"):
        octavo.rebuild()


def test_rebuild_waits_for_another_writer(octavo: Octavo, world_file: Path) -> None:
    octavo.add("jsonl", world_file)
    n = octavo.stats().papers
    code = f"from octavo.app import Octavo; print(Octavo({str(octavo.home)!r}).rebuild())"
    runs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [run.communicate()[0].strip() for run in runs] == [str(n)] * 2


@pytest.mark.parametrize("damage", ["manifest", "meta", "segments"])
def test_index_is_made_again_when_a_file_of_it_is_damaged(octavo: Octavo, world_file: Path, damage: str) -> None:
    octavo.add("jsonl", world_file)
    octavo.close()
    folder = index_path(octavo.home) / f"text-{SCHEMA}"
    if damage == "manifest":
        (folder / "manifest.json").write_text("nonsense", encoding="utf-8")
    elif damage == "meta":
        (folder / "meta.json").write_text("nonsense", encoding="utf-8")
    else:
        for path in folder.glob("*.term"):
            path.unlink()
    octavo.rebuild()
    assert titles(octavo, "FlashTP") == ["FlashTP: Tensor Products without Regret"]


def test_index_of_another_catalogue_is_not_trusted(octavo: Octavo, world_file: Path, tmp_path: Path) -> None:
    octavo.add("jsonl", world_file)
    octavo.close()
    with Octavo(tmp_path / "other") as other:
        other.add("jsonl", lines(tmp_path / "one.jsonl", record("a", "1", "Something Else Entirely")))
        other.close()
        shutil.rmtree(index_path(other.home))
        shutil.copytree(index_path(octavo.home), index_path(other.home))
        assert titles(other, "FlashTP") == []
        assert titles(other, "something else") == ["Something Else Entirely"]


def test_old_words_are_gone_when_a_title_changes(octavo: Octavo, tmp_path: Path) -> None:
    """H05."""
    octavo.add("jsonl", lines(tmp_path / "1.jsonl", record("a", "x", "Alphaword")))
    octavo.add("jsonl", lines(tmp_path / "2.jsonl", record("a", "x", "Betaword")))
    assert titles(octavo, "alphaword") == []
    assert titles(octavo, "betaword") == ["Betaword"]


def test_a_merged_paper_is_found_once(octavo: Octavo, tmp_path: Path) -> None:
    one = record("b", "1", "Gliding Otters in Cold Rivers", "Ann Bee; Cy Dee", ids="arXiv:2101.00010")
    two = record("c", "1", "How Gliding Otters Keep Their Course", "Ann Bee; Cy Dee", ids="10.5555/x")
    tie = record("a", "1", "How Gliding Otters Keep Their Course", "Ann Bee; Cy Dee", ids="arXiv:2101.00010 10.5555/x")
    octavo.add("jsonl", lines(tmp_path / "1.jsonl", one, two))
    assert octavo.search("gliding otters").total == 2
    octavo.add("jsonl", lines(tmp_path / "2.jsonl", tie))
    assert octavo.search("gliding otters").total == 1


def test_second_writer_is_told_while_one_writes(tmp_path: Path) -> None:
    """H04."""
    with TextIndex(tmp_path).write(), pytest.raises(IndexBusyError), TextIndex(tmp_path).write():
        pass
    with TextIndex(tmp_path).write():
        pass


def test_reader_finds_what_another_process_added(octavo: Octavo, world_file: Path, tmp_path: Path) -> None:
    """H04: a reader that stays open sees new papers without a restart."""
    octavo.add("jsonl", world_file)
    assert titles(octavo, "newcomer") == []
    more = lines(tmp_path / "more.jsonl", record("a", "new", "A Newcomer among Papers"))
    code = f"from octavo.app import Octavo; Octavo({str(octavo.home)!r}).add('jsonl', {str(more)!r})"
    subprocess.run([sys.executable, "-c", code], check=True)
    assert titles(octavo, "newcomer") == ["A Newcomer among Papers"]


def test_nothing_is_lost_when_adding_is_killed_at_any_moment(tmp_path: Path) -> None:
    """H01: kill -9 at random moments; then the same command again finishes the work, and the index agrees."""
    n = 3000
    path = lines(
        tmp_path / "many.jsonl",
        *(record("a", f"k{i}", f"Numbered Paper w{i}w", f"Ann B{i}", ids=f"10.5555/n.{i}") for i in range(n)),
    )
    home = tmp_path / "home"
    code = f"from octavo.app import Octavo; Octavo({str(home)!r}).add('jsonl', {str(path)!r})"
    rng = random.Random(7)
    for _ in range(6):
        run = subprocess.Popen([sys.executable, "-c", code])
        time.sleep(rng.uniform(0.1, 1.2))
        run.send_signal(signal.SIGKILL)
        run.wait()
        with Octavo(home) as octavo:
            stats = octavo.stats()
            found = octavo.search("numbered paper")
            assert found.total == stats.papers == stats.records
    with Octavo(home) as octavo:
        octavo.add("jsonl", path)
        assert octavo.search("numbered paper").total == n
        assert titles(octavo, "w2999w") == ["Numbered Paper w2999w"]


def test_two_processes_add_at_once_and_all_is_found(tmp_path: Path) -> None:
    """H03, H04: writers take turns; whoever has the index takes in what the other added."""
    home, n = tmp_path / "home", 400
    runs = []
    for part in "xyz":
        path = lines(tmp_path / f"{part}.jsonl", *(record(part, f"{i}", f"Paper of {part}{i}") for i in range(n)))
        code = f"from octavo.app import Octavo; Octavo({str(home)!r}).add('jsonl', {str(path)!r})"
        runs.append(subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE))
    assert [run.communicate()[1] for run in runs] == [b""] * 3
    with Octavo(home) as octavo:
        assert octavo.stats().papers == 3 * n
        assert octavo.search("paper").total == 3 * n
        assert octavo.stats().index == "up to date"


def test_rebuild_gives_the_same_finds(octavo: Octavo, world_file: Path) -> None:
    def finds(query: str) -> dict[str, object]:
        return {name: value for name, value in octavo.search(query).to_dict().items() if name != "seconds"}

    octavo.add("jsonl", world_file)
    before = [(query, finds(query)) for query in ("tiles", "nguyen", "year:2028", "author:wang")]
    assert octavo.rebuild() == octavo.stats().papers
    assert [(query, finds(query)) for query, _ in before] == before


def test_world_is_whole(library: Octavo) -> None:
    assert library.stats().records == len(RECORDS)


def test_threads_that_share_an_index_find_what_is_there_while_it_is_opened_anew(library: Octavo) -> None:
    """However often one of them looks for a newer state, none is told that there is no index."""
    index = TextIndex(index_path(library.home))
    query = compile_query(Everything())
    n = index.search(query, 5).total
    totals: list[int] = []
    faults: list[BaseException] = []
    is_over = threading.Event()

    def search() -> None:
        try:
            while not is_over.is_set():
                found = index.search(query, 5)
                totals.append(found.total if len(found.hits) == min(5, n) else -1)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=search) for _ in range(3)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)  # so that a thread is interrupted between any two steps
    try:
        for thread in threads:
            thread.start()
        until = time.monotonic() + 1.5
        while time.monotonic() < until:
            index.reload()
            time.sleep(0)
    finally:
        sys.setswitchinterval(interval)
        is_over.set()
        for thread in threads:
            thread.join()
    assert (faults, set(totals)) == ([], {n})
