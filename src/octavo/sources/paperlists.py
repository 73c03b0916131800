"""papercopilot's paper lists: one JSON array a venue and year, `icml2025.json`.

Values are strings, lists are strings joined by `;` (older lists join authors by `,`). Venue and year stand in
the file's name only. What the lists say of persons beside their names (addresses, gender, age, position,
profiles, ratings) is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from octavo.records.dates import PartialDate
from octavo.records.decisions import parse_decision
from octavo.records.fold import title_key
from octavo.records.ids import Identifier, doi_id, openreview_id, url_id
from octavo.records.names import Author, parse_authors, split_authors
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.records.venues import short_name
from octavo.sources import entries
from octavo.sources.arrays import array_entries, array_pages
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import Entry
from octavo.sources.streams import Member, fetch_pages

_NAME = "paperlists"
_MARKUP = "mixed"
_FILE = re.compile(r"([a-z][a-z0-9]*?)_?((?:19|20)\d\d)\.json(?:\.(?:gz|xz|bz2))?", re.IGNORECASE)

# Statuses that name a part of the venue and not a distinction.
_TRACKS = (
    "findings",
    "workshop",
    "industry",
    "system demonstrations",
    "demo",
    "journal",
    "long",
    "short",
    "tutorial",
)
_PROCEEDINGS = ("https://proceedings.mlr.press/", "https://papers.nips.cc/", "https://aclanthology.org/")
"""Whoever has a page there was accepted, also where the list gives no status."""

# An id of the lists that is OpenReview's, where no address says so: not a number, a hash of the lists' own
# (`2aae03df09`, `site_99edc5709d`) or an id of the ACL Anthology.
_OPENREVIEW_VENUES = frozenset(
    ("aistats", "alt", "automl", "colm", "corl", "iclr", "icml", "midl", "neurips", "nips", "tmlr", "uai")
)
_FORUM_ID = re.compile(r"(?!site_)(?=[\w-]*[A-Z_-])[A-Za-z0-9_-]{9,14}")
_FORUM = re.compile(r"https?://openreview\.net/(?:forum|pdf)\?id=([A-Za-z0-9_-]+)")
_REPOSITORY = re.compile(
    r"(?:https?://)?(?:www\.)?((?:github|gitlab)\.com/[\w.-]+/[\w.-]+?)(?:\.git)?/?", re.IGNORECASE
)
_FIRST_REPOSITORIES = 2009
"""The lists' `github` was filled by a machine that also found repositories for the papers of 1999."""

_ABSTRACT_LENGTH = 40
"""What is shorter is a stub of the extraction: `Part of`, `Discussion of`, `Abstract Unavailable`, an
author's name."""
_SOFT_HYPHEN = re.compile(r"\s*\(cid:173\)\s*")
"""A hyphen at a line's end, as the extraction from old PDFs wrote it."""


