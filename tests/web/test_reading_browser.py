"""Searching, venues and days in a real browser: narrow and wide, without a script, by keys; skipped where there is no
Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.web import test_browser
from tests.web.conftest import serving
from tests.web.gallery import EXTRA, FRIDAY, THURSDAY, announce, fill
from tests.web.test_browser import Visit, browser
from tests.world import RECORDS, record

__all__ = ["browser"]
pytestmark = test_browser.pytestmark

PATHS = [
    "/search?q=tile&way=words", "/search?q=tile&why=words", "/search?q=plain+venue:ICML&page=2", "/search?q=tile+year:1900",
    "/venues", "/venue/icml", "/venue/icml/2031", "/venue/icml/2031?q=plain&sort=author", "/venue/icml/2031?all=1",
    "/venue/icml/1999", "/list/cs.LG/recent", f"/catchup/cs.LG/{THURSDAY}", "/help",
]  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("reading") / "home"
    words = " ".join(["plain", "tile"] * 60)
    papers = (
        record(
            "mlanthology", f"bee{n}", f"Plain {n:02} {'W' * 60 if n == 1 else ''}", "Ann Bee; Bo Bee", venue="ICML",
            ids=f"10.5555/ed.{n}", year=2031, status="accepted", abstract=words,
        )
        for n in range(60)
    )  # fmt: skip
    awarded = (replace(one, award=("oral", "spotlight", "")[n % 3]) for n, one in enumerate(papers))
    fill(home, (*RECORDS, *EXTRA, *awarded))
    announce(home)
    with serving(home) as found:
        yield found


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("theme", "language"), [("light", "en-GB"), ("dark", "zh-CN")])
def test_pages_fit_and_are_quiet(browser: Any, address: str, width: int, theme: str, language: str) -> None:
    size = {"width": width, "height": 800}
    with Visit(browser, address, viewport=size, color_scheme=theme, locale=language) as visit:
        for path in PATHS:
            visit.goes(path)
            assert visit.js("document.documentElement.scrollWidth") <= width, path
        assert [line for line in visit.said if "404 (Not Found)" not in line] == []
        assert [url for url in visit.asked if not url.startswith(address)] == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(("theme", "language"), [("light", "en-GB"), ("dark", "zh-CN")])
def test_axe_finds_nothing(browser: Any, address: str, width: int, theme: str, language: str) -> None:
    if "AXE" not in os.environ:
        pytest.skip("AXE names no axe.min.js")
    script = Path(os.environ["AXE"]).read_text(encoding="utf-8")
    size = {"width": width, "height": 800}
    with Visit(browser, address, viewport=size, bypass_csp=True, color_scheme=theme, locale=language) as visit:
        for path in PATHS:
            visit.goes(path)
            visit.js(script)
            found = visit.js(
                "axe.run().then(result => result.violations.map(one => [one.id, one.nodes.map(n => n.html)]))"
            )
            assert found == [], path


def test_lists_are_leafed_through_by_keys(browser: Any, address: str) -> None:
    with Visit(browser, address, permissions=["clipboard-read", "clipboard-write"]) as visit:
        page = visit.page
        visit.goes("/")
        page.keyboard.press("g")
        page.keyboard.press("v")
        page.wait_for_url("**/venues")
        visit.goes("/venue/icml/2031?sort=title")
        page.keyboard.press("l")
        page.wait_for_url("**page=2")
        page.keyboard.press("Shift+G")
        assert visit.js("document.activeElement.textContent").startswith("Plain 59")
        page.keyboard.press("g")
        page.keyboard.press("g")
        assert visit.js("document.activeElement.textContent").startswith("Plain 50")
        page.keyboard.press("h")
        page.wait_for_url("**/venue/icml/2031?sort=title")
        page.keyboard.press("j")
        page.keyboard.press("o")
        page.wait_for_url("**/paper/*")
        page.keyboard.press("c")
        page.wait_for_function("document.querySelector('button[data-copy]').textContent === 'Copied'")
        assert visit.js("navigator.clipboard.readText()").startswith("@inproceedings{")
        visit.goes(f"/list/cs.LG/{FRIDAY}")
        page.keyboard.press("h")
        page.wait_for_url(f"**/list/cs.LG/{THURSDAY}")


def test_abstracts_unfold_at_once_and_stay_so(browser: Any, address: str) -> None:
    opened = "[...document.querySelectorAll('details.abstract')].map(one => one.open)"
    with Visit(browser, address) as visit:
        visit.goes("/venue/icml/2031")
        assert set(visit.js(opened)) == {False}
        n_asked = len([url for url in visit.asked if "/venue/" in url])
        with visit.page.expect_response("**/about.json?abstracts=open"):
            visit.page.click("text=Unfold all abstracts")
        assert set(visit.js(opened)) == {True}
        assert len([url for url in visit.asked if "/venue/" in url]) == n_asked, "without loading the page anew"
        visit.goes("/venue/icml/2031?page=2")
        assert set(visit.js(opened)) == {True}
        with visit.page.expect_response("**/about.json?abstracts=folded"):
            visit.page.click("text=Fold all abstracts")
        assert set(visit.js(opened)) == {False}
        visit.goes("/venue/icml/2031")
        assert set(visit.js(opened)) == {False}


def test_a_search_is_narrowed_and_widened_without_a_script(browser: Any, address: str) -> None:
    with Visit(browser, address, java_script_enabled=False) as visit:
        page = visit.page
        visit.goes("/search?q=tile+OR+plain&way=words")
        page.click("nav.facets >> text=ICML")
        assert page.input_value(".find input") == "(tile OR plain) venue:ICML"
        page.click(".turning >> text=3")
        assert "41" in page.inner_text(".entry .rank >> nth=0")
        page.click("text=Unfold all abstracts")
        assert page.is_visible(".entry details.abstract > p >> nth=0")
        page.click(".entry details.why summary >> nth=0")
        assert page.is_visible(".entry details.why table >> nth=0")
        page.click("text=Venue: ICML")
        assert page.input_value(".find input") == "tile OR plain"
        page.click("nav >> text=Venues")
        page.click("text=2031")
        page.fill(".within input", "59")
        page.click(".within button")
        assert page.inner_text(".entry h2") == "Plain 59"
