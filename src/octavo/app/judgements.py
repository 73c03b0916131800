"""Use cases: how papers are put together, and the reader's word on it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.app.base import names_of, told
from octavo.app.finding import Finding
from octavo.catalogue import Changes
from octavo.catalogue.links import Act
from octavo.views import (
    DoubtView,
    JudgedView,
    MeasureView,
    WhyView,
)

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.judging import Judge


class Judgements(Finding):
    """Why, doubts, join, split, undo."""

    @property
    def _judge(self) -> Judge:
        from octavo.judging import Judge  # late: it knows all of linking

        return Judge(self._catalogue)

    @told
    def why(self, name: str) -> WhyView:
        """How a paper was put together: its records, and what ties them.

        Raises:
            NotFound: no such paper.
        """
        return self._judge.why(*self._get(name.strip()))

    @told
    def doubts(self, limit: int = 50) -> tuple[int, tuple[DoubtView, ...]]:
        """How many pairs of records a reader might settle, and the nearest to certain of them."""
        return self._judge.doubts(limit)

    @told
    def join(self, names: Sequence[str]) -> JudgedView:
        """Let papers be one, whatever linking says, for good; `undo` takes it back.

        Raises:
            NotFound: no such paper.
            UsageError: they are one paper already.
        """
        return self._judged("join", *self._judge.join([self._get_only(name.strip()) for name in names_of(names)]))

    @told
    def split(self, name: str, out: Sequence[str]) -> JudgedView:
        """Let the records of a paper that are named (`source:key`, as `why` shows them) be a paper of their own.

        Raises:
            NotFound: no such paper, or it has no such record.
            UsageError: nothing or everything would go out.
        """
        return self._judged("split", *self._judge.split(self._get_only(name.strip()), out))

    @told
    def undo(self) -> JudgedView:
        """Take the last `join` or `split` that is in force back.

        Raises:
            NotFound: there is none.
        """
        act, changes = self._judge.undo()
        return self._judged(f"undo {act.kind}", act, changes)

    @staticmethod
    def evaluate_linking(
        path: str | os.PathLike[str],
        *,
        fields: Sequence[str] = (),
        splits: Sequence[str] = (),
        threshold: float = 0.0,
        with_vetoes: bool = False,
        most_wrong: int = 0,
    ) -> tuple[MeasureView, ...]:
        """How well linking tells the labelled pairs of a file, whatever is in the catalogue: all, then each kind.

        Raises:
            FormatError: a line is no labelled pair.
            UsageError: no pair is left.
        """
        from octavo.judging import measured

        return measured(Path(path), fields, splits, threshold, with_vetoes=with_vetoes, most_wrong=most_wrong)

    def _judged(self, said: str, act: Act, _changes: Changes) -> JudgedView:
        self.bring_up_to_date()
        names = dict.fromkeys(name for pair in act.pairs for name in pair)
        pks: dict[int, None] = {}
        for source, key in names:
            if stored := self._catalogue.find_records(source, [key]).get(key):
                pks[stored.paper] = None
        return JudgedView(said, tuple(self._catalogue.get_papers(list(pks)).values()))
