"""Semantic Scholar's answers.

Their Graph API gives a paper, a page of a search (`{"data": [...]}`), a batch by position with nulls for what was not
found, the citations or references of a paper, and an author's papers. What a machine made of a paper is not read
(`tldr`, fields of study, embeddings), nor what is said of persons beside their names. Ids move when records are
merged there, so an answer may carry another id than was asked for: see `aligned`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.errors import FormatError, IdentifierError
from octavo.records.dates import parse_date
from octavo.records.ids import Identifier, arxiv_id, doi_id, parse_identifier
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.sources import entries
from octavo.sources.answers import (
    cited,
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
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry

if TYPE_CHECKING:  # they bring the HTTP client, which reading files does without
    from octavo.sources.lookup import Missing, Wanted
    from octavo.sources.online import Fetcher, Note

_NAME = "semanticscholar"
_MARKS = ('"paperId"', '"data"', '"citingPaper"', '"citedPaper"', '"recommendedPapers"')
_LISTS = ("data", "recommendedPapers", "papers")
_WRAPPED = ("citingPaper", "citedPaper")
_PREPRINTS = frozenset(("arxiv", "arxiv.org", "biorxiv", "medrxiv", "ssrn electronic journal", "research square"))
_ACRONYM = re.compile(r"[A-Z][A-Za-z0-9&-]*[A-Z][A-Za-z0-9&-]*")
_MAX_ACRONYM = 12


class SemanticScholarSource:
    """Reads saved answers of Semantic Scholar's Graph API."""

    info = SourceInfo(
        name=_NAME,
        title="Semantic Scholar",
        covers="papers of all fields with abstracts, identifiers and venues",
        reads="saved answers of its API: a .json or .jsonl, packed or not, or a folder of them",
        example="octavo add semanticscholar papers.json",
        terms="API licence (semanticscholar.org/product/api/license): attribution, non-commercial for some fields",
        seconds_between_requests=1.0,
    )

    addresses: Mapping[str, str] = {"graph": "https://api.semanticscholar.org/graph/v1"}

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the answers of a file, or of the files of a folder, in pages.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_answers(target, _MARKS, "Semantic Scholar")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each paper of the answers; of a null, the fault `not found`."""
        yield from parse_answers(page, "paperId", _items, _record)

    def look_up(
        self, wanted: Sequence[Wanted], addresses: Mapping[str, str], fetcher: Fetcher, options: Mapping[str, str]
    ) -> Iterator[Page | Note | Missing]:
        """See `octavo.sources.lookup.LookUp`; `octavo.sources.semanticscholar_online` says how it is asked."""
        from octavo.sources.lookup_service import look_up
        from octavo.sources.semanticscholar_online import SemanticScholarService

        service = SemanticScholarService(self, addresses.get("graph", self.addresses["graph"]), fetcher, options)
        yield from look_up(service, wanted)


def aligned(requested: Sequence[str], answer: object) -> tuple[tuple[str, str | None], ...]:
    """Pair each id that a batch asked for with the id of the paper that was given for it, by position.

    None where it was not found. The two differ where an id of another kind was asked for, and where the record was
    merged into another since: then the first is an alias of the second.

    >>> aligned(["A", "B", "C"], [{"paperId": "A2"}, None, {"paperId": "C"}])
    (('A', 'A2'), ('B', None), ('C', 'C'))

    Raises:
        FormatError: the answer is no list of as many papers.
    """
    if not isinstance(answer, list) or len(answer) != len(requested):
        raise FormatError(f"The batch's answer is no list of {len(requested)} papers.", hint="Ask again.")
    given = [paper.get("paperId") if isinstance(paper, dict) else None for paper in answer]
    return tuple(
        (asked, got if isinstance(got, str) and got else None) for asked, got in zip(requested, given, strict=True)
    )


def citations(entry: Entry) -> int | None:
    """How often the paper is cited, as Semantic Scholar counts; None where the answer does not say."""
    return count(entry, "citationCount")


def references(entry: Entry) -> tuple[Identifier, ...]:
    """What the paper cites: the best identifier of each reference that has one, in order."""
    return cited(entry, "references", lambda one: next(iter(_identifiers(one)), None))


def _items(answer: Entry) -> list[Any] | None:
    """The papers of an answer that holds several; None where it is itself one."""
    if "title" in answer and "paperId" in answer:
        return None
    found = next((answer[name] for name in _LISTS if isinstance(answer.get(name), list)), None)
    return found if found is None else [_unwrapped(item) for item in found]


def _unwrapped(item: Any) -> Any:
    """The paper inside a citation or a reference."""
    if isinstance(item, dict) and "paperId" not in item:
        return next((item[name] for name in _WRAPPED if name in item), item)
    return item


def _record(entry: Entry) -> Record:
    entry = _unwrapped(entry)
    if not isinstance(entry, dict) or not entry.keys() & {"paperId", "title", "externalIds"}:
        raise BadEntry("no paper of Semantic Scholar")
    key = entries.line(entry, "paperId")
    if not key:
        raise BadEntry("no paperId")
    venue = _venue(entry)
    people, incomplete = _authors(entry)
    day = parse_date(entries.line(entry, "publicationDate"))
    pdf = entries.url(part(entry, "openAccessPdf"), "url")
    return Record(
        source=_NAME,
        key=key,
        title=entries.title(entry, markup(entry, "title")),
        authors=people,
        authors_incomplete=incomplete,
        identifiers=_identifiers(entry),
        abstract=entries.text(entry, "abstract", markup(entry, "abstract")),
        venue=venue,
        # Their date is the first of all versions: the preprint's, where there is no venue.
        submitted_on=None if venue else day,
        published_on=day if venue else None,
        links=(("page", f"https://www.semanticscholar.org/paper/{key}"), *((("pdf", pdf),) if pdf else ())),
        references=references(entry),
        citations=citations(entry),
    )


def _identifiers(entry: Entry) -> tuple[Identifier, ...]:
    """The identifiers of the schemes that Octavo knows, best first."""
    ids = part(entry, "externalIds")
    if not isinstance(ids.get("ArXiv"), str | None):
        raise BadEntry("externalIds.ArXiv is a number, which loses zeros")
    doi = entries.string(ids, "DOI")
    arxiv = entries.string(ids, "ArXiv")
    found = [arxiv_id(arxiv), _prefixed("acl", ids, "ACL"), doi_id(doi), _prefixed("dblp", ids, "DBLP")]
    return distinct(found)


def _prefixed(scheme: str, ids: Entry, field: str) -> Identifier | None:
    value = entries.line(ids, field)
    try:
        identifier = parse_identifier(f"{scheme}:{value}")[0] if value else None
    except IdentifierError:
        return None
    return identifier if identifier and identifier.scheme == scheme else None


def _authors(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    return people(
        named(
            entries.line(one, "name"), ids=(f"{_NAME}:{own}",) if (own := entries.number_text(one, "authorId")) else ()
        )
        for one in objects(entry, "authors")
    )


def _venue(entry: Entry) -> Venue | None:
    """Where it appeared; nothing for the places where preprints are kept."""
    known, journal = part(entry, "publicationVenue"), part(entry, "journal")
    name = entries.line(entry, "venue") or entries.line(known, "name") or entries.line(journal, "name")
    if not name or name.lower() in _PREPRINTS:
        return None
    others = known.get("alternate_names")
    names = [name, *(other for other in others if isinstance(other, str))] if isinstance(others, list) else [name]
    short = next((one for one in names if len(one) <= _MAX_ACRONYM and _ACRONYM.fullmatch(one)), "")
    return Venue(
        name=name,
        short=short,
        year=entries.year(entry, "year"),
        volume=entries.number_text(journal, "volume"),
        pages=" ".join(entries.line(journal, "pages").split()),
    )
