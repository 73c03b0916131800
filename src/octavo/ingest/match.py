"""Whether two lists of authors may be one paper's, for an entry of a saved page, which has little else.

What two records of sources have in common, `ingest.linking` weighs.
"""

from __future__ import annotations

from collections.abc import Sequence

from octavo.records.fold import fold
from octavo.records.names import Author
from octavo.records.paper import Record


def authors_agree(one: Record, other: Record) -> bool:
    """Say whether two lists may be one paper's: half of the shorter one's names stand in the other."""
    names, others = _names(one.authors), _names(other.authors)
    if not names or not others:
        return False
    return len(names & others) * 2 >= min(len(names), len(others))


def _names(authors: Sequence[Author]) -> set[tuple[str, str]]:
    """(family, first initial) of each author, folded."""
    return {(fold(author.family or author.name), fold(author.given)[:1]) for author in authors}
