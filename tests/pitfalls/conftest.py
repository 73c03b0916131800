"""A home that files are put into, and small files of the formats that the triggers come in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from octavo.app import Octavo
from octavo.views import AddView


class Shelf:
    """An empty home, with short ways to put a file in and to look at what it made."""

    def __init__(self, octavo: Octavo, folder: Path) -> None:
        self.octavo = octavo
        self._folder = folder
        self._files = 0

    def put(self, name: str, content: str | bytes, source: str | None = None) -> AddView:
        """Add a file of this name and content."""
        self._files += 1
        path = self._folder / str(self._files) / name
        path.parent.mkdir()
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return self.octavo.add(source, path)

    def papers(self) -> list[dict[str, Any]]:
        """All papers as `octavo show --json` has them, by title."""
        lines = (json.loads(line) for line in self.octavo.export("jsonl", everything=True))
        return sorted((self.octavo.get(line["id"]).to_dict() for line in lines), key=lambda paper: str(paper["title"]))

    def paper(self) -> dict[str, Any]:
        """The one paper that there is."""
        (paper,) = self.papers()
        return paper

    def titles(self) -> list[str]:
        """The titles of all papers."""
        return [paper["title"] for paper in self.papers()]

    def claims(self, name: str) -> list[dict[str, Any]]:
        """What each source said of a paper."""
        return list(self.octavo.get(name, claims=True).claims)

    def export(self, form: str) -> str:
        """All papers in a form."""
        return "".join(self.octavo.export(form, everything=True))


@pytest.fixture
def shelf(octavo: Octavo, tmp_path: Path) -> Shelf:
    """An empty home."""
    return Shelf(octavo, tmp_path)


@pytest.fixture
def other_shelf(tmp_path: Path) -> Callable[[], Shelf]:
    """Another empty home, to read an export back into."""
    homes: list[Octavo] = []

    def make() -> Shelf:
        folder = tmp_path / f"other{len(homes)}"
        folder.mkdir()
        homes.append(Octavo(folder / "home"))
        return Shelf(homes[-1], folder)

    return make


FILES = {"bibtex": "back.bib", "ris": "back.ris", "csl": "back.json", "jsonl": "back.jsonl"}
"""A name for an export of each form."""
