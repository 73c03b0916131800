"""Files, folders and archives as members and pages: `streams`, and `packed` and `archives` below it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import stat
import struct
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
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
    MissingFileError,
    SourceError,
    TruncatedFileError,
)
from octavo.sources.base import Page
from octavo.sources.streams import (
    Member,
    decode,
    fetch_pages,
    line_pages,
    open_members,
    shown_start,
    size_of,
    whole_page,
)

LINES = b'{"id": "1"}\n{"id": "2"}\n{"id": "3"}\n'


def tar(members: dict[str, bytes], format: int = tarfile.PAX_FORMAT) -> bytes:  # noqa: A002
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=format) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return packed.getvalue()


def zipped(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zipped_as_a_stream(members: dict[str, bytes]) -> bytes:
    """Written without seeking, so that sizes stand behind the contents."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.parts: list[bytes] = []

        def writable(self) -> bool:
            return True

        def write(self, data: object) -> int:
            self.parts.append(bytes(data))  # type: ignore[arg-type]
            return len(self.parts[-1])

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
        for name, content in members.items():
            archive.writestr(name, content)
    return b"".join(pipe.parts)


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "tar": lambda content: tar({"a.jsonl": content}),
    "tar.gz": lambda content: gzip.compress(tar({"a.jsonl": content})),
    "tar.bz2": lambda content: bz2.compress(tar({"a.jsonl": content})),
    "tar.xz": lambda content: lzma.compress(tar({"a.jsonl": content})),
    "gzip in tar": lambda content: tar({"a.jsonl.gz": gzip.compress(content)}),
    "xz in tar.gz": lambda content: gzip.compress(tar({"a.jsonl.xz": lzma.compress(content)})),
    "zip": lambda content: zipped({"a.jsonl": content}),
    "zip, stored": lambda content: zipped({"a.jsonl": content}, zipfile.ZIP_STORED),
    "zip, bzip2": lambda content: zipped({"a.jsonl": content}, zipfile.ZIP_BZIP2),
    "zip, as a stream": lambda content: zipped_as_a_stream({"a.jsonl": content}),
    "gzip in zip": lambda content: zipped({"a.jsonl.gz": gzip.compress(content)}),
    "two parts of gzip": lambda content: gzip.compress(content[:5]) + gzip.compress(content[5:]) + b"\0" * 40,
}


def noise(size: int, seed: int = 0) -> bytes:
    """What can't be packed, and is the same each time for hypothesis."""
    return random.Random(seed).randbytes(size)


def write(folder: Path, content: bytes, name: str = "file") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def read(target: Path) -> dict[str, bytes]:
    with open_members(target) as found:
        return {member.name: whole_page(member).content for member in found}


def members_of(target: Path, wanted: Callable[[str], bool] | None = None, **options: Any) -> list[Member]:
    with open_members(target, wanted, **options) as found:
        return list(found)


def pages(target: Path) -> Iterator[Page]:
    return fetch_pages(target, line_pages)


def read_until_error(target: Path) -> tuple[bytes, SourceError | None]:
    parts: list[bytes] = []
    try:
        parts.extend(page.content for page in pages(target))
    except SourceError as fault:
        return b"".join(parts), fault
    return b"".join(parts), None


def test_a_file_is_closed_when_the_reader_stops_half_way(tmp_path: Path) -> None:
    """However long the traceback of a fault, or the member itself, is held."""
    target = write(tmp_path, zipped({"a.jsonl": LINES, "b.jsonl": LINES}))
    with open_members(target) as members:
        first = next(members)
        assert first.done() > 0
    with pytest.raises(ValueError, match="closed file"):
        first.done()
    assert list(members) == []


# What a file is, is told by its bytes.


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize("name", ["a.json", "a.json.gz", "a.zip", "a.tar.xz", "a"])
def test_content_is_read_when_the_name_says_something_else(
    tmp_path: Path, packer: Callable[[bytes], bytes], name: str
) -> None:
    assert list(read(write(tmp_path, packer(LINES), name)).values()) == [LINES]


