"""Asking PMLR: `octavo.sources.pmlr_online`, and how citations become the posts that they were made of. The volume is
made up; its citations and its page are written as PMLR's templates write them."""

from __future__ import annotations

import html
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from octavo.errors import UsageError
from octavo.records.paper import Record
from octavo.sources.base import Fault
from octavo.sources.http import FetchError, RateLimitedError, RefusedError
from octavo.sources.online import OnlineSource, ShortError
from octavo.sources.pmlr import PmlrSource
from tests.sources.fetching import MAINTENANCE, Web, a_web
from tests.sources.server import Reply

SITE = "/proceedings.mlr.press"
CITATIONS = f"{SITE}/v901/assets/bib/citeproc.yaml"
PAGE = f"{SITE}/v901/"
CONFIG = "/raw.githubusercontent.com/mlresearch/v901/gh-pages/_config.yml"
VOLUMES = f"{SITE}/proceedings.yaml"

Post = Mapping[str, Any]


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    with a_web(tmp_path, monkeypatch) as web:
        yield web


# PMLR's templates


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def people(persons: list[Post]) -> str:
    text = ""
    for person in persons:
        text += f"\n  - given: {person.get('given') or ''}"
        for part in ("prefix", "family", "suffix"):
            if part == "family" or person.get(part):
                text += f"\n    {part}: {person.get(part) or ''}"
    return text


def citation(post: Post, volume: str, editors: list[Post]) -> str:
    address = f"https://proceedings.mlr.press/{volume}"
    text = f"\n- title: {quoted(post['title'])}"
    for field in ("abstract", "note"):
        if post.get(field):
            text += f"\n  {field}: {quoted(post[field])}"
    text += f"\n  volume: {post['volume']}\n  URL: {address}/{post['id']}.html"
    if post.get("pdf"):
        text += f"\n  PDF: {post['pdf']}"
    text += f"\n  edit: https://github.com/mlresearch//{volume}/edit/gh-pages/_posts/2031-01-12-{post['id']}.md"
    text += (
        f"\n  series: {quoted(post.get('series', ''))}\n  container-title: {quoted(post.get('container-title', ''))}"
    )
    text += f"\n  publisher: {quoted(post.get('publisher', ''))}"
    text += f"\n  author: {people(post.get('author') or [])}\n  editor: {people(editors)}"
    text += f"\n  page: {post.get('page', '')}\n  id: {post['id']}\n  issued:\n    date-parts: "
    text += "".join(f"\n      - {part}" for part in post["issued"]["date-parts"])
    for field in ("firstpage", "lastpage"):
        if post.get(field):
            text += f"\n  {field}: {post[field]}"
    return text + (f"\n  published: {post['date']} 00:00:00 +0000" if post.get("date") else "")


def citations(posts: list[Post], volume: str = "v901", editors: list[Post] | None = None) -> bytes:
    return ("".join(citation(post, volume, editors or []) for post in posts) + "\n").encode()


def link(label: str, address: object) -> str:
    if not address:
        return ""
    shown = html.escape(str(address))
    action = f"ga('send', 'event', '{label}', 'Download', '{shown}', 10);"
    return f'[<a href="{shown}" target="_blank" onclick="{action}">{label}</a>]'


def listed(post: Post, volume: str) -> str:
    forum = f"https://openreview.net/forum?id={post['openreview']}" if post.get("openreview") else ""
    links = link("Download PDF", post.get("pdf")) + link("OpenReview", forum) + link("Software", post.get("software"))
    links += link("Video", post.get("video")) + link("Supplementary Material", post.get("supplementary"))
    links += "".join(link(extra["label"], extra["link"]) for extra in post.get("extras") or [])
    return (
        f'<div class="paper">\n  <p class="title">{html.escape(post["title"])}</p>\n  <p class="details">\n'
        f'    <span class="authors">Somebody</span>;\n    <span class="info"><i>Tiles</i>, PMLR 901:1-9</span>\n  </p>\n'
        f'  <p class="links">\n    [<a href="https://proceedings.mlr.press/{volume}/{post["id"]}.html">abs</a>]{links}'
        "</p>\n</div>\n"
    )


