"""Train the classifier of topics on one thread.

    OMP_NUM_THREADS=1 python tools/topics/train.py HOME labels.jsonl OUT [--papers FILE ...] [--hold-out tune]

HOME is a catalogue (`octavo add`), read only; FILEs are paper lists, whose keywords and areas are read beside it. The
README here says what happens, and why. Needs torch beside octavo; the model that comes out needs numpy alone.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from scipy import linalg, sparse

from octavo.index.encoder import StaticEncoder
from octavo.records.fold import title_key
from octavo.records.paper import Record
from octavo.sources.registry import get_source
from octavo.topics.classify import TITLE, features_of
from octavo.topics.naming import Naming
from octavo.topics.nodes import words_of
from octavo.topics.tree import bundled_tree

Floats = NDArray[np.float32]

TREE = bundled_tree()
TOPICS = [node.slug for node in TREE if node.kind == "topic" and not node.same_as]
COLUMN = {slug: column for column, slug in enumerate(TOPICS)}
AREAS = [area.slug for area in TREE.areas]
IN_AREA = np.zeros((len(AREAS), len(TOPICS)), np.float32)
for _slug, _column in COLUMN.items():
    IN_AREA[AREAS.index(TREE.area(TREE[_slug]).slug), _column] = 1
HERE = Path(__file__).parent
SCALE = 22.6
"""The root of the dimension: an input of length one has numbers of about one."""
BATCH = 512
LEAST_SEEN = 60
"""Papers that a category or venue needs to be a feature."""
FIRST = 0.9
"""What a reader's first choice is worth; the other right topics share the rest."""
TITLE_ALONE = 0.5
"""What a label is worth whose reader saw no abstract."""
WIDTH = 64
"""Numbers that a token has in the table of the classifier's own."""
LEAST_PAPERS = 20
"""A token in fewer papers has no such row."""
UNITS = 1024
"""Of the net that is kept; its teachers have 384."""
RIDGE = 0.7
RIDGE_WEIGHT = 2.5
"""How much the ridge regression counts among the teachers, beside the mean of the nets."""
SHARPER = 1.5
"""The power of the teachers' shares: the ridge regression says a little of everything."""
UNSURE = 0.6
"""What a label is worth whose readers would not bet on it."""
TEMPERATURE = 1.15
"""Of the shares; set on the part of the labels that is for tuning, with a model that had not seen it."""


@dataclass
class Papers:
    """What training reads of papers, an entry each."""

    names: list[str] = field(default_factory=list)
    titles: list[str] = field(default_factory=list)
    abstracts: list[str] = field(default_factory=list)
    keywords: list[list[str]] = field(default_factory=list)
    categories: list[list[str]] = field(default_factory=list)
    topics: list[list[tuple[str, ...]]] = field(default_factory=list)
    venues: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Stated:
    """What `naming` asks for; categories count as features, not as labels."""

    topics: tuple[tuple[str, ...], ...]
    keywords: tuple[str, ...]
    categories: tuple[str, ...] = ()


def read_papers(home: Path, lists: list[Path]) -> Papers:
    """The papers of a catalogue, with the keywords and areas that paper lists have of them."""
    more: dict[str, tuple[list[str], list[tuple[str, ...]]]] = {}
    for path in lists:
        source = get_source("paperlists")
        for page in source.fetch(path):
            for one in source.parse(page):
                if isinstance(one, Record) and (one.keywords or one.topics):
                    keywords, topics = more.setdefault(title_key(one.title.plain), ([], []))
                    keywords += one.keywords
                    topics += one.topics
    papers = Papers()
    database = sqlite3.connect(f"file:{home / 'catalogue.db'}?mode=ro", uri=True)
    columns = "id, title_key, title, abstract, keywords, categories, topics, venue, identifiers"
    for row in database.execute(f"SELECT {columns} FROM papers WHERE length(abstract) > 100"):
        _, key, title, abstract, keywords, categories, topics, venue, identifiers = row
        known, areas = more.get(key, ([], []))
        papers.names.append(next(iter(json.loads(identifiers)), row[0]))
        papers.titles.append(title)
        papers.abstracts.append(abstract)
        papers.keywords.append(list(dict.fromkeys([*json.loads(keywords), *known])))
        papers.categories.append(json.loads(categories))
        papers.topics.append([*map(tuple, json.loads(topics)), *areas])
        papers.venues.append(venue)
    return papers


