"""Mixed notation: TeX with Markdown's emphasis, links and code, and simple HTML tags.

Markdown is read with caution, since its signs have other uses in papers: `A*-search`, `p*`, `10 * 5 * 3`,
`snake_case` and `f_i` stay as they are. An HTML tag counts only as one of a pair, or where it needs none.
"""

from __future__ import annotations

import re

from octavo.records.markup import BREAK, CLOSE, OPEN, TEX_PARTS, TEXT, Closer
from octavo.records.tex import TexScanner
from octavo.records.xmltext import formula_spans

_PART = re.compile(TEX_PARTS + r"|\*\**|__*|!\[|\[|\]\(|<", re.DOTALL)
_STRONG = re.compile(r"\*\*(?![\s*])(?:[^*]|\*(?!\*)){1,600}?(?<!\s)\*\*")
_STRONG_EM = re.compile(r"\*\*\*(?![\s*])[^*]{1,600}?(?<!\s)\*\*\*")
_EM = re.compile(r"\*(?![\s*])([^*]{1,300}?)(?<!\s)\*(?!\*)")
_UNDERSCORED = re.compile(r"(__?)(?![\s_])(?:[^_]|(?<=\w)_(?=\w)){1,300}?(?<![\s_])\1(?!\w)")
_CODE = re.compile(r"`([^`\s](?:[^`]{0,200}[^`\s])?)`(?!`)")
_LINK = re.compile(r"(\[[^\[\]]{1,500}\])\(\s*<?([^\s()<>]+(?:\([^\s()]*\)[^\s()<>]*)*)>?(?:\s+\"[^\"]{0,200}\")?\s*\)")
_TARGET = re.compile(r"(?:https?://|www\.|mailto:|\.{0,2}/|#)\S|[\w-]+(?:\.[\w-]+)*\.[a-z]{2,12}(?:/|$)", re.IGNORECASE)
_TAG = re.compile(r"<(/?)(em|i|b|strong|tt|code|sub|sup|br|p|u|a)(\s[^<>]{0,2000})?/?>", re.IGNORECASE)
_MATHML = re.compile(r"<((?:mml:)?math)(?:\s[^<>]{0,500})?>")
_HREF = re.compile(r"""\shref\s*=\s*["']?(https?://[^\s"'<>]+)""", re.IGNORECASE)
_STYLES = {
    "em": "em",
    "i": "em",
    "b": "strong",
    "strong": "strong",
    "tt": "code",
    "code": "code",
    "sub": "sub",
    "sup": "sup",
}
_BEFORE = frozenset(" \t\n([{\"'“‘—–-/_*~>:,")
_INITIALS = re.compile(r"[A-Za-z]{1,6}")


