"""The nodes of a topic tree, and the files that they stand in.

A tree is TOML, one file or a folder of them (the bundled one is `octavo/data/topics`, a file an area); a section is a
node, named by its slug:

* `name` and `name_zh`, unique in the tree; `trail`: how it is written under its parent, where that is shorter (the
  topic `Deep Learning Theory` is `Theory · Deep Learning`);
* `kind`, one of KINDS; `parent`, the slug of the node above it, which only an area has none of;
* `aliases`: other spellings and abbreviations, English and Chinese, that name this node and no other;
* `definition` and `definition_zh`, a sentence or two each;
* `near`: slugs of neighbours, nodes elsewhere in the tree that a reader of this one may mean or want next;
* `categories` of arXiv, and `areas` of venues (primary areas, tracks, sections) whose papers belong here;
* `keywords`: what authors write who mean this node among others;
* `same_as`: the node that this one is counted as, where two venues file one subject in two places.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from octavo.errors import TreeError
from octavo.records.fold import fold

KINDS = ("area", "topic", "task", "method")
"""What a node can be: an area has no parent, a topic stands below an area; tasks and methods below a topic."""

MAX_DEFINITION = 300
"""Characters of a definition."""

_MAX_FILE = 4_000_000
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SECTION = re.compile(r"[ \t]*\[([^\]]*)\]")
_FIELD = re.compile(r"[ \t]*([A-Za-z_]+)[ \t]*=")
_NOT_ALNUM = re.compile(r"(?:[^\w\n]|_)+")
_PLURAL_OF_Y = re.compile(r"(?<=\w\w)ies\b")
_PLURAL = re.compile(r"(?<=\w\w[^\W_sui])s\b")
_BRITISH = re.compile("isation|ising|ised|modelling|labelling|labelled|behaviour|colour|centre")
_AMERICAN = {
    "isation": "ization", "ising": "izing", "ised": "ized", "modelling": "modeling",
    "labelling": "labeling", "labelled": "labeled", "behaviour": "behavior", "colour": "color", "centre": "center",
}  # fmt: skip
_TEXTS = {"name": "name", "name_zh": "name_zh", "kind": "kind", "parent": "parent", "trail": "trail_name"}
_TEXTS |= {"definition": "definition", "definition_zh": "definition_zh", "same_as": "same_as"}
_LISTS = {"aliases": "aliases", "near": "neighbours", "categories": "categories", "areas": "venue_areas"}
_LISTS |= {"keywords": "keywords"}
_REQUIRED = ("name", "name_zh", "kind", "definition", "definition_zh")


@dataclass(frozen=True, slots=True)
class Node:
    """An area, a topic, a task or a method."""

    slug: str
    """Its name in code and in addresses, unique in the tree: `large-language-models`."""
    name: str
    name_zh: str
    kind: str
    """One of KINDS."""
    definition: str
    definition_zh: str
    parent: str = ""
    """The slug of the node above; empty for an area."""
    trail_name: str = ""
    """How it is written below its parent: `Deep Learning` for the topic of that name under `Theory`."""
    aliases: tuple[str, ...] = ()
    neighbours: tuple[str, ...] = ()
    """Slugs."""
    categories: tuple[str, ...] = ()
    """arXiv's: `cs.CL`."""
    venue_areas: tuple[str, ...] = ()
    """Primary areas, tracks and sections of venues."""
    keywords: tuple[str, ...] = ()
    same_as: str = ""
    """The slug of the node that it is counted as; empty for nearly all."""


class Source(Protocol):
    """A file or folder, on the disk or in a package."""

    @property
    def name(self) -> str:
        """Its last part."""

    def is_dir(self) -> bool:
        """Whether it is a folder."""

    def iterdir(self) -> Iterator[Source]:
        """What is in a folder."""

    def read_text(self, encoding: str) -> str:
        """What is in a file."""


def key_of(text: str) -> str:
    """Reduce a name to what two spellings of it share; empty where nothing of it is a letter or digit.

    Case, accents, hyphens, spaces, plurals and British spelling vanish.

    >>> key_of("Pre-trained Language Models") == key_of("pretrained language model")
    True
    """
    return "".join(words_of(text))


def words_of(text: str) -> list[str]:
    """The words of a name, each reduced as in `key_of`."""
    return _reduced(text.replace("\n", " ")).split()


def keys_of(texts: Sequence[str]) -> list[str]:
    """What `key_of` gives for each text, none of which has a line break; far faster for many."""
    plain, other = [text for text in texts if text.isascii()], [text for text in texts if not text.isascii()]
    keys: dict[str, str] = {}
    for part in (plain, other):
        reduced = _reduced("\n".join(part)).replace(" ", "").split("\n")
        keys |= zip(part, reduced, strict=True) if part else ()
    return [keys[text] for text in texts]


