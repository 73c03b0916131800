"""Venues and editions as values: ICML is a VenueSeries, ICML 2025 an Edition.

What is known of venues stands in `octavo/data/venues.toml`, a section a venue, named by its key:

* `short` and `name`: the names of today; `aliases`: others that it had or is given, `exact`: those that count only as
  the whole of a text, `books`: titles that stand before the short name on printed proceedings;
* `cased`: the short name is a word too, and counts only in capitals; `spoken = false`: it stands for other things;
* `kind`, one of KINDS; `field`; `first`, the first year; `every`, a first year and the years between two editions;
* `ordinals`: the year of the n-th; `volumes`: the year of a volume of its own proceedings; `pmlr`: volumes of PMLR;
* `codes`, `dblp`, `openreview`, `acl`: what it is called in lists, by DBLP, OpenReview and the ACL Anthology.

`octavo/data/places.txt` has the places where they are held, which say nothing in a name.

`octavo.records.editions` reads editions out of texts and records.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

from octavo.records.venue_words import MAIN, TRACK_WORDS, known_phrases, words

KINDS = ("conference", "workshop series", "journal", "preprint server")
"""What a venue can be."""

TRACKS = (MAIN, *TRACK_WORDS)
"""The parts of an edition, each with a list of its own; all workshops of an edition are the one track `workshop`."""

JOINT = MappingProxyType(
    {
        ("coling", 1984): "acl", ("coling", 1998): "acl", ("coling", 2006): "acl",
        ("ijcnlp", 2009): "acl", ("ijcnlp", 2015): "acl", ("ijcnlp", 2021): "acl",
        ("conll", 2007): "emnlp", ("conll", 2012): "emnlp", ("ijcnlp", 2019): "emnlp",
        ("ijcnlp", 2020): "aacl", ("ijcnlp", 2022): "aacl", ("ijcnlp", 2023): "aacl", ("ijcnlp", 2025): "aacl",
        ("lrec", 2024): "coling", ("naacl", 2000): "anlp",
        ("ecai", 2018): "ijcai", ("ecai", 2022): "ijcai", ("pricai", 2020): "ijcai",
    }
)  # fmt: skip
"""Editions that were held as one with another venue's, under which they are filed."""

_LAST = 2100
_RULE = re.compile(r"(\d+)=(\d{4})(?:/(\d+))?")
_SQUEEZE = re.compile(r"[\W_]+")

Rule = tuple[tuple[int, int, int], ...]
"""Numbers and their years: (number, year, years from there to the next number; 0 where none follows)."""


