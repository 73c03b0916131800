"""Volumes of the Proceedings of Machine Learning Research, as their site is built: one Jekyll post a paper.

A volume is a folder `_posts` of `YYYY-MM-DD-<id>.md` beside a `_config.yml`. A post is YAML between two lines
`---`. What a post does not say of its volume (the conference's short name, and its year, which is not always
that of printing) is in the configuration; `fetch` hands it on as the context of each page, in whatever order
an archive has the files.

Over the network (`octavo.sources.pmlr_online`) a paper comes as a citation, which is made from its post. It is put
together to a post again, so that both ways make the same record.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import yaml

from octavo.errors import EmptyFileError, FormatError, SourceError
from octavo.records.dates import parse_date
from octavo.records.ids import Identifier, openreview_id, url_id
from octavo.records.names import Author, author
from octavo.records.paper import Record, Venue
from octavo.records.venues import short_name
from octavo.sources import entries, pmlr_online
from octavo.sources.base import Fault, Page, SourceInfo
from octavo.sources.entries import BadEntry, Entry
from octavo.sources.online import Ask, Fetcher, Note
from octavo.sources.streams import Context, Member, fetch_pages, open_members, whole_page

_NAME = "pmlr"
_MARKUP = "mixed"
_SITE = "https://proceedings.mlr.press"
_POST = re.compile(r"\d{4}-\d\d?-\d\d?-(?P<id>.+)\.(?:md|markdown)", re.IGNORECASE)
_POSTS = "_posts"
_CONFIG = ("_config.yml", "_config.yaml")
_ARCHIVE = re.compile(r".+\.(?:tar|tgz|zip|tar\.(?:gz|bz2|xz))", re.IGNORECASE)
_MAX_POST = 4 * 1024 * 1024
_MAX_HELD = 32 * 1024 * 1024
"""Bytes of posts that are held back until their volume's configuration comes."""
_OF_VOLUME = ("booktitle", "shortname", "year", "volume", "published")
_AWARDS = ("oral", "poster", "spotlight")
_TEMPLATE_NAME = re.compile(r"\bLastname\b")
"""In the place of a family name where an editor left the form's own words."""

# Citations: PMLR's template writes these fields without quotes, whatever is in them.
_BARE = re.compile(
    r"^( +(?:- )?(?:given|family|prefix|suffix|orcid|volume|URL|DOI|PDF|edit|issue|address|page|id|type|firstpage"
    r"|lastpage|published): )(\S.*)$",
    re.MULTILINE,
)
_MISREAD = re.compile(
    rb"^ +(?:- )?(?:given|family|prefix|suffix|address): (?:[\"'\[{&*!|>%@`#]|[^\n]* #)", re.MULTILINE
)
"""Names that YAML would take for something else, perhaps without complaint."""
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f]")
"""What YAML refuses."""
_STANDS_FOR_CONTROL = 0xF0000
_ITS_NAME = re.compile(r"/([^/]+)\.html")

# All scalars stay as they are written: an id `12e3`, a title `1984` and a volume `048` are text to a reader.
_LOADER: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class PmlrSource:
    """Reads PMLR volumes: files, or from PMLR's site over the network."""

    addresses: Mapping[str, str] = pmlr_online.ADDRESSES
    wants = pmlr_online.WANTS

    info = SourceInfo(
        name=_NAME,
        title="Proceedings of Machine Learning Research",
        covers="ICML, AISTATS, COLT, UAI, CoRL and other conferences that print with PMLR, with abstracts",
        reads="a volume's .tar.gz, a folder of volumes, or one post (.md)",
        example="octavo add pmlr v267.tar.gz",
        terms="the papers belong to their authors (proceedings.mlr.press)",
        seconds_between_requests=pmlr_online.RATE,
    )

    def fetch(self, target: Path) -> Iterator[Page]:
        """Yield each post as a page, with its volume's configuration as context.

        Raises:
            SourceError: of the kind that fits; see `octavo.sources.streams`.
        """
        volumes = _Volumes()
        volumes.configure_by_neighbours(target)
        try:
            yield from fetch_pages(target, volumes.pages, _is_wanted, kind="post (_posts/YYYY-MM-DD-id.md)")
        except SourceError:
            yield from volumes.rest()
            raise
        yield from volumes.rest()
        if not volumes.n_posts:
            raise FormatError(f"{target.name} holds no post.", hint="Name a volume with its folder _posts.")

    def parse(self, page: Page) -> Iterator[Record | Fault]:
        """Yield the Record of the post, or a Fault; for each paper of a page of citations."""
        config: Entry = dict(page.context)
        if config.get(pmlr_online.FORM) == pmlr_online.CITATIONS:
            yield from _parse_citations(page, config)
            return
        name = config.get("file_id", "")
        try:
            post = _front_matter(page.content)
            name = _text(post.get("id")) or name or _text(post.get("title"))
            yield _record(post, config)
        except BadEntry as bad:
            yield Fault(page.place, str(bad), name[:80])

    def want(self, text: str) -> str:
        """A volume: `v267`, `r1`; see `octavo.sources.pmlr_online.want`."""
        return pmlr_online.want(text)

    def harvest(self, ask: Ask, fetcher: Fetcher) -> Iterator[Page | Note]:
        """Yield the papers of the volume in pages of citations; see `OnlineSource.harvest`."""
        yield from pmlr_online.harvest(ask, fetcher, _configuration)


