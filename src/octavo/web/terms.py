"""Words of the glossary in a text as HTML: each a link, with its definition in reach by hover, focus and tap.

Works without a script: on a device that hovers the word is a link to its page, and the definition shows over it while
it is hovered or focused; where nothing hovers, a tap focuses what is around the link, which shows the definition, in
which there is a link again (`static/terms.css`). A definition that is not shown is neither copied nor read aloud.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

from markupsafe import Markup, escape

from octavo.topics.glossary import Glossary, Term, glossary
from octavo.topics.recognise import Recogniser, Span, recogniser

_TAG = re.compile(r'<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^<>"]|"[^"]*")*)>')
_CLOSED = frozenset(("math", "code", "pre", "a", "kbd", "button", "summary"))
"""Elements that no word is linked in."""

Piece = tuple[str, bool]
"""A text without entities, and whether it is marked."""


def with_terms(
    fragment: Markup,
    language: str = "en",
    *,
    name: str = "t",
    known: tuple[Glossary, Recogniser] | None = None,
) -> Markup:
    """The HTML of a title or an abstract (`markup.html`, marks and all) with its terms linked, each once.

    Nothing is linked in formulas, code and links. A mark that goes over the border of a term is parted there; what is
    read stays the same. `name` tells the definitions of this text from those of others on the page. `known` is what
    to use in place of the bundled glossary.
    """
    terms, recognise = known or (glossary(), recogniser())
    seen: set[str] = set()
    return Markup(  # noqa: S704 - the fragment is safe, and what is added is escaped
        "".join(
            raw if pieces is None else _linked(raw, pieces, recognise, terms, seen, (language, name))
            for raw, pieces in _runs(str(fragment))  # Markup's pieces would not be escaped again
        )
    )


def _runs(fragment: str) -> Iterator[tuple[str, list[Piece] | None]]:
    """The fragment in pieces: stretches of text with nothing but marks in them, and all else as it is."""
    start = at = depth = 0
    pieces: list[Piece] = []
    was_marked = is_marked = False  # where the stretch begins, and here
    for tag in _TAG.finditer(fragment):
        if depth == 0:
            pieces.append((unescape(fragment[at : tag.start()]), is_marked))
        at = tag.end()
        element = tag[2].lower()
        if element == "mark" and depth == 0:
            is_marked = not tag[1]
            continue
        # A mark that goes on over another tag is left as it is.
        yield fragment[start : tag.start()], None if was_marked or is_marked else pieces
        yield tag[0], None
        start, pieces, was_marked = at, [], is_marked
        if element in _CLOSED:
            depth += -1 if tag[1] else 1
    if depth == 0:
        pieces.append((unescape(fragment[at:]), is_marked))
    yield fragment[start:], None if was_marked or is_marked else pieces


def _linked(
    raw: str, pieces: list[Piece], recognise: Recogniser, terms: Glossary, seen: set[str], how: tuple[str, str]
) -> str:
    text = "".join(piece for piece, _ in pieces)
    spans = recognise.spans(text, seen)
    if not spans:
        return raw
    made: list[str] = []
    rest = _Pieces(pieces)
    for span in spans:
        made.append(rest.until(span.start))
        made.append(_link(span, rest.until(span.end), terms.terms[span.slug], how))
    made.append(rest.until(len(text)))
    return "".join(made)


class _Pieces:
    """Pieces of a text that are taken from its beginning to its end."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self._pieces = iter(pieces)
        self._held, self._is_marked = next(self._pieces, ("", False))
        self._at = 0

    def until(self, end: int) -> str:
        """The HTML of what comes before a place of the whole text and was not taken yet."""
        made: list[str] = []
        while (length := end - self._at) > 0:
            part = self._held[:length]
            if part:
                shown = str(escape(part))
                made.append(f"<mark>{shown}</mark>" if self._is_marked else shown)
                self._at += len(part)
                self._held = self._held[length:]
            else:
                self._held, self._is_marked = next(self._pieces)
        return "".join(made)


def _link(span: Span, shown: str, term: Term, how: tuple[str, str]) -> str:
    language, name = how
    code = "zh-CN" if language.startswith("zh") else "en"
    place = escape(f"{name}-{span.slug}")
    return (
        f'<span class="term" tabindex="-1"><a href="/glossary/{span.slug}" aria-describedby="{place}">{shown}</a>'
        f'<span class="tip" role="tooltip" id="{place}" lang="{code}">'
        f'<a href="/glossary/{span.slug}" tabindex="-1">{escape(term.name(language))}</a> '
        f"{escape(term.definition(language))}</span></span>"
    )
