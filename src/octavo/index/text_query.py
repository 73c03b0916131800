"""The query tree for tantivy: the third of the three compilers (the others are `query.sql` and `query.match`).

What matches is what `octavo.query.ast` says of each node. How a match scores is added here and changes nothing of
it: BM25 of the words, more for a word of the title, more again for the words side by side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import tantivy
from tantivy import Occur, Query

from octavo.index.text import ALL_TEXTS, MAX_PK, SCHEMA_FIELDS, day_number, order_key
from octavo.query.ast import (
    And,
    Category,
    DateRange,
    Everything,
    HasNode,
    IdNode,
    Keys,
    LanguageNode,
    LibraryNode,
    Node,
    Not,
    Nothing,
    Or,
    Phrase,
    Prefix,
    Range,
    SourceNode,
    StatusNode,
    TermNode,
    TopicNode,
    VenueNode,
    WordNode,
)
from octavo.query.fields import NAME_PARTS, Field, Kind, find_field
from octavo.query.words import Word, name_query_tokens
from octavo.records.ids import Identifier

__all__ = [
    "EXACT_ID",
    "EXACT_TITLE",
    "Query",
    "all_of",
    "any_of",
    "boosted",
    "chosen",
    "compile_query",
    "excluding",
    "identified",
    "keyed",
    "phrase",
    "scored",
    "side_by_side",
    "term",
    "titled",
    "with_bonus",
]

TITLE_BOOST = 0.4
"""What a word of the title adds to what the word says anywhere, in its BM25. More makes long queries worse: with 1.5
one sentence finds its paper with an nDCG@10 of .739, with .4 of .813 (DECISIONS 34)."""
NAME_BOOST = 1.0
PARTED_BOOST = 0.4
"""What `flash tp` counts for a word that was typed as one, `FlashTP`: two common words must not outweigh a rare one."""
PHRASE_BOOST = 1.0
"""What all words side by side add, in the title or in the abstract."""
EXACT_TITLE = 1000.0
"""Added for the paper whose title is the whole query; above every sum of word scores."""
EXACT_ID = 2000.0


def compile_query(node: Node) -> Query:
    """The query of the same meaning, with scores."""
    match node:
        case Everything():
            return Query.const_score_query(Query.all_query(), 0.0)
        case Nothing():
            return Query.empty_query()
        case And(children):
            parts = [
                (Occur.MustNot, compile_query(child.child))
                if isinstance(child, Not)
                else (Occur.Must, compile_query(child))
                for child in children
            ]
            # tantivy takes what it excludes from something; of exclusions alone it makes nothing.
            return Query.boolean_query([(Occur.Must, compile_query(Everything())), *parts])
        case Or(children):
            return any_of([compile_query(child) for child in children])
        case Not(child):
            return Query.boolean_query(
                [(Occur.Must, compile_query(Everything())), (Occur.MustNot, compile_query(child))]
            )
        case _:
            return _leaf(node)


def _leaf(node: Node) -> Query:
    match node:
        case WordNode(field, word):
            return _word(_field(field), word)
        case Phrase(field, words):
            return _phrase(_field(field), words)
        case Prefix(field, text):
            return any_of([_beginning(name, text) for name in _exact_fields(_field(field))])
        case Range("citations", low, high):
            return _between("cited", (low or 0) + 1, None if high is None else high + 1)
        case DateRange(low, high):
            dated = _between("newest", day_number(low or "1000"), day_number(f"{high}-99-99"[:10]) if high else None)
            unsure = [(Occur.MustNot, _between("newest", *[day_number(one)] * 2)) for one in node.straddling]
            return Query.boolean_query([(Occur.Must, dated), *unsure]) if unsure else dated
        case HasNode(value):
            return _still(term("has", value))
        case LanguageNode(code):
            return _still(term("lang", code))
        case SourceNode(value):
            return _still(any_of([term("source", value), _beginning("source", f"{value}-")]))
        case TopicNode(slug):
            return _still(term("topic", slug))
        case TermNode(slug):
            return _still(term("term", slug))
        case Keys(pks):
            return keyed(pks)
        case LibraryNode():
            raise ValueError(f"{node} must be resolved first: an index knows nothing of the reader")
        case Range(field, None, None):
            return _still(Query.exists_query(_field(field).parts[0]))
        case Range(field, low, high):
            return _still(
                Query.range_query(SCHEMA_FIELDS, _field(field).parts[0], tantivy.FieldType.Integer, low, high)
            )
        case Category(value):
            folded = value.lower()
            folded = folded.removesuffix(".*")
            return _still(term("cat", folded))
        case IdNode(identifier):
            return Query.const_score_query(term("id", str(identifier)), 1.0)
        case StatusNode(value):
            return _still(term("status", value))
        case VenueNode(_, terms, names):
            ways = [term("at", one) for one in terms]
            return _still(any_of([*ways, *(phrase(part, name) for name in names for part in _field("venue").texts)]))
        case _:
            raise AssertionError(node)


def _between(order: str, low: int, high: int | None) -> Query:
    """Papers whose number in one of the keys of an order (`text.ORDERS`) is from `low` to `high`."""
    last = None if high is None else order_key(high, MAX_PK)
    return _still(Query.range_query(SCHEMA_FIELDS, order, tantivy.FieldType.Integer, order_key(low, 0), last))


def keyed(pks: Collection[int]) -> Query:
    """Papers of these keys, without a score."""
    return _still(Query.term_set_query(SCHEMA_FIELDS, "pk", sorted(pks))) if pks else Query.empty_query()


def scored(word: Word) -> list[Query]:
    """A bare word as parts of a disjunction, by the scores that it has anywhere else.

    Many words as one flat disjunction are found three times as fast as by one query each.
    """
    best, titled = _ways(_field("all"), word)
    return [best, *titled]


def _word(field: Field, word: Word) -> Query:
    if field.kind is Kind.NAMES:
        return _names(word.exact)
    best, titled = _ways(field, word)
    return with_bonus(best, titled)


def _ways(field: Field, word: Word) -> tuple[Query, list[Query]]:
    """A bare word: the stems of any of its alternatives, one of its phrases, or a name; and what it adds in titles."""
    texts = [part for part in field.parts if part not in NAME_PARTS]
    is_all = field.name == "all"
    ways = [
        all_of([any_of([term(name, stem) for name in (["all"] if is_all else texts)]) for stem in stems])
        for stems in word.alternatives
    ]
    parted = PARTED_BOOST if len(word.exact) == 1 else 1.0
    ways += [
        boosted(phrase(text, words), parted * (TITLE_BOOST if is_all and text != "abstract" else 1.0))
        for words in word.phrases
        for text in texts
    ]
    if len(texts) < len(field.parts):
        ways.append(Query.boost_query(_names(word.exact), NAME_BOOST))
    titled = [boosted(term("title", stem), TITLE_BOOST) for stems in word.alternatives[:1] for stem in stems]
    if word.phrases:
        titled.append(boosted(phrase("title", word.phrases[0]), parted * TITLE_BOOST))
    # The best way counts, not all together: a compound's ways are the same words over again.
    best = ways[0] if len(ways) == 1 else Query.disjunction_max_query(ways, 0.0)
    return best, titled if is_all else []


def _phrase(field: Field, words: Sequence[str]) -> Query:
    if field.kind is Kind.NAMES:
        return _names(words)
    return any_of([_names(words) if part in NAME_PARTS else phrase(part, words) for part in field.parts])


def _names(words: Sequence[str]) -> Query:
    return all_of([term("authors", token) for token in name_query_tokens(words)])


def _exact_fields(field: Field) -> Iterable[str]:
    """Where words stand as they are; a pair of a name's words begins with one of them, so it adds no beginning."""
    for part in field.parts:
        yield "authors" if part in NAME_PARTS else f"{part}_exact"


