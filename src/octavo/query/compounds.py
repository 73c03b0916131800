"""Where words begin and end: a text without blanks is parted into compounds, and these into parts.

`Non-invasive/FlashTP` has two compounds, `Non-invasive` of two parts and `FlashTP` of one. This is the
grammar of words; `octavo.query.words` says what is made of them, and is the module to use.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from octavo.records.fold import fold

_CJK = (
    "\u2e80-\u2fdf\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
)
_CJK_CHARACTER = re.compile(f"[{_CJK}]")
_ALNUM = rf"[^\W_{_CJK}]"
_WORD = re.compile(
    rf"""
      (?P<cjk> [{_CJK}]+ )
    | (?<!{_ALNUM}) [A-Za-z] (?: \# (?!{_ALNUM}) | \* (?![\w*]) )                      # c#  a*
    | (?<![\w.]) \.(?i:net) (?!{_ALNUM})                                               # .net
    | (?<!{_ALNUM}) [0-9]+ (?:\.[0-9]+)? [eE] [-+]? [0-9]+ (?!{_ALNUM})                # 1e-4
    | (?<!{_ALNUM}) (?<![0-9],) [0-9]{{1,3}} (?:,[0-9]{{3}})+ (?:\.[0-9]+)? (?!{_ALNUM}|,[0-9])  # 10,000
    | {_ALNUM}+ (?: (?: ' | (?<=[0-9])\.(?=[0-9]) ) {_ALNUM}+ )* (?: \+\+ (?!\+) )?    # don't  v2.0  c++
    """,
    re.VERBOSE,
)
_LINKS = frozenset("-_&·")
"""What may stand between the parts of a compound."""


class Part(NamedTuple):
    """A piece of a compound: a word as a reader sees it, an abbreviation (`i.i.d.`), or a run of CJK."""

    spelled: str
    """Without accents, but in its case and with its apostrophes; an abbreviation without its dots."""
    exact: tuple[str, ...]
    """Its exact words: the letters of an abbreviation, the pairs of a CJK run, else one."""
    is_cjk: bool = False


class Compound(NamedTuple):
    """One part, or several with a hyphen, `_`, `&` or `·` between; a CJK run is always one by itself."""

    parts: tuple[Part, ...]
    spelled: str
    """All of it, as `Part.spelled`."""

    @property
    def exact(self) -> tuple[str, ...]:
        """The exact words of all parts."""
        return tuple(word for part in self.parts for word in part.exact)


def is_cjk(char: str) -> bool:
    """Whether a character is Chinese, Japanese or Korean, and so parts a text into pairs of characters."""
    return _CJK_CHARACTER.match(char) is not None


def find_compounds(chunk: str) -> list[Compound]:
    """Find the compounds in a text, in order. No compound goes beyond a blank."""
    spelled = _spell(chunk)
    compounds: list[Compound] = []
    start = end = -1
    parts: list[Part] = []
    for found in _WORD.finditer(spelled):
        text = found[0]
        gap = spelled[end : found.start()]
        part = _cjk(text) if found["cjk"] else Part(text, (fold(text).replace("'", ""),))
        if not parts or part.is_cjk or parts[-1].is_cjk:
            gap = ""
        if gap == "." and _is_letters(part) and _is_letters(parts[-1]):
            parts[-1] = Part(parts[-1].spelled + text, parts[-1].exact + part.exact)
        elif gap in _LINKS:
            parts.append(part)
        else:
            if parts:
                compounds.append(Compound(tuple(parts), spelled[start:end]))
            parts, start = [part], found.start()
        end = found.end()
    if parts:
        compounds.append(Compound(tuple(parts), spelled[start:end]))
    return compounds


def _cjk(run: str) -> Part:
    return Part(run, tuple(map("".join, pairwise(run))) if len(run) > 1 else (run,), is_cjk=True)


def _is_letters(part: Part) -> bool:
    """Whether a part is single letters, which a dot joins to others in `i.i.d.`"""
    return all(len(letter) == 1 and letter.isalpha() for letter in part.exact)


def _spell(chunk: str) -> str:
    """Fold all but case, which tells humps apart."""
    if chunk.isascii():
        return chunk.replace("`", "'")
    return "".join(map(_spell_letter, unicodedata.normalize("NFC", chunk)))


_TRADE_MARKS = frozenset("™℠")
"""Letters only to Unicode: `Tiler™` is the word `tiler`."""


@lru_cache(maxsize=20_000)
def _spell_letter(char: str) -> str:
    folded = " " if char in _TRADE_MARKS else fold(char)
    return folded.upper() if char.isupper() and folded.isascii() else folded
