r"""Formulas whose braces were lost on the way: `\mathcalV` was `\mathcal{V}`, `\sqrtT` was `\sqrt{T}`.

Some publishers strip the braces of their titles. TeX itself reads such a name as an unknown macro; nobody defines one
called `\mathcalVista`, so that the longest known macro at its head is what was written.
"""

from __future__ import annotations

import re
from functools import lru_cache

from octavo.records import symbols

_NAME = re.compile(r"\\([A-Za-z]+)(?![A-Za-z*{])")
_BARE_ROOT = re.compile(r"\\sqrt\s*$")
_TEXT = re.compile(r"[^\W_]*(?:[ -][^\W_]+)*")
"""What belongs to the argument of a macro of text, behind the letters that ran into it."""
_ACCENTS = ("widetilde", "widehat", "tilde", "hat", "bar")
_HEADS = tuple(sorted({*symbols.LOST_BRACES, "mathbbm", "bm"} - {"begin", "end", "frac", "cite", "citep", "citet"}))[
    ::-1
]
"""Macros that are known at the head of a name; in this order the longer ones come first."""
_KNOWN = frozenset(
    (
        *symbols.GREEK, *symbols.ORDINARY, *symbols.OPERATORS, *symbols.FUNCTIONS, *symbols.AUTHOR_FUNCTIONS,
        *symbols.AUTHOR_MACROS, *symbols.FONTS, *symbols.OLD_FONTS, *symbols.COMBINING, *symbols.RESPELT,
        *symbols.TEXT_SYMBOLS, *symbols.DECLARATIONS, *symbols.MATH_ARGUMENTS, *symbols.BLANKS, *symbols.CITES,
    )
)  # fmt: skip


@lru_cache(maxsize=1024)
def with_braces(tex: str) -> str:
    r"""A formula with the braces that it lost; as it is where it lost none. No letter is added or taken away.

    >>> with_braces(r"\mathcalVista\mathcalDPO"), with_braces(r"\mathcalO(\sqrtT)"), with_braces(r"\mathbf{x}_\mathrmd")
    ('\\mathcal{Vista}\\mathcal{DPO}', '\\mathcal{O}(\\sqrt{T})', '\\mathbf{x}_\\mathrm{d}')
    """
    if "\\" not in tex:
        return tex
    out: list[str] = []
    at = 0
    while found := _NAME.search(tex, at):
        out.append(tex[at : found.start()])
        written, at = _written(found[1], tex, found.end())
        out.append(written)
    return _BARE_ROOT.sub(r"\\surd", "".join(out) + tex[at:])


def _written(name: str, tex: str, end: int) -> tuple[str, int]:
    """The macro of that name as it was once written, and where in the formula it ends."""
    if name not in _KNOWN:
        for head in _HEADS:
            rest = name.removeprefix(head)
            if rest in ("", name):
                continue
            if head in symbols.TEXT_FONTS and (head != "text" or rest[0].isupper()):
                more = _TEXT.match(tex, end)
                whole = rest + (more[0] if more else "")
                return rf"\{head}{{{whole}}}", end + len(whole) - len(rest)
            if argument := _argument(head, rest):
                return argument, end
    return rf"\{name}", end


def _argument(head: str, rest: str) -> str:
    """A macro of math with the letters that ran into it; empty where it isn't sure that they did."""
    if rest in symbols.GREEK and head not in ("log", "ln"):
        rest = rf"\{rest}"
    if head in ("log", "ln", "bf", "em", "it"):
        return rf"\{head} {rest}" if len(rest) == 1 else ""
    if head in ("mathbb", "mathbbm", "mathds"):
        if not rest[0].isupper():
            return ""
        n_letters = len(rest) if rest.isupper() else 1
        return rf"\{head}{{{rest[:n_letters]}}}{rest[n_letters:]}"
    if head in (*_ACCENTS, "sqrt"):
        is_sure = len(rest) == 1 or rest[0] == "\\" or (head == "sqrt" and rest.isupper())
        return rf"\{head}{{{rest}}}" if is_sure else ""
    return rf"\{head}{{{rest}}}" if head != "text" else ""