def volume_page(posts: list[Post], sections: tuple[str, ...] = (), volume: str = "v901") -> bytes:
    text = '<!DOCTYPE html>\n<html><body><h2>Volume 901</h2><p>[<a href="./assets/bib/bibliography.bib">bib</a>]</p>\n'
    for section in sections:
        text += f'\n<h3 id="{section}">{section}</h3>\n'
        text += "".join(listed(post, volume) for post in posts if post.get("section") == section)
    text += "\n\n" + "".join(listed(post, volume) for post in posts if not post.get("section"))
    return (
        text + '<p class="rss-subscribe">subscribe <a href="/v901/assets/rss/feed.xml">via RSS</a></p></body></html>\n'
    ).encode()


# A made-up volume


def a_post(name: str, first: int, **fields: object) -> dict[str, Any]:
    return {
        "title": f"Title of {name}: it's laid",
        "abstract": f"What {name} says: that's $x_1 < 2$ of it.\\emph{{Tiles}}",
        "layout": "inproceedings",
        "series": "Proceedings of Machine Learning Research",
        "publisher": "PMLR",
        "id": name,
        "firstpage": str(first),
        "lastpage": str(first + 8),
        "page": f"{first}-{first + 8}",
        "order": first,
        "author": [
            {"given": "Ada", "family": "Quill"},
            {"given": "Jan", "prefix": "van", "family": "Ede", "suffix": "Jr."},
        ],
        "date": "2031-01-12",
        "container-title": "Proceedings of Tile Laying",
        "volume": "901",
        "issued": {"date-parts": [2031, 1, 12]},
        "pdf": f"https://proceedings.mlr.press/v901/{name}/{name}.pdf",
    } | fields


EDITORS = [{"given": "Eve", "family": "Marker"}]
POSTS: list[Post] = [
    a_post("bee31a", 1, section="Oral", openreview="bEe_31-aXy", software="https://code.example/bee?x=1&y=2"),
    a_post("bee31b", 10, section="Poster", video="https://video.example/b", note="A note: with a colon"),
    a_post(
        "cod31a", 19, section="Oral", extras=[{"label": "Supplementary ZIP", "link": "https://papers.example/s.zip"}]
    ),
    a_post("dab31a", 28, section="Poster", supplementary="https://papers.example/s.pdf"),
    a_post("eel31a", 5, author=[{"given": "", "family": "Tilers"}], abstract=""),
]
SECTIONS = ("Oral", "Poster")
CONFIGURATION = b"""booktitle: Proceedings of Tile Laying
shortname: CoTL
year: '2030'
volume: '901'
published: 2031-01-12
sections:
- name: Oral
  title: Oral
"""


def site(
    posts: list[Post] | None = None, **more: bytes | Reply | list[Reply]
) -> dict[str, bytes | Reply | list[Reply]]:
    posts = sorted(POSTS if posts is None else posts, key=lambda post: post["order"])
    return {
        CITATIONS: Reply(citations(posts, editors=EDITORS), headers={"ETag": '"c"'}),
        PAGE: Reply(volume_page(posts, SECTIONS), headers={"Content-Type": "text/html", "ETag": '"p"'}),
        CONFIG: Reply(CONFIGURATION, headers={"Content-Type": "text/plain", "ETag": '"f"'}),
        VOLUMES: b'\n- volume: 899\n  url: "/v899"\n\n- volume: 902\n  url: "/v902"\n\n- volume: "r1"\n',
        **more,
    }


def of_files(folder: Path, posts: list[Post]) -> list[Record | Fault]:
    """What reading the posts themselves makes."""
    (folder / "v901/_posts").mkdir(parents=True)
    (folder / "v901/_config.yml").write_bytes(CONFIGURATION)
    for post in posts:
        text = f"---\n{yaml.safe_dump(dict(post), allow_unicode=True, sort_keys=False)}---\n"
        (folder / f"v901/_posts/2031-01-12-{post['id']}.md").write_text(text, encoding="utf-8")
    source = PmlrSource()
    return [one for page in source.fetch(folder / "v901") for one in source.parse(page)]


def test_the_source_can_be_asked() -> None:
    assert isinstance(PmlrSource(), OnlineSource)


# What can be asked for


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("267", "v267"), ("v267", "v267"), ("V267", "v267"), (" v267 ", "v267"), ("Volume 267", "v267"), ("v037", "v37"),
        ("https://proceedings.mlr.press/v267/", "v267"), ("http://proceedings.mlr.press/v267", "v267"),
        ("proceedings.mlr.press/v267/seth25a.html", "v267"), ("https://proceedings.mlr.press/v267/?x=1#y", "v267"),
        ("r1", "r1"), ("R1", "r1"), ("r0", "r0"), ("https://proceedings.mlr.press/r1/", "r1"),
    ],
)  # fmt: skip
def test_want_takes_every_spelling(text: str, expected: str) -> None:
    assert PmlrSource().want(text) == expected
    assert PmlrSource().want(expected) == expected


