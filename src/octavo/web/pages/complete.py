"""`/complete?q=`: help while typing, for the search box and for jumping (Ctrl-K); a plain page of links, too."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from octavo.app import Octavo
from octavo.records.fold import fold
from octavo.views_completion import ItemView
from octavo.web.asked import Answer, Asked, Page
from octavo.web.language import CODES, NAMES, Language

SHOWN = 10
"""Ways to go on that are offered."""
SHOWN_PAGES = 5
"""Pages of Octavo's own among them."""
MAX_TYPED = 200
"""Characters of a text that is completed."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the list."""

    item: ItemView
    label: str
    """What it is, in the reader's language."""
    beside: str
    """What else is to be said of it, in the reader's language."""
    address: str
    """Where it leads; empty where it only goes on with the query."""
    choice: tuple[str, str] | None = None
    """How pages are to look from now on: a name and a value for the address of the page that is open."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "complete"."""
        return {
            **self.item.to_dict(),
            "label": self.label,
            "beside": self.beside,
            "address": self.address or None,
            "choice": list(self.choice) if self.choice else None,
        }


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The ways in which a text may go on; those of jumping have pages and choices among them."""
    text = asked.values.get("q", "")[:MAX_TYPED]
    is_jump = asked.values.get("for") == "jump" or not asked.as_json
    found = octavo.complete(text, SHOWN)
    offers = list(_pages(asked, text))[: SHOWN_PAGES if text.strip() else SHOWN] if is_jump else []
    offers += [_offer(asked.language, one) for one in found.items][: SHOWN - len(offers)]
    data = {"text": text, "read_as": found.read_as or None, "items": [one.to_dict() for one in offers]}
    values = {"text": text, "read_as": found.read_as, "offers": offers}
    return Answer("complete.html", values, data)


def _offer(language: Language, item: ItemView) -> Offer:
    detail = language.say(item.detail) if item.kind == "field" else item.detail
    count = language.count("{n} paper", "{n} papers", item.count) if item.count is not None else ""
    return Offer(item, _label(language, item.kind), " · ".join(filter(None, (count, detail))), _address(item))


def _label(language: Language, kind: str) -> str:
    say = language.say
    match kind:
        case "paper":
            return say("paper")
        case "author":
            return say("author")
        case "venue":
            return say("venue")
        case "topic":
            return say("topic")
        case "term":
            return say("term")
        case "category":
            return say("category")
        case "value":
            return say("value")
    return say("field")


def _address(item: ItemView) -> str:
    if item.is_open:
        return ""
    if item.paper:
        return f"/paper/{item.paper}"
    if item.kind == "author" and item.query.startswith("author:"):
        return f"/authors/{quote(item.text, safe='', errors='replace')}"
    return f"/search?{urlencode({'q': item.query}, errors='replace')}"


# -- pages and choices ------------------------------------------------------------------------------------------------


def _pages(asked: Asked, text: str) -> Iterator[Offer]:
    """The pages of Octavo's own and the looks whose names begin as was typed; without a text all pages."""
    say, wanted = asked.language.say, fold(text.strip())
    for address, name in _own_pages(asked.language):
        if _begins(wanted, say(name), name, address.strip("/")):
            yield Offer(ItemView("page", say(name), address), say("page"), "", address)
    for name, value, title in _choices(asked):
        if wanted and _begins(wanted, title, name, value):
            address = f"/?{urlencode({name: value})}"
            yield Offer(ItemView("choice", title, address), say("look"), "", address, (name, value))


def _own_pages(language: Language) -> Iterator[tuple[str, str]]:
    """The pages that are there, as (address, name)."""
    from octavo.web.pages import PAGES  # late: this page is one of them

    there = {page.path for page in PAGES}
    say = language.say
    named = (
        ("/", say("Start")), ("/list", say("Daily")), ("/library", say("Library")), ("/topics", say("Topics")),
        ("/glossary", say("Glossary")), ("/venues", say("Venues")), ("/identify", say("Identify")),
        ("/sources", say("Sources")), ("/help", say("Help")), ("/about", say("About")),
    )  # fmt: skip
    for address, name in named:
        if address in there:
            yield address, name
        if address == "/help":
            yield "/help#keys", say("Keys")


def _choices(asked: Asked) -> Iterator[tuple[str, str, str]]:
    """How pages may look, as (name, value, title)."""
    say = asked.language.say
    yield "theme", "light", say("Light")
    yield "theme", "dark", say("Dark")
    yield "theme", "system", say("As the system")
    yield "abstracts", "open", say("Unfold all abstracts")
    yield "abstracts", "folded", say("Fold all abstracts")
    for code in CODES:
        if code != asked.language.code:
            yield "lang", code, NAMES[code]


def _begins(wanted: str, *names: str) -> bool:
    """Whether a word of one of the names begins so."""
    return any(f" {fold(name)}".find(f" {wanted}") >= 0 or (not wanted.isascii() and wanted in name) for name in names)


def warm_up(octavo: Octavo) -> None:
    """Have the tables read before the reader types the first letter."""
    octavo.complete("")


PAGES = (Page("/complete", answer),)
