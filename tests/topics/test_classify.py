"""The classifier of topics, on a small one that is made here, and the one that comes with Octavo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from octavo.index.encoder import StaticEncoder
from octavo.topics.classify import LESSON, NEAR, Classifier, bags_of, bundled_classifier, features_of
from octavo.topics.tree import bundled_tree

TOPICS = ["tiles", "walls", "roofs"]


def packed(weights: list[list[float]]) -> tuple[Any, Any]:
    """Weights in eight bits, a scale a column."""
    array = np.asarray(weights, np.float32)
    scale = np.maximum(np.abs(array).max(axis=0, keepdims=True), 1e-9) / 127
    return np.round(array / scale).astype(np.int8), scale.astype(np.float32)


@pytest.fixture
def small() -> Classifier:
    """Three topics and vectors of length three: a topic has the unit of its number, in the title and the abstract."""
    into, into_scale = packed([[4.0, 0, 0], [0, 4.0, 0], [0, 0, 4.0]] * 2)
    out, out_scale = packed(np.eye(3).tolist())
    given, given_scale = packed([[0, 0, 9.0]])
    table, table_scale = packed([[1.0, 0], [0, 1.0], [0, 0]])
    of_bags, of_bags_scale = packed([[0, 8.0, 0], [0, 0, 8.0]])
    about = {"topics": TOPICS, "features": ["first:cs.RO"], "encoder": "abc", "temperature": 1.0}
    arrays = {
        "into": into, "into_scale": into_scale, "into_bias": np.zeros(3), "out": out, "out_scale": out_scale,
        "out_bias": np.zeros(3), "given": given, "given_scale": given_scale, "table": table,
        "table_scale": table_scale, "of_bags": of_bags, "of_bags_scale": of_bags_scale,
    }  # fmt: skip
    return Classifier(about, arrays)


def unit(*numbers: float) -> Any:
    vector = np.asarray([numbers], np.float32)
    return vector / np.linalg.norm(vector)


NOTHING = np.zeros((1, 3), np.float32)


def test_shares_add_up_to_one_and_follow_the_vectors(small: Classifier) -> None:
    shares = small.shares(
        np.concatenate([unit(1, 0, 0), unit(0, 1, 0)]), np.concatenate([unit(1, 0, 0), unit(0, 0, 1)])
    )
    assert shares.sum(axis=1) == pytest.approx([1, 1])
    assert shares[0].argmax() == 0
    assert shares[1, 1] == pytest.approx(shares[1, 2], abs=1e-3)


def test_what_has_no_vector_gets_no_share(small: Classifier) -> None:
    shares = small.shares(np.concatenate([NOTHING, unit(1, 0, 0)]), np.concatenate([NOTHING, NOTHING]))
    assert not shares[0].any()
    assert shares[1].argmax() == 0


def test_a_feature_says_a_topic_too(small: Classifier) -> None:
    title = unit(1, 0, 0)
    assert small.shares(title, title, [("first:cs.RO", "first:unknown")])[0].argmax() == 2
    assert small.shares(title, title, [("first:unknown",)])[0].argmax() == 0


def test_words_say_a_topic_too_and_those_of_a_title_more(small: Classifier) -> None:
    """The first token of the table speaks for walls, the second for roofs, the third for nothing."""
    place = unit(1, 0, 0)
    first, second, third = small.table[:, None, :]
    assert small.shares(place, place, bags=bags_of(first, third))[0].argmax() == 1
    assert small.shares(place, place, bags=bags_of(first, second))[0].argmax() == 1
    assert small.shares(place, place, bags=bags_of(second, first))[0].argmax() == 2
    assert small.shares(place, place, bags=bags_of(third, third)) == pytest.approx(small.shares(place, place))


def test_a_lesson_changes_the_twin_and_leaves_what_is_far(small: Classifier) -> None:
    title = unit(1, 0.2, 0)
    lessons = small.lessons(title, title, [["walls"]])
    assert len(lessons) == 1
    assert small.shares(title, title).argmax() == 0
    assert small.shares(title, title, lessons=lessons).argmax() == 1
    far = unit(0, 0, 1)
    assert small.shares(far, far, lessons=lessons) == pytest.approx(small.shares(far, far))
    assert (lessons.teachers(title, title), lessons.teachers(far, far)) == ([1], [0])


def test_a_lesson_counts_the_less_the_farther_it_is(small: Classifier) -> None:
    title = unit(1, 0, 0)
    lessons = small.lessons(title, title, [["walls"]])
    shares = []
    for cosine in (1.0, 0.8, 0.5, NEAR):
        place = unit(cosine, 0, (1 - cosine**2) ** 0.5)
        plain = small.shares(place, place)[0, 1]
        shares.append(small.shares(place, place, lessons=lessons)[0, 1] / plain)
    assert shares == sorted(shares, reverse=True)
    assert shares[-1] == pytest.approx(1, abs=1e-4)


def test_a_twin_gets_the_part_that_a_lesson_has_and_many_have_more(small: Classifier) -> None:
    title = unit(1, 0.2, 0)
    plain = small.shares(title, title)
    one = small.lessons(title, title, [["walls"]])
    two = small.lessons(np.repeat(title, 2, 0), np.repeat(title, 2, 0), [["walls"]] * 2)
    wanted = np.asarray([[0, 1, 0]], np.float32)
    for lessons, part in ((one, LESSON), (two, 1 - (1 - LESSON) ** 2)):
        expected = (1 - part) * plain + part * wanted
        assert small.shares(title, title, lessons=lessons) == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("categories", "venue", "names"),
    [
        (("cs.LG", "stat.ML"), "ICML 2025", ("first:cs.LG", "also:stat.ML", "venue:ICML")),
        ((), "", ()),
        ((), "Tile Review", ("venue:Tile",)),
    ],
)
def test_features_are_categories_and_the_series(
    categories: tuple[str, ...], venue: str, names: tuple[str, ...]
) -> None:
    assert features_of(categories, venue) == names


def test_the_bundled_classifier_was_trained_on_the_bundled_encoder() -> None:
    """An encoder that is trained anew gives other vectors: then `tools/topics/train.py` has to run, too."""
    assert bundled_classifier().encoder == StaticEncoder().fingerprint


def test_the_bundled_table_has_a_row_for_each_token_of_the_bundled_encoder() -> None:
    encoder, table = StaticEncoder(), bundled_classifier().table
    vectors, sums = encoder.encode_and_sum(["graph networks", ""], table)
    assert np.array_equal(vectors, encoder.encode_documents(["graph networks", ""]))
    assert sums.shape == (2, table.shape[1])
    assert sums[0].any()
    assert not sums[1].any()


def test_the_bundled_classifier_knows_the_topics_of_the_tree() -> None:
    tree = bundled_tree()
    known = bundled_classifier().topics
    assert len(set(known)) == len(known)
    assert [slug for slug in known if slug not in tree or tree[slug].kind != "topic" or tree[slug].same_as] == []
