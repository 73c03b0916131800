"""What a word is. Numbers such as E05 are entries of the project's list of pitfalls."""

from __future__ import annotations

import doctest
import gzip
import json
import tarfile
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.query import words
from octavo.query.ast import WordNode, conjunction
from octavo.query.compounds import is_cjk
from octavo.query.match import Document, compile_predicate
from octavo.query.words import (
    STOP_WORDS,
    Word,
    analyse,
    exact_words,
    name_query_tokens,
    name_tokens,
    query_words,
    stem_words,
)
from octavo.records.fold import fold

AWKWARD = st.text(
    st.sampled_from("aeAEstTPvV019.,-_/'’`\"()+#*&·:;!? \t\n量子計算ガ한αβßéÉłŁİ𝐀ﬁ²½™∞\u0301\u200b\u00ad\ud800"),
    max_size=30,
)
TEXT = st.one_of(st.text(max_size=40), AWKWARD)


def test_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(words).failed == 0


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" - – & | ", []),
        ("Tiling the Plane", ["tiling", "the", "plane"]),
        ("C++, C# and F#: a C kernel", ["c++", "c#", "and", "f#", "a", "c", "kernel"]),
        ("C++17 in C/C++", ["c++", "17", "in", "c", "c++"]),
        (".NET (.net) ASP.NET", [".net", ".net", "asp", "net"]),
        ("A* search, x*y and *bold*", ["a*", "search", "x", "y", "and", "bold"]),
        ("Tiler++", ["tiler++"]),
        ("2.0 3.5. 1e-4, 10,000; 2.5E+10", ["2.0", "3.5", "1e-4", "10,000", "2.5e+10"]),
        ("1,2 and 1,23,456 or v1.2.3", ["1", "2", "and", "1", "23", "456", "or", "v1.2.3"]),
        ("GPT-4o/Llama-3.1_8B", ["gpt", "4o", "llama", "3.1", "8b"]),
        ("don't Don’t `quoted' Bayes' o`clock", ["dont", "dont", "quoted", "bayes", "oclock"]),
        ("i.i.d. U.S.", ["i", "i", "d", "u", "s"]),
        ("Fig.2 end.Then", ["fig", "2", "end", "then"]),
        ("β-VAE and Σ", ["β", "vae", "and", "σ"]),
        ("naïve Łukasz Đỗ STRAßE ﬁn x²", ["naive", "lukasz", "do", "strasse", "fin", "x2"]),
        ("量子計算入門 と BERT的模型", ["量子", "子計", "計算", "算入", "入門", "と", "bert", "的模", "模型"]),
        ("한국어 처리", ["한국", "국어", "처리"]),
        ("Tiler™ ©Tiles®", ["tiler", "tiles"]),
        ("soft\u00adhyphen zero\u200bwidth", ["softhyphen", "zerowidth"]),
        ("95% $5 recall@10 #1", ["95", "5", "recall", "10", "1"]),
    ],
)
def test_exact_words_when_text_is(text: str, expected: list[str]) -> None:
    assert exact_words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tilings", {"tile"}),
        ("FlashTP", {"flashtp", "flash", "tp"}),
        ("Flash-TP", {"flashtp", "flash", "tp"}),
        ("flashtp", {"flashtp"}),
        ("LLMs GPUs", {"llm", "gpu"}),
        ("LSTM-based", {"lstm", "base", "lstmbase"}),
        ("ResNet50", {"resnet50", "resnet", "50", "res", "net"}),
        ("GPT-4o", {"gpt", "4o", "gpt4o"}),
        ("GPT4o", {"gpt4o", "gpt", "4o", "4"}),
        ("YOLOv8", {"yolov8", "yolo", "v8"}),
        ("BERTScore", {"bertscor", "bert", "score"}),
        ("80GB", {"80gb", "80", "gb"}),
        ("T5", {"t5"}),
        ("PointNet++", {"pointnet++", "pointnet", "point", "net"}),
        ("C++", {"c++"}),
        ("10,000", {"10000"}),
        ("1e-4", {"1e-4"}),
        ("i.i.d.", {"iid", "i", "d"}),
        ("non-i.i.d.", {"non", "iid", "i", "d", "noniid"}),
        ("end-to-end", {"end", "to", "endtoend"}),
        ("in-context", {"in", "context", "incontext"}),
        ("2010-2020", {"2010", "2020"}),
        ("Stein's", {"stein"}),
        ("β-VAE", {"beta", "vae", "betava"}),
        ("量子計", {"量子", "子計", "量", "子", "計"}),
        ("量", {"量"}),
        ("the", {"the"}),
    ],
)
def test_stems_when_text_is(text: str, expected: set[str]) -> None:
    assert set(stem_words(text)) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Tilings,", [Word("Tilings", ("tilings",), (("tile",),))]),
        ("flash-tp", [Word("flash-tp", ("flash", "tp"), (("flashtp",),), (("flash", "tp"),))]),
        ("FlashTP", [Word("FlashTP", ("flashtp",), (("flashtp",),), (("flash", "tp"),))]),
        ("flashtp", [Word("flashtp", ("flashtp",), (("flashtp",),))]),
        ("gpt4", [Word("gpt4", ("gpt4",), (("gpt4",),), (("gpt", "4"),))]),
        ("t5", [Word("t5", ("t5",), (("t5",),))]),
        ("a/b", [Word("a", ("a",), (("a",),)), Word("b", ("b",), (("b",),))]),
        ("量子計", [Word("量子計", ("量子", "子計"), (("量子", "子計"),))]),
        ("i.i.d.", [Word("i.i.d", ("i", "i", "d"), (("iid",),), (("i", "i", "d"),))]),
        ("...", []),
    ],
)
def test_query_words_when_typed(typed: str, expected: list[Word]) -> None:
    found = query_words(typed)
    assert found == expected
    assert [word.text for word in found] == [word.text for word in expected]


