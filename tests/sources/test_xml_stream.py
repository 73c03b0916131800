"""XML as pages of whole elements: `octavo.sources.xml_stream`."""

from __future__ import annotations

import gzip
import tracemalloc
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from octavo.sources.streams import MAX_ENTRY, PAGE_BYTES, fetch_pages, open_members
from octavo.sources.xml_stream import (
    Piece,
    Shape,
    element_pages,
    flat_text,
    inner_xml,
    page_encoding,
    page_pieces,
    read_element,
)

SHAPE = Shape(
    form="a list of tiles", roots=("tiles",), entries=("tile", "slab"), around=("box",), blocks=("meta", "event")
)


def pages_of(tmp_path: Path, content: bytes, name: str = "tiles.xml") -> list[Page]:
    path = tmp_path / name
    path.write_bytes(content)
    with open_members(path) as members:
        return [page for member in members for page in element_pages(member, SHAPE)]


def pieces_of(content: bytes) -> list[Piece]:
    return list(page_pieces(Page(content, "tiles.xml", line=1), SHAPE))


def named(content: bytes) -> list[tuple[str, bytes]]:
    return [(piece.name, piece.content) for piece in pieces_of(content)]


def test_entries_are_found_with_their_lines() -> None:
    content = b'<tiles>\n<tile id="1">\n<a/>\n</tile><slab/>\n\n<tile>x</tile >\n</tiles>'
    assert [(piece.name, piece.content, piece.line) for piece in pieces_of(content)] == [
        ("tile", b'<tile id="1">\n<a/>\n</tile>', 2),
        ("slab", b"<slab/>", 4),
        ("tile", b"<tile>x</tile >", 6),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"<tiled>x</tiled><tile>y</tile>", [("tile", b"<tile>y</tile>")]),
        (b"<!-- <tile>no</tile> --><tile>y</tile>", [("tile", b"<tile>y</tile>")]),
        (b"<tile><!-- </tile> --></tile>", [("tile", b"<tile><!-- </tile> --></tile>")]),
        (b"<tile><![CDATA[</tile>]]></tile>", [("tile", b"<tile><![CDATA[</tile>]]></tile>")]),
        (b"<?x <tile> ?><slab/>", [("slab", b"<slab/>")]),
        (b"<tile a=\">\" b='/>'>x</tile>", [("tile", b"<tile a=\">\" b='/>'>x</tile>")]),
        (b"<tile a='/'/>", [("tile", b"<tile a='/'/>")]),
        # One that was left open ends where the next begins, and costs itself only.
        (b"<tile>a<tile>b</tile>", [("tile", b"<tile>a"), ("tile", b"<tile>b</tile>")]),
        (b"<tile>a<slab>b</slab>", [("tile", b"<tile>a"), ("slab", b"<slab>b</slab>")]),
        (b"<tile>a</tiles>", [("tile", b"<tile>a")]),
        (b'<tile a="<slab>b</slab>', [("tile", b'<tile a="'), ("slab", b"<slab>b</slab>")]),
        (b"</tile><tile>a</tile>", [("tile", b"<tile>a</tile>")]),
        # What is around entries counts with attributes only, and never inside of a block.
        (b'<box id="1"><box>3</box><tile/>', [("box", b'<box id="1">'), ("tile", b"<tile/>")]),
        (b"<meta><box>3</box></meta>", [("meta", b"<meta><box>3</box></meta>")]),
        (b"<event><meta>a</meta></event>", [("event", b"<event><meta>a</meta></event>")]),
        (b"<meta>a<tile>b</tile>", [("meta", b"<meta>a"), ("tile", b"<tile>b</tile>")]),
        # What breaks off is none.
        (b"<tile>a</tile><tile>b", [("tile", b"<tile>a</tile>")]),
        (b"<tile>a</tile><tile", [("tile", b"<tile>a</tile>")]),
        (b"<tile>a</tile><tile x='", [("tile", b"<tile>a</tile>")]),
        (b"<tile>a</tile><!-- <tile/>", [("tile", b"<tile>a</tile>")]),
        (b"", []),
    ],
)
def test_content_is_taken_apart_by_its_tags(content: bytes, expected: list[tuple[str, bytes]]) -> None:
    assert named(content) == expected


