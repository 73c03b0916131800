"""The written forms of each identifier scheme, as patterns; `octavo.records.ids` is the face of this module.

Everything here is a function from text to a Form, or to None where the text has no such form; nothing
raises. All digits are ASCII on purpose, and every repetition is bounded or made of one class, so that no
text is slow to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote, unquote

Form = tuple[str, str, int | None]
"""Scheme, value in normal form, version."""

MAX_LENGTH = 2_000
"""A longer text is no identifier."""

# ASCII, or the long s and the Kelvin sign would count as letters of these patterns.
_FLAGS = re.IGNORECASE | re.ASCII

_ARCHIVES = (
    "acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|"
    "funct-an|gr-qc|hep-ex|hep-lat|hep-ph|hep-th|math-ph|math|mtrl-th|nlin|nucl-ex|nucl-th|patt-sol|physics|plasm-ph|"
    "q-alg|q-bio|quant-ph|solv-int|supr-con"
)
ARXIV_ID = rf"(?:[0-9]{{4}}\.[0-9]{{4,5}}|(?:{_ARCHIVES})(?:\.[a-z-]{{2,9}})?/[0-9]{{7}})(?:v[1-9][0-9]{{0,2}})?"
"""Pattern (to be used without regard to case) of an arXiv id with or without its version."""
ACL_ID = r"(?:19|20)[0-9]{2}\.[a-z0-9_]+-[a-z0-9_]+\.[0-9]{1,5}"
"""Pattern of an ACL Anthology id since 2020."""

_ARXIV = re.compile(
    rf"(?:([0-9]{{4}})\.([0-9]{{4,5}})|({_ARCHIVES})(?:\.[a-z-]{{2,9}})?/([0-9]{{4}})([0-9]{{3}}))"
    r"(?:v([1-9][0-9]{0,2}))?(?:\.(?:pdf|html|ps|ps\.gz))?(?:\s*\[[a-z-]+(?:\.[a-z-]+)?\])?"
    r"(?:\s+[0-9]{1,2}\s+[a-z]{3}\s+[0-9]{4})?",  # as it is stamped on the first page: [cs.LG] 4 Jan 2021
    _FLAGS,
)
_ARXIV_PREFIX = re.compile(r"(?:oai:)?arxiv(?:\.org)?(?:\s*[:.：]\s*|\s+)", _FLAGS)
_ARXIV_PATH = re.compile(r"/?(?:abs|pdf|html|format|ps|src|e-print|tb|papers?|arxiv|overview)/(?:arxiv:)?", _FLAGS)
_ARXIV_PAGE = re.compile(rf"{_ARXIV_PATH.pattern}({ARXIV_ID})(?:\.pdf|\.html|\.ps(?:\.gz)?)?(?:/.*)?", _FLAGS)
_ARXIV_ARGUMENT = re.compile(rf"(?:^|&)(?:identifier|id_list)=(?:oai:arxiv\.org:)?({ARXIV_ID})(?:&|$)", _FLAGS)
_ARXIV_DOI = "10.48550/arxiv."
_DOI = re.compile(r"10\.[0-9]{4,9}(?:\.[0-9]+)*/[^\s\x00-\x20\x7f\u200b\u2060\ufeff\ud800-\udfff]+")
_DOI_PAGE = re.compile(r"/(?:doi|article|chapter|content/pdf)/(?:[a-z]+/)?(10\.[0-9.]+/[^/]+?)(?:\.pdf)?", _FLAGS)
_OPENREVIEW = re.compile(r"[A-Za-z0-9_-]{5,40}")
_OPENREVIEW_ARGUMENT = re.compile(r"(?:^|&)id=([A-Za-z0-9_-]{5,40})(?:&|$)")
_OPENREVIEW_PATHS = frozenset({"/forum", "/pdf", "/attachment", "/revisions"})
_PMLR_NAME = r"((?=[a-z_-]*[0-9])[a-z0-9][a-z0-9_-]{0,99})"
_PMLR = re.compile(rf"([vr][0-9]{{1,4}})/{_PMLR_NAME}", _FLAGS)
_PMLR_PAGE = re.compile(rf"(?:/proceedings/papers)?/([vr][0-9]{{1,4}})/{_PMLR_NAME}(?:\.html|\.pdf|/[^/]*)?", _FLAGS)
_PMLR_FILE = re.compile(
    rf"/mlresearch/([vr][0-9]{{1,4}})/(?:[^/]+/){{1,4}}(?:assets/|_posts/[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}-)"
    rf"{_PMLR_NAME}(?:\.md|/[^/]*)?",
    _FLAGS,
)
_ACL = re.compile(rf"([a-z][0-9]{{2}}-[0-9]{{4}}|{ACL_ID})(?:v([1-9][0-9]?))?", _FLAGS)
_ACL_FILE_END = re.compile(r"(?:\.[a-z][a-z0-9]*)*", _FLAGS)
_DBLP = re.compile(
    r"((?:conf|journals|books|phd|series|reference|tr|ms|data|dblpnote)"
    r"(?:/[A-Za-z0-9_+](?:[A-Za-z0-9_+.:-]*?[A-Za-z0-9_+-])?){1,4}?)(?:\.(?:html|xml|bib|rdf|ris|nt|ttl|json))*"
)
_DBLP_PAGE = re.compile(r"/rec/(?:(?:html|xml|bib|bibtex|rdf|ris)[0-9]?/)?(.+)")
_DBLP_CORR = re.compile(rf"journals/corr/abs-(?:([0-9]{{4}})-([0-9]{{4,5}})|({_ARCHIVES})-([0-9]{{7}}))", _FLAGS)
_PREFIX = re.compile(r"(openreview|pmlr|acl|doi|dblp|url)\s*[:：]\s*|(?:info:doi/|urn:doi:|doi\s+)", _FLAGS)
_URL = re.compile(r"(?:https?:)?//(?:[^/?#@]*@)?([^/?#@:]+)(:[0-9]*)?((?:/[^?#]*)?)(?:\?([^#]*))?(?:#.*)?", _FLAGS)
# An address that is in normal form but for its scheme and a `www.`, as nearly all that sources hold are.
_PLAIN_URL = re.compile(
    r"https?://(?:www\.)?((?!www\.)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+)"
    r"((?:/[A-Za-z0-9_./~+-]*[A-Za-z0-9_-])?)(?:\?([A-Za-z0-9_=&-]+))?"
)
_ESCAPED_SIGN = re.compile("&(?:lt|gt|amp);", re.IGNORECASE)
_SIGNS = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_HOST = re.compile(r"[^\W_](?:[\w-]*\w)?(?:\.[\w-]*\w)+")
_UNFIT = re.compile(r"[\x00-\x1f\x7f\u200b\u2060\ufeff\ud800-\udfff]")
_UNSAFE = re.compile(r"[^A-Za-z0-9%/:@!$&'()*+,;=~._?-]")
_OPENERS = "<([{\"'“‘`"
_ENDINGS = ".,;:!?'\"”’…*/|`。，；、"
_CLOSERS = {")": "(", "]": "[", "}": "{", ">": "<"}


def clean(text: str) -> str:
    """Take away what surrounds an identifier: blanks, brackets, quotes and what ends a sentence.

    A closing bracket stays where the text holds its opening one, as in many DOIs.
    """
    text = " ".join(text.split()).lstrip(_OPENERS) if not text.isalnum() else text
    while text:
        last = text[-1]
        if last in _ENDINGS or last == " " or (last in _CLOSERS and text.count(_CLOSERS[last]) < text.count(last)):
            text = text[:-1]
        else:
            break
    return text


def read_form(text: str) -> Form | None:
    """Read an identifier in any form."""
    if len(text) > MAX_LENGTH:
        return None
    if plain := _PLAIN_URL.fullmatch(text):
        host, path, query = plain.groups()
        reader = _reader(host)
        return (reader and reader(path, query or "")) or (
            "url",
            f"https://{host}{path}?{query}" if query else f"https://{host}{path}",
            None,
        )
    text = clean(text)
    if not text or _UNFIT.search(text):
        return None
    if form := arxiv(text):
        return form
    if prefix := _PREFIX.match(text):
        scheme = (prefix[1] or "doi").lower()
        return _prefixed(scheme, clean(text[prefix.end() :]))
    return _page(text) or _bare(text)


def _prefixed(scheme: str, value: str) -> Form | None:
    """Read what follows `openreview:`, `doi:` and so on, which may be a web address of it."""
    if scheme == "url":
        return _page(value) if "//" in value[:8] else None
    form = _page(value) if "//" in value[:8] else _SCHEMES[scheme](value)
    return form if form and form[0] in (scheme, "arxiv") else None


def _bare(text: str) -> Form | None:
    """Read an identifier that its own form betrays."""
    if "%" in text and "/" not in text:
        text = unquote(text)
    path = _ARXIV_PATH.match(text)
    return arxiv(text[path.end() :] if path else text) or doi(text) or acl(text) or _pmlr(text) or _dblp(text)


def arxiv(text: str) -> Form | None:
    """Read an arXiv id: prefixed or not, with a version, a file's ending or `[cs.LG]` behind it."""
    match = _ARXIV.fullmatch(text)
    if match is None:
        prefix = _ARXIV_PREFIX.match(text)
        match = _ARXIV.fullmatch(text, prefix.end()) if prefix else None
        if match is None:
            return None
    month, number, archive, old_month, old_number, version = match.groups()
    if not "01" <= (month or old_month)[2:] <= "12":
        return None
    if number:
        if month < "0704" or len(number) != (4 if month < "1500" else 5):
            return None
        value = f"{month}.{number}"
    else:
        # The old form was in use from 1991 to March 2007.
        if "0703" < old_month < "9100":
            return None
        value = f"{archive.lower()}/{old_month}{old_number}"
    return "arxiv", value, int(version) if version else None