@pytest.mark.parametrize(
    "text",
    ["", "icml", "v", "v0", "-1", "v26x", "v12345", "../outside", "v267/../x", "v267\x00", "https://papers.example/v267/",
     "https://proceedings.mlr.press/", "https://[", "267 268", "\u0661"],
)  # fmt: skip
def test_want_says_what_can_be_named_when_it_can_not_be_asked_for(text: str) -> None:
    """Pitfall F05 too: what is wanted becomes part of an address."""
    with pytest.raises(UsageError) as raised:
        PmlrSource().want(text)
    assert "v267" in raised.value.hint


@given(st.text(max_size=40))
def test_want_has_one_form_whatever_it_is_given(text: str) -> None:
    try:
        form = PmlrSource().want(text)
    except UsageError:
        return
    assert PmlrSource().want(form) == form
    assert form[1:].isdecimal()


# A volume


def test_a_volume_comes_in_three_requests(web: Web) -> None:
    harvest = web.harvest(PmlrSource(), "v901", site())
    assert harvest.asked == [CITATIONS, PAGE, CONFIG]
    assert sorted(harvest.keys) == [f"v901/{post['id']}" for post in POSTS]
    assert (harvest.error, harvest.notes) == (None, [])
    assert harvest.pages[-1].total == 5


def test_the_network_makes_what_the_posts_make(web: Web, tmp_path: Path) -> None:
    """The same source and key is the same claim, so both ways must agree in every field."""
    made = {record.key: record for record in web.harvest(PmlrSource(), "v901", site()).records}
    assert made == {one.key: one for one in of_files(tmp_path, POSTS) if isinstance(one, Record)}


def test_a_record_has_what_the_three_answers_say(web: Web) -> None:
    made = {record.key: record for record in web.harvest(PmlrSource(), "v901", site()).records}
    bee = made["v901/bee31a"]
    assert [str(identifier) for identifier in bee.identifiers] == ["pmlr:v901/bee31a", "openreview:bEe_31-aXy"]
    assert dict(bee.links)["code"] == "https://code.example/bee?x=1&y=2"
    assert (bee.award, bee.venue.short if bee.venue else "", bee.venue.year if bee.venue else 0) == (
        "oral",
        "CoTL",
        2030,
    )
    assert [person.name for person in bee.authors] == ["Ada Quill", "Jan van Ede Jr."]
    assert dict(made["v901/bee31b"].links)["video"] == "https://video.example/b"
    assert made["v901/bee31b"].comment == "A note: with a colon"
    assert dict(made["v901/cod31a"].links)["supplement"] == "https://papers.example/s.zip"
    assert dict(made["v901/dab31a"].links)["supplement"] == "https://papers.example/s.pdf"
    assert (made["v901/eel31a"].award, made["v901/eel31a"].abstract) == ("", None)


def test_a_volume_issued_anew_has_its_own_addresses(web: Web) -> None:
    posts = [a_post("ant97a", 1, volume="R7")]
    answers: dict[str, bytes | Reply] = {
        f"{SITE}/r7/assets/bib/citeproc.yaml": citations(posts, "r7"),
        f"{SITE}/r7/": volume_page(posts, volume="r7"),
        "/raw.githubusercontent.com/mlresearch/r7/gh-pages/_config.yml": CONFIGURATION.replace(b"'901'", b"R7"),
    }
    harvest = web.harvest(PmlrSource(), "r7", answers)
    assert harvest.keys == ["r7/ant97a"]
    assert harvest.records[0].venue is not None
    assert harvest.records[0].venue.short == "CoTL"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "“What are my options?\u0080\u009d: explaining tiles"), ("abstract", "Automated re\x02port generation"),
        ("title", "A title with \\ and \"quotes\" and # and %"), ("abstract", "First line.\n\nSecond: line - with marks"),
        ("author", [{"given": "Y: Z", "family": "O'Neil"}]), ("author", [{"given": "*", "family": "[Tilers]"}]),
        ("author", [{"given": "- A", "family": "&b {c}"}]), ("author", [{"given": "'Abe", "family": "No"}]),
        ("author", [{"given": "Abe", "family": '"Eve'}, {"given": 'Dee" Eff', "family": "Gus #1"}]),
        ("author", []), ("title", "Null and ~ and 1e3"), ("title", "null tiles"),
    ],
)  # fmt: skip
def test_a_citation_makes_what_its_post_makes_whatever_is_in_it(
    web: Web, tmp_path: Path, field: str, value: object
) -> None:
    """PMLR's template writes names without quotes, and once wrote U+0080 and U+0002, which YAML refuses."""
    posts = [a_post("bee31a", 1, **{field: value}), a_post("bee31b", 10)]
    harvest = web.harvest(PmlrSource(), "v901", site(posts))
    assert harvest.found == of_files(tmp_path, posts)
    assert len(harvest.keys) == 2


