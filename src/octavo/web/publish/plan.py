"""Which pages a site has: the list, the papers, the topics, venues and prizes, and the authors."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import NamedTuple, TypeVar

from octavo.records.fold import fold
from octavo.records.names import family_key
from octavo.records.paper import Paper
from octavo.topics.tree import bundled_tree
from octavo.views_publishing import ListView
from octavo.web.asked import Paging
from octavo.web.language import CODES
from octavo.web.render import place_of

SIZE = 50
"""Papers of a page of a list."""
LEAST = 2
"""Papers that an author has a page of his own from."""
MOST_VENUES = 12
"""Venues that a search can be narrowed to."""
_UNFIT = re.compile(r"[^a-z0-9]+")
_LONGEST = 60
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Publication:
    """What somebody wants to be written."""

    kind: str
    """One of `app.publishing.KINDS`."""
    value: str = ""
    title: str = ""
    """What the site is called; else as the list is."""
    languages: tuple[str, ...] = CODES
    """The first is at the root, the others in folders of their own."""
    address: str = ""
    """Where the site will be, for feeds; empty where that is not known."""
    with_notes: bool = False
    """Whether the reader's own tags and notes are shown."""
    most: int = 50_000
    """Papers that it may have."""


@dataclass(frozen=True, slots=True)
class Part:
    """A list of the site: all papers, or those of a topic, a venue, a prize."""

    kind: str
    """`all`, `topic`, `venue`, `award` or `track`."""
    address: str
    """As the server's pages know it, or would."""
    stem: str
    """Its file without an ending."""
    name: str
    name_zh: str
    ids: tuple[str, ...]
    depth: int = 0
    """Of a topic: 0 for an area."""

    def paging(self, page: int) -> Paging:
        """Which papers are on a page."""
        return Paging(page, SIZE, len(self.ids))

    def file(self, page: int = 1) -> str:
        """The file of a page."""
        return f"{self.stem}.html" if page == 1 else f"{self.stem}-{page}.html"


class Facet(NamedTuple):
    """What a search can be narrowed to."""

    key: str
    """Its kind and a slug: `topic-deep-learning`, `venue-icml-2025`, `year-2025`."""
    name: str
    name_zh: str
    ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class Person:
    """An author's name with the papers of the list that have it."""

    name: str
    slug: str
    ids: tuple[str, ...]
    letter: str


@dataclass(frozen=True, slots=True)
class Plan:
    """All that every page may need to know of the others. It is sent to other processes."""

    title: str
    """Empty where the list has no name to show."""
    ids: tuple[str, ...]
    parts: tuple[Part, ...]
    people: tuple[Person, ...]
    shown: Mapping[str, Paper]
    """By id what a line of a list shows of each paper, and no more."""
    near: Mapping[str, tuple[tuple[str, float], ...]]
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By id the slugs of a paper's topics and of all above them."""
    letters: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    """Files by the addresses that the templates use."""
    authors: Mapping[str, str] = field(default_factory=dict)
    """Addresses of pages by the names of authors who have one."""

    @property
    def facets(self) -> list[Facet]:
        """Areas, the venues with the most papers, and years."""
        areas = [one for one in self.parts if one.kind == "topic" and not one.depth]
        venues = [one for one in self.parts if one.kind == "venue"][:MOST_VENUES]
        found = [
            Facet(one.stem.replace("/", "-"), one.name, one.name_zh, frozenset(one.ids)) for one in (*areas, *venues)
        ]
        years: dict[int, set[str]] = defaultdict(set)
        for name, paper in self.shown.items():
            if paper.year:
                years[paper.year].add(name)
        return [*found, *(Facet(f"year-{y}", str(y), str(y), frozenset(ids)) for y, ids in sorted(years.items()))]

    def facets_of(self, ids: Sequence[str]) -> dict[str, list[str]]:
        """The keys of the facets that these papers are in."""
        facets = self.facets
        return {name: [one.key for one in facets if name in one.ids] for name in ids}


