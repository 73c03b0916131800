"""Changes: what a batch did to the catalogue, for whoever follows it (the index, followed queries, the surfaces)."""

from __future__ import annotations

from dataclasses import dataclass, field

from octavo.catalogue.papers import Row


@dataclass(slots=True)
class Changes:
    """What a batch did. Counts are of records; papers are what an index must take in."""

    n_added: int = 0
    n_updated: int = 0
    n_unchanged: int = 0
    n_new_papers: int = 0
    n_deleted: int = 0
    put: list[tuple[int, Row]] = field(default_factory=list)
    """(key, columns) of the papers that are new or changed; `catalogue.papers.paper_of` makes a Paper of the
    columns."""
    fresh: set[int] = field(default_factory=set)
    """The keys in `put` that no index can hold yet."""
    documents: dict[int, object] = field(default_factory=dict)
    """What an index holds of some of the papers in `put`, where it was made beforehand."""
    removed: list[int] = field(default_factory=list)
    """Keys of papers that became part of another."""
    seq: int = 0
    """The catalogue's change number after the batch; 0 where nothing was changed."""
