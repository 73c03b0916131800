"""One sync: all that the configuration names and that is due, one after the other, each logged as a run of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from time import perf_counter

from octavo.catalogue.batches import GOOD, Batch, Batches
from octavo.catalogue.runs import Runs
from octavo.errors import BusyError, OctavoError, UsageError
from octavo.filling import Filler
from octavo.ingest import Ingest
from octavo.locks import held
from octavo.records.paper import Paper
from octavo.settings import Settings, SourceSettings
from octavo.sources.arxiv import ArxivSource
from octavo.sources.http import Http, Patience
from octavo.sources.limiter import Clock, SystemClock, pause
from octavo.sources.lookup import LookUp
from octavo.sources.online import Ask, Fetcher, OnlineSource
from octavo.sources.registry import get_source, source_names
from octavo.sync.calendar import latest_day, next_due, next_ready
from octavo.sync.days import FIRST_DAYS, AnnouncementDays
from octavo.sync.enrich import WANT, Enricher, look_up_source
from octavo.sync.harvest import Harvester, Told
from octavo.sync.outcome import Outcome, state_of

LOCK = "sync.lock"
_AHEAD = timedelta(hours=1)
"""How far ahead of the clock the last time may lie; more, and the clock was wrong then, so that nothing follows."""
_POLL = 0.5  # seconds between two looks whether the other sync has ended


@dataclass(frozen=True, slots=True)
class Job:
    """One thing that is wanted of one source."""

    source: OnlineSource
    want: str
    settings: SourceSettings
    is_kept: bool = True
    """Whether a later sync goes on from where this one ended; else only a run that was broken off is gone on with."""

    @property
    def name(self) -> str:
        """The source's name."""
        return self.source.info.name


def online_source(name: str) -> OnlineSource:
    """The source of that name, which can be asked over the network.

    Raises:
        UnknownSourceError: there is none.
        UsageError: it reads files only.
    """
    source = get_source(name)
    if isinstance(source, OnlineSource):
        return source
    asked = ", ".join(other for other in source_names() if isinstance(get_source(other), OnlineSource))
    raise UsageError(
        f"The source {name} can't be asked for papers over the network.",
        hint=f"It looks known papers up: `octavo enrich --from {name}`."
        if isinstance(source, LookUp)
        else f"These can: {asked}. Files are added with `octavo add {name} PATH`.",
    )


def jobs_of(settings: Settings, names: Sequence[str] = ()) -> list[Job]:
    """What the configuration wants of the sources with these names, or of all, in its order.

    Raises:
        UsageError: a name is none of a source that can be asked, or nothing is wanted of it.
    """
    look_ups = {said.name for said in look_ups_of(settings)}
    for name in names:
        if name in look_ups:
            continue
        online_source(name)
        if name not in settings.sources or not settings.sources[name].wants:
            raise UsageError(
                f"The configuration wants nothing of {name}.",
                hint="`octavo config path` names the file to say it in; `octavo fetch` fetches something once.",
            )
    chosen = names or list(settings.sources)
    return [
        Job(online_source(name), want, settings.sources[name])
        for name in chosen
        for want in settings.sources[name].wants
    ]


def look_ups_of(settings: Settings, names: Sequence[str] = ()) -> list[SourceSettings]:
    """The sources with these names, or all, at which the configuration wants what is new to be looked up."""
    return [said for said in settings.sources.values() if said.look_up and (not names or said.name in names)]


def due_at(job: Job, batches: Batches, now: datetime) -> datetime | None:
    """When to ask again, `now` where it is time; None where only by hand.

    What is not complete is due at once, and so is an announcement day from the moment that its feeds are built.
    """
    latest = batches.latest(job.name, job.want)
    last = datetime.fromisoformat(latest.ended_at) if latest else None
    due = next_due(job.settings.every, last, now)
    if due is None or last is None or latest is None:
        return due
    if latest.state not in GOOD or last > now + _AHEAD:
        return now
    if is_announcing(job):
        is_open = batches.last_good_day(job.name, job.want) < latest_day(now).isoformat()
        due = now if is_open else min(due, next_ready(now))
    return max(due, now)


