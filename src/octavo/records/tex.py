r"""TeX's macros: what each does to the text around it.

An unknown macro shows its argument, or its name where it has none; nothing an author wrote is dropped but
macro names, keys of citations and references, colours, lengths and file names.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

from octavo.records import symbols
from octavo.records.accents import decode_tex_accents
from octavo.records.cleaning import cleaned
from octavo.records.markup import (
    BREAK,
    CLOSE,
    MAX_DISPLAYED,
    OPEN,
    TEXT,
    Scanner,
    is_formula,
    plain_address,
)
from octavo.records.math import readable

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_OPTION = re.compile(r"\s?\[[^\[\]]{0,200}\]")
_SETTINGS = re.compile(r"\s?\[(?:[^\[\]]{0,200}=[^\[\]]{0,200}|[htbp!]{1,4})\]")
_ENVIRONMENT = re.compile(r"\s?\{([A-Za-z]{1,40}\*?)\}")
_ONE_SIGN = re.compile(r"\s?([^\s\\{}$])(?![A-Za-z])")
_CHARACTER = re.compile(r"\s?(?:\"([0-9A-F]{2,5})|(\d{2,6}))")
_NOUN_EXPECTED = re.compile(
    r"\b(?:in|of|by|from|see|to|with|than|like|and|or|on|upon|for|via|at|between|following|extending|e\.g\.,?|i\.e\.,?)\s*$",
    re.IGNORECASE,
)
_CLAUSE_BEGINS = re.compile(r"(?:^|(?<!\bal)[.!?]|,)\s*$")
_VERB_FOLLOWS = re.compile(r" [a-z]")
_ACCENTED = re.compile(r"""\s?(?:(\{)|\\(?:[A-Za-z]+(?:\{\}|\s)?|[`'^"~=.]\s?(?:\{[^{}]*\}|\\?[A-Za-z]))|[^\W\d_])""")
_ESCAPED_MACRO = re.compile(r"([A-Za-z]+)\{")


class TexScanner(Scanner):
    """One pass over a text in TeX."""

    macros: ClassVar[dict[str, Callable[..., int]]] = {}
    """Macro -> the method that reads it, given its name and the place behind it."""

    def backslash(self, found: re.Match[str]) -> int:
        """A macro, or a backslash with a sign."""
        name, at = found[0][1:], found.end()
        if not name:
            return self.show("\\", at)
        return self.macro(name, at) if name[0] in _LETTERS else self.escape(name, at)

    # A backslash with a sign

    def escape(self, char: str, at: int) -> int:
        """A backslash with a sign."""
        if char in symbols.SPACING_ACCENTS:
            if accented := read_accent(char, self.text, at):
                return self.show(*accented)
            return self.straight_quote(at) if char == '"' else self.show(char, at)
        if char in "([":
            return self.bracketed_formula(char, at)
        if char == "\\":
            return self.double_backslash(at)
        if char == "&" and self.text.startswith("amp;", at):
            return self.show("&", at + 4)
        if char in "-/!@":
            return at
        blank = char in " ,:;>~" or char.isspace()
        return self.show(" " if blank else "‖" if char == "|" else char, at)

    def double_backslash(self, at: int) -> int:
        """A new line; or an escape too many, as in `97\\\\%` and `\\\\textbf{x}`."""
        if self.text[at : at + 1] in ("%", "&", "_", "#"):
            return self.show(self.text[at], at + 1)
        named = _ESCAPED_MACRO.match(self.text, at)
        if named and named[1] in symbols.STYLES:
            return self.macro(named[1], named.end(1))
        self.spans.append((BREAK, ""))
        return at

    def bracketed_formula(self, bracket: str, at: int) -> int:
        """A formula between `\\(` and `\\)` or `\\[` and `\\]`."""
        close = self.find("\\)" if bracket == "(" else "\\]", at)
        source = self.text[at:close] if at < close <= at + MAX_DISPLAYED else ""
        is_escaped = bracket == "[" and (source.isdigit() or (len(source) > 1 and source.isalpha()))
        if source and is_formula(source.strip(), "") and not is_escaped:
            return self.displayed(at - 2, source, close + 2)
        return self.show(bracket, at)

    # Macros

    def macro(self, name: str, at: int) -> int:
        """Read the macro `name`, which ends at `at`."""
        name = name.rstrip("*")
        if sign := symbols.LETTERS.get(name):
            return self.show(sign, self.behind(at, swallow=True))
        if sign := symbols.TEXT_SYMBOLS.get(name):
            return self.text_symbol(name, sign, at)
        if name in symbols.ACCENTS and (accented := read_accent(name, self.text, at)):
            return self.show(*accented)
        if method := self.macros.get(name):
            return method(self, name, at)
        if sign := symbols.GREEK.get(name) or symbols.ORDINARY.get(name) or symbols.OPERATORS.get(name):
            return self.show(sign, self.behind(at))
        if name in symbols.FUNCTIONS:
            return self.function(name, at)
        if known := symbols.AUTHOR_MACROS.get(name):
            return self.show(readable(known) or name, self.behind(at))
        return self.lost_braces(name, at) or self.unknown(name, at)

    def behind(self, at: int, *, swallow: bool = False) -> int:
        """The place behind a macro's empty braces, or behind the blank that ends its name."""
        if self.text.startswith("{}", at):
            return at + 2
        if swallow and self.text[at : at + 1] == " " and self.text[at + 1 : at + 2].islower():
            return at + 1
        return at

    def text_symbol(self, name: str, sign: str, at: int) -> int:
        """A symbol of the text; an abbreviation brings its full stop."""
        at = self.behind(at, swallow=name in ("textless", "textquotedblleft", "textquoteleft"))
        if sign[-1] == "." and self.text[at : at + 1] == ".":
            at += 1
        return self.show(sign.replace("_", " ") if name == "etal" else sign, at)

    def function(self, name: str, at: int) -> int:
        """`\\log` outside math: a word, apart from its neighbours."""
        before = self.text[at - len(name) - 2 : at - len(name) - 1]
        after = self.text[at : at + 1]
        left = " " if before.isalnum() or before in ("}", ")") else ""
        return self.show(left + name + (" " if after.isalnum() else ""), at)

    def unknown(self, name: str, at: int) -> int:
        """A macro in no table: its argument, else its name."""
        if self.text.startswith("{}", at):
            return self.show(name, at + 2)
        if self.text[at : at + 1] == "{":
            return self.open("unknown", "", at + 1)
        return self.show(name, at)

    def lost_braces(self, name: str, at: int) -> int:
        """A word that ran into its macro when its braces were lost, `\\emphoblivious`; 0 for none."""
        if self.text[at : at + 1] == "{":
            return 0
        for macro in symbols.LOST_BRACES:
            rest = name[len(macro) :]
            if not rest or not name.startswith(macro):
                continue
            if macro in ("begin", "end"):
                return self.environment("", at)
            if macro.startswith("cite"):
                end = self.find(" ", at)
                return self.drop(end if end >= 0 else len(self.text))
            shown = without_braces(macro, rest)
            return self.show(shown, at) if shown else 0
        return 0

    def style(self, name: str, at: int) -> int:
        """`\\emph{..}` and its like; without braces the macro is dropped."""
        style = symbols.STYLES[name]
        brace = at + 1 if self.text.startswith(" {", at) else at
        if self.text[brace : brace + 1] != "{":
            return at
        if style == "quote":
            return self.open("style", "", brace + 1, "“", "”")
        if style == "note":
            return self.open("style", "", brace + 1, " (", ")")
        return self.open("style", style, brace + 1)

    def declaration(self, name: str, at: int) -> int:
        """`\\em` and its like, which work to the end of their group."""
        if not self.groups:
            return at
        if style := symbols.DECLARATIONS[name]:
            self.spans.append((OPEN, style))
            self.groups[-1].styles.append(style)
        return at + 1 if self.text[at : at + 1] == " " else at

    def line_break(self, _: str, at: int) -> int:
        """`\\par` and its like."""
        self.spans.append((BREAK, ""))
        return at

    def blank(self, _: str, at: int) -> int:
        """`\\quad` and its like."""
        return self.show(" ", at)

    def dropped(self, name: str, at: int) -> int:
        """A macro whose first arguments are no text."""
        at = self.after_options(at)
        count = symbols.DROPPED[name]
        for _ in range(count):
            if argument := self.argument(at):
                at = argument[1]
        return at if self.text[at : at + 1] == "{" else self.drop(at)

    def drop(self, at: int) -> int:
        """Go on at `at` without a trace of what was before it: no doubled blank, no empty brackets."""
        after = self.text[at : at + 1]
        while self.spans and self.spans[-1][0] == TEXT and after in ("", ".", ",", ";", ":", ")", "]", "?", "!", " "):
            kept = self.spans[-1][1].rstrip()
            if kept and after in (")", "]") and kept[-1] == {")": "(", "]": "["}[after]:
                kept, at, after = kept[:-1].rstrip(), at + 1, self.text[at + 1 : at + 2]
            if kept[-1:] == "." and after == ".":
                at, after = at + 1, ""
            self.spans[-1] = (TEXT, kept)
            if kept:
                break
            self.spans.pop()
        return at

    def after_options(self, at: int) -> int:
        """The place behind `[..]`, if there are any."""
        while found := _OPTION.match(self.text, at):
            at = found.end()
        return at

    def cite(self, name: str, at: int) -> int:
        """A citation: dropped, but its key stays where it is a word of the sentence."""
        argument = self.argument(self.after_options(at))
        if not argument:
            return at
        keys, behind = argument
        before = "".join(value for kind, value in self.spans[-3:] if kind == TEXT)[-20:]
        is_word = symbols.CITES[name] or (
            _NOUN_EXPECTED.search(before) is not None and self.text[behind : behind + 1] not in (")", "]")
        )
        if is_word or (_CLAUSE_BEGINS.search(before) and _VERB_FOLLOWS.match(self.text, behind)):
            return self.show(", ".join(keys.replace(",", " ").split()), behind)
        return self.drop(behind)

    def url(self, _: str, at: int) -> int:
        """`\\url{..}`: a link that shows its address."""
        argument = self.argument(at)
        if not argument:
            return at
        address = plain_address("".join(argument[0].split()))
        self.spans += [(OPEN, f"a {address}"), (TEXT, address), (CLOSE, "a")]
        return argument[1]

    def href(self, name: str, at: int) -> int:
        """`\\href{..}{..}`: a link."""
        argument = self.argument(self.after_options(at))
        if not argument:
            return at
        address, behind = argument
        brace = behind + 1 if self.text.startswith(" {", behind) else behind
        if self.text[brace : brace + 1] != "{":
            return self.url(name, at)
        return self.open("style", f"a {plain_address(''.join(address.split()))}", brace + 1)

    def environment(self, _: str, at: int) -> int:
        """`\\begin{..}` and `\\end{..}` of text: a new line."""
        self.spans.append((BREAK, ""))
        if named := _ENVIRONMENT.match(self.text, at):
            settings = _SETTINGS.match(self.text, named.end())
            at = settings.end() if settings else named.end()
            if named[1] in ("tabular", "array", "minipage") and (argument := self.argument(at)):
                at = argument[1]
        return at

    def begin(self, name: str, at: int) -> int:
        """`\\begin{..}`, of a formula or of text."""
        named = _ENVIRONMENT.match(self.text, at)
        if named and named[1] in symbols.MATH_ENVIRONMENTS:
            end = f"\\end{{{named[1]}}}"
            close = self.find(end, named.end())
            if named.end() < close <= named.end() + MAX_DISPLAYED:
                return self.displayed(named.end(), self.text[named.end() : close], close + len(end))
        return self.environment(name, at)

    def ensured(self, name: str, at: int) -> int:
        """`\\ensuremath{..}`: a formula."""
        argument = self.argument(at)
        if not argument or not argument[0].strip():
            return self.unknown(name, at)
        return self.formula(argument[0], argument[1])

    def verbatim(self, name: str, at: int) -> int:
        """`\\verb|..|`: code."""
        sign = self.text[at : at + 1]
        close = self.find(sign, at + 1) if sign and not sign.isalnum() and sign not in " {" else -1
        if not at < close <= at + 200:
            return self.unknown(name, at)
        self.spans += [(OPEN, "code"), (TEXT, self.text[at + 1 : close]), (CLOSE, "code")]
        return close + 1

    def character(self, name: str, at: int) -> int:
        """`\\char"0986`: the character of that number."""
        found = _CHARACTER.match(self.text, at)
        number = (int(found[1], 16) if found[1] else int(found[2])) if found else 0
        if not found or not 32 <= number <= 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            return self.unknown(name, at)
        return self.show(cleaned(chr(number)), found.end())

    def dingbat(self, name: str, at: int) -> int:
        """`\\ding{182}`: a number in a circle, a tick or a cross."""
        argument = self.argument(at)
        number = int(argument[0]) if argument and argument[0].isascii() and argument[0].isdigit() else 0
        if not argument or not 33 <= number <= 254:
            return self.unknown(name, at)
        # Unicode holds the first half of Zapf's signs in order, then the circled digits elsewhere,
        # then the rest in order.
        start = 0x26E0 if number < 172 else 0x2460 - 172 if number < 182 else 0x2776 - 182
        return self.show(chr(start + number), argument[1])

    def fragment(self, name: str, at: int) -> int:
        """Structure of math outside math, `\\sqrt{n}`: as a line where that can be, else its arguments."""
        end = at
        for _ in range(symbols.MATH_ARGUMENTS[name]):
            if argument := self.argument(end, 400):
                end = argument[1]
            elif sign := _ONE_SIGN.match(self.text, end):
                end = sign.end()
            else:
                break
        line = readable(f"\\{name}{self.text[at:end]}") if end > at else None
        return self.show(line, end) if line else self.unknown("", at)


TexScanner.handlers = {**Scanner.handlers, "\\": TexScanner.backslash}
TexScanner.macros = {
    **dict.fromkeys(symbols.MATH_ARGUMENTS, TexScanner.fragment),
    **dict.fromkeys(symbols.STYLES, TexScanner.style),
    **dict.fromkeys(symbols.DECLARATIONS, TexScanner.declaration),
    **dict.fromkeys(symbols.BREAKS, TexScanner.line_break),
    **dict.fromkeys(symbols.BLANKS, TexScanner.blank),
    **dict.fromkeys(symbols.DROPPED, TexScanner.dropped),
    **dict.fromkeys(symbols.CITES, TexScanner.cite),
    "url": TexScanner.url,
    "path": TexScanner.url,
    "href": TexScanner.href,
    "begin": TexScanner.begin,
    "end": TexScanner.environment,
    "ensuremath": TexScanner.ensured,
    "verb": TexScanner.verbatim,
    "char": TexScanner.character,
    "ding": TexScanner.dingbat,
}


def without_braces(macro: str, rest: str) -> str:
    """What `macro` would show of `rest`, the word that ran into it; empty where that isn't sure."""
    if macro in ("bf", "em", "it"):
        return rest if len(rest) == 1 else ""
    if macro in ("log", "ln"):
        return f"{macro} {rest}" if len(rest) <= 2 and rest.isupper() else ""
    if macro == "sqrt":
        return f"√{rest}" if len(rest) == 1 else f"√({rest})" if rest.isupper() else ""
    if macro == "frac":
        return f"{rest}/" if len(rest) == 1 else ""
    if macro in symbols.COMBINING or macro == "mathbb":
        return (readable(f"\\{macro}{{{rest}}}") or "") if len(rest) == 1 else ""
    return rest


def read_accent(mark: str, text: str, at: int) -> tuple[str, int] | None:
    """The accented letter whose accent ends at `at`, and the place behind it; None where there is none."""
    start, named, next_to = at - 1 - len(mark), mark in _LETTERS, text[at : at + 1]
    base = _ACCENTED.match(text, at)
    # `\\v s` needs its blank, but `\\" a` is a quote that someone's program escaped.
    if not base or (next_to.isalpha() if named else next_to.isspace()):
        return None
    end = base.end()
    if base[1] is not None:
        end = _closing(text, base.start(1))
        content = text[base.end(1) : end - 1].strip()
        if not content:
            return symbols.SPACING_ACCENTS.get(mark, ""), end
        if letter := symbols.MANGLED_GREEK.get(f"{mark}.{content}"):
            return letter, end
        if mark == "t":
            return content, end
    elif mark == "'" and base[0] == "s" and text[start - 1 : start].isalpha() and not text[end : end + 1].isalpha():
        return "'s", end  # `model\'s`: an apostrophe that someone's program escaped
    decoded = decode_tex_accents(text[start:end])
    if "\\" in decoded or (named and base[1] is None and len(decoded) > 1):
        return None
    if mark == "'" and base[1] is None and len(decoded) > 1:
        return "'" + base[0], end
    return decoded, end


def _closing(text: str, at: int) -> int:
    """The place behind the brace that closes the one at `at`, a few letters on."""
    level = 0
    for place in range(at, min(at + 24, len(text))):
        level += {"{": 1, "}": -1}.get(text[place], 0)
        if level == 0:
            return place + 1
    return at + 1
