"""Group E of the list of pitfalls: what people type, from the text to the papers, over an index of made-up papers."""

from __future__ import annotations

import pytest

from octavo.errors import QueryError
from octavo.index.text import TextIndex, held_of
from octavo.index.text_query import compile_query
from octavo.query.parser import parse_lenient, parse_strict
from octavo.records.paper import Paper, PaperId

TITLES = (
    "Non-invasive sensing", "Non invasive probe", "Invasive species", "C++ templates", "C# tools", "C kernels", "F# tiles",
    ".NET tiles", "Tiler 2.0", "2 tiles, 0 gaps", "A rate of 1e-4", "10,000 gaps", "GPT-4o for tiling", "FlashTP tensor products",
    "Flash memory wear", "TP53 in mice", "A flash tp device", "量子計算入門", "Xenon bounds", "Straße nach Gödel", "Object tiling",
    "On objectivity", "Tiling by hand",
)  # fmt: skip
AUTHORS = {"Xenon bounds": ("Łukasz Nguyễn", "T. O. de Ruyt Example"), "Tiling by hand": ("Minh Đỗ", "Jordan Lim")}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    index = TextIndex(tmp_path_factory.mktemp("index"))
    with index.write() as writer:
        for pk, title in enumerate(TITLES):
            writer.add(pk, held_of(Paper(PaperId(f"p{pk}"), title, AUTHORS.get(title, ()), year=2031)))
        writer.commit()
    return index


def found(index: TextIndex, text: str) -> list[str]:
    """Titles that a text finds, the best first; a strict reading gives the same or refuses the text."""
    parsed = parse_lenient(text)
    try:
        assert parse_strict(text) == parsed.node
    except QueryError:
        assert parsed.notes
    return [TITLES[pk] for pk, _ in index.search(compile_query(parsed.node), len(TITLES)).hits]


@pytest.mark.parametrize(
    "text",
    ['"', 'a"b', "(", ")", "don't", "title:", "foo:bar", "-x", "^", "{a}: b", "[a TO", "a~", "\\", "   ", "*", "?", "**",
     "a/b?c", "*tion", "the of and", "...", "🙂", "🙂*", "שלום עולם", "\u202eabc", "a\x00b", "\x00", "' OR 1=1 --",
     "'; DROP TABLE papers; --", "title_exact:x^2 +y", "x NEAR/2 y", "field:[a TO b] AND /regex.*/", "\ud800", "(" * 20_000,
     ")" * 20_000, "(x OR " * 20_000, '"' * 20_001, "-" * 20_000, "* " * 20_000, "NOT " * 20_000, "year:" * 10_000,
     "x " * 500_000, "x" * 1_000_000, "量" * 100_000, "FlashTP" * 50_000, "a-" * 100_000, "1." * 100_000, "date:[" * 5_000,
     "submittedDate:[20331231 TO 20310601]", "cites:999999999999999999999", "year:>2999", "date:..1000", "has:🙂", "tag:\x00",
     "topic:" + "x" * 5_000, "lang:(((", "is:-read", "source:%", "date:9999999999"],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)  # fmt: skip
def test_any_text_is_answered_or_gives_a_sentence(index: TextIndex, text: str) -> None:
    """E01, E08, E09; with what reaches an engine from outside."""
    parsed = parse_lenient(text.encode(errors="replace").decode() if "\ud800" in text else text)
    assert len(parsed.notes) < 30
    assert all(note.endswith(".") and len(note) < 400 for note in parsed.notes)
    for order in (None, "oldest"):
        if "tag" not in str(parsed.node)[:3]:
            index.search(compile_query(parsed.node), 10, 0, order)


@pytest.mark.parametrize("text", ["*", "**", "?", "...", "  ", "()", '""', "🙂"])
def test_text_without_a_word_never_lists_everything(index: TextIndex, text: str) -> None:
    """E08."""
    assert found(index, text) == []
    assert "There is nothing to search for." in parse_lenient(text).notes


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("non-invasive", {"Non-invasive sensing", "Non invasive probe"}),  # E02
        ("C++", {"C++ templates"}),  # E03
        ("C#", {"C# tools"}),
        ("F#", {"F# tiles"}),
        (".NET", {".NET tiles"}),
        ("C", {"C kernels"}),
        ("2.0", {"Tiler 2.0"}),  # E04
        ("1e-4", {"A rate of 1e-4"}),
        ("10,000", {"10,000 gaps"}),
        ("gpt4o", {"GPT-4o for tiling"}),
        ("flashtp", {"FlashTP tensor products"}),  # E05
        ("FLASHTP", {"FlashTP tensor products"}),
        ("FlashTP", {"FlashTP tensor products", "A flash tp device"}),
        ("flash-tp", {"FlashTP tensor products", "A flash tp device"}),
        ("flash tp", {"FlashTP tensor products", "A flash tp device"}),
        ("flash", {"FlashTP tensor products", "Flash memory wear", "A flash tp device"}),
        ("lukasz nguyen xenon", {"Xenon bounds"}),  # E06
        ("minh do", {"Tiling by hand"}),
        ("strasse godel", {"Straße nach Gödel"}),
        ("Go\u0308del", {"Straße nach Gödel"}),
        ("量子", {"量子計算入門"}),  # E07
        ("計算", {"量子計算入門"}),
        ("入門", {"量子計算入門"}),
        ("量子計算", {"量子計算入門"}),
        ("算", {"量子計算入門"}),
        ("tilin*", {"GPT-4o for tiling", "Object tiling", "Tiling by hand"}),  # E08
        ('au:"de Ruyt Example"', {"Xenon bounds"}),  # E10
        ('au:"Example, T. de Ruyt"', {"Xenon bounds"}),
        ("au:lim jordan", {"Tiling by hand"}),
        ("au:de_ruyt_example", {"Xenon bounds"}),
        # In quotes nothing is stemmed, and nothing is split.
        ('"objectivity"', {"On objectivity"}),
        ('"tiling by"', {"Tiling by hand"}),
        ('"flash tp"', {"A flash tp device"}),
        ('"FlashTP"', {"FlashTP tensor products"}),
        ('"C++"', {"C++ templates"}),
        ('"2.0"', {"Tiler 2.0"}),
        ('"GPT-4o"', {"GPT-4o for tiling"}),
        ('"strasse nach godel"', {"Straße nach Gödel"}),
    ],
)
def test_text_finds_what_it_should_and_nothing_else(index: TextIndex, text: str, expected: set[str]) -> None:
    assert set(found(index, text)) == expected


def test_exact_form_of_a_name_is_first(index: TextIndex) -> None:
    """E05."""
    assert found(index, "FlashTP")[0] == "FlashTP tensor products"
    assert found(index, "2.0")[0] == "Tiler 2.0"
