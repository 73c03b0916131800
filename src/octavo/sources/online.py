"""The contract of a source that can be asked over the network.

    ask = Ask(source.want("v267"), source.addresses)
    for found in source.harvest(ask, http):
        ...  # a Page to parse, or a Note of what was done about something

`harvest` fetches and never parses entries or stores; who calls it commits each page together with its cursor, and
hands that cursor back in the next Ask. So a run that ends in any way, killed included, is gone on with behind the last
page that was committed. Every request goes through the one `Fetcher`, which waits for the host's turn, retries and
checks; a source never tries again by itself what the fetcher gave up on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Protocol, runtime_checkable

from octavo.errors import SourceError
from octavo.sources.base import Page, Source
from octavo.sources.http import MAX_BYTES, Answer, Expected


class ShortError(SourceError):
    """The source gave fewer entries than it says that it has."""


class Fetcher(Protocol):
    """The way to the network; `sources.http.Http` is one."""

    def get(
        self,
        url: str,
        *,
        rate: float,
        expect: Expected,
        max_bytes: int = MAX_BYTES,
        conditional: bool = False,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """See `Http.get`."""
        ...

    def post(
        self,
        url: str,
        body: object,
        *,
        rate: float,
        expect: Expected,
        max_bytes: int = MAX_BYTES,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        """See `Http.post`."""
        ...


@dataclass(frozen=True, slots=True)
class Ask:
    """One thing that a reader wants of a source, and how far it came."""

    want: str
    """In the source's own form (`OnlineSource.want`): `v267`, `cs.LG`, `ICLR.cc/2026/Conference`."""
    addresses: Mapping[str, str]
    """Base addresses by what they are for; those of the source, or of the reader's configuration."""
    cursor: str = ""
    """That of the last page that was committed; empty to begin."""
    since: date | None = None
    """The first day of changes that is wanted, where the source can tell; None for all."""
    options: Mapping[str, str] = field(default_factory=dict)
    """What else the configuration says of the source, each in its usual form."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something out of the usual that was met and dealt with, in a sentence for the reader."""

    text: str


@runtime_checkable
class OnlineSource(Source, Protocol):
    """A source that can be asked over the network too."""

    addresses: Mapping[str, str]
    """Its base addresses by what they are for, without a slash at the end: `{"oai": "https://..."}`."""
    wants: str
    """What can be asked for, in a phrase with an example: `a volume: v267`."""

    def want(self, text: str) -> str:
        """What a reader names, in the one form that it is stored under.

        Raises:
            UsageError: that can't be asked for; its hint says what can.
        """
        ...

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
        """Yield what is asked for, in order, from behind `ask.cursor` on. Each page's `cursor` is where the next run
        goes on once that page is committed; the last page's lets the next run ask for what has changed since, or
        all anew where the source can't tell. Having ended without an error it was complete.

        Raises:
            RateLimitedError, RefusedError, FetchError, FetchCancelledError: as the fetcher says.
            ShortError: entries that the source says it has did not come, after trying again.
            FormatError: an answer is not in this source's format.
        """
        ...
