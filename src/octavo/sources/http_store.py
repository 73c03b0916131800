"""What was fetched before, kept with its validators for conditional requests."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MAX_STORE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer from before, with what the server told it by."""

    etag: str
    last_modified: str
    headers: Mapping[str, str]
    content: bytes

    @property
    def validators(self) -> dict[str, str]:
        pairs = {"If-None-Match": self.etag, "If-Modified-Since": self.last_modified}
        return {name: value for name, value in pairs.items() if value}


class Store:
    """Answers with their validators, a JSON file each. It may be deleted at any time, and never makes a fetch fail."""

    def __init__(self, folder: Path, most: int = MAX_STORE) -> None:
        self._folder, self._most = folder, most

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()}.json"

    def load(self, key: str, max_bytes: int) -> Kept | None:
        """What is kept for `key`; None where that is nothing, is damaged or is too large."""
        path = self._path(key)
        try:
            fields = json.loads(path.read_bytes())
            unpacker = zlib.decompressobj()
            content = unpacker.decompress(base64.b64decode(fields["content"]), max_bytes + 1)
            headers = {str(name): str(value) for name, value in fields["headers"].items()}
            if not unpacker.eof or len(content) > max_bytes:
                return None
            os.utime(path)  # what is still asked for is not the oldest
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error):
            return None
        etag, modified = headers.get("etag", ""), headers.get("last-modified", "")
        sound = all(value.isascii() and value.isprintable() for value in (etag, modified))
        return Kept(etag, modified, headers, content) if sound and (etag or modified) else None

    def save(self, key: str, headers: Mapping[str, str], content: bytes) -> None:
        """Keep an answer, where it has a validator; make room by dropping the oldest."""
        if "no-store" in headers.get("cache-control", "") or not {"etag", "last-modified"} & set(headers):
            self.drop(key)
            return
        kept = {name: value for name, value in headers.items() if name in ("etag", "last-modified", "content-type")}
        packed = base64.b64encode(zlib.compress(content, 6)).decode()
        data = json.dumps({"headers": kept, "content": packed}).encode()
        with contextlib.suppress(OSError):
            if len(data) > self._most // 4:
                self.drop(key)
                return
            self._folder.mkdir(parents=True, exist_ok=True)
            file, temporary = tempfile.mkstemp(suffix=".tmp", dir=self._folder)
            try:
                with os.fdopen(file, "wb") as out:
                    out.write(data)
                os.replace(temporary, self._path(key))  # noqa: PTH105 - a name, not a Path
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
            self._trim()

    def drop(self, key: str) -> None:
        """Forget `key`."""
        with contextlib.suppress(OSError):
            self._path(key).unlink(missing_ok=True)

    def _trim(self) -> None:
        files = []
        for path in self._folder.iterdir():
            with contextlib.suppress(OSError):  # another process was faster
                found = path.stat()
                files.append((found.st_mtime, found.st_size, path))
        left = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if left <= self._most:
                return
            path.unlink(missing_ok=True)
            left -= size
