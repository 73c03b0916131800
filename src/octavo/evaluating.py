"""A judged set: documents, queries and judgements in a folder, and what rankings of them are worth.

    corpus.jsonl     {"id": "d1", "title": "Fast Tiles", "text": "We lay tiles ..."}
    queries.jsonl    {"id": "q1", "text": "laying tiles quickly"}
    qrels.tsv        query id, document id, grade; with or without a line of names first

Any of them may be gzipped. BEIR's layout is the same with `_id` for `id` and the judgements in `qrels/test.tsv`; TREC's
four columns (query, iteration, document, grade) are read too. A line that can't be read costs itself; it is counted and
named.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from octavo.errors import FormatError, LimitError, MissingFileError, UsageError
from octavo.rank import evaluate
from octavo.records.cleaning import cleaned
from octavo.records.paper import Record
from octavo.records.text import Text
from octavo.sources.base import MAX_TEXT
from octavo.sources.streams import MAX_ENTRY, Member, check_encoding, open_members
from octavo.views_evaluate import EstimateView, GroupView, LeftOutView, NamedView, WayView

SOURCE = "corpus"
"""The source that the documents' records name."""
DEPTH = 100
"""Hits of each query that are looked at."""
BASELINE = "words"
"""The way that the others are compared with."""
MOST_GROUPS = 12
"""More kinds of queries are not told apart: the ids then have another meaning."""

_SHOWN_FAULTS = 20
_SHOWN = 80
_HINT = "A set has corpus.jsonl, queries.jsonl and qrels.tsv (or qrels/test.tsv); docs/evaluating.md shows their lines."

Measure = Callable[[Sequence[str], evaluate.Grades], float]
Rankings = Mapping[str, Mapping[str, Sequence[str]]]
"""Of each way, each query's documents, the best first."""

SEARCH_MEASURES: dict[str, Measure] = {
    "ndcg@10": partial(evaluate.ndcg, k=10),
    "recall@10": partial(evaluate.recall, k=10),
    "recall@100": partial(evaluate.recall, k=100),
    "mrr": evaluate.reciprocal_rank,
}
RELATED_MEASURES: dict[str, Measure] = {
    "ndcg%20": evaluate.ndcg_of_pool,
    "ndcg@10": partial(evaluate.ndcg, k=10),
    "map": evaluate.average_precision,
}