def faint_labels(papers: Papers) -> tuple[Floats, Floats]:
    """What keywords, areas and names in the title say of each paper: (papers, topics), and how much they are worth."""
    naming = Naming(TREE)
    found = np.zeros((len(papers.names), len(TOPICS)), np.float32)
    for row, title in enumerate(papers.titles):
        stated = Stated(tuple(papers.topics[row]), tuple(papers.keywords[row]))
        said = [(one.slug, one.confidence) for one in naming.stated(stated)]
        said += [(match.node.slug, 1.3 * match.strength) for match in TREE._within(words_of(title))]
        for slug, strength in said:
            topic = TREE.topic(TREE[slug])
            column = COLUMN.get(TREE.canonical(topic).slug if topic else "")
            if column is not None:
                found[row, column] += strength
    worth = np.minimum(found.max(axis=1), 1)
    found /= np.maximum(found.sum(axis=1, keepdims=True), 1e-9)
    # Rare topics count more, or the common ones take what is theirs.
    often = (found * worth[:, None]).sum(axis=0)
    return found * (often.mean() / np.maximum(often, 30)) ** 0.35, worth


class Net(torch.nn.Module):
    """A layer of units over both vectors, and what categories and venues say of areas and topics."""

    def __init__(self, n_features: int, units: int = 384, drop: float = 0.25) -> None:
        super().__init__()
        self.into = torch.nn.Linear(1024, units)
        self.out = torch.nn.Linear(units, len(TOPICS))
        self.areas = torch.nn.Linear(n_features, len(AREAS), bias=False)
        self.given = torch.nn.Linear(n_features, len(TOPICS), bias=False)
        torch.nn.init.zeros_(self.areas.weight)
        torch.nn.init.zeros_(self.given.weight)
        self.drop_in, self.drop = torch.nn.Dropout(0.1), torch.nn.Dropout(drop)
        self.in_area = torch.tensor(IN_AREA)

    def forward(self, data: Data, rows: NDArray[Any], *, with_features: bool = True) -> torch.Tensor:
        vectors, features = data.inputs(rows)
        if not with_features:
            features = features * 0
        elif self.training:  # a third of the papers are shown without features: most that come have none
            features = features * (torch.rand(len(features), 1) > 0.35)
        hidden = torch.relu(self.into(self.drop_in(vectors)) + self.of_words(data, rows))
        return self.out(self.drop(hidden)) + self.areas(features) @ self.in_area + self.given(features)

    def of_words(self, _data: Data, _rows: NDArray[Any]) -> torch.Tensor | float:
        """What the words add to the units: here nothing that is not in the vectors."""
        return 0.0


class Student(Net):
    """The same with a table that has a row for each of the encoder's tokens: the vectors leave out much of what the
    teacher that counts words knows."""

    def __init__(self, n_features: int, words: Words, units: int = UNITS, drop: float = 0.25) -> None:
        super().__init__(n_features, units, drop)
        self.table = torch.nn.EmbeddingBag(words.n_rows, WIDTH, mode="sum")
        self.of_bags = torch.nn.Linear(WIDTH, units, bias=False)
        torch.nn.init.normal_(self.table.weight, std=0.02)
        torch.nn.init.normal_(self.of_bags.weight, std=0.1)
        self.kept = torch.from_numpy((words.papers >= LEAST_PAPERS).astype(np.float32))

    def of_words(self, data: Data, rows: NDArray[Any]) -> torch.Tensor:
        tokens, starts, weights = data.words.bags(rows)
        weights = weights * self.kept[tokens]
        if self.training:
            weights = weights * (torch.rand(len(weights)) > 0.15)
        return self.of_bags(self.table(tokens, starts, per_sample_weights=weights))


