"""When the next request to a host may start: one answer for all threads and processes of the machine.

A host has one small file in the state folder. Who has the file locked has the turn: a request starts no sooner than
the rate allows after the last one, and is the only one under way. The system takes the lock back when its process
ends, however that ends. Nobody holds the lock while waiting, so that a cancelled or killed waiter delays nobody.

Times are kept on two clocks. The monotonic one, which all processes of a machine share, can't be set but begins anew
with each start of the machine; the other one can be set to anything. Neither is believed alone.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import math
import os
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Protocol

from octavo.errors import DiskFullError, HomeError, SourceError
from octavo.locks import lock, unlock

MAX_HOLD = 24 * 3600.0
"""Seconds that a server may keep us away for; a longer Retry-After counts as this."""
_SLICE = 0.5  # no wait is longer without a look at `cancelled`
_LEAST = 0.001  # a shorter wait may be nothing to a clock, and would be waited for ever
_POLL = 0.05  # between two looks at a lock that another process has
_RECORD = 256
_SECONDS = re.compile(r"[0-9]+")


class Clock(Protocol):
    """Time, so that tests need not wait for it."""

    def time(self) -> float:
        """Seconds since 1970, as the machine believes."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, the same for all processes of the machine."""
        ...

    def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The machine's own clock."""

    def time(self) -> float:
        """Seconds since 1970."""
        return time.time()

    def monotonic(self) -> float:
        """Seconds since the machine was started, about."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


class Cancelled(Protocol):
    """Whether to stop; a `threading.Event` is one."""

    def is_set(self) -> bool:
        """True once the work is to end."""
        ...


class FetchCancelledError(SourceError):
    """The fetching was cancelled."""


class HostHeldError(SourceError):
    """The host asked for a longer pause than the caller waits."""

    def __init__(self, host: str, seconds: float) -> None:
        """`seconds` are left of the pause that `host` asked for."""
        self.seconds = seconds
        super().__init__(f"{host} asked for a pause, of which {math.ceil(seconds):,} seconds are left.")


def pause(seconds: float, clock: Clock, cancelled: Cancelled) -> None:
    """Wait so long, or until cancelled, whichever is first.

    Raises:
        FetchCancelledError: within half a second of the cancelling; at once where it was cancelled before.
    """
    until = clock.monotonic() + seconds
    while True:
        if cancelled.is_set():
            raise FetchCancelledError(hint="What came before is kept; run it again to go on.")
        if (left := until - clock.monotonic()) <= 0:
            return
        clock.sleep(min(left, _SLICE))


def backoff(tries: int, random: float, *, base: float = 1.0, cap: float = 60.0) -> float:
    """Seconds to wait after the try of that number (counted from 1): exponential, with full jitter.

    `random` is in [0, 1). The jitter keeps many clients, thrown off together, from coming back together.
    """
    return random * min(cap, base * 2.0 ** min(tries - 1, 30))


def parse_retry_after(value: str | None, date: str | None, now: float) -> float | None:
    """Seconds that a Retry-After header asks to wait, at most MAX_HOLD; None where it is absent or says nothing.

    Takes seconds, and an HTTP date, which is compared with the answer's own `date` header so that a wrong local clock
    does not matter; only where that is absent with `now`.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return MAX_HOLD if len(text) > 9 else min(float(text), MAX_HOLD)
    if (until := _http_date(text)) is None:
        return None
    start = _http_date(date or "")
    return min(max(until - (now if start is None else start), 0.0), MAX_HOLD)


def _http_date(text: str) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
        # A date without a zone is in UTC by the standard, not in the machine's zone.
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


@dataclass(frozen=True, slots=True)
class _Noted:
    """What a host's file holds: when the last request started, and the pause that the host asked for since when."""

    at: float
    ticks: float
    hold: float = 0.0
    hold_at: float = 0.0
    hold_ticks: float = 0.0

    def rate_left(self, rate: float, clock: Clock) -> float:
        """Seconds until the next request may start by `rate`."""
        passed = clock.monotonic() - self.ticks
        if passed < 0:  # the machine was started anew
            passed = clock.time() - self.at
        return rate - max(passed, 0.0)

    def hold_left(self, clock: Clock) -> float:
        """Seconds left of the host's pause. Sleeping machines stop the monotonic clock, hence the longer of both."""
        passed = max(clock.monotonic() - self.hold_ticks, clock.time() - self.hold_at)
        return self.hold - passed if passed >= 0 else 0.0