@dataclass(slots=True)
class JudgedSet:
    """What a folder holds; `documents` reads the corpus as it is asked for."""

    folder: Path
    queries: dict[str, str] = field(default_factory=dict)
    grades: dict[str, dict[str, float]] = field(default_factory=dict)
    """Of each query, the grade of each judged document."""
    reasons: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[str, str, str]] = field(default_factory=list)

    def skip(self, place: str, reason: str, entry: str = "") -> None:
        """Count a line that was skipped."""
        self.reasons[reason] += 1
        if len(self.faults) < _SHOWN_FAULTS:
            self.faults.append((place, reason, cleaned(entry[: 2 * _SHOWN])[:_SHOWN]))

    def documents(self) -> Iterator[Record]:
        """Each document as a record; the key is its id.

        Raises:
            SourceError: the file can't be read to its end.
        """
        seen: set[str] = set()
        for place, entry in self._entries("corpus"):
            key = _id_of(entry)
            title, text = (_text_of(entry, name) for name in ("title", "text"))
            if reason := _fault_of(key, seen, title or text, "title and text"):
                self.skip(place, reason, key)
                continue
            seen.add(key)
            yield Record(
                source=SOURCE,
                key=key,
                title=Text.of(title, "mixed"),
                abstract=Text.of(text, "mixed") if text else None,
            )

    def read_queries(self, *, by_text: bool = True) -> None:
        """Read the queries, which need a text where they are `by_text`; otherwise the ids do, also of the judgements
        where there is no file.

        Raises:
            SourceError: the file can't be read to its end.
        """
        if not by_text and not any((self.folder / name).is_file() for name in _names("queries")):
            self.queries = dict.fromkeys(self.grades, "")
            return
        for place, entry in self._entries("queries"):
            key, text = _id_of(entry), _text_of(entry, "text")
            if reason := _fault_of(key, self.queries, text or ("" if by_text else key), "text"):
                self.skip(place, reason, key)
            else:
                self.queries[key] = text

    def read_judgements(self, split: str = "") -> None:
        """Read the judgements; `split` names a file in `qrels/`.

        Raises:
            SourceError: the file can't be read to its end.
            UsageError: there are several and none was named.
        """
        path = judgements_path(self.folder, split)
        for number, line in _lines(path):
            place = f"{path.name}, line {number}"
            parts = [cleaned(part) for part in line.split("\t" if "\t" in line else None)]
            if len(parts) == 4:  # TREC's, whose second column says nothing
                del parts[1]
            grade = _number(parts[2]) if len(parts) == 3 else None
            if grade is None:
                if number > 1 or len(parts) != 3:
                    self.skip(place, "not query id, document id and grade", line)
                continue  # the names of the columns
            grades = self.grades.setdefault(parts[0], {})
            if parts[1] in grades:
                self.skip(place, "judged a second time", f"{parts[0]} {parts[1]}")
            else:
                grades[parts[1]] = grade

    def let_be_documents(self, documents: Collection[str]) -> None:
        """Let a query that is a document be no candidate of its own; one that is neither a document nor a text goes."""
        for key in [key for key, text in self.queries.items() if not text and not document_of(key, documents)]:
            del self.queries[key]
            self.skip("queries", "a query that is no document and has no text", key)
        for key in self.queries.keys() & self.grades.keys():
            self.grades[key].pop(document_of(key, documents), None)

    def _entries(self, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
        path = _existing(self.folder, _names(name))
        for number, line in _lines(path):
            place = f"{path.name}, line {number}"
            try:
                entry = json.loads(line, strict=False)
            except (ValueError, RecursionError):
                self.skip(place, "broken JSON", line)
                continue
            if isinstance(entry, dict):
                yield place, entry
            else:
                self.skip(place, "not a JSON object", line)

    def answered(self) -> list[str]:
        """The queries that have an answer, in the order of the file."""
        return [key for key in self.queries if any(grade > 0 for grade in self.grades.get(key, {}).values())]

    def chosen(self, most: int, seed: int = evaluate.SEED) -> list[str]:
        """The queries to measure: all with an answer, or `most` of them drawn by `seed`, in the order of the file.

        Raises:
            UsageError: no query has an answer.
        """
        found = self.answered()
        if not found:
            raise UsageError(f"No query of {self.folder} has a judged answer.", hint=_HINT)
        if 0 < most < len(found):
            drawn = set(random.Random(seed).sample(range(len(found)), most))  # noqa: S311 - nothing secret
            return [key for place, key in enumerate(found) if place in drawn]
        return found

    def left_out(self, documents: set[str]) -> LeftOutView:
        """What was not used; `documents` are the ids of those that are there."""
        answered = dict.fromkeys(self.answered())
        wanted = (document for key in answered for document, grade in self.grades[key].items() if grade > 0)
        return LeftOutView(
            tuple(self.reasons.most_common()),
            tuple(self.faults),
            _named(key for key in self.queries if key not in answered),
            _named(key for key in self.grades if key not in self.queries),
            _named(dict.fromkeys(document for document in wanted if document not in documents)),
        )


def _named(ids: Iterable[str]) -> NamedView:
    found = list(ids)
    return NamedView(len(found), tuple(found[:_SHOWN_FAULTS]))


def judgements_path(folder: Path, split: str = "") -> Path:
    """The file of judgements in a folder.

    Raises:
        MissingFileError: there is none.
        UsageError: there are several splits and none was named.
    """
    if split:
        return _existing(folder, [f"{base}{split}.tsv{end}" for base in ("qrels/", "qrels.") for end in ("", ".gz")])
    names = ("qrels.tsv", "qrels.tsv.gz", "qrels/test.tsv", "qrels/test.tsv.gz")
    splits = sorted(path.name.split(".")[0] for path in folder.glob("qrels/*.tsv*"))
    if any((folder / name).is_file() for name in names) or not splits:
        return _existing(folder, names)
    if len(splits) > 1:
        raise UsageError(f"{folder} has judgements of several splits: {', '.join(splits)}.", hint="Name one: --split.")
    return judgements_path(folder, splits[0])


def _names(name: str) -> tuple[str, ...]:
    return (f"{name}.jsonl", f"{name}.jsonl.gz", f"{name}.json", name)


def _existing(folder: Path, names: Sequence[str]) -> Path:
    for name in names:
        if (folder / name).is_file():
            return folder / name
    raise MissingFileError(f"{folder} has no {names[0]}.", hint=_HINT)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """(number, line) of each line that is not blank; what is no UTF-8 in it becomes question marks.

    Raises:
        SourceError: the file can't be read to its end.
    """
    with open_members(path, folder=False) as members:
        for member in members:
            check_encoding(member)
            yield from _lines_of(member, path.name)


def _lines_of(member: Member, name: str) -> Iterator[tuple[int, str]]:
    done, held = 0, b""
    while chunk := member.stream.read():
        *lines, held = (held + chunk).split(b"\n")
        if len(held) > MAX_ENTRY:
            raise LimitError(f"{name}, line {done + len(lines) + 1} is longer than {MAX_ENTRY >> 20} MB.")
        for number, line in enumerate(lines, done + 1):
            if line.strip():
                yield number, line.decode("utf-8", "replace").rstrip("\r")
        done += len(lines)
    if held.strip():
        yield done + 1, held.decode("utf-8", "replace").rstrip("\r")


def _id_of(entry: Mapping[str, Any]) -> str:
    value = entry.get("_id", entry.get("id"))
    return cleaned(str(value)) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _text_of(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    return cleaned(value) if isinstance(value, str) else ""


def _fault_of(key: str, seen: Mapping[str, object] | set[str], text: str, what: str) -> str:
    """What keeps an entry out; empty where nothing does."""
    if not key:
        return "no id"
    if key in seen:
        return "an id that an earlier line has"
    if not text:
        return f"no {what}"
    return f"a text is longer than {MAX_TEXT:,} characters" if len(text) > MAX_TEXT else ""


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None  # neither infinite nor no number


def measured(
    rankings: Rankings, judged: JudgedSet, keys: Sequence[str], measures: Mapping[str, Measure], *, seed: int
) -> tuple[GroupView, ...]:
    """What each way is worth: over all of the queries `keys`, then over each kind of them."""
    values = {
        way: {key: [measure(ranked[key], judged.grades[key]) for measure in measures.values()] for key in keys}
        for way, ranked in rankings.items()
    }
    groups = {"": list(keys)} | kinds(keys)
    return tuple(
        GroupView(
            name, len(some), _ways({way: [of[key] for key in some] for way, of in values.items()}, measures, seed)
        )
        for name, some in groups.items()
    )


def kinds(keys: Sequence[str]) -> dict[str, list[str]]:
    """The queries by what stands behind the last colon of their ids; nothing where that tells no kinds apart."""
    found: dict[str, list[str]] = {}
    for key in keys:
        before, colon, kind = key.rpartition(":")
        if before and colon and kind:
            found.setdefault(kind, []).append(key)
    return dict(sorted(found.items())) if 2 <= len(found) <= min(MOST_GROUPS, len(keys) // 2) else {}


def _ways(values: Mapping[str, list[list[float]]], measures: Mapping[str, Measure], seed: int) -> tuple[WayView, ...]:
    def estimated(rows: list[list[float]]) -> dict[str, EstimateView]:
        found = evaluate.estimates(rows, seed=seed)
        return {name: EstimateView(one.value, one.low, one.high) for name, one in zip(measures, found, strict=True)}

    base = values.get(BASELINE)
    views = []
    for way, rows in values.items():
        view = WayView(way, estimated(rows), {})
        if base is not None and way != BASELINE:
            more = [[a - b for a, b in zip(*pair, strict=True)] for pair in zip(rows, base, strict=True)]
            view = replace(view, differences=estimated(more))
        views.append(view)
    return tuple(views)


def read_set(folder: Path, split: str = "", *, by_text: bool = True) -> JudgedSet:
    """Read a folder's queries and judgements; its documents are read as they are asked for. `by_text` as of
    `JudgedSet.read_queries`.

    Raises:
        SourceError: a file is absent or can't be read to its end.
        UsageError: there are several splits and none was named.
    """
    if not folder.is_dir():
        raise FormatError(f"{folder} is no folder.", hint=_HINT)
    judged = JudgedSet(folder)
    _existing(folder, _names("corpus"))  # before anything takes time
    judged.read_judgements(split)
    judged.read_queries(by_text=by_text)
    return judged


def document_of(key: str, documents: Collection[str]) -> str:
    """The document that a query is: of its id, or of what stands before the last colon in it; empty where none is."""
    before = key.rpartition(":")[0]
    return next((name for name in (key, before) if name in documents), "")


def related_measures(judged: JudgedSet, keys: Iterable[str]) -> dict[str, Measure]:
    """What related papers are measured by: NDCG%20 only where candidates were judged that are no answers, for among
    answers alone every order is right."""
    has_pool = any(grade <= 0 for key in keys for grade in judged.grades[key].values())
    return {name: one for name, one in RELATED_MEASURES.items() if has_pool or name != "ndcg%20"}