@dataclass(frozen=True, slots=True)
class VenueSeries:
    """A venue over the years: a conference, a series of workshops, a journal, a preprint server."""

    key: str
    """Its name in code and in addresses: `icml`."""
    short: str
    name: str
    kind: str = "conference"
    """One of KINDS."""
    field: str = ""
    first: int = 0
    """The first year."""
    every: tuple[int, int] = (0, 1)
    """(a first year, the years between two editions), from that year on."""
    ordinals: Rule = ()
    volumes: Rule = ()
    pmlr: tuple[tuple[str, int], ...] = ()
    """(volume, edition's year): `("267", 2025)`, a reissue's volume with an R."""
    aliases: tuple[str, ...] = ()
    books: tuple[str, ...] = ()
    exact: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    dblp: tuple[str, ...] = ()
    openreview: tuple[str, ...] = ()
    acl: tuple[str, ...] = ()
    cased: bool = False
    spoken: bool = True

    def __str__(self) -> str:
        return self.short

    def has(self, year: int) -> bool:
        """Whether there can have been an edition in that year."""
        since, step = self.every
        return self.first <= year <= _LAST and (year < since or (year - since) % step == 0)

    def ordinal(self, year: int) -> int | None:
        """Which edition that of a year was: the 42nd; None where the rule does not say."""
        for number, first, step in reversed(self.ordinals):
            if year >= first:
                found = number + ((year - first) // step if step else 0)
                return found if year_of(self.ordinals, found) == year else None
        return None


@dataclass(frozen=True, slots=True, order=True)
class Edition:
    """One edition of a venue, or one track of it: ICML 2025, the Findings of ACL 2024."""

    venue: str
    """The key of a VenueSeries."""
    year: int | None = None
    """None where only the venue is known."""
    track: str = MAIN
    """One of TRACKS."""

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The name to show: `ICML 2025`, `ACL 2024 Findings`."""
        series = venue_series(self.venue)
        parts = (series.short if series else self.venue.upper(), str(self.year or ""), track_title(self.track))
        return " ".join(filter(None, parts))

    @property
    def full_name(self) -> str:
        """The name in full: `42nd International Conference on Machine Learning`."""
        series = venue_series(self.venue)
        if series is None:
            return self.name
        number = series.ordinal(self.year) if self.year else None
        before = _numbered(number) if number else str(self.year or "")
        if series.kind == "journal":
            return f"{series.name} {before}".strip()
        track = track_title(self.track)
        return f"{before} {series.name}".strip() + (f": {track}" if track else "")

    @property
    def slug(self) -> str:
        """The name in addresses and lists: `icml-2025`, `acl-2024-findings`."""
        track = "" if self.track == MAIN else self.track.replace(" ", "-")
        return "-".join(filter(None, (self.venue, str(self.year or ""), track)))

    @property
    def main(self) -> Edition:
        """The edition that a track is of; itself where it is the main one."""
        return self if self.track == MAIN else Edition(self.venue, self.year)


_CALLED_TRACKS = frozenset(("position", "journal", "creative"))
"""Tracks whose bare names would be something else: a journal."""


def track_title(track: str) -> str:
    """A track as names of editions have it: `Datasets and Benchmarks`; empty for the main one."""
    if track == MAIN:
        return ""
    if track in _CALLED_TRACKS:
        track = f"{track} track"
    return " ".join(word if word in ("and", "of") else word[:1].upper() + word[1:] for word in track.split())


def _numbered(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def year_of(rule: Rule, number: int) -> int | None:
    """The year of a numbered edition or volume; None where the rule does not say."""
    for first, year, step in reversed(rule):
        if number == first:
            return year
        if number > first:
            return year + step * (number - first) if step else None
    return None


def venues() -> tuple[VenueSeries, ...]:
    """All venues that are known, as the table has them."""
    return tuple(_table().values())


def venue_series(key: str) -> VenueSeries | None:
    """The venue of a key (`icml`); None for an unknown one."""
    return _table().get(key)


def venue_of_code(code: str) -> VenueSeries | None:
    """The venue that a list or a file's name means by a code, in any case: `nips`, `acmmm`, `siggraph_asia`."""
    key = _codes().get(_SQUEEZE.sub("", code.lower()))
    return _table()[key] if key else None


def short_name(code: str) -> str:
    """The usual short name of the venue that a list files under `code`, in any case: `neurips` and `nips` are
    NeurIPS.

    A code that is not known is returned in capitals; none gives none.
    """
    series = venue_of_code(code)
    return series.short if series else code.upper()


def edition_of_volume(volume: str) -> Edition | None:
    """The edition that a volume of the Proceedings of Machine Learning Research holds: `267`, `v267`, `R9`."""
    return _volumes().get(volume.strip().upper().removeprefix("V").lstrip("0") or "0")


@cache
def _table() -> dict[str, VenueSeries]:
    data = tomllib.loads((files("octavo.data") / "venues.toml").read_text(encoding="utf-8"))
    return {key: _series(key, fields) for key, fields in data.items()}


def _series(key: str, fields: dict[str, Any]) -> VenueSeries:
    lists = {name: tuple(value) for name, value in fields.items() if isinstance(value, list)}
    rules = {name: _rule(fields.get(name, "")) for name in ("ordinals", "volumes")}
    pairs = (pair.partition("=") for pair in fields.get("pmlr", "").split())
    pmlr = tuple((volume, int(year)) for volume, _, year in pairs)
    return VenueSeries(key=key, **{**fields, **lists, **rules, "pmlr": pmlr})


def _rule(text: str) -> Rule:
    return tuple((int(number), int(year), int(step or 0)) for number, year, step in _RULE.findall(text))


@cache
def _volumes() -> dict[str, Edition]:
    return {volume: Edition(series.key, year) for series in venues() for volume, year in series.pmlr}


@cache
def _codes() -> dict[str, str]:
    table = {_SQUEEZE.sub("", series.key): series.key for series in venues()}
    for series in venues():
        single = (alias for alias in series.aliases if " " not in alias)
        streams = (stream.partition("/")[2] for stream in series.dblp if stream.startswith("conf/"))
        for code in (*series.codes, series.short, *single, *series.acl, *streams):
            table.setdefault(_SQUEEZE.sub("", code.lower()), series.key)
    return table


class Phrase(NamedTuple):
    """What a run of words means: a venue, the name of a track, or nothing."""

    rest: tuple[str, ...]
    """The words after the first."""
    venue: str
    """The venue's key; empty for a phrase that is no venue's."""
    track: str
    rule: Rule = ()
    """The years of the ordinals that stand before it."""
    is_short: bool = False
    cased: bool = False
    """Counts in capitals only."""


@cache
def phrases() -> dict[str, tuple[Phrase, ...]]:
    """All phrases by their first word, the longest first."""
    table: dict[tuple[str, ...], Phrase] = {
        phrase: Phrase(phrase[1:], "", track) for phrase, track in known_phrases().items()
    }
    for place in (files("octavo.data") / "places.txt").read_text(encoding="utf-8").splitlines():
        name = words(place)
        table.setdefault(name, Phrase(name[1:], "", ""))
    for series in venues():
        for name, track, rule in _names(series):
            is_short = len(name) == 1
            table[name] = Phrase(name[1:], series.key, track, rule, is_short, is_short and series.cased)
    by_first: dict[str, list[Phrase]] = {}
    for phrase, what in table.items():
        by_first.setdefault(phrase[0], []).append(what)
    return {first: tuple(sorted(found, key=lambda phrase: -len(phrase.rest))) for first, found in by_first.items()}


@cache
def exact_names() -> dict[tuple[str, ...], str]:
    """Names that count only as a whole text, with the keys of their venues."""
    return {words(name): series.key for series in venues() for name in series.exact}


_TRACK_OF_ALIAS = re.compile(r"([a-z]+): ")
_RULE_OF_ALIAS = re.compile(r" \[(.+)\]$")
_NOT_FIRST = frozenset(("ieee", "cvf", "acm", "rsj", "the", "annual", "aaai", "ras", "siam", "usenix", "ccf"))
_MIN_WORDS = 3
"""A name is known without its organisers too, where so many words are left."""


def _names(series: VenueSeries) -> list[tuple[tuple[str, ...], str, Rule]]:
    """The names of a venue as words, each with the track and the rule of ordinals that it stands for."""
    short = words(series.short)
    found = [(short, MAIN, series.ordinals)] if series.spoken and short else []
    found += [((*words(book), *short), MAIN, series.ordinals) for book in series.books]
    for alias in (series.name, *series.aliases):
        track, rule = MAIN, series.ordinals
        if named := _TRACK_OF_ALIAS.match(alias):
            track, alias = named[1], alias[named.end() :]
        if ruled := _RULE_OF_ALIAS.search(alias):
            rule, alias = _rule(ruled[1]), alias[: ruled.start()]
        name = words(alias)
        found.append((name, track, rule))
        while name[0] in _NOT_FIRST and len(name) > _MIN_WORDS:
            name = name[1:]
            found.append((name, track, rule))
    return found
