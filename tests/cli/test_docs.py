"""The documentation says what the program does: it is made from it, or held against it."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from octavo.app import Octavo
from octavo.cli.command import ExampleCommand
from octavo.cli.program import PURPOSES, octavo
from tests.cli.conftest import Invoke
from tests.cli.reference import PAGE, with_reference
from tests.cli.test_outcome import KINDS

COMMANDS = [command for _, commands in PURPOSES for command in commands]
JSON_PAGE = PAGE.with_name("json.md")
FREE_KEYS = {"counts", "ids", "links", "origins", "reasons", "sources", "statuses", "years", "venues"}
"""Objects whose keys are data."""


def test_the_reference_is_current() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert with_reference(page) == page, "make it anew: python -m tests.cli.reference"


def test_every_command_is_in_the_help_when_it_exists(invoke: Invoke) -> None:
    assert {command.name for command in COMMANDS} == set(octavo.commands)
    output = invoke("--help").stdout
    for purpose, commands in PURPOSES:
        assert f"{purpose}:" in output
        assert all(f"  {command.name} " in output for command in commands)
    assert invoke().stdout == output


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_has_help_and_examples(invoke: Invoke, command: click.Command) -> None:
    assert isinstance(command, ExampleCommand)
    result = invoke(str(command.name), "--help")
    assert result.exit_code == 0
    assert command.examples
    for line, meaning in command.examples:
        assert f"  {line}\n" in result.stdout
        assert meaning
    assert {"--home", "--json"} <= {name for param in command.params for name in param.opts}
    assert all(param.help for param in command.params if isinstance(param, click.Option))


def test_search_shows_five_examples() -> None:
    (search,) = (command for command in COMMANDS if command.name == "search")
    assert isinstance(search, ExampleCommand)
    assert len(search.examples) == 5


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with the bundled catalogue, on which the examples must work."""
    home = tmp_path_factory.mktemp("bundled") / "home"
    with Octavo(home) as octavo:
        octavo.add_bundle()
    return home


RUNNABLE = [
    line
    for command in COMMANDS
    if isinstance(command, ExampleCommand)
    and command.name in ("search", "show", "identify", "export", "stats", "pending")
    for line, _ in command.examples
    if not re.search(r"[|<]|\$\(", line)
]


@pytest.mark.parametrize("line", RUNNABLE)
def test_examples_find_something_in_the_bundled_catalogue(
    invoke: Invoke, bundled: Path, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(*shlex.split(line)[1:], OCTAVO_HOME=str(bundled))
    assert result.exit_code == 0, result.stderr


ROOT = PAGE.parent.parent
NOT_RUN = ("add", "demo", "config", "sync", "fetch", "enrich", "serve", "save", "publish")
"""Commands of the README that need the reader's files or the network, or write."""
README = [
    re.sub(r"\s+>.*", "", line)
    for block in re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    for line in block.splitlines()
    if line.startswith("octavo ") and line.split()[1] not in NOT_RUN
]


def test_the_readme_shows_searches() -> None:
    assert sum(line.startswith("octavo search") for line in README) >= 2


@pytest.mark.parametrize("line", README)
def test_examples_of_the_readme_find_something_in_the_bundled_catalogue(
    invoke: Invoke, bundled: Path, line: str
) -> None:
    result = invoke(*shlex.split(line, comments=True)[1:], OCTAVO_HOME=str(bundled))
    assert result.exit_code == 0, result.stderr
    assert result.stdout
    assert "octavo: " not in result.stderr, "notes on how a search was read are no errors"


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
SOURCES = [*ROOT.glob("src/octavo/**/*.py")]
_NAMED = re.compile(r"(?:`|\$ |^|\| |\$\()octavo (?:--home \S+ )?([a-z][\w-]*)", re.MULTILINE)


@pytest.mark.parametrize("path", [*PAGES, *SOURCES], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_that_is_named_exists(path: Path) -> None:
    """In messages, hints, docstrings and documentation."""
    assert set(_NAMED.findall(path.read_text(encoding="utf-8"))) <= set(octavo.commands)


def test_names_of_commands_are_found_in_texts() -> None:
    assert _NAMED.findall("see `octavo sources`.\noctavo serch x\nx | octavo identify\n`octavo --home x finde`") == [
        "sources", "serch", "identify", "finde",
    ]  # fmt: skip


def keys_of(value: Any, path: str = "") -> Iterator[str]:
    """Every key of a JSON value but those that are data."""
    if isinstance(value, list):
        for one in value:
            yield from keys_of(one, path)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if path not in FREE_KEYS:
                yield key
            if key != "records" or not isinstance(inner, list):  # what the sources said is theirs
                yield from keys_of(inner, key)


def test_every_key_of_the_json_is_documented(
    in_world: Invoke, invoke: Invoke, world_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "bad.jsonl").write_text("{broken\n")
    outputs = [
        in_world("search", "--json", "tiles").stdout,
        in_world("show", "--json", "--records", "2101.00010").stdout,
        in_world("identify", "--json", "Tiler 2.0").stdout,
        in_world("stats", "--json").stdout,
        in_world("export", "--json", "tiles", "-o", tmp_path / "a.bib").stdout,
        invoke("add", "--json", world_file, tmp_path / "bad.jsonl").stdout,
        invoke("rebuild", "--json").stdout,
        invoke("pending", "--json").stdout,
        invoke("sources", "--json").stdout,
        invoke("log", "--json").stdout,
        invoke("demo", "--json").stdout,
        invoke("show", "--json", "nothing").stderr,
    ]
    documented = set(re.findall(r"`([a-z_]+)`", JSON_PAGE.read_text(encoding="utf-8")))
    for output in outputs:
        for line in output.splitlines():
            assert set(keys_of(json.loads(line))) <= documented


def test_every_kind_of_error_is_documented() -> None:
    page = JSON_PAGE.read_text(encoding="utf-8")
    for kind in KINDS | {"system", "fault", "stopped", "failure"}:
        assert f"`{kind}`" in page


def test_links_of_the_pages_lead_somewhere() -> None:
    for page in (PAGE, JSON_PAGE):
        text = page.read_text(encoding="utf-8")
        headings = {line.lstrip("#").strip().lower().replace(" ", "-") for line in text.splitlines() if line[:1] == "#"}
        for target in re.findall(r"\]\(([^)]+)\)", text):
            name, _, anchor = target.partition("#")
            assert not name or page.with_name(name).exists()
            assert not anchor or anchor in headings
