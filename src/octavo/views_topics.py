"""What a surface may show of topics: the tree with its counts, what a paper is about, and how well that is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from octavo.records.paper import Paper
from octavo.topics.evaluate import Agreement, Rate
from octavo.topics.naming import Assignment
from octavo.topics.tree import Node, Tree
from octavo.views import brief


@dataclass(frozen=True, slots=True)
class TopicView:
    """A node of the tree, with how many papers it has."""

    node: Node
    trail: tuple[str, ...]
    """The way to it, as pages write it: `("Deep Learning", "Large Language Models")`."""
    trail_zh: tuple[str, ...]
    address: str
    """Of its page: `/topic/deep-learning/large-language-models`."""
    count: int = 0
    """Papers of it and of all below it."""
    counted_as: str = ""
    """The slug of the node that its papers are counted under, where that is another."""

    @classmethod
    def of(cls, tree: Tree, node: Node, count: int = 0) -> TopicView:
        """The view of a node."""
        return cls(node, tree.trail(node), tree.trail_zh(node), tree.address(node), count, node.same_as)

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topics"."""
        node = self.node
        return {
            "slug": node.slug,
            "name": node.name,
            "name_zh": node.name_zh,
            "kind": node.kind,
            "parent": node.parent or None,
            "trail": list(self.trail),
            "trail_zh": list(self.trail_zh),
            "address": self.address,
            "count": self.count,
            "counted_as": self.counted_as or None,
        }


@dataclass(frozen=True, slots=True)
class TopicTreeView:
    """A tree of topics, or the part of it below one node."""

    topics: tuple[TopicView, ...]
    """In the tree's order: each node is followed by those below it."""
    papers: int
    """Papers of the catalogue."""
    with_topic: int
    """Papers that have a topic."""
    root: TopicView | None = None
    """The node whose part this is; None for the whole tree."""
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topics"."""
        root = None
        if self.root:
            node = self.root.node
            root = {
                **self.root.to_dict(),
                "definition": node.definition,
                "definition_zh": node.definition_zh,
                "aliases": list(node.aliases),
                "near": list(node.neighbours),
            }
        return {
            "papers": self.papers,
            "with_topic": self.with_topic,
            "root": root,
            "topics": [topic.to_dict() for topic in self.topics],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True)
class AssignedView:
    """A topic of a paper, and where it comes from."""

    topic: TopicView
    assignment: Assignment

    @property
    def origin(self) -> str:
        """`reader`, `trail`, `area`, `track`, `keyword`, `category`, `text` or `name` (`octavo.topics.assign`)."""
        return self.assignment.origin

    @property
    def confidence(self) -> float:
        """From 0 to 1."""
        return self.assignment.confidence

    @property
    def said(self) -> str:
        """The words that say it, where a source does."""
        return self.assignment.said

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topics of a paper"."""
        node = self.topic.node
        return {
            "slug": node.slug,
            "name": node.name,
            "name_zh": node.name_zh,
            "kind": node.kind,
            "trail": list(self.topic.trail),
            "trail_zh": list(self.topic.trail_zh),
            "address": self.topic.address,
            "origin": self.origin,
            "confidence": round(self.confidence, 4),
            "said": self.said or None,
        }


@dataclass(frozen=True, slots=True)
class PaperTopicsView:
    """What a paper is about."""

    paper: Paper
    topics: tuple[AssignedView, ...]
    """Areas and topics, the surest first, then tasks and methods; empty where nothing is sure enough."""
    terms: tuple[str, ...]
    """Slugs of the glossary's terms in its title and abstract."""
    is_corrected: bool = False
    """Whether the topics are the reader's."""
    gone: tuple[str, ...] = ()
    """Slugs that the reader gave it once, and that are topics no more."""
    taught_by: int = 0
    """How many corrected papers had a say in it, by being near."""

    @property
    def main(self) -> AssignedView | None:
        """The surest topic, for showing one trail."""
        return next(iter(self.topics), None)

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topics of a paper"."""
        return {
            **brief(self.paper),
            "topics": [topic.to_dict() for topic in self.topics],
            "terms": list(self.terms),
            "corrected": self.is_corrected,
            "gone": list(self.gone),
            "taught_by": self.taught_by,
        }


@dataclass(frozen=True, slots=True)
class CorrectedView:
    """What a correction did."""

    now: PaperTopicsView
    is_changed: bool
    """Whether it said anything new."""
    retold: int = 0
    """Papers near it whose topics are told anew."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "topics correct"."""
        return {**self.now.to_dict(), "changed": self.is_changed, "retold": self.retold}


@dataclass(frozen=True, slots=True)
class TopicMeasuresView:
    """How well topics are told on labelled papers."""

    file: str
    split: str
    papers: int
    """Labelled papers that were measured."""
    missing: tuple[str, ...]
    """Identifiers of those that are not in the catalogue and whose lines have no abstract."""
    ways: dict[str, dict[str, Rate]]
    """By way, `all` that is known and `text` alone: the rates of `octavo.topics.evaluate.rates`."""
    agreement: Agreement | None
    """Of the readers with each other; None where no paper was read twice."""
    confusions: tuple[tuple[str, str, int], ...] = ()
    """(area as labelled, area as told, how often), the most frequent mistakes."""
    wrong: tuple[tuple[int, str, str, str], ...] = field(default=())
    """(line, title, topic as labelled, topic as told) of some that were told wrongly."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "evaluate topics"."""
        agreed = self.agreement
        return {
            "file": self.file,
            "split": self.split or None,
            "papers": self.papers,
            "missing": list(self.missing),
            "ways": {way: {name: _rate(rate) for name, rate in rates.items()} for way, rates in self.ways.items()},
            "agreement": agreed
            and {
                "area": _rate(agreed.area),
                "topic": _rate(agreed.topic),
                "area_kappa": round(agreed.area_kappa, 4),
                "topic_kappa": round(agreed.topic_kappa, 4),
            },
            "confusions": [{"is": right, "told": told, "count": count} for right, told, count in self.confusions],
            "wrong": [
                {"line": line, "title": title, "is": right, "told": told} for line, title, right, told in self.wrong
            ],
        }


def _rate(rate: Rate) -> dict[str, Any]:
    low, high = rate.interval
    return {"value": round(rate.value, 4), "low": round(low, 4), "high": round(high, 4), "of": rate.of}
