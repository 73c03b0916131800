"""What the index holds of papers, with their topics and terms: text through the encoder, the classifier and the
glossary. Also done in helper processes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import BadZipFile
from zlib import crc32

from octavo.index.held import Held, held_of
from octavo.index.meaning import static_encoder
from octavo.query.languages import language_of
from octavo.records.paper import Paper
from octavo.topics.assign import assigned, bundled_names, likeliest_area, weighed, with_ancestors
from octavo.topics.naming import Assignment, bundled_naming
from octavo.topics.recognise import recogniser
from octavo.topics.tree import bundled_tree

if TYPE_CHECKING:
    # At run time late: a look-up must not wait for numpy and the model.
    from octavo.index.encoder import Encoder, StaticEncoder, Vectors
    from octavo.topics.classify import Classifier, Lessons
    from octavo.topics.evaluate import Guess

LESSONS = "lessons.npz"
"""The file beside the index by which helper processes know what the reader's corrections teach."""
LEAST_SHARE = 0.005
"""Smaller shares say nothing of their topic or its area."""
LEAST_WORDS = 5
"""An abstract and title of fewer words say too little to be classified."""
_FORMULA = re.compile(
    r"\$\$.{0,4000}?\$\$|\$[^$]{0,2000}\$|\\\(.{0,2000}?\\\)|\\\[.{0,4000}?\\\]|\\[A-Za-z]+", re.DOTALL
)
_WORD = re.compile(r"[^\W\d_]{2,}")
LEAST_KNOWN = 0.5
"""So many of the words the encoder has to know: of a text in another language it knows few."""


@dataclass(frozen=True, slots=True)
class About:
    """What a paper is about."""

    topics: tuple[Assignment, ...]
    terms: tuple[str, ...]
    """Slugs of the glossary, in the order in which they come."""
    n_teachers: int = 0
    """How many corrected papers had a say, by being near."""


class Topical:
    """Says what papers are about. Opens the model when the first paper comes. Not for several threads."""

    def __init__(self, lessons: Lessons | None = None, encoder: Callable[[], Encoder] | None = None) -> None:
        """`lessons` are what the reader's corrections teach. `encoder` opens an encoder that may serve, so that it is
        not in memory twice."""
        self.lessons = lessons
        self._offered = encoder
        self._opened: tuple[StaticEncoder, Classifier] | None = None

    def about(self, papers: Sequence[Paper], corrections: Mapping[str, Sequence[str]] | None = None) -> list[About]:
        """The topics and terms of each paper; `corrections` are the reader's, by paper id."""
        tree, naming, names, glossary = bundled_tree(), bundled_naming(), bundled_names(), recogniser()
        corrections = corrections or {}
        found = []
        told, n_teachers = self._told(papers)
        for paper, shares, n_near in zip(papers, told, n_teachers, strict=True):
            text = _text(paper)
            named = (names.slugs(paper.title), names.slugs(text))
            topics = assigned(tree, naming.stated(paper), shares, named, corrections.get(paper.id))
            found.append(About(topics, glossary.slugs(paper.title, text), n_near))
        return found

    def guesses(self, papers: Sequence[Paper]) -> list[Guess]:
        """What is told of each paper, with what is not sure enough to be said."""
        from octavo.topics.evaluate import Guess

        tree, naming = bundled_tree(), bundled_naming()
        found = []
        for paper, about, shares in zip(papers, self.about(papers), self._told(papers)[0], strict=True):
            ranked = weighed(tree, naming.stated(paper), shares)
            topics = tuple(one.slug for one in ranked if tree[one.slug].kind == "topic")
            said = {one.slug for one in about.topics}
            below = tuple(slug for slug in said if tree[slug].kind in ("task", "method"))
            found.append(Guess(likeliest_area(tree, ranked), topics, topics[:1] != () and topics[0] in said, below))
        return found

    def held(self, papers: Sequence[Paper], corrections: Mapping[str, Sequence[str]] | None = None) -> list[Held]:
        """What the index holds of each paper."""
        tree = bundled_tree()
        return [
            held_of(paper, with_ancestors(about.topics, tree), about.terms)
            for paper, about in zip(papers, self.about(papers, corrections), strict=True)
        ]

    def learn(self, papers: Sequence[Paper], right: Sequence[Sequence[str]]) -> None:
        """Take lessons from corrected papers; `right` are the slugs that the reader gave each."""
        topics = [_topics_of(slugs) for slugs in right]
        taught = [n for n, paper in enumerate(papers) if topics[n] and _text(paper)]
        model = self._model() if taught else None
        if model is None:
            self.lessons = None
            return
        encoder, classifier = model
        chosen = [papers[n] for n in taught]
        titles, abstracts, _ = _vectors(encoder, classifier, chosen)
        self.lessons = classifier.lessons(titles, abstracts, [topics[n] for n in taught])

    def _told(self, papers: Sequence[Paper]) -> tuple[list[dict[str, float]], list[int]]:
        """The classifier's shares of each paper, empty where it says nothing; and how many lessons each heeds."""
        if not papers:
            return [], []
        model = self._model()
        if model is None:
            return [{} for _ in papers], [0] * len(papers)
        encoder, classifier = model
        titles, abstracts, bags = _vectors(encoder, classifier, papers)
        shares = classifier.shares(titles, abstracts, _features(papers), self.lessons, bags)
        told = [self._is_told(encoder, paper) for paper in papers]
        found: list[dict[str, float]] = [{} for _ in papers]
        rows, columns = (shares >= LEAST_SHARE).nonzero()
        for row, column, share in zip(rows.tolist(), columns.tolist(), shares[rows, columns].tolist(), strict=True):
            if told[row]:
                found[row][classifier.topics[column]] = share
        n_teachers = self.lessons.teachers(titles, abstracts) if self.lessons is not None else [0] * len(papers)
        return found, n_teachers

    @staticmethod
    def _is_told(encoder: StaticEncoder, paper: Paper) -> bool:
        """Whether the text says enough, in words that the encoder knows."""
        text = f"{paper.title}\n{_text(paper)}"
        if len(text) < 400 and len(text.split()) < LEAST_WORDS:
            return False
        if " the " in text and " of " in text:
            return True  # spares the counting for nearly all
        if ("$" in text or "\\" in text) and len(_WORD.findall(_FORMULA.sub(" ", text))) < LEAST_WORDS:
            return False
        if language_of(paper.title, _text(paper)) not in ("en", ""):
            return False
        return encoder.coverage(text[:600]) >= LEAST_KNOWN

    def _model(self) -> tuple[StaticEncoder, Classifier] | None:
        """The encoder and the classifier that was trained on it; None where the installed ones don't belong together:
        topics then come from sources alone, as vectors of another encoder would give any topic."""
        if self._opened is None:
            from octavo.index.encoder import StaticEncoder
            from octavo.topics.classify import bundled_classifier

            offered = self._offered() if self._offered else None
            self._opened = (offered if isinstance(offered, StaticEncoder) else static_encoder(), bundled_classifier())
        return self._opened if self._opened[0].fingerprint == self._opened[1].encoder else None


