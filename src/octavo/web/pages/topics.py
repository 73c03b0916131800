"""`/topics`: the tree of topics, with how many papers each has and how that went over the years."""

from __future__ import annotations

from typing import NamedTuple

from octavo.app import Octavo
from octavo.app.kept import Answers
from octavo.topics.nodes import Node
from octavo.topics.tree import bundled_tree
from octavo.views_topics import TopicTreeView
from octavo.views_trends import TrendView
from octavo.web.asked import Answer, Asked, Page


class Branch(NamedTuple):
    """A topic with what is below it."""

    node: Node
    trend: TrendView
    is_elsewhere: bool
    """Whether it is counted as another topic."""
    below: tuple[Branch, ...]


def answer(octavo: Octavo, _: Asked) -> Answer:
    """The tree."""
    tree = bundled_tree()
    view, trends = _counted(octavo)

    def branch(node: Node) -> Branch:
        return Branch(node, trends[node.slug], bool(node.same_as), tuple(branch(one) for one in tree.children(node)))

    shares = next((one.shares for one in trends.values()), ())
    values = {
        "areas": [branch(area) for area in tree.areas],
        "view": view,
        "counts": {one.node.slug: one.count for one in view.topics},
        "since": shares[0].of if shares else "",
        "until": shares[-1].of if shares else "",
    }
    data = view.to_dict()
    for topic in data["topics"]:
        topic["years"] = {one.of: one.n for one in trends[topic["slug"]].shares}
    return Answer("topics.html", values, data)


Counted = tuple[TopicTreeView, dict[str, TrendView]]
_KEPT: Answers[Counted] = Answers(2)


def _counted(octavo: Octavo) -> Counted:
    """How many papers each topic has, and had in each year, by slug; as they were counted before, where nothing has
    changed since."""
    if (kept := _KEPT.get(octavo.state())) is not None:
        return kept
    trends = dict(zip((node.slug for node in bundled_tree().nodes), octavo.topic_years(), strict=True))
    counted = octavo.topic_tree(), trends
    # What it was counted in: the counting itself may have brought the index up to date.
    _KEPT.put(octavo.state(), counted)
    return counted


PAGES = (Page("/topics", answer),)
