"""A catalogue of every form that was ever released is brought up to date, and says what it said."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.runs import Runs
from octavo.catalogue.schema import MIGRATIONS
from octavo.ingest import Ingest
from tests.world import RECORDS

OLD = sorted((Path(__file__).parent / "old").glob("v*.sql"))


@pytest.fixture(params=OLD, ids=lambda path: path.stem)
def old(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "catalogue.db"
    connection = sqlite3.connect(path)
    connection.executescript(request.param.read_text(encoding="utf-8"))
    connection.close()
    return path


def test_there_is_a_dump_of_every_form_but_the_newest() -> None:
    assert [path.stem for path in OLD] == [f"v{step.number}" for step in MIGRATIONS[:-1]]


def test_an_old_catalogue_has_the_same_papers_when_it_is_brought_up_to_date(old: Path, tmp_path: Path) -> None:
    fresh = Database(tmp_path / "fresh" / "catalogue.db")
    Ingest(Catalogue(fresh)).put(RECORDS)
    expected = {paper.id: paper for _, paper in Catalogue(fresh).changed_since(-1)}
    fresh.close()
    database = Database(old)
    for _ in Ingest(Catalogue(database)).link_pending():
        pass
    assert database.connection.execute("PRAGMA user_version").fetchone()[0] == MIGRATIONS[-1].number
    assert {paper.id: paper for _, paper in Catalogue(database).changed_since(-1)} == expected
    changes = Ingest(Catalogue(database)).put(RECORDS)
    assert (changes.n_added, changes.n_unchanged) == (0, len(RECORDS))
    database.close()


def test_an_old_log_can_be_read_when_it_is_brought_up_to_date(old: Path) -> None:
    database = Database(old)
    (run,) = Runs(database).last()
    assert (run["source"], run["target"], run["state"]) == ("jsonl", "world.jsonl", "complete")
    assert Runs(database).faults_of(int(run["run"])) == [("world.jsonl, line 9", "no title", "")]
    database.close()
