"""OpenAlex's works: one, a page of a list, or lines of its snapshot.

An abstract comes as an index of its words, and is put together again. Lists hold the first 100 authors of a work only.
A date of 1 January is what OpenAlex makes of a bare year. Topics, keywords and concepts are a machine's guesses, and
are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, doi_id, url_id
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources import entries
from octavo.sources.answers import (
    count,
    distinct,
    fetch_answers,
    markup,
    named,
    objects,
    parse_answers,
    part,
    people,
)
from octavo.sources.base import MAX_TEXT, Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry

if TYPE_CHECKING:  # they bring the HTTP client, which reading files does without
    from octavo.sources.lookup import Missing, Wanted
    from octavo.sources.online import Fetcher, Note

_NAME = "openalex"
_MARKS = ('"results"', "openalex.org", '"open_access"')
_WORK = re.compile(r"(?:https?://(?:api\.)?openalex\.org/(?:works/)?)?(W[0-9]{1,12})", re.IGNORECASE)
_AUTHOR = re.compile(r"https?://openalex\.org/(A[0-9]{1,12})")
_NO_PAPERS = frozenset((
    "paratext", "dataset", "peer-review", "grant", "supplementary-materials", "software", "libguides", "standard",
    "retraction", "erratum", "database",
))  # fmt: skip
_AUTHORS_IN_LISTS = 100
_MAX_LOCATIONS = 20
_SURE = frozenset(("arxiv", "openreview", "pmlr", "acl"))
"""Schemes whose pages are of one paper; a repository's own DOI may be of a deposit's version."""
_HEADING = re.compile(
    r"\AABSTRACT[.:]?\s+|\AAbstract[.:]\s+"
    r"|\AAbstract\s+(?=(?:A|An|As|Background|For|In|It|Objectives?|Purpose|The|This|We)\s)"
)
"""A heading that went into the text; `Abstract Meaning Representation` is none."""


class OpenAlexSource:
    """Reads saved answers of OpenAlex's API, and lines of its snapshot."""

    info = SourceInfo(
        name=_NAME,
        title="OpenAlex",
        covers="works of all fields with abstracts, authors and venues",
        reads="saved answers about works: a .json or .jsonl, packed or not, or a folder of them",
        example="octavo add openalex works.json",
        terms="CC0 1.0 (docs.openalex.org)",
        seconds_between_requests=0.1,
    )

    addresses: Mapping[str, str] = {"api": "https://api.openalex.org"}

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the answers of a file, or of the files of a folder, in pages.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_answers(target, _MARKS, "OpenAlex")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each work of the answers."""
        yield from parse_answers(page, "id", _items, _record)

    def look_up(
        self, wanted: Sequence[Wanted], addresses: Mapping[str, str], fetcher: Fetcher, options: Mapping[str, str]
    ) -> Iterator[Page | Note | Missing]:
        """See `octavo.sources.lookup.LookUp`; `octavo.sources.openalex_online` says how it is asked."""
        from octavo.sources.lookup_service import look_up
        from octavo.sources.openalex_online import OpenAlexService

        service = OpenAlexService(self, addresses.get("api", self.addresses["api"]), fetcher, options)
        yield from look_up(service, wanted)


def citations(entry: Entry) -> int | None:
    """How often the work is cited, as OpenAlex counts; None where the answer does not say."""
    return count(entry, "cited_by_count")


def references(entry: Entry) -> tuple[str, ...]:
    """OpenAlex's ids of the works that this one cites, in order; the answer has no other ids of them."""
    value = entry.get("referenced_works")
    if value is None:
        return ()
    if not isinstance(value, list):
        raise BadEntry("referenced_works is not a list")
    found = (_WORK.fullmatch(one) for one in value if isinstance(one, str))
    return tuple(dict.fromkeys(match[1].upper() for match in found if match))


def _items(answer: Entry) -> list[Any] | None:
    items = answer.get("results")
    return items if isinstance(items, list) and "id" not in answer else None


