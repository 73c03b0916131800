"""What the library shows: papers with what the reader said of them, what an act did, and what a file brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from octavo.records.paper import Paper
from octavo.views import JudgedView, brief


@dataclass(frozen=True, slots=True)
class ShelfView:
    """What the reader said of one paper; empty where nothing."""

    saved_at: str = ""
    read_at: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    noted_at: str = ""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library"."""
        return {
            "saved_at": self.saved_at or None,
            "read_at": self.read_at or None,
            "tags": list(self.tags),
            "note": self.note or None,
            "noted_at": self.noted_at or None,
        }


@dataclass(frozen=True, slots=True)
class LibraryEntryView:
    """A paper of the library."""

    id: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    identifiers: tuple[str, ...]
    shelf: ShelfView
    paper: Paper | None = None
    """None where it is not in the catalogue (any more, or yet)."""
    deleted_by: str = ""
    """The title of the source that deleted it, where that is why."""
    deleted_on: str = ""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library"."""
        if self.paper:
            shown = brief(self.paper)
        else:
            names = dict(reversed([name.partition(":")[::2] for name in self.identifiers]))
            shown = {"id": self.id, "title": self.title, "authors": list(self.authors), "year": self.year, "ids": names}
        gone = {"deleted_by": self.deleted_by or None, "deleted_on": self.deleted_on or None}
        return shown | self.shelf.to_dict() | {"is_here": self.paper is not None} | (gone if not self.paper else {})


@dataclass(frozen=True, slots=True)
class SavedSearchView:
    """A search that was saved."""

    name: str
    query: str
    saved_at: str

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library"."""
        return {"name": self.name, "query": self.query, "saved_at": self.saved_at}


@dataclass(frozen=True, slots=True)
class DoneView:
    """The last thing that was done in the library and can be undone."""

    number: int
    kind: str
    """`save`, `unsave`, `read`, `unread`, `tag`, `untag`, `note`, `search` or `import`."""
    said_at: str
    n_papers: int
    title: str = ""
    """Of the first of its papers."""
    values: tuple[str, ...] = ()
    """Its tags, or the name of its search."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library"."""
        return {
            "act": self.kind,
            "number": self.number,
            "at": self.said_at,
            "papers": self.n_papers,
            "title": self.title or None,
            "values": list(self.values),
        }


@dataclass(frozen=True, slots=True)
class LibraryView:
    """A part of the library."""

    show: str
    tag: str
    total: int
    entries: tuple[LibraryEntryView, ...]
    counts: Mapping[str, int]
    """How many papers each part has, by its name."""
    tags: Mapping[str, int]
    """How many papers each tag has."""
    searches: tuple[SavedSearchView, ...]
    last: DoneView | None

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library"."""
        return {
            "show": self.show,
            "tag": self.tag or None,
            "total": self.total,
            "papers": [entry.to_dict() for entry in self.entries],
            "counts": dict(self.counts),
            "tags": [{"tag": tag, "papers": n} for tag, n in self.tags.items()],
            "searches": [one.to_dict() for one in self.searches],
            "last": self.last.to_dict() if self.last else None,
        }


@dataclass(frozen=True, slots=True)
class ActView:
    """What an act in the library did."""

    act: str
    """As `DoneView.kind`."""
    papers: tuple[tuple[str, str], ...]
    """(id, title) of every paper that was named and is known."""
    changed: frozenset[str]
    """The ids of those of which something else is said than before."""
    unknown: tuple[tuple[str, str], ...] = ()
    """(name, why) of what was named and could not be found."""
    values: tuple[str, ...] = ()
    number: int = 0
    """By which `undo` knows the act; 0 where nothing was changed."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "save"."""
        return {
            "act": self.act,
            "number": self.number or None,
            "papers": [
                {"id": paper, "title": title, "is_changed": paper in self.changed} for paper, title in self.papers
            ],
            "values": list(self.values),
            "unknown": [{"name": name, "reason": reason} for name, reason in self.unknown],
        }


@dataclass(frozen=True, slots=True)
class UndoneView(JudgedView):
    """What was taken back in the library."""

    gone: tuple[str, ...] = ()
    """The ids of those of its papers that are not in the catalogue."""
    values: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "join"."""
        shown = {"act": self.act, "papers": [brief(paper) for paper in self.papers]}
        return shown | {"gone": list(self.gone), "values": list(self.values)}


@dataclass(frozen=True, slots=True)
class ImportView:
    """What a file of the library brought."""

    papers: int
    """Papers that it names."""
    missing: tuple[tuple[str, str], ...]
    """(id, title) of those that are not in this catalogue; what it says of them is kept until they are."""
    changed: int
    """Papers of which something else is said than before."""
    searches: int
    """Saved searches that it brought."""
    faults: tuple[tuple[int, str], ...]
    """(line, what is wrong with it) of the lines that could not be used."""
    number: int = 0
    """By which `undo` knows it."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "library import"."""
        return {
            "papers": self.papers,
            "changed": self.changed,
            "searches": self.searches,
            "missing": [{"id": paper, "title": title} for paper, title in self.missing],
            "faults": [{"line": line, "reason": reason} for line, reason in self.faults],
            "number": self.number or None,
        }


@dataclass(frozen=True, slots=True)
class ArrivedView:
    """What came in since."""

    total: int
    papers: tuple[Paper, ...]
    last: int
    """The number of the paper that came last, to ask from the next time."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/pages.md`, "since"."""
        return {"total": self.total, "last": self.last, "papers": [brief(paper) for paper in self.papers]}
