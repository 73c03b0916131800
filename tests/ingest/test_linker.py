"""Linking against a catalogue: one by one or all at once, the same works; what a reader says holds."""

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
from octavo.catalogue.links import Links, Name
from octavo.ingest import Ingest
from octavo.ingest.prepare import prepare
from octavo.records.paper import Paper, PaperId, Record
from octavo.records.text import Text
from tests.world import RECORDS, record

TEAM = "Ann Bee; Cy Dee; Ru Roe"
ABSTRACT = (
    "Floors are laid by trying every tile in turn, which takes long. We show that a greedy choice of tiles is enough "
    "for linear layouts, and measure it on forty quarries."
)
PREPRINT = record(
    "arxiv", "2101.00110", "Greedy Tiles Suffice for Linear Layout", TEAM, ids="2101.00110", submitted="2030-11-02",
    abstract=ABSTRACT,
)  # fmt: skip
PRINTED = record(
    "pmlr", "v300/bee31a", "Greedy tiles suffice for linear layout", TEAM, ids="v300/bee31a", venue="TILE", year=2031
)
RENAMED = record(
    "dblp", "conf/tile/Bee31", "Greedy Tiles Are All One Needs for Layouts", TEAM, ids="dblp:conf/tile/Bee31",
    venue="TILE", year=2031, abstract=ABSTRACT,
)  # fmt: skip
OTHER = record("acl", "2031.tile-1.4", "Grout for Parsing Whale Song", "Ida Ibis", ids="2031.tile-1.4", year=2031)


@contextmanager
def opened(path: Path) -> Iterator[Ingest]:
    database = Database(path)
    try:
        yield Ingest(Catalogue(database))
    finally:
        database.close()


@pytest.fixture
def ingest(tmp_path: Path) -> Iterator[Ingest]:
    with opened(tmp_path / "catalogue.db") as made:
        yield made


Works = list[tuple[PaperId, Paper, list[Name]]]


def works(ingest: Ingest) -> Works:
    """Each paper with the names of its records."""
    catalogue = ingest.catalogue
    return sorted(
        (
            (paper.id, paper, [(one.source, one.key) for one in catalogue.records_of([pk])])
            for pk, paper in catalogue.changed_since(-1)
        ),
        key=lambda work: work[0],
    )


def parts(ingest: Ingest) -> list[list[str]]:
    """The sources of each paper's records."""
    return sorted([source for source, _ in names] for _, _, names in works(ingest))


def rule(ingest: Ingest, kind: str, *pairs: tuple[Record, Record]) -> int:
    names = [((one.source, one.key), (other.source, other.key)) for one, other in pairs]
    with ingest.catalogue.database.write():
        act = Links(ingest.catalogue.database).rule(kind, names)
    ingest.relink({name for pair in names for name in pair})
    return act


def test_preprint_and_publication_are_one_when_nothing_but_the_text_tells(ingest: Ingest) -> None:
    """D01, D04: no identifier in common."""
    ingest.put([PREPRINT])
    changes = ingest.put([PRINTED, OTHER])
    assert (changes.n_added, changes.n_new_papers) == (2, 1)
    assert parts(ingest) == [["acl"], ["arxiv", "pmlr"]]


def test_a_renamed_work_is_one_when_the_abstract_says_so(ingest: Ingest) -> None:
    ingest.put([PREPRINT, RENAMED])
    assert parts(ingest) == [["arxiv", "dblp"]]


def test_a_paper_keeps_its_id_when_records_join_it(ingest: Ingest) -> None:
    ingest.put([PREPRINT])
    ((paper_id, _, _),) = works(ingest)
    ingest.put([PRINTED])
    ingest.put([RENAMED])
    ((after, _, names),) = works(ingest)
    assert (after, len(names)) == (paper_id, 3)


def test_a_former_id_leads_on_when_it_had_to_change(ingest: Ingest) -> None:
    ingest.put([PRINTED])
    ((former, _, _),) = works(ingest)
    ingest.put([PREPRINT])
    ((now, paper, _),) = works(ingest)
    assert former != now
    assert ingest.catalogue.get_paper(former)[1] == paper


def test_feed_and_list_of_arxiv_have_one_id(ingest: Ingest) -> None:
    """A paper's address must not change in the night after it was announced."""
    ingest.put([replace(PREPRINT, source="arxiv-feed")])
    ((first, _, _),) = works(ingest)
    ingest.put([PREPRINT])
    ((second, _, names),) = works(ingest)
    assert (first, len(names)) == (second, 2)