def _record(entry: Entry) -> Record:
    own = entries.line(entry, "id")
    work = _WORK.fullmatch(own)
    if work is None:
        if own or not entry.keys() & {"doi", "title", "display_name", "open_access"}:
            raise BadEntry("not a work of OpenAlex")
        raise BadEntry("no id")
    field = "title" if entry.get("title") else "display_name"
    title = entries.title(entry, markup(entry, field), field)
    kind = entries.line(entry, "type").lower()
    if kind in _NO_PAPERS or entry.get("is_paratext") is True:
        raise BadEntry("not a paper")
    authors, incomplete = _authors(entry)
    first = part(entry, "primary_location")
    venue = _venue(entry, first)
    on = _day(entries.line(entry, "publication_date")) or _year(entry)
    is_preprint = kind == "preprint"
    status = "retracted" if entry.get("is_retracted") is True else "submitted" if is_preprint else ""
    return Record(
        source=_NAME,
        key=work[1].upper(),
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        identifiers=_identifiers(entry, first),
        abstract=_abstract(entry),
        venue=venue,
        status=status or ("accepted" if venue else ""),
        submitted_on=on if is_preprint else None,
        published_on=None if is_preprint else on,
        links=_links(entry, first, work[1].upper()),
        licence=entries.line(first, "license"),
        language=entries.line(entry, "language"),
        # Its references are its own ids only, which no other source knows.
        citations=citations(entry),
    )


def _identifiers(entry: Entry, first: Entry) -> tuple[Identifier, ...]:
    found = [doi_id(entries.line(entry, "doi")), doi_id(entries.line(part(entry, "ids"), "doi"))]
    for location in (first, *objects(entry, "locations")[:_MAX_LOCATIONS]):
        for field in ("landing_page_url", "pdf_url"):
            identifier = url_id(entries.url(location, field))
            if identifier is not None and identifier.scheme in _SURE:
                found.append(identifier)
    return distinct(found)


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    authorships = objects(entry, "authorships")
    authors, incomplete = people(map(_author, authorships))
    # Of exactly 100 nothing tells whether they are all; an answer about one work has more.
    cut = len(authorships) == _AUTHORS_IN_LISTS or entry.get("is_authors_truncated") is True
    return authors, incomplete or cut or (count(entry, "authors_count") or 0) > len(authorships)


def _author(authorship: Entry) -> Author:
    who = part(authorship, "author")
    places = [entries.line(place, "display_name") for place in objects(authorship, "institutions")]
    own = _AUTHOR.fullmatch(entries.line(who, "id"))
    return named(
        entries.line(who, "display_name") or entries.line(authorship, "raw_author_name"),
        ids=(f"{_NAME}:{own[1]}",) if own else (),
        orcid=entries.line(who, "orcid"),
        affiliations=places,
    )


def _abstract(entry: Entry) -> Text | None:
    """The abstract, from the places of each of its words.

    Raises:
        BadEntry: the index is none, or the text would be longer than MAX_TEXT.
    """
    index = part(entry, "abstract_inverted_index")
    length = 0
    words: dict[int, str] = {}
    for word, places in index.items():
        if not isinstance(places, list):
            raise BadEntry("abstract_inverted_index is no index")
        # Before anything is made: a short index may stand for a text of any length.
        length += (len(word) + 1) * len(places)
        if length > MAX_TEXT:
            raise BadEntry(f"abstract is longer than {MAX_TEXT:,} characters")
        for place in places:
            if not isinstance(place, int) or isinstance(place, bool):
                raise BadEntry("abstract_inverted_index is no index")
            words.setdefault(place, word)
    text = {"abstract": _HEADING.sub("", " ".join(words[place] for place in sorted(words)), count=1)}
    return entries.text(text, "abstract", markup(text, "abstract"))


def _venue(entry: Entry, first: Entry) -> Venue | None:
    """The journal or the proceedings; where a work lies in a repository only, it has not appeared."""
    source = part(first, "source")
    name = entries.line(source, "display_name")
    if not name or entries.line(source, "type") in ("repository", "metadata", "other"):
        return None
    biblio = part(entry, "biblio")
    begins, ends = entries.number_text(biblio, "first_page"), entries.number_text(biblio, "last_page")
    return Venue(
        name=name,
        short=entries.line(source, "abbreviated_title"),
        year=entries.year(entry, "publication_year"),
        volume=entries.number_text(biblio, "volume"),
        number=entries.number_text(biblio, "issue"),
        pages=f"{begins}-{ends}" if begins and ends and begins != ends else begins,
        publisher=entries.line(source, "host_organization_name"),
    )


def _day(text: str) -> PartialDate | None:
    on = parse_date(text)
    return PartialDate(on[:4]) if on and on[4:] == "-01-01" else on


def _year(entry: Entry) -> PartialDate | None:
    year = entries.year(entry, "publication_year")
    return PartialDate(f"{year:04d}") if year else None


def _links(entry: Entry, first: Entry, work: str) -> tuple[tuple[str, str], ...]:
    best = part(entry, "best_oa_location")
    page = entries.url(first, "landing_page_url") or entries.url(entry, "doi") or f"https://openalex.org/{work}"
    pdf = entries.url(best, "pdf_url") or entries.url(first, "pdf_url")
    return (("page", page), *((("pdf", pdf),) if pdf else ()))
