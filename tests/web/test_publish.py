"""A list as a site of files: what is written, what is not, and how it is read in a browser."""

from __future__ import annotations

import functools
import http.server
import json
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from octavo.app import Octavo
from octavo.cli.program import octavo as program
from octavo.errors import BusyError, NotFound, UsageError
from octavo.records.paper import Paper, PaperId
from octavo.views_publishing import ListView
from octavo.web.publish import Publication, publish
from octavo.web.publish.addresses import finder, relative, relinked
from octavo.web.publish.finding import is_possible
from octavo.web.publish.folder import MARKER, new_site
from octavo.web.publish.plan import make_plan
from octavo.web.publish.writing import stub
from tests.web.conftest import Elements
from tests.web.gallery import fill
from tests.world import record

NOTE, TAG = "nobody else may read this note", "a tag of my own"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a library; not to be written to."""
    made = tmp_path_factory.mktemp("publish") / "home"
    fill(made)
    with Octavo(made) as octavo:
        octavo.save(["2101.00010", "2101.10001", "2101.10002", "2101.10004"], [TAG])
        octavo.note("2101.00010", NOTE)
    return made


@pytest.fixture(scope="module")
def site(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole catalogue as a site; not to be written to."""
    out = tmp_path_factory.mktemp("site") / "deep" / "site"
    out.parent.mkdir()
    with Octavo(home) as octavo:
        publish(octavo, out, Publication("all"))
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<a href="/paper/pa">A</a>', '<a href="../paper/pa.html">A</a>'),
        ('<a class="x" href="/paper/pa#b" dir="auto">A <b>b</b></a>', '<a class="x" href="../paper/pa.html#b" dir="auto">A <b>b</b></a>'),
        ('<a href="/?page=2">2</a>', '<a href="../index-2.html">2</a>'),
        ('<a href="/search?q=a&amp;page=2">out</a>', "out"),
        ('<a href="/paper/none" dir="auto" lang="">out</a>', '<span dir="auto" lang="">out</span>'),
        ('<p><a href="/paper/pa/similar">All 6</a></p><p>stays</p>', "<p>stays</p>"),
        ('<a href="/authors/Ann%20Bee">A</a><a href="/authors/Bo">B</a>', '<a href="../author/ann-bee.html">A</a>B'),
        ('<a href="https://a.example/">A</a> <a href="#b">B</a>', '<a href="https://a.example/">A</a> <a href="#b">B</a>'),
        ('<a title="a > b" href="/none">A</a><a href="/paper/pa">P</a>', '<span title="a > b">A</span><a href="../paper/pa.html">P</a>'),
        ("//a href=", "//a href="),
    ],
)  # fmt: skip
def test_a_link_leads_to_a_file_or_is_none(html: str, expected: str) -> None:
    known = {"/paper/pa": "paper/pa.html", "/?page=2": "index-2.html", "/person/ann-bee": "author/ann-bee.html"}
    find = finder(known, "zh/", {"Ann Bee": "/person/ann-bee"})
    assert relinked(html, "zh/topic/t.html", find) == expected


@pytest.mark.parametrize(
    ("target", "at", "link"),
    [
        ("index.html", "index.html", "index.html"),
        ("index.html", "zh/paper/a.html", "../../index.html"),
        ("zh/a.html", "zh/b.html", "a.html"),
        ("zh/paper/a.html", "paper/a.html", "../zh/paper/a.html"),
    ],
)
def test_links_are_relative(target: str, at: str, link: str) -> None:
    assert relative(target, at) == link


def test_file_names_hold_letters_digits_and_hyphens_whatever_people_are_called() -> None:
    """Pitfall F05."""
    names = (
        "../x",
        "../X",
        "小田 花子",
        "小田 太郎",
        "Ann Bee",
        "ann bee",
        "a" * 300,
        "",
        "CON",
        "سارة أحمد",
        "\x00/etc",
    )
    papers = tuple(Paper(PaperId(f"paaaaaaaaaa{n}{n}"), "T", names, venue="../../up", year=2030 + n) for n in (2, 3))
    plan = make_plan(ListView("x", papers), "x", {})
    slugs = [one.slug for one in plan.people]
    assert len({slug.lower() for slug in slugs}) == len(slugs) == len(names)
    for name in (*slugs, *(part.stem.rpartition("/")[2] for part in plan.parts)):
        assert re.fullmatch(r"[a-z0-9-]{1,90}", name), name


# -- what is written --------------------------------------------------------------------------------------------------


