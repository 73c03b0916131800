"""`octavo stats` and `octavo rebuild`."""

from __future__ import annotations

import json
from pathlib import Path

from octavo.app import Octavo
from tests.cli.conftest import Invoke


def test_the_tables_hold_the_counts(in_world: Invoke, library: Octavo) -> None:
    result = in_world("stats")
    assert result.exit_code == 0
    view = library.stats()
    words = result.stdout.split()
    assert f"{view.papers}" in words
    assert "up to date" in result.stdout
    for title in ("Sources (records)", "Venues, the largest (papers)", "Years (papers)", "Last runs"):
        assert title in result.stdout
    assert "jsonl" in result.stdout


def test_old_years_are_summed_unless_all_are_asked_for(in_world: Invoke) -> None:
    assert "  2003 " in in_world("stats", "--all").stdout
    few = in_world("stats").stdout
    assert ("  2003 " in few) != ("  before " in few)


def test_no_line_is_longer_than_the_terminal(in_world: Invoke) -> None:
    lines = in_world("stats", COLUMNS="40").stdout.splitlines()
    tables = [line for line in lines if line.startswith("  ") and not line.startswith("    ")]
    assert max(map(len, tables)) <= 40


def test_names_are_whole_when_the_terminal_is_narrow(in_world: Invoke, library: Octavo) -> None:
    output = in_world("stats", "--all", COLUMNS="20").stdout
    tables = output[output.index("Venues") : output.index("Last runs")]
    assert max(map(len, output[: output.index("Last runs")].splitlines())) <= 20
    words = " ".join(tables.split())
    assert library.stats().venues
    for name, count in library.stats().venues:
        assert f"{name} {count}" in words


def test_json_is_the_view(in_world: Invoke, library: Octavo) -> None:
    value = json.loads(in_world("stats", "--json").stdout)
    assert value["papers"] == library.stats().papers
    assert value["home"] == str(library.home)


def test_an_empty_home_has_stats(invoke: Invoke) -> None:
    result = invoke("stats")
    assert result.exit_code == 0
    assert "papers                 0" in result.stdout


def test_the_index_is_made_anew(invoke: Invoke, world_file: Path) -> None:
    invoke("add", "jsonl", world_file)
    result = invoke("rebuild")
    assert result.exit_code == 0
    assert result.stdout.startswith("The index was made anew: 19 papers in ")
    assert json.loads(invoke("rebuild", "--json").stdout)["papers"] == 19
    assert invoke("search", "tiles").exit_code == 0
