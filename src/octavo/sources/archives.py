"""The files in a tar or a zip, as streams.

Nothing is written to disk, and a name in an archive is only a name: `../x` goes nowhere. Memory is bounded
whatever an archive declares of itself.
"""

from __future__ import annotations

import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, NamedTuple, cast

from octavo.errors import CompressionError, LimitError, SourceError, TruncatedFileError
from octavo.sources.packed import AGAIN, CHUNK, DEFLATE, Meter, Stream, inflated, open_stream

MAX_MEMBERS = 100_000
"""Files, folders and links of one archive."""
MAX_EMPTY_MEMBERS = 1_000
MAX_DIRECTORY = 64 * 1024 * 1024
"""Bytes of a zip's directory, which has to be read whole."""
_MAX_NAME_BLOCK = 1024 * 1024
_BLOCK = 512


class Entry(NamedTuple):
    """A file in an archive: its name there and its bytes."""

    name: str
    stream: Stream


def is_tar(head: bytes) -> bool:
    """Whether a file that begins with `head` (512 bytes) is a tar."""
    return _tar_header(head) is not None


def _tar_header(block: bytes) -> tarfile.TarInfo | None:
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "replace")
    except (tarfile.HeaderError, ValueError):
        return None


class _Census:
    """Counts the members of an archive."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._members = self._empty = 0

    def count(self, size: int | None) -> None:
        """Add a member of `size` bytes, or a folder or link (None).

        Raises:
            LimitError: past MAX_MEMBERS or MAX_EMPTY_MEMBERS.
        """
        self._members += 1
        self._empty += size == 0
        if self._members > MAX_MEMBERS or self._empty > MAX_EMPTY_MEMBERS:
            raise LimitError(
                f"{self._place} holds more than {MAX_MEMBERS:,} files or {MAX_EMPTY_MEMBERS:,} empty ones. "
                "The reading stopped there.",
                hint="Unpack it and name the folder.",
            )


def tar_entries(stream: Stream, place: str) -> Iterator[Entry]:
    """The regular files of a tar, in order; links, devices and folders are passed over.

    An entry's stream is good until the next entry is asked for. Written here because `tarfile` reads a name
    of any declared length into memory and takes a cut between two members for the end.

    Raises:
        TruncatedFileError: it ends before its end mark.
        CompressionError: a header is damaged.
        LimitError: too many members.
    """
    census = _Census(place)
    long_name: str | None = None
    long_size: int | None = None
    while True:
        block = stream.read_exactly(_BLOCK)
        if len(block) == _BLOCK and not block.strip(b"\0"):
            while stream.read():
                pass  # The padding; behind it a compression has its checksum.
            return
        if len(block) < _BLOCK:
            stream.read()  # A fault of the compression around it says more.
            raise TruncatedFileError(f"{place} ends too early: the tar has no end mark.", hint=AGAIN)
        header = _tar_header(block)
        if header is None or header.size < 0:
            raise CompressionError(f"{place} is damaged: a header of the tar can't be read.", hint=AGAIN)
        if header.type in (b"x", b"L"):
            body = _tar_body(stream, header.size, place)
            name, size = _extended(body) if header.type == b"x" else (body.rstrip(b"\0"), None)
            long_name = name.decode("utf-8", "replace") if name is not None else long_name
            long_size = size if size is not None else long_size
            continue
        size = header.size if long_size is None else long_size
        census.count(size if header.isreg() else None)
        content = Stream(_tar_content(stream, size if _has_body(header) else 0, place))
        if header.isreg():
            yield Entry(long_name or header.name, content)
        while content.read():
            pass  # What the reader left, or the body of something that is no file.
        long_name = long_size = None


def _has_body(header: tarfile.TarInfo) -> bool:
    """Links, devices, folders and pipes have none, whatever size they declare."""
    return header.isreg() or header.type not in (b"1", b"2", b"3", b"4", b"5", b"6")


def _tar_content(stream: Stream, size: int, place: str) -> Iterator[bytes]:
    left = size
    while left:
        chunk = stream.read(min(left, CHUNK))
        if not chunk:
            raise TruncatedFileError(f"{place} ends too early: a file in the tar is cut.", hint=AGAIN)
        left -= len(chunk)
        yield chunk
    stream.read_exactly(-size % _BLOCK)


def _tar_body(stream: Stream, size: int, place: str) -> bytes:
    """A long name or extended header, whole."""
    if size > _MAX_NAME_BLOCK:
        raise LimitError(f"{place} declares a name of {size:,} bytes in its tar, and was left there.", hint=AGAIN)
    return b"".join(_tar_content(stream, size, place))


def _extended(body: bytes) -> tuple[bytes | None, int | None]:
    """Path and size of a pax header (lines of `LENGTH key=value`)."""
    path: bytes | None = None
    size: int | None = None
    while body:
        digits, _, _ = body.partition(b" ")
        if not digits.isdigit() or not 0 < (length := int(digits[:9])) <= len(body):
            break
        key, _, value = body[len(digits) + 1 : length - 1].partition(b"=")
        if key == b"path":
            path = value
        elif key == b"size" and value.isdigit():
            size = int(value[:18])
        body = body[length:]
    return path, size


def is_zip(head: bytes) -> bool:
    """Whether a file that begins with `head` is a zip."""
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def zip_entries(file: IO[bytes], place: str, meter: Meter) -> Iterator[Entry]:
    """The files of a zip, in the order of its directory. Of a zip that lost its directory (a download that
    was cut): the files that are still there, then TruncatedFileError.

    Raises:
        TruncatedFileError: see above.
        CompressionError: it is damaged, or locked by a password.
        LimitError: too many members.
    """
    if not _has_directory(file, place):
        file.seek(0)
        yield from _entries_of_cut_zip(open_stream(file, place), place, meter)
        return
    try:
        archive = zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, EOFError) as fault:
        raise CompressionError(f"{place} is damaged: its directory can't be read ({fault}).", hint=AGAIN) from fault
    census = _Census(place)
    for info in archive.infolist():
        census.count(None if info.is_dir() else info.file_size)
    for info in archive.infolist():
        if not info.is_dir():
            yield Entry(info.filename, Stream(_zip_content(archive, info, place, meter)))


def _has_directory(file: IO[bytes], place: str) -> bool:
    """Whether a zip still has its end record; checks the length of its directory before that is read into
    memory."""
    end = file.seek(0, io.SEEK_END)
    start = file.seek(max(0, end - 70_000))
    tail = file.read(end - start)
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < 22:
        return False
    (length,) = struct.unpack_from("<L", tail, at + 12)
    at64 = tail.rfind(b"PK\x06\x06", 0, at)
    if length == 0xFFFFFFFF and at64 >= 0 and len(tail) - at64 >= 48:
        (length,) = struct.unpack_from("<Q", tail, at64 + 40)
    if length > MAX_DIRECTORY:
        raise LimitError(f"{place} has a directory of {length:,} bytes, and was left there.", hint="Unpack it first.")
    return True


def _zip_content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, place: str, meter: Meter) -> Iterator[bytes]:
    try:
        with archive.open(info) as content:
            while chunk := cast("zipfile.ZipExtFile", content).read1(CHUNK):
                meter.count(len(chunk))
                yield chunk
    except EOFError as fault:
        raise TruncatedFileError(f"{place} ends too early: a file in the zip is cut.", hint=AGAIN) from fault
    except RuntimeError as fault:  # zipfile says this of a password, and NotImplementedError is one as well
        raise CompressionError(f"{place} can't be unpacked: {fault}.", hint="Unpack it first.") from fault
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, struct.error, OSError) as fault:
        raise CompressionError(f"{place} is damaged: it can't be unpacked ({fault}).", hint=AGAIN) from fault


def _entries_of_cut_zip(stream: Stream, place: str, meter: Meter) -> Iterator[Entry]:
    cut = TruncatedFileError(f"{place} ends too early: the zip has lost its directory.", hint=AGAIN)
    while True:
        header = stream.read_exactly(30)
        if len(header) < 30 or not header.startswith(b"PK\x03\x04"):
            raise cut
        _, flags, method, _, _, _, size, _, name_length, extra_length = struct.unpack("<HHHHHLLLHH", header[4:])
        name = stream.read_exactly(name_length).decode("utf-8", "replace")
        stream.read_exactly(extra_length)
        if flags & 1 or method not in (0, 8) or (method == 0 and (flags & 8 or size == 0xFFFFFFFF)):
            raise cut
        chunks = inflated(stream, DEFLATE, place, meter) if method else _stored(stream, size, cut)
        content = Stream(chunks)
        if not name.endswith("/"):
            yield Entry(name, content)
        while content.read():
            pass
        # Sizes that were not known beforehand stand behind the content, in one of four lengths.
        behind = stream.peek(28).find(b"PK\x03\x04")
        if behind < 0:
            raise cut
        stream.read_exactly(behind)


def _stored(stream: Stream, size: int, cut: SourceError) -> Iterator[bytes]:
    while size:
        chunk = stream.read(min(size, CHUNK))
        if not chunk:
            raise cut
        size -= len(chunk)
        yield chunk
