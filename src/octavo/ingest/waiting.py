"""Entries without a title on their way to a paper."""

from __future__ import annotations

from octavo.catalogue import Catalogue
from octavo.records.codec import decode_record, encode_record
from octavo.records.ids import RECORD_SCHEME, Identifier
from octavo.records.paper import Record, Waiting
from octavo.records.text import Text


def as_record(entry: Waiting) -> Record:
    """The entry as a record whose title is empty, the form in which it waits."""
    return Record(
        source=entry.source,
        key=entry.key,
        title=Text(""),
        abstract=entry.abstract,
        authors=entry.authors,
        authors_incomplete=entry.authors_incomplete,
        venue=entry.venue,
        categories=entry.categories,
        topics=entry.topics,
        seen_on=entry.seen_on,
    )


def combined(old: Record, new: Record) -> Record:
    """One claim of two about the same entry, which two pages showed: each shows what the other leaves out.

    A list shows the venue, a search page the authors and the topic trail; of two author lists the longer whole one
    holds.
    """
    fields = {name: getattr(old, name) or getattr(new, name) for name in old.__dataclass_fields__}
    best = max(old, new, key=lambda record: (bool(record.authors), not record.authors_incomplete, len(record.authors)))
    return Record(
        **fields
        | {
            "authors": best.authors,
            "authors_incomplete": best.authors_incomplete,
            "topics": tuple(dict.fromkeys(old.topics + new.topics)),
            "categories": tuple(dict.fromkeys(old.categories + new.categories)),
        }
    )


def waiting_claim(record: Record) -> str:
    """The entry as it is stored while it waits."""
    return encode_record(record)


def identified_as(catalogue: Catalogue, record: Record, pk: int) -> Record:
    """The entry as a claim about the paper that it was identified as: its own words, the paper's title and one
    identifier."""
    (first, *_) = catalogue.records_of([pk])
    other = decode_record(first.claim)
    fields = {name: getattr(record, name) for name in record.__dataclass_fields__}
    return Record(**fields | {"title": other.title, "identifiers": known_as(other)})


def known_as(record: Record) -> tuple[Identifier, ...]:
    """What another record must carry to be of the same paper: one identifier is enough, and contradicts least."""
    return record.identifiers[:1] or (Identifier(RECORD_SCHEME, f"{record.source}:{record.key}"),)
