"""Looking papers up, against a real server on loopback that answers as the services do, and as they should not."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.records.dates import PartialDate
from octavo.records.fold import title_key
from octavo.records.ids import Identifier, parse_identifier
from octavo.records.paper import Paper, PaperId, Record, Venue
from octavo.records.text import Text
from octavo.sources.base import Page
from octavo.sources.crossref import CrossrefSource
from octavo.sources.crossref_online import allowed
from octavo.sources.http import FetchError, Http, RateLimitedError
from octavo.sources.lookup import (
    LookUp,
    Missing,
    Wanted,
    agrees,
    asked_of,
    lacks,
    titles_agree,
    wanted_of,
)
from octavo.sources.lookup_service import MOST_REFUSALS
from octavo.sources.online import Note
from octavo.sources.openalex import OpenAlexSource
from octavo.sources.registry import get_source
from octavo.sources.semanticscholar import SemanticScholarSource
from tests.sources.server import FakeClock, Reply, Server
from tests.world import record

SICI = "10.5555/(SICI)1234-5678(203101)9:1+<1::AID-X2>3.0.CO;2-#"
"""Pitfall B05."""
HTML = Reply(b"<html>We are down for maintenance</html>", headers={"Content-Type": "text/html"})
Found = list[Page | Missing | Note]


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def server(clock: FakeClock) -> Iterator[Server]:
    with Server(clock) as server:
        yield server


@pytest.fixture
def http(tmp_path: Path, clock: FakeClock) -> Iterator[Http]:
    with Http(
        "ada@papers.example", tmp_path, clock, allow_private=frozenset({"127.0.0.1"}), jitter=lambda: 1.0
    ) as made:
        yield made


def answer(value: object, status: int = 200, **headers: str) -> Reply:
    headers = {"Content-Type": "application/json"} | {name.replace("_", "-"): text for name, text in headers.items()}
    return Reply(json.dumps(value).encode(), status, headers)


def wanted(
    *ids: str, title: str = "Fast Tiles", families: tuple[str, ...] = ("Bee",), year: int | None = 2031
) -> Wanted:
    names = tuple(parse_identifier(name)[0] for name in ids)
    return Wanted(PaperId(f"p{'+'.join(ids) or title}"), names, title, families, year)


def look(source: LookUp, papers: Sequence[Wanted], server: Server, http: Http, **options: str) -> Found:
    addresses = dict.fromkeys(source.addresses, server.url("/v1"))
    return list(source.look_up(papers, addresses, http, options))


def told(found: Found) -> dict[str, str]:
    """What was found, by the paper that it was asked for: the key of the record, or why there is none."""
    out: dict[str, str] = {}
    for one in found:
        if isinstance(one, Page):
            paper, _ = asked_of(one)
            source = next(source for source in SOURCES if one.place.startswith(source.info.title))
            (read,) = source.parse(one)
            assert isinstance(read, Record)
            assert paper not in out
            out[paper] = read.key
        elif isinstance(one, Missing):
            assert one.wanted.paper not in out
            out[one.wanted.paper] = one.reason
    return out


def queries(server: Server) -> list[dict[str, str]]:
    """The parameters of each request, as the service reads them."""
    return [{name: values[0] for name, values in parse_qs(urlsplit(one.path).query).items()} for one in server.requests]


def bodies(server: Server) -> list[list[str]]:
    return [json.loads(one.body)["ids"] for one in server.requests if one.body]


CROSSREF, OPENALEX, S2 = CrossrefSource(), OpenAlexSource(), SemanticScholarSource()
SOURCES = (CROSSREF, OPENALEX, S2)


# The contract


@pytest.mark.parametrize("name", ["crossref", "openalex", "semanticscholar"])
def test_source_can_be_asked_about_papers(name: str) -> None:
    source = get_source(name)
    assert isinstance(source, LookUp)
    assert all(address.startswith("https://") and not address.endswith("/") for address in source.addresses.values())


def test_source_of_files_only_cannot() -> None:
    assert not isinstance(get_source("bibtex"), LookUp)


def test_wanted_of_a_paper_is_what_services_know_it_by() -> None:
    paper = Paper(
        PaperId("p1"), "Fast Tiles", ("Ann Bee", "Ana de la Cruz", "小田 花子", "Plato"), year=2031,
        identifiers=tuple(
            Identifier(*name.split(":", 1))
            for name in ("arxiv:2101.00010", "openreview:AbC12xYz90", "acl:P18-1001", "doi:10.5555/a", "url:https://a.example")
        ),
    )  # fmt: skip
    found = wanted_of(paper)
    assert [str(name) for name in found.identifiers] == ["doi:10.5555/a", "arxiv:2101.00010", "acl:P18-1001"]
    assert found.families == ("Bee", "de la Cruz", "小田", "Plato")
    assert (found.paper, found.title, found.year) == ("p1", "Fast Tiles", 2031)


def test_paper_lacks_what_a_look_up_may_bring() -> None:
    whole = Paper(
        PaperId("p1"), "T", ("Ann Bee",), abstract="A.", citations=0, references=(Identifier("doi", "10.5555/a"),)
    )  # fmt: skip
    assert not lacks(whole)
    for less in ({"abstract": ""}, {"authors_incomplete": True}, {"citations": None}, {"references": ()}):
        assert lacks(replace(whole, **less))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Fast Tiles", "fast  tiles.", True),
        ("On $\\alpha$-Trees: a Résumé".replace("$\\alpha$", "α"), "On alpha trees - a resume", True),
        ("Tiles Are Sufficient for Fast Layout of Floors", "Tiles are suficient for fast layout of floors", True),
        ("Tiles Are Sufficient for Fast Layout, Part I", "Tiles Are Sufficient for Fast Layout, Part II", False),
        ("Tiles Are Sufficient for Fast Layout, Part 1", "Tiles Are Sufficient for Fast Layout, Part 2", False),
        ("Tiles Are Sufficient for Fast Layout with TPT-3", "Tiles Are Sufficient for Fast Layout with TPT-4", False),
        ("Tiles Are Sufficient for Fast Layout: Model B", "Tiles Are Sufficient for Fast Layout: Model C", False),
        ("Fast Tiles", "Fast Titles", False),
        ("Fast Tiles", "Fast Tiles for Slow Floors", False),
        ("", "", False),
        ("…", "!", False),
    ],
)
def test_titles_agree_when_they_are_one_but_for_spelling(one: str, other: str, same: bool) -> None:
    assert titles_agree(one, other) is same
    assert titles_agree(other, one) is same


@given(st.text(max_size=30))
def test_title_agrees_with_itself_when_it_has_a_letter(title: str) -> None:
    assert titles_agree(title, title) == bool(title_key(title))


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({}, True),
        ({"year": 2033}, True),
        ({"year": 2029}, True),
        ({"year": 2034}, False),
        ({"year": None}, False),
        ({"families": ("Dee",)}, True),
        ({"families": ("BEE", "Gee")}, True),
        ({"families": ("Gee",)}, False),
        ({"families": ()}, False),
        ({"title": "Fast Floors"}, False),
    ],
)
def test_record_agrees_when_title_author_and_year_do(changes: dict[str, Any], same: bool) -> None:
    given = record("crossref", "1", "Fast Tiles", "Ann Bee; Cy van Dee", venue="TILE", year=2031)
    assert agrees(replace(wanted(), **changes), given) is same


def test_record_without_a_year_agrees_with_nothing() -> None:
    given = record("crossref", "1", "Fast Tiles", "Ann Bee")
    assert not agrees(wanted(), given)
    assert not agrees(wanted(year=None), given)
    assert agrees(wanted(), replace(given, submitted_on=PartialDate("2030-05")))
    assert agrees(wanted(), Record("a", "1", Text("Fast Tiles"), given.authors, venue=Venue(year=2033)))


# Crossref


def work(doi: str, title: str = "Fast Tiles", family: str = "Bee", year: int = 2031) -> dict[str, Any]:
    return {
        "DOI": doi, "type": "journal-article", "title": [title], "author": [{"given": "Ann", "family": family}],
        "issued": {"date-parts": [[year]]}, "container-title": ["J. Tiles"], "is-referenced-by-count": 3,
    }  # fmt: skip


def works(*items: object, **headers: str) -> Reply:
    return answer({"status": "ok", "message-type": "work-list", "message": {"items": list(items)}}, **headers)


def single(item: object) -> Reply:
    return answer({"status": "ok", "message-type": "work", "message": item})


def test_crossref_is_asked_for_several_dois_at_once(server: Server, http: Http) -> None:
    server.plays(works(work("10.5555/b"), work("10.5555/A")))
    found = look(CROSSREF, [wanted("10.5555/a"), wanted("10.5555/b")], server, http, contact="ada@papers.example")
    assert told(found) == {"p10.5555/a": "10.5555/a", "p10.5555/b": "10.5555/b"}
    assert queries(server) == [{"filter": "doi:10.5555/a,doi:10.5555/b", "rows": "2", "mailto": "ada@papers.example"}]
    (first, _) = found
    assert isinstance(first, Page)
    assert asked_of(first) == ("p10.5555/a", "doi:10.5555/a")


def test_b05_crossref_is_asked_for_any_doi_encoded(server: Server, http: Http) -> None:
    """Pitfall B05; a comma can't be escaped in a filter, so such a DOI goes by itself."""
    comma = "10.5555/a,b|50%"
    path = "/v1/works/10.5555%2F%28sici%291234-5678%28203101%299%3A1%2B%3C1%3A%3Aaid-x2%3E3.0.co%3B2-%23"
    server.plays(single(work(SICI)), single(work(comma)))
    papers = [Wanted(PaperId(doi), (Identifier("doi", doi.lower()),), "Fast Tiles") for doi in (SICI, comma)]
    assert told(look(CROSSREF, papers[:1], server, http)) == {SICI: SICI.lower()}
    assert told(look(CROSSREF, papers[1:], server, http)) == {comma: comma}
    assert [request.path for request in server.requests] == [path, "/v1/works/10.5555%2Fa%2Cb%7C50%25"]
    server.plays(works(work(SICI), work("10.5555/c")), single(work(comma)))
    assert len(told(look(CROSSREF, [*papers, wanted("10.5555/c")], server, http))) == 3
    assert queries(server)[2]["filter"] == f"doi:{SICI.lower()},doi:10.5555/c"


