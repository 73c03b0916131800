"""BibTeX and BibLaTeX files, as readers keep them and as sites give them away.

Every type of entry is taken, known or not, but for volumes of proceedings (`@proceedings`), which are no papers.
An entry inherits what it lacks from the one that its `crossref` or `xdata` names. PMLR's files name none: there an
`@inproceedings` without venue and year is of the one `@proceedings` in the file. A citation key is no identity
(`references.Keys`). Text is TeX. Fields about people and about the reader's disk (`file`) are not read.

`docs/reference-files.md` says what becomes of each field.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from octavo.errors import FormatError
from octavo.records.author_lists import mask, unmask
from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.names import Author, parse_authors
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources import entries, references
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.bibtex_entries import NO_ENTRY, Macros, RawEntry, entry_starts, macros_of, raw_entries
from octavo.sources.entries import BadEntry
from octavo.sources.streams import PAGE_BYTES, WRONG_SOURCE, Context, Member, fetch_pages

_NAME = "bibtex"
_MARKUP = "tex"
_MIXED = "mixed"
_MACRO = "macro"
_PARENT = "parent"
_VOLUME = "volume"
_VOLUMES = frozenset({"proceedings", "mvproceedings"})
_SHOWN = 80

_DECLARED = re.compile(rb"(?:%|@comment\{)[^\n]{0,40}?(?:encoding|coding)\s*[:=]\s*([\w.-]{3,20})", re.IGNORECASE)
_LATIN = frozenset({"iso8859-1", "iso8859-15", "cp1252"})
_TARGETS = re.compile(r"\b(?:crossref|xdata)\s*+=\s*+[{\"]([^{}\"\n]{1,500})[}\"]", re.IGNORECASE)
_NOT_INHERITED = frozenset({
    "title", "subtitle", "author", "doi", "url", "eprint", "pages", "abstract", "keywords", "note", "openreview",
    "identifiers", "crossref", "xdata", "pdf", "howpublished", "biburl",
})  # fmt: skip
_FROM_VOLUME = ("booktitle", "shortname", "year", "volume", "published", "publisher", "series")

_JOURNAL = ("journal", "journaltitle")
_BOOK = ("booktitle", "eventtitle", "maintitle")
_HOUSE = ("school", "institution")
_AND = re.compile(r"\s+and\s+", re.IGNORECASE)
_URL_MACRO = re.compile(r"\\(?:url|path|nolinkurl)\s*\{([^{}]*)\}|\\href\s*\{([^{}]*)\}\s*\{[^{}]*\}")
_ESCAPED = re.compile(r"\\(?:([_%&#$~{}])(?:\{\})?|textasciitilde\s*(?:\{\})?|textunderscore\s*(?:\{\})?|-)")
_ANGLE = re.compile(
    r"\{\s*\\text(less|greater)\s*(?:\{\})?\s*\}|\\text(less|greater)(?:\{\}|\s+|(?![A-Za-z]))"
    r"|\$\s*(?:\\(less|greater)|\\ensuremath\{([<>])\}|([<>]))\s*\$|\{([<>])\}"
)
"""`<` and `>` as TeX's users write them."""
_ELEMENT = re.compile(r"<(?:mml:)?math[\s>]|</(?:mml:math|math|i|b|em|strong|sub|sup|scp)>")
_STATUS = {"withdrawn": "withdrawn", "retracted": "retracted"}
_LANGUAGE = re.compile(r"[a-z]{2,3}")
_CATEGORY = re.compile(r"[A-Za-z][A-Za-z-]*(?:\.[A-Za-z-]+)?")
_ARXIV_KINDS = ("", "arxiv")

Fields = Mapping[str, str]


