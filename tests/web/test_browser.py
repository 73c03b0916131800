"""The pages in a real browser: Chromium, driven by Playwright, where both are installed (`apt-get install chromium`,
`pip install playwright`); skipped elsewhere. Axe is taken from where `AXE` names the file `axe.min.js`."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")

PATHS = [
    "/", "/search?q=tile", "/search?q=nothingofthis", "/abs/2101.00010", "/abs/2101.10001", "/abs/2101.10002", "/abs/2101.10004",
    "/list", "/list/cs.LG/new?abstracts=open", "/identify?text=2101.00010", "/sources", "/help", "/about", "/paper/none",
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


class Visit:
    """A page that is looked at, and what it did besides."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.context = browser.new_context(**({"viewport": {"width": 1280, "height": 900}} | options))
        self.page = self.context.new_page()
        self.address = address
        self.said: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda message: self.said.append(message.text))
        self.page.on("pageerror", lambda error: self.said.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()

    def goes(self, path: str) -> None:
        self.page.goto(self.address.rstrip("/") + path)

    def js(self, expression: str) -> Any:
        return self.page.evaluate(expression)


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
def test_pages_fit_are_quiet_and_load_nothing_from_elsewhere(
    browser: Any, address: str, width: int, theme: str, language: str
) -> None:
    with Visit(
        browser, address, viewport={"width": width, "height": 800}, color_scheme=theme, locale=language
    ) as visit:
        for path in PATHS:
            visit.goes(path)
            assert visit.js("document.documentElement.scrollWidth") <= width, path
            assert visit.page.title() != "x", "nothing of a source runs (F01)"
        assert [line for line in visit.said if "404 (Not Found)" not in line] == []
        assert [url for url in visit.asked if not url.startswith(address)] == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en-GB", "zh-CN"])
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


def test_a_morning_needs_no_mouse(browser: Any, address: str) -> None:
    with Visit(browser, address) as visit:
        page = visit.page
        visit.goes("/")
        first = visit.js("document.querySelector('.entry h2 a').textContent")
        page.keyboard.press("j")
        assert visit.js("document.activeElement.textContent") == first
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert visit.js("document.activeElement.textContent") == first
        page.keyboard.press("a")
        assert visit.js("document.querySelector('.entry details.abstract').open")
        page.keyboard.press("o")
        page.wait_for_url("**/paper/*")
        page.keyboard.press("/")
        page.keyboard.type("jolly tiles")
        assert visit.js("document.querySelector('.find input').value") == "jolly tiles", "no keys while one types"
        page.keyboard.press("Enter")
        page.wait_for_url("**/search?q=jolly+tiles")
        page.keyboard.press("g")
        page.keyboard.press("l")
        page.wait_for_url("**/list")
        page.keyboard.press("?")
        page.wait_for_url("**/help#keys")
        page.keyboard.press("g")
        page.keyboard.press("h")
        page.wait_for_url(address)
        visit.goes("/list/cs.LG/new?keys=off")
        page.keyboard.press("j")
        assert visit.js("document.activeElement.tagName") == "BODY"


def test_bibtex_and_formulas_are_copied_as_they_are_written(browser: Any, address: str) -> None:
    with Visit(browser, address, permissions=["clipboard-read", "clipboard-write"]) as visit:
        visit.goes("/abs/2101.00010")
        visit.page.click("button[data-copy]")
        visit.page.wait_for_function("document.querySelector('button[data-copy]').textContent === 'Copied'")
        assert visit.js("navigator.clipboard.readText()").startswith("@inproceedings{")
        visit.js("getSelection().selectAllChildren(document.querySelector('p.abstract'))")
        visit.page.keyboard.press("Control+C")
        assert "layout with $O(n)$ tiles" in visit.js("navigator.clipboard.readText()")


def test_everything_can_be_read_without_a_script(browser: Any, address: str) -> None:
    with Visit(browser, address, java_script_enabled=False) as visit:
        page = visit.page
        visit.goes("/")
        page.fill(".find input", "whole sky")
        page.click(".find button")
        assert "A Map of the Whole Sky" in page.inner_text("main")
        assert "Hand5 Mapper5" not in page.inner_text("main")
        page.click(".more summary")
        assert "Hand5 Mapper5" in page.inner_text("main")
        page.click(".entry h2 a")
        assert page.is_hidden("button[data-copy]")
        page.click("text=简体中文")
        assert "标识符" in page.inner_text("main")
        page.click("text=识别")
        page.fill("textarea", "A walk on a sparse lattice returns. We count how often.")
        page.click(".paste button")
        assert "Walks on Sparse Lattices" in page.inner_text("main")
