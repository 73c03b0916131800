"""Pages as files: the values of a page once, a file for each language, from the templates that the server uses."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemLoader

from octavo.app import Octavo
from octavo.explain import Explanation
from octavo.records.paper import Paper
from octavo.topics.tree import bundled_tree
from octavo.views import BondView
from octavo.views_library import ShelfView
from octavo.views_pages import WrittenView
from octavo.views_similar import RelatedView, SimilarView
from octavo.views_venues import RowView
from octavo.web.asked import CHOICES, Asked
from octavo.web.kept import Pieces
from octavo.web.language import NAMES, Language, language
from octavo.web.pages import paper as paper_page
from octavo.web.publish.addresses import finder, relative, relinked, root_of
from octavo.web.publish.plan import LEAST, Part, Plan
from octavo.web.render import FOLDER, environment, place_of, render, static_address
from octavo.web.whole import presented

STYLES = ("octavo.css", "terms.css")
SCRIPT, FINDER, ICON = "published.js", "find.js", "icon.svg"
STUBS = ".find"
"""Where the texts that are searched lie until they are indexed."""
MOST_PEOPLE = 100
"""Names of authors on the page of all letters."""
_KEPT = 8_000
_CHOICES = {name: allowed[0] for name, allowed in CHOICES.items()}


def policy(*, searches: bool) -> str:
    """What a page may load and run: what is its own. Pagefind is WebAssembly, and asks for its index."""
    own = ["default-src 'none'", "style-src 'self'", "img-src 'self'", "form-action 'self'", "base-uri 'none'"]
    own += ["require-trusted-types-for 'script'"]
    if not searches:
        return "; ".join([*own, "script-src 'self'", "trusted-types 'none'"])
    wasm = ["script-src 'self' 'wasm-unsafe-eval'", "connect-src 'self'", "worker-src 'self'", "trusted-types default"]
    return "; ".join([*own, *wasm])


@dataclass(frozen=True, slots=True)
class Frame:
    """What `published/base.html` knows of a page."""

    title: str
    root: str
    """The way to the files of this language."""
    shared: str
    """The way to what all languages share."""
    others: Sequence[tuple[str, str, str]]
    """(code, name, link) of the same page in other languages."""
    policy: str
    has_search: bool
    has_people: bool
    feeds: bool
    addresses: Mapping[str, str]
    version: str
    styles: Sequence[str]
    script: str
    finder: str


@dataclass(frozen=True, slots=True)
class Setup:
    """What is to be written, and where; sent to each process that writes."""

    plan: Plan
    out: Path
    languages: tuple[str, ...]
    """The first is at the root."""
    version: str
    """Octavo's."""
    has_search: bool
    """Whether what is to be indexed is written, too."""
    with_notes: bool


class Task(NamedTuple):
    """Pages that are written together."""

    kind: str
    """`papers`, `part`, `letter`, `people` or `frame`."""
    start: int = 0
    stop: int = 0
    """Of the papers, of a part's pages, of the letters or of the people."""
    part: int = 0


class Written(NamedTuple):
    """What a task came to."""

    papers: int
    pages: int
    bytes: int


@cache
def templates() -> Environment:
    """The pages' templates, in the frame of a site without a server."""
    made = environment().overlay(
        loader=FileSystemLoader([FOLDER / "templates" / "published", FOLDER / "templates"]), auto_reload=False
    )
    made.globals = {**environment().globals, "pieces": Pieces(_KEPT)}
    return made


