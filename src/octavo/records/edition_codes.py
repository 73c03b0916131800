"""Editions in the codes that sites give: OpenReview's groups, ids of the ACL Anthology, keys of DBLP, DOIs."""

from __future__ import annotations

import re
from functools import cache

from octavo.records.venue_words import MAIN, words
from octavo.records.venues import (
    JOINT,
    TRACKS,
    Edition,
    VenueSeries,
    edition_of_volume,
    phrases,
    venue_of_code,
    venue_series,
    venues,
    year_of,
)

_GROUP = re.compile(r"[A-Za-z][\w.-]*(?:/[\w.:@-]+){1,8}(?:/-/[\w./-]+)?")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_NO_TRACK = frozenset(("conference", "-", "track", "submission", "journal"))
_FATE = re.compile(r"(?:[A-Za-z]+_)*(?:submissions?[0-9]*|rejected|withdrawn)", re.IGNORECASE)

_ACL_NEW = re.compile(r"(?P<year>[0-9]{4})\.(?P<venue>[a-z0-9_]+)(?:-(?P<volume>[a-z0-9_]+)(?:\.[0-9]+)?)?")
_ACL_OLD = re.compile(r"(?P<letter>[A-Z])(?P<year>[0-9]{2})-(?P<volume>[0-9])(?:[0-9]{3})?")
_ACL_LETTERS = {
    "A": "anlp", "C": "coling", "D": "emnlp", "E": "eacl", "I": "ijcnlp", "J": "cl", "K": "conll", "L": "lrec",
    "N": "naacl", "P": "acl", "Q": "tacl", "R": "ranlp", "U": "alta", "Y": "paclic",
}  # fmt: skip
_ACL_SECOND = {("E", 2017), ("I", 2017), ("N", 2018)} | {("P", year) for year in range(2008, 2020) if year != 2011}
"""Volumes 2 of old collections that hold papers of the main conference: short papers, mostly."""
_ACL_VOLUMES = frozenset(("long", "short", "main", "all", "final", "papers"))

_DBLP = re.compile(r"(?P<stream>(?:conf|journals)/[a-z0-9]+)/[\w.-]*?(?P<year>(?:19|20)?[0-9]{2})[a-z]?")
_DBLP_MIXED = frozenset(("conf/acl", "conf/emnlp", "conf/naacl", "conf/cvpr", "conf/iccv", "conf/eccv", "conf/ijcnlp"))
"""Streams that hold several tracks of an edition, which the key does not tell apart."""

_DOI = re.compile(r"(?:https?://)?(?:(?:dx\.)?doi\.org/|doi:\s*)?(?P<doi>10\.[0-9]{4,9}/\S+)", re.IGNORECASE)
_DOI_IEEE = re.compile(r"10\.1109/(?P<code>[a-z0-9]*?[a-z])(?P<digits>[0-9]{5})\.(?P<year>(?:19|20)[0-9]{2})\.[0-9]+")
_DOI_YEAR = re.compile(r"10\.(?:24963/(?P<a>ijcai|kr)|21437/(?P<b>interspeech)|15607/(?P<c>rss))\.(?P<year>[0-9]{4})\b")
_DOI_AAAI = re.compile(r"10\.1609/(?P<code>aaai|icwsm|icaps)\.v(?P<volume>[0-9]{1,2})i[0-9]")
_DOI_ACL = re.compile(r"10\.(?:18653/v1|3115/v1)/(?P<id>\S+)")
_PMLR = re.compile(r"(?:https?://)?proceedings\.mlr\.press/(?P<volume>[vr][0-9]+)(?:/.*)?", re.IGNORECASE)
_SLUG = re.compile(r"(?P<code>[a-z0-9*]+?)[-_]?(?P<year>(?:19|20)[0-9]{2})(?:-(?P<track>[a-z-]+))?", re.IGNORECASE)


def edition_of_code(text: str) -> Edition | None:
    """The edition that a code names by itself; None where it is none, or leaves more than one open.

    >>> [str(edition_of_code(code)) for code in ("ICML.cc/2025/Conference", "2024.acl-long.12", "icml-2025")]
    ['ICML 2025', 'ACL 2024', 'ICML 2025']
    """
    if " " in text:
        return None
    for form, read in (
        (_PMLR, _of_pmlr), (_DOI, _of_doi), (_ACL_NEW, _of_acl), (_ACL_OLD, _of_old_acl), (_DBLP, _of_dblp),
        (_SLUG, _of_slug), (_GROUP, _of_group),
    ):  # fmt: skip
        if match := form.fullmatch(text):
            return read(match)
    return None


def is_code(text: str) -> bool:
    """Whether a text is a code rather than a name: what `edition_of_code` does not read then is not to be guessed."""
    return "/" in text and " " not in text and any(form.fullmatch(text) for form in (_PMLR, _DOI, _DBLP))


def filed(key: str, year: int | None, track: str = MAIN) -> Edition | None:
    """The edition of a venue, under the name of the one that it was held with; None for a year without one."""
    if year is not None:
        key = JOINT.get((key, year), key)
    series = venue_series(key)
    if series is None or series.kind == "preprint server" or (year is not None and not series.has(year)):
        return None
    is_own = series.kind == "workshop series" and track == "workshop"
    return Edition(key, year, MAIN if is_own else track)


