"""Group J: what readers bring from their reference managers."""

from __future__ import annotations

import pytest

from octavo.errors import EncodingError, OctavoError, SourceError
from tests.pitfalls import files
from tests.pitfalls.conftest import Shelf


def test_j01_every_type_is_taken_and_a_missing_key_costs_nothing(shelf: Shelf) -> None:
    view = shelf.put(
        "a.bib",
        "@dataset{k, title={One}} @online{j, title={Two}} @article{author={Bee, Ann}, title={Three}} @article{, title={Four}}",
    )
    assert (view.added, view.skipped) == (4, 0)
    assert shelf.titles() == ["Four", "One", "Three", "Two"]
    keys = [line.partition("{")[2] for line in shelf.export("bibtex").splitlines() if line.startswith("@")]
    assert len(set(keys)) == 4
    assert all(len(key) > 1 for key in keys)


@pytest.mark.parametrize(
    "content",
    [
        "@SOFTWARE(k, title = {One})",
        "@ misc { k , title = {One} , }",
        '@misc{k,title="One",title={Two}}',
        "@misc{k\n,title={One}\n}",
        "@misc{a b c, title={One}}",
        "@string{x = {One}} @misc{k, title = x}",
        "% a comment with @misc{ in it\n@misc{k, title={One}}",
        "@comment{@misc{j, title={Two}}} @misc{k, title={One}}",
        '@preamble{ "x" } @unpublished{k, TITLE={One}}',
    ],
)
def test_j01_odd_formatting_costs_nothing(shelf: Shelf, content: str) -> None:
    shelf.put("a.bib", content, "bibtex")
    assert "One" in shelf.titles()


@pytest.mark.parametrize(
    ("content", "titles", "where"),
    [
        (
            "@article{a1, title={Unclosed, year={2031}\n@article{b2, title={Second}}\n@misc{c3, title={Third}}",
            ["Second", "Third"],
            ("a.bib, line 1", "a1"),
        ),
        (
            '@article{a1, title="Unclosed, year=2031\n}\n@article{b2, title={Second}}',
            ["Second"],
            ("a.bib, line 1", "a1"),
        ),
        ("@article{a1, title={One}}}\n@article{b2, title={Second}}", ["One", "Second"], None),
        ("@article{b2, title={Second}}\n@article{a1, title={Last", ["Second"], ("a.bib, line 2", "a1")),
        ("@article{a1 title={One}}\n@article{b2, title={Second}}", ["Second"], ("a.bib, line 1", "")),
    ],
)
def test_j02_a_broken_entry_costs_itself_and_is_named(
    shelf: Shelf, content: str, titles: list[str], where: tuple[str, str] | None
) -> None:
    view = shelf.put("a.bib", content)
    assert [title for title in shelf.titles() if title in ("One", "Second", "Third")] == titles
    assert [place for place, _, _ in view.faults] == ([where[0]] if where else [])
    if where and where[1]:
        assert [entry for _, _, entry in view.faults] == [where[1]]


RIS = "TY  - JOUR\r\nTI  - Hello\r\nAU  - Bee, Ann\r\nER  - \r\n"


@pytest.mark.parametrize(
    "content",
    [
        "\ufeff" + RIS, RIS, RIS.replace("\r\n", "\r"), RIS.replace("\r\n", "\n"), "\n\n" + RIS, "Reference list:\n\n" + RIS,
        RIS.replace("ER  - \r\n", ""), RIS.replace("ER  - \r\n", "ER  -"), RIS.replace("  - ", " - "), RIS.replace("  - ", "  -"),
        RIS.replace("\r\n", "\r\n\r\n"), RIS.replace("TY", "  TY"),
    ],
)  # fmt: skip
def test_j03_a_reference_is_read_whatever_its_lines_look_like(shelf: Shelf, content: str) -> None:
    view = shelf.put("a.ris", content)
    assert (view.source, view.added, view.skipped) == ("ris", 1, 0)
    assert (shelf.paper()["title"], shelf.paper()["authors"]) == ("Hello", ["Ann Bee"])


def test_j03_another_encoding_is_read_with_a_warning(shelf: Shelf) -> None:
    view = shelf.put("a.ris", RIS.replace("Hello", "Héllo").encode("latin-1"))
    assert shelf.titles() == ["Héllo"]
    assert [reason for _, reason, _ in view.faults] == [
        "not UTF-8: the file was read as Windows-1252, look at its accents"
    ]


@pytest.mark.parametrize(
    ("content", "error", "says"),
    [
        (RIS.encode("utf-16"), EncodingError, "UTF-16"),
        (RIS.encode("utf-16-le"), EncodingError, "UTF-16"),
        (b"A letter to a friend\n", OctavoError, "a.ris"),
        (b"\xef\xbb\xbf", SourceError, "empty"),
        (
            b"FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nAU Bee, A\nTI Tiles\nER\n\nEF\n",
            SourceError,
            "Web of Science",
        ),
        (b"PMID- 123\nTI  - Tiles\n", SourceError, "MEDLINE"),
        (b"%0 Journal Article\n%T Tiles\n", SourceError, "EndNote"),
    ],
)
@pytest.mark.parametrize("source", ["ris", None])
def test_j03_a_file_without_a_reference_is_an_error(
    shelf: Shelf, source: str | None, content: bytes, error: type[OctavoError], says: str
) -> None:
    with pytest.raises(OctavoError) as caught:
        shelf.put("a.ris", content, source)
    assert says in str(caught.value) or (source is None and says == "empty")
    assert isinstance(caught.value, error) or source is None
    assert shelf.titles() == []
    assert shelf.octavo.waiting() == []


def test_j04_competing_fields_and_stray_lines(shelf: Shelf) -> None:
    lines = [
        "T1  - Tiles?",
        "AU  - Bee, Ann",
        "Y1  - 2031/07/05",
        "PY  - 2031",
        "N2  - Same text",
        "AB  - Same text",
        "",
    ]
    shelf.put("a.ris", "\n".join(["TY  - JOUR", *lines, "ER  - ", ""]))
    paper = shelf.paper()
    assert (paper["title"], paper["date"], paper["abstract"]) == ("Tiles?", "2031-07-05", "Same text")
    assert paper["authors"] == ["Ann Bee"]


def test_j04_editors_are_no_authors_and_lines_go_on(shelf: Shelf) -> None:
    shelf.put(
        "a.ris",
        files.ris("Tiles of", "two lines", "AU  - Bee, Ann", "A2  - Itor, Ed", "ED  - Itor, Edna", "DA  - 2031/07/05", "PY  - 2031///",
                  "AB  - A text", "that goes on", "", "ML - a survey", "KW  - tiles"),
    )  # fmt: skip
    paper = shelf.paper()
    assert paper["title"] == "Tiles of two lines"
    assert paper["authors"] == ["Ann Bee"]
    assert paper["date"] == "2031-07-05"
    assert paper["abstract"] == "A text that goes on ML - a survey"


def test_j04_blank_and_stray_lines_make_no_reference(shelf: Shelf) -> None:
    view = shelf.put("a.ris", "\n".join([files.ris("One"), "", "stray", "", files.ris("Two"), "", "1 of 2", ""]))
    assert (view.added, view.skipped) == (2, 0)
    assert shelf.titles() == ["One", "Two"]
