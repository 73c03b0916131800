"""Text: a title or an abstract as its source wrote it, with the notation that it is in.

Sources send TeX, Markdown, HTML, XML, entities, or a mix of them. `Text` keeps what was written and shows it
in four ways: `plain` for search, terminal and mail, `marked` with formulas left in TeX, `html()` for pages
and `bibtex()` for export.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape

from octavo.records.cleaning import cleaned

MARKUPS = ("plain", "mixed", "tex", "xml")
"""The notations that a text may be in.

* plain: nothing is interpreted;
* mixed: TeX, Markdown's emphasis and links, simple HTML and entities: what OpenReview, PMLR and lists made
  of them send;
* tex: TeX and entities: arXiv, BibTeX;
* xml: the inside of an element of JATS, MathML, the ACL Anthology or DBLP.
"""

_TAG = re.compile(r"</?[A-Za-z]")
_ENTITY = re.compile(r"&#?\w+;")
_EMPHASIS = re.compile(r"(?<![\w*])[*_]++\S|\*\*")
_EATEN = re.compile(
    r"(?:\t|(?<= ))(?=ext(?:it|bf|tt|sc|rm|sf)?\{|imes(?=\s*[$}\d]))"
    r"|\x08(?=(?:ar|eta|f|m|oldsymbol|egin|inom|ig)(?![a-z]))"
    r"|\x0c(?=(?:rac|orall|ootnote)(?![a-z]))"
    r"|\x1b(?=(?:mph|psilon|ta|ll|nd)(?![a-z]))"
    r"|\x07(?=(?:pprox|lpha|st|ngle)(?![a-z]))"
    r"|\r(?=(?:ho|ightarrow|angle|m)(?![a-z]))"
)
_EATEN_SIGNS = ("\t", "\x08", "\x0c", "\x1b", "\x07", "\r", " ext", " imes")
_EATEN_LETTERS = {
    "": "\\t",
    "\t": "\\t",
    "\x08": "\\b",
    "\x0c": "\\f",
    "\x1b": "\\e",
    "\x07": "\\a",
    "\r": "\\r",
}
"""Macros whose first letter was read as an escape: a tab and `extit{x}` was `\\textit{x}`."""

_PLACEHOLDER = re.compile(
    r"[\s(\[{<\"'“]*(?:(?:the )?abstract\s*[:.–—-]\s*)?"
    r"(?:n\s*[./]?\s*a|none|null|nil|nan|undefined|unknown|empty|missing|tba|tbd|to appear"
    r"|(?:please )?(?:see|refer to) (?:the )?(?:attached )?(?:pdf|paper|full[ -]?text|article|file|attachment)"
    r"|abstract|(?:no|without|missing) abstract(?: (?:is |was )?(?:available|provided|given|found))?"
    r"|(?:the )?abstract (?:is |was )?"
    r"(?:not (?:yet )?(?:available|provided|given|found)|unavailable|missing|to (?:follow|appear))"
    r"|no description(?: available)?|not (?:available|applicable|provided)|unavailable|\W*)[\W_]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Text:
    """A text as written, with its notation, one of MARKUPS.

    The constructor takes both as they are; `Text.of` is the way from a source. Nothing here raises, whatever
    the text holds. False where there is no text.
    """

    raw: str
    markup: str = "plain"

    @classmethod
    def of(cls, raw: str, markup: str = "plain") -> Text:
        """Make a text of what a source sent: cleaned, and `plain` where nothing in it needs to be interpreted.

        See `octavo.records.cleaning` for what goes. A word that its typesetter broke (`classi- fication`)
        stays broken.

        Raises:
            ValueError: `markup` is not one of MARKUPS.
        """
        if markup not in MARKUPS:
            raise ValueError(f"no notation of this name: {markup!r}")
        if markup in ("tex", "mixed") and ("{" in raw or "$" in raw) and any(map(raw.__contains__, _EATEN_SIGNS)):
            raw = _EATEN.sub(lambda found: _EATEN_LETTERS[found[0]], raw)
        raw = cleaned(raw)
        return cls(raw, markup if markup != "plain" and _needs_reading(raw, markup) else "plain")

    def __bool__(self) -> bool:
        return bool(self.raw)

    @property
    def plain(self) -> str:
        """The text without notation; formulas in a line (`O(n²)`) where that can be, else as `$TeX$`."""
        if self.markup == "plain":
            return self.raw
        from octavo.records.rendering import as_text

        return as_text(self.raw, self.markup)

    @property
    def marked(self) -> str:
        """Like `plain`, with each formula as its source wrote it between dollar signs."""
        if self.markup == "plain":
            return self.raw
        from octavo.records.rendering import as_text

        return as_text(self.raw, self.markup, formulas=False)

    def html(self) -> str:
        """A fragment of HTML, safe inside a paragraph; formulas as MathML where that can be, else as code."""
        if self.markup == "plain":
            return escape(self.raw)
        from octavo.records.rendering import as_html

        return as_html(self.raw, self.markup)

    def bibtex(self) -> str:
        """The value of a BibTeX field: signs escaped, accents in UTF-8, letters of protected case in braces."""
        from octavo.records.rendering import as_bibtex

        return as_bibtex(self.raw, self.markup)


def is_placeholder(text: str) -> bool:
    """Whether this stands where a source has no abstract: `N/A`, `See PDF`, `Abstract not available.`."""
    return len(text) < 60 and _PLACEHOLDER.fullmatch(text.strip()) is not None


def _needs_reading(raw: str, markup: str) -> bool:
    """Whether anything in a cleaned text can mean other than itself."""
    # Most texts end here: each test is one scan in C, the cheapest first.
    if "&" in raw and _ENTITY.search(raw):
        return True
    if markup == "xml":
        return "<" in raw
    if "\\" in raw or "$" in raw or "{" in raw or "}" in raw or "~" in raw or "`" in raw:
        return True
    if "--" in raw or ("'" in raw and "''" in raw):
        return True
    if markup == "tex":
        return False
    if ("]" in raw and "](" in raw) or ("<" in raw and _TAG.search(raw)):
        return True
    return ("*" in raw or "_" in raw) and _EMPHASIS.search(raw) is not None
