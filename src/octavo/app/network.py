"""Use cases: what is asked of sources and services over the network."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from typing import TYPE_CHECKING

from octavo.app.base import Progress, silent, told
from octavo.app.keeping import Keeping
from octavo.catalogue import storage_errors
from octavo.config import catalogue_path
from octavo.errors import UsageError
from octavo.sources.base import SourceInfo
from octavo.sources.registry import get_source
from octavo.views_sync import RunView, SourceView, SyncView

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.settings import Settings
    from octavo.sync.outcome import Outcome
    from octavo.sync.syncer import Syncer


USUAL_LOOK_UP = "openalex"
"""Where papers are looked up when nothing else is said: it asks for no key, and has the most."""


class Network(Keeping):
    """Sync, fetch, enrich, and how each source stands."""

    @cached_property
    def settings(self) -> Settings:
        """What the configuration says (`octavo.settings`).

        Raises:
            ConfigError: it can't be read; it names each fault.
        """
        from octavo.settings import load_settings

        return load_settings(self.home, os.environ)

    def sync(
        self,
        names: Sequence[str] = (),
        *,
        everything: bool = False,
        wait: bool = False,
        progress: Progress = silent,
    ) -> Iterator[SyncView]:
        """Bring what the configuration names up to date, yielding what came of each thing wanted as it ends.

        Args:
            names: The sources; all that the configuration names where none is given.
            everything: Also what is not due yet.
            wait: Where another sync is at work, wait for it to end.
            progress: Told of the work; its stage is the source and what is asked for.

        Raises:
            ConfigError: the configuration can't be read.
            UsageError: a source can't be asked, or nothing is wanted of it.
            BusyError: another sync is at work.
            StorageError: the catalogue can't be written.
        """
        from octavo.sync.syncer import jobs_of, look_ups_of

        jobs, look_ups = jobs_of(self.settings, names), look_ups_of(self.settings, names)
        if not jobs and not look_ups:
            raise UsageError(
                "The configuration names nothing to bring up to date.",
                hint="`octavo config init` writes one to fill in, `octavo sources` lists what can be asked for.",
            )
        syncer = self._syncer(progress)
        yield from self._told_of(syncer.run(jobs if everything else syncer.due(jobs), look_ups=look_ups, wait=wait))

    def fetch(
        self, source: str, wants: Sequence[str], *, wait: bool = False, progress: Progress = silent
    ) -> Iterator[SyncView]:
        """Ask a source for something once, whatever the configuration says of it; broken off, it is gone on with.

        Raises:
            As `sync`; UsageError: that can't be asked for.
        """
        from octavo.sync.syncer import Job, online_source

        asked = online_source(source)
        said = self.settings.sources[source]
        jobs = [Job(asked, want, said, is_kept=want in said.wants) for want in map(asked.want, wants)]
        yield from self._told_of(self._syncer(progress).run(jobs, wait=wait))

    def enrich(
        self,
        sources: Sequence[str] = (),
        *,
        query: str | None = None,
        names: Sequence[str] = (),
        everything: bool = False,
        wait: bool = False,
        progress: Progress = silent,
    ) -> Iterator[SyncView]:
        """Look up what papers lack (abstract, DOI, venue, citations, what they cite) at each of `sources`, by default
        those that the configuration says to look up at, else OpenAlex. What was asked for of late is passed over.

        Raises:
            As `sync`; UsageError: no paper is named, or a source can't be asked about papers.
            NotFound: a name that no paper has.
        """
        chosen = partial(self._chosen, query, names, everything=everything)
        total = self._catalogue.count_papers() if everything else len(names)
        if query is not None and not names:
            total = self.search(query, 1).total
        elif not everything:
            chosen()  # says which name no paper has
        configured = [said.name for said in self.settings.sources.values() if said.look_up]
        syncer = self._syncer(progress)
        asked = tuple(sources) or tuple(configured) or (USUAL_LOOK_UP,)
        yield from self._told_of(syncer.enrich(asked, lambda: (paper for _, paper in chosen()), total, wait=wait))

    def _syncer(self, progress: Progress) -> Syncer:
        from octavo.sync.syncer import Syncer

        self._make_home()
        return Syncer(self._filler, self.settings, self.home, progress)

    def _told_of(self, outcomes: Iterator[Outcome]) -> Iterator[SyncView]:
        from octavo.sync.showing import sync_view

        with storage_errors(catalogue_path(self.home)):
            for outcome in outcomes:
                yield sync_view(outcome)

    @staticmethod
    def source(name: str) -> SourceInfo:
        """What the source of that name is.

        Raises:
            UnknownSourceError: there is none; its hint has the nearest names.
        """
        return get_source(name).info

    @told
    def source_states(self, now: datetime | None = None) -> tuple[SourceView, ...]:
        """Every source, and how what the configuration wants of it stands."""
        from octavo.sync.showing import states_of

        return states_of(self._catalogue.database, self.settings, now or datetime.now(UTC))

    @told
    def log(self, limit: int = 20, run: int | None = None) -> tuple[RunView, ...]:
        """The newest runs, newest first; or the one of that number, with what it skipped.

        Raises:
            NotFound: no run of that number.
        """
        from octavo.sync.showing import runs_of

        return runs_of(self._catalogue.database, limit, run)
