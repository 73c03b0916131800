"""`octavo config`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest

from octavo.cli.command import ExampleCommand
from octavo.cli.config_command import config
from octavo.settings import default_toml
from tests.cli.conftest import Invoke

assert isinstance(config, click.Group)
BELOW = list(config.commands.values())


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home, which is the one in use."""
    home = tmp_path / "own-home"
    home.mkdir()
    return home


def write(home: Path, content: str) -> None:
    (home / "octavo.toml").write_text(content, encoding="utf-8")


WRONG = '[arxiv]\ncatagories = ["cs.LG"]\nevery = "yearly"\n'


def test_the_commented_file_is_written_with_its_folder(invoke: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "own-home" / "octavo.toml"
    result = invoke("config", "init")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == f"Written: {path}"
    assert path.read_text(encoding="utf-8") == default_toml()
    assert path.stat().st_mode & 0o077 == 0
    assert invoke("config", "check").exit_code == 0


@pytest.mark.parametrize("json_flag", [(), ("--json",)])
def test_a_file_that_is_there_is_never_written_over(invoke: Invoke, home: Path, json_flag: tuple[str, ...]) -> None:
    write(home, "# mine")
    result = invoke("config", "init", *json_flag)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert f"There is a configuration at {home / 'octavo.toml'} already" in result.stderr
    assert (home / "octavo.toml").read_text() == "# mine"
    assert [path.name for path in home.iterdir()] == ["octavo.toml"]


def test_force_keeps_what_was_there_however_often(invoke: Invoke, home: Path) -> None:
    kept = []
    for content in ("# first", "# second", "# third"):
        write(home, content)
        kept.append(Path(json.loads(invoke("config", "init", "--force", "--json").stdout)["backup"]))
        assert (home / "octavo.toml").read_text(encoding="utf-8") == default_toml()
    assert kept[0] == home / "octavo.toml.bak"
    assert [path.read_text() for path in kept] == ["# first", "# second", "# third"]


def test_force_needs_no_file(invoke: Invoke, home: Path) -> None:
    result = invoke("config", "init", "--force", "--json")
    assert json.loads(result.stdout) == {"path": str(home / "octavo.toml"), "backup": None}


def test_a_link_is_kept_and_what_it_leads_to_too(invoke: Invoke, home: Path, tmp_path: Path) -> None:
    (tmp_path / "dotfile").write_text("# mine")
    (home / "octavo.toml").symlink_to(tmp_path / "dotfile")
    assert invoke("config", "init").exit_code == 2
    assert invoke("config", "init", "--force").exit_code == 0
    assert (tmp_path / "dotfile").read_text() == "# mine"
    assert (home / "octavo.toml.bak").is_symlink()
    assert not (home / "octavo.toml").is_symlink()


@pytest.mark.parametrize("flags", [(), ("--force",)])
def test_a_folder_in_its_place_is_left_alone(invoke: Invoke, home: Path, flags: tuple[str, ...]) -> None:
    (home / "octavo.toml").mkdir()
    result = invoke("config", "init", *flags)
    assert result.exit_code == 2
    assert "There is a folder at " in result.stderr
    assert (home / "octavo.toml").is_dir()


def test_a_home_that_can_not_be_made_is_told(invoke: Invoke, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = invoke("config", "init", OCTAVO_HOME=str(tmp_path / "file" / "home"))
    assert result.exit_code == 3
    assert "can't be written" in result.stderr


def test_what_is_in_force_is_toml_with_where_it_is_from(invoke: Invoke, home: Path) -> None:
    write(home, '\n[arxiv]\ncategories = ["cs.lg", "stat.ML"]\n[semanticscholar]\napi_key = "sesame"\n')
    result = invoke("config", "show", OCTAVO_CONTACT="ada@papers.example")
    assert result.exit_code == 0
    lines = {line.partition(" = ")[0]: line for line in result.stdout.splitlines() if " = " in line}
    assert lines["contact"].endswith("# OCTAVO_CONTACT")
    assert lines["categories"].split(" = ")[1].startswith('["cs.LG", "stat.ML"]')
    assert lines["categories"].endswith("# octavo.toml, line 3")
    assert lines["port"] == "port = 8737         # default"
    assert result.stdout.startswith(f"# {home / 'octavo.toml'}\n")
    shown = tomllib.loads(result.stdout)
    assert shown["contact"] == "ada@papers.example"
    assert shown["semanticscholar"]["api_key"] == "***"
    assert "sesame" not in result.stdout


def rows(output: str) -> dict[str, Any]:
    return {f"{one['table'] or ''}.{one['key']}": one for one in json.loads(output)["settings"]}


def test_what_is_in_force_is_json_when_it_is_asked_for(invoke: Invoke, home: Path) -> None:
    write(home, '[arxiv]\nsince = 2031-05-09\n[openalex]\napi_key = "sesame"\n')
    output = invoke("config", "show", "--json").stdout
    assert "sesame" not in output
    found = rows(output)
    assert found["arxiv.since"] == {
        "table": "arxiv", "key": "since", "value": "2031-05-09", "origin": "file", "place": "octavo.toml, line 2",
    }  # fmt: skip
    assert found[".contact"] == {"table": None, "key": "contact", "value": "", "origin": "default", "place": None}
    assert found["openalex.api_key"]["value"] == "***"
    assert found["semanticscholar.api_key"]["value"] == ""


def test_a_value_can_not_steer_the_terminal(invoke: Invoke) -> None:
    result = invoke("config", "show", OCTAVO_CONTACT="https://a.example/\x1b[2J")
    assert result.exit_code == 2
    assert "\x1b" not in result.stdout + result.stderr


def test_every_fault_is_a_line_when_there_are_some(invoke: Invoke, home: Path) -> None:
    write(home, WRONG)
    result = invoke("config", "check", OCTAVO_SERVE__PORT="x")
    assert result.exit_code == 2
    assert result.stdout.splitlines() == [
        "octavo.toml, line 2: there is no key `catagories` in [arxiv]; did you mean `categories`?",
        'octavo.toml, line 3: `every` is "yearly", not hourly, daily, weekly, monthly or never; as in every = "daily"',
        'OCTAVO_SERVE__PORT: it is "x", not a whole number from 1 to 65535; as in OCTAVO_SERVE__PORT=8737',
    ]


def test_every_fault_is_json_when_it_is_asked_for(invoke: Invoke, home: Path) -> None:
    write(home, WRONG)
    result = invoke("config", "check", "--json", OCTAVO_FOO="x")
    assert result.exit_code == 2
    value = json.loads(result.stdout)
    assert (value["path"], value["exists"]) == (str(home / "octavo.toml"), True)
    assert [(one["place"], one["line"]) for one in value["faults"]] == [
        ("octavo.toml", 2), ("octavo.toml", 3), ("OCTAVO_FOO", None),
    ]  # fmt: skip
    assert all(one["message"] for one in value["faults"])


@pytest.mark.parametrize("content", [None, 'contact = "ada@papers.example"'])
def test_ok_is_said_when_nothing_is_wrong(invoke: Invoke, home: Path, content: str | None) -> None:
    if content:
        write(home, content)
    result = invoke("config", "check")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"OK: {home / 'octavo.toml'} is ")
    assert ("not there" in result.stdout) == (content is None)
    assert json.loads(invoke("config", "check", "--json").stdout)["faults"] == []


def test_faults_are_an_error_when_values_are_asked_for(invoke: Invoke, home: Path) -> None:
    write(home, WRONG)
    result = invoke("config", "show")
    assert result.exit_code == 2
    assert result.stderr.startswith("octavo: The configuration has 2 faults: octavo.toml, line 2: ")
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(invoke("config", "show", "--json").stderr)["error"]["kind"] == "config"


def test_the_path_is_one_line_as_it_is(invoke: Invoke, tmp_path: Path) -> None:
    home = tmp_path / "two  blanks" / ("x" * 90)
    assert invoke("config", "path", "--home", home).stdout == f"{home}/octavo.toml\n"


def test_the_path_is_json_when_it_is_asked_for(invoke: Invoke, home: Path) -> None:
    expected = {"path": str(home / "octavo.toml"), "exists": False}
    assert json.loads(invoke("config", "path", "--json").stdout) == expected
    write(home, "")
    assert json.loads(invoke("config", "--json", "path").stdout) == expected | {"exists": True}


def test_help_is_shown_when_no_command_is_named(invoke: Invoke) -> None:
    output = invoke("config").stdout
    assert output == invoke("config", "--help").stdout
    assert all(f"  {command.name} " in output for command in BELOW)
    assert isinstance(config, ExampleCommand)
    assert all(f"  {line}\n" in output for line, _ in config.examples)


@pytest.mark.parametrize("command", BELOW, ids=lambda command: command.name)
def test_every_command_has_help_and_examples(invoke: Invoke, command: click.Command) -> None:
    assert isinstance(command, ExampleCommand)
    output = invoke("config", str(command.name), "--help").stdout
    assert command.examples
    assert all(f"  {line}\n" in output for line, _ in command.examples)
    assert {"--home", "--json"} <= {name for param in command.params for name in param.opts}


def test_a_command_that_is_misspelt_is_told(invoke: Invoke) -> None:
    result = invoke("config", "shwo")
    assert result.exit_code == 2
    assert "shwo" in result.stderr