@pytest.mark.parametrize("text", ["**tiling**", "“Łukasz”", "(β-VAE)", "--tiles", "~tiles~"])
def test_text_of_a_word_has_no_punctuation_around_it(text: str) -> None:
    (word,) = query_words(text)
    assert word.text == text.strip("*“”()-~")


def finds(query: str, title: str) -> bool:
    nodes = [WordNode("all", word) for word in query_words(query)]
    return bool(nodes) and compile_predicate(conjunction(nodes))(Document(title=title))


@pytest.mark.parametrize(
    ("query", "found", "not_found"),
    [
        # E02
        ("non-invasive", ["Non-invasive sensing", "A non invasive probe", "Noninvasive tiles"], ["Invasive species"]),
        # E03
        ("C++", ["C++ templates"], ["C# tools", "C kernels"]),
        ("C#", ["C# tools"], ["C++ templates", "C kernels"]),
        ("C", ["C kernels"], ["C++ templates", "C# tools"]),
        # E04
        ("2.0", ["Tiler 2.0"], ["2 tiles, 0 gaps"]),
        ("1e-4", ["A rate of 1e-4"], ["1 e 4"]),
        ("10,000", ["10,000 tiles", "10000 tiles"], ["10 by 000"]),
        ("GPT-4", ["GPT-4 tiles", "GPT4", "a GPT 4 tiler"], ["GPT with 4 tiles"]),
        ("gpt4", ["GPT-4 tiles", "GPT4", "a GPT 4 tiler"], ["GPT with 4 tiles"]),
        # E05
        ("flashtp", ["FlashTP tensor products", "Flash-TP", "FLASHTP"], ["Flash memory wear", "TP53 in mice"]),
        ("flash", ["FlashTP tensor products", "Flash memory wear"], ["TP53 in mice"]),
        ("FlashTP", ["FlashTP tensor products", "flashtp", "Flash-TP", "flash tp"], ["Flash memory wear", "TP flash"]),
        ("ResNet50", ["A res net 50", "ResNet-50", "resnet 50"], ["net 50 res"]),
        ("LaTeX", ["latex"], ["la te x", "la te"]),
        ("LLMs", ["an LLM"], ["ll ms"]),
        ("flash tp", ["FlashTP tensor products", "Flash-TP", "flash tp"], ["Flash memory wear"]),
        ("flash-tp", ["FlashTP tensor products", "flash tp", "flashtp"], ["Flash memory", "tp flash"]),
        # E06
        ("nguyen", ["Nguyễn tiles"], []),
        ("Nguyễn", ["Nguyen tiles"], []),
        ("Godel", ["Gödel tiles", "Go\u0308del tiles"], []),
        ("Orsted", ["Ørsted"], []),
        ("Lukasz", ["Łukasz tiles"], []),
        ("Łukasz", ["Lukasz tiles"], []),
        ("Do", ["Đỗ tiles"], ["Dot"]),
        ("Đỗ", ["Do tiles"], []),
        ("strasse", ["Straße"], []),
        ("Straße", ["STRASSE"], []),
        # E07
        ("量子", ["量子計算入門"], ["量計"]),
        ("計算", ["量子計算入門"], []),
        ("入門", ["量子計算入門"], []),
        ("量子計算", ["量子計算入門"], ["量子の計算"]),
        ("算", ["量子計算入門"], ["量子"]),
        # Inflections, acronyms, possessives, Greek
        ("tiling", ["Tilings of the plane"], ["Tiers"]),
        ("LLM", ["LLMs that tile"], []),
        ("LLMs", ["An LLM that tiles"], []),
        ("iid", ["i.i.d. tiles", "non-i.i.d. tiles"], []),
        ("Steins", ["Stein's tiles"], []),
        ("alpha-tiles", ["α-tiles"], []),
        ("α", ["alpha tiles"], []),
        ("-".join("abcdefghijklmnopqrst"), ["-".join("abcdefghijklmnopqrst")], ["-".join("abcdefgh")]),
        ("in-context", ["In-context tiling", "in context"], ["The context in tiling", "context"]),
    ],
)
def test_word_finds_what_it_should(query: str, found: list[str], not_found: list[str]) -> None:
    assert [title for title in found if not finds(query, title)] == []
    assert [title for title in not_found if finds(query, title)] == []


