"""Use case: the papers related to one paper, to several, or to a text."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from octavo.app.base import Progress, names_of, silent, text_of, told
from octavo.app.finding import Finding
from octavo.errors import SearchIndexError, UsageError
from octavo.records.paper import Paper
from octavo.views_similar import RelatedView, SimilarView

if TYPE_CHECKING:
    from octavo.index.encoder import Encoder
    from octavo.index.vectors import VectorIndex
    from octavo.rank.similar import Kin, Related

MOST_SEEDS = 200
"""Papers whose relatives can be sought together; the middle of more is the middle of everything."""
SORTS = ("relation", "newest")
_NO_WORDS = "There is no word in it by which papers could be found."


class Similar(Finding):
    """Related papers."""

    @told
    def similar(
        self,
        names: Sequence[str] = (),
        text: str = "",
        limit: int = 20,
        offset: int = 0,
        *,
        sort: str = "relation",
        progress: Progress = silent,
    ) -> SimilarView:
        """Find the papers related to those named, to a text, or to both together (`docs/related.md`).

        Raises:
            UsageError: nothing is given, too many papers are, or a limit, offset or order that there isn't.
            NotFound: a name that no paper has.
        """
        from octavo.rank.similar import MOST

        names, text = names_of(names), text_of(text, "A pasted text")
        _check(names, text, limit, offset, sort, MOST)
        notes = self.bring_up_to_date(progress)
        papers = dict(self._get(name.strip()) for name in dict.fromkeys(names))
        if not self._catalogue.seq:
            return SimilarView((), text.strip(), sort, 0, (), notes=notes)
        from octavo.catalogue.relatives import Relatives
        from octavo.rank.given import MOST_LETTERS, given
        from octavo.rank.similar import Sources, related

        vectors, encoder = self._space_of_meaning()
        asked, said = given(papers, text, vectors, encoder)
        sources = Sources(
            self._index,
            vectors,
            Relatives(self._catalogue.database).read,
            self._catalogue.get_papers,
            self._catalogue.find_holders,
        )
        found = related(sources, asked)
        said = [*said, *self._said_of_related(found, papers)] if found.words or papers else [_NO_WORDS]
        shown = found.kin if sort == "relation" else sorted(found.kin, key=_age)
        return SimilarView(
            tuple(papers.values()),
            text.strip()[:MOST_LETTERS],
            sort,
            len(found.kin),
            self._related_views(found, shown[offset : offset + limit], offset),
            found.collapsed,
            len(found.left_out),
            asked.vector is not None,
            (*notes, *said),
            tuple(word.shown for word in found.words if word.shown),
        )

    def _space_of_meaning(self) -> tuple[VectorIndex | None, Encoder | None]:
        """The vectors of meaning and their encoder, as far as there are any."""
        with suppress(SearchIndexError):
            if self._meaning.is_possible and self._is_prepared():
                return self._meaning.vectors(self._catalogue.key), self._meaning.encoder
        return None, None

    def _said_of_related(self, found: Related, papers: dict[int, Paper]) -> list[str]:
        """What a reader should know of an answer."""
        if papers and len(papers) >= self._index.n_papers:
            return ["Every paper of the catalogue is among those given."]
        return [
            f"The text is of “{paper.title}” ({paper.id}), which is left out."
            for paper in self._catalogue.get_papers(found.named).values()
        ]

    def _related_views(self, found: Related, kin: Sequence[Kin], offset: int) -> tuple[RelatedView, ...]:
        from octavo.rank.similar import explained

        wanted = {pk for one in kin for pk in (one.relative.pk, *one.also)}
        papers = self._catalogue.get_papers(sorted(wanted))
        return tuple(
            RelatedView(
                offset + n,
                papers[one.relative.pk],
                one.score,
                explained(one, papers[one.relative.pk], found.words),
                tuple(papers[pk].id for pk in one.also if pk in papers),
            )
            for n, one in enumerate(kin, 1)
            if one.relative.pk in papers
        )


def _check(names: Sequence[str], text: str, limit: int, offset: int, sort: str, most: int) -> None:
    if not names and not text.strip():
        raise UsageError("There is nothing to compare papers with.", hint="Name a paper, or give a text.")
    if len(names) > MOST_SEEDS:
        raise UsageError(
            f"{len(names):,} papers are too many to compare with at once.", hint=f"Name at most {MOST_SEEDS}."
        )
    if not 1 <= limit <= most:
        raise UsageError(f"A limit is 1 to {most}, not {limit}.", hint="No more are looked for: see docs/related.md.")
    if offset < 0:
        raise UsageError(f"An offset is 0 or more, not {offset}.")
    if sort not in SORTS:
        raise UsageError(f"There is no order {sort!r}.", hint=f"Known are {' and '.join(SORTS)}.")


def _age(one: Kin) -> tuple[bool, tuple[int, ...], float]:
    """For the newest first; what has no date comes last, and of one date the nearest first."""
    on = one.relative.on
    return not on, tuple(-int(part) for part in on.split("-")) if on else (), -one.score
