"""The one table of what can be set: it drives reading, `octavo config show` and `init`, and the documentation.

The tables of sources are made from the sources themselves, so that their addresses, and what can be asked of them, are
said in one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import entry_points

from octavo.errors import OctavoError, UsageError
from octavo.settings import values
from octavo.settings.encoders import KNOWN, STATIC, parse_encoder_spec
from octavo.settings.values import Kind, Unfit, Value
from octavo.sources.base import Source
from octavo.sources.registry import GROUP, get_source

PREFIX = "OCTAVO_"
"""How a variable of the environment begins that sets something."""

EVERY = ("hourly", "daily", "weekly", "monthly", "never")
"""How often a source may be asked."""

_ADDRESS = "_address"


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that can be set."""

    key: str
    kind: Kind
    default: Value
    says: str
    """What it does, in sentences."""
    role: str = "option"
    """What it is to its source: `wants`, `every`, `look_up`, `address`, `key` or `option`."""
    example: Value = None
    """A value to show where the default shows nothing."""
    is_secret: bool = False

    @property
    def address(self) -> str:
        """Of an address: what it is for, as the source calls it."""
        return self.key.removesuffix(_ADDRESS)

    @property
    def shape(self) -> Value:
        """A value that shows how one looks."""
        return self.default if self.example is None else self.example

    @property
    def in_shell(self) -> str:
        """The same as it is written into a variable of the environment."""
        shape = self.shape
        if isinstance(shape, tuple):
            return f'"{",".join(shape)}"'
        return shape if isinstance(shape, str) else values.to_toml(shape)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the file; its name is empty for what stands above all tables."""

    name: str
    says: str
    fields: tuple[Field, ...] = ()
    is_source: bool = False
    broken: str = ""
    """Why the source can't be loaded, so that nothing of it is known."""

    def variable(self, key: str) -> str:
        """The variable of the environment that sets a key of this table."""
        table = f"{_upper(self.name)}__" if self.name else ""
        return f"{PREFIX}{table}{_upper(key)}"


@dataclass(frozen=True, slots=True)
class _Own:
    """What the configuration knows of a source of Octavo's that the source does not say itself."""

    wants: str
    """The key of what is wanted."""
    example: tuple[str, ...]
    every: str
    has_numbers: bool = False
    """Whether a bare number names something: `267`."""


_OWN = {
    "arxiv": _Own("categories", ("cs.LG", "stat.ML"), "daily"),
    "openreview": _Own("venues", ("ICLR.cc/2026/Conference",), "daily"),
    "pmlr": _Own("volumes", ("v267",), "weekly", has_numbers=True),
    "acl": _Own("volumes", ("2024.acl",), "weekly"),
    "mlanthology": _Own("editions", ("icml-2025",), "weekly"),
    "dblp": _Own("streams", ("conf/icml/2025",), "weekly"),
}
_LOOKED_UP = {
    "crossref": "publishers' own data by DOI",
    "openalex": "citations, affiliations and open copies",
    "semanticscholar": "abstracts, summaries and other ids",
}
_KEYED = ("openalex", "semanticscholar")

_TOP = (
    Field(
        "contact",
        values.text("an e-mail address or a web page", values.contact),
        "",
        "Your e-mail address or web page. Servers that are asked are told it, so that they can reach you; several "
        "treat you better for it.",
        example="you@example.org",
    ),
)
_NETWORK = Table(
    "network",
    "How to ask.",
    (
        Field("retry_tries", values.whole(1, 20), 5, "How often a request is tried before it counts as failed."),
        Field(
            "timeout",
            values.seconds(1, 600),
            90.0,
            "Seconds without a byte after which a try has failed; arXiv may take 40.",
        ),
        Field(
            "retry_after_max",
            values.seconds(0, 86_400),
            120.0,
            "The longest pause, in seconds, that a server may ask for; with a longer one the sync of that source ends.",
        ),
        Field(
            "allow_private",
            values.texts("a list of hosts", values.host),
            (),
            "Hosts on this machine or in its own network that may be asked, and without a pause between requests; "
            "else only the public internet is.",
            example=("mirror.lan", "localhost"),
        ),
    ),
)
_SERVE = Table(
    "serve",
    "Where Octavo answers when it is asked to serve.",
    (
        Field("host", values.text("a host", values.host), "127.0.0.1", "The address to listen on."),
        Field("port", values.whole(1, 65_535), 8737, "The port."),
    ),
)


def _encoder(value: str) -> str:
    try:
        return str(parse_encoder_spec(value))
    except ValueError as fault:
        raise Unfit(f"is {values.to_toml(value)}; it {fault}") from None


def _prefix() -> Kind:
    """A text as it stands, blanks at its ends and line ends too; None where it is not set."""
    phrase = "a text"

    def accept(value: object) -> Value:
        if not isinstance(value, str):
            raise Unfit(f"is {values.type_name(value)}, not {phrase}")
        values.line_of_text(value.replace("\n", " ").replace("\t", " "))  # refuses what can't be shown
        return value

    return Kind(phrase, accept, str)


