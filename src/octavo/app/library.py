"""Use cases: the reader's library, and what came in since the last visit."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from octavo.app.base import Progress, names_of, silent, told
from octavo.app.judgements import Judgements
from octavo.catalogue import storage_errors
from octavo.catalogue.arrivals import Arrivals
from octavo.catalogue.library import SHOWS, Acting, Library
from octavo.catalogue.said import MAX_NAME, MAX_QUERY, READ, SAVED, Done, note_of, tag_of
from octavo.catalogue.tombstones import Tombstones
from octavo.errors import IdentifierError, MissingFileError, NotFound, SourceError, UsageError
from octavo.records.ids import parse_identifier
from octavo.sources.registry import get_source
from octavo.views import JudgedView
from octavo.views_library import (
    ActView,
    ArrivedView,
    DoneView,
    ImportView,
    LibraryEntryView,
    LibraryView,
    SavedSearchView,
    ShelfView,
    UndoneView,
)

_OWN_ID = re.compile(r"p[a-z2-7]{12}")
Names = Sequence[str]


class LibraryCases(Judgements):
    """Save, read, tag, note, undo; the library as a list and as a file; saved searches."""

    @property
    def _library(self) -> Library:
        return Library(self._catalogue.database)

    # -- acts --------------------------------------------------------------------------------------------------------

    def save(self, names: Names, tags: Names = ()) -> ActView:
        """Save papers, named by any of their ids, with tags. What is unknown is told in the view; the others are saved.

        Raises:
            UsageError: a tag that can't be kept.
            HomeError: the home can't be written.
        """
        clean = _tags(tags) if tags else ()

        def put(act: Acting, paper: str) -> None:
            act.mark(paper, SAVED)
            for tag in clean:
                act.tag(paper, tag)

        return self._on_each("save", names, put, clean)

    def unsave(self, names: Names) -> ActView:
        """Take papers out of what is saved; their tags and notes stay."""
        return self._on_each("unsave", names, lambda act, paper: act.unmark(paper, SAVED))

    def mark_read(self, names: Names) -> ActView:
        """Mark papers as read."""
        return self._on_each("read", names, lambda act, paper: act.mark(paper, READ))

    def mark_unread(self, names: Names) -> ActView:
        """Mark papers as not read."""
        return self._on_each("unread", names, lambda act, paper: act.unmark(paper, READ))

    def tag(self, names: Names, tags: Names) -> ActView:
        """Give papers tags.

        Raises:
            UsageError: no tag, or one that can't be kept: empty, with a comma, of over 100 letters.
        """
        clean = _tags(tags)

        def put(act: Acting, paper: str) -> None:
            for tag in clean:
                act.tag(paper, tag)

        return self._on_each("tag", names, put, clean)

    def untag(self, names: Names, tags: Names) -> ActView:
        """Take tags from papers.

        Raises:
            UsageError: no tag.
        """
        clean = _tags(tags)

        def put(act: Acting, paper: str) -> None:
            for tag in clean:
                act.untag(paper, tag)

        return self._on_each("untag", names, put, clean)

    def note(self, name: str, text: str, *, before: str | None = None) -> ActView:
        """Let `text` be the note on a paper; an empty one takes it away. `before` is the note that the reader saw.

        Raises:
            NotFound: no such paper.
            UsageError: the note is too long, or is another by now than `before`.
        """
        note = note_of(text)

        def put(act: Acting, paper: str) -> None:
            if before is not None:
                now = self._library.shelves([paper]).get(paper)
                if (now.note if now else "") not in (note_of(before), note):
                    raise UsageError(
                        "The note was changed since, in another window or program.",
                        hint="Look at it before you write over it.",
                    )
            act.note(paper, note)

        view = self._on_each("note", [name], put)
        if view.unknown:
            raise NotFound(view.unknown[0][1])
        return view

    @told
    def save_search(self, name: str, query: str) -> bool:
        """Save a query under a name, over what was saved there; an empty one takes it away. Whether that changed
        anything.

        Raises:
            UsageError: no name, or a name or query that is too long.
        """
        name, query = " ".join(name.split()), " ".join(query.split())
        if not name or len(name) > MAX_NAME or len(query) > MAX_QUERY:
            raise UsageError(
                "A saved search needs a name.", hint=f"At most {MAX_NAME} letters, and {MAX_QUERY:,} for the query."
            )
        self._make_home()
        with self._library.act("search") as act:
            return act.search(name, query)

    @told
    def undo(self, number: int = 0) -> JudgedView:
        """Take the last thing back that the reader said, be it in the library or a `join` or `split`. With `number`,
        that act of the library, if nothing was done since.

        Raises:
            NotFound: there is nothing to undo.
            UsageError: `number` is not the last act.
        """
        library = self._library
        if not number and library.last() is None:
            try:
                return super().undo()
            except NotFound:
                raise NotFound(
                    "Nothing was joined or split, and nothing was done in the library, that could be undone."
                ) from None
        done = library.undo(number)
        keys = library.keys_of(done.papers)
        papers = self._catalogue.get_papers(list(keys.values()))
        gone = tuple(paper for paper in done.papers if paper not in keys)
        return UndoneView(f"undo {done.kind}", tuple(papers.values()), gone, done.values)

    @told
    def _on_each(self, kind: str, names: Names, do: Callable[[Acting, str], object], values: Names = ()) -> ActView:
        """Do something with every paper that is known, in one act."""
        library = self._library
        papers, unknown = self._known(names_of(names))
        number, changed = 0, frozenset[str]()
        if papers:
            with library.act(kind) as act:
                library.settle()
                papers = dict.fromkeys(map(library.paper_of, papers))
                for paper in papers:
                    do(act, paper)
                changed = frozenset(act.changed)
            number = act.number
        titles = library.titles(list(papers))
        shown = tuple((paper, titles.get(paper, "")) for paper in papers)
        return ActView(kind, shown, changed, unknown, tuple(values), number)

    def _known(self, names: Names) -> tuple[dict[str, None], tuple[tuple[str, str], ...]]:
        """The ids of the papers that have these names, those that are gone from the catalogue too; the rest with the
        reason."""
        papers: dict[str, None] = {}
        unknown: dict[str, str] = {}
        own = self._library.keys_of([name for name in names if _OWN_ID.fullmatch(name)])
        for name in dict.fromkeys(one.strip() for one in names):
            if name in own:
                papers[name] = None
                continue
            try:
                pk = self._get_only(name)
            except (NotFound, UsageError) as error:
                if gone := self._gone(name):
                    papers[gone] = None
                else:
                    unknown[name] = str(error)
                continue
            papers[self._catalogue.get_papers([pk])[pk].id] = None
        return papers, tuple(unknown.items())

    def _gone(self, name: str) -> str:
        """The id of a paper that only the library knows."""
        library = self._library
        names = [name, library.paper_of(name)]
        with suppress(IdentifierError):
            names.append(str(parse_identifier(name)[0]))
        if found := next(filter(None, map(library.gone.find, names)), ""):
            return found
        return next((one for one in names[:2] if library.shelves([one])), "")

    # -- questions ---------------------------------------------------------------------------------------------------

    @told
    def shelves(self, ids: Sequence[str]) -> dict[str, ShelfView]:
        """What the reader said of these papers, by their ids of Octavo's; those of which nothing was said are left
        out."""
        found = self._library.shelves(ids)
        return {
            paper: ShelfView(one.saved_at, one.read_at, one.tags, one.note, one.noted_at)
            for paper, one in found.items()
        }

    @told
    def note_on(self, name: str) -> LibraryEntryView:
        """A paper, named by any id, with what the reader said of it.

        Raises:
            NotFound: no such paper.
        """
        papers, unknown = self._known([name])
        if unknown:
            raise NotFound(unknown[0][1])
        return next(self._entries(list(papers)))

    @told
    def library(self, show: str = "all", tag: str = "", limit: int = 50, offset: int = 0) -> LibraryView:
        """The library, or a part of it: one of `all`, `unread`, `saved`, `read`, `noted`, `tagged` and `gone`, or the
        papers of a tag. What was said last comes first.

        Raises:
            UsageError: no such part.
        """
        if show not in SHOWS:
            raise UsageError(f"The library has no part {show[:40]!r}.", hint=f"It has {', '.join(SHOWS)}.")
        library = self._library
        ids = library.ids(show, tag, limit, offset)
        counts = library.counts()
        searches = (SavedSearchView(name, *rest) for name, rest in library.searches().items())
        return LibraryView(
            show,
            tag,
            library.count(tag=tag) if tag else counts[show],
            tuple(self._entries(ids)),
            counts,
            library.tags(),
            tuple(searches),
            self.last_act(),
        )

    def _entries(self, ids: Sequence[str]) -> Iterator[LibraryEntryView]:
        library = self._library
        keys = library.keys_of(ids)
        papers = self._catalogue.get_papers(list(keys.values()))
        gone = library.gone.get([paper for paper in ids if paper not in keys])
        shelves = self.shelves(ids)
        for paper_id in ids:
            shelf = shelves.get(paper_id, ShelfView())
            if paper := papers.get(keys.get(paper_id, 0)):
                names = tuple(map(str, paper.identifiers))
                yield LibraryEntryView(paper_id, paper.title, paper.authors, paper.year, names, shelf, paper)
                continue
            known = gone.get(paper_id)
            stone = Tombstones(self._catalogue.database).find(paper_id)
            by, on = (get_source(stone.source).info.title, stone.deleted_on or "") if stone else ("", "")
            yield LibraryEntryView(
                paper_id,
                known.title if known else "",
                known.authors if known else (),
                known.year if known else None,
                known.identifiers if known else stone.identifiers if stone else (),
                shelf,
                None,
                by,
                on,
            )

    @told
    def last_act(self) -> DoneView | None:
        """What `undo` would take back in the library; None where it would take back a join, a split or nothing."""
        done = self._library.last()
        return self._shown(done) if done else None

    def _shown(self, done: Done) -> DoneView:
        first = self._library.titles(done.papers[:1])
        title = next(iter(first.values()), "")
        return DoneView(done.number, done.kind, done.said_at, len(done.papers), title, done.values)

    @told
    def tags(self) -> dict[str, int]:
        """Every tag with the number of its papers."""
        return self._library.tags()

    @told
    def saved_searches(self) -> tuple[SavedSearchView, ...]:
        """The searches that were saved."""
        return tuple(SavedSearchView(name, *rest) for name, rest in self._library.searches().items())

    @told
    def catalogue_key(self) -> str:
        """The catalogue's own random name."""
        return self._catalogue.key

    @told
    def form_secret(self) -> bytes:
        """What the pages sign their forms with."""
        return self._library.secret()

    @told
    def last_arrival(self) -> int:
        """The number of the paper that came in last; 0 where there is none."""
        return Arrivals(self._catalogue.database).last()

    @told
    def arrived(self, after: int, limit: int = 50, offset: int = 0) -> ArrivedView:
        """The papers that came in after the one of that number (`last_arrival`), what came last first."""
        arrivals = Arrivals(self._catalogue.database)
        keys = arrivals.keys(after, limit, offset) if limit else []
        papers = self._catalogue.get_papers(keys)
        shown = tuple(papers[pk] for pk in keys if pk in papers)
        return ArrivedView(arrivals.count(after), shown, arrivals.last())

    # -- as a file ---------------------------------------------------------------------------------------------------

    def export_library(self) -> Iterator[str]:
        """The library as lines of JSON (`docs/library.md`)."""
        from octavo.library_file import written

        with storage_errors(self._catalogue.database.path):
            yield from written(self._library, self._catalogue)

    @told
    def import_library(self, path: str | os.PathLike[str], progress: Progress = silent) -> ImportView:
        """Read a file of `export_library` into this library, in one act. What was said here before stays; what the
        file says of papers that are not here is kept until they are.

        Raises:
            MissingFileError: there is no such file.
            FormatError: it is no library file.
        """
        from octavo.library_file import Entry, Search, Taking, parsed

        where = Path(path)
        if not where.is_file():
            raise MissingFileError(f"There is no file {where}.")
        self._make_home()
        library, faults = self._library, []
        papers: dict[str, bool] = {}
        try:
            with where.open("rb") as file, library.act("import") as act:
                library.settle()
                taking = Taking(library, self._catalogue, act)
                size = where.stat().st_size
                for line, found in parsed(file):
                    progress("reading", file.tell(), size)
                    if isinstance(found, Entry):
                        paper, is_here = taking.take(found)
                        papers[paper] = is_here
                    elif isinstance(found, Search):
                        act.search(found.name, found.query, found.at)
                    else:
                        faults.append((line, found))
                changed, searches = len(act.changed), len(act.searches)
        except OSError as error:
            raise SourceError(f"{where} can't be read: {error.strerror or error}.") from error
        titles = library.titles([paper for paper, is_here in papers.items() if not is_here])
        missing = tuple((paper, titles.get(paper, "")) for paper, is_here in papers.items() if not is_here)
        return ImportView(len(papers), missing, changed, searches, tuple(faults), act.number)


def _tags(tags: Names) -> tuple[str, ...]:
    clean = tuple(dict.fromkeys(map(tag_of, names_of(tags))))
    if not clean:
        raise UsageError("No tag was given.")
    return clean
