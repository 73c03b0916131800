"""Crossref's answers: `octavo.sources.crossref`."""

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
from octavo.records.paper import MAX_REFERENCES, Record
from octavo.sources.base import Fault, Page
from octavo.sources.crossref import CrossrefSource, citations, references

SOURCE = CrossrefSource()
WORK: dict[str, Any] = {
    "DOI": "10.5555/TILES.1",
    "type": "journal-article",
    "title": ["Tiles Are Sufficient"],
    "subtitle": [],
    "author": [
        {"given": "Ann", "family": "Bee", "sequence": "first", "affiliation": [{"name": "Lab X"}]},
        {"given": "Ana", "family": "de la Cruz", "suffix": "Jr.", "ORCID": "https://orcid.org/0000-0009-9990-008x"},
        {"name": "Blue Collaboration", "sequence": "additional", "affiliation": []},
    ],
    "abstract": "<jats:title>Abstract</jats:title><jats:p>We lay <jats:italic>n</jats:italic> tiles, p&lt;0.05.</jats:p>",
    "container-title": ["Journal of Tiles &amp; Floors"],
    "short-container-title": ["J. Tiles"],
    "volume": "3",
    "issue": "2",
    "page": "1-9",
    "publisher": "Floor Press",
    "issued": {"date-parts": [[2031, 5]]},
    "created": {"date-parts": [[2035, 1, 1]], "date-time": "2035-01-01T00:00:00Z"},
    "deposited": {"date-parts": [[2036, 1, 1]]},
    "indexed": {"date-parts": [[2037, 1, 1]]},
    "license": [{"URL": "https://press.example/terms"}, {"URL": "https://creativecommons.org/licenses/by/4.0/"}],
    "link": [
        {"URL": "https://press.example/check.pdf", "content-type": "application/pdf", "intended-application": "similarity-checking"},
        {"URL": "https://press.example/1.xml", "content-type": "text/xml", "intended-application": "text-mining"},
        {"URL": "https://press.example/1.pdf", "content-type": "application/pdf", "intended-application": "text-mining"},
    ],
    "language": "en",
    "is-referenced-by-count": 4,
    "reference": [{"key": "1", "DOI": "10.5555/b"}, {"key": "2", "unstructured": "Dee, C."}, {"key": "3", "DOI": "10.5555/B"}],
    "relation": {},
}  # fmt: skip


def read(value: object) -> list[Record | Fault]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return list(SOURCE.parse(Page(content, "answer.json")))


def one(**changes: object) -> Any:
    fields = {name.replace("_", "-"): value for name, value in changes.items()}
    (found,) = read({**WORK, **fields})
    return found


def ids(record: Any) -> list[str]:
    return [str(identifier) for identifier in record.identifiers]


def test_article_is_read_whole() -> None:
    record = one()
    assert (record.key, ids(record)) == ("10.5555/tiles.1", ["doi:10.5555/tiles.1"])
    assert [person.name for person in record.authors] == ["Ann Bee", "Ana de la Cruz Jr.", "Blue Collaboration"]
    assert record.authors[0].affiliations == ("Lab X",)
    assert record.abstract.plain == "We lay n tiles, p<0.05."
    venue = record.venue
    assert (venue.name, venue.short, venue.year) == ("Journal of Tiles & Floors", "J. Tiles", 2031)
    assert (venue.volume, venue.number, venue.pages, venue.publisher) == ("3", "2", "1-9", "Floor Press")
    assert (record.status, record.published_on, record.submitted_on) == ("accepted", "2031-05", None)
    assert dict(record.links) == {"page": "https://doi.org/10.5555/tiles.1", "pdf": "https://press.example/1.pdf"}
    assert record.licence == "https://creativecommons.org/licenses/by/4.0/"
    assert record.language == "en"


@pytest.mark.parametrize(
    ("answer", "papers"),
    [
        (WORK, 1),
        ({"status": "ok", "message-type": "work", "message": WORK}, 1),
        ({"status": "ok", "message-type": "work-list", "message": {"total-results": 2, "items": [WORK, WORK]}}, 2),
        ({"status": "ok", "message": {"items": [], "total-results": 0}}, 0),
        ([{"message": WORK}, WORK], 2),
        ({"items": [WORK]}, 1),
    ],
)
def test_answer_of_each_kind_gives_its_works(answer: object, papers: int) -> None:
    assert [type(one) for one in read(answer)] == [Record] * papers


