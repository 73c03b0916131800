"""Help while typing: what a text that is not finished yet may become.

A text is completed as a whole (`attention is al`: titles, names, venues, topics, terms), in the value of a field that
is being typed (`venue:icml au:yoshua be`), or in its last words (`attention vaswani`: the author). Titles are weighed
by citations and years (`index.completion`), by where in them the words stand and how much of them is typed; names by
their papers. Where nothing fits, one typing error in a word of five letters or more is forgiven, and said.

What is offered is the whole query that it would make; how many papers that finds is counted by the index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from math import log1p

from octavo.errors import OctavoError
from octavo.index.completion import Completion, Name, Title
from octavo.index.phrases import folded_words
from octavo.index.text import TextIndex
from octavo.index.text_query import compile_query
from octavo.query.ast import resolve
from octavo.query.chinese import has_chinese
from octavo.query.fields import DEFAULT, FIELDS, Field, Kind, find_field
from octavo.query.parser import parse_lenient, quoted
from octavo.query.topic_names import BUNDLED
from octavo.rank.known_names import Named, term_names, topic_names, venue_names
from octavo.rank.plan import LibraryLookup
from octavo.records.paper import NOT_TAKEN, STATUSES, Paper
from octavo.records.venues import venue_of_code

KINDS = ("paper", "venue", "topic", "term", "author", "category", "value", "field")
"""What a completion can be; a `value` is one of a field that has few."""
_STATES = ("read", "unread", "saved", "unsaved", "noted", "tagged")
_COUNTED_VALUES = ("has", "lang", "source")
"""Fields whose values are terms of the index, under the same name."""
MAX_TYPED = 200
"""Characters of a text that is completed; longer ones are pasted, not typed."""
_MOST_COUNTS = 20_000
_COUNTED = 4
"""Terms whose papers are counted."""
_VENUES = 30
"""Venues of a name that are looked at."""
_LOOKED_AT = 40
"""Titles and names that are weighed."""
_SHORTEST_WRONG = 5
"""Letters of a word in which a typing error is looked for."""
_SHORTEST_TERM = 3
"""Letters from which terms and topics are offered: shorter ones begin too many."""
_SHORTEST_WITHIN = 5
"""Letters from which terms are offered in which a later word begins so."""
_BEGINNING, _SIDE_BY_SIDE, _WHOLE_WORD, _SHARE = 2.0, 1.0, 0.5, 3.0
"""What a title gains where it begins with what was typed; where the words are side by side; where the last is whole;
and, times the share of it that was typed."""
_VALUE = re.compile(r'([A-Za-z][A-Za-z_]*|[\u4e00-\u9fff]{2,4})[:：](?!//)("?)([^":：()]*)$')
_DONE = re.compile(r'(?:[\w]+[:：](?:"[^"]*"|[^\s"()]+)|"[^"]*"|\b(?:AND|OR|NOT|ANDNOT)\b|[()])\s*')
_EDITION = re.compile(r"(.*\D)\s*[' ]\s*(\d{1,4})")

Lookup = Callable[[list[int]], dict[int, Paper]]
"""Papers by their keys."""


@dataclass(frozen=True, slots=True)
class Completed:
    """One way in which a text may go on."""

    kind: str
    """One of KINDS."""
    text: str
    """What is offered: a title, a name."""
    query: str
    """The whole query that it makes."""
    detail: str = ""
    """What else is to be said of it."""
    count: int | None = None
    """Papers that the query finds; None where that was not asked."""
    paper: Paper | None = None
    key: str = ""
    """By which its table knows it: a topic's slug, a venue's key."""
    is_open: bool = False
    """Whether a value has to follow."""


@dataclass(frozen=True, slots=True)
class Completions:
    """All ways that are offered, the likeliest first."""

    items: tuple[Completed, ...]
    read_as: str = ""
    """What the text was taken for, where a typing error was forgiven; else empty."""


class Completer:
    """Completes texts from one catalogue."""

    def __init__(
        self,
        index: TextIndex,
        completion: Completion,
        lookup: Lookup,
        counts: dict[str, int] | None = None,
        library: LibraryLookup = lambda _node: frozenset(),
    ) -> None:
        """Look things up in these; `counts` keeps how many papers queries find, for as long as the index is the
        same; `library` is what the reader saved."""
        self._library = library
        self._index = index
        self._completion = completion
        self._lookup = lookup
        self._counts = counts if counts is not None else {}

    def complete(self, text: str, limit: int = 10) -> Completions:
        """The ways in which a text may go on, at most `limit`."""
        if len(text) > MAX_TYPED or not text.strip():
            return Completions(())
        if (found := _VALUE.search(text)) and (field := find_field(found[1])):
            values = self._values(text[: found.start()], found[1], field, found[3], limit, is_quoted=bool(found[2]))
            if values.items or found[2] or not found[3].strip().count(" "):
                return values
        end = max((match.end() for match in _DONE.finditer(text)), default=0)
        return self._words(text[:end], text[end:], limit)

    # -- what is typed ---------------------------------------------------------------------------------------------

    def _values(self, before: str, name: str, field: Field, value: str, limit: int, *, is_quoted: bool) -> Completions:
        """The value of a field."""
        start = f"{before}{name}:"
        read_as, found = "", list[Completed]()
        if field.kind is Kind.NAMES:
            names, read_as = self._names(value, mended=is_quoted or " " not in value.strip())
            found = [Completed("author", one.name, start + quoted(one.name)) for one in names]
        elif field.kind is Kind.VENUE:
            found = list(self._venues(start, value, limit))
        elif field.kind is Kind.CATEGORY:
            known = _terms(self._index, "cat", value.strip().lower())
            found = [Completed("category", _spelled(one), start + _spelled(one), count=n) for one, n in known]
        elif field.kind is Kind.STATUS:
            fit = (one for one in STATUSES if one and one.startswith(value.strip().lower()))
            found = [Completed("value", one, start + one) for one in fit]
        elif field.name == "is":
            found = [Completed("value", one, start + one) for one in _STATES if one.startswith(value.strip().lower())]
        elif field.name in _COUNTED_VALUES:
            known = _terms(self._index, field.name, value.strip().lower())
            found = [Completed("value", one, start + one, count=n) for one, n in known]
        elif field.name == "term":
            found = [replace(one, query=start + quoted(one.text)) for one in _terms_of("", value, limit)]
        elif field.name == "topic":
            found = list(_topics(start, value, limit, as_field=True))
        elif field.name == "title":
            titles, read_as = self._titles(value)
            found = self._papers(titles, limit)
        return Completions(tuple(self._counted(found[:limit])), read_as)

    def _words(self, before: str, typed: str, limit: int) -> Completions:
        """Words without a field, behind a part of the query that is finished."""
        words = folded_words(typed)
        if not words:
            return Completions(())
        titles, read_title = self._titles(typed, mended=False) if not before.strip() else ([], "")
        names, read_name = self._names(typed, mended=False)
        if not names and not titles:
            titles, read_title = self._titles(typed) if not before.strip() else ([], "")
            names, read_name = self._names(typed) if not titles else ([], "")
        papers = self._papers(titles, limit)
        authors = [Completed("author", one.name, f"{before}author:{quoted(one.name)}") for one in names[:3]]
        known = []
        if len("".join(words)) >= _SHORTEST_TERM or not typed.isascii():
            known = [*_topics(before, typed, 2), *self._terms(before, typed)]
        venues = list(self._venues(f"{before}venue:", typed, 2))
        found = [*venues, *_apart(known)[:4], *authors]
        if not found and not papers:
            found = list(self._last_words(before, typed, words))
        fields = list(_fields(before, typed))
        room = limit - any(typed.split()[-1].lower() in (one.key, *_aliases(one.key)) for one in fields)
        found = found[: room - min(len(papers), room // 2)]
        found += papers[: room - len(found)]
        found += fields[: limit - len(found)]
        return Completions(tuple(self._counted(found)), read_title or read_name)

    def _terms(self, before: str, typed: str) -> list[Completed]:
        """Terms that begin so; English ones, which are many, only where the catalogue has them, the most used first."""
        if has_chinese(typed):
            return list(_terms_of(before, typed, 3))
        found = [replace(one, count=self._count(one.query)) for one in _terms_of(before, typed, _COUNTED)]
        return sorted((one for one in found if one.count), key=lambda one: -(one.count or 0))

    def warm_up(self) -> None:
        """Read the tables, so that the first answer need not."""
        venue_names(), term_names(), list(_topics("", "a", 1))
        self._titles("a")

    def _last_words(self, before: str, typed: str, words: list[str]) -> Iterator[Completed]:
        """The author or the venue in the last words of a text: `attention vaswani`, `tiling icml`."""
        spoken = typed.split()
        for n in (2, 1):
            if len(words) <= n or len(spoken) <= n:
                continue
            head, tail = before + " ".join(spoken[:-n]), " ".join(spoken[-n:])
            yield from self._venues(f"{head} venue:", tail, 1, whole=True)
            if len(tail) >= _SHORTEST_TERM:
                for one in self._completion.names(folded_words(tail), 3)[:2]:
                    if one.weight > 1:
                        yield Completed("author", one.name, f"{head} author:{quoted(one.name)}")

    # -- what there is ---------------------------------------------------------------------------------------------

    def _titles(self, typed: str, *, mended: bool = True) -> tuple[list[Title], str]:
        """Titles that have the words, the likeliest first, and what was read where that is not what was typed."""
        words, is_open = folded_words(typed), typed[-1:].isalnum()
        find = self._completion.titles
        found, read = find(words, _LOOKED_AT, is_open=is_open), words
        if mended and not found:
            for read in self._mended(words, is_open, in_names=False):
                if found := find(read, _LOOKED_AT, is_open=is_open):
                    break
            else:
                read = words
        best = {one.pk: (_title_score(one, read), one) for one in found}
        ordered = [one for _, one in sorted(best.values(), reverse=True)]
        return ordered, "" if read == words else " ".join(read)

    def _names(self, typed: str, *, mended: bool = True) -> tuple[list[Name], str]:
        """Names that have the words, as `_titles` does."""
        words, is_open = folded_words(typed), typed[-1:].isalnum()
        find = self._completion.names
        found, read = find(words, _LOOKED_AT, is_open=is_open), words
        if mended and not found:
            for read in self._mended(words, is_open, in_names=True):
                if found := find(read, _LOOKED_AT, is_open=is_open):
                    break
            else:
                read = words
        ordered = sorted(found, key=lambda one: (-_name_score(one, read), one.name))
        return ordered, "" if read == words else " ".join(read)

    def _mended(self, words: list[str], is_open: bool, *, in_names: bool) -> Iterator[list[str]]:
        """The words with one typing error taken out, in the order in which it is likely."""
        count, near = (
            (self._completion.count_in_names, self._completion.near_in_names)
            if in_names
            else (self._completion.count_in_titles, self._completion.near_in_titles)
        )
        last = len(words) - 1
        opened = [is_open and place == last for place in range(len(words))]
        counts = {place: count(word, is_open=opened[place]) for place, word in enumerate(words)}
        for place in sorted(counts, key=lambda one: (counts[one], one))[:3]:
            if len(words[place]) >= _SHORTEST_WRONG:
                for better in near(words[place], is_open=opened[place]):
                    yield [*words[:place], better, *words[place + 1 :]]

    def _papers(self, titles: list[Title], limit: int) -> list[Completed]:
        papers = self._lookup([title.pk for title in titles[:limit]])
        found = (papers[title.pk] for title in titles[:limit] if title.pk in papers)
        return [Completed("paper", paper.title, paper.title, brief_of(paper), paper=paper) for paper in found]

    def _venues(self, start: str, typed: str, limit: int, *, whole: bool = False) -> Iterator[Completed]:
        """Venues of a name, and their editions where a year is begun."""
        edition = _EDITION.fullmatch(typed.strip())
        name, year = (edition[1].strip(), edition[2]) if edition else (typed, "")
        if whole or (edition and venue_of_code(name)):
            series = venue_of_code(name)
            named = [Named(series.short, series.name, series.key)] if series else []
        else:
            named = venue_names().find(name, _VENUES)
        known = [(one, terms) for one in named if one.key in (terms := dict(_terms(self._index, "at", one.key)))]
        begun = tuple(folded_words(name))
        known.sort(key=lambda pair: (not _begins(pair[0].text, begun), -pair[1][pair[0].key]))
        for one, terms in known[:limit]:
            if edition:
                first = f"{one.key}-{year if len(year) > 2 or year in ('1', '2', '19', '20') else '20' + year}"
                years = sorted((term for term in terms if term.startswith(first) and "/" not in term), reverse=True)
                for term in years[: limit * 3]:
                    text = f"{one.text} {term.rpartition('-')[2]}"
                    yield Completed("venue", text, start + quoted(text), one.detail, key=term)
                continue
            value = one.text if one.text.isalnum() else quoted(one.text)
            yield Completed("venue", one.text, start + value, one.detail, key=one.key)

    def _counted(self, found: Iterable[Completed]) -> Iterator[Completed]:
        """The same with the number of papers that each finds, where that is quickly told."""
        for one in found:
            if one.kind in ("venue", "author") and one.count is None:
                one = replace(one, count=self._count(one.query))
            elif one.kind == "topic" and find_field("topic"):
                one = replace(one, count=self._count(one.query) or None)
            yield one

    def _count(self, query: str) -> int:
        if query not in self._counts:
            if len(self._counts) >= _MOST_COUNTS:
                self._counts.clear()
            node = resolve(parse_lenient(query, names=BUNDLED).node, self._library)
            self._counts[query] = self._index.search(compile_query(node), 1).total
        return self._counts[query]


def brief_of(paper: Paper) -> str:
    """Who wrote a paper and where it appeared, in a few words of no language: `Ann Bee +2 · TILE 2031`."""
    first, n_more = paper.authors[:1], len(paper.authors) - 1
    author = f"{first[0]} +{n_more}" if n_more > 0 else "".join(first)
    is_sure = paper.venue and paper.status not in NOT_TAKEN and not paper.venue_claimed_in
    return " · ".join(filter(None, (author, paper.venue if is_sure else str(paper.year or ""))))


def _begins(name: str, words: tuple[str, ...]) -> bool:
    return " ".join(folded_words(name)).startswith(" ".join(words))


def _title_score(title: Title, words: list[str]) -> float:
    typed = " " + " ".join(words)
    score = title.weight + _SHARE * len(typed) / max(1, len(title.text))
    if title.text.startswith(typed):
        score += _BEGINNING
    elif typed in title.text:
        score += _SIDE_BY_SIDE
    return score + _WHOLE_WORD * (f" {words[-1]} " in f"{title.text} ")


def _name_score(name: Name, words: list[str]) -> float:
    parts = name.text.split()
    whole = sum(len(word) > 1 and word in parts for word in words) / len(words)
    return log1p(name.weight) + 2 * whole + name.text.startswith(" " + " ".join(words))


def _terms(index: TextIndex, field: str, beginning: str) -> list[tuple[str, int]]:
    """What an index's field of whole values has that begins so, the most frequent first."""
    searcher = index.searcher()
    found = searcher.terms_with_prefix(field, beginning, limit=500) if searcher else []
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))


