"""Editions that a query names in plain words: how to ask for them exactly is said, and nothing else is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.query.parser import parse_lenient
from octavo.rank.exactly import query_of_note
from octavo.records.codec import encode_record
from tests.world import record

PAPERS = (("Tiles of Glass", "oral; Best Paper"), ("Tiles of Wood", "spotlight"), ("Tiles of Clay", "poster"))


@pytest.fixture(scope="module")
def editions(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Octavo]:
    """A catalogue with papers of one edition of a known venue."""
    folder: Path = tmp_path_factory.mktemp("editions")
    lines = [
        encode_record(
            replace(
                record("mlanthology", f"bee2031-{n}", title, "Ann Bee", venue="ICML", year=2031, ids=f"10.5555/e{n}"),
                award=award,
            )
        )
        for n, (title, award) in enumerate(PAPERS)
    ]
    path = folder / "papers.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with Octavo(folder / "home") as octavo:
        octavo.add("jsonl", path)
        octavo.save(["10.5555/e0"])
        yield octavo


@pytest.mark.parametrize(
    ("query", "exact"),
    [
        ("ICML 2031", 'venue:"ICML 2031"'),
        ("icml'31 tiles", 'venue:"ICML 2031" tiles'),
        ("ICML 2031 best paper", 'venue:"ICML 2031" has:award'),
        ("best papers of ICML 2031", 'venue:"ICML 2031" has:award'),
        ("ICML 2031 Outstanding Paper Award", 'venue:"ICML 2031" has:award'),
        ("glass orals at ICML 2031", 'glass venue:"ICML 2031" award:oral'),
        ("ICML 2031 spotlight presentations", 'venue:"ICML 2031" award:spotlight'),
        # No such paper was a spotlight: the edition alone.
        ("glass ICML 2031 spotlight", 'glass venue:"ICML 2031"'),
        # Words that stand elsewhere are words.
        ("oral glass ICML 2031", 'venue:"ICML 2031"'),
        ("“ICML 2031” glass", 'venue:"ICML 2031" glass'),
        ('"ICML 2031" glass', 'venue:"ICML 2031" glass'),
        ("author:bee ICML 2031", 'author:bee venue:"ICML 2031"'),
        ("is:saved ICML 2031 oral", 'is:saved venue:"ICML 2031" award:oral'),
        ("International Conference on Machine Learning 2031", 'venue:"ICML 2031"'),
        ("Proceedings of the 48th ICML 2031", 'venue:"ICML 2031"'),
    ],
)
def test_a_note_says_how_an_edition_is_asked_for(editions: Octavo, query: str, exact: str) -> None:
    named = [found for found in map(query_of_note, editions.search(query).notes) if found]
    assert named == [exact]
    assert not parse_lenient(exact).notes
    if " the " not in exact and "oral glass" not in exact:
        assert editions.search(exact, way="words").total > 0


@pytest.mark.parametrize(
    "query",
    [
        "ICML 2030", "NeurIPS 2031", 'venue:"ICML 2031"', "venue:icml ICML 2031", "tiles 2031", "year:2031 tiles", "icml", "-ICML 2031",
        "title:(ICML 2031)", "nature 2031", "10.5555/e1", "ICML 2031 " + "tiles " * 60, '"papers of ICML 2031 and others"', "2031", "",
    ],
)  # fmt: skip
def test_nothing_is_said_where_no_edition_that_is_there_is_named(editions: Octavo, query: str) -> None:
    assert not any(map(query_of_note, editions.search(query).notes))


def test_what_is_found_stays_the_same(editions: Octavo) -> None:
    view = editions.search("ICML 2031 tiles glass", way="words")
    assert any(map(query_of_note, view.notes))
    assert view.hits[0].paper.title == "Tiles of Glass"
    assert view.matching == 1
