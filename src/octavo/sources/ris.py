"""RIS files, as Zotero, EndNote, Mendeley and publishers' sites write them.

    TY  - JOUR
    TI  - Fast Tiles
    AU  - Bee, Ann
    ER  -

A reference begins at TY and ends at ER, or at the next TY where ER was forgotten. Where its TY has one blank before
the dash instead of two, all its known tags may. A line without a tag goes on with
the field above it; between references it is passed over. Text has no notation. A file that is not UTF-8 is read as
Windows-1252, and told as a fault, since its accents may be wrong. Editors (A2, ED) are no authors.

Web of Science, MEDLINE and EndNote have tagged formats of their own, which are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octavo.errors import FormatError, SourceError
from octavo.records.dates import PartialDate
from octavo.records.names import Author, parse_authors
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources import entries, references
from octavo.sources.base import MAX_TEXT, Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry
from octavo.sources.streams import PAGE_BYTES, WRONG_SOURCE, Context, Member, fetch_pages

_NAME = "ris"
_FALLBACK = "windows-1252"
_CUT = "cut"
_SHOWN = 80

_BEGIN = re.compile(r"^[ \t]*+TY ?+ ?+-", re.MULTILINE)
_TAG = re.compile(r"[ \t]*+(?:([A-Z][A-Z0-9])  -|(TY|ER) ?-) ?(.*)")
"""Of a line in an abstract, `ML - a survey` must not be a tag, so only the ends of a reference may lack a blank."""
_LOOSE_TAG = re.compile(r"[ \t]*+([A-Z][A-Z0-9]) ?- ?(.*)")
_LOOSE_BEGIN = re.compile(r"[ \t]*+TY ?- ?")
_TAGS = frozenset(
    "TY ER A1 A2 A3 A4 AB AD AN AU BT C1 C2 C3 C4 C5 C6 C7 C8 CA CN CP CT CY DA DB DO DP ED EP ET ID IS J1 J2 JA JF JO "  # noqa: SIM905
    "KW L1 L2 L3 L4 LA LB LK M1 M2 M3 N1 N2 NV OP PB PP PY RI RN RP SE SN SP ST T1 T2 T3 TA TI TT U1 U2 U3 U4 U5 UR VL "
    "VO Y1 Y2".split()
)
_NOT_CLOSED = "the reference breaks off"
_OTHERS = (
    (re.compile(r"\s*(?:FN |VR 1\.|PT [JBSP]\b)"), "Web of Science's own tagged format"),
    (re.compile(r"\s*PMID ?-"), "MEDLINE's own tagged format"),
    (re.compile(r"\s*%[0A-Z] "), "EndNote's own tagged format"),
    (re.compile(r"\s*@[A-Za-z]"), "BibTeX"),
    (re.compile(r"\s*[\[{<]"), "JSON or XML"),
)
_THESES = frozenset({"THES", "RPRT"})
_STATUS = {"withdrawn": "withdrawn", "retracted": "retracted"}
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_PARTED = re.compile(r"\s*;\s*|\s+(?=https?://)")

Fields = Mapping[str, list[str]]


class RisSource:
    """Reads RIS files."""

    info = SourceInfo(
        name=_NAME,
        title="RIS files",
        covers="the papers of a bibliography, with abstracts where it has them",
        reads="a .ris, plain, gzipped or zipped, or a folder of them",
        example="octavo add ris references.ris",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the references in pages of about a megabyte.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`. FormatError where there is no reference.
        """
        yield from fetch_pages(target, _pages, _is_ris, kind="RIS file (.ris)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each reference of the page."""
        context = dict(page.context)
        if _FALLBACK in context:
            place = f"{page.place}, line {context[_FALLBACK]}"
            yield Fault(place, "not UTF-8: the file was read as Windows-1252, look at its accents")
        keys = references.Keys()
        for line, fields, is_whole in _references(page.content.decode("utf-8", "replace"), _CUT in context):
            reason = "" if is_whole else _NOT_CLOSED
            if is_whole:
                try:
                    yield keys.named(_record(fields))
                except BadEntry as bad:
                    reason = str(bad)
            if reason:
                name = entries.cleaned(next(_titles(fields), "")[: _SHOWN * 2])[:_SHOWN]
                yield Fault(f"{page.place}, line {max(page.line, 1) + line}", reason, name)


def _is_ris(name: str) -> bool:
    return name.lower().endswith((".ris", ".ris.gz"))


# Fetching


def _pages(member: Member) -> Iterator[Page]:
    content, fault = references.read_whole(member)
    text, bad_line = _decoded(content)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    starts = [found.start() for found in _BEGIN.finditer(text)]
    if not starts:
        raise fault or _no_ris(member, text)
    cut: Context = ((_CUT, "1"),) if fault or not text.endswith("\n") else ()
    warning: Context = ((_FALLBACK, str(bad_line)),) if bad_line else ()
    begin, line = 0, 1
    for start in [*starts[1:], len(text)]:
        if start - begin < PAGE_BYTES and start < len(text):
            continue
        yield Page(
            content=text[begin:start].encode("utf-8"),
            place=member.place,
            line=line,
            done=member.done(),
            context=(*warning, *(cut if start == len(text) else ())),
        )
        warning = ()
        line += text.count("\n", begin, start)
        begin = start
    if fault is not None:
        raise fault


def _decoded(content: bytes) -> tuple[str, int]:
    """The text, and the line with the first byte that is not UTF-8; 0 where all is."""
    try:
        return content.decode("utf-8"), 0
    except UnicodeDecodeError as fault:
        # As Latin-1: cleaning reads what is left of Windows-1252 in it.
        return content.decode("latin-1"), content.count(b"\n", 0, fault.start) + 1


def _no_ris(member: Member, text: str) -> SourceError:
    for begins, what in _OTHERS:
        if begins.match(text):
            return FormatError(f"{member.place} is {what}, not RIS.", hint="Export it as RIS or BibTeX.")
    return FormatError(
        f"{member.place} holds no RIS reference (a line `TY  - ...`): it begins with {text.lstrip()[:20]!r}.",
        hint=WRONG_SOURCE,
    )


# Parsing


def _references(text: str, is_cut: bool) -> Iterator[tuple[int, dict[str, list[str]], bool]]:
    """Yield each reference: its line from 0, its values by tag, and whether it ends as it should."""
    fields: dict[str, list[list[str]]] | None = None
    begins, lines, is_loose = 0, [""], False
    for number, line in enumerate(text.split("\n")):
        tag, value = _tagged(line, is_loose)
        if tag == "TY":
            is_loose = _LOOSE_BEGIN.match(line) is not None
            if fields is not None:
                yield begins, _joined(fields), True
            fields, begins = {}, number
        if fields is None:
            continue
        if tag == "ER":
            yield begins, _joined(fields), True
            fields = None
        elif tag:
            lines = [value.strip()]
            fields.setdefault(tag, []).append(lines)
        elif line.strip():
            lines.append(line.strip())
    if fields is not None:
        yield begins, _joined(fields), not is_cut


def _tagged(line: str, is_loose: bool) -> tuple[str, str]:
    """A line's tag and value; no tag where it has none. A reference whose TY has one blank has one everywhere."""
    if found := _TAG.match(line):
        return found[1] or found[2], found[3]
    found = _LOOSE_TAG.match(line) if is_loose else None
    return (found[1], found[2]) if found and found[1] in _TAGS else ("", "")


def _joined(fields: Mapping[str, list[list[str]]]) -> dict[str, list[str]]:
    return {tag: [" ".join(filter(None, lines)) for lines in values] for tag, values in fields.items()}


def _first(fields: Fields, *tags: str) -> str:
    """The first value that is not empty, of the tags in this order, on one line."""
    for tag in tags:
        for value in fields.get(tag, ()):
            if len(value) > MAX_TEXT:
                raise BadEntry(f"{tag} is longer than {MAX_TEXT:,} characters")
            if made := entries.cleaned(value):
                return made
    return ""


def _all(fields: Fields, *tags: str) -> list[str]:
    return [made for tag in tags for value in fields.get(tag, ()) if (made := entries.cleaned(value))]


def _titles(fields: Fields) -> Iterator[str]:
    kind = "".join(fields.get("TY", ()))[:4].upper()
    tags = ("TI", "T1", "CT", *(("BT",) if kind == "BOOK" else ()), "ST")
    return (value for tag in tags for value in fields.get(tag, ()) if value)


def _record(fields: Fields) -> Record:
    raw = next(_titles(fields), "")
    title = references.plain_or_xml(raw) if raw else None
    if title is None or not title.plain.strip():
        raise BadEntry("no title")
    authors, incomplete = _authors(fields)
    note = _first(fields, "N1")
    status = _STATUS.get(note.lower().rstrip("."), "")
    language = _first(fields, "LA").lower()
    addresses = _addresses(fields, "UR", "LK")
    files = _addresses(fields, "L1", "L2")
    pdfs = [address for address in files if references.links_of([address]).keys() == {"pdf"}]
    return Record(
        source=_NAME,
        key="",
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        identifiers=references.identifiers_of(
            dois=[_first(fields, "DO")],
            arxiv=_all(fields, "AN"),
            named=_all(fields, "U1"),
            addresses=[*addresses, *files],
            prose=_all(fields, "AN", "M1", "M3", "JO", "JF", "T2"),
            remarks=[note],
        ),
        abstract=_abstract(fields),
        venue=_venue(fields),
        status=status,
        published_on=_published_on(fields),
        versions=references.versions_of([*_all(fields, "AN", "M1", "JO", "JF", "T2"), *addresses, *files]),
        keywords=references.keywords_of(_all(fields, "KW")),
        links=tuple(references.links_of([*addresses, *pdfs]).items()),
        comment="" if status else note,
        language=language if _LANGUAGE.fullmatch(language) else "",
    )


def _authors(fields: Fields) -> tuple[tuple[Author, ...], bool]:
    names = [
        name
        for tag in ("AU", "A1")
        for value in fields.get(tag, ())
        for name in value.split(";")
        if entries.cleaned(name)
    ]
    entries.check_name(names, "AU")
    people, incomplete = parse_authors(names)
    # AU and A1 may repeat each other.
    return tuple({person.name: person for person in people}.values()), incomplete


def _addresses(fields: Fields, *tags: str) -> list[str]:
    return [address for value in _all(fields, *tags) for address in _PARTED.split(value) if address]


def _abstract(fields: Fields) -> Text | None:
    """AB, else N2: where both are there, one repeats the other."""
    for tag in ("AB", "N2"):
        for value in fields.get(tag, ()):
            if value and (made := references.plain_or_xml(value)):
                return made
    return None


def _venue(fields: Fields) -> Venue | None:
    kind = _first(fields, "TY")[:4].upper()
    name = _first(fields, "JF", "JO", "T2", "BT" if kind != "BOOK" else "T3", "C3", "JA", "J2")
    if not name and kind in _THESES:
        name = _first(fields, "PB")
    short = _first(fields, "J2", "JA")
    if not name or references.is_preprint_server(name):
        return None
    first, last = references.pages_of(_first(fields, "SP")), references.pages_of(_first(fields, "EP"))
    return Venue(
        name=name,
        short=short if short != name else "",
        year=references.year_of(_first(fields, "PY")) or references.year_of(_first(fields, "Y1", "DA")),
        volume=references.number_unless_preprint(_first(fields, "VL", "VO")),
        number=_first(fields, "IS", "CP"),
        pages=f"{first}-{last}" if first and last and "-" not in first else first,
        publisher=_first(fields, "PB"),
    )


def _published_on(fields: Fields) -> PartialDate | None:
    """The most precise of the dates that are given."""
    found = [date for value in _all(fields, "PY", "Y1", "DA") if (date := references.date_of(value))]
    return max(found, key=len, default=None)