# Titles and texts


@pytest.mark.parametrize(
    ("title", "plain"),
    [
        ("R&amp;amp;D for floors", "R&D for floors"),
        ("R&amp;D for floors", "R&D for floors"),
        ("R&D for floors", "R&D for floors"),
        ("the &amp;lt;b&amp;gt; tag", "the <b> tag"),
        ("<i>In situ</i> H<sub>2</sub>O", "In situ H2O"),
        ("On $\\alpha$-trees", "On α-trees"),
        ("for 0<x and y>1 we show n<m; end", "for 0<x and y>1 we show n<m; end"),
    ],
)
def test_title_is_decoded_once_and_for_all(title: str, plain: str) -> None:  # C07, C08
    assert one(title=[title]).title.plain == plain


def test_escaped_tag_that_an_author_wrote_stays_text() -> None:  # C08
    assert "<b>" not in one(title=["the &amp;lt;b&amp;gt; tag"]).title.html()


def test_title_with_mathml_has_a_plain_and_a_rich_form() -> None:  # C09
    title = "Glow of thin <mml:math><mml:msub><mml:mi>WX</mml:mi><mml:mn>2</mml:mn></mml:msub></mml:math> films"
    made = one(title=[title]).title
    assert made.plain == "Glow of thin WX2 films"
    assert "<sub>2</sub>" in made.html() or "<msub>" in made.html()
    assert "mml:" not in made.html()


@pytest.mark.parametrize(
    ("title", "subtitle", "plain"),
    [
        ("Tiles", ["A Survey"], "Tiles: A Survey"),
        ("Tiles?", ["A Survey"], "Tiles? A Survey"),
        ("Tiles: A Survey", ["a survey"], "Tiles: A Survey"),
        ("Tiles", [], "Tiles"),
        ("Tiles", None, "Tiles"),
        ("Tiles", [""], "Tiles"),
    ],
)
def test_subtitle_is_part_of_the_title_when_it_is_not_there_yet(title: str, subtitle: object, plain: str) -> None:
    assert one(title=[title], subtitle=subtitle).title.plain == plain


@pytest.mark.parametrize(
    "abstract", ["<jats:p>N/A</jats:p>", "<jats:p/>", "", None, "<jats:title>Abstract</jats:title>"]
)
def test_abstract_is_absent_when_it_is_a_stand_in(abstract: str | None) -> None:  # C14
    assert one(abstract=abstract).abstract is None


def test_heading_inside_an_abstract_stays() -> None:
    abstract = "<jats:p>We lay tiles.</jats:p><jats:title>Summary</jats:title><jats:p>It works.</jats:p>"
    assert one(abstract=abstract).abstract.plain == "We lay tiles. Summary It works."


# Authors


