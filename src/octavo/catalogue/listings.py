"""What a reader leafs through: the papers that came in last, announcement days by category, and lists of editions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from octavo.catalogue.batches import KINDS, Announced, Batches
from octavo.catalogue.database import Database

_CHUNK = 500
_FEW_LISTS = 30
"""Lists of a day that are kept."""
_FEW_DAYS = 400
"""Days of which a span may consist."""


class Row(NamedTuple):
    """A paper as a long list shows it: without all that only its own page has."""

    pk: int
    id: str
    title: str
    authors: tuple[str, ...]
    award: str
    status: str
    venue: str


class Listings:
    """Questions only; nothing here changes the database."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute
        self._known: dict[tuple[str, str, str], list[Announced]] = {}
        self._known_at: tuple[int, int] = (-1, -1)

    def newest(self, limit: int, offset: int = 0) -> list[int]:
        """The keys of the papers that came in or changed last; those of one batch by their dates, the latest first."""
        # By the number of the change, which has an index: by date alone all papers would have to be read and sorted.
        rows = self._run(
            "SELECT pk FROM papers ORDER BY seq DESC, date DESC, pk DESC LIMIT ? OFFSET ?", (limit, offset)
        )
        return [row[0] for row in rows]

    def wants(self, source: str) -> list[str]:
        """What of a source was ever announced, in alphabetical order."""
        return self._steps("SELECT min(want) FROM announced WHERE source = :source AND want > :last", "", source=source)

    def days(self, source: str, want: str = "", *, before: str = "9999", limit: int = 30) -> list[str]:
        """Announcement days before a day, the latest first: those of one want, or (empty) of any."""
        asked = "SELECT max(day) FROM announced WHERE source = :source AND day < :last"
        if want:
            asked += " AND want = :want"
        return self._steps(asked, before, limit, source=source, want=want)

    def next_day(self, source: str, want: str, after: str) -> str:
        """The first announcement day after a day; empty where there is none."""
        row = self._run(
            f"SELECT min(day) FROM announced WHERE source = ? AND day > ?{' AND want = ?' if want else ''}",  # noqa: S608
            (source, after, want) if want else (source, after),
        ).fetchone()
        return str(row[0] or "")

    def latest(self, source: str, category: str, want: str, day: str) -> list[Announced] | None:
        """The papers of a day; of the latest that has any, where `day` is empty; None where there are none.

        `want` is the category where that is one of `wants`, else empty: days of others are tried one after the other.
        """
        for tried in [day] if day else self.days(source, want):
            if found := self.announced(source, category, tried):
                return found
        return None

    def announced(self, source: str, category: str, day: str) -> list[Announced]:
        """The papers of a day in a category or a group of them (empty: in any), each once, with their kind as seen
        from there: new in stat.ML may be a cross-list in cs.LG. In the order of kinds, then of keys."""
        stamp = (int(self._run("PRAGMA data_version").fetchone()[0]), self._database.connection.total_changes)
        if stamp != self._known_at or len(self._known) > _FEW_LISTS:
            self._known_at = stamp
            self._known.clear()
        # A day has hundreds of papers, of which a page shows fifty: the others are not read for each page anew.
        if (known := self._known.get((source, category, day))) is None:
            known = self._known[source, category, day] = self._read_announced(source, category, day)
        return known

    def _read_announced(self, source: str, category: str, day: str) -> list[Announced]:
        found = {one.key: one for one in Batches(self._database).announced_on(source, day)}
        if category:
            said = self._kinds_said(source, category, day)
            found = {
                key: replace(one, kind=said.get(key) or _kind(one, category))
                for key, one in found.items()
                if key in said or any(_is_in(name, category) for name in one.categories)
            }
        return sorted(found.values(), key=lambda one: (KINDS.index(one.kind), one.key))

    def days_from(self, source: str, want: str, first: str) -> list[str]:
        """Announcement days from a day on, the latest first: those of one want, or (empty) of any."""
        return [day for day in self.days(source, want, limit=_FEW_DAYS) if day >= first]

    def spanning(self, source: str, category: str, days: Sequence[str]) -> list[Announced]:
        """The papers of several days, each once, as `announced` has them: as new, where it was new on one of the days,
        and in its latest version."""
        found: dict[str, Announced] = {}
        for day in sorted(days):
            for one in self.announced(source, category, day):
                before = found.get(one.key)
                if before is not None:
                    kind = min(before.kind, one.kind, key=KINDS.index)
                    one = replace(one, kind=kind, version=max(before.version or 0, one.version or 0) or None)
                found[one.key] = one
        return sorted(found.values(), key=lambda one: (KINDS.index(one.kind), one.key))

    def seqs(self, pks: Sequence[int]) -> dict[int, int]:
        """The number of each paper's last change, of the papers that there are."""
        return dict(self._in("SELECT pk, seq FROM papers WHERE pk IN", pks))

    def rows(self, pks: Sequence[int]) -> list[Row]:
        """What a long list shows of these papers, in no order."""
        found = self._in("SELECT pk, id, title, authors, award, status, venue FROM papers WHERE pk IN", pks)
        load = json.loads
        return [Row(pk, name, title, tuple(load(authors)), *rest) for pk, name, title, authors, *rest in found]

    def abstracts(self, pks: Sequence[int]) -> dict[int, str]:
        """The plain abstracts of these papers; empty where there is none."""
        return dict(self._in("SELECT pk, abstract FROM papers WHERE pk IN", pks))

    def _in(self, select: str, pks: Sequence[int]) -> Iterator[Any]:
        for start in range(0, len(pks), _CHUNK):
            part = pks[start : start + _CHUNK]
            yield from self._run(f"{select} ({','.join('?' * len(part))})", tuple(part))

    def _kinds_said(self, source: str, category: str, day: str) -> dict[str, str]:
        rows = self._run(
            "SELECT key, kind FROM announced WHERE source = ? AND want = ? AND day = ?", (source, category, day)
        )
        return dict(rows.fetchall())

    def _steps(self, asked: str, last: str, limit: int = 1000, **values: str) -> list[str]:
        """Go from value to value along an index, however many rows have each."""
        found: list[str] = []
        while len(found) < limit:
            row = self._run(asked, {**values, "last": last}).fetchone()
            if row[0] is None:
                break
            last = str(row[0])
            found.append(last)
        return found


def _is_in(name: str, category: str) -> bool:
    """Whether a category is that one or of that group."""
    return name == category or name.startswith(f"{category}.")


def _kind(one: Announced, category: str) -> str:
    """What a paper is in a category of which nothing was said: listed first there or elsewhere."""
    is_first = bool(one.categories) and _is_in(one.categories[0], category)
    if one.kind in ("new", "cross"):
        return "new" if is_first else "cross"
    return "replace" if is_first else "replace-cross"