@dataclass
class Words:
    """The encoder's tokens of all titles and abstracts, one after another, and where each text's begin."""

    n_rows: int
    titles: tuple[NDArray[np.int32], NDArray[np.int64]]
    abstracts: tuple[NDArray[np.int32], NDArray[np.int64]]

    @classmethod
    def of(cls, papers: Papers, encoder: StaticEncoder) -> Words:
        parts = []
        for texts in (papers.titles, papers.abstracts):
            found, ends = [], [np.zeros(1, np.int64)]
            for start in range(0, len(texts), 2000):
                rows, offsets = encoder._tokens.rows(texts[start : start + 2000])
                found.append(rows)
                ends.append(offsets[1:] + ends[-1][-1])
            parts.append((np.concatenate(found), np.concatenate(ends)))
        return cls(encoder._tokens.n_rows, parts[0], parts[1])

    @cached_property
    def papers(self) -> NDArray[np.int64]:
        """How often each token comes."""
        return sum(np.bincount(tokens, minlength=self.n_rows) for tokens, _ in (self.titles, self.abstracts))

    def bags(self, rows: NDArray[Any]) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The tokens of papers, where each paper's begin, and their weights, as `classify.bags_of` has them."""
        tokens, weights, starts = [], [], [0]
        for row in rows:
            for (found, ends), worth in ((self.titles, TITLE), (self.abstracts, 1.0)):
                part = found[ends[row] : ends[row + 1]]
                tokens.append(part)
                weights.append(np.full(len(part), worth / np.sqrt(len(part) + 1), np.float32))
            starts.append(starts[-1] + len(tokens[-1]) + len(tokens[-2]))
        flat = torch.from_numpy(np.concatenate(tokens).astype(np.int64))
        return flat, torch.tensor(starts[:-1]), torch.from_numpy(np.concatenate(weights))

    def weighted(self, *parts: tuple[tuple[NDArray[np.int32], NDArray[np.int64]], float]) -> sparse.csr_matrix:
        """tf-idf of some texts, rows of length one, of logarithms of counts; without what three papers in ten have."""
        matrix = sum(
            worth * sparse.csr_matrix((np.ones(len(tokens), np.float32), tokens, ends), (len(ends) - 1, self.n_rows))
            for (tokens, ends), worth in parts
        ).tocsr()
        matrix.sum_duplicates()
        n, often = matrix.shape[0], np.bincount(matrix.indices, minlength=self.n_rows)
        rarity = np.where(often > 0.3 * n, 0, np.log((n + 1) / (often + 1)) + 1)
        matrix.data = (1 + np.log(matrix.data)) * rarity[matrix.indices]
        lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(1)).ravel())
        return sparse.diags(1 / np.maximum(lengths, 1e-9)).dot(matrix).astype(np.float32).tocsr()


@dataclass
class Data:
    """What the nets are shown."""

    vectors: NDArray[np.float16]
    features: NDArray[np.bool_]
    words: Words
    labelled: NDArray[np.int64]
    labels: Floats
    """(labelled papers, topics); a row adds up to what the label is worth."""
    free: NDArray[np.int64]
    """The papers that are not for measuring."""

    def inputs(self, rows: NDArray[Any]) -> tuple[torch.Tensor, torch.Tensor]:
        vectors = self.vectors[rows].astype(np.float32) * SCALE
        return torch.from_numpy(vectors), torch.from_numpy(self.features[rows].astype(np.float32))


def shares(net: Net, data: Data, rows: NDArray[Any]) -> Floats:
    """(papers, topics)."""
    net.eval()
    with torch.no_grad():
        return torch.softmax(net(data, rows), 1).numpy()


def loss_of(net: Net, data: Data, rows: NDArray[Any], wanted: Floats, *, with_features: bool = True) -> torch.Tensor:
    log_shares = torch.log_softmax(net(data, rows, with_features=with_features), 1)
    return -(torch.from_numpy(wanted) * log_shares).sum(1).mean()


def pretrained(data: Data, faint: Floats, worth: Floats, seed: int = 0) -> Net:
    """A net that has learnt from faint labels alone, without features."""
    torch.manual_seed(seed)
    net, rows = Net(data.features.shape[1]), data.free[worth[data.free] > 0]
    return _trained(net, data, faint * worth[:, None], rows, epochs=3, labels_weight=0, seed=seed, with_features=False)


def student(data: Data, wanted: Floats, *, epochs: float, labels_weight: float, seed: int) -> Student:
    """A net that has learnt what teachers say of every paper, and the labels beside it."""
    torch.manual_seed(seed)
    net = Student(data.features.shape[1], data.words)
    return _trained(net, data, wanted, data.free, epochs=epochs, labels_weight=labels_weight, seed=seed)


N = TypeVar("N", bound=Net)


def _trained(
    net: N,
    data: Data,
    wanted: Floats,
    rows: NDArray[Any],
    *,
    epochs: float,
    labels_weight: float,
    seed: int,
    with_features: bool = True,
) -> N:
    rng = np.random.default_rng(seed)
    steps = int(epochs * len(rows) / BATCH)
    table = [value for name, value in net.named_parameters() if name.startswith("table")]
    others = [value for name, value in net.named_parameters() if not name.startswith("table")]
    groups = [{"params": others, "weight_decay": 1e-2}, *([{"params": table, "weight_decay": 0.0}] if table else [])]
    rates = [3e-3, 1e-2][: len(groups)]  # a token is seen in few batches
    optimiser = torch.optim.AdamW(groups, lr=3e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=steps + 1)
    for step in range(steps):
        net.train()
        batch = np.sort(rng.choice(rows, BATCH))
        loss = loss_of(net, data, batch, wanted[batch].astype(np.float32), with_features=with_features)
        if labels_weight:
            some = rng.integers(0, len(data.labelled), 128)
            weight = labels_weight * min(1, 2 * step / steps)
            loss = loss + weight * loss_of(net, data, data.labelled[some], data.labels[some])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return net


