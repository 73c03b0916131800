"""SQL and the predicate give the same documents for every tree."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.query.ast import (
    Category,
    Everything,
    IdNode,
    Node,
    Nothing,
    Phrase,
    Prefix,
    Range,
    StatusNode,
    WordNode,
    conjunction,
    disjunction,
    negation,
    word,
)
from octavo.query.match import Document, compile_predicate
from octavo.query.parser import MAX_DEPTH, parse_lenient, parse_strict
from octavo.query.sql import compile_sql, install_functions
from octavo.records.ids import Identifier
from octavo.records.paper import STATUSES

TEXTS = ("title", "abstract", "venue", "venue_name", "comment", "journal_ref", "status", "award")
COLUMNS = (*TEXTS, "summary", "authors", "year", "categories", "identifiers")
TOKENS = [
    "tiling", "Tilings", "tile", "the", "plane", "FlashTP", "flash", "TP", "flash-tp", "GPT-4o", "gpt", "4o", "gpt4", "4",
    "C++", "C", "2.0", "10,000", "β-VAE", "beta", "i.i.d.", "iid", "in-context", "context", "in", "量子計算", "量子", "計", "Łukasz",
    "lukasz", "Lim", "J.", "Jordan", "Jean-Luc", "jean", "LLMs", "llm", "don't", "_", "%",
]  # fmt: skip
IDENTIFIERS = ["arxiv:2101.00010", "arxiv:math/0309136", "doi:10.5555/a'b", "doi:10.5555/ab"]
CATEGORIES = ["cs.LG", "cs.CL", "CS.lg", "cs", "css.X", "math.CO", "math-ph", "\u212a.X"]

VENUES = [
    "ICML 2025", "ICML", "NeurIPS 2016", "NeurIPS 2023 Workshop on Tiles", "ACL 2024 Findings", "ACL 2021", "MLJ 2020",
    "Nature 2020", "Proceedings of the 42nd International Conference on Machine Learning", "Joint ICML/NIPS Meeting 2020",
    "International Conference on Machine Learning and Cybernetics 2020", "Lecture Notes in Machine Learning",
]  # fmt: skip
ASKED = [
    "icml", "ICML 2025", "ICML'25", "PMLR v267", "International Conference on Machine Learning", "nips", "neurips",
    "NIPS 2016", "icml-2025", "acl findings", "ACL-IJCNLP 2021", "ijcnlp", "machine learning", "nature", "mlj",
    "NeurIPS 2023 workshop", "no such venue",
]  # fmt: skip
text = st.lists(st.sampled_from(TOKENS), max_size=4).map(" ".join)
documents = st.builds(
    Document,
    title=text,
    abstract=text,
    authors=st.lists(text, max_size=3).map(tuple),
    venue=text | st.sampled_from(VENUES),
    venue_name=text | st.sampled_from(VENUES),
    status=st.sampled_from(STATUSES),
    award=st.sampled_from(["", "oral", "best paper; oral", "notable top 5%"]),
    year=st.one_of(st.none(), st.integers(2029, 2033)),
    categories=st.lists(st.sampled_from(CATEGORIES), max_size=2).map(tuple),
    identifiers=st.lists(st.sampled_from(IDENTIFIERS), max_size=2).map(tuple),
    comment=text,
    journal_ref=text,
)
word_fields = st.sampled_from(["all", "title", "abstract", "author", "venue", "comment", "journal_ref", "award"])
exact = st.sampled_from(
    ["tiling", "flash", "tp", "gpt", "4o", "c++", "lim", "j", "jordan", "jean", "luc", "量子", "in", "context"]
)
year = st.integers(2029, 2033)
ends = st.one_of(st.tuples(year, year), st.tuples(st.none(), year), st.tuples(year, st.none()))
single_words = st.sampled_from([token for token in TOKENS if token not in "_%"])
leaf_nodes = st.one_of(
    st.builds(WordNode, word_fields, single_words.map(word)),
    st.builds(Phrase, word_fields, st.lists(exact, min_size=1, max_size=3).map(tuple)),
    st.builds(Prefix, word_fields, st.sampled_from(["ti", "flash", "li", "jo", "c+", "量子", "10"])),
    ends.map(lambda pair: Range("year", *pair)),
    st.builds(Category, st.sampled_from(["cs", "cs.LG", "math", "math-ph"])),
    st.sampled_from(IDENTIFIERS).map(lambda name: IdNode(Identifier(*name.split(":", 1)))),
    st.sampled_from(ASKED).map(lambda name: parse_strict(f'venue:"{name}"')),
    st.sampled_from(STATUSES[:-1]).map(StatusNode),
    st.sampled_from(["oral", "best paper", "paper oral"]).map(lambda said: parse_strict(f'award:"{said}"')),
    st.builds(Everything),
    st.builds(Nothing),
)


def joined(children: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(children, min_size=2, max_size=3)
    return st.one_of(several.map(conjunction), several.map(disjunction), children.map(negation))


trees: st.SearchStrategy[Node] = st.recursive(leaf_nodes, joined, max_leaves=8).map(lambda node: conjunction([node]))
"""Trees of the forms that the parser makes."""


@pytest.fixture(scope="module")
def connection() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    install_functions(connection)
    connection.execute(f"CREATE TABLE papers ({', '.join(COLUMNS)})")
    yield connection
    connection.close()


def found_by_sql(connection: sqlite3.Connection, node: Node, documents: list[Document]) -> list[bool]:
    """Which documents the SQL finds; none of its answers may be NULL."""
    connection.execute("DELETE FROM papers")
    for document in documents:
        half = len(document.abstract) // 2
        blank = document.abstract.find(" ", half)
        cut = blank if blank > 0 else len(document.abstract)
        row = {name: getattr(document, name) for name in (*TEXTS, "year")}
        row |= {name: json.dumps(getattr(document, name)) for name in ("authors", "categories", "identifiers")}
        row |= {"abstract": document.abstract[:cut], "summary": document.abstract[cut:]}
        marks = ", ".join("?" * len(COLUMNS))
        connection.execute(f"INSERT INTO papers VALUES ({marks})", [row[name] for name in COLUMNS])
    where, parameters = compile_sql(node, "p")
    rows = connection.execute(f"SELECT {where} FROM papers AS p ORDER BY rowid", parameters)
    answers = [answer for (answer,) in rows]
    assert set(answers) <= {0, 1}
    return [bool(answer) for answer in answers]


@settings(max_examples=300, deadline=None)
@given(tree=trees, papers=st.lists(documents, min_size=1, max_size=4))
def test_sql_and_predicate_agree_on_any_tree(
    connection: sqlite3.Connection, tree: Node, papers: list[Document]
) -> None:
    predicate = compile_predicate(tree)
    assert found_by_sql(connection, tree, papers) == [predicate(paper) for paper in papers]


@settings(max_examples=200, deadline=None)
@given(query=st.lists(st.sampled_from([*TOKENS, "OR", "NOT", "(", ")", '"', "title:", "au:", "year:2031", "-", "cat:cs"]), max_size=8),
       papers=st.lists(documents, min_size=1, max_size=4))  # fmt: skip
def test_sql_and_predicate_agree_on_what_people_type(
    connection: sqlite3.Connection, query: list[str], papers: list[Document]
) -> None:
    node = parse_lenient(" ".join(query)).node
    predicate = compile_predicate(node)
    assert found_by_sql(connection, node, papers) == [predicate(paper) for paper in papers]


@pytest.mark.parametrize(
    "opening", ["(", "(x OR ", "-(x ", "(x OR NOT (y ", "title:(x -(", "(x OR y -(", "(x y OR -(z OR "]
)
def test_sqlite_takes_the_deepest_query(connection: sqlite3.Connection, opening: str) -> None:
    node = parse_lenient(opening * (MAX_DEPTH + 5) + "tiling").node
    papers = [Document(title="tiling"), Document(title="x"), Document(title="y"), Document()]
    predicate = compile_predicate(node)
    assert found_by_sql(connection, node, papers) == [predicate(paper) for paper in papers]


def test_sqlite_takes_the_longest_query(connection: sqlite3.Connection) -> None:
    node = parse_lenient(" OR ".join(f"w{number}" for number in range(500))).node
    assert found_by_sql(connection, node, [Document(title="w63"), Document(title="w64")]) == [True, False]


def test_missing_values_are_empty_ones(connection: sqlite3.Connection) -> None:
    connection.execute("DELETE FROM papers")
    connection.execute("INSERT INTO papers (title) VALUES ('tiling')")
    for query, count in (("tiling", 1), ("author:lim", 0), ("-year:2031", 1), ("-cat:cs -abstract:x -venue:y", 1)):
        where, parameters = compile_sql(parse_strict(query))
        assert connection.execute(f"SELECT count(*) FROM papers WHERE {where}", parameters).fetchone() == (count,)


NAMES_OF_ONE = [
    ("icml", "ICML", "international conference on machine learning", "Proceedings of the International Conference on Machine Learning"),
    ("ICML 2025", "ICML'25", "icml-2025", "icml2025", "PMLR v267", "42nd International Conference on Machine Learning"),
    ("nips", "neurips", "Advances in Neural Information Processing Systems"),
    ("NIPS 2016", "NeurIPS 2016", "nips-2016", "Advances in Neural Information Processing Systems 29"),
    ("acl findings", "Findings of the Association for Computational Linguistics: ACL"),
]  # fmt: skip


@pytest.mark.parametrize("names", NAMES_OF_ONE)
def test_every_name_of_a_venue_asks_for_the_same(names: tuple[str, ...]) -> None:
    assert len({parse_strict(f'venue:"{name}"') for name in names}) == 1


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("venue:icml", {"ICML 2025", "ICML", "Joint ICML/NIPS Meeting 2020", VENUES[8]}),
        ('venue:"ICML 2025"', {"ICML 2025", VENUES[8]}),
        ("venue:nips", {"NeurIPS 2016", "NeurIPS 2023 Workshop on Tiles", "Joint ICML/NIPS Meeting 2020"}),
        ('venue:"neurips workshop"', {"NeurIPS 2023 Workshop on Tiles"}),
        ("venue:(neurips 2016)", {"NeurIPS 2016"}),
        ("venue:ijcnlp", {"ACL 2021"}),
        ("venue:acl", {"ACL 2021", "ACL 2024 Findings"}),
        ("venue:nature", {"Nature 2020"}),
        ("venue:mlj", {"MLJ 2020"}),
        # It may be a part of any name: the journal, and what has the words.
        ('venue:"machine learning"', {"MLJ 2020", *VENUES[8:9], *VENUES[10:]}),
    ],
)  # fmt: skip
def test_a_venue_is_found_however_it_is_written(connection: sqlite3.Connection, query: str, found: set[str]) -> None:
    node = parse_strict(query)
    papers = [Document(venue=name) for name in VENUES]
    answers = found_by_sql(connection, node, papers)
    assert {name for name, answer in zip(VENUES, answers, strict=True) if answer} == found


def test_filters_are_plain_sql() -> None:
    where, parameters = compile_sql(parse_strict("year:2031.. -cat:cs 10.5555/a'b"), "p")
    assert where == (
        "((p.year IS NOT NULL AND p.year >= ?)"
        " AND NOT EXISTS (SELECT 1 FROM json_each(p.categories)"
        " WHERE lower(value) = ? OR substr(lower(value), 1, ?) = ?)"
        " AND EXISTS (SELECT 1 FROM json_each(p.identifiers) WHERE value = ?))"
    )
    assert parameters == [2031, "cs", 3, "cs.", "doi:10.5555/a'b"]
