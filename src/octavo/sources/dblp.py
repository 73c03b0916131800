"""DBLP: its dump in XML, parts of it, and the answers of its search in JSON.

The dump is read as it streams: records are many millions. DBLP numbers persons of one name (`Wei Example 0001`):
the number is kept in `Author.ids` and not shown. A preprint's record (`journals/corr/...`) names the arXiv paper
and no venue. Volumes, persons' pages and data sets are no papers and passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from octavo.errors import FormatError
from octavo.records.dates import PartialDate, parse_date
from octavo.records.ids import Identifier, also_known_as, arxiv_id, doi_id, url_id
from octavo.records.names import Author, normal_orcid, parse_author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.records.venues import short_name
from octavo.sources import entries
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry, cleaned
from octavo.sources.streams import Member, fetch_pages, whole_page
from octavo.sources.xml_stream import (
    Element,
    Piece,
    Shape,
    element_pages,
    flat_text,
    inner_xml,
    page_encoding,
    page_pieces,
    read_element,
)

if TYPE_CHECKING:  # the network's modules take their time, and files are read without them
    from octavo.sources.online import Ask, Fetcher, Note

_NAME = "dblp"
_SHAPE = Shape(
    form="DBLP's XML",
    roots=("dblp", "dblpperson"),
    entries=("article", "inproceedings", "incollection", "book", "phdthesis", "mastersthesis"),
)
_MAX_ANSWER = 32 * 1024 * 1024
_MAX_ADDRESSES = 50
_MAX_SHORT = 40
_HINT = "Is it another source's? `octavo add --help` lists them."
_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_PID = re.compile(r"[\w./-]{1,40}", re.ASCII)
_KEY_ATTRIBUTE = re.compile(rb"\bkey\s*=\s*[\"']([!-~]{1,200}?)[\"']")
_KEY = re.compile(r"[A-Za-z]+/[!-~]{1,200}")
_PART = re.compile(r"(.{2,60}?)\s*\(([^()]{1,40})\)")
_CORR = "journals/corr/"
_NOTES = "dblpnote/"
"""Keys of records that stand for something else: an erratum's note, a paper that never appeared."""
_THESES = {"phdthesis": "PhD thesis", "mastersthesis": "Master's thesis"}
_JOURNALS = {"dmlr": "DMLR", "jmlr": "JMLR", "pami": "TPAMI", "tacl": "TACL", "tmlr": "TMLR"}
_TYPES = {
    "Journal Articles": "article",
    "Conference and Workshop Papers": "inproceedings",
    "Parts in Books or Collections": "incollection",
    "Reference Works": "incollection",
    "Books and Theses": "book",
    "Informal and Other Publications": "article",
    "Informal Publications": "article",
}
_TYPES_PASSED_OVER = ("Editorship", "Data and Artifacts", "Coordination Notices")
_SCHEMES = frozenset({"arxiv", "openreview", "pmlr", "acl", "doi"})


