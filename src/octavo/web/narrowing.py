"""Queries that links make of a query: with one more condition, or without one that is in it. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from octavo.query.ast import conjunction
from octavo.query.fields import Kind, find_field
from octavo.query.parser import parse_lenient, quoted
from octavo.query.topic_names import BUNDLED

_FIELDS = {"venue": "venue", "edition": "venue", "category": "cat"}
"""What the field of a facet is called where that has another name."""
_PROBES = ("year:1900", 'title:"a probe"')
"""Conditions of either form: quotation marks of the query may close those of the condition."""
_PLAIN = re.compile(r"[A-Za-z0-9][\w.-]*")
_PIECE = re.compile(r"""(?P<not>[-!])?(?P<field>[^\W\d]\w*):(?P<value>"[^"]*"|[^\s"()]+)|"[^"]*"|"|[()]|[^\s"()]+""")
_OPERATORS = ("OR", "NOT", "ANDNOT")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A condition of a query, beside its words."""

    field: str
    """The field's own name."""
    value: str
    """Without quotation marks."""
    without: str
    """The query without it."""


def condition(facet: str, value: str) -> str:
    """The condition that a value of a facet stands for.

    >>> condition("category", "cs.LG"), condition("venue", "Transactions on X")
    ('cat:cs.LG', 'venue:"Transactions on X"')
    """
    return f"{_FIELDS.get(facet, facet)}:{value if _PLAIN.fullmatch(value) else quoted(value)}"


def narrowing(query: str) -> Callable[[str], str]:
    """What makes of a condition the query that asks for it as well.

    It is found out by reading: behind `a OR b` a condition would belong to `b`, and behind an open quotation mark it
    would be a word.

    >>> narrowing("tilings OR lattices")("year:2031")
    '(tilings OR lattices) year:2031'
    """
    query = " ".join(query.split())
    node = parse_lenient(query, BUNDLED).node
    wanted = [conjunction([node, parse_lenient(probe, BUNDLED).node]) for probe in _PROBES]
    # Of what can't be read whole, the words.
    bare = " ".join(word for word in re.findall(r"\w+", query) if word not in (*_OPERATORS, "AND"))
    forms = (f"{query} {{}}", f"({query}) {{}}", f'{query}" {{}}', f'({query}") {{}}', f"{bare} {{}}")
    chosen = next(
        (
            form
            for form in forms[:-1]
            if [parse_lenient(form.replace("{}", probe), BUNDLED).node for probe in _PROBES] == wanted
        ),
        forms[-1],
    )
    return lambda added: chosen.replace("{}", added).strip()


def chosen(query: str) -> list[Chosen]:
    """The conditions of a query that can be taken away, in their order: those that stand for themselves, outside
    brackets and beside no operator."""
    pieces = list(_pieces(query))
    if any(word == "OR" for _, _, word, depth in pieces if not depth):
        return []
    found = []
    for at, (start, end, word, depth) in enumerate(pieces):
        match = _PIECE.fullmatch(word)
        if depth or match is None or match["field"] is None or match["not"]:
            continue
        if at and pieces[at - 1][2] in _OPERATORS:
            continue
        field = find_field(match["field"])
        if field is None or field.kind is Kind.WORDS or not match["value"].strip('"'):
            continue
        rest = " ".join(f"{query[:start]} {query[end:]}".split())
        found.append(Chosen(field.name, match["value"].strip('"'), _unwrapped(rest)))
    return found


def _pieces(query: str) -> Iterator[tuple[int, int, str, int]]:
    """(start, end, text, brackets that are open there); one that is never closed is none."""
    matches = list(_PIECE.finditer(query))
    n_open, unclosed = 0, set()
    for at in reversed(range(len(matches))):
        n_open += matches[at][0] == ")"
        if matches[at][0] == "(":
            unclosed |= set() if n_open else {at}
            n_open = max(0, n_open - 1)
    depth = 0
    for at, match in enumerate(matches):
        depth = max(0, depth - (match[0] == ")"))
        yield match.start(), match.end(), match[0], depth
        depth += match[0] == "(" and at not in unclosed


def _unwrapped(query: str) -> str:
    """A query without the brackets that are around the whole of it."""
    pieces: Sequence[tuple[int, int, str, int]] = list(_pieces(query))
    inside = pieces[1:-1]
    if len(pieces) > 2 and pieces[0][2] == "(" and pieces[-1][2] == ")" and all(depth for *_, depth in inside):
        return query.strip()[1:-1].strip()
    return query
