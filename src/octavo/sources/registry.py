"""The sources by name, and the guess which of them a file is of.

A source of another package is found by its entry point in the group `octavo.sources`: a name, and a class
that is called without arguments and fits `octavo.sources.base.Source`. The names here can't be taken over.
"""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from difflib import get_close_matches
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from itertools import islice
from pathlib import Path
from typing import cast

from octavo.errors import (
    EmptyFileError,
    EncodingError,
    FormatError,
    SourceError,
    UnknownSourceError,
    UsageError,
)
from octavo.sources.base import Source
from octavo.sources.streams import MAX_ENTRY, Member, folder_name, is_text, is_wide, open_members, shown_start
from octavo.sources.telling import fields_in, tell

GROUP = "octavo.sources"
"""The group of entry points."""

_OWN = {
    "mlanthology": "octavo.sources.mlanthology:MLAnthologySource",
    "paperlists": "octavo.sources.paperlists:PaperlistsSource",
    "arxiv-snapshot": "octavo.sources.arxiv_snapshot:ArxivSnapshotSource",
    "pmlr": "octavo.sources.pmlr:PmlrSource",
    "jsonl": "octavo.sources.jsonl:JsonlSource",
    "page": "octavo.sources.page:PageSource",
    "acl": "octavo.sources.acl:ACLSource",
    "dblp": "octavo.sources.dblp:DBLPSource",
    "arxiv": "octavo.sources.arxiv:ArxivSource",
    "openreview": "octavo.sources.openreview:OpenReviewSource",
    "crossref": "octavo.sources.crossref:CrossrefSource",
    "openalex": "octavo.sources.openalex:OpenAlexSource",
    "semanticscholar": "octavo.sources.semanticscholar:SemanticScholarSource",
    "bibtex": "octavo.sources.bibtex:BibtexSource",
    "ris": "octavo.sources.ris:RisSource",
    "csl": "octavo.sources.csl:CslSource",
}

_HEAD = 64 * 1024
_TRIED = 50
"""Members of a folder or archive that are looked at before giving up."""
_PAGE_ENDINGS = (".txt", ".text")
_HTML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html|head|body)\b", re.IGNORECASE)


def source_names() -> tuple[str, ...]:
    """The names of all sources: Octavo's own in their order, then those of other packages by name."""
    return (*_OWN, *sorted(set(_entry_points()) - set(_OWN)))


def get_source(name: str) -> Source:
    """The source of that name.

    Raises:
        UnknownSourceError: there is none; its hint has the nearest names.
        UsageError: a package offers it but it can't be loaded.
    """
    if name in _OWN:
        module, _, attribute = _OWN[name].partition(":")
        return cast("Source", getattr(import_module(module), attribute)())
    offered = _entry_points().get(name)
    if offered is None:
        names = source_names()
        near = get_close_matches(name.lower(), names, n=2, cutoff=0.5)
        hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(names)}."
        raise UnknownSourceError(f"There is no source {name!r}.", hint=hint)
    try:
        return cast("Source", offered.load()())
    except Exception as fault:  # another package's code may raise anything
        raise UsageError(
            f"The source {name!r} of another package ({offered.value}) can't be loaded: {fault}",
            hint="Update that package or remove it.",
        ) from fault


def find_source_for(target: Path) -> str | None:
    """The name of the source that a file, folder or archive is plainly of, by what it holds; None where
    nothing tells. A folder of saved pages is told only by files that are named as such.

    Raises:
        SourceError: it can't be read, is empty, or is known to be what no source reads.
        UsageError: a folder holds files of several sources.
    """
    if target.is_dir():
        return _source_of_folder(target)
    with open_members(target) as members:
        for member in islice(members, _TRIED):
            alone = member.place == member.name
            if found := _source_of_member(member, is_page=alone):
                return found
            if alone:
                _refuse(member)
            elif not member.stream.peek(1):
                member.stream.read()  # Raises what it is that keeps it from being read.
    return None


def start_of(target: Path) -> str:
    """What the first file of a target begins with, for a message: `it is JSON with the fields id, title`."""
    with suppress(SourceError), open_members(target) as members:
        for member in members:
            inside = "" if member.place == member.name else f"{member.name} "
            head = member.stream.peek(_HEAD)
            if fields := fields_in(head):
                return f"{inside or 'it '}is JSON with the fields {fields}"
            return f"{inside or 'it '}begins with {shown_start(head)}" if head.strip() else f"{inside or 'it '}is blank"
    return "nothing in it can be read"


def _source_of_folder(folder: Path) -> str | None:
    """The one source that the files of a folder are of.

    Raises:
        EmptyFileError: it has no files.
        MissingFileError: it can't be read.
        UsageError: there are several.
    """
    found: Counter[str] = Counter()
    pages = 0
    try:
        with open_members(folder) as members:
            for member in islice(members, _TRIED):
                if name := _source_of_member(member, is_page=False):
                    found[name] += 1
                elif member.name.lower().endswith(_PAGE_ENDINGS):
                    pages += _source_of_member(member, is_page=True) == "page"
    except FormatError as fault:  # not one file
        raise EmptyFileError(f"{folder_name(folder)} is an empty folder.", hint="Name a file, or another.") from fault
    except SourceError:
        if not found:
            return None
    if not found:
        return "page" if pages else None
    if len(found) > 1:
        kinds = ", ".join(f"{number} of {name}" for name, number in found.most_common())
        raise UsageError(
            f"{folder_name(folder)} holds files of several sources: {kinds}.",
            hint="Name the files, or the source of those that you mean: octavo add SOURCE FOLDER.",
        )
    return next(iter(found))


def _source_of_member(member: Member, *, is_page: bool) -> str | None:
    found = tell(member.stream.peek(_HEAD), is_page=is_page)
    if found is None and _is_long_line(member.stream.peek(_HEAD)):
        found = tell(member.stream.peek(MAX_ENTRY), is_page=False)
    return found


def _is_long_line(head: bytes) -> bool:
    return len(head) >= _HEAD and head.lstrip().startswith(b"{") and b"\n" not in head.strip()


def _refuse(member: Member) -> None:
    """Say what a file is that no source reads, where that is known.

    Raises:
        SourceError: of the kind that fits.
    """
    head = member.stream.peek(_HEAD)
    if not head.strip():
        member.stream.read()  # Raises what ended it, if that was a fault.
        raise EmptyFileError(f"{member.place} has nothing in it.", hint="Get the file again.")
    if is_wide(head):
        raise EncodingError(f"{member.place} is UTF-16 or UTF-32.", hint="Save it as UTF-8.")
    if head.startswith(b"%PDF"):
        raise FormatError(
            f"{member.place} is a PDF.",
            hint="Octavo reads lists of papers; `octavo identify` takes a paper's abstract.",
        )
    if _HTML.match(head):
        raise FormatError(
            f"{member.place} is HTML, a page as the web has it.",
            hint="Save the page as plain text (UTF-8), and add that.",
        )
    if not is_text(head):
        raise FormatError(f"{member.place} is no text in UTF-8.", hint="`octavo add --help` lists what can be read.")


def _entry_points() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
