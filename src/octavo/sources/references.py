"""What files of references (BibTeX, RIS, CSL-JSON) have in common: reading them whole, identities, dates, venues.

A reader's file is no catalogue: citation keys recur from file to file, an entry may stand there twice, an
address may be a whole conference's. So a record's key is made of what it says, by `Keys`; and an address that
no site's scheme is known for counts as an identifier only where the entry has no other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import blake2b

from octavo.errors import EmptyFileError, IdentifierError, LimitError, SourceError
from octavo.records.cleaning import cleaned
from octavo.records.dates import PartialDate, parse_date
from octavo.records.fold import title_key
from octavo.records.ids import (
    RECORD_SCHEME,
    SCHEMES,
    Identifier,
    arxiv_id,
    doi_id,
    find_identifiers,
    parse_identifier,
    url_id,
)
from octavo.records.names import family_key
from octavo.records.paper import Record, Version
from octavo.records.text import Text
from octavo.sources.base import MAX_TEXT
from octavo.sources.entries import BadEntry, said
from octavo.sources.streams import Member, check_encoding

MAX_FILE = 256 * 1024 * 1024
"""Bytes of a file of references, which is held whole: what an entry inherits may stand behind it."""

_SURE = frozenset({"arxiv", "openreview", "pmlr", "acl", "dblp"})
"""Schemes that name one paper. A DOI or an address may be the volume's."""
_RANK = {scheme: rank for rank, scheme in enumerate(SCHEMES)}
_MONTHS = {
    name: number
    for number, name in enumerate(
        ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), start=1
    )
}
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|2[01]\d\d)(?!\d)")
_WORD = re.compile(r"[A-Za-z]{3,}")
_DAY = re.compile(r"(?<!\d)(\d{1,2})(?!\d)")
_DASH = re.compile(r"\s*(?:[-–—‐‑−]|\\text(?:en|em)dash(?:\{\})?)+\s*")
_PREPRINT = re.compile(r"\b(?:arxiv|corr)\b|computing research repository", re.IGNORECASE)
_CORR_VOLUME = re.compile(r"abs/\S+|arxiv:\S+", re.IGNORECASE)
_XML = re.compile(r"</?jats:|</(?:p|i|b|em|sub|sup|title|sec)>|<mml:")
_WEB = re.compile(r"https?://[^\s/?#<>\"]+\.[^\s<>\"]*", re.IGNORECASE)
_PDF = re.compile(r"\.pdf(?:[?#].*)?$|arxiv\.org/pdf/|openreview\.net/pdf\b", re.IGNORECASE)
_CODE = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/", re.IGNORECASE)


# Files.


def read_whole(member: Member) -> tuple[bytes, SourceError | None]:
    """All bytes of a member without a byte-order mark, and what kept the rest of it from being read.

    Raises:
        EmptyFileError: nothing but blanks.
        EncodingError: UTF-16 or UTF-32.
        LimitError: larger than MAX_FILE, or unpacking to more than any list does.
    """
    check_encoding(member)
    content = bytearray()
    fault: SourceError | None = None
    while True:
        try:
            chunk = member.stream.read()
        except LimitError:
            raise  # What unpacks to so much is no bibliography, and its beginning is as large as the limit.
        except SourceError as raised:
            fault = raised
            break
        if not chunk:
            break
        content += chunk
        if len(content) > MAX_FILE:
            raise LimitError(f"{member.place} is larger than {MAX_FILE >> 20} MB.", hint="Part it into several files.")
    if not content.strip():
        raise fault or EmptyFileError(f"{member.place} is empty.", hint="Get the file again.")
    return bytes(content), fault


# Identities.


class Keys:
    """The keys of one page's records. A key follows from what the entry says, never from its citation key."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """Of each key that is taken, the last number that was put behind it."""

    def named(self, record: Record) -> Record:
        """The record with its key.

        One that says the same as an earlier one gets a number behind it; where nothing else does, a reference to the
        first says that both are one paper.
        """
        base = key = _key(record)
        number = 1
        while key in self._numbers:
            # From where the last one ended: a file may hold one entry a hundred thousand times.
            number = self._numbers[base] = self._numbers[base] + 1
            key = f"{base}~{number}"
        self._numbers[key] = 1
        identifiers = record.identifiers
        if number > 1 and not identifiers:
            identifiers = (Identifier(RECORD_SCHEME, f"{record.source}:{base}"),)
        return replace(record, key=key, identifiers=identifiers)


def _key(record: Record) -> str:
    """The strongest identifier, with the title where that may be a whole volume's; else title, author and year."""
    title = title_key(record.title.plain) or record.title.plain
    if record.identifiers:
        first = min(record.identifiers, key=lambda identifier: (_RANK.get(identifier.scheme, 99), identifier.value))
        return str(first) if first.scheme in _SURE else f"{first}~{_digest(title)[:8]}"
    author = family_key(record.authors[0]) if record.authors else ""
    year = (record.venue and record.venue.year) or (record.published_on.year if record.published_on else "")
    return f"title:{_digest(f'{title}|{author}|{year}')[:16]}"


