"""The facade: what `add` promises of files that are not as they should be, and of what comes in over and over."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import (
    CompressionError,
    DamagedCatalogueError,
    DiskFullError,
    EmptyFileError,
    FormatError,
    MissingFileError,
    NotFound,
    PartlyAddedError,
    TruncatedFileError,
    UnknownSourceError,
    UsageError,
)
from octavo.records.codec import encode_record
from octavo.views import AddView
from tests.world import RECORDS, record


def snapshot(n: int) -> bytes:
    """Lines of arXiv's snapshot, made up."""
    lines = [
        json.dumps(
            {
                "id": f"2101.{number:05}",
                "title": f"Paper number {number} of its kind",
                "authors_parsed": [["Bee", "Ann", ""]],
                "abstract": f"Nothing but the number {number} is told here.",
                "categories": "cs.LG stat.ML",
                "versions": [{"version": "v1", "created": "Mon, 4 Jan 2021 19:18:42 GMT"}],
                "update_date": "2021-01-05",
            }
        )
        for number in range(1, n + 1)
    ]
    return ("\n".join(lines) + "\n").encode()


def test_a_file_is_added_and_again_changes_nothing(octavo: Octavo, tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json.gz"
    path.write_bytes(gzip.compress(snapshot(300)))
    first, second = octavo.add("arxiv-snapshot", path), octavo.add("arxiv-snapshot", path)
    assert (first.added, first.new_papers, first.state) == (300, 300, "complete")
    assert (second.added, second.updated, second.unchanged) == (0, 0, 300)
    assert octavo.search("cat:stat.ML").total == 300


def test_helper_processes_give_the_same_catalogue(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_bytes(snapshot(15_000))
    found = []
    for workers in (0, 2):
        with Octavo(tmp_path / f"home{workers}", workers=workers) as octavo:
            view = octavo.add("arxiv-snapshot", path)
            hit = octavo.search("paper number 14999 of its kind").hits[0]
            found.append((view.added, view.skipped, octavo.stats().papers, hit.to_dict()))
    assert path.stat().st_size > 4_000_000, "too small for helper processes to be used"
    assert found[0] == found[1]


def test_the_whole_of_a_cut_file_is_kept(octavo: Octavo, tmp_path: Path) -> None:
    packed = gzip.compress(snapshot(3000))
    path = tmp_path / "cut.json.gz"
    path.write_bytes(packed[: len(packed) * 2 // 3])
    with pytest.raises(PartlyAddedError) as caught:
        octavo.add("arxiv-snapshot", path)
    view = caught.value.added
    assert isinstance(view, AddView)
    assert view.state == "failed"
    assert 0 < view.added < 3000
    assert octavo.stats().papers == view.added
    assert octavo.search("cat:cs.LG").total == view.added
    assert octavo.stats().runs[0]["state"] == "failed"
    path.write_bytes(packed)
    again = octavo.add("arxiv-snapshot", path)
    assert again.added == 3000 - view.added


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("none.json", None, MissingFileError),
        ("empty.json", b"", EmptyFileError),
        ("wrong.json.gz", b"\x1f\x8b\x08\x00 this is no gzip at all", (CompressionError, TruncatedFileError)),
        ("words.json", b"Dear reader, this is a letter.\n", FormatError),
    ],
)
def test_a_file_that_cannot_be_read_is_told(
    octavo: Octavo, tmp_path: Path, name: str, content: bytes | None, error: type[Exception]
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(error, match=name.split(".")[0]):
        octavo.add("arxiv-snapshot", path)
    assert octavo.stats().papers == 0


def test_bad_entries_are_skipped_counted_and_named(octavo: Octavo, tmp_path: Path) -> None:
    good = encode_record(record("a", "1", "A Good One", "Ann Bee"))
    untitled = json.dumps({"source": "a", "key": "2", "title": ""})
    path = tmp_path / "mixed.jsonl"
    path.write_text("\n".join([good, "{broken", untitled, '{"source": 5}', good.replace('"1"', '"3"')]) + "\n", "utf-8")
    view = octavo.add("jsonl", path)
    assert (view.added, view.skipped) == (2, 3)
    assert sum(count for _, count in view.reasons) == 3
    assert {place.rpartition(" ")[2] for place, _, _ in view.faults} == {"2", "3", "4"}


def test_awkward_records_go_in_whole(octavo: Octavo, tmp_path: Path) -> None:
    people = "; ".join(f"Author Number{number:04}" for number in range(3303))
    records = [
        record("a", "many", "A Paper of Thousands", people),
        record("a", "long", "A Long Abstract", abstract="lorem $x_{1}$ " * 7000),
        record("a", "nul", "Deep\x00 nets\x0b and \ufffe trees"),
    ]
    path = tmp_path / "awkward.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    assert octavo.add("jsonl", path).added == 3
    assert octavo.search('author:"Number2999"').total == 1
    assert octavo.search("deep nets trees").hits[0].paper.title == "Deep nets and trees"


def test_an_unknown_source_names_the_known_ones(octavo: Octavo, world_file: Path) -> None:
    with pytest.raises(UnknownSourceError, match="pmlr"):
        octavo.add("pmrl", world_file)


def test_the_source_is_told_from_the_content(octavo: Octavo, world_file: Path, tmp_path: Path) -> None:
    assert octavo.add(None, world_file).source == "jsonl"
    noise = tmp_path / "noise.bin"
    noise.write_bytes(bytes(range(256)) * 20)
    with pytest.raises((UsageError, FormatError), match=r"noise\.bin"):
        octavo.add(None, noise)


def test_an_empty_catalogue_says_how_to_fill_it(octavo: Octavo) -> None:
    view = octavo.search("anything")
    assert view.total == 0
    assert "octavo demo" in view.notes[0]
    with pytest.raises(NotFound):
        octavo.get("arXiv:2101.00010")


@pytest.mark.parametrize(
    "name", ["arXiv:math/0309136", "math.GT/0309136", "math%2F0309136", "https://arxiv.org/pdf/math/0309136v2.pdf"]
)
def test_a_paper_is_reached_by_any_spelling(library: Octavo, name: str) -> None:
    """B01."""
    assert library.get(name).paper.title == "Walks on Sparse Lattices"


def test_the_bundle_holds_what_the_readme_says(octavo: Octavo) -> None:
    view = octavo.add_bundle()
    stats = octavo.stats()
    assert (view.skipped, stats.papers) == (0, view.added)
    assert dict(stats.venues)["ICML 2025"] == 3330
    assert stats.with_summary >= 150
    assert stats.with_abstract == 0, "nobody's abstracts may be in the bundle"
    assert octavo.add_bundle().unchanged == view.added


def test_world_is_found_by_every_identifier(library: Octavo) -> None:
    for one in RECORDS:
        for identifier in one.identifiers:
            if identifier.value != "10.5555/volume":
                assert identifier in library.get(str(identifier)).paper.identifiers


def test_a_full_disk_is_told_and_costs_nothing(octavo: Octavo, world_file: Path, tmp_path: Path) -> None:
    """H02, with SQLite's own limit in place of a full disk: the error and its way out are the same."""
    octavo.add("jsonl", world_file)
    before = octavo.stats().papers
    connection = octavo._catalogue.database.connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count = {pages + 20}")
    path = tmp_path / "snapshot.json"
    path.write_bytes(snapshot(3000))
    with pytest.raises(DiskFullError, match="free some space") as caught:
        octavo.add("arxiv-snapshot", path)
    assert isinstance(caught.value.added, AddView)
    assert caught.value.added.state == "failed"
    assert octavo.stats().papers == before
    assert octavo.search("FlashTP").total == 1
    octavo.close()
    view = octavo.add("arxiv-snapshot", path)
    assert view.added + view.updated == 3000
    # All but the one of which the world has a later version, in another category.
    assert octavo.search("cat:stat.ML").total == 2999


def test_a_damaged_catalogue_is_told_wherever_it_is_met(octavo: Octavo, tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_bytes(snapshot(2000))
    octavo.add("arxiv-snapshot", path)
    octavo.close()
    file = octavo.home / "catalogue.db"
    broken = bytearray(file.read_bytes())
    for at in range(20_000, len(broken) - 5000, 9000):
        broken[at : at + 3000] = b"\xff" * 3000
    file.write_bytes(broken)
    for ask in (octavo.stats, lambda: list(octavo.export("jsonl", everything=True)), octavo.rebuild, octavo.waiting):
        with suppress(DamagedCatalogueError):
            ask()
    with pytest.raises(DamagedCatalogueError, match="damaged"):
        list(octavo.export("jsonl", everything=True))


def test_looking_makes_no_home(tmp_path: Path) -> None:
    with Octavo(tmp_path / "no" / "such") as octavo:
        assert octavo.stats().papers == 0
        assert octavo.search("x").total == 0
        assert octavo.identify(["x"])[0].paper is None
        assert octavo.waiting() == []
        assert octavo.rebuild() == 0
    assert not (tmp_path / "no").exists()


def test_octavos_own_id_is_understood(library: Octavo) -> None:
    paper = library.search("FlashTP").hits[0].paper
    assert library.search(paper.id).hits[0].paper == paper
    assert library.identify([f" {paper.id} "])[0].paper == paper
    assert library.search("pnothingnothi").total == 0


def test_helper_processes_end_with_the_one_they_help(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_bytes(snapshot(40_000))
    script = tmp_path / "script.py"
    script.write_text(
        "from octavo.app import Octavo\n"
        "if __name__ == '__main__':\n"
        f"    Octavo({str(tmp_path / 'home')!r}, workers=2).add('arxiv-snapshot', {str(path)!r})\n",
        encoding="utf-8",
    )
    run = subprocess.Popen([sys.executable, str(script)])
    for _ in range(200):
        if helpers := children_of(run.pid):
            break
        time.sleep(0.05)
    run.kill()
    run.wait()
    assert helpers
    for _ in range(200):
        if not any(is_alive(pid) for pid in helpers):
            return
        time.sleep(0.05)
    pytest.fail(f"helper processes are left: {[pid for pid in helpers if is_alive(pid)]}")


def children_of(pid: int) -> list[int]:
    """Processes that `pid` has started (Linux)."""
    task = Path(f"/proc/{pid}/task/{pid}/children")
    if not task.parent.parent.parent.parent.is_dir():
        pytest.skip("no /proc here")
    return [int(child) for child in task.read_text("utf-8").split()] if task.exists() else []


def is_alive(pid: int) -> bool:
    """Whether the process is there and no zombie."""
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2][:3]
    except OSError:
        return False


def test_a_home_that_another_process_made_is_written_to(tmp_path: Path, world_file: Path) -> None:
    """Who looked into a home that was not there, and adds to it afterwards, adds to that home."""
    with Octavo(tmp_path / "home") as first, Octavo(tmp_path / "home") as second:
        assert first.stats().papers == 0
        assert second.add("jsonl", world_file).added == len(RECORDS)
        path = tmp_path / "snapshot.json"
        path.write_bytes(snapshot(5))
        assert first.add("arxiv-snapshot", path).added > 0
        assert second.stats().records > len(RECORDS)
    with Octavo(tmp_path / "home") as octavo:
        assert octavo.stats().records > len(RECORDS)
