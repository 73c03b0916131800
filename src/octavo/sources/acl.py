"""The ACL Anthology, as its repository holds it: one XML file a collection, with volumes and their papers.

An Anthology id is read where a paper states it (`url`), else made of collection, volume and paper; it is made too
where what is stated is of another volume, as two panels of one conference state the same. What is said of a volume
is read by `octavo.sources.acl_volumes`. A notice of an erratum makes no retraction; editors are no authors; front
and back matter are no papers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octavo.records.dates import parse_date
from octavo.records.decisions import parse_decision
from octavo.records.id_forms import ACL_ID
from octavo.records.ids import Identifier, doi_id
from octavo.records.names import Author, author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text, is_placeholder
from octavo.sources import acl_online, github
from octavo.sources.acl_volumes import NO_VOLUME, Volume, built_id, has_many, line_of, read_on, short_names
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, cleaned
from octavo.sources.online import Ask, Fetcher
from octavo.sources.streams import Member, fetch_pages
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

_NAME = "acl"
_SITE = "https://aclanthology.org"
_SHAPE = Shape(
    form="a file of the ACL Anthology",
    roots=("collection",),
    entries=("paper",),
    around=("collection", "volume"),
    blocks=("meta", "frontmatter", "event"),
)
_VENUES = "venues"
"""The key of `Page.context` that holds venues' short names: lines of `id=ACRONYM`, old letters among the ids."""

_ID = re.compile(rf"[A-Z][0-9]{{2}}-[0-9]{{4}}|{ACL_ID}")
_URL = re.compile(r"https?://[^\s<>\"]+", re.IGNORECASE)
_FILE = re.compile(r"[\w.+-]+")
_WORD = re.compile(r"[\u3040-\u9fff\uac00-\ud7a3]|[^\W\d_]{2,}")
_LEFT_OVER = "Binary file summaries/"
"""What a script once left in the place of some abstracts."""


