r"""The scanner: text to spans. Here are its signs and groups; `tex` adds macros, `markdown` Markdown and
HTML, and `xmltext` reads XML.

A span is a pair (kind, value):

* TEXT: characters to show as they are;
* MATH: the TeX source of a formula;
* OPEN, CLOSE: begin and end of a style: `em`, `strong`, `code`, `sub`, `sup`, `case` (letters whose case is
  to be kept), or `a` with the address behind a blank;
* BREAK: a new line or list item.

OPEN and CLOSE need not be nested properly, nor come in pairs: so they were written. The scanner goes through
the text once and holds open groups on a list, not on the call stack; it takes time in proportion to the
text, and raises nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar, NamedTuple

from octavo.records.cleaning import cleaned
from octavo.records.math import MAX_DEPTH, readable

TEXT, MATH, OPEN, CLOSE, BREAK = "text", "math", "open", "close", "break"

Span = tuple[str, str]

MAX_INLINE = 2_000
"""Characters between two dollar signs that can be a formula."""

MAX_DISPLAYED = 10_000
"""Characters of a displayed formula."""

MAX_ARGUMENT = 2_000
"""Characters of an argument that is read as a whole: an address, the keys of a citation."""

TEX_PARTS = r"""\\(?:[A-Za-z]+\*?|.)?|\$\$?|\{|\}|~|``*|''*|--+|&\#?\w+;|://|_\{|\^\{|\""""
"""Where the scanner stops. Each alternative begins with a literal: only so `re` skips quickly from one to
the next."""

_PART = re.compile(TEX_PARTS, re.DOTALL)
_ADDRESS = re.compile(r"""://(?:[^\s<>"{}\[\]|\\^`$*,;]|\\[_%#&~])+""")
_ADDRESS_END = re.compile(r"(?<!\\)[_.*']+$")
_ENTITY = re.compile(r"&(?:#(?:\d{1,7}|[xX][0-9A-Fa-f]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});")
_ANY_ENTITY = re.compile(r"&(?:amp;)?\#?\w+;")
_ESCAPED_ENTITY = re.compile(r"(?:#(?:\d{1,7}|[xX][0-9A-Fa-f]{1,6})|[A-Za-z][A-Za-z0-9]{1,30});")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_INLINE = re.compile(r"((?:[^$\\]++|\\.)*)\$", re.DOTALL)
_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}")
_TEXT_MACRO = re.compile(r"\\(?:text\w*|mbox|hbox|mathrm|mathsf|operatorname\*?|emph|rm|sf|bf|it)\s*\{[^{}]*\}")
_LINK = re.compile(r"\s*\\(?:href|url)\s*\{")
_SPACING = re.compile(r"(?:\\[ ,:;!>]|\\q?quad|[~\s])+")
_MATH_SIGN = re.compile(
    r"[\^_]|\\(?!(?:emph|text\w*|cite\w*|em|it|bf|tt|sc|url|href|footnote|ref|label)(?![A-Za-z]))[A-Za-z]"
)
_SET = re.compile(r"\{[^\s,;{}]+(?: [^\s,;{}]+)?(?:[,;]\s*[^\s,;{}]+(?: [^\s,;{}]+)?)+\}")
_SINGLE_QUOTED = re.compile(r"`(?=[^\s`])[^`]{1,300}?(?<=[^\s`])(?:`|'(?!\w))")


class Closer(NamedTuple):
    """A sign ahead that ends something."""

    spans: tuple[Span, ...]
    """What it is."""
    width: int
    place: int
    """Of the first span that it ends, which is shown as `sign` should the closer be jumped over."""
    sign: str


class Group:
    """An open brace."""

    __slots__ = ("after", "index", "kind", "start", "style", "styles")

    def __init__(self, kind: str, style: str, index: int, start: int, after: str) -> None:
        self.kind = kind
        """`case` where it belongs to no macro, else what opened it."""
        self.style = style
        self.index = index
        """Of its OPEN span."""
        self.start = start
        self.after = after
        """Shown when it ends."""
        self.styles: list[str] = []
        """Begun inside it by declarations: `{\\em x}`."""


