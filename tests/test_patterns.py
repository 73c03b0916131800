"""Regular expressions that every supported Python reads alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import octavo

POSSESSIVE_GROUP = re.compile(r"\)[*+?]\+(?![\w\s]*[\"']\])")
"""A group that gives nothing back: `(?:a|b)*+`. Within a class of signs it is none."""
PROVEN = ("math.py",)
"""Where such groups are needed against time that doubles with each term, and give the same answers on all Pythons."""
IN_CLASS = re.compile(r"\[(?:\\.|[^\]\\])*\]")


@pytest.mark.parametrize(
    "path",
    sorted(path for path in Path(octavo.__file__).parent.rglob("*.py") if path.name not in PROVEN),
    ids=lambda path: path.name,
)
def test_no_pattern_has_a_possessive_group(path: Path) -> None:
    """Python 3.11.0 to 3.11.4 loses its place after such a group with alternatives (CPython issue 106052)."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if re.search(r"\br?b?[\"']", line) and ("re." in line or 'r"' in line):
            assert not POSSESSIVE_GROUP.search(IN_CLASS.sub("[]", line)), f"{path}:{number}"
