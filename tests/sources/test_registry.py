"""Sources by name, and the guess of a file's source: `octavo.sources.registry`."""

from __future__ import annotations

import bz2
import gzip
import importlib
import io
import json
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.errors import EmptyFileError, EncodingError, FormatError, MissingFileError, UnknownSourceError, UsageError
from octavo.sources.mlanthology import MLAnthologySource
from octavo.sources.registry import find_source_for, get_source, source_names, start_of
from octavo.sources.telling import tell

RAW = Path(__file__).parent / "raw"

POST = b"---\ntitle: Tiles\nlayout: inproceedings\nid: bee31a\nabstract: We lay tiles.\n---\n"
PROSE = b"ICML 2031 Papers\n\n" + b"We lay tiles on every floor that we have found and we count them all. " * 5 + b"\n"


def tar(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("file", content)
    return packed.getvalue()


def test_sources_have_their_names() -> None:
    assert source_names()[:6] == ("mlanthology", "paperlists", "arxiv-snapshot", "pmlr", "jsonl", "page")
    assert isinstance(get_source("mlanthology"), MLAnthologySource)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("mlanthologie", "Did you mean mlanthology"),
        ("ARXIV", "Did you mean arxiv or arxiv-snapshot?"),
        ("pmrl", "Did you mean pmlr?"),
        ("xyz", "There are mlanthology, paperlists, arxiv-snapshot, pmlr, jsonl, page"),
        ("", "There are mlanthology"),
    ],
)
def test_unknown_name_is_refused_with_the_nearest(name: str, hint: str) -> None:
    with pytest.raises(UnknownSourceError) as caught:
        get_source(name)
    assert repr(name) in str(caught.value)
    assert hint in str(caught.value)


