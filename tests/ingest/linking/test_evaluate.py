"""Measuring linking on labelled pairs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from octavo.errors import FormatError
from octavo.ingest.linking import LabelledPair, measure, read_pairs

BEE = {"title": "tiles are sufficient for floors", "authors": "ann bee , cy dee", "venue": "tile", "year": "2031.0"}
LINES = [
    {"left": BEE, "right": {**BEE, "authors": ["A. Bee", "C. Dee"]}, "label": 1, "split": "train"},
    {"left": BEE, "right": {"title": "the grammar of whale song", "authors": "ru roe", "year": 2031}, "label": "0"},
    {"left": BEE, "right": {**BEE, "title": "boats that sail uphill", "authors": None}, "label": 1, "kind": "odd"},
    {"left": BEE, "right": {**BEE, "venue": "floor journal", "year": "2033"}, "label": 1, "level": "work"},
]


def pairs_of(path: Path, lines: list[object], *, packed: bool) -> list[LabelledPair]:
    text = "".join(json.dumps(line) + "\n\n" for line in lines).encode()
    path.write_bytes(gzip.compress(text) if packed else text)
    return list(read_pairs(path))


@pytest.mark.parametrize("packed", [False, True])
def test_measure_counts_what_is_told_rightly(tmp_path: Path, packed: bool) -> None:
    pairs = pairs_of(tmp_path / "pairs", LINES, packed=packed)
    assert [pair.split for pair in pairs] == ["train", "", "", ""]
    found = measure(pairs)
    assert (found.n_pairs, found.n_same, found.true_positives, found.false_positives) == (4, 3, 2, 0)
    assert (found.precision, found.recall, round(found.f1, 3)) == (1.0, 2 / 3, 0.8)
    assert [pair.kind for pair, _ in found.wrong] == ["odd"]
    assert found.recall_at(1.0) == 1.0  # with another threshold


def test_measure_has_figures_when_there_is_nothing() -> None:
    found = measure([])
    assert (found.precision, found.recall, found.f1, found.recall_at(0.9)) == (1.0, 1.0, 1.0, 1.0)


def test_fields_are_left_out_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "pairs"
    pairs_of(path, LINES, packed=False)
    bare = next(iter(read_pairs(path, ("title",))))
    assert not bare.left.people
    assert bare.left.appearance.year == 0


@pytest.mark.parametrize("line", [b"[]", b"{", b'{"left": {"title": "x"}, "right": {}, "label": 1}', b'{"label": 1}'])
def test_a_line_that_is_no_pair_is_named(tmp_path: Path, line: bytes) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"\n" + line)
    with pytest.raises(FormatError, match="line 2, is no labelled pair"):
        list(read_pairs(path))


def test_entities_of_split_texts_are_put_together(tmp_path: Path) -> None:
    line = {"left": {**BEE, "authors": "tom &#225; s b &#233; e"}, "right": BEE, "label": 0}
    pair = pairs_of(tmp_path / "pairs", [line], packed=False)[0]
    assert pair.left.people[0].family == "bee"


@pytest.mark.real
@pytest.mark.parametrize(
    ("name", "fields", "floors"),
    [
        ("em-dblp-acm", ("title", "authors", "venue", "year"), {"f1": 0.985}),
        ("em-dblp-acm-dirty", ("title", "authors", "venue", "year"), {"f1": 0.97}),
        ("arxiv-published", ("title", "authors", "abstract", "venue", "year"), {"precision": 0.99, "recall": 0.95}),
        ("arxiv-published", ("title", "authors"), {"precision": 0.995}),
    ],
)
def test_real_pairs_are_told_when_they_are_there(
    shared: Path, name: str, fields: tuple[str, ...], floors: dict[str, float]
) -> None:
    path = shared / "eval" / name / "pairs.jsonl.gz"
    if not path.exists():
        pytest.skip("no labelled pairs beside the checkout")
    found = measure(pair for pair in read_pairs(path, fields) if pair.split != "train")
    for figure, floor in floors.items():
        assert getattr(found, figure) >= floor, figure
