"""The ML Anthology's lists, beyond their pairs: `octavo.sources.mlanthology`."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from octavo.errors import FormatError, TruncatedFileError
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.mlanthology import MLAnthologySource


def entry(number: int, venue: str = "icml") -> dict[str, Any]:
    return {
        "bibtex_key": f"bee2031{venue}-{number}",
        "title": f"Tiles {number}",
        "venue": venue,
        "year": "2031",
    }


def parsed(**changes: object) -> Any:
    content = json.dumps([{**entry(1), **changes}]).encode()
    (found,) = MLAnthologySource().parse(Page(content, "icml-2031.json"))
    return found


def list_of(venue: str, count: int = 3) -> bytes:
    papers = [entry(number, venue) for number in range(count)]
    return json.dumps({"venue": venue, "year": "2031", "papers": papers}).encode()


def keys(target: Path) -> list[str]:
    source = MLAnthologySource()
    return [record.key for page in source.fetch(target) for record in source.parse(page) if isinstance(record, Record)]


EXPECTED = [f"bee2031{venue}-{number}" for venue in ("icml", "uai") for number in range(3)]


def packed_lists() -> bytes:
    packed = io.BytesIO()
    members = {
        "data/papers/icml-2031.json.gz": gzip.compress(list_of("icml")),
        "data/papers/._icml-2031.json.gz": b"\0\5\26\7",
        "data/README.md": b"# Lists",
        "data/papers/uai-2031.json.gz": gzip.compress(list_of("uai")),
    }
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def test_tar_folder_and_one_file_are_read(tmp_path: Path) -> None:
    (tmp_path / "lists.tar").write_bytes(packed_lists())
    assert keys(tmp_path / "lists.tar") == EXPECTED
    folder = tmp_path / "papers"
    folder.mkdir()
    for venue in ("icml", "uai"):
        (folder / f"{venue}-2031.json.gz").write_bytes(gzip.compress(list_of(venue)))
    assert keys(folder) == EXPECTED
    assert keys(folder / "uai-2031.json.gz") == EXPECTED[3:]


def test_cut_tar_gives_the_lists_before_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "lists.tar"
    content = packed_lists()
    path.write_bytes(content[: content.index(b"data/papers/uai") + 560])
    pages: list[Page] = []
    with pytest.raises(TruncatedFileError, match=r"lists\.tar"):
        pages.extend(MLAnthologySource().fetch(path))
    found = [one.key for page in pages for one in MLAnthologySource().parse(page) if isinstance(one, Record)]
    assert found == EXPECTED[:3]


def test_list_of_another_form_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "package.json"
    path.write_text('{"name": "package", "version": "1.0"}')
    with pytest.raises(FormatError, match=r'package\.json holds no list of papers under "papers"'):
        keys(path)


@pytest.mark.parametrize(
    ("doi", "expected"),
    [
        ("10.1007/978-3-555-19830-4_12", "doi:10.1007/978-3-555-19830-4_12"),
        ("10.1007/978-3-555-19830-4", None),
        ("https://doi.org/10.1007/978-3-555-19830-4", None),
        ("10.5555/Tiles", "doi:10.5555/tiles"),
        ("no doi", None),
        ("", None),
    ],
)
def test_doi_of_a_whole_volume_is_left_out(doi: str, expected: str | None) -> None:
    assert [str(identifier) for identifier in parsed(doi=doi).identifiers] == ([expected] if expected else [])


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"openreview_url": "https://openreview.net/forum?id=AbC12xYz90"}, ["openreview:AbC12xYz90"]),
        ({"openreview_url": "https://openreview.net/pdf?id=AbC12xYz90"}, ["openreview:AbC12xYz90"]),
        ({"source": "openreview", "source_id": "AbC12xYz90"}, ["openreview:AbC12xYz90"]),
        ({"source": "pmlr", "source_id": "v901/bee31a"}, ["pmlr:v901/bee31a"]),
        (
            {"source": "pmlr", "source_id": "v901/bee31a", "venue_url": "https://proceedings.mlr.press/v901/bee31a.html"},
            ["pmlr:v901/bee31a"],
        ),
        ({"source": "jmlr", "source_id": "bee31a", "venue_url": "https://jmlr.org/papers/v31/bee31a.html"},
         ["url:https://jmlr.org/papers/v31/bee31a.html"]),
        ({"source": "jmlr", "source_id": "AbC12xYz90"}, []),
    ],
)  # fmt: skip
def test_identifiers_are_told_once_from_every_field(fields: dict[str, str], expected: list[str]) -> None:
    assert [str(identifier) for identifier in parsed(**fields).identifiers] == expected
