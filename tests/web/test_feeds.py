"""Lists as feeds and as BibTeX. Numbers are those of the list of pitfalls."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from octavo.export.feeds import FEEDS, Feed, feed, item_id
from octavo.records.dates import PartialDate
from octavo.records.paper import Paper, PaperId
from tests.web.conftest import serving
from tests.web.gallery import fill

ATOM = "{http://www.w3.org/2005/Atom}"
DC = "{http://purl.org/dc/elements/1.1/}"
ABOUT = Feed(
    "Octavo: cs.LG", "http://127.0.0.1:1/list/cs.LG/new", "http://127.0.0.1:1/list/cs.LG/new.atom", "http://127.0.0.1:1"
)
TILES = Paper(
    PaperId("ptiles2222222"), "Tiles & <b>more</b>", ("Ann Bee", "Cy Dee"), abstract="A tile < a floor.",
    categories=("cs.LG",), date=PartialDate("2031-05-02"),
)  # fmt: skip


def parsed(text: str) -> etree._Element:
    return etree.fromstring(text.encode("utf-8"))


def ids(form: str, text: str) -> list[str]:
    found = parsed(text)
    tags = found.iter(f"{ATOM}id") if form == "atom" else found.iter("guid")
    return [tag.text or "" for tag in tags if (tag.text or "").startswith("urn:octavo:")]


@pytest.mark.parametrize("form", list(FEEDS))
def test_an_item_stays_the_same_item_whatever_changes(form: str) -> None:
    """Pitfall G03: a new title, category, version, host or rebuild makes nothing unread."""
    changed = replace(TILES, title="Renamed", categories=("stat.ML", "cs.LG"), version=2, date=PartialDate("2031-06"))
    elsewhere = replace(ABOUT, base="http://localhost:9", address="http://localhost:9/x", page="http://localhost:9/y")
    first, again, other = feed(form, ABOUT, [TILES]), feed(form, ABOUT, [TILES]), feed(form, elsewhere, [changed])
    assert first == again
    assert ids(form, first) == ids(form, other) == [item_id(TILES)] == ["urn:octavo:ptiles2222222"]


def test_a_guid_is_no_link() -> None:
    """Pitfall G03."""
    assert [guid.get("isPermaLink") for guid in parsed(feed("rss", ABOUT, [TILES])).iter("guid")] == ["false"]


def test_an_atom_entry_has_what_a_reader_shows() -> None:
    (entry,) = parsed(feed("atom", ABOUT, [TILES])).findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Tiles & <b>more</b>"
    assert entry.findtext(f"{ATOM}updated") == "2031-05-02T00:00:00Z"
    assert entry.findtext(f"{ATOM}summary") == "A tile < a floor."
    assert [name.text for name in entry.iter(f"{ATOM}name")] == ["Ann Bee", "Cy Dee"]
    assert entry.find(f"{ATOM}link").get("href") == "http://127.0.0.1:1/paper/ptiles2222222"  # type: ignore[union-attr]


def test_an_rss_item_has_what_a_reader_shows() -> None:
    (item,) = parsed(feed("rss", ABOUT, [TILES])).iter("item")
    assert item.findtext("title") == "Tiles & <b>more</b>"
    assert item.findtext("pubDate") == "Fri, 02 May 2031 00:00:00 +0000"
    assert item.findtext("description") == "A tile &lt; a floor.", "HTML to its reader, so escaped in it"
    assert [name.text for name in item.iter(f"{DC}creator")] == ["Ann Bee", "Cy Dee"]


@pytest.mark.parametrize("form", list(FEEDS))
def test_many_authors_are_counted(form: str) -> None:
    """Pitfalls C16 and G04."""
    text = feed(form, ABOUT, [replace(TILES, authors=tuple(f"Hand{n}" for n in range(3_303)))])
    assert "and 3,293 more" in text
    assert len(text) < 3_000


@pytest.mark.parametrize(("date", "shown"), [("2031", "2031-01-01"), ("2031-05", "2031-05-01"), (None, "1970-01-01")])
def test_a_date_that_is_known_in_part_is_at_its_least(date: str | None, shown: str) -> None:
    paper = replace(TILES, date=PartialDate(date) if date else None)
    assert f"<updated>{shown}T00:00:00Z</updated>" in feed("atom", ABOUT, [paper])


@given(st.sampled_from(list(FEEDS)), st.text(max_size=60), st.text(max_size=60))
def test_any_text_makes_well_formed_xml(form: str, title: str, abstract: str) -> None:
    """Pitfall C11, and C13: no direction override gets out."""
    text = feed(form, replace(ABOUT, title=title), [replace(TILES, title=title, abstract=abstract, authors=(title,))])
    assert len(ids(form, text)) == 1
    assert not set("\x00\x0b\x85\u202e\ufffe").intersection(text)


def test_a_feed_without_papers_is_one() -> None:
    for form in FEEDS:
        assert ids(form, feed(form, ABOUT, [])) == []


# -- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", list(FEEDS))
def test_a_day_is_a_feed_of_what_is_new(client: httpx.Client, form: str) -> None:
    """Pitfall G01: a replacement is no news, and a paper that is in two categories comes once."""
    answer = client.get(f"/list/all/new.{form}")
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith(FEEDS[form])
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert len(ids(form, answer.text)) == len(set(ids(form, answer.text))) == 4
    assert "greedy" not in answer.text
    same = ids(form, client.get(f"/index.{form}").text)
    assert same == ids(form, answer.text)


def test_a_page_names_its_feeds(client: httpx.Client) -> None:
    text = client.get("/list/cs.LG/new").text
    assert '<link rel="alternate" type="application/atom+xml" title="Atom" href="/list/cs.LG/new.atom">' in text
    assert 'href="/index.rss"' in client.get("/").text


@pytest.mark.parametrize(
    ("path", "n_entries"),
    [
        ("/search.bib?q=tiles", 4),
        ("/list/cs.LG/new.bib", 6),
        ("/abs/2101.00010.bib", 1),
        ("/search.bib?q=nothingofthis", 0),
    ],
)
def test_a_list_is_there_as_bibtex(client: httpx.Client, path: str, n_entries: int) -> None:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("application/x-bibtex")
    assert answer.text.count("@") - answer.text.count("\\@") >= n_entries
    assert sum(line.startswith("@") for line in answer.text.splitlines()) == n_entries


@pytest.mark.parametrize(
    "path", ["/paper/none.bib", "/list/cs.LG/2029-01-01.atom", "/help.atom", "/venues.rss", "/abs/x.atom"]
)
def test_what_is_not_there_is_a_page_that_says_so(client: httpx.Client, path: str) -> None:
    answer = client.get(path, follow_redirects=True)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")


def test_the_newest_papers_are_a_feed_where_nothing_was_announced(tmp_path: Path) -> None:
    with serving(tmp_path / "home") as address, httpx.Client(base_url=address, trust_env=False) as client:
        assert ids("atom", client.get("/index.atom").text) == []
        assert client.get("/index.bib").text == ""
        fill(tmp_path / "home")
        first = client.get("/index.atom").text
        assert len(ids("atom", first)) == client.get("/index.json").json()["total"]
        assert f"{address}paper/" in first
