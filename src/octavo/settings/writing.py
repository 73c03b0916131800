"""The commented file that a reader begins with."""

from __future__ import annotations

import errno
import os
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from octavo.errors import ConfigError, DiskFullError, HomeError
from octavo.settings.schema import Field, Table, settings_tables
from octavo.settings.values import to_key, to_toml

_WIDTH = 100
_ABOUT = """\
Octavo's configuration.
A "#" with a blank begins an explanation. A "#" right before a key shows what can be set, mostly with the value that \
holds anyway: take it away, and write what you want.
`octavo config check` says what is wrong in this file, `octavo config show` what is in force.
Each key can also be set by a variable of the environment, which comes first: OCTAVO_CONTACT="you@example.org", \
OCTAVO_ARXIV__CATEGORIES="cs.LG,stat.ML".""".splitlines()


def default_toml() -> str:
    """The commented file: every table, and every key as a comment with what it does."""
    return "\n".join((*_comment(_ABOUT), *(line for table in settings_tables() for line in _table(table)), ""))


def _table(table: Table) -> Iterator[str]:
    if table.broken:
        return
    yield ""
    if table.name:
        yield f"[{to_key(table.name)}]"
        yield from _comment([table.says])
        yield ""
    for n, one in enumerate(table.fields):
        if n:
            yield ""
        yield from _comment([explained(one)])
        yield f"#{to_key(one.key)} = {to_toml(one.shape)}"


def explained(one: Field) -> str:
    """What a setting does, what it takes, and its default where the file shows another value."""
    is_shown = one.example is None or one.default in (None, "", ())
    default = "" if is_shown else f" Default: {to_toml(one.default)}."
    return f"{one.says}{default}"


def _comment(paragraphs: Iterable[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        yield from textwrap.wrap(
            paragraph,
            _WIDTH,
            initial_indent="# ",
            subsequent_indent="# ",
            break_long_words=False,
            break_on_hyphens=False,
        )


def write_default(path: Path, *, force: bool = False) -> Path | None:
    """Write the commented file, and make its folder where there is none.

    With `force`, a file that is there is kept under another name, which is returned.

    Raises:
        ConfigError: there is a file already.
        HomeError, DiskFullError: it can't be written.
    """
    content = default_toml().encode()
    kept = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if force and os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
            kept = _free_name(path)
            path.rename(kept)
        _write_new(path, content)
    except FileExistsError as error:
        if not os.path.lexists(path):
            raise _not_written(path, error) from error
        raise ConfigError(
            f"There is {'a folder' if path.is_dir() else 'a configuration'} at {path} already; it was left as it is.",
            hint="Edit it, or give --force to begin anew and keep it as a backup.",
        ) from error
    except OSError as error:
        raise _not_written(path, error) from error
    return kept


def _write_new(path: Path, content: bytes) -> None:
    """Write a file that was not there, for its owner only as a key may come to stand in it; whole or not at all."""
    number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            path.unlink()
        raise


def _free_name(path: Path) -> Path:
    """A name for a backup that nothing has."""
    n = 1
    while os.path.lexists(name := path.with_name(f"{path.name}{f'.{n}' if n > 1 else ''}.bak")):
        n += 1
    return name


def _not_written(path: Path, error: OSError) -> HomeError | DiskFullError:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError(f"No room left on the disk of {path.parent}.", hint="Free some space and try again.")
    return HomeError(
        f"{error.filename or path} can't be written: {error.strerror or error}.",
        hint="Choose another folder with --home or OCTAVO_HOME.",
    )
