"""Titles as linking sees them: their words, whether they say anything, and how near two of them are.

Likeness alone joins what it should not: `Part I` and `Part II` are two papers, an erratum is not what it corrects, and
twenty works are called "Introduction". So what a title says about itself is kept apart from its words.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from octavo.ingest.linking.rarity import STOP_WORDS, weight_of
from octavo.records.fold import fold

_WORD = re.compile(r"[^\W_]+")
_NOTICES = tuple(
    (name, re.compile(pattern))
    for name, pattern in (
        ("erratum", r"\b(?:errat(?:um|a)|corrigend(?:um|a)|addend(?:um|a)|corrections? to|corrected version of)\b"),
        (
            "retraction",
            r"\b(?:retract(?:ion|ed)|withdrawn|expression of concern)(?= (?:of|note|notice|article|paper)\b|:|$)",
        ),
        (
            "reply",
            (
                r"^(?:a |author'?s? |authors'? )?(?:reply|response|rejoinder|rebuttal|comments?|commentary|discussion)"
                r"(?: (?:to|on|of|by)\b|:)"
            ),
        ),
        (
            "supplement",
            (
                r"\bsupplement(?:ary|al)? (?:materials?|information|document|text|to)\b|\bsupplement\b"
                r"|\bappendix (?:to|for|of)\b"
            ),
        ),
        ("review", r"\bbook reviews?\b|^reviews? of\b"),
        ("abstract", r"\bextended abstract\b"),
        ("talk", r"\b(?:keynote|invited talk|tutorial proposal|panel (?:session|discussion))\b"),
    )
)
"""What a title says that it is, where it is not a paper in its own right."""
_GENERIC = frozenset({
    "editorial", "editorials", "editor", "editors", "guest", "introduction", "introductory", "preface",
    "foreword", "prologue", "epilogue", "afterword", "message", "messages", "welcome", "letter", "note",
    "notes", "chair", "chairs", "program", "programme", "committee", "organizers", "organisers", "reviewers",
    "acknowledgments", "acknowledgements", "front", "back", "matter", "cover", "table", "contents", "index",
    "author", "authors", "subject", "keyword", "proceedings", "special", "issue", "issues", "section", "topic",
    "track", "volume", "number", "session", "sessions", "details", "panel", "panels", "keynote", "keynotes",
    "invited", "talk", "talks", "tutorial", "tutorials", "workshop", "workshops", "conference", "conferences",
    "symposium", "meeting", "annual", "international", "report", "reports", "abstract", "abstracts", "poster",
    "posters", "demo", "demos", "demonstration", "demonstrations", "discussion", "comment", "comments",
    "commentary", "reply", "rejoinder", "response", "obituary", "memoriam", "announcement", "announcements",
    "news", "short", "brief", "notices", "notice", "book", "review", "reviews", "column", "columns",
    "untitled", "overview", "summary", "conclusion", "conclusions", "remarks", "opening", "closing", "address",
    "presidential", "president", "general", "local", "organising", "organizing", "industry", "industrial",
    "perspectives", "perspective", "papers", "paper", "articles", "article", "list", "best", "award", "awards",
    "reminiscences", "influential", "chapter", "appendix", "supplement", "supplementary", "material",
    "materials", "erratum", "errata", "corrigendum", "corrigenda", "correction", "corrections", "calendar",
    "calls", "call", "participation", "events", "research", "trends", "s", "this", "first", "second", "third",
    "withdrawn", "withdraw", "removed", "continued", "received", "publications", "books", "literature", "current",
})  # fmt: skip
"""Words of titles that name a place in a volume and not a work."""
_FRONT = re.compile(r"^(?:the )?proceedings of\b|^front matter\b|^table of contents\b|^session details\b")
_ROMAN = {"ii": "2", "iii": "3", "iv": "4", "vi": "6", "vii": "7", "viii": "8", "ix": "9"}
_ONE = re.compile(r"\bpart (?:i|one|1|a)\b|\bi\s*$")
_WORD_NUMBERS = {"one": "1", "two": "2", "three": "3", "four": "4", "a": "a", "b": "b", "c": "c"}
_A_PART = re.compile(r"\bpart (?:[ivx]+|\d+|one|two|three|four|[abc])\b|\b(?:ii|iii)\s*$")
_PART = re.compile(r"\bparts? (one|two|three|four|[abc])\b")
_DIGIT = re.compile(r"\d")
_TELLING = 0.5
"""Weight of a word from which it matters that the other title lacks it."""
_SPELLING = 75.0
"""rapidfuzz ratio of two words from which they are spellings or forms of one."""
_LEAD_WORDS = 4
_LEAD_LETTERS = 60
_NOTHING: frozenset[str] = frozenset()
_SAYS_MORE = re.compile(
    r"errat|corrig|addend|correct|retract|withdrawn|concern|reply|respon|rejoinder|rebuttal|comment|discussion"
    r"|supplement|appendix|review|abstract|keynote|invited|tutorial|panel|part|\b[ivx]+\b"
)
"""What a title must have for the slower patterns to be worth trying."""
_MOST_WORDS = 60
"""Words of a title that are compared; a longer one is a text."""


@dataclass(frozen=True, slots=True)
class Title:
    """A title, taken apart."""

    words: tuple[str, ...]
    """Folded, in order."""
    key: str
    """The words run together: what two spellings of it share."""
    lead: str = ""
    """The words before the first colon, run together, where they are few: the name that a work gives its subject."""
    numbers: frozenset[str] = frozenset()
    """Its words with a digit, parts and Roman numerals among them: `2`, `yolov3`, `2019`."""
    notices: frozenset[str] = frozenset()
    """What it says that it is: `erratum`, `reply`, `supplement` ..."""
    is_part: bool = False
    """It says which part of a work it is."""
    is_generic: bool = False
    """It names a place in a volume (`Editorial`, `Front matter`) and no work."""


def take_apart(title: str) -> Title:
    """Take a plain title apart."""
    folded = fold(title)
    words = tuple(map(sys.intern, _WORD.findall(folded)[:_MOST_WORDS]))
    says_more = _SAYS_MORE.search(folded) is not None
    return Title(
        words,
        "".join(words),
        _lead(folded),
        _numbers(folded, words) if says_more or _DIGIT.search(folded) else _NOTHING,
        _notices(folded) if says_more else _NOTHING,
        says_more and _A_PART.search(folded) is not None,
        _is_generic(folded, words),
    )


def of_words(words: tuple[str, ...]) -> Title:
    """The title that these folded words are."""
    return take_apart(" ".join(words))


def _lead(folded: str) -> str:
    head, colon, tail = folded.partition(":")
    if not colon or len(head) > _LEAD_LETTERS:
        return ""
    words = _WORD.findall(head)
    return "".join(words) if tail.strip() and len(words) <= _LEAD_WORDS else ""


def _notices(folded: str) -> frozenset[str]:
    found = [name for name, pattern in _NOTICES if pattern.search(folded)]
    return frozenset(found) if found else _NOTHING


def _numbers(folded: str, words: tuple[str, ...]) -> frozenset[str]:
    numbers = {_ROMAN.get(word, word) for word in words[1:] if word in _ROMAN or _DIGIT.search(word)}
    if words and _DIGIT.search(words[0]):
        numbers.add(words[0])
    if _ONE.search(folded):
        numbers.add("1")
    numbers.update(_WORD_NUMBERS[found] for found in _PART.findall(folded))
    return frozenset(numbers) if numbers else _NOTHING


def _is_generic(folded: str, words: tuple[str, ...]) -> bool:
    """Whether all of its words are of the kind that name a place in a volume; one without words is so too."""
    if _FRONT.search(folded):
        return True
    return all(word in _GENERIC or word in STOP_WORDS or word.isdecimal() or word in _ROMAN for word in words)


@lru_cache(maxsize=1 << 16)
def likeness(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """How near two titles' words are, 0 to 1: the better of letters in order and of weighed words in any order."""
    if one == other:
        return 1.0
    first, second = "".join(one), "".join(other)
    letters = fuzz.ratio(first, second) / 100
    words, others = set(one), set(other)
    common = sum(map(weight_of, words & others))
    total = sum(map(weight_of, words)) + sum(map(weight_of, others))
    return max(letters, 2 * common / total if total else 0.0)


def holding(one: Title, other: Title) -> float:
    """How much of the shorter title's weight stands in the longer one, 0 to 1."""
    words, others = set(one.words), set(other.words)
    common = sum(map(weight_of, words & others))
    least = min(sum(map(weight_of, words)), sum(map(weight_of, others)))
    return common / least if least else 0.0


def common_beginning(one: Title, other: Title) -> int:
    """How many words two titles begin with alike."""
    common = 0
    for word, other_word in zip(one.words, other.words, strict=False):
        if word != other_word:
            break
        common += 1
    return common


def own_words(one: Title, other: Title) -> tuple[set[str], set[str]]:
    """The telling words of each title that are in the other neither as they are, nor in another spelling or form."""
    words, others = set(one.words), set(other.words)
    return _unlike(words - others, others, other.key), _unlike(others - words, words, one.key)


def _unlike(words: set[str], others: set[str], run_together: str) -> set[str]:
    own = set()
    for word in words:
        if weight_of(word) < _TELLING or (len(word) > 3 and word in run_together):
            continue
        if not any(fuzz.ratio(word, other, score_cutoff=_SPELLING) for other in others):
            own.add(word)
    return own
