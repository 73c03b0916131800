"""`octavo demo`, with the catalogue that is really bundled."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from octavo.cli.command import program_name
from octavo.cli.demo_command import PASTED, TITLE
from tests.cli.conftest import Invoke


def test_the_demo_finds_what_it_says_and_can_be_run_twice(invoke: Invoke) -> None:
    first = json.loads(invoke("demo", "--json").stdout)
    assert first["added"]["added"] > 3000
    assert first["title"]["hits"][0]["title"] == TITLE
    assert len(first["topic"]["hits"]) == 3
    assert first["pasted"]["match"]["title"].startswith("ABNet")
    second = invoke("demo")
    assert second.exit_code == 0
    assert "nothing new" in second.stdout
    assert "$ octavo search " in second.stdout
    assert second.stdout.count(" 1  ") == 2
    assert " ".join(PASTED.split()) in " ".join(second.stdout.split())
    assert "Not found" not in second.stdout


def test_what_to_try_next_can_be_typed_as_it_stands(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = invoke("demo", COLUMNS="100").stdout
    first, *tried = re.findall(r"^  \$ octavo (.*(?:\n    [^“\n]+)*)", output, re.MULTILINE)
    assert len([first, *tried]) == 7
    for line in (first, *tried):
        words = shlex.split(
            line.split("\n    your own")[0]
            .split("\n    one paper")[0]
            .split("\n    for your")[0]
            .split("\n    how to")[0]
        )
        assert invoke(*words).exit_code == 0, words


@pytest.mark.parametrize(
    ("started", "on_path", "name"),
    [
        ("bin/octavo", True, "octavo"),
        ("bin/octavo", False, "bin/octavo"),
        ("a bin/octavo", False, "'a bin/octavo'"),
        ("octavo/__main__.py", False, f"{shlex.quote(sys.executable)} -m octavo"),
        ("pytest/__main__.py", False, "octavo"),
    ],
)
def test_the_program_is_named_as_the_shell_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: str, on_path: bool, name: str
) -> None:
    path = tmp_path / started
    path.parent.mkdir()
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [started])
    monkeypatch.setenv("PATH", str(path.parent) if on_path else "/nowhere")
    assert program_name() == name


def test_the_commands_name_the_home_when_it_was_named(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke("demo", "--home", "a home")
    assert "$ octavo --home 'a home' search " in result.stdout
    assert (tmp_path / "a home").is_dir()
