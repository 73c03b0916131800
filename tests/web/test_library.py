"""The library in the pages: what forms do, who may send them, and what is shown; over real HTTP."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.app import Octavo
from octavo.web.safety import is_token, new_token
from octavo.web.visits import PAUSE, since
from tests.web.conftest import Elements, serving
from tests.web.gallery import announce, fill

TILES = "2101.00010"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    fill(tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture
def pages(home: Path) -> Iterator[httpx.Client]:
    with (
        serving(home) as address,
        httpx.Client(base_url=address, headers={"Accept-Language": "en"}, trust_env=False, timeout=60) as client,
    ):
        yield client


def token(pages: httpx.Client) -> str:
    fields = Elements(pages.get("/library").text).all("input")
    return next(field["value"] for field in fields if field.get("name") == "token")


def id_of(pages: httpx.Client, name: str) -> str:
    return pages.get(f"/abs/{name}").headers["location"].removeprefix("/paper/")


def send(pages: httpx.Client, do: str, path: str = "/library", **fields: str) -> httpx.Response:
    return pages.post(path, data={"token": token(pages), "do": do} | fields)


# -- what forms do ----------------------------------------------------------------------------------------------------


def test_a_button_of_a_list_saves_and_leads_back_to_its_entry(pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    listed = Elements(pages.get("/search?q=tiles").text)
    assert f"save:{paper}" in [button.get("value") for button in listed.all("button")]
    answer = send(pages, f"save:{paper}", back="/search?q=tiles")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/search?q=tiles#{paper}")
    after = Elements(pages.get("/search?q=tiles").text)
    assert f"unsave:{paper}" in [button.get("value") for button in after.all("button")]
    assert "Saved: Tiles are sufficient" in Elements(pages.get("/library").text).text


def test_the_page_of_a_paper_takes_tags_and_a_note(pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    send(pages, f"tag:{paper}", tag=" to read, 🔥 ,قراءة,a:b,<b>x</b>, ")
    send(pages, f"note:{paper}", note="a\r\n<script>alert(1)</script>", before="")
    text = pages.get(f"/paper/{paper}").text
    found = Elements(text)
    assert not [one for one in found.all("script") if "src" not in one]
    assert "<script>alert" not in text
    for tag in ("to read", "🔥", "قراءة", "a:b", "<b>x</b>"):
        assert f"untag:{paper}:{tag}" in [button.get("value") for button in found.all("button")]
    assert "a\n<script>alert(1)</script>" in "".join(found._texts)
    send(pages, f"untag:{paper}:a:b")
    send(pages, f"read:{paper}")
    data = pages.get("/library.json").json()
    assert data["papers"][0]["tags"] == ["<b>x</b>", "to read", "قراءة", "🔥"]
    assert data["papers"][0]["read_at"]
    assert pages.get("/library?show=unread").text.count('class="entry') == 0


def test_undo_takes_back_what_the_page_says_and_nothing_else(pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    send(pages, f"save:{paper}")
    (undo,) = [
        one["value"] for one in Elements(pages.get("/library").text).all("button") if "undo" in one.get("value", "")
    ]
    send(pages, f"read:{paper}")
    answer = send(pages, undo)
    assert answer.status_code == 400
    assert "Something else was done since." in answer.text
    send(pages, "undo:2")
    assert send(pages, undo).status_code == 303
    assert pages.get("/library.json").json()["total"] == 0


def test_a_program_gets_what_is_so_now(pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    data = send(pages, f"save:{paper}", "/library.json").json()
    assert data["shelf"]["saved_at"]
    assert data["said"].startswith("Saved: Tiles")
    assert data["last"]["number"] == 1
    error = send(pages, "save:pnopenopenope", "/library.json")
    assert (error.status_code, error.json()["error"]["kind"]) == (404, "not_found")


def test_two_windows_do_not_write_over_each_other(pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    send(pages, f"note:{paper}", note="of the first window", before="")
    answer = send(pages, f"note:{paper}", note="of the second", before="")
    assert answer.status_code == 409
    assert "of the first window" in answer.text
    assert "of the second" in answer.text
    assert send(pages, f"note:{paper}", note="of both", before="of the first window").status_code == 303
    assert pages.get("/library.json").json()["papers"][0]["note"] == "of both"


def test_a_search_is_saved_and_removed(pages: httpx.Client) -> None:
    send(pages, "search:title:tiles year:2031..", back="/search?q=title:tiles+year:2031..")
    assert "Search saved" in pages.get("/search?q=title:tiles+year:2031..").text
    assert 'href="/search?q=title%3Atiles%20year%3A2031.."' in pages.get("/library").text
    send(pages, "unsearch:title:tiles year:2031..")
    assert "Saved searches" not in pages.get("/library").text.replace("Saved searches changed", "")


def test_a_paper_that_its_source_deleted_is_shown_as_such(home: Path, pages: httpx.Client) -> None:
    from octavo.ingest import Ingest

    paper = id_of(pages, "2101.00011")
    send(pages, f"save:{paper}")
    with Octavo(home) as octavo:
        Ingest(octavo._catalogue).put_prepared([], deleted={("arxiv-snapshot", "2101.00011"): "2031-05-02"})
    shown = Elements(pages.get("/library").text)
    assert "Bounds that Were Wrong" in shown.text
    assert "deleted it on 2 May 2031. What you said of it stays here." in shown.text
    assert pages.get("/library.json").json()["papers"][0]["is_here"] is False
    assert pages.get("/library.bib").status_code == 200
    assert send(pages, f"unsave:{paper}").status_code == 303
    assert pages.get("/library.json").json()["total"] == 0


@pytest.mark.parametrize(
    ("do", "fields", "status", "says"),
    [
        ("save:pnopenopenope", {}, 404, "There is no paper"), ("save:", {}, 404, "There is no paper"), ("", {}, 400, "can&#39;t be done"),
        ("drop:x", {}, 400, "can&#39;t be done"), ("undo:x", {}, 400, "names no act"), ("undo:" + "9" * 40, {}, 404, "nothing in the library"),
        ("tag:{}", {"tag": ""}, 400, "No tag was given"), ("tag:{}", {"tag": "x" * 10_000}, 400, "at most 100 letters"),
        ("note:{}", {"note": "x" * 30_000}, 400, "at most 20,000"), ("note:{}", {"note": "x" * 1_000_000}, 413, "too much"),
        ("search: ", {}, 400, "needs a name"), ("search:" + "q" * 3_000, {}, 400, "needs a name"),
    ],
)  # fmt: skip
def test_bad_forms_are_told_in_a_page_with_the_way_back(
    pages: httpx.Client, do: str, fields: dict[str, str], status: int, says: str
) -> None:
    answer = send(pages, do.format(id_of(pages, TILES)), back="/search?q=tiles", **fields)
    assert answer.status_code == status
    assert says in answer.text
    assert status == 413 or 'href="/search?q=tiles"' in answer.text
    assert pages.get("/library.json").json()["last"] is None


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/library?show=liked", 404), ("/library?page=0", 400), ("/library?page=2", 404), ("/library?tag=none", 200),
        ("/library?tag=%00%F0%28", 200), ("/library.atom", 200), ("/library.rss", 200), ("/library.bib", 200), ("/since", 200),
        ("/since?after=x", 400), ("/since?after=99999999999", 200), ("/since.atom?after=0", 200), ("/since.json?after=3", 200),
    ],
)  # fmt: skip
def test_any_address_of_the_library_has_a_page(pages: httpx.Client, path: str, status: int) -> None:
    assert pages.get(path).status_code == status


# -- who may send them ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "headers", "status"),
    [
        ({}, {}, 303), ({"token": ""}, {}, 403), ({"token": "a.b"}, {}, 403), ({"token": new_token(b"other")}, {}, 403),
        ({}, {"Origin": "https://other.example"}, 403), ({}, {"Sec-Fetch-Site": "cross-site"}, 403),
        ({}, {"Sec-Fetch-Site": "same-site"}, 403), ({}, {"Sec-Fetch-Site": "same-origin"}, 303),
        ({}, {"Host": "octavo.example"}, 403),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["/library", "/library.json"])
def test_only_forms_of_these_pages_are_taken(
    pages: httpx.Client, path: str, change: dict[str, str], headers: dict[str, str], status: int
) -> None:
    """Pitfall F: a page of another site can send a form here, but knows no token."""
    data = {"token": token(pages), "do": f"save:{id_of(pages, TILES)}"} | change
    answer = pages.post(path, data=data, headers=headers)
    assert answer.status_code == (200 if path.endswith("json") and status == 303 else status)
    assert pages.get("/library.json").json()["total"] == (status == 303)


def test_looking_at_pages_writes_nothing(home: Path, pages: httpx.Client) -> None:
    paper = id_of(pages, TILES)
    path = home / "catalogue.db"
    for address in (
        "/",
        f"/paper/{paper}",
        "/library",
        f"/library?do=save:{paper}&token={token(pages)}",
        "/since?after=0",
    ):
        assert pages.get(address).status_code == 200
    with Octavo(home) as octavo:
        assert octavo.library("read").counts == octavo.library().counts
        assert octavo.library("saved").total == octavo.library("read").total == 0
        assert octavo.last_act() is None
    assert path.exists()


@pytest.mark.parametrize(
    "back",
    ["//other.example", "https://other.example/", "/\\other.example", "javascript:x", "/a\nb", "/" + "x" * 4_000],
)
def test_a_form_leads_back_to_these_pages_only(pages: httpx.Client, back: str) -> None:
    """Pitfall F09."""
    answer = send(pages, f"save:{id_of(pages, TILES)}", back=back)
    assert answer.headers["location"].startswith("/library")


@given(st.binary(min_size=1, max_size=40), st.text(max_size=60))
def test_a_token_is_of_one_secret(secret: bytes, other: str) -> None:
    made = new_token(secret)
    assert is_token(secret, made)
    assert made != new_token(secret)
    assert not is_token(secret + b"x", made)
    assert not is_token(secret, other)
    assert not is_token(b"", new_token(b""))


# -- since the last visit ---------------------------------------------------------------------------------------------


def test_the_first_page_tells_what_came_in_since_the_last_visit(
    home: Path, pages: httpx.Client, tmp_path: Path
) -> None:
    from octavo.records.codec import encode_record
    from tests.world import record

    assert "last visit" not in pages.get("/").text
    name, _, _, number, at = pages.cookies["octavo_visit"].split(".")
    assert "last visit" not in pages.get("/").text
    path = tmp_path / "more.jsonl"
    path.write_text(encode_record(record("acl", "2032.tile-1.1", "Newer Tiles", "Ann Bee", ids="2032.tile-1.1")) + "\n")
    with Octavo(home) as octavo:
        octavo.add("jsonl", path)
    long_ago = int(at) - PAUSE - 60
    old = f"{name}.0.0.{number}.{long_ago}"
    text = pages.get("/", headers={"Cookie": f"octavo_visit={old}"}).text
    assert "1 paper came in since your last visit" in text
    (link,) = re.findall(r'href="(/since[^"]*)"', text)
    assert "Newer Tiles" in pages.get(link).text
    announce(home)
    assert "1 paper came in" in pages.get("/", headers={"Cookie": f"octavo_visit={old}"}).text


@pytest.mark.parametrize("cookie", ["", "x", "0" * 99, "00000000.1.1.1.1", "a.b.c.d.e", "\u00e9"])
def test_any_cookie_of_a_visit_is_a_first_visit(pages: httpx.Client, cookie: str) -> None:
    answer = pages.get("/", headers={b"Cookie": f"octavo_visit={cookie}".encode()})
    assert answer.status_code == 200
    assert "last visit" not in answer.text


def test_a_visit_goes_on_until_half_an_hour_passes(home: Path) -> None:
    from octavo.web.asked import Asked
    from octavo.web.language import language

    def look(visit: str, now: float) -> tuple[bool, str]:
        asked = Asked("/", {}, language("en"), {}, visit=visit)
        found, kept = since(octavo, asked, now)
        return found is not None, kept

    with Octavo(home) as octavo:
        is_told, first = look("", 1_000)
        assert not is_told
        is_told, second = look(first, 1_000 + PAUSE - 1)
        assert not is_told
        is_told, third = look(second, 1_000 + 2 * PAUSE + 10)
        assert is_told
        assert third.split(".")[2] == str(1_000 + PAUSE - 1)
        assert look(third, 1_000 + 2 * PAUSE + 20)[0], "it is told for as long as the visit lasts"


# -- how it looks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_library_is_whole_in_every_language(pages: httpx.Client, language: str) -> None:
    paper = id_of(pages, TILES)
    send(pages, f"tag:{paper}", tag="x")
    found = Elements(pages.get("/library", headers={"Accept-Language": language}).text)
    assert [name for name, _ in found.found].count("h1") == 1
    assert ("文库" in found.text) == (language == "zh-CN")
    answer = pages.post(
        "/library",
        data={"token": token(pages), "do": f"tag:{paper}", "tag": "x" * 200},
        headers={"Accept-Language": language},
    )
    assert ("标签最多 100 个字" in answer.text) == (language == "zh-CN")


def test_the_empty_library_says_how_to_fill_it(pages: httpx.Client) -> None:
    assert "Nothing is saved yet." in Elements(pages.get("/library").text).text
    assert "Nothing is here." in Elements(pages.get("/library?show=noted").text).text
