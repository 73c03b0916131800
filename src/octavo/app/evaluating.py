"""Use cases: what search and finding related papers are worth on a judged set, measured through the real path."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import TYPE_CHECKING

from octavo.app.base import Progress, silent
from octavo.app.similar import Similar
from octavo.asking import Way
from octavo.catalogue import storage_errors
from octavo.config import catalogue_path
from octavo.errors import UsageError
from octavo.views_evaluate import EvaluationView, SpeedView

if TYPE_CHECKING:
    from octavo.evaluating import JudgedSet, Measure, Rankings

Answers = Callable[[str, int], list[str]]
"""The documents that answer a query, by its id, at most so many."""
SEARCH_WAYS = ("hybrid", "words", "meaning", "rrf")
"""`rrf` is plain reciprocal rank fusion of `words` and `meaning`; the others are ways of `Octavo.search`."""
_OWN_WAYS: tuple[Way, ...] = ("hybrid", "words", "meaning")
_SEED = 1
_BATCH = 2_000
_TIMED = 200
"""Queries that are timed; more do not make the figure better."""
_PAGE = 10
"""Hits of a timed answer: what a reader asks for."""


class Evaluating(Similar):
    """Measure on judged sets. Nothing of the reader's own catalogue is read or changed."""

    @classmethod
    def evaluate_search(
        cls,
        folder: str | os.PathLike[str],
        *,
        ways: Sequence[str] = SEARCH_WAYS,
        most: int = 0,
        split: str = "",
        seed: int = _SEED,
        progress: Progress = silent,
    ) -> EvaluationView:
        """How well search answers the judged queries of a folder (`docs/evaluating.md`).

        The documents go into a temporary catalogue, each a paper of its own, however alike; the queries are asked of it
        as a reader's are.

        Args:
            folder: Holds corpus.jsonl, queries.jsonl and qrels.tsv, or the same in BEIR's layout.
            ways: Which of `SEARCH_WAYS` to measure, in this order.
            most: Measure only so many queries, drawn by `seed`; 0 for all.
            split: The file of judgements in `qrels/`, where there are several.
            seed: Of that draw and of the intervals.
            progress: Told how far it is.

        Raises:
            UsageError: no such way, or no query has a judged answer.
            SourceError: a file of the folder is absent or can't be read to its end.
        """
        from octavo.evaluating import DEPTH, SEARCH_MEASURES, read_set
        from octavo.rank.evaluate import fused

        _check(ways)
        judged = read_set(Path(folder), split)
        keys = judged.chosen(most, seed)
        asked = [way for way in _OWN_WAYS if way in ways or (way != "hybrid" and "rrf" in ways)]
        with cls._holding(judged, progress) as (octavo, ids, seconds):

            def answers(way: Way, key: str, limit: int) -> list[str]:
                hits = octavo.search(judged.queries[key], limit, way=way).hits
                return [ids[hit.paper.id] for hit in hits]

            speed = [_timed(way, keys, partial(answers, way), progress) for way in asked]
            found: dict[str, dict[str, list[str]]] = {}
            for way in asked:
                found[way] = _asked(way, keys, partial(answers, way), progress)
        if "rrf" in ways:
            found["rrf"] = {key: fused((found["words"][key], found["meaning"][key]))[:DEPTH] for key in keys}
        rankings = {way: found[way] for way in dict.fromkeys(ways)}
        speed = [one for one in speed if one.way in ways]
        return _view(judged, keys, rankings, SEARCH_MEASURES, speed, set(ids.values()), seconds, seed)

    @classmethod
    def evaluate_related(
        cls,
        folder: str | os.PathLike[str],
        *,
        most: int = 0,
        split: str = "",
        seed: int = _SEED,
        progress: Progress = silent,
    ) -> EvaluationView:
        """How well related papers are found (`docs/evaluating.md`). A query is the document of its id, or of what
        stands before the last colon in it; where there is none, its text.

        Takes and raises what `evaluate_search` does.
        """
        from octavo.evaluating import document_of, read_set, related_measures

        judged = read_set(Path(folder), split, by_text=False)
        judged.chosen(most, seed)  # without any there is nothing to wait for
        with cls._holding(judged, progress) as (octavo, ids, seconds):
            papers = {key: name for name, key in ids.items()}
            judged.let_be_documents(papers)
            keys = judged.chosen(most, seed)

            def answers(key: str, limit: int) -> list[str]:
                own = document_of(key, papers)
                names, text = ((papers[own],), "") if own else ((), judged.queries[key])
                return [ids[hit.paper.id] for hit in octavo.similar(names, text, limit).hits]

            speed = [_timed("related", keys, answers, progress)]
            rankings = {"related": _asked("related", keys, answers, progress)}
        measures = related_measures(judged, keys)
        return _view(judged, keys, rankings, measures, speed, set(papers), seconds, seed)

    @classmethod
    @contextmanager
    def _holding(cls, judged: JudgedSet, progress: Progress) -> Iterator[tuple[Evaluating, dict[str, str], float]]:
        """A temporary catalogue of a set's documents, by paper id the id of each, and how long it took to make.

        Raises:
            UsageError: there is no document.
            SourceError: the file can't be read to its end.
        """
        from octavo.ingest import Ingest
        from octavo.ingest.merge import paper_id
        from octavo.ingest.prepare import prepare

        started = perf_counter()
        with (
            TemporaryDirectory(prefix="octavo-evaluate-") as home,
            storage_errors(catalogue_path(Path(home))),
            cls(home) as octavo,
        ):
            octavo._make_home()
            ingest, ids = Ingest(octavo._catalogue), dict[str, str]()
            documents = judged.documents()
            while batch := list(islice(documents, _BATCH)):
                # Only stored, never linked: two documents of a set are two, be they ever so alike.
                ingest.put_prepared([prepare(record) for record in batch], is_many=True)
                ids.update((paper_id([(record.source, record.key)]), record.key) for record in batch)
                progress("storing", len(ids), 0)
            if not ids:
                raise UsageError(
                    f"There is no document in {judged.folder}.", hint="docs/evaluating.md shows the lines."
                )
            octavo.bring_up_to_date(progress)
            octavo.encode(progress)  # what is left of it, here and now
            yield octavo, ids, perf_counter() - started