def _beginning(name: str, text: str) -> Query:
    return _still(Query.regex_query(SCHEMA_FIELDS, name, _literal(text) + ".*"))


def _literal(text: str) -> str:
    """A regular expression of tantivy's that is the text itself."""
    return "".join(char if char.isalnum() else f"\\{char}" for char in text)


def _field(name: str) -> Field:
    field = find_field(name)
    if field is None:
        raise AssertionError(name)
    return field


def term(name: str, value: str) -> Query:
    """Documents that have `value` in a field of words."""
    return Query.term_query(SCHEMA_FIELDS, name, value, "freq" if name in _SCORED else "basic")


_SCORED = {"all", "authors", *ALL_TEXTS, *(f"{text}_exact" for text in ALL_TEXTS)}


def _still(query: Query) -> Query:
    """The query without a score: a filter says nothing about how well a paper fits."""
    return Query.const_score_query(query, 0.0)


def any_of(queries: Sequence[Query], at_least: int = 1) -> Query:
    """Documents that match `at_least` of the queries; their scores add up."""
    if len(queries) == 1:
        return queries[0]
    if not queries:
        return Query.empty_query()
    return Query.boolean_query([(Occur.Should, query) for query in queries], minimum_number_should_match=at_least)


def all_of(queries: Sequence[Query]) -> Query:
    """Documents that match all of the queries."""
    if not queries:
        return Query.empty_query()
    return queries[0] if len(queries) == 1 else Query.boolean_query([(Occur.Must, query) for query in queries])


def excluding(query: Query, other: Query) -> Query:
    """Documents that match the one and not the other."""
    return Query.boolean_query([(Occur.Must, query), (Occur.MustNot, other)])


def with_bonus(query: Query, bonuses: Sequence[Query]) -> Query:
    """The same documents; those that match a bonus too score that much more."""
    if not bonuses:
        return query
    return Query.boolean_query([(Occur.Must, query), *((Occur.Should, bonus) for bonus in bonuses)])


def side_by_side(words: Sequence[str]) -> list[Query]:
    """Bonuses for all the words in a row, in the title or the abstract."""
    if len(words) < 2:
        return []
    return [
        Query.boost_query(Query.phrase_query(SCHEMA_FIELDS, f"{text}_exact", list(words)), PHRASE_BOOST)
        for text in ("title", "abstract")
    ]


def titled(key: str) -> Query:
    """Papers with exactly this title (`records.fold.title_key`)."""
    return Query.const_score_query(term("title_key", key), EXACT_TITLE)


def identified(identifier: Identifier) -> Query:
    """Papers with exactly this identifier."""
    return Query.const_score_query(term("id", str(identifier)), EXACT_ID)


def chosen(scores: Iterable[tuple[int, float]]) -> list[Query]:
    """Given papers, each with the score that it gets."""
    return [Query.const_score_query(Query.term_query(SCHEMA_FIELDS, "pk", pk), score) for pk, score in scores]


def boosted(query: Query, factor: float) -> Query:
    """The query, counting `factor` times as much."""
    return Query.boost_query(query, factor)


def phrase(text: str, words: Sequence[str]) -> Query:
    """Papers one of whose texts has the exact words in a row."""
    return (
        Query.phrase_query(SCHEMA_FIELDS, f"{text}_exact", list(words))
        if len(words) > 1
        else term(f"{text}_exact", words[0])
    )