@pytest.mark.parametrize(
    ("orcid", "normal"),
    [
        ("https://orcid.org/0000-0009-9990-008x", "0000-0009-9990-008X"),
        ("http://orcid.org/0000-0009-9990-0178", "0000-0009-9990-0178"),
        ("0000-0009-9990-0179", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_orcid_is_checked_and_the_author_kept(orcid: object, normal: str) -> None:  # C21
    (person,) = one(author=[{"given": "Ann", "family": "Bee", "ORCID": orcid}]).authors
    assert (person.name, person.orcid) == ("Ann Bee", normal)


def test_affiliation_belongs_to_its_author() -> None:  # C20
    authors = one(author=[{"family": "Bee"}, {"family": "Dee", "affiliation": [{"name": "Lab X"}, {"id": []}]}]).authors
    assert [person.affiliations for person in authors] == [(), ("Lab X",)]


def test_given_structure_of_a_name_is_kept() -> None:  # C18
    (person,) = one(author=[{"given": "Pere", "family": "Ramo y Costa", "suffix": "III"}]).authors
    assert (person.family, person.suffix, person.name) == ("Ramo y Costa", "III", "Pere Ramo y Costa III")


@pytest.mark.parametrize(
    "other", [{"name": "et al."}, {"family": "others"}, {"given": "ann@bee.example", "family": ""}]
)
def test_author_who_is_nobody_makes_the_list_incomplete(other: dict[str, str]) -> None:  # C19
    record = one(author=[{"family": "Bee"}, other])
    assert [person.name for person in record.authors] == ["Bee"]
    assert record.authors_incomplete


# Dates


@pytest.mark.parametrize(
    ("issued", "on"),
    [
        ({"date-parts": [[None]]}, None),
        ({"date-parts": [[2031]]}, "2031"),
        ({"date-parts": [[2031, 5]]}, "2031-05"),
        ({"date-parts": [[2031, 5, 9]]}, "2031-05-09"),
        ({"date-parts": [[2031, 5, None]]}, "2031-05"),
        ({"date-parts": [[2031, None, None]]}, "2031"),
        ({"date-parts": [["2031", "05"]]}, "2031-05"),
        ({"date-parts": [[2031, 13]]}, "2031"),
        ({"date-parts": [[]]}, None),
        ({"date-parts": []}, None),
        ({"date-parts": None}, None),
        ({}, None),
        (None, None),
        ("2031", None),
    ],
)
def test_date_keeps_its_precision_and_the_registry_is_not_asked(issued: object, on: str | None) -> None:  # D10
    record = one(issued=issued)
    assert record.published_on == on
    assert record.venue.year == (2031 if on else None)


def test_date_of_printing_is_taken_when_none_is_issued() -> None:
    record = one(issued={"date-parts": [[None]]}, published_print={"date-parts": [[2031, 6]]})
    assert record.published_on == "2031-06"


# What became of it


@pytest.mark.parametrize(
    ("fields", "status", "comment"),
    [
        (
            {"update-to": [{"type": "erratum", "DOI": "10.5555/a1"}]},
            "accepted",
            "Notice of erratum: https://doi.org/10.5555/a1",
        ),
        (
            {"update-to": [{"type": "correction", "DOI": "10.5555/a1"}]},
            "accepted",
            "Notice of correction: https://doi.org/10.5555/a1",
        ),
        (
            {"updated-by": [{"type": "correction", "DOI": "10.5555/a2"}]},
            "accepted",
            "Has correction: https://doi.org/10.5555/a2",
        ),
        (
            {"updated-by": [{"type": "expression_of_concern", "DOI": "10.5555/a2"}]},
            "accepted",
            "Has expression of concern: https://doi.org/10.5555/a2",
        ),
        (
            {"updated-by": [{"type": "retraction", "DOI": "10.5555/a2"}]},
            "retracted",
            "Has retraction: https://doi.org/10.5555/a2",
        ),
        ({"update-to": [{"type": "retraction", "DOI": "10.5555/tiles.1"}]}, "retracted", ""),
        (
            {"update-to": [{"type": "retraction", "DOI": "10.5555/a1"}]},
            "retracted",
            "Notice of retraction: https://doi.org/10.5555/a1",
        ),
        ({"update-to": [{"type": "partial_retraction", "DOI": "10.5555/tiles.1"}]}, "accepted", ""),
        (
            {"updated-by": [{"type": "withdrawal", "DOI": "10.5555/a2"}]},
            "withdrawn",
            "Has withdrawal: https://doi.org/10.5555/a2",
        ),
        ({"title": ["RETRACTED: Tiles Are Sufficient"]}, "retracted", ""),
        ({"title": ["Retracted Muscles in Runners"]}, "accepted", ""),
        ({"relation": {"has-comment": [{"id-type": "doi", "id": "10.5555/c"}]}}, "accepted", ""),
    ],
)
def test_only_a_retraction_makes_it_retracted(fields: dict[str, Any], status: str, comment: str) -> None:  # D06
    record = one(**{name.replace("-", "_"): value for name, value in fields.items()})
    assert (record.status, record.comment) == (status, comment)


def test_posted_content_is_a_preprint() -> None:
    record = one(type="posted-content", posted={"date-parts": [[2030, 11, 2]]}, container_title=[])
    assert (record.status, record.submitted_on, record.published_on) == ("submitted", "2030-11-02", None)
    assert record.venue is None


@pytest.mark.parametrize(
    "kind",
    [
        "proceedings",
        "journal",
        "journal-issue",
        "component",
        "dataset",
        "peer-review",
        "proceedings-front-matter",
        "grant",
    ],
)
def test_work_of_another_type_is_named_and_not_taken(kind: str) -> None:
    assert one(type=kind) == Fault("answer.json, entry 1", "not a paper", "10.5555/TILES.1")


@pytest.mark.parametrize("title", ["Front Matter", "Frontmatter", "Table of Contents", "Author index"])
def test_furniture_of_a_volume_is_no_paper_when_nobody_wrote_it(title: str) -> None:  # D02
    assert one(title=[title], author=[]).reason == "not a paper"
    assert isinstance(one(title=[title]), Record)


def test_work_without_type_is_taken_when_the_answer_was_cut_to_some_fields() -> None:
    (found,) = read({"message": {"items": [{"DOI": "10.5555/a", "title": ["Tiles"]}]}})
    assert isinstance(found, Record)
    assert found.status == ""


# Identifiers and venues


def test_doi_of_arxiv_is_the_arxiv_id() -> None:  # B06
    record = one(DOI="10.48550/ARXIV.2101.00010")
    assert (ids(record), record.key) == (["arxiv:2101.00010"], "10.48550/arxiv.2101.00010")


def test_preprint_of_the_same_work_is_named() -> None:  # D03
    relation = {
        "has-preprint": [
            {"id-type": "doi", "id": "10.48550/arXiv.2101.00010"},
            {"id-type": "arxiv", "id": "2101.00010v2"},
        ],
        "references": [{"id-type": "doi", "id": "10.5555/other"}],
    }
    assert ids(one(relation=relation)) == ["doi:10.5555/tiles.1", "arxiv:2101.00010"]


def test_doi_with_odd_signs_is_kept_whole() -> None:  # B05
    record = one(DOI="10.5555/(SICI)1234-5678(203101)9:1+<1::AID-X2>3.0.CO;2-#")
    assert ids(record) == ["doi:10.5555/(sici)1234-5678(203101)9:1+<1::aid-x2>3.0.co;2-#"]
    assert dict(record.links)["page"].endswith("%3E3.0.co%3B2-%23")


def test_paper_of_proceedings_has_its_events_short_name_and_year() -> None:
    record = one(
        type="proceedings-article",
        container_title=["Lecture Notes in Floors", "Tiles and Floors – TILE 2031"],
        event={"name": "Conference on Tiles", "acronym": "TILE '31", "start": {"date-parts": [[2031, 7, 2]]}},
        issued={"date-parts": [[2032]]},
        short_container_title=["LNF"],
    )
    venue = record.venue
    assert (venue.name, venue.short, venue.year) == ("Tiles and Floors – TILE 2031", "TILE", 2031)
    assert record.published_on == "2032"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"title": []}, "no title"),
        ({"title": [""]}, "no title"),
        ({"title": ["<i></i>"]}, "no title"),
        ({"title": [None]}, "no title"),
        ({"title": [7]}, "title is not text"),
        ({"DOI": None}, "no DOI"),
        ({"DOI": "tiles"}, "DOI is no DOI"),
        ({"DOI": 10.5555}, "DOI is not text"),
        ({"author": {"family": "Bee"}}, "author is not a list of objects"),
        ({"author": [{"family": ["Bee"]}]}, "author holds a name that is not text"),
        ({"container_title": [7]}, "container-title is not text"),
        ({"relation": "none"}, "relation is not an object"),
    ],
)
def test_bad_work_is_a_fault_with_its_reason(changes: dict[str, Any], reason: str) -> None:
    found = one(**changes)
    assert isinstance(found, Fault)
    assert found.reason == reason


