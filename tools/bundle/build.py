"""Build the bundled catalogue, `src/octavo/data/bundle.jsonl.gz`.

    python tools/bundle/build.py PATH/TO/mlanthology.tar

What goes in: every paper of ICML 2025 as facts (title, authors, pages, links, identifiers) from the mlanthology tar,
and the papers of
`summaries-seeds.jsonl` and `summaries-known.jsonl` beside this script, with the summaries that were written for
Octavo. No abstract of anybody's goes in: the script drops them, and fails where a summary shares a run of words with
the abstract of its paper.

The same input gives the same bytes.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from octavo.query.words import exact_words
from octavo.records.codec import encode_record
from octavo.records.dates import parse_date
from octavo.records.fold import title_key
from octavo.records.ids import parse_identifier
from octavo.records.names import parse_author
from octavo.records.paper import Record, Venue
from octavo.records.text import Text
from octavo.sources.registry import get_source

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src" / "octavo" / "data" / "bundle.jsonl.gz"
MEMBER = "icml-2025"
MOST_BYTES = 2_000_000
LONGEST_RUN = 5
"""Words in a row that a summary may share with an abstract; a longer run would be quoting."""


def main() -> None:
    """Build and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mlanthology", type=Path, help="the mlanthology tar")
    arguments = parser.parse_args()
    icml = {record.key: record for record in read_icml(arguments.mlanthology)}
    seeds = list(read_lines(HERE / "summaries-seeds.jsonl"))
    known = list(read_lines(HERE / "summaries-known.jsonl"))
    summaries = {str(entry["icml"]): entry for entry in (*seeds, *known) if "icml" in entry}
    check(summaries, icml)
    records = [bundled(record, summaries.get(pmlr_name(record))) for record in icml.values()]
    records += [daily(entry) for entry in seeds if "daily" in entry]
    records += [famous(entry) for entry in known if "icml" not in entry]
    write(records)


def read_icml(path: Path) -> Iterator[Record]:
    """The records of ICML 2025."""
    source = get_source("mlanthology")
    for page in source.fetch(path):
        if MEMBER in page.place:
            for item in source.parse(page):
                if isinstance(item, Record):
                    yield item
                else:
                    sys.exit(f"{item}")


def read_lines(path: Path) -> Iterator[dict[str, Any]]:
    """The objects of a JSON-lines file."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def pmlr_name(record: Record) -> str:
    """`v267/seth25a` of a record, by which the summaries name their papers."""
    return next((name.value for name in record.identifiers if name.scheme == "pmlr"), "")


def check(summaries: dict[str, dict[str, Any]], icml: dict[str, Record]) -> None:
    """Fail where a summary has no paper, or quotes."""
    papers = {pmlr_name(record): record for record in icml.values()}
    for name, entry in summaries.items():
        if name not in papers:
            sys.exit(f"{name}: no such paper of ICML 2025")
        record = papers[name]
        if title_key(Text.of(entry["title"], "mixed").plain) != title_key(record.title.plain):
            sys.exit(f"{name}: the title is {record.title.plain!r}, not {entry['title']!r}")
        run = longest_run(entry["summary"], record.abstract.plain if record.abstract else "", record.title.plain)
        if run > LONGEST_RUN:
            sys.exit(f"{name}: {run} words in a row are the abstract's")


def longest_run(summary: str, abstract: str, title: str) -> int:
    """Words in a row that a summary shares with an abstract, those of the title aside."""
    mine, theirs, free = exact_words(summary), " " + " ".join(exact_words(abstract)) + " ", " ".join(exact_words(title))
    longest = 0
    for start in range(len(mine)):
        length = longest + 1
        while start + length <= len(mine) and f" {' '.join(mine[start : start + length])} " in theirs:
            if " ".join(mine[start : start + length]) not in free:
                longest = length
            length += 1
    return longest


def bundled(record: Record, entry: dict[str, Any] | None) -> Record:
    """A paper of ICML 2025 as facts, with Octavo's summary where there is one."""
    topics = tuple(tuple(trail) for trail in (entry or {}).get("topics", ()))
    summary = Text.of(entry["summary"], "plain") if entry else None
    return replace(record, source="octavo", abstract=None, tldr=None, summary=summary, topics=topics, seen_on=None)


def daily(entry: dict[str, Any]) -> Record:
    """A paper of the daily page, of which title, authors and categories are known."""
    title = Text.of(entry["title"], "mixed")
    return Record(
        source="octavo",
        key=f"daily/{title_key(title.plain)[:60]}",
        title=title,
        authors=tuple(parse_author(name) for name in entry["authors"]),
        authors_incomplete=bool(entry.get("authors_incomplete")),
        categories=tuple(entry["categories"]),
        summary=Text.of(entry["summary"], "plain"),
    )


def famous(entry: dict[str, Any]) -> Record:
    """A well-known paper."""
    title = Text.of(entry["title"], "mixed")
    identifiers = tuple(parse_identifier(name)[0] for name in entry.get("ids", ()))
    links = [("page", identifiers[0].url)] if identifiers else []
    links += [("pdf", f"https://arxiv.org/pdf/{name.value}") for name in identifiers if name.scheme == "arxiv"]
    named = entry.get("venue") or entry.get("venue_name")
    venue = (
        Venue(entry.get("venue_name", "") or entry["venue"], entry.get("venue", ""), entry.get("year"))
        if named
        else None
    )
    return Record(
        source="octavo",
        key=f"known/{title_key(title.plain)[:60]}",
        title=title,
        authors=tuple(parse_author(name) for name in entry["authors"]),
        identifiers=identifiers,
        summary=Text.of(entry["summary"], "plain"),
        venue=venue,
        submitted_on=parse_date(entry.get("submitted")) or (None if venue else parse_date(entry.get("year"))),
        categories=tuple(entry.get("categories", ())),
        links=tuple(links),
    )


def write(records: Iterable[Record]) -> None:
    """Write the bundle, with nothing in it that depends on the day or the machine."""
    lines = sorted(records, key=lambda record: record.key)
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    with TARGET.open("wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
        for record in lines:
            packed.write(encode_record(record).encode() + b"\n")
    size = TARGET.stat().st_size
    n_summaries = sum(1 for record in lines if record.summary)
    print(f"{TARGET.name}: {len(lines):,} papers, {n_summaries} with a summary, {size:,} bytes")
    if size > MOST_BYTES:
        sys.exit(f"that is over {MOST_BYTES:,} bytes")


if __name__ == "__main__":
    main()
