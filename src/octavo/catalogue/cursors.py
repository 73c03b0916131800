"""Where each source's next run goes on. Changes want a transaction of `database.write` around them: the one that
stores the page before the cursor."""

from __future__ import annotations

from octavo.catalogue.database import Database, now


class Cursors:
    """The table of cursors, by source and by what is wanted of it."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._run = database.connection.execute

    def get(self, source: str, want: str) -> str:
        """The cursor behind the last page that was committed; empty where there is none."""
        row = self._run("SELECT cursor FROM cursors WHERE source = ? AND want = ?", (source, want)).fetchone()
        return str(row[0]) if row else ""

    def put(self, source: str, want: str, cursor: str) -> None:
        """Go on from `cursor` the next time."""
        self._run(
            "INSERT INTO cursors VALUES (?, ?, ?, ?)"
            " ON CONFLICT DO UPDATE SET cursor = excluded.cursor, updated_at = excluded.updated_at",
            (source, want, cursor, now()),
        )

    def drop(self, source: str, want: str) -> None:
        """Begin anew the next time."""
        self._run("DELETE FROM cursors WHERE source = ? AND want = ?", (source, want))