def test_b06_arxivs_dois_are_never_sent_to_crossref(server: Server, http: Http) -> None:
    """Pitfall B06."""
    raw = Wanted(PaperId("p1"), (Identifier("doi", "10.48550/arxiv.2101.00010"),), "Fast Tiles")
    found = look(CROSSREF, [raw, wanted("10.48550/ARXIV.2101.00010", families=())], server, http)
    assert [one.reason for one in found if isinstance(one, Missing)] == ["nothing to find it by"] * 2
    assert server.requests == []


def test_doi_that_no_list_has_is_asked_for_alone_and_may_be_an_alias(server: Server, http: Http) -> None:
    """Pitfall B08: an aliased DOI is in no list, and leads to the one that survived."""
    server.plays(
        works(work("10.5555/a")),
        Reply(status=301, headers={"Location": "/v1/works/10.5555%2Fnew"}),
        single(work("10.5555/new")),
        answer("Resource not found.", 404),
    )
    papers = [wanted("10.5555/a"), wanted("10.5555/old"), wanted("10.5555/none")]
    found = look(CROSSREF, papers, server, http)
    assert told(found) == {"p10.5555/a": "10.5555/a", "p10.5555/old": "10.5555/new", "p10.5555/none": "not found"}
    assert [asked_of(one)[1] for one in found if isinstance(one, Page)] == ["doi:10.5555/a", "doi:10.5555/old"]


