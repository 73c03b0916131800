"""A source that plays a script: pages of made-up records, notes, and errors where they are wanted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from octavo.errors import UsageError
from octavo.records.codec import record_to_dict
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.jsonl import JsonlSource
from octavo.sources.online import Ask, Fetcher, Note


def page_of(records: Sequence[Record], cursor: str, total: int | None = None, broken: int = 0) -> Page:
    """A page of records, and of so many entries that can't be read."""
    lines = [json.dumps(record_to_dict(record)) for record in records] + ["{broken"] * broken
    return Page("\n".join(lines).encode(), "script", cursor=cursor, total=total)


@dataclass
class Scripted(JsonlSource):
    """Gives what its script has from behind the cursor on: a cursor is the number of pages before it."""

    script: list[Page | Note | BaseException] = field(default_factory=list)
    addresses: Mapping[str, str] = field(default_factory=dict)
    wants: str = "anything"
    asked: list[str] = field(default_factory=list)

    def want(self, text: str) -> str:
        """Take anything but nothing."""
        if not text:
            raise UsageError("Nothing is wanted.")
        return text

    def harvest(self, ask: Ask, _fetcher: Fetcher) -> Iterator[Page | Note]:
        """Play on."""
        self.asked.append(ask.cursor)
        for step in self.script[int(ask.cursor or 0) :]:
            if isinstance(step, BaseException):
                raise step
            yield step
