"""Compare `Text.plain` with pylatexenc on real titles and abstracts.

    python benchmarks/text.py FOLDER [--limit N]

FOLDER holds what Octavo reads anyway: `.json`, `.json.gz` (a list of entries, or an object with `papers`),
`.jsonl`, `.jsonl.gz` (an entry a line), or a `.tar` of them; an entry is an object with `title` and
`abstract`. Printed for each converter: texts a second, mean microseconds of an entry's title and abstract
together, exceptions, and texts that hold fewer words afterwards.

A word counts as lost if three or more letters in a row, outside of macro names, addresses, keys of citations
and arguments that are no text, are nowhere in the result.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from octavo.records.text import Text

_NO_TEXT = re.compile(
    r"\\(?:[A-Za-z]*[cC]ite[A-Za-z]*|ref|label|eqref|autoref|cref|Cref|textcolor|color|foreignlanguage|begin|end"
    r"|url|href|nolinkurl|[vh]space|includegraphics|fontsize|unicode|char|ding|hyperref)\*?\s*(?:\[[^\]]*\]\s*)*(?:\{[^{}]*\})?"
)
_ACCENT = re.compile(r"""\\(?:['"`^~=.]|[uvHckrdbt](?![A-Za-z]))\s?(?:\{[^{}]*\}|\\?[A-Za-z])""")
_NOISE = re.compile(
    r"</?(?:em|i|b|strong|tt|code|sub|sup|br|p|u|a)\b[^<>]*>|\]\([^)]*\)|\[[^\[\]]*=[^\[\]]*\]|&#?\w+;"
    r"|\\[A-Za-z]+\*?|(?:https?://|www\.)\S+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[A-Za-z]{3,}")


def words_of(raw: str) -> set[str]:
    """The words of a text in TeX that a reader has to find again."""
    for pattern in (_NO_TEXT, _ACCENT, _NOISE):
        raw = pattern.sub("\x00", raw)
    return set(_WORD.findall(raw))


def entries(folder: Path) -> Iterator[dict[str, object]]:
    """Every entry below the folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix == ".tar":
            with tarfile.open(path) as archive:
                for member in archive:
                    if content := archive.extractfile(member):
                        yield from _entries(member.name, content.read())
        elif path.is_file():
            yield from _entries(path.name, path.read_bytes())


def _entries(name: str, content: bytes) -> Iterator[dict[str, object]]:
    if name.endswith(".gz"):
        name, content = name[:-3], gzip.decompress(content)
    if name.endswith(".jsonl"):
        yield from map(json.loads, content.splitlines())
    elif name.endswith(".json"):
        data = json.loads(content)
        yield from data.get("papers", []) if isinstance(data, dict) else data


def measure(name: str, convert: Callable[[str], str], papers: list[tuple[str, str]]) -> None:
    """Convert every text and print a line of figures."""
    spent, texts, failed, lossy = 0.0, 0, 0, 0
    for paper in papers:
        for raw in filter(None, paper):
            texts += 1
            begin = time.process_time()
            try:
                shown = convert(raw)
            except Exception:  # the number of them is what is measured
                failed += 1
                continue
            finally:
                spent += time.process_time() - begin
            if "\\" in raw or "$" in raw or "{" in raw:
                lossy += any(word not in shown for word in words_of(Text.of(raw, "mixed").raw))
    print(
        f"{name:12} {texts / spent:10,.0f} texts/s {spent / len(papers) * 1e6:8.1f} us/paper"
        f" {failed:7,} exceptions {lossy:7,} texts with words lost"
    )


def main() -> None:
    """Read the folder and measure both converters."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--limit", type=int, default=0, help="the number of entries; all without it")
    parser.add_argument("--markup", default="mixed", help="the notation that the texts are in")
    arguments = parser.parse_args()
    papers: list[tuple[str, str]] = []
    for entry in entries(arguments.folder):
        papers.append((str(entry.get("title") or ""), str(entry.get("abstract") or "")))
        if len(papers) == arguments.limit:
            break
    print(f"{len(papers):,} entries, {sum(map(len, map(''.join, papers))) / 1e6:.1f} million characters")
    Text.of("$x$", arguments.markup).plain  # noqa: B018 - loads what is loaded on first use
    measure("Text.plain", lambda raw: Text.of(raw, arguments.markup).plain, papers)
    try:
        from pylatexenc.latex2text import LatexNodes2Text
    except ImportError:
        print("pylatexenc is not installed: pip install pylatexenc")
        return
    measure("pylatexenc", LatexNodes2Text(math_mode="text").latex_to_text, papers)


if __name__ == "__main__":
    main()
