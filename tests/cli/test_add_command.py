"""`octavo add` and `octavo pending`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.records.codec import encode_record, record_to_dict
from tests.cli.conftest import Invoke, json_lines
from tests.world import RECORDS, record


@pytest.fixture
def few_file(tmp_path: Path) -> Path:
    """Three good lines and two that can't be used."""
    path = tmp_path / "few.jsonl"
    good = [encode_record(record("pmlr", f"v1/x{n}", f"Tiles {n}", "Ann Bee")) for n in range(3)]
    path.write_text("\n".join([good[0], "{broken", good[1], '{"source": "pmlr", "key": "v1/y"}', good[2]]) + "\n")
    return path


def test_a_line_says_what_was_added(invoke: Invoke, world_file: Path) -> None:
    result = invoke("add", "jsonl", world_file)
    assert result.exit_code == 0
    assert result.stdout.startswith(f"world.jsonl: {len(RECORDS)} added, 0 updated, 0 unchanged, 0 skipped in ")
    again = invoke("add", "jsonl", world_file)
    assert again.stdout.startswith(f"world.jsonl: 0 added, 0 updated, {len(RECORDS)} unchanged, 0 skipped in ")
    assert result.stderr == again.stderr == ""


def test_the_source_is_told_from_the_content_when_it_is_left_out(invoke: Invoke, world_file: Path) -> None:
    result = invoke("add", world_file)
    assert result.exit_code == 0
    assert f"{len(RECORDS)} added" in result.stdout


def test_skipped_entries_are_counted_and_named(invoke: Invoke, few_file: Path) -> None:
    result = invoke("add", "jsonl", few_file)
    assert result.exit_code == 0
    first, *others = result.stdout.splitlines()
    assert first.startswith("few.jsonl: 3 added, 0 updated, 0 unchanged, 2 skipped (1 ")
    assert len(others) == 2
    assert others[0].startswith("  skipped: few.jsonl, line 2: ")


