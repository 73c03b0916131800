"""Authors' names: as written, and in the parts that a source gives or that the spelling betrays.

What is shown is the name as written; the parts serve sorting, matching and exports. Where nothing tells
them apart, the whole name is the family name (a mononym, a team). A name is a string and no person: only an
ORCID or a source's own id of the person (`ids`) says that two names are one person.

>>> author("Ludwig", "Meer", prefix="van der").family
'van der Meer'
>>> parse_author("de la Cruz, Jr., Ana").name
'Ana de la Cruz Jr.'
>>> people, incomplete = split_authors("Ann Bee, Cy Dee Jr., Ee Eff et al. (+3 more)")
>>> [person.name for person in people], incomplete
(['Ann Bee', 'Cy Dee Jr.', 'Ee Eff'], True)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from octavo.records.accents import decode_tex_accents
from octavo.records.author_lists import (
    PARTICLES,
    SUFFIXES,
    is_marker,
    mask,
    split_names,
    take_affiliations,
    unmask,
    without_tex,
)  # fmt: skip
from octavo.records.cleaning import cleaned
from octavo.records.fold import fold

__all__ = [
    "NOBODY", "Author", "author", "decode_tex_accents", "family_key", "initials", "name_key", "normal_orcid",
    "parse_author", "parse_authors", "split_authors",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Author:
    """An author as one source names them. Text is NFC, without TeX and without doubled blanks."""

    name: str
    """As written, in the order of speech: `Ana de la Cruz Jr.`; never empty but in NOBODY."""
    given: str = ""
    family: str = ""
    """With its particles: `de la Cruz`. The whole name of a team or mononym."""
    suffix: str = ""
    """`Jr.`, `III`."""
    affiliations: tuple[str, ...] = ()
    orcid: str = ""
    """`0000-0009-9990-008X`, with a right check digit; else empty."""
    ids: tuple[str, ...] = ()
    """A source's ids of the person: `dblp:Wei Example 0001`."""


NOBODY = Author("")
"""What an empty name, `Anonymous` and `et al.` are read as; never stored."""

_UNNAMED = frozenset({
    "anonymous", "anonymous author", "anonymous authors", "author anonymous", "authors anonymous", "anon",
    "anon.", "佚名", "匿名",
})  # fmt: skip
_NOBODY = _UNNAMED | frozenset({
    "", "et al", "et al.", "al.", "others", "and others", "unknown", "unknown author", "n/a",
    "none", "null", "nan", ":", "-", ".", "…", "...", "等",
})  # fmt: skip
_LINKS = frozenset({"y", "e", "i"})
_TEAM = frozenset({
    "Team", "Collaboration", "Collaborations", "Consortium", "Group", "Project", "Initiative", "Community",
    "Labs", "Committee", "AI",
})  # fmt: skip
_TWO_SIGN_FAMILIES = frozenset({
    "欧阳", "司马", "上官", "诸葛", "夏侯", "皇甫", "尉迟", "公孙", "慕容", "令狐", "长孙", "宇文",
    "司徒", "东方", "独孤", "南宫", "歐陽", "司馬", "諸葛", "남궁", "황보", "제갈", "선우", "독고", "사공",
})  # fmt: skip
_CJK = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff々]+|[가-힣]+")
_SPECIAL = re.compile(r"[\\{}~,$()\[\]*†‡§¶\ue000-\ue00f]|[0-9]{4}|\b(?:for|on) ")
_ODD_PART = re.compile(r"[\\{}~$()\[\]*†‡§¶\ue000-\ue00f]")
_EMPTY_BRACKETS = re.compile(r"\(\s*\)|\[[0-9\s]*\]")
_ORCID = re.compile(r"(?<![0-9])" + r"([0-9]{4})[-‐–]?" * 3 + r"([0-9]{3}[0-9Xx])(?![0-9])")
_NOT_ALNUM = re.compile(r"[\W_]+")
_INITIALS_BEFORE = re.compile(r"((?:[^\W\d_]\.-?)+)([^\W\d_][^.]+)")
_GIVEN_WORD = re.compile(r"[^\W\d_]+")


