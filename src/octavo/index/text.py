"""The word index: tantivy, and nothing of it beyond this module and `text_query`.

A paper is one document. Words are split by `octavo.query.words` before tantivy sees them, so that the index, the
predicate and a query can't disagree about what a word is; tantivy's own splitting is by blanks.

`octavo.index.held` has the table of its fields.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import tantivy
from tantivy import Query

from octavo.errors import OctavoError, SearchIndexError
from octavo.index.facets import FACETS, crossed_terms_of, read_crossed, read_facet, terms_of
from octavo.index.faults import index_errors
from octavo.index.held import ALL_TEXTS, MAX_PK, Held, day_number, held_of, order_key
from octavo.index.manifest import Manifest, load_manifest, save_manifest

__all__ = [
    "ALL_TEXTS",
    "MAX_PK",
    "ORDERS",
    "SCHEMA",
    "SCHEMA_FIELDS",
    "Found",
    "Held",
    "IndexBusyError",
    "IndexWriter",
    "TextIndex",
    "day_number",
    "held_of",
    "order_key",
]

SCHEMA = 6
"""Counts up with every change of the fields, of how words are split, or of how topics and terms are told; an index of
another number is built anew."""
HEAP_BYTES = 120_000_000
"""What tantivy may hold in memory before it writes a segment."""
_RAW = ("title_key", "called", "id", "lang")
_RAW_FAST = ("cat", "at", "status", "has", "source", "topic", "term")
"""Fields of single values; those of the second row are kept by column too, for facets."""
ORDERS = ("newest", "oldest", "cited")
"""The ways of sorting beside relevance."""


@dataclass(frozen=True, slots=True)
class _Hits:
    """What the engine gives: how many match, and a page of (score or key of the order, address)."""

    count: int
    hits: list[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Found:
    """What a search of the index gives."""

    total: int
    hits: list[tuple[int, float]]
    """(paper key, score), the best first."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    # Signed: `delete_documents_by_term` of tantivy-py 0.27 makes a signed term of any int, which an unsigned field
    # never holds.
    builder.add_integer_field("pk", indexed=True, fast=True)
    for name in (*_RAW, *_RAW_FAST):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=name in _RAW_FAST)
    for name in ("all", "authors", *ALL_TEXTS):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ALL_TEXTS:
        builder.add_text_field(f"{name}_exact", tokenizer_name="whitespace", index_option="position")
    builder.add_integer_field("year", indexed=True, fast=True)
    for name in ("newest", "cited"):
        builder.add_integer_field(name, fast=True)
    return builder.build()


SCHEMA_FIELDS = _schema()
"""The schema, which tantivy wants with every query."""


