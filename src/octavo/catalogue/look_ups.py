"""What services were asked about, so that nothing is asked again and again. Changes want a transaction around them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from octavo.catalogue.database import Database, now


class LookUps:
    """The table of look-ups."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    def put(self, source: str, asked: Iterable[tuple[str, str]]) -> None:
        """Note (asked, given): under which key the service answered, empty where it does not know the paper.

        Services merge records, so the key may be another's than the one asked for (pitfall B08).
        """
        self._database.connection.executemany(
            "INSERT OR REPLACE INTO look_ups VALUES (?, ?, ?, ?)",
            ((source, name, given, now()) for name, given in asked),
        )

    def asked_since(self, source: str, names: Sequence[str], moment: str) -> set[str]:
        """Those of the names that were asked for since a moment."""
        found: set[str] = set()
        for start in range(0, len(names), 500):
            part = names[start : start + 500]
            rows = self._run(
                "SELECT asked FROM look_ups WHERE source = ? AND looked_at >= ?"  # noqa: S608
                f" AND asked IN ({','.join('?' * len(part))})",
                (source, moment, *part),
            )
            found.update(row[0] for row in rows.fetchall())
        return found

    def given_for(self, source: str, asked: str) -> str | None:
        """The key under which the service answered; empty where it knows none, None where it was not asked."""
        row = self._run("SELECT given FROM look_ups WHERE source = ? AND asked = ?", (source, asked)).fetchone()
        return str(row[0]) if row else None
