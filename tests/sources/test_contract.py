"""Every registered source over its pairs: `raw/<source>/<case>.<anything>` and `<case>.expected.json`.

A case is a file or a folder. The expected file holds what reading it gave: the records, what waits for a
title, the faults, and the error that ended the reading, if one did. To write the expected files anew after a
change that is meant:

    OCTAVO_UPDATE_EXPECTED=1 pytest tests/sources/test_contract.py

and read the difference before it is committed.
"""

from __future__ import annotations

import json
import os
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import SourceError
from octavo.records.codec import record_from_dict, record_to_dict
from octavo.records.paper import LINK_KINDS, STATUSES, Record, Waiting
from octavo.records.text import Text
from octavo.sources.base import Deleted, Fault, Page
from octavo.sources.registry import get_source, source_names

RAW = Path(__file__).parent / "raw"
EXPECTED = ".expected.json"
SOURCES = source_names()


def expected_file(case: Path) -> Path:
    return case.with_name(case.name.partition(".")[0] + EXPECTED)


def cases_of(source: str) -> list[Path]:
    folder = RAW / source
    found = sorted(folder.iterdir()) if folder.is_dir() else []
    return [path for path in found if not path.name.endswith(EXPECTED)]


CASES = [pytest.param(name, case, id=f"{name}/{case.name}") for name in SOURCES for case in cases_of(name)]


def pages_of(source: str, case: Path) -> tuple[list[Page], SourceError | None]:
    pages: list[Page] = []
    try:
        pages.extend(get_source(source).fetch(case))
    except SourceError as fault:
        return pages, fault
    return pages, None


def parsed(source: str, pages: list[Page]) -> list[Record | Waiting | Deleted | Fault]:
    return [found for page in pages for found in get_source(source).parse(page)]


def shown(value: Any) -> Any:
    """A Waiting or a part of it as JSON, without what is empty."""
    if isinstance(value, tuple):
        return [shown(part) for part in value]
    if isinstance(value, str | int | None):
        return value
    parts = {field.name: getattr(value, field.name) for field in fields(value)}
    return {name: shown(part) for name, part in parts.items() if part not in ("", (), None, False)}


def read(source: str, case: Path) -> dict[str, Any]:
    pages, error = pages_of(source, case)
    found = parsed(source, pages)
    out: dict[str, Any] = {
        "records": [record_to_dict(one) for one in found if isinstance(one, Record)],
        "waiting": [shown(one) for one in found if isinstance(one, Waiting)],
        "deleted": [shown(one) for one in found if isinstance(one, Deleted)],
        "faults": [shown(one) for one in found if isinstance(one, Fault)],
        "error": f"{type(error).__name__}: {error}" if error else "",
    }
    return {name: value for name, value in out.items() if value}


@pytest.mark.parametrize(("source", "case"), CASES)
def test_source_reads_its_case_as_expected(source: str, case: Path) -> None:
    found = read(source, case)
    path = expected_file(case)
    if os.environ.get("OCTAVO_UPDATE_EXPECTED"):
        path.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    assert found == json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("source", SOURCES)
def test_source_has_cases_when_it_is_registered(source: str) -> None:
    assert cases_of(source), f"{source} has no case in {RAW / source}"


def test_every_raw_file_is_of_a_source_and_has_its_pair() -> None:
    assert {folder.name for folder in RAW.iterdir()} <= set(SOURCES)
    for source in SOURCES:
        cases = [expected_file(case) for case in cases_of(source)]
        assert len(cases) == len(set(cases)), f"two cases of {source} have one name"
        assert set(cases) == set((RAW / source).glob(f"*{EXPECTED}"))


@pytest.mark.parametrize(("source", "case"), CASES)
def test_parse_is_pure_and_its_records_are_sound(source: str, case: Path) -> None:
    pages, _ = pages_of(source, case)
    found = parsed(source, pages)
    assert parsed(source, pages) == found
    claims = [one for one in found if not isinstance(one, Fault)]
    # What a feed says is a claim of its own beside arXiv's fuller one.
    assert {claim.source.removesuffix("-feed") for claim in claims} <= {source}
    keys = [(claim.source, claim.key) for claim in claims]
    assert all(claim.key for claim in claims)
    assert len(keys) == len(set(keys))
    for record in claims:
        if isinstance(record, Record):
            assert record_from_dict(record_to_dict(record)) == record
            assert record.title.plain
            assert record.status in STATUSES
            assert {kind for kind, _ in record.links} <= set(LINK_KINDS)
            assert len(dict(record.links)) == len(record.links)
            assert all(url.startswith(("http://", "https://")) for _, url in record.links)
            assert all(author.name for author in record.authors)
            json.dumps(record_to_dict(record), ensure_ascii=False).encode("utf-8")
    for fault in found:
        if isinstance(fault, Fault):
            assert case.name in fault.place
            assert fault.reason


@pytest.mark.parametrize("source", SOURCES)
def test_source_describes_itself(source: str) -> None:
    info = get_source(source).info
    assert info.name == source
    assert info.title
    assert info.covers
    assert info.reads
    assert info.example.startswith(f"octavo add {source} ")


def test_text_of_a_record_is_of_a_known_notation() -> None:
    for source in SOURCES:
        for case in cases_of(source):
            for record in parsed(source, pages_of(source, case)[0]):
                texts = [getattr(record, name, None) for name in ("title", "abstract", "tldr", "summary")]
                markups = {text.markup for text in texts if isinstance(text, Text)}
                assert markups <= {"plain", "mixed", "tex", "xml"}
