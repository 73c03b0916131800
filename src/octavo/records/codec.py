"""Records as JSON: what the catalogue stores and what exports hold.

The form is that of `records.paper.Record`, field by field, and fields that are empty are left out:

    {"source": "mlanthology", "key": "bee2031icml-tiles", "title": "Fast Tiles",
     "authors": [{"name": "Ann Bee", "given": "Ann", "family": "Bee"}],
     "identifiers": ["openreview:AbC12xYz90"], "abstract": {"text": "We show $x$.", "markup": "mixed"},
     "venue": {"short": "ICML", "year": 2031}, "links": {"pdf": "https://example.org/a.pdf"},
     "versions": [{"number": 1, "on": "2031-05-09"}], "published_on": "2031-07",
     "references": ["arxiv:2101.00010"], "citations": 12}

A plain text is a string, one with markup an object. Reading is the exact inverse of writing, and strict: a
field of another type is refused by name. Identifiers and keys are strings for good: read as a number,
2101.00010 loses its zero.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import blake2b
from json.encoder import encode_basestring as _quoted
from typing import Any

from octavo.errors import FormatError
from octavo.records.dates import PartialDate
from octavo.records.ids import RECORD_SCHEME, SCHEMES, Identifier
from octavo.records.names import Author
from octavo.records.paper import MAX_REFERENCES, Record, Venue, Version
from octavo.records.text import Text

JsonObject = dict[str, Any]
"""A JSON object; `Any` because JSON's values have no better type."""

_encode_ascii = json.JSONEncoder(check_circular=False, separators=(",", ":")).encode
_DATE = re.compile(r"[12][0-9]{3}(?:-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12][0-9]|3[01]))?)?")
_KNOWN_SCHEMES = frozenset((*SCHEMES, RECORD_SCHEME))

_STRINGS = ("status", "award", "comment", "journal_ref", "licence", "language")
_DATES = ("submitted_on", "updated_on", "announced_on", "published_on")
_CLAIM_DIGEST = 16
_COUNT_DIGEST = 4
_MOST = 10**9
"""No count is as large; a larger number is none, and SQLite could not store every one."""
_VENUE_WORDS = ("name", "short", "volume", "number", "pages", "publisher", "track")


def record_to_dict(record: Record) -> JsonObject:
    """Give the JSON-ready form of a record; empty fields are left out, `citations` and `seen_on` are last."""
    out: JsonObject = json.loads(encode_record(record))
    return out


def record_from_dict(mapping: Mapping[str, object]) -> Record:
    """Make a record of its JSON form: the exact inverse of `record_to_dict`.

    Raises:
        FormatError: a field is of another type, unknown or missing; the message names it.
    """
    if not isinstance(mapping, Mapping):
        raise FormatError(f"A record is a JSON object, not {_kind(mapping)}.")
    fields: JsonObject = {}
    for name, value in mapping.items():
        read = _READERS.get(name)
        if read is None:
            raise FormatError(f"A record has no field {_shown(name)}.")
        fields[name] = read(value, name)
    for name in ("source", "key", "title"):
        if name not in fields:
            raise FormatError(f"The record has no {name}.")
    return Record(**fields)


def encode_record(record: Record) -> str:
    """Give a record as one line of compact JSON, the same text for equal records.

    It can be stored as UTF-8 whatever the record holds: where a text has half a surrogate pair, all but
    ASCII is escaped.
    """
    return encode_with_digest(record)[0]


def decode_record(text: str) -> Record:
    """Read what `encode_record` gave.

    Raises:
        FormatError: it is no JSON, or not a record's.
    """
    try:
        mapping = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"The record is not readable as JSON: {error}.") from error
    return record_from_dict(mapping)


def digest(record: Record) -> bytes:
    """Give bytes that are the same just for records that make the same claim; `seen_on` does not count.

    Sixteen of them, and four more where the record says how often it is cited: see `same_claim`.
    """
    return encode_with_digest(record)[1]


def same_claim(one: bytes, other: bytes) -> bool:
    """Say whether two digests are of records that differ at most in how often they are cited."""
    return one[:_CLAIM_DIGEST] == other[:_CLAIM_DIGEST]


def encode_with_digest(record: Record) -> tuple[str, bytes]:
    """Give `encode_record` and `digest` of a record for the price of one."""
    text = _claim(record)
    try:
        stored = text.encode()
    except UnicodeEncodeError:
        text = _encode_ascii(json.loads(text))
        stored = text.encode()
    digested = blake2b(stored, digest_size=_CLAIM_DIGEST).digest()
    if record.citations is not None:
        count = str(record.citations)
        digested += blake2b(count.encode(), digest_size=_COUNT_DIGEST).digest()
        text = f'{text[:-1]},"citations":{count}}}'
    if record.seen_on is not None:
        text = f'{text[:-1]},"seen_on":"{record.seen_on}"}}'
    return text, digested


