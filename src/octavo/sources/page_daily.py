"""The entries of a daily arXiv reader's page.

An entry is a few lines in a fixed order: section (with `· Cross-listed from stat.ML`), title, authors, the
abstract on as many lines as its linked glossary words make of it, `Read the full abstract`, and `All authors
...` where the list above was shortened. Blank lines say nothing here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from octavo.sources.page_furniture import is_furniture
from octavo.sources.page_lines import (
    Entry,
    Line,
    abstract_of,
    cut_more,
    ends_sentence,
    is_complete,
    is_prose,
    join,
    names_in,
)
from octavo.sources.page_sections import CATEGORY, categories_of, find_section

_FOLD = re.compile(
    r"(?:(?:read|show|view|see|expand|open|hide|collapse|fold) (?:the )?(?:full |entire |whole )?abstract"
    r"|(?:read|show) (?:more|less))\W*",
    re.IGNORECASE,
)
_SURE_FOLD = re.compile(r"read the full abstract\W*", re.IGNORECASE)
_CODE_BEHIND = re.compile(rf" ?\((?:{CATEGORY.pattern})\)$")
_ALL_AUTHORS = re.compile(r"all (?:\d+ )?authors\b\W*(.*)", re.IGNORECASE)
_CROSS = re.compile(r"\(?cross[- ]?list(?:ed|ing)?(?: from| in)?:? *(.+)", re.IGNORECASE)
_PARTS = re.compile(r" [·•・|›»–—-] |,? (?=\(?cross[- ]?list)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Head:
    """Where an entry begins, what stands above its abstract, and where that begins."""

    start: int
    end: int
    title: str = ""
    authors: str = ""
    section: str = ""
    cross: tuple[str, ...] = ()


def daily_entries(lines: Sequence[Line]) -> list[Entry]:
    """The entries of a daily page; none where it is no such page."""
    texts = [line.text for line in lines]
    heads = _heads(texts)
    folds = [position for position, text in enumerate(texts) if _FOLD.fullmatch(text)]
    if not heads and not has_folds(lines):
        return []
    heads = _with_unknown_sections(texts, heads, folds)
    if not heads:
        return []
    ends = [head.start for head in heads[1:]] + [len(texts)]
    entries = [
        _entry(head, texts[head.end : end], lines[head.start].number) for head, end in zip(heads, ends, strict=True)
    ]
    return [entry for entry in entries if entry.title or entry.abstract]


def has_folds(lines: Sequence[Line]) -> bool:
    """Whether the link that unfolds an abstract is on the page, which other kinds do not have."""
    return any(_SURE_FOLD.fullmatch(line.text) for line in lines)


def _entry(head: _Head, below: list[str], number: int) -> Entry:
    """The entry of that head; `below` is all between it and the next one."""
    end = next(
        (n for n, text in enumerate(below) if _FOLD.fullmatch(text) or _ALL_AUTHORS.fullmatch(text)),
        len(below),
    )
    abstract = abstract_of(below[:end])
    section = _CODE_BEHIND.sub("", head.section)
    primary = head.cross[0] if head.cross else ""
    return Entry(
        line=number,
        abstract=abstract if head.title or _is_one(abstract) else "",
        title=head.title,
        authors=_all_authors(below[end:]) or head.authors,
        topics=(section,) if section and not CATEGORY.fullmatch(section) else (),
        categories=tuple(dict.fromkeys(categories_of(head.section, primary) + head.cross)),
    )


_LONGEST = 700
"""Words of an abstract that has no title above it; more is another page's, as a whole."""


def _is_one(abstract: str) -> bool:
    return is_prose(abstract) and len(abstract.split()) <= _LONGEST


def _all_authors(lines: Sequence[str]) -> str:
    """The full list below an abstract, which may go on over more lines; empty where there is none."""
    for position, text in enumerate(lines):
        if found := _ALL_AUTHORS.fullmatch(text):
            parts = [found[1]] if found[1] else []
            for more in lines[position + 1 :]:
                if (parts and not parts[-1].endswith(",")) or is_furniture(more) or not names_in(more.rstrip(",")):
                    break
                parts.append(more)
            return join(parts)
    return ""


# Heads

_FREE, _CLOSED, _ENDED, _OPEN = "free", "closed", "ended", "open"
"""What is above a line: no entry yet; an entry's end; the end of a sentence; the middle of one."""


def _heads(texts: Sequence[str]) -> list[_Head]:
    """The heads whose section is known, by its name or by the category that a paper is cross-listed from."""
    heads: list[_Head] = []
    position = 0
    above = _FREE
    while position < len(texts):
        text = texts[position]
        if head := _head_at(texts, position, above):
            heads.append(head)
            position, above = head.end, _OPEN
            continue
        position += 1
        if not heads:
            continue
        if _FOLD.fullmatch(text) or _ALL_AUTHORS.fullmatch(text):
            above = _CLOSED
        elif above != _CLOSED or is_prose(text):
            above = _ENDED if is_complete(text) or is_furniture(text) else _OPEN
    return heads


