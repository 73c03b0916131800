"""A real HTTP server on loopback that plays a script of awkward answers, and a clock that only moves when told to.

    with Server(clock) as server:
        server.plays(Reply(status=429, headers={"Retry-After": "7"}), Reply(b"<feed/>"))
        http.get(server.url("/feed"), ...)
    assert [request.path for request in server.requests] == ["/feed", "/feed"]

Replies are played in order, whatever is asked for; those given with `on=` are for one path only. When the script is
over, the answer is 418, which nobody retries.
"""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self


class FakeClock:
    """A clock whose sleeps take no time; it remembers them."""

    def __init__(self, time: float = 1_900_000_000.0, monotonic: float = 1_000.0) -> None:
        self._lock = threading.Lock()
        self._time = time
        self._monotonic = monotonic
        self.slept: list[float] = []
        self.on_sleep: Callable[[], None] = lambda: None

    def time(self) -> float:
        return self._time

    def monotonic(self) -> float:
        return self._monotonic

    def sleep(self, seconds: float) -> None:
        assert seconds >= 0
        with self._lock:
            self.slept.append(seconds)
        self.pass_by(seconds)
        self.on_sleep()

    def pass_by(self, seconds: float) -> None:
        """Let time go on, for others than who sleeps."""
        with self._lock:
            self._time += seconds
            self._monotonic += seconds

    def set(self, time: float) -> None:
        """Set the clock on the wall, as an owner may; the monotonic one stays."""
        self._time = time

    def restart(self, monotonic: float) -> None:
        """Begin the monotonic clock anew, as a restart of the machine does."""
        self._monotonic = monotonic


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, as right or wrong as wanted."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    packed: bool = False
    """gzip the body, and say so."""
    chunked: int = 0
    """Send the body in chunks of so many bytes."""
    length: int | None = None
    """Content-Length to claim; -1 claims none, and the closing ends the body."""
    cut: int | None = None
    """Close the connection after so many bytes of the body (as it is sent)."""
    takes: float = 0.0
    """Seconds of the clock that pass before the answer."""
    trickles: float = 0.0
    """Seconds of the clock that pass before each byte, of the head too; it goes on until the client has left."""
    stalls: float = 0.0
    """Send the head, and then nothing until the client has left, while the clock goes on by so many seconds at a time."""
    raw: bytes | None = None
    """Send exactly this and close."""


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    at: float
    """When, on the monotonic clock."""


class Server:
    """Listens until the `with` block ends; every connection has its thread."""

    def __init__(self, clock: FakeClock, tls: ssl.SSLContext | None = None) -> None:
        self._clock = clock
        self._tls = tls
        self._script: deque[Reply] = deque()
        self._paths: dict[str, deque[Reply]] = {}
        self._threads: list[threading.Thread] = []
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._closing = False
        self._under_way = 0
        self.requests: list[Request] = []
        self.connections = 0
        self.most_at_once = 0
        """Requests under way at one time, at most."""
        self.always: Reply | None = None
        """Played when the script is over."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]

    def __enter__(self) -> Self:
        self._threads.append(threading.Thread(target=self._accept, daemon=True))
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing = True
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            pass  # wakes the thread that accepts
        self._threads[0].join(5)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        """The address of a path."""
        return f"{'https' if self._tls else 'http'}://{host}:{self.port}{path}"

    def plays(self, *replies: Reply, on: str | None = None) -> None:
        """Add to the script."""
        (self._script if on is None else self._paths.setdefault(on, deque())).extend(replies)

    @property
    def starts(self) -> list[float]:
        """When the requests came, on the monotonic clock."""
        return [request.at for request in self.requests]

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            if self._closing:
                connection.close()
                return
            thread = threading.Thread(target=self._serve, args=(connection,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, plain: socket.socket) -> None:
        connection = plain
        try:
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._tls:
                connection = self._tls.wrap_socket(plain, server_side=True)
            with self._lock:
                self.connections += 1
                self._open.add(connection)
            with connection.makefile("rb") as reader:
                while self._one(connection, reader.readline, reader.read):
                    pass
        except OSError:
            pass  # the client has left, which most awkward answers are meant to bring about
        finally:
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _one(self, connection: socket.socket, readline: Callable[[], bytes], read: Callable[[int], bytes]) -> bool:
        """Answer one request; whether the connection may be used again."""
        if not (line := readline().decode("latin-1").split()):
            return False
        headers = {}
        while header := readline().decode("latin-1").strip():
            name, _, value = header.partition(":")
            headers[name.lower()] = value.strip()
        body = read(int(headers.get("content-length", "0")))
        with self._lock:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self.requests.append(Request(line[0], line[1], headers, body, self._clock.monotonic()))
            script = self._paths.get(line[1]) or self._script
            reply = script.popleft() if script else self.always or Reply(b"the script is over", 418)
        try:
            if reply.takes:
                self._clock.pass_by(reply.takes)
            return self._send(connection, reply)
        finally:
            with self._lock:
                self._under_way -= 1

    def _send(self, connection: socket.socket, reply: Reply) -> bool:
        if reply.raw is not None:
            connection.sendall(reply.raw)
            return False
        head, body = _written(reply)
        if reply.trickles:
            for byte in head + body:
                self._clock.pass_by(reply.trickles)
                connection.sendall(bytes([byte]))
            return _wait_for_the_end(connection)
        connection.sendall(head)
        if reply.stalls:
            connection.settimeout(0.05)
            while True:
                self._clock.pass_by(reply.stalls)
                with contextlib.suppress(TimeoutError):
                    return _wait_for_the_end(connection)
        connection.sendall(body if reply.cut is None else body[: reply.cut])
        return reply.cut is None and reply.length is None


def _written(reply: Reply) -> tuple[bytes, bytes]:
    body = gzip.compress(reply.body, mtime=0) if reply.packed else reply.body
    headers = {"Content-Type": "application/xml"} | reply.headers
    if reply.packed:
        headers["Content-Encoding"] = "gzip"
    if reply.chunked:
        pieces = [body[start : start + reply.chunked] for start in range(0, len(body), reply.chunked)]
        body = b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in [*pieces, b""])
        headers["Transfer-Encoding"] = "chunked"
    elif reply.status != 304 and reply.length != -1:
        headers["Content-Length"] = str(len(body) if reply.length is None else reply.length)
    lines = [f"HTTP/1.1 {reply.status} Made up", *(f"{name}: {value}" for name, value in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1"), body


def _wait_for_the_end(connection: socket.socket) -> bool:
    while connection.recv(4096):
        pass
    return False
