"""Use cases: search, one paper, identify, and what waits to be identified."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress

from octavo.app.base import Base, Progress, silent, text_of, told
from octavo.asking import FACETS, SORTS, WAYS, Sort, Way
from octavo.catalogue.tombstones import Tombstones
from octavo.catalogue.waiting import WaitingRoom
from octavo.errors import IdentifierError, NotFound, UsageError
from octavo.explain import Explanation
from octavo.index.meaning import Sense
from octavo.index.text_query import EXACT_ID
from octavo.query.ast import LibraryNode
from octavo.rank.identify import Match, identify
from octavo.rank.laps import Laps
from octavo.rank.search import Asked, find
from octavo.records.codec import decode_record, record_to_dict
from octavo.records.ids import parse_identifier
from octavo.records.paper import Paper, PaperId
from octavo.sources.registry import get_source
from octavo.views import (
    HitView,
    IdentifyView,
    PaperView,
    SearchView,
    WaitingView,
)

MAX_LIMIT = 1000
"""Hits in one answer; ask for the next with `offset`."""
MAX_OFFSET = 2**31
"""Further down there is nothing, and the engine counts no further."""
_OWN_ID = re.compile(r"p[a-z2-7]{12}")


class Finding(Base):
    """Search, one paper, identify."""

    @told
    def search(
        self,
        query: str,
        limit: int = 10,
        offset: int = 0,
        *,
        sort: Sort = "relevance",
        way: Way = "hybrid",
        facets: Sequence[str] = (),
        strict: bool = False,
        with_words: bool = False,
        progress: Progress = silent,
    ) -> SearchView:
        """Find papers (`docs/query-language.md`): hits `offset` to `offset + limit`, and how many there are in all.

        Args:
            query: What is looked for.
            limit: Hits to return, 1 to 1000.
            offset: Hits to pass over.
            sort: `relevance`, `newest`, `oldest` or `cited`; all but the first show only what matches all of the query.
            way: `hybrid`; `words` alone; or `meaning` alone.
            facets: What to count of the papers that match (`octavo.index.facets`).
            strict: Whether a text that is no query is refused.
            with_words: Whether each hit says what each word adds to its score.
            progress: Told of the work, where the index has to catch up first.

        Raises:
            UsageError: a limit, an offset, an order or a facet that there is not.
            QueryError: `strict` is set and the text is no query.
        """
        query = text_of(query, "A query")
        _check(limit, offset, sort, way, facets)
        laps = Laps()
        with laps.lap("bringing the index up to date"):
            notes = self.bring_up_to_date(progress)
        if not self._catalogue.seq:
            return SearchView(query, 0, (), notes)
        if own := self._of_own_id(query):
            named = Explanation(EXACT_ID, f"has the id {own.id}")
            return SearchView(query, 1, (HitView(1, own, EXACT_ID, named),) if not offset else (), notes, (), 1)
        with laps.lap("opening the vectors"):
            sense = self._sense(is_needed=way == "meaning") if way != "words" else None
        asked = Asked(query, limit, min(offset, MAX_OFFSET), strict, sort, way, facets, with_words)
        ranked = find(
            self._index, self._catalogue.get_papers, asked, sense=sense, library=self._of_the_reader, laps=laps
        )
        return SearchView(
            query,
            ranked.total,
            tuple(HitView(offset + rank, *hit) for rank, hit in enumerate(ranked.hits, 1)),
            (*notes, *ranked.notes, *_faults(sense)),
            ranked.words,
            ranked.matching,
            sort,
            ranked.by_meaning,
            ranked.facets,
            laps.seconds,
            with_words,
        )

    def _of_the_reader(self, node: LibraryNode) -> frozenset[int]:
        """The papers that a part of a query asks of the reader's own library."""
        from octavo.catalogue.library import Library

        return frozenset(Library(self._catalogue.database).pks(node.kind, node.tag))

    @told
    def identify(self, texts: Sequence[str], progress: Progress = silent) -> list[IdentifyView]:
        """Say for each text which paper it is about: an abstract or a part of one, a title, a reference, an
        identifier."""
        texts = [texts] if isinstance(texts, str) else [text_of(text, "What to identify") for text in texts]
        self.bring_up_to_date(progress)
        views = []
        for text in texts:
            if own := self._of_own_id(text):
                views.append(IdentifyView(text, own, 1.0, Explanation(1.0, f"the id {own.id}")))
                continue
            match = self._match(text)
            views.append(IdentifyView(text, match.paper, match.confidence, match.why))
        return views

    def _of_own_id(self, text: str) -> Paper | None:
        """The paper whose id, of Octavo's own, the text is."""
        if not _OWN_ID.fullmatch(text.strip()):
            return None
        with suppress(NotFound):
            return self._catalogue.get_paper(PaperId(text.strip()))[1]
        return None

    def _match(self, text: str, authors: Sequence[str] = ()) -> Match:
        return identify(self._index, self._catalogue.get_papers, text, authors)

    @told
    def get(self, name: str, *, claims: bool = False) -> PaperView:
        """The paper of an id of Octavo's, or of any identifier or address of it.

        Raises:
            NotFound: no such paper.
        """
        pk, paper = self._get(text_of(name, "A paper's name").strip())
        if not claims:
            return PaperView(paper)
        return PaperView(paper, tuple(record_to_dict(decode_record(claim)) for claim in self._catalogue.claims_of(pk)))

    def _get(self, name: str) -> tuple[int, Paper]:
        try:
            return self._catalogue.get_paper(PaperId(name))
        except NotFound:
            try:
                identifier, _ = parse_identifier(name)
            except IdentifierError:
                self._tell_if_deleted(name)
                raise NotFound(
                    f"There is no paper {name[:80]!r}.",
                    hint="Give an id that `octavo search` shows, or an identifier like arXiv:1706.03762.",
                ) from None
        pks = self._catalogue.find_by_identifier(identifier)
        if not pks:
            self._tell_if_deleted(str(identifier))
            raise NotFound(f"No paper with {identifier} is in the catalogue.")
        return pks[0], self._catalogue.get_papers(pks[:1])[pks[0]]

    def _get_only(self, name: str) -> int:
        """The key of the only paper of that name.

        Raises:
            NotFound: there is none.
            UsageError: several papers carry the identifier.
        """
        pk, _ = self._get(name)
        with suppress(IdentifierError):
            if len(pks := self._catalogue.find_by_identifier(parse_identifier(name)[0])) > 1:
                ids = ", ".join(paper.id for paper in self._catalogue.get_papers(pks).values())
                raise UsageError(f"Several papers have {name}: {ids}.", hint="Name one of them by its own id.")
        return pk

    def _tell_if_deleted(self, name: str) -> None:
        """Say of a paper that its source deleted it.

        Raises:
            NotFound: it did.
        """
        if stone := Tombstones(self._catalogue.database).find(name):
            when = f" on {stone.deleted_on}" if stone.deleted_on else ""
            raise NotFound(f"{get_source(stone.source).info.title} deleted {stone.key}{when}.")

    @told
    def waiting(self) -> list[WaitingView]:
        """The entries without a title that could not be identified yet."""
        views = []
        for source, key, claim, added_at in WaitingRoom(self._catalogue.database).all():
            record = decode_record(claim)
            text = record.abstract.plain if record.abstract else ""
            views.append(WaitingView(source, key, text, tuple(author.name for author in record.authors), added_at))
        return views


def _faults(sense: Sense | None) -> tuple[str, ...]:
    """Why the encoder did not read the query, where it did not."""
    fault = getattr(sense.encoder, "fault", "") if sense else ""
    return (fault,) if fault else ()


def _check(limit: int, offset: int, sort: str, way: str, facets: Sequence[str]) -> None:
    """Refuse what can't be asked for.

    Raises:
        UsageError: it names what, and what there is.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise UsageError(f"A limit is 1 to {MAX_LIMIT}, not {limit}.", hint="Ask for more with an offset.")
    if offset < 0:
        raise UsageError(f"An offset is 0 or more, not {offset}.")
    known = (("order", (sort,), SORTS), ("way to search", (way,), WAYS), ("facet", facets, FACETS))
    for what, given, there in known:
        for one in given:
            if one not in there:
                raise UsageError(f"There is no {what} {one[:40]!r}.", hint=f"Known are {', '.join(there)}.")
