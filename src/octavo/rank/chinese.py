"""How papers are ranked for a query with Chinese terms.

Each term scores once, by the best of its names, so that a term with ten names weighs no more than one with two:
BM25 of a name's words, with a little for the title and for the words side by side. A paper has to have every term;
where hardly any has, most of them are enough, since a Chinese sentence is never the abstract word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from octavo.index.text_query import Query, all_of, any_of, boosted, compile_query, phrase, term, with_bonus
from octavo.query.ast import And, Node, Phrase, WordNode, conjunction, leaves
from octavo.query.chinese import Piece, read_chinese
from octavo.query.chinese_nodes import nodes_of
from octavo.query.parser import Parsed
from octavo.query.words import exact_words, query_words

TITLE_BOOST = 1.5
PHRASE_BOOST = 1.0
"""What a word of the title and words side by side add, in their BM25; less in a long query, where they would tip the
scales for papers that share one term."""
SHORT = 4
"""Terms up to which a query counts as short."""
MOST_NAMES = 8
"""English names of a term that are looked for."""
_MOST_EXACT = 12
"""Terms up to which the words of a name must stand side by side for a paper to have every term. More are a
description, which hardly any paper has all of."""
_SHOWN_NAMES = 3
_SHOWN_TERMS = 16


@dataclass(frozen=True, slots=True)
class ChineseQuery:
    """A query with Chinese terms that name no field."""

    every: Query
    """Papers that have every term, as the query tree asks for them."""
    terms: tuple[Query, ...]
    """The terms that are known, one by one."""
    bonuses: tuple[Query, ...]
    """What is not known: more where it is found."""
    filters: tuple[Query, ...]

    @property
    def any_term(self) -> Query:
        """Papers that have any of the terms, by the same scores."""
        return all_of([*self.filters, with_bonus(any_of(self.terms), self.bonuses)])


def chinese_query(parsed: Parsed) -> ChineseQuery | None:
    """The queries of a reading; None where none of its Chinese terms stands free of fields and operators."""
    if isinstance(parsed.node, Phrase):
        return None  # quotes around the whole ask for exactly that
    pieces = dict(parsed.chinese)
    parts = parsed.node.children if isinstance(parsed.node, And) else (parsed.node,)
    free = [(part, pieces.get(part)) for part in parts]
    rest = [part for part, piece in free if not _is_free(part, piece)]
    free = [(part, piece) for part, piece in free if _is_free(part, piece)]
    if all(piece is None for _, piece in free):
        return None
    emphasis = min(1.0, SHORT / len(free))
    scored = [_scored(part, piece, emphasis) for part, piece in free]
    # What no table knows is hardly in an English paper, and quotes of Chinese prose are not those of a query: they
    # help where they are, and count for nothing else.
    sure = [query for query, (_, piece) in zip(scored, free, strict=True) if piece is None or piece.english]
    sure += [_scored(part, piece, emphasis) for part, piece in _within_quotes(free)]
    filters = [compile_query(conjunction(rest))] if rest else []
    every = compile_query(parsed.node) if len(free) <= _MOST_EXACT else all_of([*filters, *scored])
    return ChineseQuery(
        with_bonus(Query.const_score_query(every, 0.0), scored),
        tuple(sure),
        tuple(query for query, (_, piece) in zip(scored, free, strict=True) if piece and not piece.english),
        tuple(filters),
    )


def _is_free(part: Node, piece: Piece | None) -> bool:
    """Whether a part is a word or a term that looks everywhere."""
    return _field_of(part) == "all" if piece else isinstance(part, WordNode) and part.field == "all"


def _field_of(part: Node) -> str:
    """The field of a term's part of the tree, all leaves of which have the same."""
    return next(str(getattr(leaf, "field", "")) for leaf in leaves(part))


def _within_quotes(free: list[tuple[Node, Piece | None]]) -> Iterator[tuple[Node, Piece | None]]:
    """The terms within quoted Chinese text."""
    for _, quoted in free:
        if quoted and quoted.is_quoted:
            telling = tuple(piece for piece in read_chinese(quoted.text) if not piece.is_filler)
            yield from ((node, piece if piece.is_han else None) for node, piece in nodes_of(telling, "all"))


def _scored(part: Node, piece: Piece | None, emphasis: float) -> Query:
    if piece is None or not piece.english:
        return compile_query(part)
    ways = [_named(name, emphasis) for name in piece.english[:MOST_NAMES]]
    ways.append(compile_query(conjunction(WordNode("all", word) for word in query_words(piece.text))))
    return Query.disjunction_max_query(ways, 0.0)


@lru_cache(maxsize=4_096)
def _words_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stems that stand for a name, and its exact words."""
    stems = (stem for word in query_words(name) for stem in word.alternatives[0])
    return tuple(dict.fromkeys(stems)), tuple(exact_words(name))


def _named(name: str, emphasis: float) -> Query:
    """Papers with all words of a name: side by side is better, but not all put them so."""
    stems, words = _words_of(name)
    title, near = TITLE_BOOST * emphasis, PHRASE_BOOST * emphasis
    query = all_of([with_bonus(term("all", stem), [boosted(term("title", stem), title)]) for stem in stems])
    if len(words) < 2:
        return query
    return with_bonus(query, [boosted(phrase(text, words), near) for text in ("title", "abstract")])


def chinese_notes(parsed: Parsed) -> list[str]:
    """What a reader is told of the Chinese terms: the English words that were searched, and what is not known."""
    pieces = dict.fromkeys(piece for _, piece in parsed.chinese)
    known = [piece for piece in pieces if piece.english]
    notes = []
    if known:
        said = [f"{piece.text} as {' or '.join(piece.english[:_SHOWN_NAMES])}" for piece in known[:_SHOWN_TERMS]]
        more = f"; and {len(known) - _SHOWN_TERMS} more" if len(known) > _SHOWN_TERMS else ""
        notes.append(f"Searched in English too: {'; '.join(said)}{more}.")
    if strange := [piece.text for piece in pieces if not piece.english and not piece.is_quoted]:
        notes.append(f"No English is known for {', '.join(strange)}: searched as written.")
    if isinstance(parsed.node, Phrase) and pieces:
        notes.append("Quotes ask for the Chinese words themselves; without them English is searched too.")
    return notes
