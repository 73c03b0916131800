"""How well topics are told, measured on papers that were labelled by hand. Pure.

A line of the file is an object of JSON with `identifiers`, `title`, and `passes`: what each reader gave the paper,
`area`, `topic`, and where there are any `also` (other topics that are right) and `tasks_methods`. A line of one reader
may have these itself. `split` names a part of the file, `abstract` may be there.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any

from octavo.errors import FormatError, MissingFileError
from octavo.topics.tree import Tree

Z = 1.959963984540054
"""Standard deviations of an interval that holds in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Label:
    """What one reader gave a paper, as slugs."""

    area: str
    topic: str
    also: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    """Tasks and methods."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A paper that was labelled."""

    line: int
    identifiers: tuple[str, ...]
    title: str
    abstract: str
    split: str
    labels: tuple[Label, ...]

    @property
    def first(self) -> str:
        """The topic that it is: the readers' common one; where they differ, the one that the other named as right,
        too; else the first reader's."""
        first, *others = self.labels
        for other in others:
            if other.topic in first.also and first.topic not in other.also:
                return other.topic
        return first.topic

    @property
    def topics(self) -> frozenset[str]:
        """The topics that a reader put first: each is right."""
        return frozenset(label.topic for label in self.labels)

    @property
    def areas(self) -> frozenset[str]:
        """The areas that a reader put first."""
        return frozenset(label.area for label in self.labels)

    @property
    def fitting(self) -> frozenset[str]:
        """The topics that a reader found right, first or not."""
        return self.topics.union(*(label.also for label in self.labels))

    @property
    def below(self) -> frozenset[str]:
        """The tasks and methods that a reader gave it."""
        return frozenset(slug for label in self.labels for slug in label.below)


@dataclass(frozen=True, slots=True)
class Guess:
    """What was told of a labelled paper."""

    area: str
    """Empty: nothing was told."""
    topics: tuple[str, ...]
    """The likeliest first, however unsure."""
    is_said: bool = True
    """Whether the first is sure enough to be said."""
    below: tuple[str, ...] = ()
    """The tasks and methods that are said."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with its interval (Wilson, 95 %)."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        """The share; 0 of nothing."""
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share lies in 95 of 100 cases."""
        if not self.of:
            return 0.0, 1.0
        centre = (self.value + Z * Z / (2 * self.of)) / (1 + Z * Z / self.of)
        spread = Z * sqrt(self.value * (1 - self.value) / self.of + Z * Z / (4 * self.of**2)) / (1 + Z * Z / self.of)
        # The bounds are those of the share itself where rounding would put them beside it.
        return max(0.0, min(self.value, centre - spread)), min(1.0, max(self.value, centre + spread))


def read_labels(path: Path, tree: Tree, split: str = "") -> list[Labelled]:
    """The labelled papers of a file, those of one split where one is named.

    Raises:
        MissingFileError: there is no such file.
        FormatError: a line is no labelled paper, or names what is not in the tree.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except FileNotFoundError:
        raise MissingFileError(f"There is no file {path}.") from None
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path} can't be read: {error}.") from error
    found = [_labelled(path, number, line, tree) for number, line in enumerate(lines, 1) if line.strip()]
    return [one for one in found if not split or one.split == split]


def _labelled(path: Path, number: int, line: str, tree: Tree) -> Labelled:
    try:
        fields = json.loads(line)
        passes = fields.get("passes") or [fields]
        return Labelled(
            number,
            tuple(map(str, fields.get("identifiers", ()))),
            str(fields.get("title", "")),
            str(fields.get("abstract", "")),
            str(fields.get("split", "")),
            tuple(_label(one, tree) for one in passes),
        )
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        hint = 'Each line is {"identifiers": [...], "title": ..., "area": slug, "topic": slug}.'
        raise FormatError(f"{path}, line {number}: no labelled paper ({error}).", hint=hint) from error


def _label(fields: dict[str, Any], tree: Tree) -> Label:
    topic = tree.canonical(tree[fields["topic"]])
    area = tree.canonical(tree[fields.get("area") or tree.area(topic).slug])
    also = tuple(tree.canonical(tree[slug]).slug for slug in fields.get("also", ()))
    return Label(area.slug, topic.slug, also, tuple(tree[slug].slug for slug in fields.get("tasks_methods", ())))


def rates(papers: Sequence[Labelled], guesses: Sequence[Guess]) -> dict[str, Rate]:
    """How often the area is right; the topic at the first guess, within three, and when only what is sure counts; and
    how often what is said first is right or fits."""
    both = list(zip(papers, guesses, strict=True))
    said = [(paper, guess) for paper, guess in both if guess.is_said and guess.topics]
    n = len(both)
    return {
        "area": Rate(sum(guess.area in paper.areas for paper, guess in both), n),
        "topic": Rate(sum(guess.topics[:1] != () and guess.topics[0] in paper.topics for paper, guess in both), n),
        "topic_strict": Rate(sum(guess.topics[:1] == (paper.first,) for paper, guess in both), n),
        "within_three": Rate(sum(not paper.topics.isdisjoint(guess.topics[:3]) for paper, guess in both), n),
        "fits": Rate(sum(guess.topics[:1] != () and guess.topics[0] in paper.fitting for paper, guess in both), n),
        "said": Rate(len(said), n),
        "said_right": Rate(sum(guess.topics[0] in paper.topics for paper, guess in said), len(said)),
        "said_fits": Rate(sum(guess.topics[0] in paper.fitting for paper, guess in said), len(said)),
        "below_right": Rate(
            sum(slug in paper.below for paper, guess in both for slug in guess.below),
            sum(len(guess.below) for guess in guesses),
        ),
        "below_found": Rate(
            sum(slug in guess.below for paper, guess in both for slug in paper.below),
            sum(len(paper.below) for paper in papers),
        ),
    }


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well two readers agree."""

    area: Rate
    topic: Rate
    area_kappa: float
    """Cohen's kappa: 0 for no more than chance, 1 for always."""
    topic_kappa: float


def agreement(papers: Iterable[Labelled]) -> Agreement | None:
    """How well the first two readers agree; None where no paper has two."""
    pairs = [paper.labels[:2] for paper in papers if len(paper.labels) > 1]
    if not pairs:
        return None
    areas = [(one.area, other.area) for one, other in pairs]
    topics = [(one.topic, other.topic) for one, other in pairs]
    return Agreement(_same(areas), _same(topics), kappa(areas), kappa(topics))


def _same(pairs: Sequence[tuple[str, str]]) -> Rate:
    return Rate(sum(one == other for one, other in pairs), len(pairs))


def kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Cohen's kappa of pairs of choices.

    >>> kappa([("a", "a"), ("b", "b")]), kappa([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")])
    (1.0, 0.0)
    """
    n = len(pairs)
    ones, others = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    chance = sum(count * others[choice] for choice, count in ones.items()) / (n * n)
    seen = sum(one == other for one, other in pairs) / n
    return 1.0 if chance == 1 else (seen - chance) / (1 - chance)


def confusions(papers: Sequence[Labelled], guesses: Sequence[Guess], most: int = 10) -> list[tuple[str, str, int]]:
    """(what it is, what was told, how often) of the areas that are mistaken most often."""
    wrong = Counter(
        (paper.labels[0].area, guess.area)
        for paper, guess in zip(papers, guesses, strict=True)
        if guess.area not in paper.areas
    )
    return [(right, told, count) for (right, told), count in wrong.most_common(most)]
