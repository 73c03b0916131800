"""The one analyser: what a word is, for the index, for queries and for the predicate, which thereby agree.

A text has two lists of words.

*Exact words*, in order, serve phrases, prefixes and exact ranking. A word is a run of letters and digits,
folded (`octavo.records.fold`).

>>> exact_words("Łukasz’s C++ tiler 2.0 didn't need 10,000 GPT-4o calls")
['lukaszs', 'c++', 'tiler', '2.0', 'didnt', 'need', '10,000', 'gpt', '4o', 'calls']

Signs belong to a word in `c++`, `c#`, `a*` (one letter), `pointnet++` and `.net`; a dot or a thousands comma
between digits stays, and so does an exponent (`1e-4`). An apostrophe inside a word vanishes. Everything else
parts words: `gpt-4o` is two. Chinese, Japanese and Korean runs give each pair of neighbouring characters; a
lone one gives itself.

>>> exact_words("量子計算 入門 と")
['量子', '子計', '計算', '入門', 'と']

*Stems*, in no order, serve plain words. Beside each word's English stem there are the forms in which others
write it: a compound also as one word, a word of several humps or of letters and digits also in parts, single
CJK characters beside the pairs.

>>> " ".join(stem_words("Non-invasive FlashTP"))
'non invas noninvas flashtp flash tp'

Who indexes needs `analyse` for texts and `name_tokens` for people; the tokens of both are parted at
blanks and nowhere else.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, pairwise

import Stemmer

from octavo.query.compounds import Compound, Part, find_compounds
from octavo.records.fold import fold

_COMMON = """
    a an and are as at be been but by can do does for from has have how if in into is it its not of on or our
    such that the their them then there these they this those to was we were what when where which while who
    why will with
