"""The language of a paper, told by a simple rule from its title and the beginning of its abstract.

The letters decide where they can: Han is Chinese, kana Japanese, Hangul Korean, Cyrillic Russian, Arabic Arabic. What
is in Latin letters is English, unless two or more small words of another language stand in it beyond those of English.
So a title of names alone counts as English, and Ukrainian as Russian: this is for leaving papers out.

>>> language_of("Tilings of the plane", ""), language_of("Une théorie des pavages pour le plan", "")
('en', 'fr')
"""

from __future__ import annotations

import re

_READ = 400
"""Letters of the abstract that are looked at."""
_SCRIPTS = {
    "ja": re.compile("[\u3041-\u30ff]"),
    "ko": re.compile("[\uac00-\ud7a3]"),
    "zh": re.compile("[\u3400-\u9fff]"),
    "ru": re.compile("[\u0400-\u04ff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
}
_SCRIPT = re.compile("[\u0400-\u06ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
"""A letter of any of these."""
_SMALL = {
    "en": "a an and are as at be by can for from how in into is it of on or that the this to using via we what with",
    "fr": "au aux avec ce dans des du en est et la le les nous par pour que sur un une",
    "de": "auf aus das dem den der des die ein eine einer für im ist mit und von zum zur über",
    "es": "con de del el en es la las los para por que se sobre su un una y",
    "pt": "as com da das de do dos e em na no não o os para por que um uma",
    "it": "che con dei del della delle di e gli il in la le nel per un una",
}
_WORDS = {language: frozenset(words.split()) for language, words in _SMALL.items()}
_OTHERS = tuple(language for language in _WORDS if language != "en")
_SURE = 2
"""Small words of another language that must be there beyond those of English."""

LANGUAGES = {
    **{code: code for code in (*_WORDS, *_SCRIPTS)},
    "english": "en", "french": "fr", "german": "de", "spanish": "es", "portuguese": "pt", "italian": "it",
    "japanese": "ja", "korean": "ko", "chinese": "zh", "russian": "ru", "arabic": "ar",
    "eng": "en", "fra": "fr", "deu": "de", "cn": "zh", "jp": "ja", "kr": "ko", "zh-cn": "zh",
    "英文": "en", "英语": "en", "中文": "zh", "日文": "ja", "日语": "ja", "法语": "fr", "德语": "de",
}  # fmt: skip
"""What a reader may call a language, in lower case, with its code."""


def language_of(title: str, abstract: str) -> str:
    """The code of the language, one of LANGUAGES' values; empty for a text without letters."""
    text = f"{title} {abstract.lstrip()[:_READ]}"
    if not text.isascii() and _SCRIPT.search(text) and (found := _by_script(text)):
        return found
    if " the " in text and " of " in text:
        return "en"  # the shape of most; spares the counting
    words = frozenset(text.lower().split())
    n_english = len(words & _WORDS["en"])
    n_other, other = max((len(words & _WORDS[language]), language) for language in _OTHERS)
    if n_other >= n_english + _SURE:
        return other
    return "en" if any(map(str.isalpha, text)) else ""


def _by_script(text: str) -> str:
    """The language that a third of the letters or more say; Japanese has Han beside its kana."""
    n_letters = sum(map(str.isalpha, text))
    counts = {language: len(letters.findall(text)) for language, letters in _SCRIPTS.items()}
    counts["ja"] += counts["zh"] if counts["ja"] * 5 >= counts["zh"] else 0
    best = max(counts, key=lambda language: counts[language])
    return best if counts[best] and counts[best] * 3 >= n_letters else ""
