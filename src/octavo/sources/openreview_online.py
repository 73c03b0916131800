"""OpenReview's API, asked for the submissions of a venue, or for one paper.

As its documentation and its own client have it: `GET /groups?id=` tells of a venue; a group with a `domain` is of the
second version of the API, and its content names the venueids of what is under review, rejected, withdrawn and
desk-rejected, each of which is asked for (`GET /notes?content.venueid=`; accepted is the venue's own). Venues of the
first version are asked for by invitation (`Blind_Submission`, else `Submission`; what was withdrawn or desk-rejected
moves to invitations of its own). `limit` is 1,000 at most; `sort=id` with `after=` the last id goes on where it ended,
whatever is added meanwhile, and the end is an empty answer. The number of notes is told with the first only.

Decisions that are public stand in `details.directReplies`, which make an answer many times longer; they are asked for
where no venueid tells the fate. Submissions change their fate without being new, and nothing documented gives what
has changed: a harvest that is complete begins anew the next time.

Guests may be kept out with 403 until a browser has shown that a person uses it. Octavo does not get around that.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any
from urllib.parse import parse_qs, urlencode

from octavo.errors import FormatError, SourceError
from octavo.sources.base import Page
from octavo.sources.http import Answer, FetchError
from octavo.sources.online import Ask, Fetcher, Note, ShortError
from octavo.sources.openreview import FORUM, WANTS_HINT

_UNKNOWN = frozenset({400, 404})
"""What is answered for an id that there is not."""
_MOST = "1000"
_MOST_WITH_REPLIES = "250"
_REPLIES = {"api": "directReplies", "api1": "directReplies,original"}
_FATES = {
    "submission_venue_id": "Submission",
    "rejected_venue_id": "Rejected_Submission",
    "withdrawn_venue_id": "Withdrawn_Submission",
    "desk_rejected_venue_id": "Desk_Rejected_Submission",
}
"""What a venue's group names the venueids of a fate by, and how they end unless it says otherwise."""
_DONE = json.dumps({"done": True})
_NOTHING = b'{"notes": []}'


@dataclass(frozen=True, slots=True)
class _List:
    """One list of notes."""

    query: str
    if_none: bool = False
    """Asked for only where no list before has given a note."""