def test_error_in_the_place_of_an_answer_is_named() -> None:
    error = {
        "status": "failed",
        "message-type": "validation-failure",
        "message": [{"type": "x", "message": "No such filter"}],
    }
    (found,) = read(error)
    assert found == Fault("answer.json, entry 1", "an error in the place of a paper", "No such filter")


def test_citations_and_references_are_at_hand() -> None:
    assert citations(WORK) == 4
    assert [str(cited) for cited in references(WORK)] == ["doi:10.5555/b"]
    assert (citations({}), references({})) == (None, ())
    (record,) = read(WORK)
    assert isinstance(record, Record)
    assert (record.citations, record.references) == (4, references(WORK))


@pytest.mark.parametrize(
    ("reference", "cited"),
    [
        ({"DOI": "10.48550/arXiv.2101.00010"}, "arxiv:2101.00010"),
        ({"unstructured": "Bee, A.: Tiles. arXiv preprint arXiv:2101.00010 (2031)"}, "arxiv:2101.00010"),
        ({"journal-title": "ArXiv abs/2101.00010", "year": "2031"}, "arxiv:2101.00010"),
        ({"DOI": "10.5555/b", "unstructured": "arXiv:2101.00010"}, "doi:10.5555/b"),
        ({"unstructured": "arXiv:2101.00010 and arXiv:2101.00011"}, ""),
        ({"unstructured": "Bee, A.: Tiles. arXiv preprint"}, ""),
        ({"unstructured": "arXiv:2101.00010 " + "x" * 2_000}, ""),
        ({"unstructured": 7}, ""),
        ({"DOI": ["10.5555/b"]}, ""),
        (None, ""),
    ],
)
def test_reference_is_read_by_its_doi_or_its_arxiv_id(reference: object, cited: str) -> None:
    found = references({"reference": [reference, {"DOI": "10.5555/last"}]})
    assert [str(name) for name in found] == [*([cited] if cited else []), "doi:10.5555/last"]