class DBLPSource:
    """Reads DBLP's XML and the JSON of its search."""

    info = SourceInfo(
        name=_NAME,
        title="DBLP",
        covers="computer science's papers of all publishers, without abstracts",
        reads="the dump (dblp.xml.gz), a part of it, or a saved answer of the search API in JSON",
        example="octavo add dblp dblp.xml.gz",
        terms="CC0 1.0 (dblp.org/faq/Under+what+license+is+the+data+from+dblp+released)",
        seconds_between_requests=2.0,
    )
    addresses: Mapping[str, str] = {"api": "https://dblp.org/search/publ/api", "dump": "https://dblp.org/xml"}
    wants = "an edition, a conference or journal, or a query: conf/icml/2025, stream:conf/icml, query:tiling year:2025:"

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the records in pages of about a megabyte; an answer in JSON is one page.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams` and `octavo.sources.xml_stream`.
        """
        yield from fetch_pages(target, _pages, _is_wanted, kind="file of DBLP (.xml, .xml.gz or .json)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each publication of the page.

        Raises:
            FormatError: JSON, but no answer of DBLP's search.
        """
        if page.content[:64].lstrip()[:1] == b"{":
            yield from entries.parse_entries(_hits(page), page, "hit", "key", _record_of_hit)
            return
        encoding = page_encoding(page)
        for piece in page_pieces(page, _SHAPE):
            try:
                record = _record(read_element(piece, encoding))
            except BadEntry as bad:
                yield Fault(f"{page.place}, line {piece.line}", str(bad), _name_of(piece))
                continue
            if record is not None:
                yield record

    def want(self, text: str) -> str:
        """The one form of an edition, a conference or journal, or a query; see `octavo.sources.dblp_online`.

        Raises:
            UsageError: it is none; or the dump, which is too large to be fetched.
        """
        from octavo.sources.dblp_online import want

        return want(text)

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
        """Yield what is wanted; see `OnlineSource.harvest` and `octavo.sources.dblp_online`."""
        from octavo.sources.dblp_online import harvest

        yield from harvest(ask, fetcher, self.info.seconds_between_requests)


def _pages(member: Member) -> Iterator[Page]:
    if member.stream.peek(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{":
        yield whole_page(member, limit=_MAX_ANSWER)
    else:
        yield from element_pages(member, _SHAPE)


def _is_wanted(name: str) -> bool:
    return name.lower().endswith((".xml", ".xml.gz", ".json", ".json.gz"))


# Both forms


def _made(
    *,
    key: str,
    kind: str,
    title: str,
    markup: str,
    people: Iterable[Author],
    venue: Venue,
    addresses: list[str],
    dois: Iterable[str] = (),
    withdrawn: bool = False,
    seen_on: PartialDate | None = None,
) -> Record:
    """A record of what either form says.

    Raises:
        BadEntry: no key or no title.
    """
    if not _KEY.fullmatch(key):
        raise BadEntry("no key")
    text = Text.of(_without_dot(title.strip()), markup)
    if not text.plain:
        raise BadEntry("no title")
    identifiers = _identifiers(key, addresses, dois)
    # Where arXiv is the only place, that is no venue: the paper may have appeared elsewhere.
    is_preprint = key.startswith(_CORR)
    status = "submitted" if is_preprint else "accepted" if kind in ("article", "inproceedings") else ""
    return Record(
        source=_NAME,
        key=key,
        title=text,
        authors=tuple(person for person in people if person.name),
        identifiers=identifiers,
        venue=None if is_preprint else venue,
        status="withdrawn" if withdrawn else status,
        submitted_on=_month_of(identifiers, venue.year) if is_preprint else None,
        links=_links(key, addresses),
        seen_on=seen_on,
    )


def _without_dot(title: str) -> str:
    """DBLP ends each title with a dot; three of them are the title's own."""
    return title[:-1].rstrip() if title.endswith(".") and not title.endswith("..") else title


def _identifiers(key: str, addresses: Iterable[str], dois: Iterable[str]) -> tuple[Identifier, ...]:
    own = url_id(f"https://dblp.org/rec/{key}")
    found = [own] if own and own.scheme == _NAME else []
    found += [known for one in found for known in also_known_as(one)]
    found += [doi for text in dois if (doi := doi_id(text))]
    found += [one for address in addresses if (one := url_id(address)) and one.scheme in _SCHEMES]
    return tuple(dict.fromkeys(found))


def _month_of(identifiers: Iterable[Identifier], year: int | None) -> PartialDate | None:
    """When a preprint came: its arXiv id begins with year and month."""
    for identifier in identifiers:
        digits = identifier.value.rpartition("/")[2] if identifier.scheme == "arxiv" else ""
        if year and digits[:2] == f"{year % 100:02}" and (date := parse_date(f"{year}-{digits[2:4]}")):
            return date
    return parse_date(year)


def _links(key: str, addresses: Iterable[str]) -> tuple[tuple[str, str], ...]:
    links: dict[str, str] = {}
    for address in addresses:
        kind = "pdf" if address.lower().endswith(".pdf") or "/pdf/" in address else "page"
        if "wikidata.org/" not in address:
            links.setdefault(kind, address)
    links.setdefault("page", f"https://dblp.org/rec/{key}")
    return tuple(links.items())


def _venue(name: str, key: str, kind: str, **about: Any) -> Venue:
    """The venue of a record. DBLP's name of a conference is its short name: `EMNLP/IJCNLP (Findings)`."""
    if kind in _THESES:
        return Venue(name=name, track=_THESES[kind], **about)
    if kind == "article":
        return Venue(name=name, short=_JOURNALS.get(key.split("/")[1] if "/" in key else "", ""), **about)
    if kind != "inproceedings":
        return Venue(name=name, **about)
    part = _PART.fullmatch(name)
    first = (part[1] if part else name).partition("/")[0].rstrip()
    known = short_name(first)
    short = first if known == first.upper() else known
    track = part[2].lower() if part and not part[2].isdigit() else ""
    return Venue(name=name, short=short if len(short) <= _MAX_SHORT else "", track=track, **about)


# XML


def _record(element: Element) -> Record | None:
    """The record of a publication; None where it is no paper."""
    key, kind = element.get("key") or "", element.tag
    fields: dict[str, list[Element]] = {}
    for child in element:
        fields.setdefault(child.tag, []).append(child)
    if key.startswith(_NOTES) or (kind == "book" and "author" not in fields):
        return None
    title = fields.get("title", [None])[0]
    addresses = _addresses(map(_line, fields.get("ee", ())))
    pages, volume = _first(fields, "pages"), _first(fields, "volume")
    if key.startswith(_CORR) and not any(map(arxiv_id, addresses)) and volume.startswith("abs/"):
        addresses += _addresses([f"https://arxiv.org/{volume}"])
    place = _first(fields, "booktitle") or _first(fields, "journal") or _first(fields, "school")
    return _made(
        key=key,
        kind=kind,
        title=inner_xml(title),
        markup="xml",
        people=map(_author, fields.get("author", ())),
        venue=_venue(
            place or _first(fields, "series"),
            key,
            kind,
            year=entries.year({"year": _first(fields, "year")}, "year"),
            volume=volume,
            number=_first(fields, "number"),
            pages=pages,
            publisher=_first(fields, "publisher"),
        ),
        addresses=addresses,
        withdrawn="withdrawn" in (element.get("publtype") or "").split(),
        seen_on=parse_date(element.get("mdate")),
    )


def _line(element: Element) -> str:
    return cleaned(flat_text(element))


def _first(fields: dict[str, list[Element]], name: str) -> str:
    found = fields.get(name)
    return _line(found[0]) if found else ""


def _author(element: Element) -> Author:
    return _person(flat_text(element), element.get("orcid") or "")


def _person(name: str, orcid: str = "", pid: str = "") -> Author:
    """An author; the number behind a name that several persons have goes into `ids`."""
    person = parse_author(name)
    ids = (*person.ids, f"{_NAME}:pid/{pid}") if pid else person.ids
    if (orcid or ids != person.ids) and person.name:
        return replace(person, orcid=normal_orcid(orcid), ids=ids)
    return person


def _addresses(values: Iterable[str]) -> list[str]:
    return [value for value in dict.fromkeys(values) if _URL.fullmatch(value)][:_MAX_ADDRESSES]


def _name_of(piece: Piece) -> str:
    found = _KEY_ATTRIBUTE.search(piece.content, 0, 2_000)
    return found[1].decode("ascii", "replace")[:80] if found else ""


# JSON


def read_answer(content: bytes) -> tuple[list[Any], int]:
    """The hits of an answer of the search API, and how many it says that there are in all.

    Raises:
        FormatError: it is none; the message says what it is: `no JSON`.
    """
    try:
        answer = json.loads(content.removeprefix(b"\xef\xbb\xbf"), strict=False)
    except (ValueError, RecursionError) as fault:
        raise FormatError("no JSON") from fault
    result = answer.get("result") if isinstance(answer, dict) else None
    hits = result.get("hits") if isinstance(result, dict) else None
    found = hits.get("hit", []) if isinstance(hits, dict) else None
    # What holds one thing is at times that thing and not a list of it.
    found = [found] if isinstance(found, dict) else found
    if not isinstance(hits, dict) or not isinstance(found, list):
        raise FormatError("no answer of DBLP's search: it has no hits", hint=_HINT)
    total = str(hits.get("@total", ""))
    return found, int(total) if total.isascii() and total.isdigit() and len(total) < 10 else 0


def _hits(page: Page) -> Iterator[tuple[int, Any]]:
    """The hits of an answer of the search API, numbered from 1.

    Raises:
        FormatError: it is none.
    """
    try:
        found, _ = read_answer(page.content)
    except FormatError as fault:
        raise FormatError(f"{page.place} is {fault.message}.", hint=fault.hint or "Get the file again.") from fault
    for number, hit in enumerate(found, 1):
        info = hit.get("info") if isinstance(hit, dict) else None
        if not isinstance(info, dict) or info.get("type") not in _TYPES_PASSED_OVER:
            yield number, info


def _record_of_hit(info: Entry) -> Record:
    key = entries.line(info, "key")
    kind = _TYPES.get(entries.line(info, "type"), "article" if key.startswith("journals/") else "inproceedings")
    venues = _listed(info.get("venue"))
    place = _unescaped(venues[0]) if venues and isinstance(venues[0], str) else ""
    return _made(
        key=key,
        kind=kind,
        # The text is escaped once more than JSON asks for, and has no tags.
        title=unescape(entries.string(info, "title")),
        markup="plain",
        people=_people(info.get("authors")),
        venue=_venue(
            place,
            key,
            kind if key.count("/") > 1 or kind != "article" else "incollection",
            year=entries.year(info, "year"),
            volume=entries.number_text(info, "volume"),
            number=entries.number_text(info, "number"),
            pages=entries.number_text(info, "pages"),
            publisher=_unescaped(entries.line(info, "publisher")),
        ),
        addresses=_addresses(_unescaped(one) for one in _listed(info.get("ee")) if isinstance(one, str)),
        dois=[one for one in _listed(info.get("doi")) if isinstance(one, str)],
        withdrawn=entries.line(info, "type") == "Withdrawn Items",
    )


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _unescaped(text: str) -> str:
    return cleaned(unescape(text))


def _people(value: Any) -> list[Author]:
    """The authors of a hit: `{"author": [{"@pid", "text"}]}`, or one without the list.

    Raises:
        BadEntry: they are anything else.
    """
    people = []
    for one in _listed(value.get("author") if isinstance(value, dict) else value):
        name = one.get("text") if isinstance(one, dict) else one
        if not isinstance(name, str):
            raise BadEntry("authors holds what is not a name")
        entries.check_name((name,), "authors")
        pid = one.get("@pid") if isinstance(one, dict) else None
        people.append(_person(unescape(name), pid=pid if isinstance(pid, str) and _PID.fullmatch(pid) else ""))
    return people
