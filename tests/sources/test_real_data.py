"""The three sources over the real files beside the checkout, where those are."""

from __future__ import annotations

import resource
from collections import Counter
from pathlib import Path

import pytest

from octavo.records.paper import Record
from octavo.sources.base import Fault
from octavo.sources.registry import find_source_for, get_source
from octavo.sources.streams import size_of

DATA = Path(__file__).parents[3] / "shared" / "data"

pytestmark = [pytest.mark.real, pytest.mark.skipif(not DATA.is_dir(), reason="the real data set is not here")]

FILES = [
    ("mlanthology", "mlanthology/mlanthology-2026-03.tar", 103_926, {}),
    ("paperlists", "paperlists/paperlists-head-33f9884e.tar.gz", 27_164, {"no title": 1}),
    ("paperlists", "paperlists/paperlists-older-revisions.tar.gz", 48_755, {}),
    ("arxiv-snapshot", "arxiv/arxiv-ml-1993-2019.kaggle.jsonl.gz", 52_926, {}),
    ("arxiv-snapshot", "arxiv/arxiv-ml-2023-2025-hdshang.kaggle.jsonl.gz", 6_743, {}),
    ("arxiv-snapshot", "arxiv/arxiv-ml-2025-2026-daily.kaggle.jsonl.gz", 63_547, {}),
    ("arxiv-snapshot", "samples/kaggle/arxiv-metadata-oai-snapshot.head.jsonl", 100, {}),
]


@pytest.mark.parametrize(("source", "name", "records", "faults"), FILES, ids=[Path(file[1]).name for file in FILES])
def test_every_paper_of_the_file_is_read(source: str, name: str, records: int, faults: dict[str, int]) -> None:
    path = DATA / name
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert find_source_for(path) == source
    reader = get_source(source)
    keys: set[str] = set()
    found = 0
    reasons: Counter[str] = Counter()
    done = 0
    for page in reader.fetch(path):
        assert done <= page.done <= size_of(path)
        done = page.done
        for one in reader.parse(page):
            if isinstance(one, Fault):
                reasons[one.reason] += 1
            elif isinstance(one, Record):
                found += 1
                keys.add(one.key)
    assert (found, dict(reasons)) == (records, faults)
    assert len(keys) == records
    # Kilobytes on Linux. What a file unpacks to is up to three times this. Other tests of the process may have had more.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < max(400_000, before + 50_000)


DIGESTS = [
    "dw-dengwei-2025-03-18.jsonl.gz",
    "hdShang-2025-12-16-arxiv.json.gz",
    "a1henu-2025-10-12-arxiv.json.gz",
]


@pytest.mark.parametrize("name", DIGESTS)
def test_daily_digest_is_not_taken_for_a_snapshot_or_a_list(name: str) -> None:
    assert find_source_for(DATA / "samples" / "digests" / name) is None
