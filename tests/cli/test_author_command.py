"""`octavo author`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.cli.author_command import author, names_line
from octavo.cli.program import octavo as program
from octavo.records.codec import encode_record
from tests.cli.conftest import Invoke, json_lines
from tests.rank.test_people import RECORDS


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command among the others, wherever the help lists it."""
    monkeypatch.setitem(program.commands, "author", author)


@pytest.fixture(scope="module")
def people(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which names are borne by several people; not to be written to."""
    folder = tmp_path_factory.mktemp("people")
    path = folder / "people.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in RECORDS), encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", path)
    return folder / "home"


@pytest.fixture
def ask(invoke: Invoke, people: Path) -> Invoke:
    def run(*args: str, **env: str) -> object:
        return invoke("--home", people, "author", *args, **env)

    return run  # type: ignore[return-value]


def test_a_pipe_gets_a_row_a_paper_with_its_group(ask: Invoke) -> None:
    result = ask("Ann Zyxwv")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [(row[0], row[2], row[3], row[4]) for row in rows] == [
        ("1", "2031", "TILE 2031", "Tiles on the Floor"),
        ("1", "2030", "TILE 2030", "Tiles on the Wall"),
        ("-", "2031", "TILE 2031", "Tiles in the Drawer"),
        ("-", "2029", "TILE 2029", "Tiles on the Roof"),
    ]


def test_a_reader_gets_groups_reasons_and_what_is_not_told_apart(ask: Invoke) -> None:
    output = " ".join(ask("Wei", "Wang", FORCE_COLOR="1", NO_COLOR="1").stdout.split())
    assert "7 papers by people of this name: 4 groups of one person each, 1 paper not told apart" in output
    assert "2 papers with the DBLP key Wei Wang 0001" in output
    assert "Not told apart · 1 paper Nothing says whether" in output
    assert "Not counted, since the initial fits others too: W. Wang (1)" in output
    assert "is rare" not in output


def test_a_rare_name_is_said_to_be_rare_and_not_joined(ask: Invoke) -> None:
    output = " ".join(ask("Ann Zyxwv", FORCE_COLOR="1", NO_COLOR="1").stdout.split())
    assert "4 papers by people of this name: 1 group of one person each, 3 papers" not in output
    assert "written Ann Zyxwv (2), A. Zyxwv (1), Ann B. Zyxwv (1)" in output


def test_one_person_is_said_to_be_one(ask: Invoke) -> None:
    assert "1 paper, all of one person" in ask("Xi Zyxon", FORCE_COLOR="1", NO_COLOR="1").stdout


def test_nobody_told_apart_is_said(ask: Invoke) -> None:
    output = ask("Tom Twinq", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "1 paper by people of this name; nothing tells them apart" in output


def test_json_is_the_whole_answer(ask: Invoke) -> None:
    (data,) = json_lines(ask("--json", "Wei Wang").stdout)
    assert data["total"] == 7
    assert [len(group["papers"]) for group in data["groups"]] == [2, 2, 1, 1]
    assert data["not_told_apart"][0]["title"] == "Preface to Nothing"


def test_who_wrote_nothing_is_not_found(ask: Invoke) -> None:
    result = ask("Nobody Zyxwvu")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "No paper is by anyone called Nobody Zyxwvu" in result.stderr
    (error,) = json_lines(ask("--json", "Nobody Zyxwvu").stderr)
    assert error["error"]["kind"] == "not_found"


def test_who_is_nobody_is_no_name(ask: Invoke) -> None:
    result = ask("Anonymous")
    assert result.exit_code == 2
    assert "names no one" in result.stderr


def test_many_papers_are_folded_unless_all_are_asked_for(invoke: Invoke, tmp_path: Path) -> None:
    many = [encode_record(one) for one in _many()]
    path = tmp_path / "many.jsonl"
    path.write_text("\n".join(many) + "\n", encoding="utf-8")
    assert invoke("add", "jsonl", path).exit_code == 0
    folded = invoke("author", "Ann Zyxwv", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "and 4 more papers (--all shows them)" in " ".join(folded.split())
    whole = invoke("author", "--all", "Ann Zyxwv", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert "more paper" not in whole
    assert whole.count("Floor number") == 14


def _many() -> Iterator[object]:
    from tests.world import record

    for n in range(14):
        yield record("mlanthology", f"n{n}", f"Floor number {n} of a House", "Ann Zyxwv; Cy Qwertz", venue="TILE", year=2031, ids=f"10.5555/n{n}")  # fmt: skip


def test_a_name_can_not_hurt_the_terminal(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_text(
        '{"source": "pmlr", "key": "v1/odd31a", "title": "Red \\u001b[31m \\u202etxt", "identifiers": ["arxiv:2101.00098"],'
        ' "authors": [{"name": "Ann \\u202eZyxwv", "given": "Ann \\u202e", "family": "Zyxwv"}]}\n'
    )
    assert invoke("add", "jsonl", path).exit_code == 0
    for env in ({}, {"FORCE_COLOR": "1", "NO_COLOR": "1"}):
        output = invoke("author", "A. Zyxwv", **env).stdout
        assert "txt" in output
        assert not {"\x1b", "\u202e"} & set(output)


def test_many_names_are_cut() -> None:
    names = {f"A. Zyxwv{n}": 1 for n in range(12)}
    assert names_line(names).endswith("A. Zyxwv7 (1) and 4 more")
    assert names_line({"Ann Bee": 1_234}) == "Ann Bee (1,234)"


def test_the_help_has_examples(invoke: Invoke) -> None:
    output = invoke("author", "--help").stdout
    assert 'octavo author "Yoshua Bengio"' in output
