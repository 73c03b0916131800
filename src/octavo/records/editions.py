"""Reading an edition out of what sources write: names of venues, codes, records, comments.

Everything here is pure, and rather says None than guesses: a word that it does not know makes a name another venue's,
or that of a workshop. `International Conference on Machine Learning and Cybernetics` is not ICML.

>>> [str(parse_edition(name)) for name in ("ICML'25", "PMLR v267", "Workshop on Tiles at ICML 2025", "A Venue")]
['ICML 2025', 'ICML 2025', 'ICML 2025 Workshop', 'None']
"""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.records.edition_codes import edition_of_code, filed, is_code, track_of
from octavo.records.ids import Identifier
from octavo.records.paper import Record, Venue
from octavo.records.venue_reading import Mention, Reading, scan
from octavo.records.venue_words import CITATION, MAIN, MONTHS, roman, tokens
from octavo.records.venues import (
    JOINT,
    Edition,
    VenueSeries,
    edition_of_volume,
    exact_names,
    venue_of_code,
    venue_series,
    year_of,
)

_LONGEST = 1_000
_KEPT = 65_536
_LATER = 2
"""Proceedings carry a year up to so many years after that of their edition; a source may also be a year early."""

_SERIES = r"""(?: PMLR | Proceedings\s+of\s+Machine\s+Learning\s+Research
    | (?:JMLR|Journal\s+of\s+Machine\s+Learning\s+Research) \W{0,3}
      (?:W\s?&\s?CP|Workshop\s+and\s+Conference\s+Proceedings) )"""
PMLR_VOLUME = re.compile(
    rf"""{_SERIES} [\s,:;.(-]* (?:series\s*)? (?:vol(?:ume)?\.?\s*)? v?(R?[0-9]{{1,3}})(?![0-9])
    | \bvol(?:ume)?\.?\s*(R?[0-9]{{1,3}})\s+of\s+(?:the\s+)?{_SERIES}""",
    re.IGNORECASE | re.VERBOSE,
)
PART = re.compile(r"\((?:[0-9]{1,2}|[IVX]{1,4})\)")
"""The number of a printed part: `ECCV (12)`."""
_SHORT_JOURNAL = 2
_BEFORE_JOURNAL = frozenset(("the", "in", "ieee", "acm", "springer", "elsevier", "to", "appear"))
_NO_JOURNAL = frozenset(("conference", "conferences", "proceedings", "workshop", "workshops", "symposium", "congress"))


def parse_edition(text: str, *, year: int | None = None) -> Edition | None:
    """Read the edition that a venue's name or a code names.

    Args:
        text: as a source writes it: a name, a volume of PMLR, a group of OpenReview, an id of the ACL Anthology ...
        year: the year that the source gives beside it; it counts where the text does not say, and where it
            contradicts the text, nothing is read.

    Returns:
        The edition; its `year` is None where nobody says it. None where the name is not known for sure, where it
        names two venues that were not held together, a preprint server, or a year without an edition.
    """
    return _parse(text, year) if text and len(text) <= _LONGEST else None


def find_venue(name: str) -> VenueSeries | None:
    """The venue that a name or code means: `NIPS`, `Int. Conf. on Machine Learning`, `arXiv`; None for another.

    A part of a venue's programme is not the venue: a workshop at ICML gives None.
    """
    found = parse_edition(name)
    if found is not None:
        return venue_series(found.venue) if found.track == MAIN else None
    return venue_of_code(name) or _preprint_server(name)


def is_preprint_server(name: str) -> bool:
    """Whether a name is that of a place for preprints, and so of no venue: `CoRR abs/2101.00010`."""
    return _preprint_server(name) is not None


def _preprint_server(name: str) -> VenueSeries | None:
    reading = scan(tokens(name[:_LONGEST]))
    first = reading.mentions[0] if reading.mentions else None
    series = venue_series(first.phrase.venue) if first and first.start == 0 else None
    return series if series and series.kind == "preprint server" else None


@lru_cache(maxsize=_KEPT)
def _parse(text: str, year: int | None) -> Edition | None:
    text = text.strip()
    if code := edition_of_code(text):
        return code if _agree(code.year, year) else None
    if is_code(text):
        return None
    if match := PMLR_VOLUME.search(text):
        if found := edition_of_volume(match[1] or match[2]):
            return found
        text = f"{text[: match.start()]} {text[match.end() :]}"
    found_tokens = tokens(PART.sub(" ", text))
    if key := exact_names().get(tuple(token.text for token in found_tokens if token.kind != "y")):
        years = [token.value for token in found_tokens if token.kind == "y"]
        return filed(key, years[0] if years else year) if len(years) < 2 else None
    return decide(scan(found_tokens), year)


def _agree(said: int | None, year: int | None) -> bool:
    return said is None or year is None or -1 <= year - said <= _LATER


# What they mean together