def _check(ways: Sequence[str]) -> None:
    if not ways:
        raise UsageError("No way of ranking was named.", hint=f"Known are {', '.join(SEARCH_WAYS)}.")
    if unknown := [way for way in ways if way not in SEARCH_WAYS]:
        raise UsageError(f"There is no way {unknown[0]!r}.", hint=f"Known are {', '.join(SEARCH_WAYS)}.")


def _view(
    judged: JudgedSet,
    keys: Sequence[str],
    rankings: Rankings,
    measures: Mapping[str, Measure],
    speed: Sequence[SpeedView],
    documents: set[str],
    seconds: float,
    seed: int,
) -> EvaluationView:
    from octavo.evaluating import DEPTH, measured
    from octavo.rank.evaluate import RESAMPLES

    return EvaluationView(
        folder=str(judged.folder),
        documents=len(documents),
        queries=len(keys),
        judgements=sum(grade > 0 for key in keys for grade in judged.grades[key].values()),
        depth=DEPTH,
        resamples=RESAMPLES,
        seed=seed,
        groups=measured(rankings, judged, keys, measures, seed=seed),
        speed=tuple(speed),
        left_out=judged.left_out(documents),
        build_seconds=seconds,
    )


def _asked(way: str, keys: Sequence[str], answers: Answers, progress: Progress) -> dict[str, list[str]]:
    from octavo.evaluating import DEPTH

    return {key: answers(key, DEPTH) for key in _told(keys, f"asking ({way})", progress)}


def _told(keys: Sequence[str], stage: str, progress: Progress) -> Iterable[str]:
    for done, key in enumerate(keys):
        progress(stage, done, len(keys))
        yield key


def _timed(way: str, keys: Sequence[str], answers: Answers, progress: Progress) -> SpeedView:
    """Ask some queries for a page of hits, each once, before anything else is asked of them."""
    some = keys[:: -(-len(keys) // _TIMED)]
    answers(some[0], 1)  # opens the index and the encoder
    times = []
    for key in _told(some, f"timing ({way})", progress):
        started = perf_counter()
        answers(key, _PAGE)
        times.append(perf_counter() - started)
    slow = sorted(times)[min(len(times) - 1, int(len(times) * 0.95))]
    return SpeedView(way, len(times), len(times) / sum(times), median(times) * 1e3, slow * 1e3)
