"""The settings in force, or everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Any

from octavo.config import settings_path
from octavo.errors import ConfigError
from octavo.settings.checking import Checking, Setting
from octavo.settings.document import ConfigFault, load_document
from octavo.settings.encoders import STATIC, parse_encoder_spec, what_is_missing
from octavo.settings.schema import SEARCH, Table, settings_tables
from octavo.settings.values import Value

_MOST_TOLD = 20


@dataclass(frozen=True, slots=True)
class NetworkSettings:
    """How to ask."""

    retry_tries: int
    timeout: float
    """Seconds without a byte."""
    retry_after_max: float
    """The longest pause, in seconds, that a host may ask for."""
    allow_private: tuple[str, ...]
    """Hosts in the reader's own network that may be asked."""


@dataclass(frozen=True, slots=True)
class ServeSettings:
    """Where to answer."""

    host: str
    port: int


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """How to find by meaning."""

    encoder: str = STATIC
    """See `settings.encoders`."""
    query_prefix: str | None = None
    """None: what the model wants."""
    document_prefix: str | None = None


@dataclass(frozen=True, slots=True)
class SourceSettings:
    """What is configured of one source."""

    name: str
    wants: tuple[str, ...]
    """What to keep up with, each once, in the source's own form (`OnlineSource.want`)."""
    every: str
    """`hourly`, `daily`, `weekly`, `monthly` or `never`."""
    addresses: Mapping[str, str]
    """All base addresses of the source by what they are for: the reader's, else its own."""
    options: Mapping[str, str] = field(repr=False)
    """What else is set, as text; what has no value is not in it: `{"metadata": "arXiv", "check": "true"}`. A key of
    the reader's own is `key`."""
    look_up: bool
    """Whether new papers are looked up here on each sync."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in force."""

    path: Path
    """The file, which need not be there."""
    contact: str
    """The reader's e-mail address or web page; may be empty."""
    network: NetworkSettings
    serve: ServeSettings
    sources: Mapping[str, SourceSettings]
    """By name, in the order of the tables."""
    values: tuple[Setting, ...]
    """Each value with where it is from, in the same order."""
    search: SearchSettings = SearchSettings()


def load_search_settings(home: Path, environ: Mapping[str, str]) -> SearchSettings:
    """The table [search] alone, as `load_settings` would have it, without loading any source.

    What is wrong with other tables is passed over; what is no TOML is not, as then nothing can be known of the file.

    Raises:
        ConfigError: something is wrong with it, in the same words.
    """
    document = load_document(settings_path(home))
    named = {one.keys[0] for one in document.headers} | {one.keys[0] for one in document.entries}
    if get_close_matches(SEARCH.name, named - {SEARCH.name}):  # misspelt, or a source's: only all tables can tell
        return load_settings(home, environ).search
    document.headers = [one for one in document.headers if one.keys[0] == SEARCH.name]
    document.entries = [one for one in document.entries if one.keys[0] == SEARCH.name]
    checking = Checking((Table("", ""), SEARCH))
    checking.read_file(document)
    checking.read_environment({name: environ[name] for name in environ if name.startswith(SEARCH.variable(""))})
    if checking.faults:
        raise _error(checking.faults)
    given = {one.key: one.value for one in checking.in_force()}
    found: SearchSettings = _made(SearchSettings, given)
    return found


def missing_packages(settings: Settings) -> tuple[ConfigFault, ...]:
    """What the settings name and is not installed: no fault of the file, but nothing comes of it."""
    told, hint = what_is_missing(parse_encoder_spec(settings.search.encoder))
    if not told:
        return ()
    one = next(one for one in settings.values if (one.table, one.key) == (SEARCH.name, "encoder"))
    place, _, line = one.place.partition(", line ")
    return (ConfigFault(place, int(line or 0), f"{told[:1].lower()}{told[1:]} {hint}"),)


def load_settings(home: Path, environ: Mapping[str, str]) -> Settings:
    """The settings of a home: what variables of the environment say, else its `octavo.toml`, else the defaults.

    Raises:
        ConfigError: something is wrong with them; its `faults` are all of it.
    """
    path = settings_path(home)
    tables = settings_tables()
    checking = Checking(tables)
    checking.read_file(load_document(path))
    checking.read_environment(environ)
    if checking.faults:
        raise _error(checking.faults)
    values = checking.in_force()
    given: dict[str, dict[str, Value]] = {table.name: {} for table in tables}
    for one in values:
        given[one.table][one.key] = one.value
    sources = {table.name: _source(table, given[table.name]) for table in tables if table.is_source}
    return Settings(
        path=path,
        contact=str(given[""]["contact"]),
        network=_made(NetworkSettings, given["network"]),
        serve=_made(ServeSettings, given["serve"]),
        sources=MappingProxyType(sources),
        values=values,
        search=_made(SearchSettings, given[SEARCH.name]),
    )


def _made(kind: type[Any], given: Mapping[str, Value]) -> Any:
    return kind(**given)


def _source(table: Table, given: Mapping[str, Value]) -> SourceSettings:
    by_role: dict[str, dict[str, Any]] = {}
    for one in table.fields:
        name = "key" if one.role == "key" else one.key
        by_role.setdefault(one.role, {})[name] = given[one.key]
    addresses = {one.address: str(given[one.key]) for one in table.fields if one.role == "address"}
    return SourceSettings(
        name=table.name,
        wants=next(iter(by_role.get("wants", {}).values()), ()),
        every=next(iter(by_role.get("every", {}).values()), "never"),
        addresses=MappingProxyType(addresses),
        options=MappingProxyType(dict(_options(by_role.get("option", {}) | by_role.get("key", {})))),
        look_up=any(by_role.get("look_up", {}).values()),
    )


def _options(given: Mapping[str, Value]) -> Iterator[tuple[str, str]]:
    """Options as a source takes them, in text."""
    for key, value in given.items():
        if isinstance(value, bool):
            yield key, str(value).lower()
        elif isinstance(value, date):
            yield key, value.isoformat()
        elif value not in (None, ""):
            yield key, str(value)


def _error(faults: Sequence[ConfigFault]) -> ConfigError:
    if len(faults) == 1:
        return ConfigError(_sentence(str(faults[0])), faults=tuple(faults))
    told = "; ".join(str(fault).rstrip(".") for fault in faults[:_MOST_TOLD])
    more = len(faults) - _MOST_TOLD
    return ConfigError(
        _sentence(f"The configuration has {len(faults)} faults: {told}{f'; and {more} more' if more > 0 else ''}"),
        hint="`octavo config check` lists them.",
        faults=tuple(faults),
    )


def _sentence(said: str) -> str:
    return said if said.endswith((".", "?", "!")) else f"{said}."
