"""Measuring how well topics are told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, MissingFileError
from octavo.topics.evaluate import Guess, Rate, agreement, confusions, kappa, rates, read_labels
from octavo.topics.tree import bundled_tree

TREE = bundled_tree()
LABELS = Path(__file__).parents[2] / "benchmarks" / "topics" / "labels.jsonl"


def one(topic: str, *also: str, below: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"area": TREE.area(TREE[topic]).slug, "topic": topic, "also": list(also), "tasks_methods": list(below)}


LINES: list[dict[str, Any]] = [
    {"identifiers": ["doi:10.5555/a"], "title": "A", "split": "tune", "passes": [one("privacy"), one("privacy")]},
    {"title": "B", "split": "test", "passes": [one("fairness", "privacy"), one("game-theory", "fairness")]},
    {"title": "C", "split": "test", "passes": [one("fairness", "game-theory"), one("game-theory")]},
    {"title": "D", "split": "test", "abstract": "Tiles.", **one("segmentation", below=("quantization",))},
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, LINES)) + "\n\n", encoding="utf-8")
    return path


def test_a_line_has_one_reader_or_several(path: Path) -> None:
    found = read_labels(path, TREE)
    assert [len(paper.labels) for paper in found] == [2, 2, 2, 1]
    assert [paper.line for paper in found] == [1, 2, 3, 4]
    assert found[3].abstract == "Tiles."
    assert [paper.title for paper in read_labels(path, TREE, "test")] == ["B", "C", "D"]


def test_the_first_choice_is_the_one_that_the_other_reader_finds_right(path: Path) -> None:
    assert [paper.first for paper in read_labels(path, TREE)] == ["privacy", "fairness", "game-theory", "segmentation"]
    assert read_labels(path, TREE)[1].topics == {"fairness", "game-theory"}
    assert read_labels(path, TREE)[1].fitting == {"fairness", "game-theory", "privacy"}


def test_rates_count_what_was_told(path: Path) -> None:
    papers = read_labels(path, TREE)
    guesses = [
        Guess("social-aspects", ("privacy", "fairness")),
        Guess("theory", ("privacy", "semantics", "game-theory"), is_said=False),
        Guess("", ()),
        Guess("deep-learning", ("quantum-and-neuromorphic-computing",), below=("quantization", "pruning")),
    ]
    found = {name: (rate.hits, rate.of) for name, rate in rates(papers, guesses).items()}
    assert found == {
        "area": (2, 4), "topic": (1, 4), "topic_strict": (1, 4), "within_three": (2, 4), "fits": (2, 4), "said": (2, 4),
        "said_right": (1, 2), "said_fits": (1, 2), "below_right": (1, 2), "below_found": (1, 1),
    }  # fmt: skip
    assert confusions(papers, guesses) == [("social-aspects", "", 1), ("computer-vision", "deep-learning", 1)]


def test_agreement_is_measured_where_two_read(path: Path) -> None:
    found = agreement(read_labels(path, TREE))
    assert found is not None
    assert (found.topic.hits, found.topic.of, found.area.hits) == (1, 3, 1)
    assert agreement(read_labels(path, TREE)[3:]) is None


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40))
def test_kappa_is_one_only_when_all_agree(pairs: list[tuple[str, str]]) -> None:
    found = kappa(pairs)
    assert -1 <= found <= 1
    assert (found == 1) == all(one == other for one, other in pairs)


@given(st.integers(0, 500), st.integers(1, 500))
def test_an_interval_holds_its_share(hits: int, more: int) -> None:
    rate = Rate(hits, hits + more)
    low, high = rate.interval
    assert 0 <= low <= rate.value <= high <= 1


def test_an_interval_is_that_of_wilson() -> None:
    assert Rate(81, 100).interval == pytest.approx((0.7222, 0.8749), abs=1e-4)
    assert Rate(0, 0).interval == (0.0, 1.0)


@pytest.mark.parametrize(
    "line", ["nothing", "[1]", '{"title": "A"}', '{"area": "theory", "topic": "alchemy"}', '{"passes": [3]}']
)
def test_a_line_is_refused_with_its_number_when_it_is_no_label(tmp_path: Path, line: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(json.dumps(LINES[0]) + "\n" + line, encoding="utf-8")
    with pytest.raises(FormatError, match="line 2"):
        read_labels(path, TREE)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match="no file"):
        read_labels(tmp_path / "none.jsonl", TREE)
    with pytest.raises(FormatError, match="can't be read"):
        read_labels(tmp_path, TREE)


def test_the_labels_of_this_repository_can_be_read_and_hold_no_abstract() -> None:
    found = read_labels(LABELS, TREE)
    assert len(found) == 967
    assert len(read_labels(LABELS, TREE, "test")) == 327
    assert all(paper.identifiers and not paper.abstract for paper in found)
    assert {len(paper.labels) for paper in found if paper.split == "test"} == {2}
