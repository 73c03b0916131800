"""Who wrote what, as far as looking for a name needs it: papers' lists of authors without the rest of the papers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from octavo.catalogue.database import Database

_CHUNK = 500
"""Values in one IN list; SQLite's oldest limit is 999."""


class Authorships:
    """Questions only; nothing here changes the database."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._run = database.connection.execute

    def names(self, pks: Sequence[int]) -> Iterator[tuple[int, list[str]]]:
        """The authors of papers, as the papers name them; a tenth of the cost of reading the papers."""
        for start in range(0, len(pks), _CHUNK):
            part = pks[start : start + _CHUNK]
            asked = f"SELECT pk, authors FROM papers WHERE pk IN ({','.join('?' * len(part))})"  # noqa: S608
            for pk, authors in self._run(asked, part):
                yield pk, json.loads(authors)

    def claimed(self, pks: Sequence[int]) -> Iterator[tuple[int, str]]:
        """The claims (JSON) of papers' records, as (paper, claim)."""
        for start in range(0, len(pks), _CHUNK):
            part = pks[start : start + _CHUNK]
            asked = f"SELECT paper, claim FROM records WHERE paper IN ({','.join('?' * len(part))})"  # noqa: S608
            yield from self._run(f"{asked} ORDER BY source, key", part)
