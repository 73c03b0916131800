"""Harvesting arXiv's lists and feeds, against a made-up arXiv on loopback. Numbers such as A06 are those of the list of
pitfalls."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, SourceError, UsageError
from octavo.records.paper import Record
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_changes import changes_of
from octavo.sources.arxiv_cursor import ListCursor
from octavo.sources.arxiv_feed import announcements, feed_status, one_a_paper
from octavo.sources.arxiv_oai import deleted
from octavo.sources.base import Page
from octavo.sources.http import Answer, FetchError, Http, Patience, RateLimitedError
from octavo.sources.online import Ask, Note, OnlineSource, ShortError
from tests.sources.oai_world import FIRST_DAY, World, WorldPaper, WorldServer, envelope, feed_page, oai_error, record
from tests.sources.server import FakeClock, Reply, Server

SOURCE = ArxivSource()
LOOPBACK = frozenset({"127.0.0.1"})
MAINTENANCE = Reply(b"<html><body>Down for maintenance</body></html>", headers={"Content-Type": "text/html"})
EMPTY_RSS = b'<rss version="2.0"><channel><title>t</title><skipDays><day>Saturday</day><day>Sunday</day></skipDays></channel></rss>'


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def http(tmp_path: Path, clock: FakeClock) -> Iterator[Http]:
    patience = Patience(tries=4)
    with Http("", tmp_path, clock, allow_private=LOOPBACK, jitter=lambda: 1.0, patience=patience) as http:
        yield http


@pytest.fixture
def server(clock: FakeClock) -> Iterator[Server]:
    with Server(clock) as server:
        yield server


@pytest.fixture
def arxiv() -> Iterator[WorldServer]:
    """Twelve pages of cs.LG, over ten announcement days."""
    with WorldServer(World(200), page=9) as server:
        yield server


def papers_of(pages: list[Page]) -> list[str]:
    return [found.key for page in pages for found in SOURCE.parse(page) if isinstance(found, Record)]


def run(http: Http, ask: Ask, most: int = 1_000) -> tuple[list[Page], list[str]]:
    """The pages and notes of a harvest that is stopped behind `most` pages, as by a kill."""
    pages: list[Page] = []
    notes: list[str] = []
    for found in SOURCE.harvest(ask, http):
        if isinstance(found, Note):
            notes.append(found.text)
            continue
        pages.append(found)
        if len(pages) == most:
            break
    return pages, notes


def run_to_error(http: Http, ask: Ask) -> tuple[list[Page], SourceError]:
    """The pages of a harvest that fails, and why it did."""
    pages: list[Page] = []
    try:
        pages.extend(found for found in SOURCE.harvest(ask, http) if isinstance(found, Page))
    except SourceError as error:
        return pages, error
    pytest.fail("it ended well")


def asked(server: Server) -> list[dict[str, str]]:
    """The arguments of each request."""
    queries = (parse_qs(urlsplit(request.path).query) for request in server.requests)
    return [{name: values[0] for name, values in query.items()} for query in queries]


def paper(number: int, day: str = "2031-05-02", *, gone: bool = False) -> WorldPaper:
    on = date.fromisoformat(day)
    return WorldPaper(
        number, f"3105.{number:05}", f"Tiles {number}", (("Ann", "Bee"),), "We lay tiles.", ("cs.LG",), on, on,
        deleted=on if gone else None,
    )  # fmt: skip


def listing(papers: list[WorldPaper], token: str = "", *, today: str = "2031-05-09", more: str = "") -> bytes:
    """A page of OAI-PMH."""
    day = date.fromisoformat(today)
    records = "".join(record(one, day, "arXivRaw") for one in papers)
    ending = f"<resumptionToken {more}>{token}</resumptionToken>" if token or more else ""
    return envelope(day, f"<ListRecords>{records}{ending}</ListRecords>")


def ask_of(server: Server, want: str = "cs.LG", **more: object) -> Ask:
    return Ask(want, {"oai": server.url("/oai"), "feed": server.url("/atom"), "api": server.url("/api")}, **more)  # type: ignore[arg-type]


def cursor_of(page: Page) -> ListCursor:
    cursor = ListCursor.read(page.cursor)
    assert cursor is not None
    return cursor


def test_source_can_be_asked_and_says_how_often() -> None:
    assert isinstance(SOURCE, OnlineSource)
    assert SOURCE.info.seconds_between_requests == 3.0
    assert SOURCE.addresses["oai"] == "https://oaipmh.arxiv.org/oai"
    assert set(SOURCE.addresses) == {"oai", "feed", "api"}


# A whole list


def test_harvest_brings_every_record_of_the_set_once(http: Http, arxiv: WorldServer) -> None:
    pages, notes = run(http, Ask("cs.LG", arxiv.addresses))
    came = papers_of(pages)
    assert sorted(came) == sorted(arxiv.world.ids("cs:cs:LG"))
    assert len(came) > 50
    assert any(name.startswith("hep-th/99") for name in came)
    gone = {one.id for one in arxiv.world.papers if one.is_in("cs:cs:LG")} - set(came)
    assert {name.value for page in pages for name in deleted(page)} == gone != set()
    assert notes == []


def test_harvest_sends_the_token_alone_and_the_rest_in_the_first_request(http: Http, arxiv: WorldServer) -> None:
    """Pitfall A05: following pages are asked for by token only."""
    run(http, Ask("cs.LG", arxiv.addresses, since=date(2031, 5, 6)))
    queries = [parse_qs(urlsplit(path).query) for path in arxiv.requests]
    assert queries[0] == {
        "verb": ["ListRecords"], "metadataPrefix": ["arXivRaw"], "set": ["cs:cs:LG"], "from": ["2031-05-06"],
    }  # fmt: skip
    assert len(queries) > 3
    assert all(set(query) == {"verb", "resumptionToken"} for query in queries[1:])


def test_harvest_keeps_three_seconds_between_requests(http: Http, server: Server) -> None:
    """Pitfall A01: one pace for all requests."""
    server.plays(Reply(listing([paper(1)], "A")), Reply(listing([paper(2)], "B")), Reply(listing([paper(3)])))
    run(http, ask_of(server))
    first, second, third = server.starts
    assert (second - first >= 3, third - second >= 3) == (True, True)


def test_harvest_waits_as_long_as_arxiv_asks_when_it_is_busy(http: Http, server: Server) -> None:
    """Pitfall A01's trigger."""
    dates = {"Date": "Wed, 01 Jan 2031 00:00:00 GMT", "Retry-After": "Wed, 01 Jan 2031 00:00:10 GMT"}
    server.plays(
        Reply(status=429, headers={"Retry-After": "7"}), Reply(status=503, headers=dates), Reply(listing([paper(1)]))
    )
    pages, _ = run(http, ask_of(server))
    first, second, third = server.starts
    assert (second - first >= 7, third - second >= 10, papers_of(pages)) == (True, True, ["3105.00001"])


