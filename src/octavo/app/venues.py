"""Use cases: the venues, and the list of an edition."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from octavo.app.base import told
from octavo.app.kept import Answers
from octavo.app.leafing import Leafing
from octavo.errors import NotFound, UsageError
from octavo.query.ast import Everything, Not, StatusNode, TopicNode, VenueNode, conjunction
from octavo.query.ast import Node as Tree
from octavo.query.parser import parse_lenient
from octavo.query.topic_names import BUNDLED
from octavo.records.paper import NOT_TAKEN
from octavo.views_venues import EditionView, RowView, TopicCountView, VenueView

if TYPE_CHECKING:
    from octavo.catalogue.listings import Row
    from octavo.records.venues import Edition
    from octavo.topics.nodes import Node

ORDERS = ("award", "title", "author")
"""Orders of an edition's list: prizes, orals and spotlights first; by title; by the first author's family name."""
AWARDS = ("prize", "oral", "spotlight", "poster")
"""What an edition's list can be narrowed to."""
MOST_ROWS = 20_000
"""Papers of an edition that are looked at."""
_MOST_VALUES = 100_000


@dataclass(frozen=True, slots=True)
class Entry:
    """A paper of an edition, ready to be narrowed."""

    pk: int
    awards: frozenset[str]
    track: str


_LISTS: Answers[tuple[list[Entry], int]] = Answers(60)
"""Lists of editions, up to half a megabyte each."""
_COUNTS: Answers[list[tuple[Edition, int]]] = Answers(2)


class VenueCases(Leafing):
    """The venues with their editions, and what appeared at one."""

    @told
    def venues(self) -> tuple[VenueView, ...]:
        """The venues of which papers are here, those with the most first. What was submitted, rejected or withdrawn
        is not counted."""
        from octavo.records.venues import venue_series

        years: dict[str, Counter[int]] = {}
        for edition, n in self._editions:
            years.setdefault(edition.venue, Counter())[edition.year or 0] += n
        found = []
        for key, counted in years.items():
            if series := venue_series(key):
                by_year = tuple(sorted(counted.items(), reverse=True))
                total = sum(counted.values())
                found.append(VenueView(key, series.short, series.name, series.kind, series.field, total, by_year))
        return tuple(sorted(found, key=lambda one: (-one.total, one.key)))

    @told
    def venue(self, name: str) -> VenueView:
        """A venue by its key or any of its names.

        Raises:
            NotFound: no venue has that name, or no paper of it is here.
        """
        from octavo.records.edition_names import venue_asked
        from octavo.records.venues import venue_series

        series = venue_series(name.lower())
        asked = venue_asked(name.replace("-", " ")) if series is None else None
        if series is None and asked is not None:
            series = venue_series(asked.terms[0])
        if series is None:
            raise NotFound(f"There is no venue {name[:60]!r}.")
        if found := next((one for one in self.venues() if one.key == series.key), None):
            return found
        raise NotFound(f"No paper of {series.short} is in the catalogue.")

    @told
    def edition(
        self,
        name: str,
        year: int,
        *,
        query: str = "",
        topic: str = "",
        award: str = "",
        track: str | None = None,
        sort: str = "award",
        limit: int = 50,
        offset: int = 0,
        whole: bool = False,
    ) -> EditionView:
        """What appeared at an edition of a venue.

        Args:
            name: The venue, by its key or any of its names.
            year: The edition's.
            query: Only papers that match all of a query.
            topic: Only papers of a topic, named by its slug.
            award: Only papers that were presented so, one of AWARDS.
            track: Only papers of a track; the main one is the empty text.
            sort: One of ORDERS.
            limit: Papers of a page.
            offset: Papers before it.
            whole: All of them at once, each with no more than a list shows.

        Raises:
            NotFound: no such venue, or no paper of that edition.
            UsageError: an order, an award or a topic that there is not.
        """
        from octavo.records.venues import Edition

        node = _topic(topic)
        for what, given, known in (("order", sort, ORDERS), ("award", award, ("", *AWARDS))):
            if given not in known:
                raise UsageError(
                    f"There is no {what} {given[:40]!r}.", hint=f"Known are {', '.join(filter(None, known))}."
                )
        venue = self.venue(name)
        edition = Edition(venue.key, year)
        every, n_others = self._list_of(edition, sort)
        if not every:
            raise NotFound(f"No paper of {edition.name} is in the catalogue.")
        shown, counts = self._narrowed(edition, every, query, node)
        if track is not None:
            shown = [one for one in shown if one.track == track]
        awards = Counter(award for one in shown for award in one.awards)
        if award:
            shown = [one for one in shown if award in one.awards]
        pks = [one.pk for one in shown[offset : offset + limit]]
        papers = {} if whole else self._papers_of(pks)
        return EditionView(
            venue,
            year,
            edition.name,
            edition.full_name,
            len(every),
            len(shown),
            n_others,
            dict(Counter(one.track for one in every)),
            {one: awards[one] for one in AWARDS if awards[one]},
            tuple(_below(node, counts)),
            tuple(_trail(node, counts)),
            tuple(papers[pk] for pk in pks if pk in papers),
            tuple(self._rows(shown)) if whole else (),
        )

    def _narrowed(
        self, edition: Edition, every: Sequence[Entry], query: str, node: Node | None
    ) -> tuple[list[Entry], dict[str, int]]:
        """The papers that match, and how many of these are in each topic."""
        from octavo.index.text_query import compile_query

        wanted: list[Tree] = [parse_lenient(query, names=BUNDLED).node] if query.strip() else []
        wanted += [TopicNode(node.slug)] if node else []
        at: list[Tree] = [_at(edition), *(Not(StatusNode(status)) for status in NOT_TAKEN)]
        compiled = compile_query(conjunction([*at, *wanted]))
        counts = dict(self._index.facets(compiled, ("topic",), _MOST_VALUES)["topic"])
        if not wanted:
            return list(every), counts
        pks = set(self._index.pks(compiled))
        return [one for one in every if one.pk in pks], counts

    def _rows(self, entries: Sequence[Entry]) -> list[RowView]:
        pks = [one.pk for one in entries]
        rows = {row.pk: row for row in self._kept.listings.rows(pks)}
        abstracts = self._kept.listings.abstracts(pks)
        return [
            RowView(row.id, row.title, row.authors, row.award, one.track, abstracts.get(one.pk, ""))
            for one in entries
            if (row := rows.get(one.pk)) is not None
        ]

    @property
    def _editions(self) -> list[tuple[Edition, int]]:
        """Every edition with how many papers appeared there."""
        from octavo.index.text_query import compile_query
        from octavo.records.edition_names import edition_shown

        self.bring_up_to_date()
        state = self._state("editions")
        if (found := _COUNTS.get(state)) is None:
            taken = conjunction([Everything(), *(Not(StatusNode(status)) for status in NOT_TAKEN)])
            counted = self._index.facets(compile_query(taken), ("edition",), _MOST_VALUES)["edition"]
            found = [(edition, n) for name, n in counted if (edition := edition_shown(name))]
            _COUNTS.put(state, found)
        return found

    def _list_of(self, edition: Edition, sort: str) -> tuple[list[Entry], int]:
        """The papers that appeared there, in an order, and how many others name it."""
        from octavo.index.text_query import compile_query

        state = self._state(f"{edition.slug} {sort}")
        if (found := _LISTS.get(state)) is None:
            pks = self._index.pks(compile_query(_at(edition)), None)[:MOST_ROWS]
            rows = self._kept.listings.rows(pks)
            taken = [(row, _entry(row)) for row in rows if row.status not in NOT_TAKEN]
            key = _KEYS[sort]
            taken.sort(key=lambda pair: (*key(*pair), pair[0].id))
            found = ([entry for _, entry in taken], len(rows) - len(taken))
            _LISTS.put(state, found)
        return found

    def _state(self, name: str) -> tuple[object, ...]:
        """Under which key something is kept: for as long as the catalogue and what is seen of its index stay as they
        are."""
        return self._catalogue.key, self._catalogue.seq, self._index.state, name


