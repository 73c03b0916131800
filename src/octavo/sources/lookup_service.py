"""Looking papers up with a service: by each identifier in turn, else by title, and what is done about refusals.

What the services differ in is a `Service`; the rounds, the checking of answers and the splitting of refused batches
are here, once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

from octavo.records.ids import Identifier
from octavo.records.paper import Record
from octavo.sources.base import Fault, Page, Source
from octavo.sources.entries import Entry
from octavo.sources.http_errors import FetchError
from octavo.sources.lookup import ASKED, PAPER, Missing, Wanted, agrees, is_of
from octavo.sources.online import Note

REFUSED = frozenset({400, 413, 414, 422})
"""Statuses that blame the request: a part of it may be answered."""
MOST_REFUSALS = 40
"""Refused requests of one look-up after which it is given up: the service wants something else, or is broken."""
MAX_NAMES = 3
"""Identifiers of one paper that are asked for, one after the other."""
MAX_QUERY = 300
"""Characters of a title that is searched for."""

Candidates = list[Any] | None
"""The entries that a service gives for a name, most of all none or one, the best first; None where it refuses the
name."""
Answers = Iterator[Note | tuple[Identifier, Candidates]]


class Service(Protocol):
    """One service, asked on one occasion."""

    source: Source

    def names(self, wanted: Wanted) -> Sequence[Identifier]:
        """The identifiers of a paper that the service may know it by, the best first."""
        ...

    def ask(self, names: Sequence[Identifier]) -> Answers:
        """Yield (name, candidates) for each of the names, and Notes."""
        ...

    def search(self, wanted: Wanted) -> list[Any]:
        """What the service finds for a paper's title, the best first."""
        ...


def look_up(service: Service, wanted: Sequence[Wanted]) -> Iterator[Page | Note | Missing]:
    """Yield a Page or a Missing for each of `wanted`; see `lookup.LookUp.look_up`."""
    left = [(one, tuple(service.names(one))[:MAX_NAMES]) for one in wanted]
    nameless = [one for one, names in left if not names]
    left = [(one, names) for one, names in left if names]
    while left:
        asking: dict[Identifier, list[tuple[Wanted, tuple[Identifier, ...]]]] = {}
        for one, names in left:
            asking.setdefault(names[0], []).append((one, names[1:]))
        left = []
        for item in service.ask(list(asking)):
            if isinstance(item, Note):
                yield item
                continue
            name, candidates = item
            for one, others in asking[name]:
                found = _answer(service.source, one, name, candidates)
                if isinstance(found, Missing) and others:
                    left.append((one, others))
                else:
                    yield found
    for one in nameless:
        yield from _by_title(service, one)


def _by_title(service: Service, wanted: Wanted) -> Iterator[Page | Note | Missing]:
    if not wanted.title.strip() or not wanted.families or wanted.year is None:
        yield Missing(wanted, "nothing to find it by")
        return
    candidates: Candidates
    try:
        candidates = service.search(wanted)
    except FetchError as error:
        if error.status not in REFUSED:
            raise
        yield Note(f"{service.source.info.title} refused to search for the title {wanted.title[:80]!r}.")
        candidates = None
    yield _answer(service.source, wanted, None, candidates)


def _answer(source: Source, wanted: Wanted, name: Identifier | None, candidates: Candidates) -> Page | Missing:
    """The page of the first candidate that is the paper, or why there is none."""
    asked = f"title: {wanted.title}" if name is None else str(name)
    if candidates is None:
        return Missing(wanted, "the service refused to look it up", asked)
    reason = "not found"
    for entry in candidates:
        page = Page(
            json.dumps(entry).encode(),
            f"{source.info.title}, {asked}",
            context=((ASKED, asked), (PAPER, wanted.paper)),
        )
        for found in source.parse(page):
            if isinstance(found, Record):
                if agrees(wanted, found) if name is None else is_of(name, wanted, found):
                    return page
                reason = "another paper was given" if name else "no title that agrees"
            elif isinstance(found, Fault):
                reason = found.reason
    return Missing(wanted, reason, asked)


class Splitting:
    """Asks for several names at once, and for parts of them where a request is refused for one of them."""

    def __init__(self, title: str, send: Callable[[Sequence[Identifier]], dict[Identifier, list[Entry]]]) -> None:
        """`send` asks the service called `title` and gives what it found."""
        self._title = title
        self._send = send
        self._refusals = 0

    def ask(self, names: Sequence[Identifier]) -> Answers:
        """See `Service.ask`.

        Raises:
            FetchError: what the fetcher raised, where it is no refusal, or one too many.
        """
        try:
            found = self._send(names)
        except FetchError as error:
            self._refusals += 1
            if error.status not in REFUSED or self._refusals > MOST_REFUSALS:
                raise
        else:
            yield from ((name, found.get(name, [])) for name in names)
            return
        if len(names) == 1:
            yield Note(f"{self._title} refused to look up {names[0]}.")
            yield names[0], None
            return
        half = len(names) // 2
        yield from self.ask(names[:half])
        yield from self.ask(names[half:])


def chunks(names: Sequence[Identifier], most: int, length: int) -> Iterator[list[Identifier]]:
    """Yield the names, in order, as many at once as `most` and `length` (their characters, encoded) allow."""
    chunk: list[Identifier] = []
    size = 0
    for name in names:
        added = len(name.path_form) + 10
        if chunk and (len(chunk) >= most or size + added > length):
            yield chunk
            chunk, size = [], 0
        chunk.append(name)
        size += added
    if chunk:
        yield chunk


def answered(content: bytes) -> Any:
    """The JSON value of an answer; None where it is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None
