"""Editions in the comments that authors leave at arXiv."""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.records.editions import PART, PMLR_VOLUME, decide, kind_of
from octavo.records.venue_reading import may_mention, scan
from octavo.records.venue_words import tokens
from octavo.records.venues import Edition, edition_of_volume, venue_series

_LONGEST = 1_000
_KEPT = 65_536
_ADDRESS = re.compile(r"\(?(?:https?://|www\.)\S+")
_SENTENCE = re.compile(
    r"[.;|](?<!\bProc.)(?<!\bConf.)(?<!\bInt.)(?<!\bIntl.)(?<!\bSymp.)(?<!\bTrans.)(?<!\bvol.)\s+|\n"
)
_NOT_APPEARED = re.compile(
    r"""\b(?: submi\w+ | under\ (?:review|consideration|revision) | in\ review | reject\w* | withdr\w+ | not\ accepted
    | extended\ (?:abstract|version) | extension\ of | parts?\ of\ (?:this|the)\ (?:work|paper|results) | prepar\w+
    | based\ on | presented\ in\ part | (?:preliminary|earlier|previous|short)\ version | template | style | format\w*
    | follow\w* | challenge | competition | solution | technical\ report )\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""What a sentence says of a paper that has not appeared where it speaks of, or not as this paper."""
_EXTENT = re.compile(
    r"\b[0-9]+(?:\s?[+-]\s?[0-9]+)?[\s-]*(?:pages?|pp?|figures?|figs?|tables?|algorithms?|appendi\w+|theorems?|columns?"
    r"|supplement\w*|references?|videos?|images?)\b",
    re.IGNORECASE,
)
_QUIET_WORDS = """
    accepted accept acceptance appear appears appeared appearing published publish publishing presented presentation
    presentations camera ready cameraready version final preprint paper papers work manuscript article this is was were
    has have been be will by as it its our are main content body total plus also including includes with without
    supplementary material supplemental supplement materials appendix appendices references bibliography pages page
    figures figure tables table code codes video videos data dataset project website webpage available github
    oral orals poster spotlight spotlights highlight award best outstanding paper long short full regular accepted to
    in at for of th peer reviewed both first author authors equal contribution contributions contributed equally all
    updated revised revision v1 v2 new minor typos fixed corrected added add camera-ready recently just now source
    codebase pdf latex double column two
    """
_QUIET = frozenset(_QUIET_WORDS.split())


@lru_cache(maxsize=_KEPT)
def edition_in_comment(comment: str) -> Edition | None:
    """The edition in which a comment of arXiv's says that the paper appeared: `12 pages, accepted at ICML 2025`.

    Weaker than `edition_of`: authors write it, and often before the fact. What is submitted, under review, or an
    extension of a paper that appeared is not read; nor a comment that names two editions.
    """
    lower = comment.lower()
    has_volume = "mlr" in lower or ("learning" in lower and "research" in lower)
    if not has_volume and not may_mention(lower):
        return None
    text = _ADDRESS.sub(" ", comment[:_LONGEST]) if "http" in lower or "www" in lower else comment[:_LONGEST]
    text = _EXTENT.sub(" ", text)
    volume = PMLR_VOLUME.search(text) if has_volume else None
    by_volume = edition_of_volume(volume[1] or volume[2]) if volume else None
    if volume:
        text = f"{text[: volume.start()]} {text[volume.end() :]}"
    found = {by_volume} if by_volume else set()
    for sentence in _SENTENCE.split(text):
        if not may_mention(sentence.lower()) or _NOT_APPEARED.search(sentence):
            continue
        reading = scan(tokens(PART.sub(" ", sentence)), _QUIET)
        edition = decide(reading, None)
        if edition is None and any(kind_of(mention) not in ("journal", "") for mention in reading.mentions):
            return None
        if edition is not None and (edition.year or _is_journal(edition)):
            found.add(edition)
    return found.pop() if len(found) == 1 else None


def _is_journal(edition: Edition) -> bool:
    series = venue_series(edition.venue)
    return series is not None and series.kind == "journal"
