"""Text of papers as HTML that can do nothing: escaped or cleaned, with the looked-for words marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import unescape

from markupsafe import Markup, escape

from octavo.query.marking import Marker, Piece, best_piece
from octavo.records.text import Text

_TOKEN = re.compile(r'<(/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^<>"]|"[^"]*")*)>')
_WHOLE = ("math", "code")
"""Elements that are not marked inside: a mark in a formula is not HTML."""
_OVERRIDES = re.compile(r"[\u202a-\u202e]")
NO_WORDS = Marker.of(())
SNIPPET = 320
"""Letters of an abstract that stand for it in a list of hits."""


def without_overrides(text: str) -> str:
    """A text without the signs that turn a line around."""
    return _OVERRIDES.sub("", text)


def marked(text: str, marker: Marker = NO_WORDS) -> Markup:
    """A plain text with the looked-for words in `<mark>`."""
    text = _OVERRIDES.sub("", text)
    return _joined(marker.pieces(text)) if marker else escape(text)


def named(names: Sequence[str], separator: str, marker: Marker | None = None) -> Markup:
    """Names on a line, each kept apart in its own direction."""
    shown = (f"<bdi>{marked(name, marker or NO_WORDS)}</bdi>" for name in names)
    return Markup(str(escape(separator)).join(shown))  # noqa: S704 - each name is escaped


def snippet(text: str, marker: Marker = NO_WORDS) -> Markup:
    """The piece of a plain text that shows the looked-for words best."""
    return _joined(best_piece(_OVERRIDES.sub("", text), marker, SNIPPET))


def ticked(text: str) -> Markup:
    """A message in which commands and queries stand between backticks, these as code."""
    parts = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if n % 2 and n < len(parts) - 1 else escape(part)
        for n, part in enumerate(parts)
    )


def html(text: Text | None, marker: Marker = NO_WORDS, *, links: bool = True) -> Markup:
    """A text as its source wrote it: emphasis, links and formulas (as MathML) kept.

    Without `links` for what stands in a link itself, or in a summary.
    """
    if not text:
        return Markup("")
    return Markup("".join(_marked_html(_cleaned_html(text), marker, links)))  # noqa: S704 - cleaned by nh3


@lru_cache(2_000)
def _cleaned_html(text: Text) -> str:
    """Kept, since the same papers come again on page after page, and cleaning takes a fifth of a page's time."""
    return _OVERRIDES.sub("", text.html())


def _marked_html(fragment: str, marker: Marker, links: bool) -> Iterator[str]:
    """The pieces of a fragment that nh3 wrote, so that its tags are well formed."""
    at = depth = 0
    for tag in _TOKEN.finditer(fragment):
        yield _between(fragment[at : tag.start()], marker, depth)
        at = tag.end()
        if tag[2] in _WHOLE:
            depth += -1 if tag[1] else 1
        if links or tag[2] != "a":
            yield tag[0]
    yield _between(fragment[at:], marker, depth)


def _between(text: str, marker: Marker, depth: int) -> str:
    if depth or not marker or not text.strip():
        return text
    return str(_joined(marker.pieces(unescape(text))))


def _joined(pieces: Iterable[Piece]) -> Markup:
    # Strings are joined and marked as safe once: Markup's own ways take half of a page's time.
    return Markup(  # noqa: S704 - each piece is escaped
        "".join(f"<mark>{escape(text)}</mark>" if is_match else str(escape(text)) for text, is_match in pieces)
    )
