"""The ML Anthology's paper lists: one gzipped JSON file a venue and year, of the proceedings of machine
learning.

Each file is `{"venue", "year", "papers": [...]}`. An empty string stands for an absent value. Titles and
abstracts mix TeX, Markdown and HTML, as the proceedings did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier, doi_id, openreview_id, url_id
from octavo.records.names import Author, author
from octavo.records.paper import Record, Venue
from octavo.records.venues import short_name
from octavo.sources import entries, github, mlanthology_online
from octavo.sources.arrays import array_entries, array_pages
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry
from octavo.sources.online import Ask, Fetcher
from octavo.sources.streams import Member, fetch_pages

_NAME = "mlanthology"
_MARKUP = "mixed"
_LIST = "papers"
# A DOI of Springer's that ends behind the volume's number names the volume; its chapters have `_7` behind it.
_VOLUME_DOI = re.compile(r"10\.1007/978-[\d-]+")
_FORUM = re.compile(r"https?://openreview\.net/forum\?id=([A-Za-z0-9_-]+)")


class MLAnthologySource:
    """Reads the ML Anthology's lists: files, or from its repository over the network."""

    addresses: Mapping[str, str] = mlanthology_online.ADDRESSES
    wants = mlanthology_online.WANTS

    info = SourceInfo(
        name=_NAME,
        title="ML Anthology paper lists",
        covers="proceedings of NeurIPS, ICML, ICLR, CVPR, JMLR, TMLR and ten more venues, with abstracts",
        reads="the .tar of the lists, a folder of them, or one .json.gz",
        example="octavo add mlanthology mlanthology-2026-03.tar",
        terms="Apache-2.0 for the lists (github.com/rbnyng/mlanthology); texts are their authors'",
        seconds_between_requests=github.RATE,
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each list as a page, a long one as several.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_list, kind="list of papers (.json or .json.gz)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each paper of the page."""
        yield from entries.parse_entries(array_entries(page, _LIST), page, "entry", "bibtex_key", _record)

    def want(self, text: str) -> str:
        """`icml-2025`, `icml` or `all`; see `octavo.sources.mlanthology_online.want`."""
        return mlanthology_online.want(text)

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page]:
        """Yield the lists that are wanted, a long one as several pages; see `OnlineSource.harvest`."""
        yield from mlanthology_online.harvest(ask, fetcher, _pages)


def _is_list(name: str) -> bool:
    base = name.rpartition("/")[2].lower()
    return base.endswith((".json", ".json.gz")) and not base.startswith(".")


def _pages(member: Member) -> Iterator[Page]:
    return array_pages(member, _LIST)


def _record(entry: Entry) -> Record:
    source, source_id = entries.line(entry, "source"), entries.line(entry, "source_id")
    key = entries.line(entry, "bibtex_key") or (f"{source}:{source_id}" if source_id else "")
    title = entries.title(entry, _MARKUP)
    if not key:
        raise BadEntry("no key")
    code = entries.line(entry, "venue")
    year = entries.year(entry, "year")
    page = entries.url(entry, "venue_url")
    links = (
        ("page", page),
        ("pdf", entries.url(entry, "pdf_url")),
        ("code", entries.url(entry, "code_url")),
    )
    return Record(
        source=_NAME,
        key=key,
        title=title,
        authors=_authors(entry),
        identifiers=_identifiers(entry, page, source, source_id),
        abstract=entries.text(entry, "abstract", _MARKUP),
        venue=Venue(
            name=entries.line(entry, "venue_name"),
            short=short_name(code),
            year=year,
            volume=entries.number_text(entry, "volume"),
            number=entries.number_text(entry, "number"),
            pages=entries.number_text(entry, "pages"),
            track="open source software" if code.lower() == "mloss" else "",
        )
        if code or year
        else None,
        status="accepted",
        published_on=PartialDate(f"{year:04d}") if year else None,
        links=tuple(link for link in links if link[1]),
    )


def _authors(entry: Entry) -> tuple[Author, ...]:
    value = entry.get("authors") or ()
    if not isinstance(value, list | tuple):
        raise BadEntry("authors is not a list")
    people = []
    for person in value:
        if not isinstance(person, dict):
            raise BadEntry("authors holds what is not an object")
        given, family = person.get("given") or "", person.get("family") or ""
        entries.check_name((given, family), "authors")
        made = author(given, family)
        if made.name:
            people.append(made)
    return tuple(people)


def _identifiers(entry: Entry, page: str, source: str, source_id: str) -> tuple[Identifier, ...]:
    found: dict[Identifier, None] = {}
    of_page = url_id(page) if page else None
    doi = doi_id(entries.line(entry, "doi"))
    forum = entries.line(entry, "openreview_url")
    for identifier in (
        of_page,
        doi if doi and not _VOLUME_DOI.fullmatch(doi.value) else None,
        openreview_id(known[1] if (known := _FORUM.fullmatch(forum)) else forum) if forum else None,
        _of_source(source, source_id) if of_page is None or of_page.scheme != source else None,
    ):
        if identifier is not None:
            found[identifier] = None
    return tuple(found)


def _of_source(source: str, source_id: str) -> Identifier | None:
    """What the list's own source called the paper, where that is an identifier: of OpenReview or of PMLR."""
    if source == "openreview":
        return openreview_id(source_id)
    return url_id(f"https://proceedings.mlr.press/{source_id}.html") if source == "pmlr" and source_id else None
