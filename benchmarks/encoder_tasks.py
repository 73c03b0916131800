"""What stands in for labelled sets that the project has none of: related papers, and papers of foreign fields.

Related: AAAI 2021's papers share an area, papers of workshops of the ACL Anthology a volume (share of the right ones
among the ten nearest), NeurIPS and ICLR papers keywords (nDCG@20, a shared keyword counting the more the rarer it is).
Foreign: papers that arXiv files under biology, physics or economics; their title, three words of it, and their first
and last sentence have to find the rest, by BM25 alone and with the encoder beside it. They are foreign only to a model
trained with `corpus.py --leave-out`.
"""

from __future__ import annotations

import gzip
import json
import math
import random
import re
import tarfile
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
import Stemmer
from numpy.typing import NDArray

from octavo.index.encoder import StaticEncoder
from octavo.records.fold import title_key

Scores = NDArray[np.float32]
Text = tuple[str, str]
"""A title and an abstract."""

FOREIGN = ("q-bio", "physics", "cond-mat", "quant-ph", "nlin", "astro-ph", "q-fin", "econ", "hep-ph", "hep-ex", "gr-qc")
SHORTEST = 200
WITH_KEYWORDS = ("neurips-2022", "neurips-2023", "iclr-2023")
MAIN_VOLUMES = ("acl", "emnlp", "naacl", "eacl", "coling", "lrec", "findings", "aacl", "conll", "ranlp")
WEIGHTS = (0.3, 0.5, 0.7)
_STEMMER = Stemmer.Stemmer("english")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9$\\(])")


def bm25(queries: list[str], documents: list[str]) -> Scores:
    """Scores of every document for every query."""
    options = {"stopwords": "en", "stemmer": _STEMMER, "show_progress": False, "return_ids": False}
    index = bm25s.BM25(k1=1.2, b=0.75)
    index.index(bm25s.tokenize(documents, **options), show_progress=False)
    nothing = np.zeros(len(documents), np.float32)
    asked = bm25s.tokenize(queries, **options)
    return np.stack([index.get_scores(words) if words else nothing for words in asked]).astype(np.float32)


def standard(scores: Scores, top: int = 100) -> Scores:
    """Scores less the mean of the best `top`, in their standard deviations."""
    best = -np.partition(-scores, top, axis=1)[:, :top]
    return (scores - best.mean(1, keepdims=True)) / (best.std(1, keepdims=True) + np.float32(1e-6))


def related(encoder: StaticEncoder, shared: Path) -> None:
    """Print how well papers find those that belong with them, by meaning and with half of the words' score."""
    for name, (texts, gains) in (
        ("same area of AAAI 2021", areas(shared)),
        ("same workshop", workshops(shared)),
        ("same keywords", keywords(shared)),
    ):
        whole = ["\n".join(text) for text in texts]
        vectors = encoder.encode_documents(whole)
        meaning, words = vectors @ vectors.T, bm25(whole, whole)
        measure = discounted if name == "same keywords" else precision
        both = standard(meaning, len(texts) - 1) + 0.5 * standard(words, len(texts) - 1)
        found = [measure(scores, gains) for scores in (words, meaning, both)]
        print(f"{name} ({len(texts):,} papers): BM25 {found[0]:.4f}, meaning {found[1]:.4f}, both {found[2]:.4f}")


def _nearest(scores: Scores, gains: Scores, n: int) -> Scores:
    scores = scores.copy()
    np.fill_diagonal(scores, -np.inf)
    found: Scores = np.take_along_axis(gains, np.argsort(-scores, axis=1)[:, :n], axis=1)
    return found


def precision(scores: Scores, gains: Scores) -> float:
    """The share of right ones among the ten nearest."""
    return float((_nearest(scores, gains, 10) > 0).mean())


def discounted(scores: Scores, gains: Scores) -> float:
    """nDCG@20 of those that anything is right for."""
    by_rank = 1 / np.log2(np.arange(2, 22))
    best = -np.sort(-gains, axis=1)[:, :20] @ by_rank
    found = _nearest(scores, gains, 20) @ by_rank
    return float((found[best > 0] / best[best > 0]).mean())


def _alike(labels: list[Any]) -> Scores:
    numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    codes = np.array([numbers[label] for label in labels])
    gains = (codes[:, None] == codes[None, :]).astype(np.float32)
    np.fill_diagonal(gains, 0)
    return gains


def _lists(shared: Path, wanted: str) -> Iterator[dict[str, Any]]:
    for path in sorted((shared / "data/paperlists").glob("*.tar.gz")):
        with tarfile.open(path) as archive:
            for member in archive:
                file = archive.extractfile(member) if re.search(wanted, member.name) else None
                if file is not None:
                    yield from json.load(file)


def areas(shared: Path) -> tuple[list[Text], Scores]:
    """AAAI 2021; numbered parts of an area are one."""
    papers = [paper for paper in _lists(shared, "aaai2021.json$") if len(paper.get("abstract") or "") > SHORTEST]
    texts = [(paper["title"], paper["abstract"]) for paper in papers]
    return texts, _alike([re.sub(r" [IV]+$", "", paper["primary_area"]) for paper in papers])


