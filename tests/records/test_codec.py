"""Records as JSON: reading is the exact inverse of writing, and refuses what is of another type."""

from __future__ import annotations

import json
from dataclasses import replace
from hashlib import blake2b

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, SourceError
from octavo.records.codec import (
    decode_record,
    digest,
    encode_record,
    encode_with_digest,
    record_from_dict,
    record_to_dict,
    same_claim,
)
from octavo.records.dates import PartialDate
from octavo.records.ids import RECORD_SCHEME, SCHEMES, Identifier
from octavo.records.names import Author
from octavo.records.paper import LINK_KINDS, MAX_REFERENCES, STATUSES, Record, Venue, Version
from octavo.records.text import MARKUPS, Text

FULL = Record(
    source="mlanthology",
    key="bee2031tiles",
    title=Text("Fast Tiles"),
    authors=(
        Author("Ann Bee", "Ann", "Bee"),
        Author("Plato", "", "Plato"),
        Author("Cy Dee Jr.", "Cy", "Dee", "Jr.", ("Lab X",), "0000-0009-9990-008X", ("dblp:Cy Dee 0001",)),
    ),
    authors_incomplete=True,
    identifiers=(Identifier("openreview", "AbC12xYz90"), Identifier("url", "https://example.org/a?b=c:d")),
    abstract=Text("We show $x$.", "mixed"),
    summary=Text("Short."),
    tldr=Text("Tiles.", "tex"),
    venue=Venue("Proceedings of Tiles", "TILE", 2031, "7", "2", "1-9", "Bee Press", "main"),
    status="accepted",
    award="oral",
    submitted_on=PartialDate("2030-11-02"),
    updated_on=PartialDate("2031-01"),
    announced_on=PartialDate("2030-11-03"),
    published_on=PartialDate("2031"),
    versions=(Version(1, PartialDate("2030-11-02")), Version(2)),
    categories=("cs.LG", "stat.ML"),
    keywords=("tiles",),
    topics=(("Deep Learning", "Tiles"), ("Floors",)),
    links=(("pdf", "https://example.org/a.pdf"), ("code", "https://example.org/code")),
    comment="9 pages",
    journal_ref="J. Tiles 7",
    licence="CC-BY-4.0",
    language="en",
    seen_on=PartialDate("2031-02-03"),
    references=(Identifier("arxiv", "2101.00011"), Identifier("doi", "10.5555/b")),
    citations=12,
)


def test_a_full_record_has_the_documented_form() -> None:
    assert record_to_dict(FULL) == {
        "source": "mlanthology",
        "key": "bee2031tiles",
        "title": "Fast Tiles",
        "authors": [
            {"name": "Ann Bee", "given": "Ann", "family": "Bee"},
            {"name": "Plato", "family": "Plato"},
            {
                "name": "Cy Dee Jr.", "given": "Cy", "family": "Dee", "suffix": "Jr.",
                "affiliations": ["Lab X"], "orcid": "0000-0009-9990-008X", "ids": ["dblp:Cy Dee 0001"],
            },
        ],
        "authors_incomplete": True,
        "identifiers": ["openreview:AbC12xYz90", "url:https://example.org/a?b=c:d"],
        "abstract": {"text": "We show $x$.", "markup": "mixed"},
        "summary": "Short.",
        "tldr": {"text": "Tiles.", "markup": "tex"},
        "venue": {
            "name": "Proceedings of Tiles", "short": "TILE", "year": 2031, "volume": "7", "number": "2",
            "pages": "1-9", "publisher": "Bee Press", "track": "main",
        },
        "status": "accepted",
        "award": "oral",
        "submitted_on": "2030-11-02",
        "updated_on": "2031-01",
        "announced_on": "2030-11-03",
        "published_on": "2031",
        "versions": [{"number": 1, "on": "2030-11-02"}, {"number": 2}],
        "categories": ["cs.LG", "stat.ML"],
        "keywords": ["tiles"],
        "topics": [["Deep Learning", "Tiles"], ["Floors"]],
        "links": {"pdf": "https://example.org/a.pdf", "code": "https://example.org/code"},
        "comment": "9 pages",
        "journal_ref": "J. Tiles 7",
        "licence": "CC-BY-4.0",
        "language": "en",
        "references": ["arxiv:2101.00011", "doi:10.5555/b"],
        "citations": 12,
        "seen_on": "2031-02-03",
    }  # fmt: skip


def test_empty_fields_are_left_out() -> None:
    record = Record("s", "k", Text("T"))
    assert record_to_dict(record) == {"source": "s", "key": "k", "title": "T"}
    assert encode_record(record) == '{"source":"s","key":"k","title":"T"}'


def test_every_field_of_a_record_is_written() -> None:
    assert set(record_to_dict(FULL)) == set(Record.__dataclass_fields__)
    assert {"name", *record_to_dict(FULL)["authors"][2]} == set(Author.__dataclass_fields__)
    assert set(record_to_dict(FULL)["venue"]) == set(Venue.__dataclass_fields__)


