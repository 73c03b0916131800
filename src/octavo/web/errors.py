"""Errors as statuses: the only place that knows of both."""

from __future__ import annotations

import re

from octavo.errors import BusyError, CatalogueBusyError, NotFound, OctavoError, StorageError, UsageError

_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")


class PageError(Exception):
    """A page can't be shown; what it says is in the reader's language."""

    def __init__(self, status: int, message: str, hint: str = "", *, kind: str = "", link: tuple[str, str] = ("", "")):
        """`link` is where to go instead: an address of Octavo's own and what it is called."""
        super().__init__(message)
        self.status, self.message, self.hint, self.link = status, message, hint, link
        self.kind = kind or {400: "usage", 404: "not_found", 405: "usage", 413: "limit"}.get(status, "refused")


def status_of(error: OctavoError) -> int:
    """The status for an error of Octavo's."""
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, UsageError):
        return 400
    if isinstance(error, BusyError | CatalogueBusyError):
        return 503
    return 500 if isinstance(error, StorageError) else 502


def kind_of(error: OctavoError) -> str:
    """The error's name in JSON: its class's, as `missing_file` for MissingFileError."""
    return _HUMP.sub("_", type(error).__name__.removesuffix("Error")).lower()
