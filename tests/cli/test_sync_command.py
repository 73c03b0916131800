"""`octavo sync`, `fetch`, `sources` and `log`, against a made-up arXiv."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from octavo.cli.sync_command import counts_of, day_lines
from octavo.views_sync import DayView
from tests.cli.conftest import Invoke
from tests.sources.oai_world import World, WorldServer


@pytest.fixture
def server() -> Iterator[WorldServer]:
    first = (datetime.now(UTC) - timedelta(days=28)).date()
    world = World(n=200, days=10, first_day=first, changes=False)
    with WorldServer(world, page=100) as made:
        yield made


@pytest.fixture
def configured(tmp_path: Path, server: WorldServer) -> Path:
    addresses = "\n".join(f'{role}_address = "{url}"' for role, url in server.addresses.items())
    home = tmp_path / "own-home"
    home.mkdir()
    (home / "octavo.toml").write_text(
        f'[network]\nallow_private = ["127.0.0.1"]\nretry_tries = 1\n[arxiv]\ncategories = ["cs.LG"]\n{addresses}\n'
    )
    return home


def test_a_sync_tells_days_and_counts(invoke: Invoke, configured: Path, server: WorldServer) -> None:
    found = invoke("sync")
    n_papers = len(server.world.ids("cs:cs:LG"))
    first, *_ = found.stdout.splitlines()
    assert first.startswith("arxiv cs.LG: ")
    assert f"{n_papers} new papers" in first
    assert "days complete" in found.stdout
    assert "new" in found.stdout
    again = invoke("sync", "--all", "--json")
    told = json.loads(again.stdout)
    assert (told["source"], told["want"], told["counts"]["added"]) == ("arxiv", "cs.LG", 0)
    assert told["days"][-1]["state"] in ("complete", "empty", "stale")
    assert found.exit_code == again.exit_code == (0 if told["state"] in ("complete", "empty") else 3)


def test_a_sync_that_is_not_complete_exits_with_3_and_says_what_to_do(
    invoke: Invoke, configured: Path, server: WorldServer
) -> None:
    server.answer = lambda path: (429, b"", "text/plain")  # type: ignore[method-assign]
    found = invoke("sync")
    assert found.exit_code == 3
    assert "rate limited" in found.stdout
    assert invoke("sync", "--quiet").exit_code == 3


def test_quiet_says_nothing_when_all_is_well(invoke: Invoke, configured: Path, server: WorldServer) -> None:
    invoke("fetch", "arxiv", "cs.LG")
    found = invoke("fetch", "arxiv", min(server.world.ids("cs:cs:LG")), "--json")
    assert json.loads(found.stdout)["state"] == "complete"
    assert found.exit_code == 0


def test_nothing_is_configured_is_an_error_that_says_how(invoke: Invoke) -> None:
    found = invoke("sync")
    assert found.exit_code == 2
    assert "`octavo config init`" in found.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("fetch", "arxiv", "no such thing!"), "arXiv"),
        (("fetch", "nowhere", "x"), "There is no source 'nowhere'"),
        (("fetch", "bibtex", "x"), "can't be asked for papers over the network"),
        (("fetch", "crossref", "10.5555/x"), "`octavo enrich --from crossref`"),
        (("fetch", "pmlr"), "Missing argument"),
        (("sync", "nowhere"), "There is no source 'nowhere'"),
        (("sync", "pmlr"), "wants nothing of pmlr"),
        (("enrich",), "No paper was named"),
        (("enrich", "--id", "2101.00010", "--all"), "can't be looked up together"),
        (("enrich", "--all", "--from", "pmlr"), "can't be asked about papers"),
        (("sources", "nowhere"), "There is no source 'nowhere'"),
        (("log", "0"), "Invalid value"),
    ],
)
def test_what_cannot_be_understood_exits_with_2(invoke: Invoke, words: tuple[str, ...], said: str) -> None:
    found = invoke(*words)
    assert found.exit_code == 2
    assert said in found.stderr
    assert found.stdout == ""


def test_sources_lists_all_with_what_can_be_asked(invoke: Invoke, configured: Path) -> None:
    found = invoke("sources")
    assert found.exit_code == 0
    assert "never asked for" in found.stdout
    assert "cs.LG" in found.stdout
    one = invoke("sources", "pmlr").stdout
    assert one.startswith("pmlr · ")
    assert "terms" in one
    assert "pace" in one
    told = json.loads(invoke("sources", "--json").stdout)["sources"]
    assert {"arxiv", "openreview", "pmlr", "acl", "mlanthology", "dblp"} <= {one["name"] for one in told if one["asks"]}


def test_the_log_has_each_run_and_what_it_skipped(invoke: Invoke, configured: Path, tmp_path: Path) -> None:
    assert invoke("log").exit_code == 1
    (tmp_path / "bad.jsonl").write_text('{"source": "a", "key": "b", "title": "Tiles"}\n{broken\n')
    invoke("add", tmp_path / "bad.jsonl")
    invoke("sync")
    found = invoke("log")
    assert [line.split()[0] for line in found.stdout.splitlines() if line.strip()[:1].isdigit()][:1] == ["2"]
    assert "jsonl" in found.stdout
    assert "arxiv cs.LG" in found.stdout
    whole = invoke("log", "1")
    assert "skipped: bad.jsonl, line 2: broken JSON" in whole.stdout
    assert json.loads(invoke("log", "1", "--json").stdout)["runs"][0]["faults"][0]["reason"] == "broken JSON"
    assert invoke("log", "99").exit_code == 1


def test_enrich_says_when_nothing_is_known_of_a_paper(invoke: Invoke) -> None:
    found = invoke("enrich", "--id", "2101.00010")
    assert found.exit_code == 1
    assert "No paper with arxiv:2101.00010" in found.stderr


def test_many_good_days_are_one_line_and_a_bad_one_its_own() -> None:
    days = [DayView(f"2031-05-{n:02}", "complete", {"new": 2, "cross": 1}) for n in range(1, 8)]
    days[3] = DayView("2031-05-04", "empty", {})
    days += [DayView("2031-05-08", "stale", {"new": 1}, ("The feed still has the papers of 2031-05-07.",))]
    lines = ["".join(text for text, _ in line) for line in day_lines(days)]
    assert lines == [
        "2031-05-01 to 2031-05-07  6 days complete, 1 without announcement  12 new, 6 cross-listed",
        "2031-05-08  stale  1 new. The feed still has the papers of 2031-05-07.",
    ]


def test_counts_leave_out_what_is_nothing() -> None:
    assert counts_of({"new_papers": 1, "added": 2, "updated": 0, "skipped": 1}) == "1 new paper, 2 added, 1 skipped"
    assert counts_of({"added": 0}) == "nothing new"
