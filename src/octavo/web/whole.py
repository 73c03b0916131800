"""A list of thousands of papers as HTML: written at once, since a template would take seconds for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from markupsafe import Markup

from octavo.views_venues import RowView
from octavo.web.language import Language
from octavo.web.markup import without_overrides
from octavo.web.phrases import phrase

SHOWN_AUTHORS = 12
"""Authors that are named; the others are counted."""


def presented(language: Language, award: str) -> str:
    """How a paper was presented, and its prizes, in the reader's language; that it was a poster says nothing."""
    said = (one.strip() for one in award.split(";"))
    return language.say(", ").join(phrase(language, one) for one in said if one and one.lower() != "poster")


def whole(language: Language, rows: Sequence[RowView], *, is_open: bool = False, by_track: bool = False) -> Markup:
    """The items of an ordered list, with abstracts that fold; under headings `by_track`, where they are so ordered."""
    return Markup("".join(_items(language, rows, is_open, by_track)))  # noqa: S704 - all of it is escaped


def _items(language: Language, rows: Sequence[RowView], is_open: bool, by_track: bool) -> Iterator[str]:
    comma, fold = escape(language.say(", ")), escape(language.say("Abstract"))
    opened = " open" if is_open else ""
    track = rows[0].track if rows else ""
    for row in rows:
        if by_track and row.track != track:
            track = row.track
            yield f'<li class="track"><h2>{_text(track)}</h2></li>\n'
        names = comma.join([f"<bdi>{_text(name)}</bdi>" for name in row.authors[:SHOWN_AUTHORS]])
        if (n_more := len(row.authors) - SHOWN_AUTHORS) > 0:
            total = language.number(len(row.authors))
            names += f" {escape(language.count('and {n} more', 'and {n} more', n_more, total=total))}"
        award = presented(language, row.award)
        said = f' <strong class="award">{_text(award)}</strong>' if award else ""
        yield (
            f'<li class="entry" id="{row.id}"><h2 dir="auto" lang=""><a href="/paper/{row.id}">{_text(row.title)}</a>'
            f'{said}</h2><div class="authors">{names}</div>'
        )
        if row.abstract:
            yield (
                f'<details class="abstract"{opened}><summary>{fold}</summary>'
                f'<p dir="auto" lang="">{_text(row.abstract)}</p></details>'
            )
        yield "</li>\n"


def _text(text: str) -> str:
    return escape(without_overrides(text))
