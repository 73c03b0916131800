"""Where fetching may go: addresses that are valid, hosts of the public internet, redirects and proxies."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import urllib.request
from collections.abc import Mapping

import httpx

from octavo.sources.http_errors import FailedTry

_HOST = re.compile(r"[a-z0-9_][a-z0-9._-]*|[0-9a-f:.]+")
_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def site_of(host: str) -> str:
    """What a server's limits are meant for: all hosts of one domain together, as arXiv says of its own.

    >>> [site_of(host) for host in ("export.arxiv.org", "rss.arxiv.org", "127.0.0.1", "localhost", "[::1]")]
    ['arxiv.org', 'arxiv.org', '127.0.0.1', 'localhost', '[::1]']

    Two labels may be more than one owner's (`ac.uk`), who then share a pace: slower than need be, never too fast.
    """
    labels = host.rstrip(".").split(".")
    return host if not labels[-1].isalpha() or ":" in host else ".".join(labels[-2:])


def host_of(url: httpx.URL) -> str:
    """The host as it is asked for: in ASCII and small letters."""
    return url.raw_host.decode("ascii").lower()


def origin_of(url: httpx.URL) -> str:
    """Scheme, host and port: who gets what is sent there."""
    return f"{url.scheme}://{host_of(url)}:{url.port or ''}"


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """The headers, where they can be sent; the refusal does not say what is in them."""
    for name, value in headers.items():
        if not (value.isascii() and value.isprintable() and value == value.strip()):
            raise FailedTry(f"the header {name} has characters that can't be sent", refused=True)
    return dict(headers)


def checked_address(text: str | httpx.URL) -> httpx.URL:
    """The address, without its fragment, where it is one that Octavo goes to."""
    try:
        url = httpx.URL(text).copy_with(fragment=None)
        if url.scheme not in ("http", "https") or not url.host:
            raise FailedTry("it is not an http or https address", refused=True)
        if not _HOST.fullmatch(host_of(url)) or not 0 < (url.port or 80) < 65_536:
            raise FailedTry("it is not a valid address", refused=True)
        if url.userinfo:
            raise FailedTry("it has a user name or password in it", refused=True)
    except (httpx.InvalidURL, ValueError) as fault:
        raise FailedTry("it is not a valid address", refused=True) from fault
    return url


def next_address(url: httpx.URL, location: str) -> httpx.URL:
    """Where a redirect from `url` leads; refused where that is no http or https, or less safe than before."""
    try:
        stated = httpx.URL(location)
        # `join` would take `http:///` for a place on the same host.
        target = checked_address(stated if stated.scheme else url.join(stated))
    except (httpx.InvalidURL, ValueError) as fault:
        raise FailedTry("it was redirected to what is no valid address", refused=True) from fault
    if url.scheme == "https" and target.scheme != "https":
        raise FailedTry("it was redirected from https to http", refused=True)
    return target


def look_up(host: str, port: int) -> list[str]:
    """The IP addresses of a host, each once."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def is_public(address: str) -> bool:
    """Whether an IP address is one of the public internet, also one that is wrapped in another."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address):
        within = ip.ipv4_mapped or ip.sixtofour
        if ip in _NAT64:
            within = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if within is not None:
            return is_public(str(within))
        if ip.teredo is not None or ip.is_site_local:
            return False
    return ip.is_global and not ip.is_multicast and not ip.is_reserved


def may_be_named(host: str) -> bool:
    """Whether a host, known by its name only, may be asked of a proxy."""
    host = host.rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return False
    with contextlib.suppress(OSError):  # also 127.1, 0x7f000001 and 2130706433
        return is_public(socket.inet_ntoa(socket.inet_aton(host)))
    return ":" not in host or is_public(host)


def environment_proxy(url: httpx.URL) -> httpx.Proxy | None:
    """The proxy that the environment (or the system's settings) names for an address."""
    proxies = urllib.request.getproxies()
    named = proxies.get(url.scheme) or proxies.get("all")
    if not named or urllib.request.proxy_bypass(host_of(url)):
        return None
    try:
        proxy = httpx.Proxy(named if "://" in named else f"http://{named}")
    except (httpx.InvalidURL, ValueError) as fault:
        raise FailedTry("the proxy that the environment names is no valid address", again=False) from fault
    if proxy.url.scheme not in ("http", "https"):
        raise FailedTry("the environment names a proxy that is not an HTTP one", again=False)
    return proxy