def test_another_paper_in_the_place_of_the_one_asked_for_is_not_taken(server: Server, http: Http) -> None:
    server.plays(single(work("10.5555/other", "Slow Floors", "Gee")))
    (found,) = look(CROSSREF, [wanted("10.5555/a")], server, http)
    assert isinstance(found, Missing)
    assert (found.reason, found.asked) == ("another paper was given", "doi:10.5555/a")


def test_entry_that_makes_no_record_is_missing_with_its_reason(server: Server, http: Http) -> None:
    server.plays(single({**work("10.5555/a"), "type": "dataset"}), single({"DOI": "10.5555/b", "type": "book"}))
    found = look(CROSSREF, [wanted("10.5555/a")], server, http) + look(CROSSREF, [wanted("10.5555/b")], server, http)
    assert list(told(found).values()) == ["not a paper", "no title"]


def test_batch_that_is_refused_for_one_name_is_split_and_goes_on(server: Server, http: Http) -> None:
    server.plays(
        answer({"status": "failed"}, 400),  # all four
        works(work("10.5555/0"), work("10.5555/1")),
        answer({"status": "failed"}, 400),  # the other two
        works(work("10.5555/2")),
        answer({"status": "failed"}, 400),  # the last one in a list
        answer({"status": "failed"}, 400),  # and alone
    )
    found = look(CROSSREF, [wanted(f"10.5555/{n}") for n in range(4)], server, http)
    reasons = told(found)
    assert [reasons[f"p10.5555/{n}"] for n in range(3)] == ["10.5555/0", "10.5555/1", "10.5555/2"]
    assert reasons["p10.5555/3"] == "the service refused to look it up"
    assert [one.text for one in found if isinstance(one, Note)] == ["Crossref refused to look up doi:10.5555/3."]


