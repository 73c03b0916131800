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
for that paper. The full-width signs of Chinese input methods count as the plain ones. All other punctuation
parts words and means nothing.

Common words (`octavo.query.words.STOP_WORDS`) are left out where other words are beside them.

`parse_lenient` is for people: any text is a query, and `notes` say how its odd places were read.
`parse_strict` is for programs: it raises at the first of these places. They are one parser, so a text that
has no odd place gives the same tree in both. In the tree a Not stands only in an And that has another kind of
part too. No text is too deep: open brackets are kept on a list, not on Python's stack.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from octavo.errors import QueryError
from octavo.query.ast import IdNode, Node, Nothing, Phrase, Prefix, WordNode, conjunction, disjunction
from octavo.query.chinese import Piece, Reading, has_chinese, read_chinese
from octavo.query.chinese_nodes import nodes_of
from octavo.query.compounds import is_cjk
from octavo.query.fields import DEFAULT, WORDY, Field, Kind, find_field, get_field, suggest_field
from octavo.query.group import Group
from octavo.query.values import KIND_NAMES, balanced, read_filter, read_identifier, read_venue, read_whole
from octavo.query.words import STOP_WORDS, exact_words, query_words

MAX_CHARACTERS = 1_000
"""A query is read up to here."""
MAX_WORDS = 64
"""Distinct words that a query may ask for, common ones not counted."""
MAX_DEPTH = 10
"""Brackets that may be open at once; SQLite's own parser gives up at about twice that."""
MAX_FREE_TEXT = 20_000
"""Characters of a long text that are kept as `Parsed.free_text`."""

_OPERATORS = ("AND", "OR", "NOT", "ANDNOT")
_UNFIT = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_PLAIN_SIGNS = str.maketrans("“”„‟〝〞＂「」『』«»（）：＊－！　［］｛｝＜＞＝", '"""""""""""""():*-! []{}<>=')
_CHUNK = re.compile(r'[^\s"()]+')
_TO_BLANK = re.compile(r'[^\s"]+')
_FIELD = re.compile(r"([A-Za-z][A-Za-z_]*|[\u4e00-\u9fff]{2,4}):(?!:|//)")
_NUMBER = re.compile(r'[\[{][^\]}"()]*[\]}]|[<>]=?\s*[^\s"()]+|[^\s"()]+')
_SCHEME_WORD = re.compile(r"(?:arxiv|doi)\s+", re.IGNORECASE)
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


def parse_lenient(text: str) -> Parsed:
    """Read whatever a person typed. Never raises; where nothing can be searched for, the node is Nothing."""
    return _Parser(text, is_strict=False).parse()


def parse_strict(text: str) -> Node:
    """Read a query that must be one.

    Raises:
        QueryError: at the first odd place, with its character, counted from 1.
    """
    return _Parser(text, is_strict=True).parse().node


def quoted(text: str) -> str:
    """A value as a phrase of the query language, whatever signs are in it: for links such as `author:"..."`."""
    plain = text.translate(_PLAIN_SIGNS).replace('"', " ")
    return f'"{_QUOTED_PREFIX.sub(lambda found: found[0][:-1], plain)}"'


