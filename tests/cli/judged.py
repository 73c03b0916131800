"""A made-up judged set: a few papers, queries in two kinds, and what answers them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

DOCUMENTS: tuple[Mapping[str, Any], ...] = (
    {"id": "t1", "title": "Fast Tiles", "text": "We lay tiles quickly on a floor of any shape."},
    {"id": "t2", "title": "Slow Tiles", "text": "Tiles are laid with patience, one after the other."},
    {"id": "t3", "title": "Slow Tiles", "text": "Tiles are laid with patience, one after the other."},  # a twin of t2
    {"id": "q1", "title": "Sparse Quarries", "text": "A quarry gives little stone where it is sparse."},
    {"id": "q2", "title": "Greedy Quarries", "text": "A greedy quarry gives all of its marble at once."},
    {"id": "m1", "title": "", "text": "Mosaics without a name, put together by chance."},
)
QUERIES: tuple[Mapping[str, Any], ...] = (
    {"id": "t1:short", "text": "fast tiles"},
    {"id": "t1:long", "text": "tiles laid quickly on a floor"},
    {"id": "q2:short", "text": "greedy marble"},
    {"id": "q2:long", "text": "a quarry that gives marble"},
    {"id": "m1:long", "text": "mosaics by chance"},
    {"id": "x9:short", "text": "nobody judged this"},
)
QRELS = """query-id\tcorpus-id\tscore
t1:short\tt1\t2
t1:short\tt2\t1
t1:long\tt1\t1
q2:short\tq2\t1
q2:short\tq1\t0
q2:long\tq2\t1
m1:long\tm1\t1
"""


def write_set(
    folder: Path,
    *,
    documents: Iterable[Mapping[str, Any]] = DOCUMENTS,
    queries: Iterable[Mapping[str, Any]] = QUERIES,
    qrels: str = QRELS,
) -> Path:
    """Write the set as plain files; returns the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    write_lines(folder / "corpus.jsonl", documents)
    write_lines(folder / "queries.jsonl", queries)
    (folder / "qrels.tsv").write_text(qrels, encoding="utf-8")
    return folder


def write_lines(path: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    """Write JSON lines, gzipped where the name says so."""
    content = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries).encode()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
