"""`/sources`: every source, how what is wanted of it stands, and the last runs."""

from __future__ import annotations

from datetime import UTC, datetime

from octavo.app import Octavo
from octavo.errors import ConfigError
from octavo.web.asked import Answer, Asked, Page
from octavo.web.phrases import phrase

RUNS = 12


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """How the sources stand."""
    problem = ""
    with Octavo(octavo.home) as fresh:  # the configuration may have changed since the server began
        try:
            states = fresh.source_states()
        except ConfigError as error:
            states = ()
            problem = " ".join(phrase(asked.language, text) for text in (error.message, error.hint) if text)
        runs = fresh.log(RUNS)
    values = {
        "followed": [state for state in states if state.wants],
        "others": [state for state in states if not state.wants],
        "runs": runs,
        "problem": problem,
        "now": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    data = {
        "sources": [state.to_dict() for state in states],
        "runs": [run.to_dict() for run in runs],
        "problem": problem or None,
    }
    return Answer("sources.html", values, data)


PAGES = (Page("/sources", answer),)
