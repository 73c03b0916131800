"""Math as text: a formula in TeX as a line that reads well.

`\\mathcal O(n^2)` is `O(n²)`, `\\frac{a+1}{b}` is `(a+1)/b`, `D\\Delta_{\\max}\\log T` is `DΔ_max log T`,
`\\ell_1` is `ℓ₁`: digits are set low, so that folding gives `l1`, as readers type it; letters stay behind
`_`. What doesn't fit into a line has none: matrices, stacked signs, macros that nobody but their author
knows.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from octavo.records import symbols

MAX_FORMULA = 1_000
"""Characters of a formula that are converted; a longer one is shown as its source."""

MAX_DEPTH = 24
"""Levels of nesting that are converted."""

_TOKEN = re.compile(r"\\(?:[A-Za-z]+\*?|.)|\s+|.", re.DOTALL)
_DOUBLED = re.compile(r"\\\\([A-Za-z%{}|,_#])")
_SIMPLE = re.compile(r"[A-Za-z0-9.]+|&")
_ONE_LETTER = re.compile(r"(\w[\u0300-\u036f\u20d7]*)([₀-₉]*|_\w+)")
_SCRIPT = re.compile(r"[^\W_][^\W_.]*(?:\.\d+)?[*′⊤†‡⋆]?|[^\W_]*\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
# A letter with its scripts, a number, a root, or a function with its argument; and a product of the first two.
# Possessive, as a pattern that goes back and forth over `x_{ab}x_{ab}...` never ends.
_LETTER = r"∂?[^\W\d_][\u0300-\u036f\u20d7]*+(?:[_^](?:[^\W_]++|\([^()]*+\))|[⁰-ⁿ¹²³₀-₉′*⋆])*+"
_CALL = r"√[^\W_]|√?[^\W_]*+\((?:[^()]|\([^()]*+\))*+\)|∞|[A-Za-z]{3,}"
_FACTOR = re.compile(rf"{_LETTER}|\d+(?:\.\d+)?|{_CALL}")
_TERM = re.compile(rf"(?:\d+(?:\.\d+)?)?(?:{_LETTER})*+|{_CALL}")

# What a piece of a line is, as far as the blanks around it depend on it.
_PLAIN, _NAME, _OPERATOR, _FRACTION, _TAIL, _BLANK, _GAP = range(7)
"""_NAME stands apart from letters, _TAIL from a letter after it; _GAP is a blank that only ends a name."""

_Piece = tuple[int, str]


class _NotALineError(Exception):
    """The formula can't be written in a line."""


@lru_cache(maxsize=8192)
def readable(tex: str) -> str | None:
    """Write a formula as a line of text; None where that can't be done, never an exception."""
    if len(tex) > MAX_FORMULA:
        return None
    if _SIMPLE.fullmatch(tex):
        return tex
    try:
        return " ".join(_join(_Line(single_escaped(tex)).group("", 0)).split()) or None
    except _NotALineError:
        return None


def single_escaped(tex: str) -> str:
    """Undo doubled backslashes (`3\\\\%`), which an inline formula has only by an escape too many."""
    return _DOUBLED.sub(r"\\\1", tex) if "\\\\" in tex else tex


