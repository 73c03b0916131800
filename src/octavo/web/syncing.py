"""Bringing the catalogue up to date beside the pages: a thread that looks from time to time what is due."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from octavo.app import Octavo
from octavo.errors import BusyError, OctavoError, UsageError
from octavo.sources.limiter import Clock, SystemClock
from octavo.sync.calendar import latest_day
from octavo.views_sync import SyncView

EVERY = ("daily", "hourly")
"""How often sources may be asked at most. `daily`: when the server begins, and then after each announcement of
arXiv's or once in 24 hours, whichever comes first."""
LOOK = 600.0
"""Seconds between two looks at what is due; a look asks the network for nothing."""
AGAIN = timedelta(hours=1)
"""After this, what did not end well is tried again."""
_DAY = timedelta(hours=24)
_SLICE = 0.5  # seconds of sleep after which a thread sees that it is to end


class Syncing:
    """Looks every ten minutes, with an Octavo of its own, and does what is due (`Octavo.sync`)."""

    def __init__(self, home: Path, every: str, tell: Callable[[str], None], clock: Clock | None = None) -> None:
        """Sync `home` as often as `every` (one of EVERY) says; `tell` gets a line for each thing that was done."""
        self._home = home
        self._every = every
        self._tell = tell
        self._clock = clock or SystemClock()
        self._stop = threading.Event()
        self._asked_at: datetime | None = None
        self._was_good = True
        self._said = ""
        self._thread = threading.Thread(target=self._work, name="syncing", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, timeout: float = 1.0) -> bool:
        """End; whether it has ended within so many seconds. What was stored is kept in any case, and the thread ends
        with the process at the latest."""
        self._stop.set()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def look(self) -> None:
        """Do what is due, unless sources were asked too short a time ago. Raises nothing."""
        if self._asked_at and not is_time(self._every, self._asked_at, self._was_good, self._now()):
            return
        views: list[SyncView] = []
        try:
            with Octavo(self._home) as octavo:
                for view in octavo.sync(progress=self._progress):
                    views.append(view)
                    self._say(line_of(view))
        except KeyboardInterrupt:  # of `_progress`: that is how a sync is stopped so that it is logged
            return
        except BusyError:
            self._tell_once("Another sync is at work; this one looks again in ten minutes.")
            return
        except UsageError as error:  # the configuration, which the reader may mend at any time
            self._tell_once(str(error))
            return
        except OctavoError as error:
            self._tell_once(str(error))
        except Exception as error:  # whatever it is, the pages go on, and so does the next look
            self._tell_once(f"The sync failed, which is a fault of Octavo: {type(error).__name__}: {error}")
        else:
            self._said = ""
            if views:
                self._asked_at, self._was_good = self._now(), all(view.is_good for view in views)
            return
        self._asked_at, self._was_good = self._now(), False

    def _work(self) -> None:
        while not self._stop.is_set():
            self.look()
            until = self._clock.monotonic() + LOOK
            while not self._stop.is_set() and (left := until - self._clock.monotonic()) > 0:
                self._clock.sleep(min(left, _SLICE))

    def _progress(self, _stage: str, _done: int, _total: int) -> None:
        if self._stop.is_set():
            raise KeyboardInterrupt

    def _now(self) -> datetime:
        return datetime.fromtimestamp(self._clock.time(), UTC)

    def _tell_once(self, line: str) -> None:
        """Say what keeps on being so once, not every ten minutes."""
        if line != self._said:
            self._said = line
            self._say(line)

    def _say(self, line: str) -> None:
        with suppress(OSError):  # nobody reads it any more; the work goes on
            self._tell(line)


def is_time(every: str, asked_at: datetime, was_good: bool, now: datetime) -> bool:
    """Whether sources may be asked again that were asked at `asked_at`, when all ended well or not."""
    since = now - asked_at
    if every == "hourly" or not was_good:
        return since >= AGAIN
    return since >= _DAY or latest_day(now) != latest_day(asked_at)


def line_of(view: SyncView) -> str:
    """What came of one thing that was wanted, on a line: `arxiv cs.LG: complete, 230 new papers, 12 updated`."""
    counts = view.counts
    told = [f"{counts['new_papers']:,} new papers"] if counts.get("new_papers") else []
    told += [f"{counts[name]:,} {name}" for name in ("updated", "deleted", "skipped") if counts.get(name)]
    line = f"{view.source} {view.want}: {', '.join([view.state.replace('_', ' '), *(told or ['nothing new'])])}"
    return f"{line}. {view.problem} {view.hint}".strip() if view.problem else line
