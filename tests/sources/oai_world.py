"""A made-up arXiv: OAI-PMH, announcement feeds and query API over the same generated papers, with a day that moves.

    world = World(n=2_000, days=10)
    with WorldServer(world, page=500) as server:
        ask = Ask("cs.LG", server.addresses)
        ...
    assert server.n_lists == 4

or as a process of its own, which prints its address and serves until it is ended:

    python -m tests.sources.oai_world --port 0 --records 20000 --page 500
    curl 'ADDRESS/day?set=2031-05-07'    # the day goes on
    curl ADDRESS/counts                  # what was asked so far

Papers are announced on weekdays in equal shares. Some are revised, edited in bulk or deleted on a later day, so that
their datestamps move, as arXiv's do; some are of 1999 and only edited. Tokens are made as arXiv makes them: the day that the next page begins on and how
many of its records to skip, good until the next midnight.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qs, quote, unquote, urlencode, urlsplit
from xml.sax.saxutils import escape

from octavo.sources.arxiv_categories import set_of

FIRST_DAY = date(2031, 5, 5)
"""A Monday."""
EARLIEST = date(2005, 9, 16)
"""The first datestamp that there is."""
_ADJECTIVES = ("fast", "sparse", "greedy", "quiet", "folded", "nested", "woven", "tilted", "glazed", "hollow", "even")
_THINGS = (
    "tiles",
    "floors",
    "mosaics",
    "quarries",
    "arches",
    "kilns",
    "gardens",
    "ladders",
    "rivers",
    "lanterns",
    "mills",
)
_DEEDS = (
    "sorting",
    "pruning",
    "laying",
    "counting",
    "cutting",
    "tracing",
    "matching",
    "mending",
    "painting",
    "weighing",
    "lifting",
)
_GIVEN = ("Ann", "Cy", "Dee", "Wei", "Jürg", "Zoë", "Nuño", "Ida", "Olu", "Mei", "Kofi", "Eva", "Tom")
_FAMILY = ("Bee", "Example", "Marrò", "Tiler", "Quarrier", "van der Floor", "Kiln", "Mill", "Arch", "Ladder", "Lantern")
_CATEGORIES = (
    ("cs.LG", "stat.ML"), ("cs.LG",), ("cs.CL", "cs.LG"), ("stat.ML", "cs.LG"), ("math.NA", "cs.NA"), ("hep-th",),
    ("astro-ph.EP", "physics.space-ph"), ("cs.CV", "cs.AI"), ("cs.LG", "cs.AI", "stat.ML"), ("physics.optics",),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class WorldPaper:
    """One paper, with all that will happen to it."""

    number: int
    id: str
    title: str
    authors: tuple[tuple[str, str], ...]
    abstract: str
    categories: tuple[str, ...]
    submitted: date
    announced: date
    revised: date | None = None
    """When a second version was announced."""
    edited: date | None = None
    """When the record changed and the paper did not (pitfall A07)."""
    deleted: date | None = None

    def stamp(self, today: date) -> date | None:
        """The record's datestamp as seen on a day; None before there is one."""
        events = (self.announced, self.revised, self.edited, self.deleted)
        return max((event for event in events if event is not None and event <= today), default=None)

    def is_deleted(self, today: date) -> bool:
        """Whether it is gone by that day."""
        return self.deleted is not None and self.deleted <= today

    def n_versions(self, today: date) -> int:
        """How many versions there are by that day."""
        return 2 if self.revised is not None and self.revised <= today else 1

    def latest(self, today: date) -> date:
        """When the latest version that there is by that day was submitted."""
        return day_before(self.revised) if self.revised is not None and self.revised <= today else self.submitted

    def is_in(self, set_name: str) -> bool:
        """Whether it is in that set of OAI-PMH, or there is none."""
        names = map(set_of, self.categories)
        return not set_name or any(name == set_name or name.startswith(set_name + ":") for name in names)


