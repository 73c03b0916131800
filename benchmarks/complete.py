"""Completion while typing: milliseconds a keystroke over some 1,000 typed beginnings of a catalogue's own texts.

    python benchmarks/complete.py HOME [--beginnings 1000] [--seed 7]

HOME is the folder of a catalogue with its index; the files of completions are made first where they are behind, and
that is timed, too. Beginnings are taken by chance from titles (from their start and from a word in the middle), names
and venues, some with a typing error, besides the lone letters and the beginnings of Chinese terms. Wall time counts
what else the machine does; processor time is this thread's own.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from statistics import quantiles
from string import ascii_lowercase
from time import perf_counter, process_time, thread_time

from octavo.app import Octavo
from octavo.records.paper import Paper

TERMS = ("强化学习", "机器翻译", "大语言模型", "图神经网络", "扩散模型", "目标检测", "联邦学习", "多模态")
SAMPLED = 3_000


def main() -> None:
    """Make the files, complete, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--beginnings", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    chance = random.Random(arguments.seed)
    with Octavo(arguments.home) as octavo:
        octavo.bring_up_to_date()
        started, spent = perf_counter(), process_time()
        if octavo.make_completions():
            print(f"made in {perf_counter() - started:.1f} s ({process_time() - spent:.1f} s of a processor)")
        total = octavo.stats().papers
        papers = octavo.newest(SAMPLED, chance.randrange(max(1, total - SAMPLED))).papers
        typed = list(beginnings(papers, arguments.beginnings, chance))
        octavo.complete("")
        walls, owns = [], []
        for text in typed:
            wall, own = perf_counter(), thread_time()
            octavo.complete(text)
            walls.append(1000 * (perf_counter() - wall))
            owns.append(1000 * (thread_time() - own))
    print(f"{total:,} papers, {len(typed):,} beginnings")
    for name, values in (("wall", walls), ("processor", owns)):
        parts = quantiles(values, n=100)
        print(
            f"{name:>9}: p50 {parts[49]:.1f} ms, p95 {parts[94]:.1f} ms, p99 {parts[98]:.1f} ms, most {max(values):.1f}"
        )


def beginnings(papers: tuple[Paper, ...], n: int, chance: random.Random) -> Iterator[str]:
    """What is typed."""
    yield from ascii_lowercase
    yield from (term[:length] for term in TERMS for length in range(1, len(term)))
    for number in range(n - len(ascii_lowercase) - sum(len(term) - 1 for term in TERMS)):
        paper = chance.choice(papers)
        words = paper.title.split()
        match number % 10:
            case 0 | 1 | 2:
                text = paper.title[: chance.randint(3, 40)]
            case 3:
                text = paper.title[:2]
            case 4 | 5:
                text = chance.choice(words)[: chance.randint(3, 9)]
            case 6 | 7:
                text = chance.choice(paper.authors or ("Ann",))[: chance.randint(3, 20)]
            case 8:
                text = (paper.venue or "au:ben")[: chance.randint(2, 12)]
            case _:
                text = wrong(paper.title[: chance.randint(8, 30)], chance)
        yield text


def wrong(text: str, chance: random.Random) -> str:
    """A text with two letters swapped, one left out or one changed."""
    at = chance.randint(1, max(1, len(text) - 2))
    first, second = text[at : at + 1], text[at + 1 : at + 2]
    return text[:at] + chance.choice((second + first, second, "e" + second)) + text[at + 2 :]


if __name__ == "__main__":
    main()
