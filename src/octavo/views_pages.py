"""What only pages show: listings, and texts as their sources wrote them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from octavo.records.paper import Paper
from octavo.records.text import Text
from octavo.views import brief


@dataclass(frozen=True, slots=True)
class WrittenView:
    """A paper's texts in the notation of the source that each is from; None where it has none."""

    title: Text
    abstract: Text | None = None
    tldr: Text | None = None
    summary: Text | None = None


@dataclass(frozen=True, slots=True)
class NewestView:
    """The papers that came in last."""

    total: int
    """How many papers there are."""
    papers: tuple[Paper, ...]

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "newest"."""
        return {"total": self.total, "papers": [brief(paper) for paper in self.papers]}


@dataclass(frozen=True, slots=True)
class EntryView:
    """A paper on an announcement day."""

    paper: Paper
    kind: str
    """`new`, `cross`, `replace` or `replace-cross`, as seen from the category."""
    categories: tuple[str, ...]
    """As announced, the first one first."""
    version: int | None
    day: str = ""
    """On which it was announced."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "listing"."""
        return {
            **brief(self.paper),
            "day": self.day or None,
            "kind": self.kind,
            "categories": list(self.categories),
            "version": self.version,
        }


@dataclass(frozen=True, slots=True)
class ListingView:
    """One announcement day of a category, or of all that are followed."""

    category: str
    """Empty: all of them."""
    day: str
    counts: Mapping[str, int]
    """Papers by kind, of the whole day."""
    entries: tuple[EntryView, ...]
    """Those that were asked for; a paper that the catalogue has no record of is not among them."""
    earlier: str = ""
    """The announcement day before; empty where none is known."""
    later: str = ""
    until: str = ""
    """The last day, where these are several days; `day` is the first then."""

    @property
    def total(self) -> int:
        """How many papers the day has."""
        return sum(self.counts.values())

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "listing"."""
        return {
            "category": self.category or None,
            "day": self.day,
            **({"until": self.until} if self.until else {}),
            "total": self.total,
            "counts": dict(self.counts),
            "entries": [entry.to_dict() for entry in self.entries],
            "earlier": self.earlier or None,
            "later": self.later or None,
        }


@dataclass(frozen=True, slots=True)
class FollowedView:
    """What was ever announced here: the categories, and the last days."""

    categories: tuple[str, ...]
    days: tuple[str, ...]
    """The latest first, at most thirty."""