def _spelled(category: str) -> str:
    """A category as arXiv writes it: `cs.LG`, `cond-mat.stat-mech`."""
    group, dot, name = category.partition(".")
    return group + dot + (name.upper() if len(name) == 2 else name)


def _terms_of(before: str, typed: str, limit: int) -> Iterator[Completed]:
    english, chinese = term_names()
    is_chinese = has_chinese(typed)
    within = is_chinese or len(typed) >= _SHORTEST_WITHIN
    for one in (chinese if is_chinese else english).find(typed, limit, within=within):
        yield Completed("term", one.text, before + one.text, one.detail, key=one.key)


def _topics(start: str, typed: str, limit: int, *, as_field: bool = False) -> Iterator[Completed]:
    try:
        found = topic_names().find(typed, limit)
    except (OctavoError, ImportError):  # a copy without its tree completes everything else
        return
    is_asked = as_field or find_field("topic") is not None
    for one in found:
        name = one.text if one.text.isalnum() else quoted(one.text)
        query = start + (name if as_field or not is_asked else f"topic:{name}")
        yield Completed("topic", one.text, query, one.detail, key=one.key)


def _apart(found: Iterable[Completed]) -> list[Completed]:
    """Each text once, where it is first: what is a topic is mostly a term, too."""
    apart: dict[str, Completed] = {}
    for one in found:
        apart.setdefault(one.text.lower(), one)
    return list(apart.values())


def _aliases(field: str) -> tuple[str, ...]:
    found = find_field(field)
    return found.aliases if found else ()


def _fields(before: str, typed: str) -> Iterator[Completed]:
    """Fields of queries whose name or alias the last word begins."""
    head, _, word = typed.rpartition(" ")
    word = word.lower()
    if len(word) < 2 or typed[-1:].isspace():
        return
    for field in FIELDS:
        is_named = word in (field.name, *field.aliases)
        if field.name != DEFAULT and (is_named or (field.name.startswith(word) and not head)):
            query = f"{before}{head} {field.name}:".lstrip()
            yield Completed("field", f"{field.name}:", query, field.doc, key=field.name, is_open=True)
