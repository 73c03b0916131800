"""Folders of files on GitHub: what is in one, and which versions of its files were had before.

What GitHub documents: the contents of a folder end at 1,000 files, a tree of git at 100,000, which it says by
`truncated`; without a key an address has 60 requests of the API in an hour, and what is refused then is 403 or 429
with `x-ratelimit-remaining: 0`. Files themselves come from another host, which has limits of its own and no number
for them.

git names a file's content by its SHA-1, and a tree lists these names. So one request tells which of a thousand files
have changed since they were fetched, and what comes can be proven to be whole.
"""

from __future__ import annotations

import difflib
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from octavo.errors import SourceError
from octavo.sources.base import Page
from octavo.sources.http_errors import FetchError
from octavo.sources.online import Fetcher, ShortError
from octavo.sources.packed import Meter, open_stream, unpacked
from octavo.sources.streams import Member

RATE = 1.0
"""Seconds between requests to one host; GitHub asks to make them one after the other, and gives no number."""
MAX_LIST = 16 * 1024 * 1024
_SHORT = 8
"""Digits of a version that are kept; two of a thousand files agree in them once in ten thousand folders."""


def files_in(url: str, fetcher: Fetcher) -> dict[str, str]:
    """The files of a folder, name to version, in the order of their names. `url` is that of its tree:
    `https://api.github.com/repos/OWNER/REPOSITORY/git/trees/BRANCH:FOLDER`.

    Raises:
        ShortError: GitHub says that the list is not whole.
        FetchError: as the fetcher says.
    """
    answer = fetcher.get(url, rate=RATE, expect=_is_tree, max_bytes=MAX_LIST, conditional=True)
    tree = _tree_of(answer.content)
    if tree.get("truncated"):
        raise ShortError(
            f"The list of files at {url} is longer than GitHub gives out.",
            hint="Name what you want of it, or get the repository and add it by `octavo add`.",
        )
    files = {
        entry["path"]: entry["sha"]
        for entry in tree["tree"]
        if isinstance(entry, dict)
        and entry.get("type") == "blob"
        and isinstance(entry.get("path"), str)
        and isinstance(entry.get("sha"), str)
    }
    return dict(sorted(files.items()))


def _tree_of(content: bytes) -> dict[str, Any]:
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return tree if isinstance(tree, dict) and isinstance(tree.get("tree"), list) else {}


def _is_tree(content: bytes) -> bool:
    return bool(_tree_of(content))


def version_of(content: bytes) -> str:
    """What git calls this content; a file that is large or small has no other."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def is_whole(version: str, looks_whole: Callable[[bytes], bool]) -> Callable[[bytes], bool]:
    """A check for `Fetcher.get`: the content is that of `version`, or at least looks whole.

    A file's host may be some minutes behind the list, so that another version is not wrong.
    """
    return lambda content: version_of(content) == version or looks_whole(content)


class Had:
    """The versions of files that were had and committed, as a cursor holds them: digits without anything between."""

    def __init__(self, cursor: str = "", files: Mapping[str, str] | None = None) -> None:
        """Read `cursor`. With `files` (name to version), forget what is no longer among them."""
        known = {cursor[at : at + _SHORT] for at in range(0, len(cursor) - len(cursor) % _SHORT, _SHORT)}
        self._known = known if files is None else known & {version[:_SHORT] for version in files.values()}

    def __contains__(self, version: str) -> bool:
        return version[:_SHORT] in self._known

    def add(self, version: str) -> None:
        """Count `version` among them."""
        self._known.add(version[:_SHORT])

    @property
    def cursor(self) -> str:
        """All of them."""
        return "".join(sorted(self._known))

    def forget(self, version: str) -> None:
        """Count `version` no longer among them."""
        self._known.discard(version[:_SHORT])


def harvest_files(
    files: Mapping[str, str],
    cursor: str,
    fetch: Callable[[str, str], bytes],
    pages: Callable[[Member], Iterator[Page]],
) -> Iterator[Page]:
    """Yield the pages of those `files` (name to version) that were not had, in order. The last page of a file has the
    cursor behind it, the others the one before it: what was left in its middle is fetched anew.

    `fetch` is given name and version. A file whose content is at fault costs itself: its error is raised at the end.

    Raises:
        ShortError: a file is listed, but not there: the host of the files is behind that of the list.
        SourceError: as `fetch` and `pages` say.
    """
    had = Had(cursor, files)
    late: list[str] = []
    first: SourceError | None = None
    fetched = 0
    for name, version in files.items():
        if version in had:
            continue
        try:
            content = fetch(name, version)
        except FetchError as error:
            if error.status != 404:
                raise
            late.append(name)
            continue
        before, came = had.cursor, version_of(content)
        had.add(came)
        try:
            for page in with_cursor(pages(member(name, content)), before, had.cursor):
                yield replace(page, done=fetched + page.done)
        except SourceError as fault:
            had.forget(came)
            first = first or fault
        fetched += len(content)
    if first is not None:
        raise first
    if late:
        raise ShortError(
            f"{len(late):,} of {len(files):,} files are listed, but not there yet: {', '.join(late[:3])}.",
            hint="Run it again in some minutes; what came is kept.",
        )


def with_cursor(pages: Iterator[Page], before: str, behind: str) -> Iterator[Page]:
    """The pages of one file: the last one leads `behind` it, all others, and all before a fault, `before` it."""
    held: Page | None = None
    try:
        for page in pages:
            if held is not None:
                yield replace(held, cursor=before)
            held = page
    except SourceError:
        if held is not None:
            yield replace(held, cursor=before)
        raise
    if held is not None:
        yield replace(held, cursor=behind)


def member(name: str, content: bytes) -> Member:
    """What was fetched, as a file is read: unpacked within limits where it is packed."""
    file = io.BytesIO(content)
    return Member(name, name, unpacked(open_stream(file, name), name, Meter(name, file.tell)), file.tell)


def like(name: str, names: Iterable[str]) -> list[str]:
    """Up to three of `names` that `name` may have been meant for."""
    return difflib.get_close_matches(name, names, 3, 0.7)


def not_there(error: FetchError, message: str, near: Iterable[str], hint: str) -> FetchError:
    """What to raise in the place of a 404, with what is `near` by name."""
    names = list(near)
    if names:
        hint = f"It has {' and '.join(filter(None, [', '.join(names[:-1]), names[-1]]))}. {hint}"
    return FetchError(message, url=error.url, status=error.status, tries=error.tries, hint=hint)