class Scanner:
    """One pass over a text: braces, formulas, quotes, dashes, entities and addresses."""

    parts: ClassVar[re.Pattern[str]] = _PART
    handlers: ClassVar[dict[str, Callable[..., int]]] = {}
    """First character of a part -> the method that reads it and gives the place to go on from."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: list[Span] = []
        self.groups: list[Group] = []
        self.closers: dict[int, Closer] = {}
        self.quotes = 0
        self._places: dict[str, tuple[int, int]] = {}

    def run(self) -> list[Span]:
        """Read the whole text."""
        text, spans, closers, handlers = self.text, self.spans, self.closers, self.handlers
        search = self.parts.search
        at = 0
        while found := search(text, at):
            start = found.start()
            if start > at:
                spans.append((TEXT, text[at:start]))
            at = self.close(start) if start in closers else handlers[text[start]](self, found)
        if at < len(text):
            spans.append((TEXT, text[at:]))
        self.finish()
        return spans

    def show(self, text: str, at: int) -> int:
        """Show `text` and go on at `at`."""
        self.spans.append((TEXT, text))
        return at

    def close(self, start: int) -> int:
        """End what a sign further ahead was found to end."""
        closer = self.closers.pop(start)
        self.spans.extend(closer.spans)
        return start + closer.width

    def finish(self) -> None:
        """Show the signs of what was begun and never ended."""
        for group in self.groups:
            if group.kind == "case":
                self.spans[group.index] = (TEXT, "{")
            elif group.after:
                self.spans.append((TEXT, group.after))
        for closer in self.closers.values():
            for place in range(closer.place, closer.place + len(closer.spans)):
                self.spans[place] = (TEXT, closer.sign if place == closer.place else "")

    # Reading ahead

    def find(self, sign: str, at: int) -> int:
        """The next place of `sign`, -1 for none; however often it is asked, the text is searched once."""
        since, place = self._places.get(sign, (0, 0))
        if place == -1 and at >= since:
            return -1
        if not (since <= at <= place):
            place = self.text.find(sign, at)
            self._places[sign] = (at, place)
        return place

    def argument(self, at: int, limit: int = MAX_ARGUMENT) -> tuple[str, int] | None:
        """The argument that begins at `at`, as it is written, and the place behind it."""
        if self.text[at : at + 1] == " ":
            at += 1
        if self.text[at : at + 1] != "{":
            return None
        level = 0
        for found in _BRACE.finditer(self.text, at, at + limit):
            level += {"{": 1, "}": -1}.get(found[0], 0)
            if level == 0:
                return self.text[at + 1 : found.start()], found.end()
            if level > MAX_DEPTH:
                return None
        return None

    # Groups

    def open(self, kind: str, style: str, at: int, before: str = "", after: str = "") -> int:
        """Open a group: `style` for OPEN and CLOSE, `before` and `after` to be shown around it."""
        if before:
            self.spans.append((TEXT, before))
        if style:
            self.spans.append((OPEN, style))
        self.groups.append(Group(kind, style.partition(" ")[0], len(self.spans) - 1, at, after))
        return at

    def brace(self, found: re.Match[str]) -> int:
        """`{` that belongs to no macro."""
        at = found.end()
        return at + 1 if self.text[at : at + 1] == "}" else self.open("case", "case", at)

    def closing_brace(self, found: re.Match[str]) -> int:
        """`}`: end the group; one too many is shown."""
        at = found.end()
        if not self.groups:
            return self.show("}", at)
        group = self.groups.pop()
        self.spans.extend((CLOSE, style) for style in reversed(group.styles))
        if group.kind == "case" and not group.styles and self._is_set(group.start - 1, at):
            self.spans[group.index] = (TEXT, "{")
            return self.show("}", at)
        if group.kind == "case" and len(self.spans) == group.index + 2 and self._is_accent(group.start):
            self.spans[group.index] = (TEXT, "")  # `{\\'e}`: the braces are the accent's
            return at
        if group.style:
            self.spans.append((CLOSE, group.style))
        if group.after:
            self.spans.append((TEXT, group.after))
        elif group.kind == "unknown" and self.text[at : at + 1] == "{":
            self.spans.append((TEXT, " "))
        return at

    def _is_accent(self, start: int) -> bool:
        """Whether the group at `start`, which gave one span, gave an accented letter: no case to keep."""
        shown = self.spans[-1][1]
        return self.text[start] == "\\" and len(shown) == 1 and not shown.isascii()

    def _is_set(self, start: int, end: int) -> bool:
        """Whether braces are meant to be seen: `{-1, 0, 1}`, `Alpaca-{7B,13B}`."""
        return (
            end - start <= 60
            and (start > 0 or end < len(self.text))
            and _SET.fullmatch(self.text, start, end) is not None
        )

    # Signs

    def dollar(self, found: re.Match[str]) -> int:
        """A formula between dollar signs; money and odd signs are shown."""
        at = found.end()
        if found[0] == "$$":
            close = self.find("$$", at)
            if at < close <= at + MAX_DISPLAYED and self.text[at:close].strip():
                return self.displayed(found.start(), self.text[at:close], close + 2)
            return self.show("$$", at)
        formula = _INLINE.match(self.text, at)
        if not formula or not is_formula(formula[1], self.text[formula.end() : formula.end() + 1]):
            return self.show("$", at)
        if _LINK.match(formula[1]):
            # A link inside dollar signs is read as if they were not there.
            self.closers[formula.end() - 1] = Closer(((TEXT, ""),), 1, len(self.spans), "$")
            return self.show("", at)
        return self.formula(formula[1], formula.end())

    def formula(self, source: str, at: int) -> int:
        """Show a formula and go on at `at`."""
        if _SPACING.fullmatch(source):
            return self.show(" ", at)
        self.spans.append((MATH, decoded(source)))
        return at

    def displayed(self, start: int, source: str, at: int) -> int:
        """A formula on a line of its own, apart from the words beside it."""
        before = self.text[start - 1 : start] if start else ""
        self.spans.append((TEXT, " " if before.isalnum() else ""))
        self.formula(source.strip(), at)
        return self.show(" " if self.text[at : at + 1].isalnum() else "", at)

    def tie(self, found: re.Match[str]) -> int:
        """`~`: a blank, but not in `~10` and `10~20`."""
        start, at = found.start(), found.end()
        before, after = self.text[start - 1 : start] if start else "", self.text[at : at + 1]
        approximate = after.isdigit() and (before in ("", " ", "(") or before.isdigit())
        return self.show("~" if approximate else " ", at)

    def backtick(self, found: re.Match[str]) -> int:
        """`` and ` as opening quotes."""
        start, at = found.span()
        if at - start == 2:
            self.quotes += 1
            return self.show("“", at)
        if at - start == 3:
            self.quotes += 1
            self.spans.append((TEXT, "“"))
            start += 2
        quoted = _SINGLE_QUOTED.match(self.text, start)
        if at - start > 1 or not quoted or quoted.end() - 1 in self.closers:
            return self.show(self.text[start:at], at)
        self.closers[quoted.end() - 1] = Closer(((TEXT, "’"),), 1, len(self.spans), "`")
        return self.show("‘", at)

    def apostrophe(self, found: re.Match[str]) -> int:
        """'' as a closing quote."""
        start, at = found.span()
        length = at - start
        if length in (2, 3) and (self.quotes or not self.text[start - 1 : start].isdigit()):
            self.quotes = max(0, self.quotes - 1)
            return self.show("”" if length == 2 else "’”", at)
        return self.show(found[0], at)

    def quotation(self, found: re.Match[str]) -> int:
        """`"`."""
        return self.straight_quote(found.end())

    def straight_quote(self, at: int) -> int:
        """A straight quote before `at`: it ends what `` began."""
        if self.quotes:
            self.quotes -= 1
            return self.show("”", at)
        return self.show('"', at)

    def dash(self, found: re.Match[str]) -> int:
        """-- and ---."""
        return self.show({2: "–", 3: "—"}.get(len(found[0]), found[0]), found.end())

    def entity(self, found: re.Match[str]) -> int:
        """An HTML entity; one that was escaped twice is decoded twice."""
        decoded, at = decoded_entity(self.text, found.start())
        return self.show(decoded, at)

    def address(self, found: re.Match[str]) -> int:
        """The rest of a bare address, in which `_`, `~` and `--` are themselves."""
        start = found.start()
        address = _ADDRESS.match(self.text, start)
        if not address or self.text[start - 1 : start] not in ("s", "p"):
            return self.show("://", found.end())
        end = next((place for place in range(start, address.end()) if place in self.closers), address.end())
        shown = _ADDRESS_END.sub("", self.text[start:end])
        return self.show(plain_address(shown), start + len(shown))

    def script(self, found: re.Match[str]) -> int:
        """`_{..}` or `^{..}` outside math: `O(n^{1/2})`."""
        start, at = found.span()
        sign = self.text[start]
        argument = self.argument(at - 1, 400)
        line = readable(f"{sign}{{{argument[0]}}}") if argument else None
        if argument and line:
            return self.show(line, argument[1])
        return self.open("script", "", at, f"{sign}(", ")")


