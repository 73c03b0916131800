"""The pictures of the pages in `docs/images`, made from the bundled catalogue.

    python tools/screenshots/take.py            # needs Octavo, Playwright and a Chromium

A home of its own is made and thrown away; the pages are served on loopback and photographed as a reader sees them.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from octavo.app import Octavo

IMAGES = Path(__file__).parents[2] / "docs" / "images"
PICTURES: tuple[tuple[str, str, int, int, str, str], ...] = (
    ("search", "/search?q=graph+neural+networks", 1280, 900, "light", "en"),
    ("paper", "/abs/1706.03762", 1280, 900, "light", "en"),
    ("venue", "/venue/icml/2025", 1280, 900, "dark", "en"),
    ("topic", "/topic/deep-learning/large-language-models", 1280, 900, "light", "en"),
    ("chinese", "/search?q=%E6%89%A9%E6%95%A3%E6%A8%A1%E5%9E%8B+%E5%8A%A0%E9%80%9F", 1280, 900, "light", "zh-CN"),
    ("phone", "/glossary/attention", 390, 780, "dark", "en"),
)
"""(name, address, width, height, theme, language)."""
_ADDRESS = re.compile(r"http://\S+?:\d+")


def main() -> None:
    """Take all of them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    chromium = parser.parse_args().chromium
    IMAGES.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix="octavo-pictures-") as home:
        with Octavo(home) as octavo:
            octavo.add_bundle()
        take(home, chromium)


def take(home: str, chromium: str | None) -> None:
    """Serve `home` and photograph its pages."""
    from playwright.sync_api import sync_playwright

    command = [sys.executable, "-m", "octavo", "--home", home, "serve", "--port", "0"]
    server = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    try:
        address = next(found[0] for line in server.stdout or () if (found := _ADDRESS.search(line)))
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium)
            for name, path, width, height, theme, language in PICTURES:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=theme, locale=language
                )
                page.goto(f"{address}{path}", wait_until="networkidle")
                page.screenshot(path=IMAGES / f"{name}.png")
                print(f"docs/images/{name}.png")
                page.close()
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
