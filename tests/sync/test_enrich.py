"""Completing papers with a service: what comes joins the paper it was asked for, and is not asked for again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from octavo.catalogue import Catalogue, Database
from octavo.catalogue.look_ups import LookUps
from octavo.errors import UsageError
from octavo.ingest import Ingest
from octavo.records.paper import Paper
from octavo.sources.crossref import CrossrefSource
from octavo.sources.http import Http
from octavo.sync.enrich import WANT, Enricher, look_up_source
from octavo.sync.harvest import Harvester
from octavo.sync.outcome import Outcome
from tests.sources.server import FakeClock, Reply, Server
from tests.world import record

NOW = datetime.now(UTC)
TILES = record(
    "mlanthology",
    "bee2031",
    "Tiles Are Sufficient for Fast Layout",
    "Ann Bee; Cy Dee",
    ids="10.5555/tiles.1",
    year=2031,
    venue="TILE",
)
GROUT = record("page", "grout", "A Long Title on Grout and Its Many Uses", "Ann Bee", year=2031, venue="TILE")


def work(doi: str, title: str, **more: object) -> dict[str, object]:
    return {
        "DOI": doi, "title": [title], "type": "proceedings-article", "is-referenced-by-count": 7, "reference-count": 1,
        "author": [{"given": "Ann", "family": "Bee"}], "issued": {"date-parts": [[2031, 5]]},
        "reference": [{"DOI": "10.5555/older.1"}], **more,
    }  # fmt: skip


def answer(*works: dict[str, object]) -> Reply:
    body = {"status": "ok", "message-type": "work-list", "message": {"items": list(works), "total-results": len(works)}}
    return Reply(json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def single(found: dict[str, object]) -> Reply:
    body = {"status": "ok", "message-type": "work", "message": found}
    return Reply(json.dumps(body).encode(), headers={"Content-Type": "application/json"})


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(clock: FakeClock) -> Iterator[Server]:
    with Server(clock) as made:
        yield made


@pytest.fixture
def harvester(tmp_path: Path, clock: FakeClock) -> Iterator[Harvester]:
    database = Database(tmp_path / "catalogue.db")
    with Http("", tmp_path / "network", clock, allow_private=frozenset({"127.0.0.1"})) as http:
        yield Harvester(Ingest(Catalogue(database)), http, lambda *_: None)
    database.close()


def papers(harvester: Harvester) -> list[Paper]:
    return [paper for _, paper in harvester.ingest.catalogue.changed_since(-1)]


def enrich(harvester: Harvester, server: Server, now: datetime = NOW) -> Outcome:
    outcome = Outcome("crossref", WANT)
    enricher = Enricher(CrossrefSource(), harvester, 0, now)
    enricher.run(papers(harvester), {"api": server.url("")}, {}, outcome)
    return outcome


def test_what_a_service_knows_joins_the_paper(harvester: Harvester, server: Server) -> None:
    harvester.ingest.put([TILES])
    server.plays(single(work("10.5555/tiles.1", "Tiles Are Sufficient for Fast Layout")))
    outcome = enrich(harvester, server)
    assert (outcome.state, outcome.tally.added) == ("complete", 1)
    (paper,) = papers(harvester)
    assert paper.citations == 7
    assert [str(one) for one in paper.references] == ["doi:10.5555/older.1"]
    assert set(paper.sources) == {"mlanthology", "crossref"}


def test_a_paper_that_was_found_by_its_title_gets_its_doi(harvester: Harvester, server: Server) -> None:
    harvester.ingest.put([GROUT])
    (before,) = papers(harvester)
    server.plays(answer(work("10.5555/grout.1", "A long title on grout and its many uses")))
    assert enrich(harvester, server).state == "complete"
    (after,) = papers(harvester)
    assert "doi:10.5555/grout.1" in map(str, after.identifiers)
    assert harvester.ingest.catalogue.get_paper(before.id)[1] == after


def test_what_was_asked_is_not_asked_again_until_it_is_old(harvester: Harvester, server: Server) -> None:
    harvester.ingest.put([GROUT])
    server.plays(answer(), answer())
    outcome = enrich(harvester, server)
    assert outcome.notes == ["1 of 1 papers are not known there."]
    asked = len(server.requests)
    assert enrich(harvester, server).state == "empty"
    assert len(server.requests) == asked
    server.always = answer()
    enrich(harvester, server, now=datetime.now(UTC) + timedelta(days=100))
    assert len(server.requests) > asked
    assert LookUps(harvester.ingest.catalogue.database).given_for("crossref", f"title: {GROUT.title.plain}") == ""


def test_what_came_before_a_fault_is_kept(harvester: Harvester, server: Server) -> None:
    """A01."""
    harvester.ingest.put([TILES, GROUT])
    server.plays(single(work("10.5555/tiles.1", "Tiles Are Sufficient for Fast Layout")))
    server.always = Reply(status=429, headers={"Retry-After": "3600"})
    outcome = enrich(harvester, server)
    assert outcome.state == "rate_limited"
    assert outcome.failure
    assert sorted(paper.citations or 0 for paper in papers(harvester)) == [0, 7]


def test_a_source_that_knows_no_look_ups_is_told() -> None:
    with pytest.raises(UsageError, match="can't be asked about papers") as caught:
        look_up_source("pmlr")
    assert "crossref" in caught.value.hint
