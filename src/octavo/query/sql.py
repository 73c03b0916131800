"""The query tree as a WHERE expression of SQLite, for a catalogue without an index.

Years, dates, categories, identifiers, the reader's library and the tree's structure become SQL. Words need the
analyser, which SQL can't be: they become calls of one function, `octavo_holds(leaf, text, ...)`, that
`install_functions` gives to a connection.

What SQL can't tell is which topics and terms a paper has, unless there is a table of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol

from octavo.errors import QueryError
from octavo.query.ast import (
    And,
    Category,
    DateRange,
    Everything,
    HasNode,
    IdNode,
    Keys,
    LanguageNode,
    Leaf,
    LibraryNode,
    Node,
    Not,
    Nothing,
    Or,
    Phrase,
    Prefix,
    Range,
    SourceNode,
    StatusNode,
    TermNode,
    TopicNode,
    VenueNode,
    WordNode,
    leaves,
)
from octavo.query.fields import LIST_TEXTS, NAME_PARTS, get_field
from octavo.query.holdings import LINKS, LISTS, TEXTS, is_prize
from octavo.query.match import Document, Predicate, compile_predicate
from octavo.query.words import Word
from octavo.records.fold import fold

FUNCTION = "octavo_holds"
"""The name of the function that the expressions call."""
FOLD = "octavo_fold"
"""The name of the other one, by which tags are compared."""

_COLUMNS = {"abstract": "coalesce({0}.abstract, '') || char(10) || coalesce({0}.summary, '')"}
"""The parts of a document that are no plain column, as SQL."""


class Functions(Protocol):
    """What `install_functions` needs of a connection; sqlite3's has it."""

    def create_function(
        self, name: str, narg: int, func: Callable[..., Any] | None, /, *, deterministic: bool = False
    ) -> None:
        """Make `func` callable in SQL as `name`, with `narg` arguments, or with any number if -1."""


class Asked(Protocol):
    """What `library_keys` needs of a connection; sqlite3's has it."""

    def execute(self, sql: str, parameters: list[object], /) -> Iterable[Any]:
        """The rows that a query gives."""


class CannotTellError(QueryError):
    """A catalogue without an index can't tell which papers are in a topic or speak of a term."""


def install_functions(connection: Functions) -> None:
    """Give a connection the functions that `compile_sql` relies on."""
    connection.create_function(FUNCTION, -1, _holds, deterministic=True)
    connection.create_function(FOLD, 1, fold, deterministic=True)


def compile_sql(node: Node, table: str = "papers", *, has_topics: bool = False) -> tuple[str, list[object]]:
    """A WHERE expression, never NULL, and its parameters.

    `table` is the name or alias under which the columns of `papers` stand (`catalogue.schema`). It goes into the SQL
    as it is; all else goes in as parameters. `has_topics` says that there is a table `paper_topics` (paper INTEGER,
    kind TEXT, slug TEXT), of kinds `topic` and `term`, where a paper has the slugs of all topics above its own too.

    Raises:
        CannotTellError: the tree asks for a topic or a term, and there is no such table.
    """
    if not has_topics and any(
        isinstance(leaf, TopicNode | TermNode) for negative in (False, True) for leaf in leaves(node, negative=negative)
    ):
        raise CannotTellError
    parameters: list[object] = []
    return _expression(node, table, parameters), parameters


def _expression(node: Node, table: str, parameters: list[object]) -> str:
    match node:
        case Everything():
            return "1"
        case Nothing():
            return "0"
        case Not(child):
            return f"NOT {_expression(child, table, parameters)}"
        case And(children) | Or(children):
            # Without the `1 AND` of a query that only excludes, to spare SQLite's parser a level.
            asked = [child for child in children if not (isinstance(node, And) and isinstance(child, Everything))]
            glue = " AND " if isinstance(node, And) else " OR "
            return f"({glue.join(_expression(child, table, parameters) for child in asked) or 1})"
        case Range(name, low, high):
            return _range(f"{table}.{get_field(name).parts[0]}", low, high, parameters)
        case Category(value):
            return _category(f"{table}.categories", value.lower(), parameters)
        case IdNode(identifier):
            parameters.append(str(identifier))
            return _any_of(f"{table}.identifiers", "value = ?")
        case StatusNode(value):
            parameters.append(value)
            return f"(coalesce({table}.status, '') = ?)"
        case DateRange():
            # `printf` makes 0000 of NULL.
            year = f"CASE WHEN {table}.year IS NULL THEN NULL ELSE printf('%04d', {table}.year) END"
            return _dates(f"coalesce({table}.date, {year})", node, parameters)
        case HasNode(value):
            return _holding(table, value, parameters)
        case SourceNode(value):
            parameters += [value, len(value) + 1, f"{value}-"]
            return _any_of(f"{table}.sources", "value = ? OR substr(value, 1, ?) = ?")
        case Keys(pks):
            parameters.append(json.dumps(sorted(pks)))
            return f"({table}.pk IN (SELECT value FROM json_each(?)))"  # noqa: S608
        case TopicNode(slug) | TermNode(slug):
            parameters += ["topic" if isinstance(node, TopicNode) else "term", slug]
            return f"({table}.pk IN (SELECT paper FROM paper_topics WHERE kind = ? AND slug = ?))"  # noqa: S608
        case LibraryNode(kind, tag):
            return f"({table}.id IN ({_library(kind, tag, parameters)}))"
        case _:
            parameters.append(_key(node))
            return f"{FUNCTION}(?, {', '.join(_column(part, table) for part in _parts(node))})"