def test_service_that_refuses_everything_is_given_up(server: Server, http: Http) -> None:
    server.always = answer({"status": "failed"}, 400)
    with pytest.raises(FetchError) as caught:
        look(CROSSREF, [wanted(f"10.5555/{n}") for n in range(300)], server, http)
    assert caught.value.status == 400
    assert len(server.requests) == MOST_REFUSALS + 1


def test_title_is_searched_for_when_there_is_no_identifier(server: Server, http: Http) -> None:
    server.plays(works(work("10.5555/x", "Fast Tiles for Slow Floors"), work("10.5555/y", "Fast tiles", "Gee"),
                       work("10.5555/z", "Fast Tiles", year=2021), work("10.5555/right", "Fast tiles")))  # fmt: skip
    found = look(CROSSREF, [wanted("2101.00010")], server, http)
    assert told(found) == {"p2101.00010": "10.5555/right"}
    assert queries(server) == [{"query.bibliographic": "Fast Tiles Bee", "rows": "5"}]
    assert isinstance(found[0], Page)
    assert asked_of(found[0])[1] == "title: Fast Tiles"


def test_wrong_best_hit_of_a_search_is_missing(server: Server, http: Http) -> None:
    server.plays(works(work("10.5555/x", "Fast Tiles, Part II"), work("10.5555/y", "Faster Tiles")), works())
    found = look(CROSSREF, [wanted(title="Fast Tiles, Part I"), wanted(title="Slow Floors")], server, http)
    assert told(found) == {"pFast Tiles, Part I": "no title that agrees", "pSlow Floors": "not found"}


def test_search_that_is_refused_is_noted_and_the_next_goes_on(server: Server, http: Http) -> None:
    server.plays(answer({}, 400), works(work("10.5555/b", "Slow Floors")))
    found = look(CROSSREF, [wanted(), wanted(title="Slow Floors")], server, http)
    assert told(found) == {"pFast Tiles": "the service refused to look it up", "pSlow Floors": "10.5555/b"}
    assert [one.text for one in found if isinstance(one, Note)] == [
        "Crossref refused to search for the title 'Fast Tiles'."
    ]


def test_html_with_status_200_is_tried_again(server: Server, http: Http) -> None:
    server.plays(HTML, answer({"status": "error", "message": "busy"}), Reply(b'{"status": "ok", "mess'),
                 single(work("10.5555/a")))  # fmt: skip
    assert told(look(CROSSREF, [wanted("10.5555/a")], server, http)) == {"p10.5555/a": "10.5555/a"}
    server.always = HTML
    with pytest.raises(FetchError, match="not what was asked for"):
        look(CROSSREF, [wanted("10.5555/a")], server, http)


