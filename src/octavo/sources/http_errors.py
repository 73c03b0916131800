"""What fetching raises, and how it says it: where, why, after how many tries, and no secret."""

from __future__ import annotations

import math
import re
from urllib.parse import urlsplit

from octavo.errors import SourceError

_SECRET = re.compile(r"key(?!word)|token|secret|pass|pwd|auth(?!or)|sign|cred|session|mail", re.IGNORECASE)


class FetchError(SourceError):
    """The address can't be fetched."""

    def __init__(self, message: str, *, url: str, status: int = 0, tries: int = 0, hint: str = "") -> None:
        """`url` is the one asked for, secrets struck out; `status` the last answer's, 0 without one."""
        self.url, self.status, self.tries = url, status, tries
        super().__init__(message, hint=hint)


class RateLimitedError(FetchError):
    """The host asks for a longer pause than Octavo waits; `retry_after` is its length in seconds."""

    retry_after: float = 0.0


class RefusedError(FetchError):
    """Octavo refuses: a limit, a redirect or an address that it does not go to."""


class FailedTry(Exception):  # noqa: N818 - never leaves Http
    """One try failed; the retry loop decides what follows."""

    def __init__(self, reason: str, *, status: int = 0, again: bool = True, refused: bool = False) -> None:
        self.reason, self.status, self.again, self.refused = reason, status, again and not refused, refused
        self.retry_after: float | None = None
        super().__init__(reason)


def rate_limited(message: str, seconds: float, *, url: str, status: int = 0, tries: int) -> RateLimitedError:
    """The host asks for a pause of `seconds`, which is too long."""
    hint = f"Run it again in {math.ceil(seconds):,} seconds; what came before is kept."
    error = RateLimitedError(message, url=url, status=status, tries=tries, hint=hint)
    error.retry_after = seconds
    return error


def final_error(failure: FailedTry, url: str, tries: int, wait: float) -> FetchError:
    """What to raise after the last try."""
    status = failure.status
    times = f", after {tries} tries" if tries > 1 else ""
    if failure.refused:
        return RefusedError(
            f"{url} was not fetched: {failure.reason}.",
            url=url, status=status, tries=tries, hint="Octavo does not go on there; check the address.",
        )  # fmt: skip
    message = f"{url} could not be fetched: {failure.reason}{times}."
    if failure.retry_after is not None or status == 429:
        return rate_limited(message, failure.retry_after or wait, url=url, status=status, tries=tries)
    hint = "Run it again later; what came before is kept."
    if status in (401, 403):
        hint = "The server does not let Octavo in; see the terms of the site."
    elif not failure.again:
        hint = "Check the address."
    return FetchError(message, url=url, status=status, tries=tries, hint=hint)


def redacted(url: str) -> str:
    """A URL for messages: no user, no fragment, and nothing of what may be a key, a token or a mail address."""
    try:
        parts = urlsplit(url)
        place = parts.netloc.rpartition("@")[2]
    except ValueError:
        return "the address"
    query = "&".join(
        f"{name}=***" if value and _SECRET.search(name) else f"{name}{equals}{value}"
        for name, equals, value in (pair.partition("=") for pair in parts.query.split("&"))
    )
    text = f"{parts.scheme}://{place}{parts.path}{'?' if query else ''}{query}"
    return "".join(char if char.isprintable() else "?" for char in text)[:300]
