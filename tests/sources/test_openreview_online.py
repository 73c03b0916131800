"""Asking OpenReview: `octavo.sources.openreview_online`, against a server on loopback that plays its API."""

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
from octavo.sources.http import FetchError, Http, RateLimitedError
from octavo.sources.online import Ask, Note, OnlineSource, ShortError
from octavo.sources.openreview import OpenReviewSource
from tests.sources.server import FakeClock, Reply, Request, Server

SOURCE = OpenReviewSource()
VENUE = "TILE.cc/2031/Conference"
UNDER, REJECTED, WITHDRAWN, DESK = (
    f"{VENUE}/{end}Submission" for end in ("", "Rejected_", "Withdrawn_", "Desk_Rejected_")
)
BY_INVITATION = f"{VENUE}/-/Submission"
IN_ORDER = [UNDER, VENUE, REJECTED, WITHDRAWN, DESK]
"""The lists of a venue of the second version, as they are asked for."""
BROWSERS = Reply(b"<html><body>Down for maintenance</body></html>", headers={"Content-Type": "text/html"})


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


def said(value: object, **more: Any) -> Reply:
    return Reply(json.dumps(value).encode(), headers={"Content-Type": "application/json"}, **more)


def group(**changes: Any) -> Reply:
    names = {"submission": UNDER, "rejected": REJECTED, "withdrawn": WITHDRAWN, "desk_rejected": DESK}
    content = {f"{name}_venue_id": {"value": value} for name, value in names.items()}
    content["submission_id"] = {"value": BY_INVITATION}
    return said({"groups": [{"id": VENUE, "domain": VENUE, "content": content} | changes]})


OLD_GROUP = group(domain=None, content=None)
UNKNOWN = said({"name": "NotFoundError", "message": "Not found"}, status=404)


def note(key: str, venueid: str = VENUE, **more: Any) -> dict[str, Any]:
    content = {"title": f"Tiles {key}", "venueid": venueid, "venue": "TILE 2031 oral"}
    return {"id": key, "forum": key, "content": {name: {"value": value} for name, value in content.items()}} | more


def old_note(key: str, **more: Any) -> dict[str, Any]:
    invitation = more.pop("invitation", f"{VENUE}/-/Blind_Submission")
    return {"id": key, "forum": key, "invitation": invitation, "content": {"title": f"Tiles {key}"}} | more


def notes(*found: dict[str, Any] | str, count: int | None = None) -> Reply:
    listed = [note(one) if isinstance(one, str) else one for one in found]
    return said({"notes": listed} | ({} if count is None else {"count": count}))


NONE = notes(count=0)
END = notes()


class Run:
    """What a harvest of a venue or paper came to."""

    def __init__(self, http: Http, server: Server, *replies: Reply, want: str = VENUE, cursor: str = "") -> None:
        server.requests.clear()
        server._script.clear()
        server.plays(*replies)
        self.pages: list[Page] = []
        self.notes: list[str] = []
        self.asked_before: list[int] = []
        """How many requests had been sent when each page came."""
        self.error: SourceError | None = None
        ask = Ask(want, {"api": server.url("/v2"), "api1": server.url("/v1")}, cursor)
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
    def records(self) -> list[Record]:
        found = [one for page in self.pages for one in SOURCE.parse(page)]
        assert all(isinstance(one, Record) for one in found), found
        return [one for one in found if isinstance(one, Record)]

    @property
    def keys(self) -> list[str]:
        return [record.key for record in self.records]

    @property
    def cursor(self) -> str:
        return self.pages[-1].cursor if self.pages else ""

    @property
    def asked(self) -> list[tuple[str, str]]:
        """(what was asked for, behind which note) of each request about notes."""
        return [(name, query.get("after", "")) for name, query in self.queries]

    @property
    def queries(self) -> list[tuple[str, dict[str, str]]]:
        found = []
        for request in self.requests:
            query = {name: values[0] for name, values in parse_qs(urlsplit(request.path).query).items()}
            if "/notes?" in request.path:
                found.append((query.get("content.venueid") or query.get("invitation") or query["id"], query))
        return found


Start = Callable[..., Run]


@pytest.fixture
def run(http: Http, server: Server) -> Start:
    def run(*replies: Reply, **how: str) -> Run:
        return Run(http, server, *replies, **how)

    return run


# What can be asked for


