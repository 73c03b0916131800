"""The table of fields that a query may name: to add a field of a known kind is to add a row."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from enum import Enum


class Kind(Enum):
    """How a field's values are written, and what they match."""

    WORDS = "words"
    """Texts: words, phrases and prefixes."""
    NAMES = "names"
    """People: words of one person's name in any order, initials."""
    NUMBER = "number"
    """A whole number: `2023`, `2023..2025`, `>=2023`."""
    CATEGORY = "category"
    """arXiv's categories: `cs.LG`, or a group, `cs`."""
    IDENTIFIER = "identifier"
    """Any form of an identifier."""
    VENUE = "venue"
    """Names of venues: any name of one that is known means the venue; other words are as those of WORDS."""
    STATUS = "status"
    """What became of a paper, a word for it."""
    DATE = "date"
    """Dates of any precision, and ranges of them."""
    HOLDING = "holding"
    """What a paper may have (`octavo.query.holdings`)."""
    LANGUAGE = "language"
    """A language, by its code or name."""
    SOURCE = "source"
    """A source of records, or a group of them."""
    TOPIC = "topic"
    """A topic by any of its names."""
    TERM = "term"
    """A term of the glossary by any of its names."""
    STATE = "state"
    """What the reader did with a paper, or did not."""
    TAG = "tag"
    """One of the reader's tags."""


WORDY = (Kind.WORDS, Kind.NAMES, Kind.VENUE)
"""Kinds whose values are words."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field."""

    name: str
    kind: Kind
    parts: tuple[str, ...]
    """The attributes of `match.Document`, and the columns of `papers`, that it covers."""
    doc: str
    """What it means, in a sentence for the reader."""
    example: str
    aliases: tuple[str, ...] = ()
    """Other names, in lower case: arXiv's, those of other sites, Chinese ones."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The parts that hold one text each."""
        return tuple(part for part in self.parts if part not in NAME_PARTS)

    @property
    def has_names(self) -> bool:
        """Whether one of the parts holds people's names."""
        return len(self.texts) < len(self.parts)


DEFAULT = "all"
"""The field of a word that names none."""

NAME_PARTS = ("authors",)
"""The parts that hold people's names, a list of them; of WORDY kinds all the others hold one text."""
LIST_TEXTS = ("keywords",)
"""The texts that the catalogue keeps as lists; a document has their items with a line to each."""

FIELDS: tuple[Field, ...] = (
    Field(
        "all",
        Kind.WORDS,
        ("title", "abstract", "authors", "venue", "venue_name"),
        "Title, abstract, authors and venue together; what a word without a field means.",
        "all:tiling",
    ),
    Field(
        "title",
        Kind.WORDS,
        ("title",),
        "The title.",
        'title:"aperiodic tilings"',
        ("ti", "intitle", "标题", "题目"),
    ),
    Field(
        "author",
        Kind.NAMES,
        ("authors",),
        "An author: the words of one name in any order, a single letter for an initial.",
        'author:"t example"',
        ("au", "authors", "inauthor", "作者"),
    ),
    Field(
        "abstract",
        Kind.WORDS,
        ("abstract",),
        "The abstract, or Octavo's own summary.",
        "abstract:quasicrystal",
        ("abs", "ab", "摘要"),
    ),
    Field(
        "venue",
        Kind.VENUE,
        ("venue", "venue_name"),
        "Where it appeared, by any name of the venue or its edition; else by words of its name.",
        "venue:icml",
        ("conference", "conf", "journal", "booktitle"),
    ),
    Field(
        "status",
        Kind.STATUS,
        ("status",),
        "What became of it: accepted, rejected, withdrawn, retracted, erratum or submitted.",
        "status:accepted",
        ("decision", "状态"),
    ),
    Field(
        "award",
        Kind.WORDS,
        ("award",),
        "A prize, or how it was presented: oral, spotlight, poster.",
        "award:oral",
        ("presentation", "奖项"),
    ),
    Field(
        "year",
        Kind.NUMBER,
        ("year",),
        "The year, or years from and to.",
        "year:2023..2025",
        ("年份",),
    ),
    Field(
        "date",
        Kind.DATE,
        ("date",),
        "When it first appeared: a day, a month or a year, or from and to.",
        "date:2024-06..2024-08",
        ("submitteddate", "lastupdateddate", "published", "日期"),
    ),
    Field(
        "citations",
        Kind.NUMBER,
        ("citations",),
        "How often it is cited, where a source counts that.",
        "citations:>=100",
        ("cites", "cited", "引用"),
    ),
    Field(
        "has",
        Kind.HOLDING,
        ("has",),
        "What is known of it: abstract, pdf, code, video, doi, arxiv, award, keywords, citations and the like.",
        "has:code",
    ),
    Field(
        "topic",
        Kind.TOPIC,
        ("topics",),
        "A topic by any of its names, with all that is below it.",
        'topic:"large language models"',
        ("topics", "主题"),
    ),
    Field(
        "term",
        Kind.TERM,
        ("terms",),
        "A term of the glossary by any of its names, however the paper writes it.",
        'term:"chain of thought"',
        ("terms", "术语"),
    ),
    Field(
        "keyword",
        Kind.WORDS,
        ("keywords",),
        "The keywords that the authors gave it.",
        "keyword:tiling",
        ("keywords", "kw", "关键词"),
    ),
    Field(
        "lang",
        Kind.LANGUAGE,
        ("title", "abstract"),
        "The language, told from letters and small words: en, zh, ja, ko, fr, de, es, pt, it, ru or ar.",
        "lang:en",
        ("language", "语言"),
    ),
    Field(
        "source",
        Kind.SOURCE,
        ("sources",),
        "A source that told of it.",
        "source:arxiv",
        ("来源",),
    ),
    Field(
        "is",
        Kind.STATE,
        ("marks",),
        "What you did with it: read, saved, noted or tagged; unread and the like for what you did not.",
        "is:saved",
    ),
    Field(
        "tag",
        Kind.TAG,
        ("tags",),
        "One of your tags.",
        'tag:"to cite"',
        ("tags", "标签"),
    ),
    Field(
        "cat",
        Kind.CATEGORY,
        ("categories",),
        "An arXiv category, or a whole group of them (`cat:cs`).",
        "cat:cs.LG",
        ("category", "categories"),
    ),
    Field(
        "id",
        Kind.IDENTIFIER,
        ("identifiers",),
        "An identifier in any form: arXiv, DOI, OpenReview, ACL, PMLR, DBLP or a web address.",
        "id:2101.00010",
        ("arxiv", "doi", "acl", "openreview", "pmlr", "dblp", "id_list"),
    ),
    Field(
        "comment",
        Kind.WORDS,
        ("comment",),
        "The authors' comment on arXiv.",
        "comment:workshop",
        ("co", "comments"),
    ),
    Field(
        "journal_ref",
        Kind.WORDS,
        ("journal_ref",),
        "The journal reference on arXiv.",
        "jr:quarterly",
        ("jr", "journalref"),
    ),
)
"""Every field, in the order in which help lists them."""

_BY_NAME = {name: field for field in FIELDS for name in (field.name, *field.aliases)}


def get_field(name: str) -> Field:
    """The field of that very name, as a node has it; KeyError where there is none."""
    return _BY_NAME[name]


def find_field(name: str) -> Field | None:
    """The field of that name or alias in any case, or None."""
    return _BY_NAME.get(name.lower())


def suggest_field(name: str) -> str | None:
    """The name that was most likely meant by an unknown one, or None where none comes near."""
    near = get_close_matches(name.lower(), _BY_NAME, n=1, cutoff=0.6)
    return near[0] if near else None
