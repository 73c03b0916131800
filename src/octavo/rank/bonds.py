"""What ties papers beside their texts: authors in common, and references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from math import sqrt

from octavo.catalogue.relatives import Relative
from octavo.explain import Explanation
from octavo.records.fold import fold

AUTHOR = 0.5
"""For an author in common, at most for MOST_AUTHORS of them."""
MOST_AUTHORS = 2
REFERENCES = 1.0
"""For one citing the other; what else there is of references counts in its measure, at most MOST_TIES together."""
COUPLING = 2.0
"""By the cosine of two lists of references."""
CO_CITED = 0.25
"""For each paper that cites both."""
MOST_TIES = 2.0
_SHOWN_AUTHORS = 3


class Bonds:
    """Authors and references of what was given, ready to be compared with those of each candidate."""

    def __init__(self, own: Collection[Relative], candidates: Collection[Relative]) -> None:
        """Take in what was given; of the candidates, which of them cite it, and what else they cite."""
        self._authors = {fold(name) for one in own for name in one.authors}
        self._names = frozenset(name for one in own for name in one.identifiers)
        self._references = frozenset(name for one in own for name in one.references)
        self._several = len(own) > 1
        self._co_cited: Counter[str] = Counter()
        if self._names:
            for one in candidates:
                if not self._names.isdisjoint(one.references):
                    self._co_cited.update(one.references)

    def authors(self, other: Relative) -> Explanation | None:
        """The authors in common."""
        if not self._authors:
            return None
        same = [name for name in other.authors if fold(name) in self._authors]
        if not same:
            return None
        same = list(dict.fromkeys(same))
        shown = ", ".join(same[:_SHOWN_AUTHORS]) + (
            f" and {len(same) - _SHOWN_AUTHORS} more" * (len(same) > _SHOWN_AUTHORS)
        )
        said = f"same author {shown}" if len(same) == 1 else f"same authors {shown}"
        return Explanation(AUTHOR * min(len(same), MOST_AUTHORS), said)

    def references(self, other: Relative) -> Explanation | None:
        """Who cites whom, which references they share, and who cites both."""
        cites = other.references
        if not (self._references or cites or self._co_cited):
            return None  # nothing is known of references, as of most papers
        said, value = [], 0.0
        names = other.identifiers
        it = "one of them" if self._several else "it"
        if not self._names.isdisjoint(cites):
            value += REFERENCES
            said.append(f"cites {it}")
        if not names.isdisjoint(self._references):
            value += REFERENCES
            said.append(f"cited by {it}")
        if shared := len(self._references & cites):
            value += COUPLING * shared / sqrt(len(self._references) * len(cites))
            said.append(f"{shared} {'reference' if shared == 1 else 'references'} in common")
        if both := max((self._co_cited[name] for name in names), default=0):
            value += CO_CITED * both
            said.append(f"{both} related {'paper cites' if both == 1 else 'papers cite'} both")
        return Explanation(REFERENCES * min(value, MOST_TIES), "; ".join(said)) if said else None
