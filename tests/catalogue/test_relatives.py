"""Reading what comparing takes of many papers."""

from __future__ import annotations

from pathlib import Path

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.relatives import Relatives
from octavo.config import catalogue_path
from octavo.records.ids import parse_identifier
from tests.rank.kinship import SEED, fill, name


def test_relatives_hold_what_the_papers_hold(tmp_path: Path) -> None:
    fill(tmp_path / "home").close()
    database = Database(catalogue_path(tmp_path / "home"))
    catalogue = Catalogue(database)
    pks = catalogue.all_papers_pks()
    found = Relatives(database).read([*pks, 99_999])
    papers = catalogue.get_papers(pks)
    assert found.keys() == papers.keys()
    for pk, one in found.items():
        paper = papers[pk]
        assert (one.pk, one.title, one.authors, one.on) == (pk, paper.title, paper.authors, str(paper.date))
        assert one.identifiers == {str(identifier) for identifier in paper.identifiers}
        assert one.references == {str(identifier) for identifier in paper.references}
    (seed,) = catalogue.find_by_identifier(parse_identifier(name(SEED))[0])
    assert len(found[seed].references) == 2
    database.close()


def test_more_papers_than_one_question_holds_are_read(tmp_path: Path) -> None:
    fill(tmp_path / "home").close()
    database = Database(catalogue_path(tmp_path / "home"))
    assert len(Relatives(database).read([*range(10_000, 11_500), *range(1, 50)])) == 13
    database.close()
