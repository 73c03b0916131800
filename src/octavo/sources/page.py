"""Pages of paper sites, saved from a browser as plain text.

Three kinds are known (`page_kinds.KINDS`), and told apart by what is on them: a conference's list of bare
abstracts, a topic search with authors and abstracts, a daily arXiv reader. A file may hold several, one below the
other (`page_parts`). An entry with a title becomes a Record, one without a Waiting, and prose that is in no entry a
Fault. The same entry on two pages has one key, and so is one claim.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path

from octavo.errors import EmptyFileError, EncodingError, FormatError, SourceError
from octavo.records.fold import title_key
from octavo.records.names import split_authors
from octavo.records.paper import Record, Waiting
from octavo.records.text import Text, is_placeholder
from octavo.sources.base import MAX_TEXT, Fault, Page, SourceInfo
from octavo.sources.entries import cleaned
from octavo.sources.page_kinds import KINDS, Content
from octavo.sources.page_lines import Entry, cut_more
from octavo.sources.page_parts import Part, read_parts
from octavo.sources.streams import Member, check_encoding, decode, fetch_pages, whole_page

_NAME = "page"
_MARKUP = "mixed"
_SUFFIXES = (".txt", ".text", ".md", ".tar", ".tgz", ".zip", ".gz", ".bz2", ".xz")
_ONE_OF_MANY = (("found", "in a folder or archive"),)
"""The context of a page that nobody named: where it is none, as a README is none, that costs itself alone."""
_KEY_LETTERS = 2_000
_HINT = "Known are " + "; ".join(KINDS.values()) + ". Save such a page as plain text (UTF-8)."
# The first letters of data that other sources read, and of HTML.
_OTHER_FORMS = ("<", "{", "[{", '["', "@", "%", "---\n", "TY  -", "\x1f\x8b")


class PageSource:
    """Reads saved pages."""

    info = SourceInfo(
        name=_NAME,
        title="Saved pages",
        covers="a conference's list of abstracts, a topic search (论文检索), a daily arXiv reader",
        reads="a page saved as plain text (.txt), or a folder of them",
        example="octavo add page icml-2025.txt",
        terms="the page's own; only what is on it is read",
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each file as one page.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        yield from fetch_pages(target, _pages, _is_text, kind="page (.txt)")

    def parse(self, page: Page) -> Iterator[Record | Waiting | Fault]:
        """Yield a Record for each entry with a title, a Waiting for one without, a Fault for what is neither.

        A page that was found in a folder or an archive is a Fault where it can't be read.

        Raises:
            FormatError: a page of none of the kinds known, or of a known kind without an entry.
            EmptyFileError: nothing on it.
            EncodingError: not UTF-8.
        """
        try:
            parts = _read(page)
        except SourceError as fault:
            if page.context != _ONE_OF_MANY:
                raise
            yield Fault(page.place, _REASONS[type(fault)])
            return
        for part in parts:
            yield from _claims(part, page.place)


_REASONS: dict[type[SourceError], str] = {
    FormatError: "no page of a known kind",
    EmptyFileError: "an empty file",
    EncodingError: "not UTF-8",
}


def _read(page: Page) -> list[Part]:
    """The parts of a page. Raises as `PageSource.parse` does."""
    text = decode(page.content, page.place).removeprefix("\ufeff")
    if not text.strip():
        raise EmptyFileError(f"{page.place} is empty.", hint="Save the page again, as plain text.")
    parts = [] if text.lstrip().startswith(_OTHER_FORMS) else read_parts(text)
    _check(parts, page.place)
    return parts


def _check(parts: Sequence[Part], place: str) -> None:
    """Refuse a page that holds nothing.

    Raises:
        FormatError: no part is of a kind that is known, or none has an entry.
    """
    if any(part.content.entries for part in parts):
        return
    kind = next((part.content.kind for part in parts if part.content.kind), "")
    if not kind:
        raise FormatError(f"{place} is no page of a kind that is known.", hint=_HINT)
    raise FormatError(
        f"{place} looks like {KINDS[kind]}, but holds no entry.", hint="Was the page saved before it had loaded?"
    )


def _claims(part: Part, place: str) -> Iterator[Record | Waiting | Fault]:
    """The entries of a part, then the prose that is in none of them."""
    for entry in part.content.entries:
        yield _claim(entry, part.content, f"{place}, line {entry.line}")
    for stray in part.strays:
        yield Fault(f"{place}, line {stray.number}", "text that belongs to no entry", stray.text[:80])


def _is_text(name: str) -> bool:
    return name.lower().endswith(_SUFFIXES)


def _pages(member: Member) -> Iterator[Page]:
    check_encoding(member)
    yield whole_page(member, context=() if member.place == member.name else _ONE_OF_MANY)


def _claim(entry: Entry, content: Content, place: str) -> Record | Waiting | Fault:
    for field, value in (("abstract", entry.abstract), ("authors", entry.authors), ("title", entry.title)):
        if len(value) > MAX_TEXT:
            return Fault(place, f"{field} is longer than {MAX_TEXT:,} characters", entry.title[:80])
    named, shortened = cut_more(entry.authors)
    authors, incomplete = split_authors(named) if named else ([], False)
    abstract = None if is_placeholder(entry.abstract) else Text.of(cleaned(entry.abstract), _MARKUP)
    topics = (entry.topics,) if entry.topics else ()
    if entry.title:
        return Record(
            source=_NAME,
            key=_key(entry.title),
            title=Text.of(cleaned(entry.title), _MARKUP),
            authors=tuple(authors),
            authors_incomplete=incomplete or shortened,
            abstract=abstract,
            venue=entry.venue,
            categories=entry.categories,
            topics=topics,
            seen_on=content.seen_on,
        )
    if not abstract:
        return Fault(place, "neither title nor abstract")
    return Waiting(
        source=_NAME,
        key=_key(entry.abstract),
        abstract=abstract,
        authors=tuple(authors),
        authors_incomplete=incomplete or shortened,
        venue=entry.venue,
        categories=entry.categories,
        topics=topics,
        seen_on=content.seen_on,
    )


def _key(text: str) -> str:
    """A short name for a title or an abstract, the same however its letters were typed, marked or broken."""
    folded = title_key(text)[:_KEY_LETTERS] or text
    return blake2b(folded.encode("utf-8", "replace"), digest_size=9).hexdigest()
