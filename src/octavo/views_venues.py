"""What only the pages of venues show: which venues there are, and the list of an edition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from octavo.records.paper import Paper
from octavo.views import brief


@dataclass(frozen=True, slots=True)
class VenueView:
    """A venue with the editions of which papers are here."""

    key: str
    """Its name in addresses: `icml`."""
    short: str
    name: str
    kind: str
    """`conference`, `workshop series`, `journal` or `preprint server`."""
    field: str
    """A short name of its field (`records.venues`): `ml`, `nlp`."""
    total: int
    """Papers that appeared there."""
    years: tuple[tuple[int, int], ...]
    """(year, papers), the latest first."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "venue"."""
        return {
            "key": self.key,
            "short": self.short,
            "name": self.name,
            "kind": self.kind,
            "field": self.field,
            "total": self.total,
            "years": [{"year": year, "papers": n} for year, n in self.years],
        }


@dataclass(frozen=True, slots=True)
class TopicCountView:
    """A topic with how many papers of a list are in it or below it."""

    slug: str
    name: str
    name_zh: str
    n_papers: int

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "edition"."""
        return {"topic": self.slug, "name": self.name, "papers": self.n_papers}


@dataclass(frozen=True, slots=True)
class RowView:
    """A paper in a list that shows all at once."""

    id: str
    title: str
    authors: tuple[str, ...]
    award: str
    track: str
    """Empty for the main one."""
    abstract: str = ""
    """Plain; empty where it has none or where it was not asked for."""


@dataclass(frozen=True, slots=True)
class EditionView:
    """The list of an edition, or of a part of it."""

    venue: VenueView
    year: int
    name: str
    """`ICML 2025`."""
    full_name: str
    total: int
    """Papers that appeared there."""
    matching: int
    """Those of them that are asked for."""
    n_others: int
    """Papers that name it and did not appear there, as far as is known: submitted, rejected, claimed by authors."""
    tracks: Mapping[str, int]
    """How many papers each track has, by its name; empty for the main one."""
    awards: Mapping[str, int]
    """How many of them were presented so or have a prize (`prize`)."""
    topics: tuple[TopicCountView, ...]
    """The areas, or the topics below the one that is asked for, of the papers that are asked for."""
    trail: tuple[TopicCountView, ...]
    """The topic that is asked for, and those above it, the area first."""
    papers: tuple[Paper, ...] = ()
    """A page of them."""
    rows: tuple[RowView, ...] = ()
    """All of them, where all are asked for."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "edition"."""
        return {
            "venue": self.venue.key,
            "year": self.year,
            "name": self.name,
            "full_name": self.full_name,
            "total": self.total,
            "matching": self.matching,
            "others": self.n_others,
            "tracks": dict(self.tracks),
            "awards": dict(self.awards),
            "topics": [one.to_dict() for one in self.topics],
            "papers": [brief(paper) for paper in self.papers]
            or [{"id": row.id, "title": row.title, "authors": list(row.authors)} for row in self.rows],
        }
