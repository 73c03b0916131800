"""Help while typing: completions of a text, and what a mistyped query was meant to be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.errors import UsageError
from octavo.rank.complete import KINDS, brief_of
from octavo.records.codec import encode_record
from octavo.records.paper import Paper, PaperId
from tests.world import record

RECORDS = [
    record(
        "jsonl", "1", "Tiling Is All One Needs", "Ann Bee; Łukasz Nguyễn", venue="ICML", year=2031, ids="2101.00010"
    ),
    record(
        "jsonl", "2", "Sufficient Tiles for Halls", "Ann Bee; Dag Ypsilon", venue="ICLR", year=2032, ids="2101.00021"
    ),
    record("jsonl", "3", "Attention to Tiles", "Dag Ypsilon", venue="ICML", year=2030, categories="cs.LG"),
    record("jsonl", "4", "What a Quarry Needs", "Eva Zett", submitted="2029-05-09"),
    *(
        record(
            "jsonl", f"f{number}", f"Reinforcement of Concrete Floors, Part {number}", "Flo Orr", submitted="2020-05-09"
        )
        for number in range(40)
    ),
    *(
        record("jsonl", f"g{number}", f"Concrete Learning {number}", "Flo Orr", submitted="2021-05-09")
        for number in range(40)
    ),
]


@pytest.fixture(scope="module")
def typing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    folder = tmp_path_factory.mktemp("typing")
    path = folder / "papers.jsonl"
    path.write_text("".join(encode_record(one) + "\n" for one in RECORDS), encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", path)
        yield octavo


def texts(octavo: Octavo, typed: str, kind: str = "") -> list[str]:
    return [one.text for one in octavo.complete(typed).items if kind in ("", one.kind)]


@pytest.mark.parametrize(
    ("typed", "kind", "first"),
    [
        ("til", "paper", "Tiling Is All One Needs"),
        ("quarry need", "paper", "What a Quarry Needs"),
        ("all one", "paper", "Tiling Is All One Needs"),
        ("halls suff", "paper", "Sufficient Tiles for Halls"),
        ("nguyen", "author", "Łukasz Nguyễn"),
        ("luk", "author", "Łukasz Nguyễn"),
        ("ypsilon d", "author", "Dag Ypsilon"),
        ("icm", "venue", "ICML"),
        ("international conference on machine l", "venue", "ICML"),
        ("au:yp", "author", "Dag Ypsilon"),
        ("author:\"ann b", "author", "Ann Bee"),
        ("venue:ic", "venue", "ICML"),
        ("cat:cs.l", "category", "cs.LG"),
        ("status:ac", "value", "accepted"),
        ("is:sa", "value", "saved"),
        ("has:arx", "value", "arxiv"),
        ("term:graph neur", "term", "graph neural network"),
        ("title:tili", "paper", "Tiling Is All One Needs"),
        ("ven", "field", "venue:"),
        ("au", "field", "author:"),
        ("2101.0002", "paper", "Sufficient Tiles for Halls"),
        ("arXiv:2101.00010", "paper", "Tiling Is All One Needs"),
        ("tiles ypsilo", "author", "Dag Ypsilon"),
        ("halls icml", "venue", "ICML"),
        ("强化", "term", "强化学习"),
    ],
)  # fmt: skip
def test_a_beginning_is_completed(typing: Octavo, typed: str, kind: str, first: str) -> None:
    items = typing.complete(typed).items
    found = [one.text for one in items if one.kind == kind or {one.kind, kind} == {"topic", "term"}]
    assert found[:1] == [first], items


@pytest.mark.parametrize(
    ("typed", "text", "query"),
    [
        ("venue:icml au:yps", "Dag Ypsilon", 'venue:icml au:"Dag Ypsilon"'),
        ("tiles year:2031 venue:icl", "ICLR", "tiles year:2031 venue:ICLR"),
        ("ypsil", "Dag Ypsilon", 'author:"Dag Ypsilon"'),
        ("halls icml", "ICML", "halls venue:ICML"),
        ("tiles ypsilon", "Dag Ypsilon", 'tiles author:"Dag Ypsilon"'),
        ("au:ypsilon tiles icml", "ICML", "au:ypsilon tiles venue:ICML"),
        ("year:2031 ypsilon", "Dag Ypsilon", 'year:2031 author:"Dag Ypsilon"'),
        ("icml 203", "ICML 2031", 'venue:"ICML 2031"'),
        ("ven", "venue:", "venue:"),
    ],
)
def test_what_is_offered_is_the_whole_query(typing: Octavo, typed: str, text: str, query: str) -> None:
    assert [one.query for one in typing.complete(typed).items if one.text == text] == [query]


def test_counts_are_what_the_query_finds(typing: Octavo) -> None:
    counted = [one for typed in ("ypsilon", "icml", "venue:icl") for one in typing.complete(typed).items]
    counted = [one for one in counted if one.count is not None]
    assert len(counted) == 3
    assert all(one.count == typing.search(one.query).total for one in counted)


@pytest.mark.parametrize(
    ("typed", "read_as", "text"),
    [
        ("attnetion", "attention", "Attention to Tiles"),
        ("sufficent til", "sufficient til", "Sufficient Tiles for Halls"),
        ("ypsiln", "ypsilon", "Dag Ypsilon"),
        ("au:ypislon", "ypsilon", "Dag Ypsilon"),
    ],
)
def test_one_typing_error_is_forgiven_and_said(typing: Octavo, typed: str, read_as: str, text: str) -> None:
    view = typing.complete(typed)
    assert view.read_as == read_as
    assert text in [one.text for one in view.items]


def test_what_fits_as_it_stands_is_not_read_otherwise(typing: Octavo) -> None:
    assert typing.complete("tiling").read_as == ""
    assert typing.complete("tilt").items == (), "too short for an error"


def test_a_paper_that_came_in_is_completed_at_once(octavo: Octavo, tmp_path: Path) -> None:
    for number, title in enumerate(("Marble Floors", "Marble Walls")):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(encode_record(record("jsonl", str(number), title, "Ann Bee")) + "\n", encoding="utf-8")
        octavo.add("jsonl", path)
        assert title in texts(octavo, "marb", "paper")


def test_an_empty_home_completes_what_needs_no_catalogue(octavo: Octavo) -> None:
    assert octavo.complete("ven").items[0].query == "venue:"
    assert octavo.complete("tiles").items == ()
    assert not octavo.home.exists()


@pytest.mark.parametrize("limit", [0, 51])
def test_a_limit_out_of_bounds_is_refused(octavo: Octavo, limit: int) -> None:
    with pytest.raises(UsageError):
        octavo.complete("a", limit)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=150)
@given(typed=st.text(max_size=30) | st.text('au:venue"( )-*ORtiles强化\x00', max_size=30))
def test_any_text_is_answered(typing: Octavo, typed: str) -> None:
    view = typing.complete(typed, 5)
    assert len(view.items) <= 5
    assert {one.kind for one in view.items} <= set(KINDS)


@pytest.mark.parametrize("typed", ["(" * 20_000, "a " * 500_000, '"' * 201, "*", "au:" * 60, "\u202etiles"])
def test_bad_input_is_answered(typing: Octavo, typed: str) -> None:
    typing.complete(typed)
    typing.did_you_mean(typed)


def test_a_paper_is_told_apart_by_its_first_author_and_place() -> None:
    paper = Paper(PaperId("p"), "T", ("Ann Bee", "Cy Dee", "Dag E"), venue="TILE 2031", year=2031)
    assert brief_of(paper) == "Ann Bee +2 · TILE 2031"
    assert brief_of(Paper(PaperId("p"), "T", (), venue="TILE 2031", status="submitted", year=2031)) == "2031"


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("reinforecment", "reinforcement"),
        ("reinfrocement concrete", "reinforcement concrete"),
        ("reniforcement", "reinforcement"),
        ("concretelearning", "concrete learning"),
        ("re inforcement", "reinforcement"),
        ("rein forcement floors", "reinforcement floors"),
        ('"concrete laerning"', '"concrete learning"'),
        ("title:conrcete", "title:concrete"),
        ("author:ypislon tiles", "author:ypsilon tiles"),
        ("ypsilno tiles", "ypsilon tiles"),
        ("conrcete -floors", "concrete -floors"),
        ("-cat:cs.LG conrcete", "-cat:cs.LG concrete"),
    ],
)
def test_a_mistyped_query_is_told_with_what_it_finds(typing: Octavo, query: str, meant: str) -> None:
    view = typing.did_you_mean(query)
    assert view is not None
    assert view.query == meant
    assert view.total == typing.search(meant).total > 0


@pytest.mark.parametrize(
    "query",
    [
        "concrete",
        "ypsilon",
        "orr",
        "nguyen",
        "xqzvw",
        "concrete -conrcete",
        "强化学习",
        "",
        "needs quarry",
        "2101.00010",
    ],
)
def test_what_is_there_or_near_nothing_is_left_as_it_is(typing: Octavo, query: str) -> None:
    assert typing.did_you_mean(query) is None
