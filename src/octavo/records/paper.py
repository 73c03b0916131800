"""Record and Paper.

A Record is one source's claim about a paper, as that source made it. A Paper is what merging the records of one work
gives: a pure function of them (`octavo.ingest.merge`), so it can be made again at any time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NewType

from octavo.records.dates import PartialDate
from octavo.records.ids import Identifier
from octavo.records.names import Author
from octavo.records.text import Text

PaperId = NewType("PaperId", str)
"""A paper's own id, `p` and ten letters or digits; stable, and used in every address."""

LINK_KINDS = ("page", "pdf", "code", "project", "video", "supplement", "poster")
"""What a record's `links` may be keyed by."""

STATUSES = ("accepted", "rejected", "withdrawn", "retracted", "erratum", "submitted", "")
"""What became of the paper at its venue; `erratum` is a notice about another; empty where the source does not say."""

NOT_TAKEN = ("rejected", "withdrawn", "submitted")
"""Statuses of papers that did not appear at the venue that is named."""

CLAIMED_IN = ("comment", "journal_ref")
"""Fields of a preprint in which its authors say where it appeared."""

MAX_REFERENCES = 2_000
"""References of a record or a paper that are kept; only books and surveys have more."""


@dataclass(frozen=True, slots=True)
class Venue:
    """Where a record says that the paper appeared, in the source's own words."""

    name: str = ""
    """As written: `Proceedings of the 42nd International Conference on Machine Learning`."""
    short: str = ""
    """The usual short name, where the source gives one: `ICML`."""
    year: int | None = None
    """The year of the edition, not of its printing."""
    volume: str = ""
    number: str = ""
    pages: str = ""
    publisher: str = ""
    track: str = ""
    """`main`, `findings`, `workshop`, `position` ... as the source says."""


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a preprint (arXiv's v1, v2)."""

    number: int
    on: PartialDate | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One source's claim about a paper.

    (`source`, `key`) names the claim for good: the same pair again is the same claim, changed or not.
    """

    source: str
    """The source's name in the registry: `mlanthology`."""
    key: str
    """The source's own key of the entry, unique in the source."""
    title: Text
    """The title as given; a record without one is no record (page entries wait for theirs, see `catalogue.waiting`)."""
    authors: tuple[Author, ...] = ()
    authors_incomplete: bool = False
    """The source shortened the list (`et al.`, `等`, a cut at 100)."""
    identifiers: tuple[Identifier, ...] = ()
    abstract: Text | None = None
    summary: Text | None = None
    """Octavo's own summary; never another's words, and marked as Octavo's wherever it is shown."""
    tldr: Text | None = None
    """A one-sentence summary by the authors or the venue."""
    venue: Venue | None = None
    status: str = ""
    """One of STATUSES."""
    award: str = ""
    """`oral`, `spotlight`, `poster`, or a prize, as the source says."""
    submitted_on: PartialDate | None = None
    updated_on: PartialDate | None = None
    announced_on: PartialDate | None = None
    published_on: PartialDate | None = None
    versions: tuple[Version, ...] = ()
    categories: tuple[str, ...] = ()
    """arXiv's, the primary one first: `cs.LG`."""
    keywords: tuple[str, ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    """Topic trails that a page showed: `("Deep Learning", "Large Language Models")`."""
    links: tuple[tuple[str, str], ...] = ()
    """(kind of LINK_KINDS, http or https address), at most one of a kind."""
    comment: str = ""
    journal_ref: str = ""
    licence: str = ""
    language: str = ""
    """ISO 639 code where the source gives one."""
    references: tuple[Identifier, ...] = ()
    """What the work cites, as far as the source gives an identifier of it; at most MAX_REFERENCES."""
    citations: int | None = None
    """How often the work is cited, as the source counts. It grows by itself: a record of which nothing else changed is
    stored anew, but counts as unchanged (`codec.same_claim`)."""
    seen_on: PartialDate | None = None
    """The date of the source's data where it states one (a snapshot's, a batch's); not compared when a record comes
    again."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What an entry without a title claims, as a page of bare abstracts shows it.

    It waits until the paper is found whose abstract this is; (`source`, `key`) names the claim for good, as a
    record's do.
    """

    source: str
    key: str
    abstract: Text
    """The only thing by which the paper can be found."""
    authors: tuple[Author, ...] = ()
    authors_incomplete: bool = False
    venue: Venue | None = None
    categories: tuple[str, ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    seen_on: PartialDate | None = None


@dataclass(frozen=True, slots=True)
class Paper:
    """One work, merged from its records. Text is plain here; the records keep what was written."""

    id: PaperId
    title: str
    authors: tuple[str, ...]
    authors_incomplete: bool = False
    abstract: str = ""
    """Of a source; never Octavo's summary."""
    summary: str = ""
    """Octavo's own, see Record.summary."""
    tldr: str = ""
    venue: str = ""
    """For showing: `ICML 2025`, else the venue's name as written."""
    venue_name: str = ""
    year: int | None = None
    date: PartialDate | None = None
    """The best known date of first appearance."""
    status: str = ""
    award: str = ""
    """Prizes and the way of presenting, parted by `; `."""
    identifiers: tuple[Identifier, ...] = ()
    version: int | None = None
    """The latest version of the preprint, where there is one."""
    categories: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    topics: tuple[tuple[str, ...], ...] = ()
    links: tuple[tuple[str, str], ...] = ()
    comment: str = ""
    journal_ref: str = ""
    sources: tuple[str, ...] = ()
    """The sources whose records it is made of."""
    origins: tuple[tuple[str, str], ...] = field(default=())
    """(field, `source:key` of the record that it came from); a venue that only authors claim has the field of
    CLAIMED_IN behind it, ` (comment)`. `preprint_withdrawn` is no field: its record says so of a paper that was not."""
    citations: int | None = None
    """How often it is cited: the largest count of a source, which `origins` names."""
    references: tuple[Identifier, ...] = ()
    """What it cites, as the sources give it; at most MAX_REFERENCES."""

    @property
    def venue_claimed_in(self) -> str:
        """Where the authors alone say that it appeared there: `comment` or `journal_ref`; empty where others do."""
        origin = next((origin for field, origin in self.origins if field == "venue"), "")
        return next((field for field in CLAIMED_IN if origin.endswith(f" ({field})")), "")

    @property
    def is_preprint_withdrawn(self) -> bool:
        """Whether the preprint was withdrawn of a paper that was not."""
        return any(field == "preprint_withdrawn" for field, _ in self.origins)

    @property
    def place(self) -> str:
        """The venue in a phrase that says no more than is known: `ICML 2025`, `submitted to ICLR 2025`."""
        if not self.venue:
            return ""
        if self.venue_claimed_in:
            return f"{self.venue}, as its authors say"
        return f"submitted to {self.venue}" if self.status in NOT_TAKEN else self.venue
