"""The reader's corrections of topics in the database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.topics import Corrections
from octavo.ingest import Ingest
from octavo.judging import Judge
from tests.world import RECORDS


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = Database(tmp_path / "catalogue.db")
    Ingest(Catalogue(database)).put(RECORDS)
    yield database
    database.close()


def ids(database: Database) -> list[str]:
    return [paper.id for _, paper in Catalogue(database).changed_since(-1)]


def test_what_was_said_is_kept_in_order(database: Database) -> None:
    corrections, (one, other, *_) = Corrections(database), ids(database)
    assert corrections.correct(one, ["privacy", "fairness", "privacy"])
    assert corrections.correct(other, [])
    assert corrections.all() == {one: ("privacy", "fairness"), other: ()}
    assert corrections.of([other, "pzzzzzzzzzzzz"]) == {other: ()}


def test_the_same_again_is_nothing_new(database: Database) -> None:
    corrections, one = Corrections(database), ids(database)[0]
    assert corrections.correct(one, ["privacy"])
    assert not corrections.correct(one, ["privacy"])
    assert corrections.correct(one, ["fairness"])
    assert corrections.all() == {one: ("fairness",)}


def test_a_correction_can_be_taken_back(database: Database) -> None:
    corrections, one = Corrections(database), ids(database)[0]
    corrections.correct(one, ["privacy"])
    assert corrections.forget(one)
    assert not corrections.forget(one)
    assert corrections.all() == {}


def test_what_is_touched_counts_as_changed(database: Database) -> None:
    catalogue, corrections = Catalogue(database), Corrections(database)
    before = catalogue.seq
    pks = catalogue.all_papers_pks()[:2]
    assert corrections.touch([*pks, pks[0]]) == 2
    assert corrections.touch([]) == 0
    assert catalogue.seq == before + 1
    assert {pk for pk, _ in catalogue.changed_since(before)} == set(pks)


def test_corrections_follow_a_join_and_go_back_when_it_is_undone(database: Database) -> None:
    catalogue, corrections, judge = Catalogue(database), Corrections(database), Judge(Catalogue(database))
    for _ in Ingest(catalogue).link_pending():
        pass
    one, other = ids(database)[-2:]
    corrections.correct(one, ["privacy"])
    corrections.correct(other, ["fairness"])
    judge.join([catalogue.get_paper(name)[0] for name in (one, other)])  # type: ignore[arg-type]
    (kept,) = {one, other} & set(ids(database))
    assert corrections.all() == {kept: ("fairness",)}, "what was said last counts"
    judge.undo()
    assert corrections.all() == {one: ("privacy",), other: ("fairness",)}


def test_keys_are_those_of_papers_that_are_there(database: Database) -> None:
    one = ids(database)[0]
    assert list(Corrections(database).keys_of([one, "pzzzzzzzzzzzz"])) == [one]
