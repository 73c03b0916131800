"""Latency of search: in process over a mix of queries, and of `octavo search` from a cold shell.

    python benchmarks/search.py HOME [-n 600] [--cold 15]

The queries are made from titles drawn at random (with a seed) from the catalogue in HOME: two or three words of one,
four words, a quoted pair, an author's name with a word, a word with a year or a venue; in equal parts. Each query is
run once, so nothing is warm but the operating system's cache. A cold shell is a new process: interpreter, imports,
opening, searching, printing.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
from pathlib import Path
from statistics import median
from time import perf_counter

from octavo.app import Octavo
from octavo.catalogue import Database
from octavo.config import catalogue_path

WAYS = ("two words", "three words", "four words", "a phrase", "author and word", "word and year", "word and venue")


def main() -> None:
    """Measure, and print a line a kind of query and one in all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("-n", type=int, default=700)
    parser.add_argument("--cold", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    queries = made_up(arguments.home, arguments.n, random.Random(arguments.seed))
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    with Octavo(arguments.home) as octavo:
        print(f"{octavo.stats().papers:,} papers")
        octavo.search("warm")
        for way, query in queries:
            started = perf_counter()
            octavo.search(query, 10)
            times[way].append(perf_counter() - started)
    for way, taken in times.items():
        print(f"{way}: {told(taken)}")
    print(f"all {len(queries)}: {told([one for taken in times.values() for one in taken])}")
    cold(arguments.home, [query for _, query in queries[: arguments.cold]])


def made_up(home: Path, n: int, rng: random.Random) -> list[tuple[str, str]]:
    """(kind, query) for `n` queries."""
    database = Database(catalogue_path(home))
    rows = database.connection.execute(
        "SELECT title, json_extract(authors, '$[0]'), year, venue FROM papers"
        " WHERE length(title) > 25 AND year IS NOT NULL"
    ).fetchall()
    database.close()
    queries = []
    for number in range(n):
        title, author, year, venue = rng.choice(rows)
        words = [word for word in title.split() if len(word) > 3 and word.isalpha()] or title.split()
        way = WAYS[number % len(WAYS)]
        two, three, four = (" ".join(rng.sample(words, min(k, len(words)))) for k in (2, 3, 4))
        queries.append(
            (
                way,
                {
                    "two words": two,
                    "three words": three,
                    "four words": four,
                    "a phrase": f'"{" ".join(title.split()[:2])}"',
                    "author and word": f"{(author or 'li').split()[-1]} {words[0]}",
                    "word and year": f"{words[0]} year:{year}",
                    "word and venue": f"{words[0]} venue:{(venue or 'icml').split()[0]}",
                }[way],
            )
        )
    return queries


def told(times: list[float]) -> str:
    """Median and 95th percentile in milliseconds."""
    ordered = sorted(times)
    return f"median {median(ordered) * 1000:.1f} ms, 95th {ordered[int(len(ordered) * 0.95)] * 1000:.1f} ms"


def cold(home: Path, queries: list[str]) -> None:
    """Whole processes, one a query."""
    times = []
    for query in queries:
        started = perf_counter()
        subprocess.run(
            [sys.executable, "-m", "octavo", "--home", str(home), "search", query], check=False, capture_output=True
        )
        times.append(perf_counter() - started)
    print(f"cold shell, {len(times)} runs: median {median(times):.2f} s, slowest {max(times):.2f} s")


if __name__ == "__main__":
    main()
