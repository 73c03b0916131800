"""The encoder and the store of vectors: quality on papers that no training saw, speed, size, memory.

    OMP_NUM_THREADS=1 python benchmarks/encoder.py SHARED [--model FOLDER] [--vectors 100000 290000]

SHARED is the folder of real data beside the checkout. Quality: the title of each ICML 2025 paper has to find its
abstract among all of them; so has an abstract's first sentence the rest with the title; and each summary of
`eval/scitldr` its paper. Then what `encoder_tasks.py` adds. Speed counts the process's own processor time. For the
store, real texts are encoded; where there are fewer than asked for, halves of two texts are put together.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import resource
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from encoder_tasks import foreign, related
from octavo.index.encoder import StaticEncoder
from octavo.index.vector_writer import VectorWriter
from octavo.index.vectors import VectorIndex

Vectors = NDArray[np.float32]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--vectors", type=int, nargs="*", default=[100_000, 290_000])
    arguments = parser.parse_args()
    started = perf_counter()
    encoder = StaticEncoder(arguments.model)
    took = perf_counter() - started
    size = sum(path.stat().st_size for path in encoder.folder.iterdir())
    name = f"{encoder.id} {encoder.fingerprint[:12]}, {encoder.dimension} numbers"
    print(f"{name}: {size / 1e6:.2f} MB, opened in {took * 1e3:.1f} ms")
    quality(encoder, arguments.shared)
    related(encoder, arguments.shared)
    foreign(encoder, arguments.shared)
    speed(encoder, arguments.shared)
    for n in arguments.vectors:
        store(encoder, arguments.shared, n)


def papers(shared: Path, prefix: str = "") -> Iterator[tuple[str, str]]:
    """(title, abstract) out of the ML Anthology."""
    with tarfile.open(shared / "data/mlanthology/mlanthology-2026-03.tar") as archive:
        for member in archive:
            if member.name.endswith(".json.gz") and Path(member.name).name.startswith(prefix):
                file = archive.extractfile(member)
                if file is not None:
                    found = json.loads(gzip.decompress(file.read()))["papers"]
                    yield from ((paper["title"], paper["abstract"]) for paper in found if paper["abstract"])


def all_texts(shared: Path) -> Iterator[str]:
    """Title and abstract of all that is there."""
    yield from (f"{title}\n{abstract}" for title, abstract in papers(shared))
    for path in sorted((shared / "data/arxiv").glob("*.jsonl.gz")):
        yield from (f"{entry['title']}\n{entry['abstract']}" for entry in lines(path))


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def ranks(queries: Vectors, documents: Vectors, right: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rank of each query's right document."""
    scores = queries @ documents.T
    found: NDArray[np.int64] = 1 + (scores > scores[np.arange(len(right)), right][:, None]).sum(1)
    return found


def told(found: NDArray[np.int64]) -> str:
    """Ranks as the usual figures."""
    gain = np.where(found <= 10, 1 / np.log2(1 + found), 0).mean()
    return (
        f"R@1 {(found == 1).mean():.3f}, R@10 {(found <= 10).mean():.3f}, MRR {(1 / found).mean():.3f}, "
        f"nDCG@10 {gain:.4f} ({len(found):,} queries)"
    )


def quality(encoder: StaticEncoder, shared: Path) -> None:
    """Print how well right texts are found."""
    icml = list(papers(shared, "icml-2025"))
    here = np.arange(len(icml))
    titles = encoder.encode_queries([title for title, _ in icml])
    print("title to abstract:", told(ranks(titles, encoder.encode_documents([text for _, text in icml]), here)))
    parts = [[*re.split(r"(?<=[.!?])\s+", text, maxsplit=1), ""][:2] for _, text in icml]
    rest = encoder.encode_documents([f"{title}\n{part[1]}" for (title, _), part in zip(icml, parts, strict=True)])
    print("first sentence to the rest:", told(ranks(encoder.encode_queries([part[0] for part in parts]), rest, here)))
    folder = shared / "eval/scitldr"
    corpus, queries = list(lines(folder / "corpus.jsonl.gz")), list(lines(folder / "queries.jsonl.gz"))
    at = {entry["id"]: place for place, entry in enumerate(corpus)}
    pairs = [line.split("\t") for line in (folder / "qrels.tsv").read_text().splitlines()[1:]]
    wanted = {query: at[document] for query, document, _ in pairs}
    right = np.array([wanted[query["id"]] for query in queries])
    asked = encoder.encode_queries([query["text"] for query in queries])
    for name, text in (("title, text", "{title}\n{text}"), ("title twice, text", "{title}\n{title}\n{text}")):
        documents = encoder.encode_documents([text.format_map(entry) for entry in corpus])
        print(f"scitldr, {name}:", told(ranks(asked, documents, right)))


