"""RIS files: the pitfalls of the format (their numbers in brackets), foreign formats, and fuzz."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError
from octavo.records.paper import Record
from octavo.sources.base import Fault, Page
from octavo.sources.ris import RisSource

SOURCE = RisSource()
END = "ER  - \n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def read(folder: Path, text: str | bytes) -> tuple[list[Record], list[Fault]]:
    path = folder / "refs.ris"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    found = [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]
    return [one for one in found if isinstance(one, Record)], [one for one in found if isinstance(one, Fault)]


def one(folder: Path, text: str | bytes) -> Record:
    (record,), faults = read(folder, text)
    assert not faults
    return record


def of(folder: Path, *lines: str) -> Record:
    """A reference of these lines; it has a title where they give none."""
    title = () if any(line.startswith(("TI", "T1")) for line in lines) else ("TI  - Tiles",)
    return one(folder, "\n".join(["TY  - JOUR", *title, *lines, END]))


@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_reference_is_read_whatever_ends_its_lines(folder: Path, mark: str, end: str) -> None:  # J03
    text = mark + end.join(["TY  - JOUR", "TI  - Hello", "AU  - Bee, Ann", "ER  - ", ""])
    record = one(folder, text)
    assert record.title.raw == "Hello"
    assert [person.name for person in record.authors] == ["Ann Bee"]


def test_windows_1252_is_read_and_told_when_the_file_is_not_utf8(folder: Path) -> None:  # J03
    text = "TY  - JOUR\nTI  - Caf\xe9 \x96 Tiles\nER  - \n".encode("latin-1")
    (record,), faults = read(folder, text)
    assert record.title.plain == "Café – Tiles"
    assert [(fault.place, fault.reason) for fault in faults] == [
        ("refs.ris, line 2", "not UTF-8: the file was read as Windows-1252, look at its accents")
    ]


def test_the_most_precise_date_wins_and_an_abstract_is_kept_once(folder: Path) -> None:  # J04
    record = one(
        folder,
        "TY  - JOUR\nT1  - Tiles?\nAU  - Bee, Ann\nY1  - 2031/07/05\nPY  - 2031\nN2  - Same text\nAB  - Same text\n\nER  -",
    )
    assert record.published_on == "2031-07-05"
    assert record.abstract
    assert record.abstract.plain == "Same text"


@pytest.mark.parametrize(
    ("lines", "date", "year"),
    [
        (["PY  - 1948/07//"], "1948-07", 1948),
        (["PY  - 2031", "DA  - 2031/05/09/Spring"], "2031-05-09", 2031),
        (["PY  - 2031", "DA  - 2030-11-02"], "2030-11-02", 2031),
        (["Y1  - 2031//"], "2031", 2031),
        (["DA  - 5 July 2031"], "2031-07-05", 2031),
        (["PY  - in press"], None, None),
        (["PY  - 2031/13/40"], "2031", 2031),
        ([], None, None),
    ],
)
def test_a_date_has_the_precision_that_is_given(
    folder: Path, lines: list[str], date: str | None, year: int | None
) -> None:  # D10
    record = of(folder, "JO  - Tiles", *lines)
    assert record.published_on == date
    assert record.venue
    assert record.venue.year == year


def test_editors_are_no_authors_and_a_list_may_be_cut(folder: Path) -> None:  # J04, C18, C19
    record = of(
        folder, "AU  - de la Cruz, Ana, Jr.", "AU  - The Blue Team", "AU  - et al.", "A2  - Ed, Ed", "ED  - Ed, Di"
    )
    assert [person.name for person in record.authors] == ["Ana de la Cruz Jr.", "The Blue Team"]
    assert record.authors[0].family == "de la Cruz"
    assert record.authors_incomplete


def test_authors_are_named_once_when_two_tags_repeat_them(folder: Path) -> None:
    record = of(folder, "AU  - Bee, Ann; Dee, Cy", "A1  - Bee, Ann")
    assert [person.name for person in record.authors] == ["Ann Bee", "Cy Dee"]


def test_stray_text_is_passed_over_or_goes_on_with_its_field(folder: Path) -> None:  # J04
    text = """Record #1 of 2
Provider: nobody
1.
TY  - JOUR
TI  - Fast
      tiles
AB  - first,

