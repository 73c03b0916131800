"""Names that are known without a catalogue (venues, topics, terms), found by how a word in them begins.

All names of a kind are one text, a line each, in which a beginning is looked for as it stands: the few thousand names
take a tenth of a millisecond, and a fiftieth of a second to make ready.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from itertools import accumulate
from threading import RLock
from typing import TypeVar

from octavo.query.chinese import has_chinese, lexicon
from octavo.records.fold import fold
from octavo.records.venues import VenueSeries, venues

_PARTING = re.compile(r"[^\w\n]+|_+")
_CHINESE = re.compile(r"[\x00-\x7f\u4e00-\u9fff]+")
_TRACK = re.compile(r"[a-z]+: | \[.+\]$")


T = TypeVar("T")
_LOADING = RLock()


def _once(load: Callable[[], T]) -> Callable[[], T]:
    """Load a table once, however many threads ask for it at the same time: each would take the others' time."""
    loaded: list[T] = []

    @wraps(load)
    def table() -> T:
        if not loaded:
            with _LOADING:
                if not loaded:
                    loaded.append(load())
        return loaded[0]

    return table


@dataclass(frozen=True, slots=True)
class Named:
    """What a name stands for."""

    text: str
    """Its usual name, in the language that was typed."""
    detail: str
    """Another name of it: the long one, the one in the other language."""
    key: str
    """By which its table knows it."""


class Names:
    """Names of one kind, the more usual first."""

    def __init__(self, names: Iterable[tuple[str, Named]]) -> None:
        """`names` with what each stands for; a line end in one would part it."""
        pairs = [(name.replace("\n", " "), named) for name, named in names]
        self._named = [named for _, named in pairs]
        self._text = "\n" + "\n".join(f" {line.strip()}" for line in _plain("\n".join(n for n, _ in pairs)).split("\n"))
        self._starts = list(accumulate((len(line) + 1 for line in self._text[1:].split("\n")), initial=1))

    def find(self, typed: str, limit: int, *, within: bool = True) -> list[Named]:
        """What has a name that begins with `typed`, and then, where `within`, in which another word does."""
        wanted = _plain(typed).strip()
        if not wanted or not self._named:
            return []
        found: dict[str, Named] = {}
        # Chinese has no blanks: there a word may begin anywhere.
        starts = (f"\n {wanted}", wanted if has_chinese(wanted) else f" {wanted}")
        for start in starts if within else starts[:1]:
            at = self._text.find(start)
            while at >= 0 and len(found) < limit:
                named = self._named[bisect_right(self._starts, at + 1) - 1]
                found.setdefault(named.key, named)
                at = self._text.find(start, at + 1)
        return list(found.values())


def _plain(text: str) -> str:
    """Folded, with blanks for all signs. Chinese needs no folding but for width, which takes the most time."""
    is_plain = text.isascii() or _CHINESE.fullmatch(text)
    return _PARTING.sub(" ", text.lower() if is_plain else fold(text))


@_once
def venue_names() -> Names:
    """Venues by all their names, except preprint servers."""
    return Names(_venue_names())


def _venue_names() -> Iterator[tuple[str, Named]]:
    for series in venues():
        if series.kind != "preprint server":
            named = Named(series.short, series.name if series.name != series.short else "", series.key)
            for name in dict.fromkeys(_names_of(series)):
                yield name, named


def _names_of(series: VenueSeries) -> Iterator[str]:
    yield series.short
    yield series.name
    for alias in series.aliases:
        if not _TRACK.search(alias):
            yield alias
    yield from series.codes


@_once
def term_names() -> tuple[Names, Names]:
    """Terms of the field by their English names, and by their Chinese ones."""
    english: dict[str, Named] = {}
    chinese: list[tuple[str, Named]] = []
    for name, said in lexicon().english.items():
        if said[0].islower() and " " not in said[0]:
            continue  # a lone word completes nothing
        english.setdefault(said[0], Named(said[0], name, said[0]))
        chinese.append((name, Named(name, said[0], said[0])))
    in_order = sorted(english.items(), key=lambda pair: (len(pair[0]), pair[0]))
    return Names(in_order), Names(sorted(chinese, key=lambda pair: len(pair[0])))


@_once
def topic_names() -> Names:
    """Nodes of the tree of topics by their names in both languages and their other names."""
    from octavo.topics.tree import bundled_tree

    tree = bundled_tree()
    pairs: list[tuple[int, str, Named]] = []
    for node in tree:
        if node.same_as:
            continue
        in_english, in_chinese = tree.trail(node), tree.trail_zh(node)
        english = Named(in_english[-1], " · ".join(in_english[:-1]) or in_chinese[-1], node.slug)
        chinese = Named(in_chinese[-1], in_english[-1], node.slug)
        pairs += [(len(in_english), node.name, english), (len(in_english), node.name_zh, chinese)]
        for name in node.aliases:
            usual = chinese if has_chinese(name) else english
            pairs.append((len(in_english), name, Named(usual.text, name, node.slug)))
    pairs.sort(key=lambda one: (one[0], len(one[1]), one[1]))
    return Names((name, named) for _, name, named in pairs)