class BibtexSource:
    """Reads BibTeX and BibLaTeX files."""

    info = SourceInfo(
        name=_NAME,
        title="BibTeX and BibLaTeX files",
        covers="the papers of a bibliography, with abstracts where it has them",
        reads="a .bib, plain, gzipped or zipped, or a folder of them",
        example="octavo add bibtex references.bib",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the entries in pages of about a megabyte, with the macros and parents of the whole file as context.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_bibliography, kind="bibliography (.bib)")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each entry of the page."""
        text = _lines(page.content.decode("utf-8", "surrogateescape"))
        file = _Surroundings(page.context)
        keys = references.Keys()
        for entry in raw_entries(text, file.macros):
            place = f"{page.place}, line {entry.line + max(page.line, 1) - 1}"
            if entry.kind in NO_ENTRY and not entry.broken:
                continue
            if entry.kind == "xdata" and not entry.broken:
                continue  # A container of what other entries inherit.
            try:
                yield keys.named(_record(entry, file))
            except BadEntry as bad:
                yield Fault(place, str(bad), _name_of(entry))


def _is_bibliography(name: str) -> bool:
    return name.lower().endswith((".bib", ".bibtex", ".bib.gz"))


def _name_of(entry: RawEntry) -> str:
    name = entries.cleaned((entry.key or entry.fields.get("title", ""))[: _SHOWN * 2])
    return name.encode("utf-8", "replace").decode()[:_SHOWN]


# Fetching


def _pages(member: Member) -> Iterator[Page]:
    content, fault = references.read_whole(member)
    text = _lines(_as_utf8(content).decode("utf-8", "surrogateescape"))
    starts = entry_starts(text)
    if not starts and not re.search(r"@\s*[A-Za-z]\w*\s*[{(]", text[: 16 * PAGE_BYTES]):
        raise fault or FormatError(
            f"{member.place} holds no BibTeX entry: it begins with {text.lstrip()[:20]!r}.",
            hint=WRONG_SOURCE,
        )
    context = _context(text)
    begin, line = 0, 1
    for start in [*starts, len(text)]:
        if start - begin < PAGE_BYTES and start < len(text):
            continue
        content = text[begin:start].encode("utf-8", "surrogateescape")
        if start > begin:
            yield Page(content=content, place=member.place, line=line, done=member.done(), context=context)
        line += text.count("\n", begin, start)
        begin = start
    if fault is not None:
        raise fault


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _as_utf8(content: bytes) -> bytes:
    """The file in UTF-8, where its first lines say that it is Latin-1 and it is not UTF-8."""
    found = _DECLARED.search(content[:2_000])
    if found is None:
        return content
    try:
        codec = codecs.lookup(found[1].decode("ascii"))
    except (LookupError, UnicodeDecodeError):
        return content
    if codec.name not in _LATIN:
        return content
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode(codec.name, "replace").encode("utf-8")
    return content


def _context(text: str) -> Context:
    """What the entries of any page may need of the whole file, each as a name and JSON."""
    macros = macros_of(text)
    context = [(_MACRO, json.dumps(macros))]
    wanted = {key.strip().lower() for found in _TARGETS.finditer(text) for key in found[1].split(",")}
    volumes: list[Fields] = []
    # A file without any of these words is spared a second reading.
    if wanted or re.search(r"@\s*(?:mv)?proceedings\b", text, re.IGNORECASE):
        for entry in raw_entries(text, macros):
            if entry.broken:
                continue
            if entry.kind in _VOLUMES:
                volumes.append(entry.fields)
            if entry.key.lower() in wanted:
                context.append((_PARENT, json.dumps([entry.key.lower(), dict(entry.fields)])))
    if len(volumes) == 1:
        context.append((_VOLUME, json.dumps(dict(volumes[0]))))
    return tuple(context)


class _Surroundings:
    """What a page's entries need of the whole file."""

    def __init__(self, context: Context) -> None:
        known = dict(context)
        self.macros: Macros = json.loads(known[_MACRO]) if _MACRO in known else macros_of("")
        self.volume: Fields = json.loads(known.get(_VOLUME, "{}"))
        self._parents: dict[str, Fields] = {}
        for name, value in context:
            if name == _PARENT:
                key, fields = json.loads(value)
                self._parents.setdefault(key, fields)

    def complete(self, entry: RawEntry) -> dict[str, str]:
        """The entry's fields with those that it inherits."""
        fields = dict(entry.fields)
        wanted = f"{fields.get('xdata', '')},{fields.get('crossref', '')}".split(",")
        seen = {entry.key.lower()}
        while wanted:
            key = wanted.pop(0).strip().lower()
            if key in seen or key not in self._parents:
                continue
            seen.add(key)
            parent = self._parents[key]
            if title := parent.get("booktitle") or parent.get("title"):
                fields["booktitle"] = fields.get("booktitle") or title
            for name, value in parent.items():
                if name not in _NOT_INHERITED:
                    fields[name] = fields.get(name) or value
            wanted += f"{parent.get('xdata', '')},{parent.get('crossref', '')}".split(",")
        lacks = not any(fields.get(name) for name in (*_BOOK, "year", "date", "crossref"))
        if entry.kind in ("inproceedings", "conference") and lacks:
            fields |= {name: self.volume[name] for name in _FROM_VOLUME if self.volume.get(name)}
        return fields


