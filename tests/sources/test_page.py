"""Saved pages: `octavo.sources.page` and its parts. Every paper and person here is made up."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError
from octavo.records.fold import title_key
from octavo.records.paper import Record, Venue, Waiting
from octavo.sources.base import Fault, Page
from octavo.sources.mlanthology import MLAnthologySource
from octavo.sources.page import PageSource
from octavo.sources.page_furniture import date_of, is_furniture
from octavo.sources.page_kinds import Content, read_page
from octavo.sources.page_lines import cut_more, is_prose, join, names_in, trail_of, trim, venue_of
from octavo.sources.page_sections import categories_of

SHARED = Path(__file__).resolve().parents[3] / "shared"

TILES = (
    "We study how tiles come loose on floors that nobody walks on. Our method, **LooseTile**, finds each of them in "
    "$O(n \\log n)$ steps, and we prove that none can do with fewer. On the three benchmarks that we know of it is 4.2$\\times$ "
    "faster than a broom."
)
LADDERS = (
    "k-ladders lean on k walls at once. Existing work asks for walls that stand still; this paper does not. "
    "Code is at https://example.org/k-ladders"
)
SHOES = "Do shoes know the way? (They do.)"
PAINT = (
    "In this paper we let paint dry and look on. Contrary to what is often said (Bee et al., 2029), it moves: by \\emph{three} "
    "percent a day, with Dr. Hay's brush, and by \\textbf{four} without. We end with an open problem, namely what it all means."
)
ABSTRACTS = (TILES, LADDERS, SHOES, PAINT)

FURNITURE = (
    "Search", "Load more", "Copyright © 2031 Example Lists. All rights reserved.", "19 June 2031", "Thu, 19 Jun 2031", "[PDF]",
    "[PDF] [Code]", "12", "#3", "1 2 3 … 20", "登录", "登录 / 注册", "下一页", "收藏", "收藏 12", "共 3,260 篇", "第 1 页 / 共 20 页",
    "Home | Papers | Authors | About", "★", "★ Save 12", "3 min read", "Page 1 of 20", "Sign in to save papers and get alerts.",
    "This site uses cookies to improve your visit.", "arXiv:2106.01234v2", "Poster", "Share", "BibTeX", "Back to top", "0 comments",
    "https://example.org/a", "View on arXiv", "版权所有 © 2031", "Updated 19 June 2031", "2031年6月19日",
)  # fmt: skip


def listed(*abstracts: str, heading: str = "NeurIPS 2031 Papers") -> str:
    return "\n\n".join((heading, *abstracts))


def searched(*entries: tuple[str, str, str], heading: str = "论文检索") -> str:
    return "\n\n".join((heading, *(line for entry in entries for line in entry)))


def abstracts_of(content: Content) -> list[str]:
    return [entry.abstract for entry in content.entries]


def parse(text: str) -> list[Record | Waiting | Fault]:
    return list(PageSource().parse(Page(text.encode(), "page.txt")))


def records(text: str) -> list[Record]:
    found = parse(text)
    assert all(isinstance(one, Record) for one in found), found
    return [one for one in found if isinstance(one, Record)]


def waiting(text: str) -> list[Waiting]:
    found = parse(text)
    assert all(isinstance(one, Waiting) for one in found), found
    return [one for one in found if isinstance(one, Waiting)]


# A conference's list


@pytest.mark.parametrize(
    ("heading", "venue"),
    [
        ("ICML 2031 Papers", Venue("ICML", "ICML", 2031)),
        ("NeurIPS 2024 Papers", Venue("NeurIPS", "NeurIPS", 2024)),
        ("CVPR 2024 论文", Venue("CVPR", "CVPR", 2024)),
        ("2024 年 CVPR 论文", Venue("CVPR", "CVPR", 2024)),
        ("# NIPS 2016 Papers", Venue("NIPS", "NeurIPS", 2016)),
        ("Accepted Papers of CoRL 2031", Venue("CoRL", "CoRL", 2031)),
        ("ICLR'31 Papers", Venue("ICLR", "ICLR", 2031)),
        ("MLSys 2031 - Accepted Papers (37)", Venue("MLSys", "MLSys", 2031)),
        ("Conference on Tile Laying 2031 Papers", Venue("Conference on Tile Laying", "", 2031)),
        ("ICML 2031", Venue("ICML", "ICML", 2031)),
    ],
)
def test_list_gives_bare_abstracts_with_the_venue_of_its_heading(heading: str, venue: Venue) -> None:
    found = waiting(listed(*ABSTRACTS, heading=heading))
    assert [one.abstract.raw for one in found] == list(ABSTRACTS)
    assert {one.venue for one in found} == {venue}
    assert {(one.source, one.authors, one.topics, one.categories) for one in found} == {("page", (), (), ())}


def test_heading_is_found_below_a_menu() -> None:
    menu = (
        "Home\nICLR 2031 Papers\nICML 2031 Papers\nNeurIPS 2031 Papers\nAbout\n\n## NeurIPS 2031 Papers\nSort by date"
    )
    assert {one.venue and one.venue.short for one in waiting(listed(*ABSTRACTS, heading=menu))} == {"NeurIPS"}


def test_heading_between_abstracts_gives_those_after_it_its_venue() -> None:
    text = listed(TILES, LADDERS) + "\n\n" + listed(PAINT, heading="ICLR 2031 Papers") + "\n\nICML 2031 Papers"
    assert [one.venue and one.venue.short for one in waiting(text)] == ["NeurIPS", "NeurIPS", "ICLR"]


def test_introduction_of_the_list_is_no_abstract() -> None:
    text = listed("All papers that were accepted at NeurIPS 2031, with their abstracts and in no order.", TILES)
    assert abstracts_of(read_page(text)) == [TILES]


@pytest.mark.parametrize("width", [60, 72, 100])
def test_abstract_on_several_lines_is_one(width: int) -> None:
    wrapped = ["\n".join(textwrap.wrap(text, width, break_on_hyphens=False)) for text in ABSTRACTS]
    assert abstracts_of(read_page(listed(*wrapped))) == list(ABSTRACTS)


def test_each_line_is_an_abstract_when_there_are_no_blank_lines() -> None:
    long = [f"{TILES} {PAINT}", f"{PAINT} {LADDERS}", f"{TILES} {LADDERS}"]
    assert abstracts_of(read_page("NeurIPS 2031 Papers\n" + "\n".join(long))) == long


def test_second_paragraph_stays_with_its_abstract_when_others_are_apart() -> None:
    long = [f"{TILES} {PAINT}", f"{PAINT} {LADDERS}", f"{TILES} {LADDERS}", f"{LADDERS} {TILES}"]
    found = abstracts_of(read_page(listed(long[0], f"{long[1]}\n{long[2]}", long[3])))
    assert found == [long[0], f"{long[1]} {long[2]}", long[3]]


# A topic search


def test_search_gives_trail_authors_and_abstract() -> None:
    found = waiting(
        searched(
            ("Deep Learning · Large Language Models", "Ann Bee, Cy van der Dee, jo nye", TILES),
            ("Applications · Health / Medicine", "Gus Hay, EPFL Ida Jay, ARNE KLØV", LADDERS),
            ("Theory", "Ola Poe, Quý Rây 等", SHOES),
            ("Theory", "Zihao Example", PAINT),
        )
    )
    assert [one.topics for one in found] == [
        (("Deep Learning", "Large Language Models"),),
        (("Applications", "Health / Medicine"),),
        (("Theory",),),
        (("Theory",),),
    ]
    assert [[author.name for author in one.authors] for one in found] == [
        ["Ann Bee", "Cy van der Dee", "jo nye"],
        ["Gus Hay", "EPFL Ida Jay", "ARNE KLØV"],
        ["Ola Poe", "Quý Rây"],
        ["Zihao Example"],
    ]
    assert [one.authors_incomplete for one in found] == [False, False, True, False]
    assert [one.abstract.raw for one in found] == list(ABSTRACTS)
    assert {one.venue for one in found} == {None}


@pytest.mark.parametrize(
    "heading", ["论文检索\n\nCVPR 2024 论文", "论文检索 · CVPR 2024", "CVPR 2024 论文检索", "CVPR 2024 Papers"]
)
def test_search_keeps_the_venue_that_its_heading_names(heading: str) -> None:
    entries = [("Vision · Tiles", "Ann Bee, Cy Dee", TILES), ("Vision · Floors", "Eve Fox", PAINT)]
    content = read_page(searched(*entries, heading=heading))
    assert content.kind == "paper-search"
    assert [(entry.authors, entry.venue) for entry in content.entries] == [
        ("Ann Bee, Cy Dee", Venue("CVPR", "CVPR", 2024)),
        ("Eve Fox", Venue("CVPR", "CVPR", 2024)),
    ]


def test_topic_of_one_level_is_no_author_when_no_authors_are_shown() -> None:
    content = read_page(
        "论文检索\n\nReinforcement Learning\n\n" + TILES + "\n\nGraphs · Reinforcement Learning\n\n" + PAINT
    )
    assert [(entry.topics, entry.authors) for entry in content.entries] == [
        (("Reinforcement Learning",), ""),
        (("Graphs", "Reinforcement Learning"), ""),
    ]


def test_search_is_read_when_it_has_no_blank_lines() -> None:
    entries = [
        ("Deep Learning · Tiles", "Ann Bee, Cy Dee 等", TILES),
        ("Theory", "Eve Fox, Gus Hay", LADDERS),
        ("Theory", "Ida Jay", PAINT),
    ]
    content = read_page(searched(*entries).replace("\n\n", "\n"))
    assert [(" · ".join(e.topics), e.authors, e.abstract) for e in content.entries] == entries


def test_prose_of_the_page_is_no_entry_of_a_search() -> None:
    text = (
        searched(("Theory", "Ann Bee, Cy Dee", TILES), ("Theory", "Eve Fox", PAINT))
        + "\n\nThis page is made by hand, every day, by people."
    )
    assert abstracts_of(read_page(text)) == [TILES, PAINT]


# A daily reader

DAILY = """Machine Learning
Which Ladder, Which Wall?
Ann Bee, Cy Dee, Eve Fox et al. (+2 more)
Large
Language Models climb badly. We give a multi-
agent ladder to an
agent that has none, and it climbs (with all its
tokens) up
tree
search
. On three
benchmarks it is the
$\\beta$-
cell among ladders: see https://example.org/multi-
agent-
ladders
Read the full abstract ▾
All authors Ann Bee, Cy Dee, Eve Fox, Gus Hay, Ida Jay
Computation and Language · Cross-listed from stat.ML
Loose Tiles
Zihao Example
Attention
is what tiles want.
Read the full abstract ▾
Robotics
A Floor for Every Robot: Paint, Tiles, and Shoes
Łukasz Żak, Nguyễn Ví Dụ, jo nye et al.
Robots slip.
Read the full abstract ▾
"""


def test_daily_gives_title_authors_categories_and_abstract() -> None:
    found = records(DAILY)
    assert [one.title.raw for one in found] == [
        "Which Ladder, Which Wall?",
        "Loose Tiles",
        "A Floor for Every Robot: Paint, Tiles, and Shoes",
    ]
    assert [[author.name for author in one.authors] for one in found] == [
        ["Ann Bee", "Cy Dee", "Eve Fox", "Gus Hay", "Ida Jay"],
        ["Zihao Example"],
        ["Łukasz Żak", "Nguyễn Ví Dụ", "jo nye"],
    ]
    assert [one.authors_incomplete for one in found] == [False, False, True]
    assert [one.categories for one in found] == [("cs.LG",), ("stat.ML", "cs.CL"), ("cs.RO",)]
    assert [one.topics for one in found] == [
        (("Machine Learning",),),
        (("Computation and Language",),),
        (("Robotics",),),
    ]
    assert [one.abstract and one.abstract.raw for one in found] == [
        (
            "Large Language Models climb badly. We give a multi-agent ladder to an agent that has none, and it climbs (with all its "
            "tokens) up tree search. On three benchmarks it is the $\\beta$-cell among ladders: see "
            "https://example.org/multi-agent-ladders"
        ),
        "Attention is what tiles want.",
        "Robots slip.",
    ]


def test_shortened_list_stays_incomplete_when_all_authors_are_not_shown() -> None:
    (first, *_) = records(DAILY.replace("All authors Ann Bee, Cy Dee, Eve Fox, Gus Hay, Ida Jay\n", ""))
    assert [author.name for author in first.authors] == ["Ann Bee", "Cy Dee", "Eve Fox"]
    assert first.authors_incomplete


def test_full_list_may_go_on_over_several_lines() -> None:
    (first, *_) = records(DAILY.replace("All authors Ann Bee, Cy Dee, ", "All authors\nAnn Bee, Cy Dee,\n"))
    assert [author.name for author in first.authors] == ["Ann Bee", "Cy Dee", "Eve Fox", "Gus Hay", "Ida Jay"]


@pytest.mark.parametrize(
    "section", ["Tile Laying", "Trending Now", "Machine Learning (cs.LG)", "cs.LG", "Neural and Evolutionary Computing"]
)
def test_section_may_be_any(section: str) -> None:
    text = DAILY.replace("Machine Learning\n", f"{section}\n").replace("Robotics\n", f"{section}\n")
    known, read = records(DAILY), records(text)
    assert [(one.title, one.authors, one.abstract) for one in read] == [
        (one.title, one.authors, one.abstract) for one in known
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Read the full abstract ▾\n", ""),
        ("\nRead the full abstract ▾", " Read the full abstract ▾"),
        (" et al. (+2 more)", " et al."),
        ("Computation and Language · Cross-listed from stat.ML", "Computation and Language\nCross-listed from stat.ML"),
        ("A Floor for Every Robot: Paint, Tiles, and Shoes", "A Floor for Every Robot: Paint, Tiles,\nand Shoes"),
        ("\n", "\n\n"),
        ("\n", "\r\n"),
    ],
)
def test_daily_is_read_the_same_when_it_is_saved_otherwise(old: str, new: str) -> None:
    assert old in DAILY
    assert records(DAILY.replace(old, new)) == records(DAILY)


def test_day_of_the_page_is_kept() -> None:
    assert {
        one.seen_on for one in records(f"My reader\nThursday, 19 June 2031\n\n{DAILY}Last updated 20 June 2031")
    } == {"2031-06-19"}


def test_menu_of_sections_is_no_entry() -> None:
    menu = "Artificial Intelligence\nRobotics\nComputation and Language\nMachine Learning\nAll\n"
    assert records(menu + DAILY) == records(DAILY)


def test_glossary_word_that_is_a_sections_name_ends_no_abstract() -> None:
    text = DAILY.replace(
        "Robots slip.", "Robots slip.\nRobotics\nand\nMachine Learning\nwork for\nLanguage Models\nand robots alike."
    )
    assert [one.title for one in records(text)] == [one.title for one in records(DAILY)]
    assert records(text)[-1].abstract is not None


def test_entry_without_an_abstract_keeps_its_title() -> None:
    (found,) = records("Machine Learning\nLoose Tiles\nAnn Bee, Cy Dee\nRead the full abstract ▾\n")
    assert (found.title.raw, found.abstract) == ("Loose Tiles", None)


@pytest.mark.parametrize(
    ("section", "primary", "categories"),
    [
        ("Machine Learning", "", ("cs.LG",)),
        ("Machine Learning", "stat.ML", ("stat.ML", "cs.LG")),
        ("Machine Learning", "cs.LG", ("cs.LG", "stat.ML")),
        ("Information Theory", "cs.IT", ("cs.IT", "math.IT")),
        ("Systems and Control", "", ("cs.SY",)),
        ("distributed, parallel & cluster computing", "", ("cs.DC",)),
        ("Quantum Physics", "cs.LG", ("cs.LG", "quant-ph")),
        ("stat.ME", "", ("stat.ME",)),
        ("Tile Laying", "", ()),
        ("Tile Laying", "cs.CV", ("cs.CV",)),
    ],
)
def test_categories_have_the_primary_first(section: str, primary: str, categories: tuple[str, ...]) -> None:
    assert categories_of(section, primary) == categories


# All three

PAGES: dict[str, str] = {
    "icml-list": listed(*ABSTRACTS),
    "paper-search": searched(
        ("Deep Learning · Large Language Models", "Ann Bee, Cy van der Dee, jo nye", TILES),
        ("Theory", "Ola Poe, Quý Rây 等", SHOES),
        ("Theory", "Zihao Example", PAINT),
    ),
    "arxiv-daily": DAILY,
}


@pytest.mark.parametrize("kind", PAGES)
@pytest.mark.parametrize(
    "saved",
    [
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace("\n", "\r"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n\n", "\n\n\n\n"),
        lambda text: f"\n\n{text}\n\n\n",
        lambda text: text.rstrip("\n"),
        lambda text: "\n".join(f"  {line}\t " for line in text.split("\n")),
        lambda text: text.replace(" ", "\u00a0"),
        lambda text: text.replace("-", "-\u200b"),
    ],
)
def test_page_is_read_the_same_however_it_was_saved(kind: str, saved: Callable[[str], str]) -> None:
    assert read_page(PAGES[kind]).kind == kind
    assert parse(saved(PAGES[kind])) == parse(PAGES[kind])


@pytest.mark.parametrize("kind", PAGES)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_furniture_around_the_entries_changes_nothing(kind: str, data: st.DataObject) -> None:
    gap = "\n" if kind == "arxiv-daily" else data.draw(st.sampled_from(["\n", "\n\n"]))

    def furniture(least: int = 0) -> str:
        lines = data.draw(st.lists(st.sampled_from(FURNITURE), min_size=least, max_size=4))
        return "\n".join(lines) + gap if lines else ""

    if kind == "arxiv-daily":
        heads = ("Computation and", "Robotics")
        text = DAILY
        for head in heads:
            text = text.replace(f"\n{head}", f"\n{furniture()}{head}")
        text = text.replace("\nRead the full", f"\n{furniture()}Read the full")
    else:
        heading, *blocks = PAGES[kind].split("\n\n")
        size = 3 if kind == "paper-search" else 1
        text = furniture() + heading + "\n\n"
        for start in range(0, len(blocks), size):
            text += gap.join(blocks[start : start + size]) + "\n\n" + furniture()
    assert read_page(f"{text}\n{furniture(1)}").entries, text
    found = read_page(f"{text}\n{furniture(1)}")
    assert found.kind == kind
    known = read_page(PAGES[kind]).entries
    assert [(e.title, e.authors, e.topics, e.abstract) for e in found.entries] == [
        (e.title, e.authors, e.topics, e.abstract) for e in known
    ]


def test_key_is_the_same_when_an_entry_stands_on_two_pages() -> None:
    (bare,) = waiting(listed(TILES))
    (with_authors,) = waiting(
        searched(("Theory", "Ann Bee, Cy Dee", TILES.replace("**", "").replace("-", "–").replace(". ", ".  ")))
    )
    (other,) = waiting(listed(PAINT))
    assert bare.key == with_authors.key != other.key
    first = records(DAILY)[0]
    again = records(DAILY.replace("Which Ladder, Which Wall?", "Which ladder - which WALL?"))[0]
    assert first.key == again.key
    assert len({one.key for one in records(DAILY)}) == 3


@pytest.mark.parametrize(
    "content",
    [
        "Tiles\n",
        "Dear reader,\n\nthank you for your letter of yesterday, which we have read with joy and with some care.\n",
        f"{TILES}\n\n{PAINT}\n",
        '{"title": "Tiles"}\n',
        "@article{bee2031, title={Tiles}, booktitle={Proceedings of ICML 2031}}\n",
        f"<html><h1>ICML 2031 Papers</h1><p>{TILES}</p></html>",
        "---\ntitle: ICML 2031 Papers\n---\n" + TILES,
        "id,title\n1,Tiles\n2,Ladders\n",
        "# Notes on tiles\n\nMuch is said of tiles; we say it again here, for all who have not yet heard it.\n",
    ],
)
def test_other_text_is_refused_and_the_three_kinds_are_named(content: str) -> None:
    with pytest.raises(
        FormatError, match=r"no page of a kind that is known.*ICML 2025 Papers.*论文检索.*daily arXiv reader"
    ):
        parse(content)


@pytest.mark.parametrize("content", ["ICML 2031 Papers\n\nLoading...\n", "论文检索\n\n登录\n"])
def test_page_of_a_known_kind_without_entries_is_refused(content: str) -> None:
    with pytest.raises(FormatError, match="holds no entry"):
        parse(content)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", EmptyFileError),
        (b" \r\n \n", EmptyFileError),
        (b"\xef\xbb\xbf\n", EmptyFileError),
        ("ICML 2031 Papers\n".encode("utf-16"), EncodingError),
        (b"ICML 2031 Papers\n\ncaf\xe9\n", EncodingError),
        (b"\x89PNG\r\n", EncodingError),
    ],
)
def test_unreadable_file_is_refused(tmp_path: Path, content: bytes, error: type[Exception]) -> None:
    target = tmp_path / "page.txt"
    target.write_bytes(content)
    source = PageSource()
    with pytest.raises(error):
        [one for page in source.fetch(target) for one in source.parse(page)]


def test_folder_gives_its_text_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(listed(TILES))
    (tmp_path / "b.txt").write_text(DAILY)
    (tmp_path / "c.png").write_bytes(b"\x89PNG")
    assert [page.place.rpartition(" ")[2] for page in PageSource().fetch(tmp_path)] == ["a.txt", "b.txt"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"Read me.\n", "no page of a known kind"),
        (b"ICML 2031 Papers\n\nLoading...\n", "no page of a known kind"),
        (b" \n", "an empty file"),
        (b"caf\xe9\n", "not UTF-8"),
    ],
)
def test_file_of_a_folder_that_is_no_page_costs_itself(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "README.txt").write_bytes(content)
    (tmp_path / "b.txt").write_text(listed(TILES))
    source = PageSource()
    fault, entry = [one for page in source.fetch(tmp_path) for one in source.parse(page)]
    assert fault == Fault(f"{tmp_path.name}: README.txt", reason)
    assert isinstance(entry, Waiting)


def test_entry_that_is_too_long_costs_itself() -> None:
    found = parse(listed(TILES, f"{PAINT} " * 1000, SHOES))
    assert [type(one) for one in found] == [Waiting, Fault, Waiting]
    assert found[1] == Fault("page.txt, line 5", "abstract is longer than 200,000 characters")


words = st.sampled_from(
    [
        *FURNITURE,
        *ABSTRACTS,
        *DAILY.splitlines(),
        "ICML 2031 Papers",
        "论文检索",
        "Ann Bee, Cy Dee 等",
        "Theory",
        "A · B",
        "",
        "-",
        "agents",
        "the",
    ]
)


# Control characters are a Text's matter: it reads some as the letters that they once were.
any_line = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=40)


@settings(deadline=None)
@given(st.lists(st.one_of(words, any_line), max_size=30).map("\n".join))
def test_any_text_is_read_or_refused_and_no_line_is_made_up(text: str) -> None:
    try:
        found = parse(text)
    except SourceError:
        return
    letters = title_key(text)
    for one in found:
        if isinstance(one, Waiting):
            assert title_key(one.abstract.raw)[:12] in letters
        elif isinstance(one, Record):
            assert title_key(one.title.raw) in letters


# Lines


@pytest.mark.parametrize("line", FURNITURE)
def test_furniture_is_told(line: str) -> None:
    assert is_furniture(line)
    assert not is_prose(line)


@pytest.mark.parametrize(
    "line",
    [
        *ABSTRACTS,
        "Which Ladder, Which Wall?",
        "Ann Bee, Cy Dee",
        "Deep Learning · Robustness",
        "Theory",
        "Zihao Example",
        "ICML 2031 Papers",
    ],
)
def test_what_an_entry_says_is_no_furniture(line: str) -> None:
    assert not is_furniture(line)


@pytest.mark.parametrize("abstract", ABSTRACTS)
def test_abstract_is_prose(abstract: str) -> None:
    assert is_prose(abstract)


@pytest.mark.parametrize(
    ("line", "likeness"),
    [
        ("Ann Bee, Cy Dee and Eve Fox", 2),
        ("Ann Bee et al. (+3 more)", 2),
        ("Ann Bee, Cy Dee, Eve Fox et al.", 2),
        ("Ann Bee, jo nye", 2),
        ("Ann Bee, Cy Dee, annbee", 2),
        ("Nigel T. Example and Jan van der Dee Jr.", 2),
        ("Ann Bee¹, Cy Dee²,³", 2),
        ("Ann Bee (Lab X), Cy Dee (Lab Y)", 2),
        ("李明、王芳 等", 2),
        ("Zihao Example", 1),
        ("The Tile Collaboration", 1),
        ("Tiles, Ladders, and Shoes", 1),
        ("Tiles", 0),
        ("Which Ladder, Which Wall?", 0),
        ("Tiles: Ann Bee, Cy Dee", 0),
        ("agents, datasets and", 0),
        ("including ladder training, anchored gradient methods,", 0),
        ("We introduce Tiles, a new floor", 0),
        ("Learning to climb with ladders and tiles", 0),
    ],
)
def test_names_are_told_from_other_words(line: str, likeness: int) -> None:
    assert names_in(line) == likeness


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ("Ann Bee, Cy Dee et al. (+3 more)", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee et al.", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee, and 3 others", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee and others", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee, ... (+3)", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee 等", "Ann Bee, Cy Dee"),
        ("Ann Bee, Cy Dee 等 15 人", "Ann Bee, Cy Dee"),
        ("李明、王芳等", "李明、王芳"),
    ],
)
def test_sign_of_a_shortened_list_is_no_name(line: str, kept: str) -> None:
    assert cut_more(line) == (kept, True)
    assert cut_more(kept) == (kept, False)


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        (["multi-", "agent"], "multi-agent"),
        (["Large", "Language Models"], "Large Language Models"),
        (["an", "agent", ", or two"], "an agent, or two"),
        (["the (", "agent", ") is"], "the (agent) is"),
        (["an agent", "-based floor"], "an agent-based floor"),
        (["the agent", "'s floor"], "the agent's floor"),
        (["image/", "language models"], "image/language models"),
        (["floors -", "agents too"], "floors - agents too"),
        (["floors --", "agents too"], "floors -- agents too"),
        (["floors—", "agents too"], "floors—agents too"),
        (["low-", "and high-rank"], "low- and high-rank"),
        (['so-called "', "agents", '" are'], 'so-called "agents" are'),
        (["the **", "agent", "** is"], "the **agent** is"),
        (["https://example.org/principal-", "agent-", "benchmarks"], "https://example.org/principal-agent-benchmarks"),
        (["https://example.org/a_", "benchmark is"], "https://example.org/a_benchmark is"),
        (["over _e3nn_", "and more"], "over _e3nn_ and more"),
        (["深度", "学习"], "深度学习"),
        ([], ""),
    ],
)
def test_broken_lines_are_joined_as_they_were(lines: list[str], text: str) -> None:
    assert join(lines) == text


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["We climb.", "Save", "Then we rest."], ["We climb.", "Then we rest."]),
        (["We use tree", "search", "to climb."], ["We use tree", "search", "to climb."]),
        (["We climb while preserving", "data", "privacy."], ["We climb while preserving", "data", "privacy."]),
        (["Dataset", "Distillation is new."], ["Dataset", "Distillation is new."]),
        (["PDF", "Distillation is new."], ["Distillation is new."]),
        (["We climb.", "Similar floors", "Save"], ["We climb."]),
        (["Code: https://example.org/a", "Save"], ["Code: https://example.org/a"]),
        (["Code is available at", "https://example.org/a"], ["Code is available at", "https://example.org/a"]),
        (["Save", "★"], []),
    ],
)
def test_furniture_is_trimmed_off_an_abstract_and_glossary_words_are_not(lines: list[str], kept: list[str]) -> None:
    assert trim(lines) == kept


@pytest.mark.parametrize(
    ("line", "trail"),
    [
        ("Deep Learning · Large Language Models", ("Deep Learning", "Large Language Models")),
        ("Applications · Health / Medicine", ("Applications", "Health / Medicine")),
        ("深度学习 › 大语言模型", ("深度学习", "大语言模型")),
        ("A → B → C", ("A", "B", "C")),
        ("Deep Learning", ()),
        ("ICML 2031 · Poster", ()),
        ("12 · 13", ()),
        ("Tiles are · as we show · loose.", ()),
    ],
)
def test_trail_is_parted(line: str, trail: tuple[str, ...]) -> None:
    assert trail_of(line) == trail


@pytest.mark.parametrize(
    "line",
    ["June 2031", "Copyright 2031", "Best Papers 2031", "Papers", "In 2031 we read papers.", "Daily Papers 2031"],
)
def test_other_years_are_no_venue(line: str) -> None:
    assert venue_of(line) is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("2031-06-19", "2031-06-19"),
        ("19 June 2031", "2031-06-19"),
        ("Thu, 19 Jun 2031", "2031-06-19"),
        ("Updated on June 19th, 2031 08:30 UTC", "2031-06-19"),
        ("2031年6月19日 星期四", "2031-06-19"),
        ("19 June", None),
        ("19 tiles", None),
    ],
)
def test_day_is_read_when_the_line_is_a_date(line: str, day: str | None) -> None:
    assert date_of(line) == day


# The real pages

SEEDS = SHARED / "seeds"
real = pytest.mark.real
needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="the real pages are not here")


def seed(name: str) -> list[Record | Waiting | Fault]:
    source = PageSource()
    return [one for page in source.fetch(SEEDS / name) for one in source.parse(page)]


@real
@needs_seeds
def test_real_list_is_read_whole() -> None:
    found = seed("icml-list.txt")
    assert [type(one) for one in found] == [Waiting] * 19
    assert {one.venue for one in found if isinstance(one, Waiting)} == {Venue("ICML", "ICML", 2025)}
    assert len({one.key for one in found if isinstance(one, Waiting)}) == 19


@real
@needs_seeds
def test_real_search_is_read_whole() -> None:
    found = [one for one in seed("paper-search-zh.txt") if isinstance(one, Waiting)]
    assert len(found) == 20
    assert [len(one.authors) for one in found] == [7, 5, 6, 5, 4, 5, 10, 6, 4, 3, 10, 7, 3, 5, 5, 3, 6, 4, 4, 4]
    assert [one.authors_incomplete for one in found].index(True) == 10
    assert sum(one.authors_incomplete for one in found) == 1
    assert sum(len(one.topics[0]) == 1 for one in found) == 3
    assert found[3].topics == (("Applications", "Health / Medicine"),)
    assert [author.name for author in found[12].authors] == ["Jun Wu", "jiangtao wen", "Yuxing Han"]
    assert found[16].authors[-1].name == "EPFL Pascal Fua"
    (bare,) = {one.key for one in seed("icml-list.txt") if isinstance(one, Waiting)} & {one.key for one in found}
    assert bare == found[4].key


@real
@needs_seeds
def test_real_daily_page_is_read_whole() -> None:
    found = [one for one in seed("arxiv-daily.txt") if isinstance(one, Record)]
    assert len(found) == 30
    assert [len(one.authors) for one in found] == [
        6, 6, 4, 3, 13, 4, 3, 3, 6, 4, 4, 7, 3, 3, 6, 5, 1, 2, 9, 1, 4, 6, 3, 2, 5, 4, 2, 14, 2, 7,
    ]  # fmt: skip
    assert not any(one.authors_incomplete for one in found)
    crossed = {n: one.categories for n, one in enumerate(found) if len(one.categories) > 1}
    assert crossed == {
        4: ("cs.NI", "cs.LG"), 5: ("stat.ML", "cs.LG"), 8: ("cs.CL", "cs.LG"), 9: ("stat.ML", "cs.LG"), 18: ("cs.SE", "cs.LG"),
        19: ("math.OC", "cs.LG"), 24: ("physics.chem-ph", "cs.LG"), 26: ("quant-ph", "cs.LG"), 28: ("math.ST", "cs.LG"),
    }  # fmt: skip
    assert found[17].title.raw == "PINNs Failure Modes are Overfitting"
    assert (
        found[15].title.raw
        == "Welfare, Improvability, and Variance: A Principal-Agent Approach to Optimal Benchmark Item Aggregation"
    )
    assert [author.name for author in found[19].authors] == ["Zihao Chen"]
    texts = [one.abstract.raw for one in found if one.abstract]
    assert len(texts) == 30
    assert not any("full abstract" in text or "All authors" in text for text in texts)
    assert "multi-agent" in texts[3]
    assert texts[15].endswith("https://github.com/stair-lab/principal-agent-benchmarks.")
    assert not any("- agent" in text or "  " in text for text in texts)


@real
@needs_seeds
def test_real_abstracts_are_whole() -> None:
    lists = SHARED / "data/mlanthology/mlanthology-2026-03.tar"
    if not lists.exists():
        pytest.skip("the real data is not here")
    source = MLAnthologySource()
    pages = (page for page in source.fetch(lists) if "icml-2025" in page.place)
    known = {
        title_key(one.abstract.plain)
        for page in pages
        for one in source.parse(page)
        if isinstance(one, Record) and one.abstract
    }
    entries = [
        one for name in ("icml-list.txt", "paper-search-zh.txt") for one in seed(name) if isinstance(one, Waiting)
    ]
    matched = [one for one in entries if title_key(one.abstract.plain) in known]
    assert len(matched) == 39