@given(st.lists(st.sampled_from([b"<tile>", b"</tile>", b"<slab/>", b"<box id='1'>", b"<meta>", b"</meta>", b"</tiles>",
                                 b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<tile a='", b"'", b'"', b">", b"x", b"\n", b"&"])))  # fmt: skip
def test_pieces_are_in_order_and_apart_whatever_the_content(parts: list[bytes]) -> None:
    content = b"".join(parts)
    at = 0
    for piece in pieces_of(content):
        at = content.index(piece.content, at) + len(piece.content)
        assert piece.content.startswith(b"<" + piece.name.encode())
        assert piece.line == content.count(b"\n", 0, at - len(piece.content)) + 1


def test_large_file_is_cut_where_entries_end(tmp_path: Path) -> None:
    """H07: memory is that of a page."""
    tile = b"<tile>" + b"lay " * 500 + b"</tile>\n"
    n = 4 * PAGE_BYTES // len(tile)
    content = b'<tiles>\n<box id="7">\n<meta>of seven</meta>\n' + tile * n + b"</tiles>"
    pages = pages_of(tmp_path, content)
    assert len(pages) >= 4
    assert all(len(page.content) < 2 * PAGE_BYTES for page in pages)
    pieces = [piece for page in pages for piece in page_pieces(page, SHAPE)]
    assert sum(piece.name == "tile" for piece in pieces) == n
    assert max(piece.line for piece in pieces) == n + 3
    for page in pages[1:]:
        begin = [(piece.name, piece.content) for piece in page_pieces(page, SHAPE)][:2]
        assert begin == [("box", b'<box id="7">'), ("meta", b"<meta>of seven</meta>")]


def test_new_box_ends_what_was_said_of_the_last_one(tmp_path: Path) -> None:
    tile = b"<tile>" + b"lay " * 500 + b"</tile>\n"
    n = PAGE_BYTES // len(tile) + 10
    boxes = b'<box id="1"><meta>one</meta>' + tile * n + b'<box id="2">' + tile * n * 2
    last = list(page_pieces(pages_of(tmp_path, b"<tiles>" + boxes + b"</tiles>")[-1], SHAPE))
    assert (last[0].name, last[0].content) == ("box", b'<box id="2">')
    assert all(piece.name != "meta" for piece in last)


def test_memory_stays_small_when_the_file_is_large(tmp_path: Path) -> None:
    """H07."""
    path = tmp_path / "tiles.xml.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"<tiles>")
        for number in range(60_000):
            file.write(b"<tile>%d %s</tile>\n" % (number, b"of the greedy layout " * 25))
        file.write(b"</tiles>")
    tracemalloc.start()
    n = 0
    with open_members(path) as members:
        for page in (page for member in members for page in element_pages(member, SHAPE)):
            n += sum(read_element(piece).text is not None for piece in page_pieces(page, SHAPE))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n == 60_000
    assert peak < 16 * 1024 * 1024  # of 32 MB


BOMB = (
    b'<!DOCTYPE tiles [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    b"<tiles><tile>&b;</tile></tiles>"
)


@pytest.mark.parametrize(
    "content",
    [
        BOMB,
        b"<?xml version='1.0'?>\n<!-- x -->" + BOMB,
        b'<!DOCTYPE tiles SYSTEM "tiles.dtd" [ <!ENTITY f SYSTEM "file:///etc/hostname"> ]><tiles><tile>&f;</tile></tiles>',
        b'<!DOCTYPE tiles [<!ENTITY % p SYSTEM "http://127.0.0.1/x.dtd"> %p;]><tiles><tile>x</tile></tiles>',
        b'<!DOCTYPE tiles [<!ENTITY a "x">' + b"<tiles><tile>&a;</tile></tiles>",
    ],
)
def test_file_with_entities_of_its_own_is_refused(tmp_path: Path, content: bytes) -> None:
    """F07."""
    with pytest.raises(FormatError, match="declares entities of its own"):
        pages_of(tmp_path, content)


def test_entity_of_the_file_is_never_expanded_when_it_comes_to_parsing() -> None:
    """F07: also where a page is made by other hands."""
    (piece,) = pieces_of(BOMB)
    with pytest.raises(BadEntry, match="an entity that is not defined"):
        read_element(piece)


def test_document_type_without_entities_is_passed_over(tmp_path: Path) -> None:
    """F07: DBLP's names another file, which is never opened."""
    head = b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE tiles SYSTEM "tiles.dtd" [<!ELEMENT tile ANY>]>\n'
    (page,) = pages_of(tmp_path, head + b"<tiles><tile>J&uuml;rg Marr&ograve;, Zo\xeb</tile></tiles>")
    assert page_encoding(page) == "iso-8859-1"
    (piece,) = page_pieces(page, SHAPE)
    assert piece.line == 3
    assert read_element(piece, page_encoding(page)).text == "Jürg Marrò, Zoë"


@pytest.mark.parametrize(
    ("inside", "text"),
    [
        (b"&Uuml;&szlig;&times;&micro;&reg;&yuml;", "Üß×µ®ÿ"),
        (b"&alpha;&ndash;&hellip;", "α–…"),
        (b"&amp;uuml; &lt;i&gt; &quot;&apos;", "&uuml; <i> \"'"),
        (b"&#252;&#xFC;", "üü"),
    ],
)
def test_names_and_numbers_of_characters_are_read(inside: bytes, text: str) -> None:
    assert read_element(Piece("tile", b"<tile>" + inside + b"</tile>", 1)).text == text


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        (b"<tile>Deep\x00 nets\x0b and&#0;&#xFFFE;&#11; trees</tile>", "utf-8", "Deep nets and trees"),
        ("<tile>\ufffea\uffff</tile>".encode(), "utf-8", "a"),
        (b"<tile>\xed\xa0\xb5 bold&#xD835;</tile>", "utf-8", "\ufffd bold\ufffd"),
        (b"<tile>Zo\xeb\x0c &#9;x</tile>", "iso-8859-1", "Zo\xeb \tx"),
    ],
)
def test_characters_that_no_xml_may_hold_are_taken_out(content: bytes, encoding: str, text: str) -> None:
    """C11, C12."""
    assert read_element(Piece("tile", content, 1), encoding).text == text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"<tile>&zap;</tile>", "an entity that is not defined"),
        (b"<tile>a & b</tile>", "not well-formed XML"),
        (b"<tile><a></tile>", "not well-formed XML"),
        (b"<tile>\x01<a></tile>", "not well-formed XML"),
        (b"<tile>" + b"<a>" * 100_000 + b"</a>" * 100_000 + b"</tile>", "not well-formed XML"),
        (b"<tile>Zo\xeb x</tile>", "not UTF-8"),
        (b"<tile>" + b"x" * 11_000_000 + b"</tile>", "not well-formed XML"),
    ],
)
def test_entry_that_cannot_be_read_is_a_bad_one(content: bytes, reason: str) -> None:
    with pytest.raises(BadEntry, match=reason):
        read_element(Piece("tile", content, 1))


