"""The pages, one module each: values of the request, a call of the facade, a template."""

from octavo.web.asked import Page
from octavo.web.pages import (
    about,
    author,
    complete,
    front,
    glossary,
    guide,
    identify,
    library,
    listing,
    paper,
    search,
    similar,
    sources,
    term,
    topic,
    topics,
    trends,
    venues,
)

PAGES: tuple[Page, ...] = (
    *front.PAGES,
    *search.PAGES,
    *complete.PAGES,
    *similar.PAGES,  # before the paper's own, which fits any address below it
    *paper.PAGES,
    *author.PAGES,
    *listing.PAGES,
    *venues.PAGES,
    *topics.PAGES,
    *topic.PAGES,
    *glossary.PAGES,
    *term.PAGES,
    *trends.PAGES,
    *identify.PAGES,
    *library.PAGES,
    *sources.PAGES,
    *guide.PAGES,
    *about.PAGES,
    *listing.PAGES_BEHIND,
)
"""All of them; of two that fit an address the first answers."""