def test_source_can_be_asked() -> None:
    assert isinstance(SOURCE, OnlineSource)
    assert set(SOURCE.addresses) == {"api", "api1"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ICLR.cc/2031/Conference", "ICLR.cc/2031/Conference"), (" ICLR.cc/2031/Conference/ ", "ICLR.cc/2031/Conference"),
        ("TMLR", "TMLR"), ("robot-learning.org/CoRL/2031/Conference", "robot-learning.org/CoRL/2031/Conference"),
        ("ICLR.cc/2031/Conference/-/Submission", "ICLR.cc/2031/Conference"),
        ("https://openreview.net/group?id=ICLR.cc/2031/Conference#tab-accept-oral", "ICLR.cc/2031/Conference"),
        ("openreview.net/group?id=ICLR.cc/2031/Conference&referrer=%5BHomepage%5D(%2F)", "ICLR.cc/2031/Conference"),
        ("https://openreview.net/submissions?venue=ICLR.cc%2F2031%2FConference", "ICLR.cc/2031/Conference"),
        ("forum:AbC12xYz90", "forum:AbC12xYz90"), ("openreview:AbC12xYz90", "forum:AbC12xYz90"),
        ("https://openreview.net/forum?id=AbC12xYz90&noteId=r1", "forum:AbC12xYz90"),
        ("openreview.net/pdf?id=AbC12xYz90", "forum:AbC12xYz90"),
    ],
)  # fmt: skip
def test_want_has_one_form_for_what_a_reader_names(text: str, expected: str) -> None:
    assert SOURCE.want(text) == expected
    assert SOURCE.want(expected) == expected


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "iclr 2031", "forum:", "forum:10.5555/a", "https://arxiv.org/abs/2101.00010", "https://openreview.net/",
        "https://openreview.net/group", "https://openreview.net/group?id=a%20b", "https://[", "https://openreview.net.evil.example/group?id=A.cc",
        "a/../b c", "A" + "/b" * 40,
    ],
)  # fmt: skip
def test_want_refuses_what_is_neither_venue_nor_paper(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        SOURCE.want(text)
    assert "ICLR.cc/2026/Conference" in caught.value.hint


# A venue of the second version


def test_d07_every_fate_is_asked_for_and_kept_as_such(run: Start) -> None:
    found = run(
        group(), notes(note("u", UNDER), count=1), END, notes("a", count=1), END, notes(note("r", REJECTED), count=1), END,
        notes(note("w", WITHDRAWN), count=1), END, notes(note("d", DESK), count=1), END,
    )  # fmt: skip
    assert found.error is None
    assert [(record.key, record.status) for record in found.records] == [
        ("u", "submitted"), ("a", "accepted"), ("r", "rejected"), ("w", "withdrawn"), ("d", "rejected"),
    ]  # fmt: skip
    assert [record.published_on is None for record in found.records] == [True, False, True, True, True]
    assert [record.award for record in found.records] == ["", "oral", "", "", ""]
    assert [name for name, _ in found.asked[::2]] == IN_ORDER
    assert found.notes == []
    assert found.left == 0


def test_lists_are_asked_for_in_a_stable_order_and_counted_once(run: Start) -> None:
    found = run(group(), NONE, notes("a", "b", count=3), notes("c"), END, NONE, NONE, NONE)
    queries = found.queries[1:4]
    assert [query.get("after") for _, query in queries] == [None, "b", "c"]
    assert [query.get("count") for _, query in queries] == ["true", None, None]
    assert {query["sort"] for _, query in queries} == {"id"}
    assert {query["limit"] for _, query in queries} == {"1000"}
    assert all("details" not in query for _, query in queries)
    assert found.keys == ["a", "b", "c"]


def test_decision_is_asked_for_where_no_venueid_tells(run: Start) -> None:
    decision = {"id": "z", "forum": "u", "replyto": "u", "invitations": [f"{VENUE}/Submission1/-/Decision"]}
    decision["content"] = {"decision": {"value": "Accept (Oral)"}}
    under = note("u", UNDER, details={"directReplies": [decision]})
    found = run(group(), notes(under, note("v", UNDER), count=2), END, NONE, NONE, NONE, NONE)
    assert [(record.status, record.award) for record in found.records] == [("accepted", "oral"), ("submitted", "")]
    assert found.queries[0][1]["details"] == "directReplies"
    assert int(found.queries[0][1]["limit"]) < 1000  # an answer with replies is many times longer


def test_venueids_are_those_that_the_venue_names(run: Start) -> None:
    named = {"submission_venue_id": {"value": f"{VENUE}/Entry"}, "rejected_venue_id": {"value": f"{VENUE}/No"}}
    found = run(group(content=named), NONE, NONE, NONE, NONE, NONE, NONE)
    assert [name for name, _ in found.asked] == [f"{VENUE}/Entry", VENUE, f"{VENUE}/No", WITHDRAWN, DESK, BY_INVITATION]


def test_journal_is_asked_for_by_its_invitation(run: Start) -> None:
    journal = {"id": "TMLR", "domain": "TMLR", "content": {"submission_id": {"value": "TMLR/-/Submission"}}}
    stages = ("TMLR", "TMLR/Rejected", "TMLR/Under_Review", "TMLR/Withdrawn_by_Authors", "TMLR/Retracted_Acceptance")
    listed = [note(f"n{number}", stage) for number, stage in enumerate(stages)]
    for one in listed:
        del one["content"]["venue"]
    found = run(said({"groups": [journal]}), notes(*listed, count=5), END, want="TMLR")
    assert [name for name, _ in found.asked] == ["TMLR/-/Submission"] * 2
    statuses = [record.status for record in found.records]
    assert statuses == ["accepted", "rejected", "submitted", "withdrawn", "retracted"]


def test_notes_without_a_venueid_are_found_by_their_invitation(run: Start) -> None:
    bare = {"id": "n", "forum": "n", "invitations": [BY_INVITATION], "content": {"title": {"value": "Tiles"}}}
    found = run(group(), NONE, NONE, NONE, NONE, NONE, notes(bare, count=1), END)
    assert [(record.key, record.status) for record in found.records] == [("n", "")]
    assert [name for name, _ in found.asked[-2:]] == [BY_INVITATION] * 2


def test_venue_that_shows_nothing_is_complete_and_says_so(run: Start) -> None:
    found = run(group(), NONE, NONE, NONE, NONE, NONE, NONE)
    assert found.error is None
    assert found.records == []
    assert found.notes == [f"OpenReview shows no submission to {VENUE} to the public."]


def test_next_run_begins_anew_when_all_came(run: Start) -> None:
    replies = (group(), NONE, notes("a", count=1), END, NONE, NONE, NONE)
    first = run(*replies)
    again = run(*replies, cursor=first.cursor)
    assert (again.error, again.keys, again.asked) == (None, ["a"], first.asked)


# A venue of the first version


def test_old_venue_is_asked_for_by_invitation_at_the_other_address(run: Start) -> None:
    reject = {"id": "z", "forum": "b", "invitation": f"{VENUE}/Paper1/-/Decision", "content": {"decision": "Reject"}}
    original = {"id": "o", "content": {"authors": ["Ann Bee"], "authorids": ["ann@bee.example"]}}
    blind = old_note("b", details={"directReplies": [reject], "original": original})
    gone = old_note("w", invitation=f"{VENUE}/-/Withdrawn_Submission")
    desk = old_note("d", invitation=f"{VENUE}/-/Desk_Rejected_Submission")
    found = run(OLD_GROUP, notes(blind, count=1), END, notes(gone, count=1), END, notes(desk, count=1), END)
    assert found.error is None
    assert [(record.key, record.status) for record in found.records] == [
        ("b", "rejected"),
        ("w", "withdrawn"),
        ("d", "rejected"),
    ]
    assert [person.name for person in found.records[0].authors] == ["Ann Bee"]
    assert "@" not in str(found.records)
    # The `Submission` of a blind paper is the same paper under another id.
    assert [name.rpartition("/")[2] for name, _ in found.asked[::2]] == [
        "Blind_Submission",
        "Withdrawn_Submission",
        "Desk_Rejected_Submission",
    ]
    assert [request.path.partition("?")[0] for request in found.requests] == ["/v2/groups", *["/v1/notes"] * 6]
    assert found.queries[0][1]["details"] == "directReplies,original"
    assert all("count" not in query for _, query in found.queries)


@pytest.mark.parametrize("earlier", [[NONE], [NONE, NONE]])
def test_old_venue_without_blind_submissions_is_asked_for_the_others(run: Start, earlier: list[Reply]) -> None:
    found = run(OLD_GROUP, *earlier, notes(old_note("s"), count=1), END, NONE, NONE)
    assert found.keys == ["s"]
    ends = [name.rpartition("/")[2] for name, _ in found.asked]
    assert ends[: len(earlier) + 1] == ["Blind_Submission", "Submission", "submission"][: len(earlier) + 1]
    assert ends[-2:] == ["Withdrawn_Submission", "Desk_Rejected_Submission"]
    assert found.error is None


def test_venue_that_only_the_first_version_knows_is_asked_for_there(run: Start) -> None:
    found = run(UNKNOWN, OLD_GROUP, notes(old_note("b"), count=1), END, NONE, NONE)
    assert (found.error, found.keys) == (None, ["b"])
    assert [request.path.partition("?")[0] for request in found.requests[:3]] == [
        "/v2/groups",
        "/v1/groups",
        "/v1/notes",
    ]


@pytest.mark.parametrize("unknown", [UNKNOWN, said({"name": "ValidationError"}, status=400), said({"groups": []})])
def test_venue_that_nobody_knows_is_an_error_that_says_how_to_name_one(run: Start, unknown: Reply) -> None:
    found = run(unknown, unknown)
    assert isinstance(found.error, FetchError)
    assert f"has no venue {VENUE}" in found.error.message
    assert "ICLR.cc/2026/Conference" in found.error.hint
    assert found.pages == []


# Awkward answers


def test_a02_wrongly_empty_page_is_asked_for_again(run: Start) -> None:
    found = run(group(), NONE, notes("a", "b", count=3), END, END, notes("c"), END, NONE, NONE, NONE)
    assert found.error is None
    assert found.keys == ["a", "b", "c"]
    assert found.asked[1:6] == [(VENUE, ""), (VENUE, "b"), (VENUE, "b"), (VENUE, "b"), (VENUE, "c")]


def test_a02_first_page_that_is_empty_against_its_count_is_asked_for_again(run: Start) -> None:
    found = run(group(), NONE, notes(count=1), notes("a", count=1), END, NONE, NONE, NONE)
    assert (found.error, found.keys, found.notes) == (None, ["a"], [])


def test_a02_list_that_stays_short_is_an_error_and_the_next_run_goes_on_there(run: Start) -> None:
    short = [notes("a", "b", count=3), *[END] * 5, notes("a", count=3)]
    found = run(group(), NONE, *short, NONE, notes(note("w", WITHDRAWN), count=1), END, NONE)
    assert isinstance(found.error, ShortError)
    assert found.error.message == f"OpenReview says that it has 3 notes of {VENUE} (accepted), and gave 2."
    assert found.keys == ["a", "b", "w"]  # the other lists are read all the same
    later = run(notes("c"), END, NONE, NONE, NONE, cursor=found.cursor)
    assert (later.error, later.keys, later.notes) == (None, ["c"], [])
    assert later.asked[0] == (VENUE, "b")


def test_list_that_is_short_twice_is_asked_for_anew_after_that(run: Start) -> None:
    """What is missing may lie before where the list ended."""
    first = run(group(), NONE, notes("b", count=2), *[END] * 5, notes("b", count=2), NONE, NONE, NONE)
    second = run(*[END] * 5, notes("b", count=2), NONE, NONE, NONE, cursor=first.cursor)
    assert isinstance(second.error, ShortError)
    third = run(group(), NONE, notes("a", "b", count=2), END, NONE, NONE, NONE, cursor=second.cursor)
    assert (third.error, third.keys) == (None, ["a", "b"])


def test_a03_page_of_fewer_than_asked_is_not_the_end(run: Start) -> None:
    found = run(group(), NONE, notes("a"), notes("b", "c"), notes("d"), END, NONE, NONE, NONE)
    assert found.keys == ["a", "b", "c", "d"]
    assert [after for name, after in found.asked if name == VENUE] == ["", "a", "c", "d"]


def test_a04_count_that_wobbles_is_told_when_all_came(run: Start) -> None:
    """Notes move from list to list while they are read."""
    found = run(group(), NONE, notes("a", "b", count=3), *[END] * 5, notes("a", count=2), NONE, NONE, NONE)
    assert (found.error, found.keys) == (None, ["a", "b"])
    assert found.notes == [f"OpenReview said that it has 3 notes of {VENUE} (accepted), then 2; 2 came."]


def test_a04_more_than_was_said_is_taken(run: Start) -> None:
    found = run(group(), NONE, notes("a", count=1), notes("b", "c"), END, NONE, NONE, NONE)
    assert (found.error, found.keys, found.notes) == (None, ["a", "b", "c"], [])


def test_a05_same_page_again_and_again_is_an_error(run: Start) -> None:
    found = run(group(), NONE, notes("a", "b", count=9), *[notes("a", "b")] * 5, NONE, NONE, NONE)
    assert isinstance(found.error, ShortError)
    assert "again and again" in found.error.message
    assert found.keys == ["a", "b"]


def test_note_that_comes_twice_is_taken_once(run: Start) -> None:
    found = run(group(), NONE, notes("a", "b", "b", count=4), notes("b", "c"), notes("c", "d"), END, NONE, NONE, NONE)
    assert (found.error, found.keys, found.notes) == (None, ["a", "b", "c", "d"], [])


@pytest.mark.parametrize(
    "awkward",
    [
        BROWSERS, Reply(status=503), Reply(b""), Reply(b"[]"), said({"notes": {}}), said({"notes": [{}]}), said({"notes": [7]}),
        Reply(notes("a", count=1).body, length=500, cut=60), Reply(notes("a", count=1).body, cut=60),
        Reply(notes("a", count=1).body[:60]), said({"name": "RateLimitError", "message": "Too many", "status": 429}),
        Reply(b"[" * 100_000),
    ],
)  # fmt: skip
def test_a13_a14_answer_that_is_none_is_asked_for_again(run: Start, awkward: Reply) -> None:
    found = run(group(), NONE, awkward, notes("a", count=1), awkward, END, NONE, NONE, NONE)
    assert (found.error, found.keys, found.notes) == (None, ["a"], [])


@pytest.mark.parametrize("at", [0, 1, 3])
def test_a14_maintenance_that_stays_fails_and_leaves_the_cursor(run: Start, at: int) -> None:
    good = [group(), NONE, notes("a", count=2), notes("b"), END, NONE, NONE, NONE]
    found = run(*good[:at], *[BROWSERS] * 5)
    assert isinstance(found.error, FetchError)
    assert not isinstance(found.error, ShortError)
    assert found.keys == (["a"] if at == 3 else [])
    later = run(*(good[at:] if at == 3 else good), cursor=found.cursor)
    assert (later.error, later.keys) == (None, ["b"] if at == 3 else ["a", "b"])


def test_a01_retry_after_is_waited_for(run: Start, server: Server) -> None:
    busy = Reply(status=429, headers={"Retry-After": "7"})
    found = run(group(), NONE, busy, notes("a", count=1), END, NONE, NONE, NONE)
    assert found.keys == ["a"]
    starts = [request.at for request in found.requests]
    assert starts[3] - starts[2] >= 7
    assert min(later - earlier for earlier, later in pairwise(starts)) >= 3


def test_a01_long_pause_ends_the_run_and_the_next_goes_on(run: Start, clock: FakeClock) -> None:
    busy = said({"name": "RateLimitError", "status": 429}, status=429)
    busy = Reply(busy.body, 429, {"Retry-After": "3600"})
    found = run(group(), NONE, notes("a", count=2), busy)
    assert isinstance(found.error, RateLimitedError)
    assert found.keys == ["a"]
    clock.pass_by(3600)
    later = run(notes("b"), END, NONE, NONE, NONE, cursor=found.cursor)
    assert (later.error, later.keys) == (None, ["b"])


def test_guest_who_is_kept_out_is_told_what_can_be_done(run: Start) -> None:
    refused = said({"name": "ChallengeRequiredError", "message": "Challenge", "status": 403}, status=403)
    found = run(group(), refused)
    assert isinstance(found.error, FetchError)
    assert (found.error.status, len(found.requests)) == (403, 2)  # it is not tried again
    assert f"does not show {VENUE}" in found.error.message
    assert "octavo add openreview FILE" in found.error.hint


# One paper


def test_one_paper_is_asked_for_with_its_decision(run: Start) -> None:
    found = run(notes("AbC12xYz90", count=1), want="forum:AbC12xYz90")
    assert (found.error, found.keys) == (None, ["AbC12xYz90"])
    assert found.queries[0][1] == {"id": "AbC12xYz90", "details": "directReplies"}
    assert len(found.requests) == 1


@pytest.mark.parametrize("first", [UNKNOWN, END])
def test_old_paper_is_asked_for_at_the_other_address(run: Start, first: Reply) -> None:
    found = run(first, notes(old_note("Old12345")), want="forum:Old12345")
    assert (found.error, found.keys) == (None, ["Old12345"])
    assert [request.path.partition("?")[0] for request in found.requests] == ["/v2/notes", "/v1/notes"]


@pytest.mark.parametrize("answer", [UNKNOWN, END])
def test_paper_that_nobody_knows_is_an_error(run: Start, answer: Reply) -> None:
    found = run(answer, answer, want="forum:Old12345")
    assert isinstance(found.error, FetchError)
    assert (found.error.status, found.pages) == (404, [])
    assert "Old12345" in found.error.message


# Going on


VENUES = {
    "second": (
        group(), notes(note("u", UNDER), count=1), END, notes("a", "b", count=3), notes("c"), END,
        notes(note("r", REJECTED), count=2), notes(note("s", REJECTED)), END, NONE, notes(note("d", DESK), count=1), END,
    ),
    "first": (
        OLD_GROUP, notes(old_note("a"), old_note("b"), count=3), notes(old_note("c")), END,
        notes(old_note("w", invitation=WITHDRAWN), count=1), END, NONE,
    ),
    "single-blind": (OLD_GROUP, NONE, notes(old_note("a"), count=2), notes(old_note("b")), END, NONE, NONE),
}  # fmt: skip


@pytest.mark.parametrize("name", VENUES)
def test_harvest_can_be_gone_on_with_behind_every_page(run: Start, name: str) -> None:
    replies = VENUES[name]
    whole = run(*replies)
    assert whole.error is None
    assert whole.left == 0
    assert len(set(whole.keys)) == len(whole.keys) > 1
    for number, page in enumerate(whole.pages[:-1]):
        rest = run(*replies[whole.asked_before[number] :], cursor=page.cursor)
        assert (rest.error, rest.left) == (None, 0)
        assert rest.pages == whole.pages[number + 1 :]


@pytest.mark.parametrize(
    "cursor",
    ["x", "{}", "[]", "7", "null", '{"lists": 7}', '{"lists": [{}], "api": "api"}', '{"done": false}', "[" * 100_000],
)
def test_cursor_that_can_not_be_read_begins_anew_and_says_so(run: Start, cursor: str) -> None:
    found = run(group(), NONE, notes("a", count=1), END, NONE, NONE, NONE, cursor=cursor)
    assert (found.error, found.keys) == (None, ["a"])
    assert "can't be read" in found.notes[0]


MARK = {"api": "api", "lists": [{"query": "invitation=A/-/Submission", "if_none": False}], "number": 0, "after": "a"}
MARK |= {"came": 1, "total": 2, "earlier": 0, "is_short": False}
JSON = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({}) | st.just([{}])


@settings(max_examples=40)
@given(st.dictionaries(st.sampled_from([*MARK, "else"]), JSON, min_size=1))
def test_any_cursor_ends_in_answers_or_in_an_error_of_ours(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any]
) -> None:
    clock = FakeClock()
    folder = tmp_path_factory.getbasetemp() / "cursors"
    with Server(clock) as server, Http("", folder, clock, allow_private=frozenset({"127.0.0.1"})) as http:
        server.always = said({"groups": [], "notes": []})
        found = Run(http, server, cursor=json.dumps(MARK | changes))
        assert found.error is None or isinstance(found.error, FetchError | ShortError)


@settings(max_examples=30)
@given(st.lists(st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=4), max_size=5))
def test_each_note_comes_once_however_the_pages_are_cut(
    tmp_path_factory: pytest.TempPathFactory, pages: list[list[str]]
) -> None:
    """Pages without anything new are a fault of the server, and left out here."""
    new: list[list[str]] = []
    for page in pages:
        if set(page) - {key for one in new for key in one}:
            new.append(page)
    clock = FakeClock()
    folder = tmp_path_factory.getbasetemp() / "pages"
    with Server(clock) as server, Http("", folder, clock, allow_private=frozenset({"127.0.0.1"})) as http:
        found = Run(
            http,
            server,
            group(),
            NONE,
            *(notes(*page) for page in new),
            END,
            NONE,
            NONE,
            NONE,
            *([] if new else [NONE]),
        )
        assert found.error is None
        assert found.keys == list(dict.fromkeys(key for page in new for key in page))