@pytest.mark.parametrize(
    "ending", ['<resumptionToken completeListSize="3" cursor="2"/>', "", "<resumptionToken>\n \n</resumptionToken>"]
)
def test_harvest_ends_without_another_request_when_the_token_is_empty_or_absent(
    http: Http, server: Server, ending: str
) -> None:
    """Pitfall A05's trigger."""
    body = listing([paper(1)]).replace(b"</ListRecords>", ending.encode() + b"</ListRecords>")
    server.plays(Reply(body))
    (page,), _ = run(http, ask_of(server))
    assert len(server.requests) == 1
    assert cursor_of(page).complete
    assert page.total == (3 if "completeListSize" in ending else None)


@pytest.mark.parametrize(
    ("category", "set_name"),
    [
        ("cs.LG", "cs:cs:LG"), ("stat.ML", "stat:stat:ML"), ("hep-th", "physics:hep-th"), ("math.NA", "math:math:NA"),
        ("astro-ph.EP", "physics:astro-ph:EP"), ("physics.optics", "physics:physics:optics"), ("cs", "cs"),
        ("astro-ph", "physics:astro-ph"), ("cond-mat.dis-nn", "physics:cond-mat:dis-nn"), ("nlin.CD", "physics:nlin:CD"),
        ("eess.SY", "eess:eess:SY"), ("q-bio.NC", "q-bio:q-bio:NC"), ("q-fin.ST", "q-fin:q-fin:ST"),
        ("econ.EM", "econ:econ:EM"), ("math-ph", "physics:math-ph"), ("quant-ph", "physics:quant-ph"),
    ],
)  # fmt: skip
def test_harvest_asks_for_the_set_of_each_archive(http: Http, server: Server, category: str, set_name: str) -> None:
    """Pitfall A09."""
    server.plays(Reply(listing([paper(1)])))
    run(http, ask_of(server, category))
    assert asked(server)[0]["set"] == set_name


@pytest.mark.parametrize(
    "category", ["cs.NA", "math.NA", "hep-th", "astro-ph.EP", "astro-ph", "physics", "stat.ML", "cs"]
)
def test_harvest_brings_all_of_any_set(http: Http, arxiv: WorldServer, category: str) -> None:
    pages, _ = run(http, Ask(category, arxiv.addresses))
    set_name = cursor_of(pages[-1]).set
    assert set(papers_of(pages)) == arxiv.world.ids(set_name) != set()


def test_two_categories_have_cursors_of_their_own(http: Http, arxiv: WorldServer) -> None:
    first, _ = run(http, Ask("cs.LG", arxiv.addresses), most=2)
    other, _ = run(http, Ask("stat.ML", arxiv.addresses), most=1)
    rest, _ = run(http, Ask("cs.LG", arxiv.addresses, first[-1].cursor))
    others, _ = run(http, Ask("stat.ML", arxiv.addresses, other[-1].cursor))
    assert set(papers_of(first + rest)) == arxiv.world.ids("cs:cs:LG")
    assert set(papers_of(other + others)) == arxiv.world.ids("stat:stat:ML")


