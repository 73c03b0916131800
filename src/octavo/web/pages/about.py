"""`/about`: what this is, where the reader's data are, and what leaves the machine."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from octavo.app import Octavo
from octavo.web.asked import Answer, Asked, Page


@cache
def _version() -> str:
    return version("octavo")


def answer(octavo: Octavo, _: Asked) -> Answer:
    """The about page."""
    total = octavo.newest(1).total
    values = {"version": _version(), "total": total, "home": str(octavo.home)}
    return Answer("about.html", values, values)


PAGES = (Page("/about", answer),)
