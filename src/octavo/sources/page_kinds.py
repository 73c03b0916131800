"""The three kinds of page that are known, and how the entries of each are told apart.

    icml-list      a heading (`ICML 2025 Papers`), then abstracts and nothing else
    paper-search   论文检索: an entry is topic trail, authors, abstract
    arxiv-daily    an entry is section (`· Cross-listed from stat.ML`), title, authors, abstract,
                   `Read the full abstract`, and at times `All authors ...` (see `page_daily`)

A kind is known by its lines, never by a file's name. Before, between and after entries a page may hold
anything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from octavo.records.dates import PartialDate
from octavo.records.paper import Venue
from octavo.sources.page_daily import daily_entries, has_folds
from octavo.sources.page_furniture import date_of, is_furniture
from octavo.sources.page_lines import (
    Entry,
    Line,
    abstract_of,
    ends_sentence,
    is_complete,
    is_prose,
    names_in,
    number_lines,
    says_list,
    trail_of,
    venue_of,
    wants_more,
)

KINDS = {
    "icml-list": "a conference's list (`ICML 2025 Papers` and abstracts)",
    "paper-search": "a topic search (论文检索: topic, authors, abstract)",
    "arxiv-daily": "a daily arXiv reader (section, title, authors, abstract)",
}


@dataclass(frozen=True, slots=True)
class Content:
    """What was read of a page: its kind (empty where it is none of KINDS), its entries, the day it gives."""

    kind: str
    entries: tuple[Entry, ...] = ()
    seen_on: PartialDate | None = None


def read_page(text: str) -> Content:
    """Tell by its lines what kind of page it is, and read its entries; for a page that is all of one kind."""
    return read_lines(number_lines(text))


def read_lines(lines: Sequence[Line]) -> Content:
    """Tell what kind of page these lines are, and read their entries."""
    named = any(_SEARCH_NAME in line.text and len(line.text) < _LABEL for line in lines)
    entries = daily_entries(lines) if not named or has_folds(lines) else []
    if entries:
        above = (line.text for line in lines if line.number < entries[0].line)
        return Content("arxiv-daily", tuple(entries), next(filter(None, map(date_of, above)), None))
    venue = _heading(lines)
    entries = list(_search_entries(lines, venue))
    n_headed = sum(len(entry.topics) > 1 or names_in(entry.authors) == 2 for entry in entries)
    if n_headed * 2 > len(entries) or (named and (n_headed or not venue)):
        return Content("paper-search", tuple(entries))
    return Content("icml-list", tuple(_list_entries(lines, venue))) if venue else Content("")


def is_kind_heading(text: str) -> bool:
    """Tell whether a line is the heading of a list or of a search, with which a page of that kind begins."""
    return len(text) < _LABEL and (_SEARCH_NAME in text or (says_list(text) and venue_of(text) is not None))


_SHORT = 40
"""Characters that a line of hard-wrapped text has at least, but for the last one."""
_LABEL = 60
"""Characters that a topic or one author's name has at most."""
_LONE = 40
"""Words that an abstract without authors and topic has at least, on a page where entries have them."""


# A conference's list


def _heading(lines: Sequence[Line]) -> Venue | None:
    """The page's venue: its first line's, else the one named most often above the abstracts."""
    venues: list[Venue] = []
    for position, line in enumerate(lines):
        if len(line.text) > 2 * _LABEL or is_prose(line.text):
            break
        if not is_furniture(line.text) and (venue := venue_of(line.text)):
            if position == 0:
                return venue
            venues.append(venue)
    return max(reversed(venues), key=venues.count) if venues else None


def _list_entries(lines: Sequence[Line], venue: Venue) -> Iterator[Entry]:
    """The abstracts of a list. A heading between two of them gives those after it another venue."""
    lines = _without_furniture(lines)
    begun = False
    for block in [[line] for line in lines] if _is_line_each(lines) else _blocks(lines):
        first = block[0].text
        if says_list(first) and (heading := venue_of(first)):
            venue, block = (heading if begun else venue), block[1:]
        abstract = _abstract_in(block)
        if abstract and not _is_introduction(abstract, venue):
            begun = True
            yield Entry(line=block[0].number, abstract=abstract, venue=venue)


def _is_introduction(text: str, venue: Venue) -> bool:
    """Whether a text is of the list itself: `The 1,204 papers accepted at ICML 2025, with abstracts.`"""
    return len(text.split()) < _LONE and f"{venue.name} {venue.year}" in text and says_list(text)