class Writer:
    """Writes the pages of a plan into a folder. One is for one thread, as its Octavo is."""

    def __init__(self, octavo: Octavo, setup: Setup) -> None:
        """Write what `setup` says, from the catalogue of `octavo`."""
        plan, codes = setup.plan, setup.languages
        self._octavo, self._plan, self._out = octavo, plan, setup.out
        self._version, self._search, self._notes = setup.version, setup.has_search, setup.with_notes
        self._folders = {code: "" if n == 0 else f"{code.partition('-')[0]}/" for n, code in enumerate(codes)}
        self._files = {code: finder(plan.files, folder, plan.authors) for code, folder in self._folders.items()}
        self._papers: OrderedDict[str, tuple[Paper, WrittenView]] = OrderedDict()
        self._pages = self._bytes = 0

    def do(self, task: Task) -> Written:
        """Write the pages of a task."""
        self._pages = self._bytes = 0
        match task.kind:
            case "papers":
                self._write_papers(self._plan.ids[task.start : task.stop])
            case "part":
                for page in range(task.start, task.stop):
                    self._write_part(self._plan.parts[task.part], page)
            case "letter":
                self._write_letter(self._plan.letters[task.start])
            case "people":
                self._write_people(task.start, task.stop)
            case _:
                self._write_frame()
        return Written(task.stop - task.start if task.kind == "papers" else 0, self._pages, self._bytes)

    # -- a paper -----------------------------------------------------------------------------------------------------

    def _write_papers(self, ids: Sequence[str]) -> None:
        shelves = self._octavo.shelves(ids) if self._notes else {}
        keys = self._plan.facets_of(ids) if self._search else {}
        for name in ids:
            # As JSON the page looks for no related papers: those of the site are known.
            answer = paper_page.answer(self._octavo, _asked(f"/paper/{name}", "en", "json", name))
            paper = answer.values["paper"]
            values = {
                **answer.values,
                "bonds": tuple(map(told_to_others, answer.values["bonds"])),
                "related": self._related(paper),
                "shelf": shelves.get(name, ShelfView()),
            }
            file = f"paper/{name}.html"
            for code in self._folders:
                asked = _asked(f"/paper/{name}", code)
                # Of all that the page says, the topics alone are put into words before the template is.
                said = paper_page.topics(self._octavo, asked, paper, for_others=True)
                self._write(file, asked, "paper.html", {**values, "topics": said})
            if self._search:
                shelf = values["shelf"] if self._notes else None
                self._put(f"{STUBS}/{file}", stub(paper, keys[name], shelf, self._plan.topics.get(name, ())))

    def _related(self, paper: Paper) -> SimilarView | None:
        near = [(self._plan.shown[name], share) for name, share in self._plan.near.get(paper.id, ())]
        if not near:
            return None
        hits = (
            RelatedView(n, other, share, Explanation(share, f"near in meaning ({share:.2f})"))
            for n, (other, share) in enumerate(near, 1)
        )
        return SimilarView((paper,), "", "relation", len(near), tuple(hits))

    # -- lists -------------------------------------------------------------------------------------------------------

    def _write_part(self, part: Part, page: int) -> None:
        paging = part.paging(page)
        papers, written = self._texts(part.ids[paging.offset : paging.last])
        one_venue = not any(one.kind == "venue" for one in self._plan.parts)
        for code in self._folders:
            said = language(code)
            values = {
                "part": part,
                "name": name_of(part, said),
                "trail": [(one, name_of(one, said)) for one in self._above(part)],
                "narrower": [*self._narrower(part, said)] if page == 1 else [],
                "paging": paging,
                "papers": papers,
                "written": written,
                "beside": beside(said, one_venue=one_venue),
                "forms": [(f"index.{form}", label) for form, label in _FORMS],
            }
            asked = _asked(part.address, code, values={"page": str(page)} if page > 1 else {})
            self._write(part.file(page), asked, "list.html", values)

    def _above(self, part: Part) -> list[Part]:
        if part.kind != "topic":
            return []
        tree = bundled_tree()
        node = tree.get(part.address.rpartition("/")[2])
        above = {tree.address(one) for one in tree.ancestors(node)} if node else set()
        return [one for one in self._plan.parts if one.address in above]

    def _narrower(self, part: Part, said: Language) -> Iterator[tuple[str, list[tuple[Part, str]]]]:
        """What a list can be narrowed to, by kind."""
        say = said.say
        kinds = {"award": say("Presented as"), "track": say("Track"), "topic": say("Topic"), "venue": say("Venue")}
        for kind, label in kinds.items():
            if part.kind == "all":
                those = [one for one in self._plan.parts if one.kind == kind and not one.depth]
            elif part.kind == kind == "topic":
                below = [one for one in self._plan.parts if one.address.startswith(f"{part.address}/")]
                those = [one for one in below if one.depth == part.depth + 1]
            else:
                continue
            if those:
                yield label, [(one, name_of(one, said)) for one in sorted(those, key=lambda one: -len(one.ids))[:40]]

    def _texts(self, ids: Sequence[str]) -> tuple[list[Paper], dict[str, WrittenView]]:
        """These papers and what their sources wrote, of which the last thousands are kept."""
        missing = [name for name in ids if name not in self._papers]
        if missing:
            found = self._octavo.papers_of(missing)
            texts = self._octavo.written(found.values())
            while self._papers and len(self._papers) + len(found) > _KEPT:
                self._papers.popitem(last=False)
            self._papers.update((name, (paper, texts[paper.id])) for name, paper in found.items())
        there = [self._papers[name] for name in ids if name in self._papers]
        return [paper for paper, _ in there], {str(paper.id): texts for paper, texts in there}

    # -- authors -----------------------------------------------------------------------------------------------------

    def _write_letter(self, letter: str) -> None:
        people = [one for one in self._plan.people if one.letter == letter]
        self._write_names(f"authors/{letter}.html", f"/letter/{letter}", letter, people)

    def _write_names(self, file: str, path: str, letter: str, people: Sequence[Any]) -> None:
        values = {
            "letter": letter,
            "letters": self._plan.letters,
            "people": people,
            "total": len(self._plan.people),
            "shown": self._plan.shown,
        }
        for code in self._folders:
            self._write(file, _asked(path, code), "authors.html", values)

    def _write_people(self, start: int, stop: int) -> None:
        for person in self._plan.people[start:stop]:
            if len(person.ids) >= LEAST:
                values = {"person": person, "shown": self._plan.shown}
                for code in self._folders:
                    asked = _asked(f"/person/{person.slug}", code)
                    self._write(f"author/{person.slug}.html", asked, "person.html", values)

    # -- one of each -------------------------------------------------------------------------------------------------

    def _write_frame(self) -> None:
        """The pages of which a site has one: the whole list, the topics, the venues, the authors, the search."""
        most = sorted(self._plan.people, key=lambda one: -len(one.ids))
        shown = [one for one in most[:MOST_PEOPLE] if len(one.ids) >= LEAST]
        if self._plan.people:
            self._write_names("authors.html", "/authors", "", shown)
        rows = list(self._rows())
        for code in self._folders:
            say = language(code).say
            self._write("all.html", _asked("/all", code), "all.html", {"rows": rows})
            for kind, heading in (("topic", say("Topics")), ("venue", say("Venues"))):
                listed = [(one, name_of(one, language(code))) for one in self._plan.parts if one.kind == kind]
                if listed:
                    values = {"heading": heading, "listed": listed}
                    self._write(f"{kind}s.html", _asked(f"/{kind}s", code), "parts_of.html", values)
            if self._search:
                names = [(one.key, one.name_zh if code.startswith("zh") else one.name) for one in self._plan.facets]
                self._write("search.html", _asked("/search", code), "search.html", {"names": names})

    def _rows(self) -> Iterator[RowView]:
        for start in range(0, len(self._plan.ids), 1_000):
            for paper in self._octavo.papers_of(self._plan.ids[start : start + 1_000]).values():
                yield RowView(str(paper.id), paper.title, paper.authors, paper.award, "", paper.abstract)

    # -- files -------------------------------------------------------------------------------------------------------

    def _write(self, file: str, asked: Asked, template: str, values: Mapping[str, Any]) -> None:
        """Write a page in one language."""
        folder = self._folders[asked.language.code]
        at = folder + file
        html = render(template, asked, {**values, "frame": self._frame(file, asked.language)}, templates())
        self._put(at, relinked(html, at, self._files[asked.language.code]))
        self._pages += 1

    def _frame(self, file: str, said: Language) -> Frame:
        code = said.code
        at = self._folders[code] + file
        others = [
            (other, NAMES[other], relative(folder + file, at))
            for other, folder in self._folders.items()
            if other != code
        ]
        return Frame(
            title=self._plan.title or said.say("Papers"),
            root=root_of(file),
            shared=root_of(at),
            others=others,
            policy=policy(searches=template_searches(file)),
            has_search=self._search,
            has_people=bool(self._plan.people),
            feeds=file == "index.html",
            addresses=self._plan.files,
            version=self._version,
            styles=[static_address(name).lstrip("/") for name in STYLES],
            script=static_address(SCRIPT).lstrip("/"),
            finder=static_address(FINDER).lstrip("/"),
        )

    def _put(self, at: str, text: str) -> None:
        path = self._out / at
        data = text.encode("utf-8", "replace")
        try:
            path.write_bytes(data)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        if not at.startswith(STUBS):
            self._bytes += len(data)


