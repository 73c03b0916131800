"""The body of an answer: whole, unpacked within bounds, and found to be what was asked for."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Iterator

import httpx

from octavo.errors import SourceError
from octavo.sources.http_errors import FailedTry
from octavo.sources.packed import MAX_RATIO

RATIO_FLOOR = 1024 * 1024
"""Bytes of an answer that may be unpacked before MAX_RATIO is looked at."""
_CHUNK = 64 * 1024

Expected = tuple[str, ...] | Callable[[bytes], bool]
"""Media types (none: any), or a check of the content: False, or a SourceError, where it is not what was asked for."""


def read_body(response: httpx.Response, expect: Expected, max_bytes: int) -> bytes:
    """The whole body, unpacked and found to be what was expected."""
    media_type = response.headers.get("content-type", "")
    if isinstance(expect, tuple):
        check_expected(expect, media_type, b"")  # before the body of a maintenance page is read
    too_large = FailedTry(f"it is larger than {max_bytes:,} bytes", refused=True)
    declared = response.headers.get("content-length", "")
    if declared.isascii() and declared.isdigit() and (len(declared) > 15 or int(declared) > max_bytes):
        raise too_large
    coding = response.headers.get("content-encoding", "").strip().lower()
    if coding not in ("", "identity", "gzip", "x-gzip"):
        raise FailedTry("it is packed in a way that was not asked for", again=False)
    chunks = _limited(response.iter_raw(), max_bytes, too_large)
    content = bytearray()
    for chunk in _unpacked(chunks) if coding.endswith("gzip") else chunks:
        content += chunk
        if len(content) > max_bytes:
            raise too_large
    check_expected(expect, media_type, bytes(content))
    return bytes(content)


def _limited(chunks: Iterable[bytes], most: int, fault: FailedTry) -> Iterator[bytes]:
    taken = 0
    for chunk in chunks:
        taken += len(chunk)
        if taken > most:
            raise fault
        yield chunk


def _unpacked(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """What gzip's bytes hold, never more than a little of it at a time."""
    packed = unpacked = 0
    decompressor = None
    for chunk in chunks:
        packed += len(chunk)
        data = chunk
        while data:
            if decompressor is None:
                if not (data := data.lstrip(b"\0")):  # what pads the last part
                    break
                decompressor = zlib.decompressobj(31)
            try:
                out = decompressor.decompress(data, _CHUNK)
            except zlib.error as fault:
                raise FailedTry("its gzip is damaged") from fault
            unpacked += len(out)
            if unpacked > max(RATIO_FLOOR, MAX_RATIO * packed):
                raise FailedTry(f"it unpacks to more than {MAX_RATIO} times its size", refused=True)
            yield out
            data = decompressor.unconsumed_tail
            if decompressor.eof:
                data, decompressor = decompressor.unused_data, None
    if decompressor is not None:
        raise FailedTry("the answer was cut short: its gzip ends too early")


def check_expected(expect: Expected, media_type: str, content: bytes) -> None:
    """Fail the try where the answer is not what was asked for, as a page about maintenance with status 200."""
    if isinstance(expect, tuple):
        kind = media_type.partition(";")[0].strip().lower()
        if expect and kind not in expect:
            raise FailedTry(
                f"the answer is {_legible(kind) or 'of no stated type'}, not {' or '.join(expect)}", status=200
            )
        return
    try:
        if expect(content):
            return
    except SourceError as fault:
        raise FailedTry(f"the answer is not what was asked for: {fault.message}".rstrip("."), status=200) from fault
    raise FailedTry("the answer is not what was asked for, or only a part of it", status=200)


def _legible(text: str) -> str:
    return "".join(char for char in text if char.isprintable())[:60]
