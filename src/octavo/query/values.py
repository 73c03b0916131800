"""Values that are no words, as people write them: categories, identifiers, statuses, tags (`spans` has the ranges)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from octavo.errors import IdentifierError
from octavo.query.ast import (
    Category,
    HasNode,
    IdNode,
    LanguageNode,
    LibraryNode,
    Node,
    Not,
    SourceNode,
    StatusNode,
    TermNode,
    TopicNode,
    VenueNode,
    disjunction,
)
from octavo.query.fields import Field, Kind
from octavo.query.holdings import HOLDINGS, find_holding
from octavo.query.languages import LANGUAGES
from octavo.query.spans import read_date_range, read_number_range, read_year_range
from octavo.query.words import exact_words
from octavo.records.fold import fold
from octavo.records.ids import Identifier, parse_identifier

_ARCHIVES = (
    "astro-ph|cond-mat|cs|econ|eess|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math|math-ph|nlin|nucl-ex|nucl-th|physics|"
    "q-bio|q-fin|quant-ph|stat|"
    "acc-phys|adap-org|alg-geom|ao-sci|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|dg-ga|funct-an|mtrl-th|"
    "patt-sol|plasm-ph|q-alg|solv-int|supr-con"
)
"""arXiv's, and in the second half those that it has closed."""
_CATEGORY = re.compile(rf"({_ARCHIVES})(?:\.(?:\*|([a-z]+(?:-[a-z]+)?)))?", re.IGNORECASE)
_MAY_IDENTIFY = re.compile(r"[^\s/:.%-]*[/:.%-](?=.*(?:[0-9]|//))")
_SURE_KEY = re.compile(r"[vr][0-9]+/[a-z-]{2,}[0-9]{2}[a-z]?|[a-z]+/[^/]+/.*[0-9].*|.*:.*", re.IGNORECASE)
"""PMLR's and DBLP's keys that are not, like `data/model` or `v1/v2`, more likely words."""

KIND_NAMES = {
    Kind.NUMBER: "a number or a range of numbers",
    Kind.DATE: "a date or a range of dates",
    Kind.HOLDING: f"one of what a paper may have ({', '.join(HOLDINGS)})",
    Kind.LANGUAGE: "a language that is told apart here",
    Kind.SOURCE: "a source",
    Kind.TOPIC: "a topic that is known here",
    Kind.TERM: "a term that is known here",
    Kind.STATE: "one of read, saved, noted, tagged, and unread and the like",
    Kind.TAG: "a tag",
    Kind.CATEGORY: "a category",
    Kind.IDENTIFIER: "an identifier",
    Kind.STATUS: "a status such as accepted, rejected or withdrawn",
}
"""What to call the values of a kind in a message."""


def read_category(text: str) -> str | None:
    """Read a category, `cs.LG`, or a group, `cs` or `cs.*`, which is given as `cs`; None for other texts."""
    found = _CATEGORY.fullmatch(text)
    if not found:
        return None
    return f"{found[1]}.{found[2]}" if found[2] else found[1]


def read_identifier(text: str) -> Identifier | None:
    """Read what can be nothing but an identifier, for places where words may stand too."""
    if not _MAY_IDENTIFY.match(text):
        return None
    identifier = _parse(text)
    if identifier and identifier.scheme in ("pmlr", "dblp") and not _SURE_KEY.fullmatch(text):
        return None
    return identifier


def read_whole(text: str) -> Identifier | None:
    """Read a whole query that is an identifier with blanks or `%2F` in it: `arXiv:2101.00010v2 [cs.LG] 4 Jan 2021`.

    Others are taken as they come, a token at a time.
    """
    if not {" ", "%"} & set(text) or text[0] in '-!("' or balanced(text) != text:
        return None
    return read_identifier(text)


_STATUS_WORDS = frozenset(
    {
        "accept",
        "accepted",
        "acceptance",
        "reject",
        "rejected",
        "rejection",
        "desk",
        "withdraw",
        "withdrawn",
        "withdrawal",
    }
    | {"retract", "retracted", "retraction", "submit", "submitted", "submission", "under", "review", "pending"}
    | {"by", "author", "authors", "paper"}
)
_NOTICES = ("erratum", "errata", "corrigendum", "corrigenda")


def read_status(text: str) -> str | None:
    """Read a status in any of its words: `accept`, `Desk Rejected`, `under review`; None for other texts."""
    from octavo.records.decisions import parse_decision

    word = fold(text).replace("-", " ").replace("_", " ")
    if word in _NOTICES:
        return "erratum"
    if not _STATUS_WORDS.issuperset(word.split()):
        return None  # `banana reject`, `not accepted`: no status, whatever words of one are in it
    said = parse_decision(word)
    return said.status if said.status and not said.award else None


def read_venue(text: str) -> tuple[VenueNode, bool] | None:
    """Read any name of a known venue or edition; None for other words.

    Returns:
        The node, and whether nothing else can be meant: not where the words may be a part of another's name.
    """
    # The table of venues takes its time, and most queries name none.
    from octavo.records.edition_names import venue_asked

    asked = venue_asked(text)
    if asked is None:
        return None
    names = tuple(tuple(exact_words(name)) for name in asked.names)
    return VenueNode(asked.name, asked.terms, names), asked.is_sure


