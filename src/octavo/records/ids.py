"""Typed identifiers: the one reading of every form in which a paper's identifier is written.

Each form of one identifier gives one value, so that two sources which write it differently still mean the
same paper:

>>> for form in ("arXiv:2101.00010v2", "https://arxiv.org/pdf/2101.00010v2", "10.48550/ARXIV.2101.00010v2"):
...     print(*parse_identifier(form))
arxiv:2101.00010 2
arxiv:2101.00010 2
arxiv:2101.00010 2

Oddities known here:

* Old arXiv ids hold a slash and, at times, a subject class that is no part of the id.
* New arXiv ids have four digits to the end of 2014 and five from 2015. Zeros count; none is added by guess.
* DOIs do not tell upper from lower case, OpenReview's forum ids do. A DOI may hold brackets, `<` and `#`.
* ACL ids of 2019 and before have a capital letter, later ones have none.
* A PMLR id is unique only inside its volume.

>>> [str(parse_identifier(form)[0]) for form in ("math.GT/0309136", "10.5555/AbC", "p18-1001")]
['arxiv:math/0309136', 'doi:10.5555/abc', 'acl:P18-1001']
>>> parse_identifier("704.001")
Traceback (most recent call last):
octavo.errors.IdentifierError: '704.001' is no identifier of a known form. Known forms: ...
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b
from urllib.parse import quote

from octavo.errors import IdentifierError
from octavo.records.id_forms import ACL_ID, ARXIV_ID, acl, arxiv, arxiv_of_dblp, openreview, read_form

SCHEMES = ("arxiv", "openreview", "pmlr", "acl", "doi", "dblp", "url")
"""The schemes, the one to prefer first."""

RECORD_SCHEME = "record"
"""Not an identifier that anybody writes: `record:SOURCE:KEY` refers to another record, for what is known by
nothing else."""

KNOWN_FORMS = (
    "Known forms: 2101.00010 and math/0309136 (arXiv), 10.5555/example (DOI), openreview:AbC12xYz90, "
    "v267/example25a (PMLR), P18-1001 and 2022.acl-long.1 (ACL), conf/icml/Example21 (DBLP), "
    "and the web address of any of these."
)
"""What an IdentifierError tells the reader."""

_SHOWN = 60
_WEB = {
    "arxiv": ("https://arxiv.org/abs/", ""),
    "openreview": ("https://openreview.net/forum?id=", ""),
    "pmlr": ("https://proceedings.mlr.press/", ".html"),
    "acl": ("https://aclanthology.org/", "/"),
    "doi": ("https://doi.org/", ""),
    "dblp": ("https://dblp.org/rec/", ""),
}


@dataclass(frozen=True, slots=True, order=True)
class Identifier:
    """An identifier in normal form: two are equal just where they name the same thing in the same scheme.

    The functions of this module make them; the class itself takes what it is given.
    """

    scheme: str
    """One of SCHEMES."""
    value: str
    """The value in its scheme's normal form, without a version."""

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"

    @property
    def url(self) -> str:
        """The public web address, percent-encoded but for the slashes.

        >>> parse_identifier("10.5555/(SICI)9:1+<1::AID-X2>3.0.CO;2-#")[0].url
        'https://doi.org/10.5555/%28sici%299%3A1%2B%3C1%3A%3Aaid-x2%3E3.0.co%3B2-%23'
        """
        if self.scheme not in _WEB:
            return self.value
        before, after = _WEB[self.scheme]
        return before + quote(self.value, safe="/", errors="replace") + after

    @property
    def path_form(self) -> str:
        """The value as a single step of a web path: the slash is encoded too.

        >>> parse_identifier("10.5555/ABC")[0].path_form
        '10.5555%2Fabc'
        """
        return quote(self.value, safe="", errors="replace")

    @property
    def file_name(self) -> str:
        """A file name for what belongs to this identifier: a single step of a path, whatever the value holds.

        >>> parse_identifier("math.GT/0309136v2")[0].file_name
        'arxiv-math%2F0309136'
        """
        name = f"{quote(self.scheme, safe='')}-{self.path_form}"
        if len(name) > 150:
            name = f"{name[:120]}~{blake2b(str(self).encode('utf-8', 'replace'), digest_size=12).hexdigest()}"
        return f"{name[:-1]}%2E" if name.endswith(".") else name


Found = tuple[Identifier, int | None]
"""An identifier, and the version that was named with it."""

