"""`/identify`: which papers pasted texts are about. Nothing is kept of them."""

from __future__ import annotations

import re

from octavo.app import Octavo
from octavo.errors import IdentifierError
from octavo.records.ids import parse_identifier
from octavo.web.asked import Answer, Asked, Page
from octavo.web.errors import PageError

MOST = 50
"""Texts that are identified at a time."""
_EMPTY_LINES = re.compile(r"\n[^\S\n]*(?:\n[^\S\n]*)+")


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The form; with a text, what it is."""
    pasted = (asked.form or {}).get("text") or asked.values.get("text", "")
    texts = split(pasted)
    if len(texts) > MOST:
        say = asked.language.say
        raise PageError(
            413,
            say("These are {n} texts; at most {most} are identified at a time.", n=len(texts), most=MOST),
            say("`octavo identify FILE` takes any number."),
            link=("/identify", say("Paste fewer")),
        )
    found = octavo.identify(texts) if texts else []
    papers = [view.paper for view in found if view.paper]
    values = {"found": found, "pasted": pasted, "written": octavo.written(papers)}
    return Answer("identify.html", values, {"results": [view.to_dict() for view in found]})


def split(pasted: str) -> list[str]:
    """Part pasted text: empty lines part texts, and identifiers may stand one a line.

    >>> split("2101.00010\\nP18-1001\\n\\nA floor that is\\nlaid slowly.\\n")
    ['2101.00010', 'P18-1001', 'A floor that is\\nlaid slowly.']
    """
    texts: list[str] = []
    for block in _EMPTY_LINES.split(pasted.replace("\r\n", "\n").replace("\r", "\n")):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        texts += lines if lines and all(map(_is_identifier, lines)) else ["\n".join(lines)] if lines else []
    return texts


def _is_identifier(line: str) -> bool:
    try:
        parse_identifier(line)
    except IdentifierError:
        return False
    return True


PAGES = (Page("/identify", answer, takes_form=True),)
