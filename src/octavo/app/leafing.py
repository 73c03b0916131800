"""Use cases: the newest papers, announcement days, and people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from octavo.app.base import Base, Progress, silent, told
from octavo.errors import NotFound, UsageError
from octavo.records.paper import Paper, PaperId
from octavo.views_pages import EntryView, FollowedView, ListingView, NewestView, WrittenView

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.views_people import AuthorView


ANNOUNCER = "arxiv"
"""The source that announces papers day by day; also the scheme of their identifiers."""


class Leafing(Base):
    """Lists of papers, and the papers of a person."""

    @told
    def newest(self, limit: int = 50, offset: int = 0) -> NewestView:
        """The papers that came in last."""
        from octavo.catalogue.listings import Listings

        pks = Listings(self._catalogue.database).newest(limit, offset)
        papers = self._catalogue.get_papers(pks)
        return NewestView(self._catalogue.count_papers(), tuple(papers[pk] for pk in pks if pk in papers))

    @told
    def followed(self) -> FollowedView:
        """The categories and the days of which announcements are here."""
        from octavo.catalogue.listings import Listings

        listings = Listings(self._catalogue.database)
        return FollowedView(tuple(listings.wants(ANNOUNCER)), tuple(listings.days(ANNOUNCER)))

    @told
    def listing(self, category: str = "", day: str = "", limit: int = 1000, offset: int = 0) -> ListingView:
        """An announcement day, the latest where none is named, of a category or (empty) of all that are followed.

        Raises:
            NotFound: nothing was announced there, or on that day.
        """
        from octavo.catalogue.listings import Listings

        listings = Listings(self._catalogue.database)
        want = category if category in listings.wants(ANNOUNCER) else ""
        found = listings.latest(ANNOUNCER, category, want, day)
        if found is None:
            where = f" in {category[:40]}" if category else ""
            raise NotFound(f"Nothing was announced{where}{f' on {day[:20]}' if day else ''}, as far as is known here.")
        counts = Counter(one.kind for one in found)
        shown = found[offset : offset + limit]
        holders = self._catalogue.find_holders([f"{ANNOUNCER}:{one.key}" for one in shown])
        pks = {key: min(held) for key, held in holders.items()}
        papers = self._catalogue.get_papers(list(pks.values()))
        entries = (
            EntryView(papers[pk], one.kind, one.categories, one.version)
            for one in shown
            if (pk := pks.get(f"{ANNOUNCER}:{one.key}")) in papers
        )
        on = found[0].day
        earlier = listings.days(ANNOUNCER, want, before=on, limit=1)
        later = listings.next_day(ANNOUNCER, want, on)
        return ListingView(category, on, dict(counts), tuple(entries), "".join(earlier), later)

    @told
    def written(self, papers: Iterable[Paper]) -> dict[PaperId, WrittenView]:
        """The texts of these papers as their sources wrote them."""
        from octavo.catalogue.texts import written

        return {paper.id: WrittenView(**texts) for paper, texts in written(self._catalogue, list(papers))}

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