def taught(start: Net, data: Data, seed: int) -> Net:
    """A pretrained net after the labels."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = Net(data.features.shape[1], drop=0.5)
    net.into.load_state_dict(start.into.state_dict())
    net.out.load_state_dict(start.out.state_dict())
    optimiser = torch.optim.AdamW(net.parameters(), lr=1e-3, weight_decay=0.1)
    for _ in range(14):
        net.train()
        order = rng.permutation(len(data.labelled))
        for at in range(0, len(order), 128):
            some = order[at : at + 128]
            loss = loss_of(net, data, data.labelled[some], data.labels[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    return net


def together(nets: list[Net], data: Data) -> Floats:
    """The mean of what nets say of every paper."""
    parts = []
    for start in range(0, len(data.vectors), 4096):
        rows = np.arange(start, min(len(data.vectors), start + 4096))
        parts.append(sum(shares(net, data, rows) for net in nets) / len(nets))
    return np.concatenate(parts)


def ridge(data: Data) -> Floats:
    """What a ridge regression on the labels says of every paper, by likeness in meaning (also squared), words, the
    title's words, and features; no shares, but about them."""
    labelled, worth = data.labelled, data.labels.sum(axis=1)
    wanted = data.labels / worth[:, None]
    mean = wanted.mean(axis=0)
    words = data.words.weighted((data.words.titles, 2), (data.words.abstracts, 1))
    titles = data.words.weighted((data.words.titles, 1))
    features = data.features.astype(np.float32)
    features /= np.maximum(np.linalg.norm(features, axis=1, keepdims=True), 1)
    own = data.vectors[labelled].astype(np.float32)

    def near(rows: NDArray[Any] | slice) -> Floats:
        likeness = data.vectors[rows].astype(np.float32) @ own.T / 2
        return likeness / 2 + 2 * likeness**2

    kernel = near(labelled) + (words[labelled] @ words[labelled].T).toarray()
    kernel += 0.3 * (titles[labelled] @ titles[labelled].T).toarray()
    kernel += 0.1 * features[labelled] @ features[labelled].T
    kernel[np.diag_indices_from(kernel)] += RIDGE / worth
    weights = linalg.solve(kernel, wanted - mean, assume_a="pos").astype(np.float32)
    # What is linear in the papers is one product; only the likeness has to be worked out for each pair.
    of_words, of_titles = words[labelled].T @ weights, 0.3 * (titles[labelled].T @ weights)
    of_features = 0.1 * features[labelled].T @ weights
    found = np.empty((len(data.vectors), len(TOPICS)), np.float32)
    for start in range(0, len(found), 4096):
        part = slice(start, start + 4096)
        found[part] = near(part) @ weights + words[part] @ of_words + titles[part] @ of_titles
        found[part] += features[part] @ of_features + mean
    return found


def learnt(data: Data, faint: Floats, start: Net) -> Student:
    """The net that is kept: taught by four nets that saw the labels, and by the ridge regression."""
    wanted = together([taught(start, data, seed) for seed in range(4)], data)
    wanted += RIDGE_WEIGHT * np.maximum(ridge(data), 0)
    wanted += 0.3 * np.sqrt(wanted) * np.minimum(faint, 1.5)
    wanted = (wanted / wanted.sum(axis=1, keepdims=True)) ** SHARPER
    wanted /= wanted.sum(axis=1, keepdims=True)
    return student(data, wanted.astype(np.float16), epochs=6, labels_weight=0.5, seed=11)


def read_labels(paths: list[Path], hold_out: set[str]) -> tuple[dict[str, Floats], set[str]]:
    """The labels by identifier, and the identifiers that are for measuring."""
    found: dict[str, Floats] = {}
    kept: set[str] = set()
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            name = fields["identifiers"][0] if fields["identifiers"] else fields["title"]
            if fields.get("split") in hold_out:
                kept.add(name)
                continue
            found[name] = _label(fields)
            if "split" in fields:
                kept.add(name)  # a labelled paper teaches by its label alone
    return found, kept


