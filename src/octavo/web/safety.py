"""What keeps other sites out of the pages: whose requests are answered, and what a browser may do with an answer.

The pages answer on loopback, which every site that the reader visits can send requests to. A name that leads here
(DNS rebinding) is refused by `Host`; a form sent from elsewhere by `Sec-Fetch-Site` and `Origin`; and a page may load
and run only what is Octavo's own, so that nothing a source wrote can run even if it got through.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Mapping
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


def is_own_host(header: str) -> bool:
    """Whether a `Host` header names this machine; any port will do, since a tunnel has another at its other end."""
    found = _HOST.fullmatch(header.strip())
    return found is not None and is_loopback(found[1])


def is_own_request(headers: Mapping[str, str]) -> bool:
    """Whether a request that carries something comes from a page of Octavo's own, or from no page at all.

    Browsers tell by `Sec-Fetch-Site`, older ones by `Origin`; both can't be set by a page. A program sends neither,
    and has no reader's cookies that could be misused.
    """
    site, origin = headers.get("sec-fetch-site"), headers.get("origin")
    if site is not None:
        return site in ("same-origin", "none")
    return origin is None or origin == f"http://{headers.get('host', '')}"


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
