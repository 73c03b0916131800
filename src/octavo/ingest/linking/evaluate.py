"""Measure linking on labelled pairs of records.

A file of pairs is JSON lines, gzipped or not. A line is `{"left": RECORD, "right": RECORD, "label": 0 or 1}`, and may
have a `split` and a `kind`. A RECORD has `title`, `authors` (a list, or one string with commas) and, where known,
`abstract`, `venue`, `year`, `pages`, `arxiv`, `doi`, `id`. What is missing or empty is unknown.

Two records of an edition and of a journal may be one work and yet two publications. The pairs' labels mean the
publication wherever both records name theirs, and the work where one is a preprint; or always the work, where a line
has `"level": "work"`.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path

from octavo.errors import FormatError
from octavo.ingest.linking.features import Features, features_of
from octavo.ingest.linking.pairs import VETOED, compare
from octavo.records.ids import arxiv_id, doi_id
from octavo.records.names import Author, parse_authors, split_authors
from octavo.records.paper import Record, Venue
from octavo.records.text import Text

FIELDS = ("title", "authors", "abstract", "venue", "year", "pages")
"""What a pair's records may be reduced to."""

_ENTITY = re.compile(r"\s*(&#?\w+;)\s*")
_YEAR = re.compile(r"\s*(1[89]\d\d|20\d\d)(?:\.0*)?\s*")


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """Two records, and whether they are of one publication."""

    left: Features
    right: Features
    label: bool
    kind: str = ""
    split: str = ""
    of_work: bool = False
    """The label means the work even where both records are published."""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Measure:
    """How well pairs were told."""

    n_pairs: int
    n_same: int
    true_positives: int
    false_positives: int
    wrong: tuple[tuple[LabelledPair, float], ...] = ()
    """The pairs that were told wrongly, with what was computed."""

    scores: tuple[tuple[float, bool], ...] = ()
    """Each pair's score and label."""

    def recall_at(self, precision: float) -> float:
        """The highest recall at which the precision is that much: a point of the curve, whatever the threshold was."""
        best = hits = 0
        for joined, (_, label) in enumerate(sorted(self.scores, key=lambda one: (-one[0], one[1])), 1):
            hits += label
            if hits >= precision * joined:
                best = hits
        return best / self.n_same if self.n_same else 1.0

    @property
    def precision(self) -> float:
        """Share of the joined that are the same; 1 where none was joined."""
        joined = self.true_positives + self.false_positives
        return self.true_positives / joined if joined else 1.0

    @property
    def recall(self) -> float:
        """Share of the same that were joined; 1 where none is."""
        return self.true_positives / self.n_same if self.n_same else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def read_pairs(path: Path, fields: Iterable[str] = FIELDS) -> Iterator[LabelledPair]:
    """Read labelled pairs, with only `fields` of their records.

    Raises:
        FormatError: a line is no labelled pair; it names the line.
    """
    kept = frozenset(fields)
    opened = gzip.open if path.read_bytes()[:2] == b"\x1f\x8b" else open
    with opened(path, "rt", encoding="utf-8-sig") as lines:
        for number, line in _numbered(lines, path):
            if not line.strip():
                continue
            try:
                pair = json.loads(line)
                left, right = (features_of(_record(pair[side], side, number, kept)) for side in ("left", "right"))
                label = {0: False, 1: True}[int(pair["label"])]
            except (ValueError, KeyError, TypeError, AttributeError) as fault:
                raise FormatError(
                    f"{path.name}, line {number}, is no labelled pair: {type(fault).__name__} {fault}",
                    hint='A line is {"left": {"title": ...}, "right": {"title": ...}, "label": 0 or 1}.',
                ) from fault
            kind, split = str(pair.get("kind") or ""), str(pair.get("split") or "")
            yield LabelledPair(left, right, label, kind, split, pair.get("level") == "work", number)


def _numbered(lines: Iterable[str], path: Path) -> Iterator[tuple[int, str]]:
    """The lines with their numbers.

    Raises:
        FormatError: the file is no text, or was cut off.
    """
    number = 0
    try:
        for number, line in enumerate(lines, 1):
            yield number, line
    except (UnicodeDecodeError, EOFError, OSError, zlib.error) as fault:
        raise FormatError(
            f"{path.name} can't be read behind line {number}: it is no text in UTF-8, or was cut off.",
            hint="Get the file again.",
        ) from fault


def measure(pairs: Iterable[LabelledPair], threshold: float = 0.0, *, with_vetoes: bool = False) -> Measure:
    """Tell each pair, and count how often rightly.

    What is measured is the score against `threshold`. `with_vetoes` also keeps apart what linking never joins by its
    text alone (see `pairs`): fewer are joined then, and more of them rightly.
    """
    judged: list[tuple[LabelledPair, float]] = []
    for pair in pairs:
        comparison = compare(pair.left, pair.right)
        score = comparison.score if pair.of_work else comparison.publication
        judged.append((pair, min(score, VETOED) if with_vetoes and comparison.veto else score))
    joined = [(pair, score) for pair, score in judged if score > threshold]
    hits = sum(pair.label for pair, _ in joined)
    return Measure(
        len(judged),
        sum(pair.label for pair, _ in judged),
        hits,
        len(joined) - hits,
        tuple((pair, score) for pair, score in judged if (score > threshold) != pair.label),
        tuple((score, pair.label) for pair, score in judged),
    )


def _record(given: dict[str, object], side: str, number: int, kept: frozenset[str]) -> Record:
    """Make a record of one side of a pair."""
    title = _text(given["title"])
    abstract = _text(given.get("abstract")) if "abstract" in kept else ""
    authors, incomplete = _authors(given.get("authors")) if "authors" in kept else ([], False)
    venue = Venue(
        name=_text(given.get("venue")) if "venue" in kept else "",
        year=_year(given.get("year")) if "year" in kept else None,
        pages=_text(given.get("pages")) if "pages" in kept else "",
    )
    identifiers = (arxiv_id(_text(given.get("arxiv"))), doi_id(_text(given.get("doi"))))
    return Record(
        source=side,
        key=f"{number:06d}",
        title=Text.of(title, "mixed"),
        authors=tuple(authors),
        authors_incomplete=incomplete,
        identifiers=tuple(identifier for identifier in identifiers if identifier),
        abstract=Text.of(abstract, "mixed") if abstract else None,
        venue=venue if venue.name or venue.year else None,
    )


def _text(value: object) -> str:
    """A field as text. Texts that were split at each sign have blanks around entities: `barbar &#225; , t .`."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else str(value)
    return unescape(_ENTITY.sub(r"\1", text)) if "&" in text else text


def _year(value: object) -> int | None:
    found = _YEAR.fullmatch(str(value or ""))
    return int(found[1]) if found else None


def _authors(value: object) -> tuple[list[Author], bool]:
    if isinstance(value, list | tuple):
        return parse_authors(_text(name) for name in value)
    return split_authors(_text(value)) if value else ([], False)