def author(
    given: str,
    family: str,
    prefix: str = "",
    suffix: str = "",
    *,
    affiliations: Iterable[str] = (),
    orcid: str = "",
    ids: Iterable[str] = (),
) -> Author:
    """Make an author of the parts that a source gives.

    The parts are believed, but for stray brackets, footnote signs and a suffix behind a comma. A wrong
    ORCID is dropped. Gives NOBODY where the parts name no one.
    """
    given, family = _part(given), _part(family)
    if prefix:
        family = f"{_part(prefix)} {family}".rstrip()
    if "," in family:
        head, _, tail = family.rpartition(",")
        if (ending := tail.strip()).lower() in SUFFIXES:
            family, suffix = head.strip(), suffix or ending
    given = given.removeprefix("and ")
    if not family:
        given, family = "", given
    if suffix:
        suffix = _part(suffix)
    name = _whole(given, family, suffix)
    if name.lower() in _NOBODY:
        return NOBODY
    if not (affiliations or orcid or ids):
        return Author(name, given, family, suffix)
    places = tuple(filter(None, map(cleaned, affiliations)))
    return Author(name, given, family, suffix, places, normal_orcid(orcid), tuple(ids))


def parse_author(name: str) -> Author:
    """Read one name from a string, in either order.

    `Given von Family III`, `Family, Given`, `Family, Jr., Given`; what stands in braces is not split;
    Chinese, Japanese and Korean names lead with the family; brackets at the end hold an affiliation; the
    number of a DBLP name is kept in `ids`. Gives NOBODY where it names no one.
    """
    if _SPECIAL.search(name) is None:
        return _natural(cleaned(name).split(" "))
    return _read(*take_affiliations(mask(without_tex(name)), {}))


def parse_authors(names: Iterable[str]) -> tuple[list[Author], bool]:
    """Read names, one a string.

    Returns:
        The authors, and whether a string such as `et al.` says that some are missing.
    """
    authors: list[Author] = []
    incomplete = False
    for name in names:
        person = parse_author(name)
        if person.name:
            authors.append(person)
        else:
            incomplete = incomplete or _is_missing(cleaned(name).strip("{} "))
    return authors, incomplete


def split_authors(text: str) -> tuple[list[Author], bool]:
    """Read all authors out of one string.

    Takes lists with commas, semicolons, bars, `、` or `and`, BibTeX's `Family, Given and Family, Given`,
    affiliations in brackets (numbered ones too), and `et al.`, `(+3 more)`, `and others`, `等` at the end.

    Returns:
        The authors, and whether the string says that some are missing.

    >>> people, _ = split_authors("Ann Bee, Cy Dee (for the Blue Collaboration, Lab X)")
    >>> [(person.name, person.affiliations) for person in people]
    [('Ann Bee', ()), ('Cy Dee', ('Blue Collaboration, Lab X',))]
    """
    names, incomplete = split_names(text)
    authors: list[Author] = []
    for name, places in names:
        person = _read(name, places)
        if person.name:
            authors.append(person)
        else:
            incomplete = incomplete or _is_missing(name)
    return authors, incomplete


def normal_orcid(text: str) -> str:
    """Bring an ORCID, bare or as an address, into its usual form; empty where its check digit is wrong.

    >>> normal_orcid("https://orcid.org/0000-0009-9990-008x"), normal_orcid("0000-0009-9990-0179")
    ('0000-0009-9990-008X', '')
    """
    found = _ORCID.search(text)
    if found is None:
        return ""
    orcid = "-".join(found.groups()).upper()
    total = 0
    for digit in orcid.replace("-", "")[:-1]:
        total = (total + int(digit)) * 2
    check = (12 - total % 11) % 11
    return orcid if orcid[-1] == ("X" if check == 10 else str(check)) else ""


def family_key(person: Author | str) -> str:
    """Reduce a family name to what its spellings share: folded, without particles, blanks and hyphens.

    >>> family_key(parse_author("Ludwig van der Meer")), family_key("O'Dée")
    ('meer', 'odee')
    """
    return _family_key(person.family or person.name if isinstance(person, Author) else parse_author(person).family)


def initials(person: Author | str) -> str:
    """The first letters of the given names, folded: `ab` of `Ann-Brigid Bee`; empty for a mononym or team."""
    given = (person if isinstance(person, Author) else parse_author(person)).given
    return "".join(fold(word[0])[:1] for word in _GIVEN_WORD.findall(given))


def name_key(person: Author | str) -> str:
    """Family name and first initial, as far as two sources can be expected to agree on a name.

    >>> name_key("Bee, A. B.") == name_key("Ann Bee") == "bee a"
    True
    """
    if not isinstance(person, Author):
        person = parse_author(person)
    return f"{family_key(person)} {initials(person)[:1]}".rstrip()


@lru_cache(maxsize=50_000)
def _family_key(family: str) -> str:
    words = fold(family).split()
    while len(words) > 1 and words[0] in PARTICLES:
        del words[0]
    return _NOT_ALNUM.sub("", "".join(words))


