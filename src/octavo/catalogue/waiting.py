"""Entries that came without a title and could not be identified yet."""

from __future__ import annotations

from collections.abc import Iterable

from octavo.catalogue.database import Database, now


class WaitingRoom:
    """The table of entries that wait; changes want a transaction of `database.write` around them."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self.database = database
        self._run = database.connection.execute

    def all(self) -> list[tuple[str, str, str, str]]:
        """Every entry as (source, key, claim, added at), the oldest first."""
        return list(self._run("SELECT source, key, claim, added_at FROM waiting ORDER BY added_at, source, key"))

    def put(self, entries: Iterable[tuple[str, str, str]]) -> int:
        """Keep (source, key, claim); an entry that waits already keeps its date. Returns how many were new."""
        before = self.count()
        self.database.connection.executemany(
            "INSERT INTO waiting VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET claim = excluded.claim",
            ((*entry, now()) for entry in entries),
        )
        return self.count() - before

    def drop(self, source: str, key: str) -> bool:
        """Let an entry go; says whether it was there."""
        return self._run("DELETE FROM waiting WHERE source = ? AND key = ?", (source, key)).rowcount > 0

    def count(self) -> int:
        """How many wait."""
        return int(self._run("SELECT count(*) FROM waiting").fetchone()[0])
