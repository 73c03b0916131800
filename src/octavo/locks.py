"""Locks on files: who has a file locked has the turn, among all threads and processes of the machine.

The system takes a lock back when its process ends, however it ends, so that nothing has to be cleaned up.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from octavo.errors import BusyError

_LOCKED_BYTE = 4096  # behind what is written, since Windows lets nobody else read a locked byte
_RECORD = 256

if sys.platform == "win32":
    import errno
    import msvcrt

    def lock(file: int) -> bool:
        """Lock an open file; False where another has it."""
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as fault:
            if fault.errno in (errno.EACCES, errno.EDEADLK):
                return False
            raise
        return True

    def unlock(file: int) -> None:
        """Let go of a file that `lock` locked."""
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def lock(file: int) -> bool:
        """Lock an open file; False where another has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(file: int) -> None:
        """Let go of a file that `lock` locked."""
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def held(path: Path, what: str) -> Iterator[None]:
    """Have `path` locked until the block ends, with a note in it of who has it; `what` is what that one does.

    Raises:
        BusyError: another process has it; it says which, and since when.
        OSError: the file can't be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
    try:
        if not lock(file):
            raise BusyError(
                f"Another {what} is at work ({_holder(file)}).",
                hint="Wait for it to end; what it brings is there for everyone.",
            )
        note = {"pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
        os.lseek(file, 0, os.SEEK_SET)
        os.write(file, json.dumps(note).encode().ljust(_RECORD))
        try:
            yield
        finally:
            unlock(file)
    finally:
        os.close(file)


def is_held(path: Path) -> bool:
    """Whether somebody has `path` locked. Writes nothing, so that it can be asked on a full disk and of what may only
    be read."""
    try:
        file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:  # nobody has locked it yet, or it is of another user's
        return False
    try:
        is_free = lock(file)
        if is_free:
            unlock(file)
    except OSError:  # a file system without locks, where nobody holds any
        is_free = True
    finally:
        os.close(file)
    return not is_free


def _holder(file: int) -> str:
    """Who has the file, as far as its note can be read: between locking and noting it is that of the one before."""
    os.lseek(file, 0, os.SEEK_SET)
    try:
        note = json.loads(os.read(file, _RECORD))
        return f"process {int(note['pid'])}, since {str(note['since'])[:16].replace('T', ' ')} UTC"
    except (ValueError, TypeError, KeyError, OSError):
        return "it has just begun"