# Parsing


def _record(entry: RawEntry, file: _Surroundings) -> Record:
    if entry.broken:
        raise BadEntry(entry.broken)
    if entry.kind in _VOLUMES:
        raise BadEntry("a volume of proceedings, no paper")
    fields = file.complete(entry)
    _check_encoding(fields)
    title = _title(fields)
    authors, incomplete = _authors(fields)
    venue = _venue(entry.kind, fields)
    note = _plain(fields, "note") or _plain(fields, "addendum")
    status = _STATUS.get(note.lower().rstrip("."), "")
    keywords = [_plain(fields, name) for name in ("keywords", "keyword")]
    language = _plain(fields, "language") or _plain(fields, "langid")
    category = _plain(fields, "primaryclass") or _plain(fields, "eprintclass")
    return Record(
        source=_NAME,
        key="",
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        identifiers=_identifiers(fields, note),
        abstract=entries.said(_text(entries.string(dict(fields), "abstract"))),
        venue=venue,
        status=status,
        published_on=_published_on(fields),
        versions=references.versions_of(_verbatim(fields, name) for name in ("eprint", "url", "pdf", "journal")),
        categories=(category,) if _CATEGORY.fullmatch(category) else (),
        keywords=references.keywords_of(filter(None, keywords)),
        links=_links(fields),
        comment="" if status else note,
        language=language if _LANGUAGE.fullmatch(language) else "",
    )


def _check_encoding(fields: Fields) -> None:
    for value in fields.values():
        if not value.isascii() and any("\ud800" <= char <= "\udfff" for char in value):
            raise BadEntry("not UTF-8")


def _title(fields: Fields) -> Text:
    title = entries.string(dict(fields), "title")
    subtitle = entries.string(dict(fields), "subtitle")
    made = _text(f"{title}: {subtitle}" if title.strip() and subtitle.strip() else title)
    if not made.plain.strip():
        raise BadEntry("no title")
    return made


def _plain(fields: Fields, name: str) -> str:
    """A field as plain text on one line."""
    value = fields.get(name, "")
    return Text.of(entries.string({name: value}, name), _MARKUP).plain if value else ""


def _verbatim(fields: Fields, name: str) -> str:
    """A field that holds an identifier or an address, without what escapes its signs."""
    value = fields.get(name, "")
    if not value:
        return ""
    value = _URL_MACRO.sub(lambda found: found[1] or found[2] or "", entries.string({name: value}, name))
    if "text" in value or "$" in value or "{" in value:
        value = _with_angles(value)
    if "\\" in value:
        value = _ESCAPED.sub(
            lambda found: found[1] or ("~" if "tilde" in found[0] else "_" if "under" in found[0] else ""), value
        )
    if value.startswith("{") and value.endswith("}"):
        value = value[1:-1]
    return entries.cleaned(value)


