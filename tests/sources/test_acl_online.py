"""Asking the ACL Anthology: `octavo.sources.acl_online`, and with it `octavo.sources.github`. The volumes are made
up."""

from __future__ import annotations

import gzip
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, UsageError
from octavo.records.paper import Record
from octavo.sources.acl import ACLSource
from octavo.sources.base import Fault
from octavo.sources.github import Had
from octavo.sources.http import FetchError, RateLimitedError, RefusedError
from octavo.sources.online import OnlineSource, ShortError
from tests.sources.fetching import MAINTENANCE, Web, a_web, blob, tree
from tests.sources.server import Reply

RAW = "/raw.githubusercontent.com/acl-org/acl-anthology/master/data/xml"
LIST = "/api.github.com/repos/acl-org/acl-anthology/git/trees/master:data/xml"


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with a_web(tmp_path, monkeypatch) as web:
        yield web


def collection(name: str, **volumes: int) -> bytes:
    """A collection with so many papers in each volume."""
    lines = ["<?xml version='1.0' encoding='UTF-8'?>", f'<collection id="{name}">']
    for volume, n_papers in volumes.items():
        volume = volume.strip("_")
        lines += [
            f'  <volume id="{volume}" ingest-date="2031-08-01" type="proceedings">', "    <meta>",
            f"      <booktitle>Proceedings of Made-up Talk ({volume})</booktitle>",
            "      <year>2031</year><volume>46</volume>", "      <venue>mut</venue>", "    </meta>",
            "    <frontmatter><bibkey>none</bibkey></frontmatter>",
        ]  # fmt: skip
        for number in range(1, n_papers + 1):
            lines += [f'    <paper id="{number}">', f"      <title>Talk {number} of {name} {volume}</title>",
                      "      <author><first>Ada</first><last>Quill</last></author>", "    </paper>"]  # fmt: skip
        lines.append("  </volume>")
    lines += [f'  <event id="{name}"><colocated><volume-id>2031.else-1</volume-id></colocated></event>']
    return "\n".join([*lines, "</collection>", ""]).encode()


MUT = collection("2031.mut", long=3, short=2)
OLD = collection("P81", _1=2, _2=1)
FILES = {"2031.mut.xml": MUT, "2031.out.xml": collection("2031.out", main=1), "P81.xml": OLD}


def site(files: dict[str, bytes], **more: bytes | Reply | list[Reply]) -> dict[str, bytes | Reply | list[Reply]]:
    return {LIST: tree(files), **{f"{RAW}/{name}": content for name, content in files.items()}, **more}


def test_the_source_can_be_asked() -> None:
    assert isinstance(ACLSource(), OnlineSource)


# What can be asked for


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all", "all"), (" ALL ", "all"),
        ("2031.mut", "2031.mut"), ("2031.MUT", "2031.mut"), ("2031.mut.xml", "2031.mut"), ("P18", "P18"), ("p18", "P18"),
        ("2031.mut-long", "2031.mut-long"), ("2031.mut-1", "2031.mut-1"), ("P18-1", "P18-1"), ("p18-1", "P18-1"),
        ("W18-05", "W18-05"), ("W18-5", "W18-05"), ("D19-50", "D19-50"), ("D19-05", "D19-5"),
        ("https://aclanthology.org/volumes/2031.mut-long/", "2031.mut-long"),
        ("aclanthology.org/volumes/P18-1/", "P18-1"),
        ("https://aclanthology.org/volumes/2031.mut-long.bib", "2031.mut-long"),
        ("https://www.aclweb.org/anthology/volumes/2031.mut-main/", "2031.mut-main"),
        ("https://aclanthology.org/events/mut-2031/", "2031.mut"), ("mut-2031", "2031.mut"),
        ("2031.one_two-final", "2031.one_two-final"),
    ],
)  # fmt: skip
def test_want_takes_every_spelling(text: str, expected: str) -> None:
    assert ACLSource().want(text) == expected
    assert ACLSource().want(expected) == expected


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("2031.mut-long.17", "2031.mut-long"), ("P18-1001", "P18-1"), ("W18-0501", "W18-05"),
        ("https://aclanthology.org/2031.mut-long.17/", "2031.mut-long"), ("https://aclanthology.org/P18-1001.pdf", "P18-1"),
        ("acl-2018", "P18"), ("", "2024.acl"), ("mut", "2024.acl"), ("../outside", "2024.acl"), ("2031.mut/../x", "2024.acl"),
        ("/etc/hostname", "2024.acl"), ("https://papers.example/volumes/2031.mut-long/", "2024.acl"),
        ("2031.mut-long\x00", "2024.acl"), ("https://[", "2024.acl"),
    ],
)  # fmt: skip
def test_want_says_what_can_be_named_when_it_can_not_be_asked_for(text: str, hint: str) -> None:
    """Pitfall F05 too: what is wanted becomes part of an address."""
    with pytest.raises(UsageError) as raised:
        ACLSource().want(text)
    assert hint in raised.value.hint


