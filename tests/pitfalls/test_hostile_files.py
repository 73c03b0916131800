"""F04 to F07 and H07: files, and the names in them, that are meant to do harm or are merely very large.

That an address is looked at before it is fetched, at each hop, is tested with the only code that fetches
(`tests/sources/test_http.py`, F04); here: adding a file asks nobody for anything.
"""

from __future__ import annotations

import gzip
import io
import os
import resource
import socket
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from octavo.app import Octavo
from octavo.errors import FormatError, LimitError, NotFound, OctavoError, PartlyAddedError, SourceError
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.dblp import DBLPSource
from octavo.sources.registry import get_source
from tests.cli.conftest import APART
from tests.pitfalls import files
from tests.pitfalls.conftest import Shelf

ADDRESSES = ["http://127.0.0.1/", "http://169.254.169.254/", "http://localhost:8080/", "file:///etc/hostname"]


@pytest.mark.parametrize("address", ADDRESSES)
def test_f04_an_address_in_a_record_is_never_fetched(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    def connect(*_: Any) -> None:
        raise AssertionError("adding a file must not connect to anything")

    monkeypatch.setattr(socket.socket, "connect", connect)
    shelf.put("a.bib", files.bibtex(url=address, pdf=address))
    shelf.put("b.xml", files.dblp("Graphs.", prolog=f'<!DOCTYPE dblp SYSTEM "{address}">'))
    assert shelf.octavo.search("kind").total == 1
    assert address not in str(shelf.papers()) or address.startswith("http")


PATHS = [
    "../outside", "..%2Foutside", "math/../../x", "/etc/hostname", "math/0309136\u0000.md", "C:\\x", "..\\..\\x", "math%2F..%2F..%2Fx",
    "2101.00010/../../x", "~/x", "\\\\server\\share", "file:///etc/hostname", "%2e%2e%2fx", "arxiv:../../x", "con", ".", "",
]  # fmt: skip


@pytest.mark.parametrize("name", PATHS)
def test_f05_a_path_names_no_paper(library: Octavo, name: str) -> None:
    with pytest.raises(NotFound):
        library.get(name)
    with pytest.raises(NotFound):
        list(library.export("bibtex", names=[name]))


@pytest.mark.parametrize("scheme", ["arxiv", "openreview", "pmlr", "acl", "doi", "dblp", "url"])
def test_f05_a_path_is_no_identifier_of_a_record(shelf: Shelf, scheme: str) -> None:
    lines = [files.own(name, key=str(n), identifiers=[f"{scheme}:{name}"]) for n, name in enumerate(PATHS)]
    view = shelf.put("a.jsonl", "".join(lines) + files.own("Graphs", key="good"))
    assert shelf.titles() == ["Graphs"]
    assert view.skipped == len(PATHS)


def test_f05_an_identifier_is_brought_into_its_normal_form(shelf: Shelf) -> None:
    shelf.put("a.jsonl", files.own(identifiers=["arxiv:math.GT/0309136v2", "doi:10.5555/ABC", "doi:10.5555/abc"]))
    assert shelf.paper()["identifiers"] == ["arxiv:math/0309136", "doi:10.5555/abc"]


def zipped(entries: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, entry in entries.items():
            archive.writestr(name, entry)
    return content.getvalue()


def tarred(entries: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, entry in entries.items():
            info = tarfile.TarInfo(name)
            info.size = len(entry)
            archive.addfile(info, io.BytesIO(entry))
    return content.getvalue()


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_f05_and_f06_a_path_in_an_archive_is_read_and_never_written(shelf: Shelf, tmp_path: Path, pack: Any) -> None:
    entries = {"../x.bib": files.bibtex("One"), "/etc/x.bib": files.bibtex("Two"), "C:\\x.bib": files.bibtex("Three")}
    before = {path for path in tmp_path.rglob("*") if path.suffix == ".bib"}
    shelf.put("a.archive", pack({name: content.encode() for name, content in entries.items()}))
    assert shelf.titles() == ["One", "Three", "Two"]
    assert {path for path in tmp_path.rglob("*") if path.suffix == ".bib"} == before
    assert not Path("/etc/x.bib").exists()


ENTRY = b'{"source": "tiles", "key": "1", "title": "Tiles"}\n'


def grown(before: int) -> int:
    """Megabytes by which this process has grown at most since `peak`."""
    return (peak() - before) // 1024


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # kilobytes on Linux


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("zeros.json.gz", lambda: b"\0" * 80_000_000, FormatError),
        ("blanks.json.gz", lambda: b" " * 80_000_000, SourceError),
        ("lines.jsonl.gz", lambda: ENTRY + b"\n" * 80_000_000, LimitError),
        ("line.jsonl.gz", lambda: ENTRY + b" " * 80_000_000, LimitError),
        ("array.json.gz", lambda: b'[{"title": "A", "author": "B", "status": "' + b"x" * 80_000_000, LimitError),
        ("braces.bib.gz", lambda: b"@misc{k, title={" + b"{" * 80_000_000, LimitError),
        ("element.xml.gz", lambda: b"<dblp><article>" + b"x" * 80_000_000, LimitError),
        ("twice.jsonl.gz", lambda: gzip.compress(b"0" * 80_000_000), OctavoError),
    ],
)
def test_f06_a_file_that_explodes_is_stopped_in_the_stream(
    shelf: Shelf, name: str, content: Callable[[], bytes], error: type[OctavoError]
) -> None:
    packed = gzip.compress(content(), 6)
    before = peak()
    with pytest.raises(OctavoError) as caught:
        shelf.put(name, packed)
    assert isinstance(caught.value, error | PartlyAddedError)
    assert name in str(caught.value)
    assert grown(before) < 150
    assert shelf.titles() in ([], ["Tiles"])


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.zip", {f"{number}.json": b"" for number in range(20_000)}),
        ("nested.zip", {"a.zip": zipped({"b.zip": zipped({"c.bib": files.bibtex().encode()})})}),
        ("array.zip", {"a.json": b"[" + b" " * 80_000_000}),
    ],
)
def test_f06_an_archive_that_explodes_is_refused(shelf: Shelf, name: str, content: dict[str, bytes]) -> None:
    packed = zipped(content)
    before = peak()
    with pytest.raises(OctavoError, match=name):
        shelf.put(name, packed)
    assert grown(before) < 150
    assert shelf.titles() == []


