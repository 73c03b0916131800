"""BibTeX's grammar: a file as entries, where a damaged entry costs itself and is named by its line.

    @article{key, title = {Fast {T}iles}, journal = jot # { B}, year = 2031}

BibTeX counts every brace, whatever stands before it. An entry ends where its braces close; it is broken where they
do not before the next line that begins with `@type{`, so that a missing brace never swallows what follows. Behind a
broken entry, what looks like the head of another (`@type{key, field =`) begins one wherever it stands.

Read as they are meant: an entry without a key or with brackets for braces, a missing or doubled comma, a macro that
is not defined (its name stands for it), text without quotes. Text between entries is a comment, as it is to BibTeX;
but where it holds fields, somebody's entry lost its head, and it is told as broken too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

Macros = Mapping[str, str]
"""What stands for a word without quotes, by its name in lower case."""


@dataclass(frozen=True, slots=True)
class RawEntry:
    """An entry as written; `broken` says what is wrong with it where it can't be read."""

    line: int
    """Where it begins, counted from the first line given."""
    kind: str = ""
    """Its type in lower case; empty where text that stood between entries is broken."""
    key: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)
    """Values by name in lower case, macros replaced, the outer braces or quotes taken off."""
    broken: str = ""


class _Broken(Exception):  # noqa: N818 - reads as a statement
    """An entry can't be read; its argument is the reason."""


