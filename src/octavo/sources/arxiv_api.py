"""The Atom answers of arXiv's query API, and what a run of queries must know of a page.

The API at times answers with no entry in the middle of a list, with fewer than were asked for, and with totals that
differ from call to call. So the next page begins behind the entries that came (`entries_of`), and a total
(`total_of`) is for telling and never for stopping.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from urllib.parse import urlencode

from octavo.errors import FormatError, UsageError
from octavo.records.dates import PartialDate
from octavo.records.paper import Record, Version
from octavo.sources import entries
from octavo.sources.arxiv_answer import (
    Element,
    Kind,
    child_text,
    children,
    day_in,
    local_name,
    made_at,
    open_answer,
    text_of,
)
from octavo.sources.arxiv_record import day_of, make_record, named_authors, versioned_id
from octavo.sources.base import Fault, Page
from octavo.sources.entries import Entry

_ERRORS = "arxiv.org/api/errors"
_FIELDS = {
    "id": "id", "title": "title", "summary": "abstract", "comment": "comments", "journal_ref": "journal-ref",
    "published": "published", "updated": "updated",
}  # fmt: skip


def parse_api(root: Element, page: Page) -> Iterator[Record | Fault]:
    """Yield a Record or a Fault for each entry of an answer that `open_answer` opened.

    Raises:
        FormatError: arXiv refuses the query.
    """
    numbered = enumerate(map(_entry, _entries(root, page)), 1)
    made = day_in(made_at(root))
    yield from entries.parse_entries(numbered, page, "entry", "id", partial(_record, seen_on=made))


def total_of(page: Page) -> int | None:
    """How many entries arXiv says that the query has in all; differs between calls.

    Raises:
        FormatError: no answer of the API, or arXiv refuses the query.
    """
    root = open_answer(page, Kind.API)[1]
    _entries(root, page)
    text = child_text(root, "totalResults")
    return int(text) if len(text) < 12 and text.isascii() and text.isdigit() else None


def entries_of(page: Page) -> list[str]:
    """The ids of the entries that came, as written, versions included; empty where an entry has none.

    Their number is how far the next page's start is behind this one's.

    Raises:
        FormatError: no answer of the API, or arXiv refuses the query.
    """
    return [child_text(entry, "id") for entry in _entries(open_answer(page, Kind.API)[1], page)]


def query_url(base: str, query: str, start: int, n: int) -> str:
    """The address of `n` entries from `start` on. The query is written with blanks and encoded here, once.

    Raises:
        UsageError: `start` or `n` is out of range.

    >>> query_url("https://export.arxiv.org/api/query", "cat:cs.LG AND ti:tile", 0, 5)
    'https://export.arxiv.org/api/query?search_query=cat%3Acs.LG+AND+ti%3Atile&start=0&max_results=5'
    """
    if start < 0 or n < 1:
        raise UsageError(f"There is no page of {n} entries from {start} on.")
    return f"{base}?{urlencode({'search_query': query, 'start': start, 'max_results': n})}"


def _entries(root: Element, page: Page) -> list[Element]:
    found = list(children(root, "entry"))
    for entry in found:
        if _ERRORS in child_text(entry, "id"):
            said = entries.cleaned(child_text(entry, "summary"))[:200] or "it does not say why"
            raise FormatError(f"{page.place}: arXiv refuses the query: {said}.")
    return found


def _entry(element: Element) -> Entry:
    entry: Entry = {}
    people: list[tuple[str, list[str]]] = []
    primary: list[str] = []
    others: list[str] = []
    dois: list[str] = []
    for part in element:
        name = local_name(part)
        if name in _FIELDS:
            entry[_FIELDS[name]] = text_of(part)
        elif name == "author":
            people.append((child_text(part, "name"), [text_of(place) for place in children(part, "affiliation")]))
        elif name == "category":
            others.append(part.get("term") or "")
        elif name == "primary_category":
            primary.append(part.get("term") or "")
        elif name == "doi":
            dois.append(text_of(part))
    entry.update(people=people, categories=primary + others, doi=" ".join(dois))
    return entry


def _record(entry: Entry, seen_on: PartialDate | None) -> Record:
    identifier, number = versioned_id(entries.line(entry, "id"))
    first, latest = day_of(entries.line(entry, "published")), day_of(entries.line(entry, "updated"))
    versions: tuple[Version, ...] = ()
    if number is not None:
        # `published` is the first version's date, `updated` that of the one which the id names.
        versions = (Version(1, first),) if number == 1 else (Version(1, first), Version(number, latest))
    return make_record(
        entry,
        identifier,
        named_authors(entry["people"]),
        versions=versions,
        submitted_on=first,
        updated_on=None if number == 1 else latest,
        seen_on=seen_on,
    )
