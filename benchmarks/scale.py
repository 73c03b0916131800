"""Search over a million papers and more, which are made up: how quickly it is built, what it takes, how long it takes.

    OMP_NUM_THREADS=1 python benchmarks/scale.py HOME --papers 50000
    OMP_NUM_THREADS=1 python benchmarks/scale.py HOME --papers 1000000 --workers 2 --keep FOLDER
    OMP_NUM_THREADS=1 python benchmarks/scale.py HOME --papers 1000000 --keep FOLDER      # once more, only searching

The papers are no real ones. Each has as many sentences as a real abstract, every one of them drawn from another
abstract; the two halves of its title are of two real titles; year, authors and venue are of a third paper. So words are
as frequent and as long as they are, but they meet by chance: fewer papers have several rare words of a query in common,
and meaning is blurred. 20,000 papers with an abstract, drawn by chance from the catalogue in HOME, are the stock.

What is built are the word index and the vectors, without a catalogue: a paper is made again from its number when it is
found. `--workers` processes make them and what the index holds of them, as `octavo add` does with large files.
Searching is done in a new process, whose memory and first answer are therefore its own. Queries are made of the stock:
two, three and four words of a title, a whole title, a sentence; in equal parts, each asked once. At one million papers
the indexes take about 4 GB of disk, at three million about 12 GB (in the temporary folder, or where `--keep` says).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, thread_time

from octavo.asking import WAYS, Way
from octavo.config import catalogue_path
from octavo.index.manifest import Manifest
from octavo.index.meaning import Meaning
from octavo.index.text import SCHEMA, Held, TextIndex, held_of
from octavo.rank.search import Asked, find
from octavo.records.paper import Paper, PaperId

STOCK = 20_000
PART = 500
"""Papers that a helper makes at a time."""
COMMIT_EVERY = 100_000
NAME = "scale"
HITS = 10
QUERIES = 500


def main() -> None:
    """Build where nothing is kept yet, then search in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--papers", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="the folder for the indexes, which are left there")
    parser.add_argument("--searching", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.searching:
        search(arguments.keep, arguments.papers)
        return
    with TemporaryDirectory(prefix="octavo-scale-") as temporary:
        folder = arguments.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "stock.jsonl").exists():
            draw(arguments.home, folder / "stock.jsonl")
        if TextIndex(folder).n_papers != arguments.papers:
            build(folder, arguments.papers, arguments.workers)
        command = [sys.executable, __file__, str(arguments.home), "--papers", str(arguments.papers)]
        subprocess.run([*command, "--keep", str(folder), "--searching"], check=True)


# The papers


def draw(home: Path, path: Path) -> None:
    """Write the stock. The catalogue is only read: opening it with `Octavo` might bring it up to a newer form."""
    address = f"{catalogue_path(home).resolve().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(address, uri=True)) as connection:
        pks = [pk for (pk,) in connection.execute("SELECT pk FROM papers WHERE abstract != '' ORDER BY id")]
        drawn = random.Random(1).sample(pks, min(STOCK, len(pks)))
        query = "SELECT title, authors, abstract, venue, year FROM papers WHERE pk = ?"
        rows = [connection.execute(query, (pk,)).fetchone() for pk in drawn]
    names = ("title", "authors", "abstract", "venue", "year")
    papers = (dict(zip(names, (row[0], json.loads(row[1]), *row[2:]), strict=True)) for row in rows)
    path.write_text("".join(json.dumps(one) + "\n" for one in papers), encoding="utf-8")