WORDS = st.text(min_size=1, max_size=12)
ANY = st.text(st.characters(exclude_categories=["Cs"]) | st.just("\ud835"), max_size=12)
"""May hold half a surrogate pair, as what sources send does."""
DATES = st.dates().filter(lambda day: 1000 <= day.year <= 2999).flatmap(
    lambda day: st.sampled_from([PartialDate(day.isoformat()[:length]) for length in (4, 7, 10)])
)  # fmt: skip
TEXT = st.builds(Text, ANY, st.sampled_from(MARKUPS))
TUPLES = st.lists(ANY, max_size=3).map(tuple)
AUTHORS = st.builds(Author, ANY, ANY, ANY, st.sampled_from(["", "Jr."]), TUPLES, ANY, TUPLES) | st.builds(
    Author, WORDS, WORDS, WORDS
)
RECORDS = st.builds(
    Record,
    source=ANY,
    key=ANY,
    title=TEXT,
    authors=st.lists(AUTHORS, max_size=3).map(tuple),
    authors_incomplete=st.booleans(),
    identifiers=st.lists(st.builds(Identifier, st.sampled_from([*SCHEMES, RECORD_SCHEME]), WORDS), max_size=3).map(
        tuple
    ),
    abstract=st.none() | TEXT,
    summary=st.none() | TEXT,
    tldr=st.none() | TEXT,
    venue=st.none() | st.builds(Venue, ANY, ANY, st.none() | st.integers(), ANY, ANY, ANY, ANY, ANY),
    status=st.sampled_from(STATUSES),
    award=ANY,
    submitted_on=st.none() | DATES,
    updated_on=st.none() | DATES,
    announced_on=st.none() | DATES,
    published_on=st.none() | DATES,
    versions=st.lists(st.builds(Version, st.integers(), st.none() | DATES), max_size=3).map(tuple),
    categories=TUPLES,
    keywords=TUPLES,
    topics=st.lists(TUPLES, max_size=3).map(tuple),
    links=st.dictionaries(st.sampled_from(LINK_KINDS), ANY, max_size=3).map(lambda links: tuple(links.items())),
    comment=ANY,
    journal_ref=ANY,
    licence=ANY,
    language=ANY,
    seen_on=st.none() | DATES,
    references=st.lists(st.builds(Identifier, st.sampled_from(SCHEMES), WORDS), max_size=3).map(tuple),
    citations=st.none() | st.integers(0, 10**9 - 1),
)


@given(RECORDS)
def test_reading_is_the_inverse_of_writing(record: Record) -> None:
    assert record_from_dict(record_to_dict(record)) == record
    assert decode_record(encode_record(record)) == record
    assert json.loads(encode_record(record)) == record_to_dict(record)


@given(RECORDS)
def test_an_encoded_record_is_one_line_that_can_be_stored(record: Record) -> None:
    text = encode_record(record)
    text.encode("utf-8")
    assert "\n" not in text
    assert encode_with_digest(record) == (text, digest(record))
    read = decode_record(text)
    assert isinstance(read.submitted_on, PartialDate | None)
    assert hash(read) == hash(record)


@given(RECORDS, DATES)
def test_the_digest_does_not_count_when_a_record_was_seen(record: Record, day: PartialDate) -> None:
    assert digest(replace(record, seen_on=day)) == digest(replace(record, seen_on=None))


@given(RECORDS, st.none() | st.integers(0, 10**9 - 1))
def test_a_record_that_is_cited_more_often_makes_the_same_claim_and_has_another_digest(
    record: Record, citations: int | None
) -> None:
    recounted = replace(record, citations=citations)
    assert same_claim(digest(recounted), digest(record))
    assert (digest(recounted) == digest(record)) == (citations == record.citations)


@given(RECORDS, RECORDS)
def test_other_claims_have_other_digests(one: Record, other: Record) -> None:
    assert (digest(one) == digest(other)) == (replace(one, seen_on=None) == replace(other, seen_on=None))
    claims = [replace(record, seen_on=None, citations=None) for record in (one, other)]
    assert same_claim(digest(one), digest(other)) == (claims[0] == claims[1])


def test_digests_of_records_without_a_count_are_as_they_were_when_there_was_none() -> None:
    record = Record("s", "k", Text("T"))
    assert digest(record) == blake2b(b'{"source":"s","key":"k","title":"T"}', digest_size=16).digest()


def test_references_past_the_limit_are_left_out() -> None:
    names = [f"doi:10.5555/{number}" for number in range(MAX_REFERENCES + 5)]
    read = record_from_dict({"source": "s", "key": "k", "title": "T", "references": names})
    assert [str(name) for name in read.references] == names[:MAX_REFERENCES]


@pytest.mark.parametrize("name", sorted(set(Record.__dataclass_fields__) - {"seen_on"}))
def test_every_field_counts_in_the_digest(name: str) -> None:
    default = Record("", "", Text(""))
    assert digest(replace(FULL, **{name: getattr(default, name)})) != digest(FULL)  # type: ignore[arg-type]


