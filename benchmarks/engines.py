"""Octavo beside SQLite FTS5, bm25s and LanceDB: the same papers and queries, one after the other in one run.

    OMP_NUM_THREADS=1 python benchmarks/engines.py FOLDER ... [-n 400] [--engines fts5,bm25s]
    OMP_NUM_THREADS=1 python benchmarks/engines.py --home HOME --papers 50000

A FOLDER is a judged set (docs/evaluating.md). With `--home`, papers with an abstract are drawn from that catalogue
instead. To the judged queries come two kinds that need no judge: a paper's own title, and a sentence from the middle of
its abstract, drawn by chance; right is that paper, or another of the same title (sets hold some papers twice). nDCG@10
and the share with a right one first are told.

Every engine searches title and abstract and is asked as its own documentation asks: FTS5 with the porter tokenizer and
`bm25()`, the words of a query joined by OR; bm25s with its defaults, English stop words and Snowball's stemmer; LanceDB
with its full-text index (English stemming and stop words), and as its own hybrid of that and of vectors, which are
Octavo's, so that only the putting together differs (its RRF reranker). Octavo goes its whole way, into a catalogue and
through `Octavo.search`; its size is that of the catalogue with both indexes, whichever way ranks. What is not installed
is left out, and said: `pip install bm25s lancedb`. Latency is of ten hits, in this process, each query once. Sizes are
of everything that the engine keeps on disk.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Protocol

from octavo.app import Octavo
from octavo.asking import WAYS
from octavo.config import catalogue_path
from octavo.evaluating import SOURCE, read_set
from octavo.index.encoder import StaticEncoder
from octavo.ingest import Ingest
from octavo.ingest.merge import paper_id
from octavo.ingest.prepare import prepare
from octavo.rank.evaluate import ndcg
from octavo.records.fold import title_key
from octavo.records.paper import Record
from octavo.records.text import Text

Document = tuple[str, str, str]
"""Id, title, abstract."""
Query = tuple[str, str, dict[str, float]]
"""Kind, text, grades."""
HITS = 10
BATCH = 2_000


class Engine(Protocol):
    """Builds an index in a folder, then answers queries with ids."""

    @property
    def ways(self) -> Sequence[str]:
        """What it is called in the table, once for each way in which it can rank."""

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """Index the documents and bring them to the disk."""

    def search(self, text: str, way: str) -> list[str]:
        """The ids of the first `HITS`."""


class Fts5:
    """SQLite's own full-text index."""

    ways = (f"SQLite FTS5 {sqlite3.sqlite_version}",)

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """One table, committed and optimised."""
        self.connection = sqlite3.connect(folder / "fts5.db")
        self.connection.execute(
            "CREATE VIRTUAL TABLE papers USING fts5(id UNINDEXED, title, abstract, tokenize = 'porter unicode61')"
        )
        self.connection.executemany("INSERT INTO papers VALUES (?, ?, ?)", documents)
        self.connection.execute("INSERT INTO papers(papers) VALUES ('optimize')")
        self.connection.commit()

    def search(self, text: str, _way: str) -> list[str]:
        """By bm25()."""
        words = " OR ".join(f'"{word}"' for word in dict.fromkeys(re.findall(r"\w+", text.lower())))
        if not words:
            return []
        rows = self.connection.execute(
            f"SELECT id FROM papers WHERE papers MATCH ? ORDER BY rank LIMIT {HITS}",
            (words,),
        )
        return [row[0] for row in rows]


class Bm25s:
    """bm25s: sparse matrices in memory."""

    ways = ("bm25s",)

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """Index, and save with its vocabulary."""
        import bm25s
        import Stemmer

        self.tokenize: Callable[..., Any] = bm25s.tokenize
        self.stemmer = Stemmer.Stemmer("english")
        self.ids = [document[0] for document in documents]
        tokens = self._tokens([f"{title}\n{abstract}" for _, title, abstract in documents])
        self.index = bm25s.BM25()
        self.index.index(tokens, show_progress=False)
        self.index.save(str(folder / "bm25s"))

    def _tokens(self, texts: list[str]) -> Any:
        return self.tokenize(texts, stopwords="en", stemmer=self.stemmer, show_progress=False)

    def search(self, text: str, _way: str) -> list[str]:
        """By BM25."""
        k = min(HITS, len(self.ids))
        places, scores = self.index.retrieve(self._tokens([text]), k=k, show_progress=False)
        return [self.ids[place] for place, score in zip(places[0], scores[0], strict=True) if score > 0]