@pytest.mark.parametrize("metadata", ["arXiv", "arXivRaw"])
def test_harvest_asks_for_the_metadata_that_are_configured(http: Http, arxiv: WorldServer, metadata: str) -> None:
    pages, _ = run(http, Ask("cs.LG", arxiv.addresses, options={"metadata": metadata}))
    assert f"metadataPrefix={metadata}&" in arxiv.requests[0]
    assert set(papers_of(pages)) == arxiv.world.ids("cs:cs:LG")


def test_harvest_refuses_metadata_that_it_does_not_read(http: Http, arxiv: WorldServer) -> None:
    with pytest.raises(UsageError, match=r"'oai_dc' is no format.*arXivRaw or arXiv"):
        run(http, Ask("cs.LG", arxiv.addresses, options={"metadata": "oai_dc"}))


@pytest.mark.parametrize(
    ("since", "expected"),
    [(None, ""), (date(1991, 1, 1), ""), (date(2005, 9, 16), ""), (date(2031, 5, 7), "2031-05-07")],
)
def test_harvest_asks_from_no_day_that_arxiv_refuses(
    http: Http, arxiv: WorldServer, since: date | None, expected: str
) -> None:
    """arXiv refuses a `from` before its first datestamp."""
    run(http, Ask("cs.LG", arxiv.addresses, since=since))
    assert arxiv.starts() == [expected]


def test_harvest_tells_of_a_new_address_and_goes_on(http: Http, server: Server) -> None:
    """Pitfall A09: redirects are followed, and told."""
    target = {"Location": server.url("/oai/new?verb=ListRecords")}
    server.plays(
        Reply(status=301, headers=target), Reply(listing([paper(1)], "A")),
        Reply(status=301, headers=target), Reply(listing([paper(2)])),
    )  # fmt: skip
    pages, notes = run(http, ask_of(server))
    assert papers_of(pages) == ["3105.00001", "3105.00002"]
    assert notes == [f"{server.url('/oai')} leads on to {server.url('/oai/new')}; name that in the configuration."]
    assert cursor_of(pages[-1]).base == server.url("/oai")


# Going on


def test_harvest_goes_on_behind_each_page_when_it_was_killed_there(http: Http, arxiv: WorldServer) -> None:
    whole, _ = run(http, Ask("cs.LG", arxiv.addresses))
    n_pages = arxiv.n_lists
    assert n_pages == len(whole) > 10
    for k in range(1, n_pages):
        arxiv.requests.clear()
        before, _ = run(http, Ask("cs.LG", arxiv.addresses), most=k)
        after, notes = run(http, Ask("cs.LG", arxiv.addresses, before[-1].cursor))
        assert Counter(papers_of(before + after)) == Counter(papers_of(whole)), k
        assert len(arxiv.requests) == n_pages, k
        assert notes == []


def test_harvest_of_a_complete_list_asks_for_what_changed_since_its_first_page(http: Http, arxiv: WorldServer) -> None:
    world = arxiv.world
    world.today = FIRST_DAY.replace(day=7)
    pages: list[Page] = []
    for found in SOURCE.harvest(Ask("cs.LG", arxiv.addresses), http):
        assert isinstance(found, Page)
        pages.append(found)
    assert (cursor_of(pages[-1]).complete, cursor_of(pages[-1]).start) == (True, "2031-05-07")
    world.move_on(5)
    later, _ = run(http, Ask("cs.LG", arxiv.addresses, pages[-1].cursor))
    assert arxiv.starts() == ["", "2031-05-07"]
    assert set(papers_of(pages + later)) - {name.value for page in later for name in deleted(page)} == world.ids(
        "cs:cs:LG"
    )


def test_harvest_loses_nothing_when_the_list_changes_while_it_is_fetched(http: Http, server: Server) -> None:
    """The next harvest begins on the day of the first answer, not of the last."""
    server.plays(
        Reply(listing([paper(1)], "A", today="2031-05-09")),
        Reply(listing([paper(2)], "B", today="2031-05-09")),
        Reply(listing([paper(3)], today="2031-05-10")),
        Reply(listing([paper(4, "2031-05-11")], today="2031-05-12")),
    )
    pages, _ = run(http, ask_of(server))
    run(http, ask_of(server, cursor=pages[-1].cursor))
    assert asked(server)[-1]["from"] == "2031-05-09"


def test_harvest_moves_on_when_nothing_changed(http: Http, server: Server) -> None:
    server.plays(
        Reply(listing([paper(1)], today="2031-05-09")),
        Reply(oai_error(date(2031, 5, 12), "noRecordsMatch")),
        Reply(oai_error(date(2031, 5, 13), "noRecordsMatch")),
    )
    cursor = ""
    found: list[object] = []
    for _ in range(3):
        (page,), _ = run(http, ask_of(server, cursor=cursor))
        cursor = page.cursor
        found += SOURCE.parse(page)
    assert [arguments.get("from", "") for arguments in asked(server)] == ["", "2031-05-09", "2031-05-12"]
    assert cursor_of(page).start == "2031-05-13"
    assert len(found) == 1


