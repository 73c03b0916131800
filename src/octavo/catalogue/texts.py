"""The texts of papers as their sources wrote them, from the records that the papers' texts are from."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from octavo.catalogue.papers import Catalogue
from octavo.records.paper import Paper
from octavo.records.text import Text

FIELDS = ("title", "abstract", "tldr", "summary")
"""A record's fields that are a Text."""


def written(catalogue: Catalogue, papers: Sequence[Paper]) -> Iterator[tuple[Paper, dict[str, Any]]]:
    """For each paper its texts by field, a Text or None; where a record is gone meanwhile, the paper's own words."""
    origins = {paper.id: dict(paper.origins) for paper in papers}
    wanted: dict[str, set[str]] = {}
    for named in origins.values():
        for field in FIELDS:
            source, found, key = named.get(field, "").partition(":")
            if found:
                wanted.setdefault(source, set()).add(key)
    # As JSON: of a record nothing but these texts is needed, and a page shows fifty papers.
    claims = {
        f"{source}:{key}": json.loads(stored.claim)
        for source, keys in wanted.items()
        for key, stored in catalogue.find_records(source, sorted(keys)).items()
    }
    for paper in papers:
        texts: dict[str, Any] = {}
        for field in FIELDS:
            plain: str = getattr(paper, field)
            claim = claims.get(origins[paper.id].get(field, ""), {})
            texts[field] = _text(claim.get(field), plain) if plain else None
        texts["title"] = texts["title"] or Text(paper.title)
        yield paper, texts


def _text(value: object, plain: str) -> Text:
    """A text of a claim (`records.codec`)."""
    if isinstance(value, dict):
        return Text(str(value["text"]), str(value["markup"]))
    return Text(value if isinstance(value, str) else plain)
