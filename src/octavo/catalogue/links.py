"""What linking keeps: the keys by which records find those that may be the same work, a reader's rulings, doubts.

Changes want a transaction of `database.write` around them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from octavo.catalogue.database import Database, now

Name = tuple[str, str]
"""(source, key) of a record."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a reader said: a number of records are one work, or are not."""

    pk: int
    kind: str
    """`join` or `split`."""
    said_at: str
    pairs: tuple[tuple[Name, Name], ...]
    is_undone: bool = False


@dataclass(frozen=True, slots=True)
class Doubtful:
    """Two records on which the evidence does not agree."""

    one: Name
    other: Name
    reason: str
    score: float


class Links:
    """The tables of linking."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    # -- keys --------------------------------------------------------------------------------------------------------

    def put_keys(self, rows: Iterable[tuple[int, int]]) -> None:
        """Store (key, record) pairs; in ascending order they are stored fastest."""
        self._database.connection.executemany("INSERT OR IGNORE INTO link_keys VALUES (?, ?)", rows)

    def drop_keys(self, rows: Iterable[tuple[int, int]]) -> None:
        """Forget (key, record) pairs."""
        self._database.connection.executemany("DELETE FROM link_keys WHERE key = ? AND record = ?", rows)

    def holders(self, key: int, most: int) -> list[int]:
        """The records that have a key, the oldest first, at most so many."""
        rows = self._run("SELECT record FROM link_keys WHERE key = ? ORDER BY record LIMIT ?", (key, most))
        return [row[0] for row in rows]

    def names_of(self, records: Sequence[int]) -> dict[int, Name]:
        """The names of records."""
        found: dict[int, Name] = {}
        for start in range(0, len(records), 500):
            part = records[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._run(f"SELECT pk, source, key FROM records WHERE pk IN ({marks})", part)  # noqa: S608
            found.update((pk, (source, key)) for pk, source, key in rows)
        return found

    def count_unlinked(self) -> int:
        """Records that were stored and not linked yet."""
        return int(self._run("SELECT count(*) FROM records WHERE linked = 0").fetchone()[0])

    def unlinked(self, most: int) -> dict[Name, int]:
        """Some records that were stored and not linked yet, the oldest first: their names and keys in the database."""
        rows = self._run("SELECT source, key, pk FROM records WHERE linked = 0 ORDER BY pk LIMIT ?", (most,))
        return {(source, key): pk for source, key, pk in rows}

    def mark_linked(self, records: Iterable[int]) -> None:
        """Say that these records are linked."""
        self._database.connection.executemany("UPDATE records SET linked = 1 WHERE pk = ?", ((pk,) for pk in records))

    def mark_unlinked(self, records: Iterable[int]) -> None:
        """Say that these records are to be compared again."""
        self._database.connection.executemany("UPDATE records SET linked = 0 WHERE pk = ?", ((pk,) for pk in records))

    def mark_linked_up_to(self, last: int) -> None:
        """Say that all records up to one are linked, and none behind it."""
        self._run("UPDATE records SET linked = (pk <= ?) WHERE linked = 0 OR pk > ?", (last, last))

    def all_claims(self) -> Iterator[tuple[int, str, int, int]]:
        """(record, claim, paper, linked) of every record, streamed in the order of records."""
        yield from self._database.connection.execute("SELECT pk, claim, paper, linked FROM records ORDER BY pk")

    # -- what a reader said ------------------------------------------------------------------------------------------

    def rule(self, kind: str, pairs: Iterable[tuple[Name, Name]]) -> int:
        """Note that a reader joined or split records; returns the act's number."""
        row = self._run("INSERT INTO acts (kind, said_at) VALUES (?, ?)", (kind, now()))
        act = int(row.lastrowid or 0)
        self._database.connection.executemany(
            "INSERT INTO rulings VALUES (?, ?, ?, ?, ?)",
            ((act, *min(one, other), *max(one, other)) for one, other in pairs),
        )
        return act

    def undo(self, act: int) -> None:
        """Take an act back."""
        self._run("UPDATE acts SET undone_at = ? WHERE pk = ?", (now(), act))

    def acts(self, limit: int = 100) -> list[Act]:
        """What the reader said, the newest first."""
        found = []
        for pk, kind, said_at, undone in self._run(
            "SELECT pk, kind, said_at, undone_at FROM acts ORDER BY pk DESC LIMIT ?", (limit,)
        ).fetchall():
            rows = self._run(
                "SELECT one_source, one_key, other_source, other_key FROM rulings WHERE act = ? ORDER BY rowid", (pk,)
            )
            pairs = tuple(((a, b), (c, d)) for a, b, c, d in rows)
            found.append(Act(pk, kind, said_at, pairs, undone is not None))
        return found

    def rulings(self) -> list[tuple[Name, Name, bool]]:
        """(record, record, whether they are one work) of all acts in force; where two speak of the same records, the
        newer one."""
        rows = self._run(
            "SELECT one_source, one_key, other_source, other_key, kind = 'join' FROM rulings JOIN acts ON act = acts.pk"
            " WHERE undone_at IS NULL ORDER BY acts.pk"
        )
        found = {((a, b), (c, d)): bool(same) for a, b, c, d, same in rows}
        return [(one, other, same) for (one, other), same in found.items()]

    # -- doubts ------------------------------------------------------------------------------------------------------

    def put_doubts(self, about: Iterable[Name], doubts: Iterable[Doubtful]) -> None:
        """Let these be the doubts about those records, in place of any before."""
        connection = self._database.connection
        names = list(about)
        connection.executemany("DELETE FROM doubts WHERE one_source = ? AND one_key = ?", names)
        connection.executemany("DELETE FROM doubts WHERE other_source = ? AND other_key = ?", names)
        connection.executemany(
            "INSERT OR REPLACE INTO doubts VALUES (?, ?, ?, ?, ?, ?)",
            ((*one.one, *one.other, one.reason, one.score) for one in doubts),
        )

    def clear_doubts(self) -> None:
        """Forget all doubts."""
        self._run("DELETE FROM doubts")

    def doubts(self, limit: int) -> list[Doubtful]:
        """The doubts, the nearest to certain first."""
        rows = self._run(
            "SELECT one_source, one_key, other_source, other_key, reason, score FROM doubts"
            " ORDER BY score DESC, one_source, one_key, other_source, other_key LIMIT ?",
            (limit,),
        )
        return [Doubtful((a, b), (c, d), reason, score) for a, b, c, d, reason, score in rows]

    def count_doubts(self) -> int:
        """How many there are."""
        return int(self._run("SELECT count(*) FROM doubts").fetchone()[0])
