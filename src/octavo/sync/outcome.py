"""What came of asking a source for something."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from octavo.catalogue.batches import GOOD, STATES, Batch
from octavo.errors import OctavoError
from octavo.ingest.adding import Tally
from octavo.sources.http import RateLimitedError
from octavo.sources.limiter import FetchCancelledError
from octavo.sources.online import ShortError

_WORST = ("empty", "complete", "short", "stale", "rate_limited", "failed", "stopped")
"""All STATES, the one that counts more later."""


@dataclass(slots=True)
class Outcome:
    """What came of one thing that was wanted of one source, while it goes on and afterwards."""

    source: str
    want: str
    tally: Tally = field(default_factory=Tally)
    state: str = ""
    """One of STATES; empty while it goes on."""
    notes: list[str] = field(default_factory=list)
    """What was out of the usual, and what was done about it."""
    batches: list[Batch] = field(default_factory=list)
    """Announcement days, the earliest first."""
    failure: OctavoError | None = None
    seconds: float = 0.0

    @property
    def is_good(self) -> bool:
        """Whether nothing is left to do."""
        return self.state in GOOD

    def end(self, state: str, failure: OctavoError | None = None) -> None:
        """Say what came of it; of several ends the worst counts."""
        self.state = worst((self.state, state)) if self.state else state
        self.failure = self.failure or failure


def worst(states: Iterable[str]) -> str:
    """The one of STATES that counts most: `empty` where there are none."""
    return max(states, key=_WORST.index, default="empty")


def state_of(error: BaseException) -> str:
    """The state in which an error leaves what was asked for."""
    if isinstance(error, RateLimitedError):
        return "rate_limited"
    if isinstance(error, ShortError):
        return "short"
    if isinstance(error, FetchCancelledError | KeyboardInterrupt):
        return "stopped"
    return "failed"


assert set(_WORST) == set(STATES)  # noqa: S101 - a state that is added must be given its place
