"""What a surface may show of sources, syncs and runs: frozen values, with their JSON form (`docs/json.md`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DayView:
    """One announcement day of a source, as a sync left it."""

    day: str
    state: str
    """`complete`, `empty`, `stale`, `short`, `rate_limited`, `failed` or `stopped`."""
    counts: Mapping[str, int]
    """Papers by why they were announced: `new`, `cross`, `replace`, `replace-cross`."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "sync"."""
        return {"day": self.day, "state": self.state, "counts": dict(self.counts), "notes": list(self.notes)}


@dataclass(frozen=True, slots=True)
class SyncView:
    """What came of one thing that was wanted of one source."""

    source: str
    want: str
    state: str
    """As `DayView.state`."""
    counts: Mapping[str, int]
    """Entries `added`, `updated`, `unchanged`, `deleted`, `skipped`; and `new_papers`."""
    days: tuple[DayView, ...] = ()
    """Its announcement days, the earliest first, where it has any."""
    notes: tuple[str, ...] = ()
    """What was out of the usual, and what was done about it."""
    problem: str = ""
    """What stopped it, where something did."""
    hint: str = ""
    reasons: tuple[tuple[str, int], ...] = ()
    """(reason, how often) of what was skipped, the most frequent first."""
    faults: tuple[tuple[str, str, str], ...] = ()
    """(place, reason, entry) of the first that were skipped."""
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether nothing is left to do."""
        return self.state in ("complete", "empty")

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "sync"."""
        return {
            "source": self.source,
            "want": self.want,
            "state": self.state,
            "counts": dict(self.counts),
            "days": [day.to_dict() for day in self.days],
            "notes": list(self.notes),
            "problem": self.problem or None,
            "hint": self.hint or None,
            "reasons": dict(self.reasons),
            "faults": [dict(zip(("place", "reason", "entry"), fault, strict=True)) for fault in self.faults],
            "seconds": round(self.seconds, 2),
        }


@dataclass(frozen=True, slots=True)
class WantView:
    """One thing that the configuration wants of a source, and how it stands."""

    want: str
    state: str
    """As `DayView.state`; empty where it was never asked for."""
    last_at: str
    """When it was asked for last; empty where never."""
    next_at: str
    """When it is due; empty where never."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """A source, and how it stands."""

    name: str
    title: str
    covers: str
    reads: str
    terms: str
    example: str
    asks: str
    """What can be asked of it over the network, in a phrase; empty where nothing."""
    seconds_between_requests: float
    records: int
    wants: tuple[WantView, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "sources"."""
        wants = [{name: value or None for name, value in asdict(want).items()} for want in self.wants]
        return asdict(self) | {"asks": self.asks or None, "wants": wants}


@dataclass(frozen=True, slots=True)
class RunView:
    """One run, as it was logged."""

    run: int
    source: str
    target: str
    started_at: str
    ended_at: str
    state: str
    counts: Mapping[str, int]
    days: tuple[DayView, ...] = ()
    notes: tuple[str, ...] = ()
    faults: tuple[tuple[str, str, str], ...] = ()
    """(place, reason, entry) of those that were skipped, at most a thousand; only where one run is asked for."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "log"."""
        return {
            "run": self.run,
            "source": self.source,
            "target": self.target,
            "started_at": self.started_at,
            "ended_at": self.ended_at or None,
            "state": self.state,
            "counts": dict(self.counts),
            "days": [day.to_dict() for day in self.days],
            "notes": list(self.notes),
            "faults": [dict(zip(("place", "reason", "entry"), fault, strict=True)) for fault in self.faults],
        }
