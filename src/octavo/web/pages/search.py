"""`/search?q=`: what a query finds, the best first, with what it can be narrowed to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, cast

from octavo.app import Octavo
from octavo.app.kept import Answers
from octavo.asking import SORTS, WAYS, Sort, Way
from octavo.query.marking import Marker
from octavo.query.parser import MAX_CHARACTERS
from octavo.rank.exactly import query_of_note
from octavo.records.paper import PaperId
from octavo.topics.tree import bundled_tree
from octavo.views import SearchView
from octavo.views_completion import MeantView
from octavo.views_pages import WrittenView
from octavo.web.asked import LISTS, MOST_LISTED, Answer, Asked, Page, Paging
from octavo.web.errors import PageError
from octavo.web.language import Language
from octavo.web.narrowing import Chosen, chosen, condition, narrowing
from octavo.web.phrases import phrase

SIZE = 20
FEED_SIZE = 100
"""Papers of a feed, the newest first unless another order is asked for."""
EXAMPLES = (
    "graph neural networks year:2023..",
    '"attention is all you need"',
    "author:bengio venue:iclr",
    "diffusion -image",
    "title:(protein design)",
    "1706.03762",
)
"""Queries that show what can be asked; a paper's identifier is one."""
MOST_KEPT = 100
"""Pages of hits that are kept, some 100 kB each."""
FACETS = ("venue", "year", "topic", "category", "has", "status")
SHOWN_VALUES = 6
"""Values of a facet that are shown at once; twenty are there when it is unfolded."""
_TELLING = frozenset(("code", "project", "video", "poster", "award", "supplement", "citations", "tldr"))
"""What a paper may have that is worth asking for: nearly all have an abstract and a PDF."""


class Value(NamedTuple):
    """A value that a search can be narrowed to."""

    name: str
    n_papers: int
    address: str


class Facet(NamedTuple):
    """What a search can be narrowed by."""

    name: str
    values: tuple[Value, ...]


class Removable(NamedTuple):
    """A condition of the query, and where the search without it is."""

    label: str
    address: str


def answer(octavo: Octavo, asked: Asked) -> Answer:
    """The answer to a query; without one, what can be asked."""
    query = asked.values.get("q", "").strip()
    if not query:
        nothing = {"query": "", "total": 0, "matching": 0, "hits": [], "notes": [], "meant": None}
        return Answer("search_empty.html", {"examples": EXAMPLES}, nothing, title="Octavo")
    sort = cast("Sort", _one_of(asked, "sort", SORTS))
    way = cast("Way", _one_of(asked, "way", WAYS))
    if asked.is_whole:
        size = MOST_LISTED if asked.kind == "bib" else FEED_SIZE
        order: Sort = "newest" if asked.kind != "bib" and "sort" not in asked.values and way != "meaning" else sort
        hits = octavo.search(query, size, sort=order, way=way).hits
        return Answer("search.html", papers=[hit.paper for hit in hits], title=f"Octavo: {query}")
    # What each word adds is worked out where it can be seen: the page of a program has no use for it.
    with_words = asked.values.get("why") == "words"
    found, meant, written = _found(octavo, query, asked.page, sort, way, with_words=with_words)
    paging = Paging(asked.page, SIZE, found.total)
    if paging.is_beyond:
        raise asked.no_such_page(asked.page)
    data = found.to_dict() | paging.to_dict() | {"way": way, "meant": meant.to_dict() if meant else None}
    if asked.as_json:
        return Answer("", data=data)
    values = {
        "found": found,
        "meant": meant,
        "paging": paging,
        "way": way,
        "sorts": _sorts(asked),
        "ways": _ways(asked),
        "chosen": list(_removable(asked, query)),
        "facets": list(facets(asked, found)),
        "shown_values": SHOWN_VALUES,
        "with_words": with_words,
        "notes": [(note, _exact(asked, note)) for note in found.notes],
        "marker": Marker.of(found.words),
        "written": written,
    }
    return Answer("search.html", values, data)


Found = tuple[SearchView, MeantView | None, dict[PaperId, WrittenView]]
_KEPT: Answers[Found] = Answers(MOST_KEPT)


