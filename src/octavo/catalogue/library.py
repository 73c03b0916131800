"""The library: what the reader saved, read, tagged and noted, the searches that were saved, and how each act is undone.

Rows name papers by their ids. When a paper gets another id, or its sources delete it, triggers of the schema
(`library_follows` and its neighbours) let the rows follow in the same transaction, whoever makes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from octavo.catalogue.database import Database
from octavo.catalogue.gone import Gone
from octavo.catalogue.said import NOTE, READ, SAVED, SEARCH, TAG, Done, Shelf, moment, shelf_of
from octavo.errors import NotFound, UsageError
from octavo.records.fold import fold

SHOWS = ("all", "unread", "saved", "read", "noted", "tagged", "gone")
"""Parts of the library that can be listed; `all` is what is saved, tagged or noted, `unread` what of it is not read."""
KEPT_ACTS = 1_000
"""Acts that can be undone; older ones are forgotten."""
_CHUNK = 300
"""Values in one IN list; a question may have three of them, and SQLite's oldest limit is 999."""
_TABLES = {SAVED: "marks", READ: "marks", TAG: "tags", NOTE: "notes"}
_PARTS = {
    "all": "kept = 1",
    "unread": "kept = 1 AND read_at = ''",
    "saved": "saved = 1",
    "read": "read_at <> ''",
    "noted": "noted = 1",
    "tagged": "tagged = 1",
    "gone": "paper IN (SELECT id FROM gone_papers)",
    "any": "1",
}
"""The parts of the library as conditions on `shelves`, each of which has its index."""
_ONCE = """(t.given IS NULL OR NOT EXISTS (SELECT 1 FROM tags AS o
    WHERE o.paper = t.paper AND o.tag = t.tag AND (o.given IS NULL OR o.rowid > t.rowid)))"""
"""Of a tag that two papers had before they were joined: once."""