@dataclass(slots=True)
class _Mark:
    """Where a harvest is; the cursor of its pages."""

    api: str
    """Which of the addresses the venue's notes are at."""
    lists: list[_List]
    number: int = 0
    """Of the list that is being read, from 0."""
    after: str = ""
    """The id of the last note that it gave."""
    came: int = 0
    """Notes that it gave."""
    total: int | None = None
    """Notes that it has, as the server said at first."""
    earlier: int = 0
    """Notes of the lists before."""
    is_short: bool = False
    """This list ended short in the run before."""

    @property
    def cursor(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    def move_on(self) -> None:
        """Go to the next list that is wanted."""
        self.earlier += self.came
        self.number += 1
        while self.number < len(self.lists) and self.lists[self.number].if_none and self.earlier:
            self.number += 1
        self.after, self.came, self.total, self.is_short = "", 0, None, False


def _read_mark(cursor: str) -> _Mark | None:
    """The mark that a cursor holds; None where it holds none.

    Raises:
        ValueError: it is broken.
    """
    try:
        held = json.loads(cursor)
        if held == json.loads(_DONE):
            return None
        lists = [_List(str(one["query"]), bool(one["if_none"])) for one in held.pop("lists")]
        mark = _Mark(lists=lists, **{one.name: held[one.name] for one in fields(_Mark) if one.name != "lists"})
        counts = (mark.number, mark.came, mark.earlier, 0 if mark.total is None else mark.total)
        if mark.api in _REPLIES and isinstance(mark.after, str) and all(isinstance(one, int) for one in counts):
            return mark
    except (TypeError, KeyError, AttributeError, RecursionError) as fault:
        raise ValueError from fault
    raise ValueError


@dataclass(slots=True)
class _Notes:
    """Checks that an answer is a list of notes and goes on where the last ended, and keeps what it holds."""

    seen: set[str] = field(default_factory=set)
    """Ids of notes that came before."""
    left: int = 0
    """Notes that the server has still to give, as far as it said."""
    notes: list[dict[str, Any]] = field(default_factory=list)
    count: int | None = None
    fault: str = ""
    """`empty` or `again`, where the answer was one but not the next."""

    def __call__(self, content: bytes) -> bool:
        self.notes, self.count, self.fault = [], None, ""
        answer = _answer(content)
        notes = answer.get("notes")
        if not isinstance(notes, list) or not all(isinstance(one, dict) and _id(one) for one in notes):
            raise FormatError("it is no list of notes")
        self.notes = notes
        count = answer.get("count")
        self.count = count if isinstance(count, int) and not isinstance(count, bool) else None
        if not notes and (self.left > 0 or (not self.seen and (self.count or 0) > 0)):
            self.fault = "empty"
            raise SourceError("it has no note, though there are more")
        if notes and self.seen and self.seen.issuperset(map(_id, notes)):
            self.fault = "again"
            raise SourceError("it has the notes of the answer before")
        return True


def _id(note: Mapping[str, Any]) -> str:
    value = note.get("id")
    return value if isinstance(value, str) else ""


def _answer(content: bytes) -> dict[str, Any]:
    """An answer of the API.

    Raises:
        FormatError: it is none, or only a part.
    """
    try:
        answer = json.loads(content)
    except (ValueError, RecursionError) as fault:
        raise FormatError("it is no JSON, or only a part of it") from fault
    if not isinstance(answer, dict):
        raise FormatError("it is no answer of OpenReview")
    return answer


def harvest(ask: Ask, fetcher: Fetcher, rate: float) -> Iterator[Page | Note]:
    """Yield the answers about what is wanted; see `OnlineSource.harvest`.

    A list that stays short does not keep the others from being read: the error comes at the end, and the next run
    begins behind the last note of that list; if it is short again, the one after that begins anew.
    """
    service = _Service(ask, fetcher, rate)
    if ask.want.startswith(FORUM):
        yield service.paper(ask.want.removeprefix(FORUM))
        return
    mark = None
    if ask.cursor:
        try:
            mark = _read_mark(ask.cursor)
        except ValueError:
            yield Note(f"Where the last run about {ask.want} ended can't be read; all of it is asked for anew.")
    mark = mark or service.plan()
    short: tuple[ShortError, str] | None = None
    while mark.number < len(mark.lists):
        try:
            yield from service.notes(mark)
        except ShortError as error:
            again = _DONE if mark.is_short else replace(mark, is_short=True).cursor
            short = short or (error, again)
        mark.move_on()
    if not mark.earlier and not short:
        yield Note(f"OpenReview shows no submission to {ask.want} to the public.")
    yield Page(_NOTHING, f"{ask.want} of OpenReview, end", short[1] if short else _DONE)
    if short:
        raise short[0]


class _Service:
    """The API, asked for one thing."""

    def __init__(self, ask: Ask, fetcher: Fetcher, rate: float) -> None:
        self._want, self._addresses = ask.want, ask.addresses
        self._fetcher, self._rate = fetcher, rate

    def paper(self, forum: str) -> Page:
        """The answer about one paper.

        Raises:
            FetchError: neither version of the API has it.
        """
        url = ""
        for api, details in _REPLIES.items():
            check = _Notes()
            url = f"{self._addresses[api]}/notes?{urlencode({'id': forum, 'details': details})}"
            try:
                answer = self._get(url, check)
            except FetchError as fault:
                if fault.status in _UNKNOWN:
                    continue
                raise
            if check.notes:
                return Page(answer.content, f"{self._want} of OpenReview", _DONE)
        raise FetchError(
            f"OpenReview has no public paper {forum}.",
            url=url, status=404, tries=1, hint="Check the id: it is what stands behind forum?id= in the address.",
        )  # fmt: skip

    def plan(self) -> _Mark:
        """Find out at which version of the API the venue is, and which lists its submissions are in.

        Raises:
            FetchError: there is no such venue.
        """
        group = self._group("api")
        content = (group or {}).get("content")
        if group and group.get("domain"):
            return _Mark("api", _lists(self._want, content if isinstance(content, dict) else {}))
        if group is None and self._group("api1") is None:
            raise FetchError(
                f"OpenReview has no venue {self._want}.",
                url=f"{self._addresses['api']}/groups", status=404, tries=1, hint=WANTS_HINT,
            )  # fmt: skip
        return _Mark("api1", _lists_v1(self._want))

    def _group(self, api: str) -> dict[str, Any] | None:
        """What a version of the API says of the venue; None where it does not know it."""
        groups: list[Any] = []

        def is_answer(content: bytes) -> bool:
            found = _answer(content).get("groups")
            groups[:] = found if isinstance(found, list) else []
            return isinstance(found, list)

        try:
            self._get(f"{self._addresses[api]}/groups?{urlencode({'id': self._want})}", is_answer)
        except FetchError as fault:
            if fault.status in _UNKNOWN:
                return None
            raise
        return next((one for one in groups if isinstance(one, dict) and one.get("id") == self._want), None)

    def notes(self, mark: _Mark) -> Iterator[Page | Note]:
        """Yield what is left of the list that `mark` is at, and move `mark` along.

        Raises:
            ShortError: it ended before all came that it is said to have.
        """
        seen = {mark.after} if mark.after else set()
        while True:
            check = _Notes(seen, (mark.total or 0) - mark.came)
            content = self._next(mark, check)
            if not check.notes:
                break
            if not mark.after:
                mark.total = check.count
            fresh = list({_id(note): note for note in check.notes if _id(note) not in seen}.values())
            seen.update(map(_id, fresh))
            mark.after = _id(check.notes[-1])
            mark.came += len(fresh)
            if len(fresh) < len(check.notes):
                content = json.dumps({"notes": fresh}).encode()
            place = f"{self._want} of OpenReview, {self._name(mark)}, notes to {mark.came:,}"
            yield Page(content, place, mark.cursor)
        if mark.total is not None and mark.came < mark.total:
            yield self._reckon(mark)

    def _next(self, mark: _Mark, check: _Notes) -> bytes:
        """The next answer of a list; `check.notes` is empty at its end.

        Raises:
            ShortError: the server goes on giving the notes of the answer before.
        """
        going_on = {"after": mark.after} if mark.after else {"count": "true"} if mark.api == "api" else {}
        try:
            return self._get(self._list_url(mark, {"sort": "id", **going_on}), check).content
        except FetchError as fault:
            if fault.status != 200 or not check.fault:
                raise
            if check.fault == "again":
                raise ShortError(
                    f"OpenReview gives the same notes of {self._want} ({self._name(mark)}) again and again,"
                    f" after {mark.came:,}.",
                    hint="What came is kept; run it again later.",
                ) from fault
            if not mark.after:
                mark.total = check.count
            return b""

    def _reckon(self, mark: _Mark) -> Note:
        """Ask again how many notes a list has that ended before all came: notes move from list to list meanwhile.

        Raises:
            ShortError: it has more than it gave.
        """
        check = _Notes()
        counting = {"limit": "1"} | ({"count": "true"} if mark.api == "api" else {})
        self._get(self._list_url(mark, counting), lambda content: check(content) or True)
        name = f"{self._want} ({self._name(mark)})"
        if check.count is None or check.count > mark.came:
            raise ShortError(
                f"OpenReview says that it has {check.count or mark.total or 0:,} notes of {name}, and gave"
                f" {mark.came:,}.",
                hint="What came is kept; run it again later.",
            )
        return Note(
            f"OpenReview said that it has {mark.total or 0:,} notes of {name}, then {check.count:,};"
            f" {mark.came:,} came."
        )

    def _name(self, mark: _Mark) -> str:
        """What a list is called, for people: the end of its venueid or invitation."""
        asked = parse_qs(mark.lists[mark.number].query)
        named = next((asked[name][0] for name in ("content.venueid", "invitation") if name in asked), "")
        return "accepted" if named == self._want else named.rpartition("/")[2]

    def _list_url(self, mark: _Mark, more: Mapping[str, str]) -> str:
        asked = {name: values[0] for name, values in parse_qs(mark.lists[mark.number].query).items()}
        return f"{self._addresses[mark.api]}/notes?{urlencode({**asked, **more})}"

    def _get(self, url: str, expect: Callable[[bytes], bool]) -> Answer:
        try:
            return self._fetcher.get(url, rate=self._rate, expect=expect)
        except FetchError as fault:
            if fault.status != 403:
                raise
            raise FetchError(
                f"OpenReview does not show {self._want} to a program without an account (403).",
                url=fault.url, status=403, tries=fault.tries,
                hint="It lets guests in by a check in a browser at times, and at times not at all. Save the answer from"
                " there and `octavo add openreview FILE`, or take the venue from a list of Paper Lists:"
                " `octavo add paperlists FILE`.",
            ) from fault  # fmt: skip


def _lists(venue: str, content: Mapping[str, Any]) -> list[_List]:
    """The lists of a venue of the second version. What is under review comes first: notes leave it for the others."""
    said = {name: value.get("value") for name, value in content.items() if isinstance(value, dict)}
    invitation = said.get("submission_id")
    named = invitation if isinstance(invitation, str) and invitation else f"{venue}/-/Submission"
    replies = {"details": _REPLIES["api"], "limit": _MOST_WITH_REPLIES}
    by_invitation = urlencode({"invitation": named, **replies})
    if "submission_venue_id" not in said:
        # A journal has many stages, and one invitation for all; venues before 2024 may say nothing.
        return [_List(by_invitation), _List(urlencode({"content.venueid": venue, "limit": _MOST}), True)]
    ids = [one if isinstance(one := said.get(name), str) and one else f"{venue}/{end}" for name, end in _FATES.items()]
    ids.insert(1, venue)
    lists = [
        _List(urlencode({"content.venueid": one, **(replies if one == ids[0] else {"limit": _MOST})}))
        for one in dict.fromkeys(ids)
    ]
    return [*lists, _List(by_invitation, True)]


def _lists_v1(venue: str) -> list[_List]:
    """The lists of a venue of the first version.

    The `Submission` behind a blind one is its original, with an id of its own: the same paper twice.
    """
    names = (
        ("Blind_Submission", False), ("Submission", True), ("submission", True),
        ("Withdrawn_Submission", False), ("Desk_Rejected_Submission", False),
    )  # fmt: skip
    asked = {"details": _REPLIES["api1"], "limit": _MOST_WITH_REPLIES}
    return [_List(urlencode({"invitation": f"{venue}/-/{name}", **asked}), if_none) for name, if_none in names]