def _is_missing(name: str) -> bool:
    """Tell whether a name that is none says that there are authors who are not named."""
    return is_marker(name) or name.lower() in _UNNAMED


def _part(text: str) -> str:
    """Clean one given part of a name."""
    if _ODD_PART.search(text):
        text = unmask(mask(without_tex(text)))
        return cleaned(_EMPTY_BRACKETS.sub("", text).rstrip("*†‡§¶ "))
    return cleaned(text)


def _read(name: str, places: Sequence[str]) -> Author:
    """Read a masked name whose affiliations are taken off."""
    if name.startswith("{") and name.find("}") == len(name) - 1:
        whole = cleaned(unmask(name))
        person = Author(whole, "", whole)
    elif "," in name:
        person = _inverted([part for part in map(str.strip, name.split(",")) if part])
    else:
        person = _natural(_words(name))
    if person.name.lower() in _NOBODY:
        return NOBODY
    if places:
        return Author(person.name, person.given, person.family, person.suffix, tuple(places), "", person.ids)
    return person


def _words(text: str) -> list[str]:
    """Part masked text at its blanks; what was in braces stays together."""
    if text.isascii() and "{" not in text:
        return text.split() or [""]
    return [word for word in map(cleaned, map(unmask, text.split(" "))) if word] or [""]


def _natural(words: list[str]) -> Author:
    """Read the words of `Given von Family Jr.`."""
    name = " ".join(words)
    if name.lower() in _NOBODY:
        return NOBODY
    ids: tuple[str, ...] = ()
    last = words[-1]
    if len(words) > 1 and len(last) == 4 and last[0] == "0" and last.isdecimal():
        # DBLP tells persons of one name apart by a number behind it.
        ids = (f"dblp:{name}",)
        words = words[:-1]
        name = " ".join(words)
    if (words[-1] in _TEAM or words[0] == "Team") and not name.isupper():
        return Author(name, "", name)
    suffix = ""
    if len(words) > 2 and words[-1].lower() in SUFFIXES:
        suffix = words[-1]
        words = words[:-1]
    if not name.isascii() and _CJK.fullmatch(name.replace(" ", "").replace("·", "")):
        given, family = _cjk(name, words)
    else:
        start = _family_start(words)
        given, family = " ".join(words[:start]), " ".join(words[start:])
        if "." in family and (run_on := _INITIALS_BEFORE.fullmatch(family)):
            given, family = f"{given} {run_on[1]}".lstrip(), run_on[2]
    return Author(name, given, family, suffix, (), "", ids)


def _family_start(words: list[str]) -> int:
    """Find the word that the family name begins with: a particle in lower case, else the last word."""
    last = len(words) - 1
    for place, word in enumerate(words[:last]):
        if word.islower():
            if word in PARTICLES:
                return place
            if word in _LINKS and place:
                return max(place - 1, 1)
    return last


def _inverted(parts: list[str]) -> Author:
    """Read what stands between the commas of `Family, Given`, `Family, Jr., Given` or `Given Family, Jr.`."""
    suffix = next((part for part in parts[1:] if part.lower() in SUFFIXES), "")
    if suffix:
        parts = [part for part in parts if part != suffix]
    if len(parts) < 2:
        return _natural(_words(f"{parts[0]} {suffix}".strip())) if parts else NOBODY
    family, given = parts[0].split(" "), " ".join(parts[1:]).split(" ")
    for words in (family, given):
        if not suffix and len(words) > 1 and words[-1].lower() in SUFFIXES:
            suffix = words.pop()
    while len(given) > 1 and given[-1] in PARTICLES:
        family.insert(0, given.pop())
    return author(unmask(" ".join(given)), unmask(" ".join(family)), suffix=suffix)


def _cjk(name: str, words: list[str]) -> tuple[str, str]:
    """Part a name in Chinese characters or Hangul into (given, family)."""
    given, _, family = name.rpartition("·")
    if given and family:
        return given, family
    if len(words) > 1:
        return " ".join(words[1:]), words[0]
    length = 2 if name[:2] in _TWO_SIGN_FAMILIES or len(name) == 4 else 1
    return (name[length:], name[:length]) if len(name) > length else ("", name)


def _whole(given: str, family: str, suffix: str) -> str:
    """Put the parts of a name together as it is spoken."""
    if not given:
        return f"{family} {suffix}" if suffix else family
    if not family.isascii() and _CJK.fullmatch(family) and _CJK.fullmatch(given):
        return family + given
    return f"{given} {family} {suffix}" if suffix else f"{given} {family}"