def is_announcing(job: Job) -> bool:
    """Whether it is a category, whose papers come an announcement day at a time."""
    return isinstance(job.source, ArxivSource) and ":" not in job.want


class Syncer:
    """Syncs one home."""

    def __init__(
        self,
        filler: Filler,
        settings: Settings,
        home: Path,
        told: Told,
        *,
        clock: Clock | None = None,
        fetcher: Fetcher | None = None,
    ) -> None:
        """Ask as `settings` say. `clock` and `fetcher` are the machine's own clock and network where none is given."""
        self._filler = filler
        self._settings = settings
        self._home = home
        self._told = told
        self._clock = clock or SystemClock()
        self._fetcher = fetcher
        self._batches = Batches(filler.catalogue.database)

    def now(self) -> datetime:
        """This moment, aware."""
        return datetime.fromtimestamp(self._clock.time(), UTC)

    def due(self, jobs: Sequence[Job]) -> list[Job]:
        """Those of the jobs that are due."""
        now = self.now()
        return [job for job in jobs if (due := due_at(job, self._batches, now)) is not None and due <= now]

    def run(
        self, jobs: Sequence[Job], *, look_ups: Sequence[SourceSettings] = (), wait: bool = False
    ) -> Iterator[Outcome]:
        """Do the jobs, yielding what came of each as it ends; one that fails costs the others nothing.

        Args:
            jobs: What to ask for.
            look_ups: Where to look up afterwards what is new.
            wait: Where another sync is at work, wait for it to end.

        Raises:
            BusyError: another sync is at work, and `wait` is not set.
            StorageError: the catalogue can't be written. What was stored before is kept.
            KeyboardInterrupt: stopped; the outcome of what was under way comes before it.
        """
        with self._session(wait) as (harvester, mark):
            for job in jobs:
                yield from self._logged(job.name, job.want, partial(self._do, job, harvester, mark), harvester)
            for said in look_ups:
                yield from self._look_up_new(said, harvester, mark)

    def _look_up_new(self, said: SourceSettings, harvester: Harvester, mark: int) -> Iterator[Outcome]:
        """Look up the papers that came since the last time that this was done to its end; at first, in this sync."""
        start = harvester.cursors.get(said.name, WANT) or str(mark)
        end = self._filler.catalogue.next_record_pk() - 1
        new = self._filler.catalogue.papers_of_records_after(int(start))
        if new:
            papers = list(self._filler.catalogue.get_papers(new).values())
            for outcome in self._look_up(said.name, papers, len(papers), harvester):
                yield outcome
                if not outcome.is_good:
                    end = int(start)
        with self._filler.catalogue.database.write():
            harvester.cursors.put(said.name, WANT, str(end))

    def enrich(
        self, names: Sequence[str], papers: Callable[[], Iterable[Paper]], n_papers: int, *, wait: bool = False
    ) -> Iterator[Outcome]:
        """Look papers up with each of the sources, yielding what came of each as it ends.

        `papers` gives them anew for each source; `n_papers` says how many there are, for telling.

        Raises:
            As `run`; UsageError: a source can't be asked about papers.
        """
        for name in names:
            look_up_source(name)
        with self._session(wait) as (harvester, _):
            for name in names:
                yield from self._look_up(name, papers(), n_papers, harvester)

    @contextmanager
    def _session(self, wait: bool) -> Iterator[tuple[Harvester, int]]:
        """A harvester, alone in this home, and the last record's key before it begins."""
        catalogue = self._filler.catalogue
        ingest = Ingest(catalogue)
        with self._alone(wait), self._network() as fetcher:
            for _ in ingest.link_pending(partial(self._told, "comparing")):
                pass  # what a large `add` left undone; the index catches up later
            yield Harvester(ingest, fetcher, self._told), catalogue.next_record_pk() - 1

    def _logged(self, name: str, want: str, work: Callable[[Outcome], None], harvester: Harvester) -> Iterator[Outcome]:
        """Do some work and log it, however it ends; then let the index take in what it brought."""
        outcome = Outcome(name, want)
        runs, started = Runs(self._filler.catalogue.database), perf_counter()
        run = runs.begin(name, want)
        harvester.stored = lambda: runs.note(run, outcome.tally.counts())
        stopped: BaseException | None = None
        try:
            work(outcome)
        except BaseException as error:
            stopped = error
            outcome.end(state_of(error), error if isinstance(error, OctavoError) else None)
        outcome.seconds = perf_counter() - started
        with suppress(OctavoError):  # on a full disk the log of the run is the least of the losses
            self._log(runs, run, outcome)
        if stopped:
            if isinstance(stopped, KeyboardInterrupt):
                yield outcome
            raise stopped
        with self._filler.indexer() as indexer:
            self._filler.catch_up(indexer, self._told)
        yield outcome

    def _do(self, job: Job, harvester: Harvester, mark: int, outcome: Outcome) -> None:
        if (said := job.settings.options.get("since", "all")) != "all" and date.fromisoformat(said) > self.now().date():
            outcome.notes.append(
                f"The configuration says since = {said}, which is to come; changes from today on count."
            )
        ask = Ask(
            job.want,
            job.settings.addresses,
            harvester.cursors.get(job.name, job.want),
            _since(job.settings, self.now()),
            {**job.settings.options, "contact": self._settings.contact},
        )
        if is_announcing(job) and isinstance(job.source, ArxivSource):
            AnnouncementDays(job.source, harvester, self.now(), mark).run(ask, outcome)
        else:
            harvester.run(job.source, ask, outcome)
        if outcome.is_good and not job.is_kept:
            with harvester.ingest.catalogue.database.write():
                harvester.cursors.drop(job.name, job.want)

    def _look_up(self, name: str, papers: Iterable[Paper], n_papers: int, harvester: Harvester) -> Iterator[Outcome]:
        said = self._settings.sources[name]
        options = {**said.options, "contact": self._settings.contact}
        enricher = Enricher(look_up_source(name), harvester, n_papers, self.now())
        yield from self._logged(
            name, WANT, lambda outcome: enricher.run(papers, said.addresses, options, outcome), harvester
        )

    def _log(self, runs: Runs, run: int, outcome: Outcome) -> None:
        counts = outcome.tally.counts()
        ended_at = self.now().isoformat(timespec="seconds")
        whole = Batch(outcome.source, outcome.want, "", outcome.state, counts, told_of(outcome), ended_at)
        runs.end(
            run,
            outcome.state,
            counts,
            [(fault.place, fault.reason, fault.entry) for fault in outcome.tally.faults],
            batches=[*outcome.batches, whole],
        )

    def _alone(self, wait: bool) -> AbstractContextManager[None]:
        return _waiting(self._home / LOCK, self._clock) if wait else held(self._home / LOCK, "sync")

    def _network(self) -> AbstractContextManager[Fetcher]:
        if self._fetcher is not None:
            return nullcontext(self._fetcher)
        network = self._settings.network
        return Http(
            self._settings.contact,
            self._home / "network",
            self._clock,
            allow_private=frozenset(network.allow_private),
            unpaced=frozenset(network.allow_private),
            patience=Patience(
                tries=network.retry_tries,
                read=network.timeout,
                retry_after=network.retry_after_max,
                total=3 * network.timeout,
            ),
        )


def told_of(outcome: Outcome) -> tuple[str, ...]:
    """What is to be said of an outcome beside its counts, each thing once."""
    failure = (str(outcome.failure),) if outcome.failure else ()
    return tuple(dict.fromkeys((*outcome.notes, *failure)))


def _since(settings: SourceSettings, now: datetime) -> date | None:
    """The first day of changes that is wanted; None for all of them."""
    said = settings.options.get("since", "")
    if said == "all":
        return None
    return min(date.fromisoformat(said), now.date()) if said else now.date() - FIRST_DAYS


@contextmanager
def _waiting(path: Path, clock: Clock) -> Iterator[None]:
    """Have the lock, as soon as whoever has it lets go."""
    never = threading.Event()
    with ExitStack() as stack:
        while True:
            try:
                stack.enter_context(held(path, "sync"))
                break
            except BusyError:
                pause(_POLL, clock, never)
        yield
