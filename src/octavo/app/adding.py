"""Use cases: files into the catalogue."""

from __future__ import annotations

import os
from importlib.resources import as_file, files
from pathlib import Path

from octavo.app.base import Base, Progress, silent, told
from octavo.config import catalogue_path
from octavo.sources.base import SourceInfo
from octavo.sources.registry import get_source, source_names
from octavo.sources.streams import open_members
from octavo.views import (
    AddView,
)


class Adding(Base):
    """Add files, the bundled catalogue, and link what was only stored."""

    @staticmethod
    def sources() -> tuple[SourceInfo, ...]:
        """What `add` reads: Octavo's own sources, then those of other packages."""
        return tuple(get_source(name).info for name in source_names())

    @staticmethod
    def source_names() -> tuple[str, ...]:
        """The names that `add` knows; unlike `sources` this loads none of them."""
        return source_names()

    def add(
        self,
        source: str | None,
        target: str | os.PathLike[str],
        progress: Progress = silent,
        *,
        more_to_come: bool = False,
    ) -> AddView:
        """Read a file or folder into the catalogue. `source` None: the source is told from the content.

        Adding the same again changes nothing. Entries that can't be used are skipped and counted. With `more_to_come`
        the records are only stored, and the next `add` without it finds out which of them are one work: quicker for
        several large files.

        Raises:
            UnknownSourceError: no source of that name.
            PartlyAddedError: the file can't be read to its end; `added` is what was taken in before.
            SourceError: nothing of the file can be read.
            StorageError: the catalogue can't be written.
        """
        if not catalogue_path(self.home).exists():
            from octavo.filling import source_of

            # A mistyped name must not leave a home behind.
            get_source(source or source_of(Path(target)))
            with open_members(Path(target)) as members:
                next(members, None)
        self._make_home()
        return self._filler.add(source, Path(target), progress, more_to_come=more_to_come)

    @told
    def link(self, progress: Progress = silent) -> None:
        """Find out which of the records that `add` only stored are one work; nothing where there are none."""
        if catalogue_path(self.home).exists():
            self._filler.link(progress)

    def add_bundle(self, progress: Progress = silent) -> AddView:
        """Load the bundled catalogue: every paper of ICML 2025 and some well-known ones, as facts, with Octavo's own
        summaries."""
        with as_file(files("octavo.data") / "bundle.jsonl.gz") as path:
            return self.add("jsonl", path, progress)
