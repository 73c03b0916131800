"""Titles as linking sees them."""

from __future__ import annotations

import pytest

from octavo.ingest.linking.titles import holding, likeness, own_words, take_apart


@pytest.mark.parametrize(
    "title",
    [
        "Editorial", "Introduction", "Preface", "Front Matter", "Guest Editors' Introduction", "Short notices",
        "Proceedings of the Third Workshop on Tiles", "Message from the Program Chairs", "Author Index", "Withdrawn",
        "Introduction to the Special Issue", "Book Reviews", "Table of contents", "…", "Session details: Panel 2",
    ],
)  # fmt: skip
def test_a_title_is_generic_when_it_names_a_place_in_a_volume(title: str) -> None:
    assert take_apart(title).is_generic


@pytest.mark.parametrize("title", ["An Introduction to Tiles", "Editorial Decisions about Whales", "Paper Boats", "Ω"])
def test_a_title_is_not_generic_when_it_names_a_subject(title: str) -> None:
    assert not take_apart(title).is_generic


@pytest.mark.parametrize(
    ("title", "notices", "is_part", "numbers"),
    [
        ("Erratum: Tiles Are Sufficient", {"erratum"}, False, set()),
        ("Corrigendum to “Tiles Are Sufficient”", {"erratum"}, False, set()),
        ("Reply to Bee and Dee", {"reply"}, False, set()),
        ("Comment on Fast Tiles", {"reply"}, False, set()),
        ("Fast Tiles: Supplementary Material", {"supplement"}, False, set()),
        ("Fast Tiles (Extended Abstract)", {"abstract"}, False, set()),
        ("Retraction: Fast Tiles", {"retraction"}, False, set()),
        ("Whale Song, Part II", set(), True, {"2"}),
        ("Whale Song, Part I", set(), True, {"1"}),
        ("Whale Song: part two", set(), True, {"2"}),
        ("TileNet v2 in 2031", set(), False, {"v2", "2031"}),
        ("Parts of Whales", set(), False, set()),
        ("Response Times of Tiles", set(), False, set()),
        ("Supplementing Whales", set(), False, set()),
    ],
)
def test_take_apart_reads_what_a_title_says_of_itself(
    title: str, notices: set[str], is_part: bool, numbers: set[str]
) -> None:
    taken = take_apart(title)
    assert (taken.notices, taken.is_part, taken.numbers) == (notices, is_part, numbers)


def test_the_name_before_the_colon_is_kept_when_it_is_short() -> None:
    assert take_apart("TileNet: Floors at Scale").lead == "tilenet"
    assert take_apart("A long sentence about many floors and tiles: a study").lead == ""
    assert take_apart("TileNet:").lead == ""


def test_likeness_is_one_when_only_signs_and_accents_differ() -> None:
    assert likeness(take_apart("Auto-Tiling, après tout").words, take_apart("auto tiling apres tout").words) == 1.0


def test_likeness_orders_pairs_of_titles() -> None:
    base = take_apart("Tiles Are Sufficient for Fast Layout").words
    others = [
        take_apart(title).words
        for title in (
            "Tiles Are Suficient for Fast Layout",
            "Tiles Suffice for the Fast Layout of Floors",
            "Grammar of Whale Song",
        )
    ]
    scores = [likeness(base, other) for other in others]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0.9 > scores[1] > 0.4 > scores[2]


def test_holding_is_whole_when_a_title_lost_its_first_words() -> None:
    assert holding(take_apart("Quarry: Laying Hexagonal Floors"), take_apart("Laying Hexagonal Floors")) == 1.0


def test_own_words_are_none_when_the_others_are_spellings_of_them() -> None:
    assert own_words(take_apart("Configurable floorings"), take_apart("Configrable flooring")) == (set(), set())
    assert own_words(take_apart("Whale song in Frisian"), take_apart("Whale song in Basque")) == (
        {"frisian"},
        {"basque"},
    )
