"""What a surface may show of related papers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from octavo.explain import Explanation
from octavo.records.paper import Paper
from octavo.views import brief


@dataclass(frozen=True, slots=True)
class RelatedView:
    """One related paper."""

    rank: int
    paper: Paper
    score: float
    why: Explanation
    """Its parts are what relates it; their values add up to the score."""
    also: tuple[str, ...] = ()
    """The ids of other versions of it, which are left out."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "related"."""
        return {
            "rank": self.rank,
            **brief(self.paper),
            "score": round(self.score, 4),
            "why": str(self.why),
            "parts": [part.to_dict() for part in self.why.parts],
            "also": list(self.also),
        }


@dataclass(frozen=True, slots=True)
class SimilarView:
    """The papers that are related to some papers, or to a text."""

    papers: tuple[Paper, ...]
    """What they are related to."""
    text: str
    """The text that they are related to, as far as it was read; empty where none was given."""
    sort: str
    """`relation`, or `newest`."""
    total: int
    """How many related papers there are; at most a hundred are looked for."""
    hits: tuple[RelatedView, ...]
    collapsed: int = 0
    """How many papers were left out as other versions of related ones."""
    left_out: int = 0
    """How many were left out as other versions of what was given."""
    by_meaning: bool = True
    """Whether meaning was compared."""
    notes: tuple[str, ...] = ()
    """What a reader should know of how they were compared."""
    words: tuple[str, ...] = ()
    """The telling words that were looked for, for marking them."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "similar"."""
        return {
            "papers": [brief(paper) for paper in self.papers],
            "text": self.text or None,
            "sort": self.sort,
            "total": self.total,
            "collapsed": self.collapsed,
            "left_out": self.left_out,
            "by_meaning": self.by_meaning,
            "hits": [hit.to_dict() for hit in self.hits],
            "notes": list(self.notes),
        }