def speed(encoder: StaticEncoder, shared: Path) -> None:
    """Print how many texts a second of one core are encoded, and how long a query takes."""
    icml = list(papers(shared, "icml-2025"))
    texts = [f"{title}\n{abstract}" for title, abstract in icml]
    encoder.encode_documents(texts[:50])
    rates = []
    for _ in range(5):
        started = process_time()
        encoder.encode_documents(texts)
        rates.append(len(texts) / (process_time() - started))
    started = process_time()
    for title, _ in icml[:1000]:
        encoder.encode_queries([title])
    took = (process_time() - started) / 1000
    print(f"{median(rates):,.0f} papers a CPU-second ({min(rates):,.0f} to {max(rates):,.0f})")
    print(f"a query {took * 1e3:.3f} ms")


def store(encoder: StaticEncoder, shared: Path, n: int) -> None:
    """Print what a store of `n` papers costs, and how well and fast it finds."""
    rng = random.Random(1)
    texts = list(all_texts(shared))
    rng.shuffle(texts)
    real = len(texts)
    while len(texts) < n:
        one, other = rng.choice(texts[:real]), rng.choice(texts[:real])
        texts.append(one[: len(one) // 2] + other[len(other) // 2 :])
    asked = encoder.encode_queries([text.split("\n")[0] for text in rng.sample(texts[:real], 400)])
    with TemporaryDirectory() as name:
        folder, started = Path(name), perf_counter()
        settings = {"fingerprint": encoder.fingerprint, "dimension": encoder.dimension, "catalogue": "benchmark"}
        with VectorWriter(folder, **settings) as writer:
            for at in range(0, n, 1024):
                some = texts[at : min(n, at + 1024)]
                writer.put(list(range(at, at + len(some))), encoder.encode_documents(some))
            put = perf_counter()
            writer.commit(1)
        print(
            f"{n:,} ({max(0, n - real):,} put together): encoded {n / (put - started):,.0f} a second of the clock,",
            end=" ",
        )
        size = sum(path.stat().st_size for path in folder.iterdir())
        print(f"committed in {perf_counter() - put:.1f} s, {size / 1e6:.0f} MB")
        search(folder, asked, n)
        with VectorWriter(folder, **settings) as writer:
            started = perf_counter()
            writer.put(list(range(n, n + 500)), encoder.encode_documents(texts[:500]))
            writer.commit(2)
            print(f"  500 more: {(perf_counter() - started) * 1e3:.0f} ms")
    print(f"  most memory so far: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB", file=sys.stdout)


def search(folder: Path, asked: Vectors, n: int) -> None:
    """Print opening, latency and recall."""
    started = perf_counter()
    index = VectorIndex(folder)
    opened = perf_counter()
    index.search(asked[0], 10)
    print(f"  opened in {(opened - started) * 1e3:.1f} ms, first search {(perf_counter() - opened) * 1e3:.0f} ms")
    times, found = [], []
    for query in asked:
        started = perf_counter()
        found.append(index.search(query, 100)[0])
        times.append(perf_counter() - started)
    scores = np.concatenate([block @ asked[:100].T for block in index.blocks()]).T
    right = index.place_pks[np.argsort(-scores, axis=1)[:, :100]]
    recalls = [np.mean([len({*a[:k]} & {*b[:k]}) / k for a, b in zip(right, found, strict=False)]) for k in (10, 100)]
    print(f"  100 nearest: {summed(times)}; recall@10 {recalls[0]:.4f}, @100 {recalls[1]:.4f}")
    rng = np.random.default_rng(1)
    for share in (0.001, 0.01, 0.1, 0.5):
        among = np.flatnonzero(rng.random(n) < share)
        times = []
        for query in asked[:100]:
            started = perf_counter()
            index.search(query, 100, among=among)
            times.append(perf_counter() - started)
        print(f"  100 nearest among {len(among):,}: {summed(times)}")
    times = []
    for query, hits in zip(asked, found, strict=True):
        started = perf_counter()
        index.scores(query, hits)
        times.append(perf_counter() - started)
    print(f"  scores of 100 given papers: {summed(times)}")


def summed(times: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    return f"median {median(times) * 1e3:.1f} ms, 95th {quantiles(times, n=20)[-1] * 1e3:.1f} ms"


if __name__ == "__main__":
    main()