Scanner.handlers = {
    "$": Scanner.dollar,
    "{": Scanner.brace,
    "}": Scanner.closing_brace,
    "~": Scanner.tie,
    "`": Scanner.backtick,
    "'": Scanner.apostrophe,
    '"': Scanner.quotation,
    "-": Scanner.dash,
    "&": Scanner.entity,
    ":": Scanner.address,
    "_": Scanner.script,
    "^": Scanner.script,
}


def is_formula(source: str, after: str) -> bool:
    """Whether what stands between two dollar signs is math, and not `5 to ` of `from $5 to $3`.

    The usual rule - no blank inside the signs, no digit behind - holds for what has no TeX in it; a macro,
    `^` or `_` outweighs it, as authors write `$ \\alpha $` and `2$\\times$3`. Many words are prose in any
    case.
    """
    if not source or len(source) > MAX_INLINE or source.isspace():
        return False
    strict = not source[0].isspace() and not source[-1].isspace() and not after.isdigit()
    if _MATH_SIGN.search(source):
        return len(_WORD.findall(_TEXT_MACRO.sub("", source))) <= (12 if strict else 3)
    if len(source) <= 3 and not re.search(r"[\w\s]", source):
        return True  # `$<$5`
    if "\\" in source and (strict or source.lstrip()[0] == "\\"):
        return len(_WORD.findall(source)) <= 40
    if strict:
        return len(_WORD.findall(source)) <= (0 if source[0].isdigit() else 3)
    return not after.isdigit() and len(source) <= 80 and not re.search(r"[A-Za-z]{2}", source)


def decoded_entity(text: str, at: int) -> tuple[str, int]:
    """Decode the entity at `at`, if it is one, as often as it was escaped; and the place behind it."""
    found = _ENTITY.match(text, at)
    if not found:
        return text[at], at + 1
    # Imported here: html's table of 2,231 names takes a millisecond to load, and few texts need it.
    from html import unescape

    decoded = unescape(found[0])
    if decoded == "&" and (inner := _ESCAPED_ENTITY.match(text, found.end())):
        twice = unescape("&" + inner[0])
        if twice != "&" + inner[0]:
            return _shown(twice), inner.end()
    return _shown(decoded), found.end()


def _shown(decoded: str) -> str:
    """What an entity shows; it may name what can't be shown."""
    return " " if decoded.isspace() else cleaned(decoded)


def decoded(text: str) -> str:
    """Decode every entity of a text."""
    return _ANY_ENTITY.sub(lambda found: decoded_entity(found[0], 0)[0], text) if "&" in text else text


def plain_address(address: str) -> str:
    """An address without the backslashes that TeX needs in it."""
    return re.sub(r"\\([_%#&~$])", r"\1", address)
