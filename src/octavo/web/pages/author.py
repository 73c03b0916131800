"""`/authors/<name>`: the papers of a name and its variants, in groups of one person each where evidence says so."""

from __future__ import annotations

from urllib.parse import quote

from octavo.app import Octavo
from octavo.errors import NotFound, UsageError
from octavo.rank.parting import Ground
from octavo.views_people import ID_NAMES, GroupView
from octavo.web.asked import MOST_LISTED, Answer, Asked, Page
from octavo.web.errors import PageError
from octavo.web.language import Language
from octavo.web.safety import safe_address

SHOWN = 20
"""Papers of a group that are shown at once; the others unfold in place."""
MOST_GROUPS = 100
"""Groups on one page; the rest are in its JSON."""
MOST_NAMES = 20
"""Variants of a name that are shown."""
_LONGEST_NAME = 200


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The page of a name.

    Raises:
        PageError: it names no one, or no paper has such an author.
    """
    name = asked.names["name"].strip()
    say = asked.language.say
    fault = PageError(
        404,
        say("No paper in this catalogue is by anyone called “{name}”.", name=name[:80] + "…" * (len(name) > 80)),
        say("Initials, accents and the order of the parts do not matter; the family name has to be whole."),
        link=(f"/search?q={quote(name[:_LONGEST_NAME], errors='replace')}", say("Search for it")),
    )
    if len(name) > _LONGEST_NAME:
        raise fault
    try:
        view = octavo.author(name)
    except (NotFound, UsageError) as error:
        raise fault from error
    if asked.is_whole:
        papers = {paper.id: paper for group in view.groups for paper in group.papers}
        papers |= {paper.id: paper for paper in view.rest}
        return Answer("author.html", papers=list(papers.values())[:MOST_LISTED], title=f"Octavo: {view.name}")
    groups = view.groups[:MOST_GROUPS]
    values = {
        "view": view,
        "groups": [(one, links(one), [reason(asked.language, ground) for ground in one.grounds]) for one in groups],
        "n_hidden": len(view.groups) - len(groups),
        "shown": SHOWN,
        "most_names": MOST_NAMES,
    }
    return Answer("author.html", values, view.to_dict())


def links(group: GroupView) -> list[tuple[str, str, str]]:
    """A group's ids as (site, id, address); the address is empty where an id has none of its own."""
    return [(ID_NAMES[scheme], value, safe_address(_address(scheme, value))) for scheme, value in group.ids]


def _address(scheme: str, value: str) -> str:
    match scheme:
        case "orcid":
            return f"https://orcid.org/{value}"
        case "dblp" if value.startswith("pid/"):
            return f"https://dblp.org/{quote(value, safe='/')}.html"
        case "dblp":
            return f"https://dblp.org/search/author?author={quote(value, safe='')}"
        case "openreview":
            return f"https://openreview.net/profile?id={quote(value, safe='~')}"
    return f"https://aclanthology.org/people/{quote(value[0], safe='')}/{quote(value, safe='')}/"


def reason(language: Language, ground: Ground) -> str:
    """Why papers are a person's, in the reader's language."""
    n, value = ground.papers, ground.value
    match ground.kind:
        case "orcid":
            return language.count("{n} paper with this ORCID", "{n} papers with this ORCID", n)
        case "dblp":
            return language.count("{n} paper with this DBLP key", "{n} papers with this DBLP key", n)
        case "openreview":
            return language.count(
                "{n} paper with this OpenReview profile", "{n} papers with this OpenReview profile", n
            )
        case "acl":
            return language.count("{n} paper with this ACL Anthology id", "{n} papers with this ACL Anthology id", n)
        case "coauthors":
            names = value.replace("; ", language.say(", "))
            return language.count(
                "{n} paper with co-authors in common ({names}); the family name is uncommon",
                "{n} papers with co-authors in common ({names}); the family name is uncommon",
                n,
                names=names,
            )
        case "initials":
            return language.count(
                "{n} paper as {name}: one whole name fits, and a co-author or an affiliation agrees",
                "{n} papers as {name}: one whole name fits, and a co-author or an affiliation agrees",
                n,
                name=value,
            )
    return language.count(
        "{n} paper as {name}: one whole name fits, and the family name is rare",
        "{n} papers as {name}: one whole name fits, and the family name is rare",
        n,
        name=value,
    )


PAGES = (Page("/authors/{name:path}", answer, kinds=("json", "bib")),)
