"""Octavo, the facade: every use case is one method that takes plain values and returns a view.

    with Octavo() as octavo:
        octavo.add("mlanthology", "mlanthology.tar")
        for hit in octavo.search("graph neural networks year:2023..").hits:
            print(hit.rank, hit.paper.title)

The surfaces (command line, pages, REST, MCP) call this and nothing below it, so they can't differ in what they find.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from functools import cached_property, partial, wraps
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from octavo.catalogue import Catalogue, Changes, Database, storage_errors
from octavo.catalogue.links import Act
from octavo.catalogue.runs import Runs
from octavo.catalogue.stats import by_source, by_status, by_venue, by_year, counts
from octavo.catalogue.tombstones import Tombstones
from octavo.catalogue.waiting import WaitingRoom
from octavo.config import catalogue_path, home_path, index_path
from octavo.errors import HomeError, IdentifierError, NotFound, StorageError, UsageError
from octavo.explain import Explanation
from octavo.export import FORMATS, export_papers
from octavo.index.build import Indexer
from octavo.index.text import TextIndex, held_of
from octavo.index.text_query import EXACT_ID
from octavo.rank.identify import Match, identify
from octavo.rank.search import find
from octavo.records.codec import decode_record, record_to_dict
from octavo.records.ids import parse_identifier
from octavo.records.paper import Paper, PaperId
from octavo.sources.base import SourceInfo
from octavo.sources.registry import get_source, source_names
from octavo.sources.streams import open_members, size_of
from octavo.views import (
    AddView,
    DoubtView,
    HitView,
    IdentifyView,
    JudgedView,
    MeasureView,
    PaperView,
    SearchView,
    StatsView,
    WaitingView,
    WhyView,
)
from octavo.views_pages import EntryView, FollowedView, ListingView, NewestView, WrittenView
from octavo.views_sync import RunView, SourceView, SyncView

if TYPE_CHECKING:
    # At run time late, in the methods that need them: they bring the HTTP client and all sources.
    from octavo.filling import Filler
    from octavo.ingest.adding import Workers
    from octavo.judging import Judge
    from octavo.settings import Settings
    from octavo.sync.outcome import Outcome
    from octavo.sync.syncer import Syncer
    from octavo.views_people import AuthorView

P = ParamSpec("P")
T = TypeVar("T")

USUAL_LOOK_UP = "openalex"
"""Where papers are looked up when nothing else is said: it asks for no key, and has the most."""
ANNOUNCER = "arxiv"
"""The source that announces papers day by day; also the scheme of their identifiers."""
Progress = Callable[[str, int, int], None]
"""Told (stage, done, total) of a long work; see `filling.Progress`."""
MAX_LIMIT = 1000
"""Hits in one answer; ask for the next with `offset`."""
REBUILD_WAITS = 120.0
"""Seconds that `rebuild` waits for another process that writes to the index."""
_OWN_ID = re.compile(r"p[a-z2-7]{12}")
_EMPTY = "The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files."
_BUSY = "Another process is adding papers; what it has not indexed yet is not searched."


def _silent(_stage: str, _done: int, _total: int) -> None:
    """Nobody listens."""


def _told(method: Callable[Concatenate[Octavo, P], T]) -> Callable[Concatenate[Octavo, P], T]:
    """Let a method's faults of storage be told as errors of `octavo.errors`, wherever in it they arise."""

    @wraps(method)
    def telling(self: Octavo, /, *args: P.args, **kwargs: P.kwargs) -> T:
        with storage_errors(catalogue_path(self.home)):
            return method(self, *args, **kwargs)

    return telling