class Library:
    """Questions to the library, and acts on it."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute
        self.gone = Gone(database)

    # -- questions ---------------------------------------------------------------------------------------------------

    def pks(self, kind: str, value: str = "") -> set[int]:
        """The keys of the papers of which that was said: `saved`, `read`, `noted`, `tagged`, `tag` with its name, `all`
        for what is saved, tagged or noted; `unread` are all papers of the catalogue that are not marked as read.

        Raises:
            UsageError: no such kind.
        """
        names: list[str] = []
        if kind == "unread":
            where = "id NOT IN (SELECT paper FROM marks WHERE kind = 'read')"
        elif kind == TAG or (kind == "tagged" and value):
            names = self.spellings(value)
            where = f"id IN (SELECT paper FROM tags WHERE tag IN ({','.join('?' * len(names))}))"  # noqa: S608
        elif kind in _PARTS:
            where = f"id IN (SELECT paper FROM shelves WHERE {_PARTS[kind]})"  # noqa: S608
        else:
            raise UsageError(f"The library has no {kind[:40]!r}.", hint=f"It has {', '.join((*SHOWS, TAG))}.")
        return {row[0] for row in self._run(f"SELECT pk FROM papers WHERE {where}", names)}  # noqa: S608 - constants

    def shelves(self, ids: Sequence[str]) -> dict[str, Shelf]:
        """What was said of each of these papers; those of which nothing was said are left out."""
        found: dict[str, dict[str, list[tuple[str, str]]]] = {}
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            rows = self._run(
                f"SELECT paper, kind, at, '' FROM marks WHERE paper IN ({marks})"  # noqa: S608 - question marks
                f" UNION ALL SELECT paper, 'tag', at, tag FROM tags WHERE paper IN ({marks})"
                f" UNION ALL SELECT paper, 'note', at, text FROM notes WHERE paper IN ({marks})",
                (*part, *part, *part),
            )
            for paper, kind, at, value in rows:
                found.setdefault(paper, {}).setdefault(kind, []).append((at, value))
        return {paper: shelf_of(said) for paper, said in found.items()}

    def ids(self, show: str = "all", tag: str = "", limit: int = 50, offset: int = 0) -> list[str]:
        """Ids of the papers of a part of the library, or of a tag: what was said last comes first."""
        source, values, at = self._part(show, tag)
        rows = self._run(
            f"SELECT paper FROM {source} ORDER BY {at} DESC, paper DESC LIMIT ? OFFSET ?",  # noqa: S608 - constants
            (*values, limit, offset),
        )
        return [row[0] for row in rows]

    def count(self, show: str = "all", tag: str = "") -> int:
        """How many papers `ids` gives."""
        source, values, _ = self._part(show, tag)
        return int(self._run(f"SELECT count(*) FROM {source}", values).fetchone()[0])  # noqa: S608 - constants

    def counts(self) -> dict[str, int]:
        """How many papers each of SHOWS has."""
        columns = ", ".join(f"coalesce(sum({_PARTS[show]}), 0)" for show in SHOWS if show != "gone")
        row = self._run(f"SELECT {columns} FROM shelves").fetchone()  # noqa: S608 - constants
        return dict(zip(SHOWS, row, strict=False)) | {"gone": self.count("gone")}

    def _part(self, show: str, tag: str) -> tuple[str, list[str], str]:
        """Where a part is, with the values to fill in, and the column of its order."""
        if tag:
            names = self.spellings(tag)
            return f"tags AS t WHERE tag IN ({','.join('?' * len(names))}) AND {_ONCE}", names, "at"
        return f"shelves WHERE {_PARTS[show]}", [], "read_at" if show == "read" else "at"

    def tags(self) -> dict[str, int]:
        """Every tag with the number of its papers, in the order of the alphabet."""
        rows = self._run(f"SELECT tag, count(*) FROM tags AS t WHERE {_ONCE} GROUP BY tag").fetchall()  # noqa: S608
        return dict(sorted(rows, key=lambda row: (fold(row[0]), row[0])))

    def spellings(self, tag: str) -> list[str]:
        """The tags that are this one: case and accents do not matter."""
        key = fold(tag)
        return [name for name in self._tag_names() if fold(name) == key]

    def _tag_names(self) -> Iterator[str]:
        """Every tag, without reading all rows that have it."""
        name = ""
        while name := self._run("SELECT min(tag) FROM tags WHERE tag > ?", (name,)).fetchone()[0]:
            yield name

    def searches(self) -> dict[str, tuple[str, str]]:
        """The saved searches: (query, when it was saved) by name."""
        rows = self._run("SELECT name, query, at FROM saved_searches").fetchall()
        return {name: (query, at) for name, query, at in sorted(rows, key=lambda row: (fold(row[0]), row[0]))}

    def keys_of(self, ids: Sequence[str]) -> dict[str, int]:
        """The papers' keys in the catalogue, of those that are in it."""
        return dict(self._in("SELECT id, pk FROM papers WHERE id IN", ids))

    def titles(self, ids: Sequence[str]) -> dict[str, str]:
        """The titles of papers, of those that are gone too."""
        found = dict(self._in("SELECT id, title FROM gone_papers WHERE id IN", ids))
        return found | dict(self._in("SELECT id, title FROM papers WHERE id IN", ids))

    def _in(self, select: str, values: Sequence[str]) -> Iterator[tuple[str, Any]]:
        for start in range(0, len(values), _CHUNK):
            part = values[start : start + _CHUNK]
            yield from self._run(f"{select} ({','.join('?' * len(part))})", tuple(part))

    def secret(self) -> bytes:
        """The catalogue's own secret, by which its pages know their forms again."""
        row = self._run("SELECT value FROM meta WHERE key = 'forms'").fetchone()
        return str(row[0]).encode() if row else b""

    def paper_of(self, given: str) -> str:
        """The present id of what had that id once; that id itself where no paper has taken its place."""
        paper = given
        for _ in range(50):
            if self._run("SELECT 1 FROM papers WHERE id = ?", (paper,)).fetchone():
                return paper
            alias = self._run("SELECT paper FROM aliases WHERE id = ?", (paper,)).fetchone()
            if alias is None:
                break
            paper = alias[0]
        return paper

    # -- acts --------------------------------------------------------------------------------------------------------

    @contextmanager
    def act(self, kind: str) -> Iterator[Acting]:
        """Do something that can be undone, in one transaction; where nothing changes there is nothing to undo.

        It is on the disk when this ends: unlike what sources say, nobody can give it again.
        """
        with self._durable(), self._database.write():
            row = self._run(
                "INSERT INTO library_acts (kind, ruled, said_at)"
                " VALUES (?, (SELECT coalesce(max(pk), 0) FROM acts), ?)",
                (kind, moment()),
            )
            acting = Acting(self, self._database, int(row.lastrowid or 0))
            yield acting
            if acting.changed or acting.searches:
                self._run("DELETE FROM library_acts WHERE pk <= ?", (acting.number - KEPT_ACTS,))
            else:
                self._run("DELETE FROM library_acts WHERE pk = ?", (acting.number,))
                acting.number = 0

    @contextmanager
    def _durable(self) -> Iterator[None]:
        if self._database.is_readonly:  # `write` says so
            yield
            return
        self._run("PRAGMA synchronous=FULL")
        try:
            yield
        finally:
            self._run("PRAGMA synchronous=NORMAL")

    def last(self) -> Done | None:
        """The last act that is in force; None where there is none, or where a join or split came after it."""
        row = self._run(
            "SELECT pk, kind, said_at FROM library_acts WHERE undone_at IS NULL"
            " AND ruled >= (SELECT coalesce(max(pk), 0) FROM acts WHERE undone_at IS NULL) ORDER BY pk DESC LIMIT 1"
        ).fetchone()
        return self._done(*row) if row else None

    def _done(self, number: int, kind: str, said_at: str) -> Done:
        rows = self._run("SELECT kind, given, value FROM library_changes WHERE act = ?", (number,)).fetchall()
        papers = dict.fromkeys(given for what, given, _ in rows if what != SEARCH)
        values = dict.fromkeys(value if what == TAG else given for what, given, value in rows if what in (TAG, SEARCH))
        return Done(number, kind, said_at, tuple(dict.fromkeys(map(self.paper_of, papers))), tuple(values))

    def undo(self, number: int = 0) -> Done:
        """Take the last act back.

        Raises:
            NotFound: there is none.
            UsageError: `number` is given, and the last act is another.
        """
        with self._durable(), self._database.write():
            last = self.last()
            if last is None:
                raise NotFound("There is nothing in the library to undo.")
            if number and last.number != number:
                raise UsageError("Something else was done since.", hint="The library shows what was done last.")
            rows = self._run(
                "SELECT is_added, kind, given, value, at FROM library_changes WHERE act = ? ORDER BY rowid DESC",
                (last.number,),
            ).fetchall()
            for is_added, kind, given, value, at in rows:
                (self._take if is_added else self._put)(kind, given, value, at)
            self._run("UPDATE library_acts SET undone_at = ? WHERE pk = ?", (moment(), last.number))
        return last

    def settle(self) -> None:
        """Let what was said of papers that went away, or were not here yet, be about papers that carry one of their
        identifiers; inside a transaction."""
        for old, paper in self.gone.returned().items():
            self._run("INSERT OR REPLACE INTO aliases VALUES (?, ?)", (old, paper))

    def _put(self, kind: str, given: str, value: str, at: str) -> None:
        """Write one row, as it was said under that id."""
        if kind == SEARCH:
            self._run("INSERT OR REPLACE INTO saved_searches VALUES (?, ?, ?)", (given, value, at))
            return
        paper = self.paper_of(given)
        former = given if paper != given else None
        if kind == TAG:
            self._run(
                "INSERT OR REPLACE INTO tags (paper, tag, at, given) VALUES (?, ?, ?, ?)", (paper, value, at, former)
            )
        elif kind == NOTE:
            self._run(
                "INSERT OR REPLACE INTO notes (paper, text, at, given) VALUES (?, ?, ?, ?)", (paper, value, at, former)
            )
        else:
            self._run(
                "INSERT OR REPLACE INTO marks (paper, kind, at, given) VALUES (?, ?, ?, ?)", (paper, kind, at, former)
            )

    def _take(self, kind: str, given: str, value: str, _at: str = "") -> None:
        """Take one row away."""
        if kind == SEARCH:
            self._run("DELETE FROM saved_searches WHERE name = ?", (given,))
        elif kind == TAG or (kind == "tagged" and value):
            self._run("DELETE FROM tags WHERE coalesce(given, paper) = ? AND tag = ?", (given, value))
        elif kind == NOTE:
            self._run("DELETE FROM notes WHERE coalesce(given, paper) = ?", (given,))
        else:
            self._run("DELETE FROM marks WHERE coalesce(given, paper) = ? AND kind = ?", (given, kind))


