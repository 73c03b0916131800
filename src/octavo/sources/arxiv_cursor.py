"""How far a harvest of arXiv's came, as the text that is stored with each page."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields, replace
from datetime import date, timedelta
from typing import Any, Self

_OVERLAP = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class ListCursor:
    """How far a list of OAI-PMH came: all that is needed to go on behind the last page that was stored."""

    base: str
    set: str
    prefix: str
    since: str = ""
    """The first day of changes that is covered, or will be once this list is complete; empty for all."""
    start: str = ""
    """`from` of the list under way, or of the next one after a complete list; empty for all."""
    token: str = ""
    """What to ask for the next page with."""
    expires: str = ""
    """From when on that is no good any more, on arXiv's clock."""
    began: str = ""
    """The day in UTC on which arXiv began to give the list: what changed since then may be missing in it."""
    oldest: str = ""
    newest: str = ""
    """The first and the last datestamp so far."""
    ordered: bool = True
    """Whether no record so far came behind one that changed later."""
    complete: bool = False

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The cursor that is stored; None where that is none."""
        values = _object(text)
        if values is None or not all(isinstance(values.get(name), str) for name in ("base", "set", "prefix")):
            return None
        values["start"] = values.pop("from", "")
        known = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        flags = {"ordered", "complete"}
        if not all(isinstance(value, bool if name in flags else str) for name, value in known.items()):
            return None
        if not all(_is_day(known.get(name, "")) for name in ("since", "start", "began", "oldest", "newest")):
            return None
        return cls(**known)

    def __str__(self) -> str:
        """The form that is stored."""
        values = asdict(self)
        values["from"] = values.pop("start")
        return json.dumps(values, ensure_ascii=False)

    def safe_start(self) -> str:
        """The day from which on to ask anew so that nothing is lost: a day before the last datestamp where the list
        has shown that it is in their order, else its own start."""
        if not (self.ordered and self.oldest < self.newest):
            return self.start
        return max(self.start, (date.fromisoformat(self.newest) - _OVERLAP).isoformat())

    def anew(self, start: str) -> Self:
        """A list from `start` on in the place of this one, which was not complete."""
        return replace(self, start=start, token="", expires="", oldest="", newest="", ordered=True)

    def ended(self) -> Self:
        """The list is complete; the next one begins on the day on which this one did."""
        return replace(self.anew(self.began or self.start), began="", complete=True)


@dataclass(frozen=True, slots=True)
class QueryCursor:
    """How far the asking for papers or for the answer to a query came."""

    want: str
    start: int = 0
    """Ids that were asked for, or entries that came."""
    total: int = -1
    """What arXiv last said there are in all; -1 before it did."""
    highest: int = 0
    """The highest that it said."""
    complete: bool = False

    @classmethod
    def read(cls, text: str, want: str) -> Self:
        """The stored cursor of `want`; that of the beginning where there is none, or where all came."""
        values = _object(text) or {}
        numbers = {name: values.get(name) for name in ("start", "total", "highest")}
        if values.get("want") != want or values.get("complete") is not False:
            return cls(want)
        if not all(isinstance(number, int) and number >= -1 for number in numbers.values()):
            return cls(want)
        return cls(want, max(0, values["start"]), values["total"], values["highest"])

    def __str__(self) -> str:
        """The form that is stored."""
        return json.dumps(asdict(self), ensure_ascii=False)


def _object(text: str) -> dict[str, Any] | None:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def _is_day(text: str) -> bool:
    try:
        return not text or date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
