"""What reaches a terminal or a program is harmless and well-formed."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.cli.output import Page, clean, dumps, plural

ANYTHING = st.text(st.characters(codec=None))
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufffe\uffff\ud800-\udfff]")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("a\nb\tc\r\nd", "a b c d"),
        ("  two   blanks ", "two blanks"),
        ("\x1b[31mred\x07", "[31mred"),
        ("\x9b31mred", "31mred"),
        ("Graphs \u202egnp.exe", "Graphs gnp.exe"),
        ("\u2067open", "open"),
        ("\u2067closed\u2069 text", "\u2067closed\u2069 text"),
        ("\u2069\u2067", ""),
        ("مقدمة في GNN (v2.0)", "مقدمة في GNN (v2.0)"),
        ("\ud835 bold", "\ufffd bold"),
        ("量子計算入門", "量子計算入門"),
        ("line\u2028end", "line end"),
    ],
)
def test_text_is_made_harmless(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(ANYTHING)
def test_clean_text_is_one_harmless_line_whatever_it_was(text: str) -> None:
    cleaned = clean(text)
    assert not UNSAFE.search(cleaned)
    assert len(cleaned.splitlines()) <= 1
    assert clean(cleaned) == cleaned


@given(st.dictionaries(ANYTHING, ANYTHING))
def test_json_is_one_harmless_line_and_keeps_every_letter_whatever_they_are(value: dict[str, str]) -> None:
    line = dumps(value)
    assert not UNSAFE.search(line)
    assert json.loads(line.encode("utf-8")) == value


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 papers"), (1, "1 paper"), (2, "2 papers"), (12345, "12,345 papers")]
)
def test_a_count_agrees_with_its_noun(number: int, words: str) -> None:
    assert plural(number, "paper") == words


def test_an_irregular_noun_is_given_when_it_needs_to_be() -> None:
    assert plural(2, "entry", "entries") == "2 entries"


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def test_a_paragraph_is_wrapped_beside_its_label(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Page().line("one two three four five six", label=("id", "dim"), indent=4)
    assert lines(capsys) == ["id  one two three", "    four five six"]


def test_a_paragraph_ends_with_an_ellipsis_when_it_has_too_many_lines(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Page().line("one two three four five six seven eight nine", most=2)
    assert lines(capsys) == ["one two three four", "five six seven…"]


def test_wide_letters_count_double_when_a_line_is_wrapped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Page().line("量子計算入門" * 3)
    assert lines(capsys) == ["量子計算入門量子計算", "入門量子計算入門"]


def test_a_line_stays_whole_when_it_is_to_be_copied(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Page().line("https://example.org/a/very/long/address", is_whole=True)
    assert lines(capsys) == ["https://example.org/a/very/long/address"]


def test_styles_are_there_when_they_are_forced_and_gone_when_they_are_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    Page().line(("x", "bold"))
    assert lines(capsys) == ["x"]
    monkeypatch.setenv("FORCE_COLOR", "1")
    Page().line(("x", "bold"))
    assert lines(capsys) == ["\x1b[1mx\x1b[0m"]
    monkeypatch.setenv("NO_COLOR", "1")
    Page().line(("x", "bold"))
    assert lines(capsys) == ["x"]
