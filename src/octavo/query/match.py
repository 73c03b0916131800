"""The query tree as a predicate over one document: what runs a followed query over new papers, with no index.

What matches is what `octavo.query.ast` says of each node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from octavo.query.ast import (
    And,
    Category,
    DateRange,
    Everything,
    HasNode,
    IdNode,
    Keys,
    LanguageNode,
    Leaf,
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
from octavo.query.fields import Field, Kind, get_field
from octavo.query.holdings import holdings_of
from octavo.query.languages import language_of
from octavo.query.words import Word, analyse, exact_words, name_query_tokens, name_tokens
from octavo.records.fold import fold
from octavo.records.paper import Paper


@dataclass(frozen=True, slots=True)
class Document:
    """What a query can ask about a paper, in plain text; empty where it is not known."""

    title: str = ""
    abstract: str = ""
    authors: tuple[str, ...] = ()
    venue: str = ""
    """Short: `ICML 2025`."""
    venue_name: str = ""
    """As written."""
    year: int | None = None
    categories: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    """As `scheme:value`."""
    comment: str = ""
    journal_ref: str = ""
    status: str = ""
    award: str = ""
    date: str = ""
    """When it first appeared, in ISO 8601 as exactly as it is known; else its year."""
    citations: int | None = None
    keywords: str = ""
    """A line to each."""
    sources: tuple[str, ...] = ()
    has: tuple[str, ...] = ()
    """Of `holdings.HOLDINGS`."""
    topics: tuple[str, ...] = ()
    """Slugs of its topics and of all above them."""
    terms: tuple[str, ...] = ()
    """Slugs of the glossary's terms that it speaks of."""
    pk: int = 0
    """Its key in the catalogue."""
    marks: tuple[str, ...] = ()
    """What the reader did with it: of `ast.MARKS`, but for `tagged`."""
    tags: tuple[str, ...] = ()
    """The reader's tags, as written."""


Predicate = Callable[[Document], bool]


@lru_cache(maxsize=65_536)
def venue_terms(shown: str) -> tuple[str, ...]:
    """The terms of a venue as it is shown (`octavo.records.edition_names`): what a VenueNode asks for."""
    # The table of venues takes its time, and most searches need none.
    from octavo.records import edition_names

    return edition_names.venue_terms(shown)


@dataclass(frozen=True, slots=True)
class Standing:
    """What a query can ask about a paper that its records do not tell; see Document."""

    pk: int = 0
    topics: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


def document_of(paper: Paper, standing: Standing = Standing()) -> Document:
    """The document that queries see of a paper; Octavo's own summary counts as abstract."""
    return Document(
        title=paper.title,
        abstract=f"{paper.abstract}\n{paper.summary}".strip(),
        authors=paper.authors,
        venue=paper.venue,
        venue_name=paper.venue_name,
        year=paper.year,
        categories=paper.categories,
        identifiers=tuple(map(str, paper.identifiers)),
        comment=paper.comment,
        journal_ref=paper.journal_ref,
        status=paper.status,
        award=paper.award,
        date=date_of(paper),
        citations=paper.citations,
        keywords="\n".join(paper.keywords),
        sources=paper.sources,
        has=holdings_of(paper),
        topics=standing.topics,
        terms=standing.terms,
        pk=standing.pk,
        marks=standing.marks,
        tags=standing.tags,
    )


def date_of(paper: Paper) -> str:
    """The date of a paper for comparing: its year where that is all there is; empty where nothing is known."""
    return paper.date or (f"{paper.year:04d}" if paper.year else "")


def compile_predicate(node: Node) -> Predicate:
    """The predicate that a tree means; several over one document share the work of taking it apart."""
    match node:
        case Everything():
            return lambda _document: True
        case Nothing():
            return lambda _document: False
        case Not(child):
            inner = compile_predicate(child)
            return lambda document: not inner(document)
        case And(children):
            parts = tuple(map(compile_predicate, children))
            return lambda document: all(part(document) for part in parts)
        case Or(children):
            parts = tuple(map(compile_predicate, children))
            return lambda document: any(part(document) for part in parts)
        case _:
            return _leaf(node)


