"""Which terms of the glossary a text has, and where. Pure, and fast: a tenth of a millisecond an abstract.

A term is recognised in any of its names, capitalised or not, in the plural, in American or British spelling, and with
a hyphen, a blank or nothing between its words (`fine-tuning`, `fine tuning`, `FineTuning`). An abbreviation counts only
in its own case: `RAG` is the term, `rag` is not. Of names that overlap the one that begins first counts, of those that
begin together the longest; a phrase that a term excludes (`unless`) counts as a name that leads nowhere. Each term is
reported once a text, where it comes first.

Nothing is recognised within formulas, code, the arguments of macros, links, addresses or tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, MutableSet
from functools import cache, lru_cache
from typing import Any, NamedTuple

from octavo.topics.forms import plurals, spellings
from octavo.topics.glossary import Term, glossary


class Span(NamedTuple):
    """Where a term stands in a text."""

    start: int
    end: int
    slug: str


_WORDS = re.compile(r"([A-Za-z0-9_\u00c0-\u024f]+)")
_FORM_WORDS = re.compile(r"[A-Za-z0-9\u00c0-\u024f]+|[-\u2011]")
_HYPHENS = frozenset("-\u2010\u2011\u2013")
_JOINTS = _HYPHENS | frozenset((" ", "\n", "\u00a0", "-\n", " \n", "'", "\u2019", "' ", "\u2019 "))
"""What may stand between two words of a name."""
_CHINESE = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
_HARD = "\u2011"
"""The hyphen that no blank may stand for: `on‑policy` is not in `depends on policy`."""
_END, _END_HYPHENED = "", "-"
"""Under which a node has the slug of the term that ends here, the latter where a hyphen stands before its last word.

