"""What a query asks the indexes for: everything that matches, most of it, the filters, and what it means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from octavo.index.text_query import (
    Query,
    all_of,
    any_of,
    chosen,
    compile_query,
    scored,
    side_by_side,
    titled,
    with_bonus,
)
from octavo.query.ast import And, IdNode, LibraryNode, Node, Phrase, WordNode, conjunction, leaves, resolve
from octavo.query.parser import Parsed
from octavo.query.words import STOP_WORDS, Word, exact_words
from octavo.rank.chinese import ChineseQuery, chinese_query
from octavo.rank.fuse import CHINESE_WEIGHT, NEAR_TITLE, WEIGHT
from octavo.records.fold import title_key
from octavo.records.text import Text

LibraryLookup = Callable[[LibraryNode], frozenset[int]]
"""The keys of the papers that the reader saved, tagged ..."""

_MOST = 0.6
"""Share of a short query's words that a partial match must have."""
_ENOUGH = 0.3
_FEW_WORDS = 3
"""The same of a description, which has these many at least."""
_LONGEST_TITLE = 1_000
"""Characters that a title has at most: what is longer is no title, and is not compared with any."""
_LONGEST_ROW = 2_000
_MOST_IN_A_ROW = 300
"""Characters and words of a query that may stand in an abstract in a row."""
ROW = 4
"""Words that say something when a paper has them in a row: fewer are many a paper's."""


@dataclass(slots=True)
class Plan:
    """One reading of one query. The queries are for `index.text`."""

    parsed: Parsed
    plain: str
    """The text as typed, without markup."""
    words: list[Word]
    """The plain words, where the query is nothing but words and filters."""
    every: Query
    """All that match, by their words."""
    ways: list[Query]
    """The words or terms one by one, each with what else it may have meant."""
    scoring: list[Query]
    """The same as parts of one disjunction."""
    bonuses: list[Query]
    filters: list[Query]
    chinese: ChineseQuery | None = None
    read_as: dict[Word, Word] = field(default_factory=dict)
    """What unknown words were taken for."""
    near: list[tuple[int, float]] = field(default_factory=list)
    """Papers whose title is nearly the query, with how nearly."""

    @property
    def matches(self) -> Query:
        """All that counts as matching: what has every word, and whose title is the query or nearly so."""
        ways = [self.every]
        if key := title_key(self.plain):
            ways.append(titled(key))
        if self.read_as:
            ways.append(all_of([*self.filters, *self.ways]))
        return any_of([*ways, *chosen((pk, NEAR_TITLE + 100 * likeness) for pk, likeness in self.near)])

    @property
    def is_vague(self) -> bool:
        """Whether it is words to look for, which meaning may help with."""
        return bool(self.ways)

    @property
    def n_words(self) -> int:
        """Words or terms that say something."""
        return len(self.ways)

    def least(self, *, is_any: bool) -> int:
        """How many of the words a partial match must have: of a short query more than half, of a description a few;
        `is_any`: whether any paper has all of them, so that none need be left out."""
        most = self.n_words if is_any else max(1, self.n_words - 1)
        return min(most, ceil(self.n_words * _MOST), max(_FEW_WORDS, ceil(self.n_words * _ENOUGH)))

    @property
    def any_word(self) -> Query:
        """Papers that have any of the words and fit the filters, by the scores of the words that they have."""
        if self.chinese:
            return self.chinese.any_term
        return all_of([*self.filters, any_of([*self.scoring, *self.bonuses])])

    @property
    def count(self) -> Query:
        """Papers that have any of the words; the score is how many of them."""
        return any_of([Query.const_score_query(way, 1.0) for way in self.ways])

    @property
    def meant(self) -> str:
        """What the encoder is given: the words as typed, those of a Chinese query in English."""
        if not self.chinese:
            return " ".join(self.read_as.get(word, word).text for word in self.words)
        names = [piece.english[0] if piece.english else piece.text for _, piece in self.parsed.chinese]
        return " ".join([*names, *(word.text for word in self.words)])

    @property
    def weight(self) -> float:
        """What meaning counts against words."""
        return CHINESE_WEIGHT if self.chinese else WEIGHT

    @property
    def looked_for(self) -> tuple[str, ...]:
        """The exact words, for marking."""
        found = (leaf.word.exact if isinstance(leaf, WordNode) else getattr(leaf, "words", ()) for leaf in self._leaves)
        words = dict.fromkeys(word for exact in found for word in exact)
        words.update(dict.fromkeys(word for better in self.read_as.values() for word in better.exact))
        if self.parsed.chinese:  # of names such as `bag of words`
            return tuple(word for word in words if word not in STOP_WORDS)
        return tuple(words)

    @property
    def _leaves(self) -> list[Node]:
        return list(leaves(self.parsed.node))

    @property
    def row(self) -> list[str]:
        """The whole query as words in a row, where it is so long that this says something."""
        words = _in_a_row(self.parsed)
        return words if len(words) >= ROW and self.words and not self.chinese else []


def plan_of(parsed: Parsed, text: str, library: LibraryLookup) -> Plan:
    """Make the plan of a reading."""
    parsed = replace(parsed, node=_without_addresses(resolve(parsed.node, library)))
    plain = Text.of(text[:_LONGEST_TITLE], "mixed").plain
    chinese = chinese_query(parsed) if parsed.chinese else None
    parts = parsed.node.children if isinstance(parsed.node, And) else (parsed.node,)
    words = plain_words(parsed.node)
    if chinese:
        return Plan(parsed, plain, words, chinese.every, list(chinese.terms), [], [], list(chinese.filters), chinese)
    bonuses = side_by_side(_in_a_row(parsed))
    rest = [part for part in parts if not is_plain(part)]
    return Plan(
        parsed,
        plain,
        words,
        with_bonus(compile_query(parsed.node), bonuses),
        [compile_query(WordNode("all", word)) for word in words],
        [part for word in words for part in scored(word)],
        bonuses,
        [compile_query(conjunction(rest))] if rest else [],
    )


def _in_a_row(parsed: Parsed) -> list[str]:
    """The free text as exact words; none of a text that is too long to stand in a title or abstract as it is."""
    if len(parsed.free_text) > _LONGEST_ROW:
        return []
    words = exact_words(parsed.free_text)
    return words if len(words) <= _MOST_IN_A_ROW else []


def _without_addresses(node: Node) -> Node:
    """The tree without web addresses that stand in a sentence: of a project's page, which is no paper's identifier."""
    if not isinstance(node, And) or len(plain_words(node)) < ROW:
        return node
    return conjunction(
        part for part in node.children if not (isinstance(part, IdNode) and part.identifier.scheme == "url")
    )


def plain_words(node: Node) -> list[Word]:
    """The words of a query that is words, perhaps with filters; none where it is built in another way."""
    parts = node.children if isinstance(node, And) else (node,)
    return [part.word for part in parts if isinstance(part, WordNode) and part.field == "all"]


def is_plain(part: Node) -> bool:
    """Whether a part of a query is a word that looks everywhere."""
    return isinstance(part, WordNode) and part.field == "all"


def asks_exactly(node: Node) -> bool:
    """Whether quotes stand around the whole, which asks for exactly that; around a part they may be a title's own."""
    return isinstance(node, Phrase)


def either(word: Word, better: Word | None) -> Query:
    """Papers with a word, or with what it may have meant."""
    readings: Sequence[Word] = (word, better) if better else (word,)
    return any_of([compile_query(WordNode("all", one)) for one in readings])
