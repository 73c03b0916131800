"""`octavo search`: cards on a terminal, lines by tabs elsewhere, JSON on request."""

from __future__ import annotations

import json
import re

import pytest

from octavo.app import Octavo
from tests.cli.conftest import Invoke


def test_a_pipe_gets_lines_of_five_columns(in_world: Invoke) -> None:
    result = in_world("search", "tiles")
    assert result.exit_code == 0
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert {len(row) for row in rows} == {5}
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]
    titles = [row[4] for row in rows]
    assert "Laying 2 Tiles with 0 Gaps" in titles
    assert "\x1b" not in result.stdout


def test_an_exact_title_is_first(in_world: Invoke) -> None:
    result = in_world("search", "Walks on Sparse Lattices")
    assert result.stdout.splitlines()[0].split("\t")[4] == "Walks on Sparse Lattices"


def test_a_terminal_gets_cards(in_world: Invoke) -> None:
    result = in_world("search", "greedy", "layout", FORCE_COLOR="1", NO_COLOR="1")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith(" 1  Tiles ")
    assert lines[1].startswith("    TILE 2031 · p")
    assert lines[2] == "    Ann Bee, Cy Dee, Łukasz Nguyễn"
    assert "greedy layout" in " ".join(lines[3:5])
    assert lines[-1] == "1 hit"


def test_matches_are_marked_when_there_are_colours(in_world: Invoke) -> None:
    result = in_world("search", "greedy", "layout", FORCE_COLOR="1", TERM="xterm-256color")
    assert "\x1b[1;35mgreedy" in result.stdout


def test_cards_say_how_to_see_more_when_there_is_more(in_world: Invoke, library: Octavo) -> None:
    result = in_world("search", "year:2020..2040", "-n", "2", FORCE_COLOR="1", NO_COLOR="1")
    command = f"octavo --home {library.home} search year:2020..2040 -n 2 --offset 2"
    assert f"hits. More: {command}" in " ".join(result.stdout.split())


def test_an_offset_goes_on_where_the_page_before_ended(in_world: Invoke) -> None:
    whole = in_world("search", "year:2020..2040", "-n", "6").stdout.splitlines()
    parts = [in_world("search", "year:2020..2040", "-n", "2", "--offset", str(n)).stdout for n in (0, 2, 4)]
    assert "".join(parts).splitlines() == whole


def test_a_summary_is_named_octavos_when_it_stands_for_an_abstract(in_world: Invoke) -> None:
    result = in_world("search", "xenon", FORCE_COLOR="1", NO_COLOR="1")
    assert "    Octavo's summary: Xenon clings" in result.stdout


def test_a_withdrawn_paper_is_told_apart(in_world: Invoke) -> None:
    result = in_world("search", "bounds that were wrong", FORCE_COLOR="1", NO_COLOR="1")
    assert "WITHDRAWN" in result.stdout


def test_the_reason_is_shown_when_it_is_asked_for(in_world: Invoke) -> None:
    plain = in_world("search", "greedy", FORCE_COLOR="1", NO_COLOR="1")
    result = in_world("search", "greedy", "--why", FORCE_COLOR="1", NO_COLOR="1")
    assert re.search(r"^ +\d+\.\d\d  score$", result.stdout, re.MULTILINE)
    assert re.search(r"^ +100\.00  has all the words$", result.stdout, re.MULTILINE)
    assert "score" not in plain.stdout


@pytest.mark.parametrize("columns", [20, 40, 60, 120])
def test_no_line_is_longer_than_the_terminal(in_world: Invoke, columns: int) -> None:
    result = in_world("search", "year:2020..2040", FORCE_COLOR="1", NO_COLOR="1", COLUMNS=str(columns))
    assert max(map(len, result.stdout.splitlines())) <= max(columns, 20)


