"""Use cases: the tree of topics, what papers are about, and the reader's word on it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.app.base import Progress, silent, told
from octavo.app.finding import Finding
from octavo.catalogue.topics import Corrections
from octavo.config import index_path
from octavo.errors import NotFound, SearchIndexError, UsageError
from octavo.index.meaning import text_for_meaning
from octavo.records.paper import Paper, PaperId

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring numpy and the tree.
    from octavo.index.topical import Topical
    from octavo.topics.evaluate import Guess, Labelled
    from octavo.topics.tree import Node, Tree
    from octavo.views_topics import CorrectedView, PaperTopicsView, TopicMeasuresView, TopicTreeView

PUPILS = 200
"""Papers near a corrected one whose topics are told anew at most; more follow when they change, or with `rebuild`."""
MOST_TOPICS = 6
"""Topics that one paper can be given."""
_MOST_VALUES = 5_000
_SHOWN_WRONG = 40


class TopicCases(Finding):
    """Topics."""

    @told
    def topic_tree(self, name: str = "", tree_file: str | os.PathLike[str] | None = None) -> TopicTreeView:
        """The tree of topics with how many papers each has; with `name` (any name of a topic, English or Chinese) only
        what is below it. `tree_file` shows another tree, a file or folder (`docs/topics.md`).

        Raises:
            NotFound: no topic has that name.
            TreeError: something is wrong with the tree in `tree_file`, with the line.
        """
        from octavo.topics.tree import load_tree
        from octavo.views_topics import TopicTreeView, TopicView

        tree = load_tree(Path(tree_file) if tree_file is not None else None)
        root = self._node(tree, name) if name else None
        notes = self.bring_up_to_date()
        counts, n_with_topic = self._topic_counts(tree)
        nodes = (root, *tree.descendants(root)) if root else tree.nodes
        if root is None:
            nodes = tuple(node for area in tree.areas for node in (area, *tree.descendants(area)))
        views = tuple(TopicView.of(tree, node, counts.get(tree.canonical(node).slug, 0)) for node in nodes)
        shown_root = views[0] if root else None
        return TopicTreeView(views[1:] if root else views, self._index.n_papers, n_with_topic, shown_root, notes)

    def _topic_counts(self, tree: Tree) -> tuple[dict[str, int], int]:
        """How many papers of the index each topic has, and how many have any."""
        from octavo.index.text_query import compile_query
        from octavo.query.ast import Everything, Or, TopicNode

        if not self._index.manifest:
            return {}, 0
        counts = dict(self._index.facets(compile_query(Everything()), ("topic",), _MOST_VALUES)["topic"])
        areas = tuple(TopicNode(area.slug) for area in tree.areas if area.slug in counts)
        if not areas:
            return counts, 0
        return counts, self._index.search(compile_query(Or(areas) if len(areas) > 1 else areas[0]), 1).total

    @told
    def topics_of(self, paper: str | Paper) -> PaperTopicsView:
        """What a paper is about, with where each topic comes from and how sure it is.

        Raises:
            NotFound: no such paper.
        """
        found = paper if isinstance(paper, Paper) else self._get(paper.strip())[1]
        return self._topics_of(found)

    def _topics_of(self, paper: Paper) -> PaperTopicsView:
        from octavo.topics.tree import bundled_tree
        from octavo.views_topics import AssignedView, PaperTopicsView, TopicView

        tree = bundled_tree()
        corrections = Corrections(self._catalogue.database).of([paper.id])
        about = self._topical.about([paper], corrections)[0]
        said = corrections.get(paper.id)
        return PaperTopicsView(
            paper,
            tuple(AssignedView(TopicView.of(tree, tree[one.slug]), one) for one in about.topics),
            about.terms,
            said is not None,
            tuple(slug for slug in said or () if slug not in tree),
            about.n_teachers,
        )

    @property
    def _topical(self) -> Topical:
        """What tells topics, with the lessons that the index was made with."""
        from octavo.index.topical import LESSONS, Topical, read_lessons

        folder = index_path(self.home)
        try:
            changed = (folder / LESSONS).stat().st_mtime_ns
        except OSError:
            changed = 0
        kept: tuple[int, Topical] | None = self.__dict__.get("_kept_topical")
        if kept is None or kept[0] != changed:
            kept = self.__dict__["_kept_topical"] = (changed, Topical(read_lessons(folder) if changed else None))
        return kept[1]

    @told
    def correct_topics(self, paper: str, topics: Sequence[str], progress: Progress = silent) -> CorrectedView:
        """Let a paper be about these topics and no others, by any of their names; about none where there are none. It
        outranks all that sources say, follows the paper when it is joined with others, and teaches: near papers of
        which no source says a topic are told anew.

        Raises:
            NotFound: no such paper, or no topic of that name.
            UsageError: too many topics.
        """
        from octavo.topics.tree import bundled_tree

        if len(topics) > MOST_TOPICS:
            raise UsageError(f"{len(topics)} topics are too many for one paper.", hint=f"At most {MOST_TOPICS}.")
        tree = bundled_tree()
        slugs = [tree.canonical(self._node(tree, name)).slug for name in topics]
        pk, found = self._get(paper.strip())
        return self._corrected(pk, found, tuple(dict.fromkeys(slugs)), progress)

    @told
    def forget_topics(self, paper: str, progress: Progress = silent) -> CorrectedView:
        """Take a correction back: the paper's topics are again what its sources and its text say.

        Raises:
            NotFound: no such paper.
        """
        pk, found = self._get(paper.strip())
        return self._corrected(pk, found, None, progress)

    def _corrected(self, pk: int, paper: Paper, slugs: tuple[str, ...] | None, progress: Progress) -> CorrectedView:
        from octavo.views_topics import CorrectedView

        corrections = Corrections(self._catalogue.database)
        is_changed = corrections.forget(paper.id) if slugs is None else corrections.correct(paper.id, slugs)
        n_near = 0
        if is_changed:
            n_near = corrections.touch(dict.fromkeys([pk, *self._near(paper)])) - 1
            self.bring_up_to_date(progress)
        return CorrectedView(self._topics_of(paper), is_changed, n_near)

    def _near(self, paper: Paper) -> list[int]:
        """The keys of the papers near one, as far as that is known."""
        from octavo.topics.classify import NEAR

        with suppress(SearchIndexError):
            if sense := self._meaning.sense(self._catalogue.key):
                vector = sense.encoder.encode_documents([text_for_meaning(paper)])[0]
                near = sense.nearest(vector, PUPILS) if vector.any() else {}
                return [pk for pk, cosine in near.items() if cosine >= NEAR]
        return []

    @staticmethod
    def _node(tree: Tree, name: str) -> Node:
        """The topic of a name.

        Raises:
            NotFound: there is none; near names are told.
        """
        if node := tree.find(name.strip()):
            return node
        names = {known.casefold(): known for node in tree for known in (node.name, node.name_zh, *node.aliases)}
        near = get_close_matches(name.strip().casefold(), names, 3)
        hint = f"Did you mean {' or '.join(names[one] for one in near)}?" if near else "`octavo topics` lists them."
        raise NotFound(f"There is no topic {name[:80]!r}.", hint=hint)

    # -- measuring ---------------------------------------------------------------------------------------------------

    @told
    def evaluate_topics(
        self, path: str | os.PathLike[str], *, split: str = "", progress: Progress = silent
    ) -> TopicMeasuresView:
        """How well the topics of the labelled papers of a file are told (`docs/topics.md`). A paper whose line has no
        abstract is looked up in the catalogue; nothing is changed, and no correction counts.

        Raises:
            MissingFileError: there is no such file.
            FormatError: a line is no labelled paper.
            UsageError: no labelled paper is in the catalogue.
        """
        from octavo.topics.evaluate import agreement, confusions, rates, read_labels
        from octavo.topics.tree import bundled_tree
        from octavo.views_topics import TopicMeasuresView

        every = read_labels(Path(path), bundled_tree(), split)
        found = [(one, self._labelled_paper(one)) for one in every]
        known = [(one, paper) for one, paper in found if paper is not None]
        if not known:
            raise UsageError(
                f"None of the {len(every):,} labelled papers is in the catalogue.",
                hint="Add the papers first, or give each line its abstract; --split names a part of the file.",
            )
        labelled = [one for one, _ in known]
        papers = [paper for _, paper in known]
        progress("telling topics", 0, len(papers))
        guesses = {"all": self._guesses(papers, is_text_alone=False), "text": self._guesses(papers, is_text_alone=True)}
        progress("telling topics", len(papers), len(papers))
        return TopicMeasuresView(
            str(path),
            split,
            len(known),
            tuple(one.identifiers[0] if one.identifiers else one.title for one, paper in found if paper is None),
            {way: rates(labelled, made) for way, made in guesses.items()},
            agreement(every),
            tuple(confusions(labelled, guesses["all"])),
            tuple(
                (one.line, one.title, one.first, guess.topics[0] if guess.topics else "")
                for one, guess in zip(labelled, guesses["all"], strict=True)
                if guess.topics[:1] == () or guess.topics[0] not in one.topics
            )[:_SHOWN_WRONG],
        )

    def _labelled_paper(self, one: Labelled) -> Paper | None:
        if one.abstract:
            return Paper(PaperId(f"line {one.line}"), one.title, (), abstract=one.abstract)
        for name in one.identifiers:
            with suppress(NotFound, UsageError):
                return self._get(name)[1]
        return None

    @staticmethod
    def _guesses(papers: Sequence[Paper], *, is_text_alone: bool) -> list[Guess]:
        from octavo.index.topical import Topical

        chosen = list(papers)
        if is_text_alone:
            chosen = [
                Paper(paper.id, paper.title, (), abstract=paper.abstract, summary=paper.summary) for paper in papers
            ]
        return Topical().guesses(chosen)
