"""Fit the weights of `octavo.ingest.linking.weights` on labelled pairs, and print how well they tell others.

    python tools/linking/fit.py NAME=FILE[:FIELDS] ... [--write] [--cross] [--wrong NAME]

FILE is in the format of `octavo.ingest.linking.evaluate`; FIELDS, parted by commas, are the only fields that its
records keep. Lines with `split` "train" are learnt from and "valid" only measured; where a file has no splits, a hash
of the left title's first words parts it in halves. A NAME that begins with `-` is measured and never learnt from, one
that begins with `+` is learnt from whole.

Logistic regression with a Gaussian prior (L2) by Newton's method. Pairs with the same levels are counted together, so
that plain Python is enough. `--cross` fits without each file in turn and measures on it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from math import exp, log
from pathlib import Path
from zlib import crc32

from octavo.ingest.linking.evaluate import FIELDS, LabelledPair, read_pairs
from octavo.ingest.linking.evidence import evidence
from octavo.ingest.linking.weights import PRIOR

TARGET = Path(__file__).parents[2] / "src" / "octavo" / "ingest" / "linking" / "weights.py"
BELIEFS = {
    # What too few pairs show, and every librarian knows. All else is believed to be 0.
    "title: equal, but generic": -1.0,
    "title: generic both": -2.0,
    "title: another": -3.0,
    "title: remote": -2.0,
    "authors: none in common": -4.0,
    "numbers: other ones": -2.5,
    "part: named on one side only": -3.0,
    "notice: on one side only": -4.0,
    "pages: the same": 1.5,
    "pages: other ones": -1.5,
    "edition: another of the series": -2.0,
    "abstract: the same": 4.0,
    "abstract: much in common": 2.5,
    "abstract: some runs in common": -0.5,
    "abstract: few runs in common": -3.0,
    "abstract: another": -3.0,
    "published twice: under two titles": -1.5,
    "years: far apart": -1.5,
    "preprint: far earlier": -1.0,
    "preprint: after publication": -1.5,
}
"""The prior's mean: a weight moves away from it as far as pairs say so."""
SPREAD = 0.5
"""Weight of the prior against the pairs: 1 over its variance."""

TELLTALE = frozenset({"two-preprints", "same-list"})
"""Kinds of pairs whose label follows from where they appeared: learnt from only where that is not among the fields."""

Row = tuple[tuple[str, ...], bool]


def main() -> None:
    """Fit, measure, and write where asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="NAME=FILE[:FIELDS]")
    parser.add_argument("--write", action="store_true", help="write the table of weights")
    parser.add_argument("--cross", action="store_true", help="also fit without each file and measure on it")
    parser.add_argument("--wrong", default="", help="show the pairs of this NAME that are told wrongly")
    arguments = parser.parse_args([argument.replace("=-", "=") for argument in sys.argv[1:]])
    sets: dict[str, list[tuple[str, LabelledPair, Row]]] = {}
    for named in arguments.files:
        name, _, rest = named.partition("=")
        file, _, fields = rest.partition(":")
        sets[name] = read(name, Path(file), tuple(fields.split(",")) if fields else FIELDS)
    weights = fit(learnt(sets))
    for name, pairs in sets.items():
        for split in ("train", "valid"):
            if rows := [(pair, row) for given, pair, row in pairs if given == split]:
                print(f"{name:16} {split:6} {told(weights, rows)}")
    if arguments.cross:
        for name, pairs in sets.items():
            others = {other: some for other, some in sets.items() if other.split("-")[0] != name.split("-")[0]}
            if rows := [(pair, row) for given, pair, row in pairs if given == "valid"]:
                print(f"{name:16} learnt elsewhere {told(fit(learnt(others)), rows)}")
    show(weights, sets, arguments.wrong)
    if arguments.write:
        write(weights, sets)


def read(name: str, file: Path, fields: tuple[str, ...]) -> list[tuple[str, LabelledPair, Row]]:
    """A file's pairs with their splits and levels."""
    out = []
    for pair in read_pairs(file, fields):
        if pair.kind in TELLTALE and "venue" in fields:
            continue
        work, publication = evidence(pair.left, pair.right)
        if pair.of_work:
            publication = []
        half = "train" if crc32(" ".join(pair.left.title.words[:4]).encode()) % 2 else "valid"
        split = "valid" if name.startswith("-") else "train" if name.startswith("+") else pair.split or half
        out.append((split, pair, ((PRIOR, *work, *publication), pair.label)))

    return out


def learnt(sets: dict[str, list[tuple[str, LabelledPair, Row]]]) -> Counter[Row]:
    """The rows to learn from, with how often each occurs."""
    return Counter(row for pairs in sets.values() for split, _, row in pairs if split == "train")


