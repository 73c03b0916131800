"""Characters of XML files, as bytes: entities by their names, and what may not stand in XML at all.

Sites do let through what their authors pasted, a vertical tab or a zero. XML has no way to write these, so a parser
refuses the whole entry for the sake of a sign that nobody can see.
"""

from __future__ import annotations

import re
from html.entities import name2codepoint

_NAMED = re.compile(rb"&([A-Za-z][A-Za-z0-9]{1,31});")
_CHARACTERS = {
    name.encode(): b"&#%d;" % code for name, code in name2codepoint.items() if name not in ("amp", "lt", "gt", "quot")
}
"""HTML's names of characters, among them all of DBLP's document type; the numbers are XML's own."""
_UNFIT = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_UNFIT_UTF8 = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f]|\xef\xbf[\xbe\xbf]|\xed[\xa0-\xbf][\x80-\xbf]")
_NUMBERED = re.compile(rb"&#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,10}));")


def with_numbers(content: bytes) -> bytes:
    """XML with the number of a character in the place of each of HTML's names; others stay as they are."""
    return _NAMED.sub(lambda found: _CHARACTERS.get(found[1], found[0]), content) if b"&" in content else content


def without_unfit(content: bytes, encoding: str = "utf-8") -> bytes:
    """XML without the characters that XML may not hold, as they are or by their numbers; half a surrogate pair is
    U+FFFD.

    >>> without_unfit(b"Deep\\x00 nets&#11; and trees&#xFFFE;")
    b'Deep nets and trees'
    """
    content = (_UNFIT_UTF8 if encoding == "utf-8" else _UNFIT).sub(_shown, content)
    return _NUMBERED.sub(_numbered, content) if b"&#" in content else content


def _shown(found: re.Match[bytes]) -> bytes:
    return b"\xef\xbf\xbd" if found[0][:1] == b"\xed" else b""


def _numbered(found: re.Match[bytes]) -> bytes:
    code = int(found[1], 16) if found[1] else int(found[2])
    if 0xD800 <= code <= 0xDFFF:
        return b"&#xFFFD;"
    is_fit = code in (9, 10, 13) or 0x20 <= code < 0xFFFE or 0x10000 <= code <= 0x10FFFF
    return found[0] if is_fit else b""