A phrase that leads nowhere has an empty slug.
"""

_MACROS = r"cite\w*|\w*ref|label|url|href|texttt|verb|code|math\w+|operatorname|mbox|input"
"""Whose arguments are not words."""
_ELSEWHERE = (
    (("$",), r"\$\$.{0,2000}?\$\$|(?<!\\)\$(?=\S)[^$]{0,400}?(?<=[^\s\\])\$(?!\d)"),
    (("\\(", "\\["), r"\\\(.{0,400}?\\\)|\\\[.{0,2000}?\\\]"),
    (("\\begin",), r"\\begin\{(\w+\*?)\}.{0,4000}?\\end\{\1\}"),
    (("\\",), rf"\\(?:{_MACROS})\*?(?:\[[^\]]*\])*\{{[^{{}}]*\}}|\\[A-Za-z]+"),
    (("`",), r"(?<!`)(`{1,3})[^`]{1,400}\1(?!`)"),
    (("<",), r"<(math|code|pre|a)\b.{0,2000}?</\1>|</?[A-Za-z][^<>]{0,400}>"),
    (("](",), r"!?\[[^\[\]]*\]\([^()\s]*\)"),
    (("://", "www."), r"(?:[a-z]{2,6}://|www\.)[^\s<>]+"),
    (("@",), r"\S{1,80}@\S+"),
    (
        (".com", ".org", ".net", ".io", ".ai", ".edu", ".gov", ".dev", ".py"),
        r"\S{0,80}\w\.(?:com|org|net|io|ai|edu|gov|dev|py)\b(?:/[^\s<>]*)?",
    ),
)
"""The signs of what may be elsewhere, and its pattern: most texts have none of the signs."""
_PATTERNS = tuple((signs, re.compile(pattern, re.DOTALL)) for signs, pattern in _ELSEWHERE)


class Recogniser:
    """Finds the terms it was made with. It is never changed, so that threads may share it."""

    def __init__(self, terms: Iterable[Term]) -> None:
        """Learn all forms of the terms; where two have one form, that of the earlier counts."""
        self._first: dict[str, Any] = {}
        self._chinese: dict[str, list[tuple[str, str]]] = {}
        known = list(terms)
        for term in known:
            self._learn_names(term)
        for term in known:  # after the names: `graph alignment` may be one itself
            for phrase in term.unless:
                words = _form_words(phrase)
                for last in (words[-1], *plurals(words[-1])):
                    self._learn([*words[:-1], last], "")
        # What counts in its own case only comes last, so that it can be told from the words that are there.
        for term in known:
            for words in _exact(term):
                self._learn_exact(words, term.slug)
        for names in self._chinese.values():
            names.sort(key=lambda name: -len(name[0]))

    def spans(self, text: str, seen: MutableSet[str] | None = None) -> list[Span]:
        """Where the terms are, in order, without overlaps.

        `seen` has the slugs that are no longer looked for, and gets those that are found: for a text in pieces.
        """
        seen = set() if seen is None else seen
        if text.isascii() or not _CHINESE.search(text):
            return self._latin(text, seen)
        # Each script on its own, with repetitions, and then the two as one.
        both = sorted((*self._latin(text, None), *self._han(text)), key=lambda span: (span.start, -span.end))
        spans: list[Span] = []
        at = 0
        for span in both:
            if span.start >= at:
                at = span.end
                if span.slug not in seen:
                    seen.add(span.slug)
                    spans.append(span)
        return spans

    def slugs(self, *texts: str) -> tuple[str, ...]:
        """The terms of texts, in the order in which they come."""
        seen: set[str] = set()
        return tuple(span.slug for text in texts for span in self.spans(text, seen))

    def _latin(self, text: str, seen: MutableSet[str] | None) -> list[Span]:
        """The names in Latin letters; without `seen` all of them, however often."""
        parts = _parts(text)
        first = self._first
        spans: list[Span] = []
        elsewhere: tuple[tuple[int, int], ...] | None = None
        until = at = counted = 0
        # Only words that begin a name are looked at: one in ten.
        for word in [n for n in range(1, len(parts), 2) if parts[n] in first]:
            if word < until:
                continue
            last, slug = _longest(first[parts[word]], parts, word)
            if last < 0:
                continue
            until = last + 2
            if not slug or (seen is not None and slug in seen):
                continue
            at += sum(map(len, parts[counted:word]))
            counted = word
            end = at + sum(map(len, parts[word : last + 1]))
            if elsewhere is None:
                elsewhere = _elsewhere(text)
            if _is_part(text, at, end) or any(start < end and at < stop for start, stop in elsewhere):
                continue
            if seen is not None:
                seen.add(slug)
            spans.append(Span(at, end, slug))
        return spans

    def _han(self, text: str) -> Iterator[Span]:
        """The Chinese names, however often, the longest at each place."""
        elsewhere = _elsewhere(text)
        until = 0
        for at, character in enumerate(text):
            if at < until or character not in self._chinese:
                continue
            for name, slug in self._chinese[character]:
                if text.startswith(name, at):
                    until = at + len(name)
                    if not any(start < until and at < stop for start, stop in elsewhere):
                        yield Span(at, until, slug)
                    break

    def _learn_names(self, term: Term) -> None:
        for name in (term.english, *term.also):
            if name not in term.quiet:
                for form in spellings(name):
                    self._learn_form(form, term.slug)
        for name in (term.chinese, *term.also_chinese):
            if name not in term.quiet and len(name) > 1 and _CHINESE.search(name):
                self._chinese.setdefault(name[0], []).append((name, term.slug))

    def _learn_form(self, form: str, slug: str) -> None:
        for words in (_form_words(form), *_joined(form)):
            end = _END_HYPHENED if _HARD in form and len(words) > 1 else _END
            for last in (words[-1], *plurals(words[-1])):
                self._learn([*words[:-1], last], slug, end)

    def _learn(self, words: list[str], slug: str, end: str = _END) -> None:
        node = self._first
        for word in words:
            cases = _cases(word)
            following = node.get(cases[0])
            if following is None:
                following = {}
            for case in cases:
                node.setdefault(case, following)
            node = following
        node.setdefault(end, slug)

    def _learn_exact(self, words: list[str], slug: str) -> None:
        """Learn a name in this case only: what is shared with other cases is copied first."""
        node = self._first
        for word in words:
            following = node[word] = dict(node.get(word, ()))
            node = following
        node.setdefault(_END, slug)


def _exact(term: Term) -> Iterator[list[str]]:
    """The names of a term that count in their own case only."""
    for name in term.short:
        words = _form_words(name)
        yield words
        yield [*words[:-1], words[-1] + "s"]  # LLMs
    for name in (term.english, *term.also):
        words = _form_words(name)
        if len(words) > 1 and name not in term.quiet:
            camel = "".join(word[:1].upper() + word[1:] for word in words)  # CrossEntropy
            yield [camel]


def _longest(node: dict[str, Any], parts: list[str], word: int) -> tuple[int, str]:
    """The last word and the slug of the longest name that begins with a word; -1 where there is none."""
    last, slug = -1, ""
    at = word
    gap = ""
    while True:
        if _END in node:
            last, slug = at, node[_END]
        elif gap in _HYPHENS and _END_HYPHENED in node:
            last, slug = at, node[_END_HYPHENED]
        at += 2
        if at >= len(parts):
            return last, slug
        gap = parts[at - 1]
        if gap not in _JOINTS and not (gap in ("/", ".") and len(parts[at]) == 1):
            return last, slug
        following = node.get(parts[at])
        if following is None:
            return last, slug
        node = following


def _form_words(form: str) -> list[str]:
    return [word for word in _FORM_WORDS.findall(form) if word not in "-\u2011"]


def _joined(form: str) -> Iterator[list[str]]:
    """The words of a form with those around a hyphen as one."""
    if "-" not in form and _HARD not in form:
        return
    words: list[str] = []
    is_joined = False
    for word in _FORM_WORDS.findall(form):
        if word in "-\u2011":
            is_joined = True
        elif is_joined and words:
            words[-1] += word
            is_joined = False
        else:
            words.append(word)
    yield words


def _cases(word: str) -> tuple[str, ...]:
    lower = word.lower()
    return tuple(dict.fromkeys((lower, word, lower[:1].upper() + lower[1:], word.upper())))


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether what is around says that this is a piece of a name of code or of an address."""
    before = text[max(0, start - 2) : start]
    after = text[end : end + 2]
    return (
        before.endswith(("\\", "@", "#"))
        or (len(before) == 2 and before[1] == "." and before[0].isalnum())
        or after.startswith(("@", "()"))
        or (len(after) == 2 and after[0] == "." and after[1].islower())
    )


@lru_cache(maxsize=8)
def _parts(text: str) -> list[str]:
    """A text's words, with what stands between; kept, since topics and terms are looked for one after the other."""
    return _WORDS.split(text)


@lru_cache(maxsize=8)
def _elsewhere(text: str) -> tuple[tuple[int, int], ...]:
    """The stretches in which nothing is recognised; kept, like `_parts`."""
    return tuple(
        found.span()
        for signs, pattern in _PATTERNS
        if any(map(text.__contains__, signs))
        for found in pattern.finditer(text)
    )


@cache
def recogniser() -> Recogniser:
    """That of the bundled glossary, made once.

    Raises:
        FormatError: The glossary was edited, and something is wrong with it.
    """
    return Recogniser(glossary())


def terms_of(title: str, abstract: str, known: Recogniser | None = None) -> tuple[str, ...]:
    """The slugs of the terms in a paper's title and abstract, each once, those of the title first."""
    return (known or recogniser()).slugs(title, abstract)