def test_every_paper_has_a_page_in_both_languages(site: Path, home: Path) -> None:
    with Octavo(home) as octavo:
        papers = octavo.listed("all").papers
    for paper in papers:
        for folder, word in (("", "Identifiers"), ("zh/", "标识符")):
            text = (site / folder / "paper" / f"{paper.id}.html").read_text(encoding="utf-8")
            assert word in text
            assert paper.id in text
    data = json.loads((site / "index.json").read_text(encoding="utf-8"))
    assert data["total"] == len(data["papers"]) == len(papers)
    assert (site / "index.bib").read_text(encoding="utf-8").count("\n@") >= len(papers) - 1


def test_topics_are_those_that_the_index_counts(tmp_path: Path) -> None:
    """What sources state, what a text says of which no source does, and the reader's word."""
    abstract = (
        "We train an agent with reinforcement learning: policy gradients and Q-learning maximise the reward of the agent "
        "in a Markov decision process, and exploration of the environment improves the policy."
    )
    titles = (
        "Policy Gradients for Reinforcement Learning Agents",
        "Exploration in Deep Reinforcement Learning",
        "Rewards of Agents in Reinforcement Learning",
    )
    records = [
        record("mlanthology", f"icml2031-{n}", title, "Ann Bee", venue="ICML", year=2031, abstract=abstract)
        for n, title in enumerate(titles)
    ]
    records[2] = replace(records[2], topics=(("Computer Vision", "Object Detection"),))
    fill(tmp_path / "home", tuple(records))
    out = tmp_path / "site"
    with Octavo(tmp_path / "home") as octavo:
        papers = {paper.title: paper for paper in octavo.listed("all").papers}
        classified = papers[titles[0]]
        corrected = papers[titles[1]]
        octavo.correct_topics(corrected.id, ["Robotics"])
        counts = {one.node.slug: one.count for one in octavo.topic_tree().topics if one.count and not one.node.same_as}
        found = octavo.listed("all")
        plan = make_plan(found, "x", octavo.topics_of_list(found.papers))
        publish(octavo, out, Publication("all"))
    topics = {part.stem.partition("/")[2]: part for part in plan.parts if part.kind == "topic"}
    assert {slug: len(part.ids) for slug, part in topics.items()} == counts
    assert not classified.topics
    assert "reinforcement-learning" in counts
    for folder in ("", "zh/"):
        of_it = (out / folder / "topic/reinforcement-learning.html").read_text(encoding="utf-8")
        assert classified.id in of_it
        assert corrected.id not in of_it
        assert corrected.id in (out / folder / "topic/robotics.html").read_text(encoding="utf-8")
        assert 'href="../topic/' in (out / folder / f"paper/{classified.id}.html").read_text("utf-8")
    assert "topic-reinforcement-learning" in plan.facets_of([classified.id])[classified.id]
    searched = stub(classified, [], None, plan.topics[classified.id])
    assert "Reinforcement Learning" in searched
    assert topics["reinforcement-learning"].name_zh in searched
    chinese = (out / f"zh/paper/{classified.id}.html").read_text(encoding="utf-8")
    assert f">{topics['reinforcement-learning'].name_zh}" in chinese


def test_all_that_a_page_links_to_and_loads_is_there(site: Path) -> None:
    n_links = 0
    for path in site.rglob("*.html"):
        for name, attributes in Elements(path.read_text(encoding="utf-8")).found:
            for one in ("href", "src", "action"):
                address = attributes.get(one, "")
                if not address or address.startswith(("#", "https://", "http://")):
                    assert name == "a" or not address.startswith("http"), "nothing is loaded from elsewhere"
                    continue
                target = (path.parent / unquote(address.partition("#")[0].partition("?")[0])).resolve()
                assert target.is_file(), f"{path}: {address}"
                assert target.is_relative_to(site), f"{path}: {address}"
                n_links += 1
    assert n_links > 500