def _text(paper: Paper) -> str:
    return paper.abstract or paper.summary


def _vectors(
    encoder: StaticEncoder, classifier: Classifier, papers: Sequence[Paper]
) -> tuple[Vectors, Vectors, Vectors]:
    """The vectors of titles and of abstracts, and what their words say."""
    from octavo.topics.classify import bags_of

    n = len(papers)
    texts = [paper.title for paper in papers] + [_text(paper) for paper in papers]
    both, sums = encoder.encode_and_sum(texts, classifier.table)
    return both[:n], both[n:], bags_of(sums[:n], sums[n:])


def _features(papers: Sequence[Paper]) -> list[tuple[str, ...]]:
    from octavo.topics.classify import features_of

    return [features_of(paper.categories, paper.venue) for paper in papers]


def _topics_of(slugs: Sequence[str]) -> tuple[str, ...]:
    """The topics that nodes are or stand below: the classifier knows no others."""
    tree = bundled_tree()
    nodes = [tree.canonical(tree[slug]) for slug in slugs if slug in tree]
    topics = [tree.topic(node) for node in nodes]
    return tuple(dict.fromkeys(topic.slug for topic in topics if topic is not None))


def held_with_topics(folder: str, papers: Sequence[Paper]) -> list[Held]:
    """What the index holds of papers, for helper processes: `folder` is the index's, with its LESSONS."""
    try:
        changed = (Path(folder) / LESSONS).stat().st_mtime_ns
    except OSError:
        changed = 0
    return _taught(folder, changed).held(papers)


@lru_cache(maxsize=1)
def _taught(folder: str, changed: int) -> Topical:
    return Topical(read_lessons(Path(folder)) if changed else None)


def stamp_of(corrections: Mapping[str, Sequence[str]]) -> int:
    """Another number for other corrections."""
    return crc32(repr(sorted(corrections.items())).encode())


def read_lessons(folder: Path, stamp: int | None = None) -> Lessons | None:
    """The lessons that were written beside an index; None where there are none, they can't be read, or they are of
    another stamp."""
    path = folder / LESSONS
    if not path.exists():
        return None
    import numpy as np

    from octavo.topics.classify import Lessons

    try:
        with np.load(path) as arrays:
            if stamp is not None and int(arrays["stamp"]) != stamp:
                return None
            return Lessons(arrays["places"], arrays["wanted"])
    except (OSError, ValueError, KeyError, BadZipFile):
        return None


def write_lessons(folder: Path, lessons: Lessons | None, stamp: int = 0) -> None:
    """Leave lessons beside an index, or take away what is there."""
    path = folder / LESSONS
    if lessons is None:
        path.unlink(missing_ok=True)
        return
    import numpy as np

    fresh = folder / f"{LESSONS}.new"
    with fresh.open("wb") as file:
        np.savez(file, places=lessons.places, wanted=lessons.wanted, stamp=np.int64(stamp))
    fresh.replace(path)
