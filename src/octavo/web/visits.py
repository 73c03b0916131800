"""What is new since the last visit. The browser remembers it in a cookie; nothing is written to the catalogue.

The cookie holds the catalogue's name, and of the visit before and of this one the number of the paper that came last
and the moment: `name.number.moment.number.moment`. Half an hour after its last look, this visit becomes the one before.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime

from octavo.app import Octavo
from octavo.web.asked import Asked

COOKIE_NAME = "visit"
PAUSE = 1_800
"""Seconds without a look at the first page after which a visit is another."""
_FORM = re.compile(r"([0-9a-f]{8})\.(\d{1,12})\.(\d{1,11})\.(\d{1,12})\.(\d{1,11})")


@dataclass(frozen=True, slots=True)
class Since:
    """What came in since the visit before this one."""

    after: int
    """The number of the paper that was the last one then."""
    at: str
    """When that was."""
    n_papers: int


def since(octavo: Octavo, asked: Asked, now: float | None = None) -> tuple[Since | None, str]:
    """What is new, None on a first visit; and what the browser is to remember from now on."""
    moment = int(time.time() if now is None else now)
    name, last = octavo.catalogue_key()[:8], octavo.last_arrival()
    found = _FORM.fullmatch(asked.visit)
    if found is None or found[1] != name or int(found[4]) > last:
        return None, f"{name}.0.0.{last}.{moment}"
    before, before_at, this, this_at = map(int, found.groups()[1:])
    if not 0 <= moment - this_at < PAUSE:
        before, before_at, this = this, this_at, last
    kept = f"{name}.{before}.{before_at}.{last}.{moment}"
    if not before_at:
        return None, kept
    at = datetime.fromtimestamp(before_at, UTC).isoformat()
    return Since(before, at, octavo.arrived(before, 0).total), kept
