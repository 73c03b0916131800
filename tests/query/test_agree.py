"""SQL and the predicate give the same documents for every tree."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.catalogue.papers import _INSERT, row_of
from octavo.catalogue.schema import MIGRATIONS
from octavo.query.ast import (
    MARKS,
    Category,
    DateRange,
    Everything,
    HasNode,
    IdNode,
    Keys,
    LanguageNode,
    LibraryNode,
    Node,
    Nothing,
    Phrase,
    Prefix,
    Range,
    SourceNode,
    StatusNode,
    TermNode,
    TopicNode,
    WordNode,
    conjunction,
    disjunction,
    negation,
    resolve,
    word,
)
from octavo.query.holdings import HOLDINGS, IDS
from octavo.query.languages import LANGUAGES
from octavo.query.match import Document, Standing, compile_predicate, document_of
from octavo.query.parser import MAX_DEPTH, parse_lenient, parse_strict
from octavo.query.sql import CannotTellError, compile_sql, install_functions, library_keys
from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.paper import LINK_KINDS, STATUSES, Paper, PaperId

TOKENS = [
    "tiling", "Tilings", "tile", "the", "plane", "FlashTP", "flash", "TP", "flash-tp", "GPT-4o", "gpt", "4o", "gpt4", "4",
    "C++", "C", "2.0", "10,000", "β-VAE", "beta", "i.i.d.", "iid", "in-context", "context", "in", "量子計算", "量子", "計", "Łukasz",
    "lukasz", "Lim", "J.", "Jordan", "Jean-Luc", "jean", "LLMs", "llm", "don't", "_", "%", "der", "die", "und", "かな",
]  # fmt: skip
IDENTIFIERS = ["arxiv:2101.00010", "arxiv:math/0309136", "doi:10.5555/a'b", "doi:10.5555/ab", "openreview:AbC12xYz90"]
CATEGORIES = ["cs.LG", "cs.CL", "CS.lg", "cs", "css.X", "math.CO", "math-ph", "\u212a.X"]
DATES = ["2030", "2031", "2031-05", "2031-05-01", "2031-05-09", "2031-05-31", "2031-06", "2031-12-31", "2032-02-29"]
SOURCES = ["arxiv", "arxiv-snapshot", "arxivist", "pmlr"]
SLUGS = ["tiles", "tiles-of-planes", "planes"]
TAGS = ["to cite", "To Cite", "Łukasz", "tile"]

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
papers = st.builds(
    Paper,
    id=st.just(PaperId("p")),
    title=text,
    abstract=text,
    summary=text,
    tldr=text,
    authors=st.lists(text, max_size=3).map(tuple),
    venue=text | st.sampled_from(VENUES),
    venue_name=text | st.sampled_from(VENUES),
    status=st.sampled_from(STATUSES),
    award=st.sampled_from(["", "oral", "best paper; oral", "notable top 5%", "Poster"]),
    year=st.one_of(st.none(), st.integers(2029, 2033)),
    date=st.one_of(st.none(), st.sampled_from(DATES).map(PartialDate)),
    categories=st.lists(st.sampled_from(CATEGORIES), max_size=2).map(tuple),
    identifiers=st.lists(st.sampled_from(IDENTIFIERS), max_size=2, unique=True).map(
        lambda names: tuple(Identifier(*name.split(":", 1)) for name in names)
    ),
    comment=text,
    journal_ref=text,
    keywords=st.lists(text.filter(bool), max_size=2).map(tuple),
    links=st.lists(st.sampled_from(LINK_KINDS), max_size=2, unique=True).map(
        lambda kinds: tuple((kind, "https://example.org/x") for kind in kinds)
    ),
    sources=st.lists(st.sampled_from(SOURCES), max_size=2, unique=True).map(tuple),
    citations=st.one_of(st.none(), st.integers(0, 12)),
    references=st.sampled_from([(), (Identifier("doi", "10.5555/ab"),)]),
)
standings = st.builds(
    Standing,
    topics=st.lists(st.sampled_from(SLUGS), max_size=2, unique=True).map(tuple),
    terms=st.lists(st.sampled_from(SLUGS), max_size=2, unique=True).map(tuple),
    marks=st.lists(st.sampled_from(MARKS[:3]), max_size=2, unique=True).map(tuple),
    tags=st.lists(st.sampled_from(TAGS), max_size=2, unique=True).map(tuple),
)


def numbered(shelf: list[tuple[Paper, Standing]]) -> list[tuple[Paper, Standing]]:
    """The papers with ids and keys of their own."""
    return [
        (replace(paper, id=PaperId(f"p{pk:010}")), replace(standing, pk=pk))
        for pk, (paper, standing) in enumerate(shelf, 1)
    ]


def shelves(at_most: int) -> st.SearchStrategy[list[tuple[Paper, Standing]]]:
    return st.lists(st.tuples(papers, standings), min_size=1, max_size=at_most).map(numbered)


word_fields = st.sampled_from(
    ["all", "title", "abstract", "author", "venue", "comment", "journal_ref", "award", "keyword"]
)
exact = st.sampled_from(
    ["tiling", "flash", "tp", "gpt", "4o", "c++", "lim", "j", "jordan", "jean", "luc", "量子", "in", "context"]
)
year = st.integers(2029, 2033)
ends = st.one_of(st.tuples(year, year), st.tuples(st.none(), year), st.tuples(year, st.none()))
single_words = st.sampled_from([token for token in TOKENS if token not in "_%"])


def date_range(ends: list[str | None]) -> DateRange:
    low, high = ends
    return DateRange(*sorted((low, high))) if low and high else DateRange(low, high)


leaf_nodes = st.one_of(
    st.builds(WordNode, word_fields, single_words.map(word)),
    st.builds(Phrase, word_fields, st.lists(exact, min_size=1, max_size=3).map(tuple)),
    st.builds(Prefix, word_fields, st.sampled_from(["ti", "flash", "li", "jo", "c+", "量子", "10"])),
    ends.map(lambda pair: Range("year", *pair)),
    st.sampled_from([(0, 0), (3, 9), (None, 5), (5, None)]).map(lambda pair: Range("citations", *pair)),
    st.lists(st.sampled_from(DATES) | st.none(), min_size=2, max_size=2).filter(any).map(date_range),
    st.sampled_from(HOLDINGS).map(HasNode),
    st.sampled_from(sorted(set(LANGUAGES.values()))).map(LanguageNode),
    st.sampled_from([*SOURCES, "arx"]).map(SourceNode),
    st.sampled_from(SLUGS).map(TopicNode),
    st.sampled_from(SLUGS).map(TermNode),
    st.sampled_from(MARKS).map(LibraryNode),
    st.sampled_from(["to cite", "lukasz", "tile"]).map(lambda tag: LibraryNode("tagged", tag)),
    st.frozensets(st.integers(1, 6), max_size=4).map(Keys),
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
    """A catalogue as it is, and beside it the table of topics that none has."""
    connection = sqlite3.connect(":memory:")
    install_functions(connection)
    for migration in MIGRATIONS:
        for statement in migration.statements:
            connection.execute(statement)
    connection.execute("CREATE TABLE paper_topics (paper INTEGER, kind TEXT, slug TEXT)")
    yield connection
    connection.close()


def fill(connection: sqlite3.Connection, shelf: list[tuple[Paper, Standing]]) -> None:
    for table in ("papers", "marks", "tags", "notes", "paper_topics"):
        connection.execute(f"DELETE FROM {table}")
    for paper, standing in shelf:
        connection.execute(_INSERT, (standing.pk, 1, *row_of(paper)))
        for mark in standing.marks:
            if mark == "noted":
                connection.execute("INSERT INTO notes (paper, text, at) VALUES (?, 'so', '2031')", (paper.id,))
            else:
                connection.execute("INSERT INTO marks (paper, kind, at) VALUES (?, ?, '2031')", (paper.id, mark))
        for tag in standing.tags:
            connection.execute("INSERT INTO tags (paper, tag, at) VALUES (?, ?, '2031')", (paper.id, tag))
        for kind, slugs in (("topic", standing.topics), ("term", standing.terms)):
            for slug in slugs:
                connection.execute("INSERT INTO paper_topics VALUES (?, ?, ?)", (standing.pk, kind, slug))


def answers(connection: sqlite3.Connection, node: Node) -> list[bool]:
    """Which papers the SQL finds; none of its answers may be NULL."""
    where, parameters = compile_sql(node, "p", has_topics=True)
    rows = connection.execute(f"SELECT {where} FROM papers AS p ORDER BY pk", parameters)
    found = [answer for (answer,) in rows]
    assert set(found) <= {0, 1}
    return [bool(answer) for answer in found]


def found_by_sql(connection: sqlite3.Connection, node: Node, documents: list[Document]) -> list[bool]:
    """Which papers of these titles and venues the SQL finds."""
    shelf = [
        (Paper(PaperId("p"), one.title, (), venue=one.venue, venue_name=one.venue_name), Standing())
        for one in documents
    ]
    fill(connection, numbered(shelf))
    return answers(connection, node)


@settings(max_examples=400, deadline=None)
@given(tree=trees, shelf=shelves(4))
def test_sql_and_predicate_agree_on_any_tree(
    connection: sqlite3.Connection, tree: Node, shelf: list[tuple[Paper, Standing]]
) -> None:
    fill(connection, shelf)
    predicate = compile_predicate(tree)
    expected = [predicate(document_of(*one)) for one in shelf]
    assert answers(connection, tree) == expected
    resolved = resolve(tree, lambda node: library_keys(connection, node))
    assert answers(connection, resolved) == expected


@settings(max_examples=200, deadline=None)
@given(query=st.lists(st.sampled_from([*TOKENS, "OR", "NOT", "(", ")", '"', "title:", "au:", "year:2031", "-", "cat:cs",
                                       "date:2031-05", "has:code", "is:unread", "tag:tile", "cites:>3", "lang:zh"]), max_size=8),
       shelf=shelves(4))  # fmt: skip
def test_sql_and_predicate_agree_on_what_people_type(
    connection: sqlite3.Connection, query: list[str], shelf: list[tuple[Paper, Standing]]
) -> None:
    node = parse_lenient(" ".join(query)).node
    fill(connection, shelf)
    predicate = compile_predicate(node)
    assert answers(connection, node) == [predicate(document_of(*one)) for one in shelf]


@pytest.mark.parametrize("query", ["topic:tiles", "x OR term:tiles", "x -(y topic:tiles)"])
def test_sql_says_that_it_cannot_tell_topics_without_a_table_of_them(query: str) -> None:
    node = parse_strict(query)
    with pytest.raises(CannotTellError, match="without an index"):
        compile_sql(node)
    assert "paper_topics" in compile_sql(node, has_topics=True)[0]


def test_every_holding_is_told_from_the_columns(connection: sqlite3.Connection) -> None:
    """The property test may miss one that is rare."""
    full = Paper(
        PaperId("p"), "T", ("A",), abstract="a", summary="s", tldr="t", venue="v", award="Best Paper; oral", comment="c",
        journal_ref="j", categories=("cs",), keywords=("k",), references=(Identifier("doi", "10.5555/x"),), citations=0,
        links=tuple((kind, "https://example.org") for kind in LINK_KINDS),
        identifiers=tuple(Identifier(scheme, "x") for scheme in IDS),
    )  # fmt: skip
    shelf = numbered([(full, Standing()), (Paper(PaperId("p"), "T", (), award="poster"), Standing())])
    fill(connection, shelf)
    for holding in HOLDINGS:
        assert answers(connection, HasNode(holding)) == [True, False], holding


@pytest.mark.parametrize(
    "opening", ["(", "(x OR ", "-(x ", "(x OR NOT (y ", "title:(x -(", "(x OR y -(", "(x y OR -(z OR "]
)
def test_sqlite_takes_the_deepest_query(connection: sqlite3.Connection, opening: str) -> None:
    node = parse_lenient(opening * (MAX_DEPTH + 5) + "tiling").node
    documents = [Document(title="tiling"), Document(title="x"), Document(title="y"), Document()]
    predicate = compile_predicate(node)
    assert found_by_sql(connection, node, documents) == [predicate(document) for document in documents]


def test_sqlite_takes_the_longest_query(connection: sqlite3.Connection) -> None:
    node = parse_lenient(" OR ".join(f"w{number}" for number in range(500))).node
    assert found_by_sql(connection, node, [Document(title="w63"), Document(title="w64")]) == [True, False]


def test_missing_values_are_empty_ones(connection: sqlite3.Connection) -> None:
    """Of a table that other programs filled."""
    columns = (
        "title, abstract, summary, venue, venue_name, comment, journal_ref, status, award, keywords, authors, categories,"
        " identifiers, year, date, citations, links, sources, cites, tldr, pk, id"
    )
    connection.execute(f"CREATE TEMP TABLE bare ({columns})")
    connection.execute("INSERT INTO bare (title) VALUES ('tiling')")
    for query, count in (
        ("tiling", 1), ("author:lim", 0), ("-year:2031", 1), ("-cat:cs -abstract:x -venue:y -date:2031 -kw:x", 1),
        ("-cites:1 -has:pdf -has:doi -has:abstract -has:award -has:authors -source:pmlr", 1),
    ):  # fmt: skip
        where, parameters = compile_sql(parse_strict(query), "bare")
        assert connection.execute(f"SELECT count(*) FROM bare WHERE {where}", parameters).fetchone() == (count,)
    connection.execute("DROP TABLE bare")


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
    answered = found_by_sql(connection, node, [Document(venue=name) for name in VENUES])
    assert {name for name, answer in zip(VENUES, answered, strict=True) if answer} == found


def test_filters_are_plain_sql() -> None:
    where, parameters = compile_sql(parse_strict("year:2031.. -cat:cs 10.5555/a'b"), "p")
    assert where == (
        "((p.year IS NOT NULL AND p.year >= ?)"
        " AND NOT EXISTS (SELECT 1 FROM json_each(p.categories)"
        " WHERE lower(value) = ? OR substr(lower(value), 1, ?) = ?)"
        " AND EXISTS (SELECT 1 FROM json_each(p.identifiers) WHERE value = ?))"
    )
    assert parameters == [2031, "cs", 3, "cs.", "doi:10.5555/a'b"]
