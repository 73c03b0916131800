"""What a reader can say of a paper, and what of it fits: marks, tags, notes. Pure, but for the clock."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime

from octavo.errors import UsageError
from octavo.records.fold import fold

SAVED, READ, TAG, NOTE, SEARCH = "saved", "read", "tag", "note", "search"
"""Kinds of what a reader says: two marks, tags, notes, and searches, which are about no paper."""
MAX_TAG, MAX_NAME, MAX_QUERY = 100, 200, 2_000
"""Letters of a tag, of a saved search's name, and of its query."""
MAX_NOTE = 20_000
"""Letters of a note."""
_BLANKS = re.compile(r"\s+")
_UNFIT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\ufeff\ufffe\uffff\ud800-\udfff]")
_MARKS = re.compile(r"[\u200e\u200f\u2066-\u2069]")
"""Direction marks: in a note they may be meant, a tag that differs by them alone is the same."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """What the reader said of one paper; empty where nothing."""

    saved_at: str = ""
    read_at: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""
    noted_at: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """One act of the reader's."""

    number: int
    kind: str
    said_at: str
    papers: tuple[str, ...]
    """The present ids of the papers that it was about."""
    values: tuple[str, ...]
    """Its tags, or the name of its search."""


def moment() -> str:
    """This moment in UTC, finely enough to tell the order of acts."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


def tag_of(text: str) -> str:
    """A tag in the form in which it is kept: blanks and line ends made one blank, nothing that hides or turns text.

    >>> tag_of("  to\\nread ")
    'to read'

    Raises:
        UsageError: nothing is left, it has a comma (which parts tags where several are written), or it is too long.
    """
    tag = _BLANKS.sub(" ", unicodedata.normalize("NFC", _MARKS.sub("", _UNFIT.sub(" ", text)))).strip()
    if not tag:
        raise UsageError("A tag needs a letter.")
    if len(tag) > MAX_TAG:
        raise UsageError(
            f"A tag has at most {MAX_TAG} letters; “{tag[:20]}…” has {len(tag):,}.", hint="Longer texts are notes."
        )
    if "," in tag:
        raise UsageError(f"A tag has no comma: “{tag}”.", hint="Give each tag by itself.")
    return tag


def note_of(text: str) -> str:
    """A note in the form in which it is kept: as it was written, without what is no text.

    Raises:
        UsageError: it is too long.
    """
    note = _UNFIT.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if len(note) > MAX_NOTE:
        raise UsageError(
            f"A note has at most {MAX_NOTE:,} letters; this has {len(note):,}.",
            hint="Keep the rest in a file of yours.",
        )
    return note


def shelf_of(said: dict[str, list[tuple[str, str]]]) -> Shelf:
    """A Shelf of the (moment, value) pairs of each kind."""
    notes = sorted(said.get(NOTE, ()))
    return Shelf(
        saved_at=min((at for at, _ in said.get(SAVED, ())), default=""),
        read_at=min((at for at, _ in said.get(READ, ())), default=""),
        tags=tuple(sorted({value for _, value in said.get(TAG, ())}, key=lambda tag: (fold(tag), tag))),
        # Of papers that were joined: both.
        note="\n\n".join(dict.fromkeys(value for _, value in notes)),
        noted_at=notes[-1][0] if notes else "",
    )
