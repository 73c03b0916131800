"""The reader's library by the facade: names, joins, files, several at once, a home that can't be written."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.catalogue.said import MAX_TAG, tag_of
from octavo.errors import FormatError, HomeError, MissingFileError, NotFound, UsageError
from octavo.records.codec import encode_record
from octavo.views_library import ShelfView, UndoneView
from tests.world import RECORDS, record

TILES, PLANT, KERNEL = "arXiv:2101.00010", "10.5555/plant.1", "10.5555/code.2"


@pytest.fixture
def mine(octavo: Octavo, world_file: Path) -> Octavo:
    octavo.add("jsonl", world_file)
    return octavo


def shelf(octavo: Octavo, name: str) -> ShelfView:
    return octavo.note_on(name).shelf


def file_of(octavo: Octavo, folder: Path, name: str = "library.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(octavo.export_library()), encoding="utf-8")
    return path


# -- names ------------------------------------------------------------------------------------------------------------


def test_what_is_unknown_is_named_and_the_others_are_saved(mine: Octavo) -> None:
    view = mine.save([TILES, "nope", PLANT, "2101.99999", "10.5555/volume", TILES])
    assert [name for name, _ in view.unknown] == ["nope", "2101.99999", "10.5555/volume"]
    assert "Several papers have" in dict(view.unknown)["10.5555/volume"]
    assert [title for _, title in view.papers] == [
        "Tiles are sufficient for fast layout",
        "Non-invasive Sensing of Plants",
    ]
    assert view.changed == {paper for paper, _ in view.papers}
    again = mine.save([TILES])
    assert (again.changed, again.number) == (frozenset(), 0)


def test_a_former_id_names_the_paper_too(mine: Octavo) -> None:
    former = mine.get(PLANT).paper.id
    (paper,) = mine.join([TILES, PLANT]).papers
    if former == paper.id:
        former = next(iter({mine.get(TILES).paper.id}))
    assert mine.save([former]).papers == ((paper.id, paper.title),)


def test_saving_with_a_bad_tag_saves_nothing(mine: Octavo) -> None:
    with pytest.raises(UsageError, match="no comma"):
        mine.save([TILES], ["good", "a,b"])
    assert mine.library().total == 0


def test_tags_are_one_whatever_their_case(mine: Octavo) -> None:
    mine.tag([TILES], ["To Read"])
    mine.tag([PLANT], ["to read", "TO READ"])
    assert mine.tags() == {"To Read": 2}
    assert mine.library(tag="to READ").total == 2
    mine.untag([TILES], ["to read"])
    assert shelf(mine, TILES).tags == ()


def test_a_note_is_not_written_over_one_that_the_reader_has_not_seen(mine: Octavo) -> None:
    mine.note(TILES, "first", before="")
    with pytest.raises(UsageError, match="changed since"):
        mine.note(TILES, "second", before="")
    mine.note(TILES, "first", before="")  # sent twice
    mine.note(TILES, "second", before="first")
    assert shelf(mine, TILES).note == "second"
    with pytest.raises(NotFound):
        mine.note("nope", "x")


# -- undo -------------------------------------------------------------------------------------------------------------


def test_undo_takes_back_what_was_said_last_of_either_kind(mine: Octavo) -> None:
    mine.save([TILES])
    mine.join([TILES, PLANT])
    mine.tag([TILES], ["x"])
    mine.split(TILES, ["pmlr:v900/bee31a"])
    mine.save_search("tiles", "tiles year:2031")
    told = [mine.undo() for _ in range(5)]
    assert [one.act for one in told] == ["undo search", "undo split", "undo tag", "undo join", "undo save"]
    assert isinstance(told[0], UndoneView)
    assert told[0].values == ("tiles",)
    with pytest.raises(NotFound, match="Nothing was joined or split, and nothing was done in the library"):
        mine.undo()


def test_undo_is_of_a_deleted_paper_too(mine: Octavo) -> None:
    mine.save([KERNEL])
    delete(mine, "mlanthology", "lou2026c")
    told = mine.undo()
    assert isinstance(told, UndoneView)
    assert (told.papers, len(told.gone)) == ((), 1)
    assert mine.library().total == 0


# -- staying ----------------------------------------------------------------------------------------------------------


def delete(octavo: Octavo, source: str, key: str) -> None:
    from octavo.ingest import Ingest

    Ingest(octavo._catalogue).put_prepared([], deleted={(source, key): "2031-05-02"})
    octavo.bring_up_to_date()


def test_a_rebuild_and_adding_again_change_nothing(mine: Octavo, world_file: Path, tmp_path: Path) -> None:
    mine.save([TILES], ["x"])
    mine.note(PLANT, "n")
    before = file_of(mine, tmp_path).read_text()
    mine.rebuild()
    mine.add("jsonl", world_file)
    assert "".join(mine.export_library()) == before


def test_a_deleted_paper_is_shown_as_such_and_can_be_named(mine: Octavo) -> None:
    paper = mine.get(KERNEL).paper
    mine.save([KERNEL])
    mine.note(KERNEL, "kept")
    delete(mine, "mlanthology", "lou2026c")
    (entry,) = mine.library().entries
    assert (entry.paper, entry.id, entry.title, entry.shelf.note) == (None, paper.id, "A Verified C Kernel", "kept")
    assert (entry.deleted_by, entry.deleted_on) == ("ML Anthology paper lists", "2031-05-02")
    assert mine.library().counts["gone"] == 1
    for name in (paper.id, KERNEL):
        assert mine.tag([name], [f"tag of {len(name)}"]).papers == ((paper.id, "A Verified C Kernel"),)
    assert mine.unsave([KERNEL]).changed == {paper.id}


# -- as a file --------------------------------------------------------------------------------------------------------


def said(octavo: Octavo) -> None:
    octavo.save([TILES, PLANT], ["x", "قراءة"])
    octavo.mark_read([TILES, KERNEL])
    octavo.note(TILES, "line one\n\nline — two 🔥")
    octavo.save_search("s", '"fast tiles" -slow')


def test_a_file_read_into_another_catalogue_is_written_the_same(mine: Octavo, tmp_path: Path, world_file: Path) -> None:
    said(mine)
    path = file_of(mine, tmp_path)
    with Octavo(tmp_path / "other") as other:
        other.add("jsonl", world_file)
        view = other.import_library(path)
        assert (view.papers, view.changed, view.searches, view.missing, view.faults) == (3, 3, 1, (), ())
        assert "".join(other.export_library()) == path.read_text()
        again = other.import_library(path)
        assert (again.changed, again.searches, again.number) == (0, 0, 0)
        other.undo()
        assert other.library("read").total == 0


def test_what_a_file_says_of_papers_that_are_not_here_yet_is_kept_until_they_are(
    mine: Octavo, tmp_path: Path, world_file: Path
) -> None:
    said(mine)
    path = file_of(mine, tmp_path)
    with Octavo(tmp_path / "other") as other:
        view = other.import_library(path)
        assert {title for _, title in view.missing} == {
            "Tiles are sufficient for fast layout", "Non-invasive Sensing of Plants", "A Verified C Kernel",
        }  # fmt: skip
        assert "".join(other.export_library()) == path.read_text()
        assert other.library().counts["gone"] == 3
        other.add("jsonl", world_file)
        assert other.library().counts["gone"] == 0
        assert "".join(other.export_library()) == path.read_text()


def test_a_paper_is_found_by_its_identifiers_or_its_title_in_a_catalogue_of_other_ids(
    mine: Octavo, tmp_path: Path
) -> None:
    mine.save([TILES, PLANT])
    path = file_of(mine, tmp_path)
    records = [
        record("dblp", "conf/tile/Bee", "Fast Tiles", "Ann Bee", ids="openreview:AbC12xYz90"),
        record(
            "dblp",
            "conf/plant/Haa",
            "Non-Invasive sensing of plants",
            "Hu Haa",
            ids="10.5555/other",
            year=2028,
            venue="P",
        ),
    ]
    source = tmp_path / "records.jsonl"
    source.write_text("".join(encode_record(one) + "\n" for one in records))
    with Octavo(tmp_path / "other") as other:
        other.add("jsonl", source)
        view = other.import_library(path)
        assert view.missing == ()
        assert {entry.title for entry in other.library("saved").entries} == {
            "Fast Tiles",
            "Non-Invasive sensing of plants",
        }


def test_two_notes_are_both_kept_when_a_file_is_read(mine: Octavo, tmp_path: Path) -> None:
    mine.note(TILES, "theirs")
    path = file_of(mine, tmp_path)
    mine.note(TILES, "mine")
    mine.import_library(path)
    assert shelf(mine, TILES).note == "mine\n\ntheirs"
    mine.import_library(path)
    assert shelf(mine, TILES).note == "mine\n\ntheirs"


BAD_LINES = [
    ("{broken", "not JSON"), ("[]", "no object"), ('{"kind": "x"}', "no kind"), ('{"kind": "paper"}', "names no paper"),
    ('{"kind": "paper", "id": 3}', "id is no text"), ('{"kind": "paper", "title": "A", "tags": "x"}', "tags are no list"),
    ('{"kind": "paper", "title": "A", "tags": ["a,b"]}', "no comma"),
    ('{"kind": "paper", "title": "A", "saved_at": "yesterday"}', "no moment"),
    ('{"kind": "paper", "title": "A", "saved_at": "2031-01-01T00:00:00"}', "no moment"),
    ('{"kind": "search", "name": "", "query": "q"}', "needs a name"), ("\udc80", "not UTF-8"),
    (json.dumps({"kind": "paper", "title": "A", "note": "x" * 30_000}), "at most 20,000"), ("[" * 100_000, "not JSON"),
    (json.dumps({"kind": "paper", "title": "x" * 1_100_000}), "longer than"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "why"), BAD_LINES, ids=[why for _, why in BAD_LINES])
def test_a_bad_line_costs_itself_only(mine: Octavo, tmp_path: Path, line: str, why: str) -> None:
    good = json.dumps({"kind": "paper", "identifiers": ["arxiv:2101.00010"], "saved_at": "2031-01-01T00:00:00+00:00"})
    path = tmp_path / "library.jsonl"
    path.write_bytes(f"{line}\n{good}\n".encode("utf-8", "surrogateescape"))
    view = mine.import_library(path)
    assert [number for number, _ in view.faults] == [1]
    assert why in view.faults[0][1]
    assert shelf(mine, TILES).saved_at == "2031-01-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("content", "kind"),
    [(b"", FormatError), (b"\x00\x01\x02" * 1000, FormatError), (b"PK\x03\x04\n\n", FormatError),
     (b'{"kind": "library", "form": 99}\n', FormatError), (None, MissingFileError)],
)  # fmt: skip
def test_what_is_no_library_file_is_refused_and_changes_nothing(
    mine: Octavo, tmp_path: Path, content: bytes | None, kind: type[Exception]
) -> None:
    path = tmp_path / "x"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(kind):
        mine.import_library(path)
    assert mine.library().last is None


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    tags=st.lists(st.text(min_size=1, max_size=MAX_TAG).filter(lambda text: "," not in text), max_size=4),
    note=st.text(max_size=200),
    name=st.text(min_size=1, max_size=30),
)
def test_any_text_goes_through_a_file_unchanged(
    tmp_path_factory: pytest.TempPathFactory, world_file: Path, tags: list[str], note: str, name: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    with Octavo(folder / "one") as one, Octavo(folder / "two") as two:
        path = folder / "records.jsonl"
        path.write_text(encode_record(RECORDS[1]) + "\n", encoding="utf-8")
        one.add("jsonl", path)
        two.add("jsonl", path)
        fit = [tag for tag in tags if _is_tag(tag)]
        if fit:
            one.tag([TILES], fit)
        one.note(TILES, note)
        lines = "".join(one.export_library())
        two.import_library(file_of(one, folder))
        assert "".join(two.export_library()) == lines


def _is_tag(text: str) -> bool:
    try:
        tag_of(text)
    except UsageError:
        return False
    return True


# -- several at once, and none that may write -------------------------------------------------------------------------


@pytest.fixture
def second(mine: Octavo) -> Iterator[Octavo]:
    with Octavo(mine.home) as other:
        yield other


def test_two_programs_see_what_each_other_does(mine: Octavo, second: Octavo) -> None:
    mine.save([TILES])
    assert second.library().total == 1
    second.tag([TILES], ["x"])
    last = mine.library().last
    assert last
    second.note(TILES, "n")
    with pytest.raises(UsageError, match="Something else was done since"):
        mine.undo(last.number)
    assert shelf(mine, TILES).note == "n"


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_home_that_can_not_be_written_shows_the_library_and_says_why_it_stays_so(mine: Octavo) -> None:
    mine.save([TILES])
    mine.close()
    for path in (*mine.home.iterdir(), mine.home):
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        assert mine.library().total == 1
        with pytest.raises(HomeError, match="can't be written"):
            mine.save([PLANT])
    finally:
        for path in (mine.home, *mine.home.iterdir()):
            path.chmod(path.stat().st_mode | 0o200)


def test_a_database_that_can_only_be_read_says_so(mine: Octavo) -> None:
    mine.save([TILES])
    mine._catalogue.database.is_readonly = True
    for act in (lambda: mine.save([PLANT]), mine.undo, lambda: mine.save_search("a", "b")):
        with pytest.raises(HomeError, match="can't be written"):
            act()
    assert mine.library().total == 1


def test_nothing_is_made_where_there_is_no_home(tmp_path: Path) -> None:
    with Octavo(tmp_path / "none") as octavo:
        assert octavo.save([TILES]).papers == ()
        assert octavo.library().total == 0
        assert not (tmp_path / "none").exists()


KILLED = """
import sys
from octavo.app import Octavo
with Octavo(sys.argv[1]) as octavo:
    for n in range(10_000):
        octavo.tag(["arXiv:2101.00010"], [f"tag {n}"])
        print(n, flush=True)
