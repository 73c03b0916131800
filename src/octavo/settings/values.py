"""What a setting may be: each kind takes what TOML or the environment gives, and says what is wrong with it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time
from urllib.parse import urlsplit

Value = str | int | float | bool | date | tuple[str, ...] | None
"""None where something is not set and has no value of its own."""

_EMAIL = re.compile(r"[!#-'*-\[\]-~]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+")
_HOST = re.compile(r"[A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9_])?\.?|[0-9A-Fa-f:.]+")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0")
_LONGEST = 2_000
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}


class Unfit(ValueError):  # noqa: N818 - reads as a statement
    """A value that a setting can't take; its text is the rest of a sentence: `is a text, not a list of texts`."""

    def __init__(self, said: str, *, is_whole: bool = False) -> None:
        """`is_whole`: it is a sentence by itself."""
        super().__init__(said)
        self.is_whole = is_whole

    def of(self, name: str) -> str:
        """The sentence about the value that is called so."""
        return f"{name}{':' if self.is_whole else ''} {self}"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value."""

    phrase: str
    """What it is, in a phrase: `a whole number from 1 to 20`."""
    accept: Callable[[object], Value]
    """The value in the form that Octavo keeps; raises Unfit."""
    read: Callable[[str], object]
    """What a variable of the environment means, to be accepted next; raises Unfit."""
    item: Callable[[object], str] | None = None
    """Where the value is a list: what takes each of its items; raises Unfit. `accept` then takes the list only."""


def type_name(value: object) -> str:
    """What TOML calls a value, for people."""
    if isinstance(value, bool):
        return "true or false"
    named: tuple[tuple[type, str], ...] = (
        (str, "a text"),
        (int, "a whole number"),
        (float, "a number"),
        (datetime, "a date with a time"),
        (date, "a date"),
        (time, "a time"),
        (list, "a list"),
        (dict, "a table"),
    )
    return next((name for kind, name in named if isinstance(value, kind)), "of no known kind")


def to_toml(value: Value) -> str:
    """A value as TOML writes it; what could steer a terminal is escaped."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(to_toml, value))}]"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, str):
        return f'"{"".join(map(_escaped, value))}"'
    return repr(value)