def _label(fields: dict[str, Any]) -> Floats:
    label, worth = np.zeros(len(TOPICS), np.float32), 1.0
    if "topics" in fields:
        worth = TITLE_ALONE
        weights = {1: (1.0,), 2: (0.7, 0.3)}.get(len(fields["topics"]), (0.6, 0.25, 0.15))
        pairs = list(zip(fields["topics"], weights, strict=False))
    else:
        passes = fields.get("passes") or [fields]
        worth = UNSURE if all(one["unsure"] for one in passes) else 1.0
        pairs = []
        for one in passes:
            also = [slug for slug in one["also"] if slug in COLUMN]
            first = FIRST * (0.75 if one["unsure"] else 1) if also else 1.0
            pairs += [(one["topic"], first), *((slug, (1 - first) / len(also)) for slug in also)]
    for slug, weight in pairs:
        if slug in COLUMN:
            label[COLUMN[slug]] += weight
    return label * (worth / max(label.sum(), 1e-9))


def gathered(
    papers: Papers, encoder: StaticEncoder, labels: dict[str, Floats], kept: set[str]
) -> tuple[Data, list[str]]:
    """Vectors, features and labels of all papers; and the features' names."""
    named = [features_of(categories, venue) for categories, venue in zip(papers.categories, papers.venues, strict=True)]
    often = Counter(name for names in named for name in names)
    chosen = [name for name, count in often.most_common() if count >= LEAST_SEEN]
    column = {name: n for n, name in enumerate(chosen)}
    features = np.zeros((len(named), len(chosen)), bool)
    for row, names in enumerate(named):
        features[row, [column[name] for name in names if name in column]] = True
    vectors = np.empty((len(named), 2 * encoder.dimension), np.float16)
    for start in range(0, len(named), 2000):
        part = slice(start, start + 2000)
        vectors[part, : encoder.dimension] = encoder.encode_documents(papers.titles[part])
        vectors[part, encoder.dimension :] = encoder.encode_documents(papers.abstracts[part])
    rows = [row for row, name in enumerate(papers.names) if name in labels]
    free = np.array([row for row, name in enumerate(papers.names) if name not in kept])
    wanted = np.stack([labels[papers.names[row]] for row in rows])
    return Data(vectors, features, Words.of(papers, encoder), np.array(rows), wanted, free), chosen


def pack(net: Student, features: list[str], encoder: StaticEncoder, out: Path) -> None:
    """Write the model in eight bits a weight."""
    state = {name: value.numpy() for name, value in net.state_dict().items()}
    arrays: dict[str, Any] = {"into_bias": state["into.bias"], "out_bias": state["out.bias"]}
    given = state["given.weight"].T + state["areas.weight"].T @ IN_AREA
    table = state["table.weight"] * net.kept.numpy()[:, None]
    for name, weights, axis in (
        ("table", table, 1),
        ("of_bags", state["of_bags.weight"].T, 0),
        ("into", state["into.weight"].T * SCALE, 0),
        ("out", state["out.weight"].T, 0),
        ("given", given, 1),
    ):
        scale = np.abs(weights).max(axis=axis, keepdims=True) / 127
        scale[scale == 0] = 1
        arrays[name], arrays[f"{name}_scale"] = np.round(weights / scale).astype(np.int8), scale.astype(np.float32)
    out.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(out / "weights.npz", **arrays)
    about = {"topics": TOPICS, "features": features, "encoder": encoder.fingerprint, "temperature": TEMPERATURE}
    text = json.dumps(about, ensure_ascii=False, indent=0)
    (out / "model.json").write_text(re.sub(r"\n\s*", "\n", text) + "\n", encoding="utf-8")


def main() -> None:
    """Train and pack."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("home", type=Path)
    asked.add_argument("labels", type=Path)
    asked.add_argument("out", type=Path)
    asked.add_argument("--papers", type=Path, nargs="*", default=[])
    asked.add_argument("--hold-out", nargs="*", default=[], help="splits not to learn from, beside `test`")
    given = asked.parse_args()
    torch.set_num_threads(1)
    paths = [HERE / "titles.jsonl", given.labels.with_name("training.jsonl"), given.labels]
    labels, kept = read_labels(paths, {"test", *given.hold_out})
    papers, encoder = read_papers(given.home, given.papers), StaticEncoder()
    data, features = gathered(papers, encoder, labels, kept)
    faint, worth = faint_labels(papers)
    pack(learnt(data, faint, pretrained(data, faint, worth)), features, encoder, given.out)


if __name__ == "__main__":
    main()