def _reduced(text: str) -> str:
    """Fold words and lines, and part the words of a line by spaces."""
    words = _NOT_ALNUM.sub(" ", fold(text).replace("&", " and "))
    words = _BRITISH.sub(lambda found: _AMERICAN[found[0]], words)
    return _PLURAL.sub("", _PLURAL_OF_Y.sub("y", words))


def read_nodes(source: Source) -> tuple[Node, ...]:
    """Read a tree's file, or all `.toml` files of a folder by name.

    Raises TreeError, with the file and the line, for what is wrong in it.
    """
    sections = [section for file in _files(source) for section in _sections(file)]
    if not sections:
        raise TreeError(f"No topics in {source.name}.", hint="A topic is a section, as in `[deep-learning]`.")
    nodes = tuple(_checked(section) for section in sections)
    _check_together({section.slug: section for section in sections}, sections, nodes)
    return nodes


def read_plain_nodes(source: Source) -> tuple[Node, ...]:
    """Read what `read_nodes` has been seen to accept, without a check, twenty times as fast.

    Raises ValueError where they use more of TOML than texts and lists that are JSON too, lists indented.
    """
    text = "\n".join(file.read_text(encoding="utf-8") for file in _files(source))
    parts: list[str] = []
    for line in text.split("\n"):
        if line.startswith("["):
            parts.append(f'}},{{"slug":"{line[1:-1]}"')
        elif line.startswith((" ", "]")):
            parts.append(line)
        elif line and line[0] != "#":
            name, _, value = line.partition(" = ")
            parts.append(f',"{name}":{value}')
    return tuple(_made(fields.pop("slug"), fields) for fields in json.loads(f"[{''.join(parts)[2:]}}}]"))


def _files(source: Source) -> list[Source]:
    if not source.is_dir():
        return [source]
    return sorted((one for one in source.iterdir() if one.name.endswith(".toml")), key=lambda one: one.name)


@dataclass(slots=True)
class _Section:
    """A node as written."""

    file: str
    slug: str
    line: int
    fields: dict[str, object]
    lines: dict[str, int]

    def fault(self, what: str, field: str = "", hint: str = "") -> TreeError:
        line = self.lines.get(field, self.line)
        return TreeError(f"{self.file}, line {line}: {what}", hint=hint)


def _sections(file: Source) -> list[_Section]:
    try:
        text = file.read_text(encoding="utf-8").removeprefix("\ufeff")
    except FileNotFoundError:
        raise TreeError(f"No such file: {file}.") from None
    except UnicodeDecodeError as error:
        raise TreeError(f"{file.name} is not UTF-8 (byte {error.start + 1}).", hint="Save it as UTF-8.") from None
    except OSError as error:
        raise TreeError(f"{file.name} can't be read: {error.strerror}.") from None
    if len(text) > _MAX_FILE:
        raise TreeError(f"{file.name} is too large for a tree of topics ({len(text):,} characters).")
    return _parsed(file.name, text)


def _parsed(file: str, text: str) -> list[_Section]:
    lines = text.split("\n")
    starts: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if found := _SECTION.match(line):
            slug = found[1].strip().strip("\"'")
            if slug in starts:
                said = f"{file}, line {number}: a second topic `{slug}`; the first is in line {starts[slug]}."
                raise TreeError(said)
            starts[slug] = number
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found_at = re.search(r"\(at line (\d+)|\(at end of document", str(error))
        at = int(found_at[1]) if found_at and found_at[1] else len(lines)
        said = re.sub(r" \(at .*", "", str(error))
        raise TreeError(f"{file}, line {at}: {said}.", hint="The file has to be TOML.") from None
    sections = []
    for slug, fields in table.items():
        if not isinstance(fields, dict):
            at = next((n for n, line in enumerate(lines, 1) if line.lstrip().startswith(slug)), 1)
            raise TreeError(f"{file}, line {at}: `{slug}` stands outside a topic.")
        start = starts.get(slug, 1)
        sections.append(_Section(file, slug, start, fields, _field_lines(lines, start)))
    return sections


def _field_lines(lines: Sequence[str], start: int) -> dict[str, int]:
    """The line of each field of the section that begins in line `start`."""
    found: dict[str, int] = {}
    for number, line in enumerate(lines[start:], start + 1):
        if _SECTION.match(line):
            break
        if match := _FIELD.match(line):
            found.setdefault(match[1], number)
    return found


