"""The library in the database: what is said follows its paper wherever it goes, and every act can be undone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.library import SHOWS, Acting, Library
from octavo.catalogue.said import MAX_NOTE, MAX_TAG, READ, SAVED, note_of, tag_of
from octavo.errors import NotFound, UsageError
from octavo.ingest import Ingest
from octavo.records.paper import PaperId
from tests.world import record

FLOOR = record("arxiv", "2101.00077", "Grout as a Service", "Ann Bee", ids="arXiv:2101.00077")
WHALE = record("acl", "2031.tile-1.4", "Whale Song Parsed", "Ida Ibis", ids="2031.tile-1.4", year=2031)
KITE = record("pmlr", "v300/kay31a", "Kites on Long Lines", "Ki Kay", ids="v300/kay31a", year=2031)


@contextmanager
def opened(path: Path) -> Iterator[tuple[Ingest, Library]]:
    database = Database(path)
    try:
        yield Ingest(Catalogue(database)), Library(database)
    finally:
        database.close()


@pytest.fixture
def home(tmp_path: Path) -> Iterator[tuple[Ingest, Library]]:
    with opened(tmp_path / "catalogue.db") as made:
        made[0].put([FLOOR, WHALE, KITE])
        yield made


def id_of(ingest: Ingest, source: str, key: str) -> str:
    stored = ingest.catalogue.find_records(source, [key])[key]
    return ingest.catalogue.get_papers([stored.paper])[stored.paper].id


def said(library: Library) -> dict[str, Any]:
    """All that is said, moments left out."""
    shelves = library.shelves(library.ids("any", limit=-1))
    return {paper: (bool(one.saved_at), bool(one.read_at), one.tags, one.note) for paper, one in shelves.items()} | {
        name: query for name, (query, _) in library.searches().items()
    }


def in_step(library: Library) -> bool:
    """Whether the rows that lists are made by say what the three tables say."""
    shelves = library.shelves(library.ids("any", limit=-1))
    kept = {paper for paper, one in shelves.items() if one.saved_at or one.tags or one.note}
    parts = {
        "all": kept,
        "unread": {paper for paper in kept if not shelves[paper].read_at},
        "saved": {paper for paper, one in shelves.items() if one.saved_at},
        "read": {paper for paper, one in shelves.items() if one.read_at},
        "noted": {paper for paper, one in shelves.items() if one.note},
        "tagged": {paper for paper, one in shelves.items() if one.tags},
    }
    run = library._run
    spoken = {row[0] for table in ("marks", "tags", "notes") for row in run(f"SELECT paper FROM {table}")}
    tags = {tag: {paper for paper, one in shelves.items() if tag in one.tags} for tag in library.tags()}
    return (
        spoken == set(shelves)
        and all(set(library.ids(part, limit=-1)) == papers for part, papers in parts.items())
        and all(library.counts()[part] == library.count(part) for part in SHOWS)
        and all(library.counts()[part] == len(papers) for part, papers in parts.items())
        and library.tags() == {tag: len(papers) for tag, papers in tags.items()}
        and all(set(library.ids(tag=tag, limit=-1)) == papers for tag, papers in tags.items())
    )


# -- following --------------------------------------------------------------------------------------------------------


def joined(ingest: Ingest, library: Library) -> str:
    """Let the floor and the whale be one paper, as a reader's word does; its id."""
    from octavo.catalogue.links import Links

    with ingest.catalogue.database.write():
        Links(ingest.catalogue.database).rule("join", [(("arxiv", "2101.00077"), ("acl", "2031.tile-1.4"))])
    ingest.relink([("arxiv", "2101.00077"), ("acl", "2031.tile-1.4")])
    assert in_step(library)
    return id_of(ingest, "arxiv", "2101.00077")


def say(library: Library, floor: str, whale: str) -> None:
    with library.act("save") as act:
        act.mark(floor, SAVED)
        act.tag(floor, "floors")
        act.tag(floor, "both")
        act.tag(whale, "both")
        act.note(floor, "of the floor")
        act.note(whale, "of the whale")
        act.mark(whale, READ)


def test_a_joined_paper_has_what_was_said_of_both_and_a_split_gives_each_its_own(
    home: tuple[Ingest, Library],
) -> None:
    ingest, library = home
    floor, whale = id_of(ingest, "arxiv", "2101.00077"), id_of(ingest, "acl", "2031.tile-1.4")
    say(library, floor, whale)
    before = said(library)
    paper = joined(ingest, library)
    assert said(library) == {paper: (True, True, ("both", "floors"), "of the floor\n\nof the whale")}
    assert library.tags() == {"both": 1, "floors": 1}
    with ingest.catalogue.database.write():
        from octavo.catalogue.links import Links

        Links(ingest.catalogue.database).undo(1)
    ingest.relink([("arxiv", "2101.00077"), ("acl", "2031.tile-1.4")])
    assert said(library) == before
    assert in_step(library)


