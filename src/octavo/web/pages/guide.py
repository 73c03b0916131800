"""`/help`: how to ask, the addresses and the keys."""

from __future__ import annotations

from octavo.app import Octavo
from octavo.query.fields import FIELDS
from octavo.web.asked import Answer, Asked, Page


def answer(_octavo: Octavo, _asked: Asked) -> Answer:
    """The help page."""
    data = {"fields": [{"name": field.name, "example": field.example, "doc": field.doc} for field in FIELDS]}
    return Answer("help.html", {"fields": FIELDS}, data)


PAGES = (Page("/help", answer),)