class Lance:
    """LanceDB, by words or by its own hybrid."""

    def __init__(self, *, is_hybrid: bool) -> None:
        self.is_hybrid = is_hybrid
        self.ways = ("LanceDB, hybrid",) if is_hybrid else ("LanceDB, words",)

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """A table with a full-text index, and vectors where it is to be hybrid."""
        os.environ.setdefault("LANCEDB_LOG", "error")  # it warns at every query
        import lancedb
        from lancedb.index import FTS, IvfPq

        self.encoder = StaticEncoder()
        texts = [f"{title}\n{abstract}" for _, title, abstract in documents]
        rows: list[dict[str, Any]] = [{"id": one[0], "text": text} for one, text in zip(documents, texts, strict=True)]
        if self.is_hybrid:
            for start in range(0, len(rows), BATCH):
                vectors = self.encoder.encode_documents(texts[start : start + BATCH])
                for row, vector in zip(rows[start : start + BATCH], vectors, strict=True):
                    row["vector"] = vector
        self.table = lancedb.connect(str(folder)).create_table("papers", data=rows)
        words = FTS(stem=True, remove_stop_words=True, language="English")
        self.table.create_index("text", config=words)
        if self.is_hybrid and len(rows) > 20_000:
            self.table.create_index("vector", config=IvfPq(distance_type="dot"))

    def search(self, text: str, _way: str) -> list[str]:
        """By BM25, or by that and nearness."""
        from lancedb.query import MatchQuery
        from lancedb.rerankers import RRFReranker

        words = MatchQuery(text, "text")
        if self.is_hybrid:
            vector = self.encoder.encode_queries([text])[0]
            query = self.table.search(query_type="hybrid").vector(vector).text(words).rerank(RRFReranker())
        else:
            query = self.table.search(words, query_type="fts")
        return [row["id"] for row in query.limit(HITS).select(["id"]).to_list()]


class OctavoEngine:
    """Octavo, built once for all of its ways."""

    ways = tuple(f"Octavo, {way}" for way in WAYS)

    def build(self, folder: Path, documents: Sequence[Document]) -> None:
        """A catalogue of its own, each document a paper, and its indexes."""
        octavo = Octavo(folder / "home")
        octavo._make_home()
        ingest = Ingest(octavo._catalogue)
        self.ids = {paper_id([(SOURCE, document[0])]): document[0] for document in documents}
        for start in range(0, len(documents), BATCH):
            records = (record(*document) for document in documents[start : start + BATCH])
            ingest.put_prepared([prepare(one) for one in records], is_many=True)
        octavo.bring_up_to_date()
        self.octavo = octavo

    def search(self, text: str, way: str) -> list[str]:
        """As a reader does."""
        hits = self.octavo.search(text, HITS, way=WAYS[self.ways.index(way)]).hits
        return [self.ids[hit.paper.id] for hit in hits]


ENGINES: dict[str, tuple[str, Callable[[], Engine]]] = {
    "fts5": ("sqlite3", Fts5),
    "bm25s": ("bm25s", Bm25s),
    "lancedb": ("lancedb", lambda: Lance(is_hybrid=False)),
    "lancedb-hybrid": ("lancedb", lambda: Lance(is_hybrid=True)),
    "octavo": ("octavo", OctavoEngine),
}
"""Each with the package that it needs."""


def record(key: str, title: str, abstract: str) -> Record:
    """A document as a record."""
    return Record(
        source=SOURCE,
        key=key,
        title=Text.of(title, "mixed"),
        abstract=Text.of(abstract, "mixed") if abstract else None,
    )


