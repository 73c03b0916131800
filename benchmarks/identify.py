"""Identify the abstracts of saved pages, and the middle sentence of each, against a catalogue that holds their papers.

    python benchmarks/identify.py HOME PAGE ...

Which paper an abstract is of is settled by comparing it with every abstract of ICML 2025 in HOME (most runs of three
words in common), without the index; an answer is right where it is that paper.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from statistics import median
from time import perf_counter

from octavo.app import Octavo
from octavo.catalogue import Database
from octavo.config import catalogue_path
from octavo.query.words import exact_words
from octavo.records.fold import title_key
from octavo.records.paper import Waiting
from octavo.sources.registry import get_source


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("pages", type=Path, nargs="+")
    arguments = parser.parse_args()
    source = get_source("page")
    entries = [
        item
        for path in arguments.pages
        for page in source.fetch(path)
        for item in source.parse(page)
        if isinstance(item, Waiting)
    ]
    truth = papers_of(arguments.home, [entry.abstract.plain for entry in entries])
    with Octavo(arguments.home) as octavo:
        octavo.identify(["warm"])
        measure(octavo, "whole abstracts", [entry.abstract.raw for entry in entries], truth)
        measure(octavo, "their middle sentences", [middle(entry.abstract.raw) for entry in entries], truth)


def papers_of(home: Path, texts: list[str]) -> list[str]:
    """The title of the ICML 2025 paper that each text is the abstract of."""
    database = Database(catalogue_path(home))
    rows = [
        (title, shingles(abstract))
        for title, abstract in database.connection.execute(
            "SELECT title, abstract FROM papers WHERE venue = 'ICML 2025' AND abstract <> ''"
        )
    ]
    database.close()
    return [max(rows, key=lambda row: len(row[1] & shingles(text)))[0] for text in texts]


def shingles(text: str) -> set[tuple[str, ...]]:
    """All runs of three words."""
    words = exact_words(text)
    return set(zip(words, words[1:], words[2:], strict=False))


def middle(text: str) -> str:
    """The middle sentence."""
    sentences = re.split(r"(?<=[.!?])\s+(?=[A-Z])", text)
    return sentences[len(sentences) // 2]


def measure(octavo: Octavo, name: str, texts: list[str], truth: list[str]) -> None:
    """Identify each and count."""
    right, wrong, times = 0, 0, []
    for text, title in zip(texts, truth, strict=True):
        started = perf_counter()
        (view,) = octavo.identify([text])
        times.append(perf_counter() - started)
        if view.paper and title_key(view.paper.title) == title_key(title):
            right += 1
        elif view.paper:
            wrong += 1
    took = f"median {median(times) * 1000:.1f} ms"
    print(f"{name}: {right} of {len(texts)} right, {wrong} wrong, the rest not found; {took}")


if __name__ == "__main__":
    main()
