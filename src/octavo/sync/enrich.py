"""Completing papers: what they lack (DOI, venue, abstract, citations, references), asked of a service."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice

from octavo.catalogue.look_ups import LookUps
from octavo.errors import NotFound, SourceError, UsageError
from octavo.ingest.prepare import Prepared, prepare
from octavo.ingest.waiting import known_as
from octavo.records.codec import decode_record
from octavo.records.paper import Paper, PaperId, Record
from octavo.sources.base import Fault, Page
from octavo.sources.lookup import LookUp, Missing, Wanted, asked_of, lacks, wanted_of
from octavo.sources.online import Note
from octavo.sources.registry import get_source, source_names
from octavo.sync.harvest import Harvester
from octavo.sync.outcome import Outcome, state_of

WANT = "look-ups"
"""What stands for look-ups where other runs have what was wanted."""
AGAIN = timedelta(days=90)
"""After which a paper is looked up again: citations grow, and what was unknown may be known."""
AT_ONCE = 500
"""Papers that are handed to a service at a time; what came before a fault is kept."""


def look_up_source(name: str) -> LookUp:
    """The source of that name, which can be asked about papers.

    Raises:
        UnknownSourceError: there is none.
        UsageError: it can't be asked about papers.
    """
    source = get_source(name)
    if isinstance(source, LookUp):
        return source
    able = ", ".join(other for other in source_names() if isinstance(get_source(other), LookUp))
    raise UsageError(f"{source.info.title} can't be asked about papers.", hint=f"These can: {able}.")


class Enricher:
    """Looks papers up with one service."""

    def __init__(self, source: LookUp, harvester: Harvester, told_total: int, now: datetime) -> None:
        """`told_total` papers are to come, for telling how far it is; 0 where that is not known."""
        self._source = source
        self._harvester = harvester
        self._catalogue = harvester.ingest.catalogue
        self._look_ups = LookUps(self._catalogue.database)
        self._total = told_total
        self._since = (now - AGAIN).isoformat(timespec="seconds")

    def run(
        self, papers: Iterable[Paper], addresses: Mapping[str, str], options: Mapping[str, str], outcome: Outcome
    ) -> None:
        """Look up those of `papers` that lack something and were not looked up of late.

        Raises:
            StorageError: the catalogue can't be written.
            KeyboardInterrupt: stopped; `outcome` says so.
        """
        n_seen = n_asked = n_missing = 0
        left = iter(papers)
        try:
            while part := list(islice(left, AT_ONCE)):
                n_seen += len(part)
                wanted = list(self._to_ask(part))
                n_asked += len(wanted)
                for found in self._source.look_up(wanted, addresses, self._harvester.fetcher, options):
                    if isinstance(found, Note):
                        outcome.notes.append(found.text)
                    elif isinstance(found, Missing):
                        n_missing += 1
                        self._note_missing(found)
                    else:
                        self._store(found, outcome)
                self._harvester.told(f"{outcome.source} {WANT}", n_seen, self._total)
        except SourceError as error:
            outcome.end(state_of(error), error)
        except KeyboardInterrupt:
            outcome.end("stopped")
            raise
        else:
            outcome.end("complete" if n_asked else "empty")
        if n_missing:
            outcome.notes.append(f"{n_missing:,} of {n_asked:,} papers are not known there.")

    def _to_ask(self, papers: Sequence[Paper]) -> Iterator[Wanted]:
        wanted = [wanted_of(paper) for paper in papers if lacks(paper)]
        asked = self._look_ups.asked_since(
            self._source.info.name, [name for one in wanted for name in _names(one)], self._since
        )
        return (one for one in wanted if asked.isdisjoint(_names(one)))

    def _note_missing(self, missing: Missing) -> None:
        with self._catalogue.database.write():
            self._look_ups.put(self._source.info.name, ((name, "") for name in _names(missing.wanted)))

    def _store(self, page: Page, outcome: Outcome) -> None:
        """Store an answer as a record of the paper that it was asked for."""
        paper_id, asked = asked_of(page)
        for item in self._source.parse(page):
            if isinstance(item, Fault):
                outcome.tally.skip(item)
            elif isinstance(item, Record):
                prepared = self._joining(item, paper_id)

                def also(name: str = asked, given: str = item.key) -> None:
                    self._look_ups.put(self._source.info.name, [(name, given)])

                outcome.tally.count(self._harvester.ingest.put_prepared([prepared], also=also))

    def _joining(self, record: Record, paper_id: PaperId) -> Prepared:
        """The record so that it joins the paper: one that was found by its title may carry no identifier of it."""
        prepared = prepare(record)
        try:
            pk, _ = self._catalogue.get_paper(paper_id)
        except NotFound:  # gone in the meantime
            return prepared
        if any(pk in holders for holders in self._catalogue.find_holders(prepared.identifiers).values()):
            return prepared
        first = decode_record(self._catalogue.records_of([pk])[0].claim)
        return prepare(replace(record, identifiers=(*record.identifiers, *known_as(first))))


def _names(wanted: Wanted) -> list[str]:
    """All by which a paper may have been asked for."""
    return [*(str(name) for name in wanted.identifiers), f"title: {wanted.title}"]
