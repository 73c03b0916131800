"""The query tree as a WHERE expression of SQLite, for a catalogue without an index.

Years, categories, identifiers and the tree's structure become SQL. Words need the analyser, which SQL can't
be: they become calls of one function, `octavo_holds(leaf, text, ...)`, that `install_functions` gives to a
connection.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Protocol

from octavo.query.ast import (
    And,
    Category,
    Everything,
    IdNode,
    Leaf,
    Node,
    Not,
    Nothing,
    Or,
    Phrase,
    Prefix,
    Range,
    StatusNode,
    VenueNode,
    WordNode,
)
from octavo.query.fields import NAME_PARTS, get_field
from octavo.query.match import Document, Predicate, compile_predicate
from octavo.query.words import Word

FUNCTION = "octavo_holds"
"""The name of the function that the expressions call."""

_COLUMNS = {"abstract": "coalesce({0}.abstract, '') || char(10) || coalesce({0}.summary, '')"}
"""The parts of a document that are no plain column, as SQL."""


class Functions(Protocol):
    """What `install_functions` needs of a connection; sqlite3's has it."""

    def create_function(
        self, name: str, narg: int, func: Callable[..., Any] | None, /, *, deterministic: bool = False
    ) -> None:
        """Make `func` callable in SQL as `name`, with `narg` arguments, or with any number if -1."""


def install_functions(connection: Functions) -> None:
    """Give a connection the function that `compile_sql` relies on."""
    connection.create_function(FUNCTION, -1, _holds, deterministic=True)


def compile_sql(node: Node, table: str = "papers") -> tuple[str, list[object]]:
    """A WHERE expression, never NULL, and its parameters.

    `table` is the name or alias under which the columns stand: title, abstract, summary, venue, venue_name,
    comment, journal_ref, status, award (texts), year (INTEGER), authors, categories, identifiers (JSON arrays of
    texts, the last as `scheme:value`). It goes into the SQL as it is; all else goes in as parameters.
    """
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
            return f"EXISTS (SELECT 1 FROM json_each({table}.identifiers) WHERE value = ?)"  # noqa: S608
        case StatusNode(value):
            parameters.append(value)
            return f"(coalesce({table}.status, '') = ?)"
        case _:
            parameters.append(_key(node))
            parts = get_field("venue" if isinstance(node, VenueNode) else node.field).parts
            columns = (_COLUMNS.get(part, f"{{0}}.{part}").format(table) for part in parts)
            return f"{FUNCTION}(?, {', '.join(columns)})"


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
    return f"EXISTS (SELECT 1 FROM json_each({column}) WHERE {test})"  # noqa: S608


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
        case _:
            raise AssertionError(leaf)


@lru_cache(maxsize=1_000)
def _read_key(key: str) -> tuple[tuple[str, ...], Predicate]:
    """The parts of a document that a leaf looks at, and its predicate."""
    kind, field, *rest = json.loads(key)
    leaf: Node
    if kind == "word":
        exact, alternatives, phrases = rest
        word = Word("", tuple(exact), tuple(map(tuple, alternatives)), tuple(map(tuple, phrases)))
        leaf = WordNode(field, word)
    elif kind == "at":
        leaf = VenueNode("", tuple(rest[0]), tuple(map(tuple, rest[1])))
    else:
        leaf = Phrase(field, tuple(rest[0])) if kind == "phrase" else Prefix(field, rest[0])
    return get_field(field).parts, compile_predicate(leaf)


def _holds(key: str, *texts: str | None) -> bool:
    parts, predicate = _read_key(key)
    values: dict[str, Any] = {}
    for part, text in zip(parts, texts, strict=True):
        values[part] = tuple(json.loads(text or "[]")) if part in NAME_PARTS else text or ""
    return predicate(Document(**values))
