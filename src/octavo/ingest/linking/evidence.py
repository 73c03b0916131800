"""What speaks for and against two records' being one work: named levels, one for each thing that is compared.

A level is a string such as `title: equal`; `weights` says what each is worth. Nothing here weighs, and nothing there
compares, so that both can be read alone.
"""

from __future__ import annotations

from octavo.ingest.linking.appearances import Appearance, same_series
from octavo.ingest.linking.features import Features, resemblance
from octavo.ingest.linking.misplaced import put_right
from octavo.ingest.linking.people import agree
from octavo.ingest.linking.rarity import weight_of
from octavo.ingest.linking.titles import Title, common_beginning, holding, likeness, own_words

_ENOUGH_WORDS = 2.0
"""Weight of a title's words from which its equality tells."""
_HOLDS_ENOUGH = 1.5
"""The same, from which a title that stands within another tells."""
_BEGINS = 0.95
_ALIKE = 0.55
"""Likeness from which it is looked at how two titles differ."""
_NAME_LETTERS = 6
"""Letters of a name before the colon from which a title without a colon may be said to begin with it."""
_BEGINNING = 3
_SAME_BEGINNING = 0.6
_NEAR = ((0.94, "nearly equal"), (0.85, "very near"), (0.72, "near"), (0.55, "half alike"), (0.35, "remote"))
_RESEMBLANCE = (
    (0.5, "the same"),
    (0.25, "much in common"),
    (0.1, "some runs in common"),
    (0.03, "few runs in common"),
)
_FORMS = frozenset({"abstract", "review", "talk"})
"""What a title says of the form of a work, and not of its relation to another work."""


def evidence(one: Features, other: Features) -> tuple[list[str], list[str]]:
    """Compare two records.

    Returns:
        The levels that tell whether they are one work; and those which, added to them, tell whether they are one
        publication. Symmetric: the order of the two changes nothing.
    """
    if other.name < one.name:
        one, other = other, one
    one, other = put_right(one, other)
    work = [*_title(one, other), *_said_by_title(one.title, other.title)]
    work += _authors(one, other)
    if one.sketch and other.sketch:
        work.append(f"abstract: {_level(resemblance(one.sketch, other.sketch), _RESEMBLANCE, 'another')}")
    publication: list[str] = []
    first, second = one.appearance, other.appearance
    if first.is_preprint or second.is_preprint:
        if (years := _preprint_years(one, other)) is not None:
            work.append(f"preprint: {years}")
    else:
        _appearances(one, other, work, publication)
    return work, publication


def _level(value: float, levels: tuple[tuple[float, str], ...], least: str) -> str:
    return next((name for floor, name in levels if value >= floor), least)


def _title(one: Features, other: Features) -> list[str]:
    """How the titles stand to each other; where they are near, also how they differ."""
    first, second = one.title, other.title
    if first.key == second.key:
        if first.is_generic:
            return ["title: equal, but generic"]
        enough = sum(map(weight_of, set(first.words))) >= _ENOUGH_WORDS
        return ["title: equal" if enough else "title: equal, of few words"]
    if first.is_generic and second.is_generic:
        return ["title: generic both"]
    near = likeness(first.words, second.words)
    level = _NEAR[0][1] if near >= _NEAR[0][0] else _within(one, other) or _level(near, _NEAR, "another")
    levels = [f"title: {level}"]
    if _same_name(first, second):
        levels.append("name before the colon: the same")
    if near >= _ALIKE:
        own, others = own_words(first, second)
        if own and others:
            levels.append("words of its own: each title")
        if likeness(first.words[:_BEGINNING], second.words[:_BEGINNING]) < _SAME_BEGINNING:
            levels.append("title's beginning: another")
    return levels


def _same_name(one: Title, other: Title) -> bool:
    """Whether what stands before one title's colon stands before the other's too, or is where the other begins."""
    if one.lead and other.lead:
        return one.lead == other.lead
    lead, title = (one.lead, other) if one.lead else (other.lead, one)
    return len(lead) >= _NAME_LETTERS and title.key.startswith(lead)


