"""XML files as pages of whole elements, and pages as elements: however large the file, and nobody's bomb.

A file is cut where an entry ends; entries are found by their tags, and lxml is shown one at a time. So memory is
that of a page, a broken entry costs itself, and no document type ever comes near a parser: nothing is loaded,
nothing that a document defines is expanded. Of named entities, HTML's fixed ones mean their character (DBLP's file
needs them); any other is a fault of its entry, and a file that declares entities of its own is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lxml import etree  # type: ignore[import-untyped,unused-ignore]

from octavo.errors import (
    EmptyFileError,
    EncodingError,
    FormatError,
    LimitError,
    SourceError,
    TruncatedFileError,
)
from octavo.sources.base import MAX_TEXT, Page
from octavo.sources.entries import BadEntry
from octavo.sources.streams import MAX_ENTRY, PAGE_BYTES, Context, Member, check_encoding
from octavo.sources.xml_characters import with_numbers, without_unfit

Element = Any
"""An element of lxml, which has no types of its own."""

ENCODING = "encoding"
"""The key of `Page.context` that names the encoding, where it is not UTF-8."""

_MAX_PROLOG = 64 * 1024
_AGAIN = "Get the file again."
_HINT = "Is it another source's? `octavo add --help` lists them."
_ENCODINGS = {
    **dict.fromkeys(("utf-8", "utf8", "us-ascii", "ascii"), "utf-8"),
    **dict.fromkeys(("iso-8859-1", "latin-1", "latin1"), "iso-8859-1"),
    "iso-8859-15": "iso-8859-15",
    "windows-1252": "windows-1252",
}
"""Those in which every sign of ASCII is its own byte, so that tags can be found in the bytes."""

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)

_SKIPPED = ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>"))
_DECLARED = re.compile(rb"<\?xml\s[^>]*?encoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_DOCTYPE = re.compile(rb"<!DOCTYPE(?:[^\[\]<>\"']|\"[^\"]*\"|'[^']*')*(?:\[(?:[^\]\"']|\"[^\"]*\"|'[^']*')*\]\s*)?>")
_NAME = re.compile(rb"[A-Za-z_][A-Za-z0-9_:.-]*")
# `<` may not stand in an attribute, so that no search goes further than the next tag.
_REST_OF_TAG = re.compile(rb"(?:[^<>\"'/]|/(?!>)|\"[^\"<]*\"|'[^'<]*')*(/?)>")


@dataclass(frozen=True)
class Shape:
    """Which elements of a kind of file are of interest. Names are in ASCII, without a prefix."""

    form: str
    """For errors: `DBLP's XML`."""
    roots: tuple[str, ...]
    entries: tuple[str, ...]
    """Elements that hold an entry; none is ever inside another."""
    around: tuple[str, ...] = ()
    """Elements around entries whose start tags count, the outer first: `volume`."""
    blocks: tuple[str, ...] = ()
    """Elements beside entries that are read whole: `meta`. What follows in a page is in their light."""
    pattern: re.Pattern[bytes] = field(init=False, repr=False, compare=False)
    """All tags that count."""
    end: re.Pattern[bytes] = field(init=False, repr=False, compare=False)
    """What follows the last entry of a file that is whole."""

    def __post_init__(self) -> None:
        """Compile the patterns of all tags that count."""
        roots, around = "|".join(self.roots), "|".join(self.around)
        names = "|".join((*self.roots, *self.entries, *self.blocks))
        # `<volume id="1">` is around papers; a `<volume>` without attributes is the number of a journal's volume.
        outer = rf"|({around})(?=\s)" if around else "|(?!)()"
        pattern = re.compile(rf"<(?:!--|!\[CDATA\[|\?|(/?)({names})(?=[\s/>]){outer})".encode())
        object.__setattr__(self, "pattern", pattern)
        end = re.compile(rf"[^<]*(?:<(?!!--|/(?:{roots})[\s>])[^<]*)*</(?:{roots})\s*>".encode())
        object.__setattr__(self, "end", end)


@dataclass(frozen=True, slots=True)
class Piece:
    """A whole element of the file as it stands there, or the start tag of one that is around entries."""

    name: str
    content: bytes
    line: int
    """Where it begins, counted from 1."""


def element_pages(member: Member, shape: Shape, *, context: Context = ()) -> Iterator[Page]:
    """Yield a member in pages of about PAGE_BYTES, each of whole entries, for `page_pieces` to take apart.

    Raises:
        EmptyFileError: nothing but blanks.
        EncodingError: an encoding that is not read.
        FormatError: no XML, another root, or entities of its own.
        LimitError: an entry longer than MAX_ENTRY.
        TruncatedFileError, CompressionError: after all complete entries.
    """
    encoding, line = _enter_root(member, shape)
    if encoding != "utf-8":
        context = (*context, (ENCODING, encoding))
    carried: dict[str, str] = {}
    held = bytearray()
    enough = PAGE_BYTES
    fault: SourceError | None = None
    more = True
    while more:
        try:
            chunk = member.stream.read()
        except SourceError as raised:
            fault, chunk = raised, b""
        more = bool(chunk)
        held += chunk
        if more and len(held) < enough:
            continue
        content = bytes(held)
        pieces, cut = _scan(content, shape, line)
        if cut:
            about = (*context, *carried.items())
            yield Page(content=content[:cut], place=member.place, line=line, done=member.done(), context=about)
            line += content.count(b"\n", 0, cut)
            del held[:cut]
        elif len(held) > MAX_ENTRY:
            raise LimitError(
                f"{member.place}: an entry behind line {line} is longer than {MAX_ENTRY >> 20} MB; reading stopped.",
                hint=f"Is it {shape.form}?",
            )
        enough = len(held) + PAGE_BYTES
        for piece in pieces:
            _carry(carried, piece, shape)
    if fault is None and not shape.end.match(_COMMENT.sub(b"", held)):
        fault = TruncatedFileError(f"{member.place} ends too early: its XML breaks off.", hint=_AGAIN)
    if fault is not None:
        raise fault


def page_pieces(page: Page, shape: Shape) -> Iterator[Piece]:
    """Yield the pieces of a page, in order; before them those of earlier pages in whose light they stand."""
    for name, content in page.context:
        if name in shape.around or name in shape.blocks:
            yield Piece(name, content.encode("iso-8859-1"), page.line)
    pieces, _ = _scan(page.content, shape, page.line or 1)
    yield from pieces


def read_element(piece: Piece, encoding: str = "utf-8") -> Element:
    """The piece as an element of lxml; comments and instructions are left out, and what no XML may hold.

    Raises:
        BadEntry: it is not well-formed, or holds an entity that is not among HTML's.
    """
    content = with_numbers(piece.content)
    if content.endswith(b">") and not content.endswith(b"/>") and b"</" not in content:
        content = content[:-1] + b"/>"  # a start tag
    try:
        return etree.fromstring(content, safe_parser(encoding))
    except etree.XMLSyntaxError as fault:
        fit = without_unfit(content, encoding)
        if fit == content:
            raise BadEntry(_reason(fault, encoding)) from None
    try:
        return etree.fromstring(fit, safe_parser(encoding))
    except etree.XMLSyntaxError as fault:
        raise BadEntry(_reason(fault, encoding)) from None


def page_encoding(page: Page) -> str:
    """The encoding of a page's bytes."""
    return dict(page.context).get(ENCODING, "utf-8")


