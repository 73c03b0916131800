"""Short texts by the beginnings of their words."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from octavo.index.phrases import HEAVY, Phrases, folded_words, pack_phrases
from octavo.index.slips import cost


def phrases(*texts: str) -> Phrases:
    packed = pack_phrases([" ".join(folded_words(text)) for text in texts])
    return Phrases({name: memoryview(data) for name, data in packed.items()})


TITLES = phrases("Floors for Tiles", "Tiles Are Sufficient", "A Tile for Łukasz", "强化学习的瓷砖", "Flooring")


def found(words: str, *, is_open: bool = True, limit: int = 5) -> list[int]:
    return sorted(TITLES.find(folded_words(words), limit, is_open=is_open))


def test_the_beginning_of_any_word_finds_a_text() -> None:
    assert found("til") == [0, 1, 2]
    assert found("lukas") == [2]
    assert found("floor") == [0, 4]
    assert found("floor", is_open=False) == []
    assert found("tiles", is_open=False) == [0, 1]
    assert found("化学") == [3], "Chinese has no blanks: a word begins anywhere"
    assert found("") == []


def test_all_words_must_be_there_in_any_order() -> None:
    assert found("tiles fl") == [0]
    assert found("suff tiles") == [1], "a word that nobody has as a whole is a beginning, too"
    assert found("tiles lukasz") == []


def test_what_begins_with_the_text_comes_before_what_has_it_elsewhere() -> None:
    assert TITLES.find(["tiles"], 1)[0] == 1


def test_near_words_are_one_slip_away_and_the_likeliest_first() -> None:
    words = phrases("attention", "attentions", "retention", "intention attention attention", "bengio", "benoit")
    assert words.near("atention", is_open=False)[0] == "attention"
    assert words.near("attnet", is_open=True)[0] == "attent"
    assert words.near("bengoi", is_open=True)[0] == "bengio"
    assert words.near("zzzzz", is_open=False) == []
    assert words.near("瓷砖瓷砖瓷", is_open=False) == []


def test_a_heavy_beginning_gives_its_best_texts_at_once() -> None:
    many = phrases(*(f"tile {number}" for number in range(HEAVY + 10)))
    assert set(many.find(["t"], 3)) >= {0, 1, 2}
    assert many.find(["tile"], 3, is_open=False)[:3] == [0, 1, 2]


@given(st.lists(st.text("abé ", min_size=1, max_size=12), max_size=12), st.text("ab", min_size=1, max_size=3))
def test_finds_what_looking_at_every_text_finds(texts: list[str], typed: str) -> None:
    all_words = [folded_words(text) for text in texts]
    wanted = [number for number, words in enumerate(all_words) if any(word.startswith(typed) for word in words)]
    assert sorted(phrases(*texts).find([typed], len(texts) + 1)) == wanted


@given(st.text("abc", min_size=2, max_size=6), st.integers(1, 5), st.sampled_from("abc"))
def test_every_single_error_behind_the_first_letter_is_near(word: str, place: int, letter: str) -> None:
    place = min(place, len(word))
    errors = {word[:place] + letter + word[place:], word[:place] + letter + word[place + 1 :]}
    errors.add(word[:place] + word[place + 1 :])
    for typed in errors - {word}:
        if len(typed) > 1:
            assert phrases(word).near(typed, is_open=False) == [word]


@given(st.text("abcd", max_size=8), st.text("abcd", max_size=8))
def test_only_the_same_word_costs_nothing(one: str, other: str) -> None:
    assert (cost(one, other) == 0) == (one == other)