def _parts(node: WordNode | Phrase | Prefix | VenueNode | LanguageNode) -> tuple[str, ...]:
    """The parts of a document that a leaf looks at, in order."""
    if isinstance(node, LanguageNode):
        return get_field("lang").parts
    return get_field("venue" if isinstance(node, VenueNode) else node.field).parts


def _column(part: str, table: str) -> str:
    return _COLUMNS.get(part, f"{{0}}.{part}").format(table)


def _any_of(column: str, test: str) -> str:
    """Whether one of the items of a column in JSON passes a test."""
    return f"EXISTS (SELECT 1 FROM json_each({column}) WHERE {test})"  # noqa: S608


def _dates(column: str, asked: DateRange, parameters: list[object]) -> str:
    tests = [f"{column} IS NOT NULL"]
    if asked.low is not None:
        tests.append(f"{column} >= ?")
        parameters.append(asked.low)
    if asked.high is not None:
        tests.append(f"{column} <= ?")
        parameters.append(f"{asked.high}~")  # as in `match`
    for straddling in asked.straddling:
        tests.append(f"{column} <> ?")
        parameters.append(straddling)
    return f"({' AND '.join(tests)})"


def _holding(table: str, value: str, parameters: list[object]) -> str:
    """What a paper may have; see `holdings`."""
    if value == "citations":
        return f"({table}.citations IS NOT NULL)"
    if value == "award":
        parameters.append(json.dumps(["prize", "award"]))
        return f"{FUNCTION}(?, {table}.award)"
    if value in TEXTS:
        return f"(coalesce({table}.{value}, '') <> '')"
    if value in LISTS:
        column = "cites" if value == "references" else value
        return f"(coalesce({table}.{column}, '[]') <> '[]')"
    parameters.append(value)
    if value in LINKS:
        return _any_of(f"{table}.links", "key = ?")
    return _any_of(f"{table}.identifiers", "substr(value, 1, instr(value, ':') - 1) = ?")


def _library(kind: str, tag: str, parameters: list[object]) -> str:
    """The ids of the papers that the reader did something with."""
    if tag:
        parameters.append(tag)
        return f"SELECT paper FROM tags WHERE {FOLD}(tag) = ?"  # noqa: S608
    if kind in ("noted", "tagged"):
        return f"SELECT paper FROM {'notes' if kind == 'noted' else 'tags'}"  # noqa: S608
    parameters.append(kind)
    return "SELECT paper FROM marks WHERE kind = ?"


def library_keys(connection: Asked, node: LibraryNode) -> frozenset[int]:
    """The keys of the papers that a LibraryNode means: what `ast.resolve` wants of a catalogue.

    The connection must have its functions (`install_functions`).
    """
    where, parameters = compile_sql(node, "p")
    return frozenset(row[0] for row in connection.execute(f"SELECT p.pk FROM papers AS p WHERE {where}", parameters))  # noqa: S608


def _range(column: str, low: int | None, high: int | None, parameters: list[object]) -> str:
    tests = [f"{column} IS NOT NULL"]
    for sign, end in ((">=", low), ("<=", high)):
        if end is not None:
            tests.append(f"{column} {sign} ?")
            parameters.append(end)
    return f"({' AND '.join(tests)})"


def _category(column: str, value: str, parameters: list[object]) -> str:
    parameters.append(value)
    test = "lower(value) = ?"
    if "." not in value:
        parameters += [len(value) + 1, f"{value}."]
        test += " OR substr(lower(value), 1, ?) = ?"
    return _any_of(column, test)


# ------------------------------------------------------------------------------------- the function in SQLite


def _key(leaf: Leaf) -> str:
    """A leaf of words as text."""
    match leaf:
        case WordNode(field, word):
            return json.dumps(["word", field, word.exact, word.alternatives, word.phrases])
        case Phrase(field, words):
            return json.dumps(["phrase", field, words])
        case Prefix(field, text):
            return json.dumps(["prefix", field, text])
        case VenueNode(_, terms, names):
            return json.dumps(["at", "venue", terms, names])
        case LanguageNode(code):
            return json.dumps(["lang", "lang", code])
        case _:
            raise AssertionError(leaf)


@lru_cache(maxsize=1_000)
def _read_key(key: str) -> tuple[tuple[str, ...], Predicate]:
    """The parts of a document that a leaf looks at, and its predicate."""
    kind, field, *rest = json.loads(key)
    leaf: Node
    if kind == "prize":
        return ("award",), lambda document: is_prize(document.award)
    if kind == "word":
        exact, alternatives, phrases = rest
        word = Word("", tuple(exact), tuple(map(tuple, alternatives)), tuple(map(tuple, phrases)))
        leaf = WordNode(field, word)
    elif kind == "lang":
        leaf = LanguageNode(rest[0])
    elif kind == "at":
        leaf = VenueNode("", tuple(rest[0]), tuple(map(tuple, rest[1])))
    else:
        leaf = Phrase(field, tuple(rest[0])) if kind == "phrase" else Prefix(field, rest[0])
    return get_field(field).parts, compile_predicate(leaf)


def _holds(key: str, *texts: str | None) -> bool:
    parts, predicate = _read_key(key)
    values: dict[str, Any] = {}
    for part, text in zip(parts, texts, strict=True):
        if part in NAME_PARTS:
            values[part] = tuple(json.loads(text or "[]"))
        else:
            values[part] = "\n".join(json.loads(text or "[]")) if part in LIST_TEXTS else text or ""
    return predicate(Document(**values))
