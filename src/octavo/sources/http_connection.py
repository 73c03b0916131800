"""Connections to addresses that were checked, with a bound on the time that anything takes."""

from __future__ import annotations

import math
import ssl
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import httpcore
import httpx

from octavo.sources.http_addresses import is_public
from octavo.sources.http_errors import FailedTry
from octavo.sources.limiter import Cancelled, Clock, FetchCancelledError

_SLICE = 0.25  # seconds of a read without a look at the clock and at `cancelled`
_KEPT_ALIVE = 15.0
TRANSPORT_FAULTS = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)


class Network(httpcore.NetworkBackend):
    """Connects to addresses that were checked, and bounds how long everything takes."""

    def __init__(
        self, clock: Clock, cancelled: Cancelled, resolve: Callable[[str, int], list[str]] | None, inside: bool
    ) -> None:
        """Look addresses up with `resolve`; None where the host is a proxy. `inside`: private ones may be used."""
        self._clock, self._cancelled, self._resolve, self._inside = clock, cancelled, resolve, inside
        self._system = httpcore.SyncBackend()
        self.deadline = math.inf

    def check(self) -> None:
        if self._cancelled.is_set():
            raise FetchCancelledError(hint="What came before is kept; run it again to go on.")
        if self._clock.monotonic() > self.deadline:
            raise FailedTry("the answer took too long")

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        fault: Exception = httpcore.ConnectError("no address")
        for address in [host] if self._resolve is None else self._open_addresses(host, port):
            self.check()
            try:
                return _WatchedStream(
                    self._system.connect_tcp(address, port, timeout, local_address, socket_options), self, self._clock
                )
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as this:
                fault = this
        raise fault

    def _open_addresses(self, host: str, port: int) -> list[str]:
        try:
            found = self._resolve(host, port) if self._resolve else []
        except (OSError, UnicodeError) as fault:
            raise FailedTry(f"the address of {host} can't be looked up") from fault
        usable = found if self._inside else [address for address in found if is_public(address)]
        if found and not usable:
            raise FailedTry(f"{host} is in a private network ({found[0]})", refused=True)
        return usable


class _WatchedStream(httpcore.NetworkStream):
    """A connection that looks at the deadline while it waits, even where bytes go on trickling in."""

    def __init__(self, stream: httpcore.NetworkStream, network: Network, clock: Clock) -> None:
        self._stream, self._network, self._clock = stream, network, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        until = self._clock.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            self._network.check()
            try:
                data = self._stream.read(max_bytes, _SLICE)
            except httpcore.ReadTimeout:
                if self._clock.monotonic() >= until:
                    raise
            else:
                self._network.check()
                return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._network.check()
        self._stream.write(buffer, timeout)

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        try:
            stream = self._stream.start_tls(ssl_context, server_hostname, timeout)
        except httpcore.ConnectError as fault:
            if isinstance(fault.__cause__, ssl.SSLCertVerificationError):  # another try finds the same certificate
                reason = f"its certificate is not valid ({fault.__cause__.verify_message})"
                raise FailedTry(reason, again=False) from fault
            raise
        return _WatchedStream(stream, self._network, self._clock)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Body(httpx.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        if close := getattr(self._stream, "close", None):
            close()


class Transport(httpx.BaseTransport):
    """One HTTP/1.1 connection to one origin. httpx's own transport does not let the network be given."""

    def __init__(self, network: Network, tls: ssl.SSLContext | None, proxy: httpx.Proxy | None) -> None:
        self._pool = httpcore.ConnectionPool(
            ssl_context=tls,
            proxy=httpcore.Proxy(str(proxy.url), auth=proxy.raw_auth, ssl_context=tls) if proxy else None,
            max_connections=1,
            keepalive_expiry=_KEPT_ALIVE,
            network_backend=network,
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        response = self._pool.handle_request(
            httpcore.Request(
                request.method,
                httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        body = _Body(cast("Iterable[bytes]", response.stream))
        return httpx.Response(response.status, headers=response.headers, stream=body, extensions=response.extensions)

    def close(self) -> None:
        self._pool.close()


@dataclass(frozen=True, slots=True)
class Line:
    """A client for one origin, and the network below it."""

    client: httpx.Client
    network: Network


def transport_failure(fault: Exception) -> FailedTry:
    """What a fault of the connection means for the try."""
    # Never the fault's own text: it may hold a header.
    if isinstance(fault, httpcore.TimeoutException):
        return FailedTry("the server did not answer in time")
    if isinstance(fault, httpcore.ProxyError):
        return FailedTry("the proxy refused the connection")
    if isinstance(fault, httpcore.ConnectError):
        return FailedTry("no connection could be made")
    if isinstance(fault, httpcore.LocalProtocolError):
        return FailedTry("the request is not valid HTTP", again=False)
    return FailedTry("the answer was cut short, or is not HTTP")
