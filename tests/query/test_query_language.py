"""The page about the query language, held to what the parser does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from octavo.query.fields import FIELDS
from octavo.query.parser import MAX_CHARACTERS, MAX_DEPTH, MAX_WORDS, parse_lenient, parse_strict
from octavo.query.wording import MAX_PREFIXES

PAGE = Path(__file__).resolve().parents[2] / "docs" / "query-language.md"
TEXT = PAGE.read_text(encoding="utf-8")
CODE = re.compile(r"`([^`]+)`")
ROWS = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in TEXT.splitlines() if line.startswith("| `")]
NO_QUERIES = {"the", "of", "with", "NOT", "AND", "OR", "ANDNOT", "：“”（）－"}


@pytest.mark.parametrize("query", dict.fromkeys(code for code in CODE.findall(TEXT) if code not in NO_QUERIES))
def test_every_query_of_the_page_is_one(query: str) -> None:
    assert parse_lenient(query).notes == ()


def test_fields_of_the_page_are_those_of_the_table() -> None:
    described = {}
    for first, _, *names in (row for row in ROWS if len(row) > 2):
        example = CODE.findall(first)[0]
        described[example.partition(":")[0]] = [name.lower() for name in CODE.findall(names[0])]
    assert described == {field.name: list(field.aliases) for field in FIELDS}


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("tiling -wood", "tiling NOT wood"),
        ("tiling !wood", "tiling ANDNOT wood"),
        ("tiling plane OR packing", "(tiling plane) OR packing"),
        ("cat:cs", "cat:cs.*"),
        ("year:2029-2031", "year:[2029 TO 2031]"),
        ("au:del_maestro", 'au:"del maestro"'),
        ("flashtp", "FLASHTP"),
        ("year:2031-06", "date:2031-06"),
        ("date:2031-06-01..2031-08-31", "date:2031-06..2031-08"),
        ("is:unread", "-is:read"),
        ("tag:“To Cite”", 'tag:"to cite"'),
        ("nguyen", "Nguyễn"),
        ("the tiling", "tiling"),
        ("标题：“量子”", 'title:"量子"'),
    ],
)
def test_what_the_page_calls_the_same_is_the_same(left: str, right: str) -> None:
    assert parse_strict(left) == parse_strict(right)


def test_limits_of_the_page_are_the_parsers() -> None:
    assert f"{MAX_CHARACTERS:,} characters, {MAX_WORDS} different words and {MAX_DEPTH} open brackets" in TEXT
    assert f"at most {MAX_PREFIXES} beginnings" in TEXT