def test_a_citation_that_is_not_utf_8_costs_itself(web: Web) -> None:
    posts = [a_post("bee31a", 1), a_post("bee31b", 10)]
    broken = citations(posts).replace(b"Title of bee31a", b"Title of b\xe9e31a")
    harvest = web.harvest(PmlrSource(), "v901", site(posts) | {CITATIONS: broken})
    assert harvest.keys == ["v901/bee31b"]
    assert [one.reason for one in harvest.found if isinstance(one, Fault)] == ["not UTF-8"]


def test_a_broken_citation_costs_itself(web: Web) -> None:
    posts = [a_post("bee31a", 1), a_post("bee31b", 10), a_post("cod31a", 19)]
    broken = citations(posts).replace(b"container-title: 'Proceedings", b"container-title: Pro: 'cee", 2)
    broken = broken.replace(b"container-title: Pro: 'cee", b"container-title: 'Proceedings", 1)
    harvest = web.harvest(PmlrSource(), "v901", site(posts) | {CITATIONS: broken})
    assert harvest.keys == ["v901/bee31a", "v901/cod31a"]
    (fault,) = (one for one in harvest.found if isinstance(one, Fault))
    assert (fault.reason, fault.entry) == ("not YAML", "bee31b")
    line = broken[: broken.index(b"- title: 'Title of bee31b")].count(b"\n") + 1
    assert fault.place == f"v901/assets/bib/citeproc.yaml, line {line}"


@pytest.mark.parametrize("sections", [("Oral",), ("Oral", "Poster"), ("Poster", "Oral")])
@pytest.mark.parametrize("lost", [b"", b"\n\n"])
def test_a_paper_without_section_is_in_none_when_it_stands_under_the_last_one(
    web: Web, sections: tuple[str, ...], lost: bytes
) -> None:
    """Told by two blank lines; where those are lost, and another paper is above it, by going back."""
    posts = [a_post("eel31a", 1), a_post("bee31a", 10, section="Oral"), a_post("bee31b", 19, section="Oral")]
    page = volume_page(posts, sections)
    if lost and sections[-1] != "Poster":
        page = page.replace(b"</div>\n\n\n", b"</div>\n")
    harvest = web.harvest(PmlrSource(), "v901", site(posts) | {PAGE: page})
    awards = {record.key: record.award for record in harvest.records}
    assert awards == {"v901/eel31a": "", "v901/bee31a": "oral", "v901/bee31b": "oral"}


# Going on


LARGE: list[Post] = [
    a_post(f"bee31a{number}", 1 + 10 * number, abstract="Tiles are laid. " * 900) for number in range(250)
]


def test_a_volume_goes_on_behind_the_page_that_was_committed_last(web: Web) -> None:
    """At every page boundary, killed: the rest comes, and nothing twice."""
    whole = web.harvest(PmlrSource(), "v901", site(LARGE))
    assert len(whole.pages) > 3
    assert max(len(page.content) for page in whole.pages) <= 1024 * 1024
    for n_pages in range(1, len(whole.pages) + 1):
        killed = web.harvest(PmlrSource(), "v901", site(LARGE), stop_after=n_pages)
        rest = web.harvest(PmlrSource(), "v901", site(LARGE), killed.cursor)
        assert killed.found + rest.found == whole.found
        assert rest.error is None


def test_a_volume_begins_anew_when_it_has_changed_since(web: Web) -> None:
    killed = web.harvest(PmlrSource(), "v901", site(LARGE), stop_after=2)
    changed = [a_post("abe31a", 0), *LARGE]
    rest = web.harvest(PmlrSource(), "v901", site(changed), killed.cursor)
    assert rest.keys == ["v901/abe31a", *(f"v901/{post['id']}" for post in LARGE)]


