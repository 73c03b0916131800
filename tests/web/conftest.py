"""A real server on loopback over a made-up catalogue, and a client that asks it over HTTP."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import httpx
import pytest

from octavo.web.server import WebServer, address_of, listen
from tests.web.gallery import announce, fill


@contextmanager
def serving(home: Path) -> Iterator[str]:
    """The pages of a home; gives their address."""
    listener = listen("127.0.0.1", 0)
    address = address_of(listener)
    ready = threading.Event()
    server = WebServer(listener, home, ready.set)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        assert ready.wait(30)
        yield address
    finally:
        server.stop()
        thread.join(30)
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with hard cases and announcement days; not to be written to."""
    home = tmp_path_factory.mktemp("gallery") / "home"
    fill(home)
    announce(home)
    return home


@pytest.fixture(scope="session")
def address(gallery: Path) -> Iterator[str]:
    """Where the pages of the gallery are."""
    with serving(gallery) as found:
        yield found


@pytest.fixture
def client(address: str) -> Iterator[httpx.Client]:
    """Asks for the pages of the gallery; keeps cookies, follows no redirect."""
    with httpx.Client(base_url=address, headers={"Accept-Language": "en"}, trust_env=False, timeout=60) as client:
        yield client


class Elements(HTMLParser):
    """A page as its elements: (name, attributes), and as its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self._texts: list[str] = []
        self._silent = 0
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, {name: value or "" for name, value in attrs}))
        self._silent += tag in ("style", "script")

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in ("style", "script")

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self._texts.append(data)

    @property
    def text(self) -> str:
        """What a reader sees, blanks made one."""
        return " ".join("".join(self._texts).split())

    def all(self, tag: str) -> list[dict[str, str]]:
        """The attributes of each element of that name."""
        return [attributes for name, attributes in self.found if name == tag]
