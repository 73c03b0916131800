"""The words that names of venues are made of: tokens, ordinals, tracks, and the words that say nothing.

>>> [token.text for token in tokens("Proc. of the Thirty-Sixth Conf. on X (NeurIPS'22)")]
['proceedings', 'of', 'the', '36', 'conference', 'on', 'x', 'neurips', '2022']
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

MAIN = "main"

TRACK_WORDS: dict[str, tuple[str, ...]] = {
    "workshop": ("workshop", "workshops", "atelier", "workshop proceedings"),
    "findings": ("findings", "findings of the association for computational linguistics", "findings of the acl"),
    "datasets and benchmarks": (
        "datasets and benchmarks", "dataset and benchmark", "datasets and benchmarks track", "datasets benchmarks",
        "track on datasets and benchmarks", "dataset and benchmark track", "evaluations and datasets track",
    ),
    "position": ("position papers", "position paper", "position paper track", "position track"),
    "industry": ("industry", "industry track", "industry papers", "industrial track", "industrial papers"),
    "applied data science": ("applied data science", "applied data science track", "ads track"),
    "demo": (
        "demo", "demos", "demo track", "demonstrations", "demonstration", "system demonstrations", "demo papers",
        "system demonstration", "demonstration session", "demonstrations program", "software demonstrations",
        "demo and poster", "posters and demonstrations", "interactive poster and demonstration sessions",
        "demonstration papers", "interactive presentations",
    ),
    "tutorial": ("tutorial", "tutorials", "tutorial abstracts", "tutorial notes", "tutorial abstract"),
    "student": (
        "student", "student papers", "student research workshop", "srw", "student workshop", "student session",
        "student research",
        "doctoral consortium", "student abstract", "student abstracts", "student abstract and poster program",
        "graduate student workshop", "phd symposium",
    ),
    "companion": (
        "companion", "companion proceedings", "companion volume", "adjunct", "adjunct proceedings",
        "extended abstracts",
    ),
    "competition": ("competition", "competitions", "competition track", "challenge", "grand challenge", "challenges"),
    "shared task": ("shared task", "shared tasks", "shared task papers", "shared task proceedings"),
    "journal": ("journal track", "journal papers track"),
    "creative": ("creative ai", "creative ai track", "creative track"),
    "blogposts": ("blogposts", "blogposts track", "blog posts", "blog track", "blog post track", "blogpost"),
    "tiny papers": ("tiny papers", "tiny papers track", "tiny paper"),
    "special track": ("special track", "ai for social impact track"),
    "late-breaking": ("late breaking", "late breaking results", "late breaking papers", "late breaking demos"),
    "invited": (
        "invited", "invited talks", "invited talk", "invited papers", "keynotes", "keynote", "plenaries", "panels",
    ),
    "open source software": ("open source software", "machine learning open source software", "mloss"),
    "reproducibility": ("reproducibility", "reproducibility track", "reproducibility papers"),
}  # fmt: skip
"""The tracks of an edition that are kept apart from its main one, by the words for them."""

_MAIN_WORDS = (
    "main", "main track", "main volume", "main conference", "main proceedings", "research track", "research papers",
    "research track papers", "long papers", "short papers", "long and short papers", "long paper", "short paper",
    "technical papers", "technical track", "full papers", "full paper", "regular papers", "contributed papers",
    "conference track", "conference", "conferences", "conference papers", "conference paper", "conference proceedings",
    "poster", "posters", "poster sessions", "poster session", "oral", "spotlight", "long", "short", "papers",
    "original papers", "notable papers", "technical program", "proceedings track", "archival track", "regular",
)  # fmt: skip
_ORGANISERS = (
    "ieee", "cvf", "acm", "rsj", "siam", "usenix", "springer", "elsevier", "eurasip", "inns", "ras", "computer society",
    "sigart", "signal processing society", "asis", "sigkdd", "sigdat", "siglex", "afnlp", "springer verlag",
    "mit press",
    "morgan kaufmann", "curran associates", "aaai press", "acm press", "ijcai organization", "ieee computer society",
    "openreview net", "openreview", "pmlr", "eds", "ed", "cham", "berlin heidelberg", "of the afnlp", "ltd", "inc",
)  # fmt: skip
_SERIES = (
    "lecture notes in computer science", "lncs", "lnai", "lecture notes in artificial intelligence",
    "communications in computer and information science", "ceur workshop proceedings", "ccis",
    "acm international conference proceeding series", "proceedings of machine learning research",
    "jmlr workshop and conference proceedings", "jmlr w and cp", "jmlr proceedings", "jmlr org",
    "of proceedings of machine learning research",
    "journal of machine learning research workshop and conference proceedings", "proceedings of science",
    "frontiers in artificial intelligence and applications", "acl anthology", "oasics", "lipics", "w and cp",
    "advances in intelligent systems and computing", "jmlr workshop and conference proceedings series",
)  # fmt: skip
"""Series in which proceedings are printed: no venue, and saying nothing of one."""
_NOTHING = (
    "proceedings", "proceeding", "proceedings of", "of", "the", "in", "a", "an", "annual", "on", "and", "held", "at",
    "international", "conference on", "joint", "biennial", "virtual", "online", "virtual event", "virtual conference",
    "edition", "ser", "series", "hlt", "human language technologies", "human language technology", "with", "from",
    "book of", "part", "track", "session", "sessions", "program", "event", "conference and", "to", "advances in",
    "publication", "day", "press", "publishers", "publisher", "symposium on", "via", "for", "volume", "volumes",
)  # fmt: skip
_CITATION = "vol volume volumes no number issue nr pp pages page p part art article id iss editors ed doi"
CITATION = frozenset(_CITATION.split())
_MONTHS = (
    "january february march april may june july august september october november december jan feb mar apr jun jul"
    " aug sep sept oct nov dec spring summer autumn fall winter"
)
MONTHS = frozenset(_MONTHS.split())
_ABBREVIATIONS = {
    "proc": "proceedings", "procs": "proceedings", "int": "international", "intl": "international",
    "conf": "conference", "symp": "symposium", "trans": "transactions", "j": "journal", "workshp": "workshop",
    "wkshp": "workshop", "assoc": "association", "ann": "annual",
}  # fmt: skip
WRITTEN_OUT = frozenset(_ABBREVIATIONS.values())
"""Words that may stand in a name as an abbreviation."""

_TO_NINETEENTH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth"
    " sixteenth seventeenth eighteenth nineteenth"
)
_TENS = ("twentieth", "thirtieth", "fortieth", "fiftieth", "sixtieth", "seventieth", "eightieth", "ninetieth")
_TENS_BEFORE = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS = {word: number for number, word in enumerate(_TO_NINETEENTH.split(), 1)} | {
    word: 10 * number for number, word in enumerate(_TENS, 2)
}
_BEFORE = {word: 10 * number for number, word in enumerate(_TENS_BEFORE, 2)}
_ROMAN = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50}

_TOKEN = re.compile(
    r"(?P<ordinal>[0-9]{1,3})(?:st|nd|rd|th)(?![a-z])"
    r"|(?P<year>(?:19|20)[0-9]{2})(?![0-9])"
    r"|'(?P<short>[0-9]{2})(?![0-9])"
    r"|(?P<number>[0-9]+)"
    r"|(?P<word>\*?[^\W\d_]+(?:'[a-z]+)?\*?)",
)
_TYPOGRAPHY = str.maketrans({"’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'", "&": " and ", "@": " @at "})


class Token(NamedTuple):
    """A word or number of a name."""

    text: str
    """Lower case, abbreviations written out, numbers in digits."""
    kind: str
    """`w` word, `o` ordinal, `y` year, `n` another number, `@` the sign."""
    value: int
    glued: bool
    """Written without a space after the token before."""
    capitals: int


def tokens(text: str) -> list[Token]:
    """The words and numbers of a name, in order; punctuation is left out."""
    text = _plain(text)
    lower = text.lower()
    found: list[Token] = []
    end = -1
    for match in _TOKEN.finditer(lower):
        kind, value, start = match.lastgroup or "word", match[match.lastgroup or 0], match.start()
        glued = start == end or (start == end + 1 and lower[end] in "-'" and bool(found))
        end = match.end()
        if kind == "word":
            if value == "at" and start and lower[start - 1] == "@":
                found.append(Token("@", "@", 0, False, 0))
                continue
            written = text[start:end]
            capitals = 0 if written == value else sum(map(str.isupper, written))
            _add_word(found, value.removesuffix("'s"), glued, capitals)
        elif kind == "short":
            found.append(_year(_century(int(value)), glued))
        elif kind == "year":
            found.append(_year(int(value), glued))
        else:
            found.append(Token(str(int(value)), kind[0], int(value), glued, 0))
    return found


def _plain(text: str) -> str:
    if not text.isascii():
        text = text.translate(_TYPOGRAPHY)
        if not text.isascii():
            text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
        # Lower-casing must keep each sign's place.
        return "".join(sign if len(sign.lower()) == 1 else "?" for sign in text)
    return text.translate(_TYPOGRAPHY)


def _add_word(found: list[Token], word: str, glued: bool, capitals: int) -> None:
    if word in _ORDINALS:
        value = _ORDINALS[word]
        if found and value < 10 and found[-1].text in _BEFORE:
            value += _BEFORE[found.pop().text]
        found.append(Token(str(value), "o", value, glued, 0))
    else:
        found.append(Token(_ABBREVIATIONS.get(word, word), "w", 0, glued, capitals))


def _year(value: int, glued: bool) -> Token:
    return Token(str(value), "y", value, glued, 0)


def _century(short: int) -> int:
    return short + (2000 if short < 50 else 1900)


def short_year(token: Token) -> int | None:
    """The year that two digits written to a name mean: `AAAI-24`, `ICML25`; None for any other token."""
    return _century(token.value) if token.kind == "n" and token.glued and len(token.text) == 2 else None


def roman(text: str) -> int | None:
    """The value of a Roman number up to 89; None for another word.

    >>> roman("xix"), roman("mix"), roman("")
    (19, None, None)
    """
    if not text or not _ROMAN.fullmatch(text):
        return None
    values = [_ROMAN_VALUES[sign] for sign in text]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def words(name: str) -> tuple[str, ...]:
    """The tokens of a name as texts."""
    return tuple(token.text for token in tokens(name))


def known_phrases() -> dict[tuple[str, ...], str]:
    """Phrases that are no venue's, by what they say: a track's name, or nothing (an empty text)."""
    table: dict[tuple[str, ...], str] = {}
    for phrase in (*_ORGANISERS, *_SERIES, *_NOTHING):
        table[words(phrase)] = ""
    for phrase in _MAIN_WORDS:
        table[words(phrase)] = MAIN
    for track, phrases in TRACK_WORDS.items():
        for phrase in phrases:
            table[words(phrase)] = track
    return table
