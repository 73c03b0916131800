"""Completion and jumping in a real browser, with the keyboard alone; see `test_browser` for what that needs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.test_browser import CHROMIUM, Visit, browser

playwright = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium")
__all__ = ["browser"]

BOX = "header.top input[name=q]"
OPTIONS = "header.top [role=option]"
JUMPS = "#palette [role=option]"


@pytest.fixture
def visit(browser: Any, address: str) -> Iterator[Visit]:
    with Visit(browser, address, locale="en-GB") as visit:
        yield visit
        assert [line for line in visit.said if "404 (Not Found)" not in line] == []
        assert [url for url in visit.asked if not url.startswith(address)] == []


def types(visit: Visit, text: str, options: str = OPTIONS) -> None:
    visit.page.keyboard.type(text)
    visit.page.locator(options).first.wait_for()
    visit.page.wait_for_load_state("networkidle")  # the answer to an earlier letter may still be replaced


def selected(visit: Visit) -> str:
    return str(
        visit.js(
            "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.innerText ?? ''"
        )
    )


def test_arrows_choose_and_enter_opens(visit: Visit) -> None:
    visit.goes("/help")
    visit.page.keyboard.press("/")
    types(visit, "tiles")
    box = visit.page.locator(BOX)
    assert box.get_attribute("aria-expanded") == "true"
    visit.page.keyboard.press("ArrowDown")
    first = selected(visit)
    visit.page.keyboard.press("ArrowDown")
    assert first
    assert selected(visit) not in ("", first)
    visit.page.keyboard.press("ArrowUp")
    assert selected(visit) == first
    visit.page.keyboard.press("ArrowUp")
    assert selected(visit) == "", "above the first one is in the box again"
    visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**/paper/*")


def test_enter_without_a_choice_searches(visit: Visit) -> None:
    visit.goes("/help")
    visit.page.locator(BOX).focus()
    types(visit, "tiles")
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**/search?q=tiles")


def test_a_field_and_its_value_are_completed_in_the_box(visit: Visit) -> None:
    visit.goes("/help")
    visit.page.locator(BOX).focus()
    types(visit, "auth")
    visit.page.locator(OPTIONS, has_text="author:").first.wait_for()
    while "author:" not in selected(visit):
        visit.page.keyboard.press("ArrowDown")
    visit.page.keyboard.press("Enter")
    assert visit.page.locator(BOX).input_value() == "author:"
    types(visit, "nguy")
    visit.page.locator(OPTIONS, has_text="Nguyễn").first.wait_for()
    assert visit.page.locator(f"{OPTIONS} b").first.inner_text() == "Nguy", "what was typed is set off, accents folded"


def test_escape_closes_the_list_and_then_leaves_the_box(visit: Visit) -> None:
    visit.goes("/help")
    visit.page.locator(BOX).focus()
    types(visit, "tiles")
    visit.page.keyboard.press("Escape")
    assert visit.page.locator("header.top .panel").is_hidden()
    assert visit.page.locator(BOX).input_value() == "tiles"
    visit.page.keyboard.press("Escape")
    assert visit.js("document.activeElement === document.body")


def test_control_k_jumps_from_anywhere(visit: Visit) -> None:
    visit.goes("/about")
    visit.page.keyboard.press("Control+k")
    visit.page.locator(JUMPS).first.wait_for()
    types(visit, "ident", JUMPS)
    visit.page.locator(JUMPS, has_text="Identify").first.wait_for()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**/identify")
    visit.page.keyboard.press("Control+k")
    visit.page.keyboard.press("Escape")
    assert not visit.js("document.getElementById('palette').open")
    assert not visit.js("document.activeElement.matches('#palette input')")


def test_a_look_is_chosen_on_the_page_that_is_open(visit: Visit) -> None:
    visit.goes("/search?q=tiles")
    visit.page.keyboard.press("Control+k")
    types(visit, "dark", JUMPS)
    visit.page.locator(JUMPS, has_text="Dark").first.wait_for()
    visit.page.keyboard.press("Enter")
    visit.page.wait_for_url("**/search?q=tiles&theme=dark")
    assert visit.js("document.documentElement.dataset.theme") == "dark"


def test_jumping_is_off_where_keys_are(visit: Visit) -> None:
    visit.goes("/help?keys=off")
    visit.page.keyboard.press("Control+k")
    assert not visit.js("document.getElementById('palette').open")


def test_nothing_of_a_title_is_markup(visit: Visit) -> None:
    visit.goes("/help")
    visit.page.locator(BOX).focus()
    visit.page.keyboard.type("<img src=x onerror=document.title='x'>")
    visit.page.wait_for_timeout(300)
    assert visit.js("document.querySelectorAll('.panel img').length") == 0
    assert visit.page.title() != "x"


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_lists_fit_and_axe_finds_nothing(browser: Any, address: str, width: int, theme: str) -> None:
    options = {"viewport": {"width": width, "height": 800}, "color_scheme": theme, "bypass_csp": True}
    with Visit(browser, address, **options) as visit:
        visit.goes("/help")
        visit.page.locator(BOX).focus()
        types(visit, "tiles")
        visit.page.keyboard.press("ArrowDown")
        assert visit.js("document.documentElement.scrollWidth") <= width
        axe(visit)
        visit.page.keyboard.press("Control+k")
        visit.page.locator(JUMPS).first.wait_for()
        assert visit.js("document.documentElement.scrollWidth") <= width
        axe(visit)


def axe(visit: Visit) -> None:
    if "AXE" in os.environ:
        visit.page.evaluate(Path(os.environ["AXE"]).read_text(encoding="utf-8"))
        faults = visit.page.evaluate("async () => (await axe.run()).violations")
        assert [(fault["id"], [node["html"] for node in fault["nodes"]][:3]) for fault in faults] == []


def test_the_box_searches_without_a_script(browser: Any, address: str) -> None:
    with Visit(browser, address, java_script_enabled=False) as visit:
        visit.goes("/help")
        visit.page.locator(BOX).fill("tiles")
        visit.page.keyboard.press("Enter")
        visit.page.wait_for_url("**/search?q=tiles")
        assert visit.page.locator("#palette").is_hidden()