# Writing. The text is put together by hand, which takes half the time of making dictionaries for `json` first.


def _claim(record: Record) -> str:
    """Give the JSON text of all but `citations` and `seen_on`."""
    out = [f'{{"source":{_quoted(record.source)},"key":{_quoted(record.key)},"title":{_text_out(record.title)}']
    if record.authors:
        out.append(f'"authors":[{",".join(map(_author_out, record.authors))}]')
    if record.authors_incomplete:
        out.append('"authors_incomplete":true')
    if record.identifiers:
        out.append(f'"identifiers":{_strings_out(map(str, record.identifiers))}')
    if record.abstract is not None:
        out.append(f'"abstract":{_text_out(record.abstract)}')
    if record.summary is not None:
        out.append(f'"summary":{_text_out(record.summary)}')
    if record.tldr is not None:
        out.append(f'"tldr":{_text_out(record.tldr)}')
    if record.venue is not None:
        out.append(f'"venue":{_venue_out(record.venue)}')
    out += [f'"{name}":{_quoted(value)}' for name in _STRINGS if (value := getattr(record, name))]
    out += [f'"{name}":"{date}"' for name in _DATES if (date := getattr(record, name)) is not None]
    if record.versions:
        out.append(f'"versions":[{",".join(map(_version_out, record.versions))}]')
    if record.categories:
        out.append(f'"categories":{_strings_out(record.categories)}')
    if record.keywords:
        out.append(f'"keywords":{_strings_out(record.keywords)}')
    if record.topics:
        out.append(f'"topics":[{",".join(map(_strings_out, record.topics))}]')
    if record.links:
        links = ",".join([f"{_quoted(kind)}:{_quoted(address)}" for kind, address in record.links])
        out.append(f'"links":{{{links}}}')
    if record.references:
        out.append(f'"references":{_strings_out(map(str, record.references))}')
    return ",".join(out) + "}"


def _strings_out(strings: Iterable[str]) -> str:
    return f"[{','.join(map(_quoted, strings))}]"


def _text_out(text: Text) -> str:
    raw = _quoted(text.raw)
    return raw if text.markup == "plain" else f'{{"text":{raw},"markup":{_quoted(text.markup)}}}'


def _author_out(author: Author) -> str:
    out = f'{{"name":{_quoted(author.name)}'
    if author.given:
        out += f',"given":{_quoted(author.given)}'
    if author.family:
        out += f',"family":{_quoted(author.family)}'
    if author.suffix:
        out += f',"suffix":{_quoted(author.suffix)}'
    if author.affiliations:
        out += f',"affiliations":{_strings_out(author.affiliations)}'
    if author.orcid:
        out += f',"orcid":{_quoted(author.orcid)}'
    if author.ids:
        out += f',"ids":{_strings_out(author.ids)}'
    return out + "}"


def _venue_out(venue: Venue) -> str:
    words = [f'"{name}":{_quoted(word)}' for name in _VENUE_WORDS if (word := getattr(venue, name))]
    if venue.year is not None:
        words.append(f'"year":{venue.year}')
    return f"{{{','.join(words)}}}"


def _version_out(version: Version) -> str:
    on = "" if version.on is None else f',"on":"{version.on}"'
    return f'{{"number":{version.number}{on}}}'


# Reading. Each reader takes the value and the field's name, for the message.


def _string(value: object, field: str) -> str:
    if type(value) is not str:
        raise _wrong(value, field, "a string")
    return value


def _flag(value: object, field: str) -> bool:
    if type(value) is not bool:
        raise _wrong(value, field, "true or false")
    return value


def _number(value: object, field: str) -> int:
    if type(value) is not int:
        raise _wrong(value, field, "a whole number")
    return value


def _list(value: object, field: str) -> list[object]:
    if type(value) is not list:
        raise _wrong(value, field, "a list")
    return value


def _object(value: object, field: str, names: frozenset[str]) -> JsonObject:
    if type(value) is not dict:
        raise _wrong(value, field, "an object")
    if not names.issuperset(value):
        raise FormatError(f"The field {field} has no part {_shown(min(map(str, value.keys() - names)))}.")
    return value


def _word(parts: JsonObject, name: str, field: str) -> str:
    """Read a part of an object that may be absent."""
    value = parts.get(name, "")
    return value if type(value) is str else _string(value, f"{field}.{name}")


def _strings(value: object, field: str) -> tuple[str, ...]:
    return tuple([_string(item, field) for item in _list(value, field)])


