"""What the word index holds of a paper: its words, its values, and the numbers that it is sorted by. Pure.

    pk                     the paper's key in the catalogue
    title_key              the title reduced to letters (`records.fold`)
    called                 the same of what stands before its colon
    all                    stems of every text that a bare word looks in
    title, abstract ...    stems of each of `ALL_TEXTS`, and
    title_exact ...        their exact words, the only fields with positions
    authors                name tokens (`words.name_tokens`)
    cat, id                categories with their groups, identifiers
    at, status             the edition (`edition_names.venue_terms`), the status
    has, lang, source      what is known of it (`query.holdings`), the language, the sources
    topic, term            slugs of its topics and of all above them, and of the glossary's terms
    year                   the year
    newest                 its date above its key, to sort and to filter by
    cited                  its citations plus one above its key, likewise

Facets are counted in what is kept by column (`fast`); no two papers have the same number in the keys of an order.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from octavo.query.holdings import holdings_of
from octavo.query.languages import language_of
from octavo.query.match import date_of, venue_terms
from octavo.query.words import analyse, name_tokens
from octavo.records.fold import title_key
from octavo.records.paper import Paper

ALL_TEXTS = ("title", "abstract", "venue", "venue_name", "comment", "journal_ref", "award", "keywords")
"""The texts of a paper that have words; each has a field of stems and one of exact words."""
_ALL = ("title", "abstract", "venue", "venue_name")
"""The texts that a bare word looks in."""
MAX_PK = (1 << 32) - 1
"""The highest key of a paper that an order can hold."""
_NAME_WORDS = 4
"""Words that a name has at most."""
_MOST_CITATIONS = 1_000_000_000


def order_key(number: int, pk: int) -> int:
    """What an order goes by: a number, and the paper's key where it is the same."""
    return number << 32 | pk


def day_number(day: str) -> int:
    """A date of any precision as a number, which sorts as the date does: 20310500 for `2031-05`."""
    return int(day.replace("-", "").ljust(8, "0"))


@dataclass(frozen=True, slots=True)
class Held:
    """What the index holds of a paper."""

    texts: tuple[tuple[str, str], ...]
    """(field, words joined by blanks, or one value)."""
    year: int | None
    date: int
    """As `day_number` has it; 0 where it is not known."""
    citations: int
    """-1 where they are not known."""


def held_of(paper: Paper, topics: Collection[str] = (), terms: Collection[str] = ()) -> Held:
    """Make what the index holds of a paper, with the slugs of its topics (and of all above them) and terms.

    Pure, and the dear part of indexing: other processes may do it.
    """
    texts = [("title_key", title_key(paper.title))]
    if called := name_in(paper.title):
        texts.append(("called", called))
    everything = []
    for name, text in texts_of(paper):
        if text:
            exact, stems = analyse(text)
            texts += [(name, stems), (f"{name}_exact", exact)]
            if name in _ALL:
                everything.append(stems)
    texts.append(("all", " ".join(everything)))
    texts.append(("authors", " ".join(name_tokens(paper.authors))))
    folded = [category.lower() for category in paper.categories]
    groups = [category.partition(".")[0] for category in folded if "." in category]
    # Each once: a facet counts a value as often as it is there.
    texts += [("cat", one) for one in dict.fromkeys([*folded, *groups])]
    texts += [("id", str(identifier)) for identifier in paper.identifiers]
    texts += [("at", term) for term in venue_terms(paper.venue)]
    if paper.status:
        texts.append(("status", paper.status))
    texts += [("has", one) for one in holdings_of(paper)]
    texts += [("source", one) for one in dict.fromkeys(paper.sources)]
    texts += [("topic", one) for one in dict.fromkeys(topics)]
    texts += [("term", one) for one in dict.fromkeys(terms)]
    if language := language_of(paper.title, f"{paper.abstract}\n{paper.summary}"):
        texts.append(("lang", language))
    date = date_of(paper)
    citations = -1 if paper.citations is None else min(paper.citations, _MOST_CITATIONS)
    return Held(tuple(texts), paper.year, day_number(date) if date else 0, citations)


def name_in(title: str) -> str:
    """What a paper calls its subject, reduced to letters: `Adam: A Method for ...` is called Adam; empty for none."""
    head, colon, rest = title.partition(":")
    return title_key(head) if colon and rest.strip() and len(head.split()) <= _NAME_WORDS else ""


def texts_of(paper: Paper) -> Iterator[tuple[str, str]]:
    """The texts of a paper that have words, under the names of `ALL_TEXTS`."""
    yield "title", paper.title
    yield "abstract", f"{paper.abstract}\n{paper.summary}".strip()
    yield "venue", paper.venue
    yield "venue_name", paper.venue_name
    yield "comment", paper.comment
    yield "journal_ref", paper.journal_ref
    yield "award", paper.award
    yield "keywords", "\n".join(paper.keywords)