ML - a second
ER then the third
ZZ  - unknown
ER  -

Record #2 of 2
TY  - CPAPER
T1  - Slow tiles
"""
    first, second = read(folder, text)[0]
    assert first.title.raw == "Fast tiles"
    assert first.abstract
    assert first.abstract.plain == "first, ML - a second ER then the third"
    assert second.title.raw == "Slow tiles"


def test_a_reference_is_read_when_its_end_was_forgotten(folder: Path) -> None:
    records, faults = read(folder, "TY  - JOUR\nTI  - One\nTY  - JOUR\nTI  - Two\n")
    assert [record.title.raw for record in records] == ["One", "Two"]
    assert not faults


def test_the_last_reference_is_named_when_the_file_breaks_off_in_it(folder: Path) -> None:
    records, faults = read(folder, "TY  - JOUR\nTI  - One\nER  - \n\nTY  - JOUR\nTI  - Tw")
    assert [record.title.raw for record in records] == ["One"]
    assert faults == [Fault("refs.ris, line 5", "the reference breaks off", "Tw")]


def test_a_reference_without_a_title_is_named_by_its_line(folder: Path) -> None:
    records, faults = read(folder, f"\n\nTY  - JOUR\nDO  - 10.5555/x\n{END}TY  - JOUR\nTI  - One\n{END}")
    assert len(records) == 1
    assert faults == [Fault("refs.ris, line 3", "no title", "")]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DO  - https://doi.org/10.5555/ABC"], "doi:10.5555/abc"),
        (["DO  - 10.48550/arXiv.2101.00010"], "arxiv:2101.00010"),
        (["UR  - https://arxiv.org/abs/2101.00010v2"], "arxiv:2101.00010"),
        (["UR  - http://example.org/a; https://openreview.net/forum?id=AbC12xYz90"], "openreview:AbC12xYz90"),
        (["AN  - arXiv:math/0309136"], "arxiv:math/0309136"),
        (["M3  - arXiv:2101.00010"], "arxiv:2101.00010"),
        (["U1  - acl:P18-1001 pmlr:v900/bee31a"], "acl:P18-1001 pmlr:v900/bee31a"),
        (["N1  - arXiv:2101.00010"], "arxiv:2101.00010"),
        (["UR  - https://example.org/"], ""),
        (["ID  - 2101.00010"], ""),
    ],
)
def test_identifiers_are_found_where_programs_put_them(folder: Path, lines: list[str], expected: str) -> None:
    assert " ".join(map(str, of(folder, *lines).identifiers)) == expected


def test_the_venue_is_read_with_its_parts(folder: Path) -> None:
    record = of(
        folder, "JF  - Journal of Tiles", "JA  - J. Tiles", "VL  - 9", "IS  - 3", "SP  - 11", "EP  - 19",
        "PB  - Quarry", "PY  - 2031", "KW  - *tiles", "KW  - floors; walls", "L1  - https://example.org/a.pdf",
        "L1  - internal-pdf://a.pdf", "UR  - https://example.org/a", "N1  - Withdrawn",
    )  # fmt: skip
    assert record.venue
    assert (record.venue.name, record.venue.short, record.venue.pages) == ("Journal of Tiles", "J. Tiles", "11-19")
    assert (record.venue.volume, record.venue.number, record.venue.publisher) == ("9", "3", "Quarry")
    assert record.keywords == ("tiles", "floors", "walls")
    assert dict(record.links) == {"page": "https://example.org/a", "pdf": "https://example.org/a.pdf"}
    assert (record.status, record.comment) == ("withdrawn", "")


def test_signs_stay_as_they_are_when_the_title_has_some(folder: Path) -> None:  # C07
    title = "for 0<x and y>1 we show n<m; $5, {a_b} & \\n 100%"
    assert of(folder, f"TI  - {title}").title.plain == title


def test_an_abstract_is_read_as_xml_when_it_plainly_is(folder: Path) -> None:
    record = of(folder, "AB  - <jats:p>R&amp;D of <jats:italic>tiles</jats:italic></jats:p>")
    assert record.abstract
    assert record.abstract.plain == "R&D of tiles"


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", EmptyFileError, "empty"),
        (b"FN Clarivate\nVR 1.0\nPT J\nAU Bee, A\nER\n", FormatError, "Web of Science's own tagged format, not RIS"),
        (b"PT J\nAU Bee, A\nER\n", FormatError, "Web of Science"),
        (b"PMID- 1\nTI  - Tiles\n", FormatError, "MEDLINE"),
        (b"%0 Journal Article\n%T Tiles\n", FormatError, "EndNote"),
        (b"@misc{k, title={One}}", FormatError, "BibTeX, not RIS"),
        (b"[]", FormatError, "JSON or XML"),
        (b"plain words\n", FormatError, "no RIS reference"),
        ("TY  - JOUR\nTI  - x\n".encode("utf-16"), EncodingError, "UTF-16"),
    ],
)
def test_a_file_is_refused_when_it_is_no_ris(
    folder: Path, content: bytes, error: type[SourceError], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(folder, content)


def test_many_references_are_read_over_pages_and_each_keeps_its_line(folder: Path) -> None:
    text = "".join(
        f"TY  - JOUR\nTI  - {'' if n % 1000 == 7 else f'Tile {n}'}\nAB  - {'words ' * 60}\nDO  - 10.5555/t.{n}\n{END}\n"
        for n in range(5_000)
    )
    records, faults = read(folder, text)
    assert len(records) == len({record.key for record in records}) == 4_995
    assert [fault.place for fault in faults] == [f"refs.ris, line {n * 6 + 1}" for n in range(7, 5_000, 1000)]


@given(st.binary(max_size=300))
def test_parse_never_raises_whatever_the_bytes(content: bytes) -> None:
    found = SOURCE.parse(Page(b"TY  - JOUR\n" + content, "refs.ris"))
    assert all(isinstance(one, Record | Fault) for one in found)


PIECES = st.sampled_from(
    ["TY  - JOUR", "ER  - ", "\n", "TI  - ", "AU  - ", "Bee, Ann", "PY  - ", "2031/07/05", "//", "DO  - 10.5555/x", "AB  -",
     "  ", "UR  - http://", ";", "é", "\x00", "TY-", "ER-", "N1  - arXiv:2101.00010", "SP  - 1-", "\u2028", "KW  - ,;"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join))
@settings(deadline=None)
def test_parse_is_pure_whatever_the_pieces(text: str) -> None:
    page = Page(f"TY  - JOUR\n{text}".encode(), "refs.ris")
    found = list(SOURCE.parse(page))
    keys = [one.key for one in found if isinstance(one, Record)]
    assert found
    assert len(keys) == len(set(keys))
    assert list(SOURCE.parse(page)) == found


def test_reading_ends_when_a_field_goes_on_over_many_lines(folder: Path) -> None:
    records, faults = read(folder, "TY  - JOUR\nTI  - x\nAB  - y\n" + "word\n" * 300_000 + END)
    assert not records
    assert "longer than" in faults[0].reason


REAL = {
    "example_basic.ris": (1, 0), "example_bom.ris": (0, 1), "example_custom_list_tags.ris": (0, 1),
    "example_empty_tag.ris": (1, 0), "example_extraneous_data.ris": (2, 0), "example_full.ris": (2, 0),
    "example_full_without_whitespace.ris": (2, 0), "example_full_write.ris": (2, 0),
    "example_multi_unknown_tags.ris": (1, 0), "example_multiline.ris": (0, 3), "example_single_unknown_tag.ris": (1, 0),
    "example_starting_newlines.ris": (1, 0), "example_urls.ris": (4, 0), "example_utf_chars.ris": (1, 0),
}  # fmt: skip
"""Records and faults (all for want of a title) of each real file."""


@pytest.mark.real
def test_every_real_file_is_read_or_refused_for_a_reason(shared: Path) -> None:
    paths = sorted((shared / "data" / "samples" / "ris").iterdir())
    assert {path.name for path in paths} == {*REAL, "example_wos.ris"}
    for path in paths:
        if path.name == "example_wos.ris":
            with pytest.raises(FormatError, match="Web of Science"):
                list(SOURCE.fetch(path))
            continue
        found = [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]
        faults = [one for one in found if isinstance(one, Fault)]
        assert (len(found) - len(faults), len(faults)) == REAL[path.name], path.name
        assert {fault.reason for fault in faults} <= {"no title"}
