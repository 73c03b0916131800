"""`/list/<category>/new` and `/list/<category>/<date>`: what was announced on a day, by kind; and of several days."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date
from itertools import groupby

from octavo.app import Octavo
from octavo.errors import NotFound
from octavo.records.paper import Paper
from octavo.sources.arxiv_categories import category_named, like
from octavo.views_pages import EntryView, ListingView
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.errors import PageError

SIZE = 50
ALL = "all"
"""In an address: all categories that are followed."""
RECENT = "recent"
"""In an address: the last days."""
_REPLACED = ("replace", "replace-cross")
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """A day of a category, or its last days."""
    if asked.names["day"].lower() == RECENT:
        return answer_recent(octavo, asked)
    return answer_listing(octavo, asked, category(asked), day(asked))


def answer_category(_: Octavo, asked: Asked) -> Answer:
    """`/list/cs.LG` is the latest day."""
    name = category(asked) or ALL
    return Answer("", location=f"/list/{name}/new{'.json' if asked.as_json else ''}")


def answer_overview(octavo: Octavo, _: Asked) -> Answer:
    """`/list`: which categories and days there are."""
    followed = octavo.followed()
    data = {"categories": list(followed.categories), "days": list(followed.days)}
    return Answer("lists.html", {"followed": followed, "all": ALL}, data)


def answer_listing(octavo: Octavo, asked: Asked, name: str, on: str) -> Answer:
    """A day, the latest where `on` is empty, of a category or (empty) of all.

    Raises:
        PageError: nothing was announced there, or the list has no such page.
    """
    size = MOST_LISTED if asked.is_whole else SIZE
    try:
        view = octavo.listing(name, on, size, Paging(asked.page, size, 0).offset)
    except NotFound as error:
        raise _nothing(asked, name, on) from error
    return _answered(octavo, asked, name, view, size)


def _nothing(asked: Asked, name: str, on: str) -> PageError:
    """The error for a day or days on which nothing was announced."""
    say = asked.language.say
    where = say("in {category}", category=name) if name else say("in any category")
    when = say("on {date}", date=asked.language.day(on)) if _DAY.fullmatch(on) else say("on any day")
    if asked.path.startswith("/catchup/") and on:
        when = say("from {date} on", date=asked.language.day(on))
    return PageError(
        404,
        say("Nothing was announced {where} {when}, as far as this catalogue knows.", where=where, when=when),
        say("`octavo fetch arxiv {category}` asks arXiv for it.", category=name or "cs.LG"),
        link=("/list", say("What is here")),
    )


def _answered(octavo: Octavo, asked: Asked, name: str, view: ListingView, size: int) -> Answer:
    """A list in the form that is asked for.

    Raises:
        PageError: it has no such page.
    """
    say = asked.language.say
    paging = Paging(asked.page, size, view.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    if asked.is_whole:
        return Answer("listing.html", papers=announced(view, asked), title=f"Octavo: {name or say('All categories')}")
    is_recent = asked.names.get("day", "").lower() == RECENT
    values = {
        "view": view,
        "groups": list(grouped(view.entries, by_day=is_recent)),
        "written": octavo.written(entry.paper for entry in view.entries),
        "paging": paging,
        "name": name or ALL,
        "followed": octavo.followed(),
        "is_recent": is_recent,
        "stem": "/catchup/" if view.until and not is_recent else "/list/",
        "n_replaced": sum(view.counts.get(kind, 0) for kind in _REPLACED),
    }
    return Answer("listing.html", values, view.to_dict() | paging.to_dict())


def answer_recent(octavo: Octavo, asked: Asked) -> Answer:
    """`/list/cs.LG/recent`: what was new or cross-listed on the last days."""
    return _spanning(octavo, asked, category(asked), lambda *part: octavo.recent(category(asked), *part))


def answer_catch_up(octavo: Octavo, asked: Asked) -> Answer:
    """`/catchup/cs.LG/2026-06-25`: all that was announced from a day on, each paper once."""
    name = category(asked)
    if not (first := day(asked)):
        return Answer("", location=_address(name or ALL, "new", asked))
    return _spanning(octavo, asked, name, lambda *part: octavo.catch_up_on(name, first, *part))


def _spanning(octavo: Octavo, asked: Asked, name: str, find: Callable[[int, int], ListingView]) -> Answer:
    """The list of several days.

    Raises:
        PageError: nothing was announced on them, or the list has no such page.
    """
    size = MOST_LISTED if asked.is_whole else SIZE
    try:
        view = find(size, Paging(asked.page, size, 0).offset)
    except NotFound as error:
        raise _nothing(asked, name, asked.names.get("day", "")) from error
    return _answered(octavo, asked, name, view, size)


def answer_day(_: Octavo, asked: Asked) -> Answer:
    """`/2026-06-30`: that day of all categories.

    Raises:
        PageError: the address is no day, and of no other page.
    """
    given = asked.names["day"]
    if not _DAY.fullmatch(given):
        say = asked.language.say
        raise PageError(404, say("There is no such page."), say("The address may be mistyped."))
    return Answer("", location=_address(ALL, given, asked))


def answer_lately(_: Octavo, asked: Asked) -> Answer:
    """`/recent`: the last days of all categories."""
    return Answer("", location=_address(ALL, RECENT, asked))


def _address(name: str, on: str, asked: Asked) -> str:
    return f"/list/{name}/{on}{'' if asked.kind == 'html' else f'.{asked.kind}'}"


def announced(view: ListingView, asked: Asked) -> list[Paper]:
    """The papers of a whole list. A feed has those that are new or cross-listed: a replacement is no news."""
    return [entry.paper for entry in view.entries if asked.kind == "bib" or entry.kind not in _REPLACED]


def grouped(entries: tuple[EntryView, ...], *, by_day: bool = False) -> Iterator[tuple[str, str, list[EntryView]]]:
    """The entries by section: (`new`, `cross` or `replace`, the day where each has sections of its own, entries).

    `replace` holds both kinds of replacements.
    """

    def section(entry: EntryView) -> tuple[str, str]:
        return "replace" if entry.kind in _REPLACED else entry.kind, entry.day if by_day else ""

    for (kind, on), group in groupby(entries, section):
        yield kind, on, list(group)


def category(asked: Asked) -> str:
    """The category that the address names, in arXiv's letters; empty for all.

    Raises:
        PageError: arXiv has none of that name.
    """
    given = asked.names["category"]
    if given.lower() == ALL:
        return ""
    if name := category_named(given[:40]):
        return name
    say = asked.language.say
    near = like(given[:40])
    raise PageError(
        404,
        say("arXiv has no category “{name}”.", name=given[:40]),
        say("Did you mean {name}?", name=near[0]) if near else say("Categories are named as in cs.LG or stat.ML."),
        link=(f"/list/{near[0]}/new", near[0]) if near else ("/list", say("What is here")),
    )


def day(asked: Asked) -> str:
    """The day that the address names; empty for the latest.

    Raises:
        PageError: that is no day.
    """
    given = asked.names["day"]
    if given.lower() in ("new", "latest"):
        return ""
    try:
        if len(given) == 10:
            return date.fromisoformat(given).isoformat()
    except ValueError:
        pass
    say = asked.language.say
    raise PageError(
        404,
        say("“{day}” is no day.", day=given[:40]),
        say("Days are written as in 2026-06-30; `new` is the latest."),
        link=(f"/list/{category(asked) or ALL}/new", say("The latest day")),
    )


PAGES = (
    Page("/list", answer_overview),
    Page("/list/{category}/{day}", answer, kinds=("json", *LISTS)),
    Page("/list/{category}", answer_category),
    Page("/catchup/{category}/{day}", answer_catch_up, kinds=("json", *LISTS)),
    Page("/recent", answer_lately, kinds=("json", *LISTS)),
)
PAGES_BEHIND = (Page("/{day}", answer_day, kinds=("json", *LISTS)),)
"""Those that fit any address, and come last."""
