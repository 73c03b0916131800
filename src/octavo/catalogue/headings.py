"""What of papers is completed while a reader types: titles and names, without the rest of the papers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from octavo.catalogue.database import Database


class Heading(NamedTuple):
    """A paper as far as completion looks at it."""

    pk: int
    title: str
    authors: str
    """A JSON array of names."""
    year: int | None
    citations: int | None


class Headings:
    """Questions only; nothing here changes the database."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._run = database.connection.execute

    def since(self, seq: int = 0) -> Iterator[Heading]:
        """The headings of the papers that changed after that number; all of them after 0."""
        asked = "SELECT pk, title, authors, year, citations FROM papers"
        if seq:
            asked += " WHERE seq > ?"
        return map(Heading._make, self._run(asked, (seq,) if seq else ()))

    def count_since(self, seq: int) -> int:
        """How many papers changed after that number."""
        return int(self._run("SELECT count(*) FROM papers WHERE seq > ?", (seq,)).fetchone()[0])

    def beginning(self, identifier: str, limit: int) -> list[tuple[int, str]]:
        """Papers with an identifier (`arxiv:1706.03`) that begins so, as (paper, identifier), in its order; each
        paper once."""
        rows = self._run(
            "SELECT min(paper), identifier FROM identifiers JOIN records ON records.pk = record"
            " WHERE identifier >= ? AND identifier < ? GROUP BY identifier ORDER BY identifier LIMIT ?",
            (identifier, identifier + "\U0010ffff", limit * 2),
        )
        found: dict[int, str] = {}
        for paper, whole in rows:
            found.setdefault(paper, whole)
        return list(found.items())[:limit]
