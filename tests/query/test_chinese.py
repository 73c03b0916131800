"""Chinese queries: the tables, the reading of a text, and the trees that it gives."""

from __future__ import annotations

import re
from collections import Counter
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.query.ast import Node
from octavo.query.chinese import has_chinese, lexicon, read_chinese
from octavo.query.chinese_nodes import plural
from octavo.query.match import Document, compile_predicate
from octavo.query.parser import parse_lenient, parse_strict
from octavo.query.words import STOP_WORDS, exact_words

AREAS = {"learning", "language", "vision", "speech", "control", "theory", "systems", "data", "applied", "word"}
HAN = re.compile("[\u4e00-\u9fff]")


def rows(name: str) -> list[list[str]]:
    """The rows of a table without its head."""
    lines = (files("octavo.data") / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:]]


def english(text: str) -> list[str]:
    """The first English name of each known term of a text."""
    return [piece.english[0] for piece in read_chinese(text) if piece.english and not piece.is_filler]


# ------------------------------------------------------------------------------------------------------ tables


def test_terms_are_sorted_unique_and_enough() -> None:
    names = [row[0] for row in rows("terms.tsv")]
    assert names == sorted(names, key=lambda name: (name.lower(), name))
    assert not [name for name, count in Counter(map(str.lower, names)).items() if count > 1]
    assert sum(row[3] != "word" for row in rows("terms.tsv")) >= 2_000


def faults(row: list[str]) -> list[str]:
    """What is wrong with a row of the terms."""
    name, also, chinese, area = row
    said = [name, *(also.split("; ") if also else [])]
    called = chinese.split("; ")
    found = {
        "unknown area": area not in AREAS,
        "a name twice": len(set(said)) < len(said) or len(set(called)) < len(called),
        "blanks around a name": any(one.strip() != one or not one for one in (*said, *called)),
        "Chinese among the English": any(map(HAN.search, said)),
        "no Chinese character": not all(map(HAN.search, called)),
        "not parted by '; '": any(re.search(r"[\s,，、；;]", one) for one in called),
        # It would be found everywhere.
        "a name of common words alone": any(not set(exact_words(one)) - STOP_WORDS for one in said),
    }
    return [fault for fault, is_so in found.items() if is_so]


def test_each_term_has_both_languages() -> None:
    assert {row[0]: found for row in rows("terms.tsv") if (found := faults(row))} == {}


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (["kite", "", "风筝", "kites"], "unknown area"),
        (["kite", "kite", "风筝", "word"], "a name twice"),
        (["kite", "", "kite", "word"], "no Chinese character"),
        (["kite", "its", "风筝", "word"], "a name of common words alone"),
        (["kite", "", "风筝, 纸鸢", "word"], "not parted by '; '"),
    ],
)
def test_fault_is_found_when_a_row_has_it(row: list[str], fault: str) -> None:
    assert faults(row) == [fault]


def test_simplified_is_what_terms_are_written_in() -> None:
    old = lexicon().simplified
    wrong = [one for row in rows("terms.tsv") for one in row[2].split("; ") if one.translate(old) != one]
    assert not wrong


def test_characters_and_words_of_other_places_are_sorted_and_lead_somewhere() -> None:
    table = [(old, new) for old, new in rows("han.tsv")]
    froms = [old for old, _ in table]
    assert len(set(froms)) == len(froms)
    single = [(old, new) for old, new in table if len(old) == 1]
    words = [(old, new) for old, new in table if len(old) > 1]
    assert table == sorted(single) + sorted(words)
    known = {one for row in rows("terms.tsv") for one in row[2].split("; ")}
    assert not [new for _, new in words if new not in known]
    targets = {new for _, new in single}
    assert not targets & {old for old, _ in single}, "a character that is replaced twice"


# ----------------------------------------------------------------------------------------------------- reading


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("大语言模型", ["large language model"]),  # the longest, not 语言模型 or 模型
        ("大语言模型推理加速", ["large language model", "inference acceleration"]),
        ("強化學習", ["reinforcement learning"]),
        ("強化学習", ["reinforcement learning"]),  # mixed, as typed by hand
        ("類神經網路", ["neural network"]),  # Taiwan's word
        ("資料增強", ["data augmentation"]),
        ("K近邻", ["k-nearest neighbor"]),
        ("k近鄰", ["k-nearest neighbor"]),
        ("3D高斯泼溅", ["3D Gaussian splatting"]),
        ("基于扩散模型的图像分割方法研究", ["diffusion model", "image segmentation"]),
        ("如何利用强化学习", ["reinforcement learning"]),
        ("图像分割，语音识别；机器翻译。", ["image segmentation", "speech recognition", "machine translation"]),
    ],
)
def test_text_is_parted_into_its_longest_terms(text: str, names: list[str]) -> None:
    assert english(text) == names