def test_what_a_reader_split_stays_apart_and_undo_takes_it_back(ingest: Ingest) -> None:
    ingest.put([PREPRINT, PRINTED])
    ((both, _, _),) = works(ingest)
    act = rule(ingest, "split", (PREPRINT, PRINTED))
    assert parts(ingest) == [["arxiv"], ["pmlr"]]
    assert ingest.catalogue.get_paper(both)[1].sources == ("arxiv",)
    ingest.put([replace(PRINTED, title=Text("Greedy Tiles Suffice for Linear Layout"))])  # a sync
    ingest.put([RENAMED])
    assert ["arxiv", "pmlr"] not in parts(ingest)
    assert not any({"arxiv", "pmlr"} <= set(sources) for sources in parts(ingest))
    with ingest.catalogue.database.write():
        Links(ingest.catalogue.database).undo(act)
    ingest.relink([(PREPRINT.source, PREPRINT.key), (PRINTED.source, PRINTED.key)])
    assert parts(ingest) == [["arxiv", "dblp", "pmlr"]]


def test_what_a_reader_joined_is_one_whatever_it_looks_like(ingest: Ingest) -> None:
    ingest.put([PREPRINT, OTHER])
    rule(ingest, "join", (PREPRINT, OTHER))
    assert parts(ingest) == [["acl", "arxiv"]]
    ingest.put([replace(OTHER, title=Text("Grout for Parsing the Song of Whales"))])
    ingest.put([PRINTED])
    assert ["acl", "arxiv"] in [sources[:2] for sources in parts(ingest)]


def test_contradicting_evidence_is_in_doubt(ingest: Ingest) -> None:
    ingest.put([record("pmlr", "v300/a31a", "Sailing Boats Seen from Orbit", "Ulf Uhu", ids="10.5555/volume")])
    ingest.put([record("crossref", "10.5555/volume", "Grammar of Whale Song", "Ida Ibis", ids="10.5555/volume")])
    assert len(parts(ingest)) == 2
    (doubt,) = Links(ingest.catalogue.database).doubts(10)
    assert "doi:10.5555/volume" in doubt.reason


