"""Author lists in one string: where one name ends and the next begins, and what in the string is no name.

Works on strings alone; `octavo.records.names` reads the names. Between `mask` and `unmask`, signs inside
brackets and braces are put out of the way, so that a comma in an affiliation or a blank in `{Della Rossa}`
parts nothing.
"""

from __future__ import annotations

import re
from html import unescape

from octavo.records.accents import decode_tex_accents
from octavo.records.cleaning import cleaned

Listed = tuple[str, list[str]]
"""A name (masked) and its affiliations (plain)."""

_MOST = 8
"""How many markers or brackets at an end are looked at."""

SUFFIXES = {
    **dict.fromkeys(("jr", "jr.", "junior"), "Jr."), **dict.fromkeys(("sr", "sr."), "Sr."),
    "ii": "II", "iii": "III", "iv": "IV", "2nd": "2nd", "3rd": "3rd",
}  # fmt: skip
"""What follows a family name and is no name, lower-case, with its usual spelling."""

_DEGREES = frozenset({
    "m.d.", "m.d", "md", "ph.d.", "ph.d", "phd", "ph. d.", "d.phil.", "dphil", "m.sc.", "msc", "b.sc.", "bsc", "mph",
    "mba", "d.sc.", "dsc", "esq.", "esq", "ieee fellow", "fellow ieee", "member ieee", "senior member ieee",
})  # fmt: skip
"""What some write behind a name, lower-case; it is no person and no part of one."""

PARTICLES = frozenset({
    "von", "vom", "zu", "zum", "zur", "van", "der", "den", "de", "ter", "ten", "te", "'t", "op", "del",
    "della", "degli", "dello", "di", "da", "dal", "dos", "das", "do", "du", "des", "la", "le", "les", "lo",
    "af", "av", "bin", "bint", "ibn", "ben", "al", "el",
})  # fmt: skip
"""What a family name may begin with in lower case."""

_MASKED = ",;|&、，；(){} "
_TO_MASK = {ord(sign): 0xE000 + place for place, sign in enumerate(_MASKED)}
_TO_PLAIN = {0xE000 + place: sign for place, sign in enumerate(_MASKED)}
_HAS_MASK = re.compile("[\ue000-\ue00f]")

_ANCHOR = re.compile(r"</?[a-z][^<>]{0,500}>", re.IGNORECASE)
_AND_MACRO = re.compile(r"\\and(?![A-Za-z])")
_DROPPED_MACRO = re.compile(
    r"\\(?:thanks|footnote|footnotemark|inst|textsuperscript|orcidlink|affil)\s*(?:\[[^\[\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}"
)
_MACRO = re.compile(r"\\(?:[A-Za-z]+\s*(?=\{)|[,;!/ -]?)")
_RAISED = re.compile(r"\$\s*\{?\}?\s*[\^_][^$]*\$")

_MARKER = re.compile(
    r"(?:(?:and|&|,)\s+)?(?:et\.?\s?al\.?|al\.|others|\(?\+?\s?[0-9]+\s+(?:more|others?|additional)(?:\s+authors?)?"
    r"(?:\s+not\s+shown)?\)?|…|\.\.\.|等(?:人|[0-9]*人)?|及其他.{0,8})",
    re.IGNORECASE,
)
_LAST_MARKER = re.compile(rf"(?:(?<=[^\w.])|^|(?=等|及)|(?=…|\.\.\.)){_MARKER.pattern}$", re.IGNORECASE)
_TAIL = 60
"""No marker is longer, so only the end of the string is looked at."""

