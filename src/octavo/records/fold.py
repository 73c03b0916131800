"""Folding: the one rule by which two spellings count as the same letters.

Case, accents, width, ligatures and typographic signs vanish; letters stay. `Łukasz`, `LUKASZ` and `Łukasz` written
with a combining mark fold to `lukasz`, `Nguyễn` to `nguyen`, `straße` to `strasse`.
"""

from __future__ import annotations

import re
import unicodedata

_LETTERS = str.maketrans(
    {
        # Letters that Unicode does not decompose, as a reader without them on the keyboard types them.
        "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d", "þ": "th", "Þ": "th",
        "ß": "ss", "ẞ": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "ħ": "h", "Ħ": "h",
        "ŋ": "ng", "Ŋ": "ng", "ŧ": "t", "Ŧ": "t", "ĸ": "k", "ſ": "s", "ɫ": "l", "ɓ": "b", "ɗ": "d", "ƒ": "f",
        # Typographic signs.
        "’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
        "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "‒": "-", "―": "-", "\u00ad": "", "\u200b": "",
        "\u200c": "", "\u200d": "", "\u2060": "", "\ufeff": "", "™": "", "®": "", "©": "", "℠": "",
    }
)  # fmt: skip

_VOICING = "\u3099\u309a"
"""Marks that make another letter of a kana, not an accented one: ga is no ka."""
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
    "∞": "infinity", "∇": "nabla", "ℓ": "l",
}  # fmt: skip
_GREEK_LETTER = re.compile("[" + "".join(_GREEK) + "]")
_NOT_ALNUM = re.compile(r"[\W_]+")


def fold(text: str) -> str:
    """Fold case, accents, width and typography away. Idempotent; pure ASCII text is only lower-cased."""
    if text.isascii():
        return text.lower().replace("`", "'")
    # Decomposed first: a mathematical bold A has no case until it is an A.
    text = unicodedata.normalize("NFKD", text.translate(_LETTERS)).casefold().translate(_LETTERS)
    text = "".join(char for char in text if char in _VOICING or not unicodedata.combining(char))
    # Hangul and voiced kana come apart under NFKD and have to be put together again.
    return unicodedata.normalize("NFC", text)


def title_key(title: str) -> str:
    """Reduce a plain title to what two spellings of it share: letters and digits, folded, Greek letters by name.

    `$\\alpha$-Trees: a Résumé!` (as plain text) and `alpha trees - a resume` have one key. Empty where the title
    holds no letter or digit at all.
    """
    folded = fold(title)
    if not folded.isascii():
        folded = _GREEK_LETTER.sub(lambda found: _GREEK[found[0]], folded)
    return _NOT_ALNUM.sub("", folded)
