"""The venues, their years, and the list of an edition: whole, in pages, narrowed, and in every form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from octavo.app import Octavo
from octavo.errors import NotFound, UsageError
from octavo.index.held import held_of
from octavo.records.paper import Record
from tests.web.conftest import Elements, serving
from tests.web.gallery import fill
from tests.world import record

N_PLAIN = 57
TITLES = {"prize": "Zeal", "oral": "Yarn", "spotlight": "Xylem", "poster": "Wax", "": "A Plain Paper"}


def paper(n: int, title: str, award: str = "", *, venue: str = "ICML", year: int = 2031, **more: str) -> Record:
    one = record(
        "mlanthology", f"bee{n}", title, f"{chr(97 + n % 26).upper()}nn {chr(122 - n % 26).upper()}ee; Bo Bee",
        ids=f"10.5555/ed.{n}", venue=venue, year=year, abstract=f"We lay tile number {n}. <script>alert(1)</script>",
        **{"status": "accepted"} | more,
    )  # fmt: skip
    return replace(one, award=award)


WORLD = (
    *(paper(100 + n, title, award if award != "prize" else "oral; Best Paper") for n, (award, title) in enumerate(TITLES.items())),
    *(paper(n, f"Plain {n:02} of {'tilings' if n % 3 else 'lattices'}") for n in range(N_PLAIN)),
    paper(200, "Only Sent There", status="submitted"),
    paper(201, "An Old One", year=2030),
    paper(202, "Elsewhere", venue="ACL", year=2031),
)  # fmt: skip
N_EDITION = len(TITLES) + N_PLAIN


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("venues") / "home"
    fill(home, WORLD)
    return home


@pytest.fixture(scope="module")
def octavo(home: Path) -> Iterator[Octavo]:
    with Octavo(home) as found:
        yield found


@pytest.fixture(scope="module")
def site(home: Path) -> Iterator[httpx.Client]:
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        yield client


def titles(octavo: Octavo, **asked: object) -> list[str]:
    return [row.title for row in octavo.edition("icml", 2031, whole=True, **asked).rows]  # type: ignore[arg-type]


def test_a_venue_has_the_years_of_which_papers_are_here(octavo: Octavo) -> None:
    assert [(one.key, one.total, one.years) for one in octavo.venues()] == [
        ("icml", N_EDITION + 1, ((2031, N_EDITION), (2030, 1))),
        ("acl", 1, ((2031, 1),)),
    ]


@pytest.mark.parametrize("name", ["icml", "ICML", "International Conference on Machine Learning"])
def test_a_venue_is_known_by_any_name(octavo: Octavo, name: str) -> None:
    assert octavo.venue(name).key == "icml"


@pytest.mark.parametrize("name", ["", "nowhere", "neurips", "'", "icml 2031 x"])
def test_a_venue_of_which_nothing_is_here_is_not_found(octavo: Octavo, name: str) -> None:
    with pytest.raises(NotFound):
        octavo.venue(name)


def test_what_appeared_is_listed_and_what_was_only_sent_is_counted(octavo: Octavo) -> None:
    view = octavo.edition("icml", 2031)
    assert (view.total, view.matching, view.n_others) == (N_EDITION, N_EDITION, 1)
    assert view.awards == {"prize": 1, "oral": 2, "spotlight": 1, "poster": 1}
    assert len(view.papers) == 50


def test_prizes_and_talks_come_first(octavo: Octavo) -> None:
    assert titles(octavo)[:5] == ["Zeal", "Yarn", "Xylem", "A Plain Paper", "Plain 00 of lattices"]
    assert titles(octavo, sort="title")[:2] == ["A Plain Paper", "Plain 00 of lattices"]
    assert titles(octavo, sort="title")[-1] == "Zeal"
    families = [row.authors[0].split()[1] for row in octavo.edition("icml", 2031, whole=True, sort="author").rows]
    assert families == sorted(families)


def test_the_pages_of_an_edition_are_the_whole_of_it(octavo: Octavo) -> None:
    parts = [one for at in range(0, 80, 20) for one in octavo.edition("icml", 2031, limit=20, offset=at).papers]
    assert [one.title for one in parts] == titles(octavo)


def test_an_edition_is_narrowed(octavo: Octavo) -> None:
    assert titles(octavo, award="oral") == ["Zeal", "Yarn"]
    assert titles(octavo, award="prize") == ["Zeal"]
    assert len(titles(octavo, query="title:lattices")) == N_PLAIN // 3
    assert titles(octavo, query="title:lattices award:oral") == []
    assert len(titles(octavo, query='"open quotation')) == 0
    assert len(titles(octavo, query="(")) == N_EDITION or titles(octavo, query="(") == []


def test_an_edition_is_narrowed_to_a_topic_and_shows_those_below_it(tmp_path: Path) -> None:
    fill(tmp_path / "home", WORLD)
    with Octavo(tmp_path / "home") as octavo:
        octavo.bring_up_to_date()
        keys = octavo._catalogue.all_papers_pks()
        with octavo._index.write() as writer:
            for pk, one in octavo._catalogue.get_papers(keys).items():
                writer.remove(pk)
                topics = ("deep-learning", "large-language-models") if one.title == "Zeal" else ()
                writer.add(pk, held_of(one, topics=topics))
            writer.commit()
        view = octavo.edition("icml", 2031)
        assert [(one.slug, one.n_papers) for one in view.topics] == [("deep-learning", 1)]
        view = octavo.edition("icml", 2031, topic="deep-learning")
        assert [one.title for one in view.papers] == ["Zeal"]
        assert [one.slug for one in view.topics] == ["large-language-models"]
        assert [one.slug for one in view.trail] == ["deep-learning"]


@pytest.mark.parametrize("asked", [{"sort": "best"}, {"award": "nobel"}, {"topic": "none-such"}])
def test_what_there_is_not_is_refused(octavo: Octavo, asked: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="There is no"):
        octavo.edition("icml", 2031, **asked)  # type: ignore[arg-type]


def test_what_comes_later_is_listed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home, (paper(1, "First"),))
    with Octavo(home) as octavo:
        assert [one.title for one in octavo.edition("icml", 2031).papers] == ["First"]
        fill(home, (paper(2, "Second"),))
        assert [one.title for one in octavo.edition("icml", 2031).papers] == ["First", "Second"]
        assert octavo.venues()[0].total == 2


# -- pages ------------------------------------------------------------------------------------------------------------


def test_the_venues_lead_to_their_years(site: httpx.Client) -> None:
    found = Elements(site.get("/venues").text)
    links = [one["href"] for one in found.all("a")]
    assert {"/venue/icml", "/venue/icml/2031", "/venue/icml/2030", "/venue/acl/2031"} <= set(links)
    assert links.index("/venue/icml") < links.index("/venue/acl"), "machine learning first"
    assert "/venue/icml/2030" in site.get("/venue/icml").text
    assert site.get("/venues.json").json()["venues"][0]["key"] == "icml"
    assert site.get("/venue/icml.json").json()["years"][0] == {"year": 2031, "papers": N_EDITION}


@pytest.mark.parametrize(
    ("path", "to"),
    [("/venue/ICML", "/venue/icml"), ("/venue/ICML/2031", "/venue/icml/2031"), ("/venue/ICML/2031.atom", "/venue/icml/2031.atom")],
)  # fmt: skip
def test_other_names_lead_to_the_usual_address(site: httpx.Client, path: str, to: str) -> None:
    answer = site.get(path)
    assert (answer.status_code, answer.headers["location"]) == (302, to)


@pytest.mark.parametrize(
    ("path", "status"),
    [("/venue/nowhere", 404), ("/venue/icml/1999", 404), ("/venue/icml/x", 404), ("/venue/icml/99999", 404),
     ("/venue/icml/2031?page=99", 404), ("/venue/icml/2031?sort=best", 400), ("/venue/icml/2031?topic=%3Cb%3E", 400),
     ("/venue/%F0%9F%98%80/2031", 404)],
)  # fmt: skip
def test_what_is_not_there_leads_on(site: httpx.Client, path: str, status: int) -> None:
    answer = site.get(path)
    assert answer.status_code == status
    main = answer.text.split("<main")[1]
    assert "<h1" in main
    assert 'href="/ven' in main


def test_the_whole_list_is_on_one_page_with_folded_abstracts(site: httpx.Client) -> None:
    html = site.get("/venue/icml/2031?all=1").text
    assert html.count('<li class="entry"') == N_EDITION
    assert html.count('<details class="abstract">') == N_EDITION
    assert "<script>alert" not in html
    assert "alert(1)" in html
    assert site.get("/venue/icml/2031?all=1&abstracts=open").text.count('<details class="abstract" open>') == N_EDITION
    found = Elements(html)
    assert len({one["id"] for one in found.all("li") if one.get("class") == "entry"}) == N_EDITION


def test_filters_stay_while_leafing_and_searching(site: httpx.Client) -> None:
    html = site.get("/venue/icml/2031?sort=title&q=tile").text
    assert 'href="/venue/icml/2031?sort=title&amp;q=tile&amp;page=2"' in html
    assert '<input type="hidden" name="sort" value="title">' in html
    assert 'value="tile"' in html
    nothing = site.get("/venue/icml/2031?q=nothingofthis")
    assert nothing.status_code == 200
    assert "No paper of this list fits." in nothing.text


def test_an_edition_has_every_form(site: httpx.Client) -> None:
    data = site.get("/venue/icml/2031.json?page=2").json()
    assert (data["total"], data["page"], data["pages"], len(data["papers"])) == (N_EDITION, 2, 2, N_EDITION - 50)
    assert site.get("/venue/icml/2031.bib").text.count("\n@") + 1 == N_EDITION
    assert site.get("/venue/icml/2031.rss").text.count("<item>") == N_EDITION


def test_a_catalogue_without_venues_says_so(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home, (record("arxiv", "2101.00001", "Alone", "Ann Bee", ids="2101.00001"),))
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False) as client:
        assert "No paper of this catalogue appeared" in client.get("/venues").text
    with serving(tmp_path / "none") as address, httpx.Client(base_url=address, trust_env=False) as client:
        assert client.get("/venues").status_code == 200
        assert client.get("/venue/icml").status_code == 404


@pytest.mark.parametrize(("code", "label"), [("en", "Ask for that"), ("zh-CN", "按此查找")])
def test_an_edition_that_is_searched_for_in_plain_words_has_a_link_to_it(
    site: httpx.Client, code: str, label: str
) -> None:
    page = Elements(site.get("/search", params={"q": "ICML 2031 best paper", "lang": code}).text)
    assert 'venue:"ICML 2031" has:award' in page.text
    assert label in page.text
    exact = site.get("/search", params={"q": 'venue:"ICML 2031" has:award', "lang": code})
    assert "Zeal" in Elements(exact.text).text
    assert any(link["href"].startswith("/search?q=venue%3A%22ICML+2031%22+has%3Aaward") for link in page.all("a"))
