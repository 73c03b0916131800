"""Link files of records whole, then add the last ones as new: seconds, memory, and what came of it.

    python benchmarks/linking.py CACHE mlanthology=mlanthology.tar arxiv-snapshot=arxiv.jsonl.gz ... [--near 500]

CACHE is a file: the records' features are read from it, or made and kept in it where it is not there (the features of
one version are of no use to another: delete it after a change). `--near` takes so many records drawn by chance for new
ones, and links them against the rest.
"""

from __future__ import annotations

import argparse
import gc
import pickle
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time

from octavo.ingest.linking import MOST_HOLDERS, Features, Linking, Name, features_of, keys_of, link, link_near
from octavo.ingest.linking.people import Person
from octavo.records.paper import Record
from octavo.sources.base import Page
from octavo.sources.registry import get_source

Job = tuple[str, Page]


def main() -> None:
    """Read, link, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cache", type=Path)
    parser.add_argument("files", nargs="*", metavar="SOURCE=FILE")
    parser.add_argument("--near", type=int, default=500)
    parser.add_argument("--out", type=Path, help="keep the groups and doubts here (pickle)")
    arguments = parser.parse_args()
    if not arguments.cache.exists():
        make(arguments.cache, arguments.files)
    started = perf_counter()
    with arguments.cache.open("rb") as kept:
        features = [shared(one) for page in range(pickle.load(kept)) for one in pickle.load(kept)]
    print(f"{len(features):,} records read from the cache in {perf_counter() - started:.1f} s, {peak()}")
    gc.collect()
    gc.freeze()
    started, processor = perf_counter(), process_time()
    linking = link(features)
    print(f"linked in {perf_counter() - started:.1f} s ({process_time() - processor:.1f} s of processor), {peak()}")
    report(linking)
    if arguments.out:
        arguments.out.write_bytes(pickle.dumps(linking))
    near(features, linking, arguments.near)


def make(cache: Path, files: Sequence[str]) -> None:
    """Read files in two processes, and keep the features."""
    started = perf_counter()
    pages: list[list[Features]] = []
    with ProcessPoolExecutor(2) as pool:
        for named in files:
            source, _, file = named.partition("=")
            jobs = ((source, page) for page in get_source(source).fetch(Path(file)))
            pages += pool.map(of_page, jobs, chunksize=4)
    n_records = sum(map(len, pages))
    print(f"{n_records:,} records parsed and reduced to features in {perf_counter() - started:.1f} s")
    with cache.open("wb") as kept:
        pickle.dump(len(pages), kept)
        for page in pages:
            pickle.dump(page, kept, protocol=pickle.HIGHEST_PROTOCOL)


def of_page(job: Job) -> list[Features]:
    """The features of a page's records."""
    source, page = job
    return [features_of(record) for record in get_source(source).parse(page) if isinstance(record, Record)]


def shared(one: Features) -> Features:
    """The features with their words shared with others', as they are where they are made in one process."""
    title = one.title
    words = tuple(map(sys.intern, title.words))
    one.title = replace(title, words=words, numbers=title.numbers or NOTHING, notices=title.notices or NOTHING)
    one.people = tuple(PEOPLE.setdefault(person, person) for person in one.people)
    return one


NOTHING: frozenset[str] = frozenset()
PEOPLE: dict[Person, Person] = {}


def report(linking: Linking) -> None:
    """Print what linking found."""
    sizes = Counter(map(len, linking.groups))
    joined = sum(count for size, count in sizes.items() if size > 1)
    print(f"{len(linking.groups):,} works, {joined:,} of several records, the largest of {max(sizes)}")
    print(f"{linking.compared:,} pairs compared, {linking.dropped:,} keys too common, {len(linking.doubts):,} doubts")


def near(features: Sequence[Features], whole: Linking, count: int) -> None:
    """Link some records as new against all, and hold the result against the whole."""
    holders: dict[int, list[Name]] = defaultdict(list)
    for one in features:
        for key in keys_of(one):
            holders[key].append(one.name)
    by_name = {one.name: one for one in features}

    def find(keys: Sequence[int]) -> Mapping[int, Sequence[Name]]:
        return {key: holders[key][: MOST_HOLDERS + count + 1] for key in keys if key in holders}

    def load(names: Sequence[Name]) -> Iterable[Features]:
        return [by_name[name] for name in names]

    fresh = random.Random(1).sample(features, min(count, len(features)))
    started = perf_counter()
    linking = link_near(fresh, find, load)
    seconds = perf_counter() - started
    same = set(linking.groups) <= set(whole.groups)
    print(
        f"{len(fresh):,} new records against them in {seconds:.2f} s; "
        f"{sum(map(len, linking.groups)):,} records touched; the same works as in the whole: {same}"
    )


def peak() -> str:
    """Peak resident memory."""
    try:
        import resource
    except ImportError:
        return "memory not measured on this system"
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    return f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit:,.0f} MB"


if __name__ == "__main__":
    main()