def test_cursor_of_another_address_set_or_format_begins_anew_from_its_day(http: Http, arxiv: WorldServer) -> None:
    pages, _ = run(http, Ask("cs.LG", arxiv.addresses, since=date(2031, 5, 6)), most=2)
    cursor = pages[-1].cursor
    moved = json.dumps(json.loads(cursor) | {"base": "https://arxiv.example/oai2"})
    renamed = json.dumps(json.loads(cursor) | {"set": "cs"})
    for text, options in ((moved, {}), (renamed, {}), (cursor, {"metadata": "arXiv"})):
        arxiv.requests.clear()
        _, notes = run(http, Ask("cs.LG", arxiv.addresses, text, date(2031, 5, 20), options))
        assert arxiv.starts() == ["2031-05-06"]
        assert notes == ["cs.LG is asked for in another way than before; its list begins anew."]


def test_harvest_asks_for_earlier_days_when_more_is_wanted_than_was(http: Http, arxiv: WorldServer) -> None:
    pages, _ = run(http, Ask("cs.LG", arxiv.addresses, since=date(2031, 5, 14)))
    cursor = pages[-1].cursor
    for since in (date(2031, 5, 14), date(2031, 5, 20)):
        assert run(http, Ask("cs.LG", arxiv.addresses, cursor, since=since))[1] == []
    for since in (date(2031, 5, 8), None):
        pages, notes = run(http, Ask("cs.LG", arxiv.addresses, cursor, since=since))
        assert notes == ["Earlier changes of cs.LG are wanted than before; its list begins anew."]
    assert run(http, Ask("cs.LG", arxiv.addresses, pages[0].cursor))[1] == []
    assert arxiv.starts() == ["2031-05-14", "2031-05-16", "2031-05-16", "2031-05-08", ""]


@pytest.mark.parametrize("text", ["x", "[]", "{}", "null", '{"base": 1, "set": "", "prefix": ""}', "[" * 100_000])
def test_harvest_begins_anew_when_the_cursor_is_damaged(http: Http, arxiv: WorldServer, text: str) -> None:
    pages, notes = run(http, Ask("stat.ML", arxiv.addresses, text))
    assert notes == ["How far stat.ML came can't be read any more; it begins anew."]
    assert set(papers_of(pages)) == arxiv.world.ids("stat:stat:ML")


# Tokens that are no good


def five_pages(refused: int) -> list[Reply]:
    """Five pages of three records, a day each; the token of the page before `refused` is refused once."""
    days = ["2031-05-01", "2031-05-02", "2031-05-03", "2031-05-04", "2031-05-05"]
    pages = [[paper(3 * n + m, day) for m in range(3)] for n, day in enumerate(days)]
    replies = [Reply(listing(page, f"T{n}" if n < 4 else "")) for n, page in enumerate(pages)]
    overlap = max(0, refused - 3)  # the list from a day before the last datestamp begins with a page that came
    return [*replies[: refused - 1], Reply(oai_error(date(2031, 5, 9), "badResumptionToken")), *replies[overlap:]]


def test_harvest_goes_on_from_the_last_day_when_the_token_expired(http: Http, server: Server) -> None:
    """Pitfall A06's trigger: all ids once, none fetched more than twice."""
    server.plays(*five_pages(refused=3))
    pages, notes = run(http, ask_of(server))
    came = Counter(papers_of(pages))
    assert set(came) == {f"3105.{number:05}" for number in range(15)}
    assert max(came.values()) == 2
    assert asked(server)[3] == {
        "verb": "ListRecords", "metadataPrefix": "arXivRaw", "set": "cs:cs:LG", "from": "2031-05-01",
    }  # fmt: skip
    assert notes == ["arXiv no longer knows the place in its list of cs.LG; it goes on from 2031-05-01."]
    assert cursor_of(pages[-1]).start == "2031-05-09"


@pytest.mark.parametrize("refused", [2, 3, 7, 11])
def test_harvest_is_whole_when_a_token_is_refused_anywhere(http: Http, arxiv: WorldServer, refused: int) -> None:
    """Pitfall A06 where days have more records than a page."""
    arxiv.refused[refused] = 1
    pages, notes = run(http, Ask("cs.LG", arxiv.addresses))
    came = Counter(papers_of(pages))
    assert set(came) == arxiv.world.ids("cs:cs:LG")
    assert max(came.values()) <= 2
    assert len(notes) == 1


def test_harvest_is_whole_when_tokens_are_refused_twice(http: Http, arxiv: WorldServer) -> None:
    for n in (3, 6):
        arxiv.refused[n] = 1
    pages, notes = run(http, Ask("cs.LG", arxiv.addresses))
    assert set(papers_of(pages)) == arxiv.world.ids("cs:cs:LG")
    assert len(notes) == 2


