"""Where a paper can be read: the links of a page, each http or https, each address once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import quote

from octavo.records.ids import SCHEMES
from octavo.records.paper import Paper
from octavo.web.safety import safe_address

_SITES = {
    "arxiv": "arXiv",
    "openreview": "OpenReview",
    "pmlr": "PMLR",
    "acl": "ACL Anthology",
    "doi": "DOI",
    "dblp": "DBLP",
}


class Link(NamedTuple):
    """A link out of the pages."""

    label: str
    """A site's name, or a message to be translated."""
    address: str


def _kinds() -> dict[str, str]:
    """What the kinds of a record's links are called, in the order in which they are shown; messages."""

    def say(message: str) -> str:
        return message

    return {
        "pdf": say("PDF"),
        "code": say("Code"),
        "project": say("Project"),
        "video": say("Video"),
        "poster": say("Poster"),
        "supplement": say("Supplement"),
        "page": say("Page"),
    }


_KINDS = _kinds()


def links_of(paper: Paper) -> list[Link]:
    """The links of a paper: its PDF first, then the sites that have it, then what belongs to it."""
    found: dict[str, Link] = {}
    for label, address in (*_of_pdf(paper), *_of_sites(paper), *_of_kinds(paper)):
        if safe_address(address):
            found.setdefault(address.removesuffix("/"), Link(label, address))
    return list(found.values())


def _of_pdf(paper: Paper) -> Iterator[tuple[str, str]]:
    said = dict(paper.links)
    if "pdf" in said:
        yield _KINDS["pdf"], said["pdf"]
        return
    for identifier in paper.identifiers:
        if identifier.scheme == "arxiv":
            yield _KINDS["pdf"], f"https://arxiv.org/pdf/{quote(identifier.value, safe='/')}"
            return
        if identifier.scheme == "openreview":
            yield _KINDS["pdf"], f"https://openreview.net/pdf?id={quote(identifier.value, safe='')}"
            return


def _of_sites(paper: Paper) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    for identifier in paper.identifiers:
        if identifier.scheme in SCHEMES and identifier.scheme not in seen:
            seen.add(identifier.scheme)
            yield _SITES.get(identifier.scheme, _KINDS["page"]), identifier.url


def _of_kinds(paper: Paper) -> Iterator[tuple[str, str]]:
    said = dict(paper.links)
    for kind, label in _KINDS.items():
        if kind in said and kind != "pdf":
            yield label, said[kind]
