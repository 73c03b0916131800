"""Find papers by their titles: as they are, in other spellings, and with two typing errors.

    python benchmarks/titles.py HOME [-n 2000]

Titles are drawn at random (with a seed) from the catalogue in HOME. A title that several papers share counts as
found when any of them is. An error is a letter dropped, doubled, changed or swapped with the next, anywhere in the
title.
"""

from __future__ import annotations

import argparse
import random
import string
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from octavo.app import Octavo
from octavo.catalogue import Database
from octavo.config import catalogue_path
from octavo.records.fold import fold, title_key


def main() -> None:
    """Measure each way of writing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("-n", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", action="store_true", help="show what was not found")
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    database = Database(catalogue_path(arguments.home))
    titles = [row[0] for row in database.connection.execute("SELECT title FROM papers ORDER BY pk")]
    database.close()
    drawn = rng.sample(titles, min(arguments.n, len(titles)))
    ways: list[tuple[str, Callable[[str], str]]] = [
        ("as it is", str),
        (
            "folded, no punctuation",
            lambda title: " ".join("".join(c if c.isalnum() else " " for c in fold(title)).split()),
        ),
        ("in capitals", str.upper),
        ("two typing errors", lambda title: spoilt(spoilt(title, rng), rng)),
    ]
    with Octavo(arguments.home) as octavo:
        for name, way in ways:
            measure(octavo, name, drawn, way, show=arguments.misses)


def measure(octavo: Octavo, name: str, titles: list[str], way: Callable[[str], str], *, show: bool) -> None:
    """Search for each title and print how often it came first, and among the first three."""
    first = three = 0
    times = []
    for title in titles:
        query = way(title)
        started = perf_counter()
        hits = octavo.search(query, 3).hits
        times.append(perf_counter() - started)
        places = [place for place, hit in enumerate(hits) if title_key(hit.paper.title) == title_key(title)]
        first += places[:1] == [0]
        three += bool(places)
        if show and not places:
            print(f"    {query!r} gave {[hit.paper.title for hit in hits]}")
    times.sort()
    print(
        f"{name}: first {first / len(titles):.2%}, in the first three {three / len(titles):.2%} of {len(titles):,}; "
        f"median {median(times) * 1000:.1f} ms, 95th {times[int(len(times) * 0.95)] * 1000:.1f} ms"
    )


def spoilt(text: str, rng: random.Random) -> str:
    """The text with one typing error at a letter."""
    places = [place for place, char in enumerate(text) if char.isalpha()]
    if not places:
        return text
    at = rng.choice(places)
    match rng.randrange(4):
        case 0:
            return text[:at] + text[at + 1 :]
        case 1:
            return text[:at] + text[at] + text[at:]
        case 2:
            return text[:at] + rng.choice(string.ascii_lowercase) + text[at + 1 :]
        case _:
            return text[:at] + text[at + 1 : at + 2] + text[at] + text[at + 2 :]


if __name__ == "__main__":
    main()