class PaperlistsSource:
    """Reads papercopilot's paper lists."""

    info = SourceInfo(
        name=_NAME,
        title="papercopilot paper lists",
        covers="submissions to ICLR, ICML, NeurIPS, ACL and others, with what became of them",
        reads="a .tar.gz of the lists, a folder of them, or one .json",
        example="octavo add paperlists icml2025.json",
        terms="no licence is stated (github.com/papercopilot/paperlists)",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each list as a page, a long one as several.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_list, kind="list of papers such as icml2025.json")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each paper of the page."""
        context = dict(page.context)
        edition = _Edition(context.get("venue", ""), context.get("year", ""))
        yield from entries.parse_entries(array_entries(page), page, "entry", "id", edition.record)


def _is_list(name: str) -> bool:
    return _FILE.fullmatch(name.rpartition("/")[2]) is not None


def _pages(member: Member) -> Iterator[Page]:
    known = _FILE.fullmatch(member.name.rpartition("/")[2])
    context = (("venue", known[1].lower()), ("year", known[2])) if known else ()
    return array_pages(member, context=context)


class _Edition:
    """A venue and year, whose entries become records; nothing is known of them where a file's name says
    nothing."""

    def __init__(self, code: str, year: str) -> None:
        self._code = code
        self._year = int(year) if year else None
        self._short = short_name(code)
        self._prefix = f"{code}{year}/" if code else ""

    def record(self, entry: Entry) -> Record:
        """The record of one entry.

        Raises:
            BadEntry: it makes none.
        """
        title = entries.title(entry, _MARKUP)
        site = entries.url(entry, "site")
        status, award, track = _status(entry, site)
        people, incomplete = _authors(entry)
        area = entries.line(entry, "primary_area")
        year = self._year
        return Record(
            source=_NAME,
            key=self._prefix + (entries.line(entry, "id") or _hash(title, entry)),
            title=title,
            authors=people,
            authors_incomplete=incomplete,
            identifiers=self._identifiers(entry, site),
            abstract=_abstract(entry),
            tldr=entries.text(entry, "tldr", _MARKUP),
            venue=Venue(short=self._short, year=year, track=track) if self._short else None,
            status=status,
            award=award,
            published_on=PartialDate(f"{year:04d}") if year and status == "accepted" else None,
            keywords=_keywords(entry),
            topics=((area,),) if area else (),
            links=self._links(entry, site),
        )

    def _identifiers(self, entry: Entry, site: str) -> tuple[Identifier, ...]:
        found: dict[Identifier, None] = {}
        forum = entries.line(entry, "openreview")
        own = entries.line(entry, "id")
        doi = entries.line(entry, "doi")
        proceeding = entries.url(entry, "proceeding") or entries.url(entry, "oa")
        for identifier in (
            url_id(site) if site else None,
            url_id(proceeding) if proceeding else None,
            openreview_id(known[1]) if (known := _FORUM.match(forum)) else None,
            openreview_id(own) if self._code in _OPENREVIEW_VENUES and _FORUM_ID.fullmatch(own) else None,
            doi_id(doi) if doi else None,
        ):
            if identifier is not None:
                found[identifier] = None
        return tuple(found)

    def _links(self, entry: Entry, site: str) -> tuple[tuple[str, str], ...]:
        repository = _REPOSITORY.fullmatch(entries.line(entry, "github"))
        code = f"https://{repository[1]}" if repository and (self._year or 0) >= _FIRST_REPOSITORIES else ""
        page = site or entries.url(entry, "proceeding") or entries.url(entry, "openreview")
        links = (
            ("page", page),
            ("pdf", entries.url(entry, "pdf")),
            ("code", code),
            ("video", entries.url(entry, "video")),
            ("supplement", entries.url(entry, "supp")),
            ("poster", entries.url(entry, "poster")),
        )
        return tuple(link for link in links if link[1])


def _status(entry: Entry, site: str) -> tuple[str, str, str]:
    """What became of the paper, its distinction and its track, which the lists put into two fields and a
    flag."""
    said = entries.line(entry, "status")
    status, award = parse_decision(said)
    track = entries.line(entry, "track")
    if status in ("", "accepted"):
        track = next((part for part in _TRACKS if f" {said.lower()}".endswith(f" {part}")), track)
    if not status and site.startswith(_PROCEEDINGS):
        status = "accepted"
    if entry.get("award") is True and status == "accepted":
        award = "prize"  # the lists do not say which
    return status, award, track


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    text = entries.line(entry, "author") or entries.line(entry, "authors")
    people, incomplete = parse_authors(text.split(";")) if ";" in text else split_authors(text)
    return tuple(people), incomplete


def _abstract(entry: Entry) -> Text | None:
    value = entries.string(entry, "abstract")
    if len(value) < _ABSTRACT_LENGTH:
        return None
    if "(cid:173)" in value:
        value = _SOFT_HYPHEN.sub("", value)
    return entries.text({"abstract": value}, "abstract", _MARKUP)


def _keywords(entry: Entry) -> tuple[str, ...]:
    text = entries.line(entry, "keywords")
    return tuple(dict.fromkeys(word for part in text.split(";") if (word := part.strip()))) if text else ()


def _hash(title: Text, entry: Entry) -> str:
    """A key for an entry without an id: the same for the same title and authors, in any spelling of the
    title."""
    about = f"{title_key(title.raw)}\n{entries.line(entry, 'author') or entries.line(entry, 'authors')}"
    return f"title-{blake2b(about.encode('utf-8', 'replace'), digest_size=6).hexdigest()}"