def to_key(name: str) -> str:
    """A table's name or a key as TOML writes it."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else to_toml(name)


def text(phrase: str = "a text", check: Callable[[str], str] | None = None) -> Kind:
    """A text on one line, which `check` takes or refuses."""

    def accept(value: object) -> str:
        if not isinstance(value, str):
            raise Unfit(f"is {type_name(value)}, not {phrase}")
        return (check or str)(line_of_text(value))

    return Kind(phrase, accept, str)


def texts(phrase: str, item: Callable[[object], str]) -> Kind:
    """A list; in the environment its items are parted by commas."""

    def accept(value: object) -> tuple[str, ...]:
        if not isinstance(value, list):
            raise Unfit(f"is {type_name(value)}, not {phrase}")
        return ()

    return Kind(phrase, accept, lambda given: [one.strip() for one in given.split(",") if one.strip()], item)


def choice(*options: str) -> Kind:
    """One of some words."""
    phrase = f"{', '.join(options[:-1])} or {options[-1]}"

    def check(value: str) -> str:
        if value not in options:
            raise Unfit(f"is {to_toml(value)}, not {phrase}")
        return value

    return text(phrase, check)


def whole(least: int, most: int) -> Kind:
    """A whole number."""
    phrase = f"a whole number from {least} to {most}"

    def accept(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise Unfit(f"is {type_name(value)}, not {phrase}")
        if not least <= value <= most:
            raise Unfit(f"is {value if abs(value) < 10**20 else 'a huge number'}, not {phrase}")
        return value

    return Kind(phrase, accept, lambda given: _number(given, int, phrase))


def seconds(least: float, most: float) -> Kind:
    """A time in seconds."""
    phrase = f"a number of seconds from {least:g} to {most:g}"

    def accept(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise Unfit(f"is {type_name(value)}, not {phrase}")
        if not least <= value <= most:  # also what is no number
            raise Unfit(f"is {value if math.isnan(value) or abs(value) < 1e20 else 'a huge number'}, not {phrase}")
        return float(value)

    return Kind(phrase, accept, lambda given: _number(given, float, phrase))


def flag() -> Kind:
    """True or false."""
    phrase = "true or false"

    def accept(value: object) -> bool:
        if not isinstance(value, bool):
            raise Unfit(f"is {type_name(value)}, not {phrase}, which stand without quotes")
        return value

    def read(given: str) -> object:
        word = given.strip().lower()
        if word not in (*_YES, *_NO):
            raise Unfit(f"is {to_toml(given)}, not {phrase}")
        return word in _YES

    return Kind(phrase, accept, read)


def since() -> Kind:
    """A day or `all`; None where it is not set."""
    phrase = 'a date such as 2026-01-31, or "all"'

    def accept(value: object) -> Value:
        if isinstance(value, date) and not isinstance(value, datetime):
            return value
        if not isinstance(value, str):
            raise Unfit(f"is {type_name(value)}, not {phrase}")
        if value.strip() == "all":
            return "all"
        try:
            if _DAY.fullmatch(value.strip()):
                return date.fromisoformat(value.strip())
        except ValueError:
            pass
        raise Unfit(f"is {to_toml(line_of_text(value))}, not {phrase}")

    return Kind(phrase, accept, str)


def line_of_text(value: object) -> str:
    """A text without blanks around it; a list's item, or the value of a setting.

    Raises:
        Unfit: it is no text, takes more than a line, or is endless.
    """
    if not isinstance(value, str):
        raise Unfit(f"is {type_name(value)}, not a text in quotes")
    if not value.isprintable():
        raise Unfit("has a line end or another character in it that can't be shown")
    if len(value) > _LONGEST:
        raise Unfit(f"is longer than {_LONGEST} characters")
    return value.strip()


def contact(value: str) -> str:
    """An e-mail address or a web page, in characters that a request's header can carry."""
    is_page = re.fullmatch(r"https?://[A-Za-z0-9_-][!#-'*-\[\]-~]*", value)
    if value and not is_page and not _EMAIL.fullmatch(value):
        raise Unfit(f"is {to_toml(value)}, not an e-mail address or the address of a web page")
    return value


def address(value: str) -> str:
    """A base address, without the slash at its end."""
    try:
        parts = urlsplit(value)
        is_good = parts.scheme in ("http", "https") and bool(_HOST.fullmatch(parts.hostname or ""))
        is_good = is_good and parts.port != 0 and not set(value) & set(' "<>\\')
        has_secret = "@" in parts.netloc
    except ValueError:  # a port or an IPv6 host that is none
        is_good = has_secret = False
    if has_secret:
        raise Unfit("has a user name or password in it, which Octavo never sends")
    if not is_good:
        raise Unfit(f"is {to_toml(value)}, not an http or https address")
    if parts.query or parts.fragment:
        raise Unfit("has a `?` or `#` in it; give the part before that")
    return value.rstrip("/")


def host(value: object) -> str:
    """A host as an address has it."""
    name = line_of_text(value).lower().removeprefix("[").removesuffix("]")
    if not _HOST.fullmatch(name):
        raise Unfit(f"is {to_toml(name)}, not the name of a host alone, such as mirror.lan")
    if name.count(":") == 1:
        raise Unfit(f"is {to_toml(name)}; leave out the port")
    return name


def _number(given: str, number: type[int] | type[float], phrase: str) -> object:
    try:
        return number(given.strip())
    except ValueError:
        raise Unfit(f"is {to_toml(given)}, not {phrase}") from None


def _escaped(char: str) -> str:
    if char in _ESCAPES:
        return _ESCAPES[char]
    if char.isprintable():
        return char
    return f"\\u{ord(char):04x}" if ord(char) < 0x10000 else f"\\U{ord(char):08x}"
