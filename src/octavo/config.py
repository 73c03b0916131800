"""Where the reader's files are."""

from __future__ import annotations

import os
from pathlib import Path

HOME_VARIABLE = "OCTAVO_HOME"


def home_path(given: str | os.PathLike[str] | None = None) -> Path:
    """The home folder: the one given, else `OCTAVO_HOME`, else the system's own place for a program's data.

    That place is `$XDG_DATA_HOME/octavo` (`~/.local/share/octavo`) on Linux, `~/Library/Application Support/octavo`
    on macOS and
    `%LOCALAPPDATA%\\octavo` on Windows.
    """
    chosen = given or os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path  # late: most calls name a home or find it in the environment

    return user_data_path("octavo", appauthor=False)


def catalogue_path(home: Path) -> Path:
    """The catalogue's file."""
    return home / "catalogue.db"


def index_path(home: Path) -> Path:
    """The folder of the indexes, which may be deleted at any time."""
    return home / "index"


def settings_path(home: Path) -> Path:
    """The file of the reader's configuration, which need not be there."""
    return home / "octavo.toml"