class TextIndex:
    """The index in one folder. Reading and writing are apart: any number of readers, one writer under a kernel lock.
    Threads may share it to read: what one of them asks at once is answered from one state."""

    def __init__(self, folder: Path) -> None:
        """Use the index in `folder`, which need not be there yet."""
        self.base = folder
        self.folder = folder / f"text-{SCHEMA}"
        self._searcher: tantivy.Searcher | None = None
        self._opened_at: Manifest | None = None
        self._links: TemporaryDirectory[str] | None = None

    @property
    def manifest(self) -> Manifest | None:
        """What the index was built from; None where there is no index."""
        return load_manifest(self.folder)

    def save_manifest(self, manifest: Manifest) -> None:
        """Write down how far the index goes, after a commit."""
        with index_errors(self.folder):
            save_manifest(self.folder, manifest)

    # -- reading -----------------------------------------------------------------------------------------------------

    def searcher(self) -> tantivy.Searcher | None:
        """One committed state of the index; None where there is none."""
        searcher = self._searcher  # another thread may let go of it at any moment
        if searcher is None:
            with index_errors(self.folder):
                if not self.folder.is_dir() or not tantivy.Index.exists(str(self.folder)):
                    return None
                manifest = self.manifest
                searcher = tantivy.Index.open(str(self._readable())).searcher()
            self._opened_at, self._searcher = manifest, searcher
        return searcher

    @property
    def state(self) -> Manifest | None:
        """What answers are from at this moment: they may be kept for as long as it is the same. None where there is no
        index. Ask for it before what is to be kept: another thread may look at a newer state at any time."""
        return self._opened_at if self.searcher() is not None else None

    def _readable(self) -> Path:
        """The folder to read from: tantivy takes a lock file even for reading, so one that can't be written is read
        through links from a temporary folder."""
        if os.access(self.folder, os.W_OK):
            return self.folder
        self._links = TemporaryDirectory(prefix="octavo-index-")
        for path in self.folder.iterdir():
            if not path.name.endswith(".lock"):
                Path(self._links.name, path.name).symlink_to(path)
        return Path(self._links.name)

    def is_whole(self) -> bool:
        """Whether the index holds at least what its manifest says; a file of it may have been deleted."""
        manifest, searcher = self.manifest, self.searcher()
        return manifest is not None and searcher is not None and searcher.num_docs >= manifest.papers

    def reload(self) -> None:
        """Look at the newest committed state from now on."""
        self._searcher = None

    def refresh(self) -> None:
        """Look at the newest committed state where the manifest says that there is a newer one."""
        if self._searcher is not None and self.manifest != self._opened_at:
            self.reload()

    def search(self, query: Query, limit: int, offset: int = 0, order: str | None = None) -> Found:
        """Run a compiled query; `total` is of all that match.

        The order is by score, else one of ORDERS, in which papers of an unknown date or number come last. No two
        papers are equal in these, so that leafing on shows none twice.

        Raises:
            ValueError: there is no such order.
        """
        if order is not None and order not in ORDERS:
            raise ValueError(f"There is no order {order}: known are {', '.join(ORDERS)}.")
        searcher = self.searcher()
        if searcher is None:
            return Found(0, [])
        if order is None:
            with index_errors(self.folder):
                result = self._run(searcher, query, limit, offset)
                pks = searcher.fast_field_values("pk", [address for _, address in result.hits])
            scored = [(int(pk or 0), float(score)) for pk, (score, _) in zip(pks, result.hits, strict=True)]
            return Found(int(result.count), scored)
        total, sorted_pks = self._in_order(searcher, query, limit, offset, order)
        scores = self.scores(query, sorted_pks)
        return Found(total, [(pk, scores.get(pk, 0.0)) for pk in sorted_pks])

    def _run(self, searcher: tantivy.Searcher, query: Query, limit: int, offset: int, **order: Any) -> _Hits:
        """Hits of the engine, and their number."""
        # tantivy reserves memory for limit + offset hits, however many there can be.
        limit = min(limit, max(0, searcher.num_docs - offset))
        result = searcher.search(query, limit=max(limit, 1), offset=offset if limit else 0, count=True, **order)
        return _Hits(int(getattr(result, "count", None) or 0), result.hits[:limit])

    def _in_order(
        self, searcher: tantivy.Searcher, query: Query, limit: int, offset: int, order: str
    ) -> tuple[int, list[int]]:
        """How many papers match, and the keys of a page of them in an order."""
        if order != "oldest":
            with index_errors(self.folder):
                result = self._run(searcher, query, limit, offset, order_by_field=order)
            return result.count, [key & MAX_PK for key, _ in result.hits]
        # The undated have the number 0: they are a list of their own behind the others.
        pks: list[int] = []
        total = 0
        least = order_key(1, 0)
        for low, high in ((least, None), (None, least - 1)):
            dated = Query.range_query(SCHEMA_FIELDS, "newest", tantivy.FieldType.Integer, low, high)
            both = Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, dated)])
            at = max(0, offset - total)
            with index_errors(self.folder):
                result = self._run(
                    searcher, both, limit - len(pks), at, order_by_field="newest", order=tantivy.Order.Asc
                )
            total += result.count
            pks += [key & MAX_PK for key, _ in result.hits]
        return total, pks

    def pks(self, query: Query, limit: int | None = None) -> list[int]:
        """The keys of all papers that match, or of `limit` of them, in no order."""
        searcher = self.searcher()
        if searcher is None:
            return []
        with index_errors(self.folder):
            n = searcher.num_docs if limit is None else limit
            # Without scores to work out or columns to sort by: a third of the time of either.
            hits = self._run(searcher, Query.const_score_query(query, 0.0), n, 0).hits
            return [int(pk or 0) for pk in searcher.fast_field_values("pk", [address for _, address in hits])]

    def scores(self, query: Query, pks: Collection[int]) -> dict[int, float]:
        """Those of the papers that match, each with its score."""
        if not pks:
            return {}
        chosen = Query.const_score_query(Query.term_set_query(SCHEMA_FIELDS, "pk", sorted(pks)), 0.0)
        both = Query.boolean_query([(tantivy.Occur.Must, query), (tantivy.Occur.Must, chosen)])
        return dict(self.search(both, len(pks)).hits)

    def facets(self, query: Query, names: Collection[str], limit: int = 20) -> dict[str, list[tuple[str, int]]]:
        """For each of `names` (of `facets.FACETS`), its most frequent values among all that match, with true counts."""
        searcher = self.searcher()
        if searcher is None or not names:
            return {name: [] for name in names}
        asked = {FACETS[name]: {"terms": terms_of(name)} for name in names}  # each field once
        with index_errors(self.folder):
            counted = searcher.aggregate(query, asked)
        return {name: read_facet(name, counted[FACETS[name]]["buckets"], limit) for name in names}

    def crossed(self, query: Query, by: str, name: str) -> dict[str, dict[str, int]]:
        """Of all that match, for each value of the facet `by` how many have each value of the facet `name`."""
        searcher = self.searcher()
        if searcher is None:
            return {}
        with index_errors(self.folder):
            counted = searcher.aggregate(query, {"by": crossed_terms_of(by, name)})
        return read_crossed(by, name, counted["by"]["buckets"])

    def document_frequency(self, stem: str) -> int:
        """How many papers have the stem in one of the texts that a bare word looks in."""
        searcher = self.searcher()
        with index_errors(self.folder):
            return searcher.doc_freq("all", stem) if searcher else 0

    def known_words(self, prefix: str, limit: int = 20_000) -> list[tuple[str, int]]:
        """Words of titles that begin with `prefix`, with how many titles have each."""
        searcher = self.searcher()
        with index_errors(self.folder):
            return searcher.terms_with_prefix("title_exact", prefix, limit=limit) if searcher else []

    def count_word(self, exact: str) -> int:
        """How many titles or abstracts have the word, as it is."""
        searcher = self.searcher()
        if searcher is None:
            return 0
        with index_errors(self.folder):
            return max(searcher.doc_freq(f"{text}_exact", exact) for text in ("title", "abstract"))

    @property
    def n_papers(self) -> int:
        """Papers in the index."""
        searcher = self.searcher()
        return searcher.num_docs if searcher else 0

    # -- writing -----------------------------------------------------------------------------------------------------

    @contextmanager
    def write(self, wait: float = 0.0) -> Iterator[IndexWriter]:
        """Open the only writer; on leaving, whatever was not committed is dropped.

        Raises:
            IndexBusyError: another process is writing, and went on for `wait` seconds.
            SearchIndexError: the index can't be written.
        """
        until = monotonic() + wait
        while True:
            try:
                index, writer = self._open_writer()
                break
            except IndexBusyError:
                if monotonic() >= until:
                    raise
                sleep(0.1)
        handle = IndexWriter(index, writer, self)
        try:
            yield handle
        except BaseException:
            with suppress(OctavoError), index_errors(self.folder):  # the first error is the one to be told
                writer.rollback()
            raise
        finally:
            with index_errors(self.folder):
                writer.wait_merging_threads()
            del handle, writer, index
            self.reload()
            _give_memory_back()

    def _open_writer(self) -> tuple[tantivy.Index, tantivy.IndexWriter]:
        """The index, made where there is none that can be used, and its writer."""
        with index_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            for other in self.base.glob("text-*"):
                if other != self.folder:
                    shutil.rmtree(other, ignore_errors=True)
            try:
                index = tantivy.Index(SCHEMA_FIELDS, path=str(self.folder), reuse=True)
            except ValueError:
                # Of another form or damaged. What it held is in the catalogue.
                shutil.rmtree(self.folder)
                self.folder.mkdir()
                index = tantivy.Index(SCHEMA_FIELDS, path=str(self.folder), reuse=True)
            try:
                writer = index.writer(heap_size=HEAP_BYTES, num_threads=1)
            except ValueError as error:
                if "lock" not in str(error).lower():
                    raise
                raise IndexBusyError(
                    "Another process is bringing the search index up to date.", hint="It will be done in a moment."
                ) from error
        return index, writer