def _made(slug: str, fields: Mapping[str, object]) -> Node:
    values = {name: fields.get(field, "") for field, name in _TEXTS.items()}
    values |= {name: tuple(fields.get(field, ())) for field, name in _LISTS.items()}  # type: ignore[arg-type]
    values["trail_name"] = values["trail_name"] or values["name"]
    return Node(slug=slug, **values)  # type: ignore[arg-type]


def _checked(section: _Section) -> Node:
    if not _SLUG.fullmatch(section.slug):
        hint = "Small letters, digits and single hyphens: `[large-language-models]`."
        raise section.fault(f"`{section.slug}` is no slug.", hint=hint)
    for field, value in section.fields.items():
        _check_field(section, field, value)
    for field in _REQUIRED:
        if not str(section.fields.get(field, "")).strip():
            raise section.fault(f"`{section.slug}` has no `{field}`.", field)
    for field in ("definition", "definition_zh"):
        length = len(str(section.fields[field]))
        if length > MAX_DEFINITION:
            said = f"the `{field}` of `{section.slug}` has {length} characters, more than {MAX_DEFINITION}."
            raise section.fault(said, field)
    if section.fields["kind"] not in KINDS:
        raise section.fault(f"`{section.fields['kind']}` is no kind of topic.", "kind", f"One of {', '.join(KINDS)}.")
    if (section.fields["kind"] == "area") == bool(section.fields.get("parent")):
        said = "is an area, and has a parent" if section.fields.get("parent") else "has no `parent`"
        raise section.fault(f"`{section.slug}` {said}.", "parent", "Areas, and only they, have no parent.")
    return _made(section.slug, section.fields)


def _check_field(section: _Section, field: str, value: object) -> None:
    if field in _TEXTS:
        if not isinstance(value, str):
            raise section.fault(f"`{field}` of `{section.slug}` is no text.", field)
    elif field in _LISTS:
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise section.fault(f"`{field}` of `{section.slug}` is no list of texts.", field)
    else:
        known = ", ".join((*_TEXTS, *_LISTS))
        raise section.fault(f"`{section.slug}` has an unknown field `{field}`.", field, f"Known: {known}.")


def _check_together(by_slug: Mapping[str, _Section], sections: Sequence[_Section], nodes: Sequence[Node]) -> None:
    """What no node shows alone: slugs and names of one node only, links that lead somewhere, no cycle."""
    for section in sections:
        first = by_slug[section.slug]
        if first is not section:  # the table holds the last of two
            raise first.fault(f"a second topic `{section.slug}`; the first is in {_place(section, '')}.")
    parents = {node.slug: node.parent for node in nodes}
    for node, section in zip(nodes, sections, strict=True):
        links = [("parent", node.parent), ("same_as", node.same_as), *(("near", one) for one in node.neighbours)]
        for field, slug in links:
            if slug and slug not in by_slug:
                raise section.fault(f"there is no topic `{slug}`, which `{field}` of `{node.slug}` names.", field)
            if slug == node.slug:
                raise section.fault(f"`{field}` of `{node.slug}` names the topic itself.", field)
        _check_cycle(section, parents)
    _check_names(by_slug, nodes)


def _check_cycle(section: _Section, parents: Mapping[str, str]) -> None:
    path = [section.slug]
    while parent := parents.get(path[-1], ""):
        if parent in path:
            way = " → ".join((*path, parent))
            raise section.fault(f"the parents of `{section.slug}` go round: {way}.", "parent")
        path.append(parent)


def _check_names(by_slug: Mapping[str, _Section], nodes: Sequence[Node]) -> None:
    taken: dict[str, tuple[str, str, str]] = {}
    for node in nodes:
        named = [("name", node.name), ("name_zh", node.name_zh), *(("aliases", alias) for alias in node.aliases)]
        for field, name in (*named, ("", node.slug)):
            key = key_of(name)
            if not key:
                raise by_slug[node.slug].fault(f"`{name}` of `{node.slug}` holds no letter.", field)
            slug, as_field, as_name = taken.setdefault(key, (node.slug, field, name))
            if slug != node.slug:
                where = _place(by_slug[slug], as_field)
                said = f"`{name}` names `{node.slug}`, and `{as_name}` names `{slug}` ({where})"
                raise by_slug[node.slug].fault(f"{said}.", field, "A name has to lead to one topic.")
    trails: dict[tuple[str, str], str] = {}
    for node in nodes:
        other = trails.setdefault((node.parent, key_of(node.trail_name)), node.slug)
        if other != node.slug:
            said = f"`{node.slug}` is written `{node.trail_name}` as `{other}` is, under the same parent."
            raise by_slug[node.slug].fault(said, "trail" if "trail" in by_slug[node.slug].lines else "name")


def _place(section: _Section, field: str) -> str:
    return f"{section.file}, line {section.lines.get(field, section.line)}"
