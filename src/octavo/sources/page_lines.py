"""The lines of a saved page: which of them say something, and what.

Nothing here looks at more than a line and its neighbours; the order of lines in an entry is `page_kinds`'s
matter, and what belongs to no entry `page_furniture`'s.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from octavo.records.paper import Venue
from octavo.records.venues import short_name
from octavo.sources.page_furniture import is_furniture, is_notice
from octavo.sources.page_sections import find_section

_UNSEEN = re.compile("[\u200b-\u200f\u2060\ufeff\u00ad]")
_HEADING_MARK = re.compile(r"#{1,6} (?=\S)")
_CLOSERS = r"""["'”’»)\]}*_$`]*"""
_ENDS = re.compile(rf"[.!?…。！？]{_CLOSERS}$")
_ADDRESS_LAST = re.compile(r"https?://\S*[^\s_-]$")
_BREAK = re.compile(rf"[a-z0-9)\]$][.!?]{_CLOSERS} ['\"“(\[$*\\]*[A-Z]")
_OPENS = re.compile(r"""["'“‘(\[$*_\\]*[A-Z0-9\u3400-\u9fff]""")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_FUNCTION = frozenset(
    (
        "the", "of", "and", "a", "an", "to", "in", "we", "is", "are", "for", "that", "with", "on", "by",
        "this", "as", "our", "from", "be", "can", "it", "which", "at", "or", "not", "have", "has", "such",
        "these", "their", "its", "using", "via", "into", "than",
    )
)  # fmt: skip


_FOLD_AT_END = re.compile(r"(?<=\S)\s+read the full abstract\W*$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """A line with something on it."""

    text: str
    """With single blanks, without invisible characters and heading marks."""
    number: int
    """Counted from 1, blank ones too."""
    apart: bool
    """A blank line, or the start of the page, is before it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What one entry of a page says, as it says it."""

    line: int
    """The number of its first line."""
    abstract: str
    title: str = ""
    authors: str = ""
    """As shown: `Ann Bee, Cy Dee et al. (+3 more)`."""
    topics: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    venue: Venue | None = None


def number_lines(text: str) -> list[Line]:
    """The lines of a page that have something on them."""
    found: list[Line] = []
    apart = True
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(_UNSEEN.sub("", raw).split())
        if not line:
            apart = True
            continue
        line = _HEADING_MARK.sub("", line, count=1) if line.startswith("#") else line
        # The link that unfolds an abstract may stand at the end of its last line.
        fold = _FOLD_AT_END.search(line, max(0, len(line) - 40))
        for part in (line[: fold.start()], fold[0].strip()) if fold else _unglued(line):
            found.append(Line(part, number, apart))
            apart = False
    return found


_GLUED_HEADING = re.compile(
    r"(?<=\S)(?:论文检索|(?<=[.!?。)\]])[A-Z][\w-]*(?: [A-Z][\w-]*){0,4} (?:19|20)\d\d (?:Accepted )?Papers)$"
)
_GLUED_BEHIND_NAMES = re.compile(r"(?<=[a-z])[A-Z][A-Za-z]+ (?:19|20)\d\d (?:Accepted )?Papers$")
_GLUED_SECTION = re.compile(r"(?<=[a-z)\]$][.!?])[A-Z][A-Za-z,&() .-]{3,60}$")


def _unglued(line: str) -> tuple[str, ...]:
    """The line; in two where a file without an end to its last line was put before another one."""
    found = _GLUED_HEADING.search(line, max(0, len(line) - 80))
    if not found and line.lower().startswith("all authors"):
        found = _GLUED_BEHIND_NAMES.search(line)
    if not found and (found := _GLUED_SECTION.search(line, max(0, len(line) - 64))) and not find_section(found[0]):
        found = None
    return (line[: found.start()].rstrip(), found[0]) if found else (line,)


def ends_sentence(line: str) -> bool:
    """Tell whether a line ends where a sentence may."""
    return _ENDS.search(line, max(0, len(line) - 40)) is not None


def is_complete(line: str) -> bool:
    """Tell whether a line ends a sentence, or with an address, behind which a full stop is often left out."""
    return ends_sentence(line) or _ADDRESS_LAST.search(line, max(0, len(line) - 200)) is not None


def wants_more(line: str) -> bool:
    """Tell whether a line ends as no sentence does: `available at`, `multi-`."""
    return line.endswith(("-", "/", "_")) or line.split()[-1] in _FUNCTION


def is_prose(line: str) -> bool:
    """Tell whether a line holds at least one sentence of the kind that abstracts are made of."""
    if is_notice(line):
        return False
    if len(_CJK.findall(line)) * 2 > len(line):
        return len(line) >= 15 and ("。" in line or len(line) >= 60)
    words = line.split()
    n_function = sum(word in _FUNCTION for word in words)
    if len(words) >= 40:
        return n_function * 12 >= len(words) or _BREAK.search(line) is not None
    if len(words) >= 12:
        return (ends_sentence(line) or _BREAK.search(line) is not None) and not names_in(line)
    return len(words) >= 5 and ends_sentence(line) and n_function > 0


_PREFIX = re.compile(r"^(?:abstract|摘要)\s?[:：.—–-]\s?(?=[A-Z*$\"“\u3400-\u9fff])", re.IGNORECASE)
_SURE_LABEL = re.compile(
    r"(?:abs|abstract|bib|bibtex|bookmark|cite|cited|comments?|doi|follow|html|like|liked|listen|oral|pdf"
    r"|poster|read|saved?|share|spotlight|tl;?dr)",
    re.IGNORECASE,
)


def abstract_of(lines: Sequence[str]) -> str:
    """The abstract that these lines hold, as one text: trimmed, joined, and without the word `Abstract:` before it."""
    return _PREFIX.sub("", join(trim(lines)), count=1)


def trim(lines: Sequence[str]) -> list[str]:
    """The lines of an abstract without the furniture between and behind them.

    A line is taken out only where a sentence ends before it and another begins after it, so that a glossary
    word that stands alone stays: `tree` + `Search` + `is used`. Behind the last sentence all furniture goes.
    """
    body = lines[: _end_of(lines)]
    following = [""]
    for line in reversed(body[1:]):
        following.append(following[-1] if is_furniture(line) else line)
    kept: list[str] = []
    for line, after in zip(body, reversed(following), strict=False):
        between = (not kept or _is_over(kept)) and _OPENS.match(after) is not None
        if not (between and is_furniture(line) and not _may_begin(line)):
            kept.append(line)
    # What hangs on after the last full stop and is no sentence: a button that nobody has heard of.
    while len(kept) > 1 and ends_sentence(kept[-2]) and _is_loose(kept[-1]):
        kept.pop()
    return kept


def _may_begin(line: str) -> bool:
    """Whether a word may begin a sentence before a glossary word: `Dataset` + `Distillation`, not `PDF`."""
    return line.isascii() and line.isalpha() and _SURE_LABEL.fullmatch(line) is None


def _end_of(lines: Sequence[str]) -> int:
    """Where the furniture behind an abstract begins."""
    end = len(lines)
    while end and is_furniture(lines[end - 1]):
        end -= 1
    if not end or end == len(lines) or _is_over(lines[:end]):
        return end
    # The sentence is not over: it ends in words that buttons bear too (`while preserving` + `data` +
    # `privacy.`).
    for position in range(end, len(lines)):
        line = lines[position]
        if line.endswith(".") and not line.endswith("...") and not (" " in line and is_notice(line)):
            return position + 1
    return end + (wants_more(lines[end - 1]) or "://" in lines[end])


def _is_over(lines: Sequence[str]) -> bool:
    """Whether a sentence ends with the last line, or an address does, which glossary words may have broken."""
    return is_complete(lines[-1]) or is_complete(join(lines[-8:]))


def _is_loose(line: str) -> bool:
    return len(line.split()) <= 4 and _OPENS.match(line) is not None and not re.search(r"[./]", line)


# Joining

_GLUE_AFTER = tuple("-‐‑/([{“‘—")
_GLUE_IN_ADDRESS = tuple("_=&~.")
_GLUE_BEFORE = re.compile(r"[,.;:!?)\]}%”’…]|['’]s\b|[-‐‑/][^\W_]|—\S")
_SUSPENDED = re.compile(r"(?:and|or|to)\b")


def join(lines: Sequence[str]) -> str:
    """One text of lines that links or line ends broke: a blank for each break, but where none can have been.

    >>> join(["Our multi-", "agent game has large", "Language Models", "(LLMs), an", "agent", ", and more."])
    'Our multi-agent game has large Language Models (LLMs), an agent, and more.'
    """
    text = ""
    for line in lines:
        text += line if not text or _glued(text, line) else f" {line}"
    return text


def _glued(text: str, line: str) -> bool:
    if _GLUE_BEFORE.match(line) or (_CJK.match(text[-1]) and _CJK.match(line)):
        return True
    for mark in ("**", '"'):
        if (text.endswith(mark) or line.startswith(mark)) and text.count(mark) % 2:
            return True
    if text.endswith(_GLUE_IN_ADDRESS) and "://" in text[text.rfind(" ") + 1 :]:
        return not text.endswith(".") or line[:1].islower()
    if not text.endswith(_GLUE_AFTER):
        return False
    # A dash with a blank before it has one after it; so has a hyphen that waits for its word (`low-` + `and
    # high-`).
    spaced = text.rstrip("-‐‑—/")[-1:].isspace()
    return not (spaced or (text[-1] == "-" and _SUSPENDED.match(line)))


# Names

_MORE = re.compile(
    r"[\s,，、;]*(?:(?:et al\b\.?|and others|等)?,? ?[(（]?(?:\+|and|plus|等)? ?\d+ (?:more|others)"
    r"(?: authors?)?[)）]?"
    r"|等? ?\d+ ?(?:人|位(?:作者)?)|et al\b\.?|(?:and|&) others|…|\.\.\.|等人?|\(?\+ ?\d+\)?)$",
    re.IGNORECASE,
)
_MORE_LENGTH = 60
_BETWEEN_NAMES = re.compile(r" ?[,，、;；] ?(?:and |& )?| (?:and|&|与|和) ")
_NOT_IN_NAMES = re.compile(r"[:!“”$=<>\[\]|·•…/@#%]|\?\s")
_NOT_A_NAME_WORD = frozenset(
    (
        "the", "of", "for", "with", "in", "on", "via", "to", "is", "are", "we", "our", "an", "from", "by",
        "using", "at", "as", "that", "a", "this", "toward", "towards", "under", "without", "through",
        "into", "over", "beyond", "between", "not", "can", "its", "their", "when", "how", "why", "what",
    )
)  # fmt: skip
_FIRST_IN_SENTENCES = frozenset(("We", "Our", "This", "These", "In", "The"))
_PARTICLES = frozenset(
    ("af", "al", "bin", "da", "de", "del", "della", "den", "der", "di", "do", "dos", "du", "e", "el", "la",
     "le", "ten", "ter", "van", "von", "y", "zu")
)  # fmt: skip
_MARKS = re.compile(r"[\d*†‡§¶¹²³⁴⁵⁶⁷⁸⁹⁰ ]*")
_SUPERSCRIPT = re.compile(r"(?<=[^\W\d])[\d*†‡§¶¹²³⁴⁵⁶⁷⁸⁹⁰]{1,3}$")


def cut_more(line: str) -> tuple[str, bool]:
    """A list of authors without the sign that it is shortened (`et al. (+3 more)`, `等`); had it one?"""
    kept, seen = line.strip(), False
    while found := _MORE.search(kept, max(0, len(kept) - _MORE_LENGTH)):
        if not kept[: found.start()].strip():
            break
        kept, seen = kept[: found.start()].rstrip(" ,，、;"), True
    return kept, seen


def names_in(line: str) -> int:
    """How much a line looks like authors: 0 not at all, 1 like a name (or any two words), 2 like a list.

    >>> names_in("Ann Bee"), names_in("Ann Bee, Cy Dee and Eve Fox"), names_in("Trees, and how to fell them")
    (1, 2, 0)
    """
    body, shortened = cut_more(line)
    if not body or body.endswith("?") or _NOT_IN_NAMES.search(body):
        return 0
    pieces = [_SUPERSCRIPT.sub("", piece) for piece in _BETWEEN_NAMES.split(body)]
    pieces = [piece for piece in pieces if not _MARKS.fullmatch(piece)]
    likeness = [_name_likeness(piece) for piece in pieces]
    if not pieces or 0 in likeness or likeness.count(1) * 2 > len(pieces):
        return 0
    n_full = sum(" " in piece or _CJK.match(piece) is not None or "." in piece[:-1] for piece in pieces)
    if shortened or len(pieces) > 1:
        return 2 if n_full * 2 >= len(pieces) else 1
    return 1 if n_full else 0


def _name_likeness(piece: str) -> int:
    """0 no name; 1 a name among others only (`annbee`, `ann bee`, one with a broken letter); 2 a name."""
    words = [word.strip("()\"'’") or "x" for word in piece.split()]
    if len(words) > 1 and words[0] in _FIRST_IN_SENTENCES and words[1].islower():
        return 0
    if not 1 <= len(words) <= 7 or any(char.isdigit() for char in piece):
        return 0
    if any(word in _NOT_A_NAME_WORD for word in words) or (piece.endswith(".") and len(words[-1]) > 4):
        return 0
    if _CJK.match(piece):
        return 2 if len(piece) <= 12 else 0
    if not any(word[0].isupper() for word in words):
        return 1 if len(words) <= 3 and all(word.replace("-", "").isalpha() for word in words) else 0
    small = sum(word[0].islower() and word not in _PARTICLES for word in words)
    if small * 2 > len(words):
        return 0
    return 1 if any(sign in piece for sign in "?\\{") else 2


# Headings

_TRAIL_SIGN = re.compile(r" [·•・›»>→❯] | ?[›»→❯] ?")
_NAME_WORD = r"[A-Z][\w&@'’+-]*"
_YEAR = r"(?:[ -]?['’]?(?P<year>(?:19|20)\d\d)|[ ]?['’-](?P<short>\d\d))(?!\d)"
_VENUE = re.compile(rf"(?P<name>{_NAME_WORD}?(?: (?:on|of|for|in|and|&|the|{_NAME_WORD}?)){{0,9}}?){_YEAR}")
_VENUE_AFTER = re.compile(r"\b(?P<year>(?:19|20)\d\d) ?年? ?(?P<name>[A-Z][\w&@'’+-]+)(?=\s|[一-鿿]|$)")
_LIST_WORD = re.compile(r"\b(?:papers?|abstracts|proceedings|accepted|publications)\b|论文|摘要|文章", re.IGNORECASE)
_LEADING = re.compile(
    r"(?:(?:accepted|all|list|of|at|the|papers?|abstracts|proceedings|from|in|for|oral|poster)\b\W*)+",
    re.IGNORECASE,
)


def trail_of(line: str) -> tuple[str, ...]:
    """The parts of a topic trail (`Deep Learning · Robustness`), outermost first; empty where it is none."""
    if len(line) > 120 or ends_sentence(line):
        return ()
    parts = tuple(part.strip() for part in _TRAIL_SIGN.split(line))
    if len(parts) < 2 or not all(0 < len(part.split()) <= 9 for part in parts):
        return ()
    if venue_of(line) or not all(any(char.isalpha() for char in part) for part in parts):
        return ()
    return parts


def venue_of(line: str) -> Venue | None:
    """The venue that a heading names, if any: `ICML 2025 Papers`, `CVPR 2024 论文`, `Papers of CoRL 2024`.

    Wants a word for a list of papers, or a name with three capitals and the year in full.
    """
    if len(line) > 100 or len(line.split()) > 14 or ends_sentence(line):
        return None
    found = _VENUE.search(line) or _VENUE_AFTER.search(line)
    if not found:
        return None
    name = _LEADING.sub("", found["name"], count=1) if _LEADING.match(found["name"]) else found["name"]
    name = name.strip(" -'’")
    year = found["year"] or f"20{found['short']}"
    enough = sum(char.isupper() for char in name) >= 3 and found["year"]
    if not name or not (enough or says_list(line)) or says_list(name) or is_furniture(f"{name} {year}"):
        return None
    usual = short_name(name)
    short = "" if " " in name else name if usual == name.upper() else usual
    return Venue(name=name, short=short, year=int(year))


def says_list(line: str) -> bool:
    """Tell whether a heading has a word for a list of papers."""
    return _LIST_WORD.search(line) is not None
