"""Search: which papers answer a query, in which order, and why.

The order of things:

1. papers with an identifier that the query is, then papers whose title the query is (letters and digits alone
compared);
2. papers that match the query, by BM25 of its words, more for words of the title and for words side by side;
3. where hardly any match: papers whose title is nearly the query (typing errors), then those that have most of its
words.

Step 3 only ever adds what a strict reading would miss, and says so in `notes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from rapidfuzz import fuzz

from octavo.explain import Explanation
from octavo.index.text import TextIndex
from octavo.index.text_query import (
    EXACT_ID,
    EXACT_TITLE,
    Query,
    all_of,
    any_of,
    chosen,
    compile_query,
    side_by_side,
    term,
    titled,
    with_bonus,
)
from octavo.query.ast import And, IdNode, Node, Phrase, WordNode, conjunction, leaves
from octavo.query.parser import parse_lenient, parse_strict
from octavo.query.words import STOP_WORDS, Word, analyse, exact_words, query_words
from octavo.rank.chinese import chinese_notes, chinese_query
from octavo.rank.spelling import correct
from octavo.records.fold import fold, title_key
from octavo.records.paper import Paper
from octavo.records.text import Text

Lookup = Callable[[Sequence[int]], dict[int, Paper]]
"""Papers by their keys."""

FEW = 10
"""Fewer finds than this let near titles and partial matches in."""
NEAR_TITLE = 0.8
"""Share of common letters (rapidfuzz `ratio`) from which a title counts as the query with typing errors."""
NEAR_SHORT_TITLE = 0.87
"""The same for titles of up to two words, where a word more is another title."""
_NEAR_TITLE_SCORE = 500.0
_CANDIDATES = 60
_RAREST = 12
"""Stems of a title that candidates for a near one are looked for by."""
_MOST_WORDS = 0.6
"""Share of a query's words that a partial match must have."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A page of finds."""

    total: int
    hits: tuple[tuple[Paper, float, Explanation], ...]
    notes: tuple[str, ...]
    words: tuple[str, ...]
    """The exact words that were looked for, for marking."""


def find(
    index: TextIndex, lookup: Lookup, text: str, *, limit: int = 10, offset: int = 0, strict: bool = False
) -> Ranked:
    """Run a query: hits `offset` to `offset + limit` and the true total.

    Raises:
        QueryError: where `strict` is set and the text is no query.
    """
    parsed = parse_lenient(text)
    if strict:
        parse_strict(text)  # raises where the lenient reading took something for granted; the tree is the same
    notes = [*parsed.notes, *chinese_notes(parsed)]
    plain = Text.of(text, "mixed").plain
    in_chinese = chinese_query(parsed) if parsed.chinese else None
    if in_chinese:
        query = in_chinese.every
    else:
        query = with_bonus(compile_query(parsed.node), side_by_side(exact_words(parsed.free_text)))
    if key := title_key(plain):
        query = any_of([query, titled(key)])
    words = _plain_words(parsed.node)
    found = index.search(query, limit, offset)
    read_as: dict[Word, Word] = {}
    # Quotes around the whole ask for exactly that; around a part they may be the title's own.
    is_title = bool(parsed.as_title) and not isinstance(parsed.node, Phrase)
    if in_chinese and in_chinese.terms and found.total < FEW:
        n_found = found.total
        for least in dict.fromkeys((in_chinese.least, 1)):
            found = index.search(any_of([query, in_chinese.some(least)]), limit, offset)
            if found.total:
                break
        notes += [in_chinese.widened(least, n_found)] if found.total > n_found else []
    elif found.total < FEW and (words or is_title):
        read_as = {word: better for word in words if (better := correct(index, word))}
        wider, extra = _widen(index, lookup, parsed.node, words, read_as, plain if is_title else "", found.total)
        if wider:
            query = any_of([query, *wider])
            found = index.search(query, limit, offset)
            notes += extra
    papers = lookup([pk for pk, _ in found.hits])
    looked_for = (*_looked_for(parsed.node), *(word for better in read_as.values() for word in better.exact))
    if parsed.chinese:
        looked_for = tuple(word for word in looked_for if word not in STOP_WORDS)  # of names such as `bag of words`
    hits = tuple(
        (papers[pk], score, explain(papers[pk], score, parsed.node, looked_for, key, plain))
        for pk, score in found.hits
        if pk in papers  # gone since the index was made; it catches up
    )
    return Ranked(found.total, hits, tuple(notes), looked_for)


def _plain_words(node: Node) -> list[Word]:
    """The words of a query that is words, perhaps with filters; none where it is built in another way."""
    parts = node.children if isinstance(node, And) else (node,)
    return [part.word for part in parts if isinstance(part, WordNode) and part.field == "all"]


def _looked_for(node: Node) -> tuple[str, ...]:
    words = (leaf.word.exact if isinstance(leaf, WordNode) else getattr(leaf, "words", ()) for leaf in leaves(node))
    return tuple(dict.fromkeys(word for exact in words for word in exact))


