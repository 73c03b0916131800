"""Bytes out of compressed files: gzip, bzip2 and xz, told by their magic bytes, unpacked as a stream.

Nothing is written to disk and no name is trusted. Memory is bounded whatever a file declares of itself, and a
file that unpacks to absurdly more than it holds is stopped while it does so.
"""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import IO, NamedTuple, Protocol, cast

from octavo.errors import (
    CompressionError,
    LimitError,
    MissingFileError,
    SourceError,
    TruncatedFileError,
)

CHUNK = 256 * 1024
"""Bytes that are read or unpacked at a time."""
MAX_RATIO = 200
"""Bytes out for each byte in, once RATIO_FLOOR has been unpacked. Metadata packs to a tenth, gzipped zeros to
a thousandth."""
RATIO_FLOOR = 64 * 1024 * 1024
MAX_UNPACKED = 64 * 1024**3
"""Bytes of one file, unpacked; arXiv's whole metadata is about 5 GB."""
_MAX_XZ_MEMORY = 256 * 1024 * 1024
AGAIN = "Get the file again."


class Stream:
    """Bytes that come in chunks, with a look ahead. A fault that ended it is raised at every later read."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Take the bytes from `chunks`, none of which is empty."""
        self._chunks = chunks
        self._held = b""
        self._fault: SourceError | None = None

    def read(self, size: int = CHUNK) -> bytes:
        """At most `size` bytes; none only at the end.

        Raises:
            SourceError: where the bytes can't be read; all before that place were given out.
        """
        chunk = self._held or self._next()
        self._held = chunk[size:] if len(chunk) > size else b""
        return chunk[:size] if self._held else chunk

    def read_exactly(self, size: int) -> bytes:
        """`size` bytes, fewer only at the end or before a fault (which the next read raises)."""
        data = self.read(size)
        while data and len(data) < size:
            try:
                more = self.read(size - len(data))
            except SourceError:
                break
            if not more:
                break
            data += more
        return data

    def peek(self, size: int) -> bytes:
        """The next `size` bytes without taking them; fewer at the end or before a fault."""
        while len(self._held) < size:
            try:
                chunk = self._next()
            except SourceError:
                break
            if not chunk:
                break
            self._held += chunk
        return self._held[:size]

    def put_back(self, data: bytes) -> None:
        """Give `data` out again at the next read."""
        self._held = data + self._held

    def _next(self) -> bytes:
        if self._fault is not None:
            raise self._fault
        try:
            return next(self._chunks, b"")
        except SourceError as fault:
            self._fault = fault
            raise


class Meter:
    """Counts what one file unpacks to, and stops what unpacks to too much."""

    def __init__(self, place: str, packed: Callable[[], int]) -> None:
        """Compare with `packed`, the bytes read of the file so far."""
        self._place = place
        self._packed = packed
        self._most_packed = 0
        self._unpacked = 0

    def count(self, size: int) -> None:
        """Add `size` unpacked bytes.

        Raises:
            LimitError: past MAX_UNPACKED, or past MAX_RATIO times what was read.
        """
        self._unpacked += size
        if self._unpacked <= RATIO_FLOOR:
            return
        self._most_packed = max(self._most_packed, self._packed())
        if self._unpacked > min(MAX_UNPACKED, MAX_RATIO * max(self._most_packed, 1)):
            raise LimitError(
                f"{self._place} unpacks to more than {MAX_RATIO} times its size or {MAX_UNPACKED >> 30} GB. "
                "The reading stopped there.",
                hint="No list of papers does that; unpack it by hand if you trust it.",
            )


def open_stream(file: IO[bytes], place: str) -> Stream:
    """The bytes of an open file as they are."""
    return Stream(_file_chunks(file, place))


def _file_chunks(file: IO[bytes], place: str) -> Iterator[bytes]:
    try:
        while chunk := file.read(CHUNK):
            yield chunk
    except OSError as fault:
        raise MissingFileError(f"{place} can't be read: {fault.strerror or fault}.") from fault


# Compressions


class _Decompressor(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int, /) -> bytes: ...


class _Codec(NamedTuple):
    name: str
    magic: bytes
    begin: Callable[[], _Decompressor]


def _begin_gzip() -> _Decompressor:
    return cast("_Decompressor", zlib.decompressobj(31))


def _begin_deflate() -> _Decompressor:
    return cast("_Decompressor", zlib.decompressobj(-15))


def _begin_xz() -> _Decompressor:
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MAX_XZ_MEMORY)


_CODECS = (
    _Codec("gzip", b"\x1f\x8b", _begin_gzip),
    _Codec("bzip2", b"BZh", bz2.BZ2Decompressor),
    _Codec("xz", b"\xfd7zXZ\x00", _begin_xz),
)
DEFLATE = _Codec("zip", b"", _begin_deflate)
_UNREAD = {
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"\x1f\x9d": "compress",
}


def unpacked(stream: Stream, place: str, meter: Meter) -> Stream:
    """What is in `stream`, once it is freed of a compression that its first bytes tell; else the same stream.

    Raises:
        CompressionError: packed in a way that Octavo does not read. (Damage shows at a later read.)
    """
    head = stream.peek(8)
    for magic, name in _UNREAD.items():
        if head.startswith(magic):
            raise CompressionError(f"{place} is packed by {name}, which Octavo does not read.", hint="Unpack it first.")
    for codec in _CODECS:
        if head.startswith(codec.magic):
            return Stream(inflated(stream, codec, place, meter))
    return stream


def inflated(stream: Stream, codec: _Codec, place: str, meter: Meter) -> Iterator[bytes]:
    data = stream.read()
    while data:
        decompressor = codec.begin()
        while not decompressor.eof:
            try:
                out = decompressor.decompress(data, CHUNK)
            except (zlib.error, lzma.LZMAError, OSError, ValueError) as fault:
                raise CompressionError(
                    f"{place} is damaged: its {codec.name} can't be unpacked ({fault}).", hint=AGAIN
                ) from fault
            # zlib hands back what it has not taken; bzip2 and xz keep it and say that they need no more.
            data = getattr(decompressor, "unconsumed_tail", b"")
            if out:
                meter.count(len(out))
                yield out
            elif not decompressor.eof and not data and not (data := stream.read()):
                raise TruncatedFileError(f"{place} ends too early: its {codec.name} is cut.", hint=AGAIN)
        data = decompressor.unused_data
        if codec is DEFLATE:
            stream.put_back(data)
            return
        data = _next_part(data, stream)
        if data and not data.startswith(codec.magic):
            raise CompressionError(f"{place} is damaged: what follows its first part is not {codec.name}.", hint=AGAIN)


def _next_part(data: bytes, stream: Stream) -> bytes:
    """What follows one compressed part, without the zeros that pad it; long enough to hold the next part's
    magic bytes."""
    while True:
        data = data.lstrip(b"\0")
        if len(data) >= 8 or not (more := stream.read()):
            return data
        data += more
