"""What can be asked of a search beside its words; apart, so that a surface knows it without loading an index."""

from __future__ import annotations

from typing import Literal

Sort = Literal["relevance", "newest", "oldest", "cited"]
Way = Literal["hybrid", "words", "meaning"]

SORTS: tuple[Sort, ...] = ("relevance", "newest", "oldest", "cited")
"""Orders of finds."""
WAYS: tuple[Way, ...] = ("hybrid", "words", "meaning")
"""What finds are found by."""
FACETS = ("venue", "edition", "year", "category", "status", "has", "source", "topic", "term")
"""What can be counted of the papers that match (`octavo.index.facets`)."""