_FORMS = (("atom", "Atom"), ("rss", "RSS"), ("bib", "BibTeX"), ("json", "JSON"))


def template_searches(file: str) -> bool:
    """Whether a file is the page that searches."""
    return file == "search.html"


def name_of(part: Part, said: Language) -> str:
    """What a list is called in a language."""
    match part.kind:
        case "award":
            say = said.say
            return {"prize": say("Prize"), "oral": say("oral"), "spotlight": say("spotlight")}[part.name]
        case "track":
            return part.name or said.say("Main")
    return part.name_zh if said.code.startswith("zh") else part.name


def beside(said: Language, *, one_venue: bool) -> Callable[[Paper], str | None]:
    """What stands beside a paper in a list: where it appeared, or, where that is the same for all, how."""
    if not one_venue:
        return lambda _: ""
    return lambda paper: presented(said, paper.award) or None


def told_to_others(bond: BondView) -> BondView:
    """What ties two records, without a "you", who is not the one that reads a site."""
    said = {"you joined them": "they were joined by hand", "you split them": "they were split by hand"}
    return replace(bond, reason=said.get(bond.reason, bond.reason))


def stub(paper: Paper, keys: Sequence[str], shelf: ShelfView | None, slugs: Sequence[str]) -> str:
    """What of a paper is searched, as HTML that only Pagefind reads; `slugs` are its topics and all above them."""
    names = ", ".join(paper.authors[:3]) + (f" +{len(paper.authors) - 3}" if len(paper.authors) > 3 else "")
    # A filter of its own for each value: Pagefind writes the values of one in another order each time.
    marks = "".join(f'<meta data-pagefind-filter="{key}[content]" content="1">' for key in keys)
    lines = [paper.abstract or paper.summary or paper.tldr, ", ".join(paper.authors), place_of(paper)]
    kept = [("title", paper.title), ("authors", names), ("place", place_of(paper))]
    # Where there is no abstract, the piece around the words is only the title again.
    kept += [("has_text", "1")] if lines[0] else []
    marks += "".join(f'<meta data-pagefind-meta="{name}[content]" content="{escape(value)}">' for name, value in kept)
    tree = bundled_tree()
    topics = [name for slug in slugs for name in (tree[slug].name, tree[slug].name_zh)]
    # A source's own words, where they are no topic of the tree.
    topics += [name for trail in paper.topics if tree.at(trail) is None for name in trail]
    said = [*shelf.tags, shelf.note] if shelf else []
    lines += [", ".join(dict.fromkeys((*topics, *paper.keywords))), *map(str, paper.identifiers), *said]
    body = "".join(f"<p>{escape(line)}</p>" for line in lines if line)
    return (
        f'<!doctype html><html lang="en"><head>{marks}</head><body data-pagefind-body>'
        f"<h1>{escape(paper.title)}</h1>{body}</body></html>"
    )


def _asked(path: str, code: str, kind: str = "html", name: str = "", values: Mapping[str, str] | None = None) -> Asked:
    return Asked(path, values or {}, language(code), _CHOICES, {"name": name}, None, kind)
