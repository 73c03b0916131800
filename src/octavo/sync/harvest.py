"""Fetching what is wanted of a source into the catalogue, a page and its cursor at a time."""

from __future__ import annotations

from collections.abc import Callable

from octavo.catalogue.batches import Batches
from octavo.catalogue.cursors import Cursors
from octavo.errors import SourceError
from octavo.ingest import Ingest
from octavo.ingest.adding import Gathered
from octavo.ingest.prepare import prepare_page
from octavo.sources.base import Page
from octavo.sources.online import Ask, Fetcher, Note, OnlineSource
from octavo.sync.outcome import Outcome, state_of

Told = Callable[[str, int, int], None]
"""Told (what, entries so far, entries in all) of a harvest; 0 in all can't be told."""
Beside = Callable[[Page], None]
"""What else belongs into the transaction that stores a page."""


class Harvester:
    """Harvests into one catalogue. Its index is left alone meanwhile: who waits for the network must keep nothing from
    others."""

    def __init__(self, ingest: Ingest, fetcher: Fetcher, told: Told) -> None:
        """Store through `ingest` what `fetcher` brings."""
        self.ingest = ingest
        self.fetcher = fetcher
        self.cursors = Cursors(ingest.catalogue.database)
        self.batches = Batches(ingest.catalogue.database)
        self.told = told
        self.stored: Callable[[], None] = lambda: None
        """Called after each page that was stored: what is logged so far outlives a kill."""

    def run(self, source: OnlineSource, ask: Ask, outcome: Outcome, beside: Beside | None = None) -> None:
        """Harvest to the end, or to what stops it, and say in `outcome` what came of it.

        A page is stored together with its cursor, and with what `beside` does, or not at all: killed at any moment,
        the next run goes on behind the last page that was stored.

        Raises:
            StorageError: the catalogue can't be written.
            KeyboardInterrupt: stopped; `outcome` says so.
        """
        totals: list[int] = []
        n_entries = 0
        try:
            for found in source.harvest(ask, self.fetcher):
                if isinstance(found, Note):
                    outcome.notes.append(found.text)
                    continue
                n_entries += self.store(source, ask.want, found, outcome, beside)
                if found.total is not None:
                    totals.append(found.total)
                self.told(f"{source.info.name} {ask.want}", n_entries, totals[-1] if totals else 0)
        except SourceError as error:
            outcome.end(state_of(error), error)
        except KeyboardInterrupt:
            outcome.end("stopped")
            raise
        else:
            outcome.end("complete" if n_entries else "empty")
        if len(set(totals)) > 1:
            said = ", ".join(f"{total:,}" for total in dict.fromkeys(totals))
            outcome.notes.append(f"The source told its total differently from page to page ({said}).")

    def store(self, source: OnlineSource, want: str, page: Page, outcome: Outcome, beside: Beside | None = None) -> int:
        """Store one page; returns how many entries it has.

        Raises:
            FormatError: the page is not in the source's format; nothing of it is stored.
            StorageError: as `run`.
        """
        items = prepare_page(source.info.name, page, None)
        gathered = Gathered(self.ingest, outcome.tally)
        for item in items:
            gathered.take(item)

        def also() -> None:
            if page.cursor:
                self.cursors.put(source.info.name, want, page.cursor)
            if beside:
                beside(page)

        gathered.commit(also)
        self.stored()
        return len(items)
