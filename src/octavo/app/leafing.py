"""Use cases: the newest papers, announcement days, and people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from octavo.app.base import Base, Progress, silent, told
from octavo.catalogue import Database
from octavo.errors import NotFound, UsageError
from octavo.records.paper import Paper, PaperId
from octavo.views_pages import EntryView, FollowedView, ListingView, NewestView, WrittenView

if TYPE_CHECKING:
    from octavo.catalogue.batches import Announced
    from octavo.catalogue.listings import Listings

    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.views_people import AuthorView


ANNOUNCER = "arxiv"
"""The source that announces papers day by day; also the scheme of their identifiers."""
RECENT_DAYS = 5
"""Announcement days of a list of what was announced recently."""
_KEPT = 1_000
"""Papers that are kept in memory: the same lists are asked for again and again."""


@dataclass(slots=True)
class _Kept:
    """Papers and their texts that were shown lately."""

    database: Database
    listings: Listings
    papers: dict[int, tuple[int, Paper]] = field(default_factory=dict)
    """By their keys, with the number of the change that made them."""
    texts: dict[PaperId, tuple[Paper, WrittenView]] = field(default_factory=dict)
    pks: dict[PaperId, int] = field(default_factory=dict)

    def has(self, paper: Paper) -> bool:
        """Whether that very object is kept."""
        _, kept = self.papers.get(self.pks.get(paper.id, -1), (0, None))
        return kept is paper

    def clear(self) -> None:
        """Keep nothing."""
        self.papers.clear()
        self.texts.clear()
        self.pks.clear()


class Leafing(Base):
    """Lists of papers, and the papers of a person."""

    @told
    def newest(self, limit: int = 50, offset: int = 0) -> NewestView:
        """The papers that came in last."""
        pks = self._kept.listings.newest(limit, offset)
        papers = self._papers_of(pks)
        return NewestView(self._catalogue.count_papers(), tuple(papers[pk] for pk in pks if pk in papers))

    @told
    def state(self) -> str:
        """What the answer to a query depends on beside the query: another text once the catalogue, its index or the
        library are others."""
        run = self._catalogue.database.connection.execute
        acts = run("SELECT coalesce(max(pk), 0), count(undone_at) FROM library_acts").fetchone()
        self._index.refresh()
        key, seq = self._catalogue.key, self._catalogue.seq
        return f"{key} {seq} {self._index.state} {self._meaning.seq(key)} {acts}"

    @told
    def followed(self) -> FollowedView:
        """The categories and the days of which announcements are here."""
        listings = self._kept.listings
        return FollowedView(tuple(listings.wants(ANNOUNCER)), tuple(listings.days(ANNOUNCER)))

    @told
    def listing(self, category: str = "", day: str = "", limit: int = 1000, offset: int = 0) -> ListingView:
        """An announcement day, the latest where none is named, of a category or (empty) of all that are followed.

        Raises:
            NotFound: nothing was announced there, or on that day.
        """
        listings = self._kept.listings
        want = category if category in listings.wants(ANNOUNCER) else ""
        found = listings.latest(ANNOUNCER, category, want, day)
        if found is None:
            where = f" in {category[:40]}" if category else ""
            raise NotFound(f"Nothing was announced{where}{f' on {day[:20]}' if day else ''}, as far as is known here.")
        on = found[0].day
        earlier = listings.days(ANNOUNCER, want, before=on, limit=1)
        later = listings.next_day(ANNOUNCER, want, on)
        counts = dict(Counter(one.kind for one in found))
        entries = self._entries_of(found[offset : offset + limit])
        return ListingView(category, on, counts, entries, "".join(earlier), later)

    @told
    def catch_up_on(self, category: str, first: str, limit: int = 1000, offset: int = 0) -> ListingView:
        """All that was announced from a day on, in a category or (empty) in all that are followed: each paper once, as
        new where it was new on one of the days.

        Raises:
            NotFound: nothing was announced there since.
        """
        listings = self._kept.listings
        want = category if category in listings.wants(ANNOUNCER) else ""
        days = listings.days_from(ANNOUNCER, want, first)
        found = listings.spanning(ANNOUNCER, category, days)
        if not found:
            where = f" in {category[:40]}" if category else ""
            raise NotFound(f"Nothing was announced{where} from {first[:20]} on, as far as is known here.")
        counts = dict(Counter(one.kind for one in found))
        entries = self._entries_of(found[offset : offset + limit])
        earlier = "".join(listings.days(ANNOUNCER, want, before=min(days), limit=1))
        return ListingView(category, first, counts, entries, earlier, until=max(days))

    @told
    def recent(self, category: str = "", limit: int = 1000, offset: int = 0) -> ListingView:
        """What was new or cross-listed on the last announcement days of a category or (empty) of all that are followed,
        the latest day first.

        Raises:
            NotFound: nothing was ever announced there.
        """
        listings = self._kept.listings
        want = category if category in listings.wants(ANNOUNCER) else ""
        found: list[Announced] = []
        days: list[str] = []
        for day in listings.days(ANNOUNCER, want):
            of_day = [one for one in listings.announced(ANNOUNCER, category, day) if one.kind in ("new", "cross")]
            days += [day] if of_day else []
            found += of_day
            if len(days) == RECENT_DAYS:
                break
        if not found:
            where = f" in {category[:40]}" if category else ""
            raise NotFound(f"Nothing was announced{where}, as far as is known here.")
        counts = dict(Counter(one.kind for one in found))
        earlier = "".join(listings.days(ANNOUNCER, want, before=days[-1], limit=1))
        entries = self._entries_of(found[offset : offset + limit])
        return ListingView(category, days[-1], counts, entries, earlier, until=days[0])

    def _entries_of(self, shown: Sequence[Announced]) -> tuple[EntryView, ...]:
        """What was announced with its papers; without those of which no record is here."""
        holders = self._catalogue.find_holders([f"{ANNOUNCER}:{one.key}" for one in shown])
        pks = {key: min(held) for key, held in holders.items()}
        papers = self._papers_of(list(pks.values()))
        return tuple(
            EntryView(papers[pk], one.kind, one.categories, one.version, one.day)
            for one in shown
            if (pk := pks.get(f"{ANNOUNCER}:{one.key}")) in papers
        )

    @told
    def written(self, papers: Iterable[Paper]) -> dict[PaperId, WrittenView]:
        """The texts of these papers as their sources wrote them."""
        from octavo.catalogue.texts import written

        wanted, kept = list(papers), self._kept
        missing = [paper for paper in wanted if paper.id not in kept.texts or kept.texts[paper.id][0] is not paper]
        made = {paper.id: WrittenView(**texts) for paper, texts in written(self._catalogue, missing)} if missing else {}
        # Of papers that are kept the texts are, too: when a record changes, its paper is made anew.
        kept.texts.update((paper.id, (paper, made[paper.id])) for paper in missing if kept.has(paper))
        return {paper.id: made[paper.id] if paper.id in made else kept.texts[paper.id][1] for paper in wanted}

    def _papers_of(self, pks: Sequence[int]) -> dict[int, Paper]:
        """`Catalogue.get_papers`, of which the last thousands are kept for as long as they stay as they are."""
        kept = self._kept
        seqs = kept.listings.seqs(pks)
        missing = [pk for pk, seq in seqs.items() if pk not in kept.papers or kept.papers[pk][0] != seq]
        if len(kept.papers) + len(missing) > _KEPT:
            kept.clear()
            missing = list(seqs)
        for pk, paper in (self._catalogue.get_papers(missing) if missing else {}).items():
            kept.papers[pk] = (seqs[pk], paper)
            kept.pks[paper.id] = pk
        return {pk: kept.papers[pk][1] for pk in pks if pk in seqs and pk in kept.papers}

    @property
    def _kept(self) -> _Kept:
        """What is kept of this catalogue; nothing is of one that another was put in the place of."""
        database = self._catalogue.database
        kept = self.__dict__.get("_last_kept")
        if kept is None or kept.database is not database:
            from octavo.catalogue.listings import Listings

            kept = self.__dict__["_last_kept"] = _Kept(database, Listings(database))
        return kept

    @told
    def author(self, name: str, progress: Progress = silent) -> AuthorView:
        """The papers of a name and its variants, parted into people as far as there is evidence (`docs/people.md`).

        Raises:
            UsageError: the text names no one.
            NotFound: no paper has an author of that name.
        """
        from octavo.catalogue.authorships import Authorships
        from octavo.rank.people import gather
        from octavo.views_people import author_view

        notes = self.bring_up_to_date(progress)
        bearers = gather(self._index, Authorships(self._catalogue.database), name)
        if not bearers.name:
            raise UsageError(
                f"{name.strip()[:80]!r} names no one.", hint='Give one name: octavo author "Yoshua Bengio".'
            )
        if not bearers.names:
            known = f" {notes[0]}" if notes else ""
            hint = "`octavo search author:NAME` finds every paper with the words of a name."
            if bearers.unsure:
                hint = f"They may be {next(iter(bearers.unsure))}, as others may: ask for that with `octavo author`."
            raise NotFound(f"No paper is by anyone called {bearers.name[:80]}.{known}", hint=hint)
        mentions = [*bearers.parted.rest, *(one for person in bearers.parted.people for one in person.mentions)]
        return author_view(bearers, self._catalogue.get_papers(sorted({one.paper for one in mentions})))
