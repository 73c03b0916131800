"""What a paper is about, told from its title and abstract where no source says it.

The classifier gets the vectors of a title and of an abstract (`octavo.index.encoder`), what the words say that these
vectors leave out (a table of its own, with a row for each of the encoder's tokens), and the paper's categories and
series of venues. A layer of units and a softmax over the topics of the tree make a share for each of them; the shares
are calibrated, so that of those that say 0.7 about seven in ten are right. What has no vector gets no topic: nothing is
said of a text in which the encoder knows too few words.

The model is in `octavo/data/topics-model`; `tools/topics` says how it was trained.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

NEAR = 0.3
"""From which cosine on a corrected paper has a say in another one: of two papers by chance 1 in 200 are as near."""
TITLE = 2.0
"""How much what a title's words say counts beside what an abstract's do."""
LESSON = 0.6
"""How much of a twin's shares a corrected paper decides."""


class Classifier:
    """A trained model. It is never changed, so that threads may share it."""

    def __init__(self, about: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> None:
        """`about` names the topics and features, `arrays` holds the weights in eight bits, with scales."""
        self.topics: tuple[str, ...] = tuple(about["topics"])
        """Slugs; the order of all shares."""
        self.encoder: str = about["encoder"]
        """The fingerprint of the encoder whose vectors it was trained on."""
        self._temperature = float(about["temperature"])
        self._features = {name: row for row, name in enumerate(about["features"])}
        self._into = _unpacked(arrays, "into")
        self._out = _unpacked(arrays, "out")
        self._given = _unpacked(arrays, "given")
        self.table: Floats = _unpacked(arrays, "table")
        """What each of the encoder's tokens says, (tokens, width): `bags` are sums of its rows."""
        self._of_bags = _unpacked(arrays, "of_bags")
        self._into_bias = arrays["into_bias"].astype(np.float32)
        self._out_bias = arrays["out_bias"].astype(np.float32)

    def shares(
        self,
        titles: Floats,
        abstracts: Floats,
        features: Sequence[Iterable[str]] = (),
        lessons: Lessons | None = None,
        bags: Floats | None = None,
    ) -> Floats:
        """The shares of the topics, (papers, topics), each row adding up to one; all noughts without an abstract's or
        a title's vector.

        Args:
            titles: (papers, dimension), the vectors of titles.
            abstracts: The same of abstracts.
            features: For each paper what else is known (`features_of`).
            lessons: What the reader's corrections teach.
            bags: (papers, width), what the words say (`bags_of`); without them the vectors speak alone.
        """
        scores = self._scores(titles, abstracts, bags)
        for row, names in enumerate(features):
            for name in names:
                if (at := self._features.get(name)) is not None:
                    scores[row] += self._given[at]
        scores *= self._temperature
        scores -= scores.max(axis=1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=1, keepdims=True)
        if lessons is not None:
            lessons.apply(scores, titles, abstracts)
        scores[~(np.any(titles, axis=1) | np.any(abstracts, axis=1))] = 0
        return scores

    def _scores(self, titles: Floats, abstracts: Floats, bags: Floats | None) -> Floats:
        half = titles.shape[1]
        hidden: Floats = titles @ self._into[:half]
        hidden += abstracts @ self._into[half:]
        if bags is not None:
            hidden += bags @ self._of_bags
        hidden += self._into_bias
        np.maximum(hidden, 0, out=hidden)
        scores: Floats = hidden @ self._out
        scores += self._out_bias
        return scores

    def lessons(self, titles: Floats, abstracts: Floats, right: Sequence[Iterable[str]]) -> Lessons:
        """What corrected papers teach: `right` are the topics that the reader gave each."""
        wanted = np.zeros((len(titles), len(self.topics)), np.float32)
        at = {slug: column for column, slug in enumerate(self.topics)}
        for row, slugs in enumerate(right):
            known = [at[slug] for slug in slugs if slug in at]
            wanted[row, known] = 1 / max(1, len(known))
        return Lessons(_place(titles, abstracts), wanted)


class Lessons:
    """What the reader's corrections teach about papers that are near to the corrected ones.

    A part of a paper's shares is what the reader gave its corrected neighbours, weighted by how near each is: none of
    it below a cosine of NEAR, LESSON of it for a twin, the more the more neighbours there are.
    """

    def __init__(self, places: Floats, wanted: Floats) -> None:
        """`places` are the vectors of corrected papers, `wanted` the topics that the reader gave each, as shares."""
        self.places = places
        self.wanted = wanted

    def __len__(self) -> int:
        return len(self.places)

    def apply(self, shares: Floats, titles: Floats, abstracts: Floats) -> None:
        """Change the shares of papers as the lessons have it."""
        weights = self._weights(titles, abstracts)
        part = 1 - np.exp(np.log1p(-LESSON * weights).sum(axis=1, keepdims=True))
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
        shares *= 1 - part
        shares += part * (weights @ self.wanted)

    def teachers(self, titles: Floats, abstracts: Floats) -> list[int]:
        """How many corrected papers are near to each of these."""
        found: list[int] = (self._weights(titles, abstracts) > 0).sum(axis=1).tolist()
        return found

    def _weights(self, titles: Floats, abstracts: Floats) -> Floats:
        likeness = _place(titles, abstracts) @ self.places.T
        found: Floats = np.clip((likeness - NEAR) / (1 - NEAR), 0, 1)
        return found


def bags_of(titles: Floats, abstracts: Floats) -> Floats:
    """What the words of papers say: of sums of `Classifier.table` for titles and for abstracts (`encode_and_sum`)."""
    bags: Floats = TITLE * titles + abstracts
    return bags


def _place(titles: Floats, abstracts: Floats) -> Floats:
    """Where papers are in the space of meaning: the direction of both vectors together."""
    both = titles + abstracts
    lengths = np.sqrt(np.einsum("ij,ij->i", both, both))
    lengths[lengths < 1e-9] = 1
    found: Floats = both / lengths[:, None]
    return found


def _unpacked(arrays: dict[str, NDArray[Any]], name: str) -> Floats:
    found: Floats = arrays[name].astype(np.float32) * arrays[f"{name}_scale"].astype(np.float32)
    return found


def features_of(categories: Sequence[str], venue: str) -> tuple[str, ...]:
    """What the classifier is told beside the text: the categories, of which the first is the primary one, and the
    series of the venue.

    >>> features_of(("cs.LG", "stat.ML"), "ICML 2025")
    ('first:cs.LG', 'also:stat.ML', 'venue:ICML')
    """
    names = [f"{'also' if position else 'first'}:{name}" for position, name in enumerate(categories)]
    series = venue.partition(" ")[0]
    return (*names, f"venue:{series}") if series else tuple(names)


@cache
def bundled_classifier() -> Classifier:
    """The one that comes with Octavo, read once."""
    folder = files("octavo.data").joinpath("topics-model")
    about = json.loads(folder.joinpath("model.json").read_text(encoding="utf-8"))
    with np.load(BytesIO(folder.joinpath("weights.npz").read_bytes())) as arrays:
        return Classifier(about, dict(arrays))