def make_plan(found: ListView, title: str, topics: Mapping[str, tuple[str, ...]]) -> Plan:
    """The pages of a list; `topics` are its papers' (`Octavo.topics_of_list`)."""
    ids = tuple(str(paper.id) for paper in found.papers)
    parts = tuple(_parts(found, ids, topics))
    people = tuple(_people(found.papers))
    letters = tuple(sorted({one.letter for one in people}, key=lambda letter: (letter == "0", letter)))
    files = {f"/paper/{name}": f"paper/{name}.html" for name in ids}
    for part in parts:
        for page in range(1, part.paging(1).last_page + 1):
            files[f"{part.address}{f'?page={page}' if page > 1 else ''}"] = part.file(page)
    files |= {f"/letter/{letter}": f"authors/{letter}.html" for letter in letters}
    files |= {f"/person/{one.slug}": f"author/{one.slug}.html" for one in people if len(one.ids) >= LEAST}
    files |= {"/all": "all.html", "/topics": "topics.html", "/venues": "venues.html"}
    for kind, address in (("topic", "/topics"), ("venue", "/venues")):
        if not any(part.kind == kind for part in parts):
            del files[address]
    authors = {one.name: f"/person/{one.slug}" for one in people if len(one.ids) >= LEAST}
    return Plan(
        title,
        ids,
        parts,
        people,
        {str(one.id): _line(one) for one in found.papers},
        found.near,
        topics,
        letters,
        files,
        authors,
    )


def _line(paper: Paper) -> Paper:
    names = tuple(name for name in paper.identifiers if name.scheme == "arxiv")
    return Paper(paper.id, paper.title, (), venue=paper.venue, year=paper.year, identifiers=names)


def _parts(found: ListView, ids: tuple[str, ...], topics: Mapping[str, tuple[str, ...]]) -> Iterator[Part]:
    yield Part("all", "/", "index", found.name, found.name, ids)
    yield from _topics(ids, topics)
    venues: dict[str, list[str]] = defaultdict(list)
    for paper in found.papers:
        if place := place_of(paper):
            venues[place].append(str(paper.id))
    if len(venues) > 1:
        named = sorted(venues.items(), key=lambda one: (-len(one[1]), one[0]))
        for slug, (name, of_it) in _slugs(named, lambda one: one[0]):
            yield Part("venue", f"/at/{slug}", f"venue/{slug}", name, name, tuple(of_it))
    for award in ("prize", "oral", "spotlight"):
        of_it = [name for name in ids if award in found.awards.get(name, ())]
        if 0 < len(of_it) < len(ids):
            yield Part("award", f"/award/{award}", f"presented/{award}", award, award, tuple(of_it))
    tracks: dict[str, list[str]] = defaultdict(list)
    for name in ids:
        tracks[found.tracks.get(name, "")].append(name)
    if len(tracks) > 1:
        for slug, (track, of_it) in _slugs(tracks.items(), lambda one: one[0] or "main"):
            yield Part("track", f"/track/{slug}", f"track/{slug}", track, track, tuple(of_it))


def _topics(ids: Sequence[str], topics: Mapping[str, tuple[str, ...]]) -> Iterator[Part]:
    """Topics that have papers, and those above them, in the order of the tree."""
    tree = bundled_tree()
    of_topic: dict[str, list[str]] = defaultdict(list)
    for name in ids:
        for slug in topics.get(name, ()):
            of_topic[slug].append(name)
    for node in tree:
        if of_it := of_topic.get(node.slug):
            depth = len(tree.ancestors(node))
            yield Part("topic", tree.address(node), f"topic/{node.slug}", node.name, node.name_zh, tuple(of_it), depth)


def _people(papers: Iterable[Paper]) -> Iterator[Person]:
    """Names by their family names; the same letters are one name, whoever it is."""
    of_name: dict[str, dict[str, None]] = defaultdict(dict)
    for paper in papers:
        for name in paper.authors:
            of_name[name][str(paper.id)] = None
    keyed = sorted((family_key(name) or fold(name), fold(name), name) for name in of_name)
    for slug, (family, _, name) in _slugs(keyed, lambda one: one[2]):
        first = family[:1]
        letter = first if first.isascii() and first.isalpha() else "0"
        yield Person(name, slug, tuple(of_name[name]), letter)


def _slugs(things: Iterable[T], name_of: Callable[[T], str]) -> Iterator[tuple[str, T]]:
    """Each thing with a name for a file: letters, digits and hyphens, no two the same."""
    taken: set[str] = set()
    for thing in things:
        name = name_of(thing)
        slug = _UNFIT.sub("-", fold(name))[:_LONGEST].strip("-")
        if not slug or slug in taken:
            slug = f"{slug}-{blake2b(name.encode('utf-8', 'replace'), digest_size=5).hexdigest()}".strip("-")
        taken.add(slug)
        yield slug, thing
