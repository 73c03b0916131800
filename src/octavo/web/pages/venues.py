"""`/venues`, `/venue/icml` and `/venue/icml/2025`: the venues, their years, and what appeared at an edition."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import quote

from octavo.app import Octavo
from octavo.app.venues import ORDERS
from octavo.errors import NotFound, UsageError
from octavo.query.parser import quoted
from octavo.views_venues import EditionView, VenueView
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.errors import PageError
from octavo.web.language import Language

SIZE = 50
FIELDS = ("ml", "ai", "nlp", "cv", "robotics", "speech", "ir", "data mining", "statistics", "theory", "medical",
    "graphics", "hci", "databases", "systems", "security", "software", "general")  # fmt: skip
"""The fields of venues, in the order in which their groups are shown."""
MOST_YEARS = 9
"""Years of a venue that are shown at once."""
SNIPPET = 320


def answer_venues(octavo: Octavo, asked: Asked) -> Answer:
    """All venues, grouped by field."""
    venues = octavo.venues()
    names = field_names(asked.language)

    def place(one: VenueView) -> int:
        return FIELDS.index(one.field) if one.field in FIELDS else len(FIELDS)

    groups = [
        (names.get(field, field), list(group))
        for field, group in groupby(sorted(venues, key=place), lambda one: one.field)
    ]
    values = {"groups": groups, "total": sum(one.total for one in venues), "most_years": MOST_YEARS}
    return Answer("venues.html", values, {"venues": [one.to_dict() for one in venues]})


def field_names(language: Language) -> dict[str, str]:
    """What the groups of venues are called."""
    say = language.say
    return {
        "ml": say("Machine learning"),
        "ai": say("Artificial intelligence"),
        "nlp": say("Language"),
        "cv": say("Vision"),
        "robotics": say("Robotics"),
        "speech": say("Speech and signals"),
        "ir": say("Information retrieval"),
        "data mining": say("Data mining"),
        "statistics": say("Statistics"),
        "theory": say("Theory"),
        "medical": say("Medicine and biology"),
        "graphics": say("Graphics"),
        "hci": say("People and computers"),
        "databases": say("Databases"),
        "systems": say("Systems"),
        "security": say("Security"),
        "software": say("Software"),
        "general": say("Science"),
        "": say("Others"),
    }


def answer_venue(octavo: Octavo, asked: Asked) -> Answer:
    """A venue's years."""
    view = _venue(octavo, asked)
    if asked.names["venue"] != view.key:
        return Answer("", location=_address(asked, view.key))
    return Answer("venue.html", {"venue": view}, view.to_dict())


def _address(asked: Asked, *names: str) -> str:
    return f"/venue/{'/'.join(names)}{'' if asked.kind == 'html' else f'.{asked.kind}'}"


def _venue(octavo: Octavo, asked: Asked) -> VenueView:
    """The venue that the address names.

    Raises:
        PageError: there is none, or no paper of it.
    """
    name = asked.names["venue"][:100]
    try:
        return octavo.venue(name)
    except NotFound as error:
        say = asked.language.say
        raise PageError(
            404,
            say("No paper in this catalogue appeared at a venue called “{name}”.", name=name),
            say("Venues are named as in /venue/icml; any name that one is known by will do."),
            link=("/venues", say("All venues")),
        ) from error


def answer_edition(octavo: Octavo, asked: Asked) -> Answer:
    """What appeared at an edition: a page of it, or with `all` the whole of it."""
    venue, year = _venue(octavo, asked), _year(asked)
    if asked.names["venue"] != venue.key:
        return Answer("", location=_address(asked, venue.key, str(year)))
    is_all = asked.kind == "html" and asked.values.get("all") == "1"
    size = MOST_LISTED if asked.is_whole else SIZE
    view = _edition(octavo, asked, venue, year, size, is_all)
    if asked.is_whole:
        return Answer("edition.html", papers=view.papers, title=f"Octavo: {view.name}")
    paging = Paging(1, max(view.matching, 1), view.matching) if is_all else Paging(asked.page, SIZE, view.matching)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    values = {
        "view": view,
        "paging": paging,
        "is_all": is_all,
        "sorts": _sorts(asked, view),
        "sort": asked.values.get("sort") or ORDERS[0],
        "within": asked.values.get("q", "").strip(),
        "award": asked.values.get("award", ""),
        "track": asked.values.get("track"),
        "is_part": any(asked.values.get(name) for name in ("q", "topic", "award")) or "track" in asked.values,
        "years": _near(venue, year),
        "all_of_search": f"/search?q={quote(f'venue:{quoted(view.name)}')}",
        "written": octavo.written(view.papers),
        "snippet_letters": SNIPPET,
    }
    return Answer("edition_all.html" if is_all else "edition.html", values, view.to_dict() | paging.to_dict())


def _edition(octavo: Octavo, asked: Asked, venue: VenueView, year: int, size: int, is_all: bool) -> EditionView:
    """The list that is asked for.

    Raises:
        PageError: no paper of that year is here, or there is no such order, topic or award.
    """
    say, values = asked.language.say, asked.values
    link = (f"/venue/{venue.key}", say("Its years"))
    try:
        return octavo.edition(
            venue.key,
            year,
            query=values.get("q", ""),
            topic=values.get("topic", ""),
            award=values.get("award", ""),
            track=values.get("track"),
            sort=values.get("sort") or ORDERS[0],
            limit=size,
            offset=0 if is_all else (asked.page - 1) * size,
            whole=is_all,
        )
    except NotFound as error:
        message = say("No paper of {venue} {year} is in this catalogue.", venue=venue.short, year=year)
        raise PageError(404, message, link=link) from error
    except UsageError as error:
        raise PageError(
            400,
            say("The list has no such order, topic or award."),
            link=(f"/venue/{venue.key}/{year}", say("The whole list")),
        ) from error


def _year(asked: Asked) -> int:
    """The year that the address names.

    Raises:
        PageError: it is none.
    """
    text = asked.names["year"]
    if text.isascii() and text.isdigit() and len(text) == 4:
        return int(text)
    say = asked.language.say
    raise PageError(
        404, say("“{year}” is no year.", year=text[:40]), link=(f"/venue/{asked.names['venue']}", say("Its years"))
    )


def _sorts(asked: Asked, view: EditionView) -> list[tuple[str, str]]:
    """The orders that make a difference."""
    say = asked.language.say
    labels = (say("Prizes and talks first"), say("By title"), say("By first author"))
    sorts = list(zip(ORDERS, labels, strict=True))
    if view.awards or asked.values.get("award") or len(view.tracks) > 1:
        return sorts
    return [(ORDERS[0], labels[1]), *sorts[2:]]


def _near(venue: VenueView, year: int) -> list[int]:
    """The years that are linked to: the one before, this one, the one after."""
    known = sorted(one for one, _ in venue.years if one)
    at = known.index(year) if year in known else 0
    return known[max(0, at - 2) : at + 3]


PAGES = (
    Page("/venues", answer_venues),
    Page("/venue/{venue}", answer_venue),
    Page("/venue/{venue}/{year}", answer_edition, kinds=("json", *LISTS)),
)
