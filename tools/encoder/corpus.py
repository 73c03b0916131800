"""The text that the encoder is trained on: openly licensed titles and abstracts, less all that is tested on.

    python tools/encoder/corpus.py SHARED OUT.jsonl

SHARED is a folder with `data/` (arXiv dumps, the ACL Anthology, the ML Anthology) and `eval/`. Taken are

- arXiv's metadata (CC0 1.0),
- the ACL Anthology from 2016 on (CC BY 4.0; what is older is CC BY-NC-SA and left out),
- JMLR, TMLR and DMLR out of the ML Anthology (CC BY 4.0).

Left out is every paper of ICML 2025 and of the labelled sets in `eval/`: by the title's key, and, since a preprint
may bear another title, by its words: whoever shares a fifth of a tested abstract's runs of eight words. A line is
{title, abstract, source, held}; `held` marks the one in fifty that no training sees and that decides between recipes.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import tarfile
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from octavo.records.fold import title_key

OPEN_VENUES = ("jmlr", "tmlr", "dmlr")
RUN = 8
SHARED_RUNS = 0.2
ACL_OPEN_FROM = 2016


class Text(NamedTuple):
    """A title and an abstract, and where they come from."""

    title: str
    abstract: str
    source: str


def arxiv(shared: Path, leave_out: Sequence[str] = ()) -> Iterator[Text]:
    """arXiv's metadata, in the fields of its own dump; without the archives (`q-bio`) in `leave_out`."""
    for path in sorted((shared / "data/arxiv").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                entry = json.loads(line)
                if entry["categories"].split()[0].partition(".")[0] in leave_out:
                    continue
                yield Text(entry["title"], entry["abstract"] or "", "arxiv")


def acl(shared: Path) -> Iterator[Text]:
    """The ACL Anthology's XML, of the years under CC BY."""
    with tarfile.open(shared / "data/acl/acl-anthology-2022-05.tar.gz") as archive:
        for member in archive:
            year = re.search(r"data/xml/(\d{4}|[A-Z]\d\d)[^/]*\.xml$", member.name)
            file = archive.extractfile(member) if year else None
            if file is None or year is None or not _is_open(year[1]):
                continue
            for paper in ET.parse(file).iter("paper"):
                title, abstract = paper.find("title"), paper.find("abstract")
                if title is not None and abstract is not None:
                    yield Text("".join(title.itertext()), "".join(abstract.itertext()), "acl")


def _is_open(code: str) -> bool:
    year = int(code) if code.isdecimal() else int(code[1:]) + (1900 if int(code[1:]) > 50 else 2000)
    return year >= ACL_OPEN_FROM


def anthology(shared: Path, *, only: tuple[str, ...] = ()) -> Iterator[tuple[str, Text]]:
    """(file, text) of the ML Anthology; of the venues in `only` where given."""
    with tarfile.open(shared / "data/mlanthology/mlanthology-2026-03.tar") as archive:
        for member in archive:
            name = Path(member.name).name.removesuffix(".json.gz")
            if not member.name.endswith(".json.gz") or (only and not name.startswith(only)):
                continue
            file = archive.extractfile(member)
            if file is None:
                continue
            for paper in json.loads(gzip.decompress(file.read()))["papers"]:
                yield name, Text(paper["title"] or "", paper["abstract"] or "", name.rpartition("-")[0])


def tested(shared: Path) -> Iterator[tuple[str, str]]:
    """(title, abstract) of everything that is measured on; one of the two may be empty."""
    for _, text in anthology(shared, only=("icml-2025",)):
        yield text.title, text.abstract
    for path in sorted((shared / "eval").glob("*/corpus.jsonl.gz")):
        for entry in _lines(path):
            yield entry["title"], entry["text"]
    for path in sorted((shared / "eval").glob("*/pairs.jsonl.gz")):
        for entry in _lines(path):
            for side in ("left", "right"):
                yield entry[side].get("title") or "", entry[side].get("abstract") or ""


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def runs(text: str) -> set[int]:
    """The runs of eight words of a text, hashed."""
    words = re.findall(r"[a-z0-9]+", text.lower())
    return {hash(tuple(words[i : i + RUN])) for i in range(len(words) - RUN + 1)}


class Tested:
    """Knows again what is tested on."""

    def __init__(self, shared: Path) -> None:
        self.titles: set[str] = set()
        self.owner: dict[int, int] = {}
        self.size: list[int] = []
        for title, abstract in tested(shared):
            self.titles.add(title_key(title))
            found = runs(abstract)
            for run in found:
                self.owner[run] = len(self.size)
            self.size.append(max(1, len(found)))

    def holds(self, text: Text) -> bool:
        """Whether this paper, under this or another title, is one of the tested."""
        if title_key(text.title) in self.titles:
            return True
        shared = Counter(self.owner[run] for run in runs(text.abstract) if run in self.owner)
        return any(count >= SHARED_RUNS * self.size[owner] for owner, count in shared.items())


def main() -> None:
    """Write the file, and print what was taken and what was left out."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dev", type=Path, help="where to write ICML 2024, less what is tested on and trained on")
    parser.add_argument("--closed", action="store_true", help="also the venues without an open licence (to compare)")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="ARCHIVE", help="to measure on foreign fields")
    arguments = parser.parse_args()
    known, seen, counts = Tested(arguments.shared), set(), Counter[str]()
    texts = [arxiv(arguments.shared, arguments.leave_out), acl(arguments.shared)]
    texts.append(text for _, text in anthology(arguments.shared, only=OPEN_VENUES))
    if arguments.closed:
        texts.append(text for _, text in anthology(arguments.shared))
    with arguments.out.open("w", encoding="utf-8") as out:
        for text in (text for some in texts for text in some):
            key = title_key(text.title)
            if len(text.abstract) < 200 or len(text.title) < 12 or key in seen:
                counts["short or met before"] += 1
                continue
            seen.add(key)
            if known.holds(text):
                counts["tested on"] += 1
                continue
            held = int(hashlib.sha256(key.encode()).hexdigest(), 16) % 50 == 0
            counts[text.source + (", held out" if held else "")] += 1
            line = {"title": text.title, "abstract": text.abstract, "source": text.source, "held": held}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    if arguments.dev:
        with arguments.dev.open("w", encoding="utf-8") as out:
            for _, text in anthology(arguments.shared, only=("icml-2024",)):
                if len(text.abstract) >= 200 and title_key(text.title) not in seen and not known.holds(text):
                    line = {"title": text.title, "abstract": text.abstract, "source": text.source, "held": True}
                    out.write(json.dumps(line, ensure_ascii=False) + "\n")
                    counts["development"] += 1
    for name, count in counts.most_common():
        print(f"{count:8,} {name}")


if __name__ == "__main__":
    main()