NO_ENTRY = frozenset({"comment", "preamble", "string"})
"""What begins like an entry and is none."""
MONTHS = {name: name for name in ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")}
"""The macros that every style defines."""

# Repetitions are possessive or bounded, so that no text is slow to refuse.
_HARD_HEAD = re.compile(r"^@[ \t]*+([A-Za-z][\w-]*+)\s*+([{(])", re.MULTILINE)
_HEAD = re.compile(r"(?<![\w@])@[ \t]*+([A-Za-z][\w-]*+)\s*+([{(])")
_STRING_HEAD = re.compile(r"(?<![\w@])@[ \t]*+string\s*+[{(]", re.IGNORECASE)
_FULL_HEAD = re.compile(
    r"(?<![\w@])@[ \t]*+[A-Za-z][\w-]*+\s*+[{(](?=\s*+(?:[^\s,{}()=\"]{0,300}+\s*+,\s*+)?[A-Za-z][\w-]*+\s*+=)"
)
_KEY = re.compile(r"\s*+([^,={}\"\n]{0,500}+)\s*+(?=[,})])")
_NAME = re.compile(r"([^\W\d][\w:.+/*-]*+)\s*+=")
_BETWEEN = re.compile(r"(?:[\s,]+|%[^\n]*)*")
_BLANKS = re.compile(r"\s*")
_BARE = re.compile(r"[^\s,{}\"#=]+(?:[ \t]+(?![^\W\d][\w:.+/*-]*+\s*+=)[^\s,{}\"#=]+)*")
_BRACE = re.compile(r"[{}]")
_QUOTE = re.compile(r'\\"|[{}"]')
_COMMENT_LINE = re.compile(r"^[ \t]*%[^\n]*", re.MULTILINE)
_LOST = re.compile(
    r"(?<![\w-])[A-Za-z][\w-]*+\s*+=\s*+[{\"]|^[ \t]*+@(?!\s*+(?:comment|preamble|string)\b)[A-Za-z]",
    re.MULTILINE | re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s*+,\s*+[A-Za-z][\w-]*+\s*+=")
_MAX_MACRO = 65_536
"""Characters of one definition."""
_COMMENTED = 200
"""Characters before an entry that are looked at for the sign that comments it out."""
_NOT_CLOSED = "a brace or a quote is not closed"
_TOO_EARLY = "a brace too many: the entry ends before its fields do"
_NO_FIELD = "what should be a field is none"
_NO_ENTRY_TEXT = "fields that belong to no entry"


def raw_entries(text: str, macros: Macros) -> Iterator[RawEntry]:
    """Yield the entries of a text in order, broken ones too; never raises."""
    starts = [found.start() for found in _HARD_HEAD.finditer(text)]
    if not starts or starts[0] > 0:
        starts.insert(0, 0)
    line = 1
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        yield from _Chunk(text, start, end, line, macros).entries()
        line += text.count("\n", start, end)


def entry_starts(text: str) -> list[int]:
    """The places where a text may be cut: lines that begin an entry."""
    return [found.start() for found in _HARD_HEAD.finditer(text)]


def macros_of(text: str) -> dict[str, str]:
    """All `@string` definitions of a text, over the months that every style has."""
    macros = dict(MONTHS)
    at = 0
    while head := _STRING_HEAD.search(text, at):
        at = head.end()
        limit = at + _MAX_MACRO
        end = next((found.start() for found in _HARD_HEAD.finditer(text, at, limit)), min(len(text), limit))
        entry = next(_Chunk(text, head.start(), end, 1, macros).entries(), None)
        if entry and entry.broken:
            at = end
        elif entry:
            macros.update(entry.fields)
    return macros


class _Chunk:
    """Text from a line that begins an entry to the next such line."""

    def __init__(self, text: str, start: int, end: int, line: int, macros: Macros) -> None:
        self._text = text
        self._start = start
        self._end = end
        self._line = line
        self._counted = start
        self._macros = macros
        self._key = ""

    def entries(self) -> Iterator[RawEntry]:
        """The entries, and what between them is somebody's lost entry."""
        at, limit, heads = self._start, self._end, _HEAD
        recovering = False
        while head := heads.search(self._text, at, limit):
            if self._is_commented(head.start()):
                yield from self._lost(at, self._text.rfind("\n", 0, head.start()) + 1)
                at = self._text.find("\n", head.end(), self._end)
                at = at if at > 0 else self._end
                continue
            yield from self._lost(at, head.start())
            line = self._line_of(head.start())
            # Once braces no longer balance, every head of an entry is as good as one at a line's start.
            end = self._next_head(head.end()) if recovering else self._end
            kind = self._text[head.start() + 1 : head.end() - 1].strip().lower()
            try:
                entry, at = self._entry(head, kind, line, end)
            except _Broken as broken:
                at = head.end()
                recovering, heads = True, _FULL_HEAD
                if kind != "comment":
                    yield RawEntry(line, kind, self._key, broken=str(broken))
                at = self._next_head(at)
            else:
                yield entry
        if not recovering:
            yield from self._lost(at, self._end)

    def _next_head(self, at: int) -> int:
        found = _FULL_HEAD.search(self._text, at, self._end)
        return found.start() if found else self._end

    def _line_of(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted, at)
        self._counted = at
        return self._line

    def _is_commented(self, at: int) -> bool:
        from_there = max(0, at - _COMMENTED)
        begins = self._text.rfind("\n", from_there, at) + 1
        return self._text[begins or from_there : at].lstrip().startswith("%")

    def _lost(self, start: int, end: int) -> Iterator[RawEntry]:
        """What stands between entries, where it is no comment."""
        if start >= end or not self._text[start:end].strip():
            return
        text = _COMMENT_LINE.sub("", self._text[start:end])
        if found := _LOST.search(text):
            first = start + len(text) - len(text.lstrip()) if "%" not in self._text[start:end] else start
            name = re.search(r"[{ ]([^\s,{}=]+)\s*,", text[: found.start()])
            yield RawEntry(self._line_of(first), "", name[1] if name else "", broken=_NO_ENTRY_TEXT)

    def _entry(self, head: re.Match[str], kind: str, line: int, end: int) -> tuple[RawEntry, int]:
        """Read the entry behind its head; return it and where it ends."""
        self._key = ""
        closer = "}" if self._text[head.end() - 1] == "{" else ")"
        if kind in ("comment", "preamble"):
            return RawEntry(line, kind), self._closing(head.end(), end) if closer == "}" else end
        at = head.end()
        if kind != "string" and (key := _KEY.match(self._text, at, end)):
            self._key = " ".join(key[1].split())
            at = key.end()
        fields, at = self._fields(at, end, closer)
        entry = RawEntry(line, kind, self._key, fields)
        rest = _BLANKS.match(self._text, at, end)
        behind = rest.end() if rest else at
        while self._text[behind : behind + 1] == "}" and behind < end:
            behind += 1  # A brace too many at the very end does no harm.
        if _GOES_ON.match(self._text, behind, end):
            raise _Broken(_TOO_EARLY)
        return entry, behind if self._text[at:behind].strip() else at

    def _fields(self, at: int, end: int, closer: str) -> tuple[dict[str, str], int]:
        text = self._text
        fields: dict[str, str] = {}
        while True:
            blanks = _BETWEEN.match(text, at, end)
            at = blanks.end() if blanks else at
            if at >= end:
                raise _Broken(_NOT_CLOSED)
            if text[at] == closer:
                return fields, at + 1
            name = _NAME.match(text, at, end)
            if name is None:
                raise _Broken(_NO_FIELD)
            value, at = self._value(name.end(), end, closer)
            if value or name[1].lower() not in fields:
                previous = fields.get(name[1].lower())
                fields[name[1].lower()] = previous or value

    def _value(self, at: int, end: int, closer: str) -> tuple[str, int]:
        """One value: parts in braces, in quotes or bare, joined by `#`."""
        text = self._text
        parts: list[str] = []
        while True:
            at = self._skip(at, end)
            char = text[at] if at < end else ""
            if char == "{":
                close = self._closing(at + 1, end)
                parts.append(text[at + 1 : close - 1])
                at = close
            elif char == '"':
                close = self._closing_quote(at + 1, end)
                parts.append(text[at + 1 : close - 1])
                at = close
            elif char and char not in ",#" and char != closer:
                bare = _BARE.match(text, at, end)
                if bare is None:
                    raise _Broken(_NO_FIELD)
                word = bare[0]
                if closer == ")" and word.endswith(")") and "(" not in word:
                    word = word.rstrip(")")
                parts.append(self._macros.get(word.lower(), word))
                at += len(word)
            elif not char:
                raise _Broken(_NOT_CLOSED)
            at = self._skip(at, end)
            if text[at : at + 1] != "#" or at >= end:
                return "".join(parts), at
            at += 1

    def _skip(self, at: int, end: int) -> int:
        blanks = _BLANKS.match(self._text, at, end)
        return blanks.end() if blanks else at

    def _closing(self, at: int, end: int) -> int:
        """The place behind the brace that closes what was opened before `at`."""
        depth = 1
        for found in _BRACE.finditer(self._text, at, end):
            depth += 1 if found[0] == "{" else -1
            if not depth:
                return found.end()
        raise _Broken(_NOT_CLOSED)

    def _closing_quote(self, at: int, end: int) -> int:
        r"""The place behind the quote that closes; one in braces does not, nor does `\"`."""
        depth = 0
        for found in _QUOTE.finditer(self._text, at, end):
            sign = found[0]
            if sign == "{":
                depth += 1
            elif sign == "}":
                depth -= 1
                if depth < 0:
                    break
            elif sign == '"' and not depth:
                return found.end()
        raise _Broken(_NOT_CLOSED)
