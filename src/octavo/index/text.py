"""The word index: tantivy, and nothing of it beyond this module and `text_query`.

A paper is one document. Words are split by `octavo.query.words` before tantivy sees them, so that the index, the
predicate and a query can't disagree about what a word is; tantivy's own splitting is by blanks.

    field        holds                                              positions
    pk           the paper's key in the catalogue                   -
    title_key    the title reduced to letters (`records.fold`)      -
    title, body, venue     stems of a text                          no
    title_exact ... one per text of `ALL_TEXTS`: exact words           yes
    all          stems of every text that a bare word looks in      no
    authors      name tokens (`words.name_tokens`)                  no
    cat, id      categories with their groups, identifiers          -
    at, status   the edition (`edition_names.venue_terms`), the status  -
    year         the year                                           -
"""

from __future__ import annotations

import ctypes
import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep

import tantivy
from tantivy import Query

from octavo.errors import DiskFullError, HomeError, OctavoError, SearchIndexError
from octavo.index.manifest import Manifest, load_manifest, save_manifest
from octavo.query.match import venue_terms
from octavo.query.words import analyse, name_tokens
from octavo.records.fold import title_key
from octavo.records.paper import Paper

SCHEMA = 2
"""Counts up with every change of the fields or of how words are split; an index of another number is built anew."""
_NO_ROOM = 200_000
"""Bytes free on a disk below which a fault of the index is put down to the disk."""
HEAP_BYTES = 120_000_000
"""What tantivy may hold in memory before it writes a segment."""
ALL_TEXTS = ("title", "abstract", "venue", "venue_name", "comment", "journal_ref", "award")
"""The texts of a paper that have words; each has a field of stems and one of exact words."""
_ALL = ("title", "abstract", "venue", "venue_name")
"""The texts that a bare word looks in."""


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
    for name in ("title_key", "cat", "id", "at", "status"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in ("all", "authors", *ALL_TEXTS):
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    for name in ALL_TEXTS:
        builder.add_text_field(f"{name}_exact", tokenizer_name="whitespace", index_option="position")
    builder.add_integer_field("year", indexed=True, fast=True)
    return builder.build()


SCHEMA_FIELDS = _schema()
"""The schema, which tantivy wants with every query."""


@contextmanager
def _index_errors(folder: Path) -> Iterator[None]:
    """Tell tantivy's faults, which are ValueErrors and OSErrors with a text, as ours."""
    try:
        yield
    except OctavoError:
        raise
    except BaseException as error:
        # A panic in Rust is a BaseException of a class that can't be imported.
        if not isinstance(error, ValueError | OSError | OverflowError) and type(error).__name__ != "PanicException":
            raise
        text = str(error)
        # A writer's thread that ran out of room says only that it is gone.
        if "No space left" in text or "StorageFull" in text or _is_full(folder):
            raise DiskFullError(
                f"No room left on the disk of {folder}.",
                hint="The catalogue is whole; free some space, then the index catches up by itself.",
            ) from error
        if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
            raise HomeError(
                f"The index can't be written to {folder}: {error.strerror}.",
                hint="Check what stands there and its permissions.",
            ) from error
        cause = text.splitlines()[0][:160] if text else type(error).__name__
        raise SearchIndexError(
            f"The search index in {folder} can't be used ({cause}).",
            hint="`octavo rebuild` makes it anew from the catalogue.",
        ) from error


def _is_full(folder: Path) -> bool:
    """Whether the disk that `folder` is on has no room to speak of."""
    try:
        return shutil.disk_usage(next(path for path in (folder, *folder.parents) if path.is_dir())).free < _NO_ROOM
    except OSError:
        return False


class TextIndex:
    """The index in one folder. Reading and writing are apart: any number of readers, one writer under a kernel lock."""

    def __init__(self, folder: Path) -> None:
        """Use the index in `folder`, which need not be there yet."""
        self.base = folder
        self.folder = folder / f"text-{SCHEMA}"
        self._index: tantivy.Index | None = None
        self._searcher: tantivy.Searcher | None = None
        self._opened_at: Manifest | None = None
        self._links: TemporaryDirectory[str] | None = None

    @property
    def manifest(self) -> Manifest | None:
        """What the index was built from; None where there is no index."""
        return load_manifest(self.folder)

    def save_manifest(self, manifest: Manifest) -> None:
        """Write down how far the index goes, after a commit."""
        with _index_errors(self.folder):
            save_manifest(self.folder, manifest)

    # -- reading -----------------------------------------------------------------------------------------------------

    def searcher(self) -> tantivy.Searcher | None:
        """One committed state of the index; None where there is none."""
        if self._searcher is None:
            with _index_errors(self.folder):
                if not self.folder.is_dir() or not tantivy.Index.exists(str(self.folder)):
                    return None
                self._opened_at = self.manifest
                self._index = tantivy.Index.open(str(self._readable()))
                self._searcher = self._index.searcher()
        return self._searcher

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
        self._searcher = self._index = None

    def refresh(self) -> None:
        """Look at the newest committed state where the manifest says that there is a newer one."""
        if self._searcher is not None and self.manifest != self._opened_at:
            self.reload()

    def search(self, query: Query, limit: int, offset: int = 0) -> Found:
        """Run a compiled query; `total` is of all that match."""
        searcher = self.searcher()
        if searcher is None:
            return Found(0, [])
        with _index_errors(self.folder):
            # tantivy reserves memory for limit + offset hits, however many there can be.
            limit = min(limit, max(0, searcher.num_docs - offset))
            result = searcher.search(query, limit=max(limit, 1), offset=offset if limit else 0, count=True)
            hits = result.hits[:limit]
            pks = searcher.fast_field_values("pk", [address for _, address in hits])
        return Found(
            int(getattr(result, "count", None) or 0),
            [(int(pk or 0), float(score)) for pk, (score, _) in zip(pks, hits, strict=True)],
        )

    def document_frequency(self, stem: str) -> int:
        """How many papers have the stem in one of the texts that a bare word looks in."""
        searcher = self.searcher()
        with _index_errors(self.folder):
            return searcher.doc_freq("all", stem) if searcher else 0

    def known_words(self, prefix: str, limit: int = 20_000) -> list[tuple[str, int]]:
        """Words of titles that begin with `prefix`, with how many titles have each."""
        searcher = self.searcher()
        with _index_errors(self.folder):
            return searcher.terms_with_prefix("title_exact", prefix, limit=limit) if searcher else []

    def count_word(self, exact: str) -> int:
        """How many titles or abstracts have the word, as it is."""
        searcher = self.searcher()
        if searcher is None:
            return 0
        with _index_errors(self.folder):
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
            with suppress(OctavoError), _index_errors(self.folder):  # the first error is the one to be told
                writer.rollback()
            raise
        finally:
            with _index_errors(self.folder):
                writer.wait_merging_threads()
            del handle, writer, index
            self.reload()
            _give_memory_back()

    def _open_writer(self) -> tuple[tantivy.Index, tantivy.IndexWriter]:
        """The index, made where there is none that can be used, and its writer."""
        with _index_errors(self.folder):
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
        with _index_errors(self._owner.folder):
            self._writer.add_document(document)

    def commit(self) -> int:
        """Make all of it visible and safe; returns how many papers the index holds then."""
        with _index_errors(self._owner.folder):
            self._writer.commit()
            self._index.reload()
            self.n_papers = self._index.searcher().num_docs
        return self.n_papers


@dataclass(frozen=True, slots=True)
class Held:
    """What the index holds of a paper."""

    texts: tuple[tuple[str, str], ...]
    """(field, words joined by blanks, or one value)."""
    year: int | None


def held_of(paper: Paper) -> Held:
    """Make what the index holds of a paper. Pure, and the dear part of indexing: other processes may do it."""
    texts = [("title_key", title_key(paper.title))]
    everything = []
    for name, text in texts_of(paper):
        if text:
            exact, stems = analyse(text)
            texts += [(name, stems), (f"{name}_exact", exact)]
            if name in _ALL:
                everything.append(stems)
    texts.append(("all", " ".join(everything)))
    texts.append(("authors", " ".join(name_tokens(paper.authors))))
    for category in paper.categories:
        folded = category.lower()
        texts.append(("cat", folded))
        if "." in folded:
            texts.append(("cat", folded.partition(".")[0]))
    texts.extend(("id", str(identifier)) for identifier in paper.identifiers)
    texts.extend(("at", term) for term in venue_terms(paper.venue))
    if paper.status:
        texts.append(("status", paper.status))
    return Held(tuple(texts), paper.year)


def texts_of(paper: Paper) -> Iterator[tuple[str, str]]:
    """The texts of a paper that have words, under the names of `ALL_TEXTS`."""
    yield "title", paper.title
    yield "abstract", f"{paper.abstract}\n{paper.summary}".strip()
    yield "venue", paper.venue
    yield "venue_name", paper.venue_name
    yield "comment", paper.comment
    yield "journal_ref", paper.journal_ref
    yield "award", paper.award
