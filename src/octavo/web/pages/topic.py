"""`/topic/deep-learning/large-language-models`: a topic, its years and venues, its papers and who writes them."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from octavo.app import Octavo
from octavo.app.near_names import near_topics
from octavo.topics.tree import ROOT_ADDRESS, bundled_tree
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page
from octavo.web.charts import by_venue, by_year

FEED_SIZE = 100
"""Papers of a feed: the newest."""
_LONGEST = 300


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The page of a topic; of another name of it, where that page is; the nearest names where it has none."""
    tree = bundled_tree()
    name = asked.names["name"].strip("/")[:_LONGEST]
    last = name.rpartition("/")[2]
    node = tree.get(last) or tree.at(part.replace("-", " ") for part in name.split("/")) or tree.find(last)
    if node is None:
        return unknown(asked, last)
    address = tree.address(node)
    if f"{ROOT_ADDRESS}/{asked.names['name']}" != address:
        return Answer("", location=f"{address}{'' if asked.kind == 'html' else f'.{asked.kind}'}")
    shown = node.name_zh if asked.language.code.startswith("zh") else node.name
    if asked.is_whole:
        papers = octavo.papers_about("topic", node.slug, MOST_LISTED if asked.kind == "bib" else FEED_SIZE)
        return Answer("topic.html", papers=papers, title=f"Octavo: {shown}")
    view = octavo.topic_page(node.slug)
    if asked.as_json:
        return Answer("", data=view.to_dict())
    values = {
        "view": view,
        "name": shown,
        "years": by_year(asked.language, shown, view.trend.shares),
        "venues": by_venue(asked.language, shown, view.venues),
        "counted_as": tree[node.same_as] if node.same_as else None,
        "counted_at": tree.address(tree[node.same_as]) if node.same_as else "",
        "written": octavo.written([*view.key_papers, *view.newest]),
    }
    return Answer("topic.html", values)


def unknown(asked: Asked, name: str) -> Answer:
    """There is no topic of that name; which are near."""
    say = asked.language.say
    is_chinese = asked.language.code.startswith("zh")
    tree = bundled_tree()
    near = [(node.name_zh if is_chinese else node.name, tree.address(node)) for node in near_topics(readable(name))]
    message = say("There is no topic “{name}”.", name=readable(name)[:80])
    return not_there(message, near, ("/topics", say("All topics")), readable(name))


def not_there(message: str, near: list[tuple[str, str]], every: tuple[str, str], query: str) -> Answer:
    """A page that says so, with what is near and where to search."""
    hint = ", ".join(name for name, _ in near)
    data: dict[str, Any] = {"error": {"kind": "not_found", "message": message, "hint": hint or None}}
    values = {
        "message": message,
        "near": near,
        "every": every,
        "search": f"/search?q={quote(query[:_LONGEST], errors='replace')}",
    }
    return Answer("unknown.html", values, data, status=404)


def readable(name: str) -> str:
    """A name of an address as a reader would write it."""
    return " ".join(name.replace("-", " ").split())


PAGES = (Page("/topic/{name:path}", answer, kinds=("json", *LISTS)),)
