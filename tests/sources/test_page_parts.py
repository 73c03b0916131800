"""Several pages in one file, and prose that no entry has: `octavo.sources.page_parts`."""

from __future__ import annotations

from itertools import permutations

import pytest

from octavo.records.paper import Record, Waiting
from octavo.sources.base import Fault, Page
from octavo.sources.page import PageSource
from octavo.sources.page_parts import STRAY_WORDS, read_parts
from tests.sources.test_page import DAILY, LADDERS, PAINT, SEEDS, TILES, listed, needs_seeds, real, searched

BENCHES = (
    "Benches in parks are looked at by few and sat on by fewer. We count who sits on which, over a year and in four towns, "
    "and give a model of the bench that says when it is too cold to be sat on, with an error of less than one coat."
)
PAGES = {
    "icml-list": listed(TILES, PAINT),
    "paper-search": searched(
        ("Deep Learning · Large Language Models", "Ann Bee, Cy van der Dee, jo nye", BENCHES),
        ("Theory", "Ola Poe, Quý Rây 等", TILES),
    ),
    "arxiv-daily": DAILY.rstrip("\n"),
}
MIXES = [mix for length in (2, 3) for mix in permutations(PAGES, length)]


def parse(text: str) -> list[Record | Waiting | Fault]:
    return list(PageSource().parse(Page(text.encode(), "page.txt")))


def said(found: list[Record | Waiting | Fault]) -> list[tuple[object, ...]]:
    """What the entries say, without their lines."""
    return [
        (one.key, one.abstract, one.authors, one.venue, one.topics, one.categories)
        for one in found
        if isinstance(one, Record | Waiting)
    ]


# "" is what `cat` makes of files whose last line has no end.
@pytest.mark.parametrize("gap", ["\n\n", "\n", ""], ids=["apart", "below", "glued"])
@pytest.mark.parametrize("mix", MIXES, ids="+".join)
def test_pages_in_one_file_are_read_as_each_alone(mix: tuple[str, ...], gap: str) -> None:
    text = gap.join(PAGES[kind] for kind in mix)
    assert [part.content.kind for part in read_parts(text)] == list(mix)
    assert said(parse(text)) == [one for kind in mix for one in said(parse(PAGES[kind]))]
    assert not any(isinstance(one, Fault) for one in parse(text))


@pytest.mark.parametrize("kind", PAGES)
def test_a_page_of_one_kind_is_one_part_without_strays(kind: str) -> None:
    (part,) = read_parts(PAGES[kind])
    assert (part.content.kind, part.strays) == (kind, ())


def wrapped(text: str) -> str:
    words = text.split()
    return "\n".join(" ".join(words[n : n + 9]) for n in range(0, len(words), 9))


@pytest.mark.parametrize("shape", [str, wrapped], ids=["one line", "wrapped"])
@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"{{}}\n\n{PAGES['paper-search']}", 1),  # above a heading, and of no kind
        (f"{PAGES['arxiv-daily']}\n\n{{}}", PAGES["arxiv-daily"].count("\n") + 3),
        (DAILY.replace("Robotics\n", "\n{}\n\nRobotics\n"), DAILY[: DAILY.index("Robotics\n")].count("\n") + 2),
    ],
    ids=["above a search", "below a daily page", "in a daily page"],
)
def test_prose_that_no_entry_has_is_a_fault(text: str, line: int, shape: type[str]) -> None:
    assert len(BENCHES.split()) >= STRAY_WORDS
    prose = BENCHES.replace("Benches", "Stools")
    before = [one for one in parse(text.replace("{}", "")) if isinstance(one, Record | Waiting)]
    found = parse(text.replace("{}", shape(prose)))
    assert [one for one in found if isinstance(one, Fault)] == [
        Fault(f"page.txt, line {line}", "text that belongs to no entry", prose[:80])
    ]
    assert said(found) == said(list(before))


def test_chinese_prose_that_no_entry_has_is_a_fault() -> None:
    prose = "我们研究地板上的瓷砖为什么会松动。" * 6
    faults = [one for one in parse(f"{PAGES['arxiv-daily']}\n\n{prose}") if isinstance(one, Fault)]
    assert [fault.reason for fault in faults] == ["text that belongs to no entry"]


@pytest.mark.parametrize(
    "text",
    [
        f"Home\nICLR 2031 Papers\nAbout\n\n{PAGES['paper-search']}",
        f"{PAGES['icml-list']}\n\nICLR 2031 Papers",
        f"{PAGES['paper-search']}\n\n登录\n论文检索",
    ],
)
def test_heading_without_entries_parts_nothing(text: str) -> None:
    assert len(read_parts(text)) == 1


def test_abstract_that_ends_in_the_name_of_a_section_stays_whole() -> None:
    text = f"{TILES} {LADDERS.split('Code')[0]}Its place is Machine Learning"
    (one,) = parse(listed(text))
    assert isinstance(one, Waiting)
    assert one.abstract.raw == text


@real
@needs_seeds
@pytest.mark.parametrize("gap", ["\n\n", ""])
@pytest.mark.parametrize("mix", list(permutations(("icml-list", "paper-search-zh", "arxiv-daily"))), ids="+".join)
def test_real_pages_in_one_file_are_read_as_each_alone(mix: tuple[str, ...], gap: str) -> None:
    texts = [(SEEDS / f"{name}.txt").read_text(encoding="utf-8") for name in mix]
    found = parse(gap.join(texts))
    assert len(found) == 69
    assert said(found) == [one for text in texts for one in said(parse(text))]
