"""OpenReview's notes: answers of its API, the first version (plain values) and the second (`{"value": ...}`).

A paper is the note whose id is its forum; reviews, comments and decisions are notes of the same forum, and passed over.
What became of a paper stands in its `venueid`; a bare venue means acceptance, unless `venue` says `Submitted to ...`,
as it does for ICLR 2022 and 2023. Authors are hidden during a review: then there are none, and the list is incomplete;
the same note names them later. Of the ids of authors the names of profiles (`~Ann_Bee1`) are kept, e-mail addresses
never. Where neither `venueid` nor `venue` tells the fate, a decision among the replies does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from octavo.errors import IdentifierError, UsageError
from octavo.records.dates import PartialDate
from octavo.records.decisions import parse_decision
from octavo.records.ids import Identifier, openreview_id, parse_identifier, url_id
from octavo.records.names import Author
from octavo.records.paper import Record, Venue
from octavo.records.venues import short_name
from octavo.sources import entries
from octavo.sources.answers import distinct, fetch_answers, named, parse_answers, part, people
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry

if TYPE_CHECKING:  # the network's modules take their time, and files are read without them
    from octavo.sources.online import Ask, Fetcher, Note

FORUM = "forum:"
"""What the wish for one paper begins with."""
WANTS_HINT = "Name a venue or a paper, or the address of its page: ICLR.cc/2026/Conference, forum:AbC12xYz90."
_NAME = "openreview"
_MARKUP = "mixed"
_SITE = "https://openreview.net"
_MARKS = ('"forum"', '"notes"', '"submissions"')
_LISTS = ("notes", "submissions")
_SITES = ("openreview.net", "www.openreview.net")
_WANTED_VENUE = re.compile(r"[A-Za-z0-9][\w.~-]*(?:/[\w.~-]+){0,9}", re.ASCII)
_PROFILE = re.compile(r"~[^\s@/]{1,100}")
_YEAR = re.compile(r"(?:19|20)\d\d")
_OLD_META_REVIEW = re.compile(r"/-/Paper\d+/Meta_Review$")
_EPOCH = date(1970, 1, 1)
_DAY = 86_400_000  # milliseconds
_LAST_MS = 32_000_000_000_000  # in the year 2984
_VENUE_SAYS = re.compile(
    r"\b(?:submitted|under review|withdrawn|(?:desk[ -])?reject(?:ed)?|retracted)\b|\bsubmission$", re.IGNORECASE
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TLDRS = ("TL;DR", "TLDR", "one-sentence_summary")
_AREAS = ("primary_area", "Please_choose_the_closest_area_that_your_submission_falls_into")
_FORGES = ("dblp.org",)
_PREPRINTS = frozenset(("corr", "arxiv"))
_KNOWN_ELSEWHERE = ("dblp:", "arxiv:", "doi:", "acl:")
_MAX_IDS = 10


class OpenReviewSource:
    """Reads answers of OpenReview's API, saved or asked for."""

    addresses: Mapping[str, str] = {"api": "https://api2.openreview.net", "api1": "https://api.openreview.net"}
    wants = "a venue or one paper, by its address or id: ICLR.cc/2026/Conference, forum:AbC12xYz90"

    info = SourceInfo(
        name=_NAME,
        title="OpenReview",
        covers="submissions to ICLR, NeurIPS, ICML, TMLR and many workshops, with what became of them",
        reads="saved answers about notes: a .json or .jsonl, packed or not, or a folder of them",
        example="octavo add openreview notes.json",
        terms="terms of use (openreview.net/legal/terms); papers CC BY 4.0 unless said otherwise",
        seconds_between_requests=3.0,
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

    def want(self, text: str) -> str:
        """A venue's id, or `forum:` and the id of a paper, from either or from the address of a page.

        Raises:
            UsageError: it is neither.
        """
        text = text.strip()
        if text.lower().startswith((FORUM, f"{_NAME}:")):
            found = openreview_id(text.partition(":")[2].strip())
        elif "://" in text or text.lower().startswith(_SITES):
            address = text if "://" in text else f"https://{text}"
            if venue := _venue_of_page(address):
                return venue
            found = url_id(address)
        else:
            venue = text.partition("/-/")[0].rstrip("/")
            if _WANTED_VENUE.fullmatch(venue):
                return venue
            found = None
        if found is None or found.scheme != _NAME:
            raise UsageError(f"OpenReview can't be asked for {text[:100]!r}.", hint=WANTS_HINT)
        return f"{FORUM}{found.value}"

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
        """Yield what is wanted; see `OnlineSource.harvest` and `octavo.sources.openreview_online`."""
        from octavo.sources.openreview_online import harvest

        yield from harvest(ask, fetcher, self.info.seconds_between_requests)


def _venue_of_page(address: str) -> str:
    """The venue that a page of the site is of; empty where it is of none."""
    try:
        parts = urlsplit(address)
        asked = parse_qs(parts.query, max_num_fields=20)
    except ValueError:
        return ""
    name = {"/group": "id", "/submissions": "venue", "/venue": "id"}.get(parts.path.rstrip("/"), "")
    if (parts.hostname or "") not in _SITES or name not in asked:
        return ""
    venue = asked[name][0].partition("/-/")[0].strip("/")
    return venue if _WANTED_VENUE.fullmatch(venue) else ""


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
    if not authors:
        authors, incomplete = _authors_of_original(entry)
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
        tldr=next(filter(None, (entries.text(content, name, _MARKUP) for name in _TLDRS)), None),
        venue=venue,
        status=status,
        award=award,
        submitted_on=_day(entry.get("cdate")) or _day(entry.get("tcdate")),
        updated_on=_day(entry.get("mdate")) or _day(entry.get("tmdate")),
        announced_on=_day(entry.get("odate")),
        published_on=published if status == "accepted" else None,
        keywords=_words(content, "keywords"),
        topics=tuple((area,) for name in _AREAS for area in _words(content, name, parted=False)),
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


def _authors_of_original(entry: Entry) -> tuple[tuple[Author, ...], bool]:
    """The authors by the note behind a blind one, which comes with it where it is public."""
    details = entry.get("details")
    original = details.get("original") if isinstance(details, dict) else None
    content = original.get("content") if isinstance(original, dict) else None
    if not isinstance(content, dict):
        return (), True
    return _authors({name: _value(content.get(name)) for name in ("authors", "authorids")})


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
    if status == "submitted" and (decided := _decided(entry))[0]:
        return group, *decided
    return group, status, parse_decision(venue).award if status == "accepted" else ""


def _word_of(text: str) -> str:
    """What a word at the end of a venueid or an invitation, or in a venue's name, says; nothing of an acceptance."""
    status = parse_decision(_CAMEL.sub(" ", text)).status
    return "" if status == "accepted" else status


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
    """Status and distinction by the latest decision among the replies that came with the note.

    Where there is none, what a meta-review recommends counts if it is of the form that ICLR decided by in 2019; later
    ones advise only.
    """
    details = entry.get("details")
    replies = details.get("directReplies") or details.get("replies") if isinstance(details, dict) else None
    replies = replies or entry.get("notes")
    found: dict[str, tuple[float, tuple[str, str]]] = {}
    for reply in replies if isinstance(replies, list) else ():
        content = reply.get("content") if isinstance(reply, dict) else None
        if not isinstance(content, dict) or reply.get("ddate") is not None:
            continue
        field = "recommendation" if _OLD_META_REVIEW.search(str(reply.get("invitation"))) else "decision"
        read = _read_decision(_value(content.get(field)))
        when = reply.get("tcdate")
        when = float(when) if isinstance(when, int | float) and 0 < when < _LAST_MS else 0.0
        if read[0] and when > found.get(field, (-1.0, read))[0]:
            found[field] = when, read
    return next((found[field][1] for field in ("decision", "recommendation") if field in found), ("", ""))


def _read_decision(said: Any) -> tuple[str, str]:
    """Status and distinction; none where it is anything but plain."""
    if not isinstance(said, str):
        return "", ""
    read = parse_decision(said)
    return (read.status, read.award) if read.status in ("accepted", "rejected") else ("", "")


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
