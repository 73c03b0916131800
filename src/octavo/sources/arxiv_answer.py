"""An answer of arXiv's as an XML tree, and which of its kinds it is.

The root and its namespace tell: anything else (a page that says that arXiv is down, another server's feed) is
refused, and so is a document that was cut off or that declares a document type. Nothing is fetched and no entity
is expanded. Elements are matched by local names, since some answers lack a namespace on the inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, tzinfo
from email.utils import parsedate_to_datetime
from enum import Enum
from typing import Any

from lxml import etree  # type: ignore[import-untyped,unused-ignore]

from octavo.errors import FormatError
from octavo.records.dates import PartialDate
from octavo.sources.base import Page
from octavo.sources.xml_stream import safe_parser

Element = Any
"""An element of lxml, which has no types of its own."""

_OAI = "http://www.openarchives.org/OAI/2.0/"
_ATOM = "http://www.w3.org/2005/Atom"
_OPENSEARCH = "{http://a9.com/-/spec/opensearch/"
_ARXIV = re.compile(r"(?:https?:)?//(?:[a-z0-9-]+\.)*arxiv\.org(?:[:/]|$)", re.IGNORECASE)
_PROLOG = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s|<\?(?:[^?]|\?(?!>))*\?>|<!--(?:[^-]|-(?!->))*-->)*", re.DOTALL)
_WEB_PAGE = re.compile(rb"<!doctype\s+html|<html", re.IGNORECASE)
# What XML may not hold: control characters, U+FFFE and U+FFFF, and references to them.
_ILLEGAL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]")
_REFERENCE = re.compile(rb"&#(?:x0*([0-9a-fA-F]{1,8})|0*([0-9]{1,8}));")
_AGAIN = "Get it again; arXiv may be down for a while."
_SHOWN = 200
_LONGEST_DATE = 64
_MAX_MARKS = 1_000_000
"""Tags and attributes of a page, whose tree takes a hundred bytes and more for each; arXiv's longest have a quarter."""


class Kind(Enum):
    """The kinds of answers that arXiv gives."""

    OAI = "OAI-PMH"
    FEED = "an announcement feed"
    API = "an answer of the query API"


def open_answer(page: Page, *kinds: Kind) -> tuple[Kind, Element]:
    """The page's root element, and the kind that it is of; one of `kinds` where any are given.

    Raises:
        FormatError: not well-formed (cut off, say), a document type, another kind, or no answer of arXiv's.
    """
    root = _tree(page)
    kind = _kind_of(root, page)
    if kinds and kind not in kinds:
        raise FormatError(f"{page.place} is {kind.value}, not {' or '.join(one.value for one in kinds)}.")
    return kind, root


def is_arxiv_answer(head: str) -> bool:
    """Whether the beginning of a file is plainly that of an answer of arXiv's."""
    found = re.match(r"\s*(?:(?:<\?[^>]*>|<!--(?:[^-]|-(?!->))*-->)\s*)*<(OAI-PMH|record|feed|rss)\b", head, re.DOTALL)
    if found is None:
        return False
    if found[1] in ("OAI-PMH", "record"):
        return _OAI in head and ("arXiv.org" in head or "arxiv.org" in head)
    # The text of any feed may name arXiv: what counts is the feed's own address, before its entries.
    return (
        _ARXIV.search(re.split(r"<(?:entry|item)\b", head, maxsplit=1)[0].replace("arxiv.org/schemas", "")) is not None
    )


def local_name(element: Element) -> str:
    """The name of an element without its namespace."""
    name: str = element.tag
    return name.rpartition("}")[2]


def children(element: Element, name: str) -> Iterator[Element]:
    """The children of that local name, in order."""
    return (child for child in element if local_name(child) == name)


def child(element: Element, name: str) -> Element | None:
    """The first child of that local name."""
    return next(children(element, name), None)


def text_of(element: Element | None) -> str:
    """All text inside an element, as it is; empty where there is none."""
    if element is None:
        return ""
    text: str = "".join(element.itertext()) if len(element) else element.text or ""
    return text


def child_text(element: Element, name: str) -> str:
    """The text of the first child of that local name, without the blanks around it."""
    return text_of(child(element, name)).strip()


