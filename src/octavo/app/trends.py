"""Use cases: topics and terms over years and venues, and the page of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from octavo.app.base import Progress, silent, told
from octavo.app.near_names import near_terms
from octavo.app.similar import Similar
from octavo.app.subjects import TAKEN, Kept, Subject, bundled_terms, share_view, term_subject, topic_subject, topic_tree
from octavo.app.topics import TopicCases
from octavo.app.venues import VenueCases
from octavo.errors import NotFound, UsageError
from octavo.query.ast import (
    Everything,
    HasNode,
    Or,
    Range,
    TopicNode,
    VenueNode,
    conjunction,
)
from octavo.query.ast import Node as Tree

if TYPE_CHECKING:
    from octavo.rank.trends import Change
    from octavo.topics.glossary import Term
    from octavo.topics.nodes import Node
    from octavo.views_trends import (
        TrendsView,
        TrendView,
    )

BY = ("year", "venue")
MOST_YEARS = 40
"""Years of one answer."""
USUAL_YEARS = 10
"""Years that are looked at where nobody says which."""
CHART_YEARS = 25
"""Years of the chart of a topic or a term."""
LEAST_PAPERS = 30
"""Papers, of years that have enough, that a subject needs before it is called rising or falling."""
MOST_SUBJECTS = 100
"""Topics or terms that can be named at once."""
_FEW_YEAR = 20
"""A last year with fewer papers has only begun, or is a mistake."""
MOST_VALUES = 60_000


class TrendCases(TopicCases, VenueCases, Similar):
    """Shares over years and venues; the pages of topics and terms."""

    @told
    def trends(
        self,
        *,
        topics: Sequence[str] = (),
        terms: Sequence[str] = (),
        kind: str = "topic",
        venue: str = "",
        area: str = "",
        since: int | None = None,
        until: int | None = None,
        by: str = "year",
        direction: str = "",
        limit: int = 200,
        progress: Progress = silent,
    ) -> TrendsView:
        """Shares of topics or terms, over years or venues (`docs/trends.md`).

        Args:
            topics: By any of their names; none are the areas, or the topics right below `area`, or, where a direction
                is asked for, all.
            terms: By any of their names, instead of topics.
            kind: `topic` or `term`: what is meant where none is named.
            venue: Only papers that appeared there.
            area: Only topics below this one, as shares of its papers.
            since: The first year; ten years are shown where it is not given.
            until: The last year; the last of which there is more than a beginning.
            by: `year` or `venue`.
            direction: `rising` or `falling`: only what is told from noise to be so, the surest growth first.
            limit: Subjects of the answer.
            progress: Told of the work, where the index has to catch up first.

        Raises:
            UsageError: something that can't be asked for.
            NotFound: no topic, term or venue of that name.
        """
        from octavo.views_trends import TrendsView

        _check(topics, terms, kind, by, direction, limit)
        notes = list(self.bring_up_to_date(progress))
        kind = "term" if terms else "topic" if topics or area else kind
        root = self._topic_named(area) if area else None
        place = self.venue(venue) if venue else None
        scope = self._scope(kind, root.slug if root else "", place.short if place else "", place.key if place else "")
        subjects = self._subjects(kind, topics, terms, root, is_every=bool(direction) or kind == "term")
        years, totals = self._span(scope, since, until)
        asked = (years[0], years[-1]) if years else (since or 0, until or 0)
        if by == "venue":
            found = self._over_venues(subjects, scope, asked)
        else:
            found, n_tested = self._over_years(subjects, kind, scope, years, totals, is_told=True)
        if not years:
            missing = "topic" if kind == "topic" else "abstract"
            notes.append(
                f"No paper of these years has a{'n' * (kind == 'term')} {missing}." if self._catalogue.seq else ""
            )
        if direction:
            found = [one for one in found if one.direction == direction]
            found.sort(key=lambda one: -_surest(one))
        elif kind == "term" and not terms:
            found = sorted((one for one in found if one.n), key=lambda one: (-one.n, one.slug))
        return TrendsView(
            kind,
            by,
            *asked,
            place.short if place else "",
            root.slug if root else "",
            direction,
            tuple(found[:limit]),
            n_tested if by == "year" else 0,
            len(found),
            tuple(filter(None, notes)),
        )

    @told
    def topic_years(self, name: str = "") -> tuple[TrendView, ...]:
        """Every topic, or (with a name) those right below one, with its papers of each of the last years, in the order
        of the tree."""
        self.bring_up_to_date()
        tree = topic_tree()
        nodes = tree.children(self._topic_named(name)) if name else tree.nodes
        return self._years_of([topic_subject(tree, node) for node in nodes], "topic")

    def _years_of(self, subjects: Sequence[Subject], kind: str) -> tuple[TrendView, ...]:
        scope = self._scope(kind)
        years, totals = self._span(scope, None, None, CHART_YEARS)
        found, _ = self._over_years(subjects, kind, scope, years, totals, is_told=False)
        return tuple(found)

    def _topic_named(self, name: str) -> Node:
        """The topic of a name.

        Raises:
            NotFound: there is none; near names are told.
        """
        return self._node(topic_tree(), name)

    def _term_named(self, name: str) -> Term:
        """The term of a name.

        Raises:
            NotFound: there is none; near names are told.
        """
        known = bundled_terms()
        if found := known.find(name.strip()[:200]):
            return found
        near = [one.english for one in near_terms(name)]
        hint = f"Did you mean {' or '.join(near)}?" if near else "`octavo terms` lists them."
        raise NotFound(f"The glossary has no term {name[:80]!r}.", hint=hint)

    # -- counting -----------------------------------------------------------------------------------------------------

    @property
    def _counted(self) -> Kept:
        """What was counted, for as long as the index stays as it is."""
        kept: Kept = self.__dict__.setdefault("_kept_counts", Kept())
        state = (self._catalogue.key, self._catalogue.seq, self._index.manifest, self._index.n_papers)
        if kept.state != state:
            kept.state = state
            kept.tables.clear()
        return kept

    def _facet(self, name: str) -> dict[str, int]:
        """How many papers of the whole index have each value."""
        from octavo.index.text_query import compile_query

        if (found := self._counted.tables.get(name)) is None:
            found = dict(self._index.facets(compile_query(Everything()), (name,), MOST_VALUES)[name])
            self._counted.tables[name] = found
        return found  # type: ignore[return-value]

    def _scope(self, kind: str, area: str = "", venue: str = "", key: str = "") -> Tree:
        """The papers that shares are counted among: of topics those that have one, of terms those with an abstract,
        in which terms are found."""
        if area:
            base: Tree = TopicNode(area)
        elif kind == "topic":
            areas = tuple(TopicNode(one.slug) for one in topic_tree().areas)
            base = Or(areas)
        else:
            base = HasNode("abstract")
        return conjunction([base, VenueNode(venue, (key,)), *TAKEN]) if venue else base

    def _span(
        self, scope: Tree, since: int | None, until: int | None, usual: int = USUAL_YEARS
    ) -> tuple[list[int], dict[int, int]]:
        """The years that are looked at, without a gap, and how many papers each has; none where there are no papers.

        Raises:
            UsageError: years that can't be asked for.
        """
        for one in (since, until):
            if one is not None and not 1000 <= one <= 9999:
                raise UsageError(f"{one} is no year.", hint="A year has four digits.")
        totals = self._totals(scope)
        if not totals:
            return [], {}
        last = until if until is not None else max(since or 0, self._last_year(scope))
        first = since if since is not None else max(min(min(totals), last), last - usual + 1)
        if first > last:
            raise UsageError(f"The years go from {first} to {last}, which is backwards.")
        if last - first >= MOST_YEARS:
            raise UsageError(f"At most {MOST_YEARS} years are shown at once.", hint=f"--from {last - MOST_YEARS + 1}")
        years = list(range(first, last + 1))
        return (years, totals) if any(totals.get(year) for year in years) else ([], {})

    def _last_year(self, scope: Tree) -> int:
        """The last year of the catalogue of which there is more than a beginning, if papers of the scope have one."""
        totals, everywhere = self._totals(scope), self._totals(Everything())
        full = [year for year in totals if everywhere.get(year, 0) >= _FEW_YEAR]
        return max(full or totals)

    def _totals(self, scope: Tree) -> dict[int, int]:
        from octavo.index.text_query import compile_query

        key = ("totals", scope)
        if (found := self._counted.tables.get(key)) is None:
            counted = self._index.facets(compile_query(scope), ("year",), MOST_VALUES)["year"]
            found = self._counted.tables[key] = {int(year): n for year, n in counted}
        return found  # type: ignore[return-value]

    def _over_years(
        self,
        subjects: Sequence[Subject],
        kind: str,
        scope: Tree,
        years: Sequence[int],
        totals: dict[int, int],
        *,
        is_told: bool,
    ) -> tuple[list[TrendView], int]:
        """Each subject's years; and among how many changes were told from noise."""
        from octavo.rank.trends import LEAST_OF, adjusted, changes
        from octavo.views_trends import TrendView

        table = self._table(kind, scope, years)
        rows = [[table.get(year, {}).get(one.slug, 0) for year in years] for one in subjects]
        of = [totals.get(year, 0) for year in years]
        told = changes(rows, [of] * len(rows), years) if is_told and years else [None] * len(rows)
        counted = [sum(n for n, total in zip(row, of, strict=True) if total >= LEAST_OF) for row in rows]
        told = [one if n >= LEAST_PAPERS else None for one, n in zip(told, counted, strict=True)]
        tested = [at for at, one in enumerate(told) if one is not None]
        q = dict(zip(tested, adjusted([one.p for one in told if one is not None]), strict=True))
        is_short = is_told and _is_short(of)
        found = []
        for at, (one, row) in enumerate(zip(subjects, rows, strict=True)):
            shares = tuple(share_view(str(year), n, total) for year, n, total in zip(years, row, of, strict=True))
            names = (one.kind, one.slug, one.name, one.name_zh, one.address)
            found.append(TrendView(*names, sum(row), shares, told[at], q.get(at), is_short))
        return found, len(tested)

    def _table(self, kind: str, scope: Tree, years: Sequence[int]) -> dict[int, dict[str, int]]:
        """How many papers of each year have each topic or term."""
        from octavo.index.text_query import compile_query

        if not years:
            return {}
        key = ("table", kind, scope, years[0], years[-1])
        if (found := self._counted.tables.get(key)) is None:
            query = compile_query(conjunction([scope, Range("year", years[0], years[-1])]))
            found = {int(year): row for year, row in self._index.crossed(query, "year", kind).items()}
            self._counted.tables[key] = found
        return found  # type: ignore[return-value]

    def _trend_of(self, subject: Subject) -> TrendView:
        """One subject's years, with its change over the last ten told among those of all subjects of its kind."""
        from dataclasses import replace

        scope = self._scope(subject.kind)
        years, totals = self._span(scope, None, None, CHART_YEARS)
        (trend,), _ = self._over_years([subject], subject.kind, scope, years, totals, is_told=False)
        change, q = self._told(subject.kind).get(subject.slug, (None, None))
        of_told, _ = self._span(scope, None, None)
        return replace(trend, change=change, q=q, is_short=_is_short([totals.get(year, 0) for year in of_told]))

    def _told(self, kind: str) -> dict[str, tuple[Change | None, float | None]]:
        """Each subject's change over the last ten years, told from noise among all of its kind."""
        key = ("told", kind)
        if (found := self._counted.tables.get(key)) is None:
            scope = self._scope(kind)
            years, totals = self._span(scope, None, None)
            subjects = self._subjects(kind, (), (), None, is_every=True)
            trends, _ = self._over_years(subjects, kind, scope, years, totals, is_told=True)
            found = self._counted.tables[key] = {one.slug: (one.change, one.q) for one in trends}
        return found  # type: ignore[return-value]

    def _over_venues(self, subjects: Sequence[Subject], scope: Tree, asked: tuple[int, int]) -> list[TrendView]:
        """Each subject's share at each venue in these years; the venue with the highest share first."""
        from octavo.index.text_query import compile_query
        from octavo.views_trends import TrendView

        base = [scope, Range("year", *asked), *TAKEN]
        totals = dict(self._index.facets(compile_query(conjunction(base)), ("venue",), MOST_VALUES)["venue"])
        found = []
        for one in subjects:
            query = compile_query(conjunction([*base, one.node]))
            counts = dict(self._index.facets(query, ("venue",), MOST_VALUES)["venue"])
            shares = [
                share_view(venue, counts.get(venue, 0), total) for venue, total in totals.items() if total >= _FEW_YEAR
            ]
            shares.sort(key=lambda share: (-(share.share or 0), share.of))
            names = (one.kind, one.slug, one.name, one.name_zh, one.address)
            found.append(TrendView(*names, self._index.search(query, 1).total, tuple(shares)))
        return found

    def _subjects(
        self, kind: str, topics: Sequence[str], terms: Sequence[str], root: Node | None, *, is_every: bool
    ) -> list[Subject]:
        """What is counted: what is named; else the areas, or what is right below a topic; else every one."""
        tree = topic_tree()
        if kind == "term":
            return [term_subject(self._term_named(one)) for one in terms] or [
                term_subject(one) for one in bundled_terms()
            ]
        if topics:
            nodes: Iterable[Node] = [self._topic_named(one) for one in topics]
        elif is_every:
            nodes = tree.descendants(root) if root else [one for one in tree if one.parent]
        else:
            nodes = tree.children(root) if root else tree.areas
        found: dict[str, Subject] = {}
        for node in nodes:
            # Two nodes that are counted as one would be tested twice.
            found.setdefault(tree.canonical(node).slug, topic_subject(tree, node if topics else tree.canonical(node)))
        return list(found.values())


