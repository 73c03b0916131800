"""What a site of pages is made of: the papers of a list, and which of them are near each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from octavo.records.paper import Paper


@dataclass(frozen=True, slots=True)
class ListView:
    """The papers of a list that somebody wants to show to others."""

    name: str
    """What the list is called: `ICML 2025`; empty where only its owner may know it by its name (a tag)."""
    papers: tuple[Paper, ...]
    """In the order of the list, each once."""
    gone: int = 0
    """Papers that are on it and not in the catalogue."""
    near: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict)
    """By a paper's id the ids of the papers nearest to it in meaning, and how near; empty without vectors."""
    awards: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By a paper's id how it was presented (`app.venues.AWARDS`), for papers of an edition."""
    tracks: Mapping[str, str] = field(default_factory=dict)
    """By a paper's id its track of an edition; the main one is empty."""


@dataclass(frozen=True, slots=True)
class PublishedView:
    """A site that was written."""

    folder: str
    title: str
    papers: int
    pages: int
    """Pages of HTML, in all languages."""
    files: int
    bytes: int
    languages: tuple[str, ...]
    has_search: bool
    gone: int = 0
    """Papers of the list that the catalogue does not have any more."""
    notes: tuple[str, ...] = ()
    """What the reader should know."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "published"."""
        return {
            "folder": self.folder,
            "title": self.title,
            "papers": self.papers,
            "pages": self.pages,
            "files": self.files,
            "bytes": self.bytes,
            "languages": list(self.languages),
            "has_search": self.has_search,
            "gone": self.gone,
            "notes": list(self.notes),
        }