def _head_at(texts: Sequence[str], start: int, above: str) -> _Head | None:
    """The head that begins with a section's name at `start`."""
    section, cross = _section_of(texts[start])
    if not section and not cross:
        return None
    position = start + 1
    while position < len(texts) and (is_furniture(texts[position]) or _CROSS.fullmatch(texts[position])):
        cross = cross or _section_of(texts[position])[1]
        position += 1
    found = _title_and_authors(texts, position, sure=above == _CLOSED or bool(cross))
    if not found:
        return None
    title, authors, end = found
    if find_section(authors) or _FOLD.fullmatch(title):
        return None
    if names_in(title) == 2 and not names_in(authors):
        return None  # A topic, its authors and an abstract.
    plain = cross or names_in(authors) == 2 or _is_plain(title, authors, texts[end : end + 1])
    if above in (_FREE, _CLOSED) or cut_more(authors)[1] or (above == _ENDED and plain):
        return _Head(start, end, title, authors, section, cross)
    return None


def _is_plain(title: str, author: str, below: Sequence[str]) -> bool:
    """A capital at every start, where an abstract that a glossary word broke would go on in small letters."""
    begins = bool(below) and below[0][:1].isupper()
    return begins and title[:1].isupper() and len(title.split()) > 2 and " " in author and author.istitle()


def _section_of(text: str) -> tuple[str, tuple[str, ...]]:
    """The section that a line names, and the categories of its cross-listing; nothing where it names none."""
    if len(text) > 120:
        return "", ()
    section, cross = "", ()
    known = True
    for part in _PARTS.split(text):
        if found := _CROSS.fullmatch(part):
            cross = tuple(CATEGORY.findall(found[1]))
        elif not section:
            section = part
        else:
            known = known and (CATEGORY.fullmatch(part) is not None or is_furniture(part))
    if not cross and not (known and find_section(section)):
        return "", ()
    return section, cross


def _title_and_authors(texts: Sequence[str], position: int, *, sure: bool) -> tuple[str, str, int] | None:
    """The title from `position` on, the authors after it, and where the abstract begins.

    `sure`: an entry begins here, so that what stands in the place of authors is authors.
    """
    rest = [n for n in range(position, min(position + 8, len(texts))) if not is_furniture(texts[n])]
    if len(rest) < 3 or _section_of(texts[rest[0]]) != ("", ()):
        return None
    first, second, third = (texts[n] for n in rest[:3])
    likely = names_in(second)
    if likely == 1 and names_in(third) == 2:
        # Two words that may be a name, above a sure list: the end of a title, unless the abstract has begun.
        likely = not (_broken(first) or (len(rest) > 3 and texts[rest[3]][:1].isupper()))
    if likely:
        return first, second, rest[1] + 1
    if names_in(third) == 2 and len(second.split()) < 16 and len(rest) > 3:
        # Either a title on two lines, or a label above it.
        title = join([first, second]) if len(first) > 40 or _broken(first) or second[:1].islower() else second
        return title, third, rest[2] + 1
    if len(second) < 80 and not ends_sentence(second) and (sure or (second[:1].isupper() and is_prose(third))):
        return first, second, rest[1] + 1
    return None


def _broken(text: str) -> bool:
    return text.endswith((":", "-", ",", "–", "—"))


def _with_unknown_sections(texts: Sequence[str], heads: list[_Head], folds: Sequence[int]) -> list[_Head]:
    """The heads, with one for each folded abstract that has none yet, because its section is not known."""
    found = list(heads)
    starts = [head.start for head in heads]
    start = 0
    for fold in folds:
        headed = bisect_left(starts, start) < bisect_left(starts, fold)
        if not headed and (head := _unknown_head(texts, start, fold)):
            found.append(head)
        start = fold + 1
    return sorted(found, key=lambda head: head.start)


def _unknown_head(texts: Sequence[str], start: int, end: int) -> _Head | None:
    """The head of the entry between `start` and `end`, by its authors: title above, section above that."""
    while start < end and (_ALL_AUTHORS.fullmatch(texts[start]) or is_furniture(texts[start])):
        start += 1
    prose = next((n for n in range(start, end) if is_prose(texts[n]) and not names_in(texts[n])), end)
    names = [n for n in range(start + 1, min(prose, end - 1) + 1) if names_in(texts[n]) and not is_furniture(texts[n])]
    lists = [n for n in names if names_in(texts[n]) == 2]
    if not names:
        return _Head(start, start) if start < end else None
    authors = (lists or names)[-1]
    above = [n for n in range(start, authors) if not is_furniture(texts[n])]
    if not above:
        return None
    title = above[-1]
    section = texts[above[-2]] if len(above) > 1 and len(texts[above[-2]].split()) < 7 else ""
    return _Head(above[-2] if section else title, authors + 1, texts[title], texts[authors], section)
