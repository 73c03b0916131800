"""The answers of arXiv's query API: `octavo.sources.arxiv_api`. Numbers such as A02 are those of the list of
pitfalls."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import FormatError, UsageError
from octavo.records.paper import Record, Version
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_answer import response_date
from octavo.sources.arxiv_api import entries_of, query_url, total_of
from octavo.sources.base import MAX_TEXT, Page

NAMES = (
    'xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom" '
    'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
)
ENTRY = (
    "<entry><id>http://arxiv.org/abs/2101.00010v{version}</id><title>Fast tiles\n  are enough</title>"
    "<updated>2021-03-04T05:06:07Z</updated><published>2021-01-02T03:04:05Z</published>"
    '<link href="https://arxiv.org/abs/2101.00010v1" rel="alternate" type="text/html"/>'
    "<summary>  We lay $n$ tiles.\n</summary>"
    '<category term="stat.ML" scheme="http://arxiv.org/schemas/atom"/><category term="cs.LG"/>'
    '<category term="I.2.7"/><category term="68T05, 62H30"/>'
    '<arxiv:comment>12 pages</arxiv:comment><arxiv:primary_category term="cs.LG"/>'
    "<arxiv:journal_ref>J. Tiles 3</arxiv:journal_ref><arxiv:doi>10.5555/tiles.1</arxiv:doi>"
    "<author><name>Ann Bee</name><arxiv:affiliation>Lab X</arxiv:affiliation></author>"
    "<author><name>Cy Dee</name></author></entry>"
)
ERROR = (
    "<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_abc</id><title>Error</title>"
    "<summary>incorrect id format for abc</summary><author><name>arXiv api core</name></author></entry>"
)


def answer(*entries: str, total: object = 1, start: int = 0, address: str = "https://arxiv.org/api/xyz") -> Page:
    text = (
        f"<feed {NAMES}><id>{address}</id><title>arXiv Query</title><updated>2031-04-12T22:10:19Z</updated>"
        f"<opensearch:itemsPerPage>100</opensearch:itemsPerPage><opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>{''.join(entries)}</feed>"
    )
    return Page(text.encode(), "api.xml")


def numbered(first: int, n: int, total: int) -> Page:
    entry = ENTRY.format(version=1)
    return answer(*(entry.replace("2101.00010", f"2101.{place:05}") for place in range(first, first + n)), total=total)


def parsed(page: Page) -> list[Any]:
    return list(ArxivSource().parse(page))


def test_entry_has_all_fields_when_arxiv_gives_them() -> None:
    (found,) = parsed(answer(ENTRY.format(version=3)))
    assert isinstance(found, Record)
    assert (found.source, found.key, found.title.plain) == ("arxiv", "2101.00010", "Fast tiles are enough")
    assert found.abstract is not None
    assert found.abstract.raw == "We lay $n$ tiles."
    assert found.categories == ("cs.LG", "stat.ML")
    assert found.versions == (Version(1, "2021-01-02"), Version(3, "2021-03-04"))
    assert (found.submitted_on, found.updated_on, found.announced_on) == ("2021-01-02", "2021-03-04", None)
    assert [str(name) for name in found.identifiers] == ["arxiv:2101.00010", "doi:10.5555/tiles.1"]
    assert (found.comment, found.journal_ref, found.seen_on) == ("12 pages", "J. Tiles 3", "2031-04-12")


def test_affiliation_stays_with_its_author() -> None:
    """C20."""
    (found,) = parsed(answer(ENTRY.format(version=1)))
    assert [(who.name, who.affiliations) for who in found.authors] == [("Ann Bee", ("Lab X",)), ("Cy Dee", ())]


def test_authors_of_a_team_are_persons_without_its_colon() -> None:
    people = "<author><name>Blue Collaboration</name></author><author><name>:</name></author><author><name>et al.</name></author>"
    (found,) = parsed(answer(ENTRY.format(version=1).replace("<author>", people + "<author>", 1)))
    assert [who.name for who in found.authors] == ["Blue Collaboration", "Ann Bee", "Cy Dee"]
    assert found.authors_incomplete


@pytest.mark.parametrize(("old", "field"), [("Ann Bee", "author"), ("Lab X", "author"), ("12 pages", "comments")])
def test_entry_with_a_field_beyond_all_measure_is_a_fault(old: str, field: str) -> None:
    """C15."""
    (fault,) = parsed(answer(ENTRY.format(version=1).replace(old, "x" * (MAX_TEXT + 1))))
    assert fault.reason.startswith(field)
    assert "longer than 200,000 characters" in fault.reason


@pytest.mark.parametrize("version", [1, 2, 10])
def test_version_is_no_part_of_the_key(version: int) -> None:
    """B02."""
    (found,) = parsed(answer(ENTRY.format(version=version)))
    assert (found.key, found.versions[-1].number) == ("2101.00010", version)
    assert found.updated_on == (None if version == 1 else "2021-03-04")


def test_total_and_entries_are_told_apart_when_a_page_is_empty() -> None:
    """A02: a page of nothing, though there are 250."""
    page = answer(total=250, start=100)
    assert (total_of(page), entries_of(page), parsed(page)) == (250, [], [])
    assert response_date(page) == datetime(2031, 4, 12, 22, 10, 19, tzinfo=UTC)


def test_next_start_follows_the_entries_that_came_when_a_page_is_short() -> None:
    """A03: pages of 500, 200 and 500 entries."""
    starts = [0]
    for n in (500, 200, 500):
        starts.append(starts[-1] + len(entries_of(numbered(starts[-1], n, 1200))))
    assert starts == [0, 500, 700, 1200]


def test_totals_that_wobble_lose_no_entry() -> None:
    """A04: totals 5, 4, 5 over three pages of 5 entries in all."""
    pages = [numbered(0, 2, 5), numbered(2, 2, 4), numbered(4, 1, 5)]
    assert [total_of(page) for page in pages] == [5, 4, 5]
    assert len({name for page in pages for name in entries_of(page)}) == 5
    assert len({found.key for page in pages for found in parsed(page)}) == 5


def test_entry_that_can_not_be_read_counts_as_one_that_came() -> None:
    page = answer("<entry><title>x</title></entry>", "<entry><id>x</id></entry>", ENTRY.format(version=1), total="many")
    assert entries_of(page) == ["", "x", "http://arxiv.org/abs/2101.00010v1"]
    assert total_of(page) is None
    assert [getattr(found, "reason", "") for found in parsed(page)] == ["no id", "id is no arXiv id", ""]


@pytest.mark.parametrize("read", [parsed, total_of, entries_of])
def test_refusal_of_arxiv_is_told_in_its_words(read: Any) -> None:
    page = answer(ERROR, address="https://arxiv.org/")
    with pytest.raises(FormatError, match=r"api\.xml: arXiv refuses the query: incorrect id format for abc"):
        read(page)


def test_unknown_id_is_an_empty_answer() -> None:
    assert parsed(answer(total=0)) == []


def test_query_is_encoded_once() -> None:
    """A10."""
    query = "cat:cs.LG AND submittedDate:[203101010000 TO 203101022359]"
    url = query_url("https://export.arxiv.org/api/query", query, 100, 50)
    assert "search_query=cat%3Acs.LG+AND+submittedDate%3A%5B203101010000+TO+203101022359%5D" in url
    assert "%2B" not in url
    assert url.endswith("&start=100&max_results=50")


@given(st.text(min_size=1), st.integers(0, 30_000), st.integers(1, 2000))
def test_query_comes_back_as_it_was_when_the_address_is_read(query: str, start: int, n: int) -> None:
    query = query.encode("utf-8", "replace").decode()
    asked = parse_qs(urlsplit(query_url("https://arxiv.org/api/query", query, start, n)).query, strict_parsing=True)
    assert asked == {"search_query": [query], "start": [str(start)], "max_results": [str(n)]}


@pytest.mark.parametrize(("start", "n"), [(-1, 10), (0, 0), (0, -5)])
def test_page_out_of_range_is_refused(start: int, n: int) -> None:
    with pytest.raises(UsageError, match="There is no page"):
        query_url("https://arxiv.org/api/query", "all:tiles", start, n)
