"""Asking a source over the network: a harvest against the loopback server, and what came of it.

    harvest = web.harvest(source, "v901", {"/v901/": b"<html>...", "/v901/x.yaml": [Reply(status=503), Reply(b"...")]})
    assert harvest.keys == ["v901/bee31a"] and harvest.asked == ["/v901/", "/v901/x.yaml", "/v901/x.yaml"]

A path plays its replies in order, then the last one of them for ever; any other path is not there (404).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from octavo.errors import SourceError
from octavo.records.paper import Record
from octavo.sources.base import Fault, Page
from octavo.sources.http import Http
from octavo.sources.online import Ask, Note, OnlineSource
from tests.sources.server import FakeClock, Reply, Server

Site = Mapping[str, bytes | Reply | Sequence[Reply]]
MAINTENANCE = Reply(b"<html><body>Down for maintenance</body></html>", headers={"Content-Type": "text/html"})
"""Pitfall A14: a page about maintenance, with status 200."""
NO_SUCH_PAGE = Reply(b"404: Not Found", status=404)
REPEATED = 40
"""How often the last reply of a path is there to be played."""


@dataclass
class Harvest:
    """What a harvest yielded, and the error that ended it."""

    pages: list[Page] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    found: list[Record | Fault] = field(default_factory=list)
    error: SourceError | None = None
    asked: list[str] = field(default_factory=list)
    """The paths that were asked for, in order."""

    @property
    def records(self) -> list[Record]:
        return [one for one in self.found if isinstance(one, Record)]

    @property
    def keys(self) -> list[str]:
        return [record.key for record in self.records]

    @property
    def cursor(self) -> str:
        """Where the next run goes on."""
        return next((page.cursor for page in reversed(self.pages) if page.cursor), "")


class Web:
    """The network of a test: one Http with a clock that takes no time, and servers."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        self.http = Http(
            "ada@papers.example",
            folder / "state",
            self.clock,
            allow_private=frozenset({"127.0.0.1"}),
            jitter=lambda: 1.0,
        )

    @contextmanager
    def serving(self, site: Site) -> Iterator[Server]:
        """A server with these paths."""
        with Server(self.clock) as server:
            server.always = NO_SUCH_PAGE
            for path, replies in site.items():
                listed = [replies] if isinstance(replies, bytes | Reply) else list(replies)
                made = [reply if isinstance(reply, Reply) else Reply(reply) for reply in listed]
                server.plays(*made, *[made[-1]] * REPEATED, on=path)
            yield server

    def ask(self, source: OnlineSource, server: Server, want: str, cursor: str = "", stop_after: int = 0) -> Harvest:
        """Harvest from a server, to the end or as if killed after so many pages."""
        addresses = {name: server.url("") + _path_of(address) for name, address in source.addresses.items()}
        n_before = len(server.requests)
        harvest = Harvest()
        try:
            for one in source.harvest(Ask(want, addresses, cursor), self.http):
                if isinstance(one, Note):
                    harvest.notes.append(one.text)
                    continue
                harvest.pages.append(one)
                harvest.found += source.parse(one)  # type: ignore[arg-type]
                if len(harvest.pages) == stop_after:
                    break
        except SourceError as error:
            harvest.error = error
        harvest.asked = [request.path for request in server.requests[n_before:]]
        return harvest

    def harvest(self, source: OnlineSource, want: str, site: Site, cursor: str = "", stop_after: int = 0) -> Harvest:
        """Harvest from a server of its own."""
        with self.serving(site) as server:
            return self.ask(source, server, want, cursor, stop_after)


def _path_of(address: str) -> str:
    """The path of a base address; the hosts of a source are one here, so that each has its name before the path."""
    host, _, path = address.partition("://")[2].partition("/")
    return f"/{host}/{path}".rstrip("/")


@contextmanager
def a_web(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """A Web without the machine's own proxies."""
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    web = Web(folder)
    yield web
    web.http.close()


def blob(content: bytes) -> str:
    """What git calls a content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def tree(files: Mapping[str, bytes], truncated: bool = False) -> bytes:
    """A folder as GitHub's API lists it, with a folder in it."""
    listed = [
        {"path": name, "mode": "100644", "type": "blob", "sha": blob(content), "size": len(content)}
        for name, content in files.items()
    ]
    listed.append({"path": "older", "mode": "040000", "type": "tree", "sha": "0" * 40})
    return json.dumps(
        {"sha": "1" * 40, "url": "https://papers.example", "tree": listed, "truncated": truncated}
    ).encode()
