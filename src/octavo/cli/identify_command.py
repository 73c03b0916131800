"""`octavo identify`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from octavo.cli.command import Settings, command
from octavo.cli.outcome import DONE, NOTHING_FOUND
from octavo.cli.output import Page, clean, write_json
from octavo.errors import UsageError

if TYPE_CHECKING:
    from octavo.views import IdentifyView

_CONFIDENCE = ((0.9, "sure"), (0.75, "very likely"), (0.6, "likely"), (0.0, "perhaps"))
_HOW = (
    "Give it as TEXT, or send it: `octavo identify < abstract.txt`. "
    "To paste it here, say `octavo identify -` and end with Ctrl-D."
)


@command(
    "identify",
    short_help="Say which paper a pasted text is about.",
    examples=(
        ('octavo identify "Atention is all you ned"', "a title with typing errors"),
        ("octavo identify < abstract.txt", "an abstract, or a part of one, from a file"),
        ('octavo identify "Vaswani et al. Attention is all you need. NIPS 2017."', "a line of a reference list"),
        ("octavo identify --json < reading-list.txt", "many texts with empty lines between, as a JSON array"),
    ),
)
@click.argument("text", nargs=-1)
@click.option("--one", is_flag=True, help="Take all of the input as a single text, empty lines too.")
def identify(settings: Settings, text: tuple[str, ...], one: bool) -> int:
    """Say which paper a text is about: an abstract or a part of one, a title, a reference, an identifier.

    Without TEXT, or with `-`, the text is read from standard input. Empty lines part texts; lines that all
    are identifiers, web addresses or references are a text each, and so are the numbered items of a list.
    Each answer says how sure it is, and why; a text about no paper of the catalogue is answered with "not
    found".

    Exits with 0 where at least one text was identified, with 1 where none was.
    """
    texts = _texts(text, is_one=one)
    from octavo.cli.progress import ProgressBar

    with settings.open() as octavo, ProgressBar("") as progress:
        views = octavo.identify(texts, progress)
    if settings.as_json:
        write_json([view.to_dict() for view in views])
    else:
        page = Page()
        for n, view in enumerate(views, 1):
            if n > 1:
                page.blank()
            write_identified(page, view, f"{n}. " if len(views) > 1 else "")
    return DONE if any(view.paper for view in views) else NOTHING_FOUND


def _texts(words: tuple[str, ...], *, is_one: bool) -> list[str]:
    from octavo.cli.texts import split_texts

    if words in ((), ("-",)):
        if sys.stdin is None or (not words and sys.stdin.isatty()):
            raise UsageError("There is no text to identify.", hint=_HOW)
        pasted = sys.stdin.buffer.read().decode("utf-8", "replace")
    elif len(words) > 1 and len(split_texts("\n".join(words))) == len(words):
        pasted = "\n".join(words)
    else:
        pasted = " ".join(words)
    texts = [pasted.strip()] if is_one and pasted.strip() else split_texts(pasted)
    if not texts:
        raise UsageError("There is no text to identify.", hint=_HOW)
    return texts


def write_identified(page: Page, view: IdentifyView, number: str = "", *, indent: int = 0) -> None:
    """Write which paper a text is about, how sure that is, and why; the text's beginning too where it has a number."""
    from octavo.cli.layout import clip, fold_authors, where_and_ids

    indent = indent or len(number)
    width = page.width - indent
    if number:
        page.line((number, "dim"), (clip(f"“{clean(view.input[:300])}", width - 1) + "”", "dim"))
    paper = view.paper
    if paper is None:
        page.line(("Not found.", "bold"), " ", clean(_without_not_found(view.why.reason)), indent=indent)
        return
    page.line((clean(paper.title), "bold"), indent=indent)
    page.line(*where_and_ids(paper, width), indent=indent)
    if paper.authors:
        page.line(fold_authors(paper.authors, width, is_incomplete=paper.authors_incomplete), indent=indent)
    words = next(words for least, words in _CONFIDENCE if view.confidence >= least)
    page.line(f"{words} ({view.confidence:.0%}): {clean(view.why.reason)}", indent=indent)


def _without_not_found(why: str) -> str:
    """The reason as a sentence; what says that nothing was found has been said."""
    why = why.removeprefix("not found; ").strip()
    return why[:1].upper() + why[1:] + ("" if why.endswith(".") else ".")
