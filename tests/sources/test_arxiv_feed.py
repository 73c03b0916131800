"""arXiv's announcement feeds: `octavo.sources.arxiv_feed`. Numbers such as A11 are those of the list of pitfalls."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import permutations
from typing import Any

import pytest

from octavo.errors import FormatError
from octavo.records.ids import Identifier
from octavo.records.paper import Record, Version
from octavo.sources.arxiv import ArxivSource
from octavo.sources.arxiv_answer import response_date
from octavo.sources.arxiv_feed import (
    ANNOUNCE_KINDS,
    Announcement,
    announcements,
    feed_status,
    one_a_paper,
)
from octavo.sources.base import Fault, Page

NAMES = (
    'xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:atom="http://www.w3.org/2005/Atom"'
)
SKIPPED = "<skipDays><day>Saturday</day><day>Sunday</day></skipDays>"
WEDNESDAY = "2031-08-20"
PAPER = Identifier("arxiv", "2101.00010")


def rfc(day: str, time: str = "00:00:00 -0400") -> str:
    return datetime.fromisoformat(day).strftime(f"%a, %d %b %Y {time}")


def atom_entry(kind: str = "new", version: int = 1, day: str = WEDNESDAY, categories: str = "cs.LG stat.ML") -> str:
    terms = "".join(f'<category term="{name}"/>' for name in categories.split())
    return (
        f"<entry><id>oai:arXiv.org:2101.00010v{version}</id><title>Fast tiles are enough</title>"
        f'<updated>{day}T04:00:19.899254+00:00</updated><link href="https://arxiv.org/abs/2101.00010" rel="alternate"/>'
        f"<summary>arXiv:2101.00010v{version} Announce Type: {kind} \nAbstract: We lay $n$ tiles.</summary>{terms}"
        f"<published>{day}T00:00:00-04:00</published><arxiv:announce_type>{kind}</arxiv:announce_type>"
        "<dc:rights>http://creativecommons.org/licenses/by/4.0/</dc:rights>"
        "<dc:creator>Ann Bee, Cy Dee Jr., Ee Eff (for the Blue Collaboration, Lab X)</dc:creator></entry>"
    )


def atom(*entries: str, built: str = "2031-08-20T04:00:19.866337+00:00") -> Page:
    text = (
        f'<feed {NAMES} xmlns="http://www.w3.org/2005/Atom"><id>http://rss.arxiv.org/atom/cs.LG</id>'
        f"<title>cs.LG updates on arXiv.org</title><updated>{built}</updated>{''.join(entries)}</feed>"
    )
    return Page(text.encode(), "atom.xml")


def rss_item(kind: str = "new", version: int = 1, day: str = WEDNESDAY, **changes: str) -> str:
    parts = {
        "title": "Fast tiles are enough",
        "link": "https://arxiv.org/abs/2101.00010",
        "description": f"arXiv:2101.00010v{version} Announce Type: {kind} \nAbstract: We lay $n$ tiles.",
        "guid": f"oai:arXiv.org:2101.00010v{version}",
        "pubDate": rfc(day),
        "arxiv:announce_type": kind,
        "dc:rights": "http://creativecommons.org/licenses/by/4.0/",
        "dc:creator": "Ann Bee, Cy Dee Jr., Ee Eff (for the Blue Collaboration, Lab X)",
        **{name.replace("_", ":", 1): value for name, value in changes.items()},
    }
    inside = "".join(f"<{name}>{value}</{name}>" for name, value in parts.items() if value)
    return f"<item>{inside}<category>cs.LG</category><category>stat.ML</category></item>"


def rss(*items: str, built: str = rfc(WEDNESDAY, "04:00:19 +0000")) -> Page:
    text = (
        f'<rss {NAMES} version="2.0"><channel><title>cs.LG updates on arXiv.org</title>'
        '<link>http://rss.arxiv.org/rss/cs.LG</link><atom:link href="http://rss.arxiv.org/rss/cs.LG" rel="self"/>'
        f"<lastBuildDate>{built}</lastBuildDate><pubDate>{rfc(WEDNESDAY)}</pubDate>{SKIPPED}{''.join(items)}</channel></rss>"
    )
    return Page(text.encode(), "rss.xml")


def parsed(page: Page) -> list[Any]:
    return list(ArxivSource().parse(page))


@pytest.mark.parametrize("page", [atom(atom_entry()), rss(rss_item())], ids=["atom", "rss"])
def test_entry_says_the_same_in_both_forms(page: Page) -> None:
    (found,) = parsed(page)
    assert isinstance(found, Record)
    assert (found.source, found.key, found.identifiers) == ("arxiv-feed", "2101.00010", (PAPER,))
    assert found.title.plain == "Fast tiles are enough"
    assert found.abstract is not None
    assert (found.abstract.raw, found.abstract.markup) == ("We lay $n$ tiles.", "tex")
    assert found.versions == (Version(1),)
    assert found.categories == ("cs.LG", "stat.ML")
    assert (found.announced_on, found.submitted_on, found.updated_on, found.published_on) == (
        WEDNESDAY,
        None,
        None,
        None,
    )
    assert found.licence == "http://creativecommons.org/licenses/by/4.0/"
    assert announcements(page) == [Announcement(PAPER, 1, "new", WEDNESDAY, ("cs.LG", "stat.ML"))]
    made = response_date(page)
    assert made is not None
    assert made.replace(microsecond=0) == datetime(2031, 8, 20, 4, 0, 19, tzinfo=UTC)


@pytest.mark.parametrize("page", [atom(atom_entry()), rss(rss_item())], ids=["atom", "rss"])
def test_creators_are_parted_when_they_come_as_one_text(page: Page) -> None:
    """C17."""
    (found,) = parsed(page)
    assert [(who.name, who.affiliations) for who in found.authors] == [
        ("Ann Bee", ()), ("Cy Dee Jr.", ()), ("Ee Eff", ("Blue Collaboration, Lab X",)),
    ]  # fmt: skip


def test_creators_are_read_without_their_anchors_or_tex() -> None:
    """C17, C01."""
    anchors = (
        '&lt;a href="http://arxiv.org/a/x"&gt;Ann Bee&lt;/a&gt;, &lt;a href="http://arxiv.org/a/y"&gt;Cy Dee&lt;/a&gt;'
    )
    (found,) = parsed(rss(rss_item(dc_creator=anchors)))
    assert [who.name for who in found.authors] == ["Ann Bee", "Cy Dee"]
    (found,) = parsed(rss(rss_item(dc_creator="Andr\\'e Bee, Cy Dee et al.")))
    assert ([who.name for who in found.authors], found.authors_incomplete) == (["André Bee", "Cy Dee"], True)


@pytest.mark.parametrize("kind", ANNOUNCE_KINDS)
def test_kind_is_kept_as_announced(kind: str) -> None:
    """G01."""
    for page in (atom(atom_entry(kind, 2)), rss(rss_item(kind, 2))):
        assert [(one.kind, one.version) for one in announcements(page)] == [(kind, 2)]


@pytest.mark.parametrize(
    ("kind", "version", "announced_on"),
    [
        ("new", 1, WEDNESDAY),
        ("cross", 1, WEDNESDAY),
        ("cross", 3, None),
        ("replace", 2, None),
        ("replace-cross", 7, None),
    ],
)
def test_paper_is_announced_once_when_it_is_replaced(kind: str, version: int, announced_on: str | None) -> None:
    """G01: v7 of an old paper is no news, and its day is not the paper's own."""
    (found,) = parsed(atom(atom_entry(kind, version)))
    assert found.announced_on == announced_on
    assert found.versions == (Version(version),)


