"""Lists of papers as feeds: Atom 1.0 (RFC 4287) and RSS 2.0.

An item is the paper, for good: its id is Octavo's own, which no new title, category, version, host or rebuild changes,
so that a reader's program shows each paper once. Text is plain, formulas in a line; characters that XML has no place
for are left out, and long lists of authors are cut and counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape, quoteattr

from octavo.records.paper import Paper

FEEDS = {"atom": "application/atom+xml", "rss": "application/rss+xml"}
"""The forms, each with its media type."""
MOST_AUTHORS = 10
"""Authors of an item that are named; the others are counted."""

_BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_UNFIT = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u202a-\u202e]")


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed says of itself."""

    title: str
    page: str
    """The address of the same list as a page."""
    address: str
    """The feed's own address."""
    base: str
    """The address before `/paper/<id>`, without a slash at its end."""
    language: str = "en"


def feed(form: str, about: Feed, papers: Iterable[Paper]) -> str:
    """A feed in a form of FEEDS; its items are the papers, in order.

    Raises:
        KeyError: there is no such form.
    """
    return "".join({"atom": _atom, "rss": _rss}[form](about, list(papers)))


def item_id(paper: Paper) -> str:
    """The id of a paper in every feed of every Octavo."""
    return f"urn:octavo:{paper.id}"


def _atom(about: Feed, papers: list[Paper]) -> Iterator[str]:
    updated = max(map(_moment, papers), default=_BEGINNING)
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang={quoteattr(about.language)}>\n'
    yield f"<id>{_text(about.address)}</id>\n<title>{_text(about.title)}</title>\n<updated>{_iso(updated)}</updated>\n"
    yield f'<link rel="self" type="{FEEDS["atom"]}" href={_attribute(about.address)}/>\n'
    yield f'<link rel="alternate" type="text/html" href={_attribute(about.page)}/>\n<generator>Octavo</generator>\n'
    for paper in papers:
        yield f"<entry>\n<id>{item_id(paper)}</id>\n<title>{_text(paper.title)}</title>\n"
        yield f"<updated>{_iso(_moment(paper))}</updated>\n"
        yield f'<link rel="alternate" type="text/html" href={_attribute(f"{about.base}/paper/{paper.id}")}/>\n'
        yield "".join(f"<author><name>{_text(name)}</name></author>\n" for name in _authors(paper) or ["–"])
        yield "".join(f"<category term={_attribute(name)}/>\n" for name in paper.categories)
        yield f'<summary type="text">{_text(_about(paper))}</summary>\n</entry>\n'
    yield "</feed>\n"


def _rss(about: Feed, papers: list[Paper]) -> Iterator[str]:
    yield '<?xml version="1.0" encoding="utf-8"?>\n'
    yield '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">\n'
    yield f"<channel>\n<title>{_text(about.title)}</title>\n<link>{_text(about.page)}</link>\n"
    yield f"<description>{_text(about.title)}</description>\n<language>{_text(about.language)}</language>\n"
    yield f'<atom:link rel="self" type="{FEEDS["rss"]}" href={_attribute(about.address)}/>\n'
    yield "<generator>Octavo</generator>\n"
    for paper in papers:
        yield f'<item>\n<guid isPermaLink="false">{item_id(paper)}</guid>\n<title>{_text(paper.title)}</title>\n'
        yield f"<link>{_text(f'{about.base}/paper/{paper.id}')}</link>\n"
        yield f"<pubDate>{format_datetime(_moment(paper))}</pubDate>\n"
        yield "".join(f"<dc:creator>{_text(name)}</dc:creator>\n" for name in _authors(paper))
        yield "".join(f"<category>{_text(name)}</category>\n" for name in paper.categories)
        # Twice escaped: what is described is HTML to an RSS reader.
        yield f"<description>{_text(escape(_about(paper)))}</description>\n</item>\n"
    yield "</channel>\n</rss>\n"


def _authors(paper: Paper) -> list[str]:
    names = list(paper.authors[:MOST_AUTHORS])
    if rest := len(paper.authors) - len(names):
        names.append(f"and {rest:,} more")
    return [*names, "et al."] if paper.authors_incomplete else names


def _about(paper: Paper) -> str:
    """What a paper is about; a summary of Octavo's own is marked as such."""
    if paper.abstract or not paper.summary:
        return paper.abstract or paper.tldr
    return f"Octavo's summary: {paper.summary}"


def _moment(paper: Paper) -> datetime:
    """The date of a paper with what is not known of it at its least; 1970 where there is none."""
    said = str(paper.date or paper.year or "")
    parts = [int(part) for part in said.split("-") if part.isdigit()]
    if not parts:
        return _BEGINNING
    year, month, day = (*parts, 1, 1)[:3]
    return datetime(year, month, day, tzinfo=UTC)


def _iso(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def _text(text: str) -> str:
    return escape(_UNFIT.sub("", " ".join(text.split())))


def _attribute(text: str) -> str:
    return quoteattr(_UNFIT.sub("", text))
