"""What a paper says that several records speak of."""

from __future__ import annotations

from dataclasses import replace

from octavo.ingest.merge import merge
from octavo.records.dates import PartialDate
from octavo.records.edition_names import shown_venue
from octavo.records.ids import parse_identifier
from octavo.records.paper import MAX_REFERENCES, Record, Venue
from tests.world import record


def test_the_publishers_list_speaks_before_the_preprint() -> None:
    preprint = record("arxiv-snapshot", "1", "Draft Title", "A. Bee", submitted="2030-01-02", categories="cs.LG")
    published = record("pmlr", "v1/bee31a", "Final Title", "Ann Bee", venue="TILE", year=2031)
    for records in ([preprint, published], [published, preprint]):
        paper = merge(records)
        assert (paper.title, paper.authors, paper.venue) == ("Final Title", ("Ann Bee",), "TILE 2031")
        assert (paper.year, paper.date, paper.categories) == (2031, "2030-01-02", ("cs.LG",))
        assert dict(paper.origins)["title"] == "pmlr:v1/bee31a"
        assert dict(paper.origins)["categories"] == "arxiv-snapshot:1"


def test_a_whole_author_list_is_taken_before_a_shortened_one() -> None:
    short = replace(record("pmlr", "1", "T", "Ann Bee"), authors_incomplete=True)
    whole = record("page", "1", "T", "Ann Bee; Cy Dee")
    paper = merge([short, whole])
    assert (paper.authors, paper.authors_incomplete) == (("Ann Bee", "Cy Dee"), False)
    longer = replace(record("octavo", "1", "T", "Ann Bee; Cy Dee; Ee Eff"), authors_incomplete=True)
    assert merge([short, longer]).authors_incomplete


def test_a_retraction_outweighs_every_other_word() -> None:
    accepted = record("pmlr", "1", "T", status="accepted")
    assert merge([accepted, record("crossref", "1", "T", status="retracted")]).status == "retracted"
    assert merge([accepted, record("openreview", "1", "T", status="withdrawn")]).status == "accepted"
    assert dict(merge([accepted, record("crossref", "1", "T", status="retracted")]).origins)["status"] == "crossref:1"


def test_the_earliest_date_is_shown_as_precisely_as_it_is_known() -> None:
    month = replace(record("dblp", "1", "T"), published_on=PartialDate("2031-01"))
    day = replace(record("arxiv", "1", "T"), submitted_on=PartialDate("2031-01-12"))
    later = replace(record("pmlr", "1", "T"), published_on=PartialDate("2031-02-01"))
    assert merge([month, day, later]).date == "2031-01-12"
    assert merge([month, later]).date == "2031-01"
    assert merge([record("a", "1", "T")]).date is None


def test_octavos_summary_is_never_the_abstract() -> None:
    paper = merge([record("octavo", "1", "T", summary="Our words."), record("pmlr", "1", "T", abstract="Their words.")])
    assert (paper.abstract, paper.summary) == ("Their words.", "Our words.")
    assert merge([record("octavo", "1", "T", summary="Our words.")]).abstract == ""


def test_a_paper_is_cited_as_often_as_the_source_that_knows_most_says() -> None:
    counts = [("crossref", 4), ("openalex", 9), ("semanticscholar", 9), ("arxiv", None)]
    records = [replace(record(source, "1", "T"), citations=count) for source, count in counts]
    for given in (records, records[::-1]):
        paper = merge(given)
        assert (paper.citations, dict(paper.origins)["citations"]) == (9, "openalex:1")
    never = merge([replace(records[0], citations=0), records[3]])
    assert (never.citations, dict(never.origins)["citations"]) == (0, "crossref:1")
    unknown = merge([records[3]])
    assert (unknown.citations, "citations" in dict(unknown.origins)) == (None, False)


def test_references_are_joined_in_the_order_of_precedence_and_each_work_is_there_once() -> None:
    first = _citing("crossref", "10.5555/b", "10.18653/v1/p18-1001", "10.5555/a")
    second = _citing("semanticscholar", "2101.00011", "P18-1001", "10.5555/a")
    for given in ([first, second], [second, first]):
        assert [str(cited) for cited in merge(given).references] == [
            "doi:10.5555/b", "doi:10.18653/v1/p18-1001", "doi:10.5555/a", "arxiv:2101.00011",
        ]  # fmt: skip
    assert merge([second]).references == second.references
    many = [_citing(source, *(f"10.5555/{source}.{n}" for n in range(1_500))) for source in ("crossref", "csl")]
    assert len(merge(many).references) == MAX_REFERENCES


def _citing(source: str, *names: str) -> Record:
    return replace(record(source, "1", "T"), references=tuple(parse_identifier(name)[0] for name in names))


def test_venue_is_shown_short_with_its_year() -> None:
    assert shown_venue(Venue("Proceedings of the 42nd Tile Conference", "TILE", 2031)) == "TILE 2031"
    assert shown_venue(Venue("TILE 2031")) == "TILE 2031"
    assert shown_venue(Venue()) == ""
    long = shown_venue(
        Venue("A Very Long Name of a Venue that Goes on and on and on without any End at all", year=2031)
    )
    assert long.endswith("… 2031")
    assert len(long) <= 66
