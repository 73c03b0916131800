"""What became of a paper, read from the words in which venues and lists say it.

>>> [tuple(parse_decision(said)) for said in ("Accept (Oral)", "notable-top-5%", "Desk Rejected", "ICML 2031")]
[('accepted', 'oral'), ('accepted', 'notable top 5%'), ('rejected', ''), ('', '')]
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

PRESENTATIONS = (
    "oral", "long oral", "short oral", "talk", "long talk", "short talk", "spotlight", "highlight", "notable top 5%",
    "notable top 25%", "poster",
)  # fmt: skip
"""Ways in which an accepted paper is presented, in normal form; prizes are kept in the venue's own words."""


class Decision(NamedTuple):
    """What became of a paper at its venue."""

    status: str = ""
    """One of `octavo.records.paper.STATUSES`; empty where the words do not say."""
    award: str = ""
    """A prize, else one of PRESENTATIONS; only where the paper was accepted."""


_LONGEST = 300
_SPACES = re.compile(r"[\s_]+")

# A notice about a paper is no fate of it: an erratum, a concern, a correction, the retraction of a part.
_NOTICE = re.compile(
    r"\b(?:errat(?:um|a)|corrigend(?:um|a)|corrections?|expressions? of concern|addend(?:um|a)|partial retraction)\b"
)
_OPEN = re.compile(
    r"\b(?:conditional(?:ly)? accept\w*|accept\w* conditional(?:ly)?|to be (?:decided|determined)"
    r"|accept(?:ed)? ?(?:or|/) ?reject(?:ed)?|not (?:withdrawn|retracted|rejected))\b"
)
_REJECTED = re.compile(
    r"\b(?:reject(?:ed|ion|s)?|declined?|not (?:been )?accepted|unaccepted"
    r"|invit(?:e|ed|ation) to (?:the )?workshop)\b"
)
_SUBMITTED = re.compile(
    r"\b(?:submitted|submission|under (?:[\w-]+ )?(?:review|revision|consideration)|in (?:review|revision)"
    r"|pending|active|(?:revise and )?resubmit|major revisions?|minor revisions? required)\b"
)
_FATES = (
    ("retracted", re.compile(r"\bretract(?:ed|ion)\b")),
    ("withdrawn", re.compile(r"\bwithdr(?:aw[ns]?|awal|ew)\b")),
    ("rejected", _REJECTED),
    ("submitted", _SUBMITTED),
)
"""What is said, the word that counts more first: a paper that was accepted and then withdrawn is withdrawn."""
_ACCEPTED = re.compile(
    r"\b(?:accept(?:ed|ance)?(?! (?:rate|notification))|to appear|in press|forthcoming|published|camera[- ]ready)\b"
)
_PRIZE = re.compile(
    r"\b(?:(?:honou?rable mention|runner[- ]up)(?: for)?(?: the)? )?(?:best|outstanding|distinguished|exceptional)"
    r"(?: [a-z&/-]+){0,4}? (?:paper|demo|demonstration|task|resource|contribution)s?\b"
    r"(?:,? (?:award|prize))?(?:[ ,:(-]*(?:honou?rable mention|runner[- ]up|finalist|candidate|nominee)\)?)?"
    r"|\btest[- ]of[- ]time(?: (?:award|paper|honou?rable mention))?|\bhonou?rable mention(?: (?:paper|award))?"
    r"|\b(?:featured|outstanding|survey|reproducibility|expert|j2c|event) certification"
)
_NOTABLE = re.compile(r"\b(?:notable[- ])?top[- ](?P<share>5|25) ?%")
_PRESENTED = re.compile(
    r"\b(?:(?P<length>long|short)[- ](?=oral|talk|presentation))?"
    r"(?P<kind>orals?|talks?|spotlights?|highlight(?:ed|s)?|posters?|presentation)\b"
)
_RANK = {"oral": 0, "talk": 1, "spotlight": 2, "highlight": 3, "poster": 4}
_PARTS = frozenset(
    (
        "long", "short", "findings", "main", "workshop", "industry", "journal", "technical", "demo", "tutorial",
        "system demonstrations", "datasets and benchmarks", "position", "long paper", "short paper", "full paper",
        "regular paper", "conference paper", "workshop paper", "main conference",
    )
)  # fmt: skip
"""Parts of a programme: a list that names one as the fate of a paper says that it was accepted there."""


@lru_cache(maxsize=4096)
def parse_decision(text: str) -> Decision:
    """Read the words for a decision, or for how a paper is presented: `Accept: poster`, `ICLR 2031 oral`, `Talk`.

    A submission that was invited to a workshop was rejected at the venue itself. An erratum, a correction and an
    expression of concern are notices about a paper and no fate of it; they give nothing.

    Returns:
        The status and the award, each empty where the words do not say, or may mean either.
    """
    said = _SPACES.sub(" ", text[:_LONGEST]).strip().lower().replace("spotlightposter", "spotlight poster")
    if not said or _OPEN.search(said) or _NOTICE.search(said):
        return Decision()
    status = next((fate for fate, words in _FATES if words.search(said)), "")
    accepted = _ACCEPTED.search(_REJECTED.sub("", said)) is not None
    if status in ("retracted", "withdrawn") or (status and not accepted):
        return Decision(status)
    if status == "rejected":
        return Decision()  # Both words, and neither denies the other.
    award = _prize(said) or _presentation(said)
    if accepted or award or said.strip(" .:()") in _PARTS:
        return Decision("accepted", award)
    return Decision()


def _prize(said: str) -> str:
    found = _PRIZE.search(said)
    if not found:
        return ""
    words = re.sub(r"[,:()-]+", " ", found[0].replace("test-of-time", "test of time"))
    words = re.sub(r"\bhonourable\b", "honorable", re.sub(r"\brunner up\b", "runner-up", words))
    return " ".join(words.removesuffix(" award").removesuffix(" prize").split())


def _presentation(said: str) -> str:
    if notable := _NOTABLE.search(said):
        return f"notable top {notable['share']}%"
    found: list[tuple[int, str]] = []
    for match in _PRESENTED.finditer(said):
        kind = match["kind"].removesuffix("s").removesuffix("ed")
        if kind == "presentation":
            kind = "oral" if match["length"] else ""
        if kind:
            name = f"{match['length']} {kind}" if match["length"] else kind
            found.append((_RANK[kind], name))
    # A spotlight has its poster too.
    return min(found)[1] if found else ""
