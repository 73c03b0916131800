"""How to ask exactly for what plain words only mention: an edition of a venue, and how papers were presented there.

`ICML 2025 oral` finds papers that have these words, which is what plain words do; those that appeared there are asked
for by `venue:"ICML 2025" award:oral`. A reader is told so where the edition is in the catalogue; what is found stays
the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from octavo.index.text import TextIndex
from octavo.index.text_query import compile_query
from octavo.query.ast import Node, VenueNode, leaves, resolve
from octavo.query.parser import Parsed, parse_lenient
from octavo.query.topic_names import BUNDLED
from octavo.rank.plan import LibraryLookup

_LONGEST = 200
"""Characters of a query that is read for editions: a longer one is a text, which may mention one in passing."""
_MOST_WORDS = 8
"""Words of an edition's name, with its year."""
_DIGITS = re.compile(r"(?:19|20)\d\d|\d\d(?!\d)")
_YEAR = re.compile(r"\s+(?:19|20)\d\d\b")
_QUOTES = ('"', "“", "”", "＂")
_WORD = re.compile(r"[^\s\"“”＂()]+")
_FIELD = re.compile(r"[A-Za-z_]+:")
_PRIZE = (
    r"(?:(?:(?:best|outstanding|distinguished|award(?:-winning)?)\s+papers?|test\s+of\s+time)(?:\s+awards?)?|awards?)"
)
_SHOWN = r"(?:orals?|spotlights?)(?:\s+(?:papers?|presentations?|talks?))?"
_BEFORE = re.compile(rf"(?P<said>\b(?:{_PRIZE}|{_SHOWN}))\s+(?:(?:at|of|from|in)\s+)?$", re.IGNORECASE)
_AFTER = re.compile(rf"\s+(?P<said>(?:{_PRIZE}|{_SHOWN})\b)", re.IGNORECASE)
_NOTE = "“{}” was read as plain words; `{}` asks for what appeared there."
_NOTED = re.compile(re.escape(_NOTE).replace(r"\{\}", "(.+)"))


@dataclass(frozen=True, slots=True)
class _Mention:
    """An edition that a query names in plain words."""

    name: str
    start: int
    end: int


def exact_notes(index: TextIndex, parsed: Parsed, text: str, library: LibraryLookup) -> list[str]:
    """What to say of an edition that the plain words of a query name: at most one note, none where it has no papers."""
    if len(text) > _LONGEST or not _DIGITS.search(parsed.free_text):
        return []
    if any(isinstance(leaf, VenueNode) for leaf in leaves(parsed.node)):
        return []
    for mention in _mentions(text, parsed.free_text):
        if not _finds(index, parse_lenient(f'venue:"{mention.name}"').node, library):
            continue
        for query in (*_queries(text, mention), f'venue:"{mention.name}"'):
            exact = parse_lenient(query, BUNDLED)
            if not exact.notes and _finds(index, exact.node, library):
                return [_NOTE.format(mention.name, query)]
    return []


def query_of_note(note: str) -> str:
    """The query that a note of `exact_notes` names, for a link to it; empty for other notes."""
    found = _NOTED.fullmatch(note)
    return found[2] if found else ""


def _finds(index: TextIndex, node: Node, library: LibraryLookup) -> bool:
    return index.search(compile_query(resolve(node, library)), 1).total > 0


def _mentions(text: str, free_text: str) -> Iterator[_Mention]:
    """The editions named in the plain words of a query, each by as few words as name it."""
    from octavo.records.edition_names import venue_asked  # late: its table takes its time, and most queries name none

    words = [found for found in _WORD.finditer(text) if not _FIELD.match(found[0])]
    for n_words in range(1, _MOST_WORDS + 1):
        for first, last in zip(words, words[n_words - 1 :], strict=False):
            named = text[first.start() : last.end()]
            if named not in free_text or not _DIGITS.search(named) or _YEAR.match(text, last.end()):
                continue
            if _is_amid_a_phrase(text, first.start(), last.end()):
                continue
            asked = venue_asked(named)
            if asked and asked.is_sure and asked.name[-1].isdigit():
                yield _Mention(asked.name, first.start(), last.end())


def _is_amid_a_phrase(text: str, start: int, end: int) -> bool:
    """Whether more than this stands between the quotes around it, if there are any."""
    n_quotes = sum(text.count(sign, 0, start) for sign in _QUOTES)
    return n_quotes % 2 == 1 and not (text[:start].endswith(_QUOTES) and text[end:].startswith(_QUOTES))


def _queries(text: str, mention: _Mention) -> Iterator[str]:
    """The query in exact words: with how papers were presented, where it says so beside the edition, then without."""
    before, after = text[: mention.start], text[mention.end :]
    said = ""
    if found := _BEFORE.search(before):
        said, before = found["said"], before[: found.start()]
    elif found := _AFTER.match(after):
        said, after = found["said"], after[found.end() :]
    if said:
        yield _joined(before, mention, _award(said), after)
    yield _joined(before, mention, "", after)


def _joined(before: str, mention: _Mention, award: str, after: str) -> str:
    if before.endswith(_QUOTES) and after.startswith(_QUOTES):
        before, after = before[:-1], after[1:]
    return " ".join(f'{before} venue:"{mention.name}" {award} {after}'.split())


def _award(said: str) -> str:
    kind = next((kind for kind in ("oral", "spotlight") if said.lower().startswith(kind)), "")
    return f"award:{kind}" if kind else "has:award"