def test_what_is_no_list_of_references_costs_the_paper_nothing() -> None:
    (record,) = read({**WORK, "reference": {"DOI": "10.5555/b"}, "is-referenced-by-count": "4"})
    assert isinstance(record, Record)
    assert (record.citations, record.references) == (None, ())


def test_references_past_the_limit_are_left_out() -> None:
    many = [{"DOI": f"10.5555/{number}"} for number in range(MAX_REFERENCES + 9)]
    assert len(references({"reference": many})) == MAX_REFERENCES


# Files


def test_file_of_works_as_lines_is_read(tmp_path: Path) -> None:
    path = tmp_path / "works.jsonl.gz"
    path.write_bytes(gzip.compress(b"\n".join(json.dumps({**WORK, "DOI": f"10.5555/{n}"}).encode() for n in range(3))))
    found = [one for page in SOURCE.fetch(path) for one in SOURCE.parse(page)]
    assert [one.key for one in found if isinstance(one, Record)] == ["10.5555/0", "10.5555/1", "10.5555/2"]


def test_answer_of_another_service_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.json"
    path.write_text('{"paperId": "a", "title": "Tiles"}')
    with pytest.raises(FormatError, match="holds no answer of Crossref"):
        list(SOURCE.fetch(path))


# Anything

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["date-parts", "name", "DOI", "type", "family", "id"]) | st.text(max_size=4), inner, max_size=4
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.binary(max_size=300))
def test_parse_takes_any_bytes(content: bytes) -> None:
    for found in read(content):
        assert isinstance(found, Record | Fault)


@settings(max_examples=300)
@given(
    st.dictionaries(st.sampled_from([*WORK, "event", "update-to", "updated-by", "message", "posted"]), JSON, max_size=3)
)
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
def test_real_files_are_read(shared: Path) -> None:
    found = [one for page in SOURCE.fetch(shared / "data" / "samples" / "crossref") for one in SOURCE.parse(page)]
    assert [type(one) for one in found] == [Record] * 5
    assert [len(one.authors) for one in found if isinstance(one, Record)] == [4, 1, 4, 2, 2]


@pytest.mark.real
def test_real_recordings_are_read(shared: Path) -> None:
    found: list[Record | Fault] = []
    others = 0
    for path in sorted((shared / "data" / "samples" / "vcr-paperqa").glob("*.gz")):
        for exchange in yaml.load(gzip.decompress(path.read_bytes()), Loader=yaml.CSafeLoader)["interactions"]:
            if "api.crossref.org" in exchange["request"]["uri"]:
                content = exchange["response"]["body"]["string"]
                content = content.encode() if isinstance(content, str) else content
                content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
                others += not content.startswith(b"{")
                found += read(content)
    assert sum(isinstance(one, Record) for one in found) == 19
    # BibTeX, and the plain words of a 404.
    assert [one.reason for one in found if isinstance(one, Fault)] == ["broken JSON"] * others