def test_content_longer_than_a_chunk_is_read_whole_when_packed(tmp_path: Path) -> None:
    content = noise(700_000) + b"0" * 3_000_000
    for packer in PACKERS.values():
        assert list(read(write(tmp_path, packer(content))).values()) == [content]


@pytest.mark.parametrize(
    ("magic", "name"),
    [
        (b"\x28\xb5\x2f\xfd\0\0\0\0", "Zstandard"),
        (b"7z\xbc\xaf\x27\x1c\0\0", "7-Zip"),
        (b"Rar!\x1a\x07\0\0", "RAR"),
    ],
)
def test_packing_that_is_not_read_is_named(tmp_path: Path, magic: bytes, name: str) -> None:
    with pytest.raises(CompressionError, match=f"file is packed by {name}.* Unpack it first"):
        read(write(tmp_path, magic))


# Faults of the target itself.


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"There is no file .*nowhere\.json\. Check the path"):
        read(tmp_path / "nowhere.json")


def test_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmptyFileError, match="file is empty"):
        read(write(tmp_path, b""))


@pytest.mark.parametrize("content", [b" \n\t\n", gzip.compress(b"", mtime=0), gzip.compress(b" \n" * 300_000, mtime=0)])
def test_file_of_blanks_is_empty_when_lines_are_read(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(EmptyFileError, match="file is empty"):
        list(pages(write(tmp_path, content)))


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_file_without_permission_is_named(tmp_path: Path) -> None:
    path = write(tmp_path, LINES)
    path.chmod(0)
    with pytest.raises(MissingFileError, match=r"may not be read\. Change its permissions"):
        read(path)


def test_folder_is_refused_when_a_file_is_needed(tmp_path: Path) -> None:
    write(tmp_path, LINES)
    with pytest.raises(FormatError, match=r"is a folder\. Name a file in it"):
        members_of(tmp_path, folder=False)


def test_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="pipe is neither a file nor a folder"):
        read(tmp_path / "pipe")


# Folders.


