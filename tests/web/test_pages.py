"""Every page over real HTTP: what it shows, its JSON, and what it says when something is wrong."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.web.pages import PAGES
from tests.web.conftest import Elements, serving
from tests.web.gallery import FRIDAY, N_HANDS, THURSDAY, fill


def page(client: httpx.Client, path: str, status: int = 200, **headers: str) -> Elements:
    answer = client.get(path, headers=headers, follow_redirects=True)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return Elements(answer.text)


def id_of(client: httpx.Client, query: str) -> str:
    hits = client.get("/search.json", params={"q": query}).json()["hits"]
    return str(hits[0]["id"])


FIXED = [
    "/",
    "/search",
    "/search?q=tiles",
    "/list",
    "/list/cs.LG/new",
    f"/list/all/{THURSDAY}",
    "/identify",
    "/sources",
    "/help",
    "/about",
]


@pytest.mark.parametrize("path", FIXED)
@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_page_is_whole_in_every_language(client: httpx.Client, path: str, language: str) -> None:
    answer = client.get(path, headers={"Accept-Language": language})
    assert answer.status_code == 200
    found = Elements(answer.text)
    assert found.all("html")[0]["lang"] == answer.headers["content-language"] == language
    assert [name for name, _ in found.found].count("h1") == 1
    assert answer.text.rstrip().endswith("</html>")
    labelled = {attributes.get("id") for _, attributes in found.found}
    assert all(label["for"] in labelled for label in found.all("label"))


@pytest.mark.parametrize("path", FIXED)
def test_every_page_is_there_as_json(client: httpx.Client, path: str) -> None:
    address, _, query = path.partition("?")
    as_json = "/index.json" if address == "/" else f"{address}.json"
    answer = client.get(f"{as_json}?{query}")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    assert isinstance(answer.json(), dict)


def test_every_page_has_an_address_in_the_documentation() -> None:
    text = (Path(__file__).parents[2] / "docs" / "pages.md").read_text(encoding="utf-8")
    for one in PAGES:
        shown = re.sub(r"{(\w+)(?::path)?}", r"<\1>", one.path)
        assert f"| `{shown}` |" in text, shown


# -- lists ------------------------------------------------------------------------------------------------------------


def test_a_search_shows_marks_reasons_and_the_true_total(client: httpx.Client) -> None:
    answer = client.get("/search", params={"q": "greedy tile"})
    assert "<mark>greedy</mark>" in answer.text
    assert "<mark>tiles</mark>" in answer.text, "another form of the word"
    found = Elements(answer.text)
    assert "1 paper" in found.text
    assert "abstract: greedy, tile" in found.text
    assert found.all("input")[0]["value"] == "greedy tile"


def test_a_search_tells_how_it_was_read_when_that_is_not_plain(client: httpx.Client) -> None:
    data = client.get("/search.json", params={"q": "gredy tiles"}).json()
    assert data["notes"]
    assert data["notes"][0] in page(client, "/search?q=gredy+tiles").text


def test_the_pages_of_a_search_are_all_of_its_hits_once(tmp_path: Path) -> None:
    from tests.world import record

    home = tmp_path / "home"
    fill(
        home,
        tuple(record("arxiv", f"2101.{n:05}", f"Tiling number {n}", "Ann Bee", ids=f"2101.{n:05}") for n in range(45)),
    )
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False) as client:
        pages = [client.get("/search.json", params={"q": "tiling", "page": n}).json() for n in (1, 2, 3)]
        assert [(one["total"], one["page"], one["pages"]) for one in pages] == [(45, 1, 3), (45, 2, 3), (45, 3, 3)]
        ids = [hit["id"] for one in pages for hit in one["hits"]]
        assert len(set(ids)) == len(ids) == 45
        assert [hit["rank"] for one in pages for hit in one["hits"]] == list(range(1, 46))
        html = client.get("/search?q=tiling&page=2").text
        assert 'rel="prev" href="/search?q=tiling"' in html
        assert 'rel="next" href="/search?q=tiling&amp;page=3"' in html
        assert client.get("/search?q=tiling&page=4").status_code == 404
        newest = client.get("/index.json").json()
        assert (newest["total"], len(newest["papers"])) == (45, 45)


def test_the_first_page_is_the_latest_announcement_when_there_is_one(client: httpx.Client) -> None:
    found = page(client, "/")
    assert "Friday, 2 May 2031" in found.text
    assert "2 new · 2 cross-listed · 3 replaced" in found.text


def test_an_empty_catalogue_says_how_to_fill_it_and_shows_what_comes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False) as client:
        assert not home.exists(), "looking makes nothing"
        empty = Elements(client.get("/").text)
        assert all(line in empty.text for line in ("octavo demo", "octavo add", "octavo sync"))
        assert client.get("/search?q=tiles").status_code == 200
        fill(home)
        assert "Newest in the catalogue" in Elements(client.get("/").text).text
        assert client.get("/search.json?q=tiles").json()["total"] > 0


def test_a_day_is_seen_from_the_category_that_is_asked_for(client: httpx.Client) -> None:
    """New in stat.ML, and in cs.LG a cross-list: each list says what it is there."""
    machine_learning = client.get(f"/list/stat.ML/{FRIDAY}.json").json()
    assert {entry["ids"]["arxiv"]: entry["kind"] for entry in machine_learning["entries"]} == {
        "2101.10003": "new", "2101.00010": "replace-cross",
    }  # fmt: skip
    learning = client.get("/list/cs.lg/new.json").json()
    kinds = {entry["ids"]["arxiv"]: entry["kind"] for entry in learning["entries"]}
    assert kinds["2101.10003"] == "cross"
    assert (learning["category"], learning["day"], learning["earlier"]) == ("cs.LG", FRIDAY, THURSDAY)
    assert learning["counts"] == {"new": 1, "cross": 3, "replace": 2, "replace-cross": 1}
    everything = client.get(f"/list/all/{FRIDAY}.json").json()
    assert [entry["ids"]["arxiv"] for entry in everything["entries"]].count("2101.10003") == 1


def test_a_day_keeps_its_kinds_apart(client: httpx.Client) -> None:
    text = page(client, "/list/cs.LG/new").text
    places = [
        text.index(part)
        for part in ("New", "On ", "Cross-listed from elsewhere", "Whole Sky", "Replaced by", "量子計算")
    ]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/list/cs.XX/new", "arXiv has no category “cs.XX”."),
        ("/list/cs.CV/2031-05-02", "Nothing was announced in cs.CV on Friday, 2 May 2031"),
        ("/list/cs.LG/2031-02-30", "“2031-02-30” is no day."),
        ("/list/cs.LG/tomorrow", "“tomorrow” is no day."),
        ("/list/cs.LG/2029-01-01", "Nothing was announced in cs.LG on Monday, 1 January 2029"),
        ("/search?q=tiles&page=two", "“two” is no page number."),
        ("/search?q=tiles&page=0", "“0” is no page number."),
        ("/search?q=tiles&page=٣", "“٣” is no page number."),
        ("/search?q=tiles&page=99999999", "There is no page 99,999,999"),
        ("/search?q=tiles&page=2000", "There is no page 2,000"),
        ("/nothing/here", "There is no such page."),
        ("/paper/", "There is no paper “”"),
    ],
)
def test_bad_input_gets_a_page_that_says_what_is_wrong(client: httpx.Client, path: str, says: str) -> None:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code in (400, 404)
    assert says in Elements(answer.text).text
    chinese = Elements(client.get(path, headers={"Accept-Language": "zh"}, follow_redirects=True).text)
    assert says not in chinese.text
    assert chinese.all("html")[0]["lang"] == "zh-CN"


# -- papers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        "/abs/math/0309136", "/abs/math.GT/0309136", "/abs/math%2F0309136v2", "/pdf/math/0309136v2.pdf", "/pdf/math/0309136",
        "/paper/math/0309136", "/paper/math%2F0309136", "/paper/arXiv:math/0309136v2", "/paper/https://arxiv.org/abs/math/0309136",
    ],
)  # fmt: skip
def test_every_spelling_of_an_old_id_leads_to_one_page(client: httpx.Client, path: str) -> None:
    """Pitfall B01."""
    answer = client.get(path)
    assert answer.status_code == 302
    found = page(client, answer.headers["location"])
    assert "Walks on Sparse Lattices" in found.text
    as_json = client.get(f"{path}.json", follow_redirects=True)
    assert as_json.json()["ids"]["arxiv"] == "math/0309136"


@pytest.mark.parametrize(
    "name",
    ["../outside", "..%2Foutside", "math/../../x", "%2Fetc%2Fhostname", "math/0309136%00.md", "C:%5Cx", "%FF%FE", "a" * 5000, "%E2%80%AE"],
)  # fmt: skip
def test_what_is_no_id_is_not_found_whatever_it_is(client: httpx.Client, name: str) -> None:
    """Pitfall F05."""
    for path in ("paper", "abs", "pdf"):
        answer = client.get(f"/{path}/x/{name}", follow_redirects=True)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize(
    "path",
    ["/paper/a\u202eb", "/search?q=a\u202eb", "/list/a\u202eb/new", "/list/cs.LG/a\u202eb", "/identify?text=a\u202eb"],
)
def test_what_is_asked_for_does_not_turn_the_answer_around(client: httpx.Client, path: str) -> None:
    """Pitfall C13."""
    answer = client.get(path.replace("\u202e", "%E2%80%AE"))
    assert "\u202e" not in answer.text
    assert "ab" in Elements(answer.text).text or 'value="ab"' in answer.text


def test_a_paper_shows_all_that_is_known_of_it(client: httpx.Client) -> None:
    found = page(client, "/abs/2101.00010v2")
    for part in (
        "Tiles are sufficient for fast layout", "Ann Bee, Cy Dee, Łukasz Nguyễn", "TILE 2031", "submitted 2 November 2030",
        "v1, v2, v3", "cs.LG", "arxiv:2101.00010", "doi:10.5555/tiles.1", "@inproceedings{", "Why this is one entry: 3 records",
    ):  # fmt: skip
        assert part in found.text, part
    links = [attributes["href"] for attributes in found.all("a")]
    assert {
        "https://arxiv.org/pdf/2101.00010",
        "https://arxiv.org/abs/2101.00010",
        "https://doi.org/10.5555/tiles.1",
    } <= set(links)
    assert "math" in [name for name, _ in found.found], "the formulas of its abstract are set"


def test_three_thousand_authors_unfold_and_do_not_push_the_title_away(client: httpx.Client) -> None:
    """Pitfall C16."""
    html = client.get("/abs/2101.10002", follow_redirects=True).text
    found = Elements(html)
    assert "Hand0 Mapper0, Hand1 Mapper1, Hand2 Mapper2 and 3,300 more" in found.text
    assert html.count("<bdi>Hand") == N_HANDS
    listed = client.get("/list/cs.LG/new").text
    assert 3 < listed.count("<bdi>Hand") < 100
    assert len(listed) < 60_000
    chinese = page(client, "/abs/2101.10002", **{"Accept-Language": "zh-CN"})
    assert "等 3,303 位作者" in chinese.text


def test_five_more_authors_are_counted_in_both_languages(client: httpx.Client) -> None:
    assert "and 5 more" in page(client, "/abs/2101.10006").text
    assert "等 8 位作者" in page(client, "/abs/2101.10006", **{"Accept-Language": "zh-CN"}).text


def test_directions_do_not_turn_the_page_around(client: httpx.Client) -> None:
    """Pitfall C13."""
    answer = client.get("/abs/2101.10004", follow_redirects=True)
    assert "\u202e" not in answer.text
    assert {"dir": "auto", "lang": ""} in Elements(answer.text).all("h1")
    assert "<bdi>سارة أحمد</bdi>" in answer.text


@pytest.mark.parametrize(
    ("name", "part"), [("2101.10005", "None of the sources has an abstract."), ("2101.00011", "withdrawn")]
)
def test_a_paper_with_little_looks_right(client: httpx.Client, name: str, part: str) -> None:
    assert part in page(client, f"/abs/{name}").text


def test_octavos_summary_is_marked_as_such(client: httpx.Client) -> None:
    assert "Octavo's summary: Xenon clings" in page(client, "/abs/2101.00012").text


# -- identifying ------------------------------------------------------------------------------------------------------


def test_pasted_texts_are_identified(client: httpx.Client) -> None:
    pasted = "2101.00010\r\nmath/0309136\r\n\r\nA walk on a sparse lattice returns.\r\nWe count how often.\r\n\r\nnothing of this is known"
    answer = client.post("/identify", data={"text": pasted})
    assert answer.status_code == 200
    found = Elements(answer.text)
    assert found.text.count("Walks on Sparse Lattices") == 2
    results = client.post("/identify.json", data={"text": pasted}).json()["results"]
    assert [bool(one["match"]) for one in results] == [True, True, True, False]
    assert client.get("/identify.json", params={"text": "2101.00010"}).json()["results"][0]["confidence"] == 1.0


def test_too_many_texts_are_refused(client: httpx.Client) -> None:
    assert client.post("/identify", data={"text": "\n\n".join(f"text {n}" for n in range(51))}).status_code == 413


# -- choices ----------------------------------------------------------------------------------------------------------


def test_a_choice_is_remembered(client: httpx.Client) -> None:
    assert Elements(client.get("/help").text).all("html")[0]["data-theme"] == "system"
    for path in ("/help?theme=dark&lang=zh", "/about"):
        html = Elements(client.get(path).text).all("html")[0]
        assert (html["data-theme"], html["lang"]) == ("dark", "zh-CN")
    cookies = [value for name, value in client.get("/help?theme=light").headers.multi_items() if name == "set-cookie"]
    assert all("HttpOnly" in cookie and "SameSite=lax" in cookie for cookie in cookies)
    assert Elements(client.get("/help?theme=purple").text).all("html")[0]["data-theme"] == "light"


def test_abstracts_are_folded_or_open_as_chosen(client: httpx.Client) -> None:
    assert not any("open" in one for one in page(client, "/list/cs.LG/new").all("details"))
    found = page(client, "/list/cs.LG/new?abstracts=open").all("details")
    assert any("open" in one for one in found if one["class"] == "abstract")


def test_changing_the_language_keeps_the_query(client: httpx.Client) -> None:
    links = page(client, "/search?q=fast+tiles&page=1").all("a")
    (chinese,) = [one["href"] for one in links if one.get("hreflang") == "zh-CN"]
    assert chinese == "/search?q=fast+tiles&page=1&lang=zh-CN"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    path=st.sampled_from(["/search?q={}", "/paper/{}", "/abs/{}", "/list/{}/new", "/list/cs.LG/{}", "/search?q=tiles&page={}",
                          "/?lang={}", "/?theme={}", "/identify?text={}", "/{}"]),
    text=st.text(max_size=60),
)  # fmt: skip
def test_no_input_breaks_a_page(client: httpx.Client, path: str, text: str) -> None:
    answer = client.get(path.format(quote(text, safe="", errors="replace")), follow_redirects=True)
    assert answer.status_code in (200, 400, 404)
    assert answer.headers["content-type"].startswith(("text/html", "application/json"))


def test_pages_and_the_facade_find_the_same(client: httpx.Client, gallery: Path) -> None:
    with Octavo(gallery) as octavo:
        for query in ("tiles", "flash", "year:2031", "author:bee"):
            ids = [hit.paper.id for hit in octavo.search(query, 20).hits]
            assert [hit["id"] for hit in client.get("/search.json", params={"q": query}).json()["hits"]] == ids
            shown = re.findall(r'<article class="entry" id="(\w+)">', client.get("/search", params={"q": query}).text)
            assert shown == ids


# -- when something is wrong with the reader's files --------------------------------------------------------------------


def test_a_damaged_catalogue_is_told_and_is_read_once_it_is_mended(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False) as client:
        (home / "catalogue.db").write_bytes(b"This is no database at all. " * 100)
        for path in ("/", "/search?q=tiles", "/about"):
            answer = client.get(path)
            assert answer.status_code == 500
            assert "is not a catalogue" in Elements(answer.text).text
        assert client.get("/index.json").json()["error"]["kind"] == "damaged_catalogue"
        (home / "catalogue.db").unlink()
        assert client.get("/").status_code == 200


def test_a_configuration_that_is_wrong_is_told_beside_the_runs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    fill(home)
    with serving(home) as address, httpx.Client(base_url=address, trust_env=False) as client:
        (home / "octavo.toml").write_text("[arxiv]\ncategories = 5\n", encoding="utf-8")
        found = Elements(client.get("/sources").text)
        assert "categories" in found.text
        assert "home.jsonl" in found.text
        assert client.get("/sources.json").json()["problem"]
        (home / "octavo.toml").write_text('[arxiv]\ncategories = ["cs.LG"]\n', encoding="utf-8")
        mended = client.get("/sources.json").json()
        assert mended["problem"] is None
        (arxiv,) = [one for one in mended["sources"] if one["name"] == "arxiv"]
        assert [want["want"] for want in arxiv["wants"]] == ["cs.LG"]
        assert "never asked for" in Elements(client.get("/sources").text).text


@pytest.mark.parametrize("size", [900, 9_000, 60_000])
def test_a_very_long_query_is_answered(client: httpx.Client, size: int) -> None:
    """Pitfall E09."""
    answer = client.get("/search", params={"q": ("tile " * size)[:size]})
    assert answer.status_code == 200 or (size == 60_000 and answer.status_code in (400, 431))


def test_the_head_of_a_page_has_no_body(client: httpx.Client) -> None:
    answer = client.head("/search?q=tiles")
    assert (answer.status_code, answer.content) == (200, b"")


def test_a_papers_page_leads_to_its_topics(tmp_path: Path) -> None:
    fill(tmp_path / "home")
    with Octavo(tmp_path / "home") as octavo:
        paper = octavo.search("tiles").hits[0].paper.id
        octavo.correct_topics(paper, ["large-language-models"])
    with serving(tmp_path / "home") as address:
        page = httpx.get(
            f"{address}paper/{paper}", headers={"Accept-Language": "zh-CN"}, trust_env=False, timeout=60
        ).text
    assert '<a href="/topic/deep-learning/large-language-models">深度学习 › 大语言模型</a>' in page
    assert "由您指定" in page
