"""The facade's listings: days, categories and groups of them, and the papers that came in last."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from octavo.app import Octavo
from octavo.catalogue.batches import Announced, Batches
from octavo.errors import NotFound
from octavo.records.text import Text
from tests.web.conftest import Elements
from tests.web.gallery import CHINESE, FRIDAY, SCRIPT, THURSDAY, announce, fill
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


# -- several days ------------------------------------------------------------------------------------------------------


def test_catching_up_shows_each_paper_once_as_new_where_it_was_new(octavo: Octavo) -> None:
    view = octavo.catch_up_on("cs.LG", THURSDAY)
    found = {entry.paper.identifiers[0].value: (entry.kind, entry.version) for entry in view.entries}
    assert found["2101.10006"] == ("new", 2), "announced on Thursday, replaced on Friday"
    assert found["2101.00010"][0] == "replace"
    assert (view.day, view.until, view.total) == (THURSDAY, FRIDAY, 8)
    assert octavo.catch_up_on("cs.LG", FRIDAY).total == octavo.listing("cs.LG", FRIDAY).total
    assert octavo.catch_up_on("cs.LG", "2031-04-01").total == 8, "a day on which nothing was announced will do"
    with pytest.raises(NotFound, match="from 2031-06-01 on"):
        octavo.catch_up_on("cs.LG", "2031-06-01")


def test_what_is_recent_is_what_was_new_or_cross_listed_the_latest_day_first(octavo: Octavo) -> None:
    view = octavo.recent("cs.LG")
    assert [entry.day for entry in view.entries] == [FRIDAY] * 4 + [THURSDAY] * 2
    assert {entry.kind for entry in view.entries} == {"new", "cross"}
    assert (view.day, view.until, view.total) == (THURSDAY, FRIDAY, 6)
    parts = [entry for at in range(0, 6, 2) for entry in octavo.recent("cs.LG", 2, at).entries]
    assert tuple(parts) == view.entries
    with pytest.raises(NotFound):
        octavo.recent("hep-th")


def test_papers_are_as_they_are_now_however_often_they_were_shown(tmp_path: Path) -> None:
    home = tmp_path / "home"
    one = record("arxiv", "2101.00001", "Before $x$", "Ann Bee", submitted="2031-01-01", ids="2101.00001")
    with Octavo(home) as octavo:
        for title in ("Before $x$", "After $y$", "Before $x$"):
            fill(home, (replace(one, title=Text.of(title, "mixed")),))
            for _ in range(2):
                papers = octavo.newest().papers
                assert [paper.title for paper in papers] == [Text.of(title, "mixed").plain]
                assert octavo.written(papers)[papers[0].id].title.raw == title


def test_announcements_that_come_meanwhile_are_shown(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    with Octavo(home) as octavo:
        announce(home)
        before = octavo.listing("cs.LG", FRIDAY).total
        with Octavo(home) as other, other._catalogue.database.write():
            late = Announced(FRIDAY, "2101.10005", "cross", ("math.OC", "cs.LG"), 1)
            Batches(other._catalogue.database).announce("arxiv", "cs.LG", [late])
        assert octavo.listing("cs.LG", FRIDAY).total == before + 1


@pytest.mark.parametrize(
    ("path", "to"),
    [("/recent", "/list/all/recent"), (f"/{FRIDAY}", f"/list/all/{FRIDAY}"), (f"/{FRIDAY}.atom", f"/list/all/{FRIDAY}.atom"),
     ("/catchup/cs.LG/new", "/list/cs.LG/new")],
)  # fmt: skip
def test_short_addresses_lead_to_lists(client: httpx.Client, path: str, to: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["location"]) == (302, to)


@pytest.mark.parametrize(
    "path", ["/2031-13-40", "/catchup/cs.LG/2031-13-40", "/catchup/cs.LG/2040-01-01", "/catchup/cs.XX/new", "/nosuch"]
)
def test_days_that_are_none_are_not_found(client: httpx.Client, path: str) -> None:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 404
    assert "<h1" in answer.text


def test_several_days_are_shown_in_sections(client: httpx.Client) -> None:
    text = Elements(client.get(f"/catchup/cs.LG/{THURSDAY}").text).text
    assert "1 May 2031 to 2 May 2031" in text
    assert text.index("New") < text.index("Cross-listed from elsewhere") < text.index("Replaced by a later version")
    recent = client.get("/list/cs.LG/recent").text
    assert "Friday, 2 May 2031 · New" in recent
    assert "Thursday, 1 May 2031 · New" in recent
    assert 'href="/list/stat.ML/recent"' in recent
    data = client.get(f"/catchup/cs.LG/{THURSDAY}.json").json()
    assert (data["day"], data["until"], data["total"]) == (THURSDAY, FRIDAY, 8)
    assert client.get(f"/catchup/cs.LG/{THURSDAY}.rss").text.count("<item>") == 6