class _Parser:
    """One reading of one text; `_next` reads one token and files it in the innermost group."""

    def __init__(self, text: str, *, is_strict: bool, chinese: Reading = Reading.TELLING) -> None:
        self.original = text
        self.is_strict = is_strict
        self.reading = chinese
        self.left_out = False
        """Whether Chinese words were, since they say nothing beside others."""
        self.whole = _UNFIT.sub(" ", text[:MAX_FREE_TEXT])
        self.text = self.whole.translate(_PLAIN_SIGNS)
        self.rest = ""
        self.at = 0
        self.notes: dict[str, None] = {}
        self.words: set[tuple[str, object]] = set()
        self.free: list[str] = []
        self.chinese: dict[Node, Piece] = {}
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
        if isinstance(node, Nothing) and self.left_out:
            return _Parser(self.original, is_strict=self.is_strict, chinese=self.reading.wider()).parse()
        if isinstance(node, Nothing):
            self._problem("There is nothing to search for", "", 0)
        free_text = " ".join([*self.free, self.rest]).strip()
        as_title = "" if self.has_syntax or self.rest else " ".join(self.whole.split())
        return Parsed(node, tuple(self.notes), free_text, as_title, tuple(self.chinese.items()))

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
            self._add_words(waiting, get_field(DEFAULT))

    def _take_operator(self, operator: str) -> None:
        group = self.groups[-1]
        if operator == "NOT":
            self._negate(operator)
        elif not group.has_left:
            self._problem(f"{operator} has nothing before it", "read as a word", self.at)
            self._add_words(operator, get_field(DEFAULT))
        else:
            group.take_operator(operator)
            if operator == "ANDNOT":
                self._negate(operator)
        self.at += len(operator)

    def _negate(self, sign: str) -> None:
        group = self.groups[-1]
        group.negation = "" if group.negation else sign

    def _is_exclusion(self) -> bool:
        """Whether the sign here stands at the start of a part and has one behind it."""
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
        self.has_syntax |= self.at == value_at
        if self.text[self.at] == "(":
            self._open(field)
        elif self.text[self.at] == '"':
            self._take_phrase(field, name)
        else:
            shape = {Kind.NUMBER: _NUMBER, Kind.IDENTIFIER: _TO_BLANK}.get(field.kind, _CHUNK)
            self._take_value(balanced(self._match(shape)), field, name)

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
        elif words := exact_words(phrase):
            if found := _QUOTED_PREFIX.search(phrase):
                what = f"A star in quotes asks for nothing ({found[0][:_SHOWN]})"
                self._problem(what, "read as the word itself", self.at + 1 + found.start())
            self._keep_free(self.whole[self.at + 1 : end], field)
            if not self._add_venue(phrase, Phrase(field.name, tuple(words)), field):
                if field.kind is Kind.WORDS and has_chinese(phrase):
                    self.chinese[Phrase(field.name, tuple(words))] = Piece(phrase, is_quoted=True)
                self._add_phrase(words, field)
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
            if not (text.endswith("*") and self._add_prefix(text, field)):
                if _SHORT_PREFIX.fullmatch(text):
                    self._problem(f"{text} is too short for a beginning (two letters or more)", "read as a word", start)
                if not (field.kind is Kind.WORDS and has_chinese(text) and self._add_chinese(text, field)):
                    self._add_words(text, field)
        elif found := read_filter(field, name, text):
            node, is_exact = found
            if not is_exact:
                self._problem(f"“{text[:_SHOWN]}” is not a plain range of years", f"read as {node}", start)
            self.has_syntax = True
            self.groups[-1].add(node)
        else:
            self._problem(f"“{text[:_SHOWN]}” is not {KIND_NAMES[field.kind]}", "read as words", start)
            self._keep_free(f"{name} {text}", get_field(DEFAULT))
            self._add_words(f"{name} {text}", get_field(DEFAULT))

    def _keep_free(self, text: str, field: Field) -> None:
        is_excluded = self.groups[-1].negation or any(group.is_excluded for group in self.groups)
        if field.name == DEFAULT and not is_excluded:
            self.free.append(text.strip())

    # -------------------------------------------------------------------------------------------------- words

    def _add_words(self, text: str, field: Field) -> None:
        """Add the words of a text, all of them wanted."""
        words = query_words(text)
        if not words:
            self._pass_over(text)
        elif self._add_venue(text, conjunction(WordNode(field.name, word) for word in words), field):
            return
        elif field.kind is Kind.NAMES and (len(words) > 1 or len(words[0].exact) > 1):
            self._add_phrase([exact for word in words for exact in word.exact], field)
        else:
            self._add_all(WordNode(field.name, word) for word in words if self._has_room(field, word.exact))

    def _add_chinese(self, text: str, field: Field) -> bool:
        """Add the terms of a Chinese text, each as any of its English names or itself; nothing where it has none."""
        pieces = read_chinese(text)
        telling = tuple(piece for piece in pieces if self.reading.takes(piece))
        self.left_out |= len(telling) < len(pieces)
        found = [pair for pair in nodes_of(telling, field.name) if self._has_room(field, (pair[1].text,))]
        self.chinese.update(pair for pair in found if pair[1].is_han)
        self._add_all(node for node, _ in found)
        return bool(pieces)

    def _add_venue(self, text: str, as_words: Node, field: Field) -> bool:
        """Add the venue that a text in the field of venues names; with the words where they may mean others too."""
        found = read_venue(text) if field.kind is Kind.VENUE else None
        if found is None or not self._has_room(field, (found[0].name,)):
            return False
        node, is_sure = found
        self._add_all([node if is_sure else disjunction([node, as_words])])
        return True

    def _add_phrase(self, words: Sequence[str], field: Field) -> None:
        if len(words) == 1 and len(words[0]) == 1 and is_cjk(words[0]):
            # A lone character is an exact word only where it stands alone.
            self._add_words(words[0], field)
            return
        kept = [word for word in words if self._has_room(field, (word,))]
        self._add_all([Phrase(field.name, tuple(words))] if len(kept) == len(words) else [])

    def _add_prefix(self, text: str, field: Field) -> bool:
        """Add `text*` where it has letters enough for a prefix; else it is a text like any other."""
        start = text.rstrip("*")
        *before, last = exact_words(start) or [""]
        if sum(map(str.isalnum, last)) < 2 or is_cjk(last[-1]) or not start[-1].isalnum() or "*" in start:
            return False
        nodes: list[Node] = [
            WordNode(field.name, word) for word in query_words(" ".join(before)) if self._has_room(field, word.exact)
        ]
        if self._has_room(field, (f"{last}*",)):
            nodes.append(Prefix(field.name, last))
        self._add_all(nodes)
        return True

    def _add_all(self, nodes: Iterable[Node]) -> None:
        some = list(nodes)
        self.groups[-1].add(conjunction(some) if some else None)

    def _pass_over(self, text: str) -> None:
        """Pass over punctuation, which means nothing, and over a lone `*`, by which people mean something."""
        if text and not text.strip("*"):
            what = f"{text[:_SHOWN]} alone asks for nothing (it goes after two letters or more)"
            self._problem(what, "ignored", self.at - len(text))
        self.groups[-1].negation = ""

    def _has_room(self, field: Field, exact: tuple[str, ...]) -> bool:
        """Whether one more distinct word may be asked for."""
        entry = (field.name, exact)
        if entry in self.words or (len(exact) == 1 and exact[0] in STOP_WORDS):
            return True
        if len(self.words) >= MAX_WORDS:
            what = f"A query has at most {MAX_WORDS} different words"
            self._problem(what, f"only the first {MAX_WORDS} were used", self.at)
            return False
        self.words.add(entry)
        return True
