"""Crossref's answers about works: one, a page of a search, or its public data file.

What is known of them: titles are lists and hold MathML; abstracts are JATS; entities are escaped twice; dates are
lists of numbers with nulls in them, and the registry's own dates (`created`, `deposited`, `indexed`) say nothing of
the paper. DOIs of arXiv's are read as arXiv ids. A notice names the paper that it is about under `update-to`, the
paper its notices under `updated-by`; only a retraction makes a paper retracted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, arxiv_id, doi_id, find_identifiers
from octavo.records.names import Author, author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources import entries
from octavo.sources.answers import cited, count, distinct, fetch_answers, named, objects, parse_answers, part, people
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry

if TYPE_CHECKING:  # they bring the HTTP client, which reading files does without
    from octavo.sources.lookup import Missing, Wanted
    from octavo.sources.online import Fetcher, Note

_NAME = "crossref"
_MARKS = ('"DOI"', '"message-type"', '"container-title"')

_PUBLISHED = frozenset(("journal-article", "proceedings-article"))
_PAPERS = _PUBLISHED | {
    "book-chapter", "book-section", "book-part", "posted-content", "dissertation", "report", "report-component",
    "monograph", "book", "other", "",
}  # fmt: skip
"""Types of works that are papers; journals, volumes, data sets, figures, reviews and grants are none."""
_FURNITURE = re.compile(
    r"(?:front|back)\s?matter|(?:table of )?contents|title page|cover(?: page)?|copyright(?: page| notice)?"
    r"|(?:author|subject|keyword) index|index|masthead|proceedings front\s?matter",
    re.IGNORECASE,
)
"""Titles of what stands around the papers of a volume; it has no authors."""

_FATES = {"retraction": "retracted", "withdrawal": "withdrawn", "removal": "withdrawn"}
"""What a notice makes of a paper; any other, a correction or an expression of concern, leaves it as it is."""
_RETRACTED_TITLE = re.compile(r"\W*RETRACTED\b")
_MAX_NOTICES = 5
_ABSTRACT_HEADING = re.compile(r"\A\s*<(jats:)?title>\s*(?:abstract|summary)[.:]?\s*</(?:jats:)?title>", re.IGNORECASE)
_EDITION_MARK = re.compile(r"[\s’'`-]*(?:19|20)?\d\d$")
_VERSIONS_OF_ONE_WORK = ("has-preprint", "is-preprint-of")
_MAX_RELATED = 4
_REFERENCE_TEXTS = ("journal-title", "unstructured", "volume-title")
_MAX_REFERENCE = 2_000
"""Characters of a reference's text; a longer one is a whole list."""
_DATES = ("issued", "published", "published-online", "published-print")


