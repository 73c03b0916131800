"""Where a paper appeared and what became of it, from all that its records claim.

Where (`appearance`). The first of these that there is, and in it the record that comes first by `precedence`, then the
earliest year:

1. a venue where it appeared: accepted, retracted, or named without a word on its fate;
2. a workshop where it appeared;
3. a venue to which it was submitted, then one that rejected it or from which it was withdrawn;
4. what its authors say: a journal reference or the DOI of a preprint, then a comment ("Accepted at ICML 2025"). Such
   a venue is shown as claimed: its origin says so, and it changes neither status nor year;
5. a preprint server.

What became of it (`status_of`). Only the word of records about that very edition counts, a workshop of it being another
place: a paper that ICLR rejected and ICML took is accepted.

1. retracted, where any source has a notice of retraction: only publishers make them, and they concern the work;
2. erratum, where the title is that of a notice about another paper;
3. accepted, withdrawn or rejected, by the first of the records: a publisher's proceedings, the venue's own system
   (OpenReview), lists, readers' files. Of two records of one source an acceptance counts first, since a paper may have
   been submitted twice. A rejection never turns into an acceptance because the venue is named without a status;
4. withdrawn, where the preprint was, unless the venue accepted the paper: authors also withdraw a preprint since it
   appeared elsewhere, was posted twice, or for its licence, and it is the publisher who can take back a publication. It
   is then told beside (the origin `preprint_withdrawn`);
5. submitted, where it says so at the venue, or where there is only the preprint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from octavo.records.decisions import PRESENTATIONS
from octavo.records.edition_comments import edition_in_comment
from octavo.records.edition_names import shown_venue
from octavo.records.editions import edition_of, find_venue, is_preprint_server
from octavo.records.paper import NOT_TAKEN, Record, Venue
from octavo.records.venues import Edition

APPEARED, AT_WORKSHOP, SUBMITTED, REFUSED, CLAIMED, IN_COMMENT, PREPRINT, NOWHERE = range(8)
"""How firmly a record says where its paper appeared, the firmest first."""

Rank = Callable[[Record], tuple[int, str, str]]
_REFUSALS = ("rejected", "withdrawn")
_PREPRINTS = ("arxiv", "arxiv-snapshot", "arxiv-feed")
_HOSTED = "workshop"
_UNNAMED = Venue()
_NOTICE = re.compile(
    r"""\W*(?: (?:errat(?:um|a)|corrigend(?:um|a)) (?=\W*$|\s*[:.\[(–—-]|\s+(?:to|for|on|in|of|regarding)\b)
    | (?:author|publisher)(?:['’]s)?\s+corrections?\b | corrections?\s+to\s*[:"“”'‘`«] )
    | .*(?:[\[(](?:erratum|corrigendum)[\])]|:\s*(?:errat(?:um|a)|corrigend(?:um|a)))\W*$""",
    re.IGNORECASE | re.VERBOSE,
)


class Appearance(NamedTuple):
    """Where a record says that its paper appeared."""

    record: Record
    edition: Edition | None
    """The edition, where it is known."""
    firmness: int
    """`APPEARED` to `NOWHERE`."""

    @property
    def venue(self) -> Venue:
        """The venue in the source's words."""
        return self.record.venue or _UNNAMED

    @property
    def year(self) -> int | None:
        """The year of the edition; not where it is only claimed."""
        if self.firmness >= CLAIMED:
            return self.venue.year
        return (self.edition.year if self.edition else None) or self.venue.year

    @property
    def shown(self) -> str:
        """The venue as a paper shows it; empty for arXiv, by which every surface calls a paper without one."""
        if self.firmness == PREPRINT:
            server = find_venue(self.venue.short or self.venue.name)
            return "" if server and server.key == "arxiv" else shown_venue(self.venue)
        return shown_venue(self.venue, self.edition)

    @property
    def origin(self) -> str:
        """The record, with the field of it where the venue is only claimed."""
        name = f"{self.record.source}:{self.record.key}"
        if self.firmness == IN_COMMENT:
            return f"{name} (comment)"
        return f"{name} (journal_ref)" if self.firmness == CLAIMED else name


class Appeared(NamedTuple):
    """Where a paper appeared and what became of it, as it is shown."""

    venue: str
    venue_name: str
    year: int | None
    status: str
    award: str


def appeared(ordered: Sequence[Record], title: str, origins: dict[str, str], rank: Rank) -> Appeared:
    """Where the paper that records make appeared, and what became of it; their names go into `origins`, by field."""
    if len(ordered) == 1:
        return _appeared_alone(ordered[0], title, origins)
    found = [appearance(record) for record in ordered]
    place = first_appearance(found, rank)
    about = [one for one in found if same_place(place, one)]
    shown = place.shown
    if shown:
        origins["venue"] = place.origin
    status, told = status_of(place, about, found, rank, title)
    if told:
        origins["status"] = f"{told.source}:{told.key}"
    if status not in ("withdrawn", "retracted") and (withdrawn := withdrawn_preprint(found)):
        origins["preprint_withdrawn"] = f"{withdrawn.source}:{withdrawn.key}"
    award, giver = award_of(about) if status not in NOT_TAKEN else ("", None)
    if giver:
        origins["award"] = f"{giver.source}:{giver.key}"
    name = place.venue.name or next((one.venue.name for one in about if one.venue.name), "")
    return Appeared(shown, name, place.year, status, award)


def _appeared_alone(record: Record, title: str, origins: dict[str, str]) -> Appeared:
    """The same for one record: most papers have no more."""
    place = appearance(record)
    name = f"{record.source}:{record.key}"
    shown = place.shown if place.firmness != NOWHERE else ""
    if shown:
        origins["venue"] = place.origin if place.firmness >= CLAIMED else name
    status = "erratum" if record.status != "retracted" and is_notice(title) else record.status
    if status:
        origins["status"] = name
    if record.award and status not in NOT_TAKEN:
        origins["award"] = name
    award = record.award if status not in NOT_TAKEN else ""
    if record.venue is None and place.firmness >= CLAIMED:
        return Appeared(shown, "", None, status, award)
    return Appeared(shown, place.venue.name, place.year, status, award)


def appearance(record: Record) -> Appearance:
    """Where the record says that the paper appeared."""
    edition = edition_of(record)
    if record.venue is None:
        if edition is not None:
            return Appearance(record, edition, CLAIMED if record.status in ("submitted", "withdrawn") else APPEARED)
        if record.comment and (edition := edition_in_comment(record.comment)):
            return Appearance(record, edition, IN_COMMENT)
        return Appearance(record, None, NOWHERE)
    if edition is None and is_preprint_server(record.venue.short or record.venue.name):
        return Appearance(record, None, PREPRINT)
    if record.status in _REFUSALS:
        return Appearance(record, edition, REFUSED)
    if record.status == "submitted":
        return Appearance(record, edition, SUBMITTED)
    return Appearance(record, edition, AT_WORKSHOP if _is_hosted(record.venue, edition) else APPEARED)


def _is_hosted(venue: Venue, edition: Edition | None) -> bool:
    return edition.track == _HOSTED if edition else venue.track == _HOSTED


def first_appearance(found: Sequence[Appearance], rank: Rank) -> Appearance:
    """The appearance that the paper shows, of those of its records."""
    return min(found, key=lambda one: (one.firmness, rank(one.record)[:2], one.year or 9999, one.record.key))


def same_place(one: Appearance, other: Appearance) -> bool:
    """Whether two records speak of one edition, as far as they say; its workshops are another place."""
    if one is other:
        return True
    if one.firmness >= CLAIMED or other.firmness >= CLAIMED:
        # A record that names no venue and is no preprint speaks of the paper wherever it appeared.
        return (one.firmness == NOWHERE or other.firmness == NOWHERE) and not (_is_preprint(one) or _is_preprint(other))
    if one.edition and other.edition:
        return (
            one.edition.venue == other.edition.venue
            and (one.edition.year == other.edition.year or None in (one.edition.year, other.edition.year))
            and (one.edition.track == _HOSTED) == (other.edition.track == _HOSTED)
        )
    return not one.edition and not other.edition and one.shown == other.shown


def _is_preprint(one: Appearance) -> bool:
    return one.firmness == PREPRINT or one.record.source in _PREPRINTS


# What became of it


def status_of(
    place: Appearance, about: Sequence[Appearance], found: Sequence[Appearance], rank: Rank, title: str
) -> tuple[str, Record | None]:
    """The status, and the record that it is from. `about` are those of `found` that speak of `place`."""
    retracted = next((one.record for one in found if one.record.status == "retracted"), None)
    if retracted:
        return "retracted", retracted
    if is_notice(title):
        return "erratum", place.record
    settled = [one.record for one in about if one.record.status not in ("", "submitted", "erratum")]
    settled = [record for record in settled if record.source not in _PREPRINTS]
    decided = min(settled, key=lambda record: _weight(record, rank), default=None)
    if decided and decided.status == "accepted":
        return "accepted", decided
    if withdrawn := withdrawn_preprint(found):
        return "withdrawn", withdrawn
    if decided:
        return decided.status, decided
    if place.firmness == APPEARED or place.firmness == AT_WORKSHOP:
        return "", None
    waiting = next((one.record for one in (*about, *found) if one.record.status), None)
    return (waiting.status, waiting) if waiting else ("", None)


def _weight(record: Record, rank: Rank) -> tuple[int, str, bool, str]:
    place, source, key = rank(record)
    return place, source, record.status != "accepted", key


def withdrawn_preprint(found: Sequence[Appearance]) -> Record | None:
    """The record by which the preprint was withdrawn; None where arXiv's newest word is another."""
    said = next((one.record for source in _PREPRINTS for one in found if one.record.source == source), None)
    if said and said.status == "withdrawn":
        return said
    others = (
        one.record for one in found if one.firmness in (PREPRINT, NOWHERE) and one.record.source not in _PREPRINTS
    )
    return None if said else next((record for record in others if record.status == "withdrawn"), None)


def is_notice(title: str) -> bool:
    """Whether a title is that of a notice about another paper: `Erratum`, `Corrigendum to ...`."""
    # Every word for one has a double r, and most titles have none.
    return ("rr" in title or "RR" in title) and _NOTICE.match(title) is not None


def award_of(about: Sequence[Appearance]) -> tuple[str, Record | None]:
    """Prizes and the way of presenting at the place, parted by `; `, and the record of the first of them.

    Of several presentations the first by precedence counts, a poster only where there is no other: an oral has its
    poster too.
    """
    prizes: dict[str, Record] = {}
    presented: tuple[str, Record] | None = None
    for record in (one.record for one in about if one.record.status in ("accepted", "retracted", "")):
        for award in filter(None, record.award.split("; ")):
            if award not in PRESENTATIONS:
                prizes.setdefault(award, record)
            elif presented is None or presented[0] == "poster":
                presented = award, record
    if len(prizes) > 1:
        prizes.pop("prize", None)
    found = [*prizes.items(), *([presented] if presented else [])]
    return "; ".join(award for award, _ in found), found[0][1] if found else None
