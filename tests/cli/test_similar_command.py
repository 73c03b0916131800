"""`octavo similar`."""

from __future__ import annotations

import json
from collections.abc import Iterator

import click
import pytest

from octavo.app import Octavo
from octavo.cli.output import Page
from octavo.cli.similar_command import write_similar
from tests.cli.conftest import Invoke
from tests.rank.kinship import ARMS, GRASP, GRASPING, HAIKU, SEED, fill, name


@pytest.fixture(scope="module")
def kin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    """A home with related papers; not to be written to."""
    with fill(tmp_path_factory.mktemp("similar") / "home") as octavo:
        yield octavo


@pytest.fixture
def ask(invoke: Invoke, kin: Octavo) -> Invoke:
    def run(*args: str, stdin: str = "") -> object:
        return invoke("--home", kin.home, "similar", *args, stdin=stdin)

    return run  # type: ignore[return-value]


def test_a_pipe_gets_a_row_a_paper(ask: Invoke) -> None:
    result = ask(name(GRASP), "-n", "1")
    row = result.stdout.rstrip("\n").split("\t")
    assert result.exit_code == 0
    assert row[0] == "1"
    assert row[2:] == ["2031", "", "A Gripper that Learns to Grasp"]


def test_json_has_the_parts_of_each_reason(ask: Invoke) -> None:
    answer = json.loads(ask(name(SEED), "--json").stdout)
    assert answer["by_meaning"] is True
    assert answer["total"] == len(answer["hits"])
    assert (answer["collapsed"], answer["left_out"], answer["text"]) == (1, 1, None)
    for hit in answer["hits"]:
        assert hit["why"] == "; ".join(part["reason"] for part in hit["parts"])
        assert sum(part["value"] for part in hit["parts"]) == pytest.approx(hit["score"], abs=1e-3)


def test_a_text_is_read_from_standard_input(ask: Invoke) -> None:
    answer = json.loads(ask("--text", "-", "--json", stdin=ARMS).stdout)
    assert answer["text"] == ARMS
    assert answer["papers"] == []
    assert answer["hits"][0]["ids"]["arxiv"] == f"2101.2{GRASPING:04}"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "nothing to compare papers with"),
        (("--text", " "), "The text is empty"),
        (("--text", "-"), "There is no text on standard input"),
        ((name(SEED), "-n", "0"), "A limit is 1 to 100, not 0"),
        ((name(SEED), "--sort", "oldest"), "oldest"),
    ],
)
def test_what_cannot_be_asked_is_refused_with_2(ask: Invoke, args: tuple[str, ...], said: str) -> None:
    result = ask(*args)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_a_paper_without_relatives_is_answered_with_1(ask: Invoke) -> None:
    result = ask(name(HAIKU))
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "No paper is related to it." in result.stderr


def test_a_terminal_gets_reasons_with_their_share(
    kin: Octavo, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(Page, "is_terminal", True)
    write_similar(Page(), kin.similar([name(SEED)], limit=3), with_why=True, more="More: octavo")
    said = click.unstyle(capsys.readouterr().out)
    assert said.startswith("Related to Fused Tensor Products for Interatomic Potentials\n")
    assert "near in meaning (0." in said
    assert "1–3 of 6 related papers; 1 other version of them left out; 1 other version of what was given left out" in (
        " ".join(said.split())
    )
    assert "also p" in said
    assert said.rstrip().endswith("More: octavo")