def _widen(
    index: TextIndex, lookup: Lookup, node: Node, words: list[Word], read_as: dict[Word, Word], title: str, n_found: int
) -> tuple[list[Query], list[str]]:
    """What to add to a query that finds hardly anything, and what to say about it."""
    notes: list[str] = []
    parts = node.children if isinstance(node, And) else (node,)
    rest = [part for part in parts if not (isinstance(part, WordNode) and part.field == "all")]
    filters = [compile_query(conjunction(rest))] if rest else []
    ways = [_either(word, read_as.get(word)) for word in words]
    near = near_titles(index, lookup, read_as, title) if title else []
    wider = chosen((pk, _NEAR_TITLE_SCORE + 100 * likeness) for pk, likeness in near)
    if read_as:
        corrected = all_of([*filters, *ways])
        wider.append(corrected)
        notes.append("Read " + ", ".join(f"{old.text} as {new.text}" for old, new in read_as.items()) + " as well.")
    if len(words) > 1 and not n_found and not index.search(all_of([*filters, *ways]), 1).total:
        least = min(len(words) - 1, ceil(len(words) * _MOST_WORDS))
        partial = all_of([*filters, any_of(ways, least)])
        wider.append(partial)
        if index.search(partial, 1).total:
            notes.append(f"No paper has all of these words; shown are papers with at least {least} of {len(words)}.")
    return wider, notes


def _either(word: Word, better: Word | None) -> Query:
    ways = [compile_query(WordNode("all", word))]
    if better:
        ways.append(compile_query(WordNode("all", better)))
    return any_of(ways)


def near_titles(index: TextIndex, lookup: Lookup, read_as: dict[Word, Word], plain: str) -> list[tuple[int, float]]:
    """Papers whose title is nearly `plain`, as (key, likeness 0 to 1), the likest first.

    Candidates share the rarest stems of the title; the likeness is rapidfuzz's normalised edit distance of the
    folded titles.
    """
    meant = " ".join([plain, *(better.text for better in read_as.values())])
    counts = {stem: index.document_frequency(stem) for stem in analyse(meant)[1].split() if stem not in STOP_WORDS}
    rare = sorted((stem for stem, count in counts.items() if count), key=lambda stem: (counts[stem], stem))[:_RAREST]
    if not rare:
        return []
    found = index.search(any_of([term("title", stem) for stem in rare]), _CANDIDATES)
    wanted = fold(plain)
    papers = lookup([pk for pk, _ in found.hits])
    near = [(pk, alike(wanted, paper.title)) for pk, paper in papers.items()]
    return sorted(((pk, value) for pk, value in near if value), key=lambda one: (-one[1], one[0]))[:FEW]


def alike(wanted: str, title: str) -> float:
    """How nearly a title is the folded text `wanted`: 0 where it is another title, else `NEAR_TITLE` to 1."""
    likeness = fuzz.ratio(wanted, fold(title)) / 100
    return likeness if likeness >= (NEAR_TITLE if wanted.count(" ") > 1 else NEAR_SHORT_TITLE) else 0.0


def explain(paper: Paper, score: float, node: Node, looked_for: Sequence[str], key: str, plain: str) -> Explanation:
    """Why a paper is among the finds, in words that a reader can check on the paper itself."""
    parts: list[Explanation] = []
    if key and title_key(paper.title) == key:
        parts.append(Explanation(EXACT_TITLE, "the title is exactly this"))
    elif score > _NEAR_TITLE_SCORE and alike(fold(plain), paper.title):
        parts.append(Explanation(_NEAR_TITLE_SCORE, "the title is nearly this"))
    named = [leaf for leaf in leaves(node) if isinstance(leaf, IdNode) and leaf.identifier in paper.identifiers]
    parts += [Explanation(EXACT_ID, f"has the identifier {leaf.identifier}") for leaf in named]
    places = {
        "title": paper.title,
        "authors": "; ".join(paper.authors),
        "venue": paper.venue_name or paper.venue,
        "abstract": paper.abstract,
        "Octavo's summary": paper.summary,
    }
    for place, text in places.items():
        if not text:
            continue
        exact, stems = (set(words.split()) for words in analyse(text))
        has = [word for word in looked_for if word in exact or stems.intersection(_stems(word))]
        if has:
            parts.append(Explanation(0.0, f"{place}: {', '.join(has[:8])}{' …' if len(has) > 8 else ''}"))
    if not parts:
        parts.append(Explanation(0.0, "fits the filters"))
    return Explanation(score, "; ".join(part.reason for part in parts), tuple(parts))


@lru_cache(maxsize=4_096)
def _stems(word: str) -> frozenset[str]:
    return frozenset(stem for reading in query_words(word) for way in reading.alternatives[:1] for stem in way)
