"""Facets: of the papers that match, how many have each value. Counts are true, however many values there are.

    venue     series: `ICML`             status    `accepted`
    edition   `ICML 2025`                has       `code` (`query.holdings`)
    year      `2025`                     source    `arxiv-snapshot`
    category  `cs.LG`                    topic     slugs, of the topics above as well
    term      slugs of the glossary

Each value, asked for in the field of that name (`venue` for an edition), finds the papers that were counted. A venue is
counted only where it is known (`records.venues`); a paper counts once for each value that it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

FACETS = {
    "venue": "at",
    "edition": "at",
    "year": "year",
    "category": "cat",
    "status": "status",
    "has": "has",
    "source": "source",
    "topic": "topic",
    "term": "term",
}
"""What can be counted, and the field of the index that has it."""
_MOST_VALUES = 60_000
"""Values that the engine may count before it drops the rarest; tantivy makes no more than 65,000 buckets."""
_GROUPS = frozenset(("astro-ph", "cond-mat", "cs", "econ", "eess", "math", "nlin", "physics", "q-bio", "q-fin", "stat"))
"""Groups of categories, which are counted as values in the index, since they can be asked for."""


def terms_of(name: str) -> dict[str, Any]:
    """The engine's request for a facet.

    Raises:
        KeyError: there is no facet of that name.
    """
    return {"field": FACETS[name], "size": _MOST_VALUES, "segment_size": _MOST_VALUES}


def crossed_terms_of(by: str, name: str) -> dict[str, Any]:
    """The engine's request for a facet within each value of another one.

    Raises:
        KeyError: there is no facet of that name.
    """
    return {"terms": terms_of(by), "aggs": {"within": {"terms": terms_of(name)}}}


def read_crossed(by: str, name: str, buckets: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """The engine's answer: for each value of `by` the values of `name`, with counts."""
    found: dict[str, dict[str, int]] = {}
    for bucket in buckets:
        for value, _ in _named(by, iter([(str(bucket["key"]), 0)])):
            within = ((str(one["key"]), int(one["doc_count"])) for one in bucket["within"]["buckets"])
            found[value] = dict(_named(name, within))
    return found


def read_facet(name: str, buckets: Iterable[Mapping[str, Any]], limit: int) -> list[tuple[str, int]]:
    """The engine's answer, as a reader writes the values: the most frequent first, then by name."""
    counts = ((str(bucket["key"]), int(bucket["doc_count"])) for bucket in buckets)
    found = _named(name, counts)
    return sorted(found, key=lambda pair: (-pair[1], pair[0]))[:limit]


def _named(name: str, counts: Iterator[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    for key, count in counts:
        if name in ("venue", "edition"):
            shown, is_edition = _venue(key)
            if shown and is_edition is (name == "edition"):
                yield shown, count
        elif name == "category":
            if key not in _GROUPS:
                yield _category(key), count
        else:
            yield key.removesuffix(".0") if name == "year" else key, count


@lru_cache(maxsize=10_000)
def _venue(term: str) -> tuple[str, bool]:
    """A term of `edition_names.venue_terms` as it is shown, and whether it is of one edition; empty for a track."""
    from octavo.records.venues import venue_series

    if "/" in term:
        return "", False
    if series := venue_series(term):
        return series.short, False
    key, _, year = term.rpartition("-")
    series = venue_series(key)
    return (f"{series.short} {year}", True) if series else ("", False)


def _category(folded: str) -> str:
    """A folded category as arXiv writes it: subjects of two letters are in capitals (`cs.LG`), the others are not."""
    group, dot, subject = folded.partition(".")
    return f"{group}.{subject.upper()}" if dot and len(subject) == 2 else folded
