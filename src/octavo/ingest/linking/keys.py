"""Keys: which records are worth comparing at all.

Two records are compared where they share a key. Every key is a function of one record alone, so a catalogue can store
them, and a new record finds its candidates by looking its own up. A record has about a dozen:

    identifier   each of its identifiers
    title        the letters of its title
    words        the rarest pair of neighbouring words of its title
    name         its first author's family name with each of the two most telling words of its title
    team         all its family names, of two authors or more
    abstract     the four smallest hashes of its abstract's sketch, each with the first and with the last author's
                 family name (min-wise hashing: two abstracts with half of their runs of words in common share one of
                 the four with a probability of about 0.9)

Left out, on purpose: titles that are generic ("Editorial") make no key but an identifier's, and a key that more than
`MOST_HOLDERS` records have makes no pairs (`Candidates.dropped` counts them). So the joins are lost of records that
share nothing rarer. Over 330,000 records all this makes three candidates a record; three word pairs, three words and
plain hashes of abstracts made ten, and found 1 join in 1,000 more.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import combinations, pairwise
from zlib import crc32

from octavo.ingest.linking.features import Features
from octavo.ingest.linking.rarity import tells, weight_of
from octavo.ingest.linking.titles import Title

MOST_HOLDERS = 20
"""Records that may share a key; one that more have tells nothing."""
KEY_BITS = 43
"""A key is a number below 2 ** KEY_BITS; two texts get the same by chance once in some millions of keys."""
_NAME_WORDS = 2
_ABSTRACT_KEYS = 4
_DULL = 0.1
_SPREAD = 0x9E3779B97F4A7C15
_ALL_BITS = (1 << 64) - 1
_SHORTEST_TITLE = 4
"""Letters of a title below which it is no key."""


def keys_of(features: Features) -> tuple[int, ...]:
    """The keys of a record, each once, in ascending order."""
    keys = {_key("i", name) for name in features.identifiers}
    title = features.title
    if not title.is_generic:
        if len(title.key) >= _SHORTEST_TITLE:
            keys.add(_key("t", title.key))
        if pair := _rarest_pair(title):
            keys.add(_key("w", pair))
        if features.people:
            first = features.people[0].family
            keys |= {_key("a", f"{first} {word}") for word in telling_words(title)}
        if len(features.people) > 1:
            keys.add(_key("n", " ".join(sorted({person.family for person in features.people}))))
            keys.update(_abstract_keys(features))
    return tuple(sorted(keys))


def _key(kind: str, text: str) -> int:
    digest = blake2b(f"{kind}{text}".encode(errors="surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) >> (64 - KEY_BITS)


def telling_words(title: Title) -> list[str]:
    """A title's most telling words, the rarest first and the first among equals."""
    words = [word for word in dict.fromkeys(title.words) if tells(word)]
    if len(words) < _NAME_WORDS:
        words = [word for word in dict.fromkeys(title.words) if len(word) > 1]
    return sorted(words, key=lambda word: -weight_of(word))[:_NAME_WORDS]


def _rarest_pair(title: Title) -> str:
    """Two neighbouring words of a title, dull ones left out; of equally rare pairs any, but always the same."""
    words = [word for word in title.words if weight_of(word) > _DULL]
    return max(
        map(" ".join, pairwise(words)),
        key=lambda pair: (_rarity(pair), crc32(pair.encode(errors="surrogatepass"))),
        default="",
    )


def _rarity(pair: str) -> float:
    """How much a pair of words tells, in steps, so that hashing chooses among the rare ones."""
    one, _, other = pair.partition(" ")
    return round(weight_of(one) + weight_of(other), 1)


def _abstract_keys(features: Features) -> Iterator[int]:
    """The keys of an abstract whose paper has authors."""
    for family in {features.people[0].family, features.people[-1].family}:
        named = crc32(family.encode(errors="surrogatepass")) << 32
        for value in features.sketch[:_ABSTRACT_KEYS]:
            yield ((named | value) * _SPREAD & _ALL_BITS) >> (64 - KEY_BITS)


@dataclass(slots=True)
class Candidates:
    """The pairs of a set of records that share a key."""

    pairs: Sequence[int]
    """Each pair once, as `first * n + second`, first < second, in ascending order."""
    n: int
    dropped: int = 0
    """Keys that made no pairs because too many records have them."""
    most: int = 0
    """The most records that have one of those."""

    def __iter__(self) -> Iterator[tuple[int, int]]:
        """The pairs of places."""
        for pair in self.pairs:
            yield divmod(pair, self.n)


_PARTS = 16


def candidates(keys: Sequence[Sequence[int]]) -> Candidates:
    """All pairs of places in `keys` that share a key.

    The keys are sorted part by part, so that memory stays within some bytes a key.
    """
    n = len(keys)
    parts = [array("Q") for _ in range(_PARTS)]
    for place, some in enumerate(keys):
        for key in some:
            parts[key % _PARTS].append(key << 21 | place)
    found: set[int] = set()
    dropped = most = 0
    while parts:
        for places in _runs(sorted(parts.pop())):
            if len(places) > MOST_HOLDERS:
                dropped += 1
                most = max(most, len(places))
            else:
                found.update(one * n + other for one, other in combinations(places, 2))
    return Candidates(array("Q", sorted(found)), n, dropped, most)


def _runs(entries: list[int]) -> Iterator[list[int]]:
    """The places of each key that two records or more have, in ascending order."""
    places: list[int] = []
    current = -1
    for entry in entries:
        key = entry >> 21
        if key != current:
            if len(places) > 1:
                yield places
            current, places = key, []
        places.append(entry & 0x1FFFFF)
    if len(places) > 1:
        yield places