def _with_angles(value: str) -> str:
    """The value with `<` and `>` in the place of what TeX needs for them."""
    return _ANGLE.sub(lambda found: "<" if set(found.groups()) & {"less", "<"} else ">", value)


def _text(value: str) -> Text:
    """A text in TeX; one with elements of HTML or MathML in it, as Crossref's BibTeX has, is read as both."""
    if "math" in value and (plain := _with_angles(value)) and _ELEMENT.search(plain):
        return Text.of(plain, _MIXED)
    return Text.of(value, _MIXED if "</" in value and _ELEMENT.search(value) else _MARKUP)


def _authors(fields: Fields) -> tuple[tuple[Author, ...], bool]:
    """Names parted at each `and` that stands in no braces, as BibTeX does."""
    value = entries.string(dict(fields), "author")
    if not value.strip():
        return (), False
    people, incomplete = parse_authors(_names(value))
    return tuple(people), incomplete


def _names(value: str) -> list[str]:
    value = " ".join(value.split())
    if "{" not in value:
        return [name for name in _AND.split(value) if name]
    # Blanks in braces are put out of the way, and those in brackets with them; each name is read anew.
    return [_unmasked(name) for name in _AND.split(mask(value)) if name]


def _unmasked(name: str) -> str:
    """`unmask` without its loss of braces."""
    return unmask(name.replace("{", "\ue100").replace("}", "\ue101")).replace("\ue100", "{").replace("\ue101", "}")


def _venue(kind: str, fields: Fields) -> Venue | None:
    name = next((found for field in (*_JOURNAL, *_BOOK) if (found := _plain(fields, field))), "")
    if not name and kind in ("phdthesis", "mastersthesis", "thesis", "techreport", "report"):
        name = next((found for field in _HOUSE if (found := _plain(fields, field))), "")
    if name and references.is_preprint_server(name):
        return None
    volume = references.number_unless_preprint(_plain(fields, "volume"))
    year = references.year_of(_plain(fields, "year")) or references.year_of(_plain(fields, "date"))
    venue = Venue(
        name=name,
        short=_plain(fields, "shortname") or _plain(fields, "shortjournal"),
        year=year,
        volume=volume,
        number=_plain(fields, "number") or _plain(fields, "issue"),
        pages=references.pages_of(_plain(fields, "pages")),
        publisher=_plain(fields, "publisher") or _plain(fields, "organization"),
        track=_plain(fields, "section"),
    )
    return venue if venue.name or venue.short else None


def _published_on(fields: Fields) -> PartialDate | None:
    for name in ("published", "date"):
        if found := references.date_of(_plain(fields, name)):
            return found
    return references.day_of(references.year_of(_plain(fields, "year")), _plain(fields, "month"), _plain(fields, "day"))


def _identifiers(fields: Fields, note: str) -> tuple[Identifier, ...]:
    kind = (_verbatim(fields, "eprinttype") or _verbatim(fields, "archiveprefix")).lower()
    forum = _verbatim(fields, "openreview")
    addresses = [_verbatim(fields, name) for name in ("url", "pdf", "biburl", "ee")]
    return references.identifiers_of(
        dois=[_verbatim(fields, "doi")],
        arxiv=[_verbatim(fields, "eprint")] if kind in _ARXIV_KINDS else [],
        named=[_verbatim(fields, "identifiers"), f"openreview:{forum}" if forum and ":" not in forum else forum],
        addresses=[address for address in addresses if address],
        prose=[_verbatim(fields, name) for name in ("howpublished", "journal", "volume", "archive")],
        remarks=[note],
    )


def _links(fields: Fields) -> tuple[tuple[str, str], ...]:
    links = references.links_of(_verbatim(fields, name) for name in ("url", "pdf"))
    for field, kind in (("software", "code"), ("code", "code"), ("video", "video"), ("supplementary", "supplement")):
        if address := entries.url({field: _verbatim(fields, field)}, field):
            links.setdefault(kind, address)
    return tuple(links.items())
