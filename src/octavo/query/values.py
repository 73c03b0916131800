"""Values that are no words: years, categories and identifiers as people write them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.errors import IdentifierError
from octavo.query.ast import Category, IdNode, Node, Range, StatusNode, VenueNode
from octavo.query.fields import Field, Kind
from octavo.query.words import exact_words
from octavo.records.fold import fold
from octavo.records.ids import Identifier, parse_identifier

_BRACKETED = re.compile(r"([\[{])\s*(\S+?)\s+to\s+(\S+?)\s*([\]}])")
_COMPARED = re.compile(r"(>=|<=|>|<|=)\s*(\S+)")
_SPANNED = re.compile(r"(.*?)(?:\.\.\.?|-)(.*)")
_MOMENT = re.compile(r"([12][0-9]{3})(?:-?([01][0-9])(?:-?([0-3][0-9])[t0-9:.]*z?)?)?")
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
    Kind.NUMBER: "a year or a range of years",
    Kind.CATEGORY: "a category",
    Kind.IDENTIFIER: "an identifier",
    Kind.STATUS: "a status such as accepted, rejected or withdrawn",
}
"""What to call the values of a kind in a message."""


@dataclass(frozen=True, slots=True)
class Years:
    """A range of years; None is an open end."""

    low: int | None
    high: int | None
    is_exact: bool = True
    """Whether it is all that was written: not where that had months or days, or ran backwards."""


def read_years(text: str) -> Years | None:
    """Read a year or a range of years; None where the text is neither.

    `2023`, `2023..2025`, `2023-2025`, `2023..`, `2023-`, `..2020`, `-2020`, `>=2023`, `<2020`, `[2023 TO *]`,
    `{2022 TO 2026}` (without its ends), and arXiv's `[202301010000 TO 202312312359]`.
    """
    text = fold(text)
    if found := _BRACKETED.fullmatch(text):
        opening, low, high, closing = found.groups()
        return _range(low, high, after=opening == "{", before=closing == "}")
    if found := _COMPARED.fullmatch(text):
        sign, end = found.groups()
        if sign == "=":
            return _range(end, end)
        return _range(end, "", after=sign == ">") if sign[0] == ">" else _range("", end, before=sign == "<")
    if _MOMENT.fullmatch(text):
        return _range(text, text)
    spanned = _SPANNED.fullmatch(text)
    return _range(spanned[1], spanned[2]) if spanned else None


def _range(low: str, high: str, *, after: bool = False, before: bool = False) -> Years | None:
    low, high = ("" if end == "*" else end for end in (low, high))
    first, last = _MOMENT.fullmatch(low), _MOMENT.fullmatch(high)
    if (low and not first) or (high and not last) or not (first or last):
        return None
    start = int(first[1]) + after if first else None
    end = int(last[1]) - before if last else None
    from_start = first is None or (first[2] or "01", first[3] or "01") == ("01", "01")
    to_end = last is None or (last[2] or "12", last[3] or "31") == ("12", "31")
    if start is not None and end is not None and start > end:
        return Years(end, start, is_exact=False)
    return Years(start, end, from_start and to_end and not (low == high and len(low) > 4))


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

    word = fold(text)
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


def read_filter(field: Field, name: str, text: str) -> tuple[Node, bool] | None:
    """Read a value of a field that holds no words; `name` is what the field was called (`doi`).

    Returns:
        The node, and whether it is all that was written; None where the text is no such value.
    """
    text = text.strip()
    node: Node | None = None
    if field.kind is Kind.NUMBER:
        years = read_years(text)
        return (Range(field.name, years.low, years.high), years.is_exact) if years else None
    if field.kind is Kind.CATEGORY and (category := read_category(text)):
        node = Category(category)
    if field.kind is Kind.STATUS and (status := read_status(text)):
        node = StatusNode(status)
    if field.kind is Kind.IDENTIFIER and (identifier := (name and _parse(f"{name}:{text}")) or _parse(text)):
        node = IdNode(identifier)
    return (node, True) if node else None


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