def fit(rows: Counter[Row], rounds: int = 25) -> dict[str, float]:
    """The weights with the highest posterior."""
    names = sorted({level for levels, _ in rows for level in levels} | set(BELIEFS))
    place = {name: at for at, name in enumerate(names)}
    belief = [BELIEFS.get(name, 0.0) for name in names]
    trust = [0.001 if name == PRIOR else SPREAD for name in names]
    data = [([place[level] for level in levels], float(label), count) for (levels, label), count in rows.items()]
    weights = list(belief)
    for _ in range(rounds):
        slope = [trust[at] * (weights[at] - belief[at]) for at in range(len(names))]
        bend = [[0.0] * len(names) for _ in names]
        for at, value in enumerate(trust):
            bend[at][at] = value
        for places, label, count in data:
            p = 1 / (1 + exp(-max(-500.0, min(500.0, sum(weights[at] for at in places)))))
            for one in places:
                slope[one] += count * (p - label)
                row = bend[one]
                for other in places:
                    row[other] += count * p * (1 - p)
        step = solve(bend, slope)
        weights = [weight - move for weight, move in zip(weights, step, strict=True)]
        if max(map(abs, step)) < 1e-6:
            break
    return dict(zip(names, weights, strict=True))


def solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    """Solve a system of linear equations by Gaussian elimination."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    size = len(rows)
    for at in range(size):
        pivot = max(range(at, size), key=lambda row: abs(rows[row][at]))
        rows[at], rows[pivot] = rows[pivot], rows[at]
        for below in range(at + 1, size):
            if factor := rows[below][at] / rows[at][at]:
                rows[below] = [value - factor * above for value, above in zip(rows[below], rows[at], strict=True)]
    out = [0.0] * size
    for at in range(size - 1, -1, -1):
        rest = sum(rows[at][other] * out[other] for other in range(at + 1, size))
        out[at] = (rows[at][size] - rest) / rows[at][at]
    return out


def score(weights: dict[str, float], row: Row) -> float:
    """A pair's log odds."""
    return sum(weights.get(level, 0.0) for level in row[0])


def told(weights: dict[str, float], rows: list[tuple[LabelledPair, Row]]) -> str:
    """Precision, recall and F1 at log odds 0 and 1; and the mean log loss."""
    parts = []
    for floor in (0.0, 1.0):
        joined = [(row[1], score(weights, row) > floor) for _, row in rows]
        hits = sum(label and join for label, join in joined)
        precision = hits / max(1, sum(join for _, join in joined))
        recall = hits / max(1, sum(label for label, _ in joined))
        f1 = 2 * precision * recall / max(1e-9, precision + recall)
        parts.append(f"at {floor:.0f}: P {precision:.4f} R {recall:.4f} F1 {f1:.4f}")
    loss = sum(log(1 + exp(min(500, -score(weights, row) if row[1] else score(weights, row)))) for _, row in rows)
    return f"{'  '.join(parts)}  loss {loss / len(rows):.4f}  of {len(rows)}"


def show(weights: dict[str, float], sets: dict[str, list[tuple[str, LabelledPair, Row]]], wrong: str) -> None:
    """Print the weights with how often each level occurs, and the pairs that are told wrongly."""
    seen: Counter[str] = Counter()
    same: Counter[str] = Counter()
    for pairs in sets.values():
        for _, _, (levels, label) in pairs:
            seen.update(levels)
            same.update(levels if label else ())
    for name, weight in sorted(weights.items()):
        print(f"{weight:7.2f} {seen[name]:6} {same[name]:6}  {name}")
    for split, pair, row in sets.get(wrong, ()):
        if split == "valid" and (score(weights, row) > 0) != row[1]:
            print(f"{score(weights, row):.2f} label {row[1]:d} {pair.kind} {row[0][1:]}")
            for side in (pair.left, pair.right):
                people = ", ".join(f"{person.first or person.initials} {person.family}" for person in side.people)
                print(f"    {' '.join(side.title.words)} | {people} | {side.appearance.series} {side.year}")


def write(weights: dict[str, float], sets: dict[str, list[tuple[str, LabelledPair, Row]]]) -> None:
    """Replace the table in `weights.py`."""
    text = TARGET.read_text(encoding="utf-8")
    head = text[: text.index("WEIGHTS: ")]
    lines = []
    of = ""
    for name, weight in sorted(weights.items()):
        if name.partition(":")[0] != of:
            of = name.partition(":")[0]
            lines.append(f"    # {of if name != PRIOR else 'every pair'}")
        lines.append(f'    "{name}": {weight:.2f},')
    table = "\n".join(lines)
    TARGET.write_text(f"{head}WEIGHTS: dict[str, float] = {{\n{table}\n}}\n", encoding="utf-8")
    print(f"{TARGET.name}: {len(weights)} weights from {sum(learnt(sets).values()):,} pairs")


if __name__ == "__main__":
    main()
