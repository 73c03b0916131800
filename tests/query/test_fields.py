"""The table of fields, held to what the rest of the package needs of it."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter

import pytest

from octavo.query.fields import DEFAULT, FIELDS, NAME_PARTS, Field, Kind, find_field, get_field, suggest_field
from octavo.query.match import Document
from octavo.query.parser import parse_lenient, parse_strict

IDS = [field.name for field in FIELDS]


@pytest.mark.parametrize("field", FIELDS, ids=IDS)
def test_parts_of_a_field_are_in_a_document(field: Field) -> None:
    parts = {part.name for part in dataclasses.fields(Document)}
    assert field.parts
    assert set(field.parts) <= parts
    assert set(field.texts) == set(field.parts) - set(NAME_PARTS)
    assert field.has_names == ("authors" in field.parts)


@pytest.mark.parametrize("field", FIELDS, ids=IDS)
def test_example_of_a_field_is_a_query_in_it(field: Field) -> None:
    name = field.example.partition(":")[0]
    assert find_field(name) is field
    assert parse_lenient(field.example).notes == ()
    assert str(parse_strict(field.example)).startswith("tiling" if field.name == DEFAULT else f"{field.name}:")


def test_no_name_is_given_twice() -> None:
    names = Counter(name for field in FIELDS for name in (field.name, *field.aliases))
    assert [name for name, count in names.items() if count > 1] == []
    assert all(name == name.lower() and re.fullmatch(r"[a-z_]+|[\u4e00-\u9fff]{2,4}", name) for name in names)


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("ti", "title"), ("au", "author"), ("abs", "abstract"), ("co", "comment"), ("jr", "journal_ref"),
        ("cat", "cat"), ("id", "id"), ("all", "all"), ("Author", "author"), ("submittedDate", "date"), ("cites", "citations"), ("kw", "keyword"), ("作者", "author"),
    ],
)  # fmt: skip
def test_alias_of_other_sites_is_known(alias: str, name: str) -> None:
    field = find_field(alias)
    assert field is not None
    assert field.name == name


def test_names_of_no_field() -> None:
    assert find_field("colour") is None
    with pytest.raises(KeyError):
        get_field("colour")


@pytest.mark.parametrize(
    ("typed", "meant"), [("titel", "title"), ("auhtor", "author"), ("YAER", "year"), ("qqq", None)]
)
def test_nearest_name_is_suggested(typed: str, meant: str | None) -> None:
    assert suggest_field(typed) == meant


def test_every_kind_has_a_field() -> None:
    assert {field.kind for field in FIELDS} == set(Kind)
