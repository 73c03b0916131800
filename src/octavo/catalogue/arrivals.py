"""What came in since: papers by the number that each got when it came."""

from __future__ import annotations

from octavo.catalogue.database import Database


class Arrivals:
    """Questions only."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._run = database.connection.execute

    def last(self) -> int:
        """The number of the paper that came last; 0 where there is none."""
        return int(self._run("SELECT coalesce(max(pk), 0) FROM papers").fetchone()[0])

    def count(self, after: int) -> int:
        """How many papers came after that one, and are still papers of their own."""
        # Numbers are given one after the other and never again; papers themselves would have to be read to be counted.
        last = self.last()
        gone = self._run("SELECT count(*) FROM removed WHERE pk > ? AND pk <= ?", (after, last)).fetchone()[0]
        return max(0, last - after - int(gone))

    def keys(self, after: int, limit: int, offset: int = 0) -> list[int]:
        """Their keys, what came last first."""
        rows = self._run("SELECT pk FROM papers WHERE pk > ? ORDER BY pk DESC LIMIT ? OFFSET ?", (after, limit, offset))
        return [row[0] for row in rows]