def main() -> None:
    """Measure, and print a table a set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("-n", type=int, default=400, help="queries of a kind at most")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--papers", type=int, default=50_000)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for folder in arguments.folders:
        documents = [(one.key, one.title.plain, one.abstract.plain if one.abstract else "") for one in of_set(folder)]
        compare(folder.name, documents, [*judged(folder, arguments.n), *own(documents, arguments)], arguments.engines)
    if arguments.home:
        documents = of_catalogue(arguments.home, arguments.papers, arguments.seed)
        compare(f"{len(documents):,} papers", documents, own(documents, arguments), arguments.engines)


def of_set(folder: Path) -> Iterator[Record]:
    """The documents of a judged set."""
    return read_set(folder).documents()


def of_catalogue(home: Path, n: int, seed: int) -> list[Document]:
    """`n` papers with an abstract, drawn by chance. The catalogue is only read, and stays in the form that it has."""
    address = f"{catalogue_path(home).resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        pks = [pk for (pk,) in connection.execute("SELECT pk FROM papers WHERE abstract != '' ORDER BY id")]
        drawn = random.Random(seed).sample(pks, min(n, len(pks)))
        query = "SELECT id, title, abstract FROM papers WHERE pk = ?"
        return [connection.execute(query, (pk,)).fetchone() for pk in drawn]


def judged(folder: Path, n: int) -> Iterator[Query]:
    """The set's own queries, by the kinds that their ids tell."""
    found = read_set(folder)
    for key in found.chosen(n):
        yield "judged", found.queries[key], found.grades[key]


def own(documents: Sequence[Document], arguments: argparse.Namespace) -> list[Query]:
    """Titles and sentences of papers drawn by chance; right is the paper, and any other of the same title."""
    alike: dict[str, dict[str, float]] = {}
    for key, title, _ in documents:
        alike.setdefault(title_key(title), {})[key] = 1.0
    rng, queries = random.Random(arguments.seed), list[Query]()
    drawn = rng.sample(documents, min(len(documents), 4 * arguments.n))
    for _, title, _ in drawn[: arguments.n]:
        queries.append(("title", title, alike[title_key(title)]))
    for _, title, abstract in drawn:
        sentences = [one for one in re.split(r"(?<=[.!?])\s+(?=[A-Z])", abstract) if 8 <= len(one.split()) <= 40]
        if len(sentences) > 2 and sum(kind == "sentence" for kind, _, _ in queries) < arguments.n:
            queries.append(("sentence", sentences[len(sentences) // 2], alike[title_key(title)]))
    return queries


def compare(name: str, documents: Sequence[Document], queries: Sequence[Query], engines: str) -> None:
    """Build and ask each engine, and print a Markdown table."""
    kinds = list(dict.fromkeys(kind for kind, _, _ in queries))
    counts = ", ".join(f"{sum(kind == one for one, _, _ in queries)} {kind}" for kind in kinds)
    print(f"\n{name}: {len(documents):,} documents; queries: {counts}\n")
    heads = [f"{kind} nDCG@10{', first' if kind != 'judged' else ''}" for kind in kinds]
    print("| " + " | ".join(["engine", *heads, "median, 95th ms", "build s", "MB"]) + " |")
    print("|" + " --- |" * (len(heads) + 4))
    for engine in engines.split(","):
        module, make = ENGINES[engine]
        if find_spec(module) is None:
            print(f"{engine} is left out: `pip install {module}` first.", file=sys.stderr)
            continue
        for row in measured(make(), documents, queries, kinds):
            print("| " + " | ".join(row) + " |", flush=True)


def measured(
    engine: Engine, documents: Sequence[Document], queries: Sequence[Query], kinds: Sequence[str]
) -> Iterator[list[str]]:
    """The rows of one engine."""
    with TemporaryDirectory(prefix="octavo-engines-") as name:
        folder = Path(name)
        started = perf_counter()
        engine.build(folder, documents)
        built = perf_counter() - started
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        for way in engine.ways:
            yield [way, *asked(engine, way, queries, kinds), f"{built:.1f}", f"{size / 1e6:.1f}"]


def asked(engine: Engine, way: str, queries: Sequence[Query], kinds: Sequence[str]) -> Iterator[str]:
    """How good the answers are, and how long they take."""
    gains: dict[str, list[float]] = {kind: [] for kind in kinds}
    firsts: dict[str, list[bool]] = {kind: [] for kind in kinds}
    times = []
    engine.search(queries[0][1], way)
    for kind, text, grades in queries:
        started = perf_counter()
        found = engine.search(text, way)
        times.append(perf_counter() - started)
        gains[kind].append(ndcg(found, grades, HITS))
        firsts[kind].append(bool(found) and grades.get(found[0], 0) > 0)
    for kind in kinds:
        yield f"{mean(gains[kind]):.3f}" + (f", {mean(firsts[kind]):.1%}" if kind != "judged" else "")
    times.sort()
    yield f"{median(times) * 1e3:.1f}, {times[int(len(times) * 0.95)] * 1e3:.1f}"


if __name__ == "__main__":
    main()