def test_harvest_goes_on_from_a_stored_token_that_expired_overnight(http: Http, arxiv: WorldServer) -> None:
    world = arxiv.world
    world.today = date(2031, 5, 8)
    before, _ = run(http, Ask("cs.LG", arxiv.addresses), most=3)
    world.move_on()
    after, notes = run(http, Ask("cs.LG", arxiv.addresses, before[-1].cursor))
    assert set(papers_of(before + after)) - {one.value for page in after for one in deleted(page)} == world.ids(
        "cs:cs:LG"
    )
    assert len(notes) == 1
    assert cursor_of(after[-1]).start == "2031-05-08"


def test_harvest_throws_away_what_an_expired_token_brings(http: Http, server: Server) -> None:
    """arXiv's tokens count records of a day, and are taken after they expired; by then the day may have fewer."""
    expires = "expirationDate='2031-05-09T00:00:00Z'"
    server.plays(
        Reply(listing([paper(1, "2031-05-01"), paper(2, "2031-05-04")], "A", today="2031-05-08", more=expires)),
        Reply(listing([paper(4, "2031-05-05")], today="2031-05-09")),  # 3 was behind the place, and has moved before it
        Reply(listing([paper(n, "2031-05-04") for n in (2, 3)] + [paper(4, "2031-05-05")], today="2031-05-09")),
    )
    pages, notes = run(http, ask_of(server))
    assert set(papers_of(pages)) == {f"3105.{number:05}" for number in (1, 2, 3, 4)}
    assert asked(server)[2]["from"] == "2031-05-03"
    assert notes == ["The place in arXiv's list of cs.LG expired; it goes on from 2031-05-03."]


def test_harvest_believes_no_expiry_that_had_passed_when_it_was_told(http: Http, server: Server) -> None:
    expires = "expirationDate='2001-01-01T00:00:00Z'"
    server.plays(Reply(listing([paper(1)], "A", more=expires)), Reply(listing([paper(2)])))
    pages, notes = run(http, ask_of(server))
    assert (papers_of(pages), notes) == (["3105.00001", "3105.00002"], [])


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([[1], [4]], "2031-05-03"), ([[4], [1]], ""), ([[4], [4]], ""), ([[1], [3], [2]], ""), ([[3, 1]], ""),
        ([[1, 3]], "2031-05-02"), ([[1, 3], [3, 5]], "2031-05-04"), ([[1, 3, 2], [3, 5]], ""),
    ],
)  # fmt: skip
def test_harvest_trusts_the_order_of_a_list_only_where_it_was_seen(
    http: Http, server: Server, pages: list[list[int]], expected: str
) -> None:
    """OAI-PMH promises no order: a list that is not in that of its datestamps is begun anew as a whole."""
    for n, page in enumerate(pages):
        server.plays(Reply(listing([paper(10 * n + day, f"2031-05-{day:02}") for day in page], f"T{n}")))
    server.plays(Reply(oai_error(date(2031, 5, 9), "badResumptionToken")), Reply(listing([paper(9)])))
    run(http, ask_of(server))
    assert asked(server)[-1].get("from", "") == expected


def test_harvest_gives_up_when_arxiv_ends_the_list_again_and_again(http: Http, server: Server) -> None:
    server.always = Reply(oai_error(date(2031, 5, 9), "badResumptionToken"))
    stored = str(ListCursor(server.url("/oai"), "cs:cs:LG", "arXivRaw", token="T"))
    for _ in range(4):
        server.plays(Reply(oai_error(date(2031, 5, 9), "badResumptionToken")), Reply(listing([paper(1)], "T")))
    with pytest.raises(ShortError, match=r"ended the list of cs\.LG 4 times at the same place"):
        run(http, ask_of(server, cursor=stored))
    assert len(server.requests) == 7


@pytest.mark.parametrize("first", ["", "A"])
def test_harvest_stops_when_the_same_token_brings_the_same_page(http: Http, server: Server, first: str) -> None:
    """Pitfall A05: one retry, then an error; and the next run does not begin there."""
    if first:
        server.plays(Reply(listing([paper(7, "2031-05-01")], "A")))
    server.always = Reply(listing([paper(1), paper(2)], "A"))
    pages, error = run_to_error(http, ask_of(server))
    assert isinstance(error, ShortError)
    assert "goes round in circles" in str(error)
    assert len(server.requests) == (4 if first else 3)
    assert (cursor_of(pages[-1]).token, cursor_of(pages[-1]).complete) == ("", False)


def test_harvest_stops_when_tokens_lead_in_a_circle(http: Http, server: Server) -> None:
    a, b = Reply(listing([paper(1)], "B")), Reply(listing([paper(2)], "A"))
    server.plays(Reply(listing([paper(0)], "A")), *[a, b] * 20)
    with pytest.raises(ShortError, match="goes round in circles"):
        run(http, ask_of(server))
    assert len(server.requests) < 8