def test_429_is_waited_for_and_what_came_before_a_longer_one_is_kept(server: Server, http: Http) -> None:
    server.plays(Reply(status=429, headers={"Retry-After": "7"}), works(work("10.5555/a"), work("10.5555/b")))
    papers = [wanted("10.5555/a"), wanted("10.5555/b")]
    assert len(told(look(CROSSREF, papers, server, http))) == 2
    assert server.starts[1] - server.starts[0] >= 7
    server.plays(works(work("10.5555/a"), work("10.5555/b")), Reply(status=429, headers={"Retry-After": "7200"}))
    asking = CROSSREF.look_up([*papers, wanted("10.5555/c,d")], {"api": server.url("/v1")}, http, {})
    assert all(isinstance(next(asking), Page) for _ in papers)
    with pytest.raises(RateLimitedError) as caught:
        next(asking)
    assert caught.value.retry_after == 7200


def test_crossref_is_asked_no_faster_than_it_says(server: Server, http: Http) -> None:
    slow = {"X-Rate-Limit-Limit": "2", "X-Rate-Limit-Interval": "10s"}
    reply = single(work("10.5555/a,1"))
    server.plays(replace(reply, headers=reply.headers | slow), reply, reply)
    look(CROSSREF, [wanted(f"10.5555/a,{n}") for n in range(3)], server, http)
    first, second, third = server.starts
    assert (second - first >= 5, third - second >= 5) == (True, True)


@pytest.mark.parametrize(
    ("limit", "interval", "seconds"),
    [("50", "1s", 0.02), ("3", "60s", 20), ("1", "999999s", 60), ("0", "1s", 0), ("-5", "1s", 0), ("x", "y", 0), ("", "", 0),
     ("²", "1s", 0), ("9" * 50, "1s", 0)],
)  # fmt: skip
def test_pace_is_read_from_the_headers(limit: str, interval: str, seconds: float) -> None:
    assert allowed({"x-rate-limit-limit": limit, "x-rate-limit-interval": interval}) == seconds
    assert allowed({}) == 0


def test_contact_that_is_no_address_is_no_mailto(server: Server, http: Http) -> None:
    server.plays(single(work("10.5555/a")), answer({"results": []}))
    look(CROSSREF, [wanted("10.5555/a")], server, http, contact="https://papers.example")
    look(OPENALEX, [wanted("10.5555/a")], server, http, contact="https://papers.example")
    assert all("mailto" not in asked for asked in queries(server))


# OpenAlex


def alex(
    number: int, doi: str | None, title: str = "Fast Tiles", name: str = "Ann Bee", year: int = 2031
) -> dict[str, Any]:
    own = f"https://openalex.org/W{number}"
    return {
        "id": own, "doi": f"https://doi.org/{doi}" if doi else None, "ids": {"openalex": own}, "title": title,
        "type": "article", "publication_year": year, "publication_date": f"{year}-05-09", "cited_by_count": 7,
        "authorships": [{"author": {"id": None, "display_name": name}}],
    }  # fmt: skip


def test_openalex_is_asked_for_dois_and_arxiv_ids_at_once(server: Server, http: Http) -> None:
    """Pitfall B06: a preprint is known by the DOI of its arXiv id."""
    server.plays(answer({"results": [alex(2, "10.48550/ARXIV.2101.00010"), alex(1, "10.5555/a")]}))
    papers = [wanted("10.5555/a"), wanted("2101.00010")]
    found = look(OPENALEX, papers, server, http, contact="ada@papers.example", key="a-key")
    assert told(found) == {"p10.5555/a": "W1", "p2101.00010": "W2"}
    (asked,) = queries(server)
    assert asked["filter"] == "doi:10.5555/a|10.48550/arxiv.2101.00010"
    assert (asked["per-page"], asked["mailto"], asked["api_key"]) == ("100", "ada@papers.example", "a-key")
    assert {"id", "doi", "authorships", "abstract_inverted_index"} <= set(asked["select"].split(","))


def test_next_identifier_is_asked_for_when_the_first_is_not_known(server: Server, http: Http) -> None:
    server.plays(
        answer({"results": [alex(1, "10.5555/a")]}), answer({"results": [alex(2, "10.48550/arxiv.2101.00011")]})
    )
    papers = [wanted("10.5555/a", "2101.00010"), wanted("10.5555/b", "2101.00011"), wanted("10.5555/c")]
    found = look(OPENALEX, papers, server, http)
    assert told(found) == {
        "p10.5555/a+2101.00010": "W1", "p10.5555/b+2101.00011": "W2", "p10.5555/c": "not found",
    }  # fmt: skip
    assert [asked["filter"] for asked in queries(server)] == [
        "doi:10.5555/a|10.5555/b|10.5555/c", "doi:10.48550/arxiv.2101.00011",
    ]  # fmt: skip


