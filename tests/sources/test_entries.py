"""Fields of entries, and what no entry may break: `entries` and the three sources that parse with it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.records.codec import record_to_dict
from octavo.records.paper import Record
from octavo.records.venues import short_name
from octavo.sources import entries
from octavo.sources.base import MAX_TEXT, Fault, Page, Source
from octavo.sources.entries import BadEntry
from octavo.sources.registry import get_source

# What each source needs of an entry, and how it is put into a page.
SOUND: dict[str, dict[str, Any]] = {
    "mlanthology": {"bibtex_key": "bee2031icml-tiles", "title": "Tiles", "authors": [], "venue": "icml"},
    "paperlists": {"id": "AbC12xYz90", "title": "Tiles", "author": "Ann Bee", "status": "Poster"},
    "arxiv-snapshot": {
        "id": "3001.00010",
        "title": "Tiles",
        "authors_parsed": [["Bee", "Ann", ""]],
        "versions": [],
    },
}
FIELDS = {
    "mlanthology": (
        "bibtex_key title authors year venue venue_name volume number pages abstract pdf_url venue_url doi "
        "openreview_url code_url source source_id"
    ),
    "paperlists": (
        "id title author authors status track award abstract keywords primary_area tldr site pdf openreview "
        "proceeding oa doi github video supp poster"
    ),
    "arxiv-snapshot": (
        "id authors authors_parsed title comments journal-ref doi categories license abstract versions update_date"
    ),
}


def parsed(source: str, *found: object) -> list[Any]:
    content = b"\n".join(json.dumps(entry).encode() for entry in found)
    if source != "arxiv-snapshot":
        content = b"[" + content.replace(b"\n", b",") + b"]"
    reader: Source = get_source(source)
    return list(reader.parse(Page(content, "here", context=(("venue", "icml"), ("year", "2031")))))


def only(source: str, /, **changes: object) -> Any:
    (found,) = parsed(source, {**SOUND[source], **changes})
    return found


@pytest.mark.parametrize("source", SOUND)
def test_entry_without_a_title_is_a_fault_with_its_id(source: str) -> None:
    key = next(iter(SOUND[source]))
    unit = "line" if source == "arxiv-snapshot" else "entry"
    for title in (None, "", "  \n", "\0"):
        assert only(source, title=title) == Fault(f"here, {unit} 1", "no title", SOUND[source][key])


@pytest.mark.parametrize("source", SOUND)
def test_field_over_the_limit_is_a_fault_and_one_at_the_limit_is_kept(source: str) -> None:
    assert only(source, abstract="a" * (MAX_TEXT + 1)).reason == "abstract is longer than 200,000 characters"
    assert only(source, title="a" * (MAX_TEXT + 1)).reason == "title is longer than 200,000 characters"
    assert len(only(source, abstract="a" * MAX_TEXT).abstract.plain) == MAX_TEXT


@pytest.mark.parametrize("source", SOUND)
@pytest.mark.parametrize("value", [7, 1.5, True, {"a": 1}, ["a"]])
def test_value_of_another_type_is_a_fault_that_names_its_field(source: str, value: object) -> None:
    assert only(source, abstract=value).reason == "abstract is not text"
    assert only(source, title=value).reason == "title is not text"


@pytest.mark.parametrize("source", SOUND)
def test_sound_entries_are_read_around_a_bad_one(source: str) -> None:
    other = {**SOUND[source], next(iter(SOUND[source])): "3001.00011"}
    found = parsed(source, SOUND[source], 7, None, [], "text", other)
    assert [type(one) for one in found] == [Record, Fault, Fault, Fault, Fault, Record]
    assert {one.reason for one in found[1:5]} == {"not a JSON object"}


@pytest.mark.parametrize("source", SOUND)
def test_three_thousand_authors_are_all_kept(source: str) -> None:
    names = [(f"Given{n}", f"Family{n}") for n in range(3_303)]
    values: dict[str, object] = {
        "mlanthology": {"authors": [{"given": given, "family": family} for given, family in names]},
        "paperlists": {"author": "; ".join(f"{given} {family}" for given, family in names)},
        "arxiv-snapshot": {"authors_parsed": [[family, given, ""] for given, family in names]},
    }[source]
    record = only(source, **values)
    assert [(author.given, author.family) for author in record.authors] == names
    assert not record.authors_incomplete


@pytest.mark.parametrize("source", SOUND)
@pytest.mark.parametrize("bad", ["\0", "\ud83d", "\u202e", "\x1b[31m"])
def test_characters_that_can_not_be_shown_are_in_no_field(source: str, bad: str) -> None:
    changes = {field: f"a{bad}b" for field in FIELDS[source].split() if field not in SOUND[source]}
    changes.pop("authors", None)
    changes.pop("versions", None)
    record = only(source, **changes, title=f"a{bad}b")
    text = json.dumps(record_to_dict(record), ensure_ascii=False)
    assert bad not in text
    text.encode("utf-8")


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(
        [
            "https://openreview.net/forum?id=",
            "10.5555/",
            "v1",
            "Mon, 99 Foo 2031 GMT",
            "a;b",
            "\ud800",
            "{\\'",
        ]
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["given", "family", "version", "created"]) | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("source", SOUND)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_any_entry_gives_a_record_or_a_fault(source: str, data: st.DataObject) -> None:
    changes = data.draw(st.dictionaries(st.sampled_from(FIELDS[source].split()), VALUES, max_size=5))
    (found,) = parsed(source, {**SOUND[source], **changes})
    if isinstance(found, Record):
        assert found.key
        json.dumps(record_to_dict(found), ensure_ascii=False).encode("utf-8")
    else:
        assert found.reason
        found.entry.encode("utf-8")


@given(st.binary(max_size=300))
def test_any_line_gives_a_record_or_a_fault(content: bytes) -> None:
    lines = [line for line in content.split(b"\n") if line and not line.isspace()]
    assert len(list(get_source("arxiv-snapshot").parse(Page(content, "here", line=1)))) == len(lines)


def test_fault_of_a_line_has_its_number_in_the_file() -> None:
    content = b'{"id": "1"\n\n\xff\n[1]\n"' + b"[" * 100_000 + b"\n" + b"[" * 100_000
    found = list(get_source("arxiv-snapshot").parse(Page(content, "snapshot.jsonl", line=41)))
    assert [(fault.place, fault.reason) for fault in found if isinstance(fault, Fault)] == [
        ("snapshot.jsonl, line 41", "broken JSON"),
        ("snapshot.jsonl, line 43", "not UTF-8"),
        ("snapshot.jsonl, line 44", "not a JSON object"),
        ("snapshot.jsonl, line 45", "broken JSON"),
        ("snapshot.jsonl, line 46", "broken JSON"),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("https://example.org/a?b=1#c", "https://example.org/a?b=1#c"),
        (" http://example.org ", "http://example.org"),
        ("HTTPS://EXAMPLE.org/", "HTTPS://EXAMPLE.org/"),
        ("javascript:alert(1)", ""),
        ("https://", ""),
        ("ftp://example.org/a", ""),
        ("https://example.org/a b", ""),
        ('https://example.org/"><script>', ""),
        ("/media/a.pdf", ""),
        ("Not provided", ""),
        (None, ""),
    ],
)
def test_address_is_kept_only_when_it_is_one_of_the_web(value: str | None, expected: str) -> None:
    assert entries.url({"a": value}, "a") == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2031", 2031),
        (2031, 2031),
        ("", None),
        (None, None),
        ("soon", None),
        ("20311", None),
        ("٢٠٣١", None),
        (9, None),
    ],
)
def test_year_is_read_from_text_and_numbers(value: object, expected: int | None) -> None:
    assert entries.year({"year": value}, "year") == expected


@pytest.mark.parametrize("value", [True, 1.5, ["a"], {}, 10**12])
def test_number_field_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(BadEntry, match="volume is not text"):
        entries.number_text({"volume": value}, "volume")


@pytest.mark.parametrize(
    ("code", "name"),
    [("nips", "NeurIPS"), ("ICML", "ICML"), ("corl", "CoRL"), ("tilecon", "TILECON"), ("", "")],
)
def test_short_name_is_the_usual_one(code: str, name: str) -> None:
    assert short_name(code) == name
