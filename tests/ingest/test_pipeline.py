"""Records into the catalogue: order, batches and restarts change nothing; nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.catalogue import Catalogue, Database
from octavo.errors import NotFound
from octavo.ingest import Ingest
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId, Record
from octavo.records.text import Text
from tests.world import RECORDS, record


@contextmanager
def ingest(path: Path) -> Iterator[Ingest]:
    database = Database(path)
    try:
        yield Ingest(Catalogue(database))
    finally:
        database.close()


@pytest.fixture
def into(tmp_path: Path) -> Iterator[Ingest]:
    with ingest(tmp_path / "catalogue.db") as opened:
        yield opened


def papers(opened: Ingest) -> dict[PaperId, Paper]:
    catalogue = opened.catalogue
    return {paper.id: paper for _, paper in catalogue.changed_since(-1)}


def test_same_identifier_is_one_paper_when_three_sources_have_it(into: Ingest) -> None:
    """B06 and D04: DOI, arXiv and OpenReview lead to one paper."""
    changes = into.put(RECORDS)
    assert changes.n_added == len(RECORDS)
    tiles = [
        paper
        for paper in papers(into).values()
        if "Tiles Are Sufficient" in paper.title or "tiles" in paper.title.lower()
    ]
    joined = next(paper for paper in tiles if "arxiv-snapshot" in paper.sources)
    assert set(joined.sources) == {"mlanthology", "pmlr", "arxiv-snapshot"}
    assert joined.title == "Tiles are sufficient for fast layout"  # the publisher's own list speaks first
    assert joined.categories == ("cs.LG", "stat.ML")
    assert joined.version == 3
    assert joined.year == 2031
    assert joined.date == "2030-11-02"
    assert dict(joined.origins)["abstract"] == "mlanthology:bee2031tiles"


def test_a_volumes_doi_joins_nothing(into: Ingest) -> None:
    into.put(RECORDS)
    assert {paper.title for paper in papers(into).values()} >= {
        "Sailing Boats Seen from Orbit",
        "Grammar of Whale Song",
    }


def test_adding_twice_changes_nothing(into: Ingest) -> None:
    into.put(RECORDS)
    before, seq = papers(into), into.catalogue.seq
    again = into.put(RECORDS)
    assert (again.n_added, again.n_updated, again.n_unchanged) == (0, 0, len(RECORDS))
    assert papers(into) == before
    assert into.catalogue.seq == seq


def test_a_changed_record_is_an_update_and_keeps_the_paper(into: Ingest) -> None:
    first = record("a", "1", "Draft", "Ann Bee", ids="arXiv:2101.00010")
    into.put([first])
    (paper,) = papers(into).values()
    changes = into.put([replace(first, title=Text.of("Final", "plain"))])
    assert (changes.n_added, changes.n_updated) == (0, 1)
    (after,) = papers(into).values()
    assert (after.id, after.title) == (paper.id, "Final")


def test_the_date_of_the_data_alone_is_no_change(into: Ingest) -> None:
    first = record("a", "1", "Draft")
    into.put([first])
    assert into.put([replace(first, seen_on=None)]).n_unchanged == 1


DRAFT, FINAL, TEAM = "Laying Floors with Fewer Cuts", "Greedy Tiles Suffice for Linear Layout", "Ann Bee; Cy Dee"
"""One work before and after it was renamed: nothing but an identifier can tell."""


def test_two_papers_become_one_when_a_record_ties_them(into: Ingest) -> None:
    into.put([record("b", "1", DRAFT, TEAM, ids="arXiv:2101.00010")])
    into.put([record("c", "1", FINAL, TEAM, ids="10.5555/x")])
    old = set(papers(into))
    assert len(old) == 2
    changes = into.put([record("a", "1", FINAL, TEAM, ids="arXiv:2101.00010 10.5555/x")])
    (paper,) = papers(into).values()
    assert len(changes.removed) == 1
    for former in old:
        assert into.catalogue.get_paper(former)[1].id == paper.id


def test_a_paper_comes_apart_when_its_tie_is_taken_back(into: Ingest) -> None:
    tie = record("a", "1", FINAL, TEAM, ids="arXiv:2101.00010 10.5555/x")
    others = [record("b", "1", DRAFT, TEAM, ids="arXiv:2101.00010"), record("c", "1", FINAL, TEAM, ids="10.5555/x")]
    into.put([tie, *others])
    assert len(papers(into)) == 1
    into.put([replace(tie, identifiers=tie.identifiers[1:])])
    assert sorted(paper.sources for paper in papers(into).values()) == [("a", "c"), ("b",)]


def test_versions_of_an_id_are_one_paper_when_they_come_apart(into: Ingest) -> None:
    """B02: v10 is later than v2."""
    into.put([record("arxiv-snapshot", "2101.00010", "Tiles", ids="2101.00010v2", versions=2)])
    into.put([record("arxiv-snapshot", "2101.00010", "Tiles", ids="2101.00010v10", versions=10)])
    (paper,) = papers(into).values()
    assert paper.version == 10


def test_equal_citation_keys_are_two_papers_when_two_files_have_them(into: Ingest) -> None:
    """B09: a key is unique in its source only."""
    into.put([record("pmlr", "v1/lee31a", "One", "A Lee"), record("pmlr", "v2/lee31a", "Two", "B Lee")])
    assert len(papers(into)) == 2


def test_an_unknown_paper_is_not_found(into: Ingest) -> None:
    with pytest.raises(NotFound):
        into.catalogue.get_paper(PaperId("pnothing"))


KEYS = st.sampled_from(["a", "b", "c", "d", "e", "f"])
IDS = st.lists(st.sampled_from(["arXiv:2101.00001", "arXiv:2101.00002", "10.5555/p", "10.5555/q"]), max_size=2)
TITLES = st.sampled_from(["Sailing Boats Seen from Orbit", "Sailing boats seen from an orbit", "Grammar of Whale Song"])
PEOPLE = st.sampled_from(["Ann Bee; Cy Dee", "A. Bee", "Ru Roe", ""])


@st.composite
def claims(draw: st.DrawFn) -> list[Record]:
    names = draw(st.lists(st.tuples(st.sampled_from(["one", "two"]), KEYS), min_size=1, max_size=8, unique=True))
    return [record(*name, draw(TITLES), draw(PEOPLE), ids=" ".join(draw(IDS))) for name in names]


@settings(max_examples=60, deadline=None)
@given(records=claims(), data=st.data())
def test_any_order_and_any_batches_give_the_same_papers(records: list[Record], data: st.DataObject) -> None:
    """The law behind "order never matters": papers, their ids and the records in them."""
    shuffled = data.draw(st.permutations(records))
    size = data.draw(st.integers(1, len(records)))
    with TemporaryDirectory() as folder:
        at_once = taken_in(Path(folder) / "one.db", [records])
        in_parts = taken_in(Path(folder) / "two.db", [shuffled[at : at + size] for at in range(0, len(shuffled), size)])
    assert at_once == in_parts


def taken_in(path: Path, batches: Sequence[Sequence[Record]]) -> list[tuple[Paper, list[str]]]:
    """Each batch in a process's life of its own: the papers with the names of their records."""
    for batch in batches:
        with ingest(path) as opened:
            opened.put(batch)
    with ingest(path) as opened:
        return sorted(
            (
                (paper, [f"{stored.source}:{stored.key}" for stored in opened.catalogue.records_of([pk])])
                for pk, paper in opened.catalogue.changed_since(-1)
            ),
            key=lambda found: found[0].id,
        )