class MixedScanner(TexScanner):
    """One pass over a text in TeX, Markdown and HTML."""

    parts = _PART

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.tags: dict[str, int] = {}
        """Tags that are open."""

    def before(self, start: int) -> str:
        """The character before `start`, empty at the begin."""
        return self.text[start - 1 : start] if start else ""

    def begin_style(self, styles: tuple[str, ...], close: int, sign: str, at: int) -> int:
        """Begin styles that `sign` ends at `close`."""
        self.closers[close] = Closer(
            tuple((CLOSE, style) for style in reversed(styles)), len(sign), len(self.spans), sign
        )
        self.spans.extend((OPEN, style) for style in styles)
        return at

    def star(self, found: re.Match[str]) -> int:
        """`**strong**`, `*em*`, `***both***`, or a star."""
        start, at = found.span()
        for place in range(start + 1, at):
            if place in self.closers:
                return self.show(self.text[start:place], place)
        length, before = at - start, self.before(start)
        if length == 3 and (both := _STRONG_EM.match(self.text, start)):
            return self.begin_style(("strong", "em"), both.end() - 3, "***", at)
        if length in (2, 3) and not (before.isdigit() and self.text[start + 2 : start + 3].isdigit()):
            strong = _STRONG.match(self.text, start)
            if strong and strong.end() - 2 not in self.closers:
                return self.begin_style(("strong",), strong.end() - 2, "**", start + 2)
        if length == 1 and (before in _BEFORE or not before) and (em := _EM.match(self.text, start)):
            after = self.text[em.end() : em.end() + 1]
            if (not after.isalnum() or _INITIALS.fullmatch(em[1])) and any(char.isalpha() for char in em[1]):
                return self.begin_style(("em",), em.end() - 1, "*", at)
        return self.show(found[0], at)

    def underscore(self, found: re.Match[str]) -> int:
        """`_em_` and `__strong__`, or a script, or underscores."""
        start, at = found.span()
        if found[0] == "_{":
            return self.script(found)
        before = self.before(start)
        if at - start <= 2 and not before.isalnum() and before not in ("}", ")", "\\", "]"):
            match = _UNDERSCORED.match(self.text, start)
            if match and len(match[1]) == at - start and any(char.isalpha() for char in match[0]):
                style = "em" if len(match[1]) == 1 else "strong"
                return self.begin_style((style,), match.end() - len(match[1]), match[1], at)
        return self.show(found[0], at)

    def backtick(self, found: re.Match[str]) -> int:
        """`code`, or quotes as in TeX."""
        start = found.start()
        code = _CODE.match(self.text, start) if len(found[0]) == 1 and not self.before(start).isalnum() else None
        if not code:
            return super().backtick(found)
        self.spans += [(OPEN, "code"), (TEXT, code[1]), (CLOSE, "code")]
        return code.end()

    def bracket(self, found: re.Match[str]) -> int:
        """`[text](address)`; of a picture, its text."""
        start, at = found.span()
        link = _LINK.match(self.text, at - 1)
        if not link or not _TARGET.match(link[2]):
            return self.show(self.text[start:at], at)
        close = link.end(1) - 1
        style = f"a {link[2]}" if found[0] == "[" else "picture"
        self.closers[close] = Closer(((CLOSE, style.partition(" ")[0]),), link.end() - close, len(self.spans), found[0])
        self.spans.append((OPEN, style))
        return at

    def link_end(self, found: re.Match[str]) -> int:
        """`](` that ends no link."""
        return self.show(found[0], found.end())

    def formula_element(self, found: re.Match[str]) -> int:
        """A formula in MathML, or a `<`."""
        begin = _MATHML.match(self.text, found.start())
        close = self.find(f"</{begin[1]}", begin.end()) if begin else -1
        if not begin or close < 0:
            return self.show("<", found.end())
        self.spans += formula_spans(self.text[begin.end() : close])
        return (self.text.find(">", close) + 1) or len(self.text)

    def tag(self, found: re.Match[str]) -> int:
        """A known HTML tag of a pair, or a `<`."""
        tag = _TAG.match(self.text, found.start())
        if not tag:
            return self.formula_element(found)
        name = tag[2].lower()
        if name in ("br", "p"):
            self.spans.append((BREAK, ""))
            return tag.end()
        if tag[1]:
            if not self.tags.get(name):
                return self.show("<", found.end())
            self.tags[name] -= 1
        elif self.find(f"</{tag[2]}", tag.end()) < 0:
            return self.show("<", found.end())
        else:
            self.tags[name] = self.tags.get(name, 0) + 1
        style = _STYLES.get(name, "")
        if name == "a":
            href = _HREF.search(tag[3] or "")
            style = f"a {href[1]}" if href and not tag[1] else "a"
        self.spans.append((CLOSE if tag[1] else OPEN, style))
        return tag.end()


MixedScanner.handlers = {
    **TexScanner.handlers,
    "*": MixedScanner.star,
    "_": MixedScanner.underscore,
    "`": MixedScanner.backtick,
    "[": MixedScanner.bracket,
    "!": MixedScanner.bracket,
    "]": MixedScanner.link_end,
    "<": MixedScanner.tag,
}