def doi(text: str) -> Form | None:
    """Read a DOI; one of arXiv's own is the arXiv id inside it."""
    if "&" in text:
        text = _ESCAPED_SIGN.sub(lambda found: _SIGNS[found[0].lower()], text)
    text = clean(text).lower()
    if not _DOI.fullmatch(text):
        return None
    return (text.startswith(_ARXIV_DOI) and arxiv(text[len(_ARXIV_DOI) :])) or ("doi", text, None)


def openreview(text: str) -> Form | None:
    """Read an OpenReview forum id, which nothing but its place betrays."""
    return ("openreview", text, None) if _OPENREVIEW.fullmatch(text) else None


def acl(text: str) -> Form | None:
    """Read an ACL Anthology id; `v2` behind it is a revision."""
    match = _ACL.match(text)
    if match is None or not _ACL_FILE_END.fullmatch(text, match.end()):
        return None
    value = match[1].upper() if match[1][0].isalpha() else match[1].lower()
    return "acl", value, int(match[2]) if match[2] else None


def arxiv_of_dblp(key: str) -> Form | None:
    """Read the arXiv id that DBLP's key of a preprint holds: `journals/corr/abs-2101-00010`."""
    match = _DBLP_CORR.fullmatch(key)
    if match is None:
        return None
    return arxiv(f"{match[1]}.{match[2]}" if match[1] else f"{match[3]}/{match[4]}")


