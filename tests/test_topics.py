"""Topics through the facade: told, counted, found, corrected, learnt, measured."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import FormatError, NotFound, TreeError, UsageError

PAPERS = [
    ("2101.30001", "Neural Machine Translation of Quarry Manuals",
     ("We translate manuals of quarries from Welsh into English. Our encoder and decoder learn from parallel sentences, "
     "and a bilingual lexicon helps with rare words. On two test sets the translations gain four BLEU points.")),
    ("2101.30002", "Neural Translation of Manuals for Quarries",
     ("From Welsh into English we translate manuals for small quarries. The encoder and decoder learn from two thousand "
     "parallel sentences; rare words come from a bilingual lexicon. The translations gain two BLEU points on a test "
     "set.")),
    ("2101.30003", "A Robot Arm that Grasps Loose Tiles",
     ("Grasping loose tiles is hard for a robot arm. We plan grasps with a two-finger gripper from depth images and feel "
     "slip with tactile sensors. The arm picks nine of ten tiles in clutter.")),
    ("2101.30004", "Fliesen", "Wir legen Fliesen auf alte Böden und prüfen, ob sie nach einem Jahr noch halten."),
]  # fmt: skip
WELSH, SMALL, ARM, FLIESEN = (f"arXiv:{number}" for number, _, _ in PAPERS)


def fill(home: Path) -> Octavo:
    lines = [
        {"source": "tiles", "key": number, "title": title, "abstract": abstract, "identifiers": [f"arxiv:{number}"]}
        for number, title, abstract in PAPERS
    ]
    path = home.parent / "papers.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
    octavo = Octavo(home)
    octavo.add("jsonl", path)
    return octavo


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    """A home that is not written to."""
    with fill(tmp_path_factory.mktemp("topics") / "home") as octavo:
        yield octavo


@pytest.fixture
def octavo(tmp_path: Path) -> Iterator[Octavo]:
    with fill(tmp_path / "home") as octavo:
        yield octavo


def topics(octavo: Octavo, name: str) -> list[str]:
    return [one.topic.node.slug for one in octavo.topics_of(name).topics]


def found(octavo: Octavo, query: str) -> set[str]:
    return {f"arXiv:{hit.paper.identifiers[0].value}" for hit in octavo.search(query, way="words").hits}


def test_a_paper_says_its_topics_and_where_they_are_from(kept: Octavo) -> None:
    view = kept.topics_of(WELSH)
    assert view.main is not None
    assert view.main.topic.trail == ("Natural Language Processing", "Machine Translation")
    assert view.main.topic.address == "/topic/natural-language-processing/machine-translation"
    assert (view.main.origin, view.is_corrected, view.gone, view.taught_by) == ("text", False, (), 0)
    assert 0.5 < view.main.confidence <= 1
    assert kept.topics_of(view.paper) == view
    assert kept.topics_of(FLIESEN).topics == ()


def test_topics_are_searched_and_counted(kept: Octavo) -> None:
    assert found(kept, "topic:machine-translation") == {WELSH, SMALL}
    assert found(kept, "topic:NLP") == {WELSH, SMALL}
    assert found(kept, "topic:机器人学") == {ARM}
    assert found(kept, "term:BLEU") == {WELSH, SMALL}
    facets = dict(kept.search("topic:nlp", facets=("topic",)).facets["topic"])
    assert facets["machine-translation"] == 2


def test_the_tree_has_counts(kept: Octavo) -> None:
    view = kept.topic_tree()
    counts = {topic.node.slug: topic.count for topic in view.topics}
    assert (counts["natural-language-processing"], counts["machine-translation"], counts["robotics"]) == (2, 2, 1)
    assert counts["robotics-applications"] == counts["robotics"], "it is counted as the other"
    assert (view.papers, view.with_topic) == (4, 3)
    assert len(view.topics) == len({topic.node.slug for topic in view.topics}) > 300
    below = kept.topic_tree("机器翻译")
    assert below.root is not None
    assert below.root.node.slug == "machine-translation"
    assert {topic.node.parent for topic in below.topics} == {"machine-translation"}


def test_an_empty_home_has_a_tree_without_counts(tmp_path: Path) -> None:
    with Octavo(tmp_path / "nothing") as octavo:
        view = octavo.topic_tree()
    assert (view.papers, view.with_topic) == (0, 0)
    assert not (tmp_path / "nothing").exists()
    assert {topic.count for topic in view.topics} == {0}


def test_a_topic_that_there_is_not_is_refused_with_near_names(kept: Octavo) -> None:
    with pytest.raises(NotFound, match="Machine Translation"):
        kept.topic_tree("Machin Translatoin")
    with pytest.raises(NotFound, match="octavo topics"):
        kept.topic_tree("zzzzzz")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '[a]\nkind = "topic"\nparent = "b"\nname = "A"\nname_zh = "甲"\ndefinition = "x"\ndefinition_zh = "y"\n',
            "line",
        ),
        ("[a\n", "line 1"),
        ('[a]\nkind = "area"\n', "line 1"),
    ],
)
def test_a_broken_tree_is_refused_with_its_line(kept: Octavo, tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "tree.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TreeError, match=said):
        kept.topic_tree(tree_file=path)


def test_a_correction_outranks_is_found_and_teaches(octavo: Octavo) -> None:
    view = octavo.correct_topics(WELSH, ["Information Retrieval", "信息检索"])
    assert (view.is_changed, view.retold) == (True, 1)
    assert topics(octavo, WELSH) == ["information-retrieval"]
    assert octavo.topics_of(WELSH).is_corrected
    assert "information-retrieval" in topics(octavo, SMALL), "it is near, and no source says a topic"
    assert octavo.topics_of(SMALL).taught_by == 1
    assert found(octavo, "topic:information-retrieval") == {WELSH, SMALL}
    assert topics(octavo, ARM)[0] == "robot-manipulation"
    assert not octavo.correct_topics(WELSH, ["information-retrieval"]).is_changed


def test_a_correction_is_there_after_a_rebuild_and_in_what_comes_later(octavo: Octavo, tmp_path: Path) -> None:
    octavo.correct_topics(WELSH, ["Information Retrieval"])
    octavo.rebuild()
    assert found(octavo, "topic:information-retrieval") == {WELSH, SMALL}
    more = {"source": "tiles", "key": "x", "identifiers": ["arxiv:2101.30009"]}
    more |= {"title": "Again, Machine Translation of Quarry Manuals", "abstract": PAPERS[0][2].replace("four", "two")}
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps(more), encoding="utf-8")
    octavo.add("jsonl", path)
    assert "arXiv:2101.30009" in found(octavo, "topic:information-retrieval")


def test_a_correction_can_be_taken_back(octavo: Octavo) -> None:
    before = topics(octavo, WELSH), topics(octavo, SMALL)
    octavo.correct_topics(WELSH, [])
    assert topics(octavo, WELSH) == []
    assert found(octavo, "topic:machine-translation") == {SMALL}
    assert octavo.forget_topics(WELSH).is_changed
    assert (topics(octavo, WELSH), topics(octavo, SMALL)) == before
    assert found(octavo, "topic:machine-translation") == {WELSH, SMALL}
    assert not octavo.forget_topics(WELSH).is_changed


def test_a_correction_to_a_topic_that_is_gone_is_told(octavo: Octavo) -> None:
    from octavo.catalogue import Database
    from octavo.catalogue.topics import Corrections
    from octavo.config import catalogue_path

    database = Database(catalogue_path(octavo.home))
    Corrections(database).correct(octavo.topics_of(WELSH).paper.id, ["alchemy", "fairness"])
    database.close()
    view = octavo.topics_of(WELSH)
    assert [one.topic.node.slug for one in view.topics] == ["fairness"]
    assert view.gone == ("alchemy",)


def test_a_correction_needs_a_paper_and_topics_that_there_are(octavo: Octavo) -> None:
    with pytest.raises(NotFound, match="no topic 'alchemy'"):
        octavo.correct_topics(WELSH, ["alchemy"])
    with pytest.raises(NotFound):
        octavo.correct_topics("arXiv:2101.39999", ["fairness"])
    with pytest.raises(UsageError, match="too many"):
        octavo.correct_topics(WELSH, ["fairness"] * 7)
    assert not octavo.topics_of(WELSH).is_corrected


def test_labels_are_measured_on_papers_of_the_catalogue_or_of_the_file(kept: Octavo, tmp_path: Path) -> None:
    nlp = {"area": "natural-language-processing", "topic": "machine-translation"}
    lines = [
        {"identifiers": [WELSH], "title": PAPERS[0][1], "split": "one", "passes": [nlp, nlp]},
        {"title": PAPERS[2][1], "abstract": PAPERS[2][2], "area": "robotics", "topic": "robot-manipulation"},
        {"identifiers": [FLIESEN], "title": "Fliesen", "area": "robotics", "topic": "locomotion"},
        {"identifiers": ["arXiv:2101.39999"], "title": "Gone", **nlp},
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    view = kept.evaluate_topics(path)
    assert (view.papers, view.missing) == (3, ("arXiv:2101.39999",))
    for way in ("all", "text"):
        rates = view.ways[way]
        assert (rates["area"].hits, rates["topic"].hits, rates["said"].hits, rates["topic"].of) == (2, 2, 2, 3)
    assert [one[0] for one in view.wrong] == [3]
    assert view.agreement is not None
    assert view.agreement.topic.value == 1
    assert kept.evaluate_topics(path, split="one").papers == 1
    with pytest.raises(UsageError, match="None of the 0"):
        kept.evaluate_topics(path, split="two")
    path.write_text("{}", encoding="utf-8")
    with pytest.raises(FormatError, match="line 1"):
        kept.evaluate_topics(path)
