"""JSON lines without loss: what `octavo.sources.jsonl` reads back.

    {"id": "pabc...", "title": "Fast Tiles", "records": [{"source": ..., "key": ..., ...}]}

The records are the truth of a line; `id` and `title` are there for a reader of the file and for `grep`. Added
to an empty catalogue and exported again, the same papers give the same bytes: records stand in the order of
their names.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from octavo.records.codec import record_to_dict
from octavo.records.paper import Paper, Record


def jsonl_lines(papers: Iterable[tuple[Paper, list[Record]]]) -> Iterator[str]:
    """Give a line, with its end, for each paper."""
    for paper, records in papers:
        ordered = sorted(records, key=lambda record: (record.source, record.key))
        line = {
            "id": paper.id,
            "title": paper.title,
            "records": [record_to_dict(record) for record in ordered],
        }
        yield _encodable(json.dumps(line, ensure_ascii=False)) + "\n"


def _encodable(line: str) -> str:
    """The line with half surrogate pairs, which are no UTF-8, as JSON's escapes."""
    return line.encode("utf-8", "backslashreplace").decode()