def test_every_page_says_what_it_may_do_and_holds_nothing_that_runs(site: Path) -> None:
    """Pitfall F01."""
    for path in site.rglob("*.html"):
        found = Elements(path.read_text(encoding="utf-8"))
        policy = next(one["content"] for one in found.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
        assert "default-src 'none'" in policy
        assert "require-trusted-types-for 'script'" in policy
        assert "unsafe-inline" not in policy
        assert ("wasm-unsafe-eval" in policy) is (path.name == "search.html")
        for name, attributes in found.found:
            assert name not in ("svg", "iframe", "object", "embed", "style", "img", "base")
            assert not [one for one in attributes if one.startswith("on") or one in ("style", "srcdoc")]
            assert not attributes.get("href", "").lower().startswith(("javascript:", "data:", "file:"))


@pytest.mark.parametrize("form", ["atom", "rss"])
def test_feeds_lead_to_where_the_site_will_be(home: Path, tmp_path: Path, form: str) -> None:
    with Octavo(home) as octavo:
        publish(octavo, tmp_path / "site", Publication("all", address="https://a.example/papers/"), search=False)
    root = ElementTree.fromstring((tmp_path / "site" / f"index.{form}").read_bytes())
    links = [one.get("href") or one.text or "" for one in root.iter() if one.tag.endswith("link")]
    assert len(links) > 10
    assert all(re.fullmatch(r"https://a\.example/papers/(index\.\w+|paper/p\w{12}\.html)", link) for link in links)


def test_the_same_catalogue_gives_the_same_files(home: Path, tmp_path: Path) -> None:
    for name, processes in (("one", 1), ("two", 2)):
        with Octavo(home) as octavo:
            publish(octavo, tmp_path / name, Publication("all"), processes=processes)
    one, two = files(tmp_path / "one"), files(tmp_path / "two")
    assert one.keys() == two.keys()
    assert [name for name in one if one[name] != two[name]] == []


@pytest.mark.parametrize("kind", [("tag", TAG), ("saved", ""), ("all", ""), ("query", f'tag:"{TAG}"')])
def test_notes_and_tags_stay_with_the_reader_unless_asked_for(
    home: Path, tmp_path: Path, kind: tuple[str, str]
) -> None:
    with Octavo(home) as octavo:
        publish(octavo, tmp_path / "site", Publication(*kind), search=False)
        publish(octavo, tmp_path / "noted", Publication(*kind, with_notes=True), search=False)
    for name, data in files(tmp_path / "site").items():
        assert NOTE.encode() not in data, name
        assert TAG.encode() not in data, name
        assert str(home).encode() not in data, name
    noted = b"".join(files(tmp_path / "noted").values())
    assert NOTE.encode() in noted
    assert TAG.encode() in noted


def test_what_the_publisher_said_of_a_paper_is_not_told_as_the_readers_word(tmp_path: Path) -> None:
    """Whoever reads a site is not the one who corrected the topics and joined the records."""
    fill(tmp_path / "home")
    with Octavo(tmp_path / "home") as octavo:
        octavo.join(["2101.00010", "2101.10001"])
        octavo.correct_topics("2101.00010", ["graph-neural-networks"])
        paper = octavo.get("2101.00010").paper.id
        publish(octavo, tmp_path / "site", Publication("all"), search=False)
    for file, name in ((f"paper/{paper}.html", "Graph Neural Networks"), (f"zh/paper/{paper}.html", "图神经网络")):
        page = Elements((tmp_path / "site" / file).read_text(encoding="utf-8"))
        assert name in page.text
        assert ("由人工合并" if file.startswith("zh/") else "they were joined by hand") in page.text
        assert not re.search(r"\byou\b|如您|您", page.text)


def test_one_language_has_the_root_to_itself(home: Path, tmp_path: Path) -> None:
    with Octavo(home) as octavo:
        publish(octavo, tmp_path / "site", Publication("saved", languages=("zh-CN",), title="读物"), search=False)
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert 'lang="zh-CN"' in text
    assert "读物" in Elements(text).text
    assert not (tmp_path / "site" / "zh").exists()
    assert not (tmp_path / "site" / "search.html").exists()


@pytest.mark.parametrize(
    ("wanted", "fault"),
    [
        (Publication("query", "nothingofthis"), NotFound),
        (Publication("tag", "none"), NotFound),
        (Publication("venue", "ICML 1901"), NotFound),
        (Publication("venue", "No Such Venue 2031"), NotFound),
        (Publication("venue", "ICML"), UsageError),
        (Publication("venue", " "), UsageError),
        (Publication("none"), UsageError),
        (Publication("all", most=3), UsageError),
        (Publication("all", languages=("fr",)), UsageError),
        (Publication("all", address="javascript:alert(1)"), UsageError),
    ],
)
def test_a_list_that_can_not_be_leaves_nothing(
    home: Path, tmp_path: Path, wanted: Publication, fault: type[Exception]
) -> None:
    with Octavo(home) as octavo, pytest.raises(fault):
        publish(octavo, tmp_path / "site", wanted)
    assert list(tmp_path.iterdir()) == []


def test_an_empty_catalogue_is_told(tmp_path: Path) -> None:
    with Octavo(tmp_path / "none") as octavo, pytest.raises(NotFound, match="octavo demo"):
        publish(octavo, tmp_path / "site", Publication("all"))


# -- the folder -------------------------------------------------------------------------------------------------------


def test_a_site_is_replaced_whole_and_a_folder_of_others_is_left_alone(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    with Octavo(home) as octavo:
        publish(octavo, out, Publication("all"), search=False)
        publish(octavo, out, Publication("saved"), search=False)
        assert json.loads((out / "index.json").read_text(encoding="utf-8"))["total"] == 4
        (out / "CNAME").write_text("papers.example", encoding="utf-8")
        with pytest.raises(UsageError, match="CNAME"):
            publish(octavo, out, Publication("all"), search=False)
        (tmp_path / "mine").mkdir()
        (tmp_path / "mine" / "thesis.tex").write_text("x", encoding="utf-8")
        (tmp_path / "file").write_text("x", encoding="utf-8")
        for name in ("mine", "file", "not/there"):
            with pytest.raises(UsageError):
                publish(octavo, tmp_path / name, Publication("all"), search=False)
    assert (tmp_path / "mine" / "thesis.tex").read_text(encoding="utf-8") == "x"
    assert (out / "CNAME").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "mine", "site"]


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    with new_site(tmp_path / "site") as out:
        (out / "a").write_text("new", encoding="utf-8")
    assert [path.name for path in (tmp_path / "site").iterdir()] == ["a"]


@pytest.mark.skipif(sys.platform == "win32", reason="no flock")
def test_two_do_not_write_one_site_at_once(tmp_path: Path) -> None:
    with new_site(tmp_path / "site"), pytest.raises(BusyError), new_site(tmp_path / "site"):
        pytest.fail("a second one came in")
    part = tmp_path / ".other.octavo-part"
    part.mkdir()
    (part / "left").write_text("by one that was killed", encoding="utf-8")
    with new_site(tmp_path / "other") as out:
        assert sorted(path.name for path in out.iterdir()) == [".lock"]


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
@pytest.mark.parametrize("wait", [0.0, 0.3, 0.9])
def test_a_kill_leaves_the_old_site(home: Path, tmp_path: Path, wait: float) -> None:
    """Pitfall H01."""
    out = tmp_path / "site"
    with Octavo(home) as octavo:
        publish(octavo, out, Publication("saved"), search=False)
    before = files(out)
    command = [sys.executable, "-m", "octavo", "--home", str(home), "publish", str(out), "--all", "--no-search"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    part = tmp_path / ".site.octavo-part"
    until = time.monotonic() + 30
    while not part.exists() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    time.sleep(wait)
    process.send_signal(signal.SIGKILL)
    process.wait()
    after = files(out)
    assert after == before or json.loads(after["index.json"])["total"] > 4, "the old site or the new one, whole"
    with Octavo(home) as octavo:
        publish(octavo, out, Publication("saved"), search=False)
    assert files(out) == before
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


# -- the command ------------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_wrote(home: Path, tmp_path: Path) -> None:
    run = functools.partial(CliRunner().invoke, program)
    out = str(tmp_path / "site")
    done = run(["--home", str(home), "publish", out, "--query", "tiles", "--no-search", "--json"])
    assert done.exit_code == 0, done.output
    said = json.loads(done.output)
    assert said["title"] == "tiles"
    assert said["files"] == len(files(Path(out)))
    assert said["bytes"] == sum(map(len, files(Path(out)).values()))
    assert not said["has_search"]
    assert run(["--home", str(home), "publish", out]).exit_code == 2
    assert run(["--home", str(home), "publish", out, "--saved", "--all"]).exit_code == 2
    assert run(["--home", str(home), "publish", out, "--tag", "none"]).exit_code == 1
    assert json.loads((Path(out) / MARKER).read_text(encoding="utf-8"))["written_by"] == "octavo publish"


# -- in a browser -----------------------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def hosted(site: Path) -> Iterator[str]:
    """Where the site is, below another address, on a server that knows nothing but files."""

    class Files(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Files, directory=site.parent.parent))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/deep/site/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api")
    if CHROMIUM is None:
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.mark.skipif(not is_possible(), reason="Pagefind is not installed")
@pytest.mark.parametrize("folder", ["", "zh/"])
def test_the_site_is_searched_and_read_without_a_server(browser: Any, hosted: str, folder: str) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    said: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(hosted + folder + "index.html")
    page.fill(".find input", "sparse lattices")
    page.press(".find input", "Enter")
    page.wait_for_selector("#hits .entry")
    assert "Walks on Sparse Lattices" in page.inner_text("#hits")
    page.click("#hits .entry h2 a")
    page.wait_for_url("**/paper/*.html")
    assert page.url.startswith(hosted + folder + "paper/")
    for name in ("index.html", "authors.html", "all.html", "search.html?q=bound"):
        page.goto(hosted + folder + name)
        page.wait_for_load_state("networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, name
        assert page.title() != "x", "nothing of a source runs (F01)"
    assert said == []
    assert [url for url in asked if not url.startswith(hosted)] == []
    page.close()


def test_the_site_is_read_without_a_script_and_from_a_folder(browser: Any, site: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto((site / "index.html").as_uri())
    page.click("text=Walks on Sparse Lattices")
    assert "How often" in page.inner_text("main") or "count how often" in page.inner_text("main")
    page.click("text=简体中文")
    assert "标识符" in page.inner_text("main")
    context.close()
