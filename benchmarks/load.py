"""Load files into a fresh home: papers a second end to end (read, parsed, stored, indexed, searchable) and peak memory.

    python benchmarks/load.py HOME mlanthology=mlanthology.tar arxiv-snapshot=arxiv.jsonl.gz ...

HOME must not exist. Memory is the peak resident set of this process and of its largest helper process, in MB (Unix
only).
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from time import perf_counter

from octavo.app import Octavo


def main() -> None:
    """Load, and print a line a file and one in all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("files", nargs="+", metavar="SOURCE=FILE")
    parser.add_argument("--workers", type=int, default=min(3, os.cpu_count() or 1))
    arguments = parser.parse_args()
    if arguments.home.exists():
        sys.exit(f"{arguments.home} is there already")
    records, started = 0, perf_counter()
    with Octavo(arguments.home, workers=arguments.workers) as octavo:
        for named in arguments.files:
            source, _, file = named.partition("=")
            view = octavo.add(source, file, more_to_come=named != arguments.files[-1])
            n = view.added + view.updated + view.unchanged
            records += n
            print(
                f"{Path(file).name}: {n:,} records, {view.skipped:,} skipped, "
                f"{view.seconds:.1f} s, {n / view.seconds:,.0f}/s"
            )
        stats = octavo.stats()
    seconds = perf_counter() - started
    print(f"in all: {records:,} records, {stats.papers:,} papers, {seconds:.1f} s, {records / seconds:,.0f}/s")
    print(f"catalogue {stats.catalogue_bytes / 1e6:,.0f} MB, index {stats.index_bytes / 1e6:,.0f} MB")
    print(f"peak memory {peak()}")


def peak() -> str:
    """Peak resident memory of this process and of its largest child."""
    try:
        import resource
    except ImportError:
        return "not measured on this system"
    unit = 1024 if sys.platform != "darwin" else 1024 * 1024
    own, child = (resource.getrusage(who).ru_maxrss / unit for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return f"{own:,.0f} MB and {child:,.0f} MB in the largest helper process"


if __name__ == "__main__":
    main()