def test_what_is_said_of_a_joined_paper_stays_with_its_id_when_it_is_split(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    paper = joined(ingest, library)
    with library.act("save") as act:
        act.mark(paper, SAVED)
        act.note(paper, "one")
    from octavo.catalogue.links import Links

    with ingest.catalogue.database.write():
        Links(ingest.catalogue.database).undo(1)
    ingest.relink([("arxiv", "2101.00077"), ("acl", "2031.tile-1.4")])
    assert said(library) == {paper: (True, False, (), "one")}


def test_a_note_written_on_a_joined_paper_takes_the_place_of_both(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    say(library, id_of(ingest, "arxiv", "2101.00077"), id_of(ingest, "acl", "2031.tile-1.4"))
    paper = joined(ingest, library)
    with library.act("note") as act:
        act.note(paper, "together")
    assert said(library)[paper][3] == "together"
    library.undo()
    assert said(library)[paper][3] == "of the floor\n\nof the whale"
    assert in_step(library)


def test_a_paper_that_its_source_deleted_stays_known_and_comes_back(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    floor = id_of(ingest, "arxiv", "2101.00077")
    with library.act("save") as act:
        act.mark(floor, SAVED)
        act.tag(floor, "floors")
    before = said(library)
    ingest.put_prepared([], deleted={("arxiv", "2101.00077"): "2031-01-02"})
    assert said(library) == before
    assert library.ids("gone") == [floor]
    (gone,) = library.gone.get([floor]).values()
    assert (gone.title, gone.authors, gone.identifiers) == ("Grout as a Service", ("Ann Bee",), ("arxiv:2101.00077",))
    assert library.gone.find("arxiv:2101.00077") == floor
    assert library.pks("saved") == set()
    ingest.put([FLOOR])
    assert library.ids("gone") == []
    assert library.ids("saved") == [floor]
    assert len(library.pks("saved")) == 1


def test_a_paper_that_nothing_was_said_of_leaves_nothing_behind(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    ingest.put_prepared([], deleted={("arxiv", "2101.00077"): ""})
    assert library.gone.get([PaperId("p")]) == {}
    assert library.gone.names() == {}


def test_what_is_said_follows_a_paper_that_comes_back_under_another_id(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    floor = id_of(ingest, "arxiv", "2101.00077")
    with library.act("save") as act:
        act.mark(floor, SAVED)
    ingest.put_prepared([], deleted={("arxiv", "2101.00077"): ""})
    ingest.put([record("pmlr", "v300/bee31c", "Grout as a Service", "Ann Bee", ids="arXiv:2101.00077")])
    other = id_of(ingest, "pmlr", "v300/bee31c")
    assert other != floor
    with library.act("read") as act:
        library.settle()
        act.mark(library.paper_of(floor), READ)
    assert said(library) == {other: (True, True, (), "")}
    assert in_step(library)


def test_a_row_without_a_moved_id_can_be_written_by_hand(home: tuple[Ingest, Library]) -> None:
    """The columns that documentation names are all that one has to give."""
    ingest, library = home
    floor = id_of(ingest, "arxiv", "2101.00077")
    with ingest.catalogue.database.write() as connection:
        connection.execute("INSERT INTO marks (paper, kind, at) VALUES (?, 'saved', '2031-01-01')", (floor,))
        connection.execute("INSERT INTO tags (paper, tag, at) VALUES (?, 'x', '2031-01-01')", (floor,))
    assert library.ids("all") == [floor]


# -- questions --------------------------------------------------------------------------------------------------------


def test_keys_are_those_of_which_it_was_said(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    floor, whale = id_of(ingest, "arxiv", "2101.00077"), id_of(ingest, "acl", "2031.tile-1.4")
    say(library, floor, whale)
    keys = library.keys_of([floor, whale])
    assert library.pks("saved") == {keys[floor]}
    assert library.pks("read") == {keys[whale]}
    assert library.pks("tag", "BOTH") == library.pks("tagged", "both") == set(keys.values())
    assert library.pks("tag", "none") == set()
    assert keys[whale] not in library.pks("unread")
    assert len(library.pks("unread")) == 2
    assert library.pks("noted") == library.pks("all") == set(keys.values())
    with pytest.raises(UsageError, match="no 'liked'"):
        library.pks("liked")


def test_what_was_said_last_comes_first(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    papers = [id_of(ingest, one.source, one.key) for one in (FLOOR, WHALE, KITE)]
    for paper in papers:
        with library.act("save") as act:
            act.mark(paper, SAVED)
    with library.act("tag") as act:
        act.tag(papers[0], "again")
    assert library.ids() == [papers[0], papers[2], papers[1]]
    assert library.ids(limit=1, offset=1) == [papers[2]]


# -- acts -------------------------------------------------------------------------------------------------------------

PAPERS = st.sampled_from([0, 1, 2])
TAGS = st.sampled_from(["a", "A", "b", "ü", "u"])
ACTS = st.one_of(
    st.tuples(st.just("mark"), PAPERS, st.sampled_from([SAVED, READ])),
    st.tuples(st.just("unmark"), PAPERS, st.sampled_from([SAVED, READ])),
    st.tuples(st.just("tag"), PAPERS, TAGS),
    st.tuples(st.just("untag"), PAPERS, TAGS),
    st.tuples(st.just("note"), PAPERS, st.sampled_from(["", "one", "two"])),
    st.tuples(st.just("search"), st.sampled_from(["s", "t"]), st.sampled_from(["", "q", "r"])),
    st.tuples(st.just("join"), st.just(0), st.just("")),
    st.tuples(st.just("part"), st.just(0), st.just("")),
    st.tuples(st.just("delete"), PAPERS, st.just("")),
    st.tuples(st.just("add"), PAPERS, st.just("")),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(ACTS, max_size=14))
def test_undo_brings_back_what_was_said_before_whatever_papers_did_meanwhile(acts: list[Any]) -> None:
    from octavo.catalogue.links import Links

    records = [FLOOR, WHALE, KITE]
    names = [("arxiv", "2101.00077"), ("acl", "2031.tile-1.4")]
    with TemporaryDirectory() as folder, opened(Path(folder) / "catalogue.db") as (ingest, library):
        ingest.put(records)
        ids = [id_of(ingest, one.source, one.key) for one in records]
        links = Links(ingest.catalogue.database)
        n_done = 0
        for what, which, value in acts:
            if what in ("join", "part"):
                with ingest.catalogue.database.write():
                    links.rule("join" if what == "join" else "split", [(names[0], names[1])])
                ingest.relink(names)
            elif what == "delete":
                ingest.put_prepared([], deleted={(records[which].source, records[which].key): ""})
            elif what == "add":
                ingest.put([records[which]])
            else:
                with library.act(what) as act:
                    paper = which if what == "search" else library.paper_of(ids[which])
                    getattr(act, what)(paper, value)
                n_done += bool(act.number)
            assert in_step(library)
        assert said(library).keys() <= {*ids, "s", "t"}
        with ingest.catalogue.database.write() as connection:
            connection.execute("UPDATE acts SET undone_at = 'x'")
        for _ in range(n_done):
            library.undo()
        assert said(library) == {}
        assert in_step(library)
        with pytest.raises(NotFound):
            library.undo()


def test_an_act_that_changes_nothing_is_not_there_to_be_undone(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    floor = id_of(ingest, "arxiv", "2101.00077")
    with library.act("save") as act:
        assert act.mark(floor, SAVED)
    with library.act("save") as act:
        assert not act.mark(floor, SAVED)
        assert not act.untag(floor, "none")
        assert not act.unmark(floor, READ)
    assert act.number == 0
    assert (last := library.last())
    assert last.number == 1


def test_nothing_of_an_act_is_kept_when_it_breaks_off(home: tuple[Ingest, Library]) -> None:
    ingest, library = home

    def broken(act: Acting) -> None:
        act.mark(id_of(ingest, "arxiv", "2101.00077"), SAVED)
        raise RuntimeError("power")

    with pytest.raises(RuntimeError), library.act("save") as act:
        broken(act)
    assert said(library) == {}
    assert library.last() is None
    assert library._run("PRAGMA synchronous").fetchone()[0] == 1


def test_only_the_last_act_is_undone_by_its_number(home: tuple[Ingest, Library]) -> None:
    ingest, library = home
    floor = id_of(ingest, "arxiv", "2101.00077")
    for kind in (SAVED, READ):
        with library.act(kind) as act:
            act.mark(floor, kind)
    with pytest.raises(UsageError, match="Something else was done since"):
        library.undo(1)
    library.undo(2)
    library.undo(1)
    assert said(library) == {}


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("to read", "to read"), ("  to\n\tread ", "to read"), ("🔥", "🔥"), ("قراءة", "قراءة"), ("深度学习", "深度学习"),
        ("e\u0301tude", "étude"), ("a\u202eb\u2066c", "a bc"), ("a:b/c#d%20", "a:b/c#d%20"), ("x" * MAX_TAG, "x" * MAX_TAG),
        ("\ud800x", "x"), ("<b>", "<b>"),
    ],
)  # fmt: skip
def test_a_tag_is_kept_as_it_is_written(typed: str, kept: str) -> None:
    assert tag_of(typed) == kept
    assert tag_of(kept) == kept


@pytest.mark.parametrize(
    ("typed", "why"),
    [("", "needs a letter"), (" \n\u202e", "needs a letter"), ("a, b", "no comma"), ("x" * 10_000, "has 10,000")],
)
def test_a_tag_that_can_not_be_kept_is_refused(typed: str, why: str) -> None:
    with pytest.raises(UsageError, match=why) as caught:
        tag_of(typed)
    assert len(str(caught.value)) < 200


def test_a_note_keeps_its_lines_and_has_an_end() -> None:
    assert note_of(" a\r\n\r\nb\x00\u202e ") == "a\n\nb"
    assert len(note_of("語" * MAX_NOTE)) == MAX_NOTE
    with pytest.raises(UsageError, match="at most 20,000 letters; this has 1,000,000"):
        note_of("x" * 1_000_000)