@pytest.mark.parametrize("doi", ["10.5555/a,b", "10.5555/a|b", "10.5555/a+b", '10.5555/a"b', SICI])
def test_b05_doi_with_a_sign_of_filters_is_asked_for_alone(server: Server, http: Http, doi: str) -> None:
    """Pitfall B05, with the signs that have a meaning in OpenAlex's filters."""
    server.plays(answer(alex(1, doi)), answer({"error": "not found"}, 404))
    paper = Wanted(PaperId("p1"), (Identifier("doi", doi.lower()),), "Fast Tiles")
    assert told(look(OPENALEX, [paper], server, http)) == {"p1": "W1"}
    path = urlsplit(server.requests[0].path).path
    assert path == f"/v1/works/doi:{Identifier('doi', doi.lower()).path_form}"
    assert told(look(OPENALEX, [paper], server, http)) == {"p1": "not found"}


def test_openalex_is_asked_in_parts_when_there_are_many(server: Server, http: Http) -> None:
    server.always = answer({"results": []})
    papers = [wanted(f"10.5555/{n}") for n in range(230)]
    assert set(told(look(OPENALEX, papers, server, http)).values()) == {"not found"}
    assert [asked["filter"].count("10.5555/") for asked in queries(server)] == [100, 100, 30]
    assert max(len(request.path) for request in server.requests) < 6_000


def test_openalex_searches_titles_without_signs(server: Server, http: Http) -> None:
    title = 'Tiles, OR "Floors" | AND α-Trees!'
    server.plays(answer({"results": [alex(1, None, "Tiles or Floors"), alex(2, None, title)]}))
    assert list(told(look(OPENALEX, [wanted(title=title)], server, http)).values()) == ["W2"]
    assert queries(server)[0]["filter"] == "title.search:tiles or floors and α trees"


def test_key_is_in_no_message(server: Server, http: Http) -> None:
    server.always = answer({"error": "no"}, 403)
    for source in (OPENALEX, S2):
        with pytest.raises(FetchError) as caught:
            look(source, [wanted("10.5555/a")], server, http, key="a-secret", contact="ada@papers.example")
        assert "a-secret" not in f"{caught.value}{caught.value!r}"
        assert "ada@papers.example" not in f"{caught.value}{caught.value!r}"


# Semantic Scholar


def paper(key: str, title: str = "Fast Tiles", name: str = "A. Bee", **ids: str) -> dict[str, Any]:
    return {
        "paperId": key, "title": title, "authors": [{"authorId": "1", "name": name}], "externalIds": ids,
        "year": 2031, "publicationDate": "2031-05-09", "citationCount": 12, "venue": "",
        "references": [{"paperId": "r", "externalIds": {"ArXiv": "2101.00099"}}],
    }  # fmt: skip


def test_b08_batch_is_aligned_by_position(server: Server, http: Http) -> None:
    """Pitfall B08: [A, B, C] -> [A2, null, C]; A2 carries no id of A's and all else agrees."""
    server.plays(answer([paper("A2", ArXiv="2101.00999"), None, paper("C", ArXiv="2101.00003")]))
    papers = [wanted("2101.00001"), wanted("2101.00002"), wanted("2101.00003")]
    found = look(S2, papers, server, http, key="a-key")
    assert told(found) == {"p2101.00001": "A2", "p2101.00002": "not found", "p2101.00003": "C"}
    assert bodies(server) == [["ARXIV:2101.00001", "ARXIV:2101.00002", "ARXIV:2101.00003"]]
    assert server.requests[0].headers["x-api-key"] == "a-key"
    assert asked_of(next(one for one in found if isinstance(one, Page))) == ("p2101.00001", "arxiv:2101.00001")
    assert "references.externalIds" in queries(server)[0]["fields"].split(",")