def test_a_volume_costs_nothing_more_when_it_has_not_changed(web: Web) -> None:
    answers = {path: [reply, Reply(status=304)] for path, reply in site().items() if isinstance(reply, Reply)}
    with web.serving(answers) as server:
        before = web.ask(PmlrSource(), server, "v901")
        again = web.ask(PmlrSource(), server, "v901", before.cursor)
    assert [request.headers.get("if-none-match") for request in server.requests[3:]] == ['"c"', '"p"', '"f"']
    assert (len(before.keys), again.pages, again.error) == (5, [], None)


def test_a_volume_comes_again_when_only_its_links_have_changed(web: Web) -> None:
    before = web.harvest(PmlrSource(), "v901", site())
    changed = [dict(POSTS[0], openreview="another1"), *POSTS[1:]]
    assert len(web.harvest(PmlrSource(), "v901", site(changed), before.cursor).keys) == 5


# Awkward answers


WHOLE = citations(sorted(POSTS, key=lambda post: post["order"]), editors=EDITORS)


@pytest.mark.parametrize(
    ("path", "awkward"),
    [
        pytest.param(CITATIONS, MAINTENANCE, id="A14 citations"),
        pytest.param(CITATIONS, Reply(WHOLE[: WHOLE.rindex(b"issued")]), id="A13 cut, and the length with it"),
        pytest.param(CITATIONS, Reply(WHOLE, cut=300), id="A13 cut on the way"),
        pytest.param(CITATIONS, Reply(WHOLE, length=-1, cut=300), id="A13 cut without a length"),
        pytest.param(CITATIONS, Reply(b""), id="empty"),
        pytest.param(CITATIONS, Reply(status=503, headers={"Retry-After": "7"}), id="A01 busy"),
        pytest.param(PAGE, Reply(volume_page(POSTS, SECTIONS)[:900]), id="A13 page"),
        pytest.param(PAGE, Reply(status=502), id="page"),
        pytest.param(CONFIG, MAINTENANCE, id="A14 configuration"),
        pytest.param(CONFIG, Reply(CONFIGURATION, cut=30), id="A13 configuration"),
    ],
)
def test_an_awkward_answer_is_asked_for_again(web: Web, path: str, awkward: Reply) -> None:
    """Pitfalls A01, A13, A14."""
    good = site()[path]
    assert isinstance(good, Reply)
    harvest = web.harvest(PmlrSource(), "v901", site() | {path: [awkward, good]})
    assert (harvest.error, harvest.notes) == (None, [])
    assert harvest.found == web.harvest(PmlrSource(), "v901", site()).found
    assert len(harvest.asked) == 4


@pytest.mark.parametrize("path", [CITATIONS, PAGE, CONFIG])
@pytest.mark.parametrize("awkward", [Reply(status=503), Reply(b"<html><body>Down")])
def test_nothing_is_taken_when_an_answer_stays_awkward(web: Web, path: str, awkward: Reply) -> None:
    """Papers without their links would take the place of those that had them."""
    harvest = web.harvest(PmlrSource(), "v901", site() | {path: awkward})
    assert isinstance(harvest.error, FetchError)
    assert harvest.pages == []


def test_a_volume_is_short_when_its_page_has_more_papers(web: Web) -> None:
    """Pitfall A13: cut where an entry ends, which nothing in it tells."""
    posts = sorted(POSTS, key=lambda post: post["order"])
    harvest = web.harvest(PmlrSource(), "v901", site() | {CITATIONS: citations(posts[:-1], editors=EDITORS)})
    assert isinstance(harvest.error, ShortError)
    assert "dab31a" in harvest.error.message
    assert len(harvest.keys) == 4
    assert len(web.harvest(PmlrSource(), "v901", site(), harvest.cursor).keys) == 5


@pytest.mark.parametrize(
    ("path", "said"), [(PAGE, "OpenReview"), (CONFIG, "short name")],
)  # fmt: skip
def test_a_volume_comes_without_what_is_not_there_and_says_so(web: Web, path: str, said: str) -> None:
    harvest = web.harvest(PmlrSource(), "v901", site() | {path: Reply(status=404)})
    assert len(harvest.keys) == 5
    assert harvest.error is None
    (note,) = harvest.notes
    assert said in note
    assert "v901" in note


