"""What a Chinese text asks for, as parts of a query tree."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from octavo.query.ast import Node, Phrase, WordNode, conjunction, disjunction
from octavo.query.chinese import Piece
from octavo.query.words import exact_words, query_words


def node_of(piece: Piece, field: str) -> Node:
    """What a piece asks for: a Chinese term itself or any of its English names; of other words, the words."""
    words = conjunction(WordNode(field, word) for word in query_words(piece.text))
    return disjunction([words, *(node for name in piece.english for node in english_nodes(name, field))])


@lru_cache(maxsize=4_096)
def english_nodes(name: str, field: str) -> tuple[Node, ...]:
    """An English name as a word, which is stemmed, or as a phrase in the singular and the plural."""
    if " " not in name:
        return tuple(WordNode(field, word) for word in query_words(name))
    words = exact_words(name)
    return Phrase(field, tuple(words)), Phrase(field, (*words[:-1], plural(words[-1])))


def plural(word: str) -> str:
    """The regular plural of a noun.

    >>> [plural(word) for word in ("network", "policy", "process", "survey")]
    ['networks', 'policies', 'processes', 'surveys']
    """
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def nodes_of(pieces: tuple[Piece, ...], field: str) -> Iterator[tuple[Node, Piece]]:
    """Each piece with what it asks for; punctuation asks for nothing."""
    return ((node_of(piece, field), piece) for piece in pieces if exact_words(piece.text))
