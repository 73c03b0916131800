"""The real samples beside the checkout: each file is taken in, or refused with a reason that a reader can act on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import FormatError, OctavoError, UsageError

pytestmark = pytest.mark.real

TAKEN = {
    "arxiv-atom-api": ("arxiv", 19), "arxiv-feed-atom": ("arxiv", 1), "oai-SYNTHETIC": ("arxiv", 3), "oai-arXiv": ("arxiv", 15),
    "kaggle": ("arxiv-snapshot", 1), "crossref": ("crossref", 5), "openalex": ("openalex", 3), "openreview": ("openreview", 1),
    "pmlr-v267-posts": ("pmlr", 4), "ris": ("ris", 14), "semanticscholar": ("semanticscholar", 4),
}  # fmt: skip
"""The folders of which a source reads files, and how many."""

REFUSED = {
    # Formats that no source reads: arXiv's own files, other people's digests and tables, recordings of tests.
    "arxiv-abs": (UsageError, "can't be told", 1),
    "arxiv-search-docmeta": (UsageError, "is JSON with the fields", 3),
    "digests": (UsageError, "can't be told", 6),
    "miniconf": (UsageError, "begins with", 1),
    "staeiou-tsv": (UsageError, "begins with", 2),
    "vcr-paperqa": (UsageError, "begins with", 8),
    "semanticscholar": (UsageError, "begins with", 6),
    "dblp": (UsageError, "dblp.dtd", 1),
    "arxiv-atom-api": (FormatError, "arXiv refuses the query: incorrect id format for abc", 1),
    "ris": (FormatError, "Web of Science", 1),
}
"""The folders of which files are refused: how, with what words, and how many."""


def test_every_sample_is_taken_or_refused_with_a_reason(shared: Path, octavo: Octavo) -> None:
    taken: Counter[tuple[str, str]] = Counter()
    refused: dict[Path, OctavoError] = {}
    for path in sorted((shared / "data" / "samples").rglob("*")):
        if not path.is_file():
            continue
        folder = path.parent.name
        try:
            view = octavo.add(None, path)
        except OctavoError as error:
            refused[path] = error
        else:
            taken[folder, view.source] += 1
            assert set(dict(view.reasons)) <= {"no title"}, (path.name, view.reasons)
    for path, error in refused.items():
        kind, words, _ = REFUSED[path.parent.name]
        assert type(error) is kind, (path.name, error)
        assert words in str(error)
        assert path.name in str(error)
    assert Counter(path.parent.name for path in refused) == {
        folder: number for folder, (_, _, number) in REFUSED.items()
    }
    expected = {(folder, source): number for folder, (source, number) in TAKEN.items()}
    assert dict(taken) == expected | {("dblp", "dblp"): 1, ("dblp", "bibtex"): 1}
    assert octavo.waiting() == [], "no file was taken for a page of prose"
    assert octavo.stats().papers > 400
    assert all(paper.paper.title for paper in octavo.search("the", limit=1000).hits)
