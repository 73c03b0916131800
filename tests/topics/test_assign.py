"""Which topics a paper has, from what is known of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.topics.assign import (
    LEAST,
    MOST_BELOW,
    MOST_TOPICS,
    assigned,
    bundled_names,
    likeliest_area,
    weighed,
    with_ancestors,
)
from octavo.topics.naming import Assignment
from octavo.topics.tree import bundled_tree

TREE = bundled_tree()
TOPICS = [node.slug for node in TREE if node.kind == "topic" and not node.same_as]


def slugs(found: tuple[Assignment, ...]) -> list[str]:
    return [one.slug for one in found]


def test_the_text_says_a_topic_when_no_source_does() -> None:
    found = assigned(TREE, (), {"machine-translation": 0.8, "semantics": 0.1})
    assert found == (Assignment("machine-translation", "text", 0.8),)


def test_a_trail_comes_first_when_the_text_says_another_topic() -> None:
    stated = (Assignment("robustness", "trail", 0.98, "Deep Learning · Robustness"),)
    found = assigned(TREE, stated, {"image-recognition": 0.7, "robustness": 0.2})
    assert slugs(found) == ["robustness", "image-recognition"]
    assert found[0].origin == "trail"
    assert found[0].confidence > 0.98


def test_nothing_is_said_when_nothing_is_sure() -> None:
    assert assigned(TREE, (), {"machine-translation": 0.12, "robot-learning": 0.1, "optimal-transport": 0.1}) == ()
    assert assigned(TREE, (), {}) == ()


def test_an_area_is_said_when_none_of_its_topics_stands_out() -> None:
    shares = {"object-detection": 0.18, "segmentation": 0.19, "three-d-vision": 0.17, "video-understanding": 0.1}
    (one,) = assigned(TREE, (), shares)
    assert (one.slug, one.origin, one.confidence) == ("computer-vision", "text", pytest.approx(0.64))


def test_a_category_counts_only_when_the_text_says_nothing() -> None:
    stated = (Assignment("computer-vision", "category", 0.8, "cs.CV"),)
    assert slugs(assigned(TREE, stated, {})) == ["computer-vision"]
    assert slugs(assigned(TREE, stated, {"robot-manipulation": 0.9})) == ["robot-manipulation"]


def test_two_that_agree_are_surer_than_one() -> None:
    stated = (Assignment("privacy", "keyword", 0.56, "differential privacy"),)
    (one,) = assigned(TREE, stated, {"privacy": 0.5})
    assert one.origin == "keyword"
    assert one.confidence == pytest.approx(1 - 0.44 * 0.5)


@pytest.mark.parametrize(
    ("named", "shares", "confidence"),
    [
        ((["diffusion-models"], []), {"generative-models-and-autoencoders": 0.9}, 0.95),
        ((["diffusion-models"], []), {"robot-manipulation": 0.9}, 0.6),
        (([], ["diffusion-models"]), {"generative-models-and-autoencoders": 0.9}, 0.65),
        (([], ["diffusion-models"]), {"robot-manipulation": 0.9}, None),
    ],
)
def test_a_named_method_is_as_sure_as_its_place_says(
    named: tuple[list[str], list[str]], shares: dict[str, float], confidence: float | None
) -> None:
    found = {one.slug: one for one in assigned(TREE, (), shares, named)}
    one = found.get("diffusion-models")
    assert (one.confidence if one else None) == confidence
    assert one is None or one.origin == "name"


def test_the_reader_outranks_all() -> None:
    stated = (Assignment("robustness", "trail", 0.98),)
    found = assigned(TREE, stated, {"privacy": 0.9}, (["diffusion-models"], []), ["fairness", "game-theory"])
    assert found == (Assignment("fairness", "reader", 1.0), Assignment("game-theory", "reader", 1.0))


def test_a_correction_is_passed_over_when_its_topic_is_gone() -> None:
    assert slugs(assigned(TREE, (), {"privacy": 0.9}, corrected=["alchemy", "fairness"])) == ["fairness"]
    assert assigned(TREE, (), {"privacy": 0.9}, corrected=["alchemy"]) == ()


def test_a_correction_counts_as_the_topic_that_it_is_counted_as() -> None:
    assert slugs(assigned(TREE, (), {}, corrected=["robotics-applications", "robotics"])) == ["robotics"]


def test_a_source_may_name_what_is_no_topic_of_this_tree() -> None:
    assert assigned(TREE, (Assignment("alchemy", "keyword", 0.9),), {"phlogiston": 0.9}) == ()


@given(st.dictionaries(st.sampled_from(TOPICS), st.floats(0, 1), max_size=30))
def test_what_is_said_is_bounded_and_sure(shares: dict[str, float]) -> None:
    total = sum(shares.values()) or 1
    found = assigned(TREE, (), {slug: share / total for slug, share in shares.items()})
    topics = [one for one in found if TREE[one.slug].kind == "topic"]
    assert len(topics) <= MOST_TOPICS
    assert len(found) - len(topics) <= MOST_BELOW + len(TREE.areas)
    assert all(LEAST <= one.confidence <= 1 for one in found)
    assert len(set(slugs(found))) == len(found)
    order = [one.confidence for one in found]
    assert order == sorted(order, reverse=True)


def test_the_index_gets_all_that_is_above_a_topic() -> None:
    found = with_ancestors([Assignment("quantization", "name", 0.9), Assignment("privacy", "text", 0.9)], TREE)
    assert found == (
        "deep-learning", "model-compression-and-efficiency", "quantization", "social-aspects", "privacy"
    )  # fmt: skip


def test_the_area_is_the_one_for_which_most_speaks() -> None:
    shares = {"machine-translation": 0.3, "object-detection": 0.25, "segmentation": 0.2}
    ranked = weighed(TREE, (), shares)
    assert ranked[0].slug == "machine-translation"
    assert likeliest_area(TREE, ranked) == "computer-vision"
    assert likeliest_area(TREE, []) == ""


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("A denoising diffusion model of clouds", "diffusion-models"),
        ("Quantised networks, and their quantization", "quantization"),
        ("GANs for tiles", "generative-adversarial-networks"),
    ],
)
def test_names_of_methods_are_found_in_any_form(text: str, slug: str) -> None:
    assert slug in bundled_names().slugs(text)