def _blocks(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines between blank lines."""
    blocks: list[list[Line]] = []
    for line in lines:
        if line.apart or not blocks:
            blocks.append([])
        blocks[-1].append(line)
    return blocks


_WHOLE = 240
"""Characters that a line of hard-wrapped text does not have."""


def _is_line_each(lines: Sequence[Line]) -> bool:
    """Whether an abstract is one line: it is, where most long lines have no blank line between them."""
    long = [len(line.text) >= _WHOLE and is_prose(line.text) for line in lines]
    apart = [line.apart for before, line, both in zip(long, lines[1:], long[1:], strict=False) if before and both]
    return apart.count(False) > apart.count(True)


def _abstract_in(lines: Sequence[Line]) -> str:
    """The abstract in a block of lines, without what is around it; empty where the block holds none."""
    texts = [line.text for line in lines]
    start = 0
    while start < len(texts) and (is_furniture(texts[start]) or _is_label(texts[start : start + 2])):
        start += 1
    text = abstract_of(texts[start:])
    return text if is_prose(text) else ""


def _is_label(lines: Sequence[str]) -> bool:
    """A few words over a text that begins with a sentence of its own: `Poster 12`, `Best paper`."""
    if len(lines) < 2 or len(lines[0].split()) > 5 or ends_sentence(lines[0]):
        return False
    return lines[1][:1].isupper() and len(lines[1].split()) > 8


# A topic search

_SEARCH_NAME = "论文检索"
_TOPICS = frozenset(
    (
        "Applications",
        "Computer Vision",
        "Deep Learning",
        "Everything Else",
        "General Machine Learning",
        "Graph Neural Networks",
        "Large Language Models",
        "Natural Language Processing",
        "Optimization",
        "Probabilistic Methods",
        "Reinforcement Learning",
        "Robustness",
        "Social Aspects",
        "Theory",
    )
)
_TOPIC_WORDS = 5
"""Words that a topic has at most which stands without a trail."""
_TIMES = 4
"""How often a line stands on a page that is a label and not a lone author's name."""


@dataclass(frozen=True, slots=True)
class _Head:
    """The lines above an abstract: `lines[start:end]`."""

    start: int
    end: int
    authors: str = ""
    topics: tuple[str, ...] = ()


def _search_entries(lines: Sequence[Line], venue: Venue | None) -> Iterator[Entry]:
    """The abstracts of a search with what stands above each. What has nothing above it must be long to count."""
    lines = _without_furniture(lines)
    heads = _search_heads(lines)
    starts = [head.start for head in heads]
    for head, end in zip([_Head(0, 0), *heads], [*starts, len(lines)], strict=True):
        for block in _blocks(lines[head.end : end]):
            abstract = _abstract_in(block)
            if not abstract or not (head.authors or head.topics or len(abstract.split()) >= _LONE):
                continue
            line = lines[head.start].number if head.end else block[0].number
            yield Entry(line, abstract, authors=head.authors, topics=head.topics, venue=venue)
            head = _Head(0, 0)


def _without_furniture(lines: Sequence[Line]) -> list[Line]:
    """The lines without furniture; what comes after some stands apart."""
    kept: list[Line] = []
    apart = False
    for line in lines:
        goes_on = kept and not apart and not line.apart and _is_broken_off(kept[-1].text)
        if not goes_on and is_furniture(line.text):
            apart = True
            continue
        kept.append(Line(line.text, line.number, line.apart or apart))
        apart = False
    return kept


def _is_broken_off(text: str) -> bool:
    """Whether a line looks like one of hard-wrapped text, with a sentence that goes on in the next."""
    return wants_more(text) or (len(text) >= _SHORT and not is_complete(text) and names_in(text) != 2)


def _search_heads(lines: Sequence[Line]) -> list[_Head]:
    topics = _TOPICS | {part for line in lines for part in trail_of(line.text)}
    # A line that stands above authors more than once is a topic, wherever else it stands.
    above = Counter(
        upper.text for upper, lower in pairwise(lines) if names_in(lower.text) == 2 and names_in(upper.text) != 2
    )
    topics |= {text for text, n in above.items() if n > 1 and not ends_sentence(text)}
    times = Counter(line.text for line in lines)
    heads: list[_Head] = []
    for position, line in enumerate(lines[:-1]):
        free = heads[-1].end if heads else 0
        if position < free or not _may_end_head(lines, position):
            continue
        trail = trail_of(line.text)
        if trail or line.text in topics:
            if is_prose(lines[position + 1].text):
                heads.append(_Head(position, position + 1, topics=trail or (line.text,)))
        elif names_in(line.text) == 2 or (names_in(line.text) and times[line.text] < _TIMES):
            heads.append(_with_topics(lines, position, free, topics))
    return heads


def _may_end_head(lines: Sequence[Line], position: int) -> bool:
    """Whether a line may be the last one above an abstract: authors, or a topic without authors."""
    line, below = lines[position], lines[position + 1].text
    above = lines[position - 1].text if position and not line.apart else ""
    if above and not ends_sentence(above) and len(above.split()) > _TOPIC_WORDS and not trail_of(above):
        return False  # It goes on with a sentence.
    if names_in(line.text) == 2:
        return len(below) >= _SHORT or is_prose(below)
    return _is_short(line.text) and is_prose(below)


def _is_short(text: str) -> bool:
    return len(text) < _LABEL and not ends_sentence(text)


def _with_topics(lines: Sequence[Line], position: int, free: int, topics: frozenset[str]) -> _Head:
    """The head that ends in the authors at `position`, with the nearest trail or the topic above."""
    authors = lines[position].text
    for above in range(position - 1, max(free, position - 4) - 1, -1):
        if not _is_short(lines[above].text) and not trail_of(lines[above].text):
            break
        if trail := trail_of(lines[above].text):
            return _Head(above, position + 1, authors, trail)
    if position > free and (lines[position - 1].text in topics or _is_topic(lines, position - 1)):
        return _Head(position - 1, position + 1, authors, (lines[position - 1].text,))
    return _Head(position, position + 1, authors)


def _is_topic(lines: Sequence[Line], position: int) -> bool:
    text = lines[position].text
    if len(text.split()) > _TOPIC_WORDS or not _is_short(text) or _SEARCH_NAME in text or venue_of(text):
        return False
    return lines[position].apart or not position or ends_sentence(lines[position - 1].text)
