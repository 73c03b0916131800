"""`octavo trends` and `octavo terms`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from octavo.cli.trends_command import percent, spark
from octavo.views_trends import ShareView
from tests.cli.conftest import Invoke
from tests.trends_world import EACH, GAP, GROWING, LLM, YEARS, fill

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("trends") / "home"
    fill(home).close()
    return home


@pytest.fixture
def run(invoke: Invoke, home: Path) -> Run:
    return lambda *args, **options: invoke("--home", home, *args, **options)


def test_trends_go_into_a_pipe_as_lines(run: Run) -> None:
    found = run("trends", "--topic", "LLM")
    name, n, *shares = found.stdout.rstrip("\n").split("\t")
    assert (name, n) == ("Large Language Models", str(sum(GROWING)))
    assert shares[0] == f"{YEARS[0]} 2.5 %"
    assert f"{GAP} –" in shares
    assert found.exit_code == 0


def test_trends_are_a_table_with_lines_on_a_terminal(run: Run) -> None:
    found = run("trends", "--topic", "LLM", FORCE_COLOR="1", NO_COLOR="1", COLUMNS="100")
    assert "▁▁▂▃·▅▆█" in found.stdout
    assert "2.5 % → 75.0 %" in found.stdout
    assert "% a year (+" in found.stdout
    assert all(len(line) <= 100 for line in found.stdout.splitlines())


def test_rising_shows_only_what_is_told_from_noise(run: Run) -> None:
    assert [line.split("\t")[0] for line in run("trends", "--rising").stdout.splitlines()] == ["Large Language Models"]
    nothing = run("trends", "--rising", "--from", "2034", "--to", "2035")
    assert nothing.exit_code == 1
    assert "Nothing is rising beyond chance" in nothing.stderr


def test_csv_has_a_line_a_share(run: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(run("trends", "--topic", LLM, "--csv").stdout)))
    assert len(rows) == len(YEARS) + 1
    first, gap = rows[0], next(row for row in rows if row["of"] == str(GAP))
    assert (first["of"], first["papers"], first["total"], first["share"]) == ("2029", "1", str(EACH), "0.025")
    assert (gap["papers"], gap["share"], gap["low"]) == ("0", "", "")
    assert first["direction"] == "rising"
    assert float(first["rate_low"]) < float(first["rate"]) < float(first["rate_high"])


def test_json_is_the_view(run: Run) -> None:
    told = json.loads(run("trends", "--term", "agent", "--by", "venue", "--json").stdout)
    assert (told["kind"], told["by"], told["trends"][0]["slug"]) == ("term", "venue", "agent")


def test_venues_are_bars_on_a_terminal(run: Run) -> None:
    found = run("trends", "--topic", LLM, "--by", "venue", FORCE_COLOR="1", NO_COLOR="1")
    assert "ACL" in found.stdout
    assert "100 %" in found.stdout
    assert "████" in found.stdout


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("--rising", "--falling"), 2, "Nothing rises and falls at once."),
        (("--csv", "--json"), 2, "can't be written at once"),
        (("--topic", "larg language modls"), 1, "Did you mean"),
        (("--term", "zzzzqqq"), 1, "has no term"),
        (("--from", "1990", "--to", "1991"), 1, "There is no paper of 1990 to 1991"),
        (("--from", "2035", "--to", "2031"), 2, "backwards"),
    ],
)
def test_what_can_not_be_shown_is_told(run: Run, args: tuple[str, ...], code: int, said: str) -> None:
    found = run("trends", *args)
    assert said in found.stderr
    assert found.exit_code == code


def test_an_empty_catalogue_says_how_to_fill_it(invoke: Invoke) -> None:
    found = invoke("trends")
    assert "octavo demo" in found.stderr
    assert "of 0" not in found.stderr
    assert found.exit_code == 1
    term = invoke("terms", "agent")
    assert "No paper of the catalogue speaks of it." in term.stdout
    assert term.exit_code == 0


def test_a_term_is_explained_in_both_languages(run: Run) -> None:
    found = run("terms", "distillation", FORCE_COLOR="1", NO_COLOR="1")
    assert "知识蒸馏" in found.stdout
    assert "Training a small model" in found.stdout
    assert "first arxiv:1503.02531" in found.stdout
    assert "rising: +" in found.stdout
    assert "agent" in found.stdout


def test_terms_are_listed_with_their_counts(run: Run) -> None:
    lines = run("terms", "--like", "gram").stdout.splitlines()
    assert "gram-matrix\t65\tGram matrix\t格拉姆矩阵" in lines
    assert run("terms", "--like", "zzzz").exit_code == 1
    told = json.loads(run("terms", "--part", "theory", "--json").stdout)
    assert told["field"] == "theory"
    assert {term["field"] for term in told["terms"]} == {"theory"}


def test_an_unknown_term_names_near_ones(run: Run) -> None:
    found = run("terms", "distilation")
    assert "Did you mean knowledge distillation" in found.stderr
    assert found.exit_code == 1


@pytest.mark.parametrize(
    ("share", "shown"), [(None, "–"), (0.0, "0 %"), (0.0004, "0.04 %"), (0.289, "28.9 %"), (1.0, "100 %")]
)
def test_percent_is_as_exact_as_it_is_small(share: float | None, shown: str) -> None:
    assert percent(share) == shown


def test_spark_has_a_bar_a_year() -> None:
    shares = tuple(ShareView(str(at), 0, 1, share) for at, share in enumerate((0.0, 0.5, None, 1.0)))
    assert spark(shares) == "▁▅·█"
    assert spark(shares[:1]) == "▁"
    assert spark(()) == ""