def test_harvest_goes_on_when_the_retry_of_a_token_brings_more(http: Http, server: Server) -> None:
    same = Reply(listing([paper(1)], "A"))
    server.plays(same, same, Reply(listing([paper(2)])))
    pages, _ = run(http, ask_of(server))
    assert papers_of(pages) == ["3105.00001", "3105.00002"]


# Answers that are wrong


def test_harvest_takes_a_page_whole_or_not_at_all(http: Http, server: Server) -> None:
    """Pitfall A13's trigger, in the three ways that a body can end too early."""
    whole = listing([paper(n) for n in range(9)], "A")
    part = whole[: len(whole) * 6 // 10]
    server.plays(
        Reply(part), Reply(whole, cut=len(part)), Reply(gzip.compress(whole)[:80], headers={"Content-Encoding": "gzip"}),
        Reply(whole), Reply(listing([paper(9)])),
    )  # fmt: skip
    pages, _ = run(http, ask_of(server))
    assert (papers_of(pages), len(pages)) == ([f"3105.{n:05}" for n in range(10)], 2)
    assert len({request.path for request in server.requests[:4]}) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        MAINTENANCE, Reply(b""), Reply(b"<OAI-PMH/>"), Reply(envelope(date(2031, 5, 9), "<Identify/>")),
        Reply(b'<rss version="2.0"><channel/></rss>'), Reply(b"<?xml version='1.0'?><oops/>"),
    ],
)  # fmt: skip
def test_harvest_tries_again_when_the_answer_is_no_list(http: Http, server: Server, wrong: Reply) -> None:
    """Pitfall A14."""
    server.plays(wrong, wrong, Reply(listing([paper(1)])))
    assert papers_of(run(http, ask_of(server))[0]) == ["3105.00001"]


def test_harvest_fails_with_its_cursor_unmoved_when_arxiv_is_down(http: Http, server: Server) -> None:
    """Pitfall A14's trigger."""
    server.plays(Reply(listing([paper(1)], "A")))
    server.always = MAINTENANCE
    pages, error = run_to_error(http, ask_of(server))
    assert isinstance(error, FetchError)
    assert "no answer of arXiv's" in str(error)
    assert len(server.requests) == 5
    server.always = None
    server.plays(Reply(listing([paper(2)])))
    after, _ = run(http, ask_of(server, cursor=pages[-1].cursor))
    assert (len(pages), papers_of(after)) == (1, ["3105.00002"])


def test_harvest_says_what_arxiv_refuses(http: Http, server: Server) -> None:
    server.plays(Reply(oai_error(date(2031, 5, 9), "badArgument", "Set does not exist")))
    with pytest.raises(FormatError, match=r"refuses to list cs\.LG: badArgument\. Set does not exist.*set cs:cs:LG"):
        run(http, ask_of(server))
    assert len(server.requests) == 1


def test_harvest_passes_on_what_the_fetcher_says(http: Http, server: Server) -> None:
    server.plays(Reply(status=429, headers={"Retry-After": "9999"}))
    with pytest.raises(RateLimitedError):
        run(http, ask_of(server))


class ListFetcher:
    """Answers for a list that is in the order of its days, and refuses the n-th requests (from 1) by their tokens."""

    def __init__(self, days: list[int], size: int, refused: set[int]) -> None:
        self.papers = [paper(n, f"2031-05-{day:02}") for n, day in enumerate(sorted(days))]
        self.size, self.refused, self.n_asked = size, refused, 0

    def get(self, url: str, *, rate: float, expect: Callable[[bytes], bool], **_: object) -> Answer:
        arguments = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        self.n_asked += 1
        start, _, skip = arguments.get("resumptionToken", f"{arguments.get('from', '')}|0").partition("|")
        found = [one for one in self.papers if str(one.announced) >= start][int(skip) :]
        token = f"{start}|{int(skip) + self.size}" if len(found) > self.size else ""
        content = listing(found[: self.size], token, today="2031-06-01")
        if "resumptionToken" in arguments and self.n_asked in self.refused:
            content = oai_error(date(2031, 6, 1), "badResumptionToken")
        assert expect(content)
        assert rate == 3
        return Answer(200, url, {}, content, final_url=url)

    def post(self, url: str, body: object, **_: object) -> Answer:
        raise AssertionError("arXiv is never asked by POST")