def decide(reading: Reading, year: int | None) -> Edition | None:
    mentions = _without_titles(reading.mentions)
    if not mentions and reading.is_findings_of_acl and len(reading.years) == 1 and not reading.unknown:
        return filed("acl", next(iter(reading.years.values())), "findings")
    if not mentions:
        return None
    kinds = {kind_of(mention) for mention in mentions}
    if "preprint server" in kinds:
        return None
    if "journal" in kinds:
        return _journal(reading, mentions[0], year) if len(mentions) == 1 else None
    track = _track(reading, mentions)
    if track is None:
        return None
    found = {_edition(reading, mention, track, year) for mention in mentions}
    return found.pop() if len(found) == 1 else _held_as_one(reading, mentions, track, year)


def kind_of(mention: Mention) -> str:
    series = venue_series(mention.phrase.venue)
    return series.kind if series else ""


def _without_titles(mentions: list[Mention]) -> list[Mention]:
    """Leave out a journal's short name where a conference is named too: `Machine Learning: ECML 2007` is a book."""
    if all(kind_of(mention) == "journal" for mention in mentions):
        distinct = {mention.phrase.venue: mention for mention in reversed(mentions)}
        return list(distinct.values()) if len(distinct) == 1 else mentions
    return [
        mention for mention in mentions if kind_of(mention) != "journal" or mention.end - mention.start > _SHORT_JOURNAL
    ]


def _journal(reading: Reading, mention: Mention, year: int | None) -> Edition | None:
    """A journal's year: nothing may stand before the name, and only a citation after it."""
    before = {token.text for token in reading.tokens[: mention.start]}
    after = {token.text for token in reading.tokens[mention.end :]}
    if reading.unknown or reading.tracks or before - _BEFORE_JOURNAL or after & _NO_JOURNAL:
        return None
    said = set(reading.years.values())
    if not said:
        return filed(mention.phrase.venue, year or _volume_year(reading, mention))
    # Of several years the last is that of printing: the others belong to months before, or to pages.
    found = said.pop() if len(said) == 1 else None
    return filed(mention.phrase.venue, found) if found and _agree(found, year) else None


def _track(reading: Reading, mentions: list[Mention]) -> str | None:
    """The track that the words speak of; None where they say what is not known."""
    tracks = {track for _, track in reading.tracks} | {mention.phrase.track for mention in mentions} - {MAIN}
    is_series = any(kind_of(mention) == "workshop series" for mention in mentions)
    if is_series:
        tracks.discard("workshop")
    has_strange = bool(reading.unknown) or not _are_numbers_clear(reading, mentions)
    if has_strange:
        first = mentions[0].start
        by_sign = any(sign < first for sign in reading.signs) and any(place < first for place in reading.unknown)
        is_workshop = "workshop" in tracks or (by_sign and not tracks)
        return "workshop" if is_workshop and not is_series and len({m.phrase.venue for m in mentions}) == 1 else None
    for whole in ("workshop", "companion"):
        if whole in tracks:
            return whole
    return tracks.pop() if len(tracks) == 1 else None if tracks else MAIN


def _are_numbers_clear(reading: Reading, mentions: list[Mention]) -> bool:
    """Whether each number is one of a date, of pages, or a volume."""
    ends = {mention.end for mention in mentions if not mention.phrase.is_short or _has_roman(reading, mention)}
    clear: set[int] = set()
    for place in reading.numbers:
        before = reading.tokens[place - 1].text if place else ""
        if place in ends or place - 1 in clear or place - 1 in reading.years or before in CITATION or before in MONTHS:
            clear.add(place)
    last = len(reading.tokens) - 1
    for place in reversed(reading.numbers):
        if place < last and (reading.tokens[place + 1].text in MONTHS or place + 1 in clear):
            clear.add(place)
    return len(clear) == len(reading.numbers)


def _has_roman(reading: Reading, mention: Mention) -> bool:
    return mention.end < len(reading.tokens) and reading.tokens[mention.end].kind == "w"


def _edition(reading: Reading, mention: Mention, track: str, year: int | None) -> Edition | None:
    said = _said_year(reading, mention, track)
    if said == 0 or (said and not _agree(said, year)):
        return None
    return filed(mention.phrase.venue, said or year, track)


def _said_year(reading: Reading, mention: Mention, track: str) -> int | None:
    """The year by the text's own words; None where it does not say, 0 where it contradicts itself."""
    counted = {_ordinal_year(reading, mention, track), _volume_year(reading, mention)} - {None}
    if len(counted) > 1 or 0 in counted:
        return 0
    written = _written_year(reading, mention)
    if not counted or written == 0:
        return written
    by_number = counted.pop()
    # Proceedings are printed in the year of the conference or the next.
    return by_number if written is None or written - (by_number or 0) in (0, 1) else 0


def _written_year(reading: Reading, mention: Mention) -> int | None:
    years = set(reading.years.values())
    if len(years) > 1:
        near = {
            value
            for place, value in reading.years.items()
            if place == mention.end or (place < mention.start and not _between(reading, place, mention.start))
        }
        years = near or years
    if len(years) > 1:
        return 0
    return years.pop() if years else None


