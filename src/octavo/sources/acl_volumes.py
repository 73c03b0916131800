"""Volumes of the ACL Anthology: what their papers take from them, and the ids that they give.

Venues' short names are in a file of the repository, `yaml/venues.yaml`, which is read where it is there.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from octavo.errors import SourceError
from octavo.records.dates import PartialDate, parse_date
from octavo.records.id_forms import ACL_ID
from octavo.records.paper import Venue
from octavo.records.text import Text
from octavo.records.venues import short_name
from octavo.sources.entries import BadEntry, cleaned
from octavo.sources.streams import open_members, whole_page
from octavo.sources.xml_stream import Element, Piece, flat_text, inner_xml, read_element

_VENUES_FILE = "venues.yaml"
_ID = re.compile(rf"[A-Z][0-9]{{2}}-[0-9]{{4}}|{ACL_ID}")
_OLD_COLLECTION = re.compile(r"([A-Z])([0-9]{2})")
_NEW_COLLECTION = re.compile(r"([0-9]{4})\.([a-z0-9_]+)")
_YEAR = re.compile(r"[12][0-9]{3}")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(rf"\b({'|'.join(_MONTHS)})[a-z]*|(?<!\d)(1[0-2]|0?[1-9])\Z", re.IGNORECASE)
_LETTERS = {
    "A": "ANLP", "C": "COLING", "D": "EMNLP", "E": "EACL", "H": "HLT", "I": "IJCNLP", "J": "CL", "K": "CoNLL",
    "L": "LREC", "M": "MUC", "N": "NAACL", "P": "ACL", "Q": "TACL", "R": "RANLP", "S": "SemEval", "U": "ALTA",
    "Y": "PACLIC",
}  # fmt: skip
"""The venues of old collections. W is workshops of all kinds; others' letters stand for several venues."""
_NO_VENUE = frozenset({"WS", "W"})
_PLAIN_VOLUMES = frozenset({"main", "all", "final"})


def short_names(target: Path) -> str:
    """The short names of venues, as lines of `id=ACRONYM` with old letters among the ids.

    Empty but where the repository's file of them is in the target or beside it.
    """
    try:
        if target.is_file() and (beside := target.resolve().parent.parent / "yaml" / _VENUES_FILE).is_file():
            target = beside
        with open_members(target, _is_venues) as members:
            for member in members:
                if _is_venues(member.name):
                    return _table(whole_page(member).content)
    except SourceError:
        pass  # It is not there, or what is wrong with the target shows when the papers are read.
    return ""


def _is_venues(name: str) -> bool:
    return name.rpartition("/")[2] == _VENUES_FILE


def _table(content: bytes) -> str:
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    table: Any = None
    with suppress(yaml.YAMLError, ValueError, RecursionError):
        table = yaml.load(content, loader)  # noqa: S506 - builds text, lists and dictionaries only
    lines = []
    for key, venue in table.items() if isinstance(table, dict) else ():
        acronym = venue.get("acronym") if isinstance(venue, dict) else None
        if isinstance(key, str) and isinstance(acronym, str) and (short := cleaned(acronym)):
            lines += [f"{name}={short}" for name in (key, venue.get("oldstyle_letter")) if isinstance(name, str)]
    return "\n".join(lines)


@lru_cache(maxsize=8)
def _short_names_of(venues: str) -> dict[str, str]:
    return dict(line.split("=", 1) for line in venues.split("\n") if "=" in line)


class Volume(NamedTuple):
    """What the papers of a volume take from it."""

    collection: str = ""
    id: str = ""
    venue: Venue = Venue()
    published_on: PartialDate | None = None


NO_VOLUME = Volume()


def read_on(volume: Volume, piece: Piece, encoding: str, venues: str) -> Volume:
    """The volume as it is known after a piece that is not a paper."""
    element = read_element(piece, encoding)
    if piece.name == "collection":
        return Volume(cleaned(element.get("id", "")))
    if piece.name == "volume":
        return _described(Volume(volume.collection, cleaned(element.get("id", ""))), {}, venues)
    return _described(volume, {child.tag: child for child in element if isinstance(child.tag, str)}, venues)


def _described(volume: Volume, meta: dict[str, Element], venues: str) -> Volume:
    short, track = _short_of(volume, line_of(meta.get("venue")), _short_names_of(venues))
    year = _year_of(volume.collection, line_of(meta.get("year")))
    month = _MONTH.search(line_of(meta.get("month")))
    date = parse_date(year)
    if month and year:
        number = _MONTHS.index(month[1].lower()) + 1 if month[1] else int(month[2])
        date = parse_date(f"{year}-{number:02}")
    venue = Venue(
        name=_plain(meta.get("booktitle"), "booktitle") or line_of(meta.get("journal-title")),
        short=short,
        year=year,
        volume=line_of(meta.get("journal-volume")) or line_of(meta.get("volume")),
        number=line_of(meta.get("journal-issue")),
        publisher=line_of(meta.get("publisher")),
        track=track,
    )
    return volume._replace(venue=venue, published_on=date)


def _short_of(volume: Volume, venue: str, names: dict[str, str]) -> tuple[str, str]:
    """The short name of a volume's venue, and the track that the volume is of."""
    track = volume.id if volume.id.isalpha() and volume.id not in _PLAIN_VOLUMES else ""
    if new := _NEW_COLLECTION.fullmatch(volume.collection):
        code = new[2]
        if code == "findings":
            # Findings are filed under a name of their own, and the venue is the volume's name.
            code, track = volume.id, code
        elif venue in names:
            code = venue
    elif old := _OLD_COLLECTION.fullmatch(volume.collection):
        code = old[1]
        if code == "W" or (code == "D" and has_many(volume)):
            return names.get(venue, ""), "workshop"
    else:
        return "", track
    short = names.get(code) or (_LETTERS.get(code, "") if len(code) == 1 else short_name(code))
    return ("" if short in _NO_VENUE else short), track


def _year_of(collection: str, year: str) -> int | None:
    """The year that a volume states, else that of its collection: `P18` is 2018, `J79` 1979."""
    if found := _YEAR.search(year):
        return int(found[0])
    if new := _NEW_COLLECTION.fullmatch(collection):
        return int(new[1])
    if old := _OLD_COLLECTION.fullmatch(collection):
        return int(old[2]) + (1900 if int(old[2]) >= 50 else 2000)
    return None


def line_of(element: Element) -> str:
    """An element's characters on one line; empty for None."""
    if element is None:
        return ""
    text = flat_text(element)
    return cleaned(text) if text else ""


def _plain(element: Element, name: str) -> str:
    return Text.of(inner_xml(element, name), "xml").plain if element is not None else ""


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0


def has_many(volume: Volume) -> bool:
    """Whether an old collection has so many volumes that they have two digits, and their papers two."""
    late = volume.collection == "D19" and _number(volume.id) >= 5
    return late or volume.collection[:1] == "W" or volume.collection == "C69"


def built_id(volume: Volume, paper: str) -> str:
    """The id of a paper that does not state it.

    Raises:
        BadEntry: collection, volume and paper make none.
    """
    if _OLD_COLLECTION.fullmatch(volume.collection):
        many = has_many(volume)
        name = f"{volume.collection}-{volume.id.zfill(2 if many else 1)}{paper.zfill(2 if many else 3)}"
    else:
        name = f"{volume.collection}-{volume.id}.{paper}"
    if not _ID.fullmatch(name):
        raise BadEntry("no id")
    return name