def _is_wanted(name: str) -> bool:
    base = name.rpartition("/")[2]
    return base in _CONFIG or _POST.fullmatch(base) is not None or _ARCHIVE.fullmatch(base) is not None


# Fetching


class _Volumes:
    """The configurations seen so far, by the folder that they stand in, and the posts that wait for one."""

    def __init__(self) -> None:
        self.n_posts = 0
        self._configs: dict[str, Context] = {}
        self._waiting: dict[str, list[Page]] = {}
        self._held = 0

    def pages(self, member: Member) -> Iterator[Page]:
        """The pages that can be given out now that `member` is read."""
        folder, _, base = member.name.rpartition("/")
        if base in _CONFIG:
            # A volume's archive and the next one in a folder have different names above `_posts`.
            self._configs[folder] = _configuration(whole_page(member, limit=_MAX_POST))
            yield from self._released(folder)
            return
        self.n_posts += 1
        root = folder.removesuffix(_POSTS).removesuffix("/")
        page = _post_page(member)
        if root in self._configs:
            yield self._configured(page, root)
            return
        self._waiting.setdefault(root, []).append(page)
        self._held += len(page.content)
        if self._held > _MAX_HELD:
            yield from self.rest()

    def configure_by_neighbours(self, target: Path) -> None:
        """Where a post was named alone, or `_posts`: read the configuration that lies beside."""
        if target.is_dir():
            folders = [target.parent] if target.name == _POSTS else []
        elif _POST.fullmatch(target.name):
            folders = [target.parent, *([target.parent.parent] if target.parent.name == _POSTS else [])]
        else:
            return
        for path in (folder / name for folder in folders for name in _CONFIG):
            if path.is_file():
                with open_members(path) as members:
                    for member in members:
                        self._configs[""] = _configuration(whole_page(member, limit=_MAX_POST))

    def _released(self, root: str) -> Iterator[Page]:
        for page in self._waiting.pop(root, ()):
            self._held -= len(page.content)
            yield self._configured(page, root)

    def _configured(self, page: Page, root: str) -> Page:
        context = page.context + self._configs[root]
        return Page(page.content, page.place, page.cursor, page.line, page.done, context)

    def rest(self) -> Iterator[Page]:
        """The posts whose configuration never came."""
        waiting, self._waiting, self._held = self._waiting, {}, 0
        yield from chain.from_iterable(waiting.values())


def _post_page(member: Member) -> Page:
    found = _POST.fullmatch(member.name.rpartition("/")[2])
    context = (("file_id", found["id"]),) if found else ()
    try:
        return whole_page(member, context=context, limit=_MAX_POST)
    except EmptyFileError:
        return Page(content=b"", place=member.place, done=member.done(), context=context)


def _configuration(page: Page) -> Context:
    try:
        fields = _mapping(page.content)
    except BadEntry as bad:
        raise FormatError(f"{page.place} can't be read: {bad}.", hint="Its posts were read without it.") from bad
    return tuple((field, value) for field in _OF_VOLUME if (value := _text(fields.get(field))))


# Parsing


def _front_matter(content: bytes) -> Entry:
    content = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")
    if not content.startswith(b"---"):
        raise BadEntry("no front matter")
    body, end, _ = (content + b"\n").partition(b"\n---\n")
    if not end:
        raise BadEntry("front matter without an end")
    return _mapping(body)


def _mapping(content: bytes) -> Entry:
    try:
        value = yaml.load(content.decode(), _LOADER)  # noqa: S506 - builds text, lists and dictionaries only
    except UnicodeDecodeError as fault:
        raise BadEntry("not UTF-8") from fault
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise BadEntry("not YAML") from fault
    if not isinstance(value, dict):
        raise BadEntry("not a mapping")
    return {str(key): "" if item in ("null", "~") else item for key, item in value.items()}


# Citations


def _parse_citations(page: Page, config: Entry) -> Iterator[Record | Fault]:
    starts = [found.start() for found in pmlr_online.ENTRY.finditer(page.content)]
    line = page.line
    for start, end in zip(starts, [*starts[1:], len(page.content)], strict=True):
        piece = page.content[start:end]
        name = ""
        try:
            post = _post_of(_citation(piece), config)
            name = _text(post.get("id")) or _text(post.get("title"))
            yield _record(post, config)
        except BadEntry as bad:
            found = _ITS_NAME.search(piece.decode("utf-8", "replace"))
            yield Fault(f"{page.place}, line {line}", str(bad), (name or (found[1] if found else ""))[:80])
        line += piece.count(b"\n")


