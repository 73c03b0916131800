"""Gathering the papers of a name out of a catalogue. Nobody and nothing here exists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import NotFound, UsageError
from octavo.records.codec import encode_record
from octavo.records.names import Author, author
from octavo.records.paper import Record
from octavo.views_people import AuthorView
from tests.world import record

ORCID, OTHER_ORCID = "0000-0009-9990-008X", "0000-0009-9990-0178"


def known(base: Record, place: int, **about: object) -> Record:
    """The record with something more known of one author."""
    authors: list[Author] = list(base.authors)
    authors[place] = replace(authors[place], **about)  # type: ignore[arg-type]
    return replace(base, authors=tuple(authors))


def wrote(key: str, title: str, authors: str, *, source: str = "mlanthology", year: int = 2031) -> Record:
    return record(source, key, title, authors, venue="TILE", year=year, ids=f"10.5555/{key}")


RECORDS: tuple[Record, ...] = (
    # A rare name, written in five ways.
    wrote("z1", "Tiles on the Floor", "Ann Zyxwv; Cy Qwertz"),
    wrote("z2", "Tiles on the Wall", "Cy Qwertz; Ann B. Zyxwv", year=2030),
    wrote("z3", "Tiles on the Roof", "Zyxwv, A.; Ee Eff", year=2029),
    wrote("z4", "Tiles in the Drawer", "Ann Zyxwv; Gil Gee"),
    wrote("z5", "Sap in the Stem", "Zoe Zyxwv; Hu Haa"),
    # A common one, of whom some are known.
    known(wrote("w1", "Whales Sing", "Wei Wang; Cy Qwertz"), 0, orcid=ORCID),
    known(wrote("w2", "Whales Sing Again", "Ee Qwertz; Wei Wang"), 1, orcid=ORCID),
    known(wrote("w3", "Whales Are Silent", "Wei Wang; Cy Qwertz"), 0, orcid=OTHER_ORCID),
    wrote("w4", "Boats from Orbit", "Wei Wang 0001; Ira Iko"),
    wrote("w5", "Boats from Below", "Wei Wang 0001; Jo Jay"),
    wrote("w6", "Boats from Within", "Wei Wang 0002; Jo Jay"),
    wrote("w7", "Preface to Nothing", "Wei Wang; Cy Qwertz"),
    wrote("w8", "Grass Grows", "W. Wang; Lu Lou"),
    wrote("w9", "Grass Is Cut", "Wen Wang; Lu Lou"),
    # Accents, particles, other letters.
    wrote("s1", "Glass of the North", "Otto Schölzq; Ki Kay"),
    wrote("s2", "Glass of the South", "Otto Schoelzq; Ki Kay"),
    wrote("s3", "Glass of the East", "Otto Scholzq; Ki Kay"),
    wrote("p1", "Sand Moves", "Ludwig van der Meerq; Mo Moe"),
    wrote("p2", "Sand Rests", "Meerq, Ludwig; Mo Moe"),
    wrote("c1", "量子計算", "王伟; 小田 花子"),
    wrote("c2", "Снег", "Иван Снежный; Ki Kay"),
    # Initials, of which ids say the whole name.
    known(wrote("a1", "Spoken Floors", "M. Osterq; Cy Qwertz"), 0, ids=("acl:mia-osterq",)),
    known(wrote("a2", "Spoken Walls", "M. Osterq; Gil Gee"), 0, ids=("acl:max-osterq",)),
    wrote("a3", "Spoken Roofs", "Mia Osterq; Cy Qwertz"),
    wrote("a4", "Spoken Doors", "M. Osterq; Hu Haa"),
    # Two of one name on one paper; a crowd; a paper of two sources, of which one has the whole name.
    wrote("t1", "Twins at Work", "Tom Twinq; Tom Twinq"),
    wrote("m1", "A Map in Many Hands", "; ".join(f"Hand{n} Mapperq{n}" for n in range(3_000))),
    wrote("x1", "Xenon Clings to Cages", "X. Zyxon; Cy Qwertz"),
    known(wrote("x1", "Xenon Clings to Cages", "Xi Zyxon; Cy Qwertz", source="crossref"), 0, orcid=ORCID),
)  # fmt: skip


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    folder = tmp_path_factory.mktemp("people")
    path = folder / "people.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in RECORDS), encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", path)
        yield octavo


@pytest.fixture
def author_of(home: Octavo) -> Callable[[str], AuthorView]:
    return home.author


AuthorOf = Callable[[str], AuthorView]


def titles(view: AuthorView) -> list[set[str]]:
    return [{paper.title for paper in group.papers} for group in view.groups]


@pytest.mark.parametrize(
    "name", ["Ann Zyxwv", "Zyxwv, Ann", "ann zyxwv", "Ann B. Zyxwv", "  Ann   Zyxwv ", "Ann Zyxwv 0001"]
)
def test_a_name_gathers_its_variants_however_it_is_asked_for(author_of: AuthorOf, name: str) -> None:
    view = author_of(name)
    assert view.total == 4
    assert set(view.names) == {"Ann Zyxwv", "Ann B. Zyxwv", "A. Zyxwv"}
    assert view.is_rare


def test_names_stay_as_the_papers_have_them(author_of: AuthorOf) -> None:
    group = author_of("Ann Zyxwv").groups[0]
    assert {name for paper in group.papers for name in paper.authors if "Zyxwv" in name} == {
        "Ann Zyxwv",
        "Ann B. Zyxwv",
    }
    assert group.names == {"Ann B. Zyxwv": 1, "Ann Zyxwv": 1}


def test_a_group_says_why_it_is_one(author_of: AuthorOf) -> None:
    view = author_of("Ann Zyxwv")
    assert titles(view) == [{"Tiles on the Floor", "Tiles on the Wall"}]
    assert str(view.groups[0].why) == "2 papers with co-authors in common (Cy Qwertz), and the family name is uncommon"
    assert view.groups[0].why.value == 2
    assert {paper.title for paper in view.rest} == {"Tiles on the Roof", "Tiles in the Drawer"}, "nothing joins these"


def test_an_initial_gathers_every_name_that_it_may_be(author_of: AuthorOf) -> None:
    assert set(author_of("W. Wang").names) == {"Wei Wang", "Wen Wang", "W. Wang"}
    assert set(author_of("Z. Zyxwv").names) == {"Zoe Zyxwv"}


def test_a_common_name_is_parted_by_ids_and_never_by_guess(author_of: AuthorOf) -> None:
    """Pitfall D09."""
    view = author_of("Wei Wang")
    assert titles(view) == [
        {"Boats from Orbit", "Boats from Below"}, {"Whales Sing", "Whales Sing Again"},
        {"Boats from Within"}, {"Whales Are Silent"},
    ]  # fmt: skip
    assert {paper.title for paper in view.rest} == {"Preface to Nothing"}
    assert [group.ids for group in view.groups] == [
        (("dblp", "Wei Wang 0001"),), (("orcid", ORCID),), (("dblp", "Wei Wang 0002"),), (("orcid", OTHER_ORCID),),
    ]  # fmt: skip
    assert {group.name for group in view.groups} == {"Wei Wang"}, "the number is no part of the name"
    assert view.total == 7
    assert view.unsure == {"W. Wang": 1}, "Wen Wang fits as well"
    assert not view.is_rare


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("Otto Schölzq", 3), ("Otto Schoelzq", 2), ("O. Scholzq", 2), ("Ludwig van der Meerq", 2), ("van der Meerq, L.", 2),
        ("Ludwig Meerq", 2), ("王伟", 1), ("王 伟", 1), ("小田花子", 1), ("Снежный, И.", 1), ("иван снежный", 1), ("Hand2999 Mapperq2999", 1),
    ],
)  # fmt: skip
def test_accents_particles_and_letters_are_found(author_of: AuthorOf, name: str, total: int) -> None:
    """Pitfalls C16 and C18."""
    assert author_of(name).total == total


def test_a_record_with_the_whole_name_and_an_id_speaks_for_its_paper(author_of: AuthorOf) -> None:
    for name in ("X. Zyxon", "Xi Zyxon"):
        view = author_of(name)
        assert (view.total, [group.ids for group in view.groups]) == (1, [(("orcid", ORCID),)])


def test_an_initial_is_whose_its_id_names(author_of: AuthorOf) -> None:
    view = author_of("Mia Osterq")
    assert titles(view) == [{"Spoken Floors", "Spoken Roofs"}]
    assert (view.total, view.rest, view.unsure) == (2, (), {"M. Osterq": 1}), "it may be Max"
    assert titles(author_of("Max Osterq")) == [{"Spoken Walls"}]
    assert author_of("M. Osterq").total == 4


def test_two_authors_of_one_name_on_one_paper_are_one_paper_not_told_apart(author_of: AuthorOf) -> None:
    view = author_of("Tom Twinq")
    assert (view.total, view.groups, len(view.rest)) == (1, (), 1)


@pytest.mark.parametrize("name", ["", " ", "Anonymous", "et al.", "佚名"])
def test_who_is_nobody_has_no_page(author_of: AuthorOf, name: str) -> None:
    """Pitfalls C19 and D08."""
    with pytest.raises(UsageError, match="names no one"):
        author_of(name)


@pytest.mark.parametrize(
    "name", ["Nobody Zyxwvu", "Xaver Zyxwv", "Zyxwv", "伟王", "'; DROP", '"', "a" * 5_000, "\ud800 Bee", "Bee*"]
)
def test_who_wrote_nothing_is_not_found(author_of: AuthorOf, name: str) -> None:
    with pytest.raises((NotFound, UsageError)):
        author_of(name)


def test_an_empty_catalogue_says_so(tmp_path: Path) -> None:
    with Octavo(tmp_path / "home") as octavo, pytest.raises(NotFound, match="catalogue is empty"):
        octavo.author("Ann Zyxwv")


@pytest.mark.parametrize("order", [RECORDS[::-1], RECORDS[7:] + RECORDS[:7]], ids=["backwards", "turned"])
def test_the_order_in_which_papers_came_changes_nothing(
    author_of: AuthorOf, tmp_path: Path, order: Sequence[Record]
) -> None:
    path = tmp_path / "other.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in order), encoding="utf-8")
    with Octavo(tmp_path / "home") as other:
        other.add("jsonl", path)
        for name in ("Ann Zyxwv", "Wei Wang", "Otto Schölzq"):
            one, two = author_of(name), other.author(name)
            assert titles(one) == titles(two)
            assert [str(group.why) for group in one.groups] == [str(group.why) for group in two.groups]


def test_a_view_is_json(author_of: AuthorOf) -> None:
    data = author_of("Wei Wang").to_dict()
    assert set(data) == {"name", "names", "total", "groups", "not_told_apart", "left_out", "unsure", "is_rare"}
    assert data["groups"][0]["ids"] == ["dblp:Wei Wang 0001"]
    assert data["groups"][0]["why"]["parts"] == [{"value": 2, "reason": "2 papers with the DBLP key Wei Wang 0001"}]
    assert author("Wei", "Wang").name == data["name"]