def test_a_volume_comes_without_links_when_its_page_has_another_form(web: Web) -> None:
    harvest = web.harvest(PmlrSource(), "v901", site() | {PAGE: b"<html><body><p>Papers</p></body></html>"})
    assert len(harvest.keys) == 5
    assert len(harvest.notes) == 1


def test_a_volume_comes_without_its_configuration_when_that_is_broken(web: Web) -> None:
    harvest = web.harvest(PmlrSource(), "v901", site() | {CONFIG: b"booktitle: [never: closed"})
    assert len(harvest.keys) == 5
    assert len(harvest.notes) == 1


@pytest.mark.parametrize(
    ("want", "near"), [("v900", "v899 and v902"), ("v9999", "is v902."), ("v1", "is v899."), ("r3", "is r1.")]
)
def test_a_volume_that_is_not_there_is_told_with_what_is_near(web: Web, want: str, near: str) -> None:
    harvest = web.harvest(PmlrSource(), want, site())
    assert isinstance(harvest.error, FetchError)
    assert harvest.error.status == 404
    assert f"no volume {want}" in harvest.error.message
    assert near in harvest.error.hint
    assert harvest.pages == []


def test_a_volume_that_is_not_there_is_told_when_there_is_no_list(web: Web) -> None:
    error = web.harvest(PmlrSource(), "v900", {}).error
    assert error is not None
    assert "no volume v900" in error.message
    assert error.hint.startswith("All are listed at")


def test_a_bomb_is_refused(web: Web) -> None:
    """Pitfall F06."""
    harvest = web.harvest(PmlrSource(), "v901", site() | {CITATIONS: Reply(bytes(70_000_000), packed=True)})
    assert isinstance(harvest.error, RefusedError)
    assert len(harvest.asked) == 1


@pytest.mark.parametrize("location", ["http://169.254.169.254/", "http://localhost:1/", "file:///etc/hostname"])
def test_a_redirect_to_where_octavo_does_not_go_is_refused(web: Web, location: str) -> None:
    """Pitfall F04."""
    away = Reply(status=301, headers={"Location": location})
    assert isinstance(web.harvest(PmlrSource(), "v901", site() | {CITATIONS: away}).error, RefusedError)


def test_a_pause_that_is_too_long_is_told(web: Web) -> None:
    """Pitfall A01."""
    pause = Reply(status=429, headers={"Retry-After": "1800"})
    harvest = web.harvest(PmlrSource(), "v901", site() | {CONFIG: pause})
    assert isinstance(harvest.error, RateLimitedError)
    assert harvest.pages == []


# The real posts


@pytest.mark.real
@pytest.mark.parametrize("volume", ["v37", "v48", "v195", "v206", "v244", "v247", "v270", "v291", "v305"])
def test_a_real_volume_comes_as_its_posts_do(web: Web, shared: Path, volume: str) -> None:
    """The posts as PMLR's templates render them, asked for, against the posts themselves."""
    target = shared / f"data/pmlr/{volume}.tar.gz"
    source = PmlrSource()
    of_posts = {one.key: one for page in source.fetch(target) for one in source.parse(page) if isinstance(one, Record)}
    posts: list[Post] = []
    config = b""
    with tarfile.open(target) as archive:
        for member in archive:
            if (file := archive.extractfile(member)) is None:
                continue
            content = file.read()
            if member.name.endswith("_config.yml"):
                config = content
            elif member.name.endswith(".md"):
                posts.append(yaml.load(content.split(b"\n---\n")[0], yaml.CBaseLoader))
    posts = [dict(post, order=int(post.get("order", 0))) for post in posts]
    posts.sort(key=lambda post: post["order"])
    described = yaml.load(config, yaml.CBaseLoader)
    sections = tuple(section["name"] for section in described.get("sections") or ())
    harvest = web.harvest(
        source, volume,
        {
            f"{SITE}/{volume}/assets/bib/citeproc.yaml": Reply(citations(posts, volume, described["editor"]), packed=True),
            f"{SITE}/{volume}/": Reply(volume_page(posts, sections, volume), packed=True),
            CONFIG.replace("v901", volume): config,
        },
    )  # fmt: skip
    made = {record.key: record for record in harvest.records}
    assert (harvest.error, [one for one in harvest.found if isinstance(one, Fault)]) == (None, [])
    assert made.keys() == of_posts.keys()
    assert [key for key, record in made.items() if record != of_posts[key]] == []
