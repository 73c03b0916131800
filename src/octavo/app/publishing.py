"""Use cases: a list of papers that is to be shown to others, and their pages' papers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.app.base import Progress, silent, told
from octavo.app.finding import MAX_LIMIT
from octavo.app.library import LibraryCases
from octavo.app.similar import Similar
from octavo.app.topics import TopicCases
from octavo.app.venues import Entry, VenueCases
from octavo.catalogue.topics import Corrections
from octavo.errors import NotFound, UsageError
from octavo.records.paper import Paper
from octavo.views_publishing import ListView

KINDS = ("venue", "query", "tag", "saved", "all")
"""What a list may be."""
RELATED = 6
"""Papers that are named as near to one."""
_AT_ONCE = 1_000
"""Papers whose topics are told together."""
_EDITION = re.compile(r"(?P<name>.*\S)\s*(?P<year>(?:19|20)[0-9]{2})")
_OWN = re.compile(r"(?i)\b(?:is|tag|note|has):")


class Publishing(LibraryCases, TopicCases, VenueCases, Similar):
    """Lists that are to be shown to others."""

    @told
    def listed(self, kind: str, value: str = "", *, most: int = 50_000, progress: Progress = silent) -> ListView:
        """The papers of a list.

        Args:
            kind: One of KINDS.
            value: The venue with its year, the query, or the tag.
            most: Papers that it may have.
            progress: Told of the work, where the index has to catch up first.

        Raises:
            UsageError: no such kind, a venue without a year, or too many papers.
            NotFound: no paper is on the list.
        """
        if kind not in KINDS:
            raise UsageError(f"There is no kind of list {kind[:40]!r}.", hint=f"Known are {', '.join(KINDS)}.")
        self.bring_up_to_date(progress)
        name, gone = "", 0
        entries: Sequence[Entry] = ()
        if kind == "venue":
            edition, entries = self._edition_of(value)
            name = edition
            pks = [one.pk for one in entries]
        elif kind == "query":
            name = "" if _OWN.search(value) else value.strip()
            pks = list(self._found(value))
        elif kind == "all":
            pks = list(self._kept.listings.newest(most + 1, 0))
        else:
            pks, gone = self._of_library(kind, value)
        if len(pks) > most:
            raise UsageError(
                f"The list has {len(pks):,} papers or more; a site has at most {most:,}.",
                hint="Narrow it down, or raise the number with --most.",
            )
        papers = dict(self._catalogue.get_papers(pks))
        shown = tuple(papers[pk] for pk in dict.fromkeys(pks) if pk in papers)
        if not shown:
            raise NotFound(_nothing(kind, value, gone))
        ids = {pk: paper.id for pk, paper in papers.items()}
        awards: dict[str, frozenset[str]] = {ids[one.pk]: one.awards for one in entries if one.pk in ids}
        tracks: dict[str, str] = {ids[one.pk]: one.track for one in entries if one.pk in ids}
        near = {
            str(ids[pk]): tuple((str(ids[other]), round(share, 4)) for other, share in found)
            for pk, found in self._nearest(list(ids))
        }
        return ListView(name, shown, gone, near, awards, tracks)

    def _edition_of(self, text: str) -> tuple[str, list[Entry]]:
        """An edition's name, and its list.

        Raises:
            UsageError: the text has no year.
            NotFound: there is no such venue, or no paper of that year.
        """
        from octavo.records.venues import Edition

        found = _EDITION.fullmatch(text.strip())
        if found is None:
            raise UsageError(f"{text.strip()[:60]!r} names no year of a venue.", hint='Give both: --venue "ICML 2025".')
        venue = self.venue(found["name"])
        edition = Edition(venue.key, int(found["year"]))
        entries, _ = self._list_of(edition, "award")
        if not entries:
            years = ", ".join(str(year) for year, _ in venue.years[:8] if year)
            raise NotFound(f"No paper of {edition.name} is in the catalogue.", hint=f"Years that are here: {years}.")
        return edition.name, entries

    def _found(self, query: str) -> Iterator[int]:
        """The papers that match all of a query, the newest first."""
        offset, total = 0, 1
        while offset < total:
            page = self.search(query, MAX_LIMIT, offset, sort="newest", way="words")
            keys = self._library.keys_of([str(hit.paper.id) for hit in page.hits])
            yield from (keys[hit.paper.id] for hit in page.hits if hit.paper.id in keys)
            offset, total = offset + MAX_LIMIT, page.total

    def _of_library(self, kind: str, tag: str) -> tuple[list[int], int]:
        """The papers of a part of the library, what was said last first, and how many of it are gone."""
        ids = self._library.ids("saved" if kind == "saved" else "all", tag if kind == "tag" else "", -1, 0)
        keys = self._library.keys_of(ids)
        return [keys[paper] for paper in ids if paper in keys], len(ids) - len(keys)

    def _nearest(self, pks: Sequence[int]) -> Iterator[tuple[int, list[tuple[int, float]]]]:
        from octavo.rank.among import nearest_among

        vectors, _ = self._space_of_meaning()
        return nearest_among(vectors, pks, RELATED) if vectors is not None else iter(())

    @told
    def papers_of(self, ids: Sequence[str]) -> dict[str, Paper]:
        """The papers of these ids of Octavo's own, as far as they are here."""
        keys = self._library.keys_of(ids)
        return {str(paper.id): paper for paper in self._catalogue.get_papers(list(keys.values())).values()}

    @told
    def topics_of_list(self, papers: Sequence[Paper]) -> dict[str, tuple[str, ...]]:
        """By a paper's id the slugs of its topics and of all above them, as the index counts them: what sources state,
        what its text says, and the reader's word above both."""
        from octavo.topics.assign import with_ancestors
        from octavo.topics.tree import bundled_tree

        tree, corrections = bundled_tree(), Corrections(self._catalogue.database)
        found: dict[str, tuple[str, ...]] = {}
        for start in range(0, len(papers), _AT_ONCE):
            part = papers[start : start + _AT_ONCE]
            told_of = self._topical.about(part, corrections.of([paper.id for paper in part]))
            for paper, about in zip(part, told_of, strict=True):
                found[str(paper.id)] = with_ancestors(about.topics, tree)
        return found


def _nothing(kind: str, value: str, gone: int) -> str:
    if gone:
        return f"None of the {gone:,} papers of that list is in the catalogue any more."
    match kind:
        case "query":
            return f"No paper matches {value.strip()[:80]!r}."
        case "tag":
            return f"No paper has the tag {value.strip()[:80]!r}."
        case "saved":
            return "No paper is saved: `octavo save` does that."
    return "The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files."
