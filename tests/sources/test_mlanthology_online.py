"""Asking the ML Anthology: `octavo.sources.mlanthology_online`. The lists are made up; what it shares with other
folders of GitHub is tested with the ACL Anthology."""

from __future__ import annotations

import gzip
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import LimitError, UsageError
from octavo.records.paper import Record
from octavo.sources.http import FetchError, RateLimitedError, RefusedError
from octavo.sources.mlanthology import MLAnthologySource
from octavo.sources.online import OnlineSource, ShortError
from tests.sources.fetching import MAINTENANCE, Web, a_web, tree
from tests.sources.server import Reply

RAW = "/raw.githubusercontent.com/rbnyng/mlanthology/HEAD/data/papers"
LIST = "/api.github.com/repos/rbnyng/mlanthology/git/trees/HEAD:data/papers"
PLAIN = {"Content-Type": "application/octet-stream"}


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with a_web(tmp_path, monkeypatch) as web:
        yield web


def papers(venue: str, year: int, n_papers: int, abstract: str = "Tiles are laid.") -> bytes:
    listed = [
        {
            "bibtex_key": f"quill{year}{venue}-tile{number}",
            "title": f"Tile {number} of {venue}",
            "authors": [{"given": "Ada", "family": "Quill"}],
            "year": str(year),
            "venue": venue,
            "abstract": abstract,
        }
        for number in range(n_papers)
    ]
    return json.dumps({"venue": venue, "year": str(year), "papers": listed}).encode()


def packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


TILES = packed(papers("cotl", 2031, 3))
FILES = {
    "cotl-2030.json.gz": packed(papers("cotl", 2030, 2)),
    "cotl-2031.json.gz": TILES,
    "icml-2031.json.gz": packed(papers("icml", 2031, 1)),
    "icmlw-2031.json.gz": packed(papers("icmlw", 2031, 1)),
}


def site(files: dict[str, bytes]) -> dict[str, bytes | Reply | list[Reply]]:
    return {LIST: tree(files), **{f"{RAW}/{name}": Reply(content, headers=PLAIN) for name, content in files.items()}}


def test_the_source_can_be_asked() -> None:
    assert isinstance(MLAnthologySource(), OnlineSource)


# What can be asked for


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("all", "all"), (" All ", "all"), ("icml", "icml"), ("ICML", "icml"), ("icml-2031", "icml-2031"),
        ("ICML 2031", "icml-2031"), ("icml2031", "icml-2031"), ("icml/2031", "icml-2031"), ("L4DC-2031", "l4dc-2031"),
        ("l4dc", "l4dc"), ("icml-2031.json.gz", "icml-2031"),
        ("https://mlanthology.org/icml/", "icml"), ("https://mlanthology.org/icml/2031/", "icml-2031"),
        ("mlanthology.org/icml/2031/quill2031icml-tile", "icml-2031"), ("https://www.mlanthology.org/icml/2031?x=1#y", "icml-2031"),
    ],
)  # fmt: skip
def test_want_takes_every_spelling(text: str, expected: str) -> None:
    assert MLAnthologySource().want(text) == expected
    assert MLAnthologySource().want(expected) == expected


@pytest.mark.parametrize(
    "text",
    ["", "2031", "icml-31", "icml-20311", "../outside", "icml-2031/../x", "quill2031icml-tile", "https://papers.example/icml/",
     "icml-2031\x00", "https://[", "https://mlanthology.org/"],
)  # fmt: skip
def test_want_says_what_can_be_named_when_it_can_not_be_asked_for(text: str) -> None:
    """Pitfall F05 too: what is wanted becomes part of an address."""
    with pytest.raises(UsageError) as raised:
        MLAnthologySource().want(text)
    assert "icml-2025" in raised.value.hint


@given(st.text(max_size=40))
def test_want_has_one_form_whatever_it_is_given(text: str) -> None:
    try:
        form = MLAnthologySource().want(text)
    except UsageError:
        return
    assert MLAnthologySource().want(form) == form
    assert "/" not in form


# A list


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(Reply(TILES, headers=PLAIN), id="as it is"),
        pytest.param(Reply(TILES, headers=PLAIN, packed=True), id="packed once more on the way"),
        pytest.param(Reply(TILES, headers=PLAIN | {"Content-Encoding": "gzip"}), id="said to be packed on the way"),
    ],
)
def test_a_list_comes_in_one_request_however_it_is_packed(web: Web, reply: Reply) -> None:
    harvest = web.harvest(MLAnthologySource(), "cotl-2031", {f"{RAW}/cotl-2031.json.gz": reply})
    assert harvest.keys == ["quill2031cotl-tile0", "quill2031cotl-tile1", "quill2031cotl-tile2"]
    assert (len(harvest.asked), harvest.error) == (1, None)