@given(st.text(max_size=40))
def test_want_has_one_form_whatever_it_is_given(text: str) -> None:
    try:
        form = ACLSource().want(text)
    except UsageError:
        return
    assert ACLSource().want(form) == form
    assert "/" not in form
    assert ".." not in form


# A collection, a volume


def test_a_collection_comes_in_one_request(web: Web) -> None:
    harvest = web.harvest(ACLSource(), "2031.mut", site(FILES))
    assert harvest.keys == [f"2031.mut-{name}" for name in ("long.1", "long.2", "long.3", "short.1", "short.2")]
    assert harvest.asked == [f"{RAW}/2031.mut.xml"]
    assert harvest.error is None


def test_a_volume_comes_alone_with_its_lines_where_they_were(web: Web) -> None:
    broken = MUT.replace(b"Talk 2 of 2031.mut short", b"<i>open")
    whole = web.harvest(ACLSource(), "2031.mut", site({"2031.mut.xml": broken}))
    short = web.harvest(ACLSource(), "2031.mut-short", site({"2031.mut.xml": broken}))
    long = web.harvest(ACLSource(), "2031.mut-long", site({"2031.mut.xml": broken}))
    assert (long.keys, short.keys) == (whole.keys[:3], whole.keys[3:])
    assert [one for one in short.found if isinstance(one, Fault)] == [
        one for one in whole.found if isinstance(one, Fault)
    ]
    assert long.found + short.found == whole.found


@pytest.mark.parametrize(("want", "expected"), [("P81-1", ["P81-1001", "P81-1002"]), ("P81-2", ["P81-2001"])])
def test_a_volume_of_an_old_collection_is_told_by_its_number(web: Web, want: str, expected: list[str]) -> None:
    assert web.harvest(ACLSource(), want, site(FILES)).keys == expected


def test_a_workshop_volume_is_told_however_many_digits_it_has(web: Web) -> None:
    files = {"W81.xml": collection("W81", _5=1, _15=1)}
    assert web.harvest(ACLSource(), "W81-05", site(files)).keys == ["W81-0501"]


def test_the_network_makes_what_the_file_makes(web: Web, tmp_path: Path) -> None:
    (tmp_path / "2031.mut.xml").write_bytes(MUT)
    source = ACLSource()
    of_file = [one for page in source.fetch(tmp_path / "2031.mut.xml") for one in source.parse(page)]
    assert web.harvest(source, "2031.mut", site(FILES)).found == of_file


def test_a_volume_that_is_not_there_is_told_with_those_that_are(web: Web) -> None:
    error = web.harvest(ACLSource(), "2031.mut-lung", site(FILES)).error
    assert isinstance(error, FetchError)
    assert "2031.mut" in error.message
    assert "lung" in error.message
    assert "long, short" in error.hint


def test_a_collection_that_is_not_there_is_told_with_what_is_near(web: Web) -> None:
    harvest = web.harvest(ACLSource(), "2031.mutt", site(FILES))
    assert isinstance(harvest.error, FetchError)
    assert harvest.error.status == 404
    assert "2031.mutt" in harvest.error.message
    assert "2031.mut" in harvest.error.hint
    assert harvest.pages == []


def test_a_collection_that_is_not_there_is_told_when_the_list_can_not_be_had(web: Web) -> None:
    error = web.harvest(ACLSource(), "2031.mutt", {LIST: Reply(status=404)}).error
    assert error is not None
    assert "2031.mutt" in error.message
    assert "aclanthology.org" in error.hint


def test_a_collection_costs_nothing_more_when_it_has_not_changed(web: Web) -> None:
    first = Reply(MUT, headers={"ETag": '"a1"'})
    with web.serving({f"{RAW}/2031.mut.xml": [first, Reply(status=304)]}) as server:
        before = web.ask(ACLSource(), server, "2031.mut")
        again = web.ask(ACLSource(), server, "2031.mut", before.cursor)
    assert server.requests[1].headers["if-none-match"] == '"a1"'
    assert len(before.keys) == 5
    assert (again.pages, again.error) == ([], None)


