"""PMLR over the network: a volume in three requests, whatever its size.

What PMLR offers of a volume, each made from the same posts whenever its site is built:

* `assets/bib/citeproc.yaml`, to which the volume's page links: title, abstract, authors in their parts, pages, PDF
  and date of every paper. PMLR's own tests load that of each volume that is listed in `proceedings.yaml`.
* the volume's page: beside each paper its links (OpenReview, Software, Video, Supplementary), under the heading of its
  section.
* `_config.yml` in the volume's repository, on the branch `gh-pages`: the conference's short name and its year.

Together they say what the posts do, which is what `octavo add` reads. `assets/bib/bibliography.bib` has the same
papers with TeX in the place of Unicode, the year of printing for the conference's, and neither links nor sections.
The posts one by one would be three thousand requests; the repository as an archive is gigabytes of PDFs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import unescape

from octavo.errors import FormatError, UsageError
from octavo.sources.base import Page
from octavo.sources.http_errors import FetchError
from octavo.sources.online import Ask, Fetcher, Note, ShortError
from octavo.sources.streams import PAGE_BYTES, Context

ADDRESSES: Mapping[str, str] = {
    "site": "https://proceedings.mlr.press",
    "config": "https://raw.githubusercontent.com/mlresearch",
}
WANTS = "a volume: v267, or r1 of those that were issued anew"
RATE = 1.0
"""Seconds between requests to one host; PMLR states none."""
MAX_CITATIONS = 64 * 1024 * 1024
MAX_CONFIG = 1024 * 1024
FORM = "form"
"""The key of `Page.context` that tells a page of citations from a post."""
CITATIONS = "citeproc"
LINKS = "links "
"""With a paper's id behind it, the key of `Page.context` for what the volume's page says of it: lines of
`field=value`, with the names that a post has for them."""
ENTRY = re.compile(rb"^- title:", re.MULTILINE)
"""Where the citation of a paper begins."""

Configuration = Callable[[Page], Context]
"""Reads `_config.yml`."""

_VOLUME = re.compile(r"(?:volume\s*|v)?\s*([0-9]{1,4})|(r)\s*([0-9]{1,3})", re.IGNORECASE)
_SITE = re.compile(r"(?:https?://)?proceedings\.mlr\.press/+([^/?#]*).*", re.IGNORECASE)
_ID_LINE = re.compile(rb"^  URL: \S*/([^/\s]+)\.html[ \t\r]*$", re.MULTILINE)
_LISTED = re.compile(rb"^- volume: *[\"']?([vr]?[0-9]+)", re.MULTILINE | re.IGNORECASE)
# Repetitions are bounded, so that no page is slow to read.
_ON_PAGE = re.compile(
    r"(\n[ \t]{0,80}\n[ \t]{0,80}\n)"
    r"|<h3\b[^<>]{0,500}?\bid=\"([^\"<>]{0,500})\""
    r"|<div\b[^<>]{0,500}?\bclass=\"(paper)\""
    r"|<a\b[^<>]{0,500}?\bhref=\"([^\"<>]{0,2000})\"[^<>]{0,4000}>([^<>]{0,200})</a>"
)
_FORUM = re.compile(r"https?://openreview\.net/forum\?id=([\w-]+)")
_PAPER = re.compile(r"/([^/]+)\.html\Z")

Links = dict[str, dict[str, str]]
"""What the volume's page says, by the papers' ids."""


def want(text: str) -> str:
    """The one form of what a reader names: `v267`, `r1`.

    Takes `267`, `V267`, `Volume 267`, and addresses of the volume's pages too.

    Raises:
        UsageError: it is no volume.
    """
    name = text.strip()
    if address := _SITE.fullmatch(name):
        name = address[1]
    found = _VOLUME.fullmatch(name)
    number = int(found[1] or found[3]) if found else 0
    if found is None or (not number and not found[2]):
        raise UsageError(f"“{text.strip()[:60]}” is no volume of PMLR.", hint=f"Name {WANTS}.")
    return f"{'r' if found[2] else 'v'}{number}"


def harvest(ask: Ask, fetcher: Fetcher, configuration: Configuration) -> Iterator[Page | Note]:
    """Yield the citations of a volume in pages of about PAGE_BYTES; see `OnlineSource.harvest`.

    A volume that has not changed since it was committed gives no page.
    """
    content = _citations(ask, fetcher)
    notes: list[Note] = []
    ids = [name.decode("utf-8", "replace") for name in _ID_LINE.findall(content)]
    links = _links(ask, fetcher, ids, notes)
    config = _config(ask, fetcher, configuration, notes)
    yield from notes
    version = hashlib.sha256(content + repr((links, config)).encode()).hexdigest()[:16]
    known, _, done = ask.cursor.partition(":")
    yield from _pages(ask.want, content, links, config, version, int(done) if known == version else 0)
    if missing := sorted(links.keys() - set(ids)):
        raise ShortError(
            f"The page of {ask.want} lists {len(links):,} papers, of which {len(missing):,} are not in its citations: "
            f"{', '.join(missing[:3])}.",
            hint="The site may be changing just now; run it again later. What came is kept.",
        )


def _pages(want: str, content: bytes, links: Links, config: Context, version: str, done: int) -> Iterator[Page]:
    """The entries behind the first `done`; each page's cursor is the version and how many came up to its end."""
    starts = [found.start() for found in ENTRY.finditer(content)]
    ends = [*starts[1:], len(content)]
    total = len(starts)
    while done < total:
        first = done
        while done < total and (done == first or ends[done] - starts[first] <= PAGE_BYTES):
            done += 1
        piece = content[starts[first] : ends[done - 1]]
        names = dict.fromkeys(name.decode("utf-8", "replace") for name in _ID_LINE.findall(piece))
        of_papers = tuple(
            (LINKS + name, "\n".join(f"{field}={value}" for field, value in links[name].items()))
            for name in names
            if links.get(name)
        )
        yield Page(
            content=piece,
            place=f"{want}/assets/bib/citeproc.yaml",
            cursor=f"{version}:{done}",
            line=content.count(b"\n", 0, starts[first]) + 1,
            done=ends[done - 1],
            context=((FORM, CITATIONS), *config, *of_papers),
            total=total,
        )


