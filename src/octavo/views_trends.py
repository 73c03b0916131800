"""What a surface may show of topics and terms: their share over years and venues, and the page of each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from octavo.rank.trends import FALSE_RATE, LEAST_OF, Bond, Change
from octavo.records.paper import Paper
from octavo.topics.glossary import Term
from octavo.views import brief
from octavo.views_topics import TopicView

DIRECTIONS = ("rising", "falling")


@dataclass(frozen=True, slots=True)
class ShareView:
    """How much of a year, or of what a venue published, is about a subject."""

    of: str
    """`2025`, or a venue."""
    n: int
    """Papers of the subject."""
    total: int
    """Papers that they are counted among."""
    share: float | None
    """None where there are none."""
    low: float = 0.0
    high: float = 1.0
    """Between these the share is, at 95 % (Wilson)."""

    @property
    def is_thin(self) -> bool:
        """Whether it is of too few papers to say anything of a year."""
        return 0 < self.total < LEAST_OF

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "share"."""
        known = self.share is not None
        return {
            "of": self.of,
            "papers": self.n,
            "total": self.total,
            "share": _rounded(self.share),
            "low": _rounded(self.low) if known else None,
            "high": _rounded(self.high) if known else None,
        }


@dataclass(frozen=True, slots=True)
class TrendView:
    """A topic or a term over years or venues."""

    kind: str
    """`topic` or `term`."""
    slug: str
    name: str
    name_zh: str
    address: str
    """Of its page."""
    n: int
    """Its papers in these years."""
    shares: tuple[ShareView, ...]
    change: Change | None = None
    """How its share changed over the years; None where that can't be told."""
    q: float | None = None
    """How likely the change is none, among all that were asked about (Benjamini and Hochberg)."""
    is_short: bool = False
    """Whether fewer than three of the years have papers enough for a change to be told."""

    @property
    def direction(self) -> str:
        """`rising` or `falling` where that is told from noise; else empty."""
        if self.change is None or self.q is None or self.q > FALSE_RATE:
            return ""
        return "rising" if self.change.rate > 0 else "falling"

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "trend"."""
        change = self.change
        return {
            "kind": self.kind,
            "slug": self.slug,
            "name": self.name,
            "name_zh": self.name_zh,
            "address": self.address,
            "papers": self.n,
            "direction": self.direction or None,
            "change": change
            and {
                "rate": _rounded(change.rate),
                "low": _rounded(change.low),
                "high": _rounded(change.high),
                "p": float(f"{change.p:.3g}"),
                "q": None if self.q is None else float(f"{self.q:.3g}"),
                "scatter": round(change.scatter, 2),
            },
            "shares": [one.to_dict() for one in self.shares],
        }


@dataclass(frozen=True, slots=True)
class TrendsView:
    """Shares of several topics or terms."""

    kind: str
    """`topic` or `term`."""
    by: str
    """`year` or `venue`."""
    since: int
    until: int
    venue: str
    """The venue whose papers alone count, as it is shown; empty for all."""
    area: str
    """The slug of the topic that all of them are below; empty for the whole tree."""
    direction: str
    """`rising` or `falling` where only such are shown."""
    trends: tuple[TrendView, ...]
    n_tested: int
    """Among how many subjects changes were told from noise."""
    total: int
    """How many subjects fit; more than are shown where a limit was given."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "trends"."""
        return {
            "kind": self.kind,
            "by": self.by,
            "from": self.since,
            "to": self.until,
            "venue": self.venue or None,
            "area": self.area or None,
            "direction": self.direction or None,
            "tested": self.n_tested,
            "total": self.total,
            "trends": [one.to_dict() for one in self.trends],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class BondView:
    """A term that stands beside another one, or in a topic, more often than by chance."""

    term: Term
    n: int
    """Papers of both."""
    bond: Bond

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "together"."""
        return {
            "slug": self.term.slug,
            "name": self.term.english,
            "name_zh": self.term.chinese,
            "papers": self.n,
            "lift": round(self.bond.lift, 3),
            "log_likelihood": round(self.bond.strength, 1),
        }


@dataclass(frozen=True, slots=True)
class TopicPageView:
    """All that is told of a topic."""

    topic: TopicView
    above: tuple[TopicView, ...]
    """The area first."""
    below: tuple[TrendView, ...]
    """The topics right below, with their years."""
    near: tuple[TopicView, ...]
    trend: TrendView
    """By year."""
    venues: tuple[ShareView, ...]
    """Those with the most of its papers; what was not taken does not count."""
    key_papers: tuple[Paper, ...]
    key: str
    """Why they are key: `cited` the most, or nearest to the `middle` of the topic; empty where neither is known."""
    newest: tuple[Paper, ...]
    authors: tuple[tuple[str, int], ...]
    """(name, papers), those with the most papers."""
    n_read: int
    """Of how many of its papers, the newest, authors were looked at."""
    n_compared: int
    """Of how many, the newest, the middle is; 0 where key papers are those cited the most."""
    words: tuple[BondView, ...]
    """Terms that are typical of it."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topic page"."""
        node = self.topic.node
        return {
            **self.topic.to_dict(),
            "definition": node.definition,
            "definition_zh": node.definition_zh,
            "aliases": list(node.aliases),
            "below": [one.to_dict() for one in self.below],
            "near": [one.to_dict() for one in self.near],
            "trend": self.trend.to_dict(),
            "venues": [one.to_dict() for one in self.venues],
            "key": self.key or None,
            "key_papers": [brief(paper) for paper in self.key_papers],
            "newest": [brief(paper) for paper in self.newest],
            "authors": [{"name": name, "papers": n} for name, n in self.authors],
            "read": self.n_read,
            "compared": self.n_compared,
            "words": [one.to_dict() for one in self.words],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class TermPageView:
    """All that is told of a term of the glossary."""

    term: Term
    field: str
    """What its part of the glossary is called."""
    field_zh: str
    see: tuple[Term, ...]
    first: tuple[tuple[str, Paper | None], ...]
    """The papers that brought it: (identifier, the paper where it is in the catalogue)."""
    n: int
    trend: TrendView
    cited: tuple[Paper, ...]
    newest: tuple[Paper, ...]
    together: tuple[BondView, ...]
    topics: tuple[tuple[TopicView, Bond], ...]
    """Topics that speak of it more than others do; their counts are those of both."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "term page"."""
        return {
            **term_to_dict(self.term, self.n),
            "field_name": self.field,
            "see": [one.slug for one in self.see],
            "first": [{"id": name, "paper": brief(paper) if paper else None} for name, paper in self.first],
            "trend": self.trend.to_dict(),
            "cited": [brief(paper) for paper in self.cited],
            "newest": [brief(paper) for paper in self.newest],
            "together": [one.to_dict() for one in self.together],
            "topics": [
                {**one.to_dict(), "lift": round(bond.lift, 3), "log_likelihood": round(bond.strength, 1)}
                for one, bond in self.topics
            ],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class GlossaryView:
    """The glossary, or a part of it."""

    terms: tuple[tuple[Term, int], ...]
    """(term, papers that speak of it)."""
    fields: tuple[tuple[str, str, str, int], ...]
    """(slug, English and Chinese name, terms) of all parts."""
    total: int
    """Terms of the whole glossary."""
    query: str = ""
    field: str = ""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "terms"."""
        return {
            "query": self.query or None,
            "field": self.field or None,
            "total": self.total,
            "fields": [
                {"slug": slug, "name": name, "name_zh": name_zh, "terms": n} for slug, name, name_zh, n in self.fields
            ],
            "terms": [term_to_dict(term, n) for term, n in self.terms],
            "notes": list(self.notes),
        }


def term_to_dict(term: Term, n: int) -> dict[str, Any]:
    """`docs/json.md`, "term"."""
    return {
        "slug": term.slug,
        "name": term.english,
        "name_zh": term.chinese,
        "field": term.field,
        "names": list(term.names),
        "meaning": term.meaning,
        "meaning_zh": term.meaning_chinese,
        "papers": n,
        "address": f"/glossary/{term.slug}",
    }


def telling(shares: Sequence[ShareView]) -> Sequence[ShareView]:
    """The shares that are of papers enough; where none is, all that are known."""
    known = [one for one in shares if one.share is not None]
    return [one for one in known if not one.is_thin] or known


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")
