"""DBLP's search API, asked for a conference or journal, for one edition of it, or for what a query finds.

Documented (dblp.org/faq, "How to use the dblp search API"): `q`, `format=json`, `h` hits of an answer (1,000 at most),
`f` the first of them, `c=0` for no completions. In `q`, `toc:db/conf/icml/icml2025.bht:` is what a table of contents
lists, `stream:conf/icml:` all that belongs to a conference or journal, and `year:2025:` what appeared in a year. DBLP
asks for one or two seconds between requests, and answers 429 with Retry-After to who asks more.

No limit of `f` is documented. `@total` is a guess that changes from answer to answer: the end is an answer without
hits. Nothing tells what has changed since: a harvest that is complete begins anew the next time.

A page that wants a browser's proof of work may stand in for an answer, with status 200; that is no answer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any
from urllib.parse import unquote, urlencode, urlsplit

from octavo.errors import FormatError, SourceError, UsageError
from octavo.sources.base import Page
from octavo.sources.dblp import read_answer
from octavo.sources.http import FetchError
from octavo.sources.online import Ask, Fetcher, Note, ShortError

_MOST = 1000
_MANY = 50_000
"""Hits from which DBLP's dump is the better way."""
_MAX_QUERY = 500
_SITES = ("dblp.org", "www.dblp.org", "dblp.uni-trier.de", "dblp.dagstuhl.de")
_DUMPS = "https://dblp.org/xml"
_WANTS_HINT = (
    "Name an edition, a conference or journal, or a query: conf/icml/2025, stream:conf/icml, query:tiling year:2025:"
)
_KINDS = "(?:conf|journals|series|books)"
_STREAM = re.compile(rf"(?:streams/)?({_KINDS}/[a-z0-9_-]{{1,60}})/?(?:index\.html)?:?", re.ASCII | re.IGNORECASE)
_TOC = re.compile(rf"({_KINDS}(?:/[\w.+-]{{1,60}}?){{2,3}})(?:\.(?:html|xml|bht))?:?", re.ASCII)
_EDITION = re.compile(r"(?P<stream>(?:conf|journals)/(?P<short>[^/]+))/(?P<year>(?:19|20)\d\d)")
_HTML = re.compile(rb"\s*<")
_DONE = json.dumps({"done": True})
_NOTHING = b'{"result": {"hits": {"@total": "0"}}}'