def test_folder_is_read_in_order_without_what_is_hidden(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("b/2.json", "b/10.json", "a.json", ".hidden.json", ".git/x.json", "b/empty.json"):
        write(tmp_path, b"" if "empty" in name else name.encode(), name)
    os.mkfifo(tmp_path / "b" / "pipe")
    (tmp_path / "b" / "again").symlink_to(tmp_path, target_is_directory=True)
    assert list(read(tmp_path)) == ["a.json", "b/10.json", "b/2.json"]
    assert size_of(tmp_path) == len("a.json" + "b/10.json" + "b/2.json")


def test_wanted_chooses_in_folders_and_archives_but_not_the_file_that_was_named(tmp_path: Path) -> None:
    def wanted(name: str) -> bool:
        return name.endswith(".json")

    members = {"a.json": b"[]", "README": b"read me"}
    (tmp_path / "folder").mkdir()
    for name, content in members.items():
        write(tmp_path, content, f"folder/{name}")
    for target in (
        tmp_path / "folder",
        write(tmp_path, tar(members), "tar"),
        write(tmp_path, zipped(members), "zip"),
    ):
        assert [member.name for member in members_of(target, wanted)] == ["a.json"]
    assert [member.name for member in members_of(write(tmp_path, b"[]", "README"), wanted)] == ["README"]


@pytest.mark.parametrize("packer", [tar, zipped])
def test_archive_without_what_is_wanted_is_refused(tmp_path: Path, packer: Callable[[dict[str, bytes]], bytes]) -> None:
    path = write(tmp_path, packer({"README": b"read me"}), "archive")
    with pytest.raises(FormatError, match=r"archive holds no \.json file"):
        members_of(path, lambda name: name.endswith(".json"), kind=".json file")


def test_archive_of_nothing_is_empty(tmp_path: Path) -> None:
    with pytest.raises(EmptyFileError, match="nothing in it"):
        read(write(tmp_path, zipped({})))


def test_damaged_file_of_a_folder_costs_only_itself(tmp_path: Path) -> None:
    write(tmp_path, LINES, "a.jsonl")
    write(tmp_path, gzip.compress(LINES)[:-12], "b.jsonl")
    write(tmp_path, zipped({"c.jsonl": LINES})[:-30], "c.jsonl")
    write(tmp_path, LINES, "d.jsonl")
    found, fault = read_until_error(tmp_path)
    assert found.count(LINES) == 3
    assert isinstance(fault, TruncatedFileError)
    assert f"{tmp_path.name}: b.jsonl ends too early" in str(fault)


def test_damaged_member_of_an_archive_costs_only_itself(tmp_path: Path) -> None:
    damaged = bytearray(gzip.compress(LINES * 50))
    damaged[-8] ^= 1
    for packer in (tar, zipped):
        path = write(tmp_path, packer({"a.jsonl": LINES, "b.gz": bytes(damaged), "c.jsonl": LINES}), "all")
        found, fault = read_until_error(path)
        assert found == LINES * 2
        assert isinstance(fault, CompressionError)
        assert "all: b.gz is damaged: its gzip can't be unpacked" in str(fault)


# Cuts.


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_file_cut_anywhere_gives_its_first_lines_and_an_error(
    tmp_path_factory: pytest.TempPathFactory, packer: Callable[[bytes], bytes], data: st.DataObject
) -> None:
    content = b"".join(b'{"id": "%d", "x": "%s"}\n' % (n, noise(40, n).hex().encode()) for n in range(100))
    packed = packer(content)
    cut = data.draw(st.integers(0, len(packed) - 1))
    found, fault = read_until_error(write(tmp_path_factory.mktemp("cut"), packed[:cut]))
    assert content.startswith(found)
    assert all(line.endswith(b'"}') for line in found.splitlines())
    if cut > 600:  # else it is too short to be told for what it is
        if fault is None:
            assert packer is bytes or found == content
        else:
            assert isinstance(fault, TruncatedFileError)


def test_cut_gzip_gives_every_line_that_was_complete(tmp_path: Path) -> None:
    content = b"".join(b'{"id": "%d"}\n' % n for n in range(20_000))
    found, fault = read_until_error(write(tmp_path, gzip.compress(content)[:-4]))
    assert found == content
    assert isinstance(fault, TruncatedFileError)


def test_cut_tar_between_two_members_is_told(tmp_path: Path) -> None:
    whole = tar({"a.jsonl": LINES, "b.jsonl": LINES})
    found, fault = read_until_error(write(tmp_path, whole[:1024]))
    assert found == LINES
    assert isinstance(fault, TruncatedFileError)


def test_cut_zip_gives_the_files_that_are_still_there(tmp_path: Path) -> None:
    members = {
        "folder/": b"",
        "a.jsonl": LINES,
        "b.jsonl": LINES,
        "c.jsonl": noise(3_000).hex().encode(),
    }
    for packed in (zipped(members), zipped(members, zipfile.ZIP_STORED), zipped_as_a_stream(members)):
        path = write(tmp_path, packed[:1_500])
        found, fault = read_until_error(path)
        assert found == LINES * 2
        assert isinstance(fault, TruncatedFileError)


@pytest.mark.parametrize("ending", [b'{"id": "4", "title": "Ti', b'{"id": "4"', b"{"])
def test_line_that_breaks_off_is_told_when_it_is_the_last(tmp_path: Path, ending: bytes) -> None:
    found, fault = read_until_error(write(tmp_path, LINES + ending))
    assert found == LINES
    assert isinstance(fault, TruncatedFileError)
    assert "line 4 breaks off" in str(fault)


@pytest.mark.parametrize("ending", [b'{"id": "4"}', b'{"id": "4"}  ', b'{"id": "4"}\r\n', b"\n \n"])
def test_last_line_needs_no_line_end(tmp_path: Path, ending: bytes) -> None:
    found, fault = read_until_error(write(tmp_path, LINES + ending))
    assert (found, fault) == (LINES + ending, None)


# Damage.


@pytest.mark.parametrize("packer", [gzip.compress, bz2.compress, lzma.compress])
def test_damage_in_the_middle_is_told(tmp_path: Path, packer: Callable[[bytes], bytes]) -> None:
    packed = bytearray(packer(noise(60_000).hex().encode()))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(CompressionError, match=r"file is damaged: its (gzip|bzip2|xz) can't be unpacked"):
        read(write(tmp_path, bytes(packed)))


def test_wrong_checksum_of_gzip_is_told(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(LINES))
    packed[-8] ^= 1
    with pytest.raises(CompressionError, match="Get the file again"):
        read(write(tmp_path, bytes(packed)))


def test_wrong_checksum_in_a_zip_is_told(tmp_path: Path) -> None:
    packed = zipped({"a.jsonl": LINES}, zipfile.ZIP_STORED)
    with pytest.raises(CompressionError, match="damaged"):
        read(write(tmp_path, packed.replace(b'"2"', b'"9"', 1)))


def test_what_follows_a_part_of_gzip_must_be_gzip(tmp_path: Path) -> None:
    with pytest.raises(CompressionError, match="what follows its first part is not gzip"):
        read(write(tmp_path, gzip.compress(LINES) + b"rubbish and more"))


def test_damaged_header_of_a_tar_is_told(tmp_path: Path) -> None:
    packed = bytearray(tar({"a.jsonl": LINES, "b.jsonl": LINES}))
    packed[1024 + 150] ^= 1
    found, fault = read_until_error(write(tmp_path, bytes(packed)))
    assert found == LINES
    assert isinstance(fault, CompressionError)


def test_zip_with_a_password_is_told(tmp_path: Path) -> None:
    packed = bytearray(zipped({"a.jsonl": LINES}))
    packed[6] |= 1
    packed[packed.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(CompressionError, match="password"):
        read(write(tmp_path, bytes(packed)))


@settings(max_examples=150, deadline=None)
@given(
    packer=st.sampled_from(sorted(PACKERS)),
    changes=st.lists(st.tuples(st.integers(0, 5_000), st.integers(0, 255)), min_size=1, max_size=6),
)
def test_any_damage_ends_in_an_error_of_ours_or_in_content(
    tmp_path_factory: pytest.TempPathFactory, packer: str, changes: list[tuple[int, int]]
) -> None:
    packed = bytearray(PACKERS[packer](LINES * 20))
    for place, value in changes:
        packed[place % len(packed)] = value
    read_until_error(write(tmp_path_factory.mktemp("damage"), bytes(packed)))


# Archives that explode (all of these are a few kilobytes on disk).


def bomb(head: bytes, filling: bytes, megabytes: int) -> bytes:
    part = gzip.compress(filling * (16 * 1024 * 1024 // len(filling)))
    return gzip.compress(head) + part * (megabytes // 16)


@pytest.mark.parametrize(
    ("head", "filling", "error"),
    [
        (b"", b"\0", FormatError),
        (b'{"title": "', b"x", LimitError),
        (b'{"id": "1"}', b"\n", LimitError),
        (b'{"id": "1"}', b"\n{}", LimitError),
    ],
    ids=["zeros", "one endless line", "endless blank lines", "endless lines"],
)
def test_two_gigabytes_in_a_small_gzip_are_stopped_in_little_memory(
    tmp_path: Path, head: bytes, filling: bytes, error: type[SourceError]
) -> None:
    path = write(tmp_path, bomb(head, filling, 2048), "bomb.json.gz")
    tracemalloc.start()
    try:
        with pytest.raises(error):
            for _ in pages(path):
                pass
        assert tracemalloc.get_traced_memory()[1] < 100 * 1024 * 1024
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("pack", [tar, zipped])
def test_bomb_in_an_archive_is_stopped(tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]) -> None:
    path = write(tmp_path, pack({"a.jsonl.gz": bomb(b'{"id": "1"}', b"\n", 2048)}), "archive")
    with pytest.raises(LimitError, match=r"unpacks to more than 200 times its size .* stopped there"):
        list(pages(path))


def test_page_of_a_whole_member_is_limited(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"file is larger than 4 MB"):
        read(write(tmp_path, bomb(b"", b"text ", 32)))


def test_zip_of_twenty_thousand_empty_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"more than 100,000 files or 1,000 empty ones"):
        read(write(tmp_path, zipped({f"{n}.json": b"" for n in range(20_000)})))


def test_tar_of_empty_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LimitError, match=r"1,000 empty ones"):
        members_of(write(tmp_path, tar({f"{n}.json": b"" for n in range(1_001)})))


def test_tar_that_declares_a_name_of_a_terabyte_is_refused(tmp_path: Path) -> None:
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, 2**40
    header = info.tobuf(tarfile.GNU_FORMAT)
    with pytest.raises(LimitError, match="declares a name of"):
        read(write(tmp_path, header + b"x" * 2048))


def test_zip_that_declares_a_huge_directory_is_refused(tmp_path: Path) -> None:
    packed = bytearray(zipped({"a.jsonl": LINES}))
    struct.pack_into("<L", packed, packed.rindex(b"PK\x05\x06") + 12, 2**31)
    with pytest.raises(LimitError, match="has a directory of"):
        read(write(tmp_path, bytes(packed)))


# Names in archives.


@pytest.mark.parametrize("pack", [tar, zipped])
def test_name_that_leads_out_of_the_archive_is_only_a_name(
    tmp_path: Path, pack: Callable[[dict[str, bytes]], bytes]
) -> None:
    (tmp_path / "in").mkdir()
    path = write(tmp_path, pack({"../x.jsonl": LINES, "/etc/octavo-y": LINES}), "in/archive")
    assert set(read(path).values()) == {LINES}
    assert sorted(found.name for found in tmp_path.rglob("*")) == ["archive", "in"]


def test_links_devices_and_folders_of_a_tar_are_passed_over(tmp_path: Path) -> None:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for kind in (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE, tarfile.DIRTYPE):
            info = tarfile.TarInfo(f"kind-{kind.decode()}.jsonl")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("a.jsonl")
        info.size = len(LINES)
        archive.addfile(info, io.BytesIO(LINES))
    assert read(write(tmp_path, packed.getvalue())) == {"a.jsonl": LINES}


@pytest.mark.parametrize("format", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_long_names_of_a_tar_are_read(tmp_path: Path, format: int) -> None:  # noqa: A002
    name = "lists/" + "long-" * 40 + "névé.jsonl"
    assert read(write(tmp_path, tar({name: LINES, "b.jsonl": LINES}, format))) == {
        name: LINES,
        "b.jsonl": LINES,
    }


def test_name_is_shown_on_one_line_whatever_it_holds(tmp_path: Path) -> None:
    path = write(tmp_path, tar({"a\n\x1b[31m\u202e.jsonl": LINES}))
    members = members_of(path)
    assert [member.place for member in members] == ["file: a??[31m?.jsonl"]


# Lines and progress.


@settings(max_examples=60, deadline=None)
@given(
    lines=st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=40), max_size=30),
    size=st.integers(1, 200),
)
def test_pages_of_lines_join_to_the_file_and_know_their_lines(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int
) -> None:
    content = b'{"id": "1"}\n' + "".join(f"{line}\n" for line in lines).encode()
    path = write(tmp_path_factory.mktemp("lines"), content)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("octavo.sources.streams.PAGE_BYTES", size)
        patch.setattr("octavo.sources.packed.CHUNK", size)
        found = list(pages(path))
    assert b"".join(page.content for page in found) == content
    line = 1
    for page in found:
        assert page.line == line
        assert page.content.endswith(b"\n")
        line += page.content.count(b"\n")


@pytest.mark.parametrize("packer", PACKERS.values(), ids=PACKERS)
def test_progress_rises_to_the_size_of_the_target(tmp_path: Path, packer: Callable[[bytes], bytes]) -> None:
    content = b"".join(b'{"x": "%s"}\n' % noise(500, n).hex().encode() for n in range(4_000))
    path = write(tmp_path, packer(content))
    done = [page.done for page in pages(path)]
    assert len(done) > 2
    assert done == sorted(done)
    assert 0 < done[0] < done[-1] <= size_of(path)
    assert done[-1] > size_of(path) * 0.9


def test_progress_counts_all_files_of_a_folder(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write(tmp_path, LINES, name)
    assert [page.done for page in pages(tmp_path)] == [len(LINES), 2 * len(LINES), 3 * len(LINES)]
    assert size_of(tmp_path) == 3 * len(LINES)


def test_size_is_nothing_when_there_is_no_file(tmp_path: Path) -> None:
    assert size_of(tmp_path / "nowhere") == 0


def open_files() -> int:
    known = Path("/proc/self/fd")
    return sum(1 for _ in known.iterdir()) if known.exists() else 0


def test_file_is_closed_when_the_reader_stops_early(tmp_path: Path) -> None:
    path = write(tmp_path, LINES * 100_000)
    before = open_files()
    found = pages(path)
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert open_files() == before


def test_file_is_never_written(tmp_path: Path) -> None:
    path = write(tmp_path, tar({"a.jsonl": LINES}))
    path.chmod(stat.S_IRUSR)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert read(path) == {"a.jsonl": LINES}
    tmp_path.chmod(stat.S_IRWXU)


# Encodings and forms.


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_encoding_is_told_at_the_first_byte(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(EncodingError, match=r"file is UTF-16 or UTF-32, from byte 0 on\. Save it as UTF-8"):
        list(pages(write(tmp_path, LINES.decode().encode(encoding))))


def test_utf8_mark_is_taken_off(tmp_path: Path) -> None:
    path = write(tmp_path, b"\xef\xbb\xbf" + LINES)
    assert read_until_error(path) == (LINES, None)
    assert read(path) == {"file": LINES}


def test_line_in_another_encoding_is_left_to_parse(tmp_path: Path) -> None:
    content = LINES + '{"id": "é"}\n'.encode("latin-1") + LINES
    assert read_until_error(write(tmp_path, content)) == (content, None)


def test_decode_says_byte_and_line() -> None:
    assert decode("né".encode(), "here") == "né"
    with pytest.raises(EncodingError, match=r"here is not UTF-8: byte 7 \(line 2\) is 0xe9"):
        decode(b"line 1\n\xe9\n", "here")


@pytest.mark.parametrize("content", [b"[1, 2]\n", b"<html>", b"title\tauthors\n", b"\n\n  hello {}"])
def test_file_that_is_no_json_lines_is_refused_at_once(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(FormatError, match=r"file is not JSON lines .* it begins with “"):
        list(pages(write(tmp_path, content)))


@pytest.mark.parametrize(
    ("content", "start"),
    [
        (b"<html>\n <body> and more than that", "“<html> <body> and mo”"),
        ("é".encode() * 40, "“éééééééééééé”"),
        (b"k\xbe\x87", "bytes that are no text"),
        (b"\0\1\2", "bytes that are no text"),
        (b"a\x1b[31m", "bytes that are no text"),
    ],
)
def test_start_of_a_file_is_told_in_words(content: bytes, start: str) -> None:
    assert shown_start(content) == start


def test_bytes_are_not_said_to_be_a_wide_encoding(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="it begins with bytes that are no text"):
        list(pages(write(tmp_path, bytes(range(256)))))


def test_faults_of_the_folder_one_is_in_have_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_bytes(LINES)
    (member,) = members_of(Path())
    assert member.place == f"{tmp_path.name}: a.jsonl"
