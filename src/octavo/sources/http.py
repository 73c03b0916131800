"""The one way to the network: polite, resumable fetching for every source.

`Http.get` and `Http.post` return an answer whole or raise. They wait for the host's turn (`limiter`), connect only to
addresses that they have checked, follow few redirects, bound time and size whatever a server does, and try again where
that can help. Nothing above tries again: retries at two places multiply.
"""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import random
import ssl
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Self

import httpx

from octavo import __version__
from octavo.sources.http_addresses import (
    checked_address,
    checked_headers,
    environment_proxy,
    host_of,
    is_public,
    look_up,
    may_be_named,
    next_address,
    origin_of,
    site_of,
)
from octavo.sources.http_body import Expected, check_expected, read_body
from octavo.sources.http_connection import TRANSPORT_FAULTS, Line, Network, Transport, transport_failure
from octavo.sources.http_errors import (
    FailedTry,
    FetchError,
    RateLimitedError,
    RefusedError,
    final_error,
    rate_limited,
    redacted,
)
from octavo.sources.http_store import Kept, Store
from octavo.sources.limiter import (
    Cancelled,
    Clock,
    HostHeldError,
    Limiter,
    SystemClock,
    Turn,
    backoff,
    parse_retry_after,
    pause,
)

__all__ = [
    "MAX_BYTES",
    "MAX_REDIRECTS",
    "RETRIED",
    "Answer",
    "Expected",
    "FetchError",
    "Http",
    "Patience",
    "RateLimitedError",
    "RefusedError",
    "is_public",
    "redacted",
    "user_agent",
]

MAX_BYTES = 64 * 1024 * 1024
MAX_REDIRECTS = 5
RETRIED = frozenset({408, 429, 500, 502, 503, 504})
_GOOD = frozenset({200, 201, 203})
_REDIRECTS = {301: "GET", 302: "GET", 303: "GET", 307: "", 308: ""}


@dataclass(frozen=True, slots=True)
class Answer:
    """What a server said, whole."""

    status: int
    """200, 201 or 203; 304 where the content is the one kept from the last time."""
    url: str
    """As asked for; that is the one to store, wherever it led."""
    headers: Mapping[str, str]
    """Names in small letters."""
    content: bytes
    from_cache: bool = False
    """The server says that it has not changed since it was last fetched."""
    final_url: str = ""
    """Where it was found; relative links start from there."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on, in seconds."""

    tries: int = 5
    waits: float = 300.0
    """In all, between the tries."""
    retry_after: float = 120.0
    """The longest pause that a host may ask for."""
    connect: float = 10.0
    read: float = 30.0
    """Without a byte."""
    total: float = 180.0
    """From the request to the last byte of its answer."""


@dataclass(frozen=True, slots=True)
class _Asked:
    method: str
    url: str
    body: bytes | None
    rate: float
    expect: Expected
    max_bytes: int
    conditional: bool
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """May hold a key."""

    @property
    def accept(self) -> str:
        return ", ".join(self.expect) if isinstance(self.expect, tuple) and self.expect else "*/*"


