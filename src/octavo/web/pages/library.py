"""`/library`: what the reader saved, tagged and noted; and where all forms of the library are sent to.

A form says what to `do`: a verb, and behind colons the paper and the tag (`save:p3hx7m2k4q9a`,
`untag:p3hx7m2k4q9a:gnn`). The answer leads back to where it was sent from; as JSON it says what is so now.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from octavo.app import Octavo
from octavo.errors import NotFound, OctavoError, UsageError
from octavo.views_library import ShelfView
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.errors import PageError
from octavo.web.mine import told
from octavo.web.phrases import phrase
from octavo.web.safety import is_local_path, is_token

SIZE = 50
_MOST_BACK = 3_000


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The library, or what became of a form."""
    return answer_form(octavo, asked) if asked.form is not None else answer_list(octavo, asked)


def answer_list(octavo: Octavo, asked: Asked) -> Answer:
    """A part of the library.

    Raises:
        PageError: it has no such part or page.
    """
    say = asked.language.say
    show, tag = asked.values.get("show", "all"), asked.values.get("tag", "").strip()
    size = MOST_LISTED if asked.is_whole else SIZE
    try:
        view = octavo.library(show, tag, size, Paging(asked.page, size, 0).offset)
    except UsageError as error:
        link = ("/library", say("The whole library"))
        raise PageError(404, say("The library has no part “{name}”.", name=show[:40]), link=link) from error
    paging = Paging(asked.page, size, view.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    papers = [entry.paper for entry in view.entries if entry.paper]
    if asked.is_whole:
        return Answer("library.html", papers=papers, title=f"Octavo: {tag or say('Library')}")
    values = {
        "view": view,
        "paging": paging,
        "shown_parts": parts(asked, view.counts),
        "last": told(asked.language, view.last) if view.last else "",
        "written": octavo.written(papers),
    }
    return Answer("library.html", values, view.to_dict() | paging.to_dict())


def parts(asked: Asked, counts: Mapping[str, int]) -> list[tuple[str, str, int]]:
    """(part, what it is called, how many papers) of those that are offered."""
    say = asked.language.say
    shown = {
        "all": say("All"),
        "unread": say("Not read"),
        "saved": say("Saved"),
        "read": say("Read"),
        "noted": say("With notes"),
        "gone": say("Not here any more"),
    }
    return [(name, label, counts[name]) for name, label in shown.items() if counts[name] or name != "gone"]


def answer_form(octavo: Octavo, asked: Asked) -> Answer:
    """Do what a form asks for.

    Raises:
        PageError: it was not sent from these pages, or can't be done.
    """
    form = asked.form or {}
    say = asked.language.say
    back = form.get("back", "")
    if len(back) > _MOST_BACK or not is_local_path(back):
        back = "/library"
    if not is_token(octavo.form_secret(), form.get("token", "")):
        raise PageError(
            403,
            say("This form is not of these pages, or of another catalogue."),
            say("Load the page anew, and try again."),
            kind="refused",
            link=(back, say("Back")),
        )
    verb, _, rest = form.get("do", "").partition(":")
    paper, _, tag = rest.partition(":") if verb not in ("undo", "search", "unsearch") else ("", "", "")
    try:
        done = _do(octavo, verb, paper or form.get("paper", ""), tag or form.get("tag", ""), rest, form)
    except UsageError as error:
        if verb == "note" and (found := _clash(octavo, asked, paper, back)):
            return found
        raise _fault(400, error, asked, back) from error
    except NotFound as error:
        raise _fault(404, error, asked, back) from error
    if paper and "#" not in back and is_local_path(f"/#{paper}"):
        back += f"#{paper}"
    data = {"shelf": octavo.shelves([paper]).get(paper, ShelfView()).to_dict(), "paper": paper or None, "act": done}
    last = octavo.last_act()
    data |= {"last": last.to_dict() if last else None, "said": told(asked.language, last) if last and done else ""}
    return Answer("", data=data) if asked.as_json else Answer("", location=back)


def _fault(status: int, error: OctavoError, asked: Asked, back: str) -> PageError:
    """What is wrong, in the reader's language, with the way back."""
    said, hint = (phrase(asked.language, text) for text in (error.message, error.hint))
    return PageError(status, said, hint, link=(back, asked.language.say("Back")))


def _do(octavo: Octavo, verb: str, paper: str, tag: str, rest: str, form: Mapping[str, str]) -> dict[str, Any]:
    """Do one thing; what it did, as JSON.

    Raises:
        UsageError: it can't be done, or nothing that is known here.
        NotFound: there is no such paper.
    """
    tags = [one for one in tag.split(",") if one.strip()] if verb == "tag" else [tag]
    match verb:
        case "save":
            view = octavo.save([paper])
        case "unsave":
            view = octavo.unsave([paper])
        case "read":
            view = octavo.mark_read([paper])
        case "unread":
            view = octavo.mark_unread([paper])
        case "tag":
            view = octavo.tag([paper], tags)
        case "untag":
            view = octavo.untag([paper], tags)
        case "note":
            view = octavo.note(paper, form.get("note", ""), before=form.get("before"))
        case "search" | "unsearch":
            is_changed = octavo.save_search(rest, rest if verb == "search" else "")
            return {"act": verb, "is_changed": is_changed}
        case "undo":
            return octavo.undo(_number(rest)).to_dict()
        case _:
            raise UsageError("That can't be done.", hint="The page may be of another version of Octavo.")
    if view.unknown:
        raise NotFound(view.unknown[0][1])
    return view.to_dict()


def _number(text: str) -> int:
    """Of an act.

    Raises:
        UsageError: it is none.
    """
    if text.isascii() and text.isdigit() and int(text[:12]) > 0:
        return int(text[:12])
    raise UsageError("That names no act.")


def _clash(octavo: Octavo, asked: Asked, paper: str, back: str) -> Answer | None:
    """Both notes, where another one was written since the form was made; None where that is not what was wrong."""
    form = asked.form or {}
    there = octavo.shelves([paper]).get(paper, ShelfView()).note
    before = form.get("before", "").replace("\r\n", "\n").strip()
    if there == before:
        return None
    values = {"paper_id": paper, "there": there, "typed": form.get("note", ""), "back": back}
    data = {"error": {"kind": "conflict", "message": "The note was changed since.", "hint": None}, "note": there}
    return Answer("note.html", values, data, status=409)


def answer_since(octavo: Octavo, asked: Asked) -> Answer:
    """`/since?after=123`: the papers that came in after the one of that number.

    Raises:
        PageError: no number, or no such page.
    """
    say = asked.language.say
    text = asked.values.get("after", "0")
    if not (text.isascii() and text.isdigit() and len(text) < 13):
        raise PageError(400, say("“{text}” is no number.", text=text[:40]), link=("/", say("The first page")))
    size = MOST_LISTED if asked.is_whole else SIZE
    view = octavo.arrived(int(text), size, Paging(asked.page, size, 0).offset)
    paging = Paging(asked.page, size, view.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    title = say("New since your last visit")
    if asked.is_whole:
        return Answer("since.html", papers=view.papers, title=f"Octavo: {title}")
    values = {"found": view, "written": octavo.written(view.papers), "paging": paging, "title": title}
    return Answer("since.html", values, view.to_dict() | paging.to_dict())


PAGES = (
    Page("/library", answer, takes_form=True, kinds=("json", *LISTS)),
    Page("/since", answer_since, kinds=("json", *LISTS)),
)
