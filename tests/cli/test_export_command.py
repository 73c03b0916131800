"""`octavo export`: to a pipe as it comes, to a file whole or not at all."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Invoke


def test_bibtex_goes_to_standard_output(in_world: Invoke) -> None:
    result = in_world("export", "--id", "arXiv:2101.00010")
    assert result.exit_code == 0
    assert result.stdout.startswith("@inproceedings{bee2031tiles,\n")
    assert "Nguyễn, Łukasz" in result.stdout


def test_all_that_a_query_finds_is_exported(in_world: Invoke) -> None:
    total = json.loads(in_world("search", "--json", "year:2020..2040").stdout)["total"]
    assert total > 10
    assert in_world("export", "year:2020..2040").stdout.count("\n}\n") == total
    assert len(in_world("export", "-f", "jsonl", "year:2020..2040").stdout.splitlines()) == total


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.bib", "@"), ("a.jsonl", "{"), ("a.JSONL", "{"), ("a.ris", "TY  - "), ("a.json", "["), ("a b.bib", "@")],
)
def test_the_format_follows_the_name_of_the_file(in_world: Invoke, tmp_path: Path, name: str, start: str) -> None:
    path = tmp_path / name
    result = in_world("export", "tiles", "-o", path)
    assert result.exit_code == 0
    assert path.read_text(encoding="utf-8").startswith(start)
    assert f"written to {path}." in " ".join(result.stdout.split()).replace("- ", "-").replace(" .", ".")
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_file_is_not_overwritten_unless_it_may(in_world: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    path.write_text("mine")
    result = in_world("export", "tiles", "-o", path)
    assert result.exit_code == 2
    assert "--force" in result.stderr
    assert path.read_text() == "mine"
    assert in_world("export", "tiles", "-o", path, "--force").exit_code == 0
    assert path.read_text().startswith("@")


def test_a_link_stays_one_when_its_file_is_overwritten(in_world: Invoke, tmp_path: Path) -> None:
    target, link = tmp_path / "real.bib", tmp_path / "link.bib"
    target.write_text("old")
    link.symlink_to(target)
    assert in_world("export", "tiles", "-o", link, "--force").exit_code == 0
    assert link.is_symlink()
    assert target.read_text().startswith("@")


@pytest.mark.parametrize("target", ["/dev/null", "."])
def test_what_is_no_file_is_never_replaced(in_world: Invoke, target: str) -> None:
    result = in_world("export", "tiles", "-o", target, "--force")
    assert result.exit_code == 2
    assert "is not a file" in result.stderr


def test_a_folder_that_is_not_there_is_told(in_world: Invoke, tmp_path: Path) -> None:
    result = in_world("export", "tiles", "-o", tmp_path / "none" / "a.bib")
    assert result.exit_code == 2
    assert f"The folder {tmp_path}/none is not there. Make it first: mkdir -p {tmp_path}/none" in result.stderr
    (tmp_path / "none").touch()
    assert "is not a folder" in in_world("export", "tiles", "-o", tmp_path / "none" / "a.bib").stderr


@pytest.mark.parametrize("name", ["a.txt", "a", "a.gz", "a.bib.zip", ".bib"])
def test_a_format_is_asked_for_when_the_name_does_not_tell(in_world: Invoke, tmp_path: Path, name: str) -> None:
    result = in_world("export", "tiles", "-o", tmp_path / name)
    assert (result.exit_code, list(tmp_path.iterdir())) == (2, [])
    assert f"The ending of {name} names no format. Give --format bibtex|" in result.stderr
    assert in_world("export", "tiles", "-f", "jsonl", "-o", tmp_path / name).exit_code == 0


def test_a_packed_file_holds_what_the_plain_one_does(in_world: Invoke, invoke: Invoke, tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    for path in (plain, packed):
        assert in_world("export", "--all", "-o", path).exit_code == 0
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert invoke("add", packed).exit_code == 0
    first = packed.read_bytes()
    assert in_world("export", "--all", "-o", packed, "--force").exit_code == 0
    assert packed.read_bytes() == first


def test_nothing_is_written_when_nothing_is_found(in_world: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    result = in_world("export", "zzyzx", "-o", path)
    assert result.exit_code == 1
    assert not path.exists()
    result = in_world("export", "--id", "arXiv:2101.99999", "-o", path)
    assert result.exit_code == 1
    assert not path.exists()


def test_json_tells_what_was_written(in_world: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "a.bib"
    result = in_world("export", "--json", "--id", "arXiv:2101.00010", "-o", path)
    assert json.loads(result.stdout) == {"format": "bibtex", "papers": 1, "file": str(path)}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "No paper was named."),
        (["tiles", "--id", "2101.00010"], "can't be exported together"),
        (["--all", "tiles"], "can't be exported together"),
        (["tiles", "--json"], "--json tells about a file."),
        (["tiles", "-f", "xml"], "'xml' is not one of 'bibtex', "),
        ([" "], "The query is empty."),
    ],
)
def test_a_wrong_call_is_exit_2(in_world: Invoke, args: list[str], message: str) -> None:
    result = in_world("export", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr


def test_all_is_exported_to_the_byte_when_it_was_added_to_another_home(
    in_world: Invoke, invoke: Invoke, tmp_path: Path
) -> None:
    path, again = tmp_path / "all.jsonl", tmp_path / "again.jsonl"
    assert in_world("export", "--all", "-o", path).exit_code == 0
    n_papers = json.loads(in_world("stats", "--json").stdout)["papers"]
    assert len(path.read_bytes().splitlines()) == n_papers
    assert invoke("add", path).exit_code == 0
    assert invoke("export", "--all", "-o", again).exit_code == 0
    assert again.read_bytes() == path.read_bytes()


def test_an_empty_catalogue_has_nothing_to_export(invoke: Invoke) -> None:
    result = invoke("export", "--all")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Nothing in the catalogue." in result.stderr
