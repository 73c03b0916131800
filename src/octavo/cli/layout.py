"""Laying out papers: authors on one line, looked-for words marked, the piece of an abstract that shows them.
Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from octavo.cli.output import Span, clean
from octavo.query import marking
from octavo.query.words import analyse
from octavo.records.paper import Paper

MATCH_STYLE = "bold magenta"
"""How a word is shown that was looked for."""

_READ = 6_000
"""Letters of an abstract that a snippet is looked for in."""
_SHOWN_SCHEMES = ("arxiv", "openreview", "pmlr", "acl", "doi")
_STATUS_STYLES = {"withdrawn": "bold red", "retracted": "bold red", "rejected": "red", "erratum": "yellow"}


def width_of(text: str) -> int:
    """Columns that a text takes on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(_columns(char) for char in text)


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Cf", "Me", "Mn"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def clip(text: str, width: int) -> str:
    """The text where it fits into `width` columns, else its beginning and an ellipsis."""
    if width_of(text) <= width:
        return text
    kept, used = [], 1
    for char in text:
        used += _columns(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def clip_words(text: str, width: int) -> str:
    """Like `clip`, but cut between words where the last word is not a very long one."""
    if width_of(text) <= width:
        return text
    cut = clip(text, width)
    head = cut[:-1] if text[len(cut) - 1 : len(cut)].isspace() else cut.rpartition(" ")[0]
    return f"{head.rstrip(' ,;:–—-')}…" if width_of(head) > width // 2 else cut


# Authors, identifiers, venue.


def fold_authors(authors: Sequence[str], width: int, *, is_incomplete: bool = False) -> str:
    """As many authors as fit on a line, and how many more there are: `A, B … +7`; `et al.` where the source
    cut the list."""
    names = [clean(name) for name in authors]
    end = " et al." if is_incomplete else ""
    whole = ", ".join(names) + end
    if width_of(whole) <= width or not names:
        return whole.strip()
    used = n_shown = 0
    for name in names[:-1]:
        used += width_of(name) + (2 if n_shown else 0)
        if used + len(_more(len(names) - n_shown - 1, end)) > width:
            break
        n_shown += 1
    if n_shown:
        return ", ".join(names[:n_shown]) + _more(len(names) - n_shown, end)
    more = _more(len(names) - 1, end)
    return clip(names[0], max(8, width - len(more))) + more


def _more(count: int, end: str) -> str:
    """What is said of authors that are not shown."""
    return f" … +{count:,}{end}" if count else end


def shown_ids(paper: Paper) -> list[str]:
    """Octavo's id and the first identifier of each scheme that a reader may know the paper by."""
    first: dict[str, str] = {}
    for identifier in paper.identifiers:
        first.setdefault(identifier.scheme, str(identifier))
    return [paper.id, *(first[scheme] for scheme in _SHOWN_SCHEMES if scheme in first)]


def where_and_ids(paper: Paper, width: int) -> list[Span]:
    """`ICML 2031 · p4k…  arxiv:2101.00010`, as much as fits on a line; a withdrawal is told first."""
    spans: list[Span] = []
    if style := _STATUS_STYLES.get(paper.status):
        spans.append((f"{paper.status.upper()} ", style))
    place = (paper.venue if spans else paper.place) or (
        "arXiv" if any(name.scheme == "arxiv" for name in paper.identifiers) else ""
    )
    if place and paper.year and str(paper.year) not in place and not paper.venue_claimed_in:
        place = f"{place} {paper.year}"
    place = clean(place or str(paper.year or ""))
    line = f"{place} · {paper.id}" if place else str(paper.id)
    room = width - sum(width_of(text) for text, _ in spans)
    for name in shown_ids(paper)[1:]:
        if width_of(f"{line} · {name}") > room:
            break
        line = f"{line} · {name}"
    return [*spans, (line, "dim")]


# Marking.


class Marker(marking.Marker):
    """Knows the words that were looked for, and marks them for a terminal."""

    __slots__ = ()

    def spans(self, text: str, style: str = "") -> list[Span]:
        """The text as spans, with what was looked for marked."""
        return [(piece, MATCH_STYLE if is_match else style) for piece, is_match in self.pieces(text)]


def snippet(text: str, marker: Marker, width: int) -> list[Span]:
    """About `width` columns of a text, from where the most of the looked-for words stand together."""
    text = clean(text[:_READ])
    if width_of(text) <= width:
        return marker.spans(text)
    start = _best_start(text, marker.pieces(text), width)
    before = "… " if start else ""
    shown = clip_words(text[start:], width - len(before))
    return [(before, "dim"), *marker.spans(shown)] if before else marker.spans(shown)


def _best_start(text: str, pieces: list[tuple[str, bool]], width: int) -> int:
    """Where to begin so that `width` letters hold the most of the looked-for words; 0 for none."""
    places: list[tuple[int, str]] = []
    at = 0
    for piece, is_match in pieces:
        if is_match:
            places.append((at, analyse(piece)[1].partition(" ")[0]))
        at += len(piece)
    best, most = 0, 0
    for start in dict.fromkeys([0, *(_lead(text, place, width) for place, _ in places)]):
        count = len({stem for place, stem in places if start <= place < start + width - 10})
        if count > most:
            best, most = start, count
    return best


def _lead(text: str, at: int, width: int) -> int:
    """Where to begin so that a match at `at` is understood: at its sentence, or, where that is far, a bit before."""
    start = _sentence_start(text, at, width // 2)
    return _word_start(text, max(0, at - width // 5)) if start is None else start


def _sentence_start(text: str, at: int, most: int) -> int | None:
    """Where the sentence begins that `at` is in, unless that is more than `most` letters away."""
    found = max(text.rfind(end, 0, at) for end in (". ", "? ", "! ", "。"))
    if found < 0:
        return 0 if at <= most else None
    start = found + (1 if text[found] == "。" else 2)
    return start if at - start <= most else None


def _word_start(text: str, at: int) -> int:
    """The beginning of the next word, or `at` itself in a text without blanks."""
    blank = text.find(" ", at, at + 40)
    return blank + 1 if blank >= 0 and at else at
