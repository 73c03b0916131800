"""Octavo's own JSON lines: `octavo.sources.jsonl`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, FormatError, TruncatedFileError
from octavo.records.cleaning import cleaned
from octavo.records.codec import record_to_dict
from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.names import Author
from octavo.records.paper import Record, Venue, Version
from octavo.records.text import Text
from octavo.sources.base import Fault, Page
from octavo.sources.jsonl import JsonlSource

FULL = Record(
    source="pmlr",
    key="v901/bee31a",
    title=Text.of("Fast $n$-Tiles", "mixed"),
    authors=(Author("Ann Bee", "Ann", "Bee"), Author("Cy van der Dee", "Cy", "van der Dee")),
    authors_incomplete=True,
    identifiers=(Identifier("pmlr", "v901/bee31a"), Identifier("doi", "10.5555/tiles")),
    abstract=Text.of("We lay **tiles**: 线 and  .", "mixed"),
    venue=Venue("Tile Laying", "CoTL", 2030, "901", "", "1-15", "PMLR", "main"),
    status="accepted",
    award="oral",
    submitted_on=PartialDate("2030-05"),
    published_on=PartialDate("2031-01-12"),
    versions=(Version(1, PartialDate("2030-05-01")), Version(2)),
    categories=("cs.LG", "stat.ML"),
    keywords=("tiles",),
    topics=(("Theory", "Tiles"),),
    links=(("pdf", "https://example.org/a.pdf"),),
    comment="15 pages",
    seen_on=PartialDate("2031-02-01"),
)
SMALL = Record("arxiv-snapshot", "2101.00010", Text.of("Slow Tiles"))

records = st.builds(
    Record,
    source=st.sampled_from(["pmlr", "page", "arxiv-snapshot"]),
    key=st.text(min_size=1, max_size=20).map(cleaned).filter(bool),
    title=st.builds(Text.of, st.text(max_size=40).map("T{}".format), st.sampled_from(["plain", "mixed", "tex"])),
    authors_incomplete=st.booleans(),
    comment=st.text(max_size=40).map(cleaned),
    keywords=st.lists(st.text(max_size=10).map(cleaned), max_size=3).map(tuple),
)


def parse(*lines: str | bytes, first: int = 1) -> list[Record | Fault]:
    content = b"\n".join(line.encode() if isinstance(line, str) else line for line in lines)
    return list(JsonlSource().parse(Page(content, "export.jsonl", line=first)))


def line_of(*found: Record, paper: str = "") -> str:
    mappings = [record_to_dict(one) for one in found]
    return json.dumps({"id": paper, "records": mappings} if paper else mappings[0], ensure_ascii=False)


def test_record_keeps_its_source_and_all_its_fields_when_it_is_read_back() -> None:
    assert parse(line_of(FULL), line_of(SMALL)) == [FULL, SMALL]


def test_paper_gives_its_records_in_order() -> None:
    assert parse(line_of(FULL, SMALL, paper="p0123456789"), line_of(SMALL)) == [FULL, SMALL, SMALL]


@given(st.lists(records, min_size=1, max_size=4), st.booleans())
def test_reading_undoes_writing(found: list[Record], packed: bool) -> None:
    lines = [line_of(*found, paper="p0123456789")] if packed else [line_of(one) for one in found]
    assert parse(*lines) == found


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('{"source": "pmlr", "key": "a", "ti', Fault("export.jsonl, line 8", "broken JSON")),
        (b'{"source": "\xff"}', Fault("export.jsonl, line 8", "not UTF-8")),
        ("[1]", Fault("export.jsonl, line 8", "not a JSON object")),
        ("null", Fault("export.jsonl, line 8", "not a JSON object")),
        ('{"id": "p1", "records": []}', Fault("export.jsonl, line 8", "a paper without records", "p1")),
        ('{"id": "p1", "records": {}}', Fault("export.jsonl, line 8", "records is not a list", "p1")),
        ('{"id": "p1", "records": [3]}', Fault("export.jsonl, line 8", "a record that is not a JSON object but a number", "p1")),
        ('{"key": "a", "title": "T"}', Fault("export.jsonl, line 8", "no source", "a")),
        ('{"source": "pmlr", "key": "a"}', Fault("export.jsonl, line 8", "no title", "a")),
        ('{"source": "pmlr", "key": "a", "title": "T", "x": 1}', Fault("export.jsonl, line 8", "unknown field 'x'", "a")),
        ('{"source": "", "key": "a", "title": "T"}', Fault("export.jsonl, line 8", "no source, key or title", "a")),
        ('{"source": "pmlr", "key": "a", "title": " "}', Fault("export.jsonl, line 8", "no source, key or title", "a")),
        (
            json.dumps({"source": "pmlr", "key": "a", "title": "T", "abstract": "x" * 200_001}),
            Fault("export.jsonl, line 8", "a text is longer than 200,000 characters", "a"),
        ),
    ],
)  # fmt: skip
def test_broken_line_costs_itself_and_says_where(line: str | bytes, fault: Fault) -> None:
    assert parse(line_of(SMALL), line, line_of(FULL), first=7) == [SMALL, fault, FULL]


def test_same_fault_has_the_same_reason_whatever_the_value() -> None:
    found = parse(*(json.dumps({"source": "pmlr", "key": "a", "title": number}) for number in (1, 22, 333)))
    assert len({one.reason for one in found if isinstance(one, Fault)}) == 1
    assert len(found) == 3


@pytest.mark.parametrize("packed", [False, True])
def test_file_is_read_plain_or_packed(tmp_path: Path, packed: bool) -> None:
    content = f"\ufeff{line_of(FULL)}\r\n\r\n{line_of(SMALL)}".encode()
    target = tmp_path / "export"
    target.write_bytes(gzip.compress(content) if packed else content)
    source = JsonlSource()
    assert [one for page in source.fetch(target) for one in source.parse(page)] == [FULL, SMALL]


def test_lines_are_counted_through_the_pages_of_a_long_file(tmp_path: Path) -> None:
    target = tmp_path / "export.jsonl"
    target.write_text("".join(f'{{"source": "pmlr", "key": "{n}", "title": "T"}}\n' for n in range(50_000)) + "{]}\n")
    source = JsonlSource()
    pages = list(source.fetch(target))
    faults = [one for page in pages for one in source.parse(page) if isinstance(one, Fault)]
    assert len(pages) > 1
    assert [fault.place for fault in faults] == ["export.jsonl, line 50001"]


def test_cut_file_gives_its_complete_lines_and_then_an_error(tmp_path: Path) -> None:
    target = tmp_path / "export.jsonl"
    target.write_text(f'{line_of(SMALL)}\n{{"source": "pm')
    source = JsonlSource()
    found: list[Record | Fault] = []
    with pytest.raises(TruncatedFileError, match="line 2 breaks off"):
        found.extend(one for page in source.fetch(target) for one in source.parse(page))
    assert found == [SMALL]


@pytest.mark.parametrize(
    ("content", "error"),
    [("", EmptyFileError), ("\n \n", EmptyFileError), ("Tiles\n", FormatError), ("[1]\n", FormatError)],
)
def test_other_file_is_refused(tmp_path: Path, content: str, error: type[Exception]) -> None:
    target = tmp_path / "export.jsonl"
    target.write_text(content)
    with pytest.raises(error):
        list(JsonlSource().fetch(target))


def test_folder_gives_the_lines_of_all_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(line_of(FULL), encoding="utf-8")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b.ndjson.gz").write_bytes(gzip.compress(line_of(SMALL).encode()))
    (tmp_path / "README.md").write_text("Tiles")
    source = JsonlSource()
    assert [one for page in source.fetch(tmp_path) for one in source.parse(page)] == [FULL, SMALL]


@pytest.mark.parametrize(("year", "kept"), [(-1, None), (0, None), (99999, None), (2031, 2031)])
def test_a_year_that_is_none_is_left_out(year: int, kept: int | None) -> None:
    claim = record_to_dict(Record("a", "b", Text("Tiles"), venue=Venue(short="TILE", year=year)))
    (found,) = JsonlSource().parse(Page(json.dumps(claim).encode(), "x.jsonl", line=1))
    assert isinstance(found, Record)
    assert found.venue
    assert found.venue.year == kept