def _found(octavo: Octavo, query: str, page: int, sort: Sort, way: Way, *, with_words: bool) -> Found:
    """The hits of a page, what the query was meant to be, and the texts; as they were found before, where nothing has
    changed since: readers come back to a list from each of its papers."""
    asked = (query, page, sort, way, with_words)
    if (kept := _KEPT.get((octavo.state(), asked))) is not None:
        return kept
    found = octavo.search(query, SIZE, (page - 1) * SIZE, sort=sort, way=way, facets=FACETS, with_words=with_words)
    meant = octavo.did_you_mean(query) if page == 1 else None
    made = found, meant, octavo.written(hit.paper for hit in found.hits)
    # What it was found in: the search itself may have brought the index up to date.
    _KEPT.put((octavo.state(), asked), made)
    return made


def _one_of(asked: Asked, name: str, known: tuple[str, ...]) -> str:
    """A value of the address, the first of those that are known where it has none.

    Raises:
        PageError: it is none of them.
    """
    given = asked.values.get(name, "") or known[0]
    if given in known:
        return given
    say = asked.language.say
    shown = given[:40]
    message = (
        say("There is no order “{name}”.", name=shown)
        if name == "sort"
        else say("There is no way to search “{name}”.", name=shown)
    )
    raise PageError(
        400,
        message,
        say("There are {names}.", names=say(", ").join(known)),
        link=(asked.with_values(sort=None, way=None, page=None), say("The search as usual")),
    )


def _sorts(asked: Asked) -> list[tuple[str, str]]:
    say = asked.language.say
    labels = (say("Best first"), say("Newest first"), say("Oldest first"), say("Most cited first"))
    return list(zip(SORTS, labels, strict=True))


def _ways(asked: Asked) -> list[tuple[str, str]]:
    say = asked.language.say
    return list(zip(WAYS, (say("Words and meaning"), say("Words alone"), say("Meaning alone")), strict=True))


def _exact(asked: Asked, note: str) -> str:
    """Where the query leads that a note names; empty where it names none."""
    query = query_of_note(note)
    return asked.with_values(q=query, page=None) if query else ""


def facets(asked: Asked, found: SearchView) -> Iterator[Facet]:
    """What the search can be narrowed to: values that some of the papers have and others have not."""
    query = found.query
    if not found.matching or len(query) > MAX_CHARACTERS - 100:
        return
    narrowed = narrowing(query)
    there = {(one.field, one.value.lower()) for one in chosen(query)}
    for facet in FACETS:
        values = []
        for value, n_papers in found.facets.get(facet, ())[:MOST_VALUES]:
            text = condition(facet, value)
            is_there = (text.partition(":")[0], value.lower()) in there
            if is_there or n_papers == found.matching or (facet == "has" and value not in _TELLING):
                continue
            address = asked.with_values(q=narrowed(text), page=None)
            values.append(Value(value_name(asked.language, facet, value), n_papers, address))
        if values:
            yield Facet(facet, tuple(values))


def value_name(language: Language, facet: str, value: str) -> str:
    """A value as it is shown."""
    if facet == "topic":
        node = bundled_tree().get(value)
        return value if node is None else node.name_zh if language.code.startswith("zh") else node.name
    if facet == "has":
        return _holdings(language).get(value, value)
    return phrase(language, value) if facet == "status" else value


def _holdings(language: Language) -> dict[str, str]:
    say = language.say
    return {
        "code": say("Code"),
        "project": say("Project"),
        "video": say("Video"),
        "poster": say("Poster"),
        "award": say("Prize"),
        "supplement": say("Supplement"),
        "citations": say("Citations"),
        "tldr": say("Summary in a sentence"),
    }


def _removable(asked: Asked, query: str) -> Iterator[Removable]:
    for one in chosen(query):
        facet = {"cat": "category"}.get(one.field, one.field)
        yield Removable(
            f"{_label(asked.language, one)}{asked.language.say(': ')}{value_name(asked.language, facet, one.value)}",
            asked.with_values(q=one.without or None, page=None),
        )


def _label(language: Language, one: Chosen) -> str:
    return facet_names(language).get(one.field, one.field)


def facet_names(language: Language) -> dict[str, str]:
    """What facets and fields are called above their values."""
    say = language.say
    category = say("Category")
    return {
        "venue": say("Venue"),
        "year": say("Year"),
        "topic": say("Topic"),
        "category": category,
        "cat": category,
        "has": say("Has"),
        "status": say("Status"),
        "author": say("Author"),
    }


PAGES = (Page("/search", answer, kinds=("json", *LISTS)),)
MOST_VALUES = 20
"""Values of a facet that are shown."""