class Turn:
    """The right to send one request to a host."""

    def __init__(self, file: int, noted: _Noted, clock: Clock) -> None:
        self._file = file
        self._noted = noted
        self._clock = clock

    @property
    def started(self) -> float:
        """When it began, on the monotonic clock."""
        return self._noted.ticks

    def hold(self, seconds: float) -> None:
        """Note that the host wants no request for so long, for all processes and for later runs."""
        now = self._clock.time(), self._clock.monotonic()
        self._noted = _Noted(self._noted.at, self._noted.ticks, min(seconds, MAX_HOLD), *now)
        _write(self._file, self._noted)


class Limiter:
    """Gives turns. Threads may share one; processes share its folder."""

    def __init__(self, folder: Path, clock: Clock, cancelled: Cancelled | None = None) -> None:
        """Keep the hosts' files in `folder`, which is made when it is needed."""
        self._folder = folder
        self._clock = clock
        self._cancelled = cancelled or threading.Event()
        self._locks: dict[str, threading.Lock] = {}
        self._making = threading.Lock()

    @contextlib.contextmanager
    def turn(self, host: str, rate: float, patience: float = MAX_HOLD) -> Iterator[Turn]:
        """Wait for a turn and have it until the block ends; `rate` is the least number of seconds between starts.

        Raises:
            FetchCancelledError: cancelled while waiting.
            HostHeldError: the host asked for a pause of which more than `patience` seconds are left.
            HomeError, DiskFullError: the host's file can't be written or locked.
        """
        with self._making:
            within = self._locks.setdefault(host, threading.Lock())
        with _storage(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            file = os.open(self._folder / file_name(host), os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            turn = self._wait(file, within, host, rate, patience)
            try:
                yield turn
            finally:
                self._let_go(file, within)
        finally:
            os.close(file)

    def _wait(self, file: int, within: threading.Lock, host: str, rate: float, patience: float) -> Turn:
        while True:
            self._take(file, within)
            turn = None
            try:
                with _storage(self._folder):
                    noted = _read(file, self._clock)
                    held = noted.hold_left(self._clock) if noted else 0.0
                    if held > patience:
                        raise HostHeldError(host, held)
                    left = max(noted.rate_left(rate, self._clock), held) if noted else 0.0
                    if left <= 0:
                        noted = _Noted(self._clock.time(), self._clock.monotonic())
                        _write(file, noted)
                        turn = Turn(file, noted, self._clock)
                        return turn
            finally:
                if turn is None:
                    self._let_go(file, within)
            pause(max(left, _LEAST), self._clock, self._cancelled)

    def _take(self, file: int, within: threading.Lock) -> None:
        """Lock out the other threads, then the other processes: some systems' locks do not part threads."""
        pause(0, self._clock, self._cancelled)
        while not within.acquire(timeout=_SLICE):
            pause(0, self._clock, self._cancelled)
        try:
            with _storage(self._folder):
                while not lock(file):
                    pause(_POLL, self._clock, self._cancelled)
        except BaseException:
            within.release()
            raise

    @staticmethod
    def _let_go(file: int, within: threading.Lock) -> None:
        try:
            unlock(file)
        finally:
            within.release()


def file_name(host: str) -> str:
    """The name of a host's file: legible, legal on every system, and different for different hosts."""
    legible = re.sub(r"[^a-z0-9.-]+", "_", host.lower())[:80]
    return f"host-{legible}-{hashlib.sha256(host.lower().encode()).hexdigest()[:12]}.json"


@contextlib.contextmanager
def _storage(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        if fault.errno == errno.ENOSPC:
            raise DiskFullError(
                f"The disk is full; the pace of requests can't be noted in {folder}.", hint="Make room."
            ) from fault
        raise HomeError(
            f"The pace of requests can't be noted in {folder}: {fault.strerror or fault}.",
            hint="Make the folder writable, or name a home on a local disk.",
        ) from fault


def _read(file: int, clock: Clock) -> _Noted | None:
    """What is noted; None in a new file.

    What is damaged, or in the future by both clocks, is noted anew as a request that started just now.
    """
    os.lseek(file, 0, os.SEEK_SET)
    if not (content := os.read(file, _RECORD)):
        return None
    with contextlib.suppress(ValueError, TypeError, AttributeError, RecursionError):
        noted = _Noted(**{name: float(value) for name, value in json.loads(content).items()})
        sound = all(map(math.isfinite, asdict(noted).values())) and noted.hold <= MAX_HOLD
        if sound and (noted.ticks <= clock.monotonic() or noted.at <= clock.time()):
            return noted
    noted = _Noted(clock.time(), clock.monotonic())
    _write(file, noted)
    return noted


def _write(file: int, noted: _Noted) -> None:
    # One write of one length: killed at any moment, the file holds what was there or what is new.
    os.lseek(file, 0, os.SEEK_SET)
    os.write(file, json.dumps(asdict(noted)).encode().ljust(_RECORD))
