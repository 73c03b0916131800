"""arXiv's snapshot, beyond its pairs: `octavo.sources.arxiv_snapshot`."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import FormatError
from octavo.records.paper import Record
from octavo.sources.arxiv_snapshot import ArxivSnapshotSource
from octavo.sources.base import Fault, Page

ENTRY = {"id": "3001.00010", "title": "Tiles", "authors_parsed": [["Bee", "Ann", ""]], "categories": "cs.LG"}


def parsed(**changes: object) -> Any:
    content = json.dumps({**ENTRY, **changes}).encode()
    (found,) = ArxivSnapshotSource().parse(Page(content, "snapshot.jsonl", line=1))
    return found


@pytest.mark.parametrize(
    "comment",
    [
        "This paper has been withdrawn",
        "This paper has been withdrawn by the authors due to an error in Section 4",
        "This submission has been withdrawn by arXiv administrators",
        "12 pages, 3 figures. This article is withdrawn because Lemma 2 fails",
        "paper withdrawn, a revised version is under preparation",
        "Withdrawn due to an error",
        "Withdrawn - as that was a trial upload only",
        "Withdrawn from arXiv as the tiles broke",
        "This paper has been withdraw by the author",
        "this paper has been\n  withdrawn",
        "4 pages, Retracted by the authors",
        "This version has been withdrawn due to authorship changes",
        "THE PAPER HAS BEEN WITHDRAWN",
        "Because the model changed, it has been withdrawn from the archive.",
        "We withdraw this paper because of an error in the proof",
        "With the consent of all authors we decided to withdraw this paper from arXiv",
        "This report is being withdrawn",
    ],
)
def test_paper_is_withdrawn_when_its_comment_says_so(comment: str) -> None:
    assert parsed(comments=comment).status == "withdrawn"


@pytest.mark.parametrize(
    "comment",
    [
        None,
        "12 pages, 3 figures",
        "Accepted at the Workshop on Tiles; the poster was withdrawn",
        "Withdrawn from the Tile Conference 2031 to be extended",
        "This paper was withdrawn from the Tile Conference 2031",
        "Versions 1 and 2 used a withdrawn data set",
        "Supersedes a withdrawn paper",
        "We had to withdraw this paper from the Tile Conference",
        "We study papers that were withdrawn",
        "withdrawal from the mains is measured",
    ],
)
def test_paper_is_not_withdrawn_when_its_comment_says_something_else(comment: str | None) -> None:
    assert parsed(comments=comment).status == "submitted"


def test_notice_in_place_of_the_abstract_is_no_abstract() -> None:
    notice = "  This paper has been withdrawn by the authors due to an error.\n"
    assert parsed(abstract=notice).abstract is None
    assert parsed(abstract=notice).status == "withdrawn"
    with_text = parsed(abstract=notice + "We lay tiles. " * 40)
    assert with_text.status == "withdrawn"
    assert with_text.abstract.plain.startswith("This paper has been withdrawn")
    late = parsed(abstract="We lay tiles. " * 40 + notice)
    assert late.status == "submitted"


@pytest.mark.parametrize(
    ("versions", "update_date", "submitted", "updated"),
    [
        (["Mon, 6 May 2030 19:18:42 GMT"], "2030-05-07", "2030-05-06", "2030-05-07"),
        (
            ["Mon, 6 May 2030 19:18:42 GMT", "Sat, 1 Jun 2030 00:00:00 GMT"],
            "2035-01-01",
            "2030-05-06",
            "2030-06-01",
        ),
        (["no date"], "2030-05-07", None, "2030-05-07"),
        (["Mon, 6 May 2030 19:18:42 GMT", "no date"], "2031-05-07", "2030-05-06", "2031-05-07"),
        ([], "2030-05-07", None, "2030-05-07"),
        ([], None, None, None),
        (["Mon, 6 May 2030 23:30:00 -0700"], None, "2030-05-07", None),
    ],
)
def test_dates_are_those_of_the_versions(
    versions: list[str], update_date: str | None, submitted: str | None, updated: str | None
) -> None:
    listed = [{"version": f"v{number}", "created": date} for number, date in enumerate(versions, 1)]
    record = parsed(versions=listed, update_date=update_date)
    assert (record.submitted_on, record.updated_on) == (submitted, updated)
    assert [version.number for version in record.versions] == list(range(1, len(versions) + 1))


@pytest.mark.parametrize(
    ("comment", "code"),
    [
        ("Code: https://github.com/ann-bee/fast-tiles", "https://github.com/ann-bee/fast-tiles"),
        ("see https://www.github.com/ann-bee/fast.tiles.", "https://www.github.com/ann-bee/fast.tiles"),
        ("(https://gitlab.com/a/b), and https://github.com/c/d", "https://gitlab.com/a/b"),
        ("https://github.com/ann-bee", None),
        ("https://example.org/github.com/", None),
    ],
)
def test_code_is_linked_when_the_comment_names_its_repository(comment: str, code: str | None) -> None:
    assert dict(parsed(comments=comment).links).get("code") == code


@pytest.mark.parametrize("value", [2101.0001, 704.001, 21010001, True])
def test_id_that_is_a_number_is_refused_and_never_padded(value: object) -> None:
    found = parsed(id=value)
    assert isinstance(found, Fault)
    assert found.reason == "id is a number, which loses zeros"
    assert found.place == "snapshot.jsonl, line 1"


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("3001.00010", "3001.00010"),
        ("3001.00010v2", "3001.00010"),
        ("math.GT/0309136", "math/0309136"),
        ("hep-th/9901001", "hep-th/9901001"),
    ],
)
def test_key_is_the_id_without_version_and_subject_class(written: str, key: str) -> None:
    record = parsed(id=written)
    assert record.key == key
    assert str(record.identifiers[0]) == f"arxiv:{key}"


def test_own_doi_of_arxiv_is_not_told_twice() -> None:
    record = parsed(doi="10.48550/arXiv.3001.00010 10.5555/Tiles.1")
    assert [str(identifier) for identifier in record.identifiers] == [
        "arxiv:3001.00010",
        "doi:10.5555/tiles.1",
    ]


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("arxiv-metadata-oai-snapshot.json", content)
        archive.writestr("__MACOSX/._arxiv-metadata-oai-snapshot.json", b"\0\5\26\7")
    return packed.getvalue()


@pytest.mark.parametrize("packer", [bytes, gzip.compress, zipped], ids=["plain", "gzip", "zip"])
def test_snapshot_is_read_plain_gzipped_and_zipped(tmp_path: Path, packer: Any) -> None:
    content = b"".join(json.dumps({**ENTRY, "id": f"3001.{n:05}"}).encode() + b"\n" for n in range(5_000))
    path = tmp_path / "archive"
    path.write_bytes(packer(content))
    source = ArxivSnapshotSource()
    records = [record for page in source.fetch(path) for record in source.parse(page)]
    assert [record.key for record in records if isinstance(record, Record)] == [f"3001.{n:05}" for n in range(5_000)]


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="holds no file of JSON lines"):
        list(ArxivSnapshotSource().fetch(tmp_path))
    path = tmp_path / "list.json"
    path.write_text("[]")
    with pytest.raises(FormatError, match=r"list\.json is not JSON lines"):
        list(ArxivSnapshotSource().fetch(path))


def test_folder_gives_the_lines_of_all_its_files(tmp_path: Path) -> None:
    line = json.dumps(ENTRY).encode()
    (tmp_path / "a.json").write_bytes(line)
    (tmp_path / "b.zip").write_bytes(zipped(line.replace(ENTRY["id"].encode(), b"3001.00099")))
    (tmp_path / "README").write_bytes(b"Read me.")
    source = ArxivSnapshotSource()
    records = [record for page in source.fetch(tmp_path) for record in source.parse(page)]
    assert [record.key for record in records if isinstance(record, Record)] == [ENTRY["id"], "3001.00099"]
