"""`/paper/<id>`: all that is known of a paper. arXiv's own addresses, and those of any identifier, lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import quote

from octavo.app import Octavo
from octavo.errors import NotFound, OctavoError
from octavo.records.paper import Paper
from octavo.views import PaperView
from octavo.views_similar import SimilarView
from octavo.web.asked import Answer, Asked, Page
from octavo.web.errors import PageError
from octavo.web.phrases import phrase
from octavo.web.safety import safe_address

Claim = Mapping[str, Any]
"""What a source said (`records.codec.record_to_dict`)."""
_LONGEST_NAME = 300
RELATED = 6
"""Related papers on a paper's page; the others are on a page of their own."""


class Appearance(NamedTuple):
    """Where a source says that the paper appeared."""

    place: str
    details: tuple[str, ...]
    status: str


class Dated(NamedTuple):
    """A date, and which of the four it is, as a message."""

    kind: str
    on: str


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The page of a paper; of an identifier that is not Octavo's own, where that page is."""
    name = asked.names["name"]
    view = find(octavo, asked, name)
    paper = view.paper
    if name != paper.id:
        return leading(paper.id, asked)
    if asked.is_whole:
        return Answer("paper.html", papers=[paper])
    values = {
        "paper": paper,
        "written": octavo.written([paper])[paper.id],
        "appearances": list(appearances(view.claims)),
        "dates": list(dates(view.claims)),
        "versions": versions(view.claims),
        "records": [
            (str(claim["source"]), str(claim["key"]), title_of(claim), address_of(claim)) for claim in view.claims
        ],
        "bonds": octavo.why(paper.id).bonds if len(view.claims) > 1 else (),
        "topics": topics(octavo, asked, paper),
        "related": related(octavo, paper.id) if asked.kind == "html" else None,
        "bibtex": "".join(octavo.export("bibtex", names=[paper.id])).strip(),
    }
    return Answer("paper.html", values, PaperView(paper).to_dict())


def topics(octavo: Octavo, asked: Asked, paper: Paper, *, for_others: bool = False) -> list[tuple[str, str, str]]:
    """What a paper is about: of each topic the trail, the address of its page, and where it comes from.

    A topic that another one is below is not said again. `for_others` it is left out that one is the reader's word.
    """
    say, chinese = asked.language.say, asked.language.code.startswith("zh")
    found = octavo.topics_of(paper).topics
    trails = [one.topic.trail for one in found]
    shown = []
    for one in found:
        trail = one.topic.trail
        if any(other != trail and other[: len(trail)] == trail for other in trails):
            continue
        if one.origin == "reader":
            origin = "" if for_others else say("as you said")
        elif one.origin in ("text", "name"):
            origin = say("as its text suggests, {percent} % sure", percent=str(round(one.confidence * 100)))
        else:
            origin = say("as a source says")
        shown.append((" › ".join(one.topic.trail_zh if chinese else trail), one.topic.address, origin))
    return shown


def related(octavo: Octavo, paper_id: str) -> SimilarView | None:
    """The nearest few papers; None where they can't be found now, which is no reason to hide the paper."""
    try:
        return octavo.similar([paper_id], limit=RELATED)
    except OctavoError:
        return None


def answer_arxiv(octavo: Octavo, asked: Asked) -> Answer:
    """arXiv's own addresses, `/abs/2101.00010v2` and `/pdf/math/0309136.pdf`."""
    name = asked.names["name"].removesuffix(".pdf")
    view = find(octavo, asked, f"arXiv:{name}")
    return leading(view.paper.id, asked)


def leading(paper_id: str, asked: Asked) -> Answer:
    """To the page of a paper, in the form that is asked for."""
    return Answer("", location=f"/paper/{paper_id}{'' if asked.kind == 'html' else f'.{asked.kind}'}")


def find(octavo: Octavo, asked: Asked, name: str) -> PaperView:
    """The paper of that name.

    Raises:
        PageError: there is none.
    """
    say = asked.language.say
    shown = name[:80] + ("…" if len(name) > 80 else "")
    fault = PageError(
        404,
        say("There is no paper “{name}” in this catalogue.", name=shown),
        say("An id of Octavo's, or an identifier such as 1706.03762 or 10.5555/example, names a paper."),
        link=(f"/search?q={quote(name[:_LONGEST_NAME], errors='replace')}", say("Search for it")),
    )
    if not name.strip() or len(name) > _LONGEST_NAME:
        raise fault
    try:
        return octavo.get(name, claims=True)
    except NotFound as error:
        if "deleted" in error.message:
            fault.hint = phrase(asked.language, error.message)
        raise fault from error


def appearances(claims: Sequence[Claim]) -> Iterator[Appearance]:
    """Each place where the sources say that the paper appeared, once, with all that they say of it."""
    known: dict[tuple[str, str], dict[str, None]] = {}
    for claim in claims:
        venue = claim.get("venue") or {}
        name, year = venue.get("name", ""), str(venue.get("year") or "")
        place = venue.get("short", "") or name
        if not place:
            continue
        status = claim.get("status", "")
        first = place if year in place else f"{place} {year}"
        details = known.setdefault((first, "" if status == "accepted" else status), {})
        details.update(dict.fromkeys([name] if name and name != place else []))
        details.update(dict.fromkeys(str(venue[part]) for part in ("track", "publisher") if venue.get(part)))
        numbers = [str(venue[part]) for part in ("volume", "number") if venue.get(part)]
        details.update(dict.fromkeys([" ".join(numbers)] if numbers else []))
        details.update(dict.fromkeys([f"pp. {venue['pages']}"] if venue.get("pages") else []))
    for (first, status), found in known.items():
        yield Appearance(first, tuple(found), status)


def _kinds_of_dates() -> dict[str, str]:
    """Messages, by the fields of a record."""

    def say(message: str) -> str:
        return message

    return {
        "submitted_on": say("submitted {date}"),
        "announced_on": say("announced {date}"),
        "published_on": say("published {date}"),
        "updated_on": say("updated {date}"),
    }


_DATES = _kinds_of_dates()


def dates(claims: Sequence[Claim]) -> Iterator[Dated]:
    """The dates that the sources give, each once."""
    for field, kind in _DATES.items():
        for on in sorted({str(claim[field]) for claim in claims if claim.get(field)}):
            yield Dated(kind, on)


def versions(claims: Sequence[Claim]) -> list[tuple[int, str]]:
    """The versions of a preprint with their dates, where these are known."""
    found: dict[int, str] = {}
    for claim in claims:
        for version in claim.get("versions", ()):
            found[version["number"]] = found.get(version["number"]) or str(version.get("on") or "")
    return sorted(found.items())


def title_of(claim: Claim) -> str:
    """A record's title as it was written."""
    title = claim.get("title", "")
    return str(title["text"]) if isinstance(title, dict) else str(title)


def address_of(claim: Claim) -> str:
    """The record's own page, where it names one."""
    return safe_address(str(dict(claim.get("links") or {}).get("page", "")))


PAGES = (
    Page("/paper/{name:path}", answer, kinds=("json", "bib")),
    Page("/abs/{name:path}", answer_arxiv, kinds=("json", "bib")),
    Page("/pdf/{name:path}", answer_arxiv, kinds=("json", "bib")),
)
