"""Cleaning: characters that never belong into a text, whatever its notation."""

from __future__ import annotations

import re
import unicodedata

_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_CP1252 = {chr(number): bytes([number]).decode("cp1252", "ignore") for number in range(0x80, 0xA0)}
"""What U+0080 to U+009F were before someone read Windows-1252 as Latin-1."""

_UNWANTED = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x9f\xad\u200b\u202a-\u202e\u2060\ufeff\ufffe\uffff]")
# Joiners join letters of scripts that join; beside anything else they are leftovers.
_JOINERS = re.compile("(?<![^\x00-\u024f])[\u200c\u200d]+|[\u200c\u200d]+(?![^\x00-\u024f])")
_SURROGATE = re.compile("[\ud800-\udfff]")


def cleaned(text: str) -> str:
    """Take out what can't be shown, and collapse white space.

    Control characters, soft hyphens, byte-order marks, zero-width spaces and the direction overrides U+202A
    to U+202E go (the isolates, U+200E and U+200F stay: Arabic needs them; so do joiners between letters that
    join). U+0080 to U+009F are read as Windows-1252, ligatures as their letters; a lone surrogate becomes
    U+FFFD; the rest is NFC. A word that its typesetter broke (`classi- fication`) stays broken, as `pre- and
    post-` looks the same.
    """
    if not text.isprintable():
        if not text.isascii():
            text = _JOINERS.sub("", _UNWANTED.sub(_restored, text))
            if _SURROGATE.search(text):
                # A pair that came as two halves is joined; half a pair is lost.
                text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        text = " ".join(text.split())
        if not text.isprintable():
            text = _UNWANTED.sub("", text)
    if not text.isascii():
        if any(ligature in text for ligature in _LIGATURES):
            text = _LIGATURE.sub(lambda found: _LIGATURES[found[0]], text)
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text = " ".join(text.split())
    return text


def _restored(found: re.Match[str]) -> str:
    """What an unwanted character was meant to be."""
    return _CP1252.get(found[0], "")
