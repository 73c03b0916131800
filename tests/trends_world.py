"""Papers of seven years in which one topic grows, one shrinks and one stays; none of it exists.

Each year has forty papers, but for 2033, which has none, and one paper is alone in its topic. What a paper is about is said by its trail, and what it
speaks of by its abstract, so that every count can be told from the table below.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from octavo.app import Octavo
from octavo.index.text import held_of
from octavo.records.codec import encode_record
from octavo.records.paper import Record
from octavo.topics.recognise import terms_of
from octavo.topics.tree import bundled_tree
from tests.world import record

YEARS = (2029, 2030, 2031, 2032, 2034, 2035, 2036)
GAP = 2033
EACH = 40
GROWING = (1, 2, 4, 8, 16, 22, 30)
"""Papers on large language models; every second of them at ICML, the others at ACL."""
SHRINKING = (18, 15, 12, 9, 6, 4, 1)
"""On kernel methods, all at ICML."""
STEADY = (5, 5, 5, 5, 5, 5, 5)
"""On clustering, at no venue."""
LLM, KERNELS, STEADILY, REST = "large-language-models", "kernel-methods", "clustering", "game-theory"
CITED, LONELY = "Pebble 2036-0", "gaussian-processes"
_TEXTS = {
    LLM: "Pebbles are sorted by knowledge distillation with an agent.",
    KERNELS: "Pebbles are sorted by the Gram matrix.",
    STEADILY: "Pebbles are sorted by hand.",
    REST: "Pebbles are left as they lie, an agent says.",
    LONELY: "Pebbles are counted.",
}


def records() -> list[Record]:
    """All claims."""
    found = []
    for at, year in enumerate(YEARS):
        counts = {LLM: GROWING[at], KERNELS: SHRINKING[at], STEADILY: STEADY[at]}
        kinds = [slug for slug, n in counts.items() for _ in range(n)]
        kinds += [REST] * (EACH - len(kinds))
        kinds[-1] = LONELY if at == 0 else kinds[-1]
        found += [_record(year, n, kind) for n, kind in enumerate(kinds)]
    return found


def _record(year: int, n: int, kind: str) -> Record:
    venue = {LLM: ("ICML", "ACL")[n % 2], KERNELS: "ICML"}.get(kind, "")
    made = record(
        "mlanthology", f"pebble{year}-{n}", f"Pebble {year}-{n}", f"Ann Bee; Writer{n} Common", venue=venue, year=year,
        ids=f"10.5555/pebble.{year}.{n}", abstract=_TEXTS[kind], submitted=f"{year}-03-01",
    )  # fmt: skip
    tree = bundled_tree()
    made = replace(made, topics=(tree.trail(tree[kind]),))
    return replace(made, citations=7) if made.title.plain == CITED else made


def fill(home: Path) -> Octavo:
    """The catalogue, opened. Its index has the topics that are stated and no others: what a classifier makes of such
    texts may change."""
    path = home.with_name(f"{home.name}.jsonl")
    path.write_text("".join(encode_record(one) + "\n" for one in records()), encoding="utf-8")
    octavo = Octavo(home)
    octavo.add("jsonl", path)
    index, catalogue, tree = octavo._index, octavo._catalogue, bundled_tree()
    with index.write() as writer:
        writer.clear()
        for pk, paper in catalogue.changed_since(0, catalogue.seq):
            node = tree.at(paper.topics[0])
            assert node is not None
            slugs = [node.slug, *(above.slug for above in tree.ancestors(node))]
            writer.add(pk, held_of(paper, topics=slugs, terms=terms_of(paper.title, paper.abstract)))
        writer.commit()
    return octavo