class _Words:
    """A document taken apart, each text when it is first asked for."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._exact: dict[str, str] = {}
        self._stems: dict[str, frozenset[str]] = {}

    def _analyse(self, part: str) -> None:
        exact, stems = analyse(getattr(self.document, part))
        self._exact[part] = f" {exact} "
        self._stems[part] = frozenset(stems.split())

    def exact(self, part: str) -> str:
        """The exact words of a text, a blank before and after each."""
        if part not in self._exact:
            self._analyse(part)
        return self._exact[part]

    def stems(self, part: str) -> frozenset[str]:
        """The stems of a text."""
        if part not in self._stems:
            self._analyse(part)
        return self._stems[part]

    @cached_property
    def name_tokens(self) -> frozenset[str]:
        """What AND queries of names ask."""
        return frozenset(name_tokens(self.document.authors))

    @cached_property
    def name_words(self) -> str:
        """The exact words of all names, a blank before and after each."""
        return " " + " ".join(word for name in self.document.authors for word in exact_words(name)) + " "


@lru_cache(maxsize=32)
def _words_of(document: Document) -> _Words:
    return _Words(document)


def _leaf(node: Leaf) -> Predicate:
    match node:
        case WordNode(name, word):
            return _word(get_field(name), word)
        case Phrase(name, words):
            return _phrase(get_field(name), words)
        case Prefix(name, text):
            return _prefix(get_field(name), text)
        case Range(name, low, high):
            (part,) = get_field(name).parts
            return lambda document: _is_between(getattr(document, part), low, high)
        case Category(value):
            wanted = value.lower()
            return lambda document: any(_is_in(category, wanted) for category in document.categories)
        case IdNode(identifier):
            text = str(identifier)
            return lambda document: text in document.identifiers
        case StatusNode(value):
            return lambda document: document.status == value
        case VenueNode(_, terms, names):
            return _venue(terms, names)
        case DateRange():
            return lambda document: _is_dated(document.date, node)
        case HasNode(value):
            return lambda document: value in document.has
        case LanguageNode(code):
            return lambda document: language_of(document.title, document.abstract) == code
        case SourceNode(value):
            return lambda document: any(is_source(name, value) for name in document.sources)
        case TopicNode(slug):
            return lambda document: slug in document.topics
        case TermNode(slug):
            return lambda document: slug in document.terms
        case LibraryNode(kind, tag):
            return _library(kind, tag)
        case Keys(pks):
            return lambda document: document.pk in pks


def _word(field: Field, word: Word) -> Predicate:
    if field.kind is Kind.NAMES:
        return _phrase(field, word.exact)
    texts = field.texts
    others = [_in_texts(texts, phrase) for phrase in word.phrases]
    if field.has_names:
        others.append(_in_names(word.exact))

    def holds(document: Document) -> bool:
        words = _words_of(document)
        by_stems = any(
            all(any(stem in words.stems(part) for part in texts) for stem in stems) for stems in word.alternatives
        )
        return by_stems or any(other(document) for other in others)

    return holds


def _phrase(field: Field, words: tuple[str, ...]) -> Predicate:
    texts = _in_texts(field.texts, words)
    if not field.has_names:
        return texts
    names = _in_names(words)
    return lambda document: texts(document) or names(document)


def _venue(terms: tuple[str, ...], names: tuple[tuple[str, ...], ...]) -> Predicate:
    parts = get_field("venue").texts
    named = [_in_texts(parts, name) for name in names]

    def holds(document: Document) -> bool:
        return not set(terms).isdisjoint(venue_terms(document.venue)) or any(name(document) for name in named)

    return holds


def _in_texts(parts: tuple[str, ...], words: tuple[str, ...]) -> Predicate:
    run = f" {' '.join(words)} "
    return lambda document: any(run in _words_of(document).exact(part) for part in parts)


def _in_names(words: tuple[str, ...]) -> Predicate:
    tokens = frozenset(name_query_tokens(words))
    return lambda document: tokens <= _words_of(document).name_tokens


def _prefix(field: Field, text: str) -> Predicate:
    start, texts, has_names = f" {text}", field.texts, field.has_names

    def holds(document: Document) -> bool:
        words = _words_of(document)
        return any(start in words.exact(part) for part in texts) or (has_names and start in words.name_words)

    return holds


def _is_between(value: int | None, low: int | None, high: int | None) -> bool:
    return value is not None and (low is None or low <= value) and (high is None or value <= high)


def _is_dated(value: str, asked: DateRange) -> bool:
    # Of texts of ISO dates, what begins with `high` is up to `high~`.
    return (
        bool(value)
        and (asked.low is None or asked.low <= value)
        and (asked.high is None or (value <= f"{asked.high}~" and value not in asked.straddling))
    )


def is_source(name: str, wanted: str) -> bool:
    """Whether a source is the one that is asked for, or one of that group."""
    return name == wanted or name.startswith(f"{wanted}-")


def _library(kind: str, tag: str) -> Predicate:
    if tag:
        return lambda document: any(fold(one) == tag for one in document.tags)
    return lambda document: bool(document.tags) if kind == "tagged" else kind in document.marks


def _is_in(category: str, wanted: str) -> bool:
    folded = category.lower() if category.isascii() else ""
    return folded == wanted or ("." not in wanted and folded.startswith(f"{wanted}."))
