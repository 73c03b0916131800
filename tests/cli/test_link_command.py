"""`octavo why`, `doubts`, `join`, `split`, `undo` and `evaluate linking`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from octavo.records.codec import record_to_dict
from tests.cli.conftest import Invoke
from tests.ingest.test_linker import OTHER, PREPRINT, PRINTED, RENAMED
from tests.world import record

WORLD = [PREPRINT, PRINTED, RENAMED, OTHER]


@pytest.fixture
def filled(invoke: Invoke, tmp_path: Path) -> Invoke:
    path = tmp_path / "works.jsonl"
    path.write_text("".join(f"{json.dumps(record_to_dict(one))}\n" for one in WORLD))
    assert invoke("add", path).exit_code == 0
    return invoke


def test_why_names_the_records_and_what_ties_them(filled: Invoke) -> None:
    found = filled("why", "arXiv:2101.00110")
    assert found.exit_code == 0
    for one in (PREPRINT, PRINTED, RENAMED):
        assert f"{one.source}:{one.key}" in found.stdout
    assert "What ties them" in found.stdout
    assert "title: equal" in found.stdout
    assert "abstract: the same" in found.stdout
    told = json.loads(filled("why", "arXiv:2101.00110", "--json").stdout)
    assert len(told["records"]) == 3
    assert len(told["bonds"]) == 2  # enough to hold three records together
    assert filled("why", "arXiv:2101.99999").exit_code == 1


def test_a_split_holds_through_adding_and_undo_takes_it_back(filled: Invoke, tmp_path: Path) -> None:
    told = json.loads(filled("split", "2101.00110", "--out", "pmlr:v300/bee31a", "--json").stdout)
    assert (told["act"], len(told["papers"])) == ("split", 2)
    filled("add", tmp_path / "works.jsonl")
    filled("rebuild")
    first, second = (json.loads(filled("show", "--json", name).stdout) for name in ("2101.00110", "v300/bee31a"))
    assert first["id"] != second["id"]
    assert "you split" not in filled("why", "2101.00110").stdout
    told = json.loads(filled("undo", "--json").stdout)
    assert (told["act"], len(told["papers"])) == ("undo split", 1)
    assert filled("undo").exit_code == 1
    found = json.loads(filled("search", "--json", "greedy tiles").stdout)
    assert found["total"] == 1


def test_a_join_makes_one_of_two_and_both_ids_lead_there(filled: Invoke) -> None:
    before = json.loads(filled("show", "--json", "2031.tile-1.4").stdout)["id"]
    told = json.loads(filled("join", "2101.00110", "2031.tile-1.4", "--json").stdout)
    assert len(told["papers"]) == 1
    assert json.loads(filled("show", "--json", before).stdout)["id"] == told["papers"][0]["id"]
    assert "you joined them" in filled("why", before).stdout
    assert filled("join", "2101.00110", "2031.tile-1.4").exit_code == 2


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("join", "2101.00110"), 2, "two papers or more"),
        (("join", "2101.00110", "nothing"), 1, "There is no paper"),
        (("split", "2101.00110"), 2, "Missing option '--out'"),
        (("split", "2101.00110", "--out", "dblp:other"), 1, "has no record 'dblp:other'"),
        (("split", "2031.tile-1.4", "--out", "acl:2031.tile-1.4"), 2, "one part is empty"),
        (("undo",), 1, "Nothing was joined or split"),
        (("evaluate", "linking", "nothing.jsonl"), 2, "does not exist"),
    ],
)
def test_what_cannot_be_done_is_told(filled: Invoke, words: tuple[str, ...], code: int, said: str) -> None:
    found = filled(*words)
    assert (found.exit_code, found.stdout) == (code, "")
    assert said in found.stderr


def test_doubts_are_listed_with_their_titles(invoke: Invoke, tmp_path: Path) -> None:
    assert "Nothing is in doubt" in invoke("doubts").stdout
    path = tmp_path / "odd.jsonl"
    odd = [
        record("pmlr", "v300/a31a", "Sailing Boats Seen from Orbit", ids="10.5555/volume"),
        record("dblp", "x/b", "Grammar of Whale Song", ids="10.5555/volume"),
    ]
    path.write_text("".join(f"{json.dumps(record_to_dict(one))}\n" for one in odd))
    invoke("add", path)
    found = invoke("doubts")
    assert "Sailing Boats" in found.stdout
    assert "Grammar of Whale Song" in found.stdout
    told = json.loads(invoke("doubts", "--json").stdout)
    assert (told["total"], len(told["doubts"])) == (1, 1)


def test_linking_is_measured_on_labelled_pairs(invoke: Invoke, tmp_path: Path) -> None:
    pairs = [
        ({"title": "Greedy Tiles Suffice", "authors": ["Ann Bee", "Cy Dee"]}, {"title": "Greedy tiles suffice", "authors": "A. Bee, C. Dee"}, 1, "same"),
        ({"title": "Greedy Tiles Suffice", "authors": ["Ann Bee"]}, {"title": "Grammar of Whale Song", "authors": ["Ida Ibis"]}, 0, "other"),
        ({"title": "Laying Floors with Fewer Cuts", "authors": ["Ann Bee"]}, {"title": "A Song of Grout", "authors": ["Ann Bee"]}, 1, "renamed"),
    ]  # fmt: skip
    path = tmp_path / "pairs.jsonl.gz"
    lines = [
        json.dumps({"left": one, "right": other, "label": label, "kind": kind}) for one, other, label, kind in pairs
    ]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    told = json.loads(invoke("evaluate", "linking", path, "--json", "--wrong", "5").stdout)
    whole = told["measures"][0]
    assert (whole["pairs"], whole["same"], whole["precision"], whole["recall"]) == (3, 2, 1.0, 0.5)
    assert [one["line"] for one in whole["wrong"]] == [3]
    assert {one["kind"] for one in told["measures"]} == {"all", "same", "other", "renamed"}
    assert "precision 1.0000, recall 0.5000" in invoke("evaluate", "linking", path).stdout
    path.write_text("{broken\n")
    assert "line 1" in invoke("evaluate", "linking", path).stderr
    assert invoke("evaluate", "linking", path, "--fields", "smell").exit_code == 2


def test_a_file_that_is_no_text_or_cut_off_is_told(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00rubbish\n" * 20)
    packed = gzip.compress(b'{"left": {}, "right": {}, "label": 2}\n' * 4000, mtime=0)
    (tmp_path / "cut.gz").write_bytes(packed[: len(packed) // 2])
    for name in ("binary", "cut.gz"):
        found = invoke("evaluate", "linking", tmp_path / name)
        assert found.exit_code == 3
        assert "line" in found.stderr
        assert "fault of Octavo" not in found.stderr


def test_an_identifier_of_two_papers_names_neither_of_them(invoke: Invoke, tmp_path: Path) -> None:
    odd = [
        record("pmlr", "v300/a31a", "Sailing Boats Seen from Orbit", "Ulf Uhu", ids="10.5555/volume"),
        record("dblp", "x/b", "Grammar of Whale Song", "Ida Ibis", ids="10.5555/volume"),
        record("acl", "P31-1001", "Grout for Parsing", "Ann Bee", ids="P31-1001"),
    ]
    (tmp_path / "odd.jsonl").write_text("".join(f"{json.dumps(record_to_dict(one))}\n" for one in odd))
    invoke("add", tmp_path / "odd.jsonl")
    found = invoke("join", "10.5555/volume", "P31-1001")
    assert found.exit_code == 2
    assert "Several papers have 10.5555/volume" in found.stderr
