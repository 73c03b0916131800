"""`/list/<category>/new` and `/list/<category>/<date>`: what was announced on a day, by kind."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import groupby

from octavo.app import Octavo
from octavo.errors import NotFound
from octavo.records.paper import Paper
from octavo.sources.arxiv_categories import category_named, like
from octavo.views_pages import EntryView, ListingView
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.errors import PageError

SIZE = 100
ALL = "all"
"""In an address: all categories that are followed."""
_REPLACED = ("replace", "replace-cross")


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """A day of a category."""
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
    say = asked.language.say
    size = MOST_LISTED if asked.is_whole else SIZE
    try:
        view = octavo.listing(name, on, size, Paging(asked.page, size, 0).offset)
    except NotFound as error:
        where = say("in {category}", category=name) if name else say("in any category")
        when = say("on {date}", date=asked.language.day(on)) if on else say("on any day")
        raise PageError(
            404,
            say("Nothing was announced {where} {when}, as far as this catalogue knows.", where=where, when=when),
            say("`octavo fetch arxiv {category}` asks arXiv for it.", category=name or "cs.LG"),
            link=("/list", say("What is here")),
        ) from error
    paging = Paging(asked.page, size, view.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    if asked.is_whole:
        return Answer("listing.html", papers=announced(view, asked), title=f"Octavo: {name or say('All categories')}")
    values = {
        "view": view,
        "groups": list(grouped(view.entries)),
        "written": octavo.written(entry.paper for entry in view.entries),
        "paging": paging,
        "name": name or ALL,
        "followed": octavo.followed(),
        "n_replaced": sum(view.counts.get(kind, 0) for kind in _REPLACED),
    }
    return Answer("listing.html", values, view.to_dict() | paging.to_dict())


def announced(view: ListingView, asked: Asked) -> list[Paper]:
    """The papers of a whole list. A feed has those that are new or cross-listed: a replacement is no news."""
    return [entry.paper for entry in view.entries if asked.kind == "bib" or entry.kind not in _REPLACED]


def grouped(entries: tuple[EntryView, ...]) -> Iterator[tuple[str, list[EntryView]]]:
    """The entries by section: `new`, `cross` and `replace`; the last holds both kinds of replacements."""
    for kind, group in groupby(entries, lambda entry: "replace" if entry.kind in _REPLACED else entry.kind):
        yield kind, list(group)


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
)
