"""Make labelled pairs of preprints and published papers whose label the abstracts give, for `fit.py`.

    python tools/linking/silver.py PREPRINTS PUBLISHED ... > silver.jsonl

PREPRINTS is a file in the layout of arXiv's snapshot, each PUBLISHED `SOURCE=FILE`. Pairs are drawn from those that
have the same family names or the same title. Two abstracts of which a quarter of the runs of three words are common
are one work's, two with hardly any are two works'; what lies between is left out. Pairs of one kind are thinned, so
that the plain cases don't drown the rest. The abstracts are written too, so that a fit may use or leave them.
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from octavo.ingest.linking.features import Features, features_of, resemblance
from octavo.records.paper import Record
from octavo.sources.registry import get_source

SAME, OTHER = 0.25, 0.03
PUBLISHED_TWICE = 0.5
"""The same for two papers that are published both: teams do take sentences from one paper to the next."""
MOST = {
    "same-title": 1500,
    "retitled": 1500,
    "same-team": 2000,
    "two-preprints": 1000,
    "two-published": 1500,
    "same-list": 1200,
}
_MOST_HOLDERS = 12


def main() -> None:
    """Draw the pairs and print them."""
    rng = random.Random(7)
    preprints, *lists = sys.argv[1:]
    records = [*read("arxiv-snapshot", preprints)]
    for named in lists:
        source, _, file = named.partition("=")
        records += read(source, file)
    features = [features_of(record) for record in records]
    drawn: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for one, other in sorted(candidates(features)):
        if kind := judge(features[one], features[other]):
            drawn[kind[0]].append((one, other, kind[1]))
    for kind, pairs in sorted(drawn.items()):
        print(kind, len(pairs), file=sys.stderr)
        for one, other, label in rng.sample(pairs, min(len(pairs), MOST[kind])):
            left, right = written(records[one]), written(records[other])
            line = {"left": left, "right": right, "label": label, "kind": kind, "level": "work"}
            print(json.dumps(line, ensure_ascii=False))


def read(source: str, file: str) -> Iterator[Record]:
    """The records of a file that have authors and an abstract."""
    reader = get_source(source)
    for page in reader.fetch(Path(file)):
        for record in reader.parse(page):
            if isinstance(record, Record) and record.authors and record.abstract:
                yield record


def candidates(features: list[Features]) -> set[tuple[int, int]]:
    """Pairs with the same family names, or the same title."""
    holders: dict[object, list[int]] = defaultdict(list)
    for at, one in enumerate(features):
        holders[tuple(sorted({person.family for person in one.people}))].append(at)
        holders[one.title.key].append(at)
    return {pair for some in holders.values() if len(some) <= _MOST_HOLDERS for pair in combinations(some, 2)}


def judge(one: Features, other: Features) -> tuple[str, int] | None:
    """The kind and label of a pair; None where it teaches nothing or can't be told."""
    same = resemblance(one.sketch, other.sketch)
    titles = one.title.key == other.title.key
    if one.appearance.edition and one.appearance.edition == other.appearance.edition:
        return ("same-list", 0) if not titles and same < SAME else None
    if one.appearance.is_preprint and other.appearance.is_preprint:
        return ("two-preprints", 0) if same < SAME and not titles else None
    if not one.appearance.is_preprint and not other.appearance.is_preprint:
        if titles or not one.sketch or not other.sketch:
            return None
        return ("two-published", 1) if same >= PUBLISHED_TWICE else ("two-published", 0) if same < OTHER else None
    if same >= SAME:
        return ("same-title" if titles else "retitled"), 1
    if same >= OTHER or not one.sketch or not other.sketch:
        return None
    return ("same-team", 0) if not titles else None


def written(record: Record) -> dict[str, object]:
    """A record as a side of a pair."""
    venue = record.venue
    side: dict[str, object] = {
        "title": record.title.plain,
        "authors": [author.name for author in record.authors[:60]],
        "abstract": record.abstract.plain if record.abstract else "",
    }
    if venue and (venue.short or venue.name):
        side |= {"venue": venue.short or venue.name, "year": str(venue.year or ""), "pages": venue.pages}
    side |= {identifier.scheme: identifier.value for identifier in record.identifiers if identifier.scheme == "arxiv"}
    return side


if __name__ == "__main__":
    main()
