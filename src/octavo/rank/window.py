"""The first hundred or so of a vague query: candidates by words and by meaning, compared one by one.

Who has all the words comes first; where those are fewer than a hundred, papers follow that have most of the words or
are near in meaning. Beyond the window the order is by words alone, so that leafing to the last page needs no vectors.
"""

from __future__ import annotations

from dataclasses import dataclass

from octavo.index.meaning import Sense
from octavo.index.text import TextIndex
from octavo.index.text_query import Query, all_of, any_of, compile_query, excluding, keyed, side_by_side, term, titled
from octavo.query.ast import Phrase
from octavo.rank.fuse import LEAST_COSINE, LEAST_KNOWN, WINDOW, Fused, fuse
from octavo.rank.laps import Laps
from octavo.rank.plan import Plan
from octavo.records.fold import title_key

_NARROW = 20_000
"""Papers that a filter may let pass for all of them to be named to the vectors; of more, the nearest are asked."""
_CERTAIN = 20
"""More papers than this with the whole query in a row, or by one name, say nothing certain."""
_NAME_WORDS = (2, 3, 4)


@dataclass(frozen=True, slots=True)
class Window:
    """Candidates in their order."""

    hits: tuple[Fused, ...]
    matching: int
    """How many papers match all of the query, in and beyond the window."""
    n_inside: int
    """How many of those are in the window."""
    by_meaning: bool
    """Whether meaning had a say."""
    least: int = 1
    """How many of the words were enough for those that don't match."""

    @property
    def total(self) -> int:
        """Everything that can be leafed through."""
        return self.matching + len(self.hits) - self.n_inside


