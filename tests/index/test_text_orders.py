"""Sorting, paging, facets and filters of the index, against what plain Python makes of the same papers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.index.facets import FACETS
from octavo.index.text import ORDERS, TextIndex, held_of
from octavo.index.text_query import compile_query
from octavo.query.match import compile_predicate, document_of
from octavo.query.parser import parse_strict
from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.paper import Paper, PaperId

DATES = [None, "2030", "2031-05", "2031-05-09", "2031-05-09", "2029-12-31"]
VENUES = ["ICML 2025", "ICML 2024", "NeurIPS 2023 Workshop on Tiles", "Nowhere 2020", ""]
TOPICS = [(), ("planes", "tilings"), ("planes",)]
TERMS = [("tile",), (), ("tile", "grout")]


def paper(number: int) -> Paper:
    date = DATES[number % len(DATES)]
    return Paper(
        PaperId(f"p{number}"),
        "Tiling the plane" if number % 3 else "Packing the plane with tilings",
        (),
        abstract="tiling " * (number % 4),
        venue=VENUES[number % len(VENUES)],
        date=PartialDate(date) if date else None,
        categories=(("cs.LG", "cs.LG", "hep-th"), ("cond-mat.soft",), ())[number % 3],
        citations=None if number % 4 == 0 else number % 7,
        status="accepted" if number % 2 else "",
        identifiers=(Identifier("doi", f"10.5555/{number}"), Identifier("doi", f"10.5555/{number}b"))[: number % 3],
        sources=("arxiv-snapshot", "pmlr")[: number % 3],
    )


PAPERS = {pk: paper(pk) for pk in range(1, 61)}


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> TextIndex:
    """An index of three segments."""
    index = TextIndex(tmp_path_factory.mktemp("index"))
    with index.write() as writer:
        for pk, one in PAPERS.items():
            writer.add(pk, held_of(one, TOPICS[pk % 3], TERMS[pk % 3]))
            if pk in (5, 33):
                writer.commit()
        writer.commit()
    return index


def sort_key(pk: int, order: str) -> tuple[object, ...]:
    """Unknown dates and numbers come last either way; of equals the paper that came last is first, but for `oldest`."""
    one = PAPERS[pk]
    if order == "cited":
        return (one.citations is None, -(one.citations or 0), -pk)
    number = int((one.date or "").replace("-", "").ljust(8, "0"))
    return (one.date is None, number, pk) if order == "oldest" else (one.date is None, -number, -pk)


def matching(query: str) -> list[int]:
    predicate = compile_predicate(parse_strict(query))
    return [pk for pk, one in PAPERS.items() if predicate(document_of(one))]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    "query", ["tiling", "packing", "cat:cs status:accepted", "nothing", "-packing", "date:2031-06.."]
)
def test_pages_of_an_order_are_the_whole_list_in_order(index: TextIndex, query: str, order: str) -> None:
    expected = sorted(matching(query), key=lambda pk: sort_key(pk, order))
    compiled = compile_query(parse_strict(query))
    found: list[int] = []
    for offset in range(0, len(expected) + 7, 7):
        page = index.search(compiled, 7, offset, order)
        assert page.total == len(expected)
        found += [pk for pk, _ in page.hits]
    assert found == expected


def test_hits_of_an_order_have_the_scores_that_they_have_by_relevance(index: TextIndex) -> None:
    compiled = compile_query(parse_strict("tiling"))
    by_score = dict(index.search(compiled, 100).hits)
    assert len(set(by_score.values())) > 1
    assert dict(index.search(compiled, 100, 0, "newest").hits) == pytest.approx(by_score)


def test_scores_are_those_of_the_search_and_only_of_what_matches(index: TextIndex) -> None:
    compiled = compile_query(parse_strict("packing"))
    every = dict(index.search(compiled, 100).hits)
    asked = [1, 3, 6, 9, 999]
    assert index.scores(compiled, asked) == pytest.approx({pk: every[pk] for pk in (3, 6, 9)})
    assert index.scores(compiled, []) == {}


def test_keys_are_all_that_match(index: TextIndex) -> None:
    compiled = compile_query(parse_strict("packing OR cat:hep-th"))
    expected = matching("packing OR cat:hep-th")
    assert sorted(index.pks(compiled)) == expected
    assert len(set(index.pks(compiled, 2)).intersection(expected)) == 2
    assert index.pks(compile_query(parse_strict("nothing"))) == []


def counted(query: str) -> dict[str, Counter[str]]:
    """The facets by plain counting."""
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for pk in matching(query):
        one = PAPERS[pk]
        counts["status"].update(filter(None, [one.status]))
        counts["source"].update(one.sources)
        counts["category"].update(set(one.categories))
        counts["topic"].update(TOPICS[pk % 3])
        counts["term"].update(TERMS[pk % 3])
        counts["has"].update(document_of(one).has)
        short = {"ICML 2025": "ICML", "ICML 2024": "ICML", "NeurIPS 2023 Workshop on Tiles": "NeurIPS"}.get(one.venue)
        if short:
            counts["venue"][short] += 1
            counts["edition"][one.venue.removesuffix(" Workshop on Tiles")] += 1
    return counts


@pytest.mark.parametrize("query", ["tiling", "packing", "status:accepted", "nothing"])
def test_facets_have_true_counts(index: TextIndex, query: str) -> None:
    found = index.facets(compile_query(parse_strict(query)), FACETS)
    assert {name: Counter(dict(values)) for name, values in found.items()} == counted(query)
    for values in found.values():
        assert values == sorted(values, key=lambda pair: (-pair[1], pair[0]))


def test_facet_is_cut_to_its_most_frequent_values(index: TextIndex) -> None:
    compiled = compile_query(parse_strict("tiling"))
    every = index.facets(compiled, ["has"])["has"]
    assert index.facets(compiled, ["has"], 2) == {"has": every[:2]}
    assert len(every) > 2


def test_counts_are_true_where_segments_have_many_values(tmp_path: Path) -> None:
    """An engine that keeps ten values of each segment counts too little of what is frequent on the whole."""
    index = TextIndex(tmp_path)
    with index.write() as writer:
        for pk in range(1, 401):
            sources = ("common",) if pk % 20 == 0 else (f"s{pk % 200}-{pk % 2}", f"t{pk // 2}")
            writer.add(pk, held_of(Paper(PaperId(f"p{pk}"), "Tiles", (), sources=sources)))
            if pk % 100 == 0:
                writer.commit()
        writer.commit()
    assert index.facets(compile_query(parse_strict("tiles")), ["source"], 1) == {"source": [("common", 20)]}


VALUES = {"venue": "venue", "edition": "venue", "category": "cat"}


@pytest.mark.parametrize("name", FACETS)
def test_value_of_a_facet_asked_for_finds_what_was_counted(index: TextIndex, name: str) -> None:
    everything = compile_query(parse_strict("tiling"))
    values = index.facets(everything, [name])[name]
    assert values or name == "year"
    for value, count in values:
        asked = parse_strict(f'tiling {VALUES.get(name, name)}:"{value}"')
        assert index.search(compile_query(asked), 1).total == count, value


def test_years_are_counted_as_years(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    with index.write() as writer:
        for pk, year in enumerate((2030, 2031, 2031, None), 1):
            writer.add(pk, held_of(replace(paper(pk), year=year)))
        writer.commit()
    assert index.facets(compile_query(parse_strict("plane")), ["year"]) == {"year": [("2031", 2), ("2030", 1)]}


def test_absent_index_has_no_facets_keys_or_scores(tmp_path: Path) -> None:
    index = TextIndex(tmp_path / "none")
    compiled = compile_query(parse_strict("tiling"))
    assert index.facets(compiled, ["has"]) == {"has": []}
    assert index.pks(compiled) == []
    assert index.scores(compiled, [1]) == {}
    assert index.search(compiled, 10, 0, "newest").hits == []


def test_unknown_order_or_facet_is_refused(index: TextIndex) -> None:
    compiled = compile_query(parse_strict("tiling"))
    with pytest.raises(ValueError, match="best"):
        index.search(compiled, 10, 0, "best")
    with pytest.raises(KeyError, match="colour"):
        index.facets(compiled, ["colour"])


def test_library_must_be_resolved_before_an_index_is_asked() -> None:
    with pytest.raises(ValueError, match="resolved"):
        compile_query(parse_strict("is:saved"))


def test_a_facet_is_counted_within_each_value_of_another(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    assert index.crossed(compile_query(parse_strict("plane")), "year", "topic") == {}
    with index.write() as writer:
        for pk, year in enumerate((2030, 2031, 2031, None, 2032), 1):
            writer.add(pk, held_of(replace(paper(pk), year=year), TOPICS[pk % 3]))
        writer.commit()
    everything = compile_query(parse_strict("plane"))
    assert index.crossed(everything, "year", "topic") == {
        "2030": {"planes": 1, "tilings": 1},
        "2031": {"planes": 1},
        "2032": {"planes": 1},
    }
    assert index.crossed(everything, "topic", "year") == {
        "planes": {"2030": 1, "2031": 1, "2032": 1},
        "tilings": {"2030": 1},
    }
