"""What a reader leafs through: the papers that came in last, and announcement days by category."""

from __future__ import annotations

from dataclasses import replace

from octavo.catalogue.batches import KINDS, Announced, Batches
from octavo.catalogue.database import Database


class Listings:
    """Questions only; nothing here changes the database."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

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
        found = {one.key: one for one in Batches(self._database).announced_on(source, day)}
        if category:
            said = self._kinds_said(source, category, day)
            found = {
                key: replace(one, kind=said.get(key) or _kind(one, category))
                for key, one in found.items()
                if key in said or any(_is_in(name, category) for name in one.categories)
            }
        return sorted(found.values(), key=lambda one: (KINDS.index(one.kind), one.key))

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
