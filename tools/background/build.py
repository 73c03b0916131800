"""Build `src/octavo/data/stems.tsv`: how common each stem is in abstracts, per 10,000 of them.

    python tools/background/build.py PATH/TO/mlanthology.tar

A catalogue of titles alone can't tell that "effect" is rare in titles and common in abstracts; `rank.identify` needs
to. Counted over every fourth abstract of the mlanthology tar without ICML 2025, on which the bundled catalogue's
figures are measured. Only counts of single stems are kept. The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from octavo.query.words import analyse
from octavo.records.paper import Record
from octavo.sources.registry import get_source

TARGET = Path(__file__).parents[2] / "src" / "octavo" / "data" / "stems.tsv"
RAREST = 3
"""Abstracts in 10,000 that a stem must be in; rarer ones count as RAREST's half."""


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlanthology", type=Path, help="the mlanthology tar")
    source = get_source("mlanthology")
    counts: Counter[str] = Counter()
    n_seen = n_counted = 0
    for page in source.fetch(parser.parse_args().mlanthology):
        if "icml-2025" in page.place:
            continue
        for item in source.parse(page):
            if isinstance(item, Record) and item.abstract:
                n_seen += 1
                if n_seen % 4 == 0:
                    n_counted += 1
                    counts.update(set(analyse(item.abstract.plain)[1].split()))
    kept = sorted((stem, round(count * 10_000 / n_counted)) for stem, count in counts.items())
    lines = [f"{stem}\t{share}\n" for stem, share in kept if share >= RAREST]
    TARGET.write_text("".join(lines), encoding="utf-8")
    print(f"{TARGET.name}: {len(lines):,} stems of {n_counted:,} abstracts, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
