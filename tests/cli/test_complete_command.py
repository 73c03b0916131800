"""`octavo complete`, and completion in the shell."""

from __future__ import annotations

import json

import pytest
from click import Context

from octavo.app import Octavo
from octavo.cli.command import Settings
from octavo.cli.complete_command import complete_id, complete_query
from octavo.cli.program import octavo as program
from tests.cli.conftest import Invoke, Start


def test_a_pipe_gets_a_row_a_completion(in_world: Invoke) -> None:
    result = in_world("complete", "tiles are su")
    rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert rows[0][0] == "paper"
    assert rows[0][1].lower() == "tiles are sufficient for fast layout"
    assert all(len(row) == 5 for row in rows)


def test_json_has_the_query_that_each_makes(in_world: Invoke) -> None:
    found = json.loads(in_world("complete", "--json", "au:nguy").stdout)
    assert found["text"] == "au:nguy"
    assert {"kind": "author", "query": 'au:"Łukasz Nguyễn"'}.items() <= found["items"][0].items()
    assert found["items"][0]["count"] > 0


def test_a_reader_gets_a_line_each_and_is_told_what_was_read(in_world: Invoke) -> None:
    output = in_world("complete", "sufficeint", FORCE_COLOR="1", NO_COLOR="1").stdout
    assert output.startswith("Read as sufficient.\npaper     Tiles")


def test_nothing_that_begins_so_is_told_by_the_exit_code(in_world: Invoke) -> None:
    result = in_world("complete", "zzqx")
    assert (result.exit_code, result.stdout) == (1, "")
    assert in_world("complete", "zzqx", FORCE_COLOR="1", NO_COLOR="1").stdout == "Nothing begins with zzqx.\n"


@pytest.mark.parametrize("limit", ["0", "51"])
def test_a_limit_out_of_bounds_is_a_mistake(in_world: Invoke, limit: str) -> None:
    assert in_world("complete", "a", "-n", limit).exit_code == 2


@pytest.fixture
def context(library: Octavo) -> Context:
    return Context(program, obj=Settings(home=str(library.home)))


def test_a_shell_is_given_values_of_fields_and_ids(context: Context) -> None:
    (param,) = program.commands["show"].params[:1]
    assert "status:accepted" in [one.value for one in complete_query(context, param, "status:a")]
    assert [one.value for one in complete_query(context, param, "ven")] == ["venue:"]
    assert "2101.00010" in [one.value for one in complete_id(context, param, "2101.000")]
    assert all(one.value.startswith("p") for one in complete_id(context, param, "tiles"))


def test_a_shell_is_given_nothing_when_there_is_no_catalogue() -> None:
    context = Context(program, obj=Settings(home=__file__))
    (param,) = program.commands["show"].params[:1]
    assert complete_id(context, param, "2101") == []


def test_the_shell_itself_asks_and_is_answered(start: Start, library: Octavo) -> None:
    asked = {"_OCTAVO_COMPLETE": "bash_complete", "COMP_CWORD": "4", "OCTAVO_HOME": ""}
    line = f"octavo --home {library.home} show 2101.000"
    answer = start(**asked, COMP_WORDS=line)
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert b"plain,2101.00010" in answer.stdout.splitlines()