@cache
def track_of(text: str) -> str:
    """The track that a source's word names: `Datasets & Benchmarks`, `srw`; empty for one that is not known."""
    if text.lower() in TRACKS:
        return text.lower()
    name = words(text)
    for phrase in phrases().get(name[0], ()) if name else ():
        if phrase.rest == name[1:] and not phrase.venue:
            return phrase.track
    return ""


def _of_pmlr(match: re.Match[str]) -> Edition | None:
    return edition_of_volume(match["volume"])


def _of_doi(match: re.Match[str]) -> Edition | None:
    doi = match["doi"].lower()
    if found := _DOI_IEEE.match(doi):
        code = found["code"]
        series = venue_of_code(code)
        if series is None and code.endswith("w") and (held := venue_of_code(code[:-1])):
            return filed(held.key, int(found["year"]), "workshop")
        return _conference(series, int(found["year"]))
    if found := _DOI_YEAR.match(doi):
        return filed(found["a"] or found["b"] or found["c"], int(found["year"]))
    if found := _DOI_AAAI.match(doi):
        series = venue_of_code(found["code"])
        return filed(series.key, year_of(series.volumes, int(found["volume"]))) if series else None
    if found := _DOI_ACL.match(doi):
        own = found["id"]
        return edition_of_code(own.upper() if own[:1].isalpha() else own)
    return None


def _conference(series: VenueSeries | None, year: int) -> Edition | None:
    return filed(series.key, year) if series and series.kind != "journal" else None


def _of_acl(match: re.Match[str]) -> Edition | None:
    venue, volume, year = match["venue"], match["volume"] or "main", int(match["year"])
    if venue == "findings":
        key = _acl_venues().get(volume)
        return filed(key, year, "findings") if key else None
    key = _acl_venues().get(venue)
    if key is None:
        return None
    track = MAIN if volume in _ACL_VOLUMES or volume.isdigit() else track_of(volume)
    return filed(key, year, track) if track else None


def _of_old_acl(match: re.Match[str]) -> Edition | None:
    letter, volume = match["letter"], int(match["volume"])
    year = int(match["year"]) + (1900 if int(match["year"]) >= 50 else 2000)
    key = _ACL_LETTERS.get(letter)
    is_early = letter == "C" and year <= 2000
    is_main = volume == 1 or letter in "JQ" or is_early or (volume == 2 and (letter, year) in _ACL_SECOND)
    return filed(key, year) if key and is_main else None


@cache
def _acl_venues() -> dict[str, str]:
    return {name: series.key for series in venues() for name in series.acl}


@cache
def _streams() -> dict[str, str]:
    return {stream: series.key for series in venues() for stream in series.dblp}


def edition_of_stream(stream: str, year: int | None) -> Edition | None:
    """The edition of a stream of DBLP, `conf/icml`; None where its papers are of several tracks."""
    key = _streams().get(stream)
    return filed(key, year) if key and stream not in _DBLP_MIXED else None


def _of_dblp(match: re.Match[str]) -> Edition | None:
    digits = int(match["year"])
    year = digits if digits > 99 else digits + (2000 if digits < 50 else 1900)
    return edition_of_stream(match["stream"], year)


def _of_slug(match: re.Match[str]) -> Edition | None:
    """`icml-2025`, `nips2016`, `acl-2024-findings`: what lists and addresses call an edition, in any case."""
    series = venue_of_code(match["code"])
    track = track_of(match["track"].replace("-", " ")) or track_of(match["track"]) if match["track"] else MAIN
    if series is None or not track or (series.kind == "journal" and match["code"] not in (series.key, *series.codes)):
        return None
    return filed(series.key, int(match["year"]), track)


def _of_group(match: re.Match[str]) -> Edition | None:
    """`ICML.cc/2025/Conference`, `NeurIPS.cc/2023/Track/Datasets_and_Benchmarks`, `dblp.org/conf/ICML/2020`."""
    parts = match[0].partition("/-/")[0].split("/")
    if parts[0] == "dblp.org":
        year = int(parts[3]) if len(parts) > 3 and _YEAR.fullmatch(parts[3]) else None
        return edition_of_stream("/".join(parts[1:3]).lower(), year)
    place = next((number for number, part in enumerate(parts) if _YEAR.fullmatch(part)), None)
    if place is None:
        series = _group_venue(parts[:1])
        return filed(series.key, None) if series and series.kind == "journal" else None
    series = _group_venue(parts[:place])
    if series is None:
        return None
    tracks = [part for part in parts[place + 1 :] if part.lower() not in _NO_TRACK and not _FATE.fullmatch(part)]
    year = int(parts[place])
    if not tracks:
        return filed(series.key, year) if len(parts) > place + 1 else None
    if tracks[0].lower().startswith("workshop"):
        return filed(series.key, year, "workshop")
    track = track_of(tracks[0].replace("_", " "))
    return filed(series.key, year, track) if track and len(tracks) == 1 else None


def _group_venue(parts: list[str]) -> VenueSeries | None:
    """The venue of a group's path, its last part first: `thecvf.com/CVPR`, `ICML.cc`."""
    for part in reversed(parts):
        if series := venue_of_code(part.partition(".")[0]):
            return series
    return None
