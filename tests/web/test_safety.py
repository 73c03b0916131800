"""What keeps other sites and what sources wrote from doing anything. Numbers are those of the list of pitfalls."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, urlsplit

import httpx
import pytest

from octavo.app import Octavo
from octavo.records.paper import Paper, PaperId
from octavo.web.links import links_of
from octavo.web.publish import Publication, publish
from octavo.web.safety import MAX_BODY, is_local_path, is_own_host, is_own_request, safe_address
from tests.web.conftest import Elements, serving
from tests.web.gallery import announce, fill
from tests.world import RECORDS, record

ADDRESSES = [
    "/",
    "/search?q=bound",
    "/abs/2101.10001",
    "/list/cs.LG/new?abstracts=open",
    "/identify?text=2101.10001",
    "/nothing",
    "/sources",
]
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.mark.parametrize(
    "path", [*ADDRESSES, "/search.json?q=a", "/static/octavo.css", "/static/none", "/paper/none.json"]
)
def test_every_answer_has_the_headers(client: httpx.Client, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.parametrize("path", ADDRESSES)
def test_nothing_of_a_source_can_run(client: httpx.Client, path: str) -> None:
    """Pitfalls F01 and F02: every element and attribute of a page is one that its templates or MathML have."""
    found = Elements(client.get(path, follow_redirects=True).text)
    for name, attributes in found.found:
        assert name not in ("svg", "iframe", "object", "embed", "style", "b", "img", "base")
        assert not [one for one in attributes if one.startswith("on") or one in ("style", "srcdoc")]
        if name == "script":
            assert attributes["src"].startswith(("/static/octavo.js?", "/static/complete.js?"))
        for one in ("href", "src", "action"):
            if one in attributes and not attributes[one].startswith("#"):
                assert is_local_path(attributes[one]) or safe_address(attributes[one]), attributes[one]


@pytest.mark.parametrize("path", ADDRESSES)
def test_a_page_loads_nothing_from_elsewhere(client: httpx.Client, path: str) -> None:
    found = Elements(client.get(path, follow_redirects=True).text)
    loaded = [attributes["src"] for _, attributes in found.found if "src" in attributes]
    loaded += [one["href"] for one in found.all("link") if one["rel"] in ("stylesheet", "icon")]
    assert loaded
    for address in loaded:
        assert address.startswith("/static/")
        assert client.get(address).status_code == 200


def test_hostile_text_is_shown_as_text(client: httpx.Client) -> None:
    found = Elements(client.get("/abs/2101.10001", follow_redirects=True).text)
    assert "<b onmouseover=alert(1)>A</b>" in found.text
    assert r"\def\q{zzzz}" in found.text, "a macro is not expanded but shown (F02)"
    assert any(attributes.get("class") == "tex" for attributes in found.all("code"))


# -- links ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "data:text/html,x", "vbscript:x",
        "//other.example", "https:other.example", "https://", "http:///x", "https://a.example\\@b.example", "https://a@b.example/",
        "https://a.example/\u202egpj.exe", "https://a.example/a b", 'https://a.example/"onclick=', "ftp://a.example", "", "https://[::1",
    ],
)  # fmt: skip
def test_an_address_that_is_not_plainly_http_is_no_link(address: str) -> None:
    assert safe_address(address) == ""
    paper = Paper(PaperId("paaaaaaaaaaaa"), "A", (), links=(("pdf", address), ("code", "https://example.org/code")))
    assert [link.address for link in links_of(paper)] == ["https://example.org/code"]


@pytest.mark.parametrize(
    "address", ["https://a.example/b?c=d#e", "http://a.example:8000/", "https://xn--bcher-kva.example/ü"]
)
def test_an_address_of_the_web_is_a_link(address: str) -> None:
    assert safe_address(address) == address


@pytest.mark.parametrize("path", ["//other.example", "https://other.example", "/\\other.example", "other", "", "/a\nb"])
def test_only_a_local_path_leads_back(path: str) -> None:
    """Pitfall F09."""
    assert not is_local_path(path)


def test_a_link_out_tells_no_referrer(client: httpx.Client) -> None:
    for path in ADDRESSES:
        for one in Elements(client.get(path, follow_redirects=True).text).all("a"):
            if urlsplit(one["href"]).netloc:
                assert {"noopener", "noreferrer", "nofollow"} <= set(one["rel"].split())


def test_slashes_at_the_start_of_an_address_make_no_link_elsewhere(address: str) -> None:
    """Pitfall F09: `//other.example` as the path of a page that offers itself in another language."""
    host, port = urlsplit(address).hostname or "", urlsplit(address).port or 0
    with socket.create_connection((host, port), 10) as connection:
        connection.sendall(b"GET //other.example/%5c HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    assert "404" in answer.splitlines()[0]
    assert "lang=zh-CN" in answer
    assert not re.search(r'href="//', answer)


# -- whose requests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1:8737", True), ("localhost", True), ("LOCALHOST.:9000", True), ("[::1]:8737", True), ("127.9.9.9", True),
        ("evil.example", False), ("evil.example:8737", False), ("127.0.0.1.evil.example", False), ("localhost.evil.example", False),
        ("", False), ("0.0.0.0:8737", False), ("user@localhost", False), ("localhost:8737/x", False), ("[::2]", False), ("::1", False),
    ],
)  # fmt: skip
def test_only_this_machines_names_are_answered(client: httpx.Client, host: str, is_own: bool) -> None:
    """A name that leads to 127.0.0.1 (DNS rebinding) reads nothing."""
    assert is_own_host(host) is is_own
    for path in ("/", "/index.json", "/static/octavo.css", "/none"):
        answer = client.get(path, headers={"Host": host})
        assert (answer.status_code == 403) is not is_own
        assert "content-security-policy" in answer.headers
        if not is_own:
            assert "Tiles" not in answer.text


@pytest.mark.parametrize(
    ("headers", "is_own"),
    [
        ({"Origin": "http://127.0.0.1:8737", "Host": "127.0.0.1:8737"}, True),
        ({"Sec-Fetch-Site": "same-origin", "Origin": "null", "Host": "127.0.0.1:8737"}, True),
        ({"Host": "127.0.0.1:8737"}, True),
        ({"Origin": "https://other.example", "Host": "127.0.0.1:8737"}, False),
        ({"Origin": "null", "Host": "127.0.0.1:8737"}, False),
        ({"Origin": "http://127.0.0.1:9999", "Host": "127.0.0.1:8737"}, False),
        ({"Sec-Fetch-Site": "cross-site", "Host": "127.0.0.1:8737"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:8737", "Host": "127.0.0.1:8737"}, False),
    ],
)
def test_what_is_sent_comes_from_an_own_page(client: httpx.Client, headers: dict[str, str], is_own: bool) -> None:
    """Pitfall F08."""
    assert is_own_request({name.lower(): value for name, value in headers.items()}) is is_own
    answer = client.post("/identify", content="text=2101.00010", headers=FORM | headers)
    assert answer.status_code == (200 if is_own else 403)
    assert ("Tiles" in answer.text) is is_own


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize("path", ["/", "/search", "/abs/2101.00010", "/sources"])
def test_pages_are_only_looked_at(client: httpx.Client, method: str, path: str) -> None:
    answer = client.request(method, path)
    assert answer.status_code == 405
    assert answer.headers["allow"]
    assert "only to be looked at" in Elements(answer.text).text


@pytest.mark.parametrize("size", [MAX_BODY + 1, 3_000_000])
def test_a_large_body_is_refused_with_a_page(client: httpx.Client, size: int) -> None:
    answer = client.post("/identify", content=b"text=" + b"a" * size, headers=FORM)
    assert answer.status_code == 413
    assert "at most 200,000 bytes" in Elements(answer.text).text
    in_chunks = client.post("/identify.json", content=(b"a" * 50_000 for _ in range(size // 50_000 + 1)), headers=FORM)
    assert in_chunks.status_code == 413
    assert in_chunks.json()["error"]["kind"] == "limit"


def test_only_a_form_is_taken(client: httpx.Client) -> None:
    assert client.post("/identify", json={"text": "a"}).status_code == 415
    assert client.post("/identify", content=b"text=%FF%FE\x00", headers=FORM).status_code == 200


# -- nothing is fetched, and nothing runs -----------------------------------------------------------------------------

RUNS = "<img src=x onerror=\"document.title='ran'\"><script>document.title='ran'</script>"
HOSTILE = replace(
    record(
        "arxiv", "2101.10007", f"A {RUNS} title $\\frac{{1}}{{<svg onload=document.title='ran'>}}$ <svg onload=alert(1)>",
        f"<b onmouseover=alert(1)>A</b>; {RUNS}; O'\"><script>alert(1)</script>", ids="arXiv:2101.10007", submitted="2031-05-01",
        categories="cs.LG", venue=f"TILE{RUNS}", year=2031, comment=f"Comment {RUNS}",
        abstract=f"An abstract {RUNS} with [a link](javascript:document.title='ran') and <a href=\"javascript:document.title='ran'\">"
        "another</a>, <a href=\"data:text/html,<script>alert(1)</script>\">a third</a>, $\\def\\q{zzzz}\\q\\q$, "
        "$" + "\\sqrt{" * 200 + "x" + "}" * 200 + "$ and $\\rule{700em}{700em}$, \\href{javascript:alert(1)}{here}. " * 3,
    ),
    links=(("pdf", "javascript:document.title='ran'"), ("page", "data:text/html,<script>alert(1)</script>"), ("code", "file:///etc/hostname"),
        ("project", "https://a.example/\"onclick=alert(1)"), ("video", "//other.example/x"), ("poster", "https://example.org/poster")),
    journal_ref=f"Journal {RUNS}",
)  # fmt: skip
"""Pitfalls F01 and F02 in every field that a page shows."""
PATHS = [
    "/", "/search?q=title", "/search?q=" + quote(RUNS), "/abs/2101.10007", "/list/cs.LG/new", "/authors/" + quote(RUNS, safe=""),
    "/identify?text=" + quote(RUNS), "/venues", "/complete?q=" + quote(RUNS), "/" + quote(RUNS, safe=""), "/library", "/sources",
    "/index.json", "/index.rss", "/index.atom", "/index.bib", "/search.json?q=title", "/search.bib?q=title", "/abs/2101.10007.json",
]  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which a source tries all it can; only the library of it is written to."""
    home = tmp_path_factory.mktemp("hostile") / "home"
    fill(home, (HOSTILE, *RECORDS))
    announce(home)
    with Octavo(home) as octavo:
        octavo.save(["2101.10007"], [f"tag {RUNS}"[:90].replace(",", "")])
        octavo.note("2101.10007", f"note {RUNS}")
    return home


