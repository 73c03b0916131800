"""How long `octavo publish` takes for the bundled catalogue's ICML 2025, and what comes of it.

    python benchmarks/publish.py [--home DIR] [--venue "ICML 2025"] [--processes 2]

Without a home the bundled catalogue is loaded into a temporary one first, which is not counted. Printed are seconds on
the clock and of the processors, with those of the processes that help and of Pagefind, and the memory of the largest.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
from pathlib import Path
from time import perf_counter

from octavo.app import Octavo
from octavo.web.publish import Publication, publish


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--home", type=Path, help="a catalogue that is there")
    parser.add_argument("--venue", default="ICML 2025")
    parser.add_argument("--processes", type=int)
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = said.home or Path(folder) / "home"
        with Octavo(home) as octavo:
            if said.home is None:
                octavo.add_bundle()
            octavo.search("warm")  # the index is in step, as it is for whoever searched before
            began, before = perf_counter(), _cpu()
            stages: dict[str, float] = {}
            written = publish(
                octavo,
                Path(folder) / "site",
                Publication("venue", said.venue),
                processes=said.processes,
                progress=lambda stage, *_: stages.setdefault(stage, perf_counter() - began) and None,
            )
            seconds, cpu = perf_counter() - began, _cpu() - before
    peak = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"{written.papers:,} papers, {written.pages:,} pages, {written.files:,} files, {written.bytes / 1e6:.1f} MB")
    print(f"{seconds:.1f} s on the clock, {cpu:.1f} s of processors, {peak / 1024:.0f} MB in the largest process")
    print("begun after: " + ", ".join(f"{stage} {at:.1f} s" for stage, at in stages.items()))


def _cpu() -> float:
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in both)


if __name__ == "__main__":
    main()