# What is fetched


def _citations(ask: Ask, fetcher: Fetcher) -> bytes:
    url = f"{ask.addresses['site']}/{ask.want}/assets/bib/citeproc.yaml"
    try:
        return fetcher.get(url, rate=RATE, expect=_are_citations, max_bytes=MAX_CITATIONS, conditional=True).content
    except FetchError as error:
        if error.status != 404:
            raise
        near = _near(ask, fetcher)
        raise FetchError(
            f"PMLR has no volume {ask.want}.",
            url=error.url, status=404, tries=error.tries,
            hint=f"{f'Near it {near}. ' if near else ''}All are listed at {ask.addresses['site']}.",
        ) from error  # fmt: skip


def _are_citations(content: bytes) -> bool:
    """Whether it is a list of citations to its end: no page about maintenance, and nothing that was cut.

    A citation ends with its date; what was cut in the number of a day can't be told, but then the volume's page has
    more papers.
    """
    if not content.lstrip().startswith(b"- title:"):
        return False
    last = content[content.rfind(b"\n- title:") + 1 :]
    return re.search(rb"^  issued:\s*\n +date-parts:\s*\n +- [0-9]", last, re.MULTILINE) is not None


def _links(ask: Ask, fetcher: Fetcher, ids: list[str], notes: list[Note]) -> Links:
    url = f"{ask.addresses['site']}/{ask.want}/"
    try:
        answer = fetcher.get(url, rate=RATE, expect=_is_page, max_bytes=MAX_CITATIONS, conditional=True)
    except FetchError as error:
        if error.status != 404:
            raise
        found: Links = {}
    else:
        found = links_on(answer.content.decode("utf-8", "replace"), ids)
    if not found:
        notes.append(
            Note(f"The page of {ask.want} lists no papers in a known form: OpenReview ids and code are not there.")
        )
    return found


def _is_page(content: bytes) -> bool:
    return b"</html>" in content[-4096:].lower() or b"</body>" in content[-4096:].lower()


def links_on(page: str, ids: Iterable[str]) -> Links:
    """What a volume's page says of its papers, by their ids and with the names of a post's fields.

    `ids` are those of the volume, in its order. Papers without a section stand behind those of the last one, under its
    heading. But PMLR's template has two blank lines there; and each list is in the volume's order, so one that goes
    back is another list.
    """
    order = {name: at for at, name in enumerate(ids)}
    found: Links = {}
    fields: dict[str, str] = {}
    section, before, has_gap = "", -1, False
    for gap, heading, paper, href, label in _ON_PAGE.findall(page):
        if gap:
            has_gap = True
        elif heading:
            section, before, has_gap = unescape(heading), -1, False
        elif paper:
            section, fields, has_gap = "" if has_gap else section, {}, False
        elif label == "abs" and (named := _PAPER.search(unescape(href))):
            here = order.get(named[1], before)
            section, before = section if here >= before else "", here
            if section:
                fields["section"] = section
            found.setdefault(named[1], fields)
        elif (field := _field_of(label)) and (value := _value_of(field, unescape(href).strip())):
            fields.setdefault(field, value)
    return found


def _field_of(label: str) -> str:
    word = label.strip().lower()
    if "supplement" in word:
        return "supplementary"
    return word if word in ("openreview", "software", "video") else ""


def _value_of(field: str, href: str) -> str:
    if field == "openreview":
        forum = _FORUM.match(href)
        return forum[1] if forum else ""
    return href if "\n" not in href else ""


def _config(ask: Ask, fetcher: Fetcher, configuration: Configuration, notes: list[Note]) -> Context:
    url = f"{ask.addresses['config']}/{ask.want}/gh-pages/_config.yml"
    try:
        answer = fetcher.get(url, rate=RATE, expect=_is_config, max_bytes=MAX_CONFIG, conditional=True)
        return configuration(Page(answer.content, f"{ask.want}/_config.yml"))
    except FetchError as error:
        if error.status != 404:
            raise
        reason = "is not there"
    except FormatError:
        reason = "can't be read"
    notes.append(Note(f"The configuration of {ask.want} {reason}: its conference has no short name and year."))
    return ()


def _is_config(content: bytes) -> bool:
    return b":" in content and not content.lstrip().startswith(b"<")


def _near(ask: Ask, fetcher: Fetcher) -> str:
    """The volumes that are next to the one that is not there, as words; empty where there is no list."""
    try:
        content = fetcher.get(
            f"{ask.addresses['site']}/proceedings.yaml", rate=RATE, expect=_is_list, max_bytes=MAX_CITATIONS
        ).content
    except FetchError:
        return ""
    series, number = ask.want[0], int(ask.want[1:])
    listed = [name.decode().lower() for name in _LISTED.findall(content)]
    numbers = {int(name.lstrip("vr")) for name in listed if (name[0] == "r") == (series == "r")}
    below = max((one for one in numbers if one < number), default=None)
    above = min((one for one in numbers if one > number), default=None)
    names = [f"{series}{one}" for one in (below, above) if one is not None]
    return f"{'is' if len(names) == 1 else 'are'} {' and '.join(names)}" if names else ""


def _is_list(content: bytes) -> bool:
    return _LISTED.search(content) is not None