def test_a_collection_comes_again_when_it_has_changed(web: Web) -> None:
    before = web.harvest(ACLSource(), "2031.mut", site(FILES))
    files = {"2031.mut.xml": collection("2031.mut", long=4)}
    assert len(web.harvest(ACLSource(), "2031.mut", site(files), before.cursor).keys) == 4


# Awkward answers


@pytest.mark.parametrize(
    "awkward",
    [
        pytest.param(MAINTENANCE, id="A14 maintenance"),
        pytest.param(Reply(MUT[: len(MUT) * 6 // 10]), id="A13 cut, and the length with it"),
        pytest.param(Reply(MUT, cut=200), id="A13 cut on the way"),
        pytest.param(Reply(MUT, length=-1, cut=300), id="A13 cut without a length"),
        pytest.param(Reply(gzip.compress(MUT)[:-9], headers={"Content-Encoding": "gzip"}), id="cut gzip"),
        pytest.param(Reply(b""), id="empty"),
        pytest.param(Reply(b"<rss><channel/></rss>"), id="another root"),
        pytest.param(Reply(status=503, headers={"Retry-After": "7"}), id="A01 busy"),
    ],
)  # fmt: skip
def test_an_awkward_answer_is_asked_for_again(web: Web, awkward: Reply) -> None:
    """Pitfalls A01, A13, A14: a failed try, and not an empty or half a collection."""
    harvest = web.harvest(ACLSource(), "2031.mut", {f"{RAW}/2031.mut.xml": [awkward, Reply(MUT)]})
    assert (len(harvest.keys), len(harvest.asked), harvest.error) == (5, 2, None)


@pytest.mark.parametrize("awkward", [MAINTENANCE, Reply(MUT[:700])])
def test_nothing_is_taken_when_the_answer_stays_awkward(web: Web, awkward: Reply) -> None:
    harvest = web.harvest(ACLSource(), "2031.mut", {f"{RAW}/2031.mut.xml": awkward})
    assert isinstance(harvest.error, FetchError)
    assert harvest.pages == []


def test_an_entity_bomb_is_refused(web: Web) -> None:
    """Pitfall F07: a document's own entities are never expanded."""
    bomb = b'<!DOCTYPE c [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>' + MUT.replace(b"Talk 1", b"&b;")
    bomb = bomb.replace(b"<?xml version='1.0' encoding='UTF-8'?>\n", b"")
    error = web.harvest(ACLSource(), "2031.mut", {f"{RAW}/2031.mut.xml": bomb}).error
    assert isinstance(error, FetchError | FormatError)


@pytest.mark.parametrize(
    "bomb",
    [
        pytest.param(Reply(gzip.compress(bytes(64_000_000)), headers={"Content-Encoding": "gzip"}), id="F06 gzip"),
        pytest.param(Reply(b"", length=10**12), id="declared"),
    ],
)
def test_a_bomb_is_refused_without_being_unpacked(web: Web, bomb: Reply) -> None:
    """Pitfall F06."""
    harvest = web.harvest(ACLSource(), "2031.mut", {f"{RAW}/2031.mut.xml": bomb})
    assert isinstance(harvest.error, RefusedError)
    assert len(harvest.asked) == 1


@pytest.mark.parametrize(
    "location",
    ["http://169.254.169.254/", "http://10.0.0.7/2031.mut.xml", "file:///etc/hostname", "ftp://papers.example/x", "http:///x"],
)  # fmt: skip
def test_a_redirect_to_where_octavo_does_not_go_is_refused(web: Web, location: str) -> None:
    """Pitfall F04: each hop is checked."""
    away = Reply(status=302, headers={"Location": location})
    assert isinstance(web.harvest(ACLSource(), "2031.mut", {f"{RAW}/2031.mut.xml": away}).error, RefusedError)


def test_a_redirect_on_the_same_host_is_followed(web: Web) -> None:
    moved = {f"{RAW}/2031.mut.xml": Reply(status=301, headers={"Location": "/moved.xml"}), "/moved.xml": MUT}
    assert len(web.harvest(ACLSource(), "2031.mut", moved).keys) == 5


# Limits of GitHub


def limited(clock: float, seconds: int, status: int = 403) -> Reply:
    date = "Tue, 01 Jan 2030 00:00:00 GMT"
    headers = {"x-ratelimit-limit": "60", "x-ratelimit-remaining": "0", "Date": date}
    return Reply(
        b'{"message": "API rate limit exceeded"}', status, headers | {"x-ratelimit-reset": str(1893456000 + seconds)}
    )


@pytest.mark.parametrize("status", [403, 429])
def test_the_hour_of_github_is_kept_when_its_requests_are_used_up(web: Web, status: int) -> None:
    """Pitfall A01: GitHub says it with 403 and a header of its own, by the server's clock, not ours."""
    with web.serving(site(FILES) | {LIST: limited(0, 1800, status)}) as server:
        first = web.ask(ACLSource(), server, "all")
        second = web.ask(ACLSource(), server, "all")
    assert isinstance(first.error, RateLimitedError)
    assert first.error.retry_after == 1800
    assert "1,800 seconds" in first.error.hint
    assert isinstance(second.error, RateLimitedError)
    assert len(server.requests) == 1  # the pause is kept by later runs too


def test_github_is_waited_for_when_its_pause_is_short(web: Web) -> None:
    """A secondary limit says Retry-After, with 403."""
    busy = Reply(status=403, headers={"Retry-After": "60"})
    harvest = web.harvest(ACLSource(), "all", site(FILES) | {LIST: [busy, Reply(tree(FILES))]})
    assert len(harvest.keys) == 9
    assert sum(web.clock.slept) >= 60


@pytest.mark.parametrize(
    "headers",
    [{}, {"x-ratelimit-remaining": "59", "x-ratelimit-reset": "1893457000"},
     {"x-ratelimit-remaining": "0"}, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "soon"}],
)  # fmt: skip
def test_a_403_is_a_refusal_when_it_is_no_limit(web: Web, headers: dict[str, str]) -> None:
    harvest = web.harvest(ACLSource(), "all", {LIST: Reply(status=403, headers=headers)})
    assert isinstance(harvest.error, FetchError)
    assert not isinstance(harvest.error, RateLimitedError)
    assert len(harvest.asked) == 1


# All


def test_all_comes_by_one_list_and_one_request_a_file(web: Web) -> None:
    harvest = web.harvest(ACLSource(), "all", site(FILES))
    assert len(harvest.keys) == 9
    assert harvest.asked == [LIST, *(f"{RAW}/{name}" for name in FILES)]
    assert [page.done for page in harvest.pages] == sorted(page.done for page in harvest.pages)


def test_all_goes_on_behind_the_file_that_was_committed_last(web: Web) -> None:
    """At every page boundary, killed: the rest comes, and nothing twice."""
    whole = web.harvest(ACLSource(), "all", site(FILES))
    assert len(whole.pages) == 3
    for n_pages in range(1, len(whole.pages) + 1):
        killed = web.harvest(ACLSource(), "all", site(FILES), stop_after=n_pages)
        rest = web.harvest(ACLSource(), "all", site(FILES), killed.cursor)
        assert killed.keys + rest.keys == whole.keys
        assert len(rest.asked) == 1 + len(whole.pages) - n_pages


def test_all_begins_a_file_anew_when_it_was_left_in_its_middle(web: Web) -> None:
    long = collection("2031.big", main=1500).replace(b"Talk", b"Talk " + b"and talk " * 150)
    files = {"2031.big.xml": long, "2031.mut.xml": MUT}
    whole = web.harvest(ACLSource(), "all", site(files))
    assert len(whole.pages) > 2
    for n_pages in range(1, len(whole.pages) + 1):
        killed = web.harvest(ACLSource(), "all", site(files), stop_after=n_pages)
        rest = web.harvest(ACLSource(), "all", site(files), killed.cursor)
        assert set(killed.keys) | set(rest.keys) == set(whole.keys)
        assert (f"{RAW}/2031.big.xml" in rest.asked) == (n_pages < len(whole.pages) - 1)


def test_all_asks_for_what_has_changed_only(web: Web) -> None:
    before = web.harvest(ACLSource(), "all", site(FILES))
    same = web.harvest(ACLSource(), "all", site(FILES), before.cursor)
    assert (same.asked, same.pages, same.error) == ([LIST], [], None)
    files = FILES | {"2031.out.xml": collection("2031.out", main=2), "2032.new.xml": collection("2032.new", main=1)}
    changed = web.harvest(ACLSource(), "all", site(files), before.cursor)
    assert changed.asked == [LIST, f"{RAW}/2031.out.xml", f"{RAW}/2032.new.xml"]
    assert web.harvest(ACLSource(), "all", site(files), changed.cursor).pages == []


def test_all_takes_a_file_again_when_its_host_was_behind_the_list(web: Web) -> None:
    new = collection("2031.out", main=2)
    behind = site(FILES) | {LIST: tree(FILES | {"2031.out.xml": new})}
    first = web.harvest(ACLSource(), "all", behind)
    assert first.error is None
    assert "2031.out-main.2" not in first.keys
    second = web.harvest(ACLSource(), "all", site(FILES | {"2031.out.xml": new}), first.cursor)
    assert second.keys == ["2031.out-main.1", "2031.out-main.2"]


def test_all_is_short_when_a_listed_file_is_not_there_yet(web: Web) -> None:
    listed = FILES | {"2031.new.xml": collection("2031.new", main=1)}
    harvest = web.harvest(ACLSource(), "all", site(FILES) | {LIST: tree(listed)})
    assert isinstance(harvest.error, ShortError)
    assert "2031.new.xml" in harvest.error.message
    assert len(harvest.keys) == 9
    later = web.harvest(ACLSource(), "all", site(listed), harvest.cursor)
    assert later.keys == ["2031.new-main.1"]


def test_all_keeps_the_others_when_one_file_is_at_fault(web: Web) -> None:
    files = {"2031.bad.xml": b"<notes/>", **FILES}
    harvest = web.harvest(ACLSource(), "all", site(files))
    assert isinstance(harvest.error, FormatError)
    assert "2031.bad.xml" in harvest.error.message
    assert len(harvest.keys) == 9
    again = web.harvest(ACLSource(), "all", site(files), harvest.cursor)
    assert again.asked == [LIST, f"{RAW}/2031.bad.xml"]


def test_all_stops_and_keeps_what_came_when_the_host_breaks_down(web: Web) -> None:
    broken = site(FILES) | {f"{RAW}/2031.out.xml": Reply(status=503)}
    harvest = web.harvest(ACLSource(), "all", broken)
    assert isinstance(harvest.error, FetchError)
    assert len(harvest.keys) == 5
    rest = web.harvest(ACLSource(), "all", site(FILES), harvest.cursor)
    assert rest.asked == [LIST, f"{RAW}/2031.out.xml", f"{RAW}/P81.xml"]


@pytest.mark.parametrize(
    "awkward", [MAINTENANCE, Reply(tree(FILES)[:-40]), Reply(b'{"message": "Not what you want"}'), Reply(b"[1, 2]")]
)
def test_the_list_is_asked_for_again_when_it_is_none(web: Web, awkward: Reply) -> None:
    harvest = web.harvest(ACLSource(), "all", site(FILES) | {LIST: [awkward, Reply(tree(FILES))]})
    assert (len(harvest.keys), harvest.error) == (9, None)


def test_all_is_short_when_the_list_says_that_it_is(web: Web) -> None:
    harvest = web.harvest(ACLSource(), "all", site(FILES) | {LIST: tree(FILES, truncated=True)})
    assert isinstance(harvest.error, ShortError)
    assert harvest.pages == []


def test_all_passes_over_what_is_no_collection(web: Web) -> None:
    files = {"README.md": b"none", "schema.xml": b"<x/>", "2031.mut.xml": MUT}
    assert web.harvest(ACLSource(), "all", site(files)).asked == [LIST, f"{RAW}/2031.mut.xml"]


@given(st.lists(st.binary(max_size=8), unique=True), st.integers(min_value=0))
def test_a_cursor_says_what_was_had(contents: list[bytes], cut: int) -> None:
    versions = [blob(content) for content in contents]
    had = Had()
    for version in versions[: cut % (len(versions) + 1)]:
        had.add(version)
    read = Had(had.cursor, dict(zip(versions, versions, strict=True)))
    assert [version in read for version in versions] == [version in had for version in versions]
    assert read.cursor == had.cursor


# The real files


@pytest.mark.real
@pytest.mark.parametrize("name", ["P18", "2022.acl", "W19", "J80", "D19"])
def test_a_real_collection_comes_as_its_file_does(web: Web, shared: Path, tmp_path: Path, name: str) -> None:
    content = b""
    with tarfile.open(shared / "data/acl/acl-anthology-2022-05.tar.gz") as archive:
        for member in archive:
            if member.name.endswith(f"/{name}.xml") and (file := archive.extractfile(member)):
                content = file.read()
                break
    (tmp_path / f"{name}.xml").write_bytes(content)
    source = ACLSource()
    of_file = [one for page in source.fetch(tmp_path / f"{name}.xml") for one in source.parse(page)]
    whole = web.harvest(source, name, {f"{RAW}/{name}.xml": Reply(content, packed=True)})
    assert whole.found == of_file
    assert sum(isinstance(one, Record) for one in of_file) > 5