class Acting:
    """One act while it is done. Each method says whether it changed anything."""

    def __init__(self, library: Library, database: Database, number: int) -> None:
        """Note what is done as act `number`."""
        self._library = library
        self._run = database.connection.execute
        self.number = number
        """The act's number; 0 once it is seen that nothing changed."""
        self.changed: dict[str, None] = {}
        """The papers of which something else is said than before."""
        self.searches: dict[str, None] = {}
        self._spellings: dict[str, str] | None = None

    def mark(self, paper: str, kind: str, at: str = "") -> bool:
        """Mark a paper as SAVED or READ; one that is marked stays so."""
        if self._rows(paper, kind):
            return False
        return self._add(kind, paper, "", at)

    def tag(self, paper: str, tag: str, at: str = "") -> bool:
        """Give a paper a tag, as it is spelt where it is known already."""
        if self._spellings is None:
            self._spellings = {fold(name): name for name in self._library.tags()}
        key = fold(tag)
        if any(fold(value) == key for _, value, _ in self._rows(paper, TAG)):
            return False
        return self._add(TAG, paper, self._spellings.setdefault(key, tag), at)

    def note(self, paper: str, text: str, at: str = "") -> bool:
        """Let this be the note on a paper; an empty one is none."""
        rows = self._rows(paper, NOTE)
        if [value for _, value, _ in rows] == ([text] if text else []):
            return False
        for given, value, before in rows:
            self._drop(NOTE, paper, given, value, before)
        if text:
            self._add(NOTE, paper, text, at)
        return True

    def unmark(self, paper: str, kind: str) -> bool:
        """Take a mark away."""
        rows = self._rows(paper, kind)
        for given, value, at in rows:
            self._drop(kind, paper, given, value, at)
        return bool(rows)

    def untag(self, paper: str, tag: str) -> bool:
        """Take a tag away."""
        names = self._library.spellings(tag)
        rows = [row for row in self._rows(paper, TAG) if row[1] in names]
        for given, value, at in rows:
            self._drop(TAG, paper, given, value, at)
        return bool(rows)

    def search(self, name: str, query: str, at: str = "") -> bool:
        """Save a search under a name; an empty query takes it away."""
        before = self._library.searches().get(name)
        if (before[0] if before else "") == query:
            return False
        self.searches[name] = None
        if before:
            self._library._take(SEARCH, name, "")
            self._log(0, SEARCH, name, *before)
        if query:
            at = at or moment()
            self._library._put(SEARCH, name, query, at)
            self._log(1, SEARCH, name, query, at)
        return True

    def _rows(self, paper: str, kind: str) -> list[tuple[str, str, str]]:
        """(id under which it was said, value, when) of all that is said of that kind, the oldest first."""
        column = {TAG: "tag", NOTE: "text"}.get(kind, "''")
        where = "" if kind in (TAG, NOTE) else " AND kind = :kind"
        return self._run(
            f"SELECT coalesce(given, paper), {column}, at FROM {_TABLES[kind]} WHERE paper = :paper{where} ORDER BY at",  # noqa: S608
            {"paper": paper, "kind": kind},
        ).fetchall()

    def _add(self, kind: str, paper: str, value: str, at: str) -> bool:
        at = at or moment()
        self._library._put(kind, paper, value, at)
        self._log(1, kind, paper, value, at)
        self.changed[paper] = None
        return True

    def _drop(self, kind: str, paper: str, given: str, value: str, at: str) -> None:
        self._library._take(kind, given, value)
        self._log(0, kind, given, value, at)
        self.changed[paper] = None

    def _log(self, is_added: int, kind: str, given: str, value: str, at: str) -> None:
        self._run(
            "INSERT INTO library_changes VALUES (?, ?, ?, ?, ?, ?)", (self.number, is_added, kind, given, value, at)
        )