@dataclass(slots=True)
class World:
    """The papers, and which day it is."""

    n: int = 100
    days: int = 10
    """Announcement days over which the papers are spread."""
    first_day: date = FIRST_DAY
    changes: bool = True
    """Whether some papers are revised, edited and deleted later on."""
    today: date = field(default=date.min)
    """The last announcement day, at first."""
    papers: list[WorldPaper] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.today == date.min:
            self.today = self.announcement_days()[-1]
        self.papers = self.papers or [self._paper(number) for number in range(self.n)]

    def announcement_days(self) -> list[date]:
        """The weekdays on which there is something new."""
        days = (self.first_day + timedelta(days=n) for n in range(self.days * 2 + 4))
        return [day for day in days if day.weekday() < 5][: self.days]

    def move_on(self, days: int = 1) -> date:
        """Let days go by."""
        self.today += timedelta(days=days)
        return self.today

    def listed(self, start: str = "", until: str = "", set_name: str = "") -> list[tuple[date, WorldPaper]]:
        """Datestamps and papers as OAI-PMH lists them: in the order of datestamps, then of ids."""
        found = ((paper.stamp(self.today), paper) for paper in self.papers if paper.is_in(set_name))
        dated = [(stamp, paper) for stamp, paper in found if stamp is not None]
        within = [one for one in dated if start <= one[0].isoformat() <= (until or "9999")]
        return sorted(within, key=lambda one: (one[0], one[1].id))

    def announced(self, category: str, day: date) -> list[tuple[str, WorldPaper]]:
        """What the feed of a category holds on a day: kinds of announcement, and papers."""
        found = []
        for paper in self.papers:
            is_listed = any(name == category or name.startswith(category + ".") for name in paper.categories)
            if not is_listed or paper.is_deleted(day):
                continue
            is_own = paper.categories[0] == category or paper.categories[0].startswith(category + ".")
            if paper.announced == day:
                found.append(("new" if is_own else "cross", paper))
            elif paper.revised == day:
                found.append(("replace" if is_own else "replace-cross", paper))
        return found

    def ids(self, set_name: str = "") -> set[str]:
        """The ids of the papers that are there today."""
        return {paper.id for _, paper in self.listed(set_name=set_name) if not paper.is_deleted(self.today)}

    def _paper(self, number: int) -> WorldPaper:
        days = self.announcement_days()
        place = number * self.days // self.n
        announced, later = days[place], days[min(place + 1 + number % 3, self.days - 1)]
        submitted = day_before(announced)
        changed = later if self.changes and later > announced else None
        name = f"{submitted:%y%m}.{number + 1:05}"
        edited = changed if number % 13 == 5 else None
        if is_old := number % 47 == 17:  # one from before, that arXiv edits on the day
            submitted, edited, announced = date(1999, number // 47_000 % 12 + 1, 10), announced, EARLIEST
            name = f"hep-th/{submitted:%y%m}{number // 47 % 1000:03}"
        return WorldPaper(
            number=number,
            id=name,
            title=_title(number),
            authors=tuple(
                (_GIVEN[(number + n * 5) % 13], _FAMILY[(number // 3 + n * 7) % 11]) for n in range(number % 5 + 1)
            ),
            abstract=_abstract(number),
            categories=_CATEGORIES[number % len(_CATEGORIES)],
            submitted=submitted,
            announced=announced,
            revised=changed if number % 7 == 3 and not is_old else None,
            edited=edited,
            deleted=changed if number % 97 == 11 and not is_old else None,
        )


def day_before(announced: date) -> date:
    """When it was submitted: by Thursday for Friday, by Friday for Monday."""
    return announced - timedelta(days=3 if announced.weekday() == 0 else 1)


def _title(number: int) -> str:
    """A title that no other paper has."""
    rest, adjective = divmod(number, len(_ADJECTIVES))
    rest, thing = divmod(rest, len(_THINGS))
    rest, deed = divmod(rest, len(_DEEDS))
    rest, other = divmod(rest, len(_ADJECTIVES))
    volume, last = divmod(rest, len(_THINGS))
    end = f", part {volume + 1}" if volume else ""
    return f"On {_DEEDS[deed]} {_ADJECTIVES[adjective]} {_THINGS[thing]} with {_ADJECTIVES[other]} {_THINGS[last]}{end}"


def _abstract(number: int) -> str:
    words = []
    for n in range(9):
        adjective, thing, deed = (
            _ADJECTIVES[(number + n) % 11],
            _THINGS[(number // 11 + 3 * n) % 11],
            _DEEDS[(number + 5 * n) % 11],
        )
        words.append(
            f"We show that {deed} {adjective} {thing} takes $O(n^{n + 2})$ steps & no more than {number % 17 + n} lamps."
        )
    return "\n".join(words)


# What the three services say


def record(paper: WorldPaper, today: date, prefix: str) -> str:
    """One record of OAI-PMH, as arXiv gives it since 2025."""
    sets = "".join(f"<setSpec>{set_of(name)}</setSpec>" for name in paper.categories)
    header = f"<identifier>oai:arXiv.org:{paper.id}</identifier><datestamp>{paper.stamp(today)}</datestamp>"
    if paper.is_deleted(today):
        return f'<record><header status="deleted">{header}</header></record>\n'
    return f"<record><header>{header}{sets}</header><metadata>{_METADATA[prefix](paper, today)}</metadata></record>\n"


def _raw(paper: WorldPaper, today: date) -> str:
    dates = [paper.submitted, paper.latest(today)][: paper.n_versions(today)]
    versions = "".join(
        f'<version version="v{n}"><date>{day:%a, %d %b %Y} 12:00:00 GMT</date><size>7kb</size></version>'
        for n, day in enumerate(dates, 1)
    )
    names = ", ".join(f"{given} {family}" for given, family in paper.authors)
    return (
        f'<arXivRaw xmlns="http://arxiv.org/OAI/arXivRaw/"><id>{paper.id}</id><submitter>Made up</submitter>{versions}'
        f"<title>{escape(paper.title)}</title><authors>{escape(names)}</authors>{_rest(paper)}</arXivRaw>"
    )


def _parts(paper: WorldPaper, today: date) -> str:
    names = "".join(
        f"<author><keyname>{family}</keyname><forenames>{given}</forenames></author>" for given, family in paper.authors
    )
    updated = f"<updated>{paper.latest(today)}</updated>" if paper.n_versions(today) == 2 else ""
    return (
        f'<arXiv xmlns="http://arxiv.org/OAI/arXiv/"><id>{paper.id}</id><created>{paper.submitted}</created>{updated}'
        f"<authors>{names}</authors><title>{escape(paper.title)}</title>{_rest(paper)}</arXiv>"
    )


def _rest(paper: WorldPaper) -> str:
    licence = "http://creativecommons.org/licenses/by/4.0/"
    return (
        f"<categories>{' '.join(paper.categories)}</categories><comments>{paper.number % 30 + 4} pages</comments>"
        f"<license>{licence}</license><abstract>  {escape(paper.abstract)}\n</abstract>"
    )


_METADATA = {"arXivRaw": _raw, "arXiv": _parts}


@lru_cache(maxsize=65_536)
def _record(paper: WorldPaper, today: date, prefix: str) -> str:
    return record(paper, today, prefix)


def envelope(today: date, inside: str) -> bytes:
    """An answer of OAI-PMH."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f'<responseDate>{today}T06:00:00Z</responseDate><request verb="ListRecords">http://arxiv.example/oai</request>'
        f"{inside}</OAI-PMH>\n"
    ).encode()


def oai_error(today: date, code: str, said: str = "") -> bytes:
    """An answer of OAI-PMH that refuses."""
    return envelope(today, f'<error code="{code}">{said}</error>')


def oai_page(world: World, arguments: dict[str, str], size: int, *, strict: bool = True) -> bytes:
    """What OAI-PMH answers. With `strict` an expired token is refused; arXiv itself takes it."""
    today = world.today
    if arguments.get("verb") != "ListRecords":
        return oai_error(today, "badVerb")
    skip = 0
    if token := arguments.get("resumptionToken"):
        if set(arguments) != {"verb", "resumptionToken"}:
            return oai_error(today, "badArgument", "No other parameters allowed with resumptionToken")
        arguments = {name: values[0] for name, values in parse_qs(unquote(token)).items()}
        if not arguments.get("skip", "").isdigit() or (strict and arguments.pop("day", "") < today.isoformat()):
            return oai_error(today, "badResumptionToken", "The token has expired")
        skip = int(arguments.pop("skip"))
    prefix, start = arguments.get("metadataPrefix", ""), arguments.get("from", "")
    if prefix not in _METADATA:
        return oai_error(today, "badArgument", "metadataPrefix required.")
    if start and not "2005-09-16" <= start <= today.isoformat():
        return oai_error(today, "badArgument", "start date too early, or until date before it")
    found = world.listed(start, arguments.get("until", ""), arguments.get("set", ""))[skip:]
    if not found:
        return oai_error(today, "noRecordsMatch")
    page, rest = found[:size], found[size:]
    ending = "\n\n    "
    if rest:
        day = rest[0][0]
        is_same = day == found[0][0]
        done = skip + size if is_same else sum(stamp == day for stamp, _ in page)
        going_on = arguments | {"skip": str(done), "day": today.isoformat()} | ({} if is_same else {"from": str(day)})
        midnight = today + timedelta(days=1)
        ending = (
            f"<resumptionToken expirationDate='{midnight}T00:00:00Z'>{quote(urlencode(going_on))}</resumptionToken>"
        )
    records = "".join(_record(paper, today, prefix) for _, paper in page)
    return envelope(today, f"<ListRecords>\n{records}{ending}</ListRecords>")


def feed_page(world: World, category: str, built_on: date | None = None) -> bytes:
    """What the feed of a category says; with `built_on` it claims that day (pitfall A11)."""
    entries = []
    for kind, paper in world.announced(category, world.today):
        version = 2 if kind.startswith("replace") else 1
        names = ", ".join(f"{given} {family}" for given, family in paper.authors)
        entries.append(
            f"<entry><id>oai:arXiv.org:{paper.id}v{version}</id><title>{escape(paper.title)}</title>"
            f"<updated>{built_on or world.today}T04:00:00+00:00</updated>"
            f'<link href="https://arxiv.org/abs/{paper.id}" rel="alternate" type="text/html"/>'
            f"<summary>arXiv:{paper.id}v{version} Announce Type: {kind} \nAbstract: {escape(paper.abstract)}</summary>"
            + "".join(f'<category term="{name}"/>' for name in paper.categories)
            + f"<published>{world.today}T00:00:00-04:00</published><arxiv:announce_type>{kind}</arxiv:announce_type>"
            f"<dc:creator>{escape(names)}</dc:creator></entry>"
        )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns:arxiv="http://arxiv.org/schemas/atom" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns="http://www.w3.org/2005/Atom">'
        f"<id>http://rss.arxiv.org/atom/{category}</id><title>{category} updates on arXiv.org</title>"
        f"<updated>{built_on or world.today}T04:00:00.000000+00:00</updated>{''.join(entries)}</feed>"
    ).encode()


def api_feed(entries: str, total: int, start: int = 0) -> bytes:
    """An answer of the query API."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?><feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom">'
        "<id>https://arxiv.org/api/made-up</id><title>arXiv Query</title><updated>2031-05-16T06:00:00Z</updated>"
        f"<opensearch:totalResults>{total}</opensearch:totalResults>"
        f"<opensearch:startIndex>{start}</opensearch:startIndex>{entries}</feed>"
    ).encode()


def api_entry(name: str, title: str = "A made-up paper", version: int = 1, **more: str) -> str:
    """An entry of the query API."""
    days = {"published": "2031-05-02", "updated": "2031-05-02"} | more
    return (
        f"<entry><id>http://arxiv.org/abs/{name}v{version}</id><title>{escape(title)}</title>"
        f"<published>{days['published']}T12:00:00Z</published><updated>{days['updated']}T12:00:00Z</updated>"
        f"<summary>{escape(more.get('abstract', 'We lay tiles.'))}</summary>{more.get('rest', '')}</entry>"
    )


def api_error(said: str) -> bytes:
    """The API's word that it refuses, which comes with status 400."""
    entry = f"<entry><id>https://arxiv.org/api/errors#made_up</id><title>Error</title><summary>{said}</summary></entry>"
    return api_feed(entry, 1)


def api_page(world: World, arguments: dict[str, str]) -> tuple[int, bytes]:
    """Status and answer of the query API; of a query it reads `cat:` and `submittedDate:[A TO B]`, joined by AND."""
    size, start = int(arguments.get("max_results", "10")), int(arguments.get("start", "0"))
    papers = [paper for paper in world.papers if paper.announced <= world.today and not paper.is_deleted(world.today)]
    if ids := arguments.get("id_list"):
        if not all(re.fullmatch(r"[a-z-]+/\d{7}(v\d+)?|\d{4}\.\d{4,5}(v\d+)?", name) for name in ids.split(",")):
            return 400, api_error("incorrect id format")
        asked = {name.partition("v")[0] for name in ids.split(",")}
        found = [paper for paper in papers if paper.id in asked]
    else:
        query = arguments.get("search_query", "")
        names = set(re.findall(r"cat:(\S+)", query))
        days = re.search(r"submittedDate:\[(\d{8})\d* TO (\d{8})\d*\]", query)
        if not names and not days:
            return 400, api_error("the query can't be read")
        found = [paper for paper in papers if names <= set(paper.categories)]
        found = [paper for paper in found if not days or days[1] <= f"{paper.submitted:%Y%m%d}" <= days[2]]
        found.sort(key=lambda paper: (paper.submitted, paper.number))
    entries = "".join(_api_entry(paper, world.today) for paper in found[start : start + size])
    return 200, api_feed(entries, len(found), start)


def _api_entry(paper: WorldPaper, today: date) -> str:
    names = "".join(f"<author><name>{given} {family}</name></author>" for given, family in paper.authors)
    terms = "".join(f'<category term="{name}"/>' for name in paper.categories)
    primary = f'<arxiv:primary_category term="{paper.categories[0]}"/>'
    number = paper.n_versions(today)
    dates = {"published": str(paper.submitted), "updated": str(paper.latest(today))}
    return api_entry(paper.id, paper.title, number, abstract=paper.abstract, rest=names + primary + terms, **dates)


# The server


class WorldServer:
    """Serves a world on loopback until the `with` block ends."""

    def __init__(self, world: World, page: int = 50, port: int = 0, delay: float = 0.0) -> None:
        """Serve `page` records a page of OAI-PMH, each answer after `delay` seconds."""
        self.world = world
        self.page = page
        self.delay = delay
        self.strict = True
        """Whether expired tokens are refused."""
        self.stale: set[str] = set()
        """Categories whose feed is yesterday's, and says that it is today's."""
        self.requests: list[str] = []
        """Paths with arguments, in order."""
        self.refused: Counter[int] = Counter()
        """How often the n-th list request of all (from 1) is to be answered by badResumptionToken."""
        self.tokens: Counter[str] = Counter()
        """How often each token was asked for."""
        self.n_lists = 0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    @property
    def address(self) -> str:
        """Without a slash at the end."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def addresses(self) -> dict[str, str]:
        """What an Ask needs."""
        return {"oai": f"{self.address}/oai", "feed": f"{self.address}/atom", "api": f"{self.address}/api/query"}

    def starts(self) -> list[str]:
        """`from` of each list request that has no token; empty where it has none."""
        asked = [self._arguments(path) for path in self.requests if path.startswith("/oai")]
        return [arguments.get("from", "") for arguments in asked if "resumptionToken" not in arguments]

    def answer(self, path: str) -> tuple[int, bytes, str]:
        """Status, body and media type."""
        where, arguments = urlsplit(path).path, self._arguments(path)
        if where == "/day":
            if "set" in arguments:
                self.world.today = date.fromisoformat(arguments["set"])
            return 200, f"{self.world.today}\n".encode(), "text/plain"
        if where == "/counts":
            return 200, json.dumps(self.counts()).encode(), "application/json"
        with self._lock:
            self.requests.append(path)
            if where == "/oai":
                self.n_lists += 1
                self.tokens[arguments.get("resumptionToken", "")] += 1
            is_refused = where == "/oai" and self.refused.pop(self.n_lists, 0) > 0
        if where == "/oai":
            if is_refused:
                return 200, oai_error(self.world.today, "badResumptionToken", "The token has expired"), "text/xml"
            return 200, oai_page(self.world, arguments, self.page, strict=self.strict), "text/xml"
        if where.startswith("/atom/"):
            return 200, self._feed(where.removeprefix("/atom/")), "application/atom+xml"
        if where == "/api/query":
            status, body = api_page(self.world, arguments)
            return status, body, "application/atom+xml"
        return 404, b"not here", "text/plain"

    def counts(self) -> dict[str, int]:
        """What was asked so far."""
        kinds = Counter(urlsplit(path).path.split("/")[1] for path in self.requests)
        return {
            "oai": kinds["oai"],
            "atom": kinds["atom"],
            "api": kinds["api"],
            "most_a_token": max(self.tokens.values(), default=0),
        }

    def _feed(self, category: str) -> bytes:
        if category not in self.stale:
            return feed_page(self.world, category)
        days = [day for day in self.world.announcement_days() if day < self.world.today]
        yesterday = World(self.world.n, self.world.days, today=days[-1], papers=self.world.papers)
        return feed_page(yesterday, category, built_on=self.world.today)

    @staticmethod
    def _arguments(path: str) -> dict[str, str]:
        return {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}


def _handler(owner: WorldServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = 1 << 16

        def do_GET(self) -> None:
            if owner.delay:
                time.sleep(owner.delay)
            status, body, media_type = owner.answer(self.path)
            mark = f'"{hash(body)}"'
            if media_type == "application/atom+xml" and self.headers.get("If-None-Match") == mark:
                status, body = 304, b""
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            self.send_header("ETag", mark)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


def main() -> None:
    """Serve until ended."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--records", type=int, default=20_000)
    parser.add_argument("--page", type=int, default=500)
    parser.add_argument("--days", type=int, default=10, help="announcement days")
    parser.add_argument("--first-day", type=date.fromisoformat, default=FIRST_DAY, help="the first of them")
    parser.add_argument("--today", type=date.fromisoformat, default=date.min, help="the last of them, where not named")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds before each answer")
    arguments = parser.parse_args()
    world = World(arguments.records, arguments.days, arguments.first_day, today=arguments.today)
    with WorldServer(world, arguments.page, arguments.port, arguments.delay) as server:
        sys.stdout.write(f"{server.address}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
