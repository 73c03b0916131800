"""The folder of a site: written beside the old one, then put in its place at once.

Only a folder that is empty or that Octavo wrote is replaced; files that somebody put there since are no one's to throw
away, so that it is refused then. A kill leaves the old site as it was, and the next run takes what is left of the new.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from octavo.errors import BusyError, UsageError
from octavo.locks import lock

MARKER = "octavo-site.json"
"""The file by which a folder is known as Octavo's, with the names that it wrote."""
_FORM = 1
_MOST_NAMED = 3


@contextmanager
def new_site(folder: Path) -> Iterator[Path]:
    """A folder to write a site into, which takes the place of `folder` when the block ends well.

    Raises:
        UsageError: `folder` may not be replaced, or can't be made.
        BusyError: another process writes it.
    """
    folder = folder.expanduser().resolve()
    old = folder.with_name(f".{folder.name}.octavo-old")
    if not folder.exists() and _written(old) is not None:
        old.rename(folder)  # killed between the two renames of a system without an exchange
    check(folder)
    part = folder.with_name(f".{folder.name}.octavo-part")
    try:
        part.mkdir(exist_ok=True)
        file = os.open(part / ".lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise UsageError(f"{folder.parent} can't be written to: {error.strerror}.") from error
    try:
        if not lock(file):
            raise BusyError(f"Another process is writing {folder}.", hint="Wait for it to end.")
        _clear(part)
        try:
            yield part
            _put(part, folder)
        except BaseException:
            shutil.rmtree(part, ignore_errors=True)
            raise
    finally:
        os.close(file)


def check(folder: Path) -> None:
    """Whether a site may be written there.

    Raises:
        UsageError: it is no folder, has files that Octavo did not write, or the folder around it is not there.
    """
    if not folder.parent.is_dir():
        raise UsageError(f"The folder {folder.parent} is not there.", hint="Make it first, with mkdir -p.")
    if not folder.name or (folder.exists() and not folder.is_dir()):
        raise UsageError(f"{folder} is not a folder that a site can be written to.")
    if not folder.exists():
        return
    there = sorted(path.name for path in folder.iterdir())
    if not there:
        return
    known = _written(folder)
    if known is None:
        raise UsageError(
            f"{folder} is not empty, and Octavo did not write it.", hint="Name a new folder, or empty this one."
        )
    if others := [name for name in there if name not in known]:
        named = ", ".join(others[:_MOST_NAMED]) + (", …" if len(others) > _MOST_NAMED else "")
        raise UsageError(
            f"{folder} has files that Octavo did not write: {named}.",
            hint="They would be lost: the whole folder is replaced. Move them, or name another folder.",
        )


def mark(folder: Path) -> None:
    """Write the marker, with all that is in the folder now."""
    names = sorted({path.name for path in folder.iterdir()} - {".lock"} | {MARKER})
    said = {"written_by": "octavo publish", "form": _FORM, "files": names}
    (folder / MARKER).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


def _written(folder: Path) -> set[str] | None:
    """The names that Octavo wrote there; None where it is no folder of Octavo's."""
    try:
        said = json.loads((folder / MARKER).read_text(encoding="utf-8"))
        if said["form"] != _FORM:
            return None
        return {str(name) for name in said["files"]}
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _clear(part: Path) -> None:
    """Take away what a run left that was killed."""
    for path in part.iterdir():
        if path.name != ".lock":
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


def _put(part: Path, folder: Path) -> None:
    """Let the new folder take the place of the old one."""
    check(folder)  # it took a while
    (part / ".lock").unlink()
    if folder.exists():
        if not _exchanged(part, folder):
            old = folder.with_name(f".{folder.name}.octavo-old")
            shutil.rmtree(old, ignore_errors=True)
            folder.rename(old)
            part.rename(folder)
            part = old
        shutil.rmtree(part, ignore_errors=True)
    else:
        part.rename(folder)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places in one step; False where the system has no such step."""
    if not sys.platform.startswith(("linux", "darwin")):
        return False
    with suppress(OSError, AttributeError):
        libc = ctypes.CDLL(None, use_errno=True)
        names = (os.fsencode(one), os.fsencode(other))
        if sys.platform == "darwin":
            return bool(libc.renamex_np(*names, 2) == 0)
        at_fdcwd, exchange = -100, 2
        return bool(libc.renameat2(at_fdcwd, names[0], at_fdcwd, names[1], exchange) == 0)
    return False
