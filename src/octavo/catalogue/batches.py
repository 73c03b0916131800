"""What each run did, a batch at a time, and which papers an announcement day had."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from octavo.catalogue.database import Database, now

GOOD = ("complete", "empty")
"""States after which nothing is left to do."""
STATES = (*GOOD, "stale", "short", "rate_limited", "failed", "stopped")
"""What may come of a batch: all of it is here; there was nothing; the source still serves an older day; it gave less
than it has; it asked for a pause that is too long to wait; it could not be had; the reader stopped it."""
KINDS = ("new", "cross", "replace", "replace-cross")
"""Why a paper is in a day's announcement, the most telling first."""
FEED, OAI, BOTH = "feed", "oai", "both"
"""The two ways of asking for a day, by which a paper of it was found."""


@dataclass(frozen=True, slots=True)
class Batch:
    """One announcement day of a source, or (`day` empty) all that was wanted of it."""

    source: str
    want: str
    day: str
    """`2031-05-02`, or empty."""
    state: str
    """One of STATES."""
    counts: Mapping[str, int]
    notes: Sequence[str] = ()
    """What was out of the usual, and what was done about it."""
    ended_at: str = ""
    run: int = 0


@dataclass(frozen=True, slots=True)
class Announced:
    """That a paper was announced on a day."""

    day: str
    key: str
    """Of the source's record."""
    kind: str
    """One of KINDS."""
    categories: tuple[str, ...] = ()
    version: int | None = None
    told_by: str = FEED
    """FEED, OAI or BOTH."""


class Batches:
    """The tables of batches and of announcements; changes want a transaction of `database.write` around them."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    def put(self, run: int, batches: Iterable[Batch]) -> None:
        """Log what a run did."""
        self._database.connection.executemany(
            "INSERT INTO batches (run, source, want, day, state, counts, notes, ended_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (run, one.source, one.want, one.day, one.state, json.dumps(dict(one.counts)),
                 json.dumps(list(one.notes), ensure_ascii=False), one.ended_at or now())
                for one in batches
            ),
        )  # fmt: skip

    def of_run(self, run: int) -> list[Batch]:
        """The batches of a run, in the order of their days."""
        return self._read("WHERE run = ? ORDER BY day, pk", run)

    def latest(self, source: str, want: str) -> Batch | None:
        """The newest batch, whatever became of it."""
        found = self._read("WHERE source = ? AND want = ? ORDER BY pk DESC LIMIT 1", source, want)
        return found[0] if found else None

    def last_good_day(self, source: str, want: str) -> str:
        """The latest announcement day of which nothing is missing; empty where there is none."""
        marks = ",".join("?" * len(GOOD))
        row = self._run(
            f"SELECT max(day) FROM batches WHERE source = ? AND want = ? AND state IN ({marks})",  # noqa: S608
            (source, want, *GOOD),
        ).fetchone()
        return str(row[0] or "")

    def days_to_mend(self, source: str, want: str) -> list[str]:
        """The announcement days whose newest batch left something to do, the earliest first."""
        rows = self._run(
            "SELECT day, state, max(pk) FROM batches WHERE source = ? AND want = ? AND day != ''"
            " GROUP BY day ORDER BY day",
            (source, want),
        )
        return [day for day, state, _ in rows.fetchall() if state not in GOOD]

    def _read(self, where: str, *values: object) -> list[Batch]:
        rows = self._run(
            f"SELECT source, want, day, state, counts, notes, ended_at, run FROM batches {where}",  # noqa: S608
            values,
        )
        return [
            Batch(source, want, day, state, json.loads(counts), tuple(json.loads(notes)), ended_at, run)
            for source, want, day, state, counts, notes, ended_at, run in rows.fetchall()
        ]

    # -- announcements -----------------------------------------------------------------------------------------------

    def announce(self, source: str, want: str, found: Iterable[Announced]) -> None:
        """Note that papers were announced. Of one that is known on that day, what a feed says of its kind holds: the
        other way of asking can only conclude it."""
        self._database.connection.executemany(
            "INSERT INTO announced VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
            " kind = CASE WHEN excluded.told_by = 'feed' THEN excluded.kind ELSE kind END,"
            " version = coalesce(excluded.version, version),"
            " told_by = CASE WHEN told_by = excluded.told_by THEN told_by ELSE 'both' END",
            (
                (source, want, one.day, one.key, one.kind, json.dumps(one.categories), one.version, one.told_by)
                for one in found
            ),
        )

    def count_announced(self, source: str, want: str, day: str) -> dict[str, int]:
        """How many papers of each kind were announced on a day in what was asked for."""
        rows = self._run(
            "SELECT kind, count(*) FROM announced WHERE source = ? AND want = ? AND day = ? GROUP BY kind",
            (source, want, day),
        )
        found: dict[str, int] = dict(rows.fetchall())
        return {kind: found[kind] for kind in KINDS if kind in found}

    def is_any_announced_after(self, source: str, want: str, day: str) -> bool:
        """Whether a paper is known to have been announced later."""
        row = self._run(
            "SELECT 1 FROM announced WHERE source = ? AND want = ? AND day > ? LIMIT 1", (source, want, day)
        )
        return row.fetchone() is not None

    def told_by_oai_only(self, source: str, want: str, day: str) -> list[str]:
        """The keys of the papers that were announced first on that day and that the feed did not have."""
        rows = self._run(
            "SELECT key FROM announced WHERE source = ? AND want = ? AND day = ? AND told_by = ?"
            " AND kind IN ('new', 'cross') ORDER BY key",
            (source, want, day, OAI),
        )
        return [row[0] for row in rows.fetchall()]

    def announced_on(self, source: str, day: str) -> list[Announced]:
        """The papers of a day, each once, in the order of their keys: the most telling kind, the latest version."""
        rows = self._run(
            "SELECT day, key, kind, categories, version, told_by FROM announced WHERE source = ? AND day = ?"
            " ORDER BY key, want",
            (source, day),
        )
        found: dict[str, Announced] = {}
        for _, key, kind, categories, version, told_by in rows.fetchall():
            one = Announced(day, key, kind, tuple(json.loads(categories)), version, told_by)
            if (other := found.get(key)) is not None:
                one = Announced(
                    day,
                    key,
                    min(one.kind, other.kind, key=KINDS.index),
                    tuple(dict.fromkeys((*other.categories, *one.categories))),
                    max(one.version or 0, other.version or 0) or None,
                    one.told_by if one.told_by == other.told_by else BOTH,
                )
            found[key] = one
        return list(found.values())

    def first_announced(self, source: str, want: str, keys: Sequence[str]) -> dict[str, str]:
        """The day on which each paper was first announced as new or cross-listed there, of those that were."""
        found: dict[str, str] = {}
        for start in range(0, len(keys), 500):
            part = keys[start : start + 500]
            rows = self._run(
                "SELECT key, min(day) FROM announced WHERE source = ? AND want = ? AND kind IN ('new', 'cross')"  # noqa: S608
                f" AND key IN ({','.join('?' * len(part))}) GROUP BY key",
                (source, want, *part),
            )
            found.update(rows.fetchall())
        return found
