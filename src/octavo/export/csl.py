"""CSL-JSON: an array with one item a paper, for Pandoc, Zotero and every citation processor.

A journal's paper is `article-journal`, another venue's `paper-conference`, and `article` what has not appeared, with
its arXiv number. Text is plain. Item ids are the citation keys of `octavo.export.reference`. What CSL has no variable
for is in `custom`, where the schema has room for it: other identifiers, and that a source cut the list of authors.
The abstract is never exported.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from octavo.export.reference import (
    address_of,
    authors_of,
    citation_key,
    distinct_keys,
    first_of,
    is_journal,
    is_published,
    issued,
    note_of,
    one_line,
    other_identifiers,
    venue_name,
    venue_of,
)
from octavo.records.names import Author
from octavo.records.paper import Paper, Record

Item = dict[str, Any]


def csl_items(papers: Iterable[tuple[Paper, list[Record]]]) -> Iterator[str]:
    """Give an item for each paper, in order; the first has the array's bracket before it, the last that behind it."""
    # Keys can be told apart only when all are known; the items themselves are small.
    items = [(citation_key(paper), paper.id, _item(paper, records)) for paper, records in papers]
    keys = distinct_keys([(key, paper) for key, paper, _ in items])
    last = len(items) - 1
    for n, (key, (_, _, item)) in enumerate(zip(keys, items, strict=True)):
        text = json.dumps({"id": key} | item, ensure_ascii=False)
        yield f"{'' if n else '['}{text}{']' if n == last else ','}\n"


def _item(paper: Paper, records: list[Record]) -> Item:
    published = is_published(paper)
    venue = venue_of(paper, records)
    eprint = first_of(paper, "arxiv")
    item: Item = {
        "type": ("article-journal" if is_journal(venue) else "paper-conference") if published else "article",
        "title": paper.title,
        "author": [_name(person) for person in authors_of(paper, records)],
        "issued": _issued(paper, records),
    }
    if published:
        item |= {
            "container-title": venue_name(venue),
            "container-title-short": venue.short if venue.name else "",
            "volume": venue.volume,
            "issue": venue.number,
            "page": venue.pages.replace("--", "-").replace("–", "-"),
            "publisher": venue.publisher,
        }
    item |= {
        "DOI": first_of(paper, "doi"),
        "URL": address_of(paper),
        "archive": "arXiv" if eprint else "",
        "archive_location": f"arXiv:{eprint}" if eprint else "",
        "note": note_of(paper),
        "custom": _custom(paper),
    }
    return {name: one_line(value) if isinstance(value, str) else value for name, value in item.items() if value}


def _name(person: Author) -> Item:
    if not (person.given and person.family):
        return {"literal": one_line(person.name)}
    parts = {"family": person.family, "given": person.given, "suffix": person.suffix}
    return {name: one_line(value) for name, value in parts.items() if value}


def _issued(paper: Paper, records: list[Record]) -> Item:
    date = issued(paper, records)
    return {"date-parts": [[int(part) for part in date.split("-")]]} if date else {}


def _custom(paper: Paper) -> Item:
    others = [one_line(str(identifier)) for identifier in other_identifiers(paper)]
    cut = {"authors_incomplete": True} if paper.authors_incomplete else {}
    return ({"identifiers": others} if others else {}) | cut