def _is_short(totals: Sequence[int]) -> bool:
    """Whether too few years have papers enough for any change to be told."""
    from octavo.rank.trends import LEAST_OF, LEAST_YEARS

    return sum(total >= LEAST_OF for total in totals) < LEAST_YEARS


def _surest(one: TrendView) -> float:
    """How much it grew or fell at least, as factors of the odds."""
    if one.change is None:
        return 0.0
    return 1 + one.change.low if one.change.rate > 0 else 1 / (1 + one.change.high)


def _check(topics: Sequence[str], terms: Sequence[str], kind: str, by: str, direction: str, limit: int) -> None:
    """Refuse what can't be asked for.

    Raises:
        UsageError: it names what, and what there is.
    """
    from octavo.views_trends import DIRECTIONS

    if topics and terms:
        raise UsageError("Topics and terms can't be compared.", hint="Ask for the ones, then for the others.")
    if len(topics) + len(terms) > MOST_SUBJECTS:
        raise UsageError(f"At most {MOST_SUBJECTS} can be named at once.")
    for what, given, there in (
        ("kind", kind, ("topic", "term")),
        ("way", by, BY),
        ("direction", direction, ("", *DIRECTIONS)),
    ):
        if given not in there:
            raise UsageError(f"There is no {what} {given[:40]!r}.", hint=f"Known are {', '.join(filter(None, there))}.")
    if direction and by != "year":
        raise UsageError("What rises or falls does so over years.", hint="Leave out --by venue.")
    if limit < 1:
        raise UsageError(f"A limit is 1 or more, not {limit}.")
