"""What papers are about, told from their text with the model that comes with Octavo. All texts are made up."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from octavo.index.topical import (
    LESSONS,
    Topical,
    held_with_topics,
    read_lessons,
    stamp_of,
    write_lessons,
)
from octavo.records.paper import Paper, PaperId

TRANSLATION = Paper(
    PaperId("paaaaaaaaaaaa"), "Neural Machine Translation of Quarry Manuals", (),
    abstract="We translate manuals of quarries from Welsh into English. Our encoder and decoder learn from parallel "
    "sentences, and a bilingual lexicon helps with rare words. On two test sets the translations gain four BLEU points.",
)  # fmt: skip
GRIPPER = Paper(
    PaperId("pbbbbbbbbbbbb"), "A Robot Arm that Grasps Loose Tiles", (),
    abstract="Grasping loose tiles is hard for a robot arm. We plan grasps with a two-finger gripper from depth images "
    "and feel slip with tactile sensors. The arm picks nine of ten tiles in clutter.",
)  # fmt: skip


def slugs(paper: Paper, topical: Topical | None = None) -> list[str]:
    return [one.slug for one in (topical or Topical()).about([paper])[0].topics]


def test_a_text_says_what_it_is_about() -> None:
    one, other = Topical().about([TRANSLATION, GRIPPER])
    assert (one.topics[0].slug, one.topics[0].origin) == ("machine-translation", "text")
    assert other.topics[0].slug == "robot-manipulation"
    assert {"tactile-sensing"} <= {topic.slug for topic in other.topics}
    assert "machine-translation" in one.terms


@pytest.mark.parametrize(
    ("title", "abstract"),
    [
        ("Neue Kacheln für alte Böden", ("Wir legen Kacheln auf alte Böden und prüfen, ob sie nach einem Jahr noch "
         "halten. Die Versuche wurden in zwölf Häusern durchgeführt, und die Ergebnisse sind gut.")),
        ("瓷砖铺设的新方法", "我们研究如何在旧地板上铺设瓷砖，并在十二所房屋中进行了试验，结果良好。"),
        ("Tiles stay put", ""),
        ("", "tiles stay put"),
        ("", r"$\alpha^2+\beta^2=\int_0^1 \gamma(x) dx$ and \[\sum_i \theta_i\] \rho \sigma"),
        ("", r"$x_{i+1} = x_i - \eta \nabla f(x_i)$, $\|x\|_2 \le 1$"),
        ("", ""),
        ("\x00\ud7ff", "\u200b" * 50),
    ],
)  # fmt: skip
def test_nothing_is_guessed_when_the_text_says_too_little(title: str, abstract: str) -> None:
    assert slugs(Paper(PaperId("pcccccccccccc"), title, (), abstract=abstract)) == []


def test_sources_still_count_when_the_text_says_nothing() -> None:
    paper = Paper(PaperId("pdddddddddddd"), "瓷砖", (), abstract="瓷砖。", topics=(("Deep Learning", "Robustness"),))
    assert slugs(paper) == ["robustness"]
    assert slugs(replace(paper, topics=(), categories=("cs.RO",))) == ["robotics"]


def test_papers_told_together_get_what_each_gets_alone() -> None:
    together = Topical().about([TRANSLATION, GRIPPER, TRANSLATION])
    assert together[0] == together[2]
    assert [[one.slug for one in about.topics] for about in together[:2]] == [slugs(TRANSLATION), slugs(GRIPPER)]


def test_a_correction_outranks_the_text() -> None:
    (about,) = Topical().about([TRANSLATION], {TRANSLATION.id: ("privacy",)})
    assert [(one.slug, one.origin) for one in about.topics] == [("privacy", "reader")]


def test_a_correction_teaches_its_neighbours_only() -> None:
    topical = Topical()
    near = replace(TRANSLATION, id=PaperId("peeeeeeeeeeee"), title="Machine Translation of Quarry Manuals, Again")
    topical.learn([TRANSLATION], [("information-retrieval",)])
    assert "information-retrieval" not in slugs(near)
    assert "information-retrieval" in slugs(near, topical)
    assert slugs(GRIPPER, topical) == slugs(GRIPPER)
    assert [about.n_teachers for about in topical.about([near, GRIPPER])] == [1, 0]


@pytest.mark.parametrize("right", [(), ("alchemy",), ("deep-learning",)])
def test_nothing_is_learnt_when_no_topic_was_given(right: tuple[str, ...]) -> None:
    topical = Topical()
    topical.learn([TRANSLATION], [right])
    assert topical.lessons is None


def test_helper_processes_get_the_lessons(tmp_path: Path) -> None:
    make = pickle.loads(pickle.dumps(partial(held_with_topics, str(tmp_path))))  # as processes do
    near = replace(TRANSLATION, id=PaperId("peeeeeeeeeeee"), title="Machine Translation of Quarry Manuals, Again")
    assert ("topic", "machine-translation") in make([near])[0].texts
    topical = Topical()
    topical.learn([TRANSLATION], [("information-retrieval",)])
    write_lessons(tmp_path, topical.lessons, 7)
    held = make([near])[0]
    assert ("topic", "information-retrieval") in held.texts
    assert ("topic", "data-mining-and-retrieval") in held.texts
    write_lessons(tmp_path, None)
    assert ("topic", "information-retrieval") not in make([near])[0].texts


def test_lessons_are_read_when_they_are_those(tmp_path: Path) -> None:
    topical = Topical()
    topical.learn([TRANSLATION], [("information-retrieval",)])
    stamp = stamp_of({"p": ("a",)})
    assert stamp != stamp_of({"p": ("b",)})
    write_lessons(tmp_path, topical.lessons, stamp)
    assert read_lessons(tmp_path, stamp) is not None
    assert read_lessons(tmp_path, stamp + 1) is None
    (tmp_path / LESSONS).write_bytes(b"nothing of the kind")
    assert read_lessons(tmp_path) is None


def test_the_index_holds_topics_with_all_above_them_and_terms() -> None:
    (held,) = Topical().held([GRIPPER])
    assert ("topic", "robotics") in held.texts
    assert ("topic", "robot-manipulation") in held.texts
    assert any(name == "term" for name, _ in held.texts)


def test_another_encoder_is_used_only_when_the_model_is_for_it() -> None:
    class Other:
        fingerprint = "other"

    assert slugs(TRANSLATION, Topical(encoder=Other)) == slugs(TRANSLATION)  # type: ignore[arg-type]
