"""Charts of shares as SVG: made here, without a script and without styles of their own (`static/topics.css` has them).

Every chart has a title and a description that are read aloud; its numbers stand beside it in a table as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from markupsafe import Markup

from octavo.views_trends import ShareView, telling
from octavo.web.language import Language
from octavo.web.markup import without_overrides

WIDTH = 480
_LEFT, _RIGHT, _TOP, _YEARS_HEIGHT = 40, 8, 8, 180
_ROW, _LABEL, _NUMBERS = 22, 104, 112
_SPARK = (96, 20)
_MOST_LABELS = 7
_STEPS = (1, 2, 2.5, 5, 10)


def percent(share: float | None, digits: int = 1) -> str:
    """`28.9%`, `0.04%`; a dash where there is nothing to be a share of.

    >>> percent(0.289), percent(0.0004), percent(0.0), percent(1.0), percent(None)
    ('28.9%', '0.04%', '0%', '100%', '–')
    """
    if share is None:
        return "–"
    number = 100 * share
    if not number or number >= 99.95:
        return f"{number:.0f}%"
    return f"{number:.{digits}f}%" if number >= 0.095 else f"{number:.2g}%" if number >= 0.001 else "<0.001%"


def spark(shares: Sequence[ShareView]) -> Markup:
    """A line as small as a word; empty where nothing is known. It says nothing that is not said beside it."""
    known = telling(shares)
    highest = max((one.share or 0 for one in known), default=0)
    if not highest or len(shares) < 2:
        return Markup("")
    width, height = _SPARK
    step = (width - 4) / (len(shares) - 1)
    lines = [
        " ".join(f"{2 + at * step:.1f},{height - 2 - (one.share or 0) / highest * (height - 4):.1f}" for at, one in run)
        for run in _runs(shares, known)
    ]
    drawn = "".join(f'<polyline points="{points}"/>' for points in lines)
    return Markup(  # noqa: S704 - numbers only
        f'<svg class="spark" viewBox="0 0 {width} {height}" width="{width}" height="{height}" aria-hidden="true">'
        f"{drawn}</svg>"
    )


def by_year(language: Language, name: str, shares: Sequence[ShareView], ident: str = "years") -> Markup:
    """The share of each year as a line with its intervals; a gap where a year has no papers or too few,
    which are faint and do not set the scale. Empty of no years."""
    known = [one for one in shares if one.share is not None]
    if not known or not any(one.n for one in known):
        return Markup("")
    sure = telling(shares)
    # The interval of a year with three papers may reach to the top, and would press all others to the ground.
    highest = max(one.share or 0 for one in sure) or min(one.high for one in sure)
    top, ticks = _scale(max(highest, min(1.6 * highest, max(one.high for one in sure))))
    bottom = _TOP + _YEARS_HEIGHT
    step = (WIDTH - _LEFT - _RIGHT) / len(shares)
    say = language.say

    def x(at: int) -> float:
        return _LEFT + (at + 0.5) * step

    def y(share: float) -> float:
        return bottom - min(share, top) / top * _YEARS_HEIGHT

    parts = [_head(ident, bottom + 24, say("{name}: share by year", name=name), _told(language, sure))]
    for tick in ticks:
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y(tick):.1f}" y2="{y(tick):.1f}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{_tick(tick)}</text>')
    for at, one in enumerate(shares):
        if one.is_thin and one not in sure:
            low, high = y(one.low), y(one.high)
            parts.append(f'<line class="reach thin" x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
            # A dot at the edge would tell a share that is not the year's.
            if (one.share or 0) <= top:
                dot = f'<circle class="thin" cx="{x(at):.1f}" cy="{y(one.share or 0):.1f}" r="2.6">'
                parts.append(f"{dot}<title>{escape(_tip(language, one))}</title></circle>")
    for run in _runs(shares, sure):
        for at, one in run:
            low, high = y(one.low), y(one.high)
            parts.append(f'<line class="reach" x1="{x(at):.1f}" x2="{x(at):.1f}" y1="{low:.1f}" y2="{high:.1f}"/>')
        points = " ".join(f"{x(at):.1f},{y(one.share or 0):.1f}" for at, one in run)
        parts.append(f'<polyline class="line" points="{points}"/>')
        for at, one in run:
            dot = f'<circle cx="{x(at):.1f}" cy="{y(one.share or 0):.1f}" r="2.6">'
            parts.append(f"{dot}<title>{escape(_tip(language, one))}</title></circle>")
    every = -(-len(shares) // _MOST_LABELS)
    for at, one in enumerate(shares):
        if (len(shares) - 1 - at) % every == 0:
            parts.append(f'<text x="{x(at):.1f}" y="{bottom + 17}" text-anchor="middle">{escape(one.of)}</text>')
    return _closed(parts)


def by_venue(language: Language, name: str, shares: Sequence[ShareView], ident: str = "venues") -> Markup:
    """The share of each venue as a bar with its interval."""
    if not shares:
        return Markup("")
    say = language.say
    room = WIDTH - _LABEL - _NUMBERS
    top = max(max(one.high for one in shares), 1e-9)
    parts = [_head(ident, len(shares) * _ROW + 4, say("{name}: share by venue", name=name), _told(language, shares))]
    for at, one in enumerate(shares):
        middle = at * _ROW + _ROW / 2 + 2
        end = _LABEL + (one.share or 0) / top * room
        low, high = (_LABEL + edge / top * room for edge in (one.low, one.high))
        shown = without_overrides(one.of)
        label = escape(shown if len(shown) < 16 else f"{shown[:14]}…")
        number = escape(say("{share} of {total}", share=percent(one.share), total=language.number(one.total)))
        parts.append(
            f'<text x="{_LABEL - 6}" y="{middle + 4:.1f}" text-anchor="end">{label}</text>'
            f'<rect x="{_LABEL}" y="{middle - 6:.1f}" width="{max(end - _LABEL, 0.5):.1f}" height="12"/>'
            f'<line class="reach" x1="{low:.1f}" x2="{high:.1f}" y1="{middle:.1f}" y2="{middle:.1f}"/>'
            f'<text class="soft" x="{high + 6:.1f}" y="{middle + 4:.1f}">{number}</text>'
        )
    return _closed(parts)


def _tip(language: Language, one: ShareView) -> str:
    n, total = language.number(one.n), language.number(one.total)
    return language.say("{of}: {share}, {n} of {total}", of=one.of, share=percent(one.share), n=n, total=total)


def _runs(shares: Sequence[ShareView], sure: Sequence[ShareView]) -> Iterator[list[tuple[int, ShareView]]]:
    """Years in a row that are among the sure ones, with their places."""
    run: list[tuple[int, ShareView]] = []
    places = {id(one) for one in sure}  # they are among the shares; comparing them took most of the tree's page
    for at, one in enumerate(shares):
        if id(one) in places:
            run.append((at, one))
        elif run:
            yield run
            run = []
    if run:
        yield run


def _scale(highest: float) -> tuple[float, list[float]]:
    """Where the axis ends, and what is written at it."""
    unit = 10.0 ** next(power for power in range(-9, 2) if 10.0**power * 10 >= highest / 3)
    step = next(unit * one for one in _STEPS if unit * one * 4 >= highest)
    n = max(1, -(-int(highest / step * 1000) // 1000))
    n = n if n * step >= highest else n + 1
    return min(1.0, n * step) if n * step >= 1 else n * step, [one * step for one in range(n + 1) if one * step <= 1]


def _tick(share: float) -> str:
    return f"{100 * share:.4g}%"


def _told(language: Language, shares: Sequence[ShareView]) -> str:
    """What a reader who does not see the chart should know of it."""
    highest = max(shares, key=lambda one: one.share or 0)
    say = language.say
    first, last = shares[0], shares[-1]
    return say(
        "From {first} ({first_share}) to {last} ({last_share}); the highest share is that of {highest}, {share}.",
        first=first.of, first_share=percent(first.share), last=last.of, last_share=percent(last.share),
        highest=highest.of, share=percent(highest.share),
    )  # fmt: skip


def _head(ident: str, height: float, title: str, told: str) -> str:
    name = escape(ident)
    return (
        f'<svg class="chart" viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(without_overrides(title))}</title>'
        f'<desc id="{name}-desc">{escape(without_overrides(told))}</desc>'
    )


def _closed(parts: Sequence[str]) -> Markup:
    return Markup("".join((*parts, "</svg>")))  # noqa: S704 - what is not a number was escaped