def _within(one: Features, other: Features) -> str:
    """The level of a title that holds the other; empty where it does not."""
    shorter, longer = sorted((one, other), key=lambda record: (len(record.title.words), record.title.words))
    short, long = shorter.title, longer.title
    begins = likeness(short.words, long.words[: len(short.words)]) >= _BEGINS
    if _lacks_field(longer):
        if begins:
            return "one begins with the other and lacks a field"
        common = common_beginning(short, long)
        if _lacks_field(shorter) and sum(map(weight_of, set(short.words[:common]))) >= _ENOUGH_WORDS:
            return "both begin alike and lack fields"
    if sum(map(weight_of, set(short.words))) < _HOLDS_ENOUGH:
        return ""
    if begins:
        return "one begins with the other"
    return "one holds the other" if holding(short, long) >= _BEGINS else ""


def _lacks_field(record: Features) -> bool:
    """Whether a field is empty whose text may stand in the title."""
    appearance = record.appearance
    return not appearance.is_preprint and not (record.people and appearance.series and appearance.year)


def _said_by_title(one: Title, other: Title) -> list[str]:
    """What the titles say of parts, numbers, and of being an erratum or a reply."""
    said = []
    if one.numbers != other.numbers:
        # `2` and `2019` in one, `2` in the other: only what stands on both sides alone contradicts.
        if one.numbers - other.numbers and other.numbers - one.numbers:
            said.append("numbers: other ones")
        else:
            said.append("numbers: on one side only")
    if one.is_part != other.is_part:
        said.append("part: named on one side only")
    if one.notices != other.notices:
        differ = one.notices ^ other.notices
        said.append("form: named on one side only" if differ <= _FORMS else "notice: on one side only")
    return said


def _authors(one: Features, other: Features) -> list[str]:
    if not one.people or not other.people:
        return ["authors: unknown on both sides" if not one.people and not other.people else "authors: unknown"]
    agreement = agree(one.people, other.people, one.n_people, other.n_people)
    matched, smaller, larger = agreement.matched, agreement.smaller, agreement.larger
    if matched == 0:
        return ["authors: none in common"]
    seen = min(larger, len(one.people), len(other.people))
    if matched >= 0.75 * larger or (seen < larger and smaller >= 0.9 * larger and matched >= 0.9 * seen):
        whole = "all" if matched >= 0.9 * larger - 0.2 else "nearly all"
        level = f"{whole}, in order" if agreement.in_order else f"{whole}, in another order"
    elif matched >= 0.85 * smaller and (smaller > 1 or one.is_cut or other.is_cut):
        level = "one list within the other"
    elif matched >= 0.5 * larger:
        level = "half and more"
    else:
        level = "some" if matched >= 0.34 * smaller and matched > 1 else "hardly any"
    names = _level(
        agreement.telling,
        ((6.0, "seven and more"), (3.5, "four and more"), (1.8, "two or three"), (0.9, "one")),
        "a common one",
    )
    return [
        f"authors: {level}",
        f"names in common: {names}",
        f"first author: {'the same' if agreement.first else 'another'}",
    ]


def _preprint_years(one: Features, other: Features) -> str | None:
    """How the years of a preprint and of another record stand."""
    if not one.year or not other.year:
        return None
    if one.appearance.is_preprint and other.appearance.is_preprint:
        return None
    preprint, published = (one, other) if one.appearance.is_preprint else (other, one)
    later = published.year - preprint.year
    if later < 0:
        # Old papers are put into the archive late; but so are new works that build on a published one.
        return "after publication"
    return "of a fitting year" if later <= 2 else ("earlier by three years or four" if later <= 4 else "far earlier")


def _appearances(one: Features, other: Features, work: list[str], publication: list[str]) -> None:
    """Compare two published records' venues, years and pages."""
    first, second = one.appearance, other.appearance
    series = same_series(first.series, second.series)
    apart = abs(first.year - second.year) if first.year and second.year else None
    if apart is not None:
        publication.append(f"year: {'the same' if apart == 0 else 'next' if apart == 1 else 'another'}")
        if apart > 5:
            work.append("years: far apart")
    if series is not None:
        publication.append(f"venue: {'the same' if series else 'another'}")
    elif first.series and second.series:
        publication.append("venue: named otherwise")
    if series and apart is not None:
        work.append("edition: the same" if apart == 0 else "edition: another of the series")
    is_other_edition = not series or bool(apart)
    if first.series and second.series and is_other_edition and one.title.key != other.title.key:
        work.append("published twice: under two titles")
    if apart == 0 and series is not False and (pages := _pages(first, second)):
        work.append(f"pages: {pages}")


def _pages(one: Appearance, other: Appearance) -> str | None:
    if not one.first_page or not other.first_page:
        return None
    if one.first_page == other.first_page:
        return "the same"
    return "other ones"
