"""Text in the wrong field: a title that holds the authors, the venue or the year, as scraped lists have it.

Only where a field is empty is it looked for in the title, and only what the other record has in that field is found:
so nothing is guessed, and a complete record is never changed.
"""

from __future__ import annotations

from dataclasses import replace

from octavo.ingest.linking.appearances import is_dull, named_alike
from octavo.ingest.linking.features import Features
from octavo.ingest.linking.people import Person
from octavo.ingest.linking.titles import of_words

_VENUE_WORDS = 14
"""Words at the end of a text among which a venue's name is looked for."""


def put_right(one: Features, other: Features) -> tuple[Features, Features]:
    """Two records, with what stands in their titles in place of empty fields put there, as far as the other tells."""
    return _filled(one, other), _filled(other, one)


def _filled(record: Features, other: Features) -> Features:
    is_whole = record.people and record.appearance.series and record.appearance.year
    if is_whole or len(record.title.words) < 3:
        return record
    words = list(record.title.words)
    appearance, year = record.appearance, record.year
    if not appearance.year and not appearance.is_preprint:
        found = str(other.appearance.year)
        if found not in words[1:]:
            found = _year_at_end(words)
        if found and (found not in other.title.words or not other.appearance.year):
            words.remove(found)
            appearance, year = replace(appearance, year=int(found)), year or int(found)
    if not appearance.series and not appearance.is_preprint and other.appearance.series:
        kept = _without_venue(words, other)
        if kept < len(words):
            del words[kept:]
            appearance = replace(appearance, series=other.appearance.series, kind=other.appearance.kind)
    people = record.people
    n_people = record.n_people
    if not people and other.people:
        people, words = _names_in(words, other)
        n_people = len(people)
    if words == list(record.title.words):
        return record
    return replace(
        record,
        title=of_words(tuple(words)),
        people=people,
        n_people=n_people,
        is_cut=record.is_cut or not record.people,
        appearance=appearance,
        year=year,
    )


def _year_at_end(words: list[str]) -> str:
    """A year among the last words of a text; empty where there is none."""
    for word in reversed(words[2:][-2:]):
        if len(word) == 4 and word.isdecimal() and word[:2] in ("19", "20"):
            return word
    return ""


def _without_venue(words: list[str], other: Features) -> int:
    """How many words of a text stand before the other's venue at its end; all where it is not there."""
    of_title = set(other.title.words)
    for length in range(1, min(_VENUE_WORDS, len(words) - 1) + 1):
        start = len(words) - length
        if named_alike(" ".join(words[start:]), other.appearance.series):
            while start > 1 and is_dull(words[start - 1]) and words[start - 1] not in of_title:
                start -= 1
            return start if not of_title.issuperset(words[start:]) else len(words)
    return len(words)


def _names_in(words: list[str], other: Features) -> tuple[tuple[Person, ...], list[str]]:
    """The other record's authors who are named in a text after its beginning, and what stands before the first."""
    of_title = set(other.title.words)
    found = [(at, person) for person in other.people if (at := _name_at(person, words, of_title))]
    if not found or len(found) * 2 < len(other.people):
        return (), words
    start = min(at for at, _ in found)
    # Given names and initials that stand before the first family name.
    given = {name for person in other.people for name in (person.first, *person.initials) if name}
    while start > 2 and (words[start - 1] in given or len(words[start - 1]) == 1) and words[start - 1] not in of_title:
        start -= 1
    return tuple(person for _, person in sorted(found, key=lambda one: one[0])), words[:start]


def _name_at(person: Person, words: list[str], of_title: set[str]) -> int:
    """Where a family name stands in a text; 0 where it does not, or where the other's title has the word too."""
    if len(person.family) < 2 or person.family in of_title:
        return 0
    for at in range(len(words) - 1, 1, -1):
        if words[at] == person.family:
            return at
        if words[at - 1] + words[at] == person.family:
            return at - 1
    return 0
