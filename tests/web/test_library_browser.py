"""The library in a real browser: by keys alone, without a script, in both looks; skipped where there is no Chromium."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web import test_browser
from tests.web.conftest import serving
from tests.web.gallery import fill
from tests.web.test_browser import Visit, browser

__all__ = ["browser"]
pytestmark = test_browser.pytestmark
TITLE = "Tiles are sufficient for fast layout"
WORD = "x" * 100
"""The longest tag, which no line can break between words."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    fill(tmp_path / "home")
    with serving(tmp_path / "home") as found:
        yield found


def test_papers_are_saved_marked_noted_and_taken_back_by_keys(browser: Any, address: str) -> None:
    with Visit(browser, address) as visit:
        page = visit.page
        visit.goes("/search?q=sufficient+layout")
        page.keyboard.press("j")
        for key, button in (("s", "save"), ("m", "read")):
            page.keyboard.press(key)
            page.wait_for_selector(f".entry:first-of-type .toggle.on[data-toggle={button}]")
        assert page.inner_text("#told").startswith(f"Marked as read: {TITLE}")
        assert visit.js("document.querySelector('.entry').classList.contains('read')")
        page.keyboard.press("m")
        page.wait_for_selector(".entry:first-of-type [data-toggle=read]:not(.on)")
        page.keyboard.press("n")
        page.wait_for_url("**/paper/*#mine-note")
        page.wait_for_selector("textarea[name=note]:focus")
        page.keyboard.type("Section 3.\nsm/?")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_url("**/paper/*#mine-own")
        assert page.input_value("textarea[name=note]") == "Section 3.\nsm/?"
        page.keyboard.press("g")
        page.keyboard.press("b")
        page.wait_for_url("**/library")
        assert TITLE in page.inner_text("main")
        page.click("text=Undo")
        page.wait_for_load_state()
        assert "Section 3" not in page.inner_text("main")
        assert visit.said == []
        assert [url for url in visit.asked if not url.startswith(address)] == []


def test_a_save_that_fails_is_told_by_a_page(browser: Any, address: str) -> None:
    with Visit(browser, address) as visit:
        visit.goes("/search?q=sufficient+layout")
        visit.js("document.querySelector('#mine [name=token]').value = 'x'")
        visit.page.click("[data-toggle=save]")
        visit.page.wait_for_url("**/library")
        assert "This form is not of these pages" in visit.page.inner_text("main")


def test_all_of_it_works_without_a_script(browser: Any, address: str) -> None:
    with Visit(browser, address, java_script_enabled=False) as visit:
        page = visit.page
        visit.goes("/search?q=sufficient+layout")
        page.click(".entry >> nth=0 >> text=Save")
        assert page.inner_text(".entry .toggle.on") == "Saved"
        page.click(".entry >> nth=0 >> h2 a")
        page.fill("input[name=tag]", "to read, 🔥")
        page.keyboard.press("Enter")
        page.click("#mine-note > summary")
        page.fill("textarea[name=note]", "noted")
        page.click("text=Keep this note")
        page.click("text=Library")
        for one in (TITLE, "to read", "noted"):
            assert one in page.inner_text("main")
        page.click("text=Undo")
        assert "noted" not in page.inner_text("main")


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_pages_of_the_library_fit_and_axe_finds_nothing(
    browser: Any, address: str, width: int, theme: str, language: str
) -> None:
    size = {"width": width, "height": 800}
    with Visit(browser, address, viewport=size, bypass_csp=True, color_scheme=theme, locale="en-GB") as visit:
        visit.goes("/abs/2101.00010")
        visit.page.fill("input[name=tag]", f"{WORD}, قراءة, 深度学习")
        visit.page.click(".adding button")
        visit.page.click("#mine-note > summary")
        visit.page.fill("textarea[name=note]", WORD * 20)
        visit.page.click("text=Keep this note")
        paper = visit.page.url.partition("#")[0].removeprefix(address.rstrip("/"))
    with Visit(browser, address, viewport=size, bypass_csp=True, color_scheme=theme, locale=language) as visit:
        for path in ("/library", paper, f"/library?tag={WORD}", "/since?after=0", "/search?q=tiles"):
            visit.goes(path)
            assert visit.js("document.documentElement.scrollWidth") <= width, path
            if "AXE" in os.environ:
                visit.js(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
                rules = "result.violations.map(one => [one.id, one.nodes.map(n => n.html)])"
                assert visit.js(f"axe.run().then(result => {rules})") == [], path
        assert visit.said == []