class CrossrefSource:
    """Reads saved answers of Crossref's REST API."""

    info = SourceInfo(
        name=_NAME,
        title="Crossref",
        covers="works with a DOI, as their publishers registered them",
        reads="saved answers of its API: a .json or .jsonl, packed or not, or a folder of them",
        example="octavo add crossref works.json",
        terms="metadata are facts, free to use; abstracts remain their publishers' (crossref.org/documentation)",
        seconds_between_requests=0.1,
    )

    addresses: Mapping[str, str] = {"api": "https://api.crossref.org"}

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the answers of a file, or of the files of a folder, in pages.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_answers(target, _MARKS, "Crossref")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each work of the answers."""
        yield from parse_answers(page, "DOI", _items, _record)

    def look_up(
        self, wanted: Sequence[Wanted], addresses: Mapping[str, str], fetcher: Fetcher, options: Mapping[str, str]
    ) -> Iterator[Page | Note | Missing]:
        """See `octavo.sources.lookup.LookUp`; `octavo.sources.crossref_online` says how it is asked."""
        from octavo.sources.crossref_online import CrossrefService
        from octavo.sources.lookup_service import look_up

        service = CrossrefService(self, addresses.get("api", self.addresses["api"]), fetcher, options)
        yield from look_up(service, wanted)


def citations(entry: Entry) -> int | None:
    """How often the work is cited, as Crossref counts; None where the answer does not say."""
    return count(entry, "is-referenced-by-count")


def references(entry: Entry) -> tuple[Identifier, ...]:
    """What the work cites, in order, as far as its references have a DOI, or name a paper on arXiv in their text."""
    return cited(entry, "reference", _cited)


def _cited(reference: Entry) -> Identifier | None:
    if doi := reference.get("DOI"):
        return doi_id(doi)
    # Preprints have no DOI with Crossref, which hence finds none for them.
    for field in _REFERENCE_TEXTS:
        text = reference.get(field)
        if isinstance(text, str) and len(text) <= _MAX_REFERENCE and "arxiv" in text.lower():
            named = [name for name, _ in find_identifiers(text) if name.scheme == "arxiv"]
            if len(named) == 1:
                return named[0]
    return None


def _items(answer: Entry) -> list[Any] | None:
    """The works of an answer that holds several, or of the envelope of one; None where it is itself a work."""
    message = answer.get("message")
    if isinstance(message, dict):
        items = message.get("items")
        return items if isinstance(items, list) else [message]
    items = answer.get("items")
    return items if isinstance(items, list) else None


def _record(entry: Entry) -> Record:
    doi = entries.line(entry, "DOI")
    if not doi:
        raise BadEntry("no DOI")
    identifier = doi_id(doi)
    if identifier is None:
        raise BadEntry("DOI is no DOI")
    kind = entries.line(entry, "type")
    if kind not in _PAPERS:
        raise BadEntry("not a paper")
    title = _title(entry)
    authors, incomplete = _authors(entry)
    if not authors and _FURNITURE.fullmatch(title.plain):
        raise BadEntry("not a paper")
    on = _first_date(entry, _DATES)
    is_preprint = kind == "posted-content"
    posted = _first_date(entry, ("posted",)) or on if is_preprint else None
    status, comment = _fate(entry, identifier, title)
    if not status:
        status = "submitted" if is_preprint else "accepted" if kind in _PUBLISHED else ""
    return Record(
        source=_NAME,
        key=doi.lower(),
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        identifiers=distinct((identifier, *_related(entry))),
        abstract=_abstract(entry),
        venue=None if is_preprint else _venue(entry, kind, on),
        status=status,
        submitted_on=posted,
        published_on=None if is_preprint else on,
        links=_links(entry, identifier),
        comment=comment,
        licence=_licence(entry),
        language=entries.line(entry, "language"),
        references=references(entry),
        citations=citations(entry),
    )


def _first(entry: Entry, field: str) -> str:
    """The first text of a field that is a list of texts, or the text that it is."""
    value = entry.get(field)
    if isinstance(value, list):
        return entries.string({field: value[0]}, field) if value else ""
    return entries.string(entry, field)


def _markup(raw: str) -> str:
    """Crossref's texts are XML; a formula in TeX was left by a publisher who knew no better."""
    return "mixed" if "$" in raw and "<" not in raw else "xml"


def _title(entry: Entry) -> Text:
    title, subtitle = _first(entry, "title"), _first(entry, "subtitle")
    made = Text.of(title, _markup(title))
    if not made.plain:
        raise BadEntry("no title")
    added = Text.of(subtitle, _markup(subtitle)).plain
    if not added or added.lower() in made.plain.lower():
        return made
    whole = f"{made.raw}{'' if made.raw.endswith((':', '?', '!')) else ':'} {subtitle}"
    return Text.of(whole, _markup(whole))


def _abstract(entry: Entry) -> Text | None:
    value = _ABSTRACT_HEADING.sub("", entries.string(entry, "abstract"), count=1)
    made = entries.text({"abstract": value}, "abstract", _markup(value))
    # What stands for an absent one may do so inside an element.
    return made if made and entries.text({"abstract": made.plain}, "abstract", "plain") else None


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    return people(_author(one) for one in objects(entry, "author"))


def _author(one: Entry) -> Author:
    """A person in parts, or a team."""
    family, given, suffix, name = (one.get(field) or "" for field in ("family", "given", "suffix", "name"))
    orcid = one.get("ORCID")
    entries.check_name((family, given, suffix, name), "author")
    places = [place.get("name") for place in objects(one, "affiliation")]
    details: dict[str, Any] = {
        "orcid": orcid if isinstance(orcid, str) else "",
        "affiliations": [place for place in places if isinstance(place, str)],
    }
    if not (family or given):
        return named(name, **details)
    return named("") if "@" in family + given else author(given, family, suffix=suffix, **details)