_AND = re.compile(r",?\s+(?:and|AND|&)\s+")
_CJK = re.compile("[\u3040-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_INITIALS = re.compile(r"(?:[^\W\d_]\.[ -]?){1,4}[^\W\d_]?|[A-Z]{1,3}")
_LAST_BRACKETS = re.compile(r"\s*\(([^()]*)\)$")
_NUMBERED = re.compile(r"\(([0-9]{1,3}|[a-z*])\)\s*([^()]+)")
_ODD = (
    *"(){}*†‡§¶#^…等及", "...", "et al", "et. al", "et.al", "etal", "others", "more", "additional", "for ", "on behalf",
)  # fmt: skip
"""A list without any of these is nothing but names and their separators."""
_FOR_TEAM = re.compile(
    r"(?:\s+|^)\(?(?:for|on behalf of)\s+(?:the\s+)?"
    r"(.{1,200}\b(?:collaborations?|team|consortium|group|project|initiative).*)$",
    re.IGNORECASE,
)
_TEAM_FIRST = re.compile(
    r"^(.{1,200}?\b(?:collaborations?|team|consortium|group|project|initiative))\s*:\s+(?=[^\s,;])(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_FOR = re.compile(r"(?:for|on behalf of)\s+(?:the\s+)?", re.IGNORECASE)
_NO_PLACE = re.compile(r"(?:eds?\.?|editors?|[0-9*†‡, ]|\band\b)*", re.IGNORECASE)


def without_tex(text: str) -> str:
    """Decode TeX's accents, drop footnotes and other commands, and clean the rest; braces stay."""
    text = cleaned(text)
    if _HAS_MASK.search(text):
        text = _HAS_MASK.sub("", text)
    if "\\" in text:
        text = decode_tex_accents(_AND_MACRO.sub(" and ", text.replace("\\\\", " ")))
        text = text.replace("\\&", "&").replace("\\_", "_").replace("\\ ", " ")
        text = _MACRO.sub("", _DROPPED_MACRO.sub("", text))
    if "$" in text:
        text = _RAISED.sub("", text)
    return cleaned(text.replace("~", " ").replace("$", ""))


def mask(text: str) -> str:
    """Hide the separators inside brackets and braces, and drop those that have no partner."""
    if not any(sign in text for sign in "(){}"):
        return text
    opened: list[int] = []
    spans: list[tuple[int, int]] = []
    stray: set[int] = set()
    for place, char in enumerate(text):
        if char in "({":
            opened.append(place)
        elif char in ")}":
            if opened and text[opened[-1]] == ("(" if char == ")" else "{"):
                start = opened.pop()
                while spans and spans[-1][0] > start:
                    spans.pop()
                spans.append((start, place))
            else:
                stray.add(place)
    stray.update(opened)
    pieces = []
    done = 0
    for start, end in spans:
        pieces.append(_without(text, done, start, stray))
        pieces.append(text[start] + _without(text, start + 1, end, stray).translate(_TO_MASK) + text[end])
        done = end + 1
    pieces.append(_without(text, done, len(text), stray))
    return "".join(pieces)


def _without(text: str, start: int, end: int, stray: set[int]) -> str:
    if not stray:
        return text[start:end]
    return "".join(text[place] for place in range(start, end) if place not in stray)


def unmask(text: str) -> str:
    """Undo `mask`, and drop the braces."""
    if _HAS_MASK.search(text):
        text = text.translate(_TO_PLAIN)
    if "{" in text or "}" in text:
        text = text.replace("{", "").replace("}", "")
    return text


def is_marker(name: str) -> bool:
    """Tell whether the text says that authors are missing: `et al.`, `(+3 more)`, `等`."""
    return _MARKER.fullmatch(name) is not None


def split_names(text: str) -> tuple[list[Listed], bool]:
    """Part a list of authors into names; returns them, and whether it says that some are missing."""
    if "&" in text or "<" in text:
        text = _ANCHOR.sub("", unescape(text))
    text = without_tex(text)
    if ": " in text:
        text = _TEAM_FIRST.sub(_team_apart, text)
    lowered = text.lower()
    if not any(sign in lowered for sign in _ODD):
        return [(name, []) for piece in _pieces(text) if (name := piece.strip(" ,;:"))], False
    text, incomplete = _without_last_markers(text)
    text, numbered = _numbered_affiliations(mask(text))
    listed: list[Listed] = []
    for piece in _pieces(text):
        name = piece.strip(" ,;:")
        team = _FOR.match(name)
        if not name or is_marker(unmask(name)):
            incomplete = incomplete or bool(name)
        elif team and listed:
            listed[-1][1].append(unmask(name[team.end() :]))
        else:
            listed.append(take_affiliations(name, numbered))
    return listed, incomplete


def _team_apart(found: re.Match[str]) -> str:
    """`The Blue Collaboration: A. Bee, C. Dee` with the list's own separator behind the team."""
    team, rest = found.groups()
    separator = next((sign for sign in ";；|、，" if sign in rest), ",")
    return f"{team}{separator} {rest}"


def take_affiliations(name: str, numbered: dict[str, str]) -> Listed:
    """Take what stands in brackets at the end of a masked name, and `for the Blue Collaboration`.

    `numbered` are the affiliations that numbers in brackets stand for. A bracket in the middle is a
    nickname and stays.
    """
    places: list[str] = []
    for _ in range(_MOST):
        found = _LAST_BRACKETS.search(name)
        if found is None:
            break
        name = name[: found.start()]
        inside = unmask(found[1]).strip()
        numbers = re.findall(r"[0-9]+|\b[a-z*]\b", inside) if _NO_PLACE.fullmatch(inside) or len(inside) < 3 else []
        if numbers:
            places[:0] = [numbered[number] for number in numbers if number in numbered]
        elif inside and not _NO_PLACE.fullmatch(inside):
            places.insert(0, _FOR.sub("", inside, count=1) if _FOR.match(inside) else inside)
    if found := _FOR_TEAM.search(name):
        name = name[: found.start()]
        places.append(unmask(found[1]))
    return name.lstrip().rstrip("*†‡§¶#^ "), places


def _without_last_markers(text: str) -> tuple[str, bool]:
    """Take the signs of an incomplete list from its end."""
    incomplete = False
    for _ in range(_MOST):
        text = text.rstrip(" ,;、，；")
        tail = text[-_TAIL:]
        found = _LAST_MARKER.search(tail)
        if found is None:
            break
        text = text[: len(text) - len(tail) + found.start()]
        incomplete = True
    return text, incomplete


def _numbered_affiliations(text: str) -> tuple[str, dict[str, str]]:
    """Take `((1) Lab X, (2) Lab Y)` from the end of a masked list."""
    found = _LAST_BRACKETS.search(text)
    if found is None:
        return text, {}
    inside = unmask(found[1])
    if not _NUMBERED.match(inside):
        return text, {}
    return text[: found.start()], {number: place.strip(" ,;") for number, place in _NUMBERED.findall(inside)}


def _pieces(text: str) -> list[str]:
    """Part a masked list into its names, by the strongest separator that it has."""
    if ";" in text or "；" in text:
        return text.replace("；", ";").split(";")
    if "|" in text:
        return text.split("|")
    if "、" in text:
        return text.replace("，", "、").replace(",", "、").split("、")
    text = text.replace("，", ",")
    parts = _AND.split(text) if " and " in (lowered := text.lower()) or " & " in lowered else [text]
    # BibTeX: commas inside the names only.
    if len(parts) > 1 and all("," in part for part in parts):
        return parts
    return [name for part in parts for name in _by_commas(part)]


def _by_commas(text: str) -> list[str]:
    """Part `A, B, C Jr.` into names, and leave `Family, Given` and `Family, Jr., Given` whole."""
    parts = [part for part in (part.strip() for part in text.split(",")) if part]
    parts = _without_degrees(parts)
    if len(parts) < 2:
        return parts
    if _is_inverted(parts):
        return [", ".join(parts)]
    if len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, parts[1::2])):
        return [f"{family}, {given}" for family, given in zip(parts[::2], parts[1::2], strict=True)]
    names: list[str] = []
    for part in parts:
        if names and part.lower() in SUFFIXES:
            names[-1] = names[-1] if "," in names[-1] else f"{names[-1]}, {part}"
        else:
            names.append(part)
    return names


