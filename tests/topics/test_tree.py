"""The tree of topics: the bundled one, and the reader's own with what is wrong in it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import octavo
from octavo.errors import TreeError, UsageError
from octavo.records.paper import Record
from octavo.records.text import Text
from octavo.sources.page import PageSource
from octavo.topics.naming import Assignment, Naming, lifted, stated
from octavo.topics.nodes import key_of, keys_of
from octavo.topics.tree import KINDS, MAX_DEFINITION, Node, Tree, bundled_tree, load_tree

BUNDLED = Path(octavo.__file__).parent / "data" / "topics"
SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"

TRAILS = (
    "Deep Learning · Generative Models and Autoencoders",
    "Reinforcement Learning",
    "Deep Learning · Large Language Models",
    "Applications · Health / Medicine",
    "Applications · Robotics",
    "Reinforcement Learning · Multi-agent",
    "General Machine Learning · Evaluation",
    "Theory",
    "Deep Learning · Graph Neural Networks",
    "Theory · Online Learning and Bandits",
    "Theory · Deep Learning",
    "Deep Learning · Robustness",
    "Probabilistic Methods · Variational Inference",
    "Social Aspects · Accountability, Transparency, and Interpretability",
    "Optimization · Large Scale, Parallel and Distributed",
    "General Machine Learning · Transfer, Multitask and Meta-learning",
    "General Machine Learning · Sequential, Network, and Time Series Modeling",
    "Reinforcement Learning · Batch/Offline",
    "Reinforcement Learning · Deep RL",
    "Theory · Domain Adaptation and Transfer Learning",
    "Theory · Reinforcement Learning and Planning",
    "Optimization · Zero-order and Black-box Optimization",
    "Optimization · Non-Convex",
    "Applications · Chemistry, Physics, and Earth Sciences",
    "Applications · Language, Speech and Dialog",
    "Applications · Neuroscience, Cognitive Science",
    "Deep Learning · Sequential Models, Time series",
    "Deep Learning · Algorithms",
    "General Machine Learning · Kernel methods",
    "Social Aspects · Robustness",
)
"""Trails as pages of ICML print them."""

WORLD = """
[gardening]
kind = "area"
name = "Gardening"
name_zh = "园艺"
aliases = ["Horticulture", "花园"]
definition = "Growing plants on purpose."
definition_zh = "有意栽培植物。"
near = ["gardening-theory"]
categories = ["gd.GR"]
areas = ["Track of the Soil", "Outdoors"]

[pruning-roses]
kind = "topic"
parent = "gardening"
name = "Pruning Roses"
name_zh = "修剪玫瑰"
aliases = ["PR"]
definition = "Cutting roses so that they flower."
definition_zh = "修剪玫瑰以促其开花。"
keywords = ["secateurs", "thorns"]
areas = ["Outdoors"]

[winter-pruning]
kind = "method"
parent = "pruning-roses"
name = "Winter Pruning"
name_zh = "冬季修剪"
definition = "Doing it in the cold."
definition_zh = "在寒冷时修剪。"
same_as = "pruning-roses"
keywords = ["thorns"]

[thinking]
kind = "area"
name = "Thinking"
name_zh = "思考"
definition = "Sitting still."
definition_zh = "静坐。"