def test_the_network_makes_what_the_file_makes(web: Web, tmp_path: Path) -> None:
    (tmp_path / "cotl-2031.json.gz").write_bytes(TILES)
    source = MLAnthologySource()
    of_file = [one for page in source.fetch(tmp_path / "cotl-2031.json.gz") for one in source.parse(page)]
    assert web.harvest(source, "cotl-2031", site(FILES)).found == of_file


def test_a_list_costs_nothing_more_when_it_has_not_changed(web: Web) -> None:
    first = Reply(TILES, headers=PLAIN | {"ETag": '"a1"'})
    with web.serving({f"{RAW}/cotl-2031.json.gz": [first, Reply(status=304)]}) as server:
        before = web.ask(MLAnthologySource(), server, "cotl-2031")
        again = web.ask(MLAnthologySource(), server, "cotl-2031", before.cursor)
    assert server.requests[1].headers["if-none-match"] == '"a1"'
    assert (len(before.keys), again.pages, again.error) == (3, [], None)


def test_a_list_begins_anew_when_it_was_left_in_its_middle(web: Web) -> None:
    long = packed(papers("cotl", 2031, 1500, abstract="Tiles are laid. " * 200))
    files = {f"{RAW}/cotl-2031.json.gz": Reply(long, headers=PLAIN)}
    whole = web.harvest(MLAnthologySource(), "cotl-2031", files)
    assert len(whole.pages) > 2
    for n_pages in range(1, len(whole.pages) + 1):
        killed = web.harvest(MLAnthologySource(), "cotl-2031", files, stop_after=n_pages)
        rest = web.harvest(MLAnthologySource(), "cotl-2031", files, killed.cursor)
        assert set(killed.keys) | set(rest.keys) == set(whole.keys)
        assert (rest.pages == []) == (n_pages == len(whole.pages))


