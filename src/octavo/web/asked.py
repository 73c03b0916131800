"""What a browser asks for: an address, values, and the choices that the reader made before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any
from urllib.parse import quote, urlencode

from octavo.app import Octavo
from octavo.records.paper import Paper
from octavo.web.errors import PageError
from octavo.web.language import Language

CHOICES: Mapping[str, tuple[str, ...]] = {
    "theme": ("system", "light", "dark"),
    "abstracts": ("folded", "open"),
    "keys": ("on", "off"),
    "glossary": ("on", "off"),
}
"""What a reader may choose by `?name=value`, which is then remembered; the usual first."""
COOKIE = "octavo_"
"""How the names of cookies begin: cookies are shared by all ports of a host."""
LISTS = ("atom", "rss", "bib")
"""Forms that a list of papers has besides HTML and JSON."""
KINDS = ("html", "json", *LISTS)
MOST_LISTED = 1_000
"""Papers of a whole list."""
MAX_PAGE = 100_000
"""The last page of a list that is looked for."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, as far as a page may look at it."""

    path: str
    """Without an ending such as `.json`."""
    values: Mapping[str, str]
    """Of the query; the last of each name."""
    language: Language
    choices: Mapping[str, str]
    """A value for each of CHOICES."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What the address holds in the places that a page's path names."""
    form: Mapping[str, str] | None = None
    """What was sent, where something was."""
    kind: str = "html"
    """In which form it is wanted: one of KINDS."""
    visit: str = ""
    """What the pages noted of the last visit (`web.visits`)."""
    is_signed_in: bool = False
    """Whether a password was asked for, and given."""

    @property
    def as_json(self) -> bool:
        """Whether a program asks for JSON."""
        return self.kind == "json"

    @property
    def is_whole(self) -> bool:
        """Whether a whole list is wanted, not a page of it."""
        return self.kind in LISTS

    @property
    def page(self) -> int:
        """Which page of a list, from 1.

        Raises:
            PageError: no number of a page.
        """
        text = self.values.get("page", "").strip() or "1"
        if text.isascii() and text.isdigit() and len(text) < 9 and int(text) >= 1:
            if int(text) > MAX_PAGE:
                raise self.no_such_page(int(text))
            return int(text)
        say = self.language.say
        raise PageError(
            400, say("“{text}” is no page number.", text=text[:40]), say("Pages are counted from 1."),
            link=(self.with_values(page=None), say("The first page")),
        )  # fmt: skip

    def no_such_page(self, page: int) -> PageError:
        """The error for a page behind the last one."""
        say = self.language.say
        return PageError(
            404,
            say("There is no page {page} of this list.", page=self.language.number(page)),
            link=(self.with_values(page=None), say("The first page")),
        )

    def with_values(self, *, kind: str = "", **changes: str | int | None) -> str:
        """This address with other values, of which None takes one away, and in another form."""
        values: dict[str, Any] = {name: value for name, value in self.values.items() if name not in changes}
        values |= {name: value for name, value in changes.items() if value is not None}
        for name in ("lang", *CHOICES):
            if name not in changes:
                values.pop(name, None)
        query = urlencode(values)
        stem = "/index" if kind and self.path == "/" else self.path
        # One slash at its start: with two it would be an address of another host.
        path = quote("/" + stem.lstrip("/"), safe="/:@!$&'()*+,;=~", errors="replace")
        path += f".{kind}" if kind else ""
        return f"{path}?{query}" if query else path


@dataclass(frozen=True, slots=True)
class Answer:
    """What a page has to say."""

    template: str
    """The name of its template; empty for a redirect."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """For the template."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """For JSON."""
    status: int = 200
    location: str = ""
    """Where the page is instead: an address of Octavo's own."""
    papers: Sequence[Paper] = ()
    """The papers of a list, for LISTS."""
    title: str = ""
    """What the list is called in a feed."""
    cookies: Mapping[str, str] = field(default_factory=dict)
    """What the browser is to remember, by names without COOKIE."""


@dataclass(frozen=True, slots=True)
class Paging:
    """Which part of a list is shown."""

    page: int
    size: int
    total: int

    @property
    def offset(self) -> int:
        """Entries before the first that is shown."""
        return (self.page - 1) * self.size

    @property
    def last_page(self) -> int:
        """The number of the last page; 1 of an empty list."""
        return max(1, -(-self.total // self.size))

    @property
    def first(self) -> int:
        """The number of the first entry that is shown."""
        return self.offset + 1

    @property
    def last(self) -> int:
        """The number of the last entry that is shown."""
        return min(self.total, self.offset + self.size)

    @property
    def is_beyond(self) -> bool:
        """Whether the list ends before this page."""
        return self.page > self.last_page

    @property
    def numbers(self) -> list[int]:
        """The pages that are linked to: the first, the last and those near this one; 0 where some are left out."""
        near = {1, self.last_page, *range(max(1, self.page - 2), min(self.last_page, self.page + 2) + 1)}
        shown = sorted(near)
        found = shown[:1]
        for before, n in pairwise(shown):
            # One page that is left out takes as much room as the sign for it.
            found += [n] if n == before + 1 else [n - 1, n] if n == before + 2 else [0, n]
        return found

    def to_dict(self) -> dict[str, int]:
        """`docs/pages.md`, "paging"."""
        return {"page": self.page, "pages": self.last_page, "page_size": self.size}


@dataclass(frozen=True, slots=True)
class Page:
    """One page: its address and what answers it. It is also there in other forms: under the address with `.json`."""

    path: str
    """With `{places}`; `{name:path}` may hold slashes."""
    answer: Callable[[Octavo, Asked], Answer]
    """Runs in a thread with an Octavo of its own."""
    takes_form: bool = False
    """Whether something may be sent to it, too."""
    kinds: tuple[str, ...] = ("json",)
    """Its forms besides HTML: some of KINDS."""
