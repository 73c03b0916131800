r"""TeX's accents and letters as Unicode: `{\v S}imi{\'c}` is `Šimić`.

A decoder of its own, since names are the most common text there is and a general TeX reader costs many
times as much. Only what stands for a letter is decoded; other commands, braces and mathematics stay as they
are.
"""

from __future__ import annotations

import re
import unicodedata

_MARKS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "h": "\u0309", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327",
    "k": "\u0328", "b": "\u0331",
}  # fmt: skip
_LETTERS = {
    "ss": "ß", "aa": "å", "AA": "Å", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l":
    "ł", "L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
    "ng": "ŋ", "NG": "Ŋ",
}  # fmt: skip
# What an accent is set on: a letter, one that has marks already, or a dotless i or j.
_BASE = r"\\[ij](?![A-Za-z])(?:\{\}|\s)?|[^\W\d_][\u0300-\u036f]*"
_ACCENT = re.compile(
    rf"""(\{{\s*)? \\(?: ([`'^"~=.])\s* | ([uvHrckdbh])(?:\s+|(?=[{{\\])) )
         (?: \{{\s*({_BASE})\s*\}} | ({_BASE}) ) (?(1)\s*\}})""",
    re.VERBOSE,
)
_LETTER = re.compile(
    r"(\{\s*)?\\("
    + "|".join(sorted(_LETTERS, key=len, reverse=True))
    + r")(?![A-Za-z])(?(1)\s*\}|(?:\{\}|\s+(?![A-Z\s])|))"
)
_MOST_STACKED = 4


def decode_tex_accents(text: str) -> str:
    r"""Put Unicode letters (NFC) for TeX's accented and special letters.

    Knows every spelling: braced or not, with a blank, on a dotless letter, one accent over another. Never
    raises, and takes time in proportion to the text. A blank behind a letter's command goes, as in TeX,
    unless a capital follows: there it was meant.

    >>> decode_tex_accents(r"{\'E}lodie, M\H ore, Kal{\=\i}te, Nguy{\~{\^e}}n, Pawe\l Bee, O\'Dee")
    "Élodie, Mőre, Kalīte, Nguyễn, Paweł Bee, O'Dee"
    """
    if "\\" not in text:
        return text
    for _ in range(_MOST_STACKED):
        before, text = text, _ACCENT.sub(_accented, text)
        if before == text:
            break
    return _LETTER.sub(lambda found: _LETTERS[found[2]], text)


def _accented(found: re.Match[str]) -> str:
    sign = found[2] or found[3]
    base = found[4] or found[5]
    if base[0] == "\\":
        base = base[1]
    letter = unicodedata.normalize("NFC", base + _MARKS[sign])
    if len(letter) > len(base) and sign in "'`" and base.isupper():
        # `O\'Dee`: an apostrophe that someone's program escaped, for no language sets an accent on a D.
        return f"'{base}"
    return letter