@pytest.mark.parametrize(
    "awkward",
    [
        pytest.param(MAINTENANCE, id="A14 maintenance"),
        pytest.param(Reply(TILES[:-9], headers=PLAIN), id="A13 cut, and the length with it"),
        pytest.param(Reply(TILES, headers=PLAIN, cut=60), id="A13 cut on the way"),
        pytest.param(Reply(TILES, headers=PLAIN, length=-1, cut=60), id="A13 cut without a length"),
        pytest.param(Reply(TILES[:40] + b"\xff" * 40, headers=PLAIN), id="damaged"),
        pytest.param(Reply(gzip.decompress(TILES)[:-9], headers=PLAIN), id="cut JSON"),
        pytest.param(Reply(b"", headers=PLAIN), id="empty"),
        pytest.param(Reply(b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\n", headers=PLAIN), id="a pointer"),
        pytest.param(Reply(status=503, headers={"Retry-After": "7"}), id="A01 busy"),
    ],
)  # fmt: skip
def test_an_awkward_answer_is_asked_for_again(web: Web, awkward: Reply) -> None:
    """Pitfalls A01, A13, A14."""
    replies = [awkward, Reply(TILES, headers=PLAIN)]
    harvest = web.harvest(MLAnthologySource(), "cotl-2031", {f"{RAW}/cotl-2031.json.gz": replies})
    assert (len(harvest.keys), len(harvest.asked), harvest.error) == (3, 2, None)


@pytest.mark.parametrize("want", ["cotl-2031", "cotl"])
def test_a_bomb_in_a_list_is_stopped_while_it_unpacks(web: Web, want: str) -> None:
    """Pitfall F06: gzip of a gigabyte of blanks."""
    head = gzip.compress(b'{"papers": [', mtime=0)
    bomb = head + gzip.compress(b" " * 1_000_000, mtime=0) * 1000
    harvest = web.harvest(MLAnthologySource(), want, site({"cotl-2031.json.gz": bomb}))
    assert isinstance(harvest.error, LimitError)
    assert "cotl-2031" in harvest.error.message
    assert harvest.pages == []


def test_a_bomb_on_the_way_is_refused(web: Web) -> None:
    """Pitfall F06: the coding of the answer."""
    bomb = Reply(gzip.compress(bytes(64_000_000)), headers=PLAIN | {"Content-Encoding": "gzip"})
    harvest = web.harvest(MLAnthologySource(), "cotl-2031", {f"{RAW}/cotl-2031.json.gz": bomb})
    assert isinstance(harvest.error, RefusedError)


@pytest.mark.parametrize("location", ["http://169.254.169.254/", "http://localhost:1/", "file:///etc/hostname"])
def test_a_redirect_to_where_octavo_does_not_go_is_refused(web: Web, location: str) -> None:
    """Pitfall F04."""
    away = Reply(status=302, headers={"Location": location})
    harvest = web.harvest(MLAnthologySource(), "cotl-2031", {f"{RAW}/cotl-2031.json.gz": away})
    assert isinstance(harvest.error, RefusedError)


# What is not there


def test_a_list_that_is_not_there_is_told_with_what_is_near(web: Web) -> None:
    error = web.harvest(MLAnthologySource(), "cotl-2032", site(FILES)).error
    assert isinstance(error, FetchError)
    assert error.status == 404
    assert "cotl-2032" in error.message
    assert "cotl-2031" in error.hint


def test_a_list_that_is_not_there_is_told_when_the_names_can_not_be_had(web: Web) -> None:
    error = web.harvest(MLAnthologySource(), "cotl-2032", {LIST: Reply(status=403)}).error
    assert isinstance(error, FetchError)
    assert "cotl-2032" in error.message
    assert "mlanthology.org" in error.hint


def test_a_venue_that_is_not_there_is_told_with_what_is_near(web: Web) -> None:
    error = web.harvest(MLAnthologySource(), "cotll", site(FILES)).error
    assert isinstance(error, FetchError)
    assert "cotll" in error.message
    assert "It has cotl." in error.hint


# A venue, all


@pytest.mark.parametrize(
    ("want", "names"),
    [("cotl", ["cotl-2030", "cotl-2031"]), ("icml", ["icml-2031"]), ("all", [name[:-8] for name in FILES])],
)
def test_several_lists_come_by_their_names_and_one_request_each(web: Web, want: str, names: list[str]) -> None:
    harvest = web.harvest(MLAnthologySource(), want, site(FILES))
    assert harvest.asked == [LIST, *(f"{RAW}/{name}.json.gz" for name in names)]
    assert harvest.error is None


@pytest.mark.parametrize("want", ["cotl", "all"])
def test_several_lists_go_on_behind_the_one_that_was_committed_last(web: Web, want: str) -> None:
    """At every page boundary, killed: the rest comes, and nothing twice."""
    whole = web.harvest(MLAnthologySource(), want, site(FILES))
    for n_pages in range(1, len(whole.pages) + 1):
        killed = web.harvest(MLAnthologySource(), want, site(FILES), stop_after=n_pages)
        rest = web.harvest(MLAnthologySource(), want, site(FILES), killed.cursor)
        assert killed.keys + rest.keys == whole.keys
        assert len(rest.asked) == 1 + len(whole.pages) - n_pages


def test_all_asks_for_what_has_changed_only(web: Web) -> None:
    before = web.harvest(MLAnthologySource(), "all", site(FILES))
    same = web.harvest(MLAnthologySource(), "all", site(FILES), before.cursor)
    assert (same.asked, same.pages, same.error) == ([LIST], [], None)
    files = FILES | {
        "icml-2031.json.gz": packed(papers("icml", 2031, 2)),
        "icml-2032.json.gz": packed(papers("icml", 2032, 1)),
    }
    changed = web.harvest(MLAnthologySource(), "all", site(files), before.cursor)
    assert changed.asked == [LIST, f"{RAW}/icml-2031.json.gz", f"{RAW}/icml-2032.json.gz"]


def test_all_is_short_when_a_listed_file_is_not_there_yet(web: Web) -> None:
    listed = FILES | {"uai-2031.json.gz": b"not yet"}
    harvest = web.harvest(MLAnthologySource(), "all", site(FILES) | {LIST: tree(listed)})
    assert isinstance(harvest.error, ShortError)
    assert "uai-2031" in harvest.error.message
    assert len(harvest.keys) == 7


def test_all_keeps_what_came_when_github_wants_a_pause(web: Web) -> None:
    """Pitfall A01: what came stays, and the next run goes on there."""
    pause = site(FILES) | {f"{RAW}/icml-2031.json.gz": Reply(status=429, headers={"Retry-After": "1800"})}
    harvest = web.harvest(MLAnthologySource(), "all", pause)
    assert isinstance(harvest.error, RateLimitedError)
    assert len(harvest.keys) == 5
    web.clock.pass_by(1801)
    rest = web.harvest(MLAnthologySource(), "all", site(FILES), harvest.cursor)
    assert rest.asked == [LIST, f"{RAW}/icml-2031.json.gz", f"{RAW}/icmlw-2031.json.gz"]


# The real files


@pytest.mark.real
def test_a_real_list_comes_as_its_file_does(web: Web, shared: Path, tmp_path: Path) -> None:
    content = b""
    with tarfile.open(shared / "data/mlanthology/mlanthology-2026-03.tar") as archive:
        for member in archive:
            if member.name.endswith("colt-2024.json.gz") and (file := archive.extractfile(member)):
                content = file.read()
    (tmp_path / "colt-2024.json.gz").write_bytes(content)
    source = MLAnthologySource()
    of_file = [one for page in source.fetch(tmp_path / "colt-2024.json.gz") for one in source.parse(page)]
    assert web.harvest(source, "colt-2024", {f"{RAW}/colt-2024.json.gz": content}).found == of_file
    assert sum(isinstance(one, Record) for one in of_file) > 100
