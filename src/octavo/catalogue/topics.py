"""What the reader said papers are about, which outranks every source and the classifier.

Rows name papers by their ids. When a paper gets another id, triggers of the schema let the rows follow in the same
transaction, and go back where the paper of the former id is there again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from octavo.catalogue.database import Database
from octavo.catalogue.said import moment

NOTHING = ""
"""The row of a paper that is about no topic."""
_CHUNK = 500
"""Values in one IN list; SQLite's oldest limit is 999."""


class Corrections:
    """The reader's corrections. Each is a paper's topics as the reader has them, all of them; it may be empty."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    def all(self) -> dict[str, tuple[str, ...]]:
        """By paper id, the slugs of the topics that the reader gave it, as they were given: a topic may be gone."""
        return _latest(self._run("SELECT paper, topic, at, coalesce(given, paper) FROM topic_corrections"))

    def of(self, papers: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """The same of these papers; those that were not corrected are left out."""
        rows: list[tuple[str, str, str, str]] = []
        for start in range(0, len(papers), _CHUNK):
            part = papers[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            asked = "SELECT paper, topic, at, coalesce(given, paper) FROM topic_corrections WHERE paper IN"
            rows += self._run(f"{asked} ({marks})", part)
        return _latest(rows)

    def keys_of(self, papers: Sequence[str]) -> dict[str, int]:
        """The keys of these papers, of those that are in the catalogue."""
        found: dict[str, int] = {}
        for start in range(0, len(papers), _CHUNK):
            part = papers[start : start + _CHUNK]
            found.update(self._run(f"SELECT id, pk FROM papers WHERE id IN ({','.join('?' * len(part))})", part))  # noqa: S608
        return found

    def correct(self, paper: str, topics: Sequence[str]) -> bool:
        """Let a paper be about these topics, and no others; about none where there are none. Whether that is new."""
        with self._database.write():
            if self.of([paper]).get(paper) == tuple(topics):
                return False
            self._drop(paper)
            at = moment()
            self._database.connection.executemany(
                "INSERT INTO topic_corrections (paper, topic, at, given) VALUES (?, ?, ?, NULL)",
                ((paper, topic, at) for topic in dict.fromkeys(topics or (NOTHING,))),
            )
        return True

    def forget(self, paper: str) -> bool:
        """Take a paper's correction back. Whether there was one."""
        with self._database.write():
            return self._drop(paper)

    def touch(self, pks: Iterable[int]) -> int:
        """Let an index take these papers in anew, whose topics may be others now. Returns how many there are."""
        known = list(dict.fromkeys(pks))
        if not known:
            return 0
        with self._database.write():
            self._run("UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'seq'")
            self._database.connection.executemany(
                "UPDATE papers SET seq = (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'seq') WHERE pk = ?",
                ((pk,) for pk in known),
            )
        return len(known)

    def _drop(self, paper: str) -> bool:
        return self._run("DELETE FROM topic_corrections WHERE paper = ?", (paper,)).rowcount > 0


def _latest(rows: Iterable[tuple[str, str, str, str]]) -> dict[str, tuple[str, ...]]:
    """Of papers that were corrected under several ids before they were joined, what was said last."""
    said: dict[str, dict[tuple[str, str], list[str]]] = {}
    for paper, topic, at, given in rows:
        said.setdefault(paper, {}).setdefault((at, given), []).append(topic)
    return {paper: _topics(acts) for paper, acts in said.items()}


def _topics(acts: Mapping[tuple[str, str], list[str]]) -> tuple[str, ...]:
    return tuple(topic for topic in acts[max(acts)] if topic != NOTHING)
