"""What every form of a reference says of a paper: where it appeared, by whom, under which address and key.

Citation keys are `bee2031fast` (family name, year, first word of the title that says something). Papers that would
share one get `bee2031fasta`, `bee2031fastb` in the order of their ids, so that a key depends on which papers are
exported and not on their order.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count
from urllib.parse import urlsplit

from octavo.records.dates import PartialDate
from octavo.records.fold import fold
from octavo.records.ids import Identifier, url_id
from octavo.records.names import Author, family_key
from octavo.records.paper import Paper, Record, Venue

_JOURNALS = {
    "dmlr": "Journal of Data-centric Machine Learning Research",
    "jair": "Journal of Artificial Intelligence Research",
    "jmlr": "Journal of Machine Learning Research",
    "tacl": "Transactions of the Association for Computational Linguistics",
    "tmlr": "Transactions on Machine Learning Research",
}
_JOURNAL_NAME = re.compile(
    r"\b(?:journal|transactions|letters|annals|magazine|review|computational linguistics$)\b", re.IGNORECASE
)
_NO_JOURNAL = re.compile(r"\b(?:proceedings|conference|workshop|symposium|meeting|findings)\b", re.IGNORECASE)
_NOT_PUBLISHED = ("rejected", "withdrawn", "submitted")
_NOTES = {"withdrawn": "Withdrawn", "retracted": "Retracted"}
_UNFIT_ADDRESS = re.compile(r"[\s{}\\\"<>\x00-\x1f\x7f-\x9f\u202a-\u202e]")
_LATIN = re.compile(r"[^a-z0-9]+")
_EMPTY_WORDS = frozenset(
    "a an and are as at be by can do does for from how in into is it its not of on or our the this to toward "  # noqa: SIM905
    "towards via we what when where which who why with you your".split()
)


_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ufffe\uffff]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


def one_line(text: str) -> str:
    """Text on one line, without what no file should hold: control characters, half a surrogate pair."""
    return " ".join(_SURROGATE.sub("\ufffd", _CONTROL.sub(" ", text)).split())


# The venue.


def origin_of(paper: Paper, records: Sequence[Record], field: str) -> Record | None:
    """The record that a field of the paper came from, else the first."""
    wanted = dict(paper.origins).get(field)
    named = (record for record in records if f"{record.source}:{record.key}" == wanted)
    return next(named, records[0] if records else None)


def venue_of(paper: Paper, records: Sequence[Record]) -> Venue:
    """The venue in the words of the record that the paper has it from."""
    origin = origin_of(paper, records, "venue")
    return origin.venue if origin and origin.venue else Venue(name=paper.venue_name, short=paper.venue)


def venue_name(venue: Venue) -> str:
    """Its name in full, as far as it is known."""
    return venue.name or _JOURNALS.get(venue.short.lower(), venue.short)


def is_journal(venue: Venue) -> bool:
    """Tell journals from conferences, by their names."""
    if venue.short.lower() in _JOURNALS:
        return True
    name = venue.name or venue.short
    return bool(_JOURNAL_NAME.search(name)) and not _NO_JOURNAL.search(name)


def is_published(paper: Paper) -> bool:
    """Whether it appeared at its venue, as far as its status says."""
    is_told = bool(paper.venue or paper.venue_name) and not paper.venue_claimed_in
    return is_told and paper.status not in _NOT_PUBLISHED


def issued(paper: Paper, records: Sequence[Record]) -> PartialDate | None:
    """When it was published: a day or month only where that is of its venue, or of a preprint."""
    if paper.year is None:
        return None
    origin = origin_of(paper, records, "venue") if is_published(paper) else None
    date = (origin.published_on if origin else None) if is_published(paper) else paper.date
    return date if date and date.year == paper.year else PartialDate(f"{paper.year:04d}")


def authors_of(paper: Paper, records: Sequence[Record]) -> tuple[Author, ...]:
    """The authors with the parts of their names, as the record has them that the paper's are from."""
    origin = origin_of(paper, records, "authors")
    if origin and tuple(author.name for author in origin.authors) == paper.authors:
        return origin.authors
    return tuple(Author(name) for name in paper.authors)


# Identifiers, addresses and notes.


def first_of(paper: Paper, scheme: str) -> str:
    """The value of the first identifier of a scheme; empty where there is none."""
    return next((identifier.value for identifier in paper.identifiers if identifier.scheme == scheme), "")


def other_identifiers(paper: Paper) -> tuple[Identifier, ...]:
    """Those that the fields for a DOI, an eprint and an address do not say.

    An address without a scheme of its own is read as an identifier only where it is the only one.
    """
    of_address = url_id(address_of(paper))
    said = {Identifier("doi", first_of(paper, "doi")), Identifier("arxiv", first_of(paper, "arxiv"))}
    if of_address and (of_address.scheme != "url" or paper.identifiers == (of_address,)):
        said.add(of_address)
    return tuple(identifier for identifier in paper.identifiers if identifier not in said)


def address_of(paper: Paper) -> str:
    """The paper's page, else the address of its first identifier, else the PDF; http and https only."""
    links = dict(paper.links)
    named = [identifier.url for identifier in paper.identifiers]
    for address in (links.get("page", ""), *named, links.get("pdf", "")):
        if _is_web_address(address):
            return _UNFIT_ADDRESS.sub(percent_encoded, address)
    return ""


def _is_web_address(address: str) -> bool:
    try:
        return urlsplit(address).scheme in ("http", "https") and bool(urlsplit(address).netloc)
    except ValueError:
        return False


def percent_encoded(found: re.Match[str]) -> str:
    """The bytes of a match as an address has them."""
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))


def note_of(paper: Paper) -> str:
    """What a reader must know before citing: that it was withdrawn, or is not published where it seems to be."""
    if note := _NOTES.get(paper.status):
        return note
    if paper.venue_claimed_in:
        return f"{paper.venue}, as its authors say"
    if paper.status in _NOT_PUBLISHED and paper.venue:
        return f"Submitted to {paper.venue}"
    return ""


# The keys.


def citation_key(paper: Paper) -> str:
    """`bee2031fast`; the paper's id where neither a name nor a title leaves an ASCII letter."""
    family = _ascii(family_key(paper.authors[0])) if paper.authors else ""
    words = (_ascii(word) for word in re.split(r"[\s/–—]+", paper.title))
    word = next((word for word in words if word and word not in _EMPTY_WORDS and not word.isdigit()), "")
    return f"{family}{paper.year or ''}{word}" if family or word else paper.id


def _ascii(text: str) -> str:
    return _LATIN.sub("", fold(text))[:30]


def distinct_keys(wanted: list[tuple[str, str]]) -> list[str]:
    """A key for each (key, paper's id): one that several papers want gets letters, in the ids' order."""
    counts = Counter(key for key, _ in wanted)
    taken = {key for key, n in counts.items() if n == 1}
    suffixed = {key: _suffixed(key) for key, n in counts.items() if n > 1}
    chosen = [key for key, _ in wanted]
    for place in sorted(range(len(wanted)), key=wanted.__getitem__):
        if candidates := suffixed.get(wanted[place][0]):
            chosen[place] = next(key for key in candidates if key not in taken)
            taken.add(chosen[place])
    return chosen


def _suffixed(key: str) -> Iterator[str]:
    return (f"{key}{_letters(number)}" for number in count())


def _letters(number: int) -> str:
    """0 as `a`, 25 as `z`, 26 as `aa`."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters
