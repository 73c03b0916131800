"""What can be asked of arXiv, in one form each: `cs.LG`, `id:1706.03762,hep-th/9901001`, `query:ti:tile AND au:bee`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote_plus

from octavo.errors import IdentifierError, UsageError
from octavo.records.ids import parse_identifier
from octavo.sources.arxiv_categories import category_named, like

WANTS = "a category, papers or a query: cs.LG, 1706.03762, 'query:cat:cs.LG AND ti:tile'"
_LONGEST_QUERY = 1_500
"""Characters; an address with more is refused by some servers on the way."""
_MOST_IDS = 10_000
_CATEGORY_LIKE = re.compile(r"[a-z]+(?:-[a-z]+)*(?:[.:][a-z-]+)*", re.IGNORECASE)
_ENCODED = re.compile(r"%[0-9A-Fa-f]{2}")
_HOW = "Name a category as cs.LG, papers as 1706.03762, or a query as 'query:cat:cs.LG AND ti:tile'."


@dataclass(frozen=True, slots=True)
class Want:
    """One thing that is asked for: one of the three is not empty."""

    category: str = ""
    """A category, archive or group, in arXiv's letters."""
    ids: tuple[str, ...] = ()
    """Papers, without versions, each once."""
    query: str = ""
    """In the words of the query API, with blanks and not encoded."""

    def __str__(self) -> str:
        """The form that is stored."""
        if self.category:
            return self.category
        return f"query:{self.query}" if self.query else f"id:{','.join(self.ids)}"


def read_want(text: str) -> Want:
    """What a reader names, in any spelling.

    Raises:
        UsageError: it is nothing that arXiv can be asked for.

    >>> str(read_want("cs.lg")), str(read_want("https://arxiv.org/abs/1706.03762v5")), str(read_want("query: ti:tile"))
    ('cs.LG', 'id:1706.03762', 'query:ti:tile')
    """
    said = " ".join(text.split())
    if not said:
        raise UsageError("Nothing was named that arXiv could be asked for.", hint=_HOW)
    if said[:6].lower() == "query:":
        return Want(query=_query(said[6:]))
    listed = said[3:].strip() if said[:3].lower() == "id:" else ""
    if not listed and (category := category_named(said)) is not None:
        return Want(category=category)
    ids, strange = _ids(listed or said)
    if ids and not strange:
        if len(ids) > _MOST_IDS:
            raise UsageError(
                f"{len(ids):,} papers are more than the {_MOST_IDS:,} that can be asked for at once.",
                hint="Name fewer, or their category.",
            )
        return Want(ids=ids)
    raise _refusal(said, strange if ids or listed else said)


def _query(text: str) -> str:
    query = text.strip()
    if _ENCODED.search(query) or ("+" in query and " " not in query):
        query = " ".join(unquote_plus(query).split())  # as copied out of an address; it is encoded when it is sent
    if not query or not query.isprintable():
        raise UsageError("The query for arXiv is empty, or holds what can't be sent.", hint=_HOW)
    if len(query) > _LONGEST_QUERY:
        raise UsageError(
            f"The query for arXiv has {len(query):,} characters; {_LONGEST_QUERY:,} can be sent.",
            hint="Ask in several parts.",
        )
    return query


def _ids(text: str) -> tuple[tuple[str, ...], str]:
    """The papers that a text names, and the first part of it that names none."""
    found: list[str] = []
    for part in filter(None, (part.strip() for part in re.split(r"[,;]", text))):
        # `arXiv: 1706.03762` is one paper, `1706.03762 1706.03763` are two.
        pieces = [part] if _id(part) else part.split()
        for piece in pieces:
            if (value := _id(piece)) is None:
                return tuple(found), piece
            found.append(value)
    return tuple(dict.fromkeys(found)), ""


def _id(text: str) -> str | None:
    try:
        identifier, _ = parse_identifier(text)
    except IdentifierError:
        return None
    return identifier.value if identifier.scheme == "arxiv" else None


def _refusal(said: str, strange: str) -> UsageError:
    shown = strange[:60] + ("…" if len(strange) > 60 else "")
    if said == strange and _CATEGORY_LIKE.fullmatch(said):
        meant = like(said)
        hint = f"Did you mean {' or '.join(meant)}? " if meant else ""
        return UsageError(f"arXiv has no category {shown}.", hint=hint + _HOW)
    try:
        scheme = parse_identifier(strange)[0].scheme
    except IdentifierError:
        return UsageError(f"{shown!r} is nothing that arXiv can be asked for.", hint=_HOW)
    return UsageError(f"{shown} is no paper of arXiv's: it is an identifier of the kind {scheme}.", hint=_HOW)
