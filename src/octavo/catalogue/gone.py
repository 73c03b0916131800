"""Papers of the library that are not in the catalogue: their sources deleted them, or a file named them that was read
in before they were there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from octavo.catalogue.database import Database
from octavo.records.paper import Paper

_CHUNK = 500
"""Values in one IN list; SQLite's oldest limit is 999."""


@dataclass(frozen=True, slots=True)
class GonePaper:
    """What the library knows of a paper that is not in the catalogue."""

    id: str
    title: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifiers: tuple[str, ...] = ()
    """`arxiv:2101.00010` and the like."""

    @classmethod
    def of(cls, paper: Paper) -> GonePaper:
        """The same of a paper that is there."""
        names = tuple(map(str, paper.identifiers))
        return cls(paper.id, paper.title, paper.authors, paper.year, names)


class Gone:
    """The table of papers that are gone; triggers of the schema keep it. Changes want a transaction around them."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._database = database
        self._run = database.connection.execute

    def get(self, ids: Sequence[str]) -> dict[str, GonePaper]:
        """Those of these ids."""
        found: dict[str, GonePaper] = {}
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            marks = ",".join("?" * len(part))
            for row in self._run(f"SELECT * FROM gone_papers WHERE id IN ({marks})", tuple(part)):  # noqa: S608
                found[row[0]] = _paper(*row)
        return found

    def find(self, name: str) -> str:
        """The id of the paper that has that id or identifier; empty where none has it."""
        row = self._run(
            "SELECT id FROM gone_papers WHERE id = ?1"
            " OR (instr(identifiers, ?1) AND EXISTS (SELECT 1 FROM json_each(identifiers) WHERE value = ?1)) LIMIT 1",
            (name,),
        ).fetchone()
        return str(row[0]) if row and name else ""

    def names(self) -> dict[str, str]:
        """The ids of all of them, by each of their identifiers and by the ids themselves."""
        rows = self._run(
            "SELECT name.value, gone.id FROM gone_papers AS gone, json_each(gone.identifiers) AS name"
            " UNION ALL SELECT id, id FROM gone_papers"
        )
        return dict(rows.fetchall())

    def put(self, paper: GonePaper) -> None:
        """Know a paper that is not in the catalogue."""
        self._run(
            "INSERT OR IGNORE INTO gone_papers VALUES (?, ?, ?, ?, ?)",
            (paper.id, paper.title, json.dumps(paper.authors), paper.year, json.dumps(paper.identifiers)),
        )

    def returned(self) -> dict[str, str]:
        """Of those whose identifiers exactly one paper carries by now, that paper's id."""
        rows = self._run(
            "SELECT gone.id, min(papers.id) FROM gone_papers AS gone, json_each(gone.identifiers) AS name"
            " JOIN identifiers ON identifiers.identifier = name.value"
            " JOIN records ON records.pk = identifiers.record JOIN papers ON papers.pk = records.paper"
            " GROUP BY gone.id HAVING count(DISTINCT papers.id) = 1"
        )
        return dict(rows.fetchall())


def _paper(paper_id: str, title: str, authors: str, year: int | None, names: str) -> GonePaper:
    return GonePaper(paper_id, title, tuple(json.loads(authors)), year, tuple(json.loads(names)))
