"""What was added when, and what was skipped: one row a run, and its faults."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

from octavo.catalogue.batches import Batch, Batches
from octavo.catalogue.database import Database, now

MAX_FAULTS = 1000
"""Faults kept of one run; the counts in `runs` are of all."""


class Runs:
    """The log of runs. Each change is a transaction of its own: a run's log must outlive the run."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self.database = database

    def begin(self, source: str, target: str) -> int:
        """Note that a run begins, and that those whose process is gone were killed."""
        with self.database.write() as connection:
            for pk, pid in connection.execute("SELECT pk, pid FROM runs WHERE state = 'running'").fetchall():
                if not _is_alive(pid):
                    connection.execute("UPDATE runs SET state = 'killed' WHERE pk = ?", (pk,))
            row = connection.execute(
                "INSERT INTO runs (source, target, pid, started_at, state, counts)"
                " VALUES (?, ?, ?, ?, 'running', '{}')",
                (source, target, os.getpid(), now()),
            )
            return int(row.lastrowid or 0)

    def note(self, run: int, counts: dict[str, int]) -> None:
        """Note how far a run came, for the log of one that is killed."""
        with self.database.write() as connection:
            connection.execute("UPDATE runs SET counts = ? WHERE pk = ?", (json.dumps(counts), run))

    def is_any_running(self) -> bool:
        """Whether a run of a living process is under way."""
        rows = self.database.connection.execute("SELECT pid FROM runs WHERE state = 'running'").fetchall()
        return any(_is_alive(pid) for (pid,) in rows)

    def end(
        self,
        run: int,
        state: str,
        counts: dict[str, int],
        faults: Iterable[tuple[str, str, str]],
        batches: Iterable[Batch] = (),
    ) -> None:
        """Note how it ended: `state` is one of `batches.STATES`, faults are (place, reason, entry)."""
        with self.database.write() as connection:
            connection.execute(
                "UPDATE runs SET ended_at = ?, state = ?, counts = ? WHERE pk = ?",
                (now(), state, json.dumps(counts), run),
            )
            connection.executemany("INSERT INTO faults VALUES (?, ?, ?, ?)", ((run, *fault) for fault in faults))
            Batches(self.database).put(run, batches)

    def last(self, limit: int = 20, run: int | None = None) -> list[dict[str, Any]]:
        """The newest runs, newest first, or the one of that number; one whose process is gone is `killed`."""
        rows = self.database.connection.execute(
            "SELECT pk, source, target, pid, started_at, ended_at, state, counts FROM runs"
            " WHERE pk = coalesce(?, pk) ORDER BY pk DESC LIMIT ?",
            (run, limit),
        )
        found = []
        for pk, source, target, pid, started, ended, state, counts in rows.fetchall():
            state = "killed" if state == "running" and not _is_alive(pid) else state
            row = {"run": pk, "source": source, "target": target, "started_at": started, "ended_at": ended}
            found.append(row | {"state": state} | json.loads(counts))
        return found

    def faults_of(self, run: int) -> list[tuple[str, str, str]]:
        """(place, reason, entry) of what a run skipped, at most MAX_FAULTS."""
        rows = self.database.connection.execute("SELECT place, reason, entry FROM faults WHERE run = ?", (run,))
        return list(rows.fetchall())


def _is_alive(pid: int) -> bool:
    """Whether there is a process of that number; where that can't be asked (Windows), yes."""
    if os.name != "posix":
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
