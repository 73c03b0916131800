"""The ML Anthology over the network: the lists of its repository, one gzipped file a venue and year.

A list is some megabytes at most. `icml` and `all` cost one request for the names, and one for each list that has
changed since it was fetched; the Anthology itself changes four times a year.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote

from octavo.errors import UsageError
from octavo.sources import github
from octavo.sources.base import Page
from octavo.sources.http_errors import FetchError
from octavo.sources.online import Ask, Fetcher, ShortError
from octavo.sources.packed import MAX_RATIO, RATIO_FLOOR
from octavo.sources.streams import Member

# HEAD is whatever branch the repository's owner has made its main one.
ADDRESSES: Mapping[str, str] = {
    "data": "https://raw.githubusercontent.com/rbnyng/mlanthology/HEAD/data/papers",
    "list": "https://api.github.com/repos/rbnyng/mlanthology/git/trees/HEAD:data/papers",
}
WANTS = "a venue's year, a venue or all: icml-2025, icml, all"
ALL = "all"
MAX_FILE = 48 * 1024 * 1024

_SITE = re.compile(r"(?:https?://)?(?:www\.)?mlanthology\.org/([^?#]*).*", re.IGNORECASE)
_WANT = re.compile(r"([a-z][a-z0-9]*?)(?:[-_/ ]?((?:19|20)[0-9]{2}))?(?:\.json(?:\.gz)?)?")
_FILE = re.compile(r"([a-z][a-z0-9]*)-[0-9]{4}\.json\.gz")
_ALL_LISTED = "All are listed at https://mlanthology.org."
_CHUNK = 1024 * 1024
_GZIP = b"\x1f\x8b"


def want(text: str) -> str:
    """The one form of what a reader names: `icml-2025`, `icml`, `all`.

    Takes `ICML 2025`, a list's file name, and addresses of the site's pages too.

    Raises:
        UsageError: it is none of these.
    """
    name = text.strip()
    if address := _SITE.fullmatch(name):
        name = "/".join(unquote(address[1]).strip("/").split("/")[:2])  # behind venue and year is a paper
    found = _WANT.fullmatch(name.lower())
    if found is None:
        raise UsageError(f"“{text.strip()[:60]}” is nothing that the ML Anthology has.", hint=f"Name {WANTS}.")
    return f"{found[1]}-{found[2]}" if found[2] else found[1]


def harvest(ask: Ask, fetcher: Fetcher, pages: Callable[[Member], Iterator[Page]]) -> Iterator[Page]:
    """Yield the pages of what is wanted; see `OnlineSource.harvest`.

    A list begins anew where it was left in its middle. One that has not changed since it was committed gives no page.
    """
    if "-" not in ask.want:
        files = _wanted_files(ask, fetcher)
        yield from github.harvest_files(
            files, ask.cursor, lambda name, version: _fetched(name, version, ask, fetcher), pages
        )
        return
    name = f"{ask.want}.json.gz"
    try:
        content = _fetched(name, "", ask, fetcher)
    except FetchError as error:
        if error.status != 404:
            raise
        raise github.not_there(
            error, f"The ML Anthology has no list {ask.want}.", _near(ask, fetcher), _ALL_LISTED
        ) from error
    version = github.version_of(content)
    if version != ask.cursor:
        yield from github.with_cursor(pages(github.member(name, content)), ask.cursor, version)


def _wanted_files(ask: Ask, fetcher: Fetcher) -> dict[str, str]:
    listed = github.files_in(ask.addresses["list"], fetcher)
    venues = {name: found[1] for name in listed if (found := _FILE.fullmatch(name))}
    files = {name: listed[name] for name, venue in venues.items() if ask.want in (ALL, venue)}
    if not files:
        near = github.like(ask.want, sorted(set(venues.values())))
        error = FetchError("", url=ask.addresses["list"], status=404)
        raise github.not_there(error, f"The ML Anthology has no venue {ask.want}.", near, _ALL_LISTED)
    return files


def _near(ask: Ask, fetcher: Fetcher) -> list[str]:
    """Lists of like names: those of the venue first; none where the names can't be had now."""
    try:
        names = [name.removesuffix(".json.gz") for name in github.files_in(ask.addresses["list"], fetcher)]
    except (FetchError, ShortError):
        return []
    return github.like(ask.want, names)


def _fetched(name: str, version: str, ask: Ask, fetcher: Fetcher) -> bytes:
    url = f"{ask.addresses['data']}/{name}"
    expect = github.is_whole(version, _looks_whole)
    # What a list tells to have changed is not asked for conditionally: nothing is kept of hundreds of files.
    return fetcher.get(url, rate=github.RATE, expect=expect, max_bytes=MAX_FILE, conditional=not version).content


def _looks_whole(content: bytes) -> bool:
    """Whether it is a gzip to its end, or (where a host unpacked it on the way) JSON: no page about maintenance, and
    nothing that was cut. What unpacks to absurdly much is left to the reading, which says so."""
    if not content.startswith(_GZIP):
        try:
            return isinstance(json.loads(content), dict)
        except (ValueError, RecursionError):
            return False
    decompressor, data, unpacked = zlib.decompressobj(31), content, 0
    try:
        while data and not decompressor.eof:
            unpacked += len(decompressor.decompress(data, _CHUNK))
            if unpacked > max(RATIO_FLOOR, MAX_RATIO * len(content)):
                return True
            data = decompressor.unconsumed_tail
    except zlib.error:
        return False
    return decompressor.eof
