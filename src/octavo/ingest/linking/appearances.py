"""Where a record says that its paper appeared, and how two appearances stand to each other.

A work may appear several times: as a preprint, at a conference, in a journal. Two records of one *work* need not be
records of one *publication*. And nobody publishes one work twice in one series: the same title in two years of one
magazine is a column that recurs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from octavo.records.fold import fold

_WORD = re.compile(r"[^\W_]+")
_DULL = frozenset({
    "proceedings", "proc", "of", "the", "on", "in", "for", "and", "a", "annual", "international", "national",
    "conference", "conf", "meeting", "symposium", "workshop", "workshops", "th", "st", "nd", "rd", "first",
    "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "volume", "vol",
    "part", "main", "track", "papers", "long", "short", "acm", "ieee", "aaai", "usenix", "springer", "pmlr",
    "journal", "j", "transactions", "trans", "record", "sigmod2", "lecture", "notes", "de", "la", "des", "et",
    "al",
})  # fmt: skip
"""Words that venues of all kinds share."""
_SMALL = frozenset({"of", "on", "the", "and", "in", "for", "a"})
_KINDS = tuple(
    (kind, re.compile(pattern))
    for kind, pattern in (
        ("preprint", r"\barxiv|\bcorr\b|preprint|biorxiv|medrxiv|\bssrn\b"),
        ("workshop", r"\bworkshops?\b"),
        (
            "journal",
            (
                r"\bjournal\b|\btransactions?\b|\btrans\b|\bj\b|\bletters\b|\bmagazine\b|\bsurveys?\b"
                r"|\bj[mai]lr\b|\btmlr\b|\bdmlr\b|\btacl\b|\bjair\b|\btpami\b|\bijcv\b"
            ),
        ),
        ("magazine", r"\brecord\b|\bbulletin\b|\bnewsletter\b|\bcommunications\b|\bexplorations\b"),
        ("conference", r"\bconference|\bconf\b|\bproceedings?\b|\bproc\b|\bsymposium|\bmeeting\b"),
    )
)
"""What a folded name says of the kind of a venue; the first that fits."""
_PAGES = re.compile(r"^\D*?(\d+)(?:\s*[-–—]+\s*\D*?(\d+))?")


@dataclass(frozen=True, slots=True)
class Appearance:
    """One appearance of a paper."""

    series: str = ""
    """The venue's name, folded; its short name where there is one. Empty where unknown."""
    year: int = 0
    """0 where unknown."""
    kind: str = ""
    """`preprint`, `journal`, `magazine`, `workshop`, `conference`, or empty where the name does not tell."""
    edition: str = ""
    """Names the edition together with the list that says so; set only for records of an edition's own list."""
    first_page: int = 0
    last_page: int = 0

    @property
    def is_preprint(self) -> bool:
        """It has appeared nowhere but in an archive, as far as the record says."""
        return self.kind == "preprint"


NOWHERE = Appearance()
"""Of a record that names no venue."""


@lru_cache(maxsize=8192)
def series_of(name: str) -> tuple[str, str]:
    """A venue's name folded, and its kind as far as the name tells."""
    folded = " ".join(_WORD.findall(fold(name)))
    return folded, next((kind for kind, pattern in _KINDS if pattern.search(folded)), "")


def pages_of(pages: str) -> tuple[int, int]:
    """First and last page, 0 where not given; `3725--68` ends at 3768.

    >>> pages_of("3725-68"), pages_of("e12"), pages_of("")
    ((3725, 3768), (12, 0), (0, 0))
    """
    found = _PAGES.match(pages)
    if not found:
        return 0, 0
    first, last = found[1][:9], (found[2] or "")[:9]
    if last and len(last) < len(first):
        last = first[: len(first) - len(last)] + last
    return int(first), int(last or 0)


@lru_cache(maxsize=1 << 15)
def same_series(one: str, other: str) -> bool | None:
    """Whether two venues' folded names mean one series; None where that can't be told.

    >>> same_series("vldb", "very large data bases"), same_series("vldb", "sigmod conference")
    (True, None)
    """
    if not one or not other:
        return None
    if one == other:
        return True
    kind, other_kind = series_of(one)[1], series_of(other)[1]
    if kind and other_kind and kind != other_kind:
        return False
    # `vldb` is like `vldb journal`, so a name that says its kind is told from one that does not.
    return True if kind == other_kind and named_alike(one, other) else _acronym_of_unkind(one, other, kind, other_kind)


def _acronym_of_unkind(one: str, other: str, kind: str, other_kind: str) -> bool | None:
    """Whether one is the acronym of the other, where at most one of them says its kind."""
    words, others = _telling_words(one), _telling_words(other)
    is_acronym = _is_acronym(words, other) or _is_acronym(others, one)
    return True if is_acronym and not (kind and other_kind) else None


@lru_cache(maxsize=1 << 15)
def named_alike(one: str, other: str) -> bool:
    """Whether two folded names of venues have the same telling words, or one is the other's acronym, whatever the kind.

    >>> named_alike("acm trans database syst", "acm transactions on database systems tods")
    True
    """
    words, others = _telling_words(one), _telling_words(other)
    if words and others and (_within(words, others) or _within(others, words)):
        return True
    return _is_acronym(words, other) or _is_acronym(others, one)


def is_dull(word: str) -> bool:
    """Whether a word is one that venues of all kinds share."""
    return word in _DULL or word.isdecimal()


def _telling_words(name: str) -> tuple[str, ...]:
    return tuple(word for word in name.split() if word not in _DULL and not word.isdecimal())


def _within(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether each word is one of the others, or short for it: `syst` for `systems`."""
    return all(any(_short_for(word, other) for other in others) for word in words)


def _short_for(word: str, other: str) -> bool:
    return word == other or (len(word) >= 3 and len(other) >= 3 and (other.startswith(word) or word.startswith(other)))


def _is_acronym(words: tuple[str, ...], name: str) -> bool:
    """Whether a word is made of the first letters of a name's words, or of the first or last of them: `sigmod` of
    `conference on management of data`, where `sig` is the society's."""
    spoken = name.split()
    made = (
        "".join(word[0] for word in spoken),
        "".join(word[0] for word in spoken if word not in _SMALL),
        "".join(word[0] for word in _telling_words(name)),
    )
    return any(
        len(letters) >= 3 and any(one.startswith(letters) or one.endswith(letters) for one in made)
        for word in words
        for letters in (word, word.removeprefix("sig"))
    )
