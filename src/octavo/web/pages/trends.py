"""`/trends`: how topics and terms rise and fall."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from octavo.app import Octavo
from octavo.errors import NotFound, UsageError
from octavo.topics.glossary import glossary
from octavo.topics.tree import bundled_tree
from octavo.web.asked import Answer, Asked, Page
from octavo.web.charts import by_venue, by_year
from octavo.web.errors import PageError
from octavo.web.phrases import phrase

SHOWN = 50
"""Topics or terms of one table."""
CHARTS = 6
"""Of so many subjects, if no more are shown, each has a chart of its own."""
VENUES = 15
"""Venues of a chart."""
_ASKED = ("topic", "term", "venue", "area", "from", "to", "by", "show", "kind")
_PARTS = re.compile(r"\s*[;；\n]\s*")
_COMMAS = re.compile(r"\s*[,，、]\s*")


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """Shares of what is asked for.

    Raises:
        PageError: something that can't be asked for, or is not there.
    """
    say, values = asked.language.say, asked.values
    show, by = values.get("show", ""), values.get("by", "") or "year"
    try:
        found = octavo.trends(
            topics=names_in(values.get("topic", ""), lambda name: bundled_tree().find(name) is not None),
            terms=names_in(values.get("term", ""), lambda name: glossary().find(name) is not None),
            kind=values.get("kind", "") or "topic",
            venue=values.get("venue", "").strip(),
            area=values.get("area", "").strip(),
            since=year(asked, "from"),
            until=year(asked, "to"),
            by=by,
            direction=show,
            limit=SHOWN,
        )
    except (NotFound, UsageError) as error:
        status = 404 if isinstance(error, NotFound) else 400
        said, hint = (phrase(asked.language, text) for text in (error.message, error.hint))
        raise PageError(status, said, hint, link=("/trends", say("The areas over the last years"))) from error
    if asked.as_json:
        return Answer("", data=found.to_dict())
    is_chinese = asked.language.code.startswith("zh")
    rows = [(one, one.name_zh if is_chinese else one.name) for one in found.trends]
    rows = [(one, name) for one, name in rows if one.n or values.get("topic") or values.get("term")]
    charts = []
    if len(rows) <= CHARTS or by == "venue":
        for at, (one, name) in enumerate(rows[:CHARTS] if by == "year" else rows):
            draw = by_year if by == "year" else by_venue
            shares = one.shares if by == "year" else tuple(share for share in one.shares if share.n)[:VENUES]
            charts.append((one, name, draw(asked.language, name, shares, f"chart-{at}"), shares))
    areas = [(node.slug, node.name_zh if is_chinese else node.name) for node in bundled_tree().areas]
    shown = {name: values.get(name, "") for name in _ASKED}
    return Answer("trends.html", {"found": found, "rows": rows, "charts": charts, "areas": areas, "typed": shown})


def names_in(text: str, is_name: Callable[[str], bool]) -> Sequence[str]:
    """The names that were typed, parted by semicolons, or by commas where those are in no name.

    >>> names_in("a, b; c", lambda name: name == "a, b"), names_in("a, b; c", lambda name: len(name) == 1)
    (['a, b', 'c'], ['a', 'b', 'c'])
    """
    found: list[str] = []
    for part in filter(None, _PARTS.split(text.strip()[:2_000])):
        found += [part] if is_name(part) else filter(None, _COMMAS.split(part))
    return found


def year(asked: Asked, name: str) -> int | None:
    """A year of the address; None where it has none.

    Raises:
        PageError: it is none.
    """
    text = asked.values.get(name, "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit() and len(text) == 4:
        return int(text)
    say = asked.language.say
    link = ("/trends", say("The areas over the last years"))
    raise PageError(400, say("“{year}” is no year.", year=text[:40]), link=link)


PAGES = (Page("/trends", answer),)
