"""No pitfall of these groups is without a test: a test that was taken away is missed here."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]

PITFALLS = {
    "B01": "old identifiers with a slash", "B02": "a version makes a second paper", "B03": "identifiers read as numbers",
    "B04": "prefixes and addresses", "B05": "DOIs with odd signs", "B06": "arXiv's DOI is the arXiv id",
    "B07": "forum, note and two shapes of OpenReview", "B08": "ids of services that move", "B09": "citation keys repeat",
    "C01": "accents in all their spellings", "C02": "stacked accents and Unicode forms", "C03": "braces kept, doubled or lost",
    "C04": "a bad brace loses the text", "C05": "dollar signs that are money", "C06": "small caps and unknown macros",
    "C07": "less than eaten as a tag", "C08": "entities decoded too little or too often", "C09": "MathML and JATS in titles",
    "C10": "mixed content of the ACL Anthology", "C11": "control characters", "C12": "half surrogate pairs",
    "C13": "direction overrides", "C14": "placeholder abstracts", "C15": "very long fields", "C16": "three thousand authors",
    "C17": "all authors in one string", "C18": "particles and suffixes", "C19": "and others", "C20": "affiliations that move",
    "C21": "ORCID's check digit", "D10": "partial and null dates", "F04": "fetching what a record names",
    "F05": "an id as a path", "F06": "archives that explode", "F07": "entity bombs", "G01": "cross-lists and replacements",
    "G05": "submitted and announced", "H07": "a whole dump in memory", "J01": "entry types dropped", "J02": "one missing brace",
    "J03": "marks, line ends and encodings of RIS", "J04": "competing fields of RIS",
}  # fmt: skip


@cache
def cited() -> dict[str, set[str]]:
    """The numbers that the tests name, in their name, docstring, table or a comment: number -> files."""
    found: dict[str, set[str]] = {}
    for path in TESTS.rglob("test_*.py"):
        if path.name == Path(__file__).name:
            continue
        text = path.read_text(encoding="utf-8")
        lines = text.splitlines()
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
                source = "\n".join(lines[first - 1 : node.end_lineno])
                for number in re.findall(
                    r"(?<![A-Za-z0-9])[A-J][0-9]{2}(?![A-Za-z0-9])|(?<=_)[a-j][0-9]{2}(?=_)", source
                ):
                    found.setdefault(number.upper(), set()).add(path.relative_to(TESTS).as_posix())
    return found


@pytest.mark.parametrize("number", PITFALLS)
def test_every_pitfall_of_these_groups_has_a_test(number: str) -> None:
    assert cited().get(number), f"no test names {number}, {PITFALLS[number]}"


@pytest.mark.parametrize("number", [number for number in PITFALLS if number not in ("B08", "F04", "G01", "G05")])
def test_every_pitfall_is_met_where_a_reader_meets_it(number: str) -> None:
    """B08, F04 and the news need a service that answers; their tests are at the source and in `tests/sync`."""
    assert any(file.startswith(("pitfalls/", "cli/", "test_app")) for file in cited()[number])
