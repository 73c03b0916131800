"""JSON lines: all that the sources said, there and back."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import UsageError
from octavo.export import FORMATS, export_papers
from octavo.ingest.merge import merge
from octavo.records.ids import Identifier
from octavo.records.paper import Record
from octavo.records.text import Text
from tests.world import RECORDS, record


def lines_of(*groups: list[Record]) -> list[str]:
    return list(export_papers("jsonl", [(merge(records), records) for records in groups]))


def test_a_line_holds_every_record_when_a_paper_has_several() -> None:
    ours = [RECORDS[0], RECORDS[1]]
    (line,) = lines_of(ours)
    assert line.endswith("\n")
    assert line.count("\n") == 1
    value = json.loads(line)
    assert list(value) == ["id", "title", "records"]
    assert value["id"] == merge(ours).id
    assert {claim["source"] for claim in value["records"]} == {"mlanthology", "arxiv-snapshot"}


def test_a_line_is_the_same_when_its_records_come_in_another_order() -> None:
    assert lines_of([RECORDS[0], RECORDS[1]]) == lines_of([RECORDS[1], RECORDS[0]])


def test_a_line_is_utf8_when_a_text_has_half_a_surrogate_pair() -> None:
    broken = Record("pmlr", "v900/odd31a", Text("Half \ud835 a pair"))
    (line,) = lines_of([broken])
    assert json.loads(line.encode())["records"][0]["title"] == "Half \ud835 a pair"


def test_letters_stay_letters_when_they_are_not_ascii() -> None:
    (line,) = lines_of([record("pmlr", "v900/nguyen31a", "量子計算入門", "Łukasz Nguyễn")])
    assert "量子計算入門" in line
    assert "Łukasz Nguyễn" in line


def test_the_bytes_are_the_same_when_an_export_is_added_and_exported_again(
    library: Octavo, octavo: Octavo, tmp_path: Path
) -> None:
    names = sorted(hit.paper.id for hit in library.search("year:1900..2100", 1000).hits)
    assert len(names) > 10
    first = "".join(library.export("jsonl", names=names))
    path = tmp_path / "all.jsonl"
    path.write_bytes(first.encode())
    view = octavo.add("jsonl", path)
    assert view.skipped == 0
    assert "".join(octavo.export("jsonl", names=names)) == first


def test_citations_and_references_go_there_and_back(octavo: Octavo, tmp_path: Path) -> None:
    cited = replace(RECORDS[0], citations=12, references=(Identifier("arxiv", "2101.00011"),))
    first = "".join(lines_of([cited]))
    path = tmp_path / "cited.jsonl"
    path.write_text(first)
    octavo.add("jsonl", path)
    paper = octavo.get("10.5555/tiles.1").paper
    assert (paper.citations, paper.references) == (12, cited.references)
    assert "".join(octavo.export("jsonl", names=[paper.id])) == first


def test_all_formats_are_written_when_they_are_listed() -> None:
    for form in FORMATS:
        assert list(export_papers(form, [(merge([RECORDS[0]]), [RECORDS[0]])]))


def test_a_format_is_refused_when_it_is_not_known() -> None:
    with pytest.raises(UsageError, match="There is no export format 'docx'"):
        export_papers("docx", [])
