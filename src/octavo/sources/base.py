"""The contract of a source.

A source does two things, kept apart so that each can be tested alone:

* `fetch(target)` reads a file, a folder or the network and yields Pages of raw bytes, each with the cursor behind it;
* `parse(page)` turns one Page into Records. It is pure: no I/O, no clock, no state. A bad entry becomes a Fault and
costs
  nothing but itself.

A Page is small (a few megabytes at most), so memory does not grow with the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from octavo.records.paper import Record, Waiting

MAX_TEXT = 200_000
"""Characters of one field that are stored; an entry with a longer field is skipped with this reason."""


@dataclass(frozen=True, slots=True)
class SourceInfo:
    """What a source is, for `octavo add --help` and the documentation."""

    name: str
    title: str
    """For people: `Papers With Proceedings lists`."""
    covers: str
    """What it holds, in a phrase."""
    reads: str
    """What `octavo add` takes: `a .tar, a folder or one .json.gz`."""
    example: str
    """A command line that works."""
    terms: str = ""
    """The source's terms, in a phrase with a link."""
    seconds_between_requests: float = 0.0
    """The source's stated rate; 0 for files."""


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of a source, as raw bytes."""

    content: bytes
    place: str
    """Where it is from, for faults: `mlanthology.tar: icml-2025.json.gz`."""
    cursor: str = ""
    """Where the next page begins; a run may go on from there."""
    line: int = 0
    """The number of the first line in the file, counted from 1, where the format has lines; else 0."""
    done: int = 0
    """Bytes of the file read so far, packed as it is; for a progress bar."""
    context: tuple[tuple[str, str], ...] = ()
    """What the entries need to know of their surroundings (a volume's configuration, a file's date)."""
    total: int | None = None
    """Entries of the whole list, where a server says so; a guess of the server's, and only for telling."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An entry that was skipped."""

    place: str
    """`mlanthology.tar: icml-2025.json.gz, entry 17` or `snapshot.jsonl, line 4`."""
    reason: str
    """In plain words, the same for the same fault, so that faults can be counted: `no title`."""
    entry: str = ""
    """The entry's id or title, as far as it can be told."""


@dataclass(frozen=True, slots=True)
class Deleted:
    """A source's word that it deleted an entry, of which it gives the key and nothing else."""

    source: str
    key: str
    """As of the Record that it was."""
    deleted_on: str = ""
    """The day, where the source says it."""


class Source(Protocol):
    """A kind of place that papers come from."""

    @property
    def info(self) -> SourceInfo:
        """What it is."""
        ...

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the pages of a file or folder, in order.

        Raises:
            SourceError: of the kind that fits. What was yielded before stays good.
        """
        ...

    def parse(self, page: Page) -> Iterator[Record | Waiting | Deleted | Fault]:
        """Yield a Record (a Waiting where an entry has no title, a Deleted where it is gone) or a Fault for each entry
        of the page, in order; never raises for what is in the page.

        Raises:
            FormatError: where the page as a whole is not in this source's format.
        """
        ...
