"""arXiv's metadata as one file of JSON lines, as Kaggle offers it (`arxiv-metadata-oai-snapshot.json`).

The parsed authors are read and not the `authors` text, which has affiliations and TeX in it. An id that is a
JSON number has lost its zeros and is refused. `update_date` moves with every edit of the record, so the date
of the latest version goes before it where there is more than one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, arxiv_id, doi_id
from octavo.records.names import Author, author, split_authors
from octavo.records.paper import Record, Version
from octavo.sources import entries
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry
from octavo.sources.streams import Member, fetch_pages, line_pages

_NAME = "arxiv-snapshot"
_MARKUP = "tex"
_MAX_DOIS = 4
_VERSION = re.compile(r"v([1-9]\d{0,3})")
_CODE = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/[\w.-]+/[\w-]+(?:\.[\w-]+)*", re.IGNORECASE)
# What authors and arXiv write when a paper is withdrawn; a talk that was withdrawn from a workshop is none.
_THING = r"(?:paper|article|submission|preprint|manuscript|report|draft|work|version)"
_ELSEWHERE = r"(?!\s+from\b(?!\s+(?:(?:the|this)\s+)?(?:arxiv|archive|site|server)))"
_WITHDRAWN = re.compile(
    rf"\b(?:{_THING}|it|this)\s+(?:has|is|was)\s+(?:been\s+|being\s+)?(?:temporarily\s+)?"
    rf"withdraw(?:n|an)?\b{_ELSEWHERE}"
    rf"|\b{_THING}\s+withdrawn\b{_ELSEWHERE}"
    rf"|\bwithdraw\s+(?:this|the|my|our)\s+{_THING}\b{_ELSEWHERE}"
    rf"|^\s*withdrawn\b{_ELSEWHERE}"
    r"|\b(?:withdrawn|retracted)\s+(?:by|from)\s+(?:the\s+)?(?:authors?|arxiv|archive)\b",
    re.IGNORECASE,
)
_STUB_LENGTH = 300


class ArxivSnapshotSource:
    """Reads arXiv's metadata from a file of JSON lines."""

    info = SourceInfo(
        name=_NAME,
        title="arXiv metadata snapshot",
        covers="arXiv's papers with abstracts, authors, categories and versions",
        reads="the snapshot's JSON lines, plain, gzipped or zipped, or a folder of them",
        example="octavo add arxiv-snapshot arxiv-metadata-oai-snapshot.json.gz",
        terms="CC0 1.0 for arXiv's metadata (info.arxiv.org/help/license)",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the lines in pages of about a megabyte.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_snapshot, kind="file of JSON lines")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each line of the page."""
        yield from entries.parse_entries(entries.line_entries(page), page, "line", "id", _record)


def _is_snapshot(name: str) -> bool:
    base = name.rpartition("/")[2].lower()
    return base.endswith((".json", ".jsonl", ".ndjson", ".json.gz", ".jsonl.gz", ".zip")) and not base.startswith(".")


def _pages(member: Member) -> Iterator[Page]:
    return line_pages(member)


def _record(entry: Entry) -> Record:
    identifier = _identifier(entry)
    title = entries.title(entry, _MARKUP)
    comment = entries.line(entry, "comments")
    abstract = entries.text(entry, "abstract", _MARKUP)
    withdrawn = _says_withdrawn(comment)
    if abstract is not None and _says_withdrawn(abstract.raw[:_STUB_LENGTH]):
        # The notice stands at the start of the abstract, or in the place of it.
        withdrawn = True
        abstract = None if len(abstract.raw) < _STUB_LENGTH else abstract
    versions = _versions(entry)
    people, incomplete = _authors(entry)
    links = [
        ("page", f"https://arxiv.org/abs/{identifier.value}"),
        ("pdf", f"https://arxiv.org/pdf/{identifier.value}"),
    ]
    if "hub.com/" in comment.lower() or "lab.com/" in comment.lower():
        links += [("code", found[0]) for found in _CODE.finditer(comment)][:1]
    return Record(
        source=_NAME,
        key=identifier.value,
        title=title,
        authors=people,
        authors_incomplete=incomplete,
        identifiers=(identifier, *_dois(entry, identifier)),
        abstract=abstract,
        status="withdrawn" if withdrawn else "submitted",
        submitted_on=versions[0].on if versions else None,
        updated_on=_updated_on(entry, versions),
        versions=versions,
        categories=tuple(dict.fromkeys(entries.line(entry, "categories").split())),
        links=tuple(links),
        comment=comment,
        journal_ref=entries.line(entry, "journal-ref"),
        licence=entries.line(entry, "license"),
    )


def _says_withdrawn(text: str) -> bool:
    lower = text.lower()  # so that the search is for the few texts that may say it
    return ("withdr" in lower or "retract" in lower) and _WITHDRAWN.search(text) is not None


def _identifier(entry: Entry) -> Identifier:
    value = entry.get("id")
    if isinstance(value, int | float):
        raise BadEntry("id is a number, which loses zeros")
    text = entries.line(entry, "id")
    if not text:
        raise BadEntry("no id")
    identifier = arxiv_id(text)
    if identifier is None:
        raise BadEntry("id is no arXiv id")
    return identifier


def _dois(entry: Entry, own: Identifier) -> tuple[Identifier, ...]:
    """arXiv's field may hold several, with blanks between them."""
    text = entries.line(entry, "doi")
    if not text:
        return ()
    found = (doi_id(part) for part in text.split()[:_MAX_DOIS])
    return tuple(dict.fromkeys(doi for doi in found if doi is not None and doi != own))


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    value = entry.get("authors_parsed")
    if not value:
        people, incomplete = split_authors(entries.line(entry, "authors"))
        return tuple(people), incomplete
    if not isinstance(value, list):
        raise BadEntry("authors_parsed is not a list")
    return tuple([person for parts in value if (person := _author(parts)).name]), False


def _author(parts: Any) -> Author:
    """One author: family name, given names, suffix, then affiliations."""
    if not isinstance(parts, list) or not parts:
        raise BadEntry("authors_parsed holds what is not a list of text")
    entries.check_name(parts, "authors_parsed")
    if len(parts) == 3:
        family, given, suffix = parts
        return author(given, family, suffix=suffix)
    family, given, suffix = (*parts, "", "")[:3]
    return author(given, family, suffix=suffix, affiliations=parts[3:])


def _versions(entry: Entry) -> tuple[Version, ...]:
    value = entry.get("versions") or ()
    if not isinstance(value, list | tuple):
        raise BadEntry("versions is not a list")
    versions = []
    for item in value:
        if not isinstance(item, dict):
            raise BadEntry("versions holds what is not an object")
        number = _VERSION.fullmatch(entries.line(item, "version"))
        if number is None:
            raise BadEntry("versions holds one without a number")
        versions.append(Version(int(number[1]), _day_of(entries.line(item, "created"))))
    return tuple(sorted(versions, key=_number))


def _number(version: Version) -> int:
    return version.number


def _updated_on(entry: Entry, versions: tuple[Version, ...]) -> PartialDate | None:
    latest = versions[-1].on if len(versions) > 1 else None
    return latest or _day_of(entries.line(entry, "update_date"))


@lru_cache(maxsize=16_384)
def _day_of(text: str) -> PartialDate | None:
    return parse_date(text)
