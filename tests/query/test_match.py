"""The predicate over one document."""

from __future__ import annotations

import pytest

from octavo.query.match import Document, compile_predicate, document_of
from octavo.query.parser import parse_strict
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId

DOCUMENT = Document(
    title="Aperiodic Tilings for the Impatient",
    abstract="We tile a plane with C++.\nOur own summary: glue.",
    authors=("Thea O. de Ruyt Example", "Jordan Lim"),
    venue="ICML 2031",
    venue_name="Proceedings of the Conference on Tiles",
    year=2031,
    categories=("cs.LG", "math.CO"),
    identifiers=("arxiv:2101.00010", "doi:10.5555/abc"),
    comment="12 pages, workshop",
    journal_ref="Quarterly of Tiles 7",
)


@pytest.mark.parametrize(
    "query",
    [
        "tiling",
        "tile plane",
        '"aperiodic tilings"',
        '"tilings for the"',
        "aperiod*",
        "c++",
        "glue",
        "title:impatient",
        "abstract:plane",
        "abstract:glue",
        "icml",
        "venue:icml venue:proceedings",
        'venue:"conference on tiles"',
        "comment:workshop",
        "jr:quarterly",
        "example tilings",
        "jordan lim plane",
        'author:"example thea"',
        'author:"t o example"',
        'author:"lim, j."',
        "author:(example lim)",
        "author:rui* OR author:ruy*",
        '"jordan lim"',
        '"lim jordan"',
        "ruyt*",
        "year:2031",
        "year:2030..",
        "year:..2031",
        "cat:cs.LG",
        "cat:CS.lg",
        "cat:cs",
        "cat:math.*",
        "2101.00010v3",
        "doi:10.5555/ABC",
        "-wood",
        "tiling -wood",
        "wood OR glue",
        "NOT (wood glue)",
    ],
)
def test_document_matches_when_asked(query: str) -> None:
    assert compile_predicate(parse_strict(query))(DOCUMENT)
    assert not compile_predicate(parse_strict(f"NOT ({query})"))(DOCUMENT)


@pytest.mark.parametrize(
    "query",
    [
        "wood",
        "tiling wood",
        '"tilings aperiodic"',
        '"impatient we"',
        '"aperiodic tiling"',
        "tiling*x",
        "aperiodics*",
        "c",
        "title:plane",
        "abstract:impatient",
        "workshop",
        "quarterly",
        "title:icml",
        'author:"example lim"',
        'author:"j example"',
        "author:exampl",
        "exampl",
        "title:lim",
        '"example jordan"',
        "year:2030",
        "year:2032..",
        "year:..2030",
        "cat:cs.CL",
        "cat:math.C",
        "cat:cs.LG -cat:math",
        "2101.00011",
        "-tiling",
        "wood OR stone",
    ],
)
def test_document_does_not_match_when_asked(query: str) -> None:
    try:
        node = parse_strict(query)
    except ValueError:
        pytest.fail(f"{query} is no query")
    assert not compile_predicate(node)(DOCUMENT)


@pytest.mark.parametrize("query", ["year:2031", "tiling", "author:lim", "cat:cs", "2101.00010", "ti*", '"x"'])
def test_empty_document_matches_exclusions_only(query: str) -> None:
    assert not compile_predicate(parse_strict(query))(Document())
    assert compile_predicate(parse_strict(f"-{query}"))(Document())


def test_document_of_a_paper_has_its_summary_in_the_abstract() -> None:
    paper = Paper(
        id=PaperId("pabcdefghij"),
        title="Tiles",
        authors=("Ada Lim",),
        abstract="A plane.",
        summary="Glue.",
        venue="ICML 2031",
        venue_name="Conference",
        year=2031,
        identifiers=(Identifier("arxiv", "2101.00010"),),
        categories=("cs.LG",),
        comment="12 pages",
        journal_ref="Quarterly",
    )
    assert document_of(paper) == Document(
        title="Tiles",
        abstract="A plane.\nGlue.",
        authors=("Ada Lim",),
        venue="ICML 2031",
        venue_name="Conference",
        year=2031,
        categories=("cs.LG",),
        identifiers=("arxiv:2101.00010",),
        comment="12 pages",
        journal_ref="Quarterly",
        date="2031",
        has=("abstract", "summary", "venue", "comment", "journal_ref", "authors", "categories", "arxiv"),
    )
