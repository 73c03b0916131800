"""Which words, pieces and phrases have a row in the encoder's table: by how often the training text holds them."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from octavo.index.tokens import INSIDE, SHARE, Tokens, folded, phrase_key

WORD = re.compile(r"[a-z0-9]+")
CANDIDATES = 40_000
FEWEST = 12
"""How often a phrase must stand together."""
COHESION = 2.0
"""And how much oftener than chance: the least pointwise mutual information, in nats."""
STOP = frozenset(
    re.findall(
        "[a-z]+",
        "a an the of in on for to and or with by from as at is are be was were it its this that these those we our us"
        " their they which can has have not but also than then such into both more most between",
    )
)


def count_words(texts: Iterable[str]) -> tuple[Counter[str], Counter[tuple[str, str]]]:
    """How often each word and each pair of neighbours without a stop word stands in the texts."""
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for text in texts:
        found = WORD.findall(folded(text))
        words.update(found)
        pairs.update((a, b) for a, b in pairwise(found) if a not in STOP and b not in STOP)
        if len(pairs) > 6_000_000:
            pairs = Counter({pair: count for pair, count in pairs.items() if count > 1})
    return words, pairs


def chosen_words(counts: Counter[str], n_words: int, n_pieces: int) -> list[str]:
    """The `n_words` commonest words, then `n_pieces` pieces that the other words are best cut into."""
    ranked = sorted(counts.items(), key=lambda one: (-one[1], one[0]))
    words = [word for word, _ in ranked[:n_words] if len(word) <= 24]
    known = set(words)
    rest = [(word, math.log1p(count)) for word, count in ranked[n_words:] if len(word) <= 24]
    single = [mark + chr(code) for mark in ("", INSIDE) for code in (*range(97, 123), *range(48, 58))]
    single = [one for one in single if one not in known]
    candidates: Counter[str] = Counter()
    for word, weight in rest:
        for at in range(1, len(word)):
            if at > 2:
                candidates[word[:at]] += weight * (at - 1)  # type: ignore[assignment]
            for end in range(at + 2, min(len(word), at + 8) + 1):
                candidates[INSIDE + word[at:end]] += weight * (end - at - 1)  # type: ignore[assignment]
    pool = [piece for piece, _ in candidates.most_common(CANDIDATES) if piece not in known]
    trial = [*words, *single, *pool]
    tokens, used = Tokens(trial, np.empty(0, np.int64)), Counter[str]()
    for word, weight in rest:
        for row in tokens.pieces(word):
            used[trial[row]] += weight  # type: ignore[assignment]
    taken = known | set(single)
    best = [piece for piece, _ in used.most_common() if piece not in taken][: n_pieces - len(single)]
    return [*words, *single, *best]


def chosen_phrases(
    words: Sequence[str], counts: Counter[str], pairs: Counter[tuple[str, str]], n_phrases: int
) -> NDArray[np.int64]:
    """The keys of the `n_phrases` pairs that say most beyond their words: count times mutual information."""
    rows = {word: row for row, word in enumerate(words) if not word.startswith((INSIDE, SHARE))}
    total = sum(counts.values())
    scored = []
    for (a, b), count in pairs.items():
        if count < FEWEST or a not in rows or b not in rows:
            continue
        cohesion = math.log(count * total / (counts[a] * counts[b]))
        if cohesion > COHESION and not (len(a) == 1 and len(b) == 1):
            scored.append((-math.sqrt(count) * cohesion, a, b))
    scored.sort()
    return np.sort(np.array([phrase_key(rows[a], rows[b]) for _, a, b in scored[:n_phrases]], np.int64))
