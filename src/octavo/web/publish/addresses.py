"""Addresses of the server's pages as relative links to files: the pages are written as for the server, then this."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape, unescape
from urllib.parse import quote, unquote

_LINK = re.compile(
    r'(<p>\s*)?<a\b((?:[^>"]|"[^"]*")*?)\shref="(/[^"]*)"((?:[^>"]|"[^"]*")*)>(.*?)</a>(\s*</p>)?', re.DOTALL
)
"""A link of the site's own, and whether it is a paragraph by itself. Links hold no links, and templates and nh3 write
attributes in double quotes."""
_KEPT = re.compile(r'\s(?:class|lang|dir|title)="[^"]*"')
_ASKED = re.compile(r"/authors/(.*)", re.DOTALL)


def relative(target: str, at: str) -> str:
    """The link from the file `at` to the file `target`, both named from the site's root.

    >>> relative("zh/paper/a.html", "zh/topic/b.html"), relative("index.html", "index.html")
    ('../paper/a.html', 'index.html')
    """
    here, there = at.split("/")[:-1], target.split("/")
    shared = 0
    while shared < min(len(here), len(there) - 1) and here[shared] == there[shared]:
        shared += 1
    return quote("/".join([".."] * (len(here) - shared) + there[shared:]))


def root_of(at: str) -> str:
    """The way from a file to the folder that it is named from.

    >>> root_of("index.html"), root_of("zh/paper/a.html")
    ('', '../../')
    """
    return "../" * at.count("/")


def relinked(html: str, at: str, file_of: Callable[[str], str | None]) -> str:
    """A page whose links of the server's own lead to files; a link without a file stays as its text.

    Args:
        html: The page, as the templates write it.
        at: The file that it will be.
        file_of: The file for an address, None where the site has none.
    """

    def link(found: re.Match[str]) -> str:
        begin, before, address, after, inside, end = found.groups(default="")
        name, hash_sign, place = unescape(address).partition("#")
        target = file_of(name)
        if target is not None:
            href = escape(relative(target, at) + hash_sign + quote(place))
            return f'{begin}<a{before} href="{href}"{after}>{inside}</a>{end}'
        if begin and end:
            return ""  # a line that only led there
        kept = "".join(_KEPT.findall(before + after))
        return f"{begin}<span{kept}>{inside}</span>{end}" if kept else begin + inside + end

    return _LINK.sub(link, html)


def finder(
    files: Mapping[str, str], folder: str = "", authors: Mapping[str, str] | None = None
) -> Callable[[str], str | None]:
    """What gives the file for an address.

    Args:
        files: Files by their addresses.
        folder: The folder of a language, with a slash at its end; empty for the first one.
        authors: The address of an author's page by the name.
    """

    def file_of(address: str) -> str | None:
        if asked := _ASKED.fullmatch(address):
            address = (authors or {}).get(unquote(asked[1]), "")
        found = files.get(address)
        return folder + found if found is not None else None

    return file_of
