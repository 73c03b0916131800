"""Use cases: help while typing."""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.app.base import Progress, silent, text_of, told
from octavo.app.finding import Finding
from octavo.config import index_path
from octavo.errors import BusyError, IdentifierError, OctavoError, UsageError
from octavo.records.ids import parse_identifier
from octavo.views_completion import CompletionView, ItemView, MeantView

if TYPE_CHECKING:
    from octavo.index.completion import Completion
    from octavo.rank.complete import Completed, Completer

_BEGUN = re.compile(r"(?:arxiv:|id:)?(\d{4}\.\d{0,5})", re.IGNORECASE)
MAX_COMPLETIONS = 50
"""Ways to go on in one answer."""
FEW = 1_000
"""Papers that are taken in at once, while the reader types: a fortieth of a second."""
_TRIED: dict[Path, int] = {}
"""Homes whose files are being made or can't be, with the number of the catalogue's change for which that was tried."""
_TRYING = threading.Lock()


class Completing(Finding):
    """Completion of what is typed, and what a mistyped query was meant to be."""

    @told
    def complete(self, text: str, limit: int = 10) -> CompletionView:
        """Ways in which a text may go on: papers, authors, venues, topics, terms, fields of queries.

        It never waits for what is derived: where titles and names are not there yet or behind the catalogue, they are
        brought up to date in the background, and what is there answers. An empty text has no completions, and makes all
        ready for the next one.

        Raises:
            UsageError: a limit that is not 1 to 50.
        """
        if not 1 <= limit <= MAX_COMPLETIONS:
            raise UsageError(f"A limit of completions is 1 to {MAX_COMPLETIONS}, not {limit}.")
        text = text_of(text, "What to complete")
        self._index.refresh()
        self._make_what_is_behind()
        if not text.strip():
            self._completer.warm_up()
            return CompletionView(text)
        if named := self._named_by(text, limit):
            return CompletionView(text, named)
        found = self._completer.complete(text, limit)
        return CompletionView(text, tuple(map(_item, found.items)), found.read_as)

    @told
    def did_you_mean(self, query: str) -> MeantView | None:
        """What a query that finds hardly anything was most likely meant to be, with the number of papers that finds;
        None where it finds enough as it stands, or nothing more is found by what is near."""
        from octavo.rank.spelling import suggest

        meant = suggest(self._index, query, self._completion_or_none(), self._of_the_reader)
        return MeantView(meant, self.search(meant, 1).total) if meant else None

    @told
    def make_completions(self, progress: Progress = silent) -> bool:
        """Bring titles and names for completion up to date; True where there was something to do.

        Nothing is done where another process is at it, or in a home that is not there or can't be written to.
        """
        if not self._catalogue.seq:
            return False
        with suppress(BusyError, OSError):
            return self._completion.catch_up(self._catalogue, lambda done, total: progress("indexing", done, total))
        return False

    @cached_property
    def _completion(self) -> Completion:
        from octavo.index.completion import Completion

        self._open.callback(self.__dict__.pop, "_completion", None)
        return Completion(index_path(self.home))

    @property
    def _completer(self) -> Completer:
        """What completes, with what it counted for as long as the index is the same."""
        from octavo.rank.complete import Completer

        state = (self._index.manifest, self._catalogue.key)
        if self.__dict__.get("_counted_at") != state:
            self._counted_at, self._counts = state, dict[str, int]()
        return Completer(self._index, self._completion, self._catalogue.get_papers, self._counts, self._of_the_reader)

    def _completion_or_none(self) -> Completion | None:
        return self._completion if self._completion.made_from(self._catalogue.key) else None

    def _named_by(self, text: str, limit: int) -> tuple[ItemView, ...]:
        """The papers of the identifier that the text is or begins to be."""
        from octavo.catalogue.headings import Headings
        from octavo.rank.complete import brief_of

        typed, found = text.strip(), list[tuple[int, str]]()
        with suppress(IdentifierError):
            identifier, _ = parse_identifier(typed)
            found = [(pk, str(identifier)) for pk in self._catalogue.find_by_identifier(identifier)[:limit]]
        if not found and (begun := _BEGUN.fullmatch(typed)):
            found = Headings(self._catalogue.database).beginning(f"arxiv:{begun[1]}", limit)
        papers = self._catalogue.get_papers([pk for pk, _ in found])
        return tuple(
            ItemView("paper", papers[pk].title, name.partition(":")[2], brief_of(papers[pk]), paper=papers[pk].id)
            for pk, name in found
            if pk in papers
        )

    def _make_what_is_behind(self) -> None:
        """Bring the files up to date: at once where that takes no time, else by a thread, one for all that ask."""
        seq, made = self._catalogue.seq, self._completion.made_from(self._catalogue.key)
        if not seq or (made is not None and made.seq == seq) or _TRIED.get(self.home) == seq:
            return
        with _TRYING:
            if _TRIED.get(self.home) == seq:
                return
            _TRIED[self.home] = seq
        if self._completion.n_behind(self._catalogue) <= FEW:
            _told_of(self.home, is_made=self.make_completions())
        else:
            threading.Thread(target=_make, args=(self.home,), name="completions", daemon=True).start()


def _make(home: Path) -> None:
    from octavo.app import Octavo

    with suppress(OctavoError), Octavo(home) as octavo:
        _told_of(home, is_made=octavo.make_completions())


def _told_of(home: Path, *, is_made: bool) -> None:
    """Let it be tried again, unless it can't be done: then not before the next change."""
    if is_made:
        with _TRYING:
            _TRIED.pop(home, None)


def _item(one: Completed) -> ItemView:
    paper = one.paper.id if one.paper else None
    return ItemView(one.kind, one.text, one.query, one.detail, one.count, paper, one.key, one.is_open)
