"""Text to query tree, by a small documented grammar.

    query   = clause { "OR" clause }
    clause  = part { [ "AND" | "ANDNOT" ] part }            a blank means AND
    part    = { "NOT" | "-" | "!" } ( "(" query ")" | value )
    value   = [ field ":" ] ( word | word "*" | '"' phrase '"' | "(" query ")" ) | identifier
    field   = a name or an alias in `octavo.query.fields`; what a value may be depends on the field's kind

NOT binds tightest, OR loosest: `a b OR c` is `(a b) OR c`. Operators are in capitals. `-` and `!` exclude
only at the start of a part, so `non-invasive` is one word. `*` after two letters or more makes a prefix, outside
quotes. An identifier ends before a bracket that nothing in it matches.
`au:del_maestro` is `au:"del maestro"`. An identifier in any form (`2101.00010`, a DOI, a web address) asks
for that paper, and `id_list:a,b` for any of those. The full-width signs of Chinese input methods count as the
plain ones. All other punctuation parts words and means nothing.

Common words (`octavo.query.words.STOP_WORDS`) are left out where other words are beside them.

`parse_lenient` is for people: any text is a query, and `notes` say how its odd places were read.
`parse_strict` is for programs: it raises at the first of these places. They are one parser, so a text that
has no odd place gives the same tree in both. In the tree a Not stands only in an And that has another kind of
part too. No text is too deep: open brackets are kept on a list, not on Python's stack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo.errors import QueryError
from octavo.query.ast import IdNode, Node, Nothing, conjunction
from octavo.query.chinese import Piece, Reading
from octavo.query.fields import DEFAULT, WORDY, Field, Kind, find_field, get_field, suggest_field
from octavo.query.group import Group
from octavo.query.values import PLAIN, Names, balanced, kind_name, read_filter, read_identifier, read_whole
from octavo.query.wording import MAX_WORDS, Wording
from octavo.query.words import exact_words

__all__ = [
    "MAX_CHARACTERS",
    "MAX_DEPTH",
    "MAX_FREE_TEXT",
    "MAX_WORDS",
    "Names",
    "Parsed",
    "parse_lenient",
    "parse_strict",
    "quoted",
]

MAX_CHARACTERS = 1_000
"""A query is read up to here."""
MAX_DEPTH = 10
"""Brackets that may be open at once; SQLite's own parser gives up at about twice that."""
MAX_FREE_TEXT = 20_000
"""Characters of a long text that are kept as `Parsed.free_text`."""

_OPERATORS = ("AND", "OR", "NOT", "ANDNOT")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_PLAIN_SIGNS = str.maketrans("“”„‟〝〞＂「」『』«»（）：＊－！　［］｛｝＜＞＝", '"""""""""""""():*-! []{}<>=')
_CHUNK = re.compile(r'[^\s"()]+')
_TO_BLANK = re.compile(r'[^\s"]+')
_ID_LIST = re.compile(r'[^\s"]+(?:(?<=,)\s+[^\s"]+)*')
_FIELD = re.compile(r"([A-Za-z][A-Za-z_]*|[\u4e00-\u9fff]{2,4}):(?!:|//)")
_RANGE = re.compile(r'[\[{][^\]}"()]*[\]}]|[<>]=?\s*[^\s"()]+|[^\s"()]+')
_SCHEME_WORD = re.compile(r"(?:arxiv|doi)\s+", re.IGNORECASE)
_LESS_THAN_NOTHING = re.compile(r"-\d{1,3}(?:\.\d+%?|%)(?!\w)")
_SHORT_PREFIX = re.compile(r"[b-z]\*")  # `A*` is a word, and often typed as `a*`
_QUOTED_PREFIX = re.compile(r"(?<![*\w])\w{2,}\*(?![*\w])")
_SHOWN = 60


@dataclass(frozen=True, slots=True)
class Parsed:
    """A reading of what somebody typed."""

    node: Node
    notes: tuple[str, ...] = ()
    """How odd places were read, in sentences for the reader; none where the text has no odd place."""
    free_text: str = ""
    """The plain words and phrases as typed, without fields, filters, operators and what is excluded.

    Of a text over MAX_CHARACTERS also what stands behind them, since it may be compared with abstracts.
    """
    as_title: str = ""
    """The whole text where it could be a title: it has no field with a value and no identifier."""
    chinese: tuple[tuple[Node, Piece], ...] = ()
    """The Chinese terms that were read, each with its part of the tree: its English names, or itself."""