def _pmlr(text: str) -> Form | None:
    match = _PMLR.fullmatch(text)
    return ("pmlr", f"{match[1]}/{match[2]}".lower(), None) if match else None


def _dblp(text: str) -> Form | None:
    match = _DBLP.fullmatch(text)
    return ("dblp", match[1], None) if match else None


_SCHEMES: dict[str, Callable[[str], Form | None]] = {
    "openreview": openreview, "pmlr": _pmlr, "acl": acl, "doi": doi, "dblp": _dblp,
}  # fmt: skip


# Web addresses. A reader of pages takes the decoded path (without a slash at its end) and the decoded query.


def _arxiv_page(path: str, query: str) -> Form | None:
    match = _ARXIV_PAGE.fullmatch(path) or (query and _ARXIV_ARGUMENT.search(query))
    return arxiv(match[1]) if match else None


def _doi_page(path: str, _query: str) -> Form | None:
    return doi(path[1:])


def _publisher_page(path: str, _query: str) -> Form | None:
    match = _DOI_PAGE.fullmatch(path)
    return doi(match[1]) if match else None


def _openreview_page(path: str, query: str) -> Form | None:
    match = _OPENREVIEW_ARGUMENT.search(query) if path in _OPENREVIEW_PATHS else None
    return ("openreview", match[1], None) if match else None


