"""`/glossary`: the words of the field by letter and by part; and the switch for links to them in abstracts."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from octavo.app import Octavo
from octavo.errors import NotFound
from octavo.topics.glossary import Term
from octavo.web.asked import CHOICES, Answer, Asked, Page
from octavo.web.errors import PageError
from octavo.web.safety import is_local_path, is_token

SWITCH = "glossary"
"""The reader's choice (`asked.CHOICES`): whether words of the glossary are links in abstracts."""
_MOST_BACK = 3_000


class Group(NamedTuple):
    """The terms under one heading."""

    heading: str
    ident: str
    terms: list[tuple[Term, int]]


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The glossary, or what became of the switch."""
    return answer_switch(octavo, asked) if asked.form is not None else answer_list(octavo, asked)


def answer_list(octavo: Octavo, asked: Asked) -> Answer:
    """The terms by letter, or by part where that is asked for; those that fit what was typed.

    Raises:
        PageError: the glossary has no such part, or no such order.
    """
    say = asked.language.say
    by, part = asked.values.get("by", "letter"), asked.values.get("part", "")
    try:
        view = octavo.glossary(asked.values.get("q", "")[:200], part)
    except NotFound as error:
        link = ("/glossary", say("The whole glossary"))
        raise PageError(404, say("The glossary has no part “{name}”.", name=part[:40]), link=link) from error
    if by not in ("letter", "part"):
        link = (asked.with_values(by=None), say("The whole glossary"))
        raise PageError(400, say("There is no order “{name}”.", name=by[:40]), link=link)
    is_chinese = asked.language.code.startswith("zh")
    names = {slug: chinese if is_chinese else english for slug, english, chinese, _ in view.fields}
    groups = by_part(view.terms, names) if by == "part" else by_letter(view.terms)
    values = {"view": view, "groups": groups, "by": by, "names": names, "part": part}
    return Answer("glossary.html", values, view.to_dict())


def by_letter(terms: tuple[tuple[Term, int], ...]) -> list[Group]:
    """The terms by the first letter of their English names; figures and signs come first, together."""

    def letter(one: tuple[Term, int]) -> str:
        first = one[0].english[:1].upper()
        return first if first.isascii() and first.isalpha() else "#"

    ordered = sorted(terms, key=lambda one: (letter(one), one[0].english.casefold()))
    return [
        Group(key, f"letter-{key}" if key != "#" else "signs", list(group)) for key, group in groupby(ordered, letter)
    ]


def by_part(terms: tuple[tuple[Term, int], ...], names: dict[str, str]) -> list[Group]:
    """The terms by the parts of the glossary, in the order of these."""
    found = [
        Group(name, f"part-{slug}", [one for one in terms if one[0].field == slug]) for slug, name in names.items()
    ]
    return [group for group in found if group.terms]


def answer_switch(octavo: Octavo, asked: Asked) -> Answer:
    """Let words of the glossary be links in abstracts, or not, in this browser.

    Raises:
        PageError: the form was not sent from these pages, or says neither.
    """
    form, say = asked.form or {}, asked.language.say
    back = form.get("back", "")
    if len(back) > _MOST_BACK or not is_local_path(back):
        back = "/glossary"
    if not is_token(octavo.form_secret(), form.get("token", "")):
        raise PageError(
            403,
            say("This form is not of these pages, or of another catalogue."),
            say("Load the page anew, and try again."),
            kind="refused",
            link=(back, say("Back")),
        )
    chosen = form.get("links", "")
    if chosen not in CHOICES[SWITCH]:
        raise PageError(400, say("That can't be done."), link=(back, say("Back")))
    return Answer("", data={"links": chosen}, location="" if asked.as_json else back, cookies={SWITCH: chosen})


PAGES = (Page("/glossary", answer, takes_form=True),)
