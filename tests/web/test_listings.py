"""The facade's listings: days, categories and groups of them, and the papers that came in last."""

from __future__ import annotations

from pathlib import Path

import pytest

from octavo.app import Octavo
from octavo.errors import NotFound
from octavo.records.text import Text
from tests.web.gallery import CHINESE, FRIDAY, SCRIPT, THURSDAY, fill
from tests.world import record


@pytest.fixture(scope="module")
def octavo(gallery: Path) -> Octavo:
    return Octavo(gallery)


def kinds(octavo: Octavo, category: str, day: str) -> dict[str, str]:
    return {entry.paper.identifiers[0].value: entry.kind for entry in octavo.listing(category, day).entries}


def test_the_followed_categories_and_days_are_known(octavo: Octavo) -> None:
    followed = octavo.followed()
    assert followed.categories == ("cs.LG", "stat.ML")
    assert followed.days == (FRIDAY, THURSDAY)


def test_a_group_has_what_its_categories_have(octavo: Octavo) -> None:
    found = kinds(octavo, "cs", FRIDAY)
    assert found["2101.10001"] == "new"
    assert found["2101.10004"] == "new", "announced in cs.CL first, which is of the group"
    assert found["2101.10002"] == "cross"
    assert kinds(octavo, "astro-ph", FRIDAY) == {"2101.10002": "new"}


def test_a_category_that_is_not_followed_has_what_is_cross_listed_there(octavo: Octavo) -> None:
    assert kinds(octavo, "cs.CL", "") == {"2101.10004": "new"}
    view = octavo.listing("cs.CL")
    assert (view.day, view.earlier, view.later) == (FRIDAY, THURSDAY, "")


def test_a_part_of_a_day_is_a_part_of_its_whole(octavo: Octavo) -> None:
    whole = octavo.listing("cs.LG", FRIDAY)
    parts = [entry for offset in range(0, 8, 3) for entry in octavo.listing("cs.LG", FRIDAY, 3, offset).entries]
    assert tuple(parts) == whole.entries
    assert whole.total == 7, "one has no record here, and counts nevertheless"
    assert len(whole.entries) == 6


def test_the_day_before_and_after_are_those_of_the_category(octavo: Octavo) -> None:
    assert octavo.listing("cs.LG", THURSDAY).later == FRIDAY
    assert octavo.listing("stat.ML").earlier == ""


@pytest.mark.parametrize(("category", "day"), [("hep-th", ""), ("cs.LG", "2020-01-01"), ("", "x"), ("'", "'")])
def test_what_was_not_announced_is_not_found(octavo: Octavo, category: str, day: str) -> None:
    with pytest.raises(NotFound, match="Nothing was announced"):
        octavo.listing(category, day)


def test_the_newest_are_what_came_in_last(tmp_path: Path) -> None:
    home = tmp_path / "home"
    old, older = (
        record("arxiv", f"2101.0000{n}", f"Old {n}", "Ann Bee", submitted=f"203{n}-01-01", ids=f"2101.0000{n}")
        for n in (2, 1)
    )
    fill(home, (older, old))
    with Octavo(home) as octavo:
        assert [paper.title for paper in octavo.newest().papers] == ["Old 2", "Old 1"], "of one batch by date"
    fill(home, (record("arxiv", "2101.00003", "Just in", "Ann Bee", submitted="2001-01-01", ids="2101.00003"),))
    with Octavo(home) as octavo:
        assert [paper.title for paper in octavo.newest(2).papers] == ["Just in", "Old 2"]
        assert [paper.title for paper in octavo.newest(2, 2).papers] == ["Old 1"]
        assert octavo.newest(1).total == 3


def test_texts_are_as_their_source_wrote_them(octavo: Octavo) -> None:
    papers = [octavo.get(f"arXiv:{one.key}").paper for one in (SCRIPT, CHINESE)]
    written = octavo.written(papers)
    assert written[papers[0].id].title == SCRIPT.title
    assert written[papers[0].id].abstract == SCRIPT.abstract
    assert written[papers[1].id].title == Text(CHINESE.title.raw)
    assert written[papers[1].id].summary is None
    assert octavo.written([]) == {}