@given(TEXT)
def test_query_and_index_split_words_alike(text: str) -> None:
    assert [exact for word in query_words(text) for exact in word.exact] == exact_words(text)


@given(TEXT)
def test_every_word_of_a_text_finds_it(text: str) -> None:
    document = Document(title=text)
    for word in query_words(text):
        assert compile_predicate(WordNode("title", word))(document), word


@given(TEXT)
def test_folding_a_text_changes_no_word(text: str) -> None:
    text = text.translate({ord("™"): " ", ord("℠"): " "})
    assert exact_words(fold(text)) == exact_words(text)
    for folded, word in zip(query_words(fold(text)), query_words(text), strict=True):
        assert (folded.exact, folded.alternatives) == (word.exact, word.alternatives)


@given(TEXT)
def test_case_matters_in_a_query_only_for_humps(text: str) -> None:
    ascii_text = text.encode("ascii", "ignore").decode()
    assert query_words(ascii_text.upper()) == query_words(ascii_text.lower())
    for typed, lower in zip(query_words(ascii_text), query_words(ascii_text.lower()), strict=True):
        assert (typed.exact, typed.alternatives) == (lower.exact, lower.alternatives)
        assert set(typed.phrases) >= set(lower.phrases)  # and its humps


@given(TEXT)
def test_analysed_text_is_tokens_with_single_blanks(text: str) -> None:
    for joined in analyse(text):
        assert joined == " ".join(joined.split())
        joined.encode()
    for token in exact_words(text):
        assert token == fold(token)
        assert "_" not in token
        assert any(char.isalnum() or is_cjk(char) for char in token)


@given(st.lists(st.text("abcT", min_size=1, max_size=4), min_size=1, max_size=4))
def test_hyphen_and_underscore_make_the_same_compound(parts: list[str]) -> None:
    """Two ways through the analyser that must not differ."""
    assert exact_words("-".join(parts)) == exact_words("_".join(parts))
    assert set(stem_words("-".join(parts))) == set(stem_words("_".join(parts)))