@pytest.fixture
def offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers sources, as pip would install it."""
    (tmp_path / "tile_sources.py").write_text(
        "class TileSource:\n    info = 'tiles'\n\n"
        "class Broken:\n    def __init__(self):\n        raise RuntimeError('no tiles')\n"
    )
    about = tmp_path / "tile_sources-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tile-sources\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(
        "[octavo.sources]\ntiles = tile_sources:TileSource\nbroken = tile_sources:Broken\n"
        "gone = tile_sources_gone:Source\nmlanthology = tile_sources:TileSource\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    importlib.invalidate_caches()


@pytest.mark.usefixtures("offered")
def test_source_of_another_package_is_found_by_its_entry_point() -> None:
    assert source_names()[-3:] == ("broken", "gone", "tiles")
    assert type(get_source("tiles")).__name__ == "TileSource"
    assert isinstance(get_source("mlanthology"), MLAnthologySource)


@pytest.mark.usefixtures("offered")
@pytest.mark.parametrize("name", ["broken", "gone"])
def test_source_that_can_not_be_loaded_is_named(name: str) -> None:
    with pytest.raises(UsageError, match=f"'{name}' of another package .* can't be loaded: .* remove it"):
        get_source(name)


def list_of(entry: dict[str, object]) -> bytes:
    return json.dumps([entry]).encode()


KINDS: dict[str, tuple[bytes, str | None]] = {
    "mlanthology": ((RAW / "mlanthology" / "icml-2031.json").read_bytes(), "mlanthology"),
    "paperlists": ((RAW / "paperlists" / "icml2031.json").read_bytes(), "paperlists"),
    "arxiv": ((RAW / "arxiv-snapshot" / "snapshot.jsonl").read_bytes(), "arxiv-snapshot"),
    "jsonl": (b'{"source": "mine", "key": "1", "title": "Tiles"}\n{"source": "mine"}\n', "jsonl"),
    "post": (POST, "pmlr"),
    "post, CRLF": (POST.replace(b"\n", b"\r\n"), "pmlr"),
    "page": (PROSE, "page"),
    "marked": (b"\xef\xbb\xbf \n" + list_of({"title": "A", "author": "B", "status": "Poster"}), "paperlists"),
    "other array": (list_of({"title": "A", "price": 3}), None),
    "other object": (b'{"name": "package", "version": "1.0"}\n', None),
    "broken first": (b'{broken\n{"source": "mine", "key": "1", "title": "Tiles"}\n', "jsonl"),
    "broken first of arXiv": (b"{\n" + (RAW / "arxiv-snapshot" / "snapshot.jsonl").read_bytes(), "arxiv-snapshot"),
    "huge first": (
        json.dumps({"source": "mine", "abstract": "tile " * 40_000, "key": "1", "title": "Tiles"}).encode() + b"\n{}\n",
        "jsonl",
    ),
    "huge first of arXiv": (
        json.dumps({"id": "1", "authors_parsed": [["Bee", "Ann"]] * 9_000, "categories": "cs.LG"}).encode() + b"\n{}\n",
        "arxiv-snapshot",
    ),
    "bibtex": (b"% mine\n@article{bee, title={Tiles}}\n" + PROSE, "bibtex"),
    "ris": (b"\xef\xbb\xbfTY  - JOUR\r\nTI  - Tiles\r\nER  - \r\n", "ris"),
    "csl": (b'[{"id": "bee", "type": "article", "title": "Tiles", "issued": {"date-parts": [[2031]]}}]', "csl"),
    "crossref": (
        b'{"status": "ok", "message-type": "work", "message": {"DOI": "10.5555/a", "title": ["Tiles"]}}',
        "crossref",
    ),
    "openalex": (b'{"id": "https://openalex.org/W1", "title": "Tiles"}', "openalex"),
    "semanticscholar": (b'[{"paperId": "a1", "title": "Tiles", "authors": []}, null]', "semanticscholar"),
    "openreview": (b'{"notes": [{"id": "a", "forum": "a", "content": {"title": "Tiles"}}]}', "openreview"),
    "acl": (b'<?xml version="1.0"?>\n<collection id="P31">\n</collection>', "acl"),
    "dblp": (b'<?xml version="1.0"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n</dblp>', "dblp"),
    "arxiv-oai": (
        b'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/"><request verb="GetRecord" metadataPrefix="arXiv">http://export.arxiv.org/oai2</request></OAI-PMH>',
        "arxiv",
    ),
    "paper": (b'{"id": "p0123456789", "records": [{"source": "mine"}]}\n', "jsonl"),
    "digest": (b'{"id": "3001.00010", "title": "Tiles", "authors": ["A. Bee"], "summary": "We"}\n', None),
    "holds a snapshot": (b'{"x": {"id": "1", "authors_parsed": [], "categories": ""}}\n', None),
    "table": (b"title,abstract\nTiles,We lay tiles.\n", None),
    "short text": (b"Read me.\n", None),
}

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
}
ARCHIVERS: dict[str, Callable[[bytes], bytes]] = {
    "tar": lambda content: tar({"README": b"Read me.\n", "list": content}),
    "tar.gz of gzip": lambda content: gzip.compress(tar({"list": gzip.compress(content)})),
    "zip": zipped,
}


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize(("content", "source"), KINDS.values(), ids=KINDS)
def test_source_of_a_file_is_told_by_its_content(
    tmp_path: Path, content: bytes, source: str | None, packer: Callable[[bytes], bytes]
) -> None:
    for name in ("a.bin", "a.json.gz", "icml2031.json", "a.md"):
        path = tmp_path / name
        path.write_bytes(packer(content))
        assert find_source_for(path) == source


@pytest.mark.parametrize("archiver", ARCHIVERS.values(), ids=ARCHIVERS)
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "page"])
def test_source_of_an_archive_is_told_by_its_members(
    tmp_path: Path, kind: str, archiver: Callable[[bytes], bytes]
) -> None:
    content, source = KINDS[kind]
    path = tmp_path / "archive"
    path.write_bytes(archiver(content))
    assert find_source_for(path) == source


@pytest.mark.parametrize("packer", [bytes, gzip.compress])
@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (b"<!DOCTYPE html>\n<html>" + PROSE, FormatError, "file is HTML, a page as the web has it."),
        (b"\xef\xbb\xbf\n<HTML lang=en>", FormatError, "file is HTML"),
        (PROSE.decode().encode("utf-16"), EncodingError, "file is UTF-16 or UTF-32."),
        (b'{"source": "mine"}'.decode().encode("utf-16-be"), EncodingError, "file is UTF-16 or UTF-32."),
        (b"%PDF-1.7\n\xbe\xef", FormatError, "file is a PDF."),
        (bytes(range(256)) * 8, FormatError, "file is no text in UTF-8."),
        ("Ein Fußboden.\n".encode("latin-1"), FormatError, "file is no text in UTF-8."),
        (b" \n\n", EmptyFileError, "file has nothing in it."),
    ],
)
def test_file_that_no_source_reads_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, error: type[Exception], message: str, packer: Callable[[bytes], bytes]
) -> None:
    (tmp_path / "file").write_bytes(packer(content))
    with pytest.raises(error, match=f"^{re.escape(message)}"):
        find_source_for(tmp_path / "file")


def test_compressed_nothing_is_empty(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(gzip.compress(b""))
    with pytest.raises(EmptyFileError, match="file has nothing in it"):
        find_source_for(tmp_path / "file")


def test_letter_that_is_cut_by_the_look_ahead_is_text(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x" + "é" * 70_000, encoding="utf-8")
    assert find_source_for(tmp_path / "file") is None


def test_prose_in_an_archive_is_no_page(tmp_path: Path) -> None:
    (tmp_path / "archive").write_bytes(tar({"README": PROSE}))
    assert find_source_for(tmp_path / "archive") is None


JSONL = KINDS["jsonl"][0]


@pytest.mark.parametrize(
    ("files", "source"),
    [
        ({"README": PROSE}, None),
        ({"a.txt": PROSE, "b.txt": b"Read me.\n"}, "page"),
        ({"README.txt": PROSE, "a.jsonl": JSONL, "b.jsonl.gz": gzip.compress(JSONL)}, "jsonl"),
        ({"a.json": KINDS["arxiv"][0], "b.json": b"{}"}, "arxiv-snapshot"),
        ({"below/a.jsonl": JSONL, "empty.jsonl": b"", "bad.jsonl.gz": b"\x1f\x8b\x08bad"}, "jsonl"),
        ({"a.html": b"<html>", "a.pdf": b"%PDF"}, None),
    ],
)
def test_source_of_a_folder_is_told_by_all_its_files(
    tmp_path: Path, files: dict[str, bytes], source: str | None
) -> None:
    for name, content in files.items():
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
    assert find_source_for(tmp_path) == source


def test_folder_of_several_sources_is_refused_and_they_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(JSONL)
    (tmp_path / "b.jsonl").write_bytes(JSONL)
    (tmp_path / "c.json").write_bytes(KINDS["arxiv"][0])
    with pytest.raises(UsageError, match=r"holds files of several sources: 2 of jsonl, 1 of arxiv-snapshot\. Name"):
        find_source_for(tmp_path)


def test_source_of_a_folder_is_told_by_its_files(tmp_path: Path) -> None:
    (tmp_path / "_posts").mkdir()
    (tmp_path / "_config.yml").write_text("title: Proceedings of Tiles\n")
    (tmp_path / "_posts" / "2031-05-06-bee31a.md").write_bytes(POST)
    assert find_source_for(tmp_path) == "pmlr"


@pytest.mark.parametrize("name", ["", ".hidden", "empty.jsonl"])
def test_empty_folder_is_said_to_be_empty(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "tiles"
    folder.mkdir()
    if name:
        (folder / name).touch()
    with pytest.raises(EmptyFileError, match="tiles is an empty folder"):
        find_source_for(folder)


def test_file_that_can_not_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError):
        find_source_for(tmp_path / "nowhere")
    (tmp_path / "empty").write_bytes(b"")
    with pytest.raises(EmptyFileError):
        find_source_for(tmp_path / "empty")


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.json", b'{"id": "1", "abs": "x", "papers": []}', "it is JSON with the fields id, abs, papers"),
        ("a.csv", b"UID,title\n1,Tiles\n", "it begins with \u201cUID,title 1,Tiles\u201d"),
        ("a.bin", bytes(range(256)), "it begins with bytes that are no text"),
        ("a.json.gz", gzip.compress(b'[{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6}]', mtime=0), "it is JSON with the fields a, b, c, d, e \u2026"),
        ("a.gz", b"\x1f\x8b\x08\x00 no gzip", "it is blank"),
        ("a.txt", b" \n", "it is blank"),
    ],
)  # fmt: skip
def test_what_a_file_begins_with_is_told(tmp_path: Path, name: str, content: bytes, says: str) -> None:
    (tmp_path / name).write_bytes(content)
    assert start_of(tmp_path / name) == says


@pytest.mark.parametrize(
    ("head", "source"),
    [
        (b"FN Clarivate Analytics\nVR 1.0\n", "ris"), (b"PMID- 123\nTI  - T\n", "ris"), (b"%0 Journal Article\n%T T\n", "ris"),
        (b"% my papers\n@misc{k, title={T}}", "bibtex"), (b"TY  - JOUR\nTI  - De\0ep\n", "ris"), (b"@misc{k, title={\0T}}", "bibtex"),
        ("TY  - JOUR\n".encode("utf-16-le"), None), (b"\0" * 500 + b"@misc{k, title={T}}", None),
    ],
)  # fmt: skip
def test_source_is_told_by_the_beginning(head: bytes, source: str | None) -> None:
    """C11 and J03: a zero in a title, and the formats that are nearly RIS."""
    assert tell(head, is_page=True) == source
