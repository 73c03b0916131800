"""Every error that Octavo raises on purpose.

    OctavoError
    ├── UsageError(ValueError)          the call itself is wrong
    │   ├── IdentifierError             no identifier of a known form
    │   ├── QueryError                  the strict query parser refuses the text
    │   ├── UnknownSourceError          no source of that name
    │   ├── ConfigError                 octavo.toml or a variable of the environment can't be used
    │   └── TreeError                   a tree of topics that can't be used
    ├── NotFound(LookupError)           the thing asked for is not in the catalogue
    ├── SourceError                     a source's file or answer can't be read
    │   ├── MissingFileError            no such file, or it may not be read
    │   ├── EmptyFileError              nothing in it
    │   ├── TruncatedFileError          it ends too early
    │   ├── CompressionError            not the compression that it claims, or damaged
    │   ├── EncodingError               not UTF-8
    │   ├── FormatError                 not the format of that source
    │   ├── LimitError                  larger than a stated limit
    │   ├── FetchError                  an address that did not answer as it should (sources.http_errors)
    │   └── PartlyAddedError            read up to a fault; what was complete is in the catalogue
    ├── BusyError                       another process does the same work
    └── StorageError                    the reader's own files
        ├── HomeError                   the home can't be made or written
        ├── DiskFullError               no room left
        ├── NewerCatalogueError         made by a later Octavo
        ├── DamagedCatalogueError       not a catalogue, or damaged
        ├── CatalogueBusyError          another process has been writing for too long
        └── SearchIndexError            the search index can't be read or written

A message says what happened, where, and what to do; a class's docstring is its message when none is given. Surfaces
turn the class into an exit code or a status in one place each; nothing below them knows of either.
"""

from __future__ import annotations


class OctavoError(Exception):
    """Something went wrong in Octavo."""

    def __init__(self, message: str | None = None, *, hint: str = "") -> None:
        """Keep `message` (the class's docstring where none is given) and `hint`, what the reader can do about it."""
        self.message = message or (type(self).__doc__ or "").strip()
        self.hint = hint
        self.added: object | None = None
        """Where adding failed: the view of what was taken in before (`views.AddView`)."""
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders (`ingest.adding`); the default would call __init__ with what __str__ shows.
        return _revived, (type(self), self.args, self.__dict__.copy())


def _revived(kind: type[OctavoError], args: tuple[object, ...], state: dict[str, object]) -> OctavoError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(state)
    return error


class UsageError(OctavoError, ValueError):
    """That can't be asked in this way."""


class IdentifierError(UsageError):
    """That is not an identifier of a known form."""


class QueryError(UsageError):
    """That query can't be read."""


class UnknownSourceError(UsageError):
    """There is no source of that name."""


class ConfigError(UsageError):
    """The configuration can't be used."""

    def __init__(self, message: str | None = None, *, hint: str = "", faults: tuple[object, ...] = ()) -> None:
        """`faults` are all that is wrong with it, in order (`settings.ConfigFault`)."""
        super().__init__(message, hint=hint)
        self.faults = faults


class TreeError(UsageError):
    """The tree of topics can't be used."""


class NotFound(OctavoError, LookupError):  # noqa: N818 - reads as a statement
    """That is not in the catalogue."""


class SourceError(OctavoError):
    """The source can't be read."""


class MissingFileError(SourceError):
    """There is no such file."""


class EmptyFileError(SourceError):
    """The file is empty."""


class TruncatedFileError(SourceError):
    """The file ends too early."""


class CompressionError(SourceError):
    """The file is not compressed in the way that it claims, or is damaged."""


class EncodingError(SourceError):
    """The file is not UTF-8."""


class FormatError(SourceError):
    """The file is not in the format of that source."""


class LimitError(SourceError):
    """The file is larger than Octavo reads."""


class PartlyAddedError(SourceError):
    """The file could be read in part only."""

    def __init__(self, message: str, added: object, *, hint: str = "") -> None:
        """`added` is the view of what was taken in before the fault (`views.AddView`)."""
        super().__init__(message, hint=hint)
        self.added = added


class BusyError(OctavoError):
    """Another process is at the same work."""


class StorageError(OctavoError):
    """The catalogue can't be used."""


class HomeError(StorageError):
    """The home folder can't be used."""


class DiskFullError(StorageError):
    """The disk is full."""


class NewerCatalogueError(StorageError):
    """The catalogue was made by a later version of Octavo."""


class DamagedCatalogueError(StorageError):
    """The file is not a catalogue, or it is damaged."""


class CatalogueBusyError(StorageError):
    """Another process is writing to the catalogue."""


class SearchIndexError(StorageError):
    """The search index can't be used."""