def _at(edition: Edition) -> VenueNode:
    return VenueNode(edition.name, (f"{edition.venue}-{edition.year}",))


def _entry(row: Row) -> Entry:
    from octavo.query.holdings import is_prize
    from octavo.records.edition_names import edition_shown
    from octavo.records.venues import track_title

    said = {one.strip() for one in row.award.lower().split(";")} - {""}
    awards = {one for one in AWARDS if one in said} | ({"prize"} if is_prize(row.award) else set())
    edition = edition_shown(row.venue)
    track = track_title(edition.track) if edition else ""
    return Entry(row.pk, _awards(tuple(sorted(awards))), sys.intern(track))


@cache
def _awards(names: tuple[str, ...]) -> frozenset[str]:
    """The same set for all papers that have the same: thousands are kept."""
    return frozenset(names)


def _title_key(row: Row) -> str:
    from octavo.records.fold import fold

    return fold(row.title).lstrip("\"'([$ ")


def _author_key(row: Row) -> str:
    from octavo.records.names import family_key

    return family_key(row.authors[0]) if row.authors else "~"


def _rank(entry: Entry) -> int:
    return min((AWARDS.index(one) for one in entry.awards - {"poster"}), default=len(AWARDS))


_KEYS: dict[str, Callable[[Row, Entry], tuple[Any, ...]]] = {
    "award": lambda row, one: (bool(one.track), one.track, _rank(one), _title_key(row)),
    "title": lambda row, _: (_title_key(row),),
    "author": lambda row, _: (_author_key(row), row.authors, _title_key(row)),
}


def _topic(slug: str) -> Node | None:
    """The topic of that slug; None where none is asked for.

    Raises:
        UsageError: there is none.
    """
    from octavo.topics.tree import bundled_tree

    if not slug:
        return None
    if node := bundled_tree().get(slug):
        return node
    raise UsageError(f"There is no topic {slug[:60]!r}.")


def _below(node: Node | None, counts: dict[str, int]) -> list[TopicCountView]:
    """The areas, or the topics below one, that have papers; those with the most first."""
    from octavo.topics.tree import bundled_tree

    tree = bundled_tree()
    nodes = tree.children(node) if node else tree.areas
    found = [_counted(one, counts) for one in nodes if counts.get(one.slug)]
    return sorted(found, key=lambda one: -one.n_papers)


def _trail(node: Node | None, counts: dict[str, int]) -> list[TopicCountView]:
    from octavo.topics.tree import bundled_tree

    return [_counted(one, counts) for one in (*bundled_tree().ancestors(node), node)] if node else []


def _counted(node: Node, counts: dict[str, int]) -> TopicCountView:
    return TopicCountView(node.slug, node.name, node.name_zh, counts.get(node.slug, 0))
