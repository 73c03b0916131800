"""`/paper/<id>/similar`: the papers related to a paper, the nearest or the newest first."""

from __future__ import annotations

from dataclasses import replace

from octavo.app import Octavo
from octavo.app.similar import SORTS
from octavo.query.marking import Marker
from octavo.web.asked import Answer, Asked, Page, Paging
from octavo.web.errors import PageError
from octavo.web.pages.paper import find

SIZE = 20


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The papers related to a paper.

    Raises:
        PageError: there is no such paper, order, or page of the list.
    """
    paper = find(octavo, asked, asked.names["name"]).paper
    if asked.names["name"] != paper.id:
        return Answer("", location=_own_address(paper.id, asked))
    sort = asked.values.get("sort", SORTS[0])
    if sort not in SORTS:
        say = asked.language.say
        raise PageError(
            400,
            say("There is no order “{name}”.", name=sort[:40]),
            link=(asked.with_values(sort=None, page=None), say("Related papers")),
        )
    if asked.is_whole:
        hits = octavo.similar([paper.id], limit=100, sort=sort).hits
        return Answer("similar.html", papers=[hit.paper for hit in hits], title=f"Octavo: {paper.title}")
    found = octavo.similar([paper.id], limit=SIZE, offset=(asked.page - 1) * SIZE, sort=sort)
    paging = Paging(asked.page, SIZE, found.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    values = {
        "paper": paper,
        "found": found,
        "paging": paging,
        "marker": Marker.of(found.words),
        "written": octavo.written([paper, *(hit.paper for hit in found.hits)]),
    }
    return Answer("similar.html", values, found.to_dict() | paging.to_dict())


def _own_address(paper_id: str, asked: Asked) -> str:
    """Where the list is under the paper's own id."""
    own = replace(asked, path=f"/paper/{paper_id}/similar")
    return own.with_values(kind="" if asked.kind == "html" else asked.kind)


PAGES = (Page("/paper/{name:path}/similar", answer, kinds=("json", "bib")),)
