"""The fields of an entry of arXiv's, which are the same in all of its answers, as a Record."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from octavo.errors import IdentifierError
from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, parse_identifier
from octavo.records.names import Author, parse_authors, split_authors
from octavo.records.paper import Record, Version
from octavo.sources import arxiv_snapshot as snapshot
from octavo.sources import entries
from octavo.sources.entries import BadEntry, Entry

NAME = "arxiv"
"""The source's name in the registry."""

_MARKUP = "tex"
_LONGEST_DATE = 64
# The classes of the ACM and the AMS (`I.2.7`, `68T05`) stand among the categories in some answers.
_CATEGORY = re.compile(r"[a-z]+(?:-[a-z]+)*(?:\.[A-Za-z]+(?:-[A-Za-z]+)*)?")


def versioned_id(text: str) -> tuple[Identifier, int | None]:
    """The paper that an id or address names, and the version that was named with it.

    Raises:
        BadEntry: it names none of arXiv's.
    """
    if not text:
        raise BadEntry("no id")
    try:
        identifier, version = parse_identifier(text)
    except IdentifierError as fault:
        raise BadEntry("id is no arXiv id") from fault
    if identifier.scheme != "arxiv":
        raise BadEntry("id is no arXiv id")
    return identifier, version


def categories_of(names: Iterable[str]) -> tuple[str, ...]:
    """arXiv's categories among names, in order, each once.

    >>> categories_of(["cs.LG", "68T05", "hep-th", "I.2.7", "cs.LG"])
    ('cs.LG', 'hep-th')
    """
    return tuple(dict.fromkeys(name for name in names if _CATEGORY.fullmatch(name)))


def named_authors(people: Iterable[tuple[str, list[str]]]) -> tuple[tuple[Author, ...], bool]:
    """Authors of one name each, with the affiliations of each; and whether some are said to be missing."""
    authors: list[Author] = []
    incomplete = False
    for name, places in people:
        entries.check_name((name, *places), "author")
        found, missing = parse_authors([name])
        incomplete = incomplete or missing
        kept = tuple(filter(None, map(entries.cleaned, places)))
        authors += [replace(person, affiliations=person.affiliations + kept) if kept else person for person in found]
    return tuple(authors), incomplete


def listed_authors(names: Iterable[str]) -> tuple[tuple[Author, ...], bool]:
    """Authors of lists such as `A, B (Lab X) and C`; and whether some are said to be missing."""
    authors: list[Author] = []
    incomplete = False
    for text in names:
        entries.check_name((text,), "authors")
        found, missing = split_authors(text)
        authors += found
        incomplete = incomplete or missing
    return tuple(authors), incomplete


def day_of(text: str) -> PartialDate | None:
    """The day of a date as arXiv writes it; None where it is none."""
    return _day_of(text) if text and len(text) <= _LONGEST_DATE else None


@lru_cache(maxsize=16_384)
def _day_of(text: str) -> PartialDate | None:
    return parse_date(text)


def make_record(
    entry: Entry,
    identifier: Identifier,
    authors: tuple[tuple[Author, ...], bool],
    *,
    versions: tuple[Version, ...] = (),
    submitted_on: PartialDate | None = None,
    updated_on: PartialDate | None = None,
    announced_on: PartialDate | None = None,
    seen_on: PartialDate | None = None,
) -> Record:
    """Make a Record of the fields `title`, `abstract`, `comments`, `doi`, `journal-ref`, `license` and `categories`
    (a list) of an entry, and of what its kind of answer says otherwise.

    Raises:
        BadEntry: no title, or a field too long.
    """
    title = entries.title(entry, _MARKUP)
    comment = entries.line(entry, "comments")
    abstract = entries.text(entry, "abstract", _MARKUP)
    withdrawn = snapshot._says_withdrawn(comment)
    if abstract is not None and snapshot._says_withdrawn(abstract.raw[: snapshot._STUB_LENGTH]):
        # The notice stands at the start of the abstract, or in the place of it.
        withdrawn = True
        abstract = None if len(abstract.raw) < snapshot._STUB_LENGTH else abstract
    links = [
        ("page", f"https://arxiv.org/abs/{identifier.value}"),
        ("pdf", f"https://arxiv.org/pdf/{identifier.value}"),
    ]
    if comment and (code := snapshot._CODE.search(comment)):
        links.append(("code", code[0]))
    return Record(
        source=NAME,
        key=identifier.value,
        title=title,
        authors=authors[0],
        authors_incomplete=authors[1],
        identifiers=(identifier, *snapshot._dois(entry, identifier)),
        abstract=abstract,
        status="withdrawn" if withdrawn else "submitted",
        submitted_on=submitted_on,
        updated_on=updated_on,
        announced_on=announced_on,
        versions=versions,
        categories=categories_of(entry.get("categories", ())),
        links=tuple(links),
        comment=comment,
        journal_ref=entries.line(entry, "journal-ref"),
        licence=entries.line(entry, "license"),
        seen_on=seen_on,
    )