def _without_degrees(parts: list[str]) -> list[str]:
    """Drop `M.D.` and the like behind a whole name; behind a family name alone they are initials."""
    initials = parts[1::2]
    if len(parts) % 2 == 0 and all(map(_INITIALS.fullmatch, initials)) and {*map(str.lower, initials)} - _DEGREES:
        return parts
    kept: list[str] = []
    for part in parts:
        before = kept[-1].split(" ") if kept else []
        if part.lower() in _DEGREES and len(before) > 1 and before[0] not in PARTICLES:
            continue
        kept.append(part)
    return kept


def _is_inverted(parts: list[str]) -> bool:
    """Tell whether the parts between commas are those of one name that leads with its family name."""
    if len(parts) == 3 and parts[1].lower() in SUFFIXES:
        parts = [parts[0], parts[2]]
    if len(parts) != 2 or parts[1].lower() in SUFFIXES or parts[1].startswith(("for ", "on behalf ")):
        return False
    family, given = parts[0].split(" "), parts[1].split(" ")
    if family[0] in PARTICLES or family[0].startswith("{"):
        return True
    if len(family) > 1 or _CJK.match(family[0]):
        return False
    # `NVIDIA, Ann Bee` and `OpenTiles-AI, Ann Bee` are a team and a person.
    return len(given) == 1 or not (family[0].isupper() or family[0].endswith("AI"))
