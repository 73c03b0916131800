"""The index and the predicate give the same papers for every tree (`tests/query/test_agree.py` holds SQL to the predicate)."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.index.text import TextIndex, held_of
from octavo.index.text_query import compile_query
from octavo.query.ast import And, LibraryNode, Node, Not, Range, WordNode, resolve, word
from octavo.query.match import Standing, compile_predicate, document_of
from octavo.records.paper import Paper, PaperId
from tests.query.test_agree import numbered, shelves, trees

Shelf = list[tuple[Paper, Standing]]


def found(shelf: Shelf, nodes: list[Node]) -> list[set[int]]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        index = TextIndex(Path(folder))
        with index.write() as writer:
            for paper, standing in shelf:
                writer.add(standing.pk, held_of(paper, standing.topics, standing.terms))
            writer.commit()
        return [{pk for pk, _ in index.search(compile_query(node), len(shelf) + 1).hits} for node in nodes]


@settings(max_examples=60, deadline=None)
@given(shelves(10), st.lists(trees, min_size=1, max_size=12))
def test_index_equals_predicate_for_any_tree(shelf: Shelf, nodes: list[Node]) -> None:
    seen = [document_of(*one) for one in shelf]

    def of_library(node: LibraryNode) -> set[int]:
        return {document.pk for document in seen if compile_predicate(node)(document)}

    resolved = [resolve(node, of_library) for node in nodes]
    for node, pks in zip(nodes, found(shelf, resolved), strict=True):
        predicate = compile_predicate(node)
        assert pks == {document.pk for document in seen if predicate(document)}, str(node)


def test_trees_that_no_parser_makes_are_answered_too() -> None:
    bare = [(Paper(PaperId("p"), "tiling", (), year=2030), Standing()), (Paper(PaperId("p"), "other", ()), Standing())]
    tiling = WordNode("title", word("tiling"))
    nodes: list[Node] = [And((Not(tiling), Not(WordNode("title", word("else"))))), Range("year", None, None)]
    assert found(numbered(bare), nodes) == [{2}, {1}]