WATCHED = """
import sys
from pathlib import Path

def watch(event, arguments):
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        print("OUT", event, arguments[1:], flush=True)

sys.addaudithook(watch)
from octavo.web.server import WebServer, address_of, listen
listener = listen("127.0.0.1", 0)
print(address_of(listener), flush=True)
WebServer(listener, Path(sys.argv[1])).run()
"""


@contextmanager
def watched(home: Path) -> Iterator[tuple[str, list[str]]]:
    """The pages in a process that tells each connection it opens: their address, and what was told."""
    process = subprocess.Popen([sys.executable, "-c", WATCHED, str(home)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    told: list[str] = []
    try:
        yield process.stdout.readline().strip(), told
    finally:
        process.terminate()
        told += process.communicate(timeout=30)[0].splitlines()


def test_the_server_opens_no_connection_for_a_page(hostile: Path) -> None:
    with watched(hostile) as (address, told), httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        for path in PATHS:
            assert client.get(path, follow_redirects=True).status_code in (200, 404), path
        client.post("/identify", data={"text": "https://a.example/x 10.5555/tiles.1 http://127.0.0.1:1/"})
    assert told == []


def test_a_connection_would_be_told(tmp_path: Path) -> None:
    script = WATCHED.partition("from octavo")[0] + "import socket\nsocket.socket().connect_ex(('127.0.0.1', 1))\n"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("OUT socket.connect")


@pytest.mark.parametrize("what", ["served", "published"])
def test_nothing_of_a_source_runs_in_a_browser(hostile: Path, tmp_path: Path, what: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no Chromium")
    with playwright.sync_playwright() as driver, serving(hostile) as address:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page()
        ran: list[str] = []
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: ran.append(str(error)))
        page.on("console", lambda message: ran.append(message.text) if "404" not in message.text else None)
        for target in addresses(hostile, tmp_path, address, what):
            if target.endswith((".bib", ".bib?q=title", ".rss", ".atom")):
                with suppress(playwright.Error):  # what is not for reading is saved as a file, which shows nothing
                    page.goto(target)
                continue
            page.goto(target)
            for one in page.query_selector_all("main summary, main h2 a"):
                one.hover(timeout=2_000) if one.is_visible() else None
            page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
            assert page.title() != "ran", target
            links = page.evaluate(
                "[...document.querySelectorAll('[href], [src], [action]')].map(e => e.href || e.src || e.action)"
            )
            assert [
                one
                for one in links
                if not str(one).startswith(("http://", "https://", "file:///tmp", tmp_path.as_uri()))
            ] == []
        assert ran == []
        browser.close()


def addresses(home: Path, tmp_path: Path, address: str, what: str) -> Iterator[str]:
    """Where to look: the pages, or the site of the same papers."""
    if what == "served":
        yield from (address.rstrip("/") + path for path in PATHS)
        return
    with Octavo(home) as octavo:
        publish(octavo, tmp_path / "site", Publication("saved", with_notes=True), search=False)
    yield from (path.as_uri() for path in sorted((tmp_path / "site").rglob("*.html")))


def test_looking_changes_nothing(hostile: Path) -> None:
    """Pitfall F08: whatever an address says, it only reads."""
    with serving(hostile) as address, httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        before = client.get("/library.json").json()["total"]
        for path in (
            "/library?do=unsave:x",
            "/save?id=2101.00010",
            "/logout",
            "/login?password=a",
            "/library?do=undo:1",
        ):
            client.get(path)
        assert client.get("/library.json").json()["total"] == before
        refused = client.post("/library", data={"do": "save:x"}, headers={"Origin": "https://other.example"})
        assert refused.status_code == 403


@pytest.mark.parametrize(
    "name", ["../outside", "..%2Foutside", "math/../../x", "%2Fetc%2Fhostname", "math/0309136%00.md", "C:%5Cx"]
)
@pytest.mark.parametrize("page", ["/paper/", "/abs/", "/pdf/", "/static/", "/authors/"])
def test_a_paper_id_is_no_path(client: httpx.Client, page: str, name: str) -> None:
    """Pitfall F05."""
    answer = client.get(page + name, follow_redirects=True)
    assert answer.status_code == 404
    assert "root:" not in answer.text
