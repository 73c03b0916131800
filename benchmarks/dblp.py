"""Generate a dump of DBLP's kind and read it: records a second and peak memory.

    python benchmarks/dblp.py [--megabytes 300] [--keep FILE]

The dump is written to a temporary file unless it is to be kept. People and titles are made up from a list of words.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

from octavo.records.paper import Record
from octavo.sources.dblp import DBLPSource

WORDS = ("fast", "tiles", "quarry", "layout", "sparse", "floors", "greedy", "stone", "learning", "mosaic", "graphs")
NAMES = ("Ann", "Cy", "Wei", "J&uuml;rg", "Zo&euml;", "Bee", "Dee", "Example", "Marr&ograve;", "Nu&ntilde;o")


def main() -> None:
    """Generate, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--megabytes", type=int, default=300)
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = arguments.keep or Path(folder, "dblp.xml")
        written = write(path, arguments.megabytes * 1_000_000)
        before = peak()
        started = perf_counter()
        n_records = n_faults = 0
        source = DBLPSource()
        for page in source.fetch(path):
            for found in source.parse(page):
                n_records += isinstance(found, Record)
                n_faults += not isinstance(found, Record)
        seconds = perf_counter() - started
        print(f"{path.stat().st_size / 1e6:,.0f} MB, {written:,} elements of which {n_records:,} are papers")
        print(f"{n_faults:,} faults, {seconds:.1f} s, {n_records / seconds:,.0f} papers/s in one process")
        print(f"peak memory {peak():,.0f} MB, of which {before:,.0f} MB before the reading")


def write(path: Path, size: int) -> int:
    """Write a dump of about `size` bytes; return how many elements it has below its root."""
    written = 0
    with path.open("wb") as file:
        file.write(b'<?xml version="1.0" encoding="ISO-8859-1"?>\n<!DOCTYPE dblp SYSTEM "dblp.dtd">\n<dblp>\n')
        for element in elements():
            file.write(element.encode("iso-8859-1"))
            written += 1
            if file.tell() >= size:
                break
        file.write(b"</dblp>\n")
    return written


def elements() -> Iterator[str]:
    """Elements without an end; one in ten is no paper."""
    chance = random.Random(7)
    for number in itertools.count(1):
        people = "".join(
            f"<author>{chance.choice(NAMES)} {chance.choice(NAMES)}{f' {n:04}' if n < 3 else ''}</author>\n"
            for n in chance.sample(range(1, 40), chance.randint(1, 6))
        )
        title = " ".join(chance.choices(WORDS, k=9)).capitalize()
        year = 1990 + number % 50
        if number % 10 == 0:
            yield f'<www key="homepages/{number}" mdate="2031-05-02">{people}<title>Home Page</title></www>\n'
        elif number % 3 == 0:
            yield (
                f'<article key="journals/corr/abs-3101-{number % 100_000:05}" mdate="2031-05-02" publtype="informal">\n'
                f"{people}<title>{title} &amp; H<sub>2</sub>O.</title>\n<year>{year}</year>\n<journal>CoRR</journal>\n"
                f"<volume>abs/3101.{number % 100_000:05}</volume>\n</article>"
            )
        else:
            yield (
                f'<inproceedings key="conf/tile/{number}" mdate="2031-05-02">\n{people}<title>{title}.</title>\n'
                f"<pages>{number % 900}-{number % 900 + 9}</pages>\n<year>{year}</year>\n"
                f"<booktitle>TILE (2)</booktitle>\n"
                f"<ee>https://doi.org/10.5555/tile.{number}</ee>\n<crossref>conf/tile/{year}</crossref>\n"
                f"<url>db/conf/tile/tile{year}.html#{number}</url>\n</inproceedings>"
            )


def peak() -> float:
    """Peak resident memory of this process in MB (Unix only)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024 * 1024)


if __name__ == "__main__":
    main()
