"""Count how common the words of titles and the family names of authors are, for `octavo.ingest.linking.rarity`.

    python tools/linking/count.py mlanthology=FILE arxiv-snapshot=FILE ... > src/octavo/ingest/linking/rarity.tsv

A line is `w` or `f`, the word or family name, and how many of 100,000 titles have the word, or of 100,000 names are the
family's. What is rarer than `LEAST` in 100,000 is left out: it is rare enough.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

from octavo.records.fold import fold
from octavo.records.names import family_key
from octavo.records.paper import Record
from octavo.sources.registry import get_source

LEAST = 20
_WORD = re.compile(r"[^\W_]+")
_MOST_NAMES = 50


def main() -> None:
    """Read the files named, print the table."""
    words: Counter[str] = Counter()
    families: Counter[str] = Counter()
    n_titles = 0
    for named in sys.argv[1:]:
        name, _, file = named.partition("=")
        source = get_source(name)
        for page in source.fetch(Path(file)):
            for record in source.parse(page):
                if isinstance(record, Record):
                    n_titles += 1
                    words.update(set(_WORD.findall(fold(record.title.plain))))
                    families.update(family_key(author) for author in record.authors[:_MOST_NAMES])
    for kind, counts, total in (("w", words, n_titles), ("f", families, families.total())):
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            if (share := round(count * 100_000 / total)) >= LEAST:
                print(f"{kind}\t{name}\t{share}")


if __name__ == "__main__":
    main()
