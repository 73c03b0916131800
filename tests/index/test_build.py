"""Building an index with helper processes, and without."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.index import build
from octavo.records.codec import encode_record
from tests.world import RECORDS


def state_of(octavo: Octavo) -> str:
    """Everything that a search of the index tells."""
    views = [
        octavo.search(query, 100, facets=("topic", "venue", "year"))
        for query in ("tiles", "floor OR greedy", "year:2031")
    ]
    return json.dumps([view.to_dict() for view in views], sort_keys=True, default=str)


@pytest.mark.parametrize("size", [3, 1_000], ids=["parts of three", "one part"])
def test_helpers_make_the_same_index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """With a correction of the reader's, of which helper processes know the lessons alone."""
    monkeypatch.setattr(build, "MANY", 2)
    monkeypatch.setattr(build, "AT_A_TIME", size)
    path = tmp_path / "world.jsonl"
    path.write_text("".join(f"{encode_record(one)}\n" for one in RECORDS))
    with Octavo(tmp_path / "home") as octavo:
        octavo.add("jsonl", path)
        paper = octavo.search("tiles").hits[0].paper.id
        octavo.correct_topics(paper, ["machine-translation"])
        octavo.rebuild()
        alone = state_of(octavo)
        n_papers = octavo.stats().papers
    assert "machine-translation" in alone
    told: list[tuple[int, int]] = []
    with Octavo(tmp_path / "home", workers=2) as octavo:
        assert octavo.rebuild(lambda _stage, done, total: told.append((done, total))) == n_papers
        assert octavo._workers._pool is not None, "no process helped"
        assert state_of(octavo) == alone
    assert told[-1] == (n_papers, n_papers)


def test_few_papers_start_no_process(tmp_path: Path) -> None:
    path = tmp_path / "world.jsonl"
    path.write_text("".join(f"{encode_record(one)}\n" for one in RECORDS))
    with Octavo(tmp_path / "home", workers=2) as octavo:
        octavo.add("jsonl", path)
        octavo.rebuild()
        assert octavo._workers._pool is None


def test_a_script_without_a_main_guard_is_told_so(tmp_path: Path) -> None:
    """Its helper processes run it from its beginning, and must not wait for what it has locked."""
    path = tmp_path / "world.jsonl"
    path.write_text("".join(f"{encode_record(one)}\n" for one in RECORDS))
    with Octavo(tmp_path / "home") as octavo:
        octavo.add("jsonl", path)
    script = tmp_path / "script.py"
    lines = (
        "from octavo.app import Octavo",
        "from octavo.errors import OctavoError",
        "from octavo.index import build",
        "build.MANY = 2",
        "try:",
        f"    Octavo({str(tmp_path / 'home')!r}, workers=2).rebuild()",
        "except OctavoError as error:",
        "    print(error.message, error.hint)",
        "    raise SystemExit(3)",
    )
    script.write_text("\n".join(lines))
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "__main__" in done.stdout
    with Octavo(tmp_path / "home") as octavo:
        assert octavo.search("tiles").total > 0
