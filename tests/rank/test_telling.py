"""The words by which papers are found that are like others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from octavo.config import index_path
from octavo.index.text import TextIndex
from octavo.rank.telling import MOST_WORDS, telling_words
from tests.rank.kinship import RECORDS, fill


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TextIndex]:
    with fill(tmp_path_factory.mktemp("telling") / "home") as octavo:
        yield TextIndex(index_path(octavo.home))


def test_rare_and_repeated_words_come_first(index: TextIndex) -> None:
    words = telling_words(index, ["We show the forces and forces in E9NN, the learned forces"])
    assert [word.shown for word in words][:2] == ["forces", "e9nn"]
    assert words[0].times > words[1].times == 1


def test_stop_words_numbers_and_unknown_words_tell_nothing(index: TextIndex) -> None:
    assert telling_words(index, ["the of and 2031 10,000 x unheardof"]) == []


def test_a_word_of_one_paper_is_left_out_when_others_are_sought(index: TextIndex) -> None:
    assert [word.shown for word in telling_words(index, ["syllables"])] == ["syllables"]
    assert telling_words(index, ["syllables"], least_papers=2) == []


def test_words_of_several_texts_count_together(index: TextIndex) -> None:
    words = {word.shown: word.times for word in telling_words(index, ["forces", "forces gripper"])}
    assert words == {"forces": 1, "gripper": 0.5}


def test_words_that_no_paper_has_leave_room_for_others(index: TextIndex) -> None:
    text = " ".join(f"zq{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(300))
    assert [word.shown for word in telling_words(index, [f"{text} forces"])] == ["forces"]


def test_a_long_text_gives_no_more_than_the_most(index: TextIndex) -> None:
    text = " ".join(f"{one.title} {one.abstract}" for one in RECORDS)
    assert len(telling_words(index, [text])) == MOST_WORDS
