"""The forms that an English term takes in a text: spellings of both sides of the ocean, plurals, hyphens. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

_AMERICAN = (
    ("ization", "isation"), ("izing", "ising"), ("izer", "iser"), ("ized", "ised"), ("ize", "ise"), ("yze", "yse"),
    ("yzing", "ysing"), ("yzed", "ysed"), ("yzer", "yser"),
    ("modeling", "modelling"), ("labeling", "labelling"), ("labeled", "labelled"), ("signaling", "signalling"),
    ("behavior", "behaviour"), ("neighbor", "neighbour"), ("color", "colour"), ("defense", "defence"),
    ("center", "centre"), ("fulfill", "fulfil"), ("artifact", "artefact"), ("favor", "favour"), ("humor", "humour"),
    ("traveling", "travelling"), ("fiber", "fibre"), ("gray", "grey"),
)  # fmt: skip
_IZE = ("izing", "izer", "ized", "ize")
_ROOT = re.compile(r"siz|priz|seiz")
"""Words in which `iz` is the root's."""
_IRREGULAR = {
    "matrix": "matrices", "vertex": "vertices", "index": "indices", "hypothesis": "hypotheses", "analysis": "analyses",
    "basis": "bases", "synthesis": "syntheses", "corpus": "corpora", "sheaf": "sheaves", "equilibrium": "equilibria",
    "optimum": "optima", "minimum": "minima", "maximum": "maxima", "criterion": "criteria", "spectrum": "spectra",
    "automaton": "automata", "simplex": "simplices", "complex": "complexes", "leaf": "leaves", "bias": "biases",
    "datum": "data", "prior": "priors", "calculus": "calculi", "phenomenon": "phenomena", "stimulus": "stimuli",
    "parenthesis": "parentheses", "child": "children", "tower": "towers", "diagnosis": "diagnoses", "axis": "axes",
    "norm": "norms", "radius": "radii", "locus": "loci", "focus": "foci", "genus": "genera", "focal": "focal",
}  # fmt: skip
_SINGULAR = {plural: singular for singular, plural in _IRREGULAR.items()}
_NOT_KEY = re.compile(r"[\W_]+")


def spellings(form: str) -> tuple[str, ...]:
    """A form as it is written on either side of the ocean, the given one first.

    >>> spellings("tokenization"), spellings("sample size")
    (('tokenization', 'tokenisation'), ('sample size',))
    """
    forms = [form]
    for there, here in _AMERICAN:
        for known in tuple(forms):
            if there in known and not (there in _IZE and _ROOT.search(known)):
                forms.append(known.replace(there, here))
            elif here in known and here not in ("ise", "iser", "ising", "ised"):
                forms.append(known.replace(here, there))
    return tuple(dict.fromkeys(forms))


@lru_cache(4_000)
def plurals(word: str) -> tuple[str, ...]:
    """The plurals of a word that may be met in a text; none of one that is a plural or takes none.

    >>> plurals("matrix"), plurals("policy"), plurals("loss"), plurals("agents")
    (('matrices', 'matrixes'), ('policies',), ('losses',), ())
    """
    lower = word.lower()
    irregular = _IRREGULAR.get(lower)
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is", "as")):
        return ()
    if lower.endswith(("s", "x", "z", "ch", "sh")):
        regular = word + "es"
    elif lower.endswith("y") and lower[-2:-1] not in "aeiou":
        regular = word[:-1] + "ies"
    else:
        regular = word + "s"
    if irregular and irregular != regular:
        return (irregular,) if lower in ("hypothesis", "analysis", "synthesis", "basis") else (irregular, regular)
    return (regular,)


def key(name: str) -> str:
    """What two spellings of a name have in common: case, hyphens, blanks and ocean do not count.

    >>> key("Fine-Tuning") == key("finetuning"), key("normalisation") == key("Normalization"), key("强化 学习")
    (True, True, '强化学习')
    """
    found = name.casefold().replace(" ", "").replace("-", "")
    if not found.isalnum():  # seldom, and the pattern takes most of the time
        found = _NOT_KEY.sub("", found)
    if "is" in found or "ys" in found or "our" in found or "lling" in found or "lled" in found or "re" in found:
        found = _BRITISH.sub(lambda part: _TO_AMERICAN[part[0]], found)
    return found


_TO_AMERICAN = {here: there for there, here in _AMERICAN if here not in ("grey", "defence", "fulfil")}
_BRITISH = re.compile("|".join(sorted(_TO_AMERICAN, key=len, reverse=True)))


def singular_keys(name_key: str) -> tuple[str, ...]:
    """The keys that a key may be the plural of.

    >>> singular_keys("grammatrices"), singular_keys("policies")
    (('grammatrix',), ('policie', 'polici', 'policy'))
    """
    for plural, singular in _SINGULAR.items():
        if len(plural) > 4 and name_key.endswith(plural) and plural != singular:
            return (name_key[: -len(plural)] + singular,)
    if not name_key.endswith("s"):
        return ()
    keys = [name_key[:-1]]
    if name_key.endswith("es"):
        keys.append(name_key[:-2])
    if name_key.endswith("ies"):
        keys.append(name_key[:-3] + "y")
    return tuple(keys)
