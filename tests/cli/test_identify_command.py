"""`octavo identify`."""

from __future__ import annotations

import json

import pytest

from octavo.cli.identify_command import write_identified
from octavo.cli.output import Page
from octavo.explain import Explanation
from octavo.views import IdentifyView
from tests.cli.conftest import Invoke

ABSTRACT = "Laying out a floor takes long when every tile is tried. A greedy layout with n tiles is enough"
OTHER = "Memory cells wear out. We predict their remaining life from the voltage that a write needs."
NEITHER = "Nobody has ever written on the humming of refrigerators at night in empty kitchens, until this very day."


def test_a_text_is_identified_with_its_reason(in_world: Invoke) -> None:
    result = in_world("identify", OTHER)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "Flash Memory Wear in Embedded Recorders"
    assert lines[1].startswith("WEAR 2029 · p")
    assert lines[2] == "Gil Gee, Wei Wang"
    assert lines[3].startswith("sure (")
    assert "%): " in lines[3]


@pytest.mark.parametrize("args", [[], ["-"]])
def test_standard_input_is_read_when_there_is_no_text(in_world: Invoke, args: list[str]) -> None:
    assert in_world("identify", *args, stdin=OTHER + "\n").stdout.startswith("Flash Memory Wear")


def test_empty_lines_part_texts(in_world: Invoke) -> None:
    result = in_world("identify", stdin=f"{ABSTRACT}\n\n{NEITHER}\n\n{OTHER}\n")
    assert result.exit_code == 0
    assert [line[:3] for line in result.stdout.splitlines() if line[:1].isdigit()] == ["1. ", "2. ", "3. "]
    assert "Not found." in result.stdout


def test_identifiers_are_a_text_a_line(in_world: Invoke) -> None:
    result = in_world("identify", "--json", stdin="2101.00010\n10.5555/wear.7\n")
    assert [one["input"] for one in json.loads(result.stdout)] == ["2101.00010", "10.5555/wear.7"]


def test_identifiers_are_a_text_each_when_they_are_arguments(in_world: Invoke) -> None:
    result = in_world("identify", "--json", "2101.00010", "10.5555/wear.7")
    assert [one["confidence"] for one in json.loads(result.stdout)] == [1.0, 1.0]


def test_words_are_one_text_when_quotes_were_forgotten(in_world: Invoke) -> None:
    result = in_world("identify", "--json", "flash", "memory", "wear", "in", "embedded", "recorders")
    (one,) = json.loads(result.stdout)
    assert one["match"]["title"] == "Flash Memory Wear in Embedded Recorders"


def test_all_is_one_text_when_that_is_asked_for(in_world: Invoke) -> None:
    result = in_world("identify", "--one", "--json", stdin=f"Memory cells wear out.\n\n{OTHER}")
    assert len(json.loads(result.stdout)) == 1


def test_json_is_an_array_with_the_four_keys(in_world: Invoke) -> None:
    result = in_world("identify", "--json", stdin=f"{OTHER}\n\n{NEITHER}")
    found, missing = json.loads(result.stdout)
    assert list(found) == list(missing) == ["input", "match", "confidence", "why"]
    assert found["match"]["ids"] == {"doi": "10.5555/wear.7"}
    assert missing["match"] is None
    assert 0 <= missing["confidence"] < 0.5


def test_the_nearest_paper_is_named_when_none_is_likely_enough(capsys: pytest.CaptureFixture[str]) -> None:
    likeness = Explanation(0.4, "the title, 62% alike")
    why = Explanation(0.4, f"not found; the nearest is “Slow Tiles” ({likeness.reason})", (likeness,))
    view = IdentifyView("Tall Isles", None, 0.4, why)
    write_identified(Page(), view)
    assert capsys.readouterr().out == "Not found. The nearest is “Slow Tiles” (the title, 62% alike).\n"
    assert view.to_dict()["why"] == why.reason


def test_nothing_found_is_exit_1(in_world: Invoke) -> None:
    result = in_world("identify", NEITHER)
    assert result.exit_code == 1
    assert result.stdout.startswith("Not found.")
    result = in_world("identify", "--json", NEITHER)
    assert result.exit_code == 1
    assert json.loads(result.stdout)[0]["match"] is None


@pytest.mark.parametrize("stdin", ["", "\n \n"])
def test_no_text_at_all_is_exit_2(in_world: Invoke, stdin: str) -> None:
    result = in_world("identify", stdin=stdin)
    assert result.exit_code == 2
    assert "There is no text to identify." in result.stderr


def test_bytes_that_are_no_utf8_are_read_nevertheless(in_world: Invoke) -> None:
    result = in_world("identify", stdin=b"\xff\xfe " + OTHER.encode() + b" \x80")
    assert result.stdout.startswith("Flash Memory Wear")