def _digest(text: str) -> str:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def identifiers_of(
    *,
    dois: Iterable[str] = (),
    arxiv: Iterable[str] = (),
    named: Iterable[str] = (),
    addresses: Iterable[str] = (),
    prose: Iterable[str] = (),
    remarks: Iterable[str] = (),
) -> tuple[Identifier, ...]:
    """The identifiers of an entry, each once.

    `named` are lists of any identifiers with blanks between them (what Octavo's exports write), `prose` texts that
    say where the entry is from, `remarks` texts that may speak of other papers too: they count only where nothing
    else tells and they hold one alone. An address without a scheme of its own counts where nothing else does,
    unless it is a site's front page.
    """
    found: dict[Identifier, None] = {}
    found.update((name, None) for name in map(doi_id, dois) if name)
    found.update((name, None) for name in map(arxiv_id, arxiv) if name)
    for text in named:
        found.update((name, None) for name in map(_named, text.split()) if name)
    pages = [name for name in map(url_id, addresses) if name]
    found.update((name, None) for name in pages if name.scheme != "url")
    for text in prose:
        found.update((name, None) for name in _inside(text))
    if not found:
        for text in remarks:
            inside = _inside(text)
            if len(inside) == 1:
                found[inside[0]] = None
    if not found:
        found.update((name, None) for name in pages if name.value.count("/") > 2)
    return tuple(found)


def versions_of(texts: Iterable[str]) -> tuple[Version, ...]:
    """The version of the preprint that an entry names, in whatever field: `2101.00010v10`."""
    named = {version for text in texts if "v" in text.lower() for version in _versions_in(text)}
    return (Version(max(named)),) if named else ()


def _versions_in(text: str) -> Iterator[int]:
    return (version for name, version in find_identifiers(text[:MAX_TEXT]) if version and name.scheme == "arxiv")


def _named(text: str) -> Identifier | None:
    try:
        return parse_identifier(text)[0]
    except IdentifierError:
        return None


def _inside(text: str) -> list[Identifier]:
    return [name for name, _ in find_identifiers(text[:MAX_TEXT]) if name.scheme != "url"] if text else []


def links_of(addresses: Iterable[str]) -> dict[str, str]:
    """The first page, PDF and code among web addresses; others than http and https are none."""
    links: dict[str, str] = {}
    for address in addresses:
        if _WEB.fullmatch(address) and len(address) < 2_000:
            kind = "pdf" if _PDF.search(address) else "code" if _CODE.match(address) else "page"
            links.setdefault(kind, address)
    return links


# Fields.


def year_of(text: str) -> int | None:
    """The year in a field that may hold more (`2031a`, `c. 2031`, `2031/07//`)."""
    found = _YEAR.search(text)
    return int(found[1]) if found else None


def date_of(text: str) -> PartialDate | None:
    """A date in ISO 8601, RIS's `2031/07/05/`, a range (its first day), or words (`5 July 2031`)."""
    text = text.strip()
    if not text:
        return None
    first = re.split(r"(?<=\d)/(?=\d{4}|\.\.|$)", text, maxsplit=1)[0] if "-" in text else text
    parts = [part.strip() for part in re.split(r"[-/.]", first.partition("T")[0]) if part.strip()]
    if parts and all(part.isascii() and part.isdigit() for part in parts[:3]) and len(parts[0]) == 4:
        return parse_date([int(part) for part in parts[:3]])
    year = year_of(text)
    return day_of(year, text.replace(str(year), " ", 1)) if year else None


def day_of(year: int | None, month: str, day: str = "") -> PartialDate | None:
    """A date of its parts; `month` may be a number, a name, or a name with a day (`jul`, `July 5--10`)."""
    if year is None:
        return None
    word = next((found for found in _WORD.findall(month) if found[:3].lower() in _MONTHS), "")
    numbers = _DAY.findall(f"{month} {day}")
    if not word:
        return parse_date([year, *map(int, numbers[:2])])
    return parse_date([year, _MONTHS[word[:3].lower()], *map(int, numbers[:1])])


def pages_of(text: str) -> str:
    """Pages with one plain hyphen: `11--19` is `11-19`."""
    return _DASH.sub("-", text).strip("- ")


def is_preprint_server(name: str) -> bool:
    """Whether what stands in the place of a venue is a server of preprints: `arXiv preprint arXiv:2101.00010`."""
    return _PREPRINT.search(name) is not None


def number_unless_preprint(text: str) -> str:
    """A volume, but for CoRR's, which is an arXiv id."""
    return "" if _CORR_VOLUME.match(text) else text


def plain_or_xml(value: str) -> Text | None:
    """A text of a format without a notation; one that plainly holds JATS or HTML is read as that."""
    if len(value) > MAX_TEXT:
        raise BadEntry(f"a text is longer than {MAX_TEXT:,} characters")
    return said(Text.of(value, "xml" if _XML.search(value) else "plain"))


def keywords_of(values: Iterable[str]) -> tuple[str, ...]:
    """Keywords from fields that hold one or several, parted by semicolons, else by commas."""
    found: dict[str, None] = {}
    for value in values:
        for word in value.split(";") if ";" in value else value.split(","):
            if name := cleaned(word).strip(" *"):
                found[name] = None
    return tuple(found)
