"""Views of an evaluation: how well a ranking answers judged queries, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class EstimateView:
    """A mean over queries, with its 95 % interval."""

    value: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        """`docs/json.md`, "evaluate"."""
        return {name: round(getattr(self, name), 5) for name in ("value", "low", "high")}


@dataclass(frozen=True, slots=True)
class WayView:
    """What one way of ranking is worth."""

    way: str
    measures: Mapping[str, EstimateView]
    """By the measure's name: `ndcg@10`."""
    differences: Mapping[str, EstimateView]
    """What it has more than `words`, over the same queries; empty for `words` itself and where that is not measured."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        return {
            "way": self.way,
            "measures": {name: one.to_dict() for name, one in self.measures.items()},
            "differences": {name: one.to_dict() for name, one in self.differences.items()},
        }


@dataclass(frozen=True, slots=True)
class SpeedView:
    """How quickly one way answers with ten hits."""

    way: str
    queries: int
    """How many were timed."""
    per_second: float
    median_ms: float
    slow_ms: float
    """The 95th percentile."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        return {
            "way": self.way,
            "queries": self.queries,
            "per_second": round(self.per_second, 1),
            "median_ms": round(self.median_ms, 2),
            "p95_ms": round(self.slow_ms, 2),
        }


@dataclass(frozen=True, slots=True)
class GroupView:
    """The ways over some of the queries."""

    name: str
    """What stands behind the last colon of their ids; empty for all queries."""
    queries: int
    ways: tuple[WayView, ...]

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        return {"name": self.name or None, "queries": self.queries, "ways": [way.to_dict() for way in self.ways]}


@dataclass(frozen=True, slots=True)
class NamedView:
    """How many ids something is true of, and the first of them."""

    count: int = 0
    first: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        return {"count": self.count, "first": list(self.first)}


@dataclass(frozen=True, slots=True)
class LeftOutView:
    """What of a folder was not used, and why."""

    reasons: tuple[tuple[str, int], ...] = ()
    """Each reason with how many lines it cost."""
    faults: tuple[tuple[str, str, str], ...] = ()
    """(place, reason, id) of the first of these lines."""
    unjudged: NamedView = NamedView()
    """Queries for which no document is judged to be an answer: they are not measured."""
    unknown_queries: NamedView = NamedView()
    """Queries that are judged and not there."""
    unknown_documents: NamedView = NamedView()
    """Documents that are judged to be answers and not there: missed by every way."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        return {
            "reasons": dict(self.reasons),
            "faults": [dict(zip(("place", "reason", "entry"), fault, strict=True)) for fault in self.faults],
            "unjudged_queries": self.unjudged.to_dict(),
            "unknown_queries": self.unknown_queries.to_dict(),
            "unknown_documents": self.unknown_documents.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class EvaluationView:
    """What search, or finding related papers, is worth on a judged set."""

    folder: str
    documents: int
    queries: int
    """Those that were measured."""
    judgements: int
    """Judgements of these queries that name an answer."""
    depth: int
    """Hits of each query that were looked at."""
    resamples: int
    """Of the bootstrap."""
    seed: int
    groups: tuple[GroupView, ...]
    """All queries first, then those of each kind, where the ids tell kinds apart."""
    speed: tuple[SpeedView, ...]
    left_out: LeftOutView
    build_seconds: float
    """For storing and indexing the documents."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        names = ("folder", "documents", "queries", "judgements", "depth", "resamples", "seed")
        return {name: getattr(self, name) for name in names} | {
            "groups": [group.to_dict() for group in self.groups],
            "speed": [one.to_dict() for one in self.speed],
            "left_out": self.left_out.to_dict(),
            "build_seconds": round(self.build_seconds, 2),
        }
