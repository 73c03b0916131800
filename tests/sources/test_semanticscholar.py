"""Semantic Scholar's answers, and the reading of saved answers of any service: `octavo.sources.semanticscholar`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError, TruncatedFileError
from octavo.records.codec import record_from_dict, record_to_dict
from octavo.records.paper import Record
from octavo.sources.base import MAX_TEXT, Fault, Page
from octavo.sources.semanticscholar import SemanticScholarSource, aligned, citations, references

SOURCE = SemanticScholarSource()
ID = "a" * 40
PAPER: dict[str, Any] = {
    "paperId": ID,
    "externalIds": {
        "ArXiv": "2101.00010",
        "DOI": "10.5555/TILES.1",
        "DBLP": "conf/tile/BeeD31",
        "CorpusId": 17,
        "ACL": "P18-1001",
    },
    "title": "Fast Tiles & Slow Floors",
    "abstract": "We lay $n$ tiles.",
    "venue": "International Conference on Tiles",
    "publicationVenue": {"name": "International Conference on Tiles", "alternate_names": ["Int Conf Tiles", "ICT"]},
    "year": 2031,
    "publicationDate": "2031-05-09",
    "authors": [{"authorId": "7", "name": "Ann Bee"}, {"authorId": None, "name": "Cy Dee"}],
    "journal": {"name": "ICT", "volume": "3", "pages": "  1-9\n"},
    "openAccessPdf": {"url": "https://example.org/tiles.pdf", "status": "GREEN"},
    "citationCount": 12,
    "references": [
        {"paperId": "b", "externalIds": {"DOI": "10.5555/b"}},
        {"paperId": None, "externalIds": None},
        {"paperId": "c", "externalIds": {"ArXiv": "2101.00011", "DOI": "10.5555/c"}},
        {"paperId": "d", "externalIds": {"DOI": "10.5555/B"}},
    ],
}  # fmt: skip


def read(value: object, line: int = 0) -> list[Record | Fault]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(SOURCE.parse(Page(content, "answer.json", line=line)))


def one(**changes: object) -> Any:
    (found,) = read({**PAPER, **changes})
    return found


def ids(record: Any) -> list[str]:
    return [str(identifier) for identifier in record.identifiers]


def outcomes(found: list[Record | Fault]) -> list[str]:
    return [one.key if isinstance(one, Record) else f"{one.place}: {one.reason}" for one in found]


def write(folder: Path, text: str | bytes, name: str = "answers.json") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def fetched(path: Path) -> list[Record | Fault]:
    return [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]


# Papers


def test_paper_is_read_whole() -> None:
    record = one()
    assert record.key == ID
    assert record.title.plain == "Fast Tiles & Slow Floors"
    assert record.abstract.plain == "We lay n tiles."
    assert ids(record) == ["arxiv:2101.00010", "acl:P18-1001", "doi:10.5555/tiles.1", "dblp:conf/tile/BeeD31"]
    assert [(person.name, person.ids) for person in record.authors] == [
        ("Ann Bee", ("semanticscholar:7",)),
        ("Cy Dee", ()),
    ]
    venue = record.venue
    assert (venue.short, venue.year, venue.volume, venue.pages) == ("ICT", 2031, "3", "1-9")
    assert (record.published_on, record.submitted_on) == ("2031-05-09", None)
    assert dict(record.links)["pdf"] == "https://example.org/tiles.pdf"


@pytest.mark.parametrize("venue", ["arXiv.org", "ArXiv", "bioRxiv", ""])
def test_preprint_has_no_venue_and_its_date_is_of_submission(venue: str) -> None:
    record = one(venue=venue, publicationVenue=None, journal=None)
    assert record.venue is None
    assert (record.published_on, record.submitted_on) == (None, "2031-05-09")


@pytest.mark.parametrize("abstract", [None, "", "N/A", "No abstract available."])
def test_abstract_is_absent_when_null_or_a_stand_in(abstract: str | None) -> None:  # C14
    assert one(abstract=abstract).abstract is None


def test_machine_written_summary_is_not_read() -> None:
    record = one(tldr={"model": "tldr@v2", "text": "Tiles are fast."}, s2FieldsOfStudy=[{"category": "Floors"}])
    assert record.tldr is None
    assert record == one()


def test_what_concerns_persons_is_not_read() -> None:
    who = {
        "authorId": "7",
        "name": "Ann Bee",
        "homepage": "https://bee.example",
        "hIndex": 9,
        "email": "ann@bee.example",
    }
    assert one(authors=[who]) == one(authors=[{"authorId": "7", "name": "Ann Bee"}])


def test_author_who_is_an_address_is_left_out_and_the_list_incomplete() -> None:
    record = one(authors=[{"name": "Ann Bee"}, {"name": "cy@dee.example"}])
    assert [person.name for person in record.authors] == ["Ann Bee"]
    assert record.authors_incomplete


def test_doi_of_arxiv_is_the_arxiv_id() -> None:  # B06
    assert ids(one(externalIds={"DOI": "10.48550/ARXIV.2101.00010"})) == ["arxiv:2101.00010"]


def test_two_services_ids_share_the_doi() -> None:  # D04
    first, second = (
        one(externalIds={"DOI": "10.5555/A1"}),
        one(externalIds={"DOI": "10.5555/a1", "ArXiv": "2101.00010"}),
    )
    assert set(first.identifiers) < set(second.identifiers)


def test_number_in_place_of_an_id_is_refused() -> None:  # B03
    assert one(externalIds={"ArXiv": 2101.0001}).reason == "externalIds.ArXiv is a number, which loses zeros"


def test_half_a_surrogate_pair_is_replaced() -> None:  # C12
    assert read(json.dumps({**PAPER, "title": "\ud835 bold"}).encode())[0].title.plain == "\ufffd bold"  # type: ignore[union-attr]


def test_title_keeps_its_mathml_as_text_without_tags() -> None:  # C09
    title = "Glow of thin <mml:math><mml:msub><mml:mi>WX</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math> films"
    assert one(title=title).title.plain == "Glow of thin WX2 films"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": None}, "no title"),
        ({"paperId": None}, "no paperId"),
        ({"title": 7}, "title is not text"),
        ({"authors": "Ann Bee"}, "authors is not a list of objects"),
        ({"authors": [None]}, "authors is not a list of objects"),
        ({"externalIds": "10.5555/a"}, "externalIds is not an object"),
        ({"abstract": "x" * (MAX_TEXT + 1)}, f"abstract is longer than {MAX_TEXT:,} characters"),
    ],
)
def test_bad_paper_is_a_fault_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    fault = one(**changes)
    assert isinstance(fault, Fault)
    assert fault.reason == reason


def test_citations_and_references_are_at_hand() -> None:
    assert citations(PAPER) == 12
    assert [str(cited) for cited in references(PAPER)] == ["doi:10.5555/b", "arxiv:2101.00011"]
    assert (citations({}), references({})) == (None, ())
    assert citations({"citationCount": True}) is None
    record = one()
    assert isinstance(record, Record)
    assert (record.citations, record.references) == (12, references(PAPER))


def test_a_bad_reference_costs_itself_and_not_the_paper() -> None:
    record = one(references=[{"externalIds": {"ArXiv": 2101.0001}}, "b", None, {"externalIds": {"DOI": "10.5555/b"}}])
    assert isinstance(record, Record)
    assert [str(cited) for cited in record.references] == ["doi:10.5555/b"]
    assert isinstance(without := one(references="none"), Record)
    assert without.references == ()


# Answers


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (PAPER, [ID]),
        ([PAPER], [ID]),
        ({"data": [PAPER], "total": 1, "offset": 0}, [ID]),
        ({"data": [{"contexts": [], "citingPaper": PAPER}]}, [ID]),
        ({"data": [{"citedPaper": PAPER}]}, [ID]),
        ({"citingPaper": PAPER, "contexts": []}, [ID]),
        ({"recommendedPapers": [PAPER]}, [ID]),
        ({"authorId": "7", "name": "Ann Bee", "papers": [PAPER]}, [ID]),
        ({"total": 0, "offset": 0, "data": []}, []),
        ([{"data": [PAPER]}, {"data": []}], [ID]),
        ([[PAPER, None], [PAPER]], [ID, "answer.json, entry 1, entry 2: not found", ID]),
        ([], []),
    ],
)
def test_answer_of_each_kind_gives_its_papers(answer: object, expected: list[str]) -> None:
    assert outcomes(read(answer)) == expected


def test_batch_is_aligned_by_position_when_ids_moved_or_are_missing() -> None:  # B08
    answer = [{"paperId": "A2"}, None, {"paperId": "C"}]
    assert aligned(["A", "B", "C"], answer) == (("A", "A2"), ("B", None), ("C", "C"))


@pytest.mark.parametrize("answer", [[{"paperId": "A"}], {"error": "no"}, None, []])
def test_batch_of_another_length_is_refused(answer: object) -> None:
    with pytest.raises(FormatError, match="no list of 2 papers"):
        aligned(["A", "B"], answer)


def test_null_of_a_batch_is_a_paper_not_found() -> None:  # B08
    assert outcomes(read([None, PAPER])) == ["answer.json, entry 1: not found", ID]


def test_paper_without_error_is_no_error() -> None:
    assert isinstance(one(error=None), Record)


def test_error_in_the_place_of_an_answer_is_named() -> None:
    (fault,) = read({"error": "Paper with id DOI:10.5555/none not found"})
    assert fault == Fault(
        "answer.json, entry 1", "an error in the place of a paper", "Paper with id DOI:10.5555/none not found"
    )
    (fault,) = read({"message": "Too Many Requests", "code": "429"})
    assert isinstance(fault, Fault)
    assert fault.entry == "Too Many Requests"


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"Resource not found.", ["answer.json, entry 1: broken JSON"]),
        (b'{"paperId": "a', ["answer.json, entry 1: broken JSON"]),
        (b'\xff{"paperId"', ["answer.json, entry 1: not UTF-8"]),
        (b"7", ["answer.json, entry 1: not a JSON object"]),
        (b'{"x": 1}', ["answer.json, entry 1: no paper of Semantic Scholar"]),
        (b"", []),
        (b"[" * 100_000, ["answer.json, entry 1: broken JSON"]),
    ],
)
def test_page_that_is_no_answer_gives_faults(content: bytes, expected: list[str]) -> None:
    assert outcomes(read(content)) == expected


def test_one_broken_paper_of_a_list_costs_only_itself() -> None:
    good, other = json.dumps(PAPER), json.dumps({**PAPER, "paperId": "b"})
    content = f'[{good}, {{"paperId": "x", "title": }}, {other}]'.encode()
    assert outcomes(read(content)) == [ID, "answer.json, entry 2: broken JSON", "b"]


# Files


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(PAPER),
        json.dumps(PAPER, indent=2),
        json.dumps({"data": [PAPER]}),
        json.dumps({"total": 1, "data": [PAPER]}, indent=1),
        json.dumps([PAPER], indent=1),
        "\ufeff" + json.dumps(PAPER, indent=2),
        "\n\n" + json.dumps([PAPER, None]).replace(", null", ""),
    ],
)
def test_file_is_read_however_it_was_saved(tmp_path: Path, text: str) -> None:
    assert outcomes(fetched(write(tmp_path, text))) == [ID]
    assert outcomes(fetched(write(tmp_path, gzip.compress(text.encode()), "packed.json.gz"))) == [ID]


def test_lines_may_hold_answers_of_every_kind(tmp_path: Path) -> None:
    lines = [
        PAPER,
        {"data": [{**PAPER, "paperId": "b"}, {"title": "x"}]},
        [{**PAPER, "paperId": "c"}, None],
        {"error": "no"},
    ]
    path = write(tmp_path, "\n".join(map(json.dumps, lines)) + "\n", "a.jsonl")
    assert outcomes(fetched(path)) == [
        ID,
        "b",
        "a.jsonl, line 2, entry 2: no paperId",
        "c",
        "a.jsonl, line 3, entry 2: not found",
        "a.jsonl, line 4: an error in the place of a paper",
    ]


def test_lines_of_batches_are_all_read(tmp_path: Path) -> None:
    text = f"{json.dumps([PAPER])}\n{json.dumps([None, {**PAPER, 'paperId': 'b'}])}\n"
    assert outcomes(fetched(write(tmp_path, text))) == [ID, "answers.json, answer 2, entry 1: not found", "b"]


def test_answers_on_many_lines_each_are_all_read(tmp_path: Path) -> None:
    text = json.dumps(PAPER, indent=1) + "\n" + json.dumps({**PAPER, "paperId": "b"}, indent=1)
    assert outcomes(fetched(write(tmp_path, text))) == [ID, "b"]


def test_answer_that_is_broken_inside_is_a_fault_and_not_cut(tmp_path: Path) -> None:
    text = json.dumps(PAPER, indent=1).replace('"year": 2031', '"year": ')
    assert outcomes(fetched(write(tmp_path, text))) == ["answers.json, entry 1: broken JSON"]


def test_long_list_is_cut_into_pages_that_go_on_counting(tmp_path: Path) -> None:
    papers = [{**PAPER, "paperId": f"{number:040}", "abstract": "tile " * 4000} for number in range(300)]
    papers[299]["title"] = None
    path = write(tmp_path, json.dumps(papers))
    assert len(list(SOURCE.fetch(path))) > 1
    found = outcomes(fetched(path))
    assert len(found) == 300
    assert found[-1] == "answers.json, entry 300: no title"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", EmptyFileError),
        ("  \n ", EmptyFileError),
        ("Resource not found.", FormatError),
        ('{"DOI": "10.5555/a"}', FormatError),
        (json.dumps({"status": "ok", "message": {"items": [{"DOI": "10.5555/a"}] * 300}}), FormatError),
        ("<html>Down for maintenance</html>", FormatError),
        (json.dumps(PAPER)[:-9], TruncatedFileError),
        (json.dumps(PAPER, indent=1)[:-9], TruncatedFileError),
        (json.dumps(PAPER, indent=1)[:-90], TruncatedFileError),
        (json.dumps([PAPER] * 3)[:-9], TruncatedFileError),
        (json.dumps(PAPER).encode("utf-16"), EncodingError),
    ],
)  # A13, A14
def test_file_that_is_none_is_refused(tmp_path: Path, text: str | bytes, error: type[SourceError]) -> None:
    with pytest.raises(error, match=r"answers\.json"):
        fetched(write(tmp_path, text))


def test_folder_is_read_but_for_the_files_of_others(tmp_path: Path) -> None:
    write(tmp_path, json.dumps(PAPER), "a.json")
    write(tmp_path, '{"DOI": "10.5555/a"}', "b.json")
    write(tmp_path, json.dumps({**PAPER, "paperId": "c"}), "c.jsonl")
    found: list[Record | Fault] = []

    def read_all() -> None:
        for page in SOURCE.fetch(tmp_path):
            found.extend(SOURCE.parse(page))

    with pytest.raises(FormatError, match=r"b\.json holds no answer of Semantic Scholar"):
        read_all()
    assert outcomes(found) == [ID, "c"]


# Anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@given(st.binary(max_size=300) | st.text(alphabet='[]{}",:0a \n\\').map(str.encode), st.integers(0, 3))
def test_parse_takes_any_bytes(content: bytes, line: int) -> None:
    for found in read(content, line):
        assert isinstance(found, Record | Fault)


@settings(max_examples=200)
@given(st.dictionaries(st.sampled_from([*PAPER, "data", "error", "message", "citingPaper"]), JSON, max_size=3))
def test_parse_takes_any_value_in_any_field(changes: dict[str, Any]) -> None:
    for found in read({**PAPER, **changes}):
        if isinstance(found, Record):
            assert record_from_dict(record_to_dict(found)) == found


@given(st.integers(0, len(json.dumps(PAPER))), st.binary(max_size=3))
def test_parse_takes_good_answers_that_were_damaged(at: int, put: bytes) -> None:
    content = json.dumps(PAPER).encode()
    for found in [*read(content[:at] + put + content[at + len(put) :]), *read(content[:at])]:
        assert isinstance(found, Record | Fault)


# The real samples


@pytest.mark.real
@pytest.mark.parametrize(("name", "papers"), [("Paper", 1), ("Citation", 1), ("Reference", 1), ("Author", 60)])
def test_real_file_is_read(shared: Path, name: str, papers: int) -> None:
    found = fetched(shared / "data" / "samples" / "semanticscholar" / f"{name}.json.gz")
    assert [type(one) for one in found] == [Record] * papers


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "papers", "faults"),
    [
        ("test_get_paper_citations", 1873, 8),
        ("test_get_paper_references", 44, 23),
        ("test_get_papers", 0, 3),
        ("test_get_recommended_papers", 100, 0),
        ("test_search_paper", 100, 0),
        ("test_search_paper_bulk_retrieval", 1000, 0),
    ],
)
def test_real_recording_is_read(shared: Path, name: str, papers: int, faults: int) -> None:
    path = shared / "data" / "samples" / "semanticscholar" / f"{name}.yaml.gz"
    recording = yaml.load(gzip.decompress(path.read_bytes()), Loader=yaml.CSafeLoader)
    found: list[Record | Fault] = []
    for exchange in recording["interactions"]:
        response = exchange["response"]
        found += read((response.get("content") or response["body"]["string"]).encode())
    kinds = [type(one) for one in found]
    assert (kinds.count(Record), kinds.count(Fault)) == (papers, faults)
    assert {one.reason for one in found if isinstance(one, Fault)} <= {"no paperId", "no title"}
