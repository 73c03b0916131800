"""XML to spans: the inside of elements of JATS, MathML, the ACL Anthology and DBLP.

An allow-list says what a tag does; of an unknown tag the text stays. Nothing is expanded but HTML's entities
and numbers, so a document type can define what it likes. What is no tag (`p<0.05`) is text.
"""

from __future__ import annotations

import re

from octavo.records.markup import BREAK, CLOSE, MATH, OPEN, TEXT, Scanner, Span, decoded

_PART = re.compile(r"<|&\#?\w+;")
_ATTRIBUTE = r"""\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*')"""
_TAG = re.compile(rf"<(/?)((?:[A-Za-z_][\w.-]*:)?)([A-Za-z_][\w.-]*)((?:{_ATTRIBUTE})*)\s*(/?)>")
_CLOSED = re.compile(r"</([A-Za-z_][\w.-]*)")
_DECLARATION = re.compile(r"<![A-Za-z]+[^<>\[]{0,2000}(?:\[[^\]]{0,10000}\]\s*)?>")
_ADDRESS = re.compile(r"""\s(?:[\w-]+:)?href\s*=\s*["'](https?://[^"'<>\s]+)""")
_DOCUMENT = re.compile(r"\\begin\{document\}(.*?)\\end\{document\}", re.DOTALL)

_STYLES = {
    **dict.fromkeys(("i", "em", "italic", "it"), "em"),
    **dict.fromkeys(("b", "bold", "strong"), "strong"),
    **dict.fromkeys(("tt", "code", "monospace"), "code"),
    "sub": "sub",
    "sup": "sup",
    "fixed-case": "case",
    "a": "a",
    "ext-link": "a",
    "uri": "a",
}
_BREAKS = frozenset(
    {
        "p",
        "br",
        "break",
        "title",
        "sec",
        "list",
        "list-item",
        "li",
        "ul",
        "ol",
        "div",
        "para",
        "abstract",
        "mtr",
    }
)
_WHOLES = frozenset({"tex-math", "math", "url"})
_FORMULAS = frozenset({"inline-formula", "disp-formula", "alternatives"})
_BETWEEN: dict[tuple[str, int], Span] = {
    ("msub", 1): (OPEN, "sub"),
    ("msup", 1): (OPEN, "sup"),
    ("msubsup", 1): (OPEN, "sub"),
    ("msubsup", 2): (OPEN, "sup"),
    ("mfrac", 1): (TEXT, "/"),
    ("munder", 1): (OPEN, "sub"),
    ("mover", 1): (OPEN, "sup"),
    ("munderover", 1): (OPEN, "sub"),
    ("munderover", 2): (OPEN, "sup"),
}
"""What goes before the child of that number of a MathML element."""


