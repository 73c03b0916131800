"""JSON arrays as pages, and pages as entries: `octavo.sources.arrays`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import (
    CompressionError,
    EmptyFileError,
    EncodingError,
    FormatError,
    LimitError,
    SourceError,
    TruncatedFileError,
)
from octavo.sources.arrays import BROKEN, array_entries, array_pages
from octavo.sources.base import Page
from octavo.sources.streams import Member, fetch_pages

ENTRIES = [{"title": f"Paper {n}", "authors": [{"given": "Ann", "family": f"Bee {n}"}]} for n in range(1, 21)]
SMALL = {"MAX_WHOLE": 0, "PAGE_BYTES": 100, "CHUNK": 64}
"""Sizes with which a small file goes the way of a large one."""


def write(folder: Path, content: bytes) -> Path:
    path = folder / "list.json"
    path.write_bytes(content)
    return path


def fetched(path: Path, key: str = "", sizes: dict[str, int] | None = None) -> tuple[list[Page], SourceError | None]:
    def split(member: Member) -> Iterator[Page]:
        return array_pages(member, key, context=(("venue", "icml"),))

    pages: list[Page] = []
    with pytest.MonkeyPatch.context() as patch:
        for name, size in (sizes or {}).items():
            patch.setattr(f"octavo.sources.arrays.{name}", size)
        try:
            pages.extend(fetch_pages(path, split))
        except SourceError as fault:
            return pages, fault
    return pages, None


def entries_of(pages: list[Page], key: str = "") -> list[Any]:
    return [entry for page in pages for _, entry in array_entries(page, key)]


FORMS = {
    "bare": ("", json.dumps(ENTRIES)),
    "bare, indented": ("", json.dumps(ENTRIES, indent=2)),
    "under a key": ("papers", json.dumps({"year": 2031, "papers": ENTRIES, "count": 20})),
    "under a key, indented": (
        "papers",
        json.dumps({"about": {"papers": [1]}, "n": 20, "papers": ENTRIES}, indent=4),
    ),
}


@pytest.mark.parametrize("sizes", [{}, SMALL], ids=["whole", "in pieces"])
@pytest.mark.parametrize(("key", "text"), FORMS.values(), ids=FORMS)
def test_array_gives_its_entries_with_their_numbers(tmp_path: Path, key: str, text: str, sizes: dict[str, int]) -> None:
    pages, fault = fetched(write(tmp_path, text.encode()), key, sizes)
    assert fault is None
    assert (len(pages) > 3) == bool(sizes)
    numbered = [found for page in pages for found in array_entries(page, key)]
    assert numbered == list(enumerate(ENTRIES, 1))
    assert all(("venue", "icml") in page.context for page in pages)


@settings(max_examples=100, deadline=None)
@given(
    entries=st.lists(
        st.dictionaries(
            st.text(max_size=5), st.recursive(st.text() | st.integers() | st.none(), st.lists, max_leaves=4)
        ),
        max_size=12,
    ),
    indent=st.sampled_from([None, 0, 3]),
    ascii_only=st.booleans(),
    size=st.integers(1, 80),
)
def test_array_in_pieces_is_the_array(
    tmp_path_factory: pytest.TempPathFactory,
    entries: list[Any],
    indent: int | None,
    ascii_only: bool,
    size: int,
) -> None:
    text = json.dumps({"n": -12.5e3, "papers": entries}, indent=indent, ensure_ascii=ascii_only)
    path = write(tmp_path_factory.mktemp("array"), text.encode("utf-8", "replace"))
    pages, fault = fetched(path, "papers", {"MAX_WHOLE": 0, "PAGE_BYTES": size, "CHUNK": size})
    assert fault is None
    expected = json.loads(text.encode("utf-8", "replace"))["papers"]
    assert entries_of(pages) == expected


@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
@pytest.mark.parametrize(("key", "text"), FORMS.values(), ids=FORMS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_array_cut_anywhere_gives_its_complete_entries(
    tmp_path_factory: pytest.TempPathFactory, key: str, text: str, packed: bool, data: st.DataObject
) -> None:
    content = gzip.compress(text.encode(), mtime=0) if packed else text.encode()
    cut = data.draw(st.integers(100 if packed else 150, len(content) - 1))
    pages, fault = fetched(write(tmp_path_factory.mktemp("cut"), content[:cut]), key)
    found = entries_of(pages, key)
    assert [entry for entry in found if entry is not BROKEN] == ENTRIES[: len(found) - found.count(BROKEN)]
    # A cut right behind a bracket that might be the last is found by parse.
    assert isinstance(fault, TruncatedFileError) or BROKEN in found or found == ENTRIES


def test_cut_array_loses_no_complete_entry(tmp_path: Path) -> None:
    text = json.dumps(ENTRIES)
    pages, fault = fetched(write(tmp_path, text[: text.index('{"title": "Paper 18"') + 30].encode()))
    assert entries_of(pages) == ENTRIES[:17]
    assert isinstance(fault, TruncatedFileError)
    assert "list.json ends too early: its JSON breaks off" in str(fault)


def test_wrong_checksum_is_told_after_the_entries(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(json.dumps(ENTRIES * 2_000).encode()))
    packed[-8] ^= 1
    pages, fault = fetched(write(tmp_path, bytes(packed)))
    found = entries_of(pages)
    assert len(found) > 30_000
    assert found == (ENTRIES * 2_000)[: len(found)]
    assert isinstance(fault, CompressionError)


@pytest.mark.parametrize("sizes", [{}, SMALL], ids=["whole", "in pieces"])
@pytest.mark.parametrize(
    ("damage", "lost"),
    [
        (('"title": "Paper 7"', '"title": "Paper 7'), 1),
        (('"title": "Paper 7"', '"title" "Paper 7"'), 1),
        (('"title": "Paper 7",', '"title": \\'), 1),
        (('{"title": "Paper 7", "authors": [', '{"title": "Paper 7", "authors": [{'), 1),
        (('"Bee 7"}]}', '"Bee 7"}'), 1),
    ],
)
def test_broken_entry_costs_only_itself(
    tmp_path: Path, damage: tuple[str, str], lost: int, sizes: dict[str, int]
) -> None:
    text = json.dumps(ENTRIES)
    assert damage[0] in text
    pages, fault = fetched(write(tmp_path, text.replace(*damage).encode()), "", sizes)
    assert fault is None
    found = entries_of(pages)
    assert [entry for entry in found if entry is not BROKEN] == [e for e in ENTRIES if e["title"] != "Paper 7"]
    assert found.count(BROKEN) == lost
    assert [number for page in pages for number, entry in array_entries(page) if entry is BROKEN] == [7]


def test_encoding_is_told_with_its_byte_after_the_entries_before_it(tmp_path: Path) -> None:
    content = json.dumps(ENTRIES).encode().replace(b"Paper 7", b"Pap\xe9r 7")
    pages, fault = fetched(write(tmp_path, content))
    assert entries_of(pages) == ENTRIES[:6]
    assert isinstance(fault, EncodingError)
    assert f"list.json is not UTF-8: byte {content.index(0xE9)} is 0xe9" in str(fault)


def test_encoding_is_told_with_its_byte_when_it_is_far_into_the_file(tmp_path: Path) -> None:
    content = json.dumps([{"title": "Naïve é" * 10}] * 50, ensure_ascii=False).encode()
    content = content[:-20] + b"\xff" + content[-19:]
    for size in (1, 3, 64):
        _, fault = fetched(write(tmp_path, content), "", {**SMALL, "CHUNK": size, "PAGE_BYTES": size})
        assert f"byte {content.index(0xFF)} is 0xff" in str(fault)


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"", EmptyFileError, "is empty"),
        (b" \n ", EmptyFileError, "is empty"),
        (b"<html>", FormatError, "is no JSON list: it begins with '<html>'"),
        (b'"papers"', FormatError, "is no JSON list"),
        (b'{"year": 2031}', FormatError, 'holds no list of papers under "papers"'),
        (b'{"papers": {"a": 1}, "x', FormatError, 'holds no list of papers under "papers"'),
        (b'{"year" 2031, "x', FormatError, 'holds no list of papers under "papers"'),
        (b'{"year": 20', TruncatedFileError, "ends too early"),
        (json.dumps(ENTRIES).encode("utf-16"), EncodingError, "UTF-16"),
    ],
)
def test_file_that_holds_no_array_is_refused(
    tmp_path: Path, content: bytes, error: type[SourceError], message: str
) -> None:
    pages, fault = fetched(write(tmp_path, content), "papers")
    assert pages == []
    assert type(fault) is error
    assert message in str(fault)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b'[{"title": "' + b"x" * 3_000, LimitError),
        (b'[{"title": "A"}, {"title" "' + b"x" * 3_000 + b'"}]', LimitError),
        (b"[" * 100_000 + b"]", FormatError),
        (b'[{"title": "A"}, ' + b"[" * 100_000 + b"]", LimitError),
        (b'[{"title": "A"}, rubbish' + b" " * 40 + b"]", FormatError),
    ],
    ids=["endless", "broken and endless", "nested without end", "nested and endless", "no entry"],
)
def test_array_that_can_not_be_followed_is_refused(tmp_path: Path, content: bytes, error: type[SourceError]) -> None:
    _, fault = fetched(write(tmp_path, content), "", {**SMALL, "MAX_ENTRY": 1_000})
    assert isinstance(fault, error)


def test_page_that_holds_no_array_is_refused() -> None:
    for content in (b'{"papers": 3}', b"{}", b'"papers"', b"3", b"{rubbish"):
        with pytest.raises(FormatError, match="here"):
            list(array_entries(Page(content, "here"), "papers"))


@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:\\ae1 \n').map(str.encode))
def test_any_page_gives_entries_or_a_format_error(content: bytes) -> None:
    for text in (content, b"[" + content, b'[{"title": "A"}, ' + content):
        try:
            list(array_entries(Page(text, "here"), "papers"))
        except FormatError as fault:
            assert "here" in str(fault)  # noqa: PT017 - both ends are right
