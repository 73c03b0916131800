"""The index and the predicate give the same papers for every tree (`tests/query/test_agree.py` holds SQL to the predicate)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.index.text import TextIndex, held_of
from octavo.index.text_query import compile_query
from octavo.query.ast import And, Node, Not, Range, WordNode, word
from octavo.query.match import Document, compile_predicate, document_of
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId
from tests.query.test_agree import documents, trees


def paper_of(document: Document) -> Paper:
    return Paper(
        id=PaperId("p"),
        title=document.title,
        authors=document.authors,
        abstract=document.abstract,
        venue=document.venue,
        venue_name=document.venue_name,
        year=document.year,
        categories=document.categories,
        identifiers=tuple(Identifier(*name.split(":", 1)) for name in document.identifiers),
        comment=document.comment,
        journal_ref=document.journal_ref,
        status=document.status,
        award=document.award,
    )


def found(papers: list[Paper], nodes: list[Node]) -> list[set[int]]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        index = TextIndex(Path(folder))
        with index.write() as writer:
            for pk, paper in enumerate(papers):
                writer.add(pk, held_of(paper))
            writer.commit()
        return [{pk for pk, _ in index.search(compile_query(node), len(papers) + 1).hits} for node in nodes]


@settings(max_examples=40, deadline=None)
@given(st.lists(documents, min_size=1, max_size=10), st.lists(trees, min_size=1, max_size=12))
def test_index_equals_predicate_for_any_tree(texts: list[Document], nodes: list[Node]) -> None:
    papers = [paper_of(document) for document in texts]
    seen = [document_of(paper) for paper in papers]
    for node, pks in zip(nodes, found(papers, nodes), strict=True):
        predicate = compile_predicate(node)
        assert pks == {pk for pk, document in enumerate(seen) if predicate(document)}, str(node)


def test_trees_that_no_parser_makes_are_answered_too() -> None:
    papers = [paper_of(Document(title="tiling", year=2030)), paper_of(Document(title="other"))]
    tiling = WordNode("title", word("tiling"))
    nodes: list[Node] = [And((Not(tiling), Not(WordNode("title", word("else"))))), Range("year", None, None)]
    assert found(papers, nodes) == [{1}, {0}]
