"""The query tree: frozen values that three compilers read (SQL, the index, the predicate of `query.match`).

What each node means is said here, once; the compilers must agree, and property tests hold them to it.

`str()` prints a tree in a readable form, like `(+a -b)`: in a conjunction each part has `+` (it must hold) or
`-` (it must not), in a disjunction none.

>>> str(And((WordNode("all", word("tiling")), Not(Phrase("title", ("by", "hand"))))))
'(+tiling -title:"by hand")'
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from octavo.query.words import Word, query_words
from octavo.records.ids import Identifier


@dataclass(frozen=True, slots=True)
class Everything:
    """Matches every document."""

    def __str__(self) -> str:
        return "*"


@dataclass(frozen=True, slots=True)
class Nothing:
    """Matches no document."""

    def __str__(self) -> str:
        return "()"


@dataclass(frozen=True, slots=True)
class And:
    """All of `children` match. There are at least two, and one that is no Not (`conjunction` sees to it)."""

    children: tuple[Node, ...]

    def __str__(self) -> str:
        return "(" + " ".join(str(c) if isinstance(c, Not) else f"+{c}" for c in self.children) + ")"


@dataclass(frozen=True, slots=True)
class Or:
    """One or more of `children` match. There are at least two, and none is a Not (`disjunction` sees to it)."""

    children: tuple[Node, ...]

    def __str__(self) -> str:
        return "(" + " ".join(map(str, self.children)) + ")"


@dataclass(frozen=True, slots=True)
class Not:
    """`child` does not match. Stands only in an And (`negation` makes it)."""

    child: Node

    def __str__(self) -> str:
        return f"-{self.child}"


@dataclass(frozen=True, slots=True)
class WordNode:
    """An unquoted word in a field (see `octavo.query.fields` for the texts and names that a field covers).

    In texts, one of these is enough:

    - for one of `word.alternatives`, each of its stems is among the `stem_words` of the field's texts (not
      needfully of the same text, when the field covers several);
    - one of `word.phrases` is in one of the texts, as a Phrase would be.

    In names: as `Phrase(field, word.exact)`. The field `all` covers texts and names; either is enough.
    """

    field: str
    word: Word

    def __str__(self) -> str:
        return _prefixed(self.field, self.word.text)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A quoted phrase in a field; `words` are exact words, at least one.

    In texts: they stand next to each other, in that order, in the `exact_words` of one of the field's texts.

    In names: all `name_query_tokens(words)` are among the `name_tokens` of the names (`octavo.query.words`),
    which is to say that one person's name has the words, in any order, where a word of one letter stands for
    an initial. The field `all` covers texts and names; either is enough.
    """

    field: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return _prefixed(self.field, '"' + " ".join(self.words) + '"')


@dataclass(frozen=True, slots=True)
class Prefix:
    """A word's beginning in a field: an exact word of the field's texts, or of its names, starts with `text`.

    `text` is folded and has two letters or more.
    """

    field: str
    text: str

    def __str__(self) -> str:
        return _prefixed(self.field, f"{self.text}*")


@dataclass(frozen=True, slots=True)
class Range:
    """A number field from `low` to `high`, both included; None is an open end, and one end is not open.

    A document without the number never matches.
    """

    field: str
    low: int | None
    high: int | None

    def __str__(self) -> str:
        if self.low == self.high and self.low is not None:
            return f"{self.field}:{self.low}"
        ends = ("*" if end is None else str(end) for end in (self.low, self.high))
        return f"{self.field}:[{' TO '.join(ends)}]"


@dataclass(frozen=True, slots=True)
class Category:
    """One of a document's categories is `value`, or is in the group `value`: `cs` takes in `cs.LG`.

    ASCII case is ignored.
    """

    value: str

    def __str__(self) -> str:
        return f"cat:{self.value}"


@dataclass(frozen=True, slots=True)
class IdNode:
    """A document has this identifier."""

    identifier: Identifier

    def __str__(self) -> str:
        return f"id:{self.identifier}"


@dataclass(frozen=True, slots=True)
class VenueNode:
    """A document appeared at a known venue or edition.

    One of `terms` is among the `venue_terms` of its venue as it is shown (`octavo.records.edition_names`), or one of
    `names` stands in the `exact_words` of its venue, as shown or as written, as a Phrase would.
    """

    name: str
    """The usual name: `NeurIPS 2016`."""
    terms: tuple[str, ...]
    names: tuple[tuple[str, ...], ...] = ()

    def __str__(self) -> str:
        return _prefixed("venue", self.name if self.name.isalnum() else f'"{self.name}"')


@dataclass(frozen=True, slots=True)
class StatusNode:
    """A document's status is `value`, one of `octavo.records.paper.STATUSES`."""

    value: str

    def __str__(self) -> str:
        return f"status:{self.value}"


Leaf = WordNode | Phrase | Prefix | Range | Category | IdNode | VenueNode | StatusNode
Node = And | Or | Not | Leaf | Everything | Nothing


def _prefixed(field: str, text: str) -> str:
    return text if field == "all" else f"{field}:{text}"


def word(text: str) -> Word:
    """The single Word that `text` is; ValueError where it is none or several."""
    (only,) = query_words(text)
    return only


def conjunction(children: Iterable[Node]) -> Node:
    """And of `children`, in its simplest form.

    Nested ones are flattened, repeats and Everything dropped; Nothing decides. Of none it is Everything.
    Where all parts are Nots, Everything stands first, since "not a" alone names no set to start from.
    """
    parts: dict[Node, None] = {}
    for child in children:
        if isinstance(child, Nothing):
            return child
        if isinstance(child, And):
            parts.update(dict.fromkeys(child.children))
        else:
            parts[child] = None
    parts.pop(Everything(), None)
    if parts and all(isinstance(part, Not) for part in parts):
        return And((Everything(), *parts))
    return _one_or(And, tuple(parts), Everything())


def disjunction(children: Iterable[Node]) -> Node:
    """Or of `children`, in its simplest form. Of none it is Nothing. A Not becomes Everything without it."""
    parts: dict[Node, None] = {}
    for child in children:
        if isinstance(child, Not):
            child = conjunction([child])
        if isinstance(child, Everything):
            return child
        if isinstance(child, Or):
            parts.update(dict.fromkeys(child.children))
        elif not isinstance(child, Nothing):
            parts[child] = None
    return _one_or(Or, tuple(parts), Nothing())


def negation(child: Node) -> Node:
    """Not of `child`, in its simplest form: two Nots cancel out."""
    if isinstance(child, Not):
        return child.child
    if isinstance(child, And) and len(child.children) == 2 and isinstance(child.children[0], Everything):
        return negation(child.children[1])
    if isinstance(child, Everything):
        return Nothing()
    return Everything() if isinstance(child, Nothing) else Not(child)


def _one_or(kind: type[And | Or], parts: tuple[Node, ...], none: Node) -> Node:
    return kind(parts) if len(parts) > 1 else parts[0] if parts else none


def leaves(node: Node, *, negative: bool = False) -> Iterator[Leaf]:
    """The leaves from left to right: what a match may have or, `negative`, what it must not have."""
    stack: list[tuple[Node, bool]] = [(node, True)]
    while stack:
        top, positive = stack.pop()
        if isinstance(top, And | Or):
            stack.extend((child, positive) for child in reversed(top.children))
        elif isinstance(top, Not):
            stack.append((top.child, not positive))
        elif not isinstance(top, Everything | Nothing) and positive is not negative:
            yield top
