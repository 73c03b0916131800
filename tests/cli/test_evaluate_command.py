"""`octavo evaluate search` and `related`, on a made-up judged set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from octavo.app import Octavo
from tests.cli.conftest import Invoke
from tests.cli.judged import DOCUMENTS, QRELS, write_lines, write_set


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_set(tmp_path_factory.mktemp("judged") / "tiles")


def measured(told: dict[str, Any], group: int = 0) -> dict[str, dict[str, float]]:
    """Each way's measures."""
    return {
        way["way"]: {name: one["value"] for name, one in way["measures"].items()}
        for way in told["groups"][group]["ways"]
    }


def test_search_is_measured_in_every_way_when_none_is_named(invoke: Invoke, folder: Path) -> None:
    told = json.loads(invoke("evaluate", "search", folder, "--json").stdout)
    assert (told["documents"], told["queries"], told["judgements"]) == (6, 5, 6)
    found = measured(told)
    assert list(found) == ["hybrid", "words", "meaning", "rrf"]
    assert list(found["words"]) == ["ndcg@10", "recall@10", "recall@100", "mrr"]
    # Each query has words that its answer alone has, so that BM25 has it first.
    assert found["words"]["mrr"] == 1.0
    assert found["hybrid"]["mrr"] == 1.0
    assert [one["way"] for one in told["speed"]] == ["hybrid", "words", "meaning"]
    assert told["left_out"]["unjudged_queries"] == {"count": 1, "first": ["x9:short"]}


def test_documents_stay_apart_when_they_are_alike(invoke: Invoke, folder: Path, tmp_path: Path) -> None:
    told = json.loads(invoke("evaluate", "search", folder, "--way", "words", "--json").stdout)
    assert told["documents"] == len(DOCUMENTS)  # two of them are word for word the same
    twins = write_set(
        tmp_path,
        queries=[{"id": "q", "text": "slow tiles patience"}],
        qrels="q\tt2\t1\nq\tt3\t1\n",
    )
    found = measured(json.loads(invoke("evaluate", "search", twins, "--way", "words", "--json").stdout))
    assert found["words"] == {"ndcg@10": 1.0, "recall@10": 1.0, "recall@100": 1.0, "mrr": 1.0}


def test_queries_are_told_by_kind_when_their_ids_end_in_one(invoke: Invoke, folder: Path) -> None:
    told = json.loads(invoke("evaluate", "search", folder, "--way", "words", "--json").stdout)
    assert [(one["name"], one["queries"]) for one in told["groups"]] == [(None, 5), ("long", 3), ("short", 2)]


def test_ways_are_those_named_when_some_are(invoke: Invoke, folder: Path) -> None:
    told = json.loads(invoke("evaluate", "search", folder, "--way", "rrf", "--json").stdout)
    assert list(measured(told)) == ["rrf"]
    assert told["groups"][0]["ways"][0]["differences"] == {}  # words were not asked for
    told = json.loads(invoke("evaluate", "search", folder, "--way", "meaning", "--way", "words", "--json").stdout)
    assert list(measured(told)) == ["meaning", "words"]
    meaning, words = told["groups"][0]["ways"]
    assert words["differences"] == {}
    more = meaning["measures"]["mrr"]["value"] - words["measures"]["mrr"]["value"]
    assert meaning["differences"]["mrr"]["value"] == pytest.approx(more, abs=1e-4)


def test_figures_are_the_same_when_measured_again(invoke: Invoke, folder: Path) -> None:
    args = ("evaluate", "search", folder, "-n", "3", "--way", "hybrid", "--json")
    first, second = (json.loads(invoke(*args, "--seed", "5").stdout) for _ in range(2))
    assert first["queries"] == 3
    assert first["groups"] == second["groups"]


def test_the_table_names_ways_measures_and_what_was_left_out(invoke: Invoke, tmp_path: Path) -> None:
    folder = write_set(tmp_path, qrels=QRELS + "broken line\nt1:long\tgone\t1\n")
    result = invoke("evaluate", "search", folder)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert "6 documents, 5 queries, 7 judgements" in lines[0]
    assert lines[2].split() == ["nDCG@10", "recall@10", "recall@100", "MRR"]
    assert [line.split()[0] for line in lines[3:10]] == [
        "hybrid",
        "-words",
        "words",
        "meaning",
        "-words",
        "rrf",
        "-words",
    ]
    assert "linear" in result.stdout
    assert "Skipped: 1 line, not query id, document id and grade: qrels.tsv, line 9 (broken line)" in " ".join(
        result.stdout.split()
    )
    assert "1 judged answers that are not in the corpus, which every way misses: gone" in " ".join(
        result.stdout.split()
    )
    assert max(map(len, lines)) <= 120


