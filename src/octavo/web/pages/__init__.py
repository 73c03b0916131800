"""The pages, one module each: values of the request, a call of the facade, a template."""

from octavo.web.asked import Page
from octavo.web.pages import about, author, front, guide, identify, listing, paper, search, sources

PAGES: tuple[Page, ...] = (
    *front.PAGES,
    *search.PAGES,
    *paper.PAGES,
    *author.PAGES,
    *listing.PAGES,
    *identify.PAGES,
    *sources.PAGES,
    *guide.PAGES,
    *about.PAGES,
)
"""All of them; of two that fit an address the first answers."""