def test_inside_of_an_element_is_given_as_xml_and_flat() -> None:
    element = read_element(Piece("tile", b'<tile a="&gt;">a &lt; <i>b</i> &amp; c<!-- no --></tile>', 1))
    assert inner_xml(element) == "a &lt; <i>b</i> &amp; c"
    assert flat_text(element) == "a < b & c"
    assert (inner_xml(None), flat_text(None)) == ("", "")


def test_text_past_the_limit_is_refused() -> None:
    """C15."""
    element = read_element(Piece("tile", b"<tile>" + b"x" * (MAX_TEXT + 1) + b"</tile>", 1))
    for read in (inner_xml, flat_text):
        with pytest.raises(BadEntry, match="tile is longer than 200,000 characters"):
            read(element)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b" \n\t ", EmptyFileError, "is empty"),
        (b"plain text", FormatError, "is not a list of tiles: it begins with b'plain text'"),
        (b"<html><tile/></html>", FormatError, "its root is <html>"),
        (b'<?xml version="1.0"?>', FormatError, "it begins with b''"),
        (b"<!-- never", FormatError, "no element in its first 10 bytes"),
        (b"<!DOCTYPE tiles", FormatError, "no element in its first 15 bytes"),
        (b'<?xml version="1.0" encoding="Shift_JIS"?><tiles/>', EncodingError, "says that it is Shift_JIS"),
        ("<tiles/>".encode("utf-16"), EncodingError, "UTF-16"),
        (b"<tiles><tile>a</tile>", TruncatedFileError, "ends too early: its XML breaks off"),
        (b"<tiles><tile>a</tile><tile>b", TruncatedFileError, "ends too early"),
        (b"<tiles><tile>a</tile><!-- </tiles>", TruncatedFileError, "ends too early"),
        (gzip.compress(b"<tiles><tile>a</tile></tiles>", mtime=0)[:-12], TruncatedFileError, "its gzip is cut"),
        (gzip.compress(b"<!-- much -->" * 9, mtime=0)[:12], TruncatedFileError, "its gzip is cut"),
    ],
)
def test_file_that_cannot_be_read_says_why(
    tmp_path: Path, content: bytes, error: type[SourceError], message: str
) -> None:
    with pytest.raises(error) as raised:
        pages_of(tmp_path, content)
    assert message in str(raised.value)
    assert "tiles.xml" in str(raised.value)


