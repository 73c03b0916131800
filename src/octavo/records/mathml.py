"""Math as markup: a formula in TeX as MathML that is safe to put into a page."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape, unescape
from typing import TYPE_CHECKING

from octavo.records import symbols
from octavo.records.math import MAX_DEPTH, MAX_FORMULA, single_escaped

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_TOKENS = 500
"""Tokens of a formula that are converted."""

_MACRO = re.compile(r"\\([A-Za-z]+)")
_REFUSED = re.compile(
    r"\\(?:[egx]?def|let|(?:re|provide)?newcommand|newenvironment|rule|csname|loop|input|include|href|url)(?![A-Za-z])"
)
_LONE_PERCENT = re.compile(r"(?<!\\)%")
_NESTING = re.compile(r"\\.|[{}]", re.DOTALL)
_UNBRACED = re.compile(
    r"\\(?:sqrt|hat|bar|tilde|vec|dot|widehat|widetilde|overline|underline|frac|left)(?![A-Za-z])|\^|_"
)
_SMALL_WIDTH = re.compile(r"-?[012]?(?:\.\d+)?em")
_ESCAPED = re.compile(r"\\([%_&#${}])")
_TOKEN = re.compile(r"\\(?:[A-Za-z]+|.)|\S", re.DOTALL)


@lru_cache(maxsize=1024)
def mathml(tex: str) -> str | None:
    """Write a formula as a MathML element with its source as `alttext`; None where that can't be done.

    Refused are definitions of macros and rules, what is over-long or nested too deeply, and macros that the
    converter doesn't know. Never an exception.
    """
    # Imported here: a command line that shows no page must not wait for it.
    from latex2mathml.converter import Converter

    if not _is_convertible(tex):
        return None
    source = _MACRO.sub(_respelt, single_escaped(tex))
    source = _LONE_PERCENT.sub(r"\\%", source)
    try:
        body = _serialised(Converter().convert_to_element(source))
    except Exception:  # it raises twenty kinds, IndexError and RecursionError among them
        return None
    if "\\" in body:
        return None
    return f'<math display="inline" alttext="{escape(tex)}">{body}</math>'


def _is_convertible(tex: str) -> bool:
    """Whether a formula is small and harmless enough to be given to the converter."""
    if len(tex) > MAX_FORMULA or _REFUSED.search(tex) or len(_TOKEN.findall(tex)) > MAX_TOKENS:
        return False
    level = 0
    for found in _NESTING.finditer(tex):
        level += {"{": 1, "}": -1}.get(found[0], 0)
        if not 0 <= level <= MAX_DEPTH:
            return False
    # Roots and accents nest without braces.
    return level == 0 and len(_UNBRACED.findall(tex)) <= MAX_DEPTH


def _serialised(element: Element) -> str:
    """Write the element's children, each text escaped once.

    The converter writes character references into its texts and leaves the author's `<` beside them, so its
    own output isn't safe; and it copies `\\href`, `\\class` and `\\style` into attributes.
    """
    inside = _text(element.text) + "".join(map(_serialised, element))
    if element.tag == "math":
        return inside
    attributes = "".join(
        f' {name}="{escape(value)}"' for name, value in element.attrib.items() if _is_harmless(name, value)
    )
    # A leaf may hold nothing but text: `\\mathop{\\textrm{det}}` would be a row in an operator, and lost.
    tag = "mrow" if len(element) and element.tag in ("mi", "mo", "mn", "mtext") else element.tag
    return f"<{tag}{attributes}>{inside}</{tag}>{_text(element.tail)}"


def _text(text: str | None) -> str:
    return escape(unescape(_ESCAPED.sub(r"\1", text or "")), quote=False)


def _is_harmless(name: str, value: str) -> bool:
    if name == "width":  # `\\hspace` may ask for a kilometre
        return _SMALL_WIDTH.fullmatch(value) is not None
    return name in symbols.MATHML_ATTRIBUTES


def _respelt(found: re.Match[str]) -> str:
    """An author's macro, or one that the converter doesn't know, by its usual name."""
    name = found[1]
    if name in symbols.AUTHOR_FUNCTIONS and name != "bmod":
        return rf"\operatorname{{{name}}}"
    return symbols.AUTHOR_MACROS.get(name) or symbols.RESPELT.get(name, found[0])