def moment(text: str) -> datetime | None:
    """A point of time in ISO 8601 or RFC 822, in the zone that it was written in (UTC where none is named)."""
    text = text.strip()
    if len(text) > _LONGEST_DATE:
        return None
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            found = read(text)
            return found if found.tzinfo else found.replace(tzinfo=UTC)
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def day_in(when: datetime | None, zone: tzinfo | None = None) -> PartialDate | None:
    """The day of a point of time: in `zone`, else in the zone that it was written in."""
    if when is None or not 1000 < when.year < 2999:
        return None
    return PartialDate((when.astimezone(zone) if zone else when).date().isoformat())


def response_date(page: Page) -> datetime | None:
    """When arXiv made the answer: OAI's `responseDate`, Atom's `updated`, RSS's `lastBuildDate`; None where it is
    not said. It tells nothing of any paper.

    Raises:
        FormatError: no answer of arXiv's.
    """
    return made_at(open_answer(page)[1])


def made_at(root: Element) -> datetime | None:
    """As `response_date`, of a root that is open already."""
    name = {"OAI-PMH": "responseDate", "feed": "updated"}.get(local_name(root))
    if name is not None:
        return moment(child_text(root, name))
    channel = child(root, "channel")
    return moment(child_text(channel, "lastBuildDate")) if channel is not None else None


def _tree(page: Page) -> Element:
    if b"\0" in page.content[:4] or page.content.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FormatError(f"{page.place} is UTF-16 or UTF-32, which arXiv's answers never are.")
    start = _PROLOG.match(page.content)
    begins = page.content[start.end() if start else 0 :][:40]
    if _WEB_PAGE.match(begins):
        raise FormatError(f"{page.place} is a web page and no answer of arXiv's.", hint=_AGAIN)
    if begins[:9].upper() == b"<!DOCTYPE":
        raise FormatError(f"{page.place} declares a document type, which arXiv's answers never do.")
    if page.content.count(b"<") + page.content.count(b"=") > _MAX_MARKS:
        raise FormatError(f"{page.place} holds more elements than any answer of arXiv's.")
    try:
        root = _parsed(page.content)
    except etree.XMLSyntaxError as fault:
        mended = _mended(page.content)
        if mended == page.content:
            raise _broken(page, fault) from fault
        try:
            root = _parsed(mended)
        except etree.XMLSyntaxError as second:
            raise _broken(page, second) from second
    if root.getroottree().docinfo.internalDTD is not None:
        raise FormatError(f"{page.place} declares a document type, which arXiv's answers never do.")
    return root


def _parsed(content: bytes) -> Element:
    # UTF-8 whatever the document says of itself: in UTF-7, say, the bytes would not show a document type.
    return etree.fromstring(content, safe_parser("utf-8"))


def _broken(page: Page, fault: Any) -> FormatError:
    said = "".join(char if char.isprintable() else "?" for char in str(fault.msg)[:_SHOWN])
    return FormatError(f"{page.place} was cut off or is no XML: {said}.", hint="Get it again.")


def _mended(content: bytes) -> bytes:
    """Without the characters that XML may not hold, which now and then stand in an abstract."""
    return _REFERENCE.sub(_legal, _ILLEGAL.sub(b"", content))


def _legal(found: re.Match[bytes]) -> bytes:
    code = int(found[1], 16) if found[1] else int(found[2])
    if code in (0x9, 0xA, 0xD) or 0x20 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return found[0]
    return b"" if code < 0x20 or code in (0xFFFE, 0xFFFF) else "\ufffd".encode()


def _kind_of(root: Element, page: Page) -> Kind:
    if root.tag in (f"{{{_OAI}}}OAI-PMH", f"{{{_OAI}}}record"):
        return Kind.OAI
    if root.tag == f"{{{_ATOM}}}feed":
        if not _ARXIV.match(child_text(root, "id")):
            raise FormatError(f"{page.place} is a feed, but not one of arXiv's.")
        return Kind.API if any(str(part.tag).startswith(_OPENSEARCH) for part in root) else Kind.FEED
    channel = child(root, "channel")
    if root.tag == "rss" and channel is not None:
        address = child_text(channel, "link")
        if address and not _ARXIV.match(address):
            raise FormatError(f"{page.place} is a feed, but not one of arXiv's.")
        return Kind.FEED
    raise FormatError(
        f"{page.place} is no answer of arXiv's: its root element is {str(root.tag)[:_SHOWN]!r}.", hint=_AGAIN
    )
