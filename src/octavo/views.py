"""What a surface may show: frozen values, with their JSON form.

The JSON names are part of Octavo's interface (`docs/json.md`): they change only with a major version.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from octavo.explain import Explanation
from octavo.records.paper import Paper


@dataclass(frozen=True, slots=True)
class PaperView:
    """A paper with all that is known of it."""

    paper: Paper
    claims: tuple[dict[str, Any], ...] = ()
    """What each source said, as it said it (`records.codec.record_to_dict`); empty where not asked for."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "paper". Empty fields are there, so that a program need not ask whether they are."""
        paper = self.paper
        out: dict[str, Any] = {
            **brief(paper),
            "authors_incomplete": paper.authors_incomplete,
            "abstract": paper.abstract or None,
            "summary": paper.summary or None,
            "summary_by": "Octavo" if paper.summary else None,
            "tldr": paper.tldr or None,
            "venue_name": paper.venue_name or None,
            "date": paper.date,
            "venue_claimed_in": paper.venue_claimed_in or None,
            "preprint_withdrawn": paper.is_preprint_withdrawn,
            "version": paper.version,
            "identifiers": [str(identifier) for identifier in paper.identifiers],
            "categories": list(paper.categories),
            "keywords": list(paper.keywords),
            "topics": [list(trail) for trail in paper.topics],
            "links": dict(paper.links),
            "comment": paper.comment or None,
            "journal_ref": paper.journal_ref or None,
            "citations": paper.citations,
            "references": [str(identifier) for identifier in paper.references],
            "sources": list(paper.sources),
            "origins": dict(paper.origins),
        }
        if self.claims:
            out["records"] = list(self.claims)
        return out


def brief(paper: Paper) -> dict[str, Any]:
    """What every list shows of a paper."""
    ids: dict[str, str] = {}
    for identifier in paper.identifiers:
        ids.setdefault(identifier.scheme, identifier.value)
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "venue": paper.venue or None,
        "year": paper.year,
        "status": paper.status or None,
        "award": paper.award or None,
        "ids": ids,
    }


@dataclass(frozen=True, slots=True)
class HitView:
    """One find."""

    rank: int
    paper: Paper
    score: float
    why: Explanation

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "hit"."""
        return {"rank": self.rank, **brief(self.paper), "score": round(self.score, 4), "why": str(self.why)}


@dataclass(frozen=True, slots=True)
class SearchView:
    """The answer to a query."""

    query: str
    total: int
    """How many papers can be leafed through, not how many are shown."""
    hits: tuple[HitView, ...]
    notes: tuple[str, ...] = ()
    """How the query was understood, where that is not plain."""
    words: tuple[str, ...] = ()
    """The folded words that were looked for, for marking them."""
    matching: int = 0
    """How many papers match all of the query; the others come after them, and only where these are few."""
    sort: str = "relevance"
    by_meaning: bool = False
    """Whether meaning had a say in what is found and in which order."""
    facets: Mapping[str, Sequence[tuple[str, int]]] = field(default_factory=dict)
    """How many of the matching papers have each value, the most frequent first, of the facets that were asked for."""
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Where the time went, a stage each (`--profile`)."""
    is_explained: bool = False
    """Whether the reasons were asked for down to each word."""

    def to_dict(self, *, with_seconds: bool = False) -> dict[str, Any]:
        """`docs/json.md`, "search"; `with_seconds`: where the time went, which is another each time."""
        out: dict[str, Any] = {
            "query": self.query,
            "total": self.total,
            "matching": self.matching,
            "sort": self.sort,
            "by_meaning": self.by_meaning,
            "hits": [self._hit(hit) for hit in self.hits],
            "notes": list(self.notes),
        }
        if self.facets:
            out["facets"] = {
                name: [{"value": value, "papers": n} for value, n in found] for name, found in self.facets.items()
            }
        if with_seconds:
            out["seconds"] = {stage: round(taken, 6) for stage, taken in self.seconds.items()}
        return out

    def _hit(self, hit: HitView) -> dict[str, Any]:
        out = hit.to_dict()
        if self.is_explained:
            out["explanation"] = hit.why.to_dict()
        return out


@dataclass(frozen=True, slots=True)
class IdentifyView:
    """Which paper a text is about."""

    input: str
    paper: Paper | None
    confidence: float
    """0 to 1: how sure the match is; of the best candidate where there is no match."""
    why: Explanation

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "identify"."""
        return {
            "input": self.input,
            "match": brief(self.paper) if self.paper else None,
            "confidence": round(self.confidence, 3),
            "why": self.why.reason,
        }


@dataclass(frozen=True, slots=True)
class AddView:
    """What adding a file did. Counts are of the source's entries."""

    source: str
    target: str
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    new_papers: int = 0
    """Papers that were not there before; `added` less this joined papers that were."""
    waiting: int = 0
    """Entries without a title that could not be identified yet."""
    identified: int = 0
    """Entries without a title that were identified, with those that had waited."""
    deleted: int = 0
    """Records that were there and that their source deleted."""
    reasons: tuple[tuple[str, int], ...] = ()
    """(reason, how often) of what was skipped, the most frequent first."""
    faults: tuple[tuple[str, str, str], ...] = ()
    """(place, reason, entry) of the first that were skipped."""
    seconds: float = 0.0
    state: str = "complete"
    """`complete`, or `failed` where the file could not be read to its end."""
    problem: str = ""
    """What stopped it, where it failed."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "add"."""
        out = asdict(self)
        out["reasons"] = dict(self.reasons)
        out["faults"] = [dict(zip(("place", "reason", "entry"), fault, strict=True)) for fault in self.faults]
        out["seconds"] = round(self.seconds, 2)
        out["problem"] = self.problem or None
        return out