def workshops(shared: Path) -> tuple[list[Text], Scores]:
    """Volumes of the ACL Anthology from 2016 on that hold 15 to 70 papers, until there are some 1,700."""
    volumes: dict[tuple[str, str], list[Text]] = defaultdict(list)
    with tarfile.open(shared / "data/acl/acl-anthology-2022-05.tar.gz") as archive:
        for member in archive:
            code = re.search(r"data/xml/(W1[6789]|20(?:20|21|22)\.\w+)\.xml$", member.name)
            file = archive.extractfile(member) if code else None
            if file is None or code is None or code[1].split(".")[-1] in MAIN_VOLUMES:
                continue
            for volume in ET.parse(file).iter("volume"):
                for paper in volume.iter("paper"):
                    title, abstract = (paper.find(name) for name in ("title", "abstract"))
                    if title is not None and abstract is not None and len("".join(abstract.itertext())) > SHORTEST:
                        text = ("".join(title.itertext()), "".join(abstract.itertext()))
                        volumes[code[1], volume.get("id", "")].append(text)
    chosen = [(key, texts) for key, texts in volumes.items() if 15 <= len(texts) <= 70]
    random.Random(0).shuffle(chosen)
    pairs: list[tuple[Any, Text]] = []
    for key, texts in chosen:
        if len(pairs) + len(texts) > 1700:
            break
        pairs += [(key, text) for text in texts]
    return [text for _, text in pairs], _alike([key for key, _ in pairs])


def keywords(shared: Path) -> tuple[list[Text], Scores]:
    """2,000 papers with their authors' keywords."""
    known = {
        title_key(paper["title"]): paper["keywords"]
        for paper in _lists(shared, r"(nips202[23]|iclr2023)\.json$")
        if paper.get("keywords")
    }
    papers: list[tuple[Text, str]] = []
    with tarfile.open(shared / "data/mlanthology/mlanthology-2026-03.tar") as archive:
        for member in archive:
            file = archive.extractfile(member) if Path(member.name).name.startswith(WITH_KEYWORDS) else None
            for paper in json.loads(gzip.decompress(file.read()))["papers"] if file is not None else ():
                own = known.get(title_key(paper["title"]))
                if own and len(paper["abstract"]) > SHORTEST:
                    papers.append(((paper["title"], paper["abstract"]), own))
    random.Random(0).shuffle(papers)
    del papers[2000:]
    holders: dict[str, set[int]] = defaultdict(set)
    for i, (_, own) in enumerate(papers):
        for keyword in re.split("[;,]", own.lower()):
            holders[" ".join(_STEMMER.stemWords(re.findall("[a-z0-9]+", keyword)))].add(i)
    gains = np.zeros((len(papers), len(papers)), np.float32)
    for keyword, those in holders.items():
        if keyword and len(those) > 1:
            gains[np.ix_(sorted(those), sorted(those))] += math.log(len(papers) / len(those))
    np.fill_diagonal(gains, 0)
    return [text for text, _ in papers], gains


def foreign(encoder: StaticEncoder, shared: Path) -> None:
    """Print MRR of BM25, of the encoder, and of BM25 with the encoder at fixed weights and by its own trust."""
    papers, beside = split_by_field(shared)
    print(f"foreign fields: {Counter(field for _, field in papers).most_common()}, and {len(beside):,} of our own")
    texts = [text for text, _ in papers] + beside
    rng, n = np.random.default_rng(0), len(papers)
    cut = [_SENTENCE.split(" ".join(abstract.split())) for _, abstract in texts]
    abstracts = [abstract for _, abstract in texts]
    some = [re.findall(r"[A-Za-z]{4,}", title) or [title] for title, _ in texts[:n]]
    few = [" ".join(rng.permutation(words)[:3].tolist()) for words in some]
    for name, queries, documents in (
        ("title", [title for title, _ in texts[:n]], abstracts),
        ("three words", few, abstracts),
        ("first sentence", [one[0] for one in cut[:n]], _joined(texts, [one[1:] for one in cut])),
        ("last sentence", [one[-1] for one in cut[:n]], _joined(texts, [one[:-1] for one in cut])),
    ):
        meaning = encoder.encode_queries(queries) @ encoder.encode_documents(documents).T
        near, words = standard(meaning), standard(bm25(queries, documents))
        trust = np.array([[encoder.trust(query)] for query in queries], np.float32)
        mixed = ", ".join(f"{weight} {reciprocal(words + weight * near):.4f}" for weight in WEIGHTS)
        alone = f"BM25 {reciprocal(words):.4f}, meaning {reciprocal(meaning):.4f}"
        print(f"  {name}: {alone}; both at {mixed}, 0.7 x trust {reciprocal(words + 0.7 * trust * near):.4f}")


def _joined(texts: list[Text], sentences: list[list[str]]) -> list[str]:
    return ["\n".join([title, *rest]) for (title, _), rest in zip(texts, sentences, strict=True)]


def reciprocal(scores: Scores) -> float:
    """Mean reciprocal rank, where query i wants document i."""
    right = scores[np.arange(len(scores)), np.arange(len(scores))]
    return float((1 / (1 + (scores > right[:, None]).sum(1))).mean())


def split_by_field(shared: Path) -> tuple[list[tuple[Text, str]], list[Text]]:
    """((text, field) of foreign papers, 3,000 others)."""
    papers, beside = [], []
    for path in sorted((shared / "data/arxiv").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for entry in map(json.loads, lines):
                if len(entry["abstract"] or "") < SHORTEST:
                    continue
                text, field = (entry["title"], entry["abstract"]), entry["categories"].split()[0].partition(".")[0]
                if field in FOREIGN:
                    papers.append((text, field))
                else:
                    beside.append(text)
    return papers, random.Random(0).sample(beside, 3000)
