"""The glossary: what the words of the field mean, in English and Chinese.

It stands in `octavo/data/glossary`, a file a field. A file is TOML with each value on one line, so that it can be read
quickly and a fault has a line:

* before the first table `field` and `field_chinese`, the names of the field;
* then a table a term, named by its slug: `english`, `chinese`; `also` and `also_chinese`, other names, recognised in
  texts like the first; `short`, abbreviations, recognised in this case only; `quiet`, names (of those before, or more)
  that a look-up knows but that are not recognised, since they mostly mean something else; `unless`, phrases in which
  the words are not the term; `see`, slugs of neighbours; `papers`, arXiv identifiers of the first papers; `meaning`
  and `meaning_chinese`.

`octavo.topics.recognise` finds the terms in texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from octavo.errors import FormatError
from octavo.topics.forms import key, singular_keys

_REQUIRED = ("english", "chinese", "meaning", "meaning_chinese")
_LISTS = ("also", "also_chinese", "short", "quiet", "unless", "see", "papers")
_TEXTS = frozenset(_REQUIRED)
_KEYS = frozenset((*_REQUIRED, *_LISTS))
_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_TABLE = re.compile(r"\[([^\[\]]*)\]")
_ENTRY = re.compile(r'([a-z_]+) = (".*"|\[.*\])')
_ARXIV = re.compile(r"\d{4}\.\d{4,5}|[a-z-]+/\d{7}")


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the field, with its names and its meaning."""

    slug: str
    field: str
    """Slug of its field (`Glossary.fields`)."""
    english: str
    chinese: str
    meaning: str
    meaning_chinese: str
    also: tuple[str, ...] = ()
    also_chinese: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    see: tuple[str, ...] = ()
    papers: tuple[str, ...] = ()
    """arXiv identifiers."""

    def name(self, language: str = "en") -> str:
        """What it is called in a language (`zh`, `zh_CN` for Chinese, else English)."""
        return self.chinese if language.startswith("zh") else self.english

    def definition(self, language: str = "en") -> str:
        """What it means, said in a language."""
        return self.meaning_chinese if language.startswith("zh") else self.meaning

    @property
    def names(self) -> tuple[str, ...]:
        """All that it is called, the English name first, the Chinese ones last, each once."""
        return tuple(
            dict.fromkeys((self.english, *self.also, *self.short, *self.quiet, self.chinese, *self.also_chinese))
        )


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the glossary."""

    slug: str
    english: str
    chinese: str

    def name(self, language: str = "en") -> str:
        """What it is called in a language."""
        return self.chinese if language.startswith("zh") else self.english


@dataclass(frozen=True, slots=True)
class Glossary:
    """All terms, in the order of their English names."""

    terms: Mapping[str, Term]
    """By slug."""
    fields: Mapping[str, Field]
    _keys: Mapping[str, str] = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.terms)

    def __iter__(self) -> Iterator[Term]:
        return iter(self.terms.values())

    def get(self, slug: str) -> Term | None:
        """The term of a slug."""
        return self.terms.get(slug)

    def find(self, name: str) -> Term | None:
        """The term of a name, in either language, whatever its case, hyphens or number; also of a slug.

        >>> glossary().find("Gram matrices").slug
        'gram-matrix'
        """
        wanted = key(name)
        for candidate in (wanted, *singular_keys(wanted)):
            slug = self._keys.get(candidate)
            if slug:
                return self.terms[slug]
        return self.terms.get(name)

    def of_field(self, slug: str) -> tuple[Term, ...]:
        """The terms of a field."""
        return tuple(term for term in self if term.field == slug)

    @classmethod
    def of(cls, texts: Mapping[str, str]) -> Glossary:
        """Read files: their names and what is in them.

        Raises:
            FormatError: A file is not as said above, a name or a meaning is missing, two terms have one name, or one
                points to a term that is not there. All faults are told, each with its file and line.
        """
        read = _Reading()
        for name, text in texts.items():
            read.take(name, text)
        return read.made()


class _Reading:
    """Terms out of files, and what is wrong with them."""

    def __init__(self) -> None:
        self.terms: dict[str, Term] = {}
        self.fields: dict[str, Field] = {}
        self.keys: dict[str, str] = {}
        self.lines: dict[str, list[str]] = {}
        self.files: dict[str, str] = {}
        self.faults: list[str] = []

    def take(self, name: str, text: str) -> None:
        """Read a file."""
        lines = self.lines[name] = text.split("\n")
        stem = name.rpartition(".")[0] or name
        try:
            tables = _quickly(lines)
        except ValueError:
            self.faults += _broken(name, lines)
            return
        head = tables.pop("", {})
        if not (head.get("field") and head.get("field_chinese")):
            self.faults.append(f"{name}:1: the field has no name: field = and field_chinese = stand before the terms")
        self.fields[stem] = Field(stem, str(head.get("field", stem)), str(head.get("field_chinese", stem)))
        for slug, values in tables.items():
            self._take_term(name, stem, slug, values)

    def _take_term(self, name: str, stem: str, slug: str, values: dict[str, Any]) -> None:
        wrong = _wrong(slug, values)
        if slug in self.terms:
            wrong = f"there is a term {slug} already, in {self.files[slug]}"
        if wrong:
            self._fault(name, slug, wrong)
            return
        self.files[slug] = name
        lists = {known: tuple(values[known]) for known in _LISTS if known in values}
        term = self.terms[slug] = Term(
            slug, stem, values["english"], values["chinese"], values["meaning"], values["meaning_chinese"], **lists
        )
        for called in term.names:
            known = key(called)
            other = self.keys.setdefault(known, slug)
            if other != slug:
                self._fault(name, slug, f"{called!r} is a name of {other} already ({self.files[other]})")

    def made(self) -> Glossary:
        """What was read.

        Raises:
            FormatError: Something is wrong.
        """
        for term in self.terms.values():
            for other in term.see:
                if other not in self.terms or other == term.slug:
                    self._fault(self.files[term.slug], term.slug, f"see: there is no other term {other!r}")
        if self.faults:
            raise FormatError("the glossary can't be used:\n" + "\n".join(self.faults))
        terms = dict(sorted(self.terms.items(), key=lambda item: item[1].english.casefold()))
        return Glossary(MappingProxyType(terms), MappingProxyType(self.fields), MappingProxyType(self.keys))

    def _fault(self, name: str, slug: str, wrong: str) -> None:
        tables = [number for number, line in enumerate(self.lines[name], 1) if line.strip() == f"[{slug}]"]
        self.faults.append(f"{name}:{tables[-1] if tables else 1}: {slug}: {wrong}")


def _quickly(lines: list[str]) -> dict[str, dict[str, Any]]:
    """The tables of a file, the head under an empty name, all values read as JSON at once.

    A value that is a string or a list of strings on one line is the same in TOML and in JSON.

    Raises:
        ValueError: Something is not as it should be; `_broken` says what.
    """
    pieces: list[str] = ['["",{']
    comma = ""
    for line in lines:
        if not line or line[0] == "#":
            continue
        if line[0] == "[":
            pieces.append(f'}},"{line[1:-1]}",{{')
            comma = ""
            continue
        name, equals, value = line.partition(" = ")
        if not equals:
            raise ValueError(line)
        pieces.append(f'{comma}"{name}":{value}')
        comma = ","
    pieces.append("}]")
    flat = json.loads("".join(pieces))
    tables = dict(zip(flat[::2], flat[1::2], strict=True))
    if len(tables) * 2 != len(flat):
        raise ValueError("two tables of one name")
    return tables


def _broken(name: str, lines: list[str]) -> list[str]:
    """What `_quickly` stumbled over, with the lines."""
    faults: list[str] = []
    tables: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        if not line or line[0] == "#":
            continue
        table = _TABLE.fullmatch(line)
        if table:
            if table[1] in tables:
                faults.append(f"{name}:{number}: there is a term {table[1]} already, in line {tables[table[1]]}")
            tables.setdefault(table[1], number)
            continue
        entry = _ENTRY.fullmatch(line)
        try:
            json.loads(entry[2] if entry else "")
        except ValueError:
            faults.append(f"{name}:{number}: neither [slug] nor name = a text or a list of texts on this line")
    return faults or [f"{name}:1: this can't be read"]


def _wrong(slug: str, values: dict[str, Any]) -> str:
    """What is wrong with a term, empty where nothing is."""
    if not _SLUG.fullmatch(slug):
        return "a slug has small letters, figures and single hyphens"
    if not values.keys() <= _KEYS:
        return f"unknown: {', '.join(sorted(values.keys() - _KEYS))}; known are {', '.join(sorted(_KEYS))}"
    for required in _REQUIRED:
        if required not in values:
            return f"{required} is missing"
    for name, value in values.items():
        if name in _TEXTS:
            if type(value) is not str or not value.strip():
                return f"{name} is missing or empty"
        elif type(value) is not list or set(map(type, value)) != {str} or "" in map(str.strip, value):
            return f"{name} must be a list of texts"
    for paper in values.get("papers", ()):
        if not _ARXIV.fullmatch(paper):
            return f"papers: {paper!r} is no arXiv identifier"
    return ""


@cache
def glossary() -> Glossary:
    """The bundled glossary, read once.

    Raises:
        FormatError: It was edited, and something is wrong with it.
    """
    folder = files("octavo.data") / "glossary"
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    return Glossary.of({name: (folder / name).read_text(encoding="utf-8") for name in names})
