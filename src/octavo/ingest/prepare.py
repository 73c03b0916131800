"""What can be done with a record before the catalogue is asked: a pure function, so that other processes may do it.

Most of the work of taking in a record needs nothing but the record: its JSON, its digest, the paper that it makes by
itself, and what an index would hold of that paper. `prepare_page` does all of it for a page of a source, in this
process or in another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from octavo.catalogue import Row, row_of
from octavo.ingest.merge import merge
from octavo.records.codec import decode_record, encode_with_digest
from octavo.records.ids import RECORD_SCHEME, also_known_as
from octavo.records.paper import Paper, Record, Waiting
from octavo.sources.base import Deleted, Fault, Page
from octavo.sources.registry import get_source

Documents = Callable[[Sequence[Paper]], Sequence[object]]
"""Makes of papers what an index holds of each."""
AT_A_TIME = 256
"""Papers whose documents are made together: half as dear as one by one, and a page may hold thousands."""


@dataclass(slots=True)
class Prepared:
    """A record on its way in."""

    source: str
    key: str
    digest: bytes
    claim: str
    """The record in JSON."""
    identifiers: tuple[str, ...]
    """All that the record is known by."""
    row: Row
    """The paper that the record makes alone, as its columns."""
    document: object | None = None
    """What an index would hold of that paper, where it was made."""

    @property
    def name(self) -> tuple[str, str]:
        """What names the claim for good."""
        return self.source, self.key

    def record(self) -> Record:
        """The record itself."""
        return decode_record(self.claim)


Items = list[Prepared | Waiting | Deleted | Fault]
"""What a page holds, in order."""


def prepare(record: Record) -> Prepared:
    """Do for a record all that needs no catalogue."""
    return _prepared(record, merge([record]))


def _prepared(record: Record, paper: Paper) -> Prepared:
    claim, digest = encode_with_digest(record)
    return Prepared(record.source, record.key, digest, claim, identifiers_of(record), row_of(paper))


def prepare_page(source: str, page: Page, documents: Documents | None) -> Items:
    """Parse a page of a source and prepare its records.

    Raises:
        FormatError: where the page as a whole is not in the source's format.
    """
    items: Items = []
    made: list[tuple[Prepared, Paper]] = []
    for item in get_source(source).parse(page):
        if isinstance(item, Record):
            paper = merge([item])
            prepared = _prepared(item, paper)
            made.append((prepared, paper))
            items.append(prepared)
        else:
            items.append(item)
    if documents is None:
        return items
    for start in range(0, len(made), AT_A_TIME):
        part = made[start : start + AT_A_TIME]
        for (prepared, _), document in zip(part, documents([paper for _, paper in part]), strict=True):
            prepared.document = document
    return items


def identifiers_of(record: Record) -> tuple[str, ...]:
    """All that the record is known by, with what surely follows (an ACL id from its DOI).

    A record without any is known by its own name, so that an entry that was identified with it can refer to it.
    """
    if not record.identifiers:
        return (f"{RECORD_SCHEME}:{record.source}:{record.key}",)
    names = [str(identifier) for identifier in record.identifiers]
    names += [str(other) for identifier in record.identifiers for other in also_known_as(identifier)]
    return tuple(dict.fromkeys(names))