@pytest.mark.parametrize("columns", ["0", "5", "x"])
def test_cards_are_written_when_the_terminal_says_no_width(in_world: Invoke, columns: str) -> None:
    usual = in_world("search", "year:2020..2040", FORCE_COLOR="1", COLUMNS="80").stdout
    assert in_world("search", "year:2020..2040", FORCE_COLOR="1", COLUMNS=columns).stdout == usual


def test_no_note_contradicts_that_nothing_was_found(in_world: Invoke) -> None:
    result = in_world("search", "zzyzx qqqqz")
    assert (result.exit_code, result.stderr) == (1, "Nothing found for zzyzx qqqqz.\n")


def test_a_star_that_asks_for_nothing_is_told(in_world: Invoke) -> None:
    assert "A star in quotes asks for nothing" in in_world("search", '"greedy lay*"').stderr


def test_json_is_one_object(in_world: Invoke) -> None:
    result = in_world("search", "--json", "tiles", "-n", "1")
    value = json.loads(result.stdout)
    assert result.stdout.count("\n") == 1
    assert value["query"] == "tiles"
    assert value["total"] > len(value["hits"]) == 1
    assert value["hits"][0]["rank"] == 1


def test_nothing_found_is_exit_1_with_json_all_the_same(in_world: Invoke) -> None:
    result = in_world("search", "--json", "zzyzx")
    assert result.exit_code == 1
    nothing = {"query": "zzyzx", "total": 0, "matching": 0, "sort": "relevance", "by_meaning": False, "hits": []}
    assert json.loads(result.stdout) | {"notes": []} == {**nothing, "notes": []}
    result = in_world("search", "zzyzx")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "Nothing found for zzyzx." in result.stderr


def test_a_page_behind_the_last_is_exit_1(in_world: Invoke) -> None:
    result = in_world("search", "tiles", "--offset", "900")
    assert result.exit_code == 1
    assert "none so far down" in result.stderr


def test_an_empty_catalogue_says_what_to_do(invoke: Invoke) -> None:
    result = invoke("search", "tiles")
    assert result.exit_code == 1
    assert "octavo demo" in result.stderr


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["tiles", "-n", "0"], "A limit is 1 to 1000, not 0."),
        (["tiles", "-n", "1001"], "A limit is 1 to 1000, not 1001."),
        (["tiles", "--offset", "-1"], "An offset is 0 or more, not -1."),
        (["tiles", "-n", "five"], "'five' is not a valid integer"),
        (["tiles", "-n"], "requires an argument"),
        (["tiles", "--colour"], "No such option"),
        (["--strict", "(tiles"], "A bracket is not closed"),
        ([], "Missing argument 'QUERY...'"),
        ([""], "The query is empty."),
        ([" ", "\t"], "The query is empty."),
    ],
)
def test_a_wrong_call_is_exit_2(in_world: Invoke, args: list[str], message: str) -> None:
    result = in_world("search", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_wrong_call_is_json_when_json_is_asked_for(in_world: Invoke) -> None:
    result = in_world("search", "--json", "--strict", "(tiles")
    assert (result.exit_code, result.stdout) == (2, "")
    assert json.loads(result.stderr)["error"]["kind"] == "query"


@pytest.mark.parametrize(
    "words",
    [
        ["tiles", "-gaps"],
        ["-gaps", "tiles"],
        ["-n", "50", "tiles", "-gaps"],
        ["tiles", "-gaps", "-n50"],
        ["--limit=50", "tiles", "-gaps"],
        ["-n", "50", "--", "tiles", "-gaps"],
        ["tiles -gaps"],
    ],
)
def test_a_minus_excludes_a_word_wherever_it_stands(in_world: Invoke, words: list[str]) -> None:
    result = in_world("search", *words)
    assert result.exit_code == 0
    assert "Tiler 2.0" in result.stdout
    assert "Gaps" not in result.stdout


@pytest.mark.parametrize("word", ["-h", "--help"])
def test_help_is_still_an_option_when_a_minus_excludes(invoke: Invoke, word: str) -> None:
    result = invoke("search", "tiles", word)
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: octavo search")
