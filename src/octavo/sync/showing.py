"""Outcomes, sources and runs as views."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from octavo.catalogue import Database
from octavo.catalogue.batches import Batch, Batches
from octavo.catalogue.runs import Runs
from octavo.catalogue.stats import by_source
from octavo.errors import NotFound
from octavo.settings import Settings
from octavo.sources.online import OnlineSource
from octavo.sources.registry import get_source, source_names
from octavo.sync.outcome import Outcome
from octavo.sync.syncer import Job, due_at, jobs_of
from octavo.views_sync import DayView, RunView, SourceView, SyncView, WantView

_SHOWN_FAULTS = 20
_RUN = ("run", "source", "target", "started_at", "ended_at", "state")


def sync_view(outcome: Outcome) -> SyncView:
    """What came of one thing that was wanted."""
    tally = outcome.tally
    return SyncView(
        source=outcome.source,
        want=outcome.want,
        state=outcome.state,
        counts={
            "new_papers": tally.new_papers,
            **{name: count for name, count in tally.counts().items() if name not in ("identified", "waiting")},
        },
        days=_days(outcome.batches),
        notes=tuple(dict.fromkeys(outcome.notes)),
        problem=outcome.failure.message if outcome.failure else "",
        hint=outcome.failure.hint if outcome.failure else "",
        reasons=tuple(tally.reasons.most_common()),
        faults=tuple((fault.place, fault.reason, fault.entry) for fault in tally.faults[:_SHOWN_FAULTS]),
        seconds=outcome.seconds,
    )


def states_of(database: Database, settings: Settings, now: datetime) -> tuple[SourceView, ...]:
    """Every source, and how what the configuration wants of it stands."""
    held, batches, jobs = dict(by_source(database)), Batches(database), jobs_of(settings)
    views = []
    for name in source_names():
        source = get_source(name)
        info = source.info
        views.append(
            SourceView(
                name=name,
                title=info.title,
                covers=info.covers,
                reads=info.reads,
                terms=info.terms,
                example=info.example,
                asks=source.wants if isinstance(source, OnlineSource) else "",
                seconds_between_requests=info.seconds_between_requests,
                records=held.get(name, 0),
                wants=tuple(_want(batches, job, now) for job in jobs if job.name == name),
            )
        )
    return tuple(views)


def _want(batches: Batches, job: Job, now: datetime) -> WantView:
    latest, due = batches.latest(job.name, job.want), due_at(job, batches, now)
    return WantView(job.want, latest.state if latest else "", latest.ended_at if latest else "", _moment(due))


def _moment(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


def runs_of(database: Database, limit: int, run: int | None) -> tuple[RunView, ...]:
    """The newest runs, or one.

    Raises:
        NotFound: no run of that number.
    """
    runs, batches = Runs(database), Batches(database)
    found = runs.last(limit, run)
    if run is not None and not found:
        raise NotFound(f"There is no run {run}.", hint="`octavo log` lists them.")
    return tuple(
        _run(row, batches.of_run(row["run"]), runs.faults_of(row["run"]) if run is not None else ()) for row in found
    )


def _run(row: dict[str, Any], batches: list[Batch], faults: Iterable[tuple[str, str, str]]) -> RunView:
    return RunView(
        run=row["run"],
        source=row["source"],
        target=row["target"],
        started_at=row["started_at"],
        ended_at=row["ended_at"] or "",
        state=row["state"],
        counts={name: count for name, count in row.items() if name not in _RUN},
        days=_days(batch for batch in batches if batch.day),
        notes=tuple(note for batch in batches if not batch.day for note in batch.notes),
        faults=tuple(faults),
    )


def _days(batches: Iterable[Batch]) -> tuple[DayView, ...]:
    return tuple(DayView(one.day, one.state, dict(one.counts), tuple(one.notes)) for one in batches)
