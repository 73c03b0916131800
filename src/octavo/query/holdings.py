"""What a paper may have, as `has:` asks for it: an abstract, code, a DOI, a prize ..."""

from __future__ import annotations

from functools import lru_cache
from itertools import compress
from operator import attrgetter

from octavo.records.decisions import PRESENTATIONS
from octavo.records.ids import SCHEMES
from octavo.records.paper import LINK_KINDS, Paper

TEXTS = ("abstract", "summary", "tldr", "venue", "comment", "journal_ref")
"""Texts of a paper; `summary` is Octavo's own, which is no abstract."""
LISTS = ("authors", "categories", "keywords", "references")
LINKS = LINK_KINDS
IDS = tuple(scheme for scheme in SCHEMES if scheme != "url")
HOLDINGS = (*TEXTS, *LISTS, *LINKS, *IDS, "award", "citations")
"""All values of `has:`."""

_ALSO = {
    "category": "categories",
    "author": "authors",
    "keyword": "keywords",
    "reference": "references",
    "prize": "award",
    "awards": "award",
    "journal": "journal_ref",
    "comments": "comment",
    "slides": "supplement",
    "website": "project",
    "摘要": "abstract",
    "代码": "code",
    "奖项": "award",
}


def find_holding(name: str) -> str | None:
    """The value that a reader means, in the singular or the plural; None for what no paper can have."""
    folded = name.lower()
    for form in (folded, folded.removesuffix("s")):
        if form in HOLDINGS:
            return form
    return _ALSO.get(folded)


@lru_cache(maxsize=4_096)
def is_prize(award: str) -> bool:
    """Whether a paper's award names a prize, and not only how it was presented (`oral`, `poster`)."""
    return any(one and one not in PRESENTATIONS for one in map(str.strip, award.lower().split(";")))


_texts_of = attrgetter(*TEXTS, *LISTS)


def holdings_of(paper: Paper) -> tuple[str, ...]:
    """What a paper has, each once."""
    found = list(compress((*TEXTS, *LISTS), _texts_of(paper)))
    found += [kind for kind, _ in paper.links]
    found += {identifier.scheme: None for identifier in paper.identifiers if identifier.scheme != "url"}
    if paper.award and is_prize(paper.award):
        found.append("award")
    if paper.citations is not None:
        found.append("citations")
    return tuple(found)