def test_paper_in_two_feeds_of_a_day_is_one_and_is_not_new_the_day_after() -> None:
    """G01."""
    first = announcements(atom(atom_entry("new", 1, categories="cs.LG")))
    second = announcements(rss(rss_item("cross", 1)))
    later = announcements(rss(rss_item("replace", 2, "2031-08-21")))
    expected = Announcement(PAPER, 1, "new", WEDNESDAY, ("cs.LG", "stat.ML"))
    assert one_a_paper(first + second) == [expected]
    assert one_a_paper(first + second + later) == [
        expected,
        Announcement(PAPER, 2, "replace", "2031-08-21", ("cs.LG", "stat.ML")),
    ]
    assert [one.kind for one in one_a_paper(second)] == ["cross"]


def test_most_telling_kind_wins_in_any_order() -> None:
    given = [Announcement(PAPER, n, kind, WEDNESDAY, ()) for n, kind in enumerate(ANNOUNCE_KINDS, 1)]
    for order in permutations(given):
        assert one_a_paper(order) == [Announcement(PAPER, 4, "new", WEDNESDAY, ())]
    assert one_a_paper([]) == []


def test_kind_and_version_stand_in_the_text_when_the_elements_lack_them() -> None:
    item = rss_item("replace", 3, arxiv_announce_type="", guid="https://arxiv.org/abs/2101.00010")
    assert announcements(rss(item)) == [Announcement(PAPER, 3, "replace", WEDNESDAY, ("cs.LG", "stat.ML"))]
    (found,) = parsed(rss(item))
    assert (found.abstract.raw, found.versions) == ("We lay $n$ tiles.", (Version(3),))


