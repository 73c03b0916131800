"""Names of editions as papers show them, the terms that stand for them in an index, and what a reader means by one.

>>> shown_venue(Venue(short="NIPS", year=2031), Edition("neurips", 2031)), edition_shown("NeurIPS 2031").slug
('NeurIPS 2031', 'neurips-2031')
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from octavo.records.editions import parse_edition
from octavo.records.paper import Venue
from octavo.records.venue_words import MAIN, words
from octavo.records.venues import (
    JOINT,
    TRACKS,
    Edition,
    VenueSeries,
    exact_names,
    track_title,
    venue_of_code,
    venue_series,
    venues,
)

_SHOWN_MAX = 60
"""Letters of a venue's name that are shown where it has no short form."""
_LONGEST = 1_000
_KEPT = 65_536
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_WORKSHOP = "workshop"
_FEW = 2
"""Words of a name that may be a part of another's: `Machine Learning`, `Nature`."""


# Showing


def shown_venue(venue: Venue, edition: Edition | None = None) -> str:
    """A venue as readers name it: `ICML 2025`, `ACL 2024 Findings`; a workshop, and what is not known, as written."""
    if edition is None or edition.track == _WORKSHOP:
        return _as_written(venue.name, venue.short, venue.year, edition)
    return _named(edition)


_named = lru_cache(maxsize=_KEPT)(str)


@lru_cache(maxsize=_KEPT)
def _as_written(written: str, short: str, year: int | None, edition: Edition | None) -> str:
    if edition is not None:
        series = venue_series(edition.venue)
        host = series.short if series else edition.venue
        if short.lower().startswith(f"{host} workshop ".lower()):
            rest = short[len(host) + 1 :].replace("_", " ")
            return _cut(f"{host} {edition.year or ''} {rest}".replace("  ", " "))
        if parse_edition(short) or not (short or written):
            # The short name is the host's.
            return edition.name
    name = _cut(short or written)
    return f"{name} {year}" if name and year and str(year) not in name else name


def _cut(name: str) -> str:
    return name if len(name) <= _SHOWN_MAX else name[: _SHOWN_MAX - 1].rsplit(" ", 1)[0] + "…"


# Reading what was shown


@lru_cache(maxsize=_KEPT)
def edition_shown(shown: str) -> Edition | None:
    """The edition that a paper's venue, as it is shown, is: what `shown_venue` was given."""
    if found := _shown_form().fullmatch(shown):
        key = _keys()[found["short"]]
        return Edition(key, int(found["year"]) if found["year"] else None, _tracks()[found["track"] or ""])
    return parse_edition(shown)


@cache
def _shown_form() -> re.Pattern[str]:
    shorts, tracks = ("|".join(map(re.escape, table)) for table in (_keys(), filter(None, _tracks())))
    return re.compile(rf"(?P<short>{shorts})(?: (?P<year>[0-9]{{4}}))?(?: (?P<track>{tracks}))?")


@cache
def _keys() -> dict[str, str]:
    return {series.short: series.key for series in venues() if series.kind != "preprint server"}


@cache
def _tracks() -> dict[str, str]:
    return {track_title(track): track for track in TRACKS}


def venue_terms(shown: str) -> tuple[str, ...]:
    """What an index holds of the edition that is shown: its venue, with the year and the track and without."""
    edition = edition_shown(shown) if shown else None
    if edition is None:
        return ()
    found = [term(edition.venue)]
    if edition.year:
        found.append(term(edition.venue, edition.year))
    if edition.track != MAIN:
        found.append(term(edition.venue, None, edition.track))
        if edition.year:
            found.append(term(edition.venue, edition.year, edition.track))
    return tuple(found)


def term(venue: str, year: int | None = None, track: str = "") -> str:
    """One of `venue_terms`: `icml`, `icml-2025`, `icml-2025/workshop`."""
    return f"{venue}{f'-{year}' if year else ''}{f'/{track}' if track else ''}"


# What a reader means


class Asked(NamedTuple):
    """A venue that a reader asks for."""

    name: str
    """Its usual name: `NeurIPS 2016`."""
    terms: tuple[str, ...]
    """Papers that have one of these among their `venue_terms` are meant."""
    names: tuple[str, ...]
    """Papers whose venue, as shown or as written, has one of these names in it are meant too."""
    is_sure: bool
    """Not where the same words may well be a part of other names: `nature`, `machine learning`."""


@lru_cache(maxsize=1_000)
def venue_asked(text: str) -> Asked | None:
    """The venue or the edition that a reader means by any of its names or codes: `nips`, `ICML'25`, `pmlr v267`.

    None for words that name none, and for preprint servers.
    """
    if len(text) > _LONGEST:
        return None
    edition = parse_edition(text)
    series = venue_series(edition.venue) if edition else venue_of_code(text)
    if series is None or series.kind == "preprint server":
        return None
    names = _spoken(series)
    named = words(_YEAR.sub("", text))
    is_plain = (
        not named
        or named in exact_names()
        or ((series.kind == "journal" or not names) and len(named) <= _FEW and named[0] not in names)
    )
    is_sure = edition is not None and not is_plain
    edition = edition or Edition(series.key)
    track = "" if edition.track == MAIN else edition.track
    terms = [term(edition.venue, edition.year, track)]
    # Editions that were held with another venue's are filed there.
    terms += [
        term(host, year, track)
        for (key, year), host in JOINT.items()
        if key == edition.venue and edition.year in (None, year)
    ]
    after = f" {edition.year}" if edition.year else ""
    after += f" {track_title(track)}" if track else ""
    return Asked(edition.name, tuple(terms), tuple(name + after for name in names), is_sure)


def _spoken(series: VenueSeries) -> list[str]:
    """Names of one word by which nothing but the venue is meant."""
    if series.cased or not series.spoken:
        return []
    names = (series.short, *(alias for alias in series.aliases if " " not in alias))
    return [name for name in dict.fromkeys(map(str.lower, names)) if len(words(name)) == 1 and name.isalnum()]
