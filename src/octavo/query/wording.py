"""Values that are words, as parts of a query tree: plain ones, phrases, beginnings, venues and Chinese texts.

The parser finds out where a value begins and ends; here it is said what it asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from octavo.query.ast import Node, Phrase, Prefix, WordNode, conjunction, disjunction
from octavo.query.chinese import Piece, Reading, has_chinese, read_chinese
from octavo.query.chinese_nodes import nodes_of
from octavo.query.compounds import is_cjk
from octavo.query.fields import Field, Kind
from octavo.query.values import read_venue
from octavo.query.words import STOP_WORDS, exact_words, query_words

MAX_WORDS = 64
"""Distinct words that a query may ask for, common ones not counted; and words of one phrase."""
MAX_PREFIXES = 8
"""Beginnings that a query may ask for: each stands for thousands of words."""


class Wording:
    """Makes the parts of one tree, and keeps count of the words that it asks for."""

    def __init__(self, say: Callable[[str, str], None], reading: Reading) -> None:
        """Tell `say` what is odd and how it is read; of Chinese texts take the words that `reading` takes."""
        self.reading = reading
        self.left_out = False
        """Whether Chinese words were, since they say nothing beside others."""
        self.chinese: dict[Node, Piece] = {}
        """The Chinese terms that were read, by their parts of the tree."""
        self._say = say
        self._words: set[tuple[str, object]] = set()
        self._prefixes: set[Prefix] = set()

    def of_text(self, text: str, field: Field) -> Node | None:
        """What an unquoted text asks for: all of its words; None where none of them is left."""
        if text.endswith("*") and (nodes := self._of_prefix(text, field)) is not None:
            return _all_of(nodes)
        if field.kind is Kind.WORDS and has_chinese(text) and (pieces := read_chinese(text)):
            return _all_of(self._of_chinese(pieces, field))
        return self._of_words(text, field)

    def of_quoted(self, phrase: str, field: Field) -> Node | None:
        """What a quoted text, which has a word or more, asks for; None where the query has too many words."""
        words = exact_words(phrase)
        if len(words) > MAX_WORDS and len(set(words)) <= MAX_WORDS:
            self._say(f"A phrase has at most {MAX_WORDS} words", f"only the first {MAX_WORDS} were used")
            words = words[:MAX_WORDS]
        as_phrase = Phrase(field.name, tuple(words))
        if venue := self._of_venue(phrase, as_phrase, field):
            return venue
        if field.kind is Kind.WORDS and has_chinese(phrase):
            self.chinese[as_phrase] = Piece(phrase, is_quoted=True)
        return self._of_phrase(words, field)

    def _of_words(self, text: str, field: Field) -> Node | None:
        words = query_words(text)
        if words and field.kind is Kind.VENUE:
            as_words = conjunction(WordNode(field.name, word) for word in words)
            if venue := self._of_venue(text, as_words, field):
                return venue
        if field.kind is Kind.NAMES and (len(words) > 1 or any(len(word.exact) > 1 for word in words)):
            return self._of_phrase([exact for word in words for exact in word.exact], field)
        return _all_of(WordNode(field.name, word) for word in words if self._has_room(field, word.exact))

    def _of_chinese(self, pieces: Sequence[Piece], field: Field) -> list[Node]:
        """The terms of a Chinese text, each as any of its English names or itself."""
        telling = tuple(piece for piece in pieces if self.reading.takes(piece))
        self.left_out |= len(telling) < len(pieces)
        found = [pair for pair in nodes_of(telling, field.name) if self._has_room(field, (pair[1].text,))]
        self.chinese.update(pair for pair in found if pair[1].is_han)
        return [node for node, _ in found]

    def _of_venue(self, text: str, as_words: Node, field: Field) -> Node | None:
        """The venue that a text in the field of venues names; with the words where they may mean others too."""
        found = read_venue(text) if field.kind is Kind.VENUE else None
        if found is None or not self._has_room(field, (found[0].name,)):
            return None
        node, is_sure = found
        return node if is_sure else disjunction([node, as_words])

    def _of_phrase(self, words: Sequence[str], field: Field) -> Node | None:
        if len(words) == 1 and len(words[0]) == 1 and is_cjk(words[0]):
            # A lone character is an exact word only where it stands alone.
            return self._of_words(words[0], field)
        kept = [word for word in words if self._has_room(field, (word,))]
        return Phrase(field.name, tuple(words)) if len(kept) == len(words) else None

    def _of_prefix(self, text: str, field: Field) -> list[Node] | None:
        """The parts of `text*` where it has letters enough for a beginning; None where it is a text like any other."""
        start = text.rstrip("*")
        *before, last = exact_words(start) or [""]
        if sum(map(str.isalnum, last)) < 2 or is_cjk(last[-1]) or not start[-1].isalnum() or "*" in start:
            return None
        nodes: list[Node] = [
            WordNode(field.name, word) for word in query_words(" ".join(before)) if self._has_room(field, word.exact)
        ]
        prefix = Prefix(field.name, last)
        if prefix not in self._prefixes and len(self._prefixes) == MAX_PREFIXES:
            self._say(f"A query has at most {MAX_PREFIXES} beginnings", f"only the first {MAX_PREFIXES} were used")
        elif self._has_room(field, (f"{last}*",)):
            self._prefixes.add(prefix)
            nodes.append(prefix)
        return nodes

    def _has_room(self, field: Field, exact: tuple[str, ...]) -> bool:
        """Whether one more distinct word may be asked for."""
        entry = (field.name, exact)
        if entry in self._words or (len(exact) == 1 and exact[0] in STOP_WORDS):
            return True
        if len(self._words) >= MAX_WORDS:
            self._say(f"A query has at most {MAX_WORDS} different words", f"only the first {MAX_WORDS} were used")
            return False
        self._words.add(entry)
        return True


def _all_of(nodes: Iterable[Node]) -> Node | None:
    some = list(nodes)
    return conjunction(some) if some else None
