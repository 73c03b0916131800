"""`octavo save`, `unsave`, `read`, `unread`, `tag`, `untag`, `note`, `library`, `searches`, and `undo` of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.cli.library_command import PARTS
from tests.cli.conftest import Invoke


@pytest.fixture
def filled(invoke: Invoke, world_file: Path) -> Invoke:
    assert invoke("add", world_file).exit_code == 0
    return invoke


def told(run: Invoke, *args: str, **options: Any) -> Any:
    return json.loads(run(*args, "--json", **options).stdout)


def test_the_parts_are_those_of_the_library() -> None:
    from octavo.catalogue.library import SHOWS

    assert PARTS == SHOWS


def test_saving_names_what_is_unknown_and_goes_on(filled: Invoke) -> None:
    result = filled("save", "2101.00010", "nope", "10.5555/plant.1")
    assert result.exit_code == 3
    assert "Saved: 2 papers." in result.stdout
    assert "There is no paper 'nope'." in result.stderr
    assert filled("save", "2101.00010").stdout == "1 paper was so already.\n"
    assert filled("save", "nope").exit_code == 1
    view = told(filled, "save", "10.5555/code.1", "nope")
    assert [one["is_changed"] for one in view["papers"]] == [True]
    assert view["unknown"][0]["name"] == "nope"
    assert told(filled, "library")["total"] == 3


def test_ids_are_read_from_standard_input(filled: Invoke) -> None:
    assert filled("save", "-", "10.5555/code.1", stdin="2101.00010\n10.5555/plant.1\n\n").exit_code == 0
    assert told(filled, "library")["total"] == 3
    result = filled("read", "-", stdin="\n")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "No paper was named." in result.stderr


def test_a_tag_a_note_and_a_mark_are_listed_and_taken_back(filled: Invoke) -> None:
    filled("save", "2101.00010", "--tag", "to read", "--tag", "🔥")
    filled("note", "2101.00010", "-", stdin="first line\n\nsecond line\n")
    filled("read", "2101.00010")
    assert filled("note", "2101.00010").stdout == "first line\n\nsecond line\n"
    shown = filled("library").stdout
    for one in ("Tiles are sufficient", "saved · read · #to read · #🔥", "first line second line"):
        assert one in shown
    assert filled("library", "--show", "unread").exit_code == 1
    assert told(filled, "library", "--tag", "TO READ")["total"] == 1
    acts = [filled("undo").stdout.splitlines()[0] for _ in range(3)]
    assert acts == ["undo read: 1 paper.", "undo note: 1 paper.", "undo save: “to read, 🔥”, 1 paper."]
    assert filled("library").exit_code == 1
    assert filled("undo").exit_code == 1


def test_what_was_said_is_unsaid(filled: Invoke) -> None:
    filled("save", "2101.00010", "--tag", "x")
    filled("read", "2101.00010")
    for line in (("unread",), ("untag", "X"), ("unsave",)):
        assert filled(*line, "2101.00010").exit_code == 0
    assert told(filled, "library", "--show", "all")["counts"] == dict.fromkeys(PARTS, 0)
    filled("note", "2101.00010", "x")
    assert filled("note", "2101.00010", "").exit_code == 0
    result = filled("note", "2101.00010")
    assert (result.exit_code, result.stderr) == (1, "There is no note on it.\n")


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (("tag", "a,b", "2101.00010"), 2, "A tag has no comma"), (("tag", "x" * 10_000, "2101.00010"), 2, "has 10,000"),
        (("tag", " ", "2101.00010"), 2, "needs a letter"), (("note", "2101.00010", "x" * 100_000), 2, "at most 20,000"),
        (("note", "nope", "x"), 1, "no paper 'nope'"), (("library", "import", "none.jsonl"), 3, "no file"),
        (("searches", "remove", "none"), 1, "No search is saved as 'none'"), (("searches", "save", " ", "q"), 2, "needs a name"),
        (("library", "--show", "liked"), 2, "liked"),
    ],
)  # fmt: skip
def test_what_can_not_be_done_is_told(filled: Invoke, args: tuple[str, ...], code: int, message: str) -> None:
    result = filled(*args)
    assert (result.exit_code, result.stdout) == (code, "")
    assert message in result.stderr


def test_hidden_characters_of_a_tag_do_not_reach_the_terminal(filled: Invoke) -> None:
    filled("tag", "a\x1b[31m\u202eb", "2101.00010")
    assert "#a [31m b" in filled("library").stdout


def test_the_library_goes_through_a_file(filled: Invoke, tmp_path: Path) -> None:
    filled("save", "2101.00010", "--tag", "x")
    filled("searches", "save", "tiles", "tiles", "-slow")
    path = tmp_path / "library.jsonl"
    assert filled("library", "export", path).stdout.startswith("2 entries written to")
    assert "is there already" in filled("library", "export", path).stderr
    assert filled("library", "export", "-").stdout == path.read_text()
    other = ("--home", str(tmp_path / "other"))
    result = filled(*other, "library", "import", path)
    assert result.exit_code == 0
    assert "1 paper and 1 saved search read; 1 paper changed." in result.stdout
    assert "1 paper not in this catalogue" in result.stdout
    assert filled(*other, "library", "export", "-").stdout == path.read_text()
    assert "not in this catalogue" in filled(*other, "library").stdout
    assert filled(*other, "searches").stdout == "tiles  tiles -slow\n"
    path.write_text('{"kind": "library", "form": 1}\n{broken\n')
    result = filled("library", "import", path)
    assert result.exit_code == 3
    assert "line 2: it is not JSON." in result.stderr


def test_every_key_of_the_json_is_documented(filled: Invoke, tmp_path: Path) -> None:
    import re

    from tests.cli.test_docs import JSON_PAGE, keys_of

    documented = set(re.findall(r"`([a-z_]+)`", JSON_PAGE.read_text(encoding="utf-8")))
    path = tmp_path / "l.jsonl"
    path.write_text('{"kind": "library", "form": 1}\n{"kind": "paper", "title": "Nowhere", "note": "x"}\n{broken\n')
    lines = [
        ("save", "2101.00010", "nope"), ("tag", "x", "2101.00010"), ("note", "2101.00010", "n"), ("note", "2101.00010"),
        ("library", "import", str(path)), ("library",), ("library", "export", str(tmp_path / "o")), ("undo",),
        ("searches", "save", "a", "b"), ("searches",), ("searches", "remove", "a"), ("undo",),
    ]  # fmt: skip
    for line in lines:
        assert set(keys_of(told(filled, *line))) - set(PARTS) <= documented, line