_PLAIN_DOI = re.compile(r"10\.[0-9]{4,9}/[A-Za-z0-9._-]*[A-Za-z0-9]")
_ADDRESS = re.compile(r"\s*[<(\[]?(?:https?:)?//|\s*www\.", re.IGNORECASE)
_ACL_DOIS = ("10.18653/v1/", "10.3115/v1/")
_TEX_ESCAPE = re.compile(r"\\([_%#&~])")
_SITES = (
    r"(?:[a-z]+\.)?(?:arxiv\.org|doi\.org|openreview\.net|alphaxiv\.org|ar5iv\.org|aclanthology\.org|aclweb\.org|"
    r"dblp\.org)|proceedings\.mlr\.press|huggingface\.co"
)
_IN_ADDRESS = r"[A-Za-z0-9!#$%&'()*+,./:;=?@_~\[\]-]"
_CANDIDATE = re.compile(
    rf"""
      (?<![\w@]) (?: https?:// | (?:{_SITES})/ ) {_IN_ADDRESS}{{1,600}}
    | (?<!\w) (?:oai:)? arxiv (?:\.org)? \s?[:：]\s? {ARXIV_ID} (?!\w|[.-][0-9])
    | (?<!\w) (?:openreview|pmlr|acl|dblp):\s? [A-Za-z0-9/_.:+-]{{3,200}}
    | (?<![\w.-]) 10\.[0-9]{{4,9}} (?:\.[0-9]+)* /
      (?: \(SICI\) [^\s"{{}}|\\^`]{{1,300}} | {_IN_ADDRESS}{{1,300}} )
    | (?<![\w./:$-]) (?:abs/)? {ARXIV_ID} (?![\w/%]|[.-][0-9])
    | (?<![\w.-]) {ACL_ID} (?![\w-])
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""What may be an identifier in free text; `read_form` then says whether it is one."""


def parse_identifier(text: str) -> Found:
    """Read an identifier in any known form: bare, prefixed, as a web address, percent-encoded, in brackets.

    Returns:
        The identifier in normal form, and the version that was named with it (arXiv's, ACL's) or None.

    Raises:
        IdentifierError: it has no known form; its hint lists those.
    """
    form = read_form(text) if isinstance(text, str) else None
    if form is None:
        shown = repr(text[:_SHOWN] + "…") if isinstance(text, str) and len(text) > _SHOWN else repr(text)[: _SHOWN * 2]
        raise IdentifierError(f"{shown} is no identifier of a known form.", hint=KNOWN_FORMS)
    return Identifier(form[0], form[1]), form[2]


def arxiv_id(text: str | None) -> Identifier | None:
    """The identifier in a source's arXiv field; None where that is empty, malformed or a number."""
    if not text or not isinstance(text, str):
        return None
    form = arxiv(text) or read_form(text)
    return Identifier("arxiv", form[1]) if form and form[0] == "arxiv" else None


def doi_id(text: str | None) -> Identifier | None:
    """The identifier in a source's DOI field (arXiv's own give arXiv ids); None where empty or malformed.

    >>> print(doi_id("https://doi.org/10.48550/arXiv.2101.00010"))
    arxiv:2101.00010
    """
    if not text or not isinstance(text, str):
        return None
    if _PLAIN_DOI.fullmatch(text) and not text.startswith("10.48550"):
        return Identifier("doi", text.lower())
    # arXiv's own records at times hold several, parted by blanks: the first is the paper's.
    form = read_form(text) or read_form(text.split(None, 1)[0] if text.lstrip().startswith("10.") else "")
    return Identifier(form[0], form[1]) if form and form[0] in ("doi", "arxiv") else None


def openreview_id(text: str | None) -> Identifier | None:
    """The identifier in a source's OpenReview field, bare or an address; None where empty or malformed."""
    if not text or not isinstance(text, str):
        return None
    form = openreview(text) or read_form(text)
    return Identifier("openreview", form[1]) if form and form[0] == "openreview" else None


def url_id(text: str | None) -> Identifier | None:
    """The identifier that a web address stands for, in its site's scheme where that is known, else `url`.

    None where it is empty or no web address.

    >>> [str(url_id(page)) for page in ("https://openreview.net/forum?id=AbC12xYz90", "http://www.Example.org/a/#b")]
    ['openreview:AbC12xYz90', 'url:https://example.org/a']
    """
    if not text or not isinstance(text, str) or not _ADDRESS.match(text):
        return None
    form = read_form(text)
    return Identifier(form[0], form[1]) if form else None


def also_known_as(identifier: Identifier) -> tuple[Identifier, ...]:
    """Other identifiers of the same paper that follow surely from this one.

    >>> [str(other) for other in also_known_as(Identifier("doi", "10.18653/v1/p18-1001"))]
    ['acl:P18-1001']
    >>> [str(other) for other in also_known_as(Identifier("dblp", "journals/corr/abs-2101-00010"))]
    ['arxiv:2101.00010']
    """
    form = None
    if identifier.scheme == "doi" and identifier.value.startswith(_ACL_DOIS):
        form = acl(identifier.value.partition("/v1/")[2])
    elif identifier.scheme == "dblp":
        form = arxiv_of_dblp(identifier.value)
    return (Identifier(form[0], form[1]),) if form else ()


def find_identifiers(text: str) -> list[Found]:
    """Find the identifiers inside free text (a reference, a comment), in order, each once.

    Other web addresses are among them (scheme `url`): a comment's link to code says nothing of the paper's
    identity, so a caller who wants that picks the schemes. Bare numbers count only where they can be
    nothing else.

    >>> [str(found) for found, _ in find_identifiers("Bee, 2101-2117, v2.0, arXiv:2101.00010 (10.5555/abc).")]
    ['arxiv:2101.00010', 'doi:10.5555/abc']
    """
    if "\\" in text:
        text = _TEX_ESCAPE.sub(r"\1", text)
    found: dict[Found, None] = {}
    place = 0
    while match := _CANDIDATE.search(text, place):
        form = read_form(match[0])
        place = match.end() if form else match.start() + 1
        if form:
            found[Identifier(form[0], form[1]), form[2]] = None
    return list(found)