def test_announcement_is_left_out_when_its_kind_or_paper_is_not_known() -> None:
    unknown = rss_item("rumour")
    nowhere = rss_item(guid="https://example.org/17", link="", description="x")
    assert announcements(rss(unknown, nowhere, rss_item())) == announcements(rss(rss_item()))
    found = parsed(rss(unknown, nowhere))
    assert [type(one) for one in found] == [Record, Fault]
    assert found[0].announced_on is None
    assert found[1].reason == "id is no arXiv id"


def test_doi_and_journal_of_an_entry_are_kept() -> None:
    item = rss_item(arxiv_DOI="10.5555/tiles.1", arxiv_journal_reference="J. Tiles 3")
    (found,) = parsed(rss(item))
    assert [str(name) for name in found.identifiers] == ["arxiv:2101.00010", "doi:10.5555/tiles.1"]
    assert found.journal_ref == "J. Tiles 3"


def test_abstract_that_speaks_of_announcements_is_whole() -> None:
    (found,) = parsed(
        rss(
            rss_item(
                description="arXiv:2101.00010v1 Announce Type: new \nAbstract: Abstract: arXiv:2101.00011 Announce Type: cross"
            )
        )
    )
    assert found.abstract.raw == "Abstract: arXiv:2101.00011 Announce Type: cross"


# The feed's day


def test_feed_is_stale_when_it_was_built_today_of_yesterdays_entries() -> None:
    """A11: a Wednesday."""
    for page in (
        rss(rss_item(day="2031-08-19")),
        atom(atom_entry(day="2031-08-19")),
    ):
        status = feed_status(page)
        assert (status.state, status.day, status.built_on) == ("stale", "2031-08-19", WEDNESDAY)


@pytest.mark.parametrize(
    ("day", "built", "state"),
    [
        (WEDNESDAY, rfc(WEDNESDAY, "04:00:19 +0000"), "announced"),
        # The evening of that day in arXiv's zone.
        (WEDNESDAY, rfc("2031-08-21", "03:30:00 +0000"), "announced"),
        (WEDNESDAY, rfc("2031-08-21", "04:30:00 +0000"), "stale"),
        # A Saturday, with Friday's entries: nothing else was to be announced.
        ("2031-08-22", rfc("2031-08-23", "05:00:00 +0000"), "announced"),
        (WEDNESDAY, "soon", "announced"),
    ],
)
def test_feed_is_of_its_day_by_arxivs_own_zone(day: str, built: str, state: str) -> None:
    """A11."""
    assert feed_status(rss(rss_item(day=day), built=built)).state == state


def test_newest_entry_tells_the_feeds_day() -> None:
    page = rss(rss_item(day="2031-08-19"), rss_item(day=WEDNESDAY), rss_item(pubDate="some day"))
    assert (feed_status(page).day, feed_status(page).n_entries, feed_status(page).state) == (WEDNESDAY, 3, "announced")


def test_empty_feed_is_no_announcement_and_no_fault() -> None:
    """A12."""
    bare = Page(f'<rss version="2.0"><channel><title>t</title>{SKIPPED}</channel></rss>'.encode(), "rss.xml")
    for page in (bare, rss(), atom(), rss(built=rfc("2031-08-23", "04:00:00 +0000"))):
        assert parsed(page) == []
        assert announcements(page) == []
        status = feed_status(page)
        assert (status.state, status.day, status.n_entries) == ("empty", None, 0)
    assert feed_status(bare).skip_days == ("Saturday", "Sunday")
    assert feed_status(rss(built=rfc("2031-08-23", "04:00:00 +0000"))).is_skipped
    assert not feed_status(rss()).is_skipped


@pytest.mark.parametrize(
    "text",
    [
        '<feed xmlns="http://www.w3.org/2005/Atom"><id>https://example.org/arxiv.org/feed</id></feed>',
        '<feed xmlns="http://www.w3.org/2005/Atom"><title>t</title></feed>',
        "<rss><channel><link>https://notarxiv.org/</link></channel></rss>",
        "<rss/>",
        "<feed><id>http://rss.arxiv.org/atom/cs.LG</id></feed>",
    ],
)
def test_feed_of_another_is_refused(text: str) -> None:
    """A14."""
    with pytest.raises(FormatError):
        parsed(Page(text.encode(), "feed.xml"))