class _Line:
    """One pass over the parts of a formula."""

    __slots__ = ("at", "parts")

    def __init__(self, tex: str) -> None:
        self.parts = _TOKEN.findall(tex)
        self.at = 0

    def group(self, close: str, depth: int) -> list[_Piece]:
        """Read up to the part `close`, or to the end of the formula where it is empty."""
        if depth > MAX_DEPTH:
            raise _NotALineError
        pieces: list[_Piece] = []
        while self.at < len(self.parts):
            part = self.parts[self.at]
            self.at += 1
            if part == close:
                return pieces
            if part in "^_":
                self.script(part, pieces, depth)
            elif self.parts[self.at - 1] == r"\over":
                return [self.fraction(_join(pieces), _join(self.group(close, depth + 1)))]
            elif part == r"\choose":
                return [(_PLAIN, f"({_join(pieces)} choose {_join(self.group(close, depth + 1))})")]
            else:
                pieces.extend(self.piece(part, depth))
        if close:
            raise _NotALineError
        return pieces

    def piece(self, part: str, depth: int) -> list[_Piece]:
        """Read what one part begins."""
        first = part[0]
        if first == "\\":
            return self.macro(part[1:], depth) if part[1:2].isalpha() else _escaped(part[1:])
        if first.isspace() or first == "~":
            return [(_BLANK, " ")]
        if first == "{":
            return self.group("}", depth + 1)
        if first in "}&$":
            raise _NotALineError
        if first in "=<>+-*/":
            return [(_OPERATOR, first)]
        return [(_PLAIN, "′" if first == "'" else first)]

    def argument(self, depth: int) -> list[_Piece]:
        """Read one argument: a group, or the next part."""
        self.skip_blanks()
        if self.at >= len(self.parts):
            raise _NotALineError
        part = self.parts[self.at]
        # `\\hat theta`: an author who forgot braces means the word, whatever TeX makes of its first letter.
        if depth > MAX_DEPTH or part in ("}", "^", "_", "&") or self.word():
            raise _NotALineError
        self.at += 1
        return self.piece(part, depth + 1)

    def skip_blanks(self) -> None:
        """Go on to the next part that is no blank."""
        while self.at < len(self.parts) and self.parts[self.at].isspace():
            self.at += 1

    def source(self) -> str:
        """Read an argument as it is written."""
        self.skip_blanks()
        if self.parts[self.at : self.at + 1] != ["{"]:
            raise _NotALineError
        level, start = 0, self.at + 1
        for at in range(self.at, len(self.parts)):
            level += {"{": 1, "}": -1}.get(self.parts[at], 0)
            if level == 0:
                self.at = at + 1
                return "".join(self.parts[start:at])
        raise _NotALineError

    def gap(self) -> list[_Piece]:
        """Read the blank that ends a macro's name, if there is one."""
        if self.at < len(self.parts) and self.parts[self.at].isspace():
            self.at += 1
            return [(_GAP, " ")]
        return []

    def macro(self, name: str, depth: int) -> list[_Piece]:
        """Read a macro with its arguments."""
        if sign := symbols.GREEK.get(name) or symbols.ORDINARY.get(name):
            return [(_PLAIN, sign), *self.gap()]
        if sign := symbols.OPERATORS.get(name):
            return [(_OPERATOR, sign), *self.gap()]
        if name in symbols.FUNCTIONS or name in symbols.AUTHOR_FUNCTIONS:
            return [(_NAME, name.replace("bmod", "mod")), *self.gap()]
        if name in symbols.FONTS or name in ("bm", "operatorname*", "mathop*"):
            return self.font(name.rstrip("*"), depth)
        if mark := symbols.COMBINING.get(name):
            return [(_PLAIN, _accented(_join(self.argument(depth)), mark))]
        if name in symbols.OLD_FONTS:
            return self.old_font(name)
        if known := symbols.AUTHOR_MACROS.get(name):
            return [*_Line(known).group("", depth + 1), *self.gap()]
        return self.structure(name, depth)

    def font(self, name: str, depth: int) -> list[_Piece]:
        """Read the argument of a font macro."""
        if name in symbols.TEXT_FONTS and not re.search(r"[\\$^_{}]", text := self.peek()):
            self.source()
            return [(_PLAIN, text)]
        pieces = self.argument(depth)
        if name in ("mathbb", "mathbbm", "mathds"):
            letter = _join(pieces)
            return [(_PLAIN, symbols.BLACKBOARD.get(letter, letter))]
        line = _join(pieces)
        return [(_NAME if name.startswith("operatorname") else _PLAIN, line)]

    def peek(self) -> str:
        """The source of the next argument, without reading it; `\\` where there is none."""
        at = self.at
        try:
            return self.source()
        except _NotALineError:
            return "\\"
        finally:
            self.at = at

    def old_font(self, name: str) -> list[_Piece]:
        """Read a macro that shows nothing, nor does the delimiter `.` behind `\\left` and its like."""
        self.skip_blanks()
        if name in ("left", "right", "middle", "mleft", "mright") and self.parts[self.at : self.at + 1] == ["."]:
            self.at += 1
        return []

    def structure(self, name: str, depth: int) -> list[_Piece]:
        """Read fractions, roots and the few others that fit into a line."""
        if name in ("frac", "dfrac", "tfrac", "cfrac", "nicefrac", "sfrac"):
            return [self.fraction(_join(self.argument(depth)), _join(self.argument(depth)))]
        if name == "sqrt":
            return [self.root(depth)]
        if name == "binom":
            return [(_PLAIN, f"({_join(self.argument(depth))} choose {_join(self.argument(depth))})")]
        if name == "pmod":
            return [(_BLANK, " "), (_PLAIN, f"(mod {_join(self.argument(depth))})")]
        if name in ("norm", "abs"):
            bar = "‖" if name == "norm" else "|"
            return [(_PLAIN, f"{bar}{_join(self.argument(depth))}{bar}")]
        if name in ("textcolor", "color"):
            self.source()
            return self.argument(depth) if name == "textcolor" else []
        if name in ("quad", "qquad", "enspace", "space", "enskip"):
            return [(_BLANK, " ")]
        if name == "unicode" and (found := re.fullmatch(r"0?x([0-9A-Fa-f]{2,5})", self.source().strip())):
            return [(_PLAIN, chr(int(found[1], 16)))]
        if name == "not":
            return [(kind, unicodedata.normalize("NFC", sign + "\u0338")) for kind, sign in self.argument(depth)]
        raise _NotALineError

    def fraction(self, over: str, under: str) -> _Piece:
        """`a/b`, with the brackets that it needs."""
        return _FRACTION, f"{_bracketed(over)}/{_bracketed(under, factor=True)}"

    def root(self, depth: int) -> _Piece:
        """`√x`, with the brackets that it needs; the fifth root and those after it as `(x)^(1/5)`."""
        self.skip_blanks()
        degree = ""
        if self.parts[self.at : self.at + 1] == ["["]:
            self.at += 1
            degree = _join(self.group("]", depth + 1))
        under = _join(self.argument(depth))
        if degree not in ("", "2", "3", "4"):
            return _TAIL, f"({under})^(1/{degree})"
        sign = {"3": "∛", "4": "∜"}.get(degree, "√")
        return _TAIL, sign + (under if len(under) == 1 or under.isdigit() else f"({under})")

    def word(self) -> str:
        """Read a word whose braces were forgotten (`n_total`, `file_name`); empty for a letter or two."""
        end = self.at
        while end < len(self.parts) and self.parts[end].isalpha():
            end += 1
        if end - self.at < 3:
            return ""
        start, self.at = self.at, end
        return "".join(self.parts[start:end])

    def script(self, sign: str, pieces: list[_Piece], depth: int) -> None:
        """Read a script and hang it on the piece before it."""
        text = self.word() or _join(self.argument(depth), tight=True)
        while pieces and pieces[-1][0] in (_BLANK, _GAP):
            pieces.pop()
        kind, base = pieces.pop() if pieces else (_PLAIN, "")
        if kind == _FRACTION:
            base = f"({base})"
        script = _raised(text) if sign == "^" else _lowered(text)
        if kind not in (_NAME, _OPERATOR):
            kind = _TAIL if script[:1] in "^_" and script[-1:] != ")" else _PLAIN
        pieces.append((kind, base + script))


