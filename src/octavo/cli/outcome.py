"""Exit codes, and what is said when something goes wrong: the only place that knows of either.

0    found, done
1    nothing found
2    the command can't be understood
3    it could not be done, or only in part
130  stopped by Ctrl-C
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from octavo.errors import NotFound, OctavoError, UsageError

DONE, NOTHING_FOUND, USAGE, FAILURE, STOPPED = 0, 1, 2, 3, 130

NOTHING_CHANGED = "Nothing was changed."
"""What is said of a command that was stopped, unless it knows better."""
DEBUG_VARIABLE = "OCTAVO_DEBUG"
"""Set to anything, it lets a fault of Octavo show its traceback."""

NARROWEST, USUAL_WIDTH = 20, 80
"""Columns that are written for at least, and where the terminal does not say."""

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class ReaderLeft(Exception):  # noqa: N818 - no error
    """Whoever reads our output has enough, as `head` does."""


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Tell a closed pipe as ReaderLeft, which click does not know and therefore leaves alone.

    Raises:
        ReaderLeft: the pipe that is written to was closed.
    """
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderLeft from error


def exit_code(error: OctavoError) -> int:
    """The exit code for an error of Octavo's."""
    if isinstance(error, NotFound):
        return NOTHING_FOUND
    return USAGE if isinstance(error, UsageError) else FAILURE


def kind_of(error: OctavoError) -> str:
    """The error's name in JSON: its class's, as `missing_file` for MissingFileError."""
    return _HUMP.sub("_", type(error).__name__.removesuffix("Error")).lower()


def run(work: Callable[[], Any], *, as_json: bool) -> int:
    """Do `work`, tell on stderr what went wrong if anything did, and return the exit code.

    `work` returns its exit code, or None for DONE.
    """
    try:
        code = work()
        sys.stdout.flush()  # here, so that a full disk or a closed pipe is told as such
    except (ReaderLeft, BrokenPipeError):
        _forget_output()
        return DONE
    except OctavoError as error:
        tell(error, as_json=as_json)
        return exit_code(error)
    except click.ClickException as error:
        _tell(_click_kind(error), *_click_words(error), as_json=as_json)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt) as error:
        _tell("stopped", "Stopped.", str(error.__cause__ or error) or NOTHING_CHANGED, as_json=as_json)
        return STOPPED
    except OSError as error:
        return _after_system_error(error, as_json=as_json)
    except Exception as error:
        _tell_fault(error, as_json=as_json)
        return FAILURE
    return code if isinstance(code, int) else DONE


def tell(error: OctavoError, *, as_json: bool, place: str = "") -> None:
    """Tell an error on stderr; `place` is the path that it is about, where that is one of several."""
    _tell(kind_of(error), _placed(error.message, place), error.hint, as_json=as_json)


def _placed(message: str, place: str) -> str:
    """The message with the path in it, once."""
    name = os.path.basename(place)  # noqa: PTH119 - a path as it was typed, which may be no path at all
    if not place or place in message:
        return message
    return place + message.removeprefix(name) if name and message.startswith(name) else f"{place}: {message}"


def usable_width(columns: int) -> int:
    """The columns of a terminal; 80 where it says none, or so few that it can't be meant."""
    return columns if columns >= NARROWEST else USUAL_WIDTH


def _tell(kind: str, message: str, hint: str, *, as_json: bool) -> None:
    from octavo.cli.output import clean, dumps

    if as_json:
        line = dumps({"error": {"kind": kind, "message": message, "hint": hint or None}})
    else:
        line = _wrapped(f"octavo: {clean(f'{message} {hint}'.strip())}")
    click.echo(line, err=True)


def _wrapped(line: str) -> str:
    """The line broken at words where a terminal would break it anywhere."""
    if not sys.stderr.isatty():
        return line
    width = usable_width(shutil.get_terminal_size().columns)
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)


def _click_kind(error: click.ClickException) -> str:
    return "usage" if isinstance(error, click.UsageError) else "failure"


def _click_words(error: click.ClickException) -> tuple[str, str]:
    """Click's message as a sentence, and where to read more."""
    message = error.format_message().strip()
    message = message if message.endswith((".", "?", "!")) else f"{message}."
    context = getattr(error, "ctx", None)
    return message, f"See `{context.command_path} --help`." if context else ""


def _after_system_error(error: OSError, *, as_json: bool) -> int:
    what = error.strerror or str(error)
    where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
    if not where and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        where = "The output can't be written: "
        _forget_output()
    _tell("system", f"{where}{what}.", "", as_json=as_json)
    return FAILURE


def _forget_output() -> None:
    """Let what is still to be written to stdout go nowhere: its reader left, or its disk is full."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # stdout is no file, as under a test runner
        return


def _tell_fault(error: Exception, *, as_json: bool) -> None:
    if os.environ.get(DEBUG_VARIABLE):
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True, nl=False)
    summary = f"{type(error).__name__}: {error}".rstrip(" :.") + "."
    hint = f"Set {DEBUG_VARIABLE}=1 to see where, and please report it."
    _tell("fault", f"This is a fault of Octavo: {summary}", hint, as_json=as_json)
