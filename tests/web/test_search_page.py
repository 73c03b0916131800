"""The search page: facets that narrow a query, conditions that are taken away, orders, ways, paging, feeds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.app.kept import Answers
from octavo.query.ast import And, Range, conjunction
from octavo.query.parser import parse_lenient
from octavo.query.topic_names import BUNDLED
from octavo.web.asked import Paging
from octavo.web.kept import Pieces
from octavo.web.language import language
from octavo.web.narrowing import chosen, condition, narrowing
from octavo.web.phrases import phrase
from tests.web.conftest import Elements, serving
from tests.web.gallery import fill
from tests.world import record


def tree(query: str) -> object:
    return parse_lenient(query, BUNDLED).node


# -- queries that links make ------------------------------------------------------------------------------------------

PLAIN = [
    "tilings", "tilings lattices", "tilings OR lattices", '"open quotation', "tilings (lattices", "(a OR b) OR c",
    "-tilings", "author:bee", "NOT tilings", "tilings OR", "venue:ICML OR year:2030", "10.5555/tiles.1", "量子計算",
]  # fmt: skip


@pytest.mark.parametrize("query", PLAIN)
def test_a_condition_is_asked_for_beside_all_of_the_query(query: str) -> None:
    narrowed = narrowing(query)("year:2031")
    assert tree(narrowed) == conjunction([tree(query), tree("year:2031")])


@given(st.text(st.sampled_from('ab "()-:OR*年'), max_size=30))
def test_a_condition_is_always_asked_for(query: str) -> None:
    node = tree(narrowing(query)("year:2031"))
    wanted = Range("year", 2031, 2031)
    assert node == wanted or (isinstance(node, And) and wanted in node.children) or tree(query) == tree("()")


@given(
    st.sampled_from(PLAIN), st.sampled_from([("year", "2031"), ("category", "cs.LG"), ("venue", "Journal of Tiles")])
)
def test_a_condition_that_was_added_can_be_taken_away(query: str, added: tuple[str, str]) -> None:
    text = condition(*added)
    removable = [one for one in chosen(narrowing(query)(text)) if condition(added[0], one.value) == text]
    assert [tree(one.without) for one in removable] == [tree(query)]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tilings venue:ICML year:2031", [("venue", "ICML"), ("year", "2031")]),
        ('venue:"Journal of Tiles" a', [("venue", "Journal of Tiles")]),
        ("category:cs.LG", [("cat", "cs.LG")]),
        ("-venue:ICML NOT year:2031", []),
        ("a OR venue:ICML", []),
        ("(a OR venue:ICML) year:2031", [("year", "2031")]),
        ('"venue:ICML"', []),
        ("title:tiles http://a.example/b", []),
    ],
)
def test_only_conditions_that_stand_for_themselves_are_offered(query: str, found: list[tuple[str, str]]) -> None:
    assert [(one.field, one.value) for one in chosen(query)] == found


def test_brackets_that_are_not_needed_any_more_go(tmp_path: Path) -> None:
    (one,) = chosen("(tilings OR lattices) year:2031")
    assert one.without == "tilings OR lattices"


@pytest.mark.parametrize(
    ("page", "last", "shown"),
    [(1, 1, [1]), (1, 3, [1, 2, 3]), (1, 9, [1, 2, 3, 0, 9]), (5, 9, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
     (9, 20, [1, 0, 7, 8, 9, 10, 11, 0, 20]), (20, 20, [1, 0, 18, 19, 20])],
)  # fmt: skip
def test_pages_are_numbered_to_the_last(page: int, last: int, shown: list[int]) -> None:
    assert Paging(page, 10, last * 10).numbers == shown


# -- what is kept -----------------------------------------------------------------------------------------------------


def test_a_piece_is_given_for_what_it_was_made_of_only(tmp_path: Path) -> None:
    fill(tmp_path / "home")
    with Octavo(tmp_path / "home") as octavo:
        paper = octavo.newest(1).papers[0]
        texts = octavo.written([paper])[paper.id]
    pieces = Pieces(2)
    assert pieces.put("key", paper, texts, "<p>") == "<p>"
    assert pieces.get("key", replace(paper), texts) == "<p>"
    assert pieces.get("key", replace(paper, year=1900), texts) == ""
    assert pieces.get("key", paper, replace(texts, abstract=None, title=type(texts.title)("other"))) == ""
    for key in "ab":
        pieces.put(key, paper, texts, key)
    assert pieces.get("key", paper, texts) == "", "no more are kept than were asked for"
    assert pieces.get("b", paper, texts) == "b"


def test_the_answers_that_were_asked_for_last_are_kept() -> None:
    answers: Answers[int] = Answers(2)
    answers.put("a", 1)
    answers.put("b", 2)
    assert answers.get("a") == 1
    answers.put("c", 3)
    assert (answers.get("a"), answers.get("b"), answers.get("c")) == (1, None, 3)


# -- the page ---------------------------------------------------------------------------------------------------------

VENUES = ("ICML", "ICLR", "NeurIPS")
N_PAPERS = 60


def papers() -> Iterator[object]:
    for n in range(N_PAPERS):
        one = record(
            "arxiv", f"2101.{n:05}", f"Tiling number {n} of lattices", "Ann Bee", ids=f"2101.{n:05}",
            categories="cs.LG stat.ML" if n % 2 else "cs.CL", submitted=f"20{20 + n % 5}-01-01",
            venue=VENUES[n % 3], year=2020 + n % 5, status="accepted" if n % 4 else "submitted",
        )  # fmt: skip
        yield replace(one, links=(("code", f"https://code.example/{n}"),)) if n % 10 == 0 else one


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    home = tmp_path_factory.mktemp("search") / "home"
    fill(home, tuple(papers()))  # type: ignore[arg-type]
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        yield client


def facets(html: str) -> dict[str, tuple[str, str]]:
    """Values of facets, each with the query that its link asks for, and its address."""
    found = {}
    part = html.split('<nav class="facets"')[1].split("</nav>")[0]
    for link in part.split("<li>")[1:]:
        name = link.split("<bdi>")[1].split("</bdi>")[0]
        address = link.split('href="')[1].split('"')[0].replace("&amp;", "&")
        found[name] = (parse_qs(urlsplit(address).query)["q"][0], address)
    return found


def test_each_value_of_a_facet_finds_as_many_papers_as_it_says(site: httpx.Client) -> None:
    html = site.get("/search?q=tiling&way=words&page=2").text
    counts = {
        (one["value"]): one["papers"]
        for name, found in site.get("/search.json?q=tiling&way=words").json()["facets"].items()
        if name in ("venue", "year", "category", "status")
        for one in found
    }
    shown = facets(html)
    assert set(VENUES) <= shown.keys()
    assert "cs.LG" in shown
    assert "2021" in shown
    assert "accepted" in shown
    assert "Code" in shown
    for name, (query, address) in shown.items():
        total = site.get("/search.json", params={"q": query, "way": "words"}).json()["total"]
        assert 0 < total < N_PAPERS, "a value that all have narrows nothing"
        assert total == counts.get(name, total)
        assert "page=" not in address
        assert "way=words" in address


def test_a_condition_that_is_chosen_is_not_offered_and_can_be_taken_away(site: httpx.Client) -> None:
    html = site.get("/search", params={"q": "tiling OR lattice", "way": "words"}).text
    query, address = facets(html)["ICML"]
    assert query == "(tiling OR lattice) venue:ICML"
    narrowed = site.get(address).text
    assert "ICML" not in facets(narrowed)
    assert "Venue: ICML" in Elements(narrowed).text
    assert "/search?way=words&amp;q=tiling+OR+lattice" in narrowed


def test_a_part_of_the_query_that_finds_nothing_can_be_taken_away(site: httpx.Client) -> None:
    html = site.get("/search", params={"q": "tiling year:1990", "way": "words"}).text
    assert "Take a condition away" in html
    assert 'href="/search?way=words&amp;q=tiling"' in html


@pytest.mark.parametrize(("sort", "first"), [("newest", "2024"), ("oldest", "2020")])
def test_orders_are_kept_while_leafing(site: httpx.Client, sort: str, first: str) -> None:
    pages = [site.get(f"/search.json?q=tiling&sort={sort}&page={n}").json() for n in (1, 2, 3)]
    ids = [hit["id"] for one in pages for hit in one["hits"]]
    assert len(set(ids)) == N_PAPERS
    assert str(pages[0]["hits"][0]["year"]) == first
    html = site.get(f"/search?q=tiling&sort={sort}").text
    assert f'href="/search?q=tiling&amp;sort={sort}&amp;page=3"' in html
    assert site.get(f"/search?q=tiling&sort={sort}&page=4").status_code == 404


@pytest.mark.parametrize("asked", ["sort=best", "way=magic"])
def test_what_there_is_not_is_said_with_what_there_is(site: httpx.Client, asked: str) -> None:
    answer = site.get(f"/search?q=tiling&{asked}")
    assert answer.status_code == 400
    assert "There are " in answer.text
    assert 'href="/search?q=tiling"' in answer.text


def test_a_reason_unfolds_into_the_parts_of_its_score(site: httpx.Client) -> None:
    html = site.get("/search?q=tiling+lattices&way=words").text
    reason = html.split('<details class="why">')[1].split("</details>")[0]
    assert "title: tiling, lattices" in reason
    *parts, total = [float(cell.split("</td>")[0] or 0) for cell in reason.split('<td class="n">')[1:]]
    assert sum(parts) == pytest.approx(total, abs=0.02)
    words = site.get("/search?q=tiling+lattices&why=words&way=words").text
    assert '<tr class="word">' in words
    assert "<code>tiling</code>" in words


def test_a_search_is_a_feed_of_what_is_new(site: httpx.Client) -> None:
    for kind in ("atom", "rss"):
        text = site.get(f"/search.{kind}?q=tiling").text
        assert "Octavo: tiling" in text
        assert text.count("urn:octavo:") >= N_PAPERS
    assert site.get("/search.bib?q=tiling&sort=oldest").text.count("@") >= N_PAPERS
    assert 'type="application/atom+xml"' in site.get("/search?q=tiling").text


def test_a_saved_search_is_there_where_nothing_is_asked_yet(site: httpx.Client) -> None:
    html = site.get("/search?q=tiling+year:2021").text
    token = html.split('name="token" value="')[1].split('"')[0]
    sent = {"token": token, "back": "/search", "do": "search:tiling year:2021"}
    assert site.post("/library", data=sent).status_code == 303
    assert "Saved searches" in site.get("/search").text
    assert "Search saved" in site.get("/search?q=tiling+year:2021").text


def test_what_is_saved_meanwhile_is_found(site: httpx.Client) -> None:
    """The answers to queries are kept, but for as long only as nothing changes that they depend on."""
    assert site.get("/search.json?q=tiling+is:saved").json()["matching"] == 0
    html = site.get("/search?q=tiling").text
    token = html.split('name="token" value="')[1].split('"')[0]
    paper = html.split('<article class="entry" id="')[1].split('"')[0]
    site.post("/library", data={"token": token, "back": "/search", "do": f"save:{paper}"})
    assert site.get("/search.json?q=tiling+is:saved").json()["matching"] == 1


@pytest.mark.parametrize(
    "said",
    [
        "3 papers have all of these words; then come 97 that have at least 2 of 3 or are near in meaning.",
        "Only one paper has this term; then comes one that is near in meaning.",
        "No paper has all of these terms; shown are papers that have at least 2 of 3.",
        "has all the words; title: 瓦片; far in meaning (0.12)",
        "has the whole query in a row; none of the words",
    ],
)
def test_what_search_says_is_said_in_chinese(said: str) -> None:
    parts = [said] if said.endswith(".") else said.split("; ")
    shown = "".join(phrase(language("zh-CN"), part) for part in parts)
    assert not any(letter.isascii() and letter.isalpha() for letter in shown), shown