def test_words_stay_the_same_when_the_memory_of_them_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    text = " ".join(f"Tiler{number}-based (tiles{number})," for number in range(50))
    expected = analyse(text)
    monkeypatch.setattr(words, "_chunks", words._Chunks())
    monkeypatch.setattr(words, "_MOST_CHUNKS", 7)
    assert [analyse(text), analyse(text)] == [expected, expected]
    assert len(words._chunks.exact) <= 7
    assert len(words._chunks.stems) <= 7


def test_stop_words_are_words_of_the_analyser() -> None:
    assert {exact for word in STOP_WORDS for exact in exact_words(word)} == STOP_WORDS


@pytest.mark.parametrize(
    ("name", "query", "is_found"),
    [
        ("T. O. de Ruyt Example", "T. O. de Ruyt Example", True),
        ("T. O. de Ruyt Example", "de Ruyt Example", True),
        ("T. O. de Ruyt Example", "de Ruyt Example, T.", True),
        ("T. O. de Ruyt Example", "de Ruyt Example, T. X.", False),
        ("Thea Olga de Ruyt Example", "de Ruyt Example, T.O.", True),
        ("Thea Example", "Example Thea", True),
        ("Thea Example", "th Example", False),
        ("Thea Example", "t e", True),
        ("Jean-Luc Tile", "J.-L. Tile", True),
        ("Wen Wen", "Wen, W.", True),
        ("Łukasz Nguyễn", "lukasz nguyen", True),
        ("张三丰", "张三", True),
        ("Ada Tile", "Ada Example", False),
    ],
)
def test_name_is_found_when_all_its_words_are_one_persons(name: str, query: str, is_found: bool) -> None:
    """E10."""
    tokens = set(name_tokens(["Xaver Example", name]))
    assert (set(name_query_tokens(exact_words(query))) <= tokens) is is_found


def test_words_of_two_people_are_no_name() -> None:
    tokens = set(name_tokens(["Ada Lim", "Bea Jordan"]))
    assert not set(name_query_tokens(["lim", "jordan"])) <= tokens
    assert not set(name_query_tokens(["b", "lim"])) <= tokens


@given(st.lists(st.one_of(st.sampled_from(["Ada Lim", "A. A. Lim", "Lim Lim"]), TEXT), max_size=4))
def test_a_name_as_written_always_finds_its_paper(names: list[str]) -> None:
    """E10: an author's link returns at least the page that it is on."""
    tokens = set(name_tokens(names))
    assert all(set(name_query_tokens(exact_words(name))) <= tokens for name in names)
    assert all(token.split() == [token] for token in tokens)


def test_a_name_of_a_hundred_words_has_few_tokens_and_is_found() -> None:
    name = " ".join(f"w{number}x" for number in range(100))
    tokens = name_tokens([name])
    assert len(tokens) < 500
    assert set(name_query_tokens(exact_words(name))) <= set(tokens)
    assert set(name_query_tokens(["w99x"])) <= set(tokens)


@pytest.mark.real
def test_every_title_and_author_of_the_real_data_is_found_by_its_own_words(shared: Path) -> None:
    with tarfile.open(next((shared / "data" / "mlanthology").glob("*.tar"))) as archive:
        for member in islice((member for member in archive if member.name.endswith(".gz")), 6):
            content = archive.extractfile(member)
            assert content is not None
            for paper in json.loads(gzip.decompress(content.read()))["papers"]:
                title = Document(title=paper["title"])
                typed = query_words(paper["title"])
                assert [word for word in typed if not compile_predicate(WordNode("title", word))(title)] == []
                assert [word for word in typed if query_words(word.text) != [word]] == []
                names = [f"{author['given']} {author['family']}" for author in paper["authors"]]
                tokens = set(name_tokens(names))
                assert all(set(name_query_tokens(exact_words(name))) <= tokens for name in names)