class ACLSource:
    """Reads the XML of the ACL Anthology: files of its repository, or from there over the network."""

    addresses: Mapping[str, str] = acl_online.ADDRESSES
    wants = acl_online.WANTS

    info = SourceInfo(
        name=_NAME,
        title="ACL Anthology",
        covers="ACL, EMNLP, NAACL, TACL and the other venues of computational linguistics, many with abstracts",
        reads="the repository's archive or folder, or one .xml of it",
        example="octavo add acl acl-anthology.tar.gz",
        terms="CC BY 4.0 from 2016 on, CC BY-NC-SA 3.0 before (aclanthology.org/faq/copyright)",
        seconds_between_requests=github.RATE,
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each file as a page, a large one as several.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams` and `octavo.sources.xml_stream`.
        """
        venues = short_names(target)
        context = ((_VENUES, venues),) if venues else ()

        def pages(member: Member) -> Iterator[Page]:
            return element_pages(member, _SHAPE, context=context)

        yield from fetch_pages(target, pages, _is_collection, kind="collection (.xml)")

    def want(self, text: str) -> str:
        """`2024.acl`, `2024.acl-long`, `P18` or `all`; see `octavo.sources.acl_online.want`."""
        return acl_online.want(text)

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page]:
        """Yield the collections that are wanted, a large one as several pages; see `OnlineSource.harvest`."""
        yield from acl_online.harvest(ask, fetcher, lambda member: element_pages(member, _SHAPE))

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each paper of the page."""
        volume = NO_VOLUME
        encoding = page_encoding(page)
        venues = dict(page.context).get(_VENUES, "")
        for piece in page_pieces(page, _SHAPE):
            place = f"{page.place}, line {piece.line}"
            try:
                if piece.name == "paper":
                    element = read_element(piece, encoding)
                    if element.get("type") not in ("backmatter", "frontmatter"):
                        yield _record(element, volume)
                elif piece.name in ("collection", "volume", "meta"):
                    volume = read_on(volume, piece, encoding, venues)
            except BadEntry as bad:
                if piece.name == "volume":
                    volume = Volume(volume.collection)  # Its papers are none of the last volume's.
                yield Fault(place, str(bad), _name_of(piece, volume))


def _is_collection(name: str) -> bool:
    return name.lower().endswith((".xml", ".xml.gz")) and not name.rpartition("/")[2].startswith(".")


# Papers


def _record(paper: Element, volume: Volume) -> Record:
    fields: dict[str, list[Element]] = {}
    for child in paper:
        fields.setdefault(child.tag, []).append(child)
    one = _First(fields)
    if "removed" in fields:
        raise BadEntry("removed from the Anthology")
    title = Text.of(inner_xml(one["title"]), "xml")
    if not title.plain:
        raise BadEntry("no title")
    address = line_of(one["url"])
    name = _own_id(volume, cleaned(paper.get("id", "")), address)
    own = Identifier("acl", name)
    doi = doi_id(line_of(one["doi"]))
    revised = [date for revision in fields.get("revision", ()) if (date := parse_date(revision.get("date")))]
    awards = map(line_of, fields.get("award", ()))
    return Record(
        source=_NAME,
        key=name,
        title=title,
        authors=tuple(person for element in fields.get("author", ()) if (person := _author(element)).name),
        identifiers=(own, doi) if doi else (own,),
        abstract=_abstract(one["abstract"]),
        venue=_venue(one, volume.venue),
        status="retracted" if "retracted" in fields else "accepted",
        award="; ".join(dict.fromkeys(parse_decision(said).award or said for said in awards if said)),
        updated_on=max(revised, default=None),
        published_on=volume.published_on,
        links=_links(fields, own, address),
        comment=_comment(fields),
        language=line_of(one["language"]),
    )


class _First:
    """The first child of each name; None where there is none."""

    __slots__ = ("_fields",)

    def __init__(self, fields: dict[str, list[Element]]) -> None:
        self._fields = fields

    def __getitem__(self, name: str) -> Element:
        found = self._fields.get(name)
        return found[0] if found else None


def _own_id(volume: Volume, paper: str, address: str) -> str:
    """The id of a paper: as it states it, where that is of its own volume.

    Raises:
        BadEntry: none is stated, and collection, volume and paper make none.
    """
    is_stated = _ID.fullmatch(address) is not None
    try:
        name = built_id(volume, paper)
    except BadEntry:
        if is_stated:
            return address
        raise
    of_volume = name.rpartition(".")[0] if "." in name else name[: -2 if has_many(volume) else -3]
    return address if is_stated and address.startswith(of_volume) and len(address) >= len(of_volume) + 2 else name


def _author(element: Element) -> Author:
    """An author; another spelling of the name (`variant`) is not kept, and an address of any kind is not read."""
    given = family = ""
    places: list[str] = []
    for part in element:
        if part.tag == "first":
            given = flat_text(part)
        elif part.tag == "last":
            family = flat_text(part)
        elif part.tag == "affiliation":
            places += filter(None, [line_of(part)])
    if not (given or family) and not len(element):
        family = element.text or ""
    own = element.get("id")
    return author(
        given,
        family,
        affiliations=[place for place in places if "@" not in place],
        orcid=element.get("orcid") or "",
        ids=(f"{_NAME}:{cleaned(own)}",) if own else (),
    )


def _abstract(element: Element) -> Text | None:
    """The abstract; None where what stands there is none: a date, or what a script left."""
    text = inner_xml(element).strip() if element is not None else ""
    if not text or is_placeholder(text) or text.startswith(_LEFT_OVER):
        return None
    if len(text) < 200 and len(_WORD.findall(flat_text(element))) < 4:
        return None
    return Text.of(text, "xml") or None


def _venue(one: _First, venue: Venue) -> Venue:
    pages = line_of(one["pages"]).replace("–", "-").replace("--", "-")
    journal, issue, number = line_of(one["journal"]), line_of(one["issue"]), line_of(one["volume"])
    return Venue(
        name=journal or venue.name,
        short="" if journal else venue.short,
        year=venue.year,
        volume=number or venue.volume,
        number=issue or venue.number,
        pages=pages,
        publisher=venue.publisher,
        track=venue.track,
    )


def _links(fields: dict[str, list[Element]], own: Identifier, address: str) -> tuple[tuple[str, str], ...]:
    links = {"page": own.url}
    if _ID.fullmatch(address):
        links["pdf"] = f"{_SITE}/{address}.pdf"
    elif _URL.fullmatch(address) and address.lower().endswith(".pdf"):
        links["pdf"] = address
    for element in fields.get("pwccode", ()):
        _add(links, "code", element.get("url") or "", "")
    for element in fields.get("video", ()):
        if element.get("permission") != "false":
            _add(links, "video", element.get("href") or "", f"{_SITE}/")
    for element in fields.get("attachment", ()):
        if kind := _kind_of_attachment((element.get("type") or "").lower()):
            _add(links, kind, line_of(element), f"{_SITE}/attachments/")
    return tuple(links.items())


def _add(links: dict[str, str], kind: str, address: str, folder: str) -> None:
    """Add an address, or the file of that name in a folder of the site, where it is the first of its kind."""
    if _URL.fullmatch(address):
        links.setdefault(kind, address)
    elif folder and _FILE.fullmatch(address):
        links.setdefault(kind, folder + address)


def _kind_of_attachment(kind: str) -> str:
    if "presentation" in kind or "slides" in kind:
        return ""
    if "software" in kind or "code" in kind:
        return "code"
    return "poster" if "poster" in kind else "supplement"


def _comment(fields: dict[str, list[Element]]) -> str:
    """Notes; what became of the paper, with the reason; and its errata, which are no retraction."""
    parts = list(map(line_of, fields.get("note", ())))
    for element in fields.get("retracted", ()):
        date, reason = element.get("date") or "", line_of(element)
        parts.append(f"Retracted{f' on {date}' if parse_date(date) else ''}{f': {reason}' if reason else ''}")
    errata = map(line_of, fields.get("erratum", ()))
    parts += [f"Erratum: {_SITE}/{name}.pdf" for name in errata if _FILE.fullmatch(name)]
    return "; ".join(filter(None, parts))


def _name_of(piece: Piece, volume: Volume) -> str:
    """The id of a paper that makes no record, as far as it can be told."""
    found = re.match(rb"<paper\s[^<>]*?\bid\s*=\s*[\"']([\w.-]{1,40})[\"']", piece.content)
    if found is None or piece.name != "paper":
        return ""
    try:
        return built_id(volume, found[1].decode())
    except (BadEntry, UnicodeDecodeError):
        return ""