def _citation(piece: bytes) -> Entry:
    """A citation, read alone so that a broken one costs itself. What YAML refuses of it is mended: control
    characters, and marks of YAML in what the template writes without quotes."""
    content = b"  " + piece.removeprefix(b"- ")
    if not _MISREAD.search(content):
        with suppress(BadEntry):
            return _mapping(content)
    try:
        text = content.decode()
    except UnicodeDecodeError as fault:
        raise BadEntry("not UTF-8") from fault
    text = _CONTROL.sub(lambda found: chr(_STANDS_FOR_CONTROL + ord(found[0])), text)
    text = _BARE.sub(lambda found: found[1] + "'" + found[2].rstrip().replace("'", "''") + "'", text)
    mended: Entry = _with_controls(_mapping(text.encode()))
    return mended


def _with_controls(value: Any) -> Any:
    if isinstance(value, str):
        return "".join(
            chr(ord(char) - _STANDS_FOR_CONTROL) if 0 <= ord(char) - _STANDS_FOR_CONTROL < 0xA0 else char
            for char in value
        )
    if isinstance(value, dict):
        return {key: _with_controls(item) for key, item in value.items()}
    return [_with_controls(item) for item in value] if isinstance(value, list) else value


def _post_of(citation: Entry, config: Entry) -> Entry:
    """The post that a citation was made of, with what the volume's page says of it."""
    named = _ITS_NAME.search(_text(citation.get("URL")))
    name = named[1] if named else _text(citation.get("id"))
    post = {**citation, "id": name, "pdf": citation.get("PDF"), "date": _text(citation.get("published"))[:10]}
    for said in config.get(pmlr_online.LINKS + name, "").split("\n"):
        field, _, value = said.partition("=")
        post[field] = value
    return post


# Fields


def _text(value: object) -> str:
    return entries.cleaned(value) if isinstance(value, str) else ""


def _record(post: Entry, config: Entry) -> Record:
    title = entries.title(post, _MARKUP)
    volume = entries.line(post, "volume") or entries.line(config, "volume")
    if config.get("volume", volume) != volume:
        config = {"file_id": config.get("file_id", "")}  # The configuration is another volume's.
    name = entries.line(post, "id") or entries.line(config, "file_id")
    if not volume or not name:
        raise BadEntry("no volume" if not volume else "no id")
    # Reissued volumes are numbered r1, r2 ...
    key = f"v{volume}/{name}" if volume.isdigit() else f"{volume.lower()}/{name}"
    page = f"{_SITE}/{key}.html"
    section = entries.line(post, "section")
    return Record(
        source=_NAME,
        key=key,
        title=title,
        authors=_authors(post),
        identifiers=_identifiers(page, entries.line(post, "openreview")),
        abstract=entries.text(post, "abstract", _MARKUP),
        venue=_venue(post, config, volume, section),
        status="accepted",
        award=section.lower() if section.lower() in _AWARDS else "",
        published_on=parse_date(
            entries.line(post, "date") or _issued(post) or entries.line(config, "published") or None
        ),
        links=_links(post, page),
        comment=entries.line(post, "note"),
    )


def _venue(post: Entry, config: Entry, volume: str, section: str) -> Venue:
    first, last = entries.line(post, "firstpage"), entries.line(post, "lastpage")
    short = entries.line(config, "shortname")
    return Venue(
        name=entries.line(post, "container-title")
        or entries.line(post, "booktitle")
        or entries.line(config, "booktitle"),
        short=short if short_name(short) == short.upper() else short_name(short),
        year=entries.year(config, "year"),
        volume=volume,
        pages=f"{first}-{last}" if first and last and first != last else first or entries.line(post, "page"),
        publisher=entries.line(post, "publisher"),
        track="" if section.lower() in _AWARDS else section,
    )


def _issued(post: Entry) -> object:
    issued = post.get("issued")
    return issued.get("date-parts") if isinstance(issued, dict) else None


def _identifiers(page: str, forum: str) -> tuple[Identifier, ...]:
    own, review = url_id(page), openreview_id(forum)
    found = (own if own and own.scheme == "pmlr" else None, review)
    return tuple(identifier for identifier in found if identifier is not None)


def _authors(post: Entry) -> tuple[Author, ...]:
    people = post.get("author") or ()
    if not isinstance(people, list | tuple):
        raise BadEntry("author is not a list")
    found = []
    for person in people:
        if not isinstance(person, dict):
            raise BadEntry("author holds what is not a name")
        given, family, prefix, suffix = (entries.line(person, part) for part in ("given", "family", "prefix", "suffix"))
        if _TEMPLATE_NAME.search(family):
            return ()
        if given or family:
            found.append(author(given, family, prefix, suffix))
    return tuple(found)


def _links(post: Entry, page: str) -> tuple[tuple[str, str], ...]:
    links = {
        "page": page,
        "pdf": entries.url(post, "pdf"),
        "code": entries.url(post, "software"),
        "video": entries.url(post, "video"),
        "supplement": entries.url(post, "supplementary") or _supplement(post.get("extras")),
    }
    return tuple((kind, address) for kind, address in links.items() if address)


def _supplement(extras: object) -> str:
    for extra in extras if isinstance(extras, list) else ():
        if isinstance(extra, dict) and "supplement" in entries.line(extra, "label").lower():
            return entries.url(extra, "link")
    return ""
