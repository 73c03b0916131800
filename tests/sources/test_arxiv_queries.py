"""Asking arXiv's query API, against scripted answers on loopback. Numbers such as A02 are those of the list of
pitfalls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, SourceError, UsageError
from octavo.records.paper import Record
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_cursor import QueryCursor
from octavo.sources.base import Page
from octavo.sources.http import FetchError, Http, Patience, RateLimitedError
from octavo.sources.online import Ask, Note, ShortError
from tests.sources.oai_world import World, WorldServer, api_entry, api_error, api_feed
from tests.sources.server import FakeClock, Reply, Server

SOURCE = ArxivSource()
LOOPBACK = frozenset({"127.0.0.1"})
QUERY = "query:cat:cs.LG AND ti:tile"


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def http(tmp_path: Path, clock: FakeClock) -> Iterator[Http]:
    with Http("", tmp_path, clock, allow_private=LOOPBACK, jitter=lambda: 1.0, patience=Patience(tries=4)) as http:
        yield http


@pytest.fixture
def server(clock: FakeClock) -> Iterator[Server]:
    with Server(clock) as server:
        yield server


def feed(first: int, n: int, total: int) -> Reply:
    """A page of `n` papers, numbered from `first` on."""
    return Reply(api_feed("".join(api_entry(f"2101.{number:05}") for number in range(first, first + n)), total))


def run(
    http: Http, server: Server, want: str, cursor: str = "", **options: str
) -> tuple[list[Page], list[str], SourceError | None]:
    """The pages, the notes and the error of a harvest."""
    ask = Ask(SOURCE.want(want), {"api": server.url("/api")}, cursor, options=options)
    pages: list[Page] = []
    notes: list[str] = []
    try:
        for found in SOURCE.harvest(ask, http):
            if isinstance(found, Note):
                notes.append(found.text)
            else:
                pages.append(found)
    except SourceError as error:
        return pages, notes, error
    return pages, notes, None


def ids_of(pages: list[Page]) -> list[str]:
    return [found.key for page in pages for found in SOURCE.parse(page) if isinstance(found, Record)]


def asked(server: Server, name: str) -> list[str]:
    """One argument of each request."""
    return [parse_qs(urlsplit(request.path).query).get(name, [""])[0] for request in server.requests]


def numbers(server: Server, name: str) -> list[int]:
    return [int(text) for text in asked(server, name)]


# Queries


def test_query_asks_again_for_a_page_that_came_empty(http: Http, server: Server) -> None:
    """Pitfall A02's trigger."""
    server.plays(feed(0, 100, 250), feed(0, 0, 250), feed(0, 0, 250), feed(100, 100, 250), feed(200, 50, 250))
    pages, notes, error = run(http, server, QUERY)
    assert len(set(ids_of(pages))) == 250
    assert numbers(server, "start") == [0, 100, 100, 100, 200]
    assert (notes, error) == ([], None)
    assert [page.total for page in pages] == [250, 250, 250]


def test_query_ends_short_when_a_page_stays_empty_and_goes_on_there(http: Http, server: Server) -> None:
    """Pitfall A02: it is not recorded as complete, and the offset is kept."""
    server.plays(feed(0, 100, 250), *[feed(0, 0, 250)] * 4)
    pages, _, error = run(http, server, QUERY)
    assert isinstance(error, ShortError)
    assert "250 papers for 'cat:cs.LG AND ti:tile', it says, and gives none from 100 on" in str(error)
    assert json.loads(pages[-1].cursor) == {
        "want": QUERY, "start": 100, "total": 250, "highest": 250, "complete": False,
    }  # fmt: skip
    server.requests.clear()
    server.plays(feed(100, 100, 250), feed(200, 50, 250))
    rest, _, error = run(http, server, QUERY, pages[-1].cursor)
    assert (len(set(ids_of(pages + rest))), numbers(server, "start"), error) == (250, [100, 200], None)


def test_query_goes_on_behind_the_entries_that_came(http: Http, server: Server) -> None:
    """Pitfall A03's trigger."""
    server.plays(feed(0, 500, 1200), feed(500, 200, 1200), feed(700, 500, 1200), feed(0, 0, 1200))
    pages, _, error = run(http, server, QUERY, page="500")
    assert len(set(ids_of(pages))) == 1200
    assert numbers(server, "start")[:3] == [0, 500, 700]
    assert numbers(server, "max_results") == [500] * 4
    assert (error, pages[-1].content.count(b"<entry>")) == (None, 0)


