"""The ACL Anthology over the network: the XML files of its repository, as the Anthology's own library reads them.

A collection is one file (`data/xml/2024.acl.xml`), the largest of some ten megabytes. It is fetched whole and given
out in pages as a file on disk would be, with nothing else about venues: the repository keeps their names in a file a
venue since 2022, and neither way reads those. `all` costs one request for the list, and one for each collection that
has changed since it was fetched.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote

from octavo.errors import UsageError
from octavo.sources import github
from octavo.sources.base import Page
from octavo.sources.http_errors import FetchError
from octavo.sources.online import Ask, Fetcher, ShortError
from octavo.sources.streams import Member

ADDRESSES: Mapping[str, str] = {
    "xml": "https://raw.githubusercontent.com/acl-org/acl-anthology/master/data/xml",
    "list": "https://api.github.com/repos/acl-org/acl-anthology/git/trees/master:data/xml",
}
WANTS = "a collection, a volume or all: 2024.acl, 2024.acl-long, P18, all"
ALL = "all"
MAX_FILE = 48 * 1024 * 1024

Pages = Callable[[Member], Iterator[Page]]
"""How a file is made pages: that of the files on disk."""

_NEW = r"(?:19|20)[0-9]{2}\.[a-z0-9_]+"
_OLD = r"[a-z][0-9]{2}"
_COLLECTION = re.compile(rf"{_NEW}|{_OLD}")
_VOLUME = re.compile(rf"({_NEW})-([a-z0-9_]+)|({_OLD})-([0-9]{{1,2}})")
_PAPER = re.compile(rf"({_NEW}-[a-z0-9_]+)\.[0-9]+|({_OLD}-[0-9]{{4}})")
_EVENT = re.compile(r"([a-z0-9_]+)-((?:19|20)[0-9]{2})")
_SITE = re.compile(r"(?:https?://)?(?:www\.)?(?:aclanthology\.(?:org|info)|aclweb\.org)/([^?#]*).*", re.IGNORECASE)
_FOLDERS = ("anthology/", "volumes/", "events/")
_ENDING = re.compile(r"\.(?:xml|bib|pdf|html)\Z")
_COMMENT = re.compile(rb"<!--(?:[^-]|-(?!->))*-->", re.DOTALL)
_NUMBERED_SINCE = 2020
"""From this year on a collection's name says its venue, so that an event's name says its collection."""

# `<volume id="1">` holds papers; a `<volume>` without attributes is the number of a journal's volume.
_START = re.compile(rb"<volume\s[^<>]{0,2000}>")
_ID = re.compile(rb"\sid\s*=\s*[\"']([^\"'<>]*)[\"']")
_END = re.compile(rb"</collection\s*>\s*\Z")
_ROOT = re.compile(
    rb"(?:\s|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE[^<>]*>)*<collection[\s>]", re.DOTALL
)
_ALL_LISTED = "All are listed at https://aclanthology.org."


# What can be asked for


def want(text: str) -> str:
    """The one form of what a reader names: `2024.acl`, `2024.acl-long`, `P18`, `W18-05`, `all`.

    Takes addresses of the site's pages too. An event (`acl-2024`) is the collection of its venue, without what was
    held beside it.

    Raises:
        UsageError: it is none of these; of a paper the hint says its volume.
    """
    name = _ENDING.sub("", _name_in(text.strip()).lower())
    if name == ALL:
        return ALL
    if _COLLECTION.fullmatch(name):
        return _collection(name)
    if volume := _VOLUME.fullmatch(name):
        return _volume(volume[1] or volume[3], volume[2] or volume[4])
    if paper := _PAPER.fullmatch(name):
        raise UsageError(f"{text.strip()} is a paper.", hint=f"Name its volume: {_volume_of(paper)}.")
    if event := _EVENT.fullmatch(name):
        if int(event[2]) >= _NUMBERED_SINCE:
            return f"{event[2]}.{event[1]}"
        hint = f"Before {_NUMBERED_SINCE} collections have other names, as P18 for ACL 2018. {_ALL_LISTED}"
        raise UsageError(f"{text.strip()} does not say which collection it is.", hint=hint)
    raise UsageError(f"“{text.strip()[:60]}” is nothing that the ACL Anthology has.", hint=f"Name {WANTS}.")


def _name_in(text: str) -> str:
    """The last part of an address of the site; any other text as it is."""
    found = _SITE.fullmatch(text)
    if found is None:
        return text
    path = unquote(found[1]).strip("/") + "/"
    for folder in _FOLDERS:
        path = path.removeprefix(folder)
    return path.rstrip("/")


def _collection(name: str) -> str:
    return name if "." in name else name.upper()


def _volume(collection: str, volume: str) -> str:
    if "." in collection:
        return f"{collection}-{volume}"
    wide = collection[0] == "w"
    return f"{collection.upper()}-{volume.lstrip('0').zfill(2 if wide else 1)}"


def _volume_of(paper: re.Match[str]) -> str:
    if paper[1]:
        return paper[1]
    old: str = paper[2].upper()
    return old[:6] if old[0] == "W" else old[:5]


# Fetching


def harvest(ask: Ask, fetcher: Fetcher, pages: Pages) -> Iterator[Page]:
    """Yield the pages of what is wanted; see `OnlineSource.harvest`.

    A collection begins anew where it was left in its middle. One that has not changed since it was committed gives
    no page.
    """
    if ask.want == ALL:
        listed = github.files_in(ask.addresses["list"], fetcher)
        files = {name: version for name, version in listed.items() if _is_file(name)}
        yield from github.harvest_files(
            files, ask.cursor, lambda name, version: _fetched(name, version, ask, fetcher), pages
        )
        return
    collection, _, volume = ask.want.partition("-")
    content = _collection_file(collection, ask, fetcher)
    version = github.version_of(content)
    if version == ask.cursor:
        return
    if volume:
        content = _only(content, collection, volume)
    found = pages(github.member(f"{collection}.xml", content))
    yield from github.with_cursor(found, ask.cursor, version)


def _is_file(name: str) -> bool:
    return name.endswith(".xml") and _COLLECTION.fullmatch(name.removesuffix(".xml").lower()) is not None


def _collection_file(collection: str, ask: Ask, fetcher: Fetcher) -> bytes:
    try:
        return _fetched(f"{collection}.xml", "", ask, fetcher)
    except FetchError as error:
        if error.status != 404:
            raise
        near = github.like(collection, _collections(ask, fetcher))
        message = f"The ACL Anthology has no collection {collection}."
        raise github.not_there(error, message, near, _ALL_LISTED) from error


def _fetched(name: str, version: str, ask: Ask, fetcher: Fetcher) -> bytes:
    url = f"{ask.addresses['xml']}/{name}"
    expect = github.is_whole(version, _looks_whole)
    # What a list tells to have changed is not asked for conditionally: nothing is kept of a thousand files.
    return fetcher.get(url, rate=github.RATE, expect=expect, max_bytes=MAX_FILE, conditional=not version).content


def _looks_whole(content: bytes) -> bool:
    """Whether it is a collection to the end: no page about maintenance, and nothing that was cut."""
    tail = _COMMENT.sub(b"", content[-4096:])
    return _ROOT.match(content.removeprefix(b"\xef\xbb\xbf")) is not None and _END.search(tail) is not None


def _collections(ask: Ask, fetcher: Fetcher) -> list[str]:
    """All that there are; none where the list can't be had now."""
    try:
        files = github.files_in(ask.addresses["list"], fetcher)
    except (FetchError, ShortError):
        return []
    return [name.removesuffix(".xml") for name in files if _is_file(name)]


def _only(content: bytes, collection: str, volume: str) -> bytes:
    """A collection with one of its volumes, every line where it was.

    Raises:
        FetchError: it has no such volume.
    """
    starts = list(_START.finditer(content))
    names = [found[1].decode("utf-8", "replace") if (found := _ID.search(start[0])) else "" for start in starts]
    number = next((at for at, name in enumerate(names) if volume in (name, name.zfill(2))), None)
    if number is None:
        raise FetchError(
            f"{collection} has no volume {volume}.",
            url=f"https://aclanthology.org/volumes/{collection}-{volume}/",
            status=404,
            hint=f"It has {', '.join(filter(None, names)) or 'none'}.",
        )
    begin = starts[number].start()
    last = _END.search(content)
    end = starts[number + 1].start() if number + 1 < len(starts) else last.start() if last else len(content)
    first = starts[0].start()
    skipped = b"\n" * content.count(b"\n", first, begin)
    return content[:first] + skipped + content[begin:end] + (last[0] if last else b"")