class Compared:
    """Makes the window of one query."""

    def __init__(self, index: TextIndex, plan: Plan, sense: Sense | None, laps: Laps) -> None:
        """Compare by what `plan` asks for, and by the meaning of `sense` where there is one."""
        self._index = index
        self._plan = plan
        self._sense = sense
        self._laps = laps
        self._near: dict[int, float] = {}
        self._known = self._trust = 0.0

    def window(self) -> Window:
        """Candidates by words and by meaning, fused."""
        plan, index = self._plan, self._index
        with self._laps.lap("words, all of them"):
            every = index.search(plan.matches, WINDOW)
            guards = dict.fromkeys((pk for pk, _ in every.hits), "words") | self._certain()
        with self._laps.lap("meaning"):
            self._find_nearest()
        with self._laps.lap("words, some of them"):
            bm25: dict[int, float] = {}
            strangers = self._near.keys() - guards.keys()
            if every.total > len(every.hits):  # who matches, though not among the first by words, is compared too
                guards |= dict.fromkeys(index.scores(plan.matches, strangers), "words")
                strangers = set()
            else:
                bm25 = dict(index.search(plan.any_word, WINDOW).hits)
                strangers |= bm25.keys() - guards.keys()
            bm25 |= index.scores(plan.any_word, (guards.keys() | strangers) - bm25.keys())
        with self._laps.lap("fusing"):
            cosines = self._cosines(guards.keys() | strangers)
            least, enough = self._enough(strangers, is_any=bool(guards))
            # The names of a Chinese sentence's terms are many: one that is frequent must not outweigh the others.
            most = dict.fromkeys(enough, "most") if plan.chinese else {}
            fused = fuse(bm25, cosines, guards | most, 0.0 if "author" in guards.values() else self._weight)
            kept = self._kept(fused, strangers, enough)
        n_inside = len(kept) - sum(one.pk in strangers for one in kept)
        by_meaning = any(one.weight for one in kept)
        return Window(tuple(kept), max(every.total, n_inside), n_inside, by_meaning, least)

    def by_meaning(self) -> Window:
        """The nearest in meaning, whatever words they have."""
        with self._laps.lap("meaning"):
            self._find_nearest()
        with self._laps.lap("fusing"):
            return Window(tuple(fuse({}, self._near, {}, 1.0)), 0, 0, by_meaning=True)

    @property
    def _weight(self) -> float:
        return self._plan.weight * self._trust

    def _certain(self) -> dict[int, str]:
        """Papers that are what the query is, as far as words can tell, each with the highest guard that it has."""
        plan, index = self._plan, self._index
        found: dict[int, str] = {}
        if len(plan.words) in _NAME_WORDS and not plan.chinese and all(word.text.isalpha() for word in plan.words):
            name = tuple(part for word in plan.words for part in word.exact)
            by_name = all_of([*plan.filters, compile_query(Phrase("author", name))])
            found.update((pk, "author") for pk, _ in index.search(by_name, WINDOW).hits)
        if plan.row:
            in_row = index.search(all_of([*plan.filters, any_of(side_by_side(plan.row))]), _CERTAIN + 1)
            found.update((pk, "row") for pk, _ in in_row.hits if in_row.total <= _CERTAIN)
        key = title_key(plan.plain)
        if key and plan.words:  # `adam` is Adam: A Method for Stochastic Optimization, before whoever is called Adam
            called = index.search(term("called", key), _CERTAIN + 1)
            found.update((pk, "called") for pk, _ in called.hits if called.total <= _CERTAIN)
        found.update((pk, "near") for pk, _ in plan.near)
        if key:
            found.update((pk, "title") for pk, _ in index.search(titled(key), _CERTAIN).hits)
        return found

    def _find_nearest(self) -> None:
        """The papers nearest in meaning that fit the filters."""
        sense, plan = self._sense, self._plan
        if sense is None or not plan.meant.strip():
            return
        self._known, self._trust = sense.coverage(plan.meant), sense.trust(plan.meant)
        self._vector = sense.vector(plan.meant)
        if not plan.filters:
            self._near = sense.nearest(self._vector, WINDOW)
            return
        filtered = all_of(plan.filters)
        n_fitting = self._index.search(filtered, 1).total
        if n_fitting <= _NARROW:  # its own papers are looked through
            self._near = sense.nearest(self._vector, WINDOW, self._index.pks(filtered))
            return
        share = n_fitting / max(n_fitting, self._index.n_papers)
        self._near = sense.nearest_where(
            self._vector, WINDOW, lambda pks: self._index.scores(filtered, pks).keys(), share
        )

    def _cosines(self, pks: set[int]) -> dict[int, float]:
        """How near each candidate is, as far as it has a vector."""
        if self._sense is None or not self._near:
            return {}
        return {pk: self._near[pk] for pk in self._near.keys() & pks} | self._sense.cosines(
            self._vector, pks - self._near.keys()
        )

    def _enough(self, strangers: set[int], *, is_any: bool) -> tuple[int, set[int]]:
        """How many of the words are enough for who has not all of them, and who has so many."""
        plan = self._plan
        least = plan.least(is_any=is_any)
        if plan.n_words < 2:
            return least, set()
        counts = self._index.scores(plan.count, strangers)
        if plan.chinese and not is_any and max(counts.values(), default=0.0) < least:
            least = 1  # a Chinese sentence is never the abstract word for word: one of its terms is better than nothing
        return least, {pk for pk, count in counts.items() if count >= least}

    def _kept(self, fused: list[Fused], strangers: set[int], enough: set[int]) -> list[Fused]:
        """The candidates without those that neither words nor meaning speak for, up to a hundred that don't match."""
        room = max(0, WINDOW - (len(fused) - len(strangers)))
        kept = []
        for one in fused:
            if one.pk in strangers:
                is_near = one.cosine is not None and one.cosine >= LEAST_COSINE and self._known >= LEAST_KNOWN
                if not room or not (one.pk in enough or is_near):
                    continue
                room -= 1
            kept.append(one)
        return kept


def beyond(plan: Plan, window: Window) -> Query:
    """Papers that match and are not in the window."""
    return excluding(plan.matches, keyed([one.pk for one in window.hits]))