def _date(value: object, field: str) -> PartialDate:
    if type(value) is not str or not _DATE.fullmatch(value):
        raise _wrong(value, field, "a date such as 2031-05-09, 2031-05 or 2031")
    return PartialDate(value)


_TEXT_PARTS = frozenset({"text", "markup"})
_AUTHOR_PARTS = frozenset({"name", "given", "family", "suffix", "affiliations", "orcid", "ids"})
_VERSION_PARTS = frozenset({"number", "on"})
_VENUE_PARTS = frozenset((*_VENUE_WORDS, "year"))


def _text(value: object, field: str) -> Text:
    if type(value) is str:
        return Text(value)
    parts = _object(value, field, _TEXT_PARTS)
    return Text(_string(parts.get("text"), f"{field}.text"), _string(parts.get("markup"), f"{field}.markup"))


def _author(value: object, field: str) -> Author:
    parts = _object(value, field, _AUTHOR_PARTS)
    return Author(
        _string(parts.get("name"), f"{field}.name"),
        _word(parts, "given", field),
        _word(parts, "family", field),
        _word(parts, "suffix", field),
        _strings(parts.get("affiliations", []), f"{field}.affiliations"),
        _word(parts, "orcid", field),
        _strings(parts.get("ids", []), f"{field}.ids"),
    )


def _authors(value: object, field: str) -> tuple[Author, ...]:
    authors: list[Author] = []
    for item in _list(value, field):
        # Just a name with its two parts is the common case, and there are millions of them.
        if type(item) is dict and len(item) == 3:
            name, given, family = item.get("name"), item.get("given"), item.get("family")
            if type(name) is str and type(given) is str and type(family) is str:
                authors.append(Author(name, given, family))
                continue
        authors.append(_author(item, field))
    return tuple(authors)


def _identifier(value: object, field: str) -> Identifier:
    scheme, _, rest = _string(value, field).partition(":")
    if scheme not in _KNOWN_SCHEMES or not rest:
        raise _wrong(value, field, "identifiers such as arxiv:2101.00010")
    return Identifier(scheme, rest)


def _identifiers(value: object, field: str) -> tuple[Identifier, ...]:
    return tuple([_identifier(item, field) for item in _list(value, field)])


def _references(value: object, field: str) -> tuple[Identifier, ...]:
    """Read references; what is past MAX_REFERENCES is left out, as it would be of the source's own answer."""
    return _identifiers(_list(value, field)[:MAX_REFERENCES], field)


def _count(value: object, field: str) -> int:
    number = _number(value, field)
    if not 0 <= number < _MOST:
        raise _wrong(value, field, "a count")
    return number


def _venue(value: object, field: str) -> Venue:
    parts = _object(value, field, _VENUE_PARTS)
    year = _number(parts["year"], f"{field}.year") if "year" in parts else None
    return Venue(year=year, **{name: _word(parts, name, field) for name in _VENUE_WORDS if name in parts})


def _version(value: object, field: str) -> Version:
    parts = _object(value, field, _VERSION_PARTS)
    on = _date(parts["on"], f"{field}.on") if "on" in parts else None
    return Version(_number(parts.get("number"), f"{field}.number"), on)


def _versions(value: object, field: str) -> tuple[Version, ...]:
    return tuple([_version(item, field) for item in _list(value, field)])


def _topics(value: object, field: str) -> tuple[tuple[str, ...], ...]:
    return tuple([_strings(trail, field) for trail in _list(value, field)])


def _links(value: object, field: str) -> tuple[tuple[str, str], ...]:
    if type(value) is not dict:
        raise _wrong(value, field, "an object")
    return tuple([(_string(kind, field), _string(address, f"{field}.{kind}")) for kind, address in value.items()])


_READERS: dict[str, Callable[[object, str], object]] = {
    **dict.fromkeys(("source", "key", *_STRINGS), _string),
    **dict.fromkeys(("title", "abstract", "summary", "tldr"), _text),
    **dict.fromkeys((*_DATES, "seen_on"), _date),
    **dict.fromkeys(("categories", "keywords"), _strings),
    "authors": _authors,
    "authors_incomplete": _flag,
    "identifiers": _identifiers,
    "references": _references,
    "citations": _count,
    "venue": _venue,
    "versions": _versions,
    "topics": _topics,
    "links": _links,
}


def _wrong(value: object, field: str, wanted: str) -> FormatError:
    return FormatError(f"The field {field} holds {_kind(value)} where it should hold {wanted}.")


def _kind(value: object) -> str:
    """Name a JSON value for a message."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, int | float):
        return f"the number {_shown(value)}"
    if isinstance(value, str):
        return f"the string {_shown(value)}"
    return "a list" if isinstance(value, list | tuple) else "an object"


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
