"""The query tree: frozen values that three compilers read (SQL, the index, the predicate of `query.match`).

What each node means is said here, once; the compilers must agree, and property tests hold them to it.

`str()` prints a tree in a readable form, like `(+a -b)`: in a conjunction each part has `+` (it must hold) or
`-` (it must not), in a disjunction none.

>>> str(And((WordNode("all", word("tiling")), Not(Phrase("title", ("by", "hand"))))))
'(+tiling -title:"by hand")'
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
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


@dataclass(frozen=True, slots=True)
class DateRange:
    """A document's date lies from `low` to `high`, both included; None is an open end, and one end is not open.

    The ends are ISO dates of any precision, as short as they can be: `2031-05` stands for all of May at either end.
    A document of which only the month or the year is known matches where all of that month or year lies within:
    what is found is certain. Its year alone stands for the date where that is not known.
    """

    low: str | None
    high: str | None

    @property
    def straddling(self) -> tuple[str, ...]:
        """Dates that begin before `high` and may end after it: the year of a month, the month and year of a day."""
        return tuple(self.high[:length] for length in (4, 7) if self.high and length < len(self.high))

    def __str__(self) -> str:
        if self.low == self.high:
            return f"date:{self.low}"
        return f"date:[{self.low or '*'} TO {self.high or '*'}]"


@dataclass(frozen=True, slots=True)
class HasNode:
    """A document has what `value` names: one of `octavo.query.holdings.HOLDINGS`."""

    value: str

    def __str__(self) -> str:
        return f"has:{self.value}"


@dataclass(frozen=True, slots=True)
class LanguageNode:
    """A document is written in the language `code`, as `octavo.query.languages` tells it."""

    code: str

    def __str__(self) -> str:
        return f"lang:{self.code}"


@dataclass(frozen=True, slots=True)
class SourceNode:
    """One of a document's sources is `value`, or is of the group `value`: `arxiv` takes in `arxiv-snapshot`."""

    value: str

    def __str__(self) -> str:
        return f"source:{self.value}"


@dataclass(frozen=True, slots=True)
class TopicNode:
    """A document is in the topic of that slug, or in one below it."""

    slug: str

    def __str__(self) -> str:
        return f"topic:{self.slug}"


@dataclass(frozen=True, slots=True)
class TermNode:
    """A document speaks of the glossary's term of that slug."""

    slug: str

    def __str__(self) -> str:
        return f"term:{self.slug}"


MARKS = ("saved", "read", "noted", "tagged")
"""What a reader may have done with a paper."""


@dataclass(frozen=True, slots=True)
class LibraryNode:
    """A document is one that the reader has `kind` (one of MARKS); with a `tag`, has tagged with it.

    Tags are compared folded (`octavo.records.fold`), and `tag` is.
    """

    kind: str
    tag: str = ""

    def __str__(self) -> str:
        if self.tag:
            return f"tag:{self.tag}" if self.tag.isalnum() else f'tag:"{self.tag}"'
        return f"is:{self.kind}"


@dataclass(frozen=True, slots=True)
class Keys:
    """A document's key in the catalogue is one of `pks`. No parser makes it: `resolve` does, of a LibraryNode."""

    pks: frozenset[int]

    def __str__(self) -> str:
        return f"keys:{len(self.pks)}"


Leaf = (
    WordNode
    | Phrase
    | Prefix
    | Range
    | DateRange
    | Category
    | IdNode
    | VenueNode
    | StatusNode
    | HasNode
    | LanguageNode
    | SourceNode
    | TopicNode
    | TermNode
    | LibraryNode
    | Keys
)
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


def resolve(node: Node, lookup: Callable[[LibraryNode], Iterable[int]]) -> Node:
    """The tree with the Keys in place of each LibraryNode that `lookup` gives: for an index, which has no reader."""
    match node:
        case And(children):
            return conjunction(resolve(child, lookup) for child in children)
        case Or(children):
            return disjunction(resolve(child, lookup) for child in children)
        case Not(child):
            return negation(resolve(child, lookup))
        case LibraryNode():
            return Keys(frozenset(lookup(node)))
        case _:
            return node


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