"""


def test_what_was_told_as_done_is_there_after_a_kill(mine: Octavo) -> None:
    mine.close()
    with subprocess.Popen([sys.executable, "-c", KILLED, str(mine.home)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        for _ in range(20):
            last = process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        rest = process.stdout.read().split()
    told = int(rest[-1] if rest else last)
    tags = set(shelf(mine, TILES).tags)
    assert {f"tag {n}" for n in range(told + 1)} <= tags
    assert len(tags) <= told + 2
    done = mine.undo()
    assert done.act == "undo tag"
    assert len(shelf(mine, TILES).tags) == len(tags) - 1


# -- what came in -----------------------------------------------------------------------------------------------------


def test_what_came_in_since_is_told_by_number(mine: Octavo, tmp_path: Path) -> None:
    before = mine.last_arrival()
    assert mine.arrived(before).total == 0
    path = tmp_path / "more.jsonl"
    path.write_text(encode_record(record("acl", "2032.tile-1.1", "Newer Tiles", "Ann Bee", ids="2032.tile-1.1")) + "\n")
    mine.add("jsonl", path)
    view = mine.arrived(before)
    assert (view.total, [paper.title for paper in view.papers]) == (1, ["Newer Tiles"])
    assert view.last == mine.last_arrival() == before + 1
    assert mine.arrived(0).total == mine.stats().papers
    assert mine.arrived(10**11).total == 0
