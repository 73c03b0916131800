"""Search with Chinese queries over a few made-up papers in English."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.records.codec import encode_record
from tests.world import record

PAPERS = {
    "Kite Flying on a Robotic Arm by Reinforcement Learning": "An agent learns to fly kites on a robotic arm.",
    "Reinforcement Learning of Whistling": "Birds are taught to whistle.",
    "A Robotic Arm That Bakes": "Bread is kneaded by a robotic arm with tactile sensing.",
    "Faster Inference of LLMs in Teapots": "We accelerate LLM inference with steam.",
    "Reasoning of LLMs about Teapots": "Teapots are hard to reason about.",
    "Graphs of Honey": "We study graph neural networks on honeycombs for node classification.",
    "风筝的飞行": "本文讨论风筝。",
}


@pytest.fixture(scope="module")
def kites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    folder: Path = tmp_path_factory.mktemp("kites")
    file = folder / "kites.jsonl"
    records = [
        record("pmlr", f"v900/k{at}", title, abstract=text, venue="KITE", year=2030 + at)
        for at, (title, text) in enumerate(PAPERS.items())
    ]
    file.write_text("".join(encode_record(one) + "\n" for one in records), encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", file)
        yield octavo


def titles(octavo: Octavo, query: str) -> list[str]:
    return [hit.paper.title for hit in octavo.search(query).hits]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("强化学习 机械臂", "Kite Flying on a Robotic Arm by Reinforcement Learning"),
        ("強化學習在機械臂上的應用", "Kite Flying on a Robotic Arm by Reinforcement Learning"),
        ("LLM 推理 加速", "Faster Inference of LLMs in Teapots"),
        ("图神经网络的节点分类方法研究", "Graphs of Honey"),
        ("机械臂 触觉 year:2032", "A Robotic Arm That Bakes"),
        ("标题:推理", "Reasoning of LLMs about Teapots"),
        ("风筝的飞行", "风筝的飞行"),
        ("“风筝”", "风筝的飞行"),
    ],
)
def test_paper_with_most_of_the_terms_is_first(kites: Octavo, query: str, first: str) -> None:
    assert titles(kites, query)[0] == first


def test_notes_say_which_english_words_were_searched(kites: Octavo) -> None:
    (note,) = kites.search("强化学习").notes
    assert note == "Searched in English too: 强化学习 as reinforcement learning or RL."


def test_notes_name_what_is_not_known(kites: Octavo) -> None:
    view = kites.search("甲乙丙 强化学习")
    assert "No English is known for 甲乙丙: searched as written." in view.notes
    assert len(view.hits) == 2
    assert view.hits[0].paper.title in list(PAPERS)[:2]


def test_notes_say_when_not_all_terms_were_found(kites: Octavo) -> None:
    view = kites.search("强化学习 图神经网络 机械臂 触觉 水下 翻译")
    assert any("No paper has all of these terms" in note for note in view.notes)
    assert view.hits


def test_notes_say_what_quotes_ask_for(kites: Octavo) -> None:
    view = kites.search("“强化学习”")
    assert view.total == 0
    assert view.notes == ("Quotes ask for the Chinese words themselves; without them English is searched too.",)


def test_quotes_within_chinese_prose_do_not_hide_papers(kites: Octavo) -> None:
    assert titles(kites, "机械臂的“触觉感知”问题")[0] == "A Robotic Arm That Bakes"


def test_filters_hold_when_a_query_is_widened(kites: Octavo) -> None:
    view = kites.search("强化学习 图神经网络 year:2035")
    assert [hit.paper.title for hit in view.hits] == ["Graphs of Honey"]


def test_strict_search_takes_chinese(kites: Octavo) -> None:
    assert kites.search("强化学习", strict=True).total == kites.search("强化学习").total


def test_pages_of_a_widened_search_join(kites: Octavo) -> None:
    whole = [hit.paper.id for hit in kites.search("强化学习 机械臂", 10).hits]
    parts = [hit.paper.id for at in range(len(whole)) for hit in kites.search("强化学习 机械臂", 1, at).hits]
    assert parts == whole