@pytest.mark.parametrize("args", [("--way", "smell"), ("-n", "0"), ("--seed", "-1"), ("--split", "nowhere")])
def test_search_is_refused_when_an_option_is_wrong(invoke: Invoke, folder: Path, args: tuple[str, ...]) -> None:
    result = invoke("evaluate", "search", folder, *args, "--json")
    assert result.exit_code in (2, 3)
    assert json.loads(result.stderr)["error"]["message"]


def test_search_is_refused_when_the_folder_is_no_set(invoke: Invoke, tmp_path: Path) -> None:
    result = invoke("evaluate", "search", tmp_path)
    assert result.exit_code == 3
    assert "has no corpus.jsonl" in " ".join(result.stderr.split())
    write_lines(write_set(tmp_path) / "corpus.jsonl", [{"id": "x"}])
    result = invoke("evaluate", "search", tmp_path)
    assert result.exit_code == 2
    assert "no document" in result.stderr


def test_the_readers_catalogue_stays_as_it_is_when_search_is_measured(
    invoke: Invoke, folder: Path, tmp_path: Path
) -> None:
    assert invoke("--home", tmp_path / "none", "evaluate", "search", folder, "--way", "words").exit_code == 0
    assert not (tmp_path / "none").exists()


RELATED = """q\td\tgrade
t1\tt2\t3
t1\tt3\t2
t1\tq1\t0
t1\tq2\t0
t1\tt1\t3
q1:stone\tq2\t1
q1:stone\tt1\t0
q1:stone\tm1\t0
free\tm1\t1
free\tq1\t0
nowhere\tt1\t1
"""


def test_related_papers_are_measured_when_queries_are_documents_or_texts(invoke: Invoke, tmp_path: Path) -> None:
    queries = [
        {"id": "t1"},
        {"id": "q1:stone"},
        {"id": "free", "text": "mosaics put together by chance"},
        {"id": "nowhere"},
    ]
    folder = write_set(tmp_path, queries=queries, qrels=RELATED)
    told = json.loads(invoke("evaluate", "related", folder, "--json").stdout)
    assert told["queries"] == 3
    assert told["judgements"] == 4  # a paper is no answer to itself
    assert list(measured(told)["related"]) == ["ndcg%20", "ndcg@10", "map"]
    assert told["left_out"]["reasons"] == {"a query that is no document and has no text": 1}
    assert measured(told)["related"]["ndcg@10"] > 0.5
    assert "NDCG%20" in invoke("evaluate", "related", folder).stdout


def test_related_papers_are_measured_when_there_are_no_queries_but_judgements(invoke: Invoke, tmp_path: Path) -> None:
    folder = write_set(tmp_path, qrels="t1\tt2\t1\nq1\tq2\t1\n")
    (folder / "queries.jsonl").unlink()
    told = json.loads(invoke("evaluate", "related", folder, "--json").stdout)
    assert told["queries"] == 2
    assert "ndcg%20" not in measured(told)["related"]  # no candidate was judged to be none


@pytest.mark.parametrize("group", ["evaluate", "config"])
def test_a_group_alone_is_an_error_in_json_when_json_is_asked_for(invoke: Invoke, group: str) -> None:
    result = invoke(group, "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    error = json.loads(result.stderr)["error"]
    assert error["kind"] == "usage"
    assert error["message"].startswith("Name what to")
    assert "Usage:" in invoke(group).stdout


@pytest.mark.real
@pytest.mark.parametrize(("name", "documents", "queries"), [("scitldr", 3229, 975), ("zh2en", 12001, 382)])
def test_sets_are_read_whole_when_they_are_real(shared: Path, name: str, documents: int, queries: int) -> None:
    from octavo.evaluating import read_set

    judged = read_set(shared / "eval" / name)
    assert (sum(1 for _ in judged.documents()), len(judged.chosen(0))) == (documents, queries)
    assert not judged.reasons


@pytest.mark.real
def test_hybrid_search_is_not_below_words_when_the_set_is_real(shared: Path) -> None:
    view = Octavo.evaluate_search(shared / "eval" / "scitldr", ways=("hybrid", "words"), most=150)
    hybrid, words = view.groups[0].ways
    assert hybrid.differences["ndcg@10"].high > 0
    assert words.measures["ndcg@10"].value > 0.7
