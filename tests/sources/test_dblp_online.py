"""Asking DBLP: `octavo.sources.dblp_online`, against a server on loopback that plays its search API."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from octavo.errors import SourceError, UsageError
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.dblp import DBLPSource
from octavo.sources.http import FetchError, Http, RateLimitedError
from octavo.sources.online import Ask, Note, OnlineSource, ShortError
from tests.sources.server import FakeClock, Reply, Request, Server

SOURCE = DBLPSource()
EDITION = "conf/tile/tile2031"
TOC = "toc:db/conf/tile/tile2031.bht:"
PROOF = Reply(b"<!doctype html><html><title>Making sure you are not a bot!</title></html>")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(clock: FakeClock) -> Iterator[Server]:
    with Server(clock) as server:
        yield server


@pytest.fixture
def http(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Http]:
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    with Http("", tmp_path / "state", clock, allow_private=frozenset({"127.0.0.1"}), jitter=lambda: 1.0) as http:
        yield http


def hit(key: str) -> dict[str, Any]:
    info = {"authors": {"author": {"@pid": "90/12", "text": "Ann Bee"}}, "title": f"Tiles {key}.", "venue": "TILE"}
    info |= {"year": "2031", "type": "Conference and Workshop Papers", "key": f"conf/tile/{key}"}
    return {"@score": "1", "@id": key, "info": info}


def hits(*keys: str, total: int, first: int = 0) -> Reply:
    """An answer as the API has it: without `hit` where there is none."""
    found: dict[str, Any] = {
        "@total": str(total),
        "@computed": str(total),
        "@sent": str(len(keys)),
        "@first": str(first),
    }
    if keys:
        found["hit"] = [hit(key) for key in keys]
    result = {"query": "q", "status": {"@code": "200", "text": "OK"}, "completions": {"@total": "1"}, "hits": found}
    return Reply(json.dumps({"result": result}).encode(), headers={"Content-Type": "application/json"})


class Run:
    """What a harvest came to."""

    def __init__(self, http: Http, server: Server, *replies: Reply, want: str = EDITION, cursor: str = "") -> None:
        server.requests.clear()
        server._script.clear()
        server.plays(*replies)
        self.pages: list[Page] = []
        self.notes: list[str] = []
        self.asked_before: list[int] = []
        """How many requests had been sent when each page came."""
        self.error: SourceError | None = None
        ask = Ask(want, {"api": server.url("/api"), "dump": server.url("/xml")}, cursor)
        try:
            for found in SOURCE.harvest(ask, http):
                if isinstance(found, Note):
                    self.notes.append(found.text)
                else:
                    self.pages.append(found)
                    self.asked_before.append(len(server.requests))
        except SourceError as error:
            self.error = error
        self.requests: list[Request] = list(server.requests)
        self.left = len(server._script)

    @property
    def keys(self) -> list[str]:
        found = [one for page in self.pages for one in SOURCE.parse(page)]
        assert all(isinstance(one, Record) for one in found), found
        return [one.key.rpartition("/")[2] for one in found if isinstance(one, Record)]

    @property
    def cursor(self) -> str:
        return self.pages[-1].cursor if self.pages else ""

    @property
    def queries(self) -> list[dict[str, str]]:
        asked = (parse_qs(urlsplit(request.path).query) for request in self.requests)
        return [{name: values[0] for name, values in query.items()} for query in asked]

    @property
    def firsts(self) -> list[int]:
        return [int(query["f"]) for query in self.queries]


Start = Callable[..., Run]


@pytest.fixture
def run(http: Http, server: Server) -> Start:
    def run(*replies: Reply, **how: str) -> Run:
        return Run(http, server, *replies, **how)

    return run


# What can be asked for


def test_source_can_be_asked() -> None:
    assert isinstance(SOURCE, OnlineSource)
    assert set(SOURCE.addresses) == {"api", "dump"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("conf/icml/2031", "conf/icml/2031"), ("conf/acl/acl2031-1", "conf/acl/acl2031-1"),
        ("https://dblp.org/db/conf/icml/icml2031.html", "conf/icml/icml2031"),
        ("dblp.uni-trier.de/db/journals/jmlr/jmlr31.html#x", "journals/jmlr/jmlr31"),
        ("toc:db/conf/icml/icml2031.bht:", "conf/icml/icml2031"),
        ("stream:conf/icml", "stream:conf/icml"), ("stream:streams/conf/icml:", "stream:conf/icml"),
        ("conf/icml", "stream:conf/icml"), ("https://dblp.org/db/conf/icml/index.html", "stream:conf/icml"),
        ("https://dblp.org/db/conf/icml/", "stream:conf/icml"), ("https://dblp.org/streams/conf/icml", "stream:conf/icml"),
        (" query:  lay  tiles year:2031: ", "query:lay tiles year:2031:"), ("Query:tiles", "query:tiles"),
    ],
)  # fmt: skip
def test_want_has_one_form_for_what_a_reader_names(text: str, expected: str) -> None:
    assert SOURCE.want(text) == expected
    assert SOURCE.want(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", "icml 2031", "icml", "query:", "query:" + "x" * 600, "stream:", "stream:conf/icml/2031", "toc:conf/icml", "https://[",
        "https://example.org/db/conf/icml/icml2031.html", "conf/a/b/c/d/e", "conf//2031", "conf/icml/2031 x:",
    ],
)  # fmt: skip
def test_want_refuses_what_it_is_not_asked_for(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        SOURCE.want(text)
    assert "conf/icml/2025" in caught.value.hint


@pytest.mark.parametrize("text", ["dump", "https://dblp.org/xml/dblp.xml.gz"])
def test_want_says_how_the_dump_is_added(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        SOURCE.want(text)
    assert "https://dblp.org/xml/dblp.xml.gz" in caught.value.hint
    assert "octavo add dblp dblp.xml.gz" in caught.value.hint


# A list of hits


def test_list_is_read_to_its_end(run: Start) -> None:
    found = run(hits("a", "b", total=3), hits("c", total=3, first=2), hits(total=3, first=3))
    assert (found.error, found.keys, found.notes, found.left) == (None, ["a", "b", "c"], [], 0)
    asked = [{"q": TOC, "format": "json", "h": "1000", "f": str(first), "c": "0"} for first in (0, 2, 3)]
    assert found.queries == asked
    assert [page.total for page in found.pages] == [3, 3, None]
    starts = [request.at for request in found.requests]
    assert all(later - earlier >= 2 for earlier, later in pairwise(starts))  # DBLP: one or two seconds


@pytest.mark.parametrize(
    ("want", "query"),
    [("stream:conf/tile", "stream:conf/tile:"), ("query:lay & tiles", "lay & tiles"), ("journals/tile/tile3", "toc:db/journals/tile/tile3.bht:")],
)  # fmt: skip
def test_each_kind_is_asked_for_in_the_words_of_the_search(run: Start, want: str, query: str) -> None:
    found = run(hits("a", total=1), hits(total=1), want=want)
    assert {asked["q"] for asked in found.queries} == {query}
    assert found.keys == ["a"]


def test_edition_under_another_name_is_found_by_its_year(run: Start) -> None:
    """NeurIPS is filed as conf/nips/neurips2031."""
    found = run(hits(total=0), hits("a", total=1), hits(total=1), want="conf/nips/2031")
    assert [query["q"] for query in found.queries] == [
        "toc:db/conf/nips/nips2031.bht:",
        *["stream:conf/nips: year:2031:"] * 2,
    ]
    assert (found.error, found.keys, len(found.notes)) == (None, ["a"], 1)
    assert "has no table of contents db/conf/nips/nips2031" in found.notes[0]


def test_edition_with_a_table_of_contents_is_asked_for_once(run: Start) -> None:
    found = run(hits("a", total=1), hits(total=1), want="conf/tile/2031")
    assert (found.error, found.keys, found.notes) == (None, ["a"], [])
    assert len(found.requests) == 2


@pytest.mark.parametrize(
    ("want", "n_asked"), [(EDITION, 1), ("stream:conf/tile", 1), ("query:x", 1), ("conf/tile/2031", 2)]
)
def test_what_has_no_hits_is_complete_and_says_so(run: Start, want: str, n_asked: int) -> None:
    found = run(*[hits(total=0)] * n_asked, want=want)
    assert (found.error, found.keys, len(found.requests)) == (None, [], n_asked)
    assert found.notes[-1] == f"DBLP has nothing for {want}."


def test_next_run_begins_anew_when_all_came(run: Start) -> None:
    first = run(hits("a", total=1), hits(total=1))
    again = run(hits("a", "b", total=2), hits(total=2), cursor=first.cursor)
    assert (again.error, again.keys, again.firsts) == (None, ["a", "b"], [0, 2])


def test_what_is_better_taken_from_the_dump_is_told(run: Start) -> None:
    found = run(hits("a", total=700_000), *[hits(total=700_000)] * 5, want="stream:journals/corr")
    assert "has 700,000 hits" in found.notes[0]
    assert "/xml/dblp.xml.gz" in found.notes[0]


# Awkward answers


def test_a02_wrongly_empty_page_is_asked_for_again(run: Start) -> None:
    empty = hits(total=4, first=2)
    found = run(hits("a", "b", total=4), empty, empty, hits("c", "d", total=4), hits(total=4))
    assert (found.error, found.keys, found.firsts) == (None, ["a", "b", "c", "d"], [0, 2, 2, 2, 4])


def test_a02_list_that_stays_short_is_an_error_and_the_next_run_goes_on_there(run: Start) -> None:
    found = run(hits("a", "b", total=3), *[hits(total=3)] * 5)
    assert isinstance(found.error, ShortError)
    assert found.error.message == f"DBLP says that it has 3 hits for {EDITION}, and gave 2."
    assert found.keys == ["a", "b"]
    later = run(hits("c", total=3), hits(total=3), cursor=found.cursor)
    assert (later.error, later.keys, later.firsts, later.notes) == (None, ["c"], [2, 3], [])


def test_list_that_is_short_twice_is_asked_for_anew_after_that(run: Start) -> None:
    first = run(hits("b", total=2), *[hits(total=2)] * 5)
    second = run(*[hits(total=2)] * 5, cursor=first.cursor)
    assert isinstance(second.error, ShortError)
    assert set(second.firsts) == {1}
    third = run(hits("a", "b", total=2), hits(total=2), cursor=second.cursor)
    assert (third.error, third.keys) == (None, ["a", "b"])


def test_a03_next_answer_begins_behind_what_came(run: Start) -> None:
    found = run(hits("a", "b", "c", total=6), hits("d", total=6), hits("e", "f", total=6), hits(total=6))
    assert found.firsts == [0, 3, 4, 6]
    assert len(found.keys) == 6


@pytest.mark.parametrize("totals", [(5, 4, 5), (4, 9, 5), (1, 1, 5)])
def test_a04_end_is_an_answer_without_hits_whatever_the_totals(run: Start, totals: tuple[int, int, int]) -> None:
    first, second, third = totals
    found = run(hits("a", "b", total=first), hits("c", "d", total=second), hits("e", total=third), hits(total=third))
    assert (found.error, found.keys) == (None, ["a", "b", "c", "d", "e"])
    assert [page.total for page in found.pages[:-1]] == [first, second, third]  # who harvests tells of it
    assert found.notes == []


def test_a04_fewer_different_hits_than_said_are_told(run: Start) -> None:
    found = run(hits("a", "b", total=4), hits("b", "c", total=4), hits(total=4))
    assert (found.error, found.keys) == (None, ["a", "b", "c"])
    assert found.notes == [f"DBLP said that it has 4 hits for {EDITION}; 3 different ones came."]


def test_a05_server_that_gives_the_same_for_ever_is_left(run: Start) -> None:
    found = run(hits("a", "b", total=9), *[hits("a", "b", total=9)] * 5)
    assert isinstance(found.error, ShortError)
    assert (found.keys, found.left) == (["a", "b"], 0)
    past_the_end = run(hits("a", "b", total=2), hits("a", "b", total=2))
    assert (past_the_end.error, past_the_end.keys, past_the_end.left) == (None, ["a", "b"], 0)


def test_hit_that_is_no_list_is_one(run: Start) -> None:
    single = Reply(json.dumps({"result": {"hits": {"@total": "1", "hit": hit("a")}}}).encode())
    found = run(single, hits(total=1))
    assert (found.error, found.keys, found.firsts) == (None, ["a"], [0, 1])


@pytest.mark.parametrize(
    "awkward",
    [
        PROOF, Reply(b"<html><body>Down for maintenance</body></html>", headers={"Content-Type": "text/html"}), Reply(b""),
        Reply(b"{}"), Reply(b"[]"), Reply(b'{"result": {"status": {"@code": "500"}}}'), Reply(status=500),
        Reply(hits("a", total=1).body, length=900, cut=90), Reply(hits("a", total=1).body[:90]), Reply(b"[" * 100_000),
    ],
)  # fmt: skip
def test_a13_a14_answer_that_is_none_is_asked_for_again(run: Start, awkward: Reply) -> None:
    found = run(awkward, hits("a", total=1), awkward, hits(total=1))
    assert (found.error, found.keys, found.notes) == (None, ["a"], [])


def test_a14_page_for_browsers_that_stays_fails_and_leaves_the_cursor(run: Start) -> None:
    found = run(hits("a", total=2), *[PROOF] * 5)
    assert isinstance(found.error, FetchError)
    assert not isinstance(found.error, ShortError)
    assert "page for browsers" in found.error.message
    assert "octavo add dblp dblp.xml.gz" in found.error.hint
    assert found.keys == ["a"]
    later = run(hits("b", total=2), hits(total=2), cursor=found.cursor)
    assert (later.error, later.keys, later.firsts) == (None, ["b"], [1, 2])


def test_a14_page_for_browsers_at_once_gives_no_page(run: Start) -> None:
    found = run(*[PROOF] * 5, want="conf/tile/2031")
    assert isinstance(found.error, FetchError)
    assert found.pages == []


def test_a01_retry_after_is_waited_for(run: Start) -> None:
    found = run(hits("a", total=2), Reply(status=429, headers={"Retry-After": "41"}), hits("b", total=2), hits(total=2))
    assert (found.error, found.keys) == (None, ["a", "b"])
    starts = [request.at for request in found.requests]
    assert starts[2] - starts[1] >= 41


def test_a01_long_pause_ends_the_run_and_the_next_goes_on(run: Start, clock: FakeClock) -> None:
    found = run(hits("a", total=2), Reply(status=429, headers={"Retry-After": "900"}))
    assert isinstance(found.error, RateLimitedError)
    assert (found.keys, len(found.requests)) == (["a"], 2)
    clock.pass_by(900)
    later = run(hits("b", total=2), hits(total=2), cursor=found.cursor)
    assert (later.error, later.keys) == (None, ["b"])


# Going on


@pytest.mark.parametrize("want", [EDITION, "conf/tile/2031", "conf/nips/2031"])
def test_harvest_can_be_gone_on_with_behind_every_page(run: Start, want: str) -> None:
    replies = [hits("a", "b", total=5), hits("c", total=5), hits("d", "e", total=5), hits(total=5)]
    replies = [hits(total=0), *replies] if "nips" in want else replies
    whole = run(*replies, want=want)
    assert (whole.error, whole.left, len(whole.pages)) == (None, 0, 4)
    for number, page in enumerate(whole.pages[:-1]):
        rest = run(*replies[whole.asked_before[number] :], want=want, cursor=page.cursor)
        assert (rest.error, rest.left) == (None, 0)
        assert rest.pages == whole.pages[number + 1 :]


@pytest.mark.parametrize("cursor", ["x", "{}", "[]", "7", '{"query": 7}', '{"done": false}', "[" * 100_000])
def test_cursor_that_can_not_be_read_begins_anew_and_says_so(run: Start, cursor: str) -> None:
    found = run(hits("a", total=1), hits(total=1), cursor=cursor)
    assert (found.error, found.keys, found.firsts) == (None, ["a"], [0, 1])
    assert "can't be read" in found.notes[0]


MARK = {"query": "tiles", "first": 2, "came": 2, "total": 3, "is_short": False}
JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({})


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*MARK, "else"]), JSON, min_size=1))
def test_any_cursor_ends_in_answers_or_in_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    clock = FakeClock()
    folder = tmp_path_factory.getbasetemp() / "cursors"
    with Server(clock) as server, Http("", folder, clock, allow_private=frozenset({"127.0.0.1"})) as http:
        server.always = hits(total=0)
        found = Run(http, server, cursor=json.dumps(MARK | changes))
        assert found.error is None
        assert found.pages


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4), max_size=5), st.integers(0, 9))
def test_each_hit_comes_once_however_the_pages_are_cut(
    tmp_path_factory: pytest.TempPathFactory, listed: list[list[str]], total: int
) -> None:
    """Pages without anything new are a fault of the server, and left out here."""
    pages: list[list[str]] = []
    for page in listed:
        if set(page) - {key for one in pages for key in one}:
            pages.append(page)
    sent = sum(map(len, pages))
    clock = FakeClock()
    folder = tmp_path_factory.getbasetemp() / "pages"
    with Server(clock) as server, Http("", folder, clock, allow_private=frozenset({"127.0.0.1"})) as http:
        found = Run(http, server, *(hits(*page, total=total) for page in pages), hits(total=min(total, sent)))
        assert found.error is None
        assert found.keys == list(dict.fromkeys(key for page in pages for key in page))
        assert found.firsts == [sum(map(len, pages[:number])) for number in range(len(pages) + 1)]
