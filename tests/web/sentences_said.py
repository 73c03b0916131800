"""What is said to readers below the surfaces, collected from the source: errors with their hints, and notes.

A sentence is collected with VALUE in the place of each value; of one that depends on a condition, both ways.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

import octavo

SOURCE = Path(octavo.__file__).parent
VALUE = "Xyzzy7"
"""What stands in a collected sentence where a value is filled in."""
_ERROR = re.compile(r"[A-Z]\w*Error|NotFound|Explanation|disk_full")
_NOTES = re.compile(r"\w*notes|told|reasons|parts|evidence")
"""What lists of sentences are called."""

Texts = Mapping[str, Sequence[str]]


def said_in(path: Path) -> Iterator[tuple[str, int]]:
    """The sentences that a module says, with the line of each."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = dict(_assigned(tree.body))
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        local = known | dict(_assigned(ast.walk(function)))
        for node in ast.walk(function):
            yield from ((text, getattr(node, "lineno", 0)) for text in _said_by(node, local))


def _said_by(node: ast.AST, known: Texts) -> Iterator[str]:
    if isinstance(node, ast.AugAssign) and _NOTES.fullmatch(_name(node.target)) and isinstance(node.value, ast.List):
        yield from (text for one in node.value.elts for text in _texts(one, known))
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Tuple) and len(node.value.elts) == 1:
        yield from _texts(node.value.elts[0], known)
    if not isinstance(node, ast.Call):
        return
    name = _name(node.func)
    if name in ("_problem", "_say") and len(node.args) > 1:
        for what, reading in product(_texts(node.args[0], known), _texts(node.args[1], known)):
            yield f"{what}: {reading}." if reading else f"{what}."
    elif _ERROR.fullmatch(name) or (name == "append" and _NOTES.fullmatch(_owner(node.func))):
        given = [*node.args, *(one.value for one in node.keywords if one.arg == "hint")]
        yield from (text for one in given for text in _texts(one, known))


def _assigned(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, list[str]]]:
    """The texts that names stand for, those of one name together."""
    found: dict[str, list[str]] = {}
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).extend(_texts(node.value, {}))
    yield from found.items()


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else called.id if isinstance(called, ast.Name) else ""


def _owner(called: ast.expr) -> str:
    return _name(called.value) if isinstance(called, ast.Attribute) else ""


def _texts(node: ast.expr, known: Texts) -> Iterator[str]:
    """The texts that an expression can be; none where that can't be told."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from map("".join, product(*(list(_pieces(part, known)) for part in node.values)))
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body, known)
        yield from _texts(node.orelse, known)
    elif isinstance(node, ast.Name):
        yield from known.get(node.id, ())


def _pieces(part: ast.expr, known: Texts) -> Iterator[str]:
    if isinstance(part, ast.Constant):
        yield str(part.value)
    elif isinstance(part, ast.FormattedValue):
        texts = list(_texts(part.value, known))
        # A condition or a name that stands for words of the sentence itself; anything else is a value in it.
        if texts and (isinstance(part.value, ast.IfExp) or any(" " in text for text in texts)):
            yield from texts
        else:
            yield repr(VALUE) if part.conversion == ord("r") else VALUE
