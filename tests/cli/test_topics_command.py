"""`octavo topics` and `octavo evaluate topics`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from octavo.app import Octavo
from tests.cli.conftest import Invoke
from tests.test_topics import ARM, FLIESEN, PAPERS, SMALL, WELSH, fill


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    with fill(tmp_path_factory.mktemp("topics") / "home") as octavo:
        yield octavo


@pytest.fixture
def ask(invoke: Invoke, kept: Octavo) -> Invoke:
    def run(*args: str | Path) -> Any:
        return invoke("--home", kept.home, *args)

    return run


def test_the_tree_is_shown_with_its_counts(ask: Invoke) -> None:
    result = ask("topics")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert "Natural Language Processing  2  自然语言处理" in lines
    assert "  Machine Translation  2  机器翻译" in lines
    assert not any("Translation Evaluation" in line for line in lines)
    assert lines[-1] == "3 of 4 papers have a topic."
    assert len(ask("topics", "--level", "areas").stdout.splitlines()) < 20 < len(lines)


@pytest.mark.parametrize("args", [("NLP",), ("show", "自然语言处理")])
def test_a_topic_is_shown_by_any_name(ask: Invoke, args: tuple[str, ...]) -> None:
    lines = ask("topics", *args).stdout.splitlines()
    assert lines[0].startswith("Natural Language Processing  自然语言处理")
    assert "Machine Translation  2  机器翻译" in lines


def test_a_topic_as_json_has_its_definition_and_what_is_below(ask: Invoke) -> None:
    for args in (("topics", "MT", "--json"), ("--json", "topics", "show", "MT"), ("topics", "--json", "MT")):
        if args[0] != "--json":
            answer = json.loads(ask(*args).stdout)
            assert answer["root"]["slug"] == "machine-translation"
            assert answer["root"]["definition"]
            assert {topic["parent"] for topic in answer["topics"]} == {"machine-translation"}
            assert (answer["papers"], answer["with_topic"]) == (4, 3)


def test_a_topic_that_there_is_not_is_an_error(ask: Invoke) -> None:
    result = ask("topics", "Machin Translation")
    assert result.exit_code == 1
    assert "Machine Translation" in result.stderr


def test_a_paper_says_what_it_is_about(ask: Invoke) -> None:
    lines = ask("topics", "of", WELSH).stdout.splitlines()
    assert lines[0] == PAPERS[0][1]
    assert lines[1].startswith("  Natural Language Processing · Machine Translation  ")
    assert lines[1].endswith(", its text")
    answer = json.loads(ask("topics", "of", ARM, "--json").stdout)
    assert answer["topics"][0]["slug"] == "robot-manipulation"
    assert answer["topics"][0]["origin"] == "text"
    assert answer["corrected"] is False
    nothing = ask("topics", "of", FLIESEN)
    assert nothing.exit_code == 1
    assert "No topic: nothing is sure enough." in nothing.stdout


def test_a_correction_is_told_and_taken_back(invoke: Invoke, tmp_path: Path) -> None:
    fill(tmp_path / "home").close()

    def run(*args: str) -> Any:
        return invoke("--home", tmp_path / "home", "topics", *args)

    result = run("correct", WELSH, "IR")
    assert result.exit_code == 0
    assert "· Information Retrieval  your word" in result.stdout
    assert "Told anew: the topics of 1 paper near it." in " ".join(result.stdout.split())
    assert "Your word on 1 paper near it had a say." in run("of", SMALL).stdout
    assert "That was so before." in run("correct", WELSH, "information-retrieval").stdout
    assert "No topic: by your word." in run("correct", WELSH, "--none").stdout
    answer = json.loads(run("correct", WELSH, "--forget", "--json").stdout)
    assert (answer["corrected"], answer["changed"]) == (False, True)


@pytest.mark.parametrize("args", [(), ("--none", "--forget"), ("IR", "--none")])
def test_a_correction_says_one_thing(ask: Invoke, args: tuple[str, ...]) -> None:
    result = ask("topics", "correct", WELSH, *args)
    assert result.exit_code == 2
    assert "--none" in result.stderr


def test_a_broken_tree_file_is_refused_with_its_line(ask: Invoke, tmp_path: Path) -> None:
    path = tmp_path / "tree.toml"
    path.write_text('[a]\nkind = "area"\nname = "A"\n', encoding="utf-8")
    result = ask("topics", "--tree", path)
    assert result.exit_code == 2
    assert "tree.toml, line 1" in result.stderr
    assert json.loads(ask("topics", "--tree", path, "--json").stderr)["error"]["kind"] == "tree"


def test_what_is_told_is_measured(ask: Invoke, tmp_path: Path) -> None:
    label = {"area": "robotics", "topic": "robot-manipulation"}
    line = {"identifiers": [ARM], "title": PAPERS[2][1], "passes": [label, label]}
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    lines = ask("evaluate", "topics", path, "--wrong").stdout.splitlines()
    assert lines[0].endswith("labels.jsonl: 1 paper")
    assert "  1.000 .207-1.000  topic, first guess" in lines
    answer = json.loads(ask("evaluate", "topics", path, "--json").stdout)
    assert answer["ways"]["all"]["topic"] == {"value": 1.0, "low": 0.2065, "high": 1.0, "of": 1}
    assert answer["agreement"]["topic_kappa"] == 1.0
