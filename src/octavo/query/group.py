"""What stands inside a pair of brackets of a query, while it is read."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.query.ast import And, Node, Phrase, Prefix, WordNode, conjunction, disjunction, negation
from octavo.query.fields import Field
from octavo.query.words import STOP_WORDS


class Group:
    """The parts of a bracket, or of the whole query, and the operator that waits for its right side."""

    def __init__(self, field: Field, at: int, *, is_excluded: bool) -> None:
        """Open a group at the character `at`; `is_excluded` says whether it stands behind a NOT."""
        self.field = field
        """What a word without a field means in here."""
        self.at = at
        self.is_excluded = is_excluded
        self.negation = ""
        """The NOT or the sign that waits for its part."""
        self._operator = ""
        self._clauses: list[list[Node]] = [[]]
        self._has_part = False

    @property
    def has_left(self) -> bool:
        """Whether an AND or OR here has something to its left, be it a part that had to be left out."""
        return self._has_part and not self._operator and not self.negation

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever in the brackets."""
        return not self._has_part and len(self._clauses) == 1

    def add(self, node: Node | None) -> None:
        """Take the next part; None is one that had to be left out."""
        if node is not None:
            self._clauses[-1].append(negation(node) if self.negation else node)
        self._has_part = True
        self.negation = self._operator = ""

    def take_operator(self, operator: str) -> None:
        """Take an operator that has a left side."""
        self._operator = operator
        if operator == "OR":
            self._clauses.append([])
            self._has_part = False

    def drop_operator(self) -> str:
        """Take back the operator that waits for a right side, where one does, and say which it was."""
        waiting = self.negation or self._operator
        if self._operator == "OR" and not self._clauses[-1]:
            self._clauses.pop()
        self.negation = self._operator = ""
        return waiting

    def node(self) -> Node:
        """The whole group; Nothing where it has no part."""
        return disjunction(_all_of(clause) for clause in self._clauses if clause)


def _all_of(nodes: Iterable[Node]) -> Node:
    """All of the nodes, without the common words that stand beside other words of their field."""
    whole = conjunction(nodes)
    if not isinstance(whole, And):
        return whole
    words = [child for child in whole.children if isinstance(child, WordNode | Phrase | Prefix)]
    others = {child.field for child in words if not _is_common(child)}
    return conjunction(
        child
        for child in whole.children
        if not (isinstance(child, WordNode) and child.field in others and _is_common(child))
    )


def _is_common(node: Node) -> bool:
    return isinstance(node, WordNode) and len(node.word.exact) == 1 and node.word.exact[0] in STOP_WORDS