def test_text_other_than_ascii_is_stored_as_it_is() -> None:
    assert "Łukasz 等" in encode_record(Record("s", "k", Text("Łukasz 等")))
    assert encode_record(Record("s", "k", Text("\ud835 等"))).isascii()


BASE = {"source": "s", "key": "k", "title": "T"}


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("key", 2101.0001, "key"),
        ("key", 5, "key"),
        ("source", None, "source"),
        ("title", ["T"], "title"),
        ("title", {"text": 1, "markup": "tex"}, "title.text"),
        ("title", {"text": "T"}, "title.markup"),
        ("title", {"text": "T", "markup": "tex", "size": 1}, "title"),
        ("authors", "Ann Bee", "authors"),
        ("authors", ["Ann Bee"], "authors"),
        ("authors", [{"given": "Ann"}], "authors.name"),
        ("authors", [{"name": "Ann", "given": 1}], "authors.given"),
        ("authors", [{"name": "Ann", "ids": ["a", 1]}], "authors.ids"),
        ("authors", [{"name": "Ann", "affiliations": "Lab X"}], "authors.affiliations"),
        ("authors", [{"name": "Ann", "nickname": "A"}], "authors"),
        ("authors_incomplete", 1, "authors_incomplete"),
        ("identifiers", [2101.0001], "identifiers"),
        ("identifiers", ["2101.00010"], "identifiers"),
        ("identifiers", ["isbn:1"], "identifiers"),
        ("identifiers", ["arxiv:"], "identifiers"),
        ("identifiers", {"arxiv": "2101.00010"}, "identifiers"),
        ("venue", "ICML", "venue"),
        ("venue", {"year": "2031"}, "venue.year"),
        ("venue", {"year": True}, "venue.year"),
        ("venue", {"volume": 7}, "venue.volume"),
        ("venue", {"city": "Town"}, "venue"),
        ("versions", [1], "versions"),
        ("versions", [{"on": "2031"}], "versions.number"),
        ("versions", [{"number": 1, "on": "soon"}], "versions.on"),
        ("submitted_on", 2031, "submitted_on"),
        ("published_on", "2031-13", "published_on"),
        ("published_on", "2031-05-09T00:00", "published_on"),
        ("seen_on", "", "seen_on"),
        ("topics", ["Tiles"], "topics"),
        ("links", [["pdf", "https://example.org"]], "links"),
        ("links", {"pdf": 1}, "links.pdf"),
        ("keywords", "tiles", "keywords"),
        ("comment", {}, "comment"),
        ("citations", -1, "citations"),
        ("citations", 10**9, "citations"),
        ("citations", "12", "citations"),
        ("citations", True, "citations"),
        ("references", ["2101.00010"], "references"),
        ("references", "arxiv:2101.00010", "references"),
        ("titel", "T", "titel"),
    ],
)
def test_b03_a_field_of_another_type_is_refused_by_name(field: str, value: object, named: str) -> None:
    with pytest.raises(FormatError, match=rf"(field|part) '?{named}\b") as caught:
        record_from_dict({**BASE, field: value})
    assert isinstance(caught.value, SourceError)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({**BASE, "key": 2101.0001}, "The field key holds the number 2101.0001 where it should hold a string."),
        ({**BASE, "comment": None}, "The field comment holds null where it should hold a string."),
        ({**BASE, "status": True}, "The field status holds true where it should hold a string."),
        ({**BASE, "keywords": "a"}, "The field keywords holds the string 'a' where it should hold a list."),
        ({**BASE, "venue": []}, "The field venue holds a list where it should hold an object."),
        ({**BASE, "award": {}}, "The field award holds an object where it should hold a string."),
        ({**BASE, "venue": {"city": "x"}}, "The field venue has no part 'city'."),
        ({**BASE, "titel": "x"}, "A record has no field 'titel'."),
        ({"source": "s", "title": "T"}, "The record has no key."),
        ([], "A record is a JSON object, not a list."),
        (2.5, "A record is a JSON object, not the number 2.5."),
    ],
)
def test_what_is_wrong_is_said(value: object, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        record_from_dict(value)  # type: ignore[arg-type]
    assert str(caught.value) == message


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", "NaN", "[" * 100_000, f'{{"key":{"1" * 10_000}}}', '{"source":"s"}'],
)
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        decode_record(text)


NAMES = st.sampled_from([*Record.__dataclass_fields__, "name", "text", "number"])
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda deeper: st.lists(deeper, max_size=3) | st.dictionaries(NAMES, deeper, max_size=4),
)


@given(st.dictionaries(NAMES, JSON_VALUES) | JSON_VALUES)
def test_no_json_value_does_more_than_be_refused(value: object) -> None:
    try:
        record = record_from_dict(value)  # type: ignore[arg-type]
    except FormatError:
        return
    assert isinstance(record, Record)
