"""BibTeX: one entry a paper.

An entry is `@article` where the venue is a journal, `@inproceedings` where it is another, and `@misc` where
the paper has not appeared at one: a preprint, and a submission that was turned down or taken back.

What the fields of a paper's first DOI, eprint and address do not say of its identifiers is in the field `identifiers`,
which styles pass over and `octavo.sources.bibtex` reads back. Keys are of `octavo.export.reference`.

Text is UTF-8, with TeX's special characters escaped and titles in the notation of their source; addresses and
DOIs stand as they are, as BibTeX's styles expect. The abstract is never exported.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from octavo.export.reference import (
    address_of,
    authors_of,
    citation_key,
    distinct_keys,
    first_of,
    is_journal,
    is_published,
    note_of,
    one_line,
    origin_of,
    other_identifiers,
    percent_encoded,
    venue_name,
    venue_of,
)
from octavo.records.ids import Identifier
from octavo.records.names import Author
from octavo.records.paper import Paper, Record

_CATEGORY = re.compile(r"[A-Za-z][A-Za-z-]*(?:\.[A-Za-z-]+)?")
_TITLE_PIECE = re.compile(r"\\(?:[A-Za-z]+|.)|\$[^$]*\$|[{}]|(?P<word>[^\W_]+(?:[-'’][^\W_]+)*)", re.DOTALL)
_DASHES = re.compile(r"\s*[-–—]+\s*")

_ESCAPES = {
    "\\": r"\textbackslash{}", "{": r"\textbraceleft{}", "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "“": "``", "”": "''",
}  # fmt: skip
_SPECIAL = re.compile("[" + re.escape("".join(_ESCAPES)) + "]")

_UNFIT_DOI = re.compile(r"[\s{}\\]")

Field = tuple[str, str]
"""A field's name and its value, escaped."""


def bibtex_entries(papers: Iterable[tuple[Paper, list[Record]]]) -> Iterator[str]:
    """Give an entry for each paper, in order; all but the first have an empty line before them."""
    # Keys can be told apart only when all are known; the entries themselves are small.
    entries = [
        (citation_key(paper), paper.id, _entry_type(paper, records), _fields(paper, records))
        for paper, records in papers
    ]
    keys = distinct_keys([(key, paper) for key, paper, _, _ in entries])
    for n, (key, (_, _, kind, fields)) in enumerate(zip(keys, entries, strict=True)):
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields)
        yield f"{chr(10) if n else ''}@{kind}{{{key},\n{lines}}}\n"


def escape(text: str) -> str:
    """Plain text for a BibTeX field: TeX's special characters are escaped, so that braces balance.

    >>> escape("Bees & Co_2: 100% {sure}")
    'Bees \\\\& Co\\\\_2: 100\\\\% \\\\textbraceleft{}sure\\\\textbraceright{}'
    """
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], one_line(text))


def escape_name(name: str) -> str:
    """A name for a field of people: as `escape`, but quotation marks stay the letters that they are there."""
    return _SPECIAL.sub(lambda found: found[0] if found[0] in "“”" else _ESCAPES[found[0]], one_line(name))


def is_balanced(text: str) -> bool:
    """Tell whether every brace has its partner, as BibTeX counts them: backslashes change nothing."""
    depth = 0
    for char in text:
        if char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
            if depth < 0:
                return False
    return depth == 0


# The fields.


def _fields(paper: Paper, records: list[Record]) -> list[Field]:
    """The fields of an entry, those without a value left out."""
    venue = venue_of(paper, records)
    published = is_published(paper)
    fields = [("title", _title(paper, records)), ("author", _authors(paper, records))]
    if published:
        name = "journal" if is_journal(venue) else "booktitle"
        fields += [
            (name, escape(venue_name(venue))),
            ("volume", escape(venue.volume)),
            ("number", escape(venue.number)),
            ("pages", _DASHES.sub("--", escape(venue.pages))),
            ("publisher", escape(venue.publisher)),
        ]
    fields += [
        ("year", str(paper.year or "")),
        *_identifiers(paper),
        ("url", address_of(paper)),
        ("note", escape(note_of(paper))),
        ("identifiers", " ".join(map(_field_of, other_identifiers(paper)))),
    ]
    return [(name, value) for name, value in fields if value]


def _title(paper: Paper, records: list[Record]) -> str:
    """The title in its source's notation; escaped plain text where that would break the entry."""
    origin = origin_of(paper, records, "title")
    written = one_line(origin.title.bibtex()) if origin else ""
    return protect_case(written if written and is_balanced(written) else escape(paper.title))


def protect_case(title: str) -> str:
    """A title with braces round the words that must keep their capitals; most styles lower all others.

    What stands in braces, in formulas or in macros is left alone, and so is a title all in capitals.

    >>> protect_case("Training CollabLLM with GPT-4o: U-Net $D$ Studies {BERT}")
    'Training {CollabLLM} with {GPT-4o}: {U-Net} $D$ Studies {BERT}'
    """
    if title.isupper():
        return title
    pieces: list[str] = []
    at = depth = 0
    for found in _TITLE_PIECE.finditer(title):
        pieces.append(title[at : found.start()])
        piece = found[0]
        depth += {"{": 1, "}": -1}.get(piece, 0)
        pieces.append(f"{{{piece}}}" if depth == 0 and found["word"] and _keeps_case(piece) else piece)
        at = found.end()
    return "".join([*pieces, title[at:]])


def _keeps_case(word: str) -> bool:
    """A capital inside a part of a compound, or a letter alone before a hyphen: `ReLU`, `Q-learning`."""
    parts = re.split(r"[-'’]", word)
    if len(parts) > 1 and len(parts[0]) == 1 and parts[0].isupper():
        return True
    return any(char.isupper() for part in parts for char in part[1:])


def _authors(paper: Paper, records: list[Record]) -> str:
    names = [_author(author) for author in authors_of(paper, records)]
    if paper.authors_incomplete:
        names.append("others")
    return " and ".join(names) if names != ["others"] else ""


def _author(author: Author) -> str:
    """`Family, Given` or `Family, Jr., Given`; in braces where a name has no parts."""
    if not author.given or not author.family:
        return _whole(author.name)
    parts = (author.family, author.suffix, author.given)
    return ", ".join(_part(part) for part in parts if part)


def _whole(name: str) -> str:
    """A team or mononym: in braces, so that BibTeX does not part it."""
    return f"{{{escape_name(name)}}}"


def _part(part: str) -> str:
    """A part of a name; in braces where BibTeX would read an end of it in the middle."""
    escaped = escape_name(part)
    needs_braces = "," in part or "and" in part.lower().split() or part.lower() == "others"
    return f"{{{escaped}}}" if needs_braces else escaped


def _identifiers(paper: Paper) -> Iterator[Field]:
    if doi := first_of(paper, "doi"):
        yield "doi", _UNFIT_DOI.sub(percent_encoded, doi)
    if eprint := first_of(paper, "arxiv"):
        yield "eprint", eprint
        yield "archivePrefix", "arXiv"
        if paper.categories and _CATEGORY.fullmatch(paper.categories[0]):
            yield "primaryClass", paper.categories[0]


def _field_of(identifier: Identifier) -> str:
    return _UNFIT_DOI.sub(percent_encoded, str(identifier))


def _entry_type(paper: Paper, records: list[Record]) -> str:
    if not is_published(paper):
        return "misc"
    return "article" if is_journal(venue_of(paper, records)) else "inproceedings"
