"""Short texts (titles, names) in a form in which what begins so is found at once, however short it is.

Texts are kept as folded words, the weightiest text first, so that a number says how much a text weighs: of two texts
the one with the lower number is the better. A vocabulary in the order of its bytes leads from each word to the
numbers of its texts; what begins with some letters is one stretch of the vocabulary and, since the lists of numbers
stand in its order, one stretch of numbers. For beginnings with very many texts the best numbers are kept ready.

All of it is flat arrays in one buffer, mapped from a file and shared by all threads and processes; nothing is read
that is not asked for.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from math import log1p

from octavo.index.slips import cost
from octavo.records.fold import fold

HEAVY = 4_000
"""Numbers under one beginning from which the best of them are kept ready."""
KEPT = 500
"""How many of them."""
MOST_TRIED = 6_000
"""Texts that are looked at before a search for several words gives up."""
_LONGEST_HEAVY = 12
_SLIP = 8.0
"""What a slip weighs against the logarithm of how frequent the word is."""
_ASCII_WORDS = re.compile(r"[a-z0-9]+")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff"
_WORDS = re.compile(f"[{_CJK}]|[^\\W_{_CJK}]+")
_LAST = b"\xff"
_LETTERS = tuple(bytes((code,)) for code in range(ord("a"), ord("z") + 1))

Arrays = Mapping[str, memoryview]


def folded_words(text: str) -> list[str]:
    """The words of a text as they are kept and asked for; each character of CJK is one.

    >>> folded_words("Łukasz Ann-Bee’s 强化")
    ['lukasz', 'ann', 'bee', 's', '强', '化']
    """
    folded = fold(text)
    return _ASCII_WORDS.findall(folded) if folded.isascii() else _WORDS.findall(folded)


def pack_phrases(texts: Sequence[str]) -> dict[str, bytes]:
    """The arrays of `Phrases` for texts of folded words joined by blanks, the weightiest first."""
    numbers: dict[str, array[int]] = {}
    for number, text in enumerate(texts):
        for word in set(text.split()):
            found = numbers.get(word)
            if found is None:
                numbers[word] = array("I", (number,))
            else:
                found.append(number)
    vocabulary = sorted((word.encode(), word) for word in numbers)
    posts, post_starts = array("I"), array("I", (0,))
    for _, word in vocabulary:
        posts += numbers[word]
        post_starts.append(len(posts))
    words = [word for word, _ in vocabulary]
    kept = [b" " + text.encode() for text in texts]
    return {
        **pack_strings("texts", kept),
        **pack_strings("words", words),
        "order": array("I", sorted(range(len(kept)), key=kept.__getitem__)).tobytes(),
        "posts": posts.tobytes(),
        "post_starts": post_starts.tobytes(),
        **_heavy(words, posts, post_starts),
    }


def _heavy(words: Sequence[bytes], posts: array[int], starts: array[int]) -> dict[str, bytes]:
    """The best numbers of each beginning that has very many."""
    found: dict[bytes, list[int]] = {}
    waiting = [(0, 0, len(words))]
    while waiting:
        length, low, high = waiting.pop()
        if starts[high] - starts[low] <= HEAVY or length > _LONGEST_HEAVY:
            continue
        if length:
            found[words[high - 1][:length]] = nsmallest(KEPT, set(posts[starts[low] : starts[high]]))
        first = low
        while first < high:
            letter = words[first][: length + 1]
            after = bisect_left(words, letter + _LAST, first, high)
            after = max(after, first + 1)
            if len(letter) == length + 1:
                waiting.append((length + 1, first, after))
            first = after
    beginnings = sorted(found)
    best, ends = array("I"), array("I", (0,))
    for beginning in beginnings:
        best.extend(found[beginning])
        ends.append(len(best))
    return {**pack_strings("heavy", beginnings), "best": best.tobytes(), "best_starts": ends.tobytes()}


def pack_strings(name: str, values: Iterable[bytes]) -> dict[str, bytes]:
    """The arrays of `Strings` under a name."""
    starts, blob = array("I", (0,)), bytearray()
    for value in values:
        blob += value
        starts.append(len(blob))
    return {name: bytes(blob), f"{name}_starts": starts.tobytes()}


class Strings(Sequence[bytes]):
    """Many byte strings in one blob."""

    def __init__(self, arrays: Arrays, name: str) -> None:
        """Those that `arrays` hold under a name."""
        self._blob = arrays[name]
        self._starts = arrays[f"{name}_starts"].cast("I")

    def __len__(self) -> int:
        """How many there are."""
        return len(self._starts) - 1

    def __getitem__(self, number: int) -> bytes:  # type: ignore[override]  # no slices are asked for
        """One of them."""
        if number >= len(self._starts) - 1:
            raise IndexError(number)
        return bytes(self._blob[self._starts[number] : self._starts[number + 1]])


class Phrases:
    """Texts that were packed by `pack_phrases`."""

    def __init__(self, arrays: Arrays) -> None:
        """Look at packed arrays, which stay where they are."""
        self.texts = Strings(arrays, "texts")
        """Each with a blank before every word."""
        self.words = Strings(arrays, "words")
        self._order = arrays["order"].cast("I")
        self._posts = arrays["posts"].cast("I")
        self._post_starts = arrays["post_starts"].cast("I")
        heavy = Strings(arrays, "heavy")
        self._heavy = {heavy[number]: number for number in range(len(heavy))}
        self._best = arrays["best"].cast("I")
        self._best_starts = arrays["best_starts"].cast("I")

    def find(self, words: Sequence[str], limit: int, *, is_open: bool = True) -> list[int]:
        """The best texts that have all of these words, in any order and as beginnings of words: the numbers of at
        most `limit` that begin with them, and of as many others.

        The last word, where it is `is_open`, and each that no text has as a whole stand for all that begins so.
        """
        asked = [word.encode() for word in words]
        if not asked:
            return []
        found = dict.fromkeys(self._beginning(asked, limit, is_open=is_open))
        if len(asked) == 1:
            if is_open:
                found |= dict.fromkeys(self._numbers(asked[0], is_open=False)[:limit])
            others = dict.fromkeys(self._numbers(asked[0], is_open=is_open, most=limit))
            return list(found | dict.fromkeys(islice(others, limit)))
        return list(found | dict.fromkeys(self._having(asked, limit, is_open=is_open)))

    def count(self, word: str, *, is_open: bool) -> int:
        """How often a word, or what begins so, stands in a text."""
        low, high = self._stretch(word.encode(), is_open=is_open)
        return int(self._post_starts[high] - self._post_starts[low])

    def near(self, word: str, *, is_open: bool, limit: int = 3) -> list[str]:
        """Words, or beginnings of such, that are one typing error from `word` (a letter missing, too many, another,
        or two in the wrong order; the first letter is right), the likeliest slips of frequent ones first."""
        asked, found = word.encode(), dict[bytes, int]()
        if not word.isascii():
            return []
        for place in range(1, len(asked) + (not is_open)):
            low, high = self._stretch(asked[:place], is_open=True)
            if low == high:
                break
            for variant in _variants(asked, place):
                if variant not in found:
                    first, last = self._stretch(variant, is_open=is_open, low=low, high=high)
                    found[variant] = int(self._post_starts[last] - self._post_starts[first])
        found.pop(asked, None)
        weighed = [
            (cost(word, one.decode()) * _SLIP - log1p(n), -len(one), one.decode()) for one, n in found.items() if n
        ]
        return [variant for _, _, variant in sorted(weighed)[:limit]]

    def _stretch(self, word: bytes, *, is_open: bool, low: int = 0, high: int | None = None) -> tuple[int, int]:
        """Where in the vocabulary a word stands, or what begins so."""
        high = len(self.words) if high is None else high
        first = bisect_left(self.words, word, low, high)
        if is_open:
            return first, bisect_left(self.words, word + _LAST, first, high)
        return first, first + (first < high and self.words[first] == word)

    def _numbers(self, word: bytes, *, is_open: bool, most: int | None = None) -> Sequence[int]:
        """The numbers of the texts with a word, the best first; of a heavy beginning the best only."""
        if is_open and (kept := self._heavy.get(word)) is not None:
            return self._best[self._best_starts[kept] : self._best_starts[kept + 1]]
        low, high = self._stretch(word, is_open=is_open)
        numbers = self._posts[self._post_starts[low] : self._post_starts[high]]
        if high - low < 2:
            return numbers
        # A text has rarely more than a few words that begin so; it stands here once for each.
        return nsmallest(most * 4, numbers) if most else sorted(set(numbers))

    def _beginning(self, words: Sequence[bytes], limit: int, *, is_open: bool) -> list[int]:
        """The best texts that begin with these words."""
        start = b" " + b" ".join(words)
        first, last = self._ordered(start + (b"" if is_open else b" ")), self._ordered(start + _LAST)
        if not is_open:
            last = self._ordered(start + b" " + _LAST)
            whole = self._ordered(start)
            if whole < len(self._order) and self.texts[self._order[whole]] == start:
                return [self._order[whole], *nsmallest(limit, self._order[first:last])]
        if last - first > HEAVY * 10 and (kept := self._heavy.get(words[0])) is not None:
            best = self._best[self._best_starts[kept] : self._best_starts[kept + 1]]
            return [number for number in best if self.texts[number].startswith(start)][:limit]
        return nsmallest(limit, self._order[first:last])

    def _ordered(self, start: bytes) -> int:
        return bisect_left(self._order, start, key=self.texts.__getitem__)

    def _having(self, words: Sequence[bytes], limit: int, *, is_open: bool) -> Iterator[int]:
        """The best texts with all of the words, looked for among those of the rarest."""
        ways = []
        for place, word in enumerate(words):
            is_last = is_open and place == len(words) - 1
            n = self.count(word.decode(), is_open=is_last)
            if not n and not is_last:
                is_last, n = True, self.count(word.decode(), is_open=True)
            ways.append((n, is_last, word))
        n, is_beginning, rarest = min(ways)
        if not n:
            return
        others = [b" " + word for word in words if word is not rarest]
        texts = self.texts
        for number in self._numbers(rarest, is_open=is_beginning)[:MOST_TRIED]:
            text = texts[number]
            for other in others:
                if other not in text:
                    break
            else:
                yield number
                limit -= 1
                if not limit:
                    return


def _variants(word: bytes, place: int) -> Iterator[bytes]:
    """What a word may have been meant to be, if what is at that place is wrong."""
    before, after = word[:place], word[place + 1 :]
    yield before + after
    if after:
        yield before + after[:1] + word[place : place + 1] + after[1:]
    for letter in _LETTERS:
        yield before + letter + after
        yield before + letter + word[place:]
