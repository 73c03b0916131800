"""Pieces of pages that are kept: a paper in a list looks the same to every reader, on page after page."""

from __future__ import annotations

from collections.abc import Hashable

from octavo.records.paper import Paper
from octavo.views_pages import WrittenView

MOST = 3_000
"""Pieces that are kept, some 4 kB each."""


class Pieces:
    """HTML by what it was made of. Threads may share one."""

    def __init__(self, most: int = MOST) -> None:
        """Keep at most so many."""
        self._most = most
        self._kept: dict[Hashable, tuple[Paper, WrittenView, str]] = {}

    def get(self, key: Hashable, paper: Paper, texts: WrittenView) -> str:
        """The piece of that key, if it was made of a paper and texts equal to these; else empty."""
        paper_then, texts_then, html = self._kept.get(key, (None, None, ""))
        is_same = (paper_then is paper or paper_then == paper) and (texts_then is texts or texts_then == texts)
        return html if is_same else ""

    def put(self, key: Hashable, paper: Paper, texts: WrittenView, html: str) -> str:
        """Keep a piece; it is given back."""
        if len(self._kept) >= self._most:
            self._kept.clear()
        self._kept[key] = (paper, texts, html)
        return html


PIECES = Pieces()
"""Of all pages of this process."""