_ID_LIST = "id_list"
_COMMAS = re.compile(r"[,，、]")
_CODE = re.compile(r"[\w.-]{1,60}")
_STATES = {
    "saved": "saved", "starred": "saved", "bookmarked": "saved", "read": "read", "seen": "read", "noted": "noted",
    "annotated": "noted", "tagged": "tagged", "收藏": "saved", "已读": "read",
}  # fmt: skip
_OWN = {"note": "noted", "notes": "noted", "tag": "tagged", "tags": "tagged"}
"""What `has:` may ask for that is the reader's own."""

FindSlug = Callable[[str], str | None]


def slug_of(name: str) -> str | None:
    """A name in the form of a slug, for where no table of names is at hand: `Large Language Models` has `-` in it."""
    return "-".join(exact_words(name)) or None


@dataclass(frozen=True, slots=True)
class Names:
    """How the names of topics and terms are read: to their slugs, None where there is none of that name."""

    find_topic: FindSlug = slug_of
    find_term: FindSlug = slug_of


PLAIN = Names()
"""Any name is that of a topic or a term."""


def kind_name(field: Field) -> str:
    """What to call the values of a field in a message."""
    return "a year or a range of years" if field.name == "year" else KIND_NAMES[field.kind]


def read_filter(field: Field, name: str, text: str, names: Names) -> tuple[Node, str] | None:
    """Read a value of a field that holds no words; `name` is what the field was called (`doi`).

    Returns:
        The node, and what is odd about the text, empty where nothing is; None where the text is no such value.
    """
    text = text.strip()
    match field.kind:
        case Kind.NUMBER if field.name == "year":
            return read_year_range(text)
        case Kind.NUMBER:
            return read_number_range(field.name, text)
        case Kind.DATE:
            found = read_date_range(text)
            return (found[0], found[1] or _UPDATES) if found and name.lower() == "lastupdateddate" else found
        case _:
            node = _read_node(field, name, text, names)
            return (node, "") if node else None


_UPDATES = "asks for the last change, which is not kept"


def _read_node(field: Field, name: str, text: str, names: Names) -> Node | None:
    folded = fold(text)
    match field.kind:
        case Kind.CATEGORY:
            return Category(value) if (value := read_category(text)) else None
        case Kind.STATUS:
            return StatusNode(value) if (value := read_status(text)) else None
        case Kind.IDENTIFIER:
            return _read_identifiers(name, text)
        case Kind.HOLDING:
            if folded in _OWN:
                return LibraryNode(_OWN[folded])
            return HasNode(value) if (value := find_holding(folded)) else None
        case Kind.LANGUAGE:
            return LanguageNode(LANGUAGES[folded]) if folded in LANGUAGES else None
        case Kind.SOURCE:
            return SourceNode(folded) if _CODE.fullmatch(folded) else None
        case Kind.TOPIC:
            return TopicNode(value) if (value := names.find_topic(text)) else None
        case Kind.TERM:
            return TermNode(value) if (value := names.find_term(text)) else None
        case Kind.STATE:
            return _read_state(folded)
        case _:
            return LibraryNode("tagged", folded) if any(map(str.isalnum, folded)) else None


def _read_identifiers(name: str, text: str) -> Node | None:
    """Read an identifier, or several with commas between them, as arXiv's `id_list:2101.00010,2101.00011v2`: any of
    them. A DOI may have commas of its own."""
    whole = None if name.lower() == _ID_LIST else (_parse(f"{name}:{text}") if name else None) or _parse(text)
    parts = [part.strip() for part in _COMMAS.split(text) if part.strip()]
    if whole or len(parts) < 2:
        whole = whole or _parse(parts[0] if parts else text)
        return IdNode(whole) if whole else None
    scheme = "" if name.lower() in ("", "id", _ID_LIST) else f"{name}:"
    found = [(_parse(scheme + part) if scheme else None) or _parse(part) for part in parts]
    return disjunction(IdNode(one) for one in found if one) if all(found) else None


def _read_state(folded: str) -> Node | None:
    """Read what the reader did with a paper, or with `un` or `not` before it what he did not."""
    if folded == "未读":
        return Not(LibraryNode("read"))
    if folded in _STATES:
        return LibraryNode(_STATES[folded])
    opposite = folded.removeprefix("un") if folded.startswith("un") else folded.removeprefix("not-")
    return Not(LibraryNode(_STATES[opposite])) if opposite in _STATES else None


def _parse(text: str) -> Identifier | None:
    try:
        return parse_identifier(text)[0]
    except IdentifierError:
        return None


def balanced(text: str) -> str:
    """The text up to the first bracket that has no other one to match it in the text: that one is the query's.

    >>> balanced("10.5555/(x)y"), balanced("10.5555/x)"), balanced("10.5555/x(y")
    ('10.5555/(x)y', '10.5555/x', '10.5555/x')
    """
    opened: list[int] = []
    for at, char in enumerate(text):
        if char == "(":
            opened.append(at)
        elif char == ")":
            if not opened:
                return text[:at]
            opened.pop()
    return text[: opened[0]] if opened else text