def _escaped(char: str) -> list[_Piece]:
    """What a backslash with a sign shows."""
    if char in ("", "\\", "(", ")", "[", "]"):
        raise _NotALineError
    if char in ",:;> \n\t":
        return [(_BLANK, " ")]
    if char in "!/-":
        return []
    return [(_PLAIN, "‖" if char == "|" else char)]


def _accented(base: str, mark: str) -> str:
    """Set a mark over a single letter, which may have a script."""
    found = _ONE_LETTER.fullmatch(base)
    if not found:
        raise _NotALineError
    return unicodedata.normalize("NFC", found[1] + mark) + found[2]


def _bracketed(text: str, *, factor: bool = False) -> str:
    """Part of a fraction, in brackets where it needs them; a `factor`, under the line, needs more of them."""
    return text if (_FACTOR if factor else _TERM).fullmatch(text) else f"({text})"


def _raised(text: str) -> str:
    """A superscript: small digits, a sign that stands high anyway, else `^x` or `^(x+y)`."""
    if text in ("th", "st", "nd", "rd", "*", "′", "′′", "⋆", "†", "‡"):
        return text
    if text == "∘":
        return "°"
    small = [symbols.SUPERSCRIPTS.get(char, "") for char in text]
    return "".join(small) if all(small) and text not in ("(", ")") else "^" + _script(text)


