"""The faults of the word index's engine, told as errors of Octavo's."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from octavo.errors import DiskFullError, HomeError, OctavoError, SearchIndexError

_NO_ROOM = 200_000
"""Bytes free on a disk below which a fault of the index is put down to the disk."""


@contextmanager
def index_errors(folder: Path) -> Iterator[None]:
    """Tell tantivy's faults, which are ValueErrors and OSErrors with a text, as ours."""
    try:
        yield
    except OctavoError:
        raise
    except BaseException as error:
        # A panic in Rust is a BaseException of a class that can't be imported.
        if not isinstance(error, ValueError | OSError | OverflowError) and type(error).__name__ != "PanicException":
            raise
        text = str(error)
        # A writer's thread that ran out of room says only that it is gone.
        if "No space left" in text or "StorageFull" in text or _is_full(folder):
            raise DiskFullError(
                f"No room left on the disk of {folder}.",
                hint="The catalogue is whole; free some space, then the index catches up by itself.",
            ) from error
        if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise HomeError(
                f"The index can't be written to {folder}: {error.strerror}.",
                hint="Check what stands there and its permissions.",
            ) from error
        cause = text.splitlines()[0][:160] if text else type(error).__name__
        raise SearchIndexError(
            f"The search index in {folder} can't be used ({cause}).",
            hint="`octavo rebuild` makes it anew from the catalogue.",
        ) from error


def _is_full(folder: Path) -> bool:
    """Whether the disk that `folder` is on has no room to speak of."""
    try:
        return shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.is_dir())).free < _NO_ROOM
    except OSError:
        return False
