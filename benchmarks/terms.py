"""How quickly the glossary is read, and terms are recognised and linked in abstracts.

    python benchmarks/terms.py FILE [-n 2000] [--show 60] [--seed 1]

FILE has an abstract in each line's `abstract` (JSON Lines, gzip or not), as arXiv's snapshot. One thread; times are of
the processor, each the best of five. `--show` prints so many recognised terms of 30 of the abstracts, with what is
around them, to be read: how many are the term?
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from time import process_time

from octavo.query.marking import Marker
from octavo.records.text import Text
from octavo.topics.glossary import Glossary, glossary
from octavo.topics.recognise import Recogniser, recogniser
from octavo.web.markup import html
from octavo.web.terms import with_terms

ABSTRACTS = 30
"""From which terms are shown."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("-n", type=int, default=2000)
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    opened = gzip.open if arguments.file.suffix == ".gz" else open
    with opened(arguments.file, "rt", encoding="utf-8") as lines:
        abstracts = [json.loads(line)["abstract"].strip() for line in lines]
    abstracts = rng.sample(abstracts, min(arguments.n, len(abstracts)))
    measure(abstracts)
    if arguments.show:
        show(rng.sample(abstracts, min(ABSTRACTS, len(abstracts))), arguments.show, rng)


def measure(abstracts: list[str]) -> None:
    """Print the times, and how many terms an abstract has."""
    folder = files("octavo.data") / "glossary"
    texts = {entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir()}
    print(f"{len(glossary())} terms of {len(glossary().fields)} fields, {sum(map(len, texts.values())):,} letters")
    print(f"reading them: {1000 * best(lambda: Glossary.of(texts)):.1f} ms")
    print(f"making the recogniser: {1000 * best(lambda: Recogniser(glossary())):.0f} ms")
    found = [recogniser().spans(abstract) for abstract in abstracts]
    letters = sum(map(len, abstracts)) / len(abstracts)
    print(f"{len(abstracts):,} abstracts of {letters:,.0f} letters, {sum(map(len, found)) / len(found):.1f} terms each")
    spans = best(lambda: [recogniser().spans(abstract) for abstract in abstracts])
    print(f"recognising: {1000 * spans / len(abstracts):.3f} ms an abstract")
    pages = [html(Text.of(abstract, "tex"), Marker.of(("learning", "model"))) for abstract in abstracts]
    links = best(lambda: [with_terms(page) for page in pages])
    print(f"recognising and linking in HTML with marks: {1000 * links / len(pages):.3f} ms an abstract")


def best(work: Callable[[], object]) -> float:
    """Seconds of the processor, the least of five times."""
    times = []
    for _ in range(5):
        started = process_time()
        work()
        times.append(process_time() - started)
    return min(times)


def show(abstracts: list[str], number: int, rng: random.Random) -> None:
    """Print some of what is recognised, to be judged by a reader."""
    found = [(n, abstract, span) for n, abstract in enumerate(abstracts) for span in recogniser().spans(abstract)]
    for n, text, span in sorted(rng.sample(found, min(number, len(found))), key=lambda one: (one[0], one[2])):
        before, after = text[max(0, span.start - 45) : span.start], text[span.end : span.end + 40]
        print(f"{n:2} {span.slug:36} {before}[[{text[span.start : span.end]}]]{after}".replace("\n", " "))


if __name__ == "__main__":
    main()
