"""Count with how many given names each family name is seen, for `octavo.records.people`.

    python tools/people/count.py mlanthology=FILE arxiv-snapshot=FILE ... > src/octavo/data/families.tsv

A line is a family name, folded, and the number of first given names that it was seen with, initials left out. Family
names with fewer than `LEAST` are left out: they are uncommon.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

from octavo.records.paper import Record
from octavo.records.people import spelling_of
from octavo.sources.registry import get_source

HEADER = """# Family names of machine-learning papers, folded, and the number of first given names seen with each
# (tools/people/count.py); those with fewer than 10 are left out."""
LEAST = 10
_MOST_NAMES = 100
"""Names of one paper that are read."""


def main() -> None:
    """Read the files named, print the table."""
    given: defaultdict[str, set[str]] = defaultdict(set)
    for named in sys.argv[1:]:
        name, _, file = named.partition("=")
        source = get_source(name)
        for page in source.fetch(Path(file)):
            for record in source.parse(page):
                if isinstance(record, Record):
                    for person in map(spelling_of, record.authors[:_MOST_NAMES]):
                        if person.given and len(person.given[0]) > 1 and person.family.isascii():
                            given[person.family].add(person.given[0])
    print(HEADER)
    for family, names in sorted(given.items(), key=lambda item: (-len(item[1]), item[0])):
        if family and len(names) >= LEAST:
            print(f"{family}\t{len(names)}")


if __name__ == "__main__":
    main()