class Octavo:
    """One reader's catalogue. Opens what it needs when it needs it; `close` it, or use it in a `with`.

    One Octavo is for one thread. Any number of processes may use one home: one writes at a time, the others wait for
    its batch.
    """

    def __init__(self, home: str | os.PathLike[str] | None = None, *, workers: int = 0) -> None:
        """Use the catalogue in `home` (see `config.home_path`), which is made by the first `add`.

        `workers` processes help with large files. They are spawned, so a script that asks for them must keep its own
        work behind
        `if __name__ == "__main__"`, as Python's multiprocessing wants.
        """
        self.home = home_path(home)
        self._open = ExitStack()
        self._n_workers = workers

    def __enter__(self) -> Octavo:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the catalogue."""
        self._open.close()
        if "_workers" in self.__dict__:
            self._workers.close()
        for name in ("_catalogue", "_index", "_filler", "_workers"):
            self.__dict__.pop(name, None)

    @cached_property
    def _catalogue(self) -> Catalogue:
        path = catalogue_path(self.home)
        # Looking into a home that is not there shows an empty catalogue, and makes nothing.
        database = Database(path) if path.exists() or self.home.is_file() else Database.empty()
        self._open.callback(database.close)
        return Catalogue(database)

    def _make_home(self) -> None:
        """Let there be a catalogue on disk, before something is written."""
        cached = self.__dict__.get("_catalogue")
        if cached is not None and cached.database.path != catalogue_path(self.home):
            # It showed a home that was not there; since then another process may have made one.
            del self.__dict__["_catalogue"]
            self.__dict__.pop("_filler", None)
        if not catalogue_path(self.home).exists():
            Database(catalogue_path(self.home)).close()

    @cached_property
    def _index(self) -> TextIndex:
        return TextIndex(index_path(self.home))

    @cached_property
    def _filler(self) -> Filler:
        from octavo.filling import Filler  # late: it knows all of ingest, and a search needs none of it

        return Filler(self._catalogue, self._index, self._workers)

    @cached_property
    def _workers(self) -> Workers:
        from octavo.ingest.adding import Workers

        return Workers(self._n_workers, held_of)

    # -- adding ------------------------------------------------------------------------------------------------------

    @staticmethod
    def sources() -> tuple[SourceInfo, ...]:
        """What `add` reads: Octavo's own sources, then those of other packages."""
        return tuple(get_source(name).info for name in source_names())

    @staticmethod
    def source_names() -> tuple[str, ...]:
        """The names that `add` knows; unlike `sources` this loads none of them."""
        return source_names()

    def add(
        self,
        source: str | None,
        target: str | os.PathLike[str],
        progress: Progress = _silent,
        *,
        more_to_come: bool = False,
    ) -> AddView:
        """Read a file or folder into the catalogue. `source` None: the source is told from the content.

        Adding the same again changes nothing. Entries that can't be used are skipped and counted. With `more_to_come`
        the records are only stored, and the next `add` without it finds out which of them are one work: quicker for
        several large files.

        Raises:
            UnknownSourceError: no source of that name.
            PartlyAddedError: the file can't be read to its end; `added` is what was taken in before.
            SourceError: nothing of the file can be read.
            StorageError: the catalogue can't be written.
        """
        if not catalogue_path(self.home).exists():
            from octavo.filling import source_of

            # A mistyped name must not leave a home behind.
            get_source(source or source_of(Path(target)))
            next(open_members(Path(target)), None)
        self._make_home()
        return self._filler.add(source, Path(target), progress, more_to_come=more_to_come)

    # -- asking the network ------------------------------------------------------------------------------------------

    @cached_property
    def settings(self) -> Settings:
        """What the configuration says (`octavo.settings`).

        Raises:
            ConfigError: it can't be read; it names each fault.
        """
        from octavo.settings import load_settings

        return load_settings(self.home, os.environ)

    def sync(
        self,
        names: Sequence[str] = (),
        *,
        everything: bool = False,
        wait: bool = False,
        progress: Progress = _silent,
    ) -> Iterator[SyncView]:
        """Bring what the configuration names up to date, yielding what came of each thing wanted as it ends.

        Args:
            names: The sources; all that the configuration names where none is given.
            everything: Also what is not due yet.
            wait: Where another sync is at work, wait for it to end.
            progress: Told of the work; its stage is the source and what is asked for.

        Raises:
            ConfigError: the configuration can't be read.
            UsageError: a source can't be asked, or nothing is wanted of it.
            BusyError: another sync is at work.
            StorageError: the catalogue can't be written.
        """
        from octavo.sync.syncer import jobs_of, look_ups_of

        jobs, look_ups = jobs_of(self.settings, names), look_ups_of(self.settings, names)
        if not jobs and not look_ups:
            raise UsageError(
                "The configuration names nothing to bring up to date.",
                hint="`octavo config init` writes one to fill in, `octavo sources` lists what can be asked for.",
            )
        syncer = self._syncer(progress)
        yield from self._told_of(syncer.run(jobs if everything else syncer.due(jobs), look_ups=look_ups, wait=wait))

    def fetch(
        self, source: str, wants: Sequence[str], *, wait: bool = False, progress: Progress = _silent
    ) -> Iterator[SyncView]:
        """Ask a source for something once, whatever the configuration says of it; broken off, it is gone on with.

        Raises:
            As `sync`; UsageError: that can't be asked for.
        """
        from octavo.sync.syncer import Job, online_source

        asked = online_source(source)
        said = self.settings.sources[source]
        jobs = [Job(asked, want, said, is_kept=want in said.wants) for want in map(asked.want, wants)]
        yield from self._told_of(self._syncer(progress).run(jobs, wait=wait))

    def enrich(
        self,
        sources: Sequence[str] = (),
        *,
        query: str | None = None,
        names: Sequence[str] = (),
        everything: bool = False,
        wait: bool = False,
        progress: Progress = _silent,
    ) -> Iterator[SyncView]:
        """Look up what papers lack (abstract, DOI, venue, citations, what they cite) at each of `sources`, by default
        those that the configuration says to look up at, else OpenAlex. What was asked for of late is passed over.

        Raises:
            As `sync`; UsageError: no paper is named, or a source can't be asked about papers.
            NotFound: a name that no paper has.
        """
        chosen = partial(self._chosen, query, names, everything=everything)
        total = self._catalogue.count_papers() if everything else len(names)
        if query is not None and not names:
            total = self.search(query, 1).total
        elif not everything:
            chosen()  # says which name no paper has
        configured = [said.name for said in self.settings.sources.values() if said.look_up]
        syncer = self._syncer(progress)
        asked = tuple(sources) or tuple(configured) or (USUAL_LOOK_UP,)
        yield from self._told_of(syncer.enrich(asked, lambda: (paper for _, paper in chosen()), total, wait=wait))

    def _syncer(self, progress: Progress) -> Syncer:
        from octavo.sync.syncer import Syncer

        self._make_home()
        return Syncer(self._filler, self.settings, self.home, progress)

    def _told_of(self, outcomes: Iterator[Outcome]) -> Iterator[SyncView]:
        from octavo.sync.showing import sync_view

        with storage_errors(catalogue_path(self.home)):
            for outcome in outcomes:
                yield sync_view(outcome)

    @staticmethod
    def source(name: str) -> SourceInfo:
        """What the source of that name is.

        Raises:
            UnknownSourceError: there is none; its hint has the nearest names.
        """
        return get_source(name).info

    @_told
    def source_states(self, now: datetime | None = None) -> tuple[SourceView, ...]:
        """Every source, and how what the configuration wants of it stands."""
        from octavo.sync.showing import states_of

        return states_of(self._catalogue.database, self.settings, now or datetime.now(UTC))

    @_told
    def log(self, limit: int = 20, run: int | None = None) -> tuple[RunView, ...]:
        """The newest runs, newest first; or the one of that number, with what it skipped.

        Raises:
            NotFound: no run of that number.
        """
        from octavo.sync.showing import runs_of

        return runs_of(self._catalogue.database, limit, run)

    @_told
    def link(self, progress: Progress = _silent) -> None:
        """Find out which of the records that `add` only stored are one work; nothing where there are none."""
        if catalogue_path(self.home).exists():
            self._filler.link(progress)

    def add_bundle(self, progress: Progress = _silent) -> AddView:
        """Load the bundled catalogue: every paper of ICML 2025 and some well-known ones, as facts, with Octavo's own
        summaries."""
        with as_file(files("octavo.data") / "bundle.jsonl.gz") as path:
            return self.add("jsonl", path, progress)

    # -- finding -----------------------------------------------------------------------------------------------------

    @_told
    def search(
        self, query: str, limit: int = 10, offset: int = 0, *, strict: bool = False, progress: Progress = _silent
    ) -> SearchView:
        """Find papers (`docs/query-language.md`): hits `offset` to `offset + limit`, and how many there are in all.

        Raises:
            UsageError: a limit that is not 1 to 1000, a negative offset.
            QueryError: `strict` is set and the text is no query.
        """
        if not 1 <= limit <= MAX_LIMIT:
            raise UsageError(f"A limit is 1 to {MAX_LIMIT}, not {limit}.", hint="Ask for more with an offset.")
        if offset < 0:
            raise UsageError(f"An offset is 0 or more, not {offset}.")
        notes = self.bring_up_to_date(progress)
        if not self._catalogue.seq:
            return SearchView(query, 0, (), notes)
        if own := self._of_own_id(query):
            named = Explanation(EXACT_ID, f"has the id {own.id}")
            return SearchView(query, 1, (HitView(1, own, EXACT_ID, named),) if not offset else (), notes)
        ranked = find(self._index, self._catalogue.get_papers, query, limit=limit, offset=offset, strict=strict)
        hits = (HitView(offset + rank, *hit) for rank, hit in enumerate(ranked.hits, 1))
        return SearchView(query, ranked.total, tuple(hits), (*notes, *ranked.notes), ranked.words)

    @_told
    def identify(self, texts: Sequence[str], progress: Progress = _silent) -> list[IdentifyView]:
        """Say for each text which paper it is about: an abstract or a part of one, a title, a reference, an
        identifier."""
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

    @_told
    def get(self, name: str, *, claims: bool = False) -> PaperView:
        """The paper of an id of Octavo's, or of any identifier or address of it.

        Raises:
            NotFound: no such paper.
        """
        pk, paper = self._get(name.strip())
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

    @_told
    def waiting(self) -> list[WaitingView]:
        """The entries without a title that could not be identified yet."""
        views = []
        for source, key, claim, added_at in WaitingRoom(self._catalogue.database).all():
            record = decode_record(claim)
            text = record.abstract.plain if record.abstract else ""
            views.append(WaitingView(source, key, text, tuple(author.name for author in record.authors), added_at))
        return views

    # -- how papers are put together -----------------------------------------------------------------------------------

    @property
    def _judge(self) -> Judge:
        from octavo.judging import Judge  # late: it knows all of linking

        return Judge(self._catalogue)

    @_told
    def why(self, name: str) -> WhyView:
        """How a paper was put together: its records, and what ties them.

        Raises:
            NotFound: no such paper.
        """
        return self._judge.why(*self._get(name.strip()))

    @_told
    def doubts(self, limit: int = 50) -> tuple[int, tuple[DoubtView, ...]]:
        """How many pairs of records a reader might settle, and the nearest to certain of them."""
        return self._judge.doubts(limit)

    @_told
    def join(self, names: Sequence[str]) -> JudgedView:
        """Let papers be one, whatever linking says, for good; `undo` takes it back.

        Raises:
            NotFound: no such paper.
            UsageError: they are one paper already.
        """
        return self._judged("join", *self._judge.join([self._get_only(name.strip()) for name in names]))

    @_told
    def split(self, name: str, out: Sequence[str]) -> JudgedView:
        """Let the records of a paper that are named (`source:key`, as `why` shows them) be a paper of their own.

        Raises:
            NotFound: no such paper, or it has no such record.
            UsageError: nothing or everything would go out.
        """
        return self._judged("split", *self._judge.split(self._get_only(name.strip()), out))

    @_told
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

    # -- keeping -----------------------------------------------------------------------------------------------------

    @_told
    def bring_up_to_date(self, progress: Progress = _silent) -> tuple[str, ...]:
        """Let the index catch up with the catalogue where it is behind. Returns what a reader should know."""
        self._index.refresh()
        manifest, seq, database = self._index.manifest, self._catalogue.seq, self._catalogue.database
        if not seq:
            busy = Runs(database).is_any_running()
            return (_BUSY,) if busy else (_EMPTY,)
        is_mine = manifest is not None and manifest.catalogue == self._catalogue.key
        if manifest and is_mine and manifest.seq == seq and self._index.is_whole():
            return ()
        can_search = is_mine and self._index.is_whole()
        try:
            if database.is_readonly:
                raise HomeError(
                    f"The search index is behind or missing, and can't be made: {self.home} can't be written.",
                    hint="Make the folder writable once; `octavo show` and `octavo export --all` work as it is.",
                )
            with self._filler.indexer() as indexer:
                if indexer is None:
                    return (_BUSY,)
                self._filler.catch_up(indexer, progress)
        except StorageError as error:
            if not can_search:
                raise
            return (f"The index is behind the catalogue and can't catch up now: {error.message}",)
        return ()

    @_told
    def rebuild(self, progress: Progress = _silent) -> int:
        """Make the index anew from the catalogue; returns how many papers are in it. Searches go on with the old one
        meanwhile. Waits while another process writes to the index.

        Raises:
            IndexBusyError: another process went on writing for two minutes.
        """
        if not catalogue_path(self.home).exists():
            return 0
        with self._index.write(wait=REBUILD_WAITS) as writer:
            indexer = Indexer(self._catalogue, self._index, writer)
            indexer.restart()
            self._filler.catch_up(indexer, progress)
        return self._index.n_papers

    @_told
    def stats(self) -> StatsView:
        """What the catalogue holds."""
        database = self._catalogue.database
        manifest = self._index.manifest
        if manifest is None or manifest.catalogue != self._catalogue.key:
            state = "none yet"
        elif behind := self._catalogue.count_changed_since(manifest.seq):
            state = f"behind by {behind} papers"
        else:
            state = "up to date"
        return StatsView(
            home=str(self.home),
            **counts(database),
            sources=tuple(by_source(database)),
            years=tuple(by_year(database)),
            venues=tuple(by_venue(database)),
            statuses=tuple(by_status(database)),
            index=state,
            catalogue_bytes=sum(size_of(path) for path in self.home.glob("catalogue.db*")),
            index_bytes=size_of(index_path(self.home)),
            runs=tuple(Runs(database).last(5)),
        )

    def export(
        self, form: str, *, query: str | None = None, names: Sequence[str] = (), everything: bool = False
    ) -> Iterator[str]:
        """The papers that a query finds, those named, or all, in `form` (`bibtex` or `jsonl`), as lines or entries.

        Raises:
            UsageError: no such form, or nothing is asked for.
            NotFound: a name that no paper has.
        """
        if form not in FORMATS:
            raise UsageError(f"There is no export format {form!r}.", hint=f"Known are {', '.join(FORMATS)}.")
        chosen = self._chosen(query, names, everything=everything)
        lossless = ((paper, [decode_record(claim) for claim in self._catalogue.claims_of(pk)]) for pk, paper in chosen)
        return self._read_out(export_papers(form, lossless))

    def _chosen(self, query: str | None, names: Sequence[str], *, everything: bool) -> Iterable[tuple[int, Paper]]:
        """The papers that a query finds, those named, or all.

        Raises:
            UsageError: nothing is asked for.
            NotFound: a name that no paper has.
        """
        if query is None and not names and not everything:
            raise UsageError("No paper was named.", hint="Give a query, ids, or ask for all.")
        if everything:
            return self._all()
        return [self._get(name) for name in names] if names else self._all_found(query or "")

    def _read_out(self, lines: Iterator[str]) -> Iterator[str]:
        with storage_errors(self._catalogue.database.path):
            yield from lines

    def _all(self) -> Iterator[tuple[int, Paper]]:
        """Every paper, in the order of their ids, which is the same in every home."""
        pks = self._catalogue.all_papers_pks()
        for start in range(0, len(pks), MAX_LIMIT):
            part = pks[start : start + MAX_LIMIT]
            papers = self._catalogue.get_papers(part)
            yield from ((pk, papers[pk]) for pk in part if pk in papers)

    def _all_found(self, query: str) -> Iterator[tuple[int, Paper]]:
        offset = 0
        while True:
            page = self.search(query, MAX_LIMIT, offset)
            for hit in page.hits:
                yield self._catalogue.get_paper(hit.paper.id)
            offset += MAX_LIMIT
            if offset >= page.total:
                return

    # -- leafing through ---------------------------------------------------------------------------------------------

    @_told
    def newest(self, limit: int = 50, offset: int = 0) -> NewestView:
        """The papers that came in last."""
        from octavo.catalogue.listings import Listings

        pks = Listings(self._catalogue.database).newest(limit, offset)
        papers = self._catalogue.get_papers(pks)
        return NewestView(self._catalogue.count_papers(), tuple(papers[pk] for pk in pks if pk in papers))

    @_told
    def followed(self) -> FollowedView:
        """The categories and the days of which announcements are here."""
        from octavo.catalogue.listings import Listings

        listings = Listings(self._catalogue.database)
        return FollowedView(tuple(listings.wants(ANNOUNCER)), tuple(listings.days(ANNOUNCER)))

    @_told
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

    @_told
    def written(self, papers: Iterable[Paper]) -> dict[PaperId, WrittenView]:
        """The texts of these papers as their sources wrote them."""
        from octavo.catalogue.texts import written

        return {paper.id: WrittenView(**texts) for paper, texts in written(self._catalogue, list(papers))}

    # -- people ------------------------------------------------------------------------------------------------------

    @_told
    def author(self, name: str, progress: Progress = _silent) -> AuthorView:
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