def _give_memory_back() -> None:
    """Hand the writer's freed memory back to the system, where that can be asked (glibc).

    Each writer's threads leave their freed memory behind in arenas of their own: six files added in one process
    peaked at 660 MB without this and at 430 MB with it.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


class IndexBusyError(SearchIndexError):
    """Another process is writing to the search index."""


class IndexWriter:
    """Adds papers to the index; see `TextIndex.write`."""

    def __init__(self, index: tantivy.Index, writer: tantivy.IndexWriter, owner: TextIndex) -> None:
        """Write with `writer` of `index`."""
        self._index = index
        self._writer = writer
        self._owner = owner
        self.n_papers = index.searcher().num_docs
        """Papers in the index, as of the last commit."""

    def clear(self) -> None:
        """Begin anew; readers see the old papers until the commit."""
        self._writer.delete_all_documents()
        self.n_papers = 0

    def remove(self, pk: int) -> None:
        """Remove a paper, where it is there."""
        self._writer.delete_documents_by_term("pk", pk)

    def add(self, pk: int, held: Held) -> None:
        """Add a paper; one of the same key must have been removed before."""
        document = tantivy.Document()
        document.add_integer("pk", pk)
        for name, text in held.texts:
            document.add_text(name, text)
        if held.year is not None:
            document.add_integer("year", held.year)
        document.add_integer("newest", order_key(held.date, pk))
        document.add_integer("cited", order_key(held.citations + 1, pk))
        with index_errors(self._owner.folder):
            self._writer.add_document(document)

    def commit(self) -> int:
        """Make all of it visible and safe; returns how many papers the index holds then."""
        with index_errors(self._owner.folder):
            self._writer.commit()
            self._index.reload()
            self.n_papers = self._index.searcher().num_docs
        return self.n_papers
