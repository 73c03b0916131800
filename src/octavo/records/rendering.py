"""Spans as text, as HTML and as BibTeX."""

from __future__ import annotations

import re
from html import escape

from octavo.records import symbols
from octavo.records.cleaning import cleaned
from octavo.records.lost_braces import with_braces
from octavo.records.markup import BREAK, CLOSE, MATH, OPEN, TEXT, Span
from octavo.records.math import readable

MAX_FORMULAS = 200
"""Formulas of one text that are set as MathML; those after them are shown as their source."""

_TAGS = {"em": "em", "strong": "strong", "code": "code", "sub": "sub", "sup": "sup", "a": "a"}
_BREAKS = re.compile(r"\s*(?:<br>\s*)+")
_RAISED = re.compile(r"[-+−]?(?:\d+|n)")
_BIBTEX_STYLES = {
    "em": r"\emph{",
    "strong": r"\textbf{",
    "code": r"\texttt{",
    "sub": r"\textsubscript{",
    "sup": r"\textsuperscript{",
    "case": "{",
}
_BIBTEX_SIGN = re.compile(r"&amp;|[\\{}$&%#_~^`]|'{2,}|[-–—]{2,}|[–—]")
_BIBTEX_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\textbraceleft{}",
    "}": r"\textbraceright{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "`": r"\textasciigrave{}",
    "&amp;": r"\&{}amp;",
    "–": "--",
    "—": "---",
}
_QUOTED = re.compile(r"“((?:[^“”\"]*[^“”\"'])?)”(?!')")


def spans_of(raw: str, markup: str) -> list[Span]:
    """Read a text in its notation; one in none is a single span."""
    # Imported here: their patterns take milliseconds to compile, and a catalogue's texts are plain already.
    if markup == "mixed":
        from octavo.records.markdown import MixedScanner

        return _mended(MixedScanner(raw).run())
    if markup == "tex":
        from octavo.records.tex import TexScanner

        return _mended(TexScanner(raw).run())
    if markup == "xml":
        from octavo.records.xmltext import XmlScanner

        return XmlScanner(raw).run()
    return [(TEXT, raw)]


def _mended(spans: list[Span]) -> list[Span]:
    """The spans with the formulas as their authors wrote them."""
    return [(kind, with_braces(value)) if kind == MATH else (kind, value) for kind, value in spans]


def as_text(raw: str, markup: str, *, formulas: bool = True) -> str:
    """The text without notation; `formulas` in a line where that can be, else all as TeX between dollar
    signs."""
    out: list[str] = []
    raised: list[int] = []
    for kind, value in spans_of(raw, markup):
        if kind == TEXT:
            out.append(value)
        elif kind == MATH:
            line = readable(value) if formulas else None
            out.append(line or f"${value}$")
        elif kind == BREAK:
            out.append(" ")
        elif value == "sup":
            if kind == OPEN:
                raised.append(len(out))
            elif raised:
                at = raised.pop()
                out[at:] = [_raised("".join(out[at:]))]
    return cleaned("".join(out))


def _raised(text: str) -> str:
    """An exponent in small digits, so that 10<sup>6</sup> isn't 106; other superscripts as they are."""
    small = text.strip().replace("−", "-")
    return "".join(symbols.SUPERSCRIPTS[char] for char in small) if _RAISED.fullmatch(small) else text


def as_html(raw: str, markup: str) -> str:
    """The text as a safe fragment of HTML."""
    # Imported here: a command line that shows no page must not wait for it.
    import nh3

    from octavo.records.mathml import mathml

    out: list[str] = []
    formulas = 0
    for kind, value in spans_of(raw.encode("utf-8", "replace").decode(), markup):
        if kind == TEXT:
            out.append(escape(value))
        elif kind == MATH:
            formulas += 1
            element = mathml(value) if formulas <= MAX_FORMULAS else None
            out.append(element or f'<code class="tex">{escape(value)}</code>')
        elif kind == BREAK:
            out.append("<br>")
        else:
            out.append(_tag(kind, value))
    return nh3.clean(
        _BREAKS.sub("<br>", " ".join("".join(out).split())).removeprefix("<br>").removesuffix("<br>").strip(),
        tags=_ALLOWED_TAGS,
        attributes=_ALLOWED_ATTRIBUTES,
        url_schemes={"http", "https"},
        link_rel="noopener nofollow",
    )


_ALLOWED_TAGS = {*_TAGS.values(), "br", *symbols.MATHML_TAGS}
_ALLOWED_ATTRIBUTES = {"a": {"href"}, "code": {"class"}} | {
    tag: set(symbols.MATHML_ATTRIBUTES) for tag in symbols.MATHML_TAGS
}


def _tag(kind: str, value: str) -> str:
    """The tag of a style; an address that is neither http nor https makes no link."""
    style, _, address = value.partition(" ")
    if kind == CLOSE:
        return f"</{_TAGS[style]}>" if style in _TAGS else ""
    if style == "a":
        return f'<a href="{escape(address)}">' if address.startswith(("http://", "https://")) else "<a>"
    return f"<{_TAGS[style]}>" if style in _TAGS else ""


def as_bibtex(raw: str, markup: str) -> str:
    """The text as the value of a BibTeX field."""
    out: list[str] = []
    opened = 0
    for kind, value in spans_of(raw, markup):
        if kind == TEXT:
            out.append(_bibtex_text(value))
        elif kind == MATH:
            balanced = value.count("{") == value.count("}") and not value.endswith("\\")
            glue = "{}" if out and out[-1].endswith("$") else ""
            out.append(f"{glue}${value}$" if balanced else _bibtex_text(value))
        elif kind == BREAK:
            out.append(" ")
        elif kind == OPEN and value in _BIBTEX_STYLES:
            out.append(_BIBTEX_STYLES[value])
            opened += 1
        elif kind == CLOSE and value in _BIBTEX_STYLES and opened:
            out.append("}")
            opened -= 1
    return _QUOTED.sub(r"``\1''", " ".join("".join(out).split())) + "}" * opened


def _bibtex_text(text: str) -> str:
    """Escape the signs that mean something to TeX."""
    return _BIBTEX_SIGN.sub(_bibtex_sign, text)


def _bibtex_sign(found: re.Match[str]) -> str:
    sign = found[0]
    if len(sign) > 1 and sign not in _BIBTEX_SIGNS:
        return "{}".join(_BIBTEX_SIGNS.get(char, char) for char in sign)
    return _BIBTEX_SIGNS.get(sign) or "\\" + sign