def inner_xml(element: Element, name: str = "") -> str:
    """What is inside an element as XML, for `Text.of(..., "xml")`; empty for None.

    Raises:
        BadEntry: it is longer than MAX_TEXT; `name` says in its reason what it is.
    """
    if element is None:
        return ""
    text: str = element.text or ""
    if len(element) or "&" in text or "<" in text:
        whole: str = etree.tostring(element, encoding="unicode", with_tail=False)
        text = whole[whole.index(">") + 1 : whole.rindex("<")]
    if len(text) > MAX_TEXT:
        raise BadEntry(f"{name or element.tag} is longer than {MAX_TEXT:,} characters")
    return text


def flat_text(element: Element) -> str:
    """All characters inside an element, without tags; empty for None. Raises BadEntry as `inner_xml` does."""
    if element is None:
        return ""
    text: str = "".join(element.itertext()) if len(element) else element.text or ""
    if len(text) > MAX_TEXT:
        raise BadEntry(f"{element.tag} is longer than {MAX_TEXT:,} characters")
    return text


# The start of a file


def _enter_root(member: Member, shape: Shape) -> tuple[str, int]:
    """Read up to the root's tag; return the encoding and the number of the line there."""
    check_encoding(member)
    head = member.stream.peek(_MAX_PROLOG)
    at = _blanks(head, 0)
    if at == len(head) < _MAX_PROLOG:
        raise _fault_of(member, head) or EmptyFileError(f"{member.place} is empty.", hint=_AGAIN)
    declared = _DECLARED.match(head, at)
    encoding = _known_encoding(member.place, declared[1].decode() if declared else "utf-8")
    at = _root(member, head, at, shape)
    name = _NAME.match(head, at + 1) if head.startswith(b"<", at) else None
    shown = name[0].decode() if name else ""
    if shown not in shape.roots:
        what = f"its root is <{shown[:40]}>" if shown else f"it begins with {head[at : at + 20]!r}"
        cut = _fault_of(member, head) if b">" not in head[at:] else None
        raise cut or FormatError(f"{member.place} is not {shape.form}: {what}.", hint=_HINT)
    member.stream.read_exactly(at)
    return encoding, head.count(b"\n", 0, at) + 1


def _fault_of(member: Member, head: bytes) -> SourceError | None:
    """The fault that ended the member behind `head`, if one did."""
    member.stream.read_exactly(len(head))
    try:
        member.stream.read()
    except SourceError as fault:
        return fault
    return None


