"""OpenReview's notes: answers of its API, the first version (plain values) and the second (`{"value": ...}`).

A paper is the note whose id is its forum; reviews, comments and decisions are notes of the same forum, and passed over.
What became of a paper stands in its `venueid`; a bare venue means acceptance, unless `venue` says `Submitted to ...`,
as it does for ICLR 2022 and 2023. Authors are hidden during a review: then there are none, and the list is incomplete;
the same note names them later. Of the ids of authors the names of profiles (`~Ann_Bee1`) are kept, e-mail addresses
never.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from octavo.errors import IdentifierError
from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier, openreview_id, parse_identifier
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.sources import entries
from octavo.sources.answers import distinct, fetch_answers, named, parse_answers, part, people
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry
from octavo.sources.venues import short_name

_NAME = "openreview"
_MARKUP = "mixed"
_SITE = "https://openreview.net"
_MARKS = ('"forum"', '"notes"', '"submissions"')
_LISTS = ("notes", "submissions")
_PROFILE = re.compile(r"~[^\s@/]{1,100}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_AWARD = re.compile(
    r"(best paper|outstanding paper|distinguished paper|notable[ -]top[ -]\d+%|top[ -]\d+%|oral|spotlight|poster)",
    re.IGNORECASE,
)
_EPOCH = date(1970, 1, 1)
_DAY = 86_400_000  # milliseconds
_LAST_MS = 32_000_000_000_000  # in the year 2984
_VENUE_SAYS = re.compile(
    r"\b(?:submitted|under review|withdrawn|(?:desk[ -])?reject(?:ed)?|retracted)\b|\bsubmission$", re.IGNORECASE
)
_FATES = (
    ("withdraw", "withdrawn"),
    ("retract", "retracted"),
    ("reject", "rejected"),
    ("submission", "submitted"),
    ("submitted", "submitted"),
    ("under review", "submitted"),
    ("pending", "submitted"),
)
"""What a word at the end of a venueid or an invitation says, the one that counts more first."""
_FORGES = ("dblp.org",)
_PREPRINTS = frozenset(("corr", "arxiv"))
_KNOWN_ELSEWHERE = ("dblp:", "arxiv:", "doi:", "acl:")
_MAX_IDS = 10


class OpenReviewSource:
    """Reads saved answers of OpenReview's API."""

    info = SourceInfo(
        name=_NAME,
        title="OpenReview",
        covers="submissions to ICLR, NeurIPS, ICML, TMLR and many workshops, with what became of them",
        reads="saved answers about notes: a .json or .jsonl, packed or not, or a folder of them",
        example="octavo add openreview notes.json",
        terms="terms of use (openreview.net/legal/terms); papers CC BY 4.0 unless said otherwise",
        seconds_between_requests=1.0,
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield the answers of a file, or of the files of a folder, in pages.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_answers(target, _MARKS, "OpenReview")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield a Record or a Fault for each paper of the answers; replies are no entries."""
        yield from parse_answers(page, "id", _items, _record, _is_reply)


def _items(answer: Entry) -> list[Any] | None:
    """The notes of an answer; None where it is itself a note."""
    if "id" in answer:
        return None
    return next((answer[name] for name in _LISTS if isinstance(answer.get(name), list)), None)


def _is_reply(item: Any) -> bool:
    """Whether a note belongs to another: a review, a comment, a decision."""
    if not isinstance(item, dict) or not isinstance(item.get("id"), str):
        return False
    return item.get("forum", item["id"]) != item["id"] or bool(item.get("replyto"))


def _record(entry: Entry) -> Record:
    forum = entries.line(entry, "id")
    if not forum or "content" not in entry:
        raise BadEntry("no note of OpenReview")
    if entry.get("ddate") is not None:
        raise BadEntry("deleted")
    content = {name: _value(value) for name, value in part(entry, "content").items()}
    title = entries.title(content, _MARKUP)
    group, status, award = _fate(entry, content)
    venue = _venue(group, entries.line(content, "venue"))
    authors, incomplete = _authors(content)
    published = _day(entry.get("pdate"))
    if published is None and venue and venue.year:
        published = PartialDate(f"{venue.year:04d}")
    return Record(
        source=_NAME,
        key=forum,
        title=title,
        authors=authors,
        authors_incomplete=incomplete,
        identifiers=_identifiers(entry, forum),
        abstract=entries.text(content, "abstract", _MARKUP),
        tldr=entries.text(content, "TL;DR", _MARKUP) or entries.text(content, "TLDR", _MARKUP),
        venue=venue,
        status=status,
        award=award,
        submitted_on=_day(entry.get("cdate")) or _day(entry.get("tcdate")),
        updated_on=_day(entry.get("mdate")) or _day(entry.get("tmdate")),
        announced_on=_day(entry.get("odate")),
        published_on=published if status == "accepted" else None,
        keywords=_words(content, "keywords"),
        topics=tuple((area,) for area in _words(content, "primary_area", parted=False)),
        links=_links(content, forum),
        licence=entries.line(entry, "license"),
    )


def _value(value: Any) -> Any:
    """A value of either version."""
    return value.get("value") if isinstance(value, dict) else value


def _day(value: object) -> PartialDate | None:
    """The date, in UTC, of a time in milliseconds."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < _LAST_MS:
        return None
    return PartialDate((_EPOCH + timedelta(days=int(value) // _DAY)).isoformat())


def _identifiers(entry: Entry, forum: str) -> tuple[Identifier, ...]:
    found = [openreview_id(forum)]
    others = entry.get("externalIds")
    for other in others[:_MAX_IDS] if isinstance(others, list) else []:
        if isinstance(other, str) and other.lower().startswith(_KNOWN_ELSEWHERE):
            try:
                found.append(parse_identifier(other)[0])
            except IdentifierError:
                continue
    return distinct(found)


def _authors(content: Entry) -> tuple[tuple[Author, ...], bool]:
    """The authors; none, and incomplete, where they are hidden."""
    names, ids = content.get("authors") or [], content.get("authorids") or []
    if isinstance(names, str):
        names = [names]
    if not isinstance(names, list):
        raise BadEntry("authors is not a list")
    if not isinstance(ids, list) or len(ids) != len(names):
        ids = [None] * len(names)
    authors, incomplete = people(_author(name, own) for name, own in zip(names, ids, strict=True))
    return authors, incomplete or not authors


def _author(given: Any, own: Any) -> Author:
    if isinstance(given, dict):
        # The newest notes hold a person as an object.
        given, own = given.get("fullname") or "", given.get("username")
    if not isinstance(given, str):
        raise BadEntry("authors holds a name that is not text")
    entries.check_name((given,), "authors")
    known = isinstance(own, str) and _PROFILE.fullmatch(own)
    return named(entries.cleaned(given), ids=(f"{_NAME}:{own}",) if known else ())


def _words(content: Entry, field: str, *, parted: bool = True) -> tuple[str, ...]:
    """A list of words, or one text of them with `;` or commas between."""
    value = content.get(field) or []
    words = value if isinstance(value, list) else [value]
    if parted and len(words) == 1 and isinstance(words[0], str):
        words = words[0].split(";" if ";" in words[0] else ",")
    cleaned = (entries.line({field: word}, field) for word in words)
    return tuple(dict.fromkeys(word for word in cleaned if word))


# What became of it


def _fate(entry: Entry, content: Entry) -> tuple[str, str, str]:
    """The group of the venue (`ICLR.cc/2031/Conference`), the status and the distinction."""
    venueid, venue = entries.line(content, "venueid"), entries.line(content, "venue")
    if not venueid and not venue:
        group, status = _invited(entry)
        return group, *((status, "") if status else _decided(entry))
    group, _, last = venueid.rpartition("/")
    status = _word_of(last)
    if not status:
        group = venueid or _invited(entry)[0]
        says = _VENUE_SAYS.search(venue)
        status = _word_of(says[0]) if says else _bare(venueid, venue)
    return group, status, _award(venue) if status == "accepted" else ""


def _award(text: str) -> str:
    found = _AWARD.search(text)
    return found[0].lower().replace("-", " ") if found else ""


def _word_of(text: str) -> str:
    """What a word says of the fate of a paper; empty where there is none."""
    said = text.lower().replace("_", " ")
    return next((status for word, status in _FATES if word in said), "")


def _bare(venueid: str, venue: str) -> str:
    """The status under a venue that says no more than its name."""
    parts = venueid.split("/")
    if parts[0] in _FORGES:
        return "" if len(parts) > 2 and parts[2].lower() in _PREPRINTS else "accepted"
    if len(parts) > 1 and not any(map(_YEAR.fullmatch, parts)) and "." not in parts[0]:
        return "submitted"  # a journal's stages: `TMLR/Assigning_AE`
    return "accepted" if venueid or _YEAR.search(venue) else ""


def _invited(entry: Entry) -> tuple[str, str]:
    """The venue's group and the fate that the invitation of a note without venue names.

    A bare `Submission` says nothing: what was decided stood in a note of its own then.
    """
    invitations = entry.get("invitations")
    found = ("", "")
    for name in invitations if isinstance(invitations, list) else [entry.get("invitation")]:
        if isinstance(name, str) and "/-/" in name:
            group, _, last = name.partition("/-/")
            said = _word_of(last)
            if said and said != "submitted":
                return group, said
            found = (found[0] or group, "")
    return found


def _decided(entry: Entry) -> tuple[str, str]:
    """Status and distinction by a decision among the replies that came with the note."""
    details = entry.get("details")
    replies = details.get("directReplies") or details.get("replies") if isinstance(details, dict) else None
    for reply in replies or entry.get("notes") or ():
        if not isinstance(reply, dict) or not isinstance(reply.get("content"), dict):
            continue
        decision = _value(reply["content"].get("decision"))
        if isinstance(decision, str):
            if decision.lower().startswith("accept"):
                return "accepted", _award(decision)
            if decision.lower().startswith(("reject", "invite to workshop")):
                return "rejected", ""
    return "", ""


def _venue(group: str, venue: str) -> Venue | None:
    """The venue and edition of a group: `NeurIPS.cc/2031/Workshop/Tiles` is a workshop of NeurIPS 2031."""
    parts = group.split("/") if group else []
    place = next((number for number, word in enumerate(parts) if _YEAR.fullmatch(word)), None)
    if place is None:
        year = _YEAR.search(venue)
        short = parts[0] if parts and "." not in parts[0] else venue[: year.start()].strip() if year else ""
        # What is before the year is a short name where it is a single word, as in `ICLR 2021 Poster`.
        short = "" if " " in short else short
        if not (short or venue):
            return None
        return Venue(name="" if short else venue, short=short, year=int(year[0]) if year else None)
    before = parts[place - 1] if place else ""
    if before.lower() in _PREPRINTS:
        return None
    code = before.partition(".")[0]
    known = short_name(code)
    short = code if known == code.upper() and not code.islower() else known
    kind, rest = (parts[place + 1 : place + 2] or [""])[0].lower(), parts[place + 2 :]
    if kind == "workshop":
        short = " ".join((short, "Workshop", *rest)).strip()
    track = {"conference": "main", "track": " ".join(rest).lower()}.get(kind, kind)
    return Venue(short=short, year=int(parts[place]), track=track.replace("_", " "))


def _links(content: Entry, forum: str) -> tuple[tuple[str, str], ...]:
    links = {"page": f"{_SITE}/forum?id={forum}"}
    fields = (("pdf", "pdf"), ("code", "code"), ("video", "video"), ("supplement", "supplementary_material"))
    for kind, field in fields:
        value = content.get(field)
        if isinstance(value, str):
            address = f"{_SITE}{value}" if value.startswith("/") and not value.startswith("//") else value
            if found := entries.url({kind: address}, kind):
                links[kind] = found
    return tuple(links.items())