def test_batch_with_another_paper_in_a_place_is_not_taken_by_position_alone(server: Server, http: Http) -> None:
    server.plays(answer([paper("X", "Slow Floors", "G. Gee", ArXiv="2101.00777")]))
    assert told(look(S2, [wanted("2101.00001")], server, http)) == {"p2101.00001": "another paper was given"}


def test_acl_id_is_the_answer_to_its_doi(server: Server, http: Http) -> None:
    server.plays(answer([paper("A", "Other", "O. Other", ACL="P18-1001")]))
    assert told(look(S2, [wanted("10.18653/v1/P18-1001")], server, http)) == {"p10.18653/v1/P18-1001": "A"}


def test_batch_of_which_no_paper_is_known_costs_one_request_more(server: Server, http: Http) -> None:
    """Their users report 400 for it; a known paper beside them tells it from a request that is malformed."""
    server.plays(
        answer({"error": "No valid paper ids given"}, 400),
        answer([None] * 100 + [paper("known")]),
        answer([None] * 20 + [paper("known")]),
    )
    papers = [wanted(f"2101.{n:05}") for n in range(120)]
    assert set(told(look(S2, papers, server, http)).values()) == {"not found"}
    assert [len(ids) for ids in bodies(server)] == [100, 101, 21]


def test_batch_that_is_refused_for_one_id_is_asked_for_in_parts(server: Server, http: Http) -> None:
    bad = answer({"error": "Invalid"}, 400)
    server.plays(bad, bad, answer([paper("A", ArXiv="2101.00000"), None, paper("k")]), bad,
                 answer([paper("C", ArXiv="2101.00002"), paper("k")]), bad)  # fmt: skip
    found = look(S2, [wanted(f"2101.{n:05}") for n in range(4)], server, http)
    assert list(told(found).values()) == ["A", "not found", "C", "the service refused to look it up"]
    assert sum(isinstance(one, Note) for one in found) == 1


def test_batch_whose_answer_is_short_is_tried_again(server: Server, http: Http) -> None:
    server.plays(answer([None]), HTML, answer([paper("A", ArXiv="2101.00001"), None]))
    found = look(S2, [wanted("2101.00001"), wanted("2101.00002")], server, http)
    assert list(told(found).values()) == ["A", "not found"]


def test_semantic_scholar_matches_a_title(server: Server, http: Http) -> None:
    server.plays(
        answer({"data": [{**paper("A", "α-Trees of Well-Laid Tiles"), "matchScore": 90.1}]}),
        answer({"error": "Title match not found"}, 404),
        answer({"data": [{**paper("B", "Fast Tiles II"), "matchScore": 131.8}]}),
    )
    papers = [wanted(title=title) for title in ("α-Trees of Well-Laid Tiles", "Slow Floors", "Fast Tiles I")]
    assert list(told(look(S2, papers, server, http)).values()) == ["A", "not found", "no title that agrees"]
    assert queries(server)[0]["query"] == "α-Trees of Well-Laid Tiles"


# All of them


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.info.name)
def test_each_paper_is_answered_once(source: LookUp, server: Server, http: Http) -> None:
    """Whatever is known of it, and however often it is asked for."""
    server.always = answer({}, 404) if source is S2 else works() if source is CROSSREF else answer({"results": []})
    papers = [
        Wanted(PaperId(f"p{n}"), tuple(parse_identifier(name)[0] for name in ids), title, ("Bee",), 2031)
        for n, (ids, title) in enumerate([([], ""), ([], "Fast Tiles"), ([], "Fast Tiles")])
    ]
    found = look(source, papers, server, http)
    assert [one.wanted.paper for one in found if isinstance(one, Missing)] == ["p0", "p1", "p2"]


def test_one_identifier_that_two_papers_have_is_asked_for_once(server: Server, http: Http) -> None:
    server.plays(answer([paper("A", DOI="10.5555/volume")]))
    twice = [replace(wanted("10.5555/volume"), paper=PaperId(name)) for name in ("p1", "p2")]
    assert told(look(S2, twice, server, http)) == {"p1": "A", "p2": "A"}
    assert bodies(server) == [["DOI:10.5555/volume"]]


def test_no_request_is_made_when_nothing_is_wanted(server: Server, http: Http) -> None:
    assert [look(source, [], server, http) for source in SOURCES] == [[], [], []]
    assert server.requests == []