def _between(reading: Reading, start: int, end: int) -> bool:
    """Whether something of its own stands between two places."""
    places = {*reading.unknown, *reading.numbers, *reading.ordinals, *(place for place, _ in reading.tracks)}
    places |= {place for mention in reading.mentions for place in (mention.start, mention.end - 1)}
    return any(start < place < end for place in places)


def _ordinal_year(reading: Reading, mention: Mention, track: str) -> int | None:
    before = [place for place in reading.ordinals if place < mention.start]
    # `Third ICML Workshop` counts the workshops.
    if not before or (track == "workshop" and mention.phrase.is_short) or _between(reading, before[-1], mention.start):
        return None
    if not mention.phrase.rule:
        return None
    return year_of(mention.phrase.rule, reading.tokens[before[-1]].value) or 0


def _volume_year(reading: Reading, mention: Mention) -> int | None:
    """The year of the number that follows a name: `Advances in Neural Information Processing Systems 36`."""
    series = venue_series(mention.phrase.venue)
    place = mention.end
    if series is None or place >= len(reading.tokens):
        return None
    if reading.tokens[place].text in ("vol", "volume", "no") and series.volumes:
        place += 1
    if place not in reading.numbers:
        return None
    token = reading.tokens[place]
    if token.kind == "w":
        return year_of(series.volumes or series.ordinals, roman(token.text) or 0)
    return year_of(series.volumes, token.value) if series.volumes and not mention.phrase.is_short else None


def _held_as_one(reading: Reading, mentions: list[Mention], track: str, year: int | None) -> Edition | None:
    """The edition of several names: those of one conference, or of two that were held as one."""
    years = {said for mention in mentions if (said := _said_year(reading, mention, track)) is not None}
    if len(years) > 1 or 0 in years:
        return None
    said = years.pop() if years else year
    if said is None or not _agree(said, year):
        return None
    filed_as = {JOINT.get((mention.phrase.venue, said), mention.phrase.venue) for mention in mentions}
    return filed(filed_as.pop(), said, track) if len(filed_as) == 1 else None


# Records

_NOWHERE = Venue()
_TELLING = frozenset(("pmlr", "acl", "doi", "dblp"))
"""Schemes of identifiers that may tell an edition."""
_UNTOLD = Edition("")
_PMLR = frozenset(("pmlr", "proceedings of machine learning research"))


def edition_of(record: Record) -> Edition | None:
    """The edition that a record's paper appeared in, or was submitted to: its `status` says which.

    A comment is not read; see `edition_in_comment`.
    """
    if record.venue is None and not record.journal_ref and _TELLING.isdisjoint([i.scheme for i in record.identifiers]):
        return None
    venue = record.venue or _NOWHERE
    named = parse_edition(venue.name, year=venue.year) if venue.name else None
    # Beside a name that is not known, an identifier may be that of another appearance.
    found = _of_identifiers(record.identifiers, named, venue.year if venue.name and not named else None)
    if found is _UNTOLD:
        return None
    found = found or _of_venue(venue, named) or (_of_streams(record.identifiers) if venue is _NOWHERE else None)
    if found is None:
        return parse_edition(record.journal_ref) if record.journal_ref else None
    track = track_of(venue.track) if venue.track else ""
    # A name in full tells better than the folder that a source keeps a volume in whether it is a workshop's.
    if found.track != MAIN or track in ("", MAIN) or (track == "workshop" and named is not None):
        return found
    return Edition(found.venue, found.year, track)


def _of_identifiers(
    identifiers: tuple[Identifier, ...], named: Edition | None, year: int | None = None
) -> Edition | None:
    """The edition by a volume of PMLR, an id of the ACL Anthology, or a DOI; _UNTOLD where the track is open.

    Those of another `year` are passed over, where one is given.
    """
    for identifier in identifiers:
        scheme, value = identifier.scheme, identifier.value
        if scheme == "pmlr" and (found := edition_of_volume(value.partition("/")[0])):
            return found
        if scheme == "acl":
            found = edition_of_code(value)
            if found and year not in (None, found.year):
                continue
            if found and (named is None or found.track != MAIN):
                return found
            # An old id does not tell the tracks apart, the name of its volume does.
            if found or named is None or "." not in value or named.track != MAIN:
                return named
            return named if named.venue not in value.partition("-")[0] else _UNTOLD
        if scheme == "doi" and (found := edition_of_code(value)) and year in (None, found.year):
            return found
    return None


def _of_streams(identifiers: tuple[Identifier, ...]) -> Edition | None:
    codes = (edition_of_code(identifier.value) for identifier in identifiers if identifier.scheme == "dblp")
    return next(filter(None, codes), None)


def _of_venue(venue: Venue, named: Edition | None) -> Edition | None:
    by_volume = edition_of_volume(venue.volume) if venue.volume else None
    if by_volume and venue.publisher.casefold() in _PMLR:
        return by_volume
    short = parse_edition(venue.short, year=venue.year) if venue.short else None
    if named and short and named.venue != short.venue:
        return None
    if venue.name and not named:
        return None
    found = named or short
    # Names of volumes have been left from the year before; their numbers are right.
    return by_volume if by_volume and found and by_volume.venue == found.venue else found
