"""What the search and the sources say in English, in the reader's language.

Below the surfaces everything is said in English, with names in it. Here is each of these sentences as a message; what
is not among them stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from octavo.explain import Explanation
from octavo.web.language import Language

Pattern = tuple[re.Pattern[str], str]


def _messages(say: Callable[[str], str]) -> Iterator[str]:
    """The sentences, with what is a name or a number in them in braces."""
    # Why a hit is there (rank.search).
    yield say("the title is exactly this")
    yield say("the title is nearly this")
    yield say("has the identifier {name}")
    yield say("has the id {name}")
    yield say("fits the filters")
    yield say("title: {words}")
    yield say("authors: {words}")
    yield say("venue: {words}")
    yield say("abstract: {words}")
    yield say("Octavo's summary: {words}")
    # Why a text is that paper (rank.identify).
    yield say("the text is empty")
    yield say("no paper shares its words")
    yield say("two papers fit equally well")
    yield say("not found, and nothing in the catalogue is near")
    yield say("not found; the nearest is “{title}” ({why})")
    yield say("the id {name}")
    yield say("the identifier {name}")
    yield say("holds the identifier {name}")
    yield say("no paper with the identifier {name} is in the catalogue")
    yield say("the title, {share} alike")
    yield say("the title")
    yield say("stands in the paper, word for word")
    yield say("the subject: {words}")
    yield say("{n} of {total} authors agree")
    # How a query was understood (rank.search, app).
    yield say("Read {words} as well.")
    yield say("No paper has all of these words; shown are papers with at least {least} of {n}.")
    yield say("Another process is adding papers; what it has not indexed yet is not searched.")
    yield say("The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files.")
    # How it stands (catalogue.batches).
    yield say("complete")
    yield say("empty")
    yield say("stale")
    yield say("short")
    yield say("rate limited")
    yield say("failed")
    yield say("stopped")
    yield say("killed")
    yield say("running")
    # What became of a paper (records.paper).
    yield say("accepted")
    yield say("rejected")
    yield say("withdrawn")
    yield say("retracted")
    yield say("erratum")
    yield say("submitted")
    yield say("oral")
    yield say("spotlight")
    yield say("poster")


@cache
def _patterns() -> tuple[Pattern, ...]:
    return tuple((_pattern(message), message) for message in _messages(lambda message: message))


def _pattern(message: str) -> re.Pattern[str]:
    parts = re.split(r"\{(\w+)\}", message)
    return re.compile(
        "".join(re.escape(part) if n % 2 == 0 else f"(?P<{part}>.+)" for n, part in enumerate(parts)), re.DOTALL
    )


def phrase(language: Language, text: str) -> str:
    """A sentence from below in the reader's language; as it is where nobody has translated it."""
    if language.code == "en":
        return text
    for pattern, message in _patterns():
        if found := pattern.fullmatch(text):
            return language.say(message, **{name: phrase(language, value) for name, value in found.groupdict().items()})
    return text


def reasons(language: Language, why: Explanation) -> str:
    """An explanation on one line."""
    parts = [part.reason for part in why.parts] if why.parts else [why.reason]
    return language.say("; ").join(phrase(language, reason) for part in parts for reason in part.split("; "))
