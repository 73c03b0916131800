"""`/`: the latest announcement day, else what came in last; how to fill the catalogue where it is empty."""

from __future__ import annotations

from dataclasses import replace

from octavo.app import Octavo
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.pages.listing import answer_listing
from octavo.web.visits import COOKIE_NAME, since

SIZE = 50


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The front page, and what came in since the last visit to it."""
    found = answer_newest(octavo, asked)
    if asked.kind != "html":
        return found
    news, visit = since(octavo, asked)
    return replace(found, values={**found.values, "since": news}, cookies={COOKIE_NAME: visit})


def answer_newest(octavo: Octavo, asked: Asked) -> Answer:
    """The latest announcement day, else what came in last."""
    if octavo.followed().days:
        return answer_listing(octavo, asked, "", "")
    size = MOST_LISTED if asked.is_whole else SIZE
    found = octavo.newest(size, Paging(asked.page, size, 0).offset)
    if not found.total and not asked.is_whole:
        return Answer("empty.html", {"home": str(octavo.home)}, found.to_dict())
    paging = Paging(asked.page, size, found.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    title = asked.language.say("Newest in the catalogue")
    if asked.is_whole:
        return Answer("newest.html", papers=found.papers, title=f"Octavo: {title}")
    values = {"found": found, "written": octavo.written(found.papers), "paging": paging}
    return Answer("newest.html", values, found.to_dict() | paging.to_dict())


PAGES = (Page("/", answer, kinds=("json", *LISTS)),)