"""
STOP_WORDS = frozenset(_COMMON.split())
"""Words too common to search for when a query has others."""


@dataclass(frozen=True, slots=True)
class Word:
    """What one unquoted word of a query means; `ast.WordNode` says when it matches.

    Words that mean the same are equal, however they were typed. Case matters only where it makes humps: `FlashTP` also
    means `flash tp`, which nobody can see in `flashtp`.
    """

    text: str = field(compare=False)
    """As it was typed, without the punctuation around it."""
    exact: tuple[str, ...]
    """Its exact words: several where it is a compound (`gpt-4o`) or longer than two characters of CJK."""
    alternatives: tuple[tuple[str, ...], ...]
    """At least one. One is enough to match; it takes all its stems."""
    phrases: tuple[tuple[str, ...], ...] = ()
    """Or one of these, exact words next to each other: `gpt-4o`, `gpt4o` also match `GPT 4o`, `FlashTP` `flash tp`."""


# ------------------------------------------------------------------------------------------------------ stems

_PIECE = re.compile(
    r"[0-9]+(?:\.[0-9]+)*"  # 3.5
    r"|v[0-9]+(?![0-9.])"  # YOLOv8
    r"|[A-Z]{2,}(?=s(?![a-z])|v[0-9])"  # LLMs, YOLOv8
    r"|[A-Z]+(?![a-z])"  # GPT, and the TPU of TPUNet
    r"|[A-Z]?[a-z]+"  # Flash
)
_LETTERS_AND_DIGITS = re.compile(r"([a-z]{2,}?)(v?[0-9][0-9a-z.]*)|([0-9.]+)([a-z]{2,})")
_ACRONYMS = re.compile(r"[b-df-hj-np-tv-xz]{2,}[b-df-hj-np-rtv-xz]s|[b-df-hj-np-tv-xz]pus")
"""`llms` and `gpus`, in which Snowball sees no plural."""
_LONGEST_JOINED = 30
_LONGEST_COMPOUND = 16
"""Words of a compound that are looked for side by side; five hundred `a-a-a` cost an index half a second."""

_snowball = Stemmer.Stemmer("english", 0)


def _stem(solid: str) -> str:
    """The form in which a folded word is looked up.

    Its English stem; a number without commas; a lone Greek letter by its name.
    """
    if solid.isascii():
        if not solid.isalpha():
            return solid.replace(",", "")
        stem = str(_snowball.stemWord(solid))
        return stem[:-1] if stem[-1] == "s" and _ACRONYMS.fullmatch(stem) else stem
    if len(solid) == 1 and (name := unicodedata.name(solid, "")).startswith("GREEK SMALL LETTER "):
        return name[19:].lower().replace("lamda", "lambda").replace("final ", "")
    return str(_snowball.stemWord(solid))


def _solid(part: Part) -> str:
    """A part as one folded word, without a possessive `'s`."""
    spelled = part.spelled
    if spelled[-2:] in ("'s", "'S"):
        spelled = spelled[:-2]
    return fold(spelled).replace("'", "")


def _as_one(solids: Sequence[str]) -> str:
    """The stem of several words written as one; `β-VAE` is then like `beta-VAE`."""
    return _stem("".join(solid if solid.isascii() or len(solid) > 1 else _stem(solid) for solid in solids))


def _joined_forms(solids: Sequence[str]) -> Iterator[str]:
    """What others write for a compound of these words: neighbours as one word, and three all together."""
    is_pair = len(solids) == 2
    for first, second in pairwise(solids):
        if len(first) + len(second) > _LONGEST_JOINED or (first.isdigit() and second.isdigit()):
            continue
        if is_pair or not (first in STOP_WORDS or second in STOP_WORDS):
            yield _as_one((first, second))
    if len(solids) == 3 and sum(map(len, solids)) <= _LONGEST_JOINED:
        yield _as_one(solids)


def _split_number(solid: str) -> tuple[str, str] | None:
    """`gpt4o` as `gpt` and `4o`, `80gb` as `80` and `gb`; None without digits or without two letters."""
    found = _LETTERS_AND_DIGITS.fullmatch(solid)
    return (found[1] or found[3], found[2] or found[4]) if found else None


def _pieces(spelled: str) -> Iterator[str]:
    """The pieces of `FlashTP`, `ResNet50` or `PointNet++` that others write as words of their own."""
    if len(spelled) < 3 or (spelled.isalpha() and (spelled[1:].islower() or spelled.isupper())):
        return
    if not spelled.isascii() or spelled[0] == ".":
        return
    if spelled.endswith("++") and len(spelled) > 3:
        yield spelled[:-2].lower()
    if split := _split_number(spelled.lower()):
        yield from split
    pieces = [piece for piece in _PIECE.findall(spelled) if len(piece) > 1 or piece.isdigit()]
    if any(piece[0].isalpha() for piece in pieces) and "e-" not in spelled and "E-" not in spelled:
        yield from (piece.lower() for piece in pieces)


def _stems_of(compound: Compound) -> Iterator[str]:
    """All forms under which a compound is found."""
    for part in compound.parts:
        if part.is_cjk:
            yield from part.exact
            if len(part.spelled) > 1:
                yield from part.spelled
        else:
            yield _stem(_solid(part))
            yield from part.exact if len(part.exact) > 1 else map(_stem, _pieces(part.spelled))
    if len(compound.parts) > 1:
        yield from _joined_forms([_solid(part) for part in compound.parts])


# ------------------------------------------------------------------------------------------------------ texts

_PLAIN_COMPOUND = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]{2,})+")
_EDGES = ",;:()[]{}\"'!?`"
_LONGEST_CACHED = 40
_MOST_CHUNKS = 200_000


class _Table(dict[str, str]):
    """What each blank-free piece of text gives of one kind; what is missing is worked out for both kinds at once."""

    def __init__(self, owner: _Chunks, which: int) -> None:
        super().__init__()
        self._owner = owner
        self._which = which

    def __missing__(self, chunk: str) -> str:
        return self._owner.both(chunk)[self._which]


class _Chunks:
    """Exact words and stems of each blank-free piece of text, joined by single blanks, in two tables.

    Two, so that a text is looked up by `map` alone, which is most of what indexing costs; bounded by forgetting all
    when full, since the common words are soon known again.
    """

    def __init__(self) -> None:
        self.exact = _Table(self, 0)
        self.stems = _Table(self, 1)

    def both(self, chunk: str) -> tuple[str, str]:
        """Work a piece out, and keep it."""
        exact, stems = self._work_out(chunk)
        if len(chunk) <= _LONGEST_CACHED:
            if len(self.exact) >= _MOST_CHUNKS:
                self.exact.clear()
                self.stems.clear()
            self.exact[chunk], self.stems[chunk] = exact, stems
        return exact, stems

    def _work_out(self, chunk: str) -> tuple[str, str]:
        core = chunk.rstrip("." + _EDGES).lstrip(_EDGES)
        if core != chunk and core:
            return self.exact[core], self.stems[core]
        if chunk.isalpha() and chunk.isascii():
            exact = chunk.lower()
            stems = " ".join(dict.fromkeys((_stem(exact), *map(_stem, _pieces(chunk)))))
        elif _PLAIN_COMPOUND.fullmatch(chunk):
            # The shape of most; the general way gives the same and takes four times as long.
            parts = chunk.split("-")
            exact = chunk.lower().replace("-", " ")
            stems = " ".join([*(self.stems[part] for part in parts), *_joined_forms(exact.split())])
        else:
            compounds = find_compounds(chunk)
            exact = " ".join(word for compound in compounds for word in compound.exact)
            stems = " ".join(dict.fromkeys(stem for compound in compounds for stem in _stems_of(compound)))
        if exact == chunk:
            exact = chunk  # one string in memory, not two
        return exact, exact if exact == stems else stems


_chunks = _Chunks()


def analyse(text: str) -> tuple[str, str]:
    """The exact words and the stems of a text, each joined by single blanks: what an index holds of it."""
    chunks = text.split()
    exact = " ".join(filter(None, map(_chunks.exact.__getitem__, chunks)))
    return exact, " ".join(filter(None, map(_chunks.stems.__getitem__, chunks)))


def exact_words(text: str) -> list[str]:
    """The folded words of a text, in order."""
    return analyse(text)[0].split()


def stem_words(text: str) -> list[str]:
    """The stems of a text and their other forms, repeats included."""
    return analyse(text)[1].split()


# ---------------------------------------------------------------------------------------------------- queries


_AROUND = re.compile(r"^[^\w.]+|[^\w+]+$")


def query_words(text: str) -> list[Word]:
    """What an unquoted text asks for, word by word.

    >>> [(word.exact, word.alternatives, word.phrases) for word in query_words("Non-invasive tilings")]
    [(('non', 'invasive'), (('noninvas',),), (('non', 'invasive'),)), (('tilings',), (('tile',),), ())]
    """
    words = []
    for chunk in text.split():
        compounds = find_compounds(chunk)
        for compound in compounds:
            is_alone = len(compounds) == 1 and not chunk.isascii()
            words.append(_query_word(compound, _AROUND.sub("", chunk) if is_alone else compound.spelled))
    return words


def _query_word(compound: Compound, text: str) -> Word:
    """What a compound means in a query.

    Its parts count only side by side: those of `in-context` or `end-to-end` are in many papers that have
    nothing to do with it. Of 30,000 papers, 263 have `in-context` in some spelling and 2,197 have both words
    somewhere; the other way round, hardly any paper that means it escapes the joined form and the phrase.
    """
    exact = compound.exact
    if compound.parts[0].is_cjk:
        return Word(text, exact, (tuple(dict.fromkeys(exact)),))
    if len(exact) > 1:
        phrase = exact[:_LONGEST_COMPOUND]
        return Word(text, exact, ((_as_one([_solid(part) for part in compound.parts]),),), (phrase,))
    solid = _solid(compound.parts[0])
    ways = (_split_number(solid), _humps(compound.parts[0].spelled))
    return Word(text, exact, ((_stem(solid),),), tuple(dict.fromkeys(way for way in ways if way)))


def _humps(spelled: str) -> tuple[str, ...] | None:
    """The humps of `FlashTP` as words, since others part them by a blank; None where one is a single letter."""
    if spelled.isupper() or spelled.islower() or not spelled.isascii():
        return None
    pieces = _PIECE.findall(spelled)
    is_whole = len(pieces) > 1 and "".join(pieces) == spelled and all(len(piece) > 1 for piece in pieces)
    return tuple(map(str.lower, pieces)) if is_whole else None


# ------------------------------------------------------------------------------------------------------ names

_MOST_PAIRED = 12
"""Words of a name that are paired with each other; a person's name has fewer, a collaboration's may not."""


def name_tokens(names: Iterable[str]) -> list[str]:
    """What an index holds of a paper's people, so that a plain AND of tokens stays within one person's name.

    Of each name: its exact words, their first letters, and every two of these from different words, in
    alphabetical order with `_` between them (of its first twelve words).

    >>> name_tokens(["Ada Example"])
    ['ada', 'a', 'example', 'e', 'ada_example', 'ada_e', 'a_example', 'a_e']
    """
    return [token for name in names for token in _tokens_of_name(name)]


def name_query_tokens(words: Iterable[str]) -> list[str]:
    """The tokens that must all be among `name_tokens` for a person's name to have the exact words `words`.

    A word of one letter stands for an initial. Names are looked at two words at a time, so three words that
    one name lacks may still be found where three people have two of them each.

    >>> name_query_tokens(exact_words("Example, A."))
    ['a_example']
    """
    distinct = list(dict.fromkeys(words))
    if len(distinct) < 2:
        return distinct
    pairs = [_pair(*two) for two in combinations(distinct[:_MOST_PAIRED], 2)]
    return pairs + distinct[_MOST_PAIRED:]


@lru_cache(maxsize=20_000)
def _tokens_of_name(name: str) -> tuple[str, ...]:
    words = exact_words(name)
    forms = [(word, word[0]) if len(word) > 1 else (word,) for word in dict.fromkeys(words)]
    tokens = [form for both in forms for form in both]
    few = forms[:_MOST_PAIRED]
    for at, first in enumerate(few):
        for second in few[at + 1 :]:
            for one in first:
                # `_pair`, written out: a paper has a dozen pairs to each of its names, and no name comes twice.
                tokens += [f"{one}_{other}" if one < other else f"{other}_{one}" for other in second]
    if len(forms) < len(words):
        # Wen Wen is Wen, W.
        tokens += [_pair(word, word[0]) for word in words if words.count(word) > 1]
    return tuple(dict.fromkeys(tokens))


def _pair(one: str, other: str) -> str:
    return f"{one}_{other}" if one < other else f"{other}_{one}"