def test_a_new_count_of_citations_is_stored_and_is_no_news(into: Ingest) -> None:
    work = replace(record("crossref", "10.5555/a", "Fast Tiles", "Ann Bee", ids="10.5555/a"), citations=4)
    into.put([work])
    again = into.put([replace(work, citations=5)])
    assert (again.n_added, again.n_updated, again.n_unchanged) == (0, 0, 1)
    assert [row[0] for row in again.put] == [1]  # an index follows
    (paper,) = papers(into).values()
    assert paper.citations == 5
    nothing = into.put([replace(work, citations=5)])
    assert (nothing.n_unchanged, nothing.put) == (1, [])
    renamed = into.put([replace(work, citations=6, title=Text("Faster Tiles"))])
    assert (renamed.n_updated, renamed.n_unchanged) == (1, 0)


def test_citations_and_references_are_kept_when_a_paper_is_stored(into: Ingest) -> None:
    names = (Identifier("arxiv", "2101.00010"), Identifier("doi", "10.5555/a:b"), Identifier("doi", '10.5555/"b'))
    into.put([replace(record("crossref", "1", "Fast Tiles"), citations=0, references=names), record("csl", "1", "T")])
    citing, other = sorted(papers(into).values(), key=lambda paper: paper.title)
    assert (citing.citations, citing.references) == (0, names)
    assert (other.citations, other.references) == (None, ())
