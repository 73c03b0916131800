"""The reader's language: no string is missing, and numbers and dates are written as readers write them."""

from __future__ import annotations

import gettext
import re
from pathlib import Path
from string import Formatter

import pytest

from octavo.explain import Explanation
from octavo.web.language import CODES, LOCALE, choose, language
from octavo.web.phrases import phrase, reasons
from tests.web.translations import DOMAIN, PO, WEB, Message, load, messages, template

ENGLISH, CHINESE = language("en"), language("zh-CN")


def key(message: Message) -> str:
    return message if isinstance(message, str) else message[0]


def test_the_catalogue_has_every_message_and_no_other() -> None:
    said = {message.id for message in template() if message.id}
    translated = {message.id for message in load() if message.id}
    assert said == translated, "bring it up to date: python -m tests.web.translations"
    assert len(said) > 200


@pytest.mark.parametrize("message", [one for one in load() if one.id], ids=lambda one: key(one.id)[:40])
def test_every_message_is_translated_with_its_names(message: object) -> None:
    source, translation = key(message.id), message.string  # type: ignore[attr-defined]
    text = translation if isinstance(translation, str) else translation[0]
    assert text.strip()
    assert not message.fuzzy  # type: ignore[attr-defined]
    names = {name for _, name, _, _ in Formatter().parse(source) if name}
    used = {name for _, name, _, _ in Formatter().parse(text) if name}
    assert used <= names | {"n", "total"}
    assert names - {"n"} <= used
    assert re.findall(r"`[^`]+`", source) == re.findall(r"`[^`]+`", text), "commands stay as they are typed"


def test_the_compiled_catalogue_is_current() -> None:
    compiled = gettext.translation(DOMAIN, LOCALE, ["zh_CN"])
    for message in load():
        if isinstance(message.id, str) and message.id:
            assert compiled.gettext(message.id) == message.string
        elif message.id:
            assert compiled.ngettext(*message.id, 7) == message.string[0]
    assert PO.with_suffix(".mo").stat().st_size > 5_000


def test_no_template_says_anything_that_is_no_message() -> None:
    """Between tags there are only values and messages, but for names that are the same in every language."""
    same = {"Octavo", "BibTeX", "v", "·", "←", "→", "–", "(", ")", "v1"}
    for path in sorted((WEB / "templates").glob("*.html")):
        text = re.sub(
            r"{#.*?#}|{%.*?%}|{{.*?}}|<(?:[^<>\"]|\"[^\"]*\")*>",
            "\n",
            path.read_text(encoding="utf-8"),
            flags=re.DOTALL,
        )
        left = {word for word in text.split() if word not in same}
        assert not left, f"{path.name}: {left}"


def test_a_message_in_a_template_is_found_by_the_extraction() -> None:
    found = [message for message, place in messages() if place == "templates/base.html"]
    assert "Search titles, authors, abstracts" in found


@pytest.mark.parametrize(
    ("asked", "remembered", "header", "code"),
    [
        ("", "", "", "en"), ("zh", "", "", "zh-CN"), ("zh-CN", "en", "en", "zh-CN"), ("", "zh-CN", "en", "zh-CN"),
        ("xx", "", "zh", "zh-CN"), ("", "xx", "zh-TW", "zh-CN"), ("", "", "en;q=0.4, zh;q=0.9", "zh-CN"), ("", "", "fr, de", "en"),
        ("", "", "zh;q=0, en;q=0.1", "en"), ("", "", "*", "en"), ("", "", ";;q=,," * 500, "en"), ("\x00", "'", "zh;q=9", "en"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_the_address_then_of_the_cookie_then_of_the_browser(
    asked: str, remembered: str, header: str, code: str
) -> None:
    assert choose(asked, remembered, header) == code
    assert code in CODES


@pytest.mark.parametrize(
    ("iso", "english", "chinese"),
    [
        ("2031-05-09", "9 May 2031", "2031年5月9日"), ("2031-05", "May 2031", "2031年5月"), ("2031", "2031", "2031年"),
        ("2031-13", "2031-13", "2031-13"), ("soon", "soon", "soon"), ("", "", ""),
    ],
)  # fmt: skip
def test_dates_have_the_precision_that_is_known(iso: str, english: str, chinese: str) -> None:
    assert (ENGLISH.date(iso), CHINESE.date(iso)) == (english, chinese)


def test_days_and_counts_are_written_in_the_language() -> None:
    assert ENGLISH.day("2031-05-02") == "Friday, 2 May 2031"
    assert CHINESE.day("2031-05-02") == "2031年5月2日 星期五"
    assert ENGLISH.count("{n} paper", "{n} papers", 1) == "1 paper"
    assert ENGLISH.count("{n} paper", "{n} papers", 12_345) == "12,345 papers"
    assert CHINESE.count("{n} paper", "{n} papers", 12_345) == "12,345 篇论文"


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("the title is exactly this", "标题完全相同"),
        ("abstract: graph, networks", "摘要：graph, networks"),
        ("No paper has all of these words; shown are papers with at least 2 of 3.", "没有论文包含全部词语；以下论文至少包含 3 个词中的 2 个。"),
        ("not found; the nearest is “A {Title}” (the title, 70% alike)", "未找到；最接近的是“A {Title}”（标题有 70% 相同）"),
        ("something nobody has translated", "something nobody has translated"),
    ],
)  # fmt: skip
def test_what_the_search_says_is_said_in_the_language(english: str, chinese: str) -> None:
    assert phrase(CHINESE, english) == chinese
    assert phrase(ENGLISH, english) == english


def test_reasons_are_translated_one_by_one() -> None:
    why = Explanation(
        1.0, "x", (Explanation(1.0, "the title is nearly this"), Explanation(0.0, "title: tiles; authors: bee"))
    )
    assert reasons(ENGLISH, why) == "the title is nearly this; title: tiles; authors: bee"
    assert reasons(CHINESE, why) == "标题几乎相同；标题：tiles；作者：bee"


def test_the_translations_stand_beside_their_source() -> None:
    assert Path(PO).is_relative_to(WEB)