def _lowered(text: str) -> str:
    """A subscript: small digits, else `_x` or `_(x+y)`."""
    if text.isascii() and text.isdigit():
        return "".join(symbols.SUBSCRIPTS[char] for char in text)
    return "_" + _script(text)


def _script(text: str) -> str:
    """A script in a line, in brackets where it has more than one part."""
    return text if len(text) == 1 or _SCRIPT.fullmatch(text) else f"({text})"


def _join(pieces: list[_Piece], tight: bool = False) -> str:
    """Join the pieces of a line with the blanks that reading needs; `tight`: no more than a script has."""
    shown: list[tuple[int, str, int]] = []
    blank = 0
    for kind, text in pieces:
        if kind in (_BLANK, _GAP):
            blank = kind if blank != _BLANK else blank
        elif text:
            shown.append((kind, text, blank))
            blank = 0
    out: list[str] = []
    last, spaced = (_OPERATOR, ""), False
    for at, (kind, text, left) in enumerate(shown):
        after = shown[at + 1] if at + 1 < len(shown) else (_PLAIN, "", 0)
        if kind == _OPERATOR:
            unary = last[0] == _OPERATOR or last[1][-1:] in ("(", "[", "{", ",", "|")
            apart = (
                left == _BLANK and last[1][-1:] not in ("(", "[", "{") if unary else bool(left) or after[2] == _BLANK
            )
            spaced = not tight and (after[2] == _BLANK if unary and text not in "+-" else apart and not unary)
            apart = apart and not tight
        elif last[0] == _OPERATOR:
            apart = spaced
        else:
            apart = (left == _BLANK and not _is_bracketing(last[1], text)) or _touch(last, (kind, text))
        if kind == _FRACTION and (
            (_ends_word(last[1]) and not apart) or after[1][:1].isalnum() or after[1][:1] in ("(", "√")
        ):
            text = f"({text})"
        out.append(" " + text if apart and out else text)
        last = (kind, text)
    return "".join(out)


def _is_bracketing(before: str, after: str) -> bool:
    """Whether a blank stands inside a bracket, or between a function and its argument."""
    return before[-1:] in ("(", "[", "{") or after in (")", "]", "}") or (after == "(" and before[-1:].isalpha())


def _ends_word(text: str) -> bool:
    return text[-1:].isalnum() or text[-1:] in (")", "′", "°", "*")


def _touch(before: _Piece, after: _Piece) -> bool:
    """Whether two pieces would run into one word."""
    begins_word = after[1][:1].isalnum() or after[1][:1] == "√"
    if before[0] == _TAIL:
        return begins_word
    return (before[0] == _NAME or after[0] == _NAME) and begins_word and _ends_word(before[1])