class Http:
    """Fetches. One object a program; threads may share it; close it at the end."""

    def __init__(
        self,
        contact: str,
        state_folder: Path,
        clock: Clock | None = None,
        *,
        allow_private: frozenset[str] = frozenset(),
        unpaced: frozenset[str] = frozenset(),
        patience: Patience | None = None,
        cancelled: Cancelled | None = None,
        jitter: Callable[[], float] = random.random,
        resolve: Callable[[str, int], list[str]] | None = None,
    ) -> None:
        """Name `contact` (an address or a page) to every server, and keep pace and validators in `state_folder`.

        `allow_private` are hosts, as written in URLs, that may be on this machine or in its network; `unpaced` are
        those, a mirror of one's own, that need no pause between requests.
        """
        self._clock = clock or SystemClock()
        self._cancelled = cancelled or threading.Event()
        self._patience = patience or Patience()
        self._allow_private = frozenset(host.lower() for host in allow_private)
        self._unpaced = frozenset(host.lower() for host in unpaced)
        self._jitter = jitter
        self._resolve = resolve or look_up
        self._limiter = Limiter(state_folder / "hosts", self._clock, self._cancelled)
        self._store = Store(state_folder / "answers")
        self._agent = user_agent(contact)
        self._tls: ssl.SSLContext | None = None
        self._lines: dict[str, Line] = {}
        self._making = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        with self._making:
            for line in self._lines.values():
                line.client.close()
            self._lines.clear()

    def get(
        self,
        url: str,
        *,
        rate: float,
        expect: Expected,
        max_bytes: int = MAX_BYTES,
        conditional: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """What is at `url`, at a pace of one request in `rate` seconds to its host.

        With `conditional`, an answer is kept with its validators, and comes from there while the server says that it
        has not changed. `headers` (a key) go to the origin of `url` only, wherever it redirects to, and into no
        message.

        Raises:
            RateLimitedError: the host asks for a pause longer than Patience.retry_after, or goes on answering 429.
            RefusedError: the address, a redirect or the size is refused.
            FetchError: it failed, after all tries where trying again can help.
            FetchCancelledError: cancelled.
            StorageError: the state folder can't be written.
        """
        return self._fetch(_Asked("GET", url, None, rate, expect, max_bytes, conditional, headers or {}))

    def post(
        self,
        url: str,
        body: object,
        *,
        rate: float,
        expect: Expected,
        max_bytes: int = MAX_BYTES,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """What a batch look-up at `url` says to `body`, sent as JSON; it may be sent more than once.

        Raises:
            As `get`.
        """
        content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        return self._fetch(_Asked("POST", url, content, rate, expect, max_bytes, False, headers or {}))

    def _fetch(self, asked: _Asked) -> Answer:
        shown, patience = redacted(asked.url), self._patience
        tries, waited = 0, 0.0
        while True:
            tries += 1
            try:
                return self._follow(asked)
            except HostHeldError as held:
                raise rate_limited(held.message, held.seconds, url=shown, tries=tries - 1) from None
            except FailedTry as failure:
                wait = max(backoff(tries, self._jitter()), failure.retry_after or 0.0)
                too_long = (failure.retry_after or 0.0) > patience.retry_after or waited + wait > patience.waits
                if not failure.again or tries >= patience.tries or too_long:
                    raise final_error(failure, shown, tries, wait) from failure.__cause__
            pause(wait, self._clock, self._cancelled)
            waited += wait

    def _follow(self, asked: _Asked) -> Answer:
        url = checked_address(asked.url)
        inside = host_of(url) in self._allow_private
        for _ in range(MAX_REDIRECTS + 1):
            found = self._ask(asked, url)
            if isinstance(found, Answer):
                return found
            url = found
            if host_of(url) not in self._allow_private:
                inside = False
            elif not inside:  # what the caller may reach, a stranger's redirect may not
                raise FailedTry(f"it was redirected to {host_of(url)}, which is private", refused=True)
        raise FailedTry(f"it was redirected more than {MAX_REDIRECTS} times", refused=True)

    def _ask(self, asked: _Asked, url: httpx.URL) -> Answer | httpx.URL:
        """Send one request; what it leads to is an answer or the next address."""
        line = self._line(url)
        headers = {"Accept": asked.accept} | ({"Content-Type": "application/json"} if asked.body is not None else {})
        if asked.headers and origin_of(url) == origin_of(checked_address(asked.url)):
            headers |= checked_headers(asked.headers)
        key = f"{url}\n{asked.accept}"
        kept = self._store.load(key, asked.max_bytes) if asked.conditional else None
        request = line.client.build_request(
            asked.method, url, content=asked.body, headers=headers | (kept.validators if kept else {})
        )
        try:
            rate = 0.0 if host_of(url) in self._unpaced else asked.rate
            with self._limiter.turn(site_of(host_of(url)), rate, self._patience.retry_after) as turn:
                line.network.deadline = self._clock.monotonic() + self._patience.total
                with contextlib.closing(line.client.send(request, stream=True)) as response:
                    if kept and response.status_code == 304:
                        return self._unchanged(asked, url, key, kept)
                    if (target := self._next(asked, url, response, turn)) is not None:
                        return target
                    content = read_body(response, asked.expect, asked.max_bytes)
        except (httpx.HTTPError, *TRANSPORT_FAULTS) as fault:
            raise transport_failure(fault) from fault
        headers = {name.lower(): value for name, value in response.headers.items()}
        if asked.conditional:
            self._store.save(key, headers, content)
        return Answer(response.status_code, asked.url, headers, content, final_url=str(url))

    def _next(self, asked: _Asked, url: httpx.URL, response: httpx.Response, turn: Turn) -> httpx.URL | None:
        """Where a redirect leads; None where the answer is here. Any other status is a failure."""
        status, headers = response.status_code, response.headers
        if status in _GOOD:
            return None
        if status in _REDIRECTS and "location" in headers:
            if _REDIRECTS[status] not in ("", asked.method):
                raise FailedTry("a look-up by POST was redirected to a page", status=status, refused=True)
            return next_address(url, headers["location"])
        until = headers.get("retry-after")
        if until is None and headers.get("x-ratelimit-remaining") == "0":  # as GitHub says it, with 403 or 429
            reset = headers.get("x-ratelimit-reset", "")
            until = formatdate(int(reset), usegmt=True) if reset.isdecimal() and len(reset) < 12 else None
        retried = status in RETRIED or (status == 403 and until is not None)
        failure = FailedTry(_said(response), status=status, again=retried or 200 <= status < 300)
        if retried:
            failure.retry_after = parse_retry_after(until, headers.get("date"), self._clock.time())
            if failure.retry_after:
                turn.hold(failure.retry_after)
        raise failure

    def _unchanged(self, asked: _Asked, url: httpx.URL, key: str, kept: Kept) -> Answer:
        try:
            check_expected(asked.expect, kept.headers.get("content-type", ""), kept.content)
        except FailedTry:
            self._store.drop(key)  # so that the next try asks for it whole
            raise
        return Answer(304, asked.url, kept.headers, kept.content, from_cache=True, final_url=str(url))

    def _line(self, url: httpx.URL) -> Line:
        origin = origin_of(url)
        with self._making:
            if (line := self._lines.get(origin)) is None:
                line = self._lines[origin] = self._new_line(url)
        return line

    def _new_line(self, url: httpx.URL) -> Line:
        host, proxy = host_of(url), environment_proxy(url)
        inside = host in self._allow_private
        if proxy and not inside and not may_be_named(host):  # a proxy looks names up itself
            raise FailedTry(f"{host} is in a private network", refused=True)
        network = Network(self._clock, self._cancelled, None if proxy else self._resolve, inside)
        if self._tls is None and "https" in (url.scheme, proxy.url.scheme if proxy else ""):
            self._tls = httpx.create_ssl_context()
        cookies = http.cookiejar.CookieJar(http.cookiejar.DefaultCookiePolicy(allowed_domains=[]))
        client = httpx.Client(
            transport=Transport(network, self._tls, proxy),
            headers={"User-Agent": self._agent, "Accept-Encoding": "gzip"},
            cookies=cookies,
            trust_env=False,  # neither .netrc nor a second look at the proxies
            timeout=httpx.Timeout(self._patience.read, connect=self._patience.connect),
        )
        return Line(client, network)


def user_agent(contact: str) -> str:
    """What Octavo calls itself: `Octavo/0.1.0 (+ada@papers.example)`."""
    legible = "".join(char for char in contact if " " <= char <= "~" and char not in "()\\").strip()
    return f"Octavo/{__version__} ({'+' + legible if legible else 'no contact configured'})"


def _said(response: httpx.Response) -> str:
    known = {status.value: status.phrase for status in http.HTTPStatus}
    phrase = known.get(response.status_code, "")
    return f"the server answered {response.status_code}{f' ({phrase})' if phrase else ''}"