def test_what_is_complete_is_given_out_before_the_fault(tmp_path: Path) -> None:
    path = tmp_path / "tiles.xml"
    path.write_bytes(b"<tiles><tile>a</tile><tile>b</tile><tile>c")
    pages: list[Page] = []
    with pytest.raises(TruncatedFileError):
        pages.extend(fetch_pages(path, partial(element_pages, shape=SHAPE)))  # what came before the fault is kept
    assert [piece.content for page in pages for piece in page_pieces(page, SHAPE)] == [
        b"<tile>a</tile>",
        b"<tile>b</tile>",
    ]


def test_entry_without_an_end_is_stopped_at_a_limit(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match="an entry behind line 1 is longer than 16 MB"):
        pages_of(tmp_path, b"<tiles>\n<tile>" + b"x" * (MAX_ENTRY + 2 * PAGE_BYTES))


@pytest.mark.parametrize("content", [b"\xef\xbb\xbf<tiles><tile/></tiles>", b"\n <!-- a --> <?b c?>\n<tiles><tile/></tiles>\n<!-- d -->"])  # fmt: skip
def test_what_is_before_the_root_is_passed_over(tmp_path: Path, content: bytes) -> None:
    (page,) = pages_of(tmp_path, content)
    assert [piece.content for piece in page_pieces(page, SHAPE)] == [b"<tile/>"]


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused_with_a_reason(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any.xml"
    for content in (data, b"<tiles>" + data, b"<tiles><tile>" + data + b"</tile></tiles>"):
        path.write_bytes(content)
        pages: list[Page] = []
        with suppress(SourceError):
            pages.extend(fetch_pages(path, partial(element_pages, shape=SHAPE)))
        for piece in (piece for page in pages for piece in page_pieces(page, SHAPE)):
            with suppress(BadEntry):
                assert read_element(piece).tag == piece.name