def parse_lenient(text: str, names: Names = PLAIN) -> Parsed:
    """Read whatever a person typed. Never raises; where nothing can be searched for, the node is Nothing.

    `names` reads the names of topics and terms; without it any name is one.
    """
    return _Parser(text, names, is_strict=False).parse()


def parse_strict(text: str, names: Names = PLAIN) -> Node:
    """Read a query that must be one.

    Raises:
        QueryError: at the first odd place, with its character, counted from 1.
    """
    return _Parser(text, names, is_strict=True).parse().node


def quoted(text: str) -> str:
    """A value as a phrase of the query language, whatever signs are in it: for links such as `author:"..."`."""
    plain = text.translate(_PLAIN_SIGNS).replace('"', " ")
    return f'"{_QUOTED_PREFIX.sub(lambda found: found[0][:-1], plain)}"'


class _Parser:
    """One reading of one text; `_next` reads one token and files it in the innermost group."""

    def __init__(self, text: str, names: Names, *, is_strict: bool, chinese: Reading = Reading.TELLING) -> None:
        self.original = text
        self.names = names
        self.is_strict = is_strict
        self.whole = _UNFIT.sub(" ", text[:MAX_FREE_TEXT])
        self.text = self.whole.translate(_PLAIN_SIGNS)
        self.rest = ""
        self.at = 0
        self.notes: dict[str, None] = {}
        self.wording = Wording(self._say, chinese)
        self.free: list[str] = []
        self.has_syntax = False
        self.groups = [Group(get_field(DEFAULT), 0, is_excluded=False)]
        self.too_deep = 0

    # ----------------------------------------------------------------------------------------------- the loop

    def parse(self) -> Parsed:
        self._cut()
        if identifier := read_whole(self.text.strip()):
            self.at, self.has_syntax = len(self.text), True
            self.groups[-1].add(IdNode(identifier))
        while self._skip_blanks():
            self._next()
        while len(self.groups) > 1:
            self._problem("A bracket is not closed", "closed at the end", self.groups[-1].at)
            self._close()
        self._end_group()
        node = conjunction([self.groups[0].node()])
        if isinstance(node, Nothing) and self.wording.left_out:
            wider = self.wording.reading.wider()
            return _Parser(self.original, self.names, is_strict=self.is_strict, chinese=wider).parse()
        if isinstance(node, Nothing):
            self._problem("There is nothing to search for", "", 0)
        free_text = " ".join([*self.free, self.rest]).strip()
        as_title = "" if self.has_syntax or self.rest else " ".join(self.whole.split())
        return Parsed(node, tuple(self.notes), free_text, as_title, tuple(self.wording.chinese.items()))

    def _cut(self) -> None:
        """Leave a text's end out that is too much to read."""
        if len(self.text) <= MAX_CHARACTERS:
            return
        end = MAX_CHARACTERS
        blank = self.text.rfind(" ", end - 100, end)
        if not self.text[end].isspace() and blank > 0:
            end = blank
        self._problem(f"A query has at most {MAX_CHARACTERS:,} characters", "the rest was not read", MAX_CHARACTERS)
        self.rest = " ".join(self.whole[end:].split())
        self.text = self.text[:end]

    def _skip_blanks(self) -> bool:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1
        return self.at < len(self.text)

    def _next(self) -> None:
        char = self.text[self.at]
        if char == "(":
            self._open(self.groups[-1].field)
        elif char == ")":
            self._take_closing()
        elif char == '"':
            self._take_phrase(self.groups[-1].field)
        elif char in "-!" and self._is_exclusion():
            self._negate(char)
            self.at += 1
        else:
            self._take_chunk()

    def _problem(self, what: str, reading: str, at: int) -> None:
        """An odd place: raise, or say how it is read."""
        if self.is_strict:
            raise QueryError(f"{what}, at character {at + 1}.")
        self.notes[f"{what}: {reading}." if reading else f"{what}."] = None

    def _say(self, what: str, reading: str) -> None:
        self._problem(what, reading, self.at)

    # ----------------------------------------------------------------------------------- groups and operators

    def _open(self, inner: Field) -> None:
        if len(self.groups) > MAX_DEPTH:
            self._problem(f"Brackets are more than {MAX_DEPTH} deep", "the inner ones were ignored", self.at)
            self.too_deep += 1
        else:
            self.groups.append(Group(inner, self.at, is_excluded=bool(self.groups[-1].negation)))
        self.at += 1

    def _take_closing(self) -> None:
        if self.too_deep:
            self.too_deep -= 1
        elif len(self.groups) == 1:
            self._problem("A closing bracket has no opening one", "ignored", self.at)
        else:
            self._close()
        self.at += 1

    def _close(self) -> None:
        self._end_group()
        group = self.groups.pop()
        if group.is_empty and self.at < len(self.text):
            self._problem("There is nothing in the brackets", "ignored", group.at)
        node = group.node()
        self.groups[-1].add(None if isinstance(node, Nothing) else node)

    def _end_group(self) -> None:
        """Settle an operator that still waits for something to its right."""
        group = self.groups[-1]
        if not (waiting := group.drop_operator()):
            return
        is_sign = waiting in "-!"
        self._problem(f"{waiting} has nothing after it", "ignored" if is_sign else "read as a word", self.at - 1)
        if not is_sign:
            self._add(self.wording.of_text(waiting, get_field(DEFAULT)))

    def _take_operator(self, operator: str) -> None:
        group = self.groups[-1]
        if operator == "NOT":
            self._negate(operator)
        elif not group.has_left:
            self._problem(f"{operator} has nothing before it", "read as a word", self.at)
            self._add(self.wording.of_text(operator, get_field(DEFAULT)))
        else:
            group.take_operator(operator)
            if operator == "ANDNOT":
                self._negate(operator)
        self.at += len(operator)

    def _negate(self, sign: str) -> None:
        group = self.groups[-1]
        group.negation = "" if group.negation else sign

    def _is_exclusion(self) -> bool:
        """Whether the sign here stands at the start of a part and has one behind it; not `-10.5%`, a number."""
        if _LESS_THAN_NOTHING.match(self.text, self.at):
            return False
        before = self.text[self.at - 1 : self.at] or " "
        after = self.text[self.at + 1 : self.at + 2] or " "
        return (before.isspace() or before == "(") and not after.isspace() and after not in "-!)"

    # ------------------------------------------------------------------------------------------------- tokens

    def _take_chunk(self) -> None:
        """Take what stands between blanks, quotes and brackets."""
        if self._take_identifier():
            return
        chunk = self._match(_CHUNK)
        if chunk in _OPERATORS:
            self._take_operator(chunk)
        elif prefix := _FIELD.match(self.text, self.at):
            self._take_field(prefix[1], prefix.end())
        else:
            self._take_value(chunk, self.groups[-1].field)

    def _match(self, pattern: re.Pattern[str]) -> str:
        """What the pattern finds here; the next character where it finds nothing."""
        found = pattern.match(self.text, self.at)
        return found[0] if found else self.text[self.at]

    def _take_identifier(self) -> bool:
        """Take an identifier where one stands here, with the word `arXiv` or `doi` before it or without."""
        word = _SCHEME_WORD.match(self.text, self.at)
        start = word.end() if word else self.at
        found = _TO_BLANK.match(self.text, start)
        text = balanced(found[0]) if found else ""
        identifier = read_identifier(text)
        if identifier is None:
            return False
        self.at = start + len(text)
        self.has_syntax = True
        self.groups[-1].add(IdNode(identifier))
        return True

    def _take_field(self, name: str, value_at: int) -> None:
        """Take `name:` and what it applies to."""
        field = find_field(name)
        start = self.at
        if field is None:
            self._take_unknown_field(name, value_at)
            return
        self.at = value_at
        if not self._skip_blanks() or self.text[self.at] == ")":
            self._problem(f"{name}: has nothing after it", "read as a word", start)
            self._take_value(name, get_field(DEFAULT), at=start)
            self.at = max(self.at, value_at)
            return
        if self.at > value_at and not self._is_meant(field, name):
            self.at = start
            self._take_unknown_field(name, value_at)
            return
        self.has_syntax |= self.at == value_at
        if self.text[self.at] == "(":
            self._open(field)
        elif self.text[self.at] == '"':
            self._take_phrase(field, name)
        else:
            shape = {Kind.NUMBER: _RANGE, Kind.DATE: _RANGE, Kind.IDENTIFIER: _TO_BLANK}.get(field.kind, _CHUNK)
            shape = _ID_LIST if name.lower() == "id_list" else shape
            self._take_value(balanced(self._match(shape)), field, name)

    def _is_meant(self, field: Field, name: str) -> bool:
        """Whether a field with a blank behind its colon is one: words like `Source:` and `Tag:` stand in titles too."""
        if field.kind in (Kind.SOURCE, Kind.TAG) or field.name == "keyword":
            return False
        if field.kind not in (Kind.HOLDING, Kind.LANGUAGE, Kind.STATE, Kind.TOPIC, Kind.TERM):
            return True
        return self.text[self.at] in '("' or bool(read_filter(field, name, self._match(_CHUNK), self.names))

    def _take_unknown_field(self, name: str, value_at: int) -> None:
        """Take the name as a word. A blank behind the colon is ordinary writing, as in many titles."""
        is_attached = bool(self.text[value_at : value_at + 1].strip(" )"))
        if is_attached and name.isascii() and len(name) > 1:
            near = suggest_field(name)
            hint = f" (did you mean {near}?)" if near else ""
            self._problem(f"There is no field {name}{hint}", "read as a word", self.at)
        self._take_value(name, self.groups[-1].field)
        self.at = value_at

    def _take_phrase(self, field: Field, name: str = "") -> None:
        """Take what stands in quotes, or pass over a quote that is not closed."""
        end = self.text.find('"', self.at + 1)
        if end < 0:
            self._problem("A quote is not closed", "ignored", self.at)
            self.at += 1
            return
        phrase = self.text[self.at + 1 : end]
        if field.kind not in WORDY:
            self._take_value(phrase, field, name)
        elif exact_words(phrase):
            if found := _QUOTED_PREFIX.search(phrase):
                what = f"A star in quotes asks for nothing ({found[0][:_SHOWN]})"
                self._problem(what, "read as the word itself", self.at + 1 + found.start())
            self._keep_free(self.whole[self.at + 1 : end], field)
            self._add(self.wording.of_quoted(phrase, field))
        else:
            self._problem("There is no word in the quotes", "ignored", self.at)
            self.groups[-1].negation = ""
        self.at = end + 1

    def _take_value(self, text: str, field: Field, name: str = "", *, at: int | None = None) -> None:
        """Take a value of a field; as plain words, with the field's name, where it is none of its kind."""
        start = self.at if at is None else at
        self.at = start + len(text)
        if field.kind in WORDY:
            self._keep_free(self.whole[start : self.at], field)
            if text and not text.strip("*"):
                what = f"{text[:_SHOWN]} alone asks for nothing (it goes after two letters or more)"
                self._problem(what, "ignored", start)
            if _SHORT_PREFIX.fullmatch(text):
                self._problem(f"{text} is too short for a beginning (two letters or more)", "read as a word", start)
            node = self.wording.of_text(text, field)
            self._add(node, is_passed_over=node is None and not exact_words(text))
        elif found := read_filter(field, name, text, self.names):
            node, oddity = found
            if oddity:
                self._problem(f"“{text[:_SHOWN]}” {oddity}", f"read as {node}", start)
            self.has_syntax = True
            self._add(node)
        else:
            self._problem(f"“{text[:_SHOWN]}” is not {kind_name(field)}", "read as words", start)
            said = text if field.kind in (Kind.TOPIC, Kind.TERM) else f"{name} {text}"
            self._keep_free(said, get_field(DEFAULT))
            self._add(self.wording.of_text(said, get_field(DEFAULT)))

    def _add(self, node: Node | None, *, is_passed_over: bool = False) -> None:
        """Add a part; None is one that had to be left out, or is punctuation, which means nothing."""
        if is_passed_over:
            self.groups[-1].negation = ""
        else:
            self.groups[-1].add(node)

    def _keep_free(self, text: str, field: Field) -> None:
        is_excluded = self.groups[-1].negation or any(group.is_excluded for group in self.groups)
        if field.name == DEFAULT and not is_excluded:
            self.free.append(text.strip())