@dataclass(frozen=True, slots=True)
class WaitingView:
    """An entry without a title that could not be identified yet."""

    source: str
    key: str
    text: str
    """What there is of it, plain: its abstract."""
    authors: tuple[str, ...]
    added_at: str

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "waiting"."""
        return asdict(self) | {"authors": list(self.authors)}


@dataclass(frozen=True, slots=True)
class MeaningState:
    """How far the vectors of search by meaning are."""

    encoder: str = ""
    """Which encoder made those that there are; empty where there are none."""
    papers: int = 0
    """Papers that have one."""
    state: str = "off"
    """`up to date`, `N papers to go`, `being prepared, N papers to go`, `off`, or why there are none."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """What the catalogue holds."""

    home: str
    papers: int
    records: int
    waiting: int
    with_abstract: int
    with_summary: int
    sources: tuple[tuple[str, int], ...]
    """(source, its records), the largest first."""
    years: tuple[tuple[int, int], ...]
    """(year, papers), the newest first."""
    venues: tuple[tuple[str, int], ...]
    """(venue, papers), the largest first."""
    index: str
    """`up to date`, `behind by N papers` or `none`."""
    catalogue_bytes: int
    index_bytes: int
    runs: tuple[dict[str, Any], ...]
    """The newest runs."""
    statuses: tuple[tuple[str, int], ...] = ()
    """(status, papers), the largest first; those without one under an empty text."""
    meaning: MeaningState = MeaningState()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "stats"."""
        out = asdict(self)
        out["sources"] = dict(self.sources)
        out["years"] = {str(year): count for year, count in self.years}
        out["venues"] = dict(self.venues)
        out["statuses"] = dict(self.statuses)
        out["runs"] = list(self.runs)
        return out


@dataclass(frozen=True, slots=True)
class AppearanceView:
    """One record of a paper: where and when it appeared, as a source says."""

    record: str
    """`source:key`."""
    title: str
    venue: str
    on: str
    status: str
    award: str
    link: str
    identifiers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BondView:
    """What speaks for two records' being one work."""

    one: str
    """`source:key`."""
    other: str
    reason: str
    """What decides: a common identifier, a reader's word, or how sure the text makes it."""
    parts: tuple[str, ...]
    """What the text has in common, the weightiest first."""
    strength: float
    """For comparing bonds of one paper."""
    score: float
    """Log odds that the two are one work, by their text alone."""


@dataclass(frozen=True, slots=True)
class DoubtView:
    """Two records on which the evidence does not agree."""

    one: str
    """`source:key`."""
    other: str
    reason: str
    score: float
    """Log odds that the two are one work, by their text alone."""
    title: str = ""
    other_title: str = ""
    paper: str = ""
    other_paper: str = ""


@dataclass(frozen=True, slots=True)
class WhyView:
    """How a paper was put together."""

    paper: Paper
    appearances: tuple[AppearanceView, ...]
    bonds: tuple[BondView, ...]
    """The strongest that hold all of its records together."""
    doubts: tuple[DoubtView, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "why"."""
        return {
            **brief(self.paper),
            "records": [asdict(one) | {"identifiers": list(one.identifiers)} for one in self.appearances],
            "bonds": [
                {"one": bond.one, "other": bond.other, "reason": bond.reason, "parts": list(bond.parts),
                 "score": round(bond.score, 2)}
                for bond in self.bonds
            ],
            "doubts": [asdict(one) for one in self.doubts],
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeasureView:
    """How well linking told labelled pairs."""

    kind: str
    """The pairs' kind in the file; `all` for all of them."""
    pairs: int
    same: int
    """Pairs that are labelled as the same."""
    precision: float
    recall: float
    f1: float
    recall_at: Mapping[str, float]
    """The recall at which the precision is still so much, wherever the threshold would have to be."""
    wrong: tuple[tuple[int, bool, float, str, str], ...] = ()
    """(line, label, score, title, other title) of pairs that were told wrongly, where asked for."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate"."""
        names = ("line", "label", "score", "title", "other_title")
        rounded = {name: round(getattr(self, name), 4) for name in ("precision", "recall", "f1")}
        return {
            "kind": self.kind,
            "pairs": self.pairs,
            "same": self.same,
            **rounded,
            "recall_at": {level: round(value, 4) for level, value in self.recall_at.items()},
            "wrong": [dict(zip(names, one, strict=True)) for one in self.wrong],
        }


@dataclass(frozen=True, slots=True)
class JudgedView:
    """What a reader's word changed."""

    act: str
    """`join`, `split`, or `undo` of one of them."""
    papers: tuple[Paper, ...]
    """The papers that the records are in now."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "join"."""
        return {"act": self.act, "papers": [brief(paper) for paper in self.papers]}
