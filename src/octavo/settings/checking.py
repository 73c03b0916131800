"""Holding a file and the environment against the tables: the values that are set, and all that is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import cast

from octavo.config import HOME_VARIABLE
from octavo.settings.document import ConfigFault, Document, Entry, Header, Keys, shown
from octavo.settings.schema import PREFIX, Field, Table
from octavo.settings.values import Unfit, Value, to_key, to_toml

DEFAULT, FILE, ENVIRONMENT = "default", "file", "environment"
"""Where a value is from."""

OTHER_VARIABLES = frozenset({HOME_VARIABLE, "OCTAVO_DEBUG", "OCTAVO_UPDATE_EXPECTED"})
"""Variables that begin like those of settings and are none."""

Note = Callable[[int | None, str], None]
"""Told of a fault, and of the item of a list that it is about."""

_OF_CLUSTERS = re.compile(r"OCTAVO(_[A-Z0-9]+)*_(SERVICE_(HOST|PORT(_.+)?)|PORT(_\d+_(TCP|UDP|SCTP)(_\w+)?)?)")
"""What Kubernetes and Docker set in every container beside a service that is called octavo."""
_NO_NESTING = "there are no tables within a table here"


@dataclass(frozen=True, slots=True)
class Setting:
    """A value in force, and where it is from."""

    table: str
    """Empty for what stands above all tables."""
    key: str
    value: Value = field(repr=False)
    origin: str
    """`default`, `file` or `environment`."""
    place: str
    """`octavo.toml, line 7` or `OCTAVO_ARXIV__CATEGORIES`; empty for a default."""
    is_secret: bool = False


class Checking:
    """Collects what is set, and what is wrong with it."""

    def __init__(self, tables: tuple[Table, ...]) -> None:
        self._tables = {table.name: table for table in tables}
        self._found: dict[tuple[str, str], Setting] = {}
        self._told: set[Keys] = set()
        """Tables that something was said of, which is then not said again for each of their keys."""
        self._document = Document("")
        self.faults: list[ConfigFault] = []

    def in_force(self) -> tuple[Setting, ...]:
        """Every setting, in the order of the tables."""
        return tuple(
            self._found.get((table.name, one.key))
            or Setting(table.name, one.key, one.default, DEFAULT, "", one.is_secret)
            for table in self._tables.values()
            for one in table.fields
        )

    def read_file(self, document: Document) -> None:
        """Take what a file says; its faults, those of its form too, are put in the order of their lines."""
        self._document = document
        self.faults += document.faults
        for header in document.headers:
            self._header(header)
        for entry in document.entries:
            self._entry(entry)
        self.faults.sort(key=lambda fault: fault.line)

    def _header(self, header: Header) -> None:
        name = header.keys[0]
        if self._table(name, header.line) is None:
            return
        if header.is_list:
            self._fault(header.line, f"[[ ]] begins a list of tables, which there is none of; write [{to_key(name)}]")
        elif len(header.keys) > 1:
            self._nested(header.keys, header.line)

    def _nested(self, tables: Keys, line: int) -> None:
        if tables not in self._told:
            self._told.add(tables)
            self._fault(line, f"{_NO_NESTING}; write [{to_key(tables[0])}]")

    def _entry(self, entry: Entry) -> None:
        tables, key = entry.keys[:-1], entry.keys[-1]
        if not tables and not _field(self._tables[""], key):
            if entry.value == {}:
                self._table(key, entry.line)
                return
            if key in self._tables:
                text = f"`{shown(key)}` is the name of a table; begin it by a line [{to_key(key)}]"
                self._fault(entry.line, text)
                return
        name = tables[0] if tables else ""
        table = self._table(name, entry.line)
        if table is None or tables in self._told:
            return
        if len(tables) > 1:
            self._nested(tables, entry.line)
        elif wanted := _field(table, key):
            self._take(table, wanted, entry)
        else:
            self._fault(entry.line, self._no_key(table, key))

    def _take(self, table: Table, wanted: Field, entry: Entry) -> None:
        def note(item: int | None, text: str) -> None:
            self._fault(entry.line_of(item), text)

        value = _accepted(wanted, entry.value, f"`{wanted.key}`", f"{wanted.key} = {to_toml(wanted.shape)}", note)
        if not isinstance(value, Unfit):
            place = f"{self._document.place}, line {entry.line}"
            setting = Setting(table.name, wanted.key, value, FILE, place, wanted.is_secret)
            self._found[table.name, wanted.key] = setting

    def _table(self, name: str, line: int) -> Table | None:
        """The table of that name; None where there is none or nothing can be known of it, which is told once."""
        table = self._tables.get(name)
        if table and not table.broken:
            return table
        if (name,) not in self._told:
            self._told.add((name,))
            self._fault(line, table.broken if table else self._no_table(name))
        return None

    def _no_table(self, name: str) -> str:
        names = [one for one in self._tables if one]
        near = _nearest(name, names)
        rest = f"did you mean [{to_key(near)}]?" if near else f"there are {', '.join(map(to_key, names))}"
        return f"there is no table [{to_key(shown(name))}]; {rest}"

    def _no_key(self, table: Table, key: str) -> str:
        told = f"there is no key `{shown(key)}` {f'in [{to_key(table.name)}]' if table.name else 'above the tables'}"
        own = [one.key for one in table.fields]
        if near := _nearest(key, own):
            return f"{told}; did you mean `{near}`?"
        elsewhere = [name for name, other in self._tables.items() if _field(other, key)]
        if "" in elsewhere:
            return f"{told}; it stands above the first table"
        if elsewhere:
            return f"{told}; it stands below {' or '.join(f'[{to_key(name)}]' for name in elsewhere)}"
        return f"{told}; there is {', '.join(own)}"

    def _fault(self, line: int, text: str) -> None:
        self.faults.append(ConfigFault(self._document.place, line, text))

    def read_environment(self, environ: Mapping[str, str]) -> None:
        """Take what variables say, before what the file says."""
        known = {table.variable(one.key): (table, one) for table in self._tables.values() for one in table.fields}
        for variable in sorted(environ):
            if variable in known:
                self._variable(variable, environ[variable], *known[variable])
            elif (
                variable.startswith(PREFIX) and variable not in OTHER_VARIABLES and not _OF_CLUSTERS.fullmatch(variable)
            ):
                self.faults.append(ConfigFault(shown(variable), 0, self._no_variable(variable, known)))

    def _variable(self, variable: str, given: str, table: Table, wanted: Field) -> None:
        def note(_item: int | None, text: str) -> None:
            self.faults.append(ConfigFault(variable, 0, text))

        example = f"{variable}={wanted.in_shell}"
        try:
            read = wanted.kind.read(given)
        except Unfit as fault:
            note(None, _refusal("it", fault, wanted, example))
            return
        value = _accepted(wanted, read, "it", example, note)
        if not isinstance(value, Unfit):
            setting = Setting(table.name, wanted.key, value, ENVIRONMENT, variable, wanted.is_secret)
            self._found[table.name, wanted.key] = setting

    def _no_variable(self, variable: str, known: Iterable[str]) -> str:
        for table in self._tables.values():
            if table.broken and variable.startswith(table.variable("")):
                return table.broken
        near = next(iter(get_close_matches(variable, known, n=1, cutoff=0.8)), "")
        rest = f"did you mean {near}?" if near else "the form is OCTAVO_<TABLE>__<KEY>: OCTAVO_ARXIV__CATEGORIES"
        return f"there is no setting of that name; {rest}"


def _field(table: Table, key: str) -> Field | None:
    return next((one for one in table.fields if one.key == key), None)


def _nearest(name: str, names: Iterable[str]) -> str:
    """The one of `names` that was probably meant; empty where none is near."""
    folded = {one.lower().replace("-", "_"): one for one in names}
    near = get_close_matches(name[:100].lower().replace("-", "_"), folded, n=1, cutoff=0.6)
    return folded[near[0]] if near else ""


def _accepted(wanted: Field, given: object, name: str, example: str, note: Note) -> Value | Unfit:
    """The value as it is kept; an Unfit where something was wrong, all of which `note` was told."""
    try:
        accepted = wanted.kind.accept(given)
    except Unfit as fault:
        note(None, _refusal(name, fault, wanted, example))
        return fault
    if wanted.kind.item is None:
        return accepted
    items: dict[str, None] = {}
    wrong = None
    for n, one in enumerate(cast("list[object]", given)):
        try:
            items[wanted.kind.item(one)] = None  # each once
        except Unfit as fault:
            note(n, _refusal(f"item {n + 1}" if name == "it" else f"item {n + 1} of {name}", fault, wanted, ""))
            wrong = fault
    return wrong or tuple(items)


def _refusal(name: str, fault: Unfit, wanted: Field, example: str) -> str:
    if wanted.is_secret:  # what was given may be a part of the secret
        return f"{name} can't be used; it must be {wanted.kind.phrase}"
    return f"{fault.of(name)}{f'; as in {example}' if example else ''}"
