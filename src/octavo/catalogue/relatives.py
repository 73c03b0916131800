"""What comparing hundreds of papers takes of each: a tenth of the cost of reading them whole."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from octavo.catalogue.database import Database

_CHUNK = 500
"""Values in one IN list; SQLite's oldest limit is 999."""
_COLUMNS = "pk, title, authors, coalesce(date, year, ''), identifiers, cites"


class Relative(NamedTuple):
    """A paper as far as its kinship with others goes."""

    pk: int
    title: str
    authors: tuple[str, ...]
    on: str
    """The date of its first appearance, as far as it is known, else the year, else nothing."""
    named: str = "[]"
    """Its identifiers, in JSON: of most papers nobody asks."""
    cites: str = "[]"

    @property
    def identifiers(self) -> frozenset[str]:
        """Its identifiers."""
        return frozenset(json.loads(self.named))

    @property
    def references(self) -> frozenset[str]:
        """The identifiers of what it cites."""
        return frozenset(json.loads(self.cites)) if self.cites != "[]" else frozenset()


class Relatives:
    """Questions only; nothing here changes the database."""

    def __init__(self, database: Database) -> None:
        """Work on `database`, which stays its opener's to close."""
        self._run = database.connection.execute

    def read(self, pks: Sequence[int]) -> dict[int, Relative]:
        """The papers of these keys, as far as there are any."""
        found: dict[int, Relative] = {}
        for start in range(0, len(pks), _CHUNK):
            part = pks[start : start + _CHUNK]
            asked = f"SELECT {_COLUMNS} FROM papers WHERE pk IN ({','.join('?' * len(part))})"  # noqa: S608
            for pk, title, authors, on, named, cites in self._run(asked, part):
                found[pk] = Relative(pk, title, tuple(json.loads(authors)), str(on), named, cites)
        return found