def _pmlr_page(path: str, _query: str) -> Form | None:
    match = _PMLR_PAGE.fullmatch(path)
    return ("pmlr", f"{match[1]}/{match[2]}".lower(), None) if match else None


def _pmlr_file(path: str, _query: str) -> Form | None:
    match = _PMLR_FILE.fullmatch(path)
    return ("pmlr", f"{match[1]}/{match[2]}".lower(), None) if match else None


def _acl_page(path: str, _query: str) -> Form | None:
    return next(filter(None, map(acl, path.split("/"))), None)


def _dblp_page(path: str, _query: str) -> Form | None:
    match = _DBLP_PAGE.fullmatch(path)
    return _dblp(match[1]) if match else None


_PAGES: dict[str, Callable[[str, str], Form | None]] = {
    **dict.fromkeys(
        ("arxiv.org", "alphaxiv.org", "ar5iv.org", "huggingface.co", "hf.co", "arxiv-vanity.com",
         "semanticscholar.org", "papers.cool", "scirate.com", "xxx.lanl.gov"), _arxiv_page,
    ),
    **dict.fromkeys(("doi.org", "dx.doi.org"), _doi_page),
    **dict.fromkeys(("dl.acm.org", "link.springer.com"), _publisher_page),
    **dict.fromkeys(("openreview.net",), _openreview_page),
    **dict.fromkeys(("proceedings.mlr.press", "jmlr.org", "mlresearch.github.io"), _pmlr_page),
    **dict.fromkeys(("raw.githubusercontent.com", "github.com"), _pmlr_file),
    **dict.fromkeys(("aclanthology.org", "aclweb.org", "aclanthology.info"), _acl_page),
    **dict.fromkeys(("dblp.org", "dblp.uni-trier.de", "dblp.dagstuhl.de"), _dblp_page),
}  # fmt: skip


def _page(text: str) -> Form | None:
    """Read a web address: what its site means by it, else the address itself."""
    if "//" not in text[:8]:
        host = text.partition("/")[0].lower()
        if not (host.startswith("www.") or host in _PAGES or host.endswith(".arxiv.org")):
            return None
        text = f"https://{text}"
    # An address is put together again without what does not count, until nothing more goes.
    for _ in range(8):
        match = _URL.fullmatch(text)
        if match is None:
            return None
        host, port, path, query = _host(match[1]), match[2], match[3].rstrip("/"), match[4]
        if not _HOST.fullmatch(host) or any(char.isspace() for char in text):
            return None
        if reader := _reader(host):
            # The one old kind of DOI that ends with this sign is at times left as it is in an address.
            step = f"{unquote(path)}#" if text.endswith(";2-#") else unquote(path)
            if form := reader(step, unquote(query or "")):
                return form
        port = "" if port in (None, ":", ":80", ":443") else port
        whole = f"https://{host}{port}{_safe(path)}" + (f"?{_safe(query)}" if query else "")
        text = clean(whole)
        if text == whole:
            return "url", whole, None
    return None


def _reader(host: str) -> Callable[[str, str], Form | None] | None:
    return _PAGES.get(host) or (_arxiv_page if host.endswith(".arxiv.org") else None)


def _host(host: str) -> str:
    host = host.lower().rstrip(".")
    while host.startswith("www.") and "." in host[4:]:
        host = host[4:]
    return host


def _safe(part: str) -> str:
    """Percent-encode what may not stand in an address; what is encoded already stays."""
    return quote(part, safe="%/:@!$&'()*+,;=~._?-", errors="replace") if _UNSAFE.search(part) else part