class Stock:
    """Real papers, of which others are made."""

    def __init__(self, path: Path) -> None:
        """Read them."""
        with path.open(encoding="utf-8") as file:
            self.papers = [json.loads(line) for line in file]
        self.sentences = [
            part for one in self.papers for part in re.split(r"(?<=[.!?])\s+(?=[A-Z])", one.pop("abstract")) if part
        ]
        self.lengths = max(1, round(len(self.sentences) / len(self.papers)))

    def paper(self, number: int) -> Paper:
        """The paper of that number: always the same."""
        rng = random.Random(number)
        first, second, about = (rng.choice(self.papers) for _ in range(3))
        heads, tails = first["title"].split(), second["title"].split()
        n_sentences = max(1, self.lengths + rng.randrange(-2, 3))
        return Paper(
            id=PaperId(f"p{number}"),
            title=" ".join([*heads[: (len(heads) + 1) // 2], *tails[len(tails) // 2 :]]),
            authors=tuple(about["authors"] or ()),
            abstract=" ".join(rng.choice(self.sentences) for _ in range(n_sentences)),
            venue=about["venue"] or "",
            year=about["year"],
        )

    def queries(self, n: int) -> list[tuple[str, str]]:
        """(kind, text) of `n` queries."""
        rng, found = random.Random(2), list[tuple[str, str]]()
        for number in range(n):
            title = rng.choice(self.papers)["title"]
            words = [word for word in title.split() if len(word) > 3 and word.isalpha()] or title.split()
            kind = ("two words", "three words", "four words", "a title", "a sentence")[number % 5]
            texts = {"a title": title, "a sentence": rng.choice(self.sentences)}
            count = {"two words": 2, "three words": 3}.get(kind, 4)
            found.append((kind, texts.get(kind) or " ".join(rng.sample(words, min(count, len(words))))))
        return found


# Building


def build(folder: Path, n: int, workers: int) -> None:
    """Make both indexes of the papers 1 to `n`, and print how quickly that went."""
    started = perf_counter()
    meaning, index = Meaning(folder / "vectors"), TextIndex(folder)
    feed = meaning.feed(NAME)
    done, splitting, indexing, encoding = 0, 0.0, 0.0, 0.0
    with index.write() as writer:
        for part, took in parts(folder / "stock.jsonl", n, workers):
            splitting += took
            at = thread_time()
            for pk, held, _ in part:
                writer.add(pk, held)
            indexing += thread_time() - at
            at = thread_time()
            for pk, _, paper in part:
                feed.put(pk, paper)
            encoding += thread_time() - at
            done += len(part)
            if done % COMMIT_EVERY < PART:
                writer.commit()
                print(f"  {done:,} in {perf_counter() - started:.0f} s, {resident('self')}", file=sys.stderr)
        index.save_manifest(Manifest(SCHEMA, NAME, 1, writer.commit()))
    feed.seq = 1
    at = perf_counter()
    feed.commit()
    committing = perf_counter() - at
    seconds = perf_counter() - started
    size = {kind: sum(path.stat().st_size for path in folder.glob(f"{kind}*/*")) / 1e6 for kind in ("text", "vectors")}
    print(f"{n:,} made-up papers, {workers} helper processes: {seconds:.0f} s, {n / seconds:,.0f} papers a second")
    print(
        f"  of processor: splitting words {splitting:.1f} s, adding them {indexing:.1f} s (and tantivy's own thread),"
        f" encoding {encoding:.1f} s: {n / (splitting + indexing + encoding):,.0f} papers a second of one processor;"
        f" committing vectors took {committing:.1f} s; the rest is making the papers up"
    )
    print(f"  words {size['text']:,.0f} MB, vectors {size['vectors']:,.0f} MB on disk; {resident('self')}", flush=True)


Part = tuple[list[tuple[int, Held, Paper]], float]
"""Papers with what the word index holds of them, and how many seconds of processor that took to make."""


def parts(stock: Path, n: int, workers: int) -> Iterator[Part]:
    """The papers 1 to `n` in parts."""
    ranges = (range(start, min(n + 1, start + PART)) for start in range(1, n + 1, PART))
    if not workers:
        _begin(stock)
        yield from map(made, ranges)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(stock,)) as pool:
        pending = [pool.submit(made, one) for one in islice(ranges, workers + 2)]
        while pending:
            yield pending.pop(0).result()
            pending += [pool.submit(made, one) for one in islice(ranges, 1)]


_stock: list[Stock] = []


def _begin(path: Path) -> None:
    _stock[:] = [Stock(path)]


def made(numbers: Iterable[int]) -> Part:
    """The papers of these numbers."""
    papers = [(number, _stock[0].paper(number)) for number in numbers]
    started = thread_time()
    return [(number, held_of(paper), paper) for number, paper in papers], thread_time() - started


def resident(process: str) -> str:
    """Resident memory now and at its peak (Linux only)."""
    path = Path("/proc", process, "status")
    if not path.exists():
        return "memory can't be told here"
    found = dict(re.findall(r"^(VmHWM|VmRSS|RssAnon|RssFile):\s+(\d+) kB", path.read_text(), re.MULTILINE))
    names = {"VmRSS": "resident", "RssAnon": "own", "RssFile": "of mapped files", "VmHWM": "at most"}
    return ", ".join(f"{int(found[key]) / 1024:,.0f} MB {name}" for key, name in names.items() if key in found)


# Searching


def search(folder: Path, n: int) -> None:
    """Print opening, latency of each way and memory, of this process."""
    stock = Stock(folder / "stock.jsonl")
    queries = stock.queries(QUERIES)
    print(f"searching {n:,}; the stock and Python: {resident('self')}")
    for way, ask in ways(folder, stock).items():
        started = perf_counter()
        ask("graph neural networks")
        first = perf_counter() - started
        times: dict[str, list[float]] = {}
        busy = process_time()
        for kind, text in queries:
            started = perf_counter()
            ask(text)
            times.setdefault(kind, []).append(perf_counter() - started)
        busy = (process_time() - busy) / len(queries)
        everything = [one for taken in times.values() for one in taken]
        print(f"  {way}: first answer {first * 1e3:.0f} ms, then {told(everything)}, {busy * 1e3:.1f} ms of processor")
        print("    " + "; ".join(f"{kind} {told(taken)}" for kind, taken in times.items()))
        print(f"    {resident('self')}", flush=True)


def ways(folder: Path, stock: Stock) -> dict[str, Callable[[str], object]]:
    """How to ask, by way."""
    index, meaning = TextIndex(folder), Meaning(folder / "vectors")

    def lookup(pks: Sequence[int]) -> dict[int, Paper]:
        return {pk: stock.paper(pk) for pk in pks}

    def ask(way: Way, text: str) -> object:
        sense = meaning.sense(NAME) if way != "words" else None
        return find(index, lookup, Asked(text, HITS, way=way), sense=sense)

    return {way: partial(ask, way) for way in WAYS}


def told(times: Sequence[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(times)
    return f"median {median(ordered) * 1e3:.1f} ms, 95th {ordered[int(len(ordered) * 0.95)] * 1e3:.1f} ms"


if __name__ == "__main__":
    main()