[gardening-theory]
kind = "topic"
parent = "thinking"
name = "Theory of Gardening"
name_zh = "园艺理论"
trail = "Gardening"
definition = "Thinking of plants."
definition_zh = "思考植物。"
"""


@pytest.fixture(scope="module")
def tree() -> Tree:
    return bundled_tree()


@pytest.fixture
def world(tmp_path: Path) -> Tree:
    return load_tree(written(tmp_path, WORLD))


def written(folder: Path, text: str) -> Path:
    path = folder / "tree.toml"
    path.write_text(text, encoding="utf-8")
    return path


def slugs(nodes: tuple[Node, ...]) -> list[str]:
    return [node.slug for node in nodes]


# The bundled tree


def test_bundled_files_are_accepted_when_checked_and_read_fast_alike(tree: Tree) -> None:
    assert load_tree(BUNDLED).nodes == tree.nodes


def test_bundled_tree_is_the_one_loaded_where_no_path_is_given(tree: Tree) -> None:
    assert load_tree() is tree


def test_bundled_tree_is_large_and_of_three_levels(tree: Tree) -> None:
    assert len(tree) >= 300
    depths = {node.kind: {len(tree.ancestors(one)) for one in tree if one.kind == node.kind} for node in tree}
    assert depths == {"area": {0}, "topic": {1}, "task": {2}, "method": {2}}
    assert slugs(tree.areas)[:8] == [
        "deep-learning", "reinforcement-learning", "theory", "optimization", "probabilistic-methods",
        "general-machine-learning", "applications", "social-aspects",
    ]  # fmt: skip


def test_every_bundled_node_is_told_in_both_languages(tree: Tree) -> None:
    for node in tree:
        assert node.kind in KINDS
        assert 30 <= len(node.definition) <= MAX_DEFINITION, node.slug
        assert node.definition.endswith("."), node.slug
        assert 8 <= len(node.definition_zh) <= MAX_DEFINITION, node.slug
        assert node.definition_zh.endswith("。"), node.slug
        assert re.search("[\u4e00-\u9fff]", node.name_zh), node.slug
        assert node.name.isascii(), node.slug
        assert len(node.neighbours) >= 2, node.slug
        assert not set(node.neighbours) & {node.slug, node.parent}, node.slug
        assert node.aliases or node.same_as, node.slug


def test_every_area_has_topics_and_names_of_venues(tree: Tree) -> None:
    for area in tree.areas:
        assert len(tree.children(area)) >= 5
        assert area.venue_areas, area.slug


@pytest.mark.parametrize("trail", TRAILS)
def test_trail_of_a_page_leads_to_a_node_that_is_written_so(tree: Tree, trail: str) -> None:
    names = tuple(trail.split(" · "))
    node = tree.at(names)
    assert node is not None
    assert tree.trail(node) == names
    assert tree.find(trail) == node
    assert [match.node for match in tree.from_area(trail)] == [node]


@pytest.mark.real
@pytest.mark.skipif(not SEEDS.is_dir(), reason="no seeds beside the checkout")
def test_real_trails_are_reproduced(tree: Tree) -> None:
    source = PageSource()
    found = [one for page in source.fetch(SEEDS / "paper-search-zh.txt") for one in source.parse(page)]
    trails = [trail for one in found for trail in getattr(one, "topics", ())]
    assert len(trails) == 20
    nodes = [tree.at(trail) for trail in trails]
    assert [tree.trail(node) if node else None for node in nodes] == trails


@pytest.mark.parametrize(
    ("said", "slug"),
    [
        ("LLM", "large-language-models"),
        ("大模型", "large-language-models"),
        ("large-language models", "large-language-models"),
        ("LARGE LANGUAGE MODEL", "large-language-models"),
        ("大语言模型", "large-language-models"),
        ("large-language-models", "large-language-models"),
        ("强化学习", "reinforcement-learning"),
        ("Nash Equilibria", "equilibrium-computation"),
        ("optimisation", "optimization"),
        ("poincare embeddings", "hyperbolic-learning"),
        ("Theory · Deep Learning", "deep-learning-theory"),
        ("深度学习", "deep-learning"),
        ("CNNs", "convolutional-networks"),
        ("扩散模型", "diffusion-models"),
    ],
)
def test_bundled_node_is_found_when_named_in_any_spelling(tree: Tree, said: str, slug: str) -> None:
    found = tree.find(said)
    assert found is not None
    assert found.slug == slug


@pytest.mark.parametrize("said", ["", " ", "·", "zzz", "the"])
def test_nothing_is_found_when_no_node_is_named(tree: Tree, said: str) -> None:
    assert tree.find(said) is None
    assert tree.from_area(said) == ()
    assert tree.from_keyword(said) == ()
    assert tree.from_category(said) == ()


def test_every_name_of_a_bundled_node_finds_it(tree: Tree) -> None:
    for node in tree:
        for name in (node.slug, node.name, node.name_zh, *node.aliases, " · ".join(tree.trail(node))):
            assert tree.find(name) == node, name


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("foundation or frontier models, including LLMs", {"large-language-models"}),
        ("deep_learning->large_language_models", {"large-language-models"}),
        ("Applications -> Health / Medicine", {"health-medicine"}),
        ("Computer Vision III", {"computer-vision"}),
        ("SNLP: Machine Translation & Multilinguality", {"machine-translation"}),
        ("Syntax: Tagging, Chunking and Parsing", {"syntax-and-parsing"}),
        ("reinforcement_learning", {"reinforcement-learning"}),
        ("Deep Learning->Theory", {"deep-learning-theory"}),
        ("Game Theory and Economic Paradigms", {"game-theory"}),
        ("Theory->Everything Else", {"theory"}),
        ("deep_learning->everything_else", {"deep-learning"}),
        ("Computer Vision->Segmentation", {"segmentation"}),
        ("general_machine_learning->transfer_multitask_and_metalearning", {"transfer-multitask-and-meta-learning"}),
        ("Fairness, Equity, Justice and Safety", {"fairness", "safety"}),
        ("Hedges->Everything Else", set()),
        ("Regular Papers", set()),
        ("Oral", set()),
    ],
)
def test_venue_area_maps_to_nodes(tree: Tree, said: str, expected: set[str]) -> None:
    assert {match.node.slug for match in tree.from_area(said)} == expected


@pytest.mark.parametrize(
    ("said", "first", "least", "most"),
    [
        ("Graph Neural Network", "graph-neural-networks", 1.0, 1.0),
        ("Large Language Models (LLMs)", "large-language-models", 0.6, 0.9),
        ("graph neural network pruning", "graph-neural-networks", 0.3, 0.6),
        ("neural network quantization of weights", "quantization", 0.3, 0.6),
        ("sample efficiency", "deep-rl", 0.7, 0.9),
        ("atari", "deep-rl", 0.4, 0.6),
        ("deep learning", "deep-learning", 1.0, 1.0),
        ("tasteful deep learning", "deep-learning", 0.1, 0.4),
    ],
)
def test_keyword_maps_to_nodes_by_how_plainly_it_names_them(
    tree: Tree, said: str, first: str, least: float, most: float
) -> None:
    match = tree.from_keyword(said)[0]
    assert match.node.slug == first
    assert least <= match.strength <= most


def test_category_says_less_when_half_of_all_papers_have_it(tree: Tree) -> None:
    assert [match.node.slug for match in tree.from_category("cs.RO")] == ["robotics"]
    assert max(match.strength for match in tree.from_category("cs.LG")) < 0.5 < tree.from_category("cs.CV")[0].strength
    archive = "chemistry-physics-and-earth-sciences"
    assert [match.node.slug for match in tree.from_category("astro-ph.GA")] == [archive]


# A tree of the reader's own


def test_tree_tells_what_is_above_and_below(world: Tree) -> None:
    area, topic, method = world["gardening"], world["pruning-roses"], world["winter-pruning"]
    assert slugs(world.areas) == ["gardening", "thinking"]
    assert world.children(area) == (topic,)
    assert world.children(method) == ()
    assert world.descendants(area) == (topic, method)
    assert world.ancestors(method) == (area, topic)
    assert world.ancestors(area) == ()
    assert world.area(method) == area
    assert world.topic(method) == topic
    assert world.topic(area) is None
    assert world.topic(topic) == topic
    assert slugs(world.neighbours(area)) == ["gardening-theory"]
    assert world.address(method) == "/topic/gardening/pruning-roses/winter-pruning"
    assert world.trail_zh(method) == ("园艺", "修剪玫瑰", "冬季修剪")
    assert world.canonical(method) == topic
    assert world.canonical(area) == area
    assert "gardening" in world
    assert "weeding" not in world
    assert world.get("weeding") is None


def test_trail_name_does_not_take_another_nodes_name(world: Tree) -> None:
    assert world.trail(world["gardening-theory"]) == ("Thinking", "Gardening")
    assert world.at(("Thinking", "Gardening")) == world["gardening-theory"]
    assert world.find("Gardening") == world["gardening"]
    assert world.at(("园艺", "修剪玫瑰")) == world["pruning-roses"]
    assert world.at(("Gardening", "Weeding")) is None
    assert world.at(()) is None


def test_words_that_several_nodes_claim_say_each_less(world: Tree) -> None:
    assert [match.strength for match in world.from_area("Track of the soil")] == [1.0]
    shared = world.from_area("outdoors")
    assert [match.node.slug for match in shared] == ["gardening", "pruning-roses"]
    assert all(0.5 < match.strength < 0.8 for match in shared)
    assert world.from_keyword("thorns")[0].strength < world.from_keyword("secateurs")[0].strength


def test_folder_is_read_as_one_tree(tmp_path: Path) -> None:
    first, second = WORLD.split("[thinking]")
    (tmp_path / "b.toml").write_text("[thinking]" + second, encoding="utf-8")
    (tmp_path / "a.toml").write_text(first, encoding="utf-8")
    (tmp_path / "notes.txt").write_text("no tree", encoding="utf-8")
    tree = load_tree(tmp_path)
    assert slugs(tree.areas) == ["gardening", "thinking"]
    assert len(tree) == 5


def test_any_toml_is_read_when_a_reader_writes_it(tmp_path: Path) -> None:
    text = WORLD.replace('"Gardening"\n', "'Gardening' # the name\n", 1).replace('"花园"', "\n  '花园',\n")
    tree = load_tree(written(tmp_path, "\ufeff" + text.replace("\n", "\r\n")))
    assert tree["gardening"].name == "Gardening"
    assert tree["gardening"].aliases == ("Horticulture", "花园")


@pytest.mark.parametrize(
    ("old", "new", "where", "what"),
    [
        ('name = "Pruning Roses"\n', "", "[pruning-roses]", "has no `name`"),
        ('name_zh = "修剪玫瑰"', 'name_zh = " "', 'name_zh = " "', "has no `name_zh`"),
        ('definition = "Sitting still."\n', "", "[thinking]", "has no `definition`"),
        ('definition_zh = "静坐。"\n', "", "[thinking]", "has no `definition_zh`"),
        ("Sitting still.", "x" * 301, 'definition = "xxx', "301 characters"),
        ('name = "Thinking"', 'name = "gardening"', 'name = "gardening"', "names `gardening`"),
        ('aliases = ["PR"]', 'aliases = ["Horti-culture"]', 'aliases = ["Horti-', "names `gardening`"),
        ('aliases = ["PR"]', 'aliases = ["·"]', 'aliases = ["·"]', "holds no letter"),
        ('near = ["gardening-theory"]', 'near = ["weeding"]', 'near = ["weeding"]', "no topic `weeding`"),
        ('same_as = "pruning-roses"', 'same_as = "x"', 'same_as = "x"', "no topic `x`"),
        ('parent = "thinking"', 'parent = "dreaming"', 'parent = "dreaming"', "no topic `dreaming`"),
        ('parent = "thinking"', 'parent = "gardening-theory"', 'parent = "gardening-th', "the topic itself"),
        ('parent = "gardening"', 'parent = "winter-pruning"', 'parent = "winter', "go round: pruning-roses → winter"),
        ('parent = "thinking"\n', "", "[gardening-theory]", "has no `parent`"),
        ('kind = "area"\nname = "Th', 'kind = "area"\nparent = "gardening"\nname = "Th', 'parent = "gardening"\nname = "Th',
         "an area, and has a parent"),
        ('kind = "method"', 'kind = "mood"', 'kind = "mood"', "no kind"),
        ("[thinking]", "[Thinking Hard]", "[Thinking Hard]", "line"),
        ("[thinking]", '["Thinking Hard"]', '["Thinking Hard"]', "no slug"),
        ("[thinking]", "[gardening]", "[gardening]\nkind = \"area\"\nname = \"Th", "a second topic `gardening`"),
        ('name = "Thinking"', 'naem = "Thinking"', 'naem = "Thinking"', "unknown field `naem`"),
        ('name = "Thinking"', "name = 3", "name = 3", "is no text"),
        ('aliases = ["PR"]', 'aliases = "PR"', 'aliases = "PR"', "no list of texts"),
        ('name = "Thinking"', 'name = "Thinking', 'name = "Thinking\n', "line"),
    ],
)  # fmt: skip
def test_bad_tree_is_refused_with_the_file_and_the_line(
    tmp_path: Path, old: str, new: str, where: str, what: str
) -> None:
    text = WORLD.replace(old, new, 1)
    assert text != WORLD
    line = text[: text.index(where)].count("\n") + 1
    with pytest.raises(TreeError, match=re.escape(f"tree.toml, line {line}: ")) as caught:
        load_tree(written(tmp_path, text))
    assert what in str(caught.value)
    assert isinstance(caught.value, UsageError)


def test_two_topics_written_alike_under_one_parent_are_refused(tmp_path: Path) -> None:
    other = '\n[more]\nkind="topic"\nparent="thinking"\nname="More"\nname_zh="更多"\ntrail="gardening"\n'
    with pytest.raises(TreeError, match=r"line 55: `more` is written `gardening` as `gardening-theory` is"):
        load_tree(written(tmp_path, WORLD + other + 'definition="A."\ndefinition_zh="思。"\n'))


def test_slug_taken_in_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text(WORLD, encoding="utf-8")
    (tmp_path / "b.toml").write_text("\n" + WORLD[WORLD.index("[thinking]") :], encoding="utf-8")
    with pytest.raises(
        TreeError, match=r"b\.toml, line 2: a second topic `thinking`; the first is in a\.toml, line 34"
    ):
        load_tree(tmp_path)


@pytest.mark.parametrize(
    ("text", "what"),
    [(b"", "No topics"), (b"# nothing\n", "No topics"), (b"\xff\xfe[", "not UTF-8"), (b"name = 3\n", "line 1: `name`")],
)
def test_file_that_is_no_tree_is_refused(tmp_path: Path, text: bytes, what: str) -> None:
    path = tmp_path / "tree.toml"
    path.write_bytes(text)
    with pytest.raises(TreeError, match=what):
        load_tree(path)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TreeError, match="No such file"):
        load_tree(tmp_path / "none.toml")


# Keys


@given(st.lists(st.text().filter(lambda text: "\n" not in text)))
def test_many_keys_are_what_each_is_alone(texts: list[str]) -> None:
    assert keys_of(texts) == [key_of(text) for text in texts]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Pre-trained Models", "pretrained model", True),
        ("Policies", "policy", True),
        ("Visualisation", "visualization", True),
        ("Corpus", "corpu", False),
        ("GAN", "GANs", True),
        ("Search & Rescue", "search and rescue", True),
        ("图神经网络", "图 神经 网络", True),
        ("loss", "los", False),
    ],
)
def test_spellings_share_a_key(one: str, other: str, same: bool) -> None:
    assert (key_of(one) == key_of(other)) is same


# What sources state


def record(**fields: object) -> Record:
    return Record(source="made-up", key="1", title=Text("On Topiary"), **fields)  # type: ignore[arg-type]


def test_trail_is_trusted_most(tree: Tree) -> None:
    one = record(topics=(("Deep Learning", "Robustness"),), categories=("cs.RO", "cs.CV"), keywords=("planning",))
    found = stated(one)
    assert found[0] == Assignment("robustness", "trail", 0.98, "Deep Learning · Robustness")
    assert {"robotics": "category", "rl-planning": "keyword"}.items() <= {x.slug: x.origin for x in found}.items()
    confidence = {x.slug: x.confidence for x in found}
    assert confidence["robotics"] > confidence["computer-vision"], "the primary category counts more"


def test_area_and_track_are_read_as_the_venue_names_them() -> None:
    assert stated(record(topics=(("interpretability_and_explainability",),)))[0].slug == "interpretability"
    assert stated(record(topics=(("interpretability_and_explainability",),)))[0].origin == "area"
    assert stated(record(topics=(("Theory", "Everything Else"),)))[0][:2] == ("theory", "area")
    assert stated(record(), track="Machine Translation")[0][:2] == ("machine-translation", "track")
    assert stated(record(), track="findings") == ()


def test_two_sources_that_agree_say_more_than_one() -> None:
    one = stated(record(keywords=("diffusion models",)))[0]
    both = stated(record(keywords=("diffusion models", "score-based models", "diffusion models")))[0]
    assert one.slug == both.slug == "diffusion-models"
    assert one.confidence < both.confidence < 1


def test_keyword_that_names_an_area_says_little() -> None:
    found = {one.slug: one.confidence for one in stated(record(keywords=("deep learning", "quantization")))}
    assert found["deep-learning"] < 0.5 < found["quantization"]


def test_nothing_is_stated_when_the_sources_say_nothing() -> None:
    assert stated(record()) == ()
    assert stated(record(keywords=("topiary", ""), topics=(("Topiary",), ()), categories=("gd.HE",))) == ()


def test_node_counted_as_another_stands_for_it(world: Tree) -> None:
    found = Naming(world).stated(record(keywords=("Winter pruning",)))
    assert [one.slug for one in found] == ["pruning-roses"]


def test_lifted_adds_what_is_above(world: Tree) -> None:
    found = lifted([Assignment("winter-pruning", "keyword", 0.5), Assignment("pruning-roses", "area", 0.5)], world)
    assert found == {"winter-pruning": 0.5, "pruning-roses": 0.75, "gardening": 0.75}