class XmlScanner(Scanner):
    """One pass over the inside of an XML element."""

    parts = _PART

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.opened: dict[str, int] = {}
        """Styles that are open."""
        self.formulas = 0
        """Open elements that hold one formula, be it in several spellings."""
        self.is_shown = False
        """Whether that formula was shown."""
        self.closed: frozenset[str] | None = None
        """The names that have an end tag, once they were asked for."""

    def less(self, found: re.Match[str]) -> int:
        """A tag, or what else begins with `<`."""
        start = found.start()
        tag = _TAG.match(self.text, start)
        if not tag:
            return self.no_element(start)
        closing, prefix, name, attributes, empty = tag.groups()
        local, at = name.lower(), tag.end()
        if not (closing or prefix or attributes or empty) and self.is_sign(start, name, local):
            return self.show("<", start + 1)
        if closing:
            self.end_tag(local)
        elif empty:
            self.spans.extend([(BREAK, "")] if local in _BREAKS else [])
        elif local in _WHOLES:
            return self.whole(local, f"</{prefix}{name}", at)
        else:
            self.begin_tag(local, attributes)
        return at

    def is_sign(self, start: int, name: str, local: str) -> bool:
        """Whether `<y>` is no tag but two signs: it is never closed, and means nothing or is one letter behind a word.

        So `x<y> then a<b` keeps its letters.
        """
        if local in _STYLES and not (len(local) == 1 and self.text[start - 1 : start].isalnum()):
            return False
        if local in _BREAKS or local in _FORMULAS or local in _WHOLES:
            return False
        if self.closed is None:
            self.closed = frozenset(_CLOSED.findall(self.text))
        return name not in self.closed

    def no_element(self, start: int) -> int:
        """Comments, instructions and declarations, which show nothing; text in which nothing is markup; or a `<`."""
        for begin, end in (("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>")):
            if self.text.startswith(begin, start) and (close := self.find(end, start + len(begin))) >= 0:
                if begin == "<![CDATA[":
                    self.spans.append((TEXT, self.text[start + 9 : close]))
                return close + len(end)
        declaration = _DECLARATION.match(self.text, start)
        return declaration.end() if declaration else self.show("<", start + 1)

    def begin_tag(self, name: str, attributes: str) -> None:
        """What a start tag does."""
        if name in _FORMULAS:
            self.is_shown = self.is_shown and self.formulas > 0
            self.formulas += 1
        elif name in _BREAKS:
            self.spans.append((BREAK, ""))
        elif style := _STYLES.get(name):
            address = _ADDRESS.search(attributes) if style == "a" else None
            self.spans.append((OPEN, f"a {decoded(address[1])}" if address else style))
            self.opened[style] = self.opened.get(style, 0) + 1

    def end_tag(self, name: str) -> None:
        """What an end tag does."""
        if name in _FORMULAS:
            self.formulas = max(0, self.formulas - 1)
        elif name in _BREAKS:
            self.spans.append((BREAK, ""))
        elif (style := _STYLES.get(name)) and self.opened.get(style):
            self.opened[style] -= 1
            self.spans.append((CLOSE, style))

    def whole(self, name: str, end: str, at: int) -> int:
        """An element that is read as a whole; `end` begins its end tag."""
        close = self.find(end, at)
        if close < 0:
            return at
        inside = self.text[at:close]
        behind = (self.text.find(">", close) + 1) or len(self.text)
        if name == "url":
            address = decoded(inside.strip())
            self.spans += [(OPEN, f"a {address}"), (TEXT, address), (CLOSE, "a")]
        elif not (self.formulas and self.is_shown):
            self.is_shown = True
            self.spans += formula_spans(inside) if name == "math" else _tex(inside)
        return behind


XmlScanner.handlers = {"<": XmlScanner.less, "&": XmlScanner.entity}


def _tex(inside: str) -> list[Span]:
    """A formula in TeX; JATS may hold a whole document around it."""
    source = decoded(inside)
    document = _DOCUMENT.search(source)
    source = (document[1] if document else source).strip().strip("$").strip()
    return [(MATH, source)] if source else []


class _Element:
    """An open element of MathML."""

    __slots__ = ("after", "children", "name")

    def __init__(self, name: str, after: list[Span]) -> None:
        self.name = name
        self.after = after
        """Spans that end with it."""
        self.children = 0


def formula_spans(inside: str) -> list[Span]:
    """Read what is inside a `math` element of MathML, as text with scripts. A list holds what is open: it may nest as
    deeply as it likes."""
    spans: list[Span] = []
    parents = [_Element("math", [])]
    at = 0
    while tag := _TAG.search(inside, at):
        _show(inside[at : tag.start()], parents[-1].name, spans)
        closing, prefix, name, _, empty = tag.groups()
        local, at = name.lower(), tag.end()
        if closing:
            if len(parents) > 1:
                spans.extend(parents.pop().after)
            continue
        if local in ("annotation", "annotation-xml") and not empty:
            close = inside.find(f"</{prefix}{name}", at)
            at = close if close >= 0 else len(inside)
        element = _begun(local, parents[-1], spans)
        if empty:
            spans.extend(element.after)
        else:
            parents.append(element)
    _show(inside[at:], parents[-1].name, spans)
    return spans


def _begun(name: str, parent: _Element, spans: list[Span]) -> _Element:
    """Begin an element of MathML: what its place among its parent's children asks for."""
    before = _BETWEEN.get((parent.name, parent.children))
    parent.children += 1
    after = [(CLOSE, before[1])] if before and before[0] == OPEN else []
    if before:
        spans.append(before)
    if name in ("msqrt", "mroot"):
        spans.append((TEXT, "√("))
        after.insert(0, (TEXT, ")"))
    if name in ("mspace", "mtd", "mtr"):
        spans.append((TEXT, " "))
    return _Element(name, after)


def _show(text: str, parent: str, spans: list[Span]) -> None:
    """Show characters of MathML, whose blanks mean nothing but in `mtext`."""
    if shown := decoded(text if parent == "mtext" else text.strip()):
        spans.append((TEXT, shown))
