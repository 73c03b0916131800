"""OpenAlex's works: `octavo.sources.openalex`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import FormatError
from octavo.records.codec import record_from_dict, record_to_dict
from octavo.records.paper import Record
from octavo.sources.base import MAX_TEXT, Fault, Page
from octavo.sources.openalex import OpenAlexSource, citations, references

SOURCE = OpenAlexSource()
JOURNAL = {"display_name": "Journal of Tiles", "type": "journal", "host_organization_name": "Floor Press"}
WORK: dict[str, Any] = {
    "id": "https://openalex.org/W17",
    "doi": "https://doi.org/10.5555/TILES.1",
    "ids": {"openalex": "https://openalex.org/W17", "doi": "https://doi.org/10.5555/tiles.1", "mag": 17},
    "title": "Tiles Are Sufficient for $n$ Floors",
    "display_name": "Tiles Are Sufficient for $n$ Floors",
    "publication_year": 2031,
    "publication_date": "2031-05-09",
    "type": "article",
    "language": "en",
    "primary_location": {
        "landing_page_url": "https://doi.org/10.5555/tiles.1", "pdf_url": None, "source": JOURNAL, "license": "cc-by",
    },
    "best_oa_location": {"pdf_url": "https://press.example/1.pdf"},
    "locations": [
        {"landing_page_url": "https://doi.org/10.5555/tiles.1"},
        {"landing_page_url": "http://arxiv.org/abs/2101.00010", "pdf_url": "https://arxiv.org/pdf/2101.00010"},
        {"landing_page_url": "https://doi.org/10.5555/deposit.99"},
    ],
    "authorships": [
        {
            "author": {"id": "https://openalex.org/A5", "display_name": "Ann Bee", "orcid": "https://orcid.org/0000-0009-9990-008X"},
            "institutions": [{"display_name": "Lab X"}],
            "raw_author_name": "BEE, A.",
        },
        {"author": {"id": None, "display_name": None}, "raw_author_name": "Cy Dee", "institutions": []},
    ],
    "biblio": {"volume": "3", "issue": "2", "first_page": "1", "last_page": "9"},
    "abstract_inverted_index": {"We": [0], "lay": [1, 4], "tiles": [2], "and": [3], "floors.": [5]},
    "is_retracted": False,
    "is_paratext": False,
    "cited_by_count": 7,
    "referenced_works": ["https://openalex.org/W1", "https://openalex.org/W2", "https://openalex.org/W1"],
}  # fmt: skip


def read(value: object) -> list[Record | Fault]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(SOURCE.parse(Page(content, "answer.json")))


def one(**changes: object) -> Any:
    (found,) = read({**WORK, **changes})
    return found


def test_article_is_read_whole() -> None:
    record = one()
    assert record.key == "W17"
    assert record.title.plain == "Tiles Are Sufficient for n Floors"
    assert record.abstract.plain == "We lay tiles and lay floors."
    assert [str(name) for name in record.identifiers] == ["doi:10.5555/tiles.1", "arxiv:2101.00010"]
    first, second = record.authors
    assert (first.name, first.ids, first.orcid) == ("Ann Bee", ("openalex:A5",), "0000-0009-9990-008X")
    assert first.affiliations == ("Lab X",)
    assert (second.name, second.ids, second.affiliations) == ("Cy Dee", (), ())
    venue = record.venue
    assert (venue.name, venue.year, venue.volume, venue.number, venue.pages) == (
        "Journal of Tiles",
        2031,
        "3",
        "2",
        "1-9",
    )
    assert venue.publisher == "Floor Press"
    assert (record.status, record.published_on, record.submitted_on) == ("accepted", "2031-05-09", None)
    assert dict(record.links) == {"page": "https://doi.org/10.5555/tiles.1", "pdf": "https://press.example/1.pdf"}
    assert (record.licence, record.language) == ("cc-by", "en")


@pytest.mark.parametrize(
    ("answer", "papers"),
    [
        (WORK, 1),
        ({"meta": {"count": 2}, "results": [WORK, WORK]}, 2),
        ({"meta": {"count": 0}, "results": []}, 0),
        ([WORK, {"meta": {}, "results": [WORK]}], 2),
    ],
)
def test_answer_of_each_kind_gives_its_works(answer: object, papers: int) -> None:
    assert [type(one) for one in read(answer)] == [Record] * papers


# Abstracts


@pytest.mark.parametrize(
    ("index", "plain"),
    [
        ({"tiles": [3], "Fast": [1], "are": [7]}, "Fast tiles are"),
        ({"tiles": [0, 1, 2]}, "tiles tiles tiles"),
        ({"a": [0], "b": [0]}, "a"),
        ({"far": [10**15], "near": [0]}, "near far"),
        ({"Abstract": [0], "We": [1], "lay": [2]}, "We lay"),
        ({"ABSTRACT": [0], "Tiles": [1]}, "Tiles"),
        ({"Abstract": [0], "Meaning": [1], "Representation": [2]}, "Abstract Meaning Representation"),
        ({"The": [0], "Abstract": [1], "We": [2]}, "The Abstract We"),
    ],
)
def test_abstract_is_put_together_from_its_index(index: dict[str, list[int]], plain: str) -> None:
    assert one(abstract_inverted_index=index).abstract.plain == plain


@pytest.mark.parametrize("index", [None, {}, {"N/A": [0]}, {"No": [0], "abstract": [1], "available": [2]}])
def test_abstract_is_absent_when_the_index_is_or_says_so(index: object) -> None:  # C14
    assert one(abstract_inverted_index=index).abstract is None


@pytest.mark.parametrize("index", [{"a": 0}, {"a": ["0"]}, {"a": [True]}, {"a": [0.5]}, {"a": None}])
def test_index_that_is_none_is_a_fault(index: object) -> None:
    assert one(abstract_inverted_index=index).reason == "abstract_inverted_index is no index"


def test_index_of_an_endless_text_is_refused_before_it_is_made() -> None:  # C15
    index = {"tile" * 5_000: list(range(100_000))}  # two gigabytes, if it were written out
    assert one(abstract_inverted_index=index).reason == f"abstract is longer than {MAX_TEXT:,} characters"


WORDS = st.lists(st.text(alphabet="abcxyz", min_size=1, max_size=5), min_size=1, max_size=30)


@given(WORDS)
def test_any_text_comes_back_from_its_index(words: list[str]) -> None:
    index: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        index.setdefault(word, []).append(place)
    abstract = one(abstract_inverted_index=dict(sorted(index.items()))).abstract
    assert abstract is None or abstract.plain == " ".join(words)


# Authors


def authorships(number: int) -> list[dict[str, Any]]:
    return [{"author": {"display_name": f"Author Number{place:04}"}} for place in range(number)]


@pytest.mark.parametrize(
    ("number", "fields", "incomplete"),
    [
        (99, {}, False),
        (100, {}, True),
        (101, {}, False),
        (3000, {}, False),
        (50, {"is_authors_truncated": True}, True),
        (50, {"authors_count": 51}, True),
        (50, {"authors_count": 50}, False),
    ],
)
def test_list_of_authors_that_was_cut_is_incomplete(
    number: int, fields: dict[str, Any], incomplete: bool
) -> None:  # C16
    record = one(authorships=authorships(number), **fields)
    assert len(record.authors) == number
    assert record.authors_incomplete is incomplete


# Dates, venues, status


@pytest.mark.parametrize(
    ("day", "year", "on"),
    [
        ("2031-05-09", 2031, "2031-05-09"),
        ("2031-01-01", 2031, "2031"),
        (None, 2031, "2031"),
        (None, None, None),
        ("soon", None, None),
    ],
)
def test_first_of_january_is_a_year(day: str | None, year: int | None, on: str | None) -> None:  # D10
    assert one(publication_date=day, publication_year=year).published_on == on


def test_dates_of_the_registry_are_not_of_the_paper() -> None:  # D10
    assert one(created_date="2035-02-02", updated_date="2036-02-02") == one()


def test_preprint_in_a_repository_has_no_venue() -> None:
    arxiv = {"display_name": "arXiv (Cornell University)", "type": "repository"}
    record = one(
        type="preprint",
        doi="https://doi.org/10.48550/arXiv.2101.00010",
        ids={},
        primary_location={"landing_page_url": "https://arxiv.org/abs/2101.00010", "source": arxiv},
        locations=[],
    )
    assert record.venue is None
    assert (record.status, record.submitted_on, record.published_on) == ("submitted", "2031-05-09", None)
    assert [str(name) for name in record.identifiers] == ["arxiv:2101.00010"]  # B06


def test_work_that_is_retracted_says_so() -> None:
    assert one(is_retracted=True).status == "retracted"


@pytest.mark.parametrize("kind", ["paratext", "dataset", "peer-review", "erratum", "retraction", "grant"])
def test_work_of_another_type_is_named_and_not_taken(kind: str) -> None:
    assert one(type=kind) == Fault("answer.json, entry 1", "not a paper", "https://openalex.org/W17")
    assert one(is_paratext=True).reason == "not a paper"


def test_guesses_of_machines_are_not_read() -> None:
    topic = {"display_name": "Flooring", "field": {"display_name": "Building"}}
    guesses = {"topics": [topic], "primary_topic": topic, "keywords": [{"display_name": "Grout"}], "concepts": [topic]}
    assert one(**guesses) == one()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": None, "display_name": None}, "no title"),
        ({"id": None}, "no id"),
        ({"id": "https://openalex.org/A5"}, "not a work of OpenAlex"),
        ({"id": 17}, "id is not text"),
        ({"authorships": {}}, "authorships is not a list of objects"),
        ({"primary_location": "here"}, "primary_location is not an object"),
        ({"title": "x" * (MAX_TEXT + 1)}, f"title is longer than {MAX_TEXT:,} characters"),
    ],
)
def test_bad_work_is_a_fault_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    found = one(**changes)
    assert isinstance(found, Fault)
    assert found.reason == reason


def test_error_in_the_place_of_an_answer_is_named() -> None:
    (found,) = read({"error": "Invalid query parameters error.", "message": "per_page is too large"})
    assert isinstance(found, Fault)
    assert found.reason == "an error in the place of a paper"


def test_citations_and_references_are_at_hand() -> None:
    assert citations(WORK) == 7
    assert references(WORK) == ("W1", "W2")
    assert (citations({}), references({})) == (None, ())
    (record,) = read(WORK)
    assert isinstance(record, Record)
    assert (record.citations, record.references) == (7, ())  # its own ids lead nowhere else


def test_answer_of_another_service_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"paperId": "a", "title": "Tiles"}')
    with pytest.raises(FormatError, match="holds no answer of OpenAlex"):
        list(SOURCE.fetch(path))


# Anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=300))
def test_parse_takes_any_bytes(content: bytes) -> None:
    for found in read(content):
        assert isinstance(found, Record | Fault)


@settings(max_examples=300)
@given(st.dictionaries(st.sampled_from([*WORK, "results", "authors_count"]), JSON, max_size=3))
def test_parse_takes_any_value_in_any_field(changes: dict[str, Any]) -> None:
    for found in read({**WORK, **changes}):
        if isinstance(found, Record):
            assert record_from_dict(record_to_dict(found)) == found


@given(st.integers(0, len(json.dumps(WORK))), st.binary(max_size=3))
def test_parse_takes_good_answers_that_were_damaged(at: int, put: bytes) -> None:
    content = json.dumps(WORK).encode()
    for found in [*read(content[:at] + put + content[at + len(put) :]), *read(content[:at])]:
        assert isinstance(found, Record | Fault)


# The real samples


@pytest.mark.real
def test_real_files_have_no_titles_and_say_so(shared: Path) -> None:
    found = [one for page in SOURCE.fetch(shared / "data" / "samples" / "openalex") for one in SOURCE.parse(page)]
    assert [one.reason for one in found if isinstance(one, Fault)] == ["no title"] * 4
    assert len(found) == 4


@pytest.mark.real
def test_real_recordings_are_read(shared: Path) -> None:
    found: list[Record | Fault] = []
    for path in sorted((shared / "data" / "samples" / "vcr-paperqa").glob("*.gz")):
        for exchange in yaml.load(gzip.decompress(path.read_bytes()), Loader=yaml.CSafeLoader)["interactions"]:
            if "api.openalex.org" in exchange["request"]["uri"]:
                content = exchange["response"]["body"]["string"]
                found += read(gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content)
    records = [one for one in found if isinstance(one, Record)]
    assert len(records) == 4
    assert all(record.authors and record.identifiers for record in records)
    assert sum(record.abstract is not None for record in records) == 3
    assert [one.reason for one in found if isinstance(one, Fault)] == ["no id"]