def _blanks(head: bytes, at: int) -> int:
    while at < len(head) and head[at] in b" \t\r\n":
        at += 1
    return at


def _known_encoding(place: str, name: str) -> str:
    encoding = _ENCODINGS.get(name.lower())
    if encoding is None:
        raise EncodingError(f"{place} says that it is {name}, which is not read.", hint="Save it as UTF-8.")
    return encoding


def _root(member: Member, head: bytes, at: int, shape: Shape) -> int:
    """Where the root begins, behind declarations, comments and a document type without entities."""
    while True:
        at = _blanks(head, at)
        if head.startswith(b"<!DOCTYPE", at):
            found = _DOCTYPE.match(head, at)
            close, end = (found.end() if found else -1), b""
            if b"<!ENTITY" in head[at : close if close >= 0 else len(head)]:
                raise FormatError(
                    f"{member.place} declares entities of its own, which are never expanded.",
                    hint="The sites' own files have none in them.",
                )
        else:
            end = next((end for begin, end in _SKIPPED if head.startswith(begin, at)), b"")
            if not end:
                return at
            close = head.find(end, at)
        if close < 0:
            raise _fault_of(member, head) or FormatError(
                f"{member.place} is not {shape.form}: no element in its first {len(head):,} bytes.", hint=_HINT
            )
        at = close + len(end)


# Taking apart


def _scan(content: bytes, shape: Shape, line: int) -> tuple[list[Piece], int]:
    """The pieces of `content`, which begins in `line`, and the end of the last one.

    An entry in which another begins was left open: it ends there, for `read_element` to refuse.
    """
    scan = _Scan(content, shape, line)
    at = 0
    while at >= 0 and (found := shape.pattern.search(content, at)):
        name = (found[2] or found[3] or b"").decode()
        if not name:
            end = next(end for begin, end in _SKIPPED if begin == found[0])
            close = content.find(end, found.end())
            at = close + len(end) if close >= 0 else -1
        elif found[1]:
            at = scan.end_tag(name, found)
        else:
            at = scan.start_tag(name, found)
    return scan.pieces, scan.cut


class _Scan:
    """What is open at a place of some content, and what was complete before it."""

    def __init__(self, content: bytes, shape: Shape, line: int) -> None:
        self.pieces: list[Piece] = []
        self.cut = 0
        """The end of the last piece."""
        self._content = content
        self._entries = frozenset(shape.entries)
        self._blocks = frozenset(shape.blocks)
        self._around = frozenset(shape.around)
        self._line = line
        self._counted = 0
        self._opened = ""
        """The name of the element that is open."""
        self._start = 0

    def end_tag(self, name: str, found: re.Match[bytes]) -> int:
        """Take an end tag; return where to go on, -1 where the content breaks off in it."""
        if name != self._opened:
            if name not in self._blocks:
                self._close(found.start())  # such as the root's, with an entry left open
            return found.end()
        end = self._content.find(b">", found.end()) + 1
        if not end:
            return -1
        self._close(end)
        return end

    def start_tag(self, name: str, found: re.Match[bytes]) -> int:
        """Take a start tag; return where to go on, -1 where the content breaks off in it."""
        at = found.end()
        if self._opened in self._blocks and name not in self._entries:
            return at  # such as the `meta` of an event
        tag = _REST_OF_TAG.match(self._content, at)
        if tag is None and self._content.find(b"<", at) < 0:
            return -1
        self._close(found.start())
        at = tag.end() if tag else at
        is_whole = name in self._entries or name in self._blocks
        if is_whole or name in self._around:
            self._opened, self._start = name, found.start()
            if not is_whole or (tag and tag[1]):
                self._close(at)
        return at

    def _close(self, end: int) -> None:
        """End the element that is open, if one is."""
        if not self._opened:
            return
        self._line += self._content.count(b"\n", self._counted, self._start)
        self._counted, self.cut = self._start, end
        self.pieces.append(Piece(self._opened, self._content[self._start : end], self._line))
        self._opened = ""


def _carry(carried: dict[str, str], piece: Piece, shape: Shape) -> None:
    """Keep what later pages have to know; a new volume ends what was said of the last one."""
    order = (*shape.around, *shape.blocks)
    if piece.name not in order:
        return
    for name in order[order.index(piece.name) :]:
        carried.pop(name, None)
    carried[piece.name] = piece.content.decode("iso-8859-1")


# Reading


@lru_cache(maxsize=8)
def safe_parser(encoding: str) -> Any:
    """The only way in which Octavo lets lxml read XML: no network, no DTD, no entity that the document defines, no tree
    beyond lxml's limits. `encoding` holds whatever the document says of itself."""
    return etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        dtd_validation=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _reason(fault: Any, encoding: str) -> str:
    message = str(fault)
    if message.startswith("Entity "):
        return "an entity that is not defined"
    if "encod" in message.lower():
        return f"not {encoding.upper()}"
    return "not well-formed XML"
