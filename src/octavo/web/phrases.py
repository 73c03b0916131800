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
    yield say("has all the words")
    yield say("is by an author of this name")
    yield say("has the whole query in a row")
    yield say("has the identifier")
    yield say("some of the words")
    yield say("none of the words")
    yield say("far in meaning ({share})")
    yield say("has the id {name}")
    yield say("fits the filters")
    yield say("title: {words}")
    yield say("authors: {words}")
    yield say("venue: {words}")
    yield say("abstract: {words}")
    yield say("Octavo's summary: {words}")
    # Trends (app.trends).
    yield say("No paper of these years has a topic.")
    yield say("No paper of these years has an abstract.")
    yield say("There is no topic '{name}'.")
    yield say("The glossary has no term '{name}'.")
    yield say("The years go from {first} to {last}, which is backwards.")
    yield say("At most {n} years are shown at once.")
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
    yield say("No paper has all of these words; shown are papers that {how}.")
    yield say("No paper has all of these terms; shown are papers that {how}.")
    yield say("No paper has this word; shown are papers that {how}.")
    yield say("No paper has this term; shown are papers that {how}.")
    yield say("Only one paper has all of these words; then {how}.")
    yield say("Only one paper has all of these terms; then {how}.")
    yield say("Only one paper has this word; then {how}.")
    yield say("Only one paper has this term; then {how}.")
    yield say("{n} papers have all of these words; then {how}.")
    yield say("{n} papers have all of these terms; then {how}.")
    yield say("{n} papers have this word; then {how}.")
    yield say("{n} papers have this term; then {how}.")
    yield say("comes one that {how}")
    yield say("come {n} that {how}")
    yield say("{one} or are near in meaning")
    yield say("{one} or is near in meaning")
    yield say("have at least {least} of {n}")
    yield say("has at least {least} of {n}")
    yield say("have the words of a name apart")
    yield say("are near in meaning")
    yield say("is near in meaning")
    yield say("Searched in English too: {words}.")
    yield say("No English is known for {words}: searched as written.")
    yield say("Quotes ask for the Chinese words themselves; without them English is searched too.")
    yield say(
        "Search by meaning is being prepared in the background; until then papers are found by their words alone."
    )
    yield say("Another process is adding papers; what it has not indexed yet is not searched.")
    yield say("The catalogue is empty: `octavo demo` loads the bundled one, `octavo add` your own files.")
    # What can't be kept in the library (catalogue.said, catalogue.library).
    yield say("A tag needs a letter.")
    yield say("A tag has at most {most} letters; “{tag}” has {n}.")
    yield say("Longer texts are notes.")
    yield say("A tag has no comma: “{tag}”.")
    yield say("Give each tag by itself.")
    yield say("A note has at most {most} letters; this has {n}.")
    yield say("Keep the rest in a file of yours.")
    yield say("Something else was done since.")
    yield say("The library shows what was done last.")
    yield say("There is nothing in the library to undo.")
    # What relates a paper (rank.similar, rank.bonds), and how it was compared (rank.given, app.similar).
    yield say("near in meaning ({share})")
    yield say("hardly near in meaning ({share})")
    yield say("its meaning is not known yet")
    yield say("shares the words {words}")
    yield say("shares the word {words}")
    yield say("shares no telling word")
    yield say("same authors {names}")
    yield say("same author {names}")
    yield say("cites it")
    yield say("cited by it")
    yield say("{n} reference in common")
    yield say("{n} references in common")
    yield say("{n} related paper cites both")
    yield say("{n} related papers cite both")
    yield say("There are no vectors of meaning yet: compared by words, authors and references alone.")
    yield say("“{title}” has no abstract: its title was compared.")
    yield say("Every paper of the catalogue is among those given.")
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