SEARCH = Table(
    "search",
    "How papers are found by meaning. docs/encoders.md says what each encoder needs and costs.",
    (
        Field(
            "encoder",
            values.text("an encoder", _encoder),
            STATIC,
            f"What turns texts into vectors: {KNOWN}. Another one makes all vectors anew, in the background.",
            example="st:sentence-transformers/all-MiniLM-L6-v2",
        ),
        Field(
            "query_prefix",
            _prefix(),
            None,
            "What an encoder reads before each query. Where nothing is set: what the model itself or its family wants; "
            '"" for nothing.',
            example="query: ",
        ),
        Field(
            "document_prefix",
            _prefix(),
            None,
            "What an encoder reads before each paper. Where nothing is set: what the model itself or its family wants; "
            '"" for nothing.',
            example="passage: ",
        ),
    ),
)
_ARXIV = (
    Field(
        "since",
        values.since(),
        None,
        'The first day that is wanted, or "all" for everything that arXiv has. Where nothing is set: 30 days before '
        "the first sync.",
        example="all",
    ),
    Field(
        "metadata",
        values.choice("arXivRaw", "arXiv"),
        "arXivRaw",
        "The format that is asked for: arXivRaw has the date of each version, arXiv has authors' names in parts and "
        "the date of the current version only.",
    ),
    Field("check", values.flag(), True, "Whether the day's list is held against arXiv's own, so that none is missed."),
)
_KEY = Field(
    "api_key",
    values.text("a text"),
    "",
    "Your own key, for a faster pace; nothing needs one.",
    "key",
    example="...",
    is_secret=True,
)


def settings_tables() -> tuple[Table, ...]:
    """All tables, in the order of the file; sources of other packages are loaded for it."""
    return (
        Table("", "Above all tables.", _TOP),
        _NETWORK,
        *(_listed(name, get_source(name), own) for name, own in _OWN.items()),
        *(_looked_up(name, get_source(name), what) for name, what in _LOOKED_UP.items()),
        *_others(),
        SEARCH,
        _SERVE,
    )


def _listed(name: str, source: Source, own: _Own) -> Table:
    wanted = getattr(source, "wants", "")
    says = f"What to keep up with: {wanted or 'nothing yet'}. Nothing is asked for that is not listed here."
    options = _ARXIV if name == "arxiv" else ()
    fields = (
        Field(
            own.wants, values.texts("a list of texts", _want(source, own.has_numbers)), (), says, "wants", own.example
        ),
        *options,
        _every(own.every),
        *_addresses(source),
    )
    return Table(name, _about(source), fields, is_source=True)


def _looked_up(name: str, source: Source, what: str) -> Table:
    says = "Whether new papers are looked up here on each sync."
    fields = (
        Field("look_up", values.flag(), False, says, "look_up", example=True),
        *((_KEY,) if name in _KEYED else ()),
        _every("weekly"),
        *_addresses(source),
    )
    return Table(name, f"{_about(source)} It completes papers that are there: {what}.", fields, is_source=True)


def _about(source: Source) -> str:
    info = source.info
    pace = info.seconds_between_requests
    paced = ""
    if pace > 0:
        paced = f" At most {f'a request in {pace:g} seconds' if pace > 1 else f'{1 / pace:.0f} a second'}."
    return f"{info.title}: {info.covers}.{paced}{f' Terms: {info.terms}.' if info.terms else ''}"


def _others() -> Iterator[Table]:
    """The tables of sources of other packages; names that are taken here are Octavo's."""
    taken = {"", "network", "search", "serve", *_OWN, *_LOOKED_UP}
    for name in sorted({point.name for point in entry_points(group=GROUP)} - taken):
        try:
            source = get_source(name)
            if type(source).__module__.partition(".")[0] != "octavo":  # Octavo's own of that name comes first
                yield _listed(name, source, _Own("wants", (), "daily"))
        except Exception as fault:  # another package's code may raise anything
            reason = str(fault) if isinstance(fault, OctavoError) else f"the source {name} can't be used: {fault!r}"
            yield Table(name, "It can't be loaded.", is_source=True, broken=reason)


def _want(source: Source, has_numbers: bool) -> Callable[[object], str]:
    """What takes one item of what is wanted of a source, in the source's own form."""
    normalised = getattr(source, "want", None)

    def accept(item: object) -> str:
        if has_numbers and isinstance(item, int) and not isinstance(item, bool) and 0 <= item < 10**9:
            item = str(item)
        given = values.line_of_text(item)
        if not given:
            raise Unfit("is empty")
        if normalised is None:
            return given
        try:
            return str(normalised(given))
        except UsageError as fault:
            raise Unfit(str(fault), is_whole=True) from fault
        except Exception as fault:  # another package's code may raise anything
            raise Unfit(f"is {values.to_toml(given)}, at which the source failed: {fault!r}") from fault

    return accept


def _every(default: str) -> Field:
    says = f"How often a sync asks: {', '.join(EVERY)}."
    return Field("every", values.choice(*EVERY), default, says, "every")


def _addresses(source: Source) -> Iterator[Field]:
    addresses: Mapping[str, str] = getattr(source, "addresses", {})
    for role, default in addresses.items():
        says = f"The address of its {role}; write that of a mirror here if there is one."
        kind = values.text("an http or https address", values.address)
        yield Field(f"{role}{_ADDRESS}", kind, default.rstrip("/"), says, "address")


def _upper(name: str) -> str:
    return re.sub(r"[^A-Z0-9]", "_", name.upper())
