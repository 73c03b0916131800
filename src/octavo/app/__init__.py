"""Octavo, the facade: every use case is one method that takes plain values and returns a view.

    with Octavo() as octavo:
        octavo.add("mlanthology", "mlanthology.tar")
        for hit in octavo.search("graph neural networks year:2023..").hits:
            print(hit.rank, hit.paper.title)

The surfaces (command line, pages, REST, MCP) call this and nothing below it, so they can't differ in what they find.
"""

from __future__ import annotations

from octavo.app.adding import Adding
from octavo.app.base import Progress
from octavo.app.completing import Completing
from octavo.app.evaluating import Evaluating
from octavo.app.finding import MAX_LIMIT
from octavo.app.judgements import Judgements
from octavo.app.leafing import Leafing
from octavo.app.library import LibraryCases
from octavo.app.network import Network
from octavo.app.publishing import Publishing
from octavo.app.similar import Similar
from octavo.app.subject_pages import SubjectPages
from octavo.app.topics import TopicCases
from octavo.app.venues import VenueCases

__all__ = ["MAX_LIMIT", "Octavo", "Progress"]


class Octavo(
    Publishing,
    Adding,
    Network,
    LibraryCases,
    Judgements,
    SubjectPages,
    TopicCases,
    VenueCases,
    Leafing,
    Evaluating,
    Completing,
    Similar,
):
    """One reader's catalogue. Opens what it needs when it needs it; `close` it, or use it in a `with`.

    One Octavo is for one thread. Any number of processes may use one home: one writes at a time, the others wait for
    its batch.
    """
