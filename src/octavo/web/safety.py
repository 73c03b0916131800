"""What keeps other sites out of the pages: whose requests are answered, and what a browser may do with an answer.

The pages answer on loopback, which every site that the reader visits can send requests to; elsewhere behind a password
only (`door.py`). A name that leads here
(DNS rebinding) is refused by `Host`; a form sent from elsewhere by `Sec-Fetch-Site` and `Origin`; and a page may load
and run only what is Octavo's own, so that nothing a source wrote can run even if it got through.
"""

from __future__ import annotations

import hmac
import ipaddress
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

MAX_BODY = 200_000
"""Bytes that a request may carry: a pasted list of references has some ten thousand."""
MAX_DRAINED = 20_000_000
"""Bytes of a body that is too large which are read nevertheless: a browser shows an answer only after it sent all."""

CONTENT_POLICY = "; ".join(
    (
        "default-src 'none'",
        "style-src 'self'",
        "script-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
"""With every answer."""


@dataclass(frozen=True, slots=True)
class Access:
    """Under which names the pages are asked for."""

    names: frozenset[str] = frozenset()
    """Besides those of loopback, in small letters."""
    is_open: bool = False
    """Whether they answer beyond this machine."""

    @property
    def needs_password(self) -> bool:
        """Whether others than who sits at this machine may ask: directly, or through a proxy with a name."""
        return self.is_open or bool(self.names)


LOOPBACK = Access()
"""This machine alone."""

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:/@\s]+)(?::([0-9]{1,5}))?")
_UNFIT = re.compile(r"[\s\x00-\x1f\x7f\\<>\"^`{|}]|[\u202a-\u202e\u2066-\u2069]")


def is_loopback(host: str) -> bool:
    """Whether a host names this machine and nothing else.

    >>> [is_loopback(host) for host in ("127.0.0.1", "localhost", "::1", "0.0.0.0", "octavo.example")]
    [True, True, True, False, False]
    """
    name = host.strip("[]").rstrip(".").lower()
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_own_host(header: str, names: Collection[str] = (), *, is_open: bool = False) -> bool:
    """Whether a `Host` header names this machine; any port will do, since a tunnel has another at its other end.

    Args:
        header: What the browser says.
        names: Further names of it, in small letters.
        is_open: Whether the pages answer beyond this machine: an address in numbers is one of it then, since no name
            that somebody else owns can be rebound to look like one.
    """
    found = _HOST.fullmatch(header.strip())
    if found is None:
        return False
    name = found[1].rstrip(".").lower()
    return is_loopback(name) or name in names or (is_open and _is_address(name.strip("[]")))


def _is_address(name: str) -> bool:
    try:
        return not ipaddress.ip_address(name).is_unspecified
    except ValueError:
        return False


def is_own_request(headers: Mapping[str, str]) -> bool:
    """Whether a request that carries something comes from a page of Octavo's own, or from no page at all.

    Browsers tell by `Sec-Fetch-Site`, older ones by `Origin`; both can't be set by a page. A program sends neither,
    and has no reader's cookies that could be misused.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or origin in (f"http://{headers.get('host', '')}", f"https://{headers.get('host', '')}")


def new_token(secret: bytes) -> str:
    """What a form of the pages carries, so that it is known again: a number of its own, signed with the catalogue's
    secret. It is another each time, so that nothing can be learnt from how well a page packs."""
    number = secrets.token_urlsafe(12)
    return f"{number}.{_signature(secret, number)}"


def is_token(secret: bytes, token: str) -> bool:
    """Whether a form was made by these pages, at any time: a page may be left open for days.

    >>> is_token(b"key", new_token(b"key")), is_token(b"key", new_token(b"other")), is_token(b"", new_token(b""))
    (True, False, False)
    """
    number, _, signature = token.partition(".")
    return bool(secret) and hmac.compare_digest(
        _signature(secret, number).encode(), signature.encode("utf-8", "replace")
    )


def _signature(secret: bytes, number: str) -> str:
    return hmac.digest(secret, b"form:" + number.encode("utf-8", "replace"), "sha256").hex()[:40]


def safe_address(address: str) -> str:
    """An address that a page may link to: http or https, and nothing hidden in it; else empty.

    >>> [safe_address(text) for text in ("https://a.example/b", "javascript:alert(1)", "//a.example")]
    ['https://a.example/b', '', '']
    """
    if len(address) > 2_000 or _UNFIT.search(address):
        return ""
    try:
        parts = urlsplit(address)
        is_fit = parts.scheme in ("http", "https") and bool(parts.hostname) and "@" not in parts.netloc
    except ValueError:
        return ""
    return address if is_fit else ""


def is_local_path(path: str) -> bool:
    """Whether that is an address of Octavo's own pages, so that a link or a form may lead back there.

    >>> [is_local_path(path) for path in ("/search?q=a", "//other.example", "/\\\\\\\\other.example", "https://a.example")]
    [True, False, False, False]
    """
    return path.startswith("/") and path[1:2] not in ("/", "\\") and not _UNFIT.search(path)
