"""The reader's own in every page: what was said of a paper, and what a form needs. Asked for only where it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from octavo.app import Octavo
from octavo.views_library import DoneView, ShelfView
from octavo.web.language import Language
from octavo.web.safety import new_token

_NOTHING = ShelfView()


class Mine:
    """What templates know as `mine`; pages that are made for other readers have none."""

    def __init__(self, octavo: Octavo, papers: Iterable[str] = ()) -> None:
        """Ask `octavo`; of `papers`, ids that a page shows, at once."""
        self._octavo = octavo
        self._papers = list(papers)

    def of(self, paper: str) -> ShelfView:
        """What the reader said of a paper, named by its id."""
        if paper not in self._papers:
            return self._octavo.shelves([paper]).get(paper, _NOTHING)
        return self._shelves.get(paper, _NOTHING)

    @cached_property
    def _shelves(self) -> dict[str, ShelfView]:
        return self._octavo.shelves(self._papers)

    @cached_property
    def token(self) -> str:
        """What every form carries."""
        return new_token(self._octavo.form_secret())

    @cached_property
    def last(self) -> DoneView | None:
        """The last act in the library, if it can be undone."""
        return self._octavo.last_act()

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """All tags, those with the most papers first."""
        tags = self._octavo.tags()
        return tuple(sorted(tags, key=lambda tag: -tags[tag]))

    @cached_property
    def searches(self) -> tuple[str, ...]:
        """The queries that are saved."""
        return tuple(one.query for one in self._octavo.saved_searches())


def told(language: Language, done: DoneView) -> str:
    """An act as a sentence."""
    say, what = language.say, ", ".join(done.values)
    title = done.title if done.n_papers == 1 else language.count("{n} paper", "{n} papers", done.n_papers)
    match done.kind:
        case "save":
            return say("Saved: {title}", title=title)
        case "unsave":
            return say("No longer saved: {title}", title=title)
        case "read":
            return say("Marked as read: {title}", title=title)
        case "unread":
            return say("Marked as not read: {title}", title=title)
        case "tag":
            return say("Tagged “{tags}”: {title}", tags=what, title=title)
        case "untag":
            return say("No longer tagged “{tags}”: {title}", tags=what, title=title)
        case "note":
            return say("Note changed: {title}", title=title)
        case "search":
            return say("Saved searches changed: {name}", name=what)
    return say("Read in from a file: {title}", title=title)