def test_two_papers_that_claim_one_arxiv_id_have_ids_of_their_own(tmp_path: Path) -> None:
    """Whichever came first, in bulk or not; and when one goes, the other has the usual id."""
    feed = record("arxiv-feed", "2101.00055", "Sailing Boats Seen from Orbit", "Ulf Uhu", ids="2101.00055")
    wrong = record("arxiv-snapshot", "2101.00055", "Grammar of Whale Song", "Ida Ibis", ids="2101.00055")
    found = []
    for number, (order, is_many) in enumerate((order, is_many) for order in ((0, 1), (1, 0)) for is_many in (0, 1)):
        with opened(tmp_path / f"{number}.db") as ingest:
            for at in order:
                ingest.put_prepared([prepare((feed, wrong)[at])], is_many=bool(is_many))
            for _ in ingest.link_pending():
                pass
            found.append(works(ingest))
            assert len(found[-1]) == 2
            ingest.put_prepared([], deleted={(feed.source, feed.key): ""})
            ((alone, _, _),) = works(ingest)
        with opened(tmp_path / f"{number}-alone.db") as ingest:
            ingest.put([wrong])
            assert works(ingest)[0][0] == alone
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("share", [0.0, 1.0], ids=["at once", "step by step"])
def test_many_are_linked_as_one_by_one(tmp_path: Path, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("octavo.ingest.pipeline.SHARE_AT_ONCE", share)
    records = [*RECORDS, PREPRINT, PRINTED, RENAMED, OTHER]
    with opened(tmp_path / "one.db") as one, opened(tmp_path / "many.db") as many:
        for made in records:
            one.put([made])
        changes = many.put_prepared(map(prepare, records), is_many=True)
        assert changes.n_new_papers == len(records)
        for _ in many.link_pending():
            pass
        assert works(one) == works(many)
        assert list(many.link_pending()) == []
        assert Links(one.catalogue.database).doubts(99) == Links(many.catalogue.database).doubts(99)


def test_linking_that_was_broken_off_is_done_the_next_time(tmp_path: Path) -> None:
    with opened(tmp_path / "one.db") as ingest:
        ingest.put_prepared(map(prepare, RECORDS), is_many=True)
        next(iter(ingest.link_pending()))
    with opened(tmp_path / "one.db") as ingest, opened(tmp_path / "two.db") as whole:
        for _ in ingest.link_pending():
            pass
        whole.put(RECORDS)
        assert works(ingest) == works(whole)


TITLES = st.sampled_from(
    ["Greedy Tiles Suffice for Linear Layout", "Greedy tiles suffice for linear layouts", "Grammar of Whale Song",
     "Introduction", "Greedy Tiles Suffice for Linear Layout, Part II"]
)  # fmt: skip
PEOPLE = st.sampled_from([TEAM, "A. Bee; C. Dee; R. Roe", "Ida Ibis", ""])
IDS = st.lists(st.sampled_from(["2101.00001", "2101.00002", "10.5555/p.1", "10.5555/q.1"]), max_size=1)


@st.composite
def claims(draw: st.DrawFn) -> list[Record]:
    names = draw(
        st.lists(
            st.tuples(st.sampled_from(["arxiv", "pmlr", "x"]), st.sampled_from("abcdef")),
            min_size=2,
            max_size=9,
            unique=True,
        )
    )
    return [
        record(
            *name, draw(TITLES), draw(PEOPLE), ids=" ".join(draw(IDS)), abstract=draw(st.sampled_from(["", ABSTRACT]))
        )
        for name in names
    ]


@settings(max_examples=60, deadline=None)
@given(records=claims(), data=st.data())
def test_any_order_batches_changes_and_restarts_give_the_same_works(records: list[Record], data: st.DataObject) -> None:
    """The law behind "order never matters", with records that were different before, others that are deleted again,
    and a part that is linked in bulk."""
    shuffled: Sequence[Record] = data.draw(st.permutations(records))
    before = [replace(one, title=Text(data.draw(TITLES))) for one in shuffled if data.draw(st.booleans())]
    passing = [replace(one, source="passing") for one in shuffled if data.draw(st.booleans())]
    size = data.draw(st.integers(1, len(records)))
    with TemporaryDirectory() as folder:
        with opened(Path(folder) / "one.db") as once:
            once.put(records)
            expected = works(once)
        path = Path(folder) / "two.db"
        with opened(path) as parted:
            parted.put([*before, *passing])
        for at in range(0, len(shuffled), size):
            with opened(path) as parted:
                if data.draw(st.booleans()):
                    parted.put(shuffled[at : at + size])
                else:
                    parted.put_prepared(map(prepare, shuffled[at : at + size]), is_many=True)
                    for _ in parted.link_pending():
                        pass
        with opened(path) as parted:
            parted.put_prepared([], deleted={(one.source, one.key): "" for one in passing})
            assert works(parted) == expected
            database = parted.catalogue.database
            assert database.connection.execute("PRAGMA foreign_key_check").fetchall() == []
            assert database.connection.execute("SELECT count(*) FROM records WHERE linked = 0").fetchone() == (0,)


def test_names_that_a_source_gave_as_a_whole_are_read(ingest: Ingest) -> None:
    from octavo.records.names import Author

    literal = replace(PRINTED, authors=tuple(Author(name) for name in TEAM.split("; ")))
    ingest.put([PREPRINT, literal])
    assert parts(ingest) == [["arxiv", "pmlr"]]


def test_former_ids_lead_on_when_the_rule_of_ids_changed(ingest: Ingest) -> None:
    """A catalogue of an earlier Octavo: its papers have other ids, and its works are joined on the way."""
    ingest.put([PREPRINT, OTHER])
    ingest.put_prepared([prepare(PRINTED)], is_many=True)
    database = ingest.catalogue.database
    with database.write() as connection:
        connection.execute("UPDATE papers SET id = 'pold' || pk")
        connection.execute("UPDATE records SET linked = 0")
        connection.execute("DELETE FROM meta WHERE key = 'merge_rules'")
    for _ in ingest.link_pending():
        pass
    assert parts(ingest) == [["acl"], ["arxiv", "pmlr"]]
    for pk in (1, 2, 3):
        assert ingest.catalogue.get_paper(PaperId(f"pold{pk}"))[1].id in {paper_id for paper_id, _, _ in works(ingest)}


def test_a_record_that_became_another_in_bulk_leaves_its_work(ingest: Ingest) -> None:
    """With few such records among many, which are then compared one after the other."""
    same = [replace(PREPRINT, source="x", key=str(number), identifiers=()) for number in range(12)]
    ingest.put(same)
    assert len(works(ingest)) == 1
    ingest.put_prepared([prepare(replace(same[5], title=Text("Grammar of Whale Song"), abstract=None))], is_many=True)
    for _ in ingest.link_pending():
        pass
    assert sorted(len(names) for _, _, names in works(ingest)) == [1, 11]