@pytest.mark.parametrize(
    ("totals", "sizes"),
    [((5, 4, 5), (2, 2, 1)), ((4, 5, 4), (2, 2, 1)), ((1, 5, 5), (2, 2, 1)), ((5, 3, 5), (3, 1, 1)), ((0, 0, 5), (2, 2, 1))],
)  # fmt: skip
def test_query_is_whole_and_warns_once_when_totals_differ(
    http: Http, server: Server, totals: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    """Pitfall A04's trigger, and others of its kind."""
    start = 0
    for total, n in zip(totals, sizes, strict=True):
        server.plays(feed(start, n, total))
        start += n
    server.plays(*[feed(0, 0, total) for total in totals[:1] * 3])
    pages, notes, error = run(http, server, QUERY, page=str(max(sizes)))
    assert (sorted(ids_of(pages)), error) == ([f"2101.{number:05}" for number in range(5)], None)
    assert len(notes) == 1
    assert "differs from call to call" in notes[0]


def test_query_is_complete_when_the_paper_that_was_counted_is_gone(http: Http, server: Server) -> None:
    """A total that falls while the pages are fetched: no error, but not before it was asked again."""
    server.plays(feed(0, 2, 3), feed(0, 0, 2), feed(0, 0, 2), feed(0, 0, 2))
    pages, notes, error = run(http, server, QUERY, page="2")
    assert (len(ids_of(pages)), len(notes), error, numbers(server, "start")) == (2, 1, None, [0, 2, 2, 2])
    assert json.loads(pages[-1].cursor)["complete"]


def test_query_finds_nothing_when_there_is_nothing_the_second_time_either(http: Http, server: Server) -> None:
    """Now and then the API says of a query for which there are papers that there are none."""
    server.plays(feed(0, 0, 0), feed(0, 0, 0))
    pages, _, error = run(http, server, QUERY)
    assert (ids_of(pages), len(pages), error) == ([], 1, None)
    server.plays(feed(0, 0, 0), feed(0, 3, 3))
    assert len(ids_of(run(http, server, QUERY)[0])) == 3


def test_query_is_encoded_once_and_asked_for_in_a_steady_order(http: Http, server: Server) -> None:
    """Pitfall A10's trigger."""
    server.plays(feed(0, 1, 1), feed(0, 1, 1))
    run(http, server, "query:cat:cs.LG AND submittedDate:[203101010000 TO 203101022359]")
    run(http, server, "query:cat:cs.LG+AND+submittedDate:%5B203101010000+TO+203101022359%5D")
    for request in server.requests:
        assert "search_query=cat%3Acs.LG+AND+submittedDate%3A%5B203101010000+TO+203101022359%5D" in request.path
        assert "%2B" not in request.path
    assert (asked(server, "sortBy")[0], asked(server, "sortOrder")[0]) == ("submittedDate", "ascending")


def test_query_refuses_more_than_arxiv_gives(http: Http, server: Server) -> None:
    server.plays(feed(0, 100, 48_211))
    pages, _, error = run(http, server, QUERY)
    assert isinstance(error, ShortError)
    assert "48,211 papers for 'cat:cs.LG AND ti:tile' and gives at most 30,000" in str(error)
    assert "submittedDate:[" in error.hint
    assert (pages, len(server.requests)) == ([], 1)


def test_query_asks_for_nothing_behind_the_last_entry_that_arxiv_gives(http: Http, server: Server) -> None:
    server.plays(feed(0, 50, 30_000))
    cursor = str(QueryCursor(QUERY, 29_950, 30_000, 30_000))
    pages, _, error = run(http, server, QUERY, cursor)
    assert numbers(server, "start") == [29_950]
    assert numbers(server, "max_results") == [50]
    assert (len(pages), isinstance(error, ShortError)) == (1, False)


def test_query_says_that_arxiv_refuses_it(http: Http, server: Server) -> None:
    server.plays(Reply(api_error("the query can't be read"), status=400))
    _, _, error = run(http, server, "query:ti:(tile")
    assert isinstance(error, FetchError)
    assert (error.status, "arXiv refuses 'ti:(tile'" in str(error), "Check brackets" in error.hint) == (400, True, True)
    server.plays(Reply(api_error("the query can't be read")))
    _, _, error = run(http, server, "query:ti:(tile")
    assert isinstance(error, FormatError)
    assert "arXiv refuses the query: the query can't be read" in str(error)
    assert len(server.requests) == 2


def test_query_tries_again_when_the_answer_is_no_feed(http: Http, server: Server) -> None:
    """Pitfalls A13 and A14."""
    whole = feed(0, 3, 3).body
    server.plays(
        Reply(b"<html><body>Down for maintenance</body></html>"), Reply(whole[: len(whole) * 6 // 10]), Reply(whole)
    )
    assert len(ids_of(run(http, server, QUERY)[0])) == 3


def test_query_passes_on_what_the_fetcher_says(http: Http, server: Server) -> None:
    server.plays(feed(0, 2, 9), Reply(status=503, headers={"Retry-After": "9999"}))
    pages, _, error = run(http, server, QUERY, page="2")
    assert isinstance(error, RateLimitedError)
    assert len(pages) == 1


@pytest.mark.parametrize("size", ["0", "2001", "-1", "x", "", "١"])
def test_query_refuses_a_page_that_arxiv_does_not_give(http: Http, server: Server, size: str) -> None:
    with pytest.raises(UsageError, match="page is from 1 to 2,000"):
        run(http, server, QUERY, page=size)


@given(
    n=st.integers(0, 12), size=st.integers(1, 5), wobbles=st.lists(st.integers(-2, 2), max_size=8),
    shorts=st.lists(st.integers(1, 5), max_size=8), kill=st.integers(1, 4),
)  # fmt: skip
def test_query_is_whole_and_ends_whatever_the_totals_and_pages(
    tmp_path_factory: pytest.TempPathFactory, n: int, size: int, wobbles: list[int], shorts: list[int], kill: int
) -> None:
    """Totals that are never too low for what came, and pages that are never empty before the end."""
    clock = FakeClock()
    came: list[str] = []
    cursor, is_complete = "", False
    folder = tmp_path_factory.getbasetemp() / "queries"
    with Server(clock) as server, Http("", folder, clock, allow_private=LOOPBACK) as http:
        for turn in range(60):
            start = len(came)
            total = max(n + (wobbles[turn] if turn < len(wobbles) and n else 0), min(n, start + size))
            most = min(size, n - start, shorts[turn] if turn < len(shorts) else size)
            server.always = feed(start, most, total)
            ask = Ask(QUERY, {"api": server.url("/api")}, cursor, options={"page": str(size)})
            pages = (found for found in SOURCE.harvest(ask, http) if isinstance(found, Page))
            try:
                page = next(pages)
            except ShortError:
                assert total > n
                continue
            came += ids_of([page])
            cursor, is_complete = page.cursor, json.loads(page.cursor)["complete"]
            if is_complete:
                break
    assert (sorted(came), is_complete) == ([f"2101.{number:05}" for number in range(n)], True)


# Papers


def test_papers_are_asked_for_a_hundred_at_a_time(http: Http, server: Server) -> None:
    names = [f"2101.{number:05}" for number in range(230)]
    server.plays(feed(0, 100, 100), feed(100, 100, 100), feed(200, 30, 30))
    pages, notes, error = run(http, server, ",".join(names))
    assert (ids_of(pages), notes, error) == (names, [], None)
    assert numbers(server, "max_results") == [100, 100, 30]
    assert [name for text in asked(server, "id_list") for name in text.split(",")] == names
    server.plays(feed(100, 100, 100), feed(200, 30, 30))
    rest, _, _ = run(http, server, ",".join(names), pages[0].cursor)
    assert ids_of(rest) == names[100:]
    server.plays(feed(0, 100, 100), feed(100, 100, 100), feed(200, 30, 30))
    assert ids_of(run(http, server, ",".join(names), pages[-1].cursor)[0]) == names


@pytest.mark.parametrize(
    "spelling",
    [
        "math.GT/0309136", "math/0309136", "arXiv:math/0309136v2", "math%2F0309136", "https://arxiv.org/pdf/math/0309136v2.pdf",
        "oai:arXiv.org:math/0309136", "id:math/0309136",
    ],
)  # fmt: skip
def test_old_style_papers_are_asked_for_in_any_spelling(http: Http, server: Server, spelling: str) -> None:
    """Pitfalls B01, B02 and B04: the version is left off, so that the latest comes."""
    server.plays(Reply(api_feed(api_entry("math/0309136", version=3), 1)))
    pages, notes, _ = run(http, server, spelling)
    assert (ids_of(pages), notes) == (["math/0309136"], [])
    assert server.requests[0].path == "/api?id_list=math/0309136&max_results=1"


def test_papers_that_arxiv_does_not_have_are_named(http: Http, server: Server) -> None:
    server.plays(feed(2, 1, 1), Reply(api_feed("", 0)))
    pages, notes, error = run(http, server, "2101.00001, 2101.00002, 2101.00003")
    assert (ids_of(pages), error) == (["2101.00002"], None)
    assert notes == ["arXiv has no paper 2101.00001, 2101.00003."]
    pages, notes, error = run(http, server, "9901.00001")
    assert (ids_of(pages), notes, error, len(pages)) == ([], ["arXiv has no paper 9901.00001."], None, 1)


def test_papers_are_asked_for_again_when_arxiv_counts_them_and_gives_none(http: Http, server: Server) -> None:
    server.plays(Reply(api_feed("", 1)), feed(1, 1, 1))
    assert ids_of(run(http, server, "2101.00001")[0]) == ["2101.00001"]


def test_papers_that_arxiv_refuses_are_told(http: Http, server: Server) -> None:
    server.plays(Reply(api_error("incorrect id format for 2101.00001"), status=400))
    _, _, error = run(http, server, "2101.00001, 2101.00002")
    assert isinstance(error, FetchError)
    assert "arXiv refuses 2101.00001 and 1 more: it answered 400" in str(error)


# The made-up arXiv


def test_query_and_papers_bring_all_of_the_made_up_arxiv(http: Http) -> None:
    with WorldServer(World(120)) as arxiv:
        ask = Ask("query:cat:cs.LG", arxiv.addresses, options={"page": "17"})
        pages = [found for found in SOURCE.harvest(ask, http) if isinstance(found, Page)]
        expected = {one.id for one in arxiv.world.papers if "cs.LG" in one.categories} & arxiv.world.ids()
        assert set(ids_of(pages)) == expected
        some = sorted(expected)[:9]
        (page,) = SOURCE.harvest(Ask(SOURCE.want(" ".join(some)), arxiv.addresses), http)
        assert isinstance(page, Page)
        assert sorted(ids_of([page])) == some


# What can be asked


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cs.LG", "cs.LG"), (" cs.lg ", "cs.LG"), ("CS", "cs"), ("hep-th", "hep-th"), ("Astro-Ph.ep", "astro-ph.EP"),
        ("math.NA", "math.NA"), ("cs.NA", "cs.NA"), ("cs:cs:LG", "cs.LG"), ("physics:astro-ph:EP", "astro-ph.EP"),
        ("physics:hep-lat", "hep-lat"), ("cond-mat.dis-nn", "cond-mat.dis-nn"), ("physics", "physics"),
        ("1706.03762", "id:1706.03762"), ("id:1706.03762v5", "id:1706.03762"),
        ("https://rss.arxiv.org/abs/2101.00010v2", "id:2101.00010"), ("ARXIV: 2101.00010v2", "id:2101.00010"),
        ("10.48550/ARXIV.2101.00010", "id:2101.00010"), ("hep-th/9901001v3; cs/0102001", "id:hep-th/9901001,cs/0102001"),
        ("1706.03762 1706.03762v2, arXiv:2101.00010", "id:1706.03762,2101.00010"),
        ("query: cat:cs.LG  AND ti:tile", "query:cat:cs.LG AND ti:tile"), ("QUERY:ti:a+AND+ti:b", "query:ti:a AND ti:b"),
        ("query:all:C++ AND ti:b", "query:all:C++ AND ti:b"),
    ],
)  # fmt: skip
def test_want_has_one_form_whatever_the_spelling(text: str, expected: str) -> None:
    """Pitfalls A09, B04 and B06."""
    assert SOURCE.want(text) == expected
    assert SOURCE.want(expected) == expected


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("cs.ML", "arXiv has no category cs.ML", "Did you mean stat.ML or "), ("hep-t", "no category hep-t", "mean hep-th or"),
        ("cmp-lg", "no category cmp-lg", "Did you mean cs.CL? "), ("stat.LG", "no category stat.LG", "cs.LG"),
        ("tiles", "no category tiles", "Name a category as cs.LG"), ("", "Nothing was named", "Name a category"),
        ("10.5555/tiles.1", "10.5555/tiles.1 is no paper of arXiv's: it is an identifier of the kind doi", "1706.03762"),
        ("2101.00010, x y", "'x' is nothing that arXiv", ""), ("2113.00010", "nothing that arXiv can be asked", ""),
        ("704.001", "nothing that arXiv can be asked", ""), ("id:", "nothing that arXiv can be asked", ""),
        ("query:", "is empty", "query:cat:cs.LG"), ("query:" + "x" * 1501, "1,501 characters", "several parts"),
        ("query:a\x1bb c", "can't be sent", ""), ("cat:cs.LG AND ti:x", "nothing that arXiv", "query:cat:cs.LG"),
        (",".join(f"2101.{number:05}" for number in range(10_001)), "10,001 papers are more", "Name fewer"),
    ],
)  # fmt: skip
def test_want_says_what_can_be_asked_instead(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        SOURCE.want(text)
    assert message in caught.value.message
    assert hint in caught.value.hint


@given(st.text(max_size=60))
def test_want_is_stable_or_refused_for_any_text(text: str) -> None:
    try:
        found = SOURCE.want(text)
    except UsageError:
        return
    assert SOURCE.want(found) == found


@given(
    st.text()
    | st.dictionaries(
        st.sampled_from(["want", "start", "total", "highest", "complete"]),
        st.integers() | st.text() | st.booleans() | st.none(),
    ).map(json.dumps)
)
def test_query_cursor_is_read_or_begins_anew(text: str) -> None:
    cursor = QueryCursor.read(text, QUERY)
    assert cursor.want == QUERY
    assert cursor.start >= 0
    assert not cursor.complete
    assert QueryCursor.read(str(cursor), QUERY) == cursor
    assert QueryCursor.read(str(cursor), "query:other") == QueryCursor("query:other")
