"""A08: what its source deleted is not found any more, and lives again when the source says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.tombstones import Tombstones
from octavo.errors import NotFound
from octavo.ingest import Ingest
from octavo.ingest.prepare import prepare
from octavo.records.ids import parse_identifier
from octavo.records.paper import Record
from tests.world import RECORDS, record

ALONE = record("arxiv", "2101.00077", "Grout as a Service", "Ann Bee", ids="arXiv:2101.00077")
TWIN = record("pmlr", "v300/bee31c", "Grout as a service", "Ann Bee", ids="arXiv:2101.00077")


@pytest.fixture
def ingest(tmp_path: Path) -> Iterator[Ingest]:
    database = Database(tmp_path / "catalogue.db")
    yield Ingest(Catalogue(database))
    database.close()


def titles(ingest: Ingest) -> list[str]:
    return sorted(paper.title for _, paper in ingest.catalogue.changed_since(-1))


def holders(ingest: Ingest) -> list[int]:
    return ingest.catalogue.find_by_identifier(parse_identifier("arXiv:2101.00077")[0])


def delete(ingest: Ingest, *records: Record, day: str = "2031-01-02", put: tuple[Record, ...] = ()) -> object:
    return ingest.put_prepared([prepare(one) for one in put], deleted={(one.source, one.key): day for one in records})


def test_a_paper_goes_when_its_only_record_is_deleted(ingest: Ingest) -> None:
    ingest.put([ALONE])
    ((pk, paper),) = ingest.catalogue.changed_since(-1)
    changes = delete(ingest, ALONE)
    assert (changes.n_deleted, changes.removed, changes.put) == (1, [pk], [])
    assert titles(ingest) == []
    assert holders(ingest) == []
    with pytest.raises(NotFound):
        ingest.catalogue.get_paper(paper.id)
    assert ingest.catalogue.removed_since(0) == [pk]
    stone = Tombstones(ingest.catalogue.database).find("arxiv:2101.00077")
    assert stone
    assert (stone.paper, stone.deleted_on) == (paper.id, "2031-01-02")
    assert Tombstones(ingest.catalogue.database).find(paper.id) == stone


def test_a_paper_keeps_what_others_say_when_one_record_is_deleted(ingest: Ingest) -> None:
    ingest.put([ALONE, TWIN])
    ((_, before),) = ingest.catalogue.changed_since(-1)
    changes = delete(ingest, ALONE)
    ((_, after),) = ingest.catalogue.changed_since(-1)
    assert (changes.n_deleted, changes.removed) == (1, [])
    assert after.sources == ("pmlr",)
    assert ingest.catalogue.get_paper(before.id)[1] == after  # the former id leads on
    stone = Tombstones(ingest.catalogue.database).find("arxiv:2101.00077")
    assert stone
    assert stone.paper == ""


def test_a_deleted_record_lives_again_under_the_same_id(ingest: Ingest) -> None:
    ingest.put([ALONE])
    ((_, before),) = ingest.catalogue.changed_since(-1)
    delete(ingest, ALONE)
    assert ingest.put([ALONE]).n_added == 1
    ((_, after),) = ingest.catalogue.changed_since(-1)
    assert after == before
    assert Tombstones(ingest.catalogue.database).find(after.id) is None


def test_nothing_happens_when_the_deleted_is_not_there(ingest: Ingest) -> None:
    ingest.put([TWIN])
    seq = ingest.catalogue.seq
    changes = delete(ingest, ALONE)
    assert (changes.n_deleted, changes.seq, ingest.catalogue.seq) == (0, 0, seq)
    assert titles(ingest) == ["Grout as a service"]


def test_a_record_that_is_deleted_and_given_in_one_batch_lives(ingest: Ingest) -> None:
    ingest.put([ALONE])
    delete(ingest, ALONE, put=(ALONE, TWIN))
    assert len(titles(ingest)) == 1


def test_a_batch_is_whole_or_not_at_all_when_what_belongs_to_it_fails(ingest: Ingest) -> None:
    """A13: a page and its cursor are stored together."""
    ingest.put([TWIN])

    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ingest.put_prepared([prepare(ALONE)], deleted={(TWIN.source, TWIN.key): ""}, also=fail)
    assert titles(ingest) == ["Grout as a service"]


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_left_is_what_was_never_deleted_whatever_the_order(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    gone = data.draw(st.sets(st.sampled_from([(one.source, one.key) for one in RECORDS])))
    order = data.draw(st.permutations(sorted(gone)))
    cut = data.draw(st.integers(0, len(order)))
    folder = tmp_path_factory.mktemp("catalogues")
    left, right = (Ingest(Catalogue(Database(folder / f"{n}.db"))) for n in "ab")
    try:
        left.put(RECORDS)
        for part in (order[:cut], order[cut:]):
            left.put_prepared([], deleted=dict.fromkeys(part, ""))
        right.put([one for one in RECORDS if (one.source, one.key) not in gone])
        assert {paper.id: paper for _, paper in left.catalogue.changed_since(-1)} == {
            paper.id: paper for _, paper in right.catalogue.changed_since(-1)
        }
        assert left.catalogue.database.connection.execute("PRAGMA foreign_key_check").fetchall() == []
    finally:
        left.catalogue.database.close()
        right.catalogue.database.close()