@given(
    days=st.lists(st.integers(1, 28), min_size=1, max_size=20),
    size=st.integers(1, 6),
    refused=st.sets(st.integers(2, 12), max_size=3),
    kill=st.integers(1, 9),
)
def test_harvest_is_whole_whichever_tokens_are_refused_and_wherever_it_is_killed(
    days: list[int], size: int, refused: set[int], kill: int
) -> None:
    fetcher = ListFetcher(days, size, refused)
    came: set[str] = set()
    cursor, is_complete = "", False
    while not is_complete:
        pages = (
            found
            for found in SOURCE.harvest(Ask("cs.LG", {"oai": "https://arxiv.example"}, cursor), fetcher)
            if isinstance(found, Page)
        )
        for page in islice(pages, kill):
            came |= set(papers_of([page]))
            cursor, is_complete = page.cursor, cursor_of(page).complete
    assert came == {one.id for one in fetcher.papers}
    assert cursor_of(page).start == "2031-06-01"


# Cursors


DAYS = st.dates(date(2000, 1, 1), date(2099, 12, 31)).map(str) | st.just("")


@given(
    st.builds(
        ListCursor, st.text(), st.text(), st.text(), DAYS, DAYS, st.text(), st.text(), DAYS, DAYS, DAYS, st.booleans(), st.booleans(),
    )
)  # fmt: skip
def test_cursor_is_the_same_after_it_was_stored(cursor: ListCursor) -> None:
    assert ListCursor.read(str(cursor)) == cursor


@given(
    st.text()
    | st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from(["base", "set", "prefix", "from", "newest", "token", "complete"]), inner)
        ),
    ).map(json.dumps)
)
def test_cursor_is_read_or_not_but_never_raises(text: str) -> None:
    found = ListCursor.read(text)
    assert found is None or ListCursor.read(str(found)) == found


# Changes


def test_changes_tell_what_was_new_revised_edited_and_deleted(http: Http, arxiv: WorldServer) -> None:
    """Pitfalls A07 and A08: a datestamp of today does not make a paper new."""
    world = arxiv.world
    for metadata in ("arXivRaw", "arXiv"):
        pages, _ = run(http, Ask("cs.LG", arxiv.addresses, options={"metadata": metadata}))
        changes = {change.identifier.value: change for page in pages for change in changes_of(page)}
        assert len(changes) == 100
        for one in (one for one in world.papers if one.is_in("cs:cs:LG")):
            change = changes[one.id]
            assert change.day == str(one.stamp(world.today))
            assert change.is_deleted == one.is_deleted(world.today)
            if not change.is_deleted:
                assert (change.created, change.is_revised) == (str(one.submitted), one.n_versions(world.today) > 1)
                assert change.updated == (str(one.latest(world.today)) if change.is_revised else None)
                assert change.categories == one.categories
        assert "1999-01-10" in {change.created for change in changes.values() if change.day > "2031-05-05"}


@pytest.mark.parametrize(
    ("name", "created", "expected"),
    [
        ("3105.00001", "2031-05-30", ("2031-05-30", None)), ("3105.00001", "2031-06-01", (None, "2031-06-01")),
        ("hep-th/9912001", "1999-12-31", ("1999-12-31", None)), ("hep-th/9912001", "2000-01-01", (None, "2000-01-01")),
        ("math/0702001", "2007-02-01", ("2007-02-01", None)), ("math/0702001", "2011-02-01", (None, "2011-02-01")),
    ],
)  # fmt: skip
def test_changes_take_no_later_versions_date_for_the_first_ones(
    name: str, created: str, expected: tuple[str | None, str | None]
) -> None:
    """Since 2025 `created` in the format `arXiv` is the date of the current version."""
    one = paper(1)
    body = (
        record(one, one.announced, "arXiv")
        .replace("3105.00001", name)
        .replace("<created>2031-05-02", f"<created>{created}")
    )
    (change,) = changes_of(Page(envelope(one.announced, f"<ListRecords>{body}</ListRecords>"), "oai.xml"))
    assert (change.created, change.updated, change.is_revised) == (*expected, expected[1] is not None)


def test_changes_take_the_dates_of_the_first_and_the_latest_version() -> None:
    one = paper(1)
    versions = "".join(
        f'<version version="{name}"><date>{day} May 2031 12:00:00 GMT</date></version>'
        for name, day in (("v2", "Tue, 06"), ("v10", "Thu, 15"), ("v1", "Fri, 02"), ("x", "Fri, 30"))
    )
    start, _, rest = record(one, one.announced, "arXivRaw").partition("<version")
    body = f"{start}{versions}{rest.partition('</version>')[2]}"
    (change,) = changes_of(Page(envelope(one.announced, f"<ListRecords>{body}</ListRecords>"), "oai.xml"))
    assert (change.created, change.updated, change.is_revised) == ("2031-05-02", "2031-05-15", True)


def test_changes_leave_out_what_has_no_id_and_stand_what_has_no_metadata() -> None:
    header = "<header><identifier>{}</identifier><datestamp>2031-05-02</datestamp></header>"
    records = "".join(
        f"<record>{header.format(name)}</record>" for name in ("oai:arXiv.org:2101.00010", "oai:other:17")
    )
    (change,) = changes_of(Page(envelope(FIRST_DAY, f"<ListRecords>{records}<record/></ListRecords>"), "oai.xml"))
    assert (change.identifier.value, change.day, change.created) == ("2101.00010", "2031-05-02", None)
    assert changes_of(Page(oai_error(FIRST_DAY, "noRecordsMatch"), "oai.xml")) == []