def _related(entry: Entry) -> list[Identifier | None]:
    """The identifiers of the same work before or after its printing."""
    found: list[Identifier | None] = []
    relation = part(entry, "relation")
    for name in _VERSIONS_OF_ONE_WORK:
        for other in objects(relation, name)[:_MAX_RELATED]:
            value, kind = entries.line(other, "id"), entries.line(other, "id-type")
            found.append(arxiv_id(value) if kind == "arxiv" else doi_id(value) if kind == "doi" else None)
    return found


def _fate(entry: Entry, own: Identifier, title: Text) -> tuple[str, str]:
    """What notices made of the work, and all notices, for the comment."""
    status = "retracted" if _RETRACTED_TITLE.match(title.plain) else ""
    notes: dict[str, None] = {}
    for field, says in (("updated-by", "Has"), ("update-to", "Notice of")):
        for notice in objects(entry, field):
            kind = entries.line(notice, "type").lower().replace("-", "_")
            status = status or _FATES.get(kind, "")
            other = doi_id(entries.line(notice, "DOI"))
            if kind and other and other != own and len(notes) < _MAX_NOTICES:
                notes[f"{says} {kind.replace('_', ' ')}: {other.url}"] = None
    return status, "; ".join(notes)


def _venue(entry: Entry, kind: str, on: PartialDate | None) -> Venue | None:
    titles, event = entry.get("container-title"), part(entry, "event")
    # A chapter's first is the series (Lecture Notes), the last one its book.
    names = titles if isinstance(titles, list) else [titles] if titles else []
    name = _plain(names[0] if kind == "journal-article" else names[-1]) if names else ""
    name = name or _plain(event.get("name") or "")
    short = "" if kind == "journal-article" else _EDITION_MARK.sub("", entries.line(event, "acronym"))
    short = short or (_plain(_first(entry, "short-container-title")) if kind == "journal-article" else "")
    held = _date(event.get("start"))
    year = held or on
    pages = entries.number_text(entry, "page") or entries.number_text(entry, "article-number")
    if not (name or short):
        return None
    return Venue(
        name=name,
        short=short,
        year=year.year if year else None,
        volume=entries.number_text(entry, "volume"),
        number=entries.number_text(entry, "issue"),
        pages=pages,
        publisher=_plain(entries.string(entry, "publisher")),
    )


def _plain(value: object) -> str:
    """A name in plain text, from XML."""
    return Text.of(entries.string({"container-title": value}, "container-title"), "xml").plain


def _first_date(entry: Entry, fields: tuple[str, ...]) -> PartialDate | None:
    return next((on for field in fields if (on := _date(entry.get(field)))), None)


def _date(value: object) -> PartialDate | None:
    """A date of `{"date-parts": [[2031, 5, null]]}`, as far as it is known."""
    parts = value.get("date-parts") if isinstance(value, dict) else None
    first = parts[0] if isinstance(parts, list) and parts else None
    if not isinstance(first, list):
        return None
    known: list[int] = []
    for number in first[:3]:
        if not isinstance(number, int | str) or isinstance(number, bool) or not str(number)[:4].isdecimal():
            break
        known.append(int(str(number)[:4]))
    return parse_date(known) if known else None


def _links(entry: Entry, identifier: Identifier) -> tuple[tuple[str, str], ...]:
    pdf = ""
    for link in objects(entry, "link"):
        # Others are made for machines that compare texts; readers can't open them.
        if link.get("content-type") == "application/pdf" and link.get("intended-application") != "similarity-checking":
            pdf = pdf or entries.url(link, "URL")
    return (("page", identifier.url), *((("pdf", pdf),) if pdf else ()))


def _licence(entry: Entry) -> str:
    """The address of the licence for readers: Creative Commons' before a publisher's own."""
    found = [url for one in objects(entry, "license") if (url := entries.url(one, "URL"))]
    return next((url for url in found if "creativecommons.org" in url), found[0] if found else "")
