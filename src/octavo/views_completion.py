"""What help while typing may show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from octavo.records.paper import PaperId


@dataclass(frozen=True, slots=True)
class ItemView:
    """One way in which a text may go on."""

    kind: str
    """`paper`, `author`, `venue`, `topic`, `term`, `category`, `value` or `field`."""
    text: str
    """A title, a name."""
    query: str
    """The whole query that it makes of the text."""
    detail: str = ""
    count: int | None = None
    """Papers that the query finds, where that was counted."""
    paper: PaperId | None = None
    key: str = ""
    """By which a topic (its slug) or a venue is known."""
    is_open: bool = False
    """Whether a value has to follow."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "completion"."""
        return {
            "kind": self.kind,
            "text": self.text,
            "query": self.query,
            "detail": self.detail or None,
            "count": self.count,
            "paper": self.paper,
            "key": self.key or None,
            "open": self.is_open,
        }


@dataclass(frozen=True, slots=True)
class CompletionView:
    """The ways in which a text may go on, the likeliest first."""

    text: str
    items: tuple[ItemView, ...] = ()
    read_as: str = ""
    """What was read instead, where a typing error was forgiven."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "completion"."""
        return {"text": self.text, "read_as": self.read_as or None, "items": [one.to_dict() for one in self.items]}


@dataclass(frozen=True, slots=True)
class MeantView:
    """What a query was most likely meant to be."""

    query: str
    total: int
    """Papers that it finds."""

    def to_dict(self) -> dict[str, Any]:
        """`docs/json.md`, "meant"."""
        return {"query": self.query, "total": self.total}