# Feeds


def test_feed_brings_what_was_announced_in_a_category(http: Http, arxiv: WorldServer) -> None:
    world = arxiv.world
    kinds = set()
    for day in world.announcement_days():
        world.today = day
        page = SOURCE.fetch_feed("cs.LG", Ask("cs.LG", arxiv.addresses), http)
        found = announcements(page)
        expected = {(one.id, kind) for kind, one in world.announced("cs.LG", world.today)}
        assert {(one.identifier.value, one.kind) for one in found} == expected
        assert (feed_status(page).state, feed_status(page).day) == ("announced", str(world.today))
        assert len(list(SOURCE.parse(page))) == len(found)
        kinds |= {one.kind for one in found}
    assert kinds == {"new", "cross", "replace", "replace-cross"}


def test_feeds_of_a_day_name_a_paper_once_when_it_is_in_several(http: Http, arxiv: WorldServer) -> None:
    """Pitfall G01: new in one category, a cross-list in another, a replacement on the next day."""
    ask = Ask("cs.LG", arxiv.addresses)
    arxiv.world.today = date(2031, 5, 13)
    today = one_a_paper(
        [one for name in ("stat.ML", "cs.LG") for one in announcements(SOURCE.fetch_feed(name, ask, http))]
    )
    named = [one.identifier for one in today]
    assert len(named) == len(set(named))
    assert {one.kind for one in today if one.categories == ("cs.LG", "stat.ML")} <= {"new", "replace"}


def test_feed_is_asked_for_only_if_it_changed(http: Http, server: Server) -> None:
    body = feed_page(World(50), "cs.LG")
    server.plays(Reply(body, headers={"ETag": '"17"'}), Reply(status=304), MAINTENANCE, Reply(body))
    pages = [SOURCE.fetch_feed("cs.LG", ask_of(server), http) for _ in range(3)]
    assert server.requests[1].headers["if-none-match"] == '"17"'
    assert [page.content for page in pages] == [body] * 3
    assert server.requests[0].path == "/atom/cs.LG"


def test_feed_of_yesterday_is_told_from_that_of_today(http: Http, arxiv: WorldServer) -> None:
    """Pitfall A11's trigger."""
    arxiv.world.today = date(2031, 5, 14)
    arxiv.stale.add("cs.LG")
    status = feed_status(SOURCE.fetch_feed("cs.LG", Ask("cs.LG", arxiv.addresses), http))
    assert (status.state, status.built_on, status.day) == ("stale", "2031-05-14", "2031-05-13")


def test_feed_of_a_weekend_is_empty_and_no_fault(http: Http, server: Server) -> None:
    """Pitfall A12's trigger."""
    server.plays(Reply(EMPTY_RSS))
    page = SOURCE.fetch_feed("cs.LG", ask_of(server), http)
    assert (feed_status(page).state, list(SOURCE.parse(page))) == ("empty", [])


def test_feed_refuses_what_is_no_feed(http: Http, server: Server) -> None:
    """Pitfall A14: neither a page about maintenance nor another service's feed is an empty day."""
    server.always = Reply(listing([paper(1)]))
    with pytest.raises(FetchError, match="is OAI-PMH, not an announcement feed"):
        SOURCE.fetch_feed("cs.LG", ask_of(server), http)


def test_paper_of_thursday_is_in_mondays_feed(http: Http, arxiv: WorldServer) -> None:
    """Pitfall G05: what counts is the day of the announcement."""
    arxiv.world.today = date(2031, 5, 12)
    page = SOURCE.fetch_feed("cs.LG", Ask("cs.LG", arxiv.addresses), http)
    new = {one.identifier.value for one in announcements(page) if one.kind == "new"}
    submitted = {one.submitted for one in arxiv.world.papers if one.id in new}
    assert submitted == {date(2031, 5, 9)}
    assert {one.day for one in announcements(page)} == {"2031-05-12"}


# The made-up arXiv by itself


def test_world_runs_as_a_process_of_its_own() -> None:
    command = [sys.executable, "-m", "tests.sources.oai_world", "--port", "0", "--records", "30", "--page", "7"]
    root = Path(__file__).resolve().parents[2]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root) as process:
        try:
            assert process.stdout is not None
            address = process.stdout.readline().strip()
            asked = f"{address}/oai?verb=ListRecords&metadataPrefix=arXivRaw&set=cs:cs:LG"
            with urllib.request.urlopen(asked) as answer:
                page = Page(answer.read(), "oai.xml")
            with urllib.request.urlopen(f"{address}/counts") as answer:
                counts = json.load(answer)
        finally:
            process.kill()
    assert len(papers_of([page])) == 7
    assert counts == {"oai": 1, "atom": 0, "api": 0, "most_a_token": 1}