def test_all_names_of_a_term_are_known_the_main_ones_first() -> None:
    (piece,) = read_chinese("推理")
    assert piece.english[:2] == ("reasoning", "inference")


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("U-Net分割", ["U-Net", "分割"]),
        ("GPT-4o的幻觉", ["GPT-4o", "的", "幻觉"]),
        ("AK近邻", ["AK", "近邻"]),  # K近邻 begins inside a word
        ("甲乙丙丁模型", ["甲乙丙丁", "模型"]),
        ("甲在丁", ["甲在丁"]),  # a filler within a name is a part of it
        ("甲乙的丙丁", ["甲乙", "的", "丙丁"]),
        ("甲乙手", ["甲乙手"]),  # a lone character beside unknown ones is no term
        ("手", ["手"]),
    ],
)
def test_unknown_text_stays_whole(text: str, pieces: list[str]) -> None:
    assert [piece.text for piece in read_chinese(text)] == pieces


@pytest.mark.parametrize(
    ("text", "is_chinese"),
    [
        ("tiling", False),
        ("α-trees", False),
        ("图像", True),
        ("LLM 推理", True),
        ("強化学習の研究", False),
        ("연구 圖", False),
    ],
)
def test_only_han_without_kana_or_hangul_is_chinese(text: str, *, is_chinese: bool) -> None:
    assert has_chinese(text) is is_chinese


@given(st.text(alphabet=st.sampled_from("图像分割的甲乙在强化学習K近邻aZ9-. ，😀İ"), max_size=40))
def test_every_character_is_in_one_piece_and_in_order(text: str) -> None:
    at = 0
    for piece in read_chinese(text):
        found = text.find(piece.text, at)
        assert found >= at
        assert not HAN.search(text[at:found])
        at = found + len(piece.text)
    assert not HAN.search(text[at:])


@pytest.mark.parametrize(
    "text", ["图" * 1_000, "a" * 999 + "图", "乌" * 1_000, "的" * 1_000, "强化学习" * 250, "😀图" * 300]
)
def test_long_and_odd_texts_are_read(text: str) -> None:
    assert "".join(piece.text for piece in read_chinese(text)) == text
    assert len(parse_lenient(text).chinese) <= 64


# ------------------------------------------------------------------------------------------------------- trees


def holds(query: str, title: str, abstract: str = "", **rest: object) -> bool:
    node: Node = parse_lenient(query).node
    return compile_predicate(node)(Document(title=title, abstract=abstract, **rest))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("query", "title", "is_found"),
    [
        ("强化学习", "Reinforcement Learning for Kites", True),
        ("强化学习", "RL for Kites", True),
        ("强化学习", "风筝的强化学习", True),
        ("强化学习", "Learning the reinforcement of concrete", False),  # a phrase
        ("图神经网络", "Graph Neural Networks of Bees", True),  # the plural
        ("零样本", "Zero-Shot Kite Folding", True),
        ("LLM 推理 加速", "Accelerating the inference of an LLM", True),
        ("LLM 推理 加速", "Accelerating the inference of a kite", False),
        ("风筝", "风筝的强化学习", True),
        ("标题：强化学习", "Reinforcement Learning for Kites", True),
        ("摘要：强化学习", "Reinforcement Learning for Kites", False),
        ("强化学习 -机器人", "Reinforcement Learning for Robots", False),
        ("强化学习 OR 机器人", "Robots That Knit", True),
        ("方法", "A Method for Kites", True),  # nothing but a filler is looked for
        ("如何", "如何折风筝", True),
        ("“强化学习”", "Reinforcement Learning for Kites", False),  # quotes ask for these very words
        ("“强化学习”", "风筝的强化学习", True),
    ],
)
def test_query_means_its_english_names_too(query: str, title: str, *, is_found: bool) -> None:
    assert holds(query, title) is is_found


def test_fields_keep_working_beside_chinese() -> None:
    assert holds("强化学习 year:2031", "Reinforcement Learning for Kites", year=2031)
    assert not holds("强化学习 year:2032", "Reinforcement Learning for Kites", year=2031)
    assert holds("作者:张三 强化学习", "Reinforcement Learning for Kites", authors=("张三",))


def test_chinese_is_no_odd_place() -> None:
    assert parse_lenient("基于强化学习的方法").notes == ()
    assert str(parse_strict("基于强化学习的方法")) == str(parse_lenient("强化学习").node)


@pytest.mark.parametrize("query", ["kites and tiles", "α-trees", "author:Nguyễn", "量子計算の入門"])
def test_other_queries_have_no_chinese_terms(query: str) -> None:
    assert parse_lenient(query).chinese == ()


@pytest.mark.parametrize(
    ("word", "several"),
    [("network", "networks"), ("policy", "policies"), ("process", "processes"), ("survey", "surveys")],
)
def test_plural_is_the_regular_one(word: str, several: str) -> None:
    assert plural(word) == several