def test_more_skipped_entries_are_named_when_they_are_asked_for(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(encode_record(RECORDS[0]) + "\n" + "{broken\n" * 30)
    few, many = invoke("add", "jsonl", path), invoke("add", "--faults", "jsonl", path)
    assert few.stdout.count("  skipped: ") == 3
    assert "and 27 more skipped; --faults names more" in few.stdout
    assert many.stdout.count("  skipped: ") == 20
    assert "and 10 more skipped\n" in many.stdout


def test_a_bad_file_does_not_stop_the_next(invoke: Invoke, world_file: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    result = invoke("add", "jsonl", tmp_path / "none.jsonl", empty, world_file)
    assert result.exit_code == 3
    assert f"{len(RECORDS)} added" in result.stdout
    assert len(result.stdout.splitlines()) == 1
    assert "none.jsonl" in result.stderr
    assert "empty.jsonl" in result.stderr


def test_what_was_added_is_told_when_a_file_ends_too_early(invoke: Invoke, tmp_path: Path) -> None:
    lines = "".join(encode_record(record("pmlr", f"v1/x{n}", f"Tiles {n}", "Ann Bee")) + "\n" for n in range(3000))
    path = tmp_path / "cut.jsonl.gz"
    packed = gzip.compress(lines.encode(), 0)
    path.write_bytes(packed[: len(packed) // 2])
    result = invoke("add", "jsonl", path)
    assert result.exit_code == 3
    assert result.stdout.startswith("cut.jsonl.gz: 1,")
    assert result.stderr.startswith("octavo: ")
    result = invoke("add", "--json", "jsonl", path)
    (view,) = json_lines(result.stdout)
    assert (result.exit_code, view["state"]) == (3, "failed")
    assert view["unchanged"] > 0
    (error,) = json_lines(result.stderr)
    assert error["error"]["kind"] == "partly_added"


def test_the_path_is_named_once_when_a_file_can_not_be_read(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").touch()
    result = invoke("add", "jsonl", tmp_path / "empty.jsonl")
    assert result.stderr == f"octavo: {tmp_path}/empty.jsonl is empty. Get the file again.\n"


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ([b'{"source": "pmlr", "key": "\xe9", "title": "T"}'] * 30, "all 30 were skipped: not UTF-8."),
        ([b"{broken"] * 2 + [b'{"source": "pmlr"}'], "all 3 were skipped, most often: broken JSON."),
        ([b'{"source": "pmlr", "key": "a"}'], "it was skipped: no title."),
    ],
)
def test_a_file_of_which_nothing_can_be_used_is_exit_3(
    invoke: Invoke, tmp_path: Path, lines: list[bytes], why: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    result = invoke("add", "jsonl", path)
    assert result.exit_code == 3
    assert f"bad.jsonl: 0 added, 0 updated, 0 unchanged, {len(lines)} skipped" in result.stdout
    assert f"bad.jsonl has no entry that could be used; {why}" in result.stderr
    result = invoke("add", "--json", "jsonl", path)
    assert (result.exit_code, json.loads(result.stdout)["skipped"]) == (3, len(lines))
    assert json.loads(result.stderr)["error"]["kind"] == "format"


def test_a_folder_is_read_whole(
    invoke: Invoke, world_file: Path, few_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    for path in (world_file, few_file):
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(folder)
    for n, args in enumerate((["."], ["jsonl", "."], [folder], ["jsonl", folder])):
        result = invoke("--home", tmp_path / str(n), "add", *args)
        assert result.exit_code == 0
        assert result.stdout.startswith(f"lists: {len(RECORDS) + 3} added, 0 updated, 0 unchanged, 2 skipped")
        assert "lists: few.jsonl, line 2: broken JSON" in result.stdout


def test_a_folder_that_can_not_be_read_says_why(
    invoke: Invoke, world_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    monkeypatch.chdir(folder)
    for args in (["."], [folder]):
        result = invoke("add", *args)
        assert (result.exit_code, "lists is an empty folder" in result.stderr) == (3, True)
    (folder / "a.jsonl").write_bytes(world_file.read_bytes())
    (folder / "b.json").write_text('{"id": "2101.00010", "authors_parsed": [], "categories": "cs.LG"}\n')
    result = invoke("add", ".")
    assert result.exit_code == 2
    assert "lists holds files of several sources: 1 of jsonl, 1 of arxiv-snapshot. Name the files" in result.stderr
    assert invoke("add", "jsonl", ".").exit_code == 0


def test_json_is_a_line_a_path(invoke: Invoke, few_file: Path, tmp_path: Path) -> None:
    result = invoke("add", "--json", "jsonl", few_file, tmp_path / "none.jsonl")
    assert result.exit_code == 3
    good, bad = json_lines(result.stdout)
    assert (good["added"], good["skipped"], good["state"]) == (3, 2, "complete")
    assert sum(good["reasons"].values()) == 2
    assert set(good["faults"][0]) == {"place", "reason", "entry"}
    assert (bad["added"], bad["state"]) == (0, "failed")
    assert bad["problem"]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["pmlrr", "x.tar"], 2, "There is no source 'pmlrr'. Did you mean pmlr?"),
        (["pmlr"], 2, "No file is named for the source pmlr."),
        (["nosuch"], 3, "nosuch"),
        (["nosuch.tar", "other.tar"], 3, "nosuch.tar"),
        ([], 2, "Missing argument"),
        ([""], 2, "One of the paths is empty."),
        (["jsonl", ""], 2, "One of the paths is empty."),
    ],
)
def test_a_wrong_call_says_what_is_wrong(
    invoke: Invoke, args: list[str], code: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("add", *args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr


def test_a_first_word_is_a_source_when_a_folder_has_its_name_too(
    invoke: Invoke, world_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "jsonl").mkdir()
    (tmp_path / "jsonl" / "world.jsonl").write_bytes(world_file.read_bytes())
    assert len(invoke("add", "jsonl", world_file).stdout.splitlines()) == 1
    assert f"{len(RECORDS)} unchanged" in invoke("add", "jsonl").stdout


def test_a_home_that_is_a_file_is_exit_3(invoke: Invoke, world_file: Path, tmp_path: Path) -> None:
    result = invoke("--home", world_file, "stats")
    assert result.exit_code == 2  # click itself sees that it is no folder
    result = invoke("stats", OCTAVO_HOME=str(world_file))
    assert result.exit_code == 3
    assert "--home" in result.stderr


def test_the_help_names_every_source(invoke: Invoke) -> None:
    output = invoke("add", "--help").stdout
    assert all(f"  {name}" in output for name in Octavo.source_names())


# Pages.


KNOWN = (
    "A floor is laid slowly when each tile is turned before it is set. We describe a bench on which forty tiles are "
    "sorted by their grain, and a rule of three lines that tells the layer which of them comes next. In two halls "
    "and a stairwell the rule saved a third of the hours, and the joints were as even as those of a master."
)
UNKNOWN = (
    "Nobody remembers who first measured the humming of old refrigerators at night. We count the hums that a kitchen "
    "gives off between midnight and dawn, in three countries and over two years, and find that they follow the "
    "moon more closely than the thermostat, for which we have no explanation whatever."
)


def test_entries_that_wait_are_counted_and_listed(invoke: Invoke, world_file: Path, tmp_path: Path) -> None:
    floor, page = tmp_path / "floor.jsonl", tmp_path / "page.txt"
    floor.write_text(encode_record(record("pmlr", "v1/x31a", "Turning Tiles", "Ann Bee", abstract=KNOWN)) + "\n")
    page.write_text(f"TILE 2031 Papers\n\n{KNOWN}\n\n{UNKNOWN}\n")
    invoke("add", world_file, floor)
    result = invoke("add", "page", page)
    assert result.exit_code == 0
    assert "1 entry without a title identified." in result.stdout
    assert "1 entry without a title waits in all to be identified" in result.stdout
    waiting = invoke("pending")
    assert waiting.exit_code == 0
    assert "humming of old refrigerators" in " ".join(waiting.stdout.split())
    assert "1 entry waits." in waiting.stdout
    value = json.loads(invoke("pending", "--json").stdout)
    assert value["total"] == len(value["waiting"]) == 1


def test_a_page_that_was_read_already_is_unchanged(invoke: Invoke, tmp_path: Path) -> None:
    page, other = tmp_path / "page.txt", tmp_path / "other.txt"
    page.write_text(f"TILE 2031 Papers\n\n{KNOWN}\n")
    other.write_text(f"TILE 2032 Papers\n\n{UNKNOWN}\n")
    first = invoke("add", "page", page).stdout
    assert "unchanged." not in first
    assert "1 entry without a title waits in all" in first
    again = invoke("add", "page", page).stdout
    assert "Nothing new: its entries without a title were there already and are unchanged. 1 entry" in again
    assert "2 entries without a title wait in all" in invoke("add", "page", other).stdout


def test_pending_is_done_when_nothing_waits(invoke: Invoke) -> None:
    result = invoke("pending")
    assert (result.exit_code, result.stdout) == (0, "Nothing waits to be identified.\n")
    assert json.loads(invoke("pending", "--json").stdout) == {"total": 0, "waiting": []}


def test_several_paths_are_compared_also_when_the_last_cannot_be_read(invoke: Invoke, tmp_path: Path) -> None:
    from tests.ingest.test_linker import PREPRINT, PRINTED

    for name, one in (("a.jsonl", PREPRINT), ("b.jsonl", PRINTED)):
        (tmp_path / name).write_text(json.dumps(record_to_dict(one)) + "\n")
    found = invoke("add", tmp_path / "a.jsonl", tmp_path / "b.jsonl", tmp_path / "missing.jsonl")
    assert found.exit_code == 3
    assert json.loads(invoke("stats", "--json").stdout)["papers"] == 1
