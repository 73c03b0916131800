"""What the search and the sources say in English, in the reader's language.

Below the surfaces everything is said in English, with names in it. `sentences` and `sentences_of_faults` have each of
these sentences as a message; what is not among them stays as it is.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from octavo.explain import Explanation
from octavo.web.language import Language
from octavo.web.sentences import ASKING, COMPARING, HITS, LIBRARY, QUERIES
from octavo.web.sentences_of_faults import BONDS, FEATURES, LEVELS, MACHINE, SOURCES

Pattern = tuple[re.Pattern[str], str]

SENTENCES = (*QUERIES, *HITS, *COMPARING, *ASKING, *LIBRARY, *MACHINE, *SOURCES, *BONDS)
"""Every message, in the order in which they are tried."""
PIECES = (" as ", " or ", "; and {n} more", *FEATURES, *LEVELS)
"""What is no sentence, and put into words by itself."""

_SAID = frozenset(("how", "one", "why", "what", "kind", "holder", "note"))
"""Values that are sentences themselves; all others are names and what a reader typed, and stay as they are."""
_NUMBERS = frozenset(("n", "total", "least", "most", "used"))
_MORE = re.compile(r"; and ([\d,]+) more$")


@cache
def _whole() -> frozenset[str]:
    return frozenset(message for message in SENTENCES if "{" not in message)


@cache
def _patterns() -> tuple[Pattern, ...]:
    return tuple((_pattern(message), message) for message in SENTENCES if "{" in message)


def _pattern(message: str) -> re.Pattern[str]:
    parts = re.split(r"('?)\{(\w+)\}\1", message)
    written = [re.escape(parts[0])]
    for quote, name, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        value = f"(?P<{name}>{'[0-9,]+' if name in _NUMBERS else '.+'})"
        # A text with an apostrophe is quoted by the other sign.
        written += [f"""['"]{value}['"]""" if quote else value, re.escape(after)]
    return re.compile("".join(written), re.DOTALL)


def phrase(language: Language, text: str) -> str:
    """A sentence from below in the reader's language; as it is where nobody has translated it."""
    return text if language.code == "en" else _translated(language, text) or text


@lru_cache(maxsize=4096)
def _translated(language: Language, text: str) -> str:
    """A sentence in the reader's language; empty where nobody has translated it."""
    if text in _whole():
        return language.say(text)
    for pattern, message in _patterns():
        found = pattern.fullmatch(text)
        # A name may end in a full stop: what stands behind it is a note only where it is known as one.
        if found and not ("note" in found.groupdict() and not _translated(language, found["note"])):
            return language.say(
                message, **{name: _value(language, name, value) for name, value in found.groupdict().items()}
            )
    return ""


def _value(language: Language, name: str, value: str) -> str:
    """What stands in a sentence, in the reader's language where it is a sentence or a list of pairs."""
    if name == "pairs":
        more = _MORE.search(value)
        pairs = value[: more.start()] if more else value
        for joint in (" as ", " or "):
            pairs = pairs.replace(joint, language.say(joint))
        return pairs + (language.say("; and {n} more", n=more[1]) if more else "")
    if name not in _SAID:
        return value
    # Behind a colon a sentence begins with a small letter.
    return _translated(language, value) or _translated(language, value[:1].upper() + value[1:]) or value


def evidence(language: Language, text: str) -> str:
    """What ties two records, in the reader's language: `title: nearly equal`, or a sentence."""
    feature, _, level = text.partition(": ")
    if feature in FEATURES and level in LEVELS:
        return language.say(feature) + language.say(": ") + language.say(level)
    return phrase(language, text)


def reasons(language: Language, why: Explanation) -> str:
    """An explanation on one line."""
    parts = [part.reason for part in why.parts] if why.parts else [why.reason]
    return language.say("; ").join(phrase(language, reason) for part in parts for reason in part.split("; "))
