"""`/search?q=`: what a query finds, the best first."""

from __future__ import annotations

from octavo.app import Octavo
from octavo.query.marking import Marker
from octavo.web.asked import MOST_LISTED, Answer, Asked, Page, Paging

SIZE = 20
EXAMPLES = (
    "graph neural networks year:2023..",
    '"attention is all you need"',
    "author:bengio venue:iclr",
    "diffusion -image",
    "title:(protein design)",
    "1706.03762",
)
"""Queries that show what can be asked; a paper's identifier is one."""


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The answer to a query; without one, what can be asked."""
    query = asked.values.get("q", "").strip()
    if not query:
        return Answer("search_empty.html", {"examples": EXAMPLES}, {"query": "", "total": 0, "hits": [], "notes": []})
    if asked.is_whole:
        hits = octavo.search(query, MOST_LISTED).hits
        return Answer("search.html", papers=[hit.paper for hit in hits], title=f"Octavo: {query}")
    found = octavo.search(query, SIZE, (asked.page - 1) * SIZE)
    paging = Paging(asked.page, SIZE, found.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    values = {
        "found": found,
        "paging": paging,
        "marker": Marker.of(found.words),
        "written": octavo.written(hit.paper for hit in found.hits),
    }
    return Answer("search.html", values, found.to_dict() | paging.to_dict())


PAGES = (Page("/search", answer, kinds=("json", "bib")),)
