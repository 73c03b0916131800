"""What a sync does: what is due, alone in its home, each thing logged, one's failure costing the others nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.errors import BusyError, StorageError, UsageError
from octavo.filling import Filler
from octavo.index.meaning import Meaning
from octavo.index.text import TextIndex
from octavo.ingest.adding import Workers
from octavo.locks import held
from octavo.settings import Settings, SourceSettings, load_settings
from octavo.sources.http import FetchError
from octavo.sources.online import Fetcher
from octavo.sync.outcome import Outcome
from octavo.sync.showing import runs_of, states_of, sync_view
from octavo.sync.syncer import LOCK, Job, Syncer, due_at, jobs_of, look_ups_of, online_source
from tests.sources.server import FakeClock
from tests.sync.scripted import Scripted, page_of
from tests.world import RECORDS

NO_NETWORK = cast("Fetcher", object())
SAID = SourceSettings("jsonl", ("one", "two"), "daily", {}, {}, False)


@pytest.fixture
def clock() -> FakeClock:
    made = FakeClock()
    made.set(datetime(2031, 5, 7, 12, tzinfo=UTC).timestamp())
    return made


@contextmanager
def opened(home: Path, clock: FakeClock) -> Iterator[tuple[Syncer, Filler]]:
    database = Database(home / "catalogue.db")
    filler = Filler(
        Catalogue(database), TextIndex(home / "index"), Meaning(home / "vectors", None), Workers(0, lambda paper: paper)
    )
    try:
        yield Syncer(filler, settings(home), home, lambda *_: None, clock=clock, fetcher=NO_NETWORK), filler
    finally:
        database.close()


def settings(home: Path) -> Settings:
    return load_settings(home, {})


def jobs(*scripts: list[object], kept: bool = True) -> list[Job]:
    names = ("one", "two", "three")
    return [
        Job(Scripted(script=cast("list[object]", script)), name, SAID, kept)  # type: ignore[arg-type]
        for script, name in zip(scripts, names, strict=False)
    ]


def test_one_that_fails_costs_the_others_nothing(tmp_path: Path, clock: FakeClock) -> None:
    broken = FetchError("https://papers.example could not be fetched", url="", tries=5, hint="Try again later.")
    with opened(tmp_path, clock) as (syncer, filler):
        outcomes = list(syncer.run(jobs([page_of(RECORDS[:3], "1"), broken], [page_of(RECORDS[3:5], "1")])))
        assert [(one.want, one.state, one.tally.added) for one in outcomes] == [
            ("one", "failed", 3),
            ("two", "complete", 2),
        ]
        assert filler.index.n_papers == filler.catalogue.count_papers() > 0
        view = sync_view(outcomes[0])
        assert (view.problem, view.hint) == (broken.message, "Try again later.")
        second, first = runs_of(filler.catalogue.database, 10, None)
        assert (first.state, first.target, first.counts["added"]) == ("failed", "one", 3)
        assert first.notes == (f"{broken.message} {broken.hint}",)
        assert second.state == "complete"


def test_a_second_sync_says_who_is_at_work(tmp_path: Path, clock: FakeClock) -> None:
    told = pytest.raises(BusyError, match=r"Another sync is at work \(process \d+, since 20")
    with opened(tmp_path, clock) as (syncer, _), held(tmp_path / LOCK, "sync"), told:
        list(syncer.run(jobs([page_of(RECORDS[:3], "1")])))


def test_a_second_sync_waits_when_it_is_told_to(tmp_path: Path, clock: FakeClock) -> None:
    with opened(tmp_path, clock) as (syncer, _):
        other = held(tmp_path / LOCK, "sync")
        other.__enter__()
        clock.on_sleep = lambda: other.__exit__(None, None, None) if len(clock.slept) == 3 else None
        (outcome,) = syncer.run(jobs([page_of(RECORDS[:3], "1")]), wait=True)
    assert outcome.state == "complete"
    assert len(clock.slept) == 3


def test_a_stop_tells_what_was_under_way_and_logs_it(tmp_path: Path, clock: FakeClock) -> None:
    with opened(tmp_path, clock) as (syncer, filler):
        running = syncer.run(jobs([page_of(RECORDS[:3], "1"), KeyboardInterrupt()], [page_of(RECORDS[3:], "1")]))
        outcome = next(running)
        assert (outcome.want, outcome.state, outcome.tally.added) == ("one", "stopped", 3)
        with pytest.raises(KeyboardInterrupt):
            next(running)
        (run,) = runs_of(filler.catalogue.database, 10, None)
        assert run.state == "stopped"
        with held(tmp_path / LOCK, "sync"):  # it let go
            pass


def test_a_full_disk_ends_the_sync_and_keeps_what_was_stored(tmp_path: Path, clock: FakeClock) -> None:
    with opened(tmp_path, clock) as (syncer, filler):
        filler.catalogue.database.connection.execute(
            "CREATE TRIGGER full BEFORE INSERT ON records WHEN (SELECT count(*) FROM records) >= 3"
            " BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        with pytest.raises(StorageError, match="No room left"):
            list(syncer.run(jobs([page_of(RECORDS[:3], "1"), page_of(RECORDS[3:], "2")])))
        assert filler.catalogue.count_papers() > 0
        (run,) = runs_of(filler.catalogue.database, 10, None)
        assert run.state == "failed"


def test_a_fetch_that_ended_well_begins_anew_the_next_time(tmp_path: Path, clock: FakeClock) -> None:
    once = jobs([page_of(RECORDS[:3], "1"), FetchError("gone", url="", tries=5)], kept=False)
    source = cast("Scripted", once[0].source)
    with opened(tmp_path, clock) as (syncer, _):
        list(syncer.run(once))
        source.script[1] = page_of(RECORDS[3:], "2")
        list(syncer.run(once))
        (outcome,) = syncer.run(once)
        assert outcome.tally.unchanged == len(RECORDS)
    assert source.asked == ["", "1", ""]


def due(job: Job, home: Path, now: datetime) -> datetime | None:
    database = Database(home / "catalogue.db")
    from octavo.catalogue.batches import Batches

    try:
        return due_at(job, Batches(database), now)
    finally:
        database.close()


def test_what_is_complete_is_due_a_day_later_and_what_is_not_at_once(tmp_path: Path, clock: FakeClock) -> None:
    now = datetime.fromtimestamp(clock.time(), UTC)
    bad, good = jobs([FetchError("gone", url="", tries=5)], [page_of(RECORDS, "1")])
    assert due(good, tmp_path, now) == now  # never asked for
    with opened(tmp_path, clock) as (syncer, _):
        list(syncer.run([bad, good]))
        assert syncer.due([bad, good]) == [bad]
    later = due(good, tmp_path, now)
    assert later is not None
    assert timedelta(hours=20) < later - now < timedelta(hours=24)
    assert due(bad, tmp_path, now) == now
    never = Job(good.source, "three", SourceSettings("jsonl", ("three",), "never", {}, {}, False))
    assert due(never, tmp_path, now) is None


def test_a_last_time_that_is_to_come_is_due(tmp_path: Path, clock: FakeClock) -> None:
    """The clock was wrong then."""
    (good,) = jobs([page_of(RECORDS, "1")])
    with opened(tmp_path, clock) as (syncer, _):
        list(syncer.run([good]))
    earlier = datetime.fromtimestamp(clock.time(), UTC) - timedelta(days=400)
    assert due(good, tmp_path, earlier) == earlier


def test_look_ups_that_failed_are_made_up_for(tmp_path: Path, clock: FakeClock) -> None:
    class Down:
        def get(self, *_: object, **__: object) -> None:
            raise FetchError("https://papers.example is down", url="", tries=5)

        post = get

    (tmp_path / "octavo.toml").write_text("[crossref]\nlook_up = true\n")
    look_ups = look_ups_of(settings(tmp_path))
    assert [said.name for said in look_ups] == ["crossref"]
    with opened(tmp_path, clock) as (syncer, _):
        syncer._fetcher = cast("Fetcher", Down())
        (work, look_up) = syncer.run(jobs([page_of(RECORDS, "1")]), look_ups=look_ups)
        assert (work.state, look_up.state) == ("complete", "failed")
        (again,) = syncer.run([], look_ups=look_ups)
        assert (again.source, again.state) == ("crossref", "failed")


def test_a_source_that_cannot_be_asked_is_told_with_those_that_can() -> None:
    with pytest.raises(UsageError, match=r"can't be asked for papers over the network") as caught:
        online_source("bibtex")
    assert "arxiv" in caught.value.hint
    assert "`octavo add bibtex PATH`" in caught.value.hint


def test_a_source_of_which_nothing_is_wanted_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="wants nothing of pmlr"):
        jobs_of(settings(tmp_path), ["pmlr"])
    assert jobs_of(settings(tmp_path)) == []


def test_states_are_those_of_what_is_configured(tmp_path: Path, clock: FakeClock) -> None:
    (tmp_path / "octavo.toml").write_text('[pmlr]\nvolumes = [267]\n[arxiv]\ncategories = ["cs.LG"]\n')
    now = datetime.fromtimestamp(clock.time(), UTC)
    with opened(tmp_path, clock) as (_, filler):
        views = {view.name: view for view in states_of(filler.catalogue.database, settings(tmp_path), now)}
    assert [want.want for want in views["pmlr"].wants] == ["v267"]
    assert views["arxiv"].wants[0].state == ""
    assert views["arxiv"].wants[0].next_at.startswith("2031-05-07")
    assert views["arxiv"].asks
    assert not views["bibtex"].asks
    assert all(view.terms for view in views.values() if view.asks)


def test_outcomes_are_told_once_whatever_was_noted() -> None:
    outcome = Outcome("jsonl", "one", notes=["asked again", "asked again"])
    outcome.end("complete")
    assert sync_view(outcome).notes == ("asked again",)