@dataclass(frozen=True, slots=True)
class _Mark:
    """Where a harvest is; the cursor of its pages."""

    query: str
    first: int = 0
    """Of the hits that are still to come."""
    came: int = 0
    """Different hits that came."""
    total: int = 0
    """Hits in all, as the last answer said."""
    is_short: bool = False
    """The run before ended short here."""

    @property
    def cursor(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def _read_mark(cursor: str) -> _Mark | None:
    """The mark that a cursor holds; None where it holds none.

    Raises:
        ValueError: it is broken.
    """
    try:
        held = json.loads(cursor)
        if held == json.loads(_DONE):
            return None
        mark = _Mark(**{one.name: held[one.name] for one in fields(_Mark)})
    except (TypeError, KeyError, RecursionError) as fault:
        raise ValueError from fault
    if isinstance(mark.query, str) and all(
        type(one) is int and one >= 0 for one in (mark.first, mark.came, mark.total)
    ):
        return mark
    raise ValueError


@dataclass(slots=True)
class _Hits:
    """Checks that an answer is one of the search, whole, and keeps what it holds."""

    first: int
    """Of its hits in the whole list."""
    seen: frozenset[str] | set[str] = frozenset()
    """Keys of hits that came before."""
    hits: list[Any] = field(default_factory=list)
    total: int = 0
    is_stuck: bool = False
    """It has no hits, or none that is new, though it says that there are more."""
    is_page: bool = False
    """It is a page for browsers."""

    def __call__(self, content: bytes) -> bool:
        self.hits, self.total, self.is_stuck, self.is_page = [], 0, False, bool(_HTML.match(content))
        if self.is_page:
            raise FormatError("a page for browsers")
        self.hits, self.total = read_answer(content)
        if self.seen.issuperset(map(_key, self.hits)) and self.total > self.first + len(self.hits):
            self.is_stuck = True
            raise SourceError("it has no new hits, though there are more")
        return True


def want(text: str) -> str:
    """An edition (`conf/icml/2025`, `conf/acl/acl2025-1`), `stream:conf/icml` or `query:...`, from any of these or from
    the address of a table of contents or of a conference or journal.

    Raises:
        UsageError: it is none; or the dump, which is too large to be fetched.
    """
    text = " ".join(text.split())
    if text.lower() == "dump" or text.lower().endswith("/dblp.xml.gz"):
        raise UsageError("DBLP's dump is too large to be fetched over and over.", hint=_dump_hint(_DUMPS))
    kind, _, rest = text.partition(":")
    kind, rest = kind.lower(), rest.strip()
    if kind == "query" and rest and len(rest) <= _MAX_QUERY:
        return f"query:{rest}"
    named = (rest if kind in ("stream", "toc") else _path_of_page(text) or text).removeprefix("db/")
    if kind != "toc" and (stream := _STREAM.fullmatch(named)):
        return f"stream:{stream[1].lower()}"
    if kind != "stream" and (toc := _TOC.fullmatch(named)):
        return toc[1]
    raise UsageError(f"DBLP can't be asked for {text[:100]!r}.", hint=_WANTS_HINT)


def _dump_hint(dumps: str) -> str:
    """How to come by all of DBLP from the folder of its dumps."""
    return f"All of DBLP is one file: download {dumps}/dblp.xml.gz in a browser, then `octavo add dblp dblp.xml.gz`."


def _path_of_page(address: str) -> str:
    """The path of a page of DBLP, `conf/icml/icml2025.html`; empty where the address is of none."""
    try:
        parts = urlsplit(address if "://" in address else f"https://{address}")
        host = parts.hostname or ""
    except ValueError:
        return ""
    path = unquote(parts.path) if host in _SITES else ""
    return next((path.removeprefix(start) for start in ("/db/", "/streams/") if path.startswith(start)), "")


def queries(want: str) -> tuple[str, ...]:
    """What to ask the search for; a further query is for where the one before finds nothing."""
    kind, _, rest = want.partition(":")
    if kind == "query":
        return (rest,)
    if kind == "stream":
        return (f"stream:{rest}:",)
    if edition := _EDITION.fullmatch(want):
        # A table of contents may be called otherwise (neurips2025), or there may be several (acl2025-1).
        named = f"toc:db/{edition['stream']}/{edition['short']}{edition['year']}.bht:"
        return named, f"stream:{edition['stream']}: year:{edition['year']}:"
    return (f"toc:db/{want}.bht:",)


def harvest(ask: Ask, fetcher: Fetcher, rate: float) -> Iterator[Page | Note]:
    """Yield the answers about what is wanted; see `OnlineSource.harvest`.

    A list that ends short is gone on with behind its last hit by the next run; if it is short again, the run after
    that begins anew.
    """
    mark = None
    if ask.cursor:
        try:
            mark = _read_mark(ask.cursor)
        except ValueError:
            yield Note(f"Where the last run about {ask.want} ended can't be read; all of it is asked for anew.")
    if mark is not None:
        yield from _hits(ask, mark, fetcher, rate)
        return
    asked = queries(ask.want)
    for number, query in enumerate(asked, 1):
        came = 0
        for found in _hits(ask, _Mark(query), fetcher, rate, is_last=number == len(asked)):
            came += isinstance(found, Page)
            yield found
        if came:
            return
        if number < len(asked):
            yield Note(f"DBLP has no table of contents {query[4:-5]}; its search is asked for {asked[number]}")


def _hits(ask: Ask, mark: _Mark, fetcher: Fetcher, rate: float, *, is_last: bool = True) -> Iterator[Page | Note]:
    """Yield the answers from `mark` on; nothing where there are none and another query can be asked.

    Raises:
        ShortError: DBLP says that there are more hits than it gives.
    """
    seen: set[str] = set()
    while True:
        check = _Hits(mark.first, seen)
        content = _get(ask, mark, fetcher, rate, check)
        fresh = list({_key(hit): hit for hit in check.hits if _key(hit) not in seen}.values())
        if not fresh or check.is_stuck:
            break
        if mark.first == 0 and check.total > _MANY:
            yield Note(f"DBLP has {check.total:,} hits for {ask.want}. {_dump_hint(ask.addresses['dump'])}")
        seen.update(map(_key, fresh))
        if len(fresh) < len(check.hits):
            content = json.dumps({"result": {"hits": {"hit": fresh}}}).encode()
        # An answer may have fewer hits than were asked for: the next one begins behind what came.
        mark = replace(mark, first=mark.first + len(check.hits), came=mark.came + len(fresh), total=check.total)
        yield Page(content, f"{ask.want} of DBLP, hits to {mark.first:,}", mark.cursor, total=check.total)
    if check.is_stuck:
        again = _DONE if mark.is_short else replace(mark, is_short=True).cursor
        yield Page(_NOTHING, f"{ask.want} of DBLP, end", again)
        raise ShortError(
            f"DBLP says that it has {check.total:,} hits for {ask.want}, and gave {mark.first:,}.",
            hint="What came is kept; run it again later.",
        )
    if not mark.first and not is_last:
        return
    if not mark.first:
        yield Note(f"DBLP has nothing for {ask.want}.")
    elif mark.came != mark.total:
        yield Note(f"DBLP said that it has {mark.total:,} hits for {ask.want}; {mark.came:,} different ones came.")
    yield Page(_NOTHING, f"{ask.want} of DBLP, end", _DONE)


def _key(hit: Any) -> str:
    """What tells a hit from others: its key, else all of it."""
    info = hit.get("info") if isinstance(hit, dict) else None
    key = info.get("key") if isinstance(info, dict) else None
    return key if isinstance(key, str) and key else json.dumps(hit, sort_keys=True)


def _get(ask: Ask, mark: _Mark, fetcher: Fetcher, rate: float, check: _Hits) -> bytes:
    """The next answer; `check.is_stuck` where there is none, though DBLP says so."""
    asked = {"q": mark.query, "format": "json", "h": _MOST, "f": mark.first, "c": 0}
    try:
        return fetcher.get(f"{ask.addresses['api']}?{urlencode(asked)}", rate=rate, expect=check).content
    except FetchError as fault:
        if fault.status == 200 and check.is_stuck:
            return b""
        if fault.status == 200 and check.is_page:
            raise FetchError(
                f"DBLP answers {ask.want} with a page for browsers, not with data.",
                url=fault.url, status=200, tries=fault.tries,
                hint=f"Run it again later; what came before is kept. {_dump_hint(ask.addresses['dump'])}",
            ) from fault  # fmt: skip
        raise
