"""Records that their source deleted: enough of them to say so, and nothing to find."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from octavo.catalogue.database import Database, now


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A record that is gone."""

    source: str
    key: str
    identifiers: tuple[str, ...]
    """All that it was known by."""
    paper: str
    """The id of the paper that went with it; empty where the paper has other records."""
    deleted_on: str | None
    """The day of the deletion, where the source says it."""


class Tombstones:
    """The table of tombstones; changes want a transaction of `database.write` around them."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    def put(self, stones: Iterable[Tombstone]) -> None:
        """Note that records are gone."""
        self._database.connection.executemany(
            "INSERT OR REPLACE INTO tombstones VALUES (?, ?, ?, ?, ?, ?)",
            ((one.source, one.key, json.dumps(one.identifiers), one.paper, one.deleted_on, now()) for one in stones),
        )

    def drop(self, names: Iterable[tuple[str, str]]) -> None:
        """Let records live again."""
        if self._run("SELECT 1 FROM tombstones LIMIT 1").fetchone() is None:
            return  # nearly always
        self._database.connection.executemany("DELETE FROM tombstones WHERE source = ? AND key = ?", names)

    def find(self, name: str) -> Tombstone | None:
        """The one of a paper's id, or of an identifier (`arxiv:2101.00010`)."""
        rows = self._run("SELECT source, key, identifiers, paper, deleted_on FROM tombstones").fetchall()
        for source, key, identifiers, paper, deleted_on in rows:
            stone = Tombstone(source, key, tuple(json.loads(identifiers)), paper, deleted_on)
            if name and name in (stone.paper, *stone.identifiers):
                return stone
        return None