@pytest.mark.parametrize(
    ("name", "content", "source"),
    [
        ("tags.xml", b"<dblp>" + b"<article>" * 50_000, "dblp"),
        ("same.bib", files.bibtex().encode() * 20_000, "bibtex"),
        ("same.ris", files.ris("T", "AU  - Bee, Ann").encode() * 20_000, "ris"),
    ],
)
def test_f06_ever_the_same_is_read_in_a_time_that_fits_its_length(name: str, content: bytes, source: str) -> None:
    """Twenty thousand entries that would all have one key: each is looked for once, not once for each before it."""
    found = list(get_source(source).parse(Page(content, name)))
    assert len(found) in (20_000, 49_999, 50_000)
    assert len({one.key for one in found if isinstance(one, Record)}) in (0, 20_000)


BOMB = '<!DOCTYPE z [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("source", "content"),
    [
        ("dblp", f"{BOMB}<z>&b;</z>"),
        ("dblp", files.dblp("T &b;.", prolog=BOMB)),
        ("dblp", files.dblp("T &x;.", prolog='<!DOCTYPE dblp [<!ENTITY x SYSTEM "file:///etc/hostname">]>')),
        ("dblp", files.dblp("T.", prolog='<!DOCTYPE dblp [<!ENTITY % p SYSTEM "http://127.0.0.1/x"> %p;]>')),
        ("acl", BOMB + files.acl("T &b;")),
        ("arxiv", BOMB + files.atom(("2101.00010v1", "T &b;"))),
        ("arxiv", BOMB + files.feed()),
    ],
)
def test_f07_a_document_that_defines_entities_is_refused(shelf: Shelf, source: str, content: str) -> None:
    with pytest.raises(FormatError):
        shelf.put("a.xml", content, source)
    assert shelf.titles() == []


def test_f07_dblps_entities_are_read_without_its_document_type(shelf: Shelf) -> None:
    prolog = '<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE dblp SYSTEM "dblp.dtd">'
    shelf.put("a.xml", files.dblp("Tiles.", authors="<author>J&uuml;rg Marr&ograve;</author>", prolog=prolog))
    assert shelf.paper()["authors"] == ["Jürg Marrò"]
    view = shelf.put("b.xml", files.dblp("Graphs &bomb;.", prolog=prolog).replace("Bee31", "Bee32"))
    assert [reason for _, reason, _ in view.faults] == ["an entity that is not defined"]


def test_h07_a_large_dump_is_read_in_the_memory_of_a_page(tmp_path: Path) -> None:
    """300 MB as a whole tree takes gigabytes. Here: 24 MB, a million authors' names, in a part of that."""
    n = 40_000
    path = tmp_path / "dblp.xml.gz"
    people = "".join(f"<author>Ann Number{number:02}</author>" for number in range(25))
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write("<dblp>")
        for number in range(n):
            noise = os.urandom(16).hex()  # or it would be packed so tightly as to look like a bomb
            file.write(
                f'<article key="journals/tile/B{number}">{people}<title>Tile {noise}.</title><year>2031</year></article>\n'
            )
        file.write("</dblp>")
    source = DBLPSource()
    before = peak()
    found = sum(
        len(one.authors) for page in source.fetch(path) for one in source.parse(page) if isinstance(one, Record)
    )
    assert found == 25 * n
    assert grown(before) < 60


def test_a_hostile_file_is_told_on_one_line_of_the_command_line(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from octavo.cli.program import octavo as program

    path = tmp_path / "a\u202e\x1b[31m.bib"
    path.write_text(files.bibtex() + "@misc{\x1b[31mred, title={T\n", encoding="utf-8")
    result = CliRunner(**APART).invoke(program, ["--home", str(tmp_path / "home"), "add", str(path)])
    assert "\x1b[31m" not in result.output
    assert "\u202e" not in result.output
    assert "a brace or a quote is not closed" in result.output
